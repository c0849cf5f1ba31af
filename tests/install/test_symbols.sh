#!/bin/sh
# The shared libraries show what the public headers declare and nothing else, each what its own headers declare, and
# libcarom links neither HDF5 nor cairo nor zlib.
set -eu
command -v nm >/dev/null 2>&1 || { echo "nm is not installed"; exit 77; }

# Names of the functions that a public header declares, headers within included.
declared()
{
    echo "#include <carom/$1>" | "$CC" -std=c17 -I"$CAROM_SOURCE_DIR/include" -D'__attribute__(x)=' -E -P -x c - | awk '
        { text = text " " $0 }
        END {
            n = length(text)
            for (k = 1; k <= n; k++) {
                c = substr(text, k, 1)
                if (c == "{") depth++
                if (!depth || c == "}") statement = statement (depth ? " " : c)
                if (c == "}") { depth--; if (!depth && statement ~ /static/) statement = "" }
                if (!depth && c == ";") {
                    if (statement !~ /typedef/ && match(statement, /[A-Za-z_0-9]+ *\(/)) {
                        name = substr(statement, RSTART, RLENGTH - 1)
                        if (name ~ /^carom_/) print name
                    }
                    statement = ""
                }
            }
        }' | sort -u
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
declared carom.h >"$work/carom"
declared io.h | comm -23 - "$work/carom" >"$work/carom-io"
status=0
for name in carom carom-io; do
    [ -s "$work/$name" ] || { echo "no declarations of lib$name were found"; exit 1; }
    library=$CAROM_BUILD_DIR/lib$name.so
    nm -D --defined-only "$library" | awk '{ print $NF }' | grep -v '^__\(asan\|odr\|ubsan\|tsan\)' | sort -u >"$work/shown"
    comm -13 "$work/$name" "$work/shown" | sed "s/^/lib$name shows what no public header declares: /" >"$work/wrong"
    comm -23 "$work/$name" "$work/shown" | sed "s/^/declared, but not in lib$name (CAROM_API?): /" >>"$work/wrong"
    cat "$work/wrong"
    [ ! -s "$work/wrong" ] || status=1
    echo "lib$name: $(wc -l <"$work/$name") functions"
done
if readelf -d "$CAROM_BUILD_DIR/libcarom.so" | grep NEEDED | grep -E 'hdf5|cairo|libz\.'; then
    echo "libcarom links what belongs to libcarom-io"
    status=1
fi
exit $status
