#!/bin/sh
# Autiero et al. 2022, Fig. 5: indentation over time in a contact of Hertz's type; drawn for two spheres by the law of
# Lankarani and Nikravesh with a restitution of 0.7. To check: compression and restitution, and no indentation left at
# the end.
. "$(dirname "$0")/setup.sh"
simulate two_spheres.yaml --set law=lankarani-nikravesh --set e=0.7
draw "" contact.hit.indentation --impact 1 --y-label indentation
