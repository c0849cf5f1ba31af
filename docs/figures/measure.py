#!/usr/bin/env python3
"""Measures the tables of docs/theory and writes them into the pages, between the lines `<!-- measured: NAME -->` and
`<!-- end -->`:  python3 docs/figures/measure.py path/to/carom [--figures] [--tests BUILD]

With --figures the figures of docs/figures are drawn anew; with --tests the tests in the build folder BUILD are run and their
margins go to docs/validation.md. Needs Python 3.8 or newer, nothing else."""
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
    command = [CAROM, "run", str(model), "--json", "--no-results", *options]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    except subprocess.TimeoutExpired:
        raise GaveUp("no result after 60 s")
    if done.returncode:
        raise GaveUp(done.stderr.strip())
    return json.loads(done.stdout)


class GaveUp(Exception):
    pass


def row(first, values):
    """A row of a table; a run that gives up is said so in it and on standard error."""
    try:
        return first + values()
    except GaveUp as reason:
        print("gave up:", *first, reason, file=sys.stderr)
        return first + ["gave up"]


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
    def values(integrator, tolerance):
        r = run(ROOT / "models/slider_crank_block.yaml", "--integrator", integrator, "--tolerance", tolerance)
        return [*errors(r, exact), str(r["steps"]), str(r["rhs_evaluations"]), number(r["ledger"]["residual_fraction"])]
    rows = [row([i, t], lambda: values(i, t)) for i in ("adams", "bdf", "dopri5") for t in powers(5, 11)]
    table("tolerances", ["integrator", "tolerance", "second onset [s]", "block speed [m/s]", "first restitution", "steps",
                         "evaluations", "ledger residual"], rows)


def powers(first, end, step=1):
    return ["1e-%d" % power for power in range(first, end, step)]


def violations(result):
    return [number(result["constraints"][x + "_violation"]) for x in ("position", "velocity")]


def drift(exact):
    def impacts(tolerance, gain):
        text = CRANK.replace("run: {", "run: {constraints: {type: baumgarte, alpha: %s, beta: %s}, " % (gain, gain))
        r = run(text, "--tolerance", tolerance)
        return [*violations(r), *errors(r, exact), str(r["steps"])]

    def free(tolerance, gain):
        r = run(ROOT / "docs/figures/drift.yaml", "--set", "gain=" + gain, "--tolerance", tolerance)
        return [*violations(r), number(r["ledger"]["residual_fraction"]), str(r["steps"]), str(r["rhs_evaluations"])]
    cases = [(t, g) for t in powers(6, 11, 2) for g in ("0", "5", "50", "500")]
    head = ["tolerance", "gain [1/s]", "position [m]", "velocity [m/s]"]
    table("gains-impacts", head + ["second onset [s]", "block speed [m/s]", "first restitution", "steps"],
          [row([t, g], lambda: impacts(t, g)) for t, g in cases])
    table("gains-long", head + ["ledger residual", "steps", "evaluations"], [row([t, g], lambda: free(t, g)) for t, g in cases])


def projection(exact):
    def values(integrator, tolerance):
        text = CRANK.replace(RUN, "run: {constraints: projection, until: 0.1, integrator: %s," % integrator)
        r = run(text, "--tolerance", tolerance)
        return [*violations(r), *errors(r, exact), str(r["steps"])]
    rows = [row([i, t], lambda: values(i, t)) for i in ("bdf", "dopri5") for t in powers(6, 11, 2)]
    table("projection", ["integrator", "tolerance", "position [m]", "velocity [m/s]", "second onset [s]",
                         "block speed [m/s]", "first restitution", "steps"], rows)


def fixed_steps(exact):
    def values(integrator, step):
        r = run(CRANK.replace(RUN, "run: {step: %s, until: 0.1, integrator: %s," % (step, integrator)))
        return [*errors(r, exact), str(r["steps"])]
    rows = [row([i, h], lambda: values(i, h)) for i in ("rk4", "semi-implicit-euler") for h in ("1e-3", "1e-4", "1e-5", "1e-6")]
    table("fixed-steps", ["integrator", "`step` [s]", "second onset [s]", "block speed [m/s]", "first restitution", "steps"],
          rows)


def ledgers():
    names = "slider_crank_block", "bouncing_ball", "moving_table", "slider_crank_driven"

    def values(tolerance):
        return [number(run(ROOT / ("models/%s.yaml" % name), "--tolerance", tolerance)["ledger"]["residual_fraction"])
                for name in names]
    table("ledger", ["tolerance", *("`%s`" % name for name in names)], [row([t], lambda: values(t)) for t in powers(5, 11)])


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
    rows = [[h] + [number(exit_speed(c * float(h) * v0) / exact - 1) for c in (0.25, 0.5, 0.75, 1)]
            for h in ("1e-5", "1e-6", "1e-7")]
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


def tests(build):
    """Margins that the tests print: the largest error of each, as a share of what is allowed."""
    log = subprocess.run(["ctest", "--test-dir", build, "-V", "-R", "^(golden|property)[.]"], capture_output=True, text=True).stdout
    names = dict(re.findall(r"^ +Start +(\d+): (\S+)$", log, flags=re.M))
    failed = re.findall(r"^\s+\d+ - (\S+) \(", log, flags=re.M)
    golden, properties = {}, []
    for index, line in re.findall(r"^(\d+): (.*)$", log, flags=re.M):
        name = names.get(index, index)
        found = re.match(r"\s*(\S.*?)\s+(\d+) numbers, largest error +(\S+) of what is allowed: (\S+)", line)
        mechanism = re.match(r"  (\S+) +error (\S+)  allowed (\S+) ", line)
        if re.match(r"bm-", line):
            words = line.split()
            case, tolerance = words[0], words[3]
        if found:
            label, count, share, where = found.groups()
            tolerance = re.search(r"1e-\d+", label)
            key = (name, tolerance.group(0) if tolerance else "", "later impacts" if "later" in label else "")
            if "later" in label:
                key = (name, previous, "later impacts")
            previous = key[1]
        elif mechanism:
            where, error, allowed = mechanism.groups()
            label, count, share = case, 1, float(error) / float(allowed)
            key = (name, tolerance, "")
        else:
            if name.startswith("property") and re.search(r"worst error|none (missed|wrong)|of the allowed|of allowed", line):
                properties.append([name, line.strip()])
            continue
        entry = golden.setdefault(key, [0, 0, 0.0, ""])
        entry[0] += int(count)
        if float(share) >= entry[2]:
            entry[2:] = [float(share), "%s, %s" % (re.sub(r", 1e-\d+", "", label), where.split("[")[0])]
    table("margins", ["test", "tolerance", "numbers", "largest error over allowed", "where"],
          [["`%s`%s" % (key[0], ", " + key[2] if key[2] else ""), key[1].replace("1e-0", "1e-") or "", str(e[0]), number(e[2]), e[3]]
           for key, e in golden.items()])
    if not any(name.startswith("property") for name in failed):
        TABLES["properties"] = "```\n" + "\n".join(re.sub(r" +", " ", line) for _, line in properties) + "\n```"
    if failed:
        print("failed:", *failed, file=sys.stderr)


def write():
    for page in sorted((ROOT / "docs").rglob("*.md")):
        old = page.read_text()
        new = re.sub(r"(<!-- measured: ([a-z-]+) -->\n)(.*?)(<!-- end -->)",
                     lambda m: m.group(1) + (TABLES[m.group(2)] + "\n" if m.group(2) in TABLES else m.group(3)) + m.group(4),
                     old, flags=re.S)
        if new != old:
            page.write_text(new)
            print("wrote", page.relative_to(ROOT))


def share():
    """Constants of the sources that docs/theory/tolerances.md states."""
    text = (ROOT / "src/sim/loop.c").read_text() + (ROOT / "src/kinds/sundials.c").read_text()
    value = dict(re.findall(r"#define (\w+) ([0-9.e-]+)\n", text))
    lines = ["local = %s · tolerance" % value["LOCAL_SHARE"]]
    if "LOCAL_POWER" in value:
        lines[0] += " · (tolerance/1e-8)^%s" % value["LOCAL_POWER"]
    if "LEAST_LOCAL" in value:
        lines[0] += ",  at least %s" % value["LEAST_LOCAL"]
    if "ITERATION_SHARE" in value:
        lines.append("residual of the corrector of adams and bdf = %s · local" % value["ITERATION_SHARE"])
    TABLES["share"] = "```\n" + "\n".join(lines) + "\n```"


exact = reference()
share()
tolerances(exact)
drift(exact)
projection(exact)
fixed_steps(exact)
ledgers()
late_onset()
restitution()
if "--tests" in sys.argv:
    tests(sys.argv[sys.argv.index("--tests") + 1])
write()
if "--figures" in sys.argv:
    figures()
