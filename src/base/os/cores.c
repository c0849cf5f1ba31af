/* Processor cores. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* sched_getaffinity() */
#endif
#include "base/os/cores.h"

#include <sched.h>
#include <unistd.h>

int carom_os_cores(int portable)
{
#if defined(CPU_COUNT) && !defined(CAROM_PORTABLE)
    cpu_set_t own;
    if (!portable && sched_getaffinity(0, sizeof own, &own) == 0)
        return CPU_COUNT(&own);
#endif
    (void)portable;
    const long all = sysconf(_SC_NPROCESSORS_ONLN);
    return all < 1 ? 1 : (int)all;
}
