#!/bin/sh
# `carom run --live` and the progress bar: lines of channels, on a terminal and without, in UTF-8 and ASCII, cut to its
# width; and that the results do not depend on them.
set -u
. "$CAROM_SOURCE_DIR/tests/support/cli.sh"

ball=$CAROM_MODELS/bouncing_ball.yaml
export LC_ALL=C

# ---- without a terminal: each channel once, at the end ----

run_carom 0 run "$ball" --no-report -o plain
lines 0 error.txt
run_carom 0 run "$ball" --no-report -o live --live contact.bounce.force,body.ball.position.y --live energy.kinetic
lines 3 error.txt
cmp -s plain/bouncing_ball.h5 live/bouncing_ball.h5 || complain "the results depend on --live"
# the ball is dropped from 1 m: highest at the start, kinetic energy from 0 to m g 0.9 m
expect "max 1 m" error.txt
grep -q "^energy.kinetic  *|[ .:=+*#-]*|  now [0-9.e-]*  *min 0  max 8.[5-8][0-9]* J$" error.txt ||
    { complain "the line of the kinetic energy:"; cat error.txt; }
# fourteen impacts, the first two apart from the others, each the largest of its part of the time
grep "^contact.bounce.force" error.txt | grep -q "| *# *\* *" || { complain "the line of the force:"; cat error.txt; }
awk 'length($0) < 100 { exit 1 }' error.txt || complain "sparklines of less than 60 columns"

run_carom 0 run "$ball" --no-results --json --live body.ball.position.y
lines 1 error.txt
[ "$(head -c 1 text.txt)" = "{" ] || complain "--json with --live gives no JSON"
run_carom 0 run "$ball" --no-results --quiet --live body.ball.position.y
lines 0 error.txt
lines 0 text.txt

if LC_ALL=C.UTF-8 locale charmap 2>/dev/null | grep -q UTF-8; then
    LC_ALL=C.UTF-8 "$CAROM_EXECUTABLE" run "$ball" --no-results --live body.ball.position.y >text.txt 2>error.txt
    expect "▕██▇" error.txt
fi

# ---- channels that are none, before anything is made ----

run_carom 2 run "$ball" -o none --live contact.bonce.force
expect "did you mean 'contact.bounce.force'?" error.txt
run_carom 2 run "$ball" -o none --live body.ball.position
expect "has the components x, y; name one, as in 'body.ball.position.x'" error.txt
run_carom 2 run "$ball" -o none --live energy.kinetic,nothing.at.all
expect "the run records no channel 'nothing.at.all'" error.txt
[ ! -e none ] || complain "a folder in spite of the error"

# ---- on a terminal ----

if ! command -v script >/dev/null || ! script -qec true /dev/null >/dev/null 2>&1; then
    echo "no pseudo terminal: that part is left out"
    [ "$failures" -eq 0 ]
    exit
fi
sed 's/until: 2,/until: 60,/' "$CAROM_MODELS/n_pendulum.yaml" >chain.yaml
# drawn COLUMNS OPTIONS: the lines drawn on a terminal of that width, one a line, to drawn.txt; the tables to text.txt.
drawn()
{
    columns=$1
    shift
    TERM=xterm script -qec "stty cols $columns rows 20; '$CAROM_EXECUTABLE' run chain.yaml --no-results $* >text.txt" \
        raw.txt >/dev/null 2>&1 </dev/null || complain "carom run on a terminal of $columns columns"
    tr '\r' '\n' <raw.txt | sed 's/\x1b\[[0-9]*[A-Z]//g' | grep -v -e '^Script ' -e '^$' >drawn.txt
    awk -v most=$((columns - 1)) 'length($0) > most { print; exit 1 }' drawn.txt ||
        complain "a line longer than a terminal of $columns columns"
}
drawn 150 --live body.bar5.position.y
expect " of 60 s  " drawn.txt
expect " steps  step " drawn.txt
expect " real time" drawn.txt
expect "body.bar5.position.y  |" drawn.txt
drawn 60 --live body.bar5.position.y
expect " of 60 s" drawn.txt
drawn 20 --live body.bar5.position.y
drawn 3 --live body.bar5.position.y
drawn 80 --live body.bar5.position.y
grep -q '^body.bar5.position.y  |.*|  [-0-9.e]*  *\[[-0-9.e]*, [-0-9.e]*\] m$' drawn.txt || complain "no line with [min, max]"
drawn 150 --quiet --live body.bar5.position.y
[ ! -s drawn.txt ] || { complain "--quiet draws:"; cat drawn.txt; }

finish "carom run --live: lines of channels, with and without a terminal"
