/* First touch of the two sides of a contact. */
#include "diagnose/expect.h"

#include "kinds/shape/shape.h"

#include <math.h>

/* One side: its pose now, and the constant accelerations on which it is taken to move on. */
typedef struct moving_side {
    carom_body_pose pose;
    carom_vec3 acceleration, turning; /* [m/s^2], [rad/s^2] */
    bool free;                        /* no joint and no prescribed motion holds it; so is the ground */
} moving_side;

static moving_side side_of(const carom_simulation *sim, int body)
{
    const carom_model *m = sim->model;
    moving_side out = {.pose = sim->d->pose[body], .free = true};
    if (body == 0)
        return out;
    const carom_body_acceleration a = sim->s.formulation->body_acceleration(sim->d, body);
    out.acceleration = a.linear;
    out.turning = a.angular;
    for (int k = 0; k < m->block_count; k++)
        if (m->blocks[k].body_i == body || m->blocks[k].body_j == body)
            out.free = false;
    return out;
}

static carom_body_pose pose_after(const moving_side *side, double t)
{
    return carom_pose_after(&side->pose, side->acceleration, side->turning, t);
}

static carom_contact_point contact_after(const carom_simulation *sim, int contact, const moving_side side[2], double t)
{
    carom_contact_point out = {0};
    carom_body_pose i = pose_after(&side[0], t), j = pose_after(&side[1], t);
    carom_contact_geometry_at(sim->model, NULL, contact, &i, &j, &out);
    return out;
}

/* Time in which the gap cannot close: both sides' speeds and accelerations at their points nearest to each other, which
   move along a surface where it turns. */
static double safe_time(const moving_side side[2], const carom_contact_point *p, double t)
{
    carom_body_pose i = pose_after(&side[0], t), j = pose_after(&side[1], t);
    double wi = carom_v3_norm(i.w), wj = carom_v3_norm(j.w), ai = carom_v3_norm(p->arm_i), aj = carom_v3_norm(p->arm_j);
    double speed = carom_v3_norm(carom_v3_sub(j.v, i.v)) + wi * ai + wj * aj;
    double push = carom_v3_norm(carom_v3_sub(side[1].acceleration, side[0].acceleration)) +
                  (wi * wi + carom_v3_norm(side[0].turning)) * ai + (wj * wj + carom_v3_norm(side[1].turning)) * aj;
    const double time = carom_time_over(p->gap, speed, push);
    double spin = fmax(wi, wj);
    return spin > 0 ? fmin(time, 0.2 / spin) : time;
}

/* The contact where the gap becomes zero, by Newton's steps from a gap that is small already; `p` stays where they do
   not lead there within `horizon`. */
static void touch_near(const carom_simulation *sim, int contact, const moving_side side[2], double touch, double t,
                       double horizon, carom_contact_point *p)
{
    carom_contact_point q = *p;
    for (int n = 0; n < 8 && q.gap_rate < 0; n++) {
        t -= q.gap / q.gap_rate;
        if (!(t <= horizon))
            return;
        q = contact_after(sim, contact, side, t);
        if (fabs(q.gap) <= touch) {
            *p = q;
            return;
        }
    }
}

/* Of the radii together: how far apart spheres are at least that are followed in place of their shapes. */
#define APART 0.1

/* Time in which the spheres about two shapes that are far apart at t cannot meet; 0: they are not. */
static double spheres_apart(const carom_simulation *sim, int contact, const moving_side side[2], double t)
{
    const carom_model *m = sim->model;
    const carom_model_contact *c = &m->contacts[contact];
    const carom_model_shape *shape[2] = {&m->shapes[c->shape_i], &m->shapes[c->shape_j]};
    carom_vec3 centre[2], velocity[2];
    double radii = 0, push = carom_v3_norm(carom_v3_sub(side[1].acceleration, side[0].acceleration));
    for (int k = 0; k < 2; k++) {
        const carom_body_pose pose = pose_after(&side[k], t);
        const carom_vec3 arm = carom_m3_apply(&pose.axes, shape[k]->at);
        centre[k] = carom_v3_add(pose.p, arm);
        velocity[k] = carom_v3_add(pose.v, carom_v3_cross(pose.w, arm));
        push += (carom_v3_dot(pose.w, pose.w) + carom_v3_norm(side[k].turning)) * carom_v3_norm(arm);
        radii += carom_shape_bounding_radius(shape[k]->kind, shape[k]->p, m->dimension == 2);
    }
    const double gap = carom_v3_norm(carom_v3_sub(centre[1], centre[0])) - radii;
    const double speed = carom_v3_norm(carom_v3_sub(velocity[1], velocity[0]));
    return gap > APART * radii ? carom_time_over(gap, speed, push) : 0;
}

/* Newton's steps take over from a gap of this share of the first one. */
#define NEAR 1e-2

/* Closing speed where the gap first becomes zero within `horizon`, NAN if it does not. */
static double march(const carom_simulation *sim, int contact, const moving_side side[2], carom_contact_point p,
                    double horizon)
{
    const double touch = 1e-9 * p.gap;
    double t = 0, near = NEAR * p.gap;
    for (int k = 0; k < 20000; k++) {
        if (p.gap > touch && p.gap < near) {
            near = NEAR * p.gap;
            touch_near(sim, contact, side, touch, t, horizon, &p);
        }
        if (p.gap <= touch)
            return -p.gap_rate > 0 ? -p.gap_rate : (double)NAN;
        t += safe_time(side, &p, t);
        for (double apart; t <= horizon && (apart = spheres_apart(sim, contact, side, t)) > 0; k++)
            t += apart;
        if (!(t <= horizon))
            break;
        p = contact_after(sim, contact, side, t);
    }
    return (double)NAN;
}

/* Closing acceleration now, by a central difference over a small part of the motion [m/s^2]. */
static double closing_acceleration(const carom_simulation *sim, int contact, const moving_side side[2],
                                   const carom_contact_point *p, double horizon)
{
    const double h = 1e-4 * fmin(safe_time(side, p, 0), horizon);
    carom_contact_point before = contact_after(sim, contact, side, -h), after = contact_after(sim, contact, side, h);
    return (before.gap_rate - after.gap_rate) / (2 * h);
}

/* Closing speeds below this share of the model's are rounding. */
#define NOISE 1e-12

double carom_expect_touch(const carom_simulation *sim, int contact, const char **assumed)
{
    const carom_model_contact *c = &sim->model->contacts[contact];
    moving_side side[2] = {side_of(sim, c->body_i), side_of(sim, c->body_j)};
    carom_contact_point p = contact_after(sim, contact, side, 0);
    double horizon = sim->run.until - *sim->s.time, speed = -p.gap_rate;
    if (p.gap <= 0) {
        *assumed = "in contact at the start: the closing speed there";
        return speed > NOISE * sim->model->speed_scale ? speed : 0;
    }
    bool flight = side[0].free && side[1].free;
    double push = closing_acceleration(sim, contact, side, &p, horizon);
    /* a speed that is rounding beside what the acceleration will give is none */
    bool approaching = speed > 0 && speed * speed > 2e-12 * fabs(push) * p.gap;
    *assumed = "flight over the gap with the accelerations of the start";
    if (!flight && approaching) {
        *assumed = side[0].free || side[1].free
                       ? "held or driven side at its velocity of the start, free side in flight"
                       : "closing speed of the start; joints and drives may change it";
        for (int k = 0; k < 2; k++)
            if (!side[k].free)
                side[k].acceleration = side[k].turning = carom_v3(0, 0, 0);
    } else if (!flight) {
        *assumed = "accelerations of the start over the gap; joints and drives may change them";
    }
    return march(sim, contact, side, p, horizon);
}
