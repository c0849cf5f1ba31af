/* The figures of a static report, as pictures within the page: forces of the contacts, force and loop of the hardest
   impact, energies. What is not recorded is left out. */
#include "report/report.h"

#include <math.h>

#include "figure/figure.h"

#define MOST_CURVES 8 /* of a figure */
#define MARGIN 0.05   /* before and after an impact, as a share of its duration */

typedef struct figure_data {
    const carom_report *report;
    const carom_report_run *run;
    carom_text *out;
    carom_curve curves[MOST_CURVES];
    size_t count;
} figure_data;

/* Values of a scalar quantity of an object; NULL if it is not recorded. */
static carom_status find_values(const figure_data *d, int group, const char *type, const char *object,
                                const char *quantity, const double **out)
{
    size_t count, channel;
    const carom_channel *list = carom_result_channels(d->run->result, &count);
    *out = NULL;
    if (!carom_result_find_quantity(d->run->result, group, type, object, quantity, &channel) || list[channel].size != 1)
        return CAROM_OK;
    return carom_result_values(d->run->result, channel, 0, out);
}

/* Adds a curve of the rows from `first` to before `end`; values NULL: none. */
static void add_curve(figure_data *d, const char *label, const double *x, const double *y, size_t first, size_t end)
{
    if (x && y && end > first && d->count < MOST_CURVES)
        d->curves[d->count++] = (carom_curve){.label = label, .count = end - first, .x = x + first, .y = y + first};
}

/* Draws the curves that were added, if any has a point, and forgets them. */
static carom_status draw(figure_data *d, carom_figure figure, const char *text)
{
    figure.curves = d->curves;
    figure.curve_count = d->count;
    carom_text svg = {.ctx = d->report->ctx};
    carom_status status = d->count ? carom_figure_svg(d->report->ctx, &figure, &svg) : CAROM_ERROR_USAGE;
    d->count = 0;
    if (status == CAROM_OK) {
        carom_text_append(d->out, "<img alt=\"");
        carom_html_append(d->out, text);
        carom_text_append(d->out, "\" src=\"data:image/svg+xml;base64,");
        carom_base64_append(d->out, (const unsigned char *)svg.data, svg.length);
        carom_text_append(d->out, "\">\n");
    }
    carom_text_clear(&svg);
    return status == CAROM_ERROR_USAGE ? CAROM_OK : status;
}

/* ---- contacts ---- */

static const carom_impact *find_hardest(const carom_report_run *run)
{
    size_t count;
    const carom_impact *list = carom_result_impacts(run->result, &count), *hardest = NULL;
    for (size_t k = 0; k < count; k++)
        if (!hardest || list[k].peak_force > hardest->peak_force)
            hardest = &list[k];
    return hardest;
}

/* Forces of the contacts that have ended an impact, over the whole run. */
static carom_status draw_forces(figure_data *d)
{
    size_t count;
    const carom_impact *list = carom_result_impacts(d->run->result, &count);
    const carom_report_rows *g = &d->run->groups[1];
    for (size_t k = 0; k < count && d->count < MOST_CURVES; k++) {
        const double *force;
        bool known = false;
        for (size_t i = 0; i < d->count; i++)
            known = known || strcmp(d->curves[i].label, list[k].contact) == 0;
        if (known)
            continue;
        CAROM_TRY(find_values(d, 1, "contact", list[k].contact, "force", &force));
        add_curve(d, list[k].contact, g->time, force, 0, g->of);
    }
    return draw(d, (carom_figure){.size = sizeof(carom_figure), .x_label = "time", .x_unit = "s",
                                  .y_label = "contact force", .y_unit = "N"},
                "Contact forces over time");
}

static carom_status draw_impact(figure_data *d, const carom_impact *impact)
{
    const carom_report_rows *g = &d->run->groups[1];
    const double *force, *indentation, *elastic, *damping;
    double from = impact->onset - MARGIN * impact->duration, to = impact->onset + (1 + MARGIN) * impact->duration;
    size_t first = 0, end = 0;
    while (first < g->of && g->time[first] < from)
        first++;
    for (end = first; end < g->of && g->time[end] <= to;)
        end++;
    CAROM_TRY(find_values(d, 1, "contact", impact->contact, "force", &force));
    CAROM_TRY(find_values(d, 1, "contact", impact->contact, "indentation", &indentation));
    CAROM_TRY(find_values(d, 1, "contact", impact->contact, "elastic", &elastic));
    CAROM_TRY(find_values(d, 1, "contact", impact->contact, "damping", &damping));
    add_curve(d, "force", g->time, force, first, end);
    add_curve(d, "elastic", g->time, elastic, first, end);
    add_curve(d, "damping", g->time, damping, first, end);
    CAROM_TRY(draw(d, (carom_figure){.size = sizeof(carom_figure), .x_label = "time", .x_unit = "s", .y_label = "force",
                                     .y_unit = "N"},
                   "Force of the hardest impact over time"));
    add_curve(d, impact->contact, indentation, force, first, end);
    return draw(d, (carom_figure){.size = sizeof(carom_figure), .x_label = "indentation", .x_unit = "m",
                                  .y_label = "force", .y_unit = "N"},
                "Force of the hardest impact over the indentation");
}

/* ---- energies ---- */

static carom_status draw_energies(figure_data *d)
{
    static const char *const roles[] = {"stored", "dissipated", "work"};
    const carom_report_rows *g = &d->run->groups[0];
    const double *energy;
    for (size_t k = 0; k < CAROM_LEDGER_FIELDS; k++) {
        bool drawn = false;
        for (size_t i = 0; i < CAROM_COUNT(roles); i++)
            drawn = drawn || strcmp(carom_ledger_field[k].role, roles[i]) == 0;
        if (!drawn)
            continue;
        CAROM_TRY(find_values(d, 0, "energy", "", carom_ledger_field[k].name, &energy));
        add_curve(d, carom_ledger_field[k].head, g->time, energy, 0, g->of);
    }
    carom_figure figure = {.size = sizeof(carom_figure), .x_label = "time", .x_unit = "s", .y_label = "energy",
                           .y_unit = "J"};
    CAROM_TRY(draw(d, figure, "Energies over time"));
    figure.y_label = "residual";
    CAROM_TRY(find_values(d, 0, "energy", "", "residual", &energy));
    add_curve(d, "residual", g->time, energy, 0, g->of);
    return draw(d, figure, "Residual of the energy ledger over time");
}

carom_status carom_report_figures(const carom_report *report, const carom_report_run *run, carom_text *out)
{
    figure_data d = {.report = report, .run = run, .out = out};
    const carom_impact *hardest = find_hardest(run);
    carom_text_append(out, "<h3>Figures</h3>\n<p>\n");
    if (hardest) {
        CAROM_TRY(draw_forces(&d));
        CAROM_TRY(draw_impact(&d, hardest));
    }
    CAROM_TRY(draw_energies(&d));
    carom_text_append(out, "</p>\n");
    return out->failed ? carom_fail_memory(report->ctx) : CAROM_OK;
}
