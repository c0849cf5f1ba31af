/* What `carom fit` prints: the plan of a study, and what the fit has found. */
#include "fit/fit_call.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/table.h"
#include "support/terminal.h"

#define SHOWN_LAWS 12

/* "K [N/m^n]", "v0 of drop.csv [m/s]". */
static void label(const fit_call *c, const carom_fit_unknown *u, bool unit, char *text, size_t size)
{
    const char *record = u->record && c->info.records > 1 ? u->record : NULL;
    snprintf(text, size, "%s%s%s%s%s%s", u->name, record ? " of " : "", record ? record : "",
             unit && u->unit ? " [" : "", unit && u->unit ? u->unit : "", unit && u->unit ? "]" : "");
}

static void print_head(const fit_call *c)
{
    const carom_fit_info *i = &c->info;
    if (i->title[0])
        print_line(0, "%s", i->title);
    print_line(0, "%zu unknown%s, %zu data of %zu record%s, %zu run%s a prediction, loss %s%s%s", i->unknowns,
               i->unknowns == 1 ? "" : "s", i->data, i->records, i->records == 1 ? "" : "s", i->runs,
               i->runs == 1 ? "" : "s", i->loss, i->model ? ", of " : "", i->model ? i->model : "");
    for (size_t k = 0; carom_fit_get_note(c->fit, k); k++)
        print_line(2, "%s", carom_fit_get_note(c->fit, k));
}

void print_fit_plan(const fit_call *c)
{
    char low[32], high[32], start[32], text[200];
    print_head(c);
    print_line(0, "unknowns");
    for (size_t k = 0; k < c->info.unknowns; k++) {
        carom_fit_unknown u;
        carom_fit_get_unknown(c->fit, k, &u);
        label(c, &u, true, text, sizeof text);
        print_line(2, "%s: from %s to %s, start %s%s", text, short_number(low, u.low, 6), short_number(high, u.high, 6),
                   short_number(start, u.start, 6), u.log ? ", by its logarithm" : "");
    }
    print_line(0, "records");
    for (size_t k = 0; k < c->info.responses; k++) {
        carom_fit_response r;
        carom_fit_get_response(c->fit, k, &r);
        print_line(2, "%s, %s%s%s%s = %s: %zu over %s, sigma %s", r.record, r.column, r.unit ? " [" : "",
                   r.unit ? r.unit : "", r.unit ? "]" : "", r.expression, r.count, r.x_name,
                   r.sigma_given ? "given" : "estimated");
    }
    if (c->info.laws > 0) {
        char laws[2048] = "";
        for (size_t k = 0; k < c->info.laws && strlen(laws) < sizeof laws - 80; k++)
            snprintf(laws + strlen(laws), sizeof laws - strlen(laws), "%s%s", k ? ", " : "",
                     carom_fit_get_law(c->fit, k));
        print_line(0, "law%s", c->info.laws > 1 ? "s" : "");
        print_line(2, "%s", laws);
    }
}

/* ---- estimates ---- */

/* Texts of a column, freed together. */
typedef struct cells {
    char **texts;
    size_t count;
} cells;

static bool cells_make(cells *c, size_t count)
{
    c->count = count;
    c->texts = calloc(count + 1, sizeof *c->texts);
    return c->texts != NULL;
}

static void cells_free(cells *c)
{
    for (size_t k = 0; c->texts && k < c->count; k++)
        free(c->texts[k]);
    free(c->texts);
}

/* Prints a table of such columns, if all is there, and ends both. */
static void end_table(table *t, cells *columns, size_t count, bool good)
{
    if (good)
        table_print(t, stdout);
    table_free(t);
    for (size_t k = 0; k < count; k++)
        cells_free(&columns[k]);
}

static void put(cells *c, size_t row, double value, int digits)
{
    char text[32];
    c->texts[row] = isnan(value) ? NULL : format_text("%s", short_number(text, value, digits));
}

/* "1.2e9 ... 1.4e9"; an open end is that of the study. */
static void put_range(cells *c, size_t row, double low, double high, bool open_low, bool open_high)
{
    char a[32], b[32];
    if (isnan(low) || isnan(high))
        return;
    c->texts[row] = format_text("%s%s ... %s%s", open_low ? "<" : "", short_number(a, low, 5), open_high ? ">" : "",
                                short_number(b, high, 5));
}

static void put_estimate(const fit_call *c, cells columns[5], size_t row)
{
    const carom_fit_estimate *e = &c->result.estimates[row];
    carom_fit_unknown u;
    char text[200];
    carom_fit_get_unknown(c->fit, row, &u);
    label(c, &u, true, text, sizeof text);
    columns[0].texts[row] = format_text("%s", text);
    put(&columns[1], row, e->value, 6);
    put(&columns[2], row, e->error, 2);
    put_range(&columns[3], row, e->low, e->high, false, false);
    put_range(&columns[4], row, e->profile_low, e->profile_high, e->open_low, e->open_high);
    if (e->fixed || e->at_low || e->at_high) {
        free(columns[2].texts[row]);
        columns[2].texts[row] = format_text("%s", e->fixed ? "not of this law" : "at its bound");
    }
}

static void print_estimates(const fit_call *c)
{
    const size_t n = c->info.unknowns;
    cells columns[5] = {{NULL, 0}};
    char wald[40], profile[40];
    bool good = true;
    for (int k = 0; k < 5; k++)
        good = cells_make(&columns[k], n) && good;
    for (size_t k = 0; k < n && good; k++)
        put_estimate(c, columns, k);
    snprintf(wald, sizeof wald, "%.6g %% by error", 100 * c->info.confidence);
    snprintf(profile, sizeof profile, "%.6g %% by profile", 100 * c->info.confidence);
    const char *const heads[5] = {"unknown", "estimate", "std. error", wald, profile};
    table t = {.rows = n};
    for (int k = 0; k < 5 && good; k++) {
        bool any = k < 3;
        for (size_t i = 0; i < n; i++)
            any = any || columns[k].texts[i];
        if (any)
            table_texts(&t, heads[k], k > 0, (const char *const *)columns[k].texts);
    }
    end_table(&t, columns, 5, good);
}

static void print_correlations(const fit_call *c)
{
    const size_t n = c->info.unknowns;
    size_t shown[8], count = 0;
    for (size_t k = 0; k < n; k++)
        if (c->result.estimates[k].free && count < COUNT(shown))
            shown[count++] = k;
    if (count < 2)
        return;
    cells columns[9] = {{NULL, 0}};
    bool good = true;
    for (size_t k = 0; k <= count; k++)
        good = cells_make(&columns[k], count) && good;
    table t = {.rows = count};
    for (size_t k = 0; k < count && good; k++) {
        carom_fit_unknown u;
        char text[200];
        carom_fit_get_unknown(c->fit, shown[k], &u);
        label(c, &u, false, text, sizeof text);
        columns[0].texts[k] = format_text("%s", text);
        for (size_t i = 0; i <= k; i++)
            columns[i + 1].texts[k] = format_text("%.4f", c->result.correlations[shown[k] * n + shown[i]]);
    }
    if (good)
        table_texts(&t, "correlation", false, (const char *const *)columns[0].texts);
    for (size_t k = 0; k < count && good; k++)
        table_texts(&t, columns[0].texts[k], true, (const char *const *)columns[k + 1].texts);
    end_table(&t, columns, count + 1, good);
}

/* ---- residuals ---- */

static void print_residuals(const fit_call *c)
{
    const size_t n = c->info.responses;
    cells columns[5] = {{NULL, 0}};
    bool good = true;
    for (int k = 0; k < 5; k++)
        good = cells_make(&columns[k], n) && good;
    for (size_t k = 0; k < n && good; k++) {
        const carom_fit_residuals *r = &c->result.residuals[k];
        carom_fit_response q;
        carom_fit_get_response(c->fit, k, &q);
        const bool pure = strcmp(q.si_unit, "1") == 0;
        columns[0].texts[k] =
            format_text("%s, %s%s%s%s", q.record, q.column, pure ? "" : " [", pure ? "" : q.si_unit, pure ? "" : "]");
        columns[1].texts[k] = format_text("%zu", q.count);
        put(&columns[2], k, r->rms, 4);
        columns[3].texts[k] = NULL;
        put(&columns[3], k, r->sigma, 4);
        put(&columns[4], k, sqrt(r->misfit / (double)q.count), 3);
        if (!q.sigma_given) {
            char *text = columns[3].texts[k];
            columns[3].texts[k] = format_text("%s, estimated", text ? text : "");
            free(text);
        }
    }
    static const char *const heads[5] = {"residuals", "data", "rms", "sigma", "rms/sigma"};
    table t = {.rows = n};
    for (int k = 0; k < 5 && good; k++)
        table_texts(&t, heads[k], k > 0, (const char *const *)columns[k].texts);
    end_table(&t, columns, 5, good);
}

/* ---- laws ---- */

static void print_left_out(const fit_call *c)
{
    size_t told = 0;
    for (size_t k = 0; k < c->result.law_count; k++) {
        const carom_fit_law *l = &c->result.laws[k];
        if (l->left_out && (c->options->all || told < 5))
            print_line(2, "%s left out: %s", l->name, l->left_out);
        told += l->left_out != NULL;
    }
    if (told > 5 && !c->options->all)
        print_line(2, "and %zu laws more, which --all tells", told - 5);
}

static void print_laws(const fit_call *c)
{
    size_t n = 0;
    cells columns[7] = {{NULL, 0}};
    bool good = true;
    while (n < c->result.law_count && !c->result.laws[n].left_out && (c->options->all || n < SHOWN_LAWS))
        n++;
    if (c->result.law_count < 2)
        return;
    for (int k = 0; k < 7; k++)
        good = cells_make(&columns[k], n) && good;
    for (size_t k = 0; k < n && good; k++) {
        const carom_fit_law *l = &c->result.laws[k];
        columns[0].texts[k] = format_text("%s", l->name);
        columns[1].texts[k] = format_text("%zu", l->unknowns);
        put(&columns[2], k, l->rms, 4);
        put(&columns[3], k, l->aicc, 6);
        put(&columns[4], k, l->difference, 4);
        columns[5].texts[k] = format_text("%.3f", l->weight);
        put(&columns[6], k, l->validation, 4);
    }
    static const char *const heads[7] = {"law",        "unknowns", "rms/sigma",         "AICc",
                                         "difference", "weight",   "left-out rms/sigma"};
    table t = {.rows = n};
    bool validated = false;
    for (size_t k = 0; k < n; k++)
        validated = validated || columns[6].texts[k];
    for (int k = 0; k < (validated ? 7 : 6) && good; k++)
        table_texts(&t, heads[k], k > 0, (const char *const *)columns[k].texts);
    end_table(&t, columns, 7, good);
    print_left_out(c);
    putchar('\n');
}

void print_fit_result(const fit_call *c)
{
    const carom_fit_result *r = &c->result;
    print_head(c);
    print_line(0, "%s after %zu predictions in %.3g s; misfit %.6g with %.0f degrees of freedom%s%s",
               r->converged ? "converged" : "not converged", r->predictions, c->seconds, r->misfit, r->freedom,
               r->law ? "; law " : "", r->law ? r->law : "");
    if (r->derivatives)
        print_line(0, "derivatives: %s", r->derivatives);
    putchar('\n');
    print_laws(c);
    print_estimates(c);
    putchar('\n');
    print_correlations(c);
    putchar('\n');
    print_residuals(c);
    putchar('\n');
    for (size_t k = 0; k < r->sentence_count; k++)
        print_line(0, "%s", r->sentences[k]);
}

void print_fit_so_far(const fit_call *c)
{
    char number[32], text[200];
    if (!c->result.so_far) {
        print_line(0, "interrupted before a first prediction: there are no values yet");
        return;
    }
    print_line(0, "interrupted; the best values so far%s%s, which `start` takes:", c->result.law ? ", with law " : "",
               c->result.law ? c->result.law : "");
    for (size_t k = 0; k < c->info.unknowns; k++) {
        carom_fit_unknown u;
        carom_fit_get_unknown(c->fit, k, &u);
        label(c, &u, true, text, sizeof text);
        print_line(2, "%s = %s", text, short_number(number, c->result.so_far[k], 10));
    }
}
