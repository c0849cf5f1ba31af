/* Joints with clearance: an ideal joint as the clearance vanishes, the plane in space, a tilted pin, momenta, starts,
   modes and channels. The guide of a slider is in test_clearance_guide.c. */
#include "carom_test.h"

#include <math.h>

#include "support/free_runs.h"

#define NORMAL "normal: {law: flores, stiffness: 1e8, restitution: 0.7}"

static void open_text(free_run *run, const char *text) { free_run_parse(run, text, 0, NULL); }

static double energy_balance(const free_run *run) { return fabs(carom_simulation_ledger(run->sim).residual_fraction); }

/* ---- the ideal joint ---- */

static void slider_crank(char *text, size_t size, double radial)
{
    char clearance[200] = "";
    if (radial > 0)
        snprintf(clearance, sizeof clearance,
                 ", clearance: {radial: %g, radius: 0.01, normal: {law: flores, stiffness: 1e11, restitution: 0.3}}",
                 radial);
    snprintf(text, size,
             "carom: 1\ndimension: 2\ngravity: [0, -9.81]\n"
             "bodies:\n"
             "  crank: {mass: 0.3, inertia: 1e-4, at: [0.025, 0], frames: {root: [-0.025, 0], tip: [0.025, 0]}}\n"
             "  rod: {mass: 0.21, inertia: 2.5e-5, at: [0.11, 0], frames: {root: [-0.06, 0], tip: [0.06, 0]}}\n"
             "  slider: {mass: 0.14, inertia: 1e-4, at: [0.17, 0]}\n"
             "joints:\n"
             "  main: {type: revolute, between: [ground, crank.root], rate: 50}\n"
             "  pin: {type: revolute, between: [crank.tip, rod.root]}\n"
             "  wrist: {type: revolute, between: [rod.tip, slider]%s}\n"
             "  guide: {type: translational, between: [ground, slider], axis: [1, 0]}\n"
             "run: {until: 0.1, tolerance: 1e-9}\n",
             clearance);
}

static double crank_angle(double radial)
{
    char text[2000];
    free_run run;
    slider_crank(text, sizeof text, radial);
    open_text(&run, text);
    free_run_to(&run, 0.1);
    const double angle = free_run_body(&run, "crank").angle;
    assert_true(energy_balance(&run) < 1e-6);
    free_run_close(&run);
    return angle;
}

static void becomes_ideal(void **state)
{
    (void)state;
    const double ideal = crank_angle(0), clearances[] = {1e-3, 3e-4, 1e-4, 3e-5, 1e-5};
    double before = 0, order = 0;
    for (int k = 0; k < 5; k++) {
        const double off = fabs(crank_angle(clearances[k]) - ideal);
        order = k ? log(before / off) / log(clearances[k - 1] / clearances[k]) : 0;
        printf("clearance %.0e m: crank off by %.3e rad, order %.2f\n", clearances[k], off, order);
        assert_true(k == 0 || (order > 0.8 && order < 1.2));
        before = off;
    }
    assert_true(before < 2e-3);
}

/* ---- the plane in space ---- */

/* A rod that falls about its pin; in space each end of the journal has half the stiffness. The velocity of the onset is
   the same for both; that of the energy is not, as each end holds half of it and can push the whole mass. */
static const char plane[] =
    "carom: 1\ndimension: 2\ngravity: [0, -9.81]\n"
    "bodies: {rod: {mass: 1, inertia: 0.03, at: [0.3, 0], frames: {root: [-0.3, 0]}}}\n"
    "joints:\n"
    "  pin: {type: revolute, between: [ground, rod.root], rate: 2, clearance: {radial: 1*mm, radius: 10*mm,\n"
    "    normal: {law: flores, velocity: per-impact, stiffness: 2e8, restitution: 0.7},\n"
    "    friction: {law: ambrosio, kinetic: 0.1}}}\n"
    "run: {until: 0.3, tolerance: 1e-9}\n";
static const char space[] =
    "carom: 1\ndimension: 3\ngravity: [0, -9.81, 0]\n"
    "bodies: {rod: {mass: 1, inertia: [0.03, 0.03, 0.03], at: [0.3, 0, 0], frames: {root: [-0.3, 0, 0]}}}\n"
    "joints:\n"
    "  pin: {type: revolute, axis: [0, 0, 1], between: [ground, rod.root], rate: 2, clearance: {radial: 1*mm,\n"
    "    radius: 10*mm, length: 30*mm, axial: 0.1*mm,\n"
    "    normal: {law: flores, velocity: per-impact, stiffness: 1e8, restitution: 0.7},\n"
    "    friction: {law: ambrosio, kinetic: 0.1}}}\n"
    "run: {until: 0.3, tolerance: 1e-9}\n";

static void plane_in_space(void **state)
{
    (void)state;
    free_run flat, full;
    open_text(&flat, plane);
    open_text(&full, space);
    double worst = 0, reaction = 0;
    for (int k = 1; k <= 30; k++) {
        free_run_to(&flat, 0.01 * k);
        free_run_to(&full, 0.01 * k);
        carom_body_state a = free_run_body(&flat, "rod"), b = free_run_body(&full, "rod");
        for (int i = 0; i < 2; i++)
            worst = fmax(worst, fabs(a.position[i] - b.position[i]));
        worst = fmax(worst, fabs(b.position[2]));
        reaction = fmax(
            reaction, fabs(free_run_get(&flat, "joint.pin.reaction.y") - free_run_get(&full, "joint.pin.reaction.y")));
    }
    size_t impacts[2];
    carom_simulation_impacts(flat.sim, &impacts[0]);
    carom_simulation_impacts(full.sim, &impacts[1]);
    printf("plane against space: %.1e m, %.1e N, %zu and %zu impacts\n", worst, reaction, impacts[0], impacts[1]);
    assert_true(worst < 1e-7);
    assert_true(reaction < 1e-2);
    assert_int_equal(2 * impacts[0], impacts[1]);
    assert_true(energy_balance(&flat) < 1e-6 && energy_balance(&full) < 1e-6);
    free_run_close(&flat);
    free_run_close(&full);
}

/* A pin tilted about its centre touches at both ends, on opposite sides, with the gap B - L/2 sin T - R cos T. */
static void tilted_pin(void **state)
{
    (void)state;
    const double tilts[] = {0, 0.02, 0.0660, 0.0690};
    for (int k = 0; k < 4; k++) {
        char text[1000];
        free_run run;
        snprintf(
            text, sizeof text,
            "carom: 1\ndimension: 3\n"
            "bodies: {pin: {mass: 1, inertia: [1, 1, 1], orientation: {axis: [1, 0, 0], angle: 0}, angular_velocity: "
            "[1, 0, 0]}}\n"
            "joints: {pin: {type: cylindrical, axis: [0, 0, 1], between: [ground, pin], clearance: {radial: 1*mm,\n"
            "  radius: 10*mm, length: 30*mm, " NORMAL "}}}\nrun: {until: 1}\n");
        open_text(&run, text);
        free_run_to(&run, tilts[k]);
        const double tilt = k < 3 ? tilts[k] : 0, expected = 0.011 - 0.015 * sin(tilt) - 0.010 * cos(tilt);
        const double ends[2] = {-free_run_get(&run, "contact.pin.1.indentation"),
                                -free_run_get(&run, "contact.pin.2.indentation")};
        assert_true(fabs(ends[0] - ends[1]) < 1e-12);
        if (k < 3) {
            assert_true(fabs(ends[0] - expected) < 1e-9);
            assert_int_equal(carom_simulation_open_contacts(run.sim, NULL, 0), 0);
        } else {
            /* the gap has closed at T = 0.0683 */
            assert_int_equal(carom_simulation_open_contacts(run.sim, NULL, 0), 2);
            assert_true(fabs(free_run_get(&run, "joint.pin.reaction.y")) <
                        1e-6 * free_run_get(&run, "contact.pin.1.force"));
            assert_true(fabs(free_run_get(&run, "joint.pin.eccentricity")) < 1e-9);
        }
        free_run_close(&run);
    }
}

/* ---- momenta of free bodies ---- */

static void momenta(void **state)
{
    (void)state;
    static const char text[] =
        "carom: 1\ndimension: 2\ngravity: [0, 0]\n"
        "bodies:\n"
        "  a: {mass: 1, inertia: 0.02, at: [0, 0], velocity: [1, 0.3], angular_velocity: 5, frames: {end: [0.2, 0]}}\n"
        "  b: {mass: 2, inertia: 0.05, at: [0.4, 0], velocity: [0, -0.5], angular_velocity: -3, frames: {end: [-0.2, "
        "0]}}\n"
        "joints: {pin: {type: revolute, between: [a.end, b.end], clearance: {radial: 1*mm, radius: 10*mm, " NORMAL
        ", friction: {law: ambrosio, kinetic: 0.2}}}}\n"
        "run: {until: 0.2, tolerance: 1e-9}\n";
    free_run run;
    open_text(&run, text);
    double start[3] = {0}, largest = 0;
    for (int k = 0; k <= 20; k++) {
        free_run_to(&run, 0.01 * k);
        carom_body_state a = free_run_body(&run, "a"), b = free_run_body(&run, "b");
        const double now[3] = {a.velocity[0] + 2 * b.velocity[0], a.velocity[1] + 2 * b.velocity[1],
                               0.02 * a.angular_velocity[2] + 0.05 * b.angular_velocity[2] +
                                   a.position[0] * a.velocity[1] - a.position[1] * a.velocity[0] +
                                   2 * (b.position[0] * b.velocity[1] - b.position[1] * b.velocity[0])};
        for (int i = 0; i < 3; i++) {
            start[i] = k ? start[i] : now[i];
            largest = fmax(largest, fabs(now[i] - start[i]));
        }
    }
    size_t impacts;
    carom_simulation_impacts(run.sim, &impacts);
    printf("momenta: %.1e after %zu impacts, energy balance %.1e\n", largest, impacts, energy_balance(&run));
    assert_true(impacts > 3 && largest < 1e-9 && energy_balance(&run) < 1e-6);
    free_run_close(&run);
}

/* ---- start ---- */

#define PENDULUM(at, more)                                                                                    \
    "carom: 1\ndimension: 2\ngravity: [0, -9.81]\n"                                                           \
    "bodies: {rod: {mass: 1, inertia: 0.03, at: " at ", frames: {root: [-0.3, 0]}" more "}}\n"                \
    "joints: {pin: {type: revolute, between: [ground, rod.root], rate: 2, clearance: {radial: 1*mm, radius: " \
    "10*mm, " NORMAL "}}}\n"                                                                                  \
    "run: {until: 0.2}\n"

static void starts(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double x, y, vx, vy; /* of the centre of mass at the start */
    } cases[] = {
        {PENDULUM("[0.3, 0]", ""), 0.3, 0, 0, 0.6},
        {PENDULUM("[0.3005, 0.0002]", ""), 0.3005, 0.0002, 0, 0.6},         /* inside the bearing: stays */
        {PENDULUM("[0.31, 0]", ""), 0.3, 0, 0, 0.6},                        /* outside: centred */
        {PENDULUM("[0.3, 0]", ", velocity: [0.1, 0.5]"), 0.3, 0, 0.1, 0.5}, /* given, though the journal then moves */
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        free_run run;
        open_text(&run, cases[k].text);
        carom_body_state rod = free_run_body(&run, "rod");
        assert_true(fabs(rod.position[0] - cases[k].x) < 1e-12 && fabs(rod.position[1] - cases[k].y) < 1e-12);
        assert_true(fabs(rod.velocity[0] - cases[k].vx) < 1e-3 && fabs(rod.velocity[1] - cases[k].vy) < 1e-3);
        assert_true(fabs(rod.angular_velocity[2] - 2) < 1e-12);
        free_run_close(&run);
    }
}

/* A crank that begins turned far from where the parts are guessed: the pin of its slider is centred after several steps
   of Newton's method, on the branch of the guess. */
static void centred_from_afar(void **state)
{
    (void)state;
    const double angle = 0.7, crank = 0.05, rod = 0.12;
    static const char text[] =
        "carom: 1\ndimension: 2\n"
        "bodies:\n"
        "  crank:  {mass: 0.3, inertia: 1e-4, at: [0.025, 0], frames: {root: [-0.025, 0], tip: [0.025, 0]}}\n"
        "  rod:    {mass: 0.2, inertia: 2e-5, at: [0.11, 0], frames: {root: [-0.06, 0], tip: [0.06, 0]}}\n"
        "  slider: {mass: 0.1, inertia: 1e-4, at: [0.17, 0]}\n"
        "joints:\n"
        "  main:  {type: revolute, between: [ground, crank.root], motion: 0.7 + 10*t}\n"
        "  pin:   {type: revolute, between: [crank.tip, rod.root]}\n"
        "  wrist: {type: revolute, between: [rod.tip, slider], clearance: {radial: 0.5*mm, radius: 10*mm, " NORMAL
        "}}\n"
        "  guide: {type: translational, between: [ground, slider], axis: [1, 0]}\n"
        "run: {until: 0.01}\n";
    free_run run;
    open_text(&run, text);
    const double x = crank * cos(angle) + sqrt(rod * rod - crank * crank * sin(angle) * sin(angle));
    assert_true(fabs(free_run_body(&run, "slider").position[0] - x) < 1e-12);
    assert_true(free_run_get(&run, "joint.wrist.eccentricity") < 1e-9);
    free_run_close(&run);
}

/* ---- modes and channels ---- */

static void modes_and_channels(void **state)
{
    (void)state;
    free_run run;
    carom_joint_modes modes;
    open_text(&run, plane);
    for (int k = 1; k <= 30; k++) {
        const double t = 0.01 * k;
        free_run_to(&run, t);
        assert_int_equal(carom_simulation_joint_modes(run.sim, &modes, 1), 1);
        assert_string_equal(modes.joint, "pin");
        assert_true(fabs(modes.flight + modes.impact + modes.following - t) < 1e-12);
        const double x = free_run_get(&run, "joint.pin.offset.x"), y = free_run_get(&run, "joint.pin.offset.y");
        assert_true(fabs(hypot(x, y) / 1e-3 - free_run_get(&run, "joint.pin.eccentricity")) < 1e-12);
        assert_true(fabs(1e-3 - hypot(x, y) + free_run_get(&run, "contact.pin.indentation")) < 1e-15);
        const double force =
            hypot(free_run_get(&run, "contact.pin.force"),
                  hypot(free_run_get(&run, "contact.pin.friction.x"), free_run_get(&run, "contact.pin.friction.y")));
        const double reaction =
            hypot(free_run_get(&run, "joint.pin.reaction.x"), free_run_get(&run, "joint.pin.reaction.y"));
        assert_true(fabs(force - reaction) < 1e-9 * (1 + force));
    }
    size_t impacts;
    carom_simulation_impacts(run.sim, &impacts);
    assert_int_equal(modes.impacts, impacts);
    /* it flies to the first impact, and follows in the end */
    assert_true(modes.flight > 0.014 && modes.following > 0.2 && modes.impact > 0);
    free_run_close(&run);
}

/* ---- other parts in space ---- */

static void other_joints(void **state)
{
    (void)state;
    /* the corners of the box let its middle go farther than its clearance, across both walls; the shaft lies on a
       face */
    static const struct {
        const char *text, *channel;
        double least, most; /* of the channel after the first tenth of a second */
    } cases[] = {
        {"carom: 1\ndimension: 3\ngravity: [0, 0, -9.81]\n"
         "bodies: {rod: {mass: 1, inertia: [0.03, 0.001, 0.03], at: [0, 0.3, 0], frames: {root: [0, -0.3, 0]}}}\n"
         "joints: {ball: {type: spherical, between: [ground, rod.root], clearance: {radial: 1*mm, radius: "
         "10*mm, " NORMAL "}}}\nrun: {until: 0.3}\n",
         "joint.ball.eccentricity", 0.9, 1.2},
        {"carom: 1\ndimension: 3\ngravity: [1, -9.81, 0.5]\n"
         "bodies: {box: {mass: 1, inertia: [0.001, 0.002, 0.002], angular_velocity: [0.3, 1, 2]}}\n"
         "joints: {guide: {type: translational, between: [ground, box], axis: [1, 0, 0], rate: 1, clearance:\n"
         "  {gap: 1*mm, length: 0.1, height: 0.05, width: 0.07, " NORMAL
         ", friction: {law: ambrosio, kinetic: 0.1}}}}\nrun: {until: 0.3}\n",
         "joint.guide.eccentricity", 0, 1.5},
        {"carom: 1\ndimension: 3\ngravity: [0, -1, -9.81]\n"
         "bodies: {shaft: {mass: 1, inertia: [0.003, 0.003, 0.001]}}\n"
         "joints: {pin: {type: revolute, axis: [0, 0, 1], between: [ground, shaft], rate: 30, clearance: {radial: "
         "1*mm,\n"
         "  radius: 10*mm, length: 60*mm, axial: 0.2*mm, normal: {law: flores, stiffness: 1e8, restitution: 0.1}}}}\n"
         "run: {until: 0.3}\n",
         "joint.pin.offset.z", -0.00025, -0.00018}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        free_run run;
        open_text(&run, cases[k].text);
        assert_int_equal(carom_model_get_info(run.model).rows, 0);
        for (int i = 10; i <= 30; i++) {
            free_run_to(&run, 0.01 * i);
            const double value = free_run_get(&run, cases[k].channel);
            assert_true(value >= cases[k].least && value <= cases[k].most);
        }
        printf("%s: %.3g, energy balance %.1e\n", cases[k].channel, free_run_get(&run, cases[k].channel),
               energy_balance(&run));
        assert_true(energy_balance(&run) < 1e-6);
        free_run_close(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(becomes_ideal), cmocka_unit_test(plane_in_space),
                                       cmocka_unit_test(tilted_pin),    cmocka_unit_test(momenta),
                                       cmocka_unit_test(starts),        cmocka_unit_test(centred_from_afar),
                                       cmocka_unit_test(modes_and_channels),
                                       cmocka_unit_test(other_joints)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
