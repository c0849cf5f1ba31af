/* `carom plot`: channels of results as a figure. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plot/plot.h"
#include "support/table.h"

/* ---- list of channels ---- */

/* The names of a channel: body.a.position.x, .y; of a scalar its own. */
static char *channel_names(const carom_channel *c)
{
    char *names = format_text("%s", c->name);
    for (int k = 0; k < c->size && c->components && names; k++) {
        char *more = format_text("%s%s.%s", names, k ? ", " : "", c->components[k]);
        free(names);
        names = more;
    }
    return names;
}

static int list_channels(const carom_result *result)
{
    size_t count, rows = 0;
    const carom_channel *channels = carom_result_channels(result, &count);
    char **names = calloc(count + 1, sizeof *names);
    const char **units = calloc(count + 1, sizeof *units), **sentences = calloc(count + 1, sizeof *sentences);
    bool done = names && units && sentences;
    for (size_t k = 0; k < count && done; k++) {
        if (carom_result_repeats(result, k))
            continue;
        names[rows] = channel_names(&channels[k]);
        units[rows] = channels[k].unit && channels[k].unit[0] ? channels[k].unit : "1";
        sentences[rows] = channels[k].description ? channels[k].description : "";
        done = names[rows++] != NULL;
    }
    if (done) {
        table t = {.rows = rows, .whole = true};
        table_texts(&t, "channel", false, (const char *const *)names);
        table_texts(&t, "unit", false, units);
        table_texts(&t, "meaning", false, sentences);
        table_print(&t, stdout);
        done = !t.failed;
        table_free(&t);
    }
    for (size_t k = 0; names && k < rows; k++)
        free(names[k]);
    free(names);
    free(units);
    free(sentences);
    return done ? EXIT_DONE : memory_error();
}

/* ---- figure ---- */

/* The channels and, behind them, those of --right that are not among them; a new array. */
static const char **all_channels(const plot_options *o, size_t *count)
{
    const char **names = calloc(o->channel_count + o->right.count + 1, sizeof *names);
    *count = 0;
    for (size_t k = 0; names && k < o->channel_count; k++)
        names[(*count)++] = o->channels[k];
    for (size_t k = 0; names && k < o->right.count; k++) {
        bool known = false;
        for (size_t i = 0; i < *count; i++)
            known = known || strcmp(names[i], o->right.items[k]) == 0;
        if (!known)
            names[(*count)++] = o->right.items[k];
    }
    return names;
}

static int draw(const session *s, const plot_options *o, const plot_sources *sources, const point_set *points)
{
    size_t count;
    const char **channels = all_channels(o, &count);
    if (!channels)
        return memory_error();
    const curve_request request = {.command = "plot",
                                   .output = o->output,
                                   .title = o->title,
                                   .against = o->against,
                                   .time_label = sources->from_onset ? "Time from onset" : "Time t",
                                   .channels = channels,
                                   .channel_count = count,
                                   .right = o->right.items,
                                   .right_count = o->right.count,
                                   .sources = sources->items,
                                   .source_count = sources->count,
                                   .points = points,
                                   .point_count = o->data.count,
                                   .labels = o->labels.items,
                                   .label_count = o->labels.count,
                                   .scatter = o->scatter || o->every || o->cut,
                                   .section = o->every || o->cut ? &o->section : NULL,
                                   .circle = o->circle_radius,
                                   .circle_label = o->circle_label,
                                   .figure = &o->figure};
    int code = draw_curves(s, &request);
    free(channels);
    return code;
}

/* How many points lie in a range of time. */
static size_t count_between(const point_set *set, double from, double to)
{
    size_t count = 0;
    for (size_t k = 0; k < set->count; k++)
        count += set->x[k] >= from && set->x[k] <= to;
    return count;
}

/* Points beside an impact: their times are those of the run, or count from the onset, as the curves then do. */
static int count_from_onset(const plot_options *o, plot_sources *sources, const point_set *points)
{
    const double margin = sources->duration, end = sources->onset + sources->duration + margin;
    size_t in_run = 0, from_onset = 0;
    if (!o->impacts.count || o->against || o->loop || o->phase || !o->data.count)
        return EXIT_DONE;
    for (size_t k = 0; k < o->data.count; k++) {
        in_run += sources->from_onset ? 0 : count_between(&points[k], sources->onset - margin, end);
        from_onset += count_between(&points[k], -margin, end - sources->onset);
    }
    if (!in_run && !from_onset)
        return usage_error("plot",
                           "--data: no point lies in the impact: its times are %.6g to %.6g s%s %.6g s from the onset; "
                           "the first point is at %.6g s",
                           sources->from_onset ? 0 : sources->onset,
                           sources->from_onset ? sources->duration : sources->onset + sources->duration,
                           sources->from_onset ? ", that is" : ", or 0 to", sources->duration, points[0].x[0]);
    if (in_run || sources->from_onset)
        return EXIT_DONE;
    for (size_t k = 0; k < sources->count; k++)
        sources->items[k].origin = sources->onset;
    sources->from_onset = true;
    return EXIT_DONE;
}

/* Data are aligned with the impact that is drawn. */
static int check_align(const plot_options *o)
{
    if ((o->align || o->shift) && !o->data.count)
        return usage_error("plot", "--%s moves the points of --data; give a file by it", o->align ? "align" : "shift");
    if (o->align && strcmp(o->align, "onset") != 0)
        return usage_error("plot", "--align is 'onset', not '%s'", o->align);
    if (o->align && (!o->impacts.count || o->against || o->loop || o->phase))
        return usage_error("plot", "--align onset puts the data at the onset of an impact; name it by --impact");
    return EXIT_DONE;
}

static int draw_with_points(const session *s, const plot_options *o, plot_sources *sources)
{
    point_set *points = calloc(o->data.count + 1, sizeof *points);
    int code = points ? EXIT_DONE : memory_error();
    for (size_t k = 0; k < o->data.count && code == EXIT_DONE; k++)
        code = read_points(s, "plot", o->data.items[k], &points[k]);
    double shift[2] = {0, 0};
    if (code == EXIT_DONE)
        code = check_align(o);
    if (code == EXIT_DONE)
        code = read_shift(s, o->shift, shift);
    for (size_t k = 0; k < o->data.count && code == EXIT_DONE; k++)
        code = place_points("plot", o->data.items[k], shift, o->align != NULL, sources->from_onset ? 0 : sources->onset,
                          &points[k]);
    if (code == EXIT_DONE)
        code = count_from_onset(o, sources, points);
    if (code == EXIT_DONE)
        code = draw(s, o, sources, points);
    free_points(points, o->data.count);
    return code;
}

/* ---- command ---- */

static int check_options(const plot_options *o)
{
    if (!o->output)
        return usage_error("plot", "--output FILE is missing; its ending, .svg, .pdf or .png, tells the format");
    int code = check_figure_path("plot", o->output);
    if (code != EXIT_DONE)
        return code;
    if (o->impacts.count && !(isnan(o->from) && isnan(o->to)))
        return usage_error("plot", "--impact sets the range of time; --from and --to cannot be given with it");
    if (o->contact && !o->impacts.count)
        return usage_error("plot", "--contact %s belongs to --impact: it counts the impacts of this contact",
                           o->contact);
    if (o->from >= o->to)
        return usage_error("plot", "--from %.10g is not before --to %.10g", o->from, o->to);
    return EXIT_DONE;
}

/* --loop and --phase stand for two channels of a contact: force or rate over the indentation. */
static int set_contact_channels(plot_options *o)
{
    const char *contact = o->loop ? o->loop : o->phase, *name = o->loop ? "loop" : "phase";
    if (!contact)
        return o->channel_count ? EXIT_DONE
                                : usage_error("plot",
                                              "name a channel, such as contact.hit.force, or a contact by --loop or "
                                              "--phase; `carom plot %s --list` prints the channels",
                                              o->result);
    if (o->loop && o->phase)
        return usage_error("plot", "give either --loop or --phase");
    if (o->channel_count || o->against || o->right.count)
        return usage_error("plot", "--%s %s sets both axes; remove %s", name, contact,
                           o->against       ? "--against"
                           : o->right.count ? "--right"
                                            : "the channel");
    snprintf(o->contact_names[0], sizeof o->contact_names[0], "contact.%s.%s", contact,
             o->loop ? "force" : "indentation_rate");
    snprintf(o->contact_names[1], sizeof o->contact_names[1], "contact.%s.indentation", contact);
    o->contact_channel = o->contact_names[0];
    o->channels = &o->contact_channel;
    o->channel_count = 1;
    o->against = o->contact_names[1];
    return EXIT_DONE;
}

static int plot(session *s, const text_list *arguments, void *options)
{
    plot_options *o = options;
    o->result = arguments->items[0];
    o->channels = arguments->items + 1;
    o->channel_count = arguments->count - 1;
    const size_t length = strlen(o->result);
    if (carom_store_is_one(o->result) || (length > 3 && strcmp(o->result + length - 3, ".db") == 0))
        return plot_store(s, o);
    if (o->as || o->where.count)
        return usage_error("plot", "--%s is for the store of a sweep, and '%s' is none", o->as ? "as" : "where",
                           o->result);
    int code = o->list ? EXIT_DONE : check_options(o);
    if (code == EXIT_DONE && !o->list)
        code = set_contact_channels(o);
    if (code != EXIT_DONE)
        return code;
    plot_sources sources = {0};
    code = read_look(s, o);
    if (code == EXIT_DONE && !o->list)
        code = read_section(s, o);
    if (code == EXIT_DONE)
        code = plot_sources_open(s, o, &sources);
    if (code == EXIT_DONE)
        code = o->list ? list_channels(sources.results[0].result) : draw_with_points(s, o, &sources);
    plot_sources_free(&sources);
    free_section(o);
    return code;
}

int command_plot(int argc, char **argv)
{
    plot_options o = {.from = NAN, .to = NAN, .figure = carom_default_figure()};
    const option options[] = {
        {"output", 'o', OPTION_FILE, &o.output, "FILE", "figure to write; .svg, .pdf or .png"},
        {"list", 0, OPTION_FLAG, &o.list, NULL, "print the channels of the result, and draw nothing"},
        {"against", 0, OPTION_TEXT, &o.against, "CHANNEL", "channel of the horizontal axis (default: time)"},
        {"right", 0, OPTION_TEXTS, &o.right, "CHANNEL",
         "channel of the right axis; may be repeated (default: those\nof the second unit)"},
        {"loop", 0, OPTION_TEXT, &o.loop, "CONTACT", "force over indentation of a contact, in place of channels"},
        {"phase", 0, OPTION_TEXT, &o.phase, "CONTACT", "rate over indentation of a contact, in place of channels"},
        {"compare", 0, OPTION_TEXTS, &o.compare, "RESULT",
         "overlay the channels of another result; may be repeated;\nLABEL=RESULT names it"},
        {"from", 0, OPTION_NUMBER, &o.from, "T0", "begin at this time [s]"},
        {"to", 0, OPTION_NUMBER, &o.to, "T1", "end at this time [s]"},
        {"every", 0, OPTION_TEXT, &o.every, "PERIOD",
         "points at T0 + k*PERIOD [s] in place of curves, T0 that of\n--from or 0: a stroboscopic map, also with "
         "units: 2*pi/150"},
        {"section", 0, OPTION_TEXT, &o.cut, "CHANNEL=X",
         "points where CHANNEL passes through X in place of curves, an\nangle through X + k turns: a Poincare section; "
         "X:up or\nX:down in one direction only"},
        {"circle", 0, OPTION_TEXT, &o.circle, "R",
         "circle of radius R about the origin, such as a clearance;\nLABEL=R names it; sets --equal"},
        {"impact", 0, OPTION_NAMES, &o.impacts, "K",
         "show impact K of the table that `carom run` prints; 1,2,3 or\nall overlays impacts, each from its onset"},
        {"contact", 0, OPTION_TEXT, &o.contact, "NAME", "count the impacts of this contact only"},
        {"data", 0, OPTION_TEXTS, &o.data, "FILE",
         "points of a file with two columns x,y, in SI or the units\nof their headings; may be repeated; LABEL=FILE "
         "names them; with\n--impact x may count from the onset; FILE:Y[UNIT]+-E@X[UNIT]\nnames columns"},
        {"align", 0, OPTION_TEXT, &o.align, "onset", "puts the onset of the points of --data at that of the impact"},
        {"shift", 0, OPTION_TEXT, &o.shift, "DX[,DY]", "moves the points of --data, in SI or with units: 0.2*ms"},
        {"as", 0, OPTION_TEXT, &o.as, "KIND",
         "of a sweep: curves, contour, scatter, bars or sensitivity\n(default: what its sampling asks for)"},
        {"where", 0, OPTION_TEXTS, &o.where, "NAME=VALUE",
         "of a sweep: the runs with this value of a parameter; may be repeated"},
        {"scatter", 0, OPTION_FLAG, &o.scatter, NULL, "markers in place of lines"},
        {"title", 0, OPTION_TEXT, &o.title, "TEXT", "title of the figure (default: none)"},
        {"labels", 0, OPTION_NAMES, &o.labels, "A,B", "names in the legend, one for each curve"},
        {"x-label", 0, OPTION_TEXT, &o.figure.x_label, "TEXT", "name of the horizontal axis; its unit stays"},
        {"y-label", 0, OPTION_TEXT, &o.figure.y_label, "TEXT", "name of the left axis"},
        {"y2-label", 0, OPTION_TEXT, &o.figure.y2_label, "TEXT", "name of the right axis"},
        {"x-range", 0, OPTION_TEXT, &o.x_range, "A:B", "range of the horizontal axis, in SI or with units: 0:10*um"},
        {"y-range", 0, OPTION_TEXT, &o.y_range, "A:B", "range of the left axis"},
        {"y2-range", 0, OPTION_TEXT, &o.y2_range, "A:B", "range of the right axis"},
        {"log-x", 0, OPTION_FLAG, &o.figure.x_log, NULL, "logarithmic horizontal axis"},
        {"log-y", 0, OPTION_FLAG, &o.figure.y_log, NULL, "logarithmic left axis"},
        {"log-y2", 0, OPTION_FLAG, &o.figure.y2_log, NULL, "logarithmic right axis"},
        {"equal", 0, OPTION_FLAG, &o.figure.equal_scales, NULL, "equal scales of both axes, for paths"},
        {"style", 0, OPTION_TEXT, &o.style, "STYLE",
         "screen (default), single-column, double-column (85 mm and\n178 mm wide, 8 pt) or slide"},
        {"size", 0, OPTION_TEXT, &o.size, "WxH", "width and height of the page [mm] (default: of the style)"},
        {"legend", 0, OPTION_TEXT, &o.legend, "WHERE", "auto (default): the emptiest corner; outside: above; none"},
    };
    const command_def def = {
        .name = "plot",
        .arguments = "RESULT [CHANNEL...]",
        .text =
            "Draws channels of a result file over time or against another channel. A channel is named like a path,\n"
            "a vector with its component: body.slider.position.x, joint.pin.reaction.x, contact.hit.force,\n"
            "energy.kinetic. Channels of a second unit get an axis of their own, on the right.\n"
            "Of the store of a sweep it draws quantities: curves over a parameter, contours over two, points over\n"
            "all, sensitivity indices; quantities are named in place of channels (default: all), the figure is\n"
            "STORE with the ending .svg.",
        .example =
            "  carom plot carom-out/slider_crank_block.h5 --list\n"
            "  carom plot carom-out/slider_crank_block.h5 contact.hit.force contact.hit.indentation --impact 1 "
            "-o force.svg\n"
            "  carom plot carom-out/slider_crank_block.h5 --loop hit --impact all --style single-column -o loop.pdf\n"
            "  carom plot carom-out/slider_crank_block.h5 body.block.velocity.x --against body.block.position.x "
            "-o phase.svg\n"
            "  carom plot carom-out/slider_crank_clearance.h5 joint.wrist.offset.y --against joint.wrist.offset.x "
            "--circle 0.5*mm -o orbit.svg\n"
            "  carom plot carom-out/slider_crank_clearance.h5 body.slider.acceleration.x --against "
            "body.slider.velocity.x --section joint.main.coordinate=0 -o section.svg\n"
            "  carom plot study.db e_got --against e --where K=1e9 -o restitution.svg",
        .options = options,
        .option_count = COUNT(options),
        .least = 1,
        .most = SIZE_MAX};
    return command_perform(&def, argc, argv, plot, &o);
}
