#!/bin/sh
# Autiero et al. 2022, Fig. 6: constant of the damping of Tsuji et al. over the restitution that a free impact returns,
# as numbers in FOLDER/autiero_2022_fig06.csv. To check: 0 at a restitution of 1, towards sqrt(5) at 0; between them
# sqrt(5) zeta with zeta = -ln(e)/sqrt(pi^2 + ln(e)^2).
. "$(dirname "$0")/setup.sh"
echo "restitution,constant" >"$folder/$name.csv"
for alpha in 0 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1 1.1 1.2 1.3 1.4 1.5 1.6 1.7 1.8 1.9 2 2.1; do
    "$CAROM" impact --law tsuji --alpha $alpha --mass 1 --stiffness 1e6 --speed 1 --release raw --json \
        2>"$data/notes.txt" |
        sed -n "s/.*\"e_got\": \([0-9.e+-]*\).*/\1,$alpha/p" >>"$folder/$name.csv"
done
