/* The runs of `carom compare`: each variant has a context, a model and a simulation of its own; threads take the
   variants in their order. */
#include "run/compare.h"
#include "support/model_text.h"
#include "support/signals.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- before the runs ---- */

/* Says what is wrong with an override; of a law that is no parameter, how it becomes one. */
static int override_error(const session *s, const comparison *c, carom_status status)
{
    const char *text = carom_context_error(s->ctx), *law = NULL;
    for (size_t k = 0; k < c->varied_count; k++)
        if (strcmp(c->varied[k].name, "law") == 0)
            law = c->varied[k].values[0];
    if (status != CAROM_ERROR_USAGE || !law || !strstr(text, "has no parameter 'law'"))
        return session_error(s, status);
    bool question = text[strlen(text) - 1] == '?';
    print_error("%s%s the law of a contact becomes a parameter by `law: $law` in its `normal` and `law: %s` in "
                "`parameters`",
                text, question ? " If not:" : ";", law);
    return EXIT_USAGE;
}

static int check_contact(const comparison *c, const carom_spec *spec)
{
    const char *contact = c->options->contact;
    const char **names = malloc((spec->contact_count + 1) * sizeof *names);
    if (!names)
        return memory_error();
    bool found = !contact;
    for (size_t k = 0; k < spec->contact_count; k++) {
        names[k] = spec->contacts[k].name;
        found = found || strcmp(names[k], contact) == 0;
    }
    const char *nearest = found ? NULL : carom_nearest_name(contact, names, spec->contact_count);
    free(names);
    if (found)
        return EXIT_DONE;
    if (nearest)
        return usage_error("compare", "the model has no contact '%s'; did you mean '%s'?", contact, nearest);
    return usage_error("compare", "the model has no contact '%s'", contact);
}

/* The channels of the figure exist and are no vectors. */
static int check_channels(const session *s, const comparison *c, carom_simulation *sim)
{
    const compare_options *o = c->options;
    size_t count;
    const carom_channel *channels = carom_simulation_channels(sim, &count);
    for (size_t k = 0; k <= o->channels.count; k++) {
        const char *name = k < o->channels.count ? o->channels.items[k] : o->against;
        double value[8];
        if (!name || (k == o->channels.count && strcmp(name, "time") == 0))
            continue;
        carom_status status = carom_simulation_channel(sim, name, value);
        if (status != CAROM_OK)
            return session_error(s, status);
        for (size_t i = 0; i < count; i++)
            if (channels[i].components && strcmp(channels[i].name, name) == 0)
                return usage_error("compare", "'%s' is a vector; draw a component, such as '%s.%s'", name, name,
                                   channels[i].components[0]);
    }
    return EXIT_DONE;
}

/* Checks what the command line asks of the model; a model that does not compile is left to its variant. */
static int check_document(session *s, comparison *c, const carom_document *document)
{
    const carom_spec *spec = carom_document_spec(document);
    if (spec->run_count > 1)
        return usage_error("compare", "a model with one run can be compared; '%s' has %zu", c->options->run.model,
                           spec->run_count);
    if (spec->run_count == 1 && !carom_run_moves(&spec->runs[0]))
        return usage_error("compare", "motions are compared, and analysis %s of '%s' is none", spec->runs[0].analysis,
                           c->options->run.model);
    c->model_name = format_text("%s", spec->name);
    int code = c->model_name ? check_contact(c, spec) : memory_error();
    if (code != EXIT_DONE || !c->options->figure)
        return code;
    char *error = NULL;
    s->error = &error;
    carom_model *model = NULL;
    carom_simulation *sim = NULL;
    bool made = carom_model_compile(s->ctx, spec, &model) == CAROM_OK &&
                carom_simulation_create(s->ctx, model, NULL, &sim) == CAROM_OK;
    s->error = NULL;
    free(error);
    if (made)
        code = check_channels(s, c, sim);
    carom_simulation_free(sim);
    carom_model_free(model);
    return code;
}

/* Reads the model with value `value` of parameter `which` and the first values of the others. */
static int probe(session *s, comparison *c, size_t which, size_t value, char **refused)
{
    const text_list *set = &c->options->run.set;
    const char **overrides = calloc(set->count + c->varied_count, sizeof *overrides);
    char *texts[MOST_VARIED] = {NULL};
    int code = overrides ? EXIT_DONE : memory_error();
    for (size_t k = 0; k < set->count && overrides; k++)
        overrides[k] = set->items[k];
    size_t count = set->count;
    for (size_t k = 0; k < c->varied_count && code == EXIT_DONE; k++) {
        const char *own = c->varied[k].values[k == which ? value : 0];
        run_options unused;
        if (compare_option(&unused, c->varied[k].name, own))
            continue;
        texts[k] = format_text("%s=%s", c->varied[k].name, own);
        overrides[count++] = texts[k];
        code = texts[k] ? EXIT_DONE : memory_error();
    }
    carom_document *document = NULL;
    if (code == EXIT_DONE) {
        carom_status status =
            read_model(s, c->options->run.model, overrides, count, &document);
        if (status == CAROM_ERROR_MODEL && !*refused)
            *refused = format_text("%s", carom_context_error(s->ctx));
        else if (status != CAROM_OK && status != CAROM_ERROR_MODEL)
            code = override_error(s, c, status);
        if (status == CAROM_OK && !c->model_name)
            code = check_document(s, c, document);
    }
    carom_document_free(document);
    for (size_t k = 0; k < c->varied_count; k++)
        free(texts[k]);
    free(overrides);
    return code;
}

int probe_model(session *s, comparison *c)
{
    int code = EXIT_DONE;
    char *refused = NULL;
    for (size_t k = 0; k < c->varied_count && code == EXIT_DONE; k++)
        for (size_t i = k > 0; i < c->varied[k].count && code == EXIT_DONE; i++)
            code = probe(s, c, k, i, &refused);
    if (code == EXIT_DONE && !c->model_name) {
        print_error("%s", refused ? refused : "out of memory");
        code = EXIT_MODEL;
    }
    free(refused);
    return code;
}

/* ---- the runs ---- */

/* What the threads share. */
typedef struct crew {
    comparison *comparison;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    size_t next, done;
    bool folder_ready, folder_made;
    int folder_code; /* exit status if the folder cannot be made */
} crew;

/* The folder is made when the first variant has passed its check. */
static int prepare_folder(crew *w)
{
    const run_options *o = &w->comparison->options->run;
    if (o->no_results)
        return EXIT_DONE;
    pthread_mutex_lock(&w->lock);
    if (!w->folder_ready)
        w->folder_code = make_folder(o->output, &w->folder_made);
    w->folder_ready = true;
    int code = w->folder_code;
    pthread_mutex_unlock(&w->lock);
    return code;
}

static int run_variant(crew *w, variant *v)
{
    session *s = &v->session;
    int code = session_open(s);
    if (code != EXIT_DONE)
        return code;
    s->error = &v->error;
    carom_status status = read_model(s, v->options.model, v->set.items, v->set.count, &v->document);
    if (status == CAROM_OK)
        status = carom_model_compile(s->ctx, carom_document_spec(v->document), &v->model);
    if (status != CAROM_OK)
        return session_error(s, status);
    v->job = run_job_of(s, &v->options, v->document, v->model, 0);
    v->job.name = v->stem;
    code = run_job_prepare(&v->job);
    if (code == EXIT_DONE)
        code = prepare_folder(w);
    if (code == EXIT_DONE)
        code = run_job_execute(&v->job);
    return code;
}

static void *work(void *user)
{
    crew *w = user;
    comparison *c = w->comparison;
    watch_faults_of_thread();
    pthread_mutex_lock(&w->lock);
    while (w->next < c->count && w->folder_code == EXIT_DONE && caught_signal() == 0) {
        variant *v = &c->variants[w->next++];
        pthread_mutex_unlock(&w->lock);
        v->code = run_variant(w, v);
        v->tried = true;
        pthread_mutex_lock(&w->lock);
        w->done++;
        pthread_cond_signal(&w->changed);
    }
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

/* Shows the progress until all variants are done or nobody takes more. */
static void watch(crew *w, progress_bar *bar)
{
    comparison *c = w->comparison;
    pthread_mutex_lock(&w->lock);
    while (w->done < w->next || (w->next < c->count && w->folder_code == EXIT_DONE && caught_signal() == 0)) {
        progress_wait(&w->changed, &w->lock);
        size_t done = w->done;
        pthread_mutex_unlock(&w->lock);
        progress_count(bar, done, c->count, "variants");
        pthread_mutex_lock(&w->lock);
    }
    pthread_mutex_unlock(&w->lock);
}

static size_t thread_count(const comparison *c)
{
    double jobs = c->options->jobs;
    if (isnan(jobs)) {
        long cores = sysconf(_SC_NPROCESSORS_ONLN);
        jobs = cores > 0 ? (double)cores : 1;
    }
    return jobs < (double)c->count ? (size_t)jobs : c->count;
}

/* Starts the threads, waits for them, and returns their number; without any the work is done here. */
static size_t run_crew(crew *w, size_t wanted)
{
    progress_bar bar;
    progress_begin(&bar, w->comparison->options->run.quiet, 0);
    pthread_t *threads = malloc(wanted * sizeof *threads);
    size_t started = 0;
    while (threads && started < wanted && pthread_create(&threads[started], NULL, work, w) == 0)
        started++;
    if (started == 0)
        work(w);
    else
        watch(w, &bar);
    for (size_t k = 0; k < started; k++)
        pthread_join(threads[k], NULL);
    free(threads);
    w->comparison->wall_seconds = progress_end(&bar);
    return started > 0 ? started : 1;
}

/* Prints the errors of variants of which none could begin, each once; returns the exit status of the first. */
static int report_refusals(const comparison *c)
{
    for (size_t k = 0; k < c->count; k++) {
        const char *error = c->variants[k].error;
        bool known = !error;
        for (size_t i = 0; i < k && !known; i++)
            known = c->variants[i].error && strcmp(c->variants[i].error, error) == 0;
        if (!known)
            print_error("%s", error);
    }
    return c->variants[0].code;
}

int run_variants(comparison *c)
{
    crew w = {.comparison = c, .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
    watch_signals();
    c->threads = (int)run_crew(&w, thread_count(c));
    pthread_mutex_destroy(&w.lock);
    pthread_cond_destroy(&w.changed);
    bool begun = false;
    for (size_t k = 0; k < c->count; k++)
        begun = begun || c->variants[k].job.status;
    /* without any result there is no reason for the folder; rmdir leaves one that holds something */
    if (w.folder_made && !begun)
        rmdir(c->options->run.output);
    if (w.folder_code != EXIT_DONE || begun || caught_signal())
        return w.folder_code;
    return report_refusals(c);
}

/* ---- what became of them ---- */

static bool is_of(const char *contact, const char *name) { return !contact || strcmp(contact, name) == 0; }

static int compare_onsets(const void *a, const void *b)
{
    double x = ((const carom_open_contact *)a)->onset, y = ((const carom_open_contact *)b)->onset;
    return (x > y) - (x < y);
}

/* Episode `number` among those that are still open. */
static void find_open(const variant *v, const char *contact, size_t number, episode *e)
{
    size_t count = carom_simulation_open_contacts(v->job.sim, NULL, 0);
    carom_open_contact *open = calloc(count + 1, sizeof *open);
    if (!open)
        return;
    carom_simulation_open_contacts(v->job.sim, open, count);
    qsort(open, count, sizeof *open, compare_onsets);
    for (size_t k = 0; k < count && !e->found; k++) {
        if (!is_of(contact, open[k].contact) || --number > 0)
            continue;
        e->found = true;
        e->contact = open[k].contact;
        e->onset = open[k].onset;
        e->v_in = open[k].v_in;
        e->peak_force = open[k].peak_force;
        e->max_indentation = open[k].max_indentation;
    }
    free(open);
}

episode find_episode(const variant *v, const char *contact, size_t number)
{
    const double none = (double)NAN;
    episode e = {.onset = none,
                 .duration = none,
                 .v_in = none,
                 .v_out = none,
                 .e_asked = none,
                 .e_got = none,
                 .peak_force = none,
                 .max_indentation = none};
    if (!v->job.status)
        return e;
    size_t count;
    const carom_impact *impacts = carom_simulation_impacts(v->job.sim, &count);
    for (size_t k = 0; k < count; k++) {
        const carom_impact *i = &impacts[k];
        if (!is_of(contact, i->contact) || ++e.impacts != number)
            continue;
        e.found = e.ended = true;
        e.contact = i->contact;
        e.onset = i->onset;
        e.duration = i->duration;
        e.v_in = i->v_in;
        e.v_out = i->v_out;
        e.e_asked = i->e_asked;
        e.e_got = i->e_got;
        e.peak_force = i->peak_force;
        e.max_indentation = i->max_indentation;
    }
    if (!e.found)
        find_open(v, contact, number - e.impacts, &e);
    return e;
}
