/* Writes the report of results. */
#include "support/report.h"

#include <stdlib.h>

carom_status write_report(const session *s, const report_request *r)
{
    const size_t points = r->measured && r->measured->points ? r->measured->data.count : 0;
    carom_result **results = calloc(r->count + 1, sizeof *results);
    carom_report_points *sets = calloc(points + 1, sizeof *sets);
    if (!results || !sets) {
        free(results);
        free(sets);
        return CAROM_ERROR_MEMORY;
    }
    carom_status status = CAROM_OK;
    size_t opened = 0;
    while (status == CAROM_OK && opened < r->count) {
        status = carom_result_open(s->ctx, r->results[opened], &results[opened]);
        opened += status == CAROM_OK;
    }
    for (size_t k = 0; k < points; k++) {
        const point_set *from = &r->measured->points[k];
        sets[k] = (carom_report_points){from->label, from->unit, from->count, from->x, from->y, from->error,
                                        measured_over_length(s, from) ? "m" : NULL};
    }
    carom_report_def def = {.size = sizeof(carom_report_def), .results = results, .labels = r->labels,
                            .count = r->count, .title = r->title, .max_size = r->size,
                            .one_at_a_time = r->one_at_a_time, .points = sets, .point_sets = points};
    if (status == CAROM_OK)
        status = carom_report_write(s->ctx, &def, r->output);
    for (size_t k = 0; k < opened; k++)
        carom_result_close(results[k]);
    free(sets);
    free(results);
    return status;
}
