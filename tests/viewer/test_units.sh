#!/bin/sh
# The parts of the result page that need no browser: decoding, decimation, axes, CSV, SVG, tables, clock.
set -u
if ! node -e 'process.exit(Number(process.versions.node.split(".")[0]) >= 18 ? 0 : 1)' 2>/dev/null; then
    echo "skipped: node 18 or later is not installed (package nodejs)"
    exit 77
fi
node --test "$CAROM_SOURCE_DIR"/viewer/test/*.test.mjs >report.txt 2>&1
status=$?
[ "$status" = 0 ] || cat report.txt
exit "$status"
