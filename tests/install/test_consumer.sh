#!/bin/sh
# Installs into a fresh folder and builds a program against it twice, with pkg-config and with find_package; runs both.
set -eu
command -v pkg-config >/dev/null 2>&1 || { echo "pkg-config is not installed"; exit 77; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cmake --install "$CAROM_BUILD_DIR" --prefix "$work/root" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }

# the installed tree must stand alone: headers, library, package files and, if built, the program
pc=$(find "$work/root" -name carom.pc)
test -f "$work/root/include/carom/context.h"
test -n "$pc"
if [ -n "${CAROM_EXECUTABLE:-}" ]; then
    "$work/root/bin/carom" --version
fi

cp "$CAROM_SOURCE_DIR/tests/install/consumer.c" "$work/consumer.c"
cp "$CAROM_SOURCE_DIR/tests/install/CMakeLists.txt" "$work/CMakeLists.txt"
expected=$(cat "$CAROM_SOURCE_DIR/VERSION")
LD_LIBRARY_PATH=$(dirname "$(dirname "$pc")")
export LD_LIBRARY_PATH

check()
{
    got=$("$1")
    [ "$got" = "carom $expected" ] || { echo "$1: printed '$got', expected 'carom $expected'"; exit 1; }
    echo "$2: $got"
}

# ---- pkg-config ----

PKG_CONFIG_PATH=$(dirname "$pc")
export PKG_CONFIG_PATH
[ "$(pkg-config --modversion carom)" = "$expected" ]
for mode in "" --static; do
    # shellcheck disable=SC2046,SC2086
    $CC $CAROM_C_FLAGS -o "$work/consumer_pc" "$work/consumer.c" $(pkg-config $mode --cflags --libs carom)
    check "$work/consumer_pc" "pkg-config $mode"
done

# ---- find_package ----

{
    cmake -S "$work" -B "$work/build" -DCMAKE_PREFIX_PATH="$work/root" -DCMAKE_C_COMPILER="$CC" \
        -DCMAKE_C_FLAGS="$CAROM_C_FLAGS" && cmake --build "$work/build"
} >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
check "$work/build/consumer" find_package

# ---- the example, against the installed headers ----

if [ -f "$CAROM_SOURCE_DIR/examples/impact.c" ]; then
    # shellcheck disable=SC2046,SC2086
    $CC $CAROM_C_FLAGS -std=c17 -D_POSIX_C_SOURCE=200809L -o "$work/impact" "$CAROM_SOURCE_DIR/examples/impact.c" \
        $(pkg-config --cflags --libs carom)
    (cd "$work" && ./impact)
fi
