#!/bin/sh
# models/figures: every script draws, each figure has the curves that it should, and docs/gallery.md shows it; what the
# figures of two laws are to show is checked by numbers.
set -u
. "$CAROM_SOURCE_DIR/tests/support/cli.sh"

scripts=$CAROM_MODELS/figures
export CAROM="$CAROM_EXECUTABLE"

# curves FILE: number of curves in an SVG, told apart by their colours and dashes.
curves() { grep -o 'fill:none;[^"]*stroke-linejoin:round[^"]*' "$1" | sort -u | wc -l; }

rm -rf figures pdf drawn.txt scripts.txt

# a third of the scripts, with sanitizers a quarter and no more than that they run, picked by the commit's hash
. "$CAROM_SOURCE_DIR/tests/support/commit.sh"
turns=3
case "$CAROM_C_FLAGS" in *-fsanitize*) turns=4 ;; esac
[ "${CAROM_TEST_ALL:-0}" = 0 ] || turns=1
number=0
for script in "$scripts"/*_fig*.sh; do
    number=$((number + 1))
    [ $((number % turns)) -eq $((0x${commit:-0} % turns)) ] || continue
    basename "$script" .sh >>scripts.txt
    TURNS=12 COUNT=60 sh "$script" figures >text.txt 2>error.txt || { complain "$script"; cat error.txt; }
done
case "$CAROM_C_FLAGS" in *-fsanitize*) finish ;; esac

# is_drawn SCRIPT: whether it was its turn
is_drawn() { grep -qx "$1" scripts.txt; }

# ---- curves ----

while read -r name wanted; do
    if [ -s "figures/$name.svg" ]; then
        got=$(curves "figures/$name.svg")
        [ "$got" -eq "$wanted" ] || complain "$name: $got curves, not $wanted"
    else
        case $name in
        autiero_2022_fig1[1-6]*) of=autiero_2022_fig11_16 ;;
        *) of=${name%[a-e]} ;;
        esac
        ! is_drawn "$of" || complain "$name: no figure"
    fi
    shown=$(grep -o "gallery/$name\.[a-z]*" "$CAROM_SOURCE_DIR/docs/gallery.md")
    [ -n "$shown" ] && [ -s "$CAROM_SOURCE_DIR/docs/$shown" ] || complain "$name: docs/gallery.md does not show it"
    echo "$name" >>drawn.txt
done <<'LIST'
alves_2015_fig02 8
alves_2015_fig03 8
alves_2015_fig04 8
alves_2015_fig06 8
alves_2015_fig07 8
alves_2015_fig08 8
alves_2015_fig09 8
autiero_2022_fig02 1
autiero_2022_fig03 3
autiero_2022_fig05 1
autiero_2022_fig07a 1
autiero_2022_fig07b 1
autiero_2022_fig11 5
autiero_2022_fig12 5
autiero_2022_fig13 5
autiero_2022_fig14 5
autiero_2022_fig15 5
autiero_2022_fig16a 5
autiero_2022_fig16b 5
autiero_2022_fig16c 5
cam_follower_fig01a 2
cam_follower_fig01b 3
flores_2011_fig02a 1
flores_2011_fig02b 1
flores_2011_fig05a 1
flores_2011_fig05b 1
flores_2011_fig06a 5
flores_2011_fig06b 5
flores_2011_fig06c 5
flores_2011_fig06d 5
flores_2011_fig07 4
flores_2011_fig08 2
flores_2011_fig09a 3
flores_2011_fig09b 3
flores_2011_fig09c 3
gear_backlash_fig01a 3
gear_backlash_fig01b 3
geneva_wheel_fig01a 2
geneva_wheel_fig01b 2
machado_2012_fig03a 2
machado_2012_fig03b 1
machado_2012_fig03c 1
machado_2012_fig04a 4
machado_2012_fig04b 2
machado_2012_fig04c 2
machado_2012_fig05a 4
machado_2012_fig05b 4
machado_2012_fig06a 6
machado_2012_fig06b 6
machado_2012_fig07 7
machado_2012_fig09a 7
machado_2012_fig09b 7
machado_2012_fig10a 7
machado_2012_fig10b 7
machado_2012_fig12a 5
machado_2012_fig12b 5
poured_balls_fig01a 4
poured_balls_fig01b 2
rodrigues_da_silva_2024_fig07a 1
rodrigues_da_silva_2024_fig07b 1
rodrigues_da_silva_2024_fig07c 1
rodrigues_da_silva_2024_fig07d 1
rodrigues_da_silva_2024_fig08a 1
rodrigues_da_silva_2024_fig08b 1
rodrigues_da_silva_2024_fig08c 1
rodrigues_da_silva_2024_fig08d 1
rodrigues_da_silva_2024_fig10a 3
rodrigues_da_silva_2024_fig10b 3
rodrigues_da_silva_2024_fig11a 3
rodrigues_da_silva_2024_fig11b 3
rodrigues_da_silva_2024_fig12 1
rodrigues_da_silva_2024_fig13a 3
rodrigues_da_silva_2024_fig13b 3
four_bar_clearance_fig1a 2
four_bar_clearance_fig1b 2
four_bar_clearance_fig1c 2
four_bar_clearance_fig1d 2
four_bar_clearance_fig1e 2
slider_crank_clearance_fig1a 2
slider_crank_clearance_fig1b 2
slider_crank_clearance_fig1c 2
slider_crank_clearance_fig2a 1
slider_crank_clearance_fig2b 1
LIST
for figure in figures/*.svg; do
    grep -qx "$(basename "$figure" .svg)" drawn.txt || complain "$figure is in no list"
done
for script in "$scripts"/*_fig*.sh; do
    grep -qF "$(basename "$script")" "$CAROM_SOURCE_DIR/docs/gallery.md" || complain "$script: not in docs/gallery.md"
done

# ---- other formats and styles ----

STYLE=slide sh "$scripts/machado_2012_fig03.sh" pdf pdf >text.txt 2>error.txt || { complain "as PDF"; cat error.txt; }
for part in a b c; do
    [ "$(head -c 5 "pdf/machado_2012_fig03$part.pdf")" = "%PDF-" ] || complain "machado_2012_fig03$part.pdf: no PDF"
done

# ---- what the figures are to show ----

# channels SCRIPT MODEL CHANNELS: columns of a result at the solver's steps, without the header.
channels() { "$CAROM" export "figures/results/$1/$2.h5" --csv --group steps --channels "$3" | tail -n +2; }

# the largest friction of each law under 10 N, and that of Ambrosio up to 2 mm/s
! is_drawn rodrigues_da_silva_2024_fig08 || channels rodrigues_da_silva_2024_fig08 friction_laws contact.coulomb.friction.x,contact.threlfall.friction.x,\
contact.bengisu-akay.friction.x,contact.ambrosio.friction.x,contact.ambrosio.slip.x |
    awk -F, '{ for (k = 2; k <= 5; k++) if ($k > top[k]) top[k] = $k }
             $6 > -1.999e-3 && $6 < 1.999e-3 && $5*$5 > slack { slack = $5*$5 }
             function off(x, y) { return x - y > 1e-3 || y - x > 1e-3 }
             END { if (off(top[2], 4) || off(top[3], 3.8009) || off(top[4], 5) || off(top[5], 4) || slack > 0) {
                       print "tops", top[2], top[3], top[4], top[5], "slack", slack; exit 1 } }' ||
    complain "friction over the slip"

# T2 begins at exp(-2q) and ends at 1
! is_drawn autiero_2022_fig03 || channels autiero_2022_fig03 transition_function contact.q2.damping,contact.q3.damping,contact.q4.damping |
    awk -F, 'NR == 1 { for (q = 2; q <= 4; q++) if ($q/exp(-2*q) < 0.999 || $q/exp(-2*q) > 1.001) wrong = 1 }
             { for (q = 2; q <= 4; q++) last[q] = $q }
             END { for (q = 2; q <= 4; q++) if (last[q] < 0.999999 || last[q] > 1.000001) wrong = 1; exit wrong }' ||
    complain "the transition function"

# Tsuji's constant is sqrt(5) zeta(e); the error by the clearance is below 2 %
! is_drawn autiero_2022_fig06 || awk -F, 'NR > 1 && $1 < 1 {
             l = log($1); d = $2 - sqrt(5)*-l/sqrt(9.869604401 + l*l); wrong = wrong || d*d > 1e-12; n++ }
         END { exit wrong || n < 20 }' figures/autiero_2022_fig06.csv || complain "the constant of Tsuji et al."
for panel in a b; do
    ! is_drawn autiero_2022_fig10 || awk -F, 'NR > 1 { wrong = wrong || $2 <= last || $2 > 0.02 || $3 > 0.02; last = $2; n++ }
             END { exit wrong || n < 9 }' "figures/autiero_2022_fig10$panel.csv" ||
        complain "the error of the penetration, $panel"
done

finish "models/figures: $(wc -l <scripts.txt) scripts, all figures as they should be"
