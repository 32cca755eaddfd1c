// A scene brought to life: the world, and what is needed to move its pins, write its frames and
// draw its pictures.
#pragma once
#include "scene/place.h"
#include "scene/scene.h"
#include "visual/visual.h"

// Particles of a mesh, by number.
typedef struct {
    int* particle;
    int count;
} selection;

// One entry of the scene's bodies; its copies share everything here.
typedef struct {
    const scene_body* source;
    pliant_mesh* mesh; // scaled
    pliant_asset* asset;
    visual* look;      // what it carries for the eye, scaled; NULL: its own surface is seen
    selection* pins;   // one per pin of the source
    selection* forces; // one per force
    selection* starts; // one per region that starts in another way
} stage_entry;

typedef struct {
    pliant_body_id id;
    int entry;
    double position[3]; // [m]
} stage_body;

// Particles of one body that go with the surface of another: places in the frames of its triangles.
typedef struct {
    int body, leader; // numbers in the stage
    double release;   // [s]; NaN: never
    selection particles;
    int* corner;   // 3 particles of the leader each
    double* local; // 3 coordinates each: along two edges [-] and the normal [m]
} follower;

// The joints of one entry of the scene.
typedef struct {
    selection sewn; // particles of its region
    pliant_joint_id* id;
    int count;
} stage_joint;

// A region, and the meshes that it looks at.
typedef struct {
    pliant_region region;
    pliant_mesh *surface, *painted;
} open_region;

typedef struct {
    double offset[3]; // [m] from the middle of the outlet
    double lead;      // [s] how much earlier than its layer it leaves
} outlet_place;

// Where particles of an emitter come from, and what is told once.
typedef struct {
    int body; // number in the stage
    outlet_place* outlet;
    int places;
    double spacing;                   // [m] from layer to layer
    double period;                    // [s] the same
    double each;                      // particles of a layer, on the average
    double least_radius, most_radius; // [m]
    bool told_full, told_blocked;
} stage_emitter;

// Opens a mesh file: compressed ones need libraries that this layer does not know.
typedef pliant_result mesh_loader(const char* path, pliant_mesh** out);

typedef struct {
    const scene* scene; // outlives the stage
    mesh_loader* load;
    pliant_world* world;
    stage_entry* entries; // one per body of the scene
    stage_body* bodies;
    int body_count;
    pliant_backend backend; // what its bodies are made for: not auto
    pliant_mesh** shapes;   // one per collider: its mesh, scaled, or NULL
    pliant_collider_id* colliders;
    selection* probes;       // one per probe of the scene
    stage_joint* joined;     // one per joint of the scene
    stage_emitter* emitters; // one per emitter of the scene
    open_region* drains;     // one per drain
    follower* followers;
    int follower_count;
} stage;

// Whether a mesh's name can only mean a file: generators have no dot and no slash in front of their
// numbers.
bool names_file(const char* name);

// Where a value is negative the scene's own counts (or the library's default).
typedef struct {
    int threads, lanes, substeps, iterations, backend;
    mesh_loader* load;
    pliant_read_fn* read; // of the surfaces that are seen; NULL: nobody looks
} stage_options;

pliant_result stage_create(const scene* s, const stage_options* options, stage* out);
void stage_destroy(stage* s);

// Moves the pins and the colliders, sets the forces, and lets particles come and go for the step
// from `time` to `time + dt` [s]. Call it before each step.
pliant_result stage_drive(const stage* s, double time, double dt);

// What an entry of the scene is made of, but so many times as stiff and damped for so much longer
// [s], as another asset for the bodies that are there (pliant_body_set_asset).
typedef struct {
    double stiffness, damping;
} stage_tuning;
pliant_result stage_compile(const stage* s, int entry, const stage_tuning* tuning,
                            pliant_asset** out);

// What a body is made of now, and its mesh: those of its entry until it comes apart.
const pliant_asset* stage_asset(const stage* s, int body);
const pliant_mesh* stage_mesh(const stage* s, int body);

// Another number whenever elements of a body have other particles; 0: they are as at first.
uint64_t stage_version(const stage* s);

// Whether some body may come apart by itself.
bool stage_tears(const stage* s);

// Where the particles of a body would start if nothing had moved them from rest, 3 each [m].
void stage_rest_positions(const stage* s, int body, double* out);

// Opens a mesh of the scene.
pliant_result stage_open_mesh(const stage* s, const scene_mesh* m, const place* at,
                              pliant_mesh** out);
// The library's own sentence, with the place in the scene in front.
pliant_result stage_at_place(pliant_result result, const place* at);

// Particles of the entry's vertices that lie in the region; none is an error.
pliant_result region_select(const stage* s, const scene_region* region, const stage_entry* entry,
                            const place* at, selection* out);
// Close it in every case. `own` is the mesh of the body that it is a part of, or NULL.
pliant_result region_open(const stage* s, const scene_region* r, const scene_mesh* own,
                          const place* at, open_region* out);
void region_close(open_region* r);
// Particles that start with a temperature or a velocity of their own: which they are, before the
// mesh is scaled; and a body that is there takes them.
pliant_result stage_select_starts(const stage* s, stage_entry* entry, const place* at);
pliant_result stage_start(const stage* s, const stage_body* body);
// Gives a number to the tets of the entry whose middle lies in the region.
pliant_result region_paint(const stage* s, const scene_region* region, const stage_entry* entry,
                           const place* at, int number);

// Whether one of the selection, whose numbers ascend.
bool selection_has(const selection* of, int particle);

// Segments of a rod that a pin holds by both ends (clamp.c). `angle` [rad] is about an axis of the
// world, for the next step.
pliant_result stage_clamp(const stage* s, const stage_body* body, const selection* of);
void stage_unclamp(const stage* s, const stage_body* body, const selection* of);
pliant_result stage_turn_clamps(const stage* s, const stage_body* body, const selection* of,
                                const double angle[3]);

// Particles of a pin are let go at `time` [s], but for what other pins hold them by.
void stage_let_go(const stage* s, int body, const selection* of, double time);

// Binds the particles of pins that follow another body, where all are now.
pliant_result stage_bind_followers(stage* s, const place* top);
void stage_release_followers(stage* s);
// Moves them, and lets them go.
void stage_drive_followers(const stage* s, double time, double dt);

// Particles of the regions of joints of body `number`, before its mesh is scaled; then the joints,
// when all bodies are there.
pliant_result stage_select_joints(const stage* s, int number, const place* top);
pliant_result stage_make_joints(stage* s, const place* top);
void stage_release_joints(stage* s);

// What the joints of an entry of the scene do.
typedef struct {
    int count, broken;
    double force[3]; // [N] on the first body, mean over the last step, in sum
    double torque[3], motor,
        angle;  // [N m] on the first body, [N m] of the motor, [rad] of the last
    double gap; // [m] the largest of those that hold
} stage_joint_state;
stage_joint_state stage_read_joint(const stage* s, int number);
// Tells their motors what to do at a time.
void stage_drive_joints(const stage* s, double time);
// Whether it has an angle: a joint of rigid bodies, or of one with the world.
bool stage_joint_turns(const stage* s, int number);

// Emitters and drains, when all bodies are there.
pliant_result stage_make_emitters(stage* s, const place* top);
void stage_release_emitters(stage* s);
// What came out of them since the step before, and what is in a drain now.
pliant_result stage_drive_emitters(const stage* s, double time, double dt);

// Tells colliders how to move in the step.
void stage_drive_colliders(const stage* s, double time, double dt);

// Moves the particles that are not pinned away from rest. `number` varies the random places.
pliant_result stage_scramble(const stage* s, const stage_body* body, uint64_t number);
