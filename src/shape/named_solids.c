#include "shape/named_solids.h"

void scr_make_box(Vec3 sides, Vec3 *vertex) {
    for (int k = 0; k < 8; k++) {
        vertex[k] = vec3((k & 1 ? 0.5 : -0.5) * sides.x, (k & 2 ? 0.5 : -0.5) * sides.y,
                         (k & 4 ? 0.5 : -0.5) * sides.z);
    }
}

/* (+-x, +-y, +-z), each sign once where the number is not 0. */
static size_t put_signs(double x, double y, double z, Vec3 *vertex) {
    size_t count = 0;
    for (int k = 0; k < 8; k++) {
        bool twice = (x == 0 && k & 1) || (y == 0 && k & 2) || (z == 0 && k & 4);
        if (!twice) {
            vertex[count++] = vec3(k & 1 ? x : -x, k & 2 ? y : -y, k & 4 ? z : -z);
        }
    }
    return count;
}

/* The same, and with the coordinates moved on cyclically. */
static size_t put_cycles(double x, double y, double z, Vec3 *vertex) {
    size_t count = put_signs(x, y, z, vertex);
    count += put_signs(z, x, y, vertex + count);
    return count + put_signs(y, z, x, vertex + count);
}

size_t scr_make_regular(int32_t faces, double radius, Vec3 *vertex) {
    const double golden = (1 + sqrt(5)) / 2, third = radius / sqrt(3);
    double short_one, long_one;
    switch (faces) {
    case 4: /* every other corner of a cube */
        for (int k = 0; k < 4; k++) {
            vertex[k] = vec3(k & 1 ? third : -third, k & 2 ? third : -third,
                             k == 0 || k == 3 ? third : -third);
        }
        return 4;
    case 6:
        return put_signs(third, third, third, vertex);
    case 8:
        return put_cycles(radius, 0, 0, vertex);
    case 12: { /* a cube, and three rectangles with sides 2 / golden and 2 golden */
        size_t count = put_signs(third, third, third, vertex);
        return count + put_cycles(0, third / golden, third * golden, vertex + count);
    }
    case 20: /* three golden rectangles */
        short_one = radius / sqrt(1 + golden * golden);
        long_one = golden * short_one;
        return put_cycles(0, short_one, long_one, vertex);
    default:
        return 0;
    }
}

void scr_make_prism(int32_t sides, double radius, double height, Vec3 *vertex) {
    const double turn = 2 * 3.14159265358979323846 / sides;
    for (int32_t k = 0; k < sides; k++) {
        double x = radius * scr_cos(k * turn), y = radius * scr_sin(k * turn);
        vertex[k] = vec3(x, y, -height / 2);
        vertex[sides + k] = vec3(x, y, height / 2);
    }
}
