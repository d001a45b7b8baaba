#include "cli/job/dump_problems.h"

#include "cli/commands.h"
#include "io/problem/file.h"

#include <stdio.h>
#include <string.h>

/* Whether a text is a whole number, be it negative: a colon that is part of a folder's name is not
 * followed by one. */
static bool is_number(const char *text) {
    text += *text == '-' || *text == '+';
    return *text != '\0' && strspn(text, "0123456789") == strlen(text);
}

int dump_begin(ProblemDump *dump, const char *option, const char *scene_path) {
    if (option == NULL) {
        return CLI_DONE;
    }
    const char *colon = strrchr(option, ':'), *slash = strrchr(scene_path, '/');
    const char *name = slash != NULL ? slash + 1 : scene_path, *dot = strrchr(name, '.');
    bool numbered = colon != NULL && is_number(colon + 1);
    size_t length = numbered ? (size_t)(colon - option) : strlen(option);
    size_t name_length = dot != NULL && dot != name ? (size_t)(dot - name) : strlen(name);
    dump->every = 1;
    if (numbered && !cli_integer("--dump-problems DIR:", colon + 1, 1, INT_MAX, &dump->every)) {
        return CLI_USAGE;
    }
    if (length == 0 || length >= sizeof dump->folder || name_length >= sizeof dump->name) {
        cli_error("--dump-problems %s: must be the name of a folder", option);
        return CLI_USAGE;
    }
    memcpy(dump->folder, option, length);
    memcpy(dump->name, name, name_length);
    IoError error = {0};
    return io_make_folder(dump->folder, &error) ? CLI_DONE : cli_io_error(&error);
}

int dump_problem(const ProblemDump *dump, const ScreeWorld *world) {
    uint64_t step = scree_world_get_step_count(world);
    char path[PATH_MAX + 300], title[400], message[SCREE_MESSAGE_SIZE] = "";
    IoError error = {0};
    ScreeProblem *problem = NULL;
    if (dump->every == 0 || step % (uint64_t)dump->every != 0) {
        return CLI_DONE;
    }
    if (scree_world_create_problem(world, &problem, message) != SCREE_OK) {
        cli_error("the contact problem of step %llu cannot be written: %s",
                  (unsigned long long)step, message);
        return CLI_FAILED;
    }
    snprintf(path, sizeof path, "%s/%s-%06llu.hdf5", dump->folder, dump->name,
             (unsigned long long)step);
    snprintf(title, sizeof title, "%s, step %llu", dump->name, (unsigned long long)step);
    ProblemExtra extra = {.title = title, .description = "contact problem of a step of scree"};
    bool ok = scree_problem_get_view(problem).contacts == 0 ||
              problem_write(path, problem, &extra, &error);
    scree_problem_destroy(problem);
    return ok ? CLI_DONE : cli_io_error(&error);
}
