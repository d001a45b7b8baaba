/* One HTML file with the page and a run in it, which needs no server and no network. */
#ifndef SCREE_VIEW_HTML_H
#define SCREE_VIEW_HTML_H

#include "io/run/file.h"

typedef struct ViewHtmlReport {
    size_t bytes;               /* of the file */
    size_t frames, frames_kept; /* of the run, in the file */
    double contact_share;       /* kept of the contacts that carry force; 0: none */
} ViewHtmlReport;

/* Writes at most `budget` bytes. When the run is larger, first frames are left out, then contacts,
 * the weakest first; the page and the report say so. An error when even one frame is too much. */
bool view_write_html(const char *run_path, const char *html_path, double budget,
                     ViewHtmlReport *report, IoError *error);

#endif
