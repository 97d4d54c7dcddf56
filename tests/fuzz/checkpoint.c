/* holds: a changed checkpoint of a flow is refused with nothing moved, or loaded and moved
 * checkpoint.c - the checkpoint of a flow, changed and given a right checksum again: refused, and then nothing has moved, or loaded, and
   then it moves. The bytes are changes: what is changed, where, and to what */
#include "fuzz.h"
#include "../problems.h"

static const struct { const char *text; epi_system sys; int impulses; } flows[] = {
  {"verlet", {.nq = 2, .nc = 1, .force = weight, .constraint = rod}, 1},
  {"herk3", {.nq = 2, .nc = 1, .force = weight, .constraint = rod}, 1},
  {"tolerance(dopri5, rtol=1e-6)", {.nq = 2, .force = shaken_force, .velocity_force = quadratic_drag}, 0},
  {"watch(at(substeps(verlet, 3), of=0), every=0.02)", {.nq = 2, .force = henon_force}, 0},
  {"density(verlet, eps=0.05)", {.nq = 2, .force = henon_force, .energies.objective = henon_objective}, 0},
  {"rk4(strobe(substeps(verlet, 8), order=4))", {.nq = 2, .force = shaken_force, .phase.period = 0.01}, 0},
  {"project(rk4(hmm(verlet, start=current, steps=8)))", {.nq = 2, .force = shaken_force, .phase.period = 0.01}, 0},
  {"dense(gauss)", {.nz = 2, .rate = volterra}, 0},
  {"scaled(verlet, eps=0.05)", {.nq = 2, .force = henon_force, .energies.potential = henon_potential}, 0},
};
enum { FLOWS = sizeof flows/sizeof *flows, ROOM = 1 << 16 };

typedef struct start { double y[4], impulse[1]; } start;
static epi_state state_of(start *m, int which)
{
  *m = (start){{0}, {0}};
  memcpy(m->y, henon_start, sizeof m->y);
  if (flows[which].impulses) memcpy(m->y, (double[]){1, 0, 0, 0.3}, sizeof m->y);
  if (flows[which].sys.nz) memcpy(m->y, volterra_start, sizeof volterra_start);
  return (epi_state){.y = m->y, .impulse = flows[which].impulses ? m->impulse : NULL};
}

/* the content of a frame after two steps */
static long content_of(int which, unsigned char *out)
{
  start m;
  epi_state s = state_of(&m, which);
  epi_system sys = flows[which].sys;
  epi_flow *f = epi_make(flows[which].text, &sys);
  FILE *o = tmpfile();
  void *content = NULL;
  unsigned kind;
  if (!o) abort();
  hold(!epi_error(f) && !epi_advance(f, &s, 0.05, 2) && !epi_save(f, &s, o));
  rewind(o);
  long n = epi_frame_read(o, &kind, &content);
  hold(n > 0 && n < ROOM);
  memcpy(out, content, (size_t)n);
  free(content);
  fclose(o);
  epi_free(f);
  return n;
}

static void put(unsigned char *at, uint64_t x) { memcpy(at, &x, sizeof x); }
static uint64_t eight(bytes *b) { uint64_t x = 0; for (int i = 0; i < 8; i++) x |= (uint64_t)byte_of(b) << 8*i; return x; }

static long change(bytes *b, unsigned char *c, long n)
{
  unsigned what = byte_of(b), at = byte_of(b) | (what & 0x80 ? byte_of(b) << 8 : 0);
  uint64_t old = 0;
  if (n < 8) return n;
  long place = 8*((long)at % (n/8)), more;
  memcpy(&old, c + place, sizeof old);
  switch (what % 7) {
  case 0: put(c + place, eight(b)); break;
  case 1: put(c + place, old + (uint64_t)(int64_t)(int8_t)byte_of(b)); break;
  case 2: put(c + place, old ^ (uint64_t)1 << byte_of(b) % 64); break;
  case 3: return (long)(at % (unsigned)n);
  case 4: if (n + 8*(long)(at % 32 + 1) < ROOM) { memset(c + n, (int)byte_of(b), 8*(at % 32 + 1)); n += 8*(long)(at % 32 + 1); } break;
  /* a number of things, and as many of them */
  case 5:
    more = (int8_t)byte_of(b)/8;
    put(c + place, old + (uint64_t)more);
    place = 8*((long)byte_of(b) % (n/8));
    if (n + 8*more < place + 8 || n + 8*more >= ROOM) break;
    memmove(c + place + (more > 0 ? 8*more : 0), c + place - (more < 0 ? 8*more : 0), (size_t)(n - place - (more < 0 ? -8*more : 0)));
    return n + 8*more;
  default: {
    static const double strange[] = {NAN, INFINITY, -INFINITY, 1e300, -1e300, 0, -1, 5e-324, 1e17};
    double x = strange[byte_of(b) % (sizeof strange/sizeof *strange)];
    memcpy(c + place, &x, sizeof x);
  }
  }
  return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static unsigned char base[FLOWS][ROOM], c[ROOM];
  static long length[FLOWS];
  bytes b = {data, data + size};
  int which = (int)(byte_of(&b) % FLOWS);
  if (!length[which]) length[which] = content_of(which, base[which]);
  long n = length[which];
  memcpy(c, base[which], (size_t)n);
  while (b.at < b.end) n = change(&b, c, n);
  FILE *o = tmpfile();
  if (!o) abort();
  hold(!epi_frame_write(o, 1, c, (size_t)n));
  rewind(o);
  start *m = malloc(sizeof *m), before;
  double *impulse = malloc(sizeof *impulse);
  if (!m || !impulse) abort();
  epi_state s = state_of(m, which);
  *impulse = 0;
  if (s.impulse) s.impulse = impulse;
  before = *m;
  epi_system sys = flows[which].sys;
  epi_flow *f = epi_make(flows[which].text, &sys);
  if (epi_load(f, &s, o)) hold(epi_error(f) && !memcmp(m, &before, sizeof before) && s.t == 0);
  else {
    int code = fuzz_advance(f, &s, 0.05, 3);
    hold(!code || code == EPI_STOPPED || epi_error(f));
  }
  epi_free(f);
  fclose(o);
  free(m);
  free(impulse);
  return 0;
}
