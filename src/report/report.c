/* Reports: gathers the runs, leaves out rows until the page fits, writes it. The page itself is made from viewer/ by
   the build; in the place it keeps free go two elements, what the page is as JSON and its data in base64. */
#include "report/report.h"

#include <string.h>

#include "report/page.h"

#define DATA_BYTES 5000000 /* of compressed data, where the size of the page is not given */
#define RAW_SHARE 6        /* rows are left out before the first measurement beyond so many times the limit */
#define ROUNDS 8           /* attempts to fit; the last one has the fewest rows */

static const char meta_begin[] = "<script id=\"carom-meta\" type=\"application/json\">";
static const char blob_begin[] = "</script>\n<script id=\"carom-blob\" type=\"text/plain\">";
static const char blob_end[] = "</script>";

/* ---- the runs ---- */

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The label given, else for several runs the name of the file without ending. */
static const char *label_of(carom_report *r, size_t k)
{
    if (r->def->labels)
        return r->def->labels[k];
    if (r->count == 1)
        return "";
    const char *file = r->runs[k].file, *dot = strrchr(file, '.');
    return carom_arena_text_n(&r->arena, file, dot && dot > file ? (size_t)(dot - file) : strlen(file));
}

/* The scene of a run, or why there is none. */
static carom_status find_scene(carom_report *r, carom_report_run *run)
{
    carom_status status = carom_scene_create(run->result, &run->scene);
    if (status == CAROM_OK)
        return CAROM_OK;
    if (status == CAROM_ERROR_MEMORY)
        return carom_fail_memory(r->ctx);
    run->scene = NULL;
    run->scene_reason = carom_arena_text(&r->arena, carom_context_error(carom_result_context(run->result)));
    return run->scene_reason ? CAROM_OK : carom_fail_memory(r->ctx);
}

static carom_status gather(carom_report *r)
{
    const carom_report_def *def = r->def;
    r->runs = carom_arena_alloc(&r->arena, def->count, sizeof *r->runs);
    if (!r->runs)
        return carom_fail_memory(r->ctx);
    r->count = def->count;
    for (size_t k = 0; k < r->count; k++) {
        carom_report_run *run = &r->runs[k];
        run->result = def->results[k];
        run->file = base_name(carom_result_path(run->result));
        run->label = label_of(r, k);
        if (!run->label)
            return carom_fail_memory(r->ctx);
        CAROM_TRY(carom_report_show_some(r->ctx, run));
        CAROM_TRY(carom_report_rows_begin(r->ctx, run));
        CAROM_TRY(carom_report_impacts_begin(r, run));
        CAROM_TRY(find_scene(r, run));
    }
    r->title = def->title && def->title[0] ? def->title : carom_result_title(def->results[0]);
    if (!r->title[0])
        r->title = carom_result_model_name(def->results[0]);
    return CAROM_OK;
}

static void release(carom_report *r)
{
    for (size_t k = 0; k < r->count; k++) {
        carom_scene_free(r->runs[k].scene);
        carom_report_rows_end(r->ctx, &r->runs[k]);
        if (r->runs[k].result)
            carom_result_show_all(r->runs[k].result);
    }
    carom_arena_free(&r->arena);
}

/* ---- the page with data ---- */

typedef struct data_page {
    const carom_report *report;
    const char *text, *place; /* the page, and where in it the data go */
    size_t length;
    carom_json head, description;
    carom_blob blob;
} data_page;

/* Bytes of the file beside the base64 text. */
static size_t fixed_bytes(const data_page *p)
{
    return p->length - strlen(CAROM_PAGE_PLACE) + sizeof meta_begin + sizeof blob_begin + sizeof blob_end - 3 +
           p->head.text.length;
}

/* Bytes that the compressed data may have. */
static size_t data_limit(const data_page *p)
{
    size_t size = p->report->def->max_size, fixed = fixed_bytes(p);
    if (!size)
        return DATA_BYTES;
    return size > fixed ? (size - fixed) / 4 * 3 : 0;
}

static carom_status attempt(data_page *p, bool *fits)
{
    p->head.text.length = p->description.text.length = 0;
    p->head.filled = p->description.filled = false;
    carom_blob_clear(&p->blob);
    CAROM_TRY(carom_report_describe(p->report, &p->head, &p->description, &p->blob));
    size_t limit = data_limit(p);
    CAROM_TRY(carom_blob_pack(&p->blob, limit));
    *fits = p->blob.packed_size <= limit;
    return CAROM_OK;
}

static carom_status fail_size(const data_page *p, const char *path)
{
    const carom_report_def *def = p->report->def;
    double smallest = (double)(fixed_bytes(p) + carom_base64_size(p->blob.packed_size));
    return carom_fail(p->report->ctx, CAROM_ERROR_USAGE, NULL,
                      "%s: the smallest report of %zu result%s has %.0f bytes, more than the %.0f that it may have; "
                      "allow more or give fewer results",
                      path, def->count, def->count == 1 ? "" : "s", smallest,
                      (double)(def->max_size ? def->max_size : fixed_bytes(p) + carom_base64_size(DATA_BYTES)));
}

/* Bytes of the rows that are in the page. */
static size_t kept_bytes(const carom_report *r)
{
    size_t bytes = 0;
    for (size_t k = 0; k < r->count; k++)
        for (int group = 0; group < CAROM_REPORT_GROUPS; group++)
            bytes += r->runs[k].groups[group].count * r->runs[k].groups[group].width;
    return bytes;
}

/* The page with the fewest rows, chosen from all of them, so that its size does not depend on the one asked for. */
static carom_status fit_least(data_page *p, const char *path)
{
    const carom_report *r = p->report;
    bool fits = false;
    carom_report_rows_restore(r->runs, r->count);
    CAROM_TRY(carom_report_rows_thin(r->ctx, r->runs, r->count, 0));
    CAROM_TRY(attempt(p, &fits));
    /* a size that nobody asked for is what a page should have, and no reason for none */
    return fits || !r->def->max_size ? CAROM_OK : fail_size(p, path);
}

/* Leaves out rows until the page fits; each round measures the compression and aims by it. */
static carom_status fit(data_page *p, const char *path)
{
    const carom_report *r = p->report;
    size_t rows = kept_bytes(r), most = RAW_SHARE * (r->def->max_size ? r->def->max_size : DATA_BYTES);
    if (rows > most)
        CAROM_TRY(carom_report_rows_thin(r->ctx, r->runs, r->count, most));
    for (int round = 1;; round++) {
        bool fits = false;
        CAROM_TRY(attempt(p, &fits));
        if (fits)
            return CAROM_OK;
        size_t before = kept_bytes(r), numbers = p->blob.bytes - p->description.text.length;
        double ratio = (double)p->blob.packed_numbers / (double)numbers;
        double texts = (double)(p->blob.packed_size - p->blob.packed_numbers);
        double goal = (0.95 * (double)data_limit(p) - texts) / ratio - (double)(numbers - before);
        if (goal > 0.9 * (double)before)
            goal = 0.9 * (double)before;
        CAROM_TRY(carom_report_rows_thin(r->ctx, r->runs, r->count, goal > 0 && round < ROUNDS ? (size_t)goal : 0));
        if (kept_bytes(r) >= before)
            return fit_least(p, path);
    }
}

static carom_status write_data_page(const data_page *p, const char *path)
{
    carom_save save;
    const char *rest = p->place + strlen(CAROM_PAGE_PLACE);
    CAROM_TRY(carom_save_begin(p->report->ctx, path, &save));
    carom_save_bytes(&save, p->text, (size_t)(p->place - p->text));
    carom_save_bytes(&save, meta_begin, sizeof meta_begin - 1);
    carom_save_bytes(&save, p->head.text.data, p->head.text.length);
    carom_save_bytes(&save, blob_begin, sizeof blob_begin - 1);
    carom_base64_write(&save, p->blob.packed, p->blob.packed_size);
    carom_save_bytes(&save, blob_end, sizeof blob_end - 1);
    carom_save_bytes(&save, rest, (size_t)(p->text + p->length - rest));
    return carom_save_end(&save, CAROM_OK);
}

static carom_status make_data_page(const carom_report *r, const char *path, const char *page, size_t length)
{
    data_page p = {.report = r, .text = page, .length = length, .place = strstr(page, CAROM_PAGE_PLACE)};
    if (!p.place)
        return carom_fail(r->ctx, CAROM_ERROR_USAGE, NULL, "%s: the page has no line " CAROM_PAGE_PLACE "; build again",
                          path);
    p.head.text.ctx = p.description.text.ctx = p.blob.ctx = r->ctx;
    carom_status status = fit(&p, path);
    if (status == CAROM_OK)
        status = write_data_page(&p, path);
    carom_text_clear(&p.head.text);
    carom_text_clear(&p.description.text);
    carom_blob_clear(&p.blob);
    return status;
}

/* ---- the static page ---- */

static carom_status make_plain_page(const carom_report *r, const char *path)
{
    carom_text text = {.ctx = r->ctx};
    carom_save save;
    carom_status status = carom_report_plain(r, &text);
    if (status == CAROM_OK && r->def->max_size && text.length > r->def->max_size)
        status =
            carom_fail(r->ctx, CAROM_ERROR_USAGE, NULL,
                       "%s: the report has %zu bytes, more than the %zu that it may have; allow more or give fewer "
                       "results",
                       path, text.length, r->def->max_size);
    if (status == CAROM_OK)
        status = carom_save_begin(r->ctx, path, &save);
    if (status == CAROM_OK) {
        carom_save_bytes(&save, text.data, text.length);
        status = carom_save_end(&save, CAROM_OK);
    }
    carom_text_clear(&text);
    return status;
}

/* ---- what the header says ---- */

static carom_status check(carom_context *ctx, const carom_report_def *def, const char *path)
{
    if (!def || !path || !path[0] || !def->results || !def->count)
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "carom_report_write: no path or no results");
    for (size_t k = 0; k < def->count; k++) {
        if (!def->results[k] || (def->labels && !def->labels[k]))
            return carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "carom_report_write: result %zu or its label is NULL",
                              k + 1);
        if (carom_is_same_file(path, carom_result_path(def->results[k])))
            return carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "%s: is a result itself; give the report another name",
                              path);
    }
    for (size_t k = 0; k < def->point_sets; k++) {
        const carom_report_points *p = def->points ? &def->points[k] : NULL;
        if (!p || !p->label || !p->unit || !p->t || !p->v || !p->count)
            return carom_fail(ctx, CAROM_ERROR_USAGE, NULL,
                              "carom_report_write: points %zu have no label, unit, times or values", k + 1);
        if (p->over && strcmp(p->over, "m") != 0)
            return carom_fail(ctx, CAROM_ERROR_USAGE, NULL,
                              "carom_report_write: points %zu are over '%.20s'; over time (NULL) or over \"m\"", k + 1,
                              p->over);
    }
    return CAROM_OK;
}

carom_report_def carom_default_report_def(void) { return (carom_report_def){.size = sizeof(carom_report_def)}; }

carom_status carom_report_write_page(carom_context *ctx, const carom_report_def *def, const char *path,
                                     const char *page, size_t length)
{
    if (!ctx)
        return CAROM_ERROR_USAGE;
    carom_report_def own = carom_default_report_def();
    CAROM_TRY(carom_take_def(ctx, def, &own, sizeof own, "report_def"));
    def = &own;
    CAROM_TRY(check(ctx, def, path));
    carom_report report = {.ctx = ctx, .def = def};
    carom_arena_init(&report.arena, ctx);
    carom_status status = gather(&report);
    if (status == CAROM_OK)
        status = page ? make_data_page(&report, path, page, length) : make_plain_page(&report, path);
    release(&report);
    return status;
}

carom_status carom_report_write(carom_context *ctx, const carom_report_def *def, const char *path)
{
    CAROM_NEED(ctx, ctx);
    size_t length;
    const char *page = carom_page(&length);
    return carom_report_write_page(ctx, def, path, page, length);
}
