// A scene file in memory: what to simulate, before any mesh is read. Each struct here has a table
// of keys in keys.c that reads it, gives its defaults and documents it.
#pragma once
#include "pliant.h"

// Items of one table, owned. An optional object is a list of none or one.
typedef struct {
    void* item;
    int count;
} scene_list;

enum { MOST_TIMES = 8 };

// A few numbers, for example the times of pictures.
typedef struct {
    double value[MOST_TIMES];
    int count;
} scene_numbers;

// One of four; nothing is set where it is not given.
typedef struct {
    char* name;     // a file beside the scene, or a generator's word
    char* file;     // a file beside the scene
    char* generate; // a generator's word
    char* surface;  // a file beside the scene, to be filled with tets
    int tets;       // of a surface
    double edge;    // [m] or this; 0: not given
    int coarsening; // levels of larger tets inside
    bool close_holes, separate_parts;
} scene_mesh;

typedef struct {
    double min[3], max[3]; // [m]
} scene_box;

typedef struct {
    double center[3], radius; // [m]
} scene_sphere;

typedef struct {
    double point[3], normal[3];
} scene_half_space;

// Inside of a surface, or nearer to it than a distance.
typedef struct {
    scene_mesh mesh;
    double distance; // [m]
    int what;        // 1, near: not all inside
} scene_surface;

// Where a surface has a color at its vertices.
typedef struct {
    double color[3], tolerance;
    char* file; // beside the scene; NULL: the body's own
} scene_painted;

// Near to another body of the scene, where all of them start.
typedef struct {
    int body;
    double distance; // [m]
} scene_near;

// Every particle, or those inside of all the shapes that are given.
typedef struct {
    scene_list box, sphere, half_space, surface, painted; // none or one of each
} scene_region;

// Directions and points in the mesh's own coordinates: they turn and scale with the body.
typedef struct {
    double velocity[3]; // [m/s]
    double axis[3], center[3], degrees_per_second;
    double start, end; // [s]
} scene_motion;

typedef struct {
    scene_region region;
    scene_list motion; // none or one
    scene_list follow; // none or one scene_near
    int axes;          // one of axes_words
    double release;    // [s]; NaN: never
} scene_pin;

// A part of a body with a material of its own.
typedef struct {
    scene_region region;
    pliant_material_def material;
} scene_part;

typedef struct {
    scene_region region;
    double force[3];   // [N] all together, in world directions
    double start, end; // [s]
} scene_force;

// What tets want to be, by their materials (pliant_body_swell).
typedef struct {
    int region;
    double warmth, signal;
    double start, rise, period; // [s]
} scene_swelling;

// The flow around a vortex that is closed to a ring, with a smooth core.
typedef struct {
    double center[3], axis[3], radius, core; // [m] in the mesh's own coordinates
    double circulation;                      // [m^2/s] it travels along its axis
} scene_vortex;

// Particles that start in another way than the rest of their body.
typedef struct {
    scene_region region;
    double temperature; // [K] NaN: that of the body
    double velocity[3]; // [m/s] likewise
    scene_list vortex;  // none or one
} scene_start;

// [m/s] What a vortex does at a place [m].
void vortex_velocity(const scene_vortex* v, const double at[3], double out[3]);

// What is measured over time, of a part of a body.
typedef struct {
    char* name;
    int body;
    double particle; // the number of one; NaN: those in the region
    scene_region region;
    int what; // 0: all, else a quantity of export/probe.h, plus one
} scene_probe;

typedef struct {
    int kind, axis;
    int seed;
    double min[3], max[3]; // [m] world; NaN: the bounding box of the body
} scene_scramble;

// Loose particles that are seen as a liquid.
typedef struct {
    pliant_surface_def def; // but for its cookie
    double depth;           // [m] after which light has the body's color; NaN: 20 radii
} scene_liquid;

// Or as smoke.
typedef struct {
    double depth; // [m] after which a third of the light is left; NaN: 10 radii
    double cell;  // [m] of the grid of its density; NaN: the radius
    double size;  // of a puff, in radii
} scene_smoke;

typedef struct {
    scene_mesh mesh;
    scene_list fill;      // none or one pliant_fill_def, but for its cookie
    scene_list surface;   // none or one scene_liquid
    scene_list smoke;     // none or one scene_smoke
    bool hidden;          // pictures leave its particles out
    char* visual;         // a file beside the scene; "none": nothing; NULL: the mesh's surface
    pliant_soft_def soft; // but for anchors, materials of parts and its cookie: see scene_soft_of
    pliant_body_def def;  // but for its cookie, and with the position of the first copy
    bool tethers;
    double scale;
    int copies[3];
    double spacing[3];
    scene_list pins, forces, swelling, scramble, parts, starts;
    double color[3]; // NaN: chosen
} scene_body;

// Where a collider is at a time.
typedef struct {
    double time;          // [s]
    double position[3];   // [m]
    pliant_quat rotation; // zero: as at the start
} scene_stop;

// How a collider moves, in the world.
typedef struct {
    double velocity[3];                 // [m/s]
    double axis[3], degrees_per_second; // about the center,
    double center[3];                   // [m]; NaN: its position
    double stroke[3], frequency, time;  // [m] there and back, [1/s]; or once, in a time [s]
    scene_list path;                    // of scene_stop
    double start, end;                  // [s]
} scene_drive;

typedef struct {
    pliant_collider_def def; // but for its mesh and its cookie
    scene_mesh mesh;
    double scale;
    scene_list motion; // none or one scene_drive
    double color[3];   // NaN: chosen
    bool hidden;       // pictures leave it out
} scene_collider;

// What a motor does from a time on.
typedef struct {
    double start;              // [s]
    double degrees_per_second; // of the angle
    double degrees;            // [degrees] where it turns to; NaN: on and on
    double torque;             // [N m]; NaN: as much as it takes
} scene_motor;

// Two bodies that hold each other, or one that the world holds: where they are nearest to a place,
// or all particles of a region of the first one at the nearest points of the second.
typedef struct {
    char* name; // NULL: none
    scene_numbers bodies;
    double at[3];                 // [m] in the world; NaN: the region
    scene_region region;          // in the mesh's own coordinates
    double compliance;            // [m/N]
    double breaking_force;        // [N]; NaN: never
    int kind;                     // of pliant_joint_kind
    double axis[3];               // in the world; NaN: x
    double breaking_torque;       // [N m]; NaN: never
    scene_numbers limits;         // [degrees] none or two
    double swing_limit;           // [degrees]; NaN: none
    double stiffness, rest_angle; // [N m/rad, degrees]
    double damping, friction;     // [N m s/rad, N m]
    scene_list motors;            // of scene_motor, in the order of their times
} scene_joint;

// Where particles come into a body: layers of them pass a flat outlet at a steady speed.
typedef struct {
    int body;
    double position[3];                     // [m] middle of the outlet
    double velocity[3];                     // [m/s] out of it
    double radius;                          // [m] of a round outlet; NaN: see size
    scene_numbers size;                     // [m] width and height of another one
    double across[3];                       // of the width; NaN: horizontal
    double spacing;                         // [m] from one particle to the next; NaN: they touch
    double rate;                            // [1/s] particles; NaN: as many as there are places
    double jitter;                          // [-] of half of the spacing
    double particle_radius, largest_radius; // [m] NaN: of the body; the same
    double start, end, lifetime;            // [s]
    double temperature;                     // [K] NaN: of the body
    int phase, seed;
} scene_emitter;

// Where particles go.
typedef struct {
    scene_region region;
    double start, end; // [s]
    scene_numbers bodies;
} scene_drain;

// What fills the world.
typedef struct {
    pliant_air_def def; // but for its cookie
    scene_list winds;   // of pliant_wind_def, but for their cookies
} scene_air;

typedef struct {
    double eye[3], target[3];                 // [m]; NaN: fitted to the run
    double azimuth, elevation, field_of_view; // [degrees]
    int width, height;                        // [pixels]
    scene_numbers times;                      // [s]
} scene_camera;

typedef struct scene {
    char* description;
    double dt;
    int frames;
    pliant_world_def world; // but for its cookie
    scene_list air;         // none or one
    scene_list bodies, colliders, joints, emitters, drains, probes;
    scene_camera camera;
    // Where it came from, for the errors of later stages.
    char* name;
    char* text;
    size_t bytes;
    bool of_model; // `name` is a model's, and nobody has seen the text
} scene;

enum { SCRAMBLE_RANDOM, SCRAMBLE_FLAT };

static inline const scene_body* scene_body_at(const scene* s, int i)
{
    return (const scene_body*)s->bodies.item + i;
}
static inline const scene_collider* scene_collider_at(const scene* s, int i)
{
    return (const scene_collider*)s->colliders.item + i;
}

// Reads a scene from text. `name` stands in errors and gives the folder of its meshes.
pliant_result scene_parse(const void* text, size_t bytes, const char* name, scene** out);
pliant_result scene_load(const char* path, scene** out);
void scene_destroy(scene* s);

// What a body is made of, but for its anchors and the materials of parts; where its first copy is;
// a collider, but for its mesh; the world.
pliant_soft_def scene_soft_of(const scene_body* b);
pliant_body_def scene_placing_of(const scene_body* b);
pliant_collider_def scene_shape_of(const scene_collider* c);
pliant_world_def scene_world_of(const scene* s);

// Prints all keys with types, units and defaults.
void scene_print_help(void);
// The same as a page of the documents, docs/scene-reference.md.
void scene_print_page(void);
