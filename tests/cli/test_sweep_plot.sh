#!/bin/sh
# `carom plot STORE`: the figure that each sampling asks for, what it chooses and tells, names that are wrong.
set -u
. "$CAROM_SOURCE_DIR/tests/support/cli.sh"
rm -rf ./*
cp "$CAROM_MODELS/two_spheres.yaml" .

# study NAME SAMPLING PARAMETERS
study()
{
    printf 'model: two_spheres.yaml\nparameters:\n%s\nsampling: %s\nquantities: {e_got: "impacts[1].e_got", peak: max(contact.hit.force)}\n' \
        "$3" "$2" >"$1.yaml"
    run_carom 0 sweep "$1.yaml" --quiet
}

# ---- curves: one for each law, the stiffness held in the middle ----
study grid grid '  law: [flores, hunt-crossley]
  e: {from: 0.3, to: 0.9, count: 5}
  K: {from: 1e9, to: 1e10, count: 4, scale: log}'
run_carom 0 plot grid.db
expect 'figure  grid.svg' text.txt
expect 'at K = 4.642e9; --where NAME=VALUE shows others' text.txt
expect '<desc>e; e_got; flores, hunt-crossley</desc>' grid.svg
run_carom 0 plot grid.db peak --against K --where e=0.6 -o k.svg
[ ! -s text.txt ] || { complain "something is said where nothing was chosen"; cat text.txt; }
expect '<desc>K; peak [N]; flores, hunt-crossley</desc>' k.svg
run_carom 0 plot grid.db --list
expect 'quantity   peak [N]' text.txt
# equal tables give equal figures
run_carom 0 sweep grid.yaml -o again.db --jobs 1 --quiet
run_carom 0 plot again.db peak --against K --where e=0.6 -o again.svg
cmp k.svg again.svg || complain "the figure of an equal table differs"

# ---- a contour has the colours' axis ----
run_carom 0 plot grid.db peak --as contour --where law=flores -o contour.svg
expect '<desc>e; K; peak [N]; runs</desc>' contour.svg
run_carom 0 plot grid.db peak --as contour --where law=flores -o contour.pdf
run_carom 0 plot grid.db e_got --as bars --where e=0.6 --where K=1e9 -o bars.svg
expect '<desc>e_got' bars.svg

# ---- words alone are bars, random runs are points ----
study words grid '  law: [flores, hunt-crossley, hertz]'
run_carom 0 plot words.db
study random '{type: sobol, count: 16}' '  e: {from: 0.3, to: 0.9}
  K: {from: 1e9, to: 1e10, scale: log}'
run_carom 0 plot random.db -o random.png
refuse_command 2 'a contour is drawn of a grid' plot random.db --as contour
refuse_command 2 'saltelli' plot random.db --as sensitivity

# ---- sensitivity: the restitution follows e alone, the peak mostly K ----
study saltelli '{type: saltelli, count: 32}' '  e: {from: 0.6, to: 0.9}
  K: {from: 1e9, to: 1e10, scale: log}'
run_carom 0 plot saltelli.db
expect 'e_got: total and first-order index, with 95 % intervals, of 32 samples' text.txt
awk '/^e_got/ { quantity = 1 } /^peak/ { quantity = 2 }
    quantity == 1 && $1 == "e" && ($2 < 0.9 || $2 > 1.1) { bad = 1 }
    quantity == 1 && $1 == "K" && $2 > 1e-6 { bad = 1 }
    quantity == 2 && $1 == "K" && $2 < 0.9 { bad = 1 }
    END { exit bad }' text.txt || { complain "the indices"; cat text.txt; }
study morris '{type: morris, count: 4}' '  e: {from: 0.6, to: 0.9}
  K: {from: 1e9, to: 1e10, scale: log}'
run_carom 0 plot morris.db e_got -o morris.svg
expect 'mu* and sigma' text.txt

# ---- what is wrong ----
refuse_command 2 "no quantity 'e_gott'; did you mean 'e_got'" plot grid.db e_gott
refuse_command 2 "no parameter 'KK'; did you mean 'K'" plot grid.db --where KK=1
refuse_command 2 "has no value 'hertz'" plot grid.db --where law=hertz
refuse_command 2 'no run has these values' plot grid.db --where e=0.31
refuse_command 2 'has words' plot grid.db --against law
refuse_command 2 '--as takes' plot grid.db --as pie
refuse_command 2 'ends in none of' plot grid.db -o figure.gif
refuse_command 2 'leave --where out' plot saltelli.db --where e=0.6046875
finish 'figures of sweeps'
