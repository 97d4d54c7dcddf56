/* model-file.h - what the files that read and write model files share */
#ifndef EPI_MODEL_FILE_H
#define EPI_MODEL_FILE_H
#include "yaml/document.h"
#include "yaml/names.h"
#include "core/pi.h"
#include "world/turn.h"
#include "epicycle/formula.h"
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
typedef struct source {                /* a document, and the bodies by name once they are known; the tables of formulas */
  document *d;
  name_list body;
  struct named_table *table;
  int tables;
  const struct course *in_time;        /* the last course that was read with points in time */
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

/* ---- value.c: parameters of a world by name, and numbers that are made of them ---- */
typedef struct parameter {
  const char *name, *unit, *text;      /* unit: as it stands there; NULL where the value is a formula of others, which text is */
  double value;                        /* in that unit */
  double plain;                        /* in m, kg, s, rad */
  const char *dimension;               /* unit of plain, for formulas; NULL: it goes with everything */
  const item *at;
  int own;                             /* its value is not the one that stands in the file */
  const char *turned;                  /* a formula of this one, which counts turns, and not divided by 2 pi; or NULL */
} parameter;
typedef struct parameters {
  int n;
  parameter *one;
  epi_param *param;                    /* as a model has them */
  char *used;                          /* that somebody asked for; those of a run have the same as those of the file */
} parameters;
/* paths.c: what is given by a path is a parameter from here on: 0, or REFUSED after the sentence */
int epi_paths_open(document *);
void epi_values_used(document *);                           /* a note of each that stands nowhere */
/* 1: no unit is written in what stands for a number, alone or as a formula of parameters that have none, and no pi */
int epi_value_bare(const document *, const char *word);
/* from `name: value`; over these those of a run, over both what the request of the file gives, or the values of a case. NULL after
   sentences */
parameters *epi_values_read(document *, const item *map, const item *run, const epi_case *c);
/* the number that a word means with parameters, in a unit (NULL: in m, kg, s, rad, of any kind); 0, or -1: it has
   none, and why may say more than it did; -2: out of memory */
int epi_value_read(const document *, const char *word, const char *unit, double *x, char *why, size_t size);
/* a formula of variables beside the parameters and tables, in the pool; NULL after the sentence */
const epi_formula *epi_file_formula(source *, const item *, const char *name, const char *unit, const epi_formula_name *variables);

/* ---- course.c: a number as a function of time: offset + amplitude sin(2 pi frequency t + phase), straight lines or a spline through
   points, or a formula of t and theta ---- */
typedef struct course {
  double amplitude, frequency, phase, offset;
  const item *table;
  int n, times;                        /* times: it swings with so many times the phase of the world; 0: with time */
  double *t, *x, *sum, *bend;          /* sum: the integral from the first point; bend: second derivatives of a spline, or NULL */
  int panels;                          /* of a formula that is integrated: between t[i] and t[i+1], each with its sum before it */
  const epi_formula *formula;
  const item *at;
  const struct course *before;         /* of all with points in time, the one that was read before it */
} course;
enum { AT_T, AT_THETA, AT_X, AT_Y, AT_Z, AT_VX, AT_VY, AT_VZ, AT_W1, AT_W2, AT_W3, AT_WX, AT_WY, AT_WZ, PLACES };
extern const epi_formula_name epi_course_variables[];                                /* t and theta */
int epi_course_points(source *, const item *table, const item *file, const char *name, const char *of, const char *unit, course *);
int epi_course_join(source *, const item *by, const char *name, course *);           /* `by`: linear or cubic */
int epi_course_of(const void *course, double x, double out[3]);                      /* of points: value, first and second derivative */
int epi_course_drive(const void *course, const epi_instant *, double out[3]);        /* as a drive */
void epi_course_explain(const void *course, int code, char *out, size_t size);
void epi_formula_explain(const epi_formula *, int column, char *out, size_t size);

/* ---- drives.c: what moves or acts by a function of time and of the phase ---- */
typedef struct named_table {
  const char *name, *of, *unit;
  course *points;
  int (*value)(const void *points, double x, double out[3]);
  const item *at;
} named_table;
typedef struct law {                   /* of a load: numbers and formulas of force and torque, along a direction where one stands alone */
  const epi_formula *formula[6];
  double fixed[6], along[3], at[3];
  int one[2];                          /* the first of three is along the direction */
  course *factor;
  double unbalance, axis[3], side[3];  /* mass times radius of what turns about an axis of the body, from this side */
  course turning;
} law;
double epi_course_at(const course *, double t, double *rate);
double epi_course_sum(const course *, double t);                                     /* its integral */
/* its keys, also in a map that has more: all of them at one place of its record */
#define COURSE_KEYS(place) \
  {.name = "amplitude", .kind = OWN, .at = place}, {.name = "frequency", .kind = OWN, .at = place}, \
  {.name = "phase", .kind = OWN, .at = place}, {.name = "offset", .kind = OWN, .at = place}, \
  {.name = "table", .kind = OWN, .at = place}, {.name = "file", .kind = OWN, .at = place}, \
  {.name = "by", .kind = OWN, .at = place}, {.name = "formula", .kind = OWN, .at = place}
extern const field epi_course_keys[];
course *epi_course_read(source *, const item *, const char *name, const char *unit); /* NULL after the sentence */
/* the same, or a number, or a formula by itself */
course *epi_course_any(source *, const item *, const char *name, const char *unit);
/* as a drive, its integral from the start: of a formula by what epi_course_integrate knows of it */
int epi_course_integral(const void *course, const epi_instant *, double out[3]);
int epi_course_integrate(source *, course *, double phase_rate, double theta0);      /* 0 on success */

/* ---- world.c: a model made of bodies, as it is described ---- */

typedef struct body_told { const item *at; epi_body body; double radius; epi_shape shape; int shaped; double *modal; } body_told;
typedef struct moved { int n; course *way[EPI_DRIVES]; double along[EPI_DRIVES][3]; } moved;
typedef struct load_told { const item *at; epi_applied_force load; course *factor; law *law; } load_told;
typedef struct spring_told { const item *at; epi_spring spring; moved moved; } spring_told;
/* frame: of the columns of its force and moment, EPI_GROUND, EPI_JOINT_FRAME or a body; told: somebody asks for them */
typedef struct joint_told { const item *at; epi_joint joint; int rows; unsigned turns; course *angle, *speed, *length; moved moved;
                            int told, frame; } joint_told;
/* what acts on an axis of a joint: a spring, limits or the torque of a motor; .joint is an entry of the list of joints */
typedef struct axis_law { const epi_formula *formula; course *course; } axis_law;
typedef struct axis_told { const item *at; const char *what; epi_axis axis; axis_law *law; } axis_told;
/* axes that go together, or a motor that says where one is, or how fast it goes there */
typedef struct coupling_told { const item *at; epi_coupling coupling; int motor, screw, speed; course *way; } coupling_told;
typedef struct contact_told { const item *at; epi_contact contact; double *wave; } contact_told;
typedef struct shape_told { const item *at; int body; epi_shape shape; } shape_told;
typedef struct described {
  epi_model model;                     /* first: its make finds the rest after it */
  const item *at;
  double gravity[3];
  int settle;                          /* the start is moved onto the joints, however far they are */
  const document *document;
  struct described *(*again)(document *, const item *world);   /* what reads it: with other parameters it is read again */
  const item *parameters;              /* that it was read with; NULL: none */
  const epi_request *asked;            /* the one run of its file, whose step, end and the like its cases have; NULL: there are several */
  /* what reads flow, step, end, tol and every of that run by the parameters of a document: 0, or REFUSED after sentences */
  int (*numbers)(document *, const struct described *, epi_request *);
  moved shaking;                       /* of the ground */
  double frequency, start, fastest;    /* of the phase: Hz and rad; 0: there is none. Of all that swings */
  const course *in_time;               /* the last of the courses with points in time; they are chained */
  int bodies, loads, springs, joints, contacts, shapes, axes, couplings, axis_room, coupling_room;
  axis_told *axis;
  coupling_told *coupling;
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

/* ---- drives.c, with what is told ---- */
extern const field epi_motion_keys[], epi_phase_keys[];
int epi_file_motion(source *, const item *, moved *);                                /* `motion`: one or a list of them */
/* `tables`, for formulas */
int epi_file_tables(source *, const item *);
int epi_file_phase(source *, described *, const item *);                             /* `phase`: as it is given */
int epi_file_law(source *, const item *load, load_told *);                           /* a load by formulas, or one that is unbalanced */
int epi_file_find_phase(source *, described *);                                      /* when all is read: which frequency is the phase */
int epi_file_ground_is_smooth(source *, const described *);                          /* after that; refused where its speed jumps */
void epi_file_drives(const moved *, epi_drive *);
int epi_file_driven(const described *);                                              /* 1: something does work on it */
void epi_file_beside(const described *, pen *);                                      /* says what swings with time beside the phase */
double epi_file_fastest(const described *);                                          /* of the drives, rad/s */

/* ---- bodies.c: bodies, and shapes that are drawn ---- */
enum { BODIES = 100000, THINGS = 500000 };                                           /* the most of them in one file */
extern const field epi_file_body_keys[], epi_file_shape_keys[];
int epi_file_body_read(source *, described *, const item *, int i);                  /* 0 on success */
int epi_file_shapes_read(source *, described *, const item *list, const field *keys, int body);

/* ---- joints.c ---- */
extern const field epi_file_joint_keys[];
int epi_file_joint_read(source *, described *, const item *, int i);

/* words of hold that are no joints of their own: they go together with axes of others; a screw is a cylindrical joint and that */
enum {
  HOLD_GEAR = 1 << 20, HOLD_RACK = 1 << 21, HOLD_BELT = 1 << 22, HOLD_SCREW = 1 << 23, HOLD_COUPLED = HOLD_GEAR | HOLD_RACK | HOLD_BELT
};
int epi_joint_free(const epi_joint *);                                               /* the axes it leaves free */
int epi_file_coupling_read(source *, described *, const item *, int i);              /* when all joints are read; others are passed over */
int epi_file_screw(source *, described *, const item *, int joint);
coupling_told *epi_file_new_coupling(source *, described *, const item *);
extern const field epi_axis_spring_keys[], epi_axis_limit_keys[], epi_axis_motor_keys[];
int epi_file_axes(source *, described *, const item *, int joint);                   /* `spring`, `limits` and `motor` of a joint */
int epi_file_check_limits(document *, const described *, epi_world *);

/* ---- contacts.c: contacts and their laws ---- */
extern const field epi_file_contact_keys[];
extern const char *const epi_file_materials[];
double epi_file_density(int material);
int epi_file_contact_read(source *, described *, const item *, int i);

/* friction that explicit steps could not follow, of feet that are welded to something heavier, is solved for */
void epi_file_mark_friction(described *);
double epi_file_welded(const described *, int body);                                 /* its mass, with all that is welded to it */
int epi_file_holds(const described *);                                               /* 1: there is friction that holds */

/* ---- geometry.c: where things are at the start ---- */
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
int epi_file_observe(pool *, described *, int conserves);  /* columns.c: what is looked at; 0 on success */

/* ---- runs.c: the whole file ---- */
typedef struct run_keys {              /* one run as it stands in the file */
  const char *name, *model, *flow;
  double step, end, tol;
  int fast, multipliers, actions;
  const item *parameters, *output;
} run_keys;
typedef struct file_keys { run_keys run; const char *title, *compare, *report; const item *world, *runs, *sweep; } file_keys;
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
  const epi_sweep_request *sweep;
};
/* sweeps.c */
extern const field epi_sweep_keys[];
int epi_file_read_sweep(epi_file *);                        /* 0, or REFUSED after the sentence */
int epi_file_understand(epi_file *);                        /* its requests, from its document; 0, or REFUSED after sentences */
#endif
