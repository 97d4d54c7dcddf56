/* absent.c - the names of the peers that were not found when this was built: the table says so */
#include "bench.h"

#ifndef BENCH_SUNDIALS
const bench_driver bench_ark2 = {.name = "SUNDIALS ARKStep, order 2", .order = 2};
const bench_driver bench_ark4 = {.name = "SUNDIALS ARKStep, rk4", .order = 4};
const bench_driver bench_erk4 = {.name = "SUNDIALS ERKStep, rk4", .order = 4};
const bench_driver bench_adams = {.name = "SUNDIALS CVODE Adams 1e-8"};
#endif

#ifndef BENCH_GSL
const bench_driver bench_gsl_rk4 = {.name = "GSL rk4", .order = 4};
const bench_driver bench_gsl_rk8pd = {.name = "GSL rk8pd", .order = 8};
#endif

#ifndef BENCH_ODEINT
const bench_driver bench_odeint_verlet = {.name = "Boost odeint velocity_verlet", .order = 2};
const bench_driver bench_odeint_rk4 = {.name = "Boost odeint runge_kutta4", .order = 4};
#endif
