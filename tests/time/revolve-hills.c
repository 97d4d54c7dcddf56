/* holds: random features between the steps of revolve are found within the tolerance */
#include "hills.h"

int main(int argc, char **argv) { return hills(argc, argv, 40, 5); }
