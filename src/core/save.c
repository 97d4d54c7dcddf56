/* save.c - checkpoints: framed, with a checksum, appended to one another; a damaged tail costs the tail only.
 * Restart is bitwise on the machine that wrote them: numbers are stored as they are in memory. */
#include "core.h"
#include <errno.h>
#include <string.h>
#include <stdint.h>

enum { VERSION = 1, STATE = 1 };
static const char magic[4] = {'E', 'P', 'I', 'C'};

typedef struct { char magic[4]; uint32_t version, kind, check; uint64_t size; } head;

/* CRC-32 (ISO 3309), bit by bit: a checkpoint is small */
static uint32_t crc(uint32_t c, const void *data, size_t n)
{
  const unsigned char *p = data;
  for (c = ~c; n--; p++) {
    c ^= *p;
    for (int k = 0; k < 8; k++) c = c >> 1 ^ (c & 1 ? 0xEDB88320u : 0);
  }
  return ~c;
}

static uint32_t check_of(const head *h, const void *content)
{
  uint32_t c = crc(0, &h->version, 2*sizeof h->version);
  c = crc(c, &h->size, sizeof h->size);
  return crc(c, content, (size_t)h->size);
}

int epi_frame_write(FILE *o, unsigned kind, const void *content, size_t size)
{
  head h = {.version = VERSION, .kind = kind, .size = size};
  memcpy(h.magic, magic, sizeof magic);
  h.check = check_of(&h, content);
  if (fwrite(&h, sizeof h, 1, o) != 1 || (size && fwrite(content, size, 1, o) != 1)) return EPI_WRONG;
  return fflush(o) ? EPI_WRONG : 0;
}

/* at the end or at damage the file stands where the last whole frame ended; a frame for which memory is short, or that cannot be read, is
   not damaged */
long epi_frame_read(FILE *o, unsigned *kind, void **out)
{
  head h;
  long from = ftell(o), left, none = -1;
  char *content = NULL;
  *out = NULL;
  if (from < 0 || fseek(o, 0, SEEK_END) || (left = ftell(o)) < 0 || fseek(o, from, SEEK_SET)) return -3;
  left -= from + (long)sizeof h;
  if (left < 0 || fread(&h, sizeof h, 1, o) != 1 || memcmp(h.magic, magic, sizeof magic) || h.version != VERSION) goto damaged;
  if (h.size > (uint64_t)left) goto damaged;
  if (!(content = malloc((size_t)h.size + 1))) { none = -2; goto damaged; }
  if (h.size && fread(content, (size_t)h.size, 1, o) != 1) goto damaged;
  if (h.check != check_of(&h, content)) goto damaged;
  content[h.size] = 0;
  *kind = h.kind;
  *out = content;
  return (long)h.size;
damaged:
  free(content);
  return ferror(o) || fseek(o, from, SEEK_SET) ? -3 : none;
}

/* ---- a flow and its state: text, sizes, time, y, impulses, kept memory, counters, what was seen, what was said ---- */
enum { LAYOUT = 3 };
typedef struct { uint64_t version, text, y, impulse, keep, nodes, seen, said; double t, rest, theta; } layout;

static void count_node(epi_flow *f, void *p) { (void)f; ++*(uint64_t *)p; }
typedef struct { int64_t steps, calls, refused, others, slopes, chosen, repeats; double shortest, longest; } counters;
static void counters_out(epi_flow *f, void *p)
{
  char **at = p;
  const counters n = {f->steps, f->calls, f->refused, f->others, f->slopes, f->chosen, f->repeats, f->shortest, f->longest};
  memcpy(*at, &n, sizeof n);
  *at += sizeof n;
}
static void counters_in(epi_flow *f, void *p)
{
  const char **at = p;
  counters n;
  memcpy(&n, *at, sizeof n);
  *at += sizeof n;
  f->steps = (long)n.steps;
  f->calls = (long)n.calls;
  f->refused = (long)n.refused;
  f->others = (long)n.others;
  f->slopes = (long)n.slopes;
  f->chosen = (long)n.chosen;
  f->repeats = (long)n.repeats;
  f->shortest = n.shortest;
  f->longest = n.longest;
}

/* a count that no run can have reached would overflow when it goes on */
static int counters_wrong(const char *at, uint64_t nodes)
{
  const int64_t most = INT64_C(1) << 60;
  for (uint64_t i = 0; i < nodes; i++, at += sizeof(counters)) {
    counters n;
    memcpy(&n, at, sizeof n);
    const int64_t all[] = {n.steps, n.calls, n.refused, n.others, n.slopes, n.chosen, n.repeats};
    for (size_t k = 0; k < sizeof all/sizeof *all; k++) if (all[k] < 0 || all[k] > most) return 1;
    if (!(n.shortest >= 0 && n.longest >= 0 && isfinite(n.shortest) && isfinite(n.longest))) return 1;
  }
  return 0;
}

/* the warning of every node: a mark where it is of cost alone, or has a cause, which is a letter; then the sentence, which may be empty */
enum { OF_COST = '$', OF_RESULT = '-', OF_CAUSE = 'A', CAUSES = EPI_FAST + 1 };
static void add_said(epi_flow *f, void *p) { *(uint64_t *)p += 2 + strlen(f->warning); }
static void said_out(epi_flow *f, void *p)
{
  char **at = p;
  *(*at)++ = f->dear ? OF_COST : f->warning_cause > EPI_OTHER_CAUSE ? (char)(OF_CAUSE + f->warning_cause) : OF_RESULT;
  size_t n = strlen(f->warning) + 1;
  memcpy(*at, f->warning, n);
  *at += n;
}
static void said_in(epi_flow *f, void *p)
{
  const char **at = p;
  const char mark = *(*at)++;
  f->dear = mark == OF_COST;
  f->warning_cause = mark > OF_CAUSE ? (epi_cause)(mark - OF_CAUSE) : EPI_OTHER_CAUSE;
  size_t n = strlen(*at) + 1;
  memcpy(f->warning, *at, n);
  *at += n;
}

static int said_wrong(const char *at, uint64_t size, uint64_t nodes)
{
  const char *end = at + size;
  for (; nodes; nodes--) {
    const char *stop = at < end ? memchr(at, 0, (size_t)(end - at)) : NULL;
    if (!stop || stop == at || stop - at > EPI_SENTENCE_SIZE) return 1;
    if (*at != OF_COST && *at != OF_RESULT && !(*at > OF_CAUSE && *at < OF_CAUSE + CAUSES)) return 1;
    for (const char *c = at + 1; c < stop; c++) if ((unsigned char)*c < ' ' || *c == 127) return 1;
    at = stop + 1;
  }
  return at != end;
}

static layout layout_of(epi_flow *f, const epi_state *s)
{
  layout l = {.version = LAYOUT, .text = epi_text(f, NULL, 0) + 1, .y = (uint64_t)epi_dim(f->sys),
              .impulse = s->impulse ? (uint64_t)f->sys->nc : 0, .seen = (uint64_t)epi_seen_size(f),
              .keep = (uint64_t)epi_keep_size(f), .t = s->t, .rest = s->key.rest, .theta = s->theta};
  epi_visit(f, count_node, &l.nodes);
  epi_visit(f, add_said, &l.said);
  return l;
}

static size_t size_of(const layout *l)
{
  return sizeof *l + (l->y + l->impulse + l->keep + l->seen)*sizeof(double) + l->nodes*sizeof(counters) + l->said + l->text;
}

/* no sum of them wraps: each is less than what there is */
static int fits(const layout *l, const char *content, size_t size)
{
  const uint64_t all[] = {l->text, l->y, l->impulse, l->keep, l->nodes, l->seen, l->said};
  for (size_t i = 0; i < sizeof all/sizeof *all; i++) if (all[i] > size) return 0;
  return size < SIZE_MAX/128 && l->text >= 1 && size == size_of(l) && !content[size - 1];
}

/* where the parts of a content stand */
typedef struct { size_t y, impulse, keep, counters, seen, said, text; } places;
static places places_of(const layout *l)
{
  places p = {.y = sizeof *l};
  p.impulse = p.y + l->y*sizeof(double);
  p.keep = p.impulse + l->impulse*sizeof(double);
  p.counters = p.keep + l->keep*sizeof(double);
  p.seen = p.counters + l->nodes*sizeof(counters);
  p.said = p.seen + l->seen*sizeof(double);
  p.text = p.said + l->said;
  return p;
}

static int no_memory(epi_flow *f) { return epi_fail_cause(f, EPI_WRONG, EPI_MEMORY, "out of memory for the checkpoint"); }

int epi_save(epi_flow *f, const epi_state *s, FILE *o)
{
  if (f->broken) return EPI_WRONG;
  epi_clear_error(f);
  if (!o) return epi_fail_cause(f, EPI_WRONG, EPI_BAD_FILE, "there is no file to save to: it could not be opened");
  layout l = layout_of(f, s);
  places p = places_of(&l);
  size_t size = size_of(&l), numbers = (size_t)(l.keep + l.seen);
  char *content = malloc(size);
  double *kept = malloc((numbers + 1)*sizeof *kept);
  if (!content || !kept) { free(content); free(kept); return no_memory(f); }
  memcpy(content, &l, sizeof l);
  memcpy(content + p.y, s->y, l.y*sizeof(double));
  if (l.impulse) memcpy(content + p.impulse, s->impulse, l.impulse*sizeof(double));
  epi_keep_out(f, kept);
  epi_seen_out(f, kept + l.keep);
  memcpy(content + p.keep, kept, l.keep*sizeof *kept);
  memcpy(content + p.seen, kept + l.keep, l.seen*sizeof *kept);
  epi_repeats(f, s, 1);
  epi_visit(f, counters_out, &(char *){content + p.counters});
  epi_repeats(f, s, -1);
  epi_visit(f, said_out, &(char *){content + p.said});
  epi_text(f, content + p.text, (size_t)l.text);
  int bad = epi_frame_write(o, STATE, content, size);
  if (bad)
    epi_fail_cause(f, bad, EPI_BAD_FILE, "the checkpoint could not be written (%s): choose another file, or free some space",
                   strerror(errno));
  free(kept);
  free(content);
  return bad;
}

/* ---- going on from one ---- */
static int all_finite(const double *x, uint64_t n)
{
  double sum = 0;
  for (uint64_t i = 0; i < n; i++) sum += 0*x[i];
  return sum == 0;
}

static int has_nan(const double *x, long n)
{
  for (long i = 0; i < n; i++) if (isnan(x[i])) return 1;
  return 0;
}

/* of the nodes that move the state */
static int unsound_movers(const epi_flow *f, const epi_state *s)
{
  int bad = f->unsound ? f->unsound(f, s) : has_nan(f->keep, f->nkeep);
  for (int i = 0; i < f->nkid && !bad; i++) bad = unsound_movers(f->kid[i], s);
  return bad;
}

/* of the averages whose slow systems they move; micro flows begin each window anew */
static int unsound_averages(const epi_flow *, const epi_state *);
static int unsound_system(const epi_system *m, const epi_state *s)
{
  const epi_derived_system *d = m ? m->derived : NULL;
  const epi_flow *a = d ? d->inner : NULL;
  int bad = a && ((a->unsound && a->unsound(a, s)) || unsound_averages(a, s));
  for (int i = 0; d && i < 2 && !bad; i++) bad = unsound_system(d->part[i], s);
  return bad;
}

static int unsound_averages(const epi_flow *f, const epi_state *s)
{
  int bad = unsound_system(f->other, s);
  for (int i = 0; i < f->nkid && !bad; i++) bad = unsound_averages(f->kid[i], s);
  return bad || f->nkid ? bad : unsound_system(f->sys, s);
}

static int unsound(const epi_flow *f, const epi_state *s) { return unsound_movers(f, s) || unsound_averages(f, s); }

int epi_unsound_at(epi_flow *f, const double *kept, const epi_state *s, double *room)
{
  epi_keep_out(f, room);
  epi_keep_in(f, kept);
  int bad = unsound(f, s);
  epi_keep_in(f, room);
  return bad;
}

/* what a flow remembers, tried: it has the old again where the new is refused. Two of each: keep, seen */
static int remember(epi_flow *f, const epi_state *s, const layout *l, double *fresh, double *old)
{
  epi_keep_out(f, old);
  epi_seen_out(f, old + l->keep);
  epi_keep_in(f, fresh);
  if (!epi_seen_in(f, fresh + l->keep) && !unsound(f, s)) return 0;
  epi_keep_in(f, old);
  epi_seen_in(f, old + l->keep);
  return -1;
}

static int damaged(epi_flow *f, const char *what)
{
  return epi_fail_cause(f, EPI_WRONG, EPI_BAD_FILE, "the checkpoint is damaged: %s is not what a run can have left there; take an earlier "
                        "one, or run again", what);
}

static int take_numbers(epi_flow *f, epi_state *s, const layout *l, const char *content, double *room)
{
  places p = places_of(l);
  double *fresh = room, *old = fresh + l->keep + l->seen, *y = old + l->keep + l->seen;
  memcpy(fresh, content + p.keep, l->keep*sizeof *room);
  memcpy(fresh + l->keep, content + p.seen, l->seen*sizeof *room);
  memcpy(y, content + p.y, l->y*sizeof *room);
  if (!isfinite(l->t) || !isfinite(l->rest) || !isfinite(l->theta)) return damaged(f, "the time");
  if (!all_finite(y, l->y)) return damaged(f, "the state");
  if (counters_wrong(content + p.counters, l->nodes)) return damaged(f, "a counter");
  if (said_wrong(content + p.said, l->said, l->nodes)) return damaged(f, "a warning");
  epi_state at = {.t = l->t, .theta = l->theta, .y = y, .key = {.rest = l->rest}};
  if (remember(f, &at, l, fresh, old)) return damaged(f, "the memory of the flow");
  s->t = l->t;
  s->key.rest = l->rest;
  s->theta = l->theta;
  memcpy(s->y, y, l->y*sizeof *y);
  if (l->impulse && s->impulse) memcpy(s->impulse, content + p.impulse, l->impulse*sizeof(double));
  epi_visit(f, counters_in, &(const char *){content + p.counters});
  epi_visit(f, said_in, &(const char *){content + p.said});
  epi_cache_invalidate(s);
  return 0;
}

static int take(epi_flow *f, epi_state *s, const char *content, size_t size)
{
  layout l, mine = layout_of(f, s);
  if (size < sizeof l) return epi_fail_cause(f, EPI_WRONG, EPI_BAD_FILE, "this is not the checkpoint of a flow");
  memcpy(&l, content, sizeof l);
  if (l.version != LAYOUT || !fits(&l, content, size))
    return epi_fail_cause(f, EPI_WRONG, EPI_BAD_FILE, "this is not the checkpoint of a flow of this version: run again, or resume with the "
                          "version that wrote it");
  /* nothing is changed before all is at hand, and found good */
  double *room = malloc((2*(size_t)(mine.keep + mine.seen) + (size_t)mine.y)*sizeof *room + (size_t)mine.text);
  if (!room) return no_memory(f);
  char *own = (char *)(room + 2*(mine.keep + mine.seen) + mine.y);
  const char *text = content + places_of(&l).text;
  epi_text(f, own, (size_t)mine.text);
  int same = l.text == mine.text && !memcmp(own, text, (size_t)l.text) && l.y == mine.y && l.keep == mine.keep && l.nodes == mine.nodes
    && l.seen == mine.seen && (!l.impulse || l.impulse == (uint64_t)f->sys->nc);
  int bad = same ? take_numbers(f, s, &l, content, room)
    : epi_fail_cause(f, EPI_WRONG, EPI_BAD_FILE, "the checkpoint is of another flow, %.120s with %llu numbers and %llu impulses: make that "
                     "one to go on", text, (unsigned long long)l.y, (unsigned long long)l.impulse);
  free(room);
  return bad;
}

int epi_load(epi_flow *f, epi_state *s, FILE *o)
{
  void *content, *last = NULL;
  unsigned kind;
  long n, size = 0;
  if (f->broken) return EPI_WRONG;
  epi_clear_error(f);
  if (!o) return epi_fail_cause(f, EPI_WRONG, EPI_BAD_FILE, "there is no file to load from: it could not be opened");
  while ((n = epi_frame_read(o, &kind, &content)) >= 0) {
    if (kind != STATE) { free(content); continue; }
    free(last);
    last = content;
    size = n;
  }
  if (n < -1) {
    free(last);
    return n == -2 ? no_memory(f) : epi_fail_cause(f, EPI_WRONG, EPI_BAD_FILE, "the checkpoint cannot be read: %s; try again",
                                                   strerror(errno));
  }
  if (!last)
    return epi_fail_cause(f, EPI_WRONG, EPI_BAD_FILE, "there is no whole checkpoint in this file: it is empty, damaged or of another kind");
  int bad = take(f, s, last, (size_t)size);
  free(last);
  return bad;
}
