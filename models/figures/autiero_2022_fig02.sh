#!/bin/sh
# Autiero et al. 2022, Fig. 2: hysteresis of the law of Hunt and Crossley with the material constant alpha; drawn for
# alpha = 0.32 s/m, their largest value, at 1 m/s. To check: the loop begins and ends at the origin.
. "$(dirname "$0")/setup.sh"
impacts loop "" --law hunt-crossley-alpha --alpha 0.32 --mass 0.046 --speed 1 --stiffness 5.5e9
