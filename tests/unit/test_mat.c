/* MAT-files: every byte of the file is read again by a parser of its own; names, failing memory, paths, full disks. */
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>

#include "result_run.h"
#include "support/channel.h"

#define FILE_MAT "result.mat"

enum { MX_CELL = 1, MX_STRUCT = 2, MX_CHAR = 4, MX_DOUBLE = 6, MOST = 64 };

/* ---- a parser: tags, sizes and padding are checked as they are met ---- */

typedef struct element {
    uint32_t type, bytes;
    size_t data, next;          /* offsets in the file */
} element;

typedef struct array {
    int class;
    char name[65];
    uint32_t rows, columns;
    element data;               /* of numbers and texts; of cells and fields `data` is the offset of the first */
    uint32_t field_bytes;       /* length of a field name */
    size_t field_names, end;
} array;

static unsigned char *file_bytes;
static size_t file_size;

static uint64_t integer_at(size_t offset, int bytes)
{
    assert_true(offset + (size_t)bytes <= file_size);
    uint64_t value = 0;
    for (int k = bytes - 1; k >= 0; k--)
        value = value << 8 | file_bytes[offset + (size_t)k];
    return value;
}

static element element_at(size_t offset)
{
    assert_true(offset % 8 == 0);
    uint32_t first = (uint32_t)integer_at(offset, 4);
    element e = {.type = first & 0xffff};
    if (first >> 16) { /* small: size and type share four bytes, the data are the next four */
        e.bytes = first >> 16;
        e.data = offset + 4;
        e.next = offset + 8;
        assert_true(e.bytes <= 4);
    } else {
        e.bytes = (uint32_t)integer_at(offset + 4, 4);
        e.data = offset + 8;
        e.next = e.data + (e.bytes + 7u) / 8 * 8;
        assert_true(e.bytes == 0 || e.bytes > 4);
    }
    assert_true(e.next <= file_size);
    for (size_t k = e.data + e.bytes; k < e.next; k++)
        assert_int_equal(file_bytes[k], 0);
    return e;
}

static array array_at(size_t offset)
{
    array a = {0};
    element matrix = element_at(offset), flags = element_at(matrix.data);
    assert_int_equal(matrix.type, 14);
    assert_int_equal(matrix.bytes % 8, 0);
    a.end = matrix.next;
    assert_int_equal(flags.type, 6);
    assert_int_equal(flags.bytes, 8);
    a.class = (int)integer_at(flags.data, 8); /* no flag such as "complex" or "logical", no count of nonzeros */
    element size = element_at(flags.next), name = element_at(size.next);
    assert_int_equal(size.type, 5);
    assert_int_equal(size.bytes, 8);
    a.rows = (uint32_t)integer_at(size.data, 4);
    a.columns = (uint32_t)integer_at(size.data + 4, 4);
    assert_int_equal(name.type, 1);
    assert_true(name.bytes < 64);
    memcpy(a.name, file_bytes + name.data, name.bytes);
    a.data.data = name.next;
    if (a.class == MX_DOUBLE || a.class == MX_CHAR) {
        a.data = element_at(name.next);
        assert_int_equal(a.data.type, a.class == MX_DOUBLE ? 9 : 4);
        assert_int_equal(a.data.bytes, (uint64_t)a.rows * a.columns * (a.class == MX_DOUBLE ? 8 : 2));
        assert_int_equal(a.data.next, a.end);
    } else if (a.class == MX_STRUCT) {
        element length = element_at(name.next), names = element_at(length.next);
        assert_int_equal(length.type, 5);
        assert_int_equal(length.bytes, 4);
        assert_int_equal(names.type, 1);
        assert_true(a.rows == 1 && a.columns == 1);
        a.field_bytes = (uint32_t)integer_at(length.data, 4);
        assert_true(a.field_bytes <= 64 && names.bytes % a.field_bytes == 0);
        a.field_names = names.data;
        a.data.data = names.next;
        a.columns = names.bytes / a.field_bytes; /* here: the number of fields */
    } else {
        assert_int_equal(a.class, MX_CELL);
    }
    return a;
}

/* A MATLAB name: a letter, then letters, digits and '_', at most 63. */
static void check_name(const char *name)
{
    assert_true(strlen(name) > 0 && strlen(name) < 64);
    assert_true(strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", name[0]) != NULL);
    assert_int_equal(strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"), strlen(name));
}

/* Item k of a struct or cell; of a struct with its name. */
static array item_of(const array *a, uint32_t index)
{
    size_t offset = a->data.data;
    assert_true(index < (a->class == MX_CELL ? a->rows : a->columns));
    for (uint32_t k = 0; k < index; k++)
        offset = element_at(offset).next;
    array item = array_at(offset);
    assert_true(item.end <= a->end);
    assert_string_equal(item.name, "");
    if (a->class == MX_STRUCT) {
        const char *name = (const char *)file_bytes + a->field_names + index * a->field_bytes;
        assert_true(memchr(name, 0, a->field_bytes) != NULL);
        strcpy(item.name, name);
        check_name(name);
    }
    return item;
}

static array field_of(const array *a, const char *name)
{
    assert_int_equal(a->class, MX_STRUCT);
    for (uint32_t k = 0; k < a->columns; k++)
        if (strcmp((const char *)file_bytes + a->field_names + k * a->field_bytes, name) == 0)
            return item_of(a, k);
    fail_msg("no field %s", name);
    return *a;
}

static void check_text(const array *a, const char *ascii)
{
    assert_int_equal(a->class, MX_CHAR);
    assert_int_equal(a->columns, strlen(ascii));
    assert_int_equal(a->rows, *ascii != '\0');
    for (size_t k = 0; k < a->columns; k++)
        assert_int_equal(integer_at(a->data.data + 2 * k, 2), (unsigned char)ascii[k]);
}

static void check_numbers(const array *a, uint32_t rows, uint32_t columns)
{
    assert_int_equal(a->class, MX_DOUBLE);
    assert_int_equal(a->rows, rows);
    assert_int_equal(a->columns, columns);
}

static double number_at(const array *a, size_t row, size_t column)
{
    uint64_t bits = integer_at(a->data.data + 8 * (column * a->rows + row), 8);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The variables of the file; names are valid and differ. */
static size_t parse_file(const char *path, array list[MOST])
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    file_size = (size_t)ftell(file);
    rewind(file);
    free(file_bytes);
    file_bytes = malloc(file_size);
    assert_non_null(file_bytes);
    assert_int_equal(fread(file_bytes, 1, file_size, file), file_size);
    fclose(file);
    assert_true(file_size >= 128);
    assert_memory_equal(file_bytes, "MATLAB 5.0 MAT-file, ", 21);
    for (int k = 0; k < 116; k++)
        assert_true(file_bytes[k] >= ' ' && file_bytes[k] < 127);
    assert_int_equal(integer_at(116, 8), 0);
    assert_int_equal(integer_at(124, 2), 0x0100);
    assert_int_equal(integer_at(126, 2), 'M' << 8 | 'I');
    size_t count = 0;
    for (size_t offset = 128; offset < file_size; offset = list[count++].end) {
        assert_true(count < MOST);
        list[count] = array_at(offset);
        check_name(list[count].name);
        for (size_t k = 0; k < count; k++)
            assert_string_not_equal(list[k].name, list[count].name);
    }
    return count;
}

static array variable(const array *list, size_t count, const char *name)
{
    for (size_t k = 0; k < count; k++)
        if (strcmp(list[k].name, name) == 0)
            return list[k];
    fail_msg("no variable %s", name);
    return *list;
}

static carom_result *open_result(carom_context *ctx)
{
    carom_result *result = NULL;
    assert_int_equal(carom_result_open(ctx, FILE_A, &result), CAROM_OK);
    return result;
}

/* ---- content ---- */

static void check_channel(const array *list, size_t count, const char *name, int group, size_t first, uint32_t rows,
                          uint32_t columns)
{
    array a = variable(list, count, name);
    check_numbers(&a, rows, columns);
    for (size_t i = 0; i < columns; i++)
        for (size_t k = 0; k < rows; k++)
            assert_true(same(number_at(&a, k, i), value_at(group, k, first + i)));
}

static void check_impacts(const array *table, uint32_t rows)
{
    static const struct { const char *name; size_t offset; } numbers[] = {
        {"onset", offsetof(carom_impact, onset)}, {"duration", offsetof(carom_impact, duration)},
        {"force_duration", offsetof(carom_impact, force_duration)}, {"v_in", offsetof(carom_impact, v_in)},
        {"v_out", offsetof(carom_impact, v_out)}, {"e_asked", offsetof(carom_impact, e_asked)},
        {"e_got", offsetof(carom_impact, e_got)}, {"peak_force", offsetof(carom_impact, peak_force)},
        {"peak_time", offsetof(carom_impact, peak_time)},
        {"max_indentation", offsetof(carom_impact, max_indentation)}, {"impulse", offsetof(carom_impact, impulse)},
        {"energy_lost", offsetof(carom_impact, energy_lost)}, {"mass", offsetof(carom_impact, mass)},
        {"cutoff_loss", offsetof(carom_impact, cutoff_loss)},
        {"switch_term", offsetof(carom_impact, switch_term)},
        {"friction_lost", offsetof(carom_impact, friction_lost)}, {"v_max", offsetof(carom_impact, v_max)},
        {"v0", offsetof(carom_impact, v0)},
    };
    assert_int_equal(table->columns, CAROM_COUNT(numbers) + 2);
    array contact = field_of(table, "contact"), index = field_of(table, "contact_index");
    assert_true(contact.class == MX_CELL && contact.rows == rows && contact.columns == 1);
    check_numbers(&index, rows, 1);
    for (uint32_t k = 0; k < rows; k++) {
        carom_impact want = impact_at(k);
        array text = item_of(&contact, k);
        if (k % 2)
            check_text(&text, "hit");
        else
            assert_true(text.columns == 7 && integer_at(text.data.data + 4, 2) == 0xfc); /* the third unit of Prüfung */
        assert_true(number_at(&index, k, 0) == (double)want.contact_index);
        for (size_t i = 0; i < CAROM_COUNT(numbers); i++) {
            array column = field_of(table, numbers[i].name);
            double value;
            memcpy(&value, (const char *)&want + numbers[i].offset, sizeof value);
            check_numbers(&column, rows, 1);
            assert_true(same(number_at(&column, k, 0), value));
        }
    }
}

static void test_content(void **state)
{
    (void)state;
    enum { ROWS = 1030, STEPS = 700, SNAPSHOTS = 300, IMPACTS = 13 };
    counting_allocator a = {0};
    carom_context *ctx = make_context(&a);
    write_run(ctx, FILE_A, ROWS, STEPS, IMPACTS);
    carom_result *result = open_result(ctx);
    assert_int_equal(carom_result_write_mat(result, NULL, 0, FILE_MAT), CAROM_OK);
    array list[MOST], units, names, field;
    size_t count = parse_file(FILE_MAT, list);
    assert_int_equal(count, 16 + CAROM_COUNT(channels));
    field = variable(list, count, "methods");
    check_text(&field, "");
    check_channel(list, count, "body_slider_position", 0, 0, ROWS, 3);
    check_channel(list, count, "joint_pin_reaction", 0, 3, ROWS, 3);
    check_channel(list, count, "body_slider_angle", 0, 6, ROWS, 1);
    check_channel(list, count, "steps_contact_hit_force", 1, 0, STEPS, 1);
    check_channel(list, count, "steps_contact_hit_left_point", 1, 1, STEPS, 3);
    check_channel(list, count, "snapshots_contact_hit_total_force", 2, 0, SNAPSHOTS, 1);
    static const char *const times[] = {"time", "steps_time", "snapshots_time"};
    static const uint32_t rows[] = {ROWS, STEPS, SNAPSHOTS};
    for (int group = 0; group < 3; group++) {
        array time = variable(list, count, times[group]);
        check_numbers(&time, rows[group], 1);
        for (size_t k = 0; k < time.rows; k++)
            assert_true(same(number_at(&time, k, 0), time_at(group, k)));
    }
    array impacts = variable(list, count, "impacts"), sums = variable(list, count, "ledger");
    check_impacts(&impacts, IMPACTS);
    assert_int_equal(sums.columns, sizeof ledger / sizeof(double));
    for (uint32_t k = 0; k < sums.columns; k++) { /* in the order of carom_ledger */
        field = item_of(&sums, k);
        check_numbers(&field, 1, 1);
        assert_true(same(number_at(&field, 0, 0), ((const double *)&ledger)[k]));
    }
    field = field_of(&sums, "residual_fraction");
    assert_true(number_at(&field, 0, 0) == ledger.residual_fraction);
    units = variable(list, count, "units");
    names = variable(list, count, "names");
    assert_int_equal(units.columns, 7 + CAROM_COUNT(channels));
    assert_int_equal(names.columns, CAROM_COUNT(channels));
    static const char *const wanted[][3] = {{"body_slider_angle", "rad", "body.slider.angle"},
                                            {"steps_contact_hit_left_point", "m", "contact.hit/left.point"},
                                            {"steps_contact_hit_force", "N", "contact.hit.force"}};
    for (size_t k = 0; k < CAROM_COUNT(wanted); k++) {
        field = field_of(&units, wanted[k][0]);
        check_text(&field, wanted[k][1]);
        field = field_of(&names, wanted[k][0]);
        check_text(&field, wanted[k][2]);
    }
    array nested = field_of(&units, "impacts");
    field = field_of(&nested, "impulse");
    check_text(&field, "N s");
    nested = field_of(&units, "ledger");
    field = field_of(&nested, "work");
    check_text(&field, "J");
    field = field_of(&units, "steps_time");
    check_text(&field, "s");
    array text = variable(list, count, "model_text");
    check_text(&text, "model: slider_crank\nbodies: []\n");
    text = variable(list, count, "status");
    check_text(&text, "completed");
    text = variable(list, count, "title"); /* 27 characters in 29 bytes */
    assert_int_equal(text.columns, 27);
    assert_int_equal(integer_at(text.data.data + 12, 2), 0x2013);
    print_message("%zu bytes, %zu variables\n", file_size, count);
    carom_result_close(result);
    carom_context_free(ctx);
    assert_int_equal(a.bytes, 0);
}

static void test_selection(void **state)
{
    (void)state;
    counting_allocator a = {0};
    carom_context *ctx = make_context(&a);
    write_run(ctx, FILE_A, 20, 10, 0);
    carom_result *result = open_result(ctx);
    const char *const names[] = {"joint.pin.reaction.y", "contact.hit.force", "contact.hit.force"};
    assert_int_equal(carom_result_write_mat(result, names, CAROM_COUNT(names), FILE_MAT), CAROM_OK);
    array list[MOST];
    size_t count = parse_file(FILE_MAT, list);
    assert_int_equal(count, 16 + 3);
    check_channel(list, count, "joint_pin_reaction_y", 0, 4, 20, 1);
    check_channel(list, count, "steps_contact_hit_force", 1, 0, 10, 1);
    check_channel(list, count, "steps_contact_hit_force_2", 1, 0, 10, 1);
    array table = variable(list, count, "impacts");
    check_impacts(&table, 0);
    unlink(FILE_MAT);
    const char *const wrong[] = {"contact.hit.forse"};
    assert_refused(ctx, carom_result_write_mat(result, wrong, 1, FILE_MAT),
                   CAROM_ERROR_USAGE, "did you mean 'contact.hit.force'?");
    assert_int_equal(carom_result_write_mat(result, NULL, 1, FILE_MAT), CAROM_ERROR_USAGE);
    assert_int_equal(carom_result_write_mat(result, NULL, 0, NULL), CAROM_ERROR_USAGE);
    assert_int_equal(carom_result_write_mat(NULL, NULL, 0, FILE_MAT), CAROM_ERROR_USAGE);
    assert_false(exists(FILE_MAT));
    assert_int_equal(carom_result_write_mat(result, NULL, 0, "./" FILE_A), CAROM_ERROR_USAGE);
    assert_non_null(strstr(carom_context_error(ctx), FILE_A ": is the result itself"));
    carom_result_close(result);
    carom_result_close(open_result(ctx));
    carom_context_free(ctx);
    assert_int_equal(a.bytes, 0);
}

#define LONG "a123456789b123456789c123456789d123456789e123456789f123456789g12"    /* 63 characters */

static void test_names(void **state)
{
    (void)state;
    static const struct { const char *channel, *variable; int group; } cases[] = {
        {"units", "units_2", 0}, {"a.b", "a_b", 0}, {"a/b", "a_b_2", 0}, {"a_b_3", "a_b_3", 0}, {"a b", "a_b_4", 0},
        {"end", "x_end", 0}, {"2nd", "x_2nd", 0}, {"Prüfung", "Pr_fung", 0}, {"a.b-", "a_b_", 0},
        {LONG, LONG, 0}, {LONG ".x", "a123456789b123456789c123456789d123456789e123456789f123456789g_2", 0},
        {"1" LONG, "x_1a123456789b123456789c123456789d123456789e123456789f123456789", 0},
        {LONG, "steps_a123456789b123456789c123456789d123456789e123456789f123456", 1},
    };
    enum { COUNT = sizeof cases / sizeof *cases };
    carom_channel odd[COUNT];
    for (size_t k = 0; k < COUNT; k++)
        odd[k] = (carom_channel)CHANNEL(cases[k].channel, "m", "", 1, NULL, cases[k].group);
    counting_allocator a = {0};
    carom_context *ctx = make_context(&a);
    carom_writer_def def = {.size = sizeof(carom_writer_def), .path = FILE_A, .model_text = "\xf0\x9f\x98\x80 \xff",
                            .channels = odd, .channel_count = COUNT};
    carom_writer *writer = NULL;
    assert_int_equal(carom_writer_create(ctx, &def, &writer), CAROM_OK);
    assert_int_equal(carom_writer_close(writer, NULL, "failed"), CAROM_OK);
    carom_result *result = open_result(ctx);
    assert_int_equal(carom_result_write_mat(result, NULL, 0, FILE_MAT), CAROM_OK);
    array list[MOST], field;
    size_t count = parse_file(FILE_MAT, list);
    array names = variable(list, count, "names"), sums = variable(list, count, "ledger");
    assert_int_equal(names.field_bytes, 64);
    for (size_t k = 0; k < COUNT; k++) {
        array v = variable(list, count, cases[k].variable);
        check_numbers(&v, 0, 1);
        field = field_of(&names, cases[k].variable);
        if (strcmp(cases[k].channel, "Prüfung") != 0)
            check_text(&field, cases[k].channel);
    }
    for (uint32_t k = 0; k < sums.columns; k++) { /* a run without a ledger */
        field = item_of(&sums, k);
        assert_true(isnan(number_at(&field, 0, 0)));
    }
    array text = variable(list, count, "model_text"); /* a surrogate pair, a blank, a byte that is no UTF-8 */
    assert_true(text.rows == 1 && text.columns == 4);
    assert_int_equal(integer_at(text.data.data, 8), 0xfffd0020de00d83d);
    text = variable(list, count, "title");
    check_text(&text, "");
    carom_result_close(result);
    carom_context_free(ctx);
    assert_int_equal(a.bytes, 0);
}

/* ---- what fails ---- */

/* Files of this folder that are no complete MAT-file. */
static int count_parts(void)
{
    int count = 0;
    DIR *folder = opendir(".");
    assert_non_null(folder);
    for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder))
        count += strstr(entry->d_name, ".part") != NULL;
    closedir(folder);
    return count;
}

static void test_every_allocation_fails(void **state)
{
    (void)state;
    counting_allocator good = {0};
    carom_context *writer_ctx = make_context(&good);
    write_run(writer_ctx, FILE_A, 1000, 100, 700);
    carom_context_free(writer_ctx);
    unlink(FILE_MAT);
    carom_status status = CAROM_ERROR_MEMORY;
    size_t n = 1;
    for (; status != CAROM_OK; n++) {
        assert_true(n < 200);
        counting_allocator a = {0};
        carom_context *ctx = make_context(&a);
        carom_result *result = open_result(ctx);
        a.fail_at = a.calls + n;
        assert_false(exists(FILE_MAT));
        status = carom_result_write_mat(result, NULL, 0, FILE_MAT);
        assert_true(status == CAROM_OK || status == CAROM_ERROR_MEMORY);
        carom_result_close(result);
        carom_context_free(ctx);
        assert_int_equal(a.bytes, 0);
    }
    assert_true(n > 5 && exists(FILE_MAT));
    assert_int_equal(count_parts(), 0);
}

static void test_paths_and_a_full_disk(void **state)
{
    (void)state;
    static const struct { const char *path, *says; } wrong[] = {
        {"no/such/folder/result.mat", "No such file or directory; make the folder first"},
        {FILE_A "/result.mat", "Not a directory"},
        {".", "is not an ordinary file"},
        {"/dev/full", "is not an ordinary file"},
    };
    counting_allocator a = {0};
    carom_context *ctx = make_context(&a);
    write_run(ctx, FILE_A, 1000, 10, 1);
    carom_result *result = open_result(ctx);
    for (size_t k = 0; k < CAROM_COUNT(wrong); k++) {
        assert_int_equal(carom_result_write_mat(result, NULL, 0, wrong[k].path), CAROM_ERROR_IO);
        if (!strstr(carom_context_error(ctx), wrong[k].says))
            fail_msg("%s", carom_context_error(ctx));
        assert_ptr_equal(strstr(carom_context_error(ctx), wrong[k].path), carom_context_error(ctx));
    }
    assert_true(exists("/dev/full"));
    /* a disk that is full after 16 kB: the file of before stays */
    assert_int_equal(carom_result_write_mat(result, NULL, 0, FILE_MAT), CAROM_OK);
    array list[MOST];
    size_t count = parse_file(FILE_MAT, list), size = file_size;
    struct rlimit before, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = 16384;
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    carom_status status = carom_result_write_mat(result, NULL, 0, FILE_MAT);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, handler);
    assert_int_equal(status, CAROM_ERROR_IO);
    assert_non_null(strstr(carom_context_error(ctx), FILE_MAT ": cannot be written: File too large; make room"));
    assert_int_equal(parse_file(FILE_MAT, list), count);
    assert_int_equal(file_size, size);
    assert_int_equal(count_parts(), 0);
    carom_result_close(result);
    carom_context_free(ctx);
    assert_int_equal(a.bytes, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_content),
        cmocka_unit_test(test_selection),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_every_allocation_fails),
        cmocka_unit_test(test_paths_and_a_full_disk),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    free(file_bytes);
    return failed;
}
