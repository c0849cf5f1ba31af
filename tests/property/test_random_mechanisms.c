/* Random mechanisms by the defaults: the ledger closes, momentum is kept where nothing acts from outside, and the
   motion is the same at a tenth of the tolerance, turned, moved, mirrored, in other units of length and mass, with
   other names in another order, in the other formulation, by another integrator; a run that is resumed gives the
   same bits. What fails is made smaller until nothing more can be left out, and printed as a model file. Those that
   once failed are run each time. CAROM_SEED=N prints one of them and runs all checks, CAROM_SEEDS=N+COUNT so many from
   N on, CAROM_TEST_ALL=1 a hundred thousand. */
#include "carom_test.h"

#include <math.h>

#include "base/base.h"
#include "carom/simulation.h"
#include "support/mechanism.h"
#include "support/sample.h"
#include "support/scaled.h"

#define SAMPLES 12
#define TOLERANCE 1e-9
/* Ledger's residual over the peak of the energies, momentum over the sum of its parts. */
#define ENERGY 1e-5
#define MOMENTUM 1e-6
#define RESTING 1e-13 /* [J] */
#define STILL 1e-9    /* [m/s], [rad/s] */
/* Differences of motions: so many times the tolerance, so many times what a tenth of it changes; beyond the last one
   the motion is chaotic and says nothing. */
#define TOLERANCES 2000
#define OWN 100
#define CHAOTIC 1e-5

enum { LENGTH_SCALE, MASS_SCALE };
static const double scale[2] = {1e-3, 1e-2};

/* ---- a run ---- */

typedef struct motion {
    bool refused;
    char error[300];
    double time[SAMPLES];
    carom_body_state body[SAMPLES][MECHANISM_BODIES];
    double residual, momentum, angular; /* shares of their parts */
    size_t impacts;
    uint64_t steps;
} motion;

typedef enum check {
    CHECK_RUNS,
    CHECK_ENERGY,
    CHECK_MOMENTUM,
    CHECK_RESUMED,
    CHECK_TURNED,
    CHECK_MOVED,
    CHECK_MIRRORED,
    CHECK_UNITS,
    CHECK_RENAMED,
    CHECK_FORMULATION,
    CHECK_INTEGRATOR,
    CHECKS
} check;

static const char *const check_names[CHECKS] = {"the run ends as it should",
                                                "the ledger closes",
                                                "momentum is kept",
                                                "resumed, it is the same",
                                                "turned, it is the same",
                                                "moved, it is the same",
                                                "mirrored, it is the same",
                                                "in other units, it is the same",
                                                "renamed, it is the same",
                                                "in the other formulation it is the same",
                                                "by another integrator it is the same"};

static char text[MECHANISM_TEXT];

static carom_vec3 vec(const double *v) { return carom_v3(v[0], v[1], v[2]); }

static carom_mat3 axes_of(const mechanism *m, const carom_body_state *b)
{
    if (m->dimension == 2)
        return test_turn_z(b->angle);
    return carom_quat_matrix((carom_quat){b->orientation[0], b->orientation[1], b->orientation[2], b->orientation[3]});
}

/* Momentum and angular momentum about the origin at a sample, and the sums of their parts. */
static void momentum_at(const mechanism *m, const motion *r, int n, carom_vec3 out[2], double parts[2])
{
    out[0] = out[1] = carom_v3(0, 0, 0);
    parts[0] = parts[1] = 0;
    for (int k = 0; k < m->body_count; k++) {
        const mechanism_body *b = &m->body[k];
        const carom_body_state *s = &r->body[n][k];
        if (b->left_out)
            continue;
        const carom_mat3 axes = axes_of(m, s);
        const carom_vec3 w = carom_m3_apply_t(&axes, vec(s->angular_velocity));
        const carom_vec3 p = carom_v3_scale(b->mass, vec(s->velocity)), about = carom_v3_cross(vec(s->position), p);
        const carom_vec3 turn =
            carom_m3_apply(&axes, carom_v3(b->inertia[0] * w.x, b->inertia[1] * w.y, b->inertia[2] * w.z));
        out[0] = carom_v3_add(out[0], p);
        out[1] = carom_v3_add(out[1], carom_v3_add(about, turn));
        parts[0] += carom_v3_norm(p);
        parts[1] += carom_v3_norm(about) + carom_v3_norm(turn);
    }
}

static void drift_of_momentum(const mechanism *m, motion *r)
{
    carom_vec3 first[2], now[2];
    /* what rests has rounding for a momentum */
    double parts[2], most[2] = {1e-3, 1e-3}, drift[2] = {0};
    momentum_at(m, r, 0, first, parts);
    for (int n = 0; n < SAMPLES; n++) {
        momentum_at(m, r, n, now, parts);
        for (int k = 0; k < 2; k++) {
            most[k] = fmax(most[k], parts[k]);
            drift[k] = fmax(drift[k], carom_v3_norm(carom_v3_sub(now[k], first[k])));
        }
    }
    r->momentum = drift[0] / most[0];
    r->angular = drift[1] / most[1];
}

static bool refuse(carom_context *ctx, motion *r)
{
    r->refused = true;
    snprintf(r->error, sizeof r->error, "%s", carom_context_error(ctx));
    return false;
}

/* Steps after which a run is given up. */
#define MANY_STEPS 500000

static bool few_steps(void *user, const carom_progress *progress)
{
    (void)user;
    return progress->steps < MANY_STEPS;
}

/* Whether a run has said that an indentation is more than a contact law is made for: the deepest point of such solids
   may go to and fro between places at each step. */
static bool too_deep(const carom_simulation *sim)
{
    size_t count = 0;
    const char *const *warnings = sim ? carom_simulation_warnings(sim, &count) : NULL;
    for (size_t k = 0; k < count; k++)
        if (strstr(warnings[k], "[W16]"))
            return true;
    return false;
}

static const char too_deep_text[] = "deeper than the laws are made for";
static bool too_deep_for(const motion *r) { return r->refused && strcmp(r->error, too_deep_text) == 0; }

/* Samples the run from where it stands; false: it ends with an error. */
static bool sample(carom_context *ctx, const mechanism *m, const mechanism_view *view, carom_simulation *sim, int first,
                   motion *r)
{
    for (int n = first; n < SAMPLES; n++) {
        if (carom_simulation_advance(sim, r->time[n] = m->until * n / (SAMPLES - 1)) != CAROM_OK)
            return refuse(ctx, r);
        for (int k = 0; k < m->body_count; k++) {
            char name[16];
            size_t body;
            if (m->body[k].left_out)
                continue;
            assert_ok(ctx, carom_simulation_find_body(sim, mechanism_name(view, k, name, sizeof name), &body));
            assert_ok(ctx, carom_simulation_body(sim, body, &r->body[n][k]));
        }
    }
    return true;
}

/* Goes on from a checkpoint at sample `at`, in a simulation of its own. */
static bool resume(carom_context *ctx, const mechanism *m, const mechanism_view *view, const carom_model *model, int at,
                   motion *r)
{
    carom_simulation *sims[2] = {NULL, NULL};
    const carom_simulation_def def = carom_default_simulation_def();
    unsigned char *bytes = NULL;
    size_t size = 0;
    motion whole = *r;
    assert_ok(ctx, carom_simulation_create(ctx, model, &def, &sims[0]));
    assert_ok(ctx, carom_simulation_create(ctx, model, &def, &sims[1]));
    bool good = carom_simulation_advance(sims[0], m->until * at / (SAMPLES - 1)) == CAROM_OK &&
                carom_simulation_checkpoint(sims[0], &bytes, &size) == CAROM_OK &&
                carom_simulation_resume(sims[1], bytes, size) == CAROM_OK;
    if (good)
        good = sample(ctx, m, view, sims[0], at, &whole) && sample(ctx, m, view, sims[1], at, r);
    if (!good)
        refuse(ctx, r);
    carom_bytes_free(ctx, bytes, size);
    carom_simulation_free(sims[0]);
    carom_simulation_free(sims[1]);
    return good && memcmp(whole.body, r->body, sizeof r->body) == 0;
}

/* Whether nothing moves, as where the joints hold all coordinates. */
static bool holds_still(const mechanism *m, const motion *r)
{
    double fastest = 0;
    for (int n = 0; n < SAMPLES; n++)
        for (int k = 0; k < m->body_count; k++)
            if (!m->body[k].left_out)
                fastest = fmax(fastest, fmax(carom_v3_norm(vec(r->body[n][k].velocity)),
                                             carom_v3_norm(vec(r->body[n][k].angular_velocity))));
    return fastest < STILL;
}

static void finish(const mechanism *m, carom_simulation *sim, motion *r)
{
    const carom_ledger ledger = carom_simulation_ledger(sim);
    /* where nothing moves it is rounding of what the joints hold, over rounding */
    const bool rounding = fabs(ledger.residual) < RESTING || holds_still(m, r);
    r->residual = rounding ? 0 : ledger.residual_fraction;
    r->steps = carom_simulation_statistics(sim).steps;
    carom_simulation_impacts(sim, &r->impacts);
    drift_of_momentum(m, r);
}

/* Runs a mechanism in a view, in units of `length` and `mass`; `at` >= 0: only whether it is the same when it is
   resumed from there. */
static bool run(const mechanism *m, const mechanism_view *view, double length, double mass, int at, motion *r)
{
    carom_context *ctx = new_context();
    carom_arena arena;
    carom_document *document = NULL;
    carom_model *model = NULL;
    carom_simulation *sim = NULL;
    carom_simulation_def def = carom_default_simulation_def();
    def.progress = few_steps;
    memset(r, 0, sizeof *r);
    carom_arena_init(&arena, ctx);
    mechanism_write(m, view, text);
    bool good = carom_document_parse(ctx, "mechanism", text, strlen(text), NULL, 0, &document) == CAROM_OK;
    if (!good)
        fail_msg("%s\n%s", carom_context_error(ctx), text);
    carom_spec spec = *carom_document_spec(document);
    if (length != 1 || mass != 1)
        spec = scaled_spec(ctx, &arena, &spec, length, mass);
    good = carom_model_compile(ctx, &spec, &model) == CAROM_OK;
    if (good && at >= 0)
        good = resume(ctx, m, view, model, at, r);
    else if (good)
        good = carom_simulation_create(ctx, model, &def, &sim) == CAROM_OK && sample(ctx, m, view, sim, 0, r);
    if (good && at < 0)
        finish(m, sim, r);
    if (!good && !r->refused && at < 0)
        refuse(ctx, r);
    if (r->refused && strstr(r->error, "interrupted") && too_deep(sim))
        snprintf(r->error, sizeof r->error, "%s", too_deep_text);
    carom_simulation_free(sim);
    carom_model_free(model);
    carom_document_free(document);
    carom_arena_free(&arena);
    carom_context_free(ctx);
    return good;
}

/* ---- comparison ---- */

/* The largest difference of two motions at a sample, of the largest value of its kind so far; `b` is seen in a view, in
   units of `length`. */
static double difference(const mechanism *m, const motion *a, const motion *b, const mechanism_view *view,
                         double length, int n)
{
    double off = 0, size[3] = {1, 0.1, 0.1};
    for (int i = 0; i <= n; i++)
        for (int k = 0; k < m->body_count; k++) {
            size[0] = fmax(size[0], m->body[k].left_out ? 0 : carom_v3_norm(vec(a->body[i][k].position)));
            size[1] = fmax(size[1], m->body[k].left_out ? 0 : carom_v3_norm(vec(a->body[i][k].velocity)));
            size[2] = fmax(size[2], m->body[k].left_out ? 0 : carom_v3_norm(vec(a->body[i][k].angular_velocity)));
        }
    for (int k = 0; k < m->body_count; k++) {
        const carom_body_state *x = &a->body[n][k], *y = &b->body[n][k];
        if (m->body[k].left_out)
            continue;
        const carom_mat3 own = axes_of(m, x), seen = mechanism_axes(view, &own), other = axes_of(m, y);
        const carom_vec3 place = mechanism_place(view, vec(x->position)),
                         speed = mechanism_vector(view, vec(x->velocity));
        const carom_vec3 spin = mechanism_spin(view, vec(x->angular_velocity));
        off = fmax(off, carom_v3_norm(carom_v3_sub(place, carom_v3_scale(1 / length, vec(y->position)))) / size[0]);
        off = fmax(off, carom_v3_norm(carom_v3_sub(speed, carom_v3_scale(1 / length, vec(y->velocity)))) / size[1]);
        off = fmax(off, carom_v3_norm(carom_v3_sub(spin, vec(y->angular_velocity))) / size[2]);
        for (int c = 0; c < 3; c++)
            off = fmax(off, carom_v3_norm(carom_v3_sub(carom_m3_column(&seen, c), carom_m3_column(&other, c))));
    }
    return off;
}

/* Whether two motions are the same, as far as what a tenth of the tolerance changes lets that be seen; the worst
   share of what is allowed. */
static double compare(const mechanism *m, const motion *a, const motion *finer, const motion *by_other, const motion *b,
                      const mechanism_view *view, double length)
{
    const mechanism_view same = mechanism_as_is();
    /* a sample within an impact shows small times as large speeds: two in a row count */
    double worst = 0, own = 0, before = 0;
    if (a->refused || finer->refused || b->refused)
        return a->refused == b->refused ? 0 : HUGE_VAL;
    for (int n = 0; n < SAMPLES; n++) {
        /* that of the sample behind as well: what rattles in a clearance parts quickly */
        const int behind = n + 1 < SAMPLES ? n + 1 : n;
        own = fmax(own, difference(m, a, finer, &same, 1, behind));
        own = by_other && !by_other->refused ? fmax(own, difference(m, a, by_other, &same, 1, behind)) : own;
        if (own > CHAOTIC)
            return worst;
        const double off = difference(m, a, b, view, length, n) / (TOLERANCES * TOLERANCE + OWN * own);
        worst = isnan(off) ? HUGE_VAL : fmax(worst, fmin(off, before));
        before = off;
    }
    return worst;
}

/* ---- checks ---- */

static const char *const integrators[] = {"dopri5", "bdf", "adams", "dop853"};

static mechanism_view view_of(const mechanism *m, check what)
{
    uint64_t seed = 77 * (m->seed + 1);
    mechanism_view view = mechanism_as_is();
    view.tolerance = TOLERANCE;
    if (what == CHECK_TURNED)
        view.turn = test_random_axes(&seed, m->dimension);
    if (what == CHECK_MOVED)
        view.move = test_random_vector(&seed, m->dimension, 2);
    view.mirror = what == CHECK_MIRRORED;
    view.reversed = what == CHECK_RENAMED;
    if (what == CHECK_FORMULATION)
        view.formulation = "tree";
    /* whose errors are another part of the tolerance; explicit ones take hundreds of thousands of steps for lugre */
    if (what == CHECK_INTEGRATOR) {
        view.tolerance = TOLERANCE / 10;
        view.integrator = integrators[m->seed % CAROM_COUNT(integrators)];
        for (int k = 0; k < m->contact_count; k++)
            if (m->contact[k].friction && strcmp(m->contact[k].friction, "lugre") == 0)
                view.integrator = "bdf";
    }
    return view;
}

typedef struct base {
    motion own, finer;
    bool has_finer;
} base;

/* What cannot be assembled is refused. A motion ends at its dead centre, a bushing at half a turn, a slider that jams
   where it jams, bodies that lie too deep in each other; no other run ends so. */
static bool may_end(const char *error)
{
    return !strstr(error, "t = ") || strstr(error, "the motion of joint") || strstr(error, "half a turn") ||
           strstr(error, "the joint locks or jams") || strstr(error, " in each other, ");
}

/* The share of what is allowed that a check needs: more than 1 is a failure. */
static double share(const mechanism *m, check what, base *b, char *note, size_t size)
{
    static motion other;
    mechanism_view view = view_of(m, what);
    const bool units = what == CHECK_UNITS;
    note[0] = '\0';
    if (what == CHECK_RUNS) {
        snprintf(note, size, "%s", b->own.error);
        return b->own.refused && !may_end(b->own.error) ? HUGE_VAL : 0;
    }
    if (b->own.refused)
        return 0;
    if (what == CHECK_ENERGY) {
        snprintf(note, size, "residual %.3g", b->own.residual);
        return b->own.residual / ENERGY;
    }
    if (what == CHECK_MOMENTUM) {
        snprintf(note, size, "%.3g, angular %.3g", b->own.momentum, b->own.angular);
        return m->floats ? fmax(b->own.momentum, b->own.angular) / MOMENTUM : 0;
    }
    if (what == CHECK_RESUMED) {
        const bool same = run(m, &view, 1, 1, 1 + (int)(m->seed % (SAMPLES - 2)), &other);
        snprintf(note, size, "%s", other.error);
        return same ? 0 : HUGE_VAL;
    }
    if (!b->has_finer) {
        mechanism_view finer = mechanism_as_is();
        finer.tolerance = TOLERANCE / 10;
        run(m, &finer, 1, 1, -1, &b->finer);
        b->has_finer = true;
    }
    run(m, &view, units ? scale[LENGTH_SCALE] : 1, units ? scale[MASS_SCALE] : 1, -1, &other);
    snprintf(note, size, "%s%s", b->finer.error, other.error);
    /* an explicit method may need too many steps for friction that creeps, and any one where it goes too deep */
    if (other.refused && ((what == CHECK_INTEGRATOR && strstr(other.error, "interrupted")) || too_deep_for(&other)))
        return 0;
    /* fixed joints hold all bodies, and leave joint coordinates nothing */
    if (what == CHECK_FORMULATION && other.refused && strstr(other.error, "has no unknowns"))
        return 0;
    const double length = units ? scale[LENGTH_SCALE] : 1,
                 found = compare(m, &b->own, &b->finer, NULL, &other, &view, length);
    if (found <= 1 || what == CHECK_INTEGRATOR)
        return found;
    /* where a motion grazes a threshold of a law, runs of one method may all be on one side of it */
    static motion by_other;
    mechanism_view same = mechanism_as_is();
    same.tolerance = TOLERANCE / 10;
    same.integrator = "dopri5";
    run(m, &same, 1, 1, -1, &by_other);
    return compare(m, &b->own, &b->finer, &by_other, &other, &view, length);
}

static bool fails(const mechanism *m, check what, char *note, size_t size)
{
    static base b;
    const mechanism_view view = view_of(m, CHECK_RUNS);
    b.has_finer = false;
    run(m, &view, 1, 1, -1, &b.own);
    return !(share(m, what, &b, note, size) <= 1);
}

/* The smallest mechanism that still fails, printed. */
static void shrink(mechanism m, check what)
{
    char note[700];
    bool less = true;
    while (less) {
        less = false;
        for (int k = 0; k < mechanism_parts(&m); k++) {
            mechanism smaller = m;
            if (mechanism_leave_out(&smaller, k) && fails(&smaller, what, note, sizeof note)) {
                m = smaller;
                less = true;
            }
        }
    }
    fails(&m, what, note, sizeof note);
    const mechanism_view view = view_of(&m, what);
    mechanism_write(&m, &view, text);
    print_message("seed %llu: not so that %s; %s\n", (unsigned long long)m.seed, check_names[what], note);
    fputs(text, stderr); /* print_message() ends long texts */
}

/* ---- the test ---- */

static double worst[CHECKS];
static int refused, made, impacts;

/* The first checks of all, and some of the others; returns what is wrong. */
static int look_at(uint64_t seed, bool all)
{
    static base b;
    const mechanism m = mechanism_random(seed);
    const mechanism_view view = view_of(&m, CHECK_RUNS);
    char note[700];
    b.has_finer = false;
    if (getenv("CAROM_SEED")) {
        mechanism_write(&m, &view, text);
        fputs(text, stderr);
    }
    run(&m, &view, 1, 1, -1, &b.own);
    made++;
    refused += b.own.refused;
    impacts += b.own.impacts > 0;
    for (int k = 0; k < CHECKS; k++) {
        if (!all && k > CHECK_MOMENTUM && (k + (int)seed) % 4)
            continue;
        const double needed = share(&m, (check)k, &b, note, sizeof note);
        worst[k] = fmax(worst[k], needed <= 1 ? needed : 0);
        if (!(needed <= 1)) {
            print_message("seed %llu, %d bodies, %llu steps: %s: %.3g of what is allowed; %s\n",
                          (unsigned long long)seed, m.body_count, (unsigned long long)b.own.steps, check_names[k],
                          needed, note);
            shrink(m, (check)k);
            return 1;
        }
    }
    return 0;
}

static const uint64_t mended[] = {140,   243,   809,   1521,  3982,  6542,  6723,  7127,  8444,  9486,  10109, 11612,
                                  17104, 20417, 21076, 21096, 25832, 30003, 30555, 30768, 46743, 51636, 77660, 88497};

static void mended_ones_are_what_they_are(void **state)
{
    (void)state;
    int bad = 0;
    if (getenv("CAROM_SEED") || getenv("CAROM_SEEDS"))
        skip();
    for (size_t k = 0; k < CAROM_COUNT(mended); k++)
        bad += sample_turn((int)k, 1, 3) && look_at(mended[k], true);
    if (bad)
        fail_msg("%d of %zu mechanisms that were mended are not what they are", bad, CAROM_COUNT(mended));
}

static void mechanisms_are_what_they_are(void **state)
{
    (void)state;
    const char *one = getenv("CAROM_SEED"), *many = getenv("CAROM_SEEDS");
#ifdef __SANITIZE_ADDRESS__
    int count = 20, bad = 0;
#else
    int count = 200, bad = 0;
#endif
    const int turn = one || many ? 0 : sample_first(100000, &count);
    const uint64_t first = one || many ? (uint64_t)strtoull(one ? one : many, NULL, 10) : (uint64_t)turn;
    const char *behind = many ? strchr(many, '+') : NULL;
    count = one ? 1 : behind ? atoi(behind + 1) : count;
    for (int k = 0; k < count; k++)
        bad += look_at((first + (uint64_t)k) % 100000, one || sample_all());
    print_message("%d mechanisms from seed %llu on, %d with impacts, %d refused\n", made, (unsigned long long)first,
                  impacts, refused);
    for (int k = 0; k < CHECKS; k++)
        print_message("%-45s %.2g of what is allowed\n", check_names[k], worst[k]);
    if (bad)
        fail_msg("%d of %d mechanisms are not what they are", bad, made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(mechanisms_are_what_they_are),
                                       cmocka_unit_test(mended_ones_are_what_they_are)};
    return cmocka_run_group_tests_name("random_mechanisms", tests, NULL, NULL);
}
