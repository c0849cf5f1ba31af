#!/bin/sh
# Autiero et al. 2022, Fig. 10: error of the penetration under 10 kN/mm if the stiffness of the inner track stands for
# that of the outer one, over the clearance of the pin: (a) steel, (b) aluminium; as numbers in
# FOLDER/autiero_2022_fig10a.csv, ...b.csv. To check: in proportion to the clearance, and at most 2 %.
. "$(dirname "$0")/setup.sh"

# penetration LAW E nu R_i R_j: indentation [m] where the force of contacts 1 mm long is 10 kN, between two rows.
penetration()
{
    "$CAROM" force --law "$1" --E_i "$2*GPa" --E_j "$2*GPa" --nu_i "$3" --nu_j "$3" --radius_i "$4*mm" \
        --radius_j "$5*mm" --length 1*mm --delta 0.1*mm:0.8*mm:1*um --json |
        awk -F '[:,]' '/"delta"/ { d = $2 }
            /"force"/ { if ($2 >= 1e4) { printf "%.12g", c + (d - c)*(1e4 - f)/($2 - f); exit } c = d; f = $2 }'
}

for panel in "a 207 0.3" "b 70 0.33"; do
    set -- $panel
    echo "clearance [m],johnson,radzimovsky" >"$folder/$name$1.csv"
    for pin in 7.9 7.5 7 6.5 6 5.5 5 4.5 4; do
        set -- $panel "$(penetration johnson $2 $3 52 $pin)" "$(penetration johnson $2 $3 -68 $pin)" \
            "$(penetration radzimovsky $2 $3 52 $pin)" "$(penetration radzimovsky $2 $3 -68 $pin)"
        awk "BEGIN { print 2*(8 - $pin)*1e-3 \",\" ($5 - $4)/$5 \",\" ($7 - $6)/$7 }" >>"$folder/$name$1.csv"
    done
done
