/* Every elastic part, damping part and named law of the registry: what any of them must hold. The suite knows no names;
   parameters and geometries are made from the tables (support/law_sample.h). Named laws: test_laws_named.c. */
#include "carom_test.h"

#include <float.h>
#include <math.h>

#include "base/base.h"
#include "kinds/normal/law.h"
#include "support/kinds.h"
#include "support/law_sample.h"

/* Parts of the reach of an elastic part at which it is tried. */
static const double parts[] = {5e-11, 5e-8, 5e-5, 2e-3, 0.05, 0.5, 0.9};

/* Five-point differences with a step of 1e-3: their truncation and rounding stay below 1e-11 for smooth functions, and
   near the end of a law's range, where derivatives grow, below 1e-8. */
#define DIFFERENCE_STEP 1e-3
#define DIFFERENCE_TOLERANCE 1e-8
#define ROUNDING 1e-12 /* of chains of powers: some thousand rounding errors */

typedef struct elastic_case {
    const carom_elastic_kind *kind;
    int variant, level, geometry;
    double p[LAW_SAMPLE_PARAMS], c[CAROM_LAW_CONSTANTS];
    double reach; /* [m] */
    bool bound;   /* its numbers hold in SI only, and its text says so */
} elastic_case;

typedef struct damping_case {
    const carom_damping_kind *kind;
    int variant, level;
    double p[LAW_SAMPLE_PARAMS], c[CAROM_LAW_CONSTANTS];
} damping_case;

#define MAX_CASES 4096
static elastic_case elastics[MAX_CASES];
static damping_case dampings[MAX_CASES];
static size_t elastic_count, damping_count;

#define REQUIRE(condition, kind_name, one)                                                                  \
    do {                                                                                                    \
        if (!(condition))                                                                                   \
            fail_msg("%s (variant %d, level %d): %s", kind_name, (one)->variant, (one)->level, #condition); \
    } while (0)

/* A refusal is a sentence. */
static void check_sentence(const char *name, const char *refusal)
{
    if (strlen(refusal) < 25 || !strchr(refusal, ' '))
        fail_msg("%s refuses without a sentence: '%s'", name, refusal);
}

static void fill(const carom_kind *kind, int variant, int level, const law_units *units, double *p)
{
    assert_true(carom_kind_param_size(kind) <= LAW_SAMPLE_PARAMS);
    const char *unit = law_sample_params(kind, variant, level, units, p);
    if (unit)
        fail_msg("%s: no typical value for the unit '%s' in support/law_sample.c", kind->name, unit);
}

/* All cases that the kinds accept; each kind accepts one at least, and refuses the others with a sentence. */
static int make_cases(void **state)
{
    (void)state;
    for (size_t k = 0; k < carom_kind_count(every_kind(), CAROM_FAMILY_ELASTIC); k++) {
        const carom_kind *kind = carom_kind_at(every_kind(), CAROM_FAMILY_ELASTIC, k);
        const size_t before = elastic_count;
        for (int v = 0; v < law_sample_variants(kind); v++)
            for (int level = 0; level < LAW_SAMPLE_LEVELS; level++)
                for (int g = 0; g < LAW_SAMPLE_GEOMETRIES; g++) {
                    assert_true(elastic_count < MAX_CASES);
                    elastic_case *one = &elastics[elastic_count];
                    *one = (elastic_case){
                        .kind = (const carom_elastic_kind *)kind, .variant = v, .level = level, .geometry = g};
                    const carom_contact_geometry geometry = law_sample_geometry(g, &law_units_si);
                    fill(kind, v, level, &law_units_si, one->p);
                    const char *refusal = CAROM_KIND_CALL(one->kind, prepare, one->p, &geometry, one->c);
                    if (refusal) {
                        check_sentence(kind->name, refusal);
                        continue;
                    }
                    one->reach = law_sample_reach(one->kind, one->c, &law_units_si);
                    elastic_count++;
                }
        if (elastic_count == before)
            fail_msg("%s accepts none of the samples", kind->name);
    }
    for (size_t k = 0; k < carom_kind_count(every_kind(), CAROM_FAMILY_DAMPING); k++) {
        const carom_kind *kind = carom_kind_at(every_kind(), CAROM_FAMILY_DAMPING, k);
        const size_t before = damping_count;
        for (int v = 0; v < law_sample_variants(kind); v++)
            for (int level = 0; level < LAW_SAMPLE_LEVELS; level++) {
                assert_true(damping_count < MAX_CASES);
                damping_case *one = &dampings[damping_count];
                *one = (damping_case){.kind = (const carom_damping_kind *)kind, .variant = v, .level = level};
                fill(kind, v, level, &law_units_si, one->p);
                const char *refusal = one->kind->prepare ? CAROM_KIND_CALL(one->kind, prepare, one->p, one->c) : NULL;
                if (refusal)
                    check_sentence(kind->name, refusal);
                else
                    damping_count++;
            }
        if (damping_count == before)
            fail_msg("%s accepts none of the samples", kind->name);
    }
    printf("%zu elastic and %zu damping cases\n", elastic_count, damping_count);
    return 0;
}

/* f(x - 2h), f(x - h), f(x + h), f(x + 2h) -> f'(x). */
static double five_points(const double *f, double h) { return (f[0] - 8 * f[1] + 8 * f[2] - f[3]) / (12 * h); }
static const double at[4] = {-2, -1, 1, 2};

/* ---- elastic parts ---- */

static void test_elastic_zero(void **state)
{
    (void)state;
    static const double none[] = {0, -0.0, -1e-300, -1e-9, -1, -1e300};
    const double zeros[CAROM_LAW_HISTORY] = {0};
    for (size_t k = 0; k < elastic_count; k++) {
        const elastic_case *one = &elastics[k];
        const char *name = one->kind->kind.name;
        for (size_t d = 0; d < CAROM_COUNT(none); d++) {
            carom_elastic_force f = {1, 1, 1, 1};
            CAROM_KIND_CALL(one->kind, force, one->c, NULL, none[d], &f);
            REQUIRE(f.force == 0 && f.slope == 0 && f.energy == 0 && f.loss == 0, name, one);
        }
        carom_elastic_force f, g;
        CAROM_KIND_CALL(one->kind, force, one->c, NULL, DBL_TRUE_MIN, &f);
        REQUIRE(isfinite(f.force) && isfinite(f.slope) && isfinite(f.energy) && isfinite(f.loss), name, one);
        REQUIRE(f.force >= 0 && f.slope >= 0 && f.energy >= 0 && f.loss >= 0, name, one);
        REQUIRE(one->kind->history >= 0 && one->kind->history <= CAROM_LAW_HISTORY, name, one);
        REQUIRE(!one->kind->history == !one->kind->branch && !one->kind->history == !one->kind->update, name, one);
        /* memory at onset is loading */
        CAROM_KIND_CALL(one->kind, force, one->c, NULL, 0.3 * one->reach, &f);
        CAROM_KIND_CALL(one->kind, force, one->c, zeros, 0.3 * one->reach, &g);
        REQUIRE(memcmp(&f, &g, sizeof f) == 0, name, one);
    }
}

/* Force, slope and energy belong together; a power law is one. */
static void test_elastic_derivatives(void **state)
{
    (void)state;
    double worst = 0;
    for (size_t k = 0; k < elastic_count; k++)
        for (size_t d = 0; d < CAROM_COUNT(parts); d++) {
            const elastic_case *one = &elastics[k];
            const char *name = one->kind->kind.name;
            const double delta = parts[d] * one->reach;
            const double h = DIFFERENCE_STEP * fmin(delta, one->reach - delta);
            carom_elastic_force f, g;
            double force[4], energy[4];
            CAROM_KIND_CALL(one->kind, force, one->c, NULL, delta, &f);
            for (int i = 0; i < 4; i++) {
                CAROM_KIND_CALL(one->kind, force, one->c, NULL, delta + at[i] * h, &g);
                force[i] = g.force;
                energy[i] = g.energy;
            }
            REQUIRE(f.force > 0 && f.slope > 0 && f.energy > 0 && f.loss >= 0, name, one);
            REQUIRE(isfinite(f.force) && isfinite(f.slope) && isfinite(f.energy) && isfinite(f.loss), name, one);
            const double slope = fabs(five_points(force, h) - f.slope) / f.slope;
            /* the rounding of the energy counts by its own size over the step */
            const double work = fabs(five_points(energy, h) + f.loss - f.force) / f.force;
            REQUIRE(slope < DIFFERENCE_TOLERANCE, name, one);
            REQUIRE(work < DIFFERENCE_TOLERANCE, name, one);
            worst = fmax(worst, fmax(slope, work));
            if (!one->kind->power_law)
                continue;
            REQUIRE(one->c[0] > 0 && one->c[1] >= 1 && f.loss == 0, name, one);
            REQUIRE(fabs(f.force / (one->c[0] * pow(delta, one->c[1])) - 1) < 1e-14, name, one);
            REQUIRE(fabs(f.slope * delta / (one->c[1] * f.force) - 1) < 1e-14, name, one);
            REQUIRE(fabs(f.energy * (one->c[1] + 1) / (f.force * delta) - 1) < 1e-14, name, one);
        }
    printf("elastic derivatives: %.2g\n", worst);
}

/* Beyond its limit the force of a law stays. */
static void test_elastic_limit(void **state)
{
    (void)state;
    int limited = 0;
    for (size_t k = 0; k < elastic_count; k++) {
        const elastic_case *one = &elastics[k];
        const char *name = one->kind->kind.name;
        if (!one->kind->limit)
            continue;
        const double limit = CAROM_KIND_CALL(one->kind, limit, one->c);
        REQUIRE(limit > 0, name, one);
        if (isinf(limit))
            continue;
        limited++;
        carom_elastic_force end, beyond;
        CAROM_KIND_CALL(one->kind, force, one->c, NULL, limit, &end);
        REQUIRE(isfinite(end.force) && end.force > 0, name, one);
        for (double factor = 1 + 1e-9; factor < 1e3; factor *= 3) {
            CAROM_KIND_CALL(one->kind, force, one->c, NULL, factor * limit, &beyond);
            REQUIRE(fabs(beyond.force / end.force - 1) < 1e-7, name, one);
            REQUIRE(beyond.slope == 0 && beyond.energy >= end.energy && isfinite(beyond.energy), name, one);
        }
    }
    printf("%d cases with a limit\n", limited);
}

/* The same contact in millimetres, kilonewtons and milliseconds gives the same force; a law that is bound to units, as
   published, says which. */
static const law_units other_units = {1e-3, 1e3, 1e-3};

static bool same(double a, double b) { return fabs(a - b) <= ROUNDING * fmax(fabs(a), fabs(b)); }

static bool invariant(const elastic_case *one)
{
    const double length = other_units.length, force = other_units.force;
    const carom_contact_geometry geometry = law_sample_geometry(one->geometry, &other_units);
    double p[LAW_SAMPLE_PARAMS], c[CAROM_LAW_CONSTANTS];
    fill(&one->kind->kind, one->variant, one->level, &other_units, p);
    if (CAROM_KIND_CALL(one->kind, prepare, p, &geometry, c))
        return false;
    for (size_t d = 0; d < CAROM_COUNT(parts); d++) {
        const double delta = parts[d] * one->reach;
        carom_elastic_force a, b;
        CAROM_KIND_CALL(one->kind, force, one->c, NULL, delta, &a);
        CAROM_KIND_CALL(one->kind, force, c, NULL, delta / length, &b);
        if (!same(a.force, b.force * force) || !same(a.slope, b.slope * force / length) ||
            !same(a.energy, b.energy * force * length) || fabs(a.loss - b.loss * force) > ROUNDING * a.force)
            return false;
    }
    return true;
}

static void test_elastic_units(void **state)
{
    (void)state;
    const char *last = "";
    for (size_t k = 0; k < elastic_count; k++) {
        elastic_case *one = &elastics[k];
        const char *name = one->kind->kind.name;
        one->bound = !invariant(one);
        if (!one->bound)
            continue;
        REQUIRE(law_sample_says(&one->kind->kind, " mm|(mm|unsound"), name, one);
        if (strcmp(name, last) != 0)
            printf("bound to units: %s\n", name);
        last = name;
    }
}

/* The two sides of a contact may be exchanged. */
static void test_elastic_sides(void **state)
{
    (void)state;
    for (size_t k = 0; k < elastic_count; k++) {
        const elastic_case *one = &elastics[k];
        const carom_kind *kind = &one->kind->kind;
        carom_contact_geometry g = law_sample_geometry(one->geometry, &law_units_si), h = g;
        double p[LAW_SAMPLE_PARAMS], c[CAROM_LAW_CONSTANTS];
        for (int side = 0; side < 2; side++) {
            h.young[side] = g.young[1 - side];
            h.poisson[side] = g.poisson[1 - side];
            h.radius[side] = g.radius[1 - side];
            h.density[side] = g.density[1 - side];
            h.yield[side] = g.yield[1 - side];
        }
        /* parameters of one side end with _i or _j, or _i2 and _j2 */
        memcpy(p, one->p, sizeof p);
        for (int r = 0; r < kind->param_count; r++) {
            char other[64];
            snprintf(other, sizeof other, "%s", kind->params[r].name);
            char *tail = strstr(other, "_i");
            if (!tail || strlen(tail) > 3)
                continue;
            tail[1] = 'j';
            const int i = carom_kind_param_offset(kind, kind->params[r].name), j = carom_kind_param_offset(kind, other);
            REQUIRE(j >= 0, kind->name, one);
            p[i] = one->p[j];
            p[j] = one->p[i];
        }
        REQUIRE(!CAROM_KIND_CALL(one->kind, prepare, p, &h, c), kind->name, one);
        carom_elastic_force a, b;
        CAROM_KIND_CALL(one->kind, force, one->c, NULL, 0.1 * one->reach, &a);
        CAROM_KIND_CALL(one->kind, force, c, NULL, 0.1 * one->reach, &b);
        REQUIRE(same(a.force, b.force) && same(a.slope, b.slope), kind->name, one);
    }
}

/* ---- laws along a path ---- */

typedef struct walker {
    const elastic_case *one;
    double history[CAROM_LAW_HISTORY];
    double delta, work, loss; /* [m], [J] */
    int turns;
} walker;

static double walker_turn(const walker *w, double delta, double rate)
{
    return w->one->kind->branch ? CAROM_KIND_CALL(w->one->kind, branch, w->one->c, w->history, delta, rate) : 1;
}

static carom_elastic_force walker_force(const walker *w, double delta)
{
    carom_elastic_force f;
    CAROM_KIND_CALL(w->one->kind, force, w->one->c, w->one->kind->history ? w->history : NULL, delta, &f);
    return f;
}

/* Work and loss from the present indentation to `end` on one branch: Gauss-Legendre, five points. */
static void walker_go(walker *w, double end)
{
    static const double node[] = {0, 0.5384693101056831, -0.5384693101056831, 0.9061798459386640, -0.9061798459386640};
    static const double weight[] = {0.5688888888888889, 0.4786286704993665, 0.4786286704993665, 0.2369268850561891,
                                    0.2369268850561891};
    const double half = 0.5 * (end - w->delta), middle = 0.5 * (end + w->delta);
    for (int k = 0; k < 5; k++) {
        const carom_elastic_force f = walker_force(w, middle + half * node[k]);
        w->work += half * weight[k] * f.force;
        w->loss += half * weight[k] * f.loss;
        REQUIRE(f.force >= 0 && isfinite(f.force), w->one->kind->kind.name, w->one);
    }
    w->delta = end;
}

/* The next branch, at an end of the present one; the force does not jump there. */
static void walker_advance(walker *w, double rate, double scale)
{
    const carom_elastic_force before = walker_force(w, w->delta);
    double history[CAROM_LAW_HISTORY];
    memcpy(history, w->history, sizeof history);
    CAROM_KIND_CALL(w->one->kind, update, w->one->c, w->history, w->delta, rate);
    const carom_elastic_force after = walker_force(w, w->delta);
    w->turns += memcmp(history, w->history, sizeof history) != 0;
    REQUIRE(fabs(after.force - before.force) <= 1e-6 * scale, w->one->kind->kind.name, w->one);
}

/* To `end` in steps; branches end where the motion turns back and where `turn` falls through zero. */
static void walker_walk(walker *w, double end, double scale)
{
    const double start = w->delta, rate = end > start ? 1 : -1;
    enum { STEPS = 100 };
    if (walker_turn(w, start, rate) < 0)
        walker_advance(w, rate, scale);
    for (int k = 1; k <= STEPS; k++) {
        const double next = k == STEPS ? end : start + (end - start) * k / STEPS;
        for (int ends = 0; ends < 3 && walker_turn(w, next, rate) < 0; ends++) {
            double low = w->delta, high = next;
            for (int i = 0; i < 80; i++) {
                const double middle = 0.5 * (low + high);
                if (walker_turn(w, middle, rate) < 0)
                    high = middle;
                else
                    low = middle;
            }
            walker_go(w, high);
            walker_advance(w, rate, scale);
        }
        walker_go(w, next);
    }
}

/* Compressed, released in part, compressed again and released: the work done is what is stored and lost, and a closed
   cycle never gives any. */
static void test_elastic_cycles(void **state)
{
    (void)state;
    static const double stops[] = {0.2, 0.13, 0.18, 0.6, 0.4, 0.9, 0};
    double worst = 0;
    int remembering = 0;
    for (size_t k = 0; k < elastic_count; k++) {
        const elastic_case *one = &elastics[k];
        const char *name = one->kind->kind.name;
        carom_elastic_force f;
        CAROM_KIND_CALL(one->kind, force, one->c, NULL, one->reach, &f);
        walker w = {.one = one};
        for (size_t s = 0; s < CAROM_COUNT(stops); s++) {
            const double lost = w.loss;
            walker_walk(&w, stops[s] * one->reach, f.force);
            const double balance = w.work - w.loss - walker_force(&w, w.delta).energy;
            worst = fmax(worst, fabs(balance) / (f.force * one->reach));
            REQUIRE(fabs(balance) < 1e-6 * f.force * one->reach, name, one);
            REQUIRE(w.loss >= lost, name, one);
        }
        REQUIRE(w.work >= -1e-9 * f.force * one->reach, name, one);
        REQUIRE(one->kind->history || w.turns == 0, name, one);
        remembering += w.turns > 0;
    }
    printf("elastic cycles: balance %.2g, %d cases with memory\n", worst, remembering);
}

/* ---- damping parts with every elastic part they fit ---- */

static carom_damping_input input_of(const elastic_case *elastic, double delta, double rate, double v0, double mass)
{
    carom_elastic_force f;
    CAROM_KIND_CALL(elastic->kind, force, elastic->c, NULL, delta, &f);
    const bool power = elastic->kind->power_law;
    return (carom_damping_input){.delta = delta,
                                 .rate = rate,
                                 .elastic = f.force,
                                 .elastic_slope = f.slope,
                                 .v0 = v0,
                                 .mass = mass,
                                 .stiffness = power ? elastic->c[0] : (double)NAN,
                                 .exponent = power ? elastic->c[1] : (double)NAN,
                                 .constants = elastic->c};
}

static carom_damping_force damp(const damping_case *damping, const elastic_case *elastic, double delta, double rate,
                                double v0, double mass)
{
    const carom_damping_input in = input_of(elastic, delta, rate, v0, mass);
    carom_damping_force out;
    CAROM_KIND_CALL(damping->kind, force, damping->c, &in, &out);
    return out;
}

/* Calls `check` for every pair of parts that fit, the elastic one at level 0; a misfit has a sentence. Every damping
   part fits an elastic one. */
static int each_pair(void (*check)(const damping_case *, const elastic_case *))
{
    int pairs = 0;
    for (size_t d = 0; d < damping_count; d++) {
        int fitting = 0;
        for (size_t e = 0; e < elastic_count; e++) {
            if (elastics[e].level > 0)
                continue;
            const char *misfit = law_sample_misfit(elastics[e].kind, elastics[e].c, dampings[d].kind);
            if (misfit) {
                assert_true(strlen(misfit) > 10);
                continue;
            }
            fitting++;
            check(&dampings[d], &elastics[e]);
        }
        /* some are made for one exponent only */
        for (size_t e = 0; e < elastic_count && !fitting; e++)
            if (!law_sample_misfit(elastics[e].kind, elastics[e].c, dampings[d].kind)) {
                fitting++;
                check(&dampings[d], &elastics[e]);
            }
        REQUIRE(fitting > 0, dampings[d].kind->kind.name, &dampings[d]);
        pairs += fitting;
    }
    return pairs;
}

static double worst_pair;

/* Finite, never a source of energy, derivatives right, the factor A where there is one. */
static void check_pair(const damping_case *damping, const elastic_case *elastic)
{
    static const double speeds[] = {1e-3, 0.3, 25}, rates[] = {-2, -1, -0.3, 0, 0.3, 1}, mass = 0.046;
    const char *name = damping->kind->kind.name;
    for (size_t v = 0; v < CAROM_COUNT(speeds); v++)
        for (size_t d = 0; d < CAROM_COUNT(parts); d++)
            for (size_t r = 0; r < CAROM_COUNT(rates); r++) {
                const double delta = parts[d] * elastic->reach, v0 = speeds[v], rate = rates[r] * v0;
                const double h = DIFFERENCE_STEP * fmin(delta, elastic->reach - delta), s = DIFFERENCE_STEP * v0;
                const carom_damping_input in = input_of(elastic, delta, rate, v0, mass);
                const carom_damping_force f = damp(damping, elastic, delta, rate, v0, mass);
                REQUIRE(isfinite(f.force) && isfinite(f.d_delta) && isfinite(f.d_rate), name, damping);
                REQUIRE(f.force * rate >= 0 && (rate != 0 || f.force == 0), name, damping);
                if (damping->kind->ratio) {
                    const double expected =
                        in.elastic * CAROM_KIND_CALL(damping->kind, ratio, damping->c, v0) * rates[r];
                    REQUIRE(fabs(f.force - expected) <= 1e-14 * fabs(expected), name, damping);
                }
                double by_delta[4], by_rate[4];
                for (int i = 0; i < 4; i++) {
                    by_delta[i] = damp(damping, elastic, delta + at[i] * h, rate, v0, mass).force;
                    by_rate[i] = damp(damping, elastic, delta, rate + at[i] * s, v0, mass).force;
                }
                const double deep = fabs(five_points(by_delta, h) - f.d_delta);
                const double deep_size = fabs(f.d_delta) + fabs(f.force) / fmin(delta, elastic->reach - delta);
                REQUIRE(deep <= DIFFERENCE_TOLERANCE * deep_size, name, damping);
                if (deep_size > 0)
                    worst_pair = fmax(worst_pair, deep / deep_size);
                if (damping->kind->kinked && rate == 0)
                    continue;
                const double fast = fabs(five_points(by_rate, s) - f.d_rate);
                const double fast_size = fabs(f.d_rate) + fabs(f.force) / v0;
                REQUIRE(fast <= DIFFERENCE_TOLERANCE * fast_size, name, damping);
                if (fast_size > 0)
                    worst_pair = fmax(worst_pair, fast / fast_size);
            }
    /* at the very onset, and where nothing touches */
    static const double shallow[] = {0, DBL_TRUE_MIN, 1e-300, 1e-30};
    for (size_t d = 0; d < CAROM_COUNT(shallow); d++) {
        const carom_damping_force f = damp(damping, elastic, shallow[d], 0.3, 0.3, mass);
        REQUIRE(isfinite(f.force) && f.force >= 0 && isfinite(f.d_rate), name, damping);
    }
}

static void test_damping(void **state)
{
    (void)state;
    const int pairs = each_pair(check_pair);
    printf("%d pairs of parts, derivatives %.2g\n", pairs, worst_pair);
}

/* Pressed in and released along a given motion: the work of the whole is not negative. */
static void check_cycle(const damping_case *damping, const elastic_case *elastic)
{
    enum { STEPS = 100 };
    const double deepest = 0.5 * elastic->reach, v0 = 0.3;
    double work = 0, moved = 0;
    for (int k = 0; k < STEPS; k++) {
        /* delta = deepest sin^2(phase), whose greatest rate is v0 */
        const double phase = CAROM_PI * (k + 0.5) / STEPS, rate = v0 * sin(2 * phase);
        const double delta = deepest * sin(phase) * sin(phase);
        const carom_damping_input in = input_of(elastic, delta, rate, v0, 0.046);
        const carom_damping_force f = damp(damping, elastic, delta, rate, v0, 0.046);
        work += (in.elastic + f.force) * rate;
        moved += (in.elastic + fabs(f.force)) * fabs(rate);
    }
    REQUIRE(work >= -1e-12 * moved, damping->kind->kind.name, damping);
}

static void test_cycles(void **state)
{
    (void)state;
    each_pair(check_cycle);
}

static void check_units(const damping_case *damping, const elastic_case *elastic)
{
    const carom_kind *kind = &damping->kind->kind;
    if (elastic->bound)
        return;
    const law_units *u = &other_units;
    const carom_contact_geometry geometry = law_sample_geometry(elastic->geometry, u);
    elastic_case e = *elastic;
    damping_case d = *damping;
    fill(&e.kind->kind, e.variant, e.level, u, e.p);
    fill(kind, d.variant, d.level, u, d.p);
    REQUIRE(!CAROM_KIND_CALL(e.kind, prepare, e.p, &geometry, e.c), kind->name, damping);
    REQUIRE(!d.kind->prepare || !CAROM_KIND_CALL(d.kind, prepare, d.p, d.c), kind->name, damping);
    const double speed = u->length / u->time, mass = u->force * u->time * u->time / u->length;
    for (size_t k = 0; k < CAROM_COUNT(parts); k++)
        for (int sign = -1; sign < 2; sign += 2) {
            const double delta = parts[k] * elastic->reach, rate = 0.2 * sign;
            const carom_damping_force a = damp(damping, elastic, delta, rate, 0.3, 0.046);
            const carom_damping_force b = damp(&d, &e, delta / u->length, rate / speed, 0.3 / speed, 0.046 / mass);
            REQUIRE(same(a.force, b.force * u->force), kind->name, damping);
            REQUIRE(same(a.d_rate, b.d_rate * u->force / speed), kind->name, damping);
        }
}

static void test_damping_units(void **state)
{
    (void)state;
    each_pair(check_units);
}

/* e -> 1 takes the damping away and e -> 0 is answered with a number or refused with a sentence; where e = 1 still
   damps, the text says so. */
static void test_restitution_limits(void **state)
{
    (void)state;
    int checked = 0;
    for (size_t k = 0; k < damping_count; k++) {
        damping_case one = dampings[k];
        const carom_kind *kind = &one.kind->kind;
        const int offset = carom_kind_param_offset(kind, "restitution");
        REQUIRE(!one.kind->takes_restitution == (offset < 0), kind->name, &one);
        if (offset < 0 || isnan(one.p[offset]))
            continue;
        int row = 0;
        while (strcmp(kind->params[row].name, "restitution") != 0)
            row++;
        const carom_param_row *range = &kind->params[row];
        REQUIRE(range->low >= 0 && range->high == 1 && !(range->flags & CAROM_PARAM_BELOW), kind->name, &one);
        const elastic_case *elastic = elastics;
        while (law_sample_misfit(elastic->kind, elastic->c, one.kind))
            elastic++;
        one.p[offset] = 1;
        REQUIRE(!CAROM_KIND_CALL(one.kind, prepare, one.p, one.c), kind->name, &one);
        const double delta = 0.05 * elastic->reach, scale = input_of(elastic, delta, 0.3, 0.3, 0.046).elastic;
        const double full = damp(&one, elastic, delta, 0.3, 0.3, 0.046).force;
        REQUIRE(fabs(full) < 1e-15 * scale || law_sample_says(kind, "e = 1"), kind->name, &one);
        /* down to the end of the range; one that is excluded is approached */
        const bool excluded = range->flags & CAROM_PARAM_ABOVE;
        const double least = nextafter(range->low, 1) - range->low;
        for (double above = excluded ? least : 0; range->low + above < 1; above = fmax(10 * above, least)) {
            const double e = range->low + above;
            one.p[offset] = e;
            const char *refusal = CAROM_KIND_CALL(one.kind, prepare, one.p, one.c);
            if (refusal)
                check_sentence(kind->name, refusal);
            else {
                const double force = damp(&one, elastic, delta, 0.3, 0.3, 0.046).force;
                REQUIRE(above < 1e-6 ? !isnan(force) : isfinite(force), kind->name, &one);
            }
        }
        checked++;
    }
    printf("restitution: limits of %d cases\n", checked);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_elastic_zero),  cmocka_unit_test(test_elastic_derivatives),
        cmocka_unit_test(test_elastic_limit), cmocka_unit_test(test_elastic_units),
        cmocka_unit_test(test_elastic_sides), cmocka_unit_test(test_elastic_cycles),
        cmocka_unit_test(test_damping),       cmocka_unit_test(test_cycles),
        cmocka_unit_test(test_damping_units), cmocka_unit_test(test_restitution_limits),
    };
    return cmocka_run_group_tests(tests, make_cases, NULL);
}
