#!/bin/sh
# Autiero et al. 2022, Fig. 7: permanent indentation by the law of Lankarani and Nikravesh (1994): (a) force, (b)
# indentation over time; drawn for two spheres with a restitution of 0.7. To check: the force ends at delta_p =
# delta_m (1 - e^2).
. "$(dirname "$0")/setup.sh"
simulate two_spheres.yaml --set law=lankarani-nikravesh-1994 --set e=0.7
draw a contact.hit.force --impact 1 --y-label force
draw b contact.hit.indentation --impact 1 --y-label indentation
