#!/bin/sh
# Contacts that last are rests, not impacts: a ball that lies, one that bounces, a box on its corners; the mean force is the weight.
set -u
. "$CAROM_SOURCE_DIR/tests/support/cli.sh"

ball()
{
    cat >ball.yaml <<EOF
carom: 1
dimension: 2
gravity: [0, -9.81]
bodies: {ball: {mass: 1, inertia: 0.1, at: [0, $1]}}
shapes: {round: {type: sphere, on: ball, radius: 0.1}, floor: {type: plane, on: ground, normal: [0, 1]}}
contacts: {touch: {between: [round, floor], normal: {law: hunt-crossley, stiffness: 1e7, restitution: 0.3}}}
run: {until: 1}
EOF
    run_carom 0 run ball.yaml -o out --json
    mv text.txt run.json
    run_carom 0 run ball.yaml -o out
}

# lies from the start: one rest of 1 s with the weight for its mean force, and no impact
ball 0.0999990
expect '"impacts": []' run.json
expect '"ended": 0' run.json
expect " 0 impacts" text.txt
expect "rest  contact  begin" text.txt
mean=$(sed -n 's/.*"mean_force": \([0-9.e+-]*\),*/\1/p' run.json)
awk -v f="$mean" 'BEGIN { exit !(f > 9.8 && f < 9.82) }' || complain "mean force $mean"
duration=$(h5dump -d /rests/duration out/ball.h5 | sed -n '0,/(0)/s/.*(0): //p' | head -1)
[ "$duration" = 1 ] || complain "duration in the file: '$duration'"
python3 - out/ball.html <<'P' || complain "the page does not show rests"
import base64, re, sys, zlib
page = open(sys.argv[1]).read()
script = re.search(r'atob\("([^"]+)"', page)
text = zlib.decompress(base64.b64decode(script[1])).decode() if script else page
raise SystemExit("Rests" not in text)
P

# falls and bounces: impacts with a peak between onset and end
ball 0.2
expect '"rests": []' run.json
refuse "rest  contact" text.txt
awk '/"onset"/ { gsub(/[^0-9.e-]/, "", $2); on = $2 } /"duration"/ && !d { gsub(/[^0-9.e-]/, "", $2); d = $2 }
    /"peak_time"/ { gsub(/[^0-9.e-]/, "", $2); exit !($2 > on && $2 < on + d) }' run.json || complain "time of the peak"

# what is rounding is shown as none: a cylinder that rolls loses nothing, gears on the ground do not travel
"$CAROM_EXECUTABLE" run "$CAROM_MODELS/rolling_cylinder.yaml" --no-results --final >rolls.txt || complain "rolling: exit status $?"
grep -E 'roll\.[12]|^roller' rolls.txt | grep -E 'e-1[1-9]' && complain "rounding is shown as a number"
"$CAROM_EXECUTABLE" run "$CAROM_MODELS/gear_backlash.yaml" --until 0.01 --no-results --final >gears.txt || complain "gears: exit status $?"
grep -E '^(pinion|gear) ' gears.txt | grep -E 'e-1[1-9]' && complain "rounding is shown as a speed"

finish "contacts that last are rests"
