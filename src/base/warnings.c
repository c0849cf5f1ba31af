/* The table of warnings. */
#include "base/warnings.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

const carom_warning_row carom_warning_rows[CAROM_WARN_COUNT] = {
#define CAROM_WARNING(id, code, rank, name, title, meaning, when, remedy) \
    {code, name, CAROM_RANK_##rank, title, meaning, when, remedy},
#include "base/warnings.def"
#undef CAROM_WARNING
};

const carom_warning_row *carom_warning_find(const char *code)
{
    for (size_t k = 0; k < CAROM_WARN_COUNT; k++)
        if (strcasecmp(carom_warning_rows[k].code, code) == 0)
            return &carom_warning_rows[k];
    return NULL;
}

const char *carom_warning_code_of(const char *name)
{
    for (size_t k = 0; name && k < CAROM_WARN_COUNT; k++)
        if (strcmp(carom_warning_rows[k].name, name) == 0)
            return carom_warning_rows[k].code;
    return NULL;
}

const char *carom_warning_remedy(const char *code)
{
    const carom_warning_row *row = code ? carom_warning_find(code) : NULL;
    return row ? row->remedy : NULL;
}

void carom_log_warning(carom_context *ctx, carom_warning_code code, const char *format, ...)
{
    char line[1000];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    carom_log(ctx, CAROM_LOG_WARNING, "%s [%s]", line, carom_warning_rows[code].code);
}
