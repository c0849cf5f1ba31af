#!/bin/sh
# Machado et al. 2012, Fig. 3: two equal spheres by Hertz's law: (a) force and indentation over time, (b) force over
# indentation, (c) phase portrait. To check: the force is never tensile; the spheres meet with 0.3 m/s and part with
# -0.3 m/s.
. "$(dirname "$0")/setup.sh"
simulate two_spheres.yaml --set law=hertz
draw a contact.hit.force contact.hit.indentation --impact 1 --labels force,indentation \
    --y-label force --y2-label indentation
draw b --loop hit --impact 1 --x-label indentation --y-label force
draw c --phase hit --impact 1 --x-label indentation --y-label rate
