/* study.h - models and cases, runs and their results, choices for a tolerance, sweeps, lanes, measures */
#ifndef EPICYCLE_STUDY_H
#define EPICYCLE_STUDY_H
#include "../epicycle.h"
#include "model.h"
#include "result.h"
#include "choose.h"
#include "sweep.h"
#include "lanes.h"
#include "measure.h"
#endif
