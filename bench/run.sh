#!/bin/sh
# Runs the benchmarks in BUILD, and those of other engines where they were built, and prints the ratios that
# bench/README.md states. All times are CPU times of the processes, taken in one run: run.sh BUILD
set -eu
build=$1
log=$(mktemp -d)
trap 'rm -rf "$log"' EXIT

run() { # name, program, arguments: prints the program's output and keeps it
    name=$1
    shift
    echo "== $*"
    timeout 600 "$@" | tee "$log/$name"
    echo
}

# Least CPU time among the rows of a table whose error column is at most LIMIT: column of error, column of time.
least() { # file, filter, error column, time column, limit
    awk -F'|' -v filter="$2" -v e="$3" -v t="$4" -v limit="$5" \
        '$0 ~ filter && $e + 0 == $e && $e <= limit && (best == "" || $t + 0 < best) { best = $t + 0 } END { print best }' "$1"
}
# The same where three error columns must all be within the limit.
least3() { # file, filter, first error column, time column, limit
    awk -F'|' -v filter="$2" -v e="$3" -v t="$4" -v limit="$5" \
        '$0 ~ filter && $e + 0 == $e && $e <= limit && $(e+1) <= limit && $(e+2) <= limit && (best == "" || $t + 0 < best) \
         { best = $t + 0 } END { print best }' "$1"
}
ratio() { # text, ours, theirs, unit
    awk -v text="$1" -v a="$2" -v b="$3" -v unit="$4" 'BEGIN {
        if (a == "" || b == "") printf "| %s | %s | %s | |\n", text, a == "" ? "-" : a " " unit, b == "" ? "not measured" : b " " unit
        else printf "| %s | %.4g %s | %.4g %s | 1/%.1f |\n", text, a, unit, b, unit, b / a }'
}

run expression "$build/expression"
run law_force "$build/law_force"
run law_line "$build/law_line"
run two_spheres "$build/two_spheres"
run bouncing_ball "$build/bouncing_ball"
run slider_crank "$build/slider_crank"
for name in a_slider a_free b c; do : >"$log/$name"; done
if [ -x "$build/peers/simbody_a" ]; then
    run a_slider "$build/peers/simbody_a" touch slider 40 5 0
    run a_free "$build/peers/simbody_a" touch free 40 5 0
    run b "$build/peers/simbody_b" slider 5 0
    run c "$build/peers/simbody_c" crank-rhs
fi

echo "| task | Carom | Simbody | ratio |"
echo "|---|---|---|---|"
ours=$(least "$log/two_spheres" "central" 5 8 1e-6)
ratio "two-sphere impact, central, exit speed within 1e-6" "$ours" "$(least "$log/a_slider" Merson 4 7 1e-6)" us
ours=$(least "$log/two_spheres" "off-axis" 5 8 1e-6)
ratio "two-sphere impact, off-axis, exit speed within 1e-6 (peer: free joints, central)" "$ours" "$(least "$log/a_free" Merson 4 7 1e-6)" us
ours=$(least3 "$log/bouncing_ball" "[a-z]" 4 9 1e-6)
ratio "bouncing ball, 5 s, apexes within 1e-6" "$ours" "$(least3 "$log/b" Merson 4 9 1e-6)" ms
ours=$(awk '/^Right-hand side/ { print $8 }' "$log/slider_crank")
ratio "slider-crank, one right-hand side" "$ours" "$(awk '/^Forward dynamics/ { print $10 }' "$log/c")" us
