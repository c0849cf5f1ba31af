/* Stores of sweeps with damaged bytes, and such whose tables are others: each is read, or told as damaged by a sentence
   with its name. CAROM_DAMAGES=N makes N damages and prints what came of them. */
#include "carom_test.h"

#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <unistd.h>

#include "base/base.h"
#include "carom/store.h"
#include "support/sample.h"

#define STORE "store.db"
#define DAMAGED "damaged.db"
#define RUNS 60

static const char model[] = "{carom: 1, dimension: 2, parameters: {K: 1e9, law: flores},\n"
                            "bodies: {a: {mass: 1, inertia: 1e-3, velocity: [1, 0]}},\n"
                            "run: {until: 3*ms}}\n";
static const char study_text[] = "{model: model.yaml, sampling: {type: grid},\n"
                                 "parameters: {K: {from: 1e8, to: 1e9, count: 30}, law: [flores, hertz]},\n"
                                 "quantities: {x: 'max(body.a.position.x)'}}\n";

static uint64_t chance;

static uint64_t any(void)
{
    uint64_t z = chance += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

static void write_store(carom_context *ctx)
{
    carom_study *study = NULL;
    carom_store *store = NULL;
    unlink(STORE);
    assert_ok(ctx, carom_study_parse(ctx, "study.yaml", study_text, strlen(study_text), model, &study));
    assert_ok(ctx, carom_store_create(ctx, STORE, study, NULL, &store));
    assert_int_equal(carom_study_get_info(study).runs, RUNS);
    for (size_t k = 0; k < RUNS; k++) {
        const double x = (double)k;
        const carom_study_outcome outcome = {"completed", k % 7 ? "" : "a word of the run", 0.1, &x};
        assert_ok(ctx, carom_store_put(store, k, &outcome));
    }
    assert_ok(ctx, carom_store_commit(store));
    carom_store_close(store);
    carom_study_free(study);
}

static void count_bytes(void *user, const char *text, size_t length)
{
    *(uint64_t *)user = carom_hash(text, length, *(uint64_t *)user);
}

/* Opens a store and writes its table; *hash: of the table. */
static carom_status read_store(carom_context *ctx, const char *path, uint64_t *hash)
{
    carom_store *store = NULL;
    carom_store_info info;
    *hash = 0;
    CAROM_TRY(carom_store_open(ctx, path, &store));
    carom_status status = carom_store_get_info(store, &info);
    if (status == CAROM_OK)
        status = carom_store_csv(store, count_bytes, hash);
    carom_store_close(store);
    return status;
}

static void test_damages(void **state)
{
    (void)state;
    const char *asked = getenv("CAROM_DAMAGES");
    int number = 0;
    const uint64_t seed = (uint64_t)sample_first(1 << 28, &number) << 32;
    const size_t count = asked ? strtoull(asked, NULL, 10) : 100;
    size_t same = 0, other = 0, told = 0;
    uint64_t content, hash;
    carom_context *ctx = new_context();
    write_store(ctx);
    assert_ok(ctx, read_store(ctx, STORE, &content));
    FILE *file = fopen(STORE, "rb");
    static unsigned char bytes[1 << 17], copy[1 << 17];
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    assert_true(size > 4096 && size < sizeof bytes);
    for (size_t k = 0; k < count; k++) {
        chance = seed + k * 0x1000003u;
        memcpy(copy, bytes, size);
        size_t kept = size;
        for (size_t i = 0, changes = 1 + any() % 4; i < changes; i++)
            copy[any() % (any() % 2 ? size : 200)] = (unsigned char)(any() % 3 ? any() : any() % 2 * 255);
        if (any() % 8 == 0)
            kept = (size_t)(any() % size);
        if (any() % 8 == 0)
            memset(copy + any() % (size - 512), (int)(any() % 2 * 255), 512);
        file = fopen(DAMAGED, "wb");
        assert_int_equal(fwrite(copy, 1, kept, file), kept);
        fclose(file);
        const carom_status status = read_store(ctx, DAMAGED, &hash);
        const char *text = carom_context_error(ctx);
        if (status != CAROM_OK && !strstr(text, DAMAGED) && !strstr(text, "study.yaml") && !strstr(text, "model"))
            fail_msg("damage %zu: %s: %s", k, carom_status_name(status), text);
        told += status != CAROM_OK;
        same += status == CAROM_OK && hash == content;
        other += status == CAROM_OK && hash != content;
    }
    print_message("%zu bytes: %zu damages: %zu read as before, %zu as other numbers, %zu told as damaged\n", size,
                  count, same, other, told);
    carom_context_free(ctx);
}

/* Tables that a stranger has put in the place of the store's. */
static void test_other_tables(void **state)
{
    (void)state;
    static const char *const sql[] = {
        ("ALTER TABLE runs RENAME TO old; CREATE VIEW runs AS WITH RECURSIVE c(run) AS (SELECT 1 UNION ALL SELECT run "
         "+ 1 FROM c) SELECT * FROM c"),
        "DROP TABLE columns",
        "UPDATE runs SET run = 1000000 WHERE run = 5",
        "UPDATE runs SET run = -3 WHERE run = 5",
        "DELETE FROM study WHERE key = 'study'",
        "UPDATE study SET value = 'bodies: [' WHERE key = 'study'",
        "UPDATE study SET value = zeroblob(1000) WHERE key = 'study'",
    };
    carom_context *ctx = new_context();
    uint64_t hash;
    for (size_t k = 0; k < CAROM_COUNT(sql); k++) {
        sqlite3 *db = NULL;
        write_store(ctx);
        assert_int_equal(sqlite3_open(STORE, &db), SQLITE_OK);
        assert_int_equal(sqlite3_exec(db, sql[k], NULL, NULL, NULL), SQLITE_OK);
        sqlite3_close(db);
        const carom_status status = read_store(ctx, STORE, &hash);
        if (status == CAROM_OK || !carom_context_error(ctx)[0])
            fail_msg("%s: %s", sql[k], carom_status_name(status));
    }
    /* a word that the study does not have is none */
    sqlite3 *db = NULL;
    write_store(ctx);
    assert_int_equal(sqlite3_open(STORE, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "UPDATE runs SET law = 'none', x = 'word', status = NULL", NULL, NULL, NULL), 0);
    sqlite3_close(db);
    assert_ok(ctx, read_store(ctx, STORE, &hash));
    carom_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_damages),
        cmocka_unit_test(test_other_tables),
    };
    return cmocka_run_group_tests_name("damaged_store", tests, NULL, NULL);
}
