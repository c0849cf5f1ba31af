#!/bin/sh
# Alves et al. 2015, Fig. 6: force over time of a steel ball on specimen C1 at 0.094 m/s, by the eight laws of its
# panels (a) to (h) in one picture. The ball falls 0.44 mm and arrives with 0.0929 m/s, at which the printed peaks
# come out. To check: the peak forces of Table 4; measured was 663.0 N. The curves measured are not printed as
# numbers.
. "$(dirname "$0")/setup.sh"
vary specimens.yaml law \
    hertz,hunt-crossley,herbert-mcwhannell,lee-wang,lankarani-nikravesh,gonthier,zhiying-qishao,flores \
    --set specimen=C1 --set drop=0.44*mm --set e=0.974
overlay "" contact.hit.force --impact 1 --y-label force $many
