#!/bin/sh
# Tables and lines on a terminal that is narrower than they are: tables are parted, lines are folded, numbers stay whole;
# elsewhere nothing changes. And what `carom export` and a folder that cannot be made say.
set -u
. "$CAROM_SOURCE_DIR/tests/support/cli.sh"

# ---- messages ----

crank=$CAROM_MODELS/slider_crank_block.yaml
"$CAROM_EXECUTABLE" run "$crank" >plain.txt || complain "carom run"
"$CAROM_EXECUTABLE" export carom-out/slider_crank_block.h5 --mat >text.txt || complain "carom export --mat"
expect "file         carom-out/slider_crank_block.mat" text.txt
"$CAROM_EXECUTABLE" export carom-out/slider_crank_block.h5 --gltf -o crank.glb >text.txt || complain "carom export --gltf"
[ ! -s text.txt ] || complain "the name that was given is told again"
"$CAROM_EXECUTABLE" run "$crank" -o plain.txt 2>error.txt
[ $? = 4 ] || complain "a file for a folder: not exit status 4"
expect "cannot make the folder 'plain.txt': a file is in the way; choose another one, or give --no-results" error.txt

# ---- a terminal ----

if ! command -v script >/dev/null || ! script -qec true /dev/null >/dev/null 2>&1; then
    echo "no pseudo terminal: that part is left out"
    [ "$failures" -eq 0 ]
    exit
fi
# printed COLUMNS ARGUMENTS: standard output on a terminal of that width, to text.txt.
printed()
{
    columns=$1
    shift
    TERM=xterm script -qec "stty cols $columns rows 20; '$CAROM_EXECUTABLE' $* 2>error.txt" raw.txt >/dev/null 2>&1 </dev/null ||
        complain "carom $* on a terminal of $columns columns"
    # colours take no column
    tr -d '\r' <raw.txt | grep -v '^Script ' | sed "s/$(printf '\033')\[[0-9;]*m//g" >text.txt
    # the dots of the headline are one column and two bytes; paths are never folded
    sed 's/·/./g' text.txt | LC_ALL=C awk -v most="$columns" 'length($0) > most && !/carom-out/ { print; exit 1 }' ||
        complain "a line longer than a terminal of $columns columns"
}

# no number is lost, each part begins with the number of the impact
printed 50 run "$crank"
[ "$(grep -c '^impact ' text.txt)" = 3 ] || { complain "not three parts:"; cat text.txt; }
[ "$(grep -c '^     2  ' text.txt)" = 3 ] || { complain "not three rows of impact 2:"; cat text.txt; }
for number in 67.58704 73.84 11.42 7.802 0.7000 0.6833 38.53 235.3 2.476 "contact 17.211 J" "potential 0.039251 J"; do
    expect "$number" text.txt
done
grep -q '^             work 0 J$' text.txt || { complain "the ledger is not folded between its terms:"; cat text.txt; }

# a wide terminal shows what a pipe gets; the second line has the time that the run took
printed 200 run "$crank"
sed 2d plain.txt >pipe.txt
sed 2d text.txt | grep -v '^$' >wide.txt
grep -v '^$' pipe.txt | cmp -s - wide.txt || { complain "a wide terminal shows something else than a pipe gets:"; cat text.txt; }

printed 50 compare "$crank" --vary law=flores,exact --vary e=0.5,0.7 -q --no-results
printed 50 compare "$crank" --vary law=flores,exact --vary e=0.5,0.7
[ "$(grep -c '^law  *e  ' text.txt)" -ge 4 ] || { complain "parts do not begin with the values:"; cat text.txt; }
printed 60 check "$crank"
[ "$(grep -c '^contact  ' text.txt)" -ge 4 ] || { complain "the tables of the contacts are whole:"; cat text.txt; }
printed 24 run "$crank"

finish "narrow terminals: tables are parted, lines are folded"
