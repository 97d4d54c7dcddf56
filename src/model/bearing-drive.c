/* bearing-drive.c - how the inner ring of a bearing is driven: at a speed, or up to it */
#include "bearing.h"

/* from 0 to 1 in a unit of time, level at both ends: its integral, itself, its slope */
epi_bearing_drive epi_bearing_rise(double x)
{
  if (x <= 0) return (epi_bearing_drive){.speed = 0};
  if (x >= 1) return (epi_bearing_drive){.angle = x - 0.5, .speed = 1};
  return (epi_bearing_drive){.angle = x*x*x*(1 - x/2), .speed = x*x*(3 - 2*x), .gain = 6*x*(1 - x)};
}

epi_bearing_drive epi_bearing_drive_at(const epi_bearing *b, double t)
{
  const double *p = b->p, T = p[SPINUP], unit = EPI_PI/30;
  if (T == 0) return (epi_bearing_drive){.angle = unit*p[SPEED]*t, .speed = unit*p[SPEED]};
  epi_bearing_drive x = epi_bearing_rise(t/T);
  double from = unit*p[FROM], more = unit*p[SPEED] - from;
  return (epi_bearing_drive){.angle = from*t + more*T*x.angle, .speed = from + more*x.speed, .gain = more/T*x.gain};
}
