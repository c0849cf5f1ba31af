"""A PD controller at 1 kHz holds a pendulum upright through an input of its model."""
import math

import carom

model = carom.Model({
    "carom": 1, "dimension": 2, "gravity": [0, -9.81], "inputs": {"drive": 0},
    "bodies": {"bar": {"mass": 1, "inertia": 0.0833, "at": [0.13, 0.483], "angle": "75*deg",
                       "frames": {"root": [-0.5, 0]}}},
    "joints": {"pin": {"type": "revolute", "between": ["ground", "bar.root"]}},
    "loads": {"motor": {"type": "torque", "on": "bar", "torque": "drive"}},
    "run": {"until": 4, "integrator": "dopri5"}}, name="pendulum")

with model.simulation() as sim:
    q, v = sim.positions, sim.velocities    # views: they follow the simulation

    @sim.control(1e-3)
    def hold(sim: carom.Simulation, time: float) -> None:
        torque = -60 * (q.item(2) - math.pi / 2) - 10 * v.item(2)
        sim.inputs["drive"] = max(-4.0, min(4.0, torque))

    run = sim.run()
    off = q[2] - math.pi / 2
print(f"{off:.3g} rad off; residual {run.ledger.residual_fraction:.2g}")
assert abs(off) < 1e-6 and run.ledger.residual_fraction < 1e-8
