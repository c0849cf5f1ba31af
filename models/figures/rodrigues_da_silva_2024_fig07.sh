#!/bin/sh
# Rodrigues da Silva et al. 2024, Fig. 7: force over indentation of (a) Hooke's law, (b) Hertz's law, (c) the law of
# Kelvin and Voigt, (d) that of Hunt and Crossley; the paper gives no numbers. To check: (a) and (b) lose nothing; (c)
# jumps at the onset and pulls at the end; (d) does neither.
. "$(dirname "$0")/setup.sh"
impacts loop a --law hooke --stiffness 2e7 --mass 0.046 --speed 0.3
impacts loop b --law hertz --stiffness 5.5e9 --mass 0.046 --speed 0.3
impacts loop c --law kelvin-voigt --stiffness 2e7 --damping 200 --release raw --mass 0.046 --speed 0.3
impacts loop d --law hunt-crossley --stiffness 5.5e9 --restitution 0.7 --mass 0.046 --speed 0.3
