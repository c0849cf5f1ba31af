#!/bin/sh
# docs/tutorial.md: its model, put together from its parts, is models/hyq_walk.yaml, and its commands run as they stand.
set -u
. "$CAROM_SOURCE_DIR/tests/support/cli.sh"
page=$CAROM_SOURCE_DIR/docs/tutorial.md

# ---- the parts of the model ----

awk '/^```yaml/ {inside = 1; next} /^```/ {if (inside) print ""; inside = 0} inside' "$page" >walk.yaml
sed -e '1,/^# and drives/d' -e 's,robots/hyq.urdf,hyq.urdf,' "$CAROM_SOURCE_DIR/models/hyq_walk.yaml" >wanted.yaml
grep -v '^$' walk.yaml >a.txt
grep -v '^$' wanted.yaml >b.txt
cmp -s a.txt b.txt || { complain "the parts are not models/hyq_walk.yaml"; diff a.txt b.txt; }

# ---- the commands, in their folder ----

awk '/^```console/ {inside = 1; next} /^```/ {inside = 0} inside && /^\$ / {print substr($0, 3)}' "$page" >commands.txt
count=$(tr '&' '\n' <commands.txt | grep -c '[a-z]')
[ "$count" -lt 10 ] || complain "$count commands, not less than ten"
[ "$count" -gt 5 ] || complain "only $count commands are found"
carom()
{
    case $1 in
    run) shift && set -- run "$@" --until 0.7 ;;    # of 3 s: past the first impacts
    esac
    "$CAROM_EXECUTABLE" "$@"
}
grep '^carom' commands.txt >wanted.txt
cp "$CAROM_SOURCE_DIR/models/robots/hyq.urdf" .
while read -r line; do
    eval "$line" >text.txt 2>error.txt </dev/null || { complain "$line"; cat error.txt; }
    case $line in
    *"check hyq.yaml"*) cp text.txt check.txt ;;
    *"run walk"*) cp text.txt run.txt ;;
    esac
done <wanted.txt
expect "   1  lf " run.txt
[ -s walk.svg ] && [ -s carom-out/walk.html ] || complain "figure and page"

# ---- what the page says that they print ----

awk '/^\$ carom check hyq.yaml/ {inside = 1; next} /^```/ {inside = 0} inside' "$page" >said.txt
[ -s said.txt ] || complain "the tutorial prints no check"
while IFS= read -r line; do
    expect "$line" check.txt
done <said.txt

# ---- the first thing that a roboticist tries ----

run_carom 1 run hyq.urdf
expect "comes into a model by \`include\`, or becomes one by \`carom import\`" error.txt
finish "$count commands of the tutorial"
