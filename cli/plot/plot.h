/* What the files of `carom plot` share: its options, the results and episodes that it draws. */
#ifndef CAROM_CLI_PLOT_H
#define CAROM_CLI_PLOT_H

#include "support/curves.h"
#include "support/options.h"
#include "support/points.h"

typedef struct plot_options {
    const char *result, *against, *title, *output;
    const char *loop, *phase; /* contacts */
    const char *contact;      /* whose impacts are counted */
    const char *const *channels;
    size_t channel_count;
    char contact_names[2][256]; /* the two channels of --loop and --phase */
    const char *contact_channel;
    text_list right, compare, data, impacts, labels;
    const char *align, *shift; /* of the points of --data */
    const char *style, *size, *legend, *x_range, *y_range, *y2_range;
    const char *every, *cut, *circle; /* of sections; and what they say: */
    curve_section section;
    double circle_radius;
    char *circle_label;
    carom_figure figure; /* what these say */
    bool scatter, list;
    const char *as; /* of a sweep: kind of the figure */
    text_list where; /* "NAME=VALUE" of its runs */
    double from, to; /* NAN: not given */
} plot_options;

/* ---- plot_sources.c: results, and the parts of them that are drawn ---- */

/* A result and its name in the legend. */
typedef struct plot_result {
    char *label;
    const char *path;
    carom_result *result;
} plot_result;

typedef struct plot_sources {
    plot_result *results;
    size_t result_count;
    curve_source *items; /* result by result, impact by impact */
    char **labels;       /* of the items; NULL where the channels name the curves */
    size_t count;
    bool from_onset; /* times count from the onset of the impact */
    double onset, duration; /* of the impact, where there is one [s] */
} plot_sources;

/* Opens the results and finds their impacts; prints errors. The caller frees in every case. */
int plot_sources_open(const session *s, const plot_options *o, plot_sources *out);
void plot_sources_free(plot_sources *sources);

/* ---- plot_look.c: the options of the figure's look ---- */

/* Fills o->figure from the texts of the options; prints errors. */
int read_look(const session *s, plot_options *o);

/* ---- plot_study.c: the store of a sweep ---- */

/* Draws the store, or lists what it has; prints errors. */
int plot_store(const session *s, plot_options *o);

/* ---- plot_section.c: points in place of curves, and a circle ---- */

/* Fills o->section and what belongs to the circle from the texts of the options; prints errors. The caller frees with
   free_section() in every case. */
int read_section(const session *s, plot_options *o);
void free_section(plot_options *o);

#endif
