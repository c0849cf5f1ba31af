#!/bin/sh
# Studies at their corners: names that differ beyond ASCII, commands that a shell reads back, a comment added to a model,
# quantities without indices, contours of one parameter, indices of two samples.
set -u
. "$CAROM_SOURCE_DIR/tests/support/cli.sh"
rm -rf ./*.db out shown

cat >ball.yaml <<'END'
carom: 1
dimension: 2
gravity: [0, -9.81]
parameters: {h: 0.3, e: 0.8}
bodies: {ball: {mass: 1, inertia: 0.004, at: [0, h]}}
shapes:
  skin: {type: sphere, on: ball, radius: 0.1}
  floor: {type: plane, on: ground, normal: [0, 1]}
contacts: {hit: {between: [floor, skin], normal: {law: flores, stiffness: 1e8, restitution: e}}}
run: {until: 0.3}
END

# ---- results of models whose names differ beyond ASCII ----

for name in ä ö '日本' 'a b'; do
    cp ball.yaml "$name.yaml"
    run_carom 0 run "$name.yaml" -q -o out
done
for name in ä ö 日本 a_b; do
    [ -s "out/$name.h5" ] && [ -s "out/$name.html" ] || complain "no result out/$name.h5: $(ls out)"
done
# bytes that are no UTF-8, and controls, are replaced
cp ball.yaml "$(printf 'x\377y\302\205.yaml')"
run_carom 0 run "$(printf 'x\377y\302\205.yaml')" -q -o out
[ -s out/x_y__.h5 ] || complain "a name that is no UTF-8: $(ls out)"

# ---- --show is a command that a shell reads ----

cp ball.yaml "it's \$HOME.yaml"
cat >"s t.yaml" <<'END'
model: "it's $HOME.yaml"
parameters: {h: [0.2, 0.3]}
set: {e: 0.5 + 0.1}
run: {until: 0.25}
quantities: {v: "impacts[1].v_in"}
END
run_carom 0 sweep "s t.yaml" --show 2
expect "carom run 'it'\\''s \$HOME.yaml' --until 0.25 --set 'e=0.5 + 0.1' --set h=0.3" text.txt
carom() { "$CAROM_EXECUTABLE" "$@"; }
eval "$(cat text.txt) -q -o shown" || complain "what --show prints does not run"
[ -s "shown/it_s__HOME.h5" ] || complain "what --show prints made $(ls shown)"
run_carom 0 sweep "s t.yaml"
expect "carom plot 's t.db'; carom export 's t.db'" text.txt

# ---- a comment in the model leaves the store as it is; a value does not ----

cat >study.yaml <<'END'
model: ball.yaml
parameters: {h: [0.2, 0.3]}
quantities: {v: "impacts[1].v_in"}
END
run_carom 0 sweep study.yaml -q
printf '# a comment\n\n' | cat - ball.yaml >more.yaml
sed 's/^run:.*/&   # and another/' more.yaml >ball.yaml
run_carom 0 sweep study.yaml
expect '2 completed' text.txt
sed 's/1e8/2e8/' ball.yaml >more.yaml
mv more.yaml ball.yaml
refuse_command 2 'holds a sweep of another study' sweep study.yaml -q

# ---- sensitivity: of f = x + 2 y the indices are 1/5 and 4/5, and a constant has none ----

cat >indices.yaml <<'END'
parameters: {x: {from: -1, to: 1}, y: {from: -1, to: 1}}
sampling: {type: saltelli, count: 4096}
quantities: {c: "1 + 0*x", f: "x + 2*y", d: "2 + 0*x*y"}
END
run_carom 0 sweep indices.yaml -q
run_carom 0 plot indices.db -o indices.svg
expect 'c: no indices: the quantity is the same in all runs' text.txt
expect 'd: no indices: the quantity is the same in all runs' text.txt
awk '/^f:/ { on = 1; next } on && $1 == "x" { x = $2 } on && $1 == "y" { y = $2 }
    END { exit !(x > 0.19 && x < 0.21 && y > 0.79 && y < 0.81) }' text.txt || complain "indices: $(cat text.txt)"
run_carom 2 plot indices.db c -o constant.svg
run_carom 2 plot indices.db c d -o constant.svg
expect 'no quantity has indices' error.txt

for count in 2 3; do
    cat >few.yaml <<END
parameters: {x: {from: -pi, to: pi}, y: {from: -pi, to: pi}}
sampling: {type: saltelli, count: $count}
quantities: {f: "sin(x) + 7*sin(y)^2"}
END
    run_carom 0 sweep few.yaml -q -o "few$count.db"
    run_carom 0 plot "few$count.db" -o few.svg
    refuse nan text.txt
done

# ---- a contour needs two parameters ----

cat >line.yaml <<'END'
parameters: {x: {from: -1, to: 1, count: 5}}
quantities: {f: x}
END
run_carom 0 sweep line.yaml -q
refuse_command 2 "a contour has two axes, and 'x' is the only parameter" plot line.db --as contour -o line.svg

finish
