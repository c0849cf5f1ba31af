/* Signals that end the work of a command. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* SA_ONSTACK */
#endif
#include "support/cli.h"
#include "support/signals.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static atomic_int caught; /* number of the signal; read by all threads */

static void catch_signal(int number) { atomic_store(&caught, number); }

int caught_signal(void) { return atomic_load(&caught); }

void watch_signals(void)
{
    struct sigaction action = {.sa_handler = catch_signal, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    atomic_store(&caught, 0);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    /* a reader of the output that leaves does not end the run: its results are in a file */
    signal(SIGPIPE, SIG_IGN);
}

/* ---- faults in the program or in a library ---- */

static void say(const char *text) { (void)!write(STDERR_FILENO, text, strlen(text)); }

/* Libraries that cannot go on without memory, such as HDF5 and fontconfig, end by a signal. Where the user wants a core
   file the signal goes on. */
static void end_by_fault(int number)
{
    struct rlimit core;
    const char digits[3] = {(char)('0' + number / 10), (char)('0' + number % 10), 0};
    say("carom: error: a fault in the program or in a library (signal ");
    say(digits + (number < 10));
    say("): memory may be short; results up to there are kept. Please report it if memory is not short\n");
    if (getrlimit(RLIMIT_CORE, &core) == 0 && core.rlim_cur > 0) {
        raise(number);
        return;
    }
    _exit(EXIT_SOLVER);
}

/* The sanitizers catch faults themselves, say more, and have such stacks of their own, which they unmap. */
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define WATCHES_FAULTS 1
#else
#define WATCHES_FAULTS 0
#endif

void watch_faults_of_thread(void)
{
    if (!WATCHES_FAULTS)
        return;
    static _Thread_local char stack[1 << 14];
    const stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
    sigaltstack(&other, NULL);
}

void watch_faults(void)
{
    /* who may not write larger files is told by the write that fails */
    signal(SIGXFSZ, SIG_IGN);
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    struct sigaction action = {.sa_handler = end_by_fault, .sa_flags = (int)(SA_RESETHAND | SA_ONSTACK)};
    sigemptyset(&action.sa_mask);
    watch_faults_of_thread();
    for (size_t k = 0; WATCHES_FAULTS && k < COUNT(faults); k++)
        sigaction(faults[k], &action, NULL);
}
