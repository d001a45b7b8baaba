/* What the page draws, as the viewer's blocks. */
#include "playground/internal.h"
#include "view/describe.h"
#include "view/encode.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The header of a run as it would be written now. */
static bool fill_header(const Play *play, RunHeader *header) {
    header->scene_name = strdup("playground");
    header->scene_text = calloc(1, 1); /* the page has it */
    bool ok = header->scene_name != NULL && header->scene_text != NULL;
    const size_t materials = scree_scene_get_info(play->scene).materials;
    for (size_t i = 0; ok && i < materials; i++) {
        const ScreeMaterialId id = {(int32_t)i};
        ok = run_names_add(&header->materials, scree_scene_get_material_name(play->scene, id)) &&
             run_names_add(&header->colours, scree_scene_get_material_colour(play->scene, id));
    }
    for (size_t i = 0; ok && i < scree_world_get_wall_count(play->world); i++) {
        const char *name = scree_scene_get_wall_name(play->scene, (ScreeWallId){(int32_t)i});
        ok = run_names_add(&header->walls, name != NULL ? name : "drawn");
    }
    return ok && run_capture_header(play->world, materials, header);
}

/* One frame, that of now; the page has the form of a run in progress. */
static void describe(const RunHeader *header, const Play *play, ViewBytes *into) {
    view_describe_header(header, play->origin, into);
    view_print(into, ",\"going\":true,\"ending\":\"\",\"total_frames\":1,\"small\":false");
    view_print(into, ",\"contact_share\":[1],\"frames\":{\"number\":[0],\"time\":[");
    view_print_number(into, play_time(play));
    view_print(into, "],\"step\":[%" PRIu64 "],\"contacts\":[0]}}",
               scree_world_get_step_count(play->world));
}

static void describe_report(const ScreeReport *report, ViewBytes *into) {
    view_print(into, "{\"program\":\"%s\"", scree_get_version());
#define X(type, name, dimension, meaning)                                                          \
    view_print(into, ",\"%s\":", #name);                                                           \
    view_print_number(into, (double)report->name);
    SCREE_REPORT_MAP(X)
#undef X
    view_print(into, "}");
}

static void encode(Play *play, const RunHeader *header, int answer, ViewBytes *into) {
    ViewStyle style = {.share = 1};
    memcpy(style.origin, play->origin, sizeof style.origin);
    switch (answer) {
    case PLAY_MANIFEST:
        describe(header, play, into);
        break;
    case PLAY_CONSTANTS:
        view_encode_constants(header, into);
        break;
    case PLAY_BODIES:
        view_encode_bodies(header, &play->frame, &style, into);
        break;
    default:
        view_encode_contacts(header, &play->frame, &style, into);
        break;
    }
}

size_t play_answer(Play *play, int answer) {
    ViewBytes *out = &play->out;
    out->size = 0;
    out->failed = false;
    if (answer == PLAY_STEPS) {
        view_series_encode(&play->series, out);
    } else if (answer == PLAY_REPORT) {
        describe_report(&play->report, out);
    } else if (answer == PLAY_SCENE) {
        play_write_scene(play, out);
    } else {
        RunHeader header;
        memset(&header, 0, sizeof header);
        bool ok = answer <= PLAY_CONSTANTS
                      ? fill_header(play, &header)
                      : run_capture_constants(play->world, &header.body, &header.wall);
        header.dimension = scree_world_get_def(play->world).dimension;
        ok = ok && (answer == PLAY_CONTACTS || run_capture_frame(play->world, true, &play->frame));
        if (ok && !play->has_origin) {
            view_choose_origin(&header, &play->frame, play->origin);
            play->has_origin = true;
        }
        if (ok) {
            encode(play, &header, answer, out);
        }
        out->failed = out->failed || !ok;
        run_header_free(&header);
    }
    return out->failed ? 0 : out->size;
}

const unsigned char *play_bytes(const Play *play) {
    return play->out.data;
}
