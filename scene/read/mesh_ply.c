/* PLY: a header that describes elements and their properties, then the elements, as text or
 * binary. Vertices and faces are taken, everything else is passed over. */
#include "scene/read/mesh_scan.h"

#include "scene/read/reader.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef enum Encoding { TEXT, LITTLE, BIG } Encoding;

typedef enum Type { NONE, INT8, UINT8, INT16, UINT16, INT32, UINT32, FLOAT, DOUBLE } Type;

static const struct {
    const char *name, *other;
    size_t size;
} types[] = {{"", "", 0},           {"char", "int8", 1},     {"uchar", "uint8", 1},
             {"short", "int16", 2}, {"ushort", "uint16", 2}, {"int", "int32", 4},
             {"uint", "uint32", 4}, {"float", "float32", 4}, {"double", "float64", 8}};

/* What a property means to a mesh. */
typedef enum Role { OTHER, VERTEX_X, VERTEX_Y, VERTEX_Z, FACE_CORNERS } Role;

typedef struct Property {
    Type counter; /* of a list, else NONE */
    Type type;
    Role role;
} Property;

enum { PROPERTIES = 64, ELEMENTS = 16 };

typedef struct PlyElement {
    bool vertex, face;
    int64_t count;
    int properties;
    Property property[PROPERTIES];
} PlyElement;

typedef struct Ply {
    MeshScan *scan;
    Encoding encoding;
    int64_t vertices;
    int elements;
    PlyElement element[ELEMENTS];
} Ply;

/* ---------------------------------------------------------------- the header */

static bool read_type(MeshScan *scan, Type *type) {
    if (!scene_scan_word(scan)) {
        return scene_scan_fail(scan, "the type of a property is missing");
    }
    for (size_t i = 1; i < sizeof types / sizeof types[0]; i++) {
        if (strcmp(scan->word, types[i].name) == 0 || strcmp(scan->word, types[i].other) == 0) {
            *type = (Type)i;
            return true;
        }
    }
    return scene_scan_fail(scan, "'%s' is no type of a property", scan->word);
}

static bool read_encoding(Ply *ply) {
    static const char *const names[] = {"ascii", "binary_little_endian", "binary_big_endian"};
    MeshScan *scan = ply->scan;
    scan->word[0] = '\0';
    scene_scan_word(scan);
    for (int i = 0; i < 3; i++) {
        if (strcmp(scan->word, names[i]) == 0) {
            ply->encoding = (Encoding)i;
            return true;
        }
    }
    return scene_scan_fail(scan,
                           "the format must be ascii, binary_little_endian or "
                           "binary_big_endian, but is '%s'",
                           scan->word);
}

static bool read_element(Ply *ply) {
    MeshScan *scan = ply->scan;
    if (ply->elements == ELEMENTS) {
        return scene_scan_fail(scan, "there are more than %d kinds of elements", (int)ELEMENTS);
    }
    if (!scene_scan_word(scan)) {
        return scene_scan_fail(scan, "the name of an element is missing");
    }
    PlyElement *e = &ply->element[ply->elements++];
    e->vertex = strcmp(scan->word, "vertex") == 0;
    e->face = strcmp(scan->word, "face") == 0;
    if (!scene_scan_whole(scan, "the number of elements", 0, MESH_MOST, &e->count)) {
        return false;
    }
    ply->vertices = e->vertex ? e->count : ply->vertices;
    return true;
}

static Role role_of(const PlyElement *e, const Property *p, const char *name) {
    if (e->vertex && p->counter == NONE && name[0] && !name[1] && strchr("xyz", name[0])) {
        return (Role)(VERTEX_X + (name[0] - 'x'));
    }
    bool corners = strcmp(name, "vertex_indices") == 0 || strcmp(name, "vertex_index") == 0;
    return e->face && p->counter != NONE && corners ? FACE_CORNERS : OTHER;
}

static bool read_property(Ply *ply) {
    MeshScan *scan = ply->scan;
    if (ply->elements == 0) {
        return scene_scan_fail(scan, "a property stands before any element");
    }
    PlyElement *e = &ply->element[ply->elements - 1];
    if (e->properties == PROPERTIES) {
        return scene_scan_fail(scan, "an element has more than %d properties", (int)PROPERTIES);
    }
    Property *p = &e->property[e->properties++];
    const char *rest = scan->at;
    if (scene_scan_word(scan) && strcmp(scan->word, "list") == 0) {
        if (!read_type(scan, &p->counter)) {
            return false;
        }
        if (p->counter == FLOAT || p->counter == DOUBLE) {
            return scene_scan_fail(scan, "the length of a list cannot be a '%s'", scan->word);
        }
    } else {
        scan->at = rest;
    }
    if (!read_type(scan, &p->type)) {
        return false;
    }
    if (!scene_scan_word(scan)) {
        return scene_scan_fail(scan, "the name of a property is missing");
    }
    p->role = role_of(e, p, scan->word);
    return true;
}

static bool read_header(Ply *ply) {
    MeshScan *scan = ply->scan;
    if (!scene_scan_line(scan) || !scene_scan_word(scan) || strcmp(scan->word, "ply") != 0) {
        return scene_scan_fail(scan, "a PLY file begins with the line 'ply'");
    }
    while (scene_scan_line(scan)) {
        scene_scan_word(scan);
        const char *word = scan->word;
        bool ok = true;
        if (strcmp(word, "end_header") == 0) {
            return true;
        }
        if (strcmp(word, "format") == 0) {
            ok = read_encoding(ply);
        } else if (strcmp(word, "element") == 0) {
            ok = read_element(ply);
        } else if (strcmp(word, "property") == 0) {
            ok = read_property(ply);
        } else if (strcmp(word, "comment") != 0 && strcmp(word, "obj_info") != 0) {
            ok = scene_scan_fail(scan, "'%s' does not belong into the header", word);
        }
        if (!ok) {
            return false;
        }
    }
    return scene_scan_fail(scan, "the file ends before 'end_header'");
}

/* ---------------------------------------------------------------- values */

static double binary_value(Type type, uint64_t bits) {
    uint32_t low = (uint32_t)bits;
    float single;
    double number;
    switch (type) {
    case INT8:
        return (int8_t)low;
    case INT16:
        return (int16_t)low;
    case INT32:
        return (int32_t)low;
    case UINT8:
    case UINT16:
    case UINT32:
        return low;
    case FLOAT:
        memcpy(&single, &low, sizeof single);
        return (double)single;
    case DOUBLE:
        memcpy(&number, &bits, sizeof number);
        return number;
    case NONE:
        break;
    }
    return 0;
}

static bool read_binary(Ply *ply, Type type, double *value) {
    MeshScan *scan = ply->scan;
    size_t size = types[type].size;
    if ((size_t)(scan->end - scan->at) < size) {
        return scene_scan_fail(scan, "the file ends too early");
    }
    uint64_t bits = 0;
    for (size_t i = 0; i < size; i++) {
        size_t from = ply->encoding == LITTLE ? i : size - 1 - i;
        bits |= (uint64_t)(unsigned char)scan->at[from] << (8 * i);
    }
    scan->at += size;
    *value = binary_value(type, bits);
    return true;
}

/* Text is read word by word, wherever lines end. */
static bool read_value(Ply *ply, Type type, double *value) {
    MeshScan *scan = ply->scan;
    if (ply->encoding != TEXT) {
        return read_binary(ply, type, value);
    }
    while (!scene_scan_word(scan)) {
        if (!scene_scan_line(scan)) {
            return scene_scan_fail(scan, "the file ends too early");
        }
    }
    const char *wrong = scene_number_from(scan->word, value);
    return !wrong || scene_scan_fail(scan, "a value must be %s, but is '%s'", wrong, scan->word);
}

/* ---------------------------------------------------------------- elements */

static bool take_corner(Ply *ply, int64_t k, double v) {
    if (v != floor(v) || !(v >= 0 && v < (double)ply->vertices)) {
        return scene_scan_fail(ply->scan, "a corner of face %zu is vertex %g, but there are %lld",
                               ply->scan->mesh->faces, v, (long long)ply->vertices);
    }
    ply->scan->face[k] = (int32_t)v;
    return true;
}

static bool read_list(Ply *ply, const Property *p) {
    double count = 0, v;
    if (!read_value(ply, p->counter, &count)) {
        return false;
    }
    bool taken = p->role == FACE_CORNERS;
    double most = taken ? MESH_MOST_CORNERS : (double)(ply->scan->end - ply->scan->at);
    if (count != floor(count) || !(count >= 0 && count <= most)) {
        return scene_scan_fail(ply->scan, "a list cannot have %g members", count);
    }
    for (int64_t k = 0; k < (int64_t)count; k++) {
        if (!read_value(ply, p->type, &v) || (taken && !take_corner(ply, k, v))) {
            return false;
        }
    }
    return !taken || scene_mesh_add_face(ply->scan, (int64_t)count);
}

static bool read_one(Ply *ply, const PlyElement *e) {
    double at[3] = {0, 0, 0}, v = 0;
    for (int i = 0; i < e->properties; i++) {
        const Property *p = &e->property[i];
        bool ok = p->counter != NONE ? read_list(ply, p) : read_value(ply, p->type, &v);
        if (!ok) {
            return false;
        }
        if (p->role >= VERTEX_X && p->role <= VERTEX_Z) {
            at[p->role - VERTEX_X] = v;
        }
    }
    return !e->vertex || scene_mesh_add_vertex(ply->scan, (ScreeVec3){at[0], at[1], at[2]});
}

static bool has_role(const PlyElement *e, Role role) {
    for (int i = 0; i < e->properties; i++) {
        if (e->property[i].role == role) {
            return true;
        }
    }
    return false;
}

/* Exactly one kind of vertices, with x, y and z, and one of faces, with corners. */
static bool check_header(Ply *ply) {
    int vertices = 0, faces = 0;
    for (int i = 0; i < ply->elements; i++) {
        const PlyElement *e = &ply->element[i];
        vertices += e->vertex;
        faces += e->face;
        if (e->vertex &&
            !(has_role(e, VERTEX_X) && has_role(e, VERTEX_Y) && has_role(e, VERTEX_Z))) {
            return scene_scan_fail(ply->scan, "the vertices lack one of x, y and z");
        }
        if (e->face && !has_role(e, FACE_CORNERS)) {
            return scene_scan_fail(ply->scan, "the faces have no list 'vertex_indices'");
        }
    }
    return (vertices == 1 && faces == 1) ||
           scene_scan_fail(ply->scan, "the header must describe 'vertex' once and 'face' once");
}

bool scene_read_ply(MeshScan *scan) {
    Ply ply = {.scan = scan};
    if (!read_header(&ply) || !check_header(&ply)) {
        return false;
    }
    if (ply.encoding != TEXT) {
        scan->at = scan->next;
        scan->line = 0;
    }
    for (int i = 0; i < ply.elements; i++) {
        const PlyElement *e = &ply.element[i];
        for (int64_t k = 0; k < e->count && e->properties > 0; k++) {
            if (!read_one(&ply, e)) {
                return false;
            }
        }
    }
    return true;
}
