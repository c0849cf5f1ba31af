#!/bin/sh
# A step that the integrator does not take is told, from the command line and from the file; not one of the model whose
# integrator another one replaces, nor one that is taken.
set -u
. "$CAROM_SOURCE_DIR/tests/support/cli.sh"

cat >ball.yaml <<'END'
carom: 1
dimension: 2
bodies: {ball: {mass: 1, inertia: 0.004, at: [0, 1], velocity: [1, 0]}}
run: {until: 0.3}
END
sed 's/until: 0.3/until: 0.3, step: 1*ms/' ball.yaml >step.yaml
sed 's/until: 0.3/until: 0.3, step: 1*ms, integrator: rk4/' ball.yaml >rk4.yaml
sed 's/until: 0.3/until: 0.3, step: 1*ms, integrator: hht/' ball.yaml >hht.yaml

# told HOW ARGUMENTS: `expect` or `refuse` the warning
told()
{
    how=$1
    shift
    run_carom 0 run "$@" --no-report -o out
    $how 'integrator auto chooses its steps' text.txt
}
told expect ball.yaml --step 1e-3
told expect step.yaml
told refuse ball.yaml
told refuse rk4.yaml
told refuse hht.yaml
told refuse ball.yaml --step 1e-3 --integrator rk4
run_carom 0 run rk4.yaml --integrator dopri5 --no-report -o out
refuse 'W53' text.txt
run_carom 0 run rk4.yaml --integrator dopri5 --step 2e-3 --no-report -o out
expect 'is not used: integrator dopri5 chooses its steps' text.txt
run_carom 3 run step.yaml --strict --no-report -o out
run_carom 0 explain W53
expect 'max_step' text.txt

finish
