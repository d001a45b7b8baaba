/* Counts in words: "1 grain", "2 grains". */
#ifndef SCREE_BASE_PLURAL_H
#define SCREE_BASE_PLURAL_H

/* The word that goes with a count of any type of number; in full, since neither nouns nor verbs just
 * add an s. */
#define SCR_PLURAL(count, one, many) ((count) == 1 ? (one) : (many))

#endif
