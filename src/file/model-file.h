/* model-file.h - what the files that read and write model files share */
#ifndef EPI_MODEL_FILE_H
#define EPI_MODEL_FILE_H
#include "document.h"
#include "names.h"
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
  PARAM,                               /* a parameter of a kind: epi_params_read reads it */
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
  const char *of;                      /* only kinds with a parameter of this name have it; NULL: all have */
  const struct family *kinds;          /* of ITEMS: what they may be */
} field;
typedef struct source {                /* a document, and the bodies by name once they are known */
  document *d;
  name_list body;
} source;

/* ---- kinds.c: contacts, joints and loads by their records, the user's before the library's ---- */
typedef struct kind {
  const char *name;
  const epi_param *params;
  const epi_contact_kind *contact;     /* one of these three, or hold */
  const epi_joint_kind *joint;
  const epi_load_kind *load;
  int hold;                            /* EPI_X ...: of joints that are a word for what they hold */
  int plain;                           /* the header has a constant for it: it may have every key of its table */
} kind;
typedef struct family {
  const char *key, *otherwise;         /* under which its name stands; what it is where that is absent, or NULL */
  int (*brought)(const epi_name *, kind *);                                          /* 1: that is one */
  int (*library)(int i, kind *);                                                     /* the i-th; 0: there are no more */
} family;
extern const family epi_contact_family, epi_joint_family, epi_load_family, epi_spring_family;
int epi_kind_of(const document *, const family *, const char *word, kind *);         /* 1: there is one of this name */
int epi_kind_param(const kind *, const char *name);                                  /* 1: it has this parameter */
const char *const *epi_kind_words(document *, const family *);                       /* their names; NULL: memory is out */
/* those of the table that it has, and its parameters */
const field *epi_kind_keys(document *, const field *table, const kind *);

extern const field epi_file_keys[];                                                /* of the whole file; ends with a NULL name */
int epi_fields_known(document *, const item *map, const char *what, const field *);      /* unknown keys, here and inside; 0 on success */
int epi_fields_read(source *, const item *map, const field *, void *record);             /* 0 on success; what is absent stays as it is */
int epi_field_number(source *, const item *, const char *name, const char *unit, double *);
/* how many, -1: after the sentence */
int epi_field_numbers(source *, const item *, const char *name, const char *unit, int least, int most, double *);
int epi_field_word(source *, const item *, const char *name, const char *const *words);  /* which, -1: after the sentence */
const char *epi_field_words(const char *const *words, char *out, size_t size);       /* "a, b, c" */
int epi_field_maps(document *, const item *, const char *name);                          /* a list of maps; 0 on success */
int epi_field_missing(document *, const item *map, const char *what, const char *key, const char *how);            /* always REFUSED */

/* ---- params.c: kinds of things, and their parameters ---- */
int epi_kind_read(source *, const item *map, const family *, kind *);                /* 0, or REFUSED after the sentence */
/* the parameters among its keys, and what they are where nothing is said. own: room for those of no struct */
typedef double *place_of(void *record, const char *name, int *n);
int epi_params_read(source *, const item *map, const kind *, const field *keys, place_of *, void *record, double **own);

/* ---- course.c: a number as a function of time: offset + amplitude sin(2 pi frequency t + phase), or straight lines between points ---- */
typedef struct course {
  double amplitude, frequency, phase, offset;
  const item *table;
  int n;
  double *t, *x, *sum;                 /* sum: the integral from the first point */
} course;
double epi_course_at(const course *, double t, double *rate);
double epi_course_sum(const course *, double t);                                     /* its integral */
extern const field epi_course_keys[];
course *epi_course_read(source *, const item *, const char *name, const char *unit); /* NULL after the sentence */

/* ---- world.c: a model made of bodies, as it is described ---- */

typedef struct body_told { const item *at; epi_body body; double radius; epi_shape shape; int shaped; double *modal; } body_told;
typedef struct load_told { const item *at; epi_applied_force load; course *factor; } load_told;
typedef struct spring_told { const item *at; epi_spring spring; } spring_told;
typedef struct joint_told { const item *at; epi_joint joint; int rows; unsigned turns; course *angle, *speed; } joint_told;
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
  int room;                            /* for shapes */
  epi_observable *observable;
} described;
extern const field epi_file_world_keys[];
described *epi_described_read(document *, const item *world);                        /* NULL after sentences */
/* for what is between two bodies, or a body and the ground */
int epi_file_ends_read(source *, const item *, const char *what, int a, int b);      /* 0, or REFUSED after the sentence */
int epi_file_stiff(const item *, int told);                        /* 1 yes, -1 no, 0: not said */
const epi_body *epi_file_body(const described *, int body);                          /* NULL: the ground */
double epi_file_apart(const described *, int a, const double *at_a, int b, const double *at_b);

/* ---- bodies.c: bodies, and shapes that are drawn ---- */
enum { BODIES = 100000, THINGS = 500000 };                                           /* the most of them in one file */
extern const field epi_file_body_keys[], epi_file_shape_keys[];
int epi_file_body_read(source *, described *, const item *, int i);                  /* 0 on success */
int epi_file_shapes_read(source *, described *, const item *list, const field *keys, int body);

/* ---- joints.c ---- */
extern const field epi_file_joint_keys[];
int epi_file_joint_read(source *, described *, const item *, int i);

/* ---- contacts.c: contacts and their laws ---- */
extern const field epi_file_contact_keys[];
extern const char *const epi_file_materials[];
double epi_file_density(int material);
int epi_file_contact_read(source *, described *, const item *, int i);

/* ---- geometry.c: where things are at the start ---- */
void epi_file_turn_about(const double *axis, double angle, double *q);
void epi_file_turn_from(const double *unit, int from, double *q);                    /* turns axis `from` (0 x, 2 z) into the unit vector */
void epi_file_out_of(const epi_body *, const double *inside, double *space);         /* NULL: the ground */
void epi_file_pose(const epi_body *, epi_pose *);                                     /* at rest */
void epi_file_into(const epi_body *, const double *space, double *inside);
void epi_file_frame_in(const epi_body *, const double *space, double *inside);       /* an attitude, seen from the body */
void epi_file_frame_out(const epi_body *, const double *inside, double *space);
double epi_file_distance(const double *a, const double *b);
void epi_file_moments(const epi_shape *, double mass, double *inertia);              /* of a ball, box, cylinder or ring */
double epi_file_volume(const epi_shape *);

/* ---- build.c: from the description to a model ---- */
int epi_described_finish(document *, described *);          /* the record, built once: 0, or the sentence with the line of what is wrong */
int epi_no_room(const char *sentence);                      /* 1: it is the one that says that memory is out */

/* ---- runs.c: the whole file ---- */
typedef struct run_keys {              /* one run as it stands in the file */
  const char *name, *model, *flow;
  double step, end, tol;
  int fast, multipliers;
  const item *parameters, *output;
} run_keys;
typedef struct file_keys { run_keys run; const char *title, *compare, *report; const item *world, *runs; } file_keys;
typedef struct refusal { epi_model model; const char *words; } refusal;      /* a model whose make says these words */
struct epi_file {
  document d;
  file_keys keys;
  described *world;
  int n;
  epi_request *request;
  epi_sentence out;                    /* what is said when memory was */
  refusal wrong;
  refusal *code;                       /* one for each run: of a model that is code */
};
int epi_file_understand(epi_file *);                        /* its requests, from its document; 0, or REFUSED after sentences */
#endif
