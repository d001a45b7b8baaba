#include "io/run/shapes.h"

RunPart run_shape_part(const RunHeader *header, size_t part) {
    const RunShapeParts *parts = &header->shape_part;
    size_t first = part > 0 ? (size_t)parts->corner_end[part - 1] : 0;
    size_t face = part > 0 ? (size_t)parts->face_end[part - 1] : 0;
    return (RunPart){.first = first,
                     .count = (size_t)parts->corner_end[part] - first,
                     .rounding = parts->rounding[part],
                     .first_face = face,
                     .faces = (size_t)parts->face_end[part] - face,
                     .kind = parts->kind[part],
                     .form = {parts->form[2 * part], parts->form[2 * part + 1]},
                     .weight = header->shape_corner.weight + first};
}

ScreeSolidPart run_solid_part(const RunPart *part) {
    return (ScreeSolidPart){.vertices = part->count,
                            .faces = part->faces,
                            .rounding = part->rounding,
                            .kind = (ScreePartKind)part->kind,
                            .form = {part->form[0], part->form[1]},
                            .weight = part->kind == SCREE_PART_NURBS ? part->weight : NULL};
}

RunFace run_shape_face(const RunHeader *header, size_t face) {
    const int64_t *end = header->shape_face.loop_end;
    size_t first = face > 0 ? (size_t)end[face - 1] : 0;
    return (RunFace){&header->shape_loop.vertex[first], (size_t)end[face] - first};
}

size_t run_body_parts(const RunHeader *header, const RunFrame *frame, size_t body, size_t *first) {
    int32_t shape = frame->body.shape[body];
    const int64_t *end = header->shape.part_end;
    *first = shape > 0 ? (size_t)end[shape - 1] : 0;
    return shape >= 0 ? (size_t)end[shape] - *first : 0;
}

/* own + 2 w (v x own) + 2 v x (v x own) for the quaternion (w, v). */
static void turn_in_space(const double *q, const double *p, const double *own, double *at) {
    double t[3] = {2 * (q[2] * own[2] - q[3] * own[1]), 2 * (q[3] * own[0] - q[1] * own[2]),
                   2 * (q[1] * own[1] - q[2] * own[0])};
    at[0] = p[0] + own[0] + q[0] * t[0] + q[2] * t[2] - q[3] * t[1];
    at[1] = p[1] + own[1] + q[0] * t[1] + q[3] * t[0] - q[1] * t[2];
    at[2] = p[2] + own[2] + q[0] * t[2] + q[1] * t[1] - q[2] * t[0];
}

/* In the plane shapes turn about z only: (w + z k) p (w - z k) is p turned by 2 atan2(z, w). */
void run_body_point(const RunBodies *bodies, size_t body, const double *own, double *at) {
    const double *q = &bodies->orientation[4 * body], *p = &bodies->position[3 * body];
    if (q[1] != 0 || q[2] != 0 || own[2] != 0) {
        turn_in_space(q, p, own, at);
        return;
    }
    double cosine = q[0] * q[0] - q[3] * q[3], sine = 2 * q[0] * q[3];
    at[0] = p[0] + cosine * own[0] - sine * own[1];
    at[1] = p[1] + sine * own[0] + cosine * own[1];
    at[2] = p[2];
}
