/* fmi2.h - what of the Functional Mock-up Interface 2.0 a unit for co-simulation has to know, as the standard lays it out in memory */
#ifndef FMI2_H
#define FMI2_H
#include <stddef.h>

typedef enum { FMI_OK, FMI_WARNING, FMI_DISCARD, FMI_ERROR, FMI_FATAL, FMI_PENDING } fmi_status;
enum { FMI_CO_SIMULATION = 1 };
typedef struct fmi_callbacks {
  void (*logger)(void *environment, const char *instance, fmi_status, const char *category, const char *words, ...);
  void *(*allocate)(size_t, size_t);
  void (*release)(void *);
  void (*finished)(void *, fmi_status);
  void *environment;
} fmi_callbacks;

/* value references: outputs are columns of a row, from 1 on; 0 is the time; parameters stand from here on, in the order of the model */
enum { FMI_PARAMETERS = 1 << 20 };
#define FMI_API __attribute__((visibility("default")))
#endif
