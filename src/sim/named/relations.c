/* Relations among joint coordinates have to be smooth, as prescribed motions have to: where one jumps no bodies can
   follow, and where its slopes do the coordinates would need an infinite force. Told by both sides of a switch at the
   place where it changes. Jumps of the second derivatives are allowed: they are stopped at. */
#include "sim/sim.h"

#include <math.h>

/* Jump of a relation, as shares of 1 rad and of the model's length times its slopes, of its slopes as a share of the
   greatest, and of its rate by the time alone as a share of the speeds times the slopes. */
#define SMALL_JUMP 1e-6
#define SMALL_SLOPE 1e-6
#define SMALL_RATE 1e-4

/* What a relation is on one side of a switch. */
typedef struct side {
    carom_coupled_row row;
    double rest;                /* its rate by the time alone */
} side;

static side side_of(carom_simulation *sim, const carom_constraint_block *e)
{
    side out;
    out.rest = carom_dynamics_relation(sim->probe, &sim->s, e, *sim->s.time, &out.row);
    return out;
}

static void exchange(int *a, int *b, int count)
{
    for (int k = 0; k < count; k++) {
        const int kept = a[k];
        a[k] = b[k];
        b[k] = kept;
    }
}

carom_status carom_relation_check(carom_simulation *sim, const carom_constraint_block *e, int *before, size_t at)
{
    const carom_model *m = sim->model;
    carom_state *s = &sim->s;
    const carom_model_expr *own = &m->exprs[e->expr];
    const carom_model_joint *joint = &m->joints[e->object];
    const int switches = carom_expr_switch_count(own->expr), count = e->other_count / 2 + 1;
    carom_state_pose(sim->probe, s);
    const side after = side_of(sim, e);
    exchange(s->switches + own->first_switch, before, switches);
    const side former = side_of(sim, e);
    exchange(s->switches + own->first_switch, before, switches);

    double value = 0, rate = 0, steepest = 0, turn = 0;
    int corner = 0;
    for (int k = 0; k < count; k++) {
        const bool turns = m->joints[joint->coupled[k]].kind->coordinate_unit[0] == 'r';
        const double length = turns ? 1 : m->length_scale;
        const double slope = fmax(fabs(former.row.slope[k]), fabs(after.row.slope[k]));
        const double change = fabs(after.row.slope[k] - former.row.slope[k]) * length;
        value = fmax(value, SMALL_JUMP * slope * length);
        rate = fmax(rate, SMALL_RATE * slope * (turns ? m->speed_scale / m->length_scale : m->speed_scale));
        steepest = fmax(steepest, slope * length);
        corner = change > turn ? k : corner;
        turn = fmax(turn, change);
    }
    carom_place place = own->place;
    place.column += (int)at;
    if (!(fabs(after.row.phi - former.row.phi) <= value))
        return carom_fail(sim->ctx, CAROM_ERROR_MODEL, &place,
                          "joint '%s': at t = %.9g s its relation jumps from %.5g to %.5g, which no joint can follow; "
                          "let it go there over a way, as with step5()",
                          joint->name, *s->time, former.row.phi, after.row.phi);
    if (!(turn <= SMALL_SLOPE * steepest))
        return carom_fail(sim->ctx, CAROM_ERROR_MODEL, &place,
                          "joint '%s': at t = %.9g s the derivative of its relation by q%d jumps from %.5g to %.5g, "
                          "which takes an infinite force; round the corner off, as with step5() or a spline",
                          joint->name, *s->time, corner + 1, former.row.slope[corner], after.row.slope[corner]);
    if (!(fabs(after.rest - former.rest) <= rate))
        return carom_fail(sim->ctx, CAROM_ERROR_MODEL, &place,
                          "joint '%s': at t = %.9g s the derivative of its relation by t jumps from %.5g to %.5g, "
                          "which takes an infinite force; round the corner off, as with step5() or a spline",
                          joint->name, *s->time, former.rest, after.rest);
    return CAROM_OK;
}
