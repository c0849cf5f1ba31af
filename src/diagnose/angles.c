/* Angles that look like degrees: whole multiples of 5 rad beyond a turn, where bodies start, where limits, springs and
   targets of joints are, and where a motion or target that is a function of the time turns back or stands. One that
   only goes on, as that of a drive, tells nothing by the place where the run ends. */
#include "diagnose/angles.h"
#include "dynamics/assembly.h"
#include "sim/warnings.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Times at which a function of the time is looked at, and how often the time between two of them is halved. */
enum { TIMES = 500, HALVINGS = 60 };
/* Relative error of a value where its rate is 0. */
#define ROUNDING 1e-9

static const char remedy[] = "angles without a unit are in radians, write %.6g*deg for degrees";

static void describe(double angle, const char *what, char *text, size_t size)
{
    const int n = snprintf(text, size, "%s %.6g rad, %.3g turns; ", what, angle, fabs(angle) / (2 * CAROM_PI));
    snprintf(text + n, size - (size_t)n, remedy, angle);
}

/* ---- functions of the time ---- */

typedef struct course {
    const carom_expr *expr;
    int *switches;
} course;

static carom_jet at(const course *c, double t)
{
    carom_expr_set_switches(c->expr, t, NULL, c->switches);
    return carom_expr_jet(c->expr, t, c->switches);
}

/* Between two times at which the rates are of opposite signs: where it is 0. */
static double turning_value(const course *c, double from, double to, double rate)
{
    for (int k = 0; k < HALVINGS; k++) {
        const double middle = 0.5 * (from + to);
        const double now = at(c, middle).rate;
        *(now * rate > 0 ? &from : &to) = middle;
    }
    return at(c, from).value;
}

/* The first value that looks like degrees of those at which it turns back or stands; NAN: none does. */
static double degrees_of(const carom_simulation *sim, const course *c)
{
    const double begin = *sim->s.time, h = (sim->run.until - begin) / TIMES;
    carom_jet before = at(c, begin);
    for (int k = 0; k <= TIMES && isfinite(before.rate); k++) {
        const carom_jet now = k ? at(c, begin + k * h) : before;
        double value = (double)NAN;
        if (now.rate == 0)
            value = now.value;
        else if (now.rate * before.rate < 0)
            value = turning_value(c, begin + (k - 1) * h, begin + k * h, before.rate);
        if (carom_model_degrees(value, ROUNDING))
            return value;
        before = now;
    }
    return (double)NAN;
}

static carom_status judge_course(carom_simulation *sim, int expr, int *switches, const char *name)
{
    const carom_model_expr *own = &sim->model->exprs[expr];
    char what[200], text[400];
    if (own->uses_measures || !isfinite(sim->run.until))
        return CAROM_OK;
    const course c = {own->expr, switches};
    const double angle = degrees_of(sim, &c);
    if (isnan(angle))
        return CAROM_OK;
    snprintf(what, sizeof what, "%s turns back or stands at", name);
    describe(angle, what, text, sizeof text);
    return carom_simulation_warn_at(sim, CAROM_WARN_DEGREES, &own->place, text);
}

/* ---- loads ---- */

/* A parameter that is an angle, of the coordinate of a joint or by itself. */
static bool is_angle(const carom_model *m, const carom_compiled_load *l, const carom_param_row *row)
{
    const char *unit = l->joint >= 0 ? m->joints[l->joint].kind->coordinate_unit : NULL;
    return row->unit &&
           (strcmp(row->unit, "rad") == 0 || (strcmp(row->unit, "m or rad") == 0 && unit && unit[0] == 'r'));
}

static carom_status judge_load(carom_simulation *sim, const carom_compiled_load *l, int *switches)
{
    const carom_model *m = sim->model;
    /* "hinge.limits" is what the joint's own key has made */
    const char *joint = l->joint >= 0 ? m->joints[l->joint].name : NULL;
    const bool own = joint && strncmp(l->name, joint, strlen(joint)) == 0 && l->name[strlen(joint)] == '.';
    char what[200], text[400];
    for (int k = 0; k < l->kind->kind.param_count; k++) {
        const carom_param_row *row = &l->kind->kind.params[k];
        const int offset = carom_kind_param_offset(&l->kind->kind, row->name);
        if (!is_angle(m, l, row))
            continue;
        int expr = -1;
        for (int n = 0; n < l->slot_count; n++)
            if (l->slots[n].offset == offset)
                expr = l->slots[n].expr;
        if (expr >= 0) {
            snprintf(what, sizeof what, "load '%s': its `%s`", l->name, row->name);
            CAROM_TRY(judge_course(sim, expr, switches, what));
        }
        for (int n = 0; expr < 0 && n < row->size; n++) {
            if (!carom_model_degrees(l->p[offset + n], 0))
                continue;
            snprintf(what, sizeof what, "its `%s` is", row->name);
            describe(l->p[offset + n], what, text, sizeof text);
            return carom_simulation_warn_part(sim, CAROM_WARN_DEGREES, &l->place, own ? "joint" : "load",
                                              own ? joint : l->name, text);
        }
    }
    return CAROM_OK;
}

/* ---- all ---- */

static carom_status judge_motion(carom_simulation *sim, const carom_constraint_block *e, int *switches)
{
    const carom_model *m = sim->model;
    const bool turns = e->type == CAROM_BLOCK_BODY_MOTION    ? e->axis == 3
                       : e->type == CAROM_BLOCK_JOINT_MOTION ? m->joints[e->object].kind->coordinate_unit[0] == 'r'
                                                             : false;
    char name[160];
    if (!turns || e->expr < 0 || (sim->system->motions && sim->system->motions[e->drive].at))
        return CAROM_OK;
    carom_row_name(m, e->first_row, name, sizeof name);
    return judge_course(sim, e->expr, switches, name);
}

carom_status carom_angles_judge(carom_simulation *sim)
{
    const carom_model *m = sim->model;
    const size_t most = (size_t)m->switch_count + 1;
    char text[400];
    carom_status status = CAROM_OK;
    int *switches = carom_allocate(sim->ctx, most, sizeof *switches);
    if (!switches)
        return carom_fail_memory(sim->ctx);
    for (int k = 1; k <= m->body_count && m->dimension == 2 && status == CAROM_OK; k++) {
        const carom_model_body *b = &m->bodies[k];
        if (!carom_model_degrees(b->angle, 0))
            continue;
        describe(b->angle, "starts at an angle of", text, sizeof text);
        status = carom_simulation_warn_part(sim, CAROM_WARN_DEGREES, &b->place, "body", b->name, text);
    }
    for (int k = 0; k < m->load_count && status == CAROM_OK; k++)
        status = judge_load(sim, &m->loads[k], switches);
    for (int k = 0; k < m->block_count && status == CAROM_OK; k++)
        status = judge_motion(sim, &m->blocks[k], switches);
    carom_release(sim->ctx, switches, most, sizeof *switches);
    return status;
}
