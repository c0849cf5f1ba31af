#!/bin/sh
# `carom export --vtk`: the folder, refusals, and what VTK itself reads where Python has it.
set -u
. "$CAROM_SOURCE_DIR/tests/support/cli.sh"

rm -rf out series few other
run_carom 0 run -q "$CAROM_MODELS/two_spheres_3d.yaml" --set R=30*mm -o out
run_carom 0 export out/two_spheres_3d.h5 --vtk -o series
snapshots=$(find series -name 'two_spheres_3d_*.vtp' | wc -l)
contacts=$(find series -name 'two_spheres_3d-contacts_*.vtp' | wc -l)
rows=$("$CAROM_EXECUTABLE" export out/two_spheres_3d.h5 --group intervals | tail -n +2 | wc -l)
listed=$(grep -c '<DataSet ' series/two_spheres_3d.pvd)
[ "$snapshots" -eq "$rows" ] && [ "$contacts" -eq "$rows" ] && [ "$listed" -eq "$rows" ] ||
    complain "$snapshots snapshots, $contacts of contacts, $listed listed, not $rows"
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

# the channels that the model records do not matter
sed 's/output: {every: 0.01\*ms}/output: {every: 0.1*ms, channels: [energy]}/' \
    "$CAROM_MODELS/two_spheres_3d.yaml" >few.yaml
run_carom 0 run -q few.yaml -o out
run_carom 0 export out/few.h5 --vtk -o few
[ -f few/few-contacts.pvd ] || complain "no contacts of a run that recorded energies only"

# a model without shapes
run_carom 0 run -q "$CAROM_MODELS/double_pendulum.yaml" -o out
run_carom 2 export out/double_pendulum.h5 --vtk -o other
expect "the model has no shapes, there is nothing to draw" error.txt
[ ! -e other ] || complain "a refused export left a folder"

# ---- VTK's own reader, of the python3 that has it ----

python=
for candidate in python3 /usr/bin/python3; do
    [ -z "$python" ] && "$candidate" -c 'import vtkmodules.vtkIOXML' 2>/dev/null && python=$candidate
done
if [ -z "$python" ]; then
    echo "no python3 with vtk: its reader is not asked"
    [ "$failures" = 0 ] && exit 77
    exit 1
fi

run_carom 0 export out/two_spheres_3d.h5 --csv --group snapshots -o snapshots.csv
"$python" - <<'PYTHON' || complain "VTK reads something else"
import csv
import xml.etree.ElementTree as tree
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader

rows = {float(row["time [s]"]): row for row in csv.DictReader(open("snapshots.csv"))}

def vector(row, name, unit):
    return [float(row["%s.%s [%s]" % (name, axis, unit)]) for axis in "xyz"]

def near(a, b, tolerance):
    return all(abs(x - y) <= tolerance for x, y in zip(a, b))

def read(name):
    """Yields the recorded row and VTK's data of each file that the list names."""
    for entry in tree.parse("series/%s.pvd" % name).getroot().iter("DataSet"):
        reader = vtkXMLPolyDataReader()
        reader.SetFileName("series/" + entry.get("file"))
        reader.Update()
        data, time = reader.GetOutput(), float(entry.get("timestep"))
        assert data.GetFieldData().GetArray("TimeValue").GetValue(0) == time
        yield rows[time], data

def texts(data, name):
    array = data.GetFieldData().GetAbstractArray(name)
    return [array.GetValue(k) for k in range(array.GetNumberOfValues())]

SPHERE, count = 482, 0
for row, data in read("two_spheres_3d"):
    assert texts(data, "body_names") == ["ground", "left", "right"], texts(data, "body_names")
    assert texts(data, "shape_names") == ["left", "right"] and texts(data, "contact_names") == ["hit"]
    assert data.GetNumberOfPoints() == 2 * SPHERE and data.GetNumberOfLines() == 2 * 96
    assert data.GetCellData().GetArray("body").GetRange() == (1, 2)
    for k, body in enumerate(("left", "right")):
        points = [data.GetPoint(k * SPHERE + i) for i in range(SPHERE)]
        centre = [sum(p[j] for p in points) / SPHERE for j in range(3)]
        assert near(centre, vector(row, "body.%s.position" % body, "m"), 1e-14), (centre, row)
        assert all(abs(sum((a - b) ** 2 for a, b in zip(p, centre)) ** 0.5 - 0.03) < 1e-14 for p in points)
    count += 1
touched = 0
for row, data in read("two_spheres_3d-contacts"):
    force = data.GetPointData().GetArray("force").GetTuple(0)
    assert force == tuple(vector(row, "contact.hit.total_force", "N"))
    assert data.GetPoint(0) == tuple(vector(row, "contact.hit.point", "m"))
    gap = data.GetPointData().GetArray("gap").GetValue(0)
    assert (gap < 0) == (force != (0, 0, 0)), (gap, force)
    touched += gap < 0
assert count == 201 and touched > 2, (count, touched)
print("VTK: %d snapshots, %d of them in contact" % (count, touched))
PYTHON

finish
