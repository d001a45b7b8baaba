/* From a world to the header of its run: all but names, and the text of a scene. */
#include "io/run/file.h"

static void copy_vector(double *into, ScreeVec3 v) {
    into[0] = v.x;
    into[1] = v.y;
    into[2] = v.z;
}

/* The forces of the soft engine need no solver. */
static void fill_method(const ScreeWorldDef *def, RunHeader *header) {
    switch (def->engine) {
    case SCREE_ENGINE_CONTACT_DYNAMICS:
        header->method = (int32_t)def->solver.method;
        header->tolerance = def->solver.tolerance;
        break;
    case SCREE_ENGINE_VARIATIONAL:
    case SCREE_ENGINE_QUASISTATIC:
        header->method = SCREE_METHOD_INTERIOR_POINT;
        header->tolerance = def->variational.tolerance;
        break;
    default:
        header->method = -1;
        break;
    }
}

bool run_capture_header(const ScreeWorld *world, size_t materials, RunHeader *header) {
    ScreeWorldDef def = scree_world_get_def(world);
    header->dimension = def.dimension;
    header->engine = (int32_t)def.engine;
    fill_method(&def, header);
    header->time_step = def.time_step;
    header->theta = def.theta;
    copy_vector(header->gravity, def.gravity);
    copy_vector(header->cell_min, def.cell_min);
    copy_vector(header->cell_max, def.cell_max);
    for (int i = 0; i < 3; i++) {
        header->periodic[i] = def.periodic[i];
    }
    return run_capture_constants(world, &header->body, &header->wall) &&
           run_capture_shapes(world, &header->shape, &header->shape_part, &header->shape_corner,
                              &header->shape_face, &header->shape_loop) &&
           run_capture_meshes(world, &header->mesh, &header->mesh_vertex, &header->mesh_triangle,
                              &header->mesh_wall) &&
           run_capture_laws(world, materials, &header->laws);
}
