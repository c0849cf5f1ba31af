#!/bin/sh
# `carom fit` from outside: records of CSV, HDF5 and MAT-files, what was put into them is found, pages and models that run,
# wrong studies and records end with one line, a full disk loses nothing.
set -u
. "$CAROM_SOURCE_DIR/tests/support/cli.sh"
rm -rf ./*
cp "$CAROM_MODELS/two_spheres.yaml" .

# value of unknown K of the JSON in text.txt: number K of "value"
value() { grep '"value"' text.txt | sed -n "${1}s/.*: *\([-0-9.e+]*\).*/\1/p"; }
near() { awk -v a="$1" -v b="$2" -v t="$3" 'BEGIN { d = a - b; exit !(d * d <= t * t) }'; }

# ---- a model, from a result of Carom itself, with two records ----
run_carom 0 run two_spheres.yaml --no-report -q --set K=7e9 --set e=0.62
cp carom-out/two_spheres.h5 truth.h5
run_carom 0 export truth.h5 --csv --channels contact.hit.force,body.left.velocity.x -o truth.csv
awk -F, 'NR == 1 { print "t [ms], F [kN], v [mm/s]" } NR > 1 { print 1e3 * $1 - 0.2 "," $2 / 1e3 + 0.05 "," 1e3 * $3 }' truth.csv >force.csv
cat >study.yaml <<'EOF'
title: Two spheres
model: two_spheres.yaml
parameters:
  K: {from: 1e8, to: 1e12, start: 5e11, scale: log}
  e: {from: 0.2, to: 0.95}
starts: 2
records:
  - file: force.csv
    time: t
    compare:
      F: contact.hit.force
      v: body.left.velocity.x
    sigma: {F: 10*N, v: 1}
    offset: [F]
    shift: {from: -0.5*ms, to: 0.5*ms}
  - file: truth.h5
    time: time
    compare:
      contact.hit.indentation: contact.hit.indentation
    sigma: 1*um
EOF
run_carom 0 fit study.yaml --check
expect '4 unknowns, 603 data of 2 records' text.txt
expect 'force.csv, F [kN] = contact.hit.force: 201 over t, sigma given' text.txt
[ ! -e study-fitted.yaml ] || complain "--check has written a model"
run_carom 0 fit study.yaml --brief --json
expect 'exact of 4 parameters; ' text.txt
near "$(value 1)" 7e9 1e6 || complain "K is $(value 1)"
near "$(value 2)" 0.62 1e-4 || complain "e is $(value 2)"
near "$(value 3)" -2e-4 1e-8 || complain "the shift is $(value 3)"
near "$(value 4)" 50 0.01 || complain "the offset is $(value 4)"
grep -v '"seconds"\|"elapsed"' text.txt >two.json
run_carom 0 fit study.yaml --brief --json --jobs 1
cmp text.txt two.json || complain "one worker and several find different numbers"
expect 'e: 0.6' study-fitted.yaml
expect '# radius' study-fitted.yaml
run_carom 0 run study-fitted.yaml --no-report --no-results
expect '1 impact' text.txt
expect '<svg' study-fit.html
grep -q '<script\|src=\|http:\|https:' study-fit.html && grep -v 'www.w3.org' study-fit.html | grep -q '<script\|src=\|http:' && complain "the page needs a network"

# ---- force over the indentation of a contact of a model, in and out ----
run_carom 0 export truth.h5 --csv --channels contact.hit.force,contact.hit.indentation -o loop_of_model.csv
awk -F, 'NR == 1 { print "d [um], F [N]" } NR > 1 && $2 > 0 && ++n % 12 == 1 { print 1e6 * $3 "," $2 }' loop_of_model.csv >model_loop.csv
sed '/^records/,$d' study.yaml >model_loop.yaml
cat >>model_loop.yaml <<'EOF'
records:
  - file: model_loop.csv
    contact: hit
    indentation: d
    compare: {F: contact.hit.force}
    sigma: 2*N
EOF
run_carom 0 fit model_loop.yaml --brief --json
near "$(value 1)" 7e9 1e7 || complain "K of a loop is $(value 1)"
near "$(value 2)" 0.62 1e-3 || complain "e of a loop is $(value 2)"
expect 'exact of 2 parameters' text.txt
sed 's/contact: hit/contact: hitt/' model_loop.yaml >wrong.yaml
refuse_command 1 "wrong.yaml:9:14: no channel 'contact.hitt.indentation'; did you mean" fit wrong.yaml
sed '/contact: hit/d' model_loop.yaml >wrong.yaml
refuse_command 1 'of a model `contact` says whose indentation it is' fit wrong.yaml

# ---- a law alone: what a static loop tells apart ----
awk 'BEGIN { print "d [um], F [N]"; for (k = 1; k <= 30; k++) { d = k * 1e-6; print k "," 2e9 * d ^ 1.5 + 5 * sin(k * k) } }' >loop.csv
cat >loop.yaml <<'EOF'
law: hertz
parameters:
  stiffness: {from: 1e7, to: 1e12, scale: log}
  exponent: {from: 1, to: 2.5}
records:
  - file: loop.csv
    indentation: d
    compare:
      F: force
    sigma: 5*N
EOF
run_carom 0 fit loop.yaml
expect 'derivatives: differences of 2: stiffness, exponent (a law alone makes no run)' text.txt
expect 'stiffness and exponent can hardly be told apart by these records' text.txt
expect '95 % by profile' text.txt
run_carom 0 run loop-fitted.yaml --no-report --no-results
expect '1 impact' text.txt
sed 's/exponent: {from: 1, to: 2.5}/restitution: {from: 0.1, to: 0.9}/; s/law: hertz/law: flores/' loop.yaml >silent.yaml
run_carom 0 fit silent.yaml
expect 'the records do not depend on restitution' text.txt

# ---- laws by rank ----
cp "$CAROM_SOURCE_DIR"/examples/fit/zhang_sharf* .
sed 's/laws: all/laws: [hertz, exact, flores, lankarani-nikravesh, kuwabara-kono]/' zhang_sharf.yaml >ranked.yaml
run_carom 0 fit ranked.yaml
expect 'exact fits best' text.txt
expect 'kuwabara-kono left out: kuwabara-kono needs' text.txt

cp "$CAROM_SOURCE_DIR"/examples/fit/elastic_impact* .
sed 's/laws: all/laws: [hertz, flores, kelvin-voigt]/' elastic_impact.yaml >curves.yaml
run_carom 0 fit curves.yaml --brief
expect 'law hertz' text.txt
expect 'exponent [-]' text.txt

# ---- outliers, a constant column, one row, as many unknowns as data ----
awk 'BEGIN { print "v [m/s], e"; for (k = 1; k <= 12; k++) print k / 10 "," (k % 5 == 0 ? 0.2 : 0.9 - 0.1 * k / 10 + 0.001 * sin(9 * k)) }' >table.csv
cat >robust.yaml <<'EOF'
parameters: {a: {from: 0, to: 2}, b: {from: -1, to: 1}}
loss: cauchy
records:
  - file: table.csv
    each: {v: v}
    compare: {e: a - b*v}
EOF
run_carom 0 fit robust.yaml --json
near "$(value 1)" 0.9 0.01 || complain "a is $(value 1) beside outliers"
near "$(value 2)" 0.1 0.01 || complain "b is $(value 2) beside outliers"
[ ! -e robust-fitted.yaml ] || complain "expressions have left a model"
printf 'v [m/s], e\n1, 0.5\n' >table.csv
sed 's/, b: {from: -1, to: 1}//; s/a - b\*v/a*v/; s/}$/}/' robust.yaml >one.yaml
echo '    sigma: 0.1' >>one.yaml
run_carom 0 fit one.yaml
expect 'as many unknowns as data' text.txt
printf 't [um], F [N]\n0,3\n1,3\n2,3\n3,3\n' >constant.csv
sed 's/loop.csv/constant.csv/; s/indentation: d/indentation: t [um]/' loop.yaml >constant.yaml
run_carom 0 fit constant.yaml
expect "column 'F' has the value 3 in all of 4 rows" text.txt
# a unit beside that of the heading: the same in other words, another one, one of a heading that is none
sed 's/t \[um\]/t [1e-6*m]/' constant.yaml >unit.yaml
run_carom 0 fit unit.yaml --check
sed 's/t \[um\]/t [mm]/' constant.yaml >unit.yaml
refuse_command 1 "column 't' of 'constant.csv' is in um by its heading, and in mm here: write \`t\` alone" fit unit.yaml
sed 's/F: force/"F [kN]": force/' constant.yaml >unit.yaml
refuse_command 1 "is in N by its heading, and in kN here" fit unit.yaml
printf 't [um], F [pounds-force]\n0,3\n1,4\n2,5\n3,6\n' >constant.csv
sed 's/F: force/"F [lbf]": force/' constant.yaml >unit.yaml
run_carom 0 fit unit.yaml --check
expect "has 'pounds-force', which is no unit; its numbers are taken in lbf" text.txt

# ---- MAT-files and HDF5 of others ----
if command -v octave >/dev/null; then
    octave --no-gui --quiet --eval "m = dlmread('loop.csv', ',', 1, 0); s.d = m(:,1)*1e-6; s.F = m(:,2)'; save -v7 loop7.mat s; \
        d = s.d'; F = single(s.F); note = 'text'; save -v6 loop6.mat d F note; save -hdf5 loop.h5 d F" >/dev/null 2>&1
    run_carom 0 fit loop.yaml --json --brief
    K=$(value 1)
    for file in loop7.mat loop6.mat; do
        sed "s/loop.csv/$file/; s/indentation: d/indentation: d [m]/; s/F: force/F [N]: force/" loop.yaml >mat.yaml
        run_carom 0 fit mat.yaml --json --brief
        near "$(value 1)" "$K" 1e5 || complain "$file gives $(value 1), not $K"
    done
    head -c 300 loop7.mat >cut.mat
    sed "s/loop.csv/cut.mat/" loop.yaml >mat.yaml
    refuse_command 4 'cut.mat: is no MAT-file, or damaged' fit mat.yaml
fi

# ---- what is wrong ends with a line that says where ----
wrong() { # sentence, change of the study
    sed "$2" study.yaml >wrong.yaml
    refuse_command "${3:-1}" "$1" fit wrong.yaml
}
rm -f wrong-fitted.yaml
wrong "wrong.yaml:11:10: no channel 'contact.hit.forze'; did you mean" 's/F: contact.hit.force/F: contact.hit.forze/'
wrong "'force.csv' has no column 'G'; there are t, F, v" 's/F: contact.hit.force/G: contact.hit.force/'
wrong "wrong.yaml:4:23: 'K': the bounds are crossed, from 1e+13 to 1e+12" 's/from: 1e8/from: 1e13/'
wrong "the start 5e+13 lies outside of its bounds" 's/5e11/5e13/'
wrong "the model has no parameter 'KK'; did you mean 'K'?" 's/  K:/  KK:/' 2
wrong "'time' is a time [s], and column 'F' is a force [N]" 's/time: t$/time: F/'
wrong "sigma is a length [m], and column 'F' is a force [N]" 's/10\*N/10*mm/'
wrong "column 'v' is a speed [m/s], and what it is compared with is a force [N]" 's/v: body.left.velocity.x/v: contact.hit.force/'
wrong "wrong.yaml:8:11: gone.csv: cannot be opened" 's/force.csv/gone.csv/' 4
wrong "there: no loss 'hubert'" 's/starts: 2/loss: hubert/'
wrong "a record: no key 'colums'" 's/    offset: /    colums: /'
wrong "'K' is unknown for all records by" 's/    offset: .*/    unknown: {K: {from: 1, to: 2}}/'
printf 't, F [kN], v [m/s]\n0,1,2\n1,2,3\n' >bad.csv
wrong "column 't' of 'bad.csv' has no unit: write" 's/force.csv/bad.csv/'
printf 't [ms], F, v [m/s]\n0,1,2\n1,2,3\n' >bad.csv
wrong "column 'F' of 'bad.csv' has no unit: write" 's/force.csv/bad.csv/; s/sigma: {F: 10\*N/sigma: {F: 10/'
printf 't [ms], F [N], v [m/s]\n0,1,2\n1,abc,3\n' >bad.csv
wrong "bad.csv:3:1: column 'F': 'abc' is no number" 's/force.csv/bad.csv/'
printf 't [ms]; F [N]; v [m/s]\n0;1;2\n1;2,5;3\n' >bad.csv
wrong "bad.csv:3:1: column 'F': '2,5' is no number; decimals have a point" 's/force.csv/bad.csv/'
printf 't [ms], F [N], v [m/s]\n0,1,2\n2,2,3\n1,2,3\n' >bad.csv
wrong "bad.csv:4:1: times ascend, and 0.001 s follows 0.002 s" 's/force.csv/bad.csv/'
printf 't [ms], F [N], v [m/s]\n0,1,2\n1,2\n' >bad.csv
wrong "bad.csv:3:1: the line has 2 columns" 's/force.csv/bad.csv/'
printf 't [um], F [N]\n0,1\n' >few.csv
sed 's/loop.csv/few.csv/; s/indentation: d/indentation: t [um]/' loop.yaml >few.yaml
refuse_command 1 '2 unknowns are more than 1 data can tell' fit few.yaml
sed 's/  stiffness/  stifness/' loop.yaml >wrong.yaml
refuse_command 1 "'stifness' is no parameter of hertz" fit wrong.yaml
sed 's/law: hertz/law: herz/' loop.yaml >wrong.yaml
refuse_command 1 "no law 'herz'; did you mean 'hertz'?" fit wrong.yaml
refuse_command 1 'this is a model, not a study' fit two_spheres.yaml
refuse_command 4 'cannot be opened' fit missing.yaml
[ ! -e wrong-fitted.yaml ] || complain "a wrong study has left a model"

# ---- all predictions fail, a full disk, no folder ----
sed 's/contact.hit.force/contact.hit.force/; s/from: 0.2, to: 0.95/from: 1.2, to: 1.95/' study.yaml >fails.yaml
refuse_command 1 'restitution' fit fails.yaml
cp loop.yaml full.yaml
sh -c "trap '' XFSZ; ulimit -f 4; exec '$CAROM_EXECUTABLE' fit full.yaml" >text.txt 2>error.txt
[ $? -eq 4 ] || complain "a full disk does not end with exit status 4"
expect 'stiffness' text.txt
expect 'full-fit.html' error.txt
lines 1 error.txt
[ ! -e full-fit.html ] || complain "a full disk leaves a part of the page"
refuse_command 4 'no/such' fit loop.yaml -q -o no/such/page.html
refuse_command 4 'no/such' fit loop.yaml -q -m no/such/model.yaml
# ---- friction from digitised impacts ----
if [ -n "${CAROM_TEST_ALL:-}" ]; then
    sed "s|model: .*|model: $CAROM_MODELS/chung_ooi_4.yaml|" "$CAROM_SOURCE_DIR/examples/fit/oblique_impact.yaml" >oblique.yaml
    cp "$CAROM_SOURCE_DIR/examples/fit/oblique_impact.csv" .
    echo 'starts: 1' >>oblique.yaml
    run_carom 0 fit oblique.yaml --brief --json
    near "$(value 1)" 0.0911 0.001 || complain "the friction of Chung and Ooi's test 4 is $(value 1)"
fi
# ---- residuals that follow each other: those of a drag that the model has not, not the rounding of exact records ----
cat >swing.yaml <<'EOF'
carom: 1
dimension: 2
gravity: [0, -9.81]
parameters: {c: 0.3, d: 0}
bodies: {bob: {mass: 1, inertia: 0.1, at: [1, 0], frames: {pin: [-1, 0]}}}
joints: {pin: {type: revolute, between: [ground, bob.pin], damper: {damping: c}}}
loads: {drag: {type: joint-effort, on: pin, effort: "-d*joint.pin.rate^3"}}
run: {until: 2, output: {every: 0.02}}
EOF
cat >swing-study.yaml <<'EOF'
model: swing.yaml
parameters: {c: {from: 0, to: 2, start: 0.9}}
starts: 1
records: [{file: swing.csv, time: t, compare: {joint.pin.coordinate: joint.pin.coordinate}}]
EOF
for drag in 0 0.01; do
    run_carom 0 run swing.yaml --no-report -q --set d=$drag
    run_carom 0 export carom-out/swing.h5 --csv --channels joint.pin.coordinate -o swing.csv
    sed -i '1s/^time/t/' swing.csv
    run_carom 0 fit swing-study.yaml --brief
    case $drag in
    0) grep "follow each other" text.txt error.txt && complain "exact records are told of" ;;
    *) expect "follow each other" text.txt ;;
    esac
done

finish 'what was put into the records is found'
