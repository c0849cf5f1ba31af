/* Results in other formats: CSV, MAT-files, time series for ParaView, glTF. */
#ifndef CAROM_EXPORT_H
#define CAROM_EXPORT_H

#include "carom/analysis.h"
#include "carom/result.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Writes channels of one group as CSV (17 digits, header with units) by calls of `write`; a name may be a whole vector
   or a component; count 0: all of the group. The time is the first column, whether it is named or not. Errors:
   CAROM_ERROR_USAGE (no such channel, one of the other group). */
CAROM_IO_API carom_status carom_result_csv(carom_result *result, int group, const char *const *names, size_t count,
                                           void (*write)(void *user, const char *text, size_t length), void *user);
/* Writes a text as a cell of a CSV file, by some calls of `write`: between quotes, with those of the text doubled, if
   it holds a comma, a quote or a line end; with ' before a text that begins with = + - @ and is no number, which
   programs of tables would calculate. Names and messages may be those of strangers. */
CAROM_IO_API void carom_csv_cell(const char *text, void (*write)(void *user, const char *text, size_t length),
                                 void *user);
/* Writes a MAT-file of level 5, uncompressed: "time" and "steps_time", each channel as a variable (rows x components)
   whose name has '_' for what is no letter or digit ("body.slider.position": body_slider_position), "steps_" before
   those at solver steps, at most 63 characters, "_2", "_3", ... behind a name that is taken; and the structs "impacts",
   "ledger", "units" and "names" and the texts of docs/results.md. `names` are whole channels or components, of both
   groups; count 0: all. The file takes its name when it is complete; on failure none is left, and one of that name is
   untouched. Errors: CAROM_ERROR_USAGE (no such channel, the result itself, more than 2 GiB a variable), CAROM_ERROR_IO
   (no such folder, not an ordinary file, no room), CAROM_ERROR_MEMORY. */
CAROM_IO_API carom_status carom_result_write_mat(carom_result *result, const char *const *names, size_t count,
                                                 const char *path);

/* Writes the matrices of an analysis, such as the state space of modes, as a MAT-file (.mat) or an HDF5 file (.h5):
   each a variable or dataset of its name, and NAME_rows and NAME_columns with the names of its rows and columns. The
   file takes its name when it is complete. Errors: CAROM_ERROR_USAGE (no matrices, another ending), CAROM_ERROR_IO,
   CAROM_ERROR_MEMORY. */
CAROM_IO_API carom_status carom_analysis_write_matrices(carom_context *ctx, const carom_analysis *analysis,
                                                        const char *path);

/* Writes a time series for ParaView to a new folder: NAME.pvd and a NAME_000000.vtp each row of the output interval
   with the shapes of the model where the snapshots put them, and NAME-contacts.pvd with points and forces of the
   contacts; NAME is that of the result's file. A folder that is not empty is left alone, and on failure none is left.
   Errors: CAROM_ERROR_USAGE (no model text, shapes or snapshots), CAROM_ERROR_MODEL (the model text),
   CAROM_ERROR_IO. */
CAROM_IO_API carom_status carom_result_write_vtk(carom_result *result, const char *folder);

/* Writes a binary glTF 2.0 file (.glb): a node a body with the meshes of its shapes, or bars between its joints if it
   has none, and the snapshots as an animation that starts at 0 and runs at `speed` times the run's time (1: as it is;
   0.001: a thousand times slower). The file takes its name when it is complete; on failure none is left. Errors:
   CAROM_ERROR_USAGE (no model text or snapshots; the result itself; a speed that is not positive), CAROM_ERROR_MODEL
   (the model text), CAROM_ERROR_IO, CAROM_ERROR_MEMORY. */
CAROM_IO_API carom_status carom_result_write_gltf(carom_result *result, double speed, const char *path);

#ifdef __cplusplus
}
#endif
#endif
