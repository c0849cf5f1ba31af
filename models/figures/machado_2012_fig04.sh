#!/bin/sh
# Machado et al. 2012, Fig. 4: the spheres of Fig. 3 by Hertz's law and by that of Hunt and Crossley with a
# restitution of 0.7: (a) force and indentation over time, (b) force over indentation, (c) phase portrait. To check:
# with damping the curve of the force is not symmetric, the loop encloses the energy lost, the force begins and ends
# at zero and is never tensile.
. "$(dirname "$0")/setup.sh"
vary two_spheres.yaml law hertz,hunt-crossley --set e=0.7
labels="hertz,hertz,hunt-crossley,hunt-crossley"
overlay a contact.hit.force contact.hit.indentation --impact 1 --y-label force --y2-label indentation
labels=
overlay b --loop hit --impact 1 --x-label indentation --y-label force
overlay c --phase hit --impact 1 --x-label indentation --y-label rate
