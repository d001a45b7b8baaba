/* A single HTML file with the page and a run in it, which needs neither server nor network. */
#ifndef SCREE_VIEW_HTML_H
#define SCREE_VIEW_HTML_H

#include "io/run/file.h"

typedef struct ViewHtmlReport {
    size_t bytes;               /* size of the file */
    size_t frames, frames_kept; /* in the run, and in the file */
    double contact_share;       /* shown of the contacts that carry force; 0: none */
} ViewHtmlReport;

/* Writes at most `budget` bytes. If the run needs more, frames are left out first, then contacts,
 * the weakest first; the page and the report say so. It is an error if not even one frame fits. */
bool view_write_html(const char *run_path, const char *html_path, double budget,
                     ViewHtmlReport *report, IoError *error);

#endif
