/* A world to play with: a scene that runs while hands pull at its grains, hold its box, pour and draw.
 * Compiled to WebAssembly for the page (viewer/src/play/), where every function whose name begins with
 * play_ is called from JavaScript; the tests call the same ones natively. What is drawn comes out as the
 * blocks of the viewer. */
#ifndef SCREE_PLAYGROUND_PLAY_H
#define SCREE_PLAYGROUND_PLAY_H

#include <stddef.h>
#include <stdint.h>

#ifdef __wasm__
#define PLAY_EXPORT(name) __attribute__((export_name(#name)))
#else
#define PLAY_EXPORT(name)
#endif

typedef struct Play Play;

/* NULL when out of memory. */
PLAY_EXPORT(play_create) Play *play_create(void);
PLAY_EXPORT(play_destroy) void play_destroy(Play *play);

/* Room for `size` bytes of text, which the page writes; NULL when out of memory. */
PLAY_EXPORT(play_room) char *play_room(Play *play, size_t size);

/* Makes the world of the scene whose text stands there, in the place of the one before. 0, or 1 with a
 * message; then the world before goes on. */
PLAY_EXPORT(play_load) int play_load(Play *play, size_t size);

/* What was wrong in the last call that returned 1. */
PLAY_EXPORT(play_message) const char *play_message(const Play *play);

/* One step; 0, or 1 with a message. */
PLAY_EXPORT(play_step) int play_step(Play *play);

PLAY_EXPORT(play_time) double play_time(const Play *play);
PLAY_EXPORT(play_time_step) double play_time_step(const Play *play);

/* Of the state, as two halves: numbers of 64 bits are awkward in JavaScript. */
PLAY_EXPORT(play_hash_low) uint32_t play_hash_low(const Play *play);
PLAY_EXPORT(play_hash_high) uint32_t play_hash_high(const Play *play);

/* ---------------------------------------------------------------- hands */

/* Pulls a body towards a point by a spring with critical damping, whose strength is told by its angular
 * frequency; its weight is carried. */
PLAY_EXPORT(play_grab)
void play_grab(Play *play, int32_t body, double x, double y, double z, double frequency);
PLAY_EXPORT(play_release) void play_release(Play *play);

/* Gravity, as seen from the box. */
PLAY_EXPORT(play_gravity) void play_gravity(Play *play, double x, double y, double z);

/* The hand that holds the box is at this place, and the box follows it as on a spring. The world is that
 * of an observer who rides on the box: its acceleration acts on every grain as a force of inertia. */
PLAY_EXPORT(play_hold) void play_hold(Play *play, double x, double y, double z, double frequency);

/* The hand shakes: its place is moved by amplitude sin(2 pi frequency t), until the amplitude is 0. */
PLAY_EXPORT(play_shake) void play_shake(Play *play, double x, double y, double z, double frequency);

/* Where the box is: component 0 to 2. */
PLAY_EXPORT(play_box) double play_box(const Play *play, int component);

/* ---------------------------------------------------------------- laws and the solver */

typedef enum PlayLaw {
    PLAY_FRICTION,
    PLAY_ROLLING,
    PLAY_COHESION, /* in weights of the mean grain */
    PLAY_RESTITUTION,
    PLAY_LAW_COUNT
} PlayLaw;

/* Of all pairs of materials; reading takes the first. 0, or 1 with a message. */
PLAY_EXPORT(play_set_law) int play_set_law(Play *play, int law, double value);
PLAY_EXPORT(play_get_law) double play_get_law(const Play *play, int law);

/* At most so many sweeps a step (exactly, with the criterion `fixed`); 0: as the scene has it. 0, or 1
 * with a message. */
PLAY_EXPORT(play_sweeps) int play_sweeps(Play *play, int sweeps);

/* ---------------------------------------------------------------- adding */

typedef enum PlayForm {
    PLAY_ROUND,
    PLAY_TRIANGLE, /* in space a tetrahedron */
    PLAY_SQUARE,   /* a cube */
    PLAY_ROD,
    PLAY_PEBBLE, /* a convex polygon, a rock */
    PLAY_FORM_COUNT
} PlayForm;

/* Adds a grain of this radius (that of the circle or ball around it), unless it would not have room:
 * 0 when it was added, 2 when there is no room, 1 with a message. `number` makes one pebble differ
 * from another, and turns grains. */
PLAY_EXPORT(play_pour)
int play_pour(Play *play, int form, double x, double y, double z, double radius, uint32_t number);

/* A wall: in the plane a segment, in space an upright panel of this height. 0, or 1 with a message. */
PLAY_EXPORT(play_wall)
int play_wall(Play *play, double x, double y, double z, double to_x, double to_y, double to_z,
              double height);

/* Removes the wall that was drawn last; 1 when there is none. */
PLAY_EXPORT(play_undo_wall) int play_undo_wall(Play *play);

/* ---------------------------------------------------------------- what is drawn */

typedef enum PlayAnswer {
    PLAY_MANIFEST,  /* JSON, as view_source_answer has it */
    PLAY_CONSTANTS, /* block */
    PLAY_BODIES,    /* block of the state now */
    PLAY_CONTACTS,  /* block of the same moment as the bodies last asked for */
    PLAY_STEPS,     /* block: certificates as curves */
    PLAY_REPORT,    /* JSON: the certificate of the last step */
    PLAY_SCENE      /* YAML: the state as a scene */
} PlayAnswer;

/* The size of the answer, whose bytes are at play_bytes; 0 when out of memory. */
PLAY_EXPORT(play_answer) size_t play_answer(Play *play, int answer);
PLAY_EXPORT(play_bytes) const unsigned char *play_bytes(const Play *play);

#endif
