/* What a run says of itself at its end, written to its results. */
#include "carom/result.h"
#include "result/writer.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

/* Appends to a line of `size` bytes, which is cut at its end. */
static void append(char *line, size_t size, size_t *used, const char *format, ...) CAROM_PRINTF(4, 5);
static void append(char *line, size_t size, size_t *used, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const int more = *used < size ? vsnprintf(line + *used, size - *used, format, args) : 0;
    va_end(args);
    *used += more > 0 ? (size_t)more : 0;
}

/* "auto: adams 0.391 s of the run, bdf 2.61 s, 9 changes". */
static void say_methods(const carom_simulation *sim, char *line, size_t size)
{
    carom_method_use uses[3];
    uint64_t changes;
    const size_t count = carom_simulation_methods(sim, uses, sizeof uses / sizeof uses[0], &changes);
    const char *of = " of the run";
    size_t used = 0;
    if (count > 1)
        append(line, size, &used, "%s: ", carom_simulation_integrator(sim));
    for (size_t k = 0; k < count; k++)
        if (uses[k].steps > 0) {
            append(line, size, &used, "%s%s %.3g s%s", *of ? "" : ", ", uses[k].method, uses[k].time, of);
            of = "";
        }
    if (count > 1)
        append(line, size, &used, "%s%" PRIu64 " change%s", *of ? "" : ", ", changes, changes == 1 ? "" : "s");
}

static carom_status write_end(carom_writer *writer, carom_simulation *sim, bool *accurate)
{
    carom_accuracy accuracy;
    size_t count = 0, rests = 0;
    const carom_rest *rest = NULL;
    carom_status status = carom_simulation_accuracy(sim, &accuracy);
    *accurate = status != CAROM_OK || accuracy.accurate;
    if (status == CAROM_OK && !accuracy.accurate)
        status = carom_writer_warn(writer, accuracy.text);
    const char *const *warnings = carom_simulation_warnings(sim, &count);
    for (size_t k = 0; k < count && status == CAROM_OK; k++)
        status = carom_writer_warn(writer, warnings[k]);
    if (status == CAROM_OK)
        status = carom_simulation_rests(sim, &rest, &rests);
    const carom_sink *sink = carom_writer_sink(writer);
    for (size_t k = 0; k < rests && status == CAROM_OK; k++)
        if (rest[k].ended == 0)
            status = sink->rest(sink->user, &rest[k]);
    char line[256] = "";
    say_methods(sim, line, sizeof line);
    return status == CAROM_OK ? carom_writer_methods(writer, line) : status;
}

carom_status carom_writer_close_run(carom_writer *writer, carom_simulation *sim, const char *status)
{
    CAROM_NEED(NULL, writer);
    CAROM_NEED(writer->ctx, sim);
    const carom_status given = carom_simulation_end_sink(sim, carom_writer_sink(writer)->user);
    if (given == CAROM_ERROR_USAGE)
        return given;
    bool accurate;
    const carom_status written = write_end(writer, sim, &accurate);
    const carom_ledger ledger = carom_simulation_ledger(sim);
    const bool ended = carom_simulation_stopped_by(sim) || carom_simulation_time(sim) >= carom_simulation_until(sim);
    if (!status)
        status = ended ? accurate ? "completed" : "completed, inaccurate" : accurate ? "part" : "part, inaccurate";
    const carom_status closed = carom_writer_close(writer, &ledger, status);
    return given != CAROM_OK ? given : written != CAROM_OK ? written : closed;
}
