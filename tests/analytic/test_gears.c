/* The pair gear-gear: gap rate and rate of the normal against differences along random motions, of external gears and
   rings; backlash of pairs that are known; the same gap from the other side and a tooth further; the drawn outline
   against the string that unwinds from the base circle. */
#include "carom_test.h"

#include <math.h>

#include "geometry/involute.h"
#include "kinds/shape/shape.h"
#include "support/drawing.h"

#define TRIALS 2000
#define PARAMS 8
#define DEGREE (CAROM_PI / 180)
#define MODULE 2e-3

/* Uniform in [low, high); a fixed sequence (Knuth's MMIX generator). */
static double uniform(double low, double high)
{
    static uint64_t state = 1847;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * ((double)(state >> 11) * 0x1p-53);
}

/* ---- two gears ---- */

typedef struct pair {
    double p[2][PARAMS];
    carom_shape_pose pose[2];
} pair;

static void set_gear(double *p, double teeth, bool ring, double shift, double thinning)
{
    p[CAROM_GEAR_TEETH] = teeth;
    p[CAROM_GEAR_MODULE] = MODULE;
    p[CAROM_GEAR_PRESSURE_ANGLE] = 20 * DEGREE;
    p[CAROM_GEAR_SHIFT] = shift;
    p[CAROM_GEAR_THINNING] = thinning;
    p[CAROM_GEAR_INTERNAL] = ring;
    p[CAROM_GEAR_ADDENDUM] = ring ? 0.8 : 1;
    p[CAROM_GEAR_DEDENDUM] = 1.25;
}

static carom_mat3 turned(double angle) { return carom_quat_matrix(carom_quat_from_rotation(carom_v3(0, 0, angle))); }

/* Gear 0 at the origin and gear 1 at a distance in a direction, turned by angles; at rest. */
static void place(pair *x, double distance, double direction, double angle_0, double angle_1)
{
    for (int k = 0; k < 2; k++)
        x->pose[k] = (carom_shape_pose){.p = x->p[k], .axes = turned(k ? angle_1 : angle_0)};
    x->pose[1].origin = carom_v3(distance * cos(direction), distance * sin(direction), 0);
}

static carom_pair_point gap_of(const carom_shape_pose *i, const carom_shape_pose *j, int point)
{
    carom_pair_point out = {0};
    carom_pair_gear_gear.gap_at(i, j, point, &out);
    return out;
}

/* Kind of pair of a trial: external, a gear in a ring, the ring first. */
static void random_pair(pair *x, int kind)
{
    const double small = floor(uniform(18, 30)), shift = uniform(-0.1, 0.4);
    const double large = kind ? floor(uniform(50, 90)) : floor(uniform(18, 70));
    set_gear(x->p[kind == 2], small, false, shift, uniform(0, 1e-4));
    set_gear(x->p[kind != 2], large, kind > 0, kind ? shift : uniform(-0.1, 0.4), uniform(0, 1e-4));
    const double sum = 0.5 * MODULE * (kind ? large - small : large + small);
    place(x, sum * uniform(0.995, 1.01), uniform(-3, 3), uniform(-9, 9), uniform(-9, 9));
    for (int k = 0; k < 2; k++) {
        x->pose[k].velocity = carom_v3(uniform(-1, 1), uniform(-1, 1), 0);
        x->pose[k].spin = carom_v3(0, 0, uniform(-30, 30));
    }
}

static carom_shape_pose moved(const carom_shape_pose *shape, double t)
{
    carom_shape_pose out = *shape;
    const carom_mat3 turn = turned(t * shape->spin.z);
    out.origin = carom_v3_add_scaled(shape->origin, t, shape->velocity);
    out.axes = carom_m3_multiply(&turn, &shape->axes);
    return out;
}

static carom_pair_point point_at(const pair *x, int point, double t)
{
    const carom_shape_pose i = moved(&x->pose[0], t), j = moved(&x->pose[1], t);
    return gap_of(&i, &j, point);
}

/* ---- rates ---- */

static void rates(void **state)
{
    (void)state;
    double worst_gap = 0, worst_normal = 0, worst_line = 0;
    const double h = 1e-7;
    for (int n = 0; n < TRIALS; n++) {
        pair x;
        random_pair(&x, n % 3);
        for (int point = 0; point < 2; point++) {
            const carom_pair_point p = point_at(&x, point, 0), before = point_at(&x, point, -h),
                                   after = point_at(&x, point, h);
            if (fabs(after.gap - before.gap) > 1e-4)
                continue; /* the next tooth */
            const carom_vec3 vi = carom_v3_add(x.pose[0].velocity, carom_v3_cross(x.pose[0].spin, p.from_i));
            const carom_vec3 vj = carom_v3_add(x.pose[1].velocity, carom_v3_cross(x.pose[1].spin, p.from_j));
            const double rate = carom_v3_dot(p.normal, carom_v3_sub(vj, vi));
            const carom_vec3 turn = carom_v3_scale(0.5 / h, carom_v3_sub(after.normal, before.normal));
            const carom_vec3 normal_rate = carom_pair_gear_gear.normal_rate_at(&x.pose[0], &x.pose[1], point);
            worst_gap = fmax(worst_gap, fabs(rate - (after.gap - before.gap) / (2 * h)));
            worst_normal =
                fmax(worst_normal, carom_v3_norm(carom_v3_sub(turn, normal_rate)) / (1 + carom_v3_dot(turn, turn)));
            worst_line = fmax(worst_line, fabs(carom_v3_norm(p.normal) - 1));
            /* the line of action touches both base circles */
            for (int k = 0; k < 2; k++) {
                const carom_vec3 arm = carom_v3_cross(k ? p.from_j : p.from_i, p.normal);
                worst_line = fmax(worst_line, fabs(fabs(arm.z) - carom_gear_of(x.p[k]).base));
            }
            const carom_vec3 there = carom_v3_add(x.pose[1].origin, p.from_j);
            worst_line = fmax(worst_line, carom_v3_norm(carom_v3_sub(there, p.point)));
        }
    }
    printf("           gap rate %.1e m/s, rate of the normal %.1e, line of action %.1e m\n", worst_gap, worst_normal,
           worst_line);
    assert_true(worst_gap < 1e-7);
    assert_true(worst_normal < 1e-6);
    assert_true(worst_line < 1e-15);
}

/* ---- places ---- */

/* Half the gap from the point of contact lies the flank of a tooth: at a roll angle a its middle is s/(2 r) - inv a
   away, with the thickness s on the base circle r. */
static void flanks(void **state)
{
    (void)state;
    double worst = 0;
    for (int n = 0; n < TRIALS; n++) {
        pair x;
        random_pair(&x, n % 3);
        const int own = n % 3 == 2; /* which one is no ring */
        const carom_gear g = carom_gear_of(x.p[own]);
        for (int point = 0; point < 2; point++) {
            const carom_pair_point c = gap_of(&x.pose[0], &x.pose[1], point);
            const carom_vec3 away = own ? carom_v3_neg(c.normal) : c.normal;
            const carom_vec3 at = carom_v3_add_scaled(own ? c.from_j : c.from_i, -0.5 * c.gap, away);
            const carom_vec3 in = carom_m3_apply_t(&x.pose[own].axes, at);
            const double roll = atan2(carom_v3_dot(at, away), g.base);
            const double wanted = 0.5 * g.base_thickness / g.base - (tan(roll) - roll);
            const double angle = remainder(atan2(in.y, in.x), 2 * CAROM_PI / g.teeth);
            worst = fmax(worst, fabs(remainder(fabs(angle) - wanted, 2 * CAROM_PI / g.teeth)));
        }
    }
    printf("           points of contact on the flanks within %.1e rad\n", worst);
    assert_true(worst < 1e-13);
}

/* A ring has more teeth than what runs in it, on either side; both may not be rings. */
static void refused(void **state)
{
    (void)state;
    double ring[PARAMS], gear[PARAMS];
    set_gear(ring, 40, true, 0, 0);
    for (int teeth = 38; teeth < 43; teeth++) {
        set_gear(gear, teeth, false, 0, 0);
        const bool fits = teeth < 40;
        assert_true((carom_pair_gear_gear.check(ring, gear) == NULL) == fits);
        assert_true((carom_pair_gear_gear.check(gear, ring) == NULL) == fits);
        assert_null(carom_pair_gear_gear.check(gear, gear));
    }
    assert_non_null(carom_pair_gear_gear.check(ring, ring));
}

/* ---- what is known ---- */

static double involute(double angle) { return tan(angle) - angle; }

/* A tooth of gear 0 on the line of the centres and a space of gear 1: half the backlash on either side. At the distance
   of the pitch circles the backlash is the thinning of both, along the line of action; at another one
   m (z1 +- z2) cos a (inv w - inv a) more; with shifts the distance without backlash has inv w = inv a + 2 tan a
   (x1 +- x2)/(z1 +- z2). */
static void backlash(void **state)
{
    (void)state;
    const double a = 20 * DEGREE;
    double worst = 0;
    for (int kind = 0; kind < 2; kind++)
        for (int n = 0; n <= 40; n++) {
            const double z1 = 21, z2 = kind ? 70 : 44, sign = kind ? -1 : 1, t1 = 3e-5, t2 = 5e-5, x1 = 0.01 * n,
                         x2 = 0.2;
            const double teeth = z2 + sign * z1, sum = 0.5 * MODULE * teeth;
            pair x;
            set_gear(x.p[0], z1, false, 0, t1);
            set_gear(x.p[1], z2, kind == 1, 0, t2);
            /* the ring's space, or the gear's, towards the tooth */
            const double facing = kind ? CAROM_PI / z2 : CAROM_PI + CAROM_PI / z2;
            const double direction = kind ? CAROM_PI : 0, distance = sum * (1 + sign * 5e-4 * n);
            place(&x, sum, direction, 0, facing);
            for (int point = 0; point < 2; point++)
                worst = fmax(worst, fabs(gap_of(&x.pose[0], &x.pose[1], point).gap - 0.5 * (t1 + t2) * cos(a)));
            place(&x, distance, direction, 0, facing);
            const double w = acos(sum * cos(a) / distance);
            const double more = (t1 + t2) * cos(a) + sign * MODULE * teeth * cos(a) * (involute(w) - involute(a));
            for (int point = 0; point < 2; point++)
                worst = fmax(worst, fabs(gap_of(&x.pose[0], &x.pose[1], point).gap - 0.5 * more));
            set_gear(x.p[0], z1, false, x1, 0);
            set_gear(x.p[1], z2, kind == 1, x2, 0);
            const double inv = involute(a) + 2 * tan(a) * (x2 + sign * x1) / teeth;
            double low = 0.01, high = 1;
            for (int k = 0; k < 100; k++)
                *(involute(0.5 * (low + high)) < inv ? &low : &high) = 0.5 * (low + high);
            place(&x, sum * cos(a) / cos(low), direction, 0, facing);
            for (int point = 0; point < 2; point++)
                worst = fmax(worst, fabs(gap_of(&x.pose[0], &x.pose[1], point).gap));
        }
    printf("           backlash %.1e m\n", worst);
    assert_true(worst < 1e-16);
}

/* A tooth further nothing has changed, and seen from the other gear the normal alone. The radii at the pitch point are
   those of the base circle times tan w, of a ring negative. */
static void symmetry(void **state)
{
    (void)state;
    double worst = 0;
    for (int n = 0; n < TRIALS; n++) {
        pair x;
        random_pair(&x, n % 3);
        for (int point = 0; point < 2; point++) {
            const carom_pair_point p = gap_of(&x.pose[0], &x.pose[1], point), q = gap_of(&x.pose[1], &x.pose[0], point);
            pair y = x;
            for (int k = 0; k < 2; k++) {
                const carom_mat3 turn = turned(2 * CAROM_PI * floor(uniform(-60, 60)) / x.p[k][CAROM_GEAR_TEETH]);
                y.pose[k].axes = carom_m3_multiply(&turn, &x.pose[k].axes);
            }
            const carom_pair_point r = gap_of(&y.pose[0], &y.pose[1], point);
            /* half the base pitch from the middle the other tooth is as near */
            const double pitch = carom_gear_of(x.p[0]).base_pitch;
            worst = fmax(worst, fabs(remainder(p.gap - q.gap, pitch)) + fabs(remainder(p.gap - r.gap, pitch)));
            worst = fmax(worst, carom_v3_norm(carom_v3_add(p.normal, q.normal)) * MODULE);
            const carom_gear g[2] = {carom_gear_of(x.p[0]), carom_gear_of(x.p[1])};
            const double sum = fabs(g[0].sign * g[0].base + g[1].sign * g[1].base);
            const double t = tan(acos(sum / carom_v3_norm(x.pose[1].origin)));
            worst = fmax(worst,
                         fabs(p.radius_i - g[0].sign * g[0].base * t) + fabs(p.radius_j - g[1].sign * g[1].base * t));
            assert_true(q.radius_j == p.radius_i && q.radius_i == p.radius_j);
        }
    }
    printf("           a tooth further, from the other side, radii: %.1e m\n", worst);
    assert_true(worst < 1e-14);
}

/* Tip circles that do not meet: the gap is at least their distance whatever the angles, and it passes into that of the
   flanks without a jump as the gears come nearer. */
static void apart(void **state)
{
    (void)state;
    for (int kind = 0; kind < 2; kind++)
        for (int n = 1; n < 200; n++) {
            pair x;
            set_gear(x.p[0], 20, false, 0, 0);
            set_gear(x.p[1], 60, kind, 0, 0);
            const double beyond = 1e-4 * n, tips = kind ? MODULE * (30 - 0.8) - MODULE * 11 : MODULE * (31 + 11);
            if (kind && beyond > tips)
                break;
            place(&x, kind ? tips - beyond : tips + beyond, 0.3, 0.01 * n, 0.02 * n);
            for (int point = 0; point < 2; point++)
                assert_true(gap_of(&x.pose[0], &x.pose[1], point).gap >= beyond - 1e-15);
        }
    /* teeth that are all but in line: both flanks overlap as deep as they can until the tips part */
    double worst = 0, last = 0;
    for (int n = 0; n <= 4000; n++) {
        pair x;
        set_gear(x.p[0], 20, false, 0, 0);
        set_gear(x.p[1], 60, false, 0, 0);
        place(&x, MODULE * (40 + 2.5e-3 * 0.25 * n), 0, 0, CAROM_PI + 1e-3);
        const double gap = fmin(gap_of(&x.pose[0], &x.pose[1], 0).gap, gap_of(&x.pose[0], &x.pose[1], 1).gap);
        worst = n ? fmax(worst, fabs(gap - last)) : 0;
        last = gap;
    }
    printf("           from overlap to apart: %.2e m a step of 1.25e-6 m of the distance\n", worst);
    assert_true(worst < 1.26e-6 && worst > 1.24e-6 && last > 0);
}

/* ---- the drawn outline ---- */

/* Points of the drawing between base and tip circle lie on involutes: the end of the string that leaves the base circle
   where the tangent from the point touches it, unwound from the middle of a tooth (of a ring a space) by its half
   angle. */
static void outline(void **state)
{
    (void)state;
    static drawing d;
    double worst = 0;
    size_t on_flanks = 0;
    for (int n = 0; n < 40; n++) {
        double p[PARAMS];
        const bool ring = n % 2;
        set_gear(p, ring ? 50 + n : 15 + n, ring, 0.01 * n, 1e-5 * n);
        const double z = p[CAROM_GEAR_TEETH], a = 20 * DEGREE, r = 0.5 * MODULE * z, base = r * cos(a), x = 0.01 * n;
        const double thick = MODULE * (CAROM_PI / 2 + (ring ? -2 : 2) * x * tan(a)) - 1e-5 * n;
        const double at_pitch = ring ? CAROM_PI / z - thick / (2 * r) : thick / (2 * r);
        const carom_mesh_sink sink = drawing_sink(&d);
        carom_shape_gear.mesh(p, true, 1, &sink);
        const double low = ring ? r + MODULE * (x - 0.8) : fmax(base, r + MODULE * (x - 1)),
                     high = r + MODULE * (ring ? x + 1.25 : x + 1);
        for (size_t k = 0; k < d.points; k++) {
            const double radius = hypot(d.at[k].x, d.at[k].y), polar = atan2(d.at[k].y, d.at[k].x);
            if (radius < low + 1e-9 || radius > high - 1e-9)
                continue;
            const double t = sqrt(radius * radius / (base * base) - 1);
            const double aside = remainder(polar - (ring ? CAROM_PI / z : 0), 2 * CAROM_PI / z);
            const double expected = at_pitch + (tan(a) - a) - (t - atan(t));
            worst = fmax(worst, radius * fabs(fabs(aside) - expected));
            on_flanks++;
        }
    }
    printf("           %zu points of flanks, %.1e m from their involutes\n", on_flanks, worst);
    assert_true(on_flanks > 10000);
    assert_true(worst < 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rates),    cmocka_unit_test(flanks),
                                       cmocka_unit_test(refused),  cmocka_unit_test(backlash),
                                       cmocka_unit_test(symmetry), cmocka_unit_test(apart),
                                       cmocka_unit_test(outline)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
