/* index.c - bodies and actions by name: a hash table of numbers, so that a thousand names cost a thousand looks */
#include "parts.h"

/* Fowler, Noll and Vo */
static unsigned hash(const char *name)
{
  unsigned h = 2166136261u;
  for (; *name; name++) h = (h ^ (unsigned char)*name)*16777619u;
  return h;
}

/* where the name is, or the empty place where it would be; in a table that has one */
static int place(const epi_index *x, const epi_world *w, epi_name_of *of, const char *name)
{
  int mask = x->room - 1, i = (int)(hash(name) & (unsigned)mask);
  while (x->entry[i] && strcmp(of(w, x->entry[i] - 1), name)) i = (i + 1) & mask;
  return i;
}

int epi_index_find(const epi_index *x, const epi_world *w, epi_name_of *of, const char *name)
{
  return x->room && name ? x->entry[place(x, w, of, name)] - 1 : -1;
}

static int enlarge(epi_index *x, const epi_world *w, epi_name_of *of)
{
  epi_index big = {.room = x->room ? 2*x->room : 16, .n = x->n};
  big.entry = calloc((size_t)big.room, sizeof *big.entry);
  if (!big.entry) return -1;
  for (int i = 0; i < x->room; i++) if (x->entry[i]) big.entry[place(&big, w, of, of(w, x->entry[i] - 1))] = x->entry[i];
  free(x->entry);
  *x = big;
  return 0;
}

int epi_index_add(epi_index *x, const epi_world *w, epi_name_of *of, int number)
{
  if (2*(x->n + 1) > x->room && enlarge(x, w, of)) return -1;
  int *entry = &x->entry[place(x, w, of, of(w, number))];
  if (*entry) return 0;
  *entry = 1 + number;
  x->n++;
  return 0;
}

const char *epi_body_name(const epi_world *w, int body) { return w->body[body].name; }
const char *epi_action_name(const epi_world *w, int number)
{
  int i = w->number[number];
  if (i <= EPI_COUPLING_NUMBER) return w->coupling[EPI_COUPLING_NUMBER - i].name;
  return i < 0 ? w->joint[-1 - i].name : w->pair[i].name;
}

int epi_joint_numbered(const epi_world *w, int number)
{
  if (number < 0 || number >= w->numbers) return -1;
  int i = w->number[number];
  return i < 0 && i > EPI_COUPLING_NUMBER ? -1 - i : -1;
}

int epi_world_body_named(const epi_world *w, const char *name) { return epi_index_find(&w->body_names, w, epi_body_name, name); }
int epi_world_action_named(const epi_world *w, const char *name) { return epi_index_find(&w->action_names, w, epi_action_name, name); }
