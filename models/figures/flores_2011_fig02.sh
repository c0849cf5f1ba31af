#!/bin/sh
# Flores et al. 2011, Fig. 2: course of a contact in general: (a) indentation over time, (b) force over indentation;
# drawn for two spheres with a restitution of 0.7. To check: compression ends at the largest indentation; restitution
# lasts longer.
. "$(dirname "$0")/setup.sh"
simulate two_spheres.yaml --set law=flores --set e=0.7
draw a contact.hit.indentation --impact 1 --y-label indentation
draw b --loop hit --impact 1 --x-label indentation --y-label force
