/* list.c - the lists of a world: room for one more, what acts and its numbers, and the first thing that was wrong */
#include "parts.h"
#include "letters.h"
#include <stdio.h>

int epi_world_wrong(epi_world *w, const char *words, ...)
{
  va_list ap;
  va_start(ap, words);
  if (!w->error[0]) {
    epi_sentence_print(w->error, sizeof w->error, words, ap);
    w->cause = EPI_SYSTEM;
  }
  va_end(ap);
  return -1;
}

int epi_world_no_memory(epi_world *w)
{
  const int first = !w->error[0];
  epi_world_wrong(w, "out of memory");
  if (first) w->cause = EPI_MEMORY;
  return -1;
}

/* also after the first thing that was wrong: nothing can mend it */
int epi_world_closed(epi_world *w)
{
  if (w->error[0]) return -1;
  return w->made ? epi_world_wrong(w, "the world is closed: add everything before its first system or flow is asked for") : 0;
}

/* twice as much each time: what is added one by one is copied twice at most */
int epi_world_grow(epi_world *w, void **list, int n, int *room, size_t size)
{
  if (n <= *room) return 0;
  int more = 2**room + 8 > n ? 2**room + 8 : n;
  void *bigger = realloc(*list, (size_t)more*size);
  if (!bigger) return epi_world_no_memory(w);
  *list = bigger;
  *room = more;
  return 0;
}

/* ---- what acts ---- */
int epi_world_number(epi_world *w, int which)
{
  if (epi_world_grow(w, (void **)&w->number, w->numbers + 1, &w->room[3], sizeof *w->number)) return -1;
  w->number[w->numbers] = which;
  return epi_index_add(&w->action_names, w, epi_action_name, w->numbers) ? epi_world_no_memory(w) : w->numbers++;
}

int epi_world_pair(epi_world *w, epi_pair p, const char *name, const void *data, size_t size, const double *own, int n)
{
  if (epi_world_closed(w) || epi_world_grow(w, (void **)&w->pair, w->pairs + 1, &w->room[1], sizeof *w->pair)) return -1;
  if (p.a < 0 || p.a >= w->bodies || p.b < EPI_GROUND || p.b >= w->bodies || p.a == p.b)
    return epi_world_wrong(w, "%s acts between body %d and %d: a is a body, b another or EPI_GROUND", name, p.a, p.b);
  size_t more = own ? (size_t)n*sizeof *own : 0;
  p.data = malloc(size + more + 1);
  if (!p.data) return epi_world_no_memory(w);
  if (size) memcpy(p.data, data, size);
  if (more) memcpy((char *)p.data + size, own, more);
  snprintf(p.name, sizeof p.name, "%s", name);
  w->pair[w->pairs++] = p;
  return epi_world_number(w, w->pairs - 1);
}

int epi_add_action(epi_world *w, const char *name, int a, int b, unsigned kind, epi_act *act, const void *data, size_t size)
{
  if (!act) return epi_world_wrong(w, "the action %s has no function: give one", name ? name : "");
  return epi_world_pair(w, (epi_pair){.a = a, .b = b, .kind = kind, .act = act}, name ? name : "action", data, size, NULL, 0);
}
