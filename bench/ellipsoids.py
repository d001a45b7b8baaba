#!/usr/bin/env python3
"""Ellipsoids without friction that fall into a box without side walls: how densely they lie.

    /usr/bin/python3 bench/ellipsoids.py --program build/release/scree --count 300 sphere oblate

All have the volume of a cube of 16 mm, and turn at random at first. Takes minutes. Random packings that are jammed
without friction have the fractions beside them (Donev et al., Science 303, 990, 2004; Man et al., PRL 94, 198001, 2005).
"""
from __future__ import annotations

import pathlib
import tempfile

import dice

# lengths along the axes, in any unit, and the published fractions
FORMS = {"sphere": ((1, 1, 1), "0.64"), "oblate": ((1.9, 1.9, 1), "0.68 to 0.71"), "prolate": ((1, 1, 1.5), "about 0.7"),
         "three": ((1.25, 1, 0.8), "0.735 to 0.74")}


def main() -> None:
    parser = dice.arguments(__doc__, 0.0)
    parser.add_argument("form", nargs="*", choices=[[], *FORMS], default=[])
    ask = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for form in ask.form or FORMS:
            lengths, published = FORMS[form]
            size = (dice.VOLUME * 6 / 3.14159265358979 / (lengths[0] * lengths[1] * lengths[2]))**(1 / 3)
            shape = f"ellipsoid: {{size: [{', '.join(str(size * x) for x in lengths)}]}}"
            row = dice.poured(ask, shape, dice.VOLUME, 0.15, 0.68, pathlib.Path(folder))
            print(f"{form}: {row['solid_fraction']:.3f} (published {published}), {row['coordination']:.2f} partners",
                  flush=True)


if __name__ == "__main__":
    main()
