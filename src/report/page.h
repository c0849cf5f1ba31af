/* The result page without data, which the library carries within itself (made from viewer/ by the build). */
#ifndef CAROM_IO_PAGE_H
#define CAROM_IO_PAGE_H

#include <stddef.h>

/* The line of the page in whose place the data go. */
#define CAROM_PAGE_PLACE "<!-- carom-data -->"

/* The page's text and its length in bytes; it ends with a NUL that is not counted. NULL, with length 0, if the library
   was built without the viewer (CAROM_VIEWER=OFF). */
const char *carom_page(size_t *length);

#endif
