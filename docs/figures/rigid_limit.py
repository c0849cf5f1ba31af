"""Draws docs/figures/rigid_limit.svg: what compliant contacts differ by from integrator moreau as their stiffness grows,
of the six models tests/data/rigid_*.yaml: python3 docs/figures/rigid_limit.py path/to/carom
>docs/figures/rigid_limit.svg. Needs nothing but Python."""
import json
import math
import pathlib
import subprocess
import sys

DATA = pathlib.Path(__file__).resolve().parents[2] / "tests/data"
CAROM = str(pathlib.Path(sys.argv[1]).resolve())
# model, what is compared, body, quantity and component, time, first stiffness, step of moreau
CASES = [("ball", "bouncing ball, speed", ("ball", "velocity", 1), 1.2, 1e6, 1e-6),
         ("chain", "five balls, place of the last", ("b5", "position", 0), 0.04, 1e6, 1e-7),
         ("slope", "plate on a slope, speed", ("block", "velocity", 0), 0.5, 1e4, 1e-5),
         ("rocking", "rocking block, spin", ("block", "angular_velocity", 2), 0.2, 1e6, 1e-6),
         ("guide", "slider with clearance, spin", ("slider", "angular_velocity", 2), 1.6e-3, 1e9, 1e-7),
         ("painleve", "Painleve's rod, speed", ("rod", "velocity", 0), 0.02, 1e6, 1e-6)]
COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#333333"]
WIDTH, HEIGHT, LEFT, TOP = 560, 360, 70, 20
DECADES, LOW = 9, -5  # of the stiffness over the first one, and the least difference


def final(model, until, integrator, stiffness, step, of):
    """A component of a body's motion at the end."""
    done = subprocess.run([CAROM, "run", str(DATA / ("rigid_%s.yaml" % model)), "--integrator", integrator, "--until",
                           repr(until), "--set", "K=%g" % stiffness, "--set", "h=%g" % step, "--json", "--final",
                           "--no-results"], capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)["final"][of[0]][of[1]]
    return found[of[2] % len(found)] if isinstance(found, list) else found


def place(decade, difference):
    return (LEFT + decade / DECADES * (WIDTH - LEFT - 10), TOP + HEIGHT * -math.log10(difference) / -LOW)


def axes():
    for k in range(DECADES + 1):
        x = place(k, 1)[0]
        print('<path d="M%.1f %d V%d" stroke="#ddd"/><text x="%.1f" y="%d" text-anchor="middle">1e%d</text>'
              % (x, TOP, TOP + HEIGHT, x, TOP + HEIGHT + 16, k))
    for k in range(-LOW + 1):
        y = place(0, 10.0 ** -k)[1]
        print('<path d="M%d %.1f H%d" stroke="#ddd"/><text x="%d" y="%.1f" text-anchor="end">1e%d</text>'
              % (LEFT, y, WIDTH - 10, LEFT - 4, y + 4, -k))
    print('<text x="%d" y="%d" text-anchor="middle">stiffness over the least one</text>'
          % ((LEFT + WIDTH) / 2, TOP + HEIGHT + 34))
    print('<text transform="translate(16 %d) rotate(-90)" text-anchor="middle">difference from moreau, relative</text>'
          % (TOP + HEIGHT / 2))


def main():
    print('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">'
          % (WIDTH, TOP + HEIGHT + 110))
    print('<rect width="100%" height="100%" fill="white"/>')
    axes()
    for n, (model, title, of, until, least, step) in enumerate(CASES):
        rigid = final(model, until, "moreau", least, step, of)
        points = []
        for decade in range(0, DECADES, 2):
            difference = abs(final(model, until, "auto", least * 10.0 ** decade, step, of) / rigid - 1)
            points.append(place(decade, min(max(difference, 10.0 ** LOW), 1)))
        print('<path d="%s" fill="none" stroke="%s" stroke-width="1.6"/>'
              % (" ".join("%s%.1f %.1f" % ("L" if k else "M", *p) for k, p in enumerate(points)), COLOURS[n]))
        for p in points:
            print('<circle cx="%.1f" cy="%.1f" r="2.5" fill="%s"/>' % (*p, COLOURS[n]))
        x, y = LEFT + 245 * (n % 2), TOP + HEIGHT + 54 + 18 * (n // 2)
        print('<path d="M%d %d h28" stroke="%s" stroke-width="2"/><text x="%d" y="%d">%s</text>'
              % (x, y, COLOURS[n], x + 34, y + 4, title))
    a, b, c = (place(decade, 0.3 * 10 ** (-0.4 * decade)) for decade in (0, DECADES, 0.6 * DECADES))
    print('<path d="M%.1f %.1f L%.1f %.1f" stroke="#999" stroke-dasharray="6 4"/><text x="%.1f" y="%.1f" fill="#666">'
          'K^(-2/5)</text>' % (*a, *b, c[0] + 8, c[1] - 8))
    print("</svg>")


main()
