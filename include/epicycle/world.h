/* world.h - bodies, joints, contacts, loads and drives, and their pictures */
#ifndef EPICYCLE_WORLD_H
#define EPICYCLE_WORLD_H
#include "../epicycle.h"
#include "body.h"
#include "scene.h"
#endif
