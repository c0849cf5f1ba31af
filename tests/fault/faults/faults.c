/* Stands before functions of the C library, in a program that is started with LD_PRELOAD: the call number
   CAROM_FAULT_AT of the functions of the kind CAROM_FAULT fails with CAROM_FAULT_ERRNO, with CAROM_FAULT_ON=1 all later
   ones as well. Calls count from the beginning of main(), which opens /dev/null. A fault that came to pass is told in
   the file CAROM_FAULT_TOLD. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);

static atomic_bool armed;
static atomic_long calls;
static long fail_at;
static int number, going_on;
static char kind[16];
static const char *told;

__attribute__((constructor)) static void begin(void)
{
    const char *at = getenv("CAROM_FAULT_AT"), *error = getenv("CAROM_FAULT_ERRNO"), *what = getenv("CAROM_FAULT");
    going_on = getenv("CAROM_FAULT_ON") != NULL;
    fail_at = at ? atol(at) : 0;
    number = error ? atoi(error) : ENOMEM;
    told = getenv("CAROM_FAULT_TOLD");
    for (size_t k = 0; what && what[k] && k + 1 < sizeof kind; k++)
        kind[k] = what[k];
}

static bool fails(const char *what)
{
    if (!atomic_load(&armed) || fail_at <= 0 || strcmp(what, kind) != 0)
        return false;
    const long call = atomic_fetch_add(&calls, 1) + 1;
    if (call != fail_at && !(going_on && call > fail_at))
        return false;
    if (call == fail_at && told) {
        const long file = syscall(SYS_openat, AT_FDCWD, told, O_WRONLY | O_CREAT, 0666);
        if (file >= 0)
            syscall(SYS_close, file);
    }
    errno = number;
    return true;
}

#define NEXT(result, name, ...)                                      \
    static result (*next)(__VA_ARGS__);                              \
    if (!next)                                                       \
        *(void **)&next = dlsym(RTLD_NEXT, name)

void *malloc(size_t size) { return fails("memory") ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return fails("memory") ? NULL : __libc_calloc(count, size); }
void *realloc(void *block, size_t size) { return fails("memory") ? NULL : __libc_realloc(block, size); }

static bool is_first(const char *path)
{
    if (strcmp(path, "/dev/null") == 0)
        atomic_store(&armed, true);
    return false;
}

int open(const char *path, int flags, ...)
{
    va_list args;
    va_start(args, flags);
    const int mode = flags & O_CREAT ? va_arg(args, int) : 0;
    va_end(args);
    if (fails("open"))
        return -1;
    is_first(path);
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
    va_list args;
    va_start(args, flags);
    const int mode = flags & O_CREAT ? va_arg(args, int) : 0;
    va_end(args);
    if (fails("open"))
        return -1;
    is_first(path);
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

FILE *fopen(const char *path, const char *mode)
{
    NEXT(FILE *, "fopen", const char *, const char *);
    return fails("open") ? NULL : next(path, mode);
}

FILE *fopen64(const char *path, const char *mode)
{
    NEXT(FILE *, "fopen64", const char *, const char *);
    return fails("open") ? NULL : next(path, mode);
}

size_t fwrite(const void *bytes, size_t size, size_t count, FILE *file)
{
    NEXT(size_t, "fwrite", const void *, size_t, size_t, FILE *);
    if (file == stderr || !fails("write"))
        return next(bytes, size, count, file);
    file->_flags |= 0x20; /* what ferror() tells in glibc */
    return 0;
}

size_t fread(void *bytes, size_t size, size_t count, FILE *file)
{
    NEXT(size_t, "fread", void *, size_t, size_t, FILE *);
    if (!fails("read"))
        return next(bytes, size, count, file);
    file->_flags |= 0x20;
    return 0;
}

ssize_t read(int file, void *bytes, size_t count)
{
    return fails("read") ? -1 : syscall(SYS_read, file, bytes, count);
}

ssize_t write(int file, const void *bytes, size_t count)
{
    return file != 2 && fails("write") ? -1 : syscall(SYS_write, file, bytes, count);
}

ssize_t pread(int file, void *bytes, size_t count, off_t offset)
{
    return fails("read") ? -1 : syscall(SYS_pread64, file, bytes, count, offset);
}

ssize_t pread64(int file, void *bytes, size_t count, off64_t offset)
{
    return fails("read") ? -1 : syscall(SYS_pread64, file, bytes, count, offset);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset)
{
    return fails("write") ? -1 : syscall(SYS_pwrite64, file, bytes, count, offset);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset)
{
    return fails("write") ? -1 : syscall(SYS_pwrite64, file, bytes, count, offset);
}

int posix_fallocate(int file, off_t offset, off_t count)
{
    if (fails("room"))
        return number;
    return syscall(SYS_fallocate, file, 0, offset, count) == 0 ? 0 : errno;
}

int ftruncate(int file, off_t size) { return fails("room") ? -1 : (int)syscall(SYS_ftruncate, file, size); }
int ftruncate64(int file, off64_t size) { return fails("room") ? -1 : (int)syscall(SYS_ftruncate, file, size); }
int fsync(int file) { return fails("sync") ? -1 : (int)syscall(SYS_fsync, file); }
int fdatasync(int file) { return fails("sync") ? -1 : (int)syscall(SYS_fdatasync, file); }

int rename(const char *from, const char *to)
{
    return fails("rename") ? -1 : (int)syscall(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to);
}

void *mmap(void *at, size_t size, int protection, int flags, int file, off_t offset)
{
    return fails("mmap") ? MAP_FAILED : (void *)syscall(SYS_mmap, at, size, protection, flags, file, offset);
}
