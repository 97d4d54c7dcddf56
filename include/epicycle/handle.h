/* handle.h - the library for other languages: opaque handles, numbers in arrays, texts, sentences; no struct has to be mirrored
 *
 * What a program in C does by epicycle.h, result.h, file.h and sweep.h, in calls that ctypes and the like can make. In the library
 * epicycle-file. Functions that can fail return 0 for success; else the error of the handle is a sentence with the remedy. A handle belongs
 * to one thread. */
#ifndef EPICYCLE_HANDLE_H
#define EPICYCLE_HANDLE_H
#include "../epicycle.h"
#include "sweep.h"
#ifdef __cplusplus
extern "C" {
#endif

EPI_API const char *epi_version(void);                   /* of the library that runs */
enum { EPI_HANDLES = 1 };
EPI_API int epi_handles(void);                           /* EPI_HANDLES of that library: a binding asks before anything else */
/* all models and methods with their descriptions, options and defaults, as JSON; written like epi_text */
EPI_API size_t epi_catalog(char *out, size_t size);

/* ---- 1. A system of yours -----------------------------------------------------------------------------------------------
 *   epi_own *s = epi_own_new(1, 0, 0, 0);
 *   epi_own_call(s, "force", (void (*)(void))force);               // as in epi_system: by the name of its slot
 *   epi_own_numbers(s, "mass", (double[]){2}, 1);          // mass, mass_matrix, phase_rate, theta0, period, conserved, smooth (0 or 1)
 *   epi_own_numbers(s, "backward", (double[]){1}, 1);              // its jobs have s = -t and -v in place of t and v: t runs backward
 * A language whose functions see arrays of its own takes posts instead: `in` (nq + nv + nz numbers) is filled, the function called, `out`
 * read. It gets t, and the fast phase where there is one. Positions come first, then velocities; what a slot gives stands in epi_system,
 * and "jacobian" (nc x nv) and "constraint_rate" (nc) belong to "constraint" (nc). A name that begins with "event" is a function of all of
 * y, zero at the event; one with _up or _down in it counts in that direction alone, one with _stop ends the run. `in` and `out` stay yours,
 * and live as long as the system. */
typedef struct epi_own epi_own;
typedef int epi_post(double t, double theta);
EPI_API epi_own *epi_own_new(int nq, int nv, int nz, int nc);          /* NULL only when memory is out */
EPI_API int epi_own_call(epi_own *, const char *slot, void (*)(void));
EPI_API int epi_own_post(epi_own *, const char *slot, epi_post *, double *in, const double *out);
EPI_API int epi_own_numbers(epi_own *, const char *slot, const double *, long n);
EPI_API int epi_own_data(epi_own *, void *data);                       /* for compiled slots; there are no posts then */
EPI_API const char *epi_own_error(const epi_own *);
EPI_API void epi_own_free(epi_own *);                                  /* after its jobs */

/* ---- 2. A job: one run ---------------------------------------------------------------------------------------------------
 *   epi_job *j = epi_job_model("bearing");
 *   epi_job_say(j, "speed", "12000 rpm");
 *   epi_job_say(j, "end", "1 ms");
 *   if (epi_job_make(j) || epi_job_end(j, epi_job_go(j))) puts(epi_job_error(j));
 *   const double *x = epi_job_rows(j, &rows, &columns);
 * What may be said: flow (as in epi_make; "auto": one is chosen), step, end, every, tol, motion (full or slow), fast, multipliers, actions,
 * force, pictures; any other name is a parameter of the model, with its unit. */
typedef struct epi_job epi_job;
EPI_API epi_job *epi_job_own(const epi_own *, double t, const double *y);
EPI_API epi_job *epi_job_model(const char *text);                      /* "kepler", "kepler(e=0.6)" */
/* a record of yours, which lives as long: that of EPI_MODEL in a shared object, with its epicycle_abi, which is compared */
EPI_API epi_job *epi_job_record(const epi_model *, const epi_abi *);
/* run number `run` of a model file; text: its content, or NULL to read it; given: {"m=3 kg", NULL}, or NULL */
EPI_API epi_job *epi_job_file(const char *path, const char *text, const char *const *given, int run);
EPI_API int epi_job_runs(const epi_job *);                             /* of its file */
EPI_API const char *epi_job_note(const epi_job *, int i);              /* of its file, as epi_file_note; NULL: no more */
EPI_API int epi_job_say(epi_job *, const char *name, const char *value);
/* rows at these times, which are copied; or places (1 to 64) of them in every step; not both. Neither: after every step of its own */
EPI_API int epi_job_times(epi_job *, const double *, long n, int places);
EPI_API int epi_job_make(epi_job *);                                   /* the flow is chosen and made; nothing has run */
/* 0, EPI_WRONG, EPI_STOPPED (by an event), or -1001: by epi_job_stop; the same call goes on */
EPI_API int epi_job_go(epi_job *);
EPI_API int epi_job_end(epi_job *, int code);                          /* with what go returned; the last row, statistics */
EPI_API void epi_job_stop(epi_job *);                                  /* from another thread: make, go, advance or reach ends soon */
EPI_API const double *epi_job_rows(const epi_job *, long *rows, int *columns);
EPI_API const double *epi_job_events(epi_job *, long *rows, int *columns);     /* as epi_result_event has them */
/* json: all that is known of the run; yaml: a model file of it. It lives until the next text */
EPI_API const char *epi_job_text(epi_job *, const char *what);
EPI_API const char *epi_job_error(const epi_job *);                    /* "" where all is well */
EPI_API epi_cause epi_job_cause(const epi_job *);                      /* of the error; EPI_NO_CAUSE where all is well */
/* one page for the browser of jobs that said pictures=1; 0, or -1 and the sentence */
EPI_API int epi_jobs_report(const char *path, const char *title, epi_job *const *, int n, char *error, size_t size);
EPI_API void epi_job_free(epi_job *);

/* the same by hand: n steps of h; or to t = end by steps of h. The state is y of epi_job_state, which may be changed between calls */
EPI_API int epi_job_advance(epi_job *, double h, long n);
EPI_API int epi_job_reach(epi_job *, double end, double h);
EPI_API double *epi_job_state(epi_job *, double *t, int sizes[4]);     /* nq, nv, nz, nc; NULL: there is no flow, and the error says why */
EPI_API long epi_job_calls(const epi_job *);

/* ---- 3. Many of them ------------------------------------------------------------------------------------------------------
 * A sweep of a job, which lives as long: over and keep as in epicycle/sweep.h; samples, seed, latin, workers and limit are said of the job.
 * epi_job_sweep_run fills value (cases x axes), kept (cases x keeps) and outcome (cases) */
EPI_API epi_sweep *epi_job_sweep(epi_job *, const char *const *over, const char *const *keep);
EPI_API int epi_job_sweep_run(epi_job *, epi_sweep *, double *value, double *kept, int *outcome);
EPI_API const char *epi_job_sweep_why(const epi_job *, long long number);      /* of a case that did not go well; NULL: it did */

#ifdef __cplusplus
}
#endif
#endif
