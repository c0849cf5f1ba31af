/* `carom run` of the model in a process of its own, whose pages the server shows. */
#ifndef CAROM_CLI_VIEW_CHILD_H
#define CAROM_CLI_VIEW_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

typedef struct child {
    pid_t pid;      /* 0: none runs */
    int messages;   /* what it says on standard error is read from here */
    char *folder;   /* of its pages */
    char *text;     /* what it has said */
    size_t length;
    int status;     /* exit status, once it has ended */
} child;

/* Starts a run whose results go to `folder`, with the options of `arguments`, a list that ends with NULL. Returns an
   exit status and has said what went wrong. */
int child_start(child *c, const char *model, const char *folder, const char *const *arguments);
/* Whether it has ended, with what it said in `text` and its status. */
bool child_ended(child *c);
/* Ends it at once; frees. */
void child_stop(child *c);

#endif
