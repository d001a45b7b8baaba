/* What a run file adds to its header: how it ended, and its frames. */
#include "view/describe.h"

#include <inttypes.h>
#include <string.h>

/* Number, time, step and contact count of each frame, as four lists. */
static void frames(const RunReader *reader, const ViewContent *content, ViewBytes *into) {
    static const char *const lists[] = {"number", "time", "step", "contacts"};
    view_print(into, ",\"frames\":");
    for (int list = 0; list < 4; list++) {
        view_print(into, "%s\"%s\":[", list > 0 ? "," : "{", lists[list]);
        for (size_t i = 0; i < content->count; i++) {
            size_t frame = content->frame != NULL ? content->frame[i] : i;
            view_bytes_add(into, ",", i > 0);
            if (list == 0) {
                view_print(into, "%zu", frame);
            } else if (list == 1) {
                view_print_number(into, run_frame_time(reader, frame));
            } else if (list == 2) {
                view_print(into, "%" PRId64, run_frame_step(reader, frame));
            } else {
                view_print(into, "%zu", run_frame_contacts(reader, frame));
            }
        }
        view_print(into, "]");
    }
    view_print(into, "}");
}

static void state(const RunReader *reader, const ViewContent *content, ViewBytes *into) {
    RunEnding ending = run_ending(reader);
    const char *text = ending != RUN_OPEN ? run_ending_text(ending)
                       : content->going   ? "still going"
                                          : "did not end cleanly";
    view_print(into, ",\"going\":%s,\"ending\":\"%s\"",
               content->going && ending == RUN_OPEN ? "true" : "false", text);
    view_print(into, ",\"total_frames\":%zu,\"small\":%s", run_frame_count(reader),
               content->small ? "true" : "false");
    view_print(into, ",\"beside\":%s,\"contact_share\":", content->beside ? "true" : "false");
    view_print_numbers(into, &content->contact_share, 1);
}

void view_describe(const RunReader *reader, const ViewContent *content, ViewBytes *into) {
    view_describe_header(run_header(reader), content->origin, into);
    view_print(into, ",\"file\":");
    view_print_string(into, content->file, strlen(content->file));
    state(reader, content, into);
    frames(reader, content, into);
    view_print(into, "}");
}
