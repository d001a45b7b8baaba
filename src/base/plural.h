/* Counts in words: "1 grain", "2 grains". */
#ifndef SCREE_BASE_PLURAL_H
#define SCREE_BASE_PLURAL_H

/* The word that goes with a count; in full, since neither nouns nor verbs just add an s. */
static inline const char *scr_plural(long long count, const char *one, const char *many) {
    return count == 1 ? one : many;
}

#endif
