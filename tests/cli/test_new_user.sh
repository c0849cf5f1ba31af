#!/bin/sh
# What a new user types: the end of a run, channels by beginnings and patterns, measured points beside an impact, units on the
# command line, parts of laws, a rounded box that lies flat; and input that is wrong in ways of its own.
set -u
. "$CAROM_SOURCE_DIR/tests/support/cli.sh"

cat >ball.yaml <<'YAML'
carom: 1
dimension: 2
gravity: [0, -9.81]
bodies: {ball: {mass: 1, inertia: 0.01, at: [0, 0.2]}}
shapes: {ball: {type: sphere, on: ball, radius: 0.1}, floor: {type: plane, on: ground, normal: [0, 1]}}
contacts: {hit: {between: [ball, floor], normal: {law: flores, stiffness: 1e8, restitution: 0.7}}}
run: {until: 0.2, output: {channels: [body.ball.position, "contact.*.force"]}}
YAML

# ---- the end of a run ----

run_carom 0 run ball.yaml --until 50*ms --no-report
[ "$("$CAROM_EXECUTABLE" export carom-out/ball.h5 --csv | tail -1 | cut -d, -f1)" = 0.050000000000000003 ] ||
    complain "the run does not end at 0.05 s"
refuse_command 2 "a time [s] is needed here" run ball.yaml --until 5*mm
refuse_command 2 "must lie above 0" run ball.yaml --until 0

# ---- tolerances ----

run_carom 0 run ball.yaml --tolerance 1e-12 --no-report
expect "tolerance 1e-12 is below rounding: the run is that of the tolerance 4.9e-11" text.txt
run_carom 0 run ball.yaml --tolerance 5e-11 --no-report
refuse "below rounding" text.txt

# ---- what the integrator has used: in the result file, and on the page, which without the viewer is plain text ----

used() {
    h5dump -a /methods carom-out/ball.h5 | grep -qF "$1" || complain "methods of the result file: not '$1'"
    if grep -q 'built without the viewer' carom-out/ball.html; then
        expect "<dt>integrator</dt><dd>$1</dd>" carom-out/ball.html
    fi
}
run_carom 0 run ball.yaml
used "auto: dop853 0.2 s of the run, 0 changes"
run_carom 0 run ball.yaml --integrator dopri5
used "dopri5 0.2 s of the run"

# ---- channels ----

run_carom 0 run ball.yaml --no-report
"$CAROM_EXECUTABLE" export carom-out/ball.h5 --csv --group intervals | head -1 >head.txt
printf 'time [s],body.ball.position.x [m],body.ball.position.y [m],contact.hit.force [N]\n' >wanted.txt
cmp -s head.txt wanted.txt || { complain "output.channels"; cat head.txt; }
"$CAROM_EXECUTABLE" export carom-out/ball.h5 --csv --group intervals --channels 'body.ball,contact.h*' | head -1 >head.txt
cmp -s head.txt wanted.txt || { complain "--channels with a beginning and a pattern"; cat head.txt; }
refuse_command 2 "no channel 'body.bal'" export carom-out/ball.h5 --csv --channels body.bal

# the time is always there, and may be named: the first column, or the only one
"$CAROM_EXECUTABLE" export carom-out/ball.h5 --channels time,contact.hit.force | cut -d, -f1 >times.txt
"$CAROM_EXECUTABLE" export carom-out/ball.h5 --group steps --channels time >only.txt
cmp -s times.txt only.txt && [ "$(wc -l <only.txt)" -gt 10 ] || complain "the times of the steps"
run_carom 0 export carom-out/ball.h5 --mat --channels time,body.ball.position -o ball.mat

# ---- standard output for FILE: where one text is written; never a file of that name ----

run_carom 0 export carom-out/ball.h5 --channels time -o -
lines "$(($("$CAROM_EXECUTABLE" export carom-out/ball.h5 | wc -l)))" text.txt
run_carom 0 export carom-out/ball.h5 --table impacts -o -
expect "time" text.txt
run_carom 0 new balls -o -
expect "carom: 1" text.txt
printf '<robot name="r"><link name="l"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>%s' \
    '</inertial></link></robot>' >r.urdf
run_carom 0 import r.urdf -o -
expect "carom: 1" text.txt
refuse_command 2 "takes CSV alone" export carom-out/ball.h5 --mat -o -
refuse_command 2 "writes a folder" export carom-out/ball.h5 --vtk -o -
refuse_command 2 "--output takes the name of a file" report carom-out/ball.h5 -o -
refuse_command 2 "--output takes the name of a folder" run ball.yaml -o -
refuse_command 2 "--output takes the name of a file" plot carom-out/ball.h5 contact.hit.force --output=-
[ ! -e - ] || complain "a file of the name -"

sed 's/body.ball.position/body.ball.positon/' ball.yaml >typo.yaml
run_carom 1 run typo.yaml --no-report
expect "there is no channel 'body.ball.positon'; did you mean 'body.ball.position'?" error.txt

# ---- points beside an impact: their time counts from the onset, or is that of the run ----

printf '0 0\n1e-4 900\n2e-4 700\n' >onset.txt
printf '0.1429 0\n0.1430 900\n' >run.txt
printf '7 0\n8 900\n' >far.txt
for points in onset run; do
    run_carom 0 plot carom-out/ball.h5 contact.hit.force --impact 1 --data "$points.txt" -o "$points.svg"
done
cmp -s onset.svg run.svg && complain "the times of both figures are the same"
refuse_command 2 "no point lies in the impact" plot carom-out/ball.h5 contact.hit.force --impact 1 --data far.txt -o far.svg

# ---- laws on the command line ----

several="impact --laws hooke,flores --mass 50*gram --speed 0.3 --restitution 0.7"
# shellcheck disable=SC2086
{
    run_carom 0 $several --stiffness 1e8
    expect "is taken in N/m by one law and in N/m^1.5 by another" error.txt
    run_carom 0 $several --stiffness "1e8*N/m^1.5"
    refuse "warning" error.txt
    expect "a stiffness [N/m] is needed here" text.txt
}
refuse_command 2 "a mass [kg] is needed here" impact --law hertz --mass 5*mm --speed 1 --stiffness 1e8
refuse_command 1 "a stiffness [N/m^1.5] is needed here" force --law flores --stiffness "1*N/m" --restitution 1 --delta 1e-4
run_carom 0 force --law hooke --elastic power --stiffness 1e5 --delta 1e-4
expect "n 1.5" text.txt
run_carom 0 force --elastic hooke --damping kelvin-voigt --damping_constant 50 --stiffness 1e5 --delta 1e-4 --rate 1
expect "60.000" text.txt

# ---- the damping part and its constant in a file ----

sed 's/law: flores, stiffness: 1e8, restitution: 0.7/elastic: hooke, stiffness: 1e6, damping: kelvin-voigt, damping_constant: 50/' \
    ball.yaml >part.yaml
sed 's/law: flores, stiffness: 1e8, restitution: 0.7/law: kelvin-voigt, stiffness: 1e6, damping: 50/' ball.yaml >named.yaml
for model in part named; do run_carom 0 run $model.yaml --no-report; done
for model in part named; do "$CAROM_EXECUTABLE" export carom-out/$model.h5 --csv --group intervals >$model.csv; done
cmp -s part.csv named.csv || complain "the constant of kelvin-voigt under both names"
sed 's/law: flores, stiffness: 1e8, restitution: 0.7/elastic: hooke, stiffness: 1e6, damping: 50/' ball.yaml >number.yaml
refuse_command 1 "whose constant is 'damping_constant'" check number.yaml

# ---- a box with rounded edges that lies flat, with materials ----

cat >box.yaml <<'YAML'
carom: 1
dimension: 3
gravity: [0, 0, -9.81]
materials: {steel: {E: 210*GPa, nu: 0.3}}
bodies: {b: {mass: 1, inertia: [0.002, 0.002, 0.002], at: [0, 0, 0.051]}}
shapes:
  box: {type: box, on: b, size: [0.1, 0.1, 0.1], edge: 2*mm, material: steel}
  floor: {type: plane, on: ground, normal: [0, 0, 1], material: steel}
contacts: {c: {between: [box, floor], normal: {law: flores, restitution: 0.5}}}
run: {until: 0.01}
YAML
run_carom 0 check box.yaml
# K = 4/3 E/(2 (1 - nu^2)) sqrt(2 mm)
expect "6.880e9" text.txt

# ---- input that is wrong ----

: >empty.yaml
refuse_command 1 "empty.yaml:1:1" check empty.yaml
sed 's/mass: 1/mass: -1/' ball.yaml >negative.yaml
refuse_command 1 "'mass' is -1; it must be greater than 0 kg" check negative.yaml
sed 's/mass: 1,/mass: 1e999,/' ball.yaml >huge.yaml
refuse_command 1 "huge.yaml:4:23" check huge.yaml
sed 's/bodies: {ball:/bodies: {"b l":/' ball.yaml >odd.yaml
refuse_command 1 "odd.yaml:4:10" check odd.yaml
finish
