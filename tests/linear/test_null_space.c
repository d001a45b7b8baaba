/* Rank and null space of matrices made to have them. */
#include "check.h"

#include "linear/null_space.h"

#include <stdlib.h>

enum { ROWS = 12, COLUMNS = 15 };

static double any(void) {
    return 2.0 * rand() / RAND_MAX - 1;
}

/* Columns 0 to 4 are independent of all others. The next `some` are independent too, and all the
 * rest are sums of those: they can be exchanged for them and for each other. */
static void rank_and_movable_columns_are_found(void) {
    srand(1);
    for (size_t some = 1; some <= ROWS - 5; some++) {
        double a[ROWS * COLUMNS], work[2 * COLUMNS];
        int32_t order[COLUMNS];
        bool moves[COLUMNS];
        for (size_t j = 0; j < COLUMNS; j++) {
            for (size_t i = 0; i < ROWS; i++) {
                a[j * ROWS + i] = any();
            }
            for (size_t i = 0; j >= 5 + some && i < ROWS; i++) {
                a[j * ROWS + i] = 0;
            }
            for (size_t k = 5; j >= 5 + some && k < 5 + some; k++) {
                double share = any();
                for (size_t i = 0; i < ROWS; i++) {
                    a[j * ROWS + i] += share * a[k * ROWS + i];
                }
            }
        }
        CHECK(scr_null_space(a, ROWS, COLUMNS, moves, work, order) == 5 + some);
        for (size_t j = 0; j < COLUMNS; j++) {
            CHECK(moves[j] == (j >= 5));
        }
    }
}

static void empty_and_full_matrices_have_their_rank(void) {
    double zero[6] = {0}, work[6], one[6] = {1, 0, 0, 1, 0, 1};
    int32_t order[3];
    bool moves[3];
    CHECK(scr_null_space(zero, 2, 3, moves, work, order) == 0 && moves[0] && moves[1] && moves[2]);
    CHECK(scr_null_space(one, 2, 3, moves, work, order) == 2 && !moves[0] && moves[1] && moves[2]);
    CHECK(scr_null_space(NULL, 0, 0, moves, work, order) == 0);
}

int main(int argc, char **argv) {
    CHECK_RUN(rank_and_movable_columns_are_found);
    CHECK_RUN(empty_and_full_matrices_have_their_rank);
    return check_result();
}
