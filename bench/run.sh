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
        '$0 ~ filter && $e + 0 == $e && $e <= limit && $e >= -limit && (best == "" || $t + 0 < best) { best = $t + 0 } END { print best }' "$1"
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
run poured_balls "$build/poured_balls"
for name in a_slider a_free b c; do : >"$log/$name"; done
if [ -x "$build/peers/simbody_a" ]; then
    run a_slider "$build/peers/simbody_a" touch slider 40 5 0
    run a_free "$build/peers/simbody_a" touch free 40 5 0
    run b "$build/peers/simbody_b" slider 5 0
    run c "$build/peers/simbody_c" crank 97.382940076121
fi
if [ -x "$build/peers/mujoco_same" ]; then
    set -- iiwa_dropped hyq_standing hexapod humanoid
    for name; do set -- "$@" "$(dirname "$0")/../models/$name.yaml" && shift; done
    run same "$build/peers/mujoco_same"
    run same_robots "$build/peers/mujoco_same" "$@"
    run same_feet "$build/peers/mujoco_same" -c "$2" "$3"
    run same_tree "$build/peers/mujoco_same" -c
    if [ -x "$build/peers/simbody_same" ]; then
        {
            "$build/peers/mujoco_same" -l
            "$build/peers/mujoco_same" -l "$@"
            "$build/peers/mujoco_same" -lc "$2" "$3"
            "$build/peers/mujoco_same" -lc
        } >"$log/list"
        "$build/peers/simbody_same" <"$log/list"
    fi
fi

# Instructions of a step, from the difference of two runs, for a ball: COUNT ACROSS
instructions() {
    for steps in 20 60; do
        valgrind --tool=callgrind --callgrind-out-file=/dev/null "$build/poured_balls" "$1" "$2" 0 $steps 1 9980 2>&1 |
            awk '/refs/ { gsub(",", ""); print $NF }'
    done | awk -v count="$1" '{ value[NR] = $1 } END { printf "%.0f", (value[2] - value[1]) / 40 / count }'
}
# CPU time of a ball and a step in LAMMPS, median of five runs [ns]: COUNT ACROSS SETTLE STEPS [VARIABLES]
lammps() {
    count=$1 across=$2 settle=$3 steps=$4
    shift 4
    OMP_NUM_THREADS=1 timeout 600 lmp -in "$(dirname "$0")/peers/poured_balls.lmp" -log none -var count "$count" -var across "$across" \
        -var settle "$settle" -var steps "$steps" "$@" 2>&1 |
        awk -v steps="$steps" -v count="$count" '/^Loop time of/ { t = $4; s = $9 } /CPU use with/ { sub("%", "", $1); if (s == steps) print t * $1 / 100 / s / count * 1e9 }' |
        sort -n | sed -n 3p
}

echo "| task | Carom | LAMMPS | ratio |"
echo "|---|---|---|---|"
smallest= theirs_smallest=
for size in "500 8 12000 2000" "4000 16 12000 250" "1000 10 20 400 -var pitch 0.00998 -var jitter 0" \
    "16000 20 20 40 -var pitch 0.00998 -var jitter 0" "64000 40 20 15 -var pitch 0.00998 -var jitter 0"; do
    set -- $size
    theirs= kind=poured
    if [ "$3" = 20 ]; then kind=touching; fi
    if command -v lmp >/dev/null; then theirs=$(lammps "$@"); fi
    ours=$(awk -F'|' -v count="$1" '$2 + 0 == count && $3 + 0 == 1 { print $5 + 0 }' "$log/poured_balls")
    ratio "$1 $kind balls, CPU time of a ball and a step" "$ours" "$theirs" ns
    two=$(awk -F'|' -v count="$1" '$2 + 0 == count && $3 + 0 == 2 { print $5 + 0 }' "$log/poured_balls")
    ratio "$1 $kind balls, by two threads over one" "$two" "$ours" ns
    if [ "$1" = 1000 ]; then smallest=$ours theirs_smallest=$theirs; fi
    last=$ours theirs_last=$theirs
done
awk -v a="$smallest" -v b="$last" -v c="$theirs_smallest" -v d="$theirs_last" 'BEGIN {
    printf "| growth of it from 1000 to 64,000 touching balls | %.2f | %s | |\n", b / a, c ? sprintf("%.2f", d / c) : "not measured" }'
if command -v valgrind >/dev/null; then
    small=$(instructions 500 8) large=$(instructions 4000 16)
    awk -v a="$small" -v b="$large" 'BEGIN { printf "\nInstructions of a ball and a step: %d with 500 balls, %d with 4000, ratio %.2f (at most 1.1)\n\n", a, b, b / a }'
fi

echo "| task | Carom | Simbody | ratio |"
echo "|---|---|---|---|"
ours=$(least "$log/two_spheres" "central" 5 8 1e-6)
ratio "two-sphere impact, central, exit speed within 1e-6" "$ours" "$(least "$log/a_slider" Merson 4 7 1e-6)" us
ours=$(least "$log/two_spheres" "central" 5 8 1e-8)
ratio "two-sphere impact, central, exit speed within 1e-8" "$ours" "$(least "$log/a_slider" Merson 4 7 1e-8)" us
ours=$(least "$log/two_spheres" "off-axis" 5 8 1e-6)
ratio "two-sphere impact, off-axis, exit speed within 1e-6 (peer: free joints, central)" "$ours" "$(least "$log/a_free" Merson 4 7 1e-6)" us
ours=$(least3 "$log/bouncing_ball" "[a-z]" 4 9 1e-6)
ratio "bouncing ball, 5 s, apexes within 1e-6" "$ours" "$(least3 "$log/b" Merson 4 9 1e-6)" ms
ours=$(awk '/^Right-hand side/ { print $8 }' "$log/slider_crank")
ratio "slider-crank, one right-hand side" "$ours" "$(awk '/^Forward dynamics/ { print $10 }' "$log/c")" us
ours=$(least "$log/slider_crank" "[a-z]" 4 7 1e-5)
ratio "slider-crank, 1 s within 1e-5 rad" "$ours" "$(least "$log/c" Merson 4 7 1e-5)" ms
