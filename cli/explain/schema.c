/* `carom schema`: the JSON Schema of model files, printed or given to an editor. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/cli.h"
#include "support/options.h"
#include "support/save.h"

typedef struct schema_options {
    const char *editor, *files;
} schema_options;

#define FOLDER ".vscode"
#define SETTINGS FOLDER "/settings.json"
#define SCHEMA FOLDER "/carom.schema.json"
#define KEY "yaml.schemas"
#define ENTRY "./" SCHEMA

/* ---- JSON with comments, as editors have it: what is not looked for stays as it is ---- */

/* Past blanks and comments. */
static const char *skip_blanks(const char *c)
{
    for (;;) {
        c += strspn(c, " \t\r\n");
        if (c[0] == '/' && c[1] == '/') {
            c += strcspn(c, "\n");
        } else if (c[0] == '/' && c[1] == '*') {
            const char *end = strstr(c + 2, "*/");
            c = end ? end + 2 : c + strlen(c);
        } else {
            return c;
        }
    }
}

/* Past a text that begins at a quote; NULL: it does not end. */
static const char *skip_text(const char *c)
{
    for (c++; *c && *c != '"'; c++)
        if (*c == '\\' && c[1])
            c++;
    return *c ? c + 1 : NULL;
}

/* Past a value; NULL: it is none. */
static const char *skip_value(const char *c)
{
    int depth = 0;
    do {
        c = skip_blanks(c);
        if (!*c)
            return NULL;
        depth += *c == '{' || *c == '[';
        depth -= *c == '}' || *c == ']';
        if (depth < 0)
            return NULL;
        if (*c == '"')
            c = skip_text(c);
        else if (strchr("{}[],:", *c))
            c++;
        else
            c += strcspn(c, " \t\r\n,:{}[]\"/");
    } while (c && depth > 0);
    return c;
}

/* The value of a key in the object that begins at `c`, NULL: it has none; *wrong where it is no object. */
static const char *find_key(const char *c, const char *key, bool *wrong)
{
    const size_t length = strlen(key);
    *wrong = true;
    if (*c != '{')
        return NULL;
    for (c = skip_blanks(c + 1); *c == '"'; c = skip_blanks(*c == ',' ? c + 1 : c)) {
        const char *name = c + 1, *end = skip_text(c);
        c = end ? skip_blanks(end) : "";
        if (*c != ':')
            return NULL;
        c = skip_blanks(c + 1);
        if ((size_t)(end - name) == length + 1 && memcmp(name, key, length) == 0) {
            *wrong = false;
            return c;
        }
        const char *next = skip_value(c);
        if (!next)
            return NULL;
        c = skip_blanks(next);
        if (*c != ',' && *c != '}')
            return NULL;
    }
    *wrong = *c != '}';
    return NULL;
}

/* New text with `entry` put in after the brace at `brace`; NULL when out of memory. */
static char *insert(const char *text, const char *brace, const char *entry)
{
    const bool empty = *skip_blanks(brace + 1) == '}';
    return format_text("%.*s%s%s%s", (int)(brace + 1 - text), text, entry, empty ? "\n" : ",", brace + 1);
}

/* The settings with the schema in them, a new text; NULL: they are no object (or memory is out). */
static char *with_schema(const char *text, const char *files)
{
    bool wrong;
    const char *object = skip_blanks(text), *pattern = files ? files : "*.yaml";
    if (!*object)
        return format_text("{\n  \"%s\": {\"%s\": [\"%s\"]}\n}\n", KEY, ENTRY, pattern);
    const char *schemas = find_key(object, KEY, &wrong);
    const char *end = skip_value(object);
    if (wrong || !end || *skip_blanks(end))
        return NULL;
    char *entry, *out = NULL;
    if (!schemas) {
        entry = format_text("\n  \"%s\": {\"%s\": [\"%s\"]}", KEY, ENTRY, pattern);
        out = entry ? insert(text, object, entry) : NULL;
        free(entry);
        return out;
    }
    const char *own = find_key(schemas, ENTRY, &wrong);
    if (wrong)
        return NULL;
    if (own && !files)
        return format_text("%s", text);
    if (own) {
        const char *behind = skip_value(own);
        return format_text("%.*s[\"%s\"]%s", (int)(own - text), text, pattern, behind);
    }
    entry = format_text("\n    \"%s\": [\"%s\"]", ENTRY, pattern);
    out = entry ? insert(text, schemas, entry) : NULL;
    free(entry);
    return out;
}

/* ---- files ---- */

/* The whole of a file, "" where there is none; NULL, and it is said, where it cannot be read. */
static char *read_whole(const char *path)
{
    FILE *file = fopen(path, "rb");
    size_t length = 0, room = 4096;
    char *text = malloc(room);
    if (!file && errno != ENOENT) {
        print_error("cannot read '%s': %s", path, strerror(errno));
        free(text);
        return NULL;
    }
    for (size_t n; file && text && (n = fread(text + length, 1, room - length - 1, file)) > 0;) {
        length += n;
        if (room - length < 2) {
            char *more = realloc(text, room *= 2);
            if (!more)
                free(text);
            text = more;
        }
    }
    const bool bad = file && ferror(file);
    if (bad) {
        print_error("cannot read '%s': %s", path, strerror(errno));
        free(text);
    }
    if (file)
        fclose(file);
    if (bad)
        return NULL;
    if (text)
        text[length] = '\0';
    else
        memory_error();
    return text;
}

static int write_whole(const char *path, const char *text)
{
    if (save_text(path, text))
        return EXIT_DONE;
    print_error("cannot write '%s': %s", path, strerror(errno));
    return EXIT_IO;
}

static int install(const schema_options *o, const char *schema)
{
    if (mkdir(FOLDER, 0777) != 0 && errno != EEXIST) {
        print_error("cannot make the folder '%s': %s", FOLDER, strerror(errno));
        return EXIT_IO;
    }
    char *text = read_whole(SETTINGS);
    if (!text)
        return EXIT_IO;
    char *settings = with_schema(text, o->files);
    int code = EXIT_IO;
    if (!settings)
        print_error("'%s' is not an object of settings, or its \"%s\" is not; it stays as it is", SETTINGS, KEY);
    else
        code = write_whole(SCHEMA, schema);
    if (code == EXIT_DONE && strcmp(settings, text) != 0)
        code = write_whole(SETTINGS, settings);
    free(settings);
    free(text);
    if (code == EXIT_DONE)
        printf(
            "%-11s  %s\n%-11s  %s\n\nThe extension \"YAML\" of Red Hat completes and checks models of this folder.\n",
            "schema", SCHEMA, "settings", SETTINGS);
    return code;
}

static int schema(session *s, const text_list *arguments, void *options)
{
    (void)arguments;
    const schema_options *o = options;
    if (o->editor && strcmp(o->editor, "vscode") != 0)
        return usage_error("schema", "unknown editor '%s'; there is vscode", o->editor);
    if (o->files && !o->editor)
        return usage_error("schema", "--files is for --install");
    if (o->files && o->files[strcspn(o->files, "\"\\")])
        return usage_error("schema", "--files takes a pattern without quotes and backslashes");
    char *text;
    carom_status status = carom_json_schema(s->ctx, &text);
    if (status != CAROM_OK)
        return session_error(s, status);
    const int code = o->editor ? install(o, text) : fputs(text, stdout) < 0 ? EXIT_IO : EXIT_DONE;
    carom_text_free(s->ctx, text);
    return code;
}

int command_schema(int argc, char **argv)
{
    schema_options o = {0};
    const option options[] = {
        {"install", 0, OPTION_TEXT, &o.editor, "EDITOR",
         "vscode: write it and .vscode/settings.json of this folder, whose\nother settings stay as they are"},
        {"files", 0, OPTION_TEXT, &o.files, "PATTERN", "with --install: which files are models (default: *.yaml)"},
    };
    const command_def def = {
        .name = "schema",
        .arguments = "",
        .text = "Prints the JSON Schema of model files, by which editors complete keys, show what they mean and mark\n"
                "what is wrong; or installs it for the present folder.",
        .example = "  carom schema --install vscode\n  carom schema > carom.schema.json",
        .options = options,
        .option_count = COUNT(options),
        .least = 0,
        .most = 0};
    return command_perform(&def, argc, argv, schema, &o);
}
