#!/bin/sh
# What results need is told before a run, more than is allowed is refused, and a file that comes to its size says so.
set -u
. "$(dirname "$0")/../support/cli.sh"

ball()
{
    cat <<EOF
carom: 1
dimension: 2
gravity: [0, -9.81]
bodies:
  ball: {mass: 1, inertia: 0.004, at: [0, 0.2]}
shapes:
  ball: {type: sphere, on: ball, radius: 0.1}
  floor: {type: plane, on: ground, normal: [0, 1]}
contacts:
  hit: {between: [floor, ball], normal: {law: hertz, stiffness: 1e8}}
run: {until: $1, output: {every: $2, $3}}
EOF
}

# Rows and size: told where they are much, of `check` and `run` alike.
ball 1000 0.2*ms 'channels: [body.*.position, contact.hit.*]' >much.yaml
run_carom 0 check much.yaml
expect 'output       5000001 rows of 16 numbers, up to about 512 MB' text.txt
ball 1 1*ms 'channels: [body]' >little.yaml
run_carom 0 check little.yaml
refuse 'output ' text.txt

# Refused before anything is written.
refuse_command 2 'about 512 MB, 5000001 rows of 16 numbers, and the largest size allowed is 300 MB' \
    run much.yaml --max-size 300MB -o none
[ ! -e none ] || complain 'a run that was refused has made its folder'
ball 1000 0.2*ms 'max_size: 300 MB' >key.yaml
refuse_command 2 'the largest size allowed is 300 MB; name the channels to record' run key.yaml -o none
refuse_command 1 "key.yaml:11:54: output: max_size is 'large'; give a size such as 300 MB or 2 GB" \
    run key.yaml --max-size large -o none

# A file that comes to its size: the run goes on to its end, rows do not, and both page and file tell so.
ball 60 50*ms 'channels: [body, contact]' >steps.yaml
run_carom 0 run steps.yaml --max-size 400kB --no-report -o out
expect 'the results have come to the largest size allowed, 0.4 MB: rows end at t = ' text.txt
size=$(wc -c <out/steps.h5)
[ "$size" -lt 800000 ] || complain "a file of at most 400 kB has $size bytes"
run_carom 0 export out/steps.h5 --csv --group steps
run_carom 0 run steps.yaml --max-size 400MB --no-report -o out
refuse 'the largest size allowed' text.txt

# A page of more rows than it looks at.
ball 2 8*us 'channels: [body.*.position, contact.hit.force]' >page.yaml
run_carom 0 run page.yaml -q -o out
[ "$(wc -c <out/page.html)" -gt 1000000 ] || complain 'the page of many rows has few'

# Names that there are not: the place, and the nearest one.
ball 1 1*ms 'channels: [body.ball.positon]' >wrong.yaml
refuse_command 1 "wrong.yaml:11:49: output: there is no channel 'body.ball.positon'; did you mean 'body.ball.position'?" \
    run wrong.yaml -o none
ball 1 1*ms 'channels: [contact.*.forc]' >wrong.yaml
refuse_command 1 "did you mean 'contact.*.force'?" run wrong.yaml -o none

finish 'sizes of results are told, and kept'
