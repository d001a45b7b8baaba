/* The numbers that an expression of a scene may name: measures, walls, the cell, the grains. */
#ifndef SCREE_SCENE_PLAY_QUANTITIES_H
#define SCREE_SCENE_PLAY_QUANTITIES_H

#include "scene/internal.h"
#include "scene/play/expression.h"

/* Work space of a run, with what went wrong in it. */
struct SceneWatch {
    ScreeContactForce *contact;
    size_t contact_room;
    ScreeShape *form;
    size_t form_room;
    double *number; /* of grains, sorted for a quantile */
    size_t number_room;
    ScreeStatus status;
    char message[SCREE_MESSAGE_SIZE];
};

void scene_watch_free(SceneWatch *watch);

/* That of the fastest grain that is not frozen. */
double scene_largest_speed(const ScreeWorld *world);

/* Checks the expression, and says where it is wrong. */
bool scene_check_expression(const Scene *scene, const char *text, SceneLocation location,
                            SceneError *error);
/* Whether it holds now. What cannot be measured is noted in the scene's watch. */
bool scene_expression_now(const Scene *scene, const char *text, const ScreeWorld *world);

#endif
