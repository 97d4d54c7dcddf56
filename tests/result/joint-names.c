/* holds: constraint errors name the joint and the constrained component */
#include "cases.h"
#include "epicycle/file.h"

/* a file of tests/cases/benchmarks with a joint that holds something else; how its first seconds end */
static int ends(const char *name, const char *was, const char *is, double end, double *y, char *words, size_t size)
{
  char path[300], text[4000] = "", changed[4100];
  snprintf(path, sizeof path, "%s/tests/cases/benchmarks/%s.yaml", TEST_SOURCE, name);
  FILE *in = fopen(path, "r");
  size_t n = in ? fread(text, 1, sizeof text - 1, in) : 0;
  if (!n || n == sizeof text - 1) test_stop(path);
  fclose(in);
  char *at = was ? strstr(text, was) : NULL;
  if (was && !at) test_stop(was);
  if (at) snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, is, at + strlen(was));
  else snprintf(changed, sizeof changed, "%s", text);
  epi_file *file = epi_file_read_text(changed, strlen(changed), path);
  if (epi_file_sentences(file)) test_stop(epi_file_sentence(file, 0)->text);
  epi_case *c = epi_file_case(file, 0);
  epi_flow *f = epi_file_flow(file, 0, c);
  epi_state s = epi_case_state(c);
  int bad = epi_run(f, &s, end, c->step);
  snprintf(words, size, "%s", epi_error(f) ? epi_error(f) : "");
  for (int i = 0; i < 35 && y; i++) y[i] = s.y[i];
  epi_free(f);
  epi_case_free(c);
  epi_file_free(file);
  return bad;
}

/* a loop of six hinges holds one turn too many: it moves as it does without that one, or any other */
static void loops(void)
{
  char words[320];
  double one[35], other[35], all[35];
  check_count(ends("bricard", NULL, NULL, 1, all, words, sizeof words), 0);
  check_count(ends("bricard", "P0, a: rod1, hold: hinge", "P0, a: rod1, hold: [x, y, z, ry]", 1, one, words, sizeof words), 0);
  check_count(ends("bricard-29", NULL, NULL, 1, other, words, sizeof words), 0);
  check_array(35, one, other, 1e-9);
  check_array(35, all, other, 1e-9);
  /* where another was dropped that is needed later, the joints lose a direction: no force is too strong there */
  check(ends("bricard-y", NULL, NULL, 10, NULL, words, sizeof words) < 0);
  check_has(words, "that the joint P5 holds between rod5 and the ground is all but redundant at t = 1.2");
  check(!strstr(words, "velocity force"));
}

/* ---- joints of a program ---- */
static int flat(const epi_joint *j, double t, const epi_pose *a, const epi_pose *b, epi_joint_rows *out)
{
  (void)j, (void)t, (void)b;
  out->g[0] = a->r[2]*a->r[2];
  out->G[0][2] = 2*a->r[2];
  return 0;
}
static const epi_joint_kind nothing = {.name = "nothing", .rows = 1, .eval = flat};

static void said(epi_joint first, epi_joint second, double high, double fast, const char *words)
{
  epi_world *w = epi_world_make();
  int a = epi_add_body(w, &(epi_body){.name = "bob", .mass = 1, .inertia = {1, 1, 1}, .at = {0, 0, high}, .velocity = {0, 0, fast}});
  epi_joint *both[] = {&first, &second};
  for (int i = 0; i < 2; i++) {
    both[i]->a = a, both[i]->b = EPI_GROUND, both[i]->as = EPI_CONSTRAINT;
    if (both[i]->hold || both[i]->kind) epi_add_joint(w, both[i]);
  }
  epi_add_gravity(w, (double[]){1, 0, -9.81});
  epi_flow *f = epi_world_flow(w, "verlet");
  epi_state s = epi_world_state(w);
  check(epi_advance(f, &s, 1e-3, 1) < 0);
  check_has(epi_error(f) ? epi_error(f) : "nothing", words);
  epi_free(f);
  epi_world_free(w);
}

static void worlds(void)
{
  epi_joint slide = {.name = "rail", .hold = EPI_Y | EPI_Z}, none = {0};
  said((epi_joint){.name = "own", .kind = &nothing}, none, 0, 0,
       "what the joint own holds between bob and the ground holds nothing at t = 0");
  said(slide, none, 0.01, 0, "the start misses z of [y, z] that the joint rail holds between bob and the ground by a distance of 0.01");
  said(slide, none, 0, 0.5, "the start leaves z of [y, z] that the joint rail holds between bob and the ground with a speed of 0.5");
}

/* ---- a system of a program: by its number, or by the name it gives ---- */
static int fall(epi_system *s, double t, const double *q, double *f) { (void)s, (void)t, (void)q; f[0] = 0; f[1] = -1; return 0; }
static int lines(epi_system *s, double t, const double *q, double *g, double *G, double *gt)
{
  (void)s, (void)t, (void)gt;
  for (int k = 0; k < 2; k++) { g[k] = q[k]*q[k]; G[2*k] = 2*q[0]*(k == 0); G[2*k + 1] = 2*q[1]*(k == 1); }
  return 0;
}
static void named(epi_system *s, int c, char *out, size_t size) { (void)s; snprintf(out, size, "line %c", 'A' + c); }

static void systems(void)
{
  epi_system s = {.nq = 2, .nc = 2, .force = fall, .constraint = lines};
  for (int i = 0; i < 2; i++) {
    double y[4] = {0};
    epi_state x = {.y = y};
    s.constraints.constraint_name = i ? named : NULL;
    epi_flow *f = epi_make("verlet", &s);
    check(epi_advance(f, &x, 0.1, 1) < 0);
    check_has(epi_error(f), i ? "line A holds nothing" : "constraint 0 holds nothing");
    epi_free(f);
  }
}

int main(void)
{
  loops();
  worlds();
  systems();
  return test_done();
}
