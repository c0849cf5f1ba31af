#include "support/solids.h"

#include "base/base.h"

static const carom_shape_kind *const shapes[] = {
#define CAROM_KIND(symbol) &carom_shape_##symbol,
#include "kinds/shape/shape.def"
#undef CAROM_KIND
};

const carom_shape_kind *solid_kind_at(size_t index)
{
    for (size_t k = 0; k < CAROM_COUNT(shapes); k++)
        if (shapes[k]->solid && index-- == 0)
            return shapes[k];
    return NULL;
}

double solid_uniform(uint64_t *seed, double low, double high)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(*seed >> 11) * 0x1p-53;
}

carom_vec3 solid_vector(uint64_t *seed, double size)
{
    double x[3];
    for (int k = 0; k < 3; k++)
        x[k] = solid_uniform(seed, -size, size);
    return carom_v3_load(x);
}

bool solid_may_be_hollow(const carom_shape_kind *kind)
{
    return carom_kind_param_offset(&kind->kind, "hollow") >= 0;
}

int solid_random(const carom_shape_kind *kind, uint64_t *seed, bool hollow, double *solid)
{
    for (int refused = 0; refused < 10000; refused++) {
        double p[64] = {0};
        int at = 0;
        for (int k = 0; k < kind->kind.param_count; k++) {
            const carom_param_row *row = &kind->kind.params[k];
            for (int j = 0; j < row->size && !(row->flags & CAROM_PARAM_TEXT); j++)
                p[at + j] = solid_uniform(seed, fmax(row->low, row->low < 0 ? -1.5 : 0.05), fmin(row->high, 1.5));
            at += row->size;
        }
        if (solid_may_be_hollow(kind))
            p[carom_kind_param_offset(&kind->kind, "hollow")] = hollow;
        if (!kind->solid(p, NULL, solid))
            return refused;
    }
    return -1;
}
