/* Sparklines of channels: extremes in equal parts of the run's time. */
#include "support/live.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/table.h"
#include "support/terminal.h"

#define LEVELS 8
#define LEAST_COLUMNS 10 /* of a sparkline */
#define GOOD_COLUMNS 16  /* of one beside numbers in words */
#define NAME_COLUMNS 36  /* of a channel's name, at most */
#define WORD_COLUMNS 45  /* kept for numbers in words at the end of a line: the value, min and max */
#define SHORT_COLUMNS 36 /* kept for them without words */

/* ---- names ---- */

/* Whether `name` is a column of the channel; *component is 0 for a scalar, -1 for a vector without component. */
static bool matches(const carom_channel *c, const char *name, int *component)
{
    size_t length = strlen(c->name);
    if (strncmp(c->name, name, length) != 0)
        return false;
    *component = c->components ? -1 : 0;
    if (name[length] == '\0')
        return true;
    for (int i = 0; c->components && name[length] == '.' && i < c->size; i++)
        if (strcmp(c->components[i], name + length + 1) == 0) {
            *component = i;
            return true;
        }
    return false;
}

static int unknown_channel(const char *command, const char *name, const carom_channel *channels, size_t count)
{
    size_t column_count = 0, made = 0;
    for (size_t k = 0; k < count; k++)
        column_count += (size_t)channels[k].size;
    char **columns = calloc(column_count + 1, sizeof *columns);
    if (!columns)
        return memory_error();
    for (size_t k = 0; k < count; k++)
        for (int i = 0; i < channels[k].size; i++) {
            const carom_channel *c = &channels[k];
            char *text = c->components ? format_text("%s.%s", c->name, c->components[i]) : format_text("%s", c->name);
            if (text)
                columns[made++] = text;
        }
    const char *nearest = carom_nearest_name(name, (const char *const *)columns, made);
    const char *hint = nearest ? nearest : made > 0 ? columns[0] : NULL;
    int result = hint ? usage_error(command, "--live: the run records no channel '%s'; %s '%s'%s", name,
                                    nearest ? "did you mean" : "it has such as", hint, nearest ? "?" : "")
                      : usage_error(command, "--live: the run records no channels");
    while (made > 0)
        free(columns[--made]);
    free(columns);
    return result;
}

static int vector_channel(const char *command, const carom_channel *c)
{
    char list[256] = "";
    for (int k = 0; k < c->size; k++) {
        size_t length = strlen(list);
        snprintf(list + length, sizeof list - length, "%s%s", k ? ", " : "", c->components[k]);
    }
    return usage_error(command, "--live: channel '%s' has the components %s; name one, as in '%s.%s'", c->name, list,
                       c->name, c->components[0]);
}

/* Finds a column in all groups that have it. */
static int find_channel(live_channel *out, const char *command, const carom_channel *channels, size_t count)
{
    size_t place[LIVE_GROUPS] = {0};
    for (size_t k = 0; k < count; k++) {
        const carom_channel *c = &channels[k];
        int component;
        if (c->group < 0 || c->group >= LIVE_GROUPS)
            continue;
        if (matches(c, out->name, &component)) {
            if (component < 0)
                return vector_channel(command, c);
            out->unit = c->unit;
            out->in[c->group] = true;
            out->place[c->group] = place[c->group] + (size_t)component;
        }
        place[c->group] += (size_t)c->size;
    }
    return out->unit ? EXIT_DONE : unknown_channel(command, out->name, channels, count);
}

int live_open(live_view *view, const char *command, const text_list *names, const carom_channel *channels,
              size_t channel_count, double from, double until)
{
    *view = (live_view){.from = from, .until = until};
    view->channels = calloc(names->count + 1, sizeof *view->channels);
    if (!view->channels)
        return memory_error();
    for (size_t k = 0; k < channel_count; k++)
        if (channels[k].group >= 0 && channels[k].group < LIVE_GROUPS)
            view->width[channels[k].group] += (size_t)channels[k].size;
    for (size_t k = 0; k < names->count; k++) {
        live_channel *c = &view->channels[view->count++];
        *c = (live_channel){.name = names->items[k], .now = (double)NAN, .time = (double)NAN};
        for (int b = 0; b < LIVE_BINS; b++)
            c->bins[b] = (double)NAN;
        int result = find_channel(c, command, channels, channel_count);
        if (result != EXIT_DONE)
            return result;
    }
    return EXIT_DONE;
}

void live_free(live_view *view)
{
    free(view->channels);
    *view = (live_view){0};
}

/* ---- rows ---- */

static int bin_of(const live_view *view, double time)
{
    double span = view->until - view->from;
    double part = span > 0 ? (time - view->from) / span : 0;
    return (int)fmin(LIVE_BINS - 1, fmax(0, floor(part * LIVE_BINS)));
}

static void take_value(live_channel *c, int bin, double time, double value)
{
    if (!isfinite(value))
        return;
    bool first = isnan(c->time);
    c->least = first ? value : fmin(c->least, value);
    c->most = first ? value : fmax(c->most, value);
    if (first || time >= c->time) {
        c->time = time;
        c->now = value;
    }
    if (isnan(c->bins[bin]) || fabs(value) > fabs(c->bins[bin]))
        c->bins[bin] = value;
}

static void take_rows(live_view *view, int group, size_t first, size_t end, const double *time, const double *data)
{
    for (size_t r = first; r < end; r++) {
        int bin = bin_of(view, time[r]);
        const double *row = data + r * view->width[group];
        for (size_t k = 0; k < view->count; k++)
            if (view->channels[k].in[group])
                take_value(&view->channels[k], bin, time[r], row[view->channels[k].place[group]]);
    }
}

void live_take_pending(live_view *view, const carom_simulation *sim)
{
    for (int group = 0; group < LIVE_GROUPS; group++) {
        const double *time, *data;
        size_t rows = carom_simulation_pending_rows(sim, group, &time, &data);
        take_rows(view, group, view->taken[group], rows, time, data);
        view->taken[group] = rows;
    }
}

void live_take(live_view *view, int group, size_t rows, const double *time, const double *data)
{
    if (group < 0 || group >= LIVE_GROUPS)
        return;
    take_rows(view, group, view->taken[group], rows, time, data);
    view->taken[group] = 0;
}

/* ---- lines ---- */

/* Adds the end of a name that is too long. */
static void add_name(text_line *line, const char *name, size_t columns)
{
    size_t width = display_width(name), end = line->columns + columns;
    if (width > columns) {
        line_add(line, "..");
        while (*name && display_width(name) + 2 > columns) {
            name++;
            while (((unsigned char)*name & 0xC0) == 0x80)
                name++;
        }
    }
    line_add(line, "%s", name);
    line_pad(line, end);
}

/* Value of the largest magnitude of the bins in [first, end), the one before where they have no row. */
static double merge_bins(const live_channel *c, int first, int end, double before)
{
    double value = (double)NAN;
    for (int b = first; b < end; b++)
        if (!isnan(c->bins[b]) && !(fabs(c->bins[b]) <= fabs(value)))
            value = c->bins[b];
    return isnan(value) ? before : value;
}

static void add_sparkline(text_line *line, const live_view *view, const live_channel *c, int columns, bool utf8)
{
    static const char *const blocks[LEVELS] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    static const char *const signs[LEVELS] = {" ", ".", ":", "-", "=", "+", "*", "#"};
    double before = (double)NAN, range = c->most - c->least;
    line_add(line, "%s", utf8 ? "▕" : "|");
    size_t end = line->columns + (size_t)columns;
    int last = isnan(c->time) ? -1 : bin_of(view, c->time);
    for (int k = 0; k < columns && k * LIVE_BINS / columns <= last; k++) {
        before = merge_bins(c, k * LIVE_BINS / columns, (k + 1) * LIVE_BINS / columns, before);
        int level = isnan(before) || !(range > 0) ? 0 : (int)(LEVELS * ((before - c->least) / range));
        line_add(line, "%s", isnan(before) ? " " : (utf8 ? blocks : signs)[level < LEVELS ? level : LEVELS - 1]);
    }
    line_pad(line, end);
    line_add(line, "%s", utf8 ? "▏" : "|");
}

void live_line(const live_view *view, size_t channel, bool utf8, text_line *line)
{
    const live_channel *c = &view->channels[channel];
    size_t name = 0, width = line->width, unit = 0;
    for (size_t k = 0; k < view->count; k++) {
        size_t columns = display_width(view->channels[k].name), other = display_width(view->channels[k].unit);
        name = columns > name ? columns : name;
        unit = other > unit ? other : unit;
    }
    name = name > NAME_COLUMNS ? NAME_COLUMNS : name;
    name = name > width / 3 ? width / 3 : name;
    size_t others = name + 4 + unit;
    bool words = width >= others + WORD_COLUMNS + GOOD_COLUMNS;
    others += words ? WORD_COLUMNS : SHORT_COLUMNS;
    size_t columns = width > others + LEAST_COLUMNS ? width - others : LEAST_COLUMNS;
    add_name(line, c->name, name);
    line_add(line, "  ");
    add_sparkline(line, view, c, columns < LIVE_BINS ? (int)columns : LIVE_BINS, utf8);
    if (isnan(c->time)) {
        line_add(line, "  no rows yet");
        return;
    }
    char now[32], least[32], most[32], text[192];
    snprintf(text, sizeof text, words ? "  now %-9s min %s  max %s %s" : "  %-9s [%s, %s] %s",
             short_number(now, c->now, 3), short_number(least, c->least, 3), short_number(most, c->most, 3), c->unit);
    if (line->columns + display_width(text) > width)
        snprintf(text, sizeof text, "  %s %s", now, c->unit);
    line_add(line, "%s", text);
}

void live_print(const live_view *view)
{
    bool utf8 = terminal_is_utf8();
    size_t columns = LINE_BYTES, rows;
    if (terminal_can_draw())
        terminal_size(&columns, &rows);
    for (size_t k = 0; k < view->count; k++) {
        text_line line = {.width = columns - 1};
        live_line(view, k, utf8, &line);
        fprintf(stderr, "%s\n", line.text);
    }
}
