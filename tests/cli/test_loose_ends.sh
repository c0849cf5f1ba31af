#!/bin/sh
# `carom impact` where a law refuses some of the values asked for or the integration is given up; `carom run --at` at the
# end of the run; `carom run --final`.
set -u
. "$CAROM_SOURCE_DIR/tests/support/cli.sh"

# rows TEXT COUNT: lines of text.txt that begin with the text.
rows()
{
    found=$(grep -c "^$1 " text.txt)
    [ "$found" = "$2" ] || { complain "$found rows '$1', not $2"; cat text.txt; }
}

# ---- impact: a value that the law refuses leaves the others ----

ball="--mass 46*gram --stiffness 5.5e9"
# shellcheck disable=SC2086
{
    run_carom 0 impact --laws flores,hunt-crossley $ball --speed 0.3 --restitution 0,0.5,0.7
    rows flores 3
    rows hunt-crossley 3
    expect "0.68318" text.txt
    expect "flores at restitution 0  restitution is 0; it must be above 0 and at most 1" text.txt

    # the same at all speeds: one row
    run_carom 0 impact --laws flores,hunt-crossley $ball --speed 0.1,0.3 --restitution 0,0.7
    rows flores 3
    rows hunt-crossley 4
    expect "flores at restitution 0  restitution is 0" text.txt

    # a law that refuses everything for one reason: one row, without the value
    run_carom 0 impact --laws flores,johnson $ball --speed 0.3 --restitution 0.5,0.7
    rows johnson 1
    refuse "johnson at" text.txt

    run_carom 0 impact --law flores $ball --speed 0.3 --restitution 0,0.7
    rows flores 2
    expect "flores at restitution 0  restitution is 0" text.txt

    run_carom 0 impact --laws flores,hunt-crossley $ball --speed 0.3 --restitution 0,0.7 --json
    expect "carom: flores at restitution 0 is left out: restitution is 0" error.txt
    [ "$(grep -c '"law": "flores"' text.txt)" = 1 ] || complain "--json: not one impact of flores"
    [ "$(grep -c '"law": "hunt-crossley"' text.txt)" = 2 ] || complain "--json: not two impacts of hunt-crossley"

    # nothing is left: no law, or the one law
    run_carom 1 impact --laws flores,lankarani-nikravesh --mass 1 --speed 0.3 --restitution 0,0.7
    expect "impact: no law is left" error.txt
    run_carom 1 impact --law flores --mass 1 --speed 0.3 --restitution 0.5,0.7
    expect "carom: error: law 'flores'" error.txt
    [ "$(wc -l <error.txt)" = 1 ] || complain "more than one line on standard error: $(cat error.txt)"
}

# shellcheck disable=SC2086
run_carom 0 impact --elastic power --damping flores $ball --speed 0.1,0.3 --restitution 0,0.5
expect "law at restitution 0  restitution is 0" text.txt

# ---- impact: a body that creeps back without parting ----

# shellcheck disable=SC2086
{
    run_carom 0 impact --law poursina-nikravesh --tension allow $ball --speed 0.3 --restitution 0.01
    expect "poursina-nikravesh not released after" text.txt
    run_carom 0 impact --laws exact,poursina-nikravesh --release raw $ball --speed 0.3 --restitution 0.01,1
    rows exact 2
    rows poursina-nikravesh 2
    expect "not released after" text.txt
}

# ---- run: the last time of --at is that of the run up to rounding ----

cat >spin.yaml <<'YAML'
carom: 1
dimension: 2
bodies:
  disc: {mass: 2, inertia: 0.5, at: [0.1, 0.2], velocity: [3, -4], angular_velocity: 5}
  stone: {mass: 1, inertia: 1, at: [0, 0.4]}
run: {until: 25*us}
YAML
run_carom 0 run spin.yaml --no-results --json --at 10e-6,25e-6
[ "$(grep -c '"time":' text.txt)" = 3 ] || complain "not two samples"
refuse '"samples": []' text.txt
run_carom 2 run spin.yaml --no-results --json --at 25.00001e-6
expect "is not in the run" error.txt

# ---- run: the bodies at the end ----

# row NAME NUMBERS: the line of a body has these numbers.
row()
{
    line=$(awk -v name="$1" '$1 == name { for (k = 2; k <= NF; k++) printf("%s%g", (k > 2 ? " " : ""), $k) }' text.txt)
    [ "$line" = "$2" ] || { complain "--final: $1 has '$line', not '$2'"; cat text.txt; }
}

run_carom 0 run spin.yaml --no-results
refuse "stone" text.txt
sed 's/25\*us/2/' spin.yaml >long.yaml
run_carom 0 run long.yaml --no-results --final
expect "at the end" text.txt
# x = 0.1 + 3 t, y = 0.2 - 4 t, angle = 5 t at t = 2
row disc "6.1 -7.8 10 3 -4 5"
row stone "0 0.4 0 0 0 0"
for header in "x [m]" "y [m]" "angle [rad]" "vx [m/s]" "vy [m/s]" "w [rad/s]"; do expect "$header" text.txt; done

cat >space.yaml <<'YAML'
carom: 1
dimension: 3
bodies:
  ball: {mass: 2, inertia: [1, 1, 1], at: [1, 2, 3], velocity: [0.5, 0, 0], angular_velocity: [0, 0, 7]}
run: {until: 2}
YAML
run_carom 0 run space.yaml --no-results --final
row ball "2 2 3 0.5 0 0 0 0 7"
refuse "angle" text.txt
run_carom 0 run --help
expect "--final" text.txt

finish
