/* scree new: a small scene to start from. */
#include "cli/commands.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const char tank[] =
    "# Two hundred stones fall into a tank. Every key is explained in docs/scene.md.\n"
    "# Any units will do that fit together; here they are m, kg and s.\n"
    "gravity: [0, 0, -9.81]\n"
    "time: {step: 2e-3, end: 1}\n"
    "materials:\n"
    "  stone: {density: 2600, friction: 0.5}\n"
    "walls:\n"
    "  tank: {box: {min: [0, 0, 0], max: [1, 1, 2]}, open: top}\n"
    "grains:\n"
    "  - count: 200\n"
    "    radius: {uniform: [0.06, 0.09]}\n"
    "    fill: {min: [0, 0, 0], max: [1, 1, 2]}\n";

static const char silo[] =
    "# A silo in the plane: its outlet is shut until the grains have settled.\n"
    "dimension: 2\n"
    "gravity: [0, -9.81]\n"
    "time: {step: 2e-3, end: 3}\n"
    "materials:\n"
    "  corn: {density: 1300, friction: 0.4}\n"
    "walls:\n"
    "  silo: {box: {min: [0, -1], max: [1, 3]}, open: top}\n"
    "  left: {segment: {from: [0, 0.6], to: [0.4, 0.3]}}\n"
    "  right: {segment: {from: [1, 0.6], to: [0.6, 0.3]}}\n"
    "  shutter: {segment: {from: [0.4, 0.3], to: [0.6, 0.3]}}\n"
    "grains:\n"
    "  - count: 250\n"
    "    radius: {uniform: [0.02, 0.03]}\n"
    "    fill: {min: [0, 0.65], max: [1, 2.5]}\n"
    "events:\n"
    "  - {at: 1, remove: shutter}\n"
    "output: {every: 0.03}\n";

static const char drum[] =
    "# Grains of two sizes in a drum that turns once in eight seconds.\n"
    "gravity: [0, 0, -9.81]\n"
    "time: {step: 2e-3, end: 4}\n"
    "materials:\n"
    "  gravel: {density: 2600, friction: 0.6, rolling: 0.05}\n"
    "  sand: {density: 2600, friction: 0.6, rolling: 0.05}\n"
    "walls:\n"
    "  drum: {drum: {center: [0, 0, 0], axis: [0, 1, 0], radius: 0.5, length: 0.3}, spin: 0.8}\n"
    "grains:\n"
    "  - material: gravel\n"
    "    count: 60\n"
    "    radius: 0.04\n"
    "    fill: {min: [-0.4, -0.15, -0.4], max: [0.4, 0.15, 0.4]}\n"
    "  - material: sand\n"
    "    count: 200\n"
    "    radius: 0.025\n"
    "    fill: {min: [-0.4, -0.15, -0.4], max: [0.4, 0.15, 0.4]}\n"
    "output: {every: 0.04}\n";

static const struct {
    const char *name, *text;
} templates[] = {{"tank", tank}, {"silo", silo}, {"drum", drum}};

static const char *text_of(const char *name) {
    const size_t count = sizeof templates / sizeof templates[0];
    for (size_t i = 0; name != NULL && i < count; i++) {
        if (strcmp(templates[i].name, name) == 0) {
            return templates[i].text;
        }
    }
    return tank;
}

/* Also when the folder is full: what was begun is taken away. */
static int write_scene(const char *path, const char *text, bool replace) {
    FILE *file = fopen(path, replace ? "w" : "wx");
    if (file == NULL && errno == EEXIST) {
        cli_error("%s: already exists; replace it with --force, or choose another name", path);
        return CLI_USAGE;
    }
    bool ok = file != NULL && fputs(text, file) >= 0;
    ok = file != NULL && fclose(file) == 0 && ok;
    if (!ok) {
        cli_error("%s: cannot write: %s", path, strerror(errno));
        if (file != NULL) {
            (void)remove(path);
        }
        return CLI_FAILED;
    }
    return CLI_DONE;
}

/* The length of a scene's name without its ending. */
static int stem(const char *path) {
    const size_t length = strlen(path);
    const char *const endings[] = {".yaml", ".yml"};
    for (size_t i = 0; i < 2; i++) {
        const size_t ending = strlen(endings[i]);
        if (length > ending && strcmp(path + length - ending, endings[i]) == 0) {
            return (int)(length - ending);
        }
    }
    return -1;
}

int cli_new(const CliArguments *arguments) {
    const char *path = arguments->operand;
    const int length = stem(path);
    if (length < 0) {
        cli_error("%s: the name of a scene ends in .yaml, such as heap.yaml", path);
        return CLI_USAGE;
    }
    CLI_TRY(write_scene(path, text_of(arguments->value[CLI_WHAT]),
                        arguments->value[CLI_FORCE] != NULL));
    if (arguments->value[CLI_QUIET] == NULL) {
        printf("wrote ");
        cli_print(path);
        printf("; now\n    scree run ");
        cli_print(path);
        printf("\n    scree view ");
        char run[4096];
        snprintf(run, sizeof run, "%.*s.h5", length, path);
        cli_print(run);
        printf("\n");
    }
    return CLI_DONE;
}
