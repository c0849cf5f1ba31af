#!/bin/sh
# Figure 12: normal force over indentation in the first impact of foot 2 of the hexapod (models/hexapod.yaml). To check:
# a loop, which loses energy.
. "$(dirname "$0")/setup.sh"
simulate hexapod.yaml --set record=every-step --until 0.04
draw "" contact.foot_2.force --against contact.foot_2.indentation --x-label indentation --y-label "normal force"
