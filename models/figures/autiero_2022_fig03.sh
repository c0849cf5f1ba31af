#!/bin/sh
# Autiero et al. 2022, Fig. 3: transition function T2 of Lee and Wang's second damping for q = 2, 3 and 4, over the
# indentation; the transition is 1 mm wide. To check: it begins at exp(-2q) and is 1 beyond the transition.
. "$(dirname "$0")/setup.sh"
simulate figures/transition_function.yaml
draw "" contact.q2.damping contact.q3.damping contact.q4.damping --against contact.q2.indentation \
    --labels "q = 2,q = 3,q = 4" --x-label indentation --y-label "T2"
