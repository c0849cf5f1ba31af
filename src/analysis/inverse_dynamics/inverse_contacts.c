/* Contacts along a prescribed motion: episodes begin and end at instants that inverse_events.c locates, and their
   forces are those of the indentation and its rate. */
#include "analysis/inverse_dynamics/inverse.h"

#include "dynamics/contact/overlap.h"

#include <math.h>
#include <string.h>

/* Evaluations of one instant at most: tension, stick and the branch of a law with history may change the forces. */
#define PASSES 8
/* An inverse mass below this share of that without constraints is none. */
#define CANNOT_MOVE 1e-12

/* Effective mass along the normal, of the mechanism without drives. */
static double effective_mass(carom_inverse *w, const carom_model_contact *c, const carom_contact_point *p)
{
    const carom_formulation *f = w->d->system->formulation;
    const carom_row row = {.Li = carom_v3_neg(p->normal),
                           .Ai = carom_v3_neg(carom_v3_cross(p->arm_i, p->normal)),
                           .Lj = p->normal,
                           .Aj = carom_v3_cross(p->arm_j, p->normal)};
    memset(w->column, 0, (size_t)w->columns * sizeof *w->column);
    f->row_entries(w->d, &row, c->body_i, c->body_j, w->column);
    f->scale_rows(w->d, w->column, 1, w->rest);
    const double before = carom_inverse_product(w, w->rest, w->rest);
    carom_inverse_project(w, w->rest);
    const double after = carom_inverse_product(w, w->rest, w->rest);
    return after > CANNOT_MOVE * before ? 1 / after : HUGE_VAL;
}

static carom_status open_contact(carom_inverse *w, int k, const carom_contact_point *p)
{
    const carom_model_contact *c = &w->m->contacts[k];
    carom_episode *e = &w->s->located[k];
    const double onset = *w->s->time, speed = fmax(-p->gap_rate, 0);
    carom_episode_open(e, onset, speed, p);
    e->mass = effective_mass(w, c, p);
    if (!c->radii_of_start || !w->touching) {
        const char *refusal = carom_episode_set_constants(c, e, p);
        if (refusal)
            return carom_fail(w->ctx, CAROM_ERROR_MODEL, &c->place,
                              "contact '%s': at t = %.6g s the surfaces touch with the radii %.4g m and %.4g m: %s; "
                              "give radius_i and radius_j, or a stiffness",
                              c->name, onset, e->radii[0], e->radii[1], refusal);
    }
    if (c->law.damping->uses_mass && !isfinite(e->mass))
        return carom_fail(w->ctx, CAROM_ERROR_MODEL, &c->place,
                          "contact '%s': damping %s needs an effective mass, but neither side can move along the "
                          "normal (t = %.6g s); take a law that needs none, such as kelvin-voigt or flores",
                          c->name, c->law.damping->kind.name, onset);
    if (c->segments)
        carom_episode_set_segment(w->m, c, e, p->parameter);
    carom_episode_set_velocity(c, e, speed, 0);
    carom_episode_set_scales(c, e, false);
    return CAROM_OK;
}

/* Refuses what dynamics refuses of shapes that overlap at the start, and notes the other overlaps. */
static carom_status check_start(carom_inverse *w)
{
    const carom_model *m = w->m;
    for (int k = 0; k < m->contact_count; k++) {
        if (!(w->d->contacts[k].gap < 0))
            continue;
        CAROM_TRY(carom_overlap_check_deepest(w->ctx, w->d, k));
        if (carom_contact_deepest(w->d, k - m->contacts[k].point) == k)
            w->overlap[k] = -w->d->contacts[k].gap;
    }
    return carom_overlap_check_crossed(w->ctx, w->d);
}

/* Episodes as the gaps have them. */
static carom_status touch(carom_inverse *w)
{
    const carom_model *m = w->m;
    for (int k = 0; k < m->contact_count; k++) {
        carom_contact_point *p = &w->d->contacts[k];
        carom_episode *e = &w->s->located[k];
        carom_contact_geometry_at(m, NULL, k, &w->d->pose[carom_contact_body(m, k, 0)],
                                  &w->d->pose[carom_contact_body(m, k, 1)], p);
        if (carom_inverse_turns(m, e, p->gap)) {
            if (e->open)
                e->open = 0;
            else
                CAROM_TRY(open_contact(w, k, p));
        }
        e->gap = p->gap;
        e->gap_rate = p->gap_rate;
        memcpy(e->parameter, p->parameter, sizeof e->parameter);
        if (e->open && m->contacts[k].segments)
            carom_episode_set_segment(m, &m->contacts[k], e, p->parameter);
    }
    if (!w->touching && !(*w->s->time > 0))
        CAROM_TRY(check_start(w));
    w->touching = true;
    return CAROM_OK;
}

/* What the forces that were found change of an episode. */
static bool follow(carom_inverse *w, int k)
{
    const carom_model_contact *c = &w->m->contacts[k];
    const carom_contact_point *p = &w->d->contacts[k];
    carom_episode *e = &w->s->located[k];
    bool changed = c->law.tension != CAROM_TENSION_ALLOW && carom_episode_tension(c, e, p->raw_force, p);
    if (carom_normal_adapts(&c->law) && carom_episode_until_following(c, e, p) <= 0) {
        carom_episode_follow(c, e, carom_episode_followed(c, e, p));
        changed = true;
    }
    changed = carom_episode_update_history(c, e, p) || changed;
    if (!c->friction || !c->friction->set_valued)
        return changed;
    const double least = CAROM_KIND_CALL(c->friction, stick_speed, c->friction_constants);
    const int stick = carom_v3_norm(p->slip) < least ? CAROM_STICKING : CAROM_SLIPPING;
    changed = changed || stick != e->stick;
    e->stick = stick;
    return changed;
}

carom_status carom_inverse_contacts(carom_inverse *w, int *sticking)
{
    const carom_model *m = w->m;
    bool changed = true;
    *sticking = 0;
    CAROM_TRY(touch(w));
    for (int pass = 0; changed && pass < PASSES; pass++) {
        changed = false;
        memset(w->d->wrench, 0, ((size_t)m->body_count + 1) * sizeof *w->d->wrench);
        carom_dynamics_contacts(w->d, w->s, w->s->friction);
        for (int k = 0; k < m->contact_count; k++)
            changed = (w->s->located[k].open && follow(w, k)) || changed;
    }
    for (int k = 0; k < m->contact_count; k++)
        *sticking += w->s->located[k].open && w->s->located[k].stick == CAROM_STICKING;
    return CAROM_OK;
}
