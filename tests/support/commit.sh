# To be sourced: sets `commit`, seven digits of the commit's hash, by which tests pick their cases; CAROM_TEST_TURN=HASH gives another
# one. Empty where there is no commit.
commit=${CAROM_TEST_TURN:-$(git -C "$CAROM_SOURCE_DIR" rev-parse --short=7 HEAD 2>/dev/null)}
