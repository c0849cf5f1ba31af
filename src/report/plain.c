/* A report as a static page without scripts, for a library that was built without the viewer: facts, warnings, impacts,
   energies, figures and the model text, one section a result. */
#include "report/report.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const char style[] =
    "<style>\n"
    ":root{color-scheme:light dark;--fg:#1b1f24;--bg:#fff;--muted:#5b6570;--line:#d5dae0;--panel:#f5f7f9}\n"
    "@media(prefers-color-scheme:dark){:root{--fg:#e6e9ec;--bg:#14181c;--muted:#9aa4ae;--line:#323a42;--panel:#1c2228}}"
    "\n"
    "body{margin:0 auto;max-width:75rem;padding:1.5rem;background:var(--bg);color:var(--fg);"
    "font:15px/1.5 system-ui,sans-serif}\n"
    "h1{font-size:1.6rem}h2{font-size:1.3rem;margin-top:2.5rem}h3{font-size:1.05rem;margin-top:1.8rem}\n"
    ".muted{color:var(--muted)}.wide{overflow-x:auto}\n"
    "table{border-collapse:collapse;font-variant-numeric:tabular-nums}\n"
    "th,td{padding:.25rem .7rem;border-bottom:1px solid var(--line);text-align:right;white-space:nowrap}\n"
    "th:first-child,td:first-child{text-align:left}th{font-weight:600}\n"
    "dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1rem}dt{color:var(--muted)}dd{margin:0}\n"
    "img{max-width:100%;background:#fff;border:1px solid var(--line);border-radius:4px;margin:.4rem .4rem .4rem 0}\n"
    "pre{overflow:auto;max-height:40rem;padding:1rem;background:var(--panel);border:1px solid var(--line);"
    "border-radius:4px;font-size:13px}\n"
    "</style>\n";

/* ---- text ---- */

static void put_fact(carom_text *out, const char *name, const char *value)
{
    if (!value || !value[0])
        return;
    carom_text_append(out, "<dt>%s</dt><dd>", name);
    carom_html_append(out, value);
    carom_text_append(out, "</dd>\n");
}

/* ---- numbers ---- */

/* A unit with the prefix that brings `largest` into 1 ... 1000, and the factor to it. */
typedef struct shown_unit {
    char name[48];
    double factor;
} shown_unit;

static shown_unit choose_unit(const char *unit, double largest)
{
    static const char *const prefixes[] = {"p", "n", "µ", "m", "", "k", "M", "G"};
    bool plain = strcmp(unit, "1") == 0 || !unit[0], takes = strchr("smNJ", unit[0]) && !plain;
    shown_unit shown = {.factor = 1};
    int power = takes && largest > 0 && isfinite(largest) ? (int)floor(log10(largest) / 3 + 1e-12) : 0;
    /* whole seconds and metres stay as they are */
    int most = unit[0] == 's' || unit[0] == 'm' ? 0 : 3;
    power = power < -4 ? -4 : power > most ? most : power;
    shown.factor = pow(10, -3 * power);
    snprintf(shown.name, sizeof shown.name, "%s%.40s", prefixes[power + 4], plain ? "" : unit);
    return shown;
}

/* A number with `digits` digits, a point in any locale; "–" for what is not finite. */
static void put_number(carom_text *out, double value, int digits)
{
    char text[40];
    if (!isfinite(value)) {
        carom_text_append(out, "%s", isnan(value) ? "–" : value > 0 ? "∞" : "−∞");
        return;
    }
    snprintf(text, sizeof text, "%.*g", digits, value);
    for (char *p = text; *p; p++)
        if (!strchr("0123456789+-e", *p))
            *p = '.';
    carom_text_append(out, "%s", text);
}

/* ---- tables ---- */

/* A table of ended episodes: impacts or rests. */
typedef struct episode_rows {
    const char *title, *none, *head;
    const void *items;
    size_t size, count;
    const carom_field *fields;
    size_t field_count;
} episode_rows;

#define MOST_FIELDS (CAROM_IMPACT_FIELDS + CAROM_REST_FIELDS) /* more than either has */

static const void *row_of(const episode_rows *e, size_t row) { return (const char *)e->items + row * e->size; }

static double largest_of(const episode_rows *e, const carom_field *f)
{
    double largest = 0;
    for (size_t k = 0; k < e->count; k++) {
        double value = fabs(carom_field_number(f, row_of(e, k)));
        largest = isfinite(value) ? fmax(largest, value) : largest;
    }
    return largest;
}

static void put_header(carom_text *out, const episode_rows *e, const shown_unit *units)
{
    carom_text_append(out, "<div class=\"wide\"><table>\n<thead><tr><th>%s</th>", e->head);
    for (size_t i = 0; i < e->field_count; i++) {
        const carom_field *f = &e->fields[i];
        if (f->type == CAROM_FIELD_INDEX)
            continue;
        carom_text_append(out, "<th title=\"");
        carom_html_append(out, f->description);
        carom_text_append(out, "\">");
        carom_html_append(out, f->head);
        if (units[i].name[0])
            carom_text_append(out, " [%s]", units[i].name);
        carom_text_append(out, "</th>");
    }
    carom_text_append(out, "</tr></thead>\n<tbody>\n");
}

static void put_cell(carom_text *out, const carom_field *f, const void *row, double factor)
{
    const char *text;
    carom_text_append(out, "<td>");
    if (f->type == CAROM_FIELD_TEXT) {
        memcpy(&text, (const char *)row + f->offset, sizeof text);
        carom_html_append(out, text);
    } else /* onsets need more digits than what is measured of an impact */
        put_number(out, carom_field_number(f, row) * factor, f->instant ? 10 : 6);
    carom_text_append(out, "</td>");
}

static void put_episodes(carom_text *out, const episode_rows *e)
{
    shown_unit units[MOST_FIELDS] = {{.factor = 1}};
    if (!e->count && !e->none)
        return;
    carom_text_append(out, "<h3>%s</h3>\n", e->title);
    if (!e->count) {
        carom_text_append(out, "<p class=\"muted\">%s</p>\n", e->none);
        return;
    }
    for (size_t i = 0; i < e->field_count; i++)
        if (e->fields[i].type == CAROM_FIELD_NUMBER)
            units[i] = choose_unit(e->fields[i].unit, largest_of(e, &e->fields[i]));
    put_header(out, e, units);
    for (size_t k = 0; k < e->count; k++) {
        carom_text_append(out, "<tr><td>%zu</td>", k + 1);
        for (size_t i = 0; i < e->field_count; i++)
            if (e->fields[i].type != CAROM_FIELD_INDEX)
                put_cell(out, &e->fields[i], row_of(e, k), units[i].factor);
        carom_text_append(out, "</tr>\n");
    }
    carom_text_append(out, "</tbody></table></div>\n");
}

static void put_impacts(carom_text *out, const carom_report_run *run)
{
    episode_rows e = {.title = "Impacts", .none = "No impact ended.", .head = "impact", .size = sizeof(carom_impact)};
    e.items = carom_result_impacts(run->result, &e.count);
    e.fields = carom_impact_field;
    e.field_count = CAROM_IMPACT_FIELDS;
    put_episodes(out, &e);
    e = (episode_rows){.title = "Rests", .head = "rest", .size = sizeof(carom_rest)};
    e.items = carom_result_rests(run->result, &e.count);
    e.fields = carom_rest_field;
    e.field_count = CAROM_REST_FIELDS;
    put_episodes(out, &e);
}

static void put_ledger(carom_text *out, const carom_report_run *run)
{
    carom_ledger ledger;
    carom_text_append(out, "<h3>Energy ledger</h3>\n");
    if (!carom_result_ledger(run->result, &ledger)) {
        carom_text_append(out, "<p class=\"muted\">The run has not written its ledger.</p>\n");
        return;
    }
    carom_text_append(out, "<table>\n<tbody>\n");
    for (size_t i = 0; i < CAROM_LEDGER_FIELDS; i++) {
        const carom_field *f = &carom_ledger_field[i];
        shown_unit unit = choose_unit(f->unit, fabs(carom_field_number(f, &ledger)));
        carom_text_append(out, "<tr><td title=\"");
        carom_html_append(out, f->description);
        carom_text_append(out, "\">");
        carom_html_append(out, f->head);
        carom_text_append(out, "</td><td>");
        put_number(out, carom_field_number(f, &ledger) * unit.factor, 6);
        carom_text_append(out, " %s</td></tr>\n", unit.name);
    }
    carom_text_append(out, "</tbody></table>\n");
}

/* ---- sections ---- */

static void put_facts(carom_text *out, const carom_report_run *run)
{
    char rows[200];
    const carom_report_rows *g = run->groups;
    snprintf(rows, sizeof rows, "%zu at the output interval, %zu solver steps, %zu snapshots", g[0].of, g[1].of,
             g[2].of);
    carom_text_append(out, "<dl>\n");
    put_fact(out, "status", carom_result_status(run->result));
    put_fact(out, "model", carom_result_model_name(run->result));
    put_fact(out, "file", run->file);
    put_fact(out, "options", carom_result_options(run->result));
    put_fact(out, "integrator", carom_result_methods(run->result));
    put_fact(out, "rows", rows);
    put_fact(out, "host", carom_result_host(run->result));
    put_fact(out, "Carom", carom_result_version(run->result));
    carom_text_append(out, "</dl>\n");
    size_t count;
    const char *const *warnings = carom_result_warnings(run->result, &count);
    carom_text_append(out, count ? "<h3>Warnings</h3>\n<ul>\n" : "");
    for (size_t k = 0; k < count; k++) {
        carom_text_append(out, "<li>");
        carom_html_append(out, warnings[k]);
        carom_text_append(out, "</li>\n");
    }
    carom_text_append(out, count ? "</ul>\n" : "");
}

static carom_status put_run(const carom_report *r, const carom_report_run *run, carom_text *out)
{
    const char *title = run->label[0] ? run->label : carom_result_title(run->result);
    carom_text_append(out, "<section>\n<h2>");
    carom_html_append(out, title[0] ? title : carom_result_model_name(run->result));
    carom_text_append(out, "</h2>\n");
    put_facts(out, run);
    put_impacts(out, run);
    put_ledger(out, run);
    CAROM_TRY(carom_report_figures(r, run, out));
    const char *text = carom_result_model_text(run->result);
    if (text[0]) {
        carom_text_append(out, "<h3>Model</h3>\n<pre>");
        carom_html_append(out, text);
        carom_text_append(out, "</pre>\n");
    }
    carom_text_append(out, "</section>\n");
    return CAROM_OK;
}

carom_status carom_report_plain(const carom_report *report, carom_text *out)
{
    carom_text_append(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>");
    carom_html_append(out, report->title);
    carom_text_append(out, "</title>\n%s</head>\n<body>\n<h1>", style);
    carom_html_append(out, report->title);
    carom_text_append(
        out,
        "</h1>\n<p class=\"muted\">Written by Carom %s, which was built without the viewer (CAROM_VIEWER=OFF): "
        "this page has no scene and no interactive plots.</p>\n",
        carom_version());
    for (size_t k = 0; k < report->count; k++)
        CAROM_TRY(put_run(report, &report->runs[k], out));
    carom_text_append(out, "</body>\n</html>\n");
    return out->failed ? carom_fail_memory(report->ctx) : CAROM_OK;
}
