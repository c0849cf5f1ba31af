#!/bin/sh
# Every public header can be included alone, by C and, where there is a compiler, by C++, without a warning.
set -eu
cd "$CAROM_SOURCE_DIR/include"
status=0
for header in carom/*.h; do
    echo "#include <$header>" | "$CC" -std=c17 -pedantic -Wall -Wextra -Werror -I. -fsyntax-only -x c - || status=1
    if command -v c++ >/dev/null 2>&1; then
        echo "#include <$header>" | c++ -std=c++17 -pedantic -Wall -Wextra -Werror -I. -fsyntax-only -x c++ - || status=1
    fi
done
exit $status
