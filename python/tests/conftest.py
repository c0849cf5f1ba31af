"""What the tests share: models, functions in C, times that a loaded machine does not spoil."""
from __future__ import annotations

import ctypes
import os
import pathlib
import subprocess
from typing import Any, Callable, Dict

import pytest

import carom

ROOT = pathlib.Path(os.environ.get("CAROM_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
MODELS = ROOT / "models"

PENDULUM: Dict[str, Any] = {
    "carom": 1, "dimension": 2, "gravity": [0, -9.81], "inputs": {"drive": 0},
    "bodies": {"bar": {"mass": 1, "inertia": 0.0833, "at": [0.13, 0.483], "angle": "75*deg",
                       "frames": {"root": [-0.5, 0]}}},
    "joints": {"pin": {"type": "revolute", "between": ["ground", "bar.root"]}},
    "loads": {"motor": {"type": "torque", "on": "bar", "torque": "drive"}},
    "run": {"until": 4, "integrator": "dopri5"}}

BALL: Dict[str, Any] = {
    "carom": 1, "dimension": 2, "gravity": [0, -9.81], "parameters": {"h": 0.3, "law": "flores"},
    "bodies": {"ball": {"mass": 1, "inertia": 0.004, "at": [0, "h"], "velocity": [1, 0]}},
    "shapes": {"skin": {"type": "sphere", "on": "ball", "radius": 0.1},
               "floor": {"type": "plane", "on": "ground", "normal": [0, 1]}},
    "contacts": {"hit": {"between": ["floor", "skin"],
                         "normal": {"law": "$law", "stiffness": 1e6, "restitution": 0.8}}},
    "run": {"until": 1}}


@pytest.fixture
def spheres() -> carom.Model:
    return carom.load(MODELS / "two_spheres.yaml", law="flores")


@pytest.fixture
def ball() -> carom.Model:
    return carom.Model(BALL, name="ball")


@pytest.fixture
def pendulum() -> carom.Model:
    return carom.Model(PENDULUM, name="pendulum")


@pytest.fixture(scope="session")
def in_c(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    """loops.c, linked with the library that is in the package."""
    from carom import _carom
    target = tmp_path_factory.mktemp("c") / "loops.so"
    source = pathlib.Path(__file__).with_name("loops.c")
    subprocess.run([*os.environ.get("CC", "cc").split(), "-O2", "-shared", "-fPIC", f"-I{ROOT / 'include'}",
                    str(source), "-o", str(target), "-lm"], check=True)
    ctypes.CDLL(_carom.__file__, ctypes.RTLD_GLOBAL)
    return ctypes.CDLL(str(target))


def address(pointer: Any) -> ctypes.c_void_p:
    from carom._carom import ffi
    return ctypes.c_void_p(int(ffi.cast("uintptr_t", pointer)))


def least(first: Callable[[], float], second: Callable[[], float], enough: Callable[[float, float], bool],
          rounds: int = 60) -> None:
    """The least times of two ways, taken in turn, until they are as wanted."""
    a = b = float("inf")
    for _ in range(rounds):
        a, b = min(a, first()), min(b, second())
        if enough(a, b):
            return
    raise AssertionError(f"{a} s and {b} s after {rounds} rounds")
