/* scene.h - what a model looks like: shapes in space */
/* first, so that this header can be the only one of a program */
#include "../epicycle.h"
#ifndef EPICYCLE_SCENE_H
#define EPICYCLE_SCENE_H
#ifdef __cplusplus
extern "C" {
#endif

/* ---- Showing ---------------------------------------------------------------------------------------------------
 * What a model looks like at a state: a list of shapes, always the same ones in the same order, only their places change.
 *   static void draw(const epi_case *c, const epi_state *s, epi_scene *scene)
 *   {
 *     epi_show(scene, &(epi_shape){.name = "rod", .kind = EPI_BAR, .size = {0.02}, .to = {sin(s->y[0]), 0, -cos(s->y[0])}});
 *     epi_show(scene, &(epi_shape){.name = "bob", .kind = EPI_BALL, .size = {0.1}, .at = {sin(s->y[0]), 0, -cos(s->y[0])}});
 *   }
 * Up is z. A world draws itself from its contacts, springs and joints; epi_add_shape gives a body a look of its own. */
enum {                         /* kinds, and their size */
  EPI_BALL,                    /* radius */
  EPI_BOX,                     /* lengths along its x, y, z */
  EPI_CYLINDER,                /* radius, length; along its z, about its middle */
  EPI_CONE,                    /* radius, height; tip at its place, opening along its z */
  EPI_RING,                    /* inner and outer radius, width; a hollow cylinder along z */
  EPI_RACE,  /* radius of its plain side (bore or outside), of its shoulder, width, radius of the groove, of the circle of groove centres */
  EPI_CAGE,                    /* inner and outer radius, width, number of pockets (radial holes, the first along x), their radius */
  EPI_BAR,                     /* radius; from `at` to `to` */
  EPI_COIL,                    /* radius, turns; a spring from `at` to `to` */
  EPI_ARROW,      /* at its place, `to` is the vector in its own unit: the picture scales all arrows of one unit alike; 0: not to be seen */
  EPI_FLOOR                    /* lengths along its x and y; its z points out */
};
enum { EPI_PLAIN, EPI_STEEL, EPI_BRASS, EPI_DARK, EPI_GLASS, EPI_BRIGHT };     /* looks; GLASS lets one see through */
typedef struct epi_shape {
  const char *name, *unit;     /* unit: of an arrow */
  int kind, appearance;
  double size[5];
  double at[3], attitude[4];   /* unit quaternion, shape to space; all zero: no rotation */
  double to[3];
  int trail;                   /* 1: leaves its path behind */
} epi_shape;
typedef struct epi_scene { int n, room; epi_shape *shape; } epi_scene;           /* n: how many were shown, of which room are kept */
EPI_API void epi_show(epi_scene *, const epi_shape *);

#ifdef __cplusplus
}
#endif
#endif
