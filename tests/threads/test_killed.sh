#!/bin/sh
# A run by four threads that is killed leaves the rows that a run by one thread begins with.
set -u
[ -n "${CAROM_EXECUTABLE:-}" ] || { echo "skipped: built without the program"; exit 77; }
. "$CAROM_SOURCE_DIR/tests/support/cli.sh"

sed 's/every: .*}/every: dt, channels: [energy.kinetic, energy.residual]}/' "$CAROM_MODELS/poured_balls.yaml" >balls.yaml
run="run -q balls.yaml --set count=150 --set pitch=0.00998 --no-report"
rm -rf one four
# shellcheck disable=SC2086
run_carom 0 $run --threads 1 --set duration=0.006 -o one
# shellcheck disable=SC2086
"$CAROM_EXECUTABLE" $run --threads 4 --set duration=60 -o four >text.txt 2>&1 &
wait=0
while [ "$wait" -lt 40 ]; do
    wait=$((wait + 1))
    sleep 0.3
    # rows are readable from the first block on
    "$CAROM_EXECUTABLE" export four/balls.h5 --csv >four.csv 2>error.txt && [ "$(wc -l <four.csv)" -gt 1 ] && break
done
kill -9 $!
wait $! 2>/dev/null
for name in one four; do
    run_carom 0 export $name/balls.h5 --csv
    mv text.txt $name.csv
done
count=$(wc -l <one.csv)
[ "$(wc -l <four.csv)" -ge "$count" ] || count=$(wc -l <four.csv)
[ "$count" -gt 1 ] || complain "the killed run has no row after $wait waits"
head -n "$count" one.csv >a.csv
head -n "$count" four.csv >b.csv
cmp a.csv b.csv || complain "the rows differ"
finish "$count lines are those of a run by one thread"
