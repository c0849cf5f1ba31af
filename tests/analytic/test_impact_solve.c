/* The public solver of free direct impacts against the reference: every law of group `impact` and `cylinder`, in closed
   form to 1e-9 and by integration to 1e-7. */
#include "carom_test.h"

#include <math.h>

#include "support/json_at.h"
#include "support/near.h"
#include "support/reference.h"
#include "support/trial.h"

#define EXACT 1e-9
#define INTEGRATED 1e-7
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static json *contact;
static carom_context *ctx;

/* ---- margins ---- */

/* Of closed forms and of integration. */
static near_table margins[2];

static void near_either(bool integrated, const char *what, const char *where, double got, double expected, double scale)
{
    assert_true(scale > 0);
    near_in(&margins[integrated], what, where, got, expected, scale, integrated ? INTEGRATED : EXACT);
}

static void print_margins(void)
{
    for (int side = 0; side < 2; side++)
        for (const near_margin *m = margins[side].sort; m < margins[side].sort + NEAR_SORTS && m->what; m++)
            printf("%-11s %-24s %5d values, largest error %8.2g at %s\n", side ? "integrated" : "exact", m->what,
                   m->count, m->error, m->where);
}

/* ---- definitions ---- */

#define MOST_PARAMS 12

typedef struct definition {
    carom_impact_def def;
    carom_param items[MOST_PARAMS];
} definition;

static void give(definition *d, const char *name, double value)
{
    d->items[d->def.law.params.count++] = (carom_param){.name = name, .value = carom_value_number(value)};
    d->def.law.params.items = d->items;
}

static void give_word(definition *d, const char *name, const char *word)
{
    d->items[d->def.law.params.count++] = (carom_param){.name = name, .value = carom_value_text(word)};
    d->def.law.params.items = d->items;
}

static bool has_law(const char *name)
{
    size_t count;
    const char *const *names = carom_law_list(ctx, &count);
    for (size_t k = 0; k < count; k++)
        if (strcmp(names[k], name) == 0)
            return true;
    return false;
}

/* Names of the laws where they are not those of the reference with hyphens. */
static const char *law_of(const char *name, char *text, size_t size)
{
    static const char *const table[][2] = {
        {"brandlein", "braendlein"},
        {"lee_wang1", "lee-wang"},
        {"lee_wang1_linear", "lee-wang"},
        {"gonthier_approx", "gonthier"},
        {"gonthier_exact", "exact"},
        {"marhefka_orin3", "marhefka-orin"},
        {"marhefka_orin1", "marhefka-orin-truncated"},
        {"gharib_hurmuzlu1", "gharib-hurmuzlu"},
        {"gharib_hurmuzlu2", "gharib-hurmuzlu-2"},
        {"lankarani_nikravesh94", "lankarani-nikravesh-1994"},
        {"lee_wang2", "lee-wang-2"},
        {"ristow_schafer", "ristow-schaefer"},
        {"bordbar_hyppanen", "bordbar-hyppaenen"},
        {"johnson_cyl", "johnson"},
        {"radzimovsky_cyl", "radzimovsky"},
        {"goldsmith_cyl", "goldsmith"},
        {"dubowsky_cyl", "dubowsky-freudenstein"},
        {"esdu_cyl", "esdu-78035"},
        {"lankarani_cyl", "lankarani-nikravesh-cylinder"},
        {"pereira2011", "pereira-2011"},
        {"pereira2015", "pereira-2015"},
        {"liu_cyl", "liu"},
    };
    for (size_t k = 0; k < COUNT(table); k++)
        if (strcmp(table[k][0], name) == 0)
            return table[k][1];
    snprintf(text, size, "%s", name);
    for (char *c = text; *c; c++)
        *c = *c == '_' ? '-' : *c;
    return text;
}

/* ---- impacts ---- */

static void define_impact(definition *d, const json *one, const char *law)
{
    static const char *const names[][2] = {
        {"K", "stiffness"}, {"n", "exponent"}, {"e", "restitution"}, {"ew", "restitution"}, {"D", "damping"},
        {"alpha", "alpha"}, {"chi", "chi"},    {"p", "power"},       {"eps", "epsilon"},    {"q", "q"}};
    *d = (definition){.def = carom_default_impact_def()};
    d->def.law.law = law;
    const json *params = json_member(one, "params");
    for (size_t k = 0; k < COUNT(names); k++) {
        const json *value = json_member(params, names[k][0]);
        if (value && (strcmp(names[k][0], "n") != 0 || carom_law_takes(ctx, &d->def.law, "exponent")))
            give(d, names[k][1], json_number(value));
    }
    d->def.mass = number_at(params, "m");
    d->def.speed = number_at(params, "v0");
    const char *rule = json_text(json_member(one, "rule"));
    /* force0 ends with the first F = 0; lee-wang-2 would push again below its epsilon, which `clamp` lets it do */
    bool again = strcmp(law, "lee-wang-2") == 0;
    d->def.law.release = strcmp(rule, "delta0") == 0 ? "raw" : again ? "latch-open" : "clamp";
}

static void compare(const json *one, const char *id, const carom_impact_solution *s)
{
    const json *impact = json_member(one, "impact");
    bool integrated = strcmp(s->method, "integrated") == 0;
    double v0 = s->v_in, energy = 0.5 * s->mass * v0 * v0;
    assert_true(s->released && !s->note[0]);
    near_either(integrated, "restitution", id, s->e_got, number_at(impact, "e_post"), 1);
    near_either(integrated, "exit speed", id, s->v_out, number_at(impact, "exit_speed"), v0);
    near_either(integrated, "max indentation", id, s->max_indentation, number_at(impact, "dmax"),
                number_at(impact, "dmax"));
    near_either(integrated, "peak force", id, s->peak_force, number_at(impact, "Fmax"), number_at(impact, "Fmax"));
    near_either(integrated, "indentation at the peak", id, s->peak_indentation, number_at(impact, "delta_at_Fmax"),
                number_at(impact, "dmax"));
    near_either(integrated, "rate at the peak", id, s->peak_rate, number_at(impact, "ddot_at_Fmax"), v0);
    near_either(integrated, "duration", id, s->duration, number_at(impact, "duration"), number_at(impact, "duration"));
    near_either(integrated, "energy lost", id, s->energy_lost, number_at(impact, "energy"), energy);
    const json *to_zero = json_member(impact, "duration_to_delta0");
    if (to_zero)
        near_either(integrated, "duration to zero", id, s->duration_to_zero, json_number(to_zero),
                    json_number(to_zero));
    /* without a force that ends before, both durations are one */
    else if (s->max_indentation > 0 && !json_get(one, "coeff.delta_p"))
        near_either(integrated, "duration to zero", id, s->duration_to_zero, number_at(impact, "duration"),
                    number_at(impact, "duration"));
}

static void solve(const json *one, const char *id, const definition *d)
{
    carom_impact_solution s;
    if (carom_impact_solve(ctx, &d->def, &s) != CAROM_OK)
        fail_msg("%s: %s", id, carom_context_error(ctx));
    compare(one, id, &s);
    carom_impact_solution_free(ctx, &s);
}

static void run_group(const char *path, void (*define)(definition *, const json *, const char *), bool integrate,
                      int every)
{
    const json *group = json_get(contact, path);
    int solved = 0, skipped = 0;
    for (size_t k = 0; k < json_size(group); k += (size_t)every) {
        const json *one = json_item(group, k);
        char text[64];
        const char *law = law_of(json_text(json_member(one, "law")), text, sizeof text);
        if (!has_law(law)) {
            skipped++;
            continue;
        }
        definition d;
        define(&d, one, law);
        d.def.integrate = integrate;
        solve(one, json_text(json_member(one, "id")), &d);
        solved++;
    }
    printf("%-16s %s %d impacts, skipped %d whose law is not in the catalogue\n", path,
           integrate ? "integrated" : "solved", solved, skipped);
    assert_int_equal(skipped, 0);
}

static void test_impacts(void **state)
{
    (void)state;
    run_group("groups.impact", define_impact, false, 1);
}

/* Those with a closed form by the integration that serves the others, too. */
static void test_integrated(void **state)
{
    (void)state;
    run_group("groups.impact", define_impact, true, 1);
}

/* ---- cylinders ---- */

/* Radii whose dR or R are those of the reference to the last bit, and two equal materials of the modulus E*. */
static void define_cylinder(definition *d, const json *one, const char *law)
{
    const json *params = json_member(one, "params");
    bool internal = strcmp(json_text(json_member(one, "contact")), "internal") == 0;
    *d = (definition){.def = carom_default_impact_def()};
    d->def.law.law = law;
    give(d, "E_i", 2 * number_at(params, "Es"));
    give(d, "nu_i", 0);
    double radius = json_member(params, "R") ? number_at(params, "R") : (double)NAN;
    double gap = json_member(params, "dR")  ? number_at(params, "dR")
                 : json_member(params, "c") ? number_at(params, "c")
                                            : (double)NAN;
    if (isnan(gap)) {
        give(d, "radius_i", internal ? radius / 2 : 2 * radius);
        give(d, "radius_j", internal ? -radius : 2 * radius);
    } else {
        give(d, "radius_i", internal ? gap : gap / 2);
        give(d, "radius_j", internal ? -2 * gap : gap / 2);
    }
    if (json_member(params, "L") || json_member(params, "a"))
        give(d, "length", json_member(params, "L") ? number_at(params, "L") : 2 * number_at(params, "a"));
    if (json_member(params, "n"))
        give(d, "exponent", number_at(params, "n"));
    if (json_member(params, "m_exp"))
        give(d, "length_exponent", number_at(params, "m_exp"));
    if (json_member(params, "conv"))
        give_word(d, "convention",
                  strcmp(json_text(json_member(params, "conv")), "pi") == 0 ? "literature" : "printed");
    if (json_member(params, "b_radius"))
        give_word(d, "width_from", "radii");
    d->def.mass = number_at(params, "m");
    d->def.speed = number_at(params, "v0");
}

static void test_cylinders(void **state)
{
    (void)state;
    run_group("groups.cylinder", define_cylinder, false, 1);
}

static void test_cylinders_integrated(void **state)
{
    (void)state;
    run_group("groups.cylinder", define_cylinder, true, 5);
}

/* ---- closed forms against integration where the reference has no impact ---- */

static void solve_or_fail(const char *what, const carom_impact_def *def, carom_impact_solution *out)
{
    if (carom_impact_solve(ctx, def, out) != CAROM_OK)
        fail_msg("%s: %s", what, carom_context_error(ctx));
}

static void agree(const char *what, definition *d)
{
    carom_impact_solution exact, run;
    solve_or_fail(what, &d->def, &exact);
    d->def.integrate = true;
    solve_or_fail(what, &d->def, &run);
    assert_string_equal(exact.method, "exact");
    assert_string_equal(run.method, "integrated");
    const struct {
        const char *name;
        double exact, run, scale;
    } rows[] = {
        {"exit speed", exact.v_out, run.v_out, exact.v_in},
        {"max indentation", exact.max_indentation, run.max_indentation, exact.max_indentation},
        {"peak force", exact.peak_force, run.peak_force, exact.peak_force},
        {"indentation at the peak", exact.peak_indentation, run.peak_indentation, exact.max_indentation},
        {"rate at the peak", exact.peak_rate, run.peak_rate, exact.v_in},
        {"duration", exact.duration, run.duration, exact.duration},
        {"duration to zero", exact.duration_to_zero, run.duration_to_zero, exact.duration_to_zero},
        {"energy lost", exact.energy_lost, run.energy_lost, 0.5 * exact.mass * exact.v_in * exact.v_in},
    };
    for (size_t k = 0; k < COUNT(rows); k++)
        near_either(true, rows[k].name, what, rows[k].run, rows[k].exact, rows[k].scale);
}

static void begin(definition *d, const char *law, double mass, double speed)
{
    *d = (definition){.def = carom_default_impact_def()};
    d->def.law.law = law;
    d->def.mass = mass;
    d->def.speed = speed;
}

static void give_steel(definition *d, double radius_i, double radius_j, double length)
{
    give(d, "E_i", 207e9);
    give(d, "nu_i", 0.3);
    give(d, "radius_i", radius_i);
    give(d, "radius_j", radius_j);
    if (length > 0)
        give(d, "length", length);
}

/* Damped elastic parts that are no power law; laws with memory; policies that change the impact velocity of the law. */
static void test_general(void **state)
{
    (void)state;
    static const char *const lines[] = {"johnson", "liu", "esdu-78035"};
    definition d;
    for (size_t k = 0; k < COUNT(lines); k++)
        for (int e = 1; e <= 9; e += 4) {
            begin(&d, "flores", 0.5, 0.2);
            d.def.law.elastic = lines[k];
            give_steel(&d, 9.5e-3, -10e-3, 10e-3);
            give(&d, "restitution", 0.1 * e);
            agree(lines[k], &d);
        }
    for (int speed = 1; speed <= 100; speed *= 10) {
        begin(&d, "thornton", 0.01, 0.01 * speed);
        give_steel(&d, 5e-3, 5e-3, 0);
        give(&d, "contact_yield", 1e9);
        agree("thornton", &d);
        begin(&d, "walton-braun", 0.01, 0.01 * speed);
        give(&d, "stiffness", 1e6);
        give(&d, "hardening", 3e4);
        agree("walton-braun", &d);
    }
    begin(&d, "flores", 0.5, 0.2);
    give(&d, "stiffness", 1e9);
    give(&d, "restitution", 0.6);
    d.def.law.minimum_speed = 0.5;
    agree("minimum_speed", &d);
    d.def.law.velocity = "memoryless";
    give(&d, "reference_speed", 0.1);
    d.def.integrate = false;
    agree("memoryless", &d);
}

/* ---- motion ---- */

/* A loop obeys m delta'' = -F: its impulse and its work are those of the speeds. */
static void check_loop(const char *what, definition *d, double allowed)
{
    carom_impact_solution s;
    d->def.loop = 2001;
    solve_or_fail(what, &d->def, &s);
    assert_int_equal(s.loop, 2001);
    double impulse = 0, work = 0, deepest = 0, largest = 0;
    for (size_t k = 0; k < s.loop; k++) {
        deepest = fmax(deepest, s.delta[k]);
        largest = fmax(largest, s.force[k]);
        if (k == 0)
            continue;
        assert_true(s.time[k] > s.time[k - 1]);
        double force = 0.5 * (s.force[k] + s.force[k - 1]);
        impulse += force * (s.time[k] - s.time[k - 1]);
        work += force * (s.delta[k] - s.delta[k - 1]);
    }
    double momentum = s.mass * (s.v_in + s.v_out), energy = 0.5 * s.mass * s.v_in * s.v_in;
    printf("loop of %-16s impulse off by %.2g, work by %.2g, depth by %.2g, peak by %.2g, end by %.2g\n", what,
           fabs(impulse - momentum) / momentum, fabs(work - s.energy_lost) / energy,
           fabs(deepest - s.max_indentation) / s.max_indentation, fabs(largest - s.peak_force) / s.peak_force,
           fabs(s.time[s.loop - 1] - s.duration) / s.duration);
    assert_true(fabs(impulse - momentum) < allowed * momentum);
    assert_true(fabs(work - s.energy_lost) < allowed * energy);
    assert_true(fabs(deepest - s.max_indentation) < allowed * s.max_indentation);
    assert_true(fabs(largest - s.peak_force) < allowed * s.peak_force);
    assert_true(fabs(s.time[s.loop - 1] - s.duration) < 1e-9 * s.duration);
    assert_true(s.time[0] == 0 && s.delta[0] == 0 && s.rate[0] == s.v_in);
    assert_true(fabs(s.rate[s.loop - 1] + s.v_out) < 1e-7 * s.v_in);
    carom_impact_solution_free(ctx, &s);
    assert_null(s.time);
}

static void test_loops(void **state)
{
    (void)state;
    definition d;
    begin(&d, "flores", 0.046, 0.3);
    give(&d, "stiffness", 5.5e9);
    give(&d, "restitution", 0.5);
    check_loop("flores", &d, 1e-5);
    d.def.integrate = true;
    check_loop("flores by run", &d, 1e-5);
    begin(&d, "lankarani-nikravesh-1994", 0.046, 0.3);
    give(&d, "stiffness", 5.5e9);
    give(&d, "restitution", 0.5);
    check_loop("permanent", &d, 1e-5);
    begin(&d, "kelvin-voigt", 1, 0.5);
    give(&d, "stiffness", 1e6);
    give(&d, "damping", 600);
    check_loop("kelvin-voigt", &d, 1e-5);
}

/* ---- no release, refusals ---- */

static void test_no_release(void **state)
{
    (void)state;
    static const double damping[] = {2000.001, 2100, 4000, 1e5};
    carom_impact_solution s;
    for (size_t k = 0; k < COUNT(damping); k++) {
        definition d;
        begin(&d, "kelvin-voigt", 1, 0.5);
        give(&d, "stiffness", 1e6);
        give(&d, "damping", damping[k]);
        d.def.law.release = "raw";
        solve_or_fail("overdamped", &d.def, &s);
        assert_false(s.released);
        assert_non_null(strstr(s.note, "not released"));
        assert_true(isnan(s.v_out) && isnan(s.duration) && isnan(s.e_got) && s.max_indentation > 0);
        /* without tension it flies off when the force has gone: m delta'' = 0 from F = 0 */
        d.def.law.release = "clamp";
        solve_or_fail("overdamped", &d.def, &s);
        assert_true(s.released && s.v_out > 0 && s.duration < s.duration_to_zero);
        /* K delta = D |rate| at the end, both on the slow branch of the overdamped motion */
        assert_true(s.peak_force == damping[k] * 0.5 && s.peak_indentation == 0 && s.peak_rate == 0.5);
    }
}

static void refuse(const definition *d, carom_status status, const char *part)
{
    carom_impact_solution s;
    carom_status got = carom_impact_solve(ctx, &d->def, &s);
    if (got != status)
        fail_msg("status %d, not %d: %s", got, status, carom_context_error(ctx));
    if (!strstr(carom_context_error(ctx), part))
        fail_msg("'%s' does not say '%s'", carom_context_error(ctx), part);
    carom_impact_solution_free(ctx, &s);
}

static void test_refusals(void **state)
{
    (void)state;
    definition d;
    begin(&d, "flores", 1, 0.3);
    refuse(&d, CAROM_ERROR_MODEL, "law 'flores'");
    give(&d, "stiffness", 1e9);
    refuse(&d, CAROM_ERROR_MODEL, "law 'flores': flores needs 'restitution'");
    give(&d, "restitution", 1.2);
    refuse(&d, CAROM_ERROR_MODEL, "law 'flores': restitution is 1.2; it must be above 0 and at most 1");
    d.def.law.law = "florse";
    refuse(&d, CAROM_ERROR_MODEL, "did you mean 'flores'?");
    d.def.law.law = "flores";
    d.items[1].value.number[0] = 0.7;
    give(&d, "restitution", 0.7);
    refuse(&d, CAROM_ERROR_MODEL, "restitution is given twice");
    d.def.law.params.count--;
    d.def.mass = 0;
    refuse(&d, CAROM_ERROR_USAGE, "mass");
    d.def.mass = 1;
    d.def.speed = -1;
    refuse(&d, CAROM_ERROR_USAGE, "speed");
    d.def.speed = 1;
    d.def.loop = 2;
    refuse(&d, CAROM_ERROR_USAGE, "3 points");
    /* beyond the indentation where Johnson's relation ends */
    for (int damped = 0; damped < 2; damped++) {
        begin(&d, "johnson", 10, 100);
        d.def.law.damping = damped ? "flores" : NULL;
        give_steel(&d, 9.5e-3, -9.6e-3, 10e-3);
        give(&d, "restitution", 0.9);
        refuse(&d, CAROM_ERROR_MODEL, "up to which elastic part johnson holds");
        d.def.integrate = true;
        refuse(&d, CAROM_ERROR_MODEL, "up to which elastic part johnson holds");
    }
    begin(&d, "hertz", 1, 1);
    give(&d, "E_i", 2e11);
    refuse(&d, CAROM_ERROR_MODEL, "needs 'radius_i'");
}

/* ---- force ---- */

static void test_force(void **state)
{
    (void)state;
    const json *group = json_get(contact, "groups.impact");
    double largest = 0;
    size_t samples = 0;
    for (size_t k = 0; k < json_size(group); k++) {
        const json *one = json_item(group, k), *list = json_member(one, "samples");
        const char *name = json_text(json_member(one, "law"));
        char text[64];
        definition d;
        define_impact(&d, one, law_of(name, text, sizeof text));
        carom_law *law;
        if (carom_law_compile(ctx, &d.def.law, &law) != CAROM_OK)
            fail_msg("%s: %s", name, carom_context_error(ctx));
        bool permanent = carom_law_get_info(law).has_history;
        for (size_t s = 0; s < json_size(list); s++) {
            const json *at = json_item(list, s);
            double rate = number_at(at, "ddot"), expected = number_at(at, "F");
            const carom_law_input in = {number_at(at, "delta"), rate, d.def.speed, d.def.mass,
                                        permanent && rate < 0 ? number_at(one, "impact.dmax") : 0};
            carom_law_output out;
            assert_int_equal(carom_law_force(law, &in, &out), CAROM_OK);
            assert_true(out.force == out.elastic + out.damping);
            /* the permanent indentation of the reference is that of its impact, whose depth is known to rounding
               only */
            double scale = permanent && rate < 0 ? number_at(one, "impact.Fmax") : fmax(fabs(expected), out.elastic);
            largest = fmax(largest, fabs(out.force - expected) / scale);
            samples++;
        }
        carom_law_free(law);
    }
    printf("force            %zu samples, largest error %.2g\n", samples, largest);
    assert_true(samples > 5000 && largest < 1e-12);
}

/* ---- memory ---- */

/* Each allocation fails once: the call says so, and nothing is left. */
static void test_out_of_memory(void **state)
{
    (void)state;
    for (int integrate = 0; integrate < 2; integrate++) {
        size_t failed = 0;
        for (size_t n = 1;; n++) {
            trial_allocator a = {0};
            carom_context *failing = trial_context(&a);
            assert_non_null(failing);
            size_t blocks = a.blocks, bytes = a.bytes;
            definition d;
            begin(&d, "flores", 0.046, 0.3);
            give(&d, "stiffness", 5.5e9);
            give(&d, "restitution", 0.5);
            d.def.loop = 11;
            d.def.integrate = integrate;
            a.calls = 0;
            a.fail_at = n;
            carom_impact_solution s;
            carom_status status = carom_impact_solve(failing, &d.def, &s);
            carom_impact_solution_free(failing, &s);
            bool injected = a.calls >= n;
            if (status != CAROM_OK && (status != CAROM_ERROR_MEMORY || !injected))
                fail_msg("allocation %zu: %s", n, carom_context_error(failing));
            failed += status == CAROM_ERROR_MEMORY;
            assert_true(a.blocks == blocks && a.bytes == bytes && !a.misuses);
            carom_context_free(failing);
            if (!injected)
                break;
        }
        printf("out of memory    %s: %zu allocations\n", integrate ? "integrated" : "exact", failed);
        assert_true(failed >= 3);
    }
}

static int open_all(void **state)
{
    (void)state;
    contact = reference_open("contact.json");
    return contact && carom_context_create(NULL, &ctx) == CAROM_OK ? 0 : -1;
}

static int close_all(void **state)
{
    (void)state;
    print_margins();
    json_free(contact);
    carom_context_free(ctx);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_impacts),    cmocka_unit_test(test_integrated),
        cmocka_unit_test(test_cylinders),  cmocka_unit_test(test_cylinders_integrated),
        cmocka_unit_test(test_general),    cmocka_unit_test(test_loops),
        cmocka_unit_test(test_no_release), cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_force),      cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
