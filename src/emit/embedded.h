/* embedded.h - the loops of src/emit/lane, which are printed and not compiled here, as constants; made by cmake/embed.cmake */
#include "emitting.h"
