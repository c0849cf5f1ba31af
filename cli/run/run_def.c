/* The run that a file and a command line ask for together, and the checkpoints that they name. */
#include "run/run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

carom_run_def run_job_def(const run_job *job)
{
    carom_run_def run = *job->def;
    if (job->options->formulation)
        run.formulation = job->options->formulation;
    if (job->options->step > 0)
        run.step = job->options->step;
    if (job->options->every > 0)
        run.output_every = job->options->every;
    if (job->options->end > 0)
        run.until = job->options->end;
    if (job->options->max_size)
        run.max_size = job->options->max_size;
    return run;
}

int run_read_file(const char *path, unsigned char **bytes, size_t *size)
{
    FILE *file = fopen(path, "rb");
    size_t length = 0, capacity = 0;
    unsigned char *data = NULL;
    for (size_t got = 1; file && got > 0; length += got) {
        if (length == capacity) {
            unsigned char *more = realloc(data, capacity = capacity ? 2 * capacity : 65536);
            if (!more) {
                free(data);
                fclose(file);
                return memory_error();
            }
            data = more;
        }
        got = fread(data + length, 1, capacity - length, file);
    }
    if (!file || ferror(file)) {
        print_error("cannot read the checkpoint '%s': %s", path, strerror(errno));
        free(data);
        if (file)
            fclose(file);
        return EXIT_IO;
    }
    fclose(file);
    *bytes = data;
    *size = length;
    return EXIT_DONE;
}
