/* Joints of MJCF. Those of one body follow each other; where they make a joint that the model has, they become it. */
#include "import/mjcf/mjcf.h"

#include <math.h>

#define MOST 6     /* joints of a body */
#define SHARE 1e-6 /* of the inertia of a body that a link between two of its joints has */
#define SMALL 1e-6 /* of unit vectors and metres: what counts as parallel, across and the same */

/* ---- one element ---- */

static carom_status read_part(carom_mjcf *m, const carom_mjcf_element *e, const carom_placement *in,
                              carom_mjcf_part *out)
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
    if (out->type == 'h' || out->type == 'b')
        out->at = carom_v3_add(in->p, carom_m3_apply(&in->r, carom_v3_load(at)));
    const double length = carom_v3_norm(carom_v3_load(axis));
    if (!(length > 1e-12) || !isfinite(length))
        return carom_fail(m->robot->ctx, CAROM_ERROR_MODEL, &e->xml->place,
                          "the axis of <joint> has the length %g; give a direction such as 0 0 1", length);
    out->axis = carom_m3_apply(&in->r, carom_v3_scale(1 / length, carom_v3_load(axis)));
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

/* Whether something acts along the coordinate of one of several joints, or speaks of it elsewhere. */
static bool is_of_use(const carom_mjcf *m, const carom_mjcf_element *e, const carom_mjcf_part *part)
{
    static const char *const names[] = {"range", "stiffness", "springref", "armature", "damping", "frictionloss"};
    const char *limited = carom_mjcf_get(m, e, "limited");
    const bool free = limited ? strcmp(limited, "false") == 0 : !m->autolimits;
    const bool moves = part->type != 'b' && part->v < m->rate_count && m->rates[part->v] != 0;
    bool use = moves || part->reference != 0 || (part->name && carom_names_find(&m->driven, part->name) >= 0);
    for (size_t n = 0; n < CAROM_COUNT(names); n++) {
        const char *text = carom_mjcf_get(m, e, names[n]);
        use = use || (text && text[strspn(text, "0. ")] && !(n == 0 && free));
    }
    return use;
}

/* Makes one joint of all; false: they keep their own coordinates, with links between them. */
static bool join(const carom_mjcf *m, const carom_mjcf_element *elements, const carom_mjcf_part *parts, int count,
                 carom_robot_joint *out)
{
    bool of_use = false;
    for (int k = 0; k < count; k++)
        of_use = of_use || parts[k].type == 'f' || is_of_use(m, &elements[k], &parts[k]);
    const char *type = of_use ? NULL : type_together(parts, count, out);
    if (!type)
        return false;
    out->type = type;
    out->place = parts[0].element->place;
    for (int k = 0; k < count; k++)
        if (parts[k].type == 'h' || parts[k].type == 'b')
            out->before.p = parts[k].at;
    return true;
}

/* What acts along the three coordinates of a ball. */
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

/* The one or several <joint> elements, those in a <frame> too; *count 0: none. */
static carom_status read_parts(carom_mjcf *m, carom_xml *body, int class, const carom_placement *in,
                               carom_mjcf_element *elements, carom_mjcf_part *parts, int *count)
{
    for (carom_xml *j = body->first; j; j = j->next) {
        if (strcmp(j->name, "frame") == 0) {
            carom_placement inner;
            int own = class;
            CAROM_TRY(carom_mjcf_frame(m, j, in, &own, &inner));
            CAROM_TRY(read_parts(m, j, own, &inner, elements, parts, count));
        }
        if (strcmp(j->name, "joint") != 0 && strcmp(j->name, "freejoint") != 0)
            continue;
        j->used = true;
        if (*count == MOST)
            return carom_fail(m->robot->ctx, CAROM_ERROR_MODEL, &j->place, "a body has at most %d joints", MOST);
        CAROM_TRY(carom_mjcf_with_class(m, j, class, &elements[*count]));
        CAROM_TRY(read_part(m, &elements[*count], in, &parts[*count]));
        ++*count;
    }
    return CAROM_OK;
}

static carom_status keep_part(carom_mjcf *m, carom_mjcf_part *part, bool alone)
{
    CAROM_TRY(carom_grow(m->robot->ctx, &m->parts, &m->part_capacity, m->part_count + 1, sizeof *m->parts));
    part->joint = (int)m->robot->joint_count;
    part->alone = alone;
    if (part->name && *part->name && !carom_names_add(&m->part_names, part->name, (int)m->part_count))
        return carom_fail(m->robot->ctx, CAROM_ERROR_MODEL, &part->element->place,
                          "joint '%.63s' is there already, in line %d; rename one", part->name,
                          m->parts[carom_names_find(&m->part_names, part->name)].element->place.line);
    m->parts[m->part_count++] = *part;
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

/* Adds a joint at `at`, behind which the child has its axes back. */
static carom_status add_joint(carom_mjcf *m, const char *name, const carom_placement *at, carom_robot_joint *joint)
{
    joint->name = name;
    if (!name)
        return carom_fail_memory(m->robot->ctx);
    /* before.p is the anchor, from which the child's origin lies back */
    const carom_placement anchor = joint->before, back = carom_placement_inverse(&anchor);
    joint->before = carom_placement_chain(at, &anchor);
    joint->behind = carom_placement_chain(&joint->behind, &back);
    return carom_robot_add_joint(m->robot, joint);
}

/* The link that stands between two joints of a body. */
static carom_status add_between(carom_mjcf *m, int body, int number, int *out)
{
    const carom_robot_link *own = &m->robot->links[body];
    const char *name = own->name + (m->robot->def->prefix ? strlen(m->robot->def->prefix) : 0);
    carom_robot_link link = {.place = own->place, .inertia_place = own->inertia_place, .inertia_given = true};
    link.name = carom_arena_format(m->robot->arena, "%s_between_%d", name, number);
    CAROM_TRY(carom_grow(m->robot->ctx, &m->betweens, &m->between_capacity, m->between_count + 1, sizeof *m->betweens));
    *out = (int)m->robot->link_count;
    m->betweens[m->between_count++] = (carom_mjcf_between){*out, body};
    return link.name ? carom_robot_add_link(m->robot, &link) : carom_fail_memory(m->robot->ctx);
}

/* Joints with coordinates of their own, one behind the other. */
static carom_status add_chain(carom_mjcf *m, const carom_mjcf_element *elements, carom_mjcf_part *parts, int count,
                              const char *body, const carom_robot_joint *like, const carom_placement *at)
{
    const carom_placement none = carom_placement_none();
    int parent = like->parent;
    for (int k = 0; k < count; k++) {
        carom_robot_joint joint = *like;
        joint.parent = parent;
        if (parts[k].type == 'f')
            return carom_fail(m->robot->ctx, CAROM_ERROR_MODEL, &parts[k].element->place,
                              "body '%.63s' is free and has another joint; remove one of both", body);
        CAROM_TRY(set_single(m, &elements[k], &parts[k], &joint));
        if (parts[k].type == 'b')
            CAROM_TRY(drop_parts(m, &elements[k], 1, body));
        CAROM_TRY(keep_part(m, &parts[k], true));
        if (k + 1 < count)
            CAROM_TRY(add_between(m, like->child, k + 1, &joint.child));
        const char *name = parts[k].name && *parts[k].name
                               ? parts[k].name
                               : carom_arena_format(m->robot->arena, "%s_joint_%d", body, k + 1);
        CAROM_TRY(add_joint(m, name, k ? &none : at, &joint));
        parent = joint.child;
    }
    return CAROM_OK;
}

carom_status carom_mjcf_read_joints(carom_mjcf *m, carom_xml *body, int class, int parent, int link,
                                    const carom_placement *at)
{
    carom_mjcf_element elements[MOST];
    carom_mjcf_part parts[MOST];
    int count = 0;
    const char *name = m->robot->links[link].name + (m->robot->def->prefix ? strlen(m->robot->def->prefix) : 0);
    const carom_placement none = carom_placement_none();
    carom_robot_joint joint = {.type = "fixed",
                               .place = body->place,
                               .parent = parent,
                               .child = link,
                               .mimics = -1,
                               .ratio = 1,
                               .before = none,
                               .behind = none};
    CAROM_TRY(read_parts(m, body, class, &none, elements, parts, &count));
    if (count > 1 && !join(m, elements, parts, count, &joint))
        return add_chain(m, elements, parts, count, name, &joint, at);
    if (count == 1)
        CAROM_TRY(set_single(m, &elements[0], &parts[0], &joint));
    if (count > 1 || (count && (parts[0].type == 'b' || parts[0].type == 'f')))
        CAROM_TRY(drop_parts(m, elements, count, name));
    if (strcmp(joint.type, "free") == 0 && parent >= 0)
        return carom_fail(m->robot->ctx, CAROM_ERROR_MODEL, &joint.place,
                          "body '%.63s' is free and stands within another one; put it into <worldbody>", name);
    if (strcmp(joint.type, "free") == 0 && m->robot->def->base == CAROM_IMPORT_BASE_FIXED)
        joint.type = "fixed";
    for (int k = 0; k < count; k++)
        CAROM_TRY(keep_part(m, &parts[k], count == 1));
    return add_joint(m,
                     count == 1 && parts[0].name && *parts[0].name
                         ? parts[0].name
                         : carom_arena_format(m->robot->arena, "%s_joint", name),
                     at, &joint);
}

void carom_mjcf_share_inertia(carom_mjcf *m)
{
    for (size_t k = 0; k < m->between_count; k++) {
        const carom_robot_link *body = &m->robot->links[m->betweens[k].body];
        carom_robot_link *link = &m->robot->links[m->betweens[k].link];
        if (!body->has_inertia)
            continue;
        link->has_inertia = true;
        link->com = body->com;
        link->mass = SHARE * body->mass;
        for (int n = 0; n < 6; n++)
            link->inertia[n] = SHARE * body->inertia[n];
    }
    for (size_t k = 0; k < m->between_count; k++) {
        carom_robot_link *body = &m->robot->links[m->betweens[k].body];
        const carom_robot_link *link = &m->robot->links[m->betweens[k].link];
        body->mass -= link->mass;
        for (int n = 0; n < 6; n++)
            body->inertia[n] -= link->inertia[n];
    }
}

static carom_status note_driven(carom_mjcf *m, const carom_xml *e)
{
    static const char *const names[] = {"joint", "joint1", "joint2", "jointinparent"};
    for (const carom_xml_attribute *a = e->attributes; a; a = a->next)
        for (size_t k = 0; k < CAROM_COUNT(names); k++)
            if (strcmp(a->name, names[k]) == 0)
                carom_names_add(&m->driven, a->value, 0);
    for (const carom_xml *c = e->first; c; c = c->next)
        CAROM_TRY(note_driven(m, c));
    return CAROM_OK;
}

carom_status carom_mjcf_note_driven(carom_mjcf *m)
{
    static const char *const sections[] = {"actuator", "tendon", "equality"};
    CAROM_TRY(carom_names_create(m->robot->arena, 4 * m->robot->elements, &m->driven));
    for (const carom_xml *e = m->root->first; e; e = e->next)
        for (size_t k = 0; k < CAROM_COUNT(sections); k++)
            if (strcmp(e->name, sections[k]) == 0)
                CAROM_TRY(note_driven(m, e));
    return CAROM_OK;
}
