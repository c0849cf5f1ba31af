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

#endif
