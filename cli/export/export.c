/* `carom export`: channels of a result as CSV, the result as a MAT-file, its motion for ParaView or as glTF; the table
   of a sweep as CSV. */
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/cli.h"
#include "support/csv.h"
#include "support/options.h"
#include "support/save.h"

typedef struct export_options {
    const char *result, *group, *output, *table;
    text_list channels;
    double speed;
    bool csv, mat, vtk, gltf;
} export_options;

enum { INTERVALS, STEPS, SNAPSHOTS, GROUPS };
static const char *const groups[GROUPS] = {"intervals", "steps", "snapshots"};

static void write_text(void *user, const char *text, size_t length) { fwrite(text, 1, length, user); }

/* Whether an item names a channel: wholly, by a beginning that ends at a dot, or by a pattern with '*'. */
static bool names(const char *item, const char *channel)
{
    const size_t n = strlen(item);
    const bool begins = strncmp(item, channel, n) == 0 && (channel[n] == '\0' || channel[n] == '.');
    return begins || (strchr(item, '*') && fnmatch(item, channel, 0) == 0);
}

/* Whether a group has a channel, named with or without a component, or some that an item names; all have the time. */
static bool has_channel(const carom_result *result, int group, const char *name)
{
    size_t count;
    const carom_channel *channels = carom_result_channels(result, &count);
    if (strcmp(name, "time") == 0)
        return true;
    for (size_t k = 0; k < count; k++) {
        size_t length = strlen(channels[k].name);
        if (channels[k].group == group && names(name, channels[k].name))
            return true;
        if (channels[k].group != group || strncmp(name, channels[k].name, length) != 0)
            continue;
        for (int j = 0; name[length] == '.' && channels[k].components && j < channels[k].size; j++)
            if (strcmp(name + length + 1, channels[k].components[j]) == 0)
                return true;
    }
    return false;
}

/* Whether a group has all channels asked for. */
static bool has_channels(const export_options *o, const carom_result *result, int group)
{
    for (size_t k = 0; k < o->channels.count; k++)
        if (!has_channel(result, group, o->channels.items[k]))
            return false;
    return true;
}

/* The index of a group's name, GROUPS if there is none. */
static int group_index(const char *name)
{
    int group = 0;
    while (group < GROUPS && strcmp(name, groups[group]) != 0)
        group++;
    return group;
}

static bool asks_for_contact(const export_options *o)
{
    for (size_t k = 0; k < o->channels.count; k++)
        if (strncmp(o->channels.items[k], "contact.", 8) == 0)
            return true;
    return false;
}

/* The group of --group; without it the first that has all the channels asked for, and intervals where none are. */
static int find_group(const export_options *o, const carom_result *result, int *group)
{
    static const int orders[2][GROUPS] = {{INTERVALS, STEPS, SNAPSHOTS}, {STEPS, INTERVALS, SNAPSHOTS}};
    const int *order = orders[asks_for_contact(o)]; /* of a contact the steps keep the peaks */
    *group = o->group ? group_index(o->group) : INTERVALS;
    for (int k = 0; k < GROUPS && !o->group && o->channels.count; k++)
        if (has_channels(o, result, order[k])) {
            *group = order[k];
            break;
        }
    for (size_t k = 0; k < o->channels.count; k++) {
        const char *name = o->channels.items[k];
        for (int other = 0; other < GROUPS; other++)
            if (!has_channel(result, *group, name) && has_channel(result, other, name))
                return usage_error("export", "channel '%s' is in the group '%s', not '%s'; a table has one group", name,
                                   groups[other], groups[*group]);
    }
    return EXIT_DONE; /* of a channel that is nowhere the library knows the nearest name */
}

static bool has_item(const text_list *list, const char *name)
{
    for (size_t k = 0; k < list->count; k++)
        if (strcmp(list->items[k], name) == 0)
            return true;
    return false;
}

/* The channels that the items of --channels name in a group (GROUPS: in any), each once; an item that names none stays
   as it is. */
static int expand(const export_options *o, const carom_result *result, int group, text_list *out)
{
    size_t count;
    const carom_channel *channels = carom_result_channels(result, &count);
    *out = (text_list){.items = calloc(o->channels.count + count + 1, sizeof *out->items)};
    if (!out->items)
        return memory_error();
    for (size_t i = 0; i < o->channels.count; i++) {
        const char *item = o->channels.items[i];
        bool found = false;
        for (size_t k = 0; k < count; k++) {
            if ((group != GROUPS && channels[k].group != group) || !names(item, channels[k].name))
                continue;
            found = true;
            if (!has_item(out, channels[k].name))
                out->items[out->count++] = channels[k].name;
        }
        if (!found && !has_item(out, item))
            out->items[out->count++] = item;
    }
    return EXIT_DONE;
}

/* Opens the file of a table that was named, or standard output; returns an exit status. */
static int open_table(const export_options *o, save *out)
{
    if (option_is_standard(o->output)) {
        *out = (save){.file = stdout};
        return EXIT_DONE;
    }
    const int code = refuse_input("export", "-o", o->output, o->result, "what is exported");
    if (code != EXIT_DONE || save_begin(out, o->output))
        return code;
    print_error("cannot write '%s': %s", o->output, strerror(errno));
    return EXIT_IO;
}

/* Closes it; a table takes its name when it is whole. */
static int close_table(const export_options *o, save *out, int code)
{
    if (option_is_standard(o->output) || save_end(out, code == EXIT_DONE))
        return code;
    print_error("cannot write '%s': %s", o->output, strerror(errno));
    return EXIT_IO;
}

static int write_csv(const session *s, const export_options *o, carom_result *result, int group)
{
    text_list channels;
    int code = expand(o, result, group, &channels);
    if (code != EXIT_DONE)
        return code;
    save out;
    code = open_table(o, &out);
    if (code != EXIT_DONE) {
        free(channels.items);
        return code;
    }
    carom_status status = carom_result_csv(result, group, channels.items, channels.count, write_text, out.file);
    free(channels.items);
    return close_table(o, &out, status == CAROM_OK ? EXIT_DONE : session_error(s, status));
}

/* The table of impacts or rests: all columns of the file, one row an impact. */
static int write_impacts(const export_options *o, const carom_result *result)
{
    size_t fields, count;
    const bool rests = strcmp(o->table, "rests") == 0;
    const carom_field *list = rests ? carom_rest_fields(&fields) : carom_impact_fields(&fields);
    const char *records =
        rests ? (const char *)carom_result_rests(result, &count) : (const char *)carom_result_impacts(result, &count);
    const size_t size = rests ? sizeof(carom_rest) : sizeof(carom_impact);
    save file;
    const int code = open_table(o, &file);
    if (code != EXIT_DONE)
        return code;
    csv out = {.file = file.file};
    csv_field_heads(&out, list, fields);
    csv_end_line(&out);
    for (size_t k = 0; k < count; k++) {
        csv_fields(&out, list, fields, records + k * size);
        csv_end_line(&out);
    }
    return close_table(o, &file, EXIT_DONE);
}

/* The table of a sweep. */
static int write_store(const session *s, const export_options *o)
{
    carom_store *store = NULL;
    if (o->mat || o->vtk || o->gltf || o->group || o->table || o->channels.count)
        return usage_error("export", "'%s' is the store of a sweep, whose table is written as CSV", o->result);
    carom_status status = carom_store_open(s->ctx, o->result, &store);
    if (status != CAROM_OK)
        return session_error(s, status);
    save out;
    int code = open_table(o, &out);
    if (code == EXIT_DONE) {
        status = carom_store_csv(store, write_text, out.file);
        code = close_table(o, &out, status == CAROM_OK ? EXIT_DONE : session_error(s, status));
    }
    carom_store_close(store);
    return code;
}

/* Writes with the library to the output that was named, or to RESULT with another ending. */
static int write_other(const session *s, const export_options *o, carom_result *result)
{
    char *name = o->output ? NULL : sibling_name(o->result, o->mat ? ".mat" : o->vtk ? "-vtk" : ".glb");
    if (!o->output && !name)
        return memory_error();
    const char *path = o->output ? o->output : name;
    text_list channels;
    int code = expand(o, result, GROUPS, &channels);
    if (code != EXIT_DONE) {
        free(name);
        return code;
    }
    carom_status status = o->mat   ? carom_result_write_mat(result, channels.items, channels.count, path)
                          : o->vtk ? carom_result_write_vtk(result, path)
                                   : carom_result_write_gltf(result, o->speed, path);
    free(channels.items);
    code = status == CAROM_OK ? EXIT_DONE : session_error(s, status);
    if (code == EXIT_DONE && name)
        printf("%-11s  %s\n", o->vtk ? "folder" : "file", name);
    free(name);
    return code;
}

/* Options that contradict each other. */
static int check_options(const export_options *o)
{
    static const char *const names[] = {"csv", "mat", "vtk", "gltf"};
    const bool given[] = {o->csv, o->mat, o->vtk, o->gltf};
    const char *format = NULL;
    for (size_t k = 0; k < COUNT(given); k++) {
        if (given[k] && format)
            return usage_error("export", "--%s and --%s are two formats; give one of them", format, names[k]);
        if (given[k])
            format = names[k];
    }
    if (format && !o->csv && o->output && option_is_standard(o->output))
        return usage_error("export", "--%s writes %s, and -, standard output, takes CSV alone; give a name", format,
                           o->vtk ? "a folder" : "a binary file");
    if ((o->vtk || o->gltf) && (o->group || o->channels.count))
        return usage_error("export", "--%s does not go with --%s, which draws the shapes of the model",
                           o->group ? "group" : "channels", format);
    if (o->table && strcmp(o->table, "impacts") != 0 && strcmp(o->table, "rests") != 0)
        return usage_error("export", "unknown table '%s'; there are impacts and rests", o->table);
    if (o->table && (o->mat || o->vtk || o->gltf))
        return usage_error("export", "--table is for CSV; a MAT-file has the impacts beside the channels");
    if (o->table && (o->group || o->channels.count))
        return usage_error("export", "--table writes the %s in place of channels; --%s does not go with it", o->table,
                           o->group ? "group" : "channels");
    if (o->speed > 0 && !o->gltf)
        return usage_error("export", "--speed is for --gltf; other formats have the times of the run");
    if (o->mat && o->group)
        return usage_error("export", "--group is for CSV; a MAT-file has the channels of all groups");
    if (o->group && group_index(o->group) == GROUPS)
        return usage_error("export", "unknown group '%s'; there are %s, %s and %s", o->group, groups[0], groups[1],
                           groups[2]);
    return EXIT_DONE;
}

static int export(session *s, const text_list *arguments, void *options)
{
    export_options *o = options;
    o->result = arguments->items[0];
    int code = check_options(o);
    if (code != EXIT_DONE)
        return code;
    const size_t length = strlen(o->result);
    if (carom_store_is_one(o->result) || (length > 3 && strcmp(o->result + length - 3, ".db") == 0))
        return write_store(s, o);
    if (o->gltf && !(o->speed > 0))
        o->speed = 1;
    carom_result *result = NULL;
    carom_status status = carom_result_open(s->ctx, o->result, &result);
    const bool table = !o->mat && !o->vtk && !o->gltf;
    int group = 0;
    if (status != CAROM_OK)
        code = session_error(s, status);
    else if (!table)
        code = write_other(s, o, result);
    else if (o->table)
        code = write_impacts(o, result);
    else
        code = find_group(o, result, &group);
    if (code == EXIT_DONE && table && !o->table)
        code = write_csv(s, o, result, group);
    carom_result_close(result);
    return code;
}

int command_export(int argc, char **argv)
{
    export_options o = {0};
    const option options[] = {
        {"csv", 0, OPTION_FLAG, &o.csv, NULL, "comma-separated values (the default)"},
        {"mat", 0, OPTION_FLAG, &o.mat, NULL, "a MAT-file of level 5, which MATLAB and Octave load"},
        {"vtk", 0, OPTION_FLAG, &o.vtk, NULL, "a folder for ParaView: shapes and contact points in motion"},
        {"gltf", 0, OPTION_FLAG, &o.gltf, NULL, "a glTF file (.glb): bodies in motion for Blender, slides, the web"},
        {"speed", 0, OPTION_POSITIVE, &o.speed, "S",
         "with --gltf: speed of the animation (default: 1, that of the run;\n0.001 makes an impact of 0.1 ms last "
         "0.1 s)"},
        {"group", 0, OPTION_TEXT, &o.group, "NAME",
         "intervals: at the output interval; steps: contacts at solver\nsteps; snapshots: poses, densely at impacts "
         "(default: the group of the\nchannels, else intervals); for CSV only"},
        {"channels", 0, OPTION_NAMES, &o.channels, "A,B,...",
         "these channels only; a beginning such as contact.hit or a\npattern such as body.*.position names several"},
        {"table", 0, OPTION_TEXT, &o.table, "NAME",
         "impacts or rests in place of channels, with all columns; for CSV\nonly (a MAT-file has both beside the "
         "channels)"},
        {"output", 'o', OPTION_STREAM, &o.output, "FILE",
         "file to write (default, and -: standard output; with --mat\nRESULT with the ending .mat, with --gltf .glb; "
         "with --vtk the\nfolder RESULT-vtk)"},
    };
    const command_def def = {
        .name = "export",
        .arguments = "RESULT",
        .text = "Writes channels of a result file as CSV: one row a time, a header with names and units, numbers with\n"
                "17 digits; or the channels, impacts, ledger and units as a MAT-file: body.slider.position is the\n"
                "variable body_slider_position, contact.hit.force at solver steps is steps_contact_hit_force;\n"
                "or a folder with NAME.pvd for ParaView, one file a row of the output interval;\n"
                "or a glTF file with an animation of all snapshots, which show impacts. Of the store of a sweep it\n"
                "writes the table as CSV.",
        .example = "  carom export carom-out/slider_crank_block.h5 --csv --channels contact.hit.force -o force.csv\n"
                   "  carom export carom-out/slider_crank_block.h5 --table impacts -o impacts.csv\n"
                   "  carom export carom-out/slider_crank_block.h5 --mat -o slider.mat\n"
                   "  carom export carom-out/slider_crank_block.h5 --vtk -o slider-vtk\n"
                   "  carom export carom-out/slider_crank_block.h5 --gltf --speed 0.01 -o slider.glb",
        .options = options,
        .option_count = COUNT(options),
        .least = 1,
        .most = 1};
    return command_perform(&def, argc, argv, export, &o);
}
