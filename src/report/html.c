/* Text of HTML pages. */
#include "report/report.h"

void carom_html_append(carom_text *out, const char *text)
{
    static const struct {
        char c;
        const char *name;
    } names[] = {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}};
    while (*text) {
        size_t size = carom_utf8_size(text, SIZE_MAX);
        const char *name = size ? NULL : "\xef\xbf\xbd";
        for (size_t k = 0; k < CAROM_COUNT(names) && size == 1; k++)
            if (*text == names[k].c)
                name = names[k].name;
        bool control = size == 1 && (unsigned char)*text < 0x20 && *text != '\n' && *text != '\t';
        if (name || control)
            carom_text_append(out, "%s", name ? name : " ");
        else
            carom_text_append_n(out, text, size);
        text += size ? size : 1;
    }
}
