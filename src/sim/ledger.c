/* The energy ledger: each term from its own source, the residual from all of them. */
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
#define CAROM_LEDGER_FIELD(name, role, unit, head, description) sum[role] += ledger->name;
#include "base/ledger_fields.def"
    return sum[STORED] + sum[DISSIPATED] + sum[VANISHED] - sum[WORK] - sum[START];
}

static carom_ledger ledger_of(const carom_evaluation *d, const carom_state *s, carom_energy energy)
{
    const carom_model *m = d->model;
    carom_ledger out = {
        .start = *s->energy_start,
        .kinetic = energy.kinetic,
        .potential = energy.potential,
        .elastic = energy.elastic,
        .dissipated_contact = sum(s->work_contact, m->contact_count) + sum(s->work_set, m->contact_set_count),
        .cutoff_loss = sum(s->cutoff_loss, m->contact_count) + sum(s->cutoff_loss_set, m->contact_set_count),
        .switch_term = sum(s->switch_term, m->contact_count) + sum(s->switch_term_set, m->contact_set_count),
        .events = sum(s->event_energy, m->event_count),
        .dissipated_friction =
            sum(s->work_friction, m->friction_work_count) + sum(s->work_set_friction, m->set_friction_work_count),
        .dissipated_other = sum(s->work_load_damper, m->load_count),
        .work = sum(s->work_load, m->load_count) + sum(s->work_drive, m->drive_count) +
                sum(s->work_applied, m->applied_count)};
    out.residual = residual_of(&out);
    out.residual_fraction = *s->energy_peak > 0 ? fabs(out.residual) / *s->energy_peak : 0;
    return out;
}

carom_ledger carom_ledger_at(const carom_evaluation *d, const carom_state *s)
{
    return ledger_of(d, s, carom_system_energy(d, s));
}

static double scale_of(const carom_model *m, double speed)
{
    double sum = 0;
    for (int body = 1; body <= m->body_count; body++)
        sum += m->bodies[body].mass * (speed * speed + carom_v3_norm(m->gravity) * m->length_scale);
    return sum;
}

double carom_energy_scale(const carom_model *m) { return scale_of(m, m->speed_scale); }

double carom_ledger_scale(const carom_simulation *sim)
{
    return scale_of(sim->model, carom_scale_speed(sim));
}

static void take_violations(const carom_evaluation *d, carom_state *s, const carom_constraint_block *block)
{
    for (int r = block->first_row; r < block->first_row + block->row_count; r++) {
        const double share = carom_row_violation(d, r);
        if (share > *s->peak_violation_share) {
            *s->peak_violation_share = share;
            *s->worst_row = r + 1;
        }
        *s->peak_position_violation = fmax(*s->peak_position_violation, fabs(d->rows[r].phi));
        *s->peak_velocity_violation = fmax(*s->peak_velocity_violation, fabs(d->phi_rate[r]));
    }
}

void carom_ledger_accept(carom_simulation *sim)
{
    const carom_model *m = sim->model;
    carom_evaluation *d = sim->d;
    carom_state *s = &sim->s;
    const bool known = d->sums_known;
    carom_dynamics_sum_up(d);
    const carom_energy energy = carom_system_energy(d, s);
    const carom_ledger l = ledger_of(d, s, energy);
    const double all = l.kinetic + fabs(l.elastic - energy.loads) + fabs(energy.loads - *s->loads_start) +
                       fabs(l.potential - *s->potential_start) + fabs(l.work) + fabs(l.dissipated_contact) +
                       fabs(l.dissipated_friction) + fabs(l.dissipated_other) + fabs(l.events);
    *s->energy_peak = fmax(*s->energy_peak, all);
    *s->peak_speed = fmax(*s->peak_speed, sqrt(carom_dynamics_sums(d).fastest));
    d->sums_known = known; /* a projection may follow */
    for (int k = 0; k < m->block_count; k++)
        if (!carom_dynamics_leaves_out(d, k))
            take_violations(d, s, &m->blocks[k]);
}
