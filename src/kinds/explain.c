/* Texts for people on the kinds: made from their constant structs, never written twice. */
#include "carom/explain.h"
#include "base/base.h"
#include "expr/expr.h"
#include "kinds/impact.h"
#include "kinds/kinds.h"

#include <stdio.h>
#include <string.h>

#define WIDTH 79

/* Order of presentation. */
static const carom_family order[] = {
    CAROM_FAMILY_LAW,   CAROM_FAMILY_ELASTIC, CAROM_FAMILY_DAMPING, CAROM_FAMILY_FRICTION,   CAROM_FAMILY_JOINT,
    CAROM_FAMILY_SHAPE, CAROM_FAMILY_PAIR,    CAROM_FAMILY_LOAD,    CAROM_FAMILY_INTEGRATOR, CAROM_FAMILY_CONSTRAINT,
};
static const char *const family_names[] = {"law",   "elastic", "damping", "friction",   "joint",
                                           "shape", "pair",    "load",    "integrator", "constraint"};
static const char *const topics[] = {"validity", "expressions"};

const char *const *carom_explain_families(size_t *count)
{
    *count = CAROM_COUNT(family_names);
    return family_names;
}

/* Family of a name in singular or plural; CAROM_FAMILY_COUNT if there is none. */
static carom_family family_of(const char *name, size_t length)
{
    for (size_t k = 0; k < CAROM_COUNT(order); k++) {
        size_t n = strlen(family_names[k]);
        bool plural = length == n + 1 && name[n] == 's';
        if ((length == n || plural) && memcmp(name, family_names[k], n) == 0)
            return order[k];
    }
    return CAROM_FAMILY_COUNT;
}

const char *const *carom_explain_names(const char *family, size_t *count)
{
    return carom_kind_names(family ? family_of(family, strlen(family)) : CAROM_FAMILY_COUNT, count);
}

const char *carom_explain_title(const char *family, const char *name)
{
    const carom_kind *kind = family ? carom_kind_find(family_of(family, strlen(family)), name) : NULL;
    return kind ? kind->title : NULL;
}

/* ---- layout ---- */

/* A paragraph, broken at blanks, every line indented. */
static void paragraph(carom_text *out, int indent, const char *text)
{
    while (*text) {
        size_t room = (size_t)(WIDTH - indent), length = strlen(text), skip = 0;
        if (length > room) {
            length = room;
            while (length && text[length] != ' ')
                length--;
            if (!length)
                length = room + strcspn(text + room, " ");
        }
        skip = strspn(text + length, " ");
        carom_text_append(out, "%*s%.*s\n", indent, "", (int)length, text);
        text += length + skip;
    }
}

static void section(carom_text *out, const char *title, const char *text)
{
    if (!text || !*text)
        return;
    carom_text_append(out, "\n%s\n", title);
    paragraph(out, 2, text);
}

/* "> 0", "0 <= . <= 1" and the like; "" if there is no bound. */
static void range_text(const carom_param_row *row, char *out, size_t size)
{
    bool low = isfinite(row->low), high = isfinite(row->high);
    const char *above = row->flags & CAROM_PARAM_ABOVE ? ">" : ">=",
               *below = row->flags & CAROM_PARAM_BELOW ? "<" : "<=";
    out[0] = '\0';
    if (row->flags & CAROM_PARAM_TEXT)
        return;
    if (low && high)
        snprintf(out, size, ", %g %s value %s %g", row->low, row->flags & CAROM_PARAM_ABOVE ? "<" : "<=", below,
                 row->high);
    else if (low)
        snprintf(out, size, ", %s %g", above, row->low);
    else if (high)
        snprintf(out, size, ", %s %g", below, row->high);
    else if (row->flags & CAROM_PARAM_NONZERO)
        snprintf(out, size, ", not zero");
}

/* The word at an index of "world|body". */
static void default_word(carom_text *out, const char *words, int index)
{
    for (const char *bar; index > 0 && (bar = strchr(words, '|')) != NULL; index--)
        words = bar + 1;
    carom_text_append(out, ", default %.*s", (int)strcspn(words, "|"), words);
}

/* One parameter: keyword, unit, default, range, sentence. `fallback` replaces the default of the table. */
static void parameter(carom_text *out, const carom_param_row *row, double fallback)
{
    char range[96], lead[160];
    range_text(row, range, sizeof range);
    int n = snprintf(lead, sizeof lead, "%s [%s]%s", row->name, row->unit,
                     row->flags & CAROM_PARAM_AXIAL ? ", vector (3-D) or number (2-D)"
                     : row->size == 3               ? ", vector"
                                                    : "");
    if (n < 0)
        return;
    carom_text_append(out, "  %s", lead);
    if (row->flags & CAROM_PARAM_REQUIRED)
        carom_text_append(out, ", required%s", range);
    else if (row->flags & CAROM_PARAM_OPTIONAL)
        carom_text_append(out, ", optional%s", range);
    else if (row->flags & CAROM_PARAM_TEXT)
        default_word(out, row->unit, (int)fallback);
    else
        carom_text_append(out, ", default %g%s", fallback, range);
    if (row->flags & CAROM_PARAM_TIME)
        carom_text_append(out, ", may depend on time");
    carom_text_append(out, "\n");
    paragraph(out, 6, row->sentence);
}

static void parameters(carom_text *out, const carom_kind *kind)
{
    for (int k = 0; k < kind->param_count; k++)
        parameter(out, &kind->params[k], kind->params[k].fallback);
}

/* ---- kinds ---- */

/* What a free direct impact returns, beside what was asked. */
static void restitution_table(carom_text *out, const carom_damping_kind *damping)
{
    static const double asked[] = {0.1, 0.3, 0.5, 0.7, 0.9};
    if (!damping->factor || !damping->takes_restitution)
        return;
    carom_text_append(out, "\nRestitution of a free direct impact\n  asked   ");
    for (size_t k = 0; k < CAROM_COUNT(asked); k++)
        carom_text_append(out, "%8.1f", asked[k]);
    carom_text_append(out, "\n  returned");
    for (size_t k = 0; k < CAROM_COUNT(asked); k++)
        carom_text_append(out, "%8.4f", carom_impact_restitution(damping->factor(asked[k])));
    carom_text_append(out, "\n  factor A");
    for (size_t k = 0; k < CAROM_COUNT(asked); k++)
        carom_text_append(out, "%8.4f", damping->factor(asked[k]));
    carom_text_append(out, "\n");
}

static void part(carom_text *out, const char *label, const carom_kind *kind)
{
    if (kind) {
        carom_text_append(out, "  %s '%s': %s\n", label, kind->name, kind->title);
        paragraph(out, 6, kind->formula);
    }
}

/* Parts, parameters and achieved restitution of a named law. */
static void law_body(carom_text *out, const carom_law_kind *law)
{
    const carom_kind *elastic = carom_kind_find(CAROM_FAMILY_ELASTIC, law->elastic);
    const carom_kind *bare = carom_kind_find(CAROM_FAMILY_ELASTIC, law->elastic_without_stiffness);
    const carom_kind *damping = carom_kind_find(CAROM_FAMILY_DAMPING, law->damping);
    carom_text_append(out, "\nParts\n");
    part(out, "elastic", elastic);
    part(out, "elastic without a stiffness", bare);
    part(out, "damping", damping);
    carom_text_append(out, "\nParameters\n");
    for (int k = 0; elastic && k < elastic->param_count; k++) {
        carom_param_row row = elastic->params[k];
        if (bare && strcmp(row.name, "stiffness") == 0)
            row.flags = (row.flags & ~(unsigned)CAROM_PARAM_REQUIRED) | CAROM_PARAM_OPTIONAL;
        parameter(out, &row, strcmp(row.name, "exponent") == 0 ? law->exponent : row.fallback);
    }
    if (damping) {
        parameters(out, damping);
        restitution_table(out, (const carom_damping_kind *)damping);
    }
}

static void kind_page(carom_text *out, carom_family family, const carom_kind *kind)
{
    carom_text_append(out, "%s (%s)\n", kind->name, carom_family_name(family));
    if (kind->aliases)
        carom_text_append(out, "also called: %s\n", kind->aliases);
    paragraph(out, 0, kind->title);
    section(out, "Formula", kind->formula);
    if (family == CAROM_FAMILY_LAW) {
        law_body(out, (const carom_law_kind *)kind);
    } else {
        if (kind->param_count) {
            carom_text_append(out, "\nParameters\n");
            parameters(out, kind);
        }
        if (family == CAROM_FAMILY_DAMPING)
            restitution_table(out, (const carom_damping_kind *)kind);
    }
    section(out, "Validity", kind->validity);
    section(out, "Source", kind->source);
}

static void family_page(carom_text *out, carom_family family)
{
    size_t count = carom_kind_count(family);
    carom_text_append(out, "%s: %zu kinds\n", carom_family_name(family), count);
    for (size_t k = 0; k < count; k++) {
        const carom_kind *kind = carom_kind_at(family, k);
        carom_text_append(out, "  %-24s %s\n", kind->name, kind->title);
    }
}

/* ---- topics ---- */

static void validity_page(carom_text *out)
{
    static const struct {
        const char *title, *text;
    } sections[] = {
        {"Restitution asked and returned",
         "Most damping factors are approximations: a free direct impact returns another restitution than the one "
         "asked. "
         "The page of each law prints both, computed from A(1 + e') = ln[(1 + A)/(1 - A e')]; the law 'exact' returns "
         "what "
         "is asked. In a mechanism other forces act during the impact, and no law returns it exactly."},
        {"Impact velocity", "The damping of these laws is scaled by the velocity at the onset of the episode. In long "
                            "contacts the rate may "
                            "pass -v0, which no free impact does, and a contact that begins at rest has no such "
                            "velocity: minimum_speed is "
                            "then used, and the run reports it."},
        {"Tension",
         "A free impact of the hysteresis family never pulls: the rate -v0/A is never passed. Where other forces "
         "pull the bodies apart it may be; by default the damping part is then limited so that the force stays >= 0."},
        {"Hertz's assumptions",
         "Smooth, non-conformal surfaces, contact radius and indentation small against the radii of curvature, elastic "
         "material, no friction in the contact area. Concave radii are negative; 1/R_i + 1/R_j must be positive."},
        {"Slow impacts", "The laws are quasi-static: the duration of the impact must be long against the travel of "
                         "elastic waves through "
                         "the bodies. Above an impact velocity of about 1e-5 sqrt(E/density), 0.05 m/s for steel, "
                         "metals keep a permanent "
                         "indentation, and the restitution falls with the velocity."},
        {"Mass", "Where a law needs a mass, it is the effective mass at the contact point along the normal, with the "
                 "inertia, the "
                 "lever arms and the joints of both sides, taken at the onset; never a body's mass."},
    };
    carom_text_append(out, "validity: what the contact laws assume\n");
    for (size_t k = 0; k < CAROM_COUNT(sections); k++)
        section(out, sections[k].title, sections[k].text);
}

static void expressions_page(carom_text *out)
{
    size_t count = 0;
    const carom_expr_word *words = carom_expr_words(&count);
    carom_text_append(out, "expressions: every number of a model may be one\n\n");
    paragraph(out, 0,
              "Numbers, parameters, constants, functions, + - * / ^, comparisons and parentheses; ^ binds tighter than "
              "the minus before it. Units are constants in SI: 20*mm, 1.2e5*N/mm^1.5. Fields that may depend on time "
              "know t, and fields that may depend on the state the measures. Quote an expression that holds a comma "
              "inside [] or {}.");
    /* constants are not zero, so that words without a value are keywords */
    static const char *const titles[] = {"Functions", "Words", "Constants and units [SI]"};
    for (int group = 0; group < 3; group++) {
        carom_text_append(out, "\n%s\n", titles[group]);
        for (size_t k = 0; k < count; k++) {
            bool constant = words[k].value != 0;
            if (group != (words[k].is_function ? 0 : constant ? 2 : 1))
                continue;
            if (constant)
                carom_text_append(out, "  %-8s %-22.15g %s\n", words[k].name, words[k].value, words[k].sentence);
            else
                carom_text_append(out, "  %-28s %s\n", words[k].signature, words[k].sentence);
        }
    }
}

/* ---- entry ---- */

/* Name of a kind, family or topic nearest to `name`, or NULL. */
static const char *suggestion(const char *name)
{
    const char *candidates[CAROM_FAMILY_COUNT + 2];
    size_t n = 0;
    for (size_t k = 0; k < CAROM_COUNT(order); k++) {
        size_t count;
        const char *const *names = carom_kind_names(order[k], &count);
        const char *nearest = carom_nearest_name(name, names, count);
        if (nearest)
            candidates[n++] = nearest;
    }
    const char *family = carom_nearest_name(name, family_names, CAROM_COUNT(family_names));
    if (family)
        candidates[n++] = family;
    const char *topic = carom_nearest_name(name, topics, CAROM_COUNT(topics));
    if (topic)
        candidates[n++] = topic;
    return carom_nearest_name(name, candidates, n);
}

/* Pages of all kinds called `name`, in the order of the families; the parts of a law are on its own page. */
static bool kind_pages(carom_text *out, const char *name)
{
    bool found = false, is_law = carom_kind_find(CAROM_FAMILY_LAW, name) != NULL;
    for (size_t k = 0; k < CAROM_COUNT(order); k++) {
        const carom_kind *kind = carom_kind_find(order[k], name);
        bool is_part = order[k] == CAROM_FAMILY_ELASTIC || order[k] == CAROM_FAMILY_DAMPING;
        if (!kind || (is_law && is_part))
            continue;
        if (found)
            carom_text_append(out, "\n");
        kind_page(out, order[k], kind);
        found = true;
    }
    return found;
}

/* The page of `name`, "family.name" for one family only; false if there is none. */
static bool page(carom_text *out, const char *name)
{
    const char *dot = strchr(name, '.');
    if (dot) {
        carom_family family = family_of(name, (size_t)(dot - name));
        const carom_kind *kind = carom_kind_find(family, dot + 1);
        if (kind)
            kind_page(out, family, kind);
        return kind != NULL;
    }
    if (strcmp(name, "validity") == 0) {
        validity_page(out);
        return true;
    }
    if (strcmp(name, "expressions") == 0) {
        expressions_page(out);
        return true;
    }
    if (kind_pages(out, name))
        return true;
    carom_family family = family_of(name, strlen(name));
    if (family == CAROM_FAMILY_COUNT)
        return false;
    family_page(out, family);
    return true;
}

carom_status carom_explain(carom_context *ctx, const char *name, char **out)
{
    if (!ctx || !out)
        return CAROM_ERROR_USAGE;
    *out = NULL;
    if (!name || !*name)
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL,
                          "explain what? Name a kind, a family, 'validity' or 'expressions'");
    carom_text text = {.ctx = ctx};
    if (!page(&text, name)) {
        const char *nearest = suggestion(name);
        carom_text_free(&text);
        return nearest ? carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "there is nothing called '%s'; did you mean '%s'?",
                                    name, nearest)
                       : carom_fail(ctx, CAROM_ERROR_USAGE, NULL,
                                    "there is nothing called '%s'; try a family (law, joint, load, ...), 'validity' or "
                                    "'expressions'",
                                    name);
    }
    /* an exact-size copy, as carom_text_release() expects */
    char *copy = text.failed ? NULL : carom_allocate(ctx, text.length + 1, 1);
    if (copy)
        memcpy(copy, text.data, text.length);
    carom_text_free(&text);
    if (!copy)
        return carom_fail_memory(ctx);
    *out = copy;
    return CAROM_OK;
}
