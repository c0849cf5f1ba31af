/* Sobol's sequence with the direction numbers of Joe and Kuo (joe_kuo.def). */
#include "study/sampler/sampler.h"

#define SOBOL_BITS 32
#define SOBOL_DEGREE 18 /* largest of the table, with room */

typedef struct direction {
    uint32_t polynomial;
    uint32_t first[SOBOL_DEGREE];
} direction;

static const direction directions[] = {
#define CAROM_SOBOL(bits, ...) {bits, {__VA_ARGS__}},
#include "study/sampler/joe_kuo.def"
#undef CAROM_SOBOL
};

/* Degree of a polynomial whose coefficients are the bits. */
static int degree_of(uint32_t polynomial)
{
    int degree = 0;
    while (polynomial >> (degree + 1))
        degree++;
    return degree;
}

/* Direction numbers v_1 ... of a side, as fractions of 2^32: v_k = m_k / 2^k. */
static void directions_of(size_t side, int count, uint32_t *v)
{
    if (side == 0) {
        for (int k = 0; k < count; k++)
            v[k] = (uint32_t)1 << (SOBOL_BITS - 1 - k);
        return;
    }
    const direction *d = &directions[side - 1];
    const int degree = degree_of(d->polynomial);
    for (int k = 0; k < count; k++) {
        if (k < degree) {
            v[k] = d->first[k] << (SOBOL_BITS - 1 - k);
            continue;
        }
        v[k] = v[k - degree] ^ (v[k - degree] >> degree);
        for (int i = 1; i < degree; i++)
            if ((d->polynomial >> (degree - i)) & 1u)
                v[k] ^= v[k - i];
    }
}

uint32_t carom_sobol_bits(size_t side, uint32_t index)
{
    uint32_t v[SOBOL_BITS], bits = 0;
    const uint32_t gray = index ^ (index >> 1);
    int count = 0;
    while (count < SOBOL_BITS && gray >> count)
        count++;
    directions_of(side, count, v);
    for (int k = 0; k < count; k++)
        if ((gray >> k) & 1u)
            bits ^= v[k];
    return bits;
}

double carom_sobol_coordinate(uint64_t seed, size_t side, size_t index, size_t count)
{
    int power = 0;
    while (((size_t)1 << power) < count)
        power++;
    uint32_t bits = carom_sobol_bits(side, (uint32_t)index);
    if (seed == 0)
        return (double)bits * 0x1p-32 + 0.5 / (double)((size_t)1 << power);
    bits ^= (uint32_t)(carom_random_bits(seed, 3, side) >> 32);
    return ((double)bits + 0.5) * 0x1p-32;
}
