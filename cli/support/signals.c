/* Signals that end the work of a command. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include "support/signals.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int caught; /* number of the signal; read by all threads */

static void catch_signal(int number) { atomic_store(&caught, number); }

int caught_signal(void) { return atomic_load(&caught); }

void watch_signals(void)
{
    struct sigaction action = {.sa_handler = catch_signal, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    /* a reader of the output that leaves does not end the run: its results are in a file */
    signal(SIGPIPE, SIG_IGN);
}
