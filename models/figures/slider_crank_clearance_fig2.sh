#!/bin/sh
# Slider-crank with clearance: Poincare sections at every passage of the crank through 90 degrees, of TURNS turns
# (60) but for the first ten, without friction and with a coefficient of 0.05: (a) acceleration of the slider over
# its velocity, and that of the ideal mechanism, (b) the journal in its bearing. To check: many points without
# friction, one with it.
. "$(dirname "$0")/setup.sh"
turns=${TURNS:-60}
vary slider_crank_clearance.yaml mu 0,0.05 --set "turns=$turns" --tolerance 1e-6
# x'' = w^2 L1^2/sqrt(L2^2 - L1^2) and x' = -w L1 where the crank stands upright
awk 'BEGIN {
    w = 5000*3.14159265358979/30; L1 = 0.05; L2 = 0.12
    print -w*L1, w*w*L1*L1/sqrt(L2*L2 - L1*L1) }' >"$data/ideal.txt"
section="--section joint.main.coordinate=pi/2 --from 0.12 --legend outside"
labels="no friction,friction 0.05,ideal joint"
overlay a body.slider.acceleration.x --against body.slider.velocity.x $section --data "$data/ideal.txt" \
    --x-label "velocity of the slider" --y-label "acceleration of the slider"
labels="no friction,friction 0.05,clearance"
overlay b joint.wrist.offset.y --against joint.wrist.offset.x $section --circle 0.5*mm --x-label x --y-label y \
    --size 85x80
