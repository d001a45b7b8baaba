/* Bullet: convex hulls fall into a box.
 *
 *     bullet_rocks ROCKS OUT STEP STEPS SAMPLES [iterations=10] [margin=0.04]
 *
 * ROCKS is "count width", then for each rock "mass x y z vertices" and its vertices from the centre of
 * mass. OUT gets, SAMPLES times over the run, "x y z qw qx qy qz" of each rock. Prints one line of
 * JSON with the processor time of all steps. The margin is that which Bullet puts around a hull. */
#include "bullet_bodies.h"

#include <vector>

static double option(int argc, char **argv, const char *key, double preset) {
    size_t length = strlen(key);
    for (int i = 6; i < argc; i++) {
        if (strncmp(argv[i], key, length) == 0 && argv[i][length] == '=') {
            return atof(argv[i] + length + 1);
        }
    }
    return preset;
}

struct World {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broad;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld dynamics{&dispatcher, &broad, &solver, &configuration};
    std::vector<btRigidBody *> rocks;
};

static void read_rocks(World &w, const char *path, double margin, double *width) {
    FILE *f = fopen(path, "r");
    int count = 0, vertices = 0;
    if (f == NULL || fscanf(f, "%d %lf", &count, width) != 2) {
        give_up("no rocks", path);
    }
    for (int i = 0; i < count; i++) {
        double mass = 0, x = 0, y = 0, z = 0;
        if (fscanf(f, "%lf %lf %lf %lf %d", &mass, &x, &y, &z, &vertices) != 5) {
            give_up("rocks end early", path);
        }
        btConvexHullShape *hull = new btConvexHullShape();
        for (int k = 0; k < vertices; k++) {
            double a = 0, b = 0, c = 0;
            if (fscanf(f, "%lf %lf %lf", &a, &b, &c) != 3) {
                give_up("rocks end early", path);
            }
            hull->addPoint(btVector3(btScalar(a), btScalar(b), btScalar(c)), k == vertices - 1);
        }
        hull->setMargin(btScalar(margin));
        hull->initializePolyhedralFeatures(); /* contacts of faces, as its documentation advises */
        w.rocks.push_back(
            add_body(w.dynamics, mass, hull, btVector3(btScalar(x), btScalar(y), btScalar(z))));
    }
    fclose(f);
}

static void write_poses(FILE *out, const World &w) {
    for (btRigidBody *rock : w.rocks) {
        const btVector3 &x = rock->getCenterOfMassPosition();
        btQuaternion q = rock->getOrientation();
        fprintf(out, "%.9g %.9g %.9g %.9g %.9g %.9g %.9g\n", double(x.x()), double(x.y()),
                double(x.z()), double(q.w()), double(q.x()), double(q.y()), double(q.z()));
    }
}

int main(int argc, char **argv) {
    if (argc < 6) {
        give_up(argv[0], "ROCKS OUT STEP STEPS SAMPLES [iterations=10] [margin=0.04]");
    }
    double time_step = atof(argv[3]), width = 0, spent = 0;
    int steps = atoi(argv[4]), samples = atoi(argv[5]);
    World *w = new World();
    w->dynamics.getSimulationIslandManager()->setSplitIslands(false);
    w->dynamics.getDispatchInfo().m_enableSatConvex = option(argc, argv, "sat", 0) > 0;
    w->dynamics.setGravity(btVector3(0, 0, btScalar(-GRAVITY)));
    w->dynamics.getSolverInfo().m_numIterations = int(option(argc, argv, "iterations", 10));
    read_rocks(*w, argv[1], option(argc, argv, "margin", 0.04), &width);
    add_box(w->dynamics, width);
    FILE *out = fopen(argv[2], "w");
    if (out == NULL) {
        give_up("cannot write", argv[2]);
    }
    for (int s = 1; s <= samples; s++) {
        double begin = cpu_seconds();
        for (int i = steps * (s - 1) / samples; i < steps * s / samples; i++) {
            w->dynamics.stepSimulation(btScalar(time_step), 0);
        }
        spent += cpu_seconds() - begin;
        write_poses(out, *w);
    }
    fclose(out);
    printf("{\"seconds\": %.6g}\n", spent);
}
