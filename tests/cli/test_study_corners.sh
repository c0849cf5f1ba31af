#!/bin/sh
# Studies at their corners: names that differ beyond ASCII, commands that a shell reads back, a comment added to a model,
# quantities without indices, contours of one parameter, indices of two samples.
set -u
. "$CAROM_SOURCE_DIR/tests/support/cli.sh"
rm -rf ./*.db out shown

write_ball ball.yaml

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

# ---- a column of `each` in another unit than the model takes ----

write_ball ball2.yaml
cat >each.yaml <<'END'
model: ball2.yaml
parameters: {e: {from: 0.1, to: 1}}
records: [{file: each.csv, each: {h: height}, compare: {e: "impacts[1].e_got"}}]
END
printf 'height [kg],e\n0.2,0.6\n0.3,0.61\n' >each.csv
refuse_command 1 "a length [m] is needed here, and 'h' is a mass [kg]" fit each.yaml --check
printf 'height [cm],e\n20,0.6\n30,0.61\n' >each.csv
run_carom 0 fit each.yaml --check

# ---- several minima of a fit: sin(w t) has one beside each zero of its spectrum ----

awk 'BEGIN { print "t [s],y"; for (k = 0; k <= 400; k++) printf "%.9g,%.9g\n", k / 200, 2 * sin(37 * k / 200 + 0.4) }' >sin.csv
cat >sin.yaml <<'END'
parameters: {A: {from: 0.1, to: 10}, w: {from: 1, to: 200}, ph: {from: -3.2, to: 3.2}}
records: [{file: sin.csv, time: t, compare: {y: A*sin(w*t+ph)}}]
starts: 40
END
run_carom 0 fit sin.yaml --brief --no-page
awk '$1 == "w" { exit !($2 > 36.999 && $2 < 37.001) }' text.txt || complain "w is not 37: $(cat text.txt)"
expect 'of 40 searches ended at this misfit, the others at higher ones: there are several minima' text.txt
expect 'near this minimum the records tell all unknowns apart' text.txt
sed 's/w: {from: 1, to: 200}/w: {from: 36.5, to: 37.5}/; s/ph: {from: -3.2, to: 3.2}/ph: {from: 0, to: 1}/; s/40/5/' sin.yaml >one.yaml
run_carom 0 fit one.yaml --brief --no-page
expect 'all 5 searches ended at this misfit' text.txt
refuse 'near this minimum' text.txt

# ---- what is interrupted (once: a second signal ends it at once) says what it has, and nothing of the end of a search ----

sed 's/^run:.*/run: {until: 0.3, integrator: rk4, step: 2*us}/' ball2.yaml >slow.yaml
cat >slow-best.yaml <<'END'
model: slow.yaml
parameters: {e: {from: 0.1, to: 0.9}, h: {from: 0.2, to: 1}}
quantities: {v: "impacts[1].v_out"}
minimise: abs(v - 1)
END
sed 's/ball2/slow/' each.yaml >slow-each.yaml
for seconds in 0.2 3; do
    for command in 'optimise slow-best.yaml' 'fit slow-each.yaml --no-page'; do
        # shellcheck disable=SC2086
        timeout --foreground -s INT $seconds "$CAROM_EXECUTABLE" $command -j 1 -m none.yaml >text.txt 2>error.txt
        grep -q 'no values yet\|the best of [0-9]* designs\|the best values so far' text.txt ||
            complain "$command, ended after $seconds s, said: $(cat text.txt error.txt)"
        refuse 'give more' text.txt
        refuse 'searches ended' text.txt
        refuse 'a wider one' text.txt
    done
done

finish
