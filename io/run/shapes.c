#include "io/run/shapes.h"

RunPart run_shape_part(const RunHeader *header, size_t part) {
    const RunShapeParts *parts = &header->shape_part;
    size_t first = part > 0 ? (size_t)parts->corner_end[part - 1] : 0;
    return (RunPart){first, (size_t)parts->corner_end[part] - first, parts->rounding[part]};
}

size_t run_body_parts(const RunHeader *header, size_t body, size_t *first) {
    int32_t shape = header->body.shape[body];
    const int64_t *end = header->shape.part_end;
    *first = shape > 0 ? (size_t)end[shape - 1] : 0;
    return shape >= 0 ? (size_t)end[shape] - *first : 0;
}

/* Shapes turn about z only: (w + z k) p (w - z k) is p turned by 2 atan2(z, w). */
void run_body_point(const RunBodies *bodies, size_t body, const double *own, double *at) {
    const double *q = &bodies->orientation[4 * body], *p = &bodies->position[3 * body];
    double cosine = q[0] * q[0] - q[3] * q[3], sine = 2 * q[0] * q[3];
    at[0] = p[0] + cosine * own[0] - sine * own[1];
    at[1] = p[1] + sine * own[0] + cosine * own[1];
    at[2] = p[2];
}
