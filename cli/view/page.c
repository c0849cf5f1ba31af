/* Pages as they are served: the file with a mark, or what stands in the place of its data. */
#include "view/page.h"

#include <stdlib.h>
#include <string.h>

#include "support/cli.h"
#include "view/files.h"

static const char root[] = "<html", meta[] = "<script id=\"carom-meta\"", end[] = "</script>";

/* The two elements with the data; they end where `end` stands for the second time. */
static bool find_data(const char *text, const char **from, size_t *size)
{
    const char *last = *from = strstr(text, meta);
    for (int k = 0; k < 2 && last; k++)
        if ((last = strstr(last, end)))
            last += sizeof end - 1;
    *size = last ? (size_t)(last - *from) : 0;
    return last != NULL;
}

/* A head and a part of a text as one new text. */
static char *join(char *head, const char *part, size_t *size)
{
    const size_t length = head ? strlen(head) : 0;
    char *joined = head ? malloc(length + *size + 1) : NULL;
    if (joined) {
        memcpy(joined, head, length);
        memcpy(joined + length, part, *size);
        joined[*size += length] = 0;
    }
    free(head);
    return joined;
}

char *page_read(const char *path, const char *name, bool data_alone, size_t *size)
{
    char *text = files_read(path, size), *page = NULL;
    const char *rest = text ? strstr(text, root) : NULL, *data;
    if (rest && data_alone) {
        if (find_data(rest, &data, size))
            page = join(format_text("<!doctype html><html data-served=\"%s\">", name), data, size);
    } else if (rest) {
        rest += sizeof root - 1;
        *size -= (size_t)(rest - text);
        page = join(format_text("<!doctype html><html data-served=\"%s\"", name), rest, size);
    }
    free(text);
    return page;
}
