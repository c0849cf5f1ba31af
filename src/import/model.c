/* The sections of a model that stand for a robot. */
#include "import/robot.h"

#include <math.h>

typedef carom_robot_maker maker;

/* ---- numbers ---- */

double carom_robot_tidy(double value, double scale) { return fabs(value) < 1e-15 * scale ? 0 : value; }

static carom_node *make_vector(maker *m, carom_vec3 v)
{
    const double size = fmax(carom_v3_norm(v), 0.1);
    const double numbers[3] = {carom_robot_tidy(v.x, size), carom_robot_tidy(v.y, size), carom_robot_tidy(v.z, size)};
    return carom_make_numbers(&m->tree, numbers, 3);
}

static carom_node *make_turn(maker *m, const carom_mat3 *r)
{
    const carom_quat q = carom_quat_from_axes(r);
    const double numbers[4] = {carom_robot_tidy(q.w, 1), carom_robot_tidy(q.x, 1), carom_robot_tidy(q.y, 1),
                               carom_robot_tidy(q.z, 1)};
    return carom_make_numbers(&m->tree, numbers, 4);
}

static bool is_turned(const carom_mat3 *r)
{
    const carom_quat q = carom_quat_from_axes(r);
    return carom_robot_tidy(q.x, 1) != 0 || carom_robot_tidy(q.y, 1) != 0 || carom_robot_tidy(q.z, 1) != 0;
}

static bool is_moved(carom_vec3 p)
{
    const double size = fmax(carom_v3_norm(p), 0.1);
    return carom_robot_tidy(p.x, size) != 0 || carom_robot_tidy(p.y, size) != 0 || carom_robot_tidy(p.z, size) != 0;
}

static void add(maker *m, carom_node *mapping, const char *key, carom_node *value)
{
    carom_make_entry(&m->tree, mapping, key, value);
}

static void add_number(maker *m, carom_node *mapping, const char *key, double value)
{
    add(m, mapping, key, carom_make_number(&m->tree, value));
}

static void add_text(maker *m, carom_node *mapping, const char *key, const char *text)
{
    add(m, mapping, key, carom_make_text(&m->tree, text));
}

static void add_placement(maker *m, carom_node *mapping, const carom_placement *x)
{
    if (is_moved(x->p))
        add(m, mapping, "at", make_vector(m, x->p));
    if (is_turned(&x->r))
        add(m, mapping, "orientation", make_turn(m, &x->r));
}

carom_node *carom_robot_section(maker *m, const char *name)
{
    if (m->tree.failed)
        return NULL;
    for (carom_node *n = m->root->first; n; n = n->next)
        if (strcmp(n->key, name) == 0)
            return n;
    return carom_make_entry(&m->tree, m->root, name, carom_make_mapping(&m->tree));
}

void carom_robot_say_origin(maker *m, carom_node *entry, const carom_place *place)
{
    const char *slash = place->file ? strrchr(place->file, '/') : NULL;
    const char *file = slash ? slash + 1 : place->file;
    if (!entry || m->tree.failed)
        return;
    entry->comment = carom_arena_format(m->tree.arena, "%s:%d", file ? file : "", place->line);
    m->tree.failed = !entry->comment;
}

/* ---- bodies and frames ---- */

/* Where axes that stand in those of a link stand in its body, from the centre of mass; of the ground in the world. */
static carom_placement on_body(const maker *m, int link, const carom_placement *in_link)
{
    const carom_robot_link *l = &m->robot->links[link];
    carom_placement at = carom_placement_chain(&l->on, in_link);
    if (l->holder >= 0)
        at.p = carom_v3_sub(at.p, m->robot->links[l->holder].com);
    return at;
}

/* The axes that the robot as a whole stands in. */
static carom_placement base_of(const maker *m)
{
    const double *q = m->robot->def->orientation;
    return (carom_placement){carom_v3_load(m->robot->def->at), carom_quat_matrix((carom_quat){q[0], q[1], q[2], q[3]})};
}

static const char *body_name(const maker *m, int link)
{
    const int holder = link < 0 ? CAROM_GROUND : m->robot->links[link].holder;
    return holder < 0 ? "ground" : m->robot->links[holder].name;
}

static carom_node *frames_of(maker *m, int body)
{
    carom_node *own = m->bodies[body];
    for (carom_node *n = own ? own->first : NULL; n; n = n->next)
        if (strcmp(n->key, "frames") == 0)
            return n;
    return own ? carom_make_entry(&m->tree, own, "frames", carom_make_mapping(&m->tree)) : NULL;
}

/* Adds a frame to a body and returns its name there, another one where it is taken. */
static const char *add_frame(maker *m, int link, const char *name, const carom_placement *in_link)
{
    const carom_placement at = on_body(m, link, in_link);
    carom_node *frames = frames_of(m, m->robot->links[link].holder);
    if (!frames || m->tree.failed)
        return name;
    const char *own = name;
    for (int n = 1; own && carom_node_find(frames, own); n++)
        own = n == 1 ? carom_arena_format(m->tree.arena, "%s_joint", name)
                     : carom_arena_format(m->tree.arena, "%s_joint_%d", name, n);
    carom_node *frame = carom_make_mapping(&m->tree);
    if (!own || !frame) {
        m->tree.failed = true;
        return name;
    }
    if (is_turned(&at.r))
        add_placement(m, frame, &at);
    else
        frame = make_vector(m, at.p);
    add(m, frames, own, frame);
    return own;
}

static void add_inertia(maker *m, carom_node *body, const double *inertia)
{
    double tidied[6], largest = fmax(inertia[0], fmax(inertia[1], inertia[2]));
    for (int k = 0; k < 6; k++)
        tidied[k] = carom_robot_tidy(inertia[k], largest);
    const bool diagonal = tidied[3] == 0 && tidied[4] == 0 && tidied[5] == 0;
    add(m, body, "inertia", carom_make_numbers(&m->tree, tidied, diagonal ? 3 : 6));
}

static void add_body(maker *m, int k)
{
    const carom_robot_link *link = &m->robot->links[k];
    m->tree.place = link->place;
    carom_node *body =
        carom_make_entry(&m->tree, carom_robot_section(m, "bodies"), link->name, carom_make_mapping(&m->tree));
    carom_robot_say_origin(m, body, &link->place);
    m->tree.place = link->inertia_place;
    add_number(m, body, "mass", link->mass);
    add_inertia(m, body, link->inertia);
    m->tree.place = link->place;
    const carom_placement com = {link->com, carom_m3_identity()};
    const carom_placement world = carom_placement_chain(&link->world, &com);
    add_placement(m, body, &world);
    m->bodies[k] = body;
    const carom_placement none = carom_placement_none();
    if (is_moved(link->com))
        add_frame(m, k, "origin", &none);
}

/* Links that are a part of the body of another one. */
static void add_part(maker *m, int k)
{
    const carom_robot_link *link = &m->robot->links[k];
    if (link->holder == k || link->holder == CAROM_GROUND)
        return;
    const carom_placement none = carom_placement_none();
    m->tree.place = link->place;
    add_frame(m, k, link->name, &none);
    if (!m->tree.failed)
        carom_robot_say_origin(m, frames_of(m, link->holder)->last, &link->place);
}

/* A frame that the description names, unless the body has one of the name. */
static void add_named_frame(maker *m, carom_robot_frame *frame)
{
    if (frame->link < 0 || m->robot->links[frame->link].holder < 0)
        return;
    m->tree.place = frame->place;
    frame->name = add_frame(m, frame->link, frame->name, &frame->on);
    if (!m->tree.failed)
        carom_robot_say_origin(m, frames_of(m, m->robot->links[frame->link].holder)->last, &frame->place);
}

/* Velocities at the start of a body that is free: its origin's in world axes, angular in its own. */
static void add_velocity(maker *m, const carom_robot_joint *j)
{
    const carom_robot_link *child = &m->robot->links[j->child];
    carom_node *body = m->bodies[child->holder < 0 ? j->child : child->holder];
    if (!j->has_rate || !body)
        return;
    const carom_placement base = base_of(m);
    const carom_vec3 spin = carom_m3_apply(&child->world.r, carom_v3_load(j->velocity + 3));
    const carom_vec3 origin = carom_m3_apply(&base.r, carom_v3_load(j->velocity));
    const carom_robot_link *holder = &m->robot->links[child->holder];
    const carom_vec3 arm =
        carom_v3_sub(carom_v3_add(holder->world.p, carom_m3_apply(&holder->world.r, holder->com)), child->world.p);
    add(m, body, "velocity", make_vector(m, carom_v3_add(origin, carom_v3_cross(spin, arm))));
    add(m, body, "angular_velocity", make_vector(m, spin));
}

/* ---- joints ---- */

/* A frame of a joint as `body`, `body.frame`. */
static carom_node *frame_of(maker *m, int link, const char *name, const carom_placement *in_link)
{
    const carom_robot_link *l = &m->robot->links[link];
    const carom_placement at = on_body(m, link, in_link);
    if (!is_moved(at.p) && !is_turned(&at.r))
        return carom_make_text(&m->tree, body_name(m, link));
    const bool origin = l->holder == link && !is_moved(in_link->p) && !is_turned(&in_link->r) && is_moved(l->com);
    const char *frame = origin ? "origin" : add_frame(m, link, name, in_link);
    const char *text = carom_arena_format(m->tree.arena, "%s.%s", body_name(m, link), frame);
    if (!text) {
        m->tree.failed = true;
        return NULL;
    }
    return carom_make_text(&m->tree, text);
}

/* A point of the ground, {ground: [x, y, z]}, with axes of its own. */
static carom_node *point_of_ground(maker *m, carom_vec3 p, const carom_mat3 *axes)
{
    const bool turned = is_turned(axes);
    if (!is_moved(p) && !turned)
        return carom_make_text(&m->tree, "ground");
    carom_node *point = carom_make_mapping(&m->tree);
    add(m, point, "ground", make_vector(m, p));
    if (turned)
        add(m, point, "orientation", make_turn(m, axes));
    return point;
}

carom_node *carom_robot_frame_node(maker *m, int frame)
{
    const carom_robot_frame *f = &m->robot->frames[frame];
    if (f->link < 0 || m->robot->links[f->link].holder < 0) {
        const carom_placement base = base_of(m);
        const carom_placement at = carom_placement_chain(f->link < 0 ? &base : &m->robot->links[f->link].world, &f->on);
        const carom_mat3 none = carom_m3_identity();
        return point_of_ground(m, at.p, &none);
    }
    const char *text = carom_arena_format(m->tree.arena, "%s.%s", body_name(m, f->link), f->name);
    m->tree.failed = m->tree.failed || !text;
    return carom_make_text(&m->tree, text ? text : "");
}

/* Whether coordinates are measured along the axes of the first frame, beside the joint's axis. */
static bool has_directions(const char *type) { return strcmp(type, "planar") == 0; }

/* The two frames. A point of the ground has the axes of the world, so that the frame on the other side turns with them,
   but where the joint has coordinates along its axes. */
static carom_node *make_between(maker *m, const carom_robot_joint *j)
{
    const carom_placement base = base_of(m);
    carom_placement behind = carom_placement_inverse(&j->behind);
    carom_node *between = carom_make_list(&m->tree);
    if (j->parent < 0 || m->robot->links[j->parent].holder == CAROM_GROUND) {
        const carom_placement at =
            carom_placement_chain(j->parent < 0 ? &base : &m->robot->links[j->parent].world, &j->before);
        const carom_mat3 none = carom_m3_identity(), back = carom_m3_multiply_t(&at.r, &none);
        const bool turned = has_directions(j->type);
        carom_make_entry(&m->tree, between, NULL, point_of_ground(m, at.p, turned ? &at.r : &none));
        if (!turned)
            behind.r = carom_m3_multiply(&behind.r, &back);
    } else {
        carom_make_entry(&m->tree, between, NULL, frame_of(m, j->parent, j->name, &j->before));
    }
    carom_make_entry(&m->tree, between, NULL, frame_of(m, j->child, j->name, &behind));
    return between;
}

static bool has_axis(const char *type) { return strcmp(type, "fixed") != 0 && strcmp(type, "spherical") != 0; }

static carom_node *section_of(maker *m, carom_node *joint, const char *name)
{
    return carom_make_entry(&m->tree, joint, name, carom_make_mapping(&m->tree));
}

/* What acts along the coordinate of a joint. */
static void add_parts(maker *m, const carom_robot_joint *j, carom_node *joint)
{
    if (j->is_held)
        add_number(m, joint, "motion", j->start);
    else if (j->has_rate && strcmp(j->type, "spherical") != 0)
        add_number(m, joint, "rate", j->rate);
    if (j->armature > 0)
        add_number(m, joint, "armature", j->armature);
    if (j->stiffness > 0) {
        carom_node *spring = section_of(m, joint, "spring");
        add_number(m, spring, "stiffness", j->stiffness);
        if (j->rest != 0)
            add_number(m, spring, "free", j->rest);
    }
    if (j->damping > 0)
        add_number(m, section_of(m, joint, "damper"), "damping", j->damping);
    if (j->friction > 0) {
        carom_node *friction = section_of(m, joint, "friction");
        add_text(m, friction, "law", "coulomb");
        add_text(m, friction, "kinetic", "1");
        add_number(m, friction, "constant", j->friction);
    }
    if (j->has_limits) {
        carom_node *limits = section_of(m, joint, "limits");
        add_number(m, limits, "lower", j->lower);
        add_number(m, limits, "upper", j->upper);
    }
}

/* The axis at the start, world axes. */
static carom_vec3 world_axis(const maker *m, const carom_robot_joint *j)
{
    const carom_placement base = base_of(m);
    const carom_mat3 axes =
        carom_m3_multiply(j->parent < 0 ? &base.r : &m->robot->links[j->parent].world.r, &j->before.r);
    return carom_m3_apply(&axes, j->axis);
}

carom_vec3 carom_robot_axis(const maker *m, int joint)
{
    const carom_robot_joint *j = &m->robot->joints[joint];
    return j->parent < 0 || m->robot->links[j->parent].holder == CAROM_GROUND ? world_axis(m, j) : j->axis;
}

static void add_joint(maker *m, int k)
{
    const carom_robot_joint *j = &m->robot->joints[k];
    const carom_robot_link *child = &m->robot->links[j->child];
    const int parent = j->parent < 0 ? CAROM_GROUND : m->robot->links[j->parent].holder;
    if (strcmp(j->type, "free") == 0)
        add_velocity(m, j);
    if (strcmp(j->type, "free") == 0 || parent == child->holder)
        return;
    m->tree.place = j->place;
    carom_node *joint =
        carom_make_entry(&m->tree, carom_robot_section(m, "joints"), j->name, carom_make_mapping(&m->tree));
    carom_robot_say_origin(m, joint, &j->place);
    add_text(m, joint, "type", j->type);
    m->between[k] = carom_make_entry(&m->tree, joint, "between", make_between(m, j));
    if (has_axis(j->type)) {
        add(m, joint, "axis", make_vector(m, world_axis(m, j)));
    }
    if (strcmp(j->type, "universal") == 0)
        add(m, joint, "axis2", make_vector(m, carom_m3_apply(&child->world.r, j->axis2)));
    add_parts(m, j, joint);
    if (strcmp(j->type, "spherical") == 0 && j->has_rate && child->holder == j->child)
        add(m, m->bodies[j->child], "angular_velocity", make_vector(m, child->spin));
}

static void add_mimic(maker *m, int k)
{
    const carom_robot_joint *j = &m->robot->joints[k];
    if (j->mimics < 0)
        return;
    const char *name = carom_arena_format(m->tree.arena, "%s_mimic", j->name);
    m->tree.place = j->mimic_place;
    carom_node *joint =
        carom_make_entry(&m->tree, carom_robot_section(m, "joints"), name ? name : "", carom_make_mapping(&m->tree));
    carom_robot_say_origin(m, joint, &j->mimic_place);
    carom_node *joints = carom_make_list(&m->tree);
    add_text(m, joint, "type", "coupler");
    carom_make_entry(&m->tree, joints, NULL, carom_make_text(&m->tree, m->robot->joints[j->mimics].name));
    carom_make_entry(&m->tree, joints, NULL, carom_make_text(&m->tree, j->name));
    add(m, joint, "joints", joints);
    add_number(m, joint, "ratio", j->ratio);
    add_number(m, joint, "offset", j->offset);
    m->tree.failed = m->tree.failed || !name;
}

/* A joint that closes a loop, where both bodies stand in the description. */
static void add_closure(maker *m, const carom_robot_closure *c)
{
    m->tree.place = c->place;
    const carom_placement base = base_of(m), anchor = {c->anchor, carom_m3_identity()};
    const carom_placement *first = c->links[0] < 0 ? &base : &m->robot->links[c->links[0]].drawn;
    const carom_placement world = carom_placement_chain(first, &anchor);
    carom_node *joint =
        carom_make_entry(&m->tree, carom_robot_section(m, "joints"), c->name, carom_make_mapping(&m->tree));
    carom_robot_say_origin(m, joint, &c->place);
    add_text(m, joint, "type", c->type);
    carom_node *between = carom_make_list(&m->tree);
    for (int k = 0; k < 2; k++) {
        const int link = c->links[k];
        if (link < 0 || m->robot->links[link].holder < 0) {
            carom_make_entry(&m->tree, between, NULL, point_of_ground(m, world.p, &anchor.r));
            continue;
        }
        const carom_placement back = carom_placement_inverse(&m->robot->links[link].drawn);
        carom_placement at = carom_placement_chain(&back, &world);
        at.r = carom_m3_identity();
        carom_make_entry(&m->tree, between, NULL, frame_of(m, link, c->name, &at));
    }
    add(m, joint, "between", between);
}

/* ---- shapes ---- */

static void add_file(maker *m, carom_node *shape, const carom_robot_shape *s)
{
    const char *path = carom_import_path(m->robot, s->mesh);
    add_text(m, shape, "file", path ? path : "");
    m->tree.failed = m->tree.failed || !path;
    if (s->scale[0] != 1 || s->scale[1] != 1 || s->scale[2] != 1)
        add(m, shape, "scale", carom_make_numbers(&m->tree, s->scale, 3));
}

static void add_colour(maker *m, carom_node *shape, const carom_robot_shape *s)
{
    int part[3];
    for (int k = 0; k < 3; k++)
        part[k] = (int)lround(255 * fmin(1, fmax(0, s->colour[k])));
    const char *text =
        s->has_colour ? carom_arena_format(m->tree.arena, "#%02x%02x%02x", part[0], part[1], part[2]) : "";
    if (s->has_colour)
        add_text(m, shape, "colour", text ? text : "");
    m->tree.failed = m->tree.failed || !text;
}

/* Lengths of a shape. */
static void add_size(maker *m, carom_node *shape, const carom_robot_shape *s)
{
    const bool ellipsoid = strcmp(s->type, "ellipsoid") == 0;
    if (ellipsoid || strcmp(s->type, "box") == 0) {
        add(m, shape, ellipsoid ? "half_axes" : "size", carom_make_numbers(&m->tree, s->size, 3));
        return;
    }
    if (strcmp(s->type, "capsule") == 0) {
        const double ends[2][3] = {{0, 0, -0.5 * s->size[1]}, {0, 0, 0.5 * s->size[1]}};
        add(m, shape, "from", carom_make_numbers(&m->tree, ends[0], 3));
        add(m, shape, "to", carom_make_numbers(&m->tree, ends[1], 3));
    }
    add_number(m, shape, "radius", s->size[0]);
    if (strcmp(s->type, "cylinder") == 0)
        add_number(m, shape, "length", s->size[1]);
}

/* A shape with its place; `drawn`: the mesh as it is, which touches nothing. */
static void add_one(maker *m, const carom_robot_shape *s, const char *name, bool drawn, bool alone, bool hidden)
{
    m->tree.place = s->place;
    carom_node *shape =
        carom_make_entry(&m->tree, carom_robot_section(m, "shapes"), name, carom_make_mapping(&m->tree));
    carom_robot_say_origin(m, shape, &s->place);
    add_text(m, shape, "type", drawn ? "drawing" : s->type);
    add_text(m, shape, "on", body_name(m, s->link));
    const carom_placement base = base_of(m);
    carom_placement at = s->link < 0 ? carom_placement_chain(&base, &s->on) : on_body(m, s->link, &s->on);
    const bool plane = strcmp(s->type, "plane") == 0;
    const carom_vec3 normal = carom_m3_column(&at.r, 2);
    if (plane)
        at.r = carom_m3_identity();
    add_placement(m, shape, &at);
    if (alone && !drawn)
        add_text(m, shape, "visual", "yes");
    if (hidden)
        add_text(m, shape, "hidden", "yes");
    else
        add_colour(m, shape, s);
    if (plane)
        add(m, shape, "normal", make_vector(m, normal));
    else if (s->mesh)
        add_file(m, shape, s);
    else
        add_size(m, shape, s);
}

/* What is drawn only has a shape that touches nothing, unless it is all that its link has. */
static void add_shape(maker *m, int k)
{
    const carom_robot_shape *s = &m->robot->shapes[k];
    const carom_robot_link *link = s->link >= 0 ? &m->robot->links[s->link] : NULL;
    const bool alone = s->visual && link && link->touches;
    if (!s->visual || !s->mesh) {
        add_one(m, s, s->name, false, alone, s->unseen && link && link->is_seen);
        return;
    }
    if (!alone && s->has_hull)
        add_one(m, s, s->name, false, false, true);
    const char *name = alone ? s->name : carom_arena_format(m->tree.arena, "%s_drawn", s->name);
    m->tree.failed = m->tree.failed || !name;
    add_one(m, s, name ? name : "", true, alone, false);
}

/* ---- entry ---- */

void carom_robot_add_parts(maker *m)
{
    carom_robot *robot = m->robot;
    for (size_t k = 0; k < robot->link_count; k++)
        if (robot->links[k].holder == (int)k)
            add_body(m, (int)k);
    for (size_t k = 0; k < robot->link_count; k++)
        add_part(m, (int)k);
    for (size_t k = 0; k < robot->frame_count; k++)
        add_named_frame(m, &robot->frames[k]);
    for (size_t k = 0; k < robot->joint_count; k++)
        add_joint(m, (int)k);
    for (size_t k = 0; k < robot->joint_count; k++)
        add_mimic(m, (int)k);
    for (size_t k = 0; k < robot->closure_count; k++)
        add_closure(m, &robot->closures[k]);
    for (size_t k = 0; k < robot->shape_count; k++)
        add_shape(m, (int)k);
}
