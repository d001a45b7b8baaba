/* A single HTML file with the page and one run or two in it, which needs neither server nor network. */
#ifndef SCREE_VIEW_HTML_H
#define SCREE_VIEW_HTML_H

#include "io/run/file.h"

enum { VIEW_RUNS_MOST = 2 };

typedef struct ViewHtmlReport {
    size_t bytes; /* size of the file */
    struct {
        size_t frames, frames_kept; /* in the run, and in the file */
        double contact_share;       /* shown of the contacts that carry force; 0: none */
    } run[VIEW_RUNS_MOST];
} ViewHtmlReport;

/* Writes at most `budget` bytes. If the runs need more, frames are left out first, then contacts,
 * the weakest first; the page and the report say so. It is an error if not even one frame fits. Two
 * runs get half of the room each, and one what the other leaves. */
bool view_write_html(char *const *run_paths, size_t count, const char *html_path, double budget,
                     ViewHtmlReport *report, IoError *error);

#endif
