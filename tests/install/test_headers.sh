#!/bin/sh
# Every public header can be included alone, by C17 and C++17, with gcc and clang where they are installed, without a
# warning.
set -eu
cd "$CAROM_SOURCE_DIR/include"
status=0
tried=
# try COMPILER LANGUAGE STANDARD
try()
{
    command -v "$1" >/dev/null 2>&1 || return 0
    tried="$tried $1"
    for header in carom/*.h; do
        printf '#include <%s>\nextern int carom_nothing;\n' "$header" |
            "$1" -std="$3" -pedantic -Wall -Wextra -Wpedantic -Werror -I. -fsyntax-only -x "$2" - ||
            { echo "$header: refused by $1 -std=$3"; status=1; }
    done
}
try "$CC" c c17
try gcc c c17
try g++ c++ c++17
try clang c c17
try clang++ c++ c++17
echo "tried with:$tried"
exit $status
