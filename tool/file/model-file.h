/* model-file.h - what the files that read and write model files share */
#ifndef MODEL_FILE_H
#define MODEL_FILE_H
#include "document.h"
#include <stddef.h>

/* ---- fields.c: the keys of a map, in the order in which they are written, and where their values go ---- */
typedef enum {
  TEXT,                                /* const char *, in the document */
  NAME,                                /* the same, fit for a column */
  NUMBER, POSITIVE, NOT_NEGATIVE,      /* double, in the unit */
  COUNT,                               /* int >= 0 */
  FLAG,                                /* int: yes or no */
  WORD,                                /* int: which of the words */
  VECTOR, DIRECTION, QUATERNION,       /* double [3], [3] or one of x, y, z, and [4] */
  BODY,                                /* int: its number, EPI_GROUND for ground */
  OWN,                                 /* const item *: read by hand; inner says its keys where it is a map */
  ITEMS                                /* const item *: a list of maps with the keys of inner */
} field_kind;
typedef struct field {
  const char *name;
  field_kind kind;
  size_t at;                           /* where in the record */
  const char *unit;
  const char *const *words;
  const struct field *inner;
} field;
typedef struct source {                /* a document, and the bodies by name once they are known */
  document *d;
  int names;
  const char **name;
} source;
extern const field model_file_keys[];                                                /* of the whole file; ends with a NULL name */
int fields_known(document *, const item *map, const char *what, const field *);      /* unknown keys, here and inside; 0 on success */
int fields_read(source *, const item *map, const field *, void *record);             /* 0 on success; what is absent stays as it is */
int field_number(source *, const item *, const char *name, const char *unit, double *);
int field_numbers(source *, const item *, const char *name, const char *unit, int least, int most, double *);   /* how many, -1: after the sentence */
int field_word(source *, const item *, const char *name, const char *const *words);  /* which, -1: after the sentence */
int field_maps(document *, const item *, const char *name);                          /* a list of maps; 0 on success */
int field_missing(document *, const item *map, const char *what, const char *key, const char *how);            /* always REFUSED */

/* ---- model-file-world.c: a model made of bodies, as it is described ---- */
typedef struct course {                /* a number as a function of time: offset + amplitude sin(2 pi frequency t + phase), or straight lines between points */
  double amplitude, frequency, phase, offset;
  const item *table;
  int n;
  double *t, *x, *sum;                 /* sum: the integral from the first point */
} course;
double course_at(const course *, double t, double *rate);
double course_sum(const course *, double t);                                         /* its integral */

typedef struct body_told { const item *at; epi_body body; double radius; epi_shape shape; int shaped; double *modal; } body_told;
typedef struct load_told { const item *at; epi_applied_force load; course *factor; } load_told;
typedef struct spring_told { const item *at; epi_spring spring; } spring_told;
typedef struct joint_told { const item *at; epi_joint joint; course *angle, *speed; } joint_told;
typedef struct contact_told { const item *at; epi_contact contact; double *wave; } contact_told;
typedef struct shape_told { const item *at; int body; epi_shape shape; } shape_told;
typedef struct described {
  epi_model model;                     /* first: its make finds the rest after it */
  const item *at;
  double gravity[3];
  int settle;                          /* the start is moved onto the joints, however far they are */
  int bodies, loads, springs, joints, contacts, shapes;
  body_told *body;
  load_told *load;
  spring_told *spring;
  joint_told *joint;
  contact_told *contact;
  shape_told *shape;
  epi_observable *observable;
  int names;
  char **name;                         /* those that the file does not give, and those of observables */
} described;
extern const field world_keys[];
described *described_read(document *, const item *world);                            /* NULL after sentences */
void described_free(described *);
/* ---- model-file-geometry.c: where things are at the start ---- */
void quaternion_about(const double *axis, double angle, double *q);
void quaternion_from(const double *unit, int from, double *q);                       /* turns axis `from` (0 x, 2 z) into the unit vector */
void body_out_of(const epi_body *, const double *inside, double *space);             /* NULL: the ground */
void body_into(const epi_body *, const double *space, double *inside);
void body_frame(const epi_body *, const double *space, double *inside);              /* an attitude, seen from the body */
void body_frame_out(const epi_body *, const double *inside, double *space);
double distance_of(const double *a, const double *b);
void solid_moments(const epi_shape *, double mass, double *inertia);                 /* of a ball, box, cylinder or ring */
double solid_volume(const epi_shape *);
/* ---- model-file-contact.c: contacts and their laws ---- */
extern const field contact_keys[];
extern const char *const material_words[];
double material_density(int material);
int contact_read(source *, described *, const item *, contact_told *);               /* 0 on success */
/* ---- model-file-build.c: from the description to a model ---- */
int described_finish(document *, described *);                                       /* the record, built once: 0, or the sentence with the line of what is wrong */

/* ---- model-file.c ---- */
typedef struct run_keys {              /* one run as it stands in the file */
  const char *name, *model, *flow;
  double step, end, tol;
  int fast;
  const item *parameters, *output;
} run_keys;
#endif
