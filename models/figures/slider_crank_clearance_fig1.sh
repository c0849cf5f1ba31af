#!/bin/sh
# Slider-crank with clearance (models/slider_crank_clearance.yaml): two turns from the start, (a) orbit of the
# journal in its bearing, (b) acceleration of the slider and (c) moment of the crank, beside those of the mechanism
# without clearance. To check: the journal leaves the circle of the clearance only by the indentation of a contact;
# (b) and (c) swing about the ideal ones.
STYLE=${STYLE:-double-column}
. "$(dirname "$0")/setup.sh"
simulate slider_crank_clearance.yaml --set 'every=4*us'
sed '/clearance:/d; /friction:/d' "$models/slider_crank_clearance.yaml" >"$data/ideal.yaml"
"$CAROM" run "$data/ideal.yaml" --quiet --no-report -o "$data"
draw b body.slider.acceleration.x --compare "ideal joint=$data/ideal.h5" --labels "with clearance,ideal joint" \
    --y-label "acceleration of the slider" --legend outside
draw c joint.main.drive --compare "ideal joint=$data/ideal.h5" --labels "with clearance,ideal joint" \
    --y-label "moment of the crank" --legend outside
[ "$STYLE" != double-column ] || STYLE=single-column
draw a joint.wrist.offset.y --against joint.wrist.offset.x --circle clearance=0.5*mm --labels journal,clearance \
    --x-label x --y-label y --size 85x80 --legend outside
