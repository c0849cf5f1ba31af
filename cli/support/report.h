/* Reports of results: `carom report`, and what `carom run` and `carom compare` write beside their results. */
#ifndef CAROM_CLI_REPORT_H
#define CAROM_CLI_REPORT_H

#include "support/points.h"

typedef struct report_request {
    const char *const *results; /* paths */
    const char *const *labels;  /* NULL: the names of the files */
    size_t count;
    const char *title; /* NULL: that of the first result */
    size_t size;       /* largest size of the report [bytes]; 0: the usual one */
    const char *output;
    bool one_at_a_time; /* the scene shows one result */
    const measured *measured; /* points to show, in the time of the run; NULL: none */
} report_request;

/* Opens the results and writes their report; on failure the session's context has the text. */
carom_status write_report(const session *s, const report_request *r);

#endif
