#include "scene/make/curves.h"

#include "scene/read/reader.h"
#include "math/vec.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---------------------------------------------------------------- NURBS */

typedef struct Site {
    Scene *scene;
    SceneError *error;
    const char *owner;
    const SceneNurbsSpec *spec;
} Site;

static bool refuse(const Site *site, const char *key, const char *hint, const char *what) {
    return scene_fail(site->error, scene_location_of(site->scene, &site->spec->head, key), hint,
                      "%s.nurbs: %s", site->owner, what);
}

static bool no_memory(const Site *site) {
    return scene_out_of_memory(site->error, scene_location(&site->scene->document, 0), NULL);
}

/* Reports what the library objects to in a curve, such as "knot 3: is less than the one before it",
 * at the number that it names. */
static bool bad_curve(const Site *site, const char *message) {
    static const char *const words[] = {"point", "weight", "knot"};
    static const char *const keys[] = {"points", "weights", "knots"};
    const SceneDocument *document = &site->scene->document;
    for (int i = 0; i < 3; i++) {
        size_t length = strlen(words[i]);
        int number = -1, used = 0;
        if (strncmp(message, words[i], length) == 0) {
            sscanf(message + length, " %d: %n", &number, &used);
        }
        int list = scene_lookup(document, site->spec->head.node, keys[i], NULL);
        if (used > 0 && number >= 0 && list && (size_t)number < scene_items(document, list)) {
            return scene_fail(site->error,
                              scene_location(document, scene_item(document, list, (size_t)number)),
                              NULL, "%s.nurbs.%s[%d]: %s", site->owner, keys[i], number,
                              message + length + (size_t)used);
        }
    }
    bool counted = strstr(message, " knots (points") != NULL;
    return refuse(site, counted ? "knots" : NULL, NULL, message);
}

/* Without knots the first points are repeated after the last ones, and the knots are whole
 * numbers. */
static bool make_nurbs(const Site *site, ScreeNurbs *curve) {
    const SceneNurbsSpec *spec = site->spec;
    ScreeVec3 *point = spec->points.points;
    double *weight = spec->weights.list;
    size_t count = spec->points.count, degree = (size_t)spec->degree;
    bool ring = spec->knots.count == 0;
    if (spec->degree > 7) {
        return refuse(site, "degree", NULL, "the degree must be from 1 to 7");
    }
    if ((count > 0) == (spec->file != NULL)) {
        return refuse(site, count > 0 ? "file" : NULL, NULL,
                      "give the control points either here or in a file");
    }
    if (spec->file) {
        ScenePointFile file;
        if (!scene_read_points(site->scene, &spec->head, spec->file, 2, &file, site->error)) {
            return false;
        }
        point = file.point;
        weight = file.weight;
        count = file.count;
    }
    if (spec->weights.count > 0 && (spec->weights.count != count || spec->file)) {
        return refuse(site, "weights", NULL, "there must be one weight for each point");
    }
    if (count < 3) {
        return refuse(site, spec->file ? "file" : "points", NULL,
                      "a closed curve needs at least three points");
    }
    if (!scene_new_curve(&site->scene->arena, (int32_t)degree, count + (ring ? degree : 0),
                         curve)) {
        return no_memory(site);
    }
    for (size_t k = 0; k < curve->points; k++) {
        ((ScreeVec3 *)curve->point)[k] = point[k % count];
        ((double *)curve->weight)[k] = weight ? weight[k % count] : 1;
    }
    for (size_t k = 0; k < curve->knots && ring; k++) {
        ((double *)curve->knot)[k] = (double)k;
    }
    if (!ring) {
        curve->knot = spec->knots.list;
        curve->knots = spec->knots.count;
    }
    return true;
}

/* ---------------------------------------------------------------- ellipses */

static bool make_ellipse(const Site *site, const SceneEllipseSpec *spec, ScreeNurbs *curve) {
    const bool by_half = scene_has(site->scene, &spec->head, "half");
    const ScreeVec3 half = by_half ? spec->half : scale(0.5, spec->size);
    if (by_half == scene_has(site->scene, &spec->head, "size")) {
        return scene_fail(site->error, scene_location_of(site->scene, &spec->head, ""), NULL,
                          "%s.ellipse: give either its size, the lengths along x and y, or half of "
                          "that as half",
                          site->owner);
    }
    static const int x[9] = {1, 1, 0, -1, -1, -1, 0, 1, 1}, y[9] = {0, 1, 1, 1, 0, -1, -1, -1, 0};
    if (!scene_new_curve(&site->scene->arena, 2, 9, curve)) {
        return no_memory(site);
    }
    for (int k = 0; k < 9; k++) {
        ((ScreeVec3 *)curve->point)[k] = (ScreeVec3){half.x * x[k], half.y * y[k], 0};
        ((double *)curve->weight)[k] = k % 2 == 0 ? 1 : sqrt(0.5);
    }
    for (int k = 0; k < 12; k++) {
        ((double *)curve->knot)[k] = k < 3 ? 0 : k > 8 ? 4 : (k - 1) / 2;
    }
    return true;
}

/* ---------------------------------------------------------------- the library */

static bool check_library(const Site *site, const SceneLibrarySpec *library) {
    SceneLocation number = scene_location_of(site->scene, &library->head, "number");
    SceneLocation diameter = scene_location_of(site->scene, &library->head, "diameter");
    if (library->number > LIBRARY_SHAPES) {
        return scene_fail(site->error, number, NULL, "%s.library.number is from 1 to %d",
                          site->owner, (int)LIBRARY_SHAPES);
    }
    return library->diameter.kind != SIZES_LIST ||
           scene_fail(site->error, diameter, "give a list to scale",
                      "%s.library.diameter is a number or a distribution", site->owner);
}

static bool make_library(const Site *site, SceneShapeSpec *spec) {
    SceneLibrarySpec *library = &spec->library;
    int first = library->number > 0 ? (int)library->number - 1 : 0;
    if (!check_library(site, library)) {
        return false;
    }
    if (library->diameter.kind == SIZES_NONE) {
        library->diameter = (SceneSizes){.kind = SIZES_ONE, .min = 1, .max = 1};
    }
    for (size_t i = 0; i < spec->curves; i++) {
        if (!scene_library_curve(&site->scene->arena, (SceneLibrary)library->set, first + (int)i,
                                 &spec->curve[i])) {
            return no_memory(site);
        }
    }
    return true;
}

/* ---------------------------------------------------------------- all */

bool scene_make_curves(Scene *scene, SceneShapeSpec *spec, const char *owner, SceneError *error) {
    const Site site = {scene, error, owner, &spec->nurbs};
    bool mixture = spec->library.head.node && spec->library.number == 0;
    spec->curves = mixture ? LIBRARY_SHAPES : 1;
    spec->curve = scene_alloc(&scene->arena, spec->curves, sizeof *spec->curve);
    if (!spec->curve) {
        return no_memory(&site);
    }
    bool made = spec->nurbs.head.node     ? make_nurbs(&site, spec->curve)
                : spec->ellipse.head.node ? make_ellipse(&site, &spec->ellipse, spec->curve)
                                          : make_library(&site, spec);
    for (size_t i = 0; i < spec->curves && made; i++) {
        char message[SCREE_MESSAGE_SIZE] = "";
        ScreeShape shape;
        ScreeStatus status = scene_measure_curve(&scene->arena, &spec->curve[i], &shape, message);
        if (status == SCREE_NO_MEMORY) {
            return no_memory(&site);
        }
        if (status != SCREE_OK) {
            return spec->nurbs.head.node
                       ? bad_curve(&site, message)
                       : scene_fail(error, scene_location_of(scene, &spec->head, "ellipse"), NULL,
                                    "%s: %s", owner, message);
        }
        double largest = scr_max(shape.radius, i > 0 ? spec->measured.radius : 0);
        spec->measured = i == 0 ? shape : spec->measured;
        spec->measured.radius = largest;
        spec->def = spec->measured.def;
    }
    return made;
}
