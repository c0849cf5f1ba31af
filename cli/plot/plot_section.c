/* Sections of `carom plot`: --every and --section as points in place of curves, and --circle. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot/plot.h"
#include "support/ranges.h"

static int read_every(const session *s, plot_options *o)
{
    curve_section *out = &o->section;
    int code = read_number_option(s, "plot", "every", o->every, "s", &out->period);
    if (code == EXIT_DONE && !(out->period > 0 && isfinite(out->period)))
        return usage_error("plot", "--every %s: the period must be above 0 [s]", o->every);
    out->start = isnan(o->from) ? 0 : o->from;
    out->text = o->every;
    return code;
}

static int read_direction(plot_options *o, const char *word)
{
    static const char *const words[] = {[1] = "up", [2] = "down"};
    static const int directions[] = {0, 1, -1};
    for (size_t k = 1; k < COUNT(words); k++)
        if (strcmp(word, words[k]) == 0) {
            o->section.direction = directions[k];
            return EXIT_DONE;
        }
    return usage_error("plot", "--section %s: the direction is up or down, not '%s'", o->cut, word);
}

/* CHANNEL=VALUE[:up|down]. */
static int read_cut(const session *s, plot_options *o)
{
    curve_section *out = &o->section;
    const char *equals = strchr(o->cut, '=');
    if (!equals || equals == o->cut || !equals[1])
        return usage_error("plot", "--section takes CHANNEL=VALUE, or CHANNEL=VALUE:up, CHANNEL=VALUE:down; not '%s'",
                           o->cut);
    out->text = o->cut;
    out->channel = format_text("%.*s", (int)(equals - o->cut), o->cut);
    char *value = format_text("%s", equals + 1);
    int code = out->channel && value ? EXIT_DONE : memory_error();
    if (code == EXIT_DONE) {
        char *end = part_end(value, ':');
        if (*end) {
            *end = '\0';
            code = read_direction(o, trim(end + 1));
        }
    }
    if (code == EXIT_DONE)
        code = read_number_option(s, "plot", "section", trim(value), NULL, &out->value);
    free(value);
    return code;
}

static int read_circle(const session *s, plot_options *o)
{
    const char *equals = strchr(o->circle, '='), *number = equals ? equals + 1 : o->circle;
    int code = read_number_option(s, "plot", "circle", number, NULL, &o->circle_radius);
    if (code != EXIT_DONE)
        return code;
    if (!(o->circle_radius > 0))
        return usage_error("plot", "--circle %s: the radius must be above 0, in the unit of the axes", o->circle);
    if (!o->against)
        return usage_error(
            "plot", "--circle %s is about the origin of two channels: name the horizontal one by --against", o->circle);
    o->circle_label = equals ? format_text("%.*s", (int)(equals - o->circle), o->circle)
                             : format_text("circle of %s", o->circle);
    o->figure.equal_scales = true;
    return o->circle_label ? EXIT_DONE : memory_error();
}

int read_section(const session *s, plot_options *o)
{
    if (o->every && o->cut)
        return usage_error("plot", "give either --every or --section");
    if ((o->every || o->cut) && o->impacts.count)
        return usage_error("plot", "--%s takes points from the whole run; remove --impact",
                           o->every ? "every" : "section");
    int code = EXIT_DONE;
    if (o->every)
        code = read_every(s, o);
    else if (o->cut)
        code = read_cut(s, o);
    if (code == EXIT_DONE && o->circle)
        code = read_circle(s, o);
    return code;
}

void free_section(plot_options *o)
{
    free(o->section.channel);
    free(o->circle_label);
}
