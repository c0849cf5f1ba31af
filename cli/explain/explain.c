/* `carom explain` and `carom list`: what Carom knows. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/cli.h"
#include "support/options.h"
#include "support/table.h"

/* ---- explain ---- */

static int explain(session *s, const text_list *names, void *options)
{
    (void)options;
    int result = EXIT_DONE;
    for (size_t k = 0; k < names->count && result == EXIT_DONE; k++) {
        char *text;
        carom_status status = carom_explain(s->ctx, names->items[k], &text);
        if (status != CAROM_OK) {
            result = session_error(s, status);
            break;
        }
        size_t length = strlen(text);
        printf("%s%s%s", k ? "\n" : "", text, length > 0 && text[length - 1] == '\n' ? "" : "\n");
        carom_text_free(s->ctx, text);
    }
    return result;
}

int command_explain(int argc, char **argv)
{
    const command_def def = {
        .name = "explain",
        .arguments = "NAME...",
        .text =
            "Explains a law, joint, shape, load, integrator, analysis or topic: formula, parameters with units and\n"
            "defaults, source, validity. `carom list` tells the families and their names. Explains keys of model\n"
            "files, channels, columns of the tables of impacts and rests, terms of the energy ledger, and warnings by\n"
            "their codes, too.",
        .example = "  carom explain flores\n  carom explain W16\n  carom explain run.output.every "
                   "contact.hit.indentation e_got",
        .least = 1,
        .most = (size_t)-1};
    return command_perform(&def, argc, argv, explain, NULL);
}

/* ---- list ---- */

/* Pages that `carom list` prints besides the families. */
static const char *const pages[] = {"families", "keys", "channels", "impacts", "rests", "ledger"};

typedef carom_status (*page_fn)(carom_context *ctx, char **out);

static int print_page(const session *s, page_fn make)
{
    int result = EXIT_DONE;
    char *text;
    carom_status status = make(s->ctx, &text);
    if (status == CAROM_OK) {
        fputs(text, stdout);
        carom_text_free(s->ctx, text);
    } else {
        result = session_error(s, status);
    }
    return result;
}

/* The columns of the table of impacts or rests, or the terms of the ledger, as a Markdown table. */
static int print_fields(const char *page)
{
    size_t count;
    const bool ledger = strcmp(page, "ledger") == 0;
    const carom_field *fields = ledger                       ? carom_ledger_fields(&count)
                                : strcmp(page, "rests") == 0 ? carom_rest_fields(&count)
                                                             : carom_impact_fields(&count);
    printf(ledger ? "| term | unit | role | what it is |\n|---|---|---|---|\n"
                  : "| column | unit | what it is |\n|---|---|---|\n");
    for (size_t k = 0; k < count; k++)
        if (ledger)
            printf("| `%s` | %s | %s | %s |\n", fields[k].name, fields[k].unit, fields[k].role, fields[k].description);
        else
            printf("| `%s` | %s | %s |\n", fields[k].name, fields[k].unit, fields[k].description);
    return EXIT_DONE;
}

static int print_families(const session *s)
{
    size_t count, kinds;
    const char *const *families = carom_explain_families(&count);
    for (size_t k = 0; k < count; k++) {
        carom_explain_names(s->ctx, families[k], &kinds);
        if (kinds > 0)
            printf("%-14s %zu\n", families[k], kinds);
    }
    printf("%-14s reference page of the model file (Markdown)\n", "keys");
    return EXIT_DONE;
}

static int unknown_family(const char *word)
{
    size_t count;
    const char *const *families = carom_explain_families(&count);
    const char **names = malloc((count + COUNT(pages)) * sizeof *names);
    if (!names)
        return memory_error();
    memcpy(names, families, count * sizeof *names);
    memcpy(names + count, pages, sizeof pages);
    const char *nearest = carom_nearest_name(word, names, count + COUNT(pages));
    free(names);
    if (nearest)
        return usage_error("list", "unknown family '%s'; did you mean '%s'?", word, nearest);
    return usage_error("list", "unknown family '%s'; `carom list` names them", word);
}

static int list(session *s, const text_list *arguments, void *options)
{
    (void)options;
    const char *word = arguments->count ? arguments->items[0] : NULL;
    if (!word || strcmp(word, "families") == 0)
        return print_families(s);
    if (strcmp(word, "keys") == 0)
        return print_page(s, carom_reference_page);
    if (strcmp(word, "schema") == 0)
        return usage_error("list", "the schema is printed by `carom schema`");
    if (strcmp(word, "channels") == 0)
        return print_page(s, carom_channel_table);
    if (strcmp(word, "impacts") == 0 || strcmp(word, "rests") == 0 || strcmp(word, "ledger") == 0)
        return print_fields(word);
    size_t count;
    if (!carom_explain_names(s->ctx, word, &count))
        return unknown_family(word);
    char *text;
    carom_status status = carom_explain_list(s->ctx, word, &text);
    int result = status == CAROM_OK ? EXIT_DONE : session_error(s, status);
    if (status == CAROM_OK) {
        if (*text)
            fputs(text, stdout);
        else
            fprintf(stderr, "the family '%s' has no kinds yet\n", word);
        carom_text_free(s->ctx, text);
    }
    return result;
}

int command_list(int argc, char **argv)
{
    const command_def def = {
        .name = "list",
        .arguments = "[FAMILY]",
        .text =
            "Names the kinds of a family with a title each: laws, elastic, damping, friction, joints, shapes, pairs,\n"
            "loads, integrators, constraints, formulations, analyses, samplers, warnings. `families` (the default)\n"
            "names the families, `keys` prints the reference page of the model file, `channels` what a run can\n"
            "record, `impacts`, `rests` and `ledger` the columns of the tables of impacts and rests and the terms of\n"
            "the energy ledger.",
        .example = "  carom list laws",
        .least = 0,
        .most = 1};
    return command_perform(&def, argc, argv, list, NULL);
}
