#include "narrow/inner_hull.h"

/* A face that is no more than a line is left out: those beside it bound the same. */
static void add_face(InnerHull *h, int a, int b, int c) {
    Vec3 n = cross(sub(h->point[b], h->point[a]), sub(h->point[c], h->point[a])), normal;
    if (h->faces < INNER_HULL_FACES && direction_of(n, &normal)) {
        h->face[h->faces++] = (InnerFace){{a, b, c}, normal, dot(normal, h->point[a]), false};
    }
}

bool scr_inner_hull_begin(const Vec3 point[4], double blur, InnerHull *h) {
    h->points = 4;
    h->faces = 0;
    h->blur = blur;
    for (int k = 0; k < 4; k++) {
        h->point[k] = point[k];
    }
    Vec3 e = sub(point[1], point[0]), f = sub(point[2], point[0]), g = sub(point[3], point[0]);
    double volume = dot(cross(e, f), g), least = blur * length(e) * length(f);
    int b = volume > 0 ? 2 : 1, c = 3 - b; /* seen from point 3, the others turn clockwise */
    add_face(h, 0, b, c);
    add_face(h, 0, 3, b);
    add_face(h, b, 3, c);
    add_face(h, c, 3, 0);
    return fabs(volume) > least;
}

InnerFace *scr_inner_hull_nearest(InnerHull *h) {
    InnerFace *best = NULL;
    for (int k = 0; k < h->faces; k++) {
        InnerFace *face = &h->face[k];
        best = !face->final && (best == NULL || face->offset < best->offset) ? face : best;
    }
    return best;
}

typedef struct Rim {
    int edges, from[INNER_HULL_FACES], to[INNER_HULL_FACES];
} Rim;

/* An edge of a face that is taken away is one of the rim, unless the face beyond it goes too. */
static void add_edge(Rim *rim, int from, int to) {
    int k = 0;
    while (k < rim->edges && !(rim->from[k] == to && rim->to[k] == from)) {
        k++;
    }
    if (k < rim->edges) {
        rim->edges--;
        rim->from[k] = rim->from[rim->edges];
        rim->to[k] = rim->to[rim->edges];
    } else if (rim->edges < INNER_HULL_FACES) {
        rim->from[rim->edges] = from;
        rim->to[rim->edges++] = to;
    }
}

void scr_inner_hull_add(InnerHull *h, Vec3 x) {
    Rim rim = {.edges = 0};
    int kept = 0;
    for (int k = 0; k < h->faces; k++) {
        const InnerFace face = h->face[k];
        if (dot(face.normal, x) <= face.offset + h->blur) {
            h->face[kept++] = face;
            continue;
        }
        for (int e = 0; e < 3; e++) {
            add_edge(&rim, face.corner[e], face.corner[(e + 1) % 3]);
        }
    }
    if (rim.edges == 0) {
        return;
    }
    h->faces = kept;
    h->point[h->points] = x;
    for (int k = 0; k < rim.edges; k++) {
        add_face(h, rim.from[k], rim.to[k], h->points);
    }
    h->points++;
}
