/* Friction of a shaft in a sleeve (joint cylindrical) in closed form: under its weight across the axis it rubs at its
   radius, against its spin, its travel, or the helix of both. */
#include "carom_test.h"

#include <math.h>

#include "support/free_runs.h"

#define MASS 2.0
#define INERTIA 0.03
#define RADIUS 0.05
#define MU 0.2
#define G 10.0

#define MODEL(motion)                                                                     \
    "carom: 1\ndimension: 3\ngravity: [0, -10, 0]\n"                                      \
    "bodies:\n  shaft: {mass: 2, inertia: [0.1, 0.1, 0.03], at: [0, 0, 0], " motion "}\n" \
    "joints:\n  sleeve: {type: cylindrical, between: [ground, shaft], axis: [0, 0, 1], "  \
    "friction: {law: coulomb, kinetic: 0.2, radius: 0.05}}\n"                             \
    "run: {until: 1}\n"

/* Slip at the radius: along with the mass m, around with I/R^2; both lose speed in proportion to their share of it.
   Runge and Kutta's method of order 4. */
static void rates(const double *x, double *out)
{
    const double slip = hypot(x[0], x[1]), force = MU * MASS * G;
    out[0] = -force / MASS * x[0] / slip;
    out[1] = -force * RADIUS * RADIUS / INERTIA * x[1] / slip;
}

static void follow(double *x, double until)
{
    const int steps = 2000;
    const double h = until / steps;
    for (int n = 0; n < steps; n++) {
        double k[4][2], at[2];
        rates(x, k[0]);
        for (int s = 1; s < 4; s++) {
            for (int i = 0; i < 2; i++)
                at[i] = x[i] + (s < 3 ? 0.5 : 1) * h * k[s - 1][i];
            rates(at, k[s]);
        }
        for (int i = 0; i < 2; i++)
            x[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
    }
}

static void compare(const char *text, double travel, double spin)
{
    double x[2] = {travel, spin * RADIUS};
    free_run run;
    follow(x, 0.3);
    free_run_parse(&run, text, 1e-10, "adams");
    free_run_to(&run, 0.3);
    const carom_body_state shaft = free_run_body(&run, "shaft");
    const double u = shaft.velocity[2], w = RADIUS * shaft.angular_velocity[2];
    printf("travel %.9f of %.9f m/s, spin %.9f of %.9f m/s at the radius\n", u, x[0], w, x[1]);
    assert_true(fabs(u - x[0]) < 1e-7 && fabs(w - x[1]) < 1e-7);
    free_run_close(&run);
}

static void spin_travel_helix(void **state)
{
    (void)state;
    compare(MODEL("velocity: [0, 0, 3], angular_velocity: [0, 0, 0]"), 3, 0);
    compare(MODEL("velocity: [0, 0, 0], angular_velocity: [0, 0, 30]"), 0, 30);
    compare(MODEL("velocity: [0, 0, 2], angular_velocity: [0, 0, -30]"), 2, -30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(spin_travel_helix)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
