#!/bin/sh
# Values that the model refuses leave the others: the first of a grid, a bound of a sampling, of a fit, of an
# optimisation. A row of a record that the model refuses is named.
set -u
. "$CAROM_SOURCE_DIR/tests/support/cli.sh"

write_ball ball.yaml
# study NAME PARAMETERS REST...
study()
{
    name=$1 parameters=$2
    shift 2
    printf 'model: ball.yaml\nparameters: {%s}\n' "$parameters" >"$name.yaml"
    printf '%s\n' "$@" >>"$name.yaml"
}

# ---- sweeps: v_in is that of the fall, sqrt(2 g (h - r)), whatever the restitution ----

rm -f ./*.db
study first 'e: {from: 0, to: 1, count: 5}' 'quantities: {v: "impacts[1].v_in"}'
run_carom 0 sweep first.yaml -q
run_carom 0 export first.db
expect "1,0,,refused,ball.yaml:9:93: contact 'hit': restitution is 0" text.txt
[ "$(grep -c ',1\.98[0-9]*,completed,' text.txt)" = 4 ] || complain "not four runs of the fall: $(cat text.txt)"

study ends 'e: [0, 0.5, 2]' 'quantities: {v: "impacts[1].v_in"}'
run_carom 0 sweep ends.yaml -q
run_carom 0 export ends.db
[ "$(grep -c ',refused,' text.txt)" = 2 ] || complain "not two refused runs: $(cat text.txt)"
[ "$(grep -c ',completed,' text.txt)" = 1 ] || complain "not one completed run: $(cat text.txt)"

study sobol 'e: {from: 0, to: 1}, h: {from: -1, to: 1}' 'sampling: {type: sobol, count: 8}' \
    'quantities: {v: "impacts[1].v_in/sqrt(2*9.81*(h - 0.1))"}'
run_carom 0 sweep sobol.yaml -q
run_carom 0 export sobol.db
[ "$(grep -c ',\(1\|1\.0000[0-9]*\|0\.9999[0-9]*\),completed,' text.txt)" -ge 2 ] || complain "the falls are not those of h: $(cat text.txt)"
[ "$(grep -c ',refused,' text.txt)" -ge 2 ] || complain "balls within the floor are not refused: $(cat text.txt)"

# what is wrong with the study is still said before the first run, by the values that the model takes
study name 'e: [0, 0.5]' 'quantities: {v: "impacts[hit2, 1].v_in"}'
run_carom 1 sweep name.yaml
expect "hit2" error.txt
study channel 'e: [0, 0.5]' 'quantities: {v: "max(body.bal.position.y)"}'
run_carom 1 sweep channel.yaml
expect "did you mean 'body.ball.position'" error.txt
# and a model that takes none of the values is
study none 'e: [0, 2]' 'quantities: {v: "impacts[1].v_in"}'
run_carom 1 sweep none.yaml
expect "restitution is 0" error.txt

# ---- fit and optimise ----

cat >drop.csv <<'END'
height [cm],e
20,0.6
30,0.61
END
for from in 0 0.1; do
    study "fit$from" "e: {from: $from, to: 1.2}" 'records:' '  - file: drop.csv' '    each: {h: height}' \
        '    compare: {e: "impacts[1].e_got"}' '    sigma: 0.01'
    run_carom 0 fit "fit$from.yaml" --brief --no-page -m fitted.yaml
done
value() { sed -n 's/^parameters: {h: 0.3, e: \([0-9.]*\)}.*/\1/p' fitted.yaml; }
run_carom 0 fit fit0.yaml --brief --no-page -q -m fitted.yaml
one=$(value)
run_carom 0 fit fit0.1.yaml --brief --no-page -q -m fitted.yaml
awk -v a="$one" -v b="$(value)" 'BEGIN { exit !(a > 0.5 && a - b < 1e-4 && b - a < 1e-4) }' ||
    complain "a bound that is refused moves the estimate: $one, $(value)"

# e_got at 5 cm: the ball is within the floor
printf '5,0.6\n' >>drop.csv
refuse_command 3 "drop.csv, line 4: refused: " fit fit0.1.yaml --brief --no-page -m fitted.yaml

study best 'e: {from: 0, to: 1.2}, h: {from: 0, to: 1}' 'quantities: {v: "impacts[1].v_in"}' 'minimise: (v - 1.98091)^2' \
    'constraints: [e >= 0.5]'
run_carom 0 optimise best.yaml -m best-out.yaml
awk '$1 == "h" { exit !($2 > 0.2998 && $2 < 0.3002) }' text.txt || complain "the height of the fall was not found: $(cat text.txt)"

finish
