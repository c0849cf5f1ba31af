#!/bin/sh
# The models that `carom new` writes pass their check and run as they are; nothing is replaced unasked.
set -u
. "$CAROM_SOURCE_DIR/tests/support/cli.sh"

rm -f ./*.yaml
run_carom 0 new
kinds=$(sed '/^$/,$d' text.txt | cut -d ' ' -f 1)
[ "$(echo "$kinds" | wc -l)" -ge 9 ] || complain "few models"
for kind in $kinds; do
    run_carom 0 new "$kind"
    run_carom 0 check "$kind.yaml"
    case $kind in
    balls) until=0.02 ;;
    box) until=0.4 ;;
    clearance) until=0.02 ;;
    cam | gears) until=0.03 ;;
    four-bar) until=0.1 ;;
    impact) until=1e-3 ;;
    *) until=0.5 ;;
    esac
    run_carom 0 run "$kind.yaml" --until $until --no-results --json
    grep -q '"status": "completed"' text.txt || complain "$kind does not complete"
    # all but the linkage and the cam at its speed have impacts
    case $kind in
    four-bar | cam) ;;
    *) grep -q '"v_in"' text.txt || complain "$kind has no impact" ;;
    esac
done
refuse_command 2 "exists" new impact
run_carom 0 new impact --force
run_carom 0 new impact -o other.yaml
cmp -s impact.yaml other.yaml || complain "another name, another text"
refuse_command 2 "did you mean 'pendulum'?" new pendulm
refuse_command 4 "cannot be written" new impact -o no-such-folder/impact.yaml

finish "the models to start from run"
