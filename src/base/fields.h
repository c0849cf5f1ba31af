/* The members of carom_impact and carom_ledger as lists, made from impact_fields.def and ledger_fields.def. Both
   libraries have these lists. */
#ifndef CAROM_FIELDS_H
#define CAROM_FIELDS_H

#include <string.h>
#include "carom/simulation.h"

/* Numbers of columns of the table of impacts and of terms of the ledger. */
enum {
#define CAROM_IMPACT_FIELD(name, type, unit, head, rank, description) CAROM_IMPACT_FIELD_##name,
#define CAROM_IMPACT_PAIR(name)
#include "base/impact_fields.def"
    CAROM_IMPACT_FIELDS
};
enum {
#define CAROM_REST_FIELD(name, type, unit, head, rank, description) CAROM_REST_FIELD_##name,
#define CAROM_REST_PAIR(name)
#include "base/rest_fields.def"
    CAROM_REST_FIELDS
};
enum {
#define CAROM_LEDGER_FIELD(name, role, unit, head, description) CAROM_LEDGER_FIELD_##name,
#include "base/ledger_fields.def"
    CAROM_LEDGER_FIELDS
};

extern const carom_field carom_impact_field[CAROM_IMPACT_FIELDS];
extern const carom_field carom_rest_field[CAROM_REST_FIELDS];
extern const carom_field carom_ledger_field[CAROM_LEDGER_FIELDS];

/* A number of an impact or a ledger. */
static inline double carom_field_number(const carom_field *field, const void *record)
{
    double value;
    memcpy(&value, (const char *)record + field->offset, sizeof value);
    return value;
}

#endif
