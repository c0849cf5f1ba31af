/* Eight kernels whose instructions tools/budgets counts (bench/budgets.txt): `kernels` runs each of them as often
   as it prints. */
#include "impact_bench.h"

#include "expr/expr.h"
#include "sim/sim.h"

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else
#define CALLGRIND_ZERO_STATS
#define CALLGRIND_DUMP_STATS
#endif

#define IMPACT \
    "{carom: 1, dimension: 3, bodies: {" \
    "a: {mass: 0.092, inertia: [1.472e-5, 1.472e-5, 1.472e-5], at: [0.3, -0.2, 0.1], velocity: [0.15, 0, 0]," \
    " angular_velocity: [10, 20, 30]}," \
    "b: {mass: 0.092, inertia: [1.472e-5, 1.472e-5, 1.472e-5], at: [0.324, -0.168, 0.1], velocity: [-0.15, 0, 0]," \
    " angular_velocity: [0, 0, 0]}}," \
    "shapes: {sa: {type: sphere, on: a, radius: 0.02}, sb: {type: sphere, on: b, radius: 0.02}}," \
    "contacts: {hit: {between: [sa, sb], normal: {law: exact, stiffness: 5.5e9, restitution: 0.7}}}," \
    "run: {until: 4e-4, integrator: dop853, tolerance: 1e-6}}"

#define CRANK \
    "{carom: 1, dimension: 2, gravity: [0, -9.81], bodies: {" \
    "crank: {mass: 0.038, inertia: 7.4e-5, at: [0.0765, 0], frames: {root: [-0.0765, 0], tip: [0.0765, 0]}}," \
    "rod: {mass: 0.076, inertia: 5.9e-5, at: [0.306, 0], frames: {root: [-0.153, 0], tip: [0.153, 0]}}," \
    "slider: {mass: 0.038, inertia: 1.8e-6, at: [0.459, 0]}}," \
    "joints: {main: {type: revolute, between: [ground, crank.root], rate: 150}," \
    "pin: {type: revolute, between: [crank.tip, rod.root]}, wrist: {type: revolute, between: [rod.tip, slider]}," \
    "guide: {type: translational, between: [ground, slider], axis: [1, 0]}}, run: {until: 1}}"

#define BALLS \
    "{carom: 1, dimension: 3, gravity: [0, 0, -9.81], materials: {soft: {E: 1e7, nu: 0.25}}," \
    "bodies: {ball: {copies: 27, mass: 1e-3, inertia: [1e-8, 1e-8, 1e-8]," \
    " at: ['(mod(copy - 1, 3) - 1)*9.99e-3', '(mod(floor((copy - 1)/3), 3) - 1)*9.99e-3'," \
    "  '(floor((copy - 1)/9) + 0.5)*9.99e-3'], velocity: [0, 0, 0], angular_velocity: [0, 0, 0]}}," \
    "shapes: {ball: {type: sphere, on: ball, radius: 5*mm, material: soft}," \
    " floor: {type: plane, on: ground, normal: [0, 0, 1], material: soft}}," \
    "contacts: {pile: {all: [ball, floor], normal: {law: tsuji, restitution: 0.7}," \
    " friction: {law: mindlin, kinetic: 0.5}}}, run: {until: 1, integrator: verlet, step: 2e-5}}"

static carom_context *context;
static carom_model *impact;
static carom_simulation *struck, *crank, *tree, *balls;
static carom_expr *expression;
static volatile double sink;

/* Force of a contact, its parts and their derivatives, at a depth and a rate. */
static void kernel_law(int count)
{
    carom_contact_point p = {.gap_rate = -0.1};
    for (int n = 0; n < count; n++) {
        p.gap = -1e-5 - 1e-8 * n;
        carom_episode_force(&struck->model->contacts[0], &struck->s.located[0], &p);
        sink = p.force;
    }
}

/* A simulation of two spheres, from the model in memory to the impact. */
static void kernel_impact(int count)
{
    for (int n = 0; n < count; n++) {
        carom_simulation *sim;
        bench_check(context, carom_simulation_create(context, impact, NULL, &sim));
        bench_check(context, carom_simulation_run(sim));
        carom_simulation_free(sim);
    }
}

static void kernel_crank(int count)
{
    for (int n = 0; n < count; n++)
        bench_check(context, carom_simulation_evaluate(crank));
}

static void kernel_tree(int count)
{
    for (int n = 0; n < count; n++)
        bench_check(context, carom_simulation_evaluate(tree));
}

/* A step of 27 balls in a heap. */
static void kernel_balls(int count)
{
    for (int n = 0; n < count; n++)
        bench_check(context, carom_simulation_step(balls));
}

/* Value with both derivatives by the time. */
static void kernel_expression(int count)
{
    for (int n = 0; n < count; n++)
        sink = carom_expr_jet(expression, 1e-6 * n, NULL).acceleration;
}

/* A row of all channels of the crank. */
static void kernel_row(int count)
{
    for (int n = 0; n < count; n++)
        bench_check(context, carom_record_sample(crank, 0, n, crank->d, &crank->s));
}

/* From the text of a model to a simulation that has begun. */
static void kernel_start(int count)
{
    for (int n = 0; n < count; n++) {
        carom_model *model = bench_model(context, CRANK);
        carom_simulation *sim;
        bench_check(context, carom_simulation_create(context, model, NULL, &sim));
        carom_simulation_free(sim);
        carom_model_free(model);
    }
}

static carom_status take_rows(void *user, int group, size_t rows, const double *time, const double *data)
{
    (void)user;
    (void)group;
    (void)data;
    sink = rows ? time[0] : 0;
    return CAROM_OK;
}

static carom_simulation *open_run(const char *text, const carom_sink *to, double until)
{
    carom_simulation_def def = carom_default_simulation_def();
    carom_simulation *sim;
    carom_model *model = bench_model(context, text); /* kept: the run has it */
    def.sink = to;
    bench_check(context, carom_simulation_create(context, model, &def, &sim));
    bench_check(context, carom_simulation_advance(sim, until));
    return sim;
}

/* A chain of eight links in joint coordinates. */
static const char *chain(char *text, size_t size)
{
    int n = snprintf(text, size, "{carom: 1, dimension: 3, gravity: [0, 0, -9.81], bodies: {");
    for (int k = 0; k < 8; k++)
        n += snprintf(text + n, size - (size_t)n,
                      "l%d: {mass: 1, inertia: [0.01, 0.02, 0.02], at: [%g, 0, 0], frames: {a: [-0.1, 0, 0],"
                      " b: [0.1, 0, 0]}},", k, 0.1 + 0.2 * k);
    n += snprintf(text + n, size - (size_t)n,
                  "}, joints: {j0: {type: revolute, between: [ground, l0.a], axis: [0, 1, 0]},");
    for (int k = 1; k < 8; k++)
        n += snprintf(text + n, size - (size_t)n, "j%d: {type: revolute, between: [l%d.b, l%d.a], axis: [0, %d, %d]},",
                      k, k - 1, k, k % 2, 1 - k % 2);
    snprintf(text + n, size - (size_t)n, "}, run: {until: 1, formulation: tree}}");
    return text;
}

int main(void)
{
    static const struct {
        const char *name;
        void (*run)(int count);
        int count;
    } kernels[] = {{"law", kernel_law, 1000},       {"impact", kernel_impact, 4},
                   {"crank", kernel_crank, 200},    {"tree", kernel_tree, 200},
                   {"balls", kernel_balls, 20},     {"expression", kernel_expression, 1000},
                   {"row", kernel_row, 200},        {"start", kernel_start, 4}};
    static const char *const names[] = {"A", "td"};
    static const double values[] = {1250, 0.012};
    const carom_sink to = {.size = sizeof to, .rows = take_rows};
    const carom_expr_scope scope = {.names = names, .values = values, .count = 2, .time_allowed = true};
    char text[4096];
    carom_arena arena;
    if (carom_context_create(NULL, &context) != CAROM_OK)
        return 1;
    carom_arena_init(&arena, context);
    bench_check(context, carom_expr_compile(&arena, &scope, "A*exp(-4.73*(t/td)^2)*sin(pi*t/td)", NULL, &expression));
    impact = bench_model(context, IMPACT);
    struck = open_run(IMPACT, NULL, 2e-5);
    crank = open_run(CRANK, &to, 0.01);
    tree = open_run(chain(text, sizeof text), NULL, 0.01);
    balls = open_run(BALLS, NULL, 0.01);
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++) {
        CALLGRIND_ZERO_STATS;
        kernels[k].run(kernels[k].count);
        CALLGRIND_DUMP_STATS;
        printf("%s %d\n", kernels[k].name, kernels[k].count);
    }
    carom_simulation_free(balls);
    carom_simulation_free(tree);
    carom_simulation_free(crank);
    carom_simulation_free(struck);
    carom_model_free(impact);
    carom_arena_free(&arena);
    return 0;
}
