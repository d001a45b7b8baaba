#include "shape/merge.h"

#include "shape/plane_groups.h"

#include <stdlib.h>
#include <string.h>

/* Side 3 t + e is that from vertex e of triangle t to the next. Faces are rings of sides; what lies
 * within a face has been taken away. */
typedef struct Sides {
    const Vec3 *point;
    const Triangles *of;
    double tolerance;
    const int32_t *group;
    int32_t count, points;
    int32_t *next, *before; /* in the ring of the face; -1: taken away */
    int32_t *member;        /* triangles by group, then those of the next group */
    int32_t *leaving;       /* [points] a side from there on the rim of a group */
    int32_t *faces;         /* [points] how many faces meet there */
    int32_t *chain;
    bool *straight; /* [points] left out */
    Block next_block, before_block, member_block, leaving_block, faces_block, chain_block,
        straight_block;
} Sides;

static int32_t start_of(const Sides *s, int32_t side) {
    return s->of->triangle[side / 3].vertex[side % 3];
}
static int32_t end_of(const Sides *s, int32_t side) {
    return s->of->triangle[side / 3].vertex[(side % 3 + 1) % 3];
}

/* The same side, seen from the neighbour. */
static int32_t twin_of(const Sides *s, int32_t side) {
    int32_t other = s->of->triangle[side / 3].neighbour[side % 3];
    for (int32_t e = 0; e < 3; e++) {
        int32_t twin = 3 * other + e;
        if (start_of(s, twin) == end_of(s, side) && end_of(s, twin) == start_of(s, side)) {
            return twin;
        }
    }
    return -1;
}

static bool on_rim(const Sides *s, int32_t side) {
    return s->group[side / 3] != s->group[s->of->triangle[side / 3].neighbour[side % 3]];
}

/* Whether a face with this normal does not bend inwards where the side `in` is followed by `out`. */
static bool is_convex(const Sides *s, int32_t in, int32_t out, Vec3 normal) {
    Vec3 a = sub(s->point[end_of(s, in)], s->point[start_of(s, in)]),
         b = sub(s->point[end_of(s, out)], s->point[start_of(s, out)]);
    double bend = dot(cross(a, b), normal), allowed = s->tolerance * scr_max(length(a), length(b));
    return bend > allowed || (bend >= -allowed && dot(a, b) > 0);
}

static void follow(Sides *s, int32_t in, int32_t out) {
    s->next[in] = out;
    s->before[out] = in;
}

static void take_away(Sides *s, int32_t side) {
    s->next[side] = s->before[side] = -1;
}

/* ---------------------------------------------------------------- whole groups */

static Vec3 normal_of_group(const Sides *s, const int32_t *member, int32_t members) {
    Vec3 sum = vec3(0, 0, 0);
    for (int32_t k = 0; k < members; k++) {
        sum = add(sum, scr_triangle_normal(s->point, &s->of->triangle[member[k]]));
    }
    return unit(sum);
}

/* Lets `leaving` lead around the rim; -1 where it touches itself, else how many sides it has. */
static int32_t mark_rim(Sides *s, const int32_t *member, int32_t members) {
    int32_t rim = 0;
    for (int32_t k = 0; k < 3 * members; k++) {
        s->leaving[s->of->triangle[member[k / 3]].vertex[k % 3]] = -1;
    }
    for (int32_t k = 0; k < 3 * members; k++) {
        int32_t side = 3 * member[k / 3] + k % 3;
        if (on_rim(s, side)) {
            if (s->leaving[start_of(s, side)] >= 0) {
                return -1;
            }
            s->leaving[start_of(s, side)] = side;
            rim++;
        }
    }
    return rim;
}

/* Makes one face of a group whose rim is a single convex ring. */
static bool join_whole(Sides *s, const int32_t *member, int32_t members, Vec3 normal) {
    int32_t rim = mark_rim(s, member, members), first = -1;
    for (int32_t k = 0; k < 3 * members && first < 0; k++) {
        int32_t side = 3 * member[k / 3] + k % 3;
        first = on_rim(s, side) ? side : -1;
    }
    if (rim < 3 || first < 0) {
        return false;
    }
    int32_t passed = 0, side = first;
    do {
        int32_t out = s->leaving[end_of(s, side)];
        if (out < 0 || !is_convex(s, side, out, normal)) {
            return false;
        }
        side = out;
        passed++;
    } while (side != first && passed < rim);
    if (side != first || passed != rim) {
        return false;
    }
    for (int32_t k = 0; k < 3 * members; k++) {
        side = 3 * member[k / 3] + k % 3;
        if (on_rim(s, side)) {
            follow(s, side, s->leaving[end_of(s, side)]);
        } else {
            take_away(s, side);
        }
    }
    return true;
}

/* ---------------------------------------------------------------- convex pieces */

/* Takes away what two faces share, if they are convex together: sides in a row from `head` to
 * `tail`. */
static bool join_two(Sides *s, int32_t side, Vec3 normal) {
    int32_t head = side, tail = side;
    while (s->next[tail] != side && twin_of(s, s->next[tail]) == s->before[twin_of(s, tail)]) {
        tail = s->next[tail];
    }
    while (s->before[head] != side && twin_of(s, s->before[head]) == s->next[twin_of(s, head)]) {
        head = s->before[head];
    }
    int32_t in = s->before[head], out = s->next[twin_of(s, head)];
    int32_t back_in = s->before[twin_of(s, tail)], back_out = s->next[tail];
    if (!is_convex(s, in, out, normal) || !is_convex(s, back_in, back_out, normal)) {
        return false;
    }
    for (int32_t at = head, last = tail; at >= 0;) {
        int32_t after = at == last ? -1 : s->next[at];
        take_away(s, twin_of(s, at));
        take_away(s, at);
        at = after;
    }
    follow(s, in, out);
    follow(s, back_in, back_out);
    return true;
}

static void join_pieces(Sides *s, const int32_t *member, int32_t members, Vec3 normal) {
    bool any = true;
    while (any) {
        any = false;
        for (int32_t k = 0; k < 3 * members; k++) {
            int32_t side = 3 * member[k / 3] + k % 3;
            if (s->next[side] >= 0 && !on_rim(s, side)) {
                any = join_two(s, side, normal) || any;
            }
        }
    }
}

static void join_groups(Sides *s) {
    for (int32_t from = 0, to; from < s->of->count; from = to) {
        int32_t group = s->group[s->member[from]];
        for (to = from; to < s->of->count && s->group[s->member[to]] == group;) {
            to++;
        }
        Vec3 normal = normal_of_group(s, s->member + from, to - from);
        if (to - from > 1 && !join_whole(s, s->member + from, to - from, normal)) {
            join_pieces(s, s->member + from, to - from, normal);
        }
    }
}

/* ---------------------------------------------------------------- straight edges */

/* From the first vertex of a chain, as far as all between lie on a straight line; and so on. */
static void straighten(Sides *s, const int32_t *chain, int32_t count) {
    for (int32_t from = 0, to; from + 1 < count; from = to) {
        bool clear = true;
        for (to = from + 1; to + 1 < count && clear; to += clear) {
            for (int32_t k = from + 1; k <= to && clear; k++) {
                clear = scr_distance_to_segment(s->point[chain[k]], s->point[chain[from]],
                                                s->point[chain[to + 1]]) <= s->tolerance;
            }
        }
        for (int32_t k = from + 1; k < to; k++) {
            s->straight[chain[k]] = true;
        }
    }
}

/* Between vertices at which three faces meet, the same two faces run along all sides. Each such
 * chain is seen from both; one of them counts. */
static void find_straight(Sides *s) {
    for (int32_t side = 0; side < s->count; side++) {
        if (s->next[side] < 0 || s->faces[start_of(s, side)] == 2) {
            continue;
        }
        int32_t count = 0, at = side;
        s->chain[count++] = start_of(s, at);
        while (s->faces[end_of(s, at)] == 2) {
            s->chain[count++] = end_of(s, at);
            at = s->next[at];
        }
        s->chain[count++] = end_of(s, at);
        if (count > 2 && s->chain[0] < s->chain[count - 1]) {
            straighten(s, s->chain, count);
        }
    }
}

/* ---------------------------------------------------------------- loops */

/* Corners of the face around a side, from the smallest on. */
static int32_t write_loop(const Sides *s, int32_t side, int32_t *corner) {
    int32_t count = 0, least = 0, at = side;
    do {
        int32_t v = start_of(s, at);
        if (!s->straight[v]) {
            least = count == 0 || v < start_of(s, least) ? at : least;
            count++;
        }
        at = s->next[at];
    } while (at != side);
    int32_t written = 0;
    at = least;
    do {
        if (!s->straight[start_of(s, at)]) {
            corner[written++] = start_of(s, at);
        }
        at = s->next[at];
    } while (at != least);
    return count;
}

typedef struct Loop {
    const int32_t *corner;
    int32_t count;
} Loop;

static int loops_in_order(const void *one, const void *other) {
    const Loop *a = one, *b = other;
    for (int32_t k = 0; k < a->count && k < b->count; k++) {
        if (a->corner[k] != b->corner[k]) {
            return a->corner[k] < b->corner[k] ? -1 : 1;
        }
    }
    return (a->count > b->count) - (a->count < b->count);
}

static bool write_loops(Sides *s, FaceLoops *made) {
    struct {
        Loop *loop;
        int32_t *corner;
        Block loop_block, corner_block;
    } work = {0};
    size_t sides = (size_t)s->count;
    if (!SCR_RESERVE(made, corners, sides) || !SCR_RESERVE(made, corner, sides) ||
        !SCR_RESERVE(&work, loop, sides) || !SCR_RESERVE(&work, corner, sides)) {
        SCR_FREE_BLOCKS(&work.loop_block, &work.corner_block);
        return false;
    }
    made->faces = made->corner_count = 0;
    for (int32_t side = 0; side < s->count; side++) {
        if (s->next[side] < 0) {
            continue;
        }
        int32_t *corner = work.corner + made->corner_count;
        work.loop[made->faces] = (Loop){corner, write_loop(s, side, corner)};
        made->corner_count += work.loop[made->faces++].count;
        for (int32_t at = side, next; at >= 0; at = next) {
            next = s->next[at];
            take_away(s, at);
        }
    }
    qsort(work.loop, (size_t)made->faces, sizeof *work.loop, loops_in_order);
    int32_t *to = made->corner;
    for (int32_t f = 0; f < made->faces; f++) {
        made->corners[f] = work.loop[f].count;
        memcpy(to, work.loop[f].corner, (size_t)work.loop[f].count * sizeof *to);
        to += work.loop[f].count;
    }
    SCR_FREE_BLOCKS(&work.loop_block, &work.corner_block);
    return true;
}

/* ---------------------------------------------------------------- the whole */

/* Triangles by group; a group is at most as large a number as there are triangles. */
static void sort_members(Sides *s) {
    int32_t *first = s->next; /* not used yet; has room for three times as many */
    memset(first, 0, (size_t)(s->of->count + 1) * sizeof *first);
    for (int32_t t = 0; t < s->of->count; t++) {
        first[s->group[t] + 1]++;
    }
    for (int32_t g = 0; g < s->of->count; g++) {
        first[g + 1] += first[g];
    }
    for (int32_t t = 0; t < s->of->count; t++) {
        s->member[first[s->group[t]]++] = t;
    }
}

static void begin(Sides *s) {
    sort_members(s);
    for (int32_t side = 0; side < s->count; side++) {
        follow(s, side, side % 3 == 2 ? side - 2 : side + 1);
    }
}

static void count_faces(Sides *s) {
    memset(s->faces, 0, (size_t)s->points * sizeof *s->faces);
    memset(s->straight, 0, (size_t)s->points * sizeof *s->straight);
    for (int32_t side = 0; side < s->count; side++) {
        s->faces[start_of(s, side)] += s->next[side] >= 0;
    }
}

bool scr_merge_triangles(const Vec3 *point, int32_t points, const Triangles *of, double tolerance,
                         int32_t *group, FaceLoops *made) {
    Sides s = {.point = point,
               .of = of,
               .tolerance = tolerance,
               .group = group,
               .count = 3 * of->count,
               .points = points};
    size_t sides = (size_t)s.count + 1, vertices = (size_t)points;
    bool ok = scr_plane_groups(point, of, tolerance, group) && SCR_RESERVE(&s, next, sides) &&
              SCR_RESERVE(&s, before, sides) && SCR_RESERVE(&s, member, sides) &&
              SCR_RESERVE(&s, leaving, vertices) && SCR_RESERVE(&s, faces, vertices) &&
              SCR_RESERVE(&s, chain, sides) && SCR_RESERVE(&s, straight, vertices);
    if (ok) {
        begin(&s);
        join_groups(&s);
        count_faces(&s);
        find_straight(&s);
        ok = write_loops(&s, made);
    }
    SCR_FREE_BLOCKS(&s.next_block, &s.before_block, &s.member_block, &s.leaving_block,
                    &s.faces_block, &s.chain_block, &s.straight_block);
    return ok;
}
