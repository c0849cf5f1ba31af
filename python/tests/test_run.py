"""Results: in memory and in files, as arrays, frames, figures, pages."""
from __future__ import annotations

import base64
import gc
import html
import json
import pathlib
import subprocess
import zlib
from typing import Any

import numpy as np
import pytest

import carom
from conftest import MODELS


def test_memory_and_file_agree(ball: carom.Model, tmp_path: pathlib.Path) -> None:
    memory, direct = ball.run(), ball.run(tmp_path / "direct.h5")
    saved = memory.save(tmp_path / "saved.h5")
    for run in (direct, saved):
        assert set(run) == set(memory) and run.status == memory.status == "completed"
        assert np.array_equal(run.time, memory.time) and run.ledger == memory.ledger
        assert run.impacts.tobytes() == memory.impacts.tobytes() and run.rests.tobytes() == memory.rests.tobytes()
        assert run.events.tobytes() == memory.events.tobytes()
        for name in memory:
            assert np.array_equal(run[name].time, memory[name].time), name
            assert np.array_equal(run[name].values, memory[name].values), name
            assert run[name].info == memory[name].info
    assert direct.model_text == memory.model_text == ball.text


def test_tables_of_few_and_many_rows() -> None:
    """Both ways of making a table give the same bytes."""
    from carom import _library
    from carom._carom import ffi, lib
    sim = carom.load(MODELS / "bouncing_ball.yaml").simulation(until=12)
    sim.run(record=False)
    count = ffi.new("size_t *")
    pointer = lib.carom_simulation_impacts(sim._pointer, count)
    many = sim.impacts
    assert len(many) == count[0] > 20 and many["contact"][5] == "bounce" and np.all(np.diff(many["onset"]) > 0)
    few = _library.IMPACTS._few(pointer, len(many))
    assert few.tobytes() == many.tobytes() and few.dtype == many.dtype and few.flags.writeable


def test_channels(ball: carom.Model) -> None:
    run = ball.run()
    position = run["body.ball.position"]
    assert position.shape == (len(run.time), 2) and position.unit == "m" and len(run.time) == 201
    assert np.array_equal(position.x.values, run["body.ball.position.x"].values)
    assert np.shares_memory(position.values, run["body.ball.velocity"].values.base)  # rows, without a copy
    assert not position.values.flags.writeable
    force = run["contact.hit.force"]
    assert len(force) > 201 and np.all(np.diff(force.time) > 0)
    assert force.max() == pytest.approx(run.impacts["peak_force"].max(), rel=1e-3)
    assert np.allclose(2 * force + 1, 2 * force.values + 1) and isinstance(force / 2, np.ndarray)
    first = run.impacts[0]
    inside = force.between(first["onset"], first["onset"] + first["duration"])
    assert 5 < len(inside) < len(force) and np.shares_memory(inside.values, inside.values)
    assert position.at(0.1)[0] == pytest.approx(0.1)
    assert run.sample("body.ball.position.y", [0.1])[0] == pytest.approx(0.3 - 0.5 * 9.81 * 0.01, abs=1e-9)
    with pytest.raises(carom.UnknownNameError, match="did you mean 'contact.hit.force'"):
        run["contact.hit.forc"]
    assert run.get("nothing") is None


def test_file_is_lazy(ball: carom.Model, tmp_path: pathlib.Path) -> None:
    ball.run(tmp_path / "a.h5").close()
    with carom.open(tmp_path / "a.h5") as run:
        y = run["body.ball.position.y"]
        assert not y.values.flags.owndata and y.values[0] == 0.3
    gc.collect()
    assert y.values[0] == 0.3
    with pytest.raises(carom.UsageError, match="closed"):
        run["body.ball.position.y"]
    with pytest.raises(carom.FileError):
        carom.open(tmp_path / "none.h5")
    with pytest.raises(carom.FileError):
        ball.run(tmp_path / "no" / "folder.h5")


def test_recording(ball: carom.Model) -> None:
    sim = ball.simulation()
    sim.step(0.5)
    with sim.record() as recording:
        sim.step(0.75)
    run = recording.run
    assert run.time[0] == pytest.approx(0.5) and run.time[-1] == pytest.approx(0.75) and len(run.time) == 51
    sim.step(1.0)
    assert len(run.time) == 51
    with pytest.raises(ZeroDivisionError):
        with ball.simulation().record() as broken:
            1 / 0
    assert broken.run.status == "failed"
    assert len(sim.run(record=False)) == 0 and sim.run(record=False) and run != sim.run(record=False)
    again = ball.simulation()
    with again.record() as recording:
        again.run(record=False)
        with pytest.raises(carom.UsageError, match="recorded already"):
            again.run()
    assert len(recording.run.time) == 201


def test_recording_does_not_go_back(ball: carom.Model) -> None:
    sim = ball.simulation()
    start = sim.state()
    with sim.record() as recording:
        sim.step(0.25)
        now = sim.state()
        with pytest.raises(carom.UsageError, match="end the `with sim.record"):
            sim.reset()
        with pytest.raises(carom.UsageError, match="end the `with sim.record"):
            sim.set_state(start)
        sim.set_state(now)
        sim.step(0.5)
    assert recording.run.time[-1] == pytest.approx(0.5) and (recording.run.time[1:] > recording.run.time[:-1]).all()
    sim.reset()
    assert sim.time == 0


@pytest.mark.parametrize("in_file", [False, True])
def test_recording_of_a_part(ball: carom.Model, tmp_path: pathlib.Path, in_file: bool) -> None:
    """A ball that falls 0.2 m and gives back 0.8 touches at t, and then 1.6 t later."""
    fall = (2 * 0.2 / 9.81) ** 0.5
    whole = ball.run()
    assert whole.status == "completed"
    assert np.allclose(whole.impacts["onset"][:2], [fall, fall * (1 + 2 * 0.8)], atol=1e-2)
    # within the second impact the first part ends and the second one begins
    inside = whole.impacts["onset"][1] + 0.5 * whole.impacts["duration"][1]
    sim = ball.simulation()
    runs = []
    for k, (begin, end) in enumerate(((0, 0.1), (0.1, inside), (inside, 0.95), (0.95, 1))):
        assert sim.time == begin
        with sim.record(tmp_path / f"{k}.h5" if in_file else None) as recording:
            sim.step(end)
        runs.append(recording.run)
        onset, duration = whole.impacts["onset"], whole.impacts["duration"]
        of = (onset >= begin) & (onset + duration <= end)
        assert np.allclose(recording.run.impacts["onset"], onset[of], atol=1e-6)
        times = recording.run.time  # of the output interval
        assert 0 <= times[0] - begin < 0.0051 and 0 <= end - times[-1] < 0.0051
    assert [r.status for r in runs] == ["part"] * 4
    assert [len(r.impacts) for r in runs[:2]] == [0, 1] and sum(len(r.impacts) for r in runs) == len(whole.impacts) - 1
    saved = runs[1].save(tmp_path / "saved.h5")
    assert saved.status == "part" and len(saved.impacts) == 1
    sim.reset()
    with sim.record() as recording:
        sim.step(1)
    assert recording.run.status == "completed" and len(recording.run.impacts) == len(whole.impacts)


def test_exports(ball: carom.Model, tmp_path: pathlib.Path) -> None:
    run = ball.run()
    run.csv(tmp_path / "a.csv", "body.ball.position")
    lines = (tmp_path / "a.csv").read_text().splitlines()
    assert len(lines) == 202 and "body.ball.position.x" in lines[0]
    run.mat(tmp_path / "a.mat", "body.ball.position")
    run.gltf(tmp_path / "a.glb")
    run.vtk(tmp_path / "vtk")
    assert (tmp_path / "a.mat").stat().st_size > 2000 and (tmp_path / "a.glb").read_bytes()[:4] == b"glTF"
    assert any(p.suffix == ".pvd" for p in (tmp_path / "vtk").iterdir())


def test_export_keeps_the_result(ball: carom.Model, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "a.h5"
    ball.run(path)
    kept = path.read_bytes()
    (tmp_path / "link.h5").symlink_to(path)
    for name in ("a.h5", "link.h5"):
        exports: Any = (carom.open(path).csv, carom.open(path).mat, carom.open(path).gltf)
        for export in exports:
            with pytest.raises(carom.UsageError, match="is the result itself"):
                export(tmp_path / name)
            assert path.read_bytes() == kept


def measured_of(page: str) -> Any:
    """What the data of a page say of measured points."""
    head = json.loads(page.split('<script id="carom-meta" type="application/json">')[1].split("</script>")[0])
    blob = zlib.decompress(base64.b64decode(page.split('<script id="carom-blob" type="text/plain">')[1].split("</script>")[0]))
    offset, count, _ = head["description"]
    return json.loads(blob[offset:offset + count])["measured"]


def test_report(spheres: carom.Model, tmp_path: pathlib.Path) -> None:
    run = spheres.run()
    report = run.report(tmp_path / "a.html", title="Two spheres")
    assert (tmp_path / "a.html").read_text() == report.html and "Two spheres" in report.html
    frame = report._repr_html_()
    assert frame.startswith("<iframe") and html.escape(report.html)[:200] in frame
    both = carom.report([run, spheres.with_parameters(e=0.5).run()], labels=["seven", "five"])
    assert "seven" in both.html and "five" in both.html
    with pytest.raises(carom.UsageError, match="one for each"):
        carom.report([run], labels=[])
    with pytest.raises(carom.FileError, match="make the folder first"):
        run.report(tmp_path / "no" / "a.html")
    data = [carom.Measured("drop", [0.001, 0.002], [1.0, 2.0], "kN", error=[0.1, 0.1]),
            carom.Measured("loop", [1e-6, 2e-6, 1e-6], [3.0, 5.0, 2.0], "N", over="m")]
    drop, loop = measured_of(run.report(data=data).html)
    assert drop["label"] == "drop" and drop["unit"] == "kN" and "over" not in drop and "error" in drop
    assert loop["over"] == "m" and loop["t"][1] == 3 and "error" not in loop
    for wrong in ([carom.Measured("a", [1, 2], [1], "N")], [carom.Measured("a", [], [], "N")],
                  [carom.Measured("a", [1], [1], "N", over="kg")]):
        with pytest.raises(carom.UsageError, match="measured data 'a'"):
            run.report(data=wrong)
    table = run._repr_html_()
    assert "peak_force [kN]" in table and "<td>hit</td>" in table


def test_frames(ball: carom.Model) -> None:
    pandas = pytest.importorskip("pandas")
    run = ball.run()
    frame = run.impacts_frame()
    assert list(frame.columns) == list(run.impacts.dtype.names or ()) and frame["contact"][0] == "hit"
    frame = run.frame("body.ball.position", "contact.hit.force")
    assert isinstance(frame, pandas.DataFrame)
    assert list(frame.columns) == ["body.ball.position.x", "body.ball.position.y", "contact.hit.force"]
    assert len(frame) == 201 and "energy.kinetic" in run.frame().columns


def test_plot(spheres: carom.Model, tmp_path: pathlib.Path) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    run = spheres.run()
    figure, axes = plt.subplots(1, 3)
    run.plot(ax=axes[0])
    run.plot("contact.hit.force", x="contact.hit.indentation", impact=1, ax=axes[1], color="black")
    run.plot("body.left.velocity", "body.right.velocity", ax=axes[2])
    assert axes[0].get_ylabel() == "Force F [N]" and axes[1].get_xlabel() == "Indentation δ [m]"
    assert len(axes[2].lines) == 4 and axes[2].get_legend() is not None
    figure.savefig(tmp_path / "a.png")
    plt.close(figure)
    with pytest.raises(carom.UsageError, match="the run has 1"):
        run.plot(impact=2)


def test_same_as_the_program(spheres: carom.Model, tmp_path: pathlib.Path) -> None:
    """The same bits as `carom run`."""
    import os
    program = os.environ.get("CAROM_EXECUTABLE")
    if not program:
        pytest.skip("the program was not built")
    subprocess.run([program, "run", str(MODELS / "two_spheres.yaml"), "--set", "law=flores", "-o", str(tmp_path)],
                   check=True, capture_output=True)
    theirs, ours = carom.open(tmp_path / "two_spheres.h5"), spheres.run()
    assert theirs.impacts.tobytes() == ours.impacts.tobytes() and theirs.overrides == ours.overrides
    for name in ours:
        assert np.array_equal(theirs[name].values, ours[name].values), name


def test_analyses() -> None:
    model = carom.load(MODELS / "four_bar.yaml")
    found = model.analyse("assembly")
    assert found["degrees_of_freedom"] == 1 and found.units["kinetic"] == "J"
    table = found.tables["bodies"]
    assert table.dtype.names is not None and table["body"][0] in model.bodies
    with pytest.raises(carom.UnknownNameError):
        found["degrees"]
    with pytest.raises(carom.UsageError, match="no option"):
        model.analyse("assembly", toleranc=1)
    modes = carom.load(MODELS / "pendulum.yaml").analyse("modes")
    matrices: Any = modes.matrices
    assert all(m.shape == (len(m.row_names), len(m.column_names)) for m in matrices.values()) and matrices


def test_run_of_an_analysis() -> None:
    """A run that is an analysis is refused as a motion, with the calls of Python that compute it or run another one."""
    body: Any = {"carom": 1, "dimension": 2, "gravity": [0, -9.81], "bodies": {"b": {"mass": 1, "inertia": 1}}}
    both = carom.Model({**body, "run": [{"analysis": "assembly"}, {"until": 0.5}]})
    calls: Any = (both.run, both.simulation, lambda: both.derivatives(["gravity.y"]))
    for call in calls:
        with pytest.raises(carom.UsageError, match=r"'assembly'.*model\.analyse\(0\).*run=1"):
            call()
    assert both.run(run=1)["body.b.position"].values[-1][1] == pytest.approx(-9.81 * 0.5**2 / 2, rel=1e-7)
    assert both.analyse(0).name == "assembly"
    with pytest.raises(carom.UsageError, match=r"model\.analyse\(0\).*no run that is a motion"):
        carom.Model({**body, "run": {"analysis": "assembly"}}).run()


def test_laws() -> None:
    law = carom.NormalForce("flores", stiffness=5.5e9, restitution=0.7)
    found = law.force(np.array([1e-6, 2e-6]), 0.1, speed=0.3)
    assert found.elastic == pytest.approx(5.5e9 * np.array([1e-6, 2e-6])**1.5) and law.exponent == 1.5
    assert found.force == pytest.approx(found.elastic + found.damping) and isinstance(law.force(1e-6).force, float)
    with pytest.raises(carom.UsageError):
        law.force(-1.0)
    with pytest.raises(carom.ModelError, match="did you mean"):
        carom.NormalForce("florez", stiffness=1)
    impact = carom.impact("exact", mass=0.046, speed=0.3, stiffness="5.5*GPa*m^0.5", restitution=0.7, points=50)
    assert impact.e_got == pytest.approx(0.7) and impact.time.shape == (50,) and impact.force.max() > 100


def test_derivatives_of_a_moving_end() -> None:
    """A throw, x = u T and T = 2 v / g, stopped where it began."""
    model = carom.Model("""carom: 1
dimension: 2
gravity: [0, -9.81]
parameters: {u: 2, v: 4, h: 1e-9}
bodies: {p: {mass: 1, inertia: 1, velocity: [u, v]}}
events: {down: {when: y(p) < -h, do: stop}}
run: {until: 2}
""")
    for times in (None, [0.5, 1.5]):
        d = model.derivatives(["u", "v"], channels=["body.p.position"], times=times)
        end = 2 * 4 / 9.81
        assert d.parameters["v"].end == pytest.approx(2 / 9.81, rel=1e-6) and abs(d.parameters["u"].end) < 1e-9
        assert d["body.p.position"]["v"][-1].tolist() == pytest.approx([2 * 2 / 9.81, 0], abs=1e-6)
        assert d["body.p.position"]["u"][-1].tolist() == pytest.approx([end, 0], abs=1e-6)
    assert d["body.p.position"]["v"][0].tolist() == pytest.approx([0, 0.5], abs=1e-9)


def test_derivatives() -> None:
    text = """carom: 1
dimension: 2
gravity: [0, -gr]
parameters: {gr: 9.81, e: 0.7, H: 0.5, none: 1}
bodies:
  ball: {mass: 0.2, inertia: 1e-5, at: [0, H + 0.02]}
shapes:
  b: {type: sphere, on: ball, radius: 0.02}
  floor: {type: plane, on: ground, normal: [0, 1]}
contacts:
  c: {between: [b, floor], normal: {law: exact, stiffness: 1e8, restitution: e}}
run: {until: 0.5}
"""
    model = carom.Model(text)
    d = model.derivatives(["H", "e", "none", "body.ball.velocity.y"], channels=["body.ball.position", "energy.kinetic"],
                          times=[0.2, 0.5], tolerance=1e-10)
    assert len(d.run_impacts) == 1 and len(d) == 2 and not d.warnings
    onset = d.run_impacts["onset"][0]
    assert d.impacts["H"]["onset"][0] == pytest.approx(1 / (9.81 * onset), rel=1e-6)
    assert d.impacts["body.ball.velocity.y"]["onset"][0] == pytest.approx(1 / 9.81, rel=1e-6)
    assert d.impacts["H"]["v_in"][0] == pytest.approx(9.81 / d.run_impacts["v_in"][0], rel=1e-6)
    assert d["body.ball.position"]["H"][0].tolist() == pytest.approx([0, 1], abs=1e-9)
    assert d["energy.kinetic"]["e"].shape == (2,) and d["energy.kinetic"]["e"][0] == 0
    assert d.parameters["e"].influences and not d.parameters["none"].influences
    e = 1e-4
    runs = [model.with_parameters(e=0.7 + k * e).run(tolerance=1e-11) for k in (-1, 1)]
    slope = (runs[1].impacts["v_out"][0] - runs[0].impacts["v_out"][0]) / (2 * e)
    assert d.impacts["e"]["v_out"][0] == pytest.approx(slope, rel=1e-5)
    assert model.run().derivatives == {}
    with pytest.raises(carom.UsageError, match="did you mean 'H'"):
        model.derivatives(["HH"])
    with pytest.raises(carom.UsageError, match="lists"):
        model.derivatives("H")
    with pytest.raises(carom.UsageError, match="times ascend"):
        model.derivatives(["H"], channels=["body.ball.position"], times=[0.5, 0.2])
    with pytest.raises(KeyError):
        d["body.ball.velocity"]
