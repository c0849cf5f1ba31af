#!/bin/sh
# Gear pair with backlash (models/gear_backlash.yaml): (a) indentation of the driving flanks over time, with ripples of
# 20, 30 and 60 N m; (b) its rate over it. To check: 20 stays in mesh; 30 leaves the driving flank and falls back on it;
# 60 goes to the backlash of 94 um and no further.
. "$(dirname "$0")/setup.sh"
vary gear_backlash.yaml ripple 20,30,60 --set duration=0.05
labels="always in mesh,single-sided,double-sided"
overlay a contact.mesh.1.indentation --from 0.04 --y-label "indentation of the driving flanks" $many
overlay b contact.mesh.1.indentation_rate --against contact.mesh.1.indentation --from 0.04 \
    --x-label "indentation of the driving flanks" --y-label "its rate" $many
