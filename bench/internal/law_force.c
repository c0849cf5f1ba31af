/* Cost of one evaluation of every named contact law, as a step of a simulation makes it, against K*d*sqrt(d)*(1 + a*v)
   in C, and of every friction law against mu*N*tanh(v/vs) in C, over the same random inputs. Prints medians over
   interleaved rounds and fails if a law of the hysteresis family with the exponent 1.5 costs more than its limit. With
   arguments only the laws of these names, so that a profiler sees them alone. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include "base/base.h"
#include "dynamics/contact/episode.h"
#include "dynamics/dynamics.h"
#include "dynamics/formulation/formulation.h"
#include "kinds/friction/friction.h"
#include "kinds/normal/law.h"
#include "kinds/shape/shape.h"
#include "support/friction.h"
#include "support/kinds.h"
#include "support/law_sample.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ROUNDS 101
#define WARMUP 3
#define CALLS 10000
#define LIMIT 3.0
#define SUBJECTS 256

#define SPEED 0.3       /* of the impact [m/s] */
#define MASS 0.046      /* [kg] */
#define DEPTH 1e-3      /* of the laws that hold at any indentation [m] */
#define TRANSITION 1e-3 /* of the plain friction [m/s] */

/* ---- the formulas in C ---- */

static double c_normal(double stiffness, double a, double d, double v) { return stiffness * d * sqrt(d) * (1 + a * v); }

static carom_vec3 c_friction(double coefficient, double transition, double normal, carom_vec3 slip)
{
    double speed = sqrt(slip.x * slip.x + slip.y * slip.y + slip.z * slip.z);
    double share = speed > 0 ? -coefficient * normal * tanh(speed / transition) / speed : 0;
    return (carom_vec3){share * slip.x, share * slip.y, share * slip.z};
}

/* Calls through these, so that nothing is inlined or hoisted. */
static double (*volatile normal_function)(double, double, double, double) = c_normal;
static carom_vec3 (*volatile friction_function)(double, double, double, carom_vec3) = c_friction;

/* ---- subjects ---- */

typedef struct subject {
    const char *name;
    const carom_elastic_kind *elastic;
    const carom_damping_kind *damping;   /* NULL: a friction law */
    const carom_friction_kind *friction; /* NULL: a normal law */
    double reach;                        /* greatest indentation [m] */
    double stiffness, a;                 /* of the plain formula */
    double scale;                        /* of the states of friction [m] */
    bool family;                         /* the limit holds for it */
    double gap;                          /* largest difference from the plain formula over the elastic force */
    double plain[ROUNDS], law[ROUNDS], ratio[ROUNDS], sum;
} subject;

static subject subjects[SUBJECTS];
static carom_model_contact contacts[SUBJECTS];
static int count, friction_start;

/* Every subject is a contact of one model, at its onset: of two spheres, the second above the first. */
static const double radius[1] = {0.5};
static carom_model_shape shapes[2] = {{.p = (double *)radius, .centred = true},
                                      {.p = (double *)radius, .centred = true}};
static const carom_model model = {
    .dimension = 3, .contacts = contacts, .contact_count = SUBJECTS, .shapes = shapes, .shape_count = 2};
static const carom_body_pose below, above = {.p = {0, 0, 1}};
static carom_state state;

/* Inputs, in no order: parts of the reach, log-uniform from 1e-5 to 1; rates, uniform within the speed of the impact;
   slips, log-uniform from 1e-5 to 1 m/s in any direction; states and normal forces, uniform. */
static double parts[CALLS], rates[CALLS], states[CALLS][4], loads[CALLS];
static carom_vec3 slips[CALLS];

static double uniform(void)
{
    static uint64_t seed = 1;
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return ((double)(seed >> 11) + 0.5) * 0x1p-53;
}

static void make_inputs(void)
{
    for (int k = 0; k < CALLS; k++) {
        parts[k] = pow(10, -5 * uniform());
        rates[k] = SPEED * (2 * uniform() - 1);
        double speed = pow(10, -5 * uniform()), angle = 2 * CAROM_PI * uniform(), turn = 2 * CAROM_PI * uniform();
        slips[k] = carom_v3(speed * cos(angle), speed * sin(angle), 0);
        double size = uniform();
        states[k][0] = size * cos(turn);
        states[k][1] = size * sin(turn);
        states[k][2] = 0;
        states[k][3] = uniform();
        loads[k] = 10 * uniform();
    }
}

/* Parameters out of the tables, the first ones that both parts accept together; false where there are none. */
static bool sample_parts(const carom_law_kind *law, subject *s, carom_model_contact *contact)
{
    const carom_kind *kinds[2] = {&s->elastic->kind, &s->damping->kind};
    int variants[2] = {law_sample_variants(kinds[0]), law_sample_variants(kinds[1])};
    for (int level = 0; level < LAW_SAMPLE_LEVELS; level++)
        for (int g = 0; g < LAW_SAMPLE_GEOMETRIES; g++)
            for (int v = 0; v < variants[0] * variants[1]; v++) {
                const carom_contact_geometry geometry = law_sample_geometry(g, &law_units_si);
                double p[2][LAW_SAMPLE_PARAMS];
                if (law_sample_params(kinds[0], v % variants[0], level, &law_units_si, p[0]) ||
                    law_sample_params(kinds[1], v / variants[0], level, &law_units_si, p[1]))
                    return false;
                int exponent = carom_kind_param_offset(kinds[0], "exponent");
                if (exponent >= 0 && strcmp(s->elastic->kind.name, law->elastic) == 0)
                    p[0][exponent] = law->exponent;
                carom_normal_law *made = &contact->law;
                if (CAROM_KIND_CALL(s->elastic, prepare, p[0], &geometry, made->elastic_constants) ||
                    (s->damping->prepare && CAROM_KIND_CALL(s->damping, prepare, p[1], made->damping_constants)) ||
                    law_sample_misfit(s->elastic, made->elastic_constants, s->damping))
                    continue;
                contact->law.geometry = geometry;
                return true;
            }
    return false;
}

static bool add_law(const carom_law_kind *law, const char *elastic)
{
    subject *s = &subjects[count];
    carom_model_contact *contact = &contacts[count];
    s->name = law->kind.name;
    s->elastic = (const carom_elastic_kind *)carom_kind_find(all_kinds(), CAROM_FAMILY_ELASTIC, elastic);
    s->damping = (const carom_damping_kind *)carom_kind_find(all_kinds(), CAROM_FAMILY_DAMPING, law->damping);
    if (!s->elastic || !s->damping || !sample_parts(law, s, contact))
        return false;
    const double *c = contact->law.elastic_constants;
    contact->law.elastic = s->elastic;
    contact->law.damping = s->damping;
    contact->law.stiffness = s->elastic->power_law ? c[0] : (double)NAN;
    contact->law.exponent = s->elastic->power_law ? c[1] : (double)NAN;
    s->reach = fmin(law_sample_reach(s->elastic, c, &law_units_si), DEPTH);
    contact->law.limit = HUGE_VAL;
    contact->law.name = s->name;
    state.located[count].mass = MASS;
    state.located[count].depth_scale = s->reach;
    carom_episode_set_velocity(contact, &state.located[count], SPEED, 0);
    s->stiffness = 1.3e8;
    s->a = 1;
    if (s->damping->ratio && s->elastic->power_law && c[1] == 1.5) {
        s->family = true;
        s->stiffness = c[0];
        s->a = CAROM_KIND_CALL(s->damping, ratio, contact->law.damping_constants, SPEED) / SPEED;
    }
    count++;
    return true;
}

static bool add_friction(const carom_kind *kind)
{
    test_friction made;
    if (test_friction_make(&made, kind->name, "kinetic=0.3 static=0.5"))
        return false;
    subject *s = &subjects[count];
    carom_model_contact *contact = &contacts[count];
    s->name = kind->name;
    s->friction = contact->friction = made.kind;
    contact->pair = &carom_pair_sphere_sphere;
    contact->shape_j = 1;
    memcpy(contact->friction_constants, made.c, sizeof made.c);
    state.located[count].depth_scale = DEPTH;
    s->scale = made.kind->state ? CAROM_KIND_CALL(made.kind, scale, made.c, 0) : 0;
    count++;
    return true;
}

static bool wanted(const char *name, int argc, char **argv)
{
    for (int k = 1; k < argc; k++)
        if (strcmp(argv[k], name) == 0)
            return true;
    return argc < 2;
}

static bool make_subjects(int argc, char **argv)
{
    for (size_t k = 0; k < carom_kind_count(all_kinds(), CAROM_FAMILY_LAW); k++) {
        const carom_law_kind *law = (const carom_law_kind *)carom_kind_at(all_kinds(), CAROM_FAMILY_LAW, k);
        const char *other = law->elastic_without_stiffness;
        if (!wanted(law->kind.name, argc, argv))
            continue;
        if (!add_law(law, law->elastic) || (other && strcmp(other, law->elastic) != 0 && !add_law(law, other))) {
            fprintf(stderr, "%s accepts none of the samples\n", law->kind.name);
            return false;
        }
    }
    friction_start = count;
    for (size_t k = 0; k < carom_kind_count(all_kinds(), CAROM_FAMILY_FRICTION); k++) {
        const carom_kind *kind = carom_kind_at(all_kinds(), CAROM_FAMILY_FRICTION, k);
        if (wanted(kind->name, argc, argv) && !add_friction(kind)) {
            fprintf(stderr, "friction %s refuses its parameters\n", kind->name);
            return false;
        }
    }
    return count > 0;
}

/* ---- measuring: nanoseconds a call ---- */

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static double plain_normal(subject *s)
{
    double (*function)(double, double, double, double) = normal_function;
    const double stiffness = s->stiffness, a = s->a, reach = s->reach;
    double total = 0, start = now();
    for (int k = 0; k < CALLS; k++)
        total += function(stiffness, a, reach * parts[k], rates[k]);
    s->sum += total;
    return (now() - start) * 1e9 / CALLS;
}

static double law_normal(subject *s, int contact)
{
    const double reach = s->reach;
    double total = 0, start = now();
    for (int k = 0; k < CALLS; k++) {
        carom_contact_point point;
        point.gap = -reach * parts[k];
        point.gap_rate = -rates[k];
        carom_episode_force(&contacts[contact], &state.located[contact], &point);
        total += point.force;
    }
    s->sum += total;
    return (now() - start) * 1e9 / CALLS;
}

static double plain_friction(subject *s)
{
    carom_vec3 (*function)(double, double, double, carom_vec3) = friction_function;
    double total = 0, start = now();
    for (int k = 0; k < CALLS; k++) {
        carom_vec3 f = function(0.3, TRANSITION, loads[k], slips[k]);
        total += f.x + f.y + f.z;
    }
    s->sum += total;
    return (now() - start) * 1e9 / CALLS;
}

static double law_friction(subject *s, int contact)
{
    const double scale = s->scale;
    double z[CAROM_FRICTION_STATE], rate[CAROM_FRICTION_STATE] = {0}, total = 0;
    carom_contact_point point = {.gap = -1e-5, .normal = {0, 0, 1}, .elastic_slope = 1.5e5};
    double start = now();
    for (int k = 0; k < CALLS; k++) {
        point.gap_rate = -rates[k];
        point.slip = slips[k];
        point.force = point.elastic = loads[k];
        for (int i = 0; i < 3; i++)
            z[i] = scale * states[k][i];
        z[3] = states[k][3];
        carom_friction_at(&model, &state, contact, &below, &above, z, &point, rate);
        total += point.friction.x + point.friction.y + point.friction.z;
    }
    s->sum += total + rate[0];
    return (now() - start) * 1e9 / CALLS;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *x)
{
    qsort(x, ROUNDS, sizeof *x, ascending);
    return x[ROUNDS / 2];
}

/* Largest difference of a law of the family from the plain formula, over its elastic part. */
static double difference(const subject *s, int contact)
{
    double worst = 0;
    for (int k = 0; k < CALLS; k++) {
        carom_contact_point point;
        double delta = s->reach * parts[k];
        point.gap = -delta;
        point.gap_rate = -rates[k];
        carom_episode_force(&contacts[contact], &state.located[contact], &point);
        double expected = c_normal(s->stiffness, s->a, delta, rates[k]);
        worst = fmax(worst, fabs(point.force - expected) / (s->stiffness * delta * sqrt(delta)));
    }
    return worst;
}

static int print_normal(void)
{
    int result = 0;
    double most = 0, gap = 0;
    printf("medians of %d x %d calls, against K*d*sqrt(d)*(1 + a*v)\n", ROUNDS, CALLS);
    printf("%-28s %-28s %-24s %10s %8s %6s %6s\n", "law", "elastic", "damping", "plain [ns]", "law [ns]", "ratio",
           "limit");
    for (int k = 0; k < friction_start; k++) {
        subject *s = &subjects[k];
        double ratio = median(s->ratio);
        printf("%-28s %-28s %-24s %10.2f %8.2f %6.2f ", s->name, s->elastic->kind.name, s->damping->kind.name,
               median(s->plain), median(s->law), ratio);
        if (!s->family) {
            printf("%6s\n", "");
            continue;
        }
        printf("%6.1f\n", LIMIT);
        most = fmax(most, ratio);
        gap = fmax(gap, s->gap);
        if (!(ratio <= LIMIT) || !(s->gap < 1e-14))
            result = 1;
    }
    printf("largest ratio with a limit: %.2f; largest difference from the plain formula: %.1e\n", most, gap);
    return result;
}

static void print_friction(void)
{
    printf("\nagainst mu*N*tanh(v/vs)\n%-28s %10s %8s %6s\n", "friction", "plain [ns]", "law [ns]", "ratio");
    for (int k = friction_start; k < count; k++)
        printf("%-28s %10.2f %8.2f %6.2f\n", subjects[k].name, median(subjects[k].plain), median(subjects[k].law),
               median(subjects[k].ratio));
}

static int measure(void)
{
    for (int round = -WARMUP; round < ROUNDS; round++)
        for (int k = 0; k < count; k++) {
            subject *s = &subjects[k];
            double plain = s->friction ? plain_friction(s) : plain_normal(s);
            double law = s->friction ? law_friction(s, k) : law_normal(s, k);
            if (round >= 0) {
                s->plain[round] = plain;
                s->law[round] = law;
                s->ratio[round] = law / plain;
            }
        }
    double sum = 0;
    for (int k = 0; k < count; k++) {
        sum += subjects[k].sum;
        if (subjects[k].family)
            subjects[k].gap = difference(&subjects[k], k);
    }
    int result = print_normal();
    if (friction_start < count)
        print_friction();
    printf("(sum %g)\n", sum);
    return result;
}

int main(int argc, char **argv)
{
    carom_context *ctx;
    if (carom_context_create(NULL, &ctx) != CAROM_OK)
        return 1;
    int result = 1;
    if (carom_state_init(ctx, &model, carom_formulation_find("cartesian"), &state) == CAROM_OK) {
        shapes[0].kind = shapes[1].kind = &carom_shape_sphere;
        make_inputs();
        result = make_subjects(argc, argv) ? measure() : 1;
        carom_state_clear(&state);
    }
    carom_context_free(ctx);
    return result;
}
