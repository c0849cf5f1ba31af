#!/bin/sh
# Machado et al. 2012, Fig. 7: damping factor of seven laws over the restitution, stiffness and impact velocity one.
# To check: all are close at high restitutions; Lee and Wang damp least; Gonthier et al. and Flores et al. grow
# without bound towards 0.
. "$(dirname "$0")/setup.sh"
impacts factor-figure "" --stiffness 1 --speed 1 --mass 1 --restitution 0.1:1:0.01 \
    --laws hunt-crossley,herbert-mcwhannell,lee-wang,lankarani-nikravesh,gonthier,zhiying-qishao,flores
