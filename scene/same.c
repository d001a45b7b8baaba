/* Whether two scenes say the same. */
#include "scene/internal.h"

#include <string.h>

static bool same_node(const SceneDocument *a, int node_a, const SceneDocument *b, int node_b,
                      const char *const *but);

static bool same_items(const SceneDocument *a, int node_a, const SceneDocument *b, int node_b) {
    bool same = scene_items(a, node_a) == scene_items(b, node_b);
    for (size_t i = 0; same && i < scene_items(a, node_a); i++) {
        same = same_node(a, scene_item(a, node_a, i), b, scene_item(b, node_b, i), NULL);
    }
    return same;
}

/* How many keys there are besides `but`. */
static size_t keys_besides(const SceneDocument *a, int node, const char *but) {
    return scene_pairs(a, node) - (but && scene_lookup(a, node, but, NULL) != 0);
}

/* Key by key, in any order. Below the key but[0] the rest of `but` is left out in its turn. */
static bool same_pairs(const SceneDocument *a, int node_a, const SceneDocument *b, int node_b,
                       const char *const *but) {
    const char *last = but && !but[1] ? but[0] : NULL;
    bool same = keys_besides(a, node_a, last) == keys_besides(b, node_b, last);
    for (size_t i = 0; same && i < scene_pairs(a, node_a); i++) {
        int key, value;
        scene_pair(a, node_a, i, &key, &value);
        const char *name = scene_scalar(a, key);
        const bool on_the_way = but && name && strcmp(name, but[0]) == 0;
        if (on_the_way && last) {
            continue;
        }
        const int other = name ? scene_lookup(b, node_b, name, NULL) : 0;
        same = other != 0 && same_node(a, value, b, other, on_the_way ? but + 1 : NULL);
    }
    return same;
}

static bool same_node(const SceneDocument *a, int node_a, const SceneDocument *b, int node_b,
                      const char *const *but) {
    const yaml_node_type_t kind = scene_node(a, node_a)->type;
    if (kind != scene_node(b, node_b)->type) {
        return false;
    }
    if (kind == YAML_SEQUENCE_NODE) {
        return same_items(a, node_a, b, node_b);
    }
    if (kind == YAML_MAPPING_NODE) {
        return same_pairs(a, node_a, b, node_b, but);
    }
    const char *text_a = scene_scalar(a, node_a), *text_b = scene_scalar(b, node_b);
    return text_a && text_b && strcmp(text_a, text_b) == 0 &&
           scene_is_plain(a, node_a) == scene_is_plain(b, node_b);
}

bool scene_goes_on(Scene *scene, const Scene *before) {
    static const char *const end[] = {"time", "end", NULL};
    if (!same_node(&scene->document, 1, &before->document, 1, end)) {
        return false;
    }
    scene->settings.output_every = before->settings.output_every;
    return true;
}
