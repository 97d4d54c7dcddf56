/* orbit_absent.c - the names of the codes that were not found when this was built: the table says so */
#include "orbit.h"

#ifndef BENCH_GSL
const orbit_code orbit_rk8pd = {.name = "GSL rk8pd"};
#endif

#ifndef BENCH_ODEINT
const orbit_code orbit_fehlberg78 = {.name = "Boost odeint fehlberg78"};
const orbit_code orbit_bulirsch_stoer = {.name = "Boost odeint bulirsch_stoer"};
#endif

#ifndef BENCH_SUNDIALS
const orbit_code orbit_adams = {.name = "SUNDIALS CVODE Adams"};
const orbit_code orbit_bdf = {.name = "SUNDIALS CVODE BDF"};
#endif
