"""Draws docs/figures/gears.svg: two gears in mesh with their lines of action, for docs/theory/gears.md:
python3 docs/figures/gears.py >docs/figures/gears.svg. Formulas are those of the page."""
from math import acos, atan, cos, hypot, pi, sin, sqrt, tan

MODULE, ANGLE, TEETH, ADDENDUM, DEDENDUM, THINNING = 1.0, 20 * pi / 180, (16, 26), 1.0, 1.25, 0.25
DISTANCE = MODULE * sum(TEETH) / 2
SCALE, LEFT, RIGHT, LOW, HIGH = 80, 5.0, 11.8, -4.6, 4.6       # pixels a module, window about the mesh


def base(z):
    return MODULE * z / 2 * cos(ANGLE)


def outline(z, turned, at):
    """Points of a gear whose first tooth stands at the angle `turned`."""
    r, rb, points = MODULE * z / 2, base(z), []
    half = (MODULE * pi / 2 - THINNING) / (2 * r) + tan(ANGLE) - ANGLE
    top, foot = sqrt(((r + ADDENDUM) / rb) ** 2 - 1), sqrt(max((r - ADDENDUM) / rb, 1) ** 2 - 1)
    for tooth in range(z):
        for side in -1, 1:
            flank = []
            for k in range(25):
                t = foot + (top - foot) * k / 24
                flank.append((rb * hypot(1, t), side * (half - t + atan(t))))
            flank.insert(0, (r - DEDENDUM, side * (half - foot + atan(foot) + 0.15 * pi / z)))
            for radius, aside in flank[::-side]:
                a = turned + 2 * pi * tooth / z + aside
                points.append((at + radius * cos(a), radius * sin(a)))
    return points


def place(p):
    return "%.1f,%.1f" % (SCALE * (p[0] - LEFT), SCALE * (HIGH - p[1]))


def line(a, b, style):
    (x1, y1), (x2, y2) = (place(p).split(",") for p in (a, b))
    print('<line x1="%s" y1="%s" x2="%s" y2="%s" %s/>' % (x1, y1, x2, y2, style))


def circle(at, radius, style):
    x, y = place((at, 0)).split(",")
    print('<circle cx="%s" cy="%s" r="%.1f" fill="none" %s/>' % (x, y, SCALE * radius, style))


def text(p, what, style=""):
    x, y = place(p).split(",")
    print('<text x="%s" y="%s" %s>%s</text>' % (x, y, style, what))


def main():
    print('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="15">'
          % (SCALE * (RIGHT - LEFT), SCALE * (HIGH - LOW)))
    print('<rect width="100%" height="100%" fill="white"/>')
    rb = [base(z) for z in TEETH]
    tips = [MODULE * z / 2 + ADDENDUM for z in TEETH]
    working = acos(sum(rb) / DISTANCE)
    pitch = pi * MODULE * cos(ANGLE)
    # the pinion is turned until its counterclockwise flanks touch: half of what both teeth are thinner by
    turned = 0.11, pi - pi / TEETH[1] - 0.11 * TEETH[0] / TEETH[1] + 2 * THINNING * cos(ANGLE) / 2 / rb[1]
    for z, at, angle, colour in (TEETH[0], 0, turned[0], "#0072b2"), (TEETH[1], DISTANCE, turned[1], "#d55e00"):
        print('<polygon points="%s" fill="%s" fill-opacity="0.18" stroke="%s" stroke-width="1.5"/>'
              % (" ".join(place(p) for p in outline(z, angle, at)), colour, colour))
    for at, radius in (0, rb[0]), (DISTANCE, rb[1]):
        circle(at, radius, 'stroke="#555" stroke-dasharray="6 4"')
    for at, radius in (0, tips[0]), (DISTANCE, tips[1]):
        circle(at, radius, 'stroke="#999" stroke-dasharray="2 3"')
    line((LEFT, 0), (RIGHT, 0), 'stroke="#555" stroke-dasharray="10 3 2 3"')
    between = sum(rb) * tan(working)
    begin, end = between - sqrt(tips[1] ** 2 - rb[1] ** 2), sqrt(tips[0] ** 2 - rb[0] ** 2)
    half = (MODULE * pi / 2 - THINNING) / (MODULE * TEETH[0]) + tan(ANGLE) - ANGLE
    for side in 1, -1:
        c, s = cos(working), sin(working)

        def on_line(length):
            return rb[0] * c + length * s, side * (-rb[0] * s + length * c)

        line(on_line(0), on_line(between), 'stroke="black" stroke-width="1"')
        line(on_line(begin), on_line(end), 'stroke="#009e73" stroke-width="4"')
        for k in range(-3, 4):
            length = rb[0] * (side * turned[0] + half + working) + k * pitch
            if side > 0 and begin <= length <= end:
                x, y = place(on_line(length)).split(",")
                print('<circle cx="%s" cy="%s" r="5" fill="black"/>' % (x, y))
        x, y = on_line(0)
        text((x - 0.28, y - 0.05 * side), "T" if side > 0 else "T′")
        x, y = on_line(between)
        text((x + 0.06, y + 0.05 * side), "U" if side > 0 else "U′")
    text((rb[0] + 0.5, -0.22), "P")
    print("</svg>")


main()
