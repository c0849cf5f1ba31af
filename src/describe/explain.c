/* Texts for people on the kinds: made from their constant structs, never written twice. */
#include "carom/explain.h"
#include "base/base.h"
#include "base/warnings.h"
#include "describe/describe.h"
#include "expr/expr.h"
#include "kinds/normal/impact.h"
#include "kinds/kind.h"
#include "spec/keys.h"
#include "law/validity.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Order of presentation. */
static const carom_family order[] = {
    CAROM_FAMILY_LAW,   CAROM_FAMILY_ELASTIC, CAROM_FAMILY_DAMPING, CAROM_FAMILY_FRICTION,   CAROM_FAMILY_JOINT,
    CAROM_FAMILY_SHAPE, CAROM_FAMILY_PAIR,    CAROM_FAMILY_LOAD,    CAROM_FAMILY_INTEGRATOR, CAROM_FAMILY_STABILIZATION,
};
/* Those of kinds, then those of choices.c. */
static const char *const family_names[] = {"law",  "elastic", "damping",    "friction",      "joint",       "shape",
                                           "pair", "load",    "integrator", "stabilization", "formulation", "analysis",
                                           "sampler", "warning"};
_Static_assert(CAROM_COUNT(family_names) == CAROM_COUNT(order) + CAROM_CHOICE_FAMILIES, "a name for each family");
static const char *const topics[] = {"validity", "expressions", "robots"};

const char *const *carom_explain_families(size_t *count)
{
    carom_give_count(count, CAROM_COUNT(family_names));
    return family_names;
}

/* Family of a name in singular or plural; CAROM_FAMILY_COUNT if there is none. "constraint" is the key of model
   files. */
static carom_family family_of(const char *name, size_t length)
{
    for (size_t k = 0; k < CAROM_COUNT(order); k++) {
        size_t n = strlen(family_names[k]);
        bool plural = length == n + 1 && name[n] == 's';
        if ((length == n || plural) && memcmp(name, family_names[k], n) == 0)
            return order[k];
    }
    if ((length == 10 || length == 11) && strncmp(name, "constraints", length) == 0)
        return CAROM_FAMILY_STABILIZATION;
    return CAROM_FAMILY_COUNT;
}

const char *const *carom_explain_names(const carom_context *ctx, const char *family, size_t *count)
{
    const int choice = family ? carom_choice_family(family, strlen(family)) : -1;
    if (choice >= 0)
        return carom_choice_names(choice, count ? count : &(size_t){0});
    return carom_kind_names(ctx, family ? family_of(family, strlen(family)) : CAROM_FAMILY_COUNT, count);
}

const char *carom_explain_title(const carom_context *ctx, const char *family, const char *name)
{
    const int choice = family ? carom_choice_family(family, strlen(family)) : -1;
    if (choice >= 0)
        return carom_choice_title(choice, name);
    const carom_kind *kind = family ? carom_kind_find(ctx, family_of(family, strlen(family)), name) : NULL;
    return kind ? kind->title : NULL;
}

/* ---- layout ---- */

/* "> 0", "0 <= . <= 1" and the like; "" if there is no bound. */
static void range_text(const carom_param_row *row, char *out, size_t size)
{
    bool low = isfinite(row->low), high = isfinite(row->high);
    const char *above = row->flags & CAROM_PARAM_ABOVE ? ">" : ">=",
               *below = row->flags & CAROM_PARAM_BELOW ? "<" : "<=";
    out[0] = '\0';
    if (row->flags & CAROM_PARAM_NO_NUMBER)
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

/* One parameter: keyword, unit, default, range, sentence. `default_value` replaces the default of the table. */
static void parameter(carom_text *out, const carom_param_row *row, double default_value)
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
    else if (row->flags & (CAROM_PARAM_SPLINE | CAROM_PARAM_LIST))
        carom_text_append(out, ", optional");
    else if (row->flags & CAROM_PARAM_TEXT)
        default_word(out, row->unit, (int)default_value);
    else
        carom_text_append(out, ", default %g%s", default_value, range);
    if (row->flags & CAROM_PARAM_TIME)
        carom_text_append(out, ", may depend on time");
    carom_text_append(out, "\n");
    carom_describe_paragraph(out, 6, row->description);
}

static void parameters(carom_text *out, const carom_kind *kind)
{
    for (int k = 0; k < kind->param_count; k++)
        parameter(out, &kind->params[k], kind->params[k].default_value);
}

/* ---- properties ---- */

/* An entry of a list: a paragraph whose first line begins with a dash. */
static void item(carom_text *out, int indent, const char *text)
{
    size_t at = out->length + (size_t)indent;
    carom_describe_paragraph(out, indent + 2, text);
    if (!out->failed)
        out->data[at] = '-';
}

/* What an elastic part needs of the geometry, and the keys of the normal force that replace it. */
static void elastic_properties(carom_text *out, int indent, const carom_elastic_kind *elastic)
{
    if (elastic->needs & CAROM_NEEDS_MATERIALS)
        item(out, indent,
             "needs the materials of both sides: `material` of the shapes, or E_i [Pa], nu_i, E_j [Pa], nu_j");
    if (elastic->needs & CAROM_NEEDS_RADII)
        item(
            out, indent,
            "needs the radii of both sides: those of the shapes, or radius_i [m], radius_j [m], negative where hollow");
    if (elastic->needs & CAROM_NEEDS_LENGTH)
        item(out, indent, "is for line contacts: needs length [m]");
    if (elastic->history)
        item(
            out, indent,
            "has memory: unloading differs from loading and leaves a permanent indentation until the surfaces part; it "
            "has its loss, and takes no damping part");
    if (elastic->limit)
        item(
            out, indent,
            "ends at a limit of the indentation: the force stays beyond it, and `carom check` and the run warn before");
}

static void damping_properties(carom_text *out, int indent, const carom_damping_kind *damping)
{
    if (damping->uses_mass)
        item(out, indent, "needs the effective mass: one side must be able to move along the normal");
    if (damping->uses_stiffness)
        item(out, indent, "needs the stiffness of a power law");
    if (damping->fits && CAROM_KIND_CALL(damping, fits, true, 1.5) && !CAROM_KIND_CALL(damping, fits, true, 1))
        item(out, indent, "fits a linear elastic part only, n = 1");
    if (damping->fits && !CAROM_KIND_CALL(damping, fits, true, 1.5) && CAROM_KIND_CALL(damping, fits, true, 1))
        item(out, indent, "does not fit a linear elastic part");
    if (damping->kinked)
        item(out, indent, "changes its form between compression and restitution: the run locates the turn");
}

static void friction_properties(carom_text *out, int indent, const carom_friction_kind *friction)
{
    if (friction->set_valued)
        item(out, indent, "holds at rest: sticking is solved for the force that holds, up to that at slip speed zero");
    else if (friction->state)
        item(out, indent, "holds at rest: its state is integrated and carries a force without slip");
    else
        item(out, indent,
             "does not hold at rest: the force is a function of the slip speed, so that what should stick creeps");
    item(out, indent,
         friction->spring ? "is for contacts alone: it needs their indentation"
                          : "is for contacts and for ideal joints, where the normal force is that of the reaction");
}

/* What of its sizes `friction` of a joint takes, in the plane and in space. */
static void joint_properties(carom_text *out, int indent, const carom_joint_kind *joint)
{
    static const char *const names[CAROM_FRICTION_SIZES] = {"radius", "axial_radius", "length", "width"};
    if (!joint->friction) {
        item(out, indent, "takes no friction");
        return;
    }
    for (int space = 0; space < 2; space++) {
        char line[256];
        int n = snprintf(line, sizeof line, "takes friction%s: a law with its parameters, preload [N], constant",
                         joint->rows_2d && joint->rows_3d ? space ? " in space" : " in the plane" : "");
        if (!(space ? joint->rows_3d : joint->rows_2d))
            continue;
        for (int k = 0; k < CAROM_FRICTION_SIZES; k++) {
            const unsigned bit = 1u << k;
            if ((joint->friction->needs[space] | joint->friction->takes[space]) & bit)
                n += snprintf(line + n, sizeof line - (size_t)n, ", %s [m]%s", names[k],
                              joint->friction->needs[space] & bit ? " (required)" : "");
        }
        item(out, indent, line);
    }
}

/* States that a load integrates with the motion. */
static void load_properties(carom_text *out, int indent, const carom_load_kind *load)
{
    for (int k = 0; k < load->state_count; k++) {
        const carom_load_state *s = &load->states[k];
        char line[512];
        snprintf(line, sizeof line, "state %s [%s], %.6g at the start: %s", s->name, s->unit, s->start, s->description);
        item(out, indent, line);
    }
}

static void properties(carom_text *out, int indent, carom_family family, const carom_kind *kind)
{
    if (family == CAROM_FAMILY_ELASTIC)
        elastic_properties(out, indent, (const carom_elastic_kind *)kind);
    else if (family == CAROM_FAMILY_DAMPING)
        damping_properties(out, indent, (const carom_damping_kind *)kind);
    else if (family == CAROM_FAMILY_FRICTION)
        friction_properties(out, indent, (const carom_friction_kind *)kind);
    else if (family == CAROM_FAMILY_JOINT)
        joint_properties(out, indent, (const carom_joint_kind *)kind);
    else if (family == CAROM_FAMILY_LOAD)
        load_properties(out, indent, (const carom_load_kind *)kind);
}

/* The same as a section of a page; nothing if there are none. */
static void properties_section(carom_text *out, carom_family family, const carom_kind *kind)
{
    size_t before = out->length;
    carom_text_append(out, "\nProperties\n");
    size_t title = out->length;
    properties(out, 2, family, kind);
    if (out->length == title && !out->failed)
        out->data[out->length = before] = '\0';
}

/* ---- kinds ---- */

/* Does the range of the parameter `restitution` hold e? */
static bool accepts_restitution(const carom_damping_kind *damping, double e)
{
    for (int k = 0; k < damping->kind.param_count; k++) {
        const carom_param_row *row = &damping->kind.params[k];
        if (strcmp(row->name, "restitution") == 0)
            return e > row->low || (e >= row->low && !(row->flags & CAROM_PARAM_ABOVE));
    }
    return true;
}

/* What a free direct impact returns, beside what was asked; a dash where that is refused. */
static void restitution_table(carom_text *out, const carom_damping_kind *damping)
{
    static const double asked[] = {0.1, 0.3, 0.5, 0.7, 0.9};
    if (!damping->factor || !damping->takes_restitution)
        return;
    carom_text_append(out, "\nRestitution of a free direct impact\n  asked   ");
    for (size_t k = 0; k < CAROM_COUNT(asked); k++)
        carom_text_append(out, "%8.1f", asked[k]);
    for (int factor = 0; factor < 2; factor++) {
        carom_text_append(out, factor ? "\n  factor A" : "\n  returned");
        for (size_t k = 0; k < CAROM_COUNT(asked); k++) {
            double a = CAROM_KIND_CALL(damping, factor, asked[k]);
            if (accepts_restitution(damping, asked[k]))
                carom_text_append(out, "%8.4f", factor ? a : carom_achieved_restitution(a));
            else
                carom_text_append(out, "%8s", "-");
        }
    }
    carom_text_append(out, "\n");
}

static void part(carom_text *out, const char *label, carom_family family, const carom_kind *kind)
{
    if (!kind)
        return;
    carom_text_append(out, "  %s '%s': %s\n", label, kind->name, kind->title);
    carom_describe_paragraph(out, 6, kind->formula);
    properties(out, 6, family, kind);
}

/* Parts, parameters and achieved restitution of a named law. */
static void law_body(carom_text *out, const carom_law_kind *law)
{
    const carom_kind *elastic = carom_kind_find(out->ctx, CAROM_FAMILY_ELASTIC, law->elastic);
    const carom_kind *bare = carom_kind_find(out->ctx, CAROM_FAMILY_ELASTIC, law->elastic_without_stiffness);
    const carom_kind *damping = carom_kind_find(out->ctx, CAROM_FAMILY_DAMPING, law->damping);
    carom_text_append(out, "\nParts\n");
    part(out, "elastic", CAROM_FAMILY_ELASTIC, elastic);
    part(out, "elastic without a stiffness", CAROM_FAMILY_ELASTIC, bare == elastic ? NULL : bare);
    part(out, "damping", CAROM_FAMILY_DAMPING, damping);
    if ((elastic && elastic->param_count) || (damping && damping->param_count))
        carom_text_append(out, "\nParameters\n");
    for (int k = 0; elastic && k < elastic->param_count; k++) {
        carom_param_row row = elastic->params[k];
        if (bare && strcmp(row.name, "stiffness") == 0)
            row.flags = (row.flags & ~(unsigned)CAROM_PARAM_REQUIRED) | CAROM_PARAM_OPTIONAL;
        parameter(out, &row, strcmp(row.name, "exponent") == 0 ? law->exponent : row.default_value);
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
    carom_describe_paragraph(out, 0, kind->title);
    carom_describe_section(out, "Formula", kind->formula);
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
    properties_section(out, family, kind);
    carom_describe_section(out, "Validity", kind->validity);
    carom_describe_section(out, "Source", kind->source);
}

/* ---- families ---- */

/* Groups in which the kinds of a family are listed. */
typedef enum kind_group {
    GROUP_ALL,
    GROUP_POINTS,
    GROUP_LINES,
    GROUP_RESTITUTION,
    GROUP_DAMPED,
    GROUP_MEMORY,
    GROUP_STICKS,
    GROUP_STATE,
    GROUP_CREEPS,
    GROUP_COUNT
} kind_group;

static const char *const group_titles[GROUP_COUNT] = {
    [GROUP_POINTS] = "elastic, without a length",
    [GROUP_LINES] = "elastic, contacts of lines: the length is needed",
    [GROUP_RESTITUTION] =
        "damped for a restitution e, Fd = Fe A(e) rate/v0; the number is what a free impact returns for e = 0.5",
    [GROUP_DAMPED] = "damped in another form, or by other parameters than e alone",
    [GROUP_MEMORY] = "with memory: permanent indentation",
    [GROUP_STICKS] = "hold at rest: sticking is solved",
    [GROUP_STATE] = "hold at rest: a state carries the force",
    [GROUP_CREEPS] = "do not hold at rest: functions of the slip speed",
};

static kind_group elastic_group(const carom_elastic_kind *elastic)
{
    if (elastic->history)
        return GROUP_MEMORY;
    return elastic->needs & CAROM_NEEDS_LENGTH ? GROUP_LINES : GROUP_POINTS;
}

static bool is_for_restitution(const carom_damping_kind *damping)
{
    return damping->factor && damping->takes_restitution;
}

static const carom_damping_kind *damping_of(const carom_text *out, carom_family family, const carom_kind *kind)
{
    if (family == CAROM_FAMILY_LAW)
        kind = carom_kind_find(out->ctx, CAROM_FAMILY_DAMPING, ((const carom_law_kind *)kind)->damping);
    return family == CAROM_FAMILY_LAW || family == CAROM_FAMILY_DAMPING ? (const carom_damping_kind *)kind : NULL;
}

static kind_group group_of(const carom_text *out, carom_family family, const carom_kind *kind)
{
    if (family == CAROM_FAMILY_ELASTIC)
        return elastic_group((const carom_elastic_kind *)kind);
    if (family == CAROM_FAMILY_FRICTION) {
        const carom_friction_kind *friction = (const carom_friction_kind *)kind;
        return friction->set_valued ? GROUP_STICKS : friction->state ? GROUP_STATE : GROUP_CREEPS;
    }
    const carom_damping_kind *damping = damping_of(out, family, kind);
    if (!damping)
        return GROUP_ALL;
    if (family == CAROM_FAMILY_LAW) {
        const carom_kind *elastic =
            carom_kind_find(out->ctx, CAROM_FAMILY_ELASTIC, ((const carom_law_kind *)kind)->elastic);
        if (elastic && (damping->undamped || ((const carom_elastic_kind *)elastic)->history))
            return elastic_group((const carom_elastic_kind *)elastic);
    }
    return is_for_restitution(damping) ? GROUP_RESTITUTION : GROUP_DAMPED;
}

static void list_kind(carom_text *out, carom_family family, const carom_kind *kind, kind_group group, int width)
{
    carom_text_append(out, "%s%-*s  ", group == GROUP_ALL ? "" : "  ", width, kind->name);
    if (group == GROUP_RESTITUTION) {
        double returned = carom_achieved_restitution(CAROM_KIND_CALL(damping_of(out, family, kind), factor, 0.5));
        if (isfinite(returned))
            carom_text_append(out, "%.3f  ", returned);
        else
            carom_text_append(out, "    -  ");
    }
    carom_text_append(out, "%s\n", kind->title);
}

/* All kinds of a family with their titles, group by group. */
static void list_family(carom_text *out, carom_family family)
{
    size_t count = carom_kind_count(out->ctx, family);
    int width = 0;
    for (size_t k = 0; k < count; k++) {
        int length = (int)strlen(carom_kind_at(out->ctx, family, k)->name);
        width = length > width ? length : width;
    }
    for (int group = 0, groups = 0; group < GROUP_COUNT; group++) {
        bool titled = false;
        for (size_t k = 0; k < count; k++) {
            const carom_kind *kind = carom_kind_at(out->ctx, family, k);
            if ((int)group_of(out, family, kind) != group)
                continue;
            if (!titled && group_titles[group])
                carom_text_append(out, "%s%s\n", groups++ ? "\n" : "", group_titles[group]);
            titled = true;
            list_kind(out, family, kind, (kind_group)group, width);
        }
    }
}

static void family_page(carom_text *out, carom_family family)
{
    carom_text_append(out, "%s: %zu kinds\n\n", carom_family_name(family), carom_kind_count(out->ctx, family));
    list_family(out, family);
}

/* ---- topics ---- */

static void append_rule(carom_text *out, const carom_validity_rule *rule)
{
    const carom_warning_row *row = &carom_warning_rows[rule->warning];
    char when[160];
    carom_text_append(out, "\n%s (%s, %s)\n", row->title, row->name, row->code);
    carom_describe_paragraph(out, 2, row->meaning);
    carom_text_append(out, "  %s\n", carom_validity_when(rule, when, sizeof when));
    carom_text text = {.ctx = out->ctx};
    carom_text_append(&text, "Do: %s", row->remedy);
    carom_describe_paragraph(out, 2, text.failed ? "" : text.data);
    text.length = 0;
    carom_text_append(&text, "Source: %s", rule->source);
    carom_describe_paragraph(out, 2, text.failed ? "" : text.data);
    out->failed = out->failed || text.failed;
    carom_text_clear(&text);
}

static void validity_page(carom_text *out)
{
    carom_text_append(out, "validity: what the contact laws assume, and what is warned of\n\n");
    carom_describe_paragraph(
        out, 0,
        "`carom check` judges each contact at the closing speed it expects at the first touch (`--speed` gives another "
        "one), a "
        "run at the speed of each onset; each rule is reported once a contact. v is that speed, m the effective mass "
        "at the "
        "contact point along the normal, with the inertia, the lever arms and the joints of both sides; never a body's "
        "mass. A warning changes nothing in the computation.");
    for (int rule = 0; rule < CAROM_RULE_COUNT; rule++)
        append_rule(out, &carom_validity[rule]);
    carom_text_append(out, "\nSteps and scales that `carom check` advises\n");
    carom_text text = {.ctx = out->ctx};
    carom_text_append(
        &text,
        "T is the duration of the free impact, delta_m its largest indentation. First step at the onset T/%.0f, "
        "largest step inside the contact T/%.0f, absolute tolerance of the coordinates at most %g delta_m. Methods of "
        "variable step find these themselves from `tolerance`; `step` of a fixed-step method must be chosen.",
        1 / CAROM_ADVISED_FIRST, 1 / CAROM_ADVISED_STEP, CAROM_ADVISED_SCALE);
    carom_describe_paragraph(out, 2, text.failed ? "" : text.data);
    out->failed = out->failed || text.failed;
    carom_text_clear(&text);
}

static void expressions_page(carom_text *out)
{
    size_t count = 0;
    const carom_expr_word *words = carom_expr_words(&count);
    carom_text_append(out, "expressions: every number of a model may be one\n\n");
    carom_describe_paragraph(out, 0,
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
                carom_text_append(out, "  %-8s %-22.15g %s\n", words[k].name, words[k].value, words[k].description);
            else
                carom_text_append(out, "  %-28s %s\n", words[k].signature, words[k].description);
        }
    }
}

static void robots_page(carom_text *out)
{
    size_t count;
    const carom_key *keys = carom_keys_of(CAROM_OBJECT_INCLUDE, &count);
    carom_text_append(out, "robots: bodies, joints and shapes from URDF and MJCF files\n\n");
    carom_describe_paragraph(
        out, 0,
        "`include: robot.urdf` in a model file, or a list of {file: robot.urdf, ...}. Entries of the model file of the "
        "same name override and extend those of the robot; contacts are declared in the model file. `carom import "
        "robot.urdf -o robot.yaml` writes the same as a model file, with the line of each part.");
    carom_text_append(out, "\nKeys of an entry\n");
    for (size_t k = 0; k < count; k++) {
        carom_text_append(out, "  %s\n", keys[k].name);
        carom_describe_paragraph(out, 6, keys[k].description);
    }
    carom_text_append(out, "\nWhat becomes of it\n");
    carom_describe_paragraph(
        out, 2,
        "Links are bodies about their centre of mass, with the frame `origin`; links without inertia are frames of the "
        "body that holds them. Joints keep their names, axes and zeros; limits are stops, mimicked joints couplers, "
        "friction and damping act along the coordinate, position and velocity drives are motors. Files that MJCF "
        "includes and what it replicates are written out; its tendons are torques along joints, springs and line "
        "forces, its other actuators inputs. Visual shapes are drawn and touch nothing. What is ignored is listed with "
        "file and line.");
}

/* ---- entry ---- */

/* Name of a kind, family or topic nearest to `name`, or NULL. */
static const char *suggestion(const carom_context *ctx, const char *name)
{
    const char *candidates[CAROM_FAMILY_COUNT + CAROM_CHOICE_FAMILIES + 3];
    size_t n = 0;
    for (size_t k = 0; k < CAROM_COUNT(order); k++) {
        size_t count;
        const char *const *names = carom_kind_names(ctx, order[k], &count);
        const char *nearest = carom_nearest_name(name, names, count);
        if (nearest)
            candidates[n++] = nearest;
    }
    for (int k = 0; k < CAROM_CHOICE_FAMILIES; k++) {
        size_t count;
        const char *const *names = carom_choice_names(k, &count);
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
    const char *word = carom_word_nearest(name);
    if (word)
        candidates[n++] = word;
    const char *best = carom_nearest_name(name, candidates, n);
    return best ? best : word; /* of a path: the last part */
}

/* Pages of all kinds called `name`, in the order of the families; the parts of a law are on its own page. */
static bool kind_pages(carom_text *out, const char *name)
{
    bool found = false, is_law = carom_kind_find(out->ctx, CAROM_FAMILY_LAW, name) != NULL;
    for (size_t k = 0; k < CAROM_COUNT(order); k++) {
        const carom_kind *kind = carom_kind_find(out->ctx, order[k], name);
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
        const int choice = carom_choice_family(name, (size_t)(dot - name));
        if (choice >= 0)
            return carom_choice_page(out, choice, dot + 1);
        const carom_kind *kind = carom_kind_find(out->ctx, family, dot + 1);
        if (kind)
            kind_page(out, family, kind);
        return kind || carom_word_page(out, name);
    }
    if (strcmp(name, "validity") == 0) {
        validity_page(out);
        return true;
    }
    if (strcmp(name, "expressions") == 0) {
        expressions_page(out);
        return true;
    }
    if (strcmp(name, "robots") == 0) {
        robots_page(out);
        return true;
    }
    if (kind_pages(out, name) || carom_choice_page(out, -1, name))
        return true;
    const int choice = carom_choice_family(name, strlen(name));
    if (choice >= 0) {
        carom_choice_list(out, choice);
        return true;
    }
    carom_family family = family_of(name, strlen(name));
    if (family == CAROM_FAMILY_COUNT)
        return carom_word_page(out, name);
    family_page(out, family);
    return true;
}

/* Whether `name` holds `word`, letters of either case alike, hyphens and underscores, too. */
static bool holds_word(const char *name, const char *word)
{
    for (; *name; name++) {
        size_t k = 0;
        while (word[k] && name[k] && tolower((unsigned char)(word[k] == '_' ? '-' : word[k])) == name[k])
            k++;
        if (!word[k])
            return true;
    }
    return false;
}

#define NAMED 8

/* Adds the names that hold `word`, each once; returns how many there are. */
static size_t append_names(carom_text *out, const char *word)
{
    const char *named[NAMED];
    size_t count = 0;
    for (size_t k = 0; k < CAROM_COUNT(order) && strlen(word) > 2; k++)
        for (size_t i = 0; i < carom_kind_count(out->ctx, order[k]) && count < NAMED; i++) {
            const char *name = carom_kind_at(out->ctx, order[k], i)->name;
            bool known = false;
            for (size_t j = 0; j < count; j++)
                known = known || strcmp(named[j], name) == 0;
            if (known || !holds_word(name, word))
                continue;
            carom_text_append(out, "%s'%s'", count ? ", " : "", name);
            named[count++] = name;
        }
    return count;
}

/* Digits of "W99", "w9" or "[W99]", the code of a warning; NULL: it is none. */
static const char *code_digits(const char *name)
{
    const char *at = name + (*name == '[');
    if (*at != 'W' && *at != 'w')
        return NULL;
    const size_t digits = strspn(at + 1, "0123456789");
    return digits && strcmp(at + 1 + digits, *name == '[' ? "]" : "") == 0 ? at + 1 : NULL;
}

/* The code as the table has it: "W07" of "w7". */
static const char *table_code(const char *name, char out[8])
{
    const char *digits = code_digits(name);
    if (!digits)
        return name;
    snprintf(out, 8, "W%02ld", strtol(digits, NULL, 10) % 1000);
    return carom_warning_find(out) ? out : name;
}

static carom_status fail_code(carom_context *ctx, const char *name)
{
    return carom_fail(ctx, CAROM_ERROR_USAGE, NULL,
                      "there is no warning '%s'; the codes are W01 to W%02d, `carom list warnings` names them", name,
                      (int)CAROM_WARN_COUNT);
}

/* Of "family.name" the family is there. */
static carom_status fail_of_family(carom_context *ctx, const char *name, int length)
{
    size_t count;
    const char *nearest = NULL;
    char family[64];
    snprintf(family, sizeof family, "%.*s", length, name);
    const char *const *names = carom_explain_names(ctx, family, &count);
    nearest = carom_nearest_name(name + length + 1, names, count);
    if (nearest)
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "there is nothing called '%s'; did you mean '%s.%s'?", name,
                          family, nearest);
    return carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "there is no %s '%s'; `carom list %s` names them", family,
                      name + length + 1, family);
}

/* Length of the family in "family.name"; 0: it is none. Paths of channels have two dots. */
static int family_length(const char *name)
{
    const char *dot = strchr(name, '.');
    const size_t length = dot && dot[1] && !strchr(dot + 1, '.') ? (size_t)(dot - name) : 0;
    if (length && (family_of(name, length) != CAROM_FAMILY_COUNT || carom_choice_family(name, length) >= 0))
        return (int)length;
    return 0;
}

static carom_status fail_unknown(carom_context *ctx, const char *name)
{
    if (code_digits(name))
        return fail_code(ctx, name);
    if (family_length(name))
        return fail_of_family(ctx, name, family_length(name));
    const char *nearest = suggestion(ctx, name);
    if (nearest)
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "there is nothing called '%s'; did you mean '%s'?", name,
                          nearest);
    carom_text names = {.ctx = ctx};
    size_t count = append_names(&names, name);
    carom_status status = CAROM_ERROR_USAGE;
    if (names.failed)
        status = carom_fail_memory(ctx);
    else if (count)
        status = carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "there is nothing called '%s'; did you mean one of %s?", name,
                            names.data);
    else
        status = carom_fail(
            ctx, CAROM_ERROR_USAGE, NULL,
            "there is nothing called '%s'; try a family (law, joint, load, ...), 'validity', 'expressions', 'robots', "
            "a key of the model file, a channel or a column of a table",
            name);
    carom_text_clear(&names);
    return status;
}

/* An exact-size copy of the text, as carom_text_clear() expects; clears the text. */
static carom_status give(carom_context *ctx, carom_text *text, char **out)
{
    char *copy = text->failed ? NULL : carom_allocate(ctx, text->length + 1, 1);
    if (copy && text->length)
        memcpy(copy, text->data, text->length);
    carom_text_clear(text);
    if (!copy)
        return carom_fail_memory(ctx);
    *out = copy;
    return CAROM_OK;
}

carom_status carom_explain_list(carom_context *ctx, const char *family, char **out)
{
    CAROM_NEED(ctx, ctx);
    CAROM_NEED(ctx, out);
    *out = NULL;
    const int choice = family ? carom_choice_family(family, strlen(family)) : -1;
    carom_family found = family ? family_of(family, strlen(family)) : CAROM_FAMILY_COUNT;
    if (found == CAROM_FAMILY_COUNT && choice < 0)
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "there is no family '%s'", family ? family : "");
    carom_text text = {.ctx = ctx};
    if (choice >= 0)
        carom_choice_list(&text, choice);
    else
        list_family(&text, found);
    return give(ctx, &text, out);
}

carom_status carom_explain(carom_context *ctx, const char *name, char **out)
{
    CAROM_NEED(ctx, ctx);
    CAROM_NEED(ctx, out);
    *out = NULL;
    if (!name || !*name)
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL,
                          "explain what? Name a kind, a family, 'validity', 'expressions' or 'robots'");
    carom_text text = {.ctx = ctx};
    char code[8];
    if (page(&text, table_code(name, code)))
        return give(ctx, &text, out);
    carom_text_clear(&text);
    return fail_unknown(ctx, name);
}
