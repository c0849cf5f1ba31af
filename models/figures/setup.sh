# What the scripts of this folder share; they source it. Called as SCRIPT.sh [FOLDER [svg|pdf|png]]: figures go to
# FOLDER, "figures" without one, results to FOLDER/results/SCRIPT. CAROM names the program, STYLE the style of
# `carom plot`.
set -eu
CAROM=${CAROM:-carom}
STYLE=${STYLE:-single-column}
folder=${1:-figures}
format=${2:-svg}
models=$(dirname "$0")/..
name=$(basename "$0" .sh)
data=$folder/results/$name
mkdir -p "$data"
# options for figures of more curves than fit beside their names
many="--legend outside"
[ "$STYLE" != single-column ] || many="$many --size 120x90"

# simulate MODEL [options of `carom run`]: its result is $data/MODEL.h5.
simulate()
{
    model=$(basename "$1" .yaml)
    file=$models/$1
    shift
    "$CAROM" run "$file" --quiet --no-report -o "$data" "$@"
}

# draw PART CHANNELS [options of `carom plot`]: the figure FOLDER/SCRIPT PART.svg of the result of `simulate`.
draw()
{
    part=$1
    shift
    "$CAROM" plot "$data/$model.h5" --style "$STYLE" "$@" -o "$folder/$name$part.$format"
}

# vary MODEL NAME A,B,... [options of `carom compare`]: the results are $data/MODEL-NAME=A.h5, ...=B.h5, ...
vary()
{
    model=$(basename "$1" .yaml) parameter=$2 values=$3
    file=$models/$1
    shift 3
    "$CAROM" compare "$file" --quiet --no-report --vary "$parameter=$values" --results "$data" "$@"
}

# overlay PART CHANNELS [options of `carom plot`]: the figure FOLDER/SCRIPT PART.svg of all results of `vary`, named by
# their values, or as $labels has it.
overlay()
{
    part=$1
    shift
    first=${values%%,*}
    for value in $(echo "${values#*,}" | tr ',' ' '); do
        set -- "$@" --compare "$value=$data/$model-$parameter=$value.h5"
    done
    "$CAROM" plot "$data/$model-$parameter=$first.h5" --labels "${labels:-$values}" --style "$STYLE" "$@" \
        -o "$folder/$name$part.$format"
}

# impacts FIGURE PART [options of `carom impact`]: the figure --FIGURE of free impacts as FOLDER/SCRIPT PART.svg.
impacts()
{
    figure=$1 part=$2
    shift 2
    "$CAROM" impact "$@" "--$figure" "$folder/$name$part.$format" >"$data/$figure$part.txt"
}
