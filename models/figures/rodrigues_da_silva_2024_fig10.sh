#!/bin/sh
# Figure 10: (a) position and (b) velocity of the torso of the hexapod (models/hexapod.yaml). To check: it walks at a
# steady height, and stays on its line.
. "$(dirname "$0")/setup.sh"
simulate hexapod.yaml
draw a body.torso.position.x body.torso.position.y body.torso.position.z --y-label "position of the torso" $many
draw b body.torso.velocity.x body.torso.velocity.y body.torso.velocity.z --y-label "velocity of the torso" $many
