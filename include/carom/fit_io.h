/* Records of measurements from files of all formats, and the page of a fit. */
#ifndef CAROM_FIT_IO_H
#define CAROM_FIT_IO_H

#include "carom/fit.h"
#include "carom/table.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reads a table by the ending of its file: .h5, .hdf5 and .mat, else as carom_table_read_csv(). Of HDF5 and MAT-files
   (level 5, compressed or not, and 7.3) the arrays of the commonest length are the columns: vectors by their names,
   those of groups and structs by the last part of theirs, matrices as NAME.1, NAME.2, ... Free with
   carom_table_free(). Errors: CAROM_ERROR_IO, CAROM_ERROR_MODEL, CAROM_ERROR_MEMORY. */
CAROM_IO_API carom_status carom_table_read(carom_context *ctx, const char *path, carom_table *out);

/* Writes the page of a fit: sentences, estimates, laws, measurements with predictions, residuals. It needs no network.
   Errors: CAROM_ERROR_IO (nothing is left), CAROM_ERROR_USAGE, CAROM_ERROR_MEMORY. */
CAROM_IO_API carom_status carom_fit_page_write(carom_context *ctx, const carom_fit *fit, const carom_fit_result *result,
                                               const char *path);

#ifdef __cplusplus
}
#endif
#endif
