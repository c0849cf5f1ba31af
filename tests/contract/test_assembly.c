/* Assembly of a system alone, without a simulation: many bodies, redundant rows, the least norm, and what
   contradicts. */
#include "carom_test.h"

#include <math.h>

#include "dynamics/assembly.h"
#include "dynamics/dynamics.h"
#include "dynamics/formulation/formulation.h"

#define LINKS 1000

/* A chain of bars with a length of 1 m that hangs in a wave; some joints stand twice. */
typedef struct chain {
    carom_context *ctx;
    carom_spec spec;
    carom_body_def bodies[LINKS];
    carom_joint_def joints[2 * LINKS];
    char names[LINKS][8], pins[2 * LINKS][8];
    carom_param axis;
    carom_model *model;
    carom_system *system;
    carom_evaluation *d;
    carom_state s;
    carom_start start;
} chain;

/* `twice`: every so many joints one stands twice, 0: none. Bodies are guessed beside their places. */
static chain *chain_of(int dimension, int links, int twice)
{
    chain *c = calloc(1, sizeof *c);
    const double ends[2] = {-0.5, 0.5}, z[3] = {0, 0, 1}, inertia[3] = {0.01, 0.1, 0.1};
    assert_non_null(c);
    c->ctx = new_context();
    c->spec = carom_default_spec();
    c->spec.dimension = dimension;
    c->axis = (carom_param){.name = "axis", .value = carom_value_vector(3, z)};
    double x = 0, y = 0;
    size_t joints = 0;
    for (int k = 0; k < links; k++) {
        const double angle = 0.4 * sin(0.1 * k);
        carom_body_def *b = &c->bodies[k];
        snprintf(c->names[k], sizeof c->names[k], "b%d", k);
        *b = carom_default_body_def();
        b->name = c->names[k];
        b->mass = 1 + 0.5 * sin(k);
        b->inertia = dimension == 2 ? carom_value_number(0.1) : carom_value_vector(3, inertia);
        b->at[0] = x + 0.5 * cos(angle) + 1e-3 * sin(3.0 * k);
        b->at[1] = y + 0.5 * sin(angle) + 1e-3 * cos(5.0 * k);
        b->angle = angle;
        b->orientation[0] = cos(0.5 * angle);
        b->orientation[3] = sin(0.5 * angle);
        x += cos(angle);
        y += sin(angle);
        for (int copy = 0; copy < (twice && k % twice == 1 ? 2 : 1); copy++) {
            carom_joint_def *j = &c->joints[joints];
            snprintf(c->pins[joints], sizeof c->pins[joints], "j%zu", joints);
            *j = carom_default_joint_def();
            j->name = c->pins[joints++];
            j->type = "revolute";
            j->between[0] = (carom_frame_ref){.body = k ? c->names[k - 1] : "ground", .point = {k ? ends[1] : 0}};
            j->between[1] = (carom_frame_ref){.body = c->names[k], .point = {ends[0]}};
            if (dimension == 3)
                j->params = (carom_param_list){&c->axis, 1};
        }
    }
    c->spec.bodies = c->bodies;
    c->spec.body_count = (size_t)links;
    c->spec.joints = c->joints;
    c->spec.joint_count = joints;
    return c;
}

static carom_status assemble(chain *c)
{
    if (carom_model_compile(c->ctx, &c->spec, &c->model) != CAROM_OK)
        fail_msg("%s", carom_context_error(c->ctx));
    const carom_formulation *formulation = carom_formulation_find("cartesian");
    assert_int_equal(carom_system_create(c->ctx, c->model, formulation, &c->system), CAROM_OK);
    c->d = carom_system_workspace(c->system);
    assert_non_null(c->d);
    assert_int_equal(carom_state_init(c->ctx, c->model, formulation, &c->s), CAROM_OK);
    c->start = (carom_start){.redundant = calloc((size_t)c->model->row_count + 1, sizeof(bool))};
    return carom_assembly_start(c->d, &c->s, &c->start);
}

static void chain_free(chain *c)
{
    free(c->start.redundant);
    carom_state_clear(&c->s);
    carom_system_free(c->system);
    carom_model_free(c->model);
    carom_context_free(c->ctx);
    free(c);
}

/* Largest violations of positions and velocities. */
static void violations(chain *c, double *position, double *velocity)
{
    *position = *velocity = 0;
    c->s.formulation->pose(c->d, c->s.q, c->s.v);
    carom_dynamics_constraints(c->d, &c->s, *c->s.time);
    for (int r = 0; r < c->model->row_count; r++) {
        *position = fmax(*position, fabs(c->d->rows[r].phi));
        *velocity = fmax(*velocity, fabs(c->d->phi_rate[r]));
    }
}

static double kinetic(const chain *c) { return carom_dynamics_kinetic(c->d); }

/* A thousand links whose first joint moves, with and without redundant rows (a dense solution would not end):
   positions to 1e-13 of the length of the model, 1000 m, velocities to 1e-12. */
static void test_long_chain(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int twice = 0; twice <= 50; twice += 50) {
            chain *c = chain_of(dimension, LINKS, twice);
            c->joints[0].rate = carom_value_number(1.5);
            assert_ok(c->ctx, assemble(c));
            double position, velocity;
            violations(c, &position, &velocity);
            const int rows = dimension == 2 ? 2 : 5, redundant = twice ? LINKS / twice * rows : 0;
            printf("%d-D, %d rows, %d redundant: violations %.1e m, %.1e m/s\n", dimension,
                   c->model->row_count, redundant, position, velocity);
            assert_int_equal(c->start.rank, LINKS * rows);
            assert_int_equal(c->model->row_count - c->start.rank, redundant);
            assert_true(position < 1e-13 * LINKS);
            assert_true(velocity < 1e-12);
            carom_row row;
            double rate;
            carom_dynamics_coordinate(c->d, 0, 0, &row, &rate);
            assert_true(fabs(rate - 1.5) < 1e-12);
            chain_free(c);
        }
}

/* A thousand given velocities that agree with the joints: all bars turn about the root. */
static void test_given_velocities(void **state)
{
    (void)state;
    chain *c = chain_of(2, LINKS, 0);
    for (int k = 0; k < LINKS; k++)
        c->bodies[k].angular_velocity = carom_value_number(0.3);
    assert_int_equal(assemble(c), CAROM_OK);
    double position, velocity;
    violations(c, &position, &velocity);
    printf("1000 given: violation %.1e m/s\n", velocity);
    /* speeds are up to 300 m/s */
    assert_true(velocity < 1e-12 * 300);
    for (int k = 1; k <= LINKS; k++) {
        const carom_vec3 p = c->d->pose[k].p, v = c->d->pose[k].v;
        /* what is left open of positions adds up along the chain */
        const double off = 0.3 * k * position + 1e-10;
        assert_true(fabs(v.x + 0.3 * p.y) < off && fabs(v.y - 0.3 * p.x) < off);
    }
    chain_free(c);
}

/* Solved with what the sparse solution needs, velocities are those of the singular values: the least norm is one. */
static void test_sparse_is_dense(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int twice = 0; twice <= 4; twice += 4) {
            chain *c = chain_of(dimension, 30, twice);
            c->joints[7].rate = carom_value_number(-2);
            c->bodies[20].angular_velocity = dimension == 2 ? carom_value_number(1) : (carom_value){0};
            assert_int_equal(assemble(c), CAROM_OK);
            assert_non_null(c->system->sparse);
            const size_t n = (size_t)c->s.layout.velocities;
            double *v = malloc(n * sizeof *v), residual;
            const double energy = kinetic(c);
            memcpy(v, c->s.v, n * sizeof *v);
            carom_sparse *sparse = c->system->sparse;
            c->system->sparse = NULL;
            assert_int_equal(carom_assembly_velocities(c->d, &c->s, &residual), CAROM_OK);
            c->system->sparse = sparse;
            double off = 0, greatest = 0;
            for (size_t k = 0; k < n; k++) {
                off = fmax(off, fabs(c->s.v[k] - v[k]));
                greatest = fmax(greatest, fabs(v[k]));
            }
            assert_true(energy > 0 && greatest > 0.1);
            /* the dense solution is good to about the condition of the rows, 1e3, times the rounding error */
            if (!(off < 1e-11 * greatest))
                fail_msg("velocities differ by %g of %g", off, greatest);
            free(v);
            chain_free(c);
        }
}

static void test_contradiction(void **state)
{
    (void)state;
    const double along[2] = {3, 0};
    chain *c = chain_of(2, 200, 10);
    c->bodies[100].velocity = carom_value_vector(2, along);
    c->bodies[100].angular_velocity = carom_value_number(1);
    c->joints[0].rate = carom_value_number(1);
    c->joints[1].rate = carom_value_number(0.5);
    c->joints[2].rate = carom_value_number(0.75); /* the same joint again */
    assert_int_equal(assemble(c), CAROM_ERROR_MODEL);
    const char *error = carom_context_error(c->ctx);
    if (!strstr(error, "rate of joint 'j2' is given as 0.75") || !strstr(error, "make it 0.5;"))
        fail_msg("%s", error);
    chain_free(c);
}

/* A joint of a long chain stands twice, at places of the bar that are 0.75 m apart. */
static void test_cannot_be_assembled(void **state)
{
    (void)state;
    chain *c = chain_of(2, 100, 50);
    c->joints[2].between[1].point[0] = 0.25; /* joint 1 again, elsewhere on the bar */
    assert_int_equal(assemble(c), CAROM_ERROR_MODEL);
    if (!strstr(carom_context_error(c->ctx), "cannot be assembled"))
        fail_msg("%s", carom_context_error(c->ctx));
    chain_free(c);
}

/* A joint in the middle of a long chain is wished elsewhere: the state is moved there, in steps of 0.2 rad. */
static void test_wish(void **state)
{
    (void)state;
    const double wish = -0.7, rate = 0.4;
    for (int twice = 0; twice <= 50; twice += 50) {
        chain *c = chain_of(2, LINKS, twice);
        assert_int_equal(assemble(c), CAROM_OK);
        const int joint = LINKS / 2 + (twice ? LINKS / 2 / twice : 0);
        char name[64];
        snprintf(name, sizeof name, "joint.%s.coordinate", c->pins[joint]);
        assert_int_equal(carom_state_set(&c->s, name, &wish, 1), CAROM_OK);
        snprintf(name, sizeof name, "joint.%s.rate", c->pins[joint]);
        assert_int_equal(carom_state_set(&c->s, name, &rate, 1), CAROM_OK);
        carom_assembly report;
        if (carom_assembly_move(c->d, &c->s, NULL, &report) != CAROM_OK)
            fail_msg("%s", carom_context_error(c->ctx));
        double position, velocity, speed;
        carom_row row;
        violations(c, &position, &velocity);
        printf("a wish, %s redundant rows: moved by %.3g m, left %.1e m, %.1e m/s\n",
               twice ? "with" : "without", report.moved, position, velocity);
        assert_true(fabs(carom_dynamics_coordinate(c->d, joint, wish, &row, &speed) - wish) < 1e-10);
        assert_true(fabs(speed - rate) < 1e-10);
        assert_true(position < 1e-13 * LINKS && velocity < 1e-12);
        assert_true(report.moved > 0.01 && report.position_left < 1e-9);
        /* a state that does not fit, without a wish */
        c->s.q[3] += 0.01;
        if (carom_assembly_move(c->d, &c->s, NULL, &report) != CAROM_OK)
            fail_msg("%s", carom_context_error(c->ctx));
        violations(c, &position, &velocity);
        assert_true(report.position_residual > 0.005 && position < 1e-13 * LINKS && velocity < 1e-12);
        chain_free(c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_long_chain),
        cmocka_unit_test(test_given_velocities),
        cmocka_unit_test(test_sparse_is_dense),
        cmocka_unit_test(test_contradiction),
        cmocka_unit_test(test_cannot_be_assembled),
        cmocka_unit_test(test_wish),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
