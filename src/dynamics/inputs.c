/* Inputs at an instant, set or from a record, and expressions whose time derivatives are wanted. */
#include "dynamics/dynamics.h"

carom_jet carom_dynamics_input(const carom_evaluation *d, const carom_state *s, int input, double t)
{
    const carom_edges *record = d->system->records ? &d->system->records[input] : NULL;
    if (!record || !record->n)
        return (carom_jet){s->input[input], 0, 0};
    const int segment = s->input_segment[input];
    if (segment < 1 || (size_t)segment >= record->n)
        return (carom_jet){record->y[segment < 1 ? 0 : record->n - 1], 0, 0};
    carom_jet out;
    carom_spline_segment(record, segment, t, &out.value, &out.rate, &out.acceleration);
    return out;
}

carom_jet carom_dynamics_jet(carom_evaluation *d, const carom_state *s, int expr, double t)
{
    const carom_model *m = d->model;
    const carom_model_expr *e = &m->exprs[expr];
    const int *switches = s->switches + e->first_switch;
    if (!e->uses_measures)
        return carom_expr_jet(e->expr, t, switches);
    for (int k = 0; k < m->measure_count; k++)
        if (m->measures[k].type == CAROM_MEASURE_INPUT)
            d->measure_jets[k] = carom_dynamics_input(d, s, m->measures[k].a, t);
    return carom_expr_jet_of(e->expr, t, d->measure_jets, switches);
}
