/* Writes the report of results. */
#include "support/report.h"

#include <stdlib.h>

carom_status write_report(const session *s, const report_request *r)
{
    carom_result **results = calloc(r->count + 1, sizeof *results);
    if (!results)
        return CAROM_ERROR_MEMORY;
    carom_status status = CAROM_OK;
    size_t opened = 0;
    while (status == CAROM_OK && opened < r->count) {
        status = carom_result_open(s->ctx, r->results[opened], &results[opened]);
        opened += status == CAROM_OK;
    }
    carom_report_def def = {.size = sizeof(carom_report_def), .results = results, .labels = r->labels,
                            .count = r->count, .title = r->title, .max_size = r->size,
                            .one_at_a_time = r->one_at_a_time};
    if (status == CAROM_OK)
        status = carom_report_write(s->ctx, &def, r->output);
    for (size_t k = 0; k < opened; k++)
        carom_result_close(results[k]);
    free(results);
    return status;
}
