"""`scree check` refuses what the first step would refuse, in the same words."""
import unittest

from support import SANITIZED, ProgramTest

SCENE = """\
dimension: {dimension}
engine: {engine}
time: {{step: 1e-3, end: 1e-3}}
materials:
  ball: {{density: 1, friction: 0.3, {law}}}
  floor: {{density: 1, friction: 0.3}}
{shapes}
walls:
  bottom: {{plane: {{point: {zero}, normal: {up}}}, material: {floor}}}
grains: [{grains}]
{solver}
"""

# one touching pair; the law of the pair is that of its material
BODIES = {"disk": (2, "", ", radius: 1"), "sphere": (3, "", ", radius: 1"),
          "square": (2, "shapes: {block: {rectangle: {size: [2, 2]}}}", ", shape: block"),
          "curve": (2, "shapes: {oval: {ellipse: {half: [1, 1]}}}", ", shape: oval")}
SOLVERS = {"newton": ("contact_dynamics", "solver: {method: newton}"),
           "interior_point": ("contact_dynamics", "solver: {method: interior_point}"),
           "variational": ("variational", ""), "quasistatic": ("quasistatic", "")}
LAWS = {"cohesion": "cohesion: 10, cohesion_range: 0.01", "friction_static": "friction_static: 0.6",
        "rolling": "rolling: 0.1", "rolling_length": "rolling_length: 0.1", "rolling_hertz": "rolling_hertz: 0.1",
        "torsion": "torsion: 0.1", "torsion_length": "torsion_length: 0.1", "restitution": "restitution: 0.5",
        "stiffness": "stiffness: 1e5"}
# docs/method.md, "Matrices": these have no place in them, nor the others in the energies of the plane
NEVER = {"cohesion", "friction_static", "rolling_hertz", "torsion", "torsion_length"}
NOT_IN_THE_PLANE = NEVER | {"rolling", "rolling_length"}


def scene(bodies, solver, law, grains=2, floor="ball"):
    dimension, shapes, size = BODIES[bodies]
    engine, settings = SOLVERS.get(solver, ("contact_dynamics", ""))
    vector = (lambda height: f"[0, {height}]") if dimension == 2 else (lambda height: f"[0, 0, {height}]")
    places = ", ".join(f"{{position: {vector(1 + 2 * i)}, material: ball{size}}}" for i in range(grains))
    return SCENE.format(dimension=dimension, engine=engine, law=LAWS[law], shapes=shapes, grains=places, solver=settings,
                        zero=vector(0), up=vector(1), floor=floor)


class Refusals(ProgramTest):
    def refusal(self, text):
        """What `check` says; `run` says the same and leaves no file. "" where both agree to go on."""
        self.write("tried.yaml", text)
        check = self.start("check", "-q", "tried.yaml")
        told = check.communicate()[1]
        status = check.returncode
        self.assertIn(status, (0, 65), told)
        self.assertEqual(self.call("run", "-q", "tried.yaml", "-F", "-o", "tried.h5", status=status).stderr, told)
        self.assertEqual((self.path / "tried.h5").exists(), status == 0)
        (self.path / "tried.h5").unlink(missing_ok=True)
        return told

    def test_laws_that_matrices_have_no_place_for(self):
        for bodies, (dimension, _, _) in BODIES.items():
            for solver in SOLVERS if bodies in ("disk", "sphere") else ["newton"]:
                energies = solver in ("variational", "quasistatic")
                refused = NOT_IN_THE_PLANE if dimension == 2 and energies else NEVER
                for law in list(LAWS)[:2] if SANITIZED and solver != "newton" else LAWS:
                    with self.subTest(bodies=bodies, solver=solver, law=law):
                        told = self.refusal(scene(bodies, solver, law))
                        self.assertEqual(told != "", law in refused, told)
                        if told:
                            key = "engine" if energies else "solver.method"
                            remedy = "engine contact_dynamics" if key == "engine" else "solver.method auto"
                            self.assertIn(f"{key} {solver} cannot solve contacts with {law}", told)
                            self.assertIn(f"choose {remedy}", told)

    def test_sweeps_take_every_law(self):
        for law in LAWS:
            self.assertEqual(self.refusal(scene("sphere", "sweeps", law)), "")

    def test_law_that_nothing_can_meet_is_no_obstacle(self):
        """A single ball has its law with itself only; on a floor of another material that is the smaller of both."""
        self.assertEqual(self.refusal(scene("sphere", "newton", "cohesion", grains=1, floor="floor")), "")
        self.assertIn("materials 0 and 0", self.refusal(scene("sphere", "newton", "cohesion", grains=1)))
        self.assertIn("materials 0 and 0", self.refusal(scene("sphere", "newton", "cohesion", grains=2, floor="floor")))

    def test_bridges_too_large_for_their_law_are_told(self):
        """The law was fitted up to a tenth of the radius cubed."""
        for volume, words in ((0.1, []), (0.12, ["bridges of 'ball'", "0.12 radii cubed", "radius 1"])):
            wet = f"bridge_volume: {volume}, bridge_tension: 1"
            self.write("wet.yaml", scene("sphere", "auto", "rolling").replace(LAWS["rolling"], wet))
            told = self.call("check", "wet.yaml").stderr
            self.assertEqual("warning" in told, words != [], told)
            for word in words:
                self.assertIn(word, told)

    def test_walls_are_told_by_their_names(self):
        text = ("engine: soft\ntime: {end: 1e-3}\nmaterials: {m: {density: 1, stiffness: 1e3}}\nwalls:\n"
                "  floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}\n"
                "  funnel: {cone: {from: [0, 0, 0.2], to: [0, 0, 0.4], radii: [0.04, 0.15]}}\n"
                "grains: [{%s, position: [0, 0, 0.6]}]\n")
        told = self.refusal(text % "rod: {length: 0.03, radius: 0.01}")
        self.assertIn("wall 'funnel': engine soft lets clumps of balls meet this wall", told)
        self.assertEqual(self.refusal(text % "radius: 0.03"), "")

    def test_every_body_meets_every_wall(self):
        """No kind of body is refused at any wall, nor any pair of them."""
        bodies = ["radius: 0.02", "box: {size: [0.03, 0.03, 0.03]}", "rod: {length: 0.03, radius: 0.01}",
                  "plate: {size: [0.03, 0.03, 0.008]}",
                  "ellipsoid: {size: [0.04, 0.03, 0.02]}", "superellipsoid: {size: [0.04, 0.03, 0.02], exponents: [4, 3]}",
                  "cylinder: {radius: 0.02, height: 0.01}", "cone: {radius: 0.02, height: 0.03}",
                  "torus: {radius: 0.03, thickness: 0.01}", "rock: {faces: 12, size: 0.03}",
                  "polyhedron: {vertices: [[0, 0, 0], [0.03, 0, 0], [0, 0.03, 0], [0, 0, 0.03]]}",
                  "compound: [{sphere: {radius: 0.01}}, {box: {size: [0.03, 0.01, 0.01]}}]"]
        walls = ["plane: {point: [0, 0, -0.1], normal: [0, 0, 1]}", "block: {center: [3, 0, 0], half: [0.5, 0.5, 0.5]}",
                 "cylinder: {point: [0, 0, 0], axis: [0, 0, 1], radius: 9, side: inside}",
                 "cylinder: {point: [5, 0, 0], axis: [0, 0, 1], radius: 1, side: outside}",
                 "cylinder: {point: [0, 0, 0], axis: [0, 0, 1], radius: 9, length: 9, side: inside}",
                 "cone: {from: [0, 0, -3], to: [0, 0, -1], radii: [1, 2]}",
                 "disc: {center: [0, 0, -4], radius: 1, hole: 0.2}",
                 "plate: {center: [0, 0, -5], size: [1, 1], holes: {radius: 0.1, count: [3, 3], spacing: [0.3, 0.3]}}",
                 "mesh: {vertices: [[0, 0, -1], [1, 0, -1], [0, 1, -1]], faces: [[0, 1, 2]]}"]
        text = "time: {step: 1e-3, end: 1e-3}\nmaterials: {m: {density: 1}}\nwalls:\n"
        text += "".join(f"  w{k}: {{{wall}}}\n" for k, wall in enumerate(walls))
        text += "grains:\n" + "".join(f"  - {{{body}, position: [{0.2 * k}, 0, 0.5]}}\n" for k, body in enumerate(bodies))
        self.assertEqual(self.refusal(text), "")


LID = """\
gravity: [0, 0, -9.81]
time: {{end: 0.01}}
materials:
  sand: {{density: 2650, friction: {friction}{law}}}
walls:
  tank: {{box: {{min: [0, 0, 0], max: [0.1, 0.1, 0.2]}}, open: top}}
  lid: {{plane: {{point: [0, 0, 0.2], normal: [0, 0, -1]}}, piston: {{mass: 1, {load}}}}}
grains:
  - {{at: [[0.05, 0.05, 0.01], [0.05, 0.07, 0.01]], radius: 0.008}}
{more}
"""


class Doubts(ProgramTest):
    """What is allowed and yet hardly meant is told in one line, by `check` and before the first step of `run`."""

    def told(self, load="stress: 1000", friction=0.5, law="", more=""):
        self.write("tried.yaml", LID.format(load=load, friction=friction, law=law, more=more))
        told = self.call("check", "-q", "tried.yaml").stderr
        self.assertEqual(self.call("run", "-q", "tried.yaml", "-F", "-D", "solver.on_failure=continue",
                                   "-o", "tried.h5").stderr[:len(told)], told)
        self.assertEqual(told.count("warning:"), told.count("\n"))
        return told

    def test_lid_that_is_pulled_off(self):
        for load in ("stress: -1000", "force: [0, 0, 1000]"):
            told = self.told(load)
            self.assertIn(load[:load.index(":")] + " of piston 'lid' pulls it away from the grains", told)
            self.assertEqual(told.count("\n"), 1)

    def test_lids_as_they_should_be(self):
        drive = "{table: [[0, -1000], [1, 1000]]}"
        for load in ("stress: 1000", "force: [0, 0, -1000]", "stress: 0", f"stress: {drive}",
                     "force: [1000, 0, -0.001], direction: [1, 0, 0]"):
            self.assertEqual(self.told(load), "", load)

    def test_lid_that_may_pull(self):
        self.assertEqual(self.told("force: [0, 0, 1]", law=", cohesion: 10, cohesion_range: 1e-4"), "")
        later = "events: [{at: 0.005, set_piston: {wall: lid, force: [0, 0, -100]}}]"
        self.assertEqual(self.told("force: [0, 0, 1]", more=later), "")

    def test_friction_in_degrees(self):
        self.assertIn("material 'sand': friction 30 is a coefficient, the tangent of an angle, not degrees",
                      self.told(friction=30))
        self.assertIn("friction_static 35 is a coefficient", self.told(law=", friction_static: 35"))
        self.assertEqual(self.told(friction=2), "")

    def test_step_of_another_unit(self):
        self.write("tried.yaml", LID.format(load="stress: 1000", friction=0.5, law="", more=""))

        def call(step):
            return self.call("check", "tried.yaml", "-D", "time.end=1", *step)

        chosen = float(call([]).stdout.split(" steps of ")[1].split()[0])
        self.assertEqual(call(["-D", f"time.step={9.9 * chosen}"]).stderr, "")
        self.assertIn(f"time.step {11 * chosen:g} is 11 times as long as the one that Scree would choose, {chosen:.3g} for",
                      call(["-D", f"time.step={11 * chosen}"]).stderr)

    def test_after_the_end(self):
        told = self.told(more="events: [{at: 5, remove: lid}, {at: 0.01, remove: tank}]\noutput: {every: 0.02}")
        self.assertIn("event 0 is at 5, after time.end, 0.01: it will not happen", told)
        self.assertIn("output.every is 0.02, longer than the whole run", told)
        self.assertEqual(told.count("\n"), 2)


if __name__ == "__main__":
    unittest.main()
