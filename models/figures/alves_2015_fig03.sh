#!/bin/sh
# Alves et al. 2015, Fig. 3: force over indentation of two equal spheres by the eight laws of its panels (a) to (h) in
# one picture, restitution 0.7. To check: Lee and Wang have the smallest loop, Gharib and Hurmuzlu the largest; no
# force is tensile.
. "$(dirname "$0")/setup.sh"
vary two_spheres.yaml law \
    hunt-crossley,herbert-mcwhannell,lee-wang,lankarani-nikravesh,gonthier,zhiying-qishao,flores,gharib-hurmuzlu \
    --set e=0.7
overlay "" --loop hit --impact 1 --x-label indentation --y-label force $many
