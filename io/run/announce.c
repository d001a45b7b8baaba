/* What the header of a run file says: of the world, and what whoever writes it knows beside. */
#include "io/run/file.h"
#include "io/run/record_series.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The world has no list of them: those that have a law with themselves. */
static size_t count_materials(const ScreeWorld *world) {
    size_t count = 0;
    ScreeLaw law;
    const ScreeMaterialId first = {0};
    for (ScreeMaterialId id = first; scree_law_get(world, id, id, &law) == SCREE_OK; id.index++) {
        count++;
    }
    return count;
}

static bool grows(const ScreeWorld *world, size_t materials) {
    bool any = false;
    for (size_t i = 0; i < materials; i++) {
        ScreeGrowth growth = scree_growth_default();
        (void)scree_material_get_growth(world, (ScreeMaterialId){(int32_t)i}, &growth);
        any = any || growth.rate != 0;
    }
    return any;
}

/* Whether walls hold grains or are pistons now. */
static bool has_plates(const ScreeWorld *world) {
    const ScreeBodyView bodies = scree_world_get_bodies(world);
    bool any = false;
    for (size_t i = 0; !any && bodies.holder != NULL && i < bodies.count; i++) {
        any = bodies.holder[i].index >= 0;
    }
    for (size_t i = 0; !any && i < scree_world_get_wall_count(world); i++) {
        ScreeWallState state;
        memset(&state, 0, sizeof state);
        scree_wall_get_state(world, (ScreeWallId){(int32_t)i}, &state);
        any = state.now.motion == SCREE_WALL_PISTON;
    }
    return any;
}

static bool add_names(RunNames *into, const char *const *given, const char *kind, size_t count) {
    for (size_t i = 0; i < count; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s%zu", kind, i);
        if (!run_names_add(into, given != NULL && given[i] != NULL ? given[i] : name)) {
            return false;
        }
    }
    return true;
}

static bool add_gates(const ScreeRecordNames *given, RunHeader *header) {
    bool ok = run_rows_resize(RUN_GATES, &header->gate, given->gate_count);
    for (size_t i = 0; ok && i < given->gate_count; i++) {
        header->gate.kind[i] = given->gate[i].outlet;
        ok = run_names_add(&header->gates, given->gate[i].name);
    }
    return ok;
}

static bool add_text(const ScreeRecordNames *given, RunHeader *header) {
    const char *text = given->text != NULL ? given->text : "";
    header->scene_name = strdup(given->title != NULL ? given->title : "world");
    header->scene_text = strdup(text);
    header->scene_size = strlen(text);
    return header->scene_name != NULL && header->scene_text != NULL &&
           add_names(&header->overrides, given->change, "", given->change_count);
}

bool run_announce(const ScreeWorld *world, const ScreeRecordNames *names, RunHeader *header) {
    const ScreeRecordNames none = {.changing = false};
    const ScreeRecordNames *given = names != NULL ? names : &none;
    const size_t materials = count_materials(world), walls = scree_world_get_wall_count(world);
    header->changing = given->changing;
    header->growing = given->growing || grows(world, materials);
    header->bonds = given->bonds || scree_world_get_bonds(world).made > 0;
    header->plates = (!given->steady && walls > 0) || has_plates(world);
    return add_text(given, header) &&
           add_names(&header->materials, given->material, "material", materials) &&
           (given->colour == NULL || add_names(&header->colours, given->colour, "", materials)) &&
           add_names(&header->walls, given->wall, "wall", walls) &&
           record_series_announce(given, header) && add_gates(given, header) &&
           run_capture_header(world, materials, header);
}
