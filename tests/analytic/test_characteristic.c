/* Characteristics of springs and dampers (kinds/load/load.h) against their definition: force, stored energy and power
   of the damping on both sides and on one, with free play and without, of a linear and cubic spring and of a curve with
   flat parts; their edges are where that definition has kinks. */
#include "carom_test.h"

#include <math.h>

#include "kinds/load/load.h"

#define CLOSE 1e-12

/* A curve of straight pieces, force zero at several knots, and its integrals from the first knot. */
enum { KNOTS = 6 };
static const double knot[KNOTS] = {-0.3, -0.1, 0, 0.1, 0.15, 0.5}, ordinate[KNOTS] = {-4, 0, 0, 0, 2, 9};
static const double bend[KNOTS];
static double sums[KNOTS];

static carom_spline_table the_curve(void)
{
    const carom_spline_table curve = {.spline = {.n = KNOTS, .x = knot, .y = ordinate, .y2 = bend}, .sums = sums};
    carom_spline_sums(&curve.spline, sums);
    return curve;
}

/* Force and energy of the spring at a deflection beyond the play. */
static double spring(const carom_characteristic *c, double e, double *stored)
{
    *stored = e * e * (0.5 * c->stiffness + 0.25 * c->cubic * e * e);
    if (c->curve < 0.5)
        return c->stiffness * e + c->cubic * e * e * e;
    double force = 0;
    *stored = 0;
    for (int k = 0; k + 1 < KNOTS; k++) {
        const double slope = (ordinate[k + 1] - ordinate[k]) / (knot[k + 1] - knot[k]);
        if (e >= knot[k] && e <= knot[k + 1])
            force = ordinate[k] + slope * (e - knot[k]);
        /* the part of this piece between 0 and e */
        const double from = fmin(fmax(0, knot[k]), knot[k + 1]), to = fmin(fmax(e, knot[k]), knot[k + 1]);
        *stored += (to - from) * (ordinate[k] + slope * (0.5 * (from + to) - knot[k]));
    }
    return force;
}

static carom_characteristic_force defined(const carom_characteristic *c, double s, double rate)
{
    carom_characteristic_force f = {0};
    if (c->side == 0 && c->gap == 0) {
        f.force = spring(c, s, &f.stored) + c->damping * rate;
        f.dissipation = c->damping * rate * rate;
        return f;
    }
    const int side = s > c->gap && c->side >= 0 ? 1 : s < -c->gap && c->side <= 0 ? -1 : 0;
    if (side == 0)
        return f;
    const double elastic = spring(c, s - side * c->gap, &f.stored), both = elastic + c->damping * rate;
    /* pushes back at least as much as the spring alone where that pulls, else not below nothing */
    const double least = fmin(side * elastic, 0);
    f.force = side * fmax(side * both, least);
    f.dissipation = (f.force - elastic) * rate;
    return f;
}

/* Deflections at which the definition changes, from below. */
static size_t kinks(const carom_characteristic *c, double *out)
{
    size_t count = 0;
    const bool split = c->side != 0 || c->gap > 0;
    for (int k = 0; k < KNOTS && c->curve > 0.5; k++)
        if (!split || (knot[k] < 0 && c->side <= 0))
            out[count++] = knot[k] - (split ? c->gap : 0);
    if (split && c->side <= 0)
        out[count++] = -c->gap;
    if (split && c->side >= 0)
        out[count++] = c->gap;
    for (int k = 0; k < KNOTS && c->curve > 0.5 && split && c->side >= 0; k++)
        if (knot[k] > 0)
            out[count++] = knot[k] + c->gap;
    return count;
}

static void check(const carom_characteristic *c)
{
    const carom_spline_table curve = the_curve();
    double at[2 * KNOTS + 2], turn[2], wanted[2 * KNOTS + 2];
    const size_t count = carom_characteristic_edges(c, &curve, 0, at);
    const size_t turns = carom_characteristic_edges(c, &curve, 1, turn);
    assert_int_equal(carom_characteristic_edges(c, &curve, 0, NULL), count);
    assert_int_equal(kinks(c, wanted), count);
    for (size_t k = 0; k < count; k++)
        assert_true(fabs(at[k] - wanted[k]) < 1e-15);
    assert_int_equal(turns, (c->side != 0 || c->gap > 0) && c->damping > 0);
    assert_true(turns == 0 || turn[0] == 0);
    const carom_edges edges[4] = {{0}, {0}, {.n = count, .x = at}, {.n = turns, .x = turn}};
    const carom_load_input in = {.curves = &curve, .edges = edges};
    for (int k = -200; k <= 200; k++)
        for (int r = -3; r <= 3; r++) {
            const double s = 0.00147 * k + 1e-5, rate = 0.5 * r;
            carom_load_output out = {.stored = 0};
            const carom_deflection at_s = {.value = s, .rate = rate};
            const carom_characteristic_force got = carom_characteristic_at(c, &in, &out, 2, &at_s);
            const carom_characteristic_force f = defined(c, s, rate);
            if (!(fabs(got.force - f.force) < CLOSE && fabs(got.stored - f.stored) < CLOSE &&
                  fabs(got.dissipation - f.dissipation) < CLOSE))
                fail_msg("side %d, gap %g, curve %g, damping %g at %g, %g: %g %g %g, not %g %g %g", c->side, c->gap,
                         c->curve, c->damping, s, rate, got.force, got.stored, got.dissipation, f.force, f.stored,
                         f.dissipation);
            assert_true(f.dissipation >= 0 && (count == 0 || out.quantity[2] == s));
            /* no deflection of the grid is so near to a kink */
            const double h = 1e-6, change = defined(c, s + h, 0).force - defined(c, s - h, 0).force;
            assert_true(fabs(got.slope - 0.5 * change / h) < 1e-6);
            /* in the free play nothing may turn around */
            if (turns && f.force == 0 && f.stored == 0 && c->curve < 0.5 && fabs(s) < c->gap)
                assert_true(out.branch[3] == 1 && out.quantity[3] > 0);
        }
}

static void test_definition(void **state)
{
    (void)state;
    for (int k = 0; k < 24; k++) {
        carom_characteristic c = {.side = k % 3 - 1, .gap = k / 3 % 2 ? 0.04 : 0, .damping = k / 6 % 2 ? 3 : 0};
        if (k / 12)
            c.curve = 1;
        else
            c.stiffness = 50, c.cubic = 900;
        check(&c);
    }
}

/* A step that goes on over the edge of the free play, with the side still engaged: spring and damper go on as they are
   where they hold, and what may not turn around has no force. */
static void test_over_the_edge(void **state)
{
    (void)state;
    const carom_edges edges[2] = {{0}, {0}};
    for (int side = -1; side <= 1; side += 2)
        for (int holds = 0; holds < 2; holds++) {
            const carom_characteristic c = {.gap = 0.04, .stiffness = 50, .damping = 3};
            const int branch[2] = {side > 0 ? 2 : 0, holds};
            const carom_load_input in = {.edges = edges, .branch = branch};
            carom_load_output out = {.stored = 0};
            const carom_deflection at = {.value = side * 0.039, .rate = -side * 0.5};
            const carom_characteristic_force got = carom_characteristic_at(&c, &in, &out, 0, &at);
            const double wanted = holds ? side * -0.05 + 3 * at.rate : 0;
            assert_true(fabs(got.force - wanted) < CLOSE && fabs(out.quantity[1] - (-0.05 - 1.5)) < CLOSE);
        }
}

static void test_refusals(void **state)
{
    (void)state;
    double none = (double)NAN, some = 3;
    assert_non_null(carom_characteristic_check(&none, 0, 0));
    assert_true(isnan(none));
    assert_null(carom_characteristic_check(&some, 0, 0));
    assert_null(carom_characteristic_check(&some, 5, 0));
    assert_true(some == 3);
    assert_non_null(carom_characteristic_check(&some, 0, 1));
    assert_non_null(carom_characteristic_check(&none, 5, 1));
    assert_null(carom_characteristic_check(&none, 0, 1));
    assert_true(none == 0);
    none = (double)NAN;
    assert_null(carom_characteristic_check(&none, 5, 0));
    assert_true(none == 0);
}

/* A spring or ligament whose free length is not given has that of its start; its stretch is its length over that. */
static void test_free_length(void **state)
{
    (void)state;
    static const carom_load_kind *const kinds[] = {&carom_load_spring, &carom_load_ligament};
    for (size_t k = 0; k < CAROM_COUNT(kinds); k++) {
        double p[8] = {40, (double)NAN, 3};
        const carom_frame_pose i = {.p = {0.1, 0.2, 0}, .axes = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
        carom_frame_pose j = i;
        j.p = carom_v3(0.4, 0.2, 0.4);
        assert_null(kinds[k]->start(p, &i, &j, 3));
        assert_true(p[0] == 40 && fabs(p[1] - 0.5) < 1e-15 && p[2] == 3);
        assert_true(fabs(kinds[k]->stretch(p, &i, &j) - 1) < 1e-15);
        p[1] = 0.25;
        assert_null(kinds[k]->start(p, &i, &j, 3));
        assert_true(p[1] == 0.25 && fabs(kinds[k]->stretch(p, &i, &j) - 2) < 1e-15);
        p[1] = 0;
        assert_true(kinds[k]->stretch(p, &i, &j) == 0);
    }
}

/* Stops that are given without stiffness hold the energy that their joint carries within 1/100 of its length, or within
   1/20 of the travel where that is less, wherever the travel lies. */
static void test_default_stops(void **state)
{
    (void)state;
    const carom_load_carried carried = {.inertia = 2, .energy = 30, .length = 1};
    static const double limits[][3] = {{-0.01, 0.03, 0.002}, {0.5, 0.54, 0.002}, {-2, 3, 0.01}, {(double)NAN, 3, 0.01}};
    for (size_t k = 0; k < CAROM_COUNT(limits); k++) {
        double p[5] = {limits[k][0], limits[k][1], (double)NAN, 5, (double)NAN}, energy;
        carom_load_joint_limits.stops->fill(p, &carried);
        assert_true(fabs(0.5 * p[2] * limits[k][2] * limits[k][2] / carried.energy - 1) < 1e-12 && p[3] == 5);
        carom_load_joint_limits.stops->beyond(p, limits[k][1] + limits[k][2], &energy);
        assert_true(fabs(energy / carried.energy - 1) < 1e-10);
        /* a damping that is not given is the one for the inertia that the joint carries by itself */
        p[2] = p[3] = (double)NAN;
        p[4] = 0.5;
        const carom_load_sized sized = carom_load_joint_limits.stops->fill(p, &carried);
        const double stiffness = p[2], damping = p[3];
        assert_true(damping > 0);
        carom_load_joint_limits.stops->suit(p, stiffness, carried.inertia, &sized);
        assert_true(p[2] == stiffness && fabs(p[3] / damping - 1) < 1e-15);
        carom_load_joint_limits.stops->suit(p, 4 * stiffness, 9 * carried.inertia, &sized);
        assert_true(p[2] == 4 * stiffness && fabs(p[3] / damping - 6) < 1e-14);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_definition), cmocka_unit_test(test_over_the_edge),
                                       cmocka_unit_test(test_refusals),
                                       cmocka_unit_test(test_free_length), cmocka_unit_test(test_default_stops)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
