/* Analysis dynamics: the motion, by a simulation that is run to its end and records nothing. */
#include "analysis/analysis.h"
#include "sim/sim.h"

#include <string.h>

enum { TIME, STEPS, EVALUATIONS, POSITION_VIOLATION, VELOCITY_VIOLATION, PEAK_SPEED };

const carom_analysis_quantity carom_analysis_motion_quantities[CAROM_ANALYSIS_MOTION_QUANTITIES] = {
    [TIME] = {"time", "s", "End of the motion."},
    [STEPS] = {"steps", "1", "Steps of the integrator."},
    [EVALUATIONS] = {"evaluations", "1", "Evaluations of the rates."},
    [POSITION_VIOLATION] = {"position_violation", "m or rad", "Largest violation of a constraint."},
    [VELOCITY_VIOLATION] = {"velocity_violation", "m/s or rad/s", "Largest violation of its rate."},
    [PEAK_SPEED] = {"peak_speed", "m/s", "Largest speed of a centre of mass."},
};

enum { TABLE_IMPACTS, TABLE_ENERGY, TABLE_BODIES };

static const carom_analysis_quantity impact_columns[] = {
#define CAROM_IMPACT_FIELD(name, type, unit, head, rank, description) {#name, unit, description},
#define CAROM_IMPACT_PAIR(name)
#include "base/impact_fields.def"
};
static const carom_analysis_quantity energy_columns[] = {
    {"term", "", "Term of the energy ledger."},
    {"unit", "", "Its unit."},
    {"value", "SI", "Its value at the end."},
};

const carom_analysis_table_kind carom_analysis_motion_tables[CAROM_ANALYSIS_MOTION_TABLES] = {
    [TABLE_IMPACTS] = {"impacts", "The impacts, in the order of their onsets.", impact_columns,
                       CAROM_COUNT(impact_columns)},
    [TABLE_ENERGY] = {"energy", "The energy ledger.", energy_columns, CAROM_COUNT(energy_columns)},
    [TABLE_BODIES] = {"bodies", "Coordinates of the bodies.", carom_analysis_body_columns, CAROM_ANALYSIS_BODY_COLUMNS},
};

/* A member of a struct as a cell. */
static carom_analysis_cell cell_of(const carom_field *field, const void *record)
{
    const char *at = (const char *)record + field->offset;
    carom_analysis_cell cell = {0};
    size_t index;
    if (field->type == CAROM_FIELD_TEXT)
        memcpy(&cell.text, at, sizeof cell.text);
    else if (field->type == CAROM_FIELD_NUMBER)
        memcpy(&cell.number, at, sizeof cell.number);
    else {
        memcpy(&index, at, sizeof index);
        cell.number = (double)index;
    }
    return cell;
}

static carom_status put_impacts(carom_analysis *a, carom_simulation *sim)
{
    size_t count, fields;
    const carom_field *field = carom_impact_fields(&fields);
    const carom_impact *impacts = carom_simulation_impacts(sim, &count);
    for (size_t k = 0; k < count; k++) {
        carom_analysis_cell cells[CAROM_COUNT(impact_columns)];
        for (size_t i = 0; i < CAROM_COUNT(impact_columns); i++)
            cells[i] = cell_of(&field[i], &impacts[k]);
        CAROM_TRY(carom_analysis_add(a, TABLE_IMPACTS, cells));
    }
    return CAROM_OK;
}

static carom_status put_energy(carom_analysis *a, const carom_simulation *sim)
{
    size_t fields;
    const carom_field *field = carom_ledger_fields(&fields);
    const carom_ledger ledger = carom_simulation_ledger(sim);
    for (size_t k = 0; k < fields; k++) {
        const carom_analysis_cell cells[] = {
            {.text = field[k].name}, {.text = field[k].unit}, cell_of(&field[k], &ledger)};
        CAROM_TRY(carom_analysis_add(a, TABLE_ENERGY, cells));
    }
    return CAROM_OK;
}

static carom_status put_all(carom_analysis *a, carom_simulation *sim, const double *before)
{
    const carom_statistics count = carom_simulation_statistics(sim);
    const carom_violation violation = carom_simulation_violation(sim);
    a->values[TIME] = count.time;
    a->values[STEPS] = (double)count.steps;
    a->values[EVALUATIONS] = (double)count.rhs_evaluations;
    a->values[POSITION_VIOLATION] = violation.position;
    a->values[VELOCITY_VIOLATION] = violation.velocity;
    a->values[PEAK_SPEED] = violation.peak_speed;
    CAROM_TRY(put_impacts(a, sim));
    CAROM_TRY(put_energy(a, sim));
    return carom_analysis_add_bodies(a, TABLE_BODIES, before);
}

carom_status carom_analysis_simulate(carom_analysis *a)
{
    const size_t places = (size_t)a->state->layout.positions;
    double *before = carom_arena_alloc(&a->arena, places, sizeof *before);
    if (!before)
        return carom_fail_memory(a->ctx);
    memcpy(before, a->state->q, places * sizeof *before);
    carom_simulation_def def = carom_default_simulation_def();
    def.run_def = a->run;
    def.inputs = a->inputs;
    def.input_count = a->input_count;
    carom_simulation *sim;
    CAROM_TRY(carom_sim_create(a->ctx, a->model, &def, NULL, 0, &sim));
    carom_status status = CAROM_OK;
    if (carom_run_follows(a->run))
        status = carom_simulation_set_state(sim, a->state, NULL, NULL);
    if (status == CAROM_OK)
        status = carom_simulation_run(sim);
    if (status == CAROM_OK)
        status = carom_simulation_get_state(sim, a->state);
    if (status == CAROM_OK)
        status = put_all(a, sim, before);
    carom_simulation_free(sim);
    return status;
}

const carom_analysis_kind carom_analysis_dynamics = {
    .text = "The model is assembled, and the equations of motion of the run's formulation are integrated with its "
            "integrator. `carom run` records it; carom_analysis_run() tells how it ended.",
    .source = "Each integrator, formulation and law has its own: `carom list integrators`.",
    .quantities = carom_analysis_motion_quantities,
    .quantity_count = CAROM_ANALYSIS_MOTION_QUANTITIES,
    .tables = carom_analysis_motion_tables,
    .table_count = CAROM_ANALYSIS_MOTION_TABLES,
    .run = carom_analysis_simulate,
};
