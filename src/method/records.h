/* records.h - the records that other records are made of */
#ifndef EPI_RECORDS_H
#define EPI_RECORDS_H
#include "core.h"

extern EPI_INSIDE const epi_record epi_KICK, epi_DRIFT, epi_VELOCITY_KICK, epi_LEAP, epi_VERLET, epi_STRANG, epi_SUBSTEPS, epi_WATCH,
  epi_AT;
#endif
