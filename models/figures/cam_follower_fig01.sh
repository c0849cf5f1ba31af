#!/bin/sh
# Cam and follower: (a) force on the roller below the critical speed of 77.4 rad/s, (b) indentation above it, negative
# the gap. To check: the force is smooth, at 77 rad/s it nearly reaches zero; at 80 the roller lifts a little, at 100 it
# flies twice a turn.
. "$(dirname "$0")/setup.sh"
vary cam_follower.yaml omega 60,77 --set duration=0.06
overlay a contact.touch.force --y-label force
vary cam_follower.yaml omega 80,90,100 --set duration=0.1
overlay b contact.touch.indentation --y-label indentation
