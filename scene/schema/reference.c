/* The reference page, written from the schema. */
#include "scene/scene.h"
#include "scene/schema/sections.h"

#include <stdio.h>
#include <string.h>

enum { SECTIONS_MOST = 128 };

typedef struct Page {
    void (*write)(void *context, const char *text);
    void *context;
    const SceneSection *done[SECTIONS_MOST];
    int count;
} Page;

static void put(Page *page, const char *text) {
    page->write(page->context, text);
}

static void put_choices(Page *page, const SceneKey *key) {
    bool bare = key->type == &scene_type_choice;
    put(page, bare ? "" : (key->type == &scene_type_overlap ? "" : "one or a list of "));
    for (const SceneChoice *c = key->choices; c->name; c++) {
        put(page, c == key->choices ? "`" : ", `");
        put(page, c->name);
        put(page, "`");
    }
}

static void put_range(Page *page, SceneRange range) {
    static const char *const words[] = {
        "", " > 0", " >= 0", " in (0, 1]", " in [0, 1]", " in [1/2, 1]", " >= 1", "", ""};
    put(page, words[range]);
}

/* A link to the section's own heading, in the form that code hosting sites use. */
static void put_link(Page *page, const SceneSection *section) {
    char anchor[80];
    size_t i = 0;
    for (const char *c = section->name; *c && i + 1 < sizeof anchor; c++) {
        anchor[i++] = (char)(*c == ' ' ? '-' : *c);
    }
    anchor[i] = '\0';
    put(page, "[");
    put(page, section->name);
    put(page, "](#");
    put(page, anchor);
    put(page, ")");
}

/* A bar would end the cell of the table. */
static void put_meaning(Page *page, const char *text) {
    char one[2] = "";
    for (; *text; text++) {
        one[0] = *text;
        put(page, *text == '|' ? "\\|" : one);
    }
}

static void put_row(Page *page, const SceneKey *key) {
    put(page, "| `");
    put(page, key->name);
    put(page, "` | ");
    if (key->choices) {
        put_choices(page, key);
        if (key->section) {
            put(page, ", or ");
            put_link(page, key->section);
        }
    } else if (key->type == &scene_type_section) {
        put_link(page, key->section);
    } else if (key->section) {
        put(page, key->type->words);
        put(page, key->type->entries ? " of " : " ");
        put(page, key->type->entries ? "" : "(");
        put_link(page, key->section);
        put(page, key->type->entries ? "" : ")");
    } else {
        put(page, key->type->words);
        put_range(page, key->range);
    }
    put(page, " | ");
    put(page, key->dimension ? key->dimension : "");
    put(page, " | ");
    if (!key->fallback) {
        put(page, "**required**");
    } else if (key->fallback[0] == '(') {
        char words[120];
        snprintf(words, sizeof words, "%.*s", (int)strlen(key->fallback) - 2, key->fallback + 1);
        put(page, words);
    } else {
        put(page, "`");
        put(page, key->fallback);
        put(page, "`");
    }
    put(page, " | ");
    put_meaning(page, key->meaning);
    put(page, " |\n");
}

static bool written(Page *page, const SceneSection *section) {
    for (int i = 0; i < page->count; i++) {
        if (page->done[i] == section) {
            return true;
        }
    }
    if (page->count < SECTIONS_MOST) {
        page->done[page->count++] = section;
    }
    return false;
}

static void put_section(Page *page, const SceneSection *section, int depth) {
    if (written(page, section)) {
        return;
    }
    put(page, depth == 0 ? "\n## " : "\n### ");
    put(page, section->name);
    put(page, "\n\n");
    put(page, section->about);
    put(page,
        "\n\n| key | value | dimension | default | meaning |\n| --- | --- | --- | --- | --- |\n");
    for (size_t i = 0; i < section->key_count; i++) {
        put_row(page, &section->keys[i]);
    }
    if (section->example) {
        put(page, "\n```yaml\n");
        put(page, section->example);
        put(page, "```\n");
    }
    for (size_t i = 0; i < section->key_count; i++) {
        if (section->keys[i].section) {
            put_section(page, section->keys[i].section, depth + 1);
        }
    }
}

void scene_write_reference(void (*write)(void *context, const char *text), void *context) {
    Page page = {.write = write, .context = context};
    put(&page,
        "# Scene files\n\n"
        "<!-- Written by the program from the schema in scene/; change it there. -->\n\n"
        "A scene is a YAML file (JSON works as well, since it is valid YAML). Units are up to "
        "you: the tables give the dimension of every quantity, and any consistent set of units "
        "will do. A vector is a list of three numbers, or of two in two dimensions. A spin "
        "(angular velocity) is a list of three numbers, or a single number in two dimensions. "
        "Names of materials, walls and shapes consist of letters, digits, `_` and `-`. Anchors "
        "(`&name`) and aliases (`*name`) are supported.\n\n"
        "On the command line, `-D path.to.key=value` overrides any value: `-D time.end=2`, "
        "`-D materials.stone.friction=0.3`, `-D grains.0.count=500`. The value is itself YAML; "
        "`null` "
        "takes the key away.\n");
    put_section(&page, &scene_section_root, 0);
}
