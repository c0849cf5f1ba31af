/* The advisor: numbers to expect of a contact, and warnings where its law is used outside what it assumes. */
#include "diagnose/diagnostics.h"
#include "diagnose/expect.h"
#include "diagnose/plausible.h"
#include "dynamics/contact/contact_set.h"
#include "dynamics/contact/overlap.h"
#include "law/depth.h"
#include "law/free_impact.h"
#include "law/validity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What the rules look at. */
typedef struct facts {
    const carom_model_contact *contact;
    bool actual;                 /* of an onset; else expected */
    double speed, mass;          /* of approach [m/s], effective [kg] */
    double achieved_restitution; /* NAN: not known */
    double indentation;          /* largest [m]; NAN: not known */
    bool beyond;                 /* the impact does not stop within the law's limit */
    double resting;              /* indentation at rest [m]; NAN: not known */
    const char *material;        /* the softer one, where the stiffness follows from materials; else NULL */
} facts;

#define LINE 400

static const char *speed_text(const facts *f) { return f->actual ? "impact speed" : "expected impact speed"; }

/* The stiffness follows from materials or curvatures, so that a theory claims to hold. */
static bool claims_theory(const carom_model_contact *c)
{
    return (c->law.elastic->needs & (CAROM_NEEDS_MATERIALS | CAROM_NEEDS_RADII)) != 0;
}

/* Yielding is no news to a law with permanent indentation. */
static bool may_yield(const facts *f) { return !f->contact->law.elastic->history; }

/* Slower than the speed below which the law's own is kept. */
static bool floored(const facts *f)
{
    const carom_model_contact *c = f->contact;
    bool used = c->law.velocity != CAROM_VELOCITY_FIXED && !c->law.damping->ignores_v0 &&
                isfinite(c->law.restitution) && !c->law.elastic->history;
    return used && f->speed > 0 && c->law.minimum_speed > carom_validity[CAROM_RULE_FLOOR].threshold * f->speed;
}

/* ---- rules: each writes its line and returns true where it is violated ---- */

static bool judge_restitution(const facts *f, char *line)
{
    const carom_model_contact *c = f->contact;
    if (floored(f) ||
        !(fabs(f->achieved_restitution - c->law.restitution) > carom_validity[CAROM_RULE_RESTITUTION].threshold))
        return false;
    const char *law = c->law.name, *remedy = "law exact returns what is asked";
    if (c->law.velocity == CAROM_VELOCITY_FIXED)
        remedy = "`velocity: fixed-reference` returns another one at each speed";
    else if (c->law.damping->returns_what_is_asked || c->law.elastic->history)
        remedy = "see its page";
    snprintf(line, LINE, "law %s returns a restitution of %.3f where %.4g is asked; %s", law, f->achieved_restitution,
             c->law.restitution, remedy);
    return true;
}

static bool judge_yield(const facts *f, char *line)
{
    double yield = carom_yield_speed(&f->contact->law.geometry, f->mass);
    bool points = !(f->contact->law.elastic->needs & CAROM_NEEDS_LENGTH);
    if (!may_yield(f) || !points || !(f->speed > carom_validity[CAROM_RULE_YIELD].threshold * yield))
        return false;
    snprintf(line, LINE,
             "%s %.3g m/s exceeds the yield speed %.3g m/s: permanent indentation is likely, and the restitution falls "
             "with the speed; laws thornton and walton-braun have it",
             speed_text(f), f->speed, yield);
    return true;
}

static bool judge_waves(const facts *f, char *line)
{
    char unused[LINE];
    double threshold = carom_validity[CAROM_RULE_WAVES].threshold,
           limit = threshold * carom_wave_speed(&f->contact->law.geometry);
    if (!may_yield(f) || !(f->speed > limit) || judge_yield(f, unused))
        return false;
    double yield = carom_yield_speed(&f->contact->law.geometry, f->mass);
    char number[32];
    int n = snprintf(line, LINE, "%s %.3g m/s exceeds %s sqrt(E/rho) = %.3g m/s: ", speed_text(f), f->speed,
                     carom_validity_number(threshold, number), limit);
    if (isfinite(yield))
        snprintf(line + n, LINE - (size_t)n, "the impact is not quasi-static; it does not yield below %.3g m/s", yield);
    else
        snprintf(line + n, LINE - (size_t)n,
                 "permanent indentation is likely, and the restitution is that of this speed only");
    return true;
}

static bool judge_indentation(const facts *f, char *line)
{
    const carom_model_contact *c = f->contact;
    double radius = carom_smaller_radius(&c->law.geometry);
    double threshold = claims_theory(c) ? carom_validity[CAROM_RULE_INDENTATION].threshold : CAROM_DEEP_GIVEN;
    bool line_contact = (c->law.elastic->needs & CAROM_NEEDS_LENGTH) != 0;
    double depth = f->indentation / radius, area = carom_contact_area_radius(&c->law.geometry, f->indentation) / radius;
    /* the width of line contacts follows from the force; their laws have a limit of their own */
    if (!claims_theory(c) || line_contact || !isfinite(area))
        area = 0;
    if (!(radius > 0) || !(fmax(depth, area * area) > threshold))
        return false;
    int n = snprintf(line, LINE, "%s indentation %.3g m is %.2g of the radius %.3g m",
                     f->actual ? "the" : "the expected", f->indentation, depth, radius);
    if (area > 0)
        snprintf(line + n, LINE - (size_t)n, ", the contact radius %.2g of it: Hertz's theory takes both as small",
                 area);
    else
        snprintf(line + n, LINE - (size_t)n, ": more than a contact law is made for");
    return true;
}

static bool judge_limit(const facts *f, char *line)
{
    const carom_model_contact *c = f->contact;
    if (!f->beyond && !(f->indentation > carom_validity[CAROM_RULE_LIMIT].threshold * c->law.limit))
        return false;
    const char *which = f->actual ? "the" : "the expected", *law = c->law.elastic->kind.name;
    carom_elastic_force at_limit;
    CAROM_KIND_CALL(c->law.elastic, force, c->law.elastic_constants, NULL, c->law.limit, &at_limit);
    if (f->beyond || f->indentation > c->law.limit)
        snprintf(
            line, LINE,
            "%s impact at %.3g m/s goes beyond the indentation %.3g m where %s ends; the force stays at %.3g N from "
            "there on",
            which, f->speed, c->law.limit, law, at_limit.force);
    else
        snprintf(line, LINE, "%s indentation %.3g m is %.2g of the %.3g m where %s ends", which, f->indentation,
                 f->indentation / c->law.limit, c->law.limit, law);
    return true;
}

static bool judge_static(const facts *f, char *line)
{
    double radius = carom_smaller_radius(&f->contact->law.geometry);
    if (!(radius > 0) || !isfinite(radius) || !(f->resting > carom_validity[CAROM_RULE_STATIC].threshold * radius))
        return false;
    char whose[100] = "the stiffness";
    if (f->material)
        snprintf(whose, sizeof whose, "E of material '%.60s'", f->material);
    if (isfinite(f->resting))
        snprintf(
            line, LINE,
            "at rest the weight alone makes an indentation of %.3g m, %.2g of the radius %.3g m: very soft; is the "
            "unit of %s right?",
            f->resting, f->resting / radius, radius, whose);
    else
        snprintf(line, LINE, "the contact cannot carry the weight that rests on it");
    return true;
}

static bool judge_floor(const facts *f, char *line)
{
    if (!floored(f))
        return false;
    snprintf(line, LINE,
             "%s %.3g m/s is below minimum_speed %.3g m/s, which the law uses: it returns a restitution of %.3f where "
             "%.4g is asked",
             speed_text(f), f->speed, f->contact->law.minimum_speed, f->achieved_restitution,
             f->contact->law.restitution);
    return true;
}

static bool (*const judges[CAROM_RULE_COUNT])(const facts *, char *) = {
    [CAROM_RULE_RESTITUTION] = judge_restitution,
    [CAROM_RULE_YIELD] = judge_yield,
    [CAROM_RULE_WAVES] = judge_waves,
    [CAROM_RULE_INDENTATION] = judge_indentation,
    [CAROM_RULE_LIMIT] = judge_limit,
    [CAROM_RULE_STATIC] = judge_static,
    [CAROM_RULE_FLOOR] = judge_floor,
};

/* ---- numbers ---- */

/* Weight of the lighter side along the normal [N]; 0: none. */
static double weight(const carom_simulation *sim, const carom_model_contact *c, carom_vec3 normal)
{
    const carom_model *m = sim->model;
    double mass = HUGE_VAL;
    if (c->body_i)
        mass = fmin(mass, m->bodies[c->body_i].mass);
    if (c->body_j)
        mass = fmin(mass, m->bodies[c->body_j].mass);
    double pull = fabs(carom_v3_dot(m->gravity, normal));
    return isfinite(mass) && pull > 1e-9 * carom_v3_norm(m->gravity) ? mass * pull : 0;
}

/* The stiffness as a number, as materials, and as a point at the indentation to expect. */
static void echo_stiffness(const carom_model_contact *c, carom_contact_check *out)
{
    out->stiffness = c->law.stiffness;
    out->exponent = c->law.exponent;
    out->radius = carom_contact_radius(&c->law.geometry);
    out->modulus = carom_contact_modulus(&c->law.geometry);
    /* a stiffness that was given: the modulus with which Hertz's law has it */
    if (!(c->law.elastic->needs & CAROM_NEEDS_MATERIALS))
        out->modulus =
            c->law.exponent == 1.5 && isfinite(out->radius) ? 0.75 * c->law.stiffness / sqrt(out->radius) : (double)NAN;
    out->limit = c->law.limit;
    double depth = out->max_indentation > 0 ? out->max_indentation : out->static_indentation;
    out->reference_indentation = depth > 0 && isfinite(depth) ? fmin(depth, c->law.limit) : fmin(1e-6, c->law.limit);
    carom_elastic_force f;
    CAROM_KIND_CALL(c->law.elastic, force, c->law.elastic_constants, NULL, out->reference_indentation, &f);
    out->reference_force = f.force;
    out->local_exponent = f.slope * out->reference_indentation / f.force;
}

/* Tolerance of an impact that is integrated. */
#define IMPACT_TOLERANCE 1e-9

/* The free impact to come, or that which begins; false where it goes beyond the limit of the law. */
static bool solve_impact(const facts *f, bool brief, carom_free_solution *out)
{
    const carom_free_impact impact = {
        .law = &f->contact->law, .mass = f->mass, .speed = f->speed, .tolerance = IMPACT_TOLERANCE, .brief = brief};
    /* without the points of the motion no memory is asked for */
    (void)carom_free_impact_solve(&impact, NULL, out);
    return out->end != CAROM_FREE_BEYOND_LIMIT;
}

static void expect(const carom_model_contact *c, double force, carom_contact_check *out, facts *f)
{
    out->static_indentation =
        force > 0 ? carom_elastic_indentation(c->law.elastic, c->law.elastic_constants, force, c->law.limit)
                  : (double)NAN;
    out->restitution = c->law.restitution;
    out->achieved_restitution = out->peak_force = out->max_indentation = out->duration = (double)NAN;
    f->resting = out->static_indentation;
    if (f->speed > 0 && isfinite(f->mass)) {
        carom_free_solution impact;
        f->beyond = !solve_impact(f, false, &impact);
        out->achieved_restitution = impact.achieved_restitution;
        out->peak_force = impact.peak_force;
        out->max_indentation = impact.max_indentation;
        out->duration = impact.duration;
        out->method = f->beyond ? "beyond limit" : impact.exact ? "exact" : "integrated";
    }
    f->achieved_restitution = out->achieved_restitution;
    f->indentation = out->max_indentation;
    out->first_step = CAROM_ADVISED_FIRST * out->duration;
    out->contact_step = CAROM_ADVISED_STEP * out->duration;
    out->absolute_scale = CAROM_ADVISED_SCALE * out->max_indentation;
    out->wave_speed = carom_validity[CAROM_RULE_WAVES].threshold * carom_wave_speed(&c->law.geometry);
    out->yield_speed =
        c->law.elastic->needs & CAROM_NEEDS_LENGTH ? (double)NAN : carom_yield_speed(&c->law.geometry, f->mass);
}

static int flag_of(carom_rule rule) { return CAROM_REPORTED_RULE << rule; }

/* Whether the simulation has told the same line of a rule, of a place of contact `k` among others; -1: of none. */
static bool has_told(const carom_simulation *sim, int k, carom_rule rule, const char *line)
{
    const size_t length = strlen(line);
    int flags = 0;
    const int first = k < 0 ? 0 : k - sim->model->contacts[k].point;
    for (int n = first, count = k < 0 ? 0 : carom_contact_points(sim->model, first); n < first + count; n++)
        flags |= sim->s.contact_flags[n];
    for (size_t w = 0; (flags & flag_of(rule)) && w < sim->warning_count; w++)
        if (sim->warnings[w].rule == flag_of(rule) && strncmp(sim->warnings[w].body, line, length) == 0)
            return true;
    return false;
}

/* Name of the softer material of a contact whose stiffness follows from materials; else NULL. */
static const char *softer_material(const carom_model *m, const carom_model_contact *c)
{
    const carom_contact_geometry *g = &c->law.geometry;
    const carom_model_shape *sides[2] = {&m->shapes[c->shape_i], &m->shapes[c->shape_j]};
    double compliance[2];
    if (!(c->law.elastic->needs & CAROM_NEEDS_MATERIALS) || sides[0]->material < 0 || sides[1]->material < 0)
        return NULL;
    for (int k = 0; k < 2; k++)
        compliance[k] = (1 - g->poisson[k] * g->poisson[k]) / g->young[k];
    return m->materials[sides[compliance[1] > compliance[0]]->material];
}

/* All numbers of a contact that is at `p` now and is to touch so; the effective mass is that at `p` where that of the
   touch is not known. `k` is its index; -1: it is a law of a set. */
static carom_status advise(carom_simulation *sim, int k, const carom_model_contact *c, const carom_contact_point *p,
                           const char *name, const carom_touch *touch, const char *assumed, carom_contact_check *out)
{
    const double speed = touch->speed;
    facts f = {.contact = c, .speed = speed, .mass = touch->mass, .material = softer_material(sim->model, c)};
    /* this overwrites the accelerations */
    if (isnan(touch->mass))
        f.mass = carom_effective_mass(sim->d, c->body_i, c->body_j, p);
    *out = (carom_contact_check){.contact = name,
                                 .law = c->law.name,
                                 .elastic = c->law.elastic->kind.name,
                                 .damping = c->law.damping->kind.name,
                                 .mass = f.mass,
                                 .speed = -p->gap_rate,
                                 .gap = p->gap,
                                 .expected_speed = speed,
                                 .assumed = assumed};
    expect(c, weight(sim, c, p->normal), out, &f);
    echo_stiffness(c, out);
    carom_contact_warning *warnings = carom_arena_alloc(&sim->arena, CAROM_RULE_COUNT, sizeof *warnings);
    if (!warnings)
        return carom_fail_memory(sim->ctx);
    out->warnings = warnings;
    for (int rule = 0; rule < CAROM_RULE_COUNT; rule++) {
        char line[LINE];
        if (!carom_validity[rule].expected || !judges[rule](&f, line))
            continue;
        carom_contact_warning *w = &warnings[out->warning_count++];
        const carom_warning_row *row = &carom_warning_rows[carom_validity[rule].warning];
        w->rule = row->name;
        w->told = has_told(sim, k, (carom_rule)rule, line);
        w->body = carom_arena_format(&sim->arena, "%s [%s]", line, row->code);
        w->text = w->body ? carom_arena_format(&sim->arena, "contact '%s': %s", name, w->body) : NULL;
        if (!w->text)
            return carom_fail_memory(sim->ctx);
    }
    return CAROM_OK;
}

carom_status carom_advise_contact(carom_simulation *sim, int k, const carom_trial *trial, carom_contact_check *out)
{
    const carom_model_contact *c = &sim->model->contacts[k];
    const char *assumed = "speed as given";
    const double given = sim->def.touch_speed;
    carom_touch touch = {given, (double)NAN};
    if (trial->touches && !isnan(trial->touches[k].speed)) {
        touch = trial->touches[k];
        assumed = trial->text;
    } else if (trial->touches && !sim->s.located[k].open) {
        touch.speed = (double)NAN;
        assumed = carom_arena_format(&sim->arena, "the sides do not touch in %s", trial->text);
        if (!assumed)
            return carom_fail_memory(sim->ctx);
    } else if (!(given > 0)) {
        touch.speed = carom_expect_touch(sim, k, &assumed);
        if (isnan(touch.speed))
            assumed = "the sides do not touch within the run if they move on as at the start";
    }
    return advise(sim, k, c, &sim->d->contacts[k], c->name, &touch, assumed, out);
}

carom_status carom_advise_law(carom_simulation *sim, int set, const carom_model_contact *law, carom_contact_check *out)
{
    const carom_model *m = sim->model;
    const double given = sim->def.touch_speed;
    const carom_contact_sides sides = {&m->shapes[law->shape_i], &m->shapes[law->shape_j], 0, NULL, NULL};
    carom_contact_point p;
    const char *name = carom_set_contact_name(sim, set, law->shape_i, law->shape_j);
    if (!name)
        return carom_fail_memory(sim->ctx);
    carom_contact_geometry_of(law, &sides, &sim->d->pose[law->body_i], &sim->d->pose[law->body_j], &p);
    const carom_touch touch = {given > 0 ? given : m->speed_scale, (double)NAN};
    return advise(
        sim, -1, law, &p, name, &touch,
        given > 0 ? "speed as given"
                  : "one of the many pairs; the largest speed of the start, or that of a fall over the model's length",
        out);
}

/* ---- at the onset of an episode ---- */

/* A contact with the elastic constants of its open episode: `buffer` where they differ from the model's, else the
   model's. */
static const carom_model_contact *contact_of(const carom_model_contact *c, const carom_episode *e,
                                             carom_model_contact *buffer)
{
    if (!c->varies || !e->open)
        return c;
    *buffer = *c;
    carom_normal_law_use(&buffer->law, e->elastic);
    for (int side = 0; side < 2; side++)
        buffer->law.geometry.radius[side] = e->radii[side];
    return buffer;
}

static const carom_model_contact *contact_now(const carom_model *m, const carom_state *s, int contact,
                                              carom_model_contact *buffer)
{
    return contact_of(&m->contacts[contact], &s->located[contact], buffer);
}

/* An episode that begins, and the rules that have been told of its contact or contact set. */
typedef struct onset {
    int contact;                /* as in carom_impact */
    bool of_set;
    const carom_model_contact *law;
    const carom_episode *episode;
    int *flags;
} onset;

static onset onset_of(const carom_simulation *sim, size_t contact)
{
    const carom_state *s = &sim->s;
    const int k = (int)contact;
    if (k < sim->model->contact_count)
        return (onset){k, false, &sim->model->contacts[k], &s->located[k], &s->contact_flags[k]};
    /* of a set the one that has opened last */
    const carom_episode *e = &s->episodes[s->episode_count - 1];
    return (onset){k, true, carom_set_law(sim->model, e), e, &s->contact_flags[k]};
}

/* Whether a rule is still to be judged. */
static bool open_rule(const onset *at, carom_rule rule) { return !(*at->flags & flag_of(rule)); }

/* Solves the impact only where a rule may need it: the restitution once a contact, or a set, whose pairs ask for one;
   the indentation where that of the elastic impact, which is deeper, is too large. */
static void judge_impact(const onset *at, facts *f)
{
    const carom_model_contact *c = f->contact;
    facts elastic = *f;
    char unused[LINE];
    elastic.indentation = at->episode->depth_scale;
    bool deep = open_rule(at, CAROM_RULE_INDENTATION) && judge_indentation(&elastic, unused);
    bool near = open_rule(at, CAROM_RULE_LIMIT) && judge_limit(&elastic, unused);
    bool first = open_rule(at, CAROM_RULE_RESTITUTION) && isfinite(c->law.restitution) &&
                 f->speed > c->law.minimum_speed;
    if (!deep && !near && !first)
        return;
    carom_free_solution impact;
    f->beyond = !solve_impact(f, true, &impact);
    f->indentation = impact.max_indentation;
    if (first) {
        f->achieved_restitution = impact.achieved_restitution;
        if (!(fabs(f->achieved_restitution - c->law.restitution) > carom_validity[CAROM_RULE_RESTITUTION].threshold))
            *at->flags |= flag_of(CAROM_RULE_RESTITUTION);
    }
}

/* Of a set once a rule, with the pair that was the first. */
static carom_status tell(carom_simulation *sim, const onset *at, carom_rule rule, const char *line)
{
    const carom_model *m = sim->model;
    const carom_warning_code code = carom_validity[rule].warning;
    if (!at->of_set)
        return carom_contact_warn(sim, code, flag_of(rule), at->contact, "%s (t = %.6g s)", line, *sim->s.time);
    const carom_episode *e = at->episode;
    const char *name = carom_set_contact_name(sim, e->set, m->members[e->i].shape, m->members[e->j].shape);
    if (!name)
        return carom_fail_memory(sim->ctx);
    return carom_simulation_warn(sim, code, "contact '%s', the first such one of its set: %s (t = %.6g s)", name, line,
                                 e->onset);
}

static double share_of(const carom_simulation *sim, size_t contact)
{
    return contact < (size_t)sim->model->contact_count ? 1 - sim->d->contacts[contact].less : 1;
}

static carom_status judge_onset(void *user, carom_simulation *sim, size_t contact)
{
    (void)user;
    const onset at = onset_of(sim, contact);
    carom_model_contact buffer;
    facts f = {.contact = contact_of(at.law, at.episode, &buffer),
               .actual = true,
               .speed = at.episode->speed,
               .mass = at.episode->mass,
               .achieved_restitution = (double)NAN,
               .indentation = (double)NAN,
               .resting = (double)NAN};
    if (!(f.speed > 0) || !isfinite(f.mass))
        return CAROM_OK;
    judge_impact(&at, &f);
    for (int rule = 0; rule < CAROM_RULE_COUNT; rule++) {
        char line[LINE];
        /* of a rigid contact the law has its restitution alone */
        if (sim->rigid ? rule != CAROM_RULE_RESTITUTION
                       : rule == CAROM_RULE_RESTITUTION && share_of(sim, contact) < CAROM_OWN_SHARE)
            continue;
        if (!carom_validity[rule].onset || !open_rule(&at, (carom_rule)rule) || !judges[rule](&f, line))
            continue;
        *at.flags |= flag_of((carom_rule)rule);
        /* a slower impact afterwards tells nothing new of yielding */
        if (rule == CAROM_RULE_YIELD)
            *at.flags |= flag_of(CAROM_RULE_WAVES);
        CAROM_TRY(tell(sim, &at, (carom_rule)rule, line));
    }
    return CAROM_OK;
}

/* Warns of a friction law with state that an integrator pays for with its steps. */
static carom_status warn_costly(carom_simulation *sim, const char *what, const char *name, const carom_kind *friction)
{
    const char *remedy = "";
    for (size_t k = 0; !remedy[0] && k < carom_kind_count(sim->ctx, CAROM_FAMILY_INTEGRATOR); k++) {
        const carom_kind *kind = carom_kind_at(sim->ctx, CAROM_FAMILY_INTEGRATOR, k);
        if (((const carom_integrator_kind *)kind)->stiff)
            remedy = kind->name;
    }
    return carom_simulation_warn(
        sim, CAROM_WARN_STIFF_FRICTION,
        "%s '%s': friction %s follows its slip much faster than the bodies move, which costs %s many steps (t = "
        "%.6g s); `--integrator %s` takes few",
        what, name, friction->name, sim->run.integrator->kind.name, *sim->s.time, remedy);
}

/* Steps after which contacts that slide with a law with state are told to be stiff. */
#define COST_STEPS 100000

static carom_status judge_cost(void *user, carom_simulation *sim)
{
    (void)user;
    if (sim->statistics.steps % COST_STEPS != 0)
        return CAROM_OK;
    carom_state *s = &sim->s;
    if (sim->run.integrator->fixed_step || sim->run.integrator->stiff)
        return CAROM_OK;
    for (int k = 0; k < sim->model->site_count; k++) {
        const carom_model_joint *j = &sim->model->joints[sim->model->sites[k].joint];
        if (!j->friction.law->state || (s->site_flags[k] & CAROM_REPORTED_STIFF))
            continue;
        s->site_flags[k] |= CAROM_REPORTED_STIFF;
        if (sim->model->sites[k].place == 0)
            CAROM_TRY(warn_costly(sim, "joint", j->name, &j->friction.law->kind));
    }
    for (int n = 0; n < sim->system->touching_count; n++) {
        const int k = sim->system->touching[n];
        const carom_model_contact *c = &sim->model->contacts[k];
        if (c->friction_state < 0 || !s->located[k].open || (s->contact_flags[k] & CAROM_REPORTED_STIFF))
            continue;
        s->contact_flags[k] |= CAROM_REPORTED_STIFF;
        CAROM_TRY(warn_costly(sim, "contact", c->name, &c->friction->kind));
    }
    return CAROM_OK;
}

/* Elastic energy of a contact in overlap [J]; 0 where that is too little to tell of. */
static double overlap_energy(const carom_simulation *sim, int k)
{
    carom_model_contact buffer;
    const carom_model_contact *c = contact_now(sim->model, &sim->s, k, &buffer);
    const double depth = -sim->d->contacts[k].gap;
    carom_elastic_force held;
    if (!(depth > CAROM_OVERLAP_TOLD * c->feature_size) || !isfinite(c->feature_size))
        return 0;
    CAROM_KIND_CALL(c->law.elastic, force, c->law.elastic_constants, NULL, depth, &held);
    return (1 - sim->d->contacts[k].less) * held.energy;
}

/* Tells that one point of a contact overlaps, as deep as its deepest point, with the energy of all. */
static carom_status tell_overlap(carom_simulation *sim, int k, int deepest, double energy)
{
    const double depth = -sim->d->contacts[deepest].gap, size = sim->model->contacts[k].feature_size;
    return carom_contact_warn(sim, CAROM_WARN_OVERLAP, CAROM_REPORTED_START, k,
                              "the shapes overlap at the start by %.4g m, %.2g %% of the smaller one's size of "
                              "%.4g m, which holds %.4g J; move a body, or change a shape",
                              depth, 100 * depth / size, size, energy);
}

/* Tells of the points of a contact from `first` to `end`, of the deepest one first. */
static carom_status judge_overlap(carom_simulation *sim, int first, int end)
{
    const int deepest = carom_contact_deepest(sim->d, first);
    double energy = 0;
    for (int k = first; k < end; k++)
        energy += overlap_energy(sim, k);
    if (!(energy > 0) || deepest < 0)
        return CAROM_OK;
    if (overlap_energy(sim, deepest) > 0)
        CAROM_TRY(tell_overlap(sim, deepest, deepest, energy));
    for (int k = first; k < end; k++)
        if (k != deepest && overlap_energy(sim, k) > 0)
            CAROM_TRY(tell_overlap(sim, k, deepest, energy));
    return CAROM_OK;
}

static carom_status judge_start(void *user, carom_simulation *sim)
{
    (void)user;
    const carom_model *m = sim->model;
    for (int k = 0; k < m->contact_count; k++) {
        char text[CAROM_KIND_TEXT];
        carom_contact_remark(m, k, &sim->d->pose[carom_contact_body(m, k, 0)],
                             &sim->d->pose[carom_contact_body(m, k, 1)], text, sizeof text);
        if (text[0])
            CAROM_TRY(carom_contact_warn(sim, CAROM_WARN_MESH_OF_TEETH, 0, k, "at the start %s", text));
    }
    CAROM_TRY(carom_plausible_judge(sim));
    for (int first = 0, end; !sim->rigid && first < m->contact_count; first = end) {
        end = first + carom_contact_points(m, first);
        CAROM_TRY(judge_overlap(sim, first, end));
    }
    return CAROM_OK;
}

const carom_sim_listener carom_diagnostics_listener = {.start = judge_start, .onset = judge_onset, .step = judge_cost};
