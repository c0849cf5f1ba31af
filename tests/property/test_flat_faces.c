/* Flat faces touch by their area: what lies on one is borne at rest, with its weight for the sum of the forces and its
   centre of mass for their centre, in few steps and with a closed energy balance, however it came to lie. */
#include "carom_test.h"

#include <math.h>
#include <stdio.h>

#include "support/runs.h"

#define G 9.81
#define LEDGER 1e-6
#define MANY 50000 /* steps */

typedef struct fallen {
    const char *name, *text, *contact;
    int points;             /* of the contact */
    double until;           /* [s] */
    double mass;            /* borne [kg] */
    double centre[2];       /* of the forces against the body's centre of mass [m] */
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
     "stand", 10, 2, 0.3, {0, 0}},
    {"can whose mass is off its axis",
     SPACE "bodies: {can: {" CAN ", at: [0, 0, 0.05], orientation: {axis: [0.2, 1, 0], angle: 0.001}, " STILL "}}\n"
           "shapes: {can: {type: cylinder, on: can, radius: 30*mm, length: 100*mm, at: [4*mm, 3*mm, 0]}, "
           FLOOR "}\n" STAND,
     "stand", 10, 1, 0.3, {0, 0}},
    {"tube set down askew",
     SPACE "bodies: {can: {" CAN ", at: [0, 0, 0.0501], orientation: {axis: [1, 0.3, 0], angle: 0.02}, " STILL "}}\n"
           "shapes: {can: {type: tube, on: can, bore: 25*mm, radius: 30*mm, length: 100*mm}, " FLOOR "}\n" STAND,
     "stand", 10, 2, 0.3, {0, 0}},
    {"can that rolls on its rim and settles",
     SPACE "bodies: {can: {" CAN ", at: [0, 0, 0.0502], orientation: {axis: [1, 0, 0], angle: 0.05}, "
           "velocity: [0, 0, 0], angular_velocity: [0, 0.8, 5]}}\n"
           "shapes: {can: {type: cylinder, on: can, radius: 30*mm, length: 100*mm, rim: 1*mm}, " FLOOR "}\n" STAND,
     "stand", 10, 4, 0.3, {0, 0}},
    {"cone on its wide end",
     SPACE "bodies: {can: {" CAN ", at: [0, 0, 0.0501], orientation: {axis: [1, 0.3, 0], angle: 0.01}, " STILL "}}\n"
           "shapes: {can: {type: cone, on: can, radius_below: 40*mm, radius_above: 10*mm, length: 100*mm}, "
           FLOOR "}\n" STAND,
     "stand", 10, 1.5, 0.3, {0, 0}},
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
    margin_add(m, "steps", index, (double)steps_of(&run), 0, MANY);
    free_run_close(&run);
}

static void test_cans(void **state)
{
    (void)state;
    margin m;
    margin_begin(&m, "flat ends on a plane");
    for (size_t k = 0; k < sizeof cans / sizeof *cans; k++)
        check(&cans[k], "can", k, &m);
    margin_end(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cans)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
