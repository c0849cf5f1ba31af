#!/bin/sh
# `carom optimise` from outside: optima that are known in closed form, with and without a model; constraints that nothing
# holds; wrong studies. With CAROM_TEST_ALL the spring of the cam follower as well.
set -u
. "$CAROM_SOURCE_DIR/tests/support/cli.sh"
rm -rf ./*
cp "$CAROM_MODELS/two_spheres.yaml" .

value() { grep "\"$1\"" text.txt | head -1 | sed 's/.*: *\([-0-9.e+]*\).*/\1/'; }
near() { awk -v a="$1" -v b="$2" -v t="$3" 'BEGIN { d = a - b; exit !(d * d <= t * t) }'; }

# ---- the softest contact of Hertz that parts in time: T = 2.943275 (5m/(4K))^0.4 v^-0.2, m = 0.046 kg, v = 0.3 m/s ----
awk '/^Softest|^title: Softest/ { on = 1 } on { print } /duration <= 50/ { exit }' "$CAROM_SOURCE_DIR/docs/fit.md" >softest.yaml
run_carom 0 optimise softest.yaml --check
expect 'K: from 1e8 to 1e12, start 1e10, by its logarithm' text.txt
expect 'duration [s] = impacts[1].duration' text.txt
expect 'constraint duration <= 50*us' text.txt
run_carom 0 optimise softest.yaml --json --jobs 1
exact=$(awk 'BEGIN { print 1.25 * 0.046 * (2.943275 / 50e-6 / 0.3 ^ 0.2) ^ 2.5 }')
awk -v a="$(value K)" -v b="$exact" 'BEGIN { exit !((a / b - 1) ^ 2 < 1e-8) }' || complain "K is $(value K), not $exact"
expect 'holds just so' text.txt
expect 'exact of 1 parameter; ' text.txt
cp text.txt one.json
run_carom 0 optimise softest.yaml --json --jobs 2
cmp one.json text.txt || complain "one worker and two find different designs"
run_carom 0 run softest-optimal.yaml --no-results --json
sed -i '1,/"impacts"/d' text.txt
near "$(value duration)" 5e-5 1e-10 || complain "the optimal model parts after $(value duration) s"
expect 'law: hertz' softest-optimal.yaml

# ---- Rosenbrock's function on the unit disc: 0.04567481 at (0.7864152, 0.6176983) ----
cat >rosenbrock.yaml <<'EOF'
parameters: {x: {from: -2, to: 2, start: -1.2}, y: {from: -2, to: 2, start: 1}}
quantities: {f: '(1 - x)^2 + 100*(y - x^2)^2'}
minimise: f
constraints: ['x^2 + y^2 <= 1']
EOF
for method in auto slsqp mma isres; do
    { cat rosenbrock.yaml; echo "method: $method"; } >method.yaml
    run_carom 0 optimise method.yaml --json
    near "$(value objective)" 0.04567481 1e-6 || complain "$method: $(value objective)"
    near "$(value x)" 0.78641 1e-3 || complain "$method: x = $(value x)"
done
for method in subplex bobyqa direct; do
    { grep -v constraints rosenbrock.yaml; echo "method: $method"; echo 'evaluations: 5000'; } >method.yaml
    run_carom 0 optimise method.yaml --json
    near "$(value objective)" 0 1e-6 || complain "$method: $(value objective)"
done
sed 's/minimise: f/maximise: 3 - f/' rosenbrock.yaml >most.yaml
run_carom 0 optimise most.yaml --json
near "$(value objective)" 2.95432519 1e-6 || complain "maximise: $(value objective)"
[ ! -e most-optimal.yaml ] || complain "expressions have left a model"

# ---- designs that fail are gone round, and constraints that nothing holds are told ----
cat >fails.yaml <<'EOF'
parameters: {x: {from: -1, to: 1, start: 0.9}}
minimise: sqrt(x) - 0.5*x
constraints: [x > -0.5]
EOF
run_carom 0 optimise fails.yaml --json
near "$(value objective)" 0 1e-2 || complain "beside designs that fail: $(value objective)"
sed 's/<= 1/<= -1/' rosenbrock.yaml >never.yaml
run_carom 3 optimise never.yaml
expect 'no design was found that holds all constraints' text.txt
expect 'the constraint x^2 + y^2 <= -1 is violated by 1' text.txt
printf 'parameters: {x: {from: -2, to: -1}}\nminimise: sqrt(x)\n' >none.yaml
refuse_command 3 'no design could be evaluated' optimise none.yaml

# ---- what is wrong ends with a line that says where ----
wrong() { # sentence, change of the study
    sed "$2" softest.yaml >wrong.yaml
    refuse_command "${3:-1}" "$1" optimise wrong.yaml
}
wrong 'the study has no objective' '/minimise/d'
wrong 'a constraint compares two expressions once' 's/duration <= 50/duration/'
wrong "wrong.yaml:11:5: no parameter or constant 'duratio'; did you mean 'duration'?" 's/- duration <=/- duratio <=/'
wrong "impacts have no 'peak_forse'; did you mean 'peak_force'?" 's/impacts\[1\].peak_force/impacts[1].peak_forse/'
wrong "the bounds are crossed" 's/from: 1e8/from: 1e13/'
wrong "no method 'simplex'" 's/^minimise/method: simplex\nminimise/'
wrong 'method subplex takes no constraints' 's/^minimise/method: subplex\nminimise/'
wrong "no parameter 'KK'" 's/  K: /  KK: /' 2
refuse_command 4 'cannot be opened' optimise missing.yaml
refuse_command 4 'no/such' optimise softest.yaml -q -m no/such/model.yaml

# ---- examples ----
cp "$CAROM_SOURCE_DIR"/examples/optimise/cradle* .
run_carom 0 optimise cradle.yaml --json
near "$(value last)" 0.489 1e-6 || complain "the last ball of the cradle has $(value last) m/s"
if [ -n "${CAROM_TEST_ALL:-}" ]; then
    # with a preload of 2 N, its lower bound, a rigid follower without friction and vibrations needs 6282 N/m for 5 N
    sed "s|model: .*|model: $CAROM_MODELS/cam_follower.yaml|; /  F0: /d; s/omega: 90/omega: 90, F0: 2/" "$CAROM_SOURCE_DIR/examples/optimise/cam_spring.yaml" >cam.yaml
    printf 'starts: 1\nevaluations: 25\n' >>cam.yaml
    run_carom 0 optimise cam.yaml --json
    near "$(value k)" 6282 126 || complain "the spring of the cam follower has $(value k) N/m"
fi
finish 'optima are those of closed forms'
