#!/bin/sh
# Runs that cannot go on name what keeps them: a motion at a dead centre, a joint, a load whose force has no number.
set -u
. "$CAROM_SOURCE_DIR/tests/support/cli.sh"

# a four-bar whose crank cannot turn round
cat >locked.yaml <<'EOF'
carom: 1
dimension: 2
gravity: [0, -9.81]
bodies:
  crank: {mass: 1, inertia: 1/12, at: [0.5, 0], frames: {a: [-0.5, 0], b: [0.5, 0]}}
  rod: {mass: 1, inertia: 1/12, at: [0.85, 0.35], angle: 2.356, frames: {a: [-0.5, 0], b: [0.5, 0]}}
  rocker: {mass: 1, inertia: 1/12, at: [1.5, 0.5], angle: 1.0, frames: {a: [-0.6, 0], b: [0.6, 0]}}
joints:
  A: {type: revolute, between: [ground, crank.a], motion: 2*t}
  B: {type: revolute, between: [crank.b, rod.a]}
  C: {type: revolute, between: [rocker.b, rod.b]}
  D: {type: revolute, between: [{ground: [1.6, 0]}, rocker.a]}
run: {until: 3}
EOF
refuse_command 3 "the motion of joint 'A' takes" run locked.yaml --no-results -q
expect "locked there, or at a dead centre" error.txt

# `new four-bar` with lengths whose crank turns up to acos((0.15^2 + 0.45^2 - 0.55^2)/(2*0.15*0.45)) = 125.03 deg: where
# the run ends, and the motion is not said to have a kink, which it has not
run_carom 0 new four-bar -o bar.yaml --force
for method in dop853 auto; do
    refuse_command 3 "t = 0.0973189" run bar.yaml --set crank=0.15 --set base=0.45 --integrator $method --no-results -q
    expect "the prescribed motion cannot be reached beyond this time" error.txt
    expect "motion of joint 'motor' " error.txt
    expect "the mechanism is locked there, or at a dead centre" error.txt
    refuse "kink" error.txt
done

load()
{
    cat >load.yaml <<EOF
carom: 1
dimension: 2
bodies: {m: {mass: 1, inertia: 0.1, at: [1, 0]}}
loads: {idle: {type: force, on: m, force: [1, 0]}, pull: {type: force, on: m, force: [$1, 0]}}
run: {until: 3}
EOF
}

# a force that has no number from t = 1 s on, and one that grows without bound
load 'sqrt(1 - t)'
refuse_command 3 "the force of load 'pull' is no finite number" run load.yaml --no-results -q
load '1/sqrt(1 - t)'
refuse_command 3 "load 'pull' " run load.yaml --no-results -q
load '1/(t - t)'
refuse_command 1 "the force of load 'pull' is no finite number" run load.yaml --no-results -q

# a motion whose rate grows without bound is refused before the run
cat >motion.yaml <<'EOF'
carom: 1
dimension: 2
bodies: {m: {mass: 1, inertia: 0.1, at: [1, 0], frames: {a: [-1, 0]}}}
joints: {pin: {type: revolute, between: [ground, m.a], motion: sqrt(1 - t)}}
run: {until: 3}
EOF
refuse_command 1 "motion of joint 'pin': towards t = 1 s its rate grows without bound" run motion.yaml --no-results -q

# events that make each other true at one instant
cat >toggle.yaml <<'EOF'
carom: 1
dimension: 2
bodies: {m: {mass: 1, inertia: 0.1, at: [1, 0]}}
inputs: {u: 0}
events:
  up: {when: u < 0.5 and t > 0.1, do: {set: {u: 1}}}
  down: {when: u > 0.5 and t > 0.1, do: {set: {u: 0}}}
run: {until: 3}
EOF
for method in auto verlet; do
    refuse_command 3 "t = 0.1 s: event 'up' and others make each other true without end" run toggle.yaml \
        --integrator $method --step 1*ms --no-results -q
done

# iterations of Newton that fail, and steps that shrink without end
cat >stiff.yaml <<'EOF'
carom: 1
dimension: 2
bodies: {m: {mass: 1, inertia: 0.1, at: [1, 0], velocity: [0.3, 0]}}
loads: {pull: {type: force, on: m, force: ["-1e12*(vx(m) + 0.3*sin(1e7*vx(m)*vx(m)))", 0]}}
run: {until: 3}
EOF
for method in hht generalised-alpha; do
    refuse_command 3 "Newton's iteration does not converge near t = 0 s; load 'pull' has a force of " run stiff.yaml \
        --integrator $method --step 1*ms --no-results -q
done
refuse_command 3 "no progress, 200000 steps of integrator adams advanced by " run stiff.yaml --integrator adams \
    --no-results -q

# a force that turns with the velocity: a switch that goes to and fro without end
cat >chatter.yaml <<'EOF'
carom: 1
dimension: 2
bodies: {m: {mass: 1, inertia: 0.1, at: [1, 0], velocity: [0.3, 0]}}
loads: {pull: {type: force, on: m, force: ["if(vx(m) > 0, -5, 5)", 0]}}
run: {until: 3, step: 1*ms}
EOF
for method in bdf dopri5 rk4 verlet hht moreau; do
    refuse_command 3 "no progress, 10000 steps of integrator $method advanced by " run chatter.yaml \
        --integrator $method --no-results -q
    expect "the expression at chatter.yaml:4:43 jumps" error.txt
done

# an oscillator of 4 ms over 1e4 s goes on: who waits is told within seconds, not at the end
cat >oscillator.yaml <<'EOF'
carom: 1
dimension: 2
bodies: {m: {mass: 1, inertia: 0.1, at: [5e-7, 0]}}
joints: {slide: {type: translational, between: [ground, m], axis: [1, 0]}}
loads: {pull: {type: force, on: m, force: ["if(x(m) > 0, -1, 1)", 0]}}
run: {until: 10000, integrator: dopri5}
EOF
"$CAROM_EXECUTABLE" run oscillator.yaml --no-results >text.txt 2>error.txt &
waiting=$!
for second in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    grep -q W48 error.txt && break
    sleep 1
done
kill -0 $waiting || complain "the run has ended"
kill -9 $waiting
wait $waiting 2>/dev/null
expect "the expression at oscillator.yaml:5:43 jumps" error.txt

finish "what keeps a run from going on is named"
