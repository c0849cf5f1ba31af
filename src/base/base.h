/* Status and error text, memory, strings: what every other folder stands on. Knows no physics. */
#ifndef CAROM_BASE_H
#define CAROM_BASE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include "carom/base.h"

#define CAROM_COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define CAROM_PI 3.14159265358979323846

/* Returns from the enclosing function if the call failed. */
#define CAROM_TRY(call)                                    \
    do {                                                   \
        carom_status carom_try_status_ = (call);           \
        if (carom_try_status_ != CAROM_OK)                 \
            return carom_try_status_;                      \
    } while (0)

/* The same, but where the context keeps problems and this is one the work goes on: what follows must not stand on what
   failed. */
#define CAROM_TRY_ON(ctx, call)                                                                 \
    do {                                                                                        \
        carom_status carom_try_status_ = (call);                                                \
        if (carom_try_status_ != CAROM_OK && !carom_problems_keep((ctx), carom_try_status_))    \
            return carom_try_status_;                                                           \
    } while (0)

/* Between begin and end the context keeps failures of CAROM_ERROR_MODEL, so that all problems of a model are told. */
void carom_problems_begin(carom_context *ctx);
/* CAROM_ERROR_MODEL, of what follows from a failure that is kept: it counts, and is not told. */
carom_status carom_fail_behind(carom_context *ctx);
/* True: the last failure is kept. */
bool carom_problems_keep(carom_context *ctx, carom_status status);
size_t carom_problems_count(const carom_context *ctx);
/* CAROM_ERROR_MODEL, of failures that are kept, if there are more than so many. */
carom_status carom_problems_since(carom_context *ctx, size_t count);
/* Of what ended the work: with problems the first one is the failure, and CAROM_ERROR_MODEL is returned. */
carom_status carom_problems_end(carom_context *ctx, carom_status status);

/* Returns CAROM_ERROR_USAGE with the name of the enclosing function and of its argument if this is NULL; the context
   may be NULL: carom_fail(). NEED_AS: the name of the argument in the public header, where it is another one here. */
#define CAROM_NEED(ctx, argument) CAROM_NEED_AS(ctx, argument, #argument)
#define CAROM_NEED_AS(ctx, argument, name)                                                              \
    do {                                                                                                \
        if (!(argument))                                                                                \
            return carom_fail((ctx), CAROM_ERROR_USAGE, NULL, "%s(): `%s` is NULL", __func__, (name));  \
    } while (0)
/* The number of a list, for a caller who may not want it. */
static inline void carom_give_count(size_t *count, size_t value)
{
    if (count)
        *count = value;
}
/* The list of an object that is NULL: NULL, of no items. */
static inline void *carom_give_none(size_t *count)
{
    carom_give_count(count, 0);
    return NULL;
}

#define CAROM_ERROR_TEXT 2048      /* room for the text of an error */

/* "PATH: cannot be opened: ...", from errno, with the file that was meant where one of a near name is there. Returns
   CAROM_ERROR_IO. */
carom_status carom_fail_open(carom_context *ctx, const char *path);

/* ---- memory: all of it comes from the context's allocator ---- */

/* Makes room for `need` items of `size` bytes in *block, whose capacity is *capacity; keeps the content, zeroes the new
   part. On CAROM_ERROR_MEMORY the old block is untouched. */
carom_status carom_grow(carom_context *ctx, void *block_pointer, size_t *capacity, size_t need, size_t size);

/* Bytes of a chunk of an arena. With 0, as under the address sanitizer, each piece is a block of its own: what is
   written beyond a piece is seen, and each piece can be the one that there is no memory for. */
#ifndef CAROM_ARENA_CHUNK
#define CAROM_ARENA_CHUNK 16384
#endif

/* Arena: many small zeroed blocks, released together. */
typedef struct carom_arena_chunk carom_arena_chunk;
typedef struct carom_arena {
    carom_context *ctx;
    carom_arena_chunk *first;
} carom_arena;

void carom_arena_init(carom_arena *arena, carom_context *ctx);
void carom_arena_free(carom_arena *arena);
/* Zeroed, 16-byte aligned; NULL when out of memory or on overflow. */
void *carom_arena_alloc(carom_arena *arena, size_t count, size_t size);
/* Copies of texts in the arena; NULL when out of memory. */
char *carom_arena_text(carom_arena *arena, const char *text);
/* `last` where it is the same text, else a copy; for texts of which many are the same in turn. `last` may be NULL. */
const char *carom_arena_text_again(carom_arena *arena, const char *text, const char *last);
char *carom_arena_text_n(carom_arena *arena, const char *text, size_t length);
char *carom_arena_format(carom_arena *arena, const char *format, ...) CAROM_PRINTF(2, 3);

/* Index of names, which it borrows: each has a number. Found in a time that does not grow with their count. */
typedef struct carom_name_slot carom_name_slot;
typedef struct carom_names {
    carom_name_slot *slots;
    size_t mask;
} carom_names;

/* An empty index for up to `capacity` names. Errors: CAROM_ERROR_MEMORY. */
carom_status carom_names_create(carom_arena *arena, size_t capacity, carom_names *out);
/* False if the name is there already, whose number stays. */
bool carom_names_add(carom_names *names, const char *name, int value);
/* The number of a name; -1: it is not there, or NULL. */
int carom_names_find(const carom_names *names, const char *name);

/* ---- definitions ---- */

/* Whether the size at the beginning of a definition is one that a function which knows `size` bytes takes; NULL is. */
static inline bool carom_def_fits(const void *def, size_t size)
{
    size_t given = size;
    if (def)
        memcpy(&given, def, sizeof given);
    return given >= sizeof given && given <= size;
}
/* Copies a definition of the caller into `own`, which holds the defaults in `size` bytes: as much as the caller's
   header knew; NULL leaves the defaults. `name` as "context_def". Errors: CAROM_ERROR_USAGE with the function that
   fills it. */
carom_status carom_take_def(carom_context *ctx, const void *def, void *own, size_t size, const char *name);

/* ---- texts ---- */

/* Letters and digits are ASCII, whatever the locale. */
static inline bool carom_is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static inline bool carom_is_digit(char c) { return c >= '0' && c <= '9'; }
static inline bool carom_is_word_char(char c) { return carom_is_letter(c) || carom_is_digit(c) || c == '_'; }

/* A text that grows; starts as {0} with ctx set. After a failure it stays valid and `failed` is true. */
typedef struct carom_text {
    carom_context *ctx;
    char *data;             /* NUL-terminated once anything was appended; may be NULL before */
    size_t length, capacity;
    bool failed;
} carom_text;

void carom_text_append(carom_text *text, const char *format, ...) CAROM_PRINTF(2, 3);
/* A field of a CSV file: quoted, with quotes doubled, if it holds a comma, a quote or a line end; with ' before what
   begins with = + - @ and is no number, which programs of tables would calculate. By some calls of `write`. */
void carom_csv_put(const char *field, void (*write)(void *user, const char *text, size_t length), void *user);
void carom_text_append_csv(carom_text *text, const char *field);
void carom_text_append_n(carom_text *text, const char *bytes, size_t length);
void carom_text_clear(carom_text *text);
/* Moves a finished text into a block of its own length for carom_text_free(), and clears it. */
carom_status carom_text_finish(carom_text *text, char **out);
/* Appends a file, no more once the text has over `most` bytes. Errors: CAROM_ERROR_IO (why), CAROM_ERROR_MEMORY. */
carom_status carom_text_read(carom_text *text, const char *path, size_t most);

/* Whether a name fits a pattern in which each '*' stands for any letters. */
bool carom_text_fits(const char *pattern, const char *name);
/* Whether an item of a list of channels names this one: wholly, by a beginning that ends at a dot, or by a pattern. */
bool carom_text_names(const char *item, const char *name);

/* Bytes of the UTF-8 character at `text`, of which `available` may be read; 0 if there is none. A NUL ends any
   sequence, so that texts that end in one need no number told: SIZE_MAX. */
size_t carom_utf8_size(const char *text, size_t available);
/* Fails with "OWNER: no WHAT 'WORD'; did you mean '...'?" among the names, or with the first of them. */
carom_status carom_fail_unknown(carom_context *ctx, const carom_place *place, const char *owner, const char *what,
                                const char *word, const char *const *names, size_t count);
/* Whether a family of paths has no objects: `energy.kinetic`. */
bool carom_path_is_plain(const char *family, size_t length);
/* Where a path `family.object.quantity` of a text ends, `at` being behind the family's dot. An object's name may hold
   dots, and hyphens: `contact.set.left-floor.2.force`. Behind its first dot a hyphen is one of the name where a dot
   follows, unless what stands there is a path of its own: `contact.hit.force-contact.rest.force` is a difference.
   `hyphens` false: none are names'. `last` (may be NULL): the last dot, or `at`. */
size_t carom_path_end(const char *text, size_t at, bool hyphens, size_t *last);
/* Reads a number in C syntax without locale; false if the text is not wholly one finite number. */
bool carom_parse_number(const char *text, size_t length, double *out);
/* A number with 17 digits and a point, whatever the locale, to text[40]; returns text. */
const char *carom_number_text(char *text, double value);
/* The same with as few digits as give the number back. */
const char *carom_short_number_text(char *text, double value);
/* Hash of bytes (FNV-1a, 64 bit), for comparing states. */
uint64_t carom_hash(const void *bytes, size_t length, uint64_t seed);

#endif
