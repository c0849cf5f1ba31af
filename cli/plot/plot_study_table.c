/* The table of a sweep that is drawn: its memory, labels and values. */
#include "plot/plot_study.h"

#include <stdio.h>
#include <stdlib.h>

#include "support/table.h"

/* ---- memory ---- */

void *study_block(study_table *t, size_t count, size_t size)
{
    void **blocks = realloc(t->blocks, (t->block_count + 1) * sizeof *blocks);
    if (!blocks)
        return NULL;
    t->blocks = blocks;
    void *block = calloc(count + 1, size);
    if (block)
        t->blocks[t->block_count++] = block;
    return block;
}

carom_figure *study_figure(study_table *t, const plot_options *o)
{
    if (t->figure_count == MOST_PANELS)
        return NULL;
    carom_figure *f = &t->figures[t->figure_count++];
    *f = o->figure;
    f->title = t->figure_count == 1 ? o->title : NULL;
    return f;
}

/* ---- the table ---- */

void study_label(const study_column *c, double value, char *text, size_t size)
{
    char number[64];
    if (c->is_word)
        snprintf(text, size, "%s", carom_study_value_text(c->study, c->parameter, value, number));
    else
        snprintf(text, size, "%s = %s", c->name, short_number(number, value, 4));
}

static int compare_numbers(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int study_values(study_table *t, size_t column, double **out, size_t *count)
{
    double *values = study_block(t, t->rows, sizeof *values);
    *count = 0;
    *out = values;
    if (!values)
        return memory_error();
    for (size_t k = 0; k < t->rows; k++)
        values[k] = study_at(t, k, column);
    qsort(values, t->rows, sizeof *values, compare_numbers);
    for (size_t k = 0; k < t->rows; k++)
        if (*count == 0 || values[k] != values[*count - 1])
            values[(*count)++] = values[k];
    return EXIT_DONE;
}
