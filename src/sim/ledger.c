/* The energy ledger: each term from its own source, the residual from all of them. */
#include "dynamics/contact/pool.h"
#include "base/fields.h"
#include "sim/sim.h"

#include <math.h>

static double sum(const double *x, int count)
{
    double total = 0;
    for (int k = 0; k < count; k++)
        total += x[k];
    return total;
}

/* What the terms of a ledger leave unexplained [J]. */
static double residual_of(const carom_ledger *ledger)
{
    enum { START, STORED, DISSIPATED, PART, VANISHED, WORK, RESULT, ROLES };
    double sum[ROLES] = {0};
#define CAROM_LEDGER_FIELD(name, role, unit, head, sentence) sum[role] += ledger->name;
#include "base/ledger_fields.def"
    return sum[STORED] + sum[DISSIPATED] + sum[VANISHED] - sum[WORK] - sum[START];
}

void carom_ledger_evaluate(const carom_simulation *sim, carom_ledger *out)
{
    const carom_model *m = sim->model;
    const carom_dynamics *d = sim->d;
    const carom_state *s = &sim->s;
    *out = (carom_ledger){.start = *s->energy_start,
                          .kinetic = carom_dynamics_kinetic(d),
                          .potential = carom_dynamics_potential(d)};
    for (int k = 0; k < m->contact_count; k++)
        if (s->located[k].open)
            out->elastic += d->contacts[k].energy;
    for (int k = 0; k < m->pool_count; k++)
        out->elastic += d->pools->sums[k].energy;
    for (int k = 0; k < m->load_count; k++)
        out->elastic += d->loads[k].stored;
    out->dissipated_contact = sum(s->book_contact, m->contact_count) + sum(s->book_pool, m->pool_count);
    out->released = sum(s->cutoff_loss, m->contact_count);
    out->switched = sum(s->switch_term, m->contact_count);
    out->dissipated_friction =
        sum(s->book_friction, m->rubbing_count) + sum(s->book_pool_friction, m->pool_rubbing_count);
    out->dissipated_other = sum(s->book_loss, m->load_count);
    out->work = sum(s->book_work, m->load_count) + sum(s->book_drive, m->drive_count);
    out->residual = residual_of(out);
    out->residual_fraction = *s->energy_peak > 0 ? fabs(out->residual) / *s->energy_peak : 0;
}

void carom_ledger_accept(carom_simulation *sim)
{
    const carom_model *m = sim->model;
    const carom_dynamics *d = sim->d;
    carom_state *s = &sim->s;
    carom_ledger l;
    carom_ledger_evaluate(sim, &l);
    double all = l.kinetic + l.elastic + fabs(l.potential - *s->potential_start) + fabs(l.work) + l.dissipated_contact +
                 l.dissipated_friction + l.dissipated_other;
    *s->energy_peak = fmax(*s->energy_peak, all);
    for (int body = 1; body <= m->body_count; body++)
        *s->peak_speed = fmax(*s->peak_speed, carom_v3_norm(d->pose[body].v));
    for (int r = 0; r < m->row_count; r++) {
        *s->peak_position_violation = fmax(*s->peak_position_violation, fabs(d->rows[r].phi));
        *s->peak_velocity_violation = fmax(*s->peak_velocity_violation, fabs(d->phi_rate[r]));
    }
}
