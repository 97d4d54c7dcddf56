/* ranks.c - one process: this command was built without MPI */
#include "ranks.h"
#include "tool.h"
#include <stdlib.h>

int ranks_begin(void)
{
  const char *all = getenv("OMPI_COMM_WORLD_SIZE");
  if (!all || atoi(all) < 2) return 1;
  return say(0, "this command was built without MPI, and mpirun started it %s times: build it with -DEPICYCLE_MPI=ON, or leave mpirun "
             "out", all);
}

int ranks_me(void) { return 0; }
int ranks_agree(int code) { return code; }
int ranks_lead(const lead *all) { (void)all; return EPI_WRONG; }
int ranks_follow(epi_sweep *s) { (void)s; return FAILED; }
void ranks_fail(const char *sentence) { exit(say(FAILED, "%s", sentence)); }
void ranks_end(void) { }
