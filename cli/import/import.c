/* `carom import`: a description of a robot as a model file. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/cli.h"
#include "support/options.h"
#include "support/save.h"

typedef struct import_options {
    const char *output, *prefix, *base, *keyframe;
    text_list start, packages;
    bool strict;
} import_options;

/* JOINT=VALUE; returns an exit status. */
static int read_start(const char *text, carom_import_start *out)
{
    const char *equals = strchr(text, '=');
    char *end, *name = equals ? format_text("%.*s", (int)(equals - text), text) : NULL;
    const double value = equals ? strtod(equals + 1, &end) : 0;
    if (equals && !name)
        return memory_error();
    if (!equals || equals == text || end == equals + 1 || *end) {
        free(name);
        return usage_error("import", "--start takes JOINT=VALUE in m or rad, not '%s'", text);
    }
    *out = (carom_import_start){.joint = name, .value = value};
    return EXIT_DONE;
}

static int read_base(const char *text, carom_import_base *out)
{
    static const char *const names[] = {"auto", "fixed", "free"};
    for (size_t k = 0; text && k < COUNT(names); k++)
        if (strcmp(text, names[k]) == 0) {
            *out = (carom_import_base)k;
            return EXIT_DONE;
        }
    return text ? usage_error("import", "--base is auto, fixed or free, not '%s'", text) : EXIT_DONE;
}

static int write_text(const session *s, const char *path, const char *text)
{
    const bool named = !option_is_standard(path);
    const bool good = named ? save_text(path, text) : fputs(text, stdout) >= 0;
    return good ? EXIT_DONE
                : session_fail(s, EXIT_IO, "%s: cannot be written: %s", named ? path : "stdout", strerror(errno));
}

static int convert(session *s, const char *path, const import_options *o, carom_import_def *def)
{
    char *text = NULL;
    const carom_status status = carom_import_text(s->ctx, path, def, &text);
    int result = status == CAROM_OK ? write_text(s, o->output, text) : session_error(s, status);
    carom_text_free(s->ctx, text);
    print_warnings(s);
    return result;
}

static int import(session *s, const text_list *arguments, void *options)
{
    const import_options *o = options;
    carom_import_def def = carom_default_import_def();
    carom_import_start *start = calloc(o->start.count + 1, sizeof *start);
    if (!start)
        return memory_error();
    int result = read_base(o->base, &def.base);
    if (result == EXIT_DONE)
        result = refuse_input("import", "-o", o->output, arguments->items[0], "the robot's file");
    for (; result == EXIT_DONE && def.start_count < o->start.count; def.start_count += result == EXIT_DONE)
        result = read_start(o->start.items[def.start_count], &start[def.start_count]);
    def.prefix = o->prefix;
    def.start = start;
    const char *slash = o->output ? strrchr(o->output, '/') : NULL;
    char *folder = slash ? format_text("%.*s", (int)(slash - o->output) + (slash == o->output), o->output) : NULL;
    def.folder = folder;
    def.keyframe = o->keyframe;
    def.packages = o->packages.items;
    def.package_count = o->packages.count;
    def.strict = o->strict;
    if (result == EXIT_DONE)
        result = convert(s, arguments->items[0], o, &def);
    for (size_t k = 0; k < def.start_count; k++)
        free((char *)start[k].joint);
    free(start);
    free(folder);
    return slash && !folder ? memory_error() : result;
}

int command_import(int argc, char **argv)
{
    import_options o = {0};
    const option options[] = {
        {"output", 'o', OPTION_STREAM, &o.output, "FILE", "the model file; default, and -: standard output"},
        {"prefix", 0, OPTION_TEXT, &o.prefix, "TEXT", "put before all names, such as left_"},
        {"base", 0, OPTION_TEXT, &o.base, "HOW",
         "whether the ground holds the root: fixed, free, or auto: where the root has no inertia"},
        {"start", 0, OPTION_TEXTS, &o.start, "JOINT=VALUE", "coordinate at the start [m or rad]; may be repeated"},
        {"keyframe", 0, OPTION_TEXT, &o.keyframe, "NAME", "of MJCF: the <key> that has the start"},
        {"package", 0, OPTION_TEXTS, &o.packages, "DIR", "folder in which packages and meshes are; may be repeated"},
        {"strict", 0, OPTION_FLAG, &o.strict, NULL, "what would be ignored is an error"},
    };
    const command_def def = {
        .name = "import",
        .arguments = "ROBOT",
        .text = "Reads a robot from a URDF or MJCF file and writes it as a model file: bodies, joints and shapes by\n"
                "their names and in their order, with the line of each part. What the robot's file holds and the\n"
                "model does not is listed with its line. Gravity, where the file has none, and the run stand for a "
                "change;\n"
                "contacts are declared in the model file. `include: robot.urdf` in a model reads the same without a\n"
                "copy.",
        .example = "  carom import robot.urdf --start knee=-1.2 -o robot.yaml",
        .options = options,
        .option_count = COUNT(options),
        .least = 1,
        .most = 1};
    return command_perform(&def, argc, argv, import, &o);
}
