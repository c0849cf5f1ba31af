#!/bin/sh
# Models that a designer might write badly: each is right, or answered by a sentence with the name and what helps. The first lines of a model
# say what is expected: `# run: STATUS`, `# says: TEXT` of that run, `# check: TEXT` of carom check, `# number: KEY OP VALUE` of its JSON.
set -u
. "$CAROM_SOURCE_DIR/tests/support/cli.sh"

# number FILE KEY OP VALUE: the first number of that key in a JSON file
number()
{
    value=$(sed -n "s/.*\"$2\": \([0-9.e+-]*\),*\$/\1/p" "$1" | head -1)
    awk -v a="$value" -v b="$4" -v op="$3" 'BEGIN { exit !(a != "" && (op == "<" ? a + 0 < b + 0 : a + 0 > b + 0)) }' ||
        complain "$model: $2 is '$value', not $3 $4"
}

for model in "$CAROM_SOURCE_DIR"/tests/designer/*.yaml; do
    status=$(sed -n 's/^# run: //p' "$model")
    if [ -n "$status" ]; then
        run_carom "$status" run "$model" --no-results
        cat error.txt >>text.txt
        sed -n 's/^# says: //p' "$model" | while IFS= read -r text; do
            grep -qF -- "$text" text.txt || { echo "$model: '$text' is missing from:"; cat text.txt; }
        done >missing.txt
        [ ! -s missing.txt ] || { cat missing.txt; complain "$model"; }
        [ "$status" != 0 ] || "$CAROM_EXECUTABLE" run "$model" --no-results --json >run.json
        sed -n 's/^# number: //p' "$model" >numbers.txt
        while read -r key op value; do
            number run.json "$key" "$op" "$value"
        done <numbers.txt
    fi
    text=$(sed -n 's/^# check: //p' "$model")
    [ -z "$text" ] && continue
    run_carom 0 check "$model"
    expect "$text" text.txt
done
finish "each model is right, or answered"
