/* abi.h - the header a program was compiled with against the library it runs with: every constructor compares them */
/* first, so that this header can be the only one of a program */
#include "../epicycle.h"
#ifndef EPICYCLE_ABI_H
#define EPICYCLE_ABI_H
#include "body.h"
#include "measure.h"
#include "result.h"
#ifdef __cplusplus
extern "C" {
#endif

/* ---- The same header ---------------------------------------------------------------------------------------------------
 * Your program hands structs to the library whose size it knows from the header. Where these differ from the library's, what is made
 * (a flow, a case, a world) says so in its error, and nothing else happens. You need nothing of this page: epi_make and the others do
 * it. */
typedef struct epi_abi {
  unsigned size, version;      /* of this struct; EPI_ABI_VERSION */
  char release[16];            /* EPI_VERSION */
  unsigned bytes[38];          /* of the structs that cross the border, from epi_system on */
} epi_abi;
#define EPI_HEADER { \
  sizeof(epi_abi), EPI_ABI_VERSION, EPI_VERSION, { \
  sizeof(epi_system), sizeof(epi_state), sizeof(epi_name), sizeof(epi_param), sizeof(epi_record), sizeof(epi_table), sizeof(epi_info), \
  sizeof(epi_observable), sizeof(epi_model), sizeof(struct epi_case), sizeof(epi_shape), sizeof(epi_body), sizeof(epi_pose), \
  sizeof(epi_action), sizeof(epi_applied_force), sizeof(epi_spring), sizeof(epi_joint), sizeof(epi_law), sizeof(epi_contact), \
  sizeof(epi_touch), sizeof(epi_joint_rows), sizeof(epi_contact_kind), sizeof(epi_joint_kind), sizeof(epi_load_kind), \
  sizeof(epi_run_options), sizeof(epi_result), sizeof(epi_counters), sizeof(epi_invariant), sizeof(epi_reel), sizeof(epi_drawing), \
  sizeof(epi_measured), sizeof(epi_term), sizeof(epi_event), sizeof(epi_mode_shapes), sizeof(epi_instant), \
  sizeof(epi_drive), sizeof(epi_axis), sizeof(epi_coupling) } }
static const epi_abi epi_header __attribute__((unused)) = EPI_HEADER;
/* 0: they are the same; else -1 and the sentence */
EPI_API int epi_abi_check(const epi_abi *, char *error, size_t size);

EPI_API epi_flow *epi_make_abi(const char *text, epi_system *model, const epi_abi *);
EPI_API epi_flow *epi_make_named_abi(const char *text, const epi_name *names, const epi_abi *);
EPI_API epi_case *epi_case_make_abi(const char *text, const epi_abi *);
EPI_API epi_case *epi_case_of_abi(const epi_model *, const char *text, const epi_abi *);
EPI_API epi_world *epi_world_make_abi(const epi_abi *);
EPI_API epi_result *epi_result_make_abi(epi_case *, const char *flow, const epi_run_options *, const epi_abi *);
static inline epi_flow *epi_make_here(const char *text, epi_system *model) { return epi_make_abi(text, model, &epi_header); }
static inline epi_flow *epi_make_named_here(const char *text, const epi_name *names)
{
  return epi_make_named_abi(text, names, &epi_header);
}
static inline epi_case *epi_case_make_here(const char *text) { return epi_case_make_abi(text, &epi_header); }
static inline epi_case *epi_case_of_here(const epi_model *m, const char *text) { return epi_case_of_abi(m, text, &epi_header); }
static inline epi_world *epi_world_make_here(void) { return epi_world_make_abi(&epi_header); }
static inline epi_result *epi_result_make_here(epi_case *c, const char *flow, const epi_run_options *ask)
{
  return epi_result_make_abi(c, flow, ask, &epi_header);
}
#define epi_result_make epi_result_make_here
#define epi_make epi_make_here
#define epi_make_named epi_make_named_here
#define epi_case_make epi_case_make_here
#define epi_case_of epi_case_of_here
#define epi_world_make epi_world_make_here

#ifdef __cplusplus
}
#endif
#endif
