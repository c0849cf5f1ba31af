/* Random poses of two gears, and of a gear in a ring, apart: the gap of both contacts against the least distance of the
   flanks, found by search among points of outlines that are written down tooth by tooth and know nothing of a line of
   action; and the smaller one against the least distance of the drawn outlines, polygons with tips and roots. */
#include "carom_test.h"

#include <math.h>

#include "geometry/involute.h"
#include "kinds/shape/shape.h"
#include "math/vec2.h"
#include "support/drawing.h"

#ifdef __SANITIZE_ADDRESS__
#define POSES 500
#else
#define POSES 10000
#endif
#define DRAWN (POSES / 50) /* of them compared with the drawings */
#define PARAMS 8
#define POINTS 12    /* of a flank in the first scan */
#define NEIGHBOURS 2 /* teeth to each side that are tried */

static uint64_t seed = 90210;

/* Uniform in [low, high); a fixed sequence (Knuth's MMIX generator). */
static double uniform(double low, double high)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * ((double)(seed >> 11) * 0x1p-53);
}

/* ---- a gear as a table of flanks ---- */

/* In the frame of the gear; `side` 1 is the flank of a tooth (of a ring: of a space) that looks counterclockwise. */
typedef struct wheel {
    double p[PARAMS], z, base, low, high, half;
    bool ring;
    double angle;
    carom_pose2 pose;
} wheel;

/* The end of a string that has unwound by the angle `roll` from the base circle, in the frame of the gear. */
static carom_vec2 flank_point(const wheel *w, int tooth, int side, double roll)
{
    const double from = 2 * CAROM_PI * (tooth + (w->ring ? 0.5 : 0)) / w->z + side * w->half,
                 leaves = from - side * roll;
    return carom_v2(w->base * (cos(leaves) - side * roll * sin(leaves)),
                    w->base * (sin(leaves) + side * roll * cos(leaves)));
}

static double roll_at(const wheel *w, double radius)
{
    return sqrt(fmax(radius * radius / (w->base * w->base) - 1, 0));
}

static void make(wheel *w, double teeth, double module, double pressure, double shift, double thinning, bool ring)
{
    const double p[PARAMS] = {teeth, module, pressure, shift, thinning, ring, ring ? 0.7 : 1, 1.25};
    for (int k = 0; k < PARAMS; k++)
        w->p[k] = p[k];
    const double r = 0.5 * module * teeth,
                 width = module * (CAROM_PI / 2 + 2 * shift * tan(pressure)) + (ring ? 1 : -1) * thinning;
    w->z = teeth;
    w->ring = ring;
    w->base = r * cos(pressure);
    w->low = fmax(w->base, r + module * (shift - (ring ? 0.7 : 1.25)));
    w->high = r + module * (shift + (ring ? 1.25 : 1));
    w->half = width / (2 * r) + tan(pressure) - pressure;
}

/* ---- least distance of two flanks ---- */

typedef struct flank {
    const wheel *w;
    int tooth, side;
    double from, to; /* roll */
} flank;

static carom_vec2 at_roll(const flank *f, double roll)
{
    return carom_pose2_apply(&f->w->pose, flank_point(f->w, f->tooth, f->side, roll));
}

#define SHRINKS 24 /* of a bracket by the golden section: the distance is off by the square of 1e-5 of it */
#define GOLDEN 0.6180339887498949

/* Nearest point of a flank from x, by golden sections; convex arcs have one. */
static double nearest(const flank *f, carom_vec2 x, double *distance)
{
    double low = f->from, high = f->to, a = high - GOLDEN * (high - low), b = low + GOLDEN * (high - low);
    double at_a = carom_v2_distance(at_roll(f, a), x), at_b = carom_v2_distance(at_roll(f, b), x);
    for (int k = 0; k < SHRINKS; k++) {
        const bool left = at_a < at_b;
        if (left) {
            high = b;
            b = a;
            at_b = at_a;
            a = high - GOLDEN * (high - low);
            at_a = carom_v2_distance(at_roll(f, a), x);
        } else {
            low = a;
            a = b;
            at_a = at_b;
            b = low + GOLDEN * (high - low);
            at_b = carom_v2_distance(at_roll(f, b), x);
        }
    }
    *distance = fmin(at_a, at_b);
    return 0.5 * (low + high);
}

/* Least distance of two flanks: that of the nearest point from a point of the one has one minimum along it. */
static double refine(flank i, flank j)
{
    double low = i.from, high = i.to, d_a, d_b;
    double a = high - GOLDEN * (high - low), b = low + GOLDEN * (high - low);
    nearest(&j, at_roll(&i, a), &d_a);
    nearest(&j, at_roll(&i, b), &d_b);
    for (int k = 0; k < SHRINKS; k++) {
        if (d_a < d_b) {
            high = b;
            b = a;
            d_b = d_a;
            a = high - GOLDEN * (high - low);
            nearest(&j, at_roll(&i, a), &d_a);
        } else {
            low = a;
            a = b;
            d_a = d_b;
            b = low + GOLDEN * (high - low);
            nearest(&j, at_roll(&i, b), &d_b);
        }
    }
    return fmin(d_a, d_b);
}

/* The tooth (of a ring: space) nearest to a direction. */
static int tooth_towards(const wheel *w, double direction)
{
    return (int)floor((direction - w->angle) * w->z / (2 * CAROM_PI) - (w->ring ? 0.5 : 0) + 0.5);
}

/* Least distance of the flanks that look one way, over the teeth about the mesh. */
static double least_distance(const wheel *i, const wheel *j, double mesh_i, double mesh_j, int side)
{
    const int first_i = tooth_towards(i, mesh_i), first_j = tooth_towards(j, mesh_j);
    carom_vec2 xi[2 * NEIGHBOURS + 1][POINTS], xj[2 * NEIGHBOURS + 1][POINTS];
    flank fi = {i, 0, side, roll_at(i, i->low), roll_at(i, i->high)};
    flank fj = {j, 0, side, roll_at(j, j->low), roll_at(j, j->high)};
    const double step_i = (fi.to - fi.from) / (POINTS - 1), step_j = (fj.to - fj.from) / (POINTS - 1);
    for (int t = 0; t <= 2 * NEIGHBOURS; t++)
        for (int k = 0; k < POINTS; k++) {
            fi.tooth = first_i + t - NEIGHBOURS;
            fj.tooth = first_j + t - NEIGHBOURS;
            xi[t][k] = at_roll(&fi, fi.from + k * step_i);
            xj[t][k] = at_roll(&fj, fj.from + k * step_j);
        }
    /* the best of each two teeth is refined if the scan's spacing leaves room for it to be the least */
    double best[2 * NEIGHBOURS + 1][2 * NEIGHBOURS + 1], least = HUGE_VAL;
    for (int a = 0; a <= 2 * NEIGHBOURS; a++)
        for (int b = 0; b <= 2 * NEIGHBOURS; b++) {
            best[a][b] = HUGE_VAL;
            for (int k = 0; k < POINTS; k++)
                for (int m = 0; m < POINTS; m++)
                    best[a][b] = fmin(best[a][b], carom_v2_distance(xi[a][k], xj[b][m]));
            least = fmin(least, best[a][b]);
        }
    const double spacing = i->base * fi.to * step_i + j->base * fj.to * step_j;
    double found = HUGE_VAL;
    for (int a = 0; a <= 2 * NEIGHBOURS; a++)
        for (int b = 0; b <= 2 * NEIGHBOURS; b++) {
            if (best[a][b] > least + spacing)
                continue;
            fi.tooth = first_i + a - NEIGHBOURS;
            fj.tooth = first_j + b - NEIGHBOURS;
            found = fmin(found, refine(fi, fj));
        }
    return found;
}

/* ---- random poses ---- */

typedef struct pose {
    wheel i, j;
    double distance, mesh_i, mesh_j;
    carom_shape_pose shape[2];
} pose;

static void turn_to(wheel *w, double angle)
{
    w->angle = angle;
    w->pose = carom_pose2_of(angle, w->pose.at);
}

static void set_shape(const wheel *w, carom_shape_pose *out)
{
    *out = (carom_shape_pose){.p = w->p, .origin = carom_v3(w->pose.at.x, w->pose.at.y, 0)};
    out->axes = carom_quat_matrix(carom_quat_from_rotation(carom_v3(0, 0, w->angle)));
}

/* Contact ratio, by the lengths of the line of action between the base circles and within the tip circles; 0 where tips
   reach beyond the base circles. */
static double contact_ratio(const pose *x)
{
    const double sign = x->j.ring ? -1 : 1, sum = x->i.base + sign * x->j.base;
    const double between = sign * sqrt(x->distance * x->distance - sum * sum);
    const double tip_i = x->i.high, tip_j = x->j.ring ? x->j.low : x->j.high;
    const double begin = between - sign * x->j.base * roll_at(&x->j, tip_j), end = x->i.base * roll_at(&x->i, tip_i);
    if (begin < 0 || (sign > 0 && end > between))
        return 0;
    return (end - begin) / (2 * CAROM_PI * x->i.base / x->i.z);
}

/* Gears in mesh, apart; by how much is random. */
static bool try_pose(pose *x, bool ring)
{
    const double module = 0.002, pressure = uniform(0.3, 0.45), shift = uniform(-0.2, 0.5);
    const double z = floor(uniform(18, 40)), other = floor(ring ? uniform(z + 25, 110) : uniform(18, 90));
    make(&x->i, z, module, pressure, shift, uniform(0, 0.1) * module, false);
    make(&x->j, other, module, pressure, ring ? shift : uniform(-0.2, 0.5), uniform(0, 0.1) * module, ring);
    const double direction = uniform(-3, 3), sum = 0.5 * module * (ring ? other - z : other + z);
    x->distance = sum + uniform(-0.1, ring ? 0.1 : 0.8) * module;
    x->i.pose.at = carom_v2(uniform(-0.1, 0.1), uniform(-0.1, 0.1));
    x->mesh_i = ring ? direction + CAROM_PI : direction;
    x->mesh_j = direction + CAROM_PI;
    x->j.pose.at = carom_v2_add(x->i.pose.at, carom_v2(x->distance * cos(direction), x->distance * sin(direction)));
    turn_to(&x->i, uniform(-4, 4));
    turn_to(&x->j, uniform(-4, 4));
    if (!(contact_ratio(x) > 1))
        return false;
    /* the other gear is turned to where both flanks are apart, by the gaps that are on trial */
    for (int k = 0; k < 2; k++) {
        carom_pair_point point[2];
        set_shape(&x->i, &x->shape[0]);
        set_shape(&x->j, &x->shape[1]);
        for (int n = 0; n < 2; n++)
            carom_pair_gear_gear.gap_at(&x->shape[0], &x->shape[1], n, &point[n]);
        const double play = point[0].gap + point[1].gap;
        if (k)
            return point[0].gap > 0 && point[1].gap > 0;
        if (play < 0.005 * module)
            return false;
        turn_to(&x->j, x->j.angle + (ring ? -1 : 1) * (point[0].gap - uniform(0.02, 0.98) * play) / x->j.base);
    }
    return true;
}

static void random_pose(pose *x, bool ring)
{
    while (!try_pose(x, ring))
        ;
}

/* ---- polygons ---- */

static drawing drawn[2];

/* The drawn outline in the world; of a ring every other point, of a gear all but the centre. */
static size_t polygon_of(const wheel *w, drawing *d, carom_vec2 *out)
{
    const carom_mesh_sink sink = drawing_sink(d);
    carom_shape_gear.mesh(w->p, true, 1, &sink);
    const size_t count = w->ring ? d->points / 2 : d->points - 1;
    for (size_t k = 0; k < count; k++) {
        const carom_vec3 at = d->at[w->ring ? 2 * k : k];
        out[k] = carom_pose2_apply(&w->pose, carom_v2(at.x, at.y));
    }
    return count;
}

static double from_segment(carom_vec2 x, carom_vec2 a, carom_vec2 b)
{
    const carom_vec2 u = carom_v2_sub(b, a), v = carom_v2_sub(x, a);
    const double share = fmin(fmax(carom_v2_dot(u, v) / carom_v2_dot(u, u), 0), 1);
    return carom_v2_norm(carom_v2_sub(v, carom_v2_scale(share, u)));
}

static double from_polygon(const carom_vec2 *x, size_t points, const carom_vec2 *polygon, size_t sides, carom_vec2 mesh,
                           double reach)
{
    double least = HUGE_VAL;
    for (size_t k = 0; k < points; k++)
        for (size_t m = 0; carom_v2_distance(x[k], mesh) < reach && m < sides; m++)
            if (carom_v2_distance(polygon[m], mesh) < reach)
                least = fmin(least, from_segment(x[k], polygon[m], polygon[(m + 1) % sides]));
    return least;
}

/* ---- tests ---- */

static void against_search(bool ring)
{
    double worst = 0, widest = 0;
    for (int n = 0; n < POSES / 2; n++) {
        pose x;
        random_pose(&x, ring);
        for (int point = 0; point < 2; point++) {
            carom_pair_point p;
            carom_pair_gear_gear.gap_at(&x.shape[0], &x.shape[1], point, &p);
            const double found = least_distance(&x.i, &x.j, x.mesh_i, x.mesh_j, point ? -1 : 1);
            worst = fmax(worst, fabs(found - p.gap));
            widest = fmax(widest, p.gap);
        }
    }
    printf("           %s: %d poses, gaps up to %.2e m, largest difference %.1e m\n", ring ? "ring" : "gears",
           POSES / 2, widest, worst);
    assert_true(worst < 1e-10); /* what the search leaves: the square of a bracket of 5e-8 m over 1e-5 m */
}

static void external(void **state)
{
    (void)state;
    against_search(false);
}

static void internal(void **state)
{
    (void)state;
    against_search(true);
}

/* Chords of a drawn flank cut corners by at most that share of a module. */
#define SAGITTA 4e-3

static void drawings(void **state)
{
    (void)state;
    static carom_vec2 polygon[2][MOST];
    double worst = 0;
    for (int n = 0; n < DRAWN; n++) {
        pose x;
        random_pose(&x, n % 2);
        carom_pair_point p[2];
        for (int point = 0; point < 2; point++)
            carom_pair_gear_gear.gap_at(&x.shape[0], &x.shape[1], point, &p[point]);
        const size_t a = polygon_of(&x.i, &drawn[0], polygon[0]), b = polygon_of(&x.j, &drawn[1], polygon[1]);
        const double module = x.i.p[CAROM_GEAR_MODULE], reach = 8 * module;
        const carom_vec2 mesh = carom_v2_add(x.i.pose.at, carom_v2(x.i.high * cos(x.mesh_i), x.i.high * sin(x.mesh_i)));
        const double least = fmin(from_polygon(polygon[0], a, polygon[1], b, mesh, reach),
                                  from_polygon(polygon[1], b, polygon[0], a, mesh, reach));
        const carom_gear gi = carom_gear_of(x.i.p), gj = carom_gear_of(x.j.p);
        const double sign = gj.sign, clearance = fmin(sign * x.distance - gi.tip - sign * gj.root,
                                                      sign * x.distance - gi.root - sign * gj.tip);
        /* tips come nearer to roots than flanks to flanks where the play is wide */
        const double gap = fmin(p[0].gap, p[1].gap);
        if (gap < clearance - SAGITTA * module)
            worst = fmax(worst, fabs(least - gap) / module);
    }
    printf("           %d drawings: largest difference %.1e of a module\n", DRAWN, worst);
    assert_true(worst < SAGITTA);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(external), cmocka_unit_test(internal),
                                       cmocka_unit_test(drawings)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
