#!/usr/bin/env python3
"""Measures the tables of docs/theory and writes them into the pages, between the lines `<!-- measured: NAME -->` and
`<!-- end -->`:  python3 docs/figures/measure.py path/to/carom [--figures]

With --figures the figures of docs/figures are drawn anew as well. Needs Python 3.8 or newer, nothing else."""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
CAROM = str(pathlib.Path(sys.argv[1]).resolve()) if len(sys.argv) > 1 else "carom"
CRANK = (ROOT / "models/slider_crank_block.yaml").read_text()
RUN = "run: {until: 0.1, integrator: adams,"
TABLES = {}


def run(model, *options):
    """JSON of a run; `model` is a path or the text of a model."""
    if not isinstance(model, pathlib.Path):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "model.yaml"
            path.write_text(model)
            return run(path, *options)
    done = subprocess.run([CAROM, "run", str(model), "--json", "--no-results", *options], capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    return json.loads(done.stdout)


def number(x):
    return ("%.1e" % x).replace("e-0", "e-").replace("e+0", "e").replace("-", "−", 1 if x < 0 else 0)


def table(name, head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    TABLES[name] = "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def reference():
    cases = json.loads((ROOT / "tests/data/mechanisms.json").read_text())["cases"]
    out = next(c for c in cases if c["id"] == "scb-flores")["outputs"]
    return {"onset": out["impact_t_in"]["value"][1], "speed": out["impact_v5_out"]["value"][1],
            "restitution": out["impact_cr_post"]["value"][0]}


def errors(result, exact):
    """Errors of the second onset, the block's final speed and the first restitution."""
    return [number(x) for x in (result["impacts"][1]["onset"] - exact["onset"],
                                result["final"]["block"]["velocity"][0] - exact["speed"],
                                result["impacts"][0]["e_got"] - exact["restitution"])]


def tolerances(exact):
    rows = []
    for integrator in "adams", "bdf", "dopri5":
        for power in range(5, 11):
            r = run(ROOT / "models/slider_crank_block.yaml", "--integrator", integrator, "--tolerance", "1e-%d" % power)
            rows.append([integrator, "1e-%d" % power, *errors(r, exact), str(r["steps"]), str(r["rhs_evaluations"]),
                         number(r["ledger"]["residual_fraction"])])
    table("tolerances", ["integrator", "tolerance", "second onset [s]", "block speed [m/s]", "first restitution", "steps",
                         "evaluations", "ledger residual"], rows)


def drift(exact):
    rows, long_rows = [], []
    for power in 6, 8, 10:
        for gain in 0, 5, 50, 500:
            tolerance = ["--tolerance", "1e-%d" % power]
            text = CRANK.replace("run: {", "run: {constraints: {type: baumgarte, alpha: %d, beta: %d}, " % (gain, gain))
            r = run(text, *tolerance)
            c = r["constraints"]
            rows.append(["1e-%d" % power, str(gain), number(c["position_violation"]), number(c["velocity_violation"]),
                         *errors(r, exact), str(r["steps"])])
            r = run(ROOT / "docs/figures/drift.yaml", "--set", "gain=%d" % gain, *tolerance)
            c = r["constraints"]
            long_rows.append(["1e-%d" % power, str(gain), number(c["position_violation"]), number(c["velocity_violation"]),
                              number(r["ledger"]["residual_fraction"]), str(r["steps"]), str(r["rhs_evaluations"])])
    table("gains-impacts", ["tolerance", "gain [1/s]", "position [m]", "velocity [m/s]", "second onset [s]",
                            "block speed [m/s]", "first restitution", "steps"], rows)
    table("gains-long", ["tolerance", "gain [1/s]", "position [m]", "velocity [m/s]", "ledger residual", "steps",
                         "evaluations"], long_rows)


def projection(exact):
    rows = []
    for integrator in "bdf", "dopri5":
        for power in 6, 8, 10:
            text = CRANK.replace(RUN, "run: {constraints: projection, until: 0.1, integrator: %s," % integrator)
            r = run(text, "--tolerance", "1e-%d" % power)
            c = r["constraints"]
            rows.append([integrator, "1e-%d" % power, number(c["position_violation"]), number(c["velocity_violation"]),
                         *errors(r, exact), str(r["steps"])])
    table("projection", ["integrator", "tolerance", "position [m]", "velocity [m/s]", "second onset [s]",
                         "block speed [m/s]", "first restitution", "steps"], rows)


def fixed_steps(exact):
    rows = []
    for integrator in "rk4", "semi-implicit-euler":
        for step in "1e-3", "1e-4", "1e-5", "1e-6":
            r = run(CRANK.replace(RUN, "run: {step: %s, until: 0.1, integrator: %s," % (step, integrator)))
            rows.append([integrator, step, *errors(r, exact), str(r["steps"])])
    table("fixed-steps", ["integrator", "`step` [s]", "second onset [s]", "block speed [m/s]", "first restitution", "steps"],
          rows)


def ledgers():
    names = "slider_crank_block", "bouncing_ball", "moving_table", "slider_crank_driven"
    rows = []
    for power in range(5, 11):
        rows.append(["1e-%d" % power] + [number(run(ROOT / ("models/%s.yaml" % name), "--tolerance", "1e-%d" % power)
                                                ["ledger"]["residual_fraction"]) for name in names])
    table("ledger", ["tolerance", *("`%s`" % name for name in names)], rows)


def late_onset():
    """Exit speed of a free impact (flores, 0.7) that begins at the depth c h v0 with the full speed: RK4, 2 ns steps."""
    stiffness, mass, v0, a = 9.5e9, 0.0832914, 25.7612, 8 * 0.3 / (5 * 0.7)

    def rate(x, u):
        return -stiffness * max(x, 0) ** 1.5 * (1 + a * u / v0) / mass

    def exit_speed(x, h=2e-9):
        u = v0
        while True:
            l1 = rate(x, u)
            k2, l2 = u + h / 2 * l1, rate(x + h / 2 * u, u + h / 2 * l1)
            k3, l3 = u + h / 2 * l2, rate(x + h / 2 * k2, u + h / 2 * l2)
            k4, l4 = u + h * l3, rate(x + h * k3, u + h * l3)
            xn, un = x + h / 6 * (u + 2 * k2 + 2 * k3 + k4), u + h / 6 * (l1 + 2 * l2 + 2 * l3 + l4)
            if un < 0 and xn <= 0:
                return -(u + (un - u) * x / (x - xn))
            x, u = xn, un

    exact = exit_speed(0)
    rows = [["%.0e" % h] + [number(exit_speed(c * h * v0) / exact - 1) for c in (0.25, 0.5, 0.75, 1)]
            for h in (1e-5, 1e-6, 1e-7)]
    table("late-onset", ["h [s]", "c = 1/4", "c = 1/2", "c = 3/4", "c = 1"], rows)


def restitution():
    rows = []
    for law in ("lee-wang", "lankarani-nikravesh", "hunt-crossley", "herbert-mcwhannell", "exact", "gonthier",
                "zhiying-qishao", "flores"):
        text = subprocess.run([CAROM, "explain", "law." + law], capture_output=True, text=True, check=True).stdout
        rows.append(["`%s`" % law, *re.search(r"returned +(.*)", text).group(1).split()])
    table("restitution", ["law", "0.1", "0.3", "0.5", "0.7", "0.9"], rows)


def figures():
    crank, table_model = "models/slider_crank_block.yaml", "models/moving_table.yaml"
    hit = "contact.hit."
    for model, sets, plots in (
            (crank, [], [["slider_crank_block", hit + "force", hit + "elastic", hit + "damping", "--impact", "1"],
                         ["hysteresis", hit + "force", "--against", hit + "indentation"],
                         ["energy", "energy.kinetic", "energy.dissipated_contact", "energy.elastic"],
                         ["residual", "energy.residual"],
                         ["velocity_violation", "constraint.velocity_violation"]]),
            ("docs/figures/drift.yaml", ["gain=0"], [["drift_0", "constraint.position_violation"]]),
            ("docs/figures/drift.yaml", ["gain=50"], [["drift_50", "constraint.position_violation"]]),
            ("docs/figures/laws.yaml", [], [["restitution"] + ["body.%s.velocity.y" % law for law in (
                "lee-wang", "lankarani-nikravesh", "hunt-crossley", "exact", "flores")]]),
            (table_model, ["e=0.6"], [["moving_table", "body.ball.position.y", "body.table.position.y", "--to", "2"]])):
        with tempfile.TemporaryDirectory() as folder:
            options = [x for s in sets for x in ("--set", s)]
            subprocess.run([CAROM, "run", str(ROOT / model), "-q", "-o", folder, *options], check=True)
            result = folder + "/" + pathlib.Path(model).stem + ".h5"
            for name, *channels in plots:
                subprocess.run([CAROM, "plot", result, *channels, "-o", str(ROOT / ("docs/figures/%s.svg" % name))], check=True)


def write():
    for page in sorted((ROOT / "docs").rglob("*.md")):
        old = page.read_text()
        new = re.sub(r"(<!-- measured: ([a-z-]+) -->\n).*?(<!-- end -->)",
                     lambda m: m.group(1) + TABLES[m.group(2)] + "\n" + m.group(3), old, flags=re.S)
        if new != old:
            page.write_text(new)
            print("wrote", page.relative_to(ROOT))


def share():
    value = re.search(r"#define LOCAL_SHARE (\S+)", (ROOT / "src/sim/loop.c").read_text()).group(1)
    TABLES["share"] = "```\nlocal = %s · tolerance\n```" % value


exact = reference()
share()
tolerances(exact)
drift(exact)
projection(exact)
fixed_steps(exact)
ledgers()
late_onset()
restitution()
write()
if "--figures" in sys.argv:
    figures()
