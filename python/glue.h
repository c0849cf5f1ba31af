/* What the package has in C beyond the public headers: the functions that Carom calls, and a clock between them.
   In the syntax of cffi; build_carom.py reads it behind the headers. */

/* Calls Python every so often, for signals and progress; the user of carom_python_tick(). */
typedef struct carom_python_clock {
    double period, next;        /* [s] of the monotonic clock */
    void *hooks;                /* of the simulation */
} carom_python_clock;

/* For carom_simulation_def.progress. */
bool carom_python_tick(void *user, const carom_progress *progress);
/* Which thread is at work with a simulation. All zero: none. */
typedef struct carom_python_guard {
    ...;
} carom_python_guard;

/* The status of a call that another thread stands in the way of, and of one that would go back in time. */
#define CAROM_PYTHON_BUSY ...
#define CAROM_PYTHON_PAST ...

/* Whether this thread may work now; several times at once, each with its own leave. */
bool carom_python_enter(carom_python_guard *guard);
bool carom_python_look(carom_python_guard *guard);
void carom_python_leave(carom_python_guard *guard);
/* carom_simulation_advance(), _step() and _set_input() between both, for loops that call them often. */
int carom_python_advance(carom_python_guard *guard, carom_simulation *sim, double time);
int carom_python_one_step(carom_python_guard *guard, carom_simulation *sim);
int carom_python_set_input(carom_python_guard *guard, carom_simulation *sim, size_t input, double value);

/* What a run says of itself at its end, in one call. */
typedef struct carom_python_end {
    carom_ledger ledger;
    carom_statistics statistics;
    carom_accuracy accuracy;
    const carom_impact *impacts;
    const carom_rest *rests;
    const carom_fired_event *events;
    const char *const *warnings;
    size_t impact_count, rest_count, event_count, warning_count;
} carom_python_end;
carom_status carom_python_take_end(carom_simulation *sim, carom_python_end *out);

/* A sink that passes on to another one what belongs to the part of a run from `begin` [s] on, behind `events` events. */
typedef struct carom_python_part {
    carom_sink sink;
    const carom_sink *to;
    double begin;
    size_t events;
} carom_python_part;
void carom_python_take_part(carom_python_part *part, const carom_sink *to, double begin, size_t events);

extern "Python" {
void carom_python_log(void *user, carom_log_level level, const char *text);
bool carom_python_progress(void *hooks, const carom_progress *progress);
carom_status carom_python_control(void *user, carom_simulation *sim, double time);
carom_status carom_python_step(void *user, carom_simulation *sim);
carom_status carom_python_onset(void *user, carom_simulation *sim, const carom_open_contact *contact);
carom_status carom_python_release(void *user, carom_simulation *sim, const carom_impact *impact);
carom_status carom_python_event(void *user, carom_simulation *sim, const carom_event *event);
carom_status carom_python_rows(void *user, int group, size_t rows, const double *time, const double *data);
void carom_python_write(void *user, const char *text, size_t length);
void carom_python_motion(void *user, double time, double *value, double *rate, double *acceleration);
const char *carom_python_prepare(void *user, const double *p, const carom_contact_geometry *geometry, double *c);
void carom_python_normal(void *user, const double *c, const carom_normal_input *in, carom_normal_force *out);
double carom_python_friction(void *user, const double *c, double speed, double normal);
double carom_python_cone(void *user, const double *c);
void carom_python_load(void *user, const carom_load_input *in, carom_load_output *out);
}
