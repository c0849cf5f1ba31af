"""Draws docs/figures/work_precision.svg: errors of positions at the end over evaluations of the accelerations, of each
integrator with each constraint method that it takes, for tolerances of 1e-4 to 1e-11, in absolute coordinates:
python3 docs/figures/work_precision.py path/to/carom >docs/figures/work_precision.svg. The reference of each mechanism is
null-space at 1e-12. Needs nothing but Python."""
import json
import math
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
CAROM = str(pathlib.Path(sys.argv[1]).resolve())
MECHANISMS = [("slider_crank_3d", "Slider-crank in space, 0.2 s", 0.2), ("four_bar", "Four-bar, 2 s", 2),
              ("andrews", "Andrews' mechanism, 0.03 s", 0.03)]
TOLERANCES = [10.0 ** -k for k in range(4, 12)]
COLOURS = {"adams": "#0072b2", "bdf": "#d55e00", "dopri5": "#009e73", "ida with ggl": "#cc79a7", "generalised-alpha": "#777777"}
DASHES = {"baumgarte": "", "projection": "6 3", "penalty": "2 3", "augmented-lagrangian": "8 3 2 3", "null-space": "14 4",
          "coordinate-partitioning": "14 3 3 3"}
# with a method of their own: what their curve is called, the integrator and the method of the run
OWN = [("ida with ggl", "auto", "ggl"), ("generalised-alpha", "generalised-alpha", None)]
WIDTH, HEIGHT, LEFT, TOP = 300, 300, 62, 34


def run(model, until, integrator, method, tolerance):
    """Positions of the bodies at the end and evaluations; None: refused or failed."""
    text = (ROOT / "models" / (model + ".yaml")).read_text()
    text = text[:text.index("\nrun:")] + "\nrun: {until: %g, formulation: cartesian, integrator: %s, tolerance: %g%s}\n" \
        % (until, integrator, tolerance, ", constraints: " + method if method else "")
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "model.yaml"
        path.write_text(text)
        try:
            done = subprocess.run([CAROM, "run", str(path), "--json", "--final", "--no-results"], capture_output=True,
                                  text=True, timeout=20)
        except subprocess.TimeoutExpired:
            return None
    if done.returncode:
        return None
    found = json.loads(done.stdout)
    return [x for body in found["final"].values() for x in body["position"]], found["rhs_evaluations"]


def curves(model, until):
    exact, _ = run(model, until, "dopri5", "null-space", 1e-12)
    size = max(abs(x) for x in exact)
    own = [name for name, _, _ in OWN]
    for name, integrator, method in [(i, i, m) for i in COLOURS if i not in own for m in DASHES] + OWN:
        points = []
        for tolerance in TOLERANCES:
            found = run(model, until, integrator, method, tolerance)
            if found:
                error = max(abs(a - b) for a, b in zip(found[0], exact)) / size
                points.append((found[1], max(error, 1e-15)))
        if len(points) > 2:
            yield name, DASHES.get(method, ""), points


def panel(at, title, lines):
    xs = [math.log10(p[0]) for _, _, points in lines for p in points]
    low, high = math.floor(min(xs)), math.ceil(max(xs))

    def place(p):
        return (at + LEFT + (math.log10(p[0]) - low) / (high - low) * (WIDTH - LEFT - 10),
                TOP + HEIGHT * (-math.log10(p[1]) - 1) / 13)
    print('<text x="%d" y="20" font-weight="bold">%s</text>' % (at + LEFT, title))
    for k in range(low, high + 1):
        x = place((10.0 ** k, 1))[0]
        print('<path d="M%.1f %d V%d" stroke="#ddd"/><text x="%.1f" y="%d" text-anchor="middle">1e%d</text>'
              % (x, TOP, TOP + HEIGHT, x, TOP + HEIGHT + 16, k))
    for k in range(1, 15, 2):
        y = place((10.0 ** low, 10.0 ** -k))[1]
        print('<path d="M%d %.1f H%d" stroke="#ddd"/><text x="%d" y="%.1f" text-anchor="end">1e-%d</text>'
              % (at + LEFT, y, at + WIDTH - 10, at + LEFT - 4, y + 4, k))
    print('<text x="%d" y="%d" text-anchor="middle">evaluations</text>' % (at + (LEFT + WIDTH) / 2, TOP + HEIGHT + 32))
    for integrator, dash, points in lines:
        path = " ".join("%s%.1f %.1f" % ("L" if k else "M", *place(p)) for k, p in enumerate(points))
        print('<path d="%s" fill="none" stroke="%s" stroke-width="1.6" stroke-dasharray="%s"/>'
              % (path, COLOURS[integrator], dash))
        for p in points:
            print('<circle cx="%.1f" cy="%.1f" r="2" fill="%s"/>' % (*place(p), COLOURS[integrator]))


def legend(y):
    for k, (name, colour) in enumerate(COLOURS.items()):
        print('<path d="M%d %d h28" stroke="%s" stroke-width="2"/><text x="%d" y="%d">%s</text>'
              % (LEFT + 130 * k, y, colour, LEFT + 130 * k + 34, y + 4, name))
    for k, (name, dash) in enumerate(DASHES.items()):
        x, down = 20 + 220 * (k % 4), y + 20 + 18 * (k // 4)
        print('<path d="M%d %d h36" stroke="#333" stroke-width="1.6" stroke-dasharray="%s"/><text x="%d" y="%d">%s</text>'
              % (x, down, dash, x + 42, down + 4, name))


def main():
    print('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">'
          % (WIDTH * len(MECHANISMS), TOP + HEIGHT + 112))
    print('<rect width="100%" height="100%" fill="white"/>')
    for k, (model, title, until) in enumerate(MECHANISMS):
        panel(WIDTH * k, title, list(curves(model, until)))
    legend(TOP + HEIGHT + 56)
    print("</svg>")


main()
