"""400 variants of an impact on all cores: threads, as the interpreter's lock is released while Carom is at work."""
import itertools
import pathlib
from concurrent.futures import ThreadPoolExecutor
from typing import Tuple

import numpy as np

import carom

MODELS = pathlib.Path(__file__).resolve().parents[2] / "models"

model = carom.load(MODELS / "two_spheres.yaml", law="flores")


def restitution(variant: Tuple[float, float]) -> float:
    """What a restitution and a stiffness [N/m^1.5] really give."""
    with model.simulation() as sim:
        sim.parameters["contact.hit.restitution"], sim.parameters["contact.hit.stiffness"] = variant
        return float(sim.run(record=False).impacts["e_got"][0])


asked, stiffness = np.linspace(0.1, 1, 40), np.geomspace(1e9, 1e11, 10)
with ThreadPoolExecutor() as pool:
    got = np.array(list(pool.map(restitution, itertools.product(asked, stiffness)))).reshape(40, 10)
spread = np.ptp(got, axis=1).max()
print(f"asked 0.1: {got[0, 0]:.3f}; 1: {got[-1, 0]:.3f}; the stiffness changes it by at most {spread:.1e}")
assert spread < 1e-5 and abs(got[-1, 0] - 1) < 1e-5
