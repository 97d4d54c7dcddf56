/* body.h - rigid bodies, what acts on them and what connects them */
/* first, so that this header can be the only one of a program */
#include "../epicycle.h"
#ifndef EPICYCLE_BODY_H
#define EPICYCLE_BODY_H
#include "model.h"
#ifdef __cplusplus
extern "C" {
#endif

/* ---- Bodies, forces, connections --------------------------------------------------------------------------------
 * A world is a list of rigid bodies and of what acts on them and between them. It becomes systems: `model`, and for methods that treat
 * them apart `model.contacts` (what is expensive and not stiff) and `model.stiff`: joints held by springs, modes, actions that are declared
 * so, and springs and contacts with .stiff = 1. A spring or contact whose damping lets it creep, not swing, and faster than in a
 * millisecond, is there by itself: explicit steps would have to be shorter than that, and nothing is seen of it.
 *   epi_world *w = epi_world_make();
 *   int ball = epi_add_body(w, &(epi_body){.name = "ball", .mass = 0.1, .inertia = {4e-5, 4e-5, 4e-5}, .at = {0, 0, 0.1}});
 *   epi_add_gravity(w, (double[]){0, 0, -9.81});
 *   epi_add_contact(w, &(epi_contact){.shape = EPI_SPHERE_PLANE, .a = ball, .b = EPI_GROUND, .radius = 0.02, .normal = {0, 0, 1},
 *                                     .law = {.K = 1e9}});
 *   epi_flow *f = epi_world_flow(w, "semi(model.contacts, model.stiff)");
 *   epi_state s = epi_world_state(w);
 * Position, unit quaternion (body to space), velocity, angular velocity in the body: nq = 7, nv = 6 for each body, and its modes after.
 * The first system or flow that is asked for closes a world. Closed, flows in several threads may share it, each with a y of its own. */
typedef struct epi_world epi_world;
enum { EPI_GROUND = -1 };
/* how the modes of a body move its surface, in its axes, so that contacts, springs and loads feel them and act on them. A ring about z that
   bends in its plane: modes come in pairs, e cos na and e sin na outwards at the angle a, n = 2, 3, ..., each with the way along the circle
   that keeps its length. Or shapes at points: contacts that run round z take what lies between those nearest to their circle, all others
   the point that is nearest */
typedef struct epi_mode_shapes {
  int ring;                    /* 1: those of a ring */
  int points;                  /* else: how many, */
  const double *at, *shape;    /* where they are, three numbers each, and how each mode moves them: points x modes x three numbers */
} epi_mode_shapes;
typedef struct epi_body {
  const char *name;
  double mass, inertia[3];     /* principal moments, about the centre of mass */
  double at[3], attitude[4];   /* all zero: no rotation */
  double velocity[3], spin[3]; /* spin in the body */
  /* flexible coordinates e beside the rigid ones: modal masses, stiffnesses, dampings; they move by themselves unless their shapes are
     known, or an action of yours couples them. Joints hold the frame of the body; that it turns is not felt by the modes (no Coriolis) */
  int modes;
  const double *modal_mass, *modal_stiffness, *modal_damping;
  const epi_mode_shapes *shapes;
} epi_body;

/* modes of a body from a file (docs/model-files.md says what it looks like): read it, give what it has to a body, free it. NULL only when
   memory is out; else see error */
typedef struct epi_modes {
  char error[256];             /* one sentence, with the line; or empty */
  epi_cause cause;             /* of the error */
  int modes;
  const double *mass, *stiffness, *damping;
  epi_mode_shapes shapes;
} epi_modes;
EPI_API epi_modes *epi_modes_read(const char *path);
EPI_API void epi_modes_free(epi_modes *);

/* where a body is, as forces and connections see it */
typedef struct epi_pose {
  double r[3], R[9], v[3], w[3];       /* position, rotation (body to space, by rows), velocity, angular velocity in space */
  const double *e, *de;                /* flexible coordinates and their rates */
} epi_pose;

/* what acts: the force on a, its moments about the centres of a and of b (b gets -force); in space. The rest are by-products, a Jacobian
   for nothing: what a contact is, and how fast its forces change */
typedef struct epi_action {
  double force[3], moment[2][3];
  double depth, load, normal[3], point[3];     /* penetration (negative: open), normal force, from a into b, where */
  double stiffness, damping, traction;         /* d load/d depth, d load/d speed, slope of the traction in the slip */
  double energy, loss;                         /* stored; turned into heat per time */
  double *modal[2];                            /* where forces on the modes of a and of b are added; NULL: nobody asks */
  int about;                                   /* 1: load is a torque about the normal, depth an angle */
  const double *turned;                        /* comes filled: the angle of an axis of a joint, with all its turns; NULL: it has none */
} epi_action;
typedef int epi_act(const void *data, double t, const epi_pose *a, const epi_pose *b, epi_action *out);   /* out comes zeroed, but modal */
/* CONSERVATIVE: of positions alone, and energy is its potential */
enum { EPI_STIFF = 2, EPI_CONSERVATIVE = 4 };

EPI_API epi_world *epi_world_make(void);                                       /* NULL only when memory is out */
EPI_API void epi_world_free(epi_world *);
EPI_API const char *epi_world_error(const epi_world *);                        /* the first thing that was wrong, or NULL */
EPI_API epi_cause epi_world_cause(const epi_world *);                          /* of that; EPI_NO_CAUSE where that is NULL */
/* its number, or -1; all add_ functions copy what they are given. What acts and joins is numbered by itself, in the order it was added */
EPI_API int epi_add_body(epi_world *, const epi_body *);
EPI_API void epi_add_gravity(epi_world *, const double *g);
/* how many threads share the rollers of a sweep, 1 unless told: the same bits with any number. For what is worth it, some fifty rollers in
   their races and up to 64 bodies, on a machine that has nothing else to do; on a busy one they cost nothing */
EPI_API void epi_world_threads(epi_world *, int threads);
/* times at which what acts by a function of the time bends or jumps, as the points of a table; in any order, copied */
EPI_API int epi_add_breaks(epi_world *, int n, const double *t);
/* any action of yours, between a and b or on a alone (b = EPI_GROUND); data is copied */
EPI_API int epi_add_action(epi_world *, const char *name, int a, int b, unsigned kind, epi_act *, const void *data, size_t size);

/* ---- Drives: what is moved or acts by a function of time. A world that vibrates with one frequency has a fast phase, theta = theta0 +
 * rate t, which averages take out: what swings with it, and with whole multiples of it, asks theta; what changes slowly asks t. */
typedef struct epi_instant { double t, theta, phase_rate; } epi_instant;       /* theta and its rate are 0 in a world without a phase */
EPI_API int epi_add_phase(epi_world *, double rate, double theta0);            /* rad/s, rad; 0 on success */
/* a motion along a direction: amplitude sin(times theta + phase), or what a function of yours says: how far, its rate and the rate of that,
   by time. Drives return 0 for success, negative for stop, a positive number for "has no value here", of which explain makes words; data
   lives as long as the world */
typedef struct epi_drive {
  double along[3];             /* in the axes of b; all zero: there is no drive */
  double amplitude, phase;     /* m, rad */
  int times;                   /* 0 means 1 */
  int (*at)(const void *data, const epi_instant *, double out[3]);             /* NULL: the oscillation */
  void (*explain)(const void *data, int code, char *out, size_t size);         /* "'1/t' divides by zero in column 2"; or NULL */
  const void *data;
} epi_drive;
enum { EPI_DRIVES = 3 };       /* the most of one thing: one for each axis, say */
/* the ground is shaken, up to three times: all places and velocities are those seen from it, and its acceleration is felt as gravity is */
EPI_API int epi_add_shaking(epi_world *, const epi_drive *);

/* ---- Kinds of contacts, joints and loads: one const record each. The library's own are such records, and yours are given by .kind =
 * &mine: what they are called appears in sentences, their parameters can be given by name, and what they do is stored, observed and drawn
 * alike. A parameter that is called like a field of the struct below stands in that field; the others stand in `own`, in their order.
 * `check` says no by returning nonzero, and why in words that follow the name and name the remedy: "needs a direction: give .normal". */
typedef struct epi_applied_force epi_applied_force;
typedef struct epi_spring epi_spring;
typedef struct epi_joint epi_joint;
typedef struct epi_contact epi_contact;

typedef struct epi_load_kind {         /* a load on one body, or what acts between two along no fixed shape */
  const char *name, *doc;
  const epi_param *params;
  int between;                         /* 1: between two bodies, given to epi_add_spring; 0: on one, given to epi_add_load */
  int (*check)(const void *load, char *words, size_t size);                   /* an epi_applied_force or an epi_spring, as for act */
  unsigned (*traits)(const void *load);                                       /* EPI_CONSERVATIVE ...; NULL: none */
  epi_act *act;                                                               /* data is the epi_applied_force or epi_spring */
  /* at most 2 shapes, always as many; how many */
  int (*draw)(const void *load, double t, const epi_pose *a, const epi_pose *b, epi_shape *out);
} epi_load_kind;
EPI_API const epi_load_kind *const *epi_load_kinds(void);                      /* those of the library, NULL-terminated; so below */

struct epi_applied_force {     /* a force and torque on a body, constant, or a function of time */
  const char *name;
  int body;
  double force[3], torque[3], at[3];           /* in space; at in the body */
  double (*of)(void *data, double t);          /* factor, or NULL; what swings with the phase of the world is a law */
  void *data;
  /* or a law of yours instead, in space, at the point; returns as a drive does, and explain and data are its own */
  int (*law)(const void *data, const epi_instant *, const epi_pose *, double force[3], double torque[3]);
  void (*explain)(const void *data, int code, char *out, size_t size);
  int of_velocity;             /* 1: the law asks for velocities */
  const epi_load_kind *kind;                   /* NULL: as said above */
  double *own;
};
EPI_API int epi_add_load(epi_world *, const epi_applied_force *);
EPI_API int epi_world_passive(const epi_world *);      /* 1: nothing in it feeds energy into the motion; 2: and nothing collides */

struct epi_spring {            /* between two points, along their line */
  const char *name;
  int a, b;
  double at_a[3], at_b[3], length, stiffness, damping;
  const epi_load_kind *kind;
  double *own;
  int stiff;                   /* 1: in model.stiff; -1: never there; 0: as its damping asks for, see above */
  epi_drive motion[EPI_DRIVES];                /* of its end on b */
};
EPI_API int epi_add_spring(epi_world *, const epi_spring *);

/* what a joint holds: directions of the point, turns about axes, of its frame on b; together with |. Or the distance of its two points: a
   rod; a point and x of its frame on a across z of that on b: a universal joint; the point on a circle about z, or on a curve */
enum {
  EPI_X = 1, EPI_Y = 2, EPI_Z = 4, EPI_RX = 8, EPI_RY = 16, EPI_RZ = 32, EPI_POINT = 7, EPI_TURNS = 56, EPI_ALL = 63, EPI_HINGE = 31,
  EPI_SLIDER = 62, EPI_CYLINDRICAL = 27, EPI_PLANAR = 28, EPI_ROD = 64, EPI_UNIVERSAL = 128, EPI_ON_CIRCLE = 256, EPI_ON_CURVE = 512
};
enum { EPI_PENALTY, EPI_CONSTRAINT };

/* rows g = 0 of a joint between two poses: dg/dt = G v + gt, where v are the velocities of a and of b in space and their spins in the
   body */
typedef struct epi_joint_rows { double g[6], gt[6], G[6][12]; } epi_joint_rows;
typedef struct epi_joint_kind {
  const char *name, *doc;
  const epi_param *params;
  int hold;                            /* what .hold of the joint means this kind, or 0 */
  int rows;                            /* how many, at most 6; 0: as many as .hold has directions and turns */
  unsigned turns;                      /* bit k: row k is an angle, of the attitudes alone */
  int (*check)(const epi_joint *, char *words, size_t size);
  /* the rows come zeroed; as callbacks of systems */
  int (*eval)(const epi_joint *, double t, const epi_pose *a, const epi_pose *b, epi_joint_rows *);
  /* how fast the rates of the rows change where all velocities, turns and .speed stay as they are; NULL: found by differences */
  int (*bend)(const epi_joint *, double t, const epi_pose *a, const epi_pose *b, double out[6]);
  /* EPI_BAR between its points, EPI_CYLINDER along z of its frame, EPI_BALL at its point; -1 or NULL: not seen */
  int (*draw)(const epi_joint *);
} epi_joint_kind;
EPI_API const epi_joint_kind *const *epi_joint_kinds(void);

struct epi_joint {
  const char *name;
  int a, b, hold, as;          /* hold: EPI_HINGE (about z), EPI_POINT, ...; as: one word between stiff springs and true constraints */
  double at_a[3], at_b[3], frame_a[4], frame_b[4];     /* the point in each body, the frame in each; all zero: no rotation */
  double stiffness[2], damping[2];                     /* of the penalty: for directions, for turns */
  double speed;                                        /* the frame turns about its z with this speed ... */
  double (*angle)(void *data, double t, double *rate); /* ... or by this angle */
  void *data;
  double length;                                       /* of a rod */
  epi_drive motion[EPI_DRIVES];                        /* of its point on b: a pivot that is shaken, where b is the ground */
  epi_drive turn;                                      /* or the frame turns by this, in rad: .at, or an .amplitude; .along is not asked */
  const epi_joint_kind *kind;                          /* NULL: what hold says */
  double *own;
  epi_drive stretch;                                   /* of a rod: what is added to its length, in m; as turn */
  double radius;                                       /* of the circle that its point is on */
  /* or of the curve: three numbers a point, in the frame on b, joined by a cubic spline; closed: the last is followed by the first.
     Copied */
  const double *curve;
  int points, closed;
};
EPI_API int epi_add_joint(epi_world *, const epi_joint *);

/* ---- Axes of joints: along or about what a joint leaves free acts a spring, a damper, stops, a motor; and axes are coupled, by gears,
 * racks, screws, belts, or moved by a law. An axis is one of EPI_X ... EPI_RZ of the frame on b; of a universal joint EPI_RZ is about z of
 * the frame on b and EPI_RX about x of that on a; EPI_SWING is how far z of the one is off z of the other, where several turns are free.
 * Where an angle is asked for, the state has it as a position more, with all its turns: what is wound up ten times is wound up ten times.
 * It begins between -pi and pi, at zero where the frames agree. Who writes attitudes into a state writes that too, to half a turn. */
enum { EPI_SWING = 1024 };
typedef struct epi_axis {
  const char *name;
  int joint, axis;             /* the number that epi_add_joint gave; EPI_RZ ... */
  double stiffness, rest, damping;             /* N/m, m, N s/m; of turns N m/rad, rad, N m s/rad */
  /* stops: below the lower and above the upper limit, by depth: max(0, stop depth^power (1 + chi depth') + drag depth'); stop = 0: none */
  double lower, upper, stop, power, chi, drag;         /* -HUGE_VAL, HUGE_VAL: on one side there is none; power 0: 1 */
  /* the force or torque of a motor by a law of yours: of the instant, the position and its rate; returns as a drive does */
  int (*law)(const void *data, const epi_instant *, double x, double rate, double *force);
  void (*explain)(const void *data, int code, char *out, size_t size);
  const void *data;
  int of_velocity;             /* 1: the law asks for the rate */
  int stiff;                   /* as of a spring */
} epi_axis;
EPI_API int epi_add_axis(epi_world *, const epi_axis *);                       /* its number, as that of a spring */

/* a constraint between axes: the sum of factor times position stays as it is at the start, or is what a drive says. A gear pair with z1
   and z2 teeth is {z1, z2} times the angles of its two hinges, a rack {1, -radius}, a screw {1, -lead/(2 pi)} of one cylindrical joint, a
   motor 1 of one axis and a drive. It acts on each axis with a force of factor times the same multiplier, between the bodies of its
   joint */
enum { EPI_TERMS = 3 };
typedef struct epi_coupling {
  const char *name;
  int terms;
  struct { int joint, axis; double factor; } term[EPI_TERMS];
  epi_drive drive;             /* as the turn of a joint: .at or .amplitude; .along is not asked */
  int from_start;              /* 1: the drive is added to what the sum is at the start */
  /* 1: two wheels, the bodies a of joints on one b with parallel axes, whose teeth push each other where their pitch circles meet, at this
     angle off the common tangent: loads of these joints are what the bearings carry then. The motion is the same */
  int mesh;
  double pressure;             /* rad */
} epi_coupling;
EPI_API int epi_add_coupling(epi_world *, const epi_coupling *);               /* its number, as that of a joint */
/* where an axis is and how fast it goes there; 0 on success */
EPI_API int epi_world_axis(epi_world *, const epi_state *, int joint, int axis, double *x, double *rate);

/* contact: Q = K depth^power (1 + chi depth'), friction mu Q slip/sqrt(slip^2 + vs^2), over slices of the ellipse where there are any */
typedef struct epi_law {
  double K, power, chi, mu, vs;                /* power 0: 1.5 */
  int slices;                                  /* of the contact ellipse: 0 for a point */
  double ellipse, curvature;                   /* semi-axis = ellipse sqrt(depth); of the deformed surface, 1/m */
  int waves;
  const double *wave;                          /* amplitude, waves per turn, phase: added to the depth by the angle in b's frame */
  /* a normal law of yours instead */
  int (*own)(const void *data, double depth, double speed, double *load, double *slope, double *damping);
  const void *data;
} epi_law;

/* where two bodies touch: depth (negative: open), unit normal from a into b, levers from the centres of a and of b to the point; in space.
   The tangents are asked of kinds that have slices: along the rolling direction, and across it the slices lie */
typedef struct epi_touch { double depth, normal[3], lever[2][3], along[3], across[3]; } epi_touch;
/* has slices; a is a ball of .radius; b one of .other about .at, a plane through .at across .normal, hollow */
enum { EPI_SLICED = 1, EPI_A_BALL = 2, EPI_B_BALL = 4, EPI_B_PLANE = 8, EPI_B_HOLLOW = 16 };
typedef struct epi_contact_kind {
  const char *name, *doc;
  const epi_param *params;
  unsigned traits;                     /* EPI_SLICED ... */
  int (*check)(const epi_contact *, char *words, size_t size);
  /* comes zeroed; as callbacks of systems */
  int (*touch)(const epi_contact *, double t, const epi_pose *a, const epi_pose *b, epi_touch *);
  /* how b is curved where the ball a touches it, along the rolling direction and across, 1/m, negative where hollow: for a stiffness by
     Hertz. NULL: as the traits say, a plane or a ball; else nobody knows */
  void (*curved)(const epi_contact *, const epi_pose *a, const epi_pose *b, double *along, double *across);
  /* for what touches at more than one point: all that acts, by-products too; data is the epi_contact, and touch is not asked for it */
  epi_act *act;
  double power;                        /* the only one that its law has; 0: any, and 1.5 where none is given */
} epi_contact_kind;
enum {                                 /* their places in the list */
  EPI_SPHERE_PLANE, EPI_SPHERE_SPHERE, EPI_SPHERE_GROOVE, EPI_SPHERE_POCKET, EPI_CIRCLE_IN_BORE, EPI_ROLLER_GROOVE, EPI_DISC_IN_SLOT,
  EPI_END_IN_SLOT, EPI_RING_ON_SHAFT
};
EPI_API const epi_contact_kind *const *epi_contact_kinds(void);

struct epi_contact {
  const char *name;
  int shape, a, b;
  double radius;               /* of the sphere a; of a circle in a bore: of the circle on a that touches */
  double other;                /* of the sphere b, of the groove's profile */
  double circle;               /* radius of the circle of groove centres about b's z axis */
  double clearance;            /* of a pocket or bore */
  /* in b: a point of the plane and its normal; axis of the pocket. Of a circle in a bore: at is its centre in a */
  double at[3], normal[3];
  double at_a[3];              /* in a: the centre of the sphere, where that is not the centre of its body: a foot */
  epi_law law;
  const epi_contact_kind *kind;                        /* NULL: that of .shape */
  double *own;
  int stiff;                   /* as of a spring */
};
EPI_API int epi_add_contact(epi_world *, const epi_contact *);

/* the parameter of this name, one of those of its kind: where it stands, and how many numbers it has there; NULL where there is none of
   that name, or it stands in an `own` that is not there. For those who read parameters by name */
EPI_API double *epi_contact_param(epi_contact *, const char *name, int *n);
EPI_API double *epi_joint_param(epi_joint *, const char *name, int *n);
EPI_API double *epi_load_param(epi_applied_force *, const char *name, int *n);
EPI_API double *epi_spring_param(epi_spring *, const char *name, int *n);

/* Hertz point contact of two bodies with principal radii in two planes (rx along rolling, ry across; negative: hollow) */
/* Q = K d^1.5, semi-axis = ellipse sqrt(d); ellipticity, integrals */
typedef struct epi_hertz { double K, ellipse, k, E, F; } epi_hertz;
enum { EPI_BREWE_HAMROCK, EPI_ELLIPTIC };
/* curvature sums 1/Rx, 1/Ry as radii; modulus E' = 2/((1-n1^2)/E1 + (1-n2^2)/E2). Circles, Rx = Ry, are closed form by either: the fit is
   for ellipses with radii 2.5 to 25 times one another, where it is good to 1 %. K = 0 where there is no such contact */
EPI_API epi_hertz epi_hertz_of(double Rx, double Ry, double modulus, int by);

EPI_API epi_system *epi_world_system(epi_world *);                             /* `model` */
/* the three systems by name, for epi_make_named; ends with a zero entry */
EPI_API const epi_name *epi_world_names(epi_world *);
EPI_API epi_flow *epi_world_flow(epi_world *, const char *text);
EPI_API epi_state epi_world_state(epi_world *);                                /* y belongs to the world and starts again here */
/* an action, contact, spring, load or joint by its number, at a state; negative where there is none of that number. A joint held by
   constraints has its forces from s->lambda, after a step with it */
EPI_API int epi_world_action(epi_world *, const epi_state *, int which, epi_action *);
/* how a contact that is open at a state may close: the speed, by the velocities there and a fall through the gap, and what it is at its
   deepest then: 1/s. An estimate for the step that it will need. 0 on success; positive where nothing can close: no contact, or one that
   is closed; negative where there is none of that number */
typedef struct epi_collision {
  const char *name;
  double speed, depth;
  double w, decay;             /* how fast it swings and is damped there */
  int stiff;                   /* it is in model.stiff */
} epi_collision;
EPI_API int epi_world_collision(epi_world *, const epi_state *, int which, epi_collision *);
/* the same of the world of a case, at any state: there a joint held by constraints has its forces from the motion itself */
EPI_API int epi_case_action(const epi_case *, const epi_state *, int which, epi_action *);
/* all that acts in a joint, on its body a at the point of the joint there: what holds it, springs, stops and motors of its axes,
   couplings; of a wheel with a mesh what its bearing carries, without the force of the teeth, which is not in the joint. In the axes of
   the ground, of a body by its number, or of the frame of the joint on b. 0 on success */
enum { EPI_JOINT_FRAME = -2 };
EPI_API int epi_case_joint_load(const epi_case *, const epi_state *, int joint, int frame, double force[3], double moment[3]);
/* of a coupling with a mesh: the force of the teeth on the wheel of the first axis, in space, and where. 0 on success */
EPI_API int epi_case_mesh(const epi_case *, const epi_state *, int coupling, double force[3], double at[3]);
EPI_API epi_pose epi_world_pose(epi_world *, const epi_state *, int body);
/* the number that epi_add_body gave, -1 if there is none; of several the first */
EPI_API int epi_world_body_named(const epi_world *, const char *name);
/* the same for all that acts: contacts, springs, loads, actions and joints */
EPI_API int epi_world_action_named(const epi_world *, const char *name);

/* in the frame of the body (EPI_GROUND: of space); 0 on success */
EPI_API int epi_add_shape(epi_world *, int body, const epi_shape *);
EPI_API int epi_world_draw(const epi_world *, const epi_state *, epi_scene *);   /* shapes, springs, rods, and an arrow for every contact */

#ifdef __cplusplus
}
#endif
#endif
