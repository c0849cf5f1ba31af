/* Episodes of contacts: constants, force, policies and the row of an impact, whoever schedules them. */
#include "dynamics/contact/episode.h"

#include "geometry/curve/curve.h"
#include "law/depth.h"

#include <math.h>
#include <string.h>

/* ---- its law ---- */

const char *carom_episode_set_constants(const carom_model_contact *c, carom_episode *e,
                                        const carom_contact_point *point)
{
    memcpy(e->elastic, c->law.elastic_constants, sizeof c->law.elastic_constants);
    carom_contact_geometry geometry = c->law.geometry;
    if (c->varies && !c->law.radius_given[0] && !c->law.radius_given[1])
        memcpy(geometry.relative, point->curvature, sizeof geometry.relative);
    for (int side = 0; side < 2; side++) {
        if (c->varies && !c->law.radius_given[side])
            geometry.radius[side] = point->radius[side];
        e->radii[side] = geometry.radius[side];
    }
    if (!c->varies)
        return NULL;
    const char *refusal = CAROM_KIND_CALL(c->law.elastic, prepare, c->law.elastic_params, &geometry, e->elastic);
    return refusal || (e->radii[0] != 0 && e->radii[1] != 0) ? refusal : "a corner has no radius";
}

double carom_episode_limit(const carom_model_contact *c, const carom_episode *e)
{
    return c->varies && c->law.elastic->limit ? CAROM_KIND_CALL(c->law.elastic, limit, e->elastic) : c->law.limit;
}

double carom_episode_energy(const carom_model_contact *c, const carom_episode *e, double delta)
{
    carom_elastic_force f;
    CAROM_KIND_CALL(c->law.elastic, force, carom_episode_constants(c, e), NULL, delta, &f);
    return f.energy;
}

static void use_velocity(const carom_model_contact *c, carom_episode *e, double v0)
{
    e->v0 = v0;
    e->greatest_v0 = fmax(e->greatest_v0, v0);
    e->gain = carom_normal_gain(&c->law, v0);
}

void carom_episode_set_velocity(const carom_model_contact *c, carom_episode *e, double speed, double energy)
{
    use_velocity(c, e, carom_normal_compression_velocity(&c->law, speed, e->mass, energy));
}

void carom_episode_begin_compression(const carom_model_contact *c, carom_episode *e, double gap, double rate)
{
    /* at an onset the speed of approach; from an indentation the rate is zero, and so is the damping force, whatever v0
       becomes */
    double energy = 0;
    if (gap < 0 && isfinite(e->mass) && c->law.velocity != CAROM_VELOCITY_FIXED)
        energy = carom_episode_energy(c, e, -gap);
    carom_episode_set_velocity(c, e, fmax(-rate, 0), energy);
}

/* Share by which the closing speed passes v0 before v0 follows. It is above what rounding and tolerance make of a speed
   that does not grow, and what a weight adds to the speed of a hard impact. */
#define FOLLOWING_SLACK 1e-5

double carom_episode_following_from(const carom_episode *e) { return e->v0 * (1 + FOLLOWING_SLACK); }

double carom_episode_until_following(const carom_model_contact *c, const carom_episode *e, const carom_contact_point *p)
{
    return carom_episode_following_from(e) - carom_episode_followed(c, e, p);
}

void carom_episode_follow(const carom_model_contact *c, carom_episode *e, double velocity)
{
    use_velocity(c, e, fmax(e->v0, velocity));
}

void carom_episode_set_scales(const carom_model_contact *c, carom_episode *e, bool closed_form)
{
    const double energy = 0.5 * e->mass * e->v0 * e->v0, *k = carom_episode_constants(c, e);
    double depth = c->feature_size;
    if (isfinite(e->mass) && closed_form && c->law.elastic->power_law)
        depth = pow((k[1] + 1) * energy / k[0], 1 / (k[1] + 1));
    else if (isfinite(e->mass))
        depth = carom_elastic_depth(c->law.elastic, k, energy);
    e->depth_scale = depth;
    e->time_scale = CAROM_HERTZ_DURATION * depth / e->v0;
}

/* ---- its course ---- */

void carom_episode_open(carom_episode *e, double onset, double speed, const carom_contact_point *p)
{
    e->open = 1;
    e->cut_off = 0;
    e->compressing = CAROM_COMPRESSING;
    e->onset = onset;
    e->speed = e->fastest = speed;
    e->greatest_v0 = 0;
    e->force = 0;
    e->force_rate = 1;
    e->followed_rate = p->gap_rate;
    e->pull = 1;
    e->pull_rate = 0;
    e->peak_force = e->peak_depth = 0;
    e->peak_time = onset;
    e->force_end = -1;
    e->parameter[0] = p->parameter[0];
    e->parameter[1] = p->parameter[1];
    e->pressed = carom_v3((double)NAN, 0, 0);
    e->parting = carom_v3(0, 0, 0);
    e->parted = onset;
    e->taken = 0;
    e->rocking = 0;
    e->less = p->less;
    e->whole = 0;
    e->jump[0] = e->jump[1] = e->jump[2] = (double)NAN;
    memset(e->history, 0, sizeof e->history);
}

static void scale(carom_contact_point *p, double share)
{
    p->elastic *= share;
    p->damping *= share;
    p->force *= share;
    p->raw_force *= share;
    p->energy *= share;
    p->loss *= share;
    p->elastic_slope *= share;
}

/* Rounding of the pose decides on which side of zero the gap of surfaces that only touch is: their force is that of no
   depth on both. */
static void force_of_touch(const carom_model_contact *c, const carom_episode *e, carom_contact_point *out)
{
    const double gap = out->gap;
    out->gap = 0;
    carom_episode_force(c, e, out);
    out->gap = gap;
}

void carom_episode_force(const carom_model_contact *c, const carom_episode *e, carom_contact_point *out)
{
    double side = 1;
    if (out->gap > 0) {
        if (carom_episode_touches(c, e)) {
            force_of_touch(c, e, out);
            return;
        }
        side = -1;
    }
    /* of Fd = Fe A rate/v0 only A/v0 is needed: the structures of a damping part cost more than the formula */
    const double *constants = carom_episode_constants(c, e);
    double gain = e->gain, v0 = e->v0;
    carom_elastic_force elastic;
    CAROM_KIND_CALL(c->law.elastic, force, constants, e->history, fabs(out->gap), &elastic);
    /* Beyond the release, in the part of a step that is thrown away, the law is continued so that an integrator meets
       no kink before the root is located: as an odd function, of a law that may pull its damping part as an even one
       where that does not vanish with the elastic part. */
    out->energy = out->whole = elastic.energy;
    out->elastic_slope = elastic.slope;
    out->elastic = side * elastic.force;
    out->loss = side * elastic.loss;
    if (e->compressing >= CAROM_FOLLOWING) {
        v0 = fmax(v0, carom_episode_followed(c, e, out));
        gain = carom_normal_gain(&c->law, v0);
    }
    if (!isnan(gain)) {
        out->damping = out->elastic * (gain * -out->gap_rate) + 0.0; /* no negative zero */
    } else {
        const double mirrored = c->law.tension == CAROM_TENSION_ALLOW ? side : 1;
        carom_damping_force damping;
        carom_normal_damping(&c->law, constants, fabs(out->gap), -out->gap_rate, v0, e->mass,
                            mirrored * elastic.force, elastic.slope, &damping);
        out->damping = side * mirrored * damping.force;
    }
    out->raw_force = out->elastic + out->damping;
    /* whether the law would pull is known from the last event, and does not change within a step; surfaces that only
       touch part without a pull */
    if (e->cut_off || (out->raw_force < 0 && carom_episode_touches(c, e)))
        out->damping = -out->elastic;
    out->force = out->elastic + out->damping;
    if (out->less != 0)
        scale(out, 1 - out->less);
}

bool carom_episode_latched(const carom_model_contact *c, const carom_episode *e)
{
    return e->cut_off && c->law.tension == CAROM_TENSION_CUT_OFF && e->peak_force > 0;
}

bool carom_episode_begin_tension(carom_episode *e, double pull)
{
    const bool begins = !e->cut_off && pull < 0;
    if (begins)
        e->cut_off = 1;
    return begins;
}

bool carom_episode_tension(const carom_model_contact *c, carom_episode *e, double pull, const carom_contact_point *p)
{
    const int before = e->cut_off;
    if (!e->cut_off && pull <= 0 && p->gap < 0)
        e->cut_off = 1;
    else if (e->cut_off && (carom_episode_latched(c, e) ? carom_episode_until_pressed(p) : pull) >= 0)
        e->cut_off = 0;
    return e->cut_off != before;
}

double carom_episode_branch(const carom_model_contact *c, const carom_episode *e, const carom_contact_point *p)
{
    return CAROM_KIND_CALL(c->law.elastic, branch, carom_episode_constants(c, e), e->history, fmax(-p->gap, 0),
                           -p->gap_rate);
}

bool carom_episode_update_history(const carom_model_contact *c, carom_episode *e, const carom_contact_point *p)
{
    if (!c->law.elastic->history || !(carom_episode_branch(c, e, p) <= 0))
        return false;
    CAROM_KIND_CALL(c->law.elastic, update, carom_episode_constants(c, e), e->history, fmax(-p->gap, 0), -p->gap_rate);
    return true;
}

void carom_episode_begin_history(const carom_model_contact *c, carom_episode *e, const carom_contact_point *p)
{
    if (p->gap < 0 && p->gap_rate > 0)
        carom_episode_update_history(c, e, p);
}

void carom_episode_add_peak(carom_episode *e, double force, double depth, double time)
{
    if (force > e->peak_force) {
        e->peak_force = force;
        e->peak_time = time;
    }
    e->peak_depth = fmax(e->peak_depth, depth);
}

/* A change of the force is a jump if it is more than this share of it, and of the mean force of a free impact, which
   changes by less in the short time, and if the force is more than a small share of the peak so far. */
#define JUMP_SHARE 0.05
#define JUMP_OF_PEAK 0.01

bool carom_episode_jumps(const carom_episode *e, carom_vec3 before, carom_vec3 after)
{
    const double from = carom_v3_norm(before), to = carom_v3_norm(after);
    const double impact = isfinite(e->mass) ? 2 * e->mass * e->v0 / e->time_scale : e->peak_force;
    return carom_v3_norm(carom_v3_sub(after, before)) > JUMP_SHARE * fmax(fmax(from, to), impact) &&
           fmax(from, to) > JUMP_OF_PEAK * e->peak_force;
}

void carom_episode_note_jump(carom_episode *e, carom_vec3 before, carom_vec3 after)
{
    e->jump[0] = carom_v3_norm(before);
    e->jump[1] = carom_v3_norm(after);
    e->jump[2] = atan2(carom_v3_norm(carom_v3_cross(before, after)), carom_v3_dot(before, after));
}

void carom_episode_note_force_end(carom_episode *e, double force, double gap_rate, double time)
{
    const bool acts = !e->cut_off && (force != 0 || gap_rate <= 0);
    if (acts)
        e->force_end = -1;
    else if (e->force_end < 0)
        e->force_end = time;
}

/* Below this share of the speed of separation an impact velocity is that of a contact that began at rest: rounding, or
   what a neighbour that presses it made of it within a step. */
#define AT_REST 1e-3

carom_impact carom_episode_impact(const carom_model_contact *c, const carom_episode *e, double end, double v_out)
{
    /* a contact that was hit or pressed while it was open, or has handed over to other places of its patch, had no
       impact of its own */
    const bool impact = e->speed > AT_REST * v_out && e->less < 1 - CAROM_OWN_SHARE &&
                        (!carom_normal_adapts(&c->law) || e->speed >= 0.5 * e->fastest);
    const double force_end = e->force_end >= e->onset && e->force_end < end ? e->force_end : end;
    return (carom_impact){.onset = e->onset,
                          .duration = end - e->onset,
                          .force_duration = force_end - e->onset,
                          .v_in = e->speed,
                          .v_out = v_out,
                          .e_asked = c->law.restitution,
                          .e_got = impact ? v_out / e->speed : (double)NAN,
                          .peak_force = e->peak_force,
                          .peak_time = e->peak_time,
                          .max_indentation = e->peak_depth,
                          .impulse = e->impulse,
                          .energy_lost = e->loss,
                          .cutoff_loss = e->cutoff_loss,
                          .switch_term = e->switch_term,
                          .friction_lost = e->friction_loss,
                          .mass = e->mass,
                          .v_max = fmax(e->speed, e->fastest),
                          .v0 = c->law.damping->ignores_v0 ? (double)NAN : e->greatest_v0};
}

/* ---- impacts and rests ---- */

/* A closing speed below this share of that of a free impact with the same force and depth is none: rounding of the
   place where surfaces touch as they start. */
#define NO_SPEED 1e-3

/* The impulse of a rest is more than this many times that of an impact with its speeds. */
#define REST_IMPULSE 2

bool carom_impact_is_rest(const carom_impact *i)
{
    if (isnan(i->max_indentation)) /* rigid ones have no duration */
        return i->duration > 0;
    /* a free impact of Hertz' law with this force and depth: m v^2/2 = 2/5 F depth, duration 2.94 depth/v */
    const double free = CAROM_HERTZ_DURATION * sqrt(1.25 * i->mass * i->max_indentation / i->peak_force);
    const double own = CAROM_HERTZ_DURATION * i->max_indentation / free, speed = i->v_in + i->v_out;
    const double durations = i->v_in > NO_SPEED * own ? CAROM_REST_DURATIONS : CAROM_HELD_DURATIONS;
    if (isfinite(i->mass))
        return i->duration > durations * free && i->impulse > REST_IMPULSE * i->mass * speed;
    return i->duration * speed > CAROM_REST_DURATIONS * CAROM_HERTZ_DURATION * i->max_indentation;
}

carom_rest carom_rest_of(const carom_impact *i, bool ended)
{
    return (carom_rest){.contact = i->contact,
                        .contact_index = i->contact_index,
                        .shapes = {i->shapes[0], i->shapes[1]},
                        .begin = i->onset,
                        .duration = i->duration,
                        .mean_force = i->duration > 0 ? i->impulse / i->duration : 0,
                        .peak_force = i->peak_force,
                        .peak_time = i->peak_time,
                        .max_indentation = i->max_indentation,
                        .impulse = i->impulse,
                        .energy_lost = i->energy_lost,
                        .friction_lost = i->friction_lost,
                        .ended = ended};
}

/* ---- segments of curves ---- */

/* The outline of one side of a contact; NULL: none. */
static const double *outline(const carom_model *m, const carom_model_contact *c, int side)
{
    const carom_model_shape *shape = &m->shapes[side ? c->shape_j : c->shape_i];
    return shape->kind->curve && m->dimension == 2 ? shape->p : NULL;
}

/* A parameter counts to a segment up to this share of it beyond its ends, so that one at the border changes to and fro
   with the motion and not with rounding. */
#define SEGMENT_SLACK 1e-9

double carom_episode_inside_segment(const carom_model *m, const carom_model_contact *c, const carom_episode *e,
                                    const double parameter[2])
{
    double inside = 1;
    for (int side = 0; side < 2; side++) {
        const double *curve = outline(m, c, side);
        const int count = curve ? carom_curve_segments(curve) : 1;
        if (count < 2)
            continue;
        double u = parameter[side] - e->segment[side];
        if (carom_curve_closed(curve) && fabs(u - 0.5) > 0.5 * count)
            u -= u > 0 ? count : -count;
        inside = fmin(inside, fmin(u, 1 - u) + SEGMENT_SLACK);
    }
    return inside;
}

void carom_episode_set_segment(const carom_model *m, const carom_model_contact *c, carom_episode *e,
                               const double parameter[2])
{
    for (int side = 0; side < 2; side++) {
        const double *curve = outline(m, c, side);
        e->segment[side] = curve ? (int)fmin(floor(parameter[side]), carom_curve_segments(curve) - 1) : 0;
    }
}
