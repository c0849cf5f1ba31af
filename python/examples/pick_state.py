"""A four-bar linkage at a crank angle and speed of one's choice: reactions there, without integrating."""
import pathlib

import numpy as np

import carom

MODELS = pathlib.Path(__file__).resolve().parents[2] / "models"

model = carom.load(MODELS / "four_bar.yaml")
sim = model.simulation()
state = sim.state()
first = next(iter(model.joints))
angles = np.linspace(0.1, 0.5, 5)
for angle in angles:
    state[f"joint.{first}.coordinate"], state[f"joint.{first}.rate"] = angle, 5.0
    sim.assemble(state)
    at = sim.evaluate(state)
    force = np.hypot(*at.joints[first]["force"][:2])
    print(f"{angle:.2f} rad: {force:8.3f} N, kinetic energy {at.kinetic:.4f} J")
    assert np.isfinite(force) and at.position_residual < 1e-8
