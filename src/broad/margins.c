/* Wide margins make a long list, narrow ones a frequent renewal. A body that moves by w in a step
 * gets room for a number of steps, the aim: m = aim w. With n bodies, P pairs in the list and lists
 * that last for a part q of the aim, a step costs, in pairs looked at,
 *
 *     c = B n / (q aim) + P(aim),
 *
 * where B is what a new list costs for each body. Bodies at a given density have P ~ (r + m)^d,
 * with means of radius and margin, so near the present aim
 *
 *     dP/daim = d P / (r + m) dm/daim,
 *
 * and the cost is least where aim^2 = B n / (q dP/daim). n, P and q are counted, never timed, so
 * the choice is the same on every machine, after a restart, and with every method of search. */
#include "broad/margins.h"

/* In mean radii. */
static const double least_margin = 0.05, most_margin = 0.5;

/* Bodies this many times faster than the mean are few, and get so many times the steps. */
static const double fast = 4, fast_steps = 5;

static double mean_of(const double *value, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += value[i];
    }
    return count > 0 ? sum / (double)count : 0;
}

typedef struct Scale {
    double least, most, mean_way;
} Scale;

static double margin_for(const Scale *scale, double aim, double way) {
    double wanted = (way > fast * scale->mean_way ? fast_steps : 1) * aim * way;
    return fmax(scale->least, fmin(wanted, scale->most));
}

/* The aim from how the last list did. Room for many more steps than a list lasts is of no use. */
static double better_aim(const State *s, const MarginRules *rules, const Scale *scale,
                         double radius) {
    const Bodies *b = &s->bodies;
    double aim = s->list.aim, n = (double)b->count, margin = 0, slope = 0;
    double life = fmax(1, (double)(s->step - s->list.step));
    for (size_t i = 0; i < b->count; i++) {
        double m = margin_for(scale, aim, b->margin[i]);
        margin += m / n;
        slope += m > scale->least && m < scale->most ? m / aim / n : 0;
    }
    if (slope == 0) {
        return aim; /* no margin depends on it */
    }
    double part = fmax(0.1, fmin(life / aim, 1));
    double growth = s->def.dimension * (double)s->list.pairs / (radius + margin) * slope;
    double best = sqrt(rules->cost * n / (part * growth)); /* infinite without pairs */
    double next = fmin(sqrt(aim * best), 2 * aim); /* half way: all of this is an estimate */
    return fmax(4, fmin(fmax(0.5 * aim, next), 4 * life));
}

void scr_choose_margins(State *s, const MarginRules *rules) {
    Bodies *b = &s->bodies;
    double radius = mean_of(b->radius, b->count);
    Scale scale = {least_margin * radius, most_margin * radius, mean_of(b->margin, b->count)};
    if (s->def.skin > 0) {
        scale.least = scale.most = 0.5 * s->def.skin;
    }
    scale.least = fmax(scale.least, rules->least);
    if (!(s->list.aim > 0)) {
        s->list.aim = rules->aim;
    } else if (rules->outrun) {
        s->list.aim = better_aim(s, rules, &scale, radius);
    }
    for (size_t i = 0; i < b->count; i++) {
        double way = b->margin[i];
        b->margin[i] = fmax(margin_for(&scale, s->list.aim, way), rules->coming * way);
    }
}

void scr_note_list(State *s, size_t pairs) {
    s->list.step = s->step;
    s->list.pairs = pairs;
}
