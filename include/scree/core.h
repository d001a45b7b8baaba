/* Everything that needs no file: worlds, measures, contact problems. It is what the library
 * scree_core has, which depends on neither HDF5 nor libyaml nor zlib. <scree/scree.h> adds scenes
 * and problem files, and tells the conventions that hold for all of it. */
#ifndef SCREE_CORE_H
#define SCREE_CORE_H

#include <scree/base.h>
#include <scree/bodies.h>
#include <scree/bonds.h>
#include <scree/device.h>
#include <scree/indeterminacy.h>
#include <scree/laws.h>
#include <scree/measures.h>
#include <scree/problem.h>
#include <scree/processes.h>
#include <scree/solids.h>
#include <scree/world.h>

#endif
