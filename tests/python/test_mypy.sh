#!/bin/sh
# Types of the Python package, its tests and examples by mypy.
. "$CAROM_SOURCE_DIR/tests/python/package.sh"
command -v mypy >/dev/null 2>&1 || skip "mypy is not installed"

mypy --strict --ignore-missing-imports --python-executable "$python" --cache-dir "$PWD/cache" \
    "$CAROM_SOURCE_DIR/python/carom"
cd "$CAROM_SOURCE_DIR/python"
MYPYPATH=$CAROM_SOURCE_DIR/python:$CAROM_SOURCE_DIR/python/tests exec mypy --strict --ignore-missing-imports \
    --python-executable "$python" --cache-dir "$OLDPWD/cache" tests examples/*.py
