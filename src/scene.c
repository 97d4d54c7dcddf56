/* scene.c - shapes as they are shown, one after the other */
#include "core.h"

void epi_show(epi_scene *to, const epi_shape *shape)
{
  if (to->n < to->room) to->shape[to->n] = *shape;
  to->n++;
}
