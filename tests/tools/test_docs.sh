#!/bin/sh
# The lists in the docs are those of the program (tools/generate_docs), and a list that is not is found.
set -eu
tree=$CAROM_SOURCE_DIR
"$tree/tools/generate_docs" "$CAROM_EXECUTABLE" --check

# a copy in which one line is missing is refused, written again, and then right
mkdir -p copy/tools copy/docs
cp "$tree/tools/generate_docs" copy/tools/
cp "$tree/README.md" copy/
cp "$tree"/docs/*.md copy/docs/
grep -v '^| `peak_force`' "$tree/docs/results.md" >copy/docs/results.md
if copy/tools/generate_docs "$CAROM_EXECUTABLE" --check >said.txt; then
    echo "a list without peak_force is not found"
    exit 1
fi
grep -q 'docs/results.md differs' said.txt
copy/tools/generate_docs "$CAROM_EXECUTABLE" >said.txt
cmp copy/docs/results.md "$tree/docs/results.md"

# an option that has no row is found, and a row of an option that there is not
sed 's/`--jobs N`/`--jbos N`/; s/--jobs/--jbos/' "$tree/docs/commands.md" >copy/docs/commands.md
if copy/tools/generate_docs "$CAROM_EXECUTABLE" --check >said.txt; then
    echo "a misspelt option is not found"
    exit 1
fi
grep -q 'carom compare does not name --jobs' said.txt
grep -q 'carom compare has no option --jbos' said.txt
