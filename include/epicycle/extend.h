/* extend.h - for authors: methods, wrappers and averages, formulas, texts as trees */
#ifndef EPICYCLE_EXTEND_H
#define EPICYCLE_EXTEND_H
#include "../epicycle.h"
#include "method.h"
#include "formula.h"
#include "term.h"
#endif
