/* Channels of one or several results as the curves of one figure: `carom plot` and `carom compare`. */
#ifndef CAROM_CLI_CURVES_H
#define CAROM_CLI_CURVES_H

#include "support/cli.h"

/* A result and the part of it that is drawn. */
typedef struct curve_source {
    carom_result *result;
    const char *label; /* names its curves; NULL: the channels do */
    double from, to;   /* [s]; infinite: all */
    double origin;     /* time that is shown as 0 [s] */
} curve_source;

/* Points from elsewhere, such as measured ones: drawn as markers in SI, of the left axis unless their unit is that of
   the right one. */
typedef struct point_set {
    char *label;
    double *x, *y, *error; /* error: half the length of the whiskers; NULL: none */
    char *unit, *x_unit;   /* of y and of x in the file; NULL: it is not known */
    size_t count;
} point_set;

/* Points in place of curves: at equal intervals, or where a channel passes through a value. */
typedef struct curve_section {
    const char *text;       /* as the user gave it, in messages */
    char *channel;          /* NULL: at equal intervals */
    double value;           /* in the unit of the channel */
    int direction;          /* 1 rising, -1 falling, 0 both */
    double start, period;   /* [s] */
} curve_section;

typedef struct curve_request {
    const char *command; /* in messages */
    const char *output, *title;
    const char *against;    /* channel of the horizontal axis; NULL or "time": time */
    const char *time_label; /* of the horizontal axis, "time" */
    const char *const *channels;
    size_t channel_count;
    const char *const *right; /* channels of the right axis; none: those of a second unit are */
    size_t right_count;
    const curve_source *sources;
    size_t source_count;
    const point_set *points;
    size_t point_count;
    const char *const *labels; /* of all curves, then of the points; NULL: automatic */
    size_t label_count;
    bool scatter; /* markers in place of lines */
    const curve_section *section; /* NULL: curves */
    double circle;                /* > 0: radius of a circle about the origin, in the unit of the axes */
    const char *circle_label;
    /* style, sizes, ranges in SI, logarithmic axes, legend; labels of its axes if they are not NULL; NULL: as usual */
    const carom_figure *figure;
} curve_request;

/* Says what is wrong with the ending of a figure's path. */
int check_figure_path(const char *command, const char *path);
/* Reads the columns, draws a curve for every channel of every source; prints errors. */
int draw_curves(const session *s, const curve_request *r);

#endif
