/* Named laws: their parts, the free impact of each, and what only some of them promise; the texts of `carom explain`.
   Kinds: power, hooke, hertz; none, hunt-crossley, herbert-mcwhannell, lee-wang, lankarani-nikravesh, gonthier,
   zhiying-qishao, flores, exact. */
#include "carom_test.h"

#include <float.h>
#include <math.h>

#include "base/base.h"
#include "carom/explain.h"
#include "carom/model.h"
#include "kinds/normal/impact.h"
#include "kinds/normal/law.h"
#include "support/kinds.h"
#include "support/outside.h"
#include "support/law_sample.h"

/* Relative difference of two numbers. */
static double differ(double a, double b) { return a == b ? 0 : fabs(a - b) / fmax(fabs(a), fabs(b)); }

/* ---- registry and tables ---- */

static void test_registry(void **state)
{
    (void)state;
    static const char *const expected[] = {"hertz",         "hooke",
                                           "hunt-crossley", "herbert-mcwhannell",
                                           "lee-wang",      "lankarani-nikravesh",
                                           "gonthier",      "zhiying-qishao",
                                           "flores",        "exact"};
    for (size_t k = 0; k < CAROM_COUNT(expected); k++)
        assert_non_null(carom_kind_find(every_kind(), CAROM_FAMILY_LAW, expected[k]));
    assert_ptr_equal(carom_kind_find(every_kind(), CAROM_FAMILY_LAW, "gonthier-exact"), &carom_law_exact.kind);
    assert_null(carom_kind_find(every_kind(), CAROM_FAMILY_LAW, ""));
    assert_null(carom_kind_find(every_kind(), CAROM_FAMILY_LAW, "gonthier-"));
    assert_null(carom_kind_find(every_kind(), CAROM_FAMILY_LAW, NULL));
    assert_null(carom_kind_at(every_kind(), CAROM_FAMILY_LAW, 1000));
    assert_null(carom_kind_find(every_kind(), CAROM_FAMILY_COUNT, "hertz"));
    for (int f = 0; f < CAROM_FAMILY_COUNT; f++) {
        size_t count;
        const char *const *names = carom_kind_names(every_kind(), (carom_family)f, &count);
        assert_int_equal(count, carom_kind_count(every_kind(), (carom_family)f));
        assert_non_null(carom_family_name((carom_family)f));
        for (size_t k = 0; k < count; k++) {
            const carom_kind *kind = carom_kind_at(every_kind(), (carom_family)f, k);
            assert_ptr_equal(carom_kind_find(every_kind(), (carom_family)f, names[k]), kind);
            assert_true(kind->title && kind->formula && kind->source && kind->validity);
            assert_true(strspn(kind->name, "abcdefghijklmnopqrstuvwxyz0123456789-") == strlen(kind->name));
            int size = 0;
            for (int p = 0; p < kind->param_count; p++) {
                const carom_param_row *row = &kind->params[p];
                assert_true(row->name && row->unit && *row->unit && row->description);
                assert_true(row->size > 0 || (row->flags & CAROM_PARAM_LIST));
                assert_int_equal(carom_kind_param_offset(kind, row->name), size);
                size += row->size;
            }
            assert_int_equal(carom_kind_param_size(kind), size);
            assert_int_equal(carom_kind_param_offset(kind, "no such parameter"), -1);
        }
    }
}

static void test_law_parts(void **state)
{
    (void)state;
    for (size_t k = 0; k < carom_kind_count(every_kind(), CAROM_FAMILY_LAW); k++) {
        const carom_law_kind *law = (const carom_law_kind *)carom_kind_at(every_kind(), CAROM_FAMILY_LAW, k);
        const carom_kind *elastic = carom_kind_find(every_kind(), CAROM_FAMILY_ELASTIC, law->elastic);
        const carom_kind *bare = carom_kind_find(every_kind(), CAROM_FAMILY_ELASTIC, law->elastic_without_stiffness);
        assert_non_null(elastic);
        assert_non_null(carom_kind_find(every_kind(), CAROM_FAMILY_DAMPING, law->damping));
        assert_int_equal(!bare, !law->elastic_without_stiffness);
        /* the part used with a stiffness takes one, the part used without takes none */
        if (bare != elastic && carom_kind_param_offset(elastic, "stiffness") < 0)
            fail_msg("%s: the elastic part %s takes no stiffness", law->kind.name, law->elastic);
        if (bare && carom_kind_param_offset(bare, "stiffness") >= 0)
            fail_msg("%s: the elastic part %s takes a stiffness", law->kind.name, bare->name);
        assert_int_equal(law->kind.param_count, 0);
        assert_true(law->exponent >= 1);
    }
}

static carom_contact_geometry steel_ball(void)
{
    return (carom_contact_geometry){.has_materials = true,
                                    .young = {207e9, 70e9},
                                    .poisson = {0.3, 0.33},
                                    .radius = {0.02, HUGE_VAL},
                                    .dimension = 3};
}

static void test_hertz_refusals(void **state)
{
    (void)state;
    double c[CAROM_LAW_CONSTANTS];
    carom_contact_geometry g = steel_ball();
    assert_null(carom_elastic_hertz.prepare(NULL, &g, c));
    g.has_materials = false;
    assert_non_null(carom_elastic_hertz.prepare(NULL, &g, c));
    static const double refused[][2] = {{HUGE_VAL, HUGE_VAL}, {0.01, -0.01}, {0.01, -0.009}, {-0.01, HUGE_VAL}};
    for (size_t k = 0; k < CAROM_COUNT(refused); k++) {
        g = steel_ball();
        g.radius[0] = refused[k][0];
        g.radius[1] = refused[k][1];
        assert_non_null(carom_elastic_hertz.prepare(NULL, &g, c));
    }
    g = steel_ball();
    g.young[0] = HUGE_VAL; /* one rigid side is a contact, two are not */
    assert_null(carom_elastic_hertz.prepare(NULL, &g, c));
    g.young[1] = HUGE_VAL;
    assert_non_null(carom_elastic_hertz.prepare(NULL, &g, c));
    /* order of the sides does not matter, internal contact is stiffer than external */
    g = steel_ball();
    double swapped[CAROM_LAW_CONSTANTS];
    carom_contact_geometry h = g;
    for (int side = 0; side < 2; side++) {
        h.radius[side] = g.radius[1 - side];
        h.young[side] = g.young[1 - side];
        h.poisson[side] = g.poisson[1 - side];
    }
    assert_null(carom_elastic_hertz.prepare(NULL, &g, c));
    assert_null(carom_elastic_hertz.prepare(NULL, &h, swapped));
    assert_true(differ(c[0], swapped[0]) < 1e-15);
    g.radius[1] = -0.05;
    assert_null(carom_elastic_hertz.prepare(NULL, &g, swapped));
    assert_true(swapped[0] > c[0]);
}

/* ---- a free impact of every law ---- */

typedef struct law_case {
    const carom_law_kind *law;
    const carom_elastic_kind *elastic;
    const carom_damping_kind *damping;
    double ce[CAROM_LAW_CONSTANTS], cd[CAROM_LAW_CONSTANTS];
    double mass, speed; /* of the impact [kg], [m/s] */
    double deepest;     /* without damping [m] */
} law_case;

/* Indentation, rate, memory and dissipated work of an impact. */
typedef struct impact_state {
    double x, v, lost, history[CAROM_LAW_HISTORY];
} impact_state;

typedef struct impact_force {
    double whole, lost; /* [N] */
    double energy;      /* [J] */
} impact_force;

static impact_force force_at(const law_case *one, const impact_state *s)
{
    carom_elastic_force elastic;
    carom_damping_force damping;
    const bool power = one->elastic->power_law;
    CAROM_KIND_CALL(one->elastic, force, one->ce, one->elastic->history ? s->history : NULL, s->x, &elastic);
    const carom_damping_input in = {.delta = fmax(s->x, 0),
                                    .rate = s->v,
                                    .elastic = elastic.force,
                                    .elastic_slope = elastic.slope,
                                    .v0 = one->speed,
                                    .mass = one->mass,
                                    .stiffness = power ? one->ce[0] : (double)NAN,
                                    .exponent = power ? one->ce[1] : (double)NAN,
                                    .constants = one->ce};
    CAROM_KIND_CALL(one->damping, force, one->cd, &in, &damping);
    return (impact_force){elastic.force + damping.force, elastic.loss + damping.force, elastic.energy};
}

/* One step of the classical Runge-Kutta method, memory kept. */
static impact_state step_of(const law_case *one, const impact_state *from, double h)
{
    static const double at[4] = {0, 0.5, 0.5, 1}, weight[4] = {1 / 6.0, 1 / 3.0, 1 / 3.0, 1 / 6.0};
    impact_state to = *from, stage = *from;
    double a = 0, v = from->v;
    for (int k = 0; k < 4; k++) {
        stage.x = from->x + at[k] * h * v;
        stage.v = from->v + at[k] * h * a;
        const impact_force f = force_at(one, &stage);
        v = stage.v;
        a = -f.whole / one->mass;
        to.x += weight[k] * h * v;
        to.v += weight[k] * h * a;
        to.lost += weight[k] * h * f.lost * v;
    }
    return to;
}

/* What ends a step: 0 release, 1 a branch of the memory, 2 the turn of a damping part that has a kink there. */
static double event(const law_case *one, const impact_state *s, int which)
{
    if (which == 0)
        return s->x;
    if (which == 1)
        return one->elastic->branch ? CAROM_KIND_CALL(one->elastic, branch, one->ce, s->history, s->x, s->v) : 1;
    return one->damping->kinked ? s->v : 1;
}

typedef struct impact_result {
    double exit, deepest, peak, least, lost; /* [m/s], [m], [N], [N], [J] */
    bool released;
} impact_result;

static impact_result impact_of(const law_case *one)
{
    enum { STEPS = 2000 };
    const double h = 4 * one->deepest / one->speed / STEPS;
    impact_state s = {.v = one->speed};
    impact_result out = {0};
    for (int k = 0; k < 100 * STEPS; k++) {
        impact_state next = step_of(one, &s, h);
        for (int which = 0; which < 3; which++) {
            if (!(event(one, &s, which) > 0 || (which == 0 && k == 0)) || event(one, &next, which) > 0)
                continue;
            double low = 0, high = h;
            for (int i = 0; i < 60; i++) {
                const double middle = 0.5 * (low + high);
                next = step_of(one, &s, middle);
                if (event(one, &next, which) > 0)
                    low = middle;
                else
                    high = middle;
            }
            next = step_of(one, &s, high);
            if (which == 1)
                CAROM_KIND_CALL(one->elastic, update, one->ce, next.history, next.x, next.v);
            out.released = which == 0;
            break;
        }
        s = next;
        const double force = force_at(one, &s).whole;
        out.deepest = fmax(out.deepest, s.x);
        out.peak = fmax(out.peak, force);
        out.least = fmin(out.least, force);
        if (out.released)
            break;
    }
    out.exit = -s.v;
    out.lost = s.lost;
    return out;
}

/* A speed that keeps the elastic impact within the law, 0.3 m/s at most, and its depth. */
static void choose_speed(law_case *one)
{
    double low = 0, high = 0.3 * law_sample_reach(one->elastic, one->ce, &law_units_si);
    carom_elastic_force f;
    one->mass = 0.046;
    CAROM_KIND_CALL(one->elastic, force, one->ce, NULL, high, &f);
    const double most = sqrt(2 * f.energy / one->mass);
    one->speed = fmin(0.3, most);
    for (int k = 0; k < 200; k++) {
        one->deepest = 0.5 * (low + high);
        CAROM_KIND_CALL(one->elastic, force, one->ce, NULL, one->deepest, &f);
        if (f.energy < 0.5 * one->mass * one->speed * one->speed)
            low = one->deepest;
        else
            high = one->deepest;
    }
}

static struct {
    int impacts, tensile, unreleased, closed;
    double balance, closed_error;
} seen;

static bool documents(const law_case *one, const char *words)
{
    return law_sample_says(&one->law->kind, words) || law_sample_says(&one->damping->kind, words) ||
           law_sample_says(&one->elastic->kind, words);
}

/* Speeds and energies agree; a text names the pull where the force, not clamped, pulls; an overdamped contact, which
   does not end, creeps; closed forms where they hold. */
static void check_impact(law_case *one, const char *where)
{
    choose_speed(one);
    const impact_result r = impact_of(one);
    const double energy = 0.5 * one->mass * one->speed * one->speed;
    if (!isfinite(r.exit) || r.exit > one->speed * (1 + 1e-6) || r.lost < -1e-6 * energy)
        fail_msg("%s gains energy: %g m/s in, %g m/s out", where, one->speed, r.exit);
    if (r.least < -1e-9 * r.peak) {
        seen.tensile++;
        if (!documents(one, "pull|tensi"))
            fail_msg("%s pulls with %g of the peak, and no text says so", where, r.least / r.peak);
    }
    seen.impacts++;
    if (!r.released) {
        seen.unreleased++;
        if (r.exit > 1e-3 * one->speed)
            fail_msg("%s does not end, and moves at %g of its speed", where, r.exit / one->speed);
        return;
    }
    const double balance = fabs(energy - 0.5 * one->mass * r.exit * r.exit - r.lost) / energy;
    seen.balance = fmax(seen.balance, balance);
    if (balance > 1e-5)
        fail_msg("%s: energy in, out and lost differ by %g of the whole", where, balance);
    if (!one->damping->ratio || !one->elastic->power_law)
        return;
    const double a = CAROM_KIND_CALL(one->damping, ratio, one->cd, one->speed);
    const carom_hysteresis_impact impact = {one->ce[0], one->ce[1], a, one->mass, one->speed};
    const double error = fmax(fabs(r.exit / one->speed - carom_achieved_restitution(a)),
                              fmax(differ(r.deepest, carom_impact_max_indentation(&impact)),
                                   differ(r.peak, carom_impact_max_force(&impact, NULL, NULL))));
    seen.closed++;
    seen.closed_error = fmax(seen.closed_error, error);
    if (error > 1e-5)
        fail_msg("%s: the closed forms differ by %g", where, error);
}

/* Sets a row by name, where the table has it and its range allows the value. */
static void set(const carom_kind *kind, double *p, const char *name, double value)
{
    for (int r = 0; r < kind->param_count; r++) {
        const carom_param_row *row = &kind->params[r];
        const bool low = row->flags & CAROM_PARAM_ABOVE ? value > row->low : value >= row->low;
        const int offset = carom_kind_param_offset(kind, row->name);
        if (strcmp(row->name, name) == 0 && low && value <= row->high && !isnan(p[offset]))
            p[offset] = value;
    }
}

/* All variants of the parts of one law with one elastic part; the number of impacts made. */
static int impacts_of(const carom_law_kind *law, const char *elastic, double e)
{
    law_case one = {.law = law};
    one.elastic = (const carom_elastic_kind *)carom_kind_find(every_kind(), CAROM_FAMILY_ELASTIC, elastic);
    one.damping = (const carom_damping_kind *)carom_kind_find(every_kind(), CAROM_FAMILY_DAMPING, law->damping);
    int made = 0;
    for (int v = 0; v < law_sample_variants(&one.elastic->kind); v++)
        for (int g = 0; g < LAW_SAMPLE_GEOMETRIES; g++)
            for (int w = 0; w < law_sample_variants(&one.damping->kind); w++) {
                const carom_contact_geometry geometry = law_sample_geometry(g, &law_units_si);
                double pe[LAW_SAMPLE_PARAMS], pd[LAW_SAMPLE_PARAMS];
                if (g > 0 && !one.elastic->needs)
                    continue;
                assert_null(law_sample_params(&one.elastic->kind, v, 0, &law_units_si, pe));
                assert_null(law_sample_params(&one.damping->kind, w, 0, &law_units_si, pd));
                set(&one.elastic->kind, pe, "exponent", law->exponent);
                set(&one.elastic->kind, pe, "restitution", e);
                set(&one.damping->kind, pd, "restitution", e);
                if (CAROM_KIND_CALL(one.elastic, prepare, pe, &geometry, one.ce) ||
                    (one.damping->prepare && CAROM_KIND_CALL(one.damping, prepare, pd, one.cd)))
                    continue;
                const char *misfit = law_sample_misfit(one.elastic, one.ce, one.damping);
                if (misfit)
                    fail_msg("law %s: its parts do not fit: %s", law->kind.name, misfit);
                char where[160];
                snprintf(where, sizeof where, "%s (%s, variants %d and %d, e = %g)", law->kind.name, elastic, v, w, e);
                check_impact(&one, where);
                made++;
            }
    return made;
}

static void test_free_impacts(void **state)
{
    (void)state;
    static const double asked[] = {1, 0.9, 0.5, 0.2};
    for (size_t k = 0; k < carom_kind_count(every_kind(), CAROM_FAMILY_LAW); k++)
        for (size_t i = 0; i < CAROM_COUNT(asked); i++) {
            const carom_law_kind *law = (const carom_law_kind *)carom_kind_at(every_kind(), CAROM_FAMILY_LAW, k);
            const char *bare = law->elastic_without_stiffness;
            if (!impacts_of(law, law->elastic, asked[i]) ||
                (bare && strcmp(bare, law->elastic) != 0 && !impacts_of(law, bare, asked[i])))
                fail_msg("law %s: no sample of its parts is accepted", law->kind.name);
        }
    printf("%d free impacts: energy balance %.2g; %d by closed forms within %.2g; %d pull, %d do not end\n",
           seen.impacts, seen.balance, seen.closed, seen.closed_error, seen.tensile, seen.unreleased);
}

/* ---- some laws ---- */

/* May the law be asked for this restitution? */
static bool allowed(const carom_damping_kind *damping, double e)
{
    if (!damping->takes_restitution)
        return true;
    const carom_param_row *row = &damping->kind.params[carom_kind_param_offset(&damping->kind, "restitution")];
    return e <= row->high && (row->flags & CAROM_PARAM_ABOVE ? e > row->low : e >= row->low);
}

/* Damping factors: zero at e = 1, falling with e, the known slope -dA/de at 1, refused where they are infinite. */
static void test_factors(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double slope;
        bool takes_zero;
        double at_zero;
    } rows[] = {
        {"hunt-crossley", 1.5, true, 1.5}, {"herbert-mcwhannell", 1.5, true, 1.5},
        {"lee-wang", 0.75, true, 0.75},    {"lankarani-nikravesh", 1.5, true, 0.75},
        {"gonthier", 2, false, 0},         {"zhiying-qishao", 1.5, true, 0.75 * 7.38905609893065},
        {"flores", 1.6, false, 0},         {"exact", 1.5, false, 0},
    };
    for (size_t k = 0; k < CAROM_COUNT(rows); k++) {
        const carom_damping_kind *d =
            (const carom_damping_kind *)carom_kind_find(every_kind(), CAROM_FAMILY_DAMPING, rows[k].name);
        assert_non_null(d);
        assert_true(d->takes_restitution);
        assert_true(CAROM_KIND_CALL(d, factor, 1) == 0);
        assert_true(differ(CAROM_KIND_CALL(d, factor, 1 - 1e-7) / 1e-7, rows[k].slope) < 5e-7);
        assert_int_equal(allowed(d, 0), rows[k].takes_zero);
        assert_true(allowed(d, 1) && !allowed(d, 1.0001) && !allowed(d, -0.1));
        if (rows[k].takes_zero)
            assert_true(differ(CAROM_KIND_CALL(d, factor, 0), rows[k].at_zero) < 1e-14);
        double before = 0;
        for (int i = 1; i < 1000; i++) {
            double a = CAROM_KIND_CALL(d, factor, 1 - i * 1e-3);
            assert_true(isfinite(a) && a > before);
            before = a;
        }
    }
    assert_true(carom_damping_none.factor(0.5) == 0);
    assert_false(carom_damping_none.takes_restitution);
}

/* `exact` returns what it is asked, also where the branches of its solution meet. */
static void test_exact_returns_what_it_is_asked(void **state)
{
    (void)state;
    double worst = 0;
    for (int k = 1; k <= 20000; k++) {
        const double e = k / 20000.0, got = carom_achieved_restitution(carom_damping_exact.factor(e));
        worst = fmax(worst, fabs(got - e) / e);
    }
    static const double joints[] = {0.02, 0.3, 0.95};
    for (size_t k = 0; k < CAROM_COUNT(joints); k++)
        for (int i = -3; i <= 3; i++) {
            const double e = joints[k] * (1 + i * DBL_EPSILON);
            worst = fmax(worst, fabs(carom_achieved_restitution(carom_damping_exact.factor(e)) - e) / e);
        }
    printf("exact: restitution returned, relative error %.2g\n", worst);
    assert_true(worst < 1e-14);
}

/* ---- explain ---- */

static void test_explain(void **state)
{
    (void)state;
    carom_context *ctx = new_context();
    assert_int_equal(register_outside(ctx), CAROM_OK);
    size_t families, count;
    const char *const *names = carom_explain_families(&families);
    assert_int_equal(families, CAROM_FAMILY_COUNT + 4); /* formulations, analyses, samplers, warnings */
    for (size_t f = 0; f < families; f++) {
        char plural[32];
        if (strcmp(names[f], "analysis") == 0)
            snprintf(plural, sizeof plural, "analyses");
        else
            snprintf(plural, sizeof plural, "%ss", names[f]);
        const char *const *kinds = carom_explain_names(ctx, plural, &count);
        assert_ptr_equal(kinds, carom_explain_names(ctx, names[f], &count));
        for (size_t k = 0; k < count; k++) {
            char *text = NULL, path[96];
            snprintf(path, sizeof path, "%s.%s", names[f], kinds[k]);
            assert_non_null(carom_explain_title(ctx, plural, kinds[k]));
            assert_int_equal(carom_explain(ctx, path, &text), CAROM_OK);
            /* warnings of the run itself need none */
            assert_true(strstr(text, "Source") || strcmp(names[f], "warning") == 0);
            carom_text_free(ctx, text);
            assert_int_equal(carom_explain(ctx, kinds[k], &text), CAROM_OK);
            carom_text_free(ctx, text);
        }
    }
    assert_null(carom_explain_names(ctx, "no such family", &count));
    assert_int_equal(count, 0);
    assert_null(carom_explain_title(ctx, "law", "no such law"));
    static const char *const pages[] = {"validity", "expressions", "laws", "gonthier-exact", "elastic.hertz"};
    for (size_t k = 0; k < CAROM_COUNT(pages); k++) {
        char *text = NULL;
        assert_int_equal(carom_explain(ctx, pages[k], &text), CAROM_OK);
        if (getenv("CAROM_TEST_PRINT"))
            printf("%s\n", text);
        carom_text_free(ctx, text);
    }
    char *text = NULL;
    assert_int_equal(carom_explain(ctx, "flores", &text), CAROM_OK);
    if (getenv("CAROM_TEST_PRINT"))
        printf("%s\n", text);
    /* the achieved restitution is computed: 0.4704 at 0.5 */
    assert_non_null(strstr(text, "0.4704"));
    assert_non_null(strstr(text, "stiffness [N/m^n], optional, > 0"));
    assert_non_null(strstr(text, "restitution [-], required, 0 < value <= 1"));
    carom_text_free(ctx, text);
    static const char *const wrong[][2] = {
        {"flors", "flores"}, {"validty", "validity"}, {"hunt_crossley", "hunt-crossley"}};
    for (size_t k = 0; k < CAROM_COUNT(wrong); k++) {
        text = NULL;
        assert_int_equal(carom_explain(ctx, wrong[k][0], &text), CAROM_ERROR_USAGE);
        assert_null(text);
        assert_non_null(strstr(carom_context_error(ctx), wrong[k][1]));
    }
    assert_int_equal(carom_explain(ctx, "", &text), CAROM_ERROR_USAGE);
    assert_int_equal(carom_explain(ctx, "law.", &text), CAROM_ERROR_USAGE);
    assert_int_equal(carom_explain(ctx, "xyzzyplugh", &text), CAROM_ERROR_USAGE);
    carom_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_registry),       cmocka_unit_test(test_law_parts),
        cmocka_unit_test(test_hertz_refusals), cmocka_unit_test(test_free_impacts),
        cmocka_unit_test(test_factors),        cmocka_unit_test(test_exact_returns_what_it_is_asked),
        cmocka_unit_test(test_explain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
