/* A program that draws a figure, writes a result and reads it back with the installed libcarom-io. */
#include <stdio.h>
#include <string.h>
#include <carom/io.h>

static carom_status write_result(carom_context *ctx, const char *path)
{
    const carom_channel channel = {.name = "x", .unit = "m", .description = "", .size = 1};
    const carom_writer_def def = {.size = sizeof(carom_writer_def), .path = path, .model_name = "none",
                                  .channels = &channel, .channel_count = 1};
    const double time[3] = {0, 1, 2}, data[3] = {0, 1, 4};
    carom_writer *writer = NULL;
    carom_status status = carom_writer_create(ctx, &def, &writer);
    if (status != CAROM_OK)
        return status;
    const carom_sink *sink = carom_writer_sink(writer);
    status = sink->rows(sink->user, 0, 3, time, data);
    carom_status closed = carom_writer_close(writer, NULL, NULL);
    return status == CAROM_OK ? closed : status;
}

static carom_status read_and_draw(carom_context *ctx, const char *path, const char *picture, size_t *rows)
{
    carom_result *result = NULL;
    const double *time, *values;
    const char *unit;
    carom_status status = carom_result_open(ctx, path, &result);
    if (status == CAROM_OK)
        status = carom_result_column(result, "x", rows, &time, &values, &unit);
    if (status == CAROM_OK) {
        const carom_curve curve = {.label = "x", .count = *rows, .x = time, .y = values};
        const carom_figure figure = {.size = sizeof(carom_figure), .x_label = "t", .x_unit = "s", .y_label = "x",
                                     .y_unit = unit, .curves = &curve,
                                     .curve_count = 1};
        status = carom_figure_draw(ctx, &figure, picture);
    }
    carom_result_close(result);
    return status;
}

int main(void)
{
    carom_context *ctx = NULL;
    size_t rows = 0;
    if (carom_context_create(NULL, &ctx) != CAROM_OK)
        return 1;
    carom_status status = write_result(ctx, "consumer.h5");
    if (status == CAROM_OK)
        status = read_and_draw(ctx, "consumer.h5", "consumer.svg", &rows);
    if (status != CAROM_OK)
        fprintf(stderr, "%s\n", carom_context_error(ctx));
    printf("carom-io %s, %zu rows\n", carom_version(), rows);
    carom_context_free(ctx);
    return status == CAROM_OK && rows == 3 ? 0 : 1;
}
