/* The command `carom converge`: its runs. */
#include "run/converge.h"
#include "support/model_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/table.h"

/* Tolerances of the further runs, as shares of the file's; no tolerance below the last is worth a run. */
static const double shares[CONVERGE_RUNS] = {1, 0.1, 0.01, 0.01};
#define TIGHTEST 1e-11
#define NEAR_ROUNDING 1e-9

/* ---- the runs ---- */

typedef struct sampler {
    convergence *c;
    converge_run *run;
} sampler;

static void take_sample(void *user, carom_simulation *sim, double time)
{
    sampler *s = user;
    (void)time;
    converge_pose *poses = s->run->poses + s->run->samples * s->c->bodies;
    for (size_t k = 0; k < s->c->bodies; k++) {
        carom_body_state b;
        if (carom_simulation_body(sim, k, &b) != CAROM_OK)
            return;
        converge_pose *p = &poses[k];
        memcpy(p->position, b.position, sizeof p->position);
        memcpy(p->turn, b.orientation, sizeof p->turn);
        if (s->c->plane)
            p->turn[0] = b.angle;
        p->speed = hypot(hypot(b.velocity[0], b.velocity[1]), b.velocity[2]);
        p->spin = hypot(hypot(b.angular_velocity[0], b.angular_velocity[1]), b.angular_velocity[2]);
    }
    s->run->samples++;
}

static int run_one(convergence *c, converge_run *r)
{
    r->code = run_job_prepare(&r->job);
    if (r->code != EXIT_DONE)
        return r->code;
    r->poses = malloc((c->sample_count * c->bodies + 1) * sizeof *r->poses);
    if (!r->poses)
        return memory_error();
    sampler s = {c, r};
    r->job.session->deaf = true;
    progress_begin(&r->job.bar, r->options.quiet, 0);
    r->job.outcome = carom_simulation_run_sampled(r->job.sim, c->sample_count, c->times, take_sample, &s);
    r->job.wall_seconds = progress_end(&r->job.bar);
    r->job.session->deaf = false;
    r->impacts = carom_simulation_impacts(r->job.sim, &r->impact_count);
    if (r->job.outcome == CAROM_INTERRUPTED)
        return caught_signal() ? EXIT_SIGNAL + caught_signal() : EXIT_SOLVER;
    r->job.status = r->job.outcome == CAROM_OK ? "completed" : "failed";
    if (r->job.outcome != CAROM_OK)
        r->code = session_error(r->job.session, r->job.outcome);
    return EXIT_DONE;
}

/* The integrator of the last run: a stiff one beside one that is not, and the other way round. */
static const char *second_integrator(const converge_options *o, const char *first)
{
    return o->second ? o->second : strcmp(first, "bdf") == 0 ? "adams" : "bdf";
}

/* Near the tightest tolerance the shares lie closer together, so that no two runs are the same. */
static double share_of(size_t k, double tolerance)
{
    const double least = fmin(1, TIGHTEST / tolerance);
    return fmax(shares[k], shares[k] < 1 && least > shares[CONVERGE_RUNS - 1]
                               ? pow(least, log(shares[k]) / log(shares[CONVERGE_RUNS - 1]))
                               : 0);
}

/* Tolerance, or the step of methods with fixed steps, and integrator of a run. */
static void choose(const convergence *c, converge_run *r, size_t k, const char *integrator, double tolerance,
                   double step)
{
    r->options = c->options->run;
    char number[32];
    if (step > 0) {
        r->options.step = step / (double)(1 << k);
        snprintf(r->label, sizeof r->label, "%.40s, step %s s", integrator, short_number(number, r->options.step, 4));
        return;
    }
    r->options.tolerance = tolerance * share_of(k, tolerance);
    if (k == CONVERGE_RUNS - 1)
        r->options.integrator = second_integrator(c->options, integrator);
    snprintf(r->label, sizeof r->label, "%.40s, tolerance %s",
             r->options.integrator ? r->options.integrator : integrator, short_number(number, r->options.tolerance, 4));
}

/* Times of the samples, which end steps. With a fixed step (0: none) they are multiples of that of the first run, and
   so of its halves: steps cut to the same times would let runs of different steps be the same. */
static int make_times(convergence *c, double until, double step)
{
    const double wanted = fmax(16, fmin(c->options->samples, 1e6));
    const double stride = step > 0 ? step * fmax(1, round(until / wanted / step)) : until / wanted;
    c->sample_count = (size_t)fmax(1, step > 0 ? ceil(until / stride * (1 - 1e-9)) : wanted);
    c->times = malloc(c->sample_count * sizeof *c->times);
    if (!c->times)
        return memory_error();
    for (size_t k = 0; k + 1 < c->sample_count; k++)
        c->times[k] = step > 0 ? (double)(k + 1) * stride : until * (double)(k + 1) / wanted;
    c->times[c->sample_count - 1] = until;
    return EXIT_DONE;
}

/* What the file asks for, which a simulation knows. */
static int probe(run_job *job, const char **integrator, double *step)
{
    const int result = run_job_prepare(job);
    if (result != EXIT_DONE)
        return result;
    *integrator = carom_simulation_integrator(job->sim);
    *step = carom_simulation_step_size(job->sim);
    return EXIT_DONE;
}

/* Whether two runs went alike as a tolerance near rounding changes nothing; what is exact may do so at any. */
static bool is_same(const convergence *c, const converge_run *a, const converge_run *b)
{
    const size_t size = b->samples * c->bodies * sizeof *b->poses;
    return size && b->options.tolerance < NEAR_ROUNDING && a->samples == b->samples &&
           memcmp(a->poses, b->poses, size) == 0;
}

static int run_all(session *s, const converge_options *o, const carom_document *document, const carom_model *model)
{
    convergence c = {.options = o};
    run_job first = run_job_of(s, &o->run, document, model, 0);
    const char *integrator = "";
    double step = 0;
    if (!carom_run_moves(first.def))
        return usage_error("converge", "the first analysis of '%s' is no motion", o->run.model);
    int result = probe(&first, &integrator, &step);
    c.bodies = first.info.bodies;
    c.plane = first.info.dimension == 2;
    if (result == EXIT_DONE)
        result = make_times(&c, first.def->until, step);
    const double tolerance = o->run.tolerance > 0 ? o->run.tolerance : first.def->tolerance;
    /* fixed steps and the motion of kinematics have no second integrator */
    const bool alone = step > 0 || strcmp(integrator, "kinematics") == 0;
    const size_t wanted = alone ? CONVERGE_RUNS - 1 : CONVERGE_RUNS;
    for (size_t k = 0; k < wanted && result == EXIT_DONE; k++) {
        converge_run *r = &c.runs[c.count++];
        choose(&c, r, k, integrator, tolerance, step);
        r->job = run_job_of(s, &r->options, document, model, 0);
        if (!o->run.quiet)
            fprintf(stderr, "run %zu of %zu: %s\n", k + 1, wanted, r->label);
        result = run_one(&c, r);
        if (k > 0 && result == EXIT_DONE && !alone && is_same(&c, r - 1, r))
            fprintf(stderr,
                    "carom: runs %zu and %zu are the same to the last bit: their agreement shows nothing, as "
                    "tolerances so small change no step; give a larger one, `--tolerance 1e-8`\n",
                    k, k + 1);
    }
    if (result == EXIT_DONE && !converge_compare(&c))
        result = memory_error();
    if (result == EXIT_DONE && o->run.json)
        result = converge_print_json(s, &c);
    else if (result == EXIT_DONE)
        converge_print_text(&c);
    for (size_t k = 0; k < c.count; k++) {
        free(c.runs[k].poses);
        run_job_free(&c.runs[k].job);
    }
    run_job_free(&first);
    free(c.times);
    free(c.impacts);
    free(c.ends);
    free(c.statistics);
    return result;
}

/* ---- command line ---- */

static int converge(session *s, const text_list *arguments, void *options)
{
    converge_options *o = options;
    o->run.model = arguments->items[0];
    int result = run_check_options(s, &o->run);
    if (result == EXIT_DONE)
        result = take_model(s, &o->run.model);
    if (result != EXIT_DONE)
        return result;
    if (!(o->share < 1))
        return usage_error("converge", "--share %.10g: it is a share of the motion's range, such as 0.01", o->share);
    carom_document *document = NULL;
    carom_model *model = NULL;
    carom_status status = read_model(s, o->run.model, o->run.set.items, o->run.set.count, &document);
    if (status == CAROM_OK)
        status = carom_model_compile(s->ctx, carom_document_spec(document), &model);
    watch_signals();
    result = status == CAROM_OK ? run_all(s, o, document, model) : session_error(s, status);
    carom_model_free(model);
    carom_document_free(document);
    return result;
}

int command_converge(int argc, char **argv)
{
    converge_options o = {.run = {.command = "converge", .output = "carom-out", .checkpoint = NAN, .no_results = true},
                          .share = 0.01,
                          .samples = 1000};
    const option options[] = {
        {"set", 0, OPTION_TEXTS, &o.run.set, "NAME=VALUE", "replace the value of a parameter; may be repeated"},
        {"integrator", 0, OPTION_TEXT, &o.run.integrator, "NAME", "integrator instead of the file's"},
        {"second", 0, OPTION_TEXT, &o.second, "NAME", "integrator of the last run (default bdf, beside bdf adams)"},
        {"tolerance", 0, OPTION_POSITIVE, &o.run.tolerance, "X", "relative tolerance of the first run"},
        {"share", 0, OPTION_POSITIVE, &o.share, "X",
         "runs agree while all positions and angles differ by less than\nthis share of their range (default 0.01)"},
        {"samples", 0, OPTION_POSITIVE, &o.samples, "N", "times at which the runs are compared (default 1000)"},
        {"all", 0, OPTION_FLAG, &o.run.all, NULL, "print all rows of long tables"},
        {"json", 0, OPTION_FLAG, &o.run.json, NULL, "print one JSON object instead of tables"},
        {"quiet", 'q', OPTION_FLAG, &o.run.quiet, NULL, "no progress"},
    };
    const command_def def = {
        .name = "converge",
        .arguments = "MODEL",
        .text =
            "Says how far the numbers of a motion can be trusted: runs the first analysis of a model as it is, with a\n"
            "tenth and a hundredth of the tolerance, and with the latter by a second integrator; with half and a\n"
            "quarter of a fixed step. Steps also end at the times at which the runs are compared, of fixed ones\n"
            "multiples of the first run's. Prints the time until which the runs agree (the trust horizon), on how\n"
            "many digits they agree in each impact and in the values at the end, and of the time behind the horizon,\n"
            "where a chaotic motion has none, the means and counts with their spread.",
        .example = "  carom converge models/four_bar_clearance.yaml --share 0.02",
        .options = options,
        .option_count = COUNT(options),
        .least = 1,
        .most = 1};
    return command_perform(&def, argc, argv, converge, &o);
}
