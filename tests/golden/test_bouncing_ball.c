/* Ball on rigid ground (Flores et al. 2011, section 7) against free flight in closed form and contacts by an
   independent integrator (tests/data/mechanisms.json, bb-*): at the tolerance 1e-10 all within 1e-6 of each
   quantity's largest value, at the default tolerance within 1e-4. The largest speed of approach is that of the
   first impact, also where only the last one is compared: errors of the release before it, which is hardly faster
   than the ball's sinking, pass into it. */
#include "carom_test.h"

#include <math.h>

#include "support/golden.h"

#define GRAVITY 9.81

/* A run of the model with the case's inputs; `e` replaces the case's restitution where that is a list. */
static void open_case(const json *c, double e, double tolerance, free_run *run)
{
    run_sets sets = {0};
    run_set_word(&sets, "law", json_text(reference_input(c, "law")));
    run_set(&sets, "e", e);
    run_set(&sets, "mass", json_number(reference_input(c, "m")));
    run_set(&sets, "R", json_number(reference_input(c, "R")));
    run_set(&sets, "K", json_number(reference_input(c, "K")));
    run_set(&sets, "height", json_number(reference_input(c, "y0")));
    run_open(run, "bouncing_ball.yaml", &sets, tolerance);
}

/* Impact k and the flight after it, whose apex follows from the release. */
static void compare_impact(const json *c, size_t k, const carom_impact *i, double relative, margin *m)
{
    double t_out = i->onset + i->duration, radius = json_number(reference_input(c, "R"));
    margin_reference(m, c, "impact_t", k, i->onset, relative);
    margin_reference(m, c, "impact_v_in", k, i->v_in, relative);
    margin_reference(m, c, "impact_duration", k, i->duration, relative);
    margin_reference(m, c, "impact_v_out", k, i->v_out, relative);
    margin_reference(m, c, "impact_delta_max", k, i->max_indentation, relative);
    margin_reference(m, c, "impact_F_max", k, i->peak_force, relative);
    margin_reference(m, c, "impact_cr_post", k, i->e_got, relative);
    if (reference_value(c, "impact_work_dissipated", k) > 0)
        margin_reference(m, c, "impact_work_dissipated", k, i->energy_lost, relative);
    else
        margin_add(m, "impact_work_dissipated", k, i->energy_lost, 0, relative * 0.5 * i->mass * i->v_in * i->v_in);
    margin_reference(m, c, "apex_after", k, radius + i->v_out * i->v_out / (2 * GRAVITY), relative);
    margin_reference(m, c, "t_apex_after", k, t_out + i->v_out / GRAVITY, relative);
}

static void compare_bounces(const json *c, double tolerance, double relative, margin *m)
{
    free_run run;
    open_case(c, json_number(reference_input(c, "cr")), tolerance, &run);
    for (size_t k = 0; k < reference_count(c, "sample_t"); k++) {
        free_run_to(&run, reference_value(c, "sample_t", k));
        margin_reference(m, c, "sample_y", k, free_run_get(&run, "body.ball.position.y"), relative);
        margin_reference(m, c, "sample_v", k, free_run_get(&run, "body.ball.velocity.y"), relative);
    }
    size_t wanted = reference_count(c, "impact_t"), count;
    free_run_to(&run, reference_value(c, "t_apex_after", wanted - 1));
    const carom_impact *impacts = carom_simulation_impacts(run.sim, &count);
    assert_int_equal(count, wanted);
    for (size_t k = 0; k < count; k++)
        compare_impact(c, k, &impacts[k], relative, m);
    free_run_close(&run);
}

/* Restitution of the first impact over that asked. */
static void compare_sweep(const json *c, double tolerance, double relative, margin *m)
{
    const json *asked = reference_input(c, "cr");
    for (size_t k = 0; k < json_size(asked); k++) {
        free_run run;
        size_t count;
        open_case(c, json_number(json_item(asked, k)), tolerance, &run);
        free_run_to(&run, 0.44);
        const carom_impact *impacts = carom_simulation_impacts(run.sim, &count);
        assert_int_equal(count, 1);
        margin_reference(m, c, "cr_post_with_gravity", k, impacts->e_got, relative);
        free_run_close(&run);
    }
}

/* Bounces until the ball stays, and its rest under its weight. */
static void compare_settling(const json *c, double tolerance, double relative, margin *m)
{
    free_run run;
    carom_open_contact open;
    size_t count;
    open_case(c, json_number(reference_input(c, "cr")), tolerance, &run);
    free_run_to(&run, 5);
    carom_simulation_impacts(run.sim, &count);
    assert_int_equal(count, (size_t)reference_value(c, "n_bounces", 0));
    assert_int_equal(carom_simulation_open_contacts(run.sim, &open, 1), 1);
    margin_reference(m, c, "t_final_contact", 0, open.onset, relative);
    double fall = json_number(reference_input(c, "y0")) - json_number(reference_input(c, "R"));
    margin_add(m, "v_in_final", 0, open.v_in, reference_value(c, "v_in_final", 0), relative * sqrt(2 * GRAVITY * fall));
    margin_reference(m, c, "delta_static", 0, open.indentation, relative);
    margin_reference(m, c, "delta_rest", 0, open.indentation, relative);
    margin_add(m, "force at rest", 0, open.force, GRAVITY, relative * GRAVITY);
    free_run_close(&run);
}

static void run_case(const json *c, double tolerance, double relative)
{
    const char *id = json_text(json_member(c, "id"));
    char name[64];
    margin m;
    snprintf(name, sizeof name, "%s, %.0e", id, tolerance);
    margin_begin(&m, name);
    if (strncmp(id, "bb-fig7", 7) == 0)
        compare_sweep(c, tolerance, relative, &m);
    else if (strncmp(id, "bb-settle", 9) == 0)
        compare_settling(c, tolerance, relative, &m);
    else
        compare_bounces(c, tolerance, relative, &m);
    margin_end(&m);
}

int main(void)
{
    return golden_main("bb-", 12, run_case);
}
