#!/bin/sh
# Figure 13: friction over normal force of the feet of the hexapod (models/hexapod.yaml), (a) of legs 1, 3, 5 and (b) of
# 2, 4, 6. To check: below the kinetic coefficient 0.5 in the middle of a stance, up to the static one, 0.6, where the
# tripods change.
. "$(dirname "$0")/setup.sh"
simulate hexapod.yaml
draw a output.ratio_1 output.ratio_3 output.ratio_5 --y-label "friction over normal force" $many
draw b output.ratio_2 output.ratio_4 output.ratio_6 --y-label "friction over normal force" $many
