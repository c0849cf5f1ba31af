#!/bin/sh
# Shapes that are alike but for their scale share their points in a page: thirty spheres take no more room than one.
set -u
. "$(dirname "$0")/../support/cli.sh"

# spheres COUNT: a page with so many, of as many radii.
spheres()
{
    cat >"of$1.yaml" <<EOF
carom: 1
dimension: 3
bodies: {ball: {copies: $1, mass: 1, inertia: [1, 1, 1], at: [copy, 0, 0]}}
shapes: {skin: {copies: $1, type: sphere, on: ball_\$copy, radius: 0.1 + 0.01*copy}}
run: {until: 0.01}
EOF
    run_carom 0 run "of$1.yaml" -q -o .
    wc -c <"of$1.html"
}

one=$(spheres 1)
many=$(spheres 30)
# the list of bodies and their rows take 0.4 kB each, points of their own 1.6 kB
[ $((many - one)) -lt 25000 ] || complain "30 spheres of differing radii: a page of $many bytes, $one of one sphere"

finish 'spheres of all radii share their points'
