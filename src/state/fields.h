/* Every stored field is listed here once: allocation, copying and snapshots are generated from
 * these lists. */
#ifndef SCREE_STATE_FIELDS_H
#define SCREE_STATE_FIELDS_H

/* Fields of a body: X(type, name). `anchor` is its position when the neighbour list was last built,
 * and `margin` how far it may move from there before the list must be built again. Both decide the
 * order of contacts, so a restart needs them. */
#define BODY_FIELDS(X)                                                                             \
    X(ScreeVec3, position)                                                                         \
    X(ScreeQuat, orientation)                                                                      \
    X(ScreeVec3, velocity)                                                                         \
    X(ScreeVec3, spin)                                                                             \
    X(ScreeVec3, force)                                                                            \
    X(ScreeVec3, torque)                                                                           \
    X(double, radius)                                                                              \
    X(double, mass)                                                                                \
    X(double, inertia)                                                                             \
    X(int32_t, material)                                                                           \
    X(uint32_t, frozen)                                                                            \
    X(int32_t, shape)                                                                              \
    X(ScreeVec3, anchor)                                                                           \
    X(double, margin)

/* Fields of a wall: X(name), those of ScreeWallState alone and those with its definition. */
#define WALL_FIELDS(X)                                                                             \
    X(present)                                                                                     \
    X(displacement)                                                                                \
    X(load)                                                                                        \
    X(load_torque)                                                                                 \
    X(now.shape)                                                                                   \
    X(now.point)                                                                                   \
    X(now.normal)                                                                                  \
    X(now.end)                                                                                     \
    X(now.half)                                                                                    \
    X(now.orientation)                                                                             \
    X(now.axis)                                                                                    \
    X(now.radius)                                                                                  \
    X(now.length)                                                                                  \
    X(now.end_radius)                                                                              \
    X(now.holes)                                                                                   \
    X(now.spacing)                                                                                 \
    X(now.inside)                                                                                  \
    X(now.material)                                                                                \
    X(now.motion)                                                                                  \
    X(now.velocity)                                                                                \
    X(now.spin)                                                                                    \
    X(now.pivot)                                                                                   \
    X(now.has_pivot)                                                                               \
    X(now.mass)                                                                                    \
    X(now.force)                                                                                   \
    X(now.direction)                                                                               \
    X(now.stress)                                                                                  \
    X(now.between)                                                                                 \
    X(now.part)

/* Fields of a shape: X(name). */
#define SHAPE_FIELDS(X)                                                                            \
    X(first_part)                                                                                  \
    X(parts)                                                                                       \
    X(first_corner)                                                                                \
    X(corners)                                                                                     \
    X(centroid)                                                                                    \
    X(area)                                                                                        \
    X(gyration)                                                                                    \
    X(radius)                                                                                      \
    X(curve)                                                                                       \
    X(solid)

/* Fields of the definition: X(name). The number of threads is left out: no result depends on it. */
#define WORLD_FIELDS(X)                                                                            \
    X(dimension)                                                                                   \
    X(engine)                                                                                      \
    X(theta)                                                                                       \
    X(soft.integrator)                                                                             \
    X(soft.friction)                                                                               \
    X(variational.exact)                                                                           \
    X(variational.tolerance)                                                                       \
    X(variational.iterations)                                                                      \
    X(variational.range)                                                                           \
    X(gravity)                                                                                     \
    X(time_step)                                                                                   \
    X(periodic)                                                                                    \
    X(cell_min)                                                                                    \
    X(cell_max)                                                                                    \
    X(signed_gap)                                                                                  \
    X(search)                                                                                      \
    X(skin)                                                                                        \
    X(cell)                                                                                        \
    X(seed)                                                                                        \
    X(solver.method)                                                                               \
    X(solver.order)                                                                                \
    X(solver.criterion)                                                                            \
    X(solver.tolerance)                                                                            \
    X(solver.overlap)                                                                              \
    X(solver.small_force)                                                                          \
    X(solver.iterations)                                                                           \
    X(solver.warm_start)                                                                           \
    X(solver.projection)                                                                           \
    X(solver.cuts)

/* Fields of the definition since snapshots have version 10. */
#define CELL_FIELDS(X)                                                                             \
    X(deform.deforms)                                                                              \
    X(deform.vector)                                                                               \
    X(deform.rate)                                                                                 \
    X(deform.control)                                                                              \
    X(deform.stress)                                                                               \
    X(deform.isotropic)                                                                            \
    X(deform.pressure)                                                                             \
    X(deform.symmetric)                                                                            \
    X(deform.mass)                                                                                 \
    X(deform.viscosity)                                                                            \
    X(deform.tilted)                                                                               \
    X(deform.inverse)

#endif
