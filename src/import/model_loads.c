/* The loads of a model that stand for drives, tendons and what couples joints of a robot. */
#include "import/robot.h"

#include <math.h>

typedef carom_robot_maker maker;

static void add_number(maker *m, carom_node *mapping, const char *key, double value)
{
    carom_make_entry(&m->tree, mapping, key, carom_make_number(&m->tree, value));
}

/* A text that the tree keeps; NULL: there is no memory. */
static void add_text(maker *m, carom_node *mapping, const char *key, const char *text)
{
    carom_make_entry(&m->tree, mapping, key, carom_make_text(&m->tree, text ? text : ""));
    m->tree.failed = m->tree.failed || !text;
}

static carom_node *add_load(maker *m, const char *name, const carom_place *place)
{
    m->tree.place = *place;
    carom_node *load =
        carom_make_entry(&m->tree, carom_robot_section(m, "loads"), name ? name : "", carom_make_mapping(&m->tree));
    carom_robot_say_origin(m, load, place);
    m->tree.failed = m->tree.failed || !name;
    return load;
}

static void add_input(maker *m, const char *name, double start, const carom_place *place)
{
    if (!name || m->tree.failed)
        return;
    const carom_node *inputs = carom_robot_section(m, "inputs");
    if (!inputs || carom_node_find(inputs, name))
        return;
    carom_node *input = carom_make_mapping(&m->tree);
    add_number(m, input, "start", start);
    carom_make_entry(&m->tree, carom_robot_section(m, "inputs"), name, input);
    carom_robot_say_origin(m, input, place);
}

/* factor times an expression. */
static const char *times(maker *m, double factor, const char *text)
{
    char number[40];
    const bool plain = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == strlen(text);
    if (factor == 0 || factor == 1)
        return factor == 0 ? "0" : text;
    return carom_arena_format(m->tree.arena, plain ? "%s*%s" : "%s*(%s)", carom_short_number_text(number, factor),
                              text);
}

static carom_node *three(maker *m, const double *factors, const char *text)
{
    carom_node *list = carom_make_list(&m->tree);
    const double size = fmax(fabs(factors[0]), fmax(fabs(factors[1]), fabs(factors[2])));
    for (int k = 0; k < 3; k++) {
        const char *part = times(m, carom_robot_tidy(factors[k], size), text);
        carom_make_entry(&m->tree, list, NULL, carom_make_text(&m->tree, part ? part : ""));
        m->tree.failed = m->tree.failed || !part;
    }
    return list;
}

/* ---- drives ---- */

static void add_drive(maker *m, const carom_robot_drive *d)
{
    if (!m->between[d->joint])
        return;
    carom_node *load = add_load(m, d->name, &d->place);
    const double force = d->gain * d->control + d->bias;
    add_text(m, load, "type", "motor");
    add_text(m, load, "on", m->robot->joints[d->joint].name);
    if (d->proportional > 0 || force == 0) {
        add_number(m, load, "target", d->proportional > 0 ? force / d->proportional : 0);
    } else {
        char number[40];
        add_text(m, load, "target",
                 carom_arena_format(m->tree.arena, "%s*t", carom_short_number_text(number, force / d->derivative)));
    }
    if (d->proportional > 0)
        add_number(m, load, "proportional", d->proportional);
    if (d->derivative > 0)
        add_number(m, load, "derivative", d->derivative);
    if (d->limit > 0)
        add_number(m, load, "limit", d->limit);
}

/* ---- efforts ---- */

static bool has_all(const maker *m, const carom_robot_term *terms, int count)
{
    for (int k = 0; k < count; k++)
        if (!m->between[terms[k].joint])
            return false;
    return true;
}

/* Along the axis of a joint, as a force or torque between its frames. */
static void add_along(maker *m, const carom_robot_effort *e, const carom_robot_term *term, const char *name)
{
    const carom_robot_joint *j = &m->robot->joints[term->joint];
    const bool turns = strcmp(j->type, "revolute") == 0;
    carom_node *load = add_load(m, name, &e->place), *between = m->between[term->joint];
    const carom_vec3 axis = carom_v3_scale(term->factor, carom_robot_axis(m, term->joint));
    const double factors[3] = {axis.x, axis.y, axis.z};
    if (m->tree.failed)
        return;
    add_text(m, load, "type", turns ? "torque" : "force");
    carom_make_entry(&m->tree, load, "between", carom_make_copy(&m->tree, between));
    carom_make_entry(&m->tree, load, turns ? "torque" : "force", three(m, factors, e->text));
    add_text(m, load, "axes", between->last->text);
}

/* On a frame: force, torque or both. */
static void add_on_frame(maker *m, const carom_robot_effort *e)
{
    const double *w = e->wrench;
    const bool both = (w[0] != 0 || w[1] != 0 || w[2] != 0) && (w[3] != 0 || w[4] != 0 || w[5] != 0);
    const int link = m->robot->frames[e->frame].link;
    if (link < 0 || m->robot->links[link].holder < 0)
        return;
    for (int k = 0; k < 2; k++, w += 3) {
        const char *type = k ? "torque" : "force";
        if (w[0] == 0 && w[1] == 0 && w[2] == 0)
            continue;
        carom_node *load =
            add_load(m, both ? carom_arena_format(m->tree.arena, "%s_%s", e->name, type) : e->name, &e->place);
        add_text(m, load, "type", type);
        carom_make_entry(&m->tree, load, "on", carom_robot_frame_node(m, e->frame));
        carom_make_entry(&m->tree, load, type, three(m, w, e->text));
        add_text(m, load, "axes", "body");
    }
}

static void add_effort(maker *m, const carom_robot_effort *e)
{
    if (!has_all(m, e->terms, e->term_count))
        return;
    for (int k = 0; k < e->term_count; k++)
        add_along(m, e, &e->terms[k],
                  e->term_count == 1
                      ? e->name
                      : carom_arena_format(m->tree.arena, "%s_%s", e->name, m->robot->joints[e->terms[k].joint].name));
    if (!e->terms)
        add_on_frame(m, e);
    add_input(m, e->input, e->start, &e->place);
}

/* ---- cables ---- */

static double length_drawn(const maker *m, const carom_robot_cable *c)
{
    double length = 0;
    for (int k = 0; k < c->segment_count; k++) {
        carom_vec3 at[2];
        for (int n = 0; n < 2; n++) {
            const carom_robot_frame *f = &m->robot->frames[c->segments[k].frames[n]];
            const double *q = m->robot->def->orientation;
            const carom_placement base = {carom_v3_load(m->robot->def->at),
                                          carom_quat_matrix((carom_quat){q[0], q[1], q[2], q[3]})};
            const carom_placement *link = f->link < 0 ? &base : &m->robot->links[f->link].drawn;
            const carom_placement placed = carom_placement_chain(link, &f->on);
            at[n] = placed.p;
        }
        length += c->segments[k].share * carom_v3_norm(carom_v3_sub(at[1], at[0]));
    }
    return length;
}

static const char *segment_name(maker *m, const carom_robot_cable *c, int k)
{
    return c->segment_count == 1 ? c->name : carom_arena_format(m->tree.arena, "%s_%d", c->name, k + 1);
}

/* The sum of shares of lengths or rates of all segments. */
static const char *sum_of(maker *m, const carom_robot_cable *c, const char *measure)
{
    const char *sum = NULL;
    for (int k = 0; k < c->segment_count; k++) {
        char number[40];
        const char *name = segment_name(m, c, k);
        const char *one = name ? carom_arena_format(m->tree.arena, "%s(%s)", measure, name) : NULL;
        if (one && c->segments[k].share != 1)
            one =
                carom_arena_format(m->tree.arena, "%s*%s", carom_short_number_text(number, c->segments[k].share), one);
        sum = one && sum ? carom_arena_format(m->tree.arena, "%s + %s", sum, one) : one;
        if (!sum)
            return NULL;
    }
    return sum;
}

/* What a cable pulls with, as an expression. */
static const char *tension_of(maker *m, const carom_robot_cable *c, const double *rest)
{
    char a[40], b[40], d[40];
    const char *length = sum_of(m, c, "length"), *rate = sum_of(m, c, "rate"), *text = c->pull ? c->pull : "";
    const char *plus = c->pull ? " + " : "";
    if (!length || !rate)
        return NULL;
    if (c->stiffness > 0 && rest[0] == rest[1])
        text =
            carom_arena_format(m->tree.arena, "%s%s%s*(%s - %s)", text, plus, carom_short_number_text(a, c->stiffness),
                               length, carom_short_number_text(b, rest[0]));
    else if (c->stiffness > 0)
        text = carom_arena_format(m->tree.arena, "%s%s%s*(max(%s - %s, 0) + min(%s - %s, 0))", text, plus,
                                  carom_short_number_text(a, c->stiffness), length, carom_short_number_text(b, rest[1]),
                                  length, carom_short_number_text(d, rest[0]));
    plus = c->pull || c->stiffness > 0 ? " + " : "";
    if (text && c->damping > 0)
        text =
            carom_arena_format(m->tree.arena, "%s%s%s*(%s)", text, plus, carom_short_number_text(a, c->damping), rate);
    return text;
}

static void add_cable(maker *m, const carom_robot_cable *c)
{
    const double drawn = length_drawn(m, c);
    const double rest[2] = {c->rest[0] < 0 ? drawn : c->rest[0], c->rest[1] < 0 ? drawn : c->rest[1]};
    const bool spring = !c->pull && c->segment_count == 1 && c->segments[0].share == 1;
    const char *tension = spring ? "" : tension_of(m, c, rest);
    for (int k = 0; k < c->segment_count; k++) {
        carom_node *load = add_load(m, segment_name(m, c, k), &c->place), *between = carom_make_list(&m->tree);
        add_text(m, load, "type", !spring ? "line-force" : c->stiffness > 0 ? "spring" : "damper");
        for (int n = 0; n < 2; n++)
            carom_make_entry(&m->tree, between, NULL, carom_robot_frame_node(m, c->segments[k].frames[n]));
        carom_make_entry(&m->tree, load, "between", between);
        if (!spring) {
            add_text(m, load, "force", tension ? times(m, c->segments[k].share, tension) : NULL);
            continue;
        }
        if (c->stiffness > 0) {
            add_number(m, load, "stiffness", c->stiffness);
            add_number(m, load, "length", 0.5 * (rest[0] + rest[1]));
            if (rest[1] > rest[0])
                add_number(m, load, "gap", 0.5 * (rest[1] - rest[0]));
        }
        if (c->damping > 0)
            add_number(m, load, "damping", c->damping);
    }
    add_input(m, c->input, c->start, &c->place);
}

/* ---- couplings ---- */

static void add_coupling(maker *m, const carom_robot_coupling *c)
{
    if (!has_all(m, c->terms, c->term_count))
        return;
    m->tree.place = c->place;
    carom_node *joint =
        carom_make_entry(&m->tree, carom_robot_section(m, "joints"), c->name, carom_make_mapping(&m->tree));
    carom_node *joints = carom_make_list(&m->tree), *factors = carom_make_list(&m->tree);
    carom_robot_say_origin(m, joint, &c->place);
    add_text(m, joint, "type", "coupler");
    for (int k = 0; k < c->term_count; k++) {
        carom_make_entry(&m->tree, joints, NULL, carom_make_text(&m->tree, m->robot->joints[c->terms[k].joint].name));
        carom_make_entry(&m->tree, factors, NULL, carom_make_number(&m->tree, c->terms[k].factor));
    }
    carom_make_entry(&m->tree, joint, "joints", joints);
    if (c->relation) {
        add_text(m, joint, "relation", c->relation);
        return;
    }
    carom_make_entry(&m->tree, joint, "factors", factors);
    add_number(m, joint, "offset", c->offset);
}

/* ---- entry ---- */

static void add_loads(maker *m)
{
    const carom_robot *robot = m->robot;
    for (size_t k = 0; k < robot->coupling_count; k++)
        add_coupling(m, &robot->couplings[k]);
    for (size_t k = 0; k < robot->drive_count; k++)
        add_drive(m, &robot->drives[k]);
    for (size_t k = 0; k < robot->effort_count; k++)
        add_effort(m, &robot->efforts[k]);
    for (size_t k = 0; k < robot->cable_count; k++)
        add_cable(m, &robot->cables[k]);
}

carom_status carom_robot_tree(carom_robot *robot, carom_node **out)
{
    maker m = {.robot = robot, .tree = {.arena = robot->arena, .place = {robot->file, 1, 1}}};
    m.bodies = carom_arena_alloc(robot->arena, robot->link_count + 1, sizeof *m.bodies);
    m.between = carom_arena_alloc(robot->arena, robot->joint_count + 1, sizeof *m.between);
    m.root = carom_make_mapping(&m.tree);
    if (!m.bodies || !m.between || !m.root)
        return carom_fail_memory(robot->ctx);
    carom_robot_add_parts(&m);
    add_loads(&m);
    *out = m.root;
    return m.tree.failed ? carom_fail_memory(robot->ctx) : CAROM_OK;
}
