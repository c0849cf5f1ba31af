#!/bin/sh
# The Python package by pytest: python/tests.
. "$CAROM_SOURCE_DIR/tests/python/package.sh"
needs pytest python3-pytest

exec "$python" -m pytest -q -W error -p no:cacheprovider --rootdir "$CAROM_SOURCE_DIR/python/tests" \
    "$CAROM_SOURCE_DIR/python/tests"
