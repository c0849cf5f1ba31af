#!/bin/sh
# Machado et al. 2012, Fig. 10: force over indentation of the two impacts of Fig. 9: (a) the first, (b) the second. To
# check: Lee and Wang have the smallest loop, Gonthier et al., Zhiying and Qishao and Flores et al. the largest, in
# both impacts.
. "$(dirname "$0")/setup.sh"
vary slider_crank_block.yaml law \
    hunt-crossley,herbert-mcwhannell,lee-wang,lankarani-nikravesh,gonthier,zhiying-qishao,flores
overlay a --loop hit --impact 1 --x-label indentation --y-label force $many
overlay b --loop hit --impact 2 --x-label indentation --y-label force $many
