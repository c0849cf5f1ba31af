#!/bin/sh
# `carom export --vtk`: the folder, refusals, and what VTK itself reads where Python has it.
set -u
failures=0

complain()
{
    echo "FAILED: $1"
    failures=$((failures + 1))
}

# expect TEXT FILE: the file holds the text.
expect() { grep -qF -- "$1" "$2" || { complain "'$1' is missing from $2:"; cat "$2"; }; }
# run_carom STATUS ARGUMENTS: to text.txt and error.txt, with that exit status.
run_carom()
{
    wanted=$1
    shift
    "$CAROM_EXECUTABLE" "$@" >text.txt 2>error.txt
    got=$?
    [ "$got" = "$wanted" ] || { complain "carom $*: exit status $got, not $wanted"; cat text.txt error.txt; }
}

rm -rf out series out-vtk
run_carom 0 run -q "$CAROM_MODELS/two_spheres_3d.yaml" --set R=30*mm -o out
run_carom 0 export out/two_spheres_3d.h5 --vtk -o series
frames=$(find series -name 'two_spheres_3d_*.vtp' | wc -l)
contacts=$(find series -name 'two_spheres_3d-contacts_*.vtp' | wc -l)
rows=$("$CAROM_EXECUTABLE" export out/two_spheres_3d.h5 --group intervals --channels body.left.position.x | tail -n +2 | wc -l)
listed=$(grep -c '<DataSet ' series/two_spheres_3d.pvd)
[ "$frames" -eq "$rows" ] && [ "$contacts" -eq "$rows" ] && [ "$listed" -eq "$rows" ] ||
    complain "$frames frames, $contacts of contacts, $listed listed, not $rows"
[ -z "$(find . -name '*.part-*')" ] || complain "an unfinished folder is left"

# the default folder; one that is there is refused
run_carom 0 export out/two_spheres_3d.h5 --vtk
[ -f out/two_spheres_3d-vtk/two_spheres_3d.pvd ] || complain "no folder out/two_spheres_3d-vtk"
run_carom 4 export out/two_spheres_3d.h5 --vtk -o series
expect "series: exists already" error.txt
run_carom 4 export out/two_spheres_3d.h5 --vtk -o nowhere/series
expect "nowhere/series: cannot be written" error.txt

# other options
run_carom 2 export out/two_spheres_3d.h5 --vtk --csv -o other
run_carom 2 export out/two_spheres_3d.h5 --vtk --channels body.left.position -o other
run_carom 2 export out/two_spheres_3d.h5 --vtk --group steps -o other
run_carom 0 export --help
expect "--vtk" text.txt

# a run that did not record the poses
sed 's/output: {every: 0.01\*ms}/output: {every: 0.01*ms, channels: [contact, body.left]}/' \
    "$CAROM_MODELS/two_spheres_3d.yaml" >few.yaml
run_carom 0 run -q few.yaml -o out
run_carom 2 export out/few.h5 --vtk -o other
expect "out/few.h5: the channels body.right.position and body.right.orientation are needed" error.txt
expect "output.channels" error.txt
[ ! -e other ] || complain "a refused export left a folder"

# ---- VTK's own reader ----

if python3 -c 'import vtk' 2>/dev/null; then
    python3 - <<'PYTHON' || complain "VTK reads something else"
import vtk
reader = vtk.vtkXMLPolyDataReader()
for name, points in (("two_spheres_3d", 2*482), ("two_spheres_3d-contacts", 1)):
    reader.SetFileName("series/%s_000000.vtp" % name)
    reader.Update()
    data = reader.GetOutput()
    assert data.GetNumberOfPoints() == points, data.GetNumberOfPoints()
left = data.GetPointData().GetArray("gap").GetValue(0)
assert data.GetPointData().GetArray("force").GetNumberOfComponents() == 3 and left > 0, left
PYTHON
else
    echo "python3 has no vtk: its reader is not asked"
fi

[ "$failures" = 0 ]
