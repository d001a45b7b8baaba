/* Bytes as text for an HTML file. */
#ifndef SCREE_VIEW_PACK_H
#define SCREE_VIEW_PACK_H

#include "view/bytes.h"

/* Deflated (zlib's format), then in base64, at the end of `into`. */
void view_pack(const ViewBytes *from, ViewBytes *into);

#endif
