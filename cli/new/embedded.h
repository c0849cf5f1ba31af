/* Texts that the program carries. */
#ifndef CAROM_CLI_EMBEDDED_H
#define CAROM_CLI_EMBEDDED_H

typedef struct embedded_text {
    const char *name, *text;    /* file name without ending */
} embedded_text;

/* The models of cli/new/models by name; ends with a name NULL. */
extern const embedded_text carom_embedded[];

#endif
