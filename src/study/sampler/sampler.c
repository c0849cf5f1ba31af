/* The list of samplers. */
#include "study/sampler/sampler.h"

#define CAROM_SAMPLER(id, name) extern const carom_sampler carom_sampler_##id;
#include "study/sampler/sampler.def"
#undef CAROM_SAMPLER

const carom_sampler *const carom_samplers[] = {
#define CAROM_SAMPLER(id, name) &carom_sampler_##id,
#include "study/sampler/sampler.def"
#undef CAROM_SAMPLER
};
const size_t carom_sampler_count = CAROM_COUNT(carom_samplers);

const carom_sampler *carom_sampler_find(const char *name)
{
    for (size_t k = 0; k < carom_sampler_count; k++)
        if (strcmp(carom_samplers[k]->name, name) == 0)
            return carom_samplers[k];
    return NULL;
}

const char *const *carom_sampler_names(size_t *count)
{
    static const char *const names[] = {
#define CAROM_SAMPLER(id, name) name,
#include "study/sampler/sampler.def"
#undef CAROM_SAMPLER
    };
    *count = CAROM_COUNT(names);
    return names;
}
