/* The key `sampling` of a study: which sampler, and how many runs. */
#include "study/study.h"

#include <math.h>
#include <stdio.h>

static const char *const sampling_keys[] = {"type", "count", "seed", "levels"};
enum { KEY_TYPE, KEY_COUNT, KEY_SEED, KEY_LEVELS, KEYS };

static carom_status find_sampler(carom_study *s, const carom_node *node)
{
    const char *names[16];
    for (size_t k = 0; k < carom_sampler_count; k++)
        names[k] = carom_samplers[k]->name;
    if (node->type != CAROM_NODE_SCALAR)
        return carom_study_fail(s->arena.ctx, &node->place, "'sampling' takes the name of a sampler");
    s->sampler = carom_sampler_find(node->text);
    if (!s->sampler)
        return carom_fail_unknown(s->arena.ctx, &node->place, "sampling", "sampler", node->text, names,
                                  carom_sampler_count);
    return CAROM_OK;
}

static carom_status read_whole(carom_study *s, const carom_node *node, double least, double most, double *out)
{
    CAROM_TRY(carom_study_number(s, node, out));
    if (!(*out >= least && *out <= most) || *out != floor(*out))
        return carom_study_fail(s->arena.ctx, &node->place, "'%s' is a whole number from %.0f to %.17g, not %g",
                                node->key, least, most, *out);
    return CAROM_OK;
}

static carom_status read_keys(carom_study *s, const carom_node *node)
{
    carom_context *ctx = s->arena.ctx;
    const carom_node *type = carom_node_find(node, "type");
    for (const carom_node *n = node->first; n; n = n->next) {
        size_t key = 0;
        while (key < KEYS && strcmp(sampling_keys[key], n->key) != 0)
            key++;
        if (key == KEYS)
            return carom_fail_unknown(ctx, &n->key_place, "sampling", "key", n->key, sampling_keys, KEYS);
    }
    if (!type)
        return carom_study_fail(ctx, &node->place, "'sampling' needs its type, such as {type: sobol, count: 256}");
    CAROM_TRY(find_sampler(s, type));
    static const unsigned taken[KEYS] = {0, CAROM_SAMPLER_COUNT, CAROM_SAMPLER_SEED, CAROM_SAMPLER_LEVELS};
    for (const carom_node *n = node->first; n; n = n->next) {
        size_t key = 0;
        while (strcmp(sampling_keys[key], n->key) != 0)
            key++;
        if (taken[key] && !(s->sampler->keys & taken[key]))
            return carom_study_fail(ctx, &n->key_place, "`sampling: %s` takes no '%s'", s->sampler->name, n->key);
        double number = 0;
        if (key == KEY_COUNT)
            CAROM_TRY(read_whole(s, n, 1, CAROM_STUDY_RUNS, &number));
        else if (key == KEY_SEED)
            CAROM_TRY(read_whole(s, n, 0, 0x1p53, &number));
        else if (key == KEY_LEVELS)
            CAROM_TRY(read_whole(s, n, 2, 1000, &number));
        if (key == KEY_COUNT)
            s->design.count = (size_t)number;
        else if (key == KEY_SEED)
            s->design.seed = (uint64_t)number;
        else if (key == KEY_LEVELS)
            s->design.levels = (size_t)number;
    }
    return CAROM_OK;
}

/* A value that stands twice would be a run that is made twice. */
static carom_status check_distinct(const carom_study *s, const carom_study_side *side)
{
    if (side->count > 10000)
        return CAROM_OK;
    for (size_t k = 1; k < side->count; k++)
        for (size_t i = 0; i < k; i++)
            if (side->words ? strcmp(side->words[i], side->words[k]) == 0 : side->numbers[i] == side->numbers[k])
                return carom_study_fail(s->arena.ctx, &side->place, "parameter '%s' has its value %zu twice",
                                        side->name, i + 1);
    return CAROM_OK;
}

/* What the parameters have to be for the sampler. */
static carom_status check_sides(const carom_study *s)
{
    carom_context *ctx = s->arena.ctx;
    const carom_sampler *sampler = s->sampler;
    for (size_t k = 0; k < s->side_count; k++) {
        const carom_study_side *side = &s->sides[k];
        if (sampler->needs_values && side->count == 0)
            return carom_study_fail(ctx, &side->place,
                                    "parameter '%s' is a range, and `sampling: %s` takes values: give its `count` or "
                                    "`step`, or another sampling such as `sampling: {type: sobol, count: 256}`",
                                    side->name, sampler->name);
        if (sampler->distinct)
            CAROM_TRY(check_distinct(s, side));
        if (sampler->needs_ranges && (side->count > 0 || side->normal))
            return carom_study_fail(ctx, &side->place, "`sampling: %s` takes ranges: give `from` and `to` of '%s'%s",
                                    sampler->name, side->name, side->count > 0 ? " alone" : "");
    }
    if (sampler->columns * s->side_count > CAROM_SOBOL_SIDES)
        return carom_study_fail(ctx, NULL, "%s: %zu parameters; `sampling: %s` takes at most %zu", s->file,
                                s->side_count, sampler->name, CAROM_SOBOL_SIDES / sampler->columns);
    return CAROM_OK;
}

carom_status carom_study_read_sampling(carom_study *s, const carom_node *node, const carom_place *place)
{
    carom_context *ctx = s->arena.ctx;
    carom_design *d = &s->design;
    s->sampler = carom_sampler_find("grid");
    if (node && node->type == CAROM_NODE_SCALAR)
        CAROM_TRY(find_sampler(s, node));
    d->seed = (uint64_t)-1;
    if (node && node->type == CAROM_NODE_MAPPING)
        CAROM_TRY(read_keys(s, node));
    else if (node && node->type == CAROM_NODE_LIST)
        return carom_study_fail(ctx, &node->place, "'sampling' takes the name of a sampler");
    if (d->seed == (uint64_t)-1) /* those of a sequence are the plain ones */
        d->seed = s->sampler->columns ? 0 : 1;
    if (d->count == 0)
        d->count = s->sampler->count;
    if (d->levels == 0)
        d->levels = s->sampler->levels;
    CAROM_TRY(check_sides(s));
    size_t *values = carom_arena_alloc(&s->arena, s->side_count, sizeof *values);
    if (!values)
        return carom_fail_memory(ctx);
    for (size_t k = 0; k < s->side_count; k++)
        values[k] = s->sides[k].count;
    d->arena = &s->arena;
    d->dimension = s->side_count;
    d->values = values;
    const carom_place *at = node ? &node->place : place;
    const char *wrong = s->sampler->count_runs(d);
    if (wrong)
        return carom_study_fail(ctx, at, "%s", wrong);
    if (!(d->runs <= CAROM_STUDY_RUNS))
        return carom_study_fail(ctx, at,
                                "the study has %.4g runs; at most %d are allowed: give fewer values, or sample by "
                                "`sampling: {type: sobol, count: 1024}`",
                                d->runs, CAROM_STUDY_RUNS);
    s->runs = (size_t)d->runs;
    return s->sampler->prepare ? s->sampler->prepare(d) : CAROM_OK;
}
