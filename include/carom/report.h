/* Reports: one HTML file of one or several results, which needs no network: scene, plots, impacts, energies. */
#ifndef CAROM_REPORT_H
#define CAROM_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include "carom/result.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Measured points that a report shows over the curves of their unit, or in the loops of contacts, with their errors. */
typedef struct carom_report_points {
    const char *label;          /* in the legend */
    const char *unit;           /* of what they measure, "N" or "kN"; the numbers are in SI all the same */
    size_t count;
    const double *t, *v;        /* times of the run [s], and values */
    const double *error;        /* half the length of the error bars; NULL: none */
    const char *over;           /* "m": `t` are indentations [m], and the points stand in the loops; NULL: times */
} carom_report_points;

/* What a report shows; fill with carom_default_report_def() first. */
typedef struct carom_report_def {
    size_t size;
    carom_result *const *results;       /* opened in the context that writes */
    const char *const *labels;  /* `count` texts that tell the results apart; NULL: the names of their files */
    size_t count;
    const char *title;          /* NULL: that of the first result, or the name of its model */
    size_t max_size;            /* largest size of the file [bytes]; 0: 5 MB of compressed data */
    bool one_at_a_time;         /* the scene shows one of the results, as modes are looked at, not all in one place */
    const carom_report_points *points;  /* `point_sets` of them; NULL: none */
    size_t point_sets;
} carom_report_def;

CAROM_IO_API carom_report_def carom_default_report_def(void);

/* Writes a report. Where its size would be exceeded rows are left out: at the output interval evenly, of solver steps
   those between peaks of the contact forces, of frames those that the others tell by interpolation, of impacts all but
   the hardest; the page says how many it has. A model text that does not compile leaves out the scene. The file takes
   its name when it is complete; on failure none is left, and one of that name is untouched. Errors: CAROM_ERROR_USAGE
   (no results, one of them is `path`, a size that not even the smallest page meets, with that of the smallest),
   CAROM_ERROR_IO (a result that cannot be read; no such folder, not an ordinary file, no room), CAROM_ERROR_MEMORY. */
CAROM_IO_API carom_status carom_report_write(carom_context *ctx, const carom_report_def *def, const char *path);

#ifdef __cplusplus
}
#endif
#endif
