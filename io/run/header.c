/* Strings and constants of a run in memory. */
#include "io/run/file.h"

#include <stdlib.h>
#include <string.h>

bool run_names_add(RunNames *names, const char *name) {
    char **larger = realloc(names->name, (names->count + 1) * sizeof *larger);
    if (larger == NULL) {
        return false;
    }
    names->name = larger;
    names->name[names->count] = strdup(name);
    if (names->name[names->count] == NULL) {
        return false;
    }
    names->count++;
    return true;
}

void run_names_free(RunNames *names) {
    for (size_t i = 0; i < names->count; i++) {
        free(names->name[i]);
    }
    free(names->name);
    *names = (RunNames){0};
}

void run_header_free(RunHeader *header) {
    free(header->scene_name);
    free(header->scene_text);
    run_names_free(&header->overrides);
    run_names_free(&header->materials);
    run_names_free(&header->colours);
    run_names_free(&header->walls);
    run_names_free(&header->series);
    run_rows_free(RUN_SERIES, &header->series_of);
    run_names_free(&header->gates);
    run_rows_free(RUN_GATES, &header->gate);
    run_rows_free(RUN_BODY_CONSTANTS, &header->body);
    run_rows_free(RUN_WALL_CONSTANTS, &header->wall);
    run_rows_free(RUN_SHAPES, &header->shape);
    run_rows_free(RUN_SHAPE_PARTS, &header->shape_part);
    run_rows_free(RUN_SHAPE_CORNERS, &header->shape_corner);
    run_rows_free(RUN_SHAPE_FACES, &header->shape_face);
    run_rows_free(RUN_SHAPE_LOOPS, &header->shape_loop);
    run_rows_free(RUN_MESHES, &header->mesh);
    run_rows_free(RUN_MESH_VERTICES, &header->mesh_vertex);
    run_rows_free(RUN_MESH_TRIANGLES, &header->mesh_triangle);
    run_rows_free(RUN_MESH_WALLS, &header->mesh_wall);
    run_rows_free(RUN_LAWS, &header->laws);
    memset(header, 0, sizeof *header);
}

const char *run_ending_text(RunEnding ending) {
    static const char *const texts[RUN_ENDING_COUNT] = {
#define X(name, text) text,
        RUN_ENDING_MAP(X)
#undef X
    };
    return (unsigned)ending < RUN_ENDING_COUNT ? texts[ending] : "unknown";
}
