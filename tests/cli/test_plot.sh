#!/bin/sh
# `carom plot`: loops and phase portraits are those of their channels; a second unit has the right axis; impacts and
# results are overlaid; points of files land where they should; styles have their sizes; errors name the remedy.
set -u
. "$CAROM_SOURCE_DIR/tests/support/cli.sh"

expect_error() { grep -qF -- "$1" error.txt || { complain "'$1' is missing:"; cat error.txt; }; }

run_carom 0 run "$CAROM_MODELS/two_spheres.yaml" -o .
run_carom 0 plot two_spheres.h5 --loop hit -o loop.svg
run_carom 0 plot two_spheres.h5 contact.hit.force --against contact.hit.indentation -o channels.svg
cmp -s loop.svg channels.svg || complain "--loop differs from its channels"
run_carom 0 plot two_spheres.h5 --phase hit -o phase.svg
run_carom 0 plot two_spheres.h5 contact.hit.indentation_rate --against contact.hit.indentation -o channels.svg
cmp -s phase.svg channels.svg || complain "--phase differs from its channels"
run_carom 0 plot two_spheres.h5 --loop hit --impact 1 -o loop.svg

run_carom 2 plot two_spheres.h5 -o none.svg
expect_error "name a channel"
run_carom 2 plot two_spheres.h5 --loop hit --phase hit -o none.svg
expect_error "either --loop or --phase"
run_carom 2 plot two_spheres.h5 contact.hit.force --loop hit -o none.svg
expect_error "sets both axes"
"$CAROM_EXECUTABLE" plot two_spheres.h5 --loop hot -o none.svg >text.txt 2>error.txt && complain "a contact that is none"
expect_error "did you mean"
[ ! -e none.svg ] || complain "a figure in spite of the error"

# Says what is wrong, draws nothing, and has the status: STATUS TEXT ARGUMENTS OF PLOT.
expect_wrong()
{
    wanted=$1
    text=$2
    shift 2
    run_carom "$wanted" plot "$@" -o none.svg
    expect_error "$text"
    [ ! -e none.svg ] || complain "carom plot $*: a figure in spite of the error"
}
# The texts of the last figure: labels of the axes, then of the curves.
expect_texts()
{
    got=$(sed -n 's/.*<desc>\(.*\)<\/desc>.*/\1/p' figure.svg)
    [ "$got" = "$1" ] || complain "the figure says '$got', not '$1'"
}

run_carom 0 run "$CAROM_MODELS/bouncing_ball.yaml" -o .
ball=bouncing_ball.h5 spheres=two_spheres.h5

# Channels are listed, each once, with unit and meaning.
run_carom 0 plot $ball --list
[ "$(grep -c '^contact.bounce.force ' text.txt)" = 1 ] || complain "contact.bounce.force is not listed once"
grep -q '^body.ball.position.x, .y  *m  *position of the centre of mass' text.txt ||
    complain "no vector in the list"
expect_wrong 2 'prints the channels' $ball

# Two axes: by their units, or by --right; a third unit has none.
run_carom 0 plot $ball body.ball.position.y body.ball.velocity.y -o figure.svg
y=body.ball.position.y v=body.ball.velocity.y x=body.ball.position.x
expect_texts "Time t [s]; Position in y [m]; Velocity v in y [m/s]; $y, $v (right)"
cp figure.svg units.svg
run_carom 0 plot $ball body.ball.position.y --right body.ball.velocity.y -o figure.svg
cmp -s figure.svg units.svg || complain "--right differs from the axis by the unit"
run_carom 0 plot $ball $y $x --right $x -o figure.svg
expect_texts "Time t [s]; Position in y [m]; Position in x [m]; $y, $x (right)"
expect_wrong 2 "draw 'energy.kinetic' in a figure of its own" $ball $y $v energy.kinetic
expect_wrong 2 'cannot share the left axis; change --right' $ball $y energy.kinetic --right $v
expect_wrong 2 'leave one to the left axis' $ball energy.kinetic --right energy.kinetic
expect_wrong 2 '--y2-range: no channel is on the right axis; name one by --right' $ball energy.kinetic --y2-range 0:1
expect_wrong 2 'remove --right' $ball --loop bounce --right energy.kinetic

# Impacts, each from its onset.
run_carom 0 plot $ball contact.bounce.force --impact 1,3 -o figure.svg
expect_texts 'Time from onset [ms]; Force F [kN]; impact 1, impact 3'
run_carom 0 plot $ball --loop bounce --impact all -o figure.svg
[ "$(sed -n 's/.*<desc>\(.*\)<\/desc>.*/\1/p' figure.svg | grep -o 'impact [0-9]*' | wc -l)" = 14 ] ||
    complain "--impact all does not draw the 14 impacts"
run_carom 0 plot $ball contact.bounce.force --impact 2,3 --contact bounce -o figure.svg
expect_texts 'Time from onset [ms]; Force F [kN]; bounce 2, bounce 3'
expect_wrong 2 "$ball: there is no impact 99; the result has 14" $ball contact.bounce.force --impact 99
expect_wrong 2 "did you mean 'bounce'?" $ball contact.bounce.force --impact 1 --contact bonce
expect_wrong 2 "such as 2 or 1,2,3, or all; not '1.5'" $ball contact.bounce.force --impact 1.5
expect_wrong 2 "such as 2 or 1,2,3, or all; not '-1'" $ball contact.bounce.force --impact -1
expect_wrong 2 '--contact bounce belongs to --impact' $ball contact.bounce.force --contact bounce
expect_wrong 2 '--from and --to cannot be given with it' $ball contact.bounce.force --impact 1 --from 0

# Other results.
run_carom 0 run "$CAROM_MODELS/two_spheres.yaml" --set e=0.5 -o other
run_carom 0 plot $spheres --compare e=other/two_spheres.h5 --loop hit --impact 1 -o figure.svg
expect_texts 'Indentation δ [µm]; Force F [N]; two_spheres, e'
run_carom 0 plot $spheres --compare other/two_spheres.h5 contact.hit.force --impact 1 --labels 'a, b' -o figure.svg
expect_texts 'Time from onset [ms]; Force F [N]; a,  b'
run_carom 0 plot $spheres --compare other/two_spheres.h5 contact.hit.force contact.hit.indentation -o figure.svg
right='indentation (right)' first=two_spheres.h5 second=other/two_spheres.h5
axes='Time t [ms]; Force F [N]; Indentation δ [µm]'
expect_texts "$axes; $first: force, $first: $right, $second: force, $second: $right"
expect_wrong 2 '--labels has 1 of the 2 curves; give one for each of: two_spheres, e' $spheres \
    --compare e=other/two_spheres.h5 contact.hit.force --labels one
# a label may hold an equals sign
run_carom 0 plot $spheres --compare e=0.5=other/two_spheres.h5 contact.hit.force -o figure.svg
expect_texts 'Time t [ms]; Force F [N]; two_spheres, e=0.5'
expect_wrong 4 'none.h5' $spheres --compare none.h5 contact.hit.force

# Points of files, in several forms; the first is in the upper left corner of the frame, the second in the middle.
printf 't,y\n0,2\n1.5,1\n' >points.csv
printf '# measured\n0\t2\n\n1.5\t1\n' >points.txt
printf '0 2\r\n1.5   1\r\n' >blanks.dat
set -- $ball body.ball.position.y --x-range 0:3 --y-range 0:2 --legend none
for file in points.csv points.txt blanks.dat; do
    run_carom 0 plot "$@" --data "points=$file" -o figure.svg
    expect_texts 'Time t [s]; Position in y [m]; body.ball.position.y, points'
    cp figure.svg "$file.svg"
    cmp -s points.csv.svg "$file.svg" || complain "$file is not drawn as points.csv"
done
# the frame: M x0 y0 L x1 y0 L x1 y1; a marker, the square: M x1 y1 and the opposite corner
awk 'function numbers(text) { sub(/.* d="/, "", text); gsub(/[MLZC"]/, " ", text); split(text, n, " ") }
     /stroke-width:0.566929;stroke-linecap:butt;stroke-linejoin:miter/ && !width {
         numbers($0); left = n[1]; top = n[2]; width = n[3] - n[1]; height = n[6] - n[2] }
     /stroke-width:0.793701/ { numbers($0); x[++count] = (n[1] + n[5]) / 2; y[count] = (n[2] + n[6]) / 2 }
     function far(a, b) { return a - b > 0.02 || b - a > 0.02 }
     END { exit count != 2 || far(x[1], left) || far(y[1], top) || far(x[2], left + width / 2) ||
                far(y[2], top + height / 2) }
    ' points.csv.svg || complain "the points of a file are not where they should be"
printf 't,y\n0,2\n1.5,x\n' >points.csv
expect_wrong 2 "points.csv:3: 'x' is no finite number; two columns, x and y in SI, are expected" "$@" --data points.csv
printf '0;2\n1,5;1\n' >points.csv
expect_wrong 2 "points.csv:2: '1,5' is no finite number; two columns, x and y in SI, are expected, with decimal points" \
    "$@" --data points.csv
printf '0,1,2\n' >points.csv
expect_wrong 2 'points.csv:1: 3 columns; two columns' "$@" --data points.csv
printf 'x,y\n' >points.csv
expect_wrong 2 'points.csv has no points' "$@" --data points.csv
expect_wrong 4 'nowhere.csv: cannot be read: No such file' "$@" --data nowhere.csv

# Sections: dots at equal times, or where a channel passes through a value; the circle of a clearance.
# dots FILE: their number, of the first colour.
dots() { grep -c '<path style=" stroke:none;fill-rule:nonzero;fill:rgb(0%,44.7' "$1"; }
run_carom 0 plot $ball $v --against $y --every 0.5 -o figure.svg
expect_texts "Position in y [m]; Velocity v in y [m/s]; $v"
[ "$(dots figure.svg)" = 13 ] || complain "--every 0.5 draws $(dots figure.svg) dots in 6 s, not 13"
run_carom 0 plot $ball $v --against $y --every 2*0.25*s --from 1 --to 3 -o figure.svg
[ "$(dots figure.svg)" = 5 ] || complain "--every from 1 to 3 draws $(dots figure.svg) dots, not 5"
# the ball is at the top once between two of its 14 bounces, and falls from rest before the first
run_carom 0 plot $ball $y --section $v=0:down -o figure.svg
[ "$(dots figure.svg)" = 14 ] || complain "--section draws $(dots figure.svg) tops of the ball, not 14"
[ ! -s error.txt ] || { complain "the tops of the ball are said to be uncertain"; cat error.txt; }
printf '0.5,0\n' >points.csv
run_carom 0 plot $ball $v --against $y --every 0.5 --data point=points.csv -o figure.svg
expect_texts "Position in y [m]; Velocity v in y [m/s]; $v, point"
run_carom 0 plot $ball $y --against $x --circle way=1.5*m -o figure.svg
expect_texts "Position in x [m]; Position in y [m]; $y, way"
run_carom 0 plot $ball $y --against $x --circle 1 --labels ball,here -o figure.svg
expect_texts "Position in x [m]; Position in y [m]; ball, here"
expect_wrong 2 'give either --every or --section' $ball $y --every 1 --section $v=0
expect_wrong 2 '--every 0: the period must be above 0' $ball $y --every 0
expect_wrong 2 '--section takes points from the whole run; remove --impact' $ball $y --section $v=0 --impact 1
expect_wrong 2 'takes CHANNEL=VALUE' $ball $y --section $v
expect_wrong 2 "the direction is up or down, not 'left'" $ball $y --section $v=0:left
expect_wrong 2 "has no point; \`carom plot RESULT $v\` shows the range" $ball $y --section $v=100
expect_wrong 2 "did you mean 'body.ball.velocity" $ball $y --section body.ball.velocity.q=0
expect_wrong 2 'name the horizontal one by --against' $ball $y --circle 1
expect_wrong 2 '--circle 0: the radius must be above 0' $ball $y --against $x --circle 0
expect_wrong 2 'equal scales need one unit' $ball $v --against $y --circle 1
# rows too far apart are told
run_carom 0 plot $ball contact.bounce.force --every 0.0003 -o figure.svg
expect_error 'points lie across an impact or between rows that are too far apart'

# Styles, sizes, ranges.
for size in screen:120:80 single-column:85:62 double-column:178:80 slide:254:143; do
    style=${size%%:*}
    run_carom 0 plot $ball energy.kinetic --style "$style" -o figure.pdf
    LC_ALL=C awk -v size="$size" '
        /MediaBox/ { split(size, mm, ":"); w = $5 * 25.4 / 72 - mm[2]; h = $6 * 25.4 / 72 - mm[3]; found = 1 }
        END { exit !found || w * w + h * h > 1e-6 }' figure.pdf || complain "a PDF of style $style is not $size mm"
done
run_carom 0 plot $ball energy.kinetic --style single-column --size 60x45 -o figure.svg
grep -q 'viewBox="0 0 170.0[0-9]* 127.5[0-9]*"' figure.svg || complain "--size 60x45 is not followed"
run_carom 0 plot $ball --loop bounce --impact 1 --log-x --log-y --x-range 1*um:1*mm --y-range 1:10000 \
    --x-label delta --y-label F -o figure.svg
expect_texts 'delta [m]; F [N]; contact.bounce.force'
run_carom 0 plot $ball body.ball.position.y --against body.ball.position.x --equal --scatter -o figure.svg
expect_wrong 2 "--style is screen, single-column, double-column or slide, not 'print'" $ball energy.kinetic --style print
expect_wrong 2 "--legend is auto, outside or none, not 'left'" $ball energy.kinetic --legend left
expect_wrong 2 "--size takes WxH in mm, such as 85x60, not '85'" $ball energy.kinetic --size 85
expect_wrong 2 'the width is from 40 to 1000' $ball energy.kinetic --size 10x80
expect_wrong 2 "--x-range takes A:B, two numbers in SI, not '1'" $ball energy.kinetic --x-range 1
expect_wrong 2 '--y-range 2:1: 2 is not below 1; give the smaller one first' $ball energy.kinetic --y-range 2:1
expect_wrong 2 'y from -1 to 1 on a logarithmic axis; begin above 0' $ball energy.kinetic --log-y --y-range -1:1
expect_wrong 2 '--equal: the axes are in s and J; equal scales need one unit' $ball energy.kinetic --equal

# Named columns with units, errors, onset and shift: half a sine of power 3/2 that begins at 7 ms meets the onset.
awk 'BEGIN {print "t [ms], other, F [kN], sigma"; for (k = -5; k <= 60; k++) {
    x = k / 50 * 3.14159265; y = k > 0 && k < 50 ? sin(x)^1.5 : 0; printf "%.6f, 1, %.6f, 0.05\n", 7 + 0.02 * k, y}}' >measured.csv
set -- $ball contact.bounce.force --impact 2
run_carom 0 plot "$@" --data 'measured=measured.csv:F±sigma@t' --align onset -o figure.svg
grep -q 'measured</desc>' figure.svg || complain 'measured is not named'
run_carom 0 plot "$@" --data 'measured.csv:F[kN/m*m]@t[ms]' --align onset -o figure.svg
# a unit beside another one of the heading is refused, beside none, or what is no unit, it counts
expect_wrong 2 "measured.csv: column 't' is in ms by its heading, and in s here: write 't' alone, or mend the heading" \
    "$@" --data 'measured.csv:F@t[s]'
expect_wrong 2 "column 'F' is in kN by its heading, and in N here" "$@" --data 'measured.csv:F[N]@t'
expect_wrong 2 "column 'F' is in kN by its heading, and in ms here" "$@" --data 'measured.csv:F[ms]@t'
sed '1s/.*/t [-], other, F [raw], sigma [N]/' measured.csv >raw.csv
run_carom 0 plot "$@" --data 'raw.csv:F[kN]@t[ms]' --align onset -o figure.svg
# errors that have a unit by their heading keep it: 0.05 N, not 0.05 kN
sed '1s/.*/t, other, F, sigma [kN]/' measured.csv >errors.csv
run_carom 0 plot "$@" --data 'p=raw.csv:F[kN]±sigma@t[ms]' --align onset -o own.svg
run_carom 0 plot "$@" --data 'p=raw.csv:F[kN]±sigma[N]@t[ms]' --align onset -o given.svg
run_carom 0 plot "$@" --data 'p=errors.csv:F[kN]±sigma@t[ms]' --align onset -o other.svg
cmp -s own.svg given.svg || complain "errors in N by their heading are not those in N"
! cmp -s own.svg other.svg || complain "errors in N are those in kN"
expect_wrong 2 "measured.csv has no column 'G'; it has t, other, F, sigma" "$@" --data measured.csv:G@t
expect_wrong 2 "'furlong' of column 'F' is no unit" "$@" --data 'measured.csv:F[furlong]@t'
expect_wrong 2 "names no columns; write FILE:Y[UNIT]@X[UNIT]" "$@" --data 'measured.csv:F[N@t'
expect_wrong 2 "name it by --impact" $ball contact.bounce.force --data measured.csv:F@t --align onset
expect_wrong 2 "--shift moves the points of --data" "$@" --shift 1
expect_wrong 2 "--align is 'onset', not 'peak'" "$@" --data measured.csv:F@t --align peak

# Units of the headings count, also where no column is named: the same figure as from numbers in SI.
awk 'BEGIN {print "t [ms];F [kN]"; for (k = 0; k <= 50; k++) printf "%.9g;%.9g\n", k / 50, sin(k / 50 * 3.14159265)}' >points.csv
awk 'BEGIN {print "t;F"; for (k = 0; k <= 50; k++) printf "%.9ge-3;%.12g\n", k / 50, 1e3 * sprintf("%.9g", sin(k / 50 * 3.14159265))}' >si.csv
run_carom 0 plot "$@" --data p=points.csv -o figure.svg
run_carom 0 plot "$@" --data p=si.csv -o si.svg
cmp -s figure.svg si.svg || complain "points in kN over ms are not those in N over s"
expect_wrong 2 "--data: y of 'p' is in kg, and the vertical axis in N" "$@" --data 'p=si.csv:F[kg]@t'
expect_wrong 2 "--data: x of 'p' is in mm, and the horizontal axis in s" "$@" --data 'p=si.csv:F@t[mm]'
expect_wrong 2 "--data: x of 'p' is in ms, and the horizontal axis in m" $ball --loop bounce --data p=points.csv
# and points of the unit of the right axis stand there
set -- $ball contact.bounce.indentation contact.bounce.force --impact 2
run_carom 0 plot "$@" --data p=points.csv --y2-range=-1:1001 -o figure.svg
expect_wrong 2 "--data: y of 'p' is in kg, and the axes in m and N" "$@" --data 'p=si.csv:F[kg]@t'

finish "carom plot: axes, impacts, results, points and styles are as asked"
