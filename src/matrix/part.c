#include "matrix/part.h"

static bool reserve(ProblemPart *part, const Problem *whole, size_t copies, size_t rows) {
    Problem *p = &part->problem;
    size_t sides = 2 * rows; /* bodies at most; as many again stand behind copies */
    *p = *whole;
    if (!SCR_RESERVE(part, number, whole->bodies + 1) ||
        !SCR_RESERVE(part, copy, (copies < sides ? copies : sides) + 1) ||
        !scr_block_reserve(&part->body_block, 2 * sides + 1, sizeof *p->body, 0) ||
        !scr_block_reserve(&part->row_block, rows + 1, sizeof *p->row, 0) ||
        !scr_block_reserve(&part->general_of_block, rows + 1, sizeof(int32_t), 0) ||
        !scr_block_reserve(&part->law_of_block, rows + 1, sizeof(int32_t), 0)) {
        return false;
    }
    p->body = part->body_block.data;
    p->row = part->row_block.data;
    p->general_of = whole->general_of != NULL ? part->general_of_block.data : NULL;
    p->law_of = whole->law_of != NULL ? part->law_of_block.data : NULL;
    p->rows = rows;
    p->bodies = part->copies = 0;
    p->approach = NULL;
    p->parts = 0;
    for (size_t i = 0; i < whole->bodies; i++) {
        part->number[i] = -1;
    }
    return true;
}

static void take_body(ProblemPart *part, const Problem *whole, int32_t body) {
    if (part->number[body] < 0) {
        part->number[body] = (int32_t)part->problem.bodies;
        part->problem.body[part->problem.bodies++] = whole->body[body];
    }
}

/* Copies come behind all others, whose numbers they need. */
static void take_bodies(ProblemPart *part, const Problem *whole, const BodyCopy *copy,
                        size_t copies) {
    const size_t own = whole->bodies - copies;
    for (size_t i = 0; i < part->problem.rows; i++) {
        const Row *r = &whole->row[part->row_of[i]];
        take_body(part, whole, (size_t)r->a < own ? r->a : copy[(size_t)r->a - own].body);
        take_body(part, whole, (size_t)r->b < own ? r->b : copy[(size_t)r->b - own].body);
    }
    for (size_t i = 0; copies > 0 && i < part->problem.rows; i++) {
        const int32_t side[2] = {whole->row[part->row_of[i]].a, whole->row[part->row_of[i]].b};
        for (int k = 0; k < 2; k++) {
            if ((size_t)side[k] >= own && part->number[side[k]] < 0) {
                const BodyCopy *of = &copy[(size_t)side[k] - own];
                part->copy[part->copies++] = (BodyCopy){part->number[of->body], of->among};
                take_body(part, whole, side[k]);
            }
        }
    }
}

bool scr_part_make(ProblemPart *part, const Problem *whole, const BodyCopy *copy, size_t copies,
                   const int32_t *row, size_t rows) {
    Problem *p = &part->problem;
    if (!reserve(part, whole, copies, rows)) {
        return false;
    }
    part->row_of = row;
    take_bodies(part, whole, copy, copies);
    for (size_t i = 0; i < rows; i++) {
        p->row[i] = whole->row[row[i]];
        p->row[i].a = part->number[p->row[i].a];
        p->row[i].b = part->number[p->row[i].b];
        if (p->general_of != NULL) {
            p->general_of[i] = whole->general_of[row[i]];
        }
        if (p->law_of != NULL) {
            p->law_of[i] = whole->law_of[row[i]];
        }
    }
    return true;
}

/* Torques are in the law rows, which are those of the whole. */
void scr_part_give_back(const ProblemPart *part, Problem *whole) {
    for (size_t i = 0; i < part->problem.rows; i++) {
        whole->row[part->row_of[i]].rn = part->problem.row[i].rn;
        whole->row[part->row_of[i]].rt = part->problem.row[i].rt;
    }
}

void scr_part_free(ProblemPart *part) {
    SCR_FREE_BLOCKS(&part->number_block, &part->copy_block, &part->body_block, &part->row_block,
                    &part->general_of_block, &part->law_of_block);
    *part = (ProblemPart){0};
}
