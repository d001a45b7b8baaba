/* Text from elsewhere: names in a file, paths, what a user wrote. Printed as it is, it could take
 * over a terminal (escape sequences), turn a line around (signs that change the direction of
 * writing), or be run by a spreadsheet (a cell that begins with "="). */
#ifndef SCREE_BASE_PRINTABLE_H
#define SCREE_BASE_PRINTABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* The length of the UTF-8 character at the beginning of a text, and its code; 0 if what stands
 * there is none, or is cut off. Overlong forms, surrogates and codes above 10FFFF are none. */
static inline size_t scr_character(const char *text, uint32_t *code) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *c = (const unsigned char *)text;
    size_t length = *c < 0x80   ? 1
                    : *c < 0xC0 ? 0
                    : *c < 0xE0 ? 2
                    : *c < 0xF0 ? 3
                    : *c < 0xF8 ? 4
                                : 0;
    *code = length < 2 ? *c : *c & (0x7Fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((c[i] & 0xC0) != 0x80) { /* also at the end of the text */
            return 0;
        }
        *code = *code << 6 | (c[i] & 0x3Fu);
    }
    bool sound = *code >= least[length] && *code <= 0x10FFFF && (*code < 0xD800 || *code > 0xDFFF);
    return sound ? length : 0;
}

/* No control character, and none of those that cannot be seen but change how others are shown. */
static inline bool scr_is_plain(uint32_t code) {
    bool control = code < 0x20 || (code >= 0x7F && code < 0xA0);
    bool hidden = code == 0xAD || code == 0x61C || code == 0xFEFF ||
                  (code >= 0x200B && code <= 0x200F) || (code >= 0x2028 && code <= 0x202E) ||
                  (code >= 0x2060 && code <= 0x206F) || (code >= 0xE0000 && code <= 0xE0FFF);
    return !control && !hidden;
}

/* Makes a text harmless, in place: white space becomes a space (with `lines`, ends of lines stay),
 * and every other character that is not plain a question mark. */
static inline void scr_make_printable(char *text, bool lines) {
    char *to = text;
    while (*text != '\0') {
        uint32_t code = 0;
        size_t length = scr_character(text, &code);
        if (length > 0 && (scr_is_plain(code) || (lines && code == '\n'))) {
            memmove(to, text, length);
            to += length;
        } else {
            *to++ = length == 1 && strchr("\t\n\v\f\r", (int)code) != NULL ? ' ' : '?';
        }
        text += length > 0 ? length : 1;
    }
    *to = '\0';
}

/* The same for a name, which may become a cell of a table: one that begins like a formula is a name
 * only if it has nothing but what scenes allow in names. */
static inline void scr_make_name(char *text) {
    static const char allowed[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
    scr_make_printable(text, false);
    if (*text != '\0' && strchr("=+-@ ", *text) != NULL && text[strspn(text, allowed)] != '\0') {
        *text = '?';
    }
}

enum { SCR_JSON_MOST = 16 }; /* bytes of one character in JSON, with the final zero */

/* The next character of a text as it stands within a string of JSON, also one inside of HTML;
 * returns how many bytes of the text it took. */
static inline size_t scr_json_character(const char *text, char into[SCR_JSON_MOST]) {
    uint32_t code = 0;
    size_t length = scr_character(text, &code);
    if (length == 0) {
        snprintf(into, SCR_JSON_MOST, "\\ufffd");
    } else if (code == '"' || code == '\\') {
        snprintf(into, SCR_JSON_MOST, "\\%c", (char)code);
    } else if ((!scr_is_plain(code) && code < 0x10000) || code == '<') {
        snprintf(into, SCR_JSON_MOST, "\\u%04x", (unsigned)code);
    } else {
        memcpy(into, text, length);
        into[length] = '\0';
    }
    return length > 0 ? length : 1;
}

#endif
