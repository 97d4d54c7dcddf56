/* holds: forces and motion of rollers made of + - * / and sqrt have the same bits on every machine
 * roller-bits.c - rollers in a sphere and in a groove, in numbers that no libm has touched: their forces, by-products and motion have the
 * same bits on every machine */
#include "test.h"
#include "epicycle.h"
#include "epicycle/body.h"

enum { RINGS = 2, COUNT = 3, SIZE = 13*(RINGS + COUNT) };

/* Fowler, Noll and Vo */
static unsigned long long hash(const void *data, size_t size)
{
  const unsigned char *x = data;
  unsigned long long h = 14695981039346656037ULL;
  for (size_t i = 0; i < size; i++) h = (h ^ x[i])*1099511628211ULL;
  return h;
}

/* three rollers, leant and turned a little otherwise each, between a sphere and a groove, in a pocket of the second ring */
static epi_world *build(int slices)
{
  static const double at[COUNT][3] = {{0.030235, 0, 0.0056}, {0.0213, 0.021463, 0.00562}, {-0.0302, 0.0015, 0.0056}};
  static const double q[COUNT][4] = {{0.9957, 0.001, -0.0914, 0.0008}, {0.9201, 0.0347, -0.0845, 0.3811}, {0.0502, 0.0913, 0.0051, 0.9945}};
  double own[2] = {0.0348, 0.0081}, place = 0.0035;
  epi_world *w = epi_world_make();
  epi_add_gravity(w, (double[]){0, -9.81, 0});
  epi_add_body(w, &(epi_body){.name = "outer", .mass = 0.22, .inertia = {1.65e-4, 1.65e-4, 3.1e-4}});
  epi_add_body(w, &(epi_body){.name = "inner", .mass = 0.148, .inertia = {4.6e-5, 4.6e-5, 7.9e-5}, .at = {1e-6, -2e-6, 3e-7},
                              .spin = {0.1, 0.2, 314}});
  for (int k = 0; k < COUNT; k++) {
    epi_add_body(w, &(epi_body){.mass = 0.0047, .inertia = {5.46e-8, 5.46e-8, 5.08e-8}, .at = {at[k][0], at[k][1], at[k][2]},
                                .attitude = {q[k][0], q[k][1], q[k][2], q[k][3]}, .velocity = {0.1, 4 - k, 0.02}, .spin = {3, 25, -840}});
    epi_contact c = {.shape = EPI_ROLLER_GROOVE, .a = RINGS + k, .b = 0, .radius = 0.00475, .other = 0.03549, .own = own,
                     .law = {.K = 1.1e9, .chi = 0.25, .mu = 0.05, .vs = 0.1, .slices = slices}};
    epi_add_contact(w, &c);
    c.b = 1, c.other = 0.0355, c.circle = 0.06046, c.at[2] = 0.0112;
    epi_add_contact(w, &c);
    epi_add_contact(w, &(epi_contact){.shape = EPI_DISC_IN_SLOT, .a = RINGS + k, .b = 1, .radius = 0.0045, .clearance = 1e-6, .own = &place,
                                      .at = {at[k][0], at[k][1], at[k][2]}, .normal = {-at[k][1], at[k][0], 0},
                                      .law = {.K = 1e9, .chi = 2, .mu = 0.1, .vs = 0.1}});
  }
  return w;
}

static void same(int slices, const unsigned long long want[3])
{
  epi_world *w = build(slices);
  if (epi_world_error(w)) test_stop(epi_world_error(w));
  epi_system *m = epi_world_names(w)[1].system;
  epi_state s = epi_world_state(w);
  double f[6*(RINGS + COUNT)], most = 0;
  epi_link *link = calloc((size_t)m->contacts.links, sizeof *link);
  check_count(epi_size(m), SIZE);
  check_count(m->contacts.linked_force(m, 0, s.y, s.y + m->nq, f, link), 0);
  for (int i = 0; i < m->nv; i++) most = fmax(most, fabs(f[i]));
  unsigned long long got[3] = {hash(f, sizeof f), hash(link, (size_t)m->contacts.links*sizeof *link), 0};
  epi_flow *flow = epi_world_flow(w, "semi(model.contacts, model.stiff, ahead=1)");
  if (epi_advance(flow, &s, 2.5e-7, 200)) test_stop(epi_error(flow));
  got[2] = hash(s.y, SIZE*sizeof *s.y);
  printf("%d slices: at most %.4g N, {0x%llx, 0x%llx, 0x%llx}\n", slices, most, got[0], got[1], got[2]);
  check_above(most, 100);
  for (int k = 0; k < 3; k++) check(got[k] == want[k]);
  free(link);
  epi_free(flow);
  epi_world_free(w);
}

int main(void)
{
  same(30, (const unsigned long long[]){0xae880bbad2411478, 0x177cca91856a7e46, 0xfd127dba343fa641});
  same(7, (const unsigned long long[]){0xb94c056300de9bc8, 0x6f5a5e1da6eb140c, 0x2d033f1c450243c5});
  return test_done();
}
