/* Tolerances with which the integrator is restarted. */
#include "sim/sim.h"

#include <float.h>
#include <math.h>

/* Units of rounding of a number within which the integrator need not keep it. */
#define ROUNDING_SHARE 20

/* Between two bounces a body moves many indentations, but perhaps much less than the model's length. */
#define FLIGHT_SCALE 100

/* Bounds the tolerances of both bodies of a contact by those of its indentation and of the indentation's rate. */
static void tighten(carom_simulation *sim, int contact, double depth, double speed)
{
    const carom_model *m = sim->model;
    const carom_contact_point *p = &sim->d->contacts[contact];
    for (int side = 0; side < 2; side++) {
        int body = carom_contact_body(m, contact, side) - 1;
        if (body < 0)
            continue;
        double lever = carom_v3_norm(carom_v3_cross(side ? p->arm_j : p->arm_i, p->normal));
        const carom_body_bounds bounds = {depth, depth / lever, speed, speed / lever};
        sim->s.formulation->tolerate(m, body, &bounds, sim->tolerance, sim->tolerance + (sim->s.v - sim->s.q));
    }
}

/* Largest radius of gyration [m]. */
static double gyration(const carom_model_body *body)
{
    const carom_mat3 *i = &body->inertia;
    return sqrt(fmax(fmax(i->m[0][0], i->m[1][1]), i->m[2][2]) / body->mass);
}

/* Largest coordinate of a body [m]. */
static double farthest(const carom_simulation *sim)
{
    double out = 0;
    for (int body = 1; body <= sim->model->body_count; body++) {
        const carom_vec3 p = sim->d->pose[body].p;
        out = fmax(out, fmax(fabs(p.x), fmax(fabs(p.y), fabs(p.z))));
    }
    return out;
}

void carom_loop_rounding(carom_simulation *sim)
{
    const carom_model *m = sim->model;
    const carom_state *s = &sim->s;
    const carom_body_bounds bounds = {DBL_EPSILON * farthest(sim), DBL_EPSILON, 0, 0};
    for (int k = 0; k < s->layout.positions; k++)
        sim->rounding[k] = HUGE_VAL;
    for (int body = 0; body < m->body_count; body++)
        s->formulation->tolerate(m, body, &bounds, sim->rounding, sim->rounding + (s->v - s->q));
}

/* Deflections of springs follow the indentation, which is known to rounding of the positions: what this many times as
   much makes of them is none. */
#define BLUR 100

/* Absolute tolerance of the bristles of a contact [m]; where corners go over from one face to another, so that the slip
   jumps, not below what it covers in rounding of the time: no step is shorter. */
static double deflection_tolerance(const carom_simulation *sim, int contact, double local, double far)
{
    const carom_model_contact *c = &sim->model->contacts[contact];
    const carom_episode *e = &sim->s.located[contact];
    const double slip = e->open && c->pair->varies ? carom_v3_norm(sim->d->contacts[contact].slip) : 0;
    const double blur =
        c->friction->spring && e->open
            ? CAROM_KIND_CALL(c->friction, scale, c->friction_constants, BLUR * DBL_EPSILON * far)
            : 0;
    return fmax(fmax(local * CAROM_KIND_CALL(c->friction, scale, c->friction_constants, e->depth_scale), blur),
                DBL_EPSILON * *sim->s.time * slip);
}

double carom_loop_tolerances(carom_simulation *sim)
{
    const carom_model *m = sim->model;
    const carom_state *s = &sim->s;
    double local = carom_rhs_local_tolerance(sim), *tolerance = sim->tolerance;
    double length = m->length_scale, speed = carom_scale_speed(sim), fastest = 0;
    /* positions far from the origin must not loosen what a machine there does */
    double energy = carom_ledger_scale(sim), relative = local * length / m->distance_scale;
    for (int body = 1; body <= m->body_count; body++) {
        fastest = fmax(fastest, carom_v3_norm(sim->d->pose[body].w));
    }
    for (size_t k = 0; k < s->integrated; k++)
        tolerance[k] = local * energy;
    for (int k = 0; k < m->site_count; k++) {
        const carom_model_friction *f = &m->joints[m->sites[k].joint].friction;
        for (int i = 0; i < f->law->state; i++)
            tolerance[s->friction - s->q + m->sites[k].state + i] =
                local * (i < 3 ? CAROM_KIND_CALL(f->law, scale, f->constants, 0) : 1);
    }
    for (int k = 0; k < m->state_count; k++)
        tolerance[s->states - s->q + k] = local * m->states[k].scale;
    for (int k = 0; k < m->load_count; k++)
        for (int i = 0; i < m->loads[k].state_count; i++)
            tolerance[s->load_states - s->q + m->loads[k].first_state + i] = local * m->loads[k].kind->states[i].scale;
    const double far = farthest(sim);
    for (int k = 0; k < m->contact_count; k++) {
        const carom_model_contact *c = &m->contacts[k];
        tolerance[s->normal_impulse - s->q + k] = local * energy / speed;
        const double deflection = c->friction_state >= 0 ? deflection_tolerance(sim, k, local, far) : 0;
        for (int i = 0; c->friction_state >= 0 && i < c->friction->state; i++)
            tolerance[s->friction - s->q + c->friction_state + i] = i < 3 ? deflection : local;
    }
    for (int k = 0; k < s->layout.positions + s->layout.velocities; k++)
        tolerance[k] = HUGE_VAL;
    const bool blurred = carom_located_blur(sim, 0) > local * speed;
    for (int body = 0; body < m->body_count; body++) {
        /* the spin that has the energy of the speed, and in a model larger than the body that of the model */
        double spin = fmax(fastest, speed / fmin(length, gyration(&m->bodies[body + 1])));
        const double least = blurred ? carom_located_blur(sim, body + 1) : 0;
        const carom_body_bounds bounds = {local * length, local * 1, fmax(local * speed, least), local * spin};
        s->formulation->tolerate(m, body, &bounds, tolerance, tolerance + (s->v - s->q));
    }
    for (int k = 0; k < m->contact_count; k++) {
        double depth = s->located[k].depth_scale, v0 = s->located[k].v0, mass = s->located[k].mass;
        if (!(depth > 0))
            continue;
        relative = 0; /* positions of order 1 must not loosen indentations of order 1e-5 */
        /* rounding of the positions is noise in the indentation and, through the force, in the velocities and works */
        double share = s->located[k].open ? local : local * FLIGHT_SCALE;
        double noisy = fmax(share, DBL_EPSILON * carom_located_farthest(sim, k) / depth);
        tighten(sim, k, share * depth, noisy * v0);
        if (s->located[k].open && isfinite(mass)) {
            tolerance[s->work_contact - s->q + k] = noisy * 0.5 * mass * v0 * v0;
            if (m->contacts[k].friction_work >= 0)
                tolerance[s->work_friction - s->q + m->contacts[k].friction_work] = noisy * 0.5 * mass * v0 * v0;
            tolerance[s->normal_impulse - s->q + k] = noisy * mass * v0;
        }
    }
    if (sim->run.absolute > 0)
        for (int k = 0; k < sim->s.layout.positions; k++)
            tolerance[k] = fmin(tolerance[k], sim->run.absolute);
    return fmax(relative, ROUNDING_SHARE * DBL_EPSILON);
}
