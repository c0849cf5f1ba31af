#!/bin/sh
# Alves et al. 2015, Fig. 9: force over time of a steel ball on specimen C2 at 0.5 m/s, by the eight laws of its
# panels (a) to (h) in one picture. To check: the peak forces of Table 4; measured was 4364.6 N. The curves measured
# are not printed as numbers.
. "$(dirname "$0")/setup.sh"
vary specimens.yaml law \
    hertz,hunt-crossley,herbert-mcwhannell,lee-wang,lankarani-nikravesh,gonthier,zhiying-qishao,flores \
    --set specimen=C2 --set speed=0.5 --set e=0.757
overlay "" contact.hit.force --impact 1 --y-label force $many
