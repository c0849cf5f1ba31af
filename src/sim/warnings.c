/* Warnings of a run. */
#include "sim/warnings.h"
#include "kinds/shape/shape.h"
#include "sim/sim.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- whom one is about ---- */

int carom_contact_name_length(const carom_model *m, int contact)
{
    const char *name = m->contacts[contact].name, *dot = strrchr(name, '.');
    const bool several = carom_contact_points(m, contact - m->contacts[contact].point) > 1;
    return dot && several ? (int)(dot - name) : (int)strlen(name);
}

/* "contacts 'a' and 'b': ", or "contacts 'a', 'b' and 3 others: ". */
static void put_subjects(const carom_model *m, const carom_warning *w, char *text, size_t size)
{
    const char *first = m->contacts[w->contact].name, *second = m->contacts[w->also[0]].name;
    const int lengths[2] = {carom_contact_name_length(m, w->contact), carom_contact_name_length(m, w->also[0])};
    if (w->others == 1)
        snprintf(text, size, "contacts '%.*s' and '%.*s': ", lengths[0], first, lengths[1], second);
    else if (w->others == 2)
        snprintf(text, size, "contacts '%.*s', '%.*s' and '%.*s': ", lengths[0], first, lengths[1], second,
                 carom_contact_name_length(m, w->also[1]), m->contacts[w->also[1]].name);
    else
        snprintf(text, size, "contacts '%.*s', '%.*s' and %d others: ", lengths[0], first, lengths[1], second,
                 w->others - 1);
}

/* "contact 'box', corner x- y+ z-: ", or "contact 'box', 3 of its 8 corners: ". */
static void put_subject(const carom_simulation *sim, const carom_warning *w, char *text, size_t size)
{
    const carom_model *m = sim->model;
    if (w->others > 0) {
        put_subjects(m, w, text, size);
        return;
    }
    const carom_model_contact *c = &m->contacts[w->contact];
    const carom_model_shape *i = &m->shapes[c->shape_i], *j = &m->shapes[c->shape_j];
    const int count = carom_contact_points(m, w->first), length = carom_contact_name_length(m, w->contact);
    char point[120] = "";
    if (count > 1 && w->points == 1 && c->pair->point_name)
        c->pair->point_name(c->swapped ? j->p : i->p, c->swapped ? i->p : j->p, c->point, point, sizeof point);
    else if (count > 1 && w->points == 1)
        snprintf(point, sizeof point, "point %d", c->point + 1);
    else if (count > 1)
        snprintf(point, sizeof point, "%d of its %d %s", w->points, count,
                 c->pair->points_word ? c->pair->points_word : "points");
    snprintf(text, size, "contact '%.*s'%s%s: ", length, c->name, point[0] ? ", " : "", point);
}

/* ---- the list ---- */

static carom_warning_rank rank_of(const carom_warning *w) { return carom_warning_rows[w->code].rank; }

/* Writes the text of a warning. */
static carom_status compose(carom_simulation *sim, size_t index)
{
    char subject[320] = "";
    if (sim->warnings[index].contact >= 0)
        put_subject(sim, &sim->warnings[index], subject, sizeof subject);
    sim->warning_texts[index] = carom_arena_format(&sim->arena, "%s%s [%s]", subject, sim->warnings[index].body,
                                                   carom_warning_rows[sim->warnings[index].code].code);
    return sim->warning_texts[index] ? CAROM_OK : carom_fail_memory(sim->ctx);
}

/* Keeps a warning behind those of its rank and before those of less importance. */
static carom_status keep(carom_simulation *sim, const carom_warning *w, size_t *index)
{
    const size_t count = sim->warning_count + 1;
    CAROM_TRY(carom_grow(sim->ctx, &sim->warnings, &sim->warning_capacity, count, sizeof *sim->warnings));
    CAROM_TRY(carom_grow(sim->ctx, &sim->warning_texts, &sim->text_capacity, count, sizeof *sim->warning_texts));
    carom_warning own = *w;
    own.body = carom_arena_text(&sim->arena, w->body);
    if (!own.body)
        return carom_fail_memory(sim->ctx);
    size_t at = sim->warning_count;
    for (; at > 0 && rank_of(&sim->warnings[at - 1]) > rank_of(w); at--) {
        sim->warnings[at] = sim->warnings[at - 1];
        sim->warning_texts[at] = sim->warning_texts[at - 1];
    }
    sim->warnings[at] = own;
    sim->warning_texts[at] = "";
    sim->warning_count = count;
    *index = at;
    return compose(sim, at);
}

#define LINE 640

/* Whether a warning of a law is told of another contact as well. */
static bool same_law(const carom_simulation *sim, const carom_warning *told, const carom_warning *w)
{
    if (rank_of(told) != CAROM_RANK_LAW || rank_of(w) != CAROM_RANK_LAW || told->contact < 0 || w->contact < 0)
        return false;
    const carom_normal_law *a = &sim->model->contacts[told->contact].law, *b = &sim->model->contacts[w->contact].law;
    return strcmp(a->name, b->name) == 0 &&
           (a->restitution == b->restitution || (isnan(a->restitution) && isnan(b->restitution)));
}

/* Adds a contact to those of a warning, once for all its points: these have the flag of the rule. */
static void add_other(const carom_simulation *sim, carom_warning *told, const carom_warning *w)
{
    for (int k = w->first, count = carom_contact_points(sim->model, w->first); k < w->first + count; k++)
        if (k != w->contact && (sim->s.contact_flags[k] & w->rule))
            return;
    if (told->others < 2)
        told->also[told->others] = w->contact;
    told->others++;
}

static carom_status add(carom_simulation *sim, const carom_warning *w)
{
    size_t index;
    for (size_t k = 0; w->rule && k < sim->warning_count; k++) {
        carom_warning *told = &sim->warnings[k];
        if (told->rule != w->rule || (told->first != w->first && !same_law(sim, told, w)))
            continue;
        if (told->first == w->first)
            told->points++;
        else
            add_other(sim, told, w);
        return compose(sim, k);
    }
    CAROM_TRY(keep(sim, w, &index));
    carom_log(sim->ctx, CAROM_LOG_WARNING, "%s", sim->warning_texts[index]);
    return CAROM_OK;
}

carom_status carom_simulation_warn(carom_simulation *sim, carom_warning_code code, const char *format, ...)
{
    char line[LINE];
    if (sim->muted)
        return CAROM_OK;
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    return add(sim, &(carom_warning){.code = code, .first = -1, .contact = -1, .points = 1, .body = line});
}

/* A line without a file is one of the model; a part of an included file has that one's name before it. */
carom_status carom_simulation_warn_at(carom_simulation *sim, carom_warning_code code, const carom_place *place,
                                      const char *text)
{
    if (place->line > 0 && place->file != sim->model->file)
        return carom_simulation_warn(sim, code, "%s:%d: %s", place->file, place->line, text);
    if (place->line > 0)
        return carom_simulation_warn(sim, code, "line %d: %s", place->line, text);
    return carom_simulation_warn(sim, code, "%s", text);
}

carom_status carom_simulation_warn_part(carom_simulation *sim, carom_warning_code code, const carom_place *place,
                                        const char *what, const char *name, const char *text)
{
    char line[LINE];
    snprintf(line, sizeof line, "%s '%s': %s", what, name, text);
    return carom_simulation_warn_at(sim, code, place, line);
}

carom_status carom_contact_warn(carom_simulation *sim, carom_warning_code code, int rule, int contact,
                                const char *format, ...)
{
    char line[LINE];
    if (sim->muted)
        return CAROM_OK;
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    const int first = contact - sim->model->contacts[contact].point;
    return add(sim, &(carom_warning){
                        .code = code, .rule = rule, .first = first, .contact = contact, .points = 1, .body = line});
}

/* A force is as great as before within this share; and has not turned within this angle [rad]. */
#define AS_GREAT 1e-2
#define NO_TURN 0.02
/* Beyond this one it has come to the other side [rad]. */
#define OTHER_SIDE 2.6

/* What the jump of a force was. */
static void jump_words(const carom_episode *e, char *text, size_t size)
{
    const bool alike = fabs(e->jump[1] - e->jump[0]) <= AS_GREAT * fmax(e->jump[0], e->jump[1]);
    const double degrees = e->jump[2] * 180 / acos(-1);
    const char *side = e->jump[2] > OTHER_SIDE ? ", to the other side" : "";
    if (!(e->jump[2] > NO_TURN) || !(e->jump[0] > 0) || !(e->jump[1] > 0))
        snprintf(text, size, "jumps from %.4g N to %.4g N", e->jump[0], e->jump[1]);
    else if (alike)
        snprintf(text, size, "of %.4g N turns by %.3g degrees%s", e->jump[1], degrees, side);
    else
        snprintf(text, size, "jumps from %.4g N to %.4g N and turns by %.3g degrees%s", e->jump[0], e->jump[1], degrees,
                 side);
}

/* Whether two places of an outline may press at once on what is round: it has an inner corner, or a hollow. */
static bool embraces(const carom_model *m, int shape)
{
    const carom_model_shape *s = &m->shapes[shape];
    return strcmp(carom_shape_surface(s->kind, m->dimension == 2), "curve") == 0 &&
           (carom_curve_sections(s->p) > 1 || s->p[CAROM_CURVE_HOLLOWEST] < 0);
}

carom_status carom_contact_warn_jump(carom_simulation *sim, int contact)
{
    const carom_model_contact *c = &sim->model->contacts[contact];
    const carom_episode *e = &sim->s.located[contact];
    int *flags = &sim->s.contact_flags[contact];
    if (isnan(e->jump[0]) || (*flags & CAROM_REPORTED_JUMP))
        return CAROM_OK;
    char words[120];
    *flags |= CAROM_REPORTED_JUMP;
    jump_words(e, words, sizeof words);
    const bool space = sim->model->dimension == 3;
    return carom_contact_warn(sim, CAROM_WARN_JUMP, CAROM_REPORTED_JUMP, contact,
                              "its force %s at t = %.6g s, where the deepest point passes to another place of %s: %s",
                              words, *sim->s.time, space ? "the surfaces" : "an outline",
                              space ? "round the edge there; where the two touch along a line or a circle, as a ball "
                                      "in a ring, put spheres or capsules in the place of one of them"
                              : embraces(sim->model, c->shape_i) || embraces(sim->model, c->shape_j)
                                  ? "where two sides of an inner corner or hollow press at once, draw each as a shape "
                                    "of its own, such as a segment; else round the corner there"
                                  : "round the corner there, or draw one smooth profile in place of several shapes or "
                                    "sides");
}

carom_status carom_warnings_copy(carom_simulation *to, const carom_simulation *from)
{
    size_t index;
    for (size_t k = 0; k < from->warning_count; k++)
        CAROM_TRY(keep(to, &from->warnings[k], &index));
    return CAROM_OK;
}

const char *const *carom_simulation_warnings(const carom_simulation *sim, size_t *count)
{
    if (!sim)
        return carom_give_none(count);
    carom_give_count(count, sim->warning_count);
    return (const char *const *)sim->warning_texts;
}
