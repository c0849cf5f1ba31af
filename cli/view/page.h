/* A page, or of it what a browser that shows another one of the model needs. */
#ifndef CAROM_CLI_VIEW_PAGE_H
#define CAROM_CLI_VIEW_PAGE_H

#include <stdbool.h>
#include <stddef.h>

/* The page of a file as a new text, or the elements with its data alone. Either says what it is, in the attribute
   data-served="NAME" of its first element. NULL: it cannot be read, or there is no memory. */
char *page_read(const char *path, const char *name, bool data_alone, size_t *size);

#endif
