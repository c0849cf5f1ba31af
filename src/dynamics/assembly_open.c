/* What was open where the model has its bodies, and what is told of it. */
#include "dynamics/assembly.h"

#include "dynamics/dynamics.h"

#include <math.h>
#include <stdio.h>

/* More than this is no guess of a pose: of the model's length, and [rad]. */
#define OPEN_WAY 0.1
#define OPEN_TURN 0.2

carom_initial_gap carom_assembly_open_of(const carom_start *start, const carom_constraint_block *block)
{
    carom_initial_gap gap = {0};
    for (int r = block->first_row; r < block->first_row + block->row_count; r++) {
        double *open = start->angles[r] ? &gap.angle : &gap.distance;
        *open = hypot(*open, start->written[r]);
    }
    return gap;
}

/* A motion that moved the bodies away from where the model has them. */
static void tell_motion(const carom_model *m, const carom_start *start, char *text, size_t size)
{
    const carom_model_joint *j = &m->joints[start->driven];
    const char *unit = j->kind->coordinate_unit;
    snprintf(text, size,
             "joint '%s': its motion begins at %.4g %s, but where the bodies are placed its coordinate is %.4g %s; the "
             "assembly has moved them. Begin the motion with that, or place the bodies as it begins",
             j->name, start->driven_to, unit, start->driven_from, unit);
}

/* Joints far open where the model has its bodies. */
static bool tell_open(const carom_model *m, const carom_start *start, char *text, size_t size)
{
    carom_initial_gap worst = {0};
    double farthest = 1;
    int row = 0, others = -1;
    char name[160], more[40] = "";
    for (int k = 0; k < m->block_count; k++) {
        const carom_initial_gap gap = carom_assembly_open_of(start, &m->blocks[k]);
        const double share = fmax(gap.distance / (OPEN_WAY * m->length_scale), gap.angle / OPEN_TURN);
        others += share > 1;
        if (!(share > farthest))
            continue;
        farthest = share;
        worst = gap;
        row = m->blocks[k].first_row;
    }
    if (others < 0)
        return false;
    const bool turns = worst.angle / OPEN_TURN >= farthest;
    carom_row_part_name(m, row, name, sizeof name);
    if (others)
        snprintf(more, sizeof more, ", and %d other%s", others, others > 1 ? "s" : "");
    snprintf(text, size,
             "%s is open by %.3g %s where the bodies are placed%s; the assembly has moved bodies by up to %.3g m to "
             "close what is open. Place them so that their joints meet; `carom check` lists what is open",
             name, turns ? worst.angle : worst.distance, turns ? "rad" : "m", more, start->moved);
    return true;
}

bool carom_assembly_warning(const carom_model *model, const carom_start *start, carom_warning_code *code, char *text,
                            size_t size)
{
    *code = start->driven >= 0 ? CAROM_WARN_MOVED : CAROM_WARN_OPEN;
    if (start->driven < 0)
        return tell_open(model, start, text, size);
    tell_motion(model, start, text, size);
    return true;
}
