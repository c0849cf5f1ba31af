/* What who reads efforts has to know: limits of motors and joints that the motion passes, what is not unique or not
   told, and what of the model does not act. */
#include "analysis/inverse_dynamics/inverse.h"

#include "dynamics/contact/overlap.h"

#include <math.h>
#include <stdio.h>

/* Share of a limit by which it is passed at least. */
#define PASSED 1e-9

void carom_inverse_note(carom_inverse *w)
{
    for (int k = 0; k < w->drive_count; k++) {
        carom_drive *drive = &w->drives[k];
        if (drive->load < 0 || !drive->acts)
            continue;
        const carom_load_output *of = &w->d->loads[drive->load];
        /* what the line of the limit leaves at the speed; NAN without a limit */
        const double most = of->limit + (drive->effort < 0 ? -of->shift : of->shift);
        const double share = most <= 0 ? HUGE_VAL : fabs(drive->effort) / most;
        if (share > drive->passed) {
            drive->passed = share;
            drive->passed_time = *w->s->time;
        }
    }
    for (int k = 0; k < w->m->load_count; k++) {
        const carom_compiled_load *l = &w->m->loads[k];
        double energy;
        if (!l->kind->stops || w->s->load_off[k])
            continue;
        const double q = w->s->coordinate[w->m->joints[l->joint].coordinate],
                     beyond = l->kind->stops->beyond(l->p, q, &energy);
        if (fabs(beyond) > fabs(w->beyond[k]))
            w->beyond[k] = beyond;
    }
}

static carom_status say(carom_analysis *a, int table, const char *text)
{
    return carom_analysis_add(a, table, &(carom_analysis_cell){.text = text});
}

carom_status carom_inverse_remark(carom_analysis *a, const carom_inverse *w, int table)
{
    const carom_model *m = w->m;
    char text[400];
    for (int k = 0; k < w->drive_count; k++) {
        const carom_drive *drive = &w->drives[k];
        if (!(drive->passed > 1 + PASSED))
            continue;
        if (isinf(drive->passed))
            snprintf(text, sizeof text, "motor '%s' is too slow: at t = %.6g s '%s' is faster than it without load",
                     m->loads[drive->load].name, drive->passed_time, drive->name);
        else
            snprintf(text, sizeof text,
                     "motor '%s' is too weak: at t = %.6g s '%s' takes %.3g times what its limit gives at that speed",
                     m->loads[drive->load].name, drive->passed_time, drive->name, drive->passed);
        CAROM_TRY(say(a, table, text));
    }
    for (int k = 0; k < m->load_count; k++) {
        if (w->beyond[k] == 0)
            continue;
        const carom_model_joint *j = &m->joints[m->loads[k].joint];
        snprintf(text, sizeof text,
                 "joint '%s' is led %.3g %s beyond its %s limit; what the stop gives there is in the efforts", j->name,
                 fabs(w->beyond[k]), j->kind->coordinate_unit, w->beyond[k] < 0 ? "lower" : "upper");
        CAROM_TRY(say(a, table, text));
    }
    for (int k = 0; k < m->contact_count; k++) {
        const double size = m->contacts[k].feature_size;
        if (!(w->overlap[k] > CAROM_OVERLAP_TOLD * size) || !isfinite(size))
            continue;
        snprintf(text, sizeof text,
                 "contact '%s': the shapes overlap at the start by %.4g m, %.2g %% of the smaller one's size of %.4g "
                 "m; what they push is in the efforts",
                 m->contacts[k].name, w->overlap[k], 100 * w->overlap[k] / size, size);
        CAROM_TRY(say(a, table, text));
    }
    if (w->missed >= 0) {
        snprintf(text, sizeof text,
                 "contact '%s' begins or ends near t = %.6g s so often that not every instant of it is located; what "
                 "it gives there may be missing in the efforts: compare them with `analysis: kinematics`",
                 m->contacts[w->missed].name, w->missed_time);
        CAROM_TRY(say(a, table, text));
    }
    if (w->spare > 0) {
        snprintf(text, sizeof text, "%d efforts more than the motion determines: these have the least norm", w->spare);
        CAROM_TRY(say(a, table, text));
    }
    if (w->sticking > 0) {
        snprintf(text, sizeof text,
                 "friction holds at %d place%s: the motion does not tell its force, which is taken as 0", w->sticking,
                 w->sticking == 1 ? "" : "s");
        CAROM_TRY(say(a, table, text));
    }
    if (m->event_count)
        CAROM_TRY(say(a, table, "the events of the model do not happen here"));
    if (m->state_count)
        CAROM_TRY(say(a, table, "the states of the model stay as they start"));
    return CAROM_OK;
}
