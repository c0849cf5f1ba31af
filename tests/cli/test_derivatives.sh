#!/bin/sh
# `carom run --derivatives`: tables, the file of impacts, channels in the results that plots and exports take, JSON, what
# is told of a parameter, refusals.
set -u
. "$CAROM_SOURCE_DIR/tests/support/cli.sh"

cat >ball.yaml <<'YAML'
carom: 1
dimension: 2
gravity: [0, -gr]
parameters: {gr: 9.81, mb: 0.2, R: 0.02, K: 1e8*N/m^1.5, e: 0.7, H: 0.5, none: 1, law: flores}
bodies:
  ball: {mass: mb, inertia: 0.4*mb*R^2, at: [0, H + R]}
shapes:
  b: {type: sphere, on: ball, radius: R}
  floor: {type: plane, on: ground, normal: [0, 1]}
contacts:
  c: {between: [b, floor], normal: {law: $law, stiffness: K, restitution: e}}
run: {until: 0.9, output: {every: 10*ms}}
YAML

run_carom 0 run ball.yaml --derivatives e,none,body.ball.velocity.y --derivatives-of body.ball.position,energy.kinetic -o out
expect "derivatives by e, which is 0.7" text.txt
expect "derivatives by none, which is 1: nothing in this run depends on it, all are 0" text.txt
expect "derivatives by body.ball.velocity.y, which is 0 m/s" text.txt
expect "e asked" text.txt
expect "by e  by none" text.txt
expect "derivatives  out/ball.derivatives.csv" text.txt
lines 7 out/ball.derivatives.csv
expect "parameter,impact,contact,onset [s],duration [s]" out/ball.derivatives.csv
expect "body.ball.velocity.y,2,c," out/ball.derivatives.csv

# the derivatives of the impacts stand in the results as well
if command -v h5dump >/dev/null; then
    h5dump -d /derivatives/e/v_out -y -w 1 -m %.17g -o column.txt out/ball.h5 >/dev/null
    [ "$(sed 's/[ ,]//g' column.txt | grep -v '^$' | head -1)" = "$(awk -F, '$1 == "e" { print $8; exit }' out/ball.derivatives.csv)" ] ||
        complain "/derivatives/e/v_out is not that of the table"
fi

# the channels are those of the results, with the unit of the parameter where it has one
run_carom 0 plot out/ball.h5 --list
expect "derivative.e.body.ball.position.x, .y" text.txt
expect "m/(m/s)" text.txt
run_carom 0 plot out/ball.h5 derivative.e.body.ball.position.y -o out/e.svg
run_carom 0 export out/ball.h5 --csv -o out/csv

# all of the motion is recorded where nothing is named, and the run itself is that without derivatives
run_carom 0 run ball.yaml --derivatives K -o all --no-report
run_carom 0 plot all/ball.h5 --list
expect "derivative.K.body.ball.angular_velocity" text.txt
expect "m/(N/m^1.5)" text.txt

run_carom 0 run ball.yaml --derivatives e,H --derivatives-of energy.kinetic --json --no-results
python3 - <<'PYTHON' || complain "the JSON object"
import json
run = json.load(open("text.txt"))
by = {d["parameter"]: d for d in run["derivatives"]}
assert list(by) == ["e", "H"] and by["e"]["influences"] and not by["e"]["one_sided"]
assert abs(by["H"]["impacts"][0]["onset"] - 1 / (9.81 * run["impacts"][0]["onset"])) < 1e-6
assert by["e"]["impacts"][0]["onset"] == 0 and by["e"]["impacts"][1]["onset"] > 0.6
assert by["e"]["impacts"][0]["contact"] == "c" and by["e"]["defined_until"] == run["time"]
assert isinstance(by["H"]["final"]["energy.kinetic"], float)
PYTHON

# a force that is none until T lets nothing but the clock differ before it; an output has parameters of its own
cat >late.yaml <<'YAML'
carom: 1
dimension: 2
parameters: {T: 0.4, k: 2, none: 1}
bodies: {a: {mass: 1, inertia: 1}}
loads: {f: {type: force, on: a, force: ["if(not t < T, 3, 0)", 0]}}
outputs: {o: k*x(a)}
run: {until: 1}
YAML
run_carom 0 run late.yaml --derivatives T,k,none --derivatives-of output.o,body.a.velocity.x --no-results
expect "derivatives by T, which is 0.4" text.txt
refuse "derivatives by T, which is 0.4:" text.txt
refuse "derivatives by k, which is 2:" text.txt
expect "derivatives by none, which is 1: nothing in this run depends on it, all are 0" text.txt
run_carom 0 run late.yaml --derivatives T,k,none --derivatives-of output.o --json --no-results
python3 - <<'PYTHON' || complain "what influences"
import json
assert [d["influences"] for d in json.load(open("text.txt"))["derivatives"]] == [True, True, False]
PYTHON

refuse_command 2 "did you mean 'K'?" run ball.yaml --derivatives Kk --no-results
refuse_command 2 "its value is a word" run ball.yaml --derivatives law --no-results
refuse_command 2 "no channel 'energy.kinetik'; did you mean" run ball.yaml --derivatives K --derivatives-of energy.kinetik --no-results
refuse_command 2 "takes effect with --derivatives only" run ball.yaml --derivatives-of energy.kinetic
refuse_command 2 "a checkpoint has none" run ball.yaml --derivatives K --checkpoint 0.1
refuse_command 2 "its integrator does not locate events" run ball.yaml --derivatives K --integrator moreau --no-results

finish
