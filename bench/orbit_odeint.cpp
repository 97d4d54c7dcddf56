// orbit_odeint.cpp - controlled steppers of Boost.odeint with size and force known to the compiler, as its users write them
#include "orbit.h"
#include <array>
#include <boost/numeric/odeint/integrate/integrate_adaptive.hpp>
#include <boost/numeric/odeint/stepper/bulirsch_stoer.hpp>
#include <boost/numeric/odeint/stepper/controlled_runge_kutta.hpp>
#include <boost/numeric/odeint/stepper/generation.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_fehlberg78.hpp>
#include <boost/version.hpp>
#include <exception>

#define BOOST "Boost " BOOST_LIB_VERSION
namespace odeint = boost::numeric::odeint;

namespace {

using vec = std::array<double, 4>;

// timed runs do not count
struct plain { void operator()(const vec &y, vec &dy, double) const { orbit_rate(y.data(), dy.data()); } };
struct counted {
  long *calls;
  void operator()(const vec &y, vec &dy, double) const { orbit_rate(y.data(), dy.data()); ++*calls; }
};

template <class stepper, class rate> int go(stepper how, rate what, double *t, double *y)
{
  vec x = {y[0], y[1], y[2], y[3]};
  try {
    odeint::integrate_adaptive(how, what, x, 0.0, ORBIT_END, 1e-3);
  } catch (const std::exception &) {
    return 1;
  }
  *t = ORBIT_END;
  for (int i = 0; i < 4; i++) y[i] = x[i];
  return 0;
}

template <class stepper> int run(stepper how, double *t, double *y, long *calls)
{
  if (!calls) return go(how, plain(), t, y);
  *calls = 0;
  return go(how, counted{calls}, t, y);
}

int fehlberg78(double tol, double *t, double *y, long *calls)
{
  return run(odeint::make_controlled<odeint::runge_kutta_fehlberg78<vec>>(tol, tol), t, y, calls);
}

int bulirsch_stoer(double tol, double *t, double *y, long *calls) { return run(odeint::bulirsch_stoer<vec>(tol, tol), t, y, calls); }

}  // namespace

extern "C" {
extern const orbit_code orbit_fehlberg78 = {BOOST " odeint fehlberg78", 1e-9, 1e-16, 0.56234132519034907, fehlberg78};
extern const orbit_code orbit_bulirsch_stoer = {BOOST " odeint bulirsch_stoer", 1e-9, 1e-15, 0.56234132519034907, bulirsch_stoer};
}
