#include "measure/of_sample.h"
#include "measure/partners.h"
#include "measure/tensor.h"
#include "state/bridge.h"

double scr_mobilisation(const ScreeSample *s, const ScreeContactForce *c) {
    if (s->law == NULL || scree_partner_is_wall(c->b) || !scr_active(c)) {
        return NAN;
    }
    const ScreeLaw *law = &s->law[(size_t)s->material[c->a.index].index * s->materials +
                                  (size_t)s->material[c->b.code].index];
    if (law->cohesion_stress > 0) { /* the area of the face is not known here */
        return NAN;
    }
    const double per_reduced = 1 / s->radius[c->a.index] + 1 / s->radius[c->b.code];
    const Bridge bridge = scr_bridge(law, 1 / per_reduced);
    const double pull = c->opening >= 0 ? scr_bridge_force(&bridge, c->gap) : 0;
    double most = law->friction * (c->force_normal + law->cohesion + pull);
    return most > 0 ? length(c->force_tangential) / most : NAN;
}

/* ---------------------------------------------------------------- bodies */

static void set_vector(Vec3 v, double *x, double *y, double *z) {
    *x = v.x;
    *y = v.y;
    *z = v.z;
}

static void measure_coordination(const Region *r, const Partners *p, ScreeMeasures *m) {
    double partners = 0, backbone = 0, rattlers = 0, bodies = 0;
    for (size_t i = 0; i < r->sample->bodies; i++) {
        if (scr_point_in_region(r, r->sample->position[i])) {
            bodies++;
            partners += p->count[i];
            rattlers += p->backbone[i] < 0 ? 1 : 0;
            backbone += p->backbone[i] < 0 ? 0 : p->backbone[i];
        }
    }
    m->bodies = (int64_t)bodies;
    m->coordination = partners / bodies;
    m->coordination_backbone = backbone / (bodies - rattlers);
    m->rattlers = rattlers / bodies;
}

/* Solid fraction, mean velocity, and the motion relative to it. The mass of a body counts as far as
 * it lies in the region, which `share` tells. */
static Tensor measure_motion(const Region *r, const double *share, ScreeMeasures *m) {
    const ScreeSample *s = r->sample;
    double mass = 0, square = 0, volume = 0;
    Vec3 momentum = vec3(0, 0, 0);
    Tensor stress = {{0}};
    m->energy_translation = m->energy_rotation = 0;
    for (size_t i = 0; i < s->bodies; i++) {
        double part = share[i] * s->mass[i];
        mass += part;
        volume += share[i] * scr_body_volume(s, i);
        momentum = add_scaled(momentum, part, s->velocity[i]);
        m->energy_translation += 0.5 * part * dot(s->velocity[i], s->velocity[i]);
        m->energy_rotation += 0.5 * share[i] * s->inertia[i] * dot(s->spin[i], s->spin[i]);
    }
    m->solid_fraction = volume / r->volume;
    m->porosity = 1 - m->solid_fraction;
    Vec3 mean = vec3(momentum.x / mass, momentum.y / mass, momentum.z / mass);
    set_vector(mean, &m->velocity_x, &m->velocity_y, &m->velocity_z);
    for (size_t i = 0; i < s->bodies && mass > 0; i++) {
        Vec3 v = sub(s->velocity[i], mean);
        square += share[i] * s->mass[i] * dot(v, v);
        tensor_add(&stress, share[i] * s->mass[i] / r->volume, v, v);
    }
    m->temperature = square / (mass * s->dimension);
    return stress;
}

/* ---------------------------------------------------------------- contacts */

/* Sums over the contacts of the region. */
typedef struct Network {
    double points, sliding, force, largest, mobilised, with_friction, between, strong;
    double reach; /* the shares of all branches that lie in the region */
    Tensor fabric, stress, stress_strong;
} Network;

static void add_point(const ScreeSample *s, const ScreeContactForce *c, Network *n) {
    double mobilised = scr_mobilisation(s, c);
    n->points++;
    n->sliding += c->state == SCREE_CONTACT_SLIP ? 1 : 0;
    n->force += c->force_normal;
    n->largest = scr_max(n->largest, c->force_normal);
    if (!isnan(mobilised)) {
        n->mobilised += mobilised;
        n->with_friction++;
    }
    if (!scree_partner_is_wall(c->b)) {
        n->between++;
        tensor_add(&n->fabric, 1, c->normal, c->normal);
    }
}

/* The mean stress of a region is the sum over contacts of force x branch, each weighted by the
 * fraction of the branch inside the region, over the volume. */
static void sum_network(const Region *r, Network *n) {
    const ScreeSample *s = r->sample;
    n->largest = -INFINITY;
    for (size_t i = 0; i < s->contacts; i++) {
        if (scr_active(&s->contact[i]) && scr_point_in_region(r, s->contact[i].point)) {
            add_point(s, &s->contact[i], n);
        }
    }
    double mean = n->force / n->points;
    for (size_t i = 0; i < s->contacts; i++) {
        const ScreeContactForce *c = &s->contact[i];
        if (!scr_active(c)) {
            continue;
        }
        Vec3 branch = scr_branch(r, c);
        double share = scr_line_in_region(r, s->position[c->a.index], branch);
        double part = share / r->volume;
        n->reach += share;
        if (part > 0) {
            tensor_add(&n->stress, part, scr_force(c), branch);
        }
        if (c->force_normal > mean) {
            n->strong += scr_point_in_region(r, c->point) ? 1 : 0;
            if (part > 0) {
                tensor_add(&n->stress_strong, part, scr_force(c), branch);
            }
        }
    }
}

/* If directions have the density 1 + a cos 2 (angle - angle_0), the principal values of the fabric
 * are 1/2 +- a/4. In space, with 1 + a (3 cos^2 - 1) / 2, they are 1/3 + 2 a/15 and twice 1/3 -
 * a/15, so that sqrt(3/2 s : s) is |a| / 5. */
static double anisotropy(const Tensor *fabric, int d) {
    return (d == 2 ? 4 : 5) * scr_deviator(fabric, d);
}

static void measure_network(const Network *n, int d, ScreeMeasures *m) {
    Tensor fabric = tensor_scaled(1 / n->between, &n->fabric);
    m->points = (int64_t)n->points;
    m->force_mean = n->force / n->points;
    m->force_max = n->points > 0 ? n->largest : NAN;
    m->sliding = n->sliding / n->points;
    m->mobilisation = n->mobilised / n->with_friction;
    m->fabric_xx = fabric.at[0];
    m->fabric_xy = fabric.at[1];
    m->fabric_xz = fabric.at[2];
    m->fabric_yy = fabric.at[4];
    m->fabric_yz = fabric.at[5];
    m->fabric_zz = fabric.at[8];
    m->anisotropy = anisotropy(&fabric, d);
    Vec3 most = n->between > 0 ? scr_largest_direction(&fabric, d) : vec3(NAN, NAN, NAN);
    set_vector(most, &m->fabric_x, &m->fabric_y, &m->fabric_z);
    Tensor all = scr_deviatoric(&n->stress, d), strong = scr_deviatoric(&n->stress_strong, d);
    double size = tensor_product(&n->stress, &n->stress), square = tensor_product(&all, &all);
    m->strong = n->strong / n->points;
    m->strong_pressure = tensor_trace(&n->stress_strong) / tensor_trace(&n->stress);
    m->strong_deviator = square > 1e-24 * size ? tensor_product(&strong, &all) / square : NAN;
}

/* Where there is nothing a stress of 0 would look like a measured one: it is undefined there. Matter
 * counts by its volume, not by centres; between grains a branch may carry stress on its own. */
static void set_stress(const Network *n, const Tensor *kinetic, int d, ScreeMeasures *m) {
    double *const of[9] = {&m->stress_xx, &m->stress_xy, &m->stress_xz,
                           &m->stress_yx, &m->stress_yy, &m->stress_yz,
                           &m->stress_zx, &m->stress_zy, &m->stress_zz};
    double *const moving[9] = {&m->kinetic_xx, &m->kinetic_xy, &m->kinetic_xz,
                               NULL,           &m->kinetic_yy, &m->kinetic_yz,
                               NULL,           NULL,           &m->kinetic_zz};
    const bool defined = m->volume > 0 && (m->solid_fraction > 0 || n->reach > 0);
    for (int i = 0; i < 9; i++) {
        *of[i] = defined ? n->stress.at[i] : NAN;
        if (moving[i] != NULL) {
            *moving[i] = defined ? kinetic->at[i] : NAN;
        }
    }
    const Tensor both = tensor_sum(&n->stress, kinetic);
    m->pressure = defined ? tensor_trace(&both) / d : NAN;
    m->deviator = defined ? scr_deviator(&both, d) : NAN;
    const Vec3 most = defined ? scr_largest_direction(&both, d) : vec3(NAN, NAN, NAN);
    set_vector(most, &m->principal_x, &m->principal_y, &m->principal_z);
}

/* ---------------------------------------------------------------- all together */

ScreeStatus scr_measure(const ScreeSample *s, const ScreeMeasureDef *def, ScreeMeasures *m,
                        char *message) {
    Region region;
    Partners partners;
    Block block = {0};
    SCR_TRY(scr_region_make(s, def, &region, message));
    SCR_TRY(scr_partners_find(s, def->least_contacts, &partners, message));
    bool room = scr_block_reserve_exact(&block, s->bodies + 1, sizeof(double), 0);
    if (room) {
        double *share = block.data;
        for (size_t i = 0; i < s->bodies; i++) {
            share[i] = scr_body_in_region(&region, i) / scr_body_volume(s, i);
        }
        Network network = {0};
        m->volume = region.volume;
        measure_coordination(&region, &partners, m);
        Tensor kinetic = measure_motion(&region, share, m);
        sum_network(&region, &network);
        measure_network(&network, s->dimension, m);
        set_stress(&network, &kinetic, s->dimension, m);
    }
    scr_block_free(&block);
    scr_partners_free(&partners);
    return room ? SCREE_OK : scr_no_memory(message);
}
