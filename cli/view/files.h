/* Files of the pages, and whether those of the model have changed. */
#ifndef CAROM_CLI_VIEW_FILES_H
#define CAROM_CLI_VIEW_FILES_H

#include <stddef.h>
#include <stdint.h>

/* A number that changes with the model file and with those files beside it that models read. */
uint64_t files_mark(const char *model);
/* A new folder for temporary files, whose name is free()d by the caller; NULL: it cannot be made, which was told. */
char *files_folder(void);
/* Removes a folder and all in it. */
void files_remove(const char *folder);
/* Paths of the pages of a folder in their order; *count is their number. Free each and the list. */
char **files_pages(const char *folder, size_t *count);
/* A file as a new text; NULL: it cannot be read. */
char *files_read(const char *path, size_t *size);

#endif
