/* Slider-crank that hits a block twice (Machado et al. 2012, section 6) against the reference of one degree of
   freedom (tests/data/mechanisms.json, scb-*): at the tolerance 1e-10 all within 1e-6 of each quantity's largest
   value, at the default tolerance within 1e-4. The crank's angle and rate and the speeds of slider and block at the
   reference's times of onset and release are read at those times, so that errors of the times count in them. */
#include "carom_test.h"

#include <math.h>

#include "support/golden.h"

/* What is read at a time: the reference's list and the channel. */
typedef struct reading {
    const char *name, *channel;
} reading;

static const reading at_samples[] = {
    {"sample_theta", "body.crank.angle"},    {"sample_thetadot", "body.crank.angular_velocity"},
    {"sample_x4", "body.slider.position.x"}, {"sample_v4", "body.slider.velocity.x"},
    {"sample_x5", "body.block.position.x"},  {"sample_v5", "body.block.velocity.x"}};
static const reading at_onset[] = {{"impact_theta_in", "body.crank.angle"},
                                   {"impact_thetadot_in", "body.crank.angular_velocity"},
                                   {"impact_v4_in", "body.slider.velocity.x"},
                                   {"impact_v5_in", "body.block.velocity.x"},
                                   {"impact_x5_in", "body.block.position.x"}};
static const reading at_release[] = {{"impact_thetadot_out", "body.crank.angular_velocity"},
                                     {"impact_v4_out", "body.slider.velocity.x"},
                                     {"impact_v5_out", "body.block.velocity.x"}};

/* A time of the reference, in a list of all of them. */
typedef struct moment {
    double time;
    size_t index;
    const reading *readings;
    size_t count;
} moment;

#define MOST_MOMENTS 32

static size_t gather(const json *c, const char *times, const reading *readings, size_t count, moment *out, size_t have)
{
    for (size_t k = 0; k < reference_count(c, times); k++) {
        moment m = {reference_value(c, times, k), k, readings, count};
        size_t place = have;
        for (; place > 0 && out[place - 1].time > m.time; place--)
            out[place] = out[place - 1];
        out[place] = m;
        assert_true(++have <= MOST_MOMENTS);
    }
    return have;
}

static void compare_impacts(const json *c, free_run *run, double relative, margin *m)
{
    size_t count, expected = (size_t)reference_value(c, "n_impacts", 0);
    const carom_impact *impacts = carom_simulation_impacts(run->sim, &count);
    assert_int_equal(count, expected);
    for (size_t k = 0; k < count; k++) {
        const carom_impact *i = &impacts[k];
        margin_reference(m, c, "impact_t_in", k, i->onset, relative);
        margin_reference(m, c, "impact_t_out", k, i->onset + i->duration, relative);
        margin_reference(m, c, "impact_duration", k, i->duration, relative);
        margin_reference(m, c, "impact_v_in", k, i->v_in, relative);
        margin_reference(m, c, "impact_v_out", k, i->v_out, relative);
        margin_reference(m, c, "impact_cr_post", k, i->e_got, relative);
        margin_reference(m, c, "impact_F_max", k, i->peak_force, relative);
        margin_reference(m, c, "impact_delta_max", k, i->max_indentation, relative);
        margin_reference(m, c, "impact_work_dissipated", k, i->energy_lost, relative);
    }
}

static void run_case(const json *c, double tolerance, double relative)
{
    moment moments[MOST_MOMENTS];
    size_t count = gather(c, "sample_t", at_samples, 6, moments, 0);
    count = gather(c, "impact_t_in", at_onset, 5, moments, count);
    count = gather(c, "impact_t_out", at_release, 3, moments, count);
    run_sets sets = {0};
    run_set_word(&sets, "law", json_text(reference_input(c, "law")));
    run_set(&sets, "e", json_number(reference_input(c, "cr")));
    run_set(&sets, "J2", json_number(reference_input(c, "J2")));
    free_run run;
    run_open(&run, "slider_crank_block.yaml", &sets, tolerance);
    char name[64];
    margin m;
    snprintf(name, sizeof name, "%s, %.0e", json_text(json_member(c, "id")), tolerance);
    margin_begin(&m, name);
    for (size_t k = 0; k < count; k++) {
        free_run_to(&run, moments[k].time);
        for (size_t r = 0; r < moments[k].count; r++) {
            const reading *what = &moments[k].readings[r];
            margin_reference(&m, c, what->name, moments[k].index, free_run_get(&run, what->channel), relative);
        }
    }
    free_run_to(&run, json_number(reference_input(c, "t_end")));
    compare_impacts(c, &run, relative, &m);
    free_run_close(&run);
    margin_end(&m);
}

int main(void)
{
    return golden_main("scb-", 11, run_case);
}
