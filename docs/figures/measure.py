#!/usr/bin/env python3
"""Measures the tables of docs/theory and writes them into the pages, between the lines `<!-- measured: NAME -->` and
`<!-- end -->`:  python3 docs/figures/measure.py path/to/carom [--tables] [--figures] [--tests BUILD]

With --tables only the laws and the papers' tables are computed, in a minute. With --figures the
figures of docs/figures are drawn anew (with --tables those of the laws); with --tests the tests in the build folder BUILD
are run and their margins go to docs/validation.md. Needs Python 3.8 or newer, nothing else."""
import functools
import json
import math
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


def signed(form, x):
    return (form % x).replace("-", "−", 1)


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


# ---- laws ----

SPHERES = "--mass", "46*gram", "--speed", "0.3", "--stiffness", "5.5e9"  # Machado et al. 2012, Figs. 3-6
ASKED = 0.1, 0.3, 0.5, 0.7, 0.9
STEEL, ALUMINIUM = ("207*GPa", "0.3"), ("70*GPa", "0.33")


def program(*arguments):
    """What carom prints."""
    done = subprocess.run([CAROM, *arguments], capture_output=True, text=True)
    if done.returncode:
        raise GaveUp(" ".join(arguments) + ": " + done.stderr.strip())
    return done.stdout


def impacts(*options):
    """JSON of free direct impacts; laws that refuse are missing."""
    return json.loads(program("impact", "--json", *options))


def force(*options):
    return json.loads(program("force", "--json", *options))


def groups(family):
    """Groups of `carom list`: their titles and the names in them."""
    out = []
    for line in program("list", family).splitlines():
        if line and not line.startswith(" "):
            out.append((line, []))
        elif line.strip():
            out[-1][1].append(line.split()[0])
    return out


def page(name):
    """Sections of a page of `carom explain`, their lines joined, by title."""
    out, title = {}, ""
    for line in program("explain", name).splitlines():
        if re.match(r"[A-Z]\w+( \w+)*$", line):
            title = line
        else:
            out[title] = (out.get(title, "") + " " + line.strip()).strip()
    return out


def code(text):
    return "`%s`" % text.replace("|", "\\|")


def family_tree():
    rows = []
    for title, names in groups("elastic"):
        title = title.replace("elastic, ", "")
        implicit = [n for n in names if "ends at a limit" in page("elastic." + n).get("Properties", "")]
        if implicit:
            rows.append(["elastic", title + "; explicit", ", ".join(code(n) for n in names if n not in implicit)])
            rows.append(["elastic", title + "; implicit, δ as a function of F", ", ".join(map(code, implicit))])
        else:
            rows.append(["elastic", title, ", ".join(map(code, names))])
    for title, names in groups("damping"):
        rows.append(["damping", title.split("; the number")[0], ", ".join(map(code, names))])
    table("law-parts", ["part", "group", "names"], rows)
    rows = []
    for title, names in groups("laws"):
        for name in names:
            sections = page("law." + name)
            part = dict(re.findall(r"(elastic|elastic without a stiffness|damping) '([^']+)':", sections["Parts"]))
            bare = part.get("elastic without a stiffness")
            elastic = code(part["elastic"]) + (" or " + code(bare) if bare else "")
            damping = code(part["damping"]) if part["damping"] != "none" else ""
            rows.append([code(name), code(sections["Formula"]), elastic, damping])
    table("law-tree", ["law", "force", "elastic part", "damping part"], rows)


@functools.lru_cache(maxsize=None)
def returned(law, release):
    """Restitution found by that asked, to 1, of a law; from 0.01 on, or from where it does not refuse."""
    for first in ("0.01", "0.1", "0.34"):
        try:
            found = impacts("--law", law, *SPHERES, "--release", release, "--restitution", first + ":1:0.01")
            return {round(i["e_asked"], 2): i["e_got"] for i in found if i["e_got"] is not None}
        except GaveUp as reason:
            refused = reason
    raise refused


def achieved():
    rows = []
    order = [name for _, names in groups("laws") for name in names]
    names = {i["law"] for i in impacts("--laws", "all", *SPHERES, "--restitution", "0.7") if i["e_asked"] is not None}
    for name in (n for n in order if n in names):
        curves = {release: returned(name, release) for release in ("clamp", "raw")}
        same = all(abs(curves["clamp"][e] - curves["raw"].get(e, 2)) < 1e-6 for e in curves["clamp"])
        for release, curve in list(curves.items())[:1 if same else 2]:
            worst = max(curve, key=lambda e: abs(curve[e] - e))
            off = curve[worst] - worst
            rows.append([code(name) + ("" if same else ", `%s`" % release),
                         *("%.4f" % curve[e] if e in curve else "-" for e in ASKED),
                         "%s at %.2f" % (signed("%+.4f", off), worst) if abs(off) > 5e-7 else "0"])
    table("achieved", ["law", *map(str, ASKED), "largest difference"], rows)


def endings():
    """Impacts that end at delta = 0 or at F = 0, beside their closed forms."""
    def zeta(e):
        return -math.log(e) / math.hypot(math.pi, math.log(e))

    def cut(z, times):
        return math.exp(-times * z * math.acos(z) / math.sqrt(1 - z * z))

    def xi(e):
        return 4.5 * math.sqrt(5) * (1 - e * e) / (e * (e * (9 * math.pi - 16) + 16))
    at_zero, at_cut = lambda e: e, lambda e: cut(zeta(e), 2)
    rows = []
    for law, release, text, form in (
            ("anagnostopoulos", "raw", "e", at_zero), ("tsuji", "raw", "e", at_zero),
            ("anagnostopoulos", "clamp", "exp(−2 ζ acos ζ/√(1−ζ²))", at_cut),
            ("tsuji", "clamp", "exp(−2 ζ acos ζ/√(1−ζ²))", at_cut),
            ("jankowski", "clamp", "exp(−z acos z/√(1−z²)), z = 2ξ/√5", lambda e: cut(2 * xi(e) / math.sqrt(5), 1)
             if 2 * xi(e) < math.sqrt(5) else None),
            ("poursina-nikravesh", "clamp", "e", at_zero), ("poursina-nikravesh", "raw", "", None)):
        curve = returned(law, release)
        known = [abs(curve[e] - form(e)) for e in ASKED if form and form(e) is not None]
        rows.append([code(law), code(release), text, *("%.4f" % curve[e] if e in curve else "none" for e in ASKED),
                     number(max(known)) if known else ""])
    table("endings", ["law", "release", "closed form", *map(str, ASKED), "largest error"], rows)


def peaks():
    """Peak force of flores over that of Hertz."""
    def peak(e):
        return next(i["peak_force"] for i in impacts("--law", "flores", *SPHERES, "--restitution", "%.9g" % e)) / hertz
    hertz = impacts("--law", "hertz", *SPHERES)[0]["peak_force"]
    grid = impacts("--law", "flores", *SPHERES, "--restitution", "0.3:1:0.001")
    least = round(min(grid, key=lambda i: i["peak_force"])["e_asked"], 3)
    equal = round(max(i["e_asked"] for i in grid if i["e_asked"] < 0.6 and i["peak_force"] > hertz), 3)
    values = [1, 0.8, least, 0.6, equal, 0.2, 0.1, 0.05, 0.01]
    table("flores-peaks", ["e", *map(str, values)], [["peak force over Hertz's", *("%.4f" % peak(e) for e in values)]])


def line_laws():
    rows = []
    steel = "--E_i", STEEL[0], "--nu_i", STEEL[1]
    for law, options, text in (
            ("johnson", [], ""), ("radzimovsky", [], ""), ("radzimovsky", ["--width_from", "radii"], "`width_from: radii`"),
            ("goldsmith", [], ""), ("dubowsky-freudenstein", [], ""), ("esdu-78035", [], ""),
            ("goldsmith", ["--convention", "printed"], "`convention: printed`"),
            ("dubowsky-freudenstein", ["--convention", "printed"], "`convention: printed`"),
            ("esdu-78035", ["--convention", "printed"], "`convention: printed`"),
            ("liu", [], ""), ("pereira-2011", [], ""), ("pereira-2015", [], ""), ("yang-sun", [], "")):
        geometry = ["--length", "10*mm"] + (["--radius_i", "-10*mm", "--radius_j", "9.5*mm"] if law != "yang-sun" else [])
        result = force("--law", law, *steel, *geometry, *options, "--delta", "10*um")
        row = result["rows"][0]
        rows.append([code(law), text, "%.2f" % (row["force"] / 10), "%.4g" % (row["d_delta"] * row["delta"] / row["force"]),
                     "%.4f" % (result["limit"] / 0.5e-3) if result["limit"] else ""])
    table("line-laws", ["law", "", "W at 10 µm [N/mm]", "local exponent", "limit over ΔR"], rows)


def fit_range():
    """The power law in place of Johnson's law, over its own range and beyond."""
    geometry = ["--radius_i", "-10*mm", "--radius_j", "9.5*mm", "--length", "1*mm",
                "--delta", "1*um,5*um,10*um,50*um,100*um,200*um"]
    line = force("--law", "johnson", "--E_i", STEEL[0], "--nu_i", STEEL[1], *geometry)["rows"]
    power = force("--law", "autiero-fit", "--set", "fit=johnson", *geometry)["rows"]
    table("fit-range", ["δ [µm]", *("%.0f" % (1e6 * r["delta"]) for r in line)],
          [["`johnson` [N/mm]", *("%.1f" % r["force"] for r in line)],
           ["fit of Table 4 [N/mm]", *("%.1f" % r["force"] for r in power)],
           ["difference", *(signed("%+.1f %%", 100 * (f["force"] / r["force"] - 1)) for f, r in zip(power, line))]])


def two_spheres():
    rows = []
    for name in [n for _, names in groups("laws") for n in names]:
        for release in ("clamp", "raw") if name == "tsuji" else ("clamp",):
            try:
                i = impacts("--law", name, *SPHERES, "--release", release,
                            *(() if name in ("hertz",) else ("--restitution", "0.7")))[0]
            except GaveUp:
                continue
            if i["max_indentation"] < 5e-6 or (i["e_asked"] is None and name != "hertz"):
                continue  # linear laws and fits, whose K is another one
            rows.append([code(name) + (", `%s`" % release if name == "tsuji" else ""), signed("%.4f", -i["v_out"]),
                         "%.4f" % i["e_got"], "%.2f" % i["peak_force"],
                         "%.3f" % (1e6 * i["max_indentation"]), "%.2f" % (1e6 * i["duration"]),
                         "%.4f" % (1e3 * i["energy_lost"])])
    table("two-spheres", ["law", "leaves with [m/s]", "e′", "peak force [N]", "depth [µm]", "force ends [µs]", "lost [mJ]"],
          rows)


# ---- tables of the papers ----

# Autiero et al. 2022: number, law, options, material, K [N/mm^n], n, largest error [%] as printed, dR from top to bottom.
GAPS = 0.5, 5, 10, 30, 60, 80  # [mm]
RADII, PRINTED = ("--width_from", "radii"), ("--convention", "printed")
FITS = (
    (2, "radzimovsky", RADII, STEEL, (1.04e5, 6.24e4, 5.55e4, 4.72e4, 4.32e4, 4.17e4),
     (1.162, 1.118, 1.109, 1.097, 1.091, 1.089), (6.1, 4.1, 3.8, 3.2, 3.0, 2.9)),
    (3, "radzimovsky", RADII, ALUMINIUM, (41308, 22979, 20228, 16993, 15434, 14867),
     (1.195, 1.135, 1.123, 1.108, 1.100, 1.098), (14.6, 9.0, 8.0, 6.7, 6.1, 5.8)),
    (4, "johnson", (), STEEL, (1.42e5, 7.53e4, 6.54e4, 5.44e4, 4.91e4, 4.72e4),
     (1.192, 1.133, 1.122, 1.107, 1.100, 1.097), (7.4, 4.8, 4.3, 3.7, 3.4, 3.2)),
    (5, "johnson", (), ALUMINIUM, (60628, 28324, 24286, 19782, 17703, 16962),
     (1.242, 1.155, 1.140, 1.121, 1.111, 1.083), (18.9, 10.9, 9.5, 7.8, 7.0, 6.7)),
    (6, "goldsmith", (), STEEL, (2.86e4, 2.39e4, 2.27e4, 2.09e4, 1.94e4, 1.84e4),
     (1.066, 1.057, 1.055, 1.051, 1.048, 1.046), (2.0, 1.6, 1.5, 1.4, 1.3, 1.2)),
    (7, "goldsmith", (), ALUMINIUM, (10032, 8354, 7933, 7273, 6752, 6394),
     (1.071, 1.061, 1.058, 1.054, 1.050, 1.048), (3.7, 2.9, 2.8, 2.5, 2.3, 2.1)),
    (8, "esdu-78035", PRINTED, STEEL, (2.84e3, 1.77e3, 1.59e3, 1.36e3, 1.25e3, 1.21e3),
     (1.165, 1.119, 1.110, 1.098, 1.092, 1.090), (12.2, 8.0, 7.2, 6.1, 5.6, 5.4)),
    (9, "esdu-78035", PRINTED, ALUMINIUM, (10868, 6395, 5691, 4849, 4437, 4286),
     (1.165, 1.119, 1.110, 1.098, 1.092, 1.090), (23.6, 14.4, 12.8, 10.7, 9.6, 9.3)))

# Table 11: row, radii [mm] as the paper says and as it computed, K and n of each law of Tables 2, 4, 6, 8.
SLOT = (("R_i/R_p", (52, 7.9), (52, 7.5), (4.321e4, 4.914e4, 1.717e4, 1.300e4), (1.09, 1.10, 1.04, 1.09)),
        ("R_o/R_p", (-68, 7.9), (-68, 7.9), (4.315e4, 4.907e4, 1.743e4, 1.254e4), (1.09, 1.10, 1.04, 1.09)),
        ("R_c/R_p", (-8, 7.9), (-8, 7.9), (1.846e5, 3.147e5, 2.221e4, 4.786e4), (1.22, 1.28, 1.05, 1.22)))


def fit(law, options, material, radii):
    """K [N/mm^n], n and largest error [%] of the fit a mm of length, with the settings that give the paper's numbers."""
    length = ["--length", "1*mm"]
    if law == "goldsmith":  # L^m = 1e8 in the logarithm, L = 1 mm before it
        length = ["--length", "100*mm", "--length_exponent", "5"]
    got = force("--law", law, *options, "--E_i", material[0], "--nu_i", material[1], "--radius_i", "%r*mm" % radii[0],
                "--radius_j", "%r*mm" % radii[1], *length, "--fit", "--least-delta", "1*um")
    return got["stiffness_mm"] / (100 if law == "goldsmith" else 1), got["exponent"], 100 * got["largest_error"]


def is_printed(material, ours, theirs):
    """Steel is printed with three digits, rounded; aluminium truncated to integers."""
    if material is ALUMINIUM:
        return 0 <= ours - theirs < 1
    return abs(ours - theirs) <= 0.5 * 10 ** (math.floor(math.log10(theirs)) - 2)


def autiero():
    blocks = []
    for index, law, options, material, stiffness, exponent, error in FITS:
        rows = []
        for gap, k, n, off in zip(GAPS, stiffness, exponent, error):
            ours = fit(law, options, material, (-100, 100 - gap))
            notes = ([] if is_printed(material, ours[0], k) else ["K"]) + ([] if abs(ours[1] - n) < 1e-3 else ["n"])
            rows.append([str(gap), "%.0f" % k, "%.1f" % ours[0], "%.3f" % n, "%.4f" % ours[1], str(off), "%.2f" % ours[2],
                         ", ".join(notes)])
        table("", ["ΔR [mm]", "K", "ours", "n", "ours", "error [%]", "ours", "differs"], rows)
        name = "steel" if material is STEEL else "aluminium"
        blocks.append("Table %d, `%s`, %s\n\n%s" % (index, law, name, TABLES.pop("")))
    TABLES["autiero"] = "\n\n".join(blocks)
    rows = []
    for name, said, used, stiffness, exponent in SLOT:
        for (_, law, options, *_), k, n in zip(FITS[::2], stiffness, exponent):
            ours = [fit(law, options, STEEL, (-abs(r[0]) if law == "esdu-78035" else r[0], r[1])) for r in (said, used)]
            rows.append([name, code(law), "%.0f" % k, *("%.0f" % x[0] for x in ours), "%.2f" % n, "%.4f" % ours[1][1]])
    table("autiero-slot", ["row", "law", "K", "ours, R_p = 7.9 mm", "ours, as computed", "n", "ours"], rows)


# Alves et al., Table 4: largest forces [N] on C1 at 0.094 and 0.5 m/s, on C2 at 0.094 and 0.5 m/s.
ALVES = (("hertz", (662.5, 4937.8, 657.5, 4899.9)), ("hunt-crossley", (652.7, 4817.6, 630.6, 4496.4)),
         ("herbert-mcwhannell", (652.4, 4812.8, 628.9, 4464.1)), ("lee-wang", (657.4, 4874.3, 642.6, 4633.5)),
         ("lankarani-nikravesh", (652.8, 4820.0, 631.5, 4522.3)), ("gonthier", (649.5, 4780.2, 622.9, 4436.0)),
         ("zhiying-qishao", (652.3, 4810.1, 627.8, 4444.0)), ("flores", (651.8, 4805.2, 627.2, 4445.5)))
# Specimen, E, speed and restitution as printed, and as they give the paper's numbers with the ball's weight.
COLUMNS = (("C1", "213*GPa", "0.094", "0.974", "0.09294", "0.9739"), ("C1", "213*GPa", "0.5", "0.955", "0.50002", "0.9547"),
           ("C2", "205*GPa", "0.094", "0.917", "0.09295", "0.9175"), ("C2", "205*GPa", "0.5", "0.757", "0.50001", "0.7567"))


def alves():
    rows, worst = [], [0, 0]
    for law, printed in ALVES:
        cells = []
        for paper, (specimen, young, speed, e, real_speed, real_e) in zip(printed, COLUMNS):
            free = impacts("--law", law, "--mass", "0.54", "--speed", speed, "--E_i", "210*GPa", "--nu_i", "0.3",
                           "--E_j", young, "--nu_j", "0.29", "--radius_i", "25.4*mm",
                           *(() if law == "hertz" else ("--restitution", e)))
            sets = "law=" + law, "specimen=" + specimen, "speed=" + real_speed, "e=" + real_e
            with_weight = run(ROOT / "models/specimens.yaml", *(x for s in sets for x in ("--set", s)))
            ours = free[0]["peak_force"], with_weight["impacts"][0]["peak_force"]
            worst = [max(w, abs(x / paper - 1)) for w, x in zip(worst, ours)]
            cells.append("%.1f / %.1f / %.1f" % (paper, *ours))
        rows.append([code(law), *cells])
    rows.append(["largest deviation", "free %.2f %%, with weight %.2f %%" % (100 * worst[0], 100 * worst[1]), "", "", ""])
    table("alves", ["law", *("%s, %s m/s" % (c[0], c[2]) for c in COLUMNS)], rows)


def statements():
    """What the papers say of two spheres and of the factors, judged by the numbers."""
    def verdict(true):
        return "holds" if true else "does not hold"

    def hits(names, e="0.7"):
        found = impacts("--laws", ",".join(names) + ",hertz", *SPHERES, "--restitution", e)
        return {i["law"]: i for i in found}
    alves_laws = [law for law, _ in ALVES[1:]] + ["gharib-hurmuzlu"]
    at = hits(alves_laws)
    lost = {n: 1e3 * at[n]["energy_lost"] for n in alves_laws}
    speed = {n: at[n]["v_out"] for n in at}
    factor = {n: force("--law", n, "--stiffness", "1", "--restitution", "0.7", "--delta", "1", "--rate", "1",
                       "--speed", "1")["rows"][0]["damping"] for n in alves_laws}  # Fd of Fe = 1 N at the rate v0
    others = [n for n in alves_laws if n != "gharib-hurmuzlu"]
    three = "lee-wang", "hunt-crossley", "herbert-mcwhannell"
    loops = {e: hits(three[1:], e) for e in ("0.985", "0.95", "0.7")}
    more = {e: 100 * (h[three[2]]["energy_lost"] / h[three[1]]["energy_lost"] - 1) for e, h in loops.items()}
    low = hits(["hunt-crossley", "lankarani-nikravesh"], "0")
    close = "herbert-mcwhannell", "gonthier", "zhiying-qishao", "flores"
    off = {n: max(abs(v - e) for e, v in returned(n, "clamp").items()) for n in ("flores", "hu-guo", "gonthier")}
    rows = [
        ("Machado", "Hertz: the spheres leave with −0.3 m/s", verdict(abs(speed["hertz"] - 0.3) < 1e-12),
         signed("%.4f m/s", -speed["hertz"])),
        ("Machado", "Hunt–Crossley lies between Lee–Wang and Herbert–McWhannell, which loses most",
         verdict(lost[three[0]] < lost[three[1]] < lost[three[2]]), " < ".join("%.3f" % lost[n] for n in three) + " mJ"),
        ("Machado", "loops of Hunt–Crossley and Herbert–McWhannell differ by 1.5 %", "near 0.985 only",
         ", ".join("%.1f %% at %s" % (more[e], e) for e in more)),
        ("Alves", "Lee–Wang loses least, Gharib–Hurmuzlu most",
         verdict(min(lost, key=lost.get) == "lee-wang" and max(lost, key=lost.get) == "gharib-hurmuzlu"),
         "%.3f and %.3f mJ" % (lost["lee-wang"], lost["gharib-hurmuzlu"])),
        ("Alves", "Herbert–McWhannell, Gonthier, Zhiying–Qishao, Flores leave with −0.2 m/s",
         verdict(all(abs(speed[n] - 0.2) < 0.02 for n in close)),
         ", ".join(signed("%.4f", -speed[n]) for n in close) + " m/s"),
        ("Alves", "above e = 0.7 all but Gharib–Hurmuzlu respond alike", "generous",
         "A at 0.7 from %.3f (`%s`) to %.3f (`%s`); `gharib-hurmuzlu` %.3f" % (
             min(factor[n] for n in others), min(others, key=factor.get), max(factor[n] for n in others),
             max(others, key=factor.get), factor["gharib-hurmuzlu"])),
        ("Flores", "Hunt–Crossley and Lankarani–Nikravesh are not plastic at e = 0",
         verdict(all(low[n]["e_got"] > 0.1 for n in ("hunt-crossley", "lankarani-nikravesh"))),
         "%.4f and %.4f returned" % (low["hunt-crossley"]["e_got"], low["lankarani-nikravesh"]["e_got"])),
        ("Flores", "the law of Flores is close over the whole range", verdict(off["flores"] < 0.05),
         "within %.4f; `gonthier` %.4f, `hu-guo` %.4f" % (off["flores"], off["gonthier"], off["hu-guo"]))]
    table("statements", ["paper", "statement", "verdict", "ours"], rows)


def law_tables():
    for make in (family_tree, achieved, endings, peaks, line_laws, fit_range, two_spheres, statements, autiero, alves):
        make()


LOOPS = "--laws", "hertz,lee-wang,hunt-crossley,exact,gharib-hurmuzlu", *SPHERES, "--restitution", "0.7"
ENDINGS = "--laws", "tsuji,jankowski,exact,lankarani-nikravesh-1994", *SPHERES, "--restitution", "0.7", "--release", "raw"
CURVES = "--laws", "lankarani-nikravesh,hunt-crossley,zhiying-qishao,flores,exact,gharib-hurmuzlu"
LAW_FIGURES = (("law_loops", *LOOPS, "--loop"), ("law_phase", *LOOPS, "--phase"), ("law_endings", *ENDINGS, "--loop"),
               ("law_factors", *CURVES, "--stiffness", "1", "--factor-figure"),
               ("law_restitution", CURVES[0], CURVES[1].replace("exact,", ""), *SPHERES, "--restitution-figure"))


def law_figures():
    for name, *options in LAW_FIGURES:
        program("impact", *options, str(ROOT / ("docs/figures/%s.svg" % name)))


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
    with open(ROOT / "docs/figures/gears.svg", "w") as out:
        subprocess.run([sys.executable, str(ROOT / "docs/figures/gears.py")], stdout=out, check=True)


def add_part(parts, name, line):
    """Counts a line of an analytic test: QUANTITY COUNT values, largest error X [at CASE]; QUANTITY X over COUNT; or a list
    of QUANTITY X. Left out are numbers that a source prints in few digits, and multiples of rounding."""
    several = re.match(r"\d+ rows, (\d+) samples: (.*)", line)
    if several:
        each = re.findall(r"([a-z ]+?) ([0-9.e-]+)(?:, |$)", several.group(2))
        error, what = max((float(x), name) for name, x in each)
        line = "%s %s values, largest error %g" % (what, several.group(1), error)
    found = re.match(r"(?:(.+?)\s+)?(\d+) (?:values|samples), largest (?:relative )?error +(\S+)(?: at (\S+))?", line)
    other = re.match(r"(.+?)\s+(\S+) over (\d+)$", line)
    if not found and not other or re.search("printed|10\\^|over rounding|speed of yield|high speeds", line):
        return
    what, count, error, case = found.groups("") if found else (other.group(1), other.group(3), other.group(2), "")
    group = "%s, %s" % (name, what.split()[0]) if what.startswith(("exact ", "integrated ")) else name
    entry = parts.setdefault(group, [0, 0.0, ""])
    entry[0] += int(count)
    if float(error) >= entry[1]:
        entry[1:] = [float(error), re.sub(r"^(exact|integrated)\s+", "", what) + (", `%s`" % case if case else "")]


def tests(build):
    """Margins that the tests print: the largest error of each, as a share of what is allowed."""
    log = subprocess.run(["ctest", "--test-dir", build, "-V", "-R", "^(golden|property|analytic)[.]"],
                         capture_output=True, text=True).stdout
    names = dict(re.findall(r"^ +Start +(\d+): (\S+)$", log, flags=re.M))
    failed = re.findall(r"^\s+\d+ - (\S+) \(", log, flags=re.M)
    golden, properties, parts = {}, [], {}
    for index, line in re.findall(r"^(\d+): (.*)$", log, flags=re.M):
        name = names.get(index, index)
        if name.startswith("analytic"):
            add_part(parts, name, line.strip())
            continue
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
    if not any(name.startswith("golden") for name in failed):
        table("margins", ["test", "tolerance", "numbers", "largest error over allowed", "where"],
              [["`%s`%s" % (key[0], ", " + key[2] if key[2] else ""), key[1].replace("1e-0", "1e-") or "", str(e[0]),
                number(e[2]), e[3]] for key, e in golden.items()])
    table("parts", ["test", "values", "largest relative error", "of"],
          [[re.sub(r"^[^,]+", lambda m: code(m.group(0)), name), str(p[0]), number(p[1]), p[2] or "force"]
           for name, p in sorted(parts.items())])
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
    text = (ROOT / "src/sim/loop.c").read_text() + (ROOT / "src/integrate/sundials.c").read_text()
    value = dict(re.findall(r"#define (\w+) ([0-9.e-]+)\n", text))
    lines = ["local = %s · tolerance" % value["LOCAL_SHARE"]]
    if "LOCAL_POWER" in value:
        lines[0] += " · (tolerance/1e-8)^%s" % value["LOCAL_POWER"]
    if "LEAST_LOCAL" in value:
        lines[0] += ",  at least %s" % value["LEAST_LOCAL"]
    if "ITERATION_SHARE" in value:
        lines.append("residual of the corrector of adams and bdf = %s · local" % value["ITERATION_SHARE"])
    TABLES["share"] = "```\n" + "\n".join(lines) + "\n```"


share()
late_onset()
restitution()
law_tables()
if "--tables" not in sys.argv:
    exact = reference()
    tolerances(exact)
    drift(exact)
    projection(exact)
    fixed_steps(exact)
    ledgers()
if "--tests" in sys.argv:
    tests(sys.argv[sys.argv.index("--tests") + 1])
write()
if "--figures" in sys.argv:
    law_figures()
    if "--tables" not in sys.argv:
        figures()
