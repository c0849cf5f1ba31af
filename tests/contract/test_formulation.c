/* Contract of formulations: coordinates go to bodies and back, positions move along velocities and tell the way between
   them, and the equations of motion answer forces as the rows say. */
#include "carom_test.h"

#include <math.h>

#include "dynamics/formulation/cartesian.h"
#include "sim/sim.h"
#include "support/trial.h"

#define SHAFTS(friction)                                                                                               \
    "carom: 1\ndimension: 3\ngravity: [1, -9.81, 2]\n"                                                                \
    "bodies:\n"                                                                                                        \
    "  shaft: {mass: 2, inertia: [0.01, 0.02, 0.03], at: [0.1, 0.2, 0]}\n"                                             \
    "  arm: {mass: 1, inertia: [0.01, 0.02, 0.02], at: [0.4, 0.3, 0.1]}\n"                                             \
    "  tip: {mass: 0.5, inertia: [0.01, 0.01, 0.015], at: [0.6, 0.1, 0.2]}\n"                                          \
    "joints:\n"                                                                                                        \
    "  sleeve: {type: cylindrical, between: [ground, {shaft: [0.1, -0.1, 0]}], axis: [1, 2, 2], "                      \
    "motion: \"0.3*t + t^2\"" friction "}\n"                                                                           \
    "  elbow: {type: revolute, between: [{shaft: [0.1, 0.1, 0]}, {arm: [-0.2, 0, -0.1]}], axis: [0, 1, 1], rate: 2}\n" \
    "  ball: {type: spherical, between: [{arm: [0.1, 0, 0]}, {tip: [-0.1, 0.2, -0.1]}]}\n"                             \
    "run: {until: 1}\n"

/* A shaft that is pushed along its sleeve and turns in it as it likes, and what it carries; with friction the tree
   takes its accelerations from the rows of all joints. */
static const trial trial_shafts = {"shafts", SHAFTS(", friction: {law: coulomb, kinetic: 0.2, radius: 0.02}"), 1, 1e-3,
                                   1e-2};
static const trial trial_free_shafts = {"free shafts", SHAFTS(""), 1, 1e-3, 1e-2};

static void near(double a, double b, double allowed)
{
    if (!(fabs(a - b) <= allowed))
        fail_msg("%.17g, not %.17g", a, b);
}

/* Some motion of all coordinates; bounded, of no pattern. */
static double some(int k) { return sin(12.9898 * (k + 1)); }

/* Bodies from coordinates and back; a small motion seen by the poses. */
static void check_coordinates(carom_simulation *sim)
{
    const carom_model *m = sim->model;
    const carom_formulation *f = sim->s.formulation;
    const carom_layout n = sim->s.layout;
    double *q = sim->y_scratch, *v = sim->rate_scratch, *step = calloc((size_t)n.velocities, sizeof *step);
    double *back = calloc((size_t)n.velocities, sizeof *back), *rate = calloc((size_t)n.positions, sizeof *rate);
    assert_true(step && back && rate);
    memcpy(q, sim->s.q, (size_t)n.positions * sizeof *q);
    for (int k = 0; k < n.velocities; k++)
        v[k] = some(k);
    for (int k = 0; k < n.velocities; k++)
        step[k] = 0.3 * some(k + 7);
    f->retract(m, step, q);
    f->difference(m, sim->s.q, q, back);
    for (int k = 0; k < n.velocities; k++)
        near(back[k], step[k], 1e-12);
    /* poses at both ends of a small step differ by the twist */
    const double h = 1e-6;
    f->position_rate(m, q, v, rate);
    for (int body = 1; body <= m->body_count; body++) {
        const carom_body_pose at = f->body_pose(m, body, q, v);
        carom_body_state state;
        f->get_body(m, body - 1, q, v, &state);
        near(state.position[0], at.p.x, 0);
        near(state.angular_velocity[2], at.w.z, 0);
        const double *o = state.orientation;
        const carom_mat3 turned_to = carom_quat_matrix((carom_quat){o[0], o[1], o[2], o[3]});
        for (int c = 0; c < 3; c++)
            near(carom_v3_norm(carom_v3_sub(carom_m3_column(&turned_to, c), carom_m3_column(&at.axes, c))), 0, 1e-13);
        for (int k = 0; k < n.positions; k++)
            q[k] += h * rate[k];
        const carom_body_pose then = f->body_pose(m, body, q, v);
        for (int k = 0; k < n.positions; k++)
            q[k] -= 2 * h * rate[k];
        const carom_body_pose before = f->body_pose(m, body, q, v);
        for (int k = 0; k < n.positions; k++)
            q[k] += h * rate[k];
        const carom_vec3 moved = carom_v3_scale(0.5 / h, carom_v3_sub(then.p, before.p));
        near(carom_v3_norm(carom_v3_sub(moved, at.v)), 0, 1e-8 * (1 + carom_v3_norm(at.p)));
        for (int c = 0; c < 3; c++) {
            const carom_vec3 a = carom_m3_column(&at.axes, c), b = carom_m3_column(&then.axes, c);
            const carom_vec3 c0 = carom_m3_column(&before.axes, c);
            const carom_vec3 turned = carom_v3_scale(0.5 / h, carom_v3_sub(b, c0));
            near(carom_v3_norm(carom_v3_sub(turned, carom_v3_cross(at.w, a))), 0, 1e-8);
        }
    }
    /* what was put is what is got, where the numbers of a body are among the coordinates */
    for (int body = 0; body < m->body_count; body++) {
        if (f->body_place(m, body, false, false) < 0)
            continue;
        carom_body_state put = {.position = {1, 2, 0}, .velocity = {3, 4, 0}, .orientation = {0.6, 0, 0.8, 0}}, got;
        put.angle = 0.7;
        put.angular_velocity[2] = 5;
        f->put_body(m, body, &put, q);
        f->move_body(m, body, &put, v);
        f->get_body(m, body, q, v, &got);
        near(got.position[1], 2, 0);
        near(got.velocity[1], 4, 0);
        near(got.angular_velocity[2], 5, 0);
        near(m->dimension == 2 ? got.angle : got.orientation[2], m->dimension == 2 ? 0.7 : 0.8, 1e-15);
    }
    free(step);
    free(back);
    free(rate);
}

enum { BEYOND = 4 };
static const double untouched = 77;

static double *filled(int count)
{
    double *numbers = calloc((size_t)(count + BEYOND), sizeof *numbers);
    assert_non_null(numbers);
    for (int k = 0; k < count + BEYOND; k++)
        numbers[k] = untouched;
    return numbers;
}

static void beyond_is_untouched(const double *numbers, int count)
{
    for (int k = count; k < count + BEYOND; k++)
        assert_true(numbers[k] == untouched);
}

/* What writes coordinates writes those of the model and no others, and of a body no others than its own. */
static void check_places(carom_simulation *sim)
{
    const carom_model *m = sim->model;
    const carom_formulation *f = sim->s.formulation;
    const carom_layout n = sim->s.layout;
    double *q = filled(n.positions), *v = filled(n.velocities), *step = filled(n.velocities);
    double *rate = filled(n.positions), *moved = filled(n.positions);
    memcpy(q, sim->s.q, (size_t)n.positions * sizeof *q);
    memcpy(moved, q, (size_t)n.positions * sizeof *q);
    for (int k = 0; k < n.velocities + BEYOND; k++)
        v[k] = some(k);
    f->position_rate(m, q, v, rate);
    beyond_is_untouched(rate, n.positions);
    f->retract(m, v, moved);
    f->normalise(m, moved);
    beyond_is_untouched(moved, n.positions);
    f->difference(m, q, moved, step);
    beyond_is_untouched(step, n.velocities);
    carom_body_state bodies[2] = {{.angle = 0}, {.position = {untouched}, .velocity = {untouched}}};
    f->get_body(m, m->body_count - 1, q, v, bodies);
    assert_true(bodies[1].position[0] == untouched && bodies[1].position[1] == 0);
    const int size = m->body_count ? n.positions / m->body_count : 0;
    for (int body = 0; f->each && body < m->body_count; body++) {
        double *own = filled(n.positions);
        f->each->position_rate(m, body, body + 1, q, v, own);
        for (int k = 0; k < n.positions; k++)
            assert_true(own[k] == (k / size == body ? rate[k] : untouched));
        beyond_is_untouched(own, n.positions);
        free(own);
    }
    free(q);
    free(v);
    free(rate);
    free(moved);
    free(step);
}

/* Coordinates that are taken from bodies are those that put them there, over any number of turns of joints that are
   about there. */
static void check_take_bodies(carom_simulation *sim)
{
    const carom_model *m = sim->model;
    const carom_formulation *f = sim->s.formulation;
    const carom_layout n = sim->s.layout;
    if (!f->take_bodies)
        return;
    double *q = filled(n.positions), *v = filled(n.velocities), *step = filled(n.velocities);
    double *back = filled(n.positions), *rate = filled(n.velocities), *about = filled(m->joint_count);
    carom_body_pose *poses = calloc((size_t)m->body_count + 1, sizeof *poses);
    assert_non_null(poses);
    memcpy(q, sim->s.q, (size_t)n.positions * sizeof *q);
    for (int k = 0; k < n.velocities; k++)
        step[k] = 20 * some(k), v[k] = some(k + 3);
    f->retract(m, step, q);
    poses[0].axes = carom_m3_identity();
    for (int body = 1; body <= m->body_count; body++) {
        const carom_tree_body *tb = &m->tree.bodies[body];
        poses[body] = f->body_pose(m, body, q, v);
        if (tb->joint >= 0 && m->joints[tb->joint].coordinate >= 0)
            about[m->joints[tb->joint].coordinate] = q[tb->first_q] + 0.4;
    }
    f->take_bodies(m, poses, about, back, rate);
    for (int k = 0; k < n.velocities; k++)
        near(rate[k], v[k], 1e-11);
    for (int body = 1; body <= m->body_count; body++) {
        const carom_tree_body *tb = &m->tree.bodies[body];
        if (tb->joint >= 0 && m->joints[tb->joint].coordinate >= 0)
            near(back[tb->first_q], q[tb->first_q], 1e-12);
    }
    f->difference(m, q, back, step);
    for (int k = 0; k < n.velocities; k++)
        near(remainder(step[k], 6.283185307179586), 0, 1e-11);
    beyond_is_untouched(back, n.positions);
    beyond_is_untouched(rate, n.velocities);
    free(q);
    free(v);
    free(step);
    free(back);
    free(rate);
    free(about);
    free(poses);
}

/* The Delassus column of a force pair is what the force does to the accelerations, and keeps the constraints. */
static void check_column(carom_simulation *sim, int body_j)
{
    const carom_model *m = sim->model;
    const carom_formulation *f = sim->s.formulation;
    carom_evaluation *d = sim->probe;
    const int n = m->body_count * carom_twist_size(m);
    double *column = calloc((size_t)n, sizeof *column), *before = calloc((size_t)n, sizeof *before);
    const carom_force_pair pair = {.body_j = body_j,
                                   .arm_j = {0.1, -0.2, m->dimension == 3 ? 0.3 : 0},
                                   .direction = {0.6, 0.8, 0}};
    assert_true(column && before);
    assert_true(carom_system_evaluate(d, &sim->s, *sim->s.time, sim->s.q));
    memcpy(before, d->acceleration, (size_t)n * sizeof *before);
    double free_inverse;
    const double inverse = f->delassus(d, &pair, false, column, &free_inverse);
    near(free_inverse, f->free_delassus(d, &pair), 0);
    assert_true(inverse <= free_inverse * (1 + 1e-12) && inverse >= -1e-12 * free_inverse);
    const carom_body_acceleration moved = f->body_change(d, column, body_j);
    near(carom_v3_dot(carom_v3_add(moved.linear, carom_v3_cross(moved.angular, pair.arm_j)), pair.direction), inverse,
         1e-9 * free_inverse);
    carom_wrench *w = &d->wrench[body_j];
    w->force = carom_v3_add(w->force, pair.direction);
    w->torque = carom_v3_add(w->torque, carom_v3_cross(pair.arm_j, pair.direction));
    assert_true(f->accelerate(d));
    double scale = free_inverse;
    for (int k = 0; k < n; k++)
        scale = fmax(scale, fabs(before[k]));
    for (int k = 0; k < n; k++)
        near(d->acceleration[k] - before[k], column[k], 1e-8 * scale);
    for (int r = 0; r < m->row_count; r++)
        near(f->row_times(d, &d->jacobian[r], column), 0, 1e-8 * scale);
    free(column);
    free(before);
}

/* The twists of bodies change along the rates of the coordinates by the accelerations that were found. */
static void check_rates(carom_simulation *sim)
{
    const carom_model *m = sim->model;
    const carom_formulation *f = sim->s.formulation;
    const carom_layout n = sim->s.layout;
    carom_evaluation *d = sim->probe;
    const double h = 1e-5;
    double *q_rate = filled(n.positions), *v_rate = filled(n.velocities), *q[2], *v[2];
    assert_true(carom_system_evaluate(d, &sim->s, *sim->s.time, sim->s.q));
    f->position_rate(m, sim->s.q, sim->s.v, q_rate);
    if (f->velocity_rate)
        f->velocity_rate(d, v_rate);
    else
        memcpy(v_rate, d->acceleration, (size_t)n.velocities * sizeof *v_rate);
    beyond_is_untouched(v_rate, n.velocities);
    for (int end = 0; end < 2; end++) {
        q[end] = filled(n.positions), v[end] = filled(n.velocities);
        for (int k = 0; k < n.positions; k++)
            q[end][k] = sim->s.q[k] + (end ? h : -h) * q_rate[k];
        for (int k = 0; k < n.velocities; k++)
            v[end][k] = sim->s.v[k] + (end ? h : -h) * v_rate[k];
    }
    for (int body = 1; body <= m->body_count; body++) {
        const carom_body_pose before = f->body_pose(m, body, q[0], v[0]), after = f->body_pose(m, body, q[1], v[1]);
        const carom_body_acceleration a = f->body_acceleration(d, body);
        const carom_vec3 linear = carom_v3_scale(0.5 / h, carom_v3_sub(after.v, before.v));
        const carom_vec3 angular = carom_v3_scale(0.5 / h, carom_v3_sub(after.w, before.w));
        near(carom_v3_norm(carom_v3_sub(linear, a.linear)), 0, 1e-6 * (1 + carom_v3_norm(a.linear)));
        near(carom_v3_norm(carom_v3_sub(angular, a.angular)), 0, 1e-6 * (1 + carom_v3_norm(a.angular)));
    }
    for (int end = 0; end < 2; end++) {
        free(q[end]);
        free(v[end]);
    }
    free(q_rate);
    free(v_rate);
}

static void check(const trial *of, const char *formulation)
{
    carom_context *ctx;
    carom_model *model;
    carom_simulation *sim;
    ctx = new_context();
    assert_int_equal(trial_compile(ctx, of, "adams", NULL, &model), CAROM_OK);
    carom_run_def run = *carom_model_get_run(model, 0);
    carom_simulation_def def = carom_default_simulation_def();
    run.formulation = formulation;
    def.run_def = &run;
    assert_int_equal(carom_simulation_create(ctx, model, &def, &sim), CAROM_OK);
    check_places(sim);
    check_rates(sim);
    check_take_bodies(sim);
    check_coordinates(sim);
    /* friction of joints answers a force by its bearings, too */
    for (int body = 1; body <= model->body_count && !sim->model->site_count; body++)
        check_column(sim, body);
    carom_simulation_free(sim);
    carom_model_free(model);
    carom_context_free(ctx);
}

static void coordinates_and_forces_agree(void **state)
{
    (void)state;
    static const char *const names[] = {"cartesian", "tree"};
    for (size_t k = 0; k < CAROM_COUNT(names); k++) {
        check(&trial_block, names[k]);
        check(&trial_top, names[k]);
        check(&trial_redundant, names[k]);
        check(&trial_balls, names[k]);
        check(&trial_balls_3d, names[k]);
        check(&trial_shafts, names[k]);
        check(&trial_free_shafts, names[k]);
    }
}

/* Newton's equation of a quaternion q' = (0, w) q/2 at a spin w that turns by 2 gamma or so within a step: the change c
   that is found has c - gamma ((0, w) c + (0, u) q)/2 = r, with the change u of the spin. */
static void quaternions_are_solved_for(void **state)
{
    (void)state;
    carom_context *ctx = new_context();
    carom_model *model =
        new_model(ctx, "carom: 1\ndimension: 3\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, "
                       "1, 1]}}\nrun: {until: 1}\n");
    for (int n = 0; n < 50; n++) {
        double q[14], v[12], r[14], u[12], move[12], c[14];
        const double gamma = 0.5 * fabs(some(100 * n));
        for (int k = 0; k < 14; k++) {
            q[k] = some(100 * n + k + 1);
            r[k] = some(100 * n + k + 20);
        }
        for (int k = 0; k < 12; k++) {
            v[k] = 4 * some(100 * n + k + 40);
            u[k] = some(100 * n + k + 60);
        }
        carom_cartesian_newton_position(model, q, v, gamma, r, u, move, c);
        for (int body = 0; body < 2; body++) {
            const double *of = q + 7 * body, *got = c + 7 * body, *wanted = r + 7 * body;
            const double *spin = v + 6 * body + 3, *change = u + 6 * body + 3;
            const carom_quat left = carom_quat_multiply((carom_quat){0, spin[0], spin[1], spin[2]},
                                                        (carom_quat){got[3], got[4], got[5], got[6]});
            const carom_quat right = carom_quat_multiply((carom_quat){0, change[0], change[1], change[2]},
                                                         (carom_quat){of[3], of[4], of[5], of[6]});
            const double both[4] = {left.w + right.w, left.x + right.x, left.y + right.y, left.z + right.z};
            for (int k = 0; k < 3; k++)
                near(got[k], wanted[k] + gamma * u[6 * body + k], 1e-14);
            for (int k = 0; k < 4; k++)
                near(got[3 + k] - 0.5 * gamma * both[k], wanted[3 + k], 1e-14);
        }
    }
    carom_model_free(model);
    carom_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(coordinates_and_forces_agree),
                                       cmocka_unit_test(quaternions_are_solved_for)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
