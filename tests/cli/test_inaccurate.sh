#!/bin/sh
# Runs whose numbers are not those of their model: status, cause and remedy in text, JSON, results and page, and that the
# remedy helps; exit status 3 with --strict.
set -u
. "$CAROM_SOURCE_DIR/tests/support/cli.sh"

cat >swing.yaml <<'EOF'
carom: 1
dimension: 2
gravity: [0, -9.81]
parameters: {h: 0.005}
bodies:
  bar: {mass: 1, inertia: 1/12, at: [0.5, 0], frames: {pin: [-0.5, 0], tip: [0.5, 0]}}
  rod: {mass: 1, inertia: 1/12, at: [1.5, 0], frames: {pin: [-0.5, 0]}}
joints:
  wall: {type: revolute, between: [ground, bar.pin]}
  knee: {type: revolute, between: [bar.tip, rod.pin]}
run: {until: 2, integrator: semi-implicit-euler, step: h}
EOF

# the fixed step is too long: the status says so, and the results as well
run_carom 0 run swing.yaml -o out
expect "completed, inaccurate" text.txt
expect "warning      inaccurate: the energy leaves a residual" text.txt
expect "the step of 0.005 s is likely too long for integrator semi-implicit-euler; type \`--integrator " text.txt
h5dump -A out/swing.h5 >dump.txt
expect '"completed, inaccurate"' dump.txt
expect "completed, inaccurate" out/swing.html
run_carom 0 run swing.yaml -o out --json
expect '"status": "completed, inaccurate"' text.txt
expect '"accurate": false' text.txt

# what it says helps
run_carom 0 run swing.yaml -o out --integrator adams
refuse "inaccurate" text.txt
run_carom 0 run swing.yaml -o out --integrator adams --json
expect '"accurate": true' text.txt

# outlines that rattle where they lie flat on each other stand still with located contacts: a shorter step alone is told
{
    cat swing.yaml
    for on in bar rod; do
        disc="{type: profile, on: $on, closed: true, outline: [{line: [[-0.1, 0], [0, 0]]}, {line: [[0, 0], [0.1, 0]]}, "
        disc="$disc{arc: {radius: 0.1, from: 0, to: 180*deg}}]}"
        [ $on = bar ] && echo "shapes:"
        echo "  $on: $disc"
    done
    echo "contacts: {c: {between: [bar, rod], normal: {law: hooke, stiffness: 1e5}}}"
} >flats.yaml
run_carom 0 run flats.yaml -o flats
expect "W33" text.txt
expect "the step of 0.005 s is likely too long for integrator semi-implicit-euler; give a \`step\` of " text.txt
refuse "type \`--integrator " text.txt

# --strict: warnings are errors, after the results are written
rm -rf out
run_carom 3 run swing.yaml -o out --strict
[ -s out/swing.h5 ] || complain "no results with --strict"
run_carom 0 run swing.yaml -o out --strict --integrator adams

# a constraint that is left is named: a motion that turns within less than a step
sed 's/knee: {type: revolute, /knee: {type: revolute, motion: "sqrt((t - 0.7)^2 + 1e-13)", /; s/h: 0.005/h: 1e-4/' swing.yaml >kink.yaml
run_carom 0 run kink.yaml -o out
expect "motion of joint 'knee' is violated by" text.txt

# a chain that hangs at rest yields in the springs of `penalty`, and has no other energy
cat >chain.yaml <<'EOF2'
carom: 1
dimension: 2
gravity: [0, -9.81]
bodies:
  a: {mass: 1, inertia: 0.1, at: [0, -0.5], frames: {top: [0, 0.5], low: [0, -0.5]}}
  b: {mass: 1, inertia: 0.1, at: [0, -1.5], frames: {top: [0, 0.5], low: [0, -0.5]}}
  c: {mass: 9, inertia: 0.1, at: [0, -2.5], frames: {top: [0, 0.5], low: [0, -0.5]}}
  d: {mass: 9, inertia: 0.1, at: [0, -3.5], frames: {top: [0, 0.5], low: [0, -0.5]}}
  e: {mass: 9, inertia: 0.1, at: [0, -4.5], frames: {top: [0, 0.5], low: [0, -0.5]}}
joints:
  one: {type: revolute, between: [ground, a.top]}
  two: {type: revolute, between: [a.low, b.top]}
  three: {type: revolute, between: [b.low, c.top]}
  four: {type: revolute, between: [c.low, d.top]}
  five: {type: revolute, between: [d.low, e.top]}
run: {until: 1, formulation: cartesian, constraints: penalty}
EOF2
run_carom 0 run chain.yaml -o out
refuse "inaccurate" text.txt

# a comparison tells which variants
run_carom 0 compare swing.yaml --vary h=0.005,1e-5 --no-results
expect "1 completed  1 completed, inaccurate" text.txt

finish "inaccurate runs say so, why, and what helps"
