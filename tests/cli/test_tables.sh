#!/bin/sh
# Comma-separated values of compare and impact, and the impacts and rests of a result: the numbers of their JSON and files.
set -u
. "$CAROM_SOURCE_DIR/tests/support/cli.sh"
model=$CAROM_MODELS/bouncing_ball.yaml

set -- impact --laws flores,hertz --mass 1 --speed 0.5 --restitution 0.7 --stiffness 1e8
run_carom 0 "$@" --csv
cp text.txt impact.csv
expect 'law,mass [kg],v_in [m/s],e_asked,v_out [m/s],e_got,peak_force [N],max_indentation [m],duration [s],energy_lost [J],tension,method' impact.csv
lines 3 impact.csv
run_carom 0 "$@" --json
[ "$(sed -n 's/.*"peak_force": \([^,]*\),.*/\1/p' text.txt | head -1)" = "$(awk -F, 'NR == 2 { print $7 }' impact.csv)" ] || complain "peak of CSV and JSON differ"

run_carom 0 compare "$model" --vary e=0.5,0.8 --until 0.6 --no-report --csv
cp text.txt compare.csv
lines 3 compare.csv
head -1 compare.csv | grep -q '^e,impacts,contact,onset \[s\],v_in \[m/s\],' || { complain "head:"; head -1 compare.csv; }
grep -q '^0.5,.*,completed$' compare.csv || { complain "rows:"; cat compare.csv; }
refuse_command 2 'two formats' compare "$model" --vary e=0.5,0.8 --csv --json

run_carom 0 run "$model" --until 0.6 --no-report --json
cp text.txt run.json
run_carom 0 export carom-out/bouncing_ball.h5 --table impacts -o impacts.csv
head -1 impacts.csv | grep -q '^contact,contact_index,onset \[s\],duration \[s\],' || { complain "head:"; head -1 impacts.csv; }
first=$(awk -F, 'NR == 2 { print $3 }' impacts.csv)
grep -q "\"onset\": $first" run.json || complain "the onset $first is not that of the run"
run_carom 0 export carom-out/bouncing_ball.h5 --table rests
head -1 text.txt | grep -q '^contact,' || complain "rests have no head"
refuse_command 2 "unknown table 'ledger'" export carom-out/bouncing_ball.h5 --table ledger
refuse_command 2 'MAT-file' export carom-out/bouncing_ball.h5 --table impacts --mat
finish
