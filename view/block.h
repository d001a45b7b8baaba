/* A block: named columns of numbers in compact binary form, over which the page lays its arrays
 * without copying.
 *
 * All numbers are little-endian. A block has "SCRB", the number of columns (u32), and then 64 bytes
 * for each column:
 *     name         16 bytes, filled up with zeros
 *     kind         u32, see below
 *     width        u32, numbers in a row
 *     rows         u32
 *     offset       u32, of its data from the start of the block, a multiple of 8
 *     low[3]       f64
 *     scale        f64
 * Then comes the data. What a stored number q means depends on the kind:
 *     f32          q
 *     u8 i16 i32   q
 *     grid16       low[component] + scale q, q from 0 to 65535
 *     half         scale q, q of 16 bits with 5 for the exponent: three digits over nine decades
 *     unit16       q / 32767, for numbers from -1 to 1 */
#ifndef SCREE_VIEW_BLOCK_H
#define SCREE_VIEW_BLOCK_H

#include "view/bytes.h"

#include <stdint.h>

typedef enum ViewKind {
    VIEW_F32,
    VIEW_U8,
    VIEW_I16,
    VIEW_I32,
    VIEW_GRID16,
    VIEW_HALF,
    VIEW_UNIT16
} ViewKind;

enum { VIEW_COLUMNS_MAX = 40, VIEW_NAME_SIZE = 16, VIEW_ENTRY_SIZE = 64 };

typedef struct ViewEntry {
    char name[VIEW_NAME_SIZE];
    ViewKind kind;
    uint32_t width, rows;
    size_t offset; /* within the data of the block */
    double low[3], scale;
} ViewEntry;

/* A block being made; initialise it to {0}. */
typedef struct ViewBlock {
    ViewEntry entry[VIEW_COLUMNS_MAX];
    size_t count;
    ViewBytes data;
} ViewBlock;

/* What to store: `width` numbers, from number `first` on, of each of `rows` rows of `stride`
 * numbers. */
typedef struct ViewColumn {
    const char *name;
    const double *from;
    size_t rows, stride, first, width;
} ViewColumn;

/* Subtracts `origin`, which has at least first + width numbers or is NULL. */
void view_block_f32(ViewBlock *block, ViewColumn column, const double *origin);
void view_block_half(ViewBlock *block, ViewColumn column);
void view_block_unit16(ViewBlock *block, ViewColumn column);

/* The same in 16 bits if that rounds by at most `fine`, otherwise as f32. */
void view_block_position(ViewBlock *block, ViewColumn column, const double *origin, double fine);

/* Stores integers in the fewest bytes that hold them all. */
void view_block_integers(ViewBlock *block, const char *name, const int32_t *from, size_t rows);

/* Appends the finished block to `into`, and frees what the block holds. */
void view_block_finish(ViewBlock *block, ViewBytes *into);

#endif
