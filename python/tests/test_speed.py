"""What Python costs above C, in the same process; what stays in memory."""
from __future__ import annotations

import ctypes
import gc
import math
import resource
import time

import numpy as np

import carom
from conftest import address, least


def test_control_loop(pendulum: carom.Model, in_c: ctypes.CDLL) -> None:
    """A loop at 1 kHz: at most 2 us a step above C."""
    def python() -> float:
        sim = pendulum.simulation()
        q, v, inputs, up = sim.positions, sim.velocities, sim.inputs, math.pi / 2
        start = time.process_time()
        for k in range(1, 1001):
            torque = -60 * (q.item(2) - up) - 10 * v.item(2)
            inputs["drive"] = -4.0 if torque < -4.0 else 4.0 if torque > 4.0 else torque
            sim.step(k * 1e-3)
        return time.process_time() - start

    def c() -> float:
        sim = pendulum.simulation()
        start = time.process_time()
        assert in_c.control_loop(address(sim._pointer), 1000) == 0
        return time.process_time() - start

    least(c, python, lambda in_c, in_python: in_python - in_c < 1000 * 2e-6)


def test_controller(pendulum: carom.Model, in_c: ctypes.CDLL) -> None:
    """A controller at 1 kHz: the same."""
    def run(in_python: bool) -> float:
        sim = pendulum.simulation()
        q, v, inputs, up = sim.positions, sim.velocities, sim.inputs, math.pi / 2

        def hold(sim: carom.Simulation, time: float) -> None:
            torque = -60 * (q.item(2) - up) - 10 * v.item(2)
            inputs["drive"] = -4.0 if torque < -4.0 else 4.0 if torque > 4.0 else torque

        sim.control(1e-3, hold if in_python else in_c.control)
        start = time.process_time()
        sim.step(1.0)
        return time.process_time() - start

    least(lambda: run(False), lambda: run(True), lambda in_c, in_python: in_python - in_c < 1000 * 2e-6)


def test_impacts(spheres: carom.Model, in_c: ctypes.CDLL) -> None:
    """Impacts of two spheres, in parts of 50: within 1.3 times C with a simulation that is set back. With one made for
    each what Python adds is less than half of what the impact takes C by the Adams method, with which the bound was
    set; by auto C takes two thirds of that."""
    n = 50
    by_adams = carom.Model(spheres.text.replace("run: {", "run: {integrator: adams, "), name="adams")
    adams = [float("inf")]
    ours, theirs = np.empty(n), np.empty(n)
    out = theirs.ctypes.data_as(ctypes.c_void_p)

    def each() -> float:
        start = time.process_time()
        for k in range(n):
            with spheres.simulation() as sim:
                sim.parameters["contact.hit.restitution"] = 0.4 + 0.001 * k
                ours[k] = sim.run(record=False).impacts["e_got"][0]
        return time.process_time() - start

    def loop_in_c(model: carom.Model) -> float:
        start = time.process_time()
        assert in_c.impact_loop(address(model._pointer), n, out) == 0
        return time.process_time() - start

    def each_in_c() -> float:
        adams[0] = min(adams[0], loop_in_c(by_adams))
        return loop_in_c(spheres)

    sim = spheres.simulation()

    def reset() -> float:
        start = time.process_time()
        for k in range(n):
            sim.reset()
            sim.parameters["contact.hit.restitution"] = 0.4 + 0.001 * k
            ours[k] = sim.run(record=False).impacts["e_got"][0]
        return time.process_time() - start

    def reset_in_c() -> float:
        start = time.process_time()
        assert in_c.reset_loop(address(sim._pointer), n, out) == 0
        return time.process_time() - start

    least(reset_in_c, reset, lambda c, python: python < 1.3 * c)
    assert np.array_equal(ours, theirs)
    least(each_in_c, each, lambda c, python: python - c < 0.5 * adams[0])
    assert np.array_equal(ours, theirs)
    assert adams[0] < float("inf")


def test_nothing_leaks(spheres: carom.Model) -> None:
    """Simulations, runs, errors and models leave nothing; 10^5 simulations by hand, python/tests/leak.py."""
    def some(count: int) -> None:
        for k in range(count):
            with spheres.simulation(until=1e-5) as sim:
                sim.observe(onset=lambda sim, contact: None)
                sim.control(1.0, lambda sim, time: None)
                view, state = sim.positions, sim.state()
                sim.run()
                assert view[0] < 0 and len(state) > 3
            if k % 10 == 0:
                try:
                    spheres.simulation(integrator="nothing")
                except carom.UsageError:
                    pass
                spheres.with_parameters(K=1e9)

    gc.disable()
    try:
        some(200)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        some(1000)
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    finally:
        gc.enable()
    # a simulation has more than 100 kB: a tenth of them left behind would be 10 MB [kB]
    assert grown < 4000


def test_cycles_are_collected(spheres: carom.Model) -> None:
    """A controller that refers to its simulation, which has views: the collector finds them."""
    import weakref
    left = []
    for _ in range(5):
        sim = spheres.simulation(until=1e-5)
        view = sim.positions

        def control(given: carom.Simulation, time: float, sim: carom.Simulation = sim) -> None:
            assert given is sim and view[0] < 0

        sim.control(1.0, control)
        sim.observe(step=lambda given, sim=sim: None)  # type: ignore[misc]
        sim.step()
        left.append(weakref.ref(sim))
        del sim, view, control
    gc.collect()
    assert all(ref() is None for ref in left)
