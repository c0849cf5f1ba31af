#!/bin/sh
# docs/model-format.md, section 13: its files run as they stand there, and results need none of them; examples/machines.
set -u
. "$CAROM_SOURCE_DIR/tests/support/cli.sh"
page=$CAROM_SOURCE_DIR/docs/model-format.md

awk '/^<!-- file: / {name = $3; next} /^```/ {if (inside) {inside = 0; name = ""} else if (name) inside = 1; next}
     inside {print > name}' "$page"
run_carom 0 run machine.yaml
expect "completed" text.txt
rm leg.yaml lift.csv machine.yaml
run_carom 0 export carom-out/machine.h5 --output motion.csv
expect "output.left_bend" motion.csv
expect "body.ball_5" motion.csv
run_carom 0 report carom-out/machine.h5 --output page.html

# ---- examples/machines ----

cp "$CAROM_SOURCE_DIR"/examples/machines/*.yaml .
for model in two_legs planets lattice; do
    run_carom 0 run "$model.yaml"
    refuse "warning" text.txt
done
run_carom 0 export carom-out/planets.h5 --channels output.ratio --output ratio.csv
[ "$(tail -1 ratio.csv | awk -F, '{print ($2 > 3.6666 && $2 < 3.6668)}')" = 1 ] || complain "ratio: $(tail -1 ratio.csv)"
finish
