#!/bin/sh
# Machines of many bodies: results of thousands of channels are written and reported, the page keeps its size, equal shapes
# share a mesh and are drawn at once, lists show what is searched for. The packages of npm are in $CAROM_NODE_MODULES.
set -u
failures=0
here=$CAROM_SOURCE_DIR/tests/viewer

complain()
{
    echo "FAILED: $1"
    failures=$((failures + 1))
}

case "$CAROM_C_FLAGS" in
*-fsanitize*) echo "skipped: the browser is tested without sanitizers"; exit 77 ;;
esac

rm -rf out
for count in 500 2000; do
    only=', channels: [energy]'
    [ "$count" = 500 ] && only=
    sh "$here/many_bodies.sh" "$count" "$only" >"balls_$count.yaml"
    "$CAROM_EXECUTABLE" run -q "balls_$count.yaml" -o out >run.txt 2>&1 || { cat run.txt; complain "$count balls: exit status $?"; }
    size=$(wc -c <"out/balls_$count.html")
    echo "$count balls: $(wc -c <"out/balls_$count.h5") bytes of results, a page of $size"
    [ "$size" -le 7700000 ] || complain "the page of $count balls has $size bytes"
done
grep -q carom-meta out/balls_500.html || { echo "skipped: built without the viewer"; exit $((failures ? 1 : 77)); }

CHROMIUM=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
    { echo "skipped: there is no chromium (package chromium)"; exit $((failures ? 1 : 77)); }
export CHROMIUM
[ -d "$CAROM_NODE_MODULES/playwright-core" ] || { echo "skipped: playwright-core was not fetched"; exit $((failures ? 1 : 77)); }
node "$here/many_bodies.mjs" out/balls_500.html out/balls_2000.html || failures=$((failures + 1))
exit $((failures > 0))
