/* reproduce.c - the verb reproduce: the papers and what computes them again are a program of their own, which stands beside the command */
#include "tool.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PROGRAM "epicycle-papers"

/* where the folder of the command is not known, one of the PATH */
static char *program(void)
{
  char *beside = disk_beside(PROGRAM);
  return beside ? beside : text(PROGRAM);
}

FILE *reproduce_words(const char *paper)
{
  char *path = program(), *line = with_word(with_word(text("exec"), path), "--words");
  if (paper) line = with_word(with_word(line, "--"), paper);
  char *silent = text("%s 2>/dev/null", line);
  FILE *f = popen(silent, "r");
  free(silent);
  free(line);
  free(path);
  return f;
}

/* this process becomes that program: its streams, signals and exit code are those of the command */
int act_reproduce(const request *r)
{
  int n = 0;
  char *path = program();
  const char **word = need(((size_t)r->nword + 8)*sizeof *word);
  word[n++] = path;
  if (given(r, "--json")) word[n++] = "--json";
  for (const option *o = r->verb->options; o->name; o++) {
    if (!o->value || !given(r, o->name)) continue;
    word[n++] = o->name;
    word[n++] = given(r, o->name);
  }
  word[n++] = "--";
  memcpy(word + n, r->word, (size_t)r->nword*sizeof *word);
  execvp(path, (char *const *)word);
  int code = say(REFUSED, "%s, which has the papers, cannot be started: %s; it stands beside the command: `make build` or `make install` "
                 "brings both", path, strerror(errno));
  free(word);
  free(path);
  return code;
}
