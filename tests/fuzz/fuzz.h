/* What the fuzzers share. A fuzzer is a file tests/fuzz/fuzz_NAME.c with one function, LLVMFuzzerTestOneInput(): it
   does with any bytes what a user's file or command would, and calls fuzz_fail() where a promise is broken. Seeds are
   in tests/fuzz/corpus/NAME, or what cmake/CaromFuzz.cmake names. Two programs are made of it: with preset `fuzz`
   libFuzzer's, in every other build one that replays files, which the tests run (fuzz.NAME). */
#ifndef CAROM_FUZZ_H
#define CAROM_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "carom/carom.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A context whose memory is bounded, and that knows how it was left. */
carom_context *fuzz_context(void);
/* Frees it: memory that is still held is a failure. */
void fuzz_end(carom_context *ctx);

/* A status without a message, or a message without a place where models have one, is a failure. */
void fuzz_check(carom_context *ctx, carom_status status);
/* Ends with the text. */
void fuzz_fail(const char *text);

#endif
