#include "support/law_sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const law_units law_units_si = {1, 1, 1};

/* Typical values by unit, SI. */
static const struct {
    const char *unit;
    double value;
} typical[] = {
    {"m", 2e-5},  {"1/m", 2e3},         {"s", 1e-6},        {"Pa", 1e9},   {"Pa s", 1e3},
    {"N/m", 1e6}, {"N/m^1.08", 1e7},    {"N/m^n", 1.3e8},   {"N s/m", 60}, {"N s/m^1.5", 4e4},
    {"s/m", 0.2}, {"N s/m^(p+1)", 4e4}, {"1/(s m^p)", 4e4}, {"rad", 0.4},
};

static bool is_word(const carom_param_row *row) { return row->flags & CAROM_PARAM_TEXT; }
static bool is_optional(const carom_param_row *row) { return (row->flags & CAROM_PARAM_OPTIONAL) && !is_word(row); }

/* The exponent of stiffnesses; `end_exponent` stands for several with one default. */
static bool is_exponent(const carom_param_row *row)
{
    return strcmp(row->name, "exponent") == 0 || strcmp(row->name, "end_exponent") == 0;
}

static int words_of(const carom_param_row *row)
{
    int count = 1;
    for (const char *at = row->unit; *at; at++)
        count += *at == '|';
    return count;
}

int law_sample_variants(const carom_kind *kind)
{
    int count = 1;
    for (int k = 0; k < kind->param_count; k++)
        count *= is_word(&kind->params[k]) ? words_of(&kind->params[k]) : is_optional(&kind->params[k]) ? 2 : 1;
    return count;
}

/* Which of its choices a row takes in a variant; 0 for a row without choice. */
static int choice(const carom_kind *kind, int variant, int row)
{
    for (int k = 0; k <= row; k++) {
        const carom_param_row *at = &kind->params[k];
        const int choices = is_word(at) ? words_of(at) : is_optional(at) ? 2 : 1;
        if (k == row)
            return variant % choices;
        variant /= choices;
    }
    return 0;
}

bool law_sample_given(const carom_kind *kind, int variant, int row)
{
    return !is_optional(&kind->params[row]) || choice(kind, variant, row) == 1;
}

/* Powers of newton, metre and second in a unit: names with exponents (a number, n, p or (p+1)), a blank between, all
   behind the stroke divided. */
static bool dimension(const char *unit, double n, double p, double power[3])
{
    double sign = 1;
    power[0] = power[1] = power[2] = 0;
    for (const char *at = unit; *at;) {
        static const struct {
            const char *name;
            double power[3];
        } names[] = {{"Pa", {1, -2, 0}}, {"kg", {1, -1, 2}}, {"rad", {0, 0, 0}}, {"N", {1, 0, 0}},
                     {"m", {0, 1, 0}},   {"s", {0, 0, 1}},   {"1", {0, 0, 0}},   {"-", {0, 0, 0}}};
        if (*at == '/')
            sign = -1;
        if (strchr("/ ()", *at)) {
            at++;
            continue;
        }
        size_t k = 0, count = sizeof names / sizeof names[0];
        while (k < count && strncmp(at, names[k].name, strlen(names[k].name)) != 0)
            k++;
        if (k == count)
            return false;
        at += strlen(names[k].name);
        double exponent = 1;
        if (strncmp(at, "^(p+1)", 6) == 0) {
            exponent = p + 1;
            at += 6;
        } else if (strncmp(at, "^n", 2) == 0 || strncmp(at, "^p", 2) == 0) {
            exponent = at[1] == 'n' ? n : p;
            at += 2;
        } else if (*at == '^') {
            char *end;
            exponent = strtod(at + 1, &end);
            at = end;
        }
        for (int d = 0; d < 3; d++)
            power[d] += sign * exponent * names[k].power[d];
    }
    return true;
}

static bool in_range(const carom_param_row *row, double x)
{
    return (row->flags & CAROM_PARAM_ABOVE ? x > row->low : x >= row->low) &&
           (row->flags & CAROM_PARAM_BELOW ? x < row->high : x <= row->high);
}

/* Value of a row in SI; of a unit that is not in the table, of the order of 1. */
static double value_of(const carom_param_row *row, int level)
{
    static const double of_default[] = {1, 1.2, 1.45}, part[] = {0.7, 0.45, 0.9}, above[] = {0.08, 0.5, 1};
    static const double of_typical[] = {1, 3, 0.3};
    if (!(row->flags & (CAROM_PARAM_REQUIRED | CAROM_PARAM_OPTIONAL))) {
        const double x = row->default_value * of_default[level];
        return in_range(row, x) ? x : row->default_value;
    }
    if (isfinite(row->low) && isfinite(row->high))
        return row->low + part[level] * (row->high - row->low);
    if (strcmp(row->unit, "-") == 0)
        return isfinite(row->low) ? row->low + above[level] : above[level];
    for (size_t k = 0; k < sizeof typical / sizeof typical[0]; k++)
        if (strcmp(typical[k].unit, row->unit) == 0)
            return typical[k].value * of_typical[level];
    return of_typical[level];
}

const char *law_sample_params(const carom_kind *kind, int variant, int level, const law_units *units, double *p)
{
    double n = 1.5, power = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < kind->param_count; k++) {
            const carom_param_row *row = &kind->params[k];
            double x = (double)NAN, d[3] = {0, 0, 0};
            if (is_word(row)) {
                x = choice(kind, variant, k);
            } else if (law_sample_given(kind, variant, k)) {
                x = value_of(row, level);
                if (!dimension(row->unit, n, power, d))
                    return row->unit;
                x /= pow(units->force, d[0]) * pow(units->length, d[1]) * pow(units->time, d[2]);
            }
            /* the exponents that units refer to are known after the first pass */
            if (is_exponent(row))
                n = x;
            if (strcmp(row->name, "power") == 0)
                power = x;
            for (int i = 0; i < row->size; i++)
                p[carom_kind_param_offset(kind, row->name) + i] = x;
        }
    return NULL;
}

carom_contact_geometry law_sample_geometry(int index, const law_units *units)
{
    static const double other[LAW_SAMPLE_GEOMETRIES] = {0.03, HUGE_VAL, -0.0205};
    const double pressure = units->force / (units->length * units->length);
    const double density = units->force * units->time * units->time / pow(units->length, 4);
    return (carom_contact_geometry){.has_materials = true,
                                    .young = {207e9 / pressure, 70e9 / pressure},
                                    .poisson = {0.3, 0.33},
                                    .radius = {0.02 / units->length, other[index] / units->length},
                                    .length = 0.01 / units->length,
                                    .density = {7850 / density, 2700 / density},
                                    .yield = {400e6 / pressure, 250e6 / pressure},
                                    .dimension = 3};
}

double law_sample_reach(const carom_elastic_kind *kind, const double *c, const law_units *units)
{
    const double limit = kind->limit ? CAROM_KIND_CALL(kind, limit, c) : HUGE_VAL;
    return isfinite(limit) ? limit : 0.02 / units->length;
}

const char *law_sample_misfit(const carom_elastic_kind *elastic, const double *c, const carom_damping_kind *damping)
{
    const char *refusal =
        damping->fits ? CAROM_KIND_CALL(damping, fits, elastic->power_law, elastic->power_law ? c[1] : (double)NAN)
                      : NULL;
    if (!refusal && damping->only_with && damping->only_with != elastic)
        refusal = "it is part of a whole normal force";
    if (!refusal && damping->uses_stiffness && !elastic->power_law)
        refusal = "it needs the stiffness of a power law";
    if (!refusal && elastic->history && strcmp(damping->kind.name, "none") != 0)
        refusal = "a law with permanent indentation has its loss already";
    return refusal;
}

bool law_sample_says(const carom_kind *kind, const char *words)
{
    const char *texts[] = {kind->title, kind->formula, kind->source, kind->validity};
    for (const char *at = words; *at;) {
        char word[64];
        const size_t length = strcspn(at, "|");
        if (length < sizeof word) {
            memcpy(word, at, length);
            word[length] = '\0';
            for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++)
                if (strstr(texts[k], word))
                    return true;
        }
        at += length + (at[length] == '|');
    }
    return false;
}
