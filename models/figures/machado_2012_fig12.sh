#!/bin/sh
# Machado et al. 2012, Fig. 12: contact force in the knee by five laws, (a) over time, (b) over the indentation. To
# check: Hertz makes the force oscillate, Flores et al. hardly; Flores et al. give higher forces than Lankarani and
# Nikravesh; the contact is essentially continuous.
STYLE=${STYLE:-double-column}
. "$(dirname "$0")/setup.sh"
vary knee.yaml law hertz,hunt-crossley,lankarani-nikravesh,gonthier,flores
overlay a contact.knee.force --y-label "contact force" $many
overlay b contact.knee.force --against contact.knee.indentation --x-range 0:3*mm --x-label indentation \
    --y-label "contact force" $many
