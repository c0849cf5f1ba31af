# shellcheck shell=sh
# What the shell tests of the program share: sourced after `set -u`, they end with `finish`.
failures=0

complain()
{
    echo "FAILED: $1"
    failures=$((failures + 1))
}

# finish [TEXT]: ends the test.
finish()
{
    [ "$failures" -eq 0 ] || exit 1
    [ $# = 0 ] || echo "$1"
    exit 0
}

# expect TEXT FILE: the file holds the text; refuse TEXT FILE: it does not.
expect() { grep -qF -- "$1" "$2" || { complain "'$1' is missing from $2:"; head -c 2000 "$2"; }; }
refuse() { ! grep -qF -- "$1" "$2" || { complain "'$1' is in $2:"; head -c 2000 "$2"; }; }

# lines COUNT FILE: the file has so many.
lines()
{
    found=$(wc -l <"$2")
    [ "$found" -eq "$1" ] || { complain "$found lines in $2, not $1"; cat "$2"; }
}

# run_carom STATUS ARGUMENTS: to text.txt and error.txt, with that exit status.
run_carom()
{
    wanted=$1
    shift
    "$CAROM_EXECUTABLE" "$@" >text.txt 2>error.txt
    got=$?
    [ "$got" = "$wanted" ] || { complain "carom $*: exit status $got, not $wanted"; cat text.txt error.txt; }
}

# refuse_command STATUS TEXT ARGUMENTS: carom ARGUMENTS ends with that status and one line that holds the text.
refuse_command()
{
    status=$1 text=$2
    shift 2
    run_carom "$status" "$@"
    expect "$text" error.txt
    lines 1 error.txt
}

# write_ball FILE: a model of a ball that falls from the height h on a floor, with the restitution e.
write_ball()
{
    cat >"$1" <<'END'
carom: 1
dimension: 2
gravity: [0, -9.81]
parameters: {h: 0.3, e: 0.8}
bodies: {ball: {mass: 1, inertia: 0.004, at: [0, h]}}
shapes:
  skin: {type: sphere, on: ball, radius: 0.1}
  floor: {type: plane, on: ground, normal: [0, 1]}
contacts: {hit: {between: [floor, skin], normal: {law: flores, stiffness: 1e8, restitution: e}}}
run: {until: 0.3}
END
}
