/* Two spheres that meet centrally (Machado et al. 2012, Figs. 3-6), in the plane and in space, against quadratures
   with 30 digits (tests/data/mechanisms.json, ts-*): at the tolerance 1e-10 all within 1e-6, at the default
   tolerance within 1e-4. At the reference's time of the largest indentation the spheres have to have no relative
   velocity, within that share of the approach, and the force is read there. */
#include "carom_test.h"

#include <math.h>

#include "support/golden.h"

/* Onset of all cases: the surfaces start 0.3 mm apart and close at 0.3 m/s. */
#define ONSET 1e-3

/* Velocity of a body along the line of approach, of which every model has its own. */
static double along(const free_run *run, const char *body, bool planar)
{
    carom_body_state s = free_run_body(run, body);
    return planar ? s.velocity[0] : (2 * s.velocity[0] + 3 * s.velocity[1] + 6 * s.velocity[2]) / 7;
}

static void compare(const json *c, free_run *run, bool planar, double relative, margin *m)
{
    double v1 = json_number(reference_input(c, "v1")), v2 = json_number(reference_input(c, "v2"));
    free_run_to(run, ONSET + reference_value(c, "t_delta_max", 0));
    margin_add(m, "speed at t_delta_max", 0, along(run, "left", planar) - along(run, "right", planar), 0,
               relative * (v1 - v2));
    margin_reference(m, c, "F_at_delta_max", 0, free_run_get(run, "contact.hit.force"), relative);
    margin_reference(m, c, "delta_max", 0, free_run_get(run, "contact.hit.indentation"), relative);
    free_run_to(run, 2e-3);
    size_t count;
    const carom_impact *i = carom_simulation_impacts(run->sim, &count);
    assert_int_equal(count, 1);
    margin_add(m, "onset", 0, i->onset, ONSET, relative * ONSET);
    margin_add(m, "v_in", 0, i->v_in, v1 - v2, relative * (v1 - v2));
    margin_reference(m, c, "delta_max", 0, i->max_indentation, relative);
    margin_reference(m, c, "F_max", 0, i->peak_force, relative);
    margin_reference(m, c, "duration", 0, i->duration, relative);
    margin_reference(m, c, "cr_post", 0, i->e_got, relative);
    margin_reference(m, c, "v1_out", 0, along(run, "left", planar), relative);
    margin_reference(m, c, "v2_out", 0, along(run, "right", planar), relative);
    margin_reference(m, c, "work_dissipated", 0, i->energy_lost, relative);
}

static void run_model(const json *c, bool planar, double tolerance, double relative)
{
    run_sets sets = {0};
    run_set_word(&sets, "law", json_text(reference_input(c, "law")));
    run_set(&sets, "e", json_number(reference_input(c, "cr")));
    run_set(&sets, "K", json_number(reference_input(c, "K")));
    run_set(&sets, "n", json_number(reference_input(c, "n")));
    run_set(&sets, "mass", json_number(reference_input(c, "m1")));
    run_set(&sets, "speed", json_number(reference_input(c, "v1")));
    free_run run;
    run_open(&run, planar ? "two_spheres.yaml" : "two_spheres_3d.yaml", &sets, tolerance);
    char name[64];
    margin m;
    snprintf(name, sizeof name, "%s, %s, %.0e", json_text(json_member(c, "id")), planar ? "plane" : "space", tolerance);
    margin_begin(&m, name);
    compare(c, &run, planar, relative, &m);
    free_run_close(&run);
    margin_end(&m);
}

static void run_case(const json *c, double tolerance, double relative)
{
    run_model(c, true, tolerance, relative);
    run_model(c, false, tolerance, relative);
}

int main(void)
{
    return golden_main("ts-", 9, run_case);
}
