/* docs/scene.md is what the program writes; the argument --write writes it anew. */
#include "support.h"

#include "scene/schema/sections.h"

static const char *const page = "../../docs/scene.md";

typedef struct Text {
    char *bytes;
    size_t used, size;
} Text;

static void append(void *context, const char *text) {
    Text *t = context;
    size_t length = strlen(text);
    if (t->used + length + 1 > t->size) {
        size_t size = 2 * (t->used + length + 1);
        char *grown = realloc(t->bytes, size);
        if (!grown) {
            abort();
        }
        t->bytes = grown;
        t->size = size;
    }
    memcpy(t->bytes + t->used, text, length + 1);
    t->used += length;
}

static Text written(void) {
    Text text = {NULL, 0, 0};
    scene_write_reference(append, &text);
    return text;
}

static void page_is_up_to_date(void) {
    Text text = written();
    FILE *file = fopen(page, "rb");
    CHECK(file != NULL);
    if (file) {
        char *stored = calloc(1, text.used + 2);
        size_t size = stored ? fread(stored, 1, text.used + 1, file) : 0;
        CHECK(stored && size == text.used && memcmp(stored, text.bytes, size) == 0);
        if (size != text.used) {
            fprintf(stderr, "run test_scene_reference --write in tests/scene\n");
        }
        free(stored);
        fclose(file);
    }
    free(text.bytes);
}

static void check_section(const SceneSection *section, const char *text, int depth) {
    char heading[80];
    snprintf(heading, sizeof heading, "# %s\n", section->name);
    CHECK(strstr(text, heading) != NULL && depth < 8);
    /* room in the reader's table of seen keys */
    CHECK(section->key_count > 0 && section->key_count <= 64);
    for (size_t i = 0; i < section->key_count; i++) {
        const SceneKey *key = &section->keys[i];
        char row[80];
        snprintf(row, sizeof row, "\n| `%s` | ", key->name);
        CHECK(strstr(text, row) != NULL && key->meaning[0] && key->offset < section->size);
        if (key->fallback && key->fallback[0] != '(') {
            double room[8]; /* every default must be a value that the key accepts */
            CHECK(key->type->literal && !key->type->literal(key, key->fallback, room));
        }
        if (key->section) {
            check_section(key->section, text, depth + 1);
        }
    }
}

static void every_key_stands_in_the_page(void) {
    Text text = written();
    check_section(&scene_section_root, text.bytes, 0);
    free(text.bytes);
}

/* The first example of the page is a whole scene that works. */
static void first_example_works(void) {
    Scene *scene;
    ScreeWorld *world;
    if (built(scene_section_root.example, &scene, &world)) {
        CHECK(scree_world_get_bodies(world).count == 500);
        dropped(scene, world);
    }
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "--write") == 0) {
        Text text = written();
        FILE *file = fopen(page, "wb");
        bool ok = file && fwrite(text.bytes, 1, text.used, file) == text.used;
        ok = file && fclose(file) == 0 && ok;
        free(text.bytes);
        return ok ? 0 : 1;
    }
    CHECK_RUN(page_is_up_to_date);
    CHECK_RUN(every_key_stands_in_the_page);
    CHECK_RUN(first_example_works);
    return check_result();
}
