/* Flat faces touch by their area: what lies on one is borne at rest, with its weight for the sum of the forces and its
   centre of mass for their centre, in few steps and with a closed energy balance, however it came to lie. */
#include "carom_test.h"

#include <math.h>
#include <stdio.h>

#include "kinds/shape/shape_solid.h"
#include "support/runs.h"
#include "support/sample.h"

#define G 9.81
#define LEDGER 1e-7
#define MANY 50000 /* steps */

typedef struct fallen {
    const char *name, *text, *contact;
    int points;             /* of the contact */
    double until;           /* [s] */
    double mass;            /* borne [kg] */
    double centre[2];       /* of the forces against the body's centre of mass [m] */
    double shares, height;  /* of the law in all, 0: not compared; of the mass as it touches [m] */
} fallen;

#define FLOOR "floor: {type: plane, on: ground, normal: [0, 0, 1]}"
#define SPACE "carom: 1\ndimension: 3\ngravity: [0, 0, -9.81]\n"
#define STILL "velocity: [0, 0, 0], angular_velocity: [0, 0, 0]"
#define CAN "mass: 0.3, inertia: [3e-4, 3e-4, 1e-4]"
#define STAND                                                                                                          \
    "contacts: {stand: {between: [floor, can], normal: {law: hunt-crossley, stiffness: 1e7, restitution: 0.3}, "       \
    "friction: {law: coulomb, kinetic: 0.4}}}\nrun: {until: 5}\n"

static const fallen cans[] = {
    {"can set down askew",
     SPACE "bodies: {can: {" CAN ", at: [0, 0, 0.0501], orientation: {axis: [1, 0.3, 0], angle: 0.02}, " STILL "}}\n"
           "shapes: {can: {type: cylinder, on: can, radius: 30*mm, length: 100*mm}, " FLOOR "}\n" STAND,
     "stand", 10, 2, 0.3, {0, 0}, 0, 0},
    {"can whose mass is off its axis",
     SPACE "bodies: {can: {" CAN ", at: [0, 0, 0.05], orientation: {axis: [0.2, 1, 0], angle: 0.001}, " STILL "}}\n"
           "shapes: {can: {type: cylinder, on: can, radius: 30*mm, length: 100*mm, at: [4*mm, 3*mm, 0]}, "
           FLOOR "}\n" STAND,
     "stand", 10, 1, 0.3, {0, 0}, 0, 0},
    {"tube set down askew",
     SPACE "bodies: {can: {" CAN ", at: [0, 0, 0.0501], orientation: {axis: [1, 0.3, 0], angle: 0.02}, " STILL "}}\n"
           "shapes: {can: {type: tube, on: can, bore: 25*mm, radius: 30*mm, length: 100*mm}, " FLOOR "}\n" STAND,
     "stand", 10, 2, 0.3, {0, 0}, 0, 0},
    {"can that rolls on its rim and settles",
     SPACE "bodies: {can: {" CAN ", at: [0, 0, 0.0502], orientation: {axis: [1, 0, 0], angle: 0.05}, "
           "velocity: [0, 0, 0], angular_velocity: [0, 0.8, 5]}}\n"
           "shapes: {can: {type: cylinder, on: can, radius: 30*mm, length: 100*mm, rim: 1*mm}, " FLOOR "}\n" STAND,
     "stand", 10, 4, 0.3, {0, 0}, 0, 0},
    {"cone on its wide end",
     SPACE "bodies: {can: {" CAN ", at: [0, 0, 0.0501], orientation: {axis: [1, 0.3, 0], angle: 0.01}, " STILL "}}\n"
           "shapes: {can: {type: cone, on: can, radius_below: 40*mm, radius_above: 10*mm, length: 100*mm}, "
           FLOOR "}\n" STAND,
     "stand", 10, 1.5, 0.3, {0, 0}, 0, 0},
};

static uint64_t steps_of(const free_run *run) { return carom_simulation_statistics(run->sim).steps; }

/* Sum of the forces of a contact's points, and their centre [N], [m]. */
static double borne(free_run *run, const fallen *f, double centre[2])
{
    double sum = 0;
    centre[0] = centre[1] = 0;
    for (int k = 1; k <= f->points; k++) {
        char name[64];
        snprintf(name, sizeof name, "contact.%s.%d.force", f->contact, k);
        const double force = free_run_get(run, name);
        sum += force;
        for (int axis = 0; axis < 2 && force > 0; axis++) {
            snprintf(name, sizeof name, "contact.%s.%d.point.%c", f->contact, k, "xy"[axis]);
            centre[axis] += force * free_run_get(run, name);
        }
    }
    for (int axis = 0; axis < 2; axis++)
        centre[axis] /= sum;
    return sum;
}

static void check(const fallen *f, const char *body, size_t index, margin *m)
{
    free_run run;
    double centre[2];
    free_run_parse(&run, f->text, 1e-8, NULL);
    free_run_to(&run, f->until);
    const carom_body_state at = free_run_body(&run, body);
    const double force = borne(&run, f, centre);
    print_message("%-40s %6llu steps\n", f->name, (unsigned long long)steps_of(&run));
    margin_add(m, "weight", index, force / (f->mass * G), 1, 1e-6);
    for (int axis = 0; axis < 2; axis++)
        margin_add(m, "centre", index, centre[axis] - at.position[axis], f->centre[axis], 1e-6);
    margin_add(m, "ledger", index, carom_simulation_ledger(run.sim).residual_fraction, 0, LEDGER);
    if (f->shares > 0) /* W = n K delta^1.5 */
        margin_add(m, "height", index,
                   at.position[2] - f->height + pow(f->mass * G / (f->shares * 1e7), 2.0 / 3), 0, 1e-8);
    margin_add(m, "steps", index, (double)steps_of(&run), 0, MANY);
    free_run_close(&run);
}

static void test_cans(void **state)
{
    (void)state;
    margin m;
    margin_begin(&m, "flat ends on a plane");
    for (size_t k = 0; k < sizeof cans / sizeof *cans; k++)
        if (sample_turn((int)k, 2, 4))
            check(&cans[k], "can", k, &m);
    margin_end(&m);
}


/* ---- boxes ---- */

#define BRICK "mass: 2, inertia: [0.004, 0.01, 0.012]"
#define ON_SLAB                                                                                                        \
    "contacts: {lie: {between: [s, b], normal: {law: hunt-crossley, stiffness: 1e7, restitution: 0.3}, "               \
    "friction: {law: coulomb, kinetic: 0.4}}}\nrun: {until: 5}\n"

static const fallen bricks[] = {
    {"brick on a slab, off its middle and turned",
     SPACE "bodies: {brick: {" BRICK ", at: [0.02, 0.01, 0.0351], orientation: {axis: [0, 0, 1], angle: 30*deg}, " STILL
           "}}\nshapes: {b: {type: box, on: brick, size: [0.24, 0.12, 0.07]}, "
           "s: {type: box, on: ground, size: [0.3, 0.2, 0.1], at: [0, 0, -0.05]}}\n" ON_SLAB,
     "lie", 32, 1, 2, {0, 0}, 0, 0},
    {"brick over the edge of a slab",
     SPACE "bodies: {brick: {" BRICK ", at: [0.11, 0.01, 0.0351], orientation: {axis: [0, 0, 1], angle: 0.3}, " STILL
           "}}\nshapes: {b: {type: box, on: brick, size: [0.24, 0.12, 0.07]}, "
           "s: {type: box, on: ground, size: [0.3, 0.2, 0.1], at: [0, 0, -0.05]}}\n" ON_SLAB,
     "lie", 32, 1, 2, {0, 0}, 0, 0},
    {"planks that cross",
     SPACE "bodies: {brick: {" BRICK ", at: [0, 0.02, 0.0351], orientation: {axis: [0, 0, 1], angle: 80*deg}, " STILL
           "}}\nshapes: {b: {type: box, on: brick, size: [0.6, 0.08, 0.07]}, "
           "s: {type: box, on: ground, size: [0.7, 0.1, 0.1], at: [0, 0, -0.05]}}\n" ON_SLAB,
     "lie", 32, 1, 2, {0, 0}, 0, 0},
    {"cubes of one size, an eighth of a turn apart",
     SPACE "bodies: {brick: {mass: 2, inertia: [0.003, 0.003, 0.003], at: [0, 0, 0.05005], "
           "orientation: {axis: [0, 0, 1], angle: 45*deg}, " STILL "}}\n"
           "shapes: {b: {type: box, on: brick, size: [0.1, 0.1, 0.1], edge: 2*mm}, "
           "s: {type: box, on: ground, size: [0.1, 0.1, 0.1], at: [0, 0, -0.05], edge: 1*mm}}\n" ON_SLAB,
     "lie", 32, 1, 2, {0, 0}, 0, 0},
    {"tumbling brick",
     SPACE "bodies: {brick: {" BRICK ", at: [0, 0, 0.25], orientation: {axis: [1, 0.7, 0.3], angle: 0.6}, "
           "velocity: [0.5, 0.2, 0], angular_velocity: [5, 3, 1]}}\n"
           "shapes: {b: {type: box, on: brick, size: [0.24, 0.12, 0.07]}, "
           "s: {type: box, on: ground, size: [2, 2, 0.2], at: [0, 0, -0.1]}}\n" ON_SLAB,
     "lie", 32, 2.5, 2, {0, 0}, 0, 0},
};

static void test_bricks(void **state)
{
    (void)state;
    margin m;
    margin_begin(&m, "boxes on boxes");
    for (size_t k = 0; k < sizeof bricks / sizeof *bricks; k++)
        if (sample_turn((int)k, 2, 4))
            check(&bricks[k], "brick", k, &m);
    margin_end(&m);
}

/* Energy balance and steps of what does not come to rest on one slab. */
static void run_through(const char *name, const char *text, double until, margin *m)
{
    free_run run;
    free_run_parse(&run, text, 1e-8, NULL);
    free_run_to(&run, until);
    print_message("%-40s %6llu steps\n", name, (unsigned long long)steps_of(&run));
    margin_add(m, name, 0, carom_simulation_ledger(run.sim).residual_fraction, 0, LEDGER);
    margin_add(m, name, 1, (double)steps_of(&run), 0, MANY);
    free_run_close(&run);
}

#define SLIDE(turn, spin)                                                                                              \
    SPACE "bodies: {brick: {" BRICK ", at: [0.1, 0.01, 0.035], orientation: {axis: [0, 0, 1], angle: " turn "}, "      \
          "velocity: [0.8, 0, 0], angular_velocity: [0, 0, " spin "]}}\n"                                              \
          "shapes: {b: {type: box, on: brick, size: [0.24, 0.12, 0.07]}, "                                             \
          "s: {type: box, on: ground, size: [0.5, 0.5, 0.1], at: [-0.05, 0, -0.05]}}\n"                                \
          "contacts: {lie: {between: [s, b], normal: {law: hunt-crossley, stiffness: 1e7, restitution: 0.3}, "         \
          "friction: {law: coulomb, kinetic: 0.1}}}\nrun: {until: 5}\n"

static void test_edges(void **state)
{
    (void)state;
    margin m;
    margin_begin(&m, "boxes over edges");
    run_through("slides off a table and tips", SLIDE("0", "0"), 0.7, &m);
    run_through("the same, turned and spinning", SLIDE("0.4", "2"), 0.7, &m);
    run_through("a ridge across a ridge",
                SPACE "bodies: {brick: {mass: 1, inertia: [1/600, 1/600, 1/600], at: [0, 0, 0.15], "
                      "orientation: {axis: [1, 0, 0], angle: 45*deg}, " STILL "}}\n"
                      "shapes: {b: {type: box, on: brick, size: [0.1, 0.1, 0.1]}, s: {type: box, on: ground, "
                      "size: [0.1, 0.1, 0.1], orientation: {axis: [0, 1, 0], angle: 45*deg}}}\n" ON_SLAB,
                0.3, &m);
    margin_end(&m);
}

/* Two cubes, the second dropped onto the first, which lies on a plane. */
static void test_stack(void **state)
{
    (void)state;
    static const fallen stack = {
        "a box dropped on a box",
        SPACE "bodies: {brick: {mass: 1, inertia: [1/6, 1/6, 1/6], at: [0, 0, 1.6], " STILL "}, "
              "a: {mass: 1, inertia: [1/6, 1/6, 1/6], at: [0, 0, 0.5], " STILL "}}\n"
              "shapes: {s: {type: box, on: brick, size: [1, 1, 1]}, r: {type: box, on: a, size: [1, 1, 1]}, "
              FLOOR "}\n"
              "contacts: {c: {between: [floor, r], normal: {law: kelvin-voigt, stiffness: 1e5, damping: 500}, "
              "friction: {law: coulomb, kinetic: 0.5}}, d: {between: [r, s], normal: {law: kelvin-voigt, "
              "stiffness: 1e5, damping: 500}, friction: {law: coulomb, kinetic: 0.5}}}\nrun: {until: 5}\n",
        "d", 32, 2, 1, {0, 0}, 0, 0};
    margin m;
    margin_begin(&m, "stack");
    check(&stack, "brick", 0, &m);
    margin_end(&m);
}

/* Five cubes set on each other with gaps of 0.1 mm; the top one bears on the patch with its weight. */
static void test_tower(void **state)
{
    (void)state;
    char text[4096];
    int n = snprintf(text, sizeof text, SPACE "bodies:\n");
    for (int k = 0; k < 5; k++)
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "  %s: {mass: 1, inertia: [1/600, 1/600, 1/600], at: [0, 0, %g], " STILL "}\n",
                      k == 4 ? "brick" : (const char *[]){"b0", "b1", "b2", "b3"}[k], 0.05 + 0.1001 * k);
    n += snprintf(text + n, sizeof text - (size_t)n, "shapes:\n  " FLOOR "\n");
    for (int k = 0; k < 5; k++)
        n += snprintf(text + n, sizeof text - (size_t)n, "  s%d: {type: box, on: %s, size: [0.1, 0.1, 0.1]}\n", k,
                      k == 4 ? "brick" : (const char *[]){"b0", "b1", "b2", "b3"}[k]);
    n += snprintf(text + n, sizeof text - (size_t)n, "contacts:\n");
    for (int k = 0; k < 5; k++)
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "  c%d: {between: [%s, s%d], normal: {law: hunt-crossley, stiffness: 1e7, restitution: 0.3}, "
                      "friction: {law: coulomb, kinetic: 0.5}}\n",
                      k, k == 0 ? "floor" : (const char *[]){"", "s0", "s1", "s2", "s3"}[k], k);
    snprintf(text + n, sizeof text - (size_t)n, "run: {until: 5}\n");
    const fallen tower = {"tower of five cubes", text, "c4", 32, 1, 1, {0, 0}, 0, 0};
    margin m;
    margin_begin(&m, "tower");
    check(&tower, "brick", 0, &m);
    margin_end(&m);
}

/* A box comes down on a belt that moves, a plane or the face of a box: the same number of corners, the same motion. */
static void test_belt(void **state)
{
    (void)state;
    double way[2];
    for (int k = 0; k < 2; k++) {
        char text[2048];
        snprintf(text, sizeof text,
                 SPACE "bodies:\n  belt: {mass: 10, inertia: [1, 1, 1], at: [0, 0, -0.05], velocity: [0.5, 0, 0], "
                       "angular_velocity: [0, 0, 0], motion: {x: \"0.5*t\", y: \"0\", z: \"-0.05\"}}\n"
                       "  brick: {mass: 1, inertia: [1/600, 1/600, 1/600], at: [0, 0, 0.05], " STILL "}\n"
                       "shapes: {b: {type: box, on: brick, size: [0.1, 0.1, 0.1]}, s: %s}\n" ON_SLAB,
                 k ? "{type: plane, on: belt, at: [0, 0, 0.05], normal: [0, 0, 1]}"
                   : "{type: box, on: belt, size: [4, 0.5, 0.1]}");
        free_run run;
        free_run_parse(&run, text, 1e-8, NULL);
        free_run_to(&run, 0.5);
        way[k] = free_run_body(&run, "brick").position[0];
        assert_true(carom_simulation_ledger(run.sim).residual_fraction < LEDGER);
        free_run_close(&run);
    }
    print_message("a box on a belt: %.9g m on a box, %.9g m on a plane\n", way[0], way[1]);
    assert_true(fabs(way[0] - way[1]) < 1e-6 * way[1]);
}

/* The shares of the places of two faces that lie flat add up to four at any turn and offset, and do so with forces that
   are steady where they are tilted. */
static void test_shares(void **state)
{
    (void)state;
    const double slab[4] = {0.2, 0.1, 0.1, 0}, brick[4] = {0.24, 0.12, 0.07, 0};
    double pi[CAROM_SOLID_SIZE], pj[CAROM_SOLID_SIZE], worst = 0, jump = 0;
    assert_null(carom_shape_box.solid(slab, NULL, pi));
    assert_null(carom_shape_box.solid(brick, NULL, pj));
    assert_int_equal(carom_pair_surface_surface.points(pi, pj), 33);
    for (int tilted = 0; tilted < 2; tilted++) {
        double before = (double)NAN;
        for (int k = 0; k <= 3600; k++) {
            const double turn = k * CAROM_PI / 1800, tilt = tilted ? 1e-4 : 0;
            const carom_vec3 small = carom_v3(tilt, 0.5 * tilt, 0), round = carom_v3(0, 0, turn);
            const carom_mat3 lean = carom_quat_matrix(carom_quat_from_rotation(small));
            carom_shape_pose i = {.p = pi, .origin = {0, 0, -0.05}};
            carom_shape_pose j = {.p = pj, .origin = {0.02, 0.01, 0.035 - 4e-5}};
            i.axes = carom_quat_matrix(carom_quat_from_rotation(round));
            j.axes = lean;
            double shares = 0, force = 0;
            for (int c = 0; c < 33; c++) {
                carom_pair_point p = {.common = true};
                carom_pair_surface_surface.gap_at(&i, &j, c, &p);
                shares += p.gap < 0 ? 1 - p.less : 0;
                force += p.gap < 0 ? (1 - p.less) * -p.gap : 0;
            }
            if (!tilted)
                worst = fmax(worst, fabs(shares - 4));
            if (!isnan(before))
                jump = fmax(jump, fabs(force - before) / 1.6e-4);
            before = force;
        }
    }
    print_message("shares: sum less four %.1e, change of the force over a tenth of a degree %.1e of it\n", worst, jump);
    assert_true(worst < 1e-12 && jump < 0.01);
}

/* Two dominoes of one width strike each other as their own mirror images: edges that lie along each other are not told
   apart by rounding. */
static void test_equal_widths(void **state)
{
    (void)state;
    free_run run;
    free_run_parse(&run,
                   SPACE "bodies: {d: {copies: 2, mass: 0.01, inertia: [2.4e-6, 1.97e-6, 5.3e-7], "
                         "at: [0.03*copy, 0, 0.024], frames: {top: [0, 0, 0.024]}}}\n"
                         "shapes: {d: {type: box, on: d, size: [0.008, 0.024, 0.048]}, " FLOOR "}\n"
                         "contacts: {c: {all: [d, floor], normal: {law: kelvin-voigt, stiffness: 2e4, damping: 3}, "
                         "friction: {law: mindlin, kinetic: 0.5}}}\n"
                         "loads: {push: {type: force, on: d_1.top, force: [0.15, 0, 0]}}\n"
                         "run: {until: 0.05, integrator: verlet, step: 5e-6}\n", 1e-8, NULL);
    free_run_to(&run, 0.05);
    static const char *const names[] = {"d_1", "d_2"};
    margin m;
    margin_begin(&m, "dominoes of one width");
    for (size_t k = 0; k < 2; k++) {
        const carom_body_state at = free_run_body(&run, names[k]);
        margin_add(&m, "y", k, at.position[1], 0, 1e-10);
        margin_add(&m, "turns about x", k, at.angular_velocity[0], 0, 1e-6);
        margin_add(&m, "turns about z", k, at.angular_velocity[2], 0, 1e-6);
    }
    margin_end(&m);
    free_run_close(&run);
}

/* ---- round solids on faces ---- */

#define SLAB "s: {type: box, on: ground, size: [0.4, 0.3, 0.1], at: [0, 0, -0.05]}"
#define BAR "mass: 0.5, inertia: [2e-3, 2e-3, 3e-4]"
#define CAPSULE "shapes: {b: {type: capsule, on: can, from: [0, 0, -0.06], to: [0, 0, 0.06], radius: 30*mm}, "
#define CYLINDER "shapes: {b: {type: cylinder, on: can, radius: 30*mm, length: 100*mm}, "

static const fallen rounds[] = {
    {"capsule set down askew on a box",
     SPACE "bodies: {can: {" BAR ", at: [0, 0, 0.031], orientation: {axis: [0.3, 1, 0], angle: pi/2 + 0.01}, " STILL
           "}}\n"
           CAPSULE SLAB "}\n" ON_SLAB,
     "lie", 7, 2, 0.5, {0, 0}, 2, 0.03},
    {"capsule over the edge of a box",
     SPACE "bodies: {can: {" BAR ", at: [0.18, 0.02, 0.0301], orientation: {axis: [0, 1, 0], angle: pi/2}, " STILL
           "}}\n"
           CAPSULE SLAB "}\n" ON_SLAB,
     "lie", 7, 2, 0.5, {0, 0}, 0, 0},
    {"can on its side on a box",
     SPACE "bodies: {can: {" CAN ", at: [0, 0, 0.031], orientation: {axis: [0.3, 1, 0], angle: pi/2 + 0.01}, " STILL
           "}}\n"
           CYLINDER SLAB "}\n" ON_SLAB,
     "lie", 13, 2, 0.3, {0, 0}, 2, 0.03},
    {"can on its end on a box, set down askew",
     SPACE "bodies: {can: {" CAN ", at: [0.01, 0, 0.0503], orientation: {axis: [0.3, 1, 0], angle: 0.01}, " STILL
           "}}\n"
           CYLINDER SLAB "}\n" ON_SLAB,
     "lie", 13, 2, 0.3, {0, 0}, 4, 0.05},
    {"can on its end over the corner of a box",
     SPACE "bodies: {can: {" CAN ", at: [0.19, 0.14, 0.0501], " STILL "}}\n" CYLINDER SLAB "}\n" ON_SLAB,
     "lie", 13, 2, 0.3, {0, 0}, 0, 0},
    {"torus that lies flat, set down askew",
     SPACE "bodies: {can: {" CAN ", at: [0, 0, 0.0115], orientation: {axis: [0.3, 1, 0], angle: 0.02}, " STILL "}}\n"
           "shapes: {b: {type: torus, on: can, radius: 50*mm, tube: 10*mm}, s: {type: plane, on: ground, normal: "
           "[0, 0, 1]}}\n" ON_SLAB,
     "lie", 5, 2, 0.3, {0, 0}, 5, 0.01},
    {"can on the end of another one",
     SPACE "bodies: {can: {" CAN ", at: [0.005, 0, 0.0501], orientation: {axis: [0, 0, 1], angle: 0.3}, " STILL "}}\n"
           CYLINDER "s: {type: cylinder, on: ground, radius: 30*mm, length: 100*mm, at: [0, 0, -0.05]}}\n" ON_SLAB,
     "lie", 17, 2, 0.3, {0, 0}, 0, 0},
    {"plate set down on the end of a needle",
     SPACE "bodies: {can: {mass: 2, inertia: [6e-3, 6e-3, 1e-2], at: [0, 0, 0.0101], " STILL "}}\n"
           "shapes: {b: {type: box, on: can, size: [0.2, 0.2, 0.02]}, "
           "s: {type: cylinder, on: ground, radius: 8*mm, length: 0.8, rim: 1*mm, at: [0, 0, -0.4]}}\n" ON_SLAB,
     "lie", 17, 1, 2, {0, 0}, 1, 0.01},
};

static void test_rounds(void **state)
{
    (void)state;
    margin m;
    margin_begin(&m, "round solids on faces");
    for (size_t k = 0; k < sizeof rounds / sizeof *rounds; k++)
        if (sample_turn((int)k, 2, 4))
            check(&rounds[k], "can", k, &m);
    margin_end(&m);
}

/* ---- ends of slender solids ---- */

#define PLATE "mass: 2, inertia: [6e-3, 6e-3, 1e-2]"
#define HEX(z)                                                                                                         \
    "[8*mm, 0, " z "], [4*mm, 6.9*mm, " z "], [-4*mm, 6.9*mm, " z "], [-8*mm, 0, " z "], [-4*mm, -6.9*mm, " z "], "    \
    "[4*mm, -6.9*mm, " z "]"
#define POST(length)                                                                         \
    "{type: cylinder, on: ground, radius: 8*mm, length: " length ", rim: 1*mm, at: [0, 0, -" length "/2]}"
#define ON_POST                                                                                                        \
    "contacts: {lie: {between: [b, s], normal: {law: hunt-crossley, stiffness: 1e7, restitution: 0.3}, "               \
    "friction: {law: coulomb, kinetic: 0.4}}}\nrun: {until: 5}\n"

typedef struct slender {
    const char *name, *head, *post;
    int points;
    double radius, shares;      /* that of the corners, the law's in all, 0: not compared */
} slender;

static const slender posts[] = {
    {"plate on a post", "{type: box, on: can, size: [0.2, 0.2, 0.02]}", POST("0.15"), 17, 0.007, 4},
    {"plate on a slender post", "{type: box, on: can, size: [0.2, 0.2, 0.02]}", POST("0.25"), 17, 0.007, 0},
    {"plate on a needle", "{type: box, on: can, size: [0.2, 0.2, 0.02]}", POST("0.8"), 17, 0.007, 1},
    {"disc on a needle", "{type: cylinder, on: can, radius: 30*mm, length: 20*mm}", POST("0.8"), 21, 0.007, 1},
    {"plate on a mesh of six sides", "{type: box, on: can, size: [0.2, 0.2, 0.02]}",
     "{type: mesh, on: ground, points: [" HEX("0") ", " HEX("-0.8") "]}", 13, 0.008, 1},
    {"bar across a mesh of six sides",
     "{type: cylinder, on: can, radius: 10*mm, length: 0.2, orientation: {axis: [1, 0, 0], angle: 90*deg}}",
     "{type: mesh, on: ground, points: [" HEX("0") ", " HEX("-0.8") "]}", 17, 0.0069, 1},
};

/* Centre of the forces over the post [m], and their sum [N], of a plate in it by a depth and tilted about an axis. */
static double borne_tilted(const slender *s, double depth, double tilt, double centre[2])
{
    char text[2048];
    free_run run;
    snprintf(text, sizeof text,
             SPACE "bodies: {can: {" PLATE ", at: [0, 0, 0.01 - %.17g], orientation: {axis: [0.3, 1, 0], "
                   "angle: %.17g}, " STILL "}}\nshapes: {b: %s, s: %s}\n" ON_POST, depth, tilt, s->head, s->post);
    free_run_parse(&run, text, 1e-8, NULL);
    const double force = borne(&run, &(fallen){.contact = "lie", .points = s->points}, centre);
    free_run_close(&run);
    return force;
}

/* What bears upright bears in the middle, and the centre of the forces goes from there to the rim without a jump: the
   tilts are those at which the rim is deeper than the middle by shares of the depth. */
static void test_slender(void **state)
{
    (void)state;
    const double depth = 5e-6, one = 1e7 * pow(depth, 1.5);
    margin m;
    margin_begin(&m, "ends of slender solids");
    for (size_t k = 0; k < sizeof posts / sizeof *posts; k++) {
        const slender *s = &posts[k];
        double centre[2], before[2], jump = 0, change = 0;
        double sum = borne_tilted(s, depth, 0, before);
        margin_add(&m, "middle", k, hypot(before[0], before[1]) / s->radius, 0, 1e-9);
        if (s->shares > 0)
            margin_add(&m, "sum", k, sum / one, s->shares, 1e-9);
        for (int n = 0; n <= 40; n++) {
            const double tilt = n ? 0.01 * n * depth / s->radius : 1e-12;
            const double now = borne_tilted(s, depth, tilt, centre);
            jump = fmax(jump, hypot(centre[0] - before[0], centre[1] - before[1]) / s->radius);
            change = fmax(change, fabs(now - sum) / sum);
            sum = now;
            before[0] = centre[0];
            before[1] = centre[1];
        }
        print_message("%-40s centre moves by %.3f of the radius at most, force by %.3f\n", s->name, jump, change);
        margin_add(&m, "jump of the centre", k, jump, 0, 0.15);
        margin_add(&m, "change of the force", k, change, 0, 0.15);
    }
    margin_end(&m);
}

/* A can and a capsule roll on a box as far as they should, with nothing lost. */
static void test_rolling(void **state)
{
    (void)state;
    static const char *const shapes[] = {
        "{type: cylinder, on: can, radius: 30*mm, length: 100*mm}",
        "{type: capsule, on: can, from: [0, 0, -0.05], to: [0, 0, 0.05], radius: 30*mm}"};
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        char text[1024];
        free_run run;
        /* it starts at the indentation of its weight */
        const double depth = pow(0.3 * G / (2 * 1e7), 2.0 / 3);
        snprintf(text, sizeof text,
                 SPACE "bodies: {can: {" CAN ", at: [0, -0.1, 0.03 - %.17g], orientation: {axis: [0, 1, 0], "
                       "angle: pi/2}, velocity: [0, 0.15, 0], angular_velocity: [%.17g, 0, 0]}}\nshapes: {b: %s, " SLAB
                 "}\n"
                 ON_SLAB,
                 depth, -0.15 / (0.03 - 0.5 * depth), shapes[k]);
        free_run_parse(&run, text, 1e-8, NULL);
        free_run_to(&run, 1);
        const double y = free_run_body(&run, "can").position[1];
        const carom_ledger ledger = carom_simulation_ledger(run.sim);
        const double lost = (ledger.dissipated_contact + ledger.dissipated_friction) / 0.0048;
        print_message("rolls from -0.1 m to %.9f m, loses %.1e of its energy, %llu steps\n", y,
                      lost, (unsigned long long)steps_of(&run));
        assert_true(fabs(y - 0.05) < 1e-6 && fabs(lost) < 1e-6);
        assert_true(carom_simulation_ledger(run.sim).residual_fraction < LEDGER);
        free_run_close(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cans),  cmocka_unit_test(test_bricks),
                                       cmocka_unit_test(test_edges), cmocka_unit_test(test_stack),
                                       cmocka_unit_test(test_shares), cmocka_unit_test(test_tower),
                                       cmocka_unit_test(test_belt), cmocka_unit_test(test_slender),
                                       cmocka_unit_test(test_equal_widths),
                                       cmocka_unit_test(test_rounds), cmocka_unit_test(test_rolling)};
    return sample_group_tests(tests, 1, 2, NULL, NULL);
}
