/* The page that draws a run: viewer/dist/viewer.html, embedded in the program. */
#ifndef SCREE_VIEW_PAGE_H
#define SCREE_VIEW_PAGE_H

#include <stddef.h>

const char *view_page(size_t *size);

/* Where in the page the data of a run may be inserted, and the length of the mark there. */
const char *view_page_mark(size_t *length);

#endif
