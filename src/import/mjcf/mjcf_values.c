/* Attributes of MJCF: classes of defaults, angles, orientations. */
#include "import/mjcf/mjcf.h"

#include <math.h>
#include <stdio.h>

/* ---- classes ---- */

carom_status carom_mjcf_read_classes(carom_mjcf *m, carom_xml *element, int outer)
{
    const char *name = carom_xml_get(element, "class");
    element->used = true;
    if (!name && outer >= 0)
        return carom_fail(m->robot->ctx, CAROM_ERROR_MODEL, &element->place,
                          "<default> within another one needs 'class', its name");
    CAROM_TRY(carom_grow(m->robot->ctx, &m->classes, &m->class_capacity, m->class_count + 1, sizeof *m->classes));
    const int own = (int)m->class_count;
    m->classes[m->class_count++] = (carom_mjcf_class){name ? name : "main", outer, element};
    for (carom_xml *e = carom_xml_child(element, "default"); e; e = carom_xml_next(e, "default"))
        CAROM_TRY(carom_mjcf_read_classes(m, e, own));
    return CAROM_OK;
}

carom_status carom_mjcf_find_class(carom_mjcf *m, carom_xml *xml, const char *name, int *out)
{
    for (size_t k = 0; k < m->class_count; k++)
        if (strcmp(m->classes[k].name, name) == 0) {
            *out = (int)k;
            return CAROM_OK;
        }
    const char **names = carom_arena_alloc(m->robot->arena, m->class_count + 1, sizeof *names);
    if (!names)
        return carom_fail_memory(m->robot->ctx);
    for (size_t k = 0; k < m->class_count; k++)
        names[k] = m->classes[k].name;
    return carom_fail_unknown(m->robot->ctx, &xml->place, "class", "<default class=...>", name, names, m->class_count);
}

carom_status carom_mjcf_with_class(carom_mjcf *m, carom_xml *xml, int inherited, carom_mjcf_element *out)
{
    const char *name = carom_xml_get(xml, "class");
    *out = (carom_mjcf_element){xml, inherited >= 0 ? inherited : m->class_count ? 0 : -1};
    return name ? carom_mjcf_find_class(m, xml, name, &out->class) : CAROM_OK;
}

/* ---- attributes ---- */

static bool is_actuator(const char *name)
{
    static const char *const names[] = {"general", "motor",  "position", "velocity", "intvelocity",
                                        "damper",  "muscle", "cylinder", "adhesion"};
    for (size_t k = 0; k < CAROM_COUNT(names); k++)
        if (strcmp(name, names[k]) == 0)
            return true;
    return false;
}

/* Whether an element of <default> speaks of an attribute of this one: those of tendons are called `tendon`, and what
   all actuators have is said with any of them. */
static bool speaks_of(const carom_xml *defaults, const carom_xml *xml, const char *attribute)
{
    static const char *const shared[] = {"gear",       "ctrlrange",    "ctrllimited",
                                         "forcerange", "forcelimited", "cranklength"};
    if (strcmp(defaults->name, xml->name) == 0)
        return true;
    if (strcmp(defaults->name, "tendon") == 0)
        return strcmp(xml->name, "fixed") == 0 || strcmp(xml->name, "spatial") == 0;
    if (!is_actuator(defaults->name) || !is_actuator(xml->name))
        return false;
    for (size_t k = 0; k < CAROM_COUNT(shared); k++)
        if (strcmp(attribute, shared[k]) == 0)
            return true;
    return false;
}

const char *carom_mjcf_get(const carom_mjcf *m, const carom_mjcf_element *e, const char *name)
{
    const char *value = carom_xml_get(e->xml, name);
    for (int k = e->class; !value && k >= 0; k = m->classes[k].outer)
        for (carom_xml *d = m->classes[k].element->first; d; d = d->next) {
            const bool speaks = speaks_of(d, e->xml, name);
            const char *text = speaks ? carom_xml_get(d, name) : NULL;
            d->used = d->used || speaks;
            value = text ? text : value;
        }
    return value;
}

carom_status carom_mjcf_numbers(carom_mjcf *m, const carom_mjcf_element *e, const char *name, int least, int most,
                                double *out, int *count)
{
    const char *text = carom_mjcf_get(m, e, name);
    *count = 0;
    return text ? carom_import_list(m->robot, e->xml, name, text, least, most, out, count) : CAROM_OK;
}

carom_status carom_mjcf_number(carom_mjcf *m, const carom_mjcf_element *e, const char *name, double *out)
{
    int count;
    return carom_mjcf_numbers(m, e, name, 1, 1, out, &count);
}

double carom_mjcf_angle(const carom_mjcf *m, double value) { return m->degrees ? value * (CAROM_PI / 180) : value; }

/* ---- orientations ---- */

static carom_status fail_turn(carom_mjcf *m, const carom_mjcf_element *e, const char *name)
{
    return carom_fail(m->robot->ctx, CAROM_ERROR_MODEL, &e->xml->place,
                      "'%s' of <%s> gives no direction: its length is zero, or its axes are parallel", name,
                      e->xml->name);
}

/* Angles about x, y, z as `eulerseq` says: small letters about the newest axes, capitals about the parent's. */
static carom_mat3 turn_by_euler(const carom_mjcf *m, const double *angles)
{
    carom_mat3 r = carom_m3_identity();
    for (int k = 0; k < 3; k++) {
        const char c = m->euler[k];
        const bool moving = c >= 'x';
        const int axis = moving ? c - 'x' : c - 'X';
        const carom_mat3 step =
            carom_rotation_about(carom_v3(axis == 0, axis == 1, axis == 2), carom_mjcf_angle(m, angles[k]));
        r = moving ? carom_m3_multiply(&r, &step) : carom_m3_multiply(&step, &r);
    }
    return r;
}

/* The least turn that brings z along a direction. */
static carom_mat3 turn_z_along(carom_vec3 direction)
{
    const carom_vec3 h = carom_unit(direction), axis = carom_v3(-h.y, h.x, 0);
    const double sine = carom_v3_norm(axis);
    if (sine > 1e-12)
        return carom_rotation_about(carom_v3_scale(1 / sine, axis), atan2(sine, h.z));
    return h.z > 0 ? carom_m3_identity() : carom_rotation_about(carom_v3(1, 0, 0), CAROM_PI);
}

static carom_status turn_by_axes(carom_mjcf *m, const carom_mjcf_element *e, const double *n, carom_mat3 *out)
{
    const carom_vec3 x = carom_v3_load(n), y = carom_v3_load(n + 3), z = carom_v3_cross(x, y);
    if (!(carom_v3_norm(z) > 1e-9 * carom_v3_norm(x) * carom_v3_norm(y)))
        return fail_turn(m, e, "xyaxes");
    const carom_vec3 f = carom_unit(x), h = carom_unit(z);
    *out = carom_m3_columns(f, carom_v3_cross(h, f), h);
    return CAROM_OK;
}

static carom_status read_turn(carom_mjcf *m, const carom_mjcf_element *e, carom_mat3 *out)
{
    double n[6];
    int count;
    CAROM_TRY(carom_mjcf_numbers(m, e, "quat", 4, 4, n, &count));
    if (count) {
        if (!(n[0] * n[0] + n[1] * n[1] + n[2] * n[2] + n[3] * n[3] > 1e-20))
            return fail_turn(m, e, "quat");
        *out = carom_quat_matrix((carom_quat){n[0], n[1], n[2], n[3]});
    }
    CAROM_TRY(carom_mjcf_numbers(m, e, "axisangle", 4, 4, n, &count));
    if (count) {
        if (!(carom_v3_norm(carom_v3_load(n)) > 1e-12))
            return fail_turn(m, e, "axisangle");
        *out = carom_rotation_about(carom_unit(carom_v3_load(n)), carom_mjcf_angle(m, n[3]));
    }
    CAROM_TRY(carom_mjcf_numbers(m, e, "euler", 3, 3, n, &count));
    if (count)
        *out = turn_by_euler(m, n);
    CAROM_TRY(carom_mjcf_numbers(m, e, "xyaxes", 6, 6, n, &count));
    if (count)
        CAROM_TRY(turn_by_axes(m, e, n, out));
    CAROM_TRY(carom_mjcf_numbers(m, e, "zaxis", 3, 3, n, &count));
    if (count && !(carom_v3_norm(carom_v3_load(n)) > 1e-12))
        return fail_turn(m, e, "zaxis");
    if (count)
        *out = turn_z_along(carom_v3_load(n));
    return CAROM_OK;
}

/* The ends of a shape along its z-axis, which goes from the second to the first. */
static carom_status read_ends(carom_mjcf *m, const carom_mjcf_element *e, carom_placement *out, bool *done)
{
    double n[6];
    int count = 0;
    if (strcmp(e->xml->name, "geom") == 0 || strcmp(e->xml->name, "site") == 0)
        CAROM_TRY(carom_mjcf_numbers(m, e, "fromto", 6, 6, n, &count));
    *done = count > 0;
    if (!count)
        return CAROM_OK;
    const carom_vec3 a = carom_v3_load(n), b = carom_v3_load(n + 3), along = carom_v3_sub(a, b);
    if (!(carom_v3_norm(along) > 1e-12))
        return fail_turn(m, e, "fromto");
    out->p = carom_v3_scale(0.5, carom_v3_add(a, b));
    out->r = turn_z_along(along);
    return CAROM_OK;
}

carom_status carom_mjcf_placement(carom_mjcf *m, const carom_mjcf_element *e, carom_placement *out)
{
    double p[3] = {0};
    int count;
    bool done;
    *out = carom_placement_none();
    CAROM_TRY(read_ends(m, e, out, &done));
    if (done)
        return CAROM_OK;
    CAROM_TRY(carom_mjcf_numbers(m, e, "pos", 3, 3, p, &count));
    out->p = carom_v3_load(p);
    return read_turn(m, e, &out->r);
}

carom_status carom_mjcf_frame(carom_mjcf *m, carom_xml *frame, const carom_placement *in, int *class,
                              carom_placement *out)
{
    const carom_mjcf_element element = {frame, -1};
    carom_placement at;
    const char *childclass = carom_xml_get(frame, "childclass");
    frame->used = true;
    carom_xml_get(frame, "name");
    CAROM_TRY(carom_mjcf_placement(m, &element, &at));
    *out = carom_placement_chain(in, &at);
    return childclass ? carom_mjcf_find_class(m, frame, childclass, class) : CAROM_OK;
}

/* ---- names ---- */

static carom_status find_part(carom_mjcf *m, carom_xml *e, const char *name, const carom_mjcf_part **out)
{
    const int index = carom_names_find(&m->part_names, name);
    if (index >= 0) {
        *out = &m->parts[index];
        return CAROM_OK;
    }
    const char **names = carom_arena_alloc(m->robot->arena, m->part_count + 1, sizeof *names);
    size_t count = 0;
    for (size_t k = 0; names && k < m->part_count; k++)
        if (m->parts[k].name)
            names[count++] = m->parts[k].name;
    char owner[80];
    snprintf(owner, sizeof owner, "<%.60s>", e->name);
    return names ? carom_fail_unknown(m->robot->ctx, &e->place, owner, "joint", name, names, count)
                 : carom_fail_memory(m->robot->ctx);
}

carom_status carom_mjcf_find_coordinate(carom_mjcf *m, carom_xml *e, const char *name, const carom_mjcf_part **out)
{
    CAROM_TRY(find_part(m, e, name, out));
    if ((*out)->alone && ((*out)->type == 'h' || (*out)->type == 's'))
        return CAROM_OK;
    *out = NULL;
    return carom_import_ignore(m->robot, &e->place,
                               "<%.60s> is ignored: joint '%.63s' has no coordinate of its own in the "
                               "model",
                               e->name, name);
}

carom_status carom_mjcf_own_name(carom_mjcf *m, carom_xml *e, const char *what, size_t number, const char **out)
{
    *out = carom_xml_get(e, "name");
    if (*out && **out)
        return CAROM_OK;
    *out = carom_arena_format(m->robot->arena, "%s_%zu", what, number + 1);
    return *out ? CAROM_OK : carom_fail_memory(m->robot->ctx);
}
