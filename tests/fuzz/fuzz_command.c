/* Options of a command: any arguments are options with values that their types have, or one sentence and a status. */
#include "fuzz.h"

#include <math.h>
#include <string.h>

#include "support/options.h"

enum { MOST_ARGUMENTS = 64 };

static bool flag;
static const char *text;
static text_list texts, names;
static number_list numbers;
static double number, positive;

static const option options[] = {
    {"flag", 'f', OPTION_FLAG, &flag, NULL, "a flag"},
    {"text", 't', OPTION_TEXT, &text, "TEXT", "a text"},
    {"texts", 'T', OPTION_TEXTS, &texts, "TEXT", "texts"},
    {"names", 'n', OPTION_NAMES, &names, "A,B", "names"},
    {"number", 'x', OPTION_NUMBER, &number, "X", "a number"},
    {"positive", 'p', OPTION_POSITIVE, &positive, "X", "a number above 0"},
    {"numbers", 'N', OPTION_NUMBERS, &numbers, "A,B", "numbers"},
};

static const command_def def = {.name = "fuzz", .arguments = "A", .text = "Text.", .example = "fuzz", .most = 3,
                                .options = options, .option_count = sizeof options / sizeof *options};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char line[4096], *arguments[MOST_ARGUMENTS + 1] = {NULL};
    int count = 0;
    if (size >= sizeof line)
        return 0;
    memcpy(line, data, size);
    line[size] = 0;
    /* arguments are separated by line ends */
    for (char *at = line, *end; at && count < MOST_ARGUMENTS; at = end) {
        end = strchr(at, '\n');
        if (end)
            *end++ = 0;
        arguments[count++] = at;
    }
    text_list rest = {NULL, 0};
    positive = 1;
    number = 0;
    const int status = options_parse(&def, count, arguments, &rest);
    if (status != OPTIONS_GO && status != EXIT_DONE && status != EXIT_USAGE)
        fuzz_fail("a status that the parser of options does not have");
    if (status == OPTIONS_GO && (!(positive > 0) || isnan(number) || rest.count > def.most))
        fuzz_fail("a value that its type does not have");
    for (size_t k = 0; k < rest.count; k++)
        if (!rest.items[k])
            fuzz_fail("an argument that is none");
    options_free(&def, &rest);
    return 0;
}
