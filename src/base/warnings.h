/* Codes and texts of warnings, from warnings.def. */
#ifndef CAROM_BASE_WARNINGS_H
#define CAROM_BASE_WARNINGS_H

#include "base/base.h"

/* In the order of importance. */
typedef enum carom_warning_rank {
    CAROM_RANK_WRONG,
    CAROM_RANK_START,
    CAROM_RANK_STEP,
    CAROM_RANK_LAW,
    CAROM_RANK_COST,
    CAROM_RANK_MODEL
} carom_warning_rank;

typedef enum carom_warning_code {
#define CAROM_WARNING(id, code, rank, name, title, meaning, when, remedy) CAROM_WARN_##id,
#include "base/warnings.def"
#undef CAROM_WARNING
    CAROM_WARN_COUNT
} carom_warning_code;

typedef struct carom_warning_row {
    const char *code, *name;    /* "W07"; keyword, as in the JSON of `carom check` */
    carom_warning_rank rank;
    const char *title, *meaning, *when, *remedy; /* when: NULL for a rule of law/validity.h */
} carom_warning_row;

extern const carom_warning_row carom_warning_rows[CAROM_WARN_COUNT];

/* Row of a code, "W07" or "w07"; NULL: there is none. */
const carom_warning_row *carom_warning_find(const char *code);
/* Sends a warning to the log, with its code at the end. */
void carom_log_warning(carom_context *ctx, carom_warning_code code, const char *format, ...) CAROM_PRINTF(3, 4);

#endif
