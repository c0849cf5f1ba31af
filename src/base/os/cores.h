/* Processor cores that this process may use: sched_getaffinity(); else, and with the option CAROM_PORTABLE, all that
   there are. */
#ifndef CAROM_BASE_OS_CORES_H
#define CAROM_BASE_OS_CORES_H

/* At least 1. `portable`: in the way of all systems. */
int carom_os_cores(int portable);

#endif
