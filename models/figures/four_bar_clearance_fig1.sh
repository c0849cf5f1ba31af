#!/bin/sh
# Four-bar linkage with three clearance joints (models/four_bar_clearance.yaml), one turn of the crank: orbits of
# the journals in (a) B, (b) C, (c) D; (d) angular acceleration of the rocker, without the peaks of the impacts, and
# (e) moment of the crank, beside those of the linkage without clearance. To check: the journals leave the circles
# only by an indentation; (d) and (e) swing about the ideal ones.
STYLE=${STYLE:-double-column}
. "$(dirname "$0")/setup.sh"
simulate four_bar_clearance.yaml --set 'every=20*us'
sed '/clearance:/d' "$models/four_bar_clearance.yaml" >"$data/ideal.yaml"
"$CAROM" run "$data/ideal.yaml" --quiet --no-report -o "$data"
draw d body.rocker.angular_acceleration --compare "ideal joints=$data/ideal.h5" \
    --labels "with clearance,ideal joints" --y-label "angular acceleration of the rocker" --y-range -4000:4000 \
    --legend outside
draw e joint.A.drive --compare "ideal joints=$data/ideal.h5" --labels "with clearance,ideal joints" \
    --y-label "moment of the crank" --legend outside
[ "$STYLE" != double-column ] || STYLE=single-column
for panel in a=B b=C c=D; do
    joint=${panel#*=}
    draw "${panel%=*}" "joint.$joint.offset.y" --against "joint.$joint.offset.x" --circle 0.5*mm \
        --labels "journal $joint,clearance" --x-label x --y-label y --size 85x80 --legend outside
done
