#include "cli/job/progress.h"
#include "cli/message.h"

#include "base/plural.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

double progress_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void progress_duration(double seconds, char *text, size_t size) {
    if (!(seconds < 1e9)) {
        snprintf(text, size, "very long");
    } else if (seconds < 100) {
        snprintf(text, size, seconds < 10 ? "%.1f s" : "%.0f s", seconds);
    } else if (seconds < 6000) {
        snprintf(text, size, "%.0f min %02.0f s", floor(seconds / 60), fmod(floor(seconds), 60));
    } else {
        double minutes = floor(seconds / 60);
        snprintf(text, size, "%.0f h %02.0f min", floor(minutes / 60), fmod(minutes, 60));
    }
}

Progress progress_begin(bool shown, double time, double end) {
    double now = progress_clock();
    return (Progress){.shown = shown,
                      .terminal = cli_terminal(),
                      .begin_clock = now,
                      .last_clock = now,
                      .begin_time = time,
                      .end_time = end};
}

void progress_clear(Progress *progress) {
    if (progress->drawn) {
        fputs("\r\033[K", stderr);
        progress->drawn = false;
    }
}

static void draw_bar(Progress *progress, double fraction, const char *text) {
    enum { WIDTH = 24 };
    char bar[WIDTH + 1];
    int full = (int)(fraction * WIDTH);
    for (int i = 0; i < WIDTH; i++) {
        bar[i] = i < full ? '#' : '.';
    }
    bar[WIDTH] = '\0';
    fprintf(stderr, "\r\033[K[%s] %3.0f %%  %s", bar, 100 * fraction, text);
    fflush(stderr);
    progress->drawn = true;
}

/* Whether it is time to say something again. */
static bool is_due(Progress *progress) {
    const double pause = progress->terminal ? 0.2 : 10;
    double now = progress_clock();
    if (!progress->shown || now - progress->last_clock < pause) {
        return false;
    }
    progress->last_clock = now;
    return true;
}

void progress_prepare(Progress *progress, const char *what, double share) {
    if (!is_due(progress)) {
        return;
    }
    if (progress->terminal) {
        draw_bar(progress, share, what);
    } else {
        cli_note("%s: %.0f %%", what, 100 * share);
    }
}

void progress_update(Progress *progress, const ScreeReport *report) {
    if (!is_due(progress)) {
        return;
    }
    double now = progress->last_clock;
    double done = report->time - progress->begin_time;
    double rest = progress->end_time - report->time;
    double fraction = progress->end_time > 0 ? report->time / progress->end_time : 1;
    fraction = fmin(fmax(fraction, 0), 1);
    char left[48] = "?";
    if (done > 0) {
        progress_duration((now - progress->begin_clock) * fmax(rest, 0) / done, left, sizeof left);
    }
    if (progress->terminal) {
        char text[160];
        snprintf(text, sizeof text, "step %lld  time %.4g  %lld %s  %s left",
                 (long long)report->step, report->time, (long long)report->iterations,
                 SCR_PLURAL(report->iterations, "sweep", "sweeps"), left);
        draw_bar(progress, fraction, text);
    } else {
        cli_note("%.0f %%: step %lld, time %.6g, %lld %s, %lld %s, %s left", 100 * fraction,
                 (long long)report->step, report->time, (long long)report->contacts,
                 SCR_PLURAL(report->contacts, "contact", "contacts"), (long long)report->iterations,
                 SCR_PLURAL(report->iterations, "sweep", "sweeps"), left);
    }
}
