#!/bin/sh
# What is recorded of contact sets, and what a run says of it: places at every step or at the output interval, the size
# of the file beforehand, the step or the tolerance that the integrator takes.
set -u
. "$CAROM_SOURCE_DIR/tests/support/cli.sh"

# balls of which all may touch, N (N - 1)/2 pairs; the first one hits the second, at 1 m/s in 0.2 ms
model()
{
    cat <<E2
carom: 1
dimension: 2
bodies: {b: {copies: $1, mass: 0.1, inertia: 1e-5, at: [0.03*copy, 0], velocity: ["if(copy == 1, 10, 0)", 0]}}
shapes: {b: {type: sphere, on: b, radius: 10*mm}}
contacts: {p: {all: [b], normal: {law: hertz, stiffness: 1e8}}}
run: {until: 2*ms, $2output: {every: 0.2*ms$3}}
E2
}
datasets() { h5ls -r "$1" | grep -c "^/$2/$3"; }

model 11 "" "" >eleven.yaml                     # 55 pairs
model 10 "" "" >ten.yaml                        # 45
model 11 "" ", contacts: every-step" >asked.yaml
note="recorded at the output interval, not at every step"
tells() { if [ "$1" = eleven ]; then expect "55 places of contacts of sets are $note" text.txt; else refuse "$note" text.txt; fi; }
for name in eleven ten asked; do
    run_carom 0 check $name.yaml
    tells $name
    run_carom 0 run $name.yaml --no-report -o out
    tells $name
    expect " 1 impact" text.txt
    wanted=55 steps=55
    [ $name = ten ] && wanted=45 steps=45
    [ $name = eleven ] && steps=0
    [ "$(datasets out/$name.h5 channels 'contact.p.b.*\.force ')" = $wanted ] || complain "$name: channels at the interval"
    [ "$(datasets out/$name.h5 steps 'contact.p.b.*\.force ')" = $steps ] || complain "$name: channels at the steps"
done
# of more than 500 places the sums alone, unless they are asked for
model 33 "" "" >many.yaml                       # 528 pairs
model 33 "" ", contacts: interval" >places.yaml
model 33 "" ", channels: [contact.p.b_1-b_2.force]" >one.yaml
note="528 places of contacts of sets, each of whose onsets is located"
for name in many places one; do
    run_carom 0 run $name.yaml --no-report -o out
    if [ $name = many ]; then expect "$note" text.txt; else refuse "$note" text.txt; fi
    expect " 1 impact" text.txt
    wanted=0
    [ $name = places ] && wanted=528
    [ $name = one ] && wanted=1
    [ "$(datasets out/$name.h5 channels 'contact.p.b.*\.force ')" = $wanted ] || complain "$name: places"
    wanted=1
    [ $name = one ] && wanted=0
    [ $name = places ] || [ "$(datasets out/$name.h5 snapshots '.*total_force')" = 0 ] || complain "$name: snapshots"
    [ "$(datasets out/$name.h5 channels 'contact.p.force ')" = $wanted ] || complain "$name: sums"
done
# a sum is that of its places
run_carom 0 export out/places.h5 -o places.csv
awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) { if ($k ~ /contact.p.force/) sum = k; else if ($k ~ /contact.p.b.*\.force( |$)/) of[k] = 1 } next }
    { total = 0; for (k in of) total += $k; if (total > 0) found = 1; d = total - $sum; if (d*d > 1e-18*total*total) exit 1 }
    END { exit !(found && sum) }' places.csv || complain "the sum is not that of the places"
run_carom 2 plot out/many.h5 contact.p.b_1-b_2.force -o x.svg
expect "did you mean 'contact.p.force'" error.txt
run_carom 0 check many.yaml
expect "... 527 more contacts" text.txt

# the impact itself, with its peak, is the same
run_carom 0 export out/eleven.h5 --table impacts -o a.csv
run_carom 0 export out/asked.h5 --table impacts -o b.csv
cmp -s a.csv b.csv || complain "the impacts depend on what is recorded"

# a file of few rows is mostly objects: what is told beforehand holds it, within a factor of two
model 300 "integrator: verlet, step: 2*us, " "" >fixed.yaml
run_carom 0 run fixed.yaml --no-report -o out
size=$(stat -c %s out/fixed.h5)
refuse "contacts: interval" text.txt
expect "verlet, step 2e-6 s" text.txt
"$CAROM_EXECUTABLE" run fixed.yaml --no-report -o out2 --max-size 1kB >/dev/null 2>error.txt
told=$(sed -n 's/.*would need about \([0-9.]*\) MB.*/\1/p' error.txt)
awk -v told="$told" -v size="$size" 'BEGIN { share = 1e6*told/size; exit !(share >= 1 && share < 2) }' ||
    complain "$told MB are told of, the file has $size bytes"

# a step that the integrator does not take is not named, nor is a tolerance
model 10 "step: 2*us, " "" >given.yaml
run_carom 0 run given.yaml --no-report -o out
expect "auto, tolerance 1e-8" text.txt
h5dump -a options out/given.h5 >text.txt
expect "integrator auto, tolerance 1e-08, formulation" text.txt
refuse "step" text.txt
h5dump -a options out/fixed.h5 >text.txt
expect "integrator verlet, step 1.9999999999999999e-06, formulation" text.txt
refuse "tolerance" text.txt
finish
