#!/bin/sh
# Flores et al. 2011, Fig. 6: first contact of the ball of Fig. 5 with restitutions from 1.0 to 0.2: (a) indentation,
# (b) its rate and (c) force over time, (d) force over indentation. To check: less restitution means less indentation,
# a longer contact and a larger loop; the peak force falls down to a restitution of 0.69 only, below it rises again.
. "$(dirname "$0")/setup.sh"
vary bouncing_ball.yaml e 1.0,0.8,0.6,0.4,0.2 --set law=flores
overlay a contact.bounce.indentation --impact 1 --y-label indentation
overlay b contact.bounce.indentation_rate --impact 1 --y-label rate
overlay c contact.bounce.force --impact 1 --y-label force
overlay d --loop bounce --impact 1 --x-label indentation --y-label force
