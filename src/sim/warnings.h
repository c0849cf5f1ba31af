/* Warnings of a run: few, the most important ones first, those of the points of one contact as one. */
#ifndef CAROM_WARNINGS_H
#define CAROM_WARNINGS_H

#include "base/warnings.h"
#include "carom/simulation.h"

typedef struct carom_warning {
    carom_warning_code code;
    int rule;                   /* that contacts share: their points are told together; 0: none */
    int first, contact;         /* of the points of one contact, and the point that was told of first; -1: none */
    int points;                 /* of it that were told of */
    int also[2], others;        /* further contacts of the same law that were told of: the first two, and their
                                   number */
    const char *body;           /* what is wrong, the first time */
} carom_warning;

/* Tells the log and keeps a warning of the run. */
carom_status carom_simulation_warn(carom_simulation *sim, carom_warning_code code, const char *format, ...)
    CAROM_PRINTF(3, 4);
/* The same with the line of a place of the model before it, and with what is there, "body 'arm'". */
carom_status carom_simulation_warn_at(carom_simulation *sim, carom_warning_code code, const carom_place *place,
                                      const char *text);
carom_status carom_simulation_warn_part(carom_simulation *sim, carom_warning_code code, const carom_place *place,
                                        const char *what, const char *name, const char *text);
/* The same of a contact, which the text does not name. `rule` above 0: what one point of a contact was told of is told
   of the others by counting them, and with a code of the rank LAW what one contact was told of is told of others with
   the same law and restitution by their names. */
carom_status carom_contact_warn(carom_simulation *sim, carom_warning_code code, int rule, int contact,
                                const char *format, ...) CAROM_PRINTF(5, 6);
/* Length of a contact's name without the number of its point. */
int carom_contact_name_length(const carom_model *model, int contact);
/* Tells once that the force of a contact has jumped, if it has, with the remedy for its shapes. */
carom_status carom_contact_warn_jump(carom_simulation *sim, int contact);
/* Keeps the warnings of another simulation of the same model. */
carom_status carom_warnings_copy(carom_simulation *to, const carom_simulation *from);

#endif
