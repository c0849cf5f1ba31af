/* Results and episodes of `carom plot`: which files, and which parts of them, the curves are taken from. */
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plot/plot.h"

#define MARGIN 0.2 /* of time, before and after one impact, in durations */

/* ---- results ---- */

/* Results of the same name are labelled by their whole paths. */
static int tell_apart(plot_sources *out)
{
    for (size_t k = 1; k < out->result_count; k++)
        for (size_t i = 0; i < k; i++) {
            if (strcmp(out->results[i].label, out->results[k].label) != 0)
                continue;
            char *paths[2] = {format_text("%s", out->results[i].path), format_text("%s", out->results[k].path)};
            free(out->results[i].label);
            free(out->results[k].label);
            out->results[i].label = paths[0];
            out->results[k].label = paths[1];
            if (!paths[0] || !paths[1])
                return memory_error();
        }
    return EXIT_DONE;
}

static int open_results(const session *s, const plot_options *o, plot_sources *out)
{
    size_t count = 1 + o->compare.count;
    out->results = calloc(count, sizeof *out->results);
    if (!out->results)
        return memory_error();
    for (size_t k = 0; k < count; k++) {
        plot_result *r = &out->results[out->result_count++];
        r->label = split_label(k ? o->compare.items[k - 1] : o->result, &r->path);
        if (!r->label)
            return memory_error();
        carom_status status = carom_result_open(s->ctx, r->path, &r->result);
        if (status != CAROM_OK)
            return session_error(s, status);
    }
    return tell_apart(out);
}

/* ---- impacts ---- */

/* The impacts that are counted and drawn. */
typedef struct selection {
    const char *contact; /* only its impacts; NULL: those of all */
    bool renumbered;     /* they are counted by themselves, not by the table of the run */
    bool all;
    size_t *numbers;
    size_t count;
} selection;

static int read_impacts(const plot_options *o, selection *out)
{
    const text_list *texts = &o->impacts;
    out->numbers = calloc(texts->count + 1, sizeof *out->numbers);
    if (!out->numbers)
        return memory_error();
    out->all = texts->count == 1 && strcmp(texts->items[0], "all") == 0;
    for (size_t k = 0; k < texts->count && !out->all; k++) {
        const char *text = texts->items[k];
        char *end;
        errno = 0;
        unsigned long number = strtoul(text, &end, 10);
        if (!strchr("123456789", *text) || *end || errno)
            return usage_error(
                "plot", "--impact takes numbers of impacts from 1 on, such as 2 or 1,2,3, or all; not '%s'", text);
        out->numbers[out->count++] = number;
    }
    return EXIT_DONE;
}

/* Contact whose impacts are drawn by `all`: that of --contact, --loop or --phase, else that of the first channel of a
   contact. A new text or NULL. */
static char *contact_of(const plot_options *o)
{
    static const char family[] = "contact.";
    for (size_t k = 0; k < o->channel_count; k++) {
        const char *name = o->channels[k];
        if (strncmp(name, family, sizeof family - 1) == 0) {
            name += sizeof family - 1;
            return format_text("%.*s", (int)strcspn(name, "."), name);
        }
    }
    return NULL;
}

static bool is_counted(const selection *c, const carom_impact *impact)
{
    return !c->contact || strcmp(c->contact, impact->contact) == 0;
}

/* Says which impact a result has not. */
static int no_impact(const plot_result *r, const selection *c, size_t number)
{
    size_t count, counted = 0;
    const carom_impact *impacts = carom_result_impacts(r->result, &count);
    for (size_t k = 0; k < count; k++)
        counted += is_counted(c, &impacts[k]);
    const char *other = NULL;
    for (size_t k = 0; k < count && c->contact && !counted && !other; k++)
        other = carom_nearest_name(c->contact, &impacts[k].contact, 1);
    const char *of = c->contact ? " of the contact " : "", *contact = c->contact ? c->contact : "";
    if (other)
        return usage_error("plot", "%s: there is no impact%s'%s'; did you mean '%s'?", r->path, of, contact, other);
    if (!counted)
        return usage_error("plot", "%s: there is no impact%s%s; draw it without --impact", r->path, of, contact);
    return usage_error("plot", "%s: there is no impact %zu%s%s; the result has %zu", r->path, number, of, contact,
                       counted);
}

/* Appends a part of a result that is drawn. */
static int add_source(plot_sources *out, const plot_result *r, const char *what, size_t number, double from, double to)
{
    curve_source *items = realloc(out->items, (out->count + 1) * sizeof *items);
    out->items = items ? items : out->items;
    char **labels = realloc(out->labels, (out->count + 1) * sizeof *labels);
    out->labels = labels ? labels : out->labels;
    if (!items || !labels)
        return memory_error();
    char *label = NULL;
    if (what && out->result_count > 1)
        label = format_text("%s, %s %zu", r->label, what, number);
    else if (what)
        label = format_text("%s %zu", what, number);
    else if (out->result_count > 1)
        label = format_text("%s", r->label);
    bool failed = !label && (what || out->result_count > 1);
    items[out->count] = (curve_source){.result = r->result, .label = label, .from = from, .to = to};
    labels[out->count++] = label;
    return failed ? memory_error() : EXIT_DONE;
}

/* Adds the impacts of a result, each from its onset, or a single one in the time of the run with a margin. */
static int add_impacts(const plot_options *o, const plot_result *r, const selection *c, plot_sources *out)
{
    size_t count;
    const carom_impact *impacts = carom_result_impacts(r->result, &count);
    bool named = c->all || c->count > 1;
    for (size_t n = 0; n < (c->all ? 1 : c->count); n++) {
        size_t counted = 0, found = 0;
        for (size_t k = 0; k < count; k++) {
            const carom_impact *i = &impacts[k];
            if (!is_counted(c, i))
                continue;
            counted++;
            if (!c->all && counted != c->numbers[n])
                continue;
            found++;
            double margin = out->from_onset || o->loop || o->phase ? 0 : MARGIN * i->duration;
            /* the last row is at the end to rounding */
            double end = out->from_onset ? i->duration * (1 + 1e-9) : i->duration;
            int code = add_source(out, r, named ? c->renumbered ? c->contact : "impact" : NULL,
                                  c->renumbered ? counted : k + 1, i->onset - margin, i->onset + end + margin);
            if (code != EXIT_DONE)
                return code;
            out->onset = i->onset;
            out->duration = i->duration;
            if (out->from_onset)
                out->items[out->count - 1].origin = i->onset;
        }
        if (!found)
            return no_impact(r, c, c->all ? 0 : c->numbers[n]);
    }
    return EXIT_DONE;
}

static int find_impacts(const plot_options *o, plot_sources *out)
{
    selection c = {.contact = o->contact, .renumbered = o->contact != NULL};
    int code = read_impacts(o, &c);
    char *contact = code == EXIT_DONE && c.all && !c.contact ? contact_of(o) : NULL;
    if (contact)
        c.contact = contact;
    out->from_onset = c.all || c.count > 1 || out->result_count > 1;
    for (size_t k = 0; k < out->result_count && code == EXIT_DONE; k++)
        code = add_impacts(o, &out->results[k], &c, out);
    free(contact);
    free(c.numbers);
    return code;
}

/* ---- all ---- */

int plot_sources_open(const session *s, const plot_options *o, plot_sources *out)
{
    int code = open_results(s, o, out);
    if (code != EXIT_DONE || o->list)
        return code;
    if (o->impacts.count)
        return find_impacts(o, out);
    double from = isnan(o->from) ? -HUGE_VAL : o->from, to = isnan(o->to) ? HUGE_VAL : o->to;
    for (size_t k = 0; k < out->result_count && code == EXIT_DONE; k++)
        code = add_source(out, &out->results[k], NULL, 0, from, to);
    return code;
}

void plot_sources_free(plot_sources *sources)
{
    for (size_t k = 0; k < sources->count; k++)
        free(sources->labels[k]);
    for (size_t k = 0; k < sources->result_count; k++) {
        carom_result_close(sources->results[k].result);
        free(sources->results[k].label);
    }
    free(sources->items);
    free(sources->labels);
    free(sources->results);
}
