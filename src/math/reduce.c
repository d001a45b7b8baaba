#include "math/reduce.h"

#include <math.h>

/* Behind the words of a sum: how often it has met either infinity, and what is no number. */
enum { UP = EXACT_WORDS, DOWN, NO_NUMBER, WORDS };

static void write_words(ExactSum *sum, int64_t *word) {
    scr_exact_carry(sum);
    memcpy(word, sum->word, sizeof sum->word);
    word[UP] = sum->not_numbers == (double)INFINITY;
    word[DOWN] = sum->not_numbers == -(double)INFINITY;
    word[NO_NUMBER] = isnan(sum->not_numbers);
}

void scr_sum_from_words(const int64_t *word, ExactSum *sum) {
    memcpy(sum->word, word, sizeof sum->word);
    scr_exact_carry(sum);
    bool both = word[UP] > 0 && word[DOWN] > 0;
    sum->not_numbers = word[NO_NUMBER] > 0 || both ? (double)NAN
                       : word[UP] > 0              ? (double)INFINITY
                       : word[DOWN] > 0            ? -(double)INFINITY
                                                   : 0;
}

void scr_sum_over_processes(const ScreeProcesses *with, ExactSum *sum, size_t count) {
    int64_t word[REDUCE_MOST * WORDS];
    for (size_t first = 0; with != NULL && first < count; first += REDUCE_MOST) {
        const size_t now = count - first < REDUCE_MOST ? count - first : REDUCE_MOST;
        for (size_t k = 0; k < now; k++) {
            write_words(&sum[first + k], word + WORDS * k);
        }
        with->add(with->context, word, WORDS * now);
        for (size_t k = 0; k < now; k++) {
            scr_sum_from_words(word + WORDS * k, &sum[first + k]);
        }
    }
}
