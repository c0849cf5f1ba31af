/* What the library of results asks of the system beyond POSIX of all systems, one file a thing. Each has a portable way
   as well, which is taken where the other one is not there, with the build's option CAROM_PORTABLE, and by tests. */
#ifndef CAROM_RESULT_OS_H
#define CAROM_RESULT_OS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* True: the portable ways are taken. Set before the first call. */
extern bool carom_os_portable;

/* ---- room.c ---- */

/* Makes sure that `size` bytes from `from` on, which is the end of the file or lies before it, can be written, and
   makes the file so long. Returns 0 or the number of an error. posix_fallocate(); else zeros are written behind the
   end. */
int carom_os_reserve(int file, off_t from, off_t size);

/* ---- scratch.c ---- */

/* Opens an unnamed file that nobody keeps. -1: there is none. memfd_create(); else a file that is removed at once. */
int carom_os_scratch(void);

/* ---- lock.c: flock(); else the record locks of fcntl(), which a process does not have against itself, and loses when
   it closes any descriptor of the file; folders have none ---- */

/* Says that a file is in use, until it is closed or carom_os_unlock(); false: it cannot. */
bool carom_os_share(int file);
/* Waits until nobody else has a folder; false: it cannot be locked. */
bool carom_os_take_folder(int folder);
void carom_os_unlock(int file);
/* Whether somebody has said that the file is in use. */
bool carom_os_is_shared(int file);

/* ---- process.c: /proc/self; else not known, and all numbers that a descriptor can have ---- */

/* A pipe that ends with the process. False: there is none, see errno. pipe2(); else pipe() and fcntl(). */
bool carom_os_pipe(int ends[2]);

/* Bytes of the address space of this process; 0: not known. */
uint64_t carom_os_address_space(void);
/* Calls `take` with each open descriptor above 2. */
void carom_os_each_file(void (*take)(void *user, int file), void *user);

#endif
