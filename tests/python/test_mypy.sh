#!/bin/sh
# Types of the Python package, its tests and examples by mypy.
. "$CAROM_SOURCE_DIR/tests/python/package.sh"
command -v mypy >/dev/null 2>&1 || skip "mypy is not installed"
cache=$PWD/cache
cd "$CAROM_SOURCE_DIR/python"
MYPYPATH=$PWD:$PWD/tests
export MYPYPATH

check()
{
    mypy --strict --ignore-missing-imports --python-executable "$python" --cache-dir "$cache" carom tests examples/*.py
}

status=0
check || status=$?
# mypy stumbles over what it has kept of modules that were renamed
if [ "$status" -gt 1 ]; then
    rm -rf "$cache"
    status=0
    check || status=$?
fi
exit "$status"
