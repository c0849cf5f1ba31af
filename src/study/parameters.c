/* The parameters of a study: lists, ranges and distributions. */
#include "math/distributions.h"
#include "study/study.h"

#include <math.h>
#include <stdio.h>

#define MOST_VALUES 1000000

carom_status carom_study_number(carom_study *s, const carom_node *node, double *out)
{
    carom_context *ctx = s->arena.ctx;
    if (node->type != CAROM_NODE_SCALAR)
        return carom_study_fail(ctx, &node->place, "'%s' takes a number", node->key ? node->key : "a value");
    const carom_expr_scope scope = {.names = NULL};
    return carom_expr_number(ctx, &scope, node->text, &node->place, out);
}

/* ---- lists ---- */

static bool is_word(const char *text)
{
    if (!((text[0] >= 'a' && text[0] <= 'z') || (text[0] >= 'A' && text[0] <= 'Z')))
        return false;
    for (const char *c = text; *c; c++)
        if (!((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') || *c == '_' ||
              *c == '-'))
            return false;
    return !carom_expr_is_reserved(text);
}

/* A value between its quotes in [a, b] is as one without: the model gives a scalar its type. */
static carom_status read_values(carom_study *s, carom_study_side *side, const carom_node *list)
{
    carom_context *ctx = s->arena.ctx;
    if (list->type != CAROM_NODE_LIST || list->count == 0)
        return carom_study_fail(ctx, &list->place, "parameter '%s' has no values: give a list such as [0.3, 0.5, 0.7]",
                                side->name);
    double *numbers = carom_arena_alloc(&s->arena, list->count, sizeof *numbers);
    const char **texts = carom_arena_alloc(&s->arena, list->count, sizeof *texts);
    if (!numbers || !texts)
        return carom_fail_memory(ctx);
    size_t words = 0;
    for (const carom_node *n = list->first; n; n = n->next) {
        if (n->type != CAROM_NODE_SCALAR || !n->text[0])
            return carom_study_fail(ctx, &n->place, "a value of '%s' is a number or a word", side->name);
        const bool word = is_word(n->text);
        if (side->count > 0 && (words > 0) != word)
            return carom_study_fail(ctx, &n->place, "the values of '%s' are numbers or words, not both", side->name);
        words += word;
        texts[side->count] = n->text;
        if (!word)
            CAROM_TRY(carom_study_number(s, n, &numbers[side->count]));
        side->count++;
    }
    if (words)
        side->words = texts;
    else
        side->texts = texts;
    side->numbers = numbers;
    return CAROM_OK;
}

/* ---- ranges ---- */

/* Values of a range: as many as `count`, or from `low` by `step`. */
static carom_status spread(carom_study *s, carom_study_side *side, const carom_node *count_node,
                           const carom_node *step_node)
{
    carom_context *ctx = s->arena.ctx;
    const carom_node *node = count_node ? count_node : step_node;
    double given = 0;
    CAROM_TRY(carom_study_number(s, node, &given));
    double count = given;
    if (step_node) {
        if (!(given > 0))
            return carom_study_fail(ctx, &node->place, "'step' of '%s' is greater than 0, not %g", side->name, given);
        if (side->log)
            return carom_study_fail(ctx, &node->place, "with `scale: log` give `count`, not `step`");
        count = floor((side->high - side->low) / given + 1e-9) + 1;
    }
    if (!(count >= 1) || count != floor(count))
        return carom_study_fail(ctx, &node->place, "'count' of '%s' is a whole number from 1 on, not %g", side->name,
                                count);
    if (count > MOST_VALUES)
        return carom_study_fail(ctx, &node->place, "'%s' has %.4g values; at most %d are allowed", side->name, count,
                                MOST_VALUES);
    double *numbers = carom_arena_alloc(&s->arena, (size_t)count, sizeof *numbers);
    if (!numbers)
        return carom_fail_memory(ctx);
    side->count = (size_t)count;
    for (size_t k = 0; k < side->count; k++) {
        const double part = count > 1 ? (double)k / (count - 1) : 0;
        const double value = step_node   ? side->low + (double)k * given
                             : side->log ? side->low * pow(side->high / side->low, part)
                                         : side->low + part * (side->high - side->low);
        char text[40];
        snprintf(text, sizeof text, "%.15g", value);
        /* 0.3 and not 0.30000000000000004 */
        if (!carom_parse_number(text, strlen(text), &numbers[k]))
            numbers[k] = value;
    }
    side->numbers = numbers;
    return CAROM_OK;
}

static const char *const side_keys[] = {"from", "to", "count", "step", "scale", "mean", "sd", "values"};
enum { KEY_FROM, KEY_TO, KEY_COUNT, KEY_STEP, KEY_SCALE, KEY_MEAN, KEY_SD, KEY_VALUES, KEYS };

static carom_status read_normal(carom_study *s, carom_study_side *side, const carom_node *node,
                                const carom_node *const found[])
{
    carom_context *ctx = s->arena.ctx;
    if (!found[KEY_MEAN] || !found[KEY_SD])
        return carom_study_fail(ctx, &node->place, "parameter '%s': a normal distribution has `mean` and `sd`",
                                side->name);
    for (int k = 0; k < KEYS; k++)
        if (found[k] && k != KEY_MEAN && k != KEY_SD)
            return carom_study_fail(ctx, &found[k]->key_place, "'%s' does not go with `mean` and `sd`", side_keys[k]);
    CAROM_TRY(carom_study_number(s, found[KEY_MEAN], &side->mean));
    CAROM_TRY(carom_study_number(s, found[KEY_SD], &side->deviation));
    if (!(side->deviation > 0))
        return carom_study_fail(ctx, &found[KEY_SD]->place, "'sd' of '%s' is greater than 0, not %g", side->name,
                                side->deviation);
    side->normal = true;
    side->low = side->mean - 2 * side->deviation;
    side->high = side->mean + 2 * side->deviation;
    side->low_text = side->high_text = found[KEY_MEAN]->text;
    return CAROM_OK;
}

static carom_status read_range(carom_study *s, carom_study_side *side, const carom_node *node,
                               const carom_node *const found[])
{
    carom_context *ctx = s->arena.ctx;
    if (!found[KEY_FROM] || !found[KEY_TO])
        return carom_study_fail(ctx, &node->place, "parameter '%s': a range has `from` and `to`", side->name);
    CAROM_TRY(carom_study_number(s, found[KEY_FROM], &side->low));
    CAROM_TRY(carom_study_number(s, found[KEY_TO], &side->high));
    side->low_text = found[KEY_FROM]->text;
    side->high_text = found[KEY_TO]->text;
    if (found[KEY_SCALE]) {
        const char *scale = found[KEY_SCALE]->type == CAROM_NODE_SCALAR ? found[KEY_SCALE]->text : "";
        side->log = strcmp(scale, "log") == 0;
        if (!side->log && strcmp(scale, "linear") != 0)
            return carom_study_fail(ctx, &found[KEY_SCALE]->place, "'scale' is linear or log, not '%.40s'", scale);
    }
    if (!(side->low < side->high))
        return carom_study_fail(ctx, &found[KEY_TO]->place,
                                "parameter '%s': the range from %g to %g is empty; `from` is less than `to`",
                                side->name, side->low, side->high);
    if (side->log && !(side->low > 0))
        return carom_study_fail(ctx, &found[KEY_FROM]->place, "with `scale: log` 'from' of '%s' is greater than 0",
                                side->name);
    if (found[KEY_COUNT] && found[KEY_STEP])
        return carom_study_fail(ctx, &found[KEY_STEP]->key_place, "give `count` or `step` of '%s', not both",
                                side->name);
    if (found[KEY_COUNT] || found[KEY_STEP])
        return spread(s, side, found[KEY_COUNT], found[KEY_STEP]);
    return CAROM_OK;
}

static carom_status read_mapping(carom_study *s, carom_study_side *side, const carom_node *node)
{
    carom_context *ctx = s->arena.ctx;
    const carom_node *found[KEYS] = {NULL};
    for (const carom_node *n = node->first; n; n = n->next) {
        int key = 0;
        while (key < KEYS && strcmp(side_keys[key], n->key) != 0)
            key++;
        if (key == KEYS) {
            char owner[96];
            snprintf(owner, sizeof owner, "parameter '%.63s'", side->name);
            return carom_fail_unknown(ctx, &n->key_place, owner, "key", n->key, side_keys, KEYS);
        }
        found[key] = n;
    }
    if (found[KEY_VALUES]) {
        for (int k = 0; k < KEYS; k++)
            if (found[k] && k != KEY_VALUES)
                return carom_study_fail(ctx, &found[k]->key_place, "'%s' does not go with `values`", side_keys[k]);
        return read_values(s, side, found[KEY_VALUES]);
    }
    if (found[KEY_MEAN] || found[KEY_SD])
        return read_normal(s, side, node, found);
    return read_range(s, side, node, found);
}

/* "0.3:0.9:0.2", as `carom compare --vary` takes it. */
static carom_status read_colons(carom_study *s, carom_study_side *side, const carom_node *node)
{
    carom_context *ctx = s->arena.ctx;
    const char *first = strchr(node->text, ':'), *second = first ? strchr(first + 1, ':') : NULL;
    if (!second || strchr(second + 1, ':'))
        return carom_study_fail(ctx, &node->place,
                                "parameter '%s' takes a list, [0.3, 0.5], a range, {from: 0.3, to: 0.9, count: 4}, or "
                                "first:last:step; a fixed value belongs to `set`",
                                side->name);
    carom_node parts[3] = {{.type = CAROM_NODE_SCALAR}, {.type = CAROM_NODE_SCALAR}, {.type = CAROM_NODE_SCALAR}};
    parts[0].text = carom_arena_text_n(&s->arena, node->text, (size_t)(first - node->text));
    parts[1].text = carom_arena_text_n(&s->arena, first + 1, (size_t)(second - first - 1));
    parts[2].text = second + 1;
    const carom_node *found[KEYS] = {[KEY_FROM] = &parts[0], [KEY_TO] = &parts[1], [KEY_STEP] = &parts[2]};
    for (int k = 0; k < 3; k++) {
        parts[k].place = node->place;
        if (!parts[k].text)
            return carom_fail_memory(ctx);
    }
    return read_range(s, side, node, found);
}

carom_status carom_study_read_sides(carom_study *s, const carom_node *node)
{
    carom_context *ctx = s->arena.ctx;
    if (node->type != CAROM_NODE_MAPPING || node->count == 0)
        return carom_study_fail(ctx, &node->place, "'parameters' names what varies: `e: [0.3, 0.5, 0.7]`");
    if (node->count > CAROM_STUDY_PARAMETERS)
        return carom_study_fail(ctx, &node->place, "%zu parameters vary; at most %d are allowed", node->count,
                                CAROM_STUDY_PARAMETERS);
    s->sides = carom_arena_alloc(&s->arena, node->count, sizeof *s->sides);
    if (!s->sides)
        return carom_fail_memory(ctx);
    for (const carom_node *n = node->first; n; n = n->next) {
        carom_study_side *side = &s->sides[s->side_count++];
        *side = (carom_study_side){.name = n->key, .place = n->key_place};
        if (!is_word(n->key) || strchr(n->key, '-') || strlen(n->key) > CAROM_STUDY_NAME)
            return carom_study_fail(ctx, &n->key_place, "'%.80s' cannot be the name of a parameter", n->key);
        if (n->type == CAROM_NODE_LIST)
            CAROM_TRY(read_values(s, side, n));
        else if (n->type == CAROM_NODE_MAPPING)
            CAROM_TRY(read_mapping(s, side, n));
        else
            CAROM_TRY(read_colons(s, side, n));
    }
    return CAROM_OK;
}

/* ---- values ---- */

double carom_study_side_value(const carom_study_side *side, double coordinate)
{
    if (side->count > 0) {
        const double place = floor(coordinate * (double)side->count);
        const size_t k = place < (double)side->count ? (size_t)place : side->count - 1;
        return side->words ? (double)k : side->numbers[k];
    }
    if (side->normal)
        return side->mean + side->deviation * carom_normal_quantile(coordinate);
    if (side->log)
        return side->low * pow(side->high / side->low, coordinate);
    return side->low + coordinate * (side->high - side->low);
}
