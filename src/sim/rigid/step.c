/* A step of Moreau's and Jean's time stepping (docs/theory/moreau.md): the theta rule by Newton's method, and in each
   of its iterations the impulses of contacts that are closed in the middle of the step,

       M (v' - v) = h ((1 - theta) f + theta f') + H p,      q' = q + h ((1 - theta) v + theta v'),
       0 <= u_N' + e u_N  perpendicular to  p_N >= 0,        Coulomb's cone for u_T' and p_T.

   The constraints of joints are in the accelerations, and in what a unit impulse does to the velocities. */
#include "sim/rigid/rigid.h"

#include "kinds/friction/friction.h"
#include "kinds/shape/shape.h"
#include "law/free_impact.h"

#include <math.h>
#include <string.h>

/* Touches at once: all contacts, or so many for each body. */
#define TOUCHES_OF_BODY 24
/* Sweeps over the contacts, and iterations of the theta rule with derivatives. */
#define SWEEPS 500
#define ITERATIONS 24
/* Iterations without derivatives, which end where one leaves more than a share of the change before. */
#define PLAIN 12
#define SLOW 0.2
/* The first ones are whole; where forces saturate shorter ones leave a cycle. */
#define WHOLE 8
/* Iterations with the same derivatives. */
#define DERIVED 4
/* Change of a velocity by the last of them that is small beside the error of a step, of the model's speed. */
#define UNSETTLED 1e-5
/* A change by so many times what the sweeps leave is theirs. */
#define LEFT 10

carom_status carom_rigid_create(carom_simulation *sim)
{
    const carom_model *m = sim->model;
    carom_arena *a = &sim->arena;
    carom_rigid *r = carom_arena_alloc(a, 1, sizeof *r);
    if (!r)
        return carom_fail_memory(sim->ctx);
    const size_t n = (size_t)sim->s.layout.velocities, all = carom_sim_vector_room(sim);
    const int most = TOUCHES_OF_BODY * m->body_count;
    r->room = m->contact_count < most ? m->contact_count : most;
    const size_t rows = (size_t)r->room * CAROM_NSGS_ROWS;
    r->problem.n = (int)n;
    const bool done =
        (r->touches = carom_arena_alloc(a, (size_t)r->room, sizeof *r->touches)) &&
        (r->problem.contacts = carom_arena_alloc(a, (size_t)r->room, sizeof *r->problem.contacts)) &&
        (r->problem.h = carom_arena_alloc(a, rows * n, sizeof(double))) &&
        (r->problem.x = carom_arena_alloc(a, rows * n, sizeof(double))) &&
        (r->columns = carom_arena_alloc(a, rows * n, sizeof(double))) &&
        (r->column = carom_arena_alloc(a, (size_t)(m->body_count * carom_twist_size(m)), sizeof(double))) &&
        (r->problem.v = carom_arena_alloc(a, n, sizeof(double))) &&
        (r->problem.work = carom_arena_alloc(a, carom_nsgs_work(r->room), sizeof(double))) &&
        (r->state = carom_arena_alloc(a, all, sizeof(double))) &&
        (r->rate = carom_arena_alloc(a, all, sizeof(double))) &&
        (r->b = carom_arena_alloc(a, all, sizeof(double))) &&
        (r->prescribed = carom_arena_alloc(a, n, sizeof *r->prescribed)) &&
        (r->drive = carom_arena_alloc(a, (size_t)m->drive_count, sizeof(double))) &&
        (r->radius = carom_arena_alloc(a, (size_t)m->shape_count, sizeof(double)));
    if (!done)
        return carom_fail_memory(sim->ctx);
    for (int k = 0; k < m->shape_count; k++)
        r->radius[k] = carom_shape_bounding_radius(m->shapes[k].kind, m->shapes[k].p, m->dimension == 2);
    for (int body = 1; sim->system->tree && body <= m->body_count; body++)
        if (m->tree.bodies[body].motion >= 0)
            r->prescribed[m->tree.bodies[body].first_v] = true;
    sim->rigid = r;
    sim->system->contact_forces = CAROM_FORCES_OF_IMPULSES;
    return CAROM_OK;
}

int carom_rigid_rates(void *user, double t, const double *y, double *rate)
{
    carom_simulation *sim = user;
    sim->system->contact_forces = CAROM_NO_FORCES;
    const int result = carom_rhs_rates(sim, t, y, rate);
    sim->system->contact_forces = CAROM_FORCES_OF_IMPULSES;
    return result;
}

/* ---- what touches ---- */

static bool may_touch(const carom_simulation *sim, const carom_evaluation *d, const carom_model_contact *c)
{
    const int shapes[2] = {c->shape_i, c->shape_j};
    carom_vec3 at[2];
    double reach = 0;
    for (int side = 0; side < 2; side++) {
        const carom_model_shape *shape = &sim->model->shapes[shapes[side]];
        const carom_body_pose *pose = &d->pose[shape->body];
        at[side] = carom_v3_add(pose->p, carom_m3_apply(&pose->axes, shape->at));
        reach += sim->rigid->radius[shapes[side]];
    }
    return !(carom_v3_norm(carom_v3_sub(at[1], at[0])) > reach);
}

/* Restitution of the contact's law in a free impact. */
static double restitution(const carom_model_contact *c, const carom_contact_point *p, double mass, double speed)
{
    carom_normal_law law = c->law;
    carom_episode e = {0};
    if (c->varies) {
        if (carom_episode_set_constants(c, &e, p))
            return isnan(law.restitution) ? 0 : law.restitution;
        carom_normal_law_use(&law, e.elastic);
    }
    const carom_free_impact impact = {.law = &law, .mass = mass, .speed = speed, .tolerance = 1e-8, .brief = true};
    carom_free_solution out;
    (void)carom_free_impact_solve(&impact, NULL, &out); /* without points it takes no memory */
    if (out.end == CAROM_FREE_PARTED)
        return fmax(out.achieved_restitution, 0);
    return out.end == CAROM_FREE_RESTS || isnan(law.restitution) ? 0 : law.restitution;
}

/* Coefficient of Coulomb's friction in the limit where regularised laws have their whole force at any slip. */
static double coefficient(const carom_model_contact *c, double slip)
{
    const carom_friction_kind *kind = c->friction;
    const double *constants = c->friction_constants;
    const double cone = CAROM_KIND_CALL(kind, cone, constants);
    const double rest = kind->stick_speed ? CAROM_KIND_CALL(kind, stick_speed, constants) : 0;
    if (kind->outside || !(slip > rest))
        return cone;
    const double sliding = constants[CAROM_FRICTION_KINETIC];
    return kind->state ? sliding : fmin(fmax(CAROM_KIND_CALL(kind, map, constants, slip, 1), sliding), cone);
}

/* Rows and columns of a touch over the velocities; false where no impulse could move it. */
static bool fill(carom_simulation *sim, carom_evaluation *d, const carom_contact_point *p, int place)
{
    carom_rigid *r = sim->rigid;
    const size_t size = (size_t)r->problem.n * sizeof(double);
    const carom_touch *touch = &r->touches[place];
    const carom_model_contact *c = &sim->model->contacts[touch->contact];
    const carom_formulation *f = sim->s.formulation;
    for (int i = 0; i < r->problem.contacts[place].rows; i++) {
        const size_t at = carom_nsgs_at(&r->problem, place, i);
        const carom_vec3 along = touch->along[i];
        const carom_row row = {.Li = carom_v3_neg(along),
                               .Ai = carom_v3_neg(carom_v3_cross(p->arm_i, along)),
                               .Lj = along,
                               .Aj = carom_v3_cross(p->arm_j, along)};
        const carom_force_pair pair = {c->body_i, c->body_j, p->arm_i, p->arm_j, along};
        double own, *out = r->columns + at;
        memset(r->problem.h + at, 0, size);
        f->row_entries(d, &row, c->body_i, c->body_j, r->problem.h + at);
        const double inverse = f->delassus(d, &pair, true, f->speeds ? r->column : out, &own);
        if (f->speeds)
            f->speeds(d, r->column, out);
        memcpy(r->problem.x + at, out, size);
        if (!i && !(inverse > 1e-12 * own))
            return false;
    }
    return true;
}

/* Restitution and friction of a touch, whose rows are there, for velocities v as the step begins. */
static void set_law(const carom_simulation *sim, const carom_contact_point *p, int place, const double *v)
{
    const carom_rigid *r = sim->rigid;
    carom_touch *touch = &r->touches[place];
    carom_nsgs_contact *out = &r->problem.contacts[place];
    const carom_model_contact *c = &sim->model->contacts[touch->contact];
    const carom_nsgs *problem = &r->problem;
    for (int i = 0; i < CAROM_NSGS_ROWS; i++)
        touch->before[i] = i < out->rows ? carom_nsgs_speed(problem, place, i, v) : 0;
    touch->mass = 1 / carom_nsgs_speed(problem, place, 0, problem->x + carom_nsgs_at(problem, place, 0));
    touch->gap = p->gap;
    touch->jams = false;
    const double speed = -touch->before[0], noise = CAROM_TOUCH_NOISE * carom_sim_speed(sim);
    const double slip = hypot(touch->before[1], touch->before[2]);
    out->least = speed > noise ? restitution(c, p, touch->mass, speed) * speed : 0;
    out->mu = out->rows > 1 ? coefficient(c, slip) : 0;
    out->stays = false;
    /* the impulses of the step before, as a guess */
    const carom_vec3 guess = sim->s.located[touch->contact].pressed;
    for (int i = 0; i < CAROM_NSGS_ROWS; i++)
        out->p[i] = i < out->rows && !isnan(guess.x) ? r->h * carom_v3_dot(guess, touch->along[i]) : 0;
    if (out->rows == 1 || !(slip > noise))
        return;
    double draws = 0;
    for (int i = 1; i < out->rows; i++)
        draws += touch->before[i] / slip *
                 carom_nsgs_speed(problem, place, 0, problem->x + carom_nsgs_at(problem, place, i));
    touch->jams = !(1 / touch->mass - out->mu * draws > 0);
}

/* The contacts that are closed at the poses of an evaluation. */
static carom_status find_touches(carom_simulation *sim, carom_evaluation *d, const double *v)
{
    const carom_model *m = sim->model;
    carom_rigid *r = sim->rigid;
    int count = 0;
    for (int k = 0; k < m->contact_count; k++) {
        const carom_model_contact *c = &m->contacts[k];
        carom_contact_point p;
        if (!may_touch(sim, d, c))
            continue;
        carom_contact_geometry_at(m, NULL, k, &d->pose[c->body_i], &d->pose[c->body_j], &p);
        if (!(p.gap <= 0) || p.less >= 1)
            continue;
        if (count == r->room)
            return carom_fail(sim->ctx, CAROM_ERROR_SOLVER, NULL,
                              "t = %.6g s: more than %d contacts are closed at once, %d for each body; integrator "
                              "moreau is for machines and small heaps, take `auto` or `verlet`",
                              *sim->s.time, r->room, TOUCHES_OF_BODY);
        carom_touch *touch = &r->touches[count];
        touch->contact = k;
        touch->along[0] = p.normal;
        r->problem.contacts[count].rows = c->friction ? m->dimension : 1;
        touch->arm_i = p.arm_i;
        touch->arm_j = p.arm_j;
        carom_contact_tangents(m->dimension, p.normal, touch->along + 1);
        if (!fill(sim, d, &p, count))
            continue;
        set_law(sim, &p, count++, v);
    }
    r->problem.count = count;
    return CAROM_OK;
}

/* ---- the theta rule ---- */

static carom_status cannot(carom_simulation *sim, const char *what)
{
    return carom_fail(sim->ctx, CAROM_ERROR_SOLVER, NULL,
                      "t = %.6g s: %s within a step of %.3g s of integrator moreau; give a smaller `step`",
                      *sim->s.time, what, sim->rigid->h);
}

/* Positions that follow from velocities at both ends, and what is prescribed then. */
static void move(carom_simulation *sim, double t, const double *y, double before, double after, double *to)
{
    const carom_rigid *r = sim->rigid;
    const size_t v = (size_t)(sim->s.v - sim->s.q);
    for (int k = 0; k < sim->s.layout.velocities; k++)
        r->b[k] = before * y[v + (size_t)k] + after * to[v + (size_t)k];
    memcpy(to, y, v * sizeof *to);
    sim->s.formulation->retract(sim->model, r->b, to);
    carom_system_settle(sim->s.formulation, sim->probe, &sim->s, t, to, to + v);
}

/* W^-1 b in the place of b; W = I until differences are taken. */
static void solve(const carom_simulation *sim, double *b)
{
    if (sim->newton)
        carom_newton_solve(sim->newton, b);
    else if (sim->rigid->gamma > 0)
        carom_rigid_differences_solve(sim, b);
}

/* Derivatives for Newton's method at the end of the step, whose rates are in `rate`, and what impulses do there. */
static bool derive(carom_simulation *sim, double t, const double *y, double gamma, bool differences)
{
    carom_rigid *r = sim->rigid;
    const size_t n = (size_t)r->problem.n, v = (size_t)(sim->s.v - sim->s.q);
    r->gamma = 0;
    if (sim->newton && (!carom_newton_evaluate(sim->newton, t, y) || !carom_newton_factor(sim->newton, gamma)))
        return false;
    if (differences && !carom_rigid_differences(sim, t, y, gamma))
        return false;
    for (int k = 0; (sim->newton || differences) && k < r->problem.count; k++)
        for (int i = 0; i < r->problem.contacts[k].rows; i++) {
            const size_t at = carom_nsgs_at(&r->problem, k, i);
            memset(r->b, 0, sim->s.integrated * sizeof *r->b);
            memcpy(r->b + v, r->columns + at, n * sizeof *r->b);
            solve(sim, r->b);
            memcpy(r->problem.x + at, r->b + v, n * sizeof *r->b);
        }
    carom_nsgs_prepare(&r->problem);
    return true;
}

/* What y_new misses of the theta rule, with its rates in `rate`, and with the impulses p that are there. */
static void find_residual(const carom_simulation *sim, const double *y, const double *f, const double *y_new,
                          bool impulses, double *b)
{
    const carom_rigid *r = sim->rigid;
    const size_t all = sim->s.integrated, v = (size_t)(sim->s.v - sim->s.q), n = (size_t)r->problem.n;
    const double theta = sim->run.theta;
    memset(b, 0, v * sizeof *b);
    for (size_t k = v; k < all; k++)
        b[k] = k < v + n && r->prescribed[k - v]
                   ? 0
                   : y[k] + r->h * ((1 - theta) * f[k] + theta * r->rate[k]) - y_new[k];
    for (int k = 0; impulses && k < r->problem.count; k++)
        for (int i = 0; i < r->problem.contacts[k].rows; i++) {
            const double *column = r->columns + carom_nsgs_at(&r->problem, k, i);
            for (size_t c = 0; c < n; c++)
                b[v + c] += r->problem.contacts[k].p[i] * column[c];
        }
    solve(sim, b);
}

/* One iteration of Newton's method from y_new, whose rates are in `rate`, by a share; returns the greatest change of a
   velocity, in tolerances. */
static double iterate(carom_simulation *sim, const double *y, const double *f, double share, double *y_new)
{
    carom_rigid *r = sim->rigid;
    const size_t all = sim->s.integrated, v = (size_t)(sim->s.v - sim->s.q);
    double worst = 0;
    find_residual(sim, y, f, y_new, false, r->b);
    for (int k = 0; k < r->problem.n; k++)
        r->problem.v[k] = y_new[v + (size_t)k] + r->b[v + (size_t)k];
    for (int k = 0; k < r->problem.count; k++)
        r->touches[k].driven = r->touches[k].before[0] - carom_nsgs_speed(&r->problem, k, 0, r->problem.v);
    r->left = r->problem.count ? carom_nsgs_solve(&r->problem) : 0;
    if (r->problem.count)
        find_residual(sim, y, f, y_new, true, r->b);
    for (size_t k = v; k < all; k++) {
        y_new[k] += share * r->b[k];
        if (k < v + (size_t)r->problem.n)
            worst = fmax(worst, fabs(r->b[k]) / fmax(sim->tolerance[k], 1e-12 * fabs(y_new[k])));
    }
    return worst;
}

/* Power of the drives at an evaluation. */
static void drive_powers(const carom_simulation *sim, const carom_evaluation *d, double times, double *out)
{
    const carom_model *m = sim->model;
    for (int k = 0; k < m->block_count; k++) {
        const carom_constraint_block *e = &m->blocks[k];
        if (e->drive >= 0)
            out[e->drive] += times * d->multipliers[e->first_row] * d->row_rate[e->first_row];
    }
}

carom_vec3 carom_rigid_force(const carom_rigid *r, int touch)
{
    const carom_nsgs_contact *c = &r->problem.contacts[touch];
    carom_vec3 force = {0, 0, 0};
    for (int i = 0; i < c->rows; i++)
        force = carom_v3_add_scaled(force, c->p[i] / r->h, r->touches[touch].along[i]);
    return force;
}

/* What drives do against the impulses: in the middle of the step, with their mean forces and without. */
static carom_status book_drives(carom_simulation *sim, double *y_new)
{
    const carom_rigid *r = sim->rigid;
    const carom_state *s = &sim->s;
    carom_evaluation *d = sim->trial;
    const int drives = sim->model->drive_count;
    if (!drives || !r->problem.count)
        return CAROM_OK;
    memset(r->drive, 0, (size_t)drives * sizeof *r->drive);
    if (!carom_system_evaluate(d, s, r->t + 0.5 * r->h, r->state))
        return cannot(sim, "the accelerations cannot be solved");
    drive_powers(sim, d, -r->h, r->drive);
    for (int k = 0; k < r->problem.count; k++) {
        const carom_touch *touch = &r->touches[k];
        d->contacts[touch->contact].arm_i = touch->arm_i;
        d->contacts[touch->contact].arm_j = touch->arm_j;
        carom_contact_add_force(d, touch->contact, carom_rigid_force(r, k));
    }
    if (!carom_system_accelerate_again(d, NULL))
        return cannot(sim, "the accelerations cannot be solved");
    drive_powers(sim, d, r->h, r->drive);
    for (int k = 0; k < drives; k++)
        y_new[s->work_drive - s->q + k] += r->drive[k];
    return CAROM_OK;
}

/* Works and impulses of the contacts, and the velocities that are left. */
static void book(carom_simulation *sim, double *y_new)
{
    const carom_rigid *r = sim->rigid;
    const carom_state *s = &sim->s;
    for (int k = 0; k < r->problem.count; k++) {
        carom_touch *touch = &r->touches[k];
        const carom_nsgs_contact *c = &r->problem.contacts[k];
        double work[CAROM_NSGS_ROWS] = {0};
        for (int i = 0; i < CAROM_NSGS_ROWS; i++) {
            touch->after[i] = i < c->rows ? carom_nsgs_speed(&r->problem, k, i, y_new + (s->v - s->q)) : 0;
            /* by the mean of the velocities: Thomson and Tait */
            work[i] = i < c->rows ? 0.5 * c->p[i] * (touch->before[i] + touch->after[i]) : 0;
        }
        touch->loss = -work[0];
        touch->friction_loss = 0 - work[1] - work[2]; /* without friction 0, not -0 */
        const carom_model_contact *of = &sim->model->contacts[touch->contact];
        y_new[s->normal_impulse - s->q + touch->contact] += c->p[0];
        y_new[s->work_contact - s->q + touch->contact] += touch->loss;
        if (of->friction_work >= 0)
            y_new[s->work_friction - s->q + of->friction_work] += touch->friction_loss;
    }
}

/* Newton's method from y_new. Without equations of its own the system is tried without derivatives first. */
static carom_status settle(carom_simulation *sim, double t, const double *y, const double *f, double *y_new)
{
    carom_rigid *r = sim->rigid;
    const double theta = sim->run.theta, h = r->h;
    double last = HUGE_VAL;
    for (int n = 0, plain = sim->newton ? 0 : PLAIN;; n++) {
        if (carom_rhs_rates(sim, t + h, y_new, r->rate) != 0)
            return cannot(sim, "the accelerations cannot be solved");
        /* derivatives of before an impact may be those of another motion */
        if ((!n || (n >= plain && (n - plain) % DERIVED == 0)) &&
            !derive(sim, t + h, y_new, theta * h, !sim->newton && n >= plain))
            return cannot(sim, "Newton's equations are singular");
        const int tried = n < plain ? 0 : n - plain;
        const double share = tried < WHOLE ? 1 : tried < 4 * WHOLE ? 0.5 : 0.2;
        const double change = iterate(sim, y, f, share, y_new);
        move(sim, t + h, y, (1 - theta) * h, theta * h, y_new);
        /* of two answers that each lead to the other one is taken */
        for (int k = 0; k < r->problem.count && tried >= DERIVED; k++)
            r->problem.contacts[k].stays = r->problem.contacts[k].stays || r->problem.contacts[k].p[0] > 0;
        /* impulses that contacts share in many ways are found to what the sweeps leave */
        const double off = change * carom_rhs_local_tolerance(sim), left = r->left / carom_sim_speed(sim);
        if (change <= 1 || (off <= UNSETTLED && (tried + 1 >= ITERATIONS || (n > 0 && off <= LEFT * left))))
            break;
        if (tried + 1 >= ITERATIONS || !isfinite(change))
            return cannot(sim, "the forces change too much");
        if (n < plain && n > 0 && change > SLOW * last)
            plain = n + 1;
        last = change;
    }
    book(sim, y_new);
    return book_drives(sim, y_new);
}

static carom_status step(carom_simulation *sim, double t, const double *y, const double *f, double h, double *y_new)
{
    carom_rigid *r = sim->rigid;
    const size_t all = sim->s.integrated, v = (size_t)(sim->s.v - sim->s.q);
    const double theta = sim->run.theta;
    r->t = t;
    r->h = h;
    /* the middle of the step */
    for (size_t k = v; k < all; k++)
        r->state[k] = y[k] + 0.5 * h * f[k];
    move(sim, t + 0.5 * h, y, 0.5 * h, 0, r->state);
    if (!carom_system_evaluate(sim->trial, &sim->s, t + 0.5 * h, r->state))
        return cannot(sim, "the accelerations cannot be solved");
    CAROM_TRY(find_touches(sim, sim->trial, y + v));
    r->problem.tolerance = 1e-11 * carom_sim_speed(sim);
    r->problem.sweeps = SWEEPS;
    /* its end */
    for (size_t k = v; k < all; k++)
        y_new[k] = y[k] + h * f[k];
    move(sim, t + h, y, (1 - theta) * h, theta * h, y_new);
    return settle(sim, t, y, f, y_new);
}

int carom_rigid_leap(void *user, double t, const double *y, const double *f, double h, double *y_new)
{
    carom_simulation *sim = user;
    sim->system->contact_forces = CAROM_NO_FORCES;
    sim->step_status = step(sim, t, y, f, h, y_new);
    sim->system->contact_forces = CAROM_FORCES_OF_IMPULSES;
    return sim->step_status == CAROM_OK ? 0 : 1;
}
