/* Workers of fits and of optimal designs: predictions made by several threads are those of one, bit for bit. */
#include "carom_test.h"

#include <pthread.h>

#include "carom/fit.h"
#include "carom/optimise.h"

#define WORKERS 4

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* ---- threads that share the tasks of one call ---- */

typedef struct crew {
    pthread_mutex_t lock;
    size_t next, count;
    carom_fit_task task;
    void *job;
} crew;

typedef struct seat {
    crew *c;
    size_t worker;
} seat;

static void *work(void *user)
{
    const seat *s = user;
    for (;;) {
        pthread_mutex_lock(&s->c->lock);
        const size_t k = s->c->next++;
        pthread_mutex_unlock(&s->c->lock);
        if (k >= s->c->count)
            return NULL;
        s->c->task(s->c->job, s->worker, k);
    }
}

static void perform(void *user, size_t count, carom_fit_task task, void *job)
{
    crew c = {.lock = PTHREAD_MUTEX_INITIALIZER, .count = count, .task = task, .job = job};
    pthread_t threads[WORKERS];
    seat seats[WORKERS];
    (void)user;
    for (size_t k = 0; k < WORKERS; k++) {
        seats[k] = (seat){&c, k};
        assert_int_equal(pthread_create(&threads[k], NULL, work, &seats[k]), 0);
    }
    for (size_t k = 0; k < WORKERS; k++)
        pthread_join(threads[k], NULL);
}

static carom_fit_options options_of(size_t workers)
{
    carom_fit_options o = carom_default_fit_options();
    o.workers = workers;
    o.perform = perform;
    return o;
}

static const char model[] = "carom: 1\ndimension: 2\ngravity: [0, -9.81]\nparameters: {v: 1, e: 0.7}\n"
                            "bodies: {a: {mass: 1, inertia: 1, at: [0, 0.02], velocity: [v, -v]}}\n"
                            "shapes:\n  a: {type: sphere, on: a, radius: 10*mm}\n"
                            "  f: {type: plane, on: ground, normal: [0, 1]}\n"
                            "contacts:\n"
                            "  hit: {between: [f, a], normal: {law: flores, stiffness: 1e7, restitution: e}}\n"
                            "run: {until: 0.05}\n";

static void test_fit(void **state)
{
    double values[2][2], errors[2][2];
    (void)state;
    write_file("model.yaml", model);
    write_file("motion.csv", "t [ms], y [mm]\n0, 20\n5, 14.9\n10, 9.6\n20, 18\n30, 25.5\n40, 32\n50, 38.2\n");
    write_file("study.yaml", "model: model.yaml\nparameters: {v: {from: 0.5, to: 2}, e: {from: 0.3, to: 1}}\n"
                             "starts: 2\n"
                             "profile: false\nrecords:\n  - file: motion.csv\n    time: t\n"
                             "    compare: {y: body.a.position.y}\n");
    for (size_t k = 0; k < 2; k++) {
        carom_context *ctx = new_context();
        carom_fit *fit;
        carom_fit_result r;
        const carom_fit_options options = options_of(k == 0 ? 1 : WORKERS);
        assert_ok(ctx, carom_fit_read(ctx, "study.yaml", NULL, &fit));
        assert_ok(ctx, carom_fit_check(ctx, fit));
        assert_ok(ctx, carom_fit_solve(ctx, fit, &options, &r));
        for (int i = 0; i < 2; i++) {
            values[k][i] = r.estimates[i].value;
            errors[k][i] = r.estimates[i].error;
        }
        carom_fit_result_free(ctx, &r);
        carom_fit_free(fit);
        carom_context_free(ctx);
    }
    assert_memory_equal(values[0], values[1], sizeof values[0]);
    assert_memory_equal(errors[0], errors[1], sizeof errors[0]);
}

static void test_optimise(void **state)
{
    double values[2];
    (void)state;
    write_file("model.yaml", model);
    write_file("study.yaml", "model: model.yaml\nparameters: {v: {from: 0.5, to: 2}}\nstarts: 3\nevaluations: 20\n"
                             "quantities: {peak: 'impacts[1].peak_force'}\nminimise: peak\n"
                             "constraints: ['end(body.a.position.y) >= 40*mm']\n");
    for (size_t k = 0; k < 2; k++) {
        carom_context *ctx = new_context();
        carom_optimise *study;
        carom_optimise_result r;
        const carom_fit_options options = options_of(k == 0 ? 1 : WORKERS);
        assert_ok(ctx, carom_optimise_read(ctx, "study.yaml", &study));
        assert_ok(ctx, carom_optimise_check(ctx, study));
        assert_ok(ctx, carom_optimise_solve(ctx, study, &options, &r));
        assert_true(r.feasible);
        values[k] = r.values[0];
        carom_optimise_result_free(ctx, &r);
        carom_optimise_free(study);
        carom_context_free(ctx);
    }
    assert_memory_equal(&values[0], &values[1], sizeof values[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_fit), cmocka_unit_test(test_optimise)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
