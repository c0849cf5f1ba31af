#!/bin/sh
# What it costs to record: output.sh CAROM FOLDER [ROWS]. FOLDER takes some 15 GB for ten million rows of 200 channels, which are
# removed at the end. Times are CPU times of one run each; the ratios are what counts.
set -eu
carom=$1 folder=$2 rows=${3:-1e7}
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$folder"
trap 'rm -f "$folder"/*.h5 "$folder"/*.yaml "$folder"/figure.png "$folder"/time' EXIT

# measure ARGUMENTS: sets seconds (CPU) and megabytes (greatest memory) of carom ARGUMENTS.
measure()
{
    /usr/bin/time -f '%U %S %M' -o "$folder/time" "$carom" "$@"
    seconds=$(awk '{ printf "%.2f", $1 + $2 }' "$folder/time")
    megabytes=$(awk '{ printf "%.0f", $3 / 1024 }' "$folder/time")
}
size() { awk -v bytes="$(wc -c <"$1")" 'BEGIN { printf "%.0f", bytes / 1e6 }'; }
over() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.1f", a / b }'; }

# ball NAME OUTPUT: 1000 s of the bouncing ball.
ball() { sed -e 's/until: 6/until: 1000/' -e "s|output: {every: 5\*ms}|output: {$2}|" "$here/../models/bouncing_ball.yaml" >"$folder/$1.yaml"; }
ball bare 'every: 1000'
ball all 'every: 0.2*ms'
ball chosen 'every: 0.2*ms, channels: [body.ball.position, contact.bounce.force]'

echo '| 1000 s of a bouncing ball | CPU time | over the run without rows | file | memory |'
echo '|---|---|---|---|---|'
measure run "$folder/bare.yaml" -q --no-report -o "$folder"
bare=$seconds
echo "| without rows | $seconds s | 1 | $(size "$folder/bare.h5") MB | $megabytes MB |"
for name in chosen all; do
    measure run "$folder/$name.yaml" -q --no-report -o "$folder"
    echo "| 5 million rows, $name channels | $seconds s | $(over "$seconds" "$bare") | $(size "$folder/$name.h5") MB | $megabytes MB |"
done
measure plot "$folder/all.h5" body.ball.velocity.y -o "$folder/figure.png"
echo "| a figure of one of them | $seconds s | | | $megabytes MB |"
rm -f "$folder"/*.h5

cp "$here/output/channels.yaml" "$folder"
echo
echo "| $rows rows of 200 channels | CPU time | file | memory |"
echo '|---|---|---|---|'
measure run "$folder/channels.yaml" --set "rows=$rows" -q --no-report -o "$folder"
echo "| run | $seconds s | $(size "$folder/channels.h5") MB | $megabytes MB |"
for column in body.weight_1.position.x body.weight_28.acceleration.y body.weight_14.angle energy.kinetic; do
    measure plot "$folder/channels.h5" "$column" -o "$folder/figure.png"
    echo "| figure of $column | $seconds s | | $megabytes MB |"
done
