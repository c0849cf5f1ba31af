#!/bin/sh
# `carom explain` knows every key of model files, every channel, every column of the tables and every term of the ledger.
set -u
. "$CAROM_SOURCE_DIR/tests/support/cli.sh"

# each row of the generated tables has a page that begins with it: TABLE COLUMN-PREFIX
explain_all()
{
    "$CAROM_EXECUTABLE" list "$1" | sed -n 's/^| `\([^`]*\)`.*/\1/p' | sort -u >names.txt
    [ -s names.txt ] || complain "no names of $1"
    sed "s/^/$2/" names.txt >paths.txt
    # shellcheck disable=SC2046
    "$CAROM_EXECUTABLE" explain $(cat paths.txt) >pages.txt 2>error.txt || complain "$1: $(cat error.txt)"
    while read -r path; do
        grep -qF -- "$path (" pages.txt || complain "no page of $path"
    done <paths.txt
}
explain_all channels ""
explain_all impacts impacts.
explain_all rests rests.
explain_all ledger ledger.

# keys: the headings of the reference page are mappings, the rows below them keys
"$CAROM_EXECUTABLE" list keys | awk '/^## Kinds/ { exit } /^### / { path = $0; sub("^### ", "", path); if (path == "top level") path = ""; else path = path "." }
    /^\| `/ { name = $2; gsub("`", "", name); print path name }' >keys.txt
[ "$(wc -l <keys.txt)" -gt 150 ] || complain "few keys"
# shellcheck disable=SC2046
"$CAROM_EXECUTABLE" explain $(cat keys.txt) >pages.txt 2>error.txt || complain "keys: $(cat error.txt)"

run_carom 0 explain contacts.hit.normal.restitution
expect "every normal force" text.txt
run_carom 0 explain run.output.every
expect "> 0" text.txt
refuse_command 2 "did you mean 'until'?" explain run.untill
refuse_command 2 "did you mean 'indentation'?" explain indentaton

finish "$(wc -l <keys.txt) keys are explained"
