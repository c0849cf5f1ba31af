"""10^5 simulations, and what they leave in memory: python3 python/tests/leak.py [COUNT]"""
from __future__ import annotations

import pathlib
import resource
import sys

import carom

MODELS = pathlib.Path(__file__).resolve().parents[2] / "models"


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    model = carom.load(MODELS / "two_spheres.yaml", law="flores")
    for k in range(count + 1):
        with model.simulation(until=1e-5) as sim:
            sim.control(1.0, lambda sim, time: None)
            sim.run()
        if k % (count // 10) == 0:
            memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            print(f"{k:7} simulations, greatest memory {memory} kB", flush=True)


if __name__ == "__main__":
    main()
