/* Bytes as text for an HTML file. */
#ifndef SCREE_VIEW_PACK_H
#define SCREE_VIEW_PACK_H

#include "view/bytes.h"

/* Deflates (in zlib's format), encodes in base64, and appends the text to `into`. */
void view_pack(const ViewBytes *from, ViewBytes *into);

#endif
