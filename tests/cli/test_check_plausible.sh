#!/bin/sh
# `carom check`: values that no machine has, and what the poses of the file leave open; no alarm on any model.
set -u
. "$CAROM_SOURCE_DIR/tests/support/cli.sh"

cat >plane.yaml <<'YAML'
carom: 1
dimension: 2
gravity: [0, -9810]
bodies:
  crank: {mass: 0.3, inertia: 1e-4, at: [0.05, 0], frames: {root: [-0.05, 0], tip: [0.05, 0]}}
  rod: {mass: 1000, inertia: 50, at: [0.1 + 150*cos(90), 150*sin(90)], angle: 90, frames: {root: [-150, 0]}}
  block: {mass: 0.0001, inertia: 1e-4, at: [0.7, 0.01], frames: {side: [0.05, 0]}}
joints:
  main: {type: revolute, between: [ground, crank.root]}
  pin: {type: revolute, between: [crank.tip, rod.root]}
  rail: {type: translational, between: [ground, block.side], axis: [1, 0]}
run: {until: 1}
YAML
"$CAROM_EXECUTABLE" check plane.yaml >plane.txt || complain "check: exit status $?"
expect "line 7: body 'block': has a mass of 0.0001 kg beside 1000 kg of 'rod'" plane.txt
expect "line 7: body 'block': with a moment of inertia of 0.0001 kg m^2 its 0.0001 kg reach at least 1 m" plane.txt
expect "20 times as far as its joints and shapes, and are 2.39e-05 kg/m^3 there" plane.txt
expect "line 6: body 'rod': starts at an angle of 90 rad, 14.3 turns" plane.txt
expect "line 6: body 'rod': reaches 150 m from its centre of mass, 3e+03 times as far as" plane.txt
expect "gravity is 9810 m/s^2, 1e+03 times" plane.txt
[ "$(grep -c '^warning' plane.txt)" = 5 ] || complain "$(grep -c '^warning' plane.txt) warnings, not 5"

cat >space.yaml <<'YAML'
carom: 1
dimension: 3
gravity: [0, 0, -9.81]
parameters: {mass: 4.2, K: 1e5, end: 1}
bodies: {ball: {mass: mass, inertia: [mass*4e-5, mass*4e-5, mass*4e-5], at: [0, 0, 0.5]}}
shapes:
  skin: {type: sphere, on: ball, radius: 0.01}
  floor: {type: plane, on: ground, normal: [0, 0, 1]}
contacts: {hit: {between: [floor, skin], normal: {law: flores, stiffness: K, restitution: 0.5}}}
run: {until: end}
YAML
for formulation in cartesian tree; do
    sed "s/until: end/until: end, formulation: $formulation/" space.yaml >$formulation.yaml
    "$CAROM_EXECUTABLE" check $formulation.yaml --set mass=0.03 >space.txt
    refuse "no solid has more" space.txt
    refuse "a free impact lasts" space.txt
    "$CAROM_EXECUTABLE" check $formulation.yaml >space.txt
    expect "4.2 kg within a ball of radius 0.01 m about its shapes, frames and joints are 1e+06 kg/m^3" space.txt
    # as the foot of a leg that reaches farther, by a joint or a frame
    sed 's/at: \[0, 0, 0.5\]/&, frames: {hip: [0, 0, 0.05]}/' $formulation.yaml >leg.yaml
    "$CAROM_EXECUTABLE" check leg.yaml >space.txt
    refuse "no solid has more" space.txt
    "$CAROM_EXECUTABLE" check $formulation.yaml --set mass=4e-9 --set K=1 >space.txt
    expect "0.000955 kg/m^3, less than air" space.txt
    "$CAROM_EXECUTABLE" check $formulation.yaml --speed 3 --set mass=0.03 --set end=1*ms >space.txt
    expect "s, longer than the run of 0.001 s" space.txt
done

# an impact that has ended by the end of a run is no longer than it, nor one of plastic surfaces, which creeps out at the end, or
# one that the next run goes on with
impact() {
    cat >impact.yaml <<YAML
carom: 1
dimension: 2
bodies: {b: {mass: 0.3, inertia: 1e-4, at: [0, 0.051], velocity: [0, -2]}}
shapes:
  p: {type: plane, on: ground, normal: [0, 1]}
  s: {type: sphere, on: b, radius: 0.05}
contacts: {c: {between: [s, p], normal: {law: flores, stiffness: $1, restitution: $2}}}
run: $3
YAML
    "$CAROM_EXECUTABLE" run impact.yaml --no-results >impact.txt 2>&1 || complain "impact: exit status $?"
}
impact 1e7 0.5 '{until: 0.001}'
expect "a free impact lasts 0.003115 s, longer than the run of 0.001 s" impact.txt
impact 1e7 0.5 '[{until: 0.001}, {start: previous, until: 0.01}]'
refuse "a free impact lasts" impact.txt
impact 1e7 0.5 '[{until: 0.001}, {until: 0.01}]'
expect "longer than the run of 0.001 s" impact.txt
impact 1e7 0.5 '{until: 0.00311}'
refuse "a free impact lasts" impact.txt
impact 1e7 1e-6 '{until: 0.01}'
refuse "a free impact lasts" impact.txt

# mm for m in the plane: a ball of 30 g that is 10 m large, an arm of 1 kg whose hinge is 100 m from where its inertia has it;
# not with units, of an upright of a crane, its load on a rope, a bob of 1 g on a thread, a disc of a micromachine
while read -r told mass inertia hinge radius; do
    cat >sizes.yaml <<YAML
carom: 1
dimension: 2
gravity: [0, -9.81]
bodies: {part: {mass: $mass, inertia: $inertia, at: [0, -($hinge)]}}
joints: {h: {type: revolute, between: [ground, {part: [0, $hinge]}]}}
shapes:
  skin: {type: sphere, on: part, radius: $radius}
  floor: {type: plane, on: ground, at: [0, -1000], normal: [0, 1]}
contacts: {hit: {between: [floor, skin], normal: {law: flores, stiffness: 1e9, restitution: 0.5}}}
run: {until: 1}
YAML
    "$CAROM_EXECUTABLE" check sizes.yaml >sizes.txt || complain "check of sizes: exit status $?"
    if [ "$told" = - ]; then refuse "warning " sizes.txt; else expect "$told" sizes.txt && expect "[W37]" sizes.txt; fi
done <<'EOF'
7.16e-06 0.03 1e-6 0 10
- 0.03 1e-6 0 10*mm
2.39e-07 1 0.01 100 0.1
- 1 0.01 100*mm 0.1
- 2e4 1e7 60 1
- 1000 200 100 0.5
- 1*gram 1e-8 1 3*mm
- 1e-10 1e-19 100*um 50*um
EOF

# a body goes on beyond what is known of it: a ring of 52 mm with bearings 1 mm from its centre, a ram whose nose alone is a
# shape, a rotor with a pin 0.1 mm off its centre; with an inertia of kg mm^2 in kg m^2 it is told
cat >part.yaml <<'YAML'
carom: 1
dimension: 2
parameters: {M: 0.3, I: 8e-4, at: 1*mm, nose: 20*mm}
bodies: {part: {mass: M, inertia: I}}
joints: {j: {type: revolute, between: [ground, {part: [at, 0]}]}}
YAML
for shape in "" "shapes: {s: {type: sphere, on: part, radius: nose}}"; do
    { cat part.yaml && echo "$shape" && echo "run: {until: 1}"; } >body.yaml
    while read -r mass i at unit; do
        "$CAROM_EXECUTABLE" check body.yaml --set M=$mass --set I=$i --set at=$at >body.txt || complain "check: $?"
        refuse "W36" body.txt
        "$CAROM_EXECUTABLE" check body.yaml --set M=$mass --set "I=$i*$unit" --set at=$at >body.txt || complain "check: $?"
        expect "body 'part': with a moment of inertia of" body.txt
        expect "W36" body.txt
    done <<'EOF'
0.3 8e-4 1*mm 1e6
500 20 0.02 1e6
1 1e-3 0.1*mm 1e6
0.03 2e-6 5*mm 1e6
EOF
done

# an arm on a hinge comes at a wall along a line past its axle by 5 mm: the mass there is I/(5 mm)^2 = 1.4e4 kg for an arm of
# 1 kg, and a free impact of it would last 0.1 s; a softer wall is told of where 1 kg alone would stay so long
cat >arm.yaml <<'YAML'
carom: 1
dimension: 2
gravity: [0, 0]
parameters: {K: 1e9}
bodies: {arm: {mass: 1, inertia: 0.1, at: [0.5, 0], frames: {root: [-0.5, 0]}, velocity: [0, 0.5], angular_velocity: 1}}
joints: {hinge: {type: revolute, between: [ground, arm.root]}}
shapes:
  tip: {type: sphere, on: arm, radius: 0.01}
  wall: {type: plane, on: ground, at: [0.5100055, 0], normal: [-1, -0.01]}
contacts: {hit: {between: [wall, tip], normal: {law: flores, stiffness: K, restitution: 0.5}}}
run: {until: 0.05}
YAML
"$CAROM_EXECUTABLE" check arm.yaml >arm.txt || complain "check of arm: exit status $?"
refuse "a free impact lasts" arm.txt
"$CAROM_EXECUTABLE" check arm.yaml --set K=1e5 >arm.txt
expect "a free impact lasts" arm.txt

# a node of 1e-12 kg between two springs: the stiffer one swings it in 2 pi sqrt(1e-12/300) s, 8.27e6 times in 3 s; not
# where the springs are damped beyond that, where the node has 1e-9 kg (a period of 1.1e-5 s), or where the run is short
cat >node.yaml <<'YAML'
carom: 1
dimension: 2
parameters: {light: 1e-12, c: 0, end: 3}
bodies:
  n: {mass: light, inertia: 1e-12, at: [1.025, 0]}
  b: {mass: 1, inertia: 0.01, at: [2.1, 0]}
joints:
  j: {type: translational, between: [ground, n], axis: [1, 0]}
  k: {type: translational, between: [ground, b], axis: [1, 0]}
loads:
  s1: {type: spring, between: [ground, n], stiffness: 300, damping: c, length: 1}
  s2: {type: spring, between: [n, b], stiffness: 100, damping: c, length: 1}
YAML
for formulation in cartesian tree; do
    { cat node.yaml && echo "run: {until: end, formulation: $formulation}"; } >$formulation.yaml
    "$CAROM_EXECUTABLE" check $formulation.yaml >node.txt || complain "check: exit status $?"
    expect "line 5: body 'n': with 1e-12 kg beside 1 kg of 'b', load 's1' swings it within 3.63e-07 s, 8.27e+06 times" node.txt
    for other in c=1 light=1e-9 end=0.3; do
        "$CAROM_EXECUTABLE" check $formulation.yaml --set $other >node.txt || complain "check: exit status $?"
        refuse "W35" node.txt
    done
done

# poses that leave a crank's pin open by 3-4-5, and its guide by the sine of 0.1 rad: in both formulations
cat >open.yaml <<'YAML'
carom: 1
dimension: 2
bodies:
  crank: {mass: 0.3, inertia: 1e-3, at: [0.05, 0], frames: {root: [-0.05, 0], tip: [0.05, 0]}}
  rod: {mass: 0.5, inertia: 1e-3, at: [0.23, 0.04], frames: {root: [-0.1, 0], tip: [0.1, 0]}}
  slider: {mass: 0.5, inertia: 1e-3, at: [0.33, 0.04], angle: 0.01}
joints:
  main: {type: revolute, between: [ground, crank.root]}
  pin: {type: revolute, between: [crank.tip, rod.root]}
  wrist: {type: revolute, between: [rod.tip, slider]}
YAML
for formulation in cartesian tree; do
    { cat open.yaml && echo "run: {until: 1, formulation: $formulation}"; } >$formulation.yaml
    "$CAROM_EXECUTABLE" check $formulation.yaml >open.txt || complain "check: exit status $?"
    grep -q "^as written   joint 'pin' is open by 0.05 m$" open.txt || complain "$formulation: $(grep written open.txt)"
    "$CAROM_EXECUTABLE" check $formulation.yaml --json >open.json
    expect '"part": "joint '"'pin'"'"' open.json
done

# a run says so as well, with the distance that both points of the joint have where the bodies are placed, also of joints that
# the coordinates hold: beside short bodies, between long ones, and not where it is a small share of the model's length
while read -r width arm at root far; do
    cat >open.yaml <<YAML
carom: 1
dimension: 3
gravity: [0, 0, -9.81]
bodies:
  a: {mass: 1, inertia: [0.02, 0.02, 0.02], at: [$width, 0, 0]}
  b: {mass: 1, inertia: [0.02, 0.02, 0.02], at: $at, frames: {root: $root}}
joints:
  pin: {type: revolute, between: [ground, {a: [-$arm, 0, 0]}], axis: [0, 1, 0]}
  knee: {type: spherical, between: [{a: [$arm, 0, 0]}, b.root]}
YAML
    for formulation in cartesian tree; do
        { cat open.yaml && echo "run: {until: 1e-3, formulation: $formulation}"; } >$formulation.yaml
        "$CAROM_EXECUTABLE" run $formulation.yaml -o open >open.txt || complain "run: exit status $?"
        case $far in
        -) refuse "W49" open.txt ;;
        *) expect "joint 'knee' is open by $far m where the bodies are placed" open.txt && expect "[W49]" open.txt ;;
        esac
    done
done <<'EOF'
0.05 0.05 [0.15,0,0.1] [-0.05,0,0] 0.1
1 0.3 [0.3,1,0] [0.3,0,0] 1.22
20 20 [41.3,0,0] [-1,0,0] -
EOF

# angles: whole multiples of 5 rad beyond a turn where limits and springs are, where motions and targets turn back or
# stand; not with their unit, of many turns, of a motion that only goes on, or of a joint that slides
while read -r told type keys; do
    for dimension in 2 3; do
        cat >angle.yaml <<YAML
carom: 1
dimension: $dimension
bodies: {arm: {mass: 1, inertia: $([ $dimension = 2 ] && echo 0.01 || echo "[0.01, 0.01, 0.01]")}}
joints: {h: {type: $type, between: [ground, arm], axis: $([ $dimension = 2 ] && echo "[1, 0]" || echo "[1, 0, 0]"), $keys}}
run: {until: 1}
YAML
        [ "$dimension $type" != "2 revolute" ] || { sed 's/axis: [^]]*], //' angle.yaml >flat.yaml && mv flat.yaml angle.yaml; }
        case $keys in
        target*) sed 's/, target.*/}}/' angle.yaml >flat.yaml
            { cat flat.yaml && echo "loads: {m: {type: motor, on: h, proportional: 1, $keys}}"; } >angle.yaml ;;
        esac
        "$CAROM_EXECUTABLE" check angle.yaml >angle.txt || complain "check of $keys: exit status $?"
        if [ $told = - ]; then refuse "W38" angle.txt; else expect "$told rad, " angle.txt && expect "write $told*deg for degrees [W38]" angle.txt; fi
    done
done <<'EOF'
-30 revolute limits: {lower: -30, upper: 30}
170 revolute limits: {upper: 170}
- revolute limits: {lower: -30*deg, upper: 30*deg}
- revolute limits: {lower: -6*pi, upper: 20*pi}
- translational limits: {lower: -30, upper: 30}
90 revolute spring: {stiffness: 1, free: 90}
90 revolute motion: 90*sin(2*pi*t)
75 revolute motion: 45 + 30*sin(50*t)
45 revolute motion: "step5(t, 0.2, 0, 0.6, 45)"
- revolute motion: 90*deg*sin(2*pi*t)
- revolute motion: 360*t
- revolute motion: 1 + sin(2*pi*t)
- translational motion: 90*sin(2*pi*t)
30 revolute target: 30
20 revolute target: 20*sin(2*pi*t)
- revolute target: 20*deg*sin(2*pi*t)
EOF

# what a start beyond a limit asks for
cat >beyond.yaml <<'YAML'
carom: 1
dimension: 2
gravity: [0, -9.81]
parameters: {angle: 45, lower: -30, upper: 30}
bodies: {arm: {mass: 1, inertia: 0.01, angle: angle}}
joints: {h: {type: revolute, between: [ground, arm], limits: {lower: lower, upper: upper}}}
run: {until: 1}
YAML
"$CAROM_EXECUTABLE" check beyond.yaml >beyond.txt 2>&1 && complain "a start at 45 rad was taken"
expect "for degrees write 30*deg for the limit and 45*deg for the angle of body 'arm'" beyond.txt
"$CAROM_EXECUTABLE" check beyond.yaml --set upper=1 >beyond.txt 2>&1
expect "for degrees write 45*deg for the angle of body 'arm'" beyond.txt
"$CAROM_EXECUTABLE" check beyond.yaml --set upper=1 --set angle=2 --set lower=-1 >beyond.txt 2>&1
expect "place the bodies within the limits, or widen them" beyond.txt

# GPa or MPa taken for Pa: named by the material, also where the ball sinks in by its own weight; rubber and jelly are none,
# and of a stiffness that is given there is no E to look at
cat >modulus.yaml <<'YAML'
carom: 1
dimension: 2
gravity: [0, -9.81]
parameters: {E: 207}
materials:
  rubber: {E: 2*MPa, nu: 0.49}
  steel: {E: E, nu: 0.3}
bodies: {ball: {mass: 0.1, inertia: 1e-5, at: [0, 0.5]}}
shapes:
  b: {type: sphere, on: ball, radius: 20*mm, material: rubber}
  p: {type: plane, on: ground, normal: [0, 1], material: steel}
contacts: {c: {between: [b, p], normal: {law: exact, restitution: 0.7}}}
run: {until: 1}
YAML
"$CAROM_EXECUTABLE" check modulus.yaml >modulus.txt || complain "check of modulus: exit status $?"
expect "line 7: material 'steel': its E of 207 Pa is that of no solid, jelly has 1000 Pa and more; moduli without a unit are in Pa, write 207*GPa or 207*MPa [W57]" modulus.txt
expect "very soft; is the unit of E of material 'steel' right? [W18]" modulus.txt
"$CAROM_EXECUTABLE" check modulus.yaml --set E=2000 >modulus.txt || complain "check of jelly: exit status $?"
refuse "W57" modulus.txt
expect "very soft; is the unit of E of material 'steel' right? [W18]" modulus.txt
"$CAROM_EXECUTABLE" check modulus.yaml --set E=207*GPa >modulus.txt || complain "check of steel: exit status $?"
refuse "E of material" modulus.txt
refuse "W57" modulus.txt
sed 's/restitution: 0.7/stiffness: 40, restitution: 0.7/; s/law: exact/law: flores/' modulus.yaml >given.yaml
"$CAROM_EXECUTABLE" check given.yaml --set E=207*GPa >modulus.txt || complain "check of a stiffness: exit status $?"
expect "very soft; is the unit of the stiffness right? [W18]" modulus.txt

# bodies that fall through a floor as `contacts` were forgotten: told once with their number; not in a contact or a set, for
# the picture alone, over a floor for the picture, without gravity, held by a joint, a spring or a thrust of their weight
while read -r told edit; do
    cat >falling.yaml <<'YAML'
carom: 1
dimension: 2
gravity: [0, -9.81]
bodies:
  ball: {mass: 0.1, inertia: 1e-5, at: [0, 0.1]}
  tail: {mass: 0.1, inertia: 1e-5, at: [0, 0.2]}
joints: {j: {type: revolute, between: [ball, tail]}}
shapes:
  b: {type: sphere, on: ball, radius: 10*mm}
  p: {type: plane, on: ground, normal: [0, 1]}
run: {until: 1}
YAML
    sed "$edit" falling.yaml >edited.yaml
    "$CAROM_EXECUTABLE" check edited.yaml >falling.txt || complain "check with $edit: exit status $?"
    case $told in
    -) refuse "W58" falling.txt ;;
    *) [ "$told" != : ] || told=
        expect "line 5: body 'ball': falls freely, through 'p' as well$(echo "$told" | tr _ ' '): no contact names a shape of it, such as 'b'" falling.txt ;;
    esac
done <<'EOF'
: s/x/x/
: $a loads: {push: {type: force, on: ball, force: [5, 0.9]}}
- $a loads: {push: {type: force, on: ball, force: [5, 1.1]}}
- $a loads: {hold: {type: spring, between: [ground, tail], stiffness: 100, length: 0.1}}
- $a contacts: {c: {between: [p, b], normal: {law: flores, stiffness: 1e9, restitution: 0.5}}}
- $a contacts: {c: {all: [p, b], normal: {law: flores, stiffness: 1e9, restitution: 0.5}}}
- s/radius: 10.mm/&, visual: yes/
- s/normal: .0, 1./&, visual: yes/
- s/gravity: .*/gravity: [0, 0]/
- s/between: .ball, tail/between: [ground, ball/
,_and_so_does_1_more s/^joints.*//;s/^  p:/  t: {type: sphere, on: tail, radius: 1*mm}\n&/
EOF
# forces along a line that has no direction; those that end there are 0 next to it as well, or slack
for load in "spring length:0.3" "spring length:0.3,damping:1" "spring length:0,preload" "line-force force:9" \
    "- length:0" "- length:0,damping:1" "- length:0.3,only:tension" "- length:0.3,gap:0.4" "- at:0.2"; do
    kind=${load%% *} keys=$(echo "${load#* }" | sed 's/:/: /g; s/,/, /g') point=0
    case $load in
    *preload) keys="curve: steep, length: 0" ;;
    *at:*) keys="length: 0.3" point=0.2 ;;
    esac
    case "$load" in *line-force*) ;; *preload) ;; *) keys="stiffness: 30, $keys" ;; esac
    cat >point.yaml <<YAML
carom: 1
dimension: 2
bodies: {a: {mass: 1, inertia: 1, at: [$point, 0]}}
splines: {steep: {points: [[-1, 4], [0, 5], [1, 6]]}}
loads: {s: {type: $([ "$kind" = - ] && echo spring || echo "$kind"), between: [ground, a], $keys}}
run: {until: 1}
YAML
    "$CAROM_EXECUTABLE" check point.yaml >point.txt || complain "check: exit status $?"
    case $kind in
    -) refuse "W59" point.txt ;;
    *) expect "line 5: load 's': the points that it is between coincide" point.txt ;;
    esac
done

# models that stand for others of their size; all of them with CAROM_TEST_ALL
alarm="units of the mass|lengths without a unit|masses without a unit|with a moment of inertia of|gravity is|without a unit are in radians|a free impact lasts"
for model in "$CAROM_MODELS"/*.yaml "$CAROM_MODELS"/figures/*.yaml; do
    case "${CAROM_TEST_ALL:-} $model" in
    " "*chung_ooi_8* | " "*friction_laws* | " "*slider_crank_block* | 1*) ;;
    *) continue ;;
    esac
    "$CAROM_EXECUTABLE" check "$model" >model.txt 2>&1 || complain "$model: exit status $?"
    grep -E "$alarm" model.txt && complain "$model: a false alarm"
done
finish
