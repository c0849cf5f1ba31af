/* `carom sweep merge`: one store of those of a job array; and the table of a store as CSV. */
#include "sweep/sweep.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void write_text(void *user, const char *text, size_t length)
{
    (void)user;
    fwrite(text, 1, length, stdout);
}

int print_store_csv(const session *s, carom_store *store)
{
    const carom_status status = carom_store_csv(store, write_text, NULL);
    return status == CAROM_OK ? EXIT_DONE : session_error(s, status);
}

/* The study of a store, checked, so that it has its units. */
static int study_of(session *s, const char *path, carom_study **out)
{
    carom_store *store;
    carom_status status = carom_store_open(s->ctx, path, &store);
    if (status != CAROM_OK)
        return session_error(s, status);
    const carom_study_info info = carom_study_get_info(carom_store_study(store));
    status = carom_study_parse(s->ctx, info.file, info.text, strlen(info.text), info.model_text, out);
    if (status == CAROM_OK)
        status = carom_study_check(s->ctx, *out);
    carom_store_close(store);
    return status == CAROM_OK ? EXIT_DONE : session_error(s, status);
}

/* "study-7of100.db" without its part; NULL: it names none. */
static char *whole_name(const char *path)
{
    const char *hyphen = strrchr(path, '-');
    size_t part, parts;
    int read = 0;
    if (!hyphen || sscanf(hyphen, "-%zuof%zu.db%n", &part, &parts, &read) != 2 || read == 0 || hyphen[read])
        return NULL;
    return format_text("%.*s.db", (int)(hyphen - path), path);
}

static int merge_all(session *s, const text_list *stores, carom_store *to, const char *path)
{
    size_t added = 0;
    for (size_t k = 0; k < stores->count; k++) {
        carom_store *from;
        size_t count;
        carom_status status = carom_store_open(s->ctx, stores->items[k], &from);
        if (status != CAROM_OK)
            return session_error(s, status);
        status = carom_store_merge(to, from, &count);
        carom_store_close(from);
        if (status != CAROM_OK)
            return session_error(s, status);
        added += count;
    }
    carom_status status = carom_store_commit(to);
    carom_store_info info;
    if (status == CAROM_OK)
        status = carom_store_get_info(to, &info);
    if (status != CAROM_OK)
        return session_error(s, status);
    printf("%zu store%s, %zu runs added: %s has %zu of %zu runs\n", stores->count, stores->count == 1 ? "" : "s", added,
           path, info.done, info.runs);
    if (info.done < info.runs)
        printf("%zu runs are missing: `carom sweep STUDY -o %s` makes them\n", info.runs - info.done, path);
    return EXIT_DONE;
}

int sweep_merge(session *s, const text_list *stores, const char *output)
{
    if (stores->count == 0)
        return usage_error("sweep", "merge: name the stores, `carom sweep merge study-*of100.db -o study.db`");
    char *path = output ? format_text("%s", output) : whole_name(stores->items[0]);
    if (!path)
        return usage_error("sweep", "merge: name the store to make by -o STORE");
    carom_study *study = NULL;
    carom_store *to = NULL;
    int code = study_of(s, stores->items[0], &study);
    if (code == EXIT_DONE) {
        const carom_status status = carom_store_create(s->ctx, path, study, NULL, &to);
        code = status == CAROM_OK ? merge_all(s, stores, to, path) : session_error(s, status);
    }
    carom_store_close(to);
    carom_study_free(study);
    free(path);
    return code;
}
