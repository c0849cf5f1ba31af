/* Formulations, analyses, samplers and warnings, from their lists and constant structs. */
#include "analysis/analysis.h"
#include "base/warnings.h"
#include "describe/describe.h"
#include "dynamics/formulation/formulation.h"
#include "law/validity.h"
#include "spec/analyses.h"
#include "study/sampler/sampler.h"

#include <string.h>

enum { FORMULATION, ANALYSIS, SAMPLER, WARNING };

const char *const carom_choice_families[CAROM_CHOICE_FAMILIES] = {
    [FORMULATION] = "formulation", [ANALYSIS] = "analysis", [SAMPLER] = "sampler", [WARNING] = "warning"};
static const char *const plurals[CAROM_CHOICE_FAMILIES] = {
    [FORMULATION] = "formulations", [ANALYSIS] = "analyses", [SAMPLER] = "samplers", [WARNING] = "warnings"};

static const char *const formulations[] = {
#define CAROM_FORMULATION(name, description) #name,
#include "spec/formulation.def"
#undef CAROM_FORMULATION
};

static const char *const warning_codes[] = {
#define CAROM_WARNING(id, code, rank, name, title, meaning, when, remedy) code,
#include "base/warnings.def"
#undef CAROM_WARNING
};

int carom_choice_family(const char *name, size_t length)
{
    for (int k = 0; k < CAROM_CHOICE_FAMILIES; k++)
        if ((length == strlen(carom_choice_families[k]) && memcmp(name, carom_choice_families[k], length) == 0) ||
            (length == strlen(plurals[k]) && memcmp(name, plurals[k], length) == 0))
            return k;
    return -1;
}

const char *const *carom_choice_names(int family, size_t *count)
{
    *count = 0;
    if (family == ANALYSIS)
        return carom_analysis_names(count);
    if (family == SAMPLER)
        return carom_sampler_names(count);
    if (family == WARNING) {
        *count = CAROM_COUNT(warning_codes);
        return warning_codes;
    }
    if (family != FORMULATION)
        return NULL;
    *count = CAROM_COUNT(formulations);
    return formulations;
}

const char *carom_choice_title(int family, const char *name)
{
    if (family == ANALYSIS)
        return carom_analysis_description(name);
    const carom_sampler *sampler = family == SAMPLER && name ? carom_sampler_find(name) : NULL;
    if (sampler)
        return sampler->title;
    const carom_warning_row *warning = family == WARNING && name ? carom_warning_find(name) : NULL;
    if (warning)
        return warning->title;
    const carom_formulation *formulation = family == FORMULATION && name ? carom_formulation_find(name) : NULL;
    return formulation ? formulation->title : NULL;
}

void carom_choice_list(carom_text *out, int family)
{
    size_t count, width = 0;
    const char *const *names = carom_choice_names(family, &count);
    for (size_t k = 0; k < count; k++)
        width = strlen(names[k]) > width ? strlen(names[k]) : width;
    for (size_t k = 0; k < count; k++)
        carom_text_append(out, "%-*s  %s\n", (int)width, names[k], carom_choice_title(family, names[k]));
}

static void quantities(carom_text *out, int indent, const carom_analysis_quantity *list, int count)
{
    for (int k = 0; k < count; k++) {
        const bool unit = list[k].unit[0] && strcmp(list[k].unit, "1") != 0;
        carom_text_append(out, "%*s%s%s%s%s\n", indent, "", list[k].name, unit ? " [" : "", unit ? list[k].unit : "",
                          unit ? "]" : "");
        carom_describe_paragraph(out, indent + 4, list[k].description);
    }
}

static void analysis_page(carom_text *out, const char *name)
{
    const carom_analysis_kind *kind = carom_analysis_kind_find(name);
    carom_describe_section(out, "Method", kind->text);
    carom_text_append(out, "\nNumbers\n");
    quantities(out, 2, kind->quantities, kind->quantity_count);
    for (int k = 0; k < kind->table_count; k++) {
        carom_text_append(out, "\nTable %s: %s\n", kind->tables[k].name, kind->tables[k].description);
        quantities(out, 2, kind->tables[k].columns, kind->tables[k].column_count);
    }
    carom_describe_section(out, "Source", kind->source);
}

static void sampler_page(carom_text *out, const char *name)
{
    const carom_sampler *sampler = carom_sampler_find(name);
    carom_describe_paragraph(out, 2, sampler->text);
    if (sampler->keys)
        carom_text_append(out, "\nKeys\n");
    if (sampler->keys & CAROM_SAMPLER_COUNT)
        carom_text_append(out, "  count, default %zu: %s\n", sampler->count, sampler->count_text);
    if (sampler->keys & CAROM_SAMPLER_SEED)
        carom_text_append(out, "  seed, default %d: of the random numbers%s\n", sampler->columns ? 0 : 1,
                          sampler->columns ? "; 0: none" : "");
    if (sampler->keys & CAROM_SAMPLER_LEVELS)
        carom_text_append(out, "  levels, default %zu: of the grid in each range, an even number\n", sampler->levels);
    carom_describe_section(out, "Source", sampler->source);
}

/* The rule of validity that a warning tells of; NULL: none. */
static const carom_validity_rule *rule_of(const carom_warning_row *row)
{
    for (int k = 0; k < CAROM_RULE_COUNT; k++)
        if (&carom_warning_rows[carom_validity[k].warning] == row)
            return &carom_validity[k];
    return NULL;
}

static void warning_page(carom_text *out, const char *code)
{
    const carom_warning_row *row = carom_warning_find(code);
    const carom_validity_rule *rule = rule_of(row);
    char when[160];
    carom_describe_section(out, "Meaning", row->meaning);
    carom_describe_section(out, "When", rule ? carom_validity_when(rule, when, sizeof when) : row->when);
    carom_describe_section(out, "Remedy", row->remedy);
    if (rule)
        carom_describe_section(out, "Source", rule->source);
}

bool carom_choice_page(carom_text *out, int family, const char *name)
{
    for (int k = 0; family < 0 && k < CAROM_CHOICE_FAMILIES; k++)
        if (carom_choice_title(k, name))
            family = k;
    const char *title = carom_choice_title(family, name);
    if (!title)
        return false;
    if (family == WARNING)
        carom_text_append(out, "%s %s (warning)\n", carom_warning_find(name)->code, carom_warning_find(name)->name);
    else
        carom_text_append(out, "%s (%s)\n", name, carom_choice_families[family]);
    carom_describe_paragraph(out, 2, title);
    if (family == ANALYSIS)
        analysis_page(out, name);
    else if (family == SAMPLER)
        sampler_page(out, name);
    else if (family == WARNING)
        warning_page(out, name);
    else
        carom_describe_section(out, "Source", carom_formulation_find(name)->source);
    return true;
}
