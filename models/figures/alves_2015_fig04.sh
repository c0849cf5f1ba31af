#!/bin/sh
# Alves et al. 2015, Fig. 4: phase portrait of two equal spheres by the eight laws of its panels (a) to (h) in one
# picture, restitution 0.7. To check: all begin at 0.3 m/s; Gharib and Hurmuzlu leave slowest; Herbert and McWhannell,
# Gonthier et al., Zhiying and Qishao and Flores et al. leave with about -0.2 m/s.
. "$(dirname "$0")/setup.sh"
vary two_spheres.yaml law \
    hunt-crossley,herbert-mcwhannell,lee-wang,lankarani-nikravesh,gonthier,zhiying-qishao,flores,gharib-hurmuzlu \
    --set e=0.7
overlay "" --phase hit --impact 1 --x-label indentation --y-label rate $many
