#include "view/block.h"

#include <math.h>
#include <string.h>

/* ---------------------------------------------------------------- bytes of numbers */

static void put_u16(unsigned char *at, uint32_t value) {
    at[0] = (unsigned char)(value & 255);
    at[1] = (unsigned char)(value >> 8 & 255);
}

static void put_u32(unsigned char *at, uint32_t value) {
    put_u16(at, value);
    put_u16(at + 2, value >> 16);
}

static void put_f32(unsigned char *at, double value) {
    float narrow = (float)value;
    uint32_t bits;
    memcpy(&bits, &narrow, sizeof bits);
    put_u32(at, bits);
}

static void put_f64(unsigned char *at, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_u32(at, (uint32_t)bits);
    put_u32(at + 4, (uint32_t)(bits >> 32));
}

/* Rounds to the nearest number of 1 + 5 + 10 bits; |value| <= 65504. Above 2^-14 the bits of the
 * exponent and ten of the fraction are those of the value; below, the fraction counts in units of
 * 2^-24. */
static uint32_t half_bits(double value) {
    uint32_t sign = signbit(value) ? 0x8000 : 0;
    double size = fabs(value);
    if (!(size >= 0x1p-14)) {
        return sign | (size > 0 ? (uint32_t)lround(size * 0x1p24) : 0);
    }
    int exponent = 0;
    double fraction = frexp(size, &exponent); /* 1/2 to 1 */
    /* rounding up to the next power of two carries into the exponent, as it should */
    return sign | (((uint32_t)(exponent + 14) << 10) + (uint32_t)lround(fraction * 2048) - 1024);
}

/* ---------------------------------------------------------------- columns */

static size_t kind_size(ViewKind kind) {
    return kind == VIEW_F32 || kind == VIEW_I32 ? 4 : kind == VIEW_U8 ? 1 : 2;
}

/* Begins a column: makes its entry, and room for its data; NULL when there is none. */
static unsigned char *begin(ViewBlock *block, const char *name, ViewKind kind, size_t rows,
                            size_t width, ViewEntry **entry) {
    if (block->count == VIEW_COLUMNS_MAX || rows > UINT32_MAX || strlen(name) > VIEW_NAME_SIZE) {
        block->data.failed = true;
        return NULL;
    }
    static const unsigned char zeros[8] = {0};
    view_bytes_add(&block->data, zeros, (8 - block->data.size % 8) % 8);
    ViewEntry *made = &block->entry[block->count++];
    *made = (ViewEntry){.kind = kind,
                        .width = (uint32_t)width,
                        .rows = (uint32_t)rows,
                        .offset = block->data.size,
                        .scale = 1};
    memcpy(made->name, name, strlen(name));
    *entry = made;
    return view_bytes_extend(&block->data, rows * width * kind_size(kind));
}

/* Number k of the column, counted row by row; numbers that are not finite count as 0. */
static double value_at(const ViewColumn *column, size_t k) {
    size_t row = k / column->width, component = k % column->width;
    double value = column->from[row * column->stride + column->first + component];
    return isfinite(value) ? value : 0;
}

void view_block_f32(ViewBlock *block, ViewColumn column, const double *origin) {
    ViewEntry *entry = NULL;
    unsigned char *into = begin(block, column.name, VIEW_F32, column.rows, column.width, &entry);
    for (size_t k = 0; into != NULL && k < column.rows * column.width; k++) {
        double less = origin != NULL ? origin[column.first + k % column.width] : 0;
        put_f32(into + 4 * k, value_at(&column, k) - less);
    }
}

void view_block_half(ViewBlock *block, ViewColumn column) {
    double most = 0;
    for (size_t k = 0; k < column.rows * column.width; k++) {
        most = fmax(most, fabs(value_at(&column, k)));
    }
    ViewEntry *entry = NULL;
    unsigned char *into = begin(block, column.name, VIEW_HALF, column.rows, column.width, &entry);
    if (into == NULL) {
        return;
    }
    int exponent = 0;
    (void)frexp(most, &exponent); /* most <= 2^exponent, stored as at most 2^15 */
    entry->scale = most > 0 ? ldexp(1, exponent - 15) : 1;
    if (!(entry->scale >= 1e-300)) {
        entry->scale = 1e-300;
    }
    for (size_t k = 0; k < column.rows * column.width; k++) {
        put_u16(into + 2 * k, half_bits(value_at(&column, k) / entry->scale));
    }
}

void view_block_unit16(ViewBlock *block, ViewColumn column) {
    ViewEntry *entry = NULL;
    unsigned char *into = begin(block, column.name, VIEW_UNIT16, column.rows, column.width, &entry);
    for (size_t k = 0; into != NULL && k < column.rows * column.width; k++) {
        double value = fmax(-1, fmin(1, value_at(&column, k)));
        put_u16(into + 2 * k, (uint32_t)lround(value * 32767));
    }
}

/* The least value of each component, and the largest extent. */
static double extent(const ViewColumn *column, double low[3]) {
    double high[3] = {0, 0, 0}, most = 0;
    for (size_t k = 0; k < column->rows * column->width; k++) {
        size_t component = k % column->width;
        double value = value_at(column, k);
        low[component] = k < column->width ? value : fmin(low[component], value);
        high[component] = k < column->width ? value : fmax(high[component], value);
    }
    for (size_t component = 0; component < column->width; component++) {
        most = fmax(most, high[component] - low[component]);
    }
    return most;
}

void view_block_position(ViewBlock *block, ViewColumn column, const double *origin, double fine) {
    double low[3] = {0, 0, 0};
    double scale = column.width <= 3 ? extent(&column, low) / 65535 : INFINITY;
    ViewEntry *entry = NULL;
    if (!(0.5 * scale <= fine)) {
        view_block_f32(block, column, origin);
        return;
    }
    unsigned char *into = begin(block, column.name, VIEW_GRID16, column.rows, column.width, &entry);
    if (into == NULL) {
        return;
    }
    for (size_t component = 0; component < column.width; component++) {
        double less = origin != NULL ? origin[column.first + component] : 0;
        entry->low[component] = low[component] - less;
    }
    entry->scale = scale > 0 ? scale : 1;
    for (size_t k = 0; k < column.rows * column.width; k++) {
        double steps = (value_at(&column, k) - low[k % column.width]) / entry->scale;
        put_u16(into + 2 * k, (uint32_t)fmin(65535, round(steps)));
    }
}

void view_block_integers(ViewBlock *block, const char *name, const int32_t *from, size_t rows) {
    int32_t low = 0, high = 0;
    for (size_t i = 0; i < rows; i++) {
        low = from[i] < low ? from[i] : low;
        high = from[i] > high ? from[i] : high;
    }
    ViewKind kind = low >= 0 && high <= UINT8_MAX           ? VIEW_U8
                    : low >= INT16_MIN && high <= INT16_MAX ? VIEW_I16
                                                            : VIEW_I32;
    ViewEntry *entry = NULL;
    unsigned char *into = begin(block, name, kind, rows, 1, &entry);
    for (size_t i = 0; into != NULL && i < rows; i++) {
        uint32_t value = (uint32_t)from[i];
        if (kind == VIEW_U8) {
            into[i] = (unsigned char)value;
        } else if (kind == VIEW_I16) {
            put_u16(into + 2 * i, value);
        } else {
            put_u32(into + 4 * i, value);
        }
    }
}

/* ---------------------------------------------------------------- the whole */

void view_block_finish(ViewBlock *block, ViewBytes *into) {
    size_t head = 8 + VIEW_ENTRY_SIZE * block->count;
    unsigned char *at = view_bytes_extend(into, head);
    if (at != NULL && !block->data.failed && head + block->data.size <= UINT32_MAX) {
        memset(at, 0, head);
        memcpy(at, "SCRB", 4);
        put_u32(at + 4, (uint32_t)block->count);
        for (size_t i = 0; i < block->count; i++) {
            const ViewEntry *entry = &block->entry[i];
            unsigned char *slot = at + 8 + VIEW_ENTRY_SIZE * i;
            memcpy(slot, entry->name, VIEW_NAME_SIZE);
            put_u32(slot + 16, (uint32_t)entry->kind);
            put_u32(slot + 20, entry->width);
            put_u32(slot + 24, entry->rows);
            put_u32(slot + 28, (uint32_t)(head + entry->offset));
            for (int k = 0; k < 3; k++) {
                put_f64(slot + 32 + 8 * k, entry->low[k]);
            }
            put_f64(slot + 56, entry->scale);
        }
        view_bytes_add(into, block->data.data, block->data.size);
    } else {
        into->failed = true;
    }
    view_bytes_free(&block->data);
    block->count = 0;
}
