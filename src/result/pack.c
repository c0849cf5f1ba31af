/* Packs numbers as the filters shuffle and deflate do. All lowest bytes stand first, then all second ones: 8 planes.
   Those of signs and exponents repeat, from row to row; those of low digits are mostly noise, which is stored.
   docs/results.md has the measurements. */
#include "result/pack.h"
#include "result/deflate.h"

#define PLANES 8
#define LEAST_PLANE 1024        /* bytes of a plane that is looked at */
#define LEAST_BYTES 4096        /* planes with fewer bytes share the codes of the next one */
#define SAMPLES 1024            /* bytes of each component that are looked at, at most */
/* Noise has bytes that coincide by no more than this over 1/256, which is about 7.5 bits a byte. */
#define NOISE_SHARE (1.0 / 181)

struct carom_packer {
    unsigned char *planes, *packed;     /* 8 bytes a number, and more where they do not pack */
    carom_deflate deflate;
};

carom_packer *carom_packer_create(carom_arena *arena, size_t most)
{
    carom_packer *p = carom_arena_alloc(arena, 1, sizeof *p);
    if (!p)
        return NULL;
    p->planes = carom_arena_alloc(arena, most, PLANES);
    p->packed = carom_arena_alloc(arena, carom_deflate_room(most * PLANES, PLANES), 1);
    return p->planes && p->packed ? p : NULL;
}

/* Exchanges in two words, seen as rows of bytes, the blocks off the diagonal. */
static void exchange(uint64_t *a, uint64_t *b, int shift, uint64_t mask)
{
    const uint64_t moved = ((*a >> shift) ^ *b) & mask;
    *b ^= moved;
    *a ^= moved << shift;
}

/* Transposes 8 x 8 bytes at a time, little-endian. */
static void shuffle(const double *values, size_t count, unsigned char *planes)
{
    const size_t blocks = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? count / PLANES : 0;
    size_t k = 0;
    for (; k < PLANES * blocks; k += PLANES) {
        uint64_t row[PLANES];
        memcpy(row, values + k, sizeof row);
        for (int i = 0; i < 4; i++)
            exchange(&row[i], &row[i + 4], 32, 0x00000000ffffffffu);
        for (int i = 0; i < 8; i += 4)
            for (int j = i; j < i + 2; j++)
                exchange(&row[j], &row[j + 2], 16, 0x0000ffff0000ffffu);
        for (int i = 0; i < 8; i += 2)
            exchange(&row[i], &row[i + 1], 8, 0x00ff00ff00ff00ffu);
        for (size_t plane = 0; plane < PLANES; plane++)
            memcpy(planes + plane * count + k, &row[plane], sizeof row[plane]);
    }
    for (; k < count; k++) {
        uint64_t bits;
        memcpy(&bits, &values[k], sizeof bits);
        for (size_t plane = 0; plane < PLANES; plane++)
            planes[plane * count + k] = (unsigned char)(bits >> 8 * plane);
    }
}

/* Whether bytes of a component are about evenly distributed: by how often two of them coincide. */
static bool is_noise(const unsigned char *bytes, size_t count, size_t size)
{
    uint32_t of_value[256] = {0};
    const size_t step = size * (count / (size * SAMPLES) + 1);
    size_t samples = 0;
    double coincide = 0;
    for (size_t k = 0; k < count; k += step, samples++)
        of_value[bytes[k]]++;
    for (int value = 0; value < 256; value++)
        coincide += (double)of_value[value] * of_value[value];
    return coincide - (double)samples < NOISE_SHARE * (double)samples * (double)samples;
}

/* Whether at least half of a plane is noise; a component that is not saves no more than the time is worth. */
static bool is_noisy(const unsigned char *bytes, size_t count, size_t size)
{
    size_t noisy = 0;
    for (size_t i = 0; count >= LEAST_PLANE && i < size; i++)
        noisy += is_noise(bytes + i, count - i, size);
    return count >= LEAST_PLANE && 2 * noisy >= size;
}

size_t carom_pack(carom_packer *p, const double *values, size_t count, size_t size, const void **packed,
                  uint32_t *mask)
{
    shuffle(values, count, p->planes);
    carom_deflate_begin(&p->deflate, p->packed);
    for (size_t plane = 0, next; plane < PLANES; plane = next) {
        const unsigned char *bytes = p->planes + plane * count;
        const bool noisy = is_noisy(bytes, count, size);
        for (next = plane + 1; next < PLANES && (noisy || (next - plane) * count < LEAST_BYTES); next++)
            if (is_noisy(p->planes + next * count, count, size) != noisy)
                break;
        if (noisy)
            carom_deflate_store(&p->deflate, bytes, (next - plane) * count);
        else
            carom_deflate_add(&p->deflate, bytes, (next - plane) * count, size);
    }
    const size_t bytes = carom_deflate_end(&p->deflate);
    const bool shorter = bytes < count * PLANES;
    *packed = shorter ? p->packed : p->planes;
    *mask = shorter ? 0 : CAROM_PACK_NO_DEFLATE;
    return shorter ? bytes : count * PLANES;
}
