#!/bin/sh
# `carom run --checkpoint-every`: killed again and again at any moment and started by the same command, a run leaves a
# file of the same bytes as the run that was never interrupted. CAROM_TEST_ALL=1: one of 10^7 steps killed 30 times, and
# models of other kinds.
set -u
[ -n "${CAROM_EXECUTABLE:-}" ] || { echo "skipped: built without the program"; exit 77; }
. "$CAROM_SOURCE_DIR/tests/support/cli.sh"

all=${CAROM_TEST_ALL:-}
cat >ball.yaml <<'END'
carom: 1
title: Ball that never comes to rest
dimension: 2
gravity: [0, -9.81]
parameters: {end: 0.5}
bodies:
  ball: {mass: 1, inertia: 0.004, at: [0, 0.2], velocity: [0.1, 0]}
shapes:
  ball: {type: sphere, on: ball, radius: 0.1}
  floor: {type: plane, on: ground, normal: [0, 1]}
contacts:
  bounce: {between: [floor, ball], normal: {law: hertz, stiffness: 1e6}}
run:
  until: end
  integrator: verlet
  step: 1e-5
  output: {every: 0.1*ms, channels: [body.ball.position, body.ball.velocity, contact.bounce.force]}
END

# The clock [s].
seconds() { date +%s.%N; }

# go_on NAME KILLS EVERY MODEL ARGUMENTS: a run that is never interrupted in NAME-whole, and one that is killed so often
# in NAME-killed, compared byte by byte.
go_on()
{
    name=$1 kills=$2 every=$3
    shift 3
    rm -rf "$name-whole" "$name-killed"
    begin=$(seconds)
    run_carom 0 run "$@" -q --no-report --checkpoint-every "$every" -o "$name-whole"
    wall=$(echo "$(seconds) $begin" | awk '{print $1 - $2}')
    killed=0 resumed=0
    while [ "$killed" -lt "$kills" ]; do
        killed=$((killed + 1))
        "$CAROM_EXECUTABLE" run "$@" --no-report --checkpoint-every "$every" -o "$name-killed" >log.txt 2>&1 &
        sleep "$(echo "$wall $killed" | awk '{x = 0.5 + 0.61803398874989485 * $2; print 0.6 * $1 * (x - int(x))}')"
        kill -9 $! 2>/dev/null
        wait $! 2>/dev/null
        refuse "error" log.txt
        ! grep -q "^resumed at" log.txt || resumed=$((resumed + 1))
        # what is there is readable, and as far as it is there that of the whole run
        ! [ -e "$name-killed/$name.unfinished" ] || run_carom 0 export "$name-killed/$name.h5" --csv
    done
    run_carom 0 run "$@" -q --no-report --checkpoint-every "$every" -o "$name-killed"
    cmp "$name-whole/$name.h5" "$name-killed/$name.h5" || complain "$name: the file differs after $killed kills"
    [ "$(ls "$name-killed")" = "$name.h5" ] || complain "$name: more than the results is left: $(ls "$name-killed")"
    echo "$name: killed $killed times, resumed $resumed times, whole run $wall s"
}

if [ "$all" = 1 ]; then
    go_on ball 30 0.3s ball.yaml --set end=100
    [ "$resumed" -ge 10 ] || complain "resumed $resumed times only"
    # events, rests and warnings; friction with states; contact sets; joints with clearance
    go_on arm_at_stop 10 0.005s "$CAROM_MODELS/arm_at_stop.yaml"
    go_on lugre_stick_slip 10 0.005s "$CAROM_MODELS/lugre_stick_slip.yaml"
    go_on poured_discs 10 0.02s "$CAROM_MODELS/poured_discs.yaml" --until 0.05
    go_on slider_crank_clearance 10 0.01s "$CAROM_MODELS/slider_crank_clearance.yaml"
else
    go_on ball 3 0.01s ball.yaml
    go_on arm_at_stop 1 0.002s "$CAROM_MODELS/arm_at_stop.yaml"
fi

# a signal that may be caught leaves what the same command goes on from
# asked NAME SIGNAL: a run that is asked to end once it has rows that are not the first ones.
asked()
{
    rm -rf "$1"
    "$CAROM_EXECUTABLE" run ball.yaml --set end=2 --no-report --checkpoint-every 0.02s -o "$1" >log.txt 2>&1 &
    wait=0
    while [ "$wait" -lt 400 ] && ! { [ -e "$1/ball.unfinished" ] && [ "$(wc -c <"$1/ball.h5")" -gt 400000 ]; }; do
        wait=$((wait + 1))
        sleep 0.02
    done
    kill "-$2" $!
    wait $!
}
asked ball-asked TERM
[ $? = 143 ] || complain "the run did not end by the signal"
expect "the same command goes on from there" log.txt
run_carom 0 run ball.yaml --set end=2 --no-report --checkpoint-every 1h -o ball-asked
expect "resumed at t = " text.txt
expect "resumed      1 time, last at t = " text.txt
rm -rf ball-whole
run_carom 0 run ball.yaml --set end=2 -q --no-report --checkpoint-every 1h -o ball-whole
cmp ball-whole/ball.h5 ball-asked/ball.h5 || complain "the file of the run that was asked to end differs"

# whose file it is
asked ball-other INT
[ -e ball-other/ball.unfinished ] || complain "nothing unfinished is left"
again="run ball.yaml --set end=2 --no-report --checkpoint-every 1h -o ball-other"
# shellcheck disable=SC2086
{
    refuse_command 2 "its step is '1.0000000000000001e-05', and here it is '3.9999999999999996e-05'" $again --step 40*us
    refuse_command 2 "its --set is 'end=2', and here it is 'end=3'" run ball.yaml --set end=3 --no-report \
        --checkpoint-every 1h -o ball-other
    refuse_command 2 "its integrator is 'verlet', and here it is 'rk4'; give the same options" $again --integrator rk4
    sed 's/mass: 1/mass: 2/' ball.yaml >other.yaml
    mv ball.yaml kept.yaml
    mv other.yaml ball.yaml
    refuse_command 2 "its text of the model is" $again
    mv kept.yaml ball.yaml
    mv ball-other/ball.h5 kept.h5
    refuse_command 4 "needs the rows in 'ball-other/ball.h5', which cannot be read" $again
    cp ball-other/ball.unfinished kept.unfinished
    run_carom 0 run ball.yaml --set end=1 -q --no-report --output-every 0.2*ms -o ball-other
    refuse_command 2 "ball-other/ball.h5: is not the result of the run that was saved; give another folder" $again
    [ ! -e ball-other/ball.h5.part ] || complain "a part is left"
    mv kept.h5 ball-other/ball.h5
    head -c $(($(wc -c <kept.unfinished) / 2)) kept.unfinished >ball-other/ball.unfinished
    refuse_command 4 "'ball-other/ball.unfinished' is damaged; remove it to begin anew" $again
    mv kept.unfinished ball-other/ball.unfinished
    run_carom 0 $again -q
}
cmp ball-whole/ball.h5 ball-other/ball.h5 || complain "the file differs after it was refused"

# without results, and what the option does not take
refuse_command 2 "of what? It is a time of the clock: 10s, 10min or 10h" run ball.yaml --checkpoint-every 10
refuse_command 2 "such as 30s, 10min or 2h, not 'soon'" run ball.yaml --checkpoint-every soon
refuse_command 2 "not '-3s'" run ball.yaml --checkpoint-every -3s
refuse_command 2 "does not go together with --at" run ball.yaml --json --at 0.1 --checkpoint-every 1s
refuse_command 2 "does not go together with --resume" run ball.yaml --resume x --checkpoint-every 1s
rm -rf ball-none
"$CAROM_EXECUTABLE" run ball.yaml --set end=2 --no-results --checkpoint-every 0.01s -o ball-none >log.txt 2>&1 &
wait=0
while [ "$wait" -lt 400 ] && ! [ -e ball-none/ball.unfinished ]; do
    wait=$((wait + 1))
    sleep 0.02
done
kill -9 $!
wait $! 2>/dev/null
run_carom 0 run ball.yaml --set end=2 --no-results --checkpoint-every 1h -o ball-none --json
expect '"resumptions": 1' text.txt
finish
