/* Joints of MJCF. Those of one body follow each other; where they make a joint that the model has, they become it. */
#include "import/mjcf.h"

#include <math.h>

#define MOST 6     /* joints of a body */
#define SMALL 1e-6 /* of unit vectors and metres: what counts as parallel, across and the same */

/* ---- one element ---- */

static carom_status read_part(carom_mjcf *m, const carom_mjcf_element *e, carom_mjcf_part *out)
{
    static const char *const types[] = {"hinge", "slide", "ball", "free"};
    const char *text = strcmp(e->xml->name, "freejoint") == 0 ? "free" : carom_mjcf_get(m, e, "type");
    double at[3] = {0}, axis[3] = {0, 0, 1};
    int count;
    size_t type = 0;
    while (text && type < CAROM_COUNT(types) && strcmp(text, types[type]) != 0)
        type++;
    if (type == CAROM_COUNT(types))
        return carom_fail_unknown(m->robot->ctx, &e->xml->place, "<joint>", "type", text, types, type);
    *out = (carom_mjcf_part){.element = e->xml, .type = types[type][0], .joint = -1};
    out->name = carom_xml_get(e->xml, "name");
    CAROM_TRY(carom_mjcf_numbers(m, e, "pos", 3, 3, at, &count));
    CAROM_TRY(carom_mjcf_numbers(m, e, "axis", 3, 3, axis, &count));
    out->at = out->type == 'f' || out->type == 's' ? carom_v3(0, 0, 0) : carom_v3_load(at);
    const double length = carom_v3_norm(carom_v3_load(axis));
    if (!(length > 1e-12) || !isfinite(length))
        return carom_fail(m->robot->ctx, CAROM_ERROR_MODEL, &e->xml->place,
                          "the axis of <joint> has the length %g; give a direction such as 0 0 1", length);
    out->axis = carom_v3_scale(1 / length, carom_v3_load(axis));
    CAROM_TRY(carom_mjcf_number(m, e, "ref", &out->reference));
    if (out->type == 'h')
        out->reference = carom_mjcf_angle(m, out->reference);
    out->q = m->q_count;
    out->v = m->v_count;
    m->q_count += out->type == 'f' ? 7 : out->type == 'b' ? 4 : 1;
    m->v_count += out->type == 'f' ? 6 : out->type == 'b' ? 3 : 1;
    return CAROM_OK;
}

static carom_status not_negative(carom_mjcf *m, const carom_mjcf_element *e, const char *name, double *out)
{
    CAROM_TRY(carom_mjcf_number(m, e, name, out));
    return *out >= 0 ? CAROM_OK
                     : carom_fail(m->robot->ctx, CAROM_ERROR_MODEL, &e->xml->place,
                                  "'%s' of <joint> is %g; it must be at least 0", name, *out);
}

static carom_status read_range(carom_mjcf *m, const carom_mjcf_element *e, const carom_mjcf_part *part,
                               carom_robot_joint *out)
{
    double range[2];
    int count;
    const char *limited = carom_mjcf_get(m, e, "limited");
    CAROM_TRY(carom_mjcf_numbers(m, e, "range", 2, 2, range, &count));
    const bool yes = limited && strcmp(limited, "true") == 0, no = limited && strcmp(limited, "false") == 0;
    if (!count || no || (!yes && !m->autolimits))
        return CAROM_OK;
    out->lower = part->type == 'h' ? carom_mjcf_angle(m, range[0]) : range[0];
    out->upper = part->type == 'h' ? carom_mjcf_angle(m, range[1]) : range[1];
    out->has_limits = true;
    return out->lower < out->upper
               ? CAROM_OK
               : carom_fail(m->robot->ctx, CAROM_ERROR_MODEL, &e->xml->place,
                            "'range' of <joint> goes from %g to %g; the first must be below the second", range[0],
                            range[1]);
}

/* What acts along the coordinate of a hinge or slide. */
static carom_status read_coordinate(carom_mjcf *m, const carom_mjcf_element *e, const carom_mjcf_part *part,
                                    carom_robot_joint *out)
{
    CAROM_TRY(read_range(m, e, part, out));
    CAROM_TRY(not_negative(m, e, "stiffness", &out->stiffness));
    CAROM_TRY(not_negative(m, e, "damping", &out->damping));
    CAROM_TRY(not_negative(m, e, "frictionloss", &out->friction));
    CAROM_TRY(not_negative(m, e, "armature", &out->armature));
    CAROM_TRY(carom_mjcf_number(m, e, "springref", &out->rest));
    if (part->type == 'h')
        out->rest = carom_mjcf_angle(m, out->rest);
    return CAROM_OK;
}

/* ---- several of one body ---- */

static bool are_parallel(carom_vec3 a, carom_vec3 b) { return carom_v3_norm(carom_v3_cross(a, b)) < SMALL; }

static bool are_across(carom_vec3 a, carom_vec3 b) { return fabs(carom_v3_dot(a, b)) < SMALL; }

/* The joint that hinges and slides in this order are together; NULL: none. */
static const char *type_together(const carom_mjcf_part *parts, int count, carom_robot_joint *out)
{
    const carom_mjcf_part *hinges[MOST], *slides[MOST];
    int h = 0, s = 0, balls = 0;
    for (int k = 0; k < count; k++) {
        if (parts[k].type == 'h')
            hinges[h++] = &parts[k];
        else if (parts[k].type == 's')
            slides[s++] = &parts[k];
        else
            balls++;
    }
    for (int k = 1; k < h; k++)
        if (carom_v3_norm(carom_v3_sub(hinges[k]->at, hinges[0]->at)) > SMALL)
            return NULL;
    const bool turns_all =
        (balls == 1 && h == 0) ||
        (h == 3 && balls == 0 &&
         fabs(carom_v3_dot(hinges[0]->axis, carom_v3_cross(hinges[1]->axis, hinges[2]->axis))) > SMALL);
    const bool moves_all =
        s == 3 && fabs(carom_v3_dot(slides[0]->axis, carom_v3_cross(slides[1]->axis, slides[2]->axis))) > SMALL;
    if (turns_all && (moves_all || s == 0))
        return moves_all ? "free" : "spherical";
    if (balls || h == 0)
        return NULL;
    out->axis = hinges[0]->axis;
    if (h == 2 && s == 0 && are_across(hinges[0]->axis, hinges[1]->axis)) {
        out->axis2 = hinges[1]->axis;
        return "universal";
    }
    if (h == 1 && s == 1 && are_parallel(hinges[0]->axis, slides[0]->axis))
        return "cylindrical";
    if (h == 1 && s == 2 && are_across(hinges[0]->axis, slides[0]->axis) &&
        are_across(hinges[0]->axis, slides[1]->axis) && !are_parallel(slides[0]->axis, slides[1]->axis))
        return "planar";
    return NULL;
}

static carom_status join(carom_mjcf *m, const carom_mjcf_part *parts, int count, const char *body,
                         carom_robot_joint *out)
{
    out->type = type_together(parts, count, out);
    out->place = parts[0].element->place;
    for (int k = 0; k < count; k++) {
        if (parts[k].type == 'f')
            return carom_fail(m->robot->ctx, CAROM_ERROR_MODEL, &parts[k].element->place,
                              "body '%.63s' is free and has another joint; remove one of both", body);
        if (parts[k].reference != 0)
            return carom_fail(m->robot->ctx, CAROM_ERROR_MODEL, &parts[k].element->place,
                              "body '%.63s': 'ref' of one of several joints; set it to 0", body);
        if (parts[k].type == 'h' || parts[k].type == 'b')
            out->before.p = parts[k].at;
    }
    if (!out->type)
        return carom_fail(
            m->robot->ctx, CAROM_ERROR_MODEL, &out->place,
            "body '%.63s' has %d joints that are together no joint of the model: two hinges across each "
            "other, three hinges through a point, a slide along a hinge, or two slides across a hinge are; "
            "put a body with an inertia between the others",
            body, count);
    return CAROM_OK;
}

/* What acts along a coordinate that the joint does not have. */
static carom_status drop_parts(carom_mjcf *m, const carom_mjcf_element *elements, int count, const char *body)
{
    static const char *const names[] = {"range",        "limited",  "stiffness", "springref",
                                        "springdamper", "armature", "damping",   "frictionloss"};
    for (int k = 0; k < count; k++)
        for (size_t n = 0; n < CAROM_COUNT(names); n++) {
            const char *text = carom_mjcf_get(m, &elements[k], names[n]);
            if (text && text[strspn(text, "0. ")] && strcmp(text, "false") != 0 && strcmp(text, "auto") != 0)
                CAROM_TRY(carom_import_ignore(m->robot, &elements[k].xml->place,
                                              "'%s' of <joint> is ignored: the joints of body '%.63s' are one joint "
                                              "without a coordinate",
                                              names[n], body));
        }
    return CAROM_OK;
}

/* ---- entry ---- */

/* The one or several <joint> elements; *count 0: none. */
static carom_status read_parts(carom_mjcf *m, carom_xml *body, int class, carom_mjcf_element *elements,
                               carom_mjcf_part *parts, int *count)
{
    *count = 0;
    for (carom_xml *j = body->first; j; j = j->next) {
        if (strcmp(j->name, "joint") != 0 && strcmp(j->name, "freejoint") != 0)
            continue;
        j->used = true;
        if (*count == MOST)
            return carom_fail(m->robot->ctx, CAROM_ERROR_MODEL, &j->place, "a body has at most %d joints", MOST);
        CAROM_TRY(carom_mjcf_with_class(m, j, class, &elements[*count]));
        CAROM_TRY(read_part(m, &elements[*count], &parts[*count]));
        ++*count;
    }
    return CAROM_OK;
}

static carom_status keep_parts(carom_mjcf *m, carom_mjcf_part *parts, int count, int joint)
{
    CAROM_TRY(carom_grow(m->robot->ctx, &m->parts, &m->part_capacity, m->part_count + (size_t)count, sizeof *m->parts));
    for (int k = 0; k < count; k++) {
        parts[k].joint = joint;
        parts[k].alone = count == 1;
        if (parts[k].name && *parts[k].name && !carom_names_add(&m->part_names, parts[k].name, (int)m->part_count))
            return carom_fail(m->robot->ctx, CAROM_ERROR_MODEL, &parts[k].element->place,
                              "joint '%.63s' is there already, in line %d; rename one", parts[k].name,
                              m->parts[carom_names_find(&m->part_names, parts[k].name)].element->place.line);
        m->parts[m->part_count++] = parts[k];
    }
    return CAROM_OK;
}

/* One element: the coordinate is that of MJCF, zero included. */
static carom_status set_single(carom_mjcf *m, const carom_mjcf_element *e, const carom_mjcf_part *part,
                               carom_robot_joint *out)
{
    const bool turns = part->type == 'h', slides = part->type == 's';
    out->type = turns ? "revolute" : slides ? "translational" : part->type == 'b' ? "spherical" : "free";
    out->before.p = part->at;
    out->axis = part->axis;
    out->place = part->element->place;
    if (!turns && !slides)
        return CAROM_OK;
    out->reference = out->start = part->reference;
    if (turns)
        out->behind.r = carom_rotation_about(part->axis, -part->reference);
    else
        out->behind.p = carom_v3_scale(-part->reference, part->axis);
    return read_coordinate(m, e, part, out);
}

carom_status carom_mjcf_read_joints(carom_mjcf *m, carom_xml *body, int class, int parent, int link,
                                    const carom_placement *at)
{
    carom_mjcf_element elements[MOST];
    carom_mjcf_part parts[MOST];
    int count;
    const char *name = m->robot->links[link].name + (m->robot->def->prefix ? strlen(m->robot->def->prefix) : 0);
    carom_robot_joint joint = {.type = "fixed",
                               .place = body->place,
                               .parent = parent,
                               .child = link,
                               .mimics = -1,
                               .ratio = 1,
                               .before = carom_placement_none(),
                               .behind = carom_placement_none()};
    CAROM_TRY(read_parts(m, body, class, elements, parts, &count));
    if (count == 1)
        CAROM_TRY(set_single(m, &elements[0], &parts[0], &joint));
    else if (count)
        CAROM_TRY(join(m, parts, count, name, &joint));
    if (count > 1 || (count && (parts[0].type == 'b' || parts[0].type == 'f')))
        CAROM_TRY(drop_parts(m, elements, count, name));
    if (strcmp(joint.type, "free") == 0 && parent >= 0)
        return carom_fail(m->robot->ctx, CAROM_ERROR_MODEL, &joint.place,
                          "body '%.63s' is free and stands within another one; put it into <worldbody>", name);
    joint.name = count == 1 && parts[0].name && *parts[0].name ? parts[0].name
                                                               : carom_arena_format(m->robot->arena, "%s_joint", name);
    if (!joint.name)
        return carom_fail_memory(m->robot->ctx);
    /* before.p is the anchor, from which the child's origin lies back */
    const carom_placement anchor = joint.before, back = carom_placement_inverse(&anchor);
    joint.before = carom_placement_chain(at, &anchor);
    joint.behind = carom_placement_chain(&joint.behind, &back);
    if (strcmp(joint.type, "free") == 0 && m->robot->def->base == CAROM_IMPORT_BASE_FIXED)
        joint.type = "fixed";
    CAROM_TRY(keep_parts(m, parts, count, (int)m->robot->joint_count));
    return carom_robot_add_joint(m->robot, &joint);
}
