/* Forces of contacts that stick, such that they do not slip. */
#include "dynamics/dynamics.h"
#include "dynamics/formulation/formulation.h"

#include <math.h>
#include <string.h>

/* What is left of the slip dies away over the time of an impact, at most at this share of the deceleration that the
   cone allows. */
#define SETTLE_SHARE 0.05
/* Iterations over several sticking contacts. */
#define JACOBI_SWEEPS 500
#define JACOBI_SWEEP_TOLERANCE 1e-12
/* Turns that sticking contacts and the friction of joints take. */
#define TURNS 200
#define TURN_TOLERANCE 1e-9
/* Contacts that share a body give way by this share of their own inverse masses: without it feet whose indentations
   differ by micrometres would brace against each other with any force to stop the last rotation. What slips so, under
   0.1 um a second in a table on a slope, is nothing with one contact. */
#define REGULARISATION 1e-6

/* Tangential acceleration of j against i that the accelerations `a` make at the contact's point as it is now. */
static carom_vec3 slip_rate(const carom_evaluation *d, int k, const double *a)
{
    const carom_model *m = d->model;
    const carom_contact_point *p = &d->contacts[k];
    carom_vec3 sum = {0, 0, 0};
    for (int side = 0; side < 2; side++) {
        int body = carom_contact_body(m, k, side);
        if (body == 0)
            continue;
        const carom_body_acceleration x = d->system->formulation->body_change(d, a, body);
        carom_vec3 point = carom_v3_add(x.linear, carom_v3_cross(x.angular, side ? p->arm_j : p->arm_i));
        sum = side ? carom_v3_add(sum, point) : carom_v3_sub(sum, point);
    }
    return carom_v3_add_scaled(sum, -carom_v3_dot(sum, p->normal), p->normal);
}

/* The other part of the slip's rate: the contact's point moves on both bodies at constant velocities. By a central
   difference over a hundred-thousandth of the shapes' size, which leaves ten digits. */
static carom_vec3 slip_bias(const carom_evaluation *d, const carom_state *s, int k)
{
    const carom_model_contact *c = &d->model->contacts[k];
    const carom_body_pose *pose[2] = {&d->pose[c->body_i], &d->pose[c->body_j]};
    double speed = 0, size = isfinite(c->feature_size) && c->feature_size > 0 ? c->feature_size : 1;
    for (int side = 0; side < 2; side++)
        speed = fmax(speed, fmax(carom_v3_norm(pose[side]->v), carom_v3_norm(pose[side]->w) * size));
    if (!(speed > 0))
        return carom_v3(0, 0, 0);
    double time = 1e-5 * size / speed;
    carom_contact_point at[2];
    for (int end = 0; end < 2; end++) {
        const carom_vec3 none = {0, 0, 0};
        carom_body_pose i = carom_pose_after(pose[0], none, none, end ? time : -time);
        carom_body_pose j = carom_pose_after(pose[1], none, none, end ? time : -time);
        carom_contact_geometry_at(d->model, s, k, &i, &j, &at[end]);
    }
    carom_vec3 bias = carom_v3_scale(0.5 / time, carom_v3_sub(at[1].slip, at[0].slip));
    const carom_vec3 n = d->contacts[k].normal;
    return carom_v3_add_scaled(bias, -carom_v3_dot(bias, n), n);
}

static void tangents(int dimension, carom_vec3 normal, carom_vec3 *out)
{
    carom_vec3 hint = fabs(normal.x) < 0.6 ? carom_v3(1, 0, 0) : carom_v3(0, 1, 0);
    out[0] = dimension == 2 ? carom_v3(-normal.y, normal.x, 0) : carom_v3_cross(normal, hint);
    out[0] = carom_v3_scale(1 / carom_v3_norm(out[0]), out[0]);
    out[1] = carom_v3_cross(normal, out[0]);
}

/* Delassus columns of a contact and the inverse of their coupling; false where it cannot move along a tangent. */
static bool prepare(carom_evaluation *d, const carom_state *s, int k, carom_sticking *out)
{
    const carom_model *m = d->model;
    const carom_model_contact *c = &m->contacts[k];
    const carom_contact_point *p = &d->contacts[k];
    double free = 0, (*w)[2] = out->own;
    out->count = m->dimension == 2 ? 1 : 2;
    tangents(m->dimension, p->normal, out->tangent);
    for (int t = 0; t < out->count; t++) {
        const carom_force_pair pair = {c->body_i, c->body_j, p->arm_i, p->arm_j, out->tangent[t]};
        w[t][t] = d->system->formulation->delassus(d, &pair, true, out->delassus[t], &free);
        if (!(w[t][t] > 1e-12 * free))
            return false;
    }
    memset(out->inverse, 0, sizeof out->inverse);
    out->inverse[0][0] = 1 / w[0][0];
    if (out->count == 2) { /* in space */
        carom_vec3 second = slip_rate(d, k, out->delassus[1]);
        w[0][1] = w[1][0] = carom_v3_dot(out->tangent[0], second);
        double determinant = w[0][0] * w[1][1] - w[0][1] * w[1][0];
        if (!(determinant > 1e-12 * w[0][0] * w[1][1]))
            return false;
        out->inverse[0][0] = w[1][1] / determinant;
        out->inverse[1][1] = w[0][0] / determinant;
        out->inverse[0][1] = out->inverse[1][0] = -w[0][1] / determinant;
    }
    out->greatest = CAROM_KIND_CALL(c->friction, map, c->friction_constants, 0, fmax(p->force, 0));
    double speed = CAROM_KIND_CALL(c->friction, stick_speed, c->friction_constants);
    out->settle = fmin(1 / s->located[k].time_scale, SETTLE_SHARE * out->greatest / (out->inverse[0][0] * speed));
    out->wanted = carom_v3_add_scaled(slip_bias(d, s, k), out->settle, p->slip);
    return true;
}

static bool sticks(const carom_model *m, const carom_state *s, int k)
{
    const carom_friction_kind *friction = m->contacts[k].friction;
    return friction && friction->set_valued && s->located[k].open && s->located[k].stick;
}

/* Adds the accelerations that forces along the tangents make. */
static void add_columns(const carom_evaluation *d, const carom_sticking *own, const double *force, double *acceleration)
{
    for (int t = 0; t < own->count; t++)
        for (int i = 0; i < d->system->layout.velocities; i++)
            acceleration[i] += force[t] * own->delassus[t][i];
}

static void along(const carom_sticking *own, carom_vec3 v, double *out)
{
    out[0] = carom_v3_dot(v, own->tangent[0]);
    out[1] = own->count > 1 ? carom_v3_dot(v, own->tangent[1]) : 0;
}

/* x . M y with the inverse M of the contact's own response. */
static double weighted(const carom_sticking *own, const double *x, const double *y)
{
    double sum = 0;
    for (int i = 0; i < own->count; i++)
        for (int j = 0; j < own->count; j++)
            sum += x[i] * own->inverse[i][j] * y[j];
    return sum;
}

/* Forces that hold all sticking contacts, by conjugate gradients, each contact's own response as preconditioner:
   contacts that share a body bear shares of the least size. Returns whether all lie within their cones. */
static bool hold_by_gradients(carom_evaluation *d, double regularisation)
{
    const carom_model *m = d->model;
    size_t size = (size_t)d->system->layout.velocities * sizeof(double);
    double before = 0, first = 0;
    for (int iteration = 0; iteration < JACOBI_SWEEPS; iteration++) {
        double now = 0, curvature = 0;
        for (int k = 0; k < m->contact_count; k++) {
            carom_sticking *own = &d->system->sticking[k];
            if (!own->count)
                continue;
            if (iteration == 0) {
                double held[2];
                along(own, carom_v3_neg(carom_v3_add(own->wanted, slip_rate(d, k, d->acceleration))), own->residual);
                along(own, d->contacts[k].friction, held);
                for (int i = 0; i < own->count; i++)
                    for (int j = 0; j < own->count; j++)
                        own->residual[i] -= regularisation * own->own[i][j] * held[j];
                own->step[0] = own->step[1] = 0;
            }
            now += weighted(own, own->residual, own->residual);
        }
        first = iteration ? first : now;
        if (!(now > JACOBI_SWEEP_TOLERANCE * JACOBI_SWEEP_TOLERANCE * first))
            break;
        memset(d->system->sticking_column, 0, size);
        for (int k = 0; k < m->contact_count; k++) {
            carom_sticking *own = &d->system->sticking[k];
            for (int i = 0; i < own->count; i++) {
                double solved = own->inverse[i][0] * own->residual[0] +
                                (own->count > 1 ? own->inverse[i][1] * own->residual[1] : 0);
                own->step[i] = solved + (before > 0 ? now / before : 0) * own->step[i];
            }
            add_columns(d, own, own->step, d->system->sticking_column);
        }
        for (int k = 0; k < m->contact_count; k++) {
            carom_sticking *own = &d->system->sticking[k];
            if (!own->count)
                continue;
            along(own, slip_rate(d, k, d->system->sticking_column), own->product);
            for (int i = 0; i < own->count; i++)
                for (int j = 0; j < own->count; j++)
                    own->product[i] += regularisation * own->own[i][j] * own->step[j];
            curvature += own->step[0] * own->product[0] + own->step[1] * own->product[1];
        }
        if (!(curvature > 0))
            break;
        for (int k = 0; k < m->contact_count; k++) {
            carom_sticking *own = &d->system->sticking[k];
            for (int t = 0; t < own->count; t++) {
                d->contacts[k].friction =
                    carom_v3_add_scaled(d->contacts[k].friction, now / curvature * own->step[t], own->tangent[t]);
                own->residual[t] -= now / curvature * own->product[t];
            }
        }
        before = now;
    }
    for (int k = 0; k < m->contact_count; k++)
        if (d->system->sticking[k].count && carom_v3_norm(d->contacts[k].friction) > d->system->sticking[k].greatest)
            return false;
    return true;
}

/* One iteration where cones bound the forces: every contact's own correction, a share of it, from the same
   accelerations, so that equal contacts bear equal shares. Returns the largest change against the cone. */
static double jacobi_sweep(carom_evaluation *d, int count, double regularisation)
{
    const carom_model *m = d->model;
    double largest = 0;
    for (int k = 0; k < m->contact_count; k++) {
        carom_sticking *own = &d->system->sticking[k];
        if (!own->count)
            continue;
        double rate[2];
        carom_vec3 force = d->contacts[k].friction;
        along(own, carom_v3_add(own->wanted, slip_rate(d, k, d->acceleration)), rate);
        for (int t = 0; t < own->count; t++)
            force = carom_v3_add_scaled(force, -(own->inverse[t][0] * rate[0] + own->inverse[t][1] * rate[1]) / count,
                                        own->tangent[t]);
        force = carom_v3_add_scaled(force, -regularisation / count, d->contacts[k].friction);
        double norm = carom_v3_norm(force);
        if (norm > own->greatest)
            force = carom_v3_scale(own->greatest / norm, force);
        own->change = carom_v3_sub(force, d->contacts[k].friction);
        largest = fmax(largest, carom_v3_norm(own->change) / fmax(own->greatest, 1e-300));
    }
    for (int k = 0; k < m->contact_count; k++) {
        carom_sticking *own = &d->system->sticking[k];
        if (!own->count)
            continue;
        double force[2];
        d->contacts[k].friction = carom_v3_add(d->contacts[k].friction, own->change);
        along(own, own->change, force);
        add_columns(d, own, force, d->acceleration);
    }
    return largest;
}

/* Applies what has been found beyond what the accelerations know; returns the largest change against the cone. */
static double apply(carom_evaluation *d)
{
    double largest = 0;
    for (int k = 0; k < d->model->contact_count; k++) {
        carom_sticking *own = &d->system->sticking[k];
        if (!own->count)
            continue;
        const carom_vec3 change = carom_v3_sub(d->contacts[k].friction, own->applied);
        carom_contact_add_force(d, k, change);
        own->applied = d->contacts[k].friction;
        largest = fmax(largest, carom_v3_norm(change) / fmax(own->greatest, 1e-300));
    }
    return largest;
}

bool carom_friction_hold(carom_evaluation *d, const carom_state *s)
{
    const carom_model *m = d->model;
    int count = 0;
    for (int k = 0; d->system->sticking && k < m->contact_count; k++) {
        d->system->sticking[k].count = 0;
        d->system->sticking[k].applied = carom_v3(0, 0, 0);
        if (!sticks(m, s, k))
            continue;
        if (prepare(d, s, k, &d->system->sticking[k]))
            count++;
        else
            d->system->sticking[k].count = 0;
    }
    if (!count)
        return true;
    double regularisation = count > 1 ? REGULARISATION : 0, change = HUGE_VAL;
    /* friction of joints answers what holds the contacts, which takes turns with it */
    for (int turn = 0; change > TURN_TOLERANCE; turn++) {
        if (turn == TURNS)
            return false;
        if (!hold_by_gradients(d, regularisation)) {
            for (int k = 0; k < m->contact_count; k++)
                if (d->system->sticking[k].count)
                    d->contacts[k].friction = d->system->sticking[k].applied;
            for (int k = 0; k < JACOBI_SWEEPS && jacobi_sweep(d, count, regularisation) > JACOBI_SWEEP_TOLERANCE; k++)
                ;
        }
        change = apply(d);
        if (!d->system->formulation->accelerate(d))
            return false;
        if (!m->site_count)
            break;
    }
    for (int k = 0; k < m->contact_count; k++)
        if (d->system->sticking[k].count)
            d->contacts[k].friction_power -= carom_v3_dot(d->contacts[k].friction, d->contacts[k].slip);
    return true;
}
