#!/bin/sh
# Mechanisms that cannot be, or are over-closed: `carom check` and `carom run` name the part and the measure, in both
# formulations. Gaps are those of closed forms, at the right of each.
set -u
. "$CAROM_SOURCE_DIR/tests/support/cli.sh"

formulations="cartesian tree"

# try STATUS NAME TEXT…: the model on standard input, checked and run; every text is in what is said.
try()
{
    wanted=$1 name=$2
    shift 2
    cat >model.yaml
    for formulation in $formulations; do
        for command in check run; do
            { echo "carom: 1" && cat model.yaml && echo "run: {until: 0.05, formulation: $formulation}"; } >"$name.yaml"
            if [ $command = run ]; then
                timeout 20 "$CAROM_EXECUTABLE" run "$name.yaml" --no-results -o out >said.txt 2>&1
            else
                timeout 20 "$CAROM_EXECUTABLE" check "$name.yaml" >said.txt 2>&1
            fi
            got=$?
            [ "$got" = "$wanted" ] || complain "$command $name, $formulation: exit status $got, not $wanted"
            grep -qiE '[^a-z]nan[^a-z]' said.txt && complain "$command $name, $formulation: not a number"
            [ "$wanted" = 0 ] && [ $command = run ] && continue
            for text in "$@"; do
                expect "$text" said.txt
            done
        done
    done
}

crank="crank: {mass: 1, inertia: 0.1, at: [0.5, 0], frames: {root: [-0.5, 0], tip: [0.5, 0]}}"
rod="rod: {mass: 1, inertia: 0.1, at: [2, 0], frames: {root: [-1, 0], tip: [1, 0]}}"
slider_crank="dimension: 2
bodies: {$crank, $rod, slider: {mass: 1, inertia: 0.1, at: [3, 0]}}
joints:
  main: {type: revolute, between: [ground, crank.root]}
  pin: {type: revolute, between: [crank.tip, rod.root]}
  wrist: {type: revolute, between: [rod.tip, slider]}"

# ---- loops that do not close ----

try 1 loop_too_short "joint 'a'" "joint 'b'" "left open by 2 m" <<E2 # 5 - 1 - 2
dimension: 2
bodies: {$crank, $rod}
joints:
  a: {type: revolute, between: [ground, crank.root]}
  b: {type: revolute, between: [crank.tip, rod.root]}
  c: {type: revolute, between: [{ground: [5, 0]}, rod.tip]}
E2
try 1 rod_too_long "joint 'a'" "joint 'c'" "left open by" <<E2
dimension: 2
bodies:
  crank: {mass: 1, inertia: 0.1, at: [-0.5, 0.1], frames: {root: [0.5, 0], tip: [-0.5, 0]}}
  $rod
joints:
  a: {type: revolute, between: [ground, crank.root]}
  b: {type: revolute, between: [crank.tip, rod.root]}
  c: {type: revolute, between: [{ground: [0.5, 0]}, rod.tip]}
E2
try 1 drive_beyond_reach "motion of joint 'guide'" "left open by 0.5 m" <<E2 # 3.5 - 3
$slider_crank
  guide: {type: translational, between: [ground, slider], axis: [1, 0], motion: 3.5}
E2
try 1 rods_too_short "joint 'left'" "joint 'right'" "left open by 0.5 m" <<E2 # 2 - 1 - 0.5
dimension: 2
bodies: {bob: {mass: 1, inertia: 0.1, at: [1, -0.1]}}
joints:
  left: {type: distance, between: [ground, bob], length: 1}
  right: {type: distance, between: [{ground: [2, 0]}, bob], length: 0.5}
E2
try 1 parallel_guides "joint 'lower'" "joint 'upper'" "left open by 0.25 m" <<E2
dimension: 2
bodies: {block: {mass: 1, inertia: 0.1}}
joints:
  lower: {type: translational, between: [ground, block], axis: [1, 0]}
  upper: {type: translational, between: [{ground: [0, 0.25]}, {block: [0, 0]}], axis: [1, 0]}
E2

# bodies that fixed joints hold alone: joint coordinates have nothing to find there
formulations=cartesian
try 1 welds_apart "joint 'one'" "joint 'two'" "left open by 0.2 m" <<E2 # 1.2 - 1
dimension: 2
bodies: {$crank}
joints:
  one: {type: fixed, between: [ground, crank.root]}
  two: {type: fixed, between: [{ground: [1.2, 0]}, crank.tip]}
E2
try 1 weld_loop "joint 'one'" "joint 'three'" "left open by 0.03 m" <<E2
dimension: 2
bodies: {$crank, $rod}
joints:
  one: {type: fixed, between: [ground, crank.root]}
  two: {type: fixed, between: [crank.tip, rod.root]}
  three: {type: fixed, between: [rod.tip, {ground: [3, 0.03]}]}
E2
try 1 weld_and_pin "joint 'pin'" "joint 'weld'" <<E2
dimension: 2
bodies: {$crank}
joints:
  weld: {type: fixed, between: [ground, crank.root]}
  pin: {type: revolute, between: [{ground: [1, 0.1]}, crank.tip]}
E2
formulations=tree
try 1 all_welded "body 'crank'" "formulation: cartesian" <<E2
dimension: 2
bodies: {$crank}
joints: {one: {type: fixed, between: [ground, crank.root]}}
E2
formulations="cartesian tree"

# ---- drives that contradict ----

try 1 two_drives "motion of joint 'pin'" "motion angle of body 'crank'" "left open by 0.5 rad" <<E2
dimension: 2
bodies: {"crank": {mass: 1, inertia: 0.1, at: [0.5, 0], frames: {root: [-0.5, 0]}, motion: {angle: 0.5 + t}}}
joints: {pin: {type: revolute, between: [ground, crank.root], motion: t}}
E2
try 1 two_laws "motion angle of body 'crank' is given as 1" "make it 2" <<E2
dimension: 2
bodies: {"crank": {mass: 1, inertia: 0.1, at: [0.5, 0], frames: {root: [-0.5, 0]}, motion: {angle: t}}}
joints: {pin: {type: revolute, between: [ground, crank.root], motion: 2*t}}
E2
try 1 dead_centre "motion of joint 'guide' is given as -0.1" "make it 0" <<E2
$slider_crank
  guide: {type: translational, between: [ground, slider], axis: [1, 0], motion: 3 - 0.1*t}
E2
try 1 weld_driven "joint 'one'" "no coordinate" <<E2
dimension: 2
bodies: {$crank}
joints: {one: {type: fixed, between: [ground, crank.root], motion: t}}
E2
try 1 welded_drive "motion of joint 'pin' is given as 1" "make it 0" <<E2
dimension: 2
bodies: {$crank}
joints:
  weld: {type: fixed, between: [ground, crank.root]}
  pin: {type: revolute, between: [ground, crank.root], motion: t}
E2

# ---- bodies that cannot be ----

try 1 massless "body 'arm'" "'mass' is 0" <<E2
dimension: 2
bodies: {arm: {mass: 0, inertia: 1}}
E2
try 1 inside_out "body 'arm'" "impossible inertia" <<E2
dimension: 3
bodies: {arm: {mass: 1, inertia: [1, 1, 3]}}
E2
try 1 indefinite "body 'arm'" "inertia" <<E2
dimension: 3
bodies: {arm: {mass: 1, inertia: [1, 1, 1, 2, 0, 0]}}
E2

# ---- over-closed, and yet they fit: what is held twice is named ----

try 0 prismatic_triangle "mobility     1; 0 by counting rows" "turning about z, held by 'one', 'two'" <<E2
dimension: 2
bodies: {a: {mass: 1, inertia: 0.1}, b: {mass: 1, inertia: 0.1}}
joints:
  one: {type: translational, between: [ground, a], axis: [1, 0]}
  two: {type: translational, between: [a, b], axis: [0, 1]}
  three: {type: translational, between: [ground, b], axis: [1, 1]}
E2
try 0 coincident_axes "mobility     1; -4 by counting rows" "joint 'two', row 5" <<E2
dimension: 3
bodies: {door: {mass: 1, inertia: [0.1, 0.1, 0.1]}}
joints:
  one: {type: revolute, between: [ground, door], axis: [0, 0, 1]}
  two: {type: revolute, between: [{ground: [0, 0, 1]}, {door: [0, 0, 1]}], axis: [0, 0, 1]}
E2
try 0 same_drive_twice "motion" "of which is redundant" <<E2
dimension: 2
bodies: {"crank": {mass: 1, inertia: 0.1, at: [0.5, 0], frames: {root: [-0.5, 0]}, motion: {angle: t}}}
joints: {pin: {type: revolute, between: [ground, crank.root], motion: t}}
E2
try 0 locked_gears "nothing can move" "hold all 9 coordinates" <<E2 # three wheels that all mesh
dimension: 2
bodies: {a: {mass: 1, inertia: 0.1}, b: {mass: 1, inertia: 0.1, at: [1, 0]}, c: {mass: 1, inertia: 0.1, at: [0.5, 0.8]}}
joints:
  a: {type: revolute, between: [ground, a]}
  b: {type: revolute, between: [{ground: [1, 0]}, b]}
  c: {type: revolute, between: [{ground: [0.5, 0.8]}, c]}
  ab: {type: coupler, joints: [a, b], ratio: -1}
  bc: {type: coupler, joints: [b, c], ratio: -1}
  ca: {type: coupler, joints: [c, a], ratio: -1}
E2
timeout 20 "$CAROM_EXECUTABLE" run locked_gears.yaml --no-results -o out >said.txt 2>&1
expect "nothing can move" said.txt
try 0 flat_parallelogram "mobility     2; 1 by counting rows" "moving along x, held by 'p', 'q', 'r'" <<E2
dimension: 2
bodies:
  $crank
  $rod
  right: {mass: 1, inertia: 0.1, at: [2.5, 0], frames: {l: [-0.5, 0], r: [0.5, 0]}}
joints:
  p: {type: revolute, between: [ground, crank.root]}
  q: {type: revolute, between: [crank.tip, rod.root]}
  r: {type: revolute, between: [rod.tip, right.r]}
  s: {type: revolute, between: [{ground: [2, 0]}, right.l]}
E2
try 1 rod_of_no_length "joint 'a'" "length is 0" <<E2
dimension: 2
bodies: {a: {mass: 1, inertia: 0.1}}
joints: {a: {type: distance, between: [ground, a], length: 0}}
E2

# ---- over-closed in space, jammed, out of proportion ----

# Bennett's linkage: links of 1 m and 1.5 m, twists of 40 and 74.6 degrees, a/sin(40) = b/sin(74.6)
try 0 bennett "mobility     1; -2 by counting rows" "joint 'j4', row 5" "3 of which are redundant" <<E2
dimension: 3
bodies:
  link1: {mass: 1, inertia: [0.1, 0.1, 0.1], at: [0.171010071662834, 0.469846310392954, 0], frames: {l: [-0.171010071662834, -0.469846310392954, 0], r: [0.171010071662834, 0.469846310392954, 0]}}
  link2: {mass: 1, inertia: [0.1, 0.1, 0.1], at: [-0.136729693295633, 0.407978043304112, 0.22489598046304], frames: {l: [0.478749836621302, 0.531714577481796, -0.22489598046304], r: [-0.478749836621302, -0.531714577481796, 0.22489598046304]}}
  link3: {mass: 1, inertia: [0.1, 0.1, 0.1], at: [-1.05773976495847, -0.0618682670888417, 0.22489598046304], frames: {l: [0.442260235041533, -0.0618682670888417, 0.22489598046304], r: [-0.442260235041533, 0.0618682670888417, -0.22489598046304]}}
joints:
  j1: {type: revolute, between: [{ground: [0, 0, 0]}, link1.l], axis: [0, 0, 1]}
  j2: {type: revolute, between: [link1.r, link2.l], axis: [0.604022773555054, -0.219846310392954, 0.766044443118978]}
  j3: {type: revolute, between: [link2.r, link3.l], axis: [-0.299861307284053, 0.587799197315435, 0.751382259591766]}
  j4: {type: revolute, between: [link3.r, {ground: [-1.5, 0, 0]}], axis: [0, 0.964181414529809, 0.265243661329157]}
E2
timeout 20 "$CAROM_EXECUTABLE" run bennett.yaml --no-results -o out >said.txt 2>&1
expect "redundant    3 of 20 constraint rows, of joint 'j4'" said.txt
try 0 universal_at_right_angles "'bearing' turns" "'seat' cannot turn" <<E2
dimension: 3
bodies:
  input: {mass: 1, inertia: [0.1, 0.1, 0.1], at: [-0.5, 0, 0], frames: {tip: [0.5, 0, 0]}}
  output: {mass: 1, inertia: [0.1, 0.1, 0.1], at: [0, 0.5, 0], frames: {root: [0, -0.5, 0]}}
joints:
  bearing: {type: revolute, between: [{ground: [-0.5, 0, 0]}, {input: [0, 0, 0]}], axis: [1, 0, 0]}
  cross: {type: universal, between: [input.tip, output.root], axis: [0, 0, 1]}
  seat: {type: revolute, between: [{ground: [0, 0.5, 0]}, {output: [0, 0, 0]}], axis: [0, 1, 0]}
E2
try 0 dead_centre_held "'guide' cannot slide" <<E2
$slider_crank
  guide: {type: translational, between: [ground, slider], axis: [1, 0]}
E2
try 1 two_drives_in_a_loop "accelerations contradict: motion of joint 'd' is given as 0" "make it 0.0555556" <<E2 # 1/18
dimension: 2
bodies:
  crank: {mass: 1, inertia: 0.1, at: [0, 0.5], frames: {l: [0, -0.5], r: [0, 0.5]}}
  rod: {mass: 1, inertia: 0.1, at: [1, 1.25], frames: {l: [-1, -0.25], r: [1, 0.25]}}
  rocker: {mass: 1, inertia: 0.1, at: [2, 0.75], frames: {l: [0, -0.75], r: [0, 0.75]}}
joints:
  a: {type: revolute, between: [ground, crank.l], motion: t}
  b: {type: revolute, between: [crank.r, rod.l]}
  c: {type: revolute, between: [rod.r, rocker.r]}
  d: {type: revolute, between: [{ground: [2, 0]}, rocker.l], motion: 2*t/3}
E2
try 0 rope_too_short "line 6: load 'rope'" "stretched to 5 times its free length, 5 m for 1 m" <<E2
dimension: 2
gravity: [0, -9.81]
bodies: {weight: {mass: 10, inertia: 0.1, at: [0, -5]}}
loads:
  rope: {type: ligament, between: [ground, weight], length: 1, stiffness: 1e6}
E2
try 1 moved_into_a_box "overlap by 0.049 m" "the assembly has moved body 'belt' by 0.05 m from where it is placed" <<E2
dimension: 3
bodies:
  belt: {mass: 10, inertia: [1, 1, 1], at: [0, 0, -0.05]}
  box: {mass: 1.5, inertia: [0.005, 0.006, 0.007], at: [0, 0, 0.051]}
joints:
  rail: {type: translational, between: [ground, belt], axis: [1, 0, 0], motion: 0.8*t}
shapes:
  belt: {type: box, on: belt, size: [6, 0.6, 0.1]}
  box: {type: box, on: box, size: [0.15, 0.1, 0.1]}
contacts:
  c: {between: [belt, box], normal: {law: flores, stiffness: 5e7, restitution: 0.3}}
E2
try 1 ball_in_the_floor "contact 'hit'" "overlap by 0.6 m" "600 % of the smaller one's size of 0.1 m" <<E2
dimension: 2
gravity: [0, -9.81]
bodies:
  ball: {mass: 1, inertia: 0.1, at: [0, -0.5]}
shapes:
  rim: {type: sphere, on: ball, radius: 0.1}
  floor: {type: plane, on: ground, normal: [0, 1]}
contacts:
  hit: {between: [rim, floor], normal: {law: hunt-crossley, stiffness: 1e7, restitution: 0.5}}
E2
formulations=cartesian
# the thread lets the nut be where the weld has it, 60 turns on
try 0 screw_and_weld "nothing can move" "joint 'weld' is open by 0.3 m" <<E2
dimension: 3
bodies: {nut: {mass: 1, inertia: [0.1, 0.1, 0.1], at: [0.3, 0, 0]}}
joints:
  screw: {type: screw, between: [ground, nut], axis: [1, 0, 0], pitch: 5*mm}
  weld: {type: fixed, between: [ground, nut]}
E2
formulations="cartesian tree"
finish
