/* Measured data of a report: read before the run, put in its time once it is known. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/points.h"

static int read_one(const session *s, const measured *m, const char *text, point_set *out)
{
    const char *path;
    out->label = split_label(text, &path);
    const char *columns = out->label ? data_columns(path) : NULL;
    if (columns && path == text) {
        /* the label is that of the file */
        char *name = format_text("%.*s", (int)(columns - path), path);
        free(out->label);
        out->label = name ? split_label(name, &(const char *){NULL}) : NULL;
        free(name);
    }
    int code = out->label ? read_columns(s, m->command, path, columns, out) : memory_error();
    if (code == EXIT_DONE && !*out->unit)
        code = usage_error(m->command, "--data: the unit of '%s' is not known; write FILE:Y[UNIT]@X[UNIT], such as "
                           "test.csv:force[N]@time[ms]", text);
    return code;
}

int measured_read(const session *s, measured *m)
{
    double shift[2];
    if (!m->data.count && (m->impact || m->align || m->shift))
        return usage_error(m->command, "--%s moves the points of --data; give a file by it",
                           m->align ? "align" : m->shift ? "shift" : "impact");
    if (m->align && strcmp(m->align, "onset") != 0)
        return usage_error(m->command, "--align is 'onset', not '%s'", m->align);
    if (m->align && !m->impact)
        return usage_error(m->command, "--align onset puts the data at the onset of an impact; name it by --impact");
    if (m->impact && (!strchr("123456789", *m->impact) || m->impact[strspn(m->impact, "0123456789")]))
        return usage_error(m->command, "--impact takes the number of an impact from 1 on, not '%s'", m->impact);
    m->points = calloc(m->data.count + 1, sizeof *m->points);
    int code = m->points ? read_shift(s, m->shift, shift) : memory_error();
    for (size_t k = 0; k < m->data.count && code == EXIT_DONE; k++)
        code = read_one(s, m, m->data.items[k], &m->points[k]);
    return code;
}

/* Onset of the impact that the options name. */
static int find_onset(const session *s, const measured *m, const char *path, double *out)
{
    carom_result *result;
    carom_status status = carom_result_open(s->ctx, path, &result);
    if (status != CAROM_OK)
        return session_error(s, status);
    size_t count;
    const carom_impact *impacts = carom_result_impacts(result, &count);
    const unsigned long number = strtoul(m->impact, NULL, 10);
    int code = EXIT_DONE;
    if (number >= 1 && number <= count)
        *out = impacts[number - 1].onset;
    else
        code = usage_error(m->command, "%s: there is no impact %s; the result has %zu", path, m->impact, count);
    carom_result_close(result);
    return code;
}

bool measured_over_length(const session *s, const point_set *set)
{
    return set->x_unit && *set->x_unit && unit_fits(s, set->x_unit, "m") && !unit_fits(s, set->x_unit, "s");
}

int measured_place(const session *s, measured *m, const char *result)
{
    double shift[2] = {0, 0}, onset = 0;
    measured_free(m);
    int code = measured_read(s, m);
    if (code == EXIT_DONE)
        code = read_shift(s, m->shift, shift);
    if (code == EXIT_DONE && m->impact)
        code = find_onset(s, m, result, &onset);
    const double later[2] = {shift[0] + (m->align ? 0 : onset), shift[1]};
    for (size_t k = 0; k < m->data.count && code == EXIT_DONE; k++) {
        point_set *set = &m->points[k];
        const bool loop = measured_over_length(s, set);
        code = place_points(m->command, m->data.items[k], loop ? shift : later, m->align && !loop, onset, set);
    }
    return code;
}

void measured_free(measured *m)
{
    free_points(m->points, m->points ? m->data.count : 0);
    m->points = NULL;
}
