/* Gauss's rule with four points, on the interval from 0 to 1. */
#ifndef SCREE_MEASURE_GAUSS_H
#define SCREE_MEASURE_GAUSS_H

enum { GAUSS_POINTS = 4 };

static const double gauss_node[GAUSS_POINTS] = {0.06943184420297371, 0.33000947820757187,
                                                0.66999052179242813, 0.93056815579702629};
static const double gauss_weight[GAUSS_POINTS] = {0.17392742256872693, 0.32607257743127307,
                                                  0.32607257743127307, 0.17392742256872693};

#endif
