"""The figures of Machado et al. 2012: machado_2012.py [FOLDER]"""
import pathlib
import sys
from typing import Any

import matplotlib.pyplot as plt

import carom

MODELS = pathlib.Path(__file__).resolve().parents[2] / "models"
FOLDER = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
SEVEN = "hunt-crossley herbert-mcwhannell lee-wang lankarani-nikravesh gonthier zhiying-qishao flores".split()
F, D, V = (f"contact.hit.{name}" for name in ("force", "indentation", "indentation_rate"))

FIGURES: Any = (
    (3, "two_spheres", ["hertz"], (F, None, 1), (F, D, 1), (V, D, 1)),
    (4, "two_spheres", ["hertz", "hunt-crossley"], (F, None, 1), (F, D, 1), (V, D, 1)),
    (5, "two_spheres", ["hertz", *SEVEN[:3]], (F, D, 1), (V, D, 1)),
    (6, "two_spheres", ["hertz", SEVEN[0], *SEVEN[3:]], (F, D, 1), (V, D, 1)),
    (9, "slider_crank_block", SEVEN, ("body.block.position.x", None, None), ("body.slider.velocity.x", None, None)),
    (10, "slider_crank_block", SEVEN, (F, D, 1), (F, D, 2)),
    (12, "knee", ["hertz", SEVEN[0], *SEVEN[3:5], "flores"], ("contact.knee.force", None, None),
     ("contact.knee.force", "contact.knee.indentation", None)))
for number, model, laws, *panels in FIGURES:
    figure, axes = plt.subplots(1, len(panels), figsize=(5 * len(panels), 4), layout="constrained")
    for law in laws:
        run = carom.load(MODELS / f"{model}.yaml", law=law).run()
        for ax, (channel, over, impact) in zip(axes, panels):
            run.plot(channel, x=over, impact=impact, ax=ax, label=law)
    figure.savefig(FOLDER / f"machado_2012_fig{number:02}.svg")
