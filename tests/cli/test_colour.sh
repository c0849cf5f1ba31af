#!/bin/sh
# Colours: none where the output is no terminal, all with --color always, none with NO_COLOR or TERM=dumb on a terminal.
set -u
. "$CAROM_SOURCE_DIR/tests/support/cli.sh"
escape=$(printf '\033')

"$CAROM_EXECUTABLE" new clearance -o model.yaml >text.txt
run_carom 0 check model.yaml
refuse "$escape" text.txt
cp text.txt plain.txt
run_carom 0 check model.yaml --color always
expect "$escape[33mwarning    $escape[0m  contact" text.txt
sed "s/$escape\[[0-9;]*m//g" text.txt | cmp -s - plain.txt || complain "colours change more than colours"
run_carom 0 --color=always list --help
expect "$escape[1mOptions:$escape[0m" text.txt
run_carom 0 impact --law flores --mass 1 --speed 1 --restitution 0.5 --stiffness 1e6 --color=always
expect "$escape[1mlaw " text.txt
run_carom 2 run --color=always
expect "carom: $escape[1;31merror:$escape[0m run: an argument is missing" error.txt
run_carom 2 check model.yaml --color sometimes
expect "--color takes auto, always or never, not 'sometimes'" error.txt
if command -v script >/dev/null; then
    TERM=xterm script -qec "'$CAROM_EXECUTABLE' check model.yaml" /dev/null >seen.txt </dev/null
    expect "$escape[33mwarning" seen.txt
    TERM=xterm NO_COLOR=1 script -qec "'$CAROM_EXECUTABLE' check model.yaml" /dev/null >seen.txt </dev/null
    refuse "$escape" seen.txt
    TERM=dumb script -qec "'$CAROM_EXECUTABLE' check model.yaml" /dev/null >seen.txt </dev/null
    refuse "$escape" seen.txt
    TERM=xterm script -qec "'$CAROM_EXECUTABLE' check model.yaml --color never" /dev/null >seen.txt </dev/null
    refuse "$escape" seen.txt
fi
finish
