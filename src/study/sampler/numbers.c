/* Random numbers of samplers: a hash of seed, stream and index, so that the numbers of a run need none of those before
   it. Mixing by the finaliser of SplitMix64.
   Source: G. L. Steele, D. Lea, C. H. Flood 2014, "Fast splittable pseudorandom number generators", OOPSLA. */
#include "study/sampler/sampler.h"

static uint64_t mix(uint64_t x)
{
    x ^= x >> 30;
    x *= 0xBF58476D1CE4E5B9u;
    x ^= x >> 27;
    x *= 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

uint64_t carom_random_bits(uint64_t seed, uint64_t stream, uint64_t index)
{
    static const uint64_t golden = 0x9E3779B97F4A7C15u;
    const uint64_t start = mix(mix(seed + golden) + (stream + 1) * golden);
    return mix(mix(start + (index + 1) * golden) ^ start);
}

double carom_random_unit(uint64_t seed, uint64_t stream, uint64_t index)
{
    return ((double)(carom_random_bits(seed, stream, index) >> 12) + 0.5) * 0x1p-52;
}

size_t carom_random_below(uint64_t seed, uint64_t stream, uint64_t index, size_t count)
{
    return (size_t)(carom_random_unit(seed, stream, index) * (double)count);
}
