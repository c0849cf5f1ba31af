/* Paragraphs of the pages for people. */
#include "describe/describe.h"

#include <string.h>

#define WIDTH 79

/* A paragraph, broken at blanks, every line indented. */
void carom_describe_paragraph(carom_text *out, int indent, const char *text)
{
    while (*text) {
        size_t available = (size_t)(WIDTH - indent), length = strlen(text), skip = 0;
        if (length > available) {
            length = available;
            while (length && text[length] != ' ')
                length--;
            if (!length)
                length = available + strcspn(text + available, " ");
        }
        skip = strspn(text + length, " ");
        carom_text_append(out, "%*s%.*s\n", indent, "", (int)length, text);
        text += length + skip;
    }
}

void carom_describe_section(carom_text *out, const char *title, const char *text)
{
    if (!text || !*text)
        return;
    carom_text_append(out, "\n%s\n", title);
    carom_describe_paragraph(out, 2, text);
}
