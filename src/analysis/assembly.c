/* Analysis assembly: positions and velocities of the start.
   Positions: Newton's method, Phi(q, t) = 0, the least motion of each step in the metric of the mass matrix, from rough
   guesses damped; velocities: Phi_q v = -Phi_t and what is given, with the least norm in that metric. Rank: Cholesky's
   method on S = J M^-1 J^T, which leaves out each row that depends on earlier ones.
   Source: Nikravesh, Computer-Aided Analysis of Mechanical Systems, Prentice Hall 1988, chapters 3 and 5. */
#include "analysis/analysis.h"
#include "dynamics/assembly.h"
#include "dynamics/dynamics.h"

#include <math.h>
#include <string.h>

enum {
    COORDINATES,
    ROWS,
    RANK,
    REDUNDANT,
    FREEDOMS,
    POSITION_BEFORE,
    POSITION_RESIDUAL,
    MOVED,
    VELOCITY_RESIDUAL,
    KINETIC,
    QUANTITIES
};

static const carom_analysis_quantity quantities[QUANTITIES] = {
    [COORDINATES] = {"coordinates", "1", "Velocities of all bodies, in absolute coordinates."},
    [ROWS] = {"rows", "1", "Constraint equations of joints and prescribed motions."},
    [RANK] = {"rank", "1", "Independent ones among them."},
    [REDUNDANT] = {"redundant", "1", "Those that depend on earlier ones."},
    [FREEDOMS] = {"degrees_of_freedom", "1", "Coordinates less rank."},
    [POSITION_BEFORE] = {"position_before", "m or rad",
                         "Largest violation of positions as the model file places the bodies."},
    [POSITION_RESIDUAL] = {"position_residual", "m or rad", "Largest violation of positions after the assembly."},
    [MOVED] = {"moved", "m", "Largest distance by which a centre of mass was moved."},
    [VELOCITY_RESIDUAL] = {"velocity_residual", "m/s or rad/s",
                           "Largest difference of the velocities from constraints and from what is given."},
    [KINETIC] = {"kinetic", "J", "Kinetic energy."},
};

enum { TABLE_REDUNDANT, TABLE_CONSTRAINTS, TABLE_JOINTS, TABLE_BODIES, TABLES };

static const carom_analysis_quantity redundant_columns[] = {
    {"constraint", "", "Joint or motion, and number of its row."},
};
static const carom_analysis_quantity constraint_columns[] = {
    {"constraint", "", "Joint or motion, and number of its row."},
    {"before", "m or rad", "Violation as the model file places the bodies."},
    {"position", "m or rad", "Violation after the assembly."},
    {"velocity", "m/s or rad/s", "Violation of the velocities."},
};
static const carom_analysis_quantity joint_columns[] = {
    {"joint", "", "Name of a joint with a coordinate."},
    {"unit", "", "Unit of the coordinate."},
    {"before", "SI", "As the model file places the bodies."},
    {"after", "SI", "After the assembly."},
    {"rate", "SI/s", "Rate of the coordinate."},
};

static const carom_analysis_table_kind tables[TABLES] = {
    [TABLE_REDUNDANT] = {"redundant", "Constraint rows that depend on earlier ones.", redundant_columns,
                         CAROM_COUNT(redundant_columns)},
    [TABLE_CONSTRAINTS] = {"constraints", "Violation of each constraint row.", constraint_columns,
                           CAROM_COUNT(constraint_columns)},
    [TABLE_JOINTS] = {"joints", "Coordinates of the joints.", joint_columns, CAROM_COUNT(joint_columns)},
    [TABLE_BODIES] = {"bodies", "Coordinates of the bodies.", carom_analysis_body_columns, CAROM_ANALYSIS_BODY_COLUMNS},
};

/* What the assembly changes: the state as the model file has it, and the violations there. */
typedef struct work {
    carom_evaluation *d;
    carom_state *s;             /* in absolute coordinates */
    double *q;
    double *phi;                /* of the rows */
    double *coordinate;         /* of the joints */
    carom_start start;
} work;

static bool allocate(carom_analysis *a, work *w)
{
    const carom_model *m = a->model;
    const size_t rows = (size_t)m->row_count;
    return (w->q = carom_arena_alloc(&a->arena, (size_t)w->s->layout.positions, sizeof(double))) &&
           (w->phi = carom_arena_alloc(&a->arena, rows, sizeof(double))) &&
           (w->coordinate = carom_arena_alloc(&a->arena, (size_t)m->joint_count, sizeof(double))) &&
           (w->start.redundant = carom_arena_alloc(&a->arena, rows, sizeof(bool)));
}

/* Rows and joint coordinates where the state is. */
static void evaluate(const work *w)
{
    carom_state_pose(w->d, w->s);
    carom_dynamics_constraints(w->d, w->s, *w->s->time);
}

static void keep_guess(carom_analysis *a, work *w)
{
    const carom_model *m = a->model;
    carom_row row;
    double rate, largest = 0;
    carom_assembly_switches(w->d, w->s);
    evaluate(w);
    memcpy(w->q, w->s->q, (size_t)w->s->layout.positions * sizeof *w->q);
    for (int r = 0; r < m->row_count; r++) {
        w->phi[r] = w->d->rows[r].phi;
        largest = fmax(largest, fabs(w->phi[r]));
    }
    for (int k = 0; k < m->joint_count; k++)
        if (m->joints[k].coordinate >= 0)
            w->coordinate[k] = carom_dynamics_coordinate(w->d, k, 0, &row, &rate);
    a->values[POSITION_BEFORE] = largest;
}

static bool is_idle(const work *w, int row) { return w->d->idle && w->d->idle[row]; }

static carom_status put_rows(carom_analysis *a, const work *w)
{
    char name[160];
    for (int r = 0; r < carom_model_hard_rows(a->model); r++) {
        if (is_idle(w, r))
            continue;
        carom_row_name(a->model, r, name, sizeof name);
        const carom_analysis_cell cells[] = {
            {.text = name}, {.number = w->phi[r]}, {.number = w->d->rows[r].phi}, {.number = w->d->phi_rate[r]}};
        CAROM_TRY(carom_analysis_add(a, TABLE_CONSTRAINTS, cells));
        if (w->start.redundant[r])
            CAROM_TRY(carom_analysis_add(a, TABLE_REDUNDANT, cells));
    }
    return CAROM_OK;
}

static carom_status put_joints(carom_analysis *a, const work *w)
{
    for (int k = 0; k < a->model->joint_count; k++) {
        const carom_model_joint *j = &a->model->joints[k];
        carom_row row;
        double rate;
        if (j->coordinate < 0)
            continue;
        const double now = carom_dynamics_coordinate(w->d, k, w->s->coordinate[j->coordinate], &row, &rate);
        const carom_analysis_cell cells[] = {{.text = j->name},
                                             {.text = j->kind->coordinate_unit},
                                             {.number = w->coordinate[k]},
                                             {.number = now},
                                             {.number = rate}};
        CAROM_TRY(carom_analysis_add(a, TABLE_JOINTS, cells));
    }
    return CAROM_OK;
}

static carom_status assemble(carom_analysis *a, work *w)
{
    double *value = a->values;
    if (!allocate(a, w))
        return carom_fail_memory(a->ctx);
    keep_guess(a, w);
    CAROM_TRY(carom_assembly_start(w->d, w->s, &w->start));
    evaluate(w);
    const int rows = carom_dynamics_active_rows(w->d);
    value[COORDINATES] = w->s->layout.velocities;
    value[ROWS] = rows;
    value[RANK] = w->start.rank;
    value[REDUNDANT] = rows - w->start.rank;
    value[FREEDOMS] = w->s->layout.velocities - w->start.rank;
    value[POSITION_RESIDUAL] = w->start.residual;
    value[MOVED] = w->start.moved;
    value[VELOCITY_RESIDUAL] = w->start.velocity_residual;
    value[KINETIC] = carom_dynamics_kinetic(w->d) + carom_dynamics_armature_energy(w->d);
    CAROM_TRY(put_rows(a, w));
    CAROM_TRY(put_joints(a, w));
    carom_state *const own = a->state;
    a->state = w->s;
    const carom_status status = carom_analysis_add_bodies(a, TABLE_BODIES, w->q);
    a->state = own;
    return status;
}

static carom_status run_in(carom_analysis *a, work *w)
{
    carom_system *system;
    CAROM_TRY(carom_analysis_system(a, w->s, &system, &w->d));
    carom_status status = assemble(a, w);
    if (status == CAROM_OK && w->s != a->state)
        status = carom_assembly_take(w->d, w->s, a->state);
    carom_system_free(system);
    return status;
}

static carom_status run(carom_analysis *a)
{
    work w = {.s = a->state};
    if (carom_run_follows(a->run))
        return carom_fail(a->ctx, CAROM_ERROR_MODEL, &a->run->start_place,
                          "start: assembly is that of the model's start, where the file places the bodies; leave "
                          "'start' out");
    if (!a->state->formulation->take_bodies)
        return run_in(a, &w);
    CAROM_TRY(carom_state_create_in(a->ctx, a->model, &carom_formulation_cartesian, &w.s));
    const carom_status status = run_in(a, &w);
    carom_state_free(w.s);
    return status;
}

const carom_analysis_kind carom_analysis_assembly = {
    .text = "Positions follow by Newton's method from where the model file places the bodies, each step the least "
            "motion in the metric of the mass matrix. Velocities keep the constraints and what is given, and have the "
            "least norm in that metric. A row that depends on earlier ones is redundant; the mechanism has as many "
            "degrees of freedom as it has coordinates less independent rows. What cannot be assembled, or contradicts, "
            "is refused by name.",
    .source = "Nikravesh 1988, Computer-Aided Analysis of Mechanical Systems, chapters 3 and 5.",
    .quantities = quantities,
    .quantity_count = QUANTITIES,
    .tables = tables,
    .table_count = TABLES,
    .run = run,
};
