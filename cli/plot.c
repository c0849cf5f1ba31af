/* `carom plot`: channels of a result as a figure. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "curves.h"
#include "options.h"

typedef struct plot_options {
    const char *result, *against, *title, *output;
    const char *loop, *phase; /* contacts */
    const char *const *channels;
    size_t channel_count;
    char contact_names[2][256]; /* the two channels of --loop and --phase */
    const char *contact_channel;
    double from, to, impact; /* NAN: not given */
} plot_options;

/* ---- range ---- */

static int find_range(const plot_options *o, const carom_result *result, double *from, double *to)
{
    *from = isnan(o->from) ? -HUGE_VAL : o->from;
    *to = isnan(o->to) ? HUGE_VAL : o->to;
    if (!isnan(o->impact)) {
        size_t count;
        const carom_impact *impacts = carom_result_impacts(result, &count);
        if (o->impact != floor(o->impact) || o->impact < 1 || o->impact > (double)count)
            return usage_error("plot", "there is no impact %.10g; the result has %zu", o->impact, count);
        const carom_impact *impact = &impacts[(size_t)o->impact - 1];
        double margin = o->loop || o->phase ? 0 : 0.2 * impact->duration;
        *from = impact->onset - margin;
        *to = impact->onset + impact->duration + margin;
    }
    return EXIT_DONE;
}

static int plot_result(const session *s, const plot_options *o, carom_result *result)
{
    curve_source source = {.result = result};
    int code = find_range(o, result, &source.from, &source.to);
    if (code != EXIT_DONE)
        return code;
    const curve_request request = {.command = "plot",
                                   .output = o->output,
                                   .title = o->title,
                                   .against = o->against,
                                   .time_label = "time",
                                   .channels = o->channels,
                                   .channel_count = o->channel_count,
                                   .sources = &source,
                                   .source_count = 1};
    return draw_curves(s, &request);
}

/* ---- command ---- */

static int check_options(const plot_options *o)
{
    if (!o->output)
        return usage_error("plot", "--output FILE is missing; its ending, .svg, .pdf or .png, tells the format");
    int code = check_figure_path("plot", o->output);
    if (code != EXIT_DONE)
        return code;
    if (!isnan(o->impact) && !(isnan(o->from) && isnan(o->to)))
        return usage_error("plot", "--impact sets the range of time; --from and --to cannot be given with it");
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
                                : usage_error("plot", "name a channel, such as contact.hit.force, or a contact by --loop or --phase");
    if (o->loop && o->phase)
        return usage_error("plot", "give either --loop or --phase");
    if (o->channel_count || o->against)
        return usage_error("plot", "--%s %s sets both axes; remove %s", name, contact, o->against ? "--against" : "the channel");
    snprintf(o->contact_names[0], sizeof o->contact_names[0], "contact.%s.%s", contact, o->loop ? "force" : "indentation_rate");
    snprintf(o->contact_names[1], sizeof o->contact_names[1], "contact.%s.indentation", contact);
    o->contact_channel = o->contact_names[0];
    o->channels = &o->contact_channel;
    o->channel_count = 1;
    o->against = o->contact_names[1];
    return EXIT_DONE;
}

static int plot(plot_options *o)
{
    int code = check_options(o);
    if (code == EXIT_DONE)
        code = set_contact_channels(o);
    if (code != EXIT_DONE)
        return code;
    session s;
    code = session_open(&s);
    if (code != EXIT_DONE)
        return code;
    carom_result *result = NULL;
    carom_status status = carom_result_open(s.ctx, o->result, &result);
    code = status == CAROM_OK ? plot_result(&s, o, result) : session_error(&s, status);
    carom_result_close(result);
    session_close(&s);
    return code;
}

int command_plot(int argc, char **argv)
{
    plot_options o = {.from = NAN, .to = NAN, .impact = NAN};
    const option options[] = {
        {"output", 'o', OPTION_TEXT, &o.output, "FILE", "figure to write; .svg, .pdf or .png"},
        {"against", 0, OPTION_TEXT, &o.against, "CHANNEL", "channel of the horizontal axis (default: time)"},
        {"loop", 0, OPTION_TEXT, &o.loop, "CONTACT", "force over indentation of a contact, in place of channels"},
        {"phase", 0, OPTION_TEXT, &o.phase, "CONTACT", "rate over indentation of a contact, in place of channels"},
        {"from", 0, OPTION_NUMBER, &o.from, "T0", "begin at this time [s]"},
        {"to", 0, OPTION_NUMBER, &o.to, "T1", "end at this time [s]"},
        {"impact", 0, OPTION_POSITIVE, &o.impact, "K", "show impact K of the table that `carom run` prints"},
        {"title", 0, OPTION_TEXT, &o.title, "TEXT", "title of the figure (default: none)"},
    };
    const command_def def = {
        .name = "plot",
        .arguments = "RESULT [CHANNEL...]",
        .text =
            "Draws channels of a result file over time or against another channel. A channel is named like a path,\n"
            "a vector with its component: body.slider.position.x, joint.pin.reaction.x, contact.hit.force,\n"
            "energy.kinetic. All channels of a figure have the same unit.",
        .example = "  carom plot carom-out/slider_crank_block.h5 contact.hit.force --impact 1 -o force.svg\n"
                   "  carom plot carom-out/slider_crank_block.h5 --loop hit --impact 1 -o loop.pdf\n"
                   "  carom plot carom-out/slider_crank_block.h5 body.block.velocity.x --against body.block.position.x "
                   "-o phase.svg",
        .options = options,
        .option_count = COUNT(options),
        .least = 1,
        .most = SIZE_MAX};
    text_list arguments = {0};
    int result = options_parse(&def, argc, argv, &arguments);
    if (result == OPTIONS_GO) {
        o.result = arguments.items[0];
        o.channels = arguments.items + 1;
        o.channel_count = arguments.count - 1;
        result = plot(&o);
    }
    options_free(&def, &arguments);
    return result;
}
