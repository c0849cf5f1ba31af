/* What a report says of itself and the description of its data, as JSON; keys in the order of docs/results.md. */
#include "carom/explain.h"
#include "report/report.h"
#include "carom/figure.h"

#include <stdio.h>
#include <math.h>
#include <string.h>

#define FORMAT 3

static const char *const group_names[CAROM_H5_GROUPS] = {"intervals", "steps", "snapshots"};

/* What is written, and where its columns go. */
typedef struct page_writer {
    carom_json *json;
    carom_blob *blob;
} page_writer;

/* A column as [offset, count, type]. */
static carom_status put_scaled(const page_writer *w, const char *key, carom_blob_column column, double scale)
{
    static const char *const types[] = {"f4", "f8", "u4", "u1"};
    CAROM_TRY(carom_blob_add(w->blob, &column));
    carom_json_begin(w->json, key, '[');
    carom_json_number(w->json, NULL, (double)column.offset);
    carom_json_number(w->json, NULL, (double)column.count);
    carom_json_text(w->json, NULL, types[column.type]);
    if (scale != 1)
        carom_json_number(w->json, NULL, scale);
    carom_json_end(w->json, ']');
    return CAROM_OK;
}

static carom_status put_column(const page_writer *w, const char *key, carom_blob_column column)
{
    return put_scaled(w, key, column, 1);
}

static void put_vector(const page_writer *w, const char *key, carom_vec3 v)
{
    carom_json_numbers(w->json, key, (double[]){v.x, v.y, v.z}, 3);
}

static void put_pair(const page_writer *w, const char *key, const int pair[2])
{
    carom_json_numbers(w->json, key, (double[]){pair[0], pair[1]}, 2);
}

/* ---- rows and channels ---- */

static const size_t *thinned(const carom_report_rows *g) { return g->count < g->of ? g->index : NULL; }

static carom_status put_groups(const page_writer *w, const carom_report_run *run)
{
    carom_json_begin(w->json, "groups", '[');
    for (int group = 0; group < CAROM_H5_GROUPS; group++) {
        const carom_report_rows *g = &run->groups[group];
        carom_json_begin(w->json, NULL, '{');
        carom_json_text(w->json, "name", group_names[group]);
        CAROM_TRY(put_column(
            w, "time",
            (carom_blob_column){.type = CAROM_BLOB_F8, .count = g->count, .values = g->time, .rows = thinned(g)}));
        carom_json_number(w->json, "rows", (double)g->count);
        carom_json_number(w->json, "of", (double)g->all);
        carom_json_end(w->json, '}');
    }
    carom_json_end(w->json, ']');
    return CAROM_OK;
}

static carom_status put_channel(const page_writer *w, const carom_report_run *run, size_t channel)
{
    size_t count;
    const carom_channel *c = &carom_result_channels(run->result, &count)[channel];
    const carom_report_rows *g = &run->groups[c->group];
    carom_json_begin(w->json, NULL, '{');
    carom_json_text(w->json, "name", c->name);
    carom_json_text(w->json, "type", c->type);
    carom_json_text(w->json, "object", c->object);
    carom_json_text(w->json, "quantity", c->quantity);
    char label[80];
    carom_json_text(w->json, "label", carom_figure_label(c->name, label, sizeof label) ? label : NULL);
    carom_json_text(w->json, "unit", c->unit);
    carom_json_text(w->json, "description", c->description);
    carom_json_number(w->json, "group", c->group);
    if (c->components) {
        carom_json_begin(w->json, "components", '[');
        for (int i = 0; i < c->size; i++)
            carom_json_text(w->json, NULL, c->components[i]);
        carom_json_end(w->json, ']');
    } else {
        carom_json_null(w->json, "components");
    }
    carom_json_begin(w->json, "columns", '[');
    for (int i = 0; i < c->size; i++) {
        carom_blob_column column = {.type = CAROM_BLOB_F4, .count = g->count, .rows = thinned(g)};
        CAROM_TRY(carom_result_values(run->result, channel, i, &column.values));
        CAROM_TRY(put_column(w, NULL, column));
    }
    carom_json_end(w->json, ']');
    carom_json_end(w->json, '}');
    return CAROM_OK;
}

static carom_status put_channels(const page_writer *w, const carom_report_run *run)
{
    size_t count;
    carom_result_channels(run->result, &count);
    carom_json_begin(w->json, "channels", '[');
    for (size_t k = 0; k < count; k++)
        CAROM_TRY(put_channel(w, run, k));
    carom_json_end(w->json, ']');
    return CAROM_OK;
}

/* ---- tables ---- */

static void put_field(const page_writer *w, const carom_field *field)
{
    carom_json_begin(w->json, NULL, '{');
    carom_json_text(w->json, "name", field->name);
    carom_json_text(w->json, "unit", field->unit);
    carom_json_text(w->json, "head", field->head);
    carom_json_number(w->json, "rank", field->rank);
    carom_json_text(w->json, "description", field->description);
    carom_json_end(w->json, '}');
}

static void put_impact_columns(const page_writer *w)
{
    carom_json_begin(w->json, "impact_columns", '[');
    for (size_t k = 0; k < CAROM_IMPACT_FIELDS; k++)
        put_field(w, &carom_impact_field[k]);
    carom_json_end(w->json, ']');
}

static carom_status put_impacts(const page_writer *w, const carom_report_run *run)
{
    const carom_report_rows *g = &run->groups[CAROM_REPORT_IMPACTS];
    const carom_report_impacts *t = &run->impacts;
    const carom_blob_column integers = {.type = CAROM_BLOB_U4, .count = g->count, .rows = thinned(g)};
    put_impact_columns(w);
    carom_json_begin(w->json, "impacts", '{');
    carom_json_number(w->json, "rows", (double)g->count);
    carom_json_number(w->json, "of", (double)g->of);
    carom_blob_column column = integers;
    column.integers = t->number;
    CAROM_TRY(put_column(w, "number", column));
    carom_json_begin(w->json, "contacts", '[');
    for (size_t k = 0; k < t->name_count; k++)
        carom_json_text(w->json, NULL, t->names[k]);
    carom_json_end(w->json, ']');
    carom_json_begin(w->json, "columns", '[');
    for (size_t k = 0; k < CAROM_IMPACT_FIELDS; k++) {
        column = integers;
        column.type = carom_impact_field[k].type == CAROM_FIELD_NUMBER ? CAROM_BLOB_F8 : CAROM_BLOB_U4;
        column.values = t->values[k];
        column.integers = carom_impact_field[k].type == CAROM_FIELD_TEXT ? t->name : t->index;
        CAROM_TRY(put_column(w, NULL, column));
    }
    carom_json_end(w->json, ']');
    carom_json_end(w->json, '}');
    return CAROM_OK;
}

/* Rests of a page, at most: a list for reading. */
#define MOST_RESTS 1000

static void put_rests(const page_writer *w, const carom_report_run *run)
{
    size_t count;
    const carom_rest *rests = carom_result_rests(run->result, &count);
    carom_json_begin(w->json, "rest_columns", '[');
    for (size_t k = 0; k < CAROM_REST_FIELDS; k++)
        put_field(w, &carom_rest_field[k]);
    carom_json_end(w->json, ']');
    carom_json_number(w->json, "rests_of", (double)count);
    carom_json_begin(w->json, "rests", '[');
    for (size_t k = 0; k < count && k < MOST_RESTS; k++) {
        carom_json_begin(w->json, NULL, '{');
        carom_json_fields(w->json, carom_rest_field, CAROM_REST_FIELDS, &rests[k]);
        carom_json_end(w->json, '}');
    }
    carom_json_end(w->json, ']');
}

static void put_ledger(const page_writer *w, const carom_report_run *run)
{
    carom_ledger ledger;
    carom_json_begin(w->json, "ledger_terms", '[');
    for (size_t k = 0; k < CAROM_LEDGER_FIELDS; k++) {
        carom_json_begin(w->json, NULL, '{');
        carom_json_text(w->json, "name", carom_ledger_field[k].name);
        carom_json_text(w->json, "role", carom_ledger_field[k].role);
        carom_json_text(w->json, "unit", carom_ledger_field[k].unit);
        carom_json_text(w->json, "head", carom_ledger_field[k].head);
        carom_json_text(w->json, "description", carom_ledger_field[k].description);
        carom_json_end(w->json, '}');
    }
    carom_json_end(w->json, ']');
    if (!carom_result_ledger(run->result, &ledger)) {
        carom_json_null(w->json, "ledger");
        return;
    }
    carom_json_begin(w->json, "ledger", '{');
    for (size_t k = 0; k < CAROM_LEDGER_FIELDS; k++)
        carom_json_number(w->json, carom_ledger_field[k].name,
                          carom_field_number(&carom_ledger_field[k], &ledger));
    carom_json_end(w->json, '}');
}

/* ---- scene ---- */

/* Share of the largest number by which numbers of meshes that are alike differ, below the page's 32-bit floats. */
#define ALIKE 1e-9

static bool are_alike(const double *a, const double *b, size_t count, double scale, double size)
{
    for (size_t k = 0; k < count; k++)
        if (!(fabs(b[k] - scale * a[k]) <= ALIKE * size))
            return false;
    return true;
}

/* Whether mesh b is mesh a but for its scale, as of spheres of different radii. */
static bool is_scaled(const carom_mesh *a, const carom_mesh *b, double *scale)
{
    const size_t count = 3 * a->point_count;
    if (a->point_count != b->point_count || a->triangle_count != b->triangle_count || a->line_count != b->line_count)
        return false;
    size_t largest = 0;
    for (size_t k = 0; k < count; k++)
        largest = fabs(a->points[k]) > fabs(a->points[largest]) ? k : largest;
    if (!count || !(fabs(a->points[largest]) > 0))
        return false;
    *scale = b->points[largest] / a->points[largest];
    return *scale > 0 && are_alike(a->points, b->points, count, *scale, fabs(b->points[largest])) &&
           are_alike(a->normals, b->normals, count, 1, 1) &&
           memcmp(a->triangles, b->triangles, 3 * a->triangle_count * sizeof *a->triangles) == 0 &&
           memcmp(a->lines, b->lines, 2 * a->line_count * sizeof *a->lines) == 0;
}

/* Meshes, of those that are alike but for their scale the numbers of the first one. */
static carom_status put_meshes(const page_writer *w, const carom_scene *scene)
{
    carom_json_begin(w->json, "meshes", '[');
    for (size_t k = 0; k < scene->mesh_count; k++) {
        double scale = 1;
        size_t like = 0;
        while (like < k && !is_scaled(&scene->meshes[like], &scene->meshes[k], &scale))
            like++;
        scale = like < k ? scale : 1;
        const carom_mesh *m = &scene->meshes[like];
        carom_blob_column numbers = {.type = CAROM_BLOB_F4, .count = 3 * m->point_count, .shared = true};
        carom_blob_column indices = {.type = CAROM_BLOB_U4, .shared = true};
        carom_json_begin(w->json, NULL, '{');
        numbers.values = m->points;
        CAROM_TRY(put_scaled(w, "points", numbers, scale));
        numbers.values = m->normals;
        CAROM_TRY(put_column(w, "normals", numbers));
        indices.count = 3 * m->triangle_count;
        indices.integers = m->triangles;
        CAROM_TRY(put_column(w, "triangles", indices));
        indices.count = 2 * m->line_count;
        indices.integers = m->lines;
        CAROM_TRY(put_column(w, "lines", indices));
        carom_json_end(w->json, '}');
    }
    carom_json_end(w->json, ']');
    return CAROM_OK;
}

static void put_shapes(const page_writer *w, const carom_scene *scene)
{
    carom_json_begin(w->json, "shapes", '[');
    for (size_t k = 0; k < scene->shape_count; k++) {
        const carom_scene_shape *s = &scene->shapes[k];
        carom_json_begin(w->json, NULL, '{');
        carom_json_text(w->json, "name", s->name);
        carom_json_number(w->json, "body", s->body);
        carom_json_text(w->json, "kind", s->kind);
        carom_json_number(w->json, "mesh", s->mesh);
        put_vector(w, "at", s->at);
        carom_json_numbers(w->json, "axes", &s->axes.m[0][0], 9);
        if (s->hidden)
            carom_json_bool(w->json, "hidden", true);
        if (s->colour >= 0) {
            char colour[16];
            snprintf(colour, sizeof colour, "#%06x", (unsigned)s->colour);
            carom_json_text(w->json, "colour", colour);
        }
        carom_json_end(w->json, '}');
    }
    carom_json_end(w->json, ']');
}

static void put_joints(const page_writer *w, const carom_scene *scene)
{
    carom_json_begin(w->json, "joints", '[');
    for (size_t k = 0; k < scene->joint_count; k++) {
        const carom_scene_joint *j = &scene->joints[k];
        carom_json_begin(w->json, NULL, '{');
        carom_json_text(w->json, "name", j->name);
        carom_json_text(w->json, "type", j->type);
        put_pair(w, "bodies", j->body);
        carom_json_begin(w->json, "at", '[');
        put_vector(w, NULL, j->at[0]);
        put_vector(w, NULL, j->at[1]);
        carom_json_end(w->json, ']');
        if (j->has_axis)
            put_vector(w, "axis", j->axis);
        else
            carom_json_null(w->json, "axis");
        if (j->drawn)
            carom_json_text(w->json, "drawn", j->drawn);
        else
            carom_json_null(w->json, "drawn");
        if (j->curve)
            carom_json_numbers(w->json, "curve", j->curve, 3 * CAROM_SCENE_CURVE);
        carom_json_end(w->json, '}');
    }
    carom_json_end(w->json, ']');
}

static void put_loads(const page_writer *w, const carom_scene *scene)
{
    carom_json_begin(w->json, "loads", '[');
    for (size_t k = 0; k < scene->load_count; k++) {
        const carom_scene_load *l = &scene->loads[k];
        carom_json_begin(w->json, NULL, '{');
        carom_json_text(w->json, "name", l->name);
        carom_json_text(w->json, "type", l->type);
        carom_json_text(w->json, "drawn", l->drawn);
        put_pair(w, "bodies", l->body);
        carom_json_begin(w->json, "at", '[');
        put_vector(w, NULL, l->at[0]);
        put_vector(w, NULL, l->at[1]);
        carom_json_end(w->json, ']');
        put_vector(w, "axis", l->axis);
        carom_json_end(w->json, '}');
    }
    carom_json_end(w->json, ']');
}

static carom_status put_scene(const page_writer *w, const carom_report_run *run)
{
    const carom_scene *scene = run->scene;
    if (!scene) {
        carom_json_null(w->json, "scene");
        carom_json_text(w->json, "scene_reason", run->scene_reason);
        return CAROM_OK;
    }
    carom_json_begin(w->json, "scene", '{');
    carom_json_begin(w->json, "bodies", '[');
    for (size_t k = 0; k < scene->body_count; k++) {
        carom_json_begin(w->json, NULL, '{');
        carom_json_text(w->json, "name", scene->bodies[k].name);
        carom_json_number(w->json, "mass", scene->bodies[k].mass);
        carom_json_end(w->json, '}');
    }
    carom_json_end(w->json, ']');
    CAROM_TRY(put_meshes(w, scene));
    put_shapes(w, scene);
    put_joints(w, scene);
    put_loads(w, scene);
    carom_json_begin(w->json, "contacts", '[');
    for (size_t k = 0; k < scene->contact_count; k++) {
        carom_json_begin(w->json, NULL, '{');
        carom_json_text(w->json, "name", scene->contacts[k].name);
        put_pair(w, "bodies", scene->contacts[k].body);
        put_pair(w, "shapes", scene->contacts[k].shape);
        carom_json_end(w->json, '}');
    }
    carom_json_end(w->json, ']');
    carom_json_end(w->json, '}');
    return CAROM_OK;
}

/* ---- runs ---- */

/* 2 or 3: of the scene, else as many components as the first position has. */
static int dimension_of(const carom_report_run *run)
{
    size_t count;
    const carom_channel *list = carom_result_channels(run->result, &count);
    if (run->scene)
        return run->scene->dimension;
    for (size_t k = 0; k < count; k++)
        if (strcmp(list[k].type, "body") == 0 && (list[k].size == 2 || list[k].size == 3))
            return list[k].size;
    return 2;
}

static void put_facts(const page_writer *w, const carom_report_run *run)
{
    carom_json *json = w->json;
    carom_json_text(json, "label", run->label);
    carom_json_text(json, "file", run->file);
    carom_json_text(json, "model_name", carom_result_model_name(run->result));
    carom_json_text(json, "title", carom_result_title(run->result));
    carom_json_text(json, "status", carom_result_status(run->result));
    carom_json_text(json, "options", carom_result_options(run->result));
    carom_json_text(json, "methods", carom_result_methods(run->result));
    carom_json_text(json, "host", carom_result_host(run->result));
    carom_json_text(json, "version", carom_result_version(run->result));
    carom_json_text(json, "model_text", carom_result_model_text(run->result));
    carom_json_number(json, "dimension", dimension_of(run));
    if (run->scene)
        put_vector(w, "gravity", run->scene->gravity);
    else
        carom_json_null(json, "gravity");
    carom_json_number(json, "length", run->scene ? run->scene->length : (double)NAN);
    size_t count;
    const char *const *warnings = carom_result_warnings(run->result, &count);
    carom_json_begin(json, "warnings", '[');
    for (size_t k = 0; k < count; k++)
        carom_json_text(json, NULL, warnings[k]);
    carom_json_end(json, ']');
}

/* Remedies of the warnings of a run, each once, by their codes, which end the warnings: "... [W07]". */
static void put_remedies(const page_writer *w, const carom_report_run *run)
{
    size_t count;
    const char *const *warnings = carom_result_warnings(run->result, &count);
    char codes[64][8];
    size_t known = 0;
    carom_json_begin(w->json, "remedies", '{');
    for (size_t k = 0; k < count && known < CAROM_COUNT(codes); k++) {
        const char *open = strrchr(warnings[k], '[');
        const size_t length = open ? strcspn(open + 1, "]") : 0;
        if (!open || length >= sizeof codes[0] || strcmp(open + 1 + length, "]") != 0)
            continue;
        snprintf(codes[known], sizeof codes[known], "%.*s", (int)length, open + 1);
        bool again = false;
        for (size_t i = 0; i < known; i++)
            again = again || strcmp(codes[i], codes[known]) == 0;
        const char *remedy = carom_warning_remedy(codes[known]);
        if (again || !remedy)
            continue;
        carom_json_text(w->json, codes[known++], remedy);
    }
    carom_json_end(w->json, '}');
}

static carom_status put_run(const page_writer *w, const carom_report_run *run)
{
    carom_json_begin(w->json, NULL, '{');
    put_facts(w, run);
    put_remedies(w, run);
    CAROM_TRY(put_groups(w, run));
    CAROM_TRY(put_channels(w, run));
    CAROM_TRY(put_impacts(w, run));
    put_rests(w, run);
    put_ledger(w, run);
    CAROM_TRY(put_scene(w, run));
    carom_json_end(w->json, '}');
    return CAROM_OK;
}

/* ---- measured points ---- */

static carom_status put_points(const page_writer *w, const carom_report_points *p)
{
    const struct {
        const char *key;
        const double *values;
    } columns[] = {{"t", p->t}, {"v", p->v}, {"error", p->error}};
    carom_json_begin(w->json, NULL, '{');
    carom_json_text(w->json, "label", p->label);
    carom_json_text(w->json, "unit", p->unit);
    if (p->over)
        carom_json_text(w->json, "over", p->over);
    for (size_t k = 0; k < CAROM_COUNT(columns); k++)
        if (columns[k].values)
            CAROM_TRY(put_column(w, columns[k].key,
                                 (carom_blob_column){
                                     .type = CAROM_BLOB_F8, .count = p->count, .values = columns[k].values}));
    carom_json_end(w->json, '}');
    return CAROM_OK;
}

/* The units that measured data may have, as the page reads them. */
static void put_units(page_writer *w)
{
    size_t count;
    const carom_unit_row *units = carom_explain_units(&count);
    carom_json_begin(w->json, "units", '[');
    for (size_t k = 0; k < count; k++) {
        carom_json_begin(w->json, NULL, '{');
        carom_json_text(w->json, "name", units[k].name);
        carom_json_number(w->json, "value", units[k].value);
        carom_json_begin(w->json, "powers", '[');
        for (int n = 0; n < 4; n++)
            carom_json_integer(w->json, NULL, units[k].powers[n]);
        carom_json_end(w->json, ']');
        carom_json_end(w->json, '}');
    }
    carom_json_end(w->json, ']');
}

carom_status carom_report_describe(const carom_report *report, carom_json *head, carom_json *description,
                                   carom_blob *blob)
{
    page_writer w = {description, blob};
    carom_json_begin(description, NULL, '{');
    carom_json_begin(description, "runs", '[');
    for (size_t k = 0; k < report->count; k++)
        CAROM_TRY(put_run(&w, &report->runs[k]));
    carom_json_end(description, ']');
    put_units(&w);
    if (report->def->point_sets) {
        carom_json_begin(description, "measured", '[');
        for (size_t k = 0; k < report->def->point_sets; k++)
            CAROM_TRY(put_points(&w, &report->def->points[k]));
        carom_json_end(description, ']');
    }
    carom_json_end(description, '}');
    if (description->text.failed)
        return carom_fail_memory(report->ctx);
    w.json = head;
    carom_json_begin(head, NULL, '{');
    carom_json_number(head, "format", FORMAT);
    carom_json_text(head, "version", carom_version());
    carom_json_text(head, "title", report->title);
    if (report->def->one_at_a_time)
        carom_json_bool(head, "one_at_a_time", true);
    carom_json_begin(head, "made", '{');
    carom_json_text(head, "tool", "carom report");
    carom_json_end(head, '}');
    carom_json_begin(head, "runs", '[');
    for (size_t k = 0; k < report->count; k++) {
        carom_json_begin(head, NULL, '{');
        carom_json_text(head, "label", report->runs[k].label);
        carom_json_text(head, "file", report->runs[k].file);
        carom_json_text(head, "status", carom_result_status(report->runs[k].result));
        carom_json_end(head, '}');
    }
    carom_json_end(head, ']');
    CAROM_TRY(put_column(&w, "description",
                         (carom_blob_column){.type = CAROM_BLOB_U1,
                                             .count = description->text.length,
                                             .text = description->text.data}));
    carom_json_end(head, '}');
    return head->text.failed ? carom_fail_memory(report->ctx) : CAROM_OK;
}
