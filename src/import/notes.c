/* What an import did not take over, or found strange. */
#include "base/warnings.h"
#include "import/robot.h"

#include <stdio.h>

static carom_status keep(carom_robot *robot, const carom_place *place, bool ignored, const char *format, va_list args)
{
    char text[CAROM_ERROR_TEXT / 2];
    vsnprintf(text, sizeof text, format, args);
    CAROM_TRY(
        carom_grow(robot->ctx, &robot->notes, &robot->note_capacity, robot->note_count + 1, sizeof *robot->notes));
    carom_import_note note = {carom_arena_text(robot->arena, text), *place, ignored};
    if (!note.text)
        return carom_fail_memory(robot->ctx);
    robot->notes[robot->note_count++] = note;
    return CAROM_OK;
}

carom_status carom_import_ignore(carom_robot *robot, const carom_place *place, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    carom_status status = keep(robot, place, true, format, args);
    va_end(args);
    return status;
}

carom_status carom_import_warn(carom_robot *robot, const carom_place *place, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    carom_status status = keep(robot, place, false, format, args);
    va_end(args);
    return status;
}

/* Whether an element stands in the defaults of MJCF, which may be there for nothing. */
static bool is_default(const carom_xml *e)
{
    while (e && strcmp(e->name, "default") != 0)
        e = e->parent;
    return e != NULL;
}

static carom_status note_unread(carom_robot *robot, const carom_xml *e, const char *attribute, const char *why)
{
    char text[200];
    if (attribute)
        snprintf(text, sizeof text, "'%.60s' of <%.60s>", attribute, e->name);
    else
        snprintf(text, sizeof text, "<%.60s>", e->name);
    if (!why && is_default(e))
        why = "nothing takes this default";
    return carom_import_ignore(robot, &e->place, "%s is ignored%s%s", text, why ? ": " : "", why ? why : "");
}

carom_status carom_import_unread(carom_robot *robot, carom_xml *root,
                                 const char *(*reason)(const char *element, const char *attribute))
{
    for (carom_xml *e = root; e;) {
        if (!e->used) {
            CAROM_TRY(note_unread(robot, e, NULL, reason(e->name, NULL)));
        } else {
            for (const carom_xml_attribute *a = e->attributes; a; a = a->next)
                if (!a->used && strncmp(a->name, "xmlns", 5) != 0)
                    CAROM_TRY(note_unread(robot, e, a->name, reason(e->name, a->name)));
        }
        if (e->used && e->first) {
            e = e->first;
            continue;
        }
        while (e && e != root && !e->next)
            e = e->parent;
        e = !e || e == root ? NULL : e->next;
    }
    return CAROM_OK;
}

/* The lines of all notes that say the same, in one line of the log. */
static carom_status tell_one(carom_robot *robot, size_t first, bool *told)
{
    const carom_import_note *note = &robot->notes[first];
    carom_text lines = {.ctx = robot->ctx};
    size_t count = 0;
    for (size_t k = first; k < robot->note_count; k++) {
        if (told[k] || strcmp(robot->notes[k].text, note->text) != 0)
            continue;
        told[k] = true;
        if (count++ < 12)
            carom_text_append(&lines, "%s%d", count > 1 ? "," : "", robot->notes[k].place.line);
    }
    if (count > 12)
        carom_text_append(&lines, ",... (%zu)", count);
    const bool failed = lines.failed;
    if (!failed)
        carom_log_warning(robot->ctx, CAROM_WARN_NOT_TAKEN, "%.900s:%s: %s", note->place.file, lines.data, note->text);
    carom_text_clear(&lines);
    return failed ? carom_fail_memory(robot->ctx) : CAROM_OK;
}

carom_status carom_import_tell(carom_robot *robot)
{
    for (size_t k = 0; robot->def->strict && k < robot->note_count; k++)
        if (robot->notes[k].ignored)
            return carom_fail(robot->ctx, CAROM_ERROR_MODEL, &robot->notes[k].place,
                              "%s; remove it, or import without `strict`", robot->notes[k].text);
    bool *told = carom_arena_alloc(robot->arena, robot->note_count, sizeof *told);
    if (!told)
        return carom_fail_memory(robot->ctx);
    size_t lines = 0;
    for (size_t k = 0; k < robot->note_count; k++)
        if (!told[k] && lines++ < 200)
            CAROM_TRY(tell_one(robot, k, told));
    return CAROM_OK;
}
