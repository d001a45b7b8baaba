#include "scene/make/shapes.h"

#include "scene/make/angle.h"
#include "scene/make/curves.h"
#include "scene/make/solids.h"
#include "math/vec.h"

#include <stdio.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* ---------------------------------------------------------------- one outline */

/* Where an outline stands in the scene: "grains[0]", "shapes.chip.compound[2]". */
typedef struct Site {
    Scene *scene;
    SceneError *error;
    const SceneOutlineSpec *outline;
    char name[100];
} Site;

static bool refuse(const Site *site, const SceneHead *head, const char *key, const char *hint,
                   const char *what) {
    return scene_fail(site->error, scene_location_of(site->scene, head, key), hint, "%s: %s",
                      site->name, what);
}

static bool check_polygon(const Site *site) {
    const ScenePolygonSpec *p = &site->outline->polygon;
    return p->vertices.count >= 3 ||
           refuse(site, &p->head, "vertices", "a disk is a radius, a rod is rod: {length, radius}",
                  "a polygon needs at least three vertices");
}

static bool check_regular(const Site *site) {
    const SceneRegularSpec *r = &site->outline->regular;
    if (r->corners < 3 || r->corners > 1000) {
        return refuse(site, &r->head, "corners", NULL,
                      "a regular polygon must have from 3 to 1000 corners");
    }
    return r->rounding < r->radius || refuse(site, &r->head, "rounding", "a disk is a radius",
                                             "the rounding must be less than the radius");
}

static bool check_rectangle(const Site *site) {
    const SceneRectangleSpec *r = &site->outline->rectangle;
    return 2 * r->rounding < scr_min(r->size.x, r->size.y) ||
           refuse(site, &r->head, "rounding", "with round ends it is rod: {length, radius}",
                  "the rounding must be less than half of each side");
}

static bool check_rod(const Site *site) {
    const SceneRodSpec *r = &site->outline->rod;
    return r->length > 2 * r->radius || refuse(site, &r->head, "length", "a disk is a radius",
                                               "a rod must be longer than it is thick");
}

static bool check_outline(const Site *site) {
    const SceneOutlineSpec *o = site->outline;
    return o->polygon.head.node     ? check_polygon(site)
           : o->regular.head.node   ? check_regular(site)
           : o->rectangle.head.node ? check_rectangle(site)
           : o->rod.head.node       ? check_rod(site)
                                    : true;
}

static size_t corners_of(const SceneOutlineSpec *o) {
    return o->polygon.head.node     ? o->polygon.vertices.count
           : o->regular.head.node   ? (size_t)o->regular.corners
           : o->rectangle.head.node ? 4
           : o->rod.head.node       ? 2
                                    : 1;
}

/* Writes the corners of a checked outline; sizes include the rounding, vertices do not. */
static void write_outline(const SceneOutlineSpec *o, ScreeShapePart *part, ScreeVec3 *corner) {
    part->corners = (int32_t)corners_of(o);
    if (o->polygon.head.node) {
        part->rounding = o->polygon.rounding;
        memcpy(corner, o->polygon.vertices.points, o->polygon.vertices.count * sizeof *corner);
    } else if (o->regular.head.node) {
        double n = (double)o->regular.corners, r = o->regular.radius - o->regular.rounding;
        part->rounding = o->regular.rounding;
        for (int k = 0; k < part->corners; k++) {
            SceneTrig t = scene_trig((2 * k - 1) * pi / n); /* from straight down */
            corner[k] = (ScreeVec3){r * t.s, -r * t.c, 0};
        }
    } else if (o->rectangle.head.node) {
        double r = o->rectangle.rounding;
        double x = o->rectangle.size.x / 2 - r, y = o->rectangle.size.y / 2 - r;
        part->rounding = r;
        corner[0] = (ScreeVec3){-x, -y, 0};
        corner[1] = (ScreeVec3){x, -y, 0};
        corner[2] = (ScreeVec3){x, y, 0};
        corner[3] = (ScreeVec3){-x, y, 0};
    } else if (o->rod.head.node) {
        double x = o->rod.length / 2 - o->rod.radius;
        part->rounding = o->rod.radius;
        corner[0] = (ScreeVec3){-x, 0, 0};
        corner[1] = (ScreeVec3){x, 0, 0};
    } else {
        part->rounding = o->disk.radius;
        corner[0] = (ScreeVec3){0, 0, 0};
    }
}

/* ---------------------------------------------------------------- measuring, and what is wrong */

/* Reports what the library objects to in an outline, such as "part 0, corner 3: repeats corner 1",
 * at the vertex that it names. */
static bool bad_outline(const Site *site, const char *message) {
    const SceneDocument *document = &site->scene->document;
    const SceneOutlineSpec *o = site->outline;
    const SceneHead *heads[] = {&o->polygon.head, &o->regular.head, &o->rectangle.head,
                                &o->rod.head, &o->disk.head};
    int node = 0, part = 0, corner = 0, used = 0;
    for (int i = 0; i < 5 && !node; i++) {
        node = heads[i]->node;
    }
    int vertices = scene_lookup(document, o->polygon.head.node, "vertices", NULL);
    sscanf(message, "part %d, corner %d: %n", &part, &corner, &used);
    if (used > 0 && corner >= 0 && (size_t)corner < scene_items(document, vertices)) {
        return scene_fail(site->error,
                          scene_location(document, scene_item(document, vertices, (size_t)corner)),
                          NULL, "%s.polygon.vertices[%d]: %s", site->name, corner, message + used);
    }
    used = 0;
    sscanf(message, "part %d: %n", &part, &used);
    return scene_fail(site->error, scene_location(document, node), NULL, "%s: %s", site->name,
                      message + used);
}

static bool measure(const Site *site, const ScreeShapeDef *def, ScreeShape *shape) {
    char message[SCREE_MESSAGE_SIZE] = "";
    ScreeStatus status = scree_shape_def_measure(def, shape, message);
    return status == SCREE_OK ||
           bad_outline(site, message[0] ? message : scree_status_get_text(status));
}

/* ---------------------------------------------------------------- compounds */

/* Turns the corners of a part about its centroid and moves it to the part's centre. */
static void move_part(const Scene *scene, const SceneShapePartSpec *spec, ScreeVec3 centroid,
                      ScreeVec3 *corner, size_t count) {
    bool centred = scene_has(scene, &spec->head, "center");
    ScreeVec3 to = centred ? spec->center : centroid;
    SceneTrig t = scene_trig(spec->angle);
    for (size_t k = 0; k < count && (centred || spec->angle != 0); k++) {
        ScreeVec3 from = sub(corner[k], centroid);
        corner[k] =
            add(to, (ScreeVec3){t.c * from.x - t.s * from.y, t.s * from.x + t.c * from.y, 0});
    }
}

static const char *const outlines[] = {"disk", "polygon", "regular", "rectangle", "rod"};
static const char *const forms[] = {
    "polygon", "regular",   "rectangle",      "rod",      "random_polygon", "compound", "nurbs",
    "ellipse", "library",   "polyhedron",     "box",      "prism",          "plate",    "mesh",
    "rock",    "ellipsoid", "superellipsoid", "cylinder", "cone",           "surface",  "torus"};
enum {
    OUTLINES = sizeof outlines / sizeof outlines[0],
    FORMS = sizeof forms / sizeof forms[0],
    MOST_CORNERS = 10000
};

static int count_keys(const Scene *scene, const SceneHead *head, const char *const *keys, int n) {
    int count = 0;
    for (int i = 0; i < n; i++) {
        count += scene_has(scene, head, keys[i]);
    }
    return count;
}

static void enter_part(Site *site, const char *owner, const SceneShapePartSpec *part) {
    snprintf(site->name, sizeof site->name, "%.70s.compound[%d]", owner, part->head.index);
    site->outline = &part->outline;
}

static bool check_part(const Site *site, const SceneShapePartSpec *part) {
    if (count_keys(site->scene, &part->head, outlines, OUTLINES) != 1) {
        return refuse(site, &part->head, NULL, "give one of disk, polygon, regular, rectangle, rod",
                      "each part must be one outline");
    }
    if (!(fabs(part->angle) <= 1e5)) {
        return refuse(site, &part->head, "angle", "it is in radians",
                      "an angle must lie between -1e5 and 1e5");
    }
    return check_outline(site);
}

/* ---------------------------------------------------------------- a shape */

static bool reserve(Site *site, SceneShapeSpec *spec, const char *owner, ScreeShapePart **part,
                    ScreeVec3 **corner) {
    const SceneShapePartSpec *parts = spec->compound.items;
    size_t count = spec->compound.items ? spec->compound.count : 1, corners = 0;
    for (size_t i = 0; i < count; i++) {
        corners += corners_of(parts ? &parts[i].outline : &spec->outline);
    }
    if (corners > MOST_CORNERS) {
        return scene_fail(site->error, scene_location_of(site->scene, &spec->head, NULL), NULL,
                          "%s has %zu corners; the limit is %d", owner, corners, MOST_CORNERS);
    }
    *part = scene_alloc(&site->scene->arena, count, sizeof **part);
    *corner = scene_alloc(&site->scene->arena, corners, sizeof **corner);
    spec->def = (ScreeShapeDef){*part, count, *corner};
    return (*part && *corner) ||
           scene_out_of_memory(site->error, scene_location(&site->scene->document, 0), NULL);
}

static bool make_compound(Site *site, SceneShapeSpec *spec, const char *owner) {
    const SceneShapePartSpec *parts = spec->compound.items;
    ScreeShapePart *part;
    ScreeVec3 *corner;
    ScreeShape alone;
    if (spec->compound.count == 0) {
        return scene_fail(site->error, scene_location_of(site->scene, &spec->head, "compound"),
                          "for example - {disk: {radius: 0.1}}", "%s has no parts", owner);
    }
    for (size_t i = 0; i < spec->compound.count; i++) {
        enter_part(site, owner, &parts[i]);
        if (!check_part(site, &parts[i])) {
            return false;
        }
    }
    if (!reserve(site, spec, owner, &part, &corner)) {
        return false;
    }
    for (size_t i = 0; i < spec->compound.count; i++) {
        const ScreeShapeDef def = {&part[i], 1, corner};
        enter_part(site, owner, &parts[i]);
        write_outline(&parts[i].outline, &part[i], corner);
        if (!measure(site, &def, &alone)) {
            return false;
        }
        move_part(site->scene, &parts[i], alone.centroid, corner, (size_t)part[i].corners);
        corner += part[i].corners;
    }
    return measure(site, &spec->def, &spec->measured);
}

static bool make_outline(Site *site, SceneShapeSpec *spec, const char *owner) {
    ScreeShapePart *part;
    ScreeVec3 *corner;
    site->outline = &spec->outline;
    if (!check_outline(site) || !reserve(site, spec, owner, &part, &corner)) {
        return false;
    }
    write_outline(&spec->outline, part, corner);
    return measure(site, &spec->def, &spec->measured);
}

static bool check_random(const Site *site, const SceneRandomPolygonSpec *random) {
    if (random->radius.kind == SIZES_LIST) {
        return refuse(site, &random->head, "radius", "give a list to scale",
                      "the radius of a random polygon is a number or a distribution");
    }
    if (random->elongation > 1000) {
        return refuse(site, &random->head, "elongation", NULL,
                      "the elongation must be at most 1000");
    }
    return random->rounding < random->radius.min ||
           refuse(site, &random->head, "rounding", NULL,
                  "the rounding must be less than the smallest radius");
}

static bool check_shape(Scene *scene, SceneShapeSpec *spec, const char *owner, SceneError *error) {
    Site site = {scene, error, &spec->outline, ""};
    snprintf(site.name, sizeof site.name, "%.90s", owner);
    int count = count_keys(scene, &spec->head, forms, FORMS);
    if (count != 1) {
        return scene_fail(
            error, scene_location_of(scene, &spec->head, NULL),
            scene->model.dimension == 2
                ? "give one of polygon, regular, rectangle, rod, random_polygon, "
                  "compound, nurbs, ellipse, library"
                : "give one of polyhedron, box, regular, prism, rod, plate, "
                  "ellipsoid, superellipsoid, cylinder, cone, surface, torus, mesh, rock, "
                  "compound",
            count ? "%s has more than one shape" : "%s has no shape", owner);
    }
    if (scene->model.dimension == 3) {
        return scene_make_solid(scene, spec, owner, error);
    }
    if (spec->nurbs.head.node || spec->ellipse.head.node || spec->library.head.node) {
        return scene_make_curves(scene, spec, owner, error);
    }
    return spec->random.head.node                      ? check_random(&site, &spec->random)
           : scene_has(scene, &spec->head, "compound") ? make_compound(&site, spec, owner)
                                                       : make_outline(&site, spec, owner);
}

bool scene_check_shapes(Scene *scene, SceneError *error) {
    SceneShapeSpec *shapes = scene->model.shapes.items;
    SceneGrainsSpec *grains = scene->model.grains.items;
    char owner[80];
    for (size_t i = 0; i < scene->model.shapes.count; i++) {
        snprintf(owner, sizeof owner, "shapes.%.60s", shapes[i].head.name);
        if (!check_shape(scene, &shapes[i], owner, error)) {
            return false;
        }
    }
    for (size_t i = 0; i < scene->model.grains.count; i++) {
        snprintf(owner, sizeof owner, "grains[%zu]", i);
        grains[i].form.head = grains[i].head;
        if (count_keys(scene, &grains[i].head, forms, FORMS) > 0 &&
            !check_shape(scene, &grains[i].form, owner, error)) {
            return false;
        }
        SceneLocation location = scene_location_of(scene, &grains[i].head, "shape");
        if (grains[i].shape && !scene_find_shape(scene, grains[i].shape, location, error)) {
            return false;
        }
    }
    return true;
}

/* ---------------------------------------------------------------- what others ask */

const SceneShapeSpec *scene_find_shape(const Scene *scene, const char *name, SceneLocation location,
                                       SceneError *error) {
    const SceneShapeSpec *shapes = scene->model.shapes.items;
    Guess guess = scr_guess(name);
    for (size_t i = 0; i < scene->model.shapes.count; i++) {
        if (strcmp(shapes[i].head.name, name) == 0) {
            return &shapes[i];
        }
        scr_guess_offer(&guess, shapes[i].head.name);
    }
    char hint[400];
    scr_guess_or_list(&guess, "describe it under 'shapes', which has", hint, sizeof hint);
    scene_fail(error, location, hint[0] ? hint : "describe it under 'shapes'", "no shape '%.60s'",
               name);
    return NULL;
}

const SceneShapeSpec *scene_shape_of(const Scene *scene, const SceneGrainsSpec *spec) {
    if (spec->shape) {
        SceneError unused = {0};
        return scene_find_shape(scene, spec->shape, scene_location(&scene->document, 0), &unused);
    }
    return scene_has_form(&spec->form) ? &spec->form : NULL;
}

bool scene_has_form(const SceneShapeSpec *shape) {
    return shape->def.parts > 0 || shape->made || shape->random.head.node || shape->rock.head.node;
}

int scene_draw_corners(const SceneRandomPolygonSpec *spec, SceneRandom *random, ScreeVec3 *corner) {
    int choices = spec->corners.to - spec->corners.from + 1;
    int n = spec->corners.from + (int)(scene_uniform(random) * choices);
    double a = sqrt(spec->elongation), v = scene_uniform(random);
    for (int k = 0; k < n; k++) {
        double u = scene_uniform(random) - 0.5;
        SceneTrig t = scene_trig(2 * pi * (k + v + spec->irregularity * u) / n);
        corner[k] = (ScreeVec3){a * t.c, t.s / a, 0};
    }
    return n;
}

void scene_scale_shape(ScreeShapePart *part, size_t parts, ScreeVec3 *corner, double factor) {
    size_t k = 0;
    for (size_t p = 0; p < parts; p++) {
        part[p].rounding *= factor;
        for (int32_t i = 0; i < part[p].corners; i++, k++) {
            corner[k] = scale(factor, corner[k]);
        }
    }
}
