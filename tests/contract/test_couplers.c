/* Joints of two other joints: gears on carriers, racks and long trains against closed forms, the row against
   differences, kinds from outside with the bits of the built-in one, and what is refused. */
#include "carom_test.h"

#include <math.h>

#include <carom/carom.h>

static carom_simulation *open_model(carom_context *ctx, const char *text, carom_model **model)
{
    carom_simulation *sim = NULL;
    if (carom_model_parse(ctx, "coupler.yaml", text, strlen(text), NULL, 0, model) != CAROM_OK ||
        carom_simulation_create(ctx, *model, NULL, &sim) != CAROM_OK)
        fail_msg("%s", carom_context_error(ctx));
    return sim;
}

static void close_model(carom_context *ctx, carom_simulation *sim, carom_model *model)
{
    carom_simulation_free(sim);
    carom_model_free(model);
    carom_context_free(ctx);
}

static carom_context *open_context(void)
{
    carom_context *ctx;
    assert_int_equal(carom_context_create(NULL, &ctx), CAROM_OK);
    return ctx;
}

static void expect(const char *what, double value, double expected, double tolerance)
{
    printf("%-36s %.15g, off by %.1e of %.1e allowed\n", what, value, fabs(value - expected), tolerance);
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%s: %.17g, expected %.17g", what, value, expected);
}

/* ---- a planetary gear ---- */

/* Sun and planet on a turning carrier, the ring held: Willis, spin of the sun = (1 + zr/zs) spin of the carrier. */
static const char planetary[] =
    "carom: 1\ndimension: 2\nparameters: {zs: 20, zp: 15, zr: 50, r: 0.035}\n"
    "bodies:\n"
    "  sun: {mass: 1, inertia: 2e-3}\n"
    "  carrier: {mass: 0.5, inertia: 1e-3}\n"
    "  ring: {mass: 1, inertia: 1}\n"
    "  planet: {mass: 0.2, inertia: 3e-4, at: [r, 0]}\n"
    "joints:\n"
    "  mesh_s: {type: coupler, joints: [s, p], ratio: -zs/zp}\n" /* before the joints that it names */
    "  s: {type: revolute, between: [carrier, sun]}\n"
    "  c: {type: revolute, between: [ground, carrier]}\n"
    "  p: {type: revolute, between: [{carrier: [r, 0]}, planet]}\n"
    "  held: {type: fixed, between: [ground, ring]}\n"
    "  r: {type: revolute, between: [carrier, ring]}\n"
    "  mesh_r: {type: coupler, joints: [r, p], ratio: zr/zp}\n"
    "loads: {drive: {type: torque, on: sun, torque: 0.7}}\n"
    "run: {until: 1, tolerance: 1e-11}\n";

static void test_planetary(void **state)
{
    (void)state;
    carom_context *ctx = open_context();
    carom_model *model;
    carom_simulation *sim = open_model(ctx, planetary, &model);
    const double carrier = 1 / (1 + 50.0 / 20), planet = carrier * (1 - (1 / carrier - 1) * 20 / 15);
    const double sun = 0.7 / (2e-3 + (1e-3 + 0.2 * 0.035 * 0.035) * carrier * carrier + 3e-4 * planet * planet);
    carom_evaluated at;
    assert_int_equal(carom_simulation_evaluate_at(sim, NULL, &at), CAROM_OK);
    expect("acceleration of the sun", at.accelerations[2], sun, 1e-10 * sun);
    expect("of the carrier", at.accelerations[5], carrier * sun, 1e-10 * sun);
    expect("of the planet", at.accelerations[11], planet * sun, 1e-10 * sun);
    /* the row drives the planet against the carrier: torque of the sun's mesh on the sun, 20/15 of its multiplier */
    expect("torque of the sun's mesh", at.joints[0].moment[2] * 20 / 15, 2e-3 * sun - 0.7, 1e-9);
    assert_int_equal(carom_simulation_run(sim), CAROM_OK);
    double angle;
    assert_int_equal(carom_simulation_channel(sim, "joint.p.coordinate", &angle), CAROM_OK);
    expect("angle of the planet, 70 turns", angle, 0.5 * (planet - carrier) * sun, 1e-6);
    const carom_ledger ledger = carom_simulation_ledger(sim);
    assert_true(fabs(ledger.residual_fraction) < 1e-9);
    close_model(ctx, sim, model);
}

/* models/planetary_gear.yaml: three planets, of which two make redundant rows, lift a weight by a drum. */
static void test_weight(void **state)
{
    (void)state;
    carom_context *ctx = open_context();
    carom_model *model;
    carom_simulation *sim = NULL;
    carom_evaluated at;
    if (carom_model_load(ctx, CAROM_MODELS "/planetary_gear.yaml", NULL, 0, &model) != CAROM_OK ||
        carom_simulation_create(ctx, model, NULL, &sim) != CAROM_OK)
        fail_msg("%s", carom_context_error(ctx));
    const double sun = 1 + 50.0 / 20, planet = 1 - (sun - 1) * 20 / 15, r = 0.035, drum = 0.04;
    const double inertia = 6e-4 + 3 * 0.15 * r * r + 6e-5 * sun * sun + 3 * 2e-5 * planet * planet + 20 * drum * drum;
    assert_int_equal(carom_simulation_evaluate_at(sim, NULL, &at), CAROM_OK);
    const double alpha = (3 * sun - 20 * 9.81 * drum) / inertia;
    expect("carrier that lifts a weight", at.accelerations[8], alpha, 1e-9 * alpha);
    expect("weight", at.accelerations[19], alpha * drum, 1e-9);
    close_model(ctx, sim, model);
}

/* ---- a rack and its pinion, in space about a tilted axis ---- */

static void test_rack(void **state)
{
    (void)state;
    static const char text[] =
        "carom: 1\ndimension: 3\ngravity: [0, 0, -9.81]\nparameters: {r: 0.05}\n"
        "bodies:\n"
        "  rack: {mass: 2, inertia: [0.1, 0.1, 0.1]}\n"
        "  pinion: {mass: 1, inertia: [2e-3, 2e-3, 2e-3], at: [0, 0.1, 0], velocity: [0, 0, 0]}\n"
        "joints:\n"
        "  slide: {type: translational, between: [ground, rack], axis: [0, 0.6, 0.8]}\n"
        "  turn: {type: revolute, between: [{ground: [0, 0.1, 0]}, pinion], axis: [0, -0.8, 0.6], rate: 3}\n"
        "  teeth: {type: coupler, joints: [slide, turn], ratio: 1/r}\n"
        "run: {until: 2, tolerance: 1e-11}\n";
    carom_context *ctx = open_context();
    carom_model *model;
    carom_simulation *sim = open_model(ctx, text, &model);
    const double a = -2 * 9.81 * 0.8 / (2 + 2e-3 / (0.05 * 0.05)), v = 3 * 0.05;
    assert_int_equal(carom_simulation_run(sim), CAROM_OK);
    double travel, angle;
    assert_int_equal(carom_simulation_channel(sim, "joint.slide.coordinate", &travel), CAROM_OK);
    assert_int_equal(carom_simulation_channel(sim, "joint.turn.coordinate", &angle), CAROM_OK);
    expect("travel of the rack", travel, 2 * v + 2 * a, 1e-8);
    expect("angle of the pinion", angle, (2 * v + 2 * a) / 0.05, 1e-6);
    close_model(ctx, sim, model);
}

/* ---- relations of several joints ---- */

/* A differential, a + b = 2 cage: I_k c_k'' = f_k multiplier + torque. In the plane, and in space about different axes
   with a slider among the joints. */
static void test_differential(void **state)
{
    (void)state;
    static const char text[] =
        "carom: 1\ndimension: %d\n"
        "bodies: {a: {mass: 1, inertia: %s1%s}, b: {mass: 2, inertia: %s2%s}, cage: {mass: 1, inertia: %s0.5%s}}\n"
        "joints:\n"
        "  a: {type: revolute, between: [ground, a]%s, rate: 3}\n"
        "  b: {type: %s, between: [ground, b]%s}\n"
        "  cage: {type: revolute, between: [ground, cage]%s, rate: 2}\n"
        "  diff: {type: coupler, joints: [a, b, cage], factors: [1, 1, -2]}\n"
        "loads: {m: {type: torque, on: cage, torque: %s}}\n"
        "run: {until: 1, tolerance: 1e-11%s}\n";
    for (int k = 0; k < 4; k++) {
        char own[2048];
        const bool space = k > 1;
        snprintf(own, sizeof own, text, space ? 3 : 2, space ? "[1, 1, " : "", space ? "]" : "", space ? "[2, 2, " : "",
                 space ? "]" : "", space ? "[0.5, 0.5, " : "", space ? "]" : "", space ? ", axis: [0, 0, 1]" : "",
                 space ? "translational" : "revolute", space ? ", axis: [0.6, 0, 0.8]" : "",
                 space ? ", axis: [0, 1, 0]" : "", space ? "[0, 5, 0]" : "5", k % 2 ? ", integrator: bdf" : "");
        carom_context *ctx = open_context();
        carom_model *model;
        carom_simulation *sim = open_model(ctx, own, &model);
        const double multiplier = 2 * 5 / 0.5 / (1 + 0.5 + 4 / 0.5);
        carom_evaluated at;
        assert_int_equal(carom_simulation_evaluate_at(sim, NULL, &at), CAROM_OK);
        expect("acceleration of one side", at.joints[0].acceleration, multiplier, 1e-12);
        expect("of the other", at.joints[1].acceleration, multiplier / 2, 1e-12);
        expect("of the cage", at.joints[2].acceleration, (5 - 2 * multiplier) / 0.5, 1e-12);
        assert_int_equal(carom_simulation_run(sim), CAROM_OK);
        double c[3];
        assert_int_equal(carom_simulation_channel(sim, "joint.a.coordinate", &c[0]), CAROM_OK);
        assert_int_equal(carom_simulation_channel(sim, "joint.b.coordinate", &c[1]), CAROM_OK);
        assert_int_equal(carom_simulation_channel(sim, "joint.cage.coordinate", &c[2]), CAROM_OK);
        expect("relation, after turns", c[0] + c[1] - 2 * c[2], 0, 1e-9);
        expect("one side", c[0], 3 + 0.5 * multiplier, 1e-8);
        close_model(ctx, sim, model);
    }
}

/* A chain of hinges whose sum of angles is kept, as a belt does: the last link does not turn. Eight joints of nine
   bodies, as a state of the caller's, too. */
static void test_sum(void **state)
{
    (void)state;
    char text[4096];
    size_t end = (size_t)snprintf(text, sizeof text, "carom: 1\ndimension: 2\ngravity: [0, -9.81]\nbodies:\n");
    for (int k = 0; k < 8; k++)
        end += (size_t)snprintf(text + end, sizeof text - end, "  l%d: {mass: 1, inertia: 0.02, at: [%g, 0]}\n", k,
                                0.25 + 0.5 * k);
    end += (size_t)snprintf(text + end, sizeof text - end, "joints:\n");
    for (int k = 0; k < 8; k++) {
        char before[32] = "ground";
        if (k)
            snprintf(before, sizeof before, "{l%d: [0.25, 0]}", k - 1);
        end += (size_t)snprintf(text + end, sizeof text - end,
                                "  j%d: {type: revolute, between: [%s, {l%d: [-0.25, 0]}]}\n", k, before, k);
    }
    snprintf(text + end, sizeof text - end,
             "  belt: {type: coupler, joints: [j0, j1, j2, j3, j4, j5, j6, j7], factors: [1, 1, 1, 1, 1, 1, 1, 1], "
             "offset: 0.3}\nrun: {until: 1, tolerance: 1e-10}\n");
    carom_context *ctx = open_context();
    carom_model *model;
    carom_simulation *sim = open_model(ctx, text, &model);
    assert_int_equal(carom_simulation_run(sim), CAROM_OK);
    carom_body_state last;
    assert_int_equal(carom_simulation_body(sim, 7, &last), CAROM_OK);
    expect("angle of the last link", last.angle, 0.3, 1e-9);
    expect("ledger", carom_simulation_ledger(sim).residual_fraction, 0, 1e-8);
    close_model(ctx, sim, model);
}

/* ---- further coordinates ---- */

/* 0.1 N m turn a table about the normal of its plane, whose crank turns by -2 times as much: both inertias are one. */
static void test_further_coordinates(void **state)
{
    (void)state;
    static const char *const gears[] = {
        "joints: [table.angle, crank], ratio: -2", "joints: [crank, table.angle], ratio: -0.5",
        "joints: [table.angle, crank], factors: [2, 1]", "joints: [table.angle, crank], relation: \"q2 + 2*q1\""};
    for (int k = 0; k < 8; k++) {
        char text[1200];
        snprintf(text, sizeof text,
                 "carom: 1\ndimension: 3\nbodies:\n  plate: {mass: 0.4, inertia: [2e-3, 2e-3, 2e-3], at: [0, 0, 0]}\n"
                 "  v: {mass: 0.4, inertia: [5e-4, 5e-4, 3e-4], at: [1, 0, 0]}\njoints:\n"
                 "  c: {type: coupler, %s}\n"
                 "  table: {type: planar, between: [ground, plate], axis: [0, 0, 1], coordinates: {x: {rate: 0.2}}}\n"
                 "  crank: {type: revolute, between: [{ground: [1, 0, 0]}, v], axis: [0, 0, 1]}\n"
                 "loads: {drive: {type: torque, on: plate, torque: [0, 0, 0.1]}}\n"
                 "run: {until: 1, tolerance: 1e-10, formulation: %s}\n",
                 gears[k % 4], k < 4 ? "tree" : "cartesian");
        carom_context *ctx = open_context();
        carom_model *model;
        carom_simulation *sim = open_model(ctx, text, &model);
        assert_int_equal(carom_simulation_run(sim), CAROM_OK);
        carom_body_state plate, crank;
        assert_int_equal(carom_simulation_body(sim, 0, &plate), CAROM_OK);
        assert_int_equal(carom_simulation_body(sim, 1, &crank), CAROM_OK);
        const double wanted = 0.1 / (2e-3 + 4 * 3e-4);
        expect("spin of the plate", plate.angular_velocity[2], wanted, 1e-7 * wanted);
        expect("spin of the crank", crank.angular_velocity[2], -2 * wanted, 2e-7 * wanted);
        expect("its way", plate.position[0], 0.2, 1e-9);
        close_model(ctx, sim, model);
    }
}

/* ---- a train of many gears ---- */

#define GEARS 120

/* All equal, so that the train turns as one of all inertias together; more than a hundred rows are solved sparsely. */
static void test_train(void **state)
{
    (void)state;
    static char text[GEARS * 260];
    size_t end = (size_t)snprintf(text, sizeof text, "carom: 1\ndimension: 2\nbodies:\n");
    for (int k = 0; k < GEARS; k++)
        end += (size_t)snprintf(text + end, sizeof text - end, "  g%d: {mass: 1, inertia: 1e-3, at: [%d, 0]}\n", k, k);
    end += (size_t)snprintf(text + end, sizeof text - end, "joints:\n");
    for (int k = 0; k < GEARS; k++)
        end += (size_t)snprintf(text + end, sizeof text - end,
                                "  j%d: {type: revolute, between: [{ground: [%d, 0]}, g%d]}\n", k, k, k);
    for (int k = 1; k < GEARS; k++)
        end += (size_t)snprintf(text + end, sizeof text - end,
                                "  m%d: {type: coupler, joints: [j%d, j%d], ratio: -1}\n", k, k - 1, k);
    snprintf(text + end, sizeof text - end,
             "loads: {drive: {type: torque, on: g0, torque: 0.6}}\nrun: {until: 0.5}\n");
    carom_context *ctx = open_context();
    carom_model *model;
    carom_simulation *sim = open_model(ctx, text, &model);
    carom_evaluated at;
    assert_int_equal(carom_simulation_evaluate_at(sim, NULL, &at), CAROM_OK);
    for (int k = 0; k < GEARS; k += GEARS - 1)
        expect(k ? "last gear" : "first gear", at.accelerations[3 * k + 2], (k % 2 ? -1 : 1) * 0.6 / (GEARS * 1e-3),
               1e-9);
    assert_int_equal(carom_simulation_run(sim), CAROM_OK);
    close_model(ctx, sim, model);
}

/* ---- kinds from outside ---- */

static void same_couple(void *user, const double *p, const double *c, const double *rates, carom_coupled_row *out)
{
    (void)user;
    (void)rates;
    *out = (carom_coupled_row){c[1] - p[0] * c[0] - p[1], {-p[0], 1}, 0};
}

static const char *same_start(void *user, double *p, const double *c)
{
    (void)user;
    p[1] = c[1] - p[0] * c[0];
    return NULL;
}

/* A yoke: c1 = p sin(c0). */
static void yoke_couple(void *user, const double *p, const double *c, const double *rates, carom_coupled_row *out)
{
    (void)user;
    *out = (carom_coupled_row){c[1] - p[0] * sin(c[0]), {-p[0] * cos(c[0]), 1}, p[0] * sin(c[0]) * rates[0] * rates[0]};
}

static void register_coupling(carom_context *ctx, const char *name, bool same)
{
    static const carom_param_row params[] = {
        {"ratio", "-", 1, CAROM_PARAM_REQUIRED, 0, -HUGE_VAL, HUGE_VAL, "Ratio."},
        {"offset", "-", 1, CAROM_PARAM_OPTIONAL, (double)NAN, -HUGE_VAL, HUGE_VAL, "Offset."}};
    carom_joint_kind_def def = carom_default_joint_kind_def();
    def.kind.name = name;
    def.kind.title = "Two coordinates are related.";
    def.kind.params = params;
    def.kind.param_count = same ? 2 : 1;
    def.rows_2d = def.rows_3d = 1;
    def.couple = same ? same_couple : yoke_couple;
    def.couple_start = same ? same_start : NULL;
    def.coordinate_unit = "rad";
    assert_int_equal(carom_register_joint(ctx, &def), CAROM_ERROR_USAGE); /* it has none of its own */
    def.coordinate_unit = NULL;
    if (carom_register_joint(ctx, &def) != CAROM_OK)
        fail_msg("%s", carom_context_error(ctx));
}

static void test_outside(void **state)
{
    (void)state;
    static char text[sizeof planetary + 64];
    double q[2][12];
    for (int outside = 0; outside < 2; outside++) {
        carom_context *ctx = open_context();
        carom_model *model;
        register_coupling(ctx, "meshes", true);
        strcpy(text, planetary);
        for (char *at = text; outside && (at = strstr(at, "coupler")); at += 6) {
            memcpy(at, "meshes", 6);
            memmove(at + 6, at + 7, strlen(at + 7) + 1);
        }
        carom_simulation *sim = open_model(ctx, text, &model);
        assert_int_equal(carom_simulation_run(sim), CAROM_OK);
        for (size_t k = 0; k < 4; k++) {
            carom_body_state body;
            assert_int_equal(carom_simulation_body(sim, k, &body), CAROM_OK);
            q[outside][3 * k] = body.position[0];
            q[outside][3 * k + 1] = body.position[1];
            q[outside][3 * k + 2] = body.angle;
        }
        close_model(ctx, sim, model);
    }
    assert_memory_equal(q[0], q[1], sizeof q[0]);
}

/* The bent row: a crank and a slider coupled by a sine conserve their energy, the rate of the row is that of the
   coordinates, and its acceleration is met. */
static void test_yoke(void **state)
{
    (void)state;
    static const char text[] = "carom: 1\ndimension: 2\n"
                               "bodies: {crank: {mass: 1, inertia: 0.02}, slider: {mass: 3, inertia: 1, at: [0, 0]}}\n"
                               "joints:\n"
                               "  pin: {type: revolute, between: [ground, crank], rate: 7}\n"
                               "  rail: {type: translational, between: [ground, slider], axis: [0.6, 0.8]}\n"
                               "  cam: {type: yoke, joints: [pin, rail], ratio: 0.1}\n"
                               "run: {until: 3, tolerance: 1e-11}\n";
    carom_context *ctx = open_context();
    carom_model *model;
    register_coupling(ctx, "yoke", false);
    carom_simulation *sim = open_model(ctx, text, &model);
    double energy = 0, worst = 0, bent = 0;
    for (int k = 0; k <= 30; k++) {
        carom_evaluated at;
        if (k)
            assert_int_equal(carom_simulation_advance(sim, 0.1 * k), CAROM_OK);
        assert_int_equal(carom_simulation_evaluate_at(sim, NULL, &at), CAROM_OK);
        const carom_joint_forces *pin = &at.joints[0], *rail = &at.joints[1];
        energy = k ? energy : at.kinetic;
        worst = fmax(worst, fabs(at.kinetic - energy));
        worst = fmax(worst, fabs(rail->coordinate - 0.1 * sin(pin->coordinate)));
        worst = fmax(worst, fabs(rail->rate - 0.1 * cos(pin->coordinate) * pin->rate));
        bent = fmax(bent, fabs(rail->acceleration - 0.1 * cos(pin->coordinate) * pin->acceleration +
                               0.1 * sin(pin->coordinate) * pin->rate * pin->rate));
    }
    expect("energy, coordinate, rate of a yoke", worst, 0, 1e-8);
    expect("acceleration of a yoke", bent, 0, 1e-6);
    close_model(ctx, sim, model);
}

/* ---- what is refused ---- */


/* ---- relations ---- */

static carom_simulation *open_in(carom_context *ctx, const char *text, const char *formulation, carom_model **model)
{
    static char model_text[2048];
    snprintf(model_text, sizeof model_text, text, formulation);
    return open_model(ctx, model_text, model);
}

/* A crank and a slider by an expression: their energy stays, (I + m r^2 cos^2 q1) q1'^2/2. */
static void test_relation(void **state)
{
    (void)state;
    static const char text[] = "carom: 1\ndimension: 3\nparameters: {r: 0.2}\n"
                               "bodies: {wheel: {mass: 1, inertia: [0.3, 0.3, 0.3]},\n"
                               "  slider: {mass: 5, inertia: [1, 1, 1], at: [1, 0, 0]}}\n"
                               "joints:\n"
                               "  a: {type: revolute, between: [ground, wheel], axis: [0, 0, 1], rate: 5}\n"
                               "  b: {type: translational, between: [{ground: [1, 0, 0]}, slider], axis: [1, 0, 0]}\n"
                               "  k: {type: coupler, joints: [a, b], relation: \"q2 - r*sin(q1)\"}\n"
                               "run: {until: 3, tolerance: 1e-11, formulation: %s}\n";
    static const char *const formulations[] = {"tree", "cartesian"};
    for (int f = 0; f < 2; f++) {
        carom_context *ctx = open_context();
        carom_model *model;
        carom_simulation *sim = open_in(ctx, text, formulations[f], &model);
        double energy = 0, way = 0, q[2], rate[2];
        for (int k = 0; k <= 30; k++) {
            assert_int_equal(carom_simulation_advance(sim, 0.1 * k), CAROM_OK);
            for (int n = 0; n < 2; n++) {
                assert_int_equal(carom_simulation_channel(sim, n ? "joint.b.coordinate" : "joint.a.coordinate", &q[n]),
                                 CAROM_OK);
                assert_int_equal(carom_simulation_channel(sim, n ? "joint.b.rate" : "joint.a.rate", &rate[n]),
                                 CAROM_OK);
            }
            const double arm = 0.2 * cos(q[0]), sum = 0.5 * (0.3 + 5 * arm * arm) * rate[0] * rate[0];
            energy = fmax(energy, fabs(sum / 6.25 - 1));
            way = fmax(way, fmax(fabs(q[1] - 0.2 * sin(q[0])), fabs(rate[1] - arm * rate[0])));
        }
        expect("energy of the crank", energy, 0, 1e-8);
        expect("relation and its rate", way, 0, 1e-9);
        expect("ledger", carom_simulation_ledger(sim).residual_fraction, 0, 1e-8);
        close_model(ctx, sim, model);
    }
}

/* One that reads t: q2 = 2 q1 + t^2/10, so that q1'' = -0.4 I2/(I1 + 4 I2), and what it does is in the ledger. A sum of
   three by a relation and by factors is the same. */
static void test_relation_of_time(void **state)
{
    (void)state;
    static const char text[] = "carom: 1\ndimension: 2\ngravity: [0, 0]\n"
                               "bodies: {one: {mass: 1, inertia: 0.3}, two: {mass: 1, inertia: 0.7}}\n"
                               "joints:\n"
                               "  a: {type: revolute, between: [ground, one], rate: 1}\n"
                               "  b: {type: revolute, between: [ground, two]}\n"
                               "  k: {type: coupler, joints: [a, b], relation: \"q2 - 2*q1 - 0.1*t^2/(1*s^2)\"}\n"
                               "run: {until: 3, tolerance: 1e-11, formulation: %s}\n";
    static const char *const formulations[] = {"tree", "cartesian"};
    for (int f = 0; f < 2; f++) {
        carom_context *ctx = open_context();
        carom_model *model;
        carom_simulation *sim = open_in(ctx, text, formulations[f], &model);
        assert_int_equal(carom_simulation_run(sim), CAROM_OK);
        const double bent = -0.4 * 0.7 / (0.3 + 4 * 0.7), w = 1 + bent * 3;
        const carom_ledger ledger = carom_simulation_ledger(sim);
        double q;
        assert_int_equal(carom_simulation_channel(sim, "joint.a.coordinate", &q), CAROM_OK);
        expect("angle under a relation of t", q, 3 + 0.5 * bent * 9, 1e-8);
        const double other = 2 * w + 0.6, gain = 0.5 * (0.3 * w * w + 0.7 * other * other) - 0.5 * (0.3 + 0.7 * 4);
        expect("work of the relation", ledger.work, gain, 1e-8);
        expect("ledger", ledger.residual_fraction, 0, 1e-8);
        close_model(ctx, sim, model);
    }
}

/* A spline of a coordinate: its knots are met, and the energy stays over them. */
static void test_relation_of_a_spline(void **state)
{
    (void)state;
    static const char text[] = "carom: 1\ndimension: 2\ngravity: [0, 0]\n"
                               "splines: {cam: {points: [[0, 0], [1, 0.1], [2, 0.4], [3, 0.1], [4, 0]],\n"
                               "  ends: periodic}}\n"
                               "bodies: {cam: {mass: 1, inertia: 0.3}, tappet: {mass: 1, inertia: 1}}\n"
                               "joints:\n"
                               "  a: {type: revolute, between: [ground, cam], rate: 3}\n"
                               "  b: {type: translational, between: [ground, tappet], axis: [0, 1]}\n"
                               "  k: {type: coupler, joints: [a, b], relation: \"q2 - spline(cam, q1)\"}\n"
                               "run: {until: 3, tolerance: 1e-10, formulation: %s}\n";
    carom_context *ctx = open_context();
    carom_model *model;
    carom_simulation *sim = open_in(ctx, text, "cartesian", &model);
    assert_int_equal(carom_simulation_run(sim), CAROM_OK);
    const carom_ledger ledger = carom_simulation_ledger(sim);
    expect("energy over the knots", ledger.kinetic / ledger.start, 1, 1e-7);
    expect("ledger", ledger.residual_fraction, 0, 1e-7);
    close_model(ctx, sim, model);
}

/* Relations that jump, or whose slopes do, are refused where they stand; smooth switches are passed. */
static void test_relation_that_jumps(void **state)
{
    (void)state;
    static const struct {
        const char *relation, *says;
    } cases[] = {
        {"q2 - abs(q1 - 0.5)", "derivative of its relation by q1 jumps from 1 to -1"},
        {"q2 - max(q1, 0.5)", "t = 0.5 s the derivative of its relation by q1 jumps"},
        {"q2 - sign(q1 - 0.5)", "jumps from"},
        {"q2 - floor(q1)", "t = 1 s its relation jumps"},
        {"q2 - mod(q1, 1)", "jumps from"},
        {"q2 - if(q1 > 0.5, q1, 0)", "t = 0.5 s its relation jumps"},
        {"q2 - q1 - if(t > 0.5, 0.2, 0)", "t = 0.5 s its relation jumps"},
        {"q2 - q1 - max(t/(1*s) - 0.5, 0)", "t = 0.5 s the derivative of its relation by t jumps"},
        {"q2 - q1 - if(q1 > 0.5, (q1 - 0.5)^2, 0)", NULL},
        {"q2 - step5(q1, 0, 0, 1, 1)", NULL},
        {"q2 - abs(q1)", NULL}, /* begins at the corner and leaves it */
    };
    for (size_t n = 0; n < 2 * sizeof cases / sizeof cases[0]; n++) {
        const char *relation = cases[n / 2].relation, *says = cases[n / 2].says;
        char text[1024];
        carom_context *ctx = open_context();
        carom_model *model;
        snprintf(text, sizeof text,
                 "carom: 1\ndimension: 2\ngravity: [0, 0]\n"
                 "bodies: {one: {mass: 1, inertia: 0.2}, two: {mass: 1, inertia: 0.2}}\njoints:\n"
                 "  a: {type: revolute, between: [ground, one], rate: 1}\n"
                 "  b: {type: revolute, between: [ground, two]}\n"
                 "  k: {type: coupler, joints: [a, b], relation: \"%s\"}\n"
                 "run: {until: 2, tolerance: 1e-9, formulation: %s}\n",
                 relation, n % 2 ? "tree" : "cartesian");
        carom_simulation *sim = open_model(ctx, text, &model);
        const carom_status status = carom_simulation_run(sim);
        if (status != (says ? CAROM_ERROR_MODEL : CAROM_OK))
            fail_msg("%s: status %d, %s", relation, (int)status, carom_context_error(ctx));
        if (says && (!strstr(carom_context_error(ctx), says) ||
                     !strstr(carom_context_error(ctx), "coupler.yaml:8:") ||
                     !strstr(carom_context_error(ctx), "joint 'k'")))
            fail_msg("%s: %s", relation, carom_context_error(ctx));
        close_model(ctx, sim, model);
    }
}

/* In a relation of copies `copy` is the number of the copy. */
static void test_relation_of_copies(void **state)
{
    (void)state;
    static const char text[] =
        "carom: 1\ndimension: 2\ngravity: [0, 0]\n"
        "bodies: {one: {copies: 3, mass: 1, inertia: 1}, two: {copies: 3, mass: 1, inertia: 1}}\njoints:\n"
        "  a: {copies: 3, type: revolute, between: [ground, one_$copy], rate: 1}\n"
        "  b: {copies: 3, type: revolute, between: [ground, two_$copy]}\n"
        "  k: {copies: 3, type: coupler, joints: [a_$copy, b_$copy], relation: \"q2 - copy*q1\"}\n"
        "run: {until: 1}\n";
    carom_context *ctx = open_context();
    carom_model *model;
    carom_simulation *sim = open_model(ctx, text, &model);
    assert_int_equal(carom_simulation_run(sim), CAROM_OK);
    for (int k = 1; k <= 3; k++) {
        char name[40];
        double turned;
        snprintf(name, sizeof name, "joint.b_%d.coordinate", k);
        assert_int_equal(carom_simulation_channel(sim, name, &turned), CAROM_OK);
        expect(name, turned, k, 1e-9);
    }
    close_model(ctx, sim, model);
}

static void test_refusals(void **state)
{
    (void)state;
    static const struct {
        const char *joint, *says;
    } wrong[] = {
        {"{type: coupler, joints: [a, x], ratio: 2}", "'x'"},
        {"{type: coupler, joints: [a, a], ratio: 2}", "both"},
        {"{type: coupler, joints: [a, f], ratio: 2}", "no coordinate"},
        {"{type: coupler, joints: [a, l], ratio: 2}", "clearance"},
        {"{type: coupler, joints: [a, k], ratio: 2}", "no coordinate"},
        {"{type: coupler, between: [ground, one], ratio: 2}", "joints"},
        {"{type: coupler, joints: [a, b]}", "ratio"},
        {"{type: coupler, joints: [a]}", "list of 2 to 8"},
        {"{type: coupler, joints: [a, b], factors: [1]}", "for each joint"},
        {"{type: coupler, joints: [a, b], factors: [1, 2, 3]}", "for each joint"},
        {"{type: coupler, joints: [a, b], factors: [1, 0]}", "for each joint"},
        {"{type: coupler, joints: [a, b], factors: [1, 2], ratio: 2}", "not both"},
        {"{type: coupler, joints: [a, b], ratio: 2, motion: t}", "motion"},
        {"{type: coupler, joints: [a, b], ratio: 2, spring: {stiffness: 3}}", "spring"},
        {"{type: coupler, joints: [a, b], relation: q1 - q2, ratio: 2}", "not both"},
        {"{type: coupler, joints: [a, b], relation: q1 - q3}", "q3"},
        {"{type: coupler, joints: [a, b], relation: 2*q1}", "does not read q2"},
        {"{type: coupler, joints: [a, b], relation: q1 - q2 - angle(a)}", "angle"},
        {"{type: revolute, between: [ground, three], relation: q1}", "takes no relation"},
        {"{type: coupler}", "joints"},
        {"{type: revolute, joints: [a, b]}", "between"},
        {"{type: revolute}", "between"},
    };
    for (size_t n = 0; n < sizeof wrong / sizeof wrong[0]; n++) {
        char text[1024];
        carom_context *ctx = open_context();
        carom_model *model;
        snprintf(text, sizeof text,
                 "carom: 1\ndimension: 2\n"
                 "bodies: {one: {mass: 1, inertia: 1}, two: {mass: 1, inertia: 1}, three: {mass: 1, inertia: 1}}\n"
                 "joints:\n"
                 "  a: {type: revolute, between: [ground, one]}\n  b: {type: revolute, between: [ground, two]}\n"
                 "  f: {type: fixed, between: [ground, three]}\n"
                 "  l: {type: revolute, between: [one, two], clearance: {radial: 1*mm, radius: 9*mm,\n"
                 "      normal: {law: flores, stiffness: 1e8, restitution: 0.5}}}\n"
                 "  k: %s\nrun: {until: 1}\n",
                 wrong[n].joint);
        if (carom_model_parse(ctx, "wrong.yaml", text, strlen(text), NULL, 0, &model) != CAROM_ERROR_MODEL)
            fail_msg("%s is not refused", wrong[n].joint);
        if (!strstr(carom_context_error(ctx), wrong[n].says) || !strstr(carom_context_error(ctx), "wrong.yaml:10"))
            fail_msg("%s: %s", wrong[n].joint, carom_context_error(ctx));
        carom_context_free(ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_planetary), cmocka_unit_test(test_weight),  cmocka_unit_test(test_rack),
        cmocka_unit_test(test_differential), cmocka_unit_test(test_sum), cmocka_unit_test(test_further_coordinates),
        cmocka_unit_test(test_train),     cmocka_unit_test(test_outside), cmocka_unit_test(test_yoke),
        cmocka_unit_test(test_refusals),    cmocka_unit_test(test_relation),
        cmocka_unit_test(test_relation_of_time),
        cmocka_unit_test(test_relation_that_jumps),
        cmocka_unit_test(test_relation_of_copies),
        cmocka_unit_test(test_relation_of_a_spline),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
