/* The page of a fit: one HTML file with tables, sentences and figures, which needs no network and no script. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "carom/fit_io.h"
#include "figure/figure.h"
#include "report/report.h"

/* Columns of records that have figures, and laws that have rows. */
#define MOST_FIGURES 60
#define MOST_LAWS 60
#define BAR_MM 5.0
/* Laws with a greater difference of AICc are in the table alone. */
#define SHOWN_DIFFERENCE 100

typedef struct page {
    carom_context *ctx;
    const carom_fit *fit;
    const carom_fit_result *result;
    carom_fit_info info;
    carom_text out;
    size_t figures;
} page;

static const char head[] = "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
static const char style[] =
    "<style>\n"
    "body{font:15px/1.5 system-ui,sans-serif;color:#1c2530;background:#fff;margin:0 "
    "auto;padding:24px;max-width:1120px}\n"
    "h1{font-size:24px;margin:0 0 4px}h2{font-size:18px;margin:32px 0 8px;border-bottom:1px solid #d5dbe2}\n"
    "h3{font-size:15px;margin:20px 0 4px}.sub{color:#57636f;margin:0}\n"
    "table{border-collapse:collapse;font-variant-numeric:tabular-nums}\n"
    "th,td{padding:3px 12px 3px 0;text-align:right;border-bottom:1px solid #edf0f3;vertical-align:top}\n"
    "th:first-child,td:first-child{text-align:left}th{color:#57636f;font-weight:600}\n"
    "li{margin:4px 0}.pair{display:flex;flex-wrap:wrap;gap:16px}.pair svg{max-width:100%;height:auto}\n"
    ".scroll{overflow-x:auto}.out{color:#57636f;font-size:13px}.high{background:#fbe3dd}\n"
    "</style>\n";

/* ---- texts ---- */

static void put(page *p, const char *text) { carom_html_append(&p->out, text); }

static void put_cell(page *p, const char *text)
{
    carom_text_append(&p->out, "<td>");
    put(p, text);
    carom_text_append(&p->out, "</td>");
}

static void put_number(page *p, double value, int digits)
{
    if (isnan(value))
        carom_text_append(&p->out, "<td>–</td>");
    else
        carom_text_append(&p->out, "<td>%.*g</td>", digits, value);
}

static void put_range(page *p, double low, double high, bool open_low, bool open_high)
{
    if (isnan(low) || isnan(high))
        carom_text_append(&p->out, "<td>–</td>");
    else
        carom_text_append(&p->out, "<td>%s%.5g … %s%.5g</td>", open_low ? "&lt;" : "", low, open_high ? "&gt;" : "",
                          high);
}

static void label(const page *p, const carom_fit_unknown *u, char text[256])
{
    const bool of_record = u->record && p->info.records > 1;
    snprintf(text, 256, "%.80s%s%.80s%s%.40s%s", u->name, of_record ? " of " : "", of_record ? u->record : "",
             u->unit ? " [" : "", u->unit ? u->unit : "", u->unit ? "]" : "");
}

/* ---- tables ---- */

static void put_head(page *p)
{
    const carom_fit_info *i = &p->info;
    const carom_fit_result *r = p->result;
    const char *slash = strrchr(i->file, '/'), *title = i->title[0] ? i->title : slash ? slash + 1 : i->file;
    carom_text_append(&p->out, "%s<title>", head);
    put(p, title);
    carom_text_append(&p->out, "</title>\n%s</head><body>\n<h1>", style);
    put(p, title);
    carom_text_append(&p->out, "</h1>\n<p class=\"sub\">carom fit %s: %zu unknowns, %zu data of %zu record%s, loss %s",
                      slash ? slash + 1 : i->file, i->unknowns, i->data, i->records, i->records == 1 ? "" : "s",
                      i->loss);
    if (i->model) {
        carom_text_append(&p->out, ", model ");
        put(p, i->model);
    }
    carom_text_append(&p->out,
                      "</p>\n<p class=\"sub\">%s after %zu predictions; misfit %.6g with %.0f degrees "
                      "of freedom",
                      r->converged ? "converged" : "not converged", r->predictions, r->misfit, r->freedom);
    if (r->law) {
        carom_text_append(&p->out, "; law ");
        put(p, r->law);
    }
    carom_text_append(&p->out, "</p>\n");
    if (r->sentence_count + (carom_fit_get_note(p->fit, 0) != NULL) == 0)
        return;
    carom_text_append(&p->out, "<h2>What the data say</h2>\n<ul>\n");
    for (size_t k = 0; k < r->sentence_count; k++) {
        carom_text_append(&p->out, "<li>");
        put(p, r->sentences[k]);
        carom_text_append(&p->out, "</li>\n");
    }
    for (size_t k = 0; carom_fit_get_note(p->fit, k); k++) {
        carom_text_append(&p->out, "<li>");
        put(p, carom_fit_get_note(p->fit, k));
        carom_text_append(&p->out, "</li>\n");
    }
    carom_text_append(&p->out, "</ul>\n");
}

static void put_estimates(page *p)
{
    carom_text_append(&p->out,
                      "<h2>Estimates</h2>\n<div "
                      "class=\"scroll\"><table>\n<tr><th>unknown</th><th>estimate</th><th>standard "
                      "error</th><th>%.6g %% by error</th><th>%.6g %% by profile</th><th>bounds</th></tr>\n",
                      100 * p->info.confidence, 100 * p->info.confidence);
    for (size_t k = 0; k < p->info.unknowns; k++) {
        const carom_fit_estimate *e = &p->result->estimates[k];
        carom_fit_unknown u;
        char text[256];
        carom_fit_get_unknown(p->fit, k, &u);
        label(p, &u, text);
        carom_text_append(&p->out, "<tr>");
        put_cell(p, text);
        put_number(p, e->value, 6);
        if (e->fixed || e->at_low || e->at_high)
            put_cell(p, e->fixed ? "not of this law" : "at its bound");
        else
            put_number(p, e->error, 2);
        put_range(p, e->low, e->high, false, false);
        put_range(p, e->profile_low, e->profile_high, e->open_low, e->open_high);
        put_range(p, u.low, u.high, false, false);
        carom_text_append(&p->out, "</tr>\n");
    }
    carom_text_append(&p->out, "</table></div>\n");
}

static void put_correlations(page *p)
{
    const size_t n = p->info.unknowns;
    size_t free = 0;
    for (size_t k = 0; k < n; k++)
        free += p->result->estimates[k].free;
    if (free < 2)
        return;
    carom_text_append(&p->out, "<h2>Correlations</h2>\n<div class=\"scroll\"><table>\n");
    for (size_t k = 0; k < n; k++) {
        carom_fit_unknown u;
        char text[256];
        if (!p->result->estimates[k].free)
            continue;
        carom_fit_get_unknown(p->fit, k, &u);
        u.unit = NULL;
        label(p, &u, text);
        carom_text_append(&p->out, "<tr>");
        put_cell(p, text);
        for (size_t i = 0; i <= k; i++)
            if (p->result->estimates[i].free) {
                const double c = p->result->correlations[k * n + i];
                carom_text_append(&p->out, "<td%s>%.4f</td>", i < k && fabs(c) > 0.95 ? " class=\"high\"" : "", c);
            }
        carom_text_append(&p->out, "</tr>\n");
    }
    carom_text_append(&p->out, "</table></div>\n");
}

/* ---- figures ---- */

/* Names of parts within a figure get its number, so that figures of one page do not take each other's letters. */
static void put_named(page *p, const char *svg)
{
    static const char *const marks[] = {" id=\"", "href=\"#", "url(#"};
    while (*svg) {
        const char *next = NULL;
        size_t mark = 0;
        for (size_t k = 0; k < CAROM_COUNT(marks); k++) {
            const char *at = strstr(svg, marks[k]);
            if (at && (!next || at < next)) {
                next = at;
                mark = strlen(marks[k]);
            }
        }
        if (!next) {
            carom_text_append(&p->out, "%s", svg);
            return;
        }
        carom_text_append_n(&p->out, svg, (size_t)(next - svg) + mark);
        carom_text_append(&p->out, "f%zu-", p->figures);
        svg = next + mark;
    }
}

static carom_status put_figure(page *p, const carom_figure *figure)
{
    carom_text svg = {.ctx = p->ctx};
    const carom_status status = carom_figure_svg(p->ctx, figure, &svg);
    /* the declaration of XML has no place within a page */
    const char *from = status == CAROM_OK && svg.data ? strstr(svg.data, "<svg") : NULL;
    p->figures++;
    if (from)
        put_named(p, from);
    carom_text_clear(&svg);
    return status == CAROM_ERROR_MEMORY ? status : CAROM_OK;
}

/* Laws by the difference of their AICc, the best on top. */
static carom_status put_law_figure(page *p, size_t count)
{
    const char *names[MOST_LAWS];
    double x[MOST_LAWS], y[MOST_LAWS];
    for (size_t k = 0; k < count; k++) {
        const carom_fit_law *l = &p->result->laws[count - 1 - k];
        names[k] = l->name;
        x[k] = l->difference;
        y[k] = (double)k;
    }
    const carom_curve bars = {
        .label = "AICc above the best", .count = count, .x = x, .y = y, .bars = true, .thickness = 0.6};
    carom_figure f = carom_default_figure();
    f.x_label = "AICc above that of the best";
    f.x_unit = "1";
    f.y_label = "";
    f.y_unit = "1";
    f.curves = &bars;
    f.curve_count = 1;
    f.y_names = names;
    f.y_name_count = count;
    f.y_min = -0.6;
    f.y_max = (double)count - 0.4;
    f.width = 160;
    f.height = 30 + BAR_MM * (double)count;
    f.legend = CAROM_LEGEND_NONE;
    return put_figure(p, &f);
}

static carom_status put_laws(page *p)
{
    size_t fitted = 0;
    const carom_fit_result *r = p->result;
    while (fitted < r->law_count && !r->laws[fitted].left_out && fitted < MOST_LAWS)
        fitted++;
    if (r->law_count < 2)
        return CAROM_OK;
    carom_text_append(&p->out, "<h2>Laws</h2>\n<div "
                               "class=\"scroll\"><table>\n<tr><th>law</th><th>unknowns</th><th>rms/sigma</th>"
                               "<th>AICc</th><th>difference</th><th>weight</th><th>left-out rms/sigma</th></tr>\n");
    for (size_t k = 0; k < fitted; k++) {
        const carom_fit_law *l = &r->laws[k];
        carom_text_append(&p->out, "<tr>");
        put_cell(p, l->name);
        carom_text_append(&p->out, "<td>%zu</td>", l->unknowns);
        put_number(p, l->rms, 4);
        put_number(p, l->aicc, 6);
        put_number(p, l->difference, 4);
        put_number(p, l->weight, 3);
        put_number(p, l->validation, 4);
        carom_text_append(&p->out, "</tr>\n");
    }
    carom_text_append(&p->out, "</table></div>\n");
    carom_status status = CAROM_OK;
    size_t shown = 0;
    while (shown < fitted && r->laws[shown].difference < SHOWN_DIFFERENCE)
        shown++;
    if (shown > 1)
        status = put_law_figure(p, shown);
    if (fitted < r->law_count)
        carom_text_append(&p->out, "<ul class=\"out\">\n");
    for (size_t k = fitted; k < r->law_count; k++) {
        carom_text_append(&p->out, "<li>");
        put(p, r->laws[k].name);
        carom_text_append(&p->out, " left out: ");
        put(p, r->laws[k].left_out ? r->laws[k].left_out : "no room");
        carom_text_append(&p->out, "</li>\n");
    }
    if (fitted < r->law_count)
        carom_text_append(&p->out, "</ul>\n");
    return status;
}

/* Measurements with predictions, and beside them the residuals over sigma. */
static carom_status put_response(page *p, size_t index)
{
    carom_fit_response q;
    const carom_fit_residuals *r = &p->result->residuals[index];
    carom_fit_get_response(p->fit, index, &q);
    const bool many = q.count > 60, row = !q.is_curve;
    const char *unit = strcmp(q.si_unit, "1") ? q.si_unit : "", *space = *unit ? " " : "";
    const carom_curve curves[] = {
        {.label = "measured", .count = q.count, .x = q.x, .y = q.measured, .markers = true, .dots = many},
        {.label = "predicted", .count = q.count, .x = q.x, .y = r->predicted, .markers = row, .dots = false}};
    const carom_curve residuals = {
        .label = "residuals", .count = q.count, .x = q.x, .y = r->residuals, .markers = true, .dots = many};
    carom_figure f = carom_default_figure();
    f.x_label = q.x_name;
    f.x_unit = q.x_unit;
    f.y_label = q.column;
    f.y_unit = q.si_unit;
    f.curves = curves;
    f.curve_count = 2;
    carom_text_append(&p->out, "<h3>");
    put(p, q.record);
    carom_text_append(&p->out, ": ");
    put(p, q.column);
    carom_text_append(&p->out, " = ");
    put(p, q.expression);
    carom_text_append(&p->out,
                      "</h3>\n<p class=\"sub\">%zu data, rms of residuals %.4g%s%s, sigma %.4g%s%s%s</p>\n"
                      "<div class=\"pair\">",
                      q.count, r->rms, space, unit, r->sigma, space, unit, q.sigma_given ? "" : " (estimated)");
    CAROM_TRY(put_figure(p, &f));
    f.y_label = "residual/sigma";
    f.y_unit = "1";
    f.curves = &residuals;
    f.curve_count = 1;
    f.legend = CAROM_LEGEND_NONE;
    CAROM_TRY(put_figure(p, &f));
    carom_text_append(&p->out, "</div>\n");
    return CAROM_OK;
}

static carom_status compose(page *p)
{
    put_head(p);
    CAROM_TRY(put_laws(p));
    put_estimates(p);
    put_correlations(p);
    carom_text_append(&p->out, "<h2>Records</h2>\n");
    for (size_t k = 0; k < p->info.responses && k < MOST_FIGURES; k++)
        CAROM_TRY(put_response(p, k));
    if (p->info.responses > MOST_FIGURES)
        carom_text_append(&p->out, "<p>%zu more are in `carom fit --json`.</p>\n", p->info.responses - MOST_FIGURES);
    carom_text_append(&p->out, "<h2>Study</h2>\n<pre>");
    put(p, p->info.text);
    carom_text_append(&p->out, "</pre>\n<p class=\"out\">Carom %s</p>\n</body></html>\n", carom_version());
    return p->out.failed ? carom_fail_memory(p->ctx) : CAROM_OK;
}

carom_status carom_fit_page_write(carom_context *ctx, const carom_fit *fit, const carom_fit_result *result,
                                  const char *path)
{
    CAROM_NEED(ctx, ctx);
    if (!fit || !result || !path || !result->estimates || !result->residuals)
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "carom_fit_page_write: an argument is NULL, or the fit failed");
    page p = {.ctx = ctx, .fit = fit, .result = result, .info = carom_fit_get_info(fit), .out = {.ctx = ctx}};
    carom_save save;
    carom_status status = compose(&p);
    if (status == CAROM_OK && (status = carom_save_begin(ctx, path, &save)) == CAROM_OK) {
        carom_save_bytes(&save, p.out.data, p.out.length);
        status = carom_save_end(&save, CAROM_OK);
    }
    carom_text_clear(&p.out);
    return status;
}
