/* Reports: the page's data are decoded again (JSON, base64, zlib, columns) and compared with the recorded numbers;
   rows left out keep peaks and motion; sizes, texts of all kinds, failing memory, paths. The page is a stand-in,
   except where the library's own is looked at. */
#include <dirent.h>
#include <float.h>
#include <stdio.h>
#include <zlib.h>

#include "carom/carom.h"
#include "carom/io.h"
#include "report/page.h"
#include "report/report.h"
#include "result_run.h"
#include "support/channel.h"
#include "support/json.h"
#include "support/json_at.h"
#include "support/sample.h"

#define PAGE "page.html"
#define HEAD "<!doctype html>\n<title>t</title>\n"
#define TAIL "\n<p>end</p>\n"

static const char stand_in[] = HEAD CAROM_PAGE_PLACE TAIL;

/* ---- decoding ---- */

typedef struct page {
    char *text;
    size_t length;
    json *meta;                 /* the description of the data */
    json *head;                 /* what the page says of itself */
    unsigned char *blob;
    size_t blob_size;
} page;

static char *read_whole(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *length = (size_t)ftell(file);
    rewind(file);
    char *text = calloc(*length + 1, 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, *length, file), *length);
    fclose(file);
    return text;
}

/* What stands between two texts; a new text. */
static char *between(const char *text, const char *first, const char *last)
{
    const char *begin = strstr(text, first);
    assert_non_null(begin);
    begin += strlen(first);
    const char *end = strstr(begin, last);
    assert_non_null(end);
    char *part = calloc((size_t)(end - begin) + 1, 1);
    assert_non_null(part);
    memcpy(part, begin, (size_t)(end - begin));
    return part;
}

static unsigned digit_of(char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = strchr(digits, c);
    assert_true(at && c);
    return (unsigned)(at - digits);
}

static unsigned char *decode_base64(const char *text, size_t *size)
{
    size_t length = strlen(text), padding = 0;
    assert_int_equal(length % 4, 0);
    unsigned char *bytes = calloc(length + 1, 1);
    assert_non_null(bytes);
    *size = 0;
    for (size_t k = 0; k < length; k += 4) {
        unsigned group = 0;
        for (size_t i = 0; i < 4; i++) {
            padding += text[k + i] == '=';
            group = group << 6 | (text[k + i] == '=' ? 0 : digit_of(text[k + i]));
        }
        for (int shift = 16; shift >= 0; shift -= 8)
            bytes[(*size)++] = (unsigned char)(group >> shift & 0xff);
    }
    assert_true(padding < 3);
    *size -= padding;
    return bytes;
}

static unsigned char *inflate_all(const unsigned char *packed, size_t size, size_t *out_size)
{
    size_t room = (size_t)64 << 20;
    unsigned char *bytes = malloc(room);
    assert_non_null(bytes);
    uLongf length = room;
    assert_int_equal(uncompress(bytes, &length, packed, size), Z_OK);
    *out_size = length;
    return bytes;
}

static page read_page(const char *path)
{
    page p = {.text = NULL};
    size_t packed_size;
    p.text = read_whole(path, &p.length);
    char *meta = between(p.text, "<script id=\"carom-meta\" type=\"application/json\">", "</script>");
    char *blob = between(p.text, "</script>\n<script id=\"carom-blob\" type=\"text/plain\">", "</script>" TAIL);
    assert_null(strchr(meta, '<'));
    assert_memory_equal(p.text, HEAD "<script", strlen(HEAD "<script"));
    p.head = json_parse_text(meta);
    assert_non_null(p.head);
    assert_true(number_at(p.head, "format") == 3);
    unsigned char *packed = decode_base64(blob, &packed_size);
    p.blob = inflate_all(packed, packed_size, &p.blob_size);
    /* the description is the last column */
    size_t at = (size_t)number_at(p.head, "description.0"), size = (size_t)number_at(p.head, "description.1");
    assert_string_equal(text_at(p.head, "description.2"), "u1");
    assert_int_equal(at + size, p.blob_size);
    char *description = calloc(size + 1, 1);
    assert_non_null(description);
    memcpy(description, p.blob + at, size);
    p.meta = json_parse_text(description);
    assert_non_null(p.meta);
    free(description);
    free(packed);
    free(meta);
    free(blob);
    return p;
}

static void free_page(page *p)
{
    json_free(p->meta);
    json_free(p->head);
    free(p->text);
    free(p->blob);
}

/* Number k of a column [offset, count, type]. */
static double number_of(const page *p, const json *column, size_t k)
{
    size_t offset = (size_t)json_number(json_item(column, 0)), count = (size_t)json_number(json_item(column, 1));
    const char *type = json_text(json_item(column, 2));
    size_t width = (size_t)(type[1] - '0');
    uint64_t bits = 0;
    assert_true(k < count && offset + count * width <= p->blob_size);
    for (size_t b = 0; b < width; b++)
        bits |= (uint64_t)p->blob[offset + b * count + k] << 8 * b;
    if (type[0] == 'u')
        return (double)bits;
    if (width == 8) {
        double value;
        memcpy(&value, &bits, sizeof value);
        return value;
    }
    uint32_t narrow = (uint32_t)bits;
    float value;
    memcpy(&value, &narrow, sizeof value);
    return (double)value;
}

static const json *channel_of(const json *run, const char *name, int group)
{
    const json *list = json_member(run, "channels");
    for (size_t k = 0; k < json_size(list); k++)
        if (strcmp(text_at(json_item(list, k), "name"), name) == 0 && number_at(json_item(list, k), "group") == group)
            return json_item(list, k);
    fail_msg("no channel %s in group %d", name, group);
    return NULL;
}

static const json *time_of(const json *run, int group)
{
    return json_get(json_item(json_member(run, "groups"), (size_t)group), "time");
}

static size_t rows_of(const json *run, int group, const char *key)
{
    return (size_t)number_at(json_item(json_member(run, "groups"), (size_t)group), key);
}

static bool same_float(double page_value, double recorded)
{
    float want =
        fabs(recorded) > (double)FLT_MAX ? copysignf(HUGE_VALF, (float)(recorded > 0 ? 1 : -1)) : (float)recorded;
    return isnan(recorded) ? isnan(page_value) : page_value == (double)want;
}

/* ---- results ---- */

static carom_result *open_file(carom_context *ctx, const char *path)
{
    carom_result *result = NULL;
    if (carom_result_open(ctx, path, &result) != CAROM_OK)
        fail_msg("%s", carom_context_error(ctx));
    return result;
}

/* Runs a model of models/ into a file, with an override if it is not NULL. */
static void run_model(const char *model, const char *override, const char *path)
{
    char file[512];
    snprintf(file, sizeof file, "%s/%s.yaml", CAROM_MODELS, model);
    carom_context *ctx = NULL;
    carom_document *document = NULL;
    carom_model *compiled = NULL;
    carom_simulation *sim = NULL;
    carom_writer *writer = NULL;
    assert_int_equal(carom_context_create(NULL, &ctx), CAROM_OK);
    assert_int_equal(carom_document_read(ctx, file, &override, override != NULL, &document), CAROM_OK);
    const carom_spec *spec = carom_document_spec(document);
    assert_int_equal(carom_model_compile(ctx, spec, &compiled), CAROM_OK);
    assert_int_equal(carom_simulation_create(ctx, compiled, NULL, &sim), CAROM_OK);
    carom_writer_def def = {.size = sizeof(carom_writer_def), .path = path,
                            .model_name = model,
                            .title = "Título",
                            .model_text = spec->text,
                            .options = "integrator adams",
                            .overrides = &override,
                            .override_count = override != NULL};
    def.channels = carom_simulation_channels(sim, &def.channel_count);
    assert_int_equal(carom_writer_create(ctx, &def, &writer), CAROM_OK);
    carom_simulation_free(sim);
    carom_simulation_def run = carom_default_simulation_def();
    run.sink = carom_writer_sink(writer);
    assert_int_equal(carom_simulation_create(ctx, compiled, &run, &sim), CAROM_OK);
    assert_int_equal(carom_simulation_run(sim), CAROM_OK);
    carom_ledger balance = carom_simulation_ledger(sim);
    assert_int_equal(carom_writer_close(writer, &balance, "completed"), CAROM_OK);
    carom_simulation_free(sim);
    carom_model_free(compiled);
    carom_document_free(document);
    carom_context_free(ctx);
}

static carom_status report(carom_context *ctx, carom_result *const *results, size_t count, size_t size,
                           const char *title)
{
    const carom_report_def def = {.size = sizeof(carom_report_def), .results = results, .count = count,
                                  .max_size = size, .title = title};
    return carom_report_write_page(ctx, &def, PAGE, stand_in, sizeof stand_in - 1);
}

/* A report of one file, decoded. */
static page report_of(const char *path, size_t size)
{
    carom_context *ctx = NULL;
    assert_int_equal(carom_context_create(NULL, &ctx), CAROM_OK);
    carom_result *result = open_file(ctx, path);
    if (report(ctx, &result, 1, size, NULL) != CAROM_OK)
        fail_msg("%s", carom_context_error(ctx));
    carom_result_close(result);
    carom_context_free(ctx);
    return read_page(PAGE);
}

/* ---- content ---- */

static void test_columns(void **state)
{
    (void)state;
    enum { ROWS = 1030, STEPS = 700, IMPACTS = 13 };
    counting_allocator a = {0};
    carom_context *ctx = make_context(&a);
    write_run(ctx, FILE_A, ROWS, STEPS, IMPACTS);
    carom_result *result = open_file(ctx, FILE_A);
    assert_int_equal(report(ctx, &result, 1, 0, NULL), CAROM_OK);
    page p = read_page(PAGE);
    const json *run = json_get(p.meta, "runs.0");
    const size_t rows[] = {ROWS, STEPS, 300};
    size_t first[] = {0, 0, 0}, bytes = 0;
    for (int group = 0; group < 3; group++) {
        assert_int_equal(rows_of(run, group, "rows"), rows[group]);
        assert_int_equal(rows_of(run, group, "of"), rows[group]);
        for (size_t k = 0; k < rows[group]; k++)
            assert_true(same(number_of(&p, time_of(run, group), k), time_at(group, k)));
        bytes += 8 * rows[group];
    }
    assert_int_equal(json_size(json_member(run, "channels")), CAROM_COUNT(channels));
    for (size_t c = 0; c < CAROM_COUNT(channels); c++) {
        int group = channels[c].group;
        const json *channel = channel_of(run, channels[c].name, group);
        assert_string_equal(text_at(channel, "unit"), channels[c].unit);
        assert_string_equal(text_at(channel, "description"), channels[c].description);
        assert_int_equal(json_size(json_member(channel, "components")), channels[c].components ? channels[c].size : 0);
        for (int i = 0; i < channels[c].size; i++)
            for (size_t k = 0; k < rows[group]; k++)
                assert_true(same_float(number_of(&p, json_item(json_member(channel, "columns"), (size_t)i), k),
                                       value_at(group, k, first[group] + (size_t)i)));
        first[group] += (size_t)channels[c].size;
        bytes += 4 * rows[group] * (size_t)channels[c].size;
    }
    /* of an impact 18 numbers of 64 bits and three of 32 */
    bytes += IMPACTS * (18 * 8 + 3 * 4);
    assert_true(number_at(p.head, "description.0") == (double)bytes);
    print_message("%zu bytes of numbers in a page of %zu\n", bytes, p.length);
    free_page(&p);
    carom_result_close(result);
    carom_context_free(ctx);
    assert_int_equal(a.bytes, 0);
}

static void test_tables(void **state)
{
    (void)state;
    enum { IMPACTS = 5 };
    counting_allocator a = {0};
    carom_context *ctx = make_context(&a);
    write_run(ctx, FILE_A, 10, 10, IMPACTS);
    carom_context_free(ctx);
    page p = report_of(FILE_A, 0);
    const json *run = json_get(p.meta, "runs.0"), *columns = json_member(run, "impact_columns");
    assert_int_equal(json_size(columns), CAROM_IMPACT_FIELDS);
    assert_true(number_at(run, "impacts.rows") == IMPACTS && number_at(run, "impacts.of") == IMPACTS);
    for (size_t k = 0; k < IMPACTS; k++)
        for (size_t i = 0; i < CAROM_IMPACT_FIELDS; i++) {
            const carom_field *f = &carom_impact_field[i];
            double got = number_of(&p, json_item(json_get(run, "impacts.columns"), i), k);
            carom_impact want = impact_at(k);
            assert_string_equal(text_at(json_item(columns, i), "name"), f->name);
            assert_string_equal(text_at(json_item(columns, i), "unit"), f->unit);
            if (f->type == CAROM_FIELD_TEXT)
                assert_string_equal(json_text(json_item(json_get(run, "impacts.contacts"), (size_t)got)), want.contact);
            else if (f->type == CAROM_FIELD_INDEX)
                assert_true(got == (double)want.contact_index);
            else
                assert_true(same(got, carom_field_number(f, &want)));
        }
    assert_true(number_of(&p, json_get(run, "impacts.number"), IMPACTS - 1) == IMPACTS);
    assert_true(number_at(run, "ledger.start") == ledger.start);
    assert_true(number_at(run, "ledger.residual_fraction") == ledger.residual_fraction);
    assert_string_equal(text_at(p.head, "title"), "Slider–crank with clearance");
    assert_string_equal(text_at(run, "file"), FILE_A);
    assert_string_equal(text_at(run, "label"), "");
    assert_string_equal(text_at(run, "status"), "completed");
    assert_string_equal(text_at(run, "warnings.0"), "contact 'hit': faster than the law allows");
    /* that text does not compile: there is no scene, and it is said why */
    assert_int_equal(json_type_of(json_member(run, "scene")), JSON_NULL);
    assert_non_null(strstr(text_at(run, "scene_reason"), "model text"));
    free_page(&p);
}

static void test_scene(void **state)
{
    (void)state;
    page p = report_of("block.h5", 0);
    const json *run = json_get(p.meta, "runs.0"), *scene = json_member(run, "scene");
    static const char *const bodies[] = {"ground", "crank", "rod", "slider", "block"};
    assert_true(number_at(run, "dimension") == 2);
    assert_true(number_at(run, "gravity.1") == -9.81);
    assert_true(number_at(run, "length") > 0.1);
    for (size_t k = 0; k < CAROM_COUNT(bodies); k++) {
        const json *body = json_item(json_member(scene, "bodies"), k);
        assert_string_equal(text_at(body, "name"), bodies[k]);
        assert_true(k ? number_at(body, "mass") > 0 : number_at(body, "mass") == 0);
    }
    assert_int_equal(json_size(json_member(scene, "shapes")), 2);
    assert_int_equal(json_size(json_member(scene, "meshes")), 1);
    assert_true(number_at(scene, "shapes.0.mesh") == 0 && number_at(scene, "shapes.1.mesh") == 0);
    assert_true(number_at(scene, "contacts.0.bodies.0") == 3 && number_at(scene, "contacts.0.bodies.1") == 4);
    const json *mesh = json_get(scene, "meshes.0"), *points = json_member(mesh, "points");
    size_t count = (size_t)json_number(json_item(points, 1)) / 3;
    assert_true(count > 20);
    for (size_t k = 0; k < (size_t)json_number(json_item(json_member(mesh, "triangles"), 1)); k++)
        assert_true(number_of(&p, json_member(mesh, "triangles"), k) < (double)count);
    /* points of a disc lie within its radius, the outline on it */
    double largest = 0;
    for (size_t k = 0; k < count; k++)
        largest = fmax(largest, hypot(number_of(&p, points, 3 * k), number_of(&p, points, 3 * k + 1)));
    assert_true(fabs(largest - 0.0085) < 1e-8);
    /* the contact lies between the bodies it touches, at the onset */
    const json *joint = json_get(scene, "joints.0");
    assert_string_equal(text_at(joint, "type"), "revolute");
    assert_true(fabs(number_at(joint, "at.1.0") + 0.0765) < 1e-12);
    free_page(&p);
}

/* ---- what is left out ---- */

/* Largest number of a column that is in a file. */
static double recorded_peak(const char *path, const char *name)
{
    carom_context *ctx = NULL;
    assert_int_equal(carom_context_create(NULL, &ctx), CAROM_OK);
    carom_result *result = open_file(ctx, path);
    size_t rows;
    const double *time, *values;
    const char *unit;
    assert_int_equal(carom_result_column(result, name, &rows, &time, &values, &unit), CAROM_OK);
    double peak = 0;
    for (size_t k = 0; k < rows; k++)
        peak = fmax(peak, values[k]);
    carom_result_close(result);
    carom_context_free(ctx);
    return peak;
}

static void check_thinned(const page *p, const page *all, size_t size)
{
    const json *run = json_get(p->meta, "runs.0"), *full = json_get(all->meta, "runs.0");
    assert_true(p->length <= size);
    for (int group = 0; group < 3; group++) {
        size_t rows = rows_of(run, group, "rows"), of = rows_of(run, group, "of");
        const json *time = time_of(run, group), *before = time_of(full, group);
        assert_int_equal(of, rows_of(full, group, "rows"));
        assert_true(rows <= of && rows >= 16);
        /* the first and the last row stay, times increase, and each is one of the file */
        assert_true(number_of(p, time, 0) == number_of(all, before, 0));
        assert_true(number_of(p, time, rows - 1) == number_of(all, before, of - 1));
        for (size_t k = 0, i = 0; k < rows; k++, i++) {
            while (i < of && number_of(all, before, i) != number_of(p, time, k))
                i++;
            assert_true(i < of);
        }
    }
}

/* Largest distance of a frame of the file from the line between the frames left, in `column` of a channel. */
static double worst_frame(const page *p, const page *all, const char *name, size_t column)
{
    const json *run = json_get(p->meta, "runs.0"), *full = json_get(all->meta, "runs.0");
    const json *t = time_of(run, 2), *every = time_of(full, 2);
    const json *v = json_item(json_member(channel_of(run, name, 2), "columns"), column);
    const json *w = json_item(json_member(channel_of(full, name, 2), "columns"), column);
    double worst = 0;
    size_t left = 0, of = rows_of(full, 2, "rows"), rows = rows_of(run, 2, "rows");
    for (size_t k = 0; k < of; k++) {
        double time = number_of(all, every, k);
        while (left + 2 < rows && number_of(p, t, left + 1) <= time)
            left++;
        double a = number_of(p, t, left), b = number_of(p, t, left + 1), part = b > a ? (time - a) / (b - a) : 0;
        double line = number_of(p, v, left) * (1 - part) + number_of(p, v, left + 1) * part;
        worst = fmax(worst, fabs(number_of(all, w, k) - line));
    }
    return worst;
}

static void test_thinning(void **state)
{
    (void)state;
    page all = report_of("block.h5", 0);
    double peak = recorded_peak("block.h5", "contact.hit.force");
    size_t steps = rows_of(json_get(all.meta, "runs.0"), 1, "of"), fewest = steps;
    for (double share = 0.9; share > 0.1; share *= 0.7) {
        size_t size = (size_t)((double)all.length * share);
        page p = report_of("block.h5", size);
        check_thinned(&p, &all, size);
        assert_true((double)p.length > 0.6 * (double)size);
        const json *run = json_get(p.meta, "runs.0");
        const json *force = json_get(channel_of(run, "contact.hit.force", 1), "columns.0");
        double got = 0;
        fewest = rows_of(run, 1, "rows");
        for (size_t k = 0; k < fewest; k++)
            got = fmax(got, number_of(&p, force, k));
        assert_true(got == (double)(float)peak);
        double slider = worst_frame(&p, &all, "body.slider.position", 0);
        double push = worst_frame(&p, &all, "contact.hit.total_force", 0);
        print_message(
            "%6zu bytes: %4zu intervals, %3zu steps, %4zu snapshots; motion to %.1e m, force to %.1e of its peak\n",
            p.length, rows_of(run, 0, "rows"), fewest, rows_of(run, 2, "rows"), slider, push / peak);
        assert_true(slider < 0.01 && push < 0.1 * peak);
        free_page(&p);
    }
    assert_true(fewest < steps);
    free_page(&all);
}

static void test_too_small(void **state)
{
    (void)state;
    carom_context *ctx = NULL;
    assert_int_equal(carom_context_create(NULL, &ctx), CAROM_OK);
    carom_result *result = open_file(ctx, "block.h5");
    unlink(PAGE);
    assert_int_equal(report(ctx, &result, 1, 5000, NULL), CAROM_ERROR_USAGE);
    assert_false(exists(PAGE));
    const char *number = strstr(carom_context_error(ctx), " has ");
    assert_non_null(number);
    size_t least = strtoul(number + 5, NULL, 10);
    assert_true(least > 5000);
    assert_int_equal(report(ctx, &result, 1, least + 4, NULL), CAROM_OK);
    carom_result_close(result);
    page p = read_page(PAGE);
    assert_true(p.length <= least + 4 && p.length > least - 50);
    free_page(&p);
    carom_context_free(ctx);
}

/* ---- several runs, nothing in them, texts ---- */

/* Of many impacts the hardest stay, in their order and with their numbers. */
static void test_many_impacts(void **state)
{
    (void)state;
    enum { IMPACTS = 3000 };
    counting_allocator a = {0};
    carom_context *ctx = make_context(&a);
    write_run(ctx, FILE_A, 10, 10, IMPACTS);
    carom_context_free(ctx);
    page p = report_of(FILE_A, 60000);
    const json *run = json_get(p.meta, "runs.0");
    size_t rows = (size_t)number_at(run, "impacts.rows");
    assert_true(number_at(run, "impacts.of") == IMPACTS && rows > 16 && rows < IMPACTS);
    assert_true(p.length <= 60000);
    double weakest = HUGE_VAL, strongest = 0;
    bool kept[IMPACTS + 1] = {false};
    for (size_t k = 0; k < rows; k++) {
        size_t number = (size_t)number_of(&p, json_get(run, "impacts.number"), k);
        assert_true(number >= 1 && number <= IMPACTS && !kept[number]);
        assert_true(k == 0 || number > (size_t)number_of(&p, json_get(run, "impacts.number"), k - 1));
        kept[number] = true;
        weakest = fmin(weakest, impact_at(number - 1).peak_force);
    }
    for (size_t k = 0; k < IMPACTS; k++)
        if (!kept[k + 1])
            strongest = fmax(strongest, impact_at(k).peak_force);
    print_message("%zu of %d impacts; the weakest kept %g N, the strongest left out %g N\n", rows, IMPACTS, weakest,
                  strongest);
    assert_true(weakest >= strongest);
    free_page(&p);
    remove(FILE_A);
}

static void test_several(void **state)
{
    (void)state;
    carom_context *ctx = NULL;
    assert_int_equal(carom_context_create(NULL, &ctx), CAROM_OK);
    carom_result *results[] = {open_file(ctx, "block.h5"), open_file(ctx, "hertz.h5")};
    assert_int_equal(report(ctx, results, 2, 0, "Zwei <Läufe>"), CAROM_OK);
    page p = read_page(PAGE);
    assert_string_equal(text_at(p.head, "title"), "Zwei <Läufe>");
    assert_string_equal(text_at(p.meta, "runs.0.label"), "block");
    assert_string_equal(text_at(p.meta, "runs.1.label"), "hertz");
    /* equal meshes are there once; the override is of the second run only */
    for (size_t k = 0; k < 3; k++) {
        char first[64], second[64];
        snprintf(first, sizeof first, "runs.0.scene.meshes.0.points.%zu", k);
        snprintf(second, sizeof second, "runs.1.scene.meshes.0.points.%zu", k);
        if (k < 2)
            assert_true(number_at(p.meta, first) == number_at(p.meta, second));
    }
    assert_true(number_of(&p, json_get(p.meta, "runs.0.impacts.columns.7"), 0) == 0.7);
    assert_true(isnan(number_of(&p, json_get(p.meta, "runs.1.impacts.columns.7"), 0)));
    free_page(&p);
    const char *const labels[] = {"law = flores", "law = hertz"};
    const carom_report_def def = {.size = sizeof(carom_report_def), .results = results, .labels = labels, .count = 2};
    assert_int_equal(carom_report_write_page(ctx, &def, PAGE, NULL, 0), CAROM_OK);
    size_t length;
    char *plain = read_whole(PAGE, &length);
    assert_non_null(strstr(plain, "<h2>law = flores</h2>"));
    assert_non_null(strstr(plain, "<h2>law = hertz</h2>"));
    free(plain);
    carom_result_close(results[0]);
    carom_result_close(results[1]);
    carom_context_free(ctx);
}

static void test_empty(void **state)
{
    (void)state;
    static const carom_channel one = CHANNEL("body.a.position", "m", "", 3, xyz, 0);
    carom_context *ctx = NULL;
    assert_int_equal(carom_context_create(NULL, &ctx), CAROM_OK);
    carom_writer_def def = {.size = sizeof(carom_writer_def), .path = "empty.h5", .model_name = "m", .title = "",
                            .options = "", .channels = &one, .channel_count = 1};
    carom_writer *writer = NULL;
    assert_int_equal(carom_writer_create(ctx, &def, &writer), CAROM_OK);
    assert_int_equal(carom_writer_close(writer, NULL, "failed"), CAROM_OK);
    page p = report_of("empty.h5", 0);
    const json *run = json_get(p.meta, "runs.0");
    assert_string_equal(text_at(p.head, "title"), "m");
    assert_string_equal(text_at(run, "status"), "failed");
    assert_true(number_at(run, "impacts.rows") == 0);
    assert_int_equal(json_type_of(json_member(run, "ledger")), JSON_NULL);
    assert_int_equal(rows_of(run, 0, "rows"), 0);
    assert_true(number_at(run, "dimension") == 3);
    assert_true(number_at(p.head, "description.0") == 0);
    free_page(&p);
    carom_result *result = open_file(ctx, "empty.h5");
    const carom_report_def plain = {.size = sizeof(carom_report_def), .results = &result, .count = 1};
    assert_int_equal(carom_report_write_page(ctx, &plain, PAGE, NULL, 0), CAROM_OK);
    carom_result_close(result);
    carom_context_free(ctx);
}

static const char hostile[] =
    "</script><script>alert(1)</script> \"q\" 'p' \\ <!-- & –é\xf0\x9f\x98\x80 \x01\t\xff.";

static void test_texts(void **state)
{
    (void)state;
    carom_context *ctx = NULL;
    assert_int_equal(carom_context_create(NULL, &ctx), CAROM_OK);
    write_run(ctx, FILE_A, 3, 3, 2);
    carom_result *result = open_file(ctx, FILE_A);
    assert_int_equal(report(ctx, &result, 1, 0, hostile), CAROM_OK);
    page p = read_page(PAGE);
    assert_string_equal(text_at(p.head, "title"),
                        "</script><script>alert(1)</script> \"q\" 'p' \\ <!-- & –é\xf0\x9f\x98\x80 "
                        "\x01\t\xef\xbf\xbd.");
    free_page(&p);
    const carom_report_def def = {.size = sizeof(carom_report_def), .results = &result, .count = 1, .title = hostile};
    assert_int_equal(carom_report_write_page(ctx, &def, PAGE, NULL, 0), CAROM_OK);
    size_t length;
    char *plain = read_whole(PAGE, &length);
    assert_int_equal(strlen(plain), length);
    assert_null(strstr(plain, "<script"));
    assert_null(strstr(plain, "<!--"));
    assert_non_null(strstr(plain,
                           "<h1>&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt; &quot;q&quot; &#39;p&#39; \\ "
                           "&lt;!-- &amp; –é\xf0\x9f\x98\x80  \t\xef\xbf\xbd.</h1>"));
    free(plain);
    carom_result_close(result);
    carom_context_free(ctx);
}

/* ---- the static page, and the library's own ---- */

static size_t count_of(const char *text, const char *part)
{
    size_t count = 0;
    for (const char *p = text; (p = strstr(p, part)) != NULL; p += strlen(part))
        count++;
    return count;
}

static void check_offline(const char *text)
{
    static const char *const parts[] = {"src=\"http", "src='http", "href=\"http", "href='http", "src=http",
                                        "href=http",  "url(http",  "src=\"//",    "href=\"//",  "@import"};
    for (size_t k = 0; k < CAROM_COUNT(parts); k++)
        if (strstr(text, parts[k]))
            fail_msg("the page has %s", parts[k]);
}

static void test_plain(void **state)
{
    (void)state;
    carom_context *ctx = NULL;
    assert_int_equal(carom_context_create(NULL, &ctx), CAROM_OK);
    carom_result *result = open_file(ctx, "block.h5");
    const carom_report_def def = {.size = sizeof(carom_report_def), .results = &result, .count = 1},
                           small = {.size = sizeof(carom_report_def), .results = &result, .count = 1, .max_size = 9000};
    assert_int_equal(carom_report_write_page(ctx, &def, PAGE, NULL, 0), CAROM_OK);
    size_t length, impacts;
    const carom_impact *list = carom_result_impacts(result, &impacts);
    char *plain = read_whole(PAGE, &length), cell[64];
    check_offline(plain);
    assert_null(strstr(plain, "<script"));
    assert_non_null(strstr(plain, "CAROM_VIEWER=OFF"));
    assert_non_null(strstr(plain, "<h1>Título</h1>"));
    assert_non_null(strstr(plain, "prefers-color-scheme:dark"));
    assert_int_equal(count_of(plain, "<tr><td>"), impacts);
    assert_int_equal(count_of(plain, "src=\"data:image/svg+xml;base64,"), 5);
    snprintf(cell, sizeof cell, "<td>%.6g</td>", list[0].peak_force * 1e-3);
    assert_non_null(strstr(plain, "peak [kN]"));
    assert_non_null(strstr(plain, cell));
    /* the first picture is a figure */
    char *picture = between(plain, "src=\"data:image/svg+xml;base64,", "\"");
    size_t size;
    unsigned char *svg = decode_base64(picture, &size);
    assert_memory_equal(svg, "<?xml", 5);
    assert_true(size > 1000);
    free(svg);
    free(picture);
    free(plain);
    assert_refused(ctx, carom_report_write_page(ctx, &small, PAGE, NULL, 0),
                   CAROM_ERROR_USAGE, "more than the 9000 that it may have");
    carom_result_close(result);
    carom_context_free(ctx);
}

static void test_own_page(void **state)
{
    (void)state;
    carom_context *ctx = NULL;
    assert_int_equal(carom_context_create(NULL, &ctx), CAROM_OK);
    carom_result *result = open_file(ctx, "block.h5");
    const carom_report_def def = {.size = sizeof(carom_report_def), .results = &result, .count = 1};
    assert_int_equal(carom_report_write(ctx, &def, PAGE), CAROM_OK);
    size_t length, own;
    char *text = read_whole(PAGE, &length);
    check_offline(text);
    assert_null(strstr(text, CAROM_PAGE_PLACE));
    assert_int_equal(count_of(text, "id=\"carom-meta\" type=\"application/json\""), carom_page(&own) != NULL);
    assert_true(length > own);
    free(text);
    carom_result_close(result);
    carom_context_free(ctx);
}

/* ---- what fails ---- */

static void test_paths(void **state)
{
    (void)state;
    carom_context *ctx = NULL;
    assert_int_equal(carom_context_create(NULL, &ctx), CAROM_OK);
    carom_result *result = open_file(ctx, "block.h5");
    carom_report_def def = {.size = sizeof(carom_report_def), .results = &result, .count = 1};
    const double number = 1;
    const carom_report_points none = {.label = "a", .unit = "N", .t = &number, .v = &number};
    def.points = &none;
    def.point_sets = 1;
    assert_int_equal(carom_report_write(ctx, &def, "points.html"), CAROM_ERROR_USAGE);
    assert_non_null(strstr(carom_context_error(ctx), "points 1 have no label, unit, times or values"));
    def.point_sets = 0;
    assert_refused(ctx, carom_report_write(ctx, &def, "./block.h5"), CAROM_ERROR_USAGE, "is a result itself");
    assert_refused(ctx, carom_report_write(ctx, &def, "nowhere/page.html"), CAROM_ERROR_IO, "make the folder first");
    assert_int_equal(carom_report_write(ctx, &def, "."), CAROM_ERROR_IO);
    assert_int_equal(carom_report_write(ctx, &def, ""), CAROM_ERROR_USAGE);
    assert_int_equal(carom_report_write(ctx, &def, NULL), CAROM_ERROR_USAGE);
    assert_int_equal(carom_report_write(ctx, NULL, PAGE), CAROM_ERROR_USAGE);
    assert_int_equal(carom_report_write(NULL, &def, PAGE), CAROM_ERROR_USAGE);
    def.count = 0;
    assert_int_equal(carom_report_write(ctx, &def, PAGE), CAROM_ERROR_USAGE);
    carom_result_close(result);
    result = open_file(ctx, "block.h5");
    carom_result_close(result);
    carom_context_free(ctx);
}

static void assert_no_part(void)
{
    DIR *folder = opendir(".");
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));)
        assert_null(strstr(entry->d_name, ".part"));
    closedir(folder);
}

static carom_status report_something(carom_context *ctx, const char *page_text, size_t size)
{
    carom_result *result = NULL;
    carom_status status = carom_result_open(ctx, "drop.h5", &result);
    const carom_report_def def = {.size = sizeof(carom_report_def), .results = &result, .count = 1, .max_size = size};
    if (status == CAROM_OK)
        status = carom_report_write_page(ctx, &def, PAGE, page_text, page_text ? strlen(page_text) : 0);
    carom_result_close(result);
    return status;
}

/* Each allocation fails once, with all after it: a status, no leak, the old file as it was. */
static void fail_all(const char *page_text, size_t size)
{
    carom_status status = CAROM_ERROR_MEMORY;
    size_t n = 2;
    for (; status != CAROM_OK; n++) {
        assert_true(n < 4000);
        if (n > 12 && !sample_turn((int)n, 3, 9))
            continue;
        FILE *file = fopen(PAGE, "w");
        assert_non_null(file);
        fputs("old", file);
        fclose(file);
        counting_allocator a = {0};
        carom_context *ctx = make_context(&a);
        a.fail_at = n;
        status = report_something(ctx, page_text, size);
        if (status != CAROM_OK && status != CAROM_ERROR_MEMORY)
            fail_msg("allocation %zu: %s", n, carom_context_error(ctx));
        carom_context_free(ctx);
        assert_int_equal(a.blocks, 0);
        assert_int_equal(a.bytes, 0);
        if (status != CAROM_OK) {
            size_t length;
            char *text = read_whole(PAGE, &length);
            assert_string_equal(text, "old");
            free(text);
        }
    }
    assert_no_part();
    print_message("%zu allocations\n", n);
}

static void test_every_allocation_fails(void **state)
{
    (void)state;
    page p = report_of("drop.h5", 0);
    size_t full = p.length;
    free_page(&p);
    fail_all(stand_in, 0);
    fail_all(stand_in, full * 8 / 10);
    fail_all(NULL, 0);
}

/* Of the loads those between two frames are in the scene; the torque that drives is not. */
static void test_loads(void **state)
{
    (void)state;
    page p = report_of("andrews.h5", 0);
    const json *loads = json_get(p.meta, "runs.0.scene.loads");
    assert_int_equal(json_size(loads), 1);
    const json *spring = json_item(loads, 0);
    assert_string_equal(text_at(spring, "name"), "spring");
    assert_string_equal(text_at(spring, "type"), "spring");
    assert_string_equal(text_at(spring, "drawn"), "coil");
    assert_true(number_at(spring, "bodies.0") == 0 && number_at(spring, "bodies.1") == 3);
    /* from the ground at (xc, yc) */
    assert_true(number_at(spring, "at.0.0") == 0.014 && number_at(spring, "at.0.1") == 0.072);
    assert_true(number_at(spring, "axis.2") == 1);
    free_page(&p);
}

static int make_results(void **state)
{
    (void)state;
    run_model("andrews", NULL, "andrews.h5");
    run_model("slider_crank_block", NULL, "block.h5");
    run_model("slider_crank_block", "law=hertz", "hertz.h5");
    run_model("two_spheres", NULL, "drop.h5");
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_columns),   cmocka_unit_test(test_tables),
        cmocka_unit_test(test_many_impacts),
        cmocka_unit_test(test_scene),     cmocka_unit_test(test_loads),
        cmocka_unit_test(test_thinning),
        cmocka_unit_test(test_too_small), cmocka_unit_test(test_several),
        cmocka_unit_test(test_empty),     cmocka_unit_test(test_texts),
        cmocka_unit_test(test_plain),     cmocka_unit_test(test_own_page),
        cmocka_unit_test(test_paths),     cmocka_unit_test(test_every_allocation_fails),
    };
    return cmocka_run_group_tests_name("report", tests, make_results, NULL);
}
