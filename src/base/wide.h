/* Loops for vectors of four numbers. */
#ifndef CAROM_WIDE_H
#define CAROM_WIDE_H

/* A static function whose loops are there once more for vectors of four numbers: which one is chosen at the start of
   the program. No product is joined with a sum in either, so that both give the same bits. */
#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define CAROM_WIDE __attribute__((target_clones("avx2", "default"), flatten))
#else
#define CAROM_WIDE
#endif

/* Four numbers, wherever they stand. */
typedef double carom_four __attribute__((vector_size(32), aligned(8), may_alias));
typedef long long carom_four_marks __attribute__((vector_size(32)));
typedef int carom_four_ints __attribute__((vector_size(16), aligned(4), may_alias));

#if defined(__clang__)
#define CAROM_FOUR_PICK(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, k, l)
#else
#define CAROM_FOUR_PICK(a, b, i, j, k, l) \
    __builtin_shuffle(a, b, (carom_four_marks){i, j, k, l})
#endif

/* The numbers of `a` where `marks`, as a comparison gives them, and those of `b` elsewhere. */
#define CAROM_FOUR_WHERE(marks, a, b) \
    ((carom_four)(((marks) & (carom_four_marks)(a)) | (~(marks) & (carom_four_marks)(b))))
#define CAROM_FOUR_ANY(marks) (((marks)[0] | (marks)[1] | (marks)[2] | (marks)[3]) != 0)

static inline const carom_four_ints *carom_four_ints_of(const int *x) { return (const carom_four_ints *)x; }
static inline carom_four *carom_four_at(double *x) { return (carom_four *)x; }
static inline const carom_four *carom_four_of(const double *x) { return (const carom_four *)x; }

/* y += f x, of n numbers. */
static inline void carom_four_add_scaled(int n, double f, const double *x, double *y)
{
    int i = 0;
    for (; i + 4 <= n; i += 4)
        *carom_four_at(y + i) += f * *carom_four_of(x + i);
    for (; i < n; i++)
        y[i] += f * x[i];
}

/* Four rows of four numbers as columns, which may be the same. */
#define CAROM_FOUR_TRANSPOSE(r0, r1, r2, r3)                                                                           \
    do {                                                                                                               \
        const carom_four even01 = CAROM_FOUR_PICK(r0, r1, 0, 4, 2, 6), odd01 = CAROM_FOUR_PICK(r0, r1, 1, 5, 3, 7);    \
        const carom_four even23 = CAROM_FOUR_PICK(r2, r3, 0, 4, 2, 6), odd23 = CAROM_FOUR_PICK(r2, r3, 1, 5, 3, 7);    \
        r0 = CAROM_FOUR_PICK(even01, even23, 0, 1, 4, 5);                                                              \
        r1 = CAROM_FOUR_PICK(odd01, odd23, 0, 1, 4, 5);                                                                \
        r2 = CAROM_FOUR_PICK(even01, even23, 2, 3, 6, 7);                                                              \
        r3 = CAROM_FOUR_PICK(odd01, odd23, 2, 3, 6, 7);                                                                \
    } while (0)

#endif
