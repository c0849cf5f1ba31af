/* The lists of base/fields.h for those outside. */
#include "base/base.h"
#include "base/fields.h"

const carom_field *carom_impact_fields(size_t *count)
{
    carom_give_count(count, CAROM_IMPACT_FIELDS);
    return carom_impact_field;
}

const carom_field *carom_rest_fields(size_t *count)
{
    carom_give_count(count, CAROM_REST_FIELDS);
    return carom_rest_field;
}

const carom_field *carom_ledger_fields(size_t *count)
{
    carom_give_count(count, CAROM_LEDGER_FIELDS);
    return carom_ledger_field;
}
