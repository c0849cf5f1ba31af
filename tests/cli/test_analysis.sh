#!/bin/sh
# `carom run` with analyses that are no motion: text, JSON, names, refusals; `carom list` and `carom explain`; `carom check`.
set -u
failures=0

complain()
{
    echo "FAILED: $1"
    failures=$((failures + 1))
}

# expect TEXT FILE: the file holds the text.
expect() { grep -qF -- "$1" "$2" || { complain "'$1' is missing from $2:"; cat "$2"; }; }

cat >crank.yaml <<'YAML'
carom: 1
dimension: 2
bodies:
  crank:  {mass: 0.3, inertia: 1e-4, at: [0.025, 0], frames: {root: [-0.025, 0], tip: [0.025, 0]}}
  rod:    {mass: 0.2, inertia: 2e-5, at: [0.11, 0], frames: {root: [-0.06, 0], tip: [0.06, 0]}}
  slider: {mass: 0.1, inertia: 1e-4, at: [0.17, 0]}
joints:
  main:  {type: revolute, between: [ground, crank.root], motion: 0.7 + 10*t}
  pin:   {type: revolute, between: [crank.tip, rod.root]}
  wrist: {type: revolute, between: [rod.tip, slider]}
  guide: {type: translational, between: [ground, slider], axis: [1, 0]}
  again: {type: translational, between: [ground, slider], axis: [1, 0]}
run: {analysis: assembly}
YAML
sed 's/^run: .*/run:\n  - {analysis: assembly}\n  - {until: 0.01}/' crank.yaml >both.yaml

"$CAROM_EXECUTABLE" run crank.yaml >text.txt 2>error.txt || complain "run: exit status $?"
[ ! -s error.txt ] || complain "run wrote to standard error: $(cat error.txt)"
[ ! -e carom-out ] || complain "an analysis without results makes a folder"
grep -Eq '^redundant +2$' text.txt || complain "two redundant rows are missing: $(cat text.txt)"
grep -Eq '^degrees_of_freedom +0$' text.txt || complain "degrees of freedom are missing"
expect "joint 'again', row 2" text.txt
grep -Eq '^slider +x +m +0.17 +0.153838 +-0.428671$' text.txt || complain "the slider is missing: $(cat text.txt)"

"$CAROM_EXECUTABLE" run crank.yaml --json >run.json || complain "run --json: exit status $?"
for text in '"analysis": "assembly"' '"status": "completed"' '"rank": 9' '"degrees_of_freedom": 0' '"bodies": [' \
    "\"constraint\": \"joint 'again', row 1\""; do
    expect "$text" run.json
done

# a file with several: each in its order, results of the motion alone
"$CAROM_EXECUTABLE" run both.yaml -o out --no-report >both.txt || complain "run of two: exit status $?"
expect "both · 3 bodies · assembly" both.txt
expect "completed  0.01 s" both.txt
[ "$(ls out)" = both-2.h5 ] || complain "the folder holds $(ls out)"

# the equilibrium, and a motion that begins there: all of its energy is rounding, and nobody minds
sed 's/^run: .*/run:\n  - {analysis: equilibrium}\n  - {until: 0.1, start: previous}/; s/^dim.*/&\ngravity: [0, -9.81]/; s/, motion: .*t}/}/; /again/d' \
    crank.yaml >rest.yaml
"$CAROM_EXECUTABLE" run rest.yaml -o rested --no-report >rest.txt || complain "run from an equilibrium: exit status $?"
expect "rest · 3 bodies · equilibrium" rest.txt
expect "stable" rest.txt
expect "completed  0.1 s" rest.txt

# what asks for a motion, and what is no analysis
"$CAROM_EXECUTABLE" run crank.yaml --tolerance 1e-6 >/dev/null 2>error.txt
[ $? = 2 ] || complain "--tolerance of an assembly is no usage error"
expect "--tolerance takes effect on motions only, and analysis assembly of 'crank.yaml' is none" error.txt
sed 's/assembly/asembly/' crank.yaml >wrong.yaml
"$CAROM_EXECUTABLE" run wrong.yaml >/dev/null 2>error.txt
[ $? = 1 ] || complain "an unknown analysis is not refused"
expect "wrong.yaml:13:17: run: 'analysis' is one of dynamics kinematics modes assembly" error.txt
expect "did you mean 'assembly'?" error.txt
sed 's/analysis: assembly/tolerance: 1e-6/' crank.yaml >wrong.yaml
"$CAROM_EXECUTABLE" run wrong.yaml >/dev/null 2>error.txt && complain "a motion without an end is not refused"
expect "missing key 'until'" error.txt
sed 's/at: \[0.17, 0\]}/at: [0.17, 0]}\n  far: {mass: 1, inertia: 1, at: [9, 0]}/
    s/^run/  rope: {type: revolute, between: [{ground: [9, 1]}, far]}\n  rope2: {type: revolute, between: [{ground: [9, 2]}, far]}\nrun/' \
    crank.yaml >apart.yaml
"$CAROM_EXECUTABLE" run apart.yaml >/dev/null 2>error.txt
[ $? = 1 ] || complain "what cannot be assembled is not refused"
expect "the parts cannot be assembled: joint 'rope" error.txt

sed 's/^dimension/parameters: {a: 1}\ndimension/' crank.yaml >varied.yaml
"$CAROM_EXECUTABLE" compare varied.yaml --vary a=1,2 >/dev/null 2>error.txt
[ $? = 2 ] || complain "compare of an assembly is no usage error"
expect "motions are compared" error.txt

"$CAROM_EXECUTABLE" check crank.yaml >check.txt || complain "check: exit status $?"
expect "joint 'again', row 2" check.txt
"$CAROM_EXECUTABLE" list analyses >list.txt || complain "list analyses: exit status $?"
expect "Positions and velocities at the start" list.txt
"$CAROM_EXECUTABLE" explain assembly >explain.txt || complain "explain assembly: exit status $?"
expect "degrees_of_freedom" explain.txt
"$CAROM_EXECUTABLE" list formulations >list.txt || complain "list formulations: exit status $?"
expect "cartesian  Newton-Euler" list.txt

# efforts along a motion that a table gives, as a table; the same motion with them
awk 'BEGIN { print "t [s],u [rad]"; for (k = 0; k <= 600; k++) printf "%.17g,%.17g\n", k/1000, 0.7 + 10*k/1000 }' >motion.csv
cat >inverse.yaml <<'YAML'
carom: 1
dimension: 2
inputs: {u: 0}
bodies: {arm: {mass: 2, inertia: 0.1, at: [0.3, 0], frames: {root: [-0.3, 0]}}}
joints: {main: {type: revolute, between: [ground, arm.root], motion: u^2}}
run: {analysis: inverse-dynamics, until: 0.4}
YAML
"$CAROM_EXECUTABLE" run inverse.yaml >/dev/null 2>error.txt && complain "a motion by an input without a record is not refused"
expect "give it a record" error.txt
"$CAROM_EXECUTABLE" run inverse.yaml --input u=motion.csv --table efforts=efforts.csv >text.txt || complain "run --table: exit status $?"
[ "$(head -1 efforts.csv)" = "t [s],main [N m]" ] || complain "the table begins with $(head -1 efforts.csv)"
[ "$(wc -l <efforts.csv)" = 202 ] || complain "the table has $(wc -l <efforts.csv) lines"
# (2 kg 0.09 m^2 + 0.1 kg m^2) 200 rad/s^2
expect "0.01,56." efforts.csv || complain "the torque is not 56 N m: $(sed -n 7p efforts.csv)"
sed 's/u: 0/e: 0/; s/, motion: u^2/, rate: 14/; s/at: \[0.3, 0\]/at: [0.3*cos(0.49), 0.3*sin(0.49)], angle: 0.49/
    s/^run.*/loads: {drive: {type: joint-effort, on: main, effort: e}}\nrun: {until: 0.4}/' inverse.yaml >driven.yaml
"$CAROM_EXECUTABLE" run driven.yaml --input e=efforts.csv:main --no-results --final >text.txt || complain "run with efforts: exit status $?"
grep -Eq '^arm .* 94\.000$' text.txt || complain "the arm does not turn at 94 rad/s: $(cat text.txt)"
"$CAROM_EXECUTABLE" run inverse.yaml --input u=motion.csv --table nothing=efforts.csv >/dev/null 2>error.txt
[ $? = 2 ] || complain "a table that is not there is no usage error"
expect "no analysis of 'inverse.yaml' has such a table" error.txt

# modes: matrices in a file, and a page and a file of results of each mode
cat >modes.yaml <<'EOF'
carom: 1
dimension: 2
gravity: [0, -9.81]
bodies: {rod: {mass: 2, inertia: 0.3, at: [0, -0.5], frames: {pivot: [0, 0.5]}}}
joints: {pin: {type: revolute, between: [ground, rod.pivot]}}
run: {analysis: modes}
EOF
"$CAROM_EXECUTABLE" run modes.yaml -o swing --matrices space.h5 >text.txt || complain "modes: exit status $?"
[ -s space.h5 ] && [ -s swing/modes-mode-1.h5 ] && [ -s swing/modes-modes.html ] || complain "modes are not drawn"
expect "swing/modes-modes.html" text.txt
"$CAROM_EXECUTABLE" run inverse.yaml --input u=motion.csv --matrices space.mat >/dev/null 2>error.txt
[ $? = 2 ] || complain "matrices that are not there are no usage error"

# contact sets: an analysis has a contact of each pair, begun at the start or behind a motion with sets, and before one
cat >balls.yaml <<'EOF'
carom: 1
dimension: 2
gravity: [0, -9.81]
bodies:
  ball: {copies: 3, mass: 1, inertia: 0.004, at: [(copy - 2)*0.3, 0.1 + 0.001*copy]}
shapes:
  rim: {type: sphere, on: ball, radius: 0.1}
  floor: {type: plane, on: ground, normal: [0, 1]}
contacts:
  heap: {all: ["rim_*", floor], normal: {law: hunt-crossley, stiffness: 1e7, restitution: 0.5}}
loads:
  hold: {copies: 3, type: spring, between: [{ground: [(copy - 2)*0.3, 1]}, ball_$copy], stiffness: 10, length: 0.9}
EOF
sets="integrator: verlet, step: 1e-5"
for runs in "{until: 0.02, $sets}, {analysis: equilibrium, start: previous}, {analysis: modes}" \
    "{analysis: equilibrium}, {until: 0.002, $sets, start: previous}" \
    "{until: 0.02, $sets}, {analysis: equilibrium, start: previous, $sets}, {analysis: modes, start: previous, $sets}"; do
    { cat balls.yaml; echo "run: [$runs]"; } >sets.yaml
    "$CAROM_EXECUTABLE" run sets.yaml -o sets >text.txt 2>error.txt || complain "$runs: exit status $?, $(cat error.txt)"
    # m g and what the springs, 1.1 mm longer or shorter, add
    [ "$(grep -Ec '^heap.rim_[123]-floor +9.8[0-9]* ' text.txt)" = 3 ] || complain "$runs: the floor bears $(grep -A5 ^contacts: text.txt)"
done

# bodies that the assembly moves far are told of by each analysis, and the file's own places are those before
cat >open.yaml <<'EOF'
carom: 1
dimension: 2
gravity: [0, -9.81]
bodies:
  a: {mass: 1, inertia: 0.01, at: [0.5, 0]}
  b: {mass: 1, inertia: 0.01, at: [2, 0]}
joints:
  p: {type: revolute, between: [ground, {a: [-0.5, 0]}], spring: {stiffness: 50}}
  q: {type: revolute, between: [{a: [0.5, 0]}, {b: [-0.5, 0]}], spring: {stiffness: 50}}
EOF
sed 's/\(p: .*\)spring: {stiffness: 50}/\1motion: 1 + t/; s/\(q: .*\)spring: {stiffness: 50}/\1motion: t/' open.yaml >driven.yaml
for formulation in cartesian tree; do
    for analysis in equilibrium modes "modes, about: state" "inverse-dynamics, until: 1"; do
        for model in open driven; do
            case $model:$analysis in open:inverse*) continue ;; esac
            { cat $model.yaml; echo "run: {analysis: $analysis, formulation: $formulation}"; } >moved.yaml
            "$CAROM_EXECUTABLE" run moved.yaml -o moved >moved.txt || complain "$model, $analysis: exit status $?"
            tr '\n' ' ' <moved.txt | tr -s ' ' >moved.line
            case $model in
            open) expect "is open by 0.5 m where the bodies are placed" moved.line && expect "[W49]" moved.txt ;;
            *) expect "joint 'p': its motion begins at 1 rad, but where the bodies are placed" moved.line &&
                expect "[W08]" moved.txt ;;
            esac
            grep -Eq '^b +x +m +2 ' moved.txt || complain "$model, $analysis: $(grep '^b ' moved.txt)"
        done
    done
done
"$CAROM_EXECUTABLE" run moved.yaml --json >moved.json || complain "run --json: exit status $?"
expect '"warnings": [' moved.json
expect "[W08]" moved.json

[ "$failures" = 0 ]
