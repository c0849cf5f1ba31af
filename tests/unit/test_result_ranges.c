/* Results that are packed, and read by ranges of rows or by their outline: the same bits, with all extrema. */
#include "result_run.h"
#include "result/h5.h"

#define ROWS 40001
#define STEPS 9000
#define BLOCK 1024

/* A number of the pair: noise, smooth, constant in blocks, with values that are none. */
static double number_at(size_t row, size_t column)
{
    uint64_t bits = (row * 2 + column + 1) * 0x9E3779B97F4A7C15u;
    bits ^= bits >> 29;
    bits *= 0xBF58476D1CE4E5B9u;
    if (column == 0)
        return (double)(bits >> 11) * 0x1p-53;
    if (row / 5000 % 2)
        return row / 5000 == 3 ? (double)NAN : 2.5;
    return sin(1e-3 * (double)row);
}

/* A signal that the interval and the steps have, with a peak of one row each. */
static double signal_at(int group, size_t row)
{
    if (group == 0 && row == 23456)
        return 1000;
    if (group == 1 && row == 4321)
        return -1000;
    return cos(1e-4 * (double)row) + group;
}
static double moment(int group, size_t row) { return group ? 7.00005 + 1e-4 * (double)row : 1e-3 * (double)row; }

static void write_long_run(carom_context *ctx, const char *path)
{
    static const carom_channel list[] = {CHANNEL("body.a.pair", "m", "Two numbers.", 2, xyz, 0),
                                         CHANNEL("contact.a.signal", "N", "A signal.", 1, NULL, 0),
                                         CHANNEL("body.a.still", "m", "A constant.", 1, NULL, 0),
                                         CHANNEL("contact.a.signal", "N", "A signal.", 1, NULL, 1)};
    carom_writer_def def = make_def(path);
    def.channels = list;
    def.channel_count = CAROM_COUNT(list);
    def.block_rows[0] = BLOCK;
    carom_writer *writer = NULL;
    assert_int_equal(carom_writer_create(ctx, &def, &writer), CAROM_OK);
    const carom_sink *sink = carom_writer_sink(writer);
    static double time[BLOCK], data[4 * BLOCK];
    /* whole blocks, and odd ones among them */
    for (size_t row = 0, count; row < ROWS; row += count) {
        count = row / BLOCK % 7 == 5 ? 311 : BLOCK;
        count = ROWS - row < count ? ROWS - row : count;
        for (size_t k = 0; k < count; k++) {
            const double numbers[4] = {number_at(row + k, 0), number_at(row + k, 1), signal_at(0, row + k), -1.25};
            time[k] = moment(0, row + k);
            memcpy(data + 4 * k, numbers, sizeof numbers);
        }
        assert_int_equal(sink->rows(sink->user, 0, count, time, data), CAROM_OK);
    }
    for (size_t row = 0; row < STEPS; row += 100) {
        for (size_t k = 0; k < 100; k++) {
            time[k] = moment(1, row + k);
            data[k] = signal_at(1, row + k);
        }
        assert_int_equal(sink->rows(sink->user, 1, 100, time, data), CAROM_OK);
    }
    assert_int_equal(carom_writer_close(writer, &ledger, "completed"), CAROM_OK);
}

/* HDF5 alone, with its own filters, reads what was packed without them; and the file is smaller than its numbers. */
static void test_packed(void **state)
{
    (void)state;
    counting_allocator a = {0};
    carom_context *ctx = make_context(&a);
    write_long_run(ctx, FILE_A);
    hid_t file = H5Fopen(FILE_A, H5F_ACC_RDONLY, H5P_DEFAULT);
    hid_t pairs = H5Dopen2(file, "channels/body.a.pair", H5P_DEFAULT);
    hid_t still = H5Dopen2(file, "channels/body.a.still", H5P_DEFAULT);
    double *got = test_malloc(2 * ROWS * sizeof *got);
    assert_true(H5Dread(pairs, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, got) >= 0);
    for (size_t k = 0; k < 2 * ROWS; k++)
        assert_true(same(got[k], number_at(k / 2, k % 2)));
    assert_true(H5Dread(still, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, got) >= 0);
    for (size_t k = 0; k < ROWS; k++)
        assert_true(got[k] == -1.25);
    /* a constant needs no more than some hundred bytes a block */
    assert_true(H5Dget_storage_size(still) < 512 * (ROWS / 311 + 2));
    H5Dclose(still);
    H5Dclose(pairs);
    H5Fclose(file);
    test_free(got);
    carom_context_free(ctx);
    assert_int_equal(a.bytes, 0);
}

static void test_ranges(void **state)
{
    (void)state;
    counting_allocator a = {0};
    carom_context *ctx = make_context(&a);
    carom_result *result = NULL;
    write_long_run(ctx, FILE_A);
    assert_int_equal(carom_result_open(ctx, FILE_A, &result), CAROM_OK);
    const size_t opened = a.bytes;
    size_t rows;
    const char *unit;
    assert_int_equal(carom_result_count_rows(result, "body.a.pair.y", &rows, &unit), CAROM_OK);
    assert_int_equal(rows, ROWS);
    assert_string_equal(unit, "m");
    static const size_t ranges[][2] = {{0, 1}, {ROWS - 1, 1}, {1000, 5000}, {ROWS, 0}, {17, 1}, {0, ROWS}};
    double *time = test_malloc(ROWS * sizeof *time), *values = test_malloc(ROWS * sizeof *values);
    for (size_t k = 0; k < CAROM_COUNT(ranges); k++) {
        const size_t first = ranges[k][0], count = ranges[k][1];
        assert_int_equal(carom_result_read_rows(result, "body.a.pair.y", first, count, time, values), CAROM_OK);
        for (size_t i = 0; i < count; i++)
            assert_true(same(values[i], number_at(first + i, 1)) && time[i] == moment(0, first + i));
    }
    assert_int_equal(carom_result_read_rows(result, "time", 5, 2, NULL, values), CAROM_OK);
    assert_true(values[1] == moment(0, 6));
    /* nothing of it is kept */
    assert_int_equal(a.bytes, opened);
    assert_refused(ctx, carom_result_read_rows(result, "body.a.pair.y", ROWS - 1, 2, time, values), CAROM_ERROR_USAGE,
                   "it has 40001 rows");
    assert_refused(ctx, carom_result_read_rows(result, "body.a.pair", 0, 1, time, values), CAROM_ERROR_USAGE,
                   "name one, as in 'body.a.pair.x'");
    assert_refused(ctx, carom_result_count_rows(result, "body.a.stil", &rows, &unit), CAROM_ERROR_USAGE,
                   "did you mean 'body.a.still'?");
    test_free(time);
    test_free(values);
    carom_result_close(result);
    carom_context_free(ctx);
    assert_int_equal(a.bytes, 0);
}

static void check_outline(carom_result *result, double from, double to, size_t parts, double least, double greatest)
{
    size_t rows;
    const double *time, *values;
    const char *unit;
    assert_int_equal(carom_result_outline(result, "contact.a.signal", from, to, parts, &rows, &time, &values, &unit),
                     CAROM_OK);
    assert_string_equal(unit, "N");
    assert_true(rows > 2 && rows <= 8 * (parts + 1));
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (size_t k = 0; k < rows; k++) {
        assert_true(time[k] >= from && time[k] <= to && (!k || time[k] > time[k - 1]));
        low = fmin(low, values[k]);
        high = fmax(high, values[k]);
    }
    if (low != least || high != greatest)
        fail_msg("from %g to %g: %.17g to %.17g instead of %.17g to %.17g", from, to, low, high, least, greatest);
}

static void test_outlines(void **state)
{
    (void)state;
    counting_allocator a = {0};
    carom_context *ctx = make_context(&a);
    carom_result *result = NULL;
    write_long_run(ctx, FILE_A);
    assert_int_equal(carom_result_open(ctx, FILE_A, &result), CAROM_OK);
    /* peaks of one row survive, of both groups */
    check_outline(result, -HUGE_VAL, HUGE_VAL, 100, -1000, 1000);
    check_outline(result, 23, 24, 50, signal_at(0, 24000), 1000);
    check_outline(result, 30, 31, 10, signal_at(0, 31000), signal_at(0, 30000));
    /* few rows are those of the column */
    size_t rows, whole;
    const double *time, *values, *all, *times;
    const char *unit;
    assert_int_equal(carom_result_column(result, "contact.a.signal", &whole, &times, &all, &unit), CAROM_OK);
    assert_int_equal(carom_result_outline(result, "contact.a.signal", -1, 1, ROWS, &rows, &time, &values, &unit),
                     CAROM_OK);
    assert_int_equal(rows, whole);
    assert_ptr_equal(values, all);
    carom_result_close(result);
    carom_context_free(ctx);
    assert_int_equal(a.bytes, 0);
}

/* A result that shows some of its rows reads them alone; what was read before is there again afterwards. */
static void test_some_rows(void **state)
{
    (void)state;
    counting_allocator a = {0};
    carom_context *ctx = make_context(&a);
    carom_result *result = NULL;
    write_long_run(ctx, FILE_A);
    assert_int_equal(carom_result_open(ctx, FILE_A, &result), CAROM_OK);
    size_t rows, count;
    const double *time, *values, *again;
    const char *unit;
    assert_int_equal(carom_result_column(result, "body.a.pair.y", &rows, &time, &values, &unit), CAROM_OK);
    static const size_t shown[] = {0, 1, 4095, 4096, 20000, 20001, ROWS - 1};
    const size_t before = a.bytes;
    assert_int_equal(carom_result_show_rows(result, 0, shown, CAROM_COUNT(shown)), CAROM_OK);
    assert_int_equal(carom_result_column(result, "body.a.pair.x", &count, &time, &again, &unit), CAROM_OK);
    assert_int_equal(count, CAROM_COUNT(shown));
    for (size_t k = 0; k < count; k++)
        assert_true(again[k] == number_at(shown[k], 0) && time[k] == moment(0, shown[k]));
    /* ranges are those of the file */
    double number;
    assert_int_equal(carom_result_read_rows(result, "body.a.pair.y", 12345, 1, NULL, &number), CAROM_OK);
    assert_true(same(number, number_at(12345, 1)));
    carom_result_show_all(result);
    assert_int_equal(a.bytes, before);
    assert_int_equal(carom_result_column(result, "body.a.pair.y", &rows, &time, &again, &unit), CAROM_OK);
    assert_int_equal(rows, ROWS);
    assert_ptr_equal(values, again);
    /* closing ends it as well */
    assert_int_equal(carom_result_show_rows(result, 0, shown, 3), CAROM_OK);
    carom_result_close(result);
    carom_context_free(ctx);
    assert_int_equal(a.bytes, 0);
}

/* The file comes to its size: no more rows are taken, of which the writer tells, and what is there is whole. */
static void test_full(void **state)
{
    (void)state;
    counting_allocator a = {0};
    carom_context *ctx = make_context(&a);
    carom_writer_def def = make_def(FILE_A);
    def.most_bytes = 400000;
    carom_writer *writer = NULL;
    assert_int_equal(carom_writer_create(ctx, &def, &writer), CAROM_OK);
    const carom_sink *sink = carom_writer_sink(writer);
    size_t taken = 0;
    double last;
    while (!carom_writer_full(writer, &last)) {
        send(sink, 0, taken, 256);
        taken += 256;
        assert_true(taken < 100000);
    }
    assert_true(last == time_at(0, taken - 1));
    send(sink, 0, taken, 256);
    assert_int_equal(carom_writer_close(writer, &ledger, "completed"), CAROM_OK);
    struct stat info;
    assert_int_equal(stat(FILE_A, &info), 0);
    assert_true(info.st_size <= 400000 && info.st_size > 200000);
    carom_result *result = NULL;
    assert_int_equal(carom_result_open(ctx, FILE_A, &result), CAROM_OK);
    check_column(result, "body.slider.angle", 0, 6, taken, "rad");
    carom_result_close(result);
    carom_context_free(ctx);
    assert_int_equal(a.bytes, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_packed),
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_outlines),
        cmocka_unit_test(test_some_rows),
        cmocka_unit_test(test_full),
    };
    return cmocka_run_group_tests_name("result_ranges", tests, NULL, NULL);
}
