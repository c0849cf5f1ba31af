/* Results: an HDF5 file written while a run goes on, read back for figures and export.
   Layout (docs/results.md): attributes of the file: model text, name, version, options, host, status; /time and one
   dataset a channel under /channels (rows x size) with attributes name, unit, components, sentence; /steps/time and
   /steps/<channel> likewise for the contacts at solver steps; /frames/time and /frames/<channel> for what a motion is drawn
   from; /impacts: one dataset a column; /ledger: attributes; /warnings; /rows: numbers of complete rows. */
#ifndef CAROM_RESULT_H
#define CAROM_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include "carom/context.h"
#include "carom/simulation.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- writing ---- */

typedef struct carom_writer carom_writer;

typedef struct carom_writer_def {
    const char *path;
    const char *model_name, *title;
    const char *model_text;     /* may be NULL */
    const char *options;        /* one line: integrator, tolerance, overrides */
    const carom_channel *channels;
    size_t channel_count;
} carom_writer_def;

/* Creates the file and all datasets; a file of that name is replaced. On failure no file is left. Errors:
   CAROM_ERROR_USAGE (a channel without name, unknown group), CAROM_ERROR_IO (no such folder, not an ordinary file,
   another run is writing it, no room). */
carom_status carom_writer_create(carom_context *ctx, const carom_writer_def *def, carom_writer **out);
/* The sink to give to the simulation; lives as long as the writer. Each block is flushed, impacts with the next block.
   It returns CAROM_ERROR_IO once the disk is full; the blocks before stay readable. */
const carom_sink *carom_writer_sink(carom_writer *writer);
/* Appends a warning of the run; beyond 1023 bytes it is cut. Errors: CAROM_ERROR_IO. */
carom_status carom_writer_warn(carom_writer *writer, const char *text);
/* Writes ledger and status ("completed", "interrupted", "failed"), closes and frees; NULL ledger: none; NULL status:
   "completed". Errors: CAROM_ERROR_IO (the file is incomplete, also if an earlier block could not be written). */
carom_status carom_writer_close(carom_writer *writer, const carom_ledger *ledger, const char *status);

/* ---- reading ---- */

typedef struct carom_result carom_result;

/* Opens a result; also one that another process is writing, with the rows flushed so far, and one whose writer was
   killed, which it turns into an ordinary file with status "killed" if it may write it.
   Errors: CAROM_ERROR_IO (what is wrong with the file). */
carom_status carom_result_open(carom_context *ctx, const char *path, carom_result **out);
void carom_result_close(carom_result *result);
const char *carom_result_model_name(const carom_result *result);
const char *carom_result_title(const carom_result *result);
/* "running" (the writer lives), "killed" (it ended without closing the file), or what carom_writer_close() was given. */
const char *carom_result_status(const carom_result *result);
const char *carom_result_model_text(const carom_result *result);
const char *carom_result_options(const carom_result *result);
const char *carom_result_version(const carom_result *result);   /* of the library that wrote it */
const char *carom_result_host(const carom_result *result);
const carom_channel *carom_result_channels(const carom_result *result, size_t *count);
const carom_impact *carom_result_impacts(const carom_result *result, size_t *count);
const char *const *carom_result_warnings(const carom_result *result, size_t *count);
/* False if the run has not written its ledger; *out is then NAN throughout. */
bool carom_result_ledger(const carom_result *result, carom_ledger *out);
/* One column: a scalar channel, a component ("body.slider.position.x") or "time" (of the output interval). A channel that
   is recorded at the output interval and at solver steps has the rows of both, by time; what only the frames have, from
   these. Arrays live until the result is closed.
   Errors: CAROM_ERROR_USAGE (no such channel, with the nearest name; a vector without component). */
carom_status carom_result_column(carom_result *result, const char *name, size_t *rows, const double **time,
                                 const double **values, const char **unit);
/* Writes channels of one group as CSV (17 digits, header with units) by calls of `write`; a name may be a whole vector
   or a component; count 0: all of the group. Errors: CAROM_ERROR_USAGE (no such channel, one of the other group). */
carom_status carom_result_csv(carom_result *result, int group, const char *const *names, size_t count,
                              void (*write)(void *user, const char *text, size_t length), void *user);
/* Writes a MAT-file of level 5, uncompressed: "time" and "steps_time", each channel as a variable (rows x components)
   whose name has '_' for what is no letter or digit ("body.slider.position": body_slider_position), "steps_" before
   those at solver steps, at most 63 characters, "_2", "_3", ... behind a name that is taken; and the structs "impacts",
   "ledger", "units" and "names" and the texts of docs/results.md. `names` are whole channels or components, of both
   groups; count 0: all. The file takes its name when it is complete; on failure none is left, and one of that name is
   untouched. Errors: CAROM_ERROR_USAGE (no such channel, the result itself, more than 2 GiB a variable), CAROM_ERROR_IO
   (no such folder, not an ordinary file, no room), CAROM_ERROR_MEMORY. */
carom_status carom_result_write_mat(carom_result *result, const char *const *names, size_t count, const char *path);

/* Writes a time series for ParaView to a new folder: NAME.pvd and a NAME_000000.vtp each row of the output interval with
   the shapes of the model where the frames put them, and NAME-contacts.pvd with points and forces of the contacts; NAME is
   that of the result's file. A folder that is not empty is left alone, and on failure none is left. Errors:
   CAROM_ERROR_USAGE (no model text, shapes or frames), CAROM_ERROR_MODEL (the model text), CAROM_ERROR_IO. */
carom_status carom_result_write_vtk(carom_result *result, const char *folder);

/* Writes a binary glTF 2.0 file (.glb): a node a body with the meshes of its shapes, or bars between its joints if it has
   none, and the frames as an animation that starts at 0 and runs at `speed` times the run's time (1: as it is; 0.001: a
   thousand times slower). The file takes its name when it is complete; on failure none is left. Errors: CAROM_ERROR_USAGE
   (no model text or frames; the result itself; a speed that is not positive), CAROM_ERROR_MODEL (the model text),
   CAROM_ERROR_IO, CAROM_ERROR_MEMORY. */
carom_status carom_result_write_gltf(carom_result *result, double speed, const char *path);

/* ---- sections ---- */

/* Where a motion is sampled: at start + k period (k = 0, 1, ...), or, with a channel, where this passes through a value. */
typedef struct carom_section_def {
    double from, to;            /* range of time [s] */
    double start, period;       /* [s] */
    const char *channel;        /* a column, as for carom_result_column(); NULL: at equal intervals */
    double value;               /* in its unit */
    double modulus;             /* > 0: also at value + n modulus, as 2 pi for an angle that counts its turns */
    int direction;              /* 1 rising, -1 falling, 0 both */
} carom_section_def;

/* All times. */
carom_section_def carom_default_section(void);
/* The times of a section, in order; they live until the result is closed. Passages are found between rows by the
   polynomial through four of them; *coarse counts those where the rows are too far apart for that, or more than a
   quarter of the modulus. Errors: CAROM_ERROR_USAGE (no such channel, no period, an empty range, more than ten million points). */
carom_status carom_result_section(carom_result *result, const carom_section_def *def, size_t *count,
                                  const double **times, size_t *coarse);
/* A column at `count` times, by the polynomial through four rows; NAN outside the rows. *coarse counts the times at which
   the polynomials through three rows differ by more than 1 % of the column's range, across an impact or between rows too
   far apart: there the straight line between two rows is taken. Errors: as carom_result_column(). */
carom_status carom_result_sample(carom_result *result, const char *name, size_t count, const double *times,
                                 const double **values, const char **unit, size_t *coarse);

/* ---- figures ---- */

typedef struct carom_curve {
    const char *label;
    size_t count;
    const double *x, *y;
    int axis;                   /* vertical axis: 0 left, 1 right */
    bool markers;               /* a marker at each point in place of a line */
    bool dots;                  /* with `markers`: small filled ones, for sections of many points */
} carom_curve;

/* Sizes of page, type and lines, and colours. */
typedef enum carom_figure_style {
    CAROM_FIGURE_SCREEN,        /* 120 mm x 80 mm, 8 to 10 pt, grid */
    CAROM_FIGURE_SINGLE_COLUMN, /* of a journal: 85 mm x 62 mm, 8 pt, axes of 0.5 pt, no grid, dark colours first */
    CAROM_FIGURE_DOUBLE_COLUMN, /* 178 mm x 80 mm, else as single column */
    CAROM_FIGURE_SLIDE          /* 254 mm x 143 mm, 18 to 22 pt, thick lines */
} carom_figure_style;

typedef enum carom_figure_legend {
    CAROM_LEGEND_AUTO,          /* in the emptiest corner, or above the curves where they fill all corners */
    CAROM_LEGEND_OUTSIDE,       /* above the frame */
    CAROM_LEGEND_NONE
} carom_figure_legend;

typedef struct carom_figure {
    const char *title;          /* may be NULL */
    const char *x_label, *x_unit, *y_label, *y_unit;
    const carom_curve *curves;
    size_t curve_count;
    double x_min, x_max;        /* equal: automatic */
    double width, height;       /* [mm]; 0: of the style; from 40 x 30 to 1000 x 1000 */
    const char *y2_label, *y2_unit;         /* right axis, of the curves with axis 1 */
    double y_min, y_max, y2_min, y2_max;    /* equal: automatic */
    bool x_log, y_log, y2_log;  /* logarithmic: values of 0 and below are gaps */
    bool equal_scales;          /* equal lengths for equal numbers of x and y, whose ranges grow for it */
    carom_figure_style style;
    carom_figure_legend legend;
} carom_figure;

/* Draws a figure to .svg, .pdf or .png by the ending of the path; a PNG has 200 dots an inch, in the styles of a
   journal 600. The axes choose a prefix for units such as m, s, N ("ms" and "kN" are understood, too) and a power of ten
   for others. Numbers that are not finite are gaps. Equal figures give equal files. Errors: CAROM_ERROR_USAGE (ending,
   size, ranges, nothing to draw), CAROM_ERROR_IO. */
carom_status carom_figure_draw(carom_context *ctx, const carom_figure *figure, const char *path);

#ifdef __cplusplus
}
#endif
#endif
