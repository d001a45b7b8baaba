#!/usr/bin/env python3
"""Draws the grains of one frame of a run as an SVG picture. Needs nothing but Python.

    scree table RUN.h5 --frame -1 | tools/draw.py -o picture.svg
    tools/draw.py grains.csv -o picture.svg --colour height --view 2,1.2,1

Spheres are seen from a direction given by --view, far ones first. Runs in two dimensions (all z equal)
are drawn flat, with a mark on each disk that shows how far it has turned. Walls are not drawn; --box
draws the edges of a box.
"""
import argparse
import csv
import math
import sys

# Colours along a scale from low to high: slate blue, teal, sand, orange, red.
SCALE = ((0.25, 0.37, 0.56), (0.27, 0.57, 0.62), (0.89, 0.81, 0.59), (0.92, 0.57, 0.27), (0.78, 0.23, 0.19))
COLOURS = 32
PAPER, INK, FLOOR_SHADE = "#fbf9f5", "#3b3f46", "#e6e0d5"


class Failure(Exception):
    """What is wrong with the input, in words."""


# ---------------------------------------------------------------- vectors

def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def unit(a):
    size = math.sqrt(dot(a, a))
    return tuple(x / size for x in a)


def numbers(text, count):
    """For options: numbers with commas between them."""
    try:
        values = tuple(float(word) for word in text.split(","))
    except ValueError:
        values = ()
    if len(values) != count or not all(math.isfinite(value) for value in values):
        raise argparse.ArgumentTypeError(f"'{text}': {count} numbers with commas between them are needed")
    return values


# ---------------------------------------------------------------- reading

NEEDED = ("radius", "x", "y", "z", "qw", "qz", "vx", "vy", "vz")


def read_grains(file):
    rows = csv.DictReader(file)
    missing = [name for name in NEEDED if name not in (rows.fieldnames or ())]
    if missing:
        raise Failure(f"no column '{missing[0]}': this is not what 'scree table RUN.h5' writes")
    grains = []
    for row in rows:
        try:
            grains.append({name: float(row[name]) for name in NEEDED})
        except (TypeError, ValueError):
            raise Failure(f"line {rows.line_num}: a number is missing or damaged") from None
    if not grains:
        raise Failure("no grains in the table")
    return grains


# ---------------------------------------------------------------- view

class View:
    """From space to the picture: right and up on paper, and depth towards the eye."""

    def __init__(self, towards_eye, flat):
        if flat:
            self.right, self.up, self.near = (1, 0, 0), (0, 1, 0), (0, 0, 1)
            return
        self.near = unit(towards_eye)
        across = cross((0, 0, 1), self.near)
        self.right = unit(across) if dot(across, across) > 1e-12 else (1, 0, 0)
        self.up = cross(self.near, self.right)

    def paper(self, p):
        return dot(p, self.right), -dot(p, self.up)

    def depth(self, p):
        return dot(p, self.near)


def colour_at(share):
    place = min(max(share, 0.0), 1.0) * (len(SCALE) - 1)
    k = min(int(place), len(SCALE) - 2)
    part = place - k
    return tuple(a + part * (b - a) for a, b in zip(SCALE[k], SCALE[k + 1]))


def html(colour, factor=1.0):
    """A colour made darker (factor below 1) or lighter."""
    if factor <= 1:
        mixed = [c * factor for c in colour]
    else:
        mixed = [1 - (1 - c) * (2 - factor) for c in colour]
    return "#" + "".join(f"{round(255 * min(max(c, 0), 1)):02x}" for c in mixed)


def quantity(grain, name):
    if name == "speed":
        return math.sqrt(grain["vx"] ** 2 + grain["vy"] ** 2 + grain["vz"] ** 2)
    return grain["radius"] if name == "radius" else grain["height"]


# ---------------------------------------------------------------- drawing

def gradients(flat):
    """One shaded ball of each colour, with the light from the upper left."""
    lines = ["<defs>"]
    for k in range(COLOURS):
        colour = colour_at(k / (COLOURS - 1))
        light, dark = (1.12, 0.9) if flat else (1.6, 0.5)
        lines.append(
            f'<radialGradient id="c{k}" cx=".36" cy=".32" r=".75"><stop offset="0" stop-color="{html(colour, light)}"/>'
            f'<stop offset=".45" stop-color="{html(colour)}"/><stop offset="1" stop-color="{html(colour, dark)}"/>'
            "</radialGradient>")
    lines.append('<radialGradient id="s"><stop offset="0" stop-color="#3a3226" stop-opacity=".38"/>'
                 '<stop offset="1" stop-color="#3a3226" stop-opacity="0"/></radialGradient>')
    stops = "".join(f'<stop offset="{k / (len(SCALE) - 1)}" stop-color="{html(c)}"/>' for k, c in enumerate(SCALE))
    lines.append(f'<linearGradient id="scale">{stops}</linearGradient></defs>')
    return lines


def visible(grains, view, flat):
    """Grains from far to near, without those that are wholly hidden: a coarse raster remembers the
    nearest grain whose inner square covers each of its cells."""
    order = sorted(grains, key=lambda g: -view.depth((g["x"], g["y"], g["z"])))
    if flat:
        return order
    cell = 0.25 * min(g["radius"] for g in grains)
    covered, kept = set(), []
    for grain in order:  # near ones first
        x, y = view.paper((grain["x"], grain["y"], grain["z"]))
        r, inner = grain["radius"], grain["radius"] / math.sqrt(2)
        outer = [(i, j) for i in range(math.floor((x - r) / cell), math.floor((x + r) / cell) + 1)
                 for j in range(math.floor((y - r) / cell), math.floor((y + r) / cell) + 1)]
        if any(place not in covered for place in outer):
            kept.append(grain)
        covered.update((i, j) for i, j in outer
                       if i * cell >= x - inner and (i + 1) * cell <= x + inner
                       and j * cell >= y - inner and (j + 1) * cell <= y + inner)
    return kept[::-1]


class Paper:
    """Collects what is drawn, in user lengths, and scales it to the page at the end."""

    def __init__(self, width, bounds):
        left, top, right, bottom = bounds
        margin = 0.05 * max(right - left, bottom - top)
        self.left, self.top = left - margin, top - margin
        self.scale = width / (right - left + 2 * margin)
        self.width = width
        self.height = (bottom - top + 2 * margin) * self.scale
        self.lines = []

    def at(self, x, y):
        return f"{(x - self.left) * self.scale:.1f}", f"{(y - self.top) * self.scale:.1f}"

    def ball(self, x, y, r, fill):
        px, py = self.at(x, y)
        self.lines.append(f'<circle cx="{px}" cy="{py}" r="{r * self.scale:.1f}" fill="url(#{fill})"/>')

    def shadow(self, x, y, wide, high):
        px, py = self.at(x, y)
        self.lines.append(f'<ellipse cx="{px}" cy="{py}" rx="{wide * self.scale:.1f}" '
                          f'ry="{high * self.scale:.1f}" fill="url(#s)"/>')

    def line(self, points, style):
        pairs = " ".join(",".join(self.at(x, y)) for x, y in points)
        self.lines.append(f'<polyline points="{pairs}" {style}/>')

    def area(self, points, style):
        pairs = " ".join(",".join(self.at(x, y)) for x, y in points)
        self.lines.append(f'<polygon points="{pairs}" {style}/>')

    def words(self, x, y, words, anchor="start"):
        safe = words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        self.lines.append(f'<text x="{x:.1f}" y="{y:.1f}" font-family="Georgia, serif" text-anchor="{anchor}" '
                          f'font-size="{self.width / 50:.1f}" fill="{INK}">{safe}</text>')

    def text(self, words):
        """A caption in the upper left corner."""
        self.words(self.width / 44, self.width / 27, words)

    def legend(self, low, high):
        """The colour scale in the lower left corner."""
        x, y, wide = self.width / 6, self.height - self.width / 30, self.width / 6
        self.lines.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{self.width / 90:.1f}" fill="url(#scale)"/>')
        self.words(x - 8, y + self.width / 80, low, "end")
        self.words(x + wide + 8, y + self.width / 80, high)


def edges(box):
    low, high = box[:3], box[3:]
    corners = [tuple(high[k] if i >> k & 1 else low[k] for k in range(3)) for i in range(8)]
    return [(corners[i], corners[i | 1 << k]) for i in range(8) for k in range(3) if not i >> k & 1]


def floor_corners(box):
    x0, y0, z0, x1, y1, _ = box
    return [(x0, y0, z0), (x1, y0, z0), (x1, y1, z0), (x0, y1, z0)]


def draw_post(paper, view, post):
    """An upright post: x, y, radius, from z, to z."""
    x, y, r, low, high = post
    ring = [(math.cos(2 * math.pi * k / 48), math.sin(2 * math.pi * k / 48)) for k in range(48)]
    top = [view.paper((x + r * c, y + r * s, high)) for c, s in ring]
    foot = [view.paper((x + r * c, y + r * s, low)) for c, s in ring]
    paper.area(hull(top + foot), 'fill="url(#post)"')
    paper.area(top, 'fill="#dedad2" stroke="#9a968e" stroke-width="0.8"')


def hull(points):
    """The convex outline of points."""
    def half(ordered):
        found = []
        for p in ordered:
            while len(found) > 1 and ((found[-1][0] - found[-2][0]) * (p[1] - found[-2][1])
                                      <= (found[-1][1] - found[-2][1]) * (p[0] - found[-2][0])):
                found.pop()
            found.append(p)
        return found[:-1]
    points = sorted(points)
    return half(points) + half(points[::-1])


POST = ('<linearGradient id="post"><stop offset="0" stop-color="#7c7972"/><stop offset=".3" stop-color="#cfcac0"/>'
        '<stop offset="1" stop-color="#6d6a64"/></linearGradient>')


def draw(grains, options):
    flat = max(g["z"] for g in grains) == min(g["z"] for g in grains)
    view = View(options.view, flat)
    for grain in grains:
        grain["height"] = grain["y"] if flat else grain["z"]
    values = [quantity(g, options.colour) for g in grains]
    low, high = options.range or (min(values), max(values))
    points = [view.paper((g["x"], g["y"], g["z"])) + (g["radius"],) for g in grains]
    corners = [view.paper(p) for edge in edges(options.box) for p in edge] if options.box else []
    every = [(x - r, y - r) for x, y, r in points] + [(x + r, y + r) for x, y, r in points] + corners
    bounds = (min(x for x, _ in every), min(y for _, y in every),
              max(x for x, _ in every), max(y for _, y in every))
    paper = Paper(options.width, bounds)
    if options.box and not flat:
        paper.area([view.paper(p) for p in floor_corners(options.box)], f'fill="{FLOOR_SHADE}"')
    draw_shadows(paper, view, grains, options.box, flat)
    if options.box:
        for edge in edges(options.box):
            paper.line([view.paper(p) for p in edge],
                       f'fill="none" stroke="{INK}" stroke-opacity=".35" stroke-width="1"')
    seen = visible(grains, view, flat)
    behind = [g for g in seen if options.post and in_plan(view, g["x"], g["y"]) < in_plan(view, *options.post[:2])]
    hidden = {id(g) for g in behind}
    draw_grains(paper, view, behind, options.colour, (low, high), flat)
    if options.post and not flat:
        draw_post(paper, view, options.post)
    draw_grains(paper, view, [g for g in seen if id(g) not in hidden], options.colour, (low, high), flat)
    paper.legend(f"{options.colour} {low:.3g}", f"{high:.3g}")
    if options.title:
        paper.text(options.title)
    return paper, flat


def in_plan(view, x, y):
    """How near a place on the ground is to the eye."""
    return x * view.near[0] + y * view.near[1]


def draw_grains(paper, view, grains, name, ends, flat):
    low, high = ends
    for grain in grains:
        x, y = view.paper((grain["x"], grain["y"], grain["z"]))
        share = (quantity(grain, name) - low) / (high - low) if high > low else 0.5
        paper.ball(x, y, grain["radius"], f"c{round((COLOURS - 1) * min(max(share, 0), 1))}")
        if flat:
            turn = 2 * math.atan2(grain["qz"], grain["qw"])
            end = (x + 0.8 * grain["radius"] * math.cos(turn), y - 0.8 * grain["radius"] * math.sin(turn))
            paper.line([(x, y), end], 'fill="none" stroke="#fff" stroke-opacity=".7" stroke-width="1.2"')


def draw_shadows(paper, view, grains, box, flat):
    """On the floor of the box, below grains that are near it."""
    if flat or not box:
        return
    squash = abs(view.near[2])
    for grain in grains:
        above = grain["z"] - box[2]
        if above < 4 * grain["radius"]:
            x, y = view.paper((grain["x"], grain["y"], box[2]))
            paper.shadow(x, y, 1.5 * grain["radius"], 1.5 * squash * grain["radius"])


def write(paper, flat, file):
    file.write(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {paper.width:.0f} {paper.height:.0f}" '
               f'width="{paper.width:.0f}" height="{paper.height:.0f}">\n'
               f'<rect width="100%" height="100%" fill="{PAPER}"/>\n')
    file.write("\n".join(gradients(flat) + ["<defs>" + POST + "</defs>"] + paper.lines))
    file.write("\n</svg>\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", nargs="?", default="-", help="what 'scree table RUN.h5' wrote (default: standard input)")
    parser.add_argument("-o", "--output", required=True, help="the picture, .svg")
    parser.add_argument("--colour", choices=("speed", "height", "radius"), default="speed", help="what colours show")
    parser.add_argument("--range", type=lambda t: numbers(t, 2), help="LOW,HIGH: ends of the colour scale")
    parser.add_argument("--view", type=lambda t: numbers(t, 3), default=(0.55, -1, 0.6), help="X,Y,Z: where the eye is")
    parser.add_argument("--box", type=lambda t: numbers(t, 6), help="X0,Y0,Z0,X1,Y1,Z1: a box whose edges are drawn")
    parser.add_argument("--post", type=lambda t: numbers(t, 5), help="X,Y,RADIUS,Z0,Z1: an upright post")
    parser.add_argument("--title", help="a caption")
    parser.add_argument("--width", type=float, default=900, help="in pixels (default: 900)")
    options = parser.parse_args()
    if dot(options.view, options.view) == 0 or not options.width > 0:
        parser.error("--view must not be zero, and --width must be positive")
    try:
        if options.table == "-":
            grains = read_grains(sys.stdin)
        else:
            with open(options.table, newline="") as file:
                grains = read_grains(file)
        paper, flat = draw(grains, options)
        with open(options.output, "w") as file:
            write(paper, flat, file)
    except (Failure, OSError) as problem:
        print(f"draw.py: {problem}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
