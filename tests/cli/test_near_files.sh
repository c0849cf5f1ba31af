#!/bin/sh
# Of a file that is not there the one is named that was meant: near in its name, with another ending, in a folder whose name is
# near; none where none is near.
set -u
. "$CAROM_SOURCE_DIR/tests/support/cli.sh"

mkdir -p models study
cp "$CAROM_MODELS/bouncing_ball.yaml" "$CAROM_MODELS/knee.yaml" models/
: >models/knee.txt
refuse_command 4 "models/knne.yaml: cannot be opened: No such file or directory; did you mean 'models/knee.yaml'?" check models/knne.yaml
refuse_command 4 "did you mean 'models/knee.yaml'?" check models/knee.yml
refuse_command 4 "did you mean 'models/bouncing_ball.yaml'?" check models/bouncing_ball
refuse_command 4 "did you mean 'models/knee.yaml'?" run modles/knee.yaml
refuse_command 4 "No such file or directory; check the name" check models/hexapod.yaml
refuse_command 4 "No such file or directory; check the name" check nowhere/knee.yaml
"$CAROM_EXECUTABLE" run models/bouncing_ball.yaml --until 0.1 --no-report >text.txt
refuse_command 4 "did you mean 'carom-out/bouncing_ball.h5'?" export carom-out/bouncing_bal.h5
refuse_command 2 "unknown option '--outptu'; did you mean '--output'?" run models/knee.yaml --outptu x
refuse_command 2 "unknown command 'exprot'; did you mean 'export'?" exprot
finish
