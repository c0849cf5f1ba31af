/* Forces of a block of contacts: geometry, normal force, friction, and the wrenches of the bodies. Each stage is a loop
   over the columns, of the kinds that have one over a batch, or calls the kind for each. The composition of a normal
   force is that of carom_episode_force(). */
#include "dynamics/contact/contact_set.h"

#include <math.h>
#include <string.h>

/* ---- geometry ---- */

static bool is_open(const carom_set_block *k, int n) { return k->episode[n] >= 0; }

/* Where nothing is looked at. */
static void set_apart(carom_batch *b, int n)
{
    b->gap[n] = 1;
    b->gap_rate[n] = b->about[n] = b->less[n] = 0;
    carom_batch_store(b->normal, n, carom_v3(0, 0, 0));
    carom_batch_store(b->slip, n, carom_v3(0, 0, 0));
}

static void geometry_by_column(const carom_evaluation *d, const carom_state *s, const carom_set_block *k, bool step,
                               carom_batch *b)
{
    const carom_model_contact *c = k->law;
    for (int n = 0; n < k->count; n++) {
        const int *const member[2] = {k->member[0], k->member[1]};
        const bool looked_at =
            is_open(k, n) ||
            (step && carom_broad_near(d->system->sets->broad, member[0][n], member[1][n], k->reach[n], d->pose));
        if (!looked_at) {
            set_apart(b, n);
            continue;
        }
        const carom_body_pose *i = &d->pose[k->body[0][n]], *j = &d->pose[k->body[1][n]];
        const double *near_places = c->pair->varies && is_open(k, n) ? s->episodes[k->episode[n]].parameter : NULL;
        carom_shape_pose shape_i, shape_j;
        carom_pair_point pair = {.common = true};
        const carom_vec3 offset_i = carom_batch_pose(k->shape[0][n], i, &shape_i);
        const carom_vec3 offset_j = carom_batch_pose(k->shape[1][n], j, &shape_j);
        if (near_places) {
            shape_i.near = &near_places[c->swapped ? 1 : 0];
            shape_j.near = &near_places[c->swapped ? 0 : 1];
        }
        carom_model_gap(c, k->point[n], &shape_i, &shape_j, &pair);
        carom_batch_place(b, n, i, j, offset_i, offset_j, &pair);
        b->less[n] = pair.less;
        b->place[0][n] = pair.place_i;
        b->place[1][n] = pair.place_j;
    }
}

/* ---- normal force ---- */

static const double *constants_of(const carom_state *s, const carom_set_block *k, int n)
{
    return k->law->varies && is_open(k, n) ? s->episodes[k->episode[n]].elastic : k->law->law.elastic_constants;
}

static void elastic(const carom_state *s, const carom_set_block *k, carom_batch *b)
{
    const carom_normal_law *law = &k->law->law;
    if (law->elastic->batch && !k->law->varies) {
        law->elastic->batch(law->elastic_constants, b);
        return;
    }
    memset(b->elastic, 0, sizeof b->elastic);
    memset(b->slope, 0, sizeof b->slope);
    memset(b->energy, 0, sizeof b->energy);
    memset(b->loss, 0, sizeof b->loss);
    for (int n = 0; n < k->count; n++) {
        carom_elastic_force f;
        if (!(b->delta[n] > 0))
            continue;
        const double *history = s->episodes[k->episode[n]].history;
        CAROM_KIND_CALL(law->elastic, force, constants_of(s, k, n), history, b->delta[n], &f);
        b->elastic[n] = f.force;
        b->slope[n] = f.slope;
        b->energy[n] = f.energy;
        b->loss[n] = f.loss;
    }
}

/* While it follows, v0 is what the state of a compression asks for. */
static void follow_velocity(const carom_set_block *k, carom_batch *b)
{
    const carom_normal_law *law = &k->law->law;
    for (int n = 0; n < k->count; n++) {
        if (!(b->delta[n] > 0) || k->compressing[n] < CAROM_FOLLOWING)
            continue;
        const double v = carom_normal_followed_velocity(-b->gap_rate[n], k->mass[n], b->energy[n]);
        const double followed = fmax(v, law->minimum_speed);
        if (followed > b->v0[n]) {
            b->v0[n] = followed;
            b->gain[n] = carom_normal_gain(law, followed);
        }
    }
}

static void damping(const carom_state *s, const carom_set_block *k, carom_batch *b)
{
    const carom_normal_law *law = &k->law->law;
    if (law->damping->ratio) {
        for (int n = 0; n < CAROM_BATCH; n++)
            b->damping[n] = b->elastic[n] * (b->gain[n] * -b->gap_rate[n]) + 0.0;
    } else if (law->damping->batch && !k->law->varies) {
        const bool power = law->elastic->power_law;
        law->damping->batch(law->damping_constants, law->elastic_constants,
                            power ? law->elastic_constants[0] : law->stiffness,
                            power ? law->elastic_constants[1] : law->exponent, b);
    } else {
        for (int n = 0; n < k->count; n++) {
            carom_damping_force f = {0};
            if (b->delta[n] > 0)
                carom_normal_damping(law, constants_of(s, k, n), b->delta[n], -b->gap_rate[n], b->v0[n], k->mass[n],
                                     b->elastic[n], b->slope[n], &f);
            b->damping[n] = f.force;
        }
        for (int n = k->count; n < CAROM_BATCH; n++)
            b->damping[n] = 0;
    }
}

/* Sum of the parts, where the law may not pull no less than zero: between two steps nothing tells when it begins to. */
static void add_parts(const carom_set_block *k, carom_batch *b)
{
    const bool allow = k->law->law.tension == CAROM_TENSION_ALLOW;
    const bool cuts = k->law->law.tension == CAROM_TENSION_CUT_OFF;
    for (int n = 0; n < CAROM_BATCH; n++) {
        const double part = b->delta[n] > 0 ? b->damping[n] : 0, raw = b->elastic[n] + part;
        const bool none = (cuts && k->cut_off[n]) || (raw < 0 && !allow);
        b->raw[n] = raw;
        b->whole[n] = b->energy[n];
        b->damping[n] = none ? -b->elastic[n] : part;
        b->force[n] = none ? 0 : raw;
    }
}

/* Points that share a law. */
static void share(const carom_set_block *k, carom_batch *b)
{
    for (int n = 0; n < k->count; n++) {
        const double part = 1 - b->less[n];
        if (b->less[n] == 0)
            continue;
        b->elastic[n] *= part;
        b->damping[n] *= part;
        b->force[n] *= part;
        b->raw[n] *= part;
        b->energy[n] *= part;
        b->loss[n] *= part;
        b->slope[n] *= part;
    }
}

CAROM_WIDE static void normal_forces(const carom_evaluation *d, const carom_state *s, const carom_set_block *k,
                                     bool step, carom_batch *b)
{
    b->count = k->count;
    b->motions = carom_evaluation_motions(d);
    for (int side = 0; side < 2; side++) {
        b->body[side] = k->body[side];
        b->shape[side] = k->shape[side];
        b->same[side] = k->same[side];
    }
    b->mass = k->mass;
    if (k->law->pair->batch)
        k->law->pair->batch(d->pose, b);
    else
        geometry_by_column(d, s, k, step, b);
    for (int n = k->count; n < CAROM_BATCH; n++)
        set_apart(b, n);
    for (int n = 0; n < CAROM_BATCH; n++)
        b->delta[n] = k->episode[n] >= 0 && b->gap[n] < 0 ? -b->gap[n] : 0;
    elastic(s, k, b);
    const carom_damping_kind *part = k->law->law.damping;
    if (part->ratio)
        memcpy(b->gain, k->gain, sizeof b->gain);
    if (!part->ignores_v0)
        memcpy(b->v0, k->v0, sizeof b->v0);
    if (carom_normal_adapts(&k->law->law))
        follow_velocity(k, b);
    damping(s, k, b);
    add_parts(k, b);
    if (!k->law->pair->batch)
        share(k, b);
}

void carom_batch_normal(const carom_evaluation *d, const carom_state *s, const carom_set_block *k, bool step,
                        carom_batch *b)
{
    normal_forces(d, s, k, step, b);
}

/* ---- friction ---- */

/* Turns the states with the tangent plane, and about its normal with the mean of both bodies. */
static void turn(double h, carom_batch *b)
{
    for (int n = 0; n < CAROM_BATCH; n++) {
        const double x = b->normal[0][n], y = b->normal[1][n], w = b->normal[2][n];
        const double zx = b->z[0][n], zy = b->z[1][n], zw = b->z[2][n], along = zx * x + zy * y + zw * w;
        const double fx = zx - along * x, fy = zy - along * y, fw = zw - along * w;
        const double square = fx * fx + fy * fy + fw * fw, was = zx * zx + zy * zy + zw * zw;
        const double scale = square > 0 ? sqrt(was / square) : 1, about = h * b->about[n];
        const double tx = scale * fx, ty = scale * fy, tw = scale * fw;
        const bool acts = b->force[n] > 0;
        b->z[0][n] = acts ? tx + about * (y * tw - w * ty) : zx;
        b->z[1][n] = acts ? ty + about * (w * tx - x * tw) : zy;
        b->z[2][n] = acts ? tw + about * (x * ty - y * tx) : zw;
    }
}

static void with_state(const carom_model_contact *c, double h, carom_batch *b)
{
    turn(h, b);
    if (c->friction->batch) {
        c->friction->batch(c->friction_constants, h, b);
        return;
    }
    for (int n = 0; n < b->count; n++) {
        double z[CAROM_FRICTION_STATE];
        if (!(b->force[n] > 0))
            continue;
        const carom_friction_input in = carom_batch_friction(b, n);
        for (int i = 0; i < CAROM_FRICTION_STATE; i++)
            z[i] = b->z[i][n];
        carom_batch_store(b->friction, n, CAROM_KIND_CALL(c->friction, update, c->friction_constants, &in, h, z));
        for (int i = 0; i < CAROM_FRICTION_STATE; i++)
            b->z[i][n] = z[i];
    }
}

static void by_map(const carom_model_contact *c, carom_batch *b)
{
    for (int n = 0; n < b->count; n++) {
        const carom_vec3 slip = carom_batch_vector(b->slip, n);
        const double speed = carom_v3_norm(slip);
        if (!(b->force[n] > 0) || !(speed > 0))
            continue;
        const double force = CAROM_KIND_CALL(c->friction, map, c->friction_constants, speed, b->force[n]);
        carom_batch_store(b->friction, n, carom_v3_scale(-force / speed, slip));
    }
}

static void couples(const carom_evaluation *d, const carom_set_block *k, carom_batch *b)
{
    for (int n = 0; n < b->count; n++) {
        if (!(b->force[n] > 0))
            continue;
        carom_body_pose own[2];
        const carom_vec3 spin = carom_v3_sub(carom_batch_body_pose(d->pose, b, 1, n, &own[1])->w,
                                             carom_batch_body_pose(d->pose, b, 0, n, &own[0])->w);
        const carom_vec3 couple =
            carom_friction_resistance(k->law, spin, carom_batch_vector(b->normal, n), b->force[n]);
        carom_batch_store(b->couple, n, couple);
        b->friction_power[n] = -carom_v3_dot(couple, spin);
    }
}

static void no_friction(carom_batch *b)
{
    for (int k = 0; k < 3; k++)
        for (int n = 0; n < CAROM_BATCH; n++)
            b->friction[k][n] = 0;
}

CAROM_WIDE static void friction_forces(const carom_evaluation *d, const carom_set_block *k, double h, carom_batch *b)
{
    const carom_model_contact *c = k->law;
    b->has_couple = c->rolling > 0 || c->spinning > 0;
    for (int n = 0; n < CAROM_BATCH; n++)
        b->friction_power[n] = 0;
    if (b->has_couple) {
        memset(b->couple, 0, sizeof b->couple);
        couples(d, k, b);
    }
    if (!c->friction || !c->friction->batch)
        no_friction(b);
    if (!c->friction)
        return;
    if (c->friction->state)
        with_state(c, h, b);
    else
        by_map(c, b);
    for (int n = 0; n < CAROM_BATCH; n++)
        b->friction_power[n] -= b->friction[0][n] * b->slip[0][n] + b->friction[1][n] * b->slip[1][n] +
                                b->friction[2][n] * b->slip[2][n];
}

void carom_batch_rub(const carom_evaluation *d, const carom_set_block *k, double h, double (*states)[CAROM_BATCH],
                     carom_batch *b)
{
    b->z = states;
    friction_forces(d, k, h, b);
}

/* ---- wrenches ---- */

/* Force on the second body, and the torques of it on both and of its opposite on the first. */
typedef struct batch_wrench {
    double force[3][CAROM_BATCH], torque[2][3][CAROM_BATCH];
} batch_wrench;

static void make_wrenches(const carom_batch *b, batch_wrench *out)
{
    for (int n = 0; n < CAROM_BATCH; n++) {
        const double x = b->force[n] * b->normal[0][n] + b->friction[0][n];
        const double y = b->force[n] * b->normal[1][n] + b->friction[1][n];
        const double z = b->force[n] * b->normal[2][n] + b->friction[2][n];
        out->force[0][n] = x;
        out->force[1][n] = y;
        out->force[2][n] = z;
        for (int side = 0; side < 2; side++) {
            out->torque[side][0][n] = b->arm[side][1][n] * z - b->arm[side][2][n] * y;
            out->torque[side][1][n] = b->arm[side][2][n] * x - b->arm[side][0][n] * z;
            out->torque[side][2][n] = b->arm[side][0][n] * y - b->arm[side][1][n] * x;
        }
    }
    for (int side = 0; b->has_couple && side < 2; side++)
        for (int k = 0; k < 3; k++)
            for (int n = 0; n < CAROM_BATCH; n++)
                out->torque[side][k][n] += b->couple[k][n];
}

/* The same of four columns from n on, as those of a body. */
static void turn_side(const batch_wrench *of, int side, int n, carom_wrench *out)
{
    const double sign = side ? 1 : -1;
    const carom_four none = {0};
    carom_four x = sign * *carom_four_of(&of->force[0][n]), y = sign * *carom_four_of(&of->force[1][n]);
    carom_four z = sign * *carom_four_of(&of->force[2][n]), tx = sign * *carom_four_of(&of->torque[side][0][n]);
    carom_four ty = sign * *carom_four_of(&of->torque[side][1][n]), tz = sign * *carom_four_of(&of->torque[side][2][n]);
    carom_four rest = none, more = none;
    CAROM_FOUR_TRANSPOSE(x, y, z, tx);
    CAROM_FOUR_TRANSPOSE(ty, tz, rest, more);
    *carom_four_at(&out[0].force.x) = x;
    *carom_four_at(&out[1].force.x) = y;
    *carom_four_at(&out[2].force.x) = z;
    *carom_four_at(&out[3].force.x) = tx;
    out[0].torque.y = ty[0];
    out[0].torque.z = ty[1];
    out[1].torque.y = tz[0];
    out[1].torque.z = tz[1];
    out[2].torque.y = rest[0];
    out[2].torque.z = rest[1];
    out[3].torque.y = more[0];
    out[3].torque.z = more[1];
}

/* Where the share of a body in column n is added. */
static carom_wrench *target(const carom_evaluation *d, carom_set_chunk *chunk, const carom_set_block *k, int side,
                            int n)
{
    const int body = k->body[side][n];
    if (body >= chunk->first_body && body <= chunk->last_body)
        return &d->set_wrench[body];
    if (!body)
        return &chunk->ground;
    carom_set_share *share = &d->system->sets->shares[k->slot[n]];
    *share = (carom_set_share){.body = body};
    return &share->wrench;
}

static void add_wrench(carom_wrench *w, const carom_wrench *part)
{
    *carom_four_at(&w->force.x) += *carom_four_of(&part->force.x);
    w->torque.y += part->torque.y;
    w->torque.z += part->torque.z;
}

CAROM_WIDE static void add_wrenches(carom_evaluation *d, carom_set_chunk *chunk, const carom_set_block *k,
                                    const carom_batch *b)
{
    batch_wrench of;
    make_wrenches(b, &of);
    for (int n = 0; n < k->count; n += 4) {
        carom_wrench part[2][4];
        turn_side(&of, 0, n, part[0]);
        turn_side(&of, 1, n, part[1]);
        for (int i = n; i < n + 4 && i < k->count; i++) {
            if (k->shared && k->slot[i] >= 0)
                d->system->sets->shares[k->slot[i]].body = 0;
            if (!(b->delta[i] > 0))
                continue;
            add_wrench(target(d, chunk, k, 0, i), &part[0][i - n]);
            add_wrench(target(d, chunk, k, 1, i), &part[1][i - n]);
        }
    }
}

void carom_batch_apply(carom_evaluation *d, carom_set_chunk *chunk, const carom_set_block *k, const carom_batch *b)
{
    add_wrenches(d, chunk, k, b);
}

/* ---- a column as a contact point ---- */

carom_contact_point carom_batch_point(const carom_set_block *k, const carom_batch *b, int n)
{
    const bool swapped = k->law->swapped;
    const double sign = swapped ? -1 : 1;
    carom_contact_point p = {.gap = b->gap[n],
                             .gap_rate = b->gap_rate[n],
                             .normal = carom_v3_scale(sign, carom_batch_vector(b->normal, n)),
                             .slip = carom_v3_scale(sign, carom_batch_vector(b->slip, n)),
                             .arm_i = carom_batch_vector(b->arm[swapped ? 1 : 0], n),
                             .arm_j = carom_batch_vector(b->arm[swapped ? 0 : 1], n),
                             .elastic = b->elastic[n],
                             .damping = b->damping[n],
                             .force = b->force[n],
                             .raw_force = b->raw[n],
                             .energy = b->energy[n],
                             .whole = b->whole[n],
                             .loss = b->loss[n],
                             .elastic_slope = b->slope[n],
                             .less = b->less[n],
                             .common = true};
    return p;
}
