/* Errors with place, log, memory, arena, growing texts, nearest names, numbers, hashes, and failure of the
   allocator. */
#include "carom_test.h"

#include "base/base.h"

/* ---- an allocator that counts and can fail ---- */

typedef struct counting_allocator {
    size_t blocks, bytes;       /* alive */
    size_t calls;
    size_t fail_at;             /* this call, counted from 1, and all later ones return NULL; 0: none */
} counting_allocator;

static void *count_allocate(void *user, size_t size)
{
    counting_allocator *a = user;
    a->calls++;
    if (a->fail_at && a->calls >= a->fail_at)
        return NULL;
    void *block = malloc(size);
    if (block) {
        a->blocks++;
        a->bytes += size;
    }
    return block;
}

static void count_release(void *user, void *block, size_t size)
{
    counting_allocator *a = user;
    a->blocks--;
    a->bytes -= size;
    free(block);
}

static carom_context *make_context(counting_allocator *a)
{
    carom_context_def def = carom_default_context_def();
    def.allocator = (carom_allocator){count_allocate, count_release, a};
    carom_context *ctx = NULL;
    assert_int_equal(carom_context_create(&def, &ctx), CAROM_OK);
    return ctx;
}

/* ---- context, errors, log ---- */

static void test_context(void **state)
{
    (void)state;
    assert_string_equal(carom_version(), CAROM_VERSION);
    assert_string_equal(carom_status_name(CAROM_OK), "ok");
    assert_string_equal(carom_status_name(CAROM_ERROR_IO), "input/output error");
    assert_string_equal(carom_status_name((carom_status)99), "unknown status");
    assert_int_equal(carom_context_create(NULL, NULL), CAROM_ERROR_USAGE);
    carom_context *ctx = new_context();
    assert_string_equal(carom_context_error(ctx), "");
    carom_context_free(ctx);
    carom_context_free(NULL);
}

static void test_context_without_memory(void **state)
{
    (void)state;
    counting_allocator a = {.fail_at = 1};
    carom_context_def def = carom_default_context_def();
    def.allocator = (carom_allocator){count_allocate, count_release, &a};
    int mark = 0;
    carom_context *ctx = (carom_context *)&mark;
    assert_int_equal(carom_context_create(&def, &ctx), CAROM_ERROR_MEMORY);
    assert_null(ctx);
    assert_int_equal(a.blocks, 0);
}

static void test_error_places(void **state)
{
    (void)state;
    counting_allocator a = {0};
    carom_context *ctx = make_context(&a);
    carom_place place = {"slider_crank.yaml", 23, 7};
    assert_int_equal(carom_fail(ctx, CAROM_ERROR_MODEL, &place, "joint '%s': no body '%s'", "pin", "cranc"),
                     CAROM_ERROR_MODEL);
    assert_string_equal(carom_context_error(ctx), "slider_crank.yaml:23:7: joint 'pin': no body 'cranc'");
    place.line = 0;
    assert_int_equal(carom_fail(ctx, CAROM_ERROR_IO, &place, "cannot be read"), CAROM_ERROR_IO);
    assert_string_equal(carom_context_error(ctx), "slider_crank.yaml: cannot be read");
    place.file = NULL;
    carom_fail(ctx, CAROM_ERROR_USAGE, &place, "a");
    assert_string_equal(carom_context_error(ctx), "a");
    carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "b");
    assert_string_equal(carom_context_error(ctx), "b");
    assert_int_equal(carom_fail_memory(ctx), CAROM_ERROR_MEMORY);
    assert_string_equal(carom_context_error(ctx), "out of memory");
    carom_context_free(ctx);
    assert_int_equal(a.bytes, 0);
}

static void test_long_errors_are_cut(void **state)
{
    (void)state;
    counting_allocator a = {0};
    carom_context *ctx = make_context(&a);
    size_t length = 3 * CAROM_ERROR_TEXT;
    char *text = test_malloc(length + 1);
    memset(text, 'x', length);
    text[length] = '\0';
    carom_fail(ctx, CAROM_ERROR_MODEL, &(carom_place){"a.yaml", 1, 1}, "%s", text);
    assert_int_equal(strlen(carom_context_error(ctx)), CAROM_ERROR_TEXT - 1);
    /* a place that fills the room alone leaves the text, not the place */
    carom_fail(ctx, CAROM_ERROR_MODEL, &(carom_place){text, 1, 1}, "no body 'a'");
    assert_string_equal(carom_context_error(ctx), "no body 'a'");
    test_free(text);
    carom_context_free(ctx);
}

static void keep_line(void *user, carom_log_level level, const char *text)
{
    assert_int_equal(level, CAROM_LOG_WARNING);
    strncpy(user, text, 63);
}

static void test_log(void **state)
{
    (void)state;
    char line[64] = "";
    carom_context_def def = carom_default_context_def();
    def.log = keep_line;
    def.log_user = line;
    carom_context *ctx = NULL;
    assert_int_equal(carom_context_create(&def, &ctx), CAROM_OK);
    carom_log(ctx, CAROM_LOG_WARNING, "speed %g m/s", 2.5);
    assert_string_equal(line, "speed 2.5 m/s");
    carom_context_free(ctx);
    ctx = new_context();
    carom_log(ctx, CAROM_LOG_WARNING, "dropped");
    carom_context_free(ctx);
}

/* ---- memory ---- */

static void test_allocate(void **state)
{
    (void)state;
    counting_allocator a = {0};
    carom_context *ctx = make_context(&a);
    size_t before = a.bytes;
    unsigned char *block = carom_allocate(ctx, 10, 3);
    assert_non_null(block);
    for (int k = 0; k < 30; k++)
        assert_int_equal(block[k], 0);
    void *empty = carom_allocate(ctx, 0, 8);
    assert_non_null(empty);
    assert_null(carom_allocate(ctx, SIZE_MAX / 2, 8));
    carom_release(ctx, empty, 0, 8);
    carom_release(ctx, block, 10, 3);
    carom_release(ctx, NULL, 10, 3);
    assert_int_equal(a.bytes, before);
    carom_context_free(ctx);
    assert_int_equal(a.blocks, 0);
}

static void test_grow(void **state)
{
    (void)state;
    counting_allocator a = {0};
    carom_context *ctx = make_context(&a);
    size_t begin = a.calls;
    int *items = NULL;
    size_t capacity = 0;
    for (int k = 0; k < 1000; k++) {
        assert_int_equal(carom_grow(ctx, &items, &capacity, (size_t)k + 1, sizeof *items), CAROM_OK);
        assert_int_equal(items[k], 0);
        items[k] = k + 1;
    }
    for (int k = 0; k < 1000; k++)
        assert_int_equal(items[k], k + 1);
    for (size_t k = 1000; k < capacity; k++)
        assert_int_equal(items[k], 0);
    assert_true(a.calls - begin < 10);
    size_t calls = a.calls;
    assert_int_equal(carom_grow(ctx, &items, &capacity, capacity, sizeof *items), CAROM_OK);
    assert_int_equal(a.calls, calls);
    /* without memory the old block stays as it is */
    a.fail_at = 1;
    int *same = items;
    size_t old_capacity = capacity;
    assert_int_equal(carom_grow(ctx, &items, &capacity, capacity + 1, sizeof *items), CAROM_ERROR_MEMORY);
    assert_string_equal(carom_context_error(ctx), "out of memory");
    assert_ptr_equal(items, same);
    assert_int_equal(capacity, old_capacity);
    assert_int_equal(items[999], 1000);
    assert_int_equal(carom_grow(ctx, &items, &capacity, SIZE_MAX / 4, sizeof *items), CAROM_ERROR_MEMORY);
    assert_ptr_equal(items, same);
    carom_release(ctx, items, capacity, sizeof *items);
    carom_context_free(ctx);
    assert_int_equal(a.bytes, 0);
}

static void test_arena(void **state)
{
    (void)state;
    counting_allocator a = {0};
    carom_context *ctx = make_context(&a);
    size_t before = a.bytes, begin = a.calls;
    carom_arena arena;
    carom_arena_init(&arena, ctx);
    /* many small blocks and some larger than a chunk: aligned, zeroed, apart */
    unsigned char *blocks[300];
    size_t sizes[300];
    for (size_t k = 0; k < 300; k++) {
        sizes[k] = k % 100 == 99 ? 50000 : k + 1;
        blocks[k] = carom_arena_alloc(&arena, sizes[k], 1);
        assert_non_null(blocks[k]);
        assert_int_equal((uintptr_t)blocks[k] % 16, 0);
        for (size_t i = 0; i < sizes[k]; i++)
            assert_true(blocks[k][i] == 0);
        memset(blocks[k], (int)(k % 255) + 1, sizes[k]);
    }
    for (size_t k = 0; k < 300; k++)
        for (size_t i = 0; i < sizes[k]; i++)
            assert_true(blocks[k][i] == k % 255 + 1);
    assert_true(a.calls - begin <= (CAROM_ARENA_CHUNK ? 30 : 300));
    assert_null(carom_arena_alloc(&arena, SIZE_MAX / 2, 8));
    assert_string_equal(carom_arena_text(&arena, "crank"), "crank");
    assert_string_equal(carom_arena_text(&arena, ""), "");
    assert_string_equal(carom_arena_text_n(&arena, "crank.tip", 5), "crank");
    assert_string_equal(carom_arena_format(&arena, "%s-%d", "leg", 3), "leg-3");
    carom_arena_free(&arena);
    assert_int_equal(a.bytes, before);
    carom_arena_free(&arena);
    /* an arena that was freed may be used again; without memory it gives NULL */
    assert_non_null(carom_arena_alloc(&arena, 1, 1));
    a.fail_at = 1;
    assert_null(carom_arena_alloc(&arena, 100000, 1));
    carom_arena_free(&arena);
    assert_null(carom_arena_text(&arena, "x"));
    assert_null(carom_arena_format(&arena, "%d", 1));
    carom_arena_free(&arena);
    carom_context_free(ctx);
    assert_int_equal(a.blocks, 0);
}

/* ---- texts ---- */

static void test_text(void **state)
{
    (void)state;
    counting_allocator a = {0};
    carom_context *ctx = make_context(&a);
    carom_text text = {.ctx = ctx};
    for (int k = 0; k < 500; k++)
        carom_text_append(&text, "%d,", k % 10);
    carom_text_append_n(&text, "end!", 3);
    assert_false(text.failed);
    assert_int_equal(text.length, 1003);
    assert_int_equal(strlen(text.data), 1003);
    assert_string_equal(text.data + 996, "8,9,end");
    /* a failure is kept, and so is what was there */
    a.fail_at = 1;
    for (int k = 0; k < 1000 && !text.failed; k++)
        carom_text_append(&text, "%d,", k);
    assert_true(text.failed);
    size_t length = text.length;
    assert_int_equal(strlen(text.data), length);
    a.fail_at = 0;
    carom_text_append_n(&text, "x", 1);
    carom_text_append(&text, "%d", 1);
    assert_int_equal(text.length, length);
    carom_text_clear(&text);
    carom_context_free(ctx);
    assert_int_equal(a.bytes, 0);
}

/* Every allocation of a sequence of calls fails once; nothing is lost and nothing is left behind. */
static void test_every_allocation_fails_once(void **state)
{
    (void)state;
    bool complete = false;
    size_t last = 0;
    for (size_t fail_at = 2; !complete && fail_at < 100; fail_at++) {
        counting_allocator a = {0};
        carom_context *ctx = make_context(&a);
        a.fail_at = fail_at;
        carom_arena arena;
        carom_arena_init(&arena, ctx);
        carom_text text = {.ctx = ctx};
        int *items = NULL;
        size_t capacity = 0;
        complete = true;
        for (size_t k = 1; k <= 60; k++) {
            complete = carom_arena_alloc(&arena, 1000, 1) && complete;
            carom_text_append(&text, "%zu ", k);
            complete = carom_grow(ctx, &items, &capacity, k, sizeof *items) == CAROM_OK && complete;
        }
        complete = complete && !text.failed;
        carom_release(ctx, items, capacity, sizeof *items);
        carom_text_clear(&text);
        carom_arena_free(&arena);
        carom_context_free(ctx);
        assert_int_equal(a.blocks, 0);
        assert_int_equal(a.bytes, 0);
        last = fail_at;
    }
    assert_true(complete);
    assert_true(last > 10);
}

static void test_nearest_name(void **state)
{
    (void)state;
    static const char *const names[] = {"mass", "inertia", "velocity", "angular_velocity", "frames", "at"};
    static const struct {
        const char *word, *nearest;
    } cases[] = {
        {"mas", "mass"},                         /* deletion */
        {"masss", "mass"},                       /* insertion */
        {"inertla", "inertia"},                  /* substitution */
        {"velocity", "velocity"},                /* itself */
        {"veloctiy", "velocity"},                /* swap of neighbours */
        {"angluar_velcity", "angular_velocity"}, /* two changes of fifteen */
        {"ta", "at"},
        {"stiffness", NULL},
        {"xy", NULL},
        {"t", "at"},
        {"x", NULL}, /* all letters of a word of one differ */
    };
    for (size_t k = 0; k < CAROM_COUNT(cases); k++) {
        const char *nearest = carom_nearest_name(cases[k].word, names, CAROM_COUNT(names));
        if (cases[k].nearest) {
            assert_non_null(nearest);
            assert_string_equal(nearest, cases[k].nearest);
        } else
            assert_null(nearest);
    }
    assert_null(carom_nearest_name("m", (const char *const[]){"x"}, 1));
    assert_string_equal(carom_nearest_name("k", (const char *const[]){"x", "K"}, 2), "K");
    assert_null(carom_nearest_name("mass", names, 0));
    char very_long[200];
    memset(very_long, 'm', sizeof very_long - 1);
    very_long[sizeof very_long - 1] = '\0';
    assert_null(carom_nearest_name(very_long, names, CAROM_COUNT(names)));
}

static void test_parse_number(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double value;
    } good[] = {{"0", 0}, {"12", 12}, {"-3.5", -3.5}, {"+1e3", 1000}, {".5", 0.5}, {"5.", 5}, {"1E-4", 1e-4}};
    for (size_t k = 0; k < CAROM_COUNT(good); k++) {
        double x = -1;
        assert_true(carom_parse_number(good[k].text, strlen(good[k].text), &x));
        assert_true(x == good[k].value);
    }
    static const char *const bad[] = {"",   " ",     "1 ",  " 1",  "no",    "0x10", "inf", "nan",
                                      "1e", "1e999", "1,5", "--1", "1.2.3", "e5",   "."};
    for (size_t k = 0; k < CAROM_COUNT(bad); k++) {
        double x = -1;
        assert_false(carom_parse_number(bad[k], strlen(bad[k]), &x));
        assert_true(x == -1);
    }
    /* only the first `length` bytes count */
    double x = 0;
    assert_true(carom_parse_number("12mm", 2, &x));
    assert_true(x == 12);
    char digits[100];
    memset(digits, '1', sizeof digits);
    assert_false(carom_parse_number(digits, sizeof digits, &x));
}

/* Cells of CSV: quotes where they are needed, and nothing that a program of tables would calculate. */
static void test_csv(void **state)
{
    (void)state;
    static const struct { const char *field, *cell; } rows[] = {
        {"", ""}, {"a b", "a b"}, {"a,b", "\"a,b\""}, {"say \"so\"", "\"say \"\"so\"\"\""}, {"a\nb", "\"a\nb\""},
        {"=cmd()", "\"'=cmd()\""}, {"+1+cmd|' /C'!A0", "\"'+1+cmd|' /C'!A0\""}, {"@SUM(A1)", "\"'@SUM(A1)\""},
        {"-1.5e-3", "-1.5e-3"}, {"+2", "+2"}, {"-2+3", "\"'-2+3\""}, {"\t=1", "\"'\t=1\""}, {"-", "\"'-\""},
    };
    carom_context *ctx = new_context();
    for (size_t k = 0; k < CAROM_COUNT(rows); k++) {
        carom_text text = {.ctx = ctx};
        carom_text_append(&text, "|");
        carom_text_append_csv(&text, rows[k].field);
        assert_string_equal(text.data + 1, rows[k].cell);
        carom_text_clear(&text);
    }
    carom_context_free(ctx);
}

static void test_hash(void **state)
{
    (void)state;
    /* published values of 64-bit FNV-1a */
    assert_true(carom_hash("", 0, 0) == 0xcbf29ce484222325u);
    assert_true(carom_hash("a", 1, 0) == 0xaf63dc4c8601ec8cu);
    assert_true(carom_hash("foobar", 6, 0) == 0x85944171f73967e8u);
    /* a text in two parts, the hash of the first as seed of the second */
    assert_true(carom_hash("bar", 3, carom_hash("foo", 3, 0)) == carom_hash("foobar", 6, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_context),
        cmocka_unit_test(test_context_without_memory),
        cmocka_unit_test(test_error_places),
        cmocka_unit_test(test_long_errors_are_cut),
        cmocka_unit_test(test_log),
        cmocka_unit_test(test_allocate),
        cmocka_unit_test(test_grow),
        cmocka_unit_test(test_arena),
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_every_allocation_fails_once),
        cmocka_unit_test(test_nearest_name),
        cmocka_unit_test(test_parse_number),
        cmocka_unit_test(test_hash),
        cmocka_unit_test(test_csv),
    };
    return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
