/* The schema as JSON, for programs that write scenes: the Python package makes its builder of it. */
#include "scene/scene.h"
#include "scene/schema/sections.h"

#include <stdio.h>
#include <string.h>

enum { SECTIONS_MOST = 128 };

typedef struct Listing {
    void (*write)(void *context, const char *text);
    void *context;
    const SceneSection *section[SECTIONS_MOST]; /* in the order of the reference page */
    int count;
} Listing;

/* ---------------------------------------------------------------- which sections there are */

static int number_of(const Listing *listing, const SceneSection *section) {
    int number = 0;
    while (number < listing->count && listing->section[number] != section) {
        number++;
    }
    return number;
}

static void gather(Listing *listing, const SceneSection *section) {
    if (number_of(listing, section) < listing->count || listing->count == SECTIONS_MOST) {
        return;
    }
    listing->section[listing->count++] = section;
    for (size_t i = 0; i < section->key_count; i++) {
        if (section->keys[i].section) {
            gather(listing, section->keys[i].section);
        }
    }
}

/* ---------------------------------------------------------------- JSON */

static void put(Listing *listing, const char *text) {
    listing->write(listing->context, text);
}

static void put_quoted(Listing *listing, const char *text) {
    char one[3] = "";
    put(listing, "\"");
    for (; *text; text++) {
        if (*text == '\n') {
            put(listing, "\\n");
            continue;
        }
        bool escape = *text == '"' || *text == '\\';
        one[0] = (char)(escape ? '\\' : *text);
        one[1] = (char)(escape ? *text : '\0');
        put(listing, one);
    }
    put(listing, "\"");
}

/* A member of an object that is not its first; nothing without a text. */
static void put_member(Listing *listing, const char *name, const char *text) {
    if (text) {
        put(listing, ", \"");
        put(listing, name);
        put(listing, "\": ");
        put_quoted(listing, text);
    }
}

static void put_number(Listing *listing, const char *name, int number) {
    char text[64];
    snprintf(text, sizeof text, ", \"%s\": %d", name, number);
    put(listing, text);
}

static const char *range_text(SceneRange range) {
    static const char *const words[] = {NULL,          "> 0",  ">= 0", "in (0, 1]", "in [0, 1]",
                                        "in [1/2, 1]", ">= 1", NULL,   NULL};
    return words[range];
}

static void put_key(Listing *listing, const SceneKey *key) {
    put(listing, "{\"name\": ");
    put_quoted(listing, key->name);
    put_member(listing, "value", key->type->words);
    put_member(listing, "range", range_text(key->range));
    put_member(listing, "dimension", key->dimension);
    /* "(words)" tell what happens without the key */
    bool words = key->fallback && key->fallback[0] == '(';
    char without[160] = "";
    if (words) {
        snprintf(without, sizeof without, "%.*s", (int)strlen(key->fallback) - 2,
                 key->fallback + 1);
    }
    put_member(listing, words ? "otherwise" : "default", words ? without : key->fallback);
    put(listing, key->fallback ? ", \"required\": false" : ", \"required\": true");
    if (key->choices) {
        put(listing, ", \"choices\": [");
        for (const SceneChoice *c = key->choices; c->name; c++) {
            put(listing, c == key->choices ? "" : ", ");
            put_quoted(listing, c->name);
        }
        put(listing, "]");
    }
    if (key->section) {
        put_number(listing, "section", number_of(listing, key->section));
    }
    if (key->range == IN_PLANE || key->range == IN_SPACE) {
        put_number(listing, "space", key->range == IN_PLANE ? 2 : 3);
    }
    put_member(listing, "meaning", key->meaning);
    put(listing, "}");
}

static void put_section(Listing *listing, const SceneSection *section) {
    put(listing, "{\"name\": ");
    put_quoted(listing, section->name);
    put_member(listing, "about", section->about);
    put_member(listing, "example", section->example);
    put(listing, ", \"keys\": [");
    for (size_t i = 0; i < section->key_count; i++) {
        put(listing, i ? ",\n  " : "\n  ");
        put_key(listing, &section->keys[i]);
    }
    put(listing, "]}");
}

void scene_write_schema(void (*write)(void *context, const char *text), void *context) {
    Listing listing = {.write = write, .context = context};
    gather(&listing, &scene_section_root);
    put(&listing, "[");
    for (int i = 0; i < listing.count; i++) {
        put(&listing, i ? ",\n " : "\n ");
        put_section(&listing, listing.section[i]);
    }
    put(&listing, "]\n");
}
