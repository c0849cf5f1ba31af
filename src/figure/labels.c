/* Labels of axes from names of channels. */
#include "carom/figure.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name, *words, *symbol;
} labels[] = {
#define CAROM_LABEL(name, words, symbol) {name, words, symbol},
#include "figure/labels.def"
};

/* Length of a channel without its component; *component is that, or "". */
static size_t quantity_end(const char *channel, const char **component)
{
    const size_t length = strlen(channel);
    *component = "";
    if (length < 3 || channel[length - 2] != '.' || !strchr("xyzw", channel[length - 1]))
        return length;
    *component = channel + length - 1;
    return length - 2;
}

bool carom_figure_label(const char *channel, char *buffer, size_t size)
{
    const char *component;
    if (!channel)
        return false;
    const size_t end = quantity_end(channel, &component), family = strcspn(channel, ".");
    size_t word = end;
    while (word > 0 && channel[word - 1] != '.')
        word--;
    if (!channel[family] || word == 0)
        return false;
    static const char *const own[] = {"input", "state", "output", "event"};
    for (size_t k = 0; k < sizeof own / sizeof own[0]; k++)
        if (strlen(own[k]) == family && strncmp(own[k], channel, family) == 0)
            return false;
    for (size_t k = 0; k < sizeof labels / sizeof labels[0]; k++) {
        const char *dot = strchr(labels[k].name, '.'), *name = dot ? dot + 1 : labels[k].name;
        if (strlen(name) != end - word || strncmp(name, channel + word, end - word) != 0)
            continue;
        if (dot && ((size_t)(dot - labels[k].name) != family || strncmp(labels[k].name, channel, family) != 0))
            continue;
        snprintf(buffer, size, "%s%s%s%s%s", labels[k].words, *labels[k].symbol ? " " : "", labels[k].symbol,
                 *component ? " in " : "", component);
        return true;
    }
    return false;
}
