/* What stands in the text of a quantity that the expression language has no word for. */
#ifndef CAROM_STUDY_MENTIONS_H
#define CAROM_STUDY_MENTIONS_H

#include "study/study.h"

typedef enum mention_type { NOTHING, CHANNEL, ROW_COLUMN, ROW_LIST, ELEMENT, LEDGER, VALUE, CELL, CALL } mention_type;

typedef struct mention {
    mention_type type;
    size_t end; /* behind it; of a call its '(' */
    size_t head_end;
    size_t field, field_end;
    bool has_contact, has_row;
    size_t contact, contact_end;
    long row;
    const carom_reduction *call;
} mention;

/* What a part of a text reads of the course of a run. */
enum { READS_CHANNEL = 1, READS_ROWS = 2, READS_TIME = 4 };

static inline bool carom_is_digit_of_text(char c) { return c >= '0' && c <= '9'; }
static inline bool carom_is_letter_of_text(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* The places behind a number, behind blanks; whether text[at ... end-1] is a word. */
size_t carom_mention_number(const char *text, size_t at);
size_t carom_mention_blanks(const char *text, size_t at);
bool carom_mention_is(const char *text, size_t at, size_t end, const char *word);
/* What begins at a letter. A bracket that cannot be read is an element without row, which is refused later. */
mention carom_mention_at(const char *text, size_t at);
/* Places of the arguments of a call whose '(' is at `open`: begin and end of each; returns the place behind ')'. */
size_t carom_mention_arguments(const char *text, size_t open, size_t end, size_t arguments[][2], size_t *count);
/* Whether a call makes one number of a channel, the time or a column, and of which: READS_..., 0: it does not. */
unsigned carom_mention_reduces(const char *text, const mention *m, size_t end);

#endif
