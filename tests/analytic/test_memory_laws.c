/* Elastic laws with memory: free impacts against the reference data and the published restitutions, all by the energy
   integral of the force, and closed cycles of loading, unloading and reloading.
   Kinds: lankarani-nikravesh-1994, gharib-hurmuzlu-2, goldsmith-permanent, walton-braun, thornton. */
#include "carom_test.h"

#include <float.h>
#include <math.h>

#include "base/base.h"
#include "kinds/normal/history.h"
#include "support/json_at.h"
#include "support/near.h"
#include "support/kinds.h"
#include "support/reference.h"

#define FORCE_TOLERANCE 1e-12
#define IMPACT_TOLERANCE 1e-9
#define EXACT_TOLERANCE 1e-12

static const double pi = 3.14159265358979323846;

/* ---- a law and its quadrature ---- */

typedef struct law {
    const char *name;
    const carom_elastic_kind *kind;
    double c[CAROM_LAW_CONSTANTS];
    double exponent; /* of the unloading */
    double kink;     /* of the virgin curve [m]; 0: none */
} law;

typedef struct given {
    const char *name;
    double value;
} given;

/* Constants of a kind with the parameters given, NAN ends the list; returns the refusal. */
static const char *make(law *l, const char *name, const carom_contact_geometry *geometry, const given *list)
{
    double p[8];
    const carom_kind *kind = carom_kind_find(all_kinds(), CAROM_FAMILY_ELASTIC, name);
    assert_non_null(kind);
    *l = (law){.name = name, .kind = (const carom_elastic_kind *)kind, .exponent = 1.5};
    assert_true(carom_kind_param_size(kind) <= (int)CAROM_COUNT(p));
    for (int k = 0; k < kind->param_count; k++) {
        p[k] = kind->params[k].flags & CAROM_PARAM_OPTIONAL ? (double)NAN : kind->params[k].default_value;
        for (const given *g = list; g->name; g++)
            if (strcmp(g->name, kind->params[k].name) == 0)
                p[k] = g->value;
    }
    for (const given *g = list; g->name; g++) {
        assert_true(carom_kind_param_offset(kind, g->name) >= 0);
        if (strcmp(g->name, "exponent") == 0)
            l->exponent = g->value;
    }
    if (strcmp(name, "walton-braun") == 0)
        l->exponent = 1;
    return CAROM_KIND_CALL(l->kind, prepare, p, geometry, l->c);
}

static const carom_contact_geometry plain = {.dimension = 3, .radius = {0.01, HUGE_VAL}};

static carom_elastic_force at(const law *l, const double *history, double delta)
{
    carom_elastic_force f = {.force = (double)NAN};
    CAROM_KIND_CALL(l->kind, force, l->c, history, delta, &f);
    return f;
}

enum { NODES = 40 };
static double node[NODES], weight[NODES]; /* of Gauss and Legendre on (0, 1) */

static void make_nodes(void)
{
    for (int i = 0; i < NODES; i++) {
        double x = cos(pi * (i + 0.75) / (NODES + 0.5)), slope = 1;
        for (int k = 0; k < 20; k++) {
            double p = 1, before = 0;
            for (int j = 1; j <= NODES; j++) {
                double next = ((2 * j - 1) * x * p - (j - 1) * before) / j;
                before = p;
                p = next;
            }
            slope = NODES * (x * p - before) / (x * x - 1);
            x -= p / slope;
        }
        node[i] = 0.5 * (1 - x);
        weight[i] = 1 / ((1 - x * x) * slope * slope);
    }
}

typedef struct integral {
    double work, loss; /* of the force and of its lost part [J] */
} integral;

/* From a to b on one branch without kinks between; delta = origin + w^2 makes delta^1.5 a polynomial, and the panels
   follow a hardening that sets in early. */
static integral smooth(const law *l, const double *history, double origin, double a, double b)
{
    static const double panel[] = {0, 1.0 / 16, 1.0 / 4, 1};
    const double wa = sqrt(fmax(a - origin, 0)), wb = sqrt(fmax(b - origin, 0));
    integral sum = {0};
    for (size_t p = 0; p + 1 < CAROM_COUNT(panel); p++)
        for (int i = 0; i < NODES; i++) {
            const double size = (wb - wa) * (panel[p + 1] - panel[p]);
            const double w = wa + (wb - wa) * panel[p] + size * node[i], step = 2 * w * size * weight[i];
            const carom_elastic_force f = at(l, history, origin + w * w);
            sum.work += f.force * step;
            sum.loss += f.loss * step;
        }
    return sum;
}

/* From a to b on one branch. */
static integral integrate(const law *l, const double *history, double a, double b)
{
    const int branch = carom_history_branch(history);
    if (branch == CAROM_HISTORY_FREE)
        return (integral){0};
    const double origin = branch == CAROM_HISTORY_UNLOADING ? history[CAROM_HISTORY_PERMANENT] : 0;
    if (branch != CAROM_HISTORY_LOADING || !((a - l->kink) * (b - l->kink) < 0))
        return smooth(l, history, origin, a, b);
    const integral one = smooth(l, history, origin, a, l->kink), two = smooth(l, history, origin, l->kink, b);
    return (integral){one.work + two.work, one.loss + two.loss};
}

/* ---- the free impact ---- */

typedef struct impact {
    double history[CAROM_LAW_HISTORY]; /* in restitution */
    double deepest, permanent, peak, returned, exit_speed, restitution, duration;
} impact;

/* Time between the turn and `start`, the other end of the branch. With delta = start + (turn - start) cos^2(angle) the
   integrand is smooth at both ends. */
static double time_of(const law *l, const double *history, double start, double turn, double mass)
{
    double time = 0;
    for (int i = 0; i < NODES; i++) {
        const double angle = 0.5 * pi * node[i], span = turn - start;
        const double delta = start + span * cos(angle) * cos(angle);
        const double rate = sqrt(2 * integrate(l, history, delta, turn).work / mass);
        time += weight[i] * 0.5 * pi * span * sin(2 * angle) / rate;
    }
    return time;
}

static impact solve(const law *l, double mass, double speed)
{
    const double energy = 0.5 * mass * speed * speed;
    impact out = {.deepest = 1e-9};
    while (integrate(l, NULL, 0, out.deepest).work < energy)
        out.deepest *= 2;
    /* the work is convex: Newton's iteration falls to the root */
    for (int k = 0; k < 60; k++)
        out.deepest -= (integrate(l, NULL, 0, out.deepest).work - energy) / at(l, NULL, out.deepest).force;
    CAROM_KIND_CALL(l->kind, update, l->c, out.history, out.deepest, -0.0);
    assert_int_equal(carom_history_branch(out.history), CAROM_HISTORY_UNLOADING);
    assert_true(out.history[CAROM_HISTORY_DEEPEST] == out.deepest);
    out.permanent = out.history[CAROM_HISTORY_PERMANENT];
    out.peak = at(l, out.history, out.deepest).force;
    out.returned = integrate(l, out.history, out.permanent, out.deepest).work;
    out.exit_speed = sqrt(2 * out.returned / mass);
    out.restitution = out.exit_speed / speed;
    out.duration = time_of(l, NULL, 0, out.deepest, mass) + time_of(l, out.history, out.permanent, out.deepest, mass);
    return out;
}

/* ---- the reference data ---- */

static void check_samples(const json *one, const char *id, const law *l, const double *history)
{
    const json *samples = json_member(one, "samples");
    assert_true(json_size(samples) > 0);
    for (size_t s = 0; s < json_size(samples); s++) {
        const json *sample = json_item(samples, s);
        const double delta = number_at(sample, "delta"), expected = number_at(sample, "F");
        double now[CAROM_LAW_HISTORY];
        const double *branch = NULL;
        if (number_at(sample, "ddot") < 0) {
            memcpy(now, history, sizeof now);
            if (delta < history[CAROM_HISTORY_PERMANENT])
                CAROM_KIND_CALL(l->kind, update, l->c, now, history[CAROM_HISTORY_PERMANENT], -1);
            branch = now;
        }
        near("force", id, at(l, branch, delta).force, expected, expected, FORCE_TOLERANCE);
    }
}

static void check_reference(const json *one, const char *name, const char *restitution)
{
    const char *id = json_text(json_member(one, "id"));
    const json *params = json_member(one, "params"), *result = json_member(one, "impact");
    const double m = number_at(params, "m"), v0 = number_at(params, "v0"), n = number_at(params, "n");
    const given list[] = {{"stiffness", number_at(params, "K")},
                          {"exponent", n},
                          {"restitution", number_at(params, restitution)},
                          {NULL, 0}};
    law l;
    assert_null(make(&l, name, &plain, list));
    assert_true(strcmp(json_text(json_member(one, "rule")), "deltap") == 0);
    const impact i = solve(&l, m, v0);
    const double dmax = number_at(result, "dmax"), peak = number_at(result, "Fmax"), energy = 0.5 * m * v0 * v0;
    near("greatest indentation", id, i.deepest, dmax, dmax, IMPACT_TOLERANCE);
    near("greatest force", id, i.peak, peak, peak, IMPACT_TOLERANCE);
    near("exit speed", id, i.exit_speed, number_at(result, "exit_speed"), v0, IMPACT_TOLERANCE);
    near("restitution", id, i.restitution, number_at(result, "e_post"), 1, IMPACT_TOLERANCE);
    near("loss", id, energy - i.returned, number_at(result, "energy"), energy, IMPACT_TOLERANCE);
    near("duration", id, i.duration, number_at(result, "duration"), number_at(result, "duration"), IMPACT_TOLERANCE);
    near("loss by its integral", id, integrate(&l, NULL, 0, i.deepest).loss, number_at(result, "energy"), energy,
         EXACT_TOLERANCE);

    double history[CAROM_LAW_HISTORY] = {0};
    CAROM_KIND_CALL(l.kind, update, l.c, history, dmax, -0.0);
    const double left = history[CAROM_HISTORY_PERMANENT], kr = history[CAROM_HISTORY_PEAK] / pow(dmax - left, n);
    near("permanent indentation", id, left, number_at(one, "coeff.delta_p"), dmax, EXACT_TOLERANCE);
    near("stiffness of unloading", id, kr, number_at(one, "coeff.Kr"), kr, EXACT_TOLERANCE);
    check_samples(one, id, &l, history);
}

static void test_reference(void **state)
{
    (void)state;
    json *contact = reference_open("contact.json");
    assert_non_null(contact);
    const json *group = json_get(contact, "groups.impact");
    int checked = 0;
    for (size_t k = 0; k < json_size(group); k++) {
        const json *one = json_item(group, k);
        const char *name = json_text(json_member(one, "law"));
        if (strcmp(name, "lankarani_nikravesh94") == 0)
            check_reference(one, "lankarani-nikravesh-1994", "e");
        else if (strcmp(name, "gharib_hurmuzlu2") == 0)
            check_reference(one, "gharib-hurmuzlu-2", "ew");
        else
            continue;
        checked++;
    }
    json_free(contact);
    assert_int_equal(checked, 30);
}

/* ---- goldsmith-permanent, walton-braun ---- */

static void test_goldsmith(void **state)
{
    (void)state;
    static const double exponents[] = {1, 1.08, 1.5, 2.2}, ratios[] = {0, 0.01, 0.19, 0.5, 0.91, 0.99};
    law l, same;
    for (size_t n = 0; n < CAROM_COUNT(exponents); n++)
        for (size_t q = 0; q < CAROM_COUNT(ratios); q++) {
            const double ratio = ratios[q], e = sqrt(1 - ratio);
            assert_null(
                make(&l, "goldsmith-permanent", &plain,
                     (given[]){{"stiffness", 1e8}, {"exponent", exponents[n]}, {"permanent_ratio", ratio}, {0}}));
            assert_null(make(&same, "goldsmith-permanent", &plain,
                             (given[]){{"stiffness", 1e8}, {"exponent", exponents[n]}, {"restitution", e}, {0}}));
            const impact a = solve(&l, 0.3, 1.7), b = solve(&same, 0.3, 1.7);
            near("restitution of goldsmith", "a ratio", a.restitution, e, 1, IMPACT_TOLERANCE);
            near("restitution of goldsmith", "a restitution", b.restitution, e, 1, IMPACT_TOLERANCE);
            near("ratio of goldsmith", "the turn", a.permanent, ratio * a.deepest, a.deepest, EXACT_TOLERANCE);
            near("ratio of goldsmith", "the turn", b.permanent, ratio * a.deepest, a.deepest, EXACT_TOLERANCE);
        }
    assert_non_null(make(&l, "goldsmith-permanent", &plain, (given[]){{"stiffness", 1e8}, {0}}));
    assert_non_null(make(&l, "goldsmith-permanent", &plain,
                         (given[]){{"stiffness", 1e8}, {"permanent_ratio", 0.2}, {"restitution", 0.9}, {0}}));
    assert_non_null(make(&l, "goldsmith-permanent", &plain, (given[]){{"stiffness", 1e8}, {"restitution", 1e-7}, {0}}));
}

static void test_walton_braun(void **state)
{
    (void)state;
    static const double restitutions[] = {1, 0.95, 0.7, 0.5, 0.1, 0.01}, speeds[] = {1e-3, 0.2, 30};
    static const double hardenings[] = {0, 1, 100, 1e4, 1e6};
    const double k1 = 2.5e6, mass = 0.07;
    law l;
    for (size_t v = 0; v < CAROM_COUNT(speeds); v++) {
        const double depth = speeds[v] * sqrt(mass / k1);
        for (size_t k = 0; k < CAROM_COUNT(restitutions); k++) {
            const double e = restitutions[k];
            assert_null(make(&l, "walton-braun", &plain, (given[]){{"stiffness", k1}, {"restitution", e}, {0}}));
            const impact i = solve(&l, mass, speeds[v]);
            near("restitution of walton-braun", "constant", i.restitution, e, 1, EXACT_TOLERANCE);
            near("depth of walton-braun", "constant", i.deepest, depth, depth, EXACT_TOLERANCE);
            /* half a period of each spring */
            const double time = 0.5 * pi * sqrt(mass / k1) * (1 + e);
            near("duration of walton-braun", "constant", i.duration, time, time, IMPACT_TOLERANCE);
        }
        for (size_t k = 0; k < CAROM_COUNT(hardenings); k++) {
            const double s = hardenings[k], e = 1 / sqrt(1 + s * speeds[v] * sqrt(mass / k1));
            assert_null(make(&l, "walton-braun", &plain, (given[]){{"stiffness", k1}, {"hardening", s}, {0}}));
            const impact i = solve(&l, mass, speeds[v]);
            near("restitution of walton-braun", "hardening", i.restitution, e, 1, EXACT_TOLERANCE);
            near("loss of walton-braun", "hardening", integrate(&l, NULL, 0, i.deepest).loss,
                 0.5 * mass * speeds[v] * speeds[v] * (1 - e * e), 0.5 * mass * speeds[v] * speeds[v], EXACT_TOLERANCE);
            const double span = i.deepest - i.permanent, k2 = i.peak / span;
            /* the span is a difference of doubles */
            near("k2 of walton-braun", "hardening", k2, k1 * (1 + s * i.deepest), k2,
                 4 * DBL_EPSILON * i.deepest / span);
        }
    }
    assert_non_null(make(&l, "walton-braun", &plain, (given[]){{"stiffness", k1}, {0}}));
    assert_non_null(
        make(&l, "walton-braun", &plain, (given[]){{"stiffness", k1}, {"hardening", 1}, {"restitution", 0.9}, {0}}));
}

/* ---- thornton ---- */

static const double young = 207e9, poisson = 0.3, radius = 0.0254, density = 7800;

static carom_contact_geometry steel(double yield_i, double yield_j)
{
    return (carom_contact_geometry){.has_materials = true,
                                    .young = {young, young},
                                    .poisson = {poisson, poisson},
                                    .radius = {radius, HUGE_VAL},
                                    .yield = {yield_i, yield_j},
                                    .dimension = 3};
}

/* The published restitution of x = v_y/v0 <= 1. */
static double published(double x)
{
    return sqrt(1.2 * sqrt(3)) * sqrt(1 - x * x / 6) * pow(x / (x + 2 * sqrt(1.2 - x * x / 5)), 0.25);
}

static void test_thornton(void **state)
{
    (void)state;
    const double p = 1.6 * 350e6, modulus = young / (2 * (1 - poisson * poisson));
    const double strain = pi * p / (2 * modulus), mass = 4 * pi / 3 * density * radius * radius * radius;
    const double vy = sqrt(16.0 / 15 * modulus * pow(radius, 3) / mass * pow(strain, 5));
    const carom_contact_geometry g = steel(0, 0);
    law l;
    assert_null(make(&l, "thornton", &g, (given[]){{"contact_yield", p}, {0}}));
    l.kink = radius * strain * strain;
    near("speed of yield", "a ball on a wall", vy,
         sqrt(0.8 / pi * pow(0.5 * pi, 5) * pow(p, 5) / (pow(modulus, 4) * density)), vy, EXACT_TOLERANCE);
    near("speed of yield", "the factor 1.56", vy / sqrt(pow(p, 5) / (pow(modulus, 4) * density)), 1.56, 1, 1e-3);
    near("energy of yield", "the law", integrate(&l, NULL, 0, l.kink).work, 0.5 * mass * vy * vy, 0.5 * mass * vy * vy,
         EXACT_TOLERANCE);
    double before = 0;
    for (int k = 1; k <= 100; k++) {
        const double x = k * 0.01, v = vy / x, energy = 0.5 * mass * v * v;
        const impact i = solve(&l, mass, v);
        near("restitution of thornton", "x", i.restitution, published(x), 1, EXACT_TOLERANCE);
        near("loss of thornton", "x", integrate(&l, NULL, 0, i.deepest).loss, energy - i.returned, energy,
             EXACT_TOLERANCE);
        assert_true(i.restitution > before);
        before = i.restitution;
        /* unloading is Hertz's law with R_p, and the contact radius of the turn stays */
        const double rp = pow(i.peak / (4.0 / 3 * modulus * pow(i.deepest - i.permanent, 1.5)), 2);
        near("contact radius of thornton", "x", rp * (i.deepest - i.permanent), radius * i.deepest, radius * i.deepest,
             8 * DBL_EPSILON * i.deepest / (i.deepest - i.permanent));
        assert_true(x == 1 || i.permanent > 0);
    }
    near("restitution at high speeds", "the limit of high speeds", solve(&l, mass, 1e8 * vy).restitution,
         sqrt(1.2 * sqrt(3)) * pow(1e-8 / (2 * sqrt(1.2)), 0.25), 1, 1e-10);
    for (double x = 1.0001; x < 1e3; x *= 1.7) {
        const impact i = solve(&l, mass, vy / x);
        near("restitution below yield", "x", i.restitution, 1, 1, 1e-14);
        assert_true(i.permanent == 0 && at(&l, NULL, i.deepest).loss == 0);
    }
    /* force and slope meet at the yield */
    const carom_elastic_force a = at(&l, NULL, l.kink * (1 - 1e-13)), b = at(&l, NULL, l.kink * (1 + 1e-13));
    near("force at yield", "both sides", a.force, b.force, b.force, 1e-12);
    near("slope at yield", "both sides", a.slope, b.slope, b.slope, 1e-12);
    near("slope at yield", "pi p R", b.slope, pi * p * radius, b.slope, 1e-14);
}

static void test_thornton_yield(void **state)
{
    (void)state;
    law l, other;
    carom_contact_geometry g = steel(500e6, 350e6);
    assert_null(make(&l, "thornton", &g, (given[]){{0}}));
    assert_null(make(&other, "thornton", &g, (given[]){{"contact_yield", 1.6 * 350e6}, {0}}));
    assert_memory_equal(l.c, other.c, sizeof l.c);
    g = steel(0, 350e6);
    assert_null(make(&l, "thornton", &g, (given[]){{0}}));
    assert_memory_equal(l.c, other.c, sizeof l.c);
    g = steel(0, 0);
    assert_non_null(make(&l, "thornton", &g, (given[]){{0}}));
    g.radius[0] = HUGE_VAL;
    assert_non_null(make(&l, "thornton", &g, (given[]){{"contact_yield", 5e8}, {0}}));
    g = steel(0, 0);
    g.has_materials = false;
    assert_non_null(make(&l, "thornton", &g, (given[]){{"contact_yield", 5e8}, {0}}));
}

/* ---- branches ---- */

/* One law of each sort, with an indentation that is typical of it. */
static size_t specimens(law *out, double *depth)
{
    static const struct {
        const char *name;
        given list[4];
        double depth;
    } rows[] = {
        {"lankarani-nikravesh-1994", {{"stiffness", 5.5e9}, {"restitution", 0.7}}, 1e-4},
        {"lankarani-nikravesh-1994", {{"stiffness", 5.5e9}, {"restitution", 1}}, 1e-4},
        {"lankarani-nikravesh-1994", {{"stiffness", 5.5e9}, {"restitution", 0.05}}, 1e-4},
        {"gharib-hurmuzlu-2", {{"stiffness", 3e6}, {"exponent", 1.25}, {"restitution", 0.45}}, 1e-3},
        {"goldsmith-permanent", {{"stiffness", 1e7}, {"exponent", 2.2}, {"permanent_ratio", 0.3}}, 2e-3},
        {"walton-braun", {{"stiffness", 1e6}, {"restitution", 0.6}}, 1e-3},
        {"walton-braun", {{"stiffness", 1e6}, {"hardening", 700}}, 1e-3},
        {"walton-braun", {{"stiffness", 1e6}, {"hardening", 0}}, 1e-3},
        {"thornton", {{"contact_yield", 6e8}}, 2e-5},
        {"thornton", {{"contact_yield", 6e8}}, 6e-7},
        {"thornton", {{"contact_yield", 6e9}}, 2e-5},
    };
    const carom_contact_geometry g = steel(0, 0);
    for (size_t k = 0; k < CAROM_COUNT(rows); k++) {
        given list[5] = {{0}};
        memcpy(list, rows[k].list, sizeof rows[k].list);
        assert_null(make(&out[k], rows[k].name, &g, list));
        depth[k] = rows[k].depth;
        if (strcmp(rows[k].name, "thornton") == 0)
            out[k].kink = out[k].c[2];
    }
    return CAROM_COUNT(rows);
}

enum { SPECIMENS = 11 };

/* A contact moved by hand. */
typedef struct rig {
    const law *l;
    double history[CAROM_LAW_HISTORY], delta, work, loss, gross, scale;
    int turns; /* calls of advance */
} rig;

static double turn_at(const rig *r, double delta, double rate)
{
    return CAROM_KIND_CALL(r->l->kind, branch, r->l->c, r->history, delta, rate);
}

/* Goes on to `to` on the present branch; the energy must account for the work. */
static void move(rig *r, double to)
{
    const integral i = integrate(r->l, r->history, r->delta, to);
    const carom_elastic_force a = at(r->l, r->history, r->delta), b = at(r->l, r->history, to);
    r->scale = fmax(r->scale, fmax(a.energy, b.energy));
    near("energy of a branch", r->l->name, i.work - i.loss, b.energy - a.energy, r->scale, EXACT_TOLERANCE);
    assert_true(b.force >= 0 && b.loss >= 0 && b.loss <= b.force && b.energy >= 0);
    r->work += i.work;
    r->loss += i.loss;
    r->gross += fabs(i.work);
    r->delta = to;
}

/* The next branch; force and energy go on. */
static void advance(rig *r, double rate)
{
    const carom_elastic_force a = at(r->l, r->history, r->delta);
    const int before = carom_history_branch(r->history);
    CAROM_KIND_CALL(r->l->kind, update, r->l->c, r->history, r->delta, rate);
    assert_int_not_equal(carom_history_branch(r->history), before);
    const carom_elastic_force b = at(r->l, r->history, r->delta);
    const double peak = r->history[CAROM_HISTORY_PEAK],
                 span = r->history[CAROM_HISTORY_DEEPEST] - r->history[CAROM_HISTORY_PERMANENT];
    /* an end is a double: its spacing over the length of the unloading, four times for the roundings of both sides */
    const double tolerance = 4 * DBL_EPSILON * (1 + r->l->exponent * r->delta / span);
    near("jump of the force over rounding", r->l->name, a.force / (peak * tolerance), b.force / (peak * tolerance), 1,
         1);
    near("jump of the energy over rounding", r->l->name, a.energy / (peak * span * tolerance),
         b.energy / (peak * span * tolerance), 1, 1);
    r->turns++;
}

/* Moves to `to` through the ends of branches, which `turn` announces. */
static void travel(rig *r, double to)
{
    const double rate = to > r->delta ? 1 : -1;
    if (carom_history_branch(r->history) == CAROM_HISTORY_LOADING && rate < 0)
        advance(r, -0.0);
    while (turn_at(r, to, rate) < 0) {
        double inside = r->delta, outside = to;
        for (int k = 0; k < 200; k++) {
            const double middle = 0.5 * (inside + outside);
            if (middle == inside || middle == outside)
                break;
            if (turn_at(r, middle, rate) < 0)
                outside = middle;
            else
                inside = middle;
        }
        move(r, outside);
        advance(r, rate);
    }
    move(r, to);
}

static void cycle(const law *l, double depth)
{
    rig r = {.l = l};
    double *m = r.history;
    travel(&r, depth);
    const double virgin = at(l, NULL, 0.4 * depth).force;
    travel(&r, 0.999 * depth);
    travel(&r, 0.5 * (m[CAROM_HISTORY_DEEPEST] + m[CAROM_HISTORY_PERMANENT]));
    /* reloading goes up the same curve, then on along the virgin one */
    const double half = r.delta, unloaded = at(l, m, half).force;
    travel(&r, 0.99 * m[CAROM_HISTORY_DEEPEST] + 0.01 * half);
    assert_true(at(l, m, half).force == unloaded);
    assert_int_equal(carom_history_branch(m), CAROM_HISTORY_UNLOADING);
    travel(&r, 1.5 * depth);
    assert_int_equal(carom_history_branch(m), CAROM_HISTORY_LOADING);
    assert_true(at(l, m, 0.4 * depth).force == virgin && at(l, m, 1.5 * depth).force == at(l, NULL, 1.5 * depth).force);
    const double spent = r.loss;
    /* below the permanent indentation and back */
    travel(&r, 0);
    const double left = m[CAROM_HISTORY_PERMANENT];
    assert_int_equal(carom_history_branch(m), left > 0 ? CAROM_HISTORY_FREE : CAROM_HISTORY_UNLOADING);
    near("work of a cycle", l->name, r.work, r.loss, r.gross, EXACT_TOLERANCE);
    assert_true(r.work > -EXACT_TOLERANCE * r.gross && at(l, m, 0).force == 0);
    travel(&r, 0.5 * left);
    travel(&r, 0.5 * (left + m[CAROM_HISTORY_DEEPEST]));
    near("work on the way up again", l->name, r.work - r.loss, at(l, m, r.delta).energy, r.scale, EXACT_TOLERANCE);
    travel(&r, 0.25 * left);
    assert_true(r.loss == spent);
    travel(&r, 2 * depth);
    travel(&r, 0);
    near("work of a cycle", l->name, r.work, r.loss, r.gross, EXACT_TOLERANCE);
    /* the same work in one go */
    rig once = {.l = l};
    travel(&once, 2 * depth);
    travel(&once, 0);
    near("work in parts and in one go", l->name, r.loss, once.loss, once.gross, EXACT_TOLERANCE);
    assert_int_equal(once.turns, left > 0 ? 2 : 1);
    assert_int_equal(r.turns, left > 0 ? 10 : 5);
    assert_true((left > 0) == (r.loss > 0));
}

static void test_cycles(void **state)
{
    (void)state;
    law l[SPECIMENS];
    double depth[SPECIMENS];
    assert_int_equal(specimens(l, depth), SPECIMENS);
    for (int k = 0; k < SPECIMENS; k++)
        cycle(&l[k], depth[k]);
}

/* Slope and F - loss are the derivatives of force and energy on each branch: five-point differences. Their error is the
   rounding of delta, up to 1.5e-9 of the least step in the unloading of e = 0.05. */
static void test_derivatives(void **state)
{
    (void)state;
    static const double step[4] = {-2, -1, 1, 2}, parts[] = {0.03, 0.2, 0.5, 0.9};
    law l[SPECIMENS];
    double depth[SPECIMENS], worst_slope = 0;
    specimens(l, depth);
    for (int k = 0; k < SPECIMENS; k++) {
        double history[CAROM_LAW_HISTORY] = {0};
        for (int branch = 0; branch < 2; branch++) {
            const double low = history[CAROM_HISTORY_PERMANENT];
            for (size_t p = 0; p < CAROM_COUNT(parts); p++) {
                const double delta = low + parts[p] * (depth[k] - low), h = 1e-3 * (delta - low);
                if (!branch && fabs(delta - l[k].kink) < 3 * h)
                    continue;
                const carom_elastic_force f = at(&l[k], history, delta);
                carom_elastic_force g[4];
                for (int i = 0; i < 4; i++)
                    g[i] = at(&l[k], history, delta + step[i] * h);
                const double slope = (g[0].force - 8 * g[1].force + 8 * g[2].force - g[3].force) / (12 * h);
                const double force = (g[0].energy - 8 * g[1].energy + 8 * g[2].energy - g[3].energy) / (12 * h);
                worst_slope = fmax(worst_slope, fabs(slope - f.slope) / f.slope);
                worst_slope = fmax(worst_slope, fabs(force - (f.force - f.loss)) / f.force);
                assert_true(branch == 0 || f.loss == 0);
            }
            CAROM_KIND_CALL(l[k].kind, update, l[k].c, history, depth[k], -0.0);
        }
    }
    printf("derivatives: %.2g\n", worst_slope);
    assert_true(worst_slope < 1e-9);
}

/* What an integrator sees a little beyond the ends, at no indentation, and where nothing can be remembered. */
static void test_ends(void **state)
{
    (void)state;
    law l[SPECIMENS];
    double depth[SPECIMENS];
    specimens(l, depth);
    for (int k = 0; k < SPECIMENS; k++) {
        const carom_elastic_kind *kind = l[k].kind;
        double history[CAROM_LAW_HISTORY] = {0};
        const double d = depth[k], *c = l[k].c;
        assert_true(at(&l[k], NULL, 0).force == 0 && at(&l[k], history, 0).energy == 0);
        assert_true(isfinite(at(&l[k], NULL, DBL_TRUE_MIN).slope));
        assert_true(at(&l[k], NULL, d).force == at(&l[k], history, d).force);
        assert_true(CAROM_KIND_CALL(kind, branch, c, history, d, 1e-9) > 0 &&
                    CAROM_KIND_CALL(kind, branch, c, history, d, -1e-9) < 0);
        CAROM_KIND_CALL(kind, update, c, history, 0, -1);
        assert_int_equal(carom_history_branch(history), CAROM_HISTORY_LOADING);
        CAROM_KIND_CALL(kind, update, c, history, d, -1e-20);
        const double low = history[CAROM_HISTORY_PERMANENT], span = d - low;
        assert_true(CAROM_KIND_CALL(kind, branch, c, history, d, -1) == 0 &&
                    CAROM_KIND_CALL(kind, branch, c, history, d + 1e-6 * span, 1) < 0);
        assert_true(CAROM_KIND_CALL(kind, branch, c, history, d - 0.5 * span, -1) > 0.2);
        const carom_elastic_force top = at(&l[k], history, d), over = at(&l[k], history, d + 1e-6 * span);
        assert_true(over.force > top.force && over.slope >= top.slope && over.slope < 1.00001 * top.slope);
        /* an end located a little too early does not raise the depth that the next turn remembers, nor lower it */
        double same[CAROM_LAW_HISTORY];
        memcpy(same, history, sizeof same);
        CAROM_KIND_CALL(kind, update, c, same, d - 1e-9 * span, 1);
        assert_int_equal(carom_history_branch(same), CAROM_HISTORY_LOADING);
        CAROM_KIND_CALL(kind, update, c, same, d - 1e-9 * span, -1);
        assert_memory_equal(history, same, sizeof same);
        /* calls at no end change nothing */
        CAROM_KIND_CALL(kind, update, c, history, d, -1);
        CAROM_KIND_CALL(kind, update, c, history, low + 1e-3 * span, 1);
        assert_memory_equal(history, same, sizeof same);
        if (low > 0) {
            assert_true(CAROM_KIND_CALL(kind, branch, c, history, low - 1e-6 * span, -1) < 0);
            assert_true(at(&l[k], history, low - 1e-6 * span).force == 0);
            CAROM_KIND_CALL(kind, update, c, history, low, -1);
            assert_int_equal(carom_history_branch(history), CAROM_HISTORY_FREE);
            assert_true(CAROM_KIND_CALL(kind, branch, c, history, 0, -1) == 1 &&
                        CAROM_KIND_CALL(kind, branch, c, history, low * 1.001, 1) < 0);
            assert_true(at(&l[k], history, 0.5 * low).force == 0 && at(&l[k], history, low * 1.001).force == 0);
        } else {
            assert_true(CAROM_KIND_CALL(kind, branch, c, history, 0, -1) == 1 &&
                        CAROM_KIND_CALL(kind, branch, c, history, DBL_TRUE_MIN, -1) > 0);
            CAROM_KIND_CALL(kind, update, c, history, 0, -1);
            assert_int_equal(carom_history_branch(history), CAROM_HISTORY_UNLOADING);
        }
        /* the least and the greatest depths give numbers */
        static const double extremes[] = {DBL_MIN, 1e-300, 1e3};
        for (size_t i = 0; i < CAROM_COUNT(extremes); i++) {
            double far[CAROM_LAW_HISTORY] = {0};
            CAROM_KIND_CALL(kind, update, c, far, extremes[i], -1);
            const carom_elastic_force f = at(&l[k], far, extremes[i]);
            assert_true(isfinite(f.force) && isfinite(f.slope) && isfinite(f.energy));
            assert_true(far[CAROM_HISTORY_PERMANENT] < far[CAROM_HISTORY_DEEPEST]);
        }
    }
}

static void test_laws(void **state)
{
    (void)state;
    static const char *const names[] = {"lankarani-nikravesh-1994", "gharib-hurmuzlu-2", "goldsmith-permanent",
                                        "walton-braun", "thornton"};
    for (size_t k = 0; k < CAROM_COUNT(names); k++) {
        const carom_law_kind *named = (const carom_law_kind *)carom_kind_find(all_kinds(), CAROM_FAMILY_LAW, names[k]);
        const carom_elastic_kind *part =
            (const carom_elastic_kind *)carom_kind_find(all_kinds(), CAROM_FAMILY_ELASTIC, names[k]);
        assert_non_null(named);
        assert_non_null(part);
        assert_string_equal(named->elastic, names[k]);
        assert_string_equal(named->damping, "none");
        assert_true(part->history == CAROM_HISTORY_NUMBERS && !part->power_law && part->branch && part->update);
    }
    assert_ptr_equal(carom_kind_find(all_kinds(), CAROM_FAMILY_LAW, "goldsmith-plastic"),
                     &carom_law_goldsmith_permanent.kind);
    const near_table *margins = near_margins();
    for (const near_margin *m = margins->sort; m < margins->sort + NEAR_SORTS && m->what; m++)
        printf("%-34s %7.2g over %d\n", m->what, m->error, m->count);
}

int main(void)
{
    make_nodes();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reference),   cmocka_unit_test(test_goldsmith),      cmocka_unit_test(test_walton_braun),
        cmocka_unit_test(test_thornton),    cmocka_unit_test(test_thornton_yield), cmocka_unit_test(test_cycles),
        cmocka_unit_test(test_derivatives), cmocka_unit_test(test_ends),           cmocka_unit_test(test_laws),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
