#!/bin/sh
# Results as other programs read them: h5dump the file, awk the table, and both against what is known of the impact of
# two spheres of 0.092 kg at 0.15 m/s each, restitution 0.7.
set -u
. "$CAROM_SOURCE_DIR/tests/support/cli.sh"

# attribute OBJECT NAME: the text of an attribute as h5dump prints it.
attribute() { h5dump -a "$1/$2" two_spheres.h5 | sed -n 's/^ *(0): "\(.*\)"$/\1/p'; }
expect_attribute()
{
    got=$(attribute "$1" "$2")
    [ "$got" = "$3" ] || complain "attribute $2 of $1 is '$got', not '$3'"
}
# expect_near VALUE WANTED TOLERANCE WHAT
expect_near()
{
    awk -v a="$1" -v b="$2" -v t="$3" 'BEGIN { exit !(a - b <= t && b - a <= t) }' || complain "$4 is $1, not $2"
    echo "$4: $1 (known: $2)"
}

"$CAROM_EXECUTABLE" run -q "$CAROM_MODELS/two_spheres.yaml" -o . || complain "run: exit status $?"

# ---- a table ----

"$CAROM_EXECUTABLE" export two_spheres.h5 --csv --channels body.left.velocity.x,body.right.velocity.x -o speeds.csv
[ "$(head -1 speeds.csv)" = "time [s],body.left.velocity.x [m/s],body.right.velocity.x [m/s]" ] ||
    complain "header $(head -1 speeds.csv)"
momenta=$(awk -F, 'NR > 1 { s += $2 + $3 } END { printf "%.17g", s }' speeds.csv)
expect_near "$momenta" 0 1e-12 "sum of all momenta over the mass"
expect_near "$(awk -F, 'END { printf "%.17g", $3 - $2 }' speeds.csv)" 0.21 0.012 "speed of separation, 0.7 of 0.3 m/s"
"$CAROM_EXECUTABLE" export two_spheres.h5 --csv --channels contact.hit.force -o force.csv
impulse=$(awk -F, 'NR > 2 { j += 0.5 * ($1 - t) * ($2 + f) } { t = $1; f = $2 } END { printf "%.17g", j }' force.csv)
change=$(awk -F, 'NR == 2 { v = $2 } END { printf "%.17g", 0.092 * (v - $2) }' speeds.csv)
expect_near "$impulse" "$change" 5e-5 "impulse by the trapezium rule [N s]"

if ! command -v h5dump >/dev/null 2>&1; then
    echo "no h5dump: the file was not dumped"
    [ "$failures" = 0 ] && exit 77
    exit 1
fi

# ---- the file ----

expect_attribute /channels/body.left.velocity name body.left.velocity
expect_attribute /channels/body.left.velocity unit m/s
expect_attribute /channels/body.left.velocity components "x y"
expect_attribute /snapshots/contact.hit.total_force unit N
expect_attribute / status completed
[ -n "$(attribute /steps/contact.hit.force description)" ] || complain "contact.hit.force has no description"

# numbers as bits: dumped in binary, and read back from the table's 17 digits
h5dump -d /channels/body.left.velocity -b LE -o left.bin two_spheres.h5 >/dev/null
h5dump -d /time -b LE -o time.bin two_spheres.h5 >/dev/null
rows=$(($(wc -l <speeds.csv) - 1))
[ "$(wc -c <left.bin)" -eq $((rows * 16)) ] || complain "left.bin does not have $rows rows of two numbers"
[ "$(wc -c <time.bin)" -eq $((rows * 8)) ] || complain "time.bin does not have $rows times"
od -An -v -t f8 -w16 left.bin | awk '{ printf "%.15g\n", $1 }' >dumped.txt
awk -F, 'NR > 1 { printf "%.15g\n", $2 }' speeds.csv >table.txt
cmp dumped.txt table.txt || complain "h5dump and the table differ in body.left.velocity.x"
h5dump -d /impacts/contact two_spheres.h5 | grep -qF '(0): "hit"' || complain "/impacts/contact does not name 'hit'"

# ---- Octave, which reads the file itself when the groups are named ----

if command -v octave >/dev/null 2>&1; then
    octave --no-gui --quiet --norc --eval '
        r = load("-hdf5", "two_spheres.h5", "time", "channels", "steps", "snapshots");
        table = csvread("speeds.csv", 1, 0);
        assert(isequal(r.time(:), table(:, 1)));
        assert(isequal(r.channels.body_left_velocity(1, :)(:), table(:, 2)));
        force = csvread("force.csv", 1, 0);
        assert(isequal([r.steps.time(:) r.steps.contact_hit_force(:)], force));
        assert(size(r.snapshots.contact_hit_total_force, 1) == 2);
        disp("read");' >octave.txt 2>&1
    grep -q '^read' octave.txt || { complain "Octave does not read two_spheres.h5:"; cat octave.txt; }
fi

finish
