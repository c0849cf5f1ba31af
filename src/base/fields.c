/* Impacts, rests and the energy ledger as lists of their members; a list that differs from its struct does not
   compile. */
#include "base/fields.h"

/* ---- impacts ---- */

#define TYPE_TEXT const char *
#define TYPE_INDEX size_t
#define TYPE_NUMBER double
#define TYPE_INSTANT double

#define FIELD_TEXT CAROM_FIELD_TEXT, false
#define FIELD_INDEX CAROM_FIELD_INDEX, false
#define FIELD_NUMBER CAROM_FIELD_NUMBER, false
#define FIELD_INSTANT CAROM_FIELD_NUMBER, true

struct listed_impact {
#define CAROM_IMPACT_FIELD(name, type, unit, head, rank, description) TYPE_##type name;
#define CAROM_IMPACT_PAIR(name) size_t name[2];
#include "base/impact_fields.def"
};

#define SAME(listed, record, name)                                                            \
    _Static_assert(offsetof(listed, name) == offsetof(record, name) &&                        \
                       sizeof((listed){0}.name) == sizeof((record){0}.name),                  \
                   "the list and the struct differ at " #name);

#define CAROM_IMPACT_FIELD(name, type, unit, head, rank, description) SAME(struct listed_impact, carom_impact, name)
#define CAROM_IMPACT_PAIR(name) SAME(struct listed_impact, carom_impact, name)
#include "base/impact_fields.def"
_Static_assert(sizeof(struct listed_impact) == sizeof(carom_impact), "carom_impact has a member that is not listed");

const carom_field carom_impact_field[CAROM_IMPACT_FIELDS] = {
#define CAROM_IMPACT_FIELD(name, type, unit, head, rank, description) \
    {#name, unit, head, description, "", FIELD_##type, rank, offsetof(carom_impact, name)},
#define CAROM_IMPACT_PAIR(name)
#include "base/impact_fields.def"
};

/* ---- rests ---- */

struct listed_rest {
#define CAROM_REST_FIELD(name, type, unit, head, rank, description) TYPE_##type name;
#define CAROM_REST_PAIR(name) size_t name[2];
#include "base/rest_fields.def"
};

#define CAROM_REST_FIELD(name, type, unit, head, rank, description) SAME(struct listed_rest, carom_rest, name)
#define CAROM_REST_PAIR(name) SAME(struct listed_rest, carom_rest, name)
#include "base/rest_fields.def"
_Static_assert(sizeof(struct listed_rest) == sizeof(carom_rest), "carom_rest has a member that is not listed");

const carom_field carom_rest_field[CAROM_REST_FIELDS] = {
#define CAROM_REST_FIELD(name, type, unit, head, rank, description) \
    {#name, unit, head, description, "", FIELD_##type, rank, offsetof(carom_rest, name)},
#define CAROM_REST_PAIR(name)
#include "base/rest_fields.def"
};

/* ---- the ledger ---- */

#define ROLE_START "start"
#define ROLE_STORED "stored"
#define ROLE_DISSIPATED "dissipated"
#define ROLE_PART "part"
#define ROLE_VANISHED "vanished"
#define ROLE_WORK "work"
#define ROLE_RESULT "result"

struct listed_ledger {
#define CAROM_LEDGER_FIELD(name, role, unit, head, description) double name;
#include "base/ledger_fields.def"
};

#define CAROM_LEDGER_FIELD(name, role, unit, head, description) SAME(struct listed_ledger, carom_ledger, name)
#include "base/ledger_fields.def"
_Static_assert(sizeof(struct listed_ledger) == sizeof(carom_ledger), "carom_ledger has a member that is not listed");

const carom_field carom_ledger_field[CAROM_LEDGER_FIELDS] = {
#define CAROM_LEDGER_FIELD(name, role, unit, head, description) \
    {#name, unit, head, description, ROLE_##role, CAROM_FIELD_NUMBER, false, 0, offsetof(carom_ledger, name)},
#include "base/ledger_fields.def"
};
