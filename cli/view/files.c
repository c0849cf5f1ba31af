/* Files of `carom view`. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include "view/files.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/cli.h"

enum { MOST_FILES = 2000 };

/* ---- changes ---- */

static uint64_t mix(uint64_t mark, const void *bytes, size_t size)
{
    for (size_t k = 0; k < size; k++)
        mark = (mark ^ ((const unsigned char *)bytes)[k]) * 0x100000001b3u;
    return mark;
}

static uint64_t mark_of(const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
        return 0;
    const int64_t parts[] = {(int64_t)status.st_mtim.tv_sec, (int64_t)status.st_mtim.tv_nsec, (int64_t)status.st_size,
                             (int64_t)status.st_ino};
    return mix(0xcbf29ce484222325u, parts, sizeof parts);
}

/* Whether a model may read files of that name: parts, robots, meshes, records. */
static bool may_be_read(const char *name)
{
    static const char *const endings[] = {".yaml", ".yml", ".urdf", ".xml", ".mjcf", ".csv", ".stl", ".obj", ".dae"};
    const char *ending = strrchr(name, '.');
    for (size_t k = 0; k < COUNT(endings) && ending; k++)
        if (strcmp(ending, endings[k]) == 0)
            return true;
    return false;
}

static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash)
        return format_text(".");
    return format_text("%.*s", slash == path ? 1 : (int)(slash - path), path);
}

uint64_t files_mark(const char *model)
{
    uint64_t mark = mark_of(model);
    char *folder = folder_of(model);
    DIR *directory = folder ? opendir(folder) : NULL;
    const struct dirent *entry;
    int count = 0;
    while (directory && (entry = readdir(directory)) && count < MOST_FILES) {
        if (!may_be_read(entry->d_name))
            continue;
        char *path = format_text("%s/%s", folder, entry->d_name);
        count++;
        /* a sum, which does not depend on the order of the folder */
        if (path)
            mark += mark_of(path);
        free(path);
    }
    if (directory)
        closedir(directory);
    free(folder);
    return mark;
}

/* ---- folders and pages ---- */

char *files_folder(void)
{
    const char *root = getenv("TMPDIR");
    char *name = format_text("%s/carom-view-XXXXXX", root && *root ? root : "/tmp");
    if (name && mkdtemp(name))
        return name;
    print_error("view: cannot make a folder for its pages, '%s': %s", name ? name : "", strerror(errno));
    free(name);
    return NULL;
}

void files_remove(const char *folder)
{
    DIR *directory = opendir(folder);
    const struct dirent *entry;
    while (directory && (entry = readdir(directory))) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        char *path = format_text("%s/%s", folder, entry->d_name);
        struct stat status;
        if (path && lstat(path, &status) == 0 && S_ISDIR(status.st_mode))
            files_remove(path);
        else if (path)
            unlink(path);
        free(path);
    }
    if (directory)
        closedir(directory);
    rmdir(folder);
}

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

char **files_pages(const char *folder, size_t *count)
{
    DIR *directory = opendir(folder);
    const struct dirent *entry;
    char **pages = NULL;
    *count = 0;
    while (directory && (entry = readdir(directory))) {
        const char *ending = strrchr(entry->d_name, '.');
        if (!ending || strcmp(ending, ".html") != 0)
            continue;
        char **more = realloc(pages, (*count + 1) * sizeof *pages);
        if (!more)
            break;
        pages = more;
        if ((pages[*count] = format_text("%s/%s", folder, entry->d_name)))
            ++*count;
    }
    if (directory)
        closedir(directory);
    if (*count > 1)
        qsort(pages, *count, sizeof *pages, by_name);
    return pages;
}

char *files_read(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    struct stat status;
    char *text = file && fstat(fileno(file), &status) == 0 ? malloc((size_t)status.st_size + 1) : NULL;
    *size = text ? fread(text, 1, (size_t)status.st_size, file) : 0;
    if (text && ferror(file)) {
        free(text);
        text = NULL;
    }
    if (text)
        text[*size] = 0;
    if (file)
        fclose(file);
    return text;
}
