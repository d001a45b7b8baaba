/* What a run file of a scene says about it, for all who write one. */
#include "scene/internal.h"

/* The lists that the names point to, made once for each scene. */
static const char **list_of(Scene *scene, size_t count,
                            const char *(*name)(const Scene *, int32_t)) {
    const char **list = scene_alloc(&scene->arena, count + 1, sizeof *list);
    for (size_t i = 0; list && i < count; i++) {
        const char *found = name(scene, (int32_t)i);
        list[i] = found ? found : "";
    }
    return list;
}

static bool has_colours(const Scene *scene) {
    bool any = false;
    for (size_t i = 0; i < scene_material_count(scene); i++) {
        any = any || scene_material_colour(scene, (int32_t)i)[0] != '\0';
    }
    return any;
}

static bool list_names(Scene *scene, ScreeRecordNames *names) {
    const size_t materials = scene_material_count(scene);
    names->material = list_of(scene, materials, scene_material_name);
    names->wall = list_of(scene, scene_wall_count(scene), scene_wall_name);
    if (has_colours(scene)) {
        names->colour = list_of(scene, materials, scene_material_colour);
    }
    return names->material && names->wall && (names->colour || !has_colours(scene));
}

static bool list_numbers(Scene *scene, ScreeRecordNames *names) {
    names->series_count = scene_measure_count(scene);
    names->gate_count = scene_gate_count(scene);
    ScreeSeriesDef *series = scene_alloc(&scene->arena, names->series_count + 1, sizeof *series);
    ScreeGate *gate = scene_alloc(&scene->arena, names->gate_count + 1, sizeof *gate);
    for (size_t i = 0; series && i < names->series_count; i++) {
        series[i] = scene_measure(scene, i);
    }
    for (size_t i = 0; gate && i < names->gate_count; i++) {
        gate[i] = scene_gate(scene, i);
    }
    names->series = series;
    names->gate = gate;
    return series && gate;
}

const ScreeRecordNames *scene_record_names(Scene *scene) {
    if (scene->record_names) {
        return scene->record_names;
    }
    ScreeRecordNames *made = scene_alloc(&scene->arena, 1, sizeof *made);
    if (!made) {
        return NULL;
    }
    size_t size = 0;
    *made = (ScreeRecordNames){.title = scene->document.source.name,
                               .text = scene_text(scene, &size),
                               .changing = scene_gate_count(scene) > 0,
                               .driven = true,
                               .growing = scene_makes_growth(scene),
                               .bonds = scene_makes_bonds(scene),
                               .steady = !scene_makes_plates(scene),
                               .bare = !scene_settings(scene)->output_contacts};
    made->change = scene_overrides(scene, &made->change_count);
    if (list_names(scene, made) && list_numbers(scene, made)) {
        scene->record_names = made;
    }
    return scene->record_names;
}
