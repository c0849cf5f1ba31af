#!/bin/sh
# Machado et al. 2012, Fig. 5: the spheres of Fig. 3 by four laws, restitution 0.7: (a) force over indentation, (b)
# phase portrait. To check: the peak force of Hunt and Crossley lies between those of Lee and Wang, the highest, and
# of Herbert and McWhannell, who lose most energy and leave slowest.
. "$(dirname "$0")/setup.sh"
vary two_spheres.yaml law hertz,hunt-crossley,herbert-mcwhannell,lee-wang --set e=0.7
overlay a --loop hit --impact 1 --x-label indentation --y-label force
overlay b --phase hit --impact 1 --x-label indentation --y-label rate
