/* tuning.h - every number by which a choice is tuned: name, value, unit, meaning, and the test that fixes it. The same motion takes the
 * same choice and the same evaluations as long as none of them moves (tests/golden) */
#ifndef EPICYCLE_CHOOSE_TUNING_H
#define EPICYCLE_CHOOSE_TUNING_H

/* times at which two solutions are compared: CHECKS, where the few are enough; INSIDE, of sums of turns, every second somewhere in one,
   where a force may bend; OFTEN; MOST_ROWS where there are rows of the user's. choose-rows, choose-inside */
enum { CHECKS = 16, INSIDE = 32, OFTEN = 128, MOST_ROWS = 32768 };

/* ---- two solutions (refine.c); choose-random, choose-rough, choose-told ---- */
#define AGREE 0.7           /* tolerances between two solutions, at which the first is the answer */
#define CARE 2.             /* factor of the distance, of a motion that is not smooth, or may not be */
#define UNEVEN 1.5          /* the same of steps of variable order, whose errors do not fall as evenly as their tolerance */
#define LEAST_TOLD 0.1      /* tolerances, least error that two solutions tell: they may be near each other by chance */
#define TENTH 0.1           /* tolerance of steps in the next solution, relative */
#define NEXT 0.02           /* the same of variable order */
#define SHARE_OF_TENTH 0.3  /* fraction of their distance that is told of the finer one, of a smooth motion */
#define SHARE_OF_NEXT 0.16  /* the same of variable order ... */
#define FALLS 0.7           /* ... and the power of their tolerances with which it falls where that one is finer yet */
#define MUCH 75.            /* tolerances of distance, beyond which the next is finer than that */
#define NEAR 0.03           /* relative distance, below which two solutions are not apart as any two states of a motion are */
#define FAR 0.3             /* relative distance, beyond which they may be */
#define CHATTER 5.          /* factor of evaluations for a tenth of the tolerance, where a force chatters; else 1.3. choose-rough */
#define FINEST 2e-15        /* tolerance of steps: rounding is near */

/* ---- companions (companion.c); choose-random, choose-told ---- */
#define SMALL 0.15          /* relative distance, beyond which errors are not what they are for small ones */
#define FEW_STEPS 200.      /* steps of a run: of fewer the errors may cancel by chance, or be too long for the order */
#define FEW_SUMS 36.        /* steps of a run of sums: two of fewer as one are too long for the order */
#define FEWER_NODES 10.     /* factor of the error of a period with one count of nodes less, about */
#define NEAR_ROUNDING 1e-10 /* tolerance of steps: below it what is told would not have rounding in it */

/* ---- attempts (attempt.c, trials.c, control.c); choose-dear, choose-statistics ---- */
#define MANY_REFUSED 0.2    /* fraction of steps that are refused: a sign of kinks and jumps */
enum { FEW_CALLS = 4000 };  /* evaluations of a run, beside which trying others is not worth while */
enum { EPI_FEW_TURNS = 60 };     /* turns of a fast phase that are resolved; with a batch callback less than half of it */
enum { STEPS_OF_TRIAL = 20000 }; /* steps of an attempt, where nothing is known of others */
enum { CREPT = 200000, CREPT_STAGES = 16 };     /* steps, and stages of each, that explicit steps which crept would have taken */
#define PATIENCE 20.        /* factor of what a way was to take, after which others have their turn ... */
#define MORE_PATIENCE 16.   /* ... and how that grows */
#define CONTENDERS 10.      /* factor of the cheapest: those that cost more are not tried */
#define MISLED 0.3          /* fraction of what a part says of the whole, at least */

/* ---- sums over turns (forced.c); choose-forced, choose-kinks ---- */
#define FEW_TOLD 0.05       /* fraction of the distance, where errors do not fall with the tolerance as they do in smooth motions */
#define ASIDE 0.5           /* tolerances that the looser run begins beside the other, at that fraction */
#define LEAST_OF_SUMS 0.4   /* tolerances, least error that two sums tell */
#define ROUNDING_CARE 3.    /* factor of the distance of two sums by other phases, for the error of rounding ... */
#define ROUNDING_MOST 0.01  /* ... up to this tolerance of revolve */
enum { RATES = 64 };        /* samples of the rate of a phase, which may turn back */

/* ---- events between steps (defect.c, guards.c); choose-hidden, choose-narrow, choose-swells ---- */
#define OVER 0.3            /* tolerances, defect of the finer run; of smooth motions 1 in 100 have it */
#define OVER_SMOOTH 9.      /* the same where no force has a kink: to 1e-9 interpolants are off by some of it, what is narrow by far more */
#define ALL_OF_IT 0.1       /* of what hardly moves, because it began at rest, a force that all steps missed may be all that moves it */
enum { STRIDES = 32 };      /* steps of a smooth motion, about, that meet what happens in it */
enum { PLACES = 4*OFTEN, ROWS_SMOOTH = OFTEN/2, PLACES_SMOOTH = 4 };  /* samples of a run, about; of a smooth one rows, and of each */
enum { LAW_STEPS = 2048, UNASKED = 512, UNASKED_SMOOTH = 128 };     /* steps of a run: of loads by formulas; where there are no samples */

/* ---- oscillations inside steps (oscillation.c, guards.c); choose-ripple, choose-implicit ---- */
#define RESOLVED 2.         /* radians in a step, at most */
#define FOLLOWED 0.4        /* radians in a step where nothing of it is lost in thousands of turns */
#define SLOWEST 1.          /* steps: an oscillation with a longer period is felt by two solutions */
#define LONG_RUN 2e4        /* evaluations: with fewer a phase is not lost */
#define PHASE_LOST 0.15     /* fraction of it between two solutions that have lost its phase, and may be as far apart as it lets them be */
#define ENOUGH 0.7          /* tolerances: what is less may be left out */
enum { OSCILLATION_TURNS = 8 };  /* turns that are resolved to see it */

/* ---- sizes and starting values (sizes.c); choose-sizes, choose-seed ---- */
#define PART 1e-3           /* fraction of the largest of one unit: less is a size of its own no more */
#define LEAST_SIZE 1e-250   /* tolerances of what is smaller are not normal numbers */
#define ROUNDING_OF_ALL 1e-10    /* fraction of the largest of all units: a unit that does not exceed it is what rounding leaves of zero */
#define SEED 1e-4           /* fraction of the size over the run: a starting value below that may be a seed */
#define NO_EFFECT 0.1       /* tolerances: a seed that moves the solution by less when it is doubled is none */
enum { DECADES = 4 };       /* decades of seeds, doubled one at a time; the last includes all larger ones */

/* ---- the phase and the time in a force (phase.c); choose-narrow, choose-held ---- */
enum { FEW_PHASES = 128, MANY_PHASES = 512, LEAST_OVERTONE = 8 };      /* fewer overtones than that are resolved by any steps */
#define NO_OVERTONE 1e-3    /* fraction of the largest: lower ones make no kick narrower */
enum { SAMPLES = 512, ROUGH_SAMPLES = 16, LEAST_TURNS = 4 };
#define WORTH_SAMPLES 5000. /* evaluations of a run, beside which those samples are little */

/* ---- observables (observable.c); choose-sizes ---- */
enum { STATES = 64 };       /* states of a run that are compared, about */
#define WORTH_TELLING 30.   /* tolerances, of the size of an observable */
#define ROUNDING_OF_CHANGE 1e-11 /* fraction of the change that the state makes in it: less is the residual of forces that cancel */

/* ---- stiff systems (scales.c, slow.c); choose-stiff, stiff-random ---- */
enum { SEPARATE = 20 };     /* factor between the fast motion and the rest; turns of the fast one */
enum { SLOW_PAYS = 100 };   /* factor of evaluations, unless the slow part is asked for */
enum { MOST_MODES = 6, LEFT_OUT = 2 };
enum { LONGER = 15 };       /* factor of the tolerance of the run that a slow one is compared with */
#define SEEN 0.2            /* fraction of the distance to that one, told of it with some care */
#endif
