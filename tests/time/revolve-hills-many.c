/* holds: many random features between the steps of revolve are found within the tolerance
 * revolve-hills-many.c - features of a force between the steps of revolve, many of them. revolve-hills-many DRAWS SEED NARROWEST
   label: long */
#include "hills.h"

int main(int argc, char **argv) { return hills(argc, argv, 600, 11); }
