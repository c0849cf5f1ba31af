#!/bin/sh
# Report pages in a real browser: the page of a ninth of the models, picked by the commit's hash, and that of the
# slider-crank with a block (of every model with CAROM_TEST_ALL=1), opens from the disk without a message and without the
# network, plays, jumps to the second impact, shows a channel, downloads CSV and SVG, at the size of a desk or of a phone
# by turns, the slider-crank and all of CAROM_TEST_ALL=1 at both; one page without WebGL; several runs in one page; the page
# of a run that was killed. A visit is ten seconds of work, most of it WebGL without a graphics card. The packages of npm
# are in $CAROM_NODE_MODULES.
set -u
failures=0

case "$CAROM_C_FLAGS" in
*-fsanitize*) echo "skipped: the browser is tested without sanitizers"; exit 77 ;;
esac
CHROMIUM=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
    { echo "skipped: there is no chromium (package chromium)"; exit 77; }
export CHROMIUM
[ -d "$CAROM_NODE_MODULES/playwright-core" ] || { echo "skipped: playwright-core was not fetched"; exit 77; }

browse() { node "$CAROM_SOURCE_DIR/tests/viewer/browser.mjs" "$@" || failures=$((failures + 1)); }

rm -rf out
mkdir out
. "$CAROM_SOURCE_DIR/tests/support/commit.sh"
part=$((0x${commit:-0} % 9))
[ "${CAROM_TEST_ALL:-0}" = 0 ] && [ -n "$commit" ] || part=all
echo "models: part $part of 0 to 8; CAROM_TEST_ALL=1 takes all"
ls "$CAROM_MODELS"/*.yaml | awk -v part="$part" '
    part == "all" || NR % 9 == part || /\/slider_crank_block\.yaml$/' >models.txt
# two at a time; one slip of the stick-slip model is enough
<models.txt xargs -P 2 -I MODEL sh -c '
    case $1 in */lugre_stick_slip.yaml) set -- "$1" --set duration=2 ;; esac
    name=$(basename "$1" .yaml)
    "$CAROM_EXECUTABLE" run -q "$@" -o out >"out/$name.txt" 2>&1 || { cat "out/$name.txt"; exit 1; }' run MODEL || failures=$((failures + 1))
[ "$(ls out/*.html | wc -l)" -ge "$(wc -l <models.txt)" ] || { echo "FAILED: a report is missing"; failures=$((failures + 1)); }
grep -q carom-meta out/slider_crank_block.html || { echo "skipped: built without the viewer"; exit 77; }

# a page of variants, and one of a run that did not end
"$CAROM_EXECUTABLE" compare "$CAROM_MODELS/slider_crank_block.yaml" --vary law=flores,exact,hertz -q --results variants >run.txt 2>&1 ||
    { cat run.txt; failures=$((failures + 1)); }
"$CAROM_EXECUTABLE" run -q "$CAROM_MODELS/lugre_stick_slip.yaml" --no-report -o killed >run.txt 2>&1 &
sleep 1
kill -9 $!
wait $! 2>/dev/null
"$CAROM_EXECUTABLE" report killed/lugre_stick_slip.h5 >run.txt 2>&1 || { cat run.txt; failures=$((failures + 1)); }

size=--by-turns
[ "$part" != all ] || size=--both
# the page of one of them is audited, that of the slider-crank with a block at any rate
audited=$(awk -v turn="$((0x${commit:-0} / 9))" '{ name[NR] = $0 } END { print name[turn % NR + 1] }' models.txt)
audited=$(basename "$audited" .yaml)
[ "$part" != all ] || audited=all
browse "$size" --both-of slider_crank_block --audit "$audited" out/*.html variants/*.html killed/*.html
browse --no-webgl out/slider_crank_block.html
[ "$(wc -c <out/slider_crank_block.html)" -lt 2000000 ] || { echo "FAILED: the page of the slider-crank is 2 MB or more"; failures=$((failures + 1)); }
exit $((failures > 0))
