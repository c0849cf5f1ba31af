/* What to say of a file that cannot be opened, with the one that was meant. */
#include "base/base.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Names of files up to these are looked at. */
#define NAME 64
#define PATH 1000

/* Length of a name without its ending. */
static size_t stem_of(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot && dot != name ? (size_t)(dot - name) : strlen(name);
}

/* The nearer of two names to a word, *best "": none yet; of two as near the first in the alphabet. */
static void take_nearer(const char *word, const char *name, char best[NAME])
{
    const bool first = !best[0] || strcmp(name, best) < 0;
    const char *pair[] = {first ? name : best, first ? best : name};
    const char *nearest = carom_nearest_name(word, pair, best[0] ? 2 : 1);
    if (nearest && nearest != best)
        snprintf(best, NAME, "%s", nearest);
}

/* The name in a folder that is nearest to one that is not there: one with its ending and a near stem, else one with its
   stem and a near ending, else with any; "" if none is near. */
static void find_near(const char *folder, const char *name, char near[NAME])
{
    const size_t stem = stem_of(name);
    char word[NAME], best[NAME] = "", other[NAME] = "", any[NAME] = "";
    DIR *entries = strlen(name) < NAME ? opendir(folder) : NULL;
    near[0] = '\0';
    if (!entries)
        return;
    snprintf(word, sizeof word, "%.*s", (int)stem, name);
    for (const struct dirent *e; (e = readdir(entries)) != NULL;) {
        char own[NAME];
        const size_t length = stem_of(e->d_name);
        if (e->d_name[0] == '.' || strlen(e->d_name) >= NAME)
            continue;
        snprintf(own, sizeof own, "%.*s", (int)length, e->d_name);
        if (strcmp(e->d_name + length, name + stem) == 0)
            take_nearer(word, own, best);
        if (strcmp(own, word) != 0)
            continue;
        take_nearer(name, e->d_name, other);
        if (!any[0] || strcmp(e->d_name, any) < 0)
            snprintf(any, sizeof any, "%s", e->d_name);
    }
    closedir(entries);
    if (best[0])
        snprintf(near, NAME, "%.*s%.*s", (int)strlen(best), best, (int)(NAME - 1 - strlen(best)), name + stem);
    else
        snprintf(near, NAME, "%s", other[0] ? other : any);
}

/* The path that was meant; false: none is near. */
static bool find_meant(const char *path, char meant[PATH])
{
    char folder[PATH], near[NAME];
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    if (strlen(path) + NAME >= PATH || !*name)
        return false;
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
    if (access(*folder ? folder : "/", F_OK) == 0) {
        find_near(*folder ? folder : "/", name, near);
        snprintf(meant, PATH, "%.*s%s", (int)(name - path), path, near);
        return near[0] != '\0';
    }
    /* the folder is misspelt */
    char *last = strrchr(folder, '/'), parent[PATH];
    snprintf(parent, sizeof parent, "%.*s", last ? (int)(last - folder) : 1, last ? folder : ".");
    find_near(*parent ? parent : "/", last ? last + 1 : folder, near);
    const int begin = last ? (int)(last + 1 - folder) : 0;
    const int length = snprintf(meant, PATH, "%.*s%s/%s", begin, folder, near, name);
    return near[0] && length < PATH && access(meant, F_OK) == 0;
}

carom_status carom_fail_open(carom_context *ctx, const char *path)
{
    const int reason = errno;
    char meant[PATH];
    if ((reason == ENOENT || reason == ENOTDIR) && find_meant(path, meant))
        return carom_fail(ctx, CAROM_ERROR_IO, NULL, "%.1000s: cannot be opened: %s; did you mean '%s'?", path,
                          strerror(reason), meant);
    return carom_fail(ctx, CAROM_ERROR_IO, NULL, "%.1000s: cannot be opened: %s; check the name", path,
                      strerror(reason));
}
