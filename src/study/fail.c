/* Failures with their place in the study. */
#include "study/study.h"

#include <stdio.h>

carom_status carom_study_fail(carom_context *ctx, const carom_place *place, const char *format, ...)
{
    char text[CAROM_ERROR_TEXT / 2];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return carom_fail(ctx, CAROM_ERROR_MODEL, place, "%s", text);
}
