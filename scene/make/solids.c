#include "scene/make/solids.h"

#include "math/vec.h"

#include <stdio.h>
#include <string.h>

enum { MOST_VERTICES = 1000000, MOST_PARTS = 10000 };

/* ---------------------------------------------------------------- in memory */

typedef struct Sizes {
    size_t vertices, faces, corners;
} Sizes;

static Sizes sizes_of(const ScreeSolidDef *def) {
    Sizes n = {0, 0, 0};
    for (size_t p = 0; p < def->parts; p++) {
        n.vertices += def->part[p].vertices;
        n.faces += def->part[p].faces;
    }
    for (size_t f = 0; f < n.faces; f++) {
        n.corners += (size_t)def->corners[f];
    }
    return n;
}

static bool copy_weights(SceneArena *arena, ScreeSolidPart *part) {
    if (part->weight == NULL) {
        return true;
    }
    double *weight = scene_alloc(arena, part->vertices, sizeof *weight);
    if (weight) {
        memcpy(weight, part->weight, part->vertices * sizeof *weight);
    }
    part->weight = weight;
    return weight != NULL;
}

/* A copy, every length multiplied. */
static bool copy_def(SceneArena *arena, const ScreeSolidDef *from, double factor,
                     ScreeSolidDef *to) {
    Sizes n = sizes_of(from);
    ScreeSolidPart *part = scene_alloc(arena, from->parts, sizeof *part);
    ScreeVec3 *vertex = scene_alloc(arena, n.vertices, sizeof *vertex);
    int32_t *corners = scene_alloc(arena, n.faces, sizeof *corners);
    int32_t *corner = scene_alloc(arena, n.corners, sizeof *corner);
    if (!part || !vertex || !corners || !corner) {
        return false;
    }
    for (size_t p = 0; p < from->parts; p++) {
        part[p] = from->part[p];
        part[p].rounding *= factor;
        for (int k = 0; k < 2 && part[p].kind == SCREE_PART_CONE; k++) {
            part[p].form[k] *= factor;
        }
        if (!copy_weights(arena, &part[p])) {
            return false;
        }
    }
    for (size_t i = 0; i < n.vertices; i++) {
        vertex[i] = scale(factor, from->vertex[i]);
    }
    if (n.faces > 0) {
        memcpy(corners, from->corners, n.faces * sizeof *corners);
        memcpy(corner, from->corner, n.corners * sizeof *corner);
    }
    *to = (ScreeSolidDef){part, from->parts, vertex, corners, corner};
    return true;
}

/* A world of its own measures the solid. */
ScreeStatus scene_keep_solid(SceneArena *arena, const ScreeSolidDef *def, SceneSolid *made,
                             char *message) {
    ScreeWorldDef space = scree_world_def_default();
    space.time_step = 1;
    ScreeWorld *world = NULL;
    ScreeShapeId id;
    ScreeSolid solid;
    ScreeStatus status = scree_world_create(&space, &world, message);
    if (status != SCREE_OK) {
        return status;
    }
    status = scree_world_add_solid(world, def, &id);
    if (status != SCREE_OK) {
        snprintf(message, SCREE_MESSAGE_SIZE, "%s", scree_world_get_message(world));
    } else {
        status = scree_shape_get_solid(world, id, &solid);
    }
    if (status == SCREE_OK) {
        made->kept = solid;
        status =
            copy_def(arena, def, 1, &made->def) && copy_def(arena, &solid.def, 1, &made->kept.def)
                ? SCREE_OK
                : SCREE_NO_MEMORY;
    }
    scree_world_destroy(world);
    return status;
}

bool scene_scale_solid(SceneArena *arena, const SceneSolid *from, double factor, SceneSolid *to) {
    *to = *from;
    to->kept.centroid = scale(factor, from->kept.centroid);
    to->kept.gyration = scale(factor * factor, from->kept.gyration);
    to->kept.volume *= factor * factor * factor;
    to->kept.radius *= factor;
    return copy_def(arena, &from->def, factor, &to->def) &&
           copy_def(arena, &from->kept.def, factor, &to->kept.def);
}

/* ---------------------------------------------------------------- one shape */

static bool no_memory(const SceneSolidSite *site) {
    return scene_out_of_memory(site->error, scene_location(&site->scene->document, 0), NULL);
}

/* The node of whatever is given at the site. */
static int node_of(const SceneSolidSite *site) {
    const SceneSolidSpec *s = site->solid;
    const SceneHead *heads[] = {&s->polyhedron.head,
                                &s->mesh.head,
                                &s->box.head,
                                &s->prism.head,
                                &s->plate.head,
                                &s->ellipsoid.head,
                                &s->superellipsoid.head,
                                &s->cylinder.head,
                                &s->cone.head,
                                &s->surface.head,
                                &s->torus.head,
                                &s->sphere.head,
                                &site->outline->rod.head,
                                &site->outline->regular.head};
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++) {
        if (heads[i]->node) {
            return heads[i]->node;
        }
    }
    return 0;
}

/* Reports what the library objects to in a solid, such as "part 0, vertex 3: ...", at the vertex or
 * face that it names, if the scene has it. */
static bool bad_solid(const SceneSolidSite *site, const char *message) {
    const SceneDocument *document = &site->scene->document;
    const char *words = strncmp(message, "part ", 5) == 0 ? strpbrk(message, ",:") : message;
    words = words && words != message ? words + 1 + strspn(words + 1, " ") : message;
    static const char *const kinds[] = {"vertex", "face"}, *const keys[] = {"vertices", "faces"};
    for (int i = 0; i < 2; i++) {
        size_t length = strlen(kinds[i]);
        int number = -1, used = 0;
        if (strncmp(words, kinds[i], length) == 0) {
            sscanf(words + length, " %d: %n", &number, &used);
        }
        int list = scene_lookup(document, site->solid->polyhedron.head.node, keys[i], NULL);
        if (used > 0 && number >= 0 && list && (size_t)number < scene_items(document, list)) {
            return scene_fail(site->error,
                              scene_location(document, scene_item(document, list, (size_t)number)),
                              NULL, "%s.polyhedron.%s[%d]: %s", site->name, keys[i], number,
                              words + length + (size_t)used);
        }
    }
    return scene_fail(site->error, scene_location(document, node_of(site)), NULL, "%s: %s",
                      site->name, words);
}

static bool measure(const SceneSolidSite *site, const ScreeSolidDef *def, SceneSolid *made) {
    char message[SCREE_MESSAGE_SIZE] = "";
    ScreeStatus status = scene_keep_solid(&site->scene->arena, def, made, message);
    return status == SCREE_OK ||
           (status == SCREE_NO_MEMORY
                ? no_memory(site)
                : bad_solid(site, message[0] ? message : scree_status_get_text(status)));
}

static ScreeSolidPart as_given(const ScenePart *part) {
    return (ScreeSolidPart){.vertices = part->vertices,
                            .faces = part->faces,
                            .rounding = part->rounding,
                            .kind = part->kind,
                            .form = {part->form[0], part->form[1]},
                            .weight = part->weight};
}

/* Turns a part about its centroid and moves it to its centre. */
static bool place_part(const SceneSolidSite *site, const SceneShapePartSpec *spec,
                       ScenePart *part) {
    bool turned = scene_has(site->scene, &spec->head, "orientation");
    bool centred = scene_has(site->scene, &spec->head, "center");
    const ScreeSolidPart one = as_given(part);
    const ScreeSolidDef def = {&one, 1, part->vertex, part->corners, part->corner};
    SceneSolid alone;
    if (!measure(site, &def, &alone) || !(turned || centred)) {
        return site->error->text[0] == '\0';
    }
    ScreeVec3 from = alone.kept.centroid, to = centred ? spec->center : from;
    ScreeVec3 *placed = scene_alloc(&site->scene->arena, part->vertices, sizeof *placed);
    for (size_t i = 0; placed && i < part->vertices; i++) {
        ScreeVec3 v = sub(part->vertex[i], from);
        placed[i] = add(to, turned ? quat_rotate(spec->orientation, v) : v);
    }
    part->vertex = placed;
    return placed || no_memory(site);
}

/* All parts in one definition. */
static bool join(const SceneSolidSite *site, const ScenePart *parts, size_t count,
                 ScreeSolidDef *def) {
    SceneArena *arena = &site->scene->arena;
    Sizes n = {0, 0, 0};
    for (size_t p = 0; p < count; p++) {
        n.vertices += parts[p].vertices;
        n.faces += parts[p].faces;
        n.corners += parts[p].total;
    }
    if (n.vertices > MOST_VERTICES) {
        return scene_fail(site->error, scene_location(&site->scene->document, node_of(site)),
                          "take a coarser mesh", "%s has %zu vertices; the limit is %d", site->name,
                          n.vertices, (int)MOST_VERTICES);
    }
    ScreeSolidPart *part = scene_alloc(arena, count, sizeof *part);
    ScreeVec3 *vertex = scene_alloc(arena, n.vertices, sizeof *vertex);
    int32_t *corners = scene_alloc(arena, n.faces, sizeof *corners);
    int32_t *corner = scene_alloc(arena, n.corners, sizeof *corner);
    if (!part || !vertex || !corners || !corner) {
        return no_memory(site);
    }
    *def = (ScreeSolidDef){part, count, vertex, corners, corner};
    for (size_t p = 0; p < count; p++) {
        const ScenePart *one = &parts[p];
        part[p] = as_given(one);
        memcpy(vertex, one->vertex, one->vertices * sizeof *vertex);
        vertex += one->vertices;
        if (one->faces > 0) {
            memcpy(corners, one->corners, one->faces * sizeof *corners);
            memcpy(corner, one->corner, one->total * sizeof *corner);
            corners += one->faces;
            corner += one->total;
        }
    }
    return true;
}

static int count_parts(const Scene *scene, const SceneHead *head) {
    static const char *const keys[] = {
        "sphere",    "polyhedron",     "box",      "regular", "prism",   "rod",  "plate", "mesh",
        "ellipsoid", "superellipsoid", "cylinder", "cone",    "surface", "torus"};
    int count = 0;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        count += scene_has(scene, head, keys[i]);
    }
    return count;
}

static bool make_compound(SceneSolidSite *site, const SceneShapeSpec *spec, const char *owner,
                          ScenePart *parts) {
    const SceneShapePartSpec *given = spec->compound.items;
    for (size_t i = 0; i < spec->compound.count; i++) {
        snprintf(site->name, sizeof site->name, "%.70s.compound[%zu]", owner, i);
        site->outline = &given[i].outline;
        site->solid = &given[i].solid;
        if (count_parts(site->scene, &given[i].head) != 1) {
            return scene_fail(site->error, scene_location_of(site->scene, &given[i].head, NULL),
                              "give one of sphere, polyhedron, box, regular, prism, rod, plate, "
                              "ellipsoid, superellipsoid, cylinder, cone, mesh",
                              "%s: each part must be one solid", site->name);
        }
        if (!scene_make_part(site, &parts[i]) || !place_part(site, &given[i], &parts[i])) {
            return false;
        }
    }
    return true;
}

/* ---------------------------------------------------------------- rocks */

ScreeStatus scene_draw_rock(SceneArena *arena, const SceneRockSpec *spec, double size,
                            SceneRandom *random, SceneSolid *made, char *message) {
    int choices = spec->faces.to - spec->faces.from + 1;
    ScreeRockDef rock = {.faces = spec->faces.from + (int)(scene_uniform(random) * choices),
                         .size = size - 2 * spec->rounding,
                         .elongation = spec->elongation,
                         .flatness = spec->flatness,
                         .angularity = spec->angularity,
                         .seed = (uint64_t)(scene_uniform(random) * 0x1p53)};
    enum { MOST = 2000 }; /* twice as many as faces, less four */
    ScreeVec3 vertex[MOST];
    size_t count = MOST;
    ScreeStatus status = scree_solid_make_rock(&rock, vertex, &count, message);
    if (status != SCREE_OK) {
        return status;
    }
    const ScreeSolidPart part = {.vertices = count, .rounding = spec->rounding};
    const ScreeSolidDef def = {&part, 1, vertex, NULL, NULL};
    return scene_keep_solid(arena, &def, made, message);
}

/* Along any line through the centre of mass of a convex body in space, that centre divides the body
 * by no more than 3 : 1 (Minkowski); so nothing is farther from it than 3/4 of the longest line, and
 * that is no longer than the diagonal of the box. */
double scene_largest_rock(const SceneRockSpec *spec) {
    double size = spec->size.max;
    return 0.75 * length((ScreeVec3){spec->elongation * size, size, size / spec->flatness});
}

static bool check_rock(const SceneSolidSite *site, const SceneRockSpec *rock) {
    const char *wrong = NULL, *key = "size";
    if (rock->size.kind == SIZES_LIST) {
        wrong = "the size of a rock is a number or a distribution; give a list to scale";
    } else if (rock->elongation > 1000 || rock->flatness > 1000) {
        key = rock->elongation > 1000 ? "elongation" : "flatness";
        wrong = "elongation and flatness must be at most 1000";
    } else if (!(2 * rock->rounding < rock->size.min / rock->flatness)) {
        key = "rounding";
        wrong = "the rounding must be less than half the height of the smallest rock";
    }
    return !wrong || scene_fail(site->error, scene_location_of(site->scene, &rock->head, key), NULL,
                                "%s.rock: %s", site->name, wrong);
}

bool scene_make_solid(Scene *scene, SceneShapeSpec *spec, const char *owner, SceneError *error) {
    SceneSolidSite site = {scene, error, &spec->outline, &spec->solid, ""};
    bool compound = scene_has(scene, &spec->head, "compound");
    size_t count = compound ? spec->compound.count : 1;
    snprintf(site.name, sizeof site.name, "%.90s", owner);
    if (spec->rock.head.node) {
        return check_rock(&site, &spec->rock);
    }
    if (count == 0 || count > MOST_PARTS) {
        return scene_fail(error, scene_location_of(scene, &spec->head, "compound"),
                          "for example - {sphere: {radius: 0.1}}",
                          count ? "%s has too many parts" : "%s has no parts", owner);
    }
    ScenePart *parts = scene_alloc(&scene->arena, count, sizeof *parts);
    spec->made = scene_alloc(&scene->arena, 1, sizeof *spec->made);
    ScreeSolidDef def;
    if (!parts || !spec->made) {
        return no_memory(&site);
    }
    bool made = compound ? make_compound(&site, spec, owner, parts) : scene_make_part(&site, parts);
    snprintf(site.name, sizeof site.name, "%.90s", owner);
    if (!made || !join(&site, parts, count, &def) || !measure(&site, &def, spec->made)) {
        return false;
    }
    spec->measured.radius = spec->made->kept.radius;
    spec->measured.centroid = spec->made->kept.centroid;
    spec->measured.area = spec->made->kept.volume;
    return true;
}
