/* Where this program is: /proc/self/exe; elsewhere nobody knows. */
#ifndef CAROM_CLI_OWN_PATH_H
#define CAROM_CLI_OWN_PATH_H

#include <stddef.h>

/* Path of a program beside this one, or its name alone, which is looked for in PATH; NULL: out of memory. free() it. */
char *path_beside(const char *name);

#endif
