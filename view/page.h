/* The page that draws a run: viewer/dist/viewer.html, held within the program. */
#ifndef SCREE_VIEW_PAGE_H
#define SCREE_VIEW_PAGE_H

#include <stddef.h>

const char *view_page(size_t *size);

/* Where in the page the blocks of a run may be put, and how long the mark is. */
const char *view_page_mark(size_t *length);

#endif
