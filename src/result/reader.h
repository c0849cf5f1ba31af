/* What a result that was opened holds, for those who read of it: hdf5_read.c and read_columns.c. */
#ifndef CAROM_RESULT_READER_H
#define CAROM_RESULT_READER_H

#include "result/h5.h"

/* What is put aside while a result shows some of its rows. */
typedef struct carom_view {
    size_t rows[CAROM_H5_GROUPS];
    double *times[CAROM_H5_GROUPS];
    double **values;            /* of each channel */
    size_t *index[CAROM_H5_GROUPS];     /* the rows that are shown; NULL: all of the group */
} carom_view;

typedef struct carom_channel_data {
    const char *link;           /* path in the file */
    double *values;             /* column after column, NULL before the first use */
} carom_channel_data;

struct carom_result {
    carom_context *ctx;
    carom_arena arena;
    const char *path;
    hid_t file;
    carom_h5_own own;
    bool mended;                /* as it was opened */
    bool looking;               /* for the first look, */
    double bytes;               /* that the rows have in memory */
    bool swmr;                  /* opened as a file that another process may be writing */
    const char *model_name, *title, *model_text, *options, *methods, *version, *host, *status;
    carom_channel *channels;
    carom_channel_data *data;
    size_t channel_count;
    const char **columns;       /* names of all columns, for suggestions */
    size_t column_count;
    size_t rows[CAROM_H5_GROUPS];
    double *times[CAROM_H5_GROUPS];
    const carom_channel **by_parts;     /* the channels in the order of group, type, object and quantity */
    const char **overrides;
    size_t override_count;
    const char **warnings;
    size_t warning_count;
    carom_impact *impacts;
    size_t impact_count;
    const carom_result_derivative *derivatives; /* NULL before the first use, or there are none */
    size_t derivative_count;
    carom_fired_event *events;
    carom_rest *rests;
    size_t event_count, rest_count;
    carom_ledger ledger;
    struct carom_merged *merged;
    carom_view *view;           /* NULL: all rows are shown */
};

/* The times of each group of rows in the file. */
extern const char *const carom_result_time_links[CAROM_H5_GROUPS];

/* Order of pointers to channels by group, type, object and quantity, for qsort() and bsearch(). */
int carom_result_compare_parts(const void *a, const void *b);
/* Stores "PATH: WHAT cannot be read (why); the file is damaged, run again". */
carom_status carom_result_damaged(const carom_result *result, const char *what);

#endif
