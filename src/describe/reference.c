/* The reference page of the model file, from the tables of keys and kinds and the words of expressions. */
#include "carom/explain.h"
#include "base/warnings.h"
#include "expr/expr.h"
#include "law/normal_law.h"
#include "spec/keys.h"

#include <math.h>
#include <string.h>

/* Text of a table's cell: a bar would end it. */
static void cell(carom_text *out, const char *text)
{
    carom_text_append(out, "| ");
    for (; *text; text++)
        carom_text_append(out, *text == '|' ? "\\|" : "%c", *text);
    carom_text_append(out, " ");
}

static void number_cell(carom_text *out, double number) { carom_text_append(out, "| %g ", number); }

/* ---- keys ---- */

/* "> 0", "-1 < x <= 0.5", or nothing. */
static void range_cell(carom_text *out, const carom_key *key)
{
    bool low = (key->flags & (CAROM_KEY_LOW | CAROM_KEY_ABOVE)) != 0;
    bool high = (key->flags & (CAROM_KEY_HIGH | CAROM_KEY_BELOW)) != 0;
    const char *above = key->flags & CAROM_KEY_ABOVE ? ">" : "≥", *below = key->flags & CAROM_KEY_BELOW ? "<" : "≤";
    carom_text_append(out, "| ");
    if (key->type == CAROM_KEY_WORD)
        carom_text_append(out, key->former ? "`%s` (formerly `%s`) " : "`%s` ", key->choices, key->former);
    if (low)
        carom_text_append(out, "%s %g%s ", above, key->low, high ? "," : "");
    if (high)
        carom_text_append(out, "%s %g ", below, key->high);
    if (key->flags & (CAROM_KEY_2D | CAROM_KEY_3D))
        carom_text_append(out, "%s only ", key->flags & CAROM_KEY_2D ? "2-D" : "3-D");
}

static void default_cell(carom_text *out, const carom_key *key)
{
    if (key->flags & CAROM_KEY_REQUIRED)
        cell(out, "required");
    else if (key->word)
        carom_text_append(out, "| `%s` ", key->word);
    else if (key->flags & CAROM_KEY_DEFAULT)
        number_cell(out, key->default_value);
    else
        cell(out, key->otherwise ? key->otherwise : "none");
}

static void write_rows(carom_text *out, const carom_param_row *rows, size_t count);

static void write_object(carom_text *out, carom_object object)
{
    const carom_object_row *row = carom_object_get(object);
    size_t count;
    const carom_key *keys = carom_keys_of(object, &count);
    carom_text_append(out, "### %s\n\n%s\n\n", row->path, row->description);
    const carom_kind *kind = row->kind ? carom_kind_find(out->ctx, row->family, row->kind) : NULL;
    if (kind) {
        write_rows(out, kind->params, (size_t)kind->param_count);
        return;
    }
    carom_text_append(out, "| key | takes | unit | default | range | meaning |\n|---|---|---|---|---|---|\n");
    for (size_t k = 0; k < count; k++) {
        const carom_key *key = &keys[k];
        carom_text_append(out, "| `%s` ", key->name);
        if (key->alias)
            carom_text_append(out, "(formerly `%s`) ", key->alias);
        if (key->type == CAROM_KEY_KIND)
            carom_text_append(out, "| one of [%s](#%s) ", carom_family_name(key->family),
                              carom_family_name(key->family));
        else
            cell(out, carom_key_type_text(key->type));
        cell(out, key->unit ? key->unit : "");
        default_cell(out, key);
        range_cell(out, key);
        cell(out, key->description);
        carom_text_append(out, "|\n");
    }
    carom_text_append(out, "\n");
}

/* ---- kinds ---- */

static void write_rows(carom_text *out, const carom_param_row *rows, size_t count)
{
    if (count == 0) {
        carom_text_append(out, "No parameters.\n\n");
        return;
    }
    carom_text_append(out, "| parameter | takes | unit | default | range | meaning |\n|---|---|---|---|---|---|\n");
    for (size_t k = 0; k < count; k++) {
        const carom_param_row *row = &rows[k];
        bool word = (row->flags & CAROM_PARAM_TEXT) != 0;
        carom_text_append(out, "| `%s` ", row->name);
        if (row->flags & CAROM_PARAM_SPLINE)
            cell(out, "name of a spline");
        else if (row->flags & CAROM_PARAM_FRAME)
            cell(out, "world|body|body.frame");
        else if (row->flags & (CAROM_PARAM_POINTS | CAROM_PARAM_OUTLINE))
            cell(out, row->flags & CAROM_PARAM_POINTS ? "list of points" : "list of segments");
        else if (row->flags & CAROM_PARAM_CURVE)
            cell(out, "list of expressions of u");
        else if (row->flags & CAROM_PARAM_TABLE)
            cell(out, row->flags & (CAROM_PARAM_MESH | CAROM_PARAM_TRIANGLES | CAROM_PARAM_GRID_FILE) ? "name of a file"
                      : row->flags & CAROM_PARAM_CORNERS ? "list of points in space"
                      : row->flags & CAROM_PARAM_GRID    ? "list of rows of numbers"
                                                         : "expression of x and y");
        else if (word)
            cell(out, row->unit);
        else if (row->size == 1)
            cell(out, row->flags & CAROM_PARAM_TIME ? "number or expression" : "number");
        else
            carom_text_append(out, "| %s %s",
                              row->flags & CAROM_PARAM_EVEN ? "1 or 3"
                              : row->size == 3              ? "2 or 3"
                              : row->size == 2              ? "2"
                                                            : "several",
                              row->flags & CAROM_PARAM_TIME ? "numbers or expressions " : "numbers ");
        cell(out, word ? "" : row->unit);
        if (row->flags & CAROM_PARAM_REQUIRED)
            cell(out, "required");
        else if (word || isnan(row->default_value) || (row->flags & (CAROM_PARAM_OPTIONAL | CAROM_PARAM_LIST)))
            cell(out, row->flags & (CAROM_PARAM_SPLINE | CAROM_PARAM_LIST) ? "none" : word ? "the first" : "see there");
        else
            number_cell(out, row->default_value);
        carom_text_append(out, "| ");
        if (!word && isfinite(row->low))
            carom_text_append(out, "%s %g%s", row->flags & CAROM_PARAM_ABOVE ? ">" : "≥", row->low,
                              isfinite(row->high) ? ", " : " ");
        if (!word && isfinite(row->high))
            carom_text_append(out, "%s %g ", row->flags & CAROM_PARAM_BELOW ? "<" : "≤", row->high);
        if (row->flags & CAROM_PARAM_NONZERO)
            carom_text_append(out, "not 0 ");
        cell(out, row->description);
        carom_text_append(out, "|\n");
    }
    carom_text_append(out, "\n");
}

static void write_family(carom_text *out, carom_family family)
{
    carom_text_append(out, "### %s\n\n", carom_family_name(family));
    if (family == CAROM_FAMILY_LAW) {
        size_t count;
        const carom_param_row *rows = carom_normal_params(&count);
        carom_text_append(
            out, "Parameters of a law are those of its elastic and damping parts, and of every normal force:\n\n");
        write_rows(out, rows, count);
    }
    for (size_t k = 0; k < carom_kind_count(out->ctx, family); k++) {
        const carom_kind *kind = carom_kind_at(out->ctx, family, k);
        carom_text_append(out, "**`%s`**", kind->name);
        if (kind->aliases && *kind->aliases)
            carom_text_append(out, " (also `%s`)", kind->aliases);
        carom_text_append(out, ": %s\n\n", kind->title);
        if (family == CAROM_FAMILY_LAW) {
            const carom_law_kind *law = (const carom_law_kind *)kind;
            carom_text_append(out, "Elastic part `%s`%s%s%s, damping part `%s`.\n\n", law->elastic,
                              law->elastic_without_stiffness ? ", without stiffness `" : "",
                              law->elastic_without_stiffness ? law->elastic_without_stiffness : "",
                              law->elastic_without_stiffness ? "`" : "", law->damping);
            continue;
        }
        if (family == CAROM_FAMILY_JOINT && ((const carom_joint_kind *)kind)->has_axis) {
            size_t count;
            const carom_param_row *rows = carom_axis_params(&count);
            const carom_joint_kind *joint = (const carom_joint_kind *)kind;
            write_rows(out, rows, joint->axis2_on_j ? count : 1);
            if (kind->param_count == 0)
                continue;
        }
        write_rows(out, kind->params, (size_t)kind->param_count);
    }
}

/* ---- expressions ---- */

static void write_words(carom_text *out)
{
    size_t count;
    const carom_expr_word *words = carom_expr_words(&count);
    carom_text_append(out, "## Expressions\n\nReserved words; a parameter has none of these names.\n\n"
                           "| word | value [SI] | meaning |\n|---|---|---|\n");
    for (size_t k = 0; k < count; k++) {
        carom_text_append(out, "| `%s` ", words[k].signature);
        if (words[k].is_function || words[k].value == 0)
            cell(out, "");
        else
            carom_text_append(out, "| %.9g ", words[k].value);
        cell(out, words[k].description);
        carom_text_append(out, "|\n");
    }
}

/* ---- warnings ---- */

static void write_warnings(carom_text *out)
{
    carom_text_append(out,
                      "\n## Warnings\n\nThe code stands at the end of a warning; `carom explain W05` says when it "
                      "is raised, too.\n\n| code | name | it tells | what it means | do |\n|---|---|---|---|---|\n");
    for (size_t k = 0; k < CAROM_WARN_COUNT; k++) {
        const carom_warning_row *row = &carom_warning_rows[k];
        carom_text_append(out, "| `%s` | `%s` ", row->code, row->name);
        cell(out, row->title);
        cell(out, row->meaning);
        cell(out, row->remedy);
        carom_text_append(out, "|\n");
    }
}

carom_status carom_reference_page(carom_context *ctx, char **out)
{
    CAROM_NEED(ctx, ctx);
    CAROM_NEED(ctx, out);
    static const carom_family families[] = {CAROM_FAMILY_JOINT,   CAROM_FAMILY_SHAPE,      CAROM_FAMILY_LAW,
                                            CAROM_FAMILY_ELASTIC, CAROM_FAMILY_DAMPING,    CAROM_FAMILY_FRICTION,
                                            CAROM_FAMILY_LOAD,    CAROM_FAMILY_INTEGRATOR, CAROM_FAMILY_STABILIZATION};
    carom_text text = {.ctx = ctx};
    carom_text_append(&text,
                      "# Reference of the model file\n\nThis page is made by the program from the tables that it "
                      "reads models with. Numbers are in SI units; every number may be an expression of earlier "
                      "`parameters` and constants.\n\n## Keys\n\n");
    for (int object = 0; object < CAROM_OBJECT_COUNT; object++)
        write_object(&text, (carom_object)object);
    carom_text_append(&text, "## Kinds\n\n");
    for (size_t k = 0; k < CAROM_COUNT(families); k++)
        write_family(&text, families[k]);
    write_words(&text);
    write_warnings(&text);
    return carom_text_finish(&text, out);
}
