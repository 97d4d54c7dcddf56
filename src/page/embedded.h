/* embedded.h - files that travel in the library of pages, as constants; made by cmake/embed.cmake */
#ifndef PAGE_EMBEDDED_H
#define PAGE_EMBEDDED_H
#ifdef __GNUC__
#pragma GCC visibility push(hidden)
#endif
extern const unsigned char epi_page_style[];            /* web/page.css */
extern const unsigned char epi_page_script[];           /* the script of a report; empty where it could not be built */
#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#endif
