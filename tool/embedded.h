/* embedded.h - files that travel in the command, as constants; made by cmake/embed.cmake */
#ifndef EMBEDDED_H
#define EMBEDDED_H
extern const unsigned char SWEEP_SCRIPT[];              /* web/sweep.js */
extern const unsigned char HEADER[];                    /* include/epicycle.h */
/* include/epicycle/ */
extern const unsigned char HEADER_SCENE[], HEADER_MODEL[], HEADER_MEASURE[], HEADER_BODY[], HEADER_RESULT[], HEADER_ABI[], HEADER_METHOD[],
  HEADER_TERM[], HEADER_CHOOSE[], HEADER_FORMULA[], HEADER_CAPABILITY[], HEADER_LANES[], HEADER_SWEEP[], HEADER_EMIT[], HEADER_HANDLE[],
  HEADER_FILE[], HEADER_PAGE[], HEADER_WORLD[], HEADER_STUDY[], HEADER_EXTEND[], HEADER_BIND[], HEADER_ALL[],
  HEADER_CAUSE[], HEADER_RECORD[];
extern const unsigned char TEMPLATE[];                  /* tool/new/mymodel.c */
extern const unsigned char ROBOT[];                     /* tool/new/arm.urdf */
#endif
