/* The search for an equilibrium. Where the stiffness along all allowed motions is positive or none, Newton's method,
   with the least step where it is none; elsewhere damped steps (K + mu) z = F, which follow the forces, as a body in a
   very viscous liquid does, with a damping mu that falls as the forces do (pseudo-transient continuation). A damped
   motion ends where the equilibrium is stable. Along what is bent, as about a stiff contact, a long step leaves forces
   across it, which are taken away before it counts; one that runs into a stop of a joint ends where that begins to
   press.
   Source: Kelley and Keyes 1998, SIAM J. Numer. Anal. 35, 508. */
#include "analysis/equilibrium/equilibrium.h"

#include "math/solve.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Residual, of the forces that act, that need not be less. */
#define EXACT 1e-14
/* Steps at most, and those that Newton's method takes without a gain before it ends. */
#define MOST_STEPS 600
#define MOST_TRIES 40
#define IDLE_STEPS 2
/* Corrections of a step, and steps of each, at most; how much stiffer what is across a step is than what it meets. */
#define MOST_CORRECTED 2
#define MOST_CORRECTIONS 20
#define MUCH 100
/* How often such a step is halved at most. */
#define MOST_SHORTENED 4
/* Halvings that find where a step meets a stop, at most. */
#define MOST_HALVINGS 40
/* Longest step, of the model's length and in radians; a motion by more lengths than this ends nowhere. */
#define LONGEST 0.3
#define NOWHERE 30
/* Share of the residual that makes no difference. */
#define SAME 1e-3
/* By how much the forces may grow in a damped step. */
#define GROWTH 10

typedef struct search {
    carom_balance *b;
    double *along;              /* forces along the motions */
    double *matrix, *z, *x;
    carom_balance_place from, middle;   /* before a step, and before one of its corrections */
    int *branches, *former;     /* before a correction, and before the step */
    double length, angle;       /* of the step [m] [rad] */
    double damping;             /* [1/s^2] */
    double best;                /* residual */
    int idle;
    int same;                   /* damped steps in a row that left the residual as it was */
} search;

/* Forces along motions without stiffness are not balanced by a step; those along motions of negative stiffness lead
   away from it. */
static bool newton_can(const search *w)
{
    const carom_balance *b = w->b;
    for (int c = 0; c < b->width; c++) {
        if (b->eigenvalue[c] < -b->none)
            return false;
        double sum = 0;
        for (int k = 0; k < b->width; k++)
            sum += b->eigenvector[c * b->width + k] * w->along[k];
        if (b->eigenvalue[c] <= b->none && fabs(sum) > carom_balance_small(b))
            return false;
    }
    return true;
}

/* The step z along the motions, shortened, as the motion x. */
static carom_status find_step(search *w, double damping)
{
    carom_balance *b = w->b;
    const int n = b->width;
    int rank;
    for (int k = 0; k < n * n; k++)
        w->matrix[k] = b->stiffness[k] + (k % (n + 1) == 0 ? damping : 0);
    memcpy(w->z, w->along, (size_t)n * sizeof *w->z);
    const double most = fmax(fabs(b->eigenvalue[0]), fabs(b->eigenvalue[n - 1])) + damping;
    CAROM_TRY(carom_least_norm(b->ctx, n, n, w->matrix, w->z, most > 0 ? fmin(b->none / most, 1e-6) : 1e-12, &rank));
    carom_balance_motion(b, w->z, w->x);
    double length, angle;
    carom_balance_reach(b, w->x, &length, &angle);
    const double share = fmin(1, LONGEST / fmax(length / b->m->length_scale, angle));
    for (int k = 0; k < b->columns; k++)
        w->x[k] *= share;
    return CAROM_OK;
}

/* Damping of a first damped step: it goes a thousandth of the model's length. */
static double first_damping(const search *w)
{
    return w->b->residual / (carom_balance_root_of_mass(w->b) * 1e-3 * w->b->m->length_scale);
}

/* Back to where the step began, with what is known there. */
static carom_status begin_again(search *w)
{
    carom_balance *b = w->b;
    bool found;
    carom_balance_return(b, &w->from);
    CAROM_TRY(carom_balance_evaluate(b, &found));
    CAROM_TRY(carom_balance_motions(b));
    CAROM_TRY(carom_balance_stiffness(b, false));
    carom_balance_along(b, w->along);
    return CAROM_OK;
}

/* What a step along the motions meets on the mean: z F/z z [1/s^2]. */
static double stiffness_of_step(const search *w)
{
    double force = 0, square = 0;
    for (int k = 0; k < w->b->width; k++) {
        force += w->z[k] * w->along[k];
        square += w->z[k] * w->z[k];
    }
    return square > 0 ? force / square : 0;
}

static void keep_branches(const carom_balance *b, int *to)
{
    memcpy(to, b->s->switches, (size_t)b->m->switch_count * sizeof *to);
}

static bool same_branches(const carom_balance *b, const int *as)
{
    return memcmp(as, b->s->switches, (size_t)b->m->switch_count * sizeof *as) == 0;
}

static void lengthen(search *w, double share)
{
    for (int k = 0; k < w->b->columns; k++)
        w->x[k] *= share;
}

/* A step of a correction, from the middle. One that leaves a stop that pressed there would begin the next step as if
   there were none: it ends before, as a shorter one that bends less. */
static carom_status take_correction(search *w, double damping, bool *found)
{
    carom_balance *b = w->b;
    carom_balance_keep(b, &w->middle);
    keep_branches(b, w->branches);
    CAROM_TRY(find_step(w, damping));
    CAROM_TRY(carom_balance_move(b, &w->middle, w->x, found));
    for (int n = 0; n < MOST_SHORTENED && *found && !same_branches(b, w->branches); n++) {
        lengthen(w, 0.5);
        CAROM_TRY(carom_balance_move(b, &w->middle, w->x, found));
    }
    return CAROM_OK;
}

/* Takes away what a long step has left across it, where that is much stiffer than what the step met: steps with a
   damping between both, in which what is soft stays and what is stiff comes to rest, as long as they halve the
   residual; then with more, for what is stiffer still. `taken`: it is at most `most` then; else the state is where the
   step began. */
static carom_status correct(search *w, double soft, double most, bool *taken)
{
    carom_balance *b = w->b;
    for (int n = 0; n < MOST_CORRECTIONS; n++) {
        const double before = b->residual;
        bool found;
        CAROM_TRY(carom_balance_motions(b));
        if (b->width == 0)
            break;
        CAROM_TRY(carom_balance_stiffness(b, false));
        carom_balance_along(b, w->along);
        const double stiff = b->eigenvalue[b->width - 1];
        if (!(stiff > MUCH * soft))
            break;
        CAROM_TRY(take_correction(w, sqrt(soft * stiff), &found));
        if (!found || !(b->residual < 0.5 * before))
            soft = sqrt(soft * stiff);
        if (found && b->residual < before)
            continue;
        carom_balance_return(b, &w->middle);
        CAROM_TRY(carom_balance_evaluate(b, &found));
    }
    *taken = b->residual <= most;
    return *taken ? CAROM_OK : begin_again(w);
}

/* Ends a step that has met a stop, or another branch, where this has just begun to press, with at most `most` of the
   forces left; `taken`: it has. The next step goes along it. Else the step is the whole one again. */
static carom_status end_at_branch(search *w, double most, bool *taken)
{
    carom_balance *b = w->b;
    double before = 0, behind = 1, share = 1;
    bool found;
    *taken = false;
    for (int n = 0; n < MOST_HALVINGS && !*taken; n++) {
        const double middle = 0.5 * (before + behind);
        lengthen(w, middle / share);
        share = middle;
        CAROM_TRY(carom_balance_move(b, &w->from, w->x, &found));
        const bool met = !found || !same_branches(b, w->former);
        *taken = found && met && b->residual <= most;
        *(met ? &behind : &before) = share;
    }
    if (*taken)
        return CAROM_OK;
    lengthen(w, 1 / share);
    return carom_balance_move(b, &w->from, w->x, &found);
}

/* A step with this damping, or with more if that leads nowhere; `taken`: one was, with the damping that is left. */
static carom_status try_steps(search *w, bool newton, double *damping, bool *taken)
{
    carom_balance *b = w->b;
    const double before = b->residual;
    int corrected = 0, ended = 0;
    *taken = false;
    keep_branches(b, w->former);
    for (int n = 0; n < MOST_TRIES && !*taken; n++) {
        const double most = (*damping > 0 ? GROWTH : 1) * before;
        bool found;
        CAROM_TRY(find_step(w, *damping));
        CAROM_TRY(carom_balance_move(b, &w->from, w->x, &found));
        carom_balance_reach(b, w->x, &w->length, &w->angle);
        const double soft = stiffness_of_step(w);
        *taken = found && b->residual <= most;
        if (!*taken && newton && before <= carom_balance_small(b))
            break;
        if (found && b->residual > before && ended < MOST_CORRECTED && !same_branches(b, w->former)) {
            ended++;
            CAROM_TRY(end_at_branch(w, most, taken));
            carom_balance_reach(b, w->x, &w->length, &w->angle);
            if (*taken)
                break;
            *taken = b->residual <= most;
        }
        if (found && b->residual > before && soft > 0 && corrected < MOST_CORRECTED) {
            corrected++;
            CAROM_TRY(correct(w, soft, most, taken));
        }
        if (!*taken)
            *damping = *damping > 0 ? 4 * *damping : fmax(first_damping(w), 4 * soft);
    }
    return CAROM_OK;
}

/* One step from where the state is; `taken`: it was. */
static carom_status take_step(search *w, bool *taken)
{
    carom_balance *b = w->b;
    const double before = b->residual;
    const bool newton = newton_can(w);
    /* forces that stay the same whatever the step have nothing of a stiffness, but friction makes it look so */
    const double least = b->eigenvalue[0] < 0 ? -ldexp(b->eigenvalue[0], 1 - w->same) : 0;
    double damping = newton && !(w->damping > 1e-6 * b->eigenvalue[b->width - 1]) ? 0 : w->damping;
    damping = newton ? damping : fmax(fmax(damping, least), damping > 0 ? 0 : first_damping(w));
    CAROM_TRY(try_steps(w, newton, &damping, taken));
    if (*taken) {
        b->damped += damping > 0;
        w->same = fabs(b->residual - before) < SAME * before ? w->same + 1 : 0;
        w->damping = damping * 0.3 * fmax(fmin(b->residual / before, 3), 0.1);
        return CAROM_OK;
    }
    bool found;
    carom_balance_return(b, &w->from);
    return carom_balance_evaluate(b, &found);
}

/* The body that accelerates most, angular accelerations in lengths. */
static int worst_body(const carom_balance *b, carom_body_acceleration *out)
{
    int worst = 1;
    double most = -1;
    for (int body = 1; body <= b->m->body_count; body++) {
        const carom_body_acceleration a = b->d->system->formulation->body_acceleration(b->d, body);
        const double own = fmax(carom_v3_norm(a.linear), b->m->length_scale * carom_v3_norm(a.angular));
        if (own > most) {
            most = own;
            worst = body;
            *out = a;
        }
    }
    return worst;
}

/* Takes body j to body i's, or the other way round: neither is the ground. */
static bool join(bool *with, int i, int j)
{
    const bool one = i > 0 && j > 0 && with[i] != with[j];
    if (one)
        with[i] = with[j] = true;
    return one;
}

/* Which bodies what touches, holds or pulls leads to from a body, without the ground between. */
static void find_companions(const carom_balance *b, int body, bool *with)
{
    const carom_model *m = b->m;
    with[body] = true;
    for (bool more = true; more;) {
        more = false;
        for (int k = 0; k < m->contact_count; k++)
            if (b->s->located[k].open)
                more = join(with, carom_contact_body(m, k, 0), carom_contact_body(m, k, 1)) || more;
        for (int k = 0; k < m->joint_count; k++)
            more = join(with, m->joints[k].i.body, m->joints[k].j.body) || more;
        for (int k = 0; k < m->load_count; k++)
            more = (m->loads[k].frames == 2 && join(with, m->loads[k].i.body, m->loads[k].j.body)) || more;
    }
}

static bool touches(const carom_balance *b, int contact, const bool *with)
{
    return with[carom_contact_body(b->m, contact, 0)] || with[carom_contact_body(b->m, contact, 1)];
}

/* The contact that bears these bodies with friction that does not hold, or whose friction is regularised where
   none does: the bodies have left it; -1: there is none. */
static int rubs(const carom_balance *b, const bool *with)
{
    const carom_model *m = b->m;
    for (int k = 0; k < m->contact_count; k++)
        if (b->s->located[k].open && m->contacts[k].friction && touches(b, k, with) &&
            !carom_balance_holds(b, k))
            return k;
    for (int k = 0; k < m->contact_count; k++)
        if (m->contacts[k].friction && !carom_balance_law_holds(b, m->contacts[k].friction) && touches(b, k, with))
            return k;
    return -1;
}

/* Whether no contact, joint or load leads from these bodies to the ground. */
static bool fall(const carom_balance *b, const bool *with)
{
    const carom_model *m = b->m;
    bool held = false;
    for (int k = 0; k < m->contact_count; k++)
        held = held || (b->s->located[k].open &&
                        with[carom_contact_body(m, k, 0)] != with[carom_contact_body(m, k, 1)]);
    for (int k = 0; k < m->joint_count; k++)
        held = held || with[m->joints[k].i.body] != with[m->joints[k].j.body];
    for (int k = 0; k < m->load_count; k++)
        held = held || (m->loads[k].frames == 2 && with[m->loads[k].i.body] != with[m->loads[k].j.body]);
    return !held;
}

/* What to do about it. */
static void remedy(const carom_balance *b, const bool *with, char *text, size_t size)
{
    const int k = rubs(b, with);
    const carom_model_contact *c = k >= 0 ? &b->m->contacts[k] : NULL;
    if (c)
        snprintf(text, size,
                 carom_balance_law_holds(b, c->friction)
                     ? "the friction of contact '%s' cannot hold; a greater coefficient or a stop would"
                     : "the friction of contact '%s' is regularised and has no force at rest; `friction: "
                       "coulomb` holds",
                 c->name);
    else
        snprintf(text, size,
                 "give it a support, a spring or friction that holds, of the law `coulomb`, `karnopp` or one with a "
                 "deflection such as `mindlin`");
}

static carom_status refuse(search *w, bool nowhere)
{
    const carom_balance *b = w->b;
    const carom_model *m = b->m;
    carom_body_acceleration a = {{0, 0, 0}, {0, 0, 0}};
    const int worst = worst_body(b, &a);
    const bool turns = carom_v3_norm(a.linear) < m->length_scale * carom_v3_norm(a.angular);
    const carom_vec3 of = turns ? a.angular : a.linear;
    const double size = fmax(carom_v3_norm(of), 1e-300);
    bool *with = carom_allocate(b->ctx, (size_t)m->body_count + 1, sizeof *with);
    if (!with)
        return carom_fail_memory(b->ctx);
    find_companions(b, worst, with);
    nowhere = nowhere || fall(b, with);
    const bool cut = b->iterations >= MOST_STEPS && !nowhere;
    char motion[CAROM_MOTION_NAME], what[300];
    carom_balance_along(b, w->along);
    carom_balance_motion(b, w->along, w->x);
    carom_balance_name(b, w->x, motion, sizeof motion);
    remedy(b, with, what, sizeof what);
    carom_release(b->ctx, with, (size_t)m->body_count + 1, sizeof *with);
    return carom_fail(b->ctx, CAROM_ERROR_MODEL, &m->bodies[worst].place,
                      "equilibrium: none was found%s: after %d steps%s nothing balances the motion %s, and body '%s' "
                      "accelerates by %.3g %s (%.3g, %.3g, %.3g); %s%s",
                      nowhere ? ", the bodies go away" : "", b->iterations, cut ? ", the most that are taken," : "",
                      motion, m->bodies[worst].name, size, turns ? "rad/s^2 about" : "m/s^2 along", of.x / size,
                      of.y / size, of.z / size,
                      cut ? "if it is on its way to a rest, begin nearer to that, or let it settle by dynamics with "
                            "dampers; else "
                          : "",
                      what);
}

/* `nowhere`: the bodies went away. */
static carom_status iterate(search *w, bool *nowhere)
{
    carom_balance *b = w->b;
    const carom_model *m = b->m;
    bool found;
    double way = 0;
    *nowhere = false;
    CAROM_TRY(carom_balance_evaluate(b, &found));
    if (!found)
        return carom_fail(b->ctx, CAROM_ERROR_MODEL, &(carom_place){m->file, 0, 0},
                          "equilibrium: the accelerations cannot be solved at the start; a force is not finite there");
    for (w->best = HUGE_VAL; b->iterations < MOST_STEPS && !*nowhere; b->iterations++) {
        bool taken;
        const bool balanced = b->residual <= carom_balance_small(b);
        w->idle = balanced && b->residual > 0.5 * w->best ? w->idle + 1 : 0;
        w->best = fmin(w->best, b->residual);
        if (b->residual <= EXACT * b->scale || w->idle >= IDLE_STEPS)
            break;
        CAROM_TRY(carom_balance_motions(b));
        if (b->width == 0)
            break;
        carom_balance_keep(b, &w->from);
        CAROM_TRY(carom_balance_stiffness(b, false));
        carom_balance_along(b, w->along);
        CAROM_TRY(take_step(w, &taken));
        if (!taken)
            break;
        b->way += fmax(w->length, w->angle * m->length_scale);
        way += w->length;
        *nowhere = way > NOWHERE * m->length_scale;
    }
    return carom_balance_evaluate(b, &found);
}

/* Where the forces lead nowhere, one that they lead away from may be near the start. */
static carom_status find(search *w, carom_balance_place *start, carom_balance_place *end)
{
    carom_balance *b = w->b;
    bool nowhere, found;
    carom_balance_keep(b, start);
    CAROM_TRY(iterate(w, &nowhere));
    if (b->residual <= carom_balance_small(b))
        return CAROM_OK;
    const int steps = b->iterations;
    carom_balance_keep(b, end);
    carom_balance_return(b, start);
    CAROM_TRY(carom_balance_continue(b, &found));
    if (found)
        return CAROM_OK;
    carom_balance_return(b, end);
    b->iterations = steps;
    CAROM_TRY(carom_balance_evaluate(b, &found));
    CAROM_TRY(carom_balance_motions(b));
    return refuse(w, nowhere);
}

carom_status carom_balance_search(carom_balance *b)
{
    carom_arena arena;
    search w = {.b = b};
    carom_balance_place start, end;
    const size_t n = (size_t)b->columns;
    carom_arena_init(&arena, b->ctx);
    const bool done = (w.along = carom_arena_alloc(&arena, n, sizeof(double))) &&
                      (w.matrix = carom_arena_alloc(&arena, n * n, sizeof(double))) &&
                      (w.z = carom_arena_alloc(&arena, n, sizeof(double))) &&
                      (w.x = carom_arena_alloc(&arena, n, sizeof(double))) &&
                      (w.branches = carom_arena_alloc(&arena, (size_t)b->m->switch_count, sizeof(int))) &&
                      (w.former = carom_arena_alloc(&arena, (size_t)b->m->switch_count, sizeof(int))) &&
                      carom_balance_place_create(b, &arena, &w.from) &&
                      carom_balance_place_create(b, &arena, &w.middle) &&
                      carom_balance_place_create(b, &arena, &start) && carom_balance_place_create(b, &arena, &end);
    const carom_status status = done ? find(&w, &start, &end) : carom_fail_memory(b->ctx);
    carom_arena_free(&arena);
    if (status == CAROM_OK)
        carom_balance_deflect(b);
    return status;
}
