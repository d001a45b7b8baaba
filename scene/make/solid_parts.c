/* Parts of solids: vertices and faces of what the scene names. */
#include "scene/make/solids.h"

#include "math/vec.h"
#include "scene/read/mesh.h"

#include <stdlib.h>
#include <string.h>

static bool refuse(const SceneSolidSite *site, const SceneHead *head, const char *key,
                   const char *hint, const char *what) {
    return scene_fail(site->error, scene_location_of(site->scene, head, key), hint, "%s: %s",
                      site->name, what);
}

/* Room in the scene's memory. */
static bool make_room(const SceneSolidSite *site, ScenePart *part) {
    SceneArena *arena = &site->scene->arena;
    part->vertex = scene_alloc(arena, part->vertices, sizeof *part->vertex);
    part->corners = scene_alloc(arena, part->faces, sizeof *part->corners);
    part->corner = scene_alloc(arena, part->total, sizeof *part->corner);
    return (part->vertex && part->corners && part->corner) ||
           scene_out_of_memory(site->error, scene_location(&site->scene->document, 0), NULL);
}

/* ---------------------------------------------------------------- given vertices */

static bool make_polyhedron(const SceneSolidSite *site, ScenePart *part) {
    const ScenePolyhedronSpec *p = &site->solid->polyhedron;
    const SceneFaces *faces = &p->faces;
    const SceneDocument *document = &site->scene->document;
    *part = (ScenePart){.vertices = p->vertices.count, .rounding = p->rounding};
    if (p->vertices.count < 4 && faces->count == 0) {
        return refuse(site, &p->head, "vertices", "a sphere is a radius, a rod is rod: {...}",
                      "a polyhedron needs at least four vertices");
    }
    int list = scene_lookup(document, p->head.node, "faces", NULL);
    for (size_t f = 0, k = 0; f < faces->count; f++) {
        for (int32_t i = 0; i < faces->corners[f]; i++, k++) {
            if ((size_t)faces->corner[k] >= p->vertices.count) {
                int face = scene_item(document, list, f);
                return scene_fail(site->error,
                                  scene_location(document, scene_item(document, face, (size_t)i)),
                                  NULL,
                                  "%s.polyhedron.faces[%zu]: there is no vertex %d, only 0 to "
                                  "%zu",
                                  site->name, f, faces->corner[k], p->vertices.count - 1);
            }
        }
    }
    part->vertex = p->vertices.points;
    part->corners = faces->corners;
    part->corner = faces->corner;
    part->faces = faces->count;
    part->total = faces->total;
    return true;
}

static bool take_mesh(const SceneSolidSite *site, const SceneMesh *mesh, ScenePart *part) {
    const SceneMeshSpec *m = &site->solid->mesh;
    *part = (ScenePart){.vertices = mesh->vertices, .rounding = m->rounding};
    part->faces = m->hull ? 0 : mesh->faces;
    part->total = m->hull ? 0 : mesh->total;
    if (!make_room(site, part)) {
        return false;
    }
    for (size_t i = 0; i < part->vertices; i++) {
        part->vertex[i] = scale(m->scale, mesh->vertex[i]);
    }
    memcpy(part->corners, mesh->corners, part->faces * sizeof *part->corners);
    memcpy(part->corner, mesh->corner, part->total * sizeof *part->corner);
    return true;
}

/* The sum of three rounded coordinates, at the vertex and at those that span the plane. */
static bool flatten_mesh(const SceneSolidSite *site, SceneMesh *mesh) {
    double largest = 0;
    for (size_t i = 0; i < mesh->vertices; i++) {
        ScreeVec3 x = mesh->vertex[i];
        largest = scr_max(largest, scr_max(fabs(x.x), scr_max(fabs(x.y), fabs(x.z))));
    }
    double tolerance = 8 * site->solid->mesh.precision * largest;
    return scree_solid_flatten(mesh->corners, mesh->faces, mesh->corner, tolerance, mesh->vertex,
                               mesh->vertices) == SCREE_OK ||
           scene_out_of_memory(site->error, scene_location(&site->scene->document, 0), NULL);
}

static bool make_mesh(const SceneSolidSite *site, ScenePart *part) {
    const SceneMeshSpec *m = &site->solid->mesh;
    enum { LIMIT = 1 << 30 };
    SceneSource source;
    SceneMesh mesh;
    if (!scene_is_mesh_name(m->file)) {
        return refuse(site, &m->head, "file", NULL,
                      "a mesh file has a name that ends in .stl, .obj, .ply or .off");
    }
    if (!scene_read_named(site->scene, &m->head, m->file, LIMIT, &source, site->error)) {
        return false;
    }
    bool ok = scene_read_mesh(&source, &mesh, site->error);
    ok = ok && flatten_mesh(site, &mesh) && take_mesh(site, &mesh, part);
    scene_mesh_free(&mesh);
    free((char *)source.text);
    return ok;
}

/* ---------------------------------------------------------------- by name */

static bool make_box(const SceneSolidSite *site, ScenePart *part) {
    const SceneCuboidSpec *b = &site->solid->box;
    double r = b->rounding;
    *part = (ScenePart){.vertices = 8, .rounding = r};
    if (!(2 * r < scr_min(b->size.x, scr_min(b->size.y, b->size.z)))) {
        return refuse(site, &b->head, "rounding", "round all over it is a plate, a rod or a radius",
                      "the rounding must be less than half of each side");
    }
    if (!make_room(site, part)) {
        return false;
    }
    scree_solid_make_box((ScreeVec3){b->size.x - 2 * r, b->size.y - 2 * r, b->size.z - 2 * r},
                         part->vertex);
    return true;
}

static bool make_prism(const SceneSolidSite *site, ScenePart *part) {
    const ScenePrismSpec *p = &site->solid->prism;
    double r = p->rounding;
    if (p->corners < 3 || p->corners > 1000) {
        return refuse(site, &p->head, "corners", NULL, "a prism must have from 3 to 1000 corners");
    }
    if (!(r < p->radius && 2 * r < p->height)) {
        return refuse(site, &p->head, "rounding", NULL,
                      "the rounding must be less than the radius and half the height");
    }
    *part = (ScenePart){.vertices = 2 * (size_t)p->corners, .rounding = r};
    if (!make_room(site, part)) {
        return false;
    }
    scree_solid_make_prism((int32_t)p->corners, p->radius - r, p->height - 2 * r, part->vertex);
    return true;
}

static bool make_plate(const SceneSolidSite *site, ScenePart *part) {
    const ScenePlateSpec *p = &site->solid->plate;
    double r = p->size.z / 2, x = p->size.x - 2 * r, y = p->size.y - 2 * r;
    if (!(x > 0 && y > 0)) {
        return refuse(site, &p->head, "size", "as long as thick it is a rod or a radius",
                      "a plate must be longer and wider than it is thick");
    }
    *part = (ScenePart){.vertices = 4, .rounding = r};
    if (!make_room(site, part)) {
        return false;
    }
    scree_solid_make_plate(x, y, part->vertex);
    return true;
}

static bool make_ellipsoid(const SceneSolidSite *site, const SceneEllipsoidSpec *e,
                           ScenePart *part) {
    *part = (ScenePart){
        .vertices = 4, .kind = SCREE_PART_ELLIPSOID, .form = {e->exponents[0], e->exponents[1]}};
    if (!make_room(site, part)) {
        return false;
    }
    scree_solid_make_ellipsoid(e->size, part->vertex);
    return true;
}

static bool make_superellipsoid(const SceneSolidSite *site, ScenePart *part) {
    const SceneEllipsoidSpec *e = &site->solid->superellipsoid;
    for (int k = 0; k < 2; k++) {
        if (!(e->exponents[k] >= 2 && e->exponents[k] <= 32)) {
            return refuse(site, &e->head, "exponents",
                          "for a box give box, for a cylinder cylinder: both are exact",
                          "the exponents of a superellipsoid lie between 2 and 32");
        }
    }
    return make_ellipsoid(site, e, part);
}

static bool make_cylinder(const SceneSolidSite *site, const SceneConeSpec *c, double top,
                          double inner, ScenePart *part) {
    double height = c->height - 2 * inner;
    *part = (ScenePart){.vertices = 2,
                        .rounding = c->rounding,
                        .kind = SCREE_PART_CONE,
                        .form = {c->radius - inner, top - inner}};
    if (!(inner < c->radius && height > 0)) {
        return refuse(site, &c->head, "rounding", "round all over it is a rod or a radius",
                      "the rounding must be less than the radius and half the height");
    }
    if (!make_room(site, part)) {
        return false;
    }
    scree_solid_make_cylinder(height, part->vertex);
    return true;
}

static bool make_rod(const SceneSolidSite *site, ScenePart *part) {
    const SceneRodSpec *r = &site->outline->rod;
    *part = (ScenePart){.vertices = 2, .rounding = r->radius};
    if (!(r->length > 2 * r->radius)) {
        return refuse(site, &r->head, "length", "a sphere is a radius",
                      "a rod must be longer than it is thick");
    }
    if (!make_room(site, part)) {
        return false;
    }
    scree_solid_make_rod(r->length - 2 * r->radius, part->vertex);
    return true;
}

static bool make_regular(const SceneSolidSite *site, ScenePart *part) {
    const SceneRegularSpec *r = &site->outline->regular;
    ScreeVec3 vertex[20];
    bool small = r->faces >= 4 && r->faces <= 20;
    size_t count =
        small ? scree_solid_make_regular((int32_t)r->faces, r->radius - r->rounding, vertex) : 0;
    if (count == 0) {
        return refuse(site, &r->head, "faces", "give faces: 4, 6, 8, 12 or 20",
                      "a regular solid has 4, 6, 8, 12 or 20 faces");
    }
    if (!(r->rounding < r->radius)) {
        return refuse(site, &r->head, "rounding", "a sphere is a radius",
                      "the rounding must be less than the radius");
    }
    *part = (ScenePart){.vertices = count, .rounding = r->rounding};
    if (!make_room(site, part)) {
        return false;
    }
    memcpy(part->vertex, vertex, count * sizeof *vertex);
    return true;
}

static bool make_smooth(const SceneSolidSite *site, ScenePart *part) {
    const SceneSolidSpec *s = site->solid;
    return s->ellipsoid.head.node        ? make_ellipsoid(site, &s->ellipsoid, part)
           : s->superellipsoid.head.node ? make_superellipsoid(site, part)
           : s->cylinder.head.node
               ? make_cylinder(site, &s->cylinder, s->cylinder.radius, s->cylinder.rounding, part)
               : make_cylinder(site, &s->cone, s->cone.top, 0, part);
}

static bool make_sphere(const SceneSolidSite *site, ScenePart *part) {
    *part = (ScenePart){.vertices = 1, .rounding = site->solid->sphere.radius};
    return make_room(site, part);
}

bool scene_make_part(const SceneSolidSite *site, ScenePart *part) {
    const SceneSolidSpec *s = site->solid;
    const struct {
        bool given;
        bool (*make)(const SceneSolidSite *, ScenePart *);
    } form[] = {
        {s->sphere.head.node, make_sphere},
        {s->ellipsoid.head.node, make_smooth},
        {s->superellipsoid.head.node, make_smooth},
        {s->cylinder.head.node, make_smooth},
        {s->cone.head.node, make_smooth},
        {s->surface.head.node, scene_make_surface},
        {s->torus.head.node, scene_make_torus},
        {s->polyhedron.head.node, make_polyhedron},
        {s->mesh.head.node, make_mesh},
        {s->box.head.node, make_box},
        {s->prism.head.node, make_prism},
        {s->plate.head.node, make_plate},
        {site->outline->rod.head.node, make_rod},
    };
    for (size_t i = 0; i < sizeof form / sizeof *form; i++) {
        if (form[i].given) {
            return form[i].make(site, part);
        }
    }
    return make_regular(site, part);
}
