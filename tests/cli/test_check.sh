#!/bin/sh
# `carom check`: the numbers it expects of a contact, its warnings, --speed, --json; `carom list laws` and `carom explain`.
set -u
. "$CAROM_SOURCE_DIR/tests/support/cli.sh"

cat >steel.yaml <<'YAML'
carom: 1
dimension: 3
gravity: [0, 0, -9.81]
parameters: {law: lankarani-nikravesh, e: 0.5}
materials: {steel: {E: 207*GPa, nu: 0.3, density: 7800, yield: 1*GPa}}
bodies: {ball: {mass: 0.0327, inertia: [1e-6, 1e-6, 1e-6], at: [0, 0, 0.21]}}
shapes:
  skin: {type: sphere, on: ball, radius: 0.01, material: steel}
  floor: {type: plane, on: ground, normal: [0, 0, 1], material: steel}
contacts: {hit: {between: [floor, skin], normal: {law: $law, restitution: e}}}
run: {until: 1}
YAML

"$CAROM_EXECUTABLE" check steel.yaml >text.txt 2>error.txt || complain "check: exit status $?"
[ ! -s error.txt ] || complain "check wrote to standard error: $(cat error.txt)"
expect "speed at touch of hit: a trial run of 0.2019 s" text.txt
expect "lankarani-nikravesh returns a restitution of 0.725 where 0.5 is asked; law exact returns what is asked" text.txt
expect "expected impact speed 1.98 m/s exceeds the yield speed 0.14 m/s" text.txt
expect '[W13]' text.txt
refuse "sqrt(E/rho)" text.txt
[ "$(grep -c '^warning' text.txt)" = 2 ] || complain "$(grep -c '^warning' text.txt) warnings, not 2"

# slow and with the law that returns what is asked: nothing to say
"$CAROM_EXECUTABLE" check steel.yaml --speed 0.04 --set law=exact >slow.txt || complain "check --speed: exit status $?"
expect "speed at touch of hit: speed as given" slow.txt
refuse "warning" slow.txt
"$CAROM_EXECUTABLE" check steel.yaml --speed 0.1 --set law=exact >waves.txt
expect "exceeds 1e-5 sqrt(E/rho) = 0.0515 m/s: the impact is not quasi-static; it does not yield below 0.14 m/s" waves.txt
"$CAROM_EXECUTABLE" check steel.yaml --speed 0 >zero.txt 2>error.txt
[ $? = 2 ] || complain "--speed 0 is no usage error"

"$CAROM_EXECUTABLE" check steel.yaml --json >check.json || complain "check --json: exit status $?"
for key in elastic damping stiffness exponent modulus radius reference_indentation reference_force local_exponent limit mass \
    speed gap expected_speed assumed e_asked e_expected peak_force max_indentation duration method static_indentation \
    first_step contact_step absolute wave_speed_limit yield_speed rules; do
    expect "\"$key\":" check.json
done
expect '"restitution"' check.json
expect '"yield"' check.json
expect "returns a restitution of 0.725" check.json

# contacts with one law and its numbers are told of once a rule, however their own numbers differ; with another one by themselves
cat >alike.yaml <<'YAML'
carom: 1
dimension: 2
gravity: [0, -9.81]
parameters: {growth: 0}
bodies: {b: {copies: 5, mass: 0.1 + growth*copy, inertia: 1e-5, at: [0.1*copy, 0.01]}}
shapes:
  s: {copies: 5, type: sphere, on: b_$copy, radius: 10*mm}
  p: {type: plane, on: ground, normal: [0, 1]}
contacts:
  c: {copies: 4, between: [p, s_$copy], normal: {law: hooke, stiffness: 3000}}
  d: {between: [p, s_5], normal: {law: hooke, stiffness: 4000}}
run: {until: 0.1}
YAML
"$CAROM_EXECUTABLE" check alike.yaml >alike.txt || complain "check of alike: exit status $?"
expect "contacts 'c_1', 'c_2', 'c_3' and 1 others: at rest the weight alone makes an indentation of 0.000327 m" alike.txt
expect "contact 'd': at rest the weight alone makes an indentation of 0.000245 m" alike.txt
"$CAROM_EXECUTABLE" check alike.yaml --set growth=0.01 >alike.txt || complain "check of alike: exit status $?"
expect "contact 'c_1', the first of 4 like it: at rest the weight alone makes an indentation of 0.00036 m" alike.txt
expect "contact 'd': at rest the weight alone makes an indentation of 0.000368 m" alike.txt
[ "$(grep -c W18 alike.txt)" = 2 ] || complain "$(grep -c W18 alike.txt) warnings of rest, not 2"

# friction of joints: what it does at the start, and which sizes a joint takes
"$CAROM_EXECUTABLE" check "$CAROM_MODELS/pendulum_pin_friction.yaml" >pin.txt || complain "check of a pin: exit status $?"
expect "joint 'pin', coulomb: starts at rest and begins to slip, against 2.316 N under 7.721 N" pin.txt
"$CAROM_EXECUTABLE" check "$CAROM_MODELS/pendulum_pin_friction.yaml" --json >pin.json
expect '"state": "slip"' pin.json
cat >begins.yaml <<'END'
carom: 1
dimension: 2
gravity: [0, -9.81]
bodies:
  m: {mass: 1, inertia: 0.01, at: [0.5, 0]}
  n: {mass: 1, inertia: 0.01, at: [1.5, 0]}
joints:
  h: {type: revolute, between: [ground, {m: [-0.5, 0]}], friction: {law: coulomb, kinetic: 0.1, radius: 10*mm}}
  k: {type: revolute, between: [{ground: [1, 0]}, {n: [-0.5, 0]}], friction: {law: coulomb, kinetic: 1, constant: 8}}
run: {until: 0.5}
END
"$CAROM_EXECUTABLE" check begins.yaml >begins.txt
expect "joint 'h', coulomb: starts at rest and begins to slip, against 0.0378 N under 0.378 N" begins.txt
expect "joint 'k', coulomb: starts at rest, held by 4.905 N m under 8 N m" begins.txt
"$CAROM_EXECUTABLE" explain revolute >revolute.txt
expect "takes friction in space: a law with its parameters, preload [N], constant," revolute.txt
"$CAROM_EXECUTABLE" explain fixed >fixed.txt
expect "takes no friction" fixed.txt

# every run that is wrong is named, with its place
cat >runs.yaml <<'END'
carom: 1
dimension: 2
bodies: {ball: {mass: 1, inertia: 0.1}}
run:
  - {until: 1}
  - {until: 1, integrator: rk4}
  - {until: 1, integrator: adams, constraints: {type: projection}}
END
"$CAROM_EXECUTABLE" check runs.yaml >none.txt 2>error.txt
[ $? = 1 ] || complain "check of wrong runs: exit status $?"
expect "runs.yaml:6:5: run: integrator rk4 needs" error.txt
expect "runs.yaml:7:55: run: adams cannot project" error.txt
[ -s none.txt ] && complain "check prints a model whose runs are wrong"

# a step that is missing is asked for with the key and the option
expect "runs.yaml:6:5: run: integrator rk4 needs \`step\` above 0 [s]" error.txt
expect "carom run --step T" error.txt
sed '6,7d' runs.yaml >first.yaml
"$CAROM_EXECUTABLE" run first.yaml --integrator verlet >none.txt 2>error.txt
[ $? = 2 ] || complain "verlet without a step is no usage error"
expect "integrator verlet needs the length of its steps: give \`carom run --step T\` [s], or write \`step\`" error.txt
"$CAROM_EXECUTABLE" run first.yaml --integrator verlet --step 1e-2 >none.txt 2>error.txt || complain "--step: $(cat error.txt)"

# a material of a model without any
cat >none.yaml <<'END'
carom: 1
dimension: 2
bodies: {ball: {mass: 1, inertia: 0.1, at: [0, 1]}}
shapes: {ball: {type: sphere, on: ball, radius: 0.1, material: steel}}
run: {until: 1}
END
"$CAROM_EXECUTABLE" check none.yaml >none.txt 2>error.txt
[ $? = 1 ] || complain "check of a missing material: exit status $?"
expect "none.yaml:4:64: shape 'ball': no material 'steel'; the model has none: write \`materials: {steel: {E: ..., nu: ...}}\`" error.txt

# a box that lies on two corners of four breaks one rule: it is told once, of the contact
cat >box.yaml <<'END'
carom: 1
dimension: 2
gravity: [0, -9.81]
parameters: {law: anagnostopoulos, K: 1e5}
bodies: {part: {mass: 0.02, inertia: 2e-6, at: [0, 10*mm], velocity: [0, -0.05]}}
shapes: {t: {type: plane, on: ground, normal: [0, 1]}, p: {type: box, on: part, size: [30*mm, 20*mm]}}
contacts: {c: {between: [t, p], normal: {law: $law, stiffness: K, restitution: 0.3}}}
run: {until: 1}
END
"$CAROM_EXECUTABLE" check box.yaml >text.txt || complain "check of a box: exit status $?"
expect "contact 'c', 2 of its 4 corners: law anagnostopoulos returns a restitution" text.txt
[ "$(grep -cF '[W13]' text.txt)" = 1 ] || complain "W13 stands $(grep -cF '[W13]' text.txt) times: $(cat text.txt)"

# texts: groups, names that hold a word, what a law needs
"$CAROM_EXECUTABLE" list laws >laws.txt
expect "hunt-crossley                 0.663  " laws.txt
expect "with memory: permanent indentation" laws.txt
"$CAROM_EXECUTABLE" explain lankarani >none.txt 2>error.txt
[ $? = 2 ] || complain "explain of no name is no usage error"
expect "did you mean one of 'lankarani-nikravesh'" error.txt
"$CAROM_EXECUTABLE" explain elastic.johnson >johnson.txt
expect "needs length [m]" johnson.txt
"$CAROM_EXECUTABLE" explain validity >validity.txt
expect "|e' - e| > 0.05" validity.txt

finish
