/* `carom new`: writes a commented model to start from. */
#include "new/embedded.h"
#include "support/options.h"
#include "support/save.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MOST_KINDS 64

typedef struct new_options {
    const char *output;
    bool force;
} new_options;

/* What follows "title: " in a model, up to the end of the line. */
static int title_length(const char *text, const char **title)
{
    const char *at = strstr(text, "\ntitle: ");
    *title = at ? at + strlen("\ntitle: ") : "";
    return (int)strcspn(*title, "\n");
}

static int list_kinds(void)
{
    const char *title;
    for (const embedded_text *e = carom_embedded; e->name; e++) {
        const int length = title_length(e->text, &title);
        printf("%-14s %.*s\n", e->name, length, title);
    }
    puts("\n`carom new KIND` writes KIND.yaml; `carom import ROBOT` makes a model of a URDF or MJCF file.");
    return EXIT_DONE;
}

static const embedded_text *find_kind(const char *name)
{
    const embedded_text *e = carom_embedded;
    while (e->name && strcmp(e->name, name) != 0)
        e++;
    return e->name ? e : NULL;
}

static int unknown_kind(const char *name)
{
    const char *names[MOST_KINDS];
    size_t count = 0;
    for (const embedded_text *e = carom_embedded; e->name && count < MOST_KINDS; e++)
        names[count++] = e->name;
    const char *nearest = carom_nearest_name(name, names, count);
    if (nearest)
        return usage_error("new", "there is no model '%s' to start from; did you mean '%s'?", name, nearest);
    return usage_error("new", "there is no model '%s' to start from; `carom new` lists them", name);
}

static int write_model(const embedded_text *e, const char *path, bool force)
{
    struct stat old;
    if (!force && lstat(path, &old) == 0)
        return usage_error("new", "%s exists; give another name by `-o FILE`, or `--force` to replace it", path);
    if (save_text(path, e->text)) {
        printf("%s\n\nNext:\n  carom check %s\n  carom run %s\n", path, path, path);
        return EXIT_DONE;
    }
    print_error("%s: cannot be written: %s", path, strerror(errno));
    return EXIT_IO;
}

static int new_model(session *s, const text_list *arguments, void *options)
{
    const new_options *o = options;
    (void)s;
    if (!arguments->count)
        return list_kinds();
    const embedded_text *e = find_kind(arguments->items[0]);
    if (!e)
        return unknown_kind(arguments->items[0]);
    if (o->output && option_is_standard(o->output))
        return fputs(e->text, stdout) >= 0 ? EXIT_DONE : EXIT_IO;
    char *name = o->output ? NULL : format_text("%s.yaml", e->name);
    if (!o->output && !name)
        return memory_error();
    const int result = write_model(e, o->output ? o->output : name, o->force);
    free(name);
    return result;
}

int command_new(int argc, char **argv)
{
    new_options o = {0};
    const option options[] = {
        {"output", 'o', OPTION_STREAM, &o.output, "FILE",
         "name of the model file (default KIND.yaml); - is standard output"},
        {"force", 0, OPTION_FLAG, &o.force, NULL, "replace a file of that name"},
    };
    const command_def def = {
        .name = "new",
        .arguments = "[KIND]",
        .text = "Writes a commented model to start from: an impact, a pendulum, a linkage, a clearance joint, a cam,\n"
                "gears, a box, many balls. Without KIND lists them. What it writes runs as it is.",
        .example = "  carom new pendulum\n  carom run pendulum.yaml",
        .options = options,
        .option_count = COUNT(options),
        .most = 1};
    return command_perform(&def, argc, argv, new_model, &o);
}
