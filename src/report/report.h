/* The parts of a report: the runs it shows, which of their rows it has, its data, and the page without viewer. The
   page's data are described in docs/results.md. */
#ifndef CAROM_IO_REPORT_H
#define CAROM_IO_REPORT_H

#include <stdint.h>
#include <string.h>
#include "carom/report.h"
#include "result/h5.h"
#include "base/json.h"
#include "export/save.h"
#include "export/scene.h"

/* ---- columns, packed and compressed (blob.c) ---- */

typedef enum carom_blob_type { CAROM_BLOB_F4, CAROM_BLOB_F8, CAROM_BLOB_U4, CAROM_BLOB_U1 } carom_blob_type;

/* Numbers to pack: `count` of `values`, of `integers` for CAROM_BLOB_U4, of `text` for CAROM_BLOB_U1; those of `rows`,
   if that is not NULL. The arrays must live until the blob is compressed. */
typedef struct carom_blob_column {
    carom_blob_type type;
    size_t count, offset;
    const double *values;
    const uint32_t *integers;
    const char *text;
    const size_t *rows;
    bool shared;                /* an equal shared column of the same length takes its place */
    uint64_t hash;              /* of its numbers, if it is shared */
} carom_blob_column;

typedef struct carom_blob {
    carom_context *ctx;
    carom_blob_column *columns;
    size_t column_count, column_capacity;
    size_t *table;              /* places of shared columns + 1 by their hash, at most half full */
    size_t table_size, shared_count;
    size_t bytes;               /* of all columns */
    unsigned char *packed;      /* zlib stream */
    size_t packed_size;         /* of the whole stream */
    size_t packed_numbers;      /* of it up to the first text */
    size_t packed_capacity, packed_kept;        /* bytes of it that are in `packed` */
} carom_blob;

/* Adds a column and sets its offset. Errors: CAROM_ERROR_MEMORY. */
carom_status carom_blob_add(carom_blob *blob, carom_blob_column *column);
/* Compresses all columns; of a stream longer than `limit` only the size is found. Errors: CAROM_ERROR_MEMORY. */
carom_status carom_blob_pack(carom_blob *blob, size_t limit);
void carom_blob_clear(carom_blob *blob);
/* Bytes of `size` bytes in base64, and writes them so. */
size_t carom_base64_size(size_t size);
void carom_base64_write(carom_save *save, const unsigned char *bytes, size_t size);

/* ---- runs and their rows (rows.c) ---- */

/* The rows of a group that the page has. */
typedef struct carom_report_rows {
    const double *time;
    size_t all;                 /* rows in the file */
    size_t of;                  /* of these the rows that are looked at: many_rows.c */
    size_t width;               /* bytes of a row */
    size_t count;
    size_t *index;              /* room for all; the first `count` are the rows in the page */
} carom_report_rows;

/* Behind the groups of the result: the table of impacts, which has no times of its own. */
#define CAROM_REPORT_IMPACTS CAROM_H5_GROUPS
#define CAROM_REPORT_GROUPS (CAROM_H5_GROUPS + 1)

/* The table of impacts column by column. */
typedef struct carom_report_impacts {
    const double *values[CAROM_IMPACT_FIELDS];       /* NULL: the name of the contact, or its index */
    const uint32_t *index, *name, *number;              /* of the contact in the model and in `names`; from 1 */
    const char **names;                                 /* of contacts, each once */
    size_t name_count;
} carom_report_impacts;

typedef struct carom_report_run {
    carom_result *result;
    const char *label, *file;
    carom_scene *scene;         /* NULL: none, and why */
    const char *scene_reason;
    carom_report_rows groups[CAROM_REPORT_GROUPS];
    carom_report_impacts impacts;
} carom_report_run;

/* Lets the results of large runs show some of their rows, until carom_result_show_all(). */
carom_status carom_report_show_some(carom_context *ctx, carom_report_run *run);
/* Finds the groups of a run; all rows are in the page. Errors: CAROM_ERROR_MEMORY. */
carom_status carom_report_rows_begin(carom_context *ctx, carom_report_run *run);
void carom_report_rows_end(carom_context *ctx, carom_report_run *run);
/* Takes all rows of all runs again. */
void carom_report_rows_restore(carom_report_run *runs, size_t count);
/* Bytes of all rows of all runs. */
size_t carom_report_rows_bytes(const carom_report_run *runs, size_t count);
/* Leaves out rows of the largest groups until the rest has `bytes` or the least that makes sense. Errors:
   CAROM_ERROR_MEMORY, CAROM_ERROR_IO. */
carom_status carom_report_rows_thin(carom_context *ctx, carom_report_run *runs, size_t count, size_t bytes);
/* Drops snapshots until `keep` are left: those that their neighbours tell best (snapshots.c). */
carom_status carom_report_thin_frames(carom_context *ctx, carom_report_run *run, size_t keep);

/* ---- the report ---- */

typedef struct carom_report {
    carom_context *ctx;
    const carom_report_def *def;
    const char *title;
    carom_report_run *runs;
    size_t count;
    carom_arena arena;
} carom_report;

/* Takes the table of impacts apart (report_impacts.c). Errors: CAROM_ERROR_MEMORY. */
carom_status carom_report_impacts_begin(carom_report *report, carom_report_run *run);
/* Keeps the `keep` impacts of the largest peak forces. Errors: CAROM_ERROR_MEMORY. */
carom_status carom_report_thin_impacts(carom_context *ctx, carom_report_run *run, size_t keep);

/* Appends the description of the data as JSON, adds the columns and at last the description itself to the blob, and
   appends to `head` what a page says of itself and where its description is (report_json.c). Errors: CAROM_ERROR_IO,
   CAROM_ERROR_MEMORY. */
carom_status carom_report_describe(const carom_report *report, carom_json *head, carom_json *description,
                                   carom_blob *blob);

/* Appends a static page without scripts (report_plain.c). Errors: CAROM_ERROR_IO, CAROM_ERROR_MEMORY. */
carom_status carom_report_plain(const carom_report *report, carom_text *out);
/* Appends figures of a run as pictures within the page (report_figures.c). Errors: as above. */
carom_status carom_report_figures(const carom_report *report, const carom_report_run *run, carom_text *out);
/* Appends text with what HTML takes for its own replaced; bytes that are not UTF-8 become U+FFFD. */
void carom_html_append(carom_text *out, const char *text);
/* Appends bytes in base64. */
void carom_base64_append(carom_text *out, const unsigned char *bytes, size_t size);

/* carom_report_write() with a page for the data, of `length` bytes; NULL: the static page. */
carom_status carom_report_write_page(carom_context *ctx, const carom_report_def *def, const char *path,
                                     const char *page, size_t length);

#endif
