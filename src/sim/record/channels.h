/* The compiled list of channels: each is a quantity (one row of a table in fill_*.c, which says where it is recorded
   and who fills it) of one object of the model. */
#ifndef CAROM_RECORD_CHANNELS_H
#define CAROM_RECORD_CHANNELS_H

#include "carom/simulation.h"
#include "dynamics/dynamics.h"
#include "dynamics/formulation/formulation.h"

#define CAROM_RECORD_GROUPS 3
enum { CAROM_RECORD_INTERVALS, CAROM_RECORD_STEPS, CAROM_RECORD_SNAPSHOTS };

/* Groups of a channel, as bits: carom_channel.group is the place of the bit. */
enum { CAROM_AT_INTERVALS = 1, CAROM_AT_STEPS = 2, CAROM_AT_SNAPSHOTS = 4, CAROM_AT = 7 };
/* Bits beside them: it reads of an evaluation no more than the poses, or than the contacts that are open as well. */
enum { CAROM_OF_POSES = 8, CAROM_OF_CONTACTS = 16 };

/* What of an evaluation is read. */
typedef enum carom_reading_needs { CAROM_NEEDS_ALL, CAROM_NEEDS_CONTACTS, CAROM_NEEDS_POSES } carom_reading_needs;

/* An evaluated state that channels are read from, and what several of them share, found once. */
typedef struct carom_reading {
    const carom_model *model;
    carom_evaluation *d;
    const carom_state *s;
    unsigned number;            /* of the reading */
    unsigned ledger_made;       /* number of the reading for which the ledger was made, */
    unsigned reactions_made;    /* the reactions of all joints, */
    unsigned measures_made;     /* the measures that outputs read, */
    unsigned *point_made;       /* and the point of each contact that is not open */
    carom_ledger ledger;
    carom_contact_point *points;
    double *measures;           /* all, */
    int *switches;              /* and the switches of an output */
} carom_reading;

/* Writes the numbers of a quantity of object `index`. */
typedef void (*carom_fill_fn)(carom_reading *r, int index, double *out);

typedef struct carom_quantity {
    const char *name, *unit, *description;
    int size_2d, size_3d;       /* numbers; 0: not in that dimension */
    int groups;                 /* where it is recorded, and what it reads */
    carom_fill_fn fill;
} carom_quantity;

/* Quantities of objects of a type, for the reference. */
typedef struct carom_quantity_group {
    const char *type, *which;   /* "joint", "of joints with friction"; "": all of the type; NULL type: the end of a
                                   list */
    const carom_quantity *quantities;
    size_t count;
    const char *unit;           /* NULL: of each its own */
} carom_quantity_group;

extern const carom_quantity_group carom_quantities_of_bodies[], carom_quantities_of_joints[],
    carom_quantities_of_contacts[], carom_quantities_of_loads[], carom_quantities_of_frames[],
    carom_quantities_of_names[], carom_quantities_of_energy[], carom_quantities_of_solver[];

typedef struct carom_compiled_channel {
    const carom_quantity *quantity;
    const char *type;           /* "body", "joint", "contact", "energy", ... */
    const char *object;         /* name; "" of what belongs to no object; lives as long as the model */
    const char *unit, *description;
    int index;                  /* of the object, as the fill function takes it */
    int size, groups;           /* groups 0: not recorded, but it can be read */
} carom_compiled_channel;

typedef struct carom_channel_list {
    const carom_model *model;
    bool without_places;                /* those of located contact sets are read alone, not recorded */
    carom_compiled_channel *items;      /* NULL: they are counted */
    size_t count;
    carom_arena *arena;                 /* for quantities that kinds from outside name */
    bool failed;                        /* it had no room */
} carom_channel_list;

/* Adds quantities of one object; those that the model's dimension does not have are left out. `unit` NULL: the
   quantity's own. */
void carom_channels_add(carom_channel_list *list, const carom_quantity *quantities, size_t count, const char *type,
                        const char *object, int index, const char *unit);

/* Longest name of a channel, with its NUL; names of objects are shorter than half of it. */
#define CAROM_CHANNEL_NAME 256

/* "body.slider.position", or "energy.kinetic" of what belongs to no object, or "input.torque" of what is a number
   itself. */
void carom_channel_name(const carom_compiled_channel *c, char text[CAROM_CHANNEL_NAME]);
/* The names of the components of a channel of so many numbers; NULL: it has but one. */
const char *const *carom_channel_components(int size);
/* Whether a name is a channel's, wholly (*component -1) or with a component. */
bool carom_channel_matches(const carom_compiled_channel *c, const char *name, int *component);
/* The channel whose name is nearest to one that there is not, in `out`; NULL: none is near. */
const char *carom_channels_nearest(const carom_channel_list *list, const char *name, char out[CAROM_CHANNEL_NAME]);

/* The channels of one family of objects each, in the order of the list. */
void carom_channels_of_bodies(carom_channel_list *list);
void carom_channels_of_joints(carom_channel_list *list);
void carom_channels_of_contacts(carom_channel_list *list);
void carom_channels_of_loads(carom_channel_list *list);
void carom_channels_of_frames(carom_channel_list *list);
void carom_channels_of_names(carom_channel_list *list);
void carom_channels_of_energy(carom_channel_list *list);
void carom_channels_of_solver(carom_channel_list *list);

/* Puts a vector: two components in the plane, three in space. */
static inline void carom_put_vector(const carom_reading *r, carom_vec3 v, double *out)
{
    out[0] = v.x;
    out[1] = v.y;
    if (r->model->dimension == 3)
        out[2] = v.z;
}
/* Puts a rotation or a torque: its z in the plane, three components in space. */
static inline void carom_put_turn(const carom_reading *r, carom_vec3 v, double *out)
{
    if (r->model->dimension == 2)
        *out = v.z;
    else
        carom_put_vector(r, v, out);
}

/* ---- what a simulation has of them ---- */

/* Makes the list when it is first asked for. */
carom_status carom_channels_compile(carom_simulation *sim);
/* Errors: CAROM_ERROR_USAGE, a channel that was found among others than those of the simulation, or in none. */
carom_status carom_channels_check(carom_simulation *sim, const carom_channel_ref *channel);
/* Makes the public list of those that are recorded, likewise. */
carom_status carom_channels_list(carom_simulation *sim);
/* Begins to read an evaluated state; carom_channel_fill() then writes what one channel is there. */
void carom_reading_begin(carom_reading *r, carom_evaluation *d, const carom_state *s);
/* Multipliers of all rows. */
static inline const double *carom_reading_multipliers(carom_reading *r)
{
    if (r->reactions_made != r->number)
        carom_system_reactions(r->d, r->s, r->d->time);
    r->reactions_made = r->number;
    return r->d->multipliers;
}
static inline void carom_channel_fill(carom_reading *r, const carom_compiled_channel *c, double *out)
{
    c->quantity->fill(r, c->index, out);
}

#endif
