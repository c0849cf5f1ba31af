/* Parser and help text of a table of options. */
#include "support/options.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/cli.h"
#include "support/terminal.h"

/* ---- help ---- */

/* What all commands have besides the options of their own. */
#define COLOR_VALUE "auto|always|never"
#define COLOR_HELP "colours of errors, warnings and headings (default: auto, on terminals)"

static void print_option(char letter, const char *name, const char *value, const char *help)
{
    char left[64];
    int length = snprintf(left, sizeof left, "%c%c%s --%s%s%s", letter ? '-' : ' ', letter ? letter : ' ',
                          letter ? "," : " ", name, value ? " " : "", value ? value : "");
    printf("  %-26s%s", left, length > 26 ? "\n                            " : "");
    /* a line break in the help continues below its beginning */
    for (const char *c = help; *c; c++) {
        putchar(*c);
        if (*c == '\n')
            fputs("                            ", stdout);
    }
    putchar('\n');
}

static void print_common(void)
{
    print_option(0, "color", COLOR_VALUE, COLOR_HELP);
    print_option('h', "help", NULL, "print this text");
}

static void print_help(const command_def *def)
{
    const char *head = paint_begin(stdout, PAINT_HEADING), *end = paint_end(stdout);
    printf("%sUsage:%s carom %s %s%s\n\n%s\n\n%sOptions:%s\n", head, end, def->name, def->arguments,
           def->option_count ? " [options]" : "", def->text, head, end);
    for (size_t k = 0; k < def->option_count; k++) {
        const option *o = &def->options[k];
        if (def->more_from && k == def->more_from) {
            print_common();
            printf("\n%s%s:%s\n", head, def->more_heading, end);
        }
        print_option(o->letter, o->name, o->value, o->help);
    }
    if (!def->more_from)
        print_common();
    printf("\n%sExample:%s\n%s\n", head, end, def->example);
}

/* ---- the same for other programs ---- */

/* A line for each option: its name, a tab, its letter or nothing, a tab, its value, a tab, the help in one line. */
static void print_rows(const command_def *def)
{
    printf("%s\t%s\n", def->name, def->arguments);
    for (size_t k = 0; k < def->option_count; k++) {
        const option *o = &def->options[k];
        printf("%s\t%.1s\t%s\t", o->name, &o->letter, o->value ? o->value : "");
        for (const char *c = o->help; *c; c++)
            putchar(*c == '\n' ? ' ' : *c);
        putchar('\n');
    }
    puts("color\t\t" COLOR_VALUE "\t" COLOR_HELP);
}

static void roff_text(const char *text)
{
    bool begins = true;
    for (const char *c = text; *c; c++) {
        if (begins && (*c == '.' || *c == '\''))
            fputs("\\&", stdout);
        fputs(*c == '\\' ? "\\e" : *c == '-' ? "\\-" : (char[]){*c, '\0'}, stdout);
        begins = *c == '\n';
    }
    putchar('\n');
}

/* A section of the manual page. */
static void print_section(const command_def *def)
{
    printf(".SS carom %s ", def->name);
    roff_text(def->arguments);
    puts(".PP");
    roff_text(def->text);
    for (size_t k = 0; k < def->option_count; k++) {
        const option *o = &def->options[k];
        printf(".TP\n.B ");
        if (o->letter)
            printf("\\-%c, ", o->letter);
        printf("\\-\\-%s", o->name);
        if (o->value)
            printf(" \\fI%s\\fP", o->value);
        putchar('\n');
        roff_text(o->help);
    }
    printf(".PP\n.nf\n");
    roff_text(def->example);
    puts(".fi");
}

/* ---- values ---- */

static bool append_text(text_list *list, const char *text)
{
    const char **items = realloc(list->items, (list->count + 1) * sizeof *items);
    if (!items)
        return false;
    items[list->count++] = text;
    list->items = items;
    return true;
}

static bool append_number(number_list *list, double number)
{
    double *items = realloc(list->items, (list->count + 1) * sizeof *items);
    if (!items)
        return false;
    items[list->count++] = number;
    list->items = items;
    return true;
}

static bool read_number(const char *text, double *out)
{
    char *end;
    double number = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(number) || *text == ' ')
        return false;
    *out = number;
    return true;
}

/* Stores the parts between commas, as names or as numbers. */
static int store_parts(const command_def *def, const option *o, char *value)
{
    for (char *part = value; part;) {
        char *comma = strchr(part, ',');
        if (comma)
            *comma = '\0';
        if (o->type == OPTION_NUMBERS) {
            double number;
            if (!read_number(part, &number))
                return usage_error(def->name, "--%s takes numbers separated by commas, not '%s'", o->name, part);
            if (!append_number(o->target, number))
                return memory_error();
        } else {
            if (*part == '\0')
                return usage_error(def->name, "--%s takes names separated by commas; one is empty", o->name);
            if (!append_text(o->target, part))
                return memory_error();
        }
        part = comma ? comma + 1 : NULL;
    }
    return OPTIONS_GO;
}

static int store(const command_def *def, const option *o, char *value)
{
    switch (o->type) {
    case OPTION_FLAG:
        *(bool *)o->target = true;
        return OPTIONS_GO;
    case OPTION_FILE:
        if (strcmp(value, "-") == 0)
            return usage_error(def->name, "--%s takes the name of a %s, and - is standard output, which takes no such; "
                               "give a name", o->name, strcmp(o->value, "DIR") == 0 ? "folder" : "file");
        /* fall through */
    case OPTION_TEXT:
    case OPTION_STREAM:
        if (*value == '\0')
            return usage_error(def->name, "the value of --%s is empty", o->name);
        *(const char **)o->target = value;
        return OPTIONS_GO;
    case OPTION_TEXTS:
        return append_text(o->target, value) ? OPTIONS_GO : memory_error();
    case OPTION_NAMES:
    case OPTION_NUMBERS:
        return store_parts(def, o, value);
    case OPTION_NUMBER:
    case OPTION_POSITIVE:
        break;
    }
    double number;
    if (!read_number(value, &number))
        return usage_error(def->name, "--%s takes a number, not '%s'", o->name, value);
    if (o->type == OPTION_POSITIVE && !(number > 0))
        return usage_error(def->name, "--%s takes a number greater than 0, not '%s'", o->name, value);
    *(double *)o->target = number;
    return OPTIONS_GO;
}

/* ---- parser ---- */

#define MAX_OPTIONS 256

static int unknown_option(const command_def *def, const char *name)
{
    const char *names[MAX_OPTIONS + 2];
    size_t count = 0;
    for (; count < def->option_count && count < MAX_OPTIONS; count++)
        names[count] = def->options[count].name;
    names[count++] = "color";
    names[count++] = "help";
    const char *nearest = carom_nearest_name(name, names, count);
    if (nearest)
        return usage_error(def->name, "unknown option '--%s'; did you mean '--%s'?", name, nearest);
    return usage_error(def->name, "unknown option '--%s'; `carom %s --help` lists them", name, def->name);
}

static const option *find_long(const command_def *def, const char *name)
{
    for (size_t k = 0; k < def->option_count; k++)
        if (strcmp(def->options[k].name, name) == 0)
            return &def->options[k];
    return NULL;
}

/* The value of --color. */
static int take_colour(const command_def *def, const char *when)
{
    return terminal_take_colour(when)
               ? OPTIONS_GO
               : usage_error(def->name, "--color takes auto, always or never, not '%s'", when);
}

static const option *find_letter(const command_def *def, char letter)
{
    for (size_t k = 0; k < def->option_count; k++)
        if (def->options[k].letter == letter)
            return &def->options[k];
    return NULL;
}

/* Reads the option in argv[*k] and moves *k over its value. */
static int parse_option(const command_def *def, int argc, char **argv, int *k)
{
    char *word = argv[*k], *value = NULL;
    const option *o;
    if (word[1] == '-') {
        value = strchr(word, '=');
        if (value)
            *value++ = '\0';
        if (strcmp(word, "--help") == 0 || strcmp(word, OPTIONS_ROWS) == 0 || strcmp(word, OPTIONS_SECTION) == 0) {
            (strcmp(word, OPTIONS_ROWS) == 0      ? print_rows
             : strcmp(word, OPTIONS_SECTION) == 0 ? print_section
                                                  : print_help)(def);
            return EXIT_DONE;
        }
        o = find_long(def, word + 2);
        if (!o && strcmp(word, "--color") == 0 && (value || *k + 1 < argc))
            return take_colour(def, value ? value : argv[++*k]);
        if (!o)
            return unknown_option(def, word + 2);
    } else {
        if (strcmp(word, "-h") == 0) {
            print_help(def);
            return EXIT_DONE;
        }
        o = find_letter(def, word[1]);
        if (!o)
            return usage_error(def->name, "unknown option '%s'; `carom %s --help` lists them", word, def->name);
        if (word[2] != '\0')
            value = word + 2;
    }
    if (o->type == OPTION_FLAG) {
        if (value)
            return usage_error(def->name, "--%s takes no value", o->name);
    } else if (!value) {
        if (*k + 1 >= argc)
            return usage_error(def->name, "--%s needs a value, %s", o->name, o->value);
        value = argv[++*k];
    }
    return store(def, o, value);
}

int options_parse(const command_def *def, int argc, char **argv, text_list *arguments)
{
    bool only_arguments = false;
    for (int k = 0; k < argc; k++) {
        if (!only_arguments && strcmp(argv[k], "--") == 0) {
            only_arguments = true;
        } else if (!only_arguments && argv[k][0] == '-' && argv[k][1] != '\0') {
            int status = parse_option(def, argc, argv, &k);
            if (status != OPTIONS_GO)
                return status;
        } else if (arguments->count == def->most) {
            return usage_error(def->name, "one argument too many, '%s'", argv[k]);
        } else if (!append_text(arguments, argv[k])) {
            return memory_error();
        }
    }
    if (arguments->count < def->least)
        return usage_error(def->name, "an argument is missing; usage: carom %s %s; see `carom %s --help`", def->name,
                           def->arguments, def->name);
    return OPTIONS_GO;
}

void options_free(const command_def *def, text_list *arguments)
{
    for (size_t k = 0; k < def->option_count; k++) {
        const option *o = &def->options[k];
        if (o->type == OPTION_TEXTS || o->type == OPTION_NAMES) {
            free(((text_list *)o->target)->items);
            *(text_list *)o->target = (text_list){0};
        } else if (o->type == OPTION_NUMBERS) {
            free(((number_list *)o->target)->items);
            *(number_list *)o->target = (number_list){0};
        }
    }
    free(arguments->items);
    *arguments = (text_list){0};
}

int command_perform(const command_def *def, int argc, char **argv, command_fn perform, void *options)
{
    text_list arguments = {0};
    session s;
    int code = options_parse(def, argc, argv, &arguments);
    if (code == OPTIONS_GO) {
        code = session_open(&s);
        if (code == EXIT_DONE)
            code = perform(&s, &arguments, options);
        session_close(&s);
    }
    options_free(def, &arguments);
    return code;
}
