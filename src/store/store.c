/* Stores of studies: the one file that knows SQLite. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* locks of open files, which SQLite's own do not take away */
#endif
#include "carom/store.h"
#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define APPLICATION_ID 0x4361726F /* "Caro" */
#define FORMAT 1
#define BUSY_MS 60000
#define MOST_TEXT (1 << 28)     /* bytes of a text in the file */
/* A byte far behind those that SQLite locks: who writes the store holds it. */
#define WRITER_BYTE 0x50000000

struct carom_store {
    carom_context *ctx;
    carom_arena arena;
    const char *path;
    sqlite3 *db;
    sqlite3_stmt *insert;
    carom_study *own; /* made of the texts in the file */
    const carom_study *study;
    const char **units;   /* of parameters, then quantities */
    const char **columns; /* names in the table, likewise */
    size_t parameters, quantities, runs, part, parts;
    const char *version;
    sqlite3_int64 session;
    int lock; /* file descriptor, -1: none */
    bool begun, created;
    double *row;
};

carom_store_def carom_default_store_def(void) { return (carom_store_def){.size = sizeof(carom_store_def)}; }

bool carom_store_is_one(const char *path)
{
    unsigned char head[72];
    FILE *file = path ? fopen(path, "rb") : NULL;
    if (!file)
        return false;
    const bool whole = fread(head, 1, sizeof head, file) == sizeof head;
    fclose(file);
    return whole && memcmp(head, "SQLite format 3", 16) == 0 &&
           (((unsigned)head[68] << 24) | ((unsigned)head[69] << 16) | ((unsigned)head[70] << 8) | head[71]) ==
               APPLICATION_ID;
}

/* ---- SQLite ---- */

static carom_status fail_db(carom_store *s, const char *what)
{
    const int code = s->db ? sqlite3_errcode(s->db) : SQLITE_NOMEM;
    if (code == SQLITE_NOMEM)
        return carom_fail_memory(s->ctx);
    const char *remedy = "";
    if (code == SQLITE_FULL || (code & 0xFF) == SQLITE_IOERR)
        remedy = "; make room on the disk and give the same command again: the runs that were stored are kept";
    else if (code == SQLITE_BUSY)
        remedy = "; another program holds it";
    else if (code == SQLITE_CANTOPEN)
        remedy = "; make the folder first, or choose another file";
    else if (code == SQLITE_NOTADB || code == SQLITE_CORRUPT || code == SQLITE_ERROR)
        remedy = "; the store is damaged: choose another file, or remove it and sweep again";
    else if (code == SQLITE_READONLY)
        remedy = "; write to a file that you may write to";
    return carom_fail(s->ctx, CAROM_ERROR_IO, NULL, "%s: cannot %s: %s%s", s->path, what, sqlite3_errmsg(s->db),
                      remedy);
}

static carom_status execute(carom_store *s, const char *sql, const char *what)
{
    return sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK ? CAROM_OK : fail_db(s, what);
}

static carom_status prepare(carom_store *s, const char *sql, sqlite3_stmt **out)
{
    return sqlite3_prepare_v2(s->db, sql, -1, out, NULL) == SQLITE_OK ? CAROM_OK : fail_db(s, "read the store");
}

/* Sets one entry of the table `study`. */
static carom_status set_entry(carom_store *s, const char *key, const char *text)
{
    sqlite3_stmt *statement;
    CAROM_TRY(prepare(s, "INSERT OR REPLACE INTO study VALUES (?, ?)", &statement));
    sqlite3_bind_text(statement, 1, key, -1, SQLITE_TRANSIENT);
    if (text)
        sqlite3_bind_text(statement, 2, text, -1, SQLITE_TRANSIENT);
    const bool done = sqlite3_step(statement) == SQLITE_DONE;
    carom_status status = done ? CAROM_OK : fail_db(s, "write the study");
    sqlite3_finalize(statement);
    return status;
}

/* *out is NULL if there is none. */
static carom_status get_entry(carom_store *s, const char *key, const char **out)
{
    sqlite3_stmt *statement;
    *out = NULL;
    CAROM_TRY(prepare(s, "SELECT value FROM study WHERE key = ?", &statement));
    sqlite3_bind_text(statement, 1, key, -1, SQLITE_TRANSIENT);
    const int code = sqlite3_step(statement);
    carom_status status = code == SQLITE_ROW || code == SQLITE_DONE ? CAROM_OK : fail_db(s, "read the store");
    if (code == SQLITE_ROW && sqlite3_column_type(statement, 0) != SQLITE_NULL) {
        *out = carom_arena_text(&s->arena, (const char *)sqlite3_column_text(statement, 0));
        if (!*out)
            status = carom_fail_memory(s->ctx);
    }
    sqlite3_finalize(statement);
    return status;
}

/* ---- columns ---- */

/* A column as its study has it. */
typedef struct store_column {
    const char *name, *unit, *expression;       /* of a parameter no expression */
    bool parameter;
} store_column;

static store_column column_of(const carom_store *s, size_t k)
{
    carom_study_parameter p;
    carom_study_quantity q;
    if (k < s->parameters) {
        carom_study_get_parameter(s->study, k, &p);
        return (store_column){p.name, p.unit, NULL, true};
    }
    carom_study_get_quantity(s->study, k - s->parameters, &q);
    return (store_column){q.name, q.unit, q.expression, false};
}

static bool same_column(const char *a, const char *b) { return sqlite3_stricmp(a, b) == 0; }

/* Names of the columns, which SQLite tells apart without regard to case: a second one gets an underscore. */
static carom_status name_columns(carom_store *s)
{
    static const char *const taken[] = {"run", "status", "message", "seconds", "session", "rowid", "oid", "_rowid_"};
    const size_t count = s->parameters + s->quantities;
    s->columns = carom_arena_alloc(&s->arena, count + 1, sizeof *s->columns);
    s->units = carom_arena_alloc(&s->arena, count + 1, sizeof *s->units);
    s->row = carom_arena_alloc(&s->arena, count + 1, sizeof *s->row);
    if (!s->columns || !s->units || !s->row)
        return carom_fail_memory(s->ctx);
    for (size_t k = 0; k < count; k++) {
        const store_column column = column_of(s, k);
        const char *name = column.name;
        s->units[k] = column.unit;
        for (bool clash = true; clash;) {
            clash = false;
            for (size_t i = 0; i < CAROM_COUNT(taken); i++)
                clash = clash || same_column(name, taken[i]);
            for (size_t i = 0; i < k; i++)
                clash = clash || same_column(name, s->columns[i]);
            if (clash && !(name = carom_arena_format(&s->arena, "%s_", name)))
                return carom_fail_memory(s->ctx);
        }
        s->columns[k] = name;
    }
    return CAROM_OK;
}

static carom_status write_columns(carom_store *s)
{
    sqlite3_stmt *statement;
    carom_status status = CAROM_OK;
    CAROM_TRY(prepare(s, "INSERT INTO columns VALUES (?, ?, ?, ?, ?)", &statement));
    for (size_t k = 0; k < s->parameters + s->quantities && status == CAROM_OK; k++) {
        const store_column column = column_of(s, k);
        sqlite3_bind_text(statement, 1, s->columns[k], -1, SQLITE_TRANSIENT);
        sqlite3_bind_text(statement, 2, column.parameter ? "parameter" : "quantity", -1, SQLITE_STATIC);
        sqlite3_bind_text(statement, 3, column.name, -1, SQLITE_TRANSIENT);
        sqlite3_bind_text(statement, 4, s->units[k], -1, SQLITE_TRANSIENT);
        sqlite3_bind_text(statement, 5, column.expression, -1, SQLITE_TRANSIENT);
        if (sqlite3_step(statement) != SQLITE_DONE)
            status = fail_db(s, "write the columns");
        sqlite3_reset(statement);
    }
    sqlite3_finalize(statement);
    return status;
}

static carom_status read_units(carom_store *s)
{
    sqlite3_stmt *statement;
    carom_status status = CAROM_OK;
    CAROM_TRY(prepare(s, "SELECT unit FROM columns ORDER BY rowid", &statement));
    int code = SQLITE_DONE;
    for (size_t k = 0; k < s->parameters + s->quantities && (code = sqlite3_step(statement)) == SQLITE_ROW; k++) {
        const char *unit = (const char *)sqlite3_column_text(statement, 0);
        s->units[k] = unit ? carom_arena_text(&s->arena, unit) : NULL;
        if (unit && !s->units[k])
            status = carom_fail_memory(s->ctx);
    }
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        status = fail_db(s, "read the store");
    sqlite3_finalize(statement);
    return status;
}

/* ---- the file ---- */

static carom_status create_tables(carom_store *s)
{
    char header[160];
    snprintf(header, sizeof header, "BEGIN IMMEDIATE; PRAGMA application_id = %d; PRAGMA user_version = %d;",
             APPLICATION_ID, FORMAT);
    CAROM_TRY(execute(s, header, "create the store"));
    CAROM_TRY(execute(s,
                      "CREATE TABLE study (key TEXT PRIMARY KEY, value TEXT);"
                      "CREATE TABLE columns (name TEXT, role TEXT, title TEXT, unit TEXT, expression TEXT);"
                      "CREATE TABLE sessions (session INTEGER PRIMARY KEY, version TEXT, begun TEXT, workers INTEGER)",
                      "create the store"));
    carom_text sql = {.ctx = s->ctx};
    carom_text_append(&sql, "CREATE TABLE runs (run INTEGER PRIMARY KEY");
    for (size_t k = 0; k < s->parameters + s->quantities; k++)
        carom_text_append(&sql, ", \"%s\"", s->columns[k]);
    carom_text_append(&sql, ", status TEXT, message TEXT, seconds REAL, session INTEGER)");
    carom_status status = sql.failed ? carom_fail_memory(s->ctx) : execute(s, sql.data, "create the store");
    carom_text_clear(&sql);
    CAROM_TRY(status);
    const carom_study_info info = carom_study_get_info(s->study);
    char number[64];
    CAROM_TRY(set_entry(s, "version", carom_version()));
    CAROM_TRY(set_entry(s, "title", info.title));
    CAROM_TRY(set_entry(s, "study file", info.file));
    CAROM_TRY(set_entry(s, "study", info.text));
    CAROM_TRY(set_entry(s, "model file", info.model));
    CAROM_TRY(set_entry(s, "model", info.model_text));
    CAROM_TRY(set_entry(s, "identity", info.identity));
    snprintf(number, sizeof number, "%zu", info.runs);
    CAROM_TRY(set_entry(s, "runs", number));
    if (s->parts) {
        snprintf(number, sizeof number, "%zu/%zu", s->part, s->parts);
        CAROM_TRY(set_entry(s, "array", number));
    }
    CAROM_TRY(write_columns(s));
    return execute(s, "COMMIT", "create the store");
}

static carom_store *make_store(carom_context *ctx, const char *path)
{
    carom_store *s = carom_allocate(ctx, 1, sizeof *s);
    if (!s)
        return NULL;
    s->ctx = ctx;
    s->lock = -1;
    carom_arena_init(&s->arena, ctx);
    s->path = carom_arena_text(&s->arena, path);
    if (s->path)
        return s;
    carom_store_close(s);
    return NULL;
}

void carom_store_close(carom_store *s)
{
    if (!s)
        return;
    sqlite3_finalize(s->insert);
    if (s->db && s->begun)
        sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
    sqlite3_close(s->db);
    if (s->lock >= 0)
        close(s->lock); /* behind SQLite: closing a file takes its locks away */
    carom_study_free(s->own);
    carom_arena_free(&s->arena);
    carom_release(s->ctx, s, 1, sizeof *s);
}

static carom_status open_file(carom_store *s, int flags)
{
    if (sqlite3_open_v2(s->path, &s->db, flags | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
        return fail_db(s, "open the store");
    sqlite3_busy_timeout(s->db, BUSY_MS);
    /* what the file brings along is data: no views, no triggers, no functions of its schema */
    sqlite3_db_config(s->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(s->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(s->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    sqlite3_db_config(s->db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
    sqlite3_limit(s->db, SQLITE_LIMIT_LENGTH, MOST_TEXT);
    return execute(s, "PRAGMA cell_size_check = ON", "open the store");
}

/* The pages and rows of the file fit together, which takes one reading of it. */
static carom_status check_pages(carom_store *s)
{
    sqlite3_stmt *statement;
    CAROM_TRY(prepare(s, "PRAGMA quick_check(1)", &statement));
    const bool row = sqlite3_step(statement) == SQLITE_ROW;
    const char *text = row ? (const char *)sqlite3_column_text(statement, 0) : NULL;
    carom_status status = CAROM_OK;
    if (!row)
        status = fail_db(s, "open the store");
    else if (!text || strcmp(text, "ok") != 0)
        status = carom_fail(s->ctx, CAROM_ERROR_IO, NULL,
                            "%s: the store is damaged (%.200s): choose another file, or remove it and sweep again",
                            s->path, text ? text : "no reason given");
    sqlite3_finalize(statement);
    return status;
}

static carom_status check_file(carom_context *ctx, const char *path)
{
    struct stat info;
    if (stat(path, &info) != 0)
        return carom_fail(ctx, CAROM_ERROR_IO, NULL, "cannot open '%s': %s", path, strerror(errno));
    if (!carom_store_is_one(path))
        return carom_fail(ctx, CAROM_ERROR_IO, NULL, "%s: is no store of a sweep; choose another file for it (-o FILE)",
                          path);
    return CAROM_OK;
}

/* What a study needs to be read again. */
static carom_status read_study(carom_store *s)
{
    const char *file, *text, *model, *runs;
    CAROM_TRY(get_entry(s, "study file", &file));
    CAROM_TRY(get_entry(s, "study", &text));
    CAROM_TRY(get_entry(s, "model", &model));
    CAROM_TRY(get_entry(s, "runs", &runs));
    if (!file || !text || !runs)
        return carom_fail(s->ctx, CAROM_ERROR_IO, NULL,
                          "%s: the store has no study: its creation was cut off; remove it", s->path);
    CAROM_TRY(carom_study_parse(s->ctx, file, text, strlen(text), model, &s->own));
    s->study = s->own;
    return CAROM_OK;
}

static void take_counts(carom_store *s)
{
    const carom_study_info info = carom_study_get_info(s->study);
    s->parameters = info.parameters;
    s->quantities = info.quantities;
    s->runs = info.runs;
}

static carom_status read_array(carom_store *s)
{
    const char *array;
    CAROM_TRY(get_entry(s, "version", &s->version));
    CAROM_TRY(get_entry(s, "array", &array));
    if (array && sscanf(array, "%zu/%zu", &s->part, &s->parts) != 2)
        s->part = s->parts = 0;
    return CAROM_OK;
}

static carom_status open_to_read(carom_store *s)
{
    CAROM_TRY(check_file(s->ctx, s->path));
    /* a journal that a killed program left is rolled back by who may write */
    CAROM_TRY(open_file(s, access(s->path, W_OK) == 0 ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY));
    CAROM_TRY(check_pages(s));
    CAROM_TRY(read_study(s));
    CAROM_TRY(read_array(s));
    take_counts(s);
    CAROM_TRY(name_columns(s));
    return read_units(s);
}

carom_status carom_store_open(carom_context *ctx, const char *path, carom_store **out)
{
    CAROM_NEED(ctx, ctx);
    CAROM_NEED(ctx, path);
    CAROM_NEED(ctx, out);
    *out = NULL;
    carom_store *s = make_store(ctx, path);
    if (!s)
        return carom_fail_memory(ctx);
    carom_status status = open_to_read(s);
    if (status == CAROM_OK)
        *out = s;
    else
        carom_store_close(s);
    return status;
}

/* ---- writing ---- */

/* The lock goes with the process. */
static carom_status take_lock(carom_store *s)
{
    struct flock byte = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = WRITER_BYTE, .l_len = 1};
    s->lock = open(s->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (s->lock < 0)
        return carom_fail(s->ctx, CAROM_ERROR_IO, NULL, "%s: cannot be written: %s; %s", s->path, strerror(errno),
                          errno == ENOENT ? "make the folder first" : "choose another file by -o FILE");
    if (fcntl(s->lock, F_OFD_SETLK, &byte) == 0 || (errno != EAGAIN && errno != EACCES))
        return CAROM_OK;
    return carom_fail(s->ctx, CAROM_ERROR_IO, NULL, "%s: another program is writing this store; wait until it ends",
                      s->path);
}

/* The first line in which two identities differ. */
static carom_status refuse_other(carom_store *s, const char *had, const char *asked)
{
    while (*had && *had == *asked) {
        had++;
        asked++;
    }
    const char *line = asked, *text = carom_study_get_info(s->study).identity;
    while (line > text && line[-1] != '\n')
        line--;
    const size_t length = strcspn(line, "\n");
    return carom_fail(
        s->ctx, CAROM_ERROR_USAGE, NULL,
        "%s: holds a sweep of another study, or of this one before it or its model was changed: '%.*s' is "
        "new; give another store by -o FILE, or remove this one",
        s->path, (int)(length < 80 ? length : 80), length ? line : "its end");
}

static carom_status check_same(carom_store *s)
{
    const char *identity;
    CAROM_TRY(get_entry(s, "identity", &identity));
    if (!identity)
        return carom_fail(s->ctx, CAROM_ERROR_IO, NULL,
                          "%s: the store has no study: its creation was cut off; remove it", s->path);
    const char *asked = carom_study_get_info(s->study).identity;
    if (strcmp(identity, asked) != 0)
        return refuse_other(s, identity, asked);
    const size_t part = s->part, parts = s->parts;
    CAROM_TRY(read_array(s));
    if (s->part != part || s->parts != parts)
        return carom_fail(s->ctx, CAROM_ERROR_USAGE, NULL, "%s: holds part %zu of %zu of a job array, not %zu of %zu",
                          s->path, s->part, s->parts, part, parts);
    return CAROM_OK;
}

static carom_status begin_session(carom_store *s, const carom_store_def *def)
{
    sqlite3_stmt *statement;
    char begun[32] = "";
    const time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc))
        strftime(begun, sizeof begun, "%Y-%m-%dT%H:%M:%SZ", &utc);
    CAROM_TRY(prepare(s, "INSERT INTO sessions (version, begun, workers) VALUES (?, ?, ?)", &statement));
    sqlite3_bind_text(statement, 1, carom_version(), -1, SQLITE_TRANSIENT);
    sqlite3_bind_text(statement, 2, begun, -1, SQLITE_TRANSIENT);
    sqlite3_bind_int64(statement, 3, (sqlite3_int64)def->workers);
    carom_status status = sqlite3_step(statement) == SQLITE_DONE ? CAROM_OK : fail_db(s, "write the store");
    sqlite3_finalize(statement);
    s->session = sqlite3_last_insert_rowid(s->db);
    if (status == CAROM_OK && def->retry)
        status = execute(s, "DELETE FROM runs WHERE status IN ('failed', 'refused', 'out of time')", "write the store");
    return status;
}

static carom_status prepare_insert(carom_store *s)
{
    carom_text sql = {.ctx = s->ctx};
    carom_text_append(&sql, "INSERT OR IGNORE INTO runs VALUES (?");
    for (size_t k = 0; k < s->parameters + s->quantities + 4; k++)
        carom_text_append(&sql, ", ?");
    carom_text_append(&sql, ")");
    carom_status status = sql.failed ? carom_fail_memory(s->ctx) : prepare(s, sql.data, &s->insert);
    carom_text_clear(&sql);
    return status;
}

static carom_status read_number(carom_store *s, const char *sql, sqlite3_int64 *out)
{
    sqlite3_stmt *statement;
    CAROM_TRY(prepare(s, sql, &statement));
    const bool row = sqlite3_step(statement) == SQLITE_ROW;
    *out = row ? sqlite3_column_int64(statement, 0) : 0;
    carom_status status = row ? CAROM_OK : fail_db(s, "open the store");
    sqlite3_finalize(statement);
    return status;
}

/* Whether the file is a store: it is none yet if it is empty, as one whose creation was cut off. */
static carom_status look_into(carom_store *s, bool *there)
{
    sqlite3_int64 tables, application;
    CAROM_TRY(read_number(s, "SELECT count(*) FROM sqlite_master", &tables));
    CAROM_TRY(read_number(s, "PRAGMA application_id", &application));
    *there = tables > 0;
    if (tables > 0 && application != APPLICATION_ID)
        return carom_fail(s->ctx, CAROM_ERROR_IO, NULL,
                          "%s: is no store of a sweep; choose another file for it (-o FILE)", s->path);
    return CAROM_OK;
}

static carom_status open_to_write(carom_store *s, const carom_store_def *def)
{
    struct stat info;
    bool there;
    s->created = stat(s->path, &info) != 0;
    s->part = def->part;
    s->parts = def->parts;
    CAROM_TRY(take_lock(s));
    CAROM_TRY(open_file(s, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE));
    CAROM_TRY(look_into(s, &there));
    if (there)
        CAROM_TRY(check_pages(s));
    take_counts(s);
    CAROM_TRY(name_columns(s));
    CAROM_TRY(there ? check_same(s) : create_tables(s));
    CAROM_TRY(begin_session(s, def));
    return prepare_insert(s);
}

carom_status carom_store_create(carom_context *ctx, const char *path, const carom_study *study,
                                const carom_store_def *def, carom_store **out)
{
    CAROM_NEED(ctx, ctx);
    CAROM_NEED(ctx, path);
    CAROM_NEED(ctx, study);
    CAROM_NEED(ctx, out);
    carom_store_def own = carom_default_store_def();
    CAROM_TRY(carom_take_def(ctx, def, &own, sizeof own, "store_def"));
    *out = NULL;
    carom_store *s = make_store(ctx, path);
    if (!s)
        return carom_fail_memory(ctx);
    s->study = study;
    carom_status status = open_to_write(s, &own);
    if (status == CAROM_OK) {
        *out = s;
        return CAROM_OK;
    }
    struct stat info;
    const bool made = s->created && stat(path, &info) == 0 && s->lock >= 0;
    carom_store_close(s);
    if (made)
        remove(path);
    return status;
}

static carom_status begin(carom_store *s)
{
    if (s->begun)
        return CAROM_OK;
    CAROM_TRY(execute(s, "BEGIN IMMEDIATE", "write the store"));
    s->begun = true;
    return CAROM_OK;
}

carom_status carom_store_commit(carom_store *s)
{
    if (!s || !s->begun)
        return CAROM_OK;
    CAROM_TRY(execute(s, "COMMIT", "write the store"));
    s->begun = false;
    return CAROM_OK;
}

static carom_status put(carom_store *s, size_t run, const carom_study_outcome *o, sqlite3_int64 session)
{
    int column = 1;
    CAROM_TRY(carom_study_point(s->ctx, s->study, run, s->row));
    CAROM_TRY(begin(s));
    sqlite3_bind_int64(s->insert, column++, (sqlite3_int64)run + 1);
    for (size_t k = 0; k < s->parameters; k++) {
        carom_study_parameter p;
        carom_study_get_parameter(s->study, k, &p);
        if (p.words)
            sqlite3_bind_text(s->insert, column++, p.words[(size_t)s->row[k]], -1, SQLITE_TRANSIENT);
        else
            sqlite3_bind_double(s->insert, column++, s->row[k]);
    }
    for (size_t k = 0; k < s->quantities; k++)
        if (isfinite(o->quantities[k]))
            sqlite3_bind_double(s->insert, column++, o->quantities[k]);
        else
            sqlite3_bind_null(s->insert, column++);
    sqlite3_bind_text(s->insert, column++, o->status, -1, SQLITE_TRANSIENT);
    sqlite3_bind_text(s->insert, column++, o->message[0] ? o->message : NULL, -1, SQLITE_TRANSIENT);
    sqlite3_bind_double(s->insert, column++, o->seconds);
    sqlite3_bind_int64(s->insert, column, session);
    const bool done = sqlite3_step(s->insert) == SQLITE_DONE;
    carom_status status = done ? CAROM_OK : fail_db(s, "write the store");
    sqlite3_reset(s->insert);
    return status;
}

carom_status carom_store_put(carom_store *s, size_t run, const carom_study_outcome *outcome)
{
    CAROM_NEED_AS(NULL, s, "store");
    CAROM_NEED(s->ctx, outcome);
    return put(s, run, outcome, s->session);
}

/* ---- reading ---- */

carom_status carom_store_get_info(carom_store *s, carom_store_info *out)
{
    CAROM_NEED_AS(NULL, s, "store");
    CAROM_NEED(s->ctx, out);
    sqlite3_stmt *statement;
    CAROM_TRY(prepare(s, "SELECT count(*) FROM runs", &statement));
    *out = (carom_store_info){.version = s->version, .runs = s->runs, .part = s->part, .parts = s->parts};
    const bool row = sqlite3_step(statement) == SQLITE_ROW;
    out->done = row ? (size_t)sqlite3_column_int64(statement, 0) : 0;
    const carom_status status = row ? CAROM_OK : fail_db(s, "read the store");
    sqlite3_finalize(statement);
    return status;
}

const carom_study *carom_store_study(const carom_store *s) { return s ? s->study : NULL; }

const char *carom_store_unit(const carom_store *s, bool quantity, size_t index)
{
    if (!s)
        return NULL;
    const size_t k = quantity ? s->parameters + index : index;
    return k < s->parameters + s->quantities ? s->units[k] : NULL;
}

carom_status carom_store_done(carom_store *s, bool *done, size_t count)
{
    CAROM_NEED_AS(NULL, s, "store");
    CAROM_NEED(s->ctx, done);
    sqlite3_stmt *statement;
    CAROM_TRY(prepare(s, "SELECT run FROM runs", &statement));
    int code;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        const sqlite3_int64 run = sqlite3_column_int64(statement, 0);
        if (run >= 1 && (size_t)run <= count)
            done[run - 1] = true;
    }
    carom_status status = code == SQLITE_DONE ? CAROM_OK : fail_db(s, "read the store");
    sqlite3_finalize(statement);
    return status;
}

static double word_index(const carom_study_parameter *p, const char *word)
{
    for (size_t k = 0; word && k < p->values; k++)
        if (strcmp(p->words[k], word) == 0)
            return (double)k;
    return NAN;
}

/* Calls `row` with the runs of a statement of all columns; `session`: it is wanted as well. */
carom_status carom_store_each(carom_store *s, carom_status (*row)(void *user, const carom_store_row *row), void *user)
{
    CAROM_NEED_AS(NULL, s, "store");
    CAROM_NEED(s->ctx, row);
    sqlite3_stmt *statement;
    CAROM_TRY(prepare(s, "SELECT * FROM runs ORDER BY run", &statement));
    const size_t count = s->parameters + s->quantities;
    carom_status status = CAROM_OK;
    int code = SQLITE_DONE;
    while (status == CAROM_OK && (code = sqlite3_step(statement)) == SQLITE_ROW) {
        for (size_t k = 0; k < count; k++) {
            const int column = (int)k + 1;
            carom_study_parameter p = {.name = NULL};
            if (k < s->parameters)
                carom_study_get_parameter(s->study, k, &p);
            if (p.words)
                s->row[k] = word_index(&p, (const char *)sqlite3_column_text(statement, column));
            else
                s->row[k] = sqlite3_column_type(statement, column) == SQLITE_NULL
                                ? (double)NAN
                                : sqlite3_column_double(statement, column);
        }
        const sqlite3_int64 run = sqlite3_column_int64(statement, 0);
        if (run < 1 || (uint64_t)run > s->runs) {
            status = carom_fail(s->ctx, CAROM_ERROR_IO, NULL,
                                "%s: the store is damaged: it has a run %lld of %zu; remove it and sweep again",
                                s->path, (long long)run, s->runs);
            break;
        }
        const char *state = (const char *)sqlite3_column_text(statement, (int)count + 1);
        const char *message = (const char *)sqlite3_column_text(statement, (int)count + 2);
        const carom_store_row r = {.run = (size_t)run - 1,
                                   .status = state ? state : "",
                                   .message = message ? message : "",
                                   .seconds = sqlite3_column_double(statement, (int)count + 3),
                                   .parameters = s->row,
                                   .quantities = s->row + s->parameters};
        status = row(user, &r);
        code = SQLITE_DONE;
    }
    if (status == CAROM_OK && code != SQLITE_DONE)
        status = fail_db(s, "read the store");
    sqlite3_finalize(statement);
    return status;
}

/* ---- CSV ---- */

typedef struct csv {
    carom_store *store;
    carom_text text;
    void (*write)(void *user, const char *text, size_t length);
    void *user;
} csv;

static carom_status flush(csv *c)
{
    if (c->text.failed)
        return carom_fail_memory(c->store->ctx);
    c->write(c->user, c->text.data, c->text.length);
    c->text.length = 0;
    return CAROM_OK;
}

static carom_status csv_row(void *user, const carom_store_row *row)
{
    csv *c = user;
    const carom_store *s = c->store;
    char text[64];
    carom_text_append(&c->text, "%zu", row->run + 1);
    for (size_t k = 0; k < s->parameters; k++) {
        carom_text_append(&c->text, ",");
        carom_text_append_csv(&c->text, carom_study_value_text(s->study, k, row->parameters[k], text));
    }
    for (size_t k = 0; k < s->quantities; k++)
        carom_text_append(&c->text, ",%s",
                          isnan(row->quantities[k]) ? "" : carom_number_text(text, row->quantities[k]));
    carom_text_append(&c->text, ",");
    carom_text_append_csv(&c->text, row->status);
    carom_text_append(&c->text, ",");
    carom_text_append_csv(&c->text, row->message);
    carom_text_append(&c->text, "\n");
    return c->text.length < 65536 && !c->text.failed ? CAROM_OK : flush(c);
}

carom_status carom_store_csv(carom_store *s, void (*write)(void *user, const char *text, size_t length), void *user)
{
    CAROM_NEED_AS(NULL, s, "store");
    CAROM_NEED(s->ctx, write);
    csv c = {.store = s, .text = {.ctx = s->ctx}, .write = write, .user = user};
    carom_text_append(&c.text, "run");
    for (size_t k = 0; k < s->parameters + s->quantities; k++) {
        carom_text_append(&c.text, ",%s", column_of(s, k).name);
        if (s->units[k])
            carom_text_append(&c.text, " [%s]", s->units[k]);
    }
    carom_text_append(&c.text, ",status,message\n");
    carom_status status = carom_store_each(s, csv_row, &c);
    if (status == CAROM_OK)
        status = flush(&c);
    carom_text_clear(&c.text);
    return status;
}

/* ---- merging ---- */

typedef struct merging {
    carom_store *to;
    size_t added;
} merging;

static carom_status take_row(void *user, const carom_store_row *row)
{
    merging *m = user;
    const carom_study_outcome outcome = {row->status, row->message, row->seconds, row->quantities};
    CAROM_TRY(put(m->to, row->run, &outcome, m->to->session));
    m->added += (size_t)sqlite3_changes(m->to->db);
    return CAROM_OK;
}

carom_status carom_store_merge(carom_store *s, carom_store *other, size_t *added)
{
    CAROM_NEED_AS(NULL, s, "store");
    CAROM_NEED(s->ctx, other);
    const char *own = carom_study_get_info(s->study).identity, *its = carom_study_get_info(other->study).identity;
    if (strcmp(own, its) != 0)
        return carom_fail(
            s->ctx, CAROM_ERROR_USAGE, NULL,
            "%s: is a store of another study than %s, or of another state of its model; nothing of it was "
            "taken",
            other->path, s->path);
    merging m = {.to = s};
    carom_status status = carom_store_each(other, take_row, &m);
    *added = m.added;
    return status;
}
