#include "bench/results.h"

void bench_note(Results *r, const char *key, const char *text, const char *unit, double value) {
    if (r->count < (int)(sizeof r->number / sizeof r->number[0])) {
        r->number[r->count++] = (Number){key, text, unit, value};
    }
}
