/* Plausibility: sizes, masses, inertias, gravity and impacts that are far from what machines have, with what
   was probably meant. The limits are wide: no model of the literature that Carom comes with is beyond them. A body
   reaches from its centre of mass as far as its frames of joints and its bounded shapes show: it may go on beyond
   them, as the ring of a gimbal whose bearings are at its centre, or a ram of which the nose alone touches something.
   At least it goes as far as its radius of gyration, the largest one of a body within a sphere about its centre of
   mass. One that has to go far beyond what is known of it, and whose mass is next to nothing in a ball as large as it
   must be, has its inertia in another unit: one of kg mm^2 taken for kg m^2 makes the ball 1e9 times as large. */
#include "diagnose/plausible.h"
#include "carom/analysis.h"
#include "diagnose/angles.h"
#include "diagnose/falling.h"
#include "kinds/load/load.h"
#include "kinds/shape/shape.h"
#include "sim/warnings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* mm in place of m are a factor of 1000. */
#define SIZES_APART 300
#define MASSES_APART 3e6
/* Beside less than this [kg] a small mass is that of a carrier without a body, as between two hinges of a robot. */
#define HEAVY 100
/* Unless a spring swings it so many times in the run. */
#define SWINGS 1e6
/* [m/s^2]; that of the sun's surface is 274. */
#define GRAVITY 500
/* Mean densities [kg/m^3] of a ball about a body: osmium has 22,600; a steel wire of 1000 radii 0.05. The greatest is
   that of the ball about its centre of mass that holds all shapes, frames and joints, as the only shapes of a robot's
   link may be its feet; the least is that of its largest shape. */
#define DENSE 1e5
#define THIN 1e-2
/* A radius of gyration beyond this many times the reach, and of a body without a bounded shape, of which frames alone
   are known; in a ball of that radius the body is then thinner than THIN. */
#define GYRATION 3
#define GYRATION_OF_FRAMES 10
/* A reach beyond this many radii of gyration, where the body is thinner than this [kg/m^3] in a ball as large: mm for m
   make 1e-9 of a density. A bob of 28 kg on a wire of 67 m has 2e-5, one of 1 g on a line of 1 m 2e-4. */
#define FAR 100
#define EMPTY 1e-6
/* Springs are stretched to at most so many times their free length; beyond it one that gives a body this acceleration
   [m/s^2] is another length. */
#define STRETCH 3
#define JERKED 1000
/* Distance of two points at which they are next to each other, of the model's length. */
#define COINCIDE 1e-9

typedef struct body_size {
    int body;
    double reach, ball;   /* of joints and shapes; of the largest shape [m] */
    double extent;        /* of joints, shapes and frames [m] */
    bool jointed, driven; /* joints hold it; its motion is prescribed */
} body_size;

/* What a clearance made is as small as it. */
static bool is_clearance(const carom_model *m, int shape)
{
    for (int k = 0; k < m->joint_count; k++) {
        const carom_model_clearance *c = &m->joints[k].clearance;
        for (int n = c->first_contact; c->index >= 0 && n < c->first_contact + c->contact_count; n++)
            if (m->contacts[n].shape_i == shape || m->contacts[n].shape_j == shape)
                return true;
    }
    return false;
}

static void measure(const carom_model *m, body_size *sizes)
{
    for (int b = 0; b <= m->body_count; b++)
        sizes[b] = (body_size){.body = b};
    for (int k = 0; k < m->joint_count; k++) {
        const carom_marker *const ends[] = {&m->joints[k].i, &m->joints[k].j};
        for (int e = 0; e < 2; e++) {
            sizes[ends[e]->body].jointed = true;
            sizes[ends[e]->body].reach = fmax(sizes[ends[e]->body].reach, carom_v3_norm(ends[e]->at));
        }
    }
    for (int k = 0; k < m->block_count; k++)
        if (m->blocks[k].type == CAROM_BLOCK_BODY_MOTION)
            sizes[m->blocks[k].object].driven = true;
    for (int k = 0; k < m->shape_count; k++) {
        const carom_model_shape *shape = &m->shapes[k];
        body_size *size = &sizes[shape->body];
        const double radius = carom_shape_bounding_radius(shape->kind, shape->p, m->dimension == 2);
        if (!isfinite(radius) || is_clearance(m, k))
            continue;
        size->reach = fmax(size->reach, carom_v3_norm(shape->at) + radius);
        size->ball = fmax(size->ball, radius);
    }
    for (int b = 0; b <= m->body_count; b++)
        sizes[b].extent = sizes[b].reach;
    for (int k = 0; k < m->frame_count; k++) {
        body_size *size = &sizes[m->frames[k].marker.body];
        size->extent = fmax(size->extent, carom_v3_norm(m->frames[k].marker.at));
    }
}

static carom_status warn_body(carom_simulation *sim, carom_warning_code code, const carom_model_body *body,
                              const char *text)
{
    return carom_simulation_warn_part(sim, code, &body->place, "body", body->name, text);
}

/* ---- sizes and masses beside those of the others ---- */

static int compare_reach(const void *a, const void *b)
{
    const double x = ((const body_size *)a)->reach, y = ((const body_size *)b)->reach;
    return x < y ? -1 : x > y;
}

/* The widest step between sizes in their order: the bodies on its smaller side are meant, the larger ones of two. */
static carom_status judge_sizes(carom_simulation *sim, body_size *sizes, int count)
{
    const carom_model *m = sim->model;
    char text[300];
    int step = 0;
    qsort(sizes, (size_t)count, sizeof *sizes, compare_reach);
    for (int k = 1; k < count; k++)
        if (sizes[k - 1].reach > 0 && sizes[k].reach > SIZES_APART * sizes[k - 1].reach &&
            (!step || sizes[k].reach * sizes[step - 1].reach > sizes[step].reach * sizes[k - 1].reach))
            step = k;
    if (!step)
        return CAROM_OK;
    int above = count - step, below = 0;
    for (int k = 0; k < step; k++)
        below += sizes[k].reach > 0;
    const bool large = above <= below;
    const body_size *odd = large ? &sizes[step] : &sizes[step - 1], *other = large ? odd - 1 : odd + 1;
    snprintf(text, sizeof text,
             "reaches %.4g m from its centre of mass, %.3g times %s '%s' with %.4g m; lengths without a unit are in "
             "metres, write 300*mm for millimetres",
             odd->reach, large ? odd->reach / other->reach : other->reach / odd->reach,
             large ? "as far as" : "less than", m->bodies[other->body].name, other->reach);
    return warn_body(sim, CAROM_WARN_SIZE, &m->bodies[odd->body], text);
}

/* Change of a load's force along its line for a small way of its second end, of its length, or for a speed of the same
   number [N/m], [N s/m]. */
static double slope_of(carom_simulation *sim, int load, carom_vec3 line, double change, bool speed)
{
    const carom_compiled_load *l = &sim->model->loads[load];
    carom_evaluation *d = sim->probe;
    carom_wrench wrench[2];
    double force[2];
    for (int moved = 1; moved >= 0; moved--) {
        carom_state_pose(d, &sim->s);
        carom_body_pose *pose = &d->pose[l->j.body ? l->j.body : l->i.body];
        carom_vec3 *to = speed ? &pose->v : &pose->p;
        *to = carom_v3_add_scaled(*to, moved ? (l->j.body ? change : -change) : 0, line);
        carom_dynamics_load_wrenches(d, &sim->s, load, *sim->s.time, sim->s.states, wrench);
        force[moved] = carom_v3_dot(wrench[1].force, line);
    }
    return (force[0] - force[1]) / change;
}

/* Period of what a spring swings at its ends by itself [s]; HUGE_VAL: none, as it is slack or damped too much. */
static double period_of(carom_simulation *sim, int load)
{
    const carom_model *m = sim->model;
    const carom_compiled_load *l = &m->loads[load];
    if (!l->kind->stretch || l->frames < 2 || l->i.body == l->j.body)
        return HUGE_VAL;
    const carom_frame_pose i = carom_dynamics_frame_pose(&sim->d->pose[l->i.body], &l->i, m->dimension);
    const carom_frame_pose j = carom_dynamics_frame_pose(&sim->d->pose[l->j.body], &l->j, m->dimension);
    const carom_load_line line = carom_load_line_of(&i, &j);
    if (!(line.length > 0))
        return HUGE_VAL;
    const carom_contact_point along = {.arm_i = i.arm, .arm_j = j.arm, .normal = line.direction};
    const double mass = carom_effective_mass(sim->d, l->i.body, l->j.body, &along);
    const double stiffness = slope_of(sim, load, line.direction, 1e-6 * line.length, false);
    const double damping = slope_of(sim, load, line.direction, 1e-6 * line.length, true);
    const bool swings = stiffness > 0 && damping < 2 * sqrt(stiffness * mass);
    return swings ? 2 * CAROM_PI * sqrt(mass / stiffness) : HUGE_VAL;
}

/* A light body whose spring swings it through the whole run, however heavy the others are. */
static carom_status judge_node(carom_simulation *sim, int light, int heavy)
{
    const carom_model *m = sim->model;
    double shortest = HUGE_VAL;
    int spring = 0;
    char text[400];
    for (int k = 0; k < m->load_count; k++) {
        const double period = m->loads[k].i.body == light || m->loads[k].j.body == light ? period_of(sim, k) : HUGE_VAL;
        spring = period < shortest ? k : spring;
        shortest = fmin(shortest, period);
    }
    if (!(sim->run.until > SWINGS * shortest))
        return CAROM_OK;
    snprintf(text, sizeof text,
             "with %.4g kg beside %.4g kg of '%s', load '%s' swings it within %.3g s, %.3g times in the run, and each "
             "time takes tens of steps; give it more mass, the load damping, or join what it lies between by one load",
             m->bodies[light].mass, m->bodies[heavy].mass, m->bodies[heavy].name, m->loads[spring].name, shortest,
             sim->run.until / shortest);
    return warn_body(sim, CAROM_WARN_MASS, &m->bodies[light], text);
}

static carom_status judge_masses(carom_simulation *sim)
{
    const carom_model *m = sim->model;
    int light = 1, heavy = 1;
    char text[300];
    for (int b = 2; b <= m->body_count; b++) {
        light = m->bodies[b].mass < m->bodies[light].mass ? b : light;
        heavy = m->bodies[b].mass > m->bodies[heavy].mass ? b : heavy;
    }
    if (!m->body_count || !(m->bodies[heavy].mass > MASSES_APART * m->bodies[light].mass))
        return CAROM_OK;
    if (m->bodies[heavy].mass < HEAVY)
        return judge_node(sim, light, heavy);
    snprintf(text, sizeof text,
             "has a mass of %.4g kg beside %.4g kg of '%s'; masses without a unit are in kg, write 5*gram for grams; a "
             "body that is negligible is better left out, as it makes the equations ill-conditioned",
             m->bodies[light].mass, m->bodies[heavy].mass, m->bodies[heavy].name);
    return warn_body(sim, CAROM_WARN_MASS, &m->bodies[light], text);
}

/* ---- a body by itself ---- */

/* Within a ball [kg/m^3]. */
static double density(const carom_model_body *b, double radius)
{
    return b->mass / (4 * CAROM_PI / 3 * pow(radius, 3));
}

/* Denser than any solid, within all that is known of the body, or thinner than air, within its largest shape. In the
   plane bodies may go far on across it, so that nothing is too dense. */
static carom_status judge_density(carom_simulation *sim, const body_size *size, bool wall)
{
    const carom_model *m = sim->model;
    const carom_model_body *b = &m->bodies[size->body];
    const double most = density(b, size->extent), least = density(b, size->ball);
    const bool dense = most > DENSE && !wall && m->dimension == 3;
    char text[400];
    if (!(size->ball > 0) || !(dense || least < THIN))
        return CAROM_OK;
    snprintf(text, sizeof text,
             "%.4g kg within a ball of radius %.4g m about its %s are %.3g kg/m^3, %s; check units of "
             "the mass (kg) and the shape (m)",
             b->mass, dense ? size->extent : size->ball, dense ? "shapes, frames and joints" : "largest shape",
             dense ? most : least, dense ? "and no solid has more than 22,600 kg/m^3" : "less than air");
    return warn_body(sim, CAROM_WARN_DENSITY, b, text);
}

/* Joints and shapes far beyond where the body's mass is, by its moment of inertia, and next to nothing in a ball of
   that radius: lengths of its frames in mm. A bob on a long line has more mass. */
static carom_status judge_reach(carom_simulation *sim, const body_size *size, double gyration)
{
    const carom_model_body *b = &sim->model->bodies[size->body];
    char text[400];
    if (!(size->reach > FAR * gyration) || !(density(b, size->reach) < EMPTY))
        return CAROM_OK;
    snprintf(text, sizeof text,
             "its joints and shapes reach %.4g m from its centre of mass, %.3g times its radius of gyration, and its "
             "%.4g kg are %.3g kg/m^3 in a ball of that radius; lengths without a unit are in metres, write 100*mm for "
             "millimetres",
             size->reach, size->reach / gyration, b->mass, density(b, size->reach));
    return warn_body(sim, CAROM_WARN_DENSITY, b, text);
}

static carom_status judge_body(carom_simulation *sim, const body_size *size)
{
    const carom_model *m = sim->model;
    const carom_model_body *b = &m->bodies[size->body];
    /* a heavy body that nothing holds, without gravity, stands for a wall */
    const bool wall = !size->jointed && carom_v3_norm(m->gravity) == 0;
    char text[400];
    double largest = b->inertia.m[2][2];
    if (m->dimension == 3)
        largest = fmax(largest, fmax(b->inertia.m[0][0], b->inertia.m[1][1]));
    const double gyration = sqrt(largest / b->mass);
    if (!size->driven && size->reach > 0 && density(b, gyration) < THIN &&
        gyration > (size->ball > 0 ? GYRATION : GYRATION_OF_FRAMES) * size->reach) {
        snprintf(text, sizeof text,
                 "with a moment of inertia of %.4g kg m^2 its %.4g kg reach at least %.4g m from its centre of mass, "
                 "%.3g times as far as its joints and shapes, and are %.3g kg/m^3 there, less than air; inertia is "
                 "about the centre of mass in kg m^2, write 2*kg*mm^2 for other units",
                 largest, b->mass, gyration, gyration / size->reach, density(b, gyration));
        return warn_body(sim, CAROM_WARN_INERTIA, b, text);
    }
    if (gyration > 0)
        CAROM_TRY(judge_reach(sim, size, gyration));
    return judge_density(sim, size, wall);
}

/* ---- loads ---- */

static double acceleration_of(const carom_model *m, int body, carom_vec3 force)
{
    return body ? carom_v3_norm(force) / m->bodies[body].mass : 0;
}

/* Force on the second end of a load, along the x-axis, with its ends apart by so much along it. */
static double force_apart(carom_simulation *sim, int load, double apart)
{
    const carom_compiled_load *l = &sim->model->loads[load];
    carom_wrench wrench[2];
    carom_state_pose(sim->probe, &sim->s);
    carom_body_pose *pose = &sim->probe->pose[l->j.body ? l->j.body : l->i.body];
    pose->p.x += l->j.body ? apart : -apart;
    carom_dynamics_load_wrenches(sim->probe, &sim->s, load, *sim->s.time, sim->s.states, wrench);
    return wrench[1].force.x;
}

/* A load along the line of two points that coincide: its force turns round as one passes the other, as large as
   before. */
static carom_status judge_direction(carom_simulation *sim, int k)
{
    const carom_model *m = sim->model;
    const carom_compiled_load *l = &m->loads[k];
    char text[300];
    if (l->frames < 2 || l->i.body == l->j.body)
        return CAROM_OK;
    const carom_frame_pose i = carom_dynamics_frame_pose(&sim->d->pose[l->i.body], &l->i, m->dimension);
    const carom_frame_pose j = carom_dynamics_frame_pose(&sim->d->pose[l->j.body], &l->j, m->dimension);
    const double near = COINCIDE * m->length_scale, far = 1000 * near;
    if (carom_v3_norm(carom_v3_sub(j.p, i.p)) > 0.1 * near)
        return CAROM_OK;
    const double force = 0.5 * fabs(force_apart(sim, k, near) - force_apart(sim, k, -near));
    if (!(force > 0.5 * 0.5 * fabs(force_apart(sim, k, far) - force_apart(sim, k, -far))) || !(force > 0))
        return CAROM_OK;
    snprintf(text, sizeof text,
             "the points that it is between coincide, so that its force has no direction: it is 0 there, and %.3g N "
             "next to it, wherever rounding leads; place the points apart",
             force);
    return carom_simulation_warn_part(sim, CAROM_WARN_NO_DIRECTION, &l->place, "load", l->name, text);
}

static carom_status judge_load(carom_simulation *sim, int k)
{
    const carom_model *m = sim->model;
    const carom_compiled_load *l = &m->loads[k];
    const carom_load_output *now = &sim->d->loads[k];
    char text[300];
    if (!l->kind->stretch || l->slot_count)
        return CAROM_OK;
    const carom_frame_pose i = carom_dynamics_frame_pose(&sim->d->pose[l->i.body], &l->i, m->dimension);
    const carom_frame_pose j = carom_dynamics_frame_pose(&sim->d->pose[l->j.body], &l->j, m->dimension);
    const double stretch = l->kind->stretch(l->p, &i, &j);
    if (!(stretch > STRETCH) ||
        !(fmax(acceleration_of(m, l->i.body, now->force_i), acceleration_of(m, l->j.body, now->force_j)) > JERKED))
        return CAROM_OK;
    const double length = carom_v3_norm(carom_v3_sub(j.p, i.p));
    snprintf(text, sizeof text,
             "starts stretched to %.3g times its free length, %.4g m for %.4g m, and pulls with %.3g N; check "
             "`length`, which is the free one, and the points it is between",
             stretch, length, length / stretch, carom_v3_norm(now->force_i));
    return carom_simulation_warn_part(sim, CAROM_WARN_STRETCHED, &l->place, "load", l->name, text);
}

/* ---- contacts ---- */

/* Of approaches slower than this share of the model's speed a free impact tells nothing. */
#define SLOW 1e-3

/* Share of the duration of a free impact that it would have with no more than the own masses of the two bodies: along a
   normal that points at the axle of a wheel, what joints hold makes a mass without bound, which no stiffness suits. The
   duration goes with the mass to the power 1/(n + 1), n the exponent of the force. */
static double share_of_masses(const carom_model *m, int k, const carom_contact_check *check)
{
    double inverse = 0;
    for (int side = 0; side < 2; side++) {
        const int body = carom_contact_body(m, k, side);
        inverse += body ? 1 / m->bodies[body].mass : 0;
    }
    const double share = 1 / (inverse * check->mass);
    return share < 1 && check->local_exponent > 0 ? pow(share, 1 / (check->local_exponent + 1)) : 1;
}

/* A duration that is estimated is longer than the run by more than this share. */
#define LONGER 1.1

/* When the run ends, or the last one of those that go on from it [s]. */
static double end_of_runs(const carom_simulation *sim)
{
    const carom_model *m = sim->model;
    double end = sim->run.until;
    for (int k = (int)sim->def.run + 1; k < m->run_count && carom_run_follows(&m->runs[k]); k++)
        end = fmax(end, m->runs[k].until);
    return end;
}

/* Time in which a contact is pressed in and let go, without the end of one that hardly gives back, which the
   stiffness does not tell: that of Hertz' law with the same depth and speed. */
static double pressed_time(const carom_contact_check *check)
{
    return fmin(check->duration, CAROM_HERTZ_DURATION * check->max_indentation / check->expected_speed);
}

/* That an indentation is beyond the shapes is a rule of validity, which says more. */
static carom_status judge_contact(carom_simulation *sim, int k, const carom_contact_check *check)
{
    const double end = end_of_runs(sim);
    if (!isfinite(check->duration) ||
        !(pressed_time(check) * share_of_masses(sim->model, k, check) > LONGER * end) ||
        !(check->expected_speed > SLOW * sim->model->speed_scale) ||
        !(check->max_indentation < sim->model->contacts[k].feature_size))
        return CAROM_OK;
    return carom_contact_warn(sim, CAROM_WARN_LONG_IMPACT, 0, k,
                              "a free impact lasts %.4g s, longer than the run of %.4g s; the stiffness is too low, "
                              "or `until` too short (it is in seconds)",
                              check->duration, end);
}

/* ---- all ---- */

/* A mechanism that cannot move though no motion is prescribed is locked by a joint too many. */
static carom_status judge_locked(carom_simulation *sim)
{
    const carom_model *m = sim->model;
    const int coordinates = m->body_count * carom_twist_size(m);
    for (int k = 0; k < m->block_count; k++)
        if (m->blocks[k].type != CAROM_BLOCK_JOINT && m->blocks[k].type != CAROM_BLOCK_ARMATURE)
            return CAROM_OK;
    if (sim->start.rank < coordinates)
        return CAROM_OK;
    return carom_simulation_warn(sim, CAROM_WARN_LOCKED,
                                 "nothing can move: the joints hold all %d coordinates and no motion is prescribed; "
                                 "leave a joint or coupler out, or give one more freedom",
                                 coordinates);
}

carom_status carom_plausible_judge(carom_simulation *sim)
{
    const carom_model *m = sim->model;
    const size_t bodies = (size_t)m->body_count + 1;
    const double gravity = carom_v3_norm(m->gravity);
    if (gravity > GRAVITY)
        CAROM_TRY(carom_simulation_warn(sim, CAROM_WARN_GRAVITY,
                                        "gravity is %.5g m/s^2, %.3g times that of the earth; lengths are in metres: "
                                        "9.81 m/s^2 is meant where 9810 mm/s^2 is given",
                                        gravity, gravity / 9.80665));
    body_size *sizes = carom_allocate(sim->ctx, bodies, sizeof *sizes);
    if (!sizes)
        return carom_fail_memory(sim->ctx);
    measure(m, sizes);
    carom_status status = judge_masses(sim);
    for (int b = 1; b <= m->body_count && status == CAROM_OK; b++)
        status = judge_body(sim, &sizes[b]);
    if (status == CAROM_OK)
        status = judge_sizes(sim, sizes + 1, m->body_count);
    carom_release(sim->ctx, sizes, bodies, sizeof *sizes);
    for (int k = 0; k < m->load_count && status == CAROM_OK; k++)
        status = judge_load(sim, k);
    if (status == CAROM_OK)
        status = carom_angles_judge(sim);
    if (status == CAROM_OK)
        status = carom_falling_judge(sim);
    for (int k = 0; k < m->load_count && status == CAROM_OK; k++)
        status = judge_direction(sim, k);
    return status == CAROM_OK ? judge_locked(sim) : status;
}

carom_status carom_plausible_judge_contacts(carom_simulation *sim, const carom_contact_check *checks, size_t count)
{
    for (int k = 0; k < sim->model->contact_count && (size_t)k < count; k++)
        CAROM_TRY(judge_contact(sim, k, &checks[k]));
    return CAROM_OK;
}
