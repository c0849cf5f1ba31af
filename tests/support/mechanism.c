#include "support/mechanism.h"

#include <math.h>
#include <stdarg.h>

/* ---- chance ---- */

static double between(uint64_t *seed, double low, double high) { return test_random(seed, low, high); }

static bool chance(uint64_t *seed, double share) { return between(seed, 0, 1) < share; }

static int below(uint64_t *seed, int count) { return (int)fmin(floor(between(seed, 0, count)), count - 1); }

static double log_between(uint64_t *seed, double low, double high) { return exp(between(seed, log(low), log(high))); }

/* ---- parts ---- */

static const carom_vec3 nowhere = {0, 0, 0};

static const char *const plane_shapes[] = {"sphere", "sphere", "box", "capsule"};
static const char *const space_shapes[] = {"sphere", "sphere", "box", "capsule", "cylinder", "ellipsoid"};

static void make_bodies(mechanism *m, uint64_t *seed)
{
    m->body_count = 1 + below(seed, MECHANISM_BODIES);
    for (int k = 0; k < m->body_count; k++) {
        mechanism_body *b = &m->body[k];
        const double x = between(seed, 0.1, 0.4), y = between(seed, 0.1, 0.4), z = between(seed, 0.1, 0.4);
        b->mass = log_between(seed, 0.2, 5);
        b->inertia[0] = b->mass * (y * y + z * z) / 5;
        b->inertia[1] = b->mass * (x * x + z * z) / 5;
        b->inertia[2] = b->mass * (x * x + y * y) / 5;
        b->at = test_random_vector(seed, m->dimension, 1);
        b->axes = test_random_axes(seed, m->dimension);
        b->radius = between(seed, 0.08, 0.25);
        b->shape = m->dimension == 2 ? plane_shapes[below(seed, CAROM_COUNT(plane_shapes))]
                                     : space_shapes[below(seed, CAROM_COUNT(space_shapes))];
        b->velocity = test_random_vector(seed, m->dimension, 2);
        b->spin = m->dimension == 3 ? test_random_vector(seed, 3, 3) : carom_v3(0, 0, between(seed, -5, 5));
    }
}

static const char *const plane_kinds[] = {"revolute", "revolute", "translational", "fixed"};
static const char *const space_kinds[] = {"revolute",  "translational", "cylindrical", "spherical",
                                          "universal", "planar",        "screw",       "fixed"};
static const char *const plane_closing[] = {"distance", "point-in-line", "revolute"};
static const char *const space_closing[] = {"distance", "point-in-plane", "spherical", "point-in-line", "universal"};

static bool is(const char *kind, const char *name) { return kind && strcmp(kind, name) == 0; }

static bool has_coordinate(const char *kind) { return is(kind, "revolute") || is(kind, "translational"); }

static void make_joint(mechanism *m, uint64_t *seed, const char *kind, int i, int j)
{
    mechanism_joint *g = &m->joint[m->joint_count++];
    const bool other_way = chance(seed, 0.4);
    *g = (mechanism_joint){.kind = kind, .i = other_way ? j : i, .j = other_way ? i : j};
    g->point = test_random_vector(seed, m->dimension, 1);
    const carom_vec3 way = carom_unit(test_random_vector(seed, m->dimension, 1));
    g->second = is(kind, "distance") ? carom_v3_add_scaled(g->point, between(seed, 0.3, 1), way) : g->point;
    g->axis = carom_unit(test_random_vector(seed, m->dimension, 1));
    g->axis2 = carom_unit(carom_v3_cross(g->axis, carom_v3(0.31, 0.52, -0.77)));
    g->pitch = is(kind, "screw") ? between(seed, 0.1, 0.7) : 0;
    if (has_coordinate(kind) && chance(seed, 0.2))
        g->armature = between(seed, 0.05, 1);
    if (has_coordinate(kind) && chance(seed, 0.2))
        g->friction = between(seed, 0.1, 0.5);
    /* travels are 0 at the start in every view, angles are not */
    if (is(kind, "translational") && chance(seed, 0.3))
        g->stop = between(seed, 0.05, 0.3);
    else if (is(kind, "translational") && !m->floats && chance(seed, 0.2))
        g->drive = between(seed, 0.05, 0.3);
    if (is(kind, "translational") && chance(seed, 0.3))
        g->spring = log_between(seed, 1e1, 1e4);
    if (m->dimension == 2 && is(kind, "revolute") && chance(seed, 0.15)) {
        g->play = between(seed, 1e-4, 2e-3);
        g->armature = g->friction = 0;
    }
}

static void make_joints(mechanism *m, uint64_t *seed)
{
    const bool plane = m->dimension == 2;
    for (int k = 0; k < m->body_count; k++) {
        const int parent = (int)floor(between(seed, m->floats ? 0 : -1, k));
        m->body[k].moves = true;
        if (chance(seed, 0.3) || parent == k)
            continue;
        const char *kind = plane ? plane_kinds[below(seed, CAROM_COUNT(plane_kinds))]
                                 : space_kinds[below(seed, CAROM_COUNT(space_kinds))];
        m->body[k].moves = false;
        make_joint(m, seed, kind, parent, k);
    }
    for (int k = 0; k < 2 && m->body_count > 1 && chance(seed, 0.35); k++) {
        const int i = below(seed, m->body_count), j = (i + 1) % m->body_count;
        make_joint(m, seed,
                   plane ? plane_closing[below(seed, CAROM_COUNT(plane_closing))]
                         : space_closing[below(seed, CAROM_COUNT(space_closing))],
                   i, j);
        /* what closes a loop binds the velocities of bodies that are free otherwise; one alone may have any where
           nothing holds it */
        for (int b = 0; b < m->body_count; b++)
            m->body[b].moves = m->floats && b == 0;
    }
}

static void make_loads(mechanism *m, uint64_t *seed)
{
    /* the last one turns against the frame of the other body, and ground does not turn with the view */
    static const char *const inner[] = {"spring", "damper", "line-force", "ligament", "bushing"};
    static const char *const outer[] = {"force", "torque"};
    for (int k = 0; k < MECHANISM_LOADS && chance(seed, 0.5); k++) {
        mechanism_load *l = &m->load[m->load_count++];
        *l = (mechanism_load){.i = below(seed, m->body_count)};
        const int other = (int)floor(between(seed, m->floats ? 0 : -1, m->body_count));
        const bool within = other != l->i && chance(seed, m->floats ? 1 : 0.7);
        const int kinds = (int)CAROM_COUNT(inner) - (other < 0);
        l->kind = within ? inner[below(seed, kinds)] : outer[below(seed, CAROM_COUNT(outer))];
        l->j = within ? other : -1;
        l->left_out = m->floats && !within;
        l->point = carom_v3_add(m->body[l->i].at, test_random_vector(seed, m->dimension, 0.3));
        l->second = l->j < 0 ? test_random_vector(seed, m->dimension, 1)
                             : carom_v3_add(m->body[l->j].at, test_random_vector(seed, m->dimension, 0.3));
        l->vector = is(l->kind, "torque") && m->dimension == 2 ? carom_v3(0, 0, between(seed, -3, 3))
                                                               : test_random_vector(seed, m->dimension, 5);
        l->stiffness = log_between(seed, 1e1, 1e4);
        l->damping = chance(seed, 0.5) ? log_between(seed, 0.1, 30) : 0;
    }
}

static void make_contacts(mechanism *m, uint64_t *seed)
{
    static const char *const laws[] = {"flores", "hunt-crossley", "lankarani-nikravesh", "gonthier", "hertz"};
    static const char *const frictions[] = {NULL, NULL, "coulomb", "ambrosio", "threlfall", "lugre"};
    double lowest = 0;
    m->up = m->dimension == 2 ? carom_unit(carom_v3(between(seed, -0.3, 0.3), 1, 0))
                              : carom_unit(carom_v3(between(seed, -0.3, 0.3), between(seed, -0.3, 0.3), 1));
    for (int k = 0; k < m->body_count; k++)
        lowest = fmin(lowest, carom_v3_dot(m->body[k].at, m->up) - m->body[k].radius);
    m->floor = carom_v3_scale(lowest - 0.02, m->up);
    for (int k = 0; k < MECHANISM_CONTACTS && chance(seed, 0.85); k++) {
        const int i = below(seed, m->body_count), j = (int)floor(between(seed, m->floats ? 0 : -1, m->body_count));
        bool taken = j == i;
        for (int n = 0; n < m->contact_count; n++)
            taken |= (m->contact[n].i == i && m->contact[n].j == j) || (m->contact[n].i == j && m->contact[n].j == i);
        for (int n = 0; n < m->joint_count; n++)
            taken |=
                j >= 0 && ((m->joint[n].i == i && m->joint[n].j == j) || (m->joint[n].i == j && m->joint[n].j == i));
        if (taken || (j >= 0 && carom_v3_norm(carom_v3_sub(m->body[i].at, m->body[j].at)) <
                                    1.02 * (m->body[i].radius + m->body[j].radius)))
            continue;
        mechanism_contact *c = &m->contact[m->contact_count++];
        *c = (mechanism_contact){.i = i, .j = j, .law = laws[below(seed, CAROM_COUNT(laws))]};
        c->friction = frictions[below(seed, CAROM_COUNT(frictions))];
        c->stiffness = log_between(seed, 1e5, 1e9);
        c->restitution = between(seed, 0.3, 0.95);
        c->kinetic = between(seed, 0.05, 0.6);
    }
}

mechanism mechanism_random(uint64_t seed)
{
    mechanism m = {.seed = seed, .until = 0.8};
    uint64_t chain = 0x9e3779b97f4a7c15u * (seed + 1);
    m.dimension = chance(&chain, 0.4) ? 2 : 3;
    m.floats = chance(&chain, 0.3);
    m.gravity = m.floats ? nowhere : test_random_vector(&chain, m.dimension, 10);
    make_bodies(&m, &chain);
    make_joints(&m, &chain);
    make_loads(&m, &chain);
    make_contacts(&m, &chain);
    /* what rattles takes many steps */
    for (int k = 0; k < m.joint_count; k++)
        m.until = m.joint[k].play > 0 ? 0.25 : m.until;
    /* what falls, falls onto the floor */
    if (!m.floats && m.contact_count)
        m.gravity = carom_v3_add_scaled(m.gravity, -2 * fmax(0, carom_v3_dot(m.gravity, m.up)), m.up);
    return m;
}

/* ---- views ---- */

mechanism_view mechanism_as_is(void) { return (mechanism_view){.turn = carom_m3_identity()}; }

static carom_vec3 mirrored(const mechanism_view *view, carom_vec3 v)
{
    return carom_v3(v.x, view->mirror ? -v.y : v.y, v.z);
}

carom_vec3 mechanism_vector(const mechanism_view *view, carom_vec3 v)
{
    return carom_m3_apply(&view->turn, mirrored(view, v));
}

carom_vec3 mechanism_place(const mechanism_view *view, carom_vec3 p)
{
    return carom_v3_add(mechanism_vector(view, p), view->move);
}

carom_vec3 mechanism_spin(const mechanism_view *view, carom_vec3 w)
{
    return carom_v3_scale(view->mirror ? -1 : 1, mechanism_vector(view, w));
}

carom_mat3 mechanism_axes(const mechanism_view *view, const carom_mat3 *axes)
{
    carom_vec3 g = mechanism_vector(view, carom_m3_column(axes, 1));
    g = view->mirror ? carom_v3_scale(-1, g) : g;
    return carom_m3_columns(mechanism_vector(view, carom_m3_column(axes, 0)), g,
                            mechanism_vector(view, carom_m3_column(axes, 2)));
}

const char *mechanism_name(const mechanism_view *view, int body, char *out, size_t size)
{
    if (view->reversed)
        snprintf(out, size, "%c_part", 'z' - body);
    else
        snprintf(out, size, "b%d", body);
    return out;
}

/* ---- the model file ---- */

typedef struct writer {
    const mechanism *m;
    const mechanism_view *view;
    char *out;
    size_t length;
} writer;

static void put(writer *w, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    const int n = vsnprintf(w->out + w->length, MECHANISM_TEXT - w->length, format, list);
    va_end(list);
    assert_true(n >= 0 && (size_t)n < MECHANISM_TEXT - w->length);
    w->length += (size_t)n;
}

static void put_vector(writer *w, const char *before, carom_vec3 v)
{
    put(w, w->m->dimension == 2 ? "%s[%.15g, %.15g]" : "%s[%.15g, %.15g, %.15g]", before, v.x, v.y, v.z);
}

/* An angular velocity or a torque. */
static void put_spin(writer *w, const char *before, carom_vec3 v)
{
    const carom_vec3 spin = mechanism_spin(w->view, v);
    if (w->m->dimension == 3)
        put_vector(w, before, spin);
    else
        put(w, "%s%.15g", before, spin.z);
}

/* A point of the world on a body. */
static void put_frame(writer *w, int body, carom_vec3 point)
{
    char name[16];
    carom_vec3 local = mechanism_place(w->view, point);
    if (body >= 0) {
        const carom_mat3 axes = mechanism_axes(w->view, &w->m->body[body].axes);
        local = carom_m3_apply_t(&axes, carom_v3_sub(local, mechanism_place(w->view, w->m->body[body].at)));
    }
    put(w, "{%s: ", body < 0 ? "ground" : mechanism_name(w->view, body, name, sizeof name));
    put_vector(w, "", local);
    put(w, "}");
}

static void put_body(writer *w, int k)
{
    const mechanism_body *b = &w->m->body[k];
    char name[16];
    const carom_mat3 axes = mechanism_axes(w->view, &b->axes);
    put(w, "  %s: {mass: %.15g", mechanism_name(w->view, k, name, sizeof name), b->mass);
    put_vector(w, ", at: ", mechanism_place(w->view, b->at));
    if (w->m->dimension == 2) {
        put(w, ", inertia: %.15g, angle: %.15g", b->inertia[2], atan2(axes.m[1][0], axes.m[0][0]));
    } else {
        const carom_quat q = carom_quat_from_axes(&axes);
        put(w, ", inertia: [%.15g, %.15g, %.15g], orientation: [%.15g, %.15g, %.15g, %.15g]", b->inertia[0],
            b->inertia[1], b->inertia[2], q.w, q.x, q.y, q.z);
    }
    if (b->moves) {
        put_vector(w, ", velocity: ", mechanism_vector(w->view, b->velocity));
        put_spin(w, ", angular_velocity: ", b->spin);
    }
    put(w, "}\n");
}

static void put_joint(writer *w, int k)
{
    const mechanism_joint *g = &w->m->joint[k];
    const bool plane = w->m->dimension == 2;
    put(w, "  j%d: {type: %s, between: [", w->view->reversed ? 90 - k : k, g->kind);
    put_frame(w, g->i, g->point);
    put(w, ", ");
    put_frame(w, g->j, g->second);
    put(w, "]");
    if (!is(g->kind, "spherical") && !is(g->kind, "fixed") && !is(g->kind, "distance") &&
        !(plane && is(g->kind, "revolute")))
        put_vector(w, ", axis: ", mechanism_vector(w->view, g->axis));
    if (is(g->kind, "universal"))
        put_vector(w, ", axis2: ", mechanism_vector(w->view, g->axis2));
    if (g->pitch > 0)
        put(w, ", pitch: %.15g", w->view->mirror ? -g->pitch : g->pitch);
    if (g->armature > 0)
        put(w, ", armature: %.15g", g->armature);
    if (g->friction > 0)
        put(w, ", friction: {law: ambrosio, kinetic: %.15g%s}", g->friction,
            is(g->kind, "revolute") ? ", radius: 0.02" : "");
    if (g->stop > 0)
        put(w, ", limits: {lower: %.15g, upper: %.15g, stiffness: 1e5, restitution: 0.4}", -g->stop, g->stop);
    if (g->drive > 0)
        put(w, ", motion: \"%.15g*m*sin(5*t/s)\"", g->drive);
    if (g->play > 0)
        put(w,
            ", clearance: {radial: %.15g, radius: 0.02, normal: {law: flores, stiffness: 1e8, restitution: 0.7}, "
            "friction: {law: ambrosio, kinetic: 0.1}}",
            g->play);
    if (g->spring > 0)
        put(w, ", spring: {stiffness: %.15g}", g->spring);
    put(w, "}\n");
}

static void put_load(writer *w, int k)
{
    const mechanism_load *l = &w->m->load[k];
    const bool plane = w->m->dimension == 2;
    put(w, "  l%d: {type: %s, ", w->view->reversed ? 90 - k : k, l->kind);
    if (is(l->kind, "force") || is(l->kind, "torque")) {
        put(w, "on: ");
        put_frame(w, l->i, l->point);
        if (is(l->kind, "torque"))
            put_spin(w, ", torque: ", l->vector);
        else
            put_vector(w, ", force: ", mechanism_vector(w->view, l->vector));
        put(w, "}\n");
        return;
    }
    put(w, "between: [");
    put_frame(w, l->i, l->point);
    put(w, ", ");
    put_frame(w, l->j, l->second);
    put(w, "]");
    if (is(l->kind, "spring") || is(l->kind, "ligament"))
        put(w, ", stiffness: %.15g, damping: %.15g", l->stiffness, l->damping);
    else if (is(l->kind, "damper"))
        put(w, ", damping: %.15g", l->damping + 0.1);
    else if (is(l->kind, "line-force"))
        put(w, ", force: \"%.15g*N*sin(7*t/s)\"", l->vector.x);
    else
        put(w,
            plane ? ", stiffness: [%.15g, %.15g], turn_damping: %.15g"
                  : ", stiffness: [%.15g, %.15g, 30], turn_damping: [%.15g, 0.2, 0.1]",
            l->stiffness, 0.3 * l->stiffness, l->damping);
    put(w, "}\n");
}

static void put_contact(writer *w, int k)
{
    const mechanism_contact *c = &w->m->contact[k];
    put(w, "  c%d: {between: [s%d, ", w->view->reversed ? 90 - k : k, c->i);
    if (c->j < 0)
        put(w, "floor]");
    else
        put(w, "s%d]", c->j);
    put(w, ", normal: {law: %s, stiffness: %.15g", c->law, c->stiffness);
    if (!is(c->law, "hertz"))
        put(w, ", restitution: %.15g", c->restitution);
    put(w, "}");
    if (c->friction)
        put(w, ", friction: {law: %s, kinetic: %.15g}", c->friction, c->kinetic);
    put(w, "}\n");
}

/* A heading before the first of the parts that are there, and these in their order, or the other way round. */
#define put_list(w, heading, count, list, function)                 \
    do {                                                            \
        bool any = false;                                           \
        for (int n = 0; n < (count); n++) {                         \
            const int at = (w)->view->reversed ? (count)-1 - n : n; \
            if ((list)[at].left_out)                                \
                continue;                                           \
            put(w, "%s", any ? "" : heading);                       \
            any = true;                                             \
            function(w, at);                                        \
        }                                                           \
    } while (0)

static void put_shape(writer *w, int k)
{
    char name[16];
    const mechanism_body *b = &w->m->body[k];
    const double r = b->radius;
    put(w, "  s%d: {type: %s, on: %s", k, b->shape, mechanism_name(w->view, k, name, sizeof name));
    if (is(b->shape, "box"))
        put_vector(w, ", size: ", carom_v3(1.6 * r, r, 0.7 * r));
    else if (is(b->shape, "ellipsoid"))
        put_vector(w, ", half_axes: ", carom_v3(0.6 * r, 0.8 * r, r));
    else if (is(b->shape, "cylinder"))
        put(w, ", radius: %.15g, length: %.15g", 0.6 * r, 1.4 * r);
    else if (is(b->shape, "capsule")) {
        put_vector(w, ", from: ", carom_v3(-0.7 * r, 0, 0));
        put_vector(w, ", to: ", carom_v3(0.7 * r, 0, 0));
        put(w, ", radius: %.15g", 0.3 * r);
    } else {
        put(w, ", radius: %.15g", r);
    }
    put(w, "}\n");
}

void mechanism_write(const mechanism *m, const mechanism_view *view, char *out)
{
    writer w = {m, view, out, 0};
    put(&w, "carom: 1\ndimension: %d\n", m->dimension);
    put_vector(&w, "gravity: ", mechanism_vector(view, m->gravity));
    put(&w, "\n");
    put_list(&w, "bodies:\n", m->body_count, m->body, put_body);
    put_list(&w, "joints:\n", m->joint_count, m->joint, put_joint);
    put(&w, "shapes:\n  floor: {type: plane, on: ground");
    put_vector(&w, ", at: ", mechanism_place(view, m->floor));
    put_vector(&w, ", normal: ", mechanism_vector(view, m->up));
    put(&w, "}\n");
    put_list(&w, "", m->body_count, m->body, put_shape);
    put_list(&w, "contacts:\n", m->contact_count, m->contact, put_contact);
    put_list(&w, "loads:\n", m->load_count, m->load, put_load);
    put(&w, "run: {until: %.15g", m->until);
    if (view->tolerance > 0)
        put(&w, ", tolerance: %.3g", view->tolerance);
    if (view->formulation)
        put(&w, ", formulation: %s", view->formulation);
    if (view->integrator)
        put(&w, ", integrator: %s", view->integrator);
    put(&w, "}\n");
}

/* ---- smaller ones ---- */

int mechanism_parts(const mechanism *m)
{
    return 2 * m->body_count + 6 * m->joint_count + m->load_count + 2 * m->contact_count + 1;
}

static bool leave(bool *left_out)
{
    const bool there = !*left_out;
    *left_out = true;
    return there;
}

static bool leave_body(mechanism *m, int k)
{
    int others = 0;
    for (int n = 0; n < m->body_count; n++)
        others += n != k && !m->body[n].left_out;
    if (!others || !leave(&m->body[k].left_out))
        return false;
    for (int n = 0; n < m->joint_count; n++)
        m->joint[n].left_out |= m->joint[n].i == k || m->joint[n].j == k;
    for (int n = 0; n < m->load_count; n++)
        m->load[n].left_out |= m->load[n].i == k || m->load[n].j == k;
    for (int n = 0; n < m->contact_count; n++)
        m->contact[n].left_out |= m->contact[n].i == k || m->contact[n].j == k;
    return true;
}

static bool leave_number(double *number)
{
    const bool there = *number != 0;
    *number = 0;
    return there;
}

bool mechanism_leave_out(mechanism *m, int k)
{
    if (k < 2 * m->body_count) {
        if (k % 2 == 0)
            return leave_body(m, k / 2);
        const bool round = m->body[k / 2].left_out || is(m->body[k / 2].shape, "sphere");
        m->body[k / 2].shape = "sphere";
        return !round;
    }
    k -= 2 * m->body_count;
    if (k < 6 * m->joint_count) {
        mechanism_joint *g = &m->joint[k / 6];
        double *const numbers[] = {&g->armature, &g->friction, &g->spring, &g->stop, &g->play};
        return !g->left_out && (k % 6 ? leave_number(numbers[k % 6 - 1]) : leave(&g->left_out));
    }
    k -= 6 * m->joint_count;
    if (k < m->load_count)
        return leave(&m->load[k].left_out);
    k -= m->load_count;
    if (k < 2 * m->contact_count) {
        mechanism_contact *c = &m->contact[k / 2];
        if (k % 2 == 0)
            return leave(&c->left_out);
        const bool there = !c->left_out && c->friction;
        c->friction = NULL;
        return there;
    }
    const bool there = carom_v3_norm(m->gravity) > 0;
    m->gravity = nowhere;
    return there;
}
