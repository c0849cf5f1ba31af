/* Words, paths and calls in the texts of quantities. */
#include "study/mentions.h"

#include <stdlib.h>
#include <string.h>

const carom_reduction carom_reductions[] = {
#define CAROM_REDUCTION(id, name, arguments, time, rows, least, most, text) \
    {name, arguments, text, time, rows, least, most, CAROM_REDUCTION_##id},
#include "study/reductions.def"
#undef CAROM_REDUCTION
};

const carom_reduction *carom_reduction_find(const char *name, size_t length)
{
    for (size_t k = 0; k < CAROM_COUNT(carom_reductions); k++)
        if (strlen(carom_reductions[k].name) == length && memcmp(carom_reductions[k].name, name, length) == 0)
            return &carom_reductions[k];
    return NULL;
}

/* ---- characters ---- */

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n'; }

size_t carom_mention_number(const char *text, size_t at)
{
    while (carom_is_digit_of_text(text[at]) || text[at] == '.')
        at++;
    if (text[at] == 'e' || text[at] == 'E') {
        const size_t digits = at + 1 + (text[at + 1] == '+' || text[at + 1] == '-');
        if (carom_is_digit_of_text(text[digits]))
            for (at = digits; carom_is_digit_of_text(text[at]);)
                at++;
    }
    return at;
}

static size_t skip_word(const char *text, size_t at)
{
    while (carom_is_letter_of_text(text[at]) || carom_is_digit_of_text(text[at]))
        at++;
    return at;
}

size_t carom_mention_blanks(const char *text, size_t at)
{
    while (is_blank(text[at]))
        at++;
    return at;
}

bool carom_mention_is(const char *text, size_t at, size_t end, const char *word)
{
    return strlen(word) == end - at && memcmp(text + at, word, end - at) == 0;
}

/* ---- what stands at a word ---- */

static bool is_list_name(const char *text, size_t at, size_t end)
{
    return carom_mention_is(text, at, end, "impacts") || carom_mention_is(text, at, end, "rests");
}

/* "[2]", "[hit]" or "[hit, -1]" at a bracket; false if it is none of these. */
static bool read_bracket(const char *text, size_t at, mention *m)
{
    at = carom_mention_blanks(text, at + 1);
    if (carom_is_letter_of_text(text[at])) {
        m->has_contact = true;
        m->contact = at;
        while (carom_is_letter_of_text(text[at]) || carom_is_digit_of_text(text[at]) || text[at] == '-' ||
               text[at] == '.')
            at++;
        m->contact_end = at;
        at = carom_mention_blanks(text, at);
        if (text[at] == ',')
            at = carom_mention_blanks(text, at + 1);
        else if (text[at] != ']')
            return false;
    }
    if (text[at] != ']') {
        char *end;
        if (!carom_is_digit_of_text(text[at]) && text[at] != '-')
            return false;
        m->has_row = true;
        m->row = strtol(text + at, &end, 10);
        at = carom_mention_blanks(text, (size_t)(end - text));
    }
    m->end = at + 1;
    return text[at] == ']' && (m->has_contact || m->has_row);
}

/* A path of channels, of which some families have no objects. */
static size_t skip_path(const char *text, size_t at, size_t head_end)
{
    return carom_path_end(text, head_end + 1, !carom_path_is_plain(text + at, head_end - at), NULL);
}

/* What begins at a letter. A bracket that cannot be read is an element without row, which is refused later. */
mention carom_mention_at(const char *text, size_t at)
{
    mention m = {.head_end = skip_word(text, at)};
    m.end = m.head_end;
    const bool list = is_list_name(text, at, m.head_end);
    if (text[m.head_end] == '[') {
        if (!read_bracket(text, m.head_end, &m)) {
            m.type = ELEMENT;
            m.has_row = false;
            return m;
        }
        const bool dotted = text[m.end] == '.' && carom_is_letter_of_text(text[m.end + 1]);
        m.type = !list ? CELL : m.has_row ? ELEMENT : dotted ? ROW_COLUMN : ROW_LIST;
        if (dotted) {
            m.field = m.end + 1;
            m.end = m.field_end = skip_word(text, m.field);
        }
        return m;
    }
    if (text[m.head_end] == '.' && (carom_is_letter_of_text(text[m.head_end + 1]))) {
        m.end = skip_path(text, at, m.head_end);
        m.field = m.head_end + 1;
        m.field_end = m.end;
        m.type = list                                               ? ROW_COLUMN
                 : carom_mention_is(text, at, m.head_end, "ledger") ? LEDGER
                 : carom_mention_is(text, at, m.head_end, "value")  ? VALUE
                                                                    : CHANNEL;
        return m;
    }
    const size_t open = carom_mention_blanks(text, m.head_end);
    if (text[open] == '(') {
        m.type = CALL;
        m.end = open;
        m.call = carom_reduction_find(text + at, m.head_end - at);
        return m;
    }
    m.type = list ? ROW_LIST : NOTHING;
    return m;
}

/* End of an argument: its comma or parenthesis, or the end of the text. */
static size_t argument_end(const char *text, size_t at, size_t end)
{
    int depth = 0;
    for (; at < end; at++) {
        if (text[at] == '(' || text[at] == '[')
            depth++;
        if (depth == 0 && (text[at] == ',' || text[at] == ')'))
            break;
        if (text[at] == ')' || text[at] == ']')
            depth--;
    }
    return at;
}

/* Places of the arguments of a call whose '(' is at `open`: begin and end of each; the place behind ')'. */
size_t carom_mention_arguments(const char *text, size_t open, size_t end, size_t arguments[][2], size_t *count)
{
    size_t at = open + 1;
    *count = 0;
    for (;;) {
        const size_t stop = argument_end(text, at, end);
        if (*count < CAROM_EXPR_ARGUMENTS_READ)
            arguments[*count][0] = at, arguments[*count][1] = stop;
        (*count)++;
        if (stop >= end || text[stop] == ')')
            return stop < end ? stop + 1 : end;
        at = stop + 1;
    }
}

/* The first argument of a call, of which it makes one number, and the place behind the call; false: max(a, b) of two
   is one of the expression language. */
static bool has_series(const char *text, const mention *m, size_t end, size_t series[2], size_t *behind)
{
    size_t arguments[CAROM_EXPR_ARGUMENTS_READ][2], count;
    *behind = carom_mention_arguments(text, m->end, end, arguments, &count);
    memcpy(series, arguments[0], sizeof arguments[0]);
    return count != 2 || (m->call->id != CAROM_REDUCTION_MAX && m->call->id != CAROM_REDUCTION_MIN);
}

/* max(t, a, b) and min(t, a, b) are those of the expression language. */
static bool is_reduced(const carom_reduction *call, unsigned found)
{
    const bool extreme = call->id == CAROM_REDUCTION_MAX || call->id == CAROM_REDUCTION_MIN;
    return (extreme ? found & ~(unsigned)READS_TIME : found) != 0;
}

/* What a part of a text reads of the course of a run, outside of what becomes one number by itself. Each part is read
   once, however deep calls are nested. */
static unsigned reads(const char *text, size_t at, size_t end)
{
    unsigned found = 0;
    while (at < end) {
        if (carom_is_digit_of_text(text[at])) {
            at = carom_mention_number(text, at);
        } else if (carom_is_letter_of_text(text[at])) {
            const mention m = carom_mention_at(text, at);
            size_t next = m.type == CALL ? m.end + 1 : m.end, series[2], behind;
            if (m.type == CALL && m.call && has_series(text, &m, end, series, &behind)) {
                const unsigned inside = reads(text, series[0], series[1]);
                next = is_reduced(m.call, inside) ? behind : series[1];
                found |= is_reduced(m.call, inside) ? 0 : inside;
            }
            found |= m.type == CHANNEL                                             ? READS_CHANNEL
                     : m.type == ROW_COLUMN || m.type == ROW_LIST                  ? READS_ROWS
                     : m.type == NOTHING && carom_mention_is(text, at, m.end, "t") ? READS_TIME
                                                                                   : 0;
            at = next > at ? next : at + 1;
        } else {
            at++;
        }
    }
    return found;
}

unsigned carom_mention_reduces(const char *text, const mention *m, size_t end)
{
    size_t series[2], behind;
    const unsigned found = has_series(text, m, end, series, &behind) ? reads(text, series[0], series[1]) : 0;
    return is_reduced(m->call, found) ? found : 0;
}
