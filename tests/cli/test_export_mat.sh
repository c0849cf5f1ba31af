#!/bin/sh
# `carom export --mat`: the file as Octave reads it (where there is an Octave), its default name, and what is refused.
set -u
. "$CAROM_SOURCE_DIR/tests/support/cli.sh"

cat >drop.yaml <<'YAML'
carom: 1
dimension: 2
gravity: [0, -9.81]
bodies: {ball: {mass: 1, inertia: 1e-3, at: [0, 0.06]}}
shapes:
  skin: {type: sphere, on: ball, radius: 0.05}
  floor: {type: plane, on: ground, normal: [0, 1]}
contacts: {hit: {between: [floor, skin], normal: {law: flores, stiffness: 1e7, exponent: 1.5, restitution: 0.8}}}
run: {until: 0.2, output: {every: 1e-3}}
YAML
rm -rf out *.mat
"$CAROM_EXECUTABLE" run drop.yaml -o out -q || complain "run: exit status $?"

"$CAROM_EXECUTABLE" export out/drop.h5 --mat || complain "export --mat: exit status $?"
[ -s out/drop.mat ] || complain "no file out/drop.mat"
"$CAROM_EXECUTABLE" export out/drop.h5 --mat -o again.mat || complain "export --mat -o: exit status $?"
cmp out/drop.mat again.mat || complain "two exports of one result differ"
[ "$(head -c 19 again.mat)" = "MATLAB 5.0 MAT-file" ] || complain "not the header of a MAT-file"

refuse_command 2 "give one of them" export out/drop.h5 --mat --csv
refuse_command 2 "all groups" export out/drop.h5 --mat --group steps
refuse_command 2 "contact.hit.force" export out/drop.h5 --mat --channels contact.hit.forse -o wrong.mat
refuse_command 4 "nowhere/x.mat: cannot be written" export out/drop.h5 --mat -o nowhere/x.mat
refuse_command 4 "is not an ordinary file" export out/drop.h5 --mat -o out
cp out/drop.h5 named.mat
refuse_command 2 "named.mat: is the result itself" export named.mat --mat
cmp out/drop.h5 named.mat || complain "a refused export changed the result"
if [ "$(id -u)" != 0 ]; then
    mkdir -p closed && chmod 555 closed
    refuse_command 4 "closed/x.mat: cannot be written" export out/drop.h5 --mat -o closed/x.mat
    chmod 755 closed
fi
[ ! -e wrong.mat ] && [ -z "$(find . -name '*.part')" ] || complain "a refused export left a file"
"$CAROM_EXECUTABLE" export --help >help.txt
expect "--mat -o" help.txt

if ! command -v octave >/dev/null 2>&1; then
    echo "no octave: the file was not loaded"
    [ "$failures" = 0 ] && exit 0
    exit 1
fi

"$CAROM_EXECUTABLE" export out/drop.h5 --csv --group intervals --channels body.ball.position -o rows.csv
"$CAROM_EXECUTABLE" export out/drop.h5 --csv --group steps --channels contact.hit.force -o steps.csv
cat >check_mat.m <<'OCTAVE'
r = load("again.mat");
rows = dlmread("rows.csv", ",", 1, 0); steps = dlmread("steps.csv", ",", 1, 0);
assert(isequal([r.time r.body_ball_position], rows));
assert(isequal([r.steps_time r.steps_contact_hit_force], steps));
assert(iscellstr(r.impacts.contact) && strcmp(r.impacts.contact{1}, "hit"));
assert(numel(r.impacts.onset) == numel(r.impacts.contact) && r.impacts.e_got(1) > 0.5);
assert(r.ledger.kinetic >= 0 && isscalar(r.ledger.residual));
assert(strcmp(r.units.body_ball_position, "m") && strcmp(r.units.impacts.peak_force, "N"));
assert(strcmp(r.names.steps_contact_hit_force, "contact.hit.force"));
assert(strcmp(r.model_text, fileread("drop.yaml")) && strcmp(r.status, "completed"));
OCTAVE
octave --no-gui --quiet --no-init-file check_mat.m || complain "Octave does not read the file as it should"

finish
