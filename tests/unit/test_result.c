/* Results: written and read back bit for bit, wrong names and definitions, equal runs, failing memory, CSV. */
#include <stdio.h>

#include "result/h5.h"
#include "result_run.h"
#include "support/channel.h"

/* ---- tests ---- */

/* The parts of a channel's name as they were given, and found by them. */
static void check_parts(const carom_result *result, const char *name, const char *type, const char *object,
                        const char *quantity)
{
    size_t count, found;
    const carom_channel *list = carom_result_channels(result, &count);
    assert_true(carom_result_find_quantity(result, 0, type, object, quantity, &found));
    assert_string_equal(list[found].name, name);
    assert_string_equal(list[found].type, type);
    assert_string_equal(list[found].object, object);
    assert_string_equal(list[found].quantity, quantity);
    assert_false(carom_result_find_quantity(result, 1, type, object, quantity, &found));
}

static void test_parts(void **state)
{
    (void)state;
    /* no name could be taken apart so */
    const carom_channel odd[] = {
        {.name = "a.b.c.d", .unit = "m", .description = "", .size = 1, .type = "a.b", .object = "c", .quantity = "d"},
        CHANNEL("body.left.arm.angle", "rad", "", 1, NULL, 0),
        CHANNEL("energy.kinetic", "J", "", 1, NULL, 0),
        CHANNEL("jump", "N", "", 1, NULL, 0)};
    /* the second one looks like two to who would look for ", set " */
    const char *const overrides[] = {"e=0.7", "name=a, set b=c"};
    carom_writer_def def = {.size = sizeof(carom_writer_def), .path = FILE_A,
                            .channels = odd,
                            .channel_count = CAROM_COUNT(odd),
                            .overrides = overrides,
                            .override_count = CAROM_COUNT(overrides)};
    counting_allocator a = {0};
    carom_context *ctx = make_context(&a);
    carom_writer *writer = NULL;
    carom_result *result = NULL;
    assert_int_equal(carom_writer_create(ctx, &def, &writer), CAROM_OK);
    assert_int_equal(carom_writer_methods(writer, "auto: adams 1 s of the run, 0 changes"), CAROM_OK);
    assert_int_equal(carom_writer_close(writer, NULL, NULL), CAROM_OK);
    assert_int_equal(carom_result_open(ctx, FILE_A, &result), CAROM_OK);
    assert_string_equal(carom_result_methods(result), "auto: adams 1 s of the run, 0 changes");
    check_parts(result, "a.b.c.d", "a.b", "c", "d");
    check_parts(result, "body.left.arm.angle", "body", "left.arm", "angle");
    check_parts(result, "energy.kinetic", "energy", "", "kinetic");
    check_parts(result, "jump", "", "", "jump");
    size_t count;
    const char *const *set = carom_result_overrides(result, &count);
    assert_int_equal(count, CAROM_COUNT(overrides));
    for (size_t k = 0; k < count; k++)
        assert_string_equal(set[k], overrides[k]);
    carom_result_close(result);
    carom_context_free(ctx);
}

/* A file of the format before: without overrides, which are in its line of options. */
static void test_older_format(void **state)
{
    (void)state;
    counting_allocator a = {0};
    carom_context *ctx = make_context(&a);
    carom_writer_def def = make_def(FILE_A);
    carom_writer *writer = NULL;
    carom_result *result = NULL;
    assert_int_equal(carom_writer_create(ctx, &def, &writer), CAROM_OK);
    assert_int_equal(carom_writer_close(writer, NULL, NULL), CAROM_OK);
    hid_t file = H5Fopen(FILE_A, H5F_ACC_RDWR, H5P_DEFAULT), format = H5Aopen(file, "format", H5P_DEFAULT);
    hid_t type = H5Aget_type(format);
    assert_true(H5Awrite(format, type, "carom-result 3") >= 0);
    H5Tclose(type);
    H5Aclose(format);
    assert_true(H5Fclose(file) >= 0);
    assert_int_equal(carom_result_open(ctx, FILE_A, &result), CAROM_ERROR_IO);
    assert_null(result);
    assert_non_null(strstr(carom_context_error(ctx), "carom-result 3"));
    carom_context_free(ctx);
}

static void test_round_trip(void **state)
{
    (void)state;
    counting_allocator a = {0};
    carom_context *ctx = make_context(&a);
    size_t before = a.bytes;
    write_run(ctx, FILE_A, 1030, 700, 130);
    assert_int_equal(a.bytes, before);
    carom_result *result = NULL;
    assert_int_equal(carom_result_open(ctx, FILE_A, &result), CAROM_OK);
    assert_string_equal(carom_result_model_name(result), "slider_crank");
    assert_string_equal(carom_result_title(result), "Slider–crank with clearance");
    assert_string_equal(carom_result_model_text(result), "model: slider_crank\nbodies: []\n");
    assert_string_equal(carom_result_options(result), "integrator adams, tolerance 1e-8");
    assert_string_equal(carom_result_version(result), carom_version());
    assert_true(strlen(carom_result_host(result)) > 0);
    assert_string_equal(carom_result_status(result), "completed");
    size_t count;
    carom_result_overrides(result, &count);
    assert_int_equal(count, 0);
    const carom_channel *list = carom_result_channels(result, &count);
    assert_int_equal(count, CAROM_COUNT(channels));
    for (size_t k = 0; k < count; k++) {
        assert_string_equal(list[k].name, channels[k].name);
        assert_string_equal(list[k].unit, channels[k].unit);
        assert_string_equal(list[k].description, channels[k].description);
        assert_int_equal(list[k].size, channels[k].size);
        assert_int_equal(list[k].group, channels[k].group);
        assert_true(!list[k].components == !channels[k].components);
        for (int i = 0; list[k].components && i < list[k].size; i++)
            assert_string_equal(list[k].components[i], xyz[i]);
    }
    check_column(result, "body.slider.position.x", 0, 0, 1030, "m");
    check_column(result, "body.slider.position.z", 0, 2, 1030, "m");
    check_column(result, "joint.pin.reaction.y", 0, 4, 1030, "N");
    check_column(result, "body.slider.angle", 0, 6, 1030, "rad");
    check_column(result, "contact.hit.force", 1, 0, 700, "N");
    check_column(result, "contact.hit/left.point.z", 1, 3, 700, "m");
    check_column(result, "contact.hit.total_force", 2, 0, 300, "N");
    const char *const *warnings = carom_result_warnings(result, &count);
    assert_int_equal(count, 2);
    assert_string_equal(warnings[0], "contact 'hit': faster than the law allows");
    assert_int_equal(strlen(warnings[1]), 1022);
    carom_ledger got;
    assert_true(carom_result_ledger(result, &got));
    assert_memory_equal(&got, &ledger, sizeof got);
    const carom_impact *impacts = carom_result_impacts(result, &count);
    assert_int_equal(count, 130);
    for (size_t k = 0; k < count; k++) {
        carom_impact want = impact_at(k);
        assert_string_equal(impacts[k].contact, want.contact);
        assert_int_equal(impacts[k].contact_index, want.contact_index);
        assert_memory_equal(&impacts[k].onset, &want.onset, sizeof want - offsetof(carom_impact, onset));
    }
    carom_result_close(result);
    carom_context_free(ctx);
    assert_int_equal(a.blocks, 0);
    assert_int_equal(a.bytes, 0);
}

static void test_empty_run(void **state)
{
    (void)state;
    counting_allocator a = {0};
    carom_context *ctx = make_context(&a);
    carom_writer_def def = {.size = sizeof(carom_writer_def), .path = FILE_A};
    carom_writer *writer = NULL;
    assert_int_equal(carom_writer_create(ctx, &def, &writer), CAROM_OK);
    assert_int_equal(carom_writer_close(writer, NULL, "failed"), CAROM_OK);
    carom_result *result = NULL;
    assert_int_equal(carom_result_open(ctx, FILE_A, &result), CAROM_OK);
    assert_string_equal(carom_result_status(result), "failed");
    assert_string_equal(carom_result_title(result), "");
    carom_ledger got;
    assert_false(carom_result_ledger(result, &got));
    size_t count = 7;
    carom_result_impacts(result, &count);
    assert_int_equal(count, 0);
    const double *time, *values;
    const char *unit;
    assert_int_equal(carom_result_column(result, "time", &count, &time, &values, &unit), CAROM_OK);
    assert_int_equal(count, 0);
    assert_int_equal(carom_result_column(result, "x", &count, &time, &values, &unit), CAROM_ERROR_USAGE);
    carom_result_close(result);
    assert_int_equal(carom_writer_close(NULL, NULL, NULL), CAROM_OK);
    carom_result_close(NULL);
    carom_context_free(ctx);
    assert_int_equal(a.bytes, 0);
}

static void test_large_model_text(void **state)
{
    (void)state;
    counting_allocator a = {0};
    carom_context *ctx = make_context(&a);
    size_t length = 300000;
    char *text = test_malloc(length + 1);
    memset(text, '#', length);
    text[length] = '\0';
    carom_writer_def def = make_def(FILE_A);
    def.model_text = text;
    carom_writer *writer = NULL;
    assert_int_equal(carom_writer_create(ctx, &def, &writer), CAROM_OK);
    assert_int_equal(carom_writer_close(writer, &ledger, "interrupted"), CAROM_OK);
    carom_result *result = NULL;
    assert_int_equal(carom_result_open(ctx, FILE_A, &result), CAROM_OK);
    assert_string_equal(carom_result_model_text(result), text);
    assert_string_equal(carom_result_status(result), "interrupted");
    carom_result_close(result);
    test_free(text);
    carom_context_free(ctx);
}

static void test_impacts_are_sorted_and_names_cut(void **state)
{
    (void)state;
    counting_allocator a = {0};
    carom_context *ctx = make_context(&a);
    carom_writer_def def = {.size = sizeof(carom_writer_def), .path = FILE_A, .model_name = "m"};
    carom_writer *writer = NULL;
    assert_int_equal(carom_writer_create(ctx, &def, &writer), CAROM_OK);
    const carom_sink *sink = carom_writer_sink(writer);
    char name[80] = "";
    memset(name, 'a', 62);
    strcpy(name + 62, "ü and more");    /* its two bytes would be bytes 63 and 64 */
    carom_impact late = impact_at(9), early = impact_at(1);
    early.contact = name;
    assert_int_equal(sink->impact(sink->user, &late), CAROM_OK);
    assert_int_equal(sink->impact(sink->user, &early), CAROM_OK);
    assert_int_equal(carom_writer_close(writer, NULL, NULL), CAROM_OK);
    carom_result *result = NULL;
    assert_int_equal(carom_result_open(ctx, FILE_A, &result), CAROM_OK);
    size_t count;
    const carom_impact *impacts = carom_result_impacts(result, &count);
    assert_int_equal(count, 2);
    assert_true(impacts[0].onset == early.onset && impacts[1].onset == late.onset);
    name[62] = '\0';
    assert_string_equal(impacts[0].contact, name);
    carom_result_close(result);
    carom_context_free(ctx);
}

/* Events are read as they were written, texts cut at a character; a file without any has none. */
static void test_events(void **state)
{
    (void)state;
    counting_allocator a = {0};
    carom_context *ctx = make_context(&a);
    char name[300] = "";
    memset(name, 'e', 126);
    strcpy(name + 126, "ü and more");
    for (size_t events = 0; events < 200; events += 150) {
        carom_writer_def def = {.size = sizeof(carom_writer_def), .path = FILE_A, .model_name = "m"};
        carom_writer *writer = NULL;
        carom_result *result = NULL;
        size_t count;
        assert_int_equal(carom_writer_create(ctx, &def, &writer), CAROM_OK);
        const carom_sink *sink = carom_writer_sink(writer);
        for (size_t k = 0; k < events; k++) {
            const carom_fired_event event = {k % 2 ? name : "catch", k % 2, 0.1 * (double)k, -1.0 / (double)(k + 1),
                                             "lock+stop", "lock pin, stop", 0.5 * (double)k, 7, 0.25};
            assert_int_equal(sink->event(sink->user, &event), CAROM_OK);
        }
        assert_int_equal(carom_writer_close(writer, NULL, NULL), CAROM_OK);
        assert_int_equal(carom_result_open(ctx, FILE_A, &result), CAROM_OK);
        const carom_fired_event *read = carom_result_events(result, &count);
        assert_int_equal(count, events);
        name[126] = '\0';
        for (size_t k = 0; k < count; k++) {
            assert_string_equal(read[k].event, k % 2 ? name : "catch");
            assert_true(read[k].event_index == k % 2 && read[k].time == 0.1 * (double)k);
            assert_true(read[k].energy == -1.0 / (double)(k + 1));
            assert_true(read[k].rate == 0.5 * (double)k && read[k].peak == 7 && read[k].depth == 0.25);
            assert_string_equal(read[k].kind, "lock+stop");
            assert_string_equal(read[k].action, "lock pin, stop");
        }
        carom_result_close(result);
    }
    carom_context_free(ctx);
    assert_int_equal(a.bytes, 0);
}

static void test_wrong_names(void **state)
{
    (void)state;
    counting_allocator a = {0};
    carom_context *ctx = make_context(&a);
    write_run(ctx, FILE_A, 10, 10, 0);
    carom_result *result = NULL;
    assert_int_equal(carom_result_open(ctx, FILE_A, &result), CAROM_OK);
    static const struct { const char *name, *says; } wrong[] = {
        {"body.slidr.position.x", "did you mean 'body.slider.position.x'?"},
        {"body.slider.position", "components x, y, z; name one, as in 'body.slider.position.x'"},
        {"body.slider.position.w", "did you mean 'body.slider.position.x'?"},
        {"nothing at all like that one", "no channel 'nothing at all like that one'; it has 6 channels"},
        {"", "no channel ''"},
    };
    for (size_t k = 0; k < CAROM_COUNT(wrong); k++) {
        size_t rows;
        const double *time, *values;
        const char *unit;
        assert_int_equal(carom_result_column(result, wrong[k].name, &rows, &time, &values, &unit), CAROM_ERROR_USAGE);
        assert_non_null(strstr(carom_context_error(ctx), wrong[k].says));
        assert_non_null(strstr(carom_context_error(ctx), FILE_A));
    }
    carom_result_close(result);
    carom_context_free(ctx);
    assert_int_equal(a.bytes, 0);
}

static void test_wrong_definitions(void **state)
{
    (void)state;
    counting_allocator a = {0};
    carom_context *ctx = make_context(&a);
    static const char *const blank[] = {"x y"};
    static const carom_channel wrong[] = {
        CHANNEL("", "m", "", 1, NULL, 0),     CHANNEL("a", "m", "", 1, NULL, 3),  CHANNEL("time", "s", "", 1, NULL, 1),
        CHANNEL("a", "m", "", 3, NULL, 0),    CHANNEL("a", "m", "", 0, NULL, 0),  CHANNEL("a", "m", "", 1, blank, 0),
    };
    unlink(FILE_B);
    carom_writer *writer = NULL;
    for (size_t k = 0; k < CAROM_COUNT(wrong); k++) {
        carom_writer_def def = {.size = sizeof(carom_writer_def), .path = FILE_B, .channels = &wrong[k],
                                .channel_count = 1};
        assert_int_equal(carom_writer_create(ctx, &def, &writer), CAROM_ERROR_USAGE);
        assert_null(writer);
        assert_false(exists(FILE_B));
    }
    carom_writer_def def = {.size = sizeof(carom_writer_def), .path = ""};
    assert_int_equal(carom_writer_create(ctx, &def, &writer), CAROM_ERROR_USAGE);
    /* two channels of one name leave no file */
    const carom_channel twice[] = {CHANNEL("a", "m", "", 1, NULL, 0), CHANNEL("a", "m", "", 1, NULL, 0)};
    def = (carom_writer_def){.size = sizeof(carom_writer_def), .path = FILE_B, .channels = twice, .channel_count = 2};
    assert_refused(ctx, carom_writer_create(ctx, &def, &writer), CAROM_ERROR_IO, "channel 'a'");
    assert_false(exists(FILE_B));
    carom_context_free(ctx);
    assert_int_equal(a.bytes, 0);
}

/* ---- equal runs ---- */

static unsigned char *read_bytes(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    unsigned char *bytes = test_malloc(*size + 1);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    bytes[*size] = '\0';
    fclose(file);
    return bytes;
}

static void test_equal_runs_give_equal_files(void **state)
{
    (void)state;
    counting_allocator a = {0};
    carom_context *ctx = make_context(&a);
    write_run(ctx, FILE_A, 1030, 700, 130);
    write_run(ctx, FILE_B, 1030, 700, 130);
    size_t size_a, size_b;
    unsigned char *bytes_a = read_bytes(FILE_A, &size_a), *bytes_b = read_bytes(FILE_B, &size_b);
    assert_int_equal(size_a, size_b);
    assert_memory_equal(bytes_a, bytes_b, size_a);
    test_free(bytes_a);
    test_free(bytes_b);
    carom_context_free(ctx);
}

/* ---- failing memory ---- */

static void test_every_allocation_of_the_writer_fails(void **state)
{
    (void)state;
    carom_status status = CAROM_ERROR_MEMORY;
    for (size_t n = 2; status != CAROM_OK; n++) {
        assert_true(n < 100);
        counting_allocator a = {0};
        carom_context *ctx = make_context(&a);
        a.fail_at = n;
        unlink(FILE_B);
        carom_writer_def def = make_def(FILE_B);
        carom_writer *writer = NULL;
        status = carom_writer_create(ctx, &def, &writer);
        if (status == CAROM_OK) {
            assert_int_equal(carom_writer_close(writer, &ledger, "completed"), CAROM_OK);
        } else {
            assert_int_equal(status, CAROM_ERROR_MEMORY);
            assert_false(exists(FILE_B));
            assert_null(writer);
        }
        carom_context_free(ctx);
        assert_int_equal(a.blocks, 0);
        assert_int_equal(a.bytes, 0);
    }
    assert_int_equal(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
}

static void ignore_text(void *user, const char *text, size_t length)
{
    (void)user;
    (void)text;
    (void)length;
}

/* Opens, reads a column, exports; the status of the first failure. */
static carom_status read_something(carom_context *ctx)
{
    carom_result *result = NULL;
    carom_status status = carom_result_open(ctx, FILE_A, &result);
    size_t rows;
    const double *time, *values;
    const char *unit;
    if (status == CAROM_OK)
        status = carom_result_column(result, "body.slider.position.x", &rows, &time, &values, &unit);
    if (status == CAROM_OK)
        status = carom_result_csv(result, 1, NULL, 0, ignore_text, NULL);
    carom_result_close(result);
    return status;
}

static void test_every_allocation_of_the_reader_fails(void **state)
{
    (void)state;
    counting_allocator good = {0};
    carom_context *writer_ctx = make_context(&good);
    write_run(writer_ctx, FILE_A, 1000, 100, 70);
    carom_context_free(writer_ctx);
    carom_status status = CAROM_ERROR_MEMORY;
    size_t n = 2;
    for (; status != CAROM_OK; n++) {
        assert_true(n < 200);
        counting_allocator a = {0};
        carom_context *ctx = make_context(&a);
        a.fail_at = n;
        status = read_something(ctx);
        assert_true(status == CAROM_OK || status == CAROM_ERROR_MEMORY);
        carom_context_free(ctx);
        assert_int_equal(a.blocks, 0);
        assert_int_equal(a.bytes, 0);
    }
    assert_true(n > 10);
    assert_int_equal(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
}

/* ---- CSV ---- */

typedef struct collected {
    char text[400000];
    size_t length, calls;
} collected;

static void collect(void *user, const char *text, size_t length)
{
    collected *c = user;
    assert_true(c->length + length < sizeof c->text);
    memcpy(c->text + c->length, text, length);
    c->length += length;
    c->text[c->length] = '\0';
    c->calls++;
}

static void test_csv(void **state)
{
    (void)state;
    counting_allocator a = {0};
    carom_context *ctx = make_context(&a);
    write_run(ctx, FILE_A, 2000, 7, 0);
    carom_result *result = NULL;
    assert_int_equal(carom_result_open(ctx, FILE_A, &result), CAROM_OK);
    static collected out;
    const char *names[] = {"body.slider.angle", "joint.pin.reaction.y", "body.slider.position"};
    out.length = out.calls = 0;
    assert_int_equal(carom_result_csv(result, 0, names, 3, collect, &out), CAROM_OK);
    assert_true(out.calls > 1);
    const char *header = "time [s],body.slider.angle [rad],joint.pin.reaction.y [N],body.slider.position.x [m],"
                         "body.slider.position.y [m],body.slider.position.z [m]\n";
    assert_memory_equal(out.text, header, strlen(header));
    char *p = out.text + strlen(header);
    static const size_t columns[] = {6, 4, 0, 1, 2};
    for (size_t row = 0; row < 2000; row++) {
        assert_true(same(strtod(p, &p), time_at(0, row)));
        for (size_t k = 0; k < CAROM_COUNT(columns); k++) {
            assert_int_equal(*p++, ',');
            double want = value_at(0, row, columns[k]), got = strtod(p, &p);
            assert_true(same(want, got) || (isnan(want) && isnan(got)));
        }
        assert_int_equal(*p++, '\n');
    }
    assert_int_equal(*p, '\0');
    out.length = out.calls = 0;
    assert_int_equal(carom_result_csv(result, 1, NULL, 0, collect, &out), CAROM_OK);
    header = "time [s],contact.hit.force [N],contact.hit/left.point.x [m],contact.hit/left.point.y [m],"
             "contact.hit/left.point.z [m]\n0,";
    assert_memory_equal(out.text, header, strlen(header));
    assert_refused(ctx, carom_result_csv(result, 1, names, 1, collect, &out),
                   CAROM_ERROR_USAGE, "at the output interval");
    names[0] = "body.slider.angel";
    assert_refused(ctx, carom_result_csv(result, 0, names, 1, collect, &out),
                   CAROM_ERROR_USAGE, "did you mean 'body.slider.angle'?");
    assert_int_equal(carom_result_csv(result, 2, names, 1, collect, &out), CAROM_ERROR_USAGE);
    carom_result_close(result);
    carom_context_free(ctx);
    assert_int_equal(a.bytes, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_older_format),
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_empty_run),
        cmocka_unit_test(test_large_model_text),
        cmocka_unit_test(test_impacts_are_sorted_and_names_cut),
        cmocka_unit_test(test_events), cmocka_unit_test(test_wrong_names),
        cmocka_unit_test(test_wrong_definitions),
        cmocka_unit_test(test_equal_runs_give_equal_files),
        cmocka_unit_test(test_every_allocation_of_the_writer_fails),
        cmocka_unit_test(test_every_allocation_of_the_reader_fails),
        cmocka_unit_test(test_csv),
    };
    return cmocka_run_group_tests_name("result", tests, NULL, NULL);
}
