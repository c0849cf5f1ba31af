#!/bin/sh
# `carom export --gltf`: its names, refusals, and what the validator of the format and a reader of its own find in it.
set -u
. "$CAROM_SOURCE_DIR/tests/support/cli.sh"

# read_back ARGUMENTS: the reader of tests/viewer.
read_back() { NODE_PATH=$CAROM_NODE_MODULES node "$CAROM_SOURCE_DIR/tests/viewer/gltf.cjs" "$@"; }

rm -rf out ./*.glb
for model in slider_crank_block two_spheres_3d double_pendulum four_bar bouncing_ball; do
    run_carom 0 run -q "$CAROM_MODELS/$model.yaml" -o out
    run_carom 0 export "out/$model.h5" --gltf
    run_carom 0 export "out/$model.h5" --gltf --speed 0.001 -o "$model-slow.glb"
    run_carom 0 export "out/$model.h5" --gltf -o again.glb
    cmp "out/$model.glb" again.glb || complain "two exports of $model differ"
    cmp -s "out/$model.glb" "$model-slow.glb" && complain "--speed changes nothing in $model"
done
[ -z "$(find . -name '*.part')" ] || complain "an unfinished file is left"

# refusals
run_carom 2 export out/two_spheres_3d.h5 --gltf --vtk -o other
expect "--vtk and --gltf are two formats" error.txt
run_carom 2 export out/two_spheres_3d.h5 --gltf --channels body.left.position -o other
expect "--channels does not go with --gltf" error.txt
run_carom 2 export out/two_spheres_3d.h5 --mat --speed 2 -o other
expect "--speed is for --gltf" error.txt
run_carom 2 export out/two_spheres_3d.h5 --gltf --speed 0 -o other
expect "speed" error.txt
run_carom 4 export out/two_spheres_3d.h5 --gltf -o nowhere/x.glb
expect "nowhere/x.glb: cannot be written" error.txt
run_carom 2 export out/two_spheres_3d.h5 --gltf -o out/two_spheres_3d.h5
expect "is the result itself" error.txt
[ ! -e other ] || complain "a refused export left a file"
run_carom 0 export --help
expect "--gltf" text.txt

if [ ! -d "${CAROM_NODE_MODULES:-}/gltf-validator" ]; then
    echo "no node packages: the files were not read back"
    [ "$failures" = 0 ] && exit 77
    exit 1
fi

# ---- the validator, and the motion against the recorded snapshots ----

read_back validate out/*.glb ./*-slow.glb || complain "the validator objects"
for model in slider_crank_block two_spheres_3d double_pendulum four_bar; do
    run_carom 0 export "out/$model.h5" --group snapshots -o snapshots.csv
    read_back motion "out/$model.glb" snapshots.csv 1 || complain "$model moves otherwise"
    read_back motion "$model-slow.glb" snapshots.csv 0.001 || complain "$model moves otherwise at --speed 0.001"
done

# two spheres of 20 mm: the drawn ones overlap by the recorded indentation where the impact is deepest
run_carom 0 export out/two_spheres_3d.h5 --csv --channels contact.hit.indentation -o steps.csv
deepest=$(awk -F, 'NR > 1 && $2 > d { d = $2 } END { printf "%.9g", d }' steps.csv)
least=$(read_back distance out/two_spheres_3d.glb left right)
awk -v d="$deepest" -v l="$least" 'BEGIN { off = l - (0.04 - d); exit !(d > 1e-6 && off < 0.05 * d && off > -1e-8) }' ||
    complain "the drawn spheres come as near as $least m, at an indentation of $deepest m"
echo "least distance of the drawn spheres $least m, deepest indentation $deepest m"

finish
