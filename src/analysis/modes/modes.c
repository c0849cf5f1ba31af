/* Analysis modes: natural frequencies, damping and shapes of the motion beside an equilibrium or a state. */
#include "analysis/modes/modes.h"
#include "math/solve.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846
/* An eigenvalue below these shares of the largest one, of sqrt(g/L), and of the rate of the motion is none, and below
   NONE [1/s] where all are rounding. Those of a motion are differences of such as its square, with 1e-9 of it. */
#define NONE_OF_LARGEST 1e-7
#define NONE_OF_GRAVITY 1e-5
#define NONE_OF_MOTION 3e-5
#define NONE 1e-12
/* Real part of an eigenvalue, of its size, that is rounding. */
#define UNDAMPED 1e-9
/* Eigenvalues that stand in the place of 0 are up to so often `none`, where more than two are one; and one is no
   rounding from this share of it on. */
#define SPLIT 1e3
#define SLOW 1e-2
/* Share of an orbit's area by which a whirl has a sense. */
#define WHIRLS 1e-6

enum { FREEDOMS, STATES, RIGID, UNSTABLE, LOWEST, HIGHEST, RESIDUAL, QUANTITIES };

static const carom_analysis_quantity quantities[QUANTITIES] = {
    [FREEDOMS] = {"freedoms", "1", "Motions that constraints, and friction that holds, allow."},
    [STATES] = {"states", "1",
                "States of the linear system: two for each of them, and those of laws, loads, the model."},
    [RIGID] = {"rigid", "1", "Motions that nothing brings back, and integrals: independent modes of eigenvalue 0."},
    [UNSTABLE] = {"unstable", "1", "Modes that grow."},
    [LOWEST] = {"lowest_frequency", "Hz", "Least frequency of a mode that oscillates; 0: none does."},
    [HIGHEST] = {"highest_frequency", "Hz", "Greatest one."},
    [RESIDUAL] = {"residual", "m/s^2",
                  "Largest acceleration of a body that those of the coordinates make, turns in the model's length; 0 "
                  "in an equilibrium and in a steady motion."},
};

enum { TABLE_REMARKS, TABLE_MODES, TABLE_BODIES, TABLES };

static const carom_analysis_quantity remark_columns[] = {{"sentence", "", "What is to be known of the modes."}};
static const carom_analysis_quantity mode_columns[] = {
    {"mode", "1", "Number, by natural frequency."},
    {"kind", "", "oscillates, decays, grows (divergence), oscillates and grows (flutter), rigid."},
    {"frequency", "Hz", "Of the damped oscillation."},
    {"natural_frequency", "Hz", "Size of the eigenvalue over 2 pi."},
    {"damping_ratio", "1", "Less the real part of the eigenvalue over its size."},
    {"real", "1/s", "Real part of the eigenvalue."},
    {"imaginary", "rad/s", "Its imaginary part."},
    {"motion", "", "What moves most."},
    {"whirl", "", "forward or backward, where bodies spin."},
};

static const carom_analysis_table_kind tables[TABLES] = {
    [TABLE_REMARKS] = {"remarks", "What is to be known of the modes.", remark_columns, CAROM_COUNT(remark_columns)},
    [TABLE_MODES] = {"modes", "Modes, by natural frequency.", mode_columns, CAROM_COUNT(mode_columns)},
    [TABLE_BODIES] = {"bodies", "Coordinates of the bodies.", carom_analysis_body_columns, CAROM_ANALYSIS_BODY_COLUMNS},
};

/* One mode: an eigenvalue, of a pair that with a positive imaginary part. */
typedef struct mode {
    double real, imaginary, size;
    const double *vector[2]; /* real and imaginary part; NULL: there is none */
    bool rigid;
} mode;

typedef struct work {
    carom_balance b;
    carom_linear l;
    double *before, *v; /* positions of the model file; velocities of the state */
    bool about_state, moves, steady;
    double *real, *imaginary, *vectors, *shape[2];
    mode *modes;
    int count;         /* modes, rigid ones first */
    carom_linear_zeros zeros;
    int first_neutral; /* motion without stiffness that the first rigid mode is; -1: they are eigenvectors */
    char (*neutral)[CAROM_MOTION_NAME]; /* names of these motions */
    double none;                        /* [1/s] */
} work;

static carom_status say(carom_analysis *a, const char *text)
{
    return carom_analysis_add(a, TABLE_REMARKS, &(carom_analysis_cell){.text = text});
}

/* ---- eigenvalues ---- */

static int by_size(const void *a, const void *b)
{
    const mode *x = a, *y = b;
    const double d = x->size - y->size;
    return d < 0 ? -1 : d > 0 ? 1 : x->vector[0] < y->vector[0] ? -1 : x->vector[0] > y->vector[0];
}

static carom_status find_eigenvalues(carom_analysis *a, work *w)
{
    const int n = w->l.n;
    const size_t size = (size_t)n * (size_t)n;
    const carom_model *m = a->model;
    double *matrix = carom_arena_alloc(&a->arena, size, sizeof *matrix), most = 0;
    bool done = matrix && (w->vectors = carom_arena_alloc(&a->arena, size, sizeof(double))) &&
                (w->real = carom_arena_alloc(&a->arena, (size_t)n, sizeof(double))) &&
                (w->imaginary = carom_arena_alloc(&a->arena, (size_t)n, sizeof(double))) &&
                (w->modes = carom_arena_alloc(&a->arena, 2 * (size_t)n, sizeof *w->modes));
    for (int i = 0; i < 2; i++)
        done = done && (w->shape[i] = carom_arena_alloc(&a->arena, (size_t)w->b.columns, sizeof(double)));
    if (!done)
        return carom_fail_memory(a->ctx);
    memcpy(matrix, w->l.a, size * sizeof *matrix);
    CAROM_TRY(carom_eigen(a->ctx, n, matrix, w->real, w->imaginary, w->vectors));
    for (int k = 0; k < n; k++)
        most = fmax(most, hypot(w->real[k], w->imaginary[k]));
    w->none = NONE_OF_LARGEST * most + NONE_OF_GRAVITY * sqrt(carom_v3_norm(m->gravity) / m->length_scale) + NONE;
    if (w->moves)
        w->none += NONE_OF_MOTION * carom_linear_speed(&w->l);
    return CAROM_OK;
}

/* Eigenvalues by size, a pair once. */
static int list_eigenvalues(const work *w, mode *out)
{
    int count = 0;
    for (int k = 0; k < w->l.n; k++) {
        mode one = {w->real[k], w->imaginary[k], hypot(w->real[k], w->imaginary[k]), {NULL, NULL}, false};
        one.vector[0] = w->vectors + (size_t)k * (size_t)w->l.n;
        if (one.imaginary != 0)
            one.vector[1] = w->vectors + (size_t)++k * (size_t)w->l.n; /* the conjugate one is behind it */
        if (fabs(one.real) < UNDAMPED * one.size)
            one.real = 0;
        out[count++] = one;
    }
    qsort(out, (size_t)count, sizeof *out, by_size);
    return count;
}

/* The rigid modes are the eigenvectors of 0, however many eigenvalues 0 each has: these are the least ones, which
   rounding has moved by up to `none`. What else is below that decays slowly, or is rounding of more than two. */
static carom_status find_modes(carom_analysis *a, work *w)
{
    CAROM_TRY(find_eigenvalues(a, w));
    CAROM_TRY(carom_linear_find_zeros(a, &w->l, w->none, &w->zeros));
    mode *all = w->modes + w->l.n;
    const int count = list_eigenvalues(w, all);
    int left = w->zeros.eigenvalues;
    for (int k = 0; k < w->zeros.count; k++)
        w->modes[w->count++] =
            (mode){.vector = {w->zeros.vectors + (size_t)k * (size_t)w->l.n, NULL}, .rigid = true};
    for (int k = 0; k < count; k++) {
        const bool pair = all[k].imaginary != 0, small = all[k].size <= w->none;
        if (left > 0 && all[k].size <= SPLIT * w->none)
            left -= 1 + pair;
        else if (!small || (!pair && all[k].real < -SLOW * w->none))
            w->modes[w->count++] = all[k];
    }
    return CAROM_OK;
}

/* At rest the rigid motions are those without stiffness, as many, where no state has a part in them: with names that
   one joint or body has. */
static carom_status find_neutral(carom_analysis *a, work *w)
{
    carom_balance *b = &w->b;
    int first = 0, count = 0;
    w->first_neutral = -1;
    while (first < w->l.f && b->eigenvalue[first] < -w->none * w->none)
        first++;
    while (first + count < w->l.f && b->eigenvalue[first + count] <= w->none * w->none)
        count++;
    if (w->moves || !count || count != w->zeros.motions)
        return CAROM_OK;
    if (!(w->neutral = carom_arena_alloc(&a->arena, (size_t)count, sizeof *w->neutral)))
        return carom_fail_memory(a->ctx);
    w->first_neutral = first;
    return carom_balance_neutral(b, first, count, w->neutral);
}

/* ---- shapes ---- */

static bool is_neutral(const work *w, const mode *one)
{
    return one->rigid && w->first_neutral >= 0 && one - w->modes < w->zeros.motions;
}

/* Displacements of all bodies in a mode, real and imaginary part, the largest of length 1, turns in lengths, real. */
static void make_shape(work *w, const mode *one)
{
    carom_balance *b = &w->b;
    const int columns = b->columns, of = (int)(one - w->modes);
    const int neutral = is_neutral(w, one) ? w->first_neutral + of : -1;
    if (neutral >= 0)
        memcpy(w->shape[0], b->basis + (size_t)neutral * (size_t)columns, (size_t)columns * sizeof(double));
    else
        carom_balance_motion(b, one->vector[0], w->shape[0]);
    memset(w->shape[1], 0, (size_t)columns * sizeof(double));
    if (one->vector[1])
        carom_balance_motion(b, one->vector[1], w->shape[1]);
    double most = 0, re = 1, im = 0;
    for (int k = 0; k < columns; k++) {
        const double x = w->shape[0][k], y = w->shape[1][k];
        const double size = hypot(x, y) * (carom_linear_turns(b, k) ? b->m->length_scale : 1);
        if (size > most * (1 + 1e-9)) {
            most = size;
            re = x / (hypot(x, y) * size);
            im = -y / (hypot(x, y) * size);
        }
    }
    for (int k = 0; k < columns; k++) {
        const double x = w->shape[0][k], y = w->shape[1][k];
        w->shape[0][k] = x * re - y * im;
        w->shape[1][k] = x * im + y * re;
    }
}

/* Of the orbits of the bodies, along their spin: the sense in which they go round, of their size; 0: they do not. */
static double whirl(const work *w)
{
    const carom_balance *b = &w->b;
    double sum = 0, size = 0;
    for (int body = 0; b->size == 6 && body < b->m->body_count; body++) {
        const carom_vec3 spin = carom_v3_load(w->v + body * 6 + 3);
        const double rate = carom_v3_norm(spin);
        for (int part = 0; part < 6 && rate > 0; part += 3) {
            const carom_vec3 x = carom_v3_load(w->shape[0] + body * 6 + part);
            const carom_vec3 y = carom_v3_load(w->shape[1] + body * 6 + part);
            const double scale = part ? b->m->length_scale * b->m->length_scale : 1;
            sum -= scale * carom_v3_dot(carom_v3_cross(x, y), spin) / rate;
            size += scale * (carom_v3_dot(x, x) + carom_v3_dot(y, y));
        }
    }
    return size > 0 && fabs(sum) > WHIRLS * size ? sum / size : 0;
}

/* ---- tables and matrices ---- */

static const char *kind_of(const work *w, const mode *one)
{
    if (one->rigid)
        return "rigid";
    const bool grows = one->real > w->none;
    if (one->imaginary != 0)
        return grows ? "oscillates and grows" : "oscillates";
    return one->real > 0 ? "grows" : "decays";
}

static carom_status put_modes(carom_analysis *a, work *w, double *const shapes[2])
{
    double *value = a->values;
    value[LOWEST] = value[HIGHEST] = 0;
    int unstable = 0, rigid = 0;
    char name[CAROM_MOTION_NAME];
    for (int k = 0; k < w->count; k++) {
        const mode *one = &w->modes[k];
        make_shape(w, one);
        for (int i = 0; i < 2; i++)
            memcpy(shapes[i] + (size_t)k * (size_t)w->b.columns, w->shape[i], (size_t)w->b.columns * sizeof(double));
        if (!carom_linear_stands(&w->l, one->vector[0], one->vector[1], name, sizeof name))
            carom_balance_name(&w->b, w->shape[0], name, sizeof name);
        const bool neutral = is_neutral(w, one);
        const double sense = w->moves ? whirl(w) : 0, frequency = one->imaginary / (2 * PI);
        rigid += one->rigid;
        unstable += !one->rigid && one->real > w->none;
        if (one->imaginary > 0) {
            value[LOWEST] = value[LOWEST] > 0 ? fmin(value[LOWEST], frequency) : frequency;
            value[HIGHEST] = fmax(value[HIGHEST], frequency);
        }
        CAROM_TRY(carom_analysis_add(
            a, TABLE_MODES,
            (const carom_analysis_cell[]){{.number = k + 1},
                                          {.text = kind_of(w, one)},
                                          {.number = frequency},
                                          {.number = one->size / (2 * PI)},
                                          {.number = one->size > 0 ? (0 - one->real) / one->size : 0},
                                          {.number = one->real},
                                          {.number = one->imaginary},
                                          {.text = neutral ? w->neutral[k] : name},
                                          {.text = sense > 0   ? "forward"
                                                   : sense < 0 ? "backward"
                                                               : ""}}));
    }
    value[RIGID] = rigid;
    value[UNSTABLE] = unstable;
    return CAROM_OK;
}

static const char *const *texts(carom_analysis *a, const char *format, int count)
{
    const char **list = carom_arena_alloc(&a->arena, (size_t)count, sizeof *list);
    char text[40];
    for (int k = 0; list && k < count; k++) {
        snprintf(text, sizeof text, "%s.%d", format, k + 1);
        if (!(list[k] = carom_arena_text(&a->arena, text)))
            return NULL;
    }
    return (const char *const *)list;
}

/* "body.slider.x" of each velocity. */
static const char *const *name_places(carom_analysis *a, const carom_balance *b)
{
    const char **list = carom_arena_alloc(&a->arena, (size_t)b->columns, sizeof *list);
    char text[200];
    for (int k = 0; list && k < b->columns; k++) {
        snprintf(text, sizeof text, "body.%s.%s", b->m->bodies[k / b->size + 1].name, carom_linear_part(b, k));
        if (!(list[k] = carom_arena_text(&a->arena, text)))
            return NULL;
    }
    return (const char *const *)list;
}

static carom_status put_matrices(carom_analysis *a, work *w, double *const shapes[2])
{
    carom_linear *l = &w->l;
    const carom_model *m = a->model;
    const size_t n = (size_t)l->n, in = (size_t)l->inputs, out = (size_t)l->outputs, count = (size_t)w->count,
                 columns = (size_t)w->b.columns;
    const char **states = carom_arena_alloc(&a->arena, n, sizeof *states);
    const char **inputs = carom_arena_alloc(&a->arena, in, sizeof *inputs);
    const char **outputs = carom_arena_alloc(&a->arena, out, sizeof *outputs);
    const char *const *modes = texts(a, "mode", w->count), *const *places = name_places(a, &w->b);
    if (!states || !inputs || !outputs || !modes || !places)
        return carom_fail_memory(a->ctx);
    CAROM_TRY(carom_linear_name(a, l, states));
    carom_linear_take_names(l);
    for (size_t k = 0; k < in; k++)
        inputs[k] = m->inputs[l->input[k]].name;
    for (size_t k = 0; k < out; k++)
        outputs[k] = m->outputs[k].name;
    const char *const *const s = (const char *const *)states, *const *const u = (const char *const *)inputs,
                             *const *const y = (const char *const *)outputs;
    const carom_analysis_matrix all[] = {
        {"A", "Rates of the states by the states.", n, n, l->a, s, s},
        {"B", "Rates of the states by the inputs.", n, in, l->in, s, u},
        {"C", "Outputs by the states.", out, n, l->out, y, s},
        {"D", "Outputs by the inputs.", out, in, l->through, y, u},
        {"shapes_real",
         "Displacements and turns of the bodies in each mode, at its begin; the largest is 1, turns in the "
         "model's length.",
         columns, count, shapes[0], places, modes},
        {"shapes_imaginary", "The same a quarter of a period before.", columns, count, shapes[1], places, modes},
    };
    for (size_t k = 0; k < CAROM_COUNT(all); k++)
        carom_analysis_add_matrix(a, &all[k]);
    return CAROM_OK;
}

/* ---- what is to be known ---- */

/* What of the accelerations that gravity and the speed of the model make is none. */
static double small_acceleration(const carom_model *m)
{
    return 1e-6 * (carom_v3_norm(m->gravity) + m->speed_scale * m->speed_scale / m->length_scale);
}

static carom_status say_open(carom_analysis *a, const work *w)
{
    const carom_linear *l = &w->l;
    const int k = l->doubtful;
    char name[CAROM_MOTION_NAME];
    if (!(l->doubt > CAROM_BALANCE_OPEN))
        return CAROM_OK;
    if (k >= l->n)
        snprintf(name, sizeof name, "input '%s'", a->model->inputs[l->input[k - l->n]].name);
    else if (k >= 2 * l->f)
        carom_linear_further(l, k - 2 * l->f, name, sizeof name);
    else
        carom_balance_name(l->b, l->b->basis + (size_t)(k % l->f) * (size_t)l->b->columns, name, sizeof name);
    return carom_balance_say_open(a, l->doubt, name, TABLE_REMARKS);
}

/* Joints whose friction holds, of whose coordinates the modes have no motion. */
static carom_status tell_held(carom_analysis *a, const work *w)
{
    const carom_model *m = a->model;
    char text[300];
    for (int k = 0; k < m->joint_count; k++) {
        int places = 0, holding = 0;
        for (int r = 0; r < m->site_count; r++) {
            if (m->sites[r].joint != k)
                continue;
            places++;
            holding += w->b.d->sites[r].stick && !w->b.d->sites[r].sliding;
        }
        if (!places || holding < places)
            continue;
        snprintf(text, sizeof text, "friction holds joint '%s': the modes do not move it", m->joints[k].name);
        CAROM_TRY(say(a, text));
    }
    return CAROM_OK;
}

static carom_status remark(carom_analysis *a, const work *w, bool dropped)
{
    const carom_model *m = a->model;
    char text[300];
    if (dropped)
        CAROM_TRY(say(a, "about the equilibrium, at rest: the velocities of the model are left out; `about: state` "
                         "linearises about the start with them"));
    if (w->about_state && a->values[RESIDUAL] > small_acceleration(m)) {
        snprintf(text, sizeof text,
                 "the state is no steady one: a body accelerates by %.3g m/s^2, and the modes are those of the moment",
                 a->values[RESIDUAL]);
        CAROM_TRY(say(a, text));
    } else if (!w->steady)
        CAROM_TRY(say(a, "the state is no steady one: the linear system changes as the bodies move on, and the modes "
                         "are those of the moment"));
    if (w->l.axes_of != CAROM_LINEAR_WORLD)
        CAROM_TRY(say(a, w->l.axes_of == CAROM_LINEAR_TURNS
                             ? "turns of bodies (rx, ry, rz) are about axes that turn with them, in which the motion "
                               "is steady"
                             : "coordinates of bodies are along axes that turn with them, in which the motion is "
                               "steady"));
    if (!w->about_state)
        CAROM_TRY(carom_balance_say_states(a, &w->b, TABLE_REMARKS));
    CAROM_TRY(tell_held(a, w));
    for (int k = 0; k < m->contact_count; k++)
        if (w->b.s->located[k].open && m->contacts[k].law.damping && m->contacts[k].law.elastic->history) {
            snprintf(text, sizeof text,
                     "contact '%s': its law has a history; its stiffness is that of the branch on which it is",
                     m->contacts[k].name);
            CAROM_TRY(say(a, text));
        }
    CAROM_TRY(say_open(a, w));
    if (a->values[UNSTABLE] > 0)
        CAROM_TRY(say(a, "unstable: the modes that grow lead away from the state"));
    return w->l.f ? CAROM_OK : say(a, "nothing can move: there are no modes");
}

/* ---- the state ---- */

static bool any(const double *x, int count)
{
    for (int k = 0; k < count; k++)
        if (x[k] != 0)
            return true;
    return false;
}

static carom_status take_state(carom_analysis *a, work *w, carom_evaluation *d, carom_state *s)
{
    const carom_model *m = a->model;
    bool found;
    carom_start start = {0};
    CAROM_TRY(carom_analysis_start(a, d, s, &start));
    CAROM_TRY(carom_balance_create(a, d, s, &w->b));
    memcpy(w->v, s->v, (size_t)w->b.columns * sizeof *w->v);
    w->moves = any(w->v, w->b.columns);
    for (int k = 0; k < m->block_count; k++)
        if (w->moves && m->blocks[k].rate_rows)
            return carom_fail(a->ctx, CAROM_ERROR_MODEL, &a->run->analysis_place,
                              "modes: joint '%s' rolls: bodies that move have more places than velocities, and states "
                              "with as many of both are linearised; leave `about: state` out for the modes at rest, or "
                              "see how a small change of the start grows by `carom run --derivatives "
                              "body.NAME.velocity.y` of a motion",
                              m->joints[m->blocks[k].object].name);
    CAROM_TRY(carom_linear_settle(&w->b, w->v, &found));
    return found ? carom_balance_motions(&w->b)
                 : carom_fail(a->ctx, CAROM_ERROR_SOLVER, NULL, "modes: no accelerations can be found at the state");
}

static carom_status take_equilibrium(carom_analysis *a, work *w, carom_evaluation *d, carom_state *s, bool *dropped)
{
    bool found;
    CAROM_TRY(carom_balance_begin(a, d, s, &w->b, dropped));
    *dropped = *dropped && !carom_run_follows(a->run);
    CAROM_TRY(carom_balance_search(&w->b));
    CAROM_TRY(carom_balance_evaluate(&w->b, &found));
    return carom_balance_motions(&w->b);
}

static carom_status linearise(carom_analysis *a, work *w, bool dropped)
{
    double *shapes[2];
    CAROM_TRY(carom_linear_create(a, &w->b, &w->l));
    CAROM_TRY(carom_linear_make(&w->l, w->moves ? w->v : NULL));
    w->steady = true;
    if (w->moves && w->l.f)
        CAROM_TRY(carom_linear_steady(a, &w->l, small_acceleration(a->model), &w->steady));
    a->values[RESIDUAL] = carom_linear_acceleration(&w->l);
    a->values[FREEDOMS] = w->l.f;
    a->values[STATES] = w->l.n;
    CAROM_TRY(find_modes(a, w));
    CAROM_TRY(find_neutral(a, w));
    for (int i = 0; i < 2; i++)
        if (!(shapes[i] = carom_arena_alloc(&a->arena, (size_t)w->b.columns * (size_t)w->count, sizeof(double))))
            return carom_fail_memory(a->ctx);
    CAROM_TRY(put_modes(a, w, shapes));
    CAROM_TRY(put_matrices(a, w, shapes));
    return remark(a, w, dropped);
}

static carom_status find(carom_analysis *a, carom_evaluation *d, carom_state *s)
{
    const size_t places = (size_t)s->layout.positions, columns = (size_t)s->layout.velocities;
    bool dropped = false;
    work w = {.about_state = a->run->about && strcmp(a->run->about, "state") == 0};
    if (!(w.before = carom_arena_alloc(&a->arena, places, sizeof(double))) ||
        !(w.v = carom_arena_alloc(&a->arena, columns, sizeof(double))))
        return carom_fail_memory(a->ctx);
    memcpy(w.before, s->q, places * sizeof *w.before);
    CAROM_TRY(w.about_state ? take_state(a, &w, d, s) : take_equilibrium(a, &w, d, s, &dropped));
    CAROM_TRY(linearise(a, &w, dropped));
    CAROM_TRY(carom_state_create_in(a->ctx, a->model, s->formulation, &a->about));
    CAROM_TRY(carom_state_assign(a->about, s));
    return carom_analysis_add_bodies(a, TABLE_BODIES, w.before);
}

static carom_status run(carom_analysis *a) { return carom_balance_run(a, find); }

const carom_analysis_kind carom_analysis_modes = {
    .text =
        "The motion beside an equilibrium, found as analysis equilibrium does, or beside the state of the start with "
        "its velocities, is linear: z' = A z + B u, y = C z + D u. The states z are coordinates of joints, then of "
        "bodies, as many as constraints allow motions, their rates, and further states. The derivatives are "
        "differences of order 6 of the accelerations of these coordinates, so that the forces of constraints, "
        "gyroscopic ones, contacts, friction and the user's own are in them. Eigenvalues of A are the modes; about a "
        "state that moves they are natural frequencies where the motion is a steady one, which is looked at. u are "
        "the inputs of the model without a record, y its outputs.",
    .source = "Nikravesh 1988, Computer-Aided Analysis of Mechanical Systems, section 10.4; Negrut and Ortiz 2006, J. "
              "Comput. Nonlinear Dyn. 1, 230; Genta 2005, Dynamics of Rotating Systems, chapter 2 (whirl); Greenwood "
              "2003, Advanced Dynamics, chapter 2 (steady motions).",
    .quantities = quantities,
    .quantity_count = QUANTITIES,
    .tables = tables,
    .table_count = TABLES,
    .run = run,
};
