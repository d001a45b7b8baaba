/* Export as LAMMPS dump files, which OVITO reads: grains.dump with the bodies of all frames (dump
 * custom), contacts.dump with the forces between them (dump local), for OVITO's bonds. */
#ifndef SCREE_IO_EXPORT_DUMP_H
#define SCREE_IO_EXPORT_DUMP_H

#include "io/aside.h"
#include "io/run/file.h"

/* Writes frames [first, first + count) into a folder, which is made if it does not exist. Files
 * in it are replaced as the rule says. */
bool dump_export(RunReader *reader, const char *folder, size_t first, size_t count, IoRule rule,
                 IoError *error);

#endif
