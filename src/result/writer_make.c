/* Makes the file of a result: all its objects, before the run. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include "result/os/os.h"
#include "result/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* With more channels their datasets are open only while they are written, since the begin of SWMR mode and each flush
   of the file look at all that are, and gaps in the file are not listed. HDF5 then cannot let go of a file to which it
   could not write, and says so at the end of the process. */
#define MOST_OPEN 200
#define NAME_SIZE 64            /* bytes of a contact's name, at least */
#define ALIGNMENT 512           /* of all objects in the file; divides a page of the memory [bytes] */

static size_t text_length(const char *text) { return text ? strlen(text) : 0; }

static bool add_text(hid_t object, const char *name, const char *text) { return carom_h5_add_text(object, name, text); }

/* ---- datasets ---- */

/* The numbers of complete rows: written after a block is flushed, so that readers of a file that was not closed know
   what of it is whole. */
static bool make_complete(carom_writer *w)
{
    const hsize_t count = CAROM_H5_COMPLETE_COUNT;
    const int64_t none[CAROM_H5_COMPLETE_COUNT] = {0};
    hid_t space = H5Screate_simple(1, &count, NULL), plan = H5Pcreate(H5P_DATASET_CREATE);
    if (space >= 0 && plan >= 0 && H5Pset_obj_track_times(plan, false) >= 0 &&
        H5Pset_alloc_time(plan, H5D_ALLOC_TIME_EARLY) >= 0)
        w->complete = H5Dcreate2(w->file, CAROM_H5_COMPLETE, H5T_STD_I64LE, space, H5P_DEFAULT, plan, H5P_DEFAULT);
    if (plan >= 0)
        H5Pclose(plan);
    if (space >= 0)
        H5Sclose(space);
    return w->complete >= 0 && H5Dwrite(w->complete, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, none) >= 0 &&
           add_text(w->complete, "unit", "1") &&
           add_text(w->complete, "description",
                    "Numbers of complete rows of /channels, /steps, /impacts, /snapshots and /warnings.");
}

static bool make_time(hid_t parent, carom_row_group *group, const char *description)
{
    group->time = (carom_column){.id = -1, .size = 1, .scalar = true};
    const hid_t set = group->time.id = carom_column_make(parent, "time", &group->time, group->chunk);
    return set >= 0 && add_text(set, "name", "time") && add_text(set, "unit", "s") && add_text(set, "components", "") &&
           add_text(set, "description", description);
}

/* Component names separated by blanks; NULL when out of memory. */
static char *join_components(carom_writer *w, const carom_channel *c)
{
    char *joined = carom_arena_text(&w->arena, c->components ? c->components[0] : "");
    for (int k = 1; joined && k < c->size; k++)
        joined = carom_arena_format(&w->arena, "%s %s", joined, c->components[k]);
    return joined;
}

static carom_status make_channel(carom_writer *w, hid_t parent, const carom_channel *c, size_t index)
{
    char *link = carom_arena_text(&w->arena, c->name);
    char *components = join_components(w, c);
    if (!link || !components)
        return carom_fail_memory(w->ctx);
    for (char *p = link; *p; p++)
        if (*p == '/')
            *p = '|';
    carom_column *d = &w->channels[index];
    *d = (carom_column){.id = -1, .group = c->group, .size = (size_t)c->size, .offset = w->groups[c->group].width};
    d->scalar = !c->components;
    w->groups[c->group].width += d->size;
    d->link = carom_arena_format(&w->arena, "%s/%s", carom_h5_groups[c->group], link);
    if (!d->link || carom_column_room(&w->arena, d, w->groups[c->group].chunk) != CAROM_OK)
        return carom_fail_memory(w->ctx);
    hid_t set = carom_column_make(parent, link, d, w->groups[c->group].chunk);
    int64_t position = (int64_t)index;
    bool done = set >= 0 && add_text(set, "name", c->name) && add_text(set, "unit", c->unit) &&
                add_text(set, "components", components) && add_text(set, "description", c->description) &&
                (!c->type || (add_text(set, "type", c->type) && add_text(set, "object", c->object) &&
                              add_text(set, "quantity", c->quantity))) &&
                carom_h5_add(set, "index", H5T_NATIVE_INT64, &position);
    if (done && !w->many)
        d->id = set;
    else if (set >= 0)
        H5Dclose(set);
    if (!done) {
        char what[256];
        snprintf(what, sizeof what, "no dataset for the channel '%.150s' could be made", c->name);
        return carom_h5_fail(w->ctx, w->path, what);
    }
    return CAROM_OK;
}

static carom_status make_channels(carom_writer *w, const carom_writer_def *def)
{
    static const char *const descriptions[CAROM_H5_GROUPS] = {
        "Times of the rows of /channels.", "Times of the rows of /steps: solver steps with a contact open.",
        "Times of the rows of /frames: the output interval, and densely in contacts."};
    hid_t parents[CAROM_H5_GROUPS];
    carom_status status = CAROM_OK;
    for (int g = 0; g < CAROM_H5_GROUPS; g++) {
        parents[g] = carom_h5_make_group(w->file, carom_h5_groups[g]);
        if (parents[g] < 0 || !make_time(g == 0 ? w->file : parents[g], &w->groups[g], descriptions[g]))
            status = carom_h5_fail(w->ctx, w->path, "cannot be filled");
    }
    for (size_t k = 0; status == CAROM_OK && k < def->channel_count; k++)
        status = make_channel(w, parents[def->channels[k].group], &def->channels[k], k);
    for (int g = 0; g < CAROM_H5_GROUPS; g++)
        if (parents[g] >= 0)
            H5Gclose(parents[g]);
    return status;
}

static bool make_warnings(carom_writer *w)
{
    hid_t type = carom_h5_text_type(CAROM_H5_WARNING_SIZE);
    w->warnings = type < 0 ? -1 : carom_h5_make_dataset(w->file, "warnings", type, 1, true, CAROM_WARNING_CHUNK, false);
    if (type >= 0)
        H5Tclose(type);
    return w->warnings >= 0 && add_text(w->warnings, "description", "Warnings of the run.");
}

/* The overrides, texts of equal length. */
static carom_status make_overrides(carom_writer *w, const carom_writer_def *def)
{
    const hsize_t count = def->override_count;
    const size_t size = carom_room_of_override(def);
    char *texts = carom_arena_alloc(&w->arena, count, size);
    if (!texts)
        return carom_fail_memory(w->ctx);
    for (size_t k = 0; k < count; k++)
        memcpy(texts + k * size, def->overrides[k], text_length(def->overrides[k]));
    const bool made = carom_h5_make_texts(w->file, "overrides", texts, count, size,
                                          "Parameters that replaced those of the model text.");
    return made ? CAROM_OK : carom_h5_fail(w->ctx, w->path, "cannot be filled");
}

static carom_status make_tables(carom_writer *w)
{
    hid_t impacts = carom_h5_make_group(w->file, "impacts"), ledger = carom_h5_make_group(w->file, "ledger");
    hid_t text = carom_h5_text_type(w->name_size);
    bool done = impacts >= 0 && ledger >= 0 && text >= 0 && make_complete(w) && make_warnings(w) &&
                carom_row_table_make(w->file, &w->events) &&
                carom_row_table_make(w->file, &w->rests);
    for (size_t k = 0; done && k < CAROM_IMPACT_FIELDS; k++) {
        const carom_field *f = &carom_impact_field[k];
        hid_t type = f->type == CAROM_FIELD_TEXT    ? text
                     : f->type == CAROM_FIELD_INDEX ? H5T_STD_I64LE
                                                 : H5T_IEEE_F64LE;
        hid_t set = carom_h5_make_dataset(impacts, f->name, type, 1, true, CAROM_IMPACTS_HELD, true);
        w->columns[k] = set;
        done = set >= 0 && add_text(set, "unit", f->unit) && add_text(set, "description", f->description);
    }
    const double none = (double)NAN;
    if (done)
        done = add_text(ledger, "unit", "J");
    for (size_t k = 0; done && k < CAROM_LEDGER_FIELDS; k++)
        done = carom_h5_add(ledger, carom_ledger_field[k].name, H5T_IEEE_F64LE, &none);
    carom_status status = done ? CAROM_OK : carom_h5_fail(w->ctx, w->path, "cannot be filled");
    if (text >= 0)
        H5Tclose(text);
    if (impacts >= 0)
        H5Gclose(impacts);
    if (ledger >= 0)
        H5Gclose(ledger);
    return status;
}

static carom_status make_attributes(carom_writer *w, const carom_writer_def *def)
{
    char host[256] = "";
    if (gethostname(host, sizeof host - 1) != 0)
        snprintf(host, sizeof host, "unknown");
    if (add_text(w->file, "format", CAROM_H5_FORMAT) && add_text(w->file, "version", carom_version()) &&
        add_text(w->file, "model_name", def->model_name) && add_text(w->file, "title", def->title) &&
        add_text(w->file, "model_text", def->model_text) && add_text(w->file, "options", def->options) &&
        add_text(w->file, "host", host) && carom_h5_add_room(w->file, "methods", CAROM_H5_METHODS_SIZE, "") &&
        carom_h5_add_room(w->file, "status", CAROM_H5_STATUS_SIZE, "running"))
        return CAROM_OK;
    return carom_h5_fail(w->ctx, w->path, "cannot be filled");
}

/* ---- creation ---- */

static carom_status check_channel(carom_context *ctx, const carom_channel *c, size_t index)
{
    if (!c->name || !c->name[0])
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "channel %zu has no name; give it one", index);
    for (const char *at = c->name; *at; at++)
        if ((unsigned char)*at < ' ' || *at == 0x7f)
            return carom_fail(ctx, CAROM_ERROR_USAGE, NULL,
                              "channel %zu: its name has a control character; leave it out", index);
    if (c->group < 0 || c->group >= CAROM_H5_GROUPS)
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "channel '%s': group %d; it is 0, 1 or 2", c->name, c->group);
    if (c->group > 0 && strcmp(c->name, "time") == 0)
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "channel 'time': the name is taken; choose another");
    if (c->size < 1 || (c->size > 1 && !c->components))
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL,
                          "channel '%s': size %d without names of components; a scalar has size 1", c->name, c->size);
    for (int k = 0; c->components && k < c->size; k++)
        if (!c->components[k] || !c->components[k][0] || strpbrk(c->components[k], " \t\n"))
            return carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "channel '%s': component %d has no name without blanks",
                              c->name, k);
    return CAROM_OK;
}

static carom_status check_def(carom_context *ctx, const carom_writer_def *def)
{
    if (!def || !def->path || !def->path[0])
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "a result needs a path; give the name of a file");
    if (def->channel_count > INT_MAX || (def->channel_count && !def->channels))
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "%s: %zu channels without a list", def->path,
                          def->channel_count);
    for (size_t k = 0; k < def->channel_count; k++)
        CAROM_TRY(check_channel(ctx, &def->channels[k], k));
    return CAROM_OK;
}

/* Room for the chunks of the times, and for one of the widest channel. */
static bool make_room(carom_writer *w, const carom_writer_def *def)
{
    size_t widest = 1;
    bool made = true;
    for (int g = 0; g < CAROM_H5_GROUPS; g++)
        widest = w->groups[g].chunk > widest ? w->groups[g].chunk : widest;
    for (size_t k = 0; k < def->channel_count; k++) {
        const size_t numbers = w->groups[def->channels[k].group].chunk * (size_t)def->channels[k].size;
        widest = numbers > widest ? numbers : widest;
    }
    for (int g = 0; made && g < CAROM_H5_GROUPS; g++)
        made = carom_column_room(&w->arena, &w->groups[g].time, w->groups[g].chunk) == CAROM_OK;
    w->packer = made ? carom_packer_create(&w->arena, widest) : NULL;
    return w->packer != NULL;
}

static carom_status make_writer(carom_context *ctx, const carom_writer_def *def, carom_writer **out)
{
    carom_writer *w = carom_allocate(ctx, 1, sizeof *w);
    if (!w)
        return carom_fail_memory(ctx);
    *out = w;
    w->ctx = ctx;
    w->file = -1;
    w->disk = -1;
    w->complete = -1;
    carom_arena_init(&w->arena, ctx);
    w->many = def->channel_count > MOST_OPEN;
    w->most = def->most_bytes;
    for (int g = 0; g < CAROM_H5_GROUPS; g++)
        w->groups[g].chunk = carom_column_chunk(def, g);
    w->name_size = NAME_SIZE;
    for (size_t k = 0; k < def->channel_count; k++) {
        /* a contact's name is part of the names of its channels, so the longest of these holds it */
        if (strlen(def->channels[k].name) + 1 > w->name_size)
            w->name_size = strlen(def->channels[k].name) + 1;
    }
    w->channel_count = def->channel_count;
    w->path = carom_arena_text(&w->arena, def->path);
    w->channels = carom_arena_alloc(&w->arena, def->channel_count, sizeof *w->channels);
    w->held = carom_arena_alloc(&w->arena, CAROM_IMPACTS_HELD, sizeof *w->held);
    w->names = carom_arena_alloc(&w->arena, CAROM_IMPACTS_HELD, w->name_size);
    w->resumable = def->resumable;
    return w->path && w->channels && w->held && w->names &&
                   carom_row_table_room(&w->arena, &carom_event_table, &w->events) == CAROM_OK &&
                   carom_row_table_room(&w->arena, &carom_rest_table, &w->rests) == CAROM_OK
               ? CAROM_OK
               : carom_fail_memory(ctx);
}

/* Creates the file. HDF5 keeps the strategy of free space in an object that it makes from the default list for groups,
   with the time of its making, by which equal runs would differ: without times, then, while the file is made. */
static hid_t create_file(const char *path, hid_t plan, hid_t access_list)
{
    hbool_t tracked = true;
    bool known = H5Pget_obj_track_times(H5P_GROUP_CREATE_DEFAULT, &tracked) >= 0 &&
                 H5Pset_obj_track_times(H5P_GROUP_CREATE_DEFAULT, false) >= 0;
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, plan, access_list);
    hid_t reason = H5Eget_current_stack();
    if (known)
        H5Pset_obj_track_times(H5P_GROUP_CREATE_DEFAULT, tracked);
    if (reason >= 0)
        H5Eset_current_stack(reason);
    return file;
}

static carom_status make_file(carom_writer *w)
{
    CAROM_TRY(carom_room_claim(w->ctx, w->path));
    hid_t access_list = carom_h5_access(false), plan = H5Pcreate(H5P_FILE_CREATE);
    /* what is rewritten in place, such as a channel's header, lies in one page of the memory: a write that a kill cuts
       short is done up to the end of a page; the gaps that this leaves are not kept in HDF5's lists of free space where
       it would search through them for each chunk */
    if (access_list >= 0 && plan >= 0 && H5Pset_obj_track_times(plan, false) >= 0 &&
        H5Pset_file_space_strategy(plan, H5F_FSPACE_STRATEGY_AGGR, false, 1) >= 0 &&
        H5Pset_attr_phase_change(plan, 64, 0) >= 0 && H5Pset_alignment(access_list, 1, ALIGNMENT) >= 0)
        w->file = create_file(w->path, plan, access_list);
    carom_status status = w->file >= 0 ? CAROM_OK : carom_h5_fail(w->ctx, w->path, "cannot be created");
    if (plan >= 0)
        H5Pclose(plan);
    if (access_list >= 0)
        H5Pclose(access_list);
    return status;
}

static carom_status fill_file(carom_writer *w, const carom_writer_def *def)
{
    w->disk = open(w->path, O_RDWR | O_CLOEXEC);
    CAROM_TRY(carom_writer_reserve(w, carom_room_of_objects(def)));
    CAROM_TRY(make_attributes(w, def));
    CAROM_TRY(make_overrides(w, def));
    CAROM_TRY(make_channels(w, def));
    if (!make_room(w, def))
        return carom_fail_memory(w->ctx);
    CAROM_TRY(make_tables(w));
    bool done = H5Fstart_swmr_write(w->file) >= 0;
    /* HDF5 gives its lock up in SWMR mode; this one tells readers that the writer lives */
    if (done && w->disk >= 0)
        carom_os_share(w->disk);
    if (!done || H5Fflush(w->file, H5F_SCOPE_LOCAL) < 0)
        return carom_h5_fail(w->ctx, w->path, "cannot be written");
    return CAROM_OK;
}

/* Makes the file, which nobody else makes meanwhile; on failure none is left. */
static carom_status create_writer(carom_context *ctx, const carom_writer_def *def, carom_writer **out)
{
    bool existed;
    CAROM_TRY(carom_room_check(ctx, def->path, &existed));
    carom_h5_scope scope;
    carom_h5_enter(&scope);
    carom_writer *w = NULL;
    carom_status status = make_writer(ctx, def, &w);
    if (status == CAROM_OK) {
        status = make_file(w);
        bool made = w->file >= 0;
        if (made)
            status = fill_file(w, def);
        if (status != CAROM_OK && made) {
            carom_h5_divert(w->file);
            carom_h5_close(w->file, w->path);
        }
        if (status != CAROM_OK && (made || !existed))
            unlink(w->path);
    }
    if (status == CAROM_OK)
        carom_h5_take_own(w->path, &w->own);
    carom_h5_leave(&scope);
    if (status != CAROM_OK)
        carom_writer_free(w);
    else
        *out = w;
    return status;
}

carom_status carom_writer_create(carom_context *ctx, const carom_writer_def *def, carom_writer **out)
{
    CAROM_NEED(ctx, ctx);
    CAROM_NEED(ctx, out);
    *out = NULL;
    carom_writer_def own = carom_default_writer_def();
    CAROM_TRY(carom_take_def(ctx, def, &own, sizeof own, "writer_def"));
    def = &own;
    CAROM_TRY(check_def(ctx, def));
    /* who comes second waits here until the first one has the file, and is then told: HDF5 would empty it before it
       looks for a lock */
    const int folder = carom_room_lock(def->path);
    carom_writer *w = NULL;
    const carom_status status = create_writer(ctx, def, &w);
    carom_room_unlock(folder);
    CAROM_TRY(status);
    carom_writer_make_sink(w);
    *out = w;
    return CAROM_OK;
}
