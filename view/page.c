#include "view/page.h"

#include <string.h>

/* The assembler includes the file as it is; as a C array it would be slow to compile.
 * SCREE_VIEWER_PAGE is its path. */
__asm__(".section .rodata\n"
        ".global scree_view_page_begin\n"
        ".global scree_view_page_end\n"
        "scree_view_page_begin:\n"
        ".incbin \"" SCREE_VIEWER_PAGE "\"\n"
        "scree_view_page_end:\n"
        ".byte 0\n"
        ".previous\n");

extern const char scree_view_page_begin[], scree_view_page_end[];

const char *view_page(size_t *size) {
    *size = (size_t)(scree_view_page_end - scree_view_page_begin);
    return scree_view_page_begin;
}

const char *view_page_mark(size_t *length) {
    static const char mark[] = "<!--scree-run-->";
    *length = sizeof mark - 1;
    return strstr(scree_view_page_begin, mark);
}
