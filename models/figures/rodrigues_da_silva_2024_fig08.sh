#!/bin/sh
# Rodrigues da Silva et al. 2024, Fig. 8: friction force over the slip: (a) Coulomb, (b) Threlfall, (c) Bengisu and
# Akay, (d) Ambrosio. The paper draws the force on the body that is slid over, here it is the force on the one that
# slides. To check: only Coulomb's jumps; Bengisu and Akay have a peak; Ambrosio has no force at the lowest slip.
. "$(dirname "$0")/setup.sh"
simulate figures/friction_laws.yaml
for panel in a=coulomb b=threlfall c=bengisu-akay d=ambrosio; do
    draw ${panel%=*} contact.${panel#*=}.friction.x --against contact.${panel#*=}.slip.x \
        --x-label slip --y-label "friction force"
done
