"""Many simulations on threads: the interpreter's lock is released, results are those of one, misuse is refused."""
from __future__ import annotations

import functools
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable, List

import numpy as np
import pytest

import carom
from carom._carom import lib
from conftest import BALL


def impact_of(model: carom.Model, e: float) -> bytes:
    with model.simulation() as sim:
        sim.parameters["contact.hit.restitution"] = e
        return sim.run().impacts.tobytes()


def test_same_bits(spheres: carom.Model) -> None:
    wanted = np.linspace(0.3, 0.9, 24)
    with ThreadPoolExecutor(4) as pool:
        many = list(pool.map(lambda e: impact_of(spheres, e), wanted))
    assert many == [impact_of(spheres, e) for e in wanted]


def test_lock_is_released(ball: carom.Model) -> None:
    """While one thread runs, another one executes Python."""
    sim, count, done = ball.simulation(until=1, integrator="dopri5", max_step=4e-6), 0, threading.Event()

    def run() -> None:
        sim.run(record=False)
        done.set()

    thread = threading.Thread(target=run)
    thread.start()
    while not done.is_set():
        count += 1
        time.sleep(0.001)
    thread.join()
    assert count > 10 and sim.time == 1


def test_another_thread_is_refused(pendulum: carom.Model) -> None:
    sim, refusals = pendulum.simulation(), []  # type: Any, List[str]

    reads = ("time", "channels", "impacts", "rests", "events", "open_contacts", "ledger", "statistics", "accuracy",
             "warnings", "stopped_by")
    acts: List[Callable[[], Any]] = [
        lambda: sim.step(1), lambda: sim.read("time"), lambda: sim.inputs.update(drive=1), sim.close, sim.reset,
        sim.check, sim.evaluate, *(functools.partial(getattr, sim, name) for name in reads)]

    def meddle() -> None:
        for act in acts:
            try:
                act()
            except carom.UsageError as error:
                refusals.append(str(error))

    def sample(sim: carom.Simulation, time: float) -> None:
        thread = threading.Thread(target=meddle)
        thread.start()
        thread.join()

    sim.control(10, sample)
    sim.step(0.1)
    assert len(refusals) == len(acts) and all("another thread" in text for text in refusals)


def test_worker_waits_for_a_reader(pendulum: carom.Model) -> None:
    """Who looks at a simulation does not make the one that steps it fail."""
    sim = pendulum.simulation()
    assert lib.carom_python_look(sim._guard)
    worker = threading.Thread(target=sim.step, args=(0.1,))
    worker.start()
    time.sleep(0.05)
    assert worker.is_alive() and sim.time == 0
    lib.carom_python_leave(sim._guard)
    worker.join()
    assert sim.time == 0.1


def test_kinds_on_threads() -> None:
    """Functions in Python, called from several threads, and what they raise ends the run of that thread alone."""
    @carom.law("odd", {"stiffness": carom.Param("N/m"), "fail": carom.Param(default=0.0)})
    def odd(delta: float, rate: float, v0: float, mass: float, p: Any) -> float:
        if p.fail:
            raise ArithmeticError("odd")
        return float(p.stiffness * delta)

    def run(fail: int) -> Any:
        contact = {"between": ["floor", "skin"], "normal": {"law": "odd", "stiffness": 1e5, "fail": fail}}
        return carom.Model({**BALL, "parameters": {"h": 0.3}, "contacts": {"hit": contact}}, kinds=[odd]).run().impacts

    with ThreadPoolExecutor(4) as pool:
        futures = [pool.submit(run, k % 2) for k in range(8)]
    for k, future in enumerate(futures):
        if k % 2:
            with pytest.raises(ArithmeticError):
                future.result()
        else:
            assert len(future.result()) == 2
