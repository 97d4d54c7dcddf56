/* save.c - checkpoints: framed, with a checksum, appended to one another; a damaged tail costs the tail only.
 * Restart is bitwise on the machine that wrote them: numbers are stored as they are in memory. */
#include "core.h"
#include <errno.h>
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

/* at the end or at damage the file stands where the last whole frame ended; a frame for which memory is short is not damaged */
long epi_frame_read(FILE *o, unsigned *kind, void **out)
{
  head h;
  long from = ftell(o), left, none = -1;
  char *content = NULL;
  *out = NULL;
  if (from < 0 || fseek(o, 0, SEEK_END)) return -1;
  left = ftell(o) - from - (long)sizeof h;
  if (fseek(o, from, SEEK_SET)) return -1;
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
  fseek(o, from, SEEK_SET);
  return none;
}

/* ---- a flow and its state: text, sizes, time, y, impulses, kept memory, counters ---- */
enum { LAYOUT = 2 };
typedef struct { uint64_t version, text, y, impulse, keep, nodes; double t, rest, theta; } layout;

static void count_node(epi_flow *f, void *p) { (void)f; ++*(uint64_t *)p; }
typedef struct { int64_t steps, calls, refused, others, slopes, chosen; double shortest, longest; } counters;
static void counters_out(epi_flow *f, void *p)
{
  char **at = p;
  const counters n = {f->steps, f->calls, f->refused, f->others, f->slopes, f->chosen, f->shortest, f->longest};
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
  f->shortest = n.shortest;
  f->longest = n.longest;
}

static layout layout_of(epi_flow *f, const epi_state *s)
{
  layout l = {.version = LAYOUT, .text = epi_text(f, NULL, 0) + 1, .y = (uint64_t)epi_dim(f->sys),
              .impulse = s->impulse ? (uint64_t)f->sys->nc : 0,
              .keep = (uint64_t)epi_keep_size(f), .t = s->t, .rest = s->key.rest, .theta = s->theta};
  epi_visit(f, count_node, &l.nodes);
  return l;
}

static size_t size_of(const layout *l)
{
  return sizeof *l + (l->y + l->impulse + l->keep)*sizeof(double) + l->nodes*sizeof(counters) + l->text;
}

int epi_save(epi_flow *f, const epi_state *s, FILE *o)
{
  if (f->broken) return EPI_WRONG;
  epi_clear_error(f);
  if (!o) return epi_fail(f, EPI_WRONG, "there is no file to save to: it could not be opened");
  layout l = layout_of(f, s);
  size_t size = size_of(&l);
  char *content = malloc(size), *at = content;
  if (!content) return epi_fail(f, EPI_WRONG, "out of memory for the checkpoint");
  memcpy(at, &l, sizeof l);
  at += sizeof l;
  memcpy(at, s->y, l.y*sizeof(double));
  at += l.y*sizeof(double);
  if (l.impulse) memcpy(at, s->impulse, l.impulse*sizeof(double));
  at += l.impulse*sizeof(double);
  double *keep = malloc((size_t)l.keep*sizeof *keep + 1);
  if (!keep) { free(content); return epi_fail(f, EPI_WRONG, "out of memory for the checkpoint"); }
  epi_keep_out(f, keep);
  memcpy(at, keep, l.keep*sizeof *keep);
  free(keep);
  at += l.keep*sizeof(double);
  epi_visit(f, counters_out, &at);
  epi_text(f, at, (size_t)l.text);
  int bad = epi_frame_write(o, STATE, content, size);
  if (bad) epi_fail(f, bad, "the checkpoint could not be written (%s): choose another file, or free some space", strerror(errno));
  free(content);
  return bad;
}

static int take(epi_flow *f, epi_state *s, const char *content, size_t size)
{
  layout l, mine = layout_of(f, s);
  if (size < sizeof l) return epi_fail(f, EPI_WRONG, "this is not the checkpoint of a flow");
  memcpy(&l, content, sizeof l);
  if (l.version != LAYOUT || size != size_of(&l) || l.text < 1)
    return epi_fail(f, EPI_WRONG,
                    "this is not the checkpoint of a flow of this version: run again, or resume with the version that wrote it");
  const char *at = content + sizeof l, *text = content + size - l.text;
  /* nothing is changed before all is at hand: what was kept, on its boundary, then this flow's own text */
  double *keep = malloc((size_t)mine.keep*sizeof *keep + (size_t)mine.text);
  if (!keep) return epi_fail(f, EPI_WRONG, "out of memory for the checkpoint");
  char *own = (char *)(keep + mine.keep);
  epi_text(f, own, (size_t)mine.text);
  int same = l.text == mine.text && !memcmp(own, text, (size_t)l.text) && l.y == mine.y && l.keep == mine.keep && l.nodes == mine.nodes;
  if (!same) {
    free(keep);
    return epi_fail(f, EPI_WRONG, "the checkpoint is of another flow, %.120s with %d numbers: make that one to go on", text, (int)l.y);
  }
  s->t = l.t;
  s->key.rest = l.rest;
  s->theta = l.theta;
  memcpy(s->y, at, l.y*sizeof(double));
  at += l.y*sizeof(double);
  if (l.impulse && s->impulse) memcpy(s->impulse, at, l.impulse*sizeof(double));
  at += l.impulse*sizeof(double);
  memcpy(keep, at, l.keep*sizeof *keep);
  epi_keep_in(f, keep);
  free(keep);
  at += l.keep*sizeof(double);
  epi_visit(f, counters_in, &at);
  epi_cache_invalidate(s);
  return 0;
}

int epi_load(epi_flow *f, epi_state *s, FILE *o)
{
  void *content, *last = NULL;
  unsigned kind;
  long n, size = 0;
  if (f->broken) return EPI_WRONG;
  epi_clear_error(f);
  if (!o) return epi_fail(f, EPI_WRONG, "there is no file to load from: it could not be opened");
  while ((n = epi_frame_read(o, &kind, &content)) >= 0) {
    if (kind != STATE) { free(content); continue; }
    free(last);
    last = content;
    size = n;
  }
  if (n == -2) { free(last); return epi_fail(f, EPI_WRONG, "out of memory for the checkpoint"); }
  if (!last) return epi_fail(f, EPI_WRONG, "there is no whole checkpoint in this file: it is empty, damaged or of another kind");
  int bad = take(f, s, last, (size_t)size);
  free(last);
  return bad;
}
