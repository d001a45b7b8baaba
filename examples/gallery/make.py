"""Makes the files that the scenes of the gallery read: tables of bodies and surfaces of triangles.

    python3 examples/gallery/make.py
"""
import math
import pathlib

HERE = pathlib.Path(__file__).resolve().parent


def quaternion(axis, angle):
    """A rotation about a unit vector."""
    s = math.sin(angle / 2)
    return [math.cos(angle / 2), *(s * x for x in axis)]


def times(p, q):
    """The rotation p after q."""
    (a, b, c, d), (e, f, g, h) = p, q
    return [a * e - b * f - c * g - d * h, a * f + b * e + c * h - d * g,
            a * g - b * h + c * e + d * f, a * h + b * g - c * f + d * e]


def table(name, bodies, comment):
    """A CSV file of bodies: shape, position, quaternion, material."""
    lines = [f"# {comment}", "shape,x,y,z,qw,qx,qy,qz,material"]
    for shape, place, turn, material in bodies:
        lines.append(",".join([shape, *(f"{x:.17g}" for x in (*place, *turn)), material]))
    (HERE / name).write_text("\n".join(lines) + "\n")


def surface(name, comment, parts):
    """An OBJ file; parts are lists of faces of points."""
    lines, count = [f"# {comment}"], 0
    for part, triangles in parts.items():
        lines.append(f"o {part}")
        numbers = {}
        for triangle in triangles:
            for p in triangle:
                text = " ".join(f"{x:.4g}" for x in p)
                if text not in numbers:
                    count += 1
                    numbers[text] = count
                    lines.append(f"v {text}")
            lines.append("f " + " ".join(str(numbers[" ".join(f"{x:.4g}" for x in p)]) for p in triangle))
    (HERE / name).write_text("\n".join(lines) + "\n")


def dominoes():
    """A spiral of Archimedes, from the outside to the middle; every stone stands across it."""
    gap, pitch, turns = 0.022, 0.075, 3.2
    bodies, angle = [], 2 * math.pi * turns
    lean, half = 0.25, (0.0035, 0.024)  # the first one leans toward the next, about the edge that it stands on
    while angle > 2 * math.pi * 0.55:
        r = pitch * angle / (2 * math.pi)
        slope = math.atan2(pitch / (2 * math.pi), r)  # of the spiral against the circle
        along = angle + math.pi / 2 - slope
        x, y, z = r * math.cos(angle), r * math.sin(angle), half[1]
        turn = quaternion((0, 0, 1), along)
        if not bodies:
            off = half[0] * math.cos(lean) - half[1] * math.sin(lean) - half[0]
            x, y = x + off * math.cos(along), y + off * math.sin(along)
            z = half[0] * math.sin(lean) + half[1] * math.cos(lean)
            turn = times(turn, quaternion((0, 1, 0), -lean))
        bodies.append(("stone", (x, y, z), turn, "ivory" if len(bodies) % 5 else "brick"))
        angle -= gap / math.hypot(r, pitch / (2 * math.pi))
    table("dominoes.csv", bodies, "Dominoes along a spiral, made by make.py")


def bridge():
    """An arch of voussoirs in running bond between two piers, and blocks on its crown."""
    stones, inner, outer, rows, wide = 21, 1.0, 1.22, 3, 0.3
    bodies = []
    for k in range(stones):
        middle = math.pi * (k + 0.5) / stones
        turn = quaternion((0, 1, 0), math.pi / 2 - middle)
        # the middle of gravity of a voussoir lies a little above the mean radius: it is where the shape puts it
        r = voussoir_centre(inner, outer, math.pi / stones)
        for row in range(rows):
            y = (row - (rows - 1) / 2) * wide
            bodies.append(("voussoir", (r * math.cos(middle), y, 0.8 + r * math.sin(middle)), turn, "limestone"))
    mean = (inner + outer) / 2
    for side in (-1, 1):
        for layer in range(4):
            for row in range(rows):
                y = (row - (rows - 1) / 2) * wide
                bodies.append(("pier", (side * mean, y, 0.1 + 0.2 * layer), (1, 0, 0, 0), "granite"))
    table("bridge.csv", bodies, "Stones of a bridge, made by make.py")


def voussoir_centre(inner, outer, angle):
    """How far the centroid of a piece of a ring, cut straight, is from the middle of the ring."""
    half = angle / 2
    height = (outer - inner) * math.cos(half)
    low, high = inner * math.sin(half), outer * math.sin(half)
    return inner * math.cos(half) + height * (low + 2 * high) / (3 * (low + high))


def chain():
    """Links of a chain along a catenary between two that are held; each is turned by a right angle."""
    links, pitch = 24, 0.062
    span = 0.62 * links * pitch
    # y = a cosh(x / a), whose length between +-span/2 is 2 a sinh(span / 2a)
    low, high = 1e-3, 1e3
    for _ in range(200):
        a = math.sqrt(low * high)
        low, high = (a, high) if 2 * a * math.sinh(min(span / (2 * a), 300)) > links * pitch else (low, a)
    bodies = []
    for k in range(links + 1):
        s = (k - links / 2) * pitch
        x = a * math.asinh(s / a)
        z = a * math.cosh(x / a) - a * math.cosh(span / (2 * a)) + 1.2
        tilt = math.atan2(s, a)
        turn = times(quaternion((0, 1, 0), -tilt), quaternion((1, 0, 0), math.pi / 2 * (k % 2)))
        bodies.append(("link", (x, 0, z), turn, "steel" if k % 2 else "brass"))
    table("chain.csv", bodies[1:-1], "Links of a chain, made by make.py; its ends stand in the scene")
    for body in (bodies[0], bodies[-1]):
        print("chain end:", body)


def terrain():
    """A slope with a gully, bumps and a plain at its foot, in two parts."""
    nx, ny, size = 40, 24, (8.0, 4.8)

    def height(x, y):
        s = min(max((x - 0.8) / 5.2, 0.0), 1.0)
        slope = 3.0 * (1 - s * s * (3 - 2 * s))
        across = (y - 2.4) / 2.4
        gully = 0.75 * across * across * (1 - 0.5 * s)
        bumps = 0.10 * math.sin(2.3 * x + 1.0) * math.sin(3.1 * y) + 0.07 * math.sin(5.1 * x) * math.cos(4.3 * y + 0.5)
        head = 3.5 * max(0.0, 0.6 - x)  # nothing falls off behind
        return slope + gully + head + bumps * (1 - 0.7 * s)

    def point(i, j):
        x, y = size[0] * i / nx, size[1] * j / ny
        return (x, y, height(x, y))

    parts = {"slope": [], "foot": []}
    for i in range(nx):
        for j in range(ny):
            a, b, c, d = point(i, j), point(i + 1, j), point(i + 1, j + 1), point(i, j + 1)
            pair = [(a, b, c), (a, c, d)] if (i + j) % 2 else [(a, b, d), (b, c, d)]
            parts["slope" if i < 0.7 * nx else "foot"] += pair
    surface("terrain.obj", "A slope with a gully, made by make.py", parts)


def rotor():
    """A shaft with four blades that are twisted and swept, each a thin sheet of triangles."""
    triangles = []
    blades, steps, reach, root = 4, 10, 0.15, 0.015
    for blade in range(blades):
        begin = 2 * math.pi * blade / blades

        def at(t, up, begin=begin):
            r = root + t * (reach - root)
            lean = 0.9 - 0.35 * t  # against the horizontal
            along = begin - 0.5 * t * t
            off = (up - 0.5) * 0.06
            x, y = r * math.cos(along), r * math.sin(along)
            return (x - off * math.cos(lean) * math.sin(along), y + off * math.cos(lean) * math.cos(along),
                    0.062 + off * math.sin(lean))

        for i in range(steps):
            a, b = at(i / steps, 0), at((i + 1) / steps, 0)
            c, d = at((i + 1) / steps, 1), at(i / steps, 1)
            triangles += [(a, b, c), (a, c, d)]
    sides = 24
    for k in range(sides):
        p, q = (2 * math.pi * m / sides for m in (k, k + 1))
        a, b = ((root * math.cos(t), root * math.sin(t), 0.008) for t in (p, q))
        c, d = (a[0], a[1], 0.34), (b[0], b[1], 0.34)
        triangles += [(a, b, d), (a, d, c), ((0, 0, 0.36), c, d)]
    lines = ["solid rotor"]
    for triangle in triangles:
        lines += ["facet normal 0 0 0", "outer loop"]
        lines += ["vertex " + " ".join(f"{x:.5g}" for x in p) for p in triangle]
        lines += ["endloop", "endfacet"]
    (HERE / "rotor.stl").write_text("\n".join([*lines, "endsolid rotor"]) + "\n")


# Bolt and nut: turn by turn a ridge of trapezoids runs around a cylinder, outside of the bolt and inside of the nut. In a
# column, at one angle, points follow one another from the bottom to the top; the column after a whole turn is the first
# one, a turn of the thread higher.
LEAD, SIDES = 0.012, 24  # height of a turn; columns
BOLT = {"root": 0.008, "crest": 0.011, "wide": 0.006, "narrow": 0.003}  # radii; widths of the ridge there
PLAY = 0.0003  # of the nut along the axis to either side; 0.0004 across it


def columns(ridge, offset, low, high):
    """Points by angle, each with a key (turn, corner of the ridge) that it shares with its neighbours."""
    corners = [(-ridge["wide"] / 2, 0), (-ridge["narrow"] / 2, 1), (ridge["narrow"] / 2, 1), (ridge["wide"] / 2, 0)]
    found = []
    for k in range(SIDES):
        points = [("low", ridge["root"], low)]
        for turn in range(-1, math.ceil(high / LEAD) + 1):
            middle = LEAD * (turn + k / SIDES) + offset
            inside = min(middle - low, high - middle) / LEAD - 0.6
            if inside < -1e-9:
                continue
            height = min(1, 4 * max(inside, 0)) * (ridge["crest"] - ridge["root"])  # it runs out within a quarter
            points += [((turn, i), ridge["root"] + up * height, middle + z) for i, (z, up) in enumerate(corners)]
        points.append(("high", ridge["root"], high))
        cos, sin = math.cos(2 * math.pi * k / SIDES), math.sin(2 * math.pi * k / SIDES)
        found.append([(key, (r * cos, r * sin, z)) for key, r, z in points])
    return found


def strip(left, right, turns):
    """Triangles between neighbouring columns; what one of them does not have makes a fan at the other."""
    def across(key):
        return key if isinstance(key, str) else (key[0] + turns, key[1])

    keys, triangles, i, j = {key for key, _ in right}, [], 0, 0
    while i + 1 < len(left) or j + 1 < len(right):
        a, b = left[i][1], right[j][1]
        up = across(left[i + 1][0]) if i + 1 < len(left) else None
        if up is not None and j + 1 < len(right) and up == right[j + 1][0]:
            i, j = i + 1, j + 1
            triangles += [(a, b, right[j][1]), (a, right[j][1], left[i][1])]
        elif up is not None and up not in keys:
            i += 1
            triangles.append((a, b, left[i][1]))
        else:
            j += 1
            triangles.append((a, b, right[j][1]))
    return triangles


def around(ring):
    return [strip(ring[k], ring[(k + 1) % SIDES], 1 if k + 1 == SIDES else 0) for k in range(SIDES)]


def bolt():
    low, high = 0.0, 0.096
    ring = columns(BOLT, 0, low, high)
    triangles = sum(around(ring), [])
    for p, q in zip(ring, ring[1:] + ring[:1]):
        triangles += [((0, 0, low), q[0][1], p[0][1]), ((0, 0, high), p[-1][1], q[-1][1])]
    surface("bolt.obj", "A bolt, made by make.py", {"bolt": triangles})


def nut():
    """Its ridge fills the groove of the bolt but for the play."""
    low, high, size = 0.033, 0.063, 0.032 / math.sqrt(3)
    slope = (BOLT["wide"] - BOLT["narrow"]) / (BOLT["crest"] - BOLT["root"])
    crest, root = BOLT["root"] + 0.0004, BOLT["crest"] + 0.0004
    wide, narrow = (LEAD - BOLT["wide"] + slope * (r - BOLT["root"]) - 2 * PLAY for r in (root, crest))
    ring = columns({"root": root, "crest": crest, "wide": wide, "narrow": narrow}, LEAD / 2, low, high)
    triangles = [(a, c, b) for part in around(ring) for a, b, c in part]
    each = SIDES // 6
    for m in range(6):
        (ax, ay), (bx, by) = ((size * math.cos(math.pi * n / 3), size * math.sin(math.pi * n / 3)) for n in (m, m + 1))
        a, b, c, d = (ax, ay, low), (bx, by, low), (bx, by, high), (ax, ay, high)
        triangles += [(a, b, c), (a, c, d)]
        for q in range(each):
            p, r = ring[m * each + q], ring[(m * each + q + 1) % SIDES]
            first = q < each // 2
            triangles += [(a if first else b, p[0][1], r[0][1]), (d if first else c, r[-1][1], p[-1][1])]
        p = ring[m * each + each // 2]
        triangles += [(a, p[0][1], b), (d, c, p[-1][1])]
    surface("nut.obj", "A nut, made by make.py", {"nut": triangles})


def star():
    """Six square arms as one surface: of each arm its end, and the sides from the cube in the middle outwards."""
    length, thick = 0.01, 0.002
    ring = [(1, 1), (-1, 1), (-1, -1), (1, -1)]
    faces = []
    for axis in range(3):
        for sign in (1, -1):
            def at(along, corner, axis=axis, sign=sign):
                point = [0.0, 0.0, 0.0]
                point[axis] = sign * along
                point[(axis + 1) % 3], point[(axis + 2) % 3] = (thick * c for c in corner)
                return tuple(point)

            corners = ring[::sign]
            faces.append([at(length, c) for c in corners])
            for p, q in zip(corners, corners[1:] + corners[:1]):
                faces.append((at(thick, p), at(thick, q), at(length, q), at(length, p)))
    surface("star.obj", "A star of six arms, made by make.py", {"star": faces})


if __name__ == "__main__":
    dominoes()
    bridge()
    chain()
    terrain()
    rotor()
    bolt()
    nut()
    star()
