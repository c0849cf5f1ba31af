#!/bin/sh
# Machado et al. 2012, Fig. 9: slider-crank that hits a free block twice, seven laws: (a) position of the block, (b)
# velocity of the slider. To check: two impacts; Lee and Wang throw the block back fastest; Gonthier et al., Zhiying
# and Qishao and Flores et al. are alike and slowest; the other three lie between, of them Herbert and McWhannell the
# slowest.
STYLE=${STYLE:-double-column}
. "$(dirname "$0")/setup.sh"
vary slider_crank_block.yaml law \
    hunt-crossley,herbert-mcwhannell,lee-wang,lankarani-nikravesh,gonthier,zhiying-qishao,flores
overlay a body.block.position.x --y-label "position of the block" $many
overlay b body.slider.velocity.x --y-label "velocity of the slider" $many
