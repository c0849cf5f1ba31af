/* The user's browser. */
#ifndef CAROM_CLI_BROWSER_H
#define CAROM_CLI_BROWSER_H

#include <stdbool.h>

/* Whether there is a screen on which a browser can show something. */
bool browser_is_there(void);
/* Opens a file or an address in the user's browser and does not wait for it; false where no program does so. */
bool browser_open(const char *address);

#endif
