#include "support/outside.h"

#include <math.h>

/* Name, title and the rest of the texts. */
static void describe(carom_kind_def *kind, const char *name, const char *title, const carom_param_row *params,
                     size_t count)
{
    kind->name = name;
    kind->title = title;
    kind->formula = "that of the built-in kind";
    kind->source = "The built-in kind of the family";
    kind->validity = "As the built-in kind's.";
    kind->params = params;
    kind->param_count = count;
}

/* ---- normal forces ---- */

static double share = 1; /* `user` of the laws: a factor of the force, to see that it arrives */

static const char *power_prepare(void *user, const double *p, const carom_contact_geometry *geometry, double *c)
{
    (void)geometry;
    c[0] = *(const double *)user * p[0];
    c[1] = p[1];
    return NULL;
}

static void power_force(void *user, const double *c, const double *history, double delta, carom_elastic_force *out)
{
    (void)user;
    (void)history;
    *out = (carom_elastic_force){0};
    if (!(delta > 0))
        return;
    const double secant = c[1] == 1.5 ? c[0] * sqrt(delta) : c[0] * pow(delta, c[1] - 1);
    out->force = secant * delta;
    out->slope = c[1] * secant;
    out->energy = c[1] == 1.5 ? 0.4 * out->force * delta : out->force * delta / (c[1] + 1);
}

static double hunt_factor(void *user, double e) { return *(const double *)user * 1.5 * (1 - e); }

static const char *hunt_prepare(void *user, const double *p, double *c)
{
    c[0] = hunt_factor(user, p[0]);
    return NULL;
}

static double hunt_ratio(void *user, const double *c, double v0)
{
    (void)user;
    (void)v0;
    return c[0];
}

static void hunt_force(void *user, const double *c, const carom_damping_input *in, carom_damping_force *out)
{
    const double a = c[0] / in->v0;
    (void)user;
    out->force = in->elastic * a * in->rate;
    out->d_delta = in->elastic_slope * a * in->rate;
    out->d_rate = in->elastic * a;
}

static const char *whole_prepare(void *user, const double *p, const carom_contact_geometry *geometry, double *c)
{
    (void)user;
    (void)geometry;
    c[0] = p[0];
    c[1] = 1.5 * (1 - p[1]);
    return NULL;
}

/* K delta^1.5 (1 + A rate/v0) */
static void whole_force(void *user, const double *c, const carom_normal_input *in, carom_normal_force *out)
{
    (void)user;
    *out = (carom_normal_force){0};
    if (!(in->delta > 0))
        return;
    const double slope = c[0] * sqrt(in->delta), elastic = slope * in->delta, damped = 1 + c[1] * in->rate / in->v0;
    *out = (carom_normal_force){elastic * damped, 1.5 * slope * damped, elastic * c[1] / in->v0,
                                0.4 * elastic * in->delta};
}

static carom_status register_laws(carom_context *ctx)
{
    static const carom_param_row power[] = {
        {"stiffness", "N/m^n", 1, CAROM_PARAM_REQUIRED | CAROM_PARAM_ABOVE, 0, 0, HUGE_VAL, "Stiffness K."},
        {"exponent", "-", 1, 0, 1.5, 1, HUGE_VAL, "Exponent n of the indentation."}};
    static const carom_param_row restitution[] = {
        {"restitution", "-", 1, CAROM_PARAM_REQUIRED, 0, 0, 1, "Coefficient of restitution e asked for."}};
    static const carom_param_row whole[] = {
        {"K", "N/m^n", 1, CAROM_PARAM_REQUIRED | CAROM_PARAM_ABOVE, 0, 0, HUGE_VAL, "Stiffness K."},
        {"restitution", "-", 1, CAROM_PARAM_REQUIRED, 0, 0, 1, "Coefficient of restitution e asked for."}};
    carom_elastic_kind_def elastic = carom_default_elastic_kind_def();
    describe(&elastic.kind, "outside-power", "Power law of the indentation, from outside.", power, 2);
    elastic.kind.user = &share;
    elastic.power_law = true;
    elastic.prepare = power_prepare;
    elastic.force = power_force;
    carom_status status = carom_register_elastic(ctx, &elastic);

    carom_damping_kind_def damping = carom_default_damping_kind_def();
    describe(&damping.kind, "outside-hunt", "Damping of Hunt and Crossley, from outside.", restitution, 1);
    damping.kind.user = &share;
    damping.takes_restitution = true;
    damping.factor = hunt_factor;
    damping.ratio = hunt_ratio;
    damping.prepare = hunt_prepare;
    damping.force = hunt_force;
    status = status == CAROM_OK ? carom_register_damping(ctx, &damping) : status;

    carom_law_kind_def law = carom_default_law_kind_def();
    describe(&law.kind, "outside-hunt", "Law of Hunt and Crossley, from outside.", NULL, 0);
    law.elastic = "outside-power";
    law.damping = "outside-hunt";
    status = status == CAROM_OK ? carom_register_law(ctx, &law) : status;

    carom_normal_kind_def force = carom_default_normal_kind_def();
    describe(&force.kind, "outside-whole", "The same as one function.", whole, 2);
    force.prepare = whole_prepare;
    force.force = whole_force;
    return status == CAROM_OK ? carom_register_normal(ctx, &force) : status;
}

/* ---- friction ---- */

static const char *friction_prepare(void *user, const double *p, const carom_contact_geometry *geometry, double *c)
{
    (void)user;
    (void)geometry;
    c[0] = c[1] = p[0];
    c[2] = p[1];
    return NULL;
}

static double friction_map(void *user, const double *c, double speed, double normal)
{
    (void)user;
    return c[0] * normal * (speed > c[2] ? -expm1(-3) : -expm1(-3 * speed / c[2]));
}

static double friction_cone(void *user, const double *c)
{
    (void)user;
    return -expm1(-3) * c[0];
}

static carom_status register_friction(carom_context *ctx)
{
    static const carom_param_row params[] = {
        {"kinetic", "-", 1, CAROM_PARAM_REQUIRED, 0, 0, HUGE_VAL, "Coefficient of friction."},
        {"transition_speed", "m/s", 1, CAROM_PARAM_ABOVE, 1e-3, 0, HUGE_VAL, "Slip at which the force is 95 %."}};
    carom_friction_kind_def def = carom_default_friction_kind_def();
    describe(&def.kind, "outside-friction", "Threlfall's friction, from outside.", params, 2);
    def.prepare = friction_prepare;
    def.map = friction_map;
    def.cone = friction_cone;
    return carom_register_friction(ctx, &def);
}

/* ---- joint ---- */

static carom_vec3 column(const carom_mat3 *a, int k) { return (carom_vec3){a->m[0][k], a->m[1][k], a->m[2][k]}; }

static void hinge_rows(void *user, const carom_joint_input *in, carom_row *out)
{
    const carom_frame_pose *i = in->i, *j = in->j;
    (void)user;
    carom_row_point(i, j, in->dimension, out);
    if (in->dimension < 3)
        return;
    carom_row_perpendicular(i, column(&i->axes, 0), j, column(&j->axes, 2), out + 3);
    carom_row_perpendicular(i, column(&i->axes, 1), j, column(&j->axes, 2), out + 4);
}

static void hinge_coordinate(void *user, const double *p, const carom_frame_pose *i, const carom_frame_pose *j,
                             int dimension, carom_row *out)
{
    (void)user;
    (void)p;
    carom_row_angle(i, j, dimension, out);
}

/* The pin alone: no collar, no length. */
static int hinge_slips(void *user, const double *size, const carom_joint_input *in, int site, carom_row *out)
{
    if (site > 0)
        return 0;
    carom_row_spin(in->i, column(&in->i->axes, 2), in->i->w, in->j, *(const double *)user * size[CAROM_FRICTION_RADIUS],
                   out);
    return 1;
}

static int hinge_bearings(void *user, const double *size, const carom_joint_input *in, int site, carom_vec3 force,
                          carom_vec3 moment, carom_vec3 *out)
{
    const carom_vec3 h = column(&in->i->axes, 2);
    const double along = force.x * h.x + force.y * h.y + force.z * h.z;
    (void)user;
    (void)size;
    (void)site;
    (void)moment;
    *out = force;
    if (in->dimension == 3)
        *out = (carom_vec3){force.x - along * h.x, force.y - along * h.y, force.z - along * h.z};
    return 1;
}

/* A journal in its bearing, in the plane. */
static void hinge_parts(void *user, const double *size, int dimension, carom_clearance_parts *out)
{
    const double radial = *(const double *)user * size[CAROM_CLEARANCE_RADIAL], radius = size[CAROM_CLEARANCE_RADIUS];
    (void)dimension;
    out->shapes[0] = (carom_clearance_shape){.name = "bearing", .type = "sphere", .radius = -(radius + radial)};
    out->shapes[1] = (carom_clearance_shape){.name = "journal", .type = "sphere", .side = 1, .radius = radius};
    out->contacts[0][0] = 0;
    out->contacts[0][1] = 1;
    out->shape_count = 2;
    out->contact_count = 1;
    out->play = radial;
}

static carom_status register_joint(carom_context *ctx)
{
    static const carom_joint_friction_kind friction = {
        .needs = {1u << CAROM_FRICTION_RADIUS, 1u << CAROM_FRICTION_RADIUS},
        .slip_types = CAROM_SLIPS_TURN,
        .slips = hinge_slips,
        .bearings = hinge_bearings};
    static const carom_joint_clearance_kind clearance = {
        .needs = {1u << CAROM_CLEARANCE_RADIAL | 1u << CAROM_CLEARANCE_RADIUS}, .parts = hinge_parts};
    carom_joint_kind_def def = carom_default_joint_kind_def();
    describe(&def.kind, "outside-hinge", "Hinge, from outside.", NULL, 0);
    def.rows_2d = 2;
    def.rows_3d = 5;
    def.has_axis = true;
    def.coordinate_unit = "rad";
    def.rows = hinge_rows;
    def.coordinate = hinge_coordinate;
    def.kind.user = &share;
    def.clearance = &clearance;
    def.friction = &friction;
    return carom_register_joint(ctx, &def);
}

/* ---- shape and pair ---- */

static double disc_bound(void *user, const double *p)
{
    (void)user;
    return p[0];
}

static void disc_mesh(void *user, const double *p, bool planar, double reach, const carom_mesh_sink *sink)
{
    const carom_vec3 normal = {0, 0, 1};
    (void)user;
    (void)planar;
    (void)reach;
    for (int k = 0; k < 32; k++)
        sink->point(sink->user,
                    (carom_vec3){p[0] * cos(0.19634954084936207 * k), p[0] * sin(0.19634954084936207 * k), 0}, normal);
    sink->point(sink->user, (carom_vec3){0, 0, 0}, normal);
    for (int k = 0; k < 32; k++) {
        sink->line(sink->user, k, (k + 1) % 32);
        sink->triangle(sink->user, 32, k, (k + 1) % 32);
    }
}

static double dot(carom_vec3 a, carom_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static carom_vec3 minus(carom_vec3 a, carom_vec3 b) { return (carom_vec3){a.x - b.x, a.y - b.y, a.z - b.z}; }
static carom_vec3 times(double s, carom_vec3 a) { return (carom_vec3){s * a.x, s * a.y, s * a.z}; }

/* The normal of a plane, its parameter, in world axes. */
static carom_vec3 plane_normal(const carom_shape_pose *plane)
{
    const carom_vec3 n = {plane->p[0], plane->p[1], plane->p[2]};
    const double(*m)[3] = plane->axes.m;
    const carom_vec3 w = {m[0][0] * n.x + m[0][1] * n.y + m[0][2] * n.z, m[1][0] * n.x + m[1][1] * n.y + m[1][2] * n.z,
                          m[2][0] * n.x + m[2][1] * n.y + m[2][2] * n.z};
    return times(1 / sqrt(dot(w, w)), w);
}

static void disc_gap(void *user, const carom_shape_pose *i, const carom_shape_pose *j, carom_pair_point *out)
{
    const carom_vec3 n = plane_normal(j);
    (void)user;
    out->gap = dot(n, minus(i->origin, j->origin)) - i->p[0];
    out->normal = times(-1, n);
    out->from_i = times(-i->p[0], n);
    out->point = minus(i->origin, times(i->p[0], n));
    out->from_j = minus(out->point, j->origin);
}

static carom_vec3 disc_normal_rate(void *user, const carom_shape_pose *i, const carom_shape_pose *j)
{
    const carom_vec3 n = plane_normal(j), w = j->spin;
    (void)user;
    (void)i;
    return times(-1, (carom_vec3){w.y * n.z - w.z * n.y, w.z * n.x - w.x * n.z, w.x * n.y - w.y * n.x});
}

static void disc_curvature(void *user, const double *pi, const double *pj, double *radius_i, double *radius_j)
{
    (void)user;
    (void)pj;
    *radius_i = pi[0];
    *radius_j = HUGE_VAL;
}

static double disc_feature(void *user, const double *pi, const double *pj)
{
    (void)user;
    (void)pj;
    return pi[0];
}

static carom_status register_shape(carom_context *ctx)
{
    static const carom_param_row params[] = {
        {"radius", "m", 1, CAROM_PARAM_REQUIRED | CAROM_PARAM_ABOVE, 0, 0, HUGE_VAL, "Radius."}};
    carom_shape_kind_def shape = carom_default_shape_kind_def();
    describe(&shape.kind, "outside-disc", "Disc, from outside.", params, 1);
    shape.in_2d = shape.isotropic = true;
    shape.bounding_radius = disc_bound;
    shape.mesh = disc_mesh;
    carom_pair_kind_def pair = carom_default_pair_kind_def();
    describe(&pair.kind, "outside-disc-plane", "Disc on a line, from outside.", NULL, 0);
    pair.shape_i = "outside-disc";
    pair.shape_j = "plane";
    pair.gap = disc_gap;
    pair.normal_rate = disc_normal_rate;
    pair.curvature = disc_curvature;
    pair.feature_size = disc_feature;
    const carom_status status = carom_register_shape(ctx, &shape);
    return status == CAROM_OK ? carom_register_pair(ctx, &pair) : status;
}

/* ---- load, stabilization ---- */

static void damper_apply(void *user, const carom_load_input *in, carom_load_output *out)
{
    const carom_vec3 d = minus(in->j.p, in->i.p);
    const double length = sqrt(dot(d, d));
    (void)user;
    if (!(length > 0))
        return;
    const carom_vec3 u = times(1 / length, d);
    const double rate = dot(u, minus(in->j.v, in->i.v)), force = in->p[0] * rate;
    out->force_i = times(force, u);
    out->force_j = times(-force, u);
    out->dissipation = force * rate;
}

static double decay(void *user, const double *p, double phi, double phi_rate)
{
    (void)user;
    return 2 * p[0] * phi_rate + p[0] * p[0] * phi;
}

static carom_status register_others(carom_context *ctx)
{
    static const carom_param_row damping[] = {
        {"damping", "N s/m", 1, CAROM_PARAM_REQUIRED, 0, 0, HUGE_VAL, "Force per rate of the length."}};
    static const carom_param_row gain[] = {{"alpha", "1/s", 1, 0, 50, 0, 1e6, "Rate of decay of the violations."}};
    carom_load_kind_def load = carom_default_load_kind_def();
    describe(&load.kind, "outside-damper", "Damper between two points, from outside.", damping, 1);
    load.frame_count = 2;
    load.drawn = "dashpot";
    load.apply = damper_apply;
    carom_stabilization_kind_def method = carom_default_stabilization_kind_def();
    describe(&method.kind, "outside-decay", "Baumgarte's method with one gain, from outside.", gain, 1);
    method.correction = decay;
    const carom_status status = carom_register_load(ctx, &load);
    return status == CAROM_OK ? carom_register_stabilization(ctx, &method) : status;
}

carom_status register_outside(carom_context *ctx)
{
    carom_status (*const families[])(carom_context *) = {register_laws, register_friction, register_joint,
                                                         register_shape, register_others};
    for (size_t k = 0; k < sizeof families / sizeof families[0]; k++) {
        const carom_status status = families[k](ctx);
        if (status != CAROM_OK)
            return status;
    }
    return CAROM_OK;
}
