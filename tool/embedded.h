/* embedded.h - files that travel in the command, as constants; made by cmake/embed.cmake */
#ifndef EMBEDDED_H
#define EMBEDDED_H
extern const unsigned char HEADER[];                    /* include/epicycle.h */
extern const unsigned char HEADER_SCENE[], HEADER_MODEL[], HEADER_MEASURE[], HEADER_BODY[], HEADER_ABI[], HEADER_METHOD[], HEADER_TERM[];   /* include/epicycle/ */
extern const unsigned char TEMPLATE[];                  /* tool/new/mymodel.c */
extern const unsigned char PAGE_STYLE[];                /* web/page.css */
extern const unsigned char PAGE_SCRIPT[];               /* the script of a report; empty where it could not be built */
#endif
