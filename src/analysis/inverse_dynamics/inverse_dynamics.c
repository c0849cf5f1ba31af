/* Analysis inverse-dynamics: the efforts of drives and the reactions of joints along a motion that is wholly
   prescribed. docs/theory/inverse-dynamics.md. */
#include "analysis/inverse_dynamics/inverse.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    TIME,
    SAMPLES,
    FREEDOMS,
    ACTUATORS,
    SPARE,
    REDUNDANT,
    STICKING,
    PEAK_POWER,
    WORK,
    ENERGY_CHANGE,
    POSITION_RESIDUAL,
    FORCE_RESIDUAL,
    QUANTITIES
};

static const carom_analysis_quantity quantities[QUANTITIES] = {
    [TIME] = {"time", "s", "End of the motion."},
    [SAMPLES] = {"samples", "1", "Instants at which efforts and reactions were found."},
    [FREEDOMS] = {"degrees_of_freedom", "1", "Those of the mechanism without its drives."},
    [ACTUATORS] = {"actuators", "1", "Coordinates along which efforts act."},
    [SPARE] = {"spare_actuators", "1",
               "Efforts more than the motion determines; above 0 the efforts are those of least norm."},
    [REDUNDANT] = {"redundant", "1", "Constraint equations that depend on others."},
    [STICKING] = {"sticking", "1",
                  "Most contacts and joints at once whose friction holds: not told by the motion, it is taken as 0."},
    [PEAK_POWER] = {"peak_power", "W", "Largest power of all actuators together."},
    [WORK] = {"work", "J", "Work of all actuators."},
    [ENERGY_CHANGE] = {"energy_change", "J", "Change of the kinetic, potential and elastic energy."},
    [POSITION_RESIDUAL] = {"position_residual", "m or rad", "Largest violation of a position."},
    [FORCE_RESIDUAL] = {"force_residual", "1", "Largest share of the forces that is not balanced."},
};

enum { TABLE_REMARKS, TABLE_ACTUATORS, TABLE_REACTIONS, TABLE_EFFORTS, TABLE_BODIES, TABLES };

static const carom_analysis_quantity remark_columns[] = {
    {"sentence", "", "What is to be known of the efforts."},
};
static const carom_analysis_quantity actuator_columns[] = {
    {"actuator", "", "Name of the joint, or of the body and its coordinate."},
    {"unit", "", "Unit of the effort."},
    {"peak_effort", "N or N m", "Largest effort, with its sign."},
    {"peak_time", "s", "Time of that."},
    {"rms_effort", "N or N m", "Root of the mean square of the effort."},
    {"peak_speed", "m/s or rad/s", "Largest speed of the coordinate."},
    {"peak_power", "W", "Largest power that it gives."},
    {"peak_braking", "W", "Largest power that it takes up."},
    {"work", "J", "Work that it gives less that which it takes up."},
    {"unique", "1", "1; 0: other efforts would make the same motion, these have the least norm."},
};
static const carom_analysis_quantity reaction_columns[] = {
    {"joint", "", "Name of the joint."},
    {"peak_force", "N", "Largest force on its second body."},
    {"force_time", "s", "Time of that."},
    {"peak_moment", "N m", "Largest moment on its second body about the joint's frame there."},
    {"moment_time", "s", "Time of that."},
    {"unique", "1", "1; 0: other reactions would balance as well, these have the least norm."},
};
/* Behind it the actuators, which have their names. */
static const carom_analysis_quantity effort_columns[] = {{"t", "s", "Time of the efforts."}};

static const carom_analysis_table_kind tables[TABLES] = {
    [TABLE_REMARKS] = {"remarks", "What is to be known of the efforts.", remark_columns, CAROM_COUNT(remark_columns)},
    [TABLE_ACTUATORS] = {"actuators", "What each actuator has to give.", actuator_columns,
                         CAROM_COUNT(actuator_columns)},
    [TABLE_REACTIONS] = {"reactions", "What joints have to bear.", reaction_columns, CAROM_COUNT(reaction_columns)},
    [TABLE_EFFORTS] = {"efforts", "Force or torque of each actuator along its coordinate, on the second body.",
                       effort_columns, CAROM_COUNT(effort_columns)},
    [TABLE_BODIES] = {"bodies", "Coordinates of the bodies.", carom_analysis_body_columns, CAROM_ANALYSIS_BODY_COLUMNS},
};

/* ---- along the path ---- */

static carom_status put_efforts(carom_analysis *a, carom_path *p)
{
    int column = 0;
    p->row[column++].number = *p->w.s->time;
    for (int k = 0; k < p->w.drive_count; k++)
        if (p->w.drives[k].acts)
            p->row[column++].number = p->w.drives[k].effort;
    return carom_analysis_add(a, TABLE_EFFORTS, p->row);
}

static carom_status go(carom_analysis *a, carom_path *p)
{
    const double every = a->run->output_every > 0 ? a->run->output_every : a->run->until / 200;
    const size_t last = (size_t)ceil((a->run->until - p->start) / every - 1e-9);
    CAROM_TRY(carom_path_sample(p, p->start, 0));
    p->energy = carom_path_energy(&p->w);
    CAROM_TRY(put_efforts(a, p));
    for (size_t k = 1; k <= last; k++) {
        CAROM_TRY(carom_path_advance(p, k == last ? p->until : p->start + (double)k * every));
        CAROM_TRY(put_efforts(a, p));
    }
    return CAROM_OK;
}

/* ---- tables ---- */

static carom_status put_actuators(carom_analysis *a, const carom_path *p)
{
    const double length = a->run->until - p->start;
    for (int k = 0; k < p->w.drive_count; k++) {
        const carom_drive *drive = &p->w.drives[k];
        const carom_actuator_sums *sum = &p->actuators[k];
        if (!drive->acts)
            continue;
        a->values[WORK] += sum->work;
        const carom_analysis_cell cells[] = {{.text = drive->name},
                                             {.text = drive->turns ? "N m" : "N"},
                                             {.number = sum->peak},
                                             {.number = sum->peak_time},
                                             {.number = sqrt(sum->square / length)},
                                             {.number = sum->speed},
                                             {.number = sum->power},
                                             {.number = sum->braking},
                                             {.number = sum->work},
                                             {.number = drive->unique}};
        CAROM_TRY(carom_analysis_add(a, TABLE_ACTUATORS, cells));
    }
    return CAROM_OK;
}

static carom_status put_reactions(carom_analysis *a, const carom_path *p)
{
    const carom_model *m = a->model;
    for (int k = 0; k < m->joint_count; k++) {
        const carom_model_joint *j = &m->joints[k];
        bool unique = true;
        if (j->first_row < 0 || j->of >= 0)
            continue;
        for (int i = 0; i < p->w.held_count; i++) {
            const carom_constraint_block *e = &m->blocks[p->w.held_block[i]];
            unique = unique && (e->type != CAROM_BLOCK_JOINT || e->object != k || p->w.unique[p->w.held[i]]);
        }
        const carom_analysis_cell cells[] = {{.text = j->name},
                                             {.number = p->joints[k].force},
                                             {.number = p->joints[k].force_time},
                                             {.number = p->joints[k].moment},
                                             {.number = p->joints[k].moment_time},
                                             {.number = unique}};
        CAROM_TRY(carom_analysis_add(a, TABLE_REACTIONS, cells));
    }
    return CAROM_OK;
}

static carom_status put_all(carom_analysis *a, carom_path *p)
{
    const carom_inverse *w = &p->w;
    a->values[TIME] = *w->s->time;
    a->values[SAMPLES] = p->totals.samples;
    a->values[PEAK_POWER] = p->totals.peak_power;
    a->values[FREEDOMS] = w->freedoms;
    a->values[ACTUATORS] = w->actuators;
    a->values[SPARE] = w->spare;
    a->values[REDUNDANT] = w->held_count - w->rank;
    a->values[STICKING] = w->sticking;
    a->values[ENERGY_CHANGE] = carom_path_energy(w) - p->energy;
    a->values[POSITION_RESIDUAL] = w->position_residual;
    a->values[FORCE_RESIDUAL] = w->force_residual;
    CAROM_TRY(carom_inverse_remark(a, w, TABLE_REMARKS));
    CAROM_TRY(put_actuators(a, p));
    CAROM_TRY(put_reactions(a, p));
    carom_state *const own = a->state;
    a->state = w->s;
    const carom_status status = carom_analysis_add_bodies(a, TABLE_BODIES, p->before);
    a->state = own;
    return status;
}

/* ---- the start ---- */

/* The columns of efforts have the names of the actuators. */
static carom_status name_efforts(carom_analysis *a, carom_path *p)
{
    const size_t count = (size_t)p->w.actuators + 1;
    carom_analysis_quantity *columns = carom_arena_alloc(&a->arena, count, sizeof *columns);
    p->row = carom_arena_alloc(&a->arena, count, sizeof *p->row);
    if (!columns || !p->row)
        return carom_fail_memory(a->ctx);
    size_t column = 0;
    columns[column++] = effort_columns[0];
    for (int k = 0; k < p->w.drive_count; k++)
        if (p->w.drives[k].acts)
            columns[column++] = (carom_analysis_quantity){p->w.drives[k].name, p->w.drives[k].turns ? "N m" : "N",
                                                          "Effort of this actuator."};
    a->tables[TABLE_EFFORTS].columns = columns;
    a->tables[TABLE_EFFORTS].column_count = count;
    return CAROM_OK;
}

/* Joints of motors to their targets, from where the model has them. */
static carom_status reach_targets(carom_inverse *w)
{
    carom_evaluation *d = w->d;
    char name[200];
    bool any = false;
    carom_state_pose(d, w->s);
    carom_inverse_rows(w);
    for (int k = 0; k < w->drive_count; k++) {
        const carom_drive *drive = &w->drives[k];
        const double wanted = drive->coordinate - w->violation[w->held_count + k];
        if (drive->block >= 0 || !drive->prescribes)
            continue;
        snprintf(name, sizeof name, "joint.%.180s.coordinate", drive->name);
        CAROM_TRY(carom_state_set(w->s, name, &wanted, 1));
        any = true;
    }
    return any ? carom_assembly_move(d, w->s, NULL, NULL) : CAROM_OK;
}

static carom_status run_with(carom_analysis *a, carom_path *p)
{
    carom_inverse *w = &p->w;
    const size_t places = (size_t)w->s->layout.positions;
    carom_start start = {0};
    if (!(p->before = carom_arena_alloc(&a->arena, places, sizeof *p->before)))
        return carom_fail_memory(a->ctx);
    CAROM_TRY(carom_path_create(a, p));
    memcpy(p->before, w->s->q, places * sizeof *p->before);
    CAROM_TRY(carom_analysis_start(a, w->d, w->s, &start));
    CAROM_TRY(reach_targets(w));
    CAROM_TRY(carom_inverse_check(a, w));
    p->start = *w->s->time;
    p->until = a->run->until;
    a->values[WORK] = 0;
    CAROM_TRY(name_efforts(a, p));
    CAROM_TRY(go(a, p));
    return put_all(a, p);
}

static carom_status run_in(carom_analysis *a, carom_state *s)
{
    carom_system *system;
    carom_evaluation *d;
    carom_path p = {.start = 0};
    CAROM_TRY(carom_analysis_system(a, s, &system, &d));
    carom_status status = carom_inverse_create(a, d, s, &p.w);
    if (status == CAROM_OK)
        status = run_with(a, &p);
    carom_inverse_release_motors(&p.w);
    if (status == CAROM_OK && s != a->state)
        status = carom_assembly_take(d, s, a->state);
    a->state->edited = true; /* a motion that begins in it opens its contacts anew */
    carom_path_free(&p);
    carom_inverse_free(&p.w);
    carom_system_free(system);
    return status;
}

static carom_status run(carom_analysis *a)
{
    carom_state *s = a->state;
    if (!(a->run->until > 0) || !isfinite(a->run->until))
        return carom_fail(a->ctx, CAROM_ERROR_MODEL, &a->run->place,
                          "run: inverse-dynamics needs `until`, the end of the prescribed motion [s]");
    if (carom_run_follows(a->run))
        return carom_fail(a->ctx, CAROM_ERROR_MODEL, &a->run->start_place,
                          "start: inverse-dynamics begins where its motion begins; leave 'start' out");
    CAROM_TRY(carom_records_require(a->ctx, a->model, a->records));
    if (!s->formulation->take_bodies)
        return run_in(a, s);
    CAROM_TRY(carom_state_create_in(a->ctx, a->model, &carom_formulation_cartesian, &s));
    const carom_status status = run_in(a, s);
    carom_state_free(s);
    return status;
}

const carom_analysis_kind carom_analysis_inverse_dynamics = {
    .text = "The motion is prescribed by `motion` of joints and bodies and by the targets of motors, which are "
            "followed exactly. At each instant positions, velocities and accelerations follow from the constraints; "
            "the equations of motion then give the efforts of the actuators and the reactions of joints. Contacts, "
            "loads and friction are those of the state; contacts begin and end at instants that are located. What "
            "prescribes a coordinate is its actuator, unless `actuators` names joints that are to make the "
            "motion. Efforts that the motion does not determine are those of least norm, and so are reactions of "
            "redundant constraints; both are marked. A motion that is not wholly prescribed, or that the "
            "actuators cannot make, is refused by name.",
    .source = "Nikravesh 1988, Computer-Aided Analysis of Mechanical Systems, chapters 3 and 5; Featherstone 2008, "
              "Rigid Body Dynamics Algorithms, section 8.12; Laulusa, Bauchau 2008, J. Comput. Nonlinear Dyn. 3, "
              "011004.",
    .quantities = quantities,
    .quantity_count = QUANTITIES,
    .tables = tables,
    .table_count = TABLES,
    .run = run,
};
