#include "scene/read/extend.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Aliases can make small texts stand for endless mappings. */
enum { MERGE_LIMIT = 100000 };

static const char extends[] = "extends";

/* A text of the chain: the scene itself, what it extends, and so on. */
typedef struct Link {
    const SceneSource *source;
    int root; /* its mapping, in the document of the scene */
    dev_t device;
    ino_t inode;
} Link;

typedef struct Extending {
    SceneDocument *document;
    int first; /* number of the first base among the added sources */
    SceneArena *arena;
    SceneError *error;
    Link link[SCENE_EXTEND_LIMIT + 1];
    int links;
    int merged; /* number of mappings merged */
} Extending;

static bool no_memory(Extending *x) {
    return scene_out_of_memory(x->error, (SceneLocation){&x->document->source, 0, 0, 0}, NULL);
}

char *scene_path_beside(SceneArena *arena, const SceneSource *source, const char *file) {
    const char *slash = strrchr(source->name, '/');
    size_t folder = slash && file[0] != '/' ? (size_t)(slash - source->name) + 1 : 0;
    char *path = scene_alloc(arena, folder + strlen(file) + 1, 1);
    if (path) {
        memcpy(path, source->name, folder);
        memcpy(path + folder, file, strlen(file));
    }
    return path;
}

/* ---------------------------------------------------------------- copying a document */

/* Appends all nodes, each once, so that aliases stay aliases: node i becomes node before + i. */
static bool append_nodes(yaml_document_t *to, const SceneDocument *from, int before) {
    int count = (int)(from->yaml.nodes.top - from->yaml.nodes.start);
    bool ok = true;
    for (int i = 1; ok && i <= count; i++) {
        ok = scene_add_like(to, scene_node(from, i)) == before + i;
    }
    for (int i = 1; ok && i <= count; i++) {
        for (size_t k = 0; ok && k < scene_items(from, i); k++) {
            ok =
                yaml_document_append_sequence_item(to, before + i, before + scene_item(from, i, k));
        }
        for (size_t k = 0; ok && k < scene_pairs(from, i); k++) {
            int key, value;
            scene_pair(from, i, k, &key, &value);
            ok = yaml_document_append_mapping_pair(to, before + i, before + key, before + value);
        }
    }
    return ok;
}

/* ---------------------------------------------------------------- the chain */

/* The file that a text extends: its node and path, or 0 when there is none. False on errors. */
static bool next_of(Extending *x, int *node, char **path) {
    const Link *last = &x->link[x->links - 1];
    int first = 0;
    *node = scene_lookup(x->document, last->root, extends, &first);
    if (!*node) {
        return true;
    }
    for (size_t i = 0; i < scene_pairs(x->document, last->root); i++) {
        int key, value;
        scene_pair(x->document, last->root, i, &key, &value);
        const char *name = scene_scalar(x->document, key);
        if (key != first && name && strcmp(name, extends) == 0) {
            return scene_fail(x->error, scene_location(x->document, key),
                              "let one of the two extend the other",
                              "a scene can extend only one other");
        }
    }
    const char *file = scene_scalar(x->document, *node);
    if (!file || !*file) {
        return scene_fail(x->error, scene_location(x->document, *node),
                          "for example extends: heap.yaml", "extends must be the name of a file");
    }
    *path = scene_path_beside(x->arena, last->source, file);
    return *path || no_memory(x);
}

/* Whether it is a regular file that is not yet part of the chain: another kind could block, and a
 * repeated one would never end. */
static bool is_new_file(Extending *x, int node, const char *path, Link *link) {
    struct stat about;
    SceneLocation location = scene_location(x->document, node);
    if (x->links > SCENE_EXTEND_LIMIT) {
        return scene_fail(x->error, location, "put some of them into one",
                          "more than %d scenes extend one another", SCENE_EXTEND_LIMIT);
    }
    if (stat(path, &about) != 0) {
        return scene_fail(x->error, location,
                          "a relative name counts from the folder of the file it stands in",
                          "cannot read '%.200s': %s", path, strerror(errno));
    }
    if (!S_ISREG(about.st_mode)) {
        return scene_fail(x->error, location, "extends takes the file of a scene",
                          "'%.200s' is not a regular file", path);
    }
    link->device = about.st_dev;
    link->inode = about.st_ino;
    for (int i = 0; i < x->links; i++) {
        if (x->link[i].device == about.st_dev && x->link[i].inode == about.st_ino) {
            return scene_fail(x->error, location, "leave out one extends of the circle",
                              "'%.200s' extends itself%s", path,
                              i == x->links - 1 ? "" : " by way of others");
        }
    }
    return true;
}

/* Reads a text of the chain and adds its nodes to the document. */
static bool add_link(Extending *x, int node, const char *path) {
    SceneDocument *document = x->document;
    SceneDocument base = {.loaded = false};
    int before = (int)(document->yaml.nodes.top - document->yaml.nodes.start);
    int number = x->first + x->links - 1;
    Link *link = &x->link[x->links];
    size_t size = 0;
    if (!is_new_file(x, node, path, link)) {
        return false;
    }
    char *text = scene_read_file(path, SCENE_TEXT_LIMIT, &size);
    if (!text && errno == ENOMEM) {
        return no_memory(x);
    }
    if (!text) {
        return scene_fail(x->error, scene_location(document, node), NULL,
                          "cannot read '%.200s': %s", path, strerror(errno));
    }
    document->added[number] =
        (SceneSource){path, scene_copy_text(x->arena, text, size), size, false};
    free(text);
    link->source = &document->added[number];
    link->root = before + 1;
    x->links++;
    bool ok =
        link->source->text ? scene_document_read(&base, link->source, x->error) : no_memory(x);
    if (ok && (!scene_root_node(&base) || scene_node(&base, 1)->type != YAML_MAPPING_NODE)) {
        ok = scene_fail(x->error, (SceneLocation){link->source, 0, 0, 0},
                        "begin with materials, grains and time", "this is not a scene with keys");
    }
    ok = ok && (append_nodes(&document->yaml, &base, before) || no_memory(x));
    for (int i = 1; ok && i <= base.own_nodes; i++) {
        const yaml_node_t *n = scene_node(&base, i);
        ok = scene_note_origin(document, before + i, number, n->start_mark, n->end_mark) ||
             no_memory(x);
    }
    scene_document_free(&base);
    return ok;
}

/* ---------------------------------------------------------------- merging */

typedef struct Entry {
    const char *name;
    int key, value; /* value 0: removed */
    size_t order;
    bool changed;
} Entry;

static int by_name(const void *a, const void *b) {
    return strcmp(((const Entry *)a)->name, ((const Entry *)b)->name);
}

static int by_order(const void *a, const void *b) {
    size_t x = ((const Entry *)a)->order, y = ((const Entry *)b)->order;
    return (x > y) - (x < y);
}

static int merge(Extending *x, int base, int own, int depth);

static bool append(Extending *x, int mapping, int key, int value) {
    return yaml_document_append_mapping_pair(&x->document->yaml, mapping, key, value) ||
           no_memory(x);
}

/* The entries of the base, sorted by name. */
static void list_entries(const SceneDocument *document, int base, Entry *entry, size_t count) {
    for (size_t i = 0; i < count; i++) {
        scene_pair(document, base, i, &entry[i].key, &entry[i].value);
        const char *name = scene_scalar(document, entry[i].key);
        entry[i].name = name ? name : ""; /* the reader refuses both */
        entry[i].order = i;
    }
    qsort(entry, count, sizeof *entry, by_name);
}

/* Changes the entries as our own mapping says, and appends to `all` what the base does not have. A
 * key that occurs twice does so in the result as well, where the reader reports it. */
static bool change_entries(Extending *x, int own, Entry *entry, size_t count, int all, int depth) {
    for (size_t i = 0; i < scene_pairs(x->document, own); i++) {
        Entry mine = {0};
        scene_pair(x->document, own, i, &mine.key, &mine.value);
        mine.name = scene_scalar(x->document, mine.key);
        if (depth == 0 && mine.name && strcmp(mine.name, extends) == 0) {
            continue;
        }
        Entry *e = mine.name ? bsearch(&mine, entry, count, sizeof *entry, by_name) : NULL;
        bool away = scene_is_null(x->document, mine.value);
        if (mine.name && !e && away) {
            return scene_fail(x->error, scene_location(x->document, mine.key),
                              "null removes a key; leave this line out",
                              "'%.60s' is not in what this scene extends", mine.name);
        }
        if (!e || e->changed) {
            if (!append(x, all, mine.key, mine.value)) {
                return false;
            }
            continue;
        }
        e->key = mine.key;
        e->value = away ? 0 : merge(x, e->value, mine.value, depth + 1);
        e->changed = true;
        if (!away && !e->value) {
            return false;
        }
    }
    return true;
}

/* Keys of the base keep their order; new ones follow. */
static int merge_mappings(Extending *x, int base, int own, int depth) {
    SceneDocument *document = x->document;
    yaml_document_t *yaml = &document->yaml;
    size_t count = scene_pairs(document, base);
    Entry *entry = calloc(count + 1, sizeof *entry);
    int added = yaml_document_add_mapping(yaml, NULL, YAML_ANY_MAPPING_STYLE);
    int result = yaml_document_add_mapping(yaml, NULL, YAML_ANY_MAPPING_STYLE);
    const yaml_node_t *n = scene_node(document, own);
    int origin = scene_origin(document, own);
    bool ok = entry && added && result &&
              scene_note_origin(document, added, origin, n->start_mark, n->end_mark) &&
              scene_note_origin(document, result, origin, n->start_mark, n->end_mark);
    if (ok) {
        scene_node(document, result)->data.mapping.style =
            scene_node(document, base)->data.mapping.style;
        list_entries(document, base, entry, count);
    }
    ok = ok ? change_entries(x, own, entry, count, added, depth) : no_memory(x);
    qsort(entry, ok ? count : 0, sizeof *entry, by_order);
    for (size_t i = 0; ok && i < count; i++) {
        bool drop = !entry[i].value || (depth == 0 && strcmp(entry[i].name, extends) == 0);
        ok = drop || append(x, result, entry[i].key, entry[i].value);
    }
    for (size_t i = 0; ok && i < scene_pairs(document, added); i++) {
        int key, value;
        scene_pair(document, added, i, &key, &value);
        ok = append(x, result, key, value);
    }
    free(entry);
    return ok ? result : 0;
}

/* Merges `own` into `base`; 0 after an error. Only mappings are merged, everything else is
 * replaced. */
static int merge(Extending *x, int base, int own, int depth) {
    if (scene_node(x->document, base)->type != YAML_MAPPING_NODE ||
        scene_node(x->document, own)->type != YAML_MAPPING_NODE) {
        return own;
    }
    if (depth > SCENE_DEPTH_LIMIT || ++x->merged > MERGE_LIMIT) {
        scene_fail(x->error, scene_location(x->document, own), NULL,
                   "what extends this is nested more than %d deep or changes more than %d mappings",
                   SCENE_DEPTH_LIMIT, MERGE_LIMIT);
        return 0;
    }
    return merge_mappings(x, base, own, depth);
}

/* ---------------------------------------------------------------- the text of the whole */

typedef struct Output {
    char *text;
    size_t size, room;
    bool too_long;
} Output;

static int write_text(void *to, unsigned char *bytes, size_t size) {
    Output *out = to;
    if (size > SCENE_TEXT_LIMIT - out->size) {
        out->too_long = true;
        return 0;
    }
    if (out->size + size + 1 > out->room) {
        size_t room = 2 * out->room + size + 4096;
        char *larger = realloc(out->text, room);
        if (!larger) {
            return 0;
        }
        out->text = larger;
        out->room = room;
    }
    memcpy(out->text + out->size, bytes, size);
    out->size += size;
    return 1;
}

/* libyaml consumes the document that it writes, so it gets a copy. */
static bool write_document(const SceneDocument *document, Output *out) {
    yaml_document_t copy;
    yaml_emitter_t emitter;
    if (!yaml_emitter_initialize(&emitter)) {
        return false;
    }
    yaml_emitter_set_output(&emitter, write_text, out);
    yaml_emitter_set_unicode(&emitter, 1);
    yaml_emitter_set_width(&emitter, 120);
    bool ok =
        yaml_emitter_open(&emitter) && yaml_document_initialize(&copy, NULL, NULL, NULL, 1, 1);
    if (ok && !append_nodes(&copy, document, 0)) {
        yaml_document_delete(&copy);
        ok = false;
    }
    ok = ok && yaml_emitter_dump(&emitter, &copy) && yaml_emitter_close(&emitter);
    yaml_emitter_delete(&emitter);
    return ok;
}

static bool keep_text(Extending *x, char **text, size_t *size) {
    Output out = {0};
    bool ok = write_document(x->document, &out);
    char *kept = ok ? scene_copy_text(x->arena, out.text, out.size) : NULL;
    free(out.text);
    if (!kept && out.too_long) {
        return scene_fail(x->error, (SceneLocation){&x->document->source, 0, 0, 0}, NULL,
                          "with what it extends, the scene is longer than %zu MiB",
                          SCENE_TEXT_LIMIT >> 20);
    }
    if (!kept) {
        return no_memory(x);
    }
    *text = kept;
    *size = out.size;
    return true;
}

/* ---------------------------------------------------------------- all */

bool scene_extend(SceneDocument *document, int first, SceneArena *arena, char **text, size_t *size,
                  SceneError *error) {
    Extending x = {.document = document,
                   .first = first,
                   .arena = arena,
                   .error = error,
                   .link = {{.source = &document->source, .root = 1}},
                   .links = 1};
    struct stat about;
    if (stat(document->source.name, &about) == 0) {
        x.link[0].device = about.st_dev;
        x.link[0].inode = about.st_ino;
    }
    for (;;) {
        char *path = NULL;
        int node = 0;
        if (!next_of(&x, &node, &path)) {
            return false;
        }
        if (!node) {
            break;
        }
        if (!add_link(&x, node, path)) {
            return false;
        }
    }
    if (x.links == 1) {
        return true;
    }
    int whole = x.link[x.links - 1].root;
    for (int i = x.links - 2; i >= 0 && whole; i--) {
        whole = merge(&x, whole, x.link[i].root, 0);
    }
    if (!whole) {
        return false;
    }
    /* the top of a document is its first node */
    yaml_node_t *top = scene_node(document, 1), *made = scene_node(document, whole), swap = *top;
    *top = *made;
    *made = swap;
    return keep_text(&x, text, size);
}
