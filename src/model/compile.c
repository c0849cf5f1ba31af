/* Spec to model: the order of the parts, couplings, scales. */
#include "base/context.h"
#include "model/compile.h"

static bool given(const char *text) { return text && text[0]; }

/* ---- the model ---- */

static carom_status prepare(carom_compiler *c)
{
    const carom_spec *s = c->spec;
    carom_model *m = c->model;
    if (s->dimension != 2 && s->dimension != 3)
        return carom_fail(c->ctx, CAROM_ERROR_MODEL, NULL, "%s: dimension is %d; it must be 2 or 3",
                          s->file ? s->file : "model", s->dimension);
    m->dimension = s->dimension;
    m->gravity = carom_v3_load(s->gravity);
    m->name = carom_arena_text(&m->arena, given(s->name) ? s->name : "model");
    m->file = s->file ? carom_arena_text(&m->arena, s->file) : NULL;
    m->title = carom_arena_text(&m->arena, given(s->title) ? s->title : m->name ? m->name : "");
    m->text = carom_arena_text_n(&m->arena, s->text ? s->text : "", s->text ? s->text_length : 0);
    m->text_length = s->text ? s->text_length : 0;
    size_t most = 64 + s->body_count + (1 + CAROM_CLEARANCE_SHAPES) * s->joint_count + s->shape_count +
                  s->material_count + s->spline_count + s->load_count;
    for (size_t k = 0; k < s->body_count; k++)
        most += s->bodies[k].frame_count;
    c->names = carom_arena_alloc(&m->arena, most, sizeof *c->names);
    if (!m->name || !m->title || !m->text || !c->names)
        return carom_fail_memory(c->ctx);
    for (size_t k = 0; k < s->parameter_count; k++)
        m->hash = carom_hash(&s->parameters[k].value, sizeof(double), m->hash);
    m->hash = carom_hash(m->text, m->text_length, m->hash);
    return CAROM_OK;
}

/* The row groups on each body, ascending: those of body k are group[first[k]] ... group[first[k + 1] - 1]. */
typedef struct body_groups {
    int *first, *group;
} body_groups;

#define SIDES (2 * CAROM_COUPLED_JOINTS)

/* Whether the body of a side is that of a side before, too. */
static bool repeats(const carom_constraint_block *e, int side)
{
    for (int k = 0; k < side; k++)
        if (carom_block_body(e, k) == carom_block_body(e, side))
            return true;
    return false;
}

static bool list_groups(const carom_model *m, carom_arena *scratch, body_groups *out)
{
    const size_t bodies = (size_t)m->body_count + 1;
    size_t count = 0;
    for (int e = 0; e < m->block_count; e++)
        count += (size_t)carom_block_sides(&m->blocks[e]);
    out->first = carom_arena_alloc(scratch, bodies + 1, sizeof *out->first);
    out->group = carom_arena_alloc(scratch, count, sizeof *out->group);
    int *next = carom_arena_alloc(scratch, bodies, sizeof *next);
    if (!out->first || !out->group || !next)
        return false;
    for (int e = 0; e < m->block_count; e++)
        for (int side = 0; side < carom_block_sides(&m->blocks[e]); side++)
            if (!repeats(&m->blocks[e], side))
                out->first[carom_block_body(&m->blocks[e], side) + 1]++;
    for (size_t k = 0; k < bodies; k++) {
        out->first[k + 1] += out->first[k];
        next[k] = out->first[k];
    }
    for (int e = 0; e < m->block_count; e++)
        for (int side = 0; side < carom_block_sides(&m->blocks[e]); side++)
            if (!repeats(&m->blocks[e], side))
                out->group[next[carom_block_body(&m->blocks[e], side)]++] = e;
    return true;
}

/* The couplings of group a with one before it, or with itself, into `out` unless that is NULL; returns their number. */
static int couple_two(const carom_model *m, int a, int b, carom_coupling *out)
{
    const carom_constraint_block *ea = &m->blocks[a], *eb = &m->blocks[b];
    int count = 0;
    for (int side_b = 0; side_b < carom_block_sides(eb); side_b++)
        for (int side_a = 0; side_a < carom_block_sides(ea); side_a++) {
            const int body = carom_block_body(ea, side_a);
            if (body == 0 || body != carom_block_body(eb, side_b))
                continue;
            if (out)
                out[count] = (carom_coupling){a, b, body, side_a, side_b};
            count++;
        }
    return count;
}

/* Those of group a with all up to itself, in their order: its bodies' lists are walked at once. */
static int couple_one(const carom_model *m, const body_groups *of, int a, carom_coupling *out)
{
    const int sides = carom_block_sides(&m->blocks[a]);
    int body[SIDES], at[SIDES], count = 0;
    for (int side = 0; side < sides; side++) {
        body[side] = carom_block_body(&m->blocks[a], side);
        at[side] = body[side] ? of->first[body[side]] : of->first[1];
    }
    for (;;) {
        int b = a + 1;
        for (int side = 0; side < sides; side++)
            if (body[side] && at[side] < of->first[body[side] + 1] && of->group[at[side]] < b)
                b = of->group[at[side]];
        if (b > a)
            return count;
        for (int side = 0; side < sides; side++)
            if (body[side] && at[side] < of->first[body[side] + 1] && of->group[at[side]] == b)
                at[side]++;
        count += couple_two(m, a, b, out ? out + count : NULL);
    }
}

/* Which row groups share a moving body: the blocks of the Schur complement J M^-1 J^T. */
static carom_status couple(carom_compiler *c)
{
    carom_model *m = c->model;
    carom_arena scratch;
    carom_arena_init(&scratch, c->ctx);
    body_groups of;
    bool done = list_groups(m, &scratch, &of);
    for (int a = 0; done && a < m->block_count; a++)
        m->coupling_count += couple_one(m, &of, a, NULL);
    m->couplings = done ? carom_arena_alloc(&m->arena, (size_t)m->coupling_count, sizeof *m->couplings) : NULL;
    int count = 0;
    for (int a = 0; m->couplings && a < m->block_count; a++)
        count += couple_one(m, &of, a, m->couplings + count);
    carom_arena_free(&scratch);
    return m->couplings ? CAROM_OK : carom_fail_memory(c->ctx);
}

static carom_status compile_mechanism(carom_compiler *c)
{
    CAROM_TRY(carom_compile_joints(c));
    CAROM_TRY(carom_compile_locks(c));
    return carom_compile_clearances(c);
}

static carom_status compile_parts(carom_compiler *c)
{
    CAROM_TRY(carom_compile_check(c));
    if (!c->other)
        c->model->stepped = carom_compile_steps(c->ctx, c->spec);
    CAROM_TRY(prepare(c));
    CAROM_TRY(carom_compile_scope(c));
    CAROM_TRY(carom_compile_splines(c));
    CAROM_TRY(carom_compile_trajectories(c));
    CAROM_TRY(carom_compile_variables(c));
    CAROM_TRY(carom_compile_bodies(c));
    /* joints and shapes stand on the bodies, contacts on shapes, all else on all of them */
    const size_t start = carom_problems_count(c->ctx);
    CAROM_TRY_ON(c->ctx, carom_compile_runs(c));
    const size_t before = carom_problems_count(c->ctx);
    CAROM_TRY_ON(c->ctx, compile_mechanism(c));
    const size_t of_joints = carom_problems_count(c->ctx);
    CAROM_TRY_ON(c->ctx, carom_compile_shapes(c));
    if (carom_problems_count(c->ctx) == of_joints && (of_joints == before || !carom_compile_has_sets(c->spec)))
        CAROM_TRY_ON(c->ctx, carom_compile_contacts(c));
    if (carom_problems_count(c->ctx) > before)
        CAROM_TRY(carom_compile_look_at_loads(c));
    CAROM_TRY(carom_problems_since(c->ctx, before));
    CAROM_TRY(carom_compile_scale(c));
    CAROM_TRY(carom_compile_loads(c));
    CAROM_TRY_ON(c->ctx, carom_compile_state_rates(c));
    CAROM_TRY_ON(c->ctx, carom_compile_frames(c));
    CAROM_TRY_ON(c->ctx, carom_compile_events(c));
    CAROM_TRY_ON(c->ctx, carom_compile_outputs(c));
    CAROM_TRY(carom_problems_since(c->ctx, start));
    CAROM_TRY(carom_compile_armatures(c));
    CAROM_TRY(carom_compile_tree(c));
    CAROM_TRY(couple(c));
    return CAROM_OK;
}

/* With the structure of contact sets that the runs of the spec need, or where there is one with the other. */
static carom_status compile_one(carom_context *ctx, const carom_spec *spec, const carom_model *other, carom_model **out)
{
    *out = NULL;
    carom_model *m = carom_allocate(ctx, 1, sizeof *m);
    if (!m)
        return carom_fail_memory(ctx);
    m->ctx = ctx;
    m->stepped = other && !other->stepped;
    carom_arena_init(&m->arena, ctx);
    carom_compiler c = {.ctx = ctx, .spec = spec, .model = m, .other = other};
    carom_problems_begin(ctx);
    const carom_status status = carom_problems_end(ctx, compile_parts(&c));
    if (status != CAROM_OK) {
        carom_model_free(m);
        return status;
    }
    *out = m;
    return CAROM_OK;
}

/* The same spec with the other structure of its contact sets; what it is refused for is kept until a run needs it. */
static carom_status compile_other(carom_context *ctx, const carom_spec *spec, carom_model *m)
{
    const carom_failure former = ctx->failure;
    const carom_status status = compile_one(ctx, spec, m, &m->other);
    if (status == CAROM_OK || status == CAROM_ERROR_MEMORY)
        return status;
    m->other_refusal = carom_arena_text(&m->arena, ctx->failure.text);
    ctx->failure = former;
    ctx->kept_count = 0;
    return m->other_refusal ? CAROM_OK : carom_fail_memory(ctx);
}

carom_status carom_model_compile(carom_context *ctx, const carom_spec *spec, carom_model **out)
{
    CAROM_NEED(ctx, ctx);
    CAROM_NEED(ctx, out);
    *out = NULL;
    if (!spec)
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "no spec to compile");
    carom_spec own = carom_default_spec();
    CAROM_TRY(carom_take_def(ctx, spec, &own, sizeof own, "spec"));
    spec = &own;
    CAROM_TRY(compile_one(ctx, spec, NULL, out));
    carom_status status = carom_compile_has_sets(spec) ? compile_other(ctx, spec, *out) : CAROM_OK;
    if (status != CAROM_OK) {
        carom_model_free(*out);
        *out = NULL;
    }
    return status;
}

const carom_model *carom_model_for_steps(const carom_model *m, bool fixed_step)
{
    if (!m)
        return NULL;
    const bool has_other = m->other || m->other_refusal;
    return fixed_step == m->stepped || !has_other ? m : m->other;
}

void carom_model_free(carom_model *m)
{
    if (!m)
        return;
    carom_model_free(m->other);
    carom_release(m->ctx, m->exprs, m->expr_capacity, sizeof *m->exprs);
    carom_release(m->ctx, m->measures, m->measure_capacity, sizeof *m->measures);
    carom_release(m->ctx, m->ignored, m->warning_capacity, sizeof *m->ignored);
    carom_arena_free(&m->arena);
    carom_release(m->ctx, m, 1, sizeof *m);
}

const carom_run_def *carom_model_get_run(const carom_model *m, size_t index)
{
    return m && index < (size_t)m->run_count ? &m->runs[index] : NULL;
}

const char *carom_model_body_name(const carom_model *m, size_t body)
{
    return m && body < (size_t)m->body_count ? m->bodies[body + 1].name : NULL;
}
