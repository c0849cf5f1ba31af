/* Shared by the writer and the reader of results: names of the layout, HDF5's error text.
   The layout is described in docs/results.md. */
#ifndef CAROM_IO_H5_H
#define CAROM_IO_H5_H

#include <stdbool.h>
#include <stddef.h>
#include <hdf5.h>
#include "base/base.h"
#include "carom/result.h"
#include "base/fields.h"

#define CAROM_H5_FORMAT "carom-result 6"    /* value of the file attribute "format" */
#define CAROM_H5_COMPLETE "rows" /* dataset of complete rows: /channels, /steps, /impacts, /snapshots, /warnings */
#define CAROM_H5_COMPLETE_COUNT 5
#define CAROM_H5_GROUPS 3                   /* of rows */
#define CAROM_H5_WARNING_SIZE 1024          /* bytes of a warning; a longer one is cut */
#define CAROM_H5_STATUS_SIZE 32             /* bytes of the file attribute "status" */
#define CAROM_H5_METHODS_SIZE 256           /* and of "methods" */

/* Names of the groups of rows in the file; the times of the first are /time, of the others /GROUP/time. */
extern const char *const carom_h5_groups[CAROM_H5_GROUPS];

/* How HDF5 printed errors before carom_h5_enter(). */
typedef struct carom_h5_scope {
    H5E_auto2_t print;
    void *data;
} carom_h5_scope;

/* Begins calls of HDF5, which one thread at a time makes: takes the lock of the process and silences the printing of
   errors; carom_h5_leave() puts both back. They may be nested. */
void carom_h5_enter(carom_h5_scope *scope);
void carom_h5_leave(const carom_h5_scope *scope);

/* In a child of fork(), which has the lock of a thread that it has not: makes it anew. */
void carom_h5_forget_lock(void);

/* A file that Carom has open in this process, which needs no first look and must not have one while it is written. Its
   owner keeps the entry, {0} at first, where it is. All under the lock. */
typedef struct carom_h5_own {
    uint64_t device, number;
    bool listed;
    struct carom_h5_own *next;
} carom_h5_own;
struct stat;
void carom_h5_take_own(const char *path, carom_h5_own *own);
void carom_h5_drop_own(carom_h5_own *own);
bool carom_h5_is_own(const struct stat *file);

/* Closes a file that was written. False: HDF5 cannot write even to memory (carom_h5_divert()) and keeps the file open
   with what it holds of it; who opens it again in this process is given that, not what is on the disk, and waits for
   metadata without end. carom_h5_is_lost() tells such files. Under the lock. */
bool carom_h5_close(hid_t file, const char *path);
bool carom_h5_is_lost(const char *path);

/* Text of HDF5's present error: the system's message if there is one, else HDF5's innermost sentence. */
void carom_h5_reason(char *out, size_t size);
/* Stores "path: what: reason; remedy" as error and returns CAROM_ERROR_IO; the remedy follows from the reason. */
carom_status carom_h5_fail(carom_context *ctx, const char *path, const char *what);

/* Property list for opening files; `swmr` limits the repeated reads of a file that is not consistent. */
hid_t carom_h5_access(bool swmr);
/* Type of fixed-length UTF-8 text of `size` bytes, NUL included. */
hid_t carom_h5_text_type(size_t size);
/* Overwrites a text attribute of fixed length; a longer text is cut. Returns false on failure. */
bool carom_h5_put_text(hid_t object, const char *name, const char *text);
/* Overwrites the attributes of /ledger. Returns false on failure. */
bool carom_h5_put_ledger(hid_t file, const carom_ledger *ledger);
/* A text attribute with room for another of less than `size` bytes, which carom_h5_put_text() writes. */
bool carom_h5_add_room(hid_t object, const char *name, size_t size, const char *text);

/* Adds an attribute, one value of `type`, or a text (NULL: ""). Returns false on failure. */
bool carom_h5_add(hid_t object, const char *name, hid_t type, const void *value);
bool carom_h5_add_text(hid_t object, const char *name, const char *text);
/* An empty dataset that grows by rows of `size` numbers; numbers not written read as NaN. `packed`: by HDF5's filters,
   for what grows by whole chunks: one that is written again takes a new place. */
hid_t carom_h5_make_dataset(hid_t parent, const char *link, hid_t type, size_t size, bool scalar, size_t chunk_rows,
                            bool packed);
/* A group without times whose attributes stay in its header, where SWMR mode allows to overwrite them. */
hid_t carom_h5_make_group(hid_t parent, const char *name);

/* Writes a dataset of one dimension at once, with its description, and its unit unless that is NULL. */
bool carom_h5_put(hid_t parent, const char *name, hid_t type, hid_t type_of_data, const void *data, hsize_t count,
                  const char *unit, const char *description);
/* A dataset of `count` texts of `size` bytes each. */
bool carom_h5_make_texts(hid_t file, const char *name, const char *texts, hsize_t count, size_t size,
                         const char *description);

/* Appends `rows` rows of `size` values of `type` to a dataset that has `first` rows. */
bool carom_h5_append(hid_t set, hid_t type, bool scalar, size_t size, hsize_t first, size_t rows, const void *data);
/* Fills `size` bytes with a text; one that is too long is cut before a whole UTF-8 character. */
void carom_h5_cut(char *out, size_t size, const char *text);

/* Reads an attribute of one value. Returns false on failure. */
bool carom_h5_read_attribute(hid_t object, const char *name, hid_t type, void *out);
/* Closes a type. Whether it is one of texts or numbers whose bits lie within their bytes: HDF5 does not look, and
   converts others beyond the ends of buffers. */
bool carom_h5_close_sound(hid_t type);
/* Rows and columns of a dataset of one or two dimensions; false if it has others, a type that
   is not sound, or less bytes than these. */
bool carom_h5_measure(hid_t set, hsize_t *rows, hsize_t *columns, int *rank);
/* Reads the first `rows` rows of a dataset that has so many columns, one of one dimension has 1. Returns false on
   failure (chunks.c). */
bool carom_h5_read_rows(hid_t set, hid_t type, size_t rows, size_t columns, void *out);

/* True if a writer holds the file open, or if that cannot be found out. */
bool carom_h5_is_being_written(const char *path);

/* Puts an unnamed file in memory instead of HDF5's descriptor, for a file that can no longer be written. HDF5 does
   not survive that what it holds back is never written: closing leaves objects without a file, which crash at the end
   of the process. So the rest goes to memory, and the file on the disk stays as a killed writer leaves it. */
void carom_h5_divert(hid_t file);
/* Makes an ordinary file with this status of one whose writer did not close it; false if it cannot be written. */
bool carom_h5_repair(const char *path, const char *status);

/* ---- the reader, for what makes other formats ---- */

carom_context *carom_result_context(carom_result *result);
const char *carom_result_path(const carom_result *result);
/* Lives as long as the result. */
carom_arena *carom_result_arena(carom_result *result);
/* Columns that were merged from two groups (column.c). */
struct carom_merged **carom_result_merged(carom_result *result);
/* Finds a channel (*component -1) or one of its components, in `group` first. Errors: CAROM_ERROR_USAGE with the
   nearest name. */
carom_status carom_result_find(carom_result *result, int group, const char *name, size_t *channel, int *component);
/* The channel of a group that is this quantity of this object; false: it is not recorded. */
bool carom_result_find_quantity(const carom_result *result, int group, const char *type, const char *object,
                                const char *quantity, size_t *channel);
/* Rows of a group. */
size_t carom_result_rows(const carom_result *result, int group);
/* Those in the file, also while the result shows some of them. */
size_t carom_result_all_rows(const carom_result *result, int group);
/* Times of a group [s], read when they are first asked for; they live as long as the result. */
carom_status carom_result_times(carom_result *result, int group, const double **time, size_t *rows);
/* Values of one component of a channel, one a row; lives as long as the result. */
carom_status carom_result_values(carom_result *result, size_t channel, int component, const double **values);

/* From now on the result shows of a group these rows alone, in ascending order, of which it takes a copy: times and
   values are read anew, and those given out before stay. Until carom_result_show_all(). */
carom_status carom_result_show_rows(carom_result *result, int group, const size_t *index, size_t count);
void carom_result_show_all(carom_result *result);

/* A column that is read by ranges of rows, of which nothing is kept. */
typedef struct carom_open_column {
    carom_result *result;
    const char *name;
    hid_t set;
    size_t rows;
    int component;
    struct carom_chunks *chunks;
} carom_open_column;

#define CAROM_TIMES SIZE_MAX    /* in the place of a channel: the times of the group */

/* To be closed, also after a failure. */
carom_status carom_result_open_column(carom_result *result, int group, size_t channel, int component,
                                      carom_open_column *out);
carom_status carom_result_read_column(const carom_open_column *column, size_t first, size_t rows, double *out);
void carom_result_close_column(carom_open_column *column);

#endif
