#!/bin/sh
# `carom sweep` from outside: the table does not depend on workers, interruptions and parts; what fails is a row; wrong
# studies end with one line.
set -u
. "$CAROM_SOURCE_DIR/tests/support/cli.sh"
rm -rf ./*
cp "$CAROM_MODELS/two_spheres.yaml" .

cat >study.yaml <<'EOF'
title: Impacts
model: two_spheres.yaml
parameters:
  law: [flores, hunt-crossley]
  e: {from: 0.3, to: 0.9, count: 7}
  K: {from: 1e9, to: 1e10, count: 5, scale: log}
  speed: [0.15, 0.25*m/s]
quantities: {e_got: 'impacts[1].e_got', peak: max(contact.hit.force), second: 'impacts[2].e_got'}
EOF

# ---- the plan, the runs, the table ----
run_carom 0 sweep study.yaml --check
expect '140 runs, sampling grid' text.txt
expect 'peak [N] = max(contact.hit.force)' text.txt
[ ! -e study.db ] || complain "--check has made a store"
run_carom 0 sweep study.yaml --show 140
expect 'carom run two_spheres.yaml --set law=hunt-crossley --set e=0.9 --set K=10000000000 --set speed=0.25' text.txt
refuse_command 2 'a run from 1 to 140' sweep study.yaml --show 141
run_carom 0 sweep study.yaml --jobs 1
expect '140 completed' text.txt
expect '140 runs without a value, the first is run 1: second: there is no impact 2: the run has 1' text.txt
run_carom 0 sweep study.yaml -o two.db --jobs 2 --csv
cp text.txt two.csv
run_carom 0 export study.db -o one.csv
cmp one.csv two.csv || complain "one worker and two make different tables"
lines 141 one.csv
[ "$(head -1 one.csv)" = 'run,law,e,K,speed,e_got,peak [N],second,status,message' ] || complain "the head of the CSV"
# what a law returns does not depend on the stiffness, and is that of the free impact, which has a closed form
for law in flores hunt-crossley; do
    exact=$("$CAROM_EXECUTABLE" impact --law $law --mass 0.046 --speed 0.3 --restitution 0.5 --stiffness 5e9 --json |
        sed -n 's/.*"e_got": *\([0-9.e-]*\).*/\1/p')
    awk -F, -v law=$law -v exact="$exact" '$2 == law && $3 == 0.5 {
        count++
        if (($6 - exact) ^ 2 > 1e-12) { print $0; bad = 1 }
    } END { exit bad || count != 10 }' one.csv || complain "restitution of $law, exact $exact"
done
run_carom 0 sweep study.yaml
expect '140 completed; 140 were there' text.txt
refuse_command 2 'is the store of a sweep' export study.db --mat

# ---- parts, and their merging ----
for part in 1 2 3; do
    run_carom 0 sweep study.yaml --array $part/3 --quiet
done
run_carom 0 sweep merge study-1of3.db study-3of3.db -o merged.db
expect 'merged.db has 93 of 140 runs' text.txt
expect '47 runs are missing' text.txt
run_carom 0 sweep merge study-1of3.db study-2of3.db study-3of3.db -o merged.db
expect 'merged.db has 140 of 140 runs' text.txt
run_carom 0 export merged.db -o merged.csv
cmp one.csv merged.csv || complain "the parts make another table"
refuse_command 2 '--array takes PART/PARTS' sweep study.yaml --array 4/3
refuse_command 2 'holds part 1 of 3' sweep study.yaml --array 2/3 -o study-1of3.db

# ---- killed and continued ----
for delay in 0.03 0.06 0.1 0.15; do
    timeout -s KILL $delay "$CAROM_EXECUTABLE" sweep study.yaml -o killed.db --quiet >killed.txt 2>&1
done 2>/dev/null
run_carom 0 sweep study.yaml -o killed.db --csv
cmp one.csv text.txt || complain "the killed sweep has another table"

# ---- runs that fail ----
cat >fails.yaml <<'EOF'
model: two_spheres.yaml
parameters: {e: [0.5, 1.5, 0.7]}
quantities: {e_got: 'impacts[1].e_got'}
EOF
run_carom 0 sweep fails.yaml
expect '2 completed, 1 refused' text.txt
expect '1 run refused, the first is run 2:' text.txt
run_carom 0 sweep fails.yaml --retry
expect '2 completed, 1 refused; 2 were there' text.txt
sed 's/until: 2\*ms/until: 20, integrator: rk4, step: 0.1*us/; s/output: {every: 0.01\*ms}/output: {every: 1}/' two_spheres.yaml >slow.yaml
printf 'model: slow.yaml\nparameters: {e: [0.5, 0.6]}\nrun: {limit: 0.02}\nquantities: {p: max(body.left.position.x)}\n' >slow_study.yaml
run_carom 0 sweep slow_study.yaml
expect '2 out of time' text.txt

# ---- a full disk keeps what was stored, and the same command continues ----
sh -c "trap '' XFSZ; ulimit -f 20; exec '$CAROM_EXECUTABLE' sweep study.yaml -o full.db --quiet" 2>error.txt
[ $? -eq 4 ] || complain "a full disk does not end with exit status 4"
expect 'make room on the disk and give the same command again' error.txt
run_carom 0 sweep study.yaml -o full.db --csv
cmp one.csv text.txt || complain "the sweep behind a full disk has another table"

# ---- Ctrl-C keeps what is made ----
timeout -s INT 0.1 "$CAROM_EXECUTABLE" sweep study.yaml -o stopped.db >text.txt 2>error.txt
run_carom 0 sweep study.yaml -o stopped.db --csv
cmp one.csv text.txt || complain "the interrupted sweep has another table"

# ---- the study of the docs ----
awk '/^```yaml/ { on = 1; next } /^```/ { if (on) exit } on' "$CAROM_SOURCE_DIR/docs/sweeps.md" >restitution.yaml
mkdir -p models
cp two_spheres.yaml models/
run_carom 0 sweep restitution.yaml
expect '36 completed' text.txt

# ---- what is wrong ends before anything is written ----
refuse_command 4 'missing.yaml: cannot be opened' sweep missing.yaml
printf 'model: gone.yaml\nparameters: {e: [1]}\nquantities: {q: e}\n' >gone.yaml_study
refuse_command 4 'gone.yaml_study:1:8' sweep gone.yaml_study
sed 's/peak: max/peak: maxx/' study.yaml >wrong.yaml
refuse_command 1 "wrong.yaml:8:" sweep wrong.yaml
[ ! -e wrong.db ] || complain "a wrong study has made a store"
refuse_command 4 'make the folder first' sweep study.yaml -o no/such/folder.db
printf 'not a store' >text.db
refuse_command 4 'text.db' sweep study.yaml -o text.db
[ "$(cat text.db)" = 'not a store' ] || complain "a file that is no store was changed"
refuse_command 2 'another study' sweep fails.yaml -o study.db
expect 'give another store by -o FILE' error.txt
sed -i 's/0.092/0.093/' two_spheres.yaml
refuse_command 2 'another study' sweep study.yaml
expect "'model: " error.txt
refuse_command 2 'takes a whole number' sweep study.yaml --jobs 0
refuse_command 2 'name the stores' sweep merge
finish 'the table of a sweep is one'
