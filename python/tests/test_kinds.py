"""Laws, friction and forces as functions in Python, against the built-in ones."""
from __future__ import annotations

import math
import pickle
from typing import Any, Dict

import numpy as np
import pytest

import carom
from conftest import BALL

STIFFNESS = carom.Param("N/m^1.5", "Stiffness.", low=0)


@carom.law("my-hertz", {"stiffness": STIFFNESS, "loss": carom.Param("s/m", "Damping factor.", default=0.0)})
def my_hertz(delta: float, rate: float, v0: float, mass: float, p: Any) -> float:
    """Hertz's law with damping by Hunt and Crossley."""
    return float(p.stiffness * delta**1.5 * (1 + p.loss * rate))


@carom.law("full", {"stiffness": STIFFNESS}, ignores_v0=True)
def full(delta: float, rate: float, v0: float, mass: float, p: Any) -> carom.Force:
    root = math.sqrt(delta)
    return carom.Force(p.stiffness * delta * root, 1.5 * p.stiffness * root, 0.0, 0.4 * p.stiffness * delta**2 * root)


@carom.law("broken", {"stiffness": STIFFNESS})
def broken(delta: float, rate: float, v0: float, mass: float, p: Any) -> float:
    raise ArithmeticError("my law")


@carom.friction("tanh", {"kinetic": carom.Param("-", "Coefficient.", low=0)}, cone="kinetic")
def tanh(speed: float, normal: float, p: Any) -> float:
    return float(p.kinetic * normal * math.tanh(speed / 1e-3))


@carom.force("drag", {"c": carom.Param("N s/m", "Factor.", default=0.1)}, dissipates=True)
def drag(t: float, frame: carom.Frame, p: Any) -> Any:
    v = frame.velocity
    return -p.c * v[0], -p.c * v[1]


@carom.force("string", {"stiffness": carom.Param("N/m", "Stiffness.")}, on="between")
def string(t: float, i: carom.Frame, j: carom.Frame, p: Any) -> Any:
    return [p.stiffness * (a - b) for a, b in zip(i.position, j.position)]


@carom.force("servo", {"gain": carom.Param("N m", "Gain.")}, on="joint")
def servo(t: float, coordinate: float, rate: float, p: Any) -> float:
    return float(-p.gain * coordinate)


def with_law(normal: Dict[str, Any], **more: Any) -> Dict[str, Any]:
    return {**BALL, "parameters": {"h": 0.3},
            "contacts": {"hit": {"between": ["floor", "skin"], "normal": normal, **more}}}


def test_law() -> None:
    theirs = carom.Model(with_law({"law": "hertz", "stiffness": 1e6})).run()
    for name, tolerance in (("my-hertz", 1e-6), ("full", 1e-9)):
        run = carom.Model(with_law({"law": name, "stiffness": 1e6}), kinds=[my_hertz, full]).run()
        assert run.impacts["peak_force"] == pytest.approx(theirs.impacts["peak_force"], rel=tolerance)
        assert run.ledger.residual_fraction < 1e-7
    damped = carom.Model(with_law({"law": "my-hertz", "stiffness": 1e6, "loss": 0.1}), kinds=[my_hertz]).run()
    assert damped.impacts["e_got"][0] < 0.9 and damped.ledger.residual_fraction < 1e-6
    assert my_hertz(1.0, 0.0, 1.0, 1.0, my_hertz.values(2.0, 0.0)) == 2.0


@pytest.mark.parametrize("exponent", [1.0, 1.5, 2.0, 2.5, 4.5, 6.0])
def test_energy_by_quadrature(exponent: float) -> None:
    """A law that returns a number: the energy of a body that rests on K d^n is K d^(n+1)/(n+1)."""
    @carom.law("my-power", {"stiffness": carom.Param("N/m^n", "K")}, ignores_v0=True)
    def power(delta: float, rate: float, v0: float, mass: float, p: Any) -> float:
        return float(p.stiffness * delta**exponent)

    depth = 1e-3
    model = carom.Model({**BALL, "parameters": {"h": 0.1 - depth}, "run": {"until": 0.01}, "contacts": {
        "hit": {"between": ["floor", "skin"], "normal": {"law": "my-power", "stiffness": 9.81 / depth**exponent}}}},
        kinds=[power])
    run = model.run()
    assert run.ledger.elastic == pytest.approx(9.81 * depth / (exponent + 1), rel=1e-9)


def test_no_number_is_named() -> None:
    """What gives no finite number is named, the friction also where the normal force is one."""
    @carom.law("gap", {"stiffness": STIFFNESS})
    def gap(delta: float, rate: float, v0: float, mass: float, p: Any) -> float:
        return float(p.stiffness * delta) if delta < 1e-3 else math.nan

    @carom.friction("slow", {"kinetic": carom.Param("-", "Coefficient.")}, cone="kinetic")
    def slow(speed: float, normal: float, p: Any) -> float:
        return float(p.kinetic * normal * math.tanh(speed / 0.1)) if speed < 1.2 else math.nan

    with pytest.raises(carom.SolverError, match="the law 'gap' of contact 'hit' has no finite number"):
        carom.Model(with_law({"law": "gap", "stiffness": 1e4}), kinds=[gap]).run()
    pushed = {**with_law({"law": "hertz", "stiffness": 1e6}, friction={"law": "slow", "kinetic": 0.1}),
              "parameters": {"h": 0.0997}, "loads": {"push": {"type": "force", "on": "ball", "force": [30, 0]}}}
    with pytest.raises(carom.SolverError, match="the friction 'slow' of contact 'hit' has no finite number"):
        carom.Model(pushed, kinds=[slow]).run()


def test_no_number_at_the_onset() -> None:
    """Also where a law never gives one, and a loose tolerance is not blamed for it."""
    @carom.law("never", {"stiffness": STIFFNESS})
    def never(delta: float, rate: float, v0: float, mass: float, p: Any) -> float:
        return math.nan

    sim = carom.Model(with_law({"law": "never", "stiffness": 1e4}), kinds=[never]).simulation()
    with pytest.raises(carom.SolverError, match="the law 'never' of contact 'hit' has no finite number"):
        sim.step(1)
    assert not any("tolerance" in line for line in sim.warnings) and "tolerance" not in sim.accuracy.text


@pytest.mark.parametrize("wrong", [(1.0,), (1.0, 2.0, 3.0, 4.0), ((1.0, 0.0), (1.0, 2.0)), ((1.0,), 2.0)])
def test_numbers_of_a_force(wrong: Any) -> None:
    @carom.force("odd", {})
    def odd(t: float, frame: Any, p: Any) -> Any:
        return wrong

    model = {**with_law({"law": "hertz", "stiffness": 1e6}), "loads": {"o": {"type": "odd", "on": "ball"}}}
    with pytest.raises(carom.UsageError, match=r"in space, not [124]"):
        carom.Model(model, kinds=[odd]).simulation().step(0.01)


def test_law_is_checked() -> None:
    with pytest.raises(carom.ModelError, match="'stiffness'") as caught:
        carom.Model(with_law({"law": "full"}), kinds=[full])
    assert caught.value.line > 0
    with pytest.raises(carom.ModelError, match="it must be"):
        carom.Model(with_law({"law": "full", "stiffness": -1}), kinds=[full])
    with pytest.raises(carom.ModelError, match="no law 'full'"):
        carom.Model(with_law({"law": "full", "stiffness": 1}))
    with pytest.raises(carom.UsageError, match="the name is taken"):
        carom.Model(BALL, kinds=[carom.law("flores")(lambda *x: 0.0)])
    with pytest.raises(carom.UsageError, match="is no kind"):
        carom.Model(BALL, kinds=[len])  # type: ignore[list-item]


def test_failing_law() -> None:
    """What a law raises ends the run, and the next run is none the worse."""
    model = carom.Model(with_law({"law": "broken", "stiffness": 1e6}), kinds=[broken])
    for _ in range(2):
        with pytest.raises(ArithmeticError, match="my law"):
            model.run()
    assert len(carom.Model(BALL).run().impacts) == 3


def test_failing_start() -> None:
    """What a function raises as a simulation starts arrives there, and nowhere else."""
    touching = {**with_law({"law": "broken", "stiffness": 1e6}), "parameters": {"h": 0.0999}}
    with pytest.raises(ArithmeticError):
        carom.Model(touching, kinds=broken).simulation().step(0.01)
    assert len(carom.Model(BALL).run().impacts) == 3


def test_friction() -> None:
    normal = {"law": "hertz", "stiffness": 1e6}
    slide = {**with_law(normal, friction={"law": "tanh", "kinetic": 0.05}), "run": {"until": 0.4}}
    run = carom.Model(slide, kinds=[tanh]).run()
    lost = run.impacts["friction_lost"][0]
    # 0.05 of the impulse, as the ball slides all the time
    end = 1 - 0.05 * run.impacts["impulse"][0]
    assert lost > 0.1 and run["body.ball.velocity.x"][-1] == pytest.approx(end, rel=1e-6)
    assert run.ledger.residual_fraction < 1e-6


def test_forces() -> None:
    base = {"carom": 1, "dimension": 2, "gravity": [0, 0], "run": {"until": 1},
            "bodies": {"a": {"mass": 2, "inertia": 1, "velocity": [1, 0], "at": [0, 0]},
                       "b": {"mass": 1, "inertia": 1, "at": [1, 0]}}}
    run = carom.Model({**base, "loads": {"air": {"type": "drag", "on": "a", "c": 2}}}, kinds=[drag]).run()
    assert run["body.a.velocity.x"][-1] == pytest.approx(math.exp(-1), rel=1e-6)
    assert run.ledger.dissipated_other == pytest.approx(1 - math.exp(-2), rel=1e-6)
    assert run.ledger.residual_fraction < 1e-8
    pull = {"s": {"type": "string", "between": ["a", "b"], "stiffness": 6}}
    run = carom.Model({**base, "loads": pull}, kinds=[string]).run()
    p = 2 * run["body.a.velocity"].values + run["body.b.velocity"].values
    assert np.allclose(p, [2, 0], atol=1e-9) and run.ledger.residual_fraction < 1e-7
    pin = {**base, "joints": {"pin": {"type": "revolute", "between": ["ground", {"a": [-1, 0]}]}},
           "bodies": {"a": {"mass": 2, "inertia": 1, "velocity": [0, 1], "angular_velocity": 1, "at": [0, 0]}}}
    run = carom.Model({**pin, "loads": {"s": {"type": "servo", "on": "pin", "gain": 3}}}, kinds=[servo]).run()
    assert run["joint.pin.coordinate"][-1] == pytest.approx(math.sin(1), rel=1e-6)


def test_kinds_are_pickled() -> None:
    model = carom.Model(with_law({"law": "full", "stiffness": 1e6}), kinds=[full])
    copy = pickle.loads(pickle.dumps(model))
    assert copy.run().impacts.tobytes() == model.run().impacts.tobytes()
    assert pickle.loads(pickle.dumps(full)) is full
