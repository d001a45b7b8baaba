/* A run that goes on to another end of time than its scene had when it began. */
#include "cli/job/later_end.h"

#include "cli/message.h"

/* The scene as the run file has it, if the checkpoint belongs to it and the files that it names are
 * as they were. */
static Scene *scene_of_run(const Job *job, const RunHeader *header, const Checkpoint *checkpoint) {
    SceneError unused = {0};
    const char *const *overrides = (const char *const *)header->overrides.name;
    const size_t count = header->overrides.count;
    const uint64_t hash = checkpoint_scene_hash(header->scene_text, header->scene_size, overrides,
                                                count, scene_files_hash(job->scene));
    return hash == checkpoint->scene_hash ? scene_parse(header->scene_text, header->scene_size,
                                                        job->scene_path, overrides, count, &unused)
                                          : NULL;
}

bool job_has_later_end(Job *job, const Checkpoint *checkpoint) {
    IoError unused = {0};
    RunReader *reader = run_open(job->run_path, &unused);
    Scene *before = reader != NULL ? scene_of_run(job, run_header(reader), checkpoint) : NULL;
    const bool goes_on = before != NULL && scene_goes_on(job->scene, before);
    if (goes_on) {
        job->scene_hash = checkpoint->scene_hash; /* what the run file says of its scene stays */
        if (!job->quiet) {
            const double end = scene_settings(job->scene)->end, old = scene_settings(before)->end;
            cli_note("%s: %s time %.6g; its scene ended at %.6g", job->run_path,
                     end > old ? "goes on to" : "ends at", end, old);
        }
    }
    scene_free(before);
    run_reader_free(reader);
    return goes_on;
}
