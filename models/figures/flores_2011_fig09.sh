#!/bin/sh
# Flores et al. 2011, Fig. 9: ball on a table that moves up and down, three damped laws with restitutions of (a) 0.9,
# (b) 0.6, (c) 0.3. To check: after finitely many impacts the ball stays on the table, with Flores et al. soonest.
STYLE=${STYLE:-double-column}
. "$(dirname "$0")/setup.sh"
for panel in a=0.9 b=0.6 c=0.3; do
    vary moving_table.yaml law hunt-crossley,lankarani-nikravesh,flores --set e=${panel#*=}
    overlay ${panel%=*} body.ball.position.y --y-label "height of the ball"
done
