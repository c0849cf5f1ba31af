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
refuse_command 2 "there is no warning 'W99'; the codes are W01 to W" explain W99
refuse_command 2 "\`carom list warnings\` names them" explain W0
run_carom 0 explain w7
expect "W07 beyond-limit (warning)" text.txt
run_carom 0 explain '[W07]'
expect "W07 beyond-limit (warning)" text.txt
run_carom 0 explain step5 poly
expect "step5(x, x0, h0, x1, h1) (function in expressions)" text.txt
expect "poly(x, x0, a0, a1, ...) (function in expressions)" text.txt
refuse_command 2 "did you mean 'step5'?" explain stpe5
refuse_command 2 "did you mean 'joint.revolute'?" explain joint.revolut
refuse_command 2 "there is no law 'zzz'; \`carom list law\` names them" explain law.zzz
refuse_command 2 "there is nothing called 'm'; try a family" explain m
refuse_command 2 "did you mean 'force'?" explain contact.hit.forc

finish "$(wc -l <keys.txt) keys are explained"
