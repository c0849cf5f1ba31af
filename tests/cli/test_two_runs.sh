#!/bin/sh
# Two runs that start at the same moment into the same result: one has it, whole, the other is told to wait.
set -u
. "$CAROM_SOURCE_DIR/tests/support/cli.sh"
rm -rf out
for k in 1 2 3 4 5; do
    "$CAROM_EXECUTABLE" run "$CAROM_MODELS/two_spheres.yaml" -q --no-report -o out/$k 2>first.txt &
    "$CAROM_EXECUTABLE" run "$CAROM_MODELS/two_spheres.yaml" -q --no-report -o out/$k 2>second.txt
    second=$?
    wait $!
    first=$?
    # both may have had it, one after the other
    case "$first $second" in
    "0 0" | "0 4" | "4 0") ;;
    *) complain "try $k: exit statuses $first and $second"; cat first.txt second.txt ;;
    esac
    [ "$first $second" = "0 0" ] || cat first.txt second.txt | grep -q "another run is writing it" ||
        complain "try $k: $(cat first.txt second.txt)"
    run_carom 0 plot out/$k/two_spheres.h5 --list
done
finish
