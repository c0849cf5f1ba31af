#!/bin/sh
# Flores et al. 2011, Fig. 7: restitution found in the first contact of the ball of Fig. 5 over the one asked for,
# three laws. To check: towards 0 Hunt and Crossley and Lankarani and Nikravesh return far more than asked, Flores et
# al. stay close throughout.
. "$(dirname "$0")/setup.sh"
impacts restitution-figure "" \
    --laws hunt-crossley,lankarani-nikravesh,flores --mass 1 --speed 4.2021423 --stiffness 1.4e8
