#!/bin/sh
# `carom plot --loop` and `--phase`: the same figure as the two channels they stand for, and what is wrong with them.
set -u
failures=0

complain()
{
    echo "FAILED: $1"
    failures=$((failures + 1))
}
expect_status()
{
    wanted=$1
    shift
    "$CAROM_EXECUTABLE" "$@" >text.txt 2>error.txt
    got=$?
    [ "$got" = "$wanted" ] || { complain "carom $*: exit status $got, not $wanted"; cat text.txt error.txt; }
}
expect_error() { grep -qF -- "$1" error.txt || { complain "'$1' is missing:"; cat error.txt; }; }

expect_status 0 run "$CAROM_MODELS/two_spheres.yaml" -o .
expect_status 0 plot two_spheres.h5 --loop hit -o loop.svg
expect_status 0 plot two_spheres.h5 contact.hit.force --against contact.hit.indentation -o channels.svg
cmp -s loop.svg channels.svg || complain "--loop differs from its channels"
expect_status 0 plot two_spheres.h5 --phase hit -o phase.svg
expect_status 0 plot two_spheres.h5 contact.hit.indentation_rate --against contact.hit.indentation -o channels.svg
cmp -s phase.svg channels.svg || complain "--phase differs from its channels"
expect_status 0 plot two_spheres.h5 --loop hit --impact 1 -o loop.svg

expect_status 2 plot two_spheres.h5 -o none.svg
expect_error "name a channel"
expect_status 2 plot two_spheres.h5 --loop hit --phase hit -o none.svg
expect_error "either --loop or --phase"
expect_status 2 plot two_spheres.h5 contact.hit.force --loop hit -o none.svg
expect_error "sets both axes"
"$CAROM_EXECUTABLE" plot two_spheres.h5 --loop hot -o none.svg >text.txt 2>error.txt && complain "a contact that is none"
expect_error "did you mean"
[ ! -e none.svg ] || complain "a figure in spite of the error"

[ "$failures" -eq 0 ] || exit 1
echo "carom plot: loops and phase portraits are those of their channels"
