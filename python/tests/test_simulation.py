"""Simulations: steps, views, reading, acting, states, controllers, observers; what is refused."""
from __future__ import annotations

import copy
import ctypes
import gc
import math
import pickle
from typing import Any, List, Tuple

import numpy as np
import pytest

import carom
from conftest import BALL, MODELS, PENDULUM


def test_views_share_memory(ball: carom.Model) -> None:
    from carom._carom import ffi, lib
    sim = ball.simulation()
    q, v = sim.positions, sim.velocities
    pointer = int(ffi.cast("uintptr_t", lib.carom_simulation_positions(sim._pointer, ffi.NULL)))
    assert q.ctypes.data == pointer and not q.flags.owndata and not q.flags.writeable
    assert sim.positions is q and len(q) == 3
    sim.step(0.1)
    assert q[0] == pytest.approx(0.1) and v[1] == pytest.approx(-0.981)
    sim.apply_force("ball", (3, 0))
    sim.step(0.15)
    assert q.ctypes.data == pointer and v[0] == pytest.approx(1 + 3 * 0.05)
    sim.reset()
    assert q[0] == 0
    with pytest.raises(ValueError):
        q[0] = 1
    state = sim.state()
    assert np.shares_memory(state.positions, state.positions) and not np.shares_memory(state.positions, q)
    sim.close()
    gc.collect()
    assert q[1] == 0.3      # the memory lives as long as the view


def test_steps(ball: carom.Model) -> None:
    with ball.simulation() as sim:
        sim.step(0.123)
        assert sim.time == 0.123
        sim.step()
        assert sim.time > 0.123 and sim.until == 1
        with pytest.raises(carom.UsageError, match="beyond the run's end"):
            sim.step(2.0)
        sim.step(1.0)
        with pytest.raises(carom.UsageError, match="at its end"):
            sim.step()
        assert len(sim.impacts) == 3 and sim.impacts["contact"][0] == "hit"
        assert sim.ledger.residual_fraction < 1e-6 and sim.accuracy.accurate and sim.statistics.steps > 10
    with pytest.raises(carom.UsageError, match="closed"):
        sim.step()
    with pytest.raises(carom.UsageError, match="closed"):
        sim.time
    sim.close()


def test_options(ball: carom.Model) -> None:
    sim = ball.simulation(until=0.5, integrator="dopri5", tolerance=1e-10, every=0.1, channels=["body"])
    assert sim.integrator == "dopri5" and sim.until == 0.5
    run = sim.run()
    assert len(run.time) == 6 and all(name.startswith("body") for name, info in run.channels.items() if info.group == 0)
    with pytest.raises(carom.UsageError, match="did you mean 'dopri5'"):
        ball.simulation(integrator="dopri4")
    with pytest.raises(carom.UsageError, match="run 1"):
        ball.simulation(1)
    with pytest.raises(TypeError):
        ball.simulation(untill=1)  # type: ignore[call-arg]
    with pytest.raises(carom.UsageError, match="until: no parameter or constant 'soon'"):
        ball.simulation(until="soon")
    for tolerance in (0, -1, float("nan"), 1):
        with pytest.raises(carom.UsageError, match="between 1e-13 and 0.1"):
            ball.simulation(tolerance=tolerance)
    with pytest.raises(carom.UsageError, match="channels is empty"):
        ball.simulation(channels=[])


def test_stop_event() -> None:
    sim = carom.Model({"carom": 1, "dimension": 2, "events": {"far": {"when": "x(b) > 0.35", "do": "stop"}},
                       "bodies": {"b": {"mass": 1, "inertia": 1, "velocity": [1, 0]}},
                       "run": {"until": 1}}).simulation()
    with pytest.raises(carom.UsageError, match="event 'far' has stopped it"):
        while sim.time < sim.until:
            sim.step(sim.time + 0.1)
    assert sim.time == pytest.approx(0.35, abs=1e-12) and sim.stopped_by == "far"
    with pytest.raises(carom.UsageError, match="event 'far' has stopped it"):
        sim.step()


def test_options_as_texts(ball: carom.Model) -> None:
    assert ball.simulation(until="250*ms").until == 0.25
    assert all(name.startswith("contact") or info.group == 2
               for name, info in ball.run(channels="contact").channels.items())
    with pytest.raises(carom.UsageError, match="is a length"):
        ball.simulation(until="250*mm")


def test_refusals(ball: carom.Model) -> None:
    sim = ball.simulation()
    sim.step(0.2)
    sim.step(0.2)
    none: Any = 3
    for wrong, part in ((lambda: sim.step(0.1), "is past"), (lambda: sim.step(math.nan), "is no number"),
                        (lambda: sim.apply_force("ball", (1,)), "2 numbers"),
                        (lambda: sim.apply_force("ball", (1, 2, 3)), "leaves the plane"),
                        (lambda: sim.apply_force("bal", (1, 2)), "did you mean 'ball'"),
                        (lambda: sim.apply_torque("ball", (1, 2)), "3 in space, not 2"),
                        (lambda: sim.set_state(none), "is no state"),
                        (lambda: sim.observe(step=none), "is no function"),
                        (lambda: sim.set_state(carom.Model(BALL).simulation().state()), "another model"),
                        (lambda: ball.simulation(channels=["contct"]).channels, "contct"),
                        (lambda: carom.columns("x"), "impacts, rests")):  # type: Any, str
        with pytest.raises(carom.Error, match=part):
            wrong()
    with pytest.raises(TypeError):
        sim.step("soon")  # type: ignore[arg-type]


def test_events() -> None:
    run = carom.load(MODELS / "latch.yaml").run()
    assert len(run.events) > 1 and "lock" in run.events["kind"][0] and np.all(np.diff(run.events["time"]) > 0)


def test_read(ball: carom.Model) -> None:
    sim = ball.simulation()
    assert sim["body.ball.position.y"] == 0.3
    assert np.array_equal(sim["body.ball.velocity"], [1, 0])
    assert sim.body("ball").position[1] == 0.3
    with pytest.raises(carom.UnknownNameError, match="did you mean 'body.ball.position'"):
        sim["body.ball.positon"]
    assert "contact.hit.force" in sim.channels and sim.channels["contact.hit.force"].unit == "N"


def test_parameters(ball: carom.Model) -> None:
    sim = ball.simulation()
    sim.parameters["contact.hit.restitution"] = 0.5
    assert sim.parameters["contact.hit.restitution"] == 0.5
    changed = sim.run(record=False).impacts
    text = {**BALL, "contacts": {"hit": {"between": ["floor", "skin"],
                                         "normal": {"law": "flores", "stiffness": 1e6, "restitution": 0.5}}}}
    assert changed.tobytes() == carom.Model(text).run().impacts.tobytes()
    with pytest.raises(carom.UnknownNameError):
        sim.parameters["contact.hit.restituton"]


def test_inputs_and_records(pendulum: carom.Model) -> None:
    sim = pendulum.simulation()
    assert dict(sim.inputs) == {"drive": 0}
    sim.inputs["drive"] = 2.5
    assert sim.inputs["drive"] == 2.5
    with pytest.raises(carom.UnknownNameError, match="did you mean 'drive'"):
        sim.inputs["driv"] = 1
    with pytest.raises(carom.UsageError, match="not finite"):
        sim.inputs["drive"] = math.nan
    t = np.linspace(0, 4, 41)
    followed = pendulum.simulation(inputs={"drive": (t, np.sin(t))})
    followed.step(1.05)
    assert followed.inputs["drive"] == pytest.approx(math.sin(1.05), abs=1e-5)
    with pytest.raises(carom.UsageError, match="follows its record"):
        followed.inputs["drive"] = 0
    with pytest.raises(carom.UsageError, match="give as many of both"):
        pendulum.simulation(inputs={"drive": (t, t[:3])})


def controller(sim: carom.Simulation) -> Any:
    q, v, inputs = sim.positions, sim.velocities, sim.inputs

    def hold(sim: carom.Simulation, time: float) -> None:
        inputs["drive"] = max(-4.0, min(4.0, -60 * (q.item(2) - math.acos(0)) - 10 * v.item(2)))

    return hold


def test_control(pendulum: carom.Model, in_c: ctypes.CDLL) -> None:
    """The loop, the controller in Python and the one in C give the same bits."""
    ends: List[Any] = []
    for way in ("python", "c", "loop"):
        sim = pendulum.simulation(until=2)
        hold = controller(sim)
        if way == "loop":
            for k in range(2000):
                hold(sim, 0)
                sim.step((k + 1) * 1e-3)
        else:
            sim.control(1e-3, hold if way == "python" else in_c.control)
            sim.step(2.0)
        ends.append(sim.positions.copy())
    assert ends[0][2] == pytest.approx(math.pi / 2, abs=1e-5)
    assert np.array_equal(ends[0], ends[1]) and np.array_equal(ends[0], ends[2])


def test_control_as_decorator_and_failure(pendulum: carom.Model) -> None:
    sim, samples = pendulum.simulation(), []

    @sim.control(0.1)
    def sample(sim: carom.Simulation, time: float) -> None:
        samples.append(time)
        if len(samples) == 4:
            raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        sim.run()
    assert len(samples) == 4 and sim.time == pytest.approx(0.3)
    sim.clear_control()
    sim.step(0.5)
    assert len(samples) == 4
    with pytest.raises(carom.UsageError, match="period"):
        sim.control(-1, lambda sim, time: None)
    with pytest.raises(carom.UsageError, match="no function"):
        sim.control(1, "x")
    sim.control(0.1, lambda sim, time: sim.step())
    with pytest.raises(carom.UsageError, match="from within a step"):
        sim.step(1.0)


def test_close_within_a_step(pendulum: carom.Model) -> None:
    sim = pendulum.simulation()
    sim.control(0.1, lambda sim, time: sim.close())
    with pytest.raises(carom.UsageError, match="closed|from within"):
        sim.step(0.2)
        sim.step(0.4)


def test_check(spheres: carom.Model) -> None:
    found = spheres.simulation().check()
    hit = found.contacts["hit"]
    assert found.bodies == 2 and found.mobility == 6 and found.redundant == () and found.formulation == "cartesian"
    impact = spheres.run().impacts[0]
    assert hit["law"] == "flores" and hit["expected_speed"] == pytest.approx(0.3)
    assert hit["peak_force"] == pytest.approx(impact["peak_force"], rel=1e-4)
    assert hit["achieved_restitution"] == pytest.approx(impact["e_got"], rel=1e-4)
    assert isinstance(hit["warnings"], tuple)


def test_observers(ball: carom.Model) -> None:
    sim, seen = ball.simulation(), []  # type: Any, List[Any]
    sim.observe(onset=lambda sim, contact: seen.append(("onset", contact.contact, contact.v_in)),
                release=lambda sim, impact: seen.append(("release", impact["contact"], impact["e_got"])),
                event=lambda sim, event: seen.append((event.type, event.name, event.time)),
                step=lambda sim: seen.append(("step", sim.time)))
    sim.run(record=False)
    kinds = [entry[0] for entry in seen]
    assert kinds.count("step") == sim.statistics.steps and kinds.count("onset") == 8
    assert kinds.count("release") == 6     # of the observer of releases, and of that of all that is located
    broken = ball.simulation()
    broken.observe(onset=lambda sim, contact: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        broken.run()
    assert broken.time < 0.3


def test_states(pendulum: carom.Model) -> None:
    sim = pendulum.simulation()
    state = sim.state()
    assert state["joint.pin.coordinate"] == pytest.approx(math.radians(75), abs=1e-3)     # as assembled
    state["joint.pin.coordinate"], state["joint.pin.rate"] = 0.5, 2
    sim.set_state(state)
    assert sim["joint.pin.coordinate"] == pytest.approx(0.5) and sim.velocities[2] == pytest.approx(2)
    taken = sim.state()
    sim.step(0.1)
    first = sim.positions.copy()
    sim.set_state(taken)
    sim.step(0.1)
    assert np.array_equal(first, sim.positions)
    taken.positions = sim.positions
    assert np.array_equal(taken.positions, sim.positions)
    assert state.units["joint.pin.coordinate"] == "rad" and "input.drive" in state
    with pytest.raises(carom.UnknownNameError):
        state["joint.pin.coordinat"]
    at = sim.evaluate()
    assert at.kinetic > 0 and at.joints["pin"]["force"].shape == (3,)
    m, j = sim.mass_matrix(), sim.jacobian()
    assert np.allclose(np.diag(m), [1, 1, 0.0833]) and j.shape == (2, 3)
    assert np.allclose(m @ at.accelerations, [0, -9.81, 0] + j.T @ at.multipliers)


def test_clone_and_checkpoint(ball: carom.Model) -> None:
    sim = ball.simulation()
    sim.step(0.4)
    copy, fresh = sim.clone(), ball.simulation()
    fresh.resume(sim.checkpoint())
    for s in (sim, copy, fresh):
        s.step(1.0)
    assert np.array_equal(sim.positions, copy.positions) and np.array_equal(sim.positions, fresh.positions)
    assert sim.impacts.tobytes() == copy.impacts.tobytes() == fresh.impacts.tobytes()
    with pytest.raises(carom.FileError):
        fresh.resume(b"nothing")


def test_motions() -> None:
    pin = {"type": "revolute", "between": ["ground", "bar.root"], "motion": 0}
    model = carom.Model({**PENDULUM, "joints": {"pin": pin},
                         "run": {"until": 1, "analysis": "kinematics"}})
    sim = model.simulation(motions={"pin": lambda t: (t * t, 2 * t, 2.0)})
    sim.step(0.5)
    assert sim.body("bar").angle == pytest.approx(0.25)

    def fails(t: float) -> Tuple[float, float, float]:
        return (t * t, 2 * t, 2.0) if t < 0.2 else (1 / 0, 0, 0)

    wrong = model.simulation(motions={"pin": fails})
    with pytest.raises(ZeroDivisionError):
        wrong.step(0.5)


def test_interrupted(ball: carom.Model) -> None:
    sim = ball.simulation(until=1000, integrator="dopri5", max_step=1e-4)

    def enough(info: carom.ProgressInfo) -> bool:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sim.run(record=False, progress=enough)
    assert 0 < sim.time < 1000
    with pytest.raises(carom.Interrupted):
        sim.run(record=False, progress=lambda info: False)


def test_what_is_wrong_is_said_by_its_name(ball: carom.Model) -> None:
    sim = ball.simulation()
    state = sim.state()
    wrong: List[Tuple[str, Any]] = [("body.ball.position", [1, math.nan]), ("body.ball.position", [1, 2, 3]), ("time", -1)]
    for name, value in wrong:
        with pytest.raises(carom.UsageError) as caught:
            state[name] = value
        assert not isinstance(caught.value, carom.UnknownNameError), name
    with pytest.raises(carom.UnknownNameError):
        state["body.bal.position"] = [1, 2]
    with pytest.raises(carom.UsageError, match="is no number"):
        sim.step(float("nan"))
    with pytest.raises(carom.UsageError, match="given as times and values"):
        ball.run(inputs={"wind": 3})
    with pytest.raises(carom.UsageError, match="'furlong' is no unit"):
        ball.run().report(data=[carom.Measured("a", [0, 1], [0, 1], "furlong")])


def test_ranges_are_told(ball: carom.Model) -> None:
    sim = ball.simulation()
    with pytest.raises(carom.UsageError, match="must be above 0 and at most 1"):
        sim.parameters["contact.hit.restitution"] = 5
    assert 0 < sim.parameters["contact.hit.restitution"] <= 1


@pytest.mark.filterwarnings("error")
def test_handles_are_not_pickled(ball: carom.Model) -> None:
    sim = ball.simulation()
    acts: List[Any] = [pickle.dumps, copy.deepcopy]
    for act in acts:
        with pytest.raises(TypeError, match="cannot be copied or pickled"):
            act(sim)
        with pytest.raises(TypeError, match="cannot be copied or pickled"):
            act(sim.state())
    sim.step()


def test_torques_of_all_types(ball: carom.Model) -> None:
    """A torque in the plane is a number, whatever type it has."""
    turned = []
    torques: List[Any] = [2, 2.0, np.float32(2), np.int64(2), np.array(2.0), (0, 0, 2), np.array([0.0, 0.0, 2.0])]
    for torque in torques:
        sim = ball.simulation()
        sim.apply_torque("ball", torque)
        sim.step(0.1)
        turned.append(float(sim.velocities[2]))
    assert turned[0] > 0 and turned == [turned[0]] * len(torques)
