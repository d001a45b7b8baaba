#include "scene/read/text.h"

#include "base/printable.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINE_SHOWN = 100, MARGIN_LEFT = 60 };

/* A bounded string that always leaves room for the final newline. */
typedef struct Out {
    char *text;
    size_t used, size;
} Out;

static void put_char(Out *out, char c) {
    if (out->used + 2 < out->size) {
        out->text[out->used++] = c;
        out->text[out->used] = '\0';
    }
}

static void put(Out *out, const char *text) {
    for (; *text; text++) {
        put_char(out, *text);
    }
}

static bool is_continuation(char c) {
    return ((unsigned char)c & 0xC0) == 0x80;
}

/* The quoted line from character `skip` on, with control characters as spaces. */
static void put_line(Out *out, const char *line, const char *end, int skip) {
    int column = 0;
    if (skip > 0) {
        put(out, "...");
    }
    for (; line < end && *line != '\n' && *line != '\r'; line++) {
        column += !is_continuation(*line);
        if (column <= skip) {
            continue;
        }
        if (column > skip + LINE_SHOWN) {
            put(out, "...");
            break;
        }
        put_char(out, (char)((unsigned char)*line < 32 || *line == 127 ? ' ' : *line));
    }
    put_char(out, '\n');
}

static const char *find_line(const SceneSource *source, int line) {
    const char *at = source->text, *end = source->text + source->size;
    for (int i = 1; i < line && at; i++) {
        at = memchr(at, '\n', (size_t)(end - at));
        at = at ? at + 1 : NULL;
    }
    return at;
}

static void put_quote(Out *out, SceneLocation location, const char *hint) {
    const char *line = find_line(location.source, location.line);
    if (!line) {
        return;
    }
    char number[32];
    if (location.source->option) {
        snprintf(number, sizeof number, "      | ");
    } else {
        snprintf(number, sizeof number, "%5d | ", location.line);
    }
    int skip = location.column > MARGIN_LEFT + 20 ? location.column - MARGIN_LEFT : 0;
    put(out, number);
    put_line(out, line, location.source->text + location.source->size, skip);
    put(out, "      | ");
    for (int i = skip > 0 ? skip - 3 : 0; i < location.column - 1; i++) {
        put_char(out, ' ');
    }
    put_char(out, '^');
    int room = LINE_SHOWN - (location.column - skip);
    for (int i = 1; i < location.width && i < room; i++) {
        put_char(out, '~');
    }
    if (hint && *hint) {
        put(out, "   ");
        put(out, hint);
    }
    put_char(out, '\n');
}

bool scene_out_of_memory(SceneError *error, SceneLocation location, const char *hint) {
    if (error && !error->text[0]) {
        error->no_memory = true;
    }
    return scene_fail(error, location, hint, "out of memory");
}

bool scene_fail(SceneError *error, SceneLocation location, const char *hint, const char *format,
                ...) {
    if (!error || error->text[0]) {
        return false;
    }
    Out out = {error->text, 0, sizeof error->text};
    char words[480], head[360];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    const SceneSource *source = location.source;
    const char *name = source && source->name ? source->name : "scene";
    bool numbered = source && !source->option && location.line > 0;
    error->line = numbered ? location.line : 0;
    error->column = numbered ? location.column : 0;
    if (numbered) {
        snprintf(head, sizeof head, "%.300s:%d:%d: error: ", name, location.line, location.column);
    } else if (source && source->option) {
        snprintf(head, sizeof head, "-D %.300s: error: ", source->text);
    } else {
        snprintf(head, sizeof head, "%.300s: error: ", name);
    }
    put(&out, head);
    put(&out, words);
    put_char(&out, '\n');
    if (source && source->text && location.line > 0) {
        put_quote(&out, location, hint);
    } else if (hint && *hint) {
        put(&out, "    ");
        put(&out, hint);
        put_char(&out, '\n');
    }
    if (out.used == 0 || error->text[out.used - 1] != '\n') {
        error->text[out.used++] = '\n'; /* put_char leaves one byte for this */
        error->text[out.used] = '\0';
    }
    scr_make_printable(error->text, true); /* text from the user may hold anything */
    return false;
}

SceneLocation scene_location_of_byte(const SceneSource *source, size_t offset) {
    SceneLocation location = {source, 1, 1, 1};
    for (size_t i = 0; i < offset && i < source->size; i++) {
        if (source->text[i] == '\n') {
            location.line++;
            location.column = 1;
        } else if (!is_continuation(source->text[i])) {
            location.column++;
        }
    }
    return location;
}

static size_t sequence_length(unsigned char c) {
    if (c < 0x80) {
        return c ? 1 : 0;
    }
    return c >= 0xC2 && c < 0xE0 ? 2
                                 : (c >= 0xE0 && c < 0xF0 ? 3 : (c >= 0xF0 && c < 0xF5 ? 4 : 0));
}

size_t scene_bad_utf8(const char *text, size_t size) {
    size_t i = 0;
    while (i < size) {
        unsigned char c = (unsigned char)text[i];
        size_t length = sequence_length(c);
        if (length == 0 || i + length > size) {
            return i;
        }
        for (size_t k = 1; k < length; k++) {
            if (!is_continuation(text[i + k])) {
                return i;
            }
        }
        unsigned char next = length > 1 ? (unsigned char)text[i + 1] : 0;
        bool overlong = (c == 0xE0 && next < 0xA0) || (c == 0xF0 && next < 0x90);
        bool outside = (c == 0xED && next > 0x9F) || (c == 0xF4 && next > 0x8F);
        if (overlong || outside) {
            return i;
        }
        i += length;
    }
    return size;
}

static char *grow(char *text, size_t used, size_t *room) {
    if (used + 1 < *room) {
        return text;
    }
    size_t wanted = *room ? 2 * *room : 65536;
    char *grown = realloc(text, wanted);
    if (!grown) {
        free(text);
        errno = ENOMEM;
        return NULL;
    }
    *room = wanted;
    return grown;
}

static char *read_all(FILE *file, size_t limit, size_t *size) {
    char *text = NULL;
    size_t used = 0, room = 0;
    int why = 0;
    while ((text = grow(text, used, &room))) {
        size_t got = fread(text + used, 1, room - used - 1, file);
        used += got;
        if (got == 0 || used > limit) {
            why = ferror(file) ? (errno ? errno : EIO) : (used > limit ? EFBIG : 0);
            break;
        }
    }
    if (text && why) {
        free(text);
        errno = why;
        return NULL;
    }
    if (text) {
        text[used] = '\0';
        *size = used;
    }
    return text;
}

static char *read_and_close(FILE *file, size_t limit, size_t *size) {
    char *text = file ? read_all(file, limit, size) : NULL;
    int why = errno;
    if (file) {
        fclose(file);
    }
    errno = why;
    return text;
}

char *scene_read_file(const char *path, size_t limit, size_t *size) {
    return read_and_close(fopen(path, "rb"), limit, size);
}

/* Opening does not wait for the other end of a pipe, and what was opened is what is looked at. */
char *scene_read_regular_file(const char *path, size_t limit, size_t *size) {
    struct stat about;
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    FILE *stream = NULL;
    if (file < 0) {
        return NULL;
    }
    if (fstat(file, &about) == 0) {
        errno = EINVAL;
        stream = S_ISREG(about.st_mode) ? fdopen(file, "rb") : NULL;
    }
    if (!stream) {
        int why = errno;
        close(file);
        errno = why;
    }
    return read_and_close(stream, limit, size);
}
