/* What a machine makes of scenes, in a few words: for each scene the hash of its state at the start
 * and after some steps. Lists of different machines, compilers and settings are compared by
 * compare.py; they must be the same. Needs the core and scenes only, so it can be compiled for
 * machines that have no HDF5.
 *
 *     scree_bits [-t THREADS] [-p PART] [-w FOLDER] [-r FOLDER] LIST
 *
 * LIST has one scene in a line: steps, path beside the list, overrides (KEY=VALUE), between blanks.
 * With -p only one PARTth of the steps is made. With -w the state half-way is written into FOLDER;
 * with -r it is read from there, perhaps as another machine has written it, and the second half
 * goes on from it. */
#include <scree/core.h>
#include <scree/scene.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 16, LINE = 1000 };

typedef struct Options {
    int threads, part;
    const char *write, *read; /* folders, or NULL */
} Options;

typedef struct Item {
    int steps;
    char path[2 * LINE],
        name[LINE]; /* the name is that of a file: the line without slashes and blanks */
    const char *override[WORDS];
    size_t overrides;
} Item;

static int fail(const char *what, const char *why) {
    fprintf(stderr, "scree_bits: %s: %s\n", what, why);
    return 1;
}

/* Takes a line apart, in place. False for an empty one. */
static bool parse(char *line, const char *list, Item *item) {
    line[strcspn(line, "#\n")] = 0;
    *item = (Item){0};
    snprintf(item->name, sizeof item->name, "%s", line);
    for (char *c = item->name; *c != 0; c++) {
        *c = (char)(*c == '/' || *c == ' ' ? '_' : *c);
    }
    char *word = strtok(line, " ");
    if (word == NULL) {
        return false;
    }
    item->steps = atoi(word);
    const char *slash = strrchr(list, '/');
    int folder = slash != NULL ? (int)(slash + 1 - list) : 0;
    word = strtok(NULL, " ");
    snprintf(item->path, sizeof item->path, "%.*s%s", folder, list, word != NULL ? word : "");
    while ((word = strtok(NULL, " ")) != NULL && item->overrides < WORDS) {
        item->override[item->overrides++] = word;
    }
    return true;
}

static FILE *open_state(const char *folder, const Item *item, const char *mode) {
    char path[3 * LINE];
    snprintf(path, sizeof path, "%s/%s", folder, item->name);
    return fopen(path, mode);
}

static bool write_state(const ScreeWorld *world, FILE *file) {
    size_t size = 0;
    (void)scree_world_save(world, NULL, &size);
    char *bytes = malloc(size);
    bool ok = file != NULL && bytes != NULL && scree_world_save(world, bytes, &size) == SCREE_OK &&
              fwrite(bytes, 1, size, file) == size;
    free(bytes);
    return file != NULL && fclose(file) == 0 && ok;
}

/* Puts the world of the file in the place of `world`. */
static bool read_state(ScreeWorld **world, FILE *file) {
    if (file == NULL) {
        return false;
    }
    bool ok = fseek(file, 0, SEEK_END) == 0;
    size_t size = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(size);
    ScreeWorld *other = NULL;
    ok = ok && bytes != NULL && fread(bytes, 1, size, file) == size &&
         scree_world_load(bytes, size, &other, NULL) == SCREE_OK;
    free(bytes);
    (void)fclose(file);
    if (ok) {
        scree_world_destroy(*world);
        *world = other;
    }
    return ok;
}

static int run(const Options *options, const Item *item) {
    char message[SCREE_FILE_MESSAGE_SIZE] = "";
    ScreeScene *scene = NULL;
    ScreeWorld *world = NULL;
    int failed = 0;
    if (scree_scene_load(item->path, item->override, item->overrides, &scene, message) !=
            SCREE_OK ||
        scree_scene_build(scene, &world, message) != SCREE_OK) {
        failed = fail(item->path, message);
    }
    uint64_t start = failed ? 0 : scree_world_hash(world);
    const int steps = (item->steps + options->part - 1) / options->part;
    for (int i = 0; !failed && i < steps && !scree_scene_is_finished(scene, world); i++) {
        if (i == steps / 2 && options->write != NULL &&
            !write_state(world, open_state(options->write, item, "wb"))) {
            failed = fail(item->name, "the state cannot be written");
        }
        if (i == steps / 2 && options->read != NULL &&
            !read_state(&world, open_state(options->read, item, "rb"))) {
            failed = fail(item->name, "the state cannot be read");
        }
        (void)scree_world_set_threads(world, options->threads);
        if (!failed && scree_scene_step(scene, world, NULL) != SCREE_OK) {
            failed = fail(item->path, scree_scene_get_message(scene));
        }
    }
    if (!failed) {
        printf("%016" PRIx64 " %016" PRIx64 " %s\n", start, scree_world_hash(world), item->name);
    }
    scree_world_destroy(world);
    scree_scene_destroy(scene);
    return failed;
}

int main(int argc, char **argv) {
    Options options = {1, 1, NULL, NULL};
    int at = 1;
    for (; at + 2 < argc && argv[at][0] == '-'; at += 2) {
        switch (argv[at][1]) {
        case 't':
            options.threads = atoi(argv[at + 1]);
            break;
        case 'p':
            options.part = atoi(argv[at + 1]);
            break;
        case 'w':
            options.write = argv[at + 1];
            break;
        case 'r':
            options.read = argv[at + 1];
            break;
        default:
            return fail(argv[at], "unknown");
        }
    }
    FILE *list = at + 1 == argc ? fopen(argv[at], "r") : NULL;
    if (list == NULL) {
        return fail("LIST", "no list of scenes");
    }
    int failed = 0;
    char line[LINE];
    while (fgets(line, sizeof line, list) != NULL) {
        Item item;
        failed |= parse(line, argv[at], &item) ? run(&options, &item) : 0;
    }
    (void)fclose(list);
    return failed;
}
