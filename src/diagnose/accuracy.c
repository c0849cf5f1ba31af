/* Whether the numbers of a run are those of its model, and if not, why and what helps. */
#include "diagnose/diagnostics.h"
#include "carom/spec.h"
#include "sim/warnings.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* A tolerance smaller by this factor is proposed. */
#define TIGHTER 100
/* No tolerance below this one is proposed: the steps are then lost in rounding. */
#define TIGHTEST 1e-11
/* A residual that is this share of the model's energies is rounding: of a model at rest it is all there is. */
#define ROUNDING 1e-12

/* The prescribed motion that holds a row; false: none does. */
static bool is_motion(const carom_model *m, int row)
{
    for (int k = 0; k < m->block_count; k++)
        if (row >= m->blocks[k].first_row && row < m->blocks[k].first_row + m->blocks[k].row_count)
            return m->blocks[k].drive >= 0;
    return false;
}

/* The step with which a method of this order has half of the errors that are allowed [s]. */
static double shorter_step(const carom_simulation *sim, const carom_accuracy *a)
{
    const double excess = fmax(a->residual / CAROM_GREATEST_RESIDUAL, a->violation / CAROM_GREATEST_VIOLATION);
    const int order = sim->run.integrator->order > 0 ? sim->run.integrator->order : 1;
    return sim->run.step * fmin(0.1, pow(2 * fmin(excess, 1e6), -1.0 / order));
}

/* A contact whose force has jumped; NULL: none has. */
static const char *jumping_contact(const carom_simulation *sim)
{
    for (int k = 0; k < sim->model->contact_count; k++)
        if (sim->s.contact_flags[k] & CAROM_REPORTED_JUMP)
            return sim->model->contacts[k].name;
    return NULL;
}

/* What hands over: a contact or a contact set, by its name, and two of its shapes. */
typedef struct handing {
    int length;                 /* of the name; 0: none does */
    const char *name;
    int shapes[2];              /* of a set, two that may */
    double changed;             /* energy stored, positive: it vanished [J] */
} handing;

/* Two shapes of a set whose pairs have several points. */
static void shapes_of_set(const carom_model *m, const carom_contact_set *set, handing *out)
{
    for (int i = set->first; i < set->first + set->count; i++)
        for (int j = i + 1; j < set->first + set->count; j++) {
            const carom_set_member *a = &m->members[i], *b = &m->members[j];
            const carom_model_contact *law = set->laws[a->group * set->group_count + b->group];
            if (!law || !law->pair->points)
                continue;
            out->shapes[0] = a->shape;
            out->shapes[1] = b->shape;
            return;
        }
}

/* The contact whose places have changed the stored energy most as they handed over to each other. What the segments of
   a curve change is asked for by `radii: segments`. */
static handing handing_contact(const carom_simulation *sim)
{
    const carom_model *m = sim->model;
    handing found = {0};
    double sum = 0;
    for (int k = 0; k < m->contact_count; k++) {
        sum = (m->contacts[k].point ? sum : 0) + (m->contacts[k].segments ? 0 : sim->s.switch_term[k]);
        const bool last = k + 1 == m->contact_count || m->contacts[k + 1].point == 0;
        const carom_model_contact *c = &m->contacts[k];
        if (last && fabs(sum) > fabs(found.changed))
            found = (handing){carom_contact_name_length(m, k), c->name, {c->shape_i, c->shape_j}, sum};
    }
    for (int k = 0; k < m->contact_set_count; k++) {
        const carom_contact_set *set = &m->contact_sets[k];
        if (!(fabs(sim->s.switch_term_set[k]) > fabs(found.changed)))
            continue;
        found = (handing){(int)strlen(set->name), set->name, {0, 0}, sim->s.switch_term_set[k]};
        shapes_of_set(m, set, &found);
    }
    return found;
}

/* How a contact's shapes can touch without that: round edges have one least gap that moves without a jump, where they
   do not lie along each other. */
static const char *rounder(const carom_simulation *sim, const handing *by)
{
    const carom_model_shape *shapes = sim->model->shapes;
    if (sim->model->dimension == 2)
        return "give the contact a stiffer law, or shapes with round corners";
    const char *shape[2] = {shapes[by->shapes[0]].kind->kind.name, shapes[by->shapes[1]].kind->kind.name};
    bool box = false, can = false;
    for (int k = 0; k < 2; k++) {
        box = box || strcmp(shape[k], "box") == 0;
        can = can || strcmp(shape[k], "cylinder") == 0 || strcmp(shape[k], "cone") == 0;
    }
    return box ? "try another `edge` of the box, none or a small part of its size"
           : can ? "round the cylinder or cone with `rim`, a small part of its radius"
                 : "give the contact a stiffer law, or shapes with round edges";
}

/* A residual of so many times what is allowed, behind a singular position, is not that of a loose tolerance. */
#define MUCH 10

/* Where an energy has gone beside a singular position, what passes there: absolute coordinates, whose equations do not
   have the motion that becomes free, and then a method of steps that each begin anew. NULL: it was passed well, or both
   have been taken. */
static const char *singular_remedy(const carom_simulation *sim, const carom_accuracy *a)
{
    if (!(a->residual > MUCH * CAROM_GREATEST_RESIDUAL) || !carom_notices_passed_singular(sim))
        return NULL;
    if (sim->system->tree)
        return "type `--formulation cartesian`, or `--integrator dopri5`";
    return strcmp(sim->run.integrator->kind.name, "dopri5") != 0 ? "type `--integrator dopri5`" : NULL;
}

/* Whether outlines are told to rattle where they lie flat on each other: steps that follow each jump of theirs get
   nowhere. */
static bool may_rattle(const carom_model *m)
{
    for (int k = 0; k < m->warning_count; k++)
        if (m->ignored[k].code == CAROM_WARN_FLATS)
            return true;
    return false;
}

/* Times the share of its indentation that rounding of the places is, by which the energy of an impact may be off. */
#define BLUR 10

/* A contact far from the origin, of whose indentation rounding of the places is a share that explains the residual.
   Writes so as the end of a sentence. */
static bool tell_blurred(const carom_simulation *sim, double residual, char *text, size_t size)
{
    const char *name = NULL;
    double most = 0, far = 0;
    for (int k = 0; k < sim->model->contact_count; k++) {
        const double at = carom_located_farthest(sim, k), depth = sim->s.located[k].depth_scale;
        if (!(depth > 0) || !(DBL_EPSILON * at / depth > most))
            continue;
        most = DBL_EPSILON * at / depth;
        far = at;
        name = sim->model->contacts[k].name;
    }
    if (!(BLUR * most > residual))
        return false;
    snprintf(text, size,
             "contact '%.100s' is %.2g m from the origin, where places are known to %.1g m, %.1g of its indentation, "
             "and no tolerance helps; put the origin of the model near the contact",
             name, far, DBL_EPSILON * far, most);
    return true;
}

/* The likely cause and the remedy, as the end of a sentence. */
static void explain(carom_simulation *sim, const carom_accuracy *a, char *text, size_t size)
{
    const carom_integrator_kind *kind = sim->run.integrator;
    const int row = *sim->s.worst_row - 1;
    const bool violated = a->violation > CAROM_GREATEST_VIOLATION;
    const double tolerance = sim->run.tolerance / TIGHTER;
    if (!isfinite(a->residual) && carom_culprit(sim, true, text, size)[0])
        return;
    if (violated && carom_culprit_locks(sim))
        snprintf(text, size,
                 "the mechanism is locked where the run is, or at a dead centre, and nothing moves it on without "
                 "breaking its joints or motions; what came before they broke is right. Change lengths or the range of "
                 "the motion, or drive it by a load");
    else if (carom_run_keeps_step(&sim->run)) {
        char other[60] = ""; /* with rigid contacts another integrator has another model */
        if (!sim->rigid && !may_rattle(sim->model))
            snprintf(other, sizeof other, "type `--integrator %s`, or ", carom_default_run_def().integrator);
        snprintf(text, size, "the step of %.3g s is likely too long for integrator %s; %sgive a `step` of %.1g s",
                 sim->run.step, kind->kind.name, other, shorter_step(sim, a));
    } else if (violated && row >= 0 && is_motion(sim->model, row))
        snprintf(text, size,
                 "the motion likely has a kink or a jump, which no integrator follows; make its velocity continuous");
    else if (singular_remedy(sim, a))
        snprintf(text, size,
                 "it was lost beside a singular position, as another warning tells, where a tighter tolerance helps "
                 "little; %s",
                 singular_remedy(sim, a));
    else if (violated && !sim->run.stabilization->projects && !kind->holds)
        snprintf(text, size, "constraints drift with %s; type `--tolerance %.2g`, or write `constraints: projection`",
                 sim->run.stabilization->kind.name, tolerance > TIGHTEST ? tolerance : TIGHTEST);
    else if (jumping_contact(sim))
        snprintf(text, size, "the force of contact '%s' jumps, as another warning tells with its remedy",
                 jumping_contact(sim));
    else if (!violated && tell_blurred(sim, a->residual, text, size))
        return;
    else if (sim->run.tolerance > TIGHTEST)
        snprintf(text, size, "the tolerance of %.3g is likely too loose; type `--tolerance %.2g`", sim->run.tolerance,
                 tolerance > TIGHTEST ? tolerance : TIGHTEST);
    else
        snprintf(text, size,
                 "a force or a motion likely jumps without an event; `carom converge` shows from when on the numbers "
                 "depend on the tolerance");
}

/* What reactions do along the positions that constraints are violated by: as much as these explain of a residual, the
   violation tells, as that of the springs of `penalty`, which yield. */
static double yielded(const carom_simulation *sim)
{
    double sum = 0;
    for (int r = 0; r < sim->model->row_count; r++)
        sum += fabs(sim->d->multipliers[r] * sim->d->rows[r].phi);
    return sum;
}

/* What a contact has made or lost as its places handed over, with the remedy; NULL: out of memory. */
static const char *tell_handover(carom_simulation *sim, const handing *by)
{
    return carom_arena_format(
        &sim->arena,
        "%.3g J of stored energy, %.2g of the energy's peak, has %s as contact '%.*s' went over from one of its places "
        "to others, which no force does; %s",
        fabs(by->changed), fabs(by->changed) / *sim->s.energy_peak, by->changed < 0 ? "appeared" : "vanished",
        by->length, by->name, rounder(sim, by));
}

carom_status carom_simulation_accuracy(carom_simulation *sim, carom_accuracy *out)
{
    CAROM_NEED(NULL, sim);
    CAROM_NEED(sim->ctx, out);
    char cause[420] = "", row[160] = "", what[300] = "";
    const char *handover = "", *const code = carom_warning_rows[CAROM_WARN_INACCURATE].code;
    const carom_ledger ledger = carom_ledger_at(sim->d, &sim->s);
    *out = (carom_accuracy){
        .residual = ledger.residual_fraction, .violation = *sim->s.peak_violation_share, .text = ""};
    const bool leaks = !(out->residual <= CAROM_GREATEST_RESIDUAL) &&
                       !(fabs(ledger.residual) <= ROUNDING * carom_ledger_scale(sim) + yielded(sim)),
               violated = !(out->violation <= CAROM_GREATEST_VIOLATION);
    const handing by = handing_contact(sim);
    const bool made = by.length && fabs(by.changed) > CAROM_GREATEST_HANDOVER * *sim->s.energy_peak;
    out->accurate = !leaks && !violated && !made;
    if (out->accurate)
        return CAROM_OK;
    if (made && !(handover = tell_handover(sim, &by)))
        return carom_fail_memory(sim->ctx);
    if (*sim->s.worst_row > 0)
        carom_row_name(sim->model, *sim->s.worst_row - 1, row, sizeof row);
    size_t n = 0;
    if (leaks && isfinite(out->residual))
        n = (size_t)snprintf(what, sizeof what, "the energy leaves a residual of %.2g of its peak", out->residual);
    else if (leaks)
        n = (size_t)snprintf(what, sizeof what, "the energy is no finite number");
    if (violated)
        snprintf(what + n, sizeof what - n, "%s%s is violated by %.2g%s", leaks ? ", and " : "", row, out->violation,
                 carom_row_is_angle(&sim->d->rows[*sim->s.worst_row - 1]) ? " rad" : " of the model's length");
    if (leaks || violated)
        explain(sim, out, cause, sizeof cause);
    /* the places first: neither a step nor a tolerance mends what they make */
    out->text = leaks || violated ? carom_arena_format(&sim->arena, "inaccurate: %s%s%s; %s [%s]", handover,
                                                       made ? "; " : "", what, cause, code)
                                  : carom_arena_format(&sim->arena, "inaccurate: %s [%s]", handover, code);
    return out->text ? CAROM_OK : carom_fail_memory(sim->ctx);
}
