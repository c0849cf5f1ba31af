/* The look of the figure of `carom plot`: style, size, legend and ranges from the texts of the options. */
#include <stdlib.h>
#include <string.h>

#include "plot/plot.h"
#include "support/ranges.h"

static const char *const styles[] = {
    [CAROM_FIGURE_SCREEN] = "screen",
    [CAROM_FIGURE_SINGLE_COLUMN] = "single-column",
    [CAROM_FIGURE_DOUBLE_COLUMN] = "double-column",
    [CAROM_FIGURE_SLIDE] = "slide",
};
static const char *const legends[] = {
    [CAROM_LEGEND_AUTO] = "auto", [CAROM_LEGEND_OUTSIDE] = "outside", [CAROM_LEGEND_NONE] = "none"};

/* Index of a word among several. */
static int read_word(const char *name, const char *word, const char *const *words, size_t count, size_t *out)
{
    for (*out = 0; *out < count; ++*out)
        if (strcmp(words[*out], word) == 0)
            return EXIT_DONE;
    char *all = format_text("%s", words[0]);
    for (size_t k = 1; k < count && all; k++) {
        char *more = format_text("%s%s%s", all, k + 1 < count ? ", " : " or ", words[k]);
        free(all);
        all = more;
    }
    int code = all ? usage_error("plot", "--%s is %s, not '%s'", name, all, word) : memory_error();
    free(all);
    return code;
}

/* Reads two numbers with units, one before and one behind a separator. */
static int read_pair(const session *s, const char *name, const char *text, char separator, const char *form,
                     double out[2])
{
    char *first = format_text("%s", text);
    if (!first)
        return memory_error();
    char *end = part_end(first, separator);
    int code = EXIT_DONE;
    if (!*end || *part_end(end + 1, separator)) {
        code = usage_error("plot", "--%s takes %s, not '%s'", name, form, text);
    } else {
        *end = '\0';
        code = read_number_option(s, "plot", name, trim(first), NULL, &out[0]);
        if (code == EXIT_DONE)
            code = read_number_option(s, "plot", name, trim(end + 1), NULL, &out[1]);
    }
    free(first);
    return code;
}

static int read_axis_range(const session *s, const char *name, const char *text, double *low, double *high)
{
    double range[2] = {0, 0};
    if (!text)
        return EXIT_DONE;
    int code = read_pair(s, name, text, ':', "A:B, two numbers in SI", range);
    if (code == EXIT_DONE && !(range[0] < range[1]))
        code = usage_error("plot", "--%s %s: %.10g is not below %.10g; give the smaller one first", name, text,
                           range[0], range[1]);
    *low = range[0];
    *high = range[1];
    return code;
}

static int read_size(const session *s, const char *text, carom_figure *f)
{
    double size[2] = {0, 0};
    if (!text)
        return EXIT_DONE;
    int code = read_pair(s, "size", text, 'x', "WxH in mm, such as 85x60", size);
    f->width = size[0];
    f->height = size[1];
    if (code == EXIT_DONE && !(size[0] > 0 && size[1] > 0))
        code = usage_error("plot", "--size %s: width and height are greater than 0", text);
    return code;
}

int read_look(const session *s, plot_options *o)
{
    carom_figure *f = &o->figure;
    size_t style = CAROM_FIGURE_SCREEN, legend = CAROM_LEGEND_AUTO;
    int code = EXIT_DONE;
    if (o->style)
        code = read_word("style", o->style, styles, COUNT(styles), &style);
    if (code == EXIT_DONE && o->legend)
        code = read_word("legend", o->legend, legends, COUNT(legends), &legend);
    f->style = (carom_figure_style)style;
    f->legend = (carom_figure_legend)legend;
    if (code == EXIT_DONE)
        code = read_size(s, o->size, f);
    if (code == EXIT_DONE)
        code = read_axis_range(s, "x-range", o->x_range, &f->x_min, &f->x_max);
    if (code == EXIT_DONE)
        code = read_axis_range(s, "y-range", o->y_range, &f->y_min, &f->y_max);
    if (code == EXIT_DONE)
        code = read_axis_range(s, "y2-range", o->y2_range, &f->y2_min, &f->y2_max);
    return code;
}
