/* What `carom run` prints for people. */
#include "run/run.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/table.h"
#include "support/terminal.h"

#define LABELLED 13 /* columns of a label before its line */
#define LONG_TABLE 30
#define LONG_HEAD 20
#define LONG_TAIL 5

static const unit_scale units_percent[] = {{"%", 1, 0}, {NULL, 0, 0}};

#define PARTS 4 /* with redundant rows that are named */
#define LARGE 1e8 /* bytes of results that are told of */

/* How much of the name of a row is that of its joint or motion: all but its number. */
static size_t part_length(const char *row)
{
    const char *number = strstr(row, ", row ");
    return number ? (size_t)(number - row) : strlen(row);
}

/* Over-closed mechanisms run, but some of their reactions are one choice of many. */
static void print_redundant(const carom_check *c)
{
    text_line line = {.width = LINE_BYTES};
    const char *before = "";
    size_t parts = 0;
    for (size_t k = 0; k < c->redundant_count; before = c->redundant[k++]) {
        const size_t length = part_length(c->redundant[k]);
        if (strncmp(c->redundant[k], before, length) != 0 && parts++ < PARTS)
            line_add(&line, "%s%.*s", parts > 1 ? ", " : "", (int)length, c->redundant[k]);
    }
    if (parts > PARTS)
        line_add(&line, " and %zu more", parts - PARTS);
    if (parts)
        print_line(LABELLED,
                   "%-12s %zu of %zu constraint rows, of %s: others hold the same, so that their reactions are not "
                   "unique; the least ones are given, and `carom check` tells what holds what",
                   "redundant", c->redundant_count, c->rows, line.text);
}

void run_print_header(const run_job *job)
{
    char number[32];
    const double step = carom_simulation_step_size(job->sim);
    const bool fixed = step > 0;
    const double value = fixed ? step : job->options->tolerance > 0 ? job->options->tolerance : job->def->tolerance;
    long long freedom = (long long)job->check.mobility;
    print_line(2, "%s · %zu %s, %lld degree%s of freedom · %s · %s, %s %s%s", job->info.name, job->info.bodies,
               job->info.bodies == 1 ? "body" : "bodies", freedom, freedom == 1 ? "" : "s",
               carom_simulation_formulation(job->sim), carom_simulation_integrator(job->sim),
               fixed ? "step" : "tolerance", short_number(number, value, 6), fixed ? " s" : "");
    print_redundant(&job->check);
    const run_unfinished *u = &job->unfinished;
    if (u->of.count)
        print_line(2, "resumed at t = %s s, written on %s", short_number(number, u->of.time, 6), u->written);
    char rows[160];
    if (job->results && output_line(&job->rows, rows, sizeof rows))
        print_line(2, "%s", rows);
    if (job->results)
        output_print_contacts(&job->rows, 2);
    fflush(stdout);
}

/* ---- noise ---- */

/* What is below this share of the tolerance, of the largest value of its quantity, is rounding and shown as 0. */
#define NOISE_SHARE 1e-3
#define FIXED_STEP_TOLERANCE 1e-8       /* for that of a run with fixed steps */

static double noise_of(const run_job *job, double largest)
{
    const double given = job->options->tolerance > 0 ? job->options->tolerance : job->def->tolerance;
    const bool fixed = carom_simulation_step_size(job->sim) > 0;
    return NOISE_SHARE * (fixed || !(given > 0) ? FIXED_STEP_TOLERANCE : given) * largest;
}

static double without_noise(double value, double noise) { return fabs(value) < noise ? 0 : value; }

static double ledger_number(const carom_ledger *l, const carom_field *field)
{
    double value;
    memcpy(&value, (const char *)l + field->offset, sizeof value);
    return value;
}

static bool has_role(const carom_field *field, const char *role) { return strcmp(field->role, role) == 0; }

/* The largest energy of the ledger; what is lost is one sum. */
static double largest_energy(const carom_ledger *l)
{
    size_t count;
    const carom_field *fields = carom_ledger_fields(&count);
    double largest = 0, lost = 0;
    for (size_t k = 0; k < count; k++) {
        const double value = ledger_number(l, &fields[k]);
        if (has_role(&fields[k], "dissipated"))
            lost += value;
        else if (has_role(&fields[k], "start") || has_role(&fields[k], "stored") || has_role(&fields[k], "work"))
            largest = fmax(largest, fabs(value));
    }
    return fmax(largest, fabs(lost));
}

/* ---- tables of contacts ---- */

/* Collects a member of selected structs of an array; NULL when out of memory. */
static double *collect(const void *items, size_t size, size_t offset, const size_t *rows, size_t count)
{
    double *values = malloc((count + 1) * sizeof *values);
    for (size_t k = 0; values && k < count; k++)
        memcpy(&values[k], (const char *)items + rows[k] * size + offset, sizeof values[k]);
    return values;
}

/* A column of a table of structs. */
typedef struct struct_column {
    const char *name;
    const unit_scale *units;
    int digits;
    size_t offset;
} struct_column;

static void add_columns(const run_job *job, table *t, const struct_column *columns, size_t count, const void *items,
                        size_t size, const size_t *rows)
{
    const carom_ledger ledger = carom_simulation_ledger(job->sim);
    const double speed = noise_of(job, carom_simulation_violation(job->sim).peak_speed);
    const double energy = noise_of(job, largest_energy(&ledger));
    for (size_t k = 0; k < count; k++) {
        double *values = collect(items, size, columns[k].offset, rows, t->rows);
        const double noise = columns[k].units == units_energy ? energy : columns[k].units == units_speed ? speed : 0;
        for (size_t n = 0; values && n < t->rows; n++)
            values[n] = without_noise(values[n], noise);
        if (values)
            table_numbers(t, columns[k].name, columns[k].units, columns[k].digits, values);
        else
            t->failed = true;
        free(values);
    }
}

/* The scale of a quantity by its unit; times of the run have a scale of their own. */
static const unit_scale *scale_of(const carom_field *field)
{
    static const struct {
        const char *unit;
        const unit_scale *scale;
    } scales[] = {{"s", units_short_time}, {"m/s", units_speed},  {"N", units_force},
                  {"m", units_length},     {"J", units_energy},   {"kg", units_mass}};
    for (size_t k = 0; k < COUNT(scales); k++)
        if (strcmp(field->unit, scales[k].unit) == 0)
            return field->instant ? units_time : scales[k].scale;
    return units_none;
}

/* Columns that have a rank, in the order of the list; that of friction where there was any. */
static size_t choose_columns(struct_column *columns, size_t capacity, const carom_field *fields, size_t count,
                             bool friction)
{
    size_t chosen = 0;
    for (size_t k = 0; k < count && chosen < capacity; k++) {
        const carom_field *f = &fields[k];
        if (f->type != CAROM_FIELD_NUMBER || !f->rank || (!friction && strcmp(f->name, "friction_lost") == 0))
            continue;
        columns[chosen++] = (struct_column){f->head, scale_of(f), f->instant ? 7 : 4, f->offset};
    }
    return chosen;
}

/* A table of ended episodes: impacts or rests. */
typedef struct episode_table {
    const char *head;           /* above the numbers */
    const char *what;           /* of the line for rows that are left out */
    const void *items;
    size_t size, count;
    const carom_field *fields;
    size_t field_count;
} episode_table;

static const char *contact_of(const episode_table *e, size_t row)
{
    const char *name;
    memcpy(&name, (const char *)e->items + row * e->size + e->fields[0].offset, sizeof name);
    return name;
}

static void print_episodes(const run_job *job, const episode_table *e)
{
    struct_column columns[TABLE_COLUMNS - 2];
    if (e->count == 0)
        return;
    bool shortened = e->count > LONG_TABLE && !job->options->all;
    table t = {.rows = shortened ? LONG_HEAD + LONG_TAIL : e->count};
    size_t *rows = malloc(t.rows * sizeof *rows);
    double *numbers = malloc(t.rows * sizeof *numbers);
    const char **names = malloc(t.rows * sizeof *names);
    char gap[80];
    if (rows && numbers && names) {
        for (size_t k = 0; k < t.rows; k++) {
            rows[k] = shortened && k >= LONG_HEAD ? e->count - (t.rows - k) : k;
            numbers[k] = (double)(rows[k] + 1);
            names[k] = contact_of(e, rows[k]);
        }
        table_numbers(&t, e->head, units_none, 0, numbers);
        table_texts(&t, "contact", false, names);
        bool friction = carom_simulation_ledger(job->sim).dissipated_friction != 0;
        size_t column_count = choose_columns(columns, COUNT(columns), e->fields, e->field_count, friction);
        add_columns(job, &t, columns, column_count, e->items, e->size, rows);
        if (shortened) {
            snprintf(gap, sizeof gap, "  ... %zu more; --all prints all %zu %s", e->count - t.rows, e->count, e->what);
            t.gap_after = LONG_HEAD;
            t.gap_text = gap;
        }
        printf("\n");
        table_print(&t, stdout);
    } else {
        memory_error();
    }
    free(rows);
    free(numbers);
    free(names);
    table_free(&t);
}

static void print_impacts(const run_job *job)
{
    episode_table e = {.head = "impact", .what = "impacts", .size = sizeof(carom_impact)};
    e.items = carom_simulation_impacts(job->sim, &e.count);
    e.fields = carom_impact_fields(&e.field_count);
    print_episodes(job, &e);
}

static void print_rests(const run_job *job)
{
    episode_table e = {.head = "rest", .what = "rests", .size = sizeof(carom_rest)};
    const carom_rest *rests;
    if (carom_simulation_rests(job->sim, &rests, &e.count) != CAROM_OK)
        return;
    e.items = rests;
    e.fields = carom_rest_fields(&e.field_count);
    print_episodes(job, &e);
}

static void print_open_contacts(const run_job *job)
{
    static const struct_column columns[] = {
        {"onset", units_time, 7, offsetof(carom_open_contact, onset)},
        {"v in", units_speed, 4, offsetof(carom_open_contact, v_in)},
        {"force", units_force, 4, offsetof(carom_open_contact, force)},
        {"depth", units_length, 4, offsetof(carom_open_contact, indentation)},
        {"peak", units_force, 4, offsetof(carom_open_contact, peak_force)},
        {"max depth", units_length, 4, offsetof(carom_open_contact, max_indentation)},
    };
    size_t count = carom_simulation_open_contacts(job->sim, NULL, 0);
    if (count == 0)
        return;
    const bool shortened = count > LONG_TABLE && !job->options->all;
    table t = {.rows = shortened ? LONG_HEAD + LONG_TAIL : count};
    char gap[80];
    carom_open_contact *open = calloc(count, sizeof *open);
    size_t *rows = malloc(count * sizeof *rows);
    const char **names = malloc(count * sizeof *names);
    if (open && rows && names) {
        carom_simulation_open_contacts(job->sim, open, count);
        for (size_t k = 0; k < t.rows; k++) {
            rows[k] = shortened && k >= LONG_HEAD ? count - (t.rows - k) : k;
            names[k] = open[rows[k]].contact;
        }
        if (shortened) {
            snprintf(gap, sizeof gap, "  ... %zu more; --all prints all %zu contacts", count - t.rows, count);
            t.gap_after = LONG_HEAD;
            t.gap_text = gap;
        }
        table_texts(&t, "in contact", false, names);
        add_columns(job, &t, columns, COUNT(columns), open, sizeof *open, rows);
        printf("\n");
        table_print(&t, stdout);
    } else {
        memory_error();
    }
    free(open);
    free(rows);
    free(names);
    table_free(&t);
}

/* How the joints with clearance have spent the run. */
static void print_joints(const run_job *job)
{
    static const char *const headings[] = {"flight", "impact", "following", "impacts"};
    size_t count = carom_simulation_joint_modes(job->sim, NULL, 0);
    double time = carom_simulation_time(job->sim);
    if (count == 0)
        return;
    table t = {.rows = count};
    carom_joint_modes *modes = calloc(count, sizeof *modes);
    const char **names = malloc(count * sizeof *names);
    double *values = malloc(count * sizeof *values);
    if (modes && names && values) {
        carom_simulation_joint_modes(job->sim, modes, count);
        for (size_t k = 0; k < count; k++)
            names[k] = modes[k].joint;
        table_texts(&t, "clearance", false, names);
        for (size_t c = 0; c < COUNT(headings); c++) {
            for (size_t k = 0; k < count; k++) {
                const double shares[] = {modes[k].flight, modes[k].impact, modes[k].following};
                values[k] = c == 3 ? (double)modes[k].impacts : time > 0 ? 100 * shares[c] / time : 0;
            }
            table_numbers(&t, headings[c], c == 3 ? units_none : units_percent, c == 3 ? 0 : 3, values);
        }
        printf("\n");
        table_print(&t, stdout);
    } else {
        memory_error();
    }
    free(modes);
    free(names);
    free(values);
    table_free(&t);
}

/* ---- table of bodies ---- */

/* A column of the bodies; those of one quantity share their unit. */
typedef struct body_column {
    const char *name;
    const unit_scale *units;
    size_t offset;
} body_column;

static const unit_scale units_angle[] = {{"rad", 1, 0}, {NULL, 0, 0}}, units_spin[] = {{"rad/s", 1, 0}, {NULL, 0, 0}};

#define BODY(member) offsetof(carom_body_state, member)

static const body_column plane_columns[] = {
    {"x", units_length, BODY(position[0])}, {"y", units_length, BODY(position[1])},
    {"angle", units_angle, BODY(angle)},    {"vx", units_speed, BODY(velocity[0])},
    {"vy", units_speed, BODY(velocity[1])}, {"w", units_spin, BODY(angular_velocity[2])},
};
static const body_column space_columns[] = {
    {"x", units_length, BODY(position[0])},        {"y", units_length, BODY(position[1])},
    {"z", units_length, BODY(position[2])},        {"vx", units_speed, BODY(velocity[0])},
    {"vy", units_speed, BODY(velocity[1])},        {"vz", units_speed, BODY(velocity[2])},
    {"wx", units_spin, BODY(angular_velocity[0])}, {"wy", units_spin, BODY(angular_velocity[1])},
    {"wz", units_spin, BODY(angular_velocity[2])},
};

static double body_number(const carom_body_state *body, const body_column *column)
{
    double value;
    memcpy(&value, (const char *)body + column->offset, sizeof value);
    return value;
}

/* Largest magnitude in all columns of these units. */
static double largest_of(const carom_body_state *bodies, size_t count, const body_column *columns, size_t column_count,
                         const unit_scale *units)
{
    double largest = 0;
    for (size_t c = 0; c < column_count; c++)
        for (size_t k = 0; columns[c].units == units && k < count; k++)
            largest = fmax(largest, fabs(body_number(&bodies[k], &columns[c])));
    return largest;
}

/* What the rounding of a quantity is a share of: where all is at rest, the speeds that the run had. */
static double quantity_size(const run_job *job, const carom_body_state *bodies, size_t count,
                            const body_column *columns, size_t column_count, const unit_scale *units)
{
    const double size = largest_of(bodies, count, columns, column_count, units);
    const double speed = carom_simulation_violation(job->sim).peak_speed;
    const double length = largest_of(bodies, count, columns, column_count, units_length);
    if (units == units_speed)
        return fmax(fmax(size, speed), length * largest_of(bodies, count, columns, column_count, units_spin));
    return units == units_spin && length > 0 ? fmax(size, speed / length) : units == units_angle ? fmax(size, 1) : size;
}

static void print_bodies(const run_job *job)
{
    bool plane = job->info.dimension == 2;
    const body_column *columns = plane ? plane_columns : space_columns;
    size_t column_count = plane ? COUNT(plane_columns) : COUNT(space_columns), count = job->info.bodies;
    table t = {.rows = count};
    carom_body_state *bodies = calloc(count + 1, sizeof *bodies);
    const char **names = malloc((count + 1) * sizeof *names);
    double *values = malloc((count + 1) * sizeof *values);
    carom_status status = bodies && names && values ? CAROM_OK : CAROM_ERROR_MEMORY;
    for (size_t k = 0; status == CAROM_OK && k < count; k++) {
        names[k] = carom_model_body_name(job->model, k);
        status = carom_simulation_body(job->sim, k, &bodies[k]);
    }
    if (status == CAROM_OK && count > 0) {
        table_texts(&t, "at the end", false, names);
        for (size_t c = 0; c < column_count; c++) {
            const unit_scale *unit =
                unit_for(columns[c].units, largest_of(bodies, count, columns, column_count, columns[c].units));
            const unit_scale one[] = {{unit->name, unit->size, 0}, {NULL, 0, 0}};
            const double noise =
                noise_of(job, quantity_size(job, bodies, count, columns, column_count, columns[c].units));
            for (size_t k = 0; k < count; k++)
                values[k] = without_noise(body_number(&bodies[k], &columns[c]), noise);
            table_numbers(&t, columns[c].name, one, 5, values);
        }
        printf("\n");
        table_print(&t, stdout);
    } else if (status != CAROM_OK) {
        status == CAROM_ERROR_MEMORY ? memory_error() : session_error(job->session, status);
    }
    free(bodies);
    free(names);
    free(values);
    table_free(&t);
}

/* ---- lines ---- */

/* Energies are sums and differences of the largest ones: what is below their rounding is none. */
#define ENERGY_NOISE (16 * DBL_EPSILON)

static void add_energy(text_line *line, const char *name, double value, const unit_scale *unit, double largest)
{
    char number[32];
    const double shown = fabs(value) < ENERGY_NOISE * largest ? 0 : value;
    line_add(line, "  %s %s %s", name, short_number(number, shown / unit->size, 5), unit->name);
}

/* What is there, and what is gone; of the rare terms those that are not zero. */
static void print_ledger(const run_job *job)
{
    const carom_ledger l = carom_simulation_ledger(job->sim);
    size_t count;
    const carom_field *fields = carom_ledger_fields(&count);
    const double largest = largest_energy(&l);
    const unit_scale *unit = unit_for(units_energy, largest);
    char number[32];
    text_line held = {.width = LINE_BYTES}, gone = {.width = LINE_BYTES};
    line_add(&held, "%-11s", "energy");
    line_add(&gone, "%-11s", "lost");
    for (size_t k = 0; k < count; k++) {
        const double value = ledger_number(&l, &fields[k]);
        const char *name = fields[k].name, *dissipated = "dissipated_";
        if (has_role(&fields[k], "dissipated"))
            add_energy(&gone, name + (strncmp(name, dissipated, strlen(dissipated)) == 0 ? strlen(dissipated) : 0),
                       value, unit, largest);
        else if (has_role(&fields[k], "part") && value != 0)
            line_add(&gone, " (%s %s %s)", short_number(number, value / unit->size, 5), unit->name, fields[k].head);
        else if (has_role(&fields[k], "vanished") && value != 0)
            add_energy(&gone, name, value, unit, largest);
        else if (has_role(&fields[k], "start") || has_role(&fields[k], "stored") || has_role(&fields[k], "work"))
            add_energy(&held, name, value, unit, largest);
    }
    print_line(LABELLED, "%s", held.text);
    line_add(&gone, "  residual %s of peak", short_number(number, l.residual_fraction, 2));
    print_line(LABELLED, "%s", gone.text);
}

/* How often the run has gone on, and that it can do so once more. */
static void print_resumed(const run_job *job)
{
    const run_unfinished *u = &job->unfinished;
    char number[32], seconds[32];
    if (u->of.count)
        print_line(LABELLED, "%-12s %" PRIu64 " time%s, last at t = %s s, after %s s of computing until then",
                   "resumed", u->of.count, u->of.count == 1 ? "" : "s", short_number(number, u->of.time, 6),
                   short_number(seconds, u->of.seconds, 3));
    if (u->path && job->outcome == CAROM_INTERRUPTED && access(u->path, F_OK) == 0)
        print_line(LABELLED, "%-12s %s; the same command goes on from there", "unfinished", u->path);
}

static void print_summary(const run_job *job)
{
    char time[32], wall[32], factor[32];
    carom_statistics s = carom_simulation_statistics(job->sim);
    size_t impacts;
    carom_simulation_impacts(job->sim, &impacts);
    const bool amber = strcmp(job->status, STATUS_INACCURATE) == 0;
    fputs(amber ? paint_begin(stdout, PAINT_WARNING) : "", stdout);
    print_line(2, "%s  %s s  %zu impact%s  %" PRIu64 " steps  %s s elapsed  x%s real time", job->status,
               short_number(time, s.time, 6), impacts, impacts == 1 ? "" : "s", s.steps,
               short_number(wall, job->wall_seconds, 3),
               short_number(factor, job->wall_seconds > 0 ? (s.time - job->bar.first_time) / job->wall_seconds : 0, 3));
    fputs(amber ? paint_end(stdout) : "", stdout);
    print_resumed(job);
}

char *run_methods_line(const run_job *job)
{
    carom_method_use uses[3];
    uint64_t changes;
    const size_t count = carom_simulation_methods(job->sim, uses, COUNT(uses), &changes);
    char number[32];
    text_line line = {.width = LINE_BYTES};
    if (count > 1)
        line_add(&line, "%s: ", carom_simulation_integrator(job->sim));
    const char *of = " of the run";
    for (size_t k = 0; k < count; k++)
        if (uses[k].steps > 0) {
            line_add(&line, "%s%s %s s%s", *of ? "" : ", ", uses[k].method, short_number(number, uses[k].time, 3), of);
            of = "";
        }
    if (count > 1)
        line_add(&line, "%s%" PRIu64 " change%s", *of ? "" : ", ", changes, changes == 1 ? "" : "s");
    return format_text("%s", line.text);
}

static void print_methods(const run_job *job)
{
    char *line = carom_simulation_methods(job->sim, NULL, 0, NULL) > 1 ? run_methods_line(job) : NULL;
    if (line)
        print_line(2, "%s", line);
    free(line);
}

/* Events of the text output without --all. */
#define EVENTS_SHOWN 30

static void print_events(const run_job *job)
{
    size_t count;
    const carom_fired_event *events = carom_simulation_fired_events(job->sim, &count);
    const char *stopped = carom_simulation_stopped_by(job->sim);
    char time[32], energy[32], rate[32], peak[32], depth[32];
    for (size_t k = 0; k < count && (k < EVENTS_SHOWN || job->options->all); k++) {
        text_line line = {.width = LINE_BYTES};
        const bool of_load = events[k].event_index >= job->spec->event_count;
        line_add(&line, "%-11s  %s%s%s at %s s", of_load ? events[k].kind : "event", events[k].event,
                 of_load ? ": " : "", of_load ? events[k].action : "", short_number(time, events[k].time, 10));
        if (of_load && events[k].rate != 0)
            line_add(&line, "  at a rate of %s", short_number(rate, events[k].rate, 5));
        if (events[k].peak > 0)
            line_add(&line, "  peak effort %s", short_number(peak, events[k].peak, 5));
        if (events[k].depth > 0)
            line_add(&line, "  depth %s", short_number(depth, events[k].depth, 4));
        if (events[k].energy != 0)
            line_add(&line, "  took %s J", short_number(energy, events[k].energy, 5));
        if (stopped && k + 1 == count)
            line_add(&line, "  stopped the run");
        print_line(LABELLED, "%s", line.text);
    }
    if (count > EVENTS_SHOWN && !job->options->all)
        print_line(LABELLED, "%-11s  %zu more; --all shows them", "event", count - EVENTS_SHOWN);
}

/* Whether contacts are recorded at every step. */
static bool has_step_rows(const run_job *job)
{
    size_t count;
    const carom_channel *channels = carom_simulation_channels(job->sim, &count);
    for (size_t k = 0; k < count; k++)
        if (channels[k].group == 1 && channels[k].type && strcmp(channels[k].type, "contact") == 0)
            return true;
    return false;
}

/* Where the results are, and what makes large ones smaller. */
static void print_results(const run_job *job)
{
    struct stat file;
    if (!job->results)
        return;
    printf("%-11s  %s\n", "results", job->results);
    if (stat(job->results, &file) != 0 || (double)file.st_size < LARGE)
        return;
    const char *steps = "`contacts: interval`, which leaves their rows at every step out, ";
    print_line(LABELLED,
               "%-11s  %.3g MB; `output:` of the run takes %sa longer interval `every`, and `channels` that are asked "
               "for alone",
               "", 1e-6 * (double)file.st_size, has_step_rows(job) ? steps : "");
}

void run_print_text(const run_job *job)
{
    char position[32], velocity[32];
    print_summary(job);
    print_methods(job);
    print_impacts(job);
    print_rests(job);
    print_open_contacts(job);
    print_joints(job);
    print_events(job);
    if (job->options->final)
        print_bodies(job);
    run_derivatives_print(job);
    printf("\n");
    print_ledger(job);
    carom_violation v = carom_simulation_violation(job->sim);
    print_line(LABELLED, "%-11s  position %s m or rad  velocity %s m/s or rad/s  (largest of the run)", "constraints",
               short_number(position, v.position, 2), short_number(velocity, v.velocity, 2));
    for (size_t k = 0; k < job->session->warning_count; k++)
        print_warning_line(job->session->warnings[k]);
    if (job->checkpoint)
        printf("%-11s  %s\n", "checkpoint", job->checkpoint);
    print_results(job);
    if (job->derivatives.table)
        printf("%-11s  %s\n", "derivatives", job->derivatives.table);
    if (job->report)
        printf("%-11s  %s\n", "report", job->report);
}
