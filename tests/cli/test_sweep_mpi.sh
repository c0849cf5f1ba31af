#!/bin/sh
# `mpirun carom sweep`: the table of three processes is that of one core, also after one of them was killed.
set -u
. "$CAROM_SOURCE_DIR/tests/support/cli.sh"
command -v mpirun >/dev/null && [ -x "${CAROM_EXECUTABLE%/*}/carom-sweep-mpi" ] || exit 77
rm -rf ./*
cp "$CAROM_MODELS/two_spheres.yaml" .
# what Open MPI keeps until the process ends has no names by then that a list of suppressions could hold
ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"
export ASAN_OPTIONS
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1

cat >study.yaml <<'EOF'
model: two_spheres.yaml
parameters:
  law: [flores, hunt-crossley]
  e: {from: 0.3, to: 0.9, count: 10}
  K: {from: 1e9, to: 1e10, count: 10, scale: log}
  speed: [0.15, 0.25]
quantities: {e_got: 'impacts[1].e_got', peak: max(contact.hit.force), second: 'impacts[2].e_got'}
EOF
run_carom 0 sweep study.yaml --csv
cp text.txt one.csv

# mpi ARGUMENTS: the sweep by three processes, to text.txt and error.txt.
mpi() { timeout 120 mpirun -n 3 "$CAROM_EXECUTABLE" sweep "$@" >text.txt 2>error.txt; }

mpi study.yaml -o three.db --csv || { complain "mpirun carom sweep fails"; cat error.txt; }
cmp one.csv text.txt || complain "three processes make another table"

# a wrong study is told once, by one process
sed 's/peak: max/peak: maxx/' study.yaml >wrong.yaml
! mpi wrong.yaml || complain "a wrong study is taken"
[ "$(grep -c 'wrong.yaml:7:' error.txt)" -eq 1 ] || { complain "the error is not told once"; cat error.txt; }

# one that makes runs is killed; the same command completes the table
timeout 120 mpirun -n 3 sh -c 'if [ "$OMPI_COMM_WORLD_RANK" = 2 ]; then exec timeout -s KILL 0.4 "$0" "$@"; else exec "$0" "$@"; fi' \
    "$CAROM_EXECUTABLE" sweep study.yaml -o killed.db --quiet >text.txt 2>error.txt
mpi study.yaml -o killed.db --csv || { complain "the killed sweep does not continue"; cat error.txt; }
cmp one.csv text.txt || complain "the killed sweep has another table"

# the batch files of the docs run as they stand
PATH="${CAROM_EXECUTABLE%/*}:$PATH"
export PATH
for number in 1 2; do
    awk -v number=$number '/^```bash/ { on = ++count == number; next } /^```/ { on = 0 } on' \
        "$CAROM_SOURCE_DIR/docs/clusters.md" >batch$number.sh
done
rm -f study.db
SLURM_NTASKS=3 bash batch1.sh >text.txt 2>error.txt || { complain "the batch file of MPI"; cat error.txt; }
run_carom 0 export study.db -o batch.csv
cmp one.csv batch.csv || complain "the batch file of MPI makes another table"
for part in 1 2; do
    SLURM_ARRAY_TASK_ID=$part SLURM_ARRAY_TASK_COUNT=2 bash batch2.sh || complain "the batch file of the array"
done
run_carom 0 sweep merge study-1of2.db study-2of2.db -o parts.db
run_carom 0 export parts.db -o parts.csv
cmp one.csv parts.csv || complain "the batch file of the array makes another table"
finish 'three processes make the table of one'
