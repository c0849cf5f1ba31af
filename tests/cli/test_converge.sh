#!/bin/sh
# carom converge: the bouncing ball agrees to its end, a linkage with clearances has a horizon and statistics that agree; fixed steps.
set -u
. "$CAROM_SOURCE_DIR/tests/support/cli.sh"

run_carom 0 converge "$CAROM_MODELS/bouncing_ball.yaml"
expect "the whole run: positions, speeds and impacts agree within 1 %" text.txt
expect "run 4 of 4: bdf" error.txt
run_carom 0 converge "$CAROM_MODELS/bouncing_ball.yaml" -q --json
expect '"whole": true' text.txt
lines 0 error.txt

run_carom 0 converge "$CAROM_MODELS/moving_table.yaml" -q
expect "the whole run" text.txt

# impacts of many digits first, then none
run_carom 0 converge "$CAROM_MODELS/four_bar_clearance.yaml" -q --all
refuse "the whole run" text.txt
expect "positions and angles alone agree" text.txt
expect "behind the horizon" text.txt
expect "impacts a second" text.txt
# the speed of the driven crank has no scatter, and differs by 2e-12
awk '/simulate longer/ { other = 1 } other && /of crank/ { exit 1 }' text.txt || { complain "the crank's speed differs"; cat text.txt; }
awk '/^ +[0-9]+  [BCD] / { if ($1 == 1 && $4 >= 6) first = 1; last = $4 <= 3 || $4 == "-" } END { exit !(first && last) }' text.txt ||
    { complain "digits of the impacts"; cat text.txt; }

# halved steps of a method of first order agree on few digits
cat >fall.yaml <<'EOF'
carom: 1
dimension: 2
gravity: [0, -9.81]
bodies: {bob: {mass: 1, inertia: 1, at: [1, 0], frames: {pin: [-1, 0]}}}
joints: {pin: {type: revolute, between: [ground, bob.pin]}}
run: {until: 1, integrator: semi-implicit-euler, step: 1e-3}
EOF
run_carom 0 converge fall.yaml -q --json
expect '"step": 0.00025' text.txt
# times of the comparison cut no fixed step, with rows that end steps and without; velocity Verlet, x0 cos(n theta) with
# sin(theta/2) = omega h/2, ends at -98.557, -99.282 and -99.422 mm, which agree on two to three digits
cat >spring.yaml <<'EOF'
carom: 1
dimension: 2
bodies: {a: {mass: 1, inertia: 1e-3, at: [0.1, 0]}, b: {mass: 1, inertia: 1e-3, at: [5, 0]}}
shapes: {a: {type: sphere, on: a, radius: 0.05}, b: {type: sphere, on: b, radius: 0.05}}
contacts: {c: {all: [a, b], normal: {law: hooke, stiffness: 1e4}}}
loads: {s: {type: spring, between: [ground, a], stiffness: 1000, length: 0}}
run: {until: 0.5, integrator: verlet, step: 0.01}
EOF
sed 's/all: /between: /' spring.yaml >located.yaml
for model in spring located; do
    run_carom 0 converge $model.yaml -q --json
    for steps in 50 100 200; do
        expect "\"steps\": $steps," text.txt
    done
    run_carom 0 converge $model.yaml -q
    awk '/position of a/ { found = $NF <= 3 } END { exit !found }' text.txt || { complain "digits of $model"; cat text.txt; }
done
# near the tightest tolerance no two runs have one; runs that are the same are told of
cat >swing.yaml <<'EOF'
carom: 1
dimension: 2
gravity: [0, -9.81]
bodies: {bob: {mass: 1, inertia: 1, at: [1, 0], frames: {pin: [-1, 0]}}}
joints: {pin: {type: revolute, between: [ground, bob.pin]}}
run: {until: 1, tolerance: 1e-10}
EOF
run_carom 0 converge swing.yaml --json
expect "run 2 of 4: auto, tolerance 3.162e-11" error.txt
expect "run 3 of 4: auto, tolerance 1e-11" error.txt
run_carom 0 converge swing.yaml --json --tolerance 1e-11
expect "runs 1 and 2 are the same to the last bit" error.txt
# a driven crank turns about its centre, a rod swings on it and a ram goes along a line: the crank's place and speed and
# the ram's angle are rounding, and no results
cat >crank.yaml <<'EOF'
carom: 1
dimension: 2
gravity: [0, -9.81]
bodies:
  crank: {mass: 3, inertia: 0.04, at: [0, 0], frames: {pin: [0, 60*mm]}}
  rod: {mass: 1.5, inertia: 0.02, at: [0, -40*mm], frames: {a: [0, 100*mm], b: [0, -200*mm]}}
  ram: {mass: 6, inertia: 0.1, at: [0, -240*mm]}
joints:
  main: {type: revolute, between: [ground, crank], motion: 2*pi*2*t}
  pin: {type: revolute, between: [crank.pin, rod.a]}
  wrist: {type: revolute, between: [rod.b, ram]}
  guide: {type: translational, between: [ground, ram], axis: [0, 1]}
run: {until: 0.3}
EOF
run_carom 0 converge crank.yaml -q
expect "angle of crank" text.txt
expect "position of ram" text.txt
refuse "position of crank" text.txt
refuse "  speed of crank" text.txt
refuse "angle of ram" text.txt
expect "4 more are 0 but for rounding" text.txt
run_carom 0 converge crank.yaml -q --json
refuse "angular speed of ram" text.txt
refuse_command 2 "--share" converge fall.yaml --share 2

finish "what runs agree on is found"
