/* The drive that a mechanism cannot follow past a singular position. There a row of the constraints depends on the
   others; where it is that of a drive, little of it is left without the others, and the drive is at its dead centre. */
#include "sim/kinematics/freedoms.h"
#include "sim/kinematics/singular.h"

#include <math.h>
#include <string.h>

/* What is left of a drive's unit row without the others, at its dead centre or beside it. */
#define LEFT 1e-2

/* What is left of the unit row of number `drive` without the others; `basis` is room for these. */
static double left_of(const carom_simulation *sim, const double *rows, const int *row_of, int row_count, int drive,
                      double *basis)
{
    const size_t n = (size_t)(sim->model->body_count * carom_twist_size(sim->model));
    size_t count = 0;
    for (int k = 0; k <= row_count; k++) {
        const int r = k < row_count ? k : drive;
        if (sim->start.redundant[row_of[r]] || k == drive)
            continue;
        double *to = basis + count * n;
        memcpy(to, rows + (size_t)r * n, n * sizeof *to);
        const double left = carom_freedoms_clear(basis, n, count, to);
        if (k == row_count)
            return left;
        for (size_t i = 0; i < n && left > 0; i++)
            to[i] /= left;
        count += left > 0;
    }
    return HUGE_VAL;
}

int carom_singular_drive(carom_simulation *sim)
{
    const carom_model *m = sim->model;
    const size_t n = (size_t)(m->body_count * carom_twist_size(m)), rows = (size_t)m->row_count;
    carom_arena room;
    carom_arena_init(&room, sim->ctx);
    double *row = carom_arena_alloc(&room, rows * n, sizeof *row);
    double *basis = carom_arena_alloc(&room, rows * n, sizeof *basis);
    int *row_of = carom_arena_alloc(&room, rows, sizeof *row_of), found = -1, count = 0;
    double least = LEFT;
    bool moves = false;
    if (row && basis && row_of) {
        carom_state_pose(sim->probe, &sim->s);
        count = carom_freedoms_rows(sim, sim->probe, *sim->s.time, row, row_of);
    }
    for (int b = 0; b < m->block_count; b++)
        for (int k = 0; m->blocks[b].drive >= 0 && k < count; k++) {
            const bool of_drive = row_of[k] == m->blocks[b].first_row;
            const double left = of_drive ? left_of(sim, row, row_of, count, k, basis) : HUGE_VAL;
            /* one that goes on before those that stand */
            const bool goes = fabs(sim->d->row_rate[m->blocks[b].first_row]) > 0;
            if (left >= LEFT || goes < moves || (goes == moves && left >= least))
                continue;
            found = b;
            least = left;
            moves = goes;
        }
    carom_arena_free(&room);
    return found;
}
