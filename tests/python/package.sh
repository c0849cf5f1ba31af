# What the tests of the Python package begin with: sourced. Skips where it was not built, and under the sanitizers, whose
# run-time library is not that of the interpreter.
set -eu

skip()
{
    echo "skipped: $1"
    exit 77
}

case ${CAROM_C_FLAGS:-} in *-fsanitize*) skip "the Python package is tested without sanitizers" ;; esac
package=$CAROM_BUILD_DIR/python
[ -f "$package/carom/_carom.abi3.so" ] ||
    skip "the Python package was not built: it needs python3-dev, python3-cffi and python3-numpy"
python=$CAROM_PYTHON
PYTHONPATH=$package
PYTHONDONTWRITEBYTECODE=1
export PYTHONPATH PYTHONDONTWRITEBYTECODE

# needs MODULE PACKAGE: skips where the interpreter has no such module
needs()
{
    "$python" -c "import $1" 2>/dev/null || skip "$2 is not installed"
}
