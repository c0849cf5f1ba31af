"""A contact law and a force of one's own: a ball that falls through air on a cubic spring."""
from typing import Any, Tuple

import carom


@carom.law("cubic", {"stiffness": carom.Param("N/m^3", "Stiffness.", low=0),
                     "loss": carom.Param("s/m", "Damping factor.", default=0.0, low=0)})
def cubic(delta: float, rate: float, v0: float, mass: float, p: Any) -> float:
    return float(p.stiffness * delta**3 * (1 + p.loss * rate))


@carom.force("air", {"area": carom.Param("m^2", "Area across the wind."),
                     "density": carom.Param("kg/m^3", default=1.2)}, dissipates=True)
def air(time: float, frame: carom.Frame, p: Any) -> Tuple[float, float]:
    vx, vy, _ = frame.velocity
    factor = -0.5 * 0.47 * p.density * p.area * (vx**2 + vy**2)**0.5
    return factor * vx, factor * vy


model = carom.Model("""
carom: 1
dimension: 2
gravity: [0, -9.81]
bodies: {ball: {mass: 0.05, inertia: 2e-5, at: [0, 2], velocity: [1, 0]}}
shapes:
  skin: {type: sphere, on: ball, radius: 0.03}
  floor: {type: plane, on: ground, normal: [0, 1]}
contacts: {hit: {between: [floor, skin], normal: {law: cubic, stiffness: 1e11, loss: 0.05}}}
loads: {wind: {type: air, on: ball, area: 2.8e-3}}
run: {until: 1.5}
""", kinds=[cubic, air])
run = model.run()
print(run.impacts["v_in"], run.impacts["e_got"], run.ledger.dissipated_other)
assert len(run.impacts) == 1 and 0.7 < run.impacts["e_got"][0] < 1 and run.ledger.residual_fraction < 1e-6
