#!/bin/sh
# Alves et al. 2015, Fig. 2: damping factor over the restitution of the laws that have one, stiffness over impact
# velocity one. To check: Lee and Wang damp least; Gharib and Hurmuzlu stay apart at high restitutions; Gonthier et
# al., Flores et al. and Gharib and Hurmuzlu grow without bound towards 0. Marhefka and Orin stand with Hunt and
# Crossley, Zhang and Sharf with Gonthier et al.
. "$(dirname "$0")/setup.sh"
impacts factor-figure "" --stiffness 1 --speed 1 --mass 1 --restitution 0.1:1:0.01 --laws \
    hunt-crossley,herbert-mcwhannell,lee-wang,lankarani-nikravesh,gonthier,zhiying-qishao,flores,gharib-hurmuzlu
