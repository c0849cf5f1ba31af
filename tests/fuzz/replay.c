/* Runs a fuzzer on files, or on all files of folders: what libFuzzer once found stays mended. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "fuzz.h"

static int replayed;

static void replay(const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0) {
        fprintf(stderr, "no file '%s'\n", path);
        exit(1);
    }
    if (S_ISDIR(status.st_mode)) {
        DIR *folder = opendir(path);
        const struct dirent *entry;
        char inner[4096];
        while (folder && (entry = readdir(folder)))
            if (entry->d_name[0] != '.' &&
                snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name) < (int)sizeof inner)
                replay(inner);
        if (folder)
            closedir(folder);
        return;
    }
    FILE *file = fopen(path, "rb");
    const size_t size = (size_t)status.st_size;
    uint8_t *bytes = malloc(size + 1);
    if (!file || !bytes || fread(bytes, 1, size, file) != size) {
        fprintf(stderr, "cannot read '%s'\n", path);
        exit(1);
    }
    fclose(file);
    LLVMFuzzerTestOneInput(bytes, size);
    free(bytes);
    replayed++;
}

int main(int argc, char **argv)
{
    for (int k = 1; k < argc; k++)
        replay(argv[k]);
    printf("%d inputs\n", replayed);
    return replayed == 0;
}
