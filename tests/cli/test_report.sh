#!/bin/sh
# `carom report` and the reports that `carom run` and `carom compare` write: names, options, results that were killed or are
# being written, what is refused, and a report that cannot be written. Pages of both builds, with and without viewer.
set -u
. "$CAROM_SOURCE_DIR/tests/support/cli.sh"

carom=$CAROM_EXECUTABLE

# has FILE KEY VALUE: the page says so, as data or as text
has() { grep -qF -e "\"$2\":\"$3\"" -e "<dt>$2</dt><dd>$3</dd>" -- "$1" || complain "$1 does not say $2 $3"; }

cat >drop.yaml <<'YAML'
carom: 1
title: 'Drop </script> & "more"'
dimension: 2
gravity: [0, -9.81]
parameters: {law: flores, end: 0.2, every: 1e-3}
bodies: {ball: {mass: 1, inertia: 1e-3, at: [0, 0.06]}}
shapes:
  skin: {type: sphere, on: ball, radius: 0.05}
  floor: {type: plane, on: ground, normal: [0, 1]}
contacts: {hit: {between: [floor, skin], normal: {law: $law, stiffness: 1e7, exponent: 1.5, restitution: 0.8}}}
run: {until: end, output: {every: every}}
YAML
sed 's/^run:.*/run:\n  - {until: 0.1}\n  - {until: 0.05}/' drop.yaml >twice.yaml
rm -rf out own two cmp full *.html

# ---- run ----

"$carom" run drop.yaml -o out >run.txt || complain "run: exit status $?"
expect "report       out/drop.html" run.txt
[ -s out/drop.html ] || complain "run wrote no out/drop.html"
has out/drop.html status completed
"$carom" run drop.yaml -o out --json >run.json || complain "run --json: exit status $?"
grep -q '"report": *"out/drop.html"' run.json || complain "the JSON does not name the report"
"$carom" run drop.yaml -o own -q --no-report || complain "run --no-report: exit status $?"
[ ! -e own/drop.html ] || complain "run --no-report wrote a report"
"$carom" run drop.yaml -o none --no-results --json >run.json || complain "run --no-results: exit status $?"
grep -q '"report": *null' run.json || complain "without results there is a report"
"$carom" run twice.yaml -o two >run.txt || complain "run of two analyses: exit status $?"
expect "report       two/twice-1.html" run.txt
expect "report       two/twice-2.html" run.txt

# a report that cannot be written is a warning
mkdir -p full/drop.html
"$carom" run drop.yaml -o full >run.txt || complain "run without a report: exit status $?"
expect "warning      no report: full/drop.html: is not an ordinary file" run.txt
expect "results      full/drop.h5" run.txt
if grep -q '^report' run.txt; then complain "run names a report that is not there"; fi

# ---- report ----

cp out/drop.html run.html
rm out/drop.html
"$carom" report out/drop.h5 >report.txt || complain "report: exit status $?"
expect "report       out/drop.html" report.txt
cmp -s run.html out/drop.html || complain "report and run write different pages"
"$carom" report out/drop.h5 -o named.html --title 'A <title>' >report.txt || complain "report -o --title: exit status $?"
grep -q 'A <title>' named.html && complain "a title is not escaped"
"$carom" run drop.yaml --set law=hertz -o own -q --no-report
"$carom" report out/drop.h5 own/drop.h5 --label 'first,<second>' -o both.html >report.txt || complain "report of two: exit status $?"
grep -qF -e '"label":"\u003csecond>"' -e '<h2>&lt;second&gt;</h2>' both.html || complain "a label is missing"
"$carom" report out/drop.h5 own/drop.h5 >report.txt || complain "report of two: exit status $?"
expect "report       out/drop-compare.html" report.txt
for page in run.html named.html both.html; do
    grep -oE '(src|href) *= *.?(https?:)?//[^ >]*' "$page" && complain "$page needs a network"
done
size=$(($(wc -c <run.html) - 2000))
if grep -q 'id="carom-meta" type' run.html; then
    "$carom" report out/drop.h5 -o small.html --max-size "$size" >report.txt || complain "report --max-size: exit status $?"
    [ "$(wc -c <small.html)" -le "$size" ] || complain "small.html is larger than asked"
    [ "$(wc -c <small.html)" -ge $((size - 30000)) ] || complain "small.html is much smaller than asked"
fi

# ---- measured data ----

printf '0,1\n1,2\n' >bare.csv
printf '# a record\ntime [us],F [kN],sd\n0,0,0.5\n100,0,0.5\n200,8,0.5\n300,9,1\n' >record.csv
"$carom" report out/drop.h5 --data 'fall=record.csv:F+-sd@time' --impact 1 --align onset -o record.html >report.txt || complain "report --data: exit status $?"
sed 's/ \[[a-zA-Z]*\]//g' record.csv >plain.csv
"$carom" run drop.yaml -q -o with --data 'record=plain.csv:F[N]@time[s]' --shift 1,2 || complain "run --data: exit status $?"
if grep -q 'id="carom-meta" type' run.html && node -e 0 2>/dev/null; then
    cat >points.mjs <<'JS'
import { readFileSync } from "node:fs";
const { decodeTexts } = await import(process.argv[2]);
const page = readFileSync(process.argv[3], "utf8");
const part = (name) => new RegExp(`id="${name}"[^>]*>([^<]*)<`).exec(page)[1];
const runs = await decodeTexts(part("carom-meta"), part("carom-blob"));
const [{ label, unit, t, v, error }] = runs.measured;
const from = process.argv[4] === "impact" ? runs[0].impacts[0].onset : 0;
console.log(label, unit, [...t].map((x) => (x - from).toFixed(6)).join(), [...v].join(), error ? [...error].join() : "none");
JS
    data=$CAROM_SOURCE_DIR/viewer/src/data.js
    # 10 and 30 % of the peak are at 111.25 and 133.75 us; the line of F^(2/3) through them begins at 90.42 us
    node points.mjs "$data" record.html impact >report.txt || complain "the page has no points"
    expect "fall kN -0.000090,0.000010,0.000110,0.000210 0,0,8000,9000 500,500,500,1000" report.txt
    node points.mjs "$data" with/drop.html run >report.txt || complain "the page of run has no points"
    expect "record N 1.000000,101.000000,201.000000,301.000000 2,2,10,11 none" report.txt
fi
refuse_command 2 "the unit of 'bare.csv' is not known" report out/drop.h5 --data bare.csv
refuse_command 2 "there is no impact 99; the result has" report out/drop.h5 --data 'record.csv:F@time' --impact 99
refuse_command 2 "there is no impact 99; the result has" run drop.yaml -q -o with --data 'record.csv:F@time' --impact 99
refuse_command 2 "name it by --impact" run drop.yaml -o with --data 'record.csv:F@time' --align onset
refuse_command 2 "--shift moves the points of --data" report out/drop.h5 --shift 1
refuse_command 2 "--impact takes the number of an impact from 1 on, not 'all'" report out/drop.h5 --data 'record.csv:F@time' --impact all

refuse_command 2 "more than the 3000 that it may have" report out/drop.h5 -o tiny.html --max-size 3kB
[ ! -e tiny.html ] || complain "a page that was refused is there"
refuse_command 2 "--max-size takes a size" report out/drop.h5 --max-size much
refuse_command 2 "--max-size takes a size" report out/drop.h5 --max-size -1MB
refuse_command 2 "2 labels for 1 result" report out/drop.h5 --label a,b
refuse_command 2 "is a result itself" report out/drop.h5 -o out/drop.h5
refuse_command 4 "make the folder first" report out/drop.h5 -o nowhere/page.html
refuse_command 4 "cannot be opened" report out/dorp.h5
refuse_command 4 "is not an HDF5 file" report drop.yaml

# ---- compare ----

"$carom" compare drop.yaml --vary law=flores,hertz --results cmp >compare.txt || complain "compare: exit status $?"
expect "report       cmp/drop-compare.html  2 of 2 variants" compare.txt
grep -qF -e '"label":"law = hertz"' -e '<h2>law = hertz</h2>' cmp/drop-compare.html || complain "no variant of hertz"
rm cmp/drop-compare.html
"$carom" compare drop.yaml --vary law=flores,hertz --results cmp --no-report --json >compare.json
[ ! -e cmp/drop-compare.html ] || complain "compare --no-report wrote a report"
tail -n 2 compare.json | grep -q '"report": *null' || complain "the JSON of compare has no report"

# ---- results that are being written, and of runs that were killed or interrupted ----

# a ball that never comes to rest
long="--set end=1e4 --set law=hertz"
# started FILE: waits until a result has rows
started()
{
    tries=0
    until "$carom" export "$1" --csv --channels body.ball.position -o rows.csv 2>/dev/null && [ "$(wc -l <rows.csv)" -gt 100 ]; do
        tries=$((tries + 1))
        [ $tries -lt 200 ] || { complain "$1 gets no rows"; return; }
        sleep 0.05
    done
}

rm -rf live
"$carom" run drop.yaml $long -o live -q &
pid=$!
started live/drop.h5
"$carom" report live/drop.h5 -o running.html >/dev/null || complain "report of a run under way: exit status $?"
has running.html status running
kill -9 $pid
wait $pid 2>/dev/null
[ ! -e live/drop.html ] || complain "a killed run has a report"
"$carom" report live/drop.h5 >/dev/null || complain "report of a killed run: exit status $?"
has live/drop.html status killed

rm -rf live
"$carom" run drop.yaml $long -o live -q &
pid=$!
started live/drop.h5
kill -TERM $pid
wait $pid
[ $? = 143 ] || complain "a terminated run does not say so"
has live/drop.html status interrupted
[ -z "$(find . -name '*.part')" ] || complain "part of a file is left"

finish
