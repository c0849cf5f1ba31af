/* The warnings of a checkpoint. */
#include "sim/checkpoint/checkpoint.h"

#include <string.h>

/* A warning without its texts, which stand behind it: what is wrong, and the whole line. */
typedef struct warning_bytes {
    int32_t code, rule, first, contact, points, also[2], others;
    uint64_t body, line;        /* lengths, with their NUL */
} warning_bytes;

static size_t text_size(const char *text) { return strlen(text) + 1; }

size_t carom_checkpoint_warning_bytes(const carom_simulation *sim)
{
    size_t bytes = 0;
    for (size_t k = 0; k < sim->warning_count; k++)
        bytes += sizeof(warning_bytes) + text_size(sim->warnings[k].body) + text_size(sim->warning_texts[k]);
    return bytes;
}

void carom_checkpoint_put_warnings(const carom_simulation *sim, unsigned char *to)
{
    for (size_t k = 0; k < sim->warning_count; k++) {
        const carom_warning *w = &sim->warnings[k];
        const warning_bytes out = {(int32_t)w->code,
                                   w->rule,
                                   w->first,
                                   w->contact,
                                   w->points,
                                   {w->also[0], w->also[1]},
                                   w->others,
                                   text_size(w->body),
                                   text_size(sim->warning_texts[k])};
        memcpy(to, &out, sizeof out);
        memcpy(to + sizeof out, w->body, out.body);
        memcpy(to + sizeof out + out.body, sim->warning_texts[k], out.line);
        to += sizeof out + out.body + out.line;
    }
}

/* Whether an index of a contact is one, or -1. */
static bool is_contact(const carom_simulation *sim, int index)
{
    return index >= -1 && index < sim->model->contact_count;
}

static bool fits(const carom_simulation *sim, const warning_bytes *w)
{
    return w->code >= 0 && w->code < CAROM_WARN_COUNT && is_contact(sim, w->first) && is_contact(sim, w->contact) &&
           (w->first < 0) == (w->contact < 0) && w->others >= 0 && w->points >= 0 &&
           (w->others == 0 || w->contact >= 0) &&
           (w->others < 1 || (w->also[0] >= 0 && is_contact(sim, w->also[0]))) &&
           (w->others < 2 || (w->also[1] >= 0 && is_contact(sim, w->also[1])));
}

/* The text of so many bytes at the front of what is left; NULL: there is none. */
static const char *take_text(carom_simulation *sim, const unsigned char **bytes, size_t *left, uint64_t size,
                             carom_status *status)
{
    if (size == 0 || size > *left || (*bytes)[size - 1] || memchr(*bytes, 0, (size_t)size - 1)) {
        *status = carom_fail(sim->ctx, CAROM_ERROR_IO, NULL, "the checkpoint holds a warning that is none");
        return NULL;
    }
    const char *text = carom_arena_text(&sim->arena, (const char *)*bytes);
    *bytes += size;
    *left -= (size_t)size;
    if (!text)
        *status = carom_fail_memory(sim->ctx);
    return text;
}

carom_status carom_checkpoint_read_warnings(carom_simulation *sim, const unsigned char *bytes, size_t size,
                                            size_t count, carom_checkpoint_warnings *out)
{
    carom_status status = CAROM_OK;
    if (count > size / sizeof(warning_bytes))
        return carom_fail(sim->ctx, CAROM_ERROR_IO, NULL, "the checkpoint is damaged or truncated");
    CAROM_TRY(carom_grow(sim->ctx, &out->list, &out->capacity, count, sizeof *out->list));
    CAROM_TRY(carom_grow(sim->ctx, &out->texts, &out->text_capacity, count, sizeof *out->texts));
    for (size_t k = 0; k < count && status == CAROM_OK; k++) {
        warning_bytes w = {.code = -1};
        if (size >= sizeof w)
            memcpy(&w, bytes, sizeof w);
        if (!fits(sim, &w))
            return carom_fail(sim->ctx, CAROM_ERROR_IO, NULL, "the checkpoint holds a warning that is none");
        bytes += sizeof w;
        size -= sizeof w;
        const char *body = take_text(sim, &bytes, &size, w.body, &status);
        const char *line = body ? take_text(sim, &bytes, &size, w.line, &status) : NULL;
        out->texts[k] = line;
        out->list[k] = (carom_warning){(carom_warning_code)w.code, w.rule, w.first, w.contact, w.points,
                                       {w.also[0], w.also[1]}, w.others, body};
    }
    out->count = count;
    return status == CAROM_OK && size
               ? carom_fail(sim->ctx, CAROM_ERROR_IO, NULL, "the checkpoint is damaged or truncated")
               : status;
}

void carom_checkpoint_drop_warnings(carom_simulation *sim, carom_checkpoint_warnings *w)
{
    carom_release(sim->ctx, w->list, w->capacity, sizeof *w->list);
    carom_release(sim->ctx, w->texts, w->text_capacity, sizeof *w->texts);
}

void carom_checkpoint_take_warnings(carom_simulation *sim, carom_checkpoint_warnings *w)
{
    carom_release(sim->ctx, sim->warnings, sim->warning_capacity, sizeof *sim->warnings);
    carom_release(sim->ctx, sim->warning_texts, sim->text_capacity, sizeof *sim->warning_texts);
    sim->warnings = w->list;
    sim->warning_texts = w->texts;
    sim->warning_count = w->count;
    sim->warning_capacity = w->capacity;
    sim->text_capacity = w->text_capacity;
}
