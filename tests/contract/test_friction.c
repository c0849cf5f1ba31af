/* Every friction law of the registry: what any of them must hold, and the laws of motion that some promise.
   Kinds: coulomb, karnopp, threlfall, bengisu-akay, ambrosio, brown-mcphee, hollars, andersson, dahl, lugre, gonthier,
   mindlin. */
#include "carom_test.h"

#include <math.h>

#include "base/base.h"
#include "support/friction.h"
#include "support/kinds.h"

#define MU_K 0.3
#define MU_S 0.5
#define SIGMA0 1e5
#define ORDINARY "kinetic=0.3 static=0.5 bristle_stiffness=1e5"

static uint64_t seed = 20240416;

/* Uniform in [0, 1). */
static double uniform(void)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(seed >> 11) * 0x1p-53;
}

static double between(double low, double high) { return low + (high - low) * uniform(); }
static double decades(double low, double high) { return low * pow(high / low, uniform()); }

static test_friction law_of(const char *name, const char *given)
{
    test_friction law;
    const char *refusal = test_friction_make(&law, name, given);
    if (refusal)
        fail_msg("%s: %s", name, refusal);
    return law;
}

static size_t count(void) { return carom_kind_count(every_kind(), CAROM_FAMILY_FRICTION); }

static test_friction law_at(size_t k)
{
    return law_of(carom_kind_at(every_kind(), CAROM_FAMILY_FRICTION, k)->name, ORDINARY);
}

static double static_of(const test_friction *law)
{
    return carom_kind_param_offset(&law->kind->kind, "static") >= 0 ? MU_S : MU_K;
}

/* A vector of the tangent plane, here x and y. */
static carom_vec3 flat(double size, double angle) { return carom_v3(size * cos(angle), size * sin(angle), 0); }

/* Hertzian contact with K = 1e9 N/m^1.5 at an indentation: elastic force, slope and, here, the normal force. */
static carom_friction_input pressed(double delta, carom_vec3 slip, const double *state)
{
    double force = 1e9 * pow(delta, 1.5);
    return (carom_friction_input){.slip = slip,
                                  .speed = carom_v3_norm(slip),
                                  .normal = force,
                                  .delta = delta,
                                  .elastic = force,
                                  .elastic_slope = 1.5 * force / delta,
                                  .state = state};
}

static double stiffness_of(const test_friction *law, const carom_friction_input *in)
{
    return strcmp(law->kind->kind.name, "mindlin") == 0 ? 1.4 / 1.7 * in->elastic_slope : SIGMA0 * in->normal;
}

/* ---- tables ---- */

static void test_contract(void **state)
{
    (void)state;
    static const char *const expected[] = {"coulomb",  "karnopp",      "threlfall", "bengisu-akay",
                                           "ambrosio", "brown-mcphee", "hollars",   "andersson",
                                           "dahl",     "lugre",        "gonthier",  "mindlin"};
    assert_true(count() >= CAROM_COUNT(expected));
    for (size_t k = 0; k < CAROM_COUNT(expected); k++)
        assert_non_null(carom_kind_find(every_kind(), CAROM_FAMILY_FRICTION, expected[k]));
    for (size_t k = 0; k < count(); k++) {
        test_friction law = law_at(k);
        const carom_friction_kind *kind = law.kind;
        assert_true(kind->state == 0 || kind->state == 3 || kind->state == 4);
        assert_true(kind->state ? !kind->map && kind->force && kind->scale : kind->map && !kind->force);
        assert_true(kind->set_valued ? kind->stick_speed && CAROM_KIND_CALL(kind, stick_speed, law.c) > 0
                                : !kind->stick_speed);
        assert_true(CAROM_KIND_CALL(kind, cone, law.c) > 0 && CAROM_KIND_CALL(kind, cone, law.c) <= static_of(&law));
        if (kind->state)
            assert_true(CAROM_KIND_CALL(kind, scale, law.c, 0) > 0 && isfinite(CAROM_KIND_CALL(kind, scale, law.c, 0)));
    }
}

static void test_refusals(void **state)
{
    (void)state;
    test_friction law;
    for (size_t k = 0; k < count(); k++) {
        const char *name = carom_kind_at(every_kind(), CAROM_FAMILY_FRICTION, k)->name;
        assert_null(test_friction_make(&law, name, "kinetic=0.3"));
        bool rest = carom_kind_param_offset(&law.kind->kind, "static") >= 0;
        assert_true(law.c[CAROM_FRICTION_STATIC] == 0.3);
        assert_int_equal(test_friction_make(&law, name, "kinetic=0.3 static=0.2") != NULL, rest);
    }
    assert_non_null(test_friction_make(&law, "ambrosio", "kinetic=0.3 transition_speed=0.1 full_speed=0.1"));
    assert_non_null(test_friction_make(&law, "gonthier", "kinetic=0.3 stribeck_speed=1e-3 bristle_damping=149"));
    assert_null(test_friction_make(&law, "gonthier", "kinetic=0.3 stribeck_speed=1e-3 bristle_damping=151"));
}

/* ---- static maps ---- */

static void test_maps(void **state)
{
    (void)state;
    for (size_t k = 0; k < count(); k++) {
        test_friction law = law_at(k);
        if (!law.kind->map)
            continue;
        double cone = CAROM_KIND_CALL(law.kind, cone, law.c), greatest = 0, steepest = 0;
        for (int i = 0; i < 20000; i++) {
            double speed = decades(1e-12, 1e3), normal = decades(1e-6, 1e9),
                   f = CAROM_KIND_CALL(law.kind, map, law.c, speed, normal);
            assert_true(f >= 0 && f <= cone * normal * (1 + 1e-15));
            greatest = fmax(greatest, f / normal);
            steepest = fmax(steepest, f / normal / speed);
            /* the force of a smooth law is a number times the load */
            assert_true(fabs(CAROM_KIND_CALL(law.kind, map, law.c, speed, 2 * normal) - 2 * f) <= 4e-16 * f);
        }
        assert_true(CAROM_KIND_CALL(law.kind, map, law.c, 0, 7) == (law.kind->set_valued ? static_of(&law) * 7 : 0));
        assert_true(CAROM_KIND_CALL(law.kind, map, law.c, 1e-3, 0) == 0 &&
                    CAROM_KIND_CALL(law.kind, map, law.c, 0, 0) == 0);
        assert_true(isfinite(CAROM_KIND_CALL(law.kind, map, law.c, 1e300, 1)));
        printf("%-13s cone %.4f, reached to %.5f\n", law.kind->kind.name, cone, greatest);
        if (law.kind->set_valued) {
            assert_true(CAROM_KIND_CALL(law.kind, map, law.c, 5e-324, 7) == MU_K * 7);
        } else { /* finite slope at rest: at most 4 mu_k + 16/9 (mu_s - mu_k) over the 1e-3 m/s of the defaults */
            assert_true(greatest > 0.95 * cone);
            assert_true(steepest <= 1.6 / 1e-3);
            assert_true(CAROM_KIND_CALL(law.kind, map, law.c, 1e-320, 1) < 1e-300);
        }
    }
}

/* ---- isotropy ---- */

static carom_mat3 random_rotation(void)
{
    carom_quat q = {between(-1, 1), between(-1, 1), between(-1, 1), between(-1, 1)};
    return carom_quat_matrix(q);
}

/* Turned slip and state give the turned force and rate, whatever the plane; both lie in the plane. */
static void test_isotropy(void **state)
{
    (void)state;
    for (size_t k = 0; k < count(); k++) {
        test_friction law = law_at(k);
        double worst = 0, scatter = 0;
        for (int i = 0; law.kind->state && i < 20000; i++) {
            double delta = decades(1e-8, 1e-4), z[4] = {0}, turned[4];
            carom_friction_input in = pressed(delta, flat(decades(1e-6, 10), between(0, 7)), z), out = in;
            double reach = MU_S * in.normal / stiffness_of(&law, &in);
            carom_vec3 xi = flat(reach * between(0, 1.2), between(0, 7));
            carom_mat3 q = random_rotation();
            carom_vec3 there = carom_m3_apply(&q, xi), normal = carom_m3_column(&q, 2);
            carom_friction_store(xi, z);
            carom_friction_store(there, turned);
            z[3] = turned[3] = uniform();
            out.rate = in.rate = between(-1, 1) * in.speed;
            out.slip = carom_m3_apply(&q, in.slip);
            out.speed = carom_v3_norm(out.slip);
            out.state = turned;
            carom_friction_force a, b;
            CAROM_KIND_CALL(law.kind, force, law.c, &in, &a);
            CAROM_KIND_CALL(law.kind, force, law.c, &out, &b);
            carom_vec3 ra = carom_v3_load(a.rate), rb = carom_v3_load(b.rate);
            carom_vec3 force = carom_v3_sub(carom_m3_apply(&q, a.force), b.force);
            carom_vec3 rate = carom_v3_sub(carom_m3_apply(&q, ra), rb);
            worst = fmax(worst, carom_v3_norm(force) / (MU_S * in.normal));
            worst = fmax(worst, carom_v3_norm(rate) / fmax(carom_v3_norm(ra), in.speed));
            if (law.kind->state > 3)
                worst = fmax(worst, fabs(a.rate[3] - b.rate[3]) / fmax(fabs(a.rate[3]), 1));
            scatter = fmax(scatter, fabs(carom_v3_dot(b.force, normal)) / (MU_S * in.normal));
            scatter = fmax(scatter, fabs(carom_v3_dot(rb, normal)) / fmax(carom_v3_norm(ra), in.speed));
            assert_true(a.force.z == 0 && a.rate[2] == 0);
        }
        if (law.kind->state)
            printf("%-9s isotropic to %.1e, out of the plane %.1e\n", law.kind->kind.name, worst, scatter);
        assert_true(worst < 1e-12 && scatter < 1e-12);
    }
}

/* ---- energy, cone: at every state ---- */

/* With V the energy of the deflected spring, the power of friction less dV/dt is nowhere negative, at any load of
   the bristles and any rate of the load of the spring; and the force stays within the cone at any slip. */
static void test_passive(void **state)
{
    (void)state;
    for (size_t k = 0; k < count(); k++) {
        test_friction law = law_at(k);
        bool spring = strcmp(law.kind->kind.name, "mindlin") == 0;
        double least = 0, greatest = 0;
        for (int i = 0; law.kind->state && i < 200000; i++) {
            double delta = decades(1e-8, 1e-4), z[4] = {0}, n = (const double[]){1, 1.5, 2.2}[i % 3];
            carom_friction_input in = pressed(delta, flat(decades(1e-7, 100), 0), z);
            in.elastic_slope = n * in.elastic / delta;
            in.normal *= spring ? (i % 7 == 0 ? 0 : decades(0.1, 3)) : 1;
            double k_t = stiffness_of(&law, &in), reach = static_of(&law) * in.normal / k_t;
            /* a spring whose load has gone may be beyond its cone, bristles never are */
            double size = spring ? decades(1e-3, 30) * fmax(reach, 1e-3 * delta) : reach * sqrt(uniform());
            carom_friction_store(flat(size, i % 2 ? between(0, 7) : 3.14159265358979 * (i % 4 / 2)), z);
            z[3] = uniform();
            if (strcmp(law.kind->kind.name, "gonthier") == 0)
                for (int j = 0; j < 2; j++)
                    z[j] *= (MU_K + (MU_S - MU_K) * z[3]) / MU_S;
            in.rate = i % 5 ? between(-1, 1) * decades(1e-3, 10) * in.speed : 0;
            /* slips that pass the cone in any share of the expected duration; behind the onset, whose rate is given */
            in.depth = i % 4 ? delta * decades(1e-3, in.rate > 0 ? 1e-2 : 1e4) : 0;
            in.duration = i % 4 ? fmax(reach, 1e-3 * delta) / in.speed * decades(1e-2, 1e6) : 0;
            carom_friction_force out;
            CAROM_KIND_CALL(law.kind, force, law.c, &in, &out);
            carom_vec3 xi = carom_v3_load(z), rate = carom_v3_load(out.rate);
            double change = spring ? (n - 1) * in.rate / delta * k_t : 0; /* of the stiffness */
            double work = -carom_v3_dot(out.force, in.slip), square = carom_v3_dot(xi, xi);
            double stored = k_t * carom_v3_dot(xi, rate) + 0.5 * change * square;
            double terms = fabs(work) + k_t * carom_v3_norm(xi) * carom_v3_norm(rate) + fabs(change) * square;
            least = fmin(least, (work - stored) / terms);
            if (in.normal > 0)
                greatest =
                    fmax(greatest, carom_v3_norm(out.force) / in.normal / CAROM_KIND_CALL(law.kind, cone, law.c));
            else
                assert_true(carom_v3_norm(out.force) == 0);
        }
        if (law.kind->state)
            printf("%-9s least power %.1e of its terms, greatest force 1 %+.1e of the cone\n", law.kind->kind.name,
                   least, greatest - 1);
        assert_true(least > -1e-14 && greatest < 1 + 1e-14);
    }
}

/* A spring whose cone has gone, as a law that would pull is cut off while the bodies are still in contact, forgets its
   deflection and takes up no slip: its rate has no jump where it is zero, beside which an integrator would go to and
   fro. One whose cone is short against the slip does not go faster than a few hundredths of the duration allow. */
static void test_mindlin_short_cone(void **state)
{
    (void)state;
    const test_friction law = law_of("mindlin", "kinetic=0.3");
    const double delta = 1e-5, duration = 1e-3;
    double fastest = 0;
    for (int cone = 0; cone < 8; cone++) {
        double z[3] = {0};
        carom_friction_input in = pressed(delta, flat(0.5, 0), z);
        in.normal *= cone ? pow(10, -cone) : 0;
        in.rate = -0.01;
        in.depth = 2 * delta;
        in.duration = duration;
        const double reach = MU_K * in.normal / stiffness_of(&law, &in), tiny = 1e-6 * MU_K * delta;
        carom_friction_force ahead, behind, across;
        carom_friction_store(flat(tiny, 0), z);
        CAROM_KIND_CALL(law.kind, force, law.c, &in, &ahead);
        carom_friction_store(flat(-tiny, 0), z);
        CAROM_KIND_CALL(law.kind, force, law.c, &in, &behind);
        carom_friction_store(flat(tiny, 1.57079632679490), z);
        CAROM_KIND_CALL(law.kind, force, law.c, &in, &across);
        const carom_vec3 along = carom_v3_sub(carom_v3_load(ahead.rate), carom_v3_load(behind.rate));
        const carom_vec3 aside = carom_v3_sub(carom_v3_load(ahead.rate), carom_v3_load(across.rate));
        fastest = fmax(fastest, fmax(carom_v3_norm(along), carom_v3_norm(aside)) / tiny * duration);
        assert_true(cone > 0 || (ahead.rate[0] < 0 && behind.rate[0] > 0));
        assert_true(cone == 0 || ahead.rate[0] > 0 || tiny > 0.9 * reach);
    }
    printf("mindlin: rate over deflection up to %.3g over the expected duration\n", fastest);
    assert_true(fastest < 1000);
}

/* ---- motions ---- */

/* A contact that is moved: slip, indentation and its rate, and normal over elastic force, as functions of time. */
typedef struct motion {
    carom_vec3 (*slip)(double t, const double *a);
    double (*delta)(double t, const double *a, double *rate);
    double (*ratio)(double t, const double *a);
    double a[16], exponent, stiffness;
} motion;

typedef struct moved {
    double z[4], work;
} moved;

static carom_friction_input input_at(const motion *m, double t, const double *z)
{
    double rate = 0, delta = m->delta ? m->delta(t, m->a, &rate) : 1e-5,
           elastic = m->stiffness * pow(delta, m->exponent);
    carom_vec3 slip = m->slip(t, m->a);
    return (carom_friction_input){.slip = slip,
                                  .speed = carom_v3_norm(slip),
                                  .normal = elastic * (m->ratio ? m->ratio(t, m->a) : 1),
                                  .delta = delta,
                                  .rate = rate,
                                  .elastic = elastic,
                                  .elastic_slope = m->exponent * elastic / delta,
                                  .state = z};
}

static moved rate_at(const test_friction *law, const motion *m, double t, const moved *y)
{
    carom_friction_input in = input_at(m, t, y->z);
    carom_friction_force out = {.rate = {0}};
    CAROM_KIND_CALL(law->kind, force, law->c, &in, &out);
    moved d = {.work = -carom_v3_dot(out.force, in.slip)};
    memcpy(d.z, out.rate, sizeof d.z);
    if (law->kind->state < 4)
        d.z[3] = 0;
    return d;
}

static moved plus(const moved *y, double h, const moved *d)
{
    moved r = {.work = y->work + h * d->work};
    for (int i = 0; i < 4; i++)
        r.z[i] = y->z[i] + h * d->z[i];
    return r;
}

/* One step of the classical method of Runge and Kutta. */
static void step(const test_friction *law, const motion *m, double t, double h, moved *y)
{
    moved k1 = rate_at(law, m, t, y), y2 = plus(y, h / 2, &k1), k2 = rate_at(law, m, t + h / 2, &y2);
    moved y3 = plus(y, h / 2, &k2), k3 = rate_at(law, m, t + h / 2, &y3), y4 = plus(y, h, &k3);
    moved k4 = rate_at(law, m, t + h, &y4);
    *y = plus(y, h / 6, &k1);
    *y = plus(y, h / 3, &k2);
    *y = plus(y, h / 3, &k3);
    *y = plus(y, h / 6, &k4);
}

static carom_vec3 force_at(const test_friction *law, const motion *m, double t, const moved *y)
{
    carom_friction_input in = input_at(m, t, y->z);
    carom_friction_force out;
    CAROM_KIND_CALL(law->kind, force, law->c, &in, &out);
    return out.force;
}

static carom_vec3 steady(double t, const double *a)
{
    (void)t;
    return carom_v3(0.8 * a[0], 0.6 * a[0], 0);
}

/* Slip for long at one speed: the force is opposite and that of the law's curve. */
static void test_steady_sliding(void **state)
{
    (void)state;
    static const double speeds[] = {1e-4, 5e-4, 1e-3, 2e-3, 0.1};
    for (size_t k = 0; k < count(); k++) {
        test_friction law = law_at(k);
        double worst = 0;
        for (size_t i = 0; law.kind->state && i < CAROM_COUNT(speeds); i++) {
            motion m = {.slip = steady, .a = {speeds[i]}, .exponent = 1.5, .stiffness = 1e9};
            moved y = {.work = 0};
            double v = speeds[i], s = exp(-v * v / 1e-6), reach = CAROM_KIND_CALL(law.kind, scale, law.c, 0), mu = MU_K;
            /* bristles: until every memory has faded, in steps short against the passage of the cone */
            double h = fmin(0.05 * reach / v, 2e-4), end = fmax(200 * reach / v, 0.3);
            const char *name = law.kind->kind.name;
            if (strcmp(name, "lugre") == 0)
                mu = MU_K + (MU_S - MU_K) * s;
            if (strcmp(name, "gonthier") == 0)
                mu = fmin(MU_K + MU_K / 1e-3 * v * s / (1 - s), MU_K + (MU_S - MU_K) * s);
            if (law.kind->state > 3) /* the dwell state is at rest where it belongs: its time is another test's */
                y.z[3] = s, h = fmin(h, 1e-4), end = fmin(end, 20);
            if (strcmp(name, "mindlin") == 0)
                h = 0.05 * MU_K * 1e-5 / 1.5 / v, end = 2000 * h;
            for (long n = lround(fmin(end / h, 2e5)), j = 0; j < n; j++)
                step(&law, &m, 0, h, &y);
            carom_vec3 f = force_at(&law, &m, 0, &y), slip = steady(0, m.a);
            double normal = 1e9 * pow(1e-5, 1.5);
            worst = fmax(worst, carom_v3_norm(carom_v3_add_scaled(f, mu * normal / v, slip)) / normal);
            assert_true(carom_v3_dot(f, slip) < 0);
        }
        if (law.kind->state)
            printf("%-9s steady sliding to %.1e\n", law.kind->kind.name, worst);
        assert_true(worst < 1e-9);
    }
}

/* A slip of period 1 s: harmonics of random size and phase about zero mean. */
static carom_vec3 wander(double t, const double *a)
{
    carom_vec3 v = {0, 0, 0};
    for (int h = 1; h <= 2; h++) {
        v.x += a[0] * cos(6.283185307179586 * h * t + a[h]);
        v.y += a[0] * a[8] * cos(6.283185307179586 * h * t + a[3 + h]);
    }
    return v;
}

static double breathe(double t, const double *a, double *rate)
{
    double w = 6.283185307179586, swing = 0.9 * a[10], x = sin(w * t + a[7]), y = sin(3 * w * t + a[9]);
    *rate = 1e-5 * swing * w * (0.6 * cos(w * t + a[7]) + 1.2 * cos(3 * w * t + a[9]));
    return 1e-5 * (1 + swing * (0.6 * x + 0.4 * y));
}

/* Damping of the normal contact, which at times takes all of its force. */
static double falter(double t, const double *a) { return fmax(0, 1 + a[11] * sin(6.283185307179586 * 5 * t + a[7])); }

static void randomise(motion *m, double amplitude)
{
    for (int i = 1; i < 10; i++)
        m->a[i] = between(0, 6.28);
    m->a[0] = amplitude;
    m->a[8] = uniform();
    m->a[10] = uniform();
    m->a[11] = between(0, 1.5);
}

/* Energy of the deflected spring. */
static double stored(const test_friction *law, const motion *m, double t, const moved *y)
{
    carom_friction_input in = input_at(m, t, y->z);
    carom_vec3 xi = carom_v3_load(y->z);
    return 0.5 * stiffness_of(law, &in) * carom_v3_dot(xi, xi);
}

/* Random periodic slip: the work of each cycle is at least what the state has gained over it, that from the start on at
   least what is stored, and the force never leaves the cone. */
static void test_cycles(void **state)
{
    (void)state;
    const int steps = 10000, cycles = 4;
    for (size_t k = 0; k < count(); k++) {
        test_friction law = law_at(k);
        double least = HUGE_VAL, excess = 0, deficit = 0, open = HUGE_VAL;
        for (int run = 0; law.kind->state && run < 8; run++) {
            bool spring = strcmp(law.kind->kind.name, "mindlin") == 0;
            double reach = spring ? MU_K * 1e-5 * 1.7 / (1.4 * 1.5) : CAROM_KIND_CALL(law.kind, scale, law.c, 0);
            double normal = 1e9 * pow(1e-5, 1.5), unit = MU_S * normal * reach;
            motion m = {.slip = wander, .exponent = 1.5, .stiffness = 1e9};
            randomise(&m, reach * decades(1, 300));
            moved y = {.work = 0}, before = y;
            for (int j = 0; j < cycles * steps; j++) {
                double t = (double)(j % steps) / steps;
                before = j % steps ? before : y;
                step(&law, &m, t, 1.0 / steps, &y);
                deficit = fmax(deficit, (stored(&law, &m, t, &y) - y.work) / unit);
                excess = fmax(excess, carom_v3_norm(force_at(&law, &m, t, &y)) / normal);
            }
            double gain = stored(&law, &m, 0, &y) - stored(&law, &m, 0, &before);
            carom_vec3 change = carom_v3_sub(carom_v3_load(y.z), carom_v3_load(before.z));
            open = fmin(open, carom_v3_norm(change) / reach);
            least = fmin(least, (y.work - before.work - gain) / unit);
        }
        if (!law.kind->state)
            continue;
        excess = excess / CAROM_KIND_CALL(law.kind, cone, law.c) - 1;
        printf("%-9s least loss of a cycle %+.1e mu_s N z, one closed to %.0e; energy beyond the work %.0e; force 1 "
               "%+.0e of the cone\n",
               law.kind->kind.name, least, open, deficit, excess);
        assert_true(least > -1e-9 && excess < 1e-9 && deficit < 1e-9);
    }
}

/* ---- Dahl ---- */

/* F = Fc (1 - exp(-sigma x/Fc)), and the drift under a load between f1 and f2: (Fc/sigma) ln((1 - f1^2)/(1 - f2^2)). */
static void test_dahl(void **state)
{
    (void)state;
    test_friction law = law_of("dahl", ORDINARY);
    const double normal = 1e9 * pow(1e-5, 1.5), fc = MU_K * normal, sigma = SIGMA0 * normal, length = fc / sigma;
    motion m = {.slip = steady, .a = {1}, .exponent = 1.5, .stiffness = 1e9};
    moved y = {.work = 0};
    double worst = 0, h = length / 1000;
    for (int j = 1; j <= 8000; j++) {
        step(&law, &m, 0, h, &y);
        double f = carom_v3_norm(force_at(&law, &m, 0, &y));
        worst = fmax(worst, fabs(f / fc - (1 - exp(-sigma * j * h / fc))));
    }
    printf("dahl: F(x) to %.1e\n", worst);
    assert_true(worst < 1e-12);

    const double f1 = 0.2, f2 = 0.6; /* of Fc */
    double forth = log((1 - f1) / (1 - f2)), back = log((1 + f2) / (1 + f1)), z0 = f1 * length, drift = 0;
    y = (moved){.z = {0.8 * z0, 0.6 * z0}};
    for (int cycle = 0; cycle < 10; cycle++)
        for (int way = 0; way < 2; way++) {
            double path = length * (way ? back : forth);
            m.a[0] = way ? -1 : 1;
            for (int j = 0; j < 1000; j++)
                step(&law, &m, 0, path / 1000, &y);
            drift += m.a[0] * path;
            double f = carom_v3_norm(force_at(&law, &m, 0, &y)) / fc;
            assert_true(fabs(f - (way ? f1 : f2)) < 1e-10);
        }
    double expected = 10 * length * log((1 - f1 * f1) / (1 - f2 * f2));
    printf("dahl: drift of 10 cycles %.6e m, expected %.6e m\n", drift, expected);
    assert_true(fabs(drift / expected - 1) < 1e-12 && drift > 0);
}

/* ---- LuGre ---- */

typedef struct pulled {
    double x, v, z;
} pulled;

static pulled pull_rate(const test_friction *law, double t, pulled y)
{
    double z[3] = {y.z, 0, 0};
    carom_friction_input in = {.slip = {y.v, 0, 0}, .speed = fabs(y.v), .normal = 1, .state = z};
    carom_friction_force out;
    CAROM_KIND_CALL(law->kind, force, law->c, &in, &out);
    return (pulled){y.v, 2 * (0.1 * t - y.x) + out.force.x, out.rate[0]};
}

static pulled pulled_by(pulled y, double h, pulled d) { return (pulled){y.x + h * d.x, y.v + h * d.v, y.z + h * d.z}; }

/* Stick-slip of Canudas de Wit et al. 1995: 1 kg pulled over a spring of 2 N/m at 0.1 m/s, load 1 N. */
static void test_lugre_stick_slip(void **state)
{
    (void)state;
    test_friction law = law_of("lugre", "kinetic=1 static=1.5 bristle_stiffness=1e5 stribeck_speed=1e-3 viscous=0.4");
    const double h = 4e-5;
    pulled y = {0, 0, 0};
    double at20 = 0;
    for (int j = 0; j < 625000; j++) {
        double t = j * h;
        if (j == 500000)
            at20 = y.x;
        pulled a = pull_rate(&law, t, y), b = pull_rate(&law, t + h / 2, pulled_by(y, h / 2, a));
        pulled c = pull_rate(&law, t + h / 2, pulled_by(y, h / 2, b)), d = pull_rate(&law, t + h, pulled_by(y, h, c));
        y = pulled_by(pulled_by(pulled_by(pulled_by(y, h / 6, a), h / 3, b), h / 3, c), h / 6, d);
    }
    printf("lugre: x(20) %.11f, x(25) %.11f, v %.7e, z %.8e\n", at20, y.x, y.v, y.z);
    assert_true(fabs(at20 - 1.27259641232) < 1e-10 && fabs(y.x - 1.90883919922) < 1e-10);
    assert_true(fabs(y.v / 9.4241546e-6 - 1) < 1e-6 && fabs(y.z / 1.18167955e-5 - 1) < 1e-6);
}

/* The printed law begins at sigma1 N v; this one within the cone. Slow and inside it, it is the printed one. */
static void test_lugre_damping(void **state)
{
    (void)state;
    test_friction law = law_of("lugre", ORDINARY);
    double z[3] = {0}, v = 1e-4;
    carom_friction_input in = {.slip = {5, 0, 0}, .speed = 5, .normal = 1, .state = z};
    carom_friction_force out;
    CAROM_KIND_CALL(law.kind, force, law.c, &in, &out);
    assert_true(fabs(out.force.x + MU_S) < 1e-15);
    in.slip.x = in.speed = v;
    z[0] = 1e-6;
    CAROM_KIND_CALL(law.kind, force, law.c, &in, &out);
    double g = (MU_K + (MU_S - MU_K) * exp(-0.01)) / SIGMA0, rate = v - v * z[0] / g;
    assert_true(fabs(out.rate[0] / rate - 1) < 1e-15);
    assert_true(fabs(out.force.x + SIGMA0 * z[0] + sqrt(1e5) * rate) < 1e-15);
}

/* ---- Gonthier ---- */

/* At rest static friction grows as 1 - exp(-t/tau); slow sliding to and fro does not wind the bristles up. */
static void test_gonthier_dwell(void **state)
{
    (void)state;
    test_friction law = law_of("gonthier", ORDINARY " dwell_time=0.4");
    motion m = {.slip = steady, .a = {0}, .exponent = 1.5, .stiffness = 1e9};
    moved y = {.work = 0};
    for (int j = 0; j < 1000; j++)
        step(&law, &m, 0, 1e-3, &y);
    assert_true(fabs(y.z[3] - (1 - exp(-2.5))) < 1e-12 && y.z[0] == 0 && y.z[1] == 0);

    const double reach = MU_S / SIGMA0;
    double greatest = 0;
    m.a[0] = 2e-4;
    for (int j = 0; j < 20000; j++) {
        step(&law, &m, 0, 1e-5, &y); /* 40 um, eight reaches of the bristles */
        greatest = fmax(greatest, hypot(y.z[0], y.z[1]));
    }
    assert_true(greatest < reach * (1 + 1e-12));
    assert_true(carom_v3_dot(force_at(&law, &m, 0, &y), steady(0, m.a)) < 0);
    double returned = 0;
    m.a[0] = -2e-4;
    for (; carom_v3_dot(force_at(&law, &m, 0, &y), steady(0, m.a)) > 0; returned += 2e-9)
        step(&law, &m, 0, 1e-5, &y);
    printf("gonthier: deflected to %.4f reaches, back over %.4f\n", greatest / reach, returned / reach);
    assert_true(returned <= reach);
}

/* ---- constants ---- */

/* A contact whose radii vary makes its elastic constants again, and keeps those of friction: none depends on the
   radii. */
static void test_radii(void **state)
{
    (void)state;
    for (size_t k = 0; k < count(); k++) {
        const test_friction law = law_at(k);
        carom_contact_geometry near = {.has_materials = true,
                                       .young = {2e11, 7e10},
                                       .poisson = {0.3, 0.33},
                                       .radius = {0.01, HUGE_VAL},
                                       .length = 0.02,
                                       .dimension = 2};
        carom_contact_geometry far = near;
        far.radius[0] = -3;
        far.radius[1] = 0.2;
        far.relative[0] = 1;
        far.relative[1] = 4;
        double a[CAROM_FRICTION_CONSTANTS] = {0}, b[CAROM_FRICTION_CONSTANTS] = {0};
        assert_null(CAROM_KIND_CALL(law.kind, prepare, law.p, &near, a));
        assert_null(CAROM_KIND_CALL(law.kind, prepare, law.p, &far, b));
        if (memcmp(a, b, sizeof a) != 0)
            fail_msg("%s: its constants depend on the radii", law.kind->kind.name);
    }
}

/* ---- Mindlin ---- */

static double ratio_with(const carom_contact_geometry *g)
{
    double p[3] = {MU_K, (double)NAN, 0}, c[CAROM_FRICTION_CONSTANTS];
    return carom_friction_mindlin.prepare(p, g, c) ? (double)NAN : c[CAROM_FRICTION_OWN];
}

static void test_mindlin_ratio(void **state)
{
    (void)state;
    carom_contact_geometry g = {.has_materials = true, .young = {2e11, 2e11}, .poisson = {0.25, 0.25}};
    assert_true(fabs(ratio_with(&g) - 2 * 0.75 / 1.75) < 1e-15);
    carom_contact_geometry a = {.has_materials = true, .young = {2e11, 7e10}, .poisson = {0.3, 0.33}}, b = a;
    b.young[0] = a.young[1], b.young[1] = a.young[0], b.poisson[0] = a.poisson[1], b.poisson[1] = a.poisson[0];
    double e = 1 / ((1 - 0.09) / 2e11 + (1 - 0.33 * 0.33) / 7e10), g1 = 2e11 / 2.6, g2 = 7e10 / 2.66;
    assert_true(fabs(ratio_with(&a) / (4 / (1.7 / g1 + 1.67 / g2) / e) - 1) < 1e-15);
    assert_true(fabs(ratio_with(&a) / ratio_with(&b) - 1) < 1e-15);
    g.young[1] = HUGE_VAL;
    assert_true(fabs(ratio_with(&g) - 2 * 0.75 / 1.75) < 1e-15);
    g.young[0] = HUGE_VAL;
    assert_true(isnan(ratio_with(&g)));
    g.has_materials = false;
    assert_true(fabs(ratio_with(&g) - 1.4 / 1.7) < 1e-15);
}

/* A mass on the spring alone, 0.5 of the cone pulling it with a force that trembles up to 0.88 of it in two
   directions: displacement and deflection stay one number, to the last bit, for a thousand periods. */
static void test_mindlin_no_creep(void **state)
{
    (void)state;
    test_friction law = law_of("mindlin", "kinetic=0.3 damping=1e-3");
    const double delta = 1e-5, normal = 1e9 * pow(delta, 1.5), cone = MU_K * normal, mass = 2;
    double x[2] = {0}, v[2] = {0}, z[3] = {0}, h = 2e-5, farthest = 0;
    for (int j = 0; j < 1000000; j++) {
        double w = 6.283185307179586 * 50 * j * h, grow = fmin(j * h / 0.5, 1);
        double pull[2] = {cone * grow * (0.5 + 0.3 * sin(w)), 0.2 * cone * grow * cos(0.7 * w)};
        carom_friction_input in = pressed(delta, carom_v3(v[0], v[1], 0), z);
        carom_friction_force out;
        CAROM_KIND_CALL(law.kind, force, law.c, &in, &out);
        for (int i = 0; i < 2; i++) {
            double f = i ? out.force.y : out.force.x;
            z[i] += h * out.rate[i];
            x[i] += h * v[i];
            v[i] += h * (pull[i] + f) / mass;
        }
        farthest = fmax(farthest, carom_v3_norm(out.force) / cone);
        assert_true(x[0] == z[0] && x[1] == z[1]);
    }
    printf("mindlin: force up to %.4f of the cone, drift after 1000 periods %g m\n", farthest,
           hypot(x[0] - z[0], x[1] - z[1]));
    assert_true(farthest > 0.8 && farthest < 0.9);
    /* and at rest nothing moves */
    carom_friction_input in = pressed(delta, carom_v3(0, 0, 0), z);
    carom_friction_force out;
    CAROM_KIND_CALL(law.kind, force, law.c, &in, &out);
    assert_true(out.rate[0] == 0 && out.rate[1] == 0 && out.rate[2] == 0);
}

static double unload(double t, const double *a, double *rate)
{
    *rate = -a[1];
    return 1e-5 - a[1] * t;
}

/* Sliding fast, the deflection follows the cone up and down; and a load that falls over a contact at rest takes the
   spring along from where it meets the cone on. */
static void test_mindlin_cone(void **state)
{
    (void)state;
    test_friction law = law_of("mindlin", "kinetic=0.3");
    motion m = {.slip = steady, .delta = breathe, .exponent = 1.5, .stiffness = 1e9};
    const double kappa = 1.4 / 1.7, reach = MU_K * 1e-5 / (1.5 * kappa);
    moved y = {.work = 0};
    double worst = 0;
    m.a[10] = 1, m.a[0] = 200 * reach;
    for (int j = 0; j < 40000; j++) {
        step(&law, &m, j * 5e-5, 5e-5, &y);
        double rate, now = breathe((j + 1) * 5e-5, m.a, &rate);
        if (j > 10000)
            worst = fmax(worst, fabs(carom_v3_norm(carom_v3_load(y.z)) / (reach * now / 1e-5) - 1));
    }
    printf("mindlin: deflection on the cone to %.1e\n", worst);
    assert_true(worst < 1e-9);

    m = (motion){.slip = steady, .delta = unload, .a = {0, 1e-5}, .exponent = 1.5, .stiffness = 1e9};
    y = (moved){.z = {0.5 * reach}};
    double start = y.z[0], left = 0, r = 0;
    for (int j = 0; j < 9990; j++) {
        step(&law, &m, j * 1e-4, 1e-4, &y);
        r = y.z[0] / (reach * (1 - (j + 1) * 1e-4));
        left = left == 0 && y.z[0] != start ? r : left;
        assert_true(r <= 1 + 1e-12);
    }
    printf("mindlin: load taken off at rest: spring of full length up to %.3f of the cone, then with it, %.4f\n", left,
           r);
    assert_true(left >= 0.9 && left < 0.901 && r > 0.97 && y.work == 0);
}

/* Random slip under random loads, of which damping takes up to all: work is at least the energy stored. The errors of
   the integration across the kinks of the law and of the load fall with the square of the step and are some 1e-9
   here. */
static void test_mindlin_loads(void **state)
{
    (void)state;
    static const double exponents[] = {1, 1.5, 2.2};
    test_friction law = law_of("mindlin", ORDINARY);
    const int steps = 80000;
    double deficit = 0, least = HUGE_VAL;
    for (int run = 0; run < 12; run++) {
        double n = exponents[run % 3], reach = MU_K * 1e-5 * 1.7 / (1.4 * n);
        motion m = {.slip = wander, .delta = breathe, .exponent = n, .stiffness = 30 / pow(1e-5, n)};
        m.ratio = run % 2 ? falter : NULL;
        randomise(&m, reach * decades(0.3, 30));
        moved y = {.work = 0};
        double before = 0;
        for (int cycle = 0; cycle < 2; cycle++) {
            before = y.work;
            for (int j = 0; j < steps; j++) {
                step(&law, &m, (double)j / steps, 1.0 / steps, &y);
                double t = (j + 1.0) / steps, normal = input_at(&m, t, y.z).normal;
                deficit = fmax(deficit, (stored(&law, &m, t, &y) - y.work) / (MU_K * 30 * reach));
                assert_true(carom_v3_norm(force_at(&law, &m, t, &y)) <= MU_K * normal * (1 + 1e-14));
            }
        }
        least = fmin(least, (y.work - before) / (MU_K * 30 * reach));
    }
    printf("mindlin: least work of a cycle %.2e, energy beyond the work %.1e, of mu N xi\n", least, deficit);
    assert_true(deficit < 1e-8 && least > -1e-8);
}

static double plunge(double t, const double *a, double *rate)
{
    *rate = a[1];
    return a[1] * t;
}

/* Onset at the speeds v_n, v_t: stick at kappa v_t/(mu v_n) of the cone, or sliding at once; and an increment of force
   belongs to the radius of the moment: F is the integral of k_t v. */
static void test_mindlin_onset(void **state)
{
    (void)state;
    static const double asked[] = {0.2, 0.85, 1.3, 5, 50};
    for (size_t k = 0; k < CAROM_COUNT(asked); k++) {
        test_friction law = law_of("mindlin", "kinetic=0.3");
        double w = asked[k], kappa = 1.4 / 1.7, vt = w * MU_K * 0.5 / kappa, t = 1e-12, growth = 1 + 2e-3;
        motion m = {.slip = steady, .delta = plunge, .a = {vt, 0.5}, .exponent = 1.5, .stiffness = 1e9};
        moved y = {.z = {1e-3 * vt * t}};
        double entered = 0;
        for (; t < 1e-5; t *= growth) {
            step(&law, &m, t, t * (growth - 1), &y);
            double r =
                carom_v3_norm(force_at(&law, &m, t * growth, &y)) / (MU_K * input_at(&m, t * growth, y.z).normal);
            assert_true(r <= 1 + 1e-14);
            entered = entered == 0 && fabs(r / fmin(w, 1) - 1) < 0.01 ? t : entered;
        }
        carom_friction_input in = input_at(&m, t, y.z);
        double r = carom_v3_norm(force_at(&law, &m, t, &y)) / (MU_K * in.normal);
        double stretch = kappa * in.elastic_slope * carom_v3_norm(carom_v3_load(y.z)) / (MU_K * in.normal);
        printf("mindlin: kappa v_t/(mu v_n) = %-4g r = %.12f (deflection %.9f), within 1 %% from t = %.0e s on\n", w, r,
               stretch, entered);
        assert_true(fabs(r - fmin(w, 1)) < 1e-7 && fabs(stretch - fmin(w, 1)) < 1e-7);
    }
    /* where the expected depth is known the rate is that of the whole loading from the onset itself on */
    for (size_t k = 0; k < CAROM_COUNT(asked); k++) {
        static const double deltas[] = {0, 1e-30, 1e-18, 1e-12, 1e-11, 1e-10, 1e-8, 1e-6};
        test_friction law = law_of("mindlin", "kinetic=0.3");
        double w = asked[k], kappa = 1.4 / 1.7, vt = w * MU_K * 0.5 / kappa, share = fmin(1, 1 / w) / 1.5, worst = 0;
        for (size_t d = 0; d < CAROM_COUNT(deltas); d++) {
            double z[3] = {share * vt * deltas[d] / 0.5};
            carom_friction_input in = pressed(fmax(deltas[d], 1e-300), carom_v3(vt, 0, 0), z);
            in.delta = deltas[d];
            in.elastic = in.normal = in.delta > 0 ? in.elastic : 0;
            in.elastic_slope = in.delta > 0 ? in.elastic_slope : 0;
            in.rate = 0.5;
            in.depth = 1e-5;
            carom_friction_force out;
            CAROM_KIND_CALL(law.kind, force, law.c, &in, &out);
            worst = fmax(worst, fabs(out.rate[0] / (share * vt) - 1));
        }
        printf("mindlin: kappa v_t/(mu v_n) = %-4g rate constant from the onset on to %.1e\n", w, worst);
        assert_true(worst < 1e-12);
    }
    /* nothing is divided by zero at the onset itself, nor where the normal force is gone */
    test_friction law = law_of("mindlin", "kinetic=0.3");
    double z[3] = {0};
    carom_friction_input in = {.slip = {1, 0, 0}, .speed = 1, .rate = 1, .state = z};
    carom_friction_force out;
    CAROM_KIND_CALL(law.kind, force, law.c, &in, &out);
    assert_true(carom_v3_norm(out.force) == 0 && out.rate[0] == 1 && out.rate[1] == 0);
    z[0] = 1e-6;
    in = pressed(1e-5, carom_v3(1, 0, 0), z);
    in.normal = 0;
    CAROM_KIND_CALL(law.kind, force, law.c, &in, &out);
    assert_true(carom_v3_norm(out.force) == 0 && isfinite(out.rate[0]) && out.rate[0] < 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_contract),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_maps),
        cmocka_unit_test(test_isotropy),
        cmocka_unit_test(test_passive),
        cmocka_unit_test(test_mindlin_short_cone),
        cmocka_unit_test(test_steady_sliding),
        cmocka_unit_test(test_cycles),
        cmocka_unit_test(test_dahl),
        cmocka_unit_test(test_lugre_stick_slip),
        cmocka_unit_test(test_lugre_damping),
        cmocka_unit_test(test_gonthier_dwell),
        cmocka_unit_test(test_radii),
        cmocka_unit_test(test_mindlin_ratio),
        cmocka_unit_test(test_mindlin_no_creep),
        cmocka_unit_test(test_mindlin_cone),
        cmocka_unit_test(test_mindlin_loads),
        cmocka_unit_test(test_mindlin_onset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
