/* Results: an HDF5 file written while a run is under way, and read back.
   Layout (docs/results.md): attributes of the file: model text, name, version, options, methods, host, status; /time
   and one dataset a channel under /channels (rows x size) with attributes name, type, object, quantity, unit,
   components, description; /steps/time and /steps/<channel> likewise for the contacts at solver steps; /snapshots/time
   and /snapshots/<channel> for what a motion is drawn from; /impacts, /rests and /events: one dataset a column;
   /derivatives/PARAMETER: one dataset a column of the impacts; /ledger: attributes; /overrides; /warnings; /rows:
   numbers of complete rows. */
#ifndef CAROM_RESULT_H
#define CAROM_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include "carom/base.h"
#include "carom/sensitivity.h"
#include "carom/simulation.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- writing ---- */

typedef struct carom_writer carom_writer;

typedef struct carom_writer_def {
    size_t size;
    const char *path;
    const char *model_name, *title;
    const char *model_text;     /* may be NULL */
    const char *options;        /* one line for people: integrator, tolerance, overrides */
    const char *const *overrides;       /* "NAME=VALUE" of the parameters that replaced those of the model text */
    size_t override_count;
    const carom_channel *channels;
    size_t channel_count;
    /* Rows of a block of each group, carom_simulation_block_rows(); 0: 256. A power of two of up to 65536 rows is
       compressed at once, when its last sixteenth has come; other rows at once, and again with the next ones. */
    size_t block_rows[3];
    double most_bytes;          /* no more rows are taken once the file comes to it; 0: any size */
    bool resumable;             /* carom_writer_save() will be called: it keeps 8 bytes of each write to the file */
} carom_writer_def;

CAROM_IO_API carom_writer_def carom_default_writer_def(void);

/* Creates the file and all datasets; a file of that name is replaced. On failure no file is left. Errors:
   CAROM_ERROR_USAGE (a channel without name, unknown group), CAROM_ERROR_IO (no such folder, not an ordinary file,
   another run is writing it, no room). */
CAROM_IO_API carom_status carom_writer_create(carom_context *ctx, const carom_writer_def *def, carom_writer **out);
/* What a later writer needs, beside the file as it is then, to go on where this one is: rows and impacts that wait in
   memory, and the order of all writes. The file is on the disk when it returns. The bytes belong to the caller
   (carom_bytes_free()). Errors: CAROM_ERROR_USAGE (the writer is not resumable, or has written a part of a chunk),
   CAROM_ERROR_IO, CAROM_ERROR_MEMORY. */
CAROM_IO_API carom_status carom_writer_save(carom_writer *writer, unsigned char **bytes, size_t *size);
/* Goes on with a result whose writer was killed, or closed, after it was saved: makes the file anew in
   PATH.part with the same writes in the same order, up to where it was saved, and puts it in the place of the former
   one, which is as it was until then and after a failure. The file that this leads to has the same bytes as that of a
   writer that was never interrupted. Errors: CAROM_ERROR_IO (the file, or what was saved, is damaged),
   CAROM_ERROR_USAGE (the file is that of another run, or the definition is another one). */
CAROM_IO_API carom_status carom_writer_continue(carom_context *ctx, const carom_writer_def *def,
                                                const unsigned char *bytes, size_t size, carom_writer **out);
/* The sink to give to the simulation; lives as long as the writer. Each block of 16 rows or more is flushed,
   impacts and fewer rows with the next block. It returns CAROM_ERROR_IO once the disk is full; the blocks before stay
   readable. */
CAROM_IO_API const carom_sink *carom_writer_sink(carom_writer *writer);
/* Appends a warning of the run; beyond 1023 bytes it is cut. Errors: CAROM_ERROR_IO. */
CAROM_IO_API carom_status carom_writer_warn(carom_writer *writer, const char *text);
/* Says in a line what the integrator has used, "auto: adams 0.391 s of the run, bdf 2.61 s, 9 changes"; beyond 255
   bytes it is cut. Errors: CAROM_ERROR_IO. */
CAROM_IO_API carom_status carom_writer_methods(carom_writer *writer, const char *text);
/* Whether the file has come to its greatest size, with the time of its last row of the output interval [s]; rows given
   since then are not in it. `time` may be NULL. */
CAROM_IO_API bool carom_writer_full(const carom_writer *writer, double *time);
/* Writes ledger and status ("completed", "completed, inaccurate", "interrupted", "failed"), closes and frees; NULL
   ledger: none; NULL status: "completed". A simulation that has the writer's sink must not go on with it, and what
   waits in it is lost: call carom_writer_close_run(), or carom_simulation_set_sink(sim, NULL) first. Errors:
   CAROM_ERROR_IO (the file is incomplete, also if an earlier block could not be written). */
CAROM_IO_API carom_status carom_writer_close(carom_writer *writer, const carom_ledger *ledger, const char *status);
/* The same with all that a run says of itself at its end: warnings, whether it is accurate, contacts that last, what
   the integrator has used, ledger. Rows that wait in the simulation are written first, and it lets go of the writer's
   sink, so that it may go on without it. NULL status: "completed", or "part" before the end of the run, each with
   ", inaccurate" where it is. The writer is closed in any case but from within a step, where the call is refused.
   Errors: CAROM_ERROR_IO, CAROM_ERROR_MEMORY, CAROM_ERROR_USAGE. */
CAROM_IO_API carom_status carom_writer_close_run(carom_writer *writer, carom_simulation *sim, const char *status);

/* Adds the derivatives of the impacts of a run to its result, after it was closed; those of channels are channels.
   Errors: CAROM_ERROR_IO (the result is then as it was if there is no room), CAROM_ERROR_USAGE (it is that of another
   run, or has derivatives). */
CAROM_IO_API carom_status carom_result_add_derivatives(carom_context *ctx, const char *path, carom_sensitivity *of);

/* ---- reading ---- */

typedef struct carom_result carom_result;

/* Opens a result; also one that another process is writing, with the rows flushed so far, and one whose writer was
   killed, which it turns into an ordinary file with status "killed" if it may write it.
   Errors: CAROM_ERROR_IO (what is wrong with the file). */
CAROM_IO_API carom_status carom_result_open(carom_context *ctx, const char *path, carom_result **out);
CAROM_IO_API void carom_result_close(carom_result *result);
CAROM_IO_API const char *carom_result_model_name(const carom_result *result);
CAROM_IO_API const char *carom_result_title(const carom_result *result);
/* "running" (the writer lives), "killed" (it ended without closing the file), or what carom_writer_close() was
   given. */
CAROM_IO_API const char *carom_result_status(const carom_result *result);
CAROM_IO_API const char *carom_result_model_text(const carom_result *result);
CAROM_IO_API const char *carom_result_options(const carom_result *result);
/* What the integrator has used, as carom_writer_methods() was given it; "" until the run ends. */
CAROM_IO_API const char *carom_result_methods(const carom_result *result);
/* "NAME=VALUE" of the parameters that replaced those of the model text. */
CAROM_IO_API const char *const *carom_result_overrides(const carom_result *result, size_t *count);
CAROM_IO_API const char *carom_result_version(const carom_result *result);   /* of the library that wrote it */
CAROM_IO_API const char *carom_result_host(const carom_result *result);
CAROM_IO_API const carom_channel *carom_result_channels(const carom_result *result, size_t *count);
/* Whether a channel of that list is recorded in a group before its own as well: at the output interval and at solver
   steps. */
CAROM_IO_API bool carom_result_repeats(const carom_result *result, size_t channel);
CAROM_IO_API const carom_impact *carom_result_impacts(const carom_result *result, size_t *count);
/* Derivatives of the impacts by a parameter. */
typedef struct carom_result_derivative {
    const char *parameter, *unit;       /* unit: "": not known */
    double value;
    bool influences, one_sided; /* as those of carom_sensitivity_parameter */
    double defined_until;       /* [s] */
    const carom_impact *impacts;        /* in the order of carom_result_impacts(): the members that are numbers are
                                           derivatives [their unit per that of the parameter], NAN: there is none */
} carom_result_derivative;
/* None of a run without derivatives. The list lives until the result is closed. Errors: CAROM_ERROR_IO. */
CAROM_IO_API carom_status carom_result_derivatives(carom_result *result, const carom_result_derivative **out,
                                                   size_t *count);
/* Contacts that lasted, in order of begin; those that were open at the end among them. */
CAROM_IO_API const carom_rest *carom_result_rests(const carom_result *result, size_t *count);
/* Events of the model whose actions were taken, in the order of time. */
CAROM_IO_API const carom_fired_event *carom_result_events(const carom_result *result, size_t *count);
CAROM_IO_API const char *const *carom_result_warnings(const carom_result *result, size_t *count);
/* False if the run has not written its ledger; *out is then NAN throughout. */
CAROM_IO_API bool carom_result_ledger(const carom_result *result, carom_ledger *out);
/* One column: a scalar channel, a component ("body.slider.position.x") or "time" (of the output interval). A channel
   that is recorded at the output interval and at solver steps has the rows of both, by time; what only the snapshots
   have, from these. Arrays live until the result is closed.
   Errors: CAROM_ERROR_USAGE (no such channel, with the nearest name; a vector without component). */
CAROM_IO_API carom_status carom_result_column(carom_result *result, const char *name, size_t *rows,
                                              const double **time, const double **values, const char **unit);
/* Rows of a column in the file, of which nothing is kept: those of the output interval, else those of the solver steps
   or of the frames. *rows is their number. Errors: as carom_result_column(). */
CAROM_IO_API carom_status carom_result_count_rows(carom_result *result, const char *name, size_t *rows,
                                                  const char **unit);
/* Reads `count` of them from row `first` on; `time` or `values` may be NULL. Errors: as carom_result_column(), and
   CAROM_ERROR_USAGE if there are not so many. */
CAROM_IO_API carom_status carom_result_read_rows(carom_result *result, const char *name, size_t first, size_t count,
                                                 double *time, double *values);
/* The rows of a column, as carom_result_column() has them, from one time to another, for drawing: where they are more
   than 4 `parts`, of each of so many equal parts of the time the first, the least, the greatest and the last row.
   Arrays live until the result is closed. Errors: as carom_result_column(). */
CAROM_IO_API carom_status carom_result_outline(carom_result *result, const char *name, double from, double to,
                                               size_t parts, size_t *rows, const double **time, const double **values,
                                               const char **unit);
/* ---- Poincaré sections ---- */

/* Where a motion is sampled: at start + k period (k = 0, 1, ...), or, with a channel, where this passes through a
   value. */
typedef struct carom_poincare_section_def {
    size_t size;
    double from, to;            /* range of time [s] */
    double start, period;       /* [s] */
    const char *channel;        /* a column, as for carom_result_column(); NULL: at equal intervals */
    double value;               /* in its unit */
    double modulus;             /* > 0: also at value + n modulus, as 2 pi for an angle that counts its turns */
    int direction;              /* 1 rising, -1 falling, 0 both */
} carom_poincare_section_def;

/* All times. */
CAROM_IO_API carom_poincare_section_def carom_default_poincare_section_def(void);
/* The times of a section, in order; they live until the result is closed. Passages are found between rows by the
   polynomial through four of them; *coarse counts those where the rows are too far apart for that, or more than a
   quarter of the modulus. Errors: CAROM_ERROR_USAGE (no such channel, no period, an empty range, more than ten million
   points). */
CAROM_IO_API carom_status carom_result_poincare_section(carom_result *result, const carom_poincare_section_def *def,
                                                        size_t *count, const double **times, size_t *coarse);
/* A column at `count` times, by the polynomial through four rows; NAN outside the rows. *coarse counts the times at
   which the polynomials through three rows differ by more than 1 % of the column's range, across an impact or between
   rows too far apart: there the straight line between two rows is taken. Errors: as carom_result_column(). */
CAROM_IO_API carom_status carom_result_sample(carom_result *result, const char *name, size_t count,
                                              const double *times, const double **values, const char **unit,
                                              size_t *coarse);

#ifdef __cplusplus
}
#endif
#endif
