#!/bin/sh
# The package is installed by pip, without an index and without isolation; it is imported from its own place and runs a
# model. Debian's package: tests/install/test_packages.sh.
. "$CAROM_SOURCE_DIR/tests/python/package.sh"
unset PYTHONPATH
work=$PWD
rm -rf "$work/env"

# imported FOLDER PYTHON: the package of this folder, not another one
imported()
{
    "$2" - "$1" "$CAROM_MODELS/two_spheres.yaml" <<'END'
import sys
import carom
assert carom.__file__.startswith(sys.argv[1]), carom.__file__
run = carom.load(sys.argv[2], law="flores").run()
assert len(run.impacts) == 1 and run.report().html
print(carom.__version__, carom.__file__)
END
}

if "$python" -c "import pip" 2>/dev/null && "$python" -m venv --without-pip --system-site-packages "$work/env" >"$work/log" 2>&1; then
    "$work/env/bin/python" -m pip install --no-index --no-build-isolation --quiet "$CAROM_SOURCE_DIR" >"$work/log" 2>&1 ||
        { cat "$work/log"; exit 1; }
    imported "$work/env" "$work/env/bin/python"
    "$work/env/bin/python" -m pip uninstall --yes --quiet carom
else
    echo "without pip: python3-venv or python3-pip is not installed"
fi
