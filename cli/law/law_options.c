/* Options that name a contact law and its parameters. */
#include "law/law_options.h"
#include "support/ranges.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the table ---- */

static size_t count_params(const session *s)
{
    carom_law_param p;
    size_t count = 0;
    while (carom_law_param_at(s->ctx, count, &p))
        count++;
    return count;
}

#define HELP_WIDTH 60

/* Sentence and unit of a parameter, broken into lines. A new text. */
static char *help_of(const carom_law_param *p)
{
    bool unit = !p->is_word && strcmp(p->unit, "-") != 0;
    char *text = format_text("%s%s%s%s", p->description, unit ? " [" : "", unit ? p->unit : "", unit ? "]" : "");
    size_t start = 0, blank = 0;
    for (size_t k = 0; text && text[k]; k++) {
        blank = text[k] == ' ' ? k : blank;
        if (k - start >= HELP_WIDTH && blank > start) {
            text[blank] = '\n';
            start = blank + 1;
        }
    }
    return text;
}

int law_options_open(law_options *l, const char *command, const option *own, size_t own_count)
{
    *l = (law_options){.command = command};
    int opened = session_open(&l->kinds);
    if (opened != EXIT_DONE)
        return opened;
    l->param_count = count_params(&l->kinds);
    const option shared[] = {
        {"elastic", 0, OPTION_TEXT, &l->elastic, "NAME", "elastic part in place of the law's"},
        {"damping", 0, OPTION_TEXT, &l->damping, "NAME",
         "damping part in place of the law's; a number is the parameter\n"
         "of that name of a law that has one"},
        {"damping_constant", 0, OPTION_TEXT, &l->damping_constant, "X",
         "that parameter where --damping names the part [N s/m]"},
        {"velocity", 0, OPTION_TEXT, &l->velocity, "POLICY",
         "adaptive (default), per-impact, per-compression or fixed-reference"},
        {"minimum_speed", 0, OPTION_TEXT, &l->minimum_speed, "X",
         "least impact velocity that the law sees [m/s] (default:\n"
         "1e-3)"},
        {"set", 0, OPTION_TEXTS, &l->set, "NAME=VALUE",
         "a parameter of the law; the same as --NAME VALUE; may be\n"
         "repeated"},
    };
    l->params = calloc(l->param_count + 1, sizeof *l->params);
    l->values = calloc(l->param_count + 1, sizeof *l->values);
    l->helps = calloc(l->param_count + 1, sizeof *l->helps);
    l->options = calloc(own_count + COUNT(shared) + l->param_count, sizeof *l->options);
    if (!l->params || !l->values || !l->helps || !l->options)
        return memory_error();
    for (size_t k = 0; k < own_count; k++)
        l->options[l->option_count++] = own[k];
    for (size_t k = 0; k < COUNT(shared); k++)
        l->options[l->option_count++] = shared[k];
    l->param_options = l->option_count;
    for (size_t k = 0; k < l->param_count; k++) {
        carom_law_param *p = &l->params[k];
        carom_law_param_at(l->kinds.ctx, k, p);
        if (!(l->helps[k] = help_of(p)))
            return memory_error();
        bool taken = false; /* `damping` is an option of its own */
        for (size_t j = 0; j < l->param_options; j++)
            taken = taken || strcmp(l->options[j].name, p->name) == 0;
        if (!taken)
            l->options[l->option_count++] =
                (option){p->name, 0, OPTION_TEXT, &l->values[k], p->is_word ? p->unit : "X", l->helps[k]};
    }
    return EXIT_DONE;
}

void law_options_close(law_options *l)
{
    for (size_t k = 0; k < l->copy_count; k++)
        free(l->copies[k]);
    for (size_t k = 0; l->helps && k < l->param_count; k++)
        free(l->helps[k]);
    free(l->copies);
    free(l->helps);
    free(l->params);
    free(l->values);
    free(l->options);
    session_close(&l->kinds);
    *l = (law_options){0};
}

static const char **find_value(const law_options *l, const char *name)
{
    for (size_t k = 0; k < l->param_count; k++)
        if (strcmp(l->params[k].name, name) == 0)
            return &l->values[k];
    return NULL;
}

const char *law_options_value(const law_options *l, const char *name)
{
    const char **value = find_value(l, name);
    return value ? *value : NULL;
}

/* ---- --set ---- */

/* The place of a name: a text of the law, or the value of a parameter. */
static const char **target_of(law_options *l, const char *name)
{
    const struct {
        const char *name;
        const char **target;
    } rows[] = {{"law", &l->law},           {"elastic", &l->elastic}, {"damping", &l->damping},
                {"damping_constant", &l->damping_constant},
                {"velocity", &l->velocity}, {"tension", &l->release},   {"minimum_speed", &l->minimum_speed},
                {"release", &l->release}};
    for (size_t k = 0; k < COUNT(rows); k++)
        if (strcmp(rows[k].name, name) == 0)
            return rows[k].target;
    return find_value(l, name);
}

static int unknown_param(const law_options *l, const char *name)
{
    const char **names = calloc(l->param_count + 1, sizeof *names);
    if (!names)
        return memory_error();
    for (size_t k = 0; k < l->param_count; k++)
        names[k] = l->params[k].name;
    const char *nearest = carom_nearest_name(name, names, l->param_count);
    int code = usage_error(l->command,
                           nearest ? "no law has a parameter '%s'; did you mean '%s'?"
                                   : "no law has a parameter '%s'; `carom %s --help` lists all",
                           name, nearest ? nearest : l->command);
    free(names);
    return code;
}

int law_options_read_set(law_options *l)
{
    l->copies = calloc(l->set.count + 1, sizeof *l->copies);
    if (!l->copies)
        return memory_error();
    for (size_t k = 0; k < l->set.count; k++) {
        char *copy = l->copies[l->copy_count++] = format_text("%s", l->set.items[k]);
        char *equals = copy ? strchr(copy, '=') : NULL;
        if (!copy)
            return memory_error();
        if (!equals)
            return usage_error(l->command, "--set takes NAME=VALUE, not '%s'", l->set.items[k]);
        *equals = '\0';
        const char *name = trim(copy), *value = trim(equals + 1);
        const char **target = target_of(l, name);
        if (!target)
            return unknown_param(l, name);
        if (!*value)
            return usage_error(l->command, "--set %s: the value is empty", name);
        *target = value;
    }
    return EXIT_DONE;
}

/* ---- definitions ---- */

int law_request_add(law_request *r, const char *name, double value)
{
    r->items[r->def.params.count++] = (carom_param){.name = name, .value = carom_value_number(value)};
    return EXIT_DONE;
}

/* Whether --damping names a part rather than the parameter of that name. */
static bool names_damping(const session *s, const law_options *l, double *value)
{
    if (carom_explain_title(s->ctx, "damping", l->damping))
        return true;
    return carom_law_number(s->ctx, "damping", l->damping, value) != CAROM_OK;
}

int law_request_make(const session *s, const law_options *l, const char *law, bool filter, const char *skip,
                     law_request *out)
{
    *out = (law_request){.def = carom_default_law_def()};
    carom_law_def *def = &out->def;
    def->law = law ? law : l->law;
    def->elastic = l->elastic;
    def->release = l->release;
    def->velocity = l->velocity;
    out->items = calloc(l->param_count + 2, sizeof *out->items);
    if (!out->items)
        return memory_error();
    def->params.items = out->items;
    int code = EXIT_DONE;
    if (l->minimum_speed)
        code = read_number_option(s, l->command, "minimum_speed", l->minimum_speed, "m/s", &def->minimum_speed);
    double damping = NAN;
    bool is_param = false;
    if (l->damping && names_damping(s, l, &damping))
        def->damping = l->damping;
    else
        is_param = l->damping != NULL;
    /* what a law takes may depend on whether a stiffness is given: first all that are, then those it takes */
    for (size_t k = 0; k < l->param_count && code == EXIT_DONE; k++) {
        const char *name = l->params[k].name;
        if (!l->values[k] || (skip && strcmp(name, skip) == 0))
            continue;
        carom_param *item = &out->items[def->params.count];
        *item = (carom_param){.name = name};
        carom_status status = carom_law_value(s->ctx, name, l->values[k], &item->value);
        if (status == CAROM_OK)
            def->params.count++;
        else
            code = session_fail(s, EXIT_USAGE, "%s: --%s", l->command, carom_context_error(s->ctx));
    }
    if (is_param && code == EXIT_DONE)
        code = law_request_add(out, "damping", damping);
    if (l->damping_constant && code == EXIT_DONE)
        code = read_number_option(s, l->command, "damping_constant", l->damping_constant, "N s/m", &damping);
    if (l->damping_constant && code == EXIT_DONE)
        code = law_request_add(out, "damping", damping);
    size_t kept = 0;
    const carom_law_def all = *def;
    bool taken[256];
    for (size_t k = 0; k < all.params.count && k < COUNT(taken); k++)
        taken[k] = !filter || carom_law_takes(s->ctx, &all, out->items[k].name);
    for (size_t k = 0; k < all.params.count && k < COUNT(taken); k++)
        if (taken[k])
            out->items[kept++] = out->items[k];
    def->params.count = kept;
    return code;
}

carom_status law_request_check(const session *s, const law_options *l, const law_request *r)
{
    char unit[48];
    double value;
    const char *text = law_options_value(l, "stiffness");
    if (!text || !carom_law_stiffness_unit(s->ctx, &r->def, unit, sizeof unit))
        return CAROM_OK;
    return carom_law_quantity(s->ctx, "stiffness", text, unit, &value);
}

void law_request_free(law_request *r)
{
    free(r->items);
    *r = (law_request){0};
}

char *law_title(const carom_law_info *info)
{
    if (info->law)
        return format_text("%s", info->law);
    return format_text("%s + %s", info->elastic, info->damping);
}
