/* What the files share that draw the store of a sweep: its table, and the figures with what they borrow. */
#ifndef CAROM_CLI_PLOT_STUDY_H
#define CAROM_CLI_PLOT_STUDY_H

#include "plot/plot.h"

#define MOST_PANELS 64
#define MOST_CURVES 6

/* A column of the table: a parameter or a quantity. */
typedef struct study_column {
    const char *name, *unit;
    const carom_study *study;
    size_t parameter; /* its index, of a parameter */
    bool is_parameter, is_word, log;
} study_column;

/* The runs of a store that are drawn. */
typedef struct study_table {
    carom_store *store;
    const carom_study *study;
    carom_study_info info;
    study_column *columns; /* parameters, then quantities */
    size_t column_count;
    double *values; /* row by row */
    size_t rows, capacity;
    void **blocks; /* that figures borrow */
    size_t block_count;
    carom_figure figures[MOST_PANELS];
    size_t figure_count;
    char note[512]; /* what was chosen */
} study_table;

/* ---- plot_study_table.c ---- */

/* Memory that lives as long as the table, zeroed; NULL: out of memory. */
void *study_block(study_table *t, size_t count, size_t size);
/* "K = 1e9" of a value of a parameter. */
void study_label(const study_column *c, double value, char *text, size_t size);
/* The different values of a column, ascending; *out is a block. */
int study_values(study_table *t, size_t column, double **out, size_t *count);
static inline double study_at(const study_table *t, size_t row, size_t column)
{
    return t->values[row * t->column_count + column];
}
/* A figure of the look that the user wants, appended; NULL: there are too many. */
carom_figure *study_figure(study_table *t, const plot_options *o);

/* ---- plot_study_charts.c: figures of quantities, which are columns ---- */

int study_curves(study_table *t, const plot_options *o, const size_t *quantities, size_t count);
int study_contour(study_table *t, const plot_options *o, const size_t *quantities, size_t count);
int study_scatter(study_table *t, const plot_options *o, const size_t *quantities, size_t count);
int study_bars(study_table *t, const plot_options *o, const size_t *quantities, size_t count);
int study_sensitivity(const session *s, study_table *t, const plot_options *o, const size_t *quantities, size_t count);

#endif
