// Scenes and pictures for other languages: what `pliant run` and `pliant render` do, step by step.
//
// It is no part of the core library, which needs neither jansson nor libpng. Both are in one shared
// library, so that a world of a scene is a world like any other.
#ifndef PLIANT_SCENE_H
#define PLIANT_SCENE_H

#include "pliant.h"

#ifdef __cplusplus
extern "C" {
#endif

// A scene that runs: its world with bodies, colliders and joints, and what moves them.
typedef struct pliant_scene pliant_scene;

// What is other than the scene says.
typedef struct pliant_scene_def {
    const char* changes; // to the scene's text, "KEY=VALUE" divided by semicolons as of `pliant run
                         // --set`; NULL: none
    int tets;            // that a lone model is filled with; 0: its own, or 20 000
    int threads, lanes, substeps, iterations; // negative: as the scene says
    int backend;                              // a pliant_backend; negative: as the scene says
    uint32_t cookie;
} pliant_scene_def;
PLIANT_API pliant_scene_def pliant_scene_defaults(void);

// A scene file, a model (which falls on the ground), or a scene of the program ("drop").
PLIANT_API pliant_result pliant_scene_open(const char* name, const pliant_scene_def* def,
                                           pliant_scene** out);
// The same from text. `name` stands in messages, and its folder is where meshes are looked for.
PLIANT_API pliant_result pliant_scene_parse(const void* text, size_t bytes, const char* name,
                                            const pliant_scene_def* def, pliant_scene** out);
// Destroys its world too.
PLIANT_API void pliant_scene_destroy(pliant_scene* scene);

// Its world, which it steps and destroys. Bodies may be added and written, not removed.
PLIANT_API pliant_world* pliant_scene_world(const pliant_scene* scene);
PLIANT_API double pliant_scene_dt(const pliant_scene* scene);  // [s] of a step
PLIANT_API int pliant_scene_frames(const pliant_scene* scene); // that a run has
// What the scene says of itself; "" where it says nothing.
PLIANT_API const char* pliant_scene_description(const pliant_scene* scene);

// Moves pins and colliders, sets forces, and advances the world by dt. The steps of the world are
// counted: one that was restored goes on from there.
PLIANT_API pliant_result pliant_scene_step(pliant_scene* scene);

// How a picture is drawn.
typedef struct pliant_picture_def {
    int width, height;         // [pixels] 16 to 8192
    double azimuth, elevation; // [degrees] from where a fitted camera looks
    double field_of_view;      // [degrees]
    double eye[3], target[3];  // [m] NaN: fitted to what is there
    const char* by;     // "body", "stress", "strain", "speed", "force", "patch" ...; NULL: body
    const char* map;    // "even", "jet", "apart"; NULL: what suits it
    const char* arrows; // "force", "contact"; NULL: none
    const char* clip;   // "x:0.5" leaves what is below the middle along x; NULL: all
    double low, high;   // of the map; NaN: 0 and what is there
    bool wires;         // edges of cloth show
    int threads;        // 0: one per core
    uint32_t cookie;
} pliant_picture_def;
PLIANT_API pliant_picture_def pliant_picture_defaults(void); // 960 x 540

// Draws the scene as it is now, with its own camera where `def` is NULL: red, green, blue, row by
// row from the top, 3 * width * height bytes.
PLIANT_API pliant_result pliant_scene_draw(const pliant_scene* scene, const pliant_picture_def* def,
                                           uint8_t* out, size_t bytes);
// [pixels] of the scene's own camera.
PLIANT_API void pliant_scene_picture_size(const pliant_scene* scene, int* out_width,
                                          int* out_height);

// The same of any world. What a collider looks like is not known to a world: `colliders` are those
// that are seen, and `shapes` their definitions, with the meshes.
PLIANT_API pliant_result pliant_world_draw(const pliant_world* world,
                                           const pliant_collider_id* colliders,
                                           const pliant_collider_def* shapes, int collider_count,
                                           const pliant_picture_def* def, uint8_t* out,
                                           size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
