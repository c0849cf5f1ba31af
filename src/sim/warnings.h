/* Warnings of a run: few, the most important ones first, those of the points of one contact as one. */
#ifndef CAROM_WARNINGS_H
#define CAROM_WARNINGS_H

#include "carom/simulation.h"

/* In the order of importance. */
typedef enum carom_warning_rank {
    CAROM_WARN_WRONG,           /* forces or normals are wrong */
    CAROM_WARN_START,           /* the bodies start wrong */
    CAROM_WARN_STEP,            /* steps are too long for the contacts */
    CAROM_WARN_LAW,             /* a law is used outside what it assumes */
    CAROM_WARN_COST,            /* the run costs more than it need */
    CAROM_WARN_MODEL            /* of the model, before the run */
} carom_warning_rank;

typedef struct carom_warning {
    carom_warning_rank rank;
    int rule;                   /* that contacts share: their points are told together; 0: none */
    int first, contact;         /* of the points of one contact, and the point that was told of first; -1: none */
    int points;                 /* of it that were told of */
    int also[2], others;        /* further contacts of the same law that were told of: the first two, and their
                                   number */
    const char *body;           /* what is wrong, the first time */
} carom_warning;

/* Tells the log and keeps a warning of the run. */
carom_status carom_simulation_warn(carom_simulation *sim, carom_warning_rank rank, const char *format, ...)
    CAROM_PRINTF(3, 4);
/* The same of a contact, which the text does not name. `rule` above 0: what one point of a contact was told of is told
   of the others by counting them, and with the rank CAROM_WARN_LAW what one contact was told of is told of others with
   the same law and restitution by their names. */
carom_status carom_contact_warn(carom_simulation *sim, carom_warning_rank rank, int rule, int contact,
                                const char *format, ...) CAROM_PRINTF(5, 6);
/* Keeps the warnings of another simulation of the same model. */
carom_status carom_warnings_copy(carom_simulation *to, const carom_simulation *from);

#endif
