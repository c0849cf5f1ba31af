/* What the writer and the reader of results share: error text, property lists. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include "result/h5.h"
#include "result/os/os.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *const carom_h5_groups[CAROM_H5_GROUPS] = {"channels", "steps", "snapshots"};

carom_writer_def carom_default_writer_def(void) { return (carom_writer_def){.size = sizeof(carom_writer_def)}; }

/* ---- errors ---- */

/* An HDF5 that is not built for threads (Debian's is) keeps its tables unguarded: one thread at a time calls it,
   whatever its file. The default property lists are shared in any build. */
static pthread_mutex_t library;
static pthread_once_t made = PTHREAD_ONCE_INIT;

static void make_lock(void)
{
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&library, &attributes);
    pthread_mutexattr_destroy(&attributes);
}

void carom_h5_forget_lock(void) { make_lock(); }

void carom_h5_enter(carom_h5_scope *scope)
{
    pthread_once(&made, make_lock);
    pthread_mutex_lock(&library);
    scope->print = NULL;
    scope->data = NULL;
    H5Eget_auto2(H5E_DEFAULT, &scope->print, &scope->data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

void carom_h5_leave(const carom_h5_scope *scope)
{
    H5Eclear2(H5E_DEFAULT);
    H5Eset_auto2(H5E_DEFAULT, scope->print, scope->data);
    pthread_mutex_unlock(&library);
}

/* ---- files that this process has open ---- */

static carom_h5_own *own_files; /* a list, under the lock */

static bool is_file(const carom_h5_own *own, const struct stat *file)
{
    return own->device == (uint64_t)file->st_dev && own->number == (uint64_t)file->st_ino;
}

bool carom_h5_is_own(const struct stat *file)
{
    for (const carom_h5_own *own = own_files; own; own = own->next)
        if (is_file(own, file))
            return true;
    return false;
}

void carom_h5_take_own(const char *path, carom_h5_own *own)
{
    struct stat file;
    if (stat(path, &file) != 0)
        return;
    *own = (carom_h5_own){file.st_dev, file.st_ino, true, own_files};
    own_files = own;
}

void carom_h5_drop_own(carom_h5_own *own)
{
    carom_h5_own **at = &own_files;
    while (own->listed && *at != own)
        at = &(*at)->next;
    if (own->listed)
        *at = own->next;
    own->listed = false;
}

/* The last files that HDF5 could not close, under the lock; a place is used again behind as many others. */
static carom_h5_own lost_files[16];
static size_t lost_count;

bool carom_h5_close(hid_t file, const char *path)
{
    struct stat info;
    if (H5Fclose(file) >= 0)
        return true;
    if (stat(path, &info) == 0)
        lost_files[lost_count++ % CAROM_COUNT(lost_files)] = (carom_h5_own){info.st_dev, info.st_ino, true, NULL};
    return false;
}

bool carom_h5_is_lost(const char *path)
{
    struct stat info;
    if (lost_count == 0 || stat(path, &info) != 0)
        return false;
    for (size_t k = 0; k < CAROM_COUNT(lost_files); k++)
        if (lost_files[k].listed && is_file(&lost_files[k], &info))
            return true;
    return false;
}

typedef struct reason {
    char *out;
    size_t size;
    int number;     /* errno named in the text, 0: none */
} reason;

static herr_t keep_innermost(unsigned n, const H5E_error2_t *error, void *user)
{
    reason *r = user;
    if (n != 0 || !error->desc)
        return 0;
    const char *number = strstr(error->desc, "errno = ");
    if (number)
        r->number = atoi(number + strlen("errno = "));
    snprintf(r->out, r->size, "%s", r->number > 0 ? strerror(r->number) : error->desc);
    return 0;
}

static int find_reason(char *out, size_t size)
{
    reason r = {out, size, 0};
    out[0] = '\0';
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_innermost, &r);
    if (!out[0])
        snprintf(out, size, "no reason given");
    return r.number;
}

void carom_h5_reason(char *out, size_t size) { find_reason(out, size); }

carom_status carom_h5_fail(carom_context *ctx, const char *path, const char *what)
{
    char text[512];
    const char *remedy = "write to another folder, or run again";
    switch (find_reason(text, sizeof text)) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
        remedy = "make room on the disk or write to another folder";
        break;
    case ENOENT:
    case ENOTDIR:
        remedy = "make the folder first";
        break;
    case EACCES:
    case EPERM:
    case EROFS:
        remedy = "write to a folder that you may write to";
        break;
    default:
        break;
    }
    return carom_fail(ctx, CAROM_ERROR_IO, NULL, "%s: %s: %s; %s", path, what, text, remedy);
}

/* ---- property lists, types, attributes ---- */

hid_t carom_h5_access(bool swmr)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    if (access < 0)
        return access;
    /* a torn read of metadata is repeated after 2^n ns: 24 times are 17 ms; HDF5's own 100 never end */
    if (H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) < 0 ||
        H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST) < 0 ||
        (swmr && H5Pset_metadata_read_attempts(access, 24) < 0)) {
        H5Pclose(access);
        return -1;
    }
    return access;
}

hid_t carom_h5_text_type(size_t size)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    if (type >= 0 && (H5Tset_size(type, size) < 0 || H5Tset_cset(type, H5T_CSET_UTF8) < 0)) {
        H5Tclose(type);
        return -1;
    }
    return type;
}

bool carom_h5_put_text(hid_t object, const char *name, const char *text)
{
    char bytes[CAROM_H5_METHODS_SIZE] = "";
    snprintf(bytes, sizeof bytes, "%s", text);
    hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    hid_t type = attribute < 0 ? -1 : H5Aget_type(attribute);
    const size_t size = type < 0 ? 0 : H5Tget_size(type);
    bool done = size > 0 && size <= sizeof bytes;
    if (done) {
        bytes[size - 1] = '\0';
        done = H5Awrite(attribute, type, bytes) >= 0;
    }
    if (type >= 0)
        H5Tclose(type);
    if (attribute >= 0 && H5Aclose(attribute) < 0)
        done = false;
    return done;
}

bool carom_h5_put_ledger(hid_t file, const carom_ledger *ledger)
{
    hid_t group = H5Gopen2(file, "ledger", H5P_DEFAULT);
    bool done = group >= 0;
    for (size_t k = 0; done && k < CAROM_LEDGER_FIELDS; k++) {
        const carom_field *f = &carom_ledger_field[k];
        double value;
        memcpy(&value, (const char *)ledger + f->offset, sizeof value);
        hid_t attribute = H5Aopen(group, f->name, H5P_DEFAULT);
        done = attribute >= 0 && carom_h5_close_sound(H5Aget_type(attribute)) &&
               H5Awrite(attribute, H5T_NATIVE_DOUBLE, &value) >= 0;
        if (attribute >= 0)
            H5Aclose(attribute);
    }
    if (group >= 0)
        H5Gclose(group);
    return done;
}

/* ---- making objects ---- */

bool carom_h5_add(hid_t object, const char *name, hid_t type, const void *value)
{
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t attribute = space < 0 ? -1 : H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    bool done = attribute >= 0 && H5Awrite(attribute, type, value) >= 0;
    if (attribute >= 0)
        H5Aclose(attribute);
    if (space >= 0)
        H5Sclose(space);
    return done;
}

bool carom_h5_add_room(hid_t object, const char *name, size_t size, const char *text)
{
    char value[CAROM_H5_METHODS_SIZE] = "";
    hid_t type = carom_h5_text_type(size);
    snprintf(value, sizeof value, "%s", text);
    bool done = type >= 0 && carom_h5_add(object, name, type, value);
    if (type >= 0)
        H5Tclose(type);
    return done;
}

bool carom_h5_add_text(hid_t object, const char *name, const char *text)
{
    const char *value = text ? text : "";
    hid_t type = carom_h5_text_type(strlen(value) + 1);
    bool done = type >= 0 && carom_h5_add(object, name, type, value);
    if (type >= 0)
        H5Tclose(type);
    return done;
}

hid_t carom_h5_make_dataset(hid_t parent, const char *link, hid_t type, size_t size, bool scalar, size_t chunk_rows,
                            bool packed)
{
    int rank = scalar ? 1 : 2;
    hsize_t now[2] = {0, size}, limit[2] = {H5S_UNLIMITED, size}, chunk[2] = {chunk_rows, size};
    double nan = (double)NAN;
    hid_t space = H5Screate_simple(rank, now, limit);
    hid_t plan = H5Pcreate(H5P_DATASET_CREATE);
    hid_t set = -1;
    bool ready = space >= 0 && plan >= 0 && H5Pset_chunk(plan, rank, chunk) >= 0 &&
                 (!packed || (H5Pset_shuffle(plan) >= 0 && H5Pset_deflate(plan, 1) >= 0)) &&
                 H5Pset_obj_track_times(plan, false) >= 0 &&
                 (H5Tget_class(type) != H5T_FLOAT || H5Pset_fill_value(plan, H5T_NATIVE_DOUBLE, &nan) >= 0);
    if (ready)
        set = H5Dcreate2(parent, link, type, space, H5P_DEFAULT, plan, H5P_DEFAULT);
    if (plan >= 0)
        H5Pclose(plan);
    if (space >= 0)
        H5Sclose(space);
    return set;
}

bool carom_h5_put(hid_t parent, const char *name, hid_t type, hid_t type_of_data, const void *data, hsize_t count,
                  const char *unit, const char *description)
{
    hid_t space = H5Screate_simple(1, &count, NULL), plan = H5Pcreate(H5P_DATASET_CREATE), set = -1;
    if (space >= 0 && plan >= 0 && H5Pset_obj_track_times(plan, false) >= 0)
        set = H5Dcreate2(parent, name, type, space, H5P_DEFAULT, plan, H5P_DEFAULT);
    bool done = set >= 0 && (!unit || carom_h5_add_text(set, "unit", unit)) &&
                carom_h5_add_text(set, "description", description) &&
                (!count || H5Dwrite(set, type_of_data, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
    if (set >= 0) /* what is small is written here */
        done = H5Dclose(set) >= 0 && done;
    if (plan >= 0)
        H5Pclose(plan);
    if (space >= 0)
        H5Sclose(space);
    return done;
}

bool carom_h5_make_texts(hid_t file, const char *name, const char *texts, hsize_t count, size_t size,
                         const char *description)
{
    hid_t type = carom_h5_text_type(size);
    bool done = type >= 0 && carom_h5_put(file, name, type, type, texts, count, NULL, description);
    if (type >= 0)
        H5Tclose(type);
    return done;
}

hid_t carom_h5_make_group(hid_t parent, const char *name)
{
    hid_t plan = H5Pcreate(H5P_GROUP_CREATE);
    hid_t group = -1;
    if (plan >= 0 && H5Pset_obj_track_times(plan, false) >= 0 && H5Pset_attr_phase_change(plan, 64, 0) >= 0)
        group = H5Gcreate2(parent, name, H5P_DEFAULT, plan, H5P_DEFAULT);
    if (plan >= 0)
        H5Pclose(plan);
    return group;
}

/* ---- appending ---- */

bool carom_h5_append(hid_t set, hid_t type, bool scalar, size_t size, hsize_t first, size_t rows, const void *data)
{
    int rank = scalar ? 1 : 2;
    hsize_t extent[2] = {first + rows, size}, start[2] = {first, 0}, count[2] = {rows, size};
    if (H5Dset_extent(set, extent) < 0)
        return false;
    hid_t place = H5Dget_space(set), block = H5Screate_simple(rank, count, NULL);
    bool done = place >= 0 && block >= 0 &&
                H5Sselect_hyperslab(place, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
                H5Dwrite(set, type, block, place, H5P_DEFAULT, data) >= 0;
    if (block >= 0)
        H5Sclose(block);
    if (place >= 0)
        H5Sclose(place);
    return done;
}

void carom_h5_cut(char *out, size_t size, const char *text)
{
    size_t length = (text ? strlen(text) : 0);
    if (length >= size) {
        length = size - 1;
        while (length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80)
            length--;
    }
    memset(out, 0, size);
    if (length)
        memcpy(out, text, length);
}

/* ---- reading objects ---- */

static bool is_within(size_t first, size_t count, size_t room) { return count <= room && first <= room - count; }

/* Most bytes of a number, bits of an exponent, and types in each other. */
#define MOST_NUMBER 16
#define MOST_EXPONENT 32
#define MOST_NESTED 4

/* Whether the bits of a number lie within its bytes. */
static bool is_sound_number(hid_t type, bool real)
{
    const size_t size = H5Tget_size(type), precision = H5Tget_precision(type);
    const int offset = H5Tget_offset(type);
    const H5T_order_t order = H5Tget_order(type);
    size_t sign, exponent, exponent_bits, mantissa, mantissa_bits;
    if (size == 0 || size > MOST_NUMBER || precision == 0 || offset < 0 ||
        !is_within((size_t)offset, precision, 8 * size) ||
        (order != H5T_ORDER_LE && order != H5T_ORDER_BE && order != H5T_ORDER_NONE))
        return false;
    return !real || (H5Tget_fields(type, &sign, &exponent, &exponent_bits, &mantissa, &mantissa_bits) >= 0 &&
                     exponent_bits > 0 && exponent_bits <= MOST_EXPONENT && mantissa_bits > 0 &&
                     is_within(sign, 1, precision) && is_within(exponent, exponent_bits, precision) &&
                     is_within(mantissa, mantissa_bits, precision));
}

static bool is_sound(hid_t type, int depth)
{
    const H5T_class_t class = H5Tget_class(type);
    if (class == H5T_FLOAT || class == H5T_INTEGER)
        return is_sound_number(type, class == H5T_FLOAT);
    if (class == H5T_STRING)
        return H5Tget_size(type) > 0;
    if ((class != H5T_ENUM && class != H5T_ARRAY) || depth == MOST_NESTED)
        return false;
    const hid_t of = H5Tget_super(type);
    const bool sound = of >= 0 && is_sound(of, depth + 1);
    if (of >= 0)
        H5Tclose(of);
    return sound;
}

bool carom_h5_close_sound(hid_t type)
{
    const bool sound = type >= 0 && is_sound(type, 0);
    if (type >= 0)
        H5Tclose(type);
    return sound;
}

bool carom_h5_read_attribute(hid_t object, const char *name, hid_t type, void *out)
{
    hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    hid_t space = attribute < 0 ? -1 : H5Aget_space(attribute);
    bool done = space >= 0 && H5Sget_simple_extent_npoints(space) == 1 &&
                carom_h5_close_sound(H5Aget_type(attribute)) && H5Aread(attribute, type, out) >= 0;
    if (space >= 0)
        H5Sclose(space);
    if (attribute >= 0)
        H5Aclose(attribute);
    return done;
}

/* Whether a dataset that is not in chunks has so many bytes: HDF5 reads others from nowhere. */
static bool has_bytes(hid_t set, hsize_t numbers)
{
    const hid_t plan = H5Dget_create_plist(set), type = H5Dget_type(set);
    const bool chunked = plan >= 0 && H5Pget_layout(plan) == H5D_CHUNKED;
    const size_t size = type < 0 ? 0 : H5Tget_size(type);
    if (plan >= 0)
        H5Pclose(plan);
    return carom_h5_close_sound(type) && (chunked || H5Dget_storage_size(set) / size >= numbers);
}

bool carom_h5_measure(hid_t set, hsize_t *rows, hsize_t *columns, int *rank)
{
    hsize_t extent[2] = {0, 1};
    hid_t space = H5Dget_space(set);
    *rank = space < 0 ? -1 : H5Sget_simple_extent_ndims(space);
    bool fits = (*rank == 1 || *rank == 2) && H5Sget_simple_extent_dims(space, extent, NULL) >= 0;
    if (space >= 0)
        H5Sclose(space);
    *rows = extent[0];
    *columns = extent[1];
    return fits && *rows <= INT_MAX && *columns <= INT_MAX && has_bytes(set, *rows * *columns);
}

/* ---- who has the file ---- */

bool carom_h5_is_being_written(const char *path)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return errno != ENOENT;
    const bool held = carom_os_is_shared(file);
    close(file);
    return held;
}

/* ---- files that were not closed ---- */

void carom_h5_divert(hid_t file)
{
    void *handle = NULL;
    int scratch = carom_os_scratch();
    if (scratch < 0)
        return;
    if (H5Fget_vfd_handle(file, H5P_DEFAULT, &handle) >= 0 && handle)
        dup2(scratch, *(int *)handle);
    close(scratch);
}

/* The steps of `h5clear --status --increment=0`: the recorded end of the file is moved to its real end, without which
   closing would cut it off. In SWMR mode, so that whoever is killed at it leaves the file as it was, and with the lock
   of a writer, so that one at a time does it. */
bool carom_h5_repair(const char *path, const char *status)
{
    const hbool_t yes = true;
    if (carom_h5_is_lost(path))
        return false;
    hid_t list = carom_h5_access(false);
    hid_t file = -1;
    if (list >= 0 && H5Pset(list, "clear_status_flags", &yes) >= 0 && H5Pset(list, "skip_eof_check", &yes) >= 0)
        file = H5Fopen(path, H5F_ACC_RDWR | H5F_ACC_SWMR_WRITE, list);
    if (list >= 0)
        H5Pclose(list);
    if (file < 0)
        return false;
    int lock = open(path, O_RDONLY | O_CLOEXEC);
    if (lock >= 0)
        carom_os_share(lock);
    bool done = H5Fincrement_filesize(file, 0) >= 0 && carom_h5_put_text(file, "status", status) &&
                H5Fflush(file, H5F_SCOPE_LOCAL) >= 0;
    if (!done)
        carom_h5_divert(file);
    done = carom_h5_close(file, path) && done;
    if (lock >= 0)
        close(lock);
    return done;
}
