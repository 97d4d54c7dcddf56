/* revolve-hills.c - features of a force between the steps of revolve, some of them. revolve-hills DRAWS SEED NARROWEST */
#include "hills.h"

int main(int argc, char **argv) { return hills(argc, argv, 40, 5); }
