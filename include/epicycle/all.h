/* all.h - everything */
#ifndef EPICYCLE_ALL_H
#define EPICYCLE_ALL_H
#include "../epicycle.h"
#include "capability.h"
#include "world.h"
#include "study.h"
#include "extend.h"
#include "bind.h"
#endif
