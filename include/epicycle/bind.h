/* bind.h - for other languages and programs: handles, model files, pages, emitted programs */
#ifndef EPICYCLE_BIND_H
#define EPICYCLE_BIND_H
#include "../epicycle.h"
#include "handle.h"
#include "file.h"
#include "page.h"
#include "emit.h"
#endif
