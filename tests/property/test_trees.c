/* Joint coordinates against absolute ones and against themselves: random trees of all joints that carry bodies, with
   and without loops and prescribed motions, and the robots of models/, at random states. Accelerations of all bodies
   agree; inverse dynamics returns the forces that forward dynamics was given; the kinetic energy is that of the mass
   matrix, rows over the velocities are rates; accelerations are rates of the velocities along the motion. */
#include "carom_test.h"

#include <math.h>

#include "dynamics/formulation/tree.h"
#include "sim/sim.h"
#include "support/frames.h"
#include "support/free_runs.h"

#define ALLOWED 1e-9
#define MOST_BODIES 14
#define TREES 300
#define STATES 1000

/* Largest errors, each of what it is a part of. */
typedef struct errors {
    double bodies;  /* accelerations in both formulations */
    double inverse; /* what inverse dynamics returns, of the forces on the joint */
    double kinetic, jacobian, kinematics;
} errors;

static void larger(double *worst, double value, double size)
{
    const double share = fabs(value) / (size > 0 ? size : 1);
    *worst = share > *worst || isnan(share) ? share : *worst;
}

/* ---- random models ---- */

typedef struct text {
    char at[60000];
    size_t length;
} text;

static void put(text *t, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    const int n = vsnprintf(t->at + t->length, sizeof t->at - t->length, format, list);
    va_end(list);
    assert_true(n >= 0 && (size_t)n < sizeof t->at - t->length);
    t->length += (size_t)n;
}

/* A point of the world in the axes of a body that is turned about z. */
static void put_frame(text *t, int body, const carom_vec3 *at, const double *turn, carom_vec3 point)
{
    if (body < 0) {
        put(t, "{ground: [%.15g, %.15g, %.15g]}", point.x, point.y, point.z);
        return;
    }
    const carom_vec3 d = carom_v3_sub(point, at[body]);
    const double c = cos(turn[body]), s = sin(turn[body]);
    put(t, "{b%d: [%.15g, %.15g, %.15g]}", body, c * d.x + s * d.y, -s * d.x + c * d.y, d.z);
}

static const char *const kinds[] = {"revolute",  "translational", "cylindrical", "spherical",
                                    "universal", "planar",        "screw",       "fixed"};

static void put_joint(text *t, uint64_t *seed, int index, const char *kind, int i, int j, const carom_vec3 *at,
                      const double *turn, carom_vec3 point, bool driven)
{
    const bool reversed = test_random(seed, 0, 1) < 0.4;
    const carom_vec3 axis = carom_unit(test_random_vector(seed, 3, 1));
    put(t, "  j%d: {type: %s, between: [", index, kind);
    put_frame(t, reversed ? j : i, at, turn, point);
    put(t, ", ");
    put_frame(t, reversed ? i : j, at, turn, point);
    put(t, "]");
    if (strcmp(kind, "spherical") != 0 && strcmp(kind, "fixed") != 0)
        put(t, ", axis: [%.15g, %.15g, %.15g]", axis.x, axis.y, axis.z);
    if (strcmp(kind, "universal") == 0) {
        const carom_vec3 across = carom_unit(carom_v3_cross(axis, carom_v3(0.3, 0.5, -0.7)));
        put(t, ", axis2: [%.15g, %.15g, %.15g]", across.x, across.y, across.z);
    }
    if (strcmp(kind, "screw") == 0)
        put(t, ", pitch: %.15g", test_random(seed, -0.3, 0.3) + 0.4);
    if (driven)
        put(t, ", motion: \"0.3*sin(2*t + %d)\"", index);
    if (!driven && (kind[0] == 'r' || kind[0] == 't') && test_random(seed, 0, 1) < 0.3)
        put(t, ", armature: %.15g", test_random(seed, 0.1, 2));
    put(t, "}\n");
}

static void random_model(text *t, uint64_t seed)
{
    carom_vec3 at[MOST_BODIES];
    double turn[MOST_BODIES];
    const int bodies = 1 + (int)(seed % MOST_BODIES);
    const bool loops = seed % 3 == 1, motions = seed % 3 == 2;
    t->length = 0;
    put(t, "carom: 1\ndimension: 3\ngravity: [0.3, -9.81, 1]\nbodies:\n");
    for (int k = 0; k < bodies; k++) {
        at[k] = test_random_vector(&seed, 3, 1);
        turn[k] = test_random(&seed, -3, 3);
        const double a = test_random(&seed, 0.2, 1), b = test_random(&seed, 0.2, 1), m = test_random(&seed, 0.3, 4);
        put(t,
            "  b%d: {mass: %.15g, inertia: [%.15g, %.15g, %.15g], at: [%.15g, %.15g, %.15g], "
            "orientation: {axis: [0, 0, 1], angle: %.15g}}\n",
            k, m, m * (b * b + 0.1) / 5, m * (a * a + 0.1) / 5, m * (a * a + b * b) / 5, at[k].x, at[k].y, at[k].z,
            turn[k]);
    }
    put(t, "joints:\n");
    int count = 0;
    for (int k = 0; k < bodies; k++) {
        /* some move freely: the first ones of their trees */
        const int parent = (int)floor(test_random(&seed, -1, k)), kind = (int)test_random(&seed, 0, 7.999);
        if (parent < 0 && test_random(&seed, 0, 1) < 0.3)
            continue;
        const bool driven =
            motions && (kinds[kind][0] == 'r' || kinds[kind][0] == 't') && test_random(&seed, 0, 1) < 0.4;
        put_joint(t, &seed, count++, kinds[kind], parent, k, at, turn, test_random_vector(&seed, 3, 1), driven);
    }
    for (int k = 0; loops && k < 2 && bodies > 2; k++) {
        const int i = (int)test_random(&seed, 0, bodies - 1e-9), j = (i + 1) % bodies;
        static const char *const closing[] = {"spherical", "universal", "planar"};
        put_joint(t, &seed, count++, closing[seed % 3], i, j, at, turn, test_random_vector(&seed, 3, 1), false);
    }
    put(t, "%srun: {until: 1, formulation: tree}\n", count ? "" : "  none: {type: fixed, between: [ground, b0]}\n");
}

/* ---- identities at a state ---- */

static carom_vec3 world_inertia(const carom_evaluation *d, int body, carom_vec3 v)
{
    const carom_mat3 *axes = &d->pose[body].axes;
    return carom_m3_apply(axes, carom_m3_apply(&d->model->bodies[body].inertia, carom_m3_apply_t(axes, v)));
}

/* Wrenches that each body takes from what carries it, inwards from the accelerations; along the free coordinates they
   have to be what armatures do. */
static void check_inverse(carom_evaluation *d, errors *e)
{
    const carom_model *m = d->model;
    const carom_tree *t = &m->tree;
    carom_wrench w[200] = {0};
    double size[200] = {0};
    assert_true(m->body_count < 200);
    for (int body = 1; body <= m->body_count; body++) {
        const carom_body_acceleration a = d->system->formulation->body_acceleration(d, body);
        const carom_vec3 spin = d->pose[body].w, turned = world_inertia(d, body, spin);
        w[body].force = carom_v3_sub(carom_v3_scale(m->bodies[body].mass, a.linear), d->wrench[body].force);
        w[body].torque = carom_v3_add(world_inertia(d, body, a.angular), carom_v3_cross(spin, turned));
        w[body].torque = carom_v3_sub(w[body].torque, d->wrench[body].torque);
        size[body] = carom_v3_norm(d->wrench[body].force) + carom_v3_norm(w[body].force) +
                     carom_v3_norm(w[body].torque) + carom_v3_norm(carom_v3_cross(spin, turned));
    }
    for (int k = 0; k < t->row_count; k++)
        for (int n = 0; n < d->jacobian[t->rows[k]].count; n++) {
            const double *j = d->jacobian[t->rows[k]].part[n].j, f = d->multipliers[t->rows[k]];
            const int body = d->jacobian[t->rows[k]].part[n].body;
            w[body].force = carom_v3_sub(w[body].force, carom_v3(f * j[0], f * j[1], f * j[2]));
            w[body].torque = carom_v3_sub(w[body].torque, carom_v3(f * j[3], f * j[4], f * j[5]));
            size[body] += fabs(f);
        }
    for (int k = m->body_count - 1; k >= 0; k--) {
        const int body = t->order[k];
        const carom_tree_body *tb = &t->bodies[body];
        const carom_tree_motion *motion = &d->tree->motion[body];
        if (tb->joint < 0) {
            larger(&e->inverse, carom_v3_norm(w[body].force) + carom_v3_norm(w[body].torque), size[body]);
            continue;
        }
        for (int c = 0; c < tb->v_count; c++) {
            double along =
                carom_v3_dot(motion->s[c].turn, w[body].torque) + carom_v3_dot(motion->s[c].move, w[body].force);
            if (c == 0 && tb->motion >= 0)
                along -= d->multipliers[m->blocks[tb->motion].first_row];
            if (c == 0 && tb->armature >= 0)
                along -= d->multipliers[m->blocks[tb->armature].first_row];
            larger(&e->inverse, along, size[body]);
        }
        carom_wrench *to = &w[tb->parent];
        to->force = carom_v3_add(to->force, w[body].force);
        to->torque = carom_v3_add(to->torque, carom_v3_add(w[body].torque, carom_v3_cross(motion->r, w[body].force)));
        size[tb->parent] += size[body] * (1 + carom_v3_norm(motion->r));
    }
}

/* Kinetic energy of the mass matrix, and rates of the rows. */
static void check_matrices(carom_simulation *sim, carom_evaluation *d, const double *v, errors *e)
{
    const carom_model *m = sim->model;
    const int n = sim->s.layout.velocities;
    double *mass = calloc((size_t)n * (size_t)n, sizeof *mass), *row = calloc((size_t)n, sizeof *row), energy = 0;
    assert_true(mass && row);
    d->system->formulation->mass_matrix(d, mass);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            energy += 0.5 * v[i] * mass[i * n + k] * v[k];
    larger(&e->kinetic, energy - carom_dynamics_kinetic(d), energy);
    for (int k = 0; k < m->block_count; k++)
        for (int r = m->blocks[k].first_row; r < m->blocks[k].first_row + m->blocks[k].row_count; r++) {
            double rate = 0, size = 1;
            if (m->tree.kept[k] || m->blocks[k].type == CAROM_BLOCK_ARMATURE)
                continue;
            memset(row, 0, (size_t)n * sizeof *row);
            carom_block_entries(d, &m->blocks[k], r, row);
            for (int i = 0; i < n; i++) {
                rate += row[i] * v[i];
                size += fabs(row[i] * v[i]);
            }
            larger(&e->jacobian, rate - d->phi_rate[r] - d->row_rate[r], size);
        }
    free(mass);
    free(row);
}

/* Accelerations of the bodies are the rates of their velocities along the motion. */
static void check_kinematics(carom_simulation *sim, const carom_evaluation *d, double t, const double *y,
                             const double *rate, errors *e)
{
    const carom_model *m = sim->model;
    const double weight[4] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
    carom_vec3 turned[200] = {{0}}, moved[200] = {{0}};
    double size[200] = {0}, fastest = 100;
    for (int k = 0; k < sim->s.layout.velocities; k++)
        fastest = fmax(fastest, fabs(rate[(sim->s.v - sim->s.q) + k]));
    const double h = 1e-2 / fastest;
    for (int side = -4; side <= 4; side++) {
        if (!side)
            continue;
        /* q is followed to the fourth order: its second derivatives are those of the speeds */
        double *z = sim->y_scratch;
        memcpy(z, y, sim->s.integrated * sizeof *z);
        const size_t first = (size_t)(sim->s.v - sim->s.q);
        const int steps = 8;
        for (int n = 0; n < steps; n++) {
            double *half = sim->root_scratch;
            const double step = side * h / steps;
            for (int k = 0; k < sim->s.layout.velocities; k++)
                half[first + (size_t)k] = z[first + (size_t)k] + 0.5 * step * rate[first + (size_t)k];
            memcpy(half, z, (size_t)sim->s.layout.positions * sizeof *half);
            double *out = sim->rate_scratch;
            d->system->formulation->position_rate(m, half, half + first, out);
            for (int k = 0; k < sim->s.layout.positions; k++)
                half[k] = z[k] + 0.5 * step * out[k];
            d->system->formulation->position_rate(m, half, half + first, out);
            for (int k = 0; k < sim->s.layout.positions; k++)
                z[k] += step * out[k];
            for (int k = 0; k < sim->s.layout.velocities; k++)
                z[first + (size_t)k] += step * rate[first + (size_t)k];
        }
        carom_system_pose(sim->probe, &sim->s, t + side * h, z, z + first);
        const double w = (side < 0 ? -1 : 1) * weight[abs(side) - 1] / h;
        for (int body = 1; body <= m->body_count; body++) {
            moved[body] = carom_v3_add_scaled(moved[body], w, sim->probe->pose[body].v);
            turned[body] = carom_v3_add_scaled(turned[body], w, sim->probe->pose[body].w);
            size[body] = carom_v3_norm(sim->probe->pose[body].v) + carom_v3_norm(sim->probe->pose[body].w);
        }
    }
    double scale = 0;
    for (int body = 1; body <= m->body_count; body++) {
        const carom_body_acceleration a = d->system->formulation->body_acceleration(d, body);
        scale = fmax(scale, carom_v3_norm(a.linear) + carom_v3_norm(a.angular) + 1e2 * size[body]);
    }
    for (int body = 1; body <= m->body_count; body++) {
        const carom_body_acceleration a = d->system->formulation->body_acceleration(d, body);
        larger(&e->kinematics, carom_v3_norm(carom_v3_sub(moved[body], a.linear)), scale);
        larger(&e->kinematics, carom_v3_norm(carom_v3_sub(turned[body], a.angular)), scale);
    }
}

/* The same forces in absolute coordinates. */
static void check_bodies(carom_simulation *sim, carom_evaluation *d, double t, errors *e)
{
    const carom_model *m = sim->model;
    carom_system *system;
    carom_state s;
    assert_int_equal(carom_system_create(sim->ctx, m, &carom_formulation_cartesian, &system), CAROM_OK);
    carom_evaluation *other = carom_system_workspace(system);
    assert_int_equal(carom_state_init(sim->ctx, m, &carom_formulation_cartesian, &s), CAROM_OK);
    assert_int_equal(carom_state_share(&s, &sim->s), CAROM_OK);
    system->stabilization = sim->system->stabilization;
    system->stabilization_params = sim->system->stabilization_params;
    for (int body = 1; body <= m->body_count; body++) {
        const carom_body_pose *p = &d->pose[body];
        const carom_quat n = carom_quat_from_axes(&p->axes);
        const carom_body_state at = {.position = {p->p.x, p->p.y, p->p.z},
                                     .velocity = {p->v.x, p->v.y, p->v.z},
                                     .orientation = {n.w, n.x, n.y, n.z},
                                     .angular_velocity = {p->w.x, p->w.y, p->w.z}};
        s.formulation->put_body(m, body - 1, &at, s.q);
        s.formulation->move_body(m, body - 1, &at, s.v);
    }
    bool *redundant = calloc((size_t)m->row_count + 1, sizeof *redundant);
    int rank;
    *s.time = t;
    assert_int_equal(carom_assembly_rank(other, &s, redundant, &rank), CAROM_OK);
    assert_true(carom_system_evaluate(other, &s, t, s.q));
    double size = 1;
    for (int body = 1; body <= m->body_count; body++) {
        const carom_body_acceleration a = s.formulation->body_acceleration(other, body);
        size = fmax(size, carom_v3_norm(a.linear) + carom_v3_norm(a.angular));
    }
    for (int body = 1; body <= m->body_count; body++) {
        const carom_body_acceleration a = s.formulation->body_acceleration(other, body);
        const carom_body_acceleration b = d->system->formulation->body_acceleration(d, body);
        larger(&e->bodies, carom_v3_norm(carom_v3_sub(a.linear, b.linear)), size);
        larger(&e->bodies, carom_v3_norm(carom_v3_sub(a.angular, b.angular)), size);
    }
    free(redundant);
    carom_state_clear(&s);
    carom_system_free(system);
}

/* A random state about that of the start; where loops are closed they stay so. */
static void visit(carom_simulation *sim, uint64_t *seed, bool bodies, errors *e)
{
    const carom_model *m = sim->model;
    const carom_formulation *f = sim->s.formulation;
    const int n = sim->s.layout.velocities;
    carom_evaluation *d = sim->d;
    double *y = calloc(sim->s.integrated, sizeof *y), *step = calloc((size_t)n, sizeof *step);
    double *rate = calloc(sim->s.integrated, sizeof *rate);
    assert_true(y && step && rate);
    const double t = test_random(seed, 0, 1);
    memcpy(y, sim->s.q, sim->s.integrated * sizeof *y);
    double *v = y + (sim->s.v - sim->s.q);
    const double far = m->tree.row_count ? 0.02 : 1;
    for (int k = 0; k < n; k++) {
        step[k] = far * test_random(seed, -1, 1);
        v[k] = test_random(seed, -2, 2);
    }
    f->retract(m, step, y);
    f->settle(d, &sim->s, t, y, v);
    const bool closed = !m->tree.row_count || f->project(sim->probe, &sim->s, t, y, v, 1e-13, 60);
    if (closed && carom_rhs_evaluate(sim, d, t, y, rate) == 0) {
        check_inverse(d, e);
        check_matrices(sim, d, v, e);
        check_kinematics(sim, d, t, y, rate, e);
        if (bodies)
            check_bodies(sim, d, t, e);
    }
    free(y);
    free(step);
    free(rate);
}

static void tell(const char *what, const errors *e)
{
    print_message("%-16s bodies %.1e  inverse %.1e  kinetic %.1e  rows %.1e  kinematics %.1e\n", what, e->bodies,
                  e->inverse, e->kinetic, e->jacobian, e->kinematics);
}

static bool holds(const errors *e)
{
    return e->bodies <= ALLOWED && e->inverse <= ALLOWED && e->kinetic <= ALLOWED && e->jacobian <= ALLOWED &&
           e->kinematics <= ALLOWED;
}

static void join(errors *worst, const errors *e)
{
    larger(&worst->bodies, e->bodies, 1);
    larger(&worst->inverse, e->inverse, 1);
    larger(&worst->kinetic, e->kinetic, 1);
    larger(&worst->jacobian, e->jacobian, 1);
    larger(&worst->kinematics, e->kinematics, 1);
}

static void random_trees(void **state)
{
    (void)state;
    static text model;
    errors worst = {0};
    int refused = 0;
    for (uint64_t k = 0; k < TREES; k++) {
        carom_context *ctx = new_context();
        carom_model *m;
        carom_simulation *sim;
        uint64_t seed = 77 + k;
        random_model(&model, k + 1);
        FILE *out = fopen("random_tree.yaml", "w");
        assert_non_null(out);
        fwrite(model.at, 1, model.length, out);
        fclose(out);
        carom_document *document;
        if (carom_document_read(ctx, "random_tree.yaml", NULL, 0, &document) != CAROM_OK ||
            carom_model_compile(ctx, carom_document_spec(document), &m) != CAROM_OK)
            fail_msg("tree %d: %s", (int)k, carom_context_error(ctx));
        carom_document_free(document);
        /* what motions or loops cannot start from is refused */
        if (carom_simulation_create(ctx, m, NULL, &sim) == CAROM_OK) {
            errors e = {0};
            for (int n = 0; n < 4; n++)
                visit(sim, &seed, true, &e);
            if (!holds(&e)) {
                char what[40];
                snprintf(what, sizeof what, "tree %d", (int)k);
                tell(what, &e);
            }
            join(&worst, &e);
            carom_simulation_free(sim);
        } else {
            refused++;
        }
        carom_model_free(m);
        carom_context_free(ctx);
    }
    tell("random trees", &worst);
    print_message("%d of %d trees cannot start\n", refused, TREES);
    assert_true(refused < TREES / 5);
    assert_true(holds(&worst));
}

static void robots(void **state)
{
    (void)state;
    static const char *const names[] = {"iiwa_dropped", "hyq_standing", "hexapod", "humanoid", "manipulator"};
    const char *all = getenv("CAROM_TEST_ALL");
    const int states = all && strcmp(all, "0") != 0 ? STATES : STATES / 20;
    errors worst = {0};
    for (size_t k = 0; k < CAROM_COUNT(names); k++) {
        char file[100];
        free_run run;
        errors e = {0};
        uint64_t seed = 5 + k;
        snprintf(file, sizeof file, "%s.yaml", names[k]);
        free_run_open(&run, file, NULL, 0, 0, NULL);
        carom_run_def own = *carom_model_get_run(run.model, 0);
        carom_simulation_def def = carom_default_simulation_def();
        carom_simulation *sim;
        own.formulation = "tree";
        def.run_def = &own;
        if (carom_simulation_create(run.ctx, run.model, &def, &sim) != CAROM_OK)
            fail_msg("%s: %s", names[k], carom_context_error(run.ctx));
        for (int n = 0; n < states; n++)
            visit(sim, &seed, n < 10, &e);
        tell(names[k], &e);
        carom_simulation_free(sim);
        free_run_close(&run);
        join(&worst, &e);
    }
    assert_true(holds(&worst));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_trees), cmocka_unit_test(robots)};
    return cmocka_run_group_tests_name("trees", tests, NULL, NULL);
}
