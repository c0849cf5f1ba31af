/* Ball on a moving table (Flores et al. 2011, Figs. 8-9) against free flight in closed form and contacts by an
   independent integrator (tests/data/mechanisms.json, bt-*), over 6 s with up to 40 impacts.

   The first five impacts: at the tolerance 1e-10 within 1e-6 of each quantity's largest value, at the default
   tolerance within 1e-4. Later ones depend on the earlier with the sensitivity s_k = |dt_k/dy0| that the reference
   states: their times are allowed 1e3 x tolerance x s_k [s], at the default tolerance at least 1e-4 of the largest.
   What happens in or after impact k follows from its relative speed, which is allowed dv = a x 1e3 x tolerance x
   S_k, with the acceleration a = g + A omega^2 of ball against table and S_k, the largest of s_0 ... s_(k+1),
   because an error of the speed shows in the time of the next impact. Peak force, indentation, duration and loss of
   an impact go with the powers 1.2, 0.8, -0.2 and 2 of the speed and are allowed these multiples of dv/v; an apex
   is allowed v dv/g more than the time error times the speed, its time dv/g more. */
#include "carom_test.h"

#include <math.h>

#include "support/golden.h"

#define GRAVITY 9.81
#define FIRST_IMPACTS 5

/* A case and what it allows. */
typedef struct table_case {
    const json *c;
    double tolerance, relative;
    double radius, level, stroke, omega, end;
    double acceleration; /* of the ball against the table, at most [m/s^2] */
    margin first, later;
} table_case;

static double number(const json *c, const char *input) { return json_number(reference_input(c, input)); }

static double table_height(const table_case *x, double t) { return x->level + x->stroke * sin(x->omega * t); }
static double table_speed(const table_case *x, double t) { return x->stroke * x->omega * cos(x->omega * t); }

/* ---- what is allowed ---- */

static double sensitivity(const table_case *x, size_t k)
{
    return json_number(json_item(json_member(x->c, "sensitivity_dt_dy0"), k));
}

/* Error of the time of impact k [s]. */
static double time_error(const table_case *x, size_t k) { return 1e3 * x->tolerance * sensitivity(x, k); }

/* The largest error of the times up to that of the impact after k [s]. */
static double largest_time_error(const table_case *x, size_t k)
{
    double largest = 0;
    size_t count = json_size(json_member(x->c, "sensitivity_dt_dy0"));
    for (size_t i = 0; i <= k + 1 && i < count; i++)
        largest = fmax(largest, time_error(x, i));
    return largest;
}

/* Adds output `name` of impact k, for which the sensitivity allows `propagated` if it is a later one. */
static void add(table_case *x, const char *name, size_t index, size_t k, double got, double propagated)
{
    double allowed = reference_allowed(x->c, name, index, x->relative);
    if (k < FIRST_IMPACTS) {
        margin_add(&x->first, name, index, got, reference_value(x->c, name, index), allowed);
        return;
    }
    double least = x->relative > 1e-6 ? allowed : 10 * reference_error(x->c, name, index);
    margin_add(&x->later, name, index, got, reference_value(x->c, name, index), fmax(least, propagated));
}

/* ---- comparisons ---- */

static void compare_impact(table_case *x, size_t k, const carom_impact *i)
{
    double dv = x->acceleration * largest_time_error(x, k), part = dv / i->v_in;
    add(x, "impact_t", k, k, i->onset, time_error(x, k));
    add(x, "impact_v_rel_in", k, k, i->v_in, dv);
    add(x, "impact_v_rel_out", k, k, i->v_out, dv);
    add(x, "impact_duration", k, k, i->duration, 0.2 * part * i->duration);
    add(x, "impact_F_max", k, k, i->peak_force, 1.2 * part * i->peak_force);
    add(x, "impact_delta_max", k, k, i->max_indentation, 0.8 * part * i->max_indentation);
    if (reference_value(x->c, "impact_work_dissipated", k) > 0)
        add(x, "impact_work_dissipated", k, k, i->energy_lost, 2 * part * i->energy_lost);
    else
        assert_true(i->energy_lost == 0);
}

/* Apexes of the ball's height after impacts that it leaves upwards and that the next one does not cut short. */
static void compare_apexes(table_case *x, const carom_impact *impacts, size_t count, double open_from)
{
    size_t seen = 0;
    for (size_t k = 0; k < count; k++) {
        double t = impacts[k].onset + impacts[k].duration, v = impacts[k].v_out + table_speed(x, t);
        double apex = t + v / GRAVITY, next = k + 1 < count ? impacts[k + 1].onset : open_from;
        if (v <= 0 || apex >= next || seen >= reference_count(x->c, "apex"))
            continue;
        double dt = largest_time_error(x, k), dv = x->acceleration * dt, height = table_height(x, t) + x->radius;
        add(x, "apex", seen, k, height + v * v / (2 * GRAVITY), v * dv / GRAVITY + x->stroke * x->omega * dt);
        add(x, "t_apex", seen, k, apex, dt + dv / GRAVITY);
        seen++;
    }
    assert_int_equal(seen, reference_count(x->c, "apex"));
}

static void compare_samples(table_case *x, free_run *run)
{
    for (size_t s = 0; s < reference_count(x->c, "sample_t"); s++) {
        size_t count;
        free_run_to(run, reference_value(x->c, "sample_t", s));
        carom_simulation_impacts(run->sim, &count);
        double dt = count ? largest_time_error(x, count - 1) : 0, speed = free_run_get(run, "body.ball.velocity.y");
        /* since the last impact the motion is early or late by dt, and faster or slower by dv */
        double dv = x->acceleration * dt, flight = 2 * fabs(speed) / GRAVITY + dt;
        add(x, "sample_y", s, count, free_run_get(run, "body.ball.position.y"),
            fabs(speed) * dt + dv * flight + x->stroke * x->omega * dt);
        add(x, "sample_v", s, count, speed, 2 * dv);
    }
}

static void open_table(table_case *x, free_run *run)
{
    const json *c = x->c;
    run_sets sets = {0};
    run_set_word(&sets, "law", json_text(reference_input(c, "law")));
    run_set(&sets, "e", number(c, "cr"));
    run_set(&sets, "mass", number(c, "m"));
    run_set(&sets, "R", x->radius = number(c, "R"));
    run_set(&sets, "K", number(c, "K"));
    run_set(&sets, "height", number(c, "y0"));
    run_set(&sets, "level", x->level = number(c, "yt0"));
    run_set(&sets, "stroke", x->stroke = number(c, "A"));
    run_set(&sets, "omega", x->omega = number(c, "om"));
    x->acceleration = GRAVITY + x->stroke * x->omega * x->omega;
    run_set(&sets, "end", x->end = number(c, "t_end"));
    run_open(run, "moving_table.yaml", &sets, x->tolerance);
}

static void run_case(const json *c, double tolerance, double relative)
{
    table_case x = {.c = c, .tolerance = tolerance, .relative = relative};
    char name[2][64];
    snprintf(name[0], sizeof name[0], "%s, %.0e", json_text(json_member(c, "id")), tolerance);
    snprintf(name[1], sizeof name[1], "  later impacts");
    margin_begin(&x.first, name[0]);
    margin_begin(&x.later, name[1]);
    free_run run;
    open_table(&x, &run);
    compare_samples(&x, &run);
    free_run_to(&run, x.end);
    carom_open_contact open;
    size_t count, opened = carom_simulation_open_contacts(run.sim, &open, 1);
    const carom_impact *impacts = carom_simulation_impacts(run.sim, &count);
    for (size_t k = 0; k < reference_count(c, "impact_t") && k < count; k++)
        compare_impact(&x, k, &impacts[k]);
    compare_apexes(&x, impacts, count, opened ? open.onset : x.end);
    printf("           %zu impacts, %zu open, of %g and %g\n", count, opened,
           reference_value(c, "n_separations_total", 0), reference_value(c, "n_contacts_total", 0));
    if (json_type_of(reference_output(c, "permanent_from")) == JSON_NUMBER && opened)
        add(&x, "permanent_from", 0, count, open.onset, time_error(&x, count));
    bool same = count == (size_t)reference_value(c, "n_separations_total", 0) &&
                count + opened == (size_t)reference_value(c, "n_contacts_total", 0);
    free_run_close(&run);
    margin_end(&x.first);
    if (x.later.compared)
        margin_end(&x.later);
    assert_true(same);
}

int main(void)
{
    return golden_main("bt-", 10, run_case);
}
