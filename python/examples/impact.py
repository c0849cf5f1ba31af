"""Runs a model, prints its impacts, writes results and report."""
import pathlib

import carom

MODELS = pathlib.Path(__file__).resolve().parents[2] / "models"

model = carom.load(MODELS / "slider_crank_block.yaml", K=5e9)
run = model.run("slider_crank_block.h5")
for impact in run.impacts:
    print(f"{impact['contact']} at {impact['onset']:.6f} s: e asked {impact['e_asked']:.3f}, "
          f"got {impact['e_got']:.3f}, peak {impact['peak_force'] / 1e3:.2f} kN")
run.report("slider_crank_block.html")
assert len(run.impacts) == 2 and run.ledger.residual_fraction < 1e-6
