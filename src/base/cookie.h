/* The mark that default functions leave in a definition. One that lacks it was not begun from its
 * defaults, and its zeros may mean anything: the first shape, no orientation. */
#ifndef SCREE_BASE_COOKIE_H
#define SCREE_BASE_COOKIE_H

#include <stdint.h>

#define SCR_COOKIE UINT32_C(0x5c4eefed)

/* The message for a definition that lacks the mark. */
#define SCR_NO_COOKIE(type, function) "this " #type " was not begun from " #function "()"

#endif
