/* Chunks are packed as the filters shuffle and deflate of HDF5 read them: zlib gives every byte back. */
#include "carom_test.h"

#include <math.h>
#include <zlib.h>

#include "result/deflate.h"
#include "result/pack.h"

static carom_arena arena;

static uint64_t next_bits(void)
{
    static uint64_t state = 0x9E3779B97F4A7C15u;
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

/* Packs numbers and takes them apart again; returns the bytes that they took. */
static size_t check_pack(const double *values, size_t count, size_t size)
{
    const void *packed;
    uint32_t mask;
    carom_packer *packer = carom_packer_create(&arena, count);
    assert_non_null(packer);
    const size_t bytes = carom_pack(packer, values, count, size, &packed, &mask);
    unsigned char *planes = carom_arena_alloc(&arena, count, sizeof(double));
    uLongf length = (uLongf)(count * sizeof(double));
    if (mask == 0)
        assert_int_equal(uncompress(planes, &length, packed, (uLong)bytes), Z_OK);
    else
        memcpy(planes, packed, bytes);
    assert_int_equal(length, count * sizeof(double));
    for (size_t k = 0; k < count; k++) {
        unsigned char number[sizeof(double)];
        memcpy(number, &values[k], sizeof number);
        for (size_t plane = 0; plane < sizeof number; plane++)
            assert_int_equal(planes[plane * count + k], number[plane]);
    }
    return bytes;
}

/* Numbers of a column: constant, smooth, noise, steps of few values, none; components apart. */
static double number_at(int kind, size_t row, size_t component)
{
    switch (kind) {
    case 0:
        return component ? 0 : 2.5;
    case 1:
        return sin(1e-3 * (double)row + (double)component);
    case 2:
        return (double)(next_bits() >> 11) * 0x1p-53;
    case 3:
        return floor((double)row / 37) + 10 * (double)component;
    case 4:
        return row % 1000 < 3 ? (double)NAN : component == 1 ? 1e-3 * (double)row : -0.0;
    default:
        return ldexp(1, (int)(next_bits() % 200));
    }
}

static void test_numbers(void **state)
{
    (void)state;
    static const size_t rows[] = {1, 2, 3, 5, 64, 257, 1024, 8192, 65536}, sizes[] = {1, 2, 3, 4, 7, 300};
    for (size_t i = 0; i < CAROM_COUNT(rows); i++)
        for (size_t j = 0; j < CAROM_COUNT(sizes); j++)
            for (int kind = 0; kind < 6 && rows[i] * sizes[j] <= 1u << 17; kind++) {
                const size_t count = rows[i] * sizes[j];
                carom_context *ctx = new_context();
                carom_arena_init(&arena, ctx);
                double *values = carom_arena_alloc(&arena, count, sizeof *values);
                assert_non_null(values);
                for (size_t k = 0; k < count; k++)
                    values[k] = number_at(kind, k / sizes[j], k % sizes[j]);
                const size_t bytes = check_pack(values, count, sizes[j]);
                assert_true(bytes <= count * sizeof(double));
                if (kind == 0 && rows[i] >= 1024 && sizes[j] <= 7)
                    assert_true(bytes < count * sizeof(double) / 30);
                carom_arena_free(&arena);
                carom_context_free(ctx);
            }
}

/* A stream of one part. */
static size_t check_stream(const unsigned char *bytes, size_t count, size_t distance)
{
    carom_deflate *d = malloc(sizeof *d);
    const size_t room = carom_deflate_room(count, 1);
    unsigned char *packed = malloc(room), *back = malloc(count + 1);
    assert_true(d && packed && back);
    carom_deflate_begin(d, packed);
    carom_deflate_add(d, bytes, count, distance);
    const size_t length = carom_deflate_end(d);
    assert_true(length <= room);
    uLongf got = (uLongf)count + 1;
    assert_int_equal(uncompress(back, &got, packed, (uLong)length), Z_OK);
    assert_int_equal(got, count);
    assert_memory_equal(back, bytes, count);
    free(d);
    free(packed);
    free(back);
    return length;
}

/* Counts of Fibonacci ask for codes longer than the format has; matches of all lengths, distances of all codes. */
static void test_codes(void **state)
{
    (void)state;
    static unsigned char bytes[100000];
    size_t count = 0;
    for (size_t symbol = 0, a = 1, b = 1, sum; symbol < 21; symbol++, sum = a + b, a = b, b = sum)
        for (size_t k = 0; k < a; k++)
            bytes[count++] = (unsigned char)symbol;
    assert_true(count <= CAROM_DEFLATE_BLOCK);
    for (size_t k = count - 1; k > 0; k--) {
        const size_t other = next_bits() % (k + 1);
        const unsigned char swapped = bytes[k];
        bytes[k] = bytes[other];
        bytes[other] = swapped;
    }
    check_stream(bytes, count, 40000);
    for (size_t length = 0; length < 300; length++) {
        count = 0;
        for (size_t k = 0; k < 2000; k++)
            bytes[count++] = k % (length + 1) ? (unsigned char)(length & 255) : (unsigned char)(next_bits() & 15);
        check_stream(bytes, count, 1);
    }
    for (size_t distance = 1; distance <= 33000; distance += 1 + distance / 3) {
        for (size_t k = 0; k < sizeof bytes; k++)
            bytes[k] = k < distance || next_bits() % 50 == 0 ? (unsigned char)(next_bits() & 255) : bytes[k - distance];
        check_stream(bytes, sizeof bytes, distance);
    }
    check_stream(bytes, 0, 1);
    check_stream(bytes, 1, 1);
    memset(bytes, 255, sizeof bytes); /* the largest sums */
    assert_true(check_stream(bytes, sizeof bytes, 1) < 400);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_numbers), cmocka_unit_test(test_codes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
