/* What stands behind the bodies of MJCF: equalities, actuators, keyframes. */
#include "import/mjcf.h"

#include <math.h>
#include <stdio.h>

/* ---- names ---- */

static carom_status find_body(carom_mjcf *m, carom_xml *e, const char *name, int *out)
{
    *out = CAROM_GROUND;
    if (!name || strcmp(name, "world") == 0)
        return CAROM_OK;
    const char *full = carom_robot_name(m->robot, "link_", name);
    if (!full)
        return carom_fail_memory(m->robot->ctx);
    *out = carom_names_find(&m->robot->link_names, full);
    if (*out >= 0)
        return CAROM_OK;
    const char **names = carom_arena_alloc(m->robot->arena, m->robot->link_count + 1, sizeof *names);
    for (size_t k = 0; names && k < m->robot->link_count; k++)
        names[k] = m->robot->links[k].name;
    char owner[80];
    snprintf(owner, sizeof owner, "<%.60s>", e->name);
    return names ? carom_fail_unknown(m->robot->ctx, &e->place, owner, "body", full, names, m->robot->link_count)
                 : carom_fail_memory(m->robot->ctx);
}

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

/* A hinge or slide that is a joint of its own; others are noted and *out is NULL. */
static carom_status find_coordinate(carom_mjcf *m, carom_xml *e, const char *name, const carom_mjcf_part **out)
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

static carom_status own_name(carom_mjcf *m, carom_xml *e, const char *what, size_t number, const char **out)
{
    *out = carom_xml_get(e, "name");
    if (*out && **out)
        return CAROM_OK;
    *out = carom_arena_format(m->robot->arena, "%s_%zu", what, number + 1);
    return *out ? CAROM_OK : carom_fail_memory(m->robot->ctx);
}

/* ---- equalities ---- */

static carom_status read_coupling(carom_mjcf *m, carom_xml *e)
{
    const char *first, *second = carom_xml_get(e, "joint2");
    const carom_mjcf_part *one, *two;
    double c[5] = {0, 1, 0, 0, 0};
    int count;
    CAROM_TRY(carom_import_text_of(m->robot, e, "joint1", &first));
    const carom_mjcf_element element = {e, -1};
    CAROM_TRY(carom_mjcf_numbers(m, &element, "polycoef", 1, 5, c, &count));
    if (!second)
        return carom_import_ignore(m->robot, &e->place,
                                   "<joint> of one joint in <equality> is ignored; prescribe its "
                                   "`motion` in the model file");
    CAROM_TRY(find_coordinate(m, e, first, &one));
    if (one)
        CAROM_TRY(find_coordinate(m, e, second, &two));
    if (!one || !two)
        return CAROM_OK;
    carom_robot_joint *j = &m->robot->joints[one->joint];
    if (one == two)
        return carom_fail(m->robot->ctx, CAROM_ERROR_MODEL, &e->place,
                          "joint '%.63s' is coupled with itself; name another joint", first);
    if (j->mimics >= 0)
        return carom_fail(
            m->robot->ctx, CAROM_ERROR_MODEL, &e->place,
            "joint '%.63s' follows another one already, by line %d; exchange joint1 and joint2, or remove "
            "one",
            first, j->mimic_place.line);
    if (c[2] != 0 || c[3] != 0 || c[4] != 0)
        return carom_import_ignore(m->robot, &e->place,
                                   "<joint> in <equality> is ignored: only polynomials of the first "
                                   "degree are read");
    j->mimics = two->joint;
    j->mimic_place = e->place;
    j->ratio = c[1];
    j->offset = one->reference + c[0] - c[1] * two->reference;
    return CAROM_OK;
}

static carom_status read_closure(carom_mjcf *m, carom_xml *e, size_t number)
{
    const bool weld = strcmp(e->name, "weld") == 0;
    const char *first = carom_xml_get(e, "body1"), *second = carom_xml_get(e, "body2");
    carom_robot_closure closure = {.type = weld ? "fixed" : "spherical", .place = e->place};
    double anchor[3] = {0};
    bool given;
    if (!first)
        return carom_import_ignore(m->robot, &e->place, "<%s> without body1 in <equality> is ignored", e->name);
    CAROM_TRY(find_body(m, e, first, &closure.links[0]));
    CAROM_TRY(find_body(m, e, second, &closure.links[1]));
    if (closure.links[0] == closure.links[1])
        return carom_fail(m->robot->ctx, CAROM_ERROR_MODEL, &e->place,
                          "<%s> is between '%.63s' and itself; name another "
                          "body2",
                          e->name, first);
    CAROM_TRY(carom_import_vector(m->robot, e, "anchor", 3, anchor, &given));
    if (!weld && !given)
        return carom_fail(m->robot->ctx, CAROM_ERROR_MODEL, &e->place, "<connect> needs 'anchor', a point of body1");
    closure.anchor = weld ? carom_v3(0, 0, 0) : carom_v3_load(anchor);
    CAROM_TRY(own_name(m, e, e->name, number, &closure.name));
    return carom_robot_add_closure(m->robot, &closure);
}

carom_status carom_mjcf_read_equality(carom_mjcf *m, carom_xml *root)
{
    size_t number = 0;
    for (carom_xml *section = carom_xml_child(root, "equality"); section; section = carom_xml_next(section, "equality"))
        for (carom_xml *e = section->first; e; e = e->next) {
            const char *active = carom_xml_get(e, "active");
            const bool joint = strcmp(e->name, "joint") == 0;
            if (!joint && strcmp(e->name, "connect") != 0 && strcmp(e->name, "weld") != 0)
                continue;
            e->used = true;
            if (active && strcmp(active, "false") == 0)
                CAROM_TRY(carom_import_ignore(m->robot, &e->place, "<%s> is ignored: it is not active", e->name));
            else
                CAROM_TRY(joint ? read_coupling(m, e) : read_closure(m, e, number++));
        }
    return CAROM_OK;
}

/* ---- actuators ---- */

static carom_status read_gains(carom_mjcf *m, const carom_mjcf_element *e, carom_robot_drive *out)
{
    const bool position = strcmp(e->xml->name, "position") == 0;
    double kp = position, kv = !position, range[2];
    int count;
    CAROM_TRY(carom_mjcf_number(m, e, "kp", &kp));
    CAROM_TRY(carom_mjcf_number(m, e, "kv", &kv));
    if (kp < 0 || kv < 0)
        return carom_fail(m->robot->ctx, CAROM_ERROR_MODEL, &e->xml->place,
                          "a gain of <%s> is %g; it must be at least 0", e->xml->name, kp < 0 ? kp : kv);
    out->proportional = kp * out->gear * out->gear;
    out->derivative = kv * out->gear * out->gear;
    CAROM_TRY(carom_mjcf_numbers(m, e, "forcerange", 2, 2, range, &count));
    if (!count)
        return CAROM_OK;
    if (range[1] > 0 && range[0] == -range[1])
        out->limit = range[1] * fabs(out->gear);
    else
        CAROM_TRY(carom_import_ignore(m->robot, &e->xml->place,
                                      "'forcerange' of <%s> is ignored: a limit is alike to both sides", e->xml->name));
    return CAROM_OK;
}

static carom_status read_actuator(carom_mjcf *m, carom_xml *xml, size_t number)
{
    carom_mjcf_element e;
    double gear[6] = {1, 0, 0, 0, 0, 0};
    int count;
    const carom_mjcf_part *part;
    CAROM_TRY(carom_mjcf_with_class(m, xml, -1, &e));
    const char *joint = carom_mjcf_get(m, &e, "joint");
    if (!joint)
        return carom_import_ignore(m->robot, &xml->place, "<%s> is ignored: it acts on no joint", xml->name);
    CAROM_TRY(find_coordinate(m, xml, joint, &part));
    CAROM_TRY(carom_mjcf_numbers(m, &e, "gear", 1, 6, gear, &count));
    if (!part)
        return CAROM_OK;
    carom_robot_drive drive = {
        .place = xml->place, .joint = part->joint, .gear = gear[0], .is_input = strcmp(xml->name, "motor") == 0};
    if (gear[0] == 0)
        return carom_fail(m->robot->ctx, CAROM_ERROR_MODEL, &xml->place, "'gear' of <%s> is 0, which moves nothing",
                          xml->name);
    CAROM_TRY(own_name(m, xml, xml->name, number, &drive.name));
    if (!drive.is_input)
        CAROM_TRY(read_gains(m, &e, &drive));
    if (!drive.is_input && drive.proportional == 0 && drive.derivative == 0)
        return carom_import_ignore(m->robot, &xml->place, "<%s> is ignored: its gain is 0", xml->name);
    return carom_robot_add_drive(m->robot, &drive);
}

carom_status carom_mjcf_read_actuators(carom_mjcf *m, carom_xml *root)
{
    size_t number = 0;
    for (carom_xml *section = carom_xml_child(root, "actuator"); section; section = carom_xml_next(section, "actuator"))
        for (carom_xml *e = section->first; e; e = e->next)
            if (strcmp(e->name, "motor") == 0 || strcmp(e->name, "position") == 0 || strcmp(e->name, "velocity") == 0) {
                e->used = true;
                const size_t before = m->robot->drive_count;
                CAROM_TRY(read_actuator(m, e, number++));
                /* controls of a keyframe count all actuators that there are */
                CAROM_TRY(carom_grow(m->robot->ctx, &m->controls, &m->control_capacity, m->control_count + 1,
                                     sizeof *m->controls));
                m->controls[m->control_count++] = m->robot->drive_count > before ? (int)before : -1;
            } else {
                CAROM_TRY(carom_grow(m->robot->ctx, &m->controls, &m->control_capacity, m->control_count + 1,
                                     sizeof *m->controls));
                m->controls[m->control_count++] = -1;
            }
    return CAROM_OK;
}

/* ---- keyframes ---- */

/* Numbers of a keyframe in the scratch of the arena; NULL with CAROM_OK: not given. */
static carom_status read_key_numbers(carom_mjcf *m, carom_xml *key, const char *name, size_t count, double **out)
{
    const char *text = carom_xml_get(key, name);
    int found;
    *out = NULL;
    if (!text)
        return CAROM_OK;
    double *numbers = carom_arena_alloc(m->robot->arena, count + 1, sizeof *numbers);
    if (!numbers)
        return carom_fail_memory(m->robot->ctx);
    CAROM_TRY(carom_import_list(m->robot, key, name, text, (int)count, (int)count, numbers, &found));
    *out = numbers;
    return CAROM_OK;
}

static carom_mat3 turn_of(const double *q)
{
    const double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    return square > 1e-20 ? carom_quat_matrix((carom_quat){q[0], q[1], q[2], q[3]}) : carom_m3_identity();
}

/* Where a part puts what follows it, in the axes of the body, whose origin the anchor is from. */
static carom_placement placed_by(const carom_mjcf_part *part, const double *q)
{
    carom_placement at = carom_placement_none();
    if (part->type == 's') {
        at.p = carom_v3_scale(q[0] - part->reference, part->axis);
        return at;
    }
    at.r = part->type == 'h' ? carom_rotation_about(part->axis, q[0] - part->reference) : turn_of(q);
    at.p = carom_v3_sub(part->at, carom_m3_apply(&at.r, part->at));
    return at;
}

static void take_positions(carom_mjcf *m, const double *q)
{
    for (size_t k = 0; k < m->part_count; k++) {
        const carom_mjcf_part *part = &m->parts[k];
        carom_robot_joint *j = &m->robot->joints[part->joint];
        if (part->alone && (part->type == 'h' || part->type == 's')) {
            j->start = q[part->q];
            j->start_given = true;
        } else if (part->type == 'f') {
            const carom_placement at = {carom_v3_load(q + part->q), turn_of(q + part->q + 3)};
            const carom_placement back = carom_placement_inverse(&j->before);
            j->placed = carom_placement_chain(&back, &at);
            j->has_placed = true;
        } else {
            /* between the anchor before and the way back behind: behind^-1 (what the parts do) behind */
            const carom_placement by = placed_by(part, q + part->q), there = carom_placement_inverse(&j->behind);
            carom_placement step = carom_placement_chain(&j->behind, &by);
            step = carom_placement_chain(&step, &there);
            j->placed = j->has_placed ? carom_placement_chain(&j->placed, &step) : step;
            j->has_placed = true;
        }
    }
}

static carom_status take_velocities(carom_mjcf *m, const carom_xml *key, const double *v)
{
    for (size_t k = 0; k < m->part_count; k++) {
        const carom_mjcf_part *part = &m->parts[k];
        carom_robot_joint *j = &m->robot->joints[part->joint];
        const int count = part->type == 'f' ? 6 : part->type == 'b' ? 3 : 1;
        if (part->alone && count == 1) {
            j->has_rate = true;
            j->rate = v[part->v];
        } else if (part->type == 'f') {
            j->has_rate = true;
            memcpy(j->velocity, v + part->v, sizeof j->velocity);
        } else {
            for (int n = 0; n < count; n++)
                if (v[part->v + n] != 0)
                    return carom_import_ignore(
                        m->robot, &key->place,
                        "'qvel' of <key> is ignored for joints without a coordinate of their own");
        }
    }
    return CAROM_OK;
}

static void take_controls(carom_mjcf *m, const double *control)
{
    for (size_t k = 0; k < m->control_count; k++) {
        carom_robot_drive *d = m->controls[k] >= 0 ? &m->robot->drives[m->controls[k]] : NULL;
        if (d && d->is_input)
            d->start = control[k];
        else if (d)
            d->target = control[k] / d->gear;
    }
}

static carom_status take_key(carom_mjcf *m, carom_xml *key)
{
    double *q, *v, *control;
    CAROM_TRY(read_key_numbers(m, key, "qpos", (size_t)m->q_count, &q));
    CAROM_TRY(read_key_numbers(m, key, "qvel", (size_t)m->v_count, &v));
    CAROM_TRY(read_key_numbers(m, key, "ctrl", m->control_count, &control));
    if (q)
        take_positions(m, q);
    if (v)
        CAROM_TRY(take_velocities(m, key, v));
    if (control)
        take_controls(m, control);
    return CAROM_OK;
}

carom_status carom_mjcf_read_keyframe(carom_mjcf *m, carom_xml *root)
{
    const char *wanted = m->robot->def->keyframe, *names[64];
    size_t count = 0;
    for (carom_xml *section = carom_xml_child(root, "keyframe"); section; section = carom_xml_next(section, "keyframe"))
        for (carom_xml *key = carom_xml_child(section, "key"); key; key = carom_xml_next(key, "key")) {
            const char *name = carom_xml_get(key, "name");
            if (wanted && name && strcmp(name, wanted) == 0)
                return take_key(m, key);
            if (name && count < CAROM_COUNT(names))
                names[count++] = name;
            for (carom_xml_attribute *a = key->attributes; a; a = a->next)
                a->used = true;
            if (!wanted)
                CAROM_TRY(carom_import_ignore(m->robot, &key->place,
                                              "<key> is ignored; the start is taken from it by `keyframe: %.63s`",
                                              name ? name : "NAME, once it has one"));
        }
    if (!wanted)
        return CAROM_OK;
    return count ? carom_fail_unknown(m->robot->ctx, &root->place, "keyframe", "<key>", wanted, names, count)
                 : carom_fail(m->robot->ctx, CAROM_ERROR_MODEL, &root->place,
                              "there is no <key> of a name, and 'keyframe' asks for '%.63s'", wanted);
}
