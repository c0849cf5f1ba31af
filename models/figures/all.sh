#!/bin/sh
# Draws all figures of this folder: all.sh [FOLDER [svg|pdf|png]], with CAROM the program. docs/gallery.md shows them.
set -eu
for script in "$(dirname "$0")"/*_fig*.sh; do
    echo "$(basename "$script" .sh)"
    sh "$script" "$@"
done
