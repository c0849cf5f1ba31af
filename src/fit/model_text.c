/* The model that a fit leaves: that of the study with other values, or the free impact of its law. */
#include "fit/fit.h"

#include <math.h>
#include <stdio.h>

/* ---- values ---- */

/* The value of a parameter in the first record: an estimate, or what the study sets; NULL: neither. */
static const char *value_of(const carom_fit *f, const carom_fit_result *result, const char *name, char text[40])
{
    const bool alone = f->record_count == 1;
    for (size_t k = 0; k < f->unknown_count; k++) {
        const carom_unknown *u = &f->unknowns[k];
        if (u->kind == CAROM_UNKNOWN_VALUE && (u->record == CAROM_FIT_NONE || alone) && strcmp(u->name, name) == 0)
            return result->estimates[k].fixed ? NULL : carom_short_number_text(text, result->estimates[k].value);
    }
    if (f->names_law && result->law && strcmp(name, "law") == 0)
        return result->law;
    const carom_node *own = alone ? carom_node_find(f->records[0].node, "set") : NULL;
    const carom_node *node = own ? carom_node_find(own, name) : NULL;
    if (!node && f->set)
        node = carom_node_find(f->set, name);
    return node && node->type == CAROM_NODE_SCALAR ? node->text : NULL;
}

static void append_head(const carom_fit *f, const carom_fit_result *result, carom_text *out)
{
    const char *slash = strrchr(f->file, '/');
    carom_text_append(out, "# Written by `carom fit %s`: values of its `parameters`", slash ? slash + 1 : f->file);
    if (result->law && f->law_count > 1)
        carom_text_append(out, ", and of %zu laws the one that fits best", f->law_count);
    carom_text_append(out, ".\n");
}

typedef struct found {
    const carom_fit *f;
    const carom_fit_result *result;
} found;

static const char *find_value(const void *user, const char *name, char text[40])
{
    const found *v = user;
    return value_of(v->f, v->result, name, text);
}

/* ---- the impact of a law ---- */

/* Parameters of the law among unknowns and `set`. */
static void append_parameters(const carom_context *ctx, const carom_fit *f, const carom_fit_result *result, size_t law,
                              carom_text *out)
{
    char number[40];
    for (size_t k = 0; k < f->unknown_count; k++) {
        const carom_unknown *u = &f->unknowns[k];
        const bool shared = u->kind == CAROM_UNKNOWN_VALUE && (u->record == CAROM_FIT_NONE || f->record_count == 1);
        if (shared && f->taken[law][k] && strcmp(u->name, "mass") != 0 && strcmp(u->name, "speed") != 0)
            carom_text_append(out, ", %s: %s", u->name, value_of(f, result, u->name, number));
    }
    const carom_node *sets[] = {f->set, f->record_count == 1 ? carom_node_find(f->records[0].node, "set") : NULL};
    for (int i = 0; i < 2; i++)
        for (const carom_node *n = sets[i] ? sets[i]->first : NULL; n; n = n->next) {
            const bool own = strcmp(n->key, "mass") == 0 || strcmp(n->key, "speed") == 0;
            const bool again = i == 0 && sets[1] && carom_node_find(sets[1], n->key);
            if (!own && !again && carom_fit_law_takes(ctx, f, law, n->key))
                carom_text_append(out, ", %s: %s", n->key, n->text);
        }
}

/* Mass, speed: as the study has them in common; of rows those of the first. */
static double impact_number(const carom_fit *f, const carom_fit_result *result, const char *name, carom_context *ctx)
{
    char text[40];
    double number;
    const carom_record *r = &f->records[0];
    const char *value = value_of(f, result, name, text);
    if (value && carom_law_quantity(ctx, name, value, carom_fit_law_unit(ctx, name), &number) == CAROM_OK)
        return number;
    for (size_t k = 0; k < r->each_count; k++)
        if (strcmp(r->each[k].name, name) == 0)
            return r->each[k].values[0];
    for (size_t k = 0; k < f->unknown_count; k++)
        if (f->unknowns[k].record == 0 && strcmp(f->unknowns[k].name, name) == 0)
            return result->estimates[k].value;
    const carom_node *set = carom_node_find(r->node, "set"), *node = set ? carom_node_find(set, name) : NULL;
    if (node && carom_law_quantity(ctx, name, node->text, carom_fit_law_unit(ctx, name), &number) == CAROM_OK)
        return number;
    return 1;
}

static carom_status append_impact(carom_context *ctx, const carom_fit *f, const carom_fit_result *result,
                                  carom_text *out)
{
    size_t law = 0;
    while (law + 1 < f->law_count && strcmp(f->laws[law], result->law) != 0)
        law++;
    char mass[40], speed[40], gap[40], until[40], every[40];
    const double v = impact_number(f, result, "speed", ctx), m = impact_number(f, result, "mass", ctx);
    double values[CAROM_FIT_UNKNOWNS];
    for (size_t k = 0; k < f->unknown_count; k++)
        values[k] = result->estimates[k].value;
    const double time = carom_fit_impact_time(ctx, f, law, values, m, v);
    carom_short_number_text(mass, m);
    carom_short_number_text(speed, v);
    snprintf(gap, sizeof gap, "%.3g", 0.05 * v * time);
    snprintf(until, sizeof until, "%.3g", 1.2 * time);
    snprintf(every, sizeof every, "%.3g", time / 200);
    carom_text_append(out,
                      "# A body of the effective mass meets the ground with the speed, and no other force acts.\n"
                      "carom: 1\n"
                      "title: Free impact with the law %s\n"
                      "dimension: 2\n\n"
                      "parameters:\n"
                      "  mass: %s     # [kg]\n"
                      "  speed: %s    # [m/s]\n"
                      "  R: 10*mm\n"
                      "  gap: %s      # at the start [m]\n\n"
                      "bodies:\n"
                      "  ball: {mass: mass, inertia: 0.4*mass*R^2, at: [0, R + gap], velocity: [0, -speed]}\n\n"
                      "shapes:\n"
                      "  ball: {type: sphere, on: ball, radius: R}\n"
                      "  flat: {type: plane, on: ground, normal: [0, 1]}\n\n"
                      "contacts:\n"
                      "  hit: {between: [flat, ball], normal: {law: %s",
                      result->law, mass, speed, gap, result->law);
    append_parameters(ctx, f, result, law, out);
    carom_text_append(out, "}}\n\nrun: {until: %s, tolerance: 1e-8, output: {every: %s}}\n", until, every);
    return CAROM_OK;
}

carom_status carom_fit_model_text(carom_context *ctx, const carom_fit *f, const carom_fit_result *result, char **out)
{
    CAROM_NEED(ctx, ctx);
    if (!f || !result || !out || !result->estimates)
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "carom_fit_model_text: an argument is NULL, or the fit failed");
    *out = NULL;
    if (!f->of_law && !f->model)
        return CAROM_OK;
    carom_text text = {.ctx = ctx};
    const found values = {f, result};
    append_head(f, result, &text);
    const carom_status status = f->of_law
                                    ? append_impact(ctx, f, result, &text)
                                    : carom_fit_replace_values(ctx, f->records[0].study, find_value, &values, &text);
    if (status == CAROM_OK)
        return carom_text_finish(&text, out);
    carom_text_clear(&text);
    return status;
}
