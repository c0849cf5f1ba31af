/* Motions that are wholly prescribed: that they are, and where their way ends. Positions and velocities are those that
   the constraints ask for (integrate/closing.c), singular positions those of singular.c.
   Source: Haug 1989, Computer Aided Kinematics and Dynamics of Mechanical Systems, sections 3.6, 4.3. */
#include "sim/kinematics/kinematics.h"

#include "sim/kinematics/freedoms.h"
#include "sim/kinematics/singular.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Steps below this share of the time come before the end of the way. */
#define SHORT 1e-10

/* ---- the start ---- */

carom_status carom_kinematics_start(carom_simulation *sim)
{
    const int open = carom_freedoms_count(sim);
    char names[600] = "";
    if (!sim->run.kinematic || open <= 0)
        return CAROM_OK;
    if (sim->singular)
        CAROM_TRY(carom_singular_motions(sim, sim->d, open, names, sizeof names));
    return carom_fail(sim->ctx, CAROM_ERROR_MODEL, &sim->run.analysis_place,
                      "kinematics: the motion is not wholly prescribed, %d independent motion%s free: %s; give each a "
                      "`motion`, or use `analysis: dynamics`. If the mechanism only starts in a singular position, "
                      "place it beside that",
                      open, open == 1 ? " is" : "s are", names);
}

/* ---- the end of the way ---- */

bool carom_kinematics_halts(carom_simulation *sim, double whole, int most)
{
    sim->short_steps = *sim->s.step_size < SHORT * whole ? sim->short_steps + 1 : 0;
    return sim->short_steps > most;
}

const char *carom_kinematics_stuck(carom_simulation *sim, char *text, size_t size)
{
    char names[600];
    text[0] = '\0';
    if (!sim->singular || carom_singular_motions(sim, sim->d, 1, names, sizeof names) != CAROM_OK)
        return text;
    snprintf(text, size,
             "the prescribed motion cannot be reached beyond this time: the mechanism has come to the end of its way, "
             "a singular position where %s without limit; end the run before it, or drive that instead",
             names);
    return text;
}
