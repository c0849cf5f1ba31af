#!/bin/sh
# Installs into a fresh folder and builds two programs against it, one with libcarom alone and one with libcarom-io, with
# pkg-config and with find_package, shared and static; runs them all.
set -eu
command -v pkg-config >/dev/null 2>&1 || { echo "pkg-config is not installed"; exit 77; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cmake --install "$CAROM_BUILD_DIR" --prefix "$work/root" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }

# the installed tree must stand alone: headers, libraries, package files and, if built, the program
pc=$(dirname "$(find "$work/root" -name carom.pc)")
test -f "$work/root/include/carom/carom.h"
test -f "$pc/carom-io.pc"
if [ -n "${CAROM_EXECUTABLE:-}" ]; then
    "$work/root/bin/carom" --version
fi

cp "$CAROM_SOURCE_DIR"/tests/install/consumer*.c "$CAROM_SOURCE_DIR/tests/install/CMakeLists.txt" "$work"
version=$(cat "$CAROM_SOURCE_DIR/VERSION")
libdir=$(dirname "$pc")
LD_LIBRARY_PATH=$libdir
PKG_CONFIG_PATH=$pc
export LD_LIBRARY_PATH PKG_CONFIG_PATH
cd "$work"

# check PROGRAM FIRST_LINE HOW LIBRARY: the program prints the line, and loads the shared library, or none for "-"
check()
{
    got=$("$1")
    [ "$got" = "$2" ] || { echo "$1: printed '$got', expected '$2'"; exit 1; }
    if [ "$4" = - ]; then
        ! readelf -d "$1" | grep 'NEEDED.*libcarom' || { echo "$3: $1 is not static"; exit 1; }
    else
        readelf -d "$1" | grep -q "NEEDED.*$4\\.so" || { echo "$3: $1 does not load $4"; exit 1; }
    fi
    echo "$3: $got"
}
physics="carom $version, 1 impact"
io="carom-io $version, 3 rows"

# ---- pkg-config ----

[ "$(pkg-config --modversion carom)" = "$version" ]
[ "$(pkg-config --modversion carom-io)" = "$version" ]
if pkg-config --libs carom | grep -E 'hdf5|cairo|-lz'; then
    echo "carom.pc names what belongs to carom-io.pc"
    exit 1
fi
# shellcheck disable=SC2046,SC2086
{
    $CC $CAROM_C_FLAGS -o pc consumer.c $(pkg-config --cflags --libs carom)
    $CC $CAROM_C_FLAGS -o pc_io consumer_io.c $(pkg-config --cflags --libs carom-io)
    $CC $CAROM_C_FLAGS -o pc_static consumer.c \
        $(pkg-config --static --cflags --libs carom | sed "s#-lcarom\\b#$libdir/libcarom.a#")
    $CC $CAROM_C_FLAGS -o pc_io_static consumer_io.c \
        $(pkg-config --static --cflags --libs carom-io |
          sed "s#-lcarom-io\\b#$libdir/libcarom-io.a#; s#-lcarom\\( \\|\$\\)#$libdir/libcarom.a\\1#")
}
check ./pc "$physics" pkg-config libcarom
check ./pc_io "$io" pkg-config libcarom-io
check ./pc_static "$physics" "pkg-config --static" -
check ./pc_io_static "$io" "pkg-config --static" -

# ---- headers of another version than the library's ----

mkdir old
cp -R root/include/carom old
sed -i 's/VERSION_MAJOR 0/VERSION_MAJOR 7/' old/carom/version.h
# shellcheck disable=SC2046,SC2086
$CC $CAROM_C_FLAGS -Iold -o pc_old consumer.c $(pkg-config --cflags --libs carom)
if ./pc_old >log 2>&1; then
    echo "a library of another major version was accepted"
    exit 1
fi
grep -q "built with the headers of Carom 7\..* library $version;" log || { cat log; exit 1; }
head -n 1 log

# ---- find_package ----

configure()
{
    folder=$1
    shift
    {
        cmake -S . -B "$folder" -DCMAKE_PREFIX_PATH="$work/root" -DCMAKE_C_COMPILER="$CC" \
            -DCMAKE_C_FLAGS="$CAROM_C_FLAGS" "$@" && cmake --build "$folder"
    } >log 2>&1 || { cat log; exit 1; }
}
configure plain
[ ! -e plain/consumer_io ]
check plain/consumer "$physics" find_package libcarom
configure shared -DCOMPONENTS=io
check shared/consumer "$physics" "find_package, io" libcarom
check shared/consumer_io "$io" "find_package, io" libcarom-io
configure static -DCOMPONENTS=io -Dcarom_STATIC=ON
check static/consumer "$physics" "find_package, static" -
check static/consumer_io "$io" "find_package, static" -
if cmake -S . -B wrong -DCMAKE_PREFIX_PATH="$work/root" -DCMAKE_C_COMPILER="$CC" -DCOMPONENTS=nothing >log 2>&1; then
    echo "an unknown component was found"
    exit 1
fi

# ---- the examples, against the installed headers ----

for example in "$CAROM_SOURCE_DIR"/examples/*.c; do
    # shellcheck disable=SC2046,SC2086
    $CC $CAROM_C_FLAGS -std=c17 -D_POSIX_C_SOURCE=200809L -o example "$example" $(pkg-config --cflags --libs carom-io) -lm
done
