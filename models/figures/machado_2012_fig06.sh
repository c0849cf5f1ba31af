#!/bin/sh
# Machado et al. 2012, Fig. 6: the spheres of Fig. 3 by six laws, restitution 0.7: (a) force over indentation, (b)
# phase portrait. To check: Hunt and Crossley are near Lankarani and Nikravesh; Gonthier et al., Zhiying and Qishao
# and Flores et al. are near each other.
. "$(dirname "$0")/setup.sh"
vary two_spheres.yaml law hertz,hunt-crossley,lankarani-nikravesh,gonthier,zhiying-qishao,flores --set e=0.7
overlay a --loop hit --impact 1 --x-label indentation --y-label force $many
overlay b --phase hit --impact 1 --x-label indentation --y-label rate $many
