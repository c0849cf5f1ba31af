/* Results with changed bytes: each is read, wholly, or refused by a sentence with its name. Four bytes of the input are
   one change: place, by three, and value. The checksums of HDF5 are those of before: what fits them again is made by
   tests/fault/test_damage.c. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memfd_create() */
#endif
#include "fuzz.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "carom/io.h"

static const char model[] = "{carom: 1, dimension: 2, gravity: [0, -9.81], bodies: {ball: {mass: 1, inertia: 1e-3, at: "
                            "[0, 0.1]}}, shapes: {ball: {type: sphere, on: ball, radius: 5*cm}, floor: {type: plane, "
                            "on: ground, normal: [0, 1]}}, contacts: {hit: {between: [ball, floor], normal: {law: "
                            "flores, stiffness: 1e6, restitution: 0.6}}}, run: {until: 0.2}}";

static unsigned char *base;
static size_t base_size;
static char path[64];

static void make_base(void)
{
    carom_context *ctx = NULL;
    carom_model *m = NULL;
    carom_simulation *sim = NULL;
    carom_writer *writer = NULL;
    snprintf(path, sizeof path, "fuzz-%d.h5", (int)getpid());
    carom_context_create(NULL, &ctx);
    carom_simulation_def def = carom_default_simulation_def();
    if (carom_model_parse(ctx, "model.yaml", model, sizeof model - 1, NULL, 0, &m) != CAROM_OK ||
        carom_simulation_create(ctx, m, &def, &sim) != CAROM_OK)
        fuzz_fail(carom_context_error(ctx));
    carom_writer_def w = carom_default_writer_def();
    w.path = path;
    w.model_name = "model";
    w.title = w.options = "";
    w.model_text = model;
    w.channels = carom_simulation_channels(sim, &w.channel_count);
    if (carom_writer_create(ctx, &w, &writer) != CAROM_OK ||
        carom_writer_close_run(writer, sim, NULL) != CAROM_OK)
        fuzz_fail(carom_context_error(ctx));
    carom_simulation_free(sim);
    carom_model_free(m);
    carom_context_free(ctx);
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0)
        fuzz_fail("no result");
    base_size = (size_t)ftell(file);
    rewind(file);
    base = malloc(base_size);
    if (!base || fread(base, 1, base_size, file) != base_size)
        fuzz_fail("no result");
    fclose(file);
}

static carom_status read_all(carom_result *r)
{
    size_t count, rows;
    const double *time, *values;
    const char *unit;
    const carom_channel *list = carom_result_channels(r, &count);
    for (size_t k = 0; k < count; k++)
        if (!list[k].components) {
            const carom_status status = carom_result_column(r, list[k].name, &rows, &time, &values, &unit);
            if (status != CAROM_OK)
                return status;
        }
    return CAROM_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!base)
        make_base();
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0 || write(file, base, base_size) != (ssize_t)base_size)
        fuzz_fail("no file");
    for (size_t k = 0; k + 3 < size; k += 4) {
        const size_t at = ((size_t)data[k] << 16 | (size_t)data[k + 1] << 8 | data[k + 2]) % base_size;
        if (pwrite(file, data + k + 3, 1, (off_t)at) != 1)
            fuzz_fail("no file");
    }
    close(file);
    carom_context *ctx = fuzz_context();
    carom_result *r = NULL;
    carom_status status = carom_result_open(ctx, path, &r);
    if ((status == CAROM_OK) != (r != NULL))
        fuzz_fail("a status that does not fit the result");
    if (status == CAROM_OK)
        status = read_all(r);
    fuzz_check(ctx, status);
    if (status == CAROM_ERROR_IO && !strstr(carom_context_error(ctx), path))
        fuzz_fail("a sentence without the file");
    carom_result_close(r);
    fuzz_end(ctx);
    unlink(path);
    return 0;
}
