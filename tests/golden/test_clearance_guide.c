/* The slider-crank with clearance in its guide (models/slider_crank_guide.yaml) against rigid walls. The reference is
   made here: Moreau's time-stepping for the three angles of the mechanism, with Newton's restitution and Coulomb's
   friction at the four corners (Jean 1999, "The non-smooth contact dynamics method"), independent of the library. Its
   errors are of first order in the step; the smallest of three counts. Flores, Leine, Glocker 2010 solve this problem.
 */
#include "carom_test.h"

#include <math.h>

#include "support/runs.h"

#define PI 3.14159265358979323846
#define TIMES 3
static const double times[TIMES] = {0.02, 0.04, 0.06};

/* ---- rigid walls ---- */

static const double l1 = 0.153, l2 = 0.306, half_length = 0.05, half_height = 0.025, play = 0.001;
static const double m1 = 0.038, m2 = 0.038, m3 = 0.076, j1 = 7.4e-5, j2 = 5.9e-4, j3 = 2.7e-6;
static const double weight = 9.81, restitution = 0.4, friction = 0.01;

typedef struct mechanism {
    double q[3], v[3]; /* angles of crank, rod and slider, and their rates */
} mechanism;

/* Inverse of the mass matrix and the generalised forces at a pose. */
static void dynamics(const double *q, const double *v, double inverse[3][3], double *force)
{
    const double mixed = (0.5 * m2 + m3) * l1 * l2, s = sin(q[0] - q[1]);
    const double a = j1 + (0.25 * m1 + m2 + m3) * l1 * l1, b = mixed * cos(q[0] - q[1]),
                 c = j2 + (0.25 * m2 + m3) * l2 * l2;
    const double det = a * c - b * b;
    memset(inverse, 0, 9 * sizeof(double));
    inverse[0][0] = c / det;
    inverse[0][1] = inverse[1][0] = -b / det;
    inverse[1][1] = a / det;
    inverse[2][2] = 1 / j3;
    force[0] = -mixed * s * v[1] * v[1] - (0.5 * m1 + m2 + m3) * weight * l1 * cos(q[0]);
    force[1] = mixed * s * v[0] * v[0] - (0.5 * m2 + m3) * weight * l2 * cos(q[1]);
    force[2] = 0;
}

/* Gap of a corner, and the rows of its gap rate and slip. */
static double corner(const double *q, int k, double *normal, double *tangent)
{
    const double x = k & 1 ? half_length : -half_length, up = k & 2 ? -1 : 1, y = up * half_height, s = sin(q[2]),
                 c = cos(q[2]);
    const double dx[3] = {-l1 * sin(q[0]), -l2 * sin(q[1]), -x * s - y * c},
                 dy[3] = {l1 * cos(q[0]), l2 * cos(q[1]), x * c - y * s};
    for (int i = 0; i < 3; i++) {
        normal[i] = -up * dy[i];
        tangent[i] = dx[i];
    }
    return half_height + play - up * (l1 * sin(q[0]) + l2 * sin(q[1]) + x * s + y * c);
}

static double dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static void push(double *v, double inverse[3][3], const double *row, double impulse)
{
    for (int i = 0; i < 3; i++)
        v[i] += impulse * dot(inverse[i], row);
}

/* J M^-1 J^T of one row. */
static double compliance(double inverse[3][3], const double *row)
{
    double v[3] = {0, 0, 0};
    push(v, inverse, row, 1);
    return dot(v, row);
}

/* Impulses of the corners whose gaps are closed at q, by relaxation; `before` are the velocities of the approach. */
static void collide(const double *q, double inverse[3][3], const double *before, double *v)
{
    double normal[4][3], tangent[4][3], pn[4] = {0}, pt[4] = {0};
    bool closed[4];
    for (int k = 0; k < 4; k++)
        closed[k] = corner(q, k, normal[k], tangent[k]) <= 0;
    for (int sweep = 0; sweep < 200; sweep++)
        for (int k = 0; k < 4; k++) {
            if (!closed[k])
                continue;
            const double aim = dot(normal[k], v) + restitution * dot(normal[k], before);
            const double n = fmax(0, pn[k] - aim / compliance(inverse, normal[k]));
            push(v, inverse, normal[k], n - pn[k]);
            pn[k] = n;
            const double free = pt[k] - dot(tangent[k], v) / compliance(inverse, tangent[k]);
            const double t = fmax(-friction * n, fmin(friction * n, free));
            push(v, inverse, tangent[k], t - pt[k]);
            pt[k] = t;
        }
}

static void step(mechanism *m, double h)
{
    double middle[3], mean[3], v[3], inverse[3][3], force[3];
    memcpy(v, m->v, sizeof v);
    for (int i = 0; i < 3; i++)
        middle[i] = m->q[i] + 0.5 * h * m->v[i];
    for (int pass = 0; pass < 6; pass++) {
        for (int i = 0; i < 3; i++)
            mean[i] = 0.5 * (m->v[i] + v[i]);
        dynamics(middle, mean, inverse, force);
        for (int i = 0; i < 3; i++)
            v[i] = m->v[i] + h * dot(inverse[i], force);
    }
    collide(middle, inverse, m->v, v);
    for (int i = 0; i < 3; i++) {
        m->q[i] += 0.5 * h * (m->v[i] + v[i]);
        m->v[i] = v[i];
    }
}

/* Revolutions of the crank at the times. */
static void rigid(double h, double *out)
{
    mechanism m = {.v = {150, -75, 0}};
    int done = 0;
    for (int k = 0; k < TIMES; k++) {
        for (int steps = (int)lround(times[k] / h); done < steps; done++)
            step(&m, h);
        out[k] = m.q[0] / (2 * PI);
    }
}

/* ---- compliant walls ---- */

static void compliant(double stiffness, double *out, double *residual)
{
    free_run run;
    run_sets sets = {0};
    run_set(&sets, "K", stiffness);
    run_open(&run, "slider_crank_guide.yaml", &sets, 0);
    for (int k = 0; k < TIMES; k++) {
        free_run_to(&run, times[k]);
        out[k] = free_run_body(&run, "crank").angle / (2 * PI);
    }
    *residual = carom_simulation_ledger(run.sim).residual_fraction;
    free_run_close(&run);
}

static void approaches_rigid_walls(void **state)
{
    (void)state;
    double limit[TIMES], stiff[TIMES], residual, worst = 0;
    for (double h = 1e-4; h > 3e-7; h *= 0.1) {
        rigid(h, limit);
        printf("rigid, step %.0e s: %.5f %.5f %.5f revolutions\n", h, limit[0], limit[1], limit[2]);
    }
    for (double stiffness = 1e7; stiffness < 2e11; stiffness *= 10) {
        compliant(stiffness, stiff, &residual);
        worst = 0;
        for (int k = 0; k < TIMES; k++)
            worst = fmax(worst, fabs(stiff[k] - limit[k]));
        printf("K %.0e N/m^1.5: %.5f %.5f %.5f, largest difference %.1e, energy balance %.1e\n", stiffness, stiff[0],
               stiff[1], stiff[2], worst, residual);
        assert_true(fabs(residual) < 1e-6);
    }
    assert_true(worst < 5e-4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(approaches_rigid_walls)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
