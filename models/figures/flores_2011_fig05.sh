#!/bin/sh
# Flores et al. 2011, Fig. 5: ball that falls on the ground from 1 m, restitution 0.9: (a) position, (b) velocity. To
# check: each jump is lower than the one before, and the time between contacts becomes shorter.
. "$(dirname "$0")/setup.sh"
simulate bouncing_ball.yaml --set law=flores --set e=0.9
draw a body.ball.position.y --y-label height
draw b body.ball.velocity.y --y-label velocity
