/* Snapshots, from which a motion is drawn: every impact has enough of them, they hold the grid of the output, their
   forces obey Newton's third law with the table of impacts, and a contact at rest adds few. */
#include "carom_test.h"

#include <math.h>

#include "support/runs.h"

typedef struct table {
    size_t rows, columns, capacity;
    double *time, *data;
} table;

typedef struct film {
    table group[3];
} film;

static carom_status keep(void *user, int group, size_t rows, const double *time, const double *data)
{
    table *t = &((film *)user)->group[group];
    if (t->rows + rows > t->capacity) {
        t->capacity = 2 * (t->rows + rows);
        t->time = realloc(t->time, t->capacity * sizeof(double));
        t->data = realloc(t->data, t->capacity * t->columns * sizeof(double));
        assert_non_null(t->time);
        assert_non_null(t->data);
    }
    memcpy(t->time + t->rows, time, rows * sizeof(double));
    memcpy(t->data + t->rows * t->columns, data, rows * t->columns * sizeof(double));
    t->rows += rows;
    return CAROM_OK;
}

static void film_free(film *f)
{
    for (int g = 0; g < 3; g++) {
        free(f->group[g].time);
        free(f->group[g].data);
    }
}

/* First column of a channel in the rows of its group. */
static size_t column_of(carom_simulation *sim, int group, const char *name)
{
    size_t count, column = 0;
    const carom_channel *list = carom_simulation_channels(sim, &count);
    for (size_t k = 0; k < count; k++) {
        if (list[k].group == group && strcmp(list[k].name, name) == 0)
            return column;
        column += list[k].group == group ? (size_t)list[k].size : 0;
    }
    fail_msg("no channel %s in group %d", name, group);
    return 0;
}

/* Runs the model of `run` again with a sink that keeps its rows. */
static void record(free_run *run, film *f, double tolerance)
{
    *f = (film){0};
    const carom_sink sink = {.size = sizeof sink, .user = f, .rows = keep};
    carom_simulation_free(run->sim);
    carom_simulation_def def = carom_default_simulation_def();
    def.sink = &sink;
    def.tolerance = tolerance;
    run->sim = NULL;
    assert_int_equal(carom_simulation_create(run->ctx, run->model, &def, &run->sim), CAROM_OK);
    size_t count;
    const carom_channel *list = carom_simulation_channels(run->sim, &count);
    for (size_t k = 0; k < count; k++)
        f->group[list[k].group].columns += (size_t)list[k].size;
    assert_ok(run->ctx, carom_simulation_run(run->sim));
}

static void make_film(const char *model, free_run *run, film *f)
{
    run_sets sets = {0};
    run_open(run, model, &sets, 0);
    record(run, f, 0);
}

/* Times ascend strictly, and all times of the output grid are among them. */
static void check_times(const film *f)
{
    const table *snapshots = &f->group[2], *grid = &f->group[0];
    size_t at = 0;
    for (size_t k = 1; k < snapshots->rows; k++)
        assert_true(snapshots->time[k] > snapshots->time[k - 1]);
    for (size_t k = 0; k < grid->rows; k++) {
        while (at < snapshots->rows && snapshots->time[at] < grid->time[k])
            at++;
        assert_true(at < snapshots->rows && snapshots->time[at] == grid->time[k]);
    }
}

/* The slider hits a block: the force in the snapshots gives the impulse of the table, and its largest value the
   peak. */
static void test_impacts_have_frames(void **state)
{
    (void)state;
    free_run run;
    film f;
    make_film("slider_crank_block.yaml", &run, &f);
    check_times(&f);
    const table *snapshots = &f.group[2];
    size_t force = column_of(run.sim, 2, "contact.hit.total_force"), point = column_of(run.sim, 2, "contact.hit.point");
    size_t slider = column_of(run.sim, 2, "body.slider.position"), count;
    const carom_impact *impacts = carom_simulation_impacts(run.sim, &count);
    assert_true(count >= 2);
    for (size_t i = 0; i < count; i++) {
        double begin = impacts[i].onset, end = begin + impacts[i].duration, peak = 0, impulse = 0;
        size_t inside = 0;
        for (size_t k = 1; k < snapshots->rows; k++) {
            const double *row = snapshots->data + k * snapshots->columns, *before = row - snapshots->columns;
            if (snapshots->time[k] < begin || snapshots->time[k] > end * (1 + 1e-12))
                continue;
            inside++;
            peak = fmax(peak, fabs(row[force]));
            assert_true(row[force] >= 0);                   /* on the block, away from the slider */
            assert_true(fabs(row[point] - row[slider]) < 0.03);
            if (snapshots->time[k] > begin)
                impulse += 0.5 * (row[force] + before[force]) * (snapshots->time[k] - snapshots->time[k - 1]);
        }
        print_message("impact %zu: %zu snapshots, peak %.4f of the table's, impulse %.4f\n", i + 1, inside,
                      peak / impacts[i].peak_force, impulse / impacts[i].impulse);
        assert_true(inside >= 25 && inside <= 400);
        assert_true(peak > 0.98 * impacts[i].peak_force && peak <= impacts[i].peak_force * (1 + 1e-9));
        assert_true(fabs(impulse / impacts[i].impulse - 1) < 0.02);
    }
    film_free(&f);
    free_run_close(&run);
}

/* A block at rest on a slope: solver steps are many, snapshots hardly more than the rows of the grid. */
static void test_rest_adds_few(void **state)
{
    (void)state;
    free_run run;
    film f;
    make_film("block_on_slope.yaml", &run, &f);
    check_times(&f);
    print_message("block on a slope: %zu rows, %zu steps in contact, %zu snapshots\n", f.group[0].rows, f.group[1].rows,
                  f.group[2].rows);
    assert_true(f.group[2].rows <= 21 * f.group[0].rows + 2000);
    assert_true(f.group[2].rows < 10 * f.group[0].rows + 500);
    film_free(&f);
    free_run_close(&run);
}

/* A ball that overlaps the ground at the start and parts so fast that the law would pull: it is not pulled, from the
   first instant on, and what the spring gives up stands in the ledger. */
static void test_parting_start_does_not_pull(void **state)
{
    (void)state;
    static const char text[] =
        "carom: 1\ndimension: 2\nbodies: {ball: {mass: 1, inertia: 1, at: [0, 0.0999], velocity: [0, 0.5]}}\n"
        "shapes: {b: {type: sphere, on: ball, radius: 0.1}, g: {type: plane, on: ground, normal: [0, 1]}}\n"
        "contacts: {c: {between: [g, b], normal: {law: flores, stiffness: 1e6, restitution: 0.1}}}\n"
        "run: {until: 0.01, tolerance: 1e-10, output: {every: 0.1*ms}}\n";
    free_run run;
    film f;
    free_run_parse(&run, text, 0, NULL);
    record(&run, &f, 0);
    carom_ledger ledger = carom_simulation_ledger(run.sim);
    size_t force = column_of(run.sim, 2, "contact.c.total_force") + 1;
    const table *snapshots = &f.group[2];
    for (size_t k = 0; k < snapshots->rows; k++)
        assert_true(snapshots->data[k * snapshots->columns + force] >= 0);
    print_message("parting: released %.6g J, residual %.2g\n", ledger.cutoff_loss, ledger.residual_fraction);
    assert_true(fabs(ledger.cutoff_loss - 1e6 * pow(1e-4, 2.5) / 2.5) < 1e-12);
    assert_true(fabs(ledger.kinetic - 0.125) < 1e-12);
    assert_true(ledger.residual_fraction < 1e-12);
    film_free(&f);
    free_run_close(&run);
}

/* A ball that has come to rest: the rows of a long step are those of its first one. Against a run whose output is too
   rare for that, at the times of its rows. */
static void test_rows_at_rest(void **state)
{
    (void)state;
    static const char text[] =
        "carom: 1\ndimension: 2\ngravity: [0, -9.81]\nbodies: {ball: {mass: 1, inertia: 1, at: [0, 0.101]}}\n"
        "shapes: {b: {type: sphere, on: ball, radius: 0.1}, g: {type: plane, on: ground, normal: [0, 1]}}\n"
        "contacts: {c: {between: [g, b], normal: {law: flores, stiffness: 1e6, restitution: 0.5}}}\n%s"
        "run: {until: 40, tolerance: 1e-8, output: {every: %s}}\n";
    static const char *const clock[] = {"", "outputs: {clock: 2*t}\n"};
    free_run run[2][2];
    film f[2][2];
    for (int timed = 0; timed < 2; timed++)
        for (int rare = 0; rare < 2; rare++) {
            char model[1024];
            snprintf(model, sizeof model, text, clock[timed], rare ? "2" : "2e-3");
            free_run_parse(&run[timed][rare], model, 0, NULL);
            record(&run[timed][rare], &f[timed][rare], 0);
            check_times(&f[timed][rare]);
        }
    const table *often = &f[0][0].group[0], *seldom = &f[0][1].group[0], *timed = &f[1][0].group[0];
    const size_t y = column_of(run[0][0].sim, 0, "body.ball.position") + 1;
    const size_t force = column_of(run[0][0].sim, 0, "contact.c.force");
    const size_t now = column_of(run[1][0].sim, 0, "output.clock");
    size_t repeated = 0;
    double apart = 0;
    assert_true(often->rows == 20001 && seldom->rows == 21 && timed->rows == 20001);
    for (size_t k = 0; k < often->rows; k++) {
        const double *row = often->data + k * often->columns;
        assert_true(often->time[k] == fmin(2e-3 * (double)k, 40));
        assert_true(timed->data[k * timed->columns + now] == 2 * timed->time[k]);
        repeated += k > 0 && memcmp(row, row - often->columns, often->columns * sizeof *row) == 0;
        if (k % 1000 == 0 && k > 1000) {
            const double *same = seldom->data + k / 1000 * seldom->columns;
            apart = fmax(apart, fmax(fabs(row[y] - same[y]) / 0.1, fabs(row[force] - same[force]) / 9.81));
        }
    }
    print_message("at rest: %zu of %zu rows are as the one before, %.1e from those of other steps\n", repeated,
                  often->rows, apart);
    assert_true(repeated > 5000 && apart < 1e-13);
    for (int k = 0; k < 4; k++) {
        film_free(&f[k / 2][k % 2]);
        free_run_close(&run[k / 2][k % 2]);
    }
}

/* The step of the solver and its order are recorded in both groups and fit what adams is. */
static void test_solver_channels(void **state)
{
    (void)state;
    free_run run;
    film f;
    make_film("slider_crank_block.yaml", &run, &f);
    for (int g = 0; g < 2; g++) {
        const table *t = &f.group[g];
        size_t step = column_of(run.sim, g, "solver.step"), order = column_of(run.sim, g, "solver.order");
        double highest = 0;
        for (size_t k = 0; k < t->rows; k++) {
            const double *row = t->data + k * t->columns;
            assert_true(row[step] >= 0 && row[step] < 0.1);
            assert_true(row[order] >= 1 && row[order] <= 12 && row[order] == floor(row[order]));
            highest = fmax(highest, row[order]);
            if (g == 1 && k > 0 && t->time[k] - t->time[k - 1] < 1e-6 && t->time[k] > t->time[k - 1])
                assert_true(row[step] <= (t->time[k] - t->time[k - 1]) * (1 + 1e-6) + 1e-15);
        }
        assert_true(highest >= 4);
    }
    film_free(&f);
    free_run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_impacts_have_frames), cmocka_unit_test(test_rest_adds_few),
                                       cmocka_unit_test(test_rows_at_rest),
                                       cmocka_unit_test(test_parting_start_does_not_pull),
                                       cmocka_unit_test(test_solver_channels)};
    return cmocka_run_group_tests_name("snapshots", tests, NULL, NULL);
}
