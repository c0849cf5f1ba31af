#!/bin/sh
# Flores et al. 2011, Fig. 8: ball on a table that moves up and down, Hertz's law. To check: it rebounds from every
# impact, and higher than before where the table rises.
STYLE=${STYLE:-double-column}
. "$(dirname "$0")/setup.sh"
simulate moving_table.yaml --set law=hertz
draw "" body.ball.position.y body.table.position.y --labels ball,table --y-label height
