/* Parts of a problem, against the matrices of the whole: the Delassus matrix of a part is a block of
 * that of the whole, and its free velocities are those of the whole with the impulses of all other
 * rows. */
#include "physics/rig.h"

#include "matrix/part.h"
#include "matrix/reduce.h"

#include <string.h>

enum { BODIES = 6, COPIES = 2, ROWS = 9, AMONG = 2, BLOCK = 3 };

typedef struct Setup {
    Problem problem;
    ProblemBody body[BODIES + COPIES];
    Row row[ROWS];
    BodyCopy copy[COPIES];
} Setup;

/* Body 0 is a wall. Body 5 is split: rows know it by its two copies, each with half its mass. */
static void make_setup(Setup *s, uint64_t *random) {
    static const int32_t pair[ROWS][2] = {{1, 0}, {1, 2}, {2, 3}, {3, 6}, {4, 7},
                                          {1, 4}, {2, 6}, {4, 0}, {3, 7}};
    memset(s, 0, sizeof *s);
    s->problem = (Problem){
        .dimension = 3, .bodies = BODIES + COPIES, .rows = ROWS, .body = s->body, .row = s->row};
    for (int i = 1; i < BODIES; i++) {
        s->body[i].v = rig_random_vec(random, 1, 3);
        s->body[i].s = rig_random_vec(random, 1, 3);
        s->body[i].inverse_mass = 0.5 + rig_random(random);
        s->body[i].inverse_inertia = 2.5 * s->body[i].inverse_mass;
    }
    for (int k = 0; k < COPIES; k++) {
        s->copy[k] = (BodyCopy){BODIES - 1, AMONG};
        s->body[BODIES + k] = s->body[BODIES - 1];
        s->body[BODIES + k].inverse_mass *= AMONG;
        s->body[BODIES + k].inverse_inertia *= AMONG;
    }
    for (int i = 0; i < ROWS; i++) {
        Row *r = &s->row[i];
        ScreeVec3 n = rig_random_vec(random, 1, 3), t = rig_random_vec(random, 1, 3);
        r->normal = rig_scale(1 / rig_length(n), n);
        r->bias = rig_random(random);
        r->mu = 0.5;
        r->rn = rig_random(random);
        r->rt = rig_sub(t, rig_scale(rig_dot(t, r->normal), r->normal));
        r->a = pair[i][0];
        r->b = pair[i][1];
        scr_row_complete(&s->problem, r);
    }
}

static void reduce(MatrixRows *to, const Problem *p, const BodyCopy *copy, size_t copies) {
    CHECK(scr_matrix_from_rows(to, p, copy, copies, MATRIX_LAWS_EXACT).status == SCREE_OK);
    CHECK(scr_matrix_reduce(&to->problem).status == SCREE_OK);
}

static void part_is_a_block_of_the_whole(void) {
    static const int32_t chosen[] = {1, 3, 4, 6, 8};
    enum { CHOSEN = sizeof chosen / sizeof *chosen };
    uint64_t random = 5;
    for (int trial = 0; trial < 20; trial++) {
        Setup s;
        ProblemPart part = {0};
        MatrixRows whole = {0}, block = {0};
        make_setup(&s, &random);
        reduce(&whole, &s.problem, s.copy, COPIES);
        CHECK(scr_part_make(&part, &s.problem, s.copy, COPIES, chosen, CHOSEN));
        CHECK(part.copies == COPIES && part.problem.rows == CHOSEN);
        reduce(&block, &part.problem, part.copy, part.copies);
        for (int32_t i = 0; i < BLOCK * CHOSEN; i++) {
            int32_t in_whole = BLOCK * chosen[i / BLOCK] + i % BLOCK;
            double free_velocity = whole.problem.q[in_whole];
            for (int32_t j = 0; j < BLOCK * ROWS; j++) {
                bool given = true;
                for (int32_t k = 0; k < CHOSEN; k++) {
                    given = given && j / BLOCK != chosen[k];
                }
                double w = scr_sparse_entry(&whole.problem.delassus, in_whole, j);
                free_velocity += given ? w * whole.now[j] : 0;
            }
            CHECK_NEAR(block.problem.q[i], free_velocity, 1e-12);
            CHECK_NEAR(block.now[i], whole.now[in_whole], 0);
            for (int32_t j = 0; j < BLOCK * CHOSEN; j++) {
                int32_t column = BLOCK * chosen[j / BLOCK] + j % BLOCK;
                CHECK_NEAR(scr_sparse_entry(&block.problem.delassus, i, j),
                           scr_sparse_entry(&whole.problem.delassus, in_whole, column), 1e-13);
            }
        }
        scr_matrix_rows_free(&block);
        scr_matrix_rows_free(&whole);
        scr_part_free(&part);
    }
}

/* Impulses return to the rows that they belong to, and to no others. */
static void impulses_return_to_their_rows(void) {
    static const int32_t chosen[] = {7, 2};
    uint64_t random = 9;
    Setup s;
    ProblemPart part = {0};
    make_setup(&s, &random);
    const Setup before = s;
    CHECK(scr_part_make(&part, &s.problem, s.copy, COPIES, chosen, 2));
    part.problem.row[0].rn = 11;
    part.problem.row[1].rn = 12;
    part.problem.row[1].rt = rig_vec(1, 2, 3);
    scr_part_give_back(&part, &s.problem);
    CHECK_NEAR(s.row[7].rn, 11, 0);
    CHECK_NEAR(s.row[2].rn, 12, 0);
    CHECK_VEC(s.row[2].rt, rig_vec(1, 2, 3), 0);
    CHECK(s.row[2].a == before.row[2].a && s.row[2].b == before.row[2].b);
    for (int i = 0; i < ROWS; i++) {
        CHECK(i == 7 || i == 2 || memcmp(&s.row[i], &before.row[i], sizeof s.row[i]) == 0);
    }
    scr_part_free(&part);
}

int main(int argc, char **argv) {
    CHECK_RUN(part_is_a_block_of_the_whole);
    CHECK_RUN(impulses_return_to_their_rows);
    return check_result();
}
