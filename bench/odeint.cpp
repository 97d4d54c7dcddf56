// odeint.cpp - Boost.odeint with the sizes known to the compiler, as its users write it
#include "bench.h"
#include <array>
#include <boost/numeric/odeint/stepper/runge_kutta4.hpp>
#include <boost/numeric/odeint/stepper/velocity_verlet.hpp>
#include <boost/version.hpp>
#include <utility>

#define BOOST "Boost " BOOST_LIB_VERSION

namespace {

template <int n> int verlet(epi_system *s, double *y, double h, long steps)
{
  using vec = std::array<double, n>;
  std::pair<vec, vec> x;
  int bad = 0;
  for (int i = 0; i < n; i++) x.first[i] = y[i], x.second[i] = y[n + i];
  auto force = [s, &bad](const vec &q, const vec &, vec &a, double t) { bad |= s->force(s, t, q.data(), a.data()); };
  boost::numeric::odeint::velocity_verlet<vec> stepper;
  for (long k = 0; k < steps; k++) stepper.do_step(force, x, k*h, h);
  for (int i = 0; i < n; i++) y[i] = x.first[i], y[n + i] = x.second[i];
  return bad;
}

template <int n> int rk4(epi_system *s, double *y, double h, long steps)
{
  using vec = std::array<double, 2*n>;
  vec x;
  int bad = 0;
  for (int i = 0; i < 2*n; i++) x[i] = y[i];
  auto rate = [s, &bad](const vec &z, vec &dz, double t) {
    for (int i = 0; i < n; i++) dz[i] = z[n + i];
    bad |= s->force(s, t, z.data(), dz.data() + n);
  };
  boost::numeric::odeint::runge_kutta4<vec> stepper;
  for (long k = 0; k < steps; k++) stepper.do_step(rate, x, k*h, h);
  for (int i = 0; i < 2*n; i++) y[i] = x[i];
  return bad;
}

int go_verlet(void *self, double *y, double h, long n)
{
  auto *s = static_cast<epi_system *>(self);
  switch (s->nq) {
    case 1: return verlet<1>(s, y, h, n);
    case 2: return verlet<2>(s, y, h, n);
    case 8: return verlet<8>(s, y, h, n);
    case 100: return verlet<100>(s, y, h, n);
    default: return 1;
  }
}

int go_rk4(void *self, double *y, double h, long n)
{
  auto *s = static_cast<epi_system *>(self);
  switch (s->nq) {
    case 1: return rk4<1>(s, y, h, n);
    case 2: return rk4<2>(s, y, h, n);
    case 8: return rk4<8>(s, y, h, n);
    case 100: return rk4<100>(s, y, h, n);
    default: return 1;
  }
}

void *start(epi_system *s) { return s; }
void stop(void *) {}

}  // namespace

extern "C" {
extern const bench_driver bench_odeint_verlet = {BOOST " odeint velocity_verlet", 2, 1, start, go_verlet, stop, nullptr};
extern const bench_driver bench_odeint_rk4 = {BOOST " odeint runge_kutta4", 4, 1, start, go_rk4, stop, nullptr};
}
