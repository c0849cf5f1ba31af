/* What stands behind the bodies of MJCF: equalities, actuators, keyframes. */
#include "import/mjcf/mjcf.h"

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

/* ---- equalities ---- */

/* A joint that follows another by a polynomial. */
static carom_status add_relation(carom_mjcf *m, carom_xml *e, const carom_mjcf_part *one, const carom_mjcf_part *two,
                                 const double *c, size_t number)
{
    carom_robot_coupling coupling = {.place = e->place, .term_count = 2};
    char n[7][40];
    const double numbers[7] = {one->reference, two->reference, c[0], c[1], c[2], c[3], c[4]};
    for (int k = 0; k < 7; k++)
        carom_short_number_text(n[k], numbers[k]);
    coupling.relation = carom_arena_format(m->robot->arena, "q1 - %s - poly(q2, %s, %s, %s, %s, %s, %s)", n[0], n[1],
                                           n[2], n[3], n[4], n[5], n[6]);
    coupling.terms = carom_arena_alloc(m->robot->arena, 2, sizeof *coupling.terms);
    if (!coupling.relation || !coupling.terms)
        return carom_fail_memory(m->robot->ctx);
    coupling.terms[0].joint = one->joint;
    coupling.terms[1].joint = two->joint;
    CAROM_TRY(carom_mjcf_own_name(m, e, "relation", number, &coupling.name));
    return carom_robot_add_coupling(m->robot, &coupling);
}

static carom_status read_coupling(carom_mjcf *m, carom_xml *e, size_t number)
{
    const char *first, *second = carom_xml_get(e, "joint2");
    const carom_mjcf_part *one, *two;
    double c[5] = {0, 1, 0, 0, 0};
    int count;
    CAROM_TRY(carom_import_text_of(m->robot, e, "joint1", &first));
    const carom_mjcf_element element = {e, -1};
    CAROM_TRY(carom_mjcf_numbers(m, &element, "polycoef", 1, 5, c, &count));
    CAROM_TRY(carom_mjcf_find_coordinate(m, e, first, &one));
    if (one && second)
        CAROM_TRY(carom_mjcf_find_coordinate(m, e, second, &two));
    if (!one || (second && !two))
        return CAROM_OK;
    carom_robot_joint *j = &m->robot->joints[one->joint];
    if (!second) {
        j->is_held = j->start_given = true;
        j->start = one->reference + c[0];
        return CAROM_OK;
    }
    if (one == two)
        return carom_fail(m->robot->ctx, CAROM_ERROR_MODEL, &e->place,
                          "joint '%.63s' is coupled with itself; name another joint", first);
    if (c[2] != 0 || c[3] != 0 || c[4] != 0)
        return add_relation(m, e, one, two, c, number);
    if (j->mimics >= 0)
        return carom_fail(
            m->robot->ctx, CAROM_ERROR_MODEL, &e->place,
            "joint '%.63s' follows another one already, by line %d; exchange joint1 and joint2, or remove "
            "one",
            first, j->mimic_place.line);
    j->mimics = two->joint;
    j->mimic_place = e->place;
    j->ratio = c[1];
    j->offset = one->reference + c[0] - c[1] * two->reference;
    return CAROM_OK;
}

/* Two tendons of coordinates whose lengths, from those as drawn, follow each other; or one that keeps its length. */
static carom_status read_tendons_coupled(carom_mjcf *m, carom_xml *e, size_t number)
{
    const char *first, *second = carom_xml_get(e, "tendon2");
    const carom_mjcf_tendon *one, *two = NULL;
    double c[5] = {0, 1, 0, 0, 0};
    int count;
    CAROM_TRY(carom_import_text_of(m->robot, e, "tendon1", &first));
    const carom_mjcf_element element = {e, -1};
    CAROM_TRY(carom_mjcf_numbers(m, &element, "polycoef", 1, 5, c, &count));
    CAROM_TRY(carom_mjcf_find_tendon(m, e, first, &one));
    if (second)
        CAROM_TRY(carom_mjcf_find_tendon(m, e, second, &two));
    if (!one->terms || (two && !two->terms))
        return carom_import_ignore(m->robot, &e->place,
                                   "<tendon> in <equality> is ignored: it is not one of coordinates of joints alone");
    if (c[2] != 0 || c[3] != 0 || c[4] != 0)
        return carom_import_ignore(m->robot, &e->place,
                                   "<tendon> in <equality> is ignored: only polynomials of the first degree are read");
    if (one == two)
        return carom_fail(m->robot->ctx, CAROM_ERROR_MODEL, &e->place,
                          "tendon '%.63s' is coupled with itself; name another tendon", first);
    carom_robot_coupling coupling = {.place = e->place, .offset = one->drawn + c[0] - (two ? c[1] * two->drawn : 0)};
    const int most = one->term_count + (two ? two->term_count : 0);
    coupling.terms = carom_arena_alloc(m->robot->arena, (size_t)most + 1, sizeof *coupling.terms);
    if (!coupling.terms)
        return carom_fail_memory(m->robot->ctx);
    for (int k = 0; k < most; k++) {
        const bool of_two = k >= one->term_count;
        carom_robot_term term = of_two ? two->terms[k - one->term_count] : one->terms[k];
        int at = 0;
        term.factor *= of_two ? -c[1] : 1;
        while (at < coupling.term_count && coupling.terms[at].joint != term.joint)
            at++;
        coupling.terms[at].joint = term.joint;
        coupling.terms[at].factor += term.factor;
        coupling.term_count += at == coupling.term_count;
    }
    if (coupling.term_count > 8)
        return carom_import_ignore(m->robot, &e->place,
                                   "<tendon> in <equality> is ignored: it relates more than eight joints");
    if (coupling.term_count < 2)
        return carom_import_ignore(m->robot, &e->place,
                                   "<tendon> in <equality> is ignored: it relates one joint with itself; <joint> in "
                                   "<equality> holds it");
    CAROM_TRY(carom_mjcf_own_name(m, e, "tendon_equality", number, &coupling.name));
    return carom_robot_add_coupling(m->robot, &coupling);
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
    CAROM_TRY(carom_mjcf_own_name(m, e, e->name, number, &closure.name));
    return carom_robot_add_closure(m->robot, &closure);
}

carom_status carom_mjcf_read_equality(carom_mjcf *m, carom_xml *root)
{
    size_t number = 0;
    for (carom_xml *section = carom_xml_child(root, "equality"); section; section = carom_xml_next(section, "equality"))
        for (carom_xml *e = section->first; e; e = e->next) {
            const char *active = carom_xml_get(e, "active");
            const bool joint = strcmp(e->name, "joint") == 0, tendon = strcmp(e->name, "tendon") == 0;
            if (!joint && !tendon && strcmp(e->name, "connect") != 0 && strcmp(e->name, "weld") != 0)
                continue;
            e->used = true;
            if (active && strcmp(active, "false") == 0)
                CAROM_TRY(carom_import_ignore(m->robot, &e->place, "<%s> is ignored: it is not active", e->name));
            else
                CAROM_TRY(joint    ? read_coupling(m, e, number++)
                          : tendon ? read_tendons_coupled(m, e, number++)
                                   : read_closure(m, e, number++));
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
        bool moves = false;
        for (int n = 0; n < count; n++)
            moves = moves || v[part->v + n] != 0;
        if (part->alone && count == 1) {
            j->has_rate = true;
            j->rate = v[part->v];
        } else if (part->type == 'f') {
            j->has_rate = true;
            memcpy(j->velocity, v + part->v, sizeof j->velocity);
        } else if (part->type == 'b' && part->alone) {
            j->has_rate = true;
            memcpy(j->velocity + 3, v + part->v, 3 * sizeof *v);
        } else if (moves) {
            CAROM_TRY(carom_import_ignore(m->robot, &key->place,
                                          "'qvel' of <key> is ignored for joints without a coordinate of their own"));
        }
    }
    return CAROM_OK;
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
    for (size_t k = 0; control && k < m->control_count; k++)
        carom_mjcf_set_control(m, &m->controls[k], control[k]);
    return CAROM_OK;
}

carom_status carom_mjcf_peek_rates(carom_mjcf *m)
{
    const char *wanted = m->robot->def->keyframe;
    const int most = (int)(6 * m->robot->elements);
    for (carom_xml *section = m->root->first; wanted && section; section = section->next)
        for (carom_xml *key = strcmp(section->name, "keyframe") == 0 ? section->first : NULL; key; key = key->next) {
            const char *name = carom_xml_get(key, "name"), *text = carom_xml_get(key, "qvel");
            if (strcmp(key->name, "key") != 0 || !name || strcmp(name, wanted) != 0 || !text)
                continue;
            m->rates = carom_arena_alloc(m->robot->arena, (size_t)most, sizeof *m->rates);
            if (!m->rates)
                return carom_fail_memory(m->robot->ctx);
            return carom_import_list(m->robot, key, "qvel", text, 0, most, m->rates, &m->rate_count);
        }
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
