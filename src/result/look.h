/* The first look at a file from a stranger, by a process of its own: HDF5 ends by a signal where it decodes what is
   damaged in some ways, and takes any time and memory that a file asks for. */
#ifndef CAROM_RESULT_LOOK_H
#define CAROM_RESULT_LOOK_H

#include "result/h5.h"

/* Reads the file as the caller will; the context is another one. */
typedef carom_status carom_look_reading(carom_context *ctx, const char *path);

/* Calls `read` in a child of this process and says what it said. Of a child that ends by a signal, or that takes more
   than the limits of look.c, the file is damaged. Nothing is done for a file that this process has open already.
   Errors: those of `read`; CAROM_ERROR_IO with the file's name. */
carom_status carom_look(carom_context *ctx, const char *path, carom_look_reading *read);

#endif
