/* Derivatives of the predictions of fits: those of runs agree with extrapolated differences, also where the end of the
   run moves, save evaluations, and give way to differences, with a reason, where there are none. */
#include "carom_test.h"

#include <math.h>

#include "carom/fit.h"
#include "fit/fit.h"

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static const char parameters[] = "model: " CAROM_MODELS "/two_spheres.yaml\n"
                                 "parameters:\n"
                                 "  K: {from: 1e8, to: 1e12, start: 5e9, scale: log}\n"
                                 "  e: {from: 0.2, to: 0.95, start: 0.6}\n"
                                 "  mass: {from: 0.05, to: 0.2}\n"
                                 "run: {integrator: adams, tolerance: 1e-11}\n"
                                 "records:\n";

static const char curves[] = "  - file: curves.csv\n"
                             "    time: t\n"
                             "    compare:\n"
                             "      F: contact.hit.force\n"
                             "      s: contact.hit.force/max(contact.hit.force)*R*mass\n"
                             "      v: body.left.velocity.x\n"
                             "    offset: [v]\n"
                             "    shift: {from: -0.1*ms, to: 0.1*ms, start: 0}\n";

/* The indentation is some 14 um at most; the last rows are those of the way back. */
static const char loop[] = "  - file: loop.csv\n"
                           "    contact: hit\n"
                           "    indentation: d\n"
                           "    compare:\n"
                           "      F: contact.hit.force\n"
                           "      v: body.left.velocity.x\n";

/* With an integral over the time derivatives are read in all its course, without it at some times alone. */
static const char table[] = "  - file: table.csv\n"
                            "    each: {speed: u}\n"
                            "    compare:\n"
                            "      e: impacts[1].e_got\n"
                            "      T: impacts[1].duration\n"
                            "      F: max(contact.hit.force)\n"
                            "      P: impacts[1].peak_force\n"
                            "      D: ledger.dissipated_contact\n"
                            "      W: when(contact.hit.force > 20*N)\n"
                            "      v: end(body.left.velocity.x) - 0*speed\n";
static const char mean[] = "      J: integral(contact.hit.force)\n";

/* Runs whose end moves: a ball that bounces once and is stopped by an event, and one that ends at a parameter. What
   methods over the time and the ledger read there moves with it. */
static void write_moving(const char *name, const char *events, const char *until)
{
    char text[1024];
    snprintf(text, sizeof text,
             "carom: 1\ndimension: 2\ngravity: [0, -9.81]\nparameters: {H: 0.3, u0: 0.8, c: 0.2, T: 0.45, mb: 0.2}\n"
             "bodies: {b: {mass: mb, inertia: 2e-5, at: [0, 0.02 + H], velocity: [u0, 0]}}\n"
             "shapes: {s: {type: sphere, on: b, radius: 0.02}, f: {type: plane, on: ground, normal: [0, 1]}}\n"
             "contacts: {k: {between: [s, f], normal: {law: flores, stiffness: 1e7, restitution: 0.8}}}\n"
             "loads: {drag: {type: force, on: b, force: [-c*vx(b), -c*vy(b)]}}\n%s"
             "run: {until: %s, output: {every: 0.001}}\n",
             events, until);
    write_file(name, text);
}

static const char moving[] = "parameters:\n  H: {from: 0.2, to: 0.4, start: 0.3}\n"
                             "  u0: {from: 0.5, to: 1, start: 0.8}\n"
                             "  c: {from: 0.1, to: 0.4, start: 0.2}\n  T: {from: 0.42, to: 0.48, start: 0.45}\n"
                             "run: {integrator: adams, tolerance: 1e-11}\n"
                             "records:\n";
static const char ends[] = "  - file: ends.csv\n"
                           "    each: {mb: m}\n"
                           "    compare:\n"
                           "      x: end(body.b.position.x)\n"
                           "      y: end(body.b.velocity.y)\n"
                           "      F: max(body.b.position.x)\n"
                           "      G: min(body.b.velocity.x)\n"
                           "      I: max(body.b.position.y, 0.3, 2)\n"
                           "      K: ledger.kinetic\n"
                           "      W: ledger.work\n"
                           "      w: when(body.b.position.x > 0.2)\n"
                           "      a: at(body.b.position.x, 0.3)\n"
                           "      P: impacts[1].peak_force\n";
static const char courses[] = "      M: mean(body.b.velocity.x)\n"
                              "      R: rms(body.b.position.x)\n"
                              "      J: integral(body.b.position.x)\n"
                              "      L: integral(body.b.velocity.x, 0.3, 2)\n";

static carom_fit *read_study(carom_context *ctx, const char *given, const char *records)
{
    char text[4096];
    carom_fit *fit;
    snprintf(text, sizeof text, "%s%s", given, records);
    write_file("study.yaml", text);
    FILE *file = fopen("curves.csv", "w");
    assert_non_null(file);
    fputs("t [us], F [N], s [kg m], v [m/s]\n", file);
    for (int k = 0; k < 12; k++)
        fprintf(file, "%d, 1, 1, 1\n", 1002 + 4 * k);
    fclose(file);
    write_file("loop.csv", "d [um], F [N], v [m/s]\n1, 1, 1\n4, 1, 1\n6, 1, 1\n8, 1, 1\n7, 1, 1\n5, 1, 1\n2, 1, 1\n");
    write_file("table.csv", "u [m/s], e, T [us], F [N], P [N], J [N s], D [J], W [ms], v [m/s]\n"
                            "0.1, 0.6, 40, 9, 9, 1, 1, 1, 1\n0.4, 0.6, 40, 9, 9, 1, 1, 1, 1\n");
    write_file("ends.csv", "m [kg], x [m], y [m/s], F [m], G [m/s], I [m], K [J], W [J], w [s], a [m], P [N], M [m/s], "
                           "R [m], J [m s], L [m]\n0.2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1\n");
    assert_ok(ctx, carom_fit_read(ctx, "study.yaml", NULL, &fit));
    assert_ok(ctx, carom_fit_check(ctx, fit));
    return fit;
}

/* Derivatives by all unknowns, extrapolated from two steps of central differences; `half` has by how much those
   differ. */
static void by_differences(carom_fit *fit, carom_fit_work *w, const double *values, const double *predicted,
                           const size_t *free, double *out, double *half)
{
    const double step = 1e-3;
    const size_t count = fit->unknown_count * fit->data;
    w->derivatives.known = true;
    memset(w->derivatives.exact, 0, sizeof w->derivatives.exact);
    fit->difference = step;
    assert_ok(w->ctx, carom_fit_sensitivity(w, values, predicted, free, fit->unknown_count, out));
    fit->difference = step / 2;
    assert_ok(w->ctx, carom_fit_sensitivity(w, values, predicted, free, fit->unknown_count, half));
    for (size_t k = 0; k < count; k++) {
        const double change = fabs(half[k] - out[k]);
        out[k] = (4 * half[k] - out[k]) / 3;
        half[k] = change;
    }
}

/* The worst error is a share of the largest derivative of a column, or of its largest value over the unknown. Where a
   polynomial between rows becomes another one differences are as wrong as they differ among themselves. */
static void compare_of(const char *given, const char *records, double tolerance)
{
    carom_context *ctx = new_context();
    carom_fit *fit = read_study(ctx, given, records);
    const carom_fit_options options = carom_default_fit_options();
    carom_fit_work w;
    double values[CAROM_FIT_UNKNOWNS], *out[3], *predicted = calloc(fit->data, sizeof *predicted);
    size_t free_list[CAROM_FIT_UNKNOWNS];
    bool good;
    assert_non_null(predicted);
    for (int k = 0; k < 3; k++)
        assert_non_null(out[k] = calloc(fit->unknown_count * fit->data, sizeof(double)));
    assert_ok(ctx, carom_fit_work_create(ctx, fit, &options, &w));
    for (size_t k = 0; k < fit->unknown_count; k++) {
        values[k] = fit->unknowns[k].start;
        free_list[k] = k;
    }
    const carom_fit_points points = {.count = 1, .values = values, .out = predicted, .good = &good};
    assert_ok(ctx, carom_fit_predict(&w, &points));
    assert_true(good);
    assert_ok(ctx, carom_fit_sensitivity(&w, values, predicted, free_list, fit->unknown_count, out[0]));
    assert_int_equal(w.predictions, 2);
    for (size_t k = 0; k < fit->unknown_count; k++)
        assert_string_equal(w.derivatives.why[k], "");
    by_differences(fit, &w, values, predicted, free_list, out[1], out[2]);
    for (size_t k = 0; k < fit->unknown_count; k++)
        for (size_t i = 0; i < fit->response_count; i++) {
            const carom_response *q = &fit->responses[i];
            const size_t first = k * fit->data + q->first;
            const double *exact = out[0] + first, *differences = out[1] + first, *spread = out[2] + first;
            double size = 0, worst = 0;
            for (size_t n = 0; n < q->count; n++) {
                size = fmax(size, fmax(fabs(differences[n]), fabs(predicted[q->first + n])));
                worst = fmax(worst, fabs(exact[n] - differences[n]) - 4 * spread[n]);
            }
            if (!(worst <= tolerance * size))
                fail_msg("%s by %s: %g of %g", q->column, fit->unknowns[k].name, worst, size);
        }
    carom_fit_work_free(&w);
    for (int k = 0; k < 3; k++)
        free(out[k]);
    free(predicted);
    carom_fit_free(fit);
    carom_context_free(ctx);
}

static void compare(const char *records, double tolerance) { compare_of(parameters, records, tolerance); }

static void test_end_moves(void **state)
{
    static const char *const models[] = {"stopped.yaml", "until.yaml"};
    (void)state;
    write_moving(models[0], "events: {top: {when: \"x(b) > 0.3 and vy(b) < T\", do: stop}}\n", "1");
    write_moving(models[1], "", "T");
    for (int k = 0; k < 2; k++) {
        char given[1024], both[2048];
        snprintf(given, sizeof given, "model: %s\n%s", models[k], moving);
        snprintf(both, sizeof both, "%s%s", ends, courses);
        compare_of(given, ends, 1e-6);
        compare_of(given, both, 1e-6);
    }
}

static void test_agree(void **state)
{
    char both[2048];
    (void)state;
    snprintf(both, sizeof both, "%s%s", table, mean);
    compare(curves, 1e-6);
    compare(table, 1e-6);
    compare(both, 1e-6);
    compare(loop, 1e-6);
}

/* The two spheres with fixed steps. */
static void write_fixed(void)
{
    FILE *from = fopen(CAROM_MODELS "/two_spheres.yaml", "r"), *to = fopen("fixed.yaml", "w");
    char line[512];
    assert_non_null(from);
    assert_non_null(to);
    while (fgets(line, sizeof line, from))
        fputs(strncmp(line, "run:", 4) == 0 ? "run: {until: 2*ms, integrator: rk4, step: 1*us}\n" : line, to);
    fclose(from);
    fclose(to);
}

/* Fits once with derivatives and once by differences: the same estimates, from fewer predictions. */
static void test_saves(void **state)
{
    carom_context *ctx = new_context();
    carom_fit_options options = carom_default_fit_options();
    carom_fit_result r[2];
    (void)state;
    write_fixed();
    options.brief = true;
    for (int k = 0; k < 2; k++) {
        char text[2048];
        snprintf(text, sizeof text,
                 "model: %s\nstarts: 1\nparameters:\n"
                 "  K: {from: 1e8, to: 1e12, start: 2e9, scale: log}\n  e: {from: 0.2, to: 0.95}\n"
                 "records:\n  - file: drops.csv\n    each: {speed: u}\n    compare:\n"
                 "      T: impacts[1].duration\n      e: impacts[1].e_got\n    sigma: 1 %%\n",
                 k == 0 ? CAROM_MODELS "/two_spheres.yaml" : "fixed.yaml");
        carom_fit *fit;
        write_file("saves.yaml", text);
        write_file("drops.csv", "u [m/s], T [us], e\n0.1, 93, 0.61\n0.4, 70, 0.59\n0.8, 61, 0.6\n");
        assert_ok(ctx, carom_fit_read(ctx, "saves.yaml", NULL, &fit));
        assert_ok(ctx, carom_fit_check(ctx, fit));
        assert_ok(ctx, carom_fit_solve(ctx, fit, &options, &r[k]));
        carom_fit_free(fit);
    }
    assert_non_null(strstr(r[0].derivatives, "exact of 2 parameters; "));
    assert_non_null(strstr(r[1].derivatives, "differences of 2: K, e (no derivatives of this run: its integrator"));
    for (int k = 0; k < 2; k++)
        assert_true(fabs(r[0].estimates[k].value / r[1].estimates[k].value - 1) < 1e-4);
    printf("%s: %zu predictions; %s: %zu\n", r[0].derivatives, r[0].predictions, r[1].derivatives, r[1].predictions);
    assert_true(3 * r[0].predictions < 2 * r[1].predictions);
    for (int k = 0; k < 2; k++)
        carom_fit_result_free(ctx, &r[k]);
    carom_context_free(ctx);
}

/* Records without noise of a throw whose speed has no offset: the fit comes to an offset of rounding, and its error is
   sigma/sqrt(sum t^2), as x = (1 + dv) t. */
static void test_offset_that_vanishes(void **state)
{
    static const char *const starts[] = {"0.1", "1e-11"};
    const double until = 0.5, sigma = 0.001;
    (void)state;
    write_file("throw.yaml", "carom: 1\ndimension: 2\ngravity: [0, -9.81]\nparameters: {dv: 0.1}\n"
                             "bodies: {ball: {mass: 1, inertia: 0.001, at: [0, 0.5], velocity: [1 + dv, 0]}}\n"
                             "run: {until: 0.5}\n");
    FILE *file = fopen("throw.csv", "w");
    double squares = 0;
    assert_non_null(file);
    fputs("t [s], x [m]\n", file);
    for (int k = 0; k <= 20; k++) {
        const double t = until * k / 20;
        squares += t * t;
        fprintf(file, "%.17g, %.17g\n", t, t);
    }
    fclose(file);
    for (size_t k = 0; k < CAROM_COUNT(starts); k++) {
        char text[512];
        carom_context *ctx = new_context();
        carom_fit_options options = carom_default_fit_options();
        carom_fit *fit;
        carom_fit_result r;
        snprintf(text, sizeof text,
                 "model: throw.yaml\nstarts: 1\nparameters:\n  dv: {from: -0.3, to: 0.4, start: %s}\n"
                 "records:\n  - file: throw.csv\n    time: t\n    compare: {x: body.ball.position.x}\n"
                 "    sigma: 0.001\n",
                 starts[k]);
        write_file("throw-fit.yaml", text);
        options.brief = true;
        assert_ok(ctx, carom_fit_read(ctx, "throw-fit.yaml", NULL, &fit));
        assert_ok(ctx, carom_fit_check(ctx, fit));
        assert_ok(ctx, carom_fit_solve(ctx, fit, &options, &r));
        printf("from %s: %.3g +- %.6g, of the formula %.6g\n", starts[k], r.estimates[0].value, r.estimates[0].error,
               sigma / sqrt(squares));
        assert_true(r.estimates[0].free && fabs(r.estimates[0].value) < 1e-6);
        assert_true(fabs(r.estimates[0].error * sqrt(squares) / sigma - 1) < 1e-4);
        carom_fit_result_free(ctx, &r);
        carom_fit_free(fit);
        carom_context_free(ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_agree), cmocka_unit_test(test_end_moves),
                                       cmocka_unit_test(test_saves), cmocka_unit_test(test_offset_that_vanishes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
