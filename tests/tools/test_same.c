/* The comparison of results that `make same` stands on notices what it must and allows what its list says. */
#include "carom_test.h"

#include <math.h>
#include <sys/wait.h>
#include <hdf5.h>

#define ROWS 5

/* What a small result holds; NULL: without it. */
typedef struct sample {
    const char *force;          /* name of a dataset of shape {ROWS, columns} */
    hsize_t columns;
    double value;               /* its entry [2][1] */
    uint64_t nan_bits;          /* its entry [3][0] */
    hid_t type;                 /* of the file */
    double kinetic;             /* attribute of /ledger */
    const char *warning;        /* the one text of /warnings */
    const char *status, *version;
    const char *added;          /* one more dataset */
    int chunked;
} sample;

static sample usual(void)
{
    return (sample){.force = "contact.hit.force", .columns = 2, .value = 0.1, .nan_bits = 0x7ff8000000000001,
        .type = H5T_IEEE_F64LE, .kinetic = 12.5, .warning = "steep", .status = "completed", .version = "1.0"};
}

static void add_values(hid_t group, const char *name, const sample *s, const double *values)
{
    hsize_t size[2] = {ROWS, s->columns};
    hid_t space = H5Screate_simple(2, size, NULL), layout = H5Pcreate(H5P_DATASET_CREATE);
    if (s->chunked)
        assert_true(H5Pset_chunk(layout, 2, (hsize_t[]){2, 1}) >= 0 && H5Pset_deflate(layout, 4) >= 0);
    hid_t set = H5Dcreate2(group, name, s->type, space, H5P_DEFAULT, layout, H5P_DEFAULT);
    assert_true(set >= 0);
    assert_true(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    H5Dclose(set);
    H5Pclose(layout);
    H5Sclose(space);
}

static void add_text(hid_t object, const char *name, const char *text)
{
    hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    H5Tset_size(type, strlen(text) + 1);
    hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Awrite(attribute, type, text) >= 0);
    H5Aclose(attribute);
    H5Sclose(space);
    H5Tclose(type);
}

static void add_warning(hid_t file, const char *text)
{
    char padded[16] = "";
    snprintf(padded, sizeof padded, "%s", text);
    hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate_simple(1, (hsize_t[]){1}, NULL);
    H5Tset_size(type, sizeof padded);
    hid_t set = H5Dcreate2(file, "warnings", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, padded) >= 0);
    H5Dclose(set);
    H5Sclose(space);
    H5Tclose(type);
}

static void write_sample(const char *path, sample s)
{
    double values[ROWS * 3];
    for (size_t k = 0; k < ROWS * 3; k++)
        values[k] = (double)k / 7;
    values[2 * s.columns + 1] = s.value;
    memcpy(&values[3 * s.columns], &s.nan_bits, sizeof s.nan_bits);
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(file >= 0);
    hid_t channels = H5Gcreate2(file, "channels", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    hid_t ledger = H5Gcreate2(file, "ledger", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t attribute = H5Acreate2(ledger, "kinetic", H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Awrite(attribute, H5T_NATIVE_DOUBLE, &s.kinetic) >= 0);
    H5Aclose(attribute);
    H5Sclose(space);
    if (s.force)
        add_values(channels, s.force, &s, values);
    if (s.added)
        add_values(channels, s.added, &s, values);
    add_warning(file, s.warning);
    add_text(file, "status", s.status);
    add_text(file, "version", s.version);
    H5Gclose(ledger);
    H5Gclose(channels);
    H5Fclose(file);
}

/* Compares the usual result with another one under a list; exit status, output to `out`. */
static int compare(sample other, const char *list, char *out, size_t room)
{
    write_sample("a.h5", usual());
    write_sample("b.h5", other);
    FILE *f = fopen("list", "w");
    assert_non_null(f);
    fputs(list, f);
    fclose(f);
    remove("uses");
    const char *folder = getenv("CAROM_BUILD_DIR");
    assert_non_null(folder);
    char command[1024];
    snprintf(command, sizeof command, "'%s/tools/same_results' --list list --uses uses --name run a.h5 b.h5 2>&1",
             folder);
    f = popen(command, "r");
    assert_non_null(f);
    out[fread(out, 1, room - 1, f)] = '\0';
    int status = pclose(f);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void expect_same(sample other, const char *list)
{
    char out[4096];
    int status = compare(other, list, out, sizeof out);
    if (status || strncmp(out, "same    run ", 12))
        fail_msg("status %d under '%s': %s", status, list, out);
}

/* The comparison finds one difference and says these two things of it. */
static void expect_difference(sample other, const char *list, const char *what, const char *more)
{
    char out[4096];
    int status = compare(other, list, out, sizeof out);
    if (status != 1 || strncmp(out, "DIFFERS run ", 12) || !strstr(out, what) || !strstr(out, more))
        fail_msg("status %d, expected '%s' and '%s': %s", status, what, more, out);
}

static void expect_uses(const char *uses)
{
    char text[1024];
    FILE *f = fopen("uses", "r");
    assert_non_null(f);
    text[fread(text, 1, sizeof text - 1, f)] = '\0';
    fclose(f);
    assert_string_equal(text, uses);
}

static void test_numbers(void **state)
{
    (void)state;
    sample s = usual();
    s.value = nextafter(s.value, 1);
    expect_difference(s, "", "/channels/contact.hit.force[2][1]: 0.10000000000000001", "; 1 of 10 differ");
    s = usual();
    s.nan_bits++;
    expect_difference(s, "", "/channels/contact.hit.force[3][0]: nan", "(7ff8000000000002)");
    s = usual();
    s.kinetic = nextafter(s.kinetic, 0);
    expect_difference(s, "", "/ledger/@kinetic: 12.5 ", "; 1 of 1 differ");
    s = usual();
    s.warning = "flat";
    expect_difference(s, "", "/warnings[0]: 'steep'", "now 'flat'");
    s = usual();
    s.status = "went wrong";
    expect_difference(s, "", "//@status", "");
}

static void test_shapes_and_names(void **state)
{
    (void)state;
    sample s = usual();
    s.force = NULL;
    expect_difference(s, "", "/channels/contact.hit.force: missing", "1 of 4");
    s = usual();
    s.added = "more";
    expect_difference(s, "", "/channels/more: new", "1 of 4");
    s = usual();
    s.columns = 3;
    expect_difference(s, "", "/channels/contact.hit.force: shape {5, 2}, now {5, 3}", "");
    s = usual();
    s.type = H5T_IEEE_F32LE;
    expect_difference(s, "", "/channels/contact.hit.force: another type", "");
}

static void test_accepted(void **state)
{
    (void)state;
    sample s = usual();
    expect_same(s, "");
    s.version = "2.0";
    s.chunked = 1;
    expect_same(s, "# nothing\n");
}

static void test_list(void **state)
{
    (void)state;
    sample s = usual();
    s.force = "hit.normal";
    expect_same(s, "renamed /*/contact.*.force /*/*.normal # the word\n");
    expect_uses("1 renamed /*/contact.*.force /*/*.normal\n");
    s.value = nextafter(s.value, 1);
    expect_difference(s, "renamed /channels/contact.hit.force /channels/hit.normal\n", "[2][1]", "; 1 of 10");
    s = usual();
    s.force = NULL;
    expect_same(s, "gone /channels/*\n");
    s = usual();
    s.added = "more";
    expect_same(s, "new /channels/more\ngone /channels/less\n");
    expect_uses("1 new /channels/more \n");
    s = usual();
    s.warning = "flat";
    expect_same(s, "reworded /warnings\n");
    /* a number is not reworded */
    s = usual();
    s.value = 7;
    expect_difference(s, "reworded *\nnew *\ngone *\nchanged models/x.yaml\n", "; 1 of 10", "");
}

static void test_not_compared(void **state)
{
    (void)state;
    char out[4096];
    assert_int_equal(compare(usual(), "renamed /a\n", out, sizeof out), 2);
    assert_int_equal(compare(usual(), "remove /a\n", out, sizeof out), 2);
    assert_int_equal(compare(usual(), "renamed /channels/contact.hit.force /*\n", out, sizeof out), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_shapes_and_names),
        cmocka_unit_test(test_accepted),
        cmocka_unit_test(test_list),
        cmocka_unit_test(test_not_compared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
