/* registry.h - every name of the text grammar */
#ifndef EPI_REGISTRY_H
#define EPI_REGISTRY_H
#include "text/text.h"

extern EPI_INSIDE const epi_vocabulary epi_words;
#endif
