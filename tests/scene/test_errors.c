/* Every bad scene gets one error in the right place with the right words. */
#include "bad_scenes.h"

#include <unistd.h>

#define FLOOR        "{plane: {point: [0, 0, 0], normal: [0, 0, 1]}}"
#define GRAIN(entry) BASE "grains:\n  - " entry "\n"
#define WALL(entry)  BASE ONE "walls:\n  w: " entry "\n"
#define MATERIAL(entry)                                                                            \
    "time: {step: 1, end: 1}\nmaterials:\n  a: " entry "\n"                                        \
    "grains: [{position: [0, 0, 5], radius: 1}]\n"
#define SOFT(entry)                                                                                \
    "engine: soft\ntime: {step: 1e-3, end: 1}\nmaterials: {a: {stiffness: 100}, b: " entry         \
    "}\ngrains: [{position: [0, 0, 5], radius: 1, material: a}]\n"
#define PAIR(entry)                                                                                \
    "time: {step: 1, end: 1}\nmaterials:\n"                                                        \
    "  a: {friction: 0.3, friction_static: 0.4}\n  b: {friction: 0.3, friction_static: 0.5}\n"     \
    "grains: [{position: [0, 0, 5], radius: 1, material: a}]\n"                                    \
    "pairs:\n  - " entry "\n"
#define FLAT(entry) BASE "dimension: 2\ngrains:\n  - " entry "\n"
#define SHAPE(entry)                                                                               \
    BASE "dimension: 2\nshapes:\n  chip: " entry "\ngrains: [{shape: chip, position: [0, 0]}]\n"
#define EVENT(entry) BASE ONE "walls: {w: " FLOOR "}\nevents:\n  - " entry "\n"

static const Bad table[] = {
    /* the text as a whole */
    {"", {"empty"}},
    {"@- 1\n", {"mapping"}},
    {"a: [1,\nb: @}\n", {"not valid YAML"}},
    {BASE ONE "@\xff\n", {"0xff", "UTF-8"}},
    {BASE ONE "---\n@a: 1\n", {"second document"}},
    {BASE ONE "seed: @\x02\n", {"not valid YAML"}},
    /* keys and types */
    {BASE ONE "@gravty: [0, 0, 1]\n", {"unknown key 'gravty'", "did you mean 'gravity'?"}},
    {BASE ONE "seed: 1\n@seed: 2\n", {"'seed' is given twice", "line 4"}},
    {BASE ONE "seed: @x\n", {"seed must be a whole number", "'x'"}},
    {BASE ONE "seed: @\"1\"\n", {"whole number", "text"}},
    {BASE ONE "seed: @[1]\n", {"whole number", "a list"}},
    {BASE ONE "solver:@\n", {"solver must be a mapping", "nothing"}},
    {BASE ONE "signed_gap: @yes\n", {"true or false"}},
    {BASE ONE "dimension: @4\n", {"2 or 3"}},
    {BASE ONE "gravity: @[0, 0]\n", {"3 numbers", "has 2", "dimension: 2"}},
    {BASE ONE "gravity: [0, 0, @.nan]\n", {"gravity[2]", "finite", ".nan"}},
    {BASE ONE "gravity: [0, @-inf, 0]\n", {"finite", "-inf"}},
    {BASE ONE "gravity: [0, @1e999, 0]\n", {"finite", "1e999"}},
    {BASE ONE "gravity: [0, @0x10, 0]\n", {"a number", "0x10"}},
    {BASE ONE "gravity: @&x [*x, 1, 2]\n", {"a number", "a list"}},
    {BASE ONE "solver: {order: @randm}\n", {"'randm'", "did you mean 'random'?"}},
    {BASE ONE "solver: {iterations: @1e10}\n", {"at most 2147483647"}},
    {BASE ONE "overlap: @perhaps\n", {"'perhaps'", "refuse"}},
    {BASE ONE "? @[1]\n: 2\n", {"key", "word"}},
    /* time, materials, grains as such */
    {"time: {step: @0, end: 1}\n", {"time.step", "greater than 0"}},
    {"time: {step: 1, end: @-1}\n", {"time.end", "greater than 0"}},
    {"time: @{step: 1}\n", {"'end' is missing in time"}},
    {GRAIN("{rock: @{flatness: 2}, position: [0, 0, 0]}"),
     {"'faces', 'size' are missing in grains[0].rock", "faces: ", "; size: "}},
    {"@materials: {a: {}}\n" ONE, {"'time' is missing"}},
    {"@" BASE, {"'grains' is missing"}},
    {BASE "grains: @[]\n", {"at least one grain"}},
    {"time: {step: 1e-3, end: 1}\nmaterials: @{}\n" ONE, {"at least one material"}},
    {"time: {step: 1, end: 1}\nmaterials: {a: {density: @-1}}\n", {"density", "greater"}},
    {"time: {step: 1, end: 1}\nmaterials: {@a b: {}}\n", {"'a b'", "name"}},
    {BASE ONE "walls: {w: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}, @stress: 1}}\n",
     {"unknown key 'stress' in walls.w", "it belongs to piston, as in 'piston: {stress: ...}'"}},
    {BASE ONE "@torsion: 1\n", {"unknown key", "materials", "'materials: {NAME: {torsion: ...}}'"}},
    {BASE ONE "@position: [0, 0, 0]\n", {"belongs to grains", "'grains: [{position: ...}]'"}},
    {BASE ONE "walls: {w: {@point: [0, 0, 0], normal: [0, 0, 1]}}\n",
     {"it belongs to plane or cylinder", "'plane: {point: ...}'"}},
    {BASE ONE "walls: {w: {cylinder: @{point: [0, 0, 0], radius: 1}}}\n",
     {"'side' is missing", "outside or inside"}},
    {BASE ONE "pairs: [{between: [stone, @ston], friction: 1}]\n", {"'ston'", "'stone'"}},
    {BASE ONE "pairs: [{between: [stone, @glass], friction: 1}]\n",
     {"'glass'", "materials: stone"}},
    {BASE ONE "periodic: {x: @[1, 0]}\n", {"from below to"}},
    /* laws */
    {MATERIAL("{friction: 0.5, friction_static: @0.4}"),
     {"materials.a", "friction_static 0.4 is below friction 0.5", "friction_static: 0.5 or more"}},
    {MATERIAL("{friction: @-0.1}"), {"materials.a.friction must be 0 or greater"}},
    {MATERIAL("{rolling: @-0.1}"), {"materials.a.rolling must be 0 or greater"}},
    {MATERIAL("{torsion_length: @.inf}"), {"materials.a.torsion_length", "finite"}},
    {MATERIAL("{cohesion: 1, cohesion_range: @-1}"), {"cohesion_range must be 0 or greater"}},
    {MATERIAL("{cohesion: 1, cohesion_range: @0}"),
     {"materials.a: cohesion needs a cohesion_range greater than 0", "energy"}},
    {MATERIAL("{cohesion: @1}"), {"cohesion needs a cohesion_range", "add cohesion_range"}},
    {MATERIAL("{bridge_volume: @1}"), {"needs both", "add bridge_tension"}},
    {MATERIAL("{bridge_tension: @1}"), {"needs both", "add bridge_volume"}},
    {MATERIAL("{bridge_volume: 1, bridge_tension: 1, bridge_angle: @90}"), {"below 90 degrees"}},
    {MATERIAL("{bridge_volume: @1, bridge_tension: 1, cohesion: 1, cohesion_range: 1}"),
     {"not both", "leave one"}},
    {MATERIAL("{cohesion_stress: @1}"), {"cohesion needs a cohesion_range", "add cohesion_range"}},
    {"dimension: 2\ntime: {step: 1, end: 1}\nmaterials: {a: {cohesion_stress: @1, cohesion_range: "
     "1}}\n"
     "grains: [{position: [0, 5], radius: 1}]\n",
     {"materials.a: cohesion_stress is for the faces of solids", "give cohesion"}},
    {MATERIAL("{restitution: @1.01}"), {"restitution must be between 0 and 1", "create energy"}},
    {MATERIAL("{restitution_tangential: @-0.5}"), {"between 0 and 1", "energy"}},
    {MATERIAL("{restitution_threshold: @-1}"), {"0 or greater"}},
    {MATERIAL("{stiffness: @0}"), {"stiffness must be greater than 0", ".inf"}},
    {MATERIAL("{stiffness_tangential: @-.inf}"), {"stiffness_tangential", "rigid"}},
    {MATERIAL("{stiffness: @.nan}"), {"a finite number", ".inf"}},
    {MATERIAL("{stiffness: @hard}"), {"stiffness must be a number", "'hard'", ".inf"}},
    {MATERIAL("{stiffness: @[1]}"), {".inf or a number", "a list"}},
    {MATERIAL("{modulus: @1e5}"), {"materials.a.modulus", "soft engine", "use stiffness"}},
    {MATERIAL("{damping: @1}"), {"materials.a.damping ", "soft engine", "use restitution"}},
    {MATERIAL("{damping_tangential: @1}"), {"damping_tangential", "soft engine"}},
    {MATERIAL("{@frction: 1}"), {"unknown key 'frction' in materials.a", "'friction'"}},
    {PAIR("@{between: [a, b]}"), {"pairs[0] gives no law", "for example friction: 0.3"}},
    {PAIR("{between: [a, b], friction: @0.45}"),
     {"pairs[0]: friction_static 0.4, from the two materials, is below friction 0.45",
      "friction_static: 0.45 or more"}},
    {PAIR("{between: [a, b], friction_static: @0.2}"),
     {"pairs[0]: friction_static 0.2 is below friction 0.3"}},
    {PAIR("{between: [a, b], cohesion: @2}"), {"pairs[0]: cohesion needs a cohesion_range"}},
    {PAIR("{between: [a, b], damping: @2}"), {"pairs[0].damping", "soft engine"}},
    {PAIR("{between: @[a, b, a], rolling: 1}"), {"two materials"}},
    {PAIR("{between: [a, b], rolling: 1}\n  - {between: @[b, a], torsion: 1}"),
     {"same materials as pairs[0]"}},
    /* engines and the time step */
    {BASE ONE "engine: @sfot\n", {"engine cannot be 'sfot'", "did you mean 'soft'?"}},
    {SOFT("@{friction: 1}"), {"materials.b", "finite stiffness or a modulus", "add stiffness"}},
    {SOFT("{stiffness: @.inf}"), {"materials.b", "finite stiffness or a modulus"}},
    {SOFT("{modulus: 1}") "pairs: [{between: [a, b], stiffness: @.inf}]\n",
     {"pairs[0]", "finite stiffness or a modulus"}},
    {SOFT("{modulus: 1}") "soft: {integrator: @euler}\n", {"'euler'", "velocity_verlet"}},
    {SOFT("{modulus: 1}") "soft: {friction: @none}\n", {"'none'", "spring"}},
    {BASE ONE "soft: @{friction: spring}\n", {"soft engine", "contact dynamics", "engine: soft"}},
    {"time: @{end: 1}\nmaterials: {a: {}}\n" ONE,
     {"no time step can be chosen", "nothing tells how fast grains move", "give time.step"}},
    {"engine: quasistatic\ntime: @{end: 1}\nmaterials: {a: {}}\n" ONE,
     {"'step' is missing in time", "increments"}},
    {"time: {step: @1e-300, end: 1}\nmaterials: {a: {}}\n" ONE, {"more than 1e15 steps"}},
    {"time: {step: @1e300, end: 1}\nmaterials: {a: {}}\n" ONE, {"end before its first step"}},
    {"time: {step: 1, end: 1, theta: @0.49}\nmaterials: {a: {}}\n" ONE,
     {"time.theta must be between 1/2 and 1", "unstable"}},
    {"time: {step: 1, end: 1, theta: @1.5}\nmaterials: {a: {}}\n" ONE, {"between 1/2 and 1"}},
    {"engine: soft\ntime: {step: 1, end: 1, theta: @0.5}\nmaterials: {a: {stiffness: 1}}\n" ONE,
     {"time.theta belongs to contact dynamics", "soft.integrator"}},
    /* grains */
    {GRAIN("{position: [0, 0, 0], radius: @-1}"), {"radius", "greater than 0"}},
    {GRAIN("{position: [0, 0, 0], radius: 1, mass: @0}"), {"mass", "greater than 0"}},
    {GRAIN("@{position: [0, 0, 0]}"), {"'radius' is missing in grains[0]"}},
    {GRAIN("@{radius: 1}"), {"where its grains are"}},
    {GRAIN("{radius: 1, material: @ston, position: [0, 0, 0]}"), {"'ston'", "'stone'"}},
    {GRAIN("{@raduis: 1, position: [0, 0, 0]}"), {"grains[0]", "did you mean 'radius'?"}},
    {GRAIN("{radius: @[1, 2], at: [[0, 0, 0]]}"), {"2 radii for 1 grain"}},
    {GRAIN("{radius: 1, count: @5, position: [0, 0, 0]}"), {"belong to fill"}},
    {GRAIN("{radius: 1, fill: @{min: [0, 0, 0], max: [9, 9, 9]}}"), {"count or solid_fraction"}},
    {GRAIN("{radius: {uniform: @[2, 1]}, position: [0, 0, 0]}"), {"from below to"}},
    {GRAIN("{radius: {uniform: [@0, 1]}, position: [0, 0, 0]}"), {"greater than 0"}},
    {GRAIN("{radius: {two: {small: 1, large: 2, fraction: @2}}, position: [0, 0, 0]}"),
     {"between 0 and 1"}},
    {GRAIN("{frozen: [x, @w], radius: 1, position: [0, 0, 0]}"), {"frozen", "'w'"}},
    /* shapes: outlines, at the vertex that is wrong */
    {FLAT("{polygon: {vertices: [[0, 0], [2, 0], [2, 1], @[2, 0]]}}"),
     {"grains[0].polygon.vertices[3]: repeats corner 1"}},
    {FLAT("{polygon: {vertices: [[0, 0], @[1, 0], [2, 0], [1, 1]]}}"),
     {"vertices[1]: lies on the straight line"}},
    {FLAT("{polygon: {vertices: [@[0, 0], [2, 2], [2, 0], [0, 2]]}}"),
     {"vertices[0]: the outline crosses itself", "corner 2"}},
    {FLAT("{polygon: {vertices: [[0, 0], [4, 0], [4, 2], @[2, 0], [0, 2]]}}"),
     {"vertices[3]: the outline touches itself", "corner 0"}},
    {FLAT("{polygon: {vertices: [[0, 0], @[1, 1], [2, 2]]}}"), {"vertices[1]", "no area"}},
    {FLAT("{polygon: {vertices: @[[0, 0], [1, 1]]}}"), {"three vertices", "rod: {length"}},
    {FLAT("{polygon: {vertices: [[0, 0], @[1], [2, 2]]}}"), {"vertices[1]", "2 numbers"}},
    {FLAT("{polygon: {vertices: [[0, 0], [1, 0], [0, 1]], rounding: @-1}}"), {"0 or greater"}},
    {FLAT("{polygon: @{rounding: 1}}"), {"'vertices' is missing in grains[0].polygon"}},
    {FLAT("{polygon: {@vertexes: []}}"), {"unknown key 'vertexes'", "did you mean 'vertices'?"}},
    {SHAPE("{compound: [{disk: {radius: 1}}, {polygon: {vertices: [[0, 0], [1, 0], @[1, 0]]}}]}"),
     {"shapes.chip.compound[1].polygon.vertices[2]: repeats corner 1"}},
    {SHAPE("{compound: [@{center: [0, 0]}]}"), {"shapes.chip.compound[0]", "disk, polygon"}},
    {SHAPE("{compound: @[]}"), {"shapes.chip has no parts"}},
    {SHAPE("{compound: [{rod: {length: @1, radius: 0.5}}]}"), {"longer than it is thick"}},
    {SHAPE("{regular: {corners: @2, radius: 1}}"), {"from 3 to 1000 corners"}},
    {SHAPE("{regular: {corners: 3, radius: 1, rounding: @1}}"), {"less than the radius"}},
    {SHAPE("{rectangle: {size: [2, 1], rounding: @0.5}}"), {"less than half", "rod"}},
    {SHAPE("{rectangle: {size: [2, @0]}}"), {"rectangle.size[1]", "greater than 0"}},
    {SHAPE("{random_polygon: {corners: @[8, 5], radius: 1}}"), {"from 3 to 100", "[from, to]"}},
    {SHAPE("{random_polygon: {corners: @5.5, radius: 1}}"), {"a whole number"}},
    {SHAPE("{random_polygon: {corners: 5, radius: @[1, 2]}}"), {"number or a distribution"}},
    {SHAPE("{random_polygon: {corners: 5, radius: 1, irregularity: @2}}"), {"between 0 and 1"}},
    {SHAPE("{random_polygon: {corners: 5, radius: 1, elongation: @0.5}}"), {"1 or greater"}},
    {SHAPE("{random_polygon: {corners: 5, radius: 1, rounding: @1}}"), {"smallest radius"}},
    {SHAPE("@{}"), {"shapes.chip has no shape", "give one of polygon"}},
    {SHAPE("@{rod: {length: 2, radius: 0.5}, rectangle: {size: [1, 1]}}"),
     {"shapes.chip has more than one shape"}},
    {FLAT("{shape: @chip, position: [0, 0]}"), {"no shape 'chip'", "under 'shapes'"}},
    {FLAT("{rectangle: {size: [1, 1]}, radius: @1, position: [0, 0]}"),
     {"a shape and a radius", "scale"}},
    {FLAT("@{rectangle: {size: [1, 1]}}"), {"where its grains are"}},
    {FLAT("@{position: [0, 0]}"), {"'radius' is missing", "rectangle"}},
    {FLAT("{radius: 1, angle: @1, position: [0, 0]}"), {"angle applies to shapes"}},
    {FLAT("{rectangle: {size: [1, 1]}, scale: @-1, position: [0, 0]}"),
     {"scale", "greater than 0"}},
    {FLAT("{rectangle: {size: [1, 1]}, scale: @[1, 2], at: [[0, 0]]}"), {"2 scales for 1 grain"}},
    {FLAT("{rectangle: {size: [1, 1]}, angle: @[1, 2], position: [0, 0]}"),
     {"a list of 2 angles can only be used with 'at'"}},
    {GRAIN("{radius: @[1, 2], count: 3, fill: {min: [0, 0, 0], max: [9, 9, 9]}}"),
     {"a list of 2 radii", "{uniform: [SMALLEST, LARGEST]}"}},
    {FLAT("{rectangle: {size: [1, 1]}, angle: @rndom, position: [0, 0]}"), {"in radians", "rndom"}},
    {FLAT("{rectangle: {size: [1, 1]}, angle: @1e6, position: [0, 0]}"), {"radians"}},
    {GRAIN("{polygon: @{vertices: [[0, 0], [1, 0], [0, 1]]}}"),
     {"grains[0].polygon", "only in two dimensions", "dimension: 2"}},
    {BASE ONE "shapes: {chip: {rectangle: @{size: [1, 1]}}}\n",
     {"shapes.chip.rectangle exists only in two dimensions", "dimension: 2"}},
    {GRAIN("{shape: @chip, position: [0, 0, 0]}"), {"no shape 'chip'", "under 'shapes'"}},
    {FLAT("{box: @{size: [1, 1, 1]}, position: [0, 0]}"), {"box exists only in three dimensions"}},
    {FLAT("{radius: 1, orientation: @random, position: [0, 0]}"), {"only in three dimensions"}},
    {GRAIN("{radius: 1, orientation: @random, position: [0, 0, 0]}"),
     {"orientation applies to shapes"}},
    {GRAIN("{box: {size: [1, 1, 1], rounding: @0.5}, position: [0, 0, 0]}"),
     {"grains[0]", "less than half of each side"}},
    {GRAIN("{regular: {faces: @7, radius: 1}, position: [0, 0, 0]}"), {"4, 6, 8, 12 or 20"}},
    {GRAIN("{regular: @{radius: 1}, position: [0, 0, 0]}"), {"4, 6, 8, 12 or 20"}},
    {GRAIN("{prism: {corners: @2, radius: 1, height: 1}, position: [0, 0, 0]}"), {"3 to 1000"}},
    {GRAIN("{plate: {size: @[1, 0.1, 0.2]}, position: [0, 0, 0]}"), {"longer and wider"}},
    {GRAIN("{torus: {radius: 1, thickness: @2}, position: [0, 0, 0]}"), {"less than twice"}},
    {GRAIN("{surface: {degree: [@0, 3], across: 2, points: [[0, 0, 0], [0, 0, 1], [0, 1, 0], [1, "
           "0, 0]]}}"),
     {"greater than 0"}},
    {GRAIN("{surface: {degree: @[3, 2.5], across: 2, points: [[0, 0, 0], [0, 0, 1], [0, 1, 0], [1, "
           "0, 0]]}}"),
     {"whole numbers from 1 to 7"}},
    {GRAIN("{surface: {across: @3, points: [[0, 0, 0], [0, 0, 1], [0, 1, 0], [1, 0, 0]]}}"),
     {"a multiple of `across`"}},
    {GRAIN("{surface: {across: 2, points: [[0, 0, 0], [0, 0, 1], [0, 1, 0], [1, 0, 0]], weights: "
           "@[1, 2]}}"),
     {"one weight for each point"}},
    {GRAIN("{surface: {across: 2, points: [[0, 0, 0], [0, 0, 1], [0, 1, 0], [1, 0, 0]], knots_u: "
           "@[0, 1, 2]}}"),
     {"take 6 knots"}},
    {GRAIN("{rod: {length: @1, radius: 0.5}, position: [0, 0, 0]}"), {"longer than it is thick"}},
    {GRAIN("{polyhedron: {vertices: @[[0, 0, 0], [1, 0, 0]]}}"), {"at least four vertices"}},
    {GRAIN("{polyhedron: @{vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]}}"),
     {"grains[0]", "plane"}},
    {GRAIN("{polyhedron: {vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], faces: [[0, 2, "
           "1], [0, 1, @4]]}}"),
     {"grains[0].polyhedron.faces[1]", "no vertex 4, only 0 to 3"}},
    {GRAIN("{polyhedron: {vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], faces: [[0, 2, "
           "1], @[0, 1]]}}"),
     {"faces[1]", "a list of three vertices or more"}},
    {GRAIN("{radius: 1, lattice: @{min: [0, 0, 0], max: [9, 9, 1], spacing: 2}}"),
     {"spacing 2 fits", "1 apart along z", "counts"}},
    {GRAIN("{rock: {faces: @3, size: 1}, position: [0, 0, 0]}"), {"from 4 to 1000"}},
    {GRAIN("{rock: {faces: 9, size: 1, flatness: 4, rounding: @0.2}, position: [0, 0, 0]}"),
     {"grains[0].rock", "half the height"}},
    {GRAIN("{mesh: {file: @no-such.stl}}"), {"cannot read 'no-such.stl'"}},
    {GRAIN("{mesh: {file: @settle.yaml}}"), {"a mesh file has a name that ends in .stl"}},
    {GRAIN("{compound: [{box: {size: [1, 1, 1]}}, @{center: [0, 0, 0]}]}"),
     {"grains[0].compound[1]", "one solid"}},
    {GRAIN("{box: {size: [1, 1, 1]}, orientation: @[1, 2, 3], position: [0, 0, 0]}"),
     {"quaternion [w, x, y, z]"}},
    {GRAIN("{box: {size: [1, 1, 1]}, orientation: @{angle: 1}, position: [0, 0, 0]}"),
     {"axis and angle"}},
    {GRAIN("{box: {size: [1, 1, 1]}, orientation: @{axis: [0, 0, 0], angle: 1}, position: [0, 0, "
           "0]}"),
     {"axis other than zero"}},
    {GRAIN("{box: {size: [1, 1, 1]}, orientation: @[[1, 0, 0, 0]], position: [0, 0, 0]}"),
     {"a list of 1 orientation can only be used with 'at'"}},
    {GRAIN("{radius: 1, angle: @1, position: [0, 0, 0]}"), {"only in two dimensions"}},
    {FLAT("@{at: [[0, 0], [0.5, 0]], rectangle: {size: [1, 1]}}"),
     {"grain 0", "grain 1", "overlap by 0.5"}},
    {FLAT("{count: 2, rod: {length: 3, radius: 0.1}, fill: @{min: [0, 0], max: [2, 2]}}"),
     {"only 0 of 2 grains"}},
    {FLAT("{count: @9, rectangle: {size: [1, 1]}, fill: {min: [0, 0], max: [2, 2]}}"),
     {"9 grains do not fit"}},
    /* found while building */
    {GRAIN("@{count: 1e12, radius: 1, fill: {min: [0, 0, 0], max: [1e6, 1e6, 1e6]}}"),
     {"1e+12 grains", "limit is 100000000"}},
    {GRAIN("{count: @1000000, radius: 1, fill: {min: [0, 0, 0], max: [9, 9, 9]}}"),
     {"1000000 grains do not fit"}},
    /* centres lie in a cube of side 1, at most 1.74 < 2 apart: one ball fits, not two */
    {GRAIN("{count: 3, radius: 1, fill: @{min: [0, 0, 0], max: [3, 3, 3]}}"),
     {"only 1 of 3 grains", "solid fraction of 0.155"}}, /* 4/3 pi / 27 */
    {GRAIN("{count: 1, radius: 1, fill: @{min: [0, 0, 0], max: [1, 9, 9]}}"), {"does not fit"}},
    {GRAIN("@{lattice: {min: [0, 0, 0], counts: [1e9, 1e9, 1]}, radius: 1}"), {"limit"}},
    {GRAIN("{lattice: @{min: [0, 0, 0]}, radius: 1}"), {"max or counts"}},
    {GRAIN("@{at: [[0, 0, 0], [0, 0, 1.5]], radius: 1}"),
     {"grain 0", "grain 1", "overlap by 0.5 (1 pair in all)"}},
    {GRAIN("{file: @none.csv}"), {"none.csv", "No such file"}},
    {GRAIN("@{position: [0, 0, 0.5], radius: 1}") "walls: {f: " FLOOR "}\n",
     {"wall 'f'", "overlap by 0.5", "overlap: accept"}},
    {GRAIN("@{position: [0, 0, -0.5], radius: 1}") "walls: {f: " FLOOR "}\n",
     {"wall 'f'", "grain 0 lies behind wall 'f'; move it"}},
    {GRAIN("{position: @[0 0 1], radius: 1}"),
     {"the one word '0 0 1'", "separate the numbers by commas"}},
    {"materials:\n@\tsand: {density: 1}\n", {"a tab", "indent by spaces"}},
    {"gravity: @9.81\n", {"a list of 3 numbers", "one number for each axis, such as [0, 0, 1]"}},
    {"time: {step: @1 ms, end: 1}\n", {"must be a number", "leave out the unit"}},
    {"time:\n  end: @0,5\n", {"must be a number", "a decimal point is a point"}},
    {"materials:@\nsand: {density: 1}\n", {"is nothing", "indent its entries"}},
    {"walls:\n  @- {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}\n",
     {"names to entries, but is a list", "in the place of '-'"}},
    {"@time: {end: 1}\n", {"'materials' is missing", "materials: {sand: {density: 2650"}},
    /* walls */
    {WALL("{plane: {point: [0, 0, 0], normal: [0, 0, 1]}, piston: {mass: @-1, force: [0, 0, 1]}}"),
     {"mass must be 0 or greater"}},
    {WALL("{plane: {point: [0, 0, 0], normal: [0, 0, 1]}, piston: @{mass: 1}}"),
     {"needs a force or a stress"}},
    {WALL("{plane: {point: [0, 0, 0], normal: [0, 0, 1]}, piston: @{mass: 1, stress: 2, between: "
          "[w, "
          "w]}}"),
     {"between four walls"}},
    {BASE ONE "walls: {w: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}, piston: {mass: 1, stress: "
              "2, between: [w, w, w, @v]}}}\n",
     {"no wall 'v'"}},
    {BASE ONE "walls: {v: " FLOOR ", w: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}, "
              "piston: {mass: 1, stress: 2, between: [v, @v, w, w]}}}\n",
     {"between 'v' and itself", "name four walls"}},
    {"dimension: 2\ntime: {step: 1, end: 1}\nmaterials: {a: {}}\n"
     "grains: [{position: [0, 5], radius: 1}]\n"
     "walls: {b: {box: {min: [-9, -9], max: [9, 9]}}, w: {plane: {point: [0, 0], normal: [0, 1]}, "
     "piston: {mass: 1, stress: 2, between: [b.left, @b.left]}}}\n",
     {"between 'b.left' and itself", "two walls at its ends"}},
    {WALL("@{material: stone}"), {"wall 'w'", "has no shape"}},
    {WALL("{plane: @{point: [0, 0, 0], normal: [0, 0, 0]}}"), {"normal", "not be zero"}},
    {WALL("{box: @{min: [0, 0, 0], max: [1, -1, 1]}}"), {"less than that of max"}},
    {WALL("{plane: {point: [0, 0, 0], normal: [0, 0, 1]}, open: @top}"), {"open"}},
    {WALL("{plane: {point: [0, 0, 0], normal: [0, 0, 1]}, spin: @1}"), {"axis"}},
    {WALL("{segment: @{from: [0, 0, 0], to: [1, 0, 0]}}"), {"two dimensions"}},
    {WALL("{plane: {point: [0, 0, 0], normal: [0, 0, 1]}, velocity: {table: [[1, 0, 0, 0], [@0, 0, "
          "0, "
          "0]]}}"),
     {"times do not decrease"}},
    {BASE ONE "walls: {w: {}, @w: {}}\n", {"'w' is given twice", "line 4"}},
    {BASE ONE "walls: {@a.b: {}}\n", {"'a.b'", "name"}},
    /* events */
    {EVENT("{at: 1, remove: @v}"), {"no wall 'v'"}},
    {EVENT("@{remove: w}"), {"'at'", "'when'"}},
    {EVENT("@{at: 1}"), {"no action"}},
    {EVENT("{when: @{hold: 1}, remove: w}"), {"condition is empty"}},
    {EVENT("{at: 1, remove: w}\n  - {at: 2, set_velocity: {wall: @w, velocity: [0, 0, 1]}}"),
     {"events[1]: wall 'w' has been removed by then, by events[0]", "leave it out"}},
    {EVENT("{at: 2, remove: @w}\n  - {at: 1, remove: w}"),
     {"events[0]: wall 'w' has been removed by then, by events[1]"}},
    {EVENT("{at: 1, remove: w, set_velocity: {wall: @w, velocity: [0, 0, 1]}}"),
     {"it removes it itself"}},
    {EVENT("{at: 1, remove: [w, @w]}"), {"it removes it itself"}},
    {EVENT("{at: 1, set_force: {wall: @w, force: [0, 0, 1]}}"), {"not a piston"}},
    {EVENT("{at: 1, set_friction: {material: stone, friction: 0.5, friction_static: @0.4}}"),
     {"friction_static 0.4 is below friction 0.5", "leave it out"}},
    {EVENT("{at: 1, set_friction: {material: stone, friction: @-1}}"), {"0 or greater"}},
    {EVENT("{at: 1, set_force: {grains: @7, force: [0, 0, 1]}}"), {"no grain 7", "0 to 0"}},
    /* the control of the cell */
    {BASE ONE "cell: @{pressure: 1}\n", {"only a periodic cell can deform"}},
    {BASE ONE "periodic: {z: [0, 9]}\ncell: @{rate: {xx: 1}}\n", {"periodic directions only"}},
};

static void each_error_has_its_place_and_words(void) {
    check_bad_scenes(table, sizeof table / sizeof table[0]);
}

/* The form of a message, as promised in scene.h. */
static void message_has_its_form(void) {
    const char *text =
        "time: {step: 1, end: 1}\nmaterials: {a: {}}\ngrains:\n  - position: [0, 0, 1]\n"
        "    radius: 1\n    raduis_max: 1.0\n";
    SceneError error;
    CHECK(!scene_parse(text, strlen(text), "heap.yaml", NULL, 0, &error));
    const char *form = "heap.yaml:6:5: error: unknown key 'raduis_max' in grains[0]\n"
                       "    6 |     raduis_max: 1.0\n"
                       "      |     ^~~~~~~~~~";
    CHECK(strncmp(error.text, form, strlen(form)) == 0);
}

/* Texts that make libyaml slow must be refused quickly: the test's own time limit would show it. */
static void hostile_shapes_are_refused(void) {
    enum { DEEP = 200000 };
    char *text = malloc(DEEP + 64);
    SceneError error;
    CHECK(text != NULL);
    if (!text) {
        return;
    }
    memset(text, '[', DEEP);
    CHECK(!scene_parse(text, DEEP, "deep.yaml", NULL, 0, &error));
    CHECK(strstr(error.text, "nested more than 64 deep") && error.line == 1 && error.column == 65);
    size_t used = 0;
    for (int i = 0; used + 16 < DEEP; i++) {
        used += (size_t)snprintf(text + used, DEEP - used, "- &a%d 1\n", i);
    }
    CHECK(!scene_parse(text, used, "anchors.yaml", NULL, 0, &error));
    CHECK(strstr(error.text, "more than 5000 anchors") && error.line == 5001);
    free(text);
}

/* 5000 entries that each repeat 5000 places, from a text of 40 kB. */
static void alias_bombs_are_refused(void) {
    enum { SIZE = 100000 };
    char *text = malloc(SIZE);
    SceneError error;
    CHECK(text != NULL);
    if (!text) {
        return;
    }
    size_t used = (size_t)snprintf(text, SIZE, BASE "grains:\n - &g {radius: 1, at: [&p [0, 0, 1]");
    for (int i = 0; i < 5000; i++) {
        used += (size_t)snprintf(text + used, SIZE - used, ", *p");
    }
    used += (size_t)snprintf(text + used, SIZE - used, "]}\n");
    for (int i = 0; i < 5000; i++) {
        used += (size_t)snprintf(text + used, SIZE - used, " - *g\n");
    }
    CHECK(!scene_parse(text, used, "bomb.yaml", NULL, 0, &error));
    CHECK(strstr(error.text, "aliases repeat") != NULL);
    free(text);
}

static void plain_aliases_work(void) {
    Scene *scene = parsed("time: {step: 1, end: 1}\nmaterials: {a: &m {density: 3}, b: *m}\n"
                          "grains: [{position: [0, 0, 0], radius: 1, material: b}]\n");
    ScreeWorld *world = NULL;
    CHECK(scene && scene_build(scene, &world, NULL));
    if (world) {
        CHECK_CLOSE(scree_world_get_bodies(world).mass[0], 3 * 4.0 / 3.0 * 3.14159265358979, 1e-12);
    }
    dropped(scene, world);
}

static void missing_scene_files_are_told(void) {
    SceneError error;
    CHECK(!scene_load("no/such/scene.yaml", NULL, 0, &error));
    CHECK(strstr(error.text, "no/such/scene.yaml: error: cannot read") && error.line == 0);
    CHECK(!scene_load(".", NULL, 0, &error));
    CHECK(strstr(error.text, "directory") != NULL);
}

/* ---------------------------------------------------------------- CSV */

typedef struct BadCsv {
    const char *csv;
    int line, column;
    const char *words;
} BadCsv;

static const BadCsv csv_table[] = {
    {"", 0, 0, "empty"},
    {"x,y,z,radius\n", 1, 1, "no grains"},
    {"x,y,radius\n1,2,3\n", 1, 1, "no column 'z'"},
    {"x,y,z,raduis\n", 1, 7, "did you mean 'radius'?"},
    {"x,y,z,x\n", 1, 7, "named twice"},
    {"# grains\nx,y,z,radius\n1,2,3,1\n\n9,9,9\n", 5, 5, "3 fields, but the header names 4"},
    {"x,y,z,radius\n1,2,3,1,7\n", 2, 9, "more fields"},
    {"x,y,z,radius\n1, 2,nan,1\n", 2, 6, "finite"},
    {"x,y,z,radius\n1,2,,1\n", 2, 5, "a number"},
    {"x,y,z,radius\n1,2,3,0\n", 2, 7, "greater than 0"},
    {"x,y,z,radius,material\n1,2,3,1,sand\n", 2, 9, "no material 'sand'"},
    {"x,y,z,radius,temperature\n", 1, 14, "the first line names the columns: x, y, z, radius"},
    {"x,y,z,radius\n1,2,\xe9,1\n", 2, 5, "the byte 0xe9 is not UTF-8 text"},
    {"x,y,z,radius\n1,0000000000000000000000000000000000000000000000000000000000000002,3,1\n", 2, 3,
     "a field is longer than 63 characters"},
    {"x,y,z,radius\n1,2,3,1\n1,2,3.5,1\n", 4, 5, "line 3"}, /* overlap: reported in the scene */
};

static const BadCsv flat_csv_table[] = {
    {"x,y,z,radius\n1,2,3,1\n", 2, 5, "0 in two dimensions"},
    {"x,y,radius,wx\n1,2,1,1\n", 2, 7, "0 in two dimensions"},
};

static void check_bad_csv(const BadCsv *bad, const char *text) {
    char folder[] = "/tmp/scree-scene-XXXXXX", path[64], scene_path[64];
    bool made = mkdtemp(folder) != NULL;
    CHECK(made);
    if (!made) {
        return;
    }
    snprintf(path, sizeof path, "%s/g.csv", folder);
    snprintf(scene_path, sizeof scene_path, "%s/s.yaml", folder);
    FILE *file = fopen(path, "w");
    CHECK(file && fputs(bad->csv, file) >= 0 && fclose(file) == 0);
    SceneError error;
    ScreeWorld *world;
    Scene *scene = scene_parse(text, strlen(text), scene_path, NULL, 0, &error);
    bool right = scene && !scene_build(scene, &world, &error) && error.line == bad->line &&
                 error.column == bad->column && strstr(error.text, bad->words);
    CHECK(right);
    if (!right) {
        fprintf(stderr, "expected %d:%d '%s'; got:\n%s", bad->line, bad->column, bad->words,
                error.text);
    }
    scene_free(scene);
    unlink(path);
    rmdir(folder);
}

static void csv_errors_have_their_place_and_words(void) {
    for (size_t i = 0; i < sizeof csv_table / sizeof csv_table[0]; i++) {
        check_bad_csv(&csv_table[i], GRAIN("{file: g.csv}"));
    }
    for (size_t i = 0; i < sizeof flat_csv_table / sizeof flat_csv_table[0]; i++) {
        check_bad_csv(&flat_csv_table[i], FLAT("{file: g.csv}"));
    }
}

int main(int argc, char **argv) {
    CHECK_RUN(each_error_has_its_place_and_words);
    CHECK_RUN(message_has_its_form);
    CHECK_RUN(hostile_shapes_are_refused);
    CHECK_RUN(alias_bombs_are_refused);
    CHECK_RUN(plain_aliases_work);
    CHECK_RUN(missing_scene_files_are_told);
    CHECK_RUN(csv_errors_have_their_place_and_words);
    return check_result();
}
