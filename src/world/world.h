// The world and what is in it. Bodies are held by pointer, so that they stay where they are.
#pragma once
#include "air/system.h"
#include "asset/asset.h"
#include "base/platform.h"
#include "base/pool.h"
#include "collide/field.h"
#include "collide/hull.h"
#include "collide/nearby.h"
#include "collide/net_build.h"
#include "contact/system.h"
#include "cuda/device.h"
#include "fluid/system.h"
#include "gas/carry.h"
#include "gas/system.h"
#include "joint/bonds.h"
#include "joint/joined.h"
#include "joint/linkage.h"
#include "joint/system.h"
#include "math/turn.h"
#include "solver/step.h"

// A body on its way out of colliders that it started in (inside.h).
typedef struct {
    uint64_t met;      // key of the colliders that it was last looked at with; 0: of none
    double way[3];     // [m] that it has to go yet
    double done, time; // [s] since colliders' surfaces began to rise, and until they are up
    sunk_collider sunk[MOST_SUNK];
} way_out;

// Particles that come and go. An absent one has no mass, is pinned where it was last, and has a
// radius so far below 0 that it is near to nobody (solver/row.h).
typedef struct {
    double* mass;  // [kg] of each particle; NULL: they stay, and have those of the asset
    double* until; // [s] of the world, when its life ends; INFINITY: never. Of an absent one the
                   // number of the step after which it went; -1: it was never there
    double radius; // [m] of one that comes without
    int present;
    bool mortal;      // some life ends
    uint64_t changes; // of who is there
} presence;

typedef struct body {
    // What every step looks at, side by side.
    const pliant_asset* asset;
    device_copy* remote; // its place on the device, or NULL: it is stepped here
    body_run* run;       // in the step at hand
    uint64_t moves;      // grows when its particles are elsewhere
    uint64_t moves_then; // as the next step will find it; other: they were put there
    bool failed;
    bool warned; // of too few substeps
    bool phased; // some particle has a group of its own
    bool pinned, pins_known;
    bool holders_there;               // of the last step, which are on the device
    bool loads_there;                 // on the device they are newer
    unsigned newer_here, newer_there; // arrays of its state (device.h) that differ, and where from
    int mover_count, holder_count;
    int row_holder_count; // of the last step, until their forces are noted
    int roller_count, joint_count, load_count;
    size_t load_bytes;
    void* load; // [load_count][rows][LOAD] what colliders did in the last step, of those measured
    double gravity_scale, friction, restitution;
    double largest_radius; // [m] that a particle of it has had
    const double* mass;    // [kg] of each particle; 0: it is absent
    presence there;
    way_out out;
    state s;
    pliant_contact_def contact;
    uint64_t born;      // number among all bodies that the world ever had
    rigid_state* rigid; // where it is as a whole, of a body that does not deform; NULL: it does

    path* movers; // for the next step only
    path* holders;
    path* row_movers; // scratch of the step: one for each row
    path* row_holders;
    uint64_t* path_keys;
    int mover_capacity, holder_capacity, holder_id_capacity;
    int row_mover_capacity, row_holder_capacity, path_key_capacity;
    uint32_t* holder_id;  // index1 of the attachment of each
    roller* rollers;      // rows that are pinned along axes, known as the pins are
    component_pins* pins; // of each component; known until something is pinned, freed or moved
    int roller_capacity, pin_capacity;
    enclosure_sums inside; // empty unless the asset holds air
    cluster_state matched; // empty unless it has clusters of particles
    rod_state* oriented;   // NULL: its edges are no rods
    torque_scratch torque; // empty where there are patches, and without constraints
    double* pressure;      // [Pa] of each particle of a liquid (liquid.h); NULL: it is none
    double* temperature;   // [K] of each, (heat.h); NULL: it knows no heat
    double* spin;          // [1/s] 3 for each particle of a gas; NULL: it remembers none
    double* drawn;         // [Pa] likewise, that is in its surface tension; NULL: it has none
    pliant_immersion_def immersion;
    fluid_hull* hull;     // what of it is in liquids (immersion.h); NULL: it never was
    struct body_air* air; // how air acts on it (air.h); NULL: as by default, and it never did
    void* user_data;
    struct body_tear* tear; // (tearing.h) NULL: nothing of it has come apart, or been looked at
    struct body_surface* surface; // for queries (surface.h), or NULL: nobody has asked
} body;

typedef struct {
    uint32_t body_index1, body_generation;
} attachment_slot;

typedef struct {
    pliant_joint_point point[2]; // shares that are not 0
    double compliance;           // [m/N]
    double breaking_force;       // [N]
    double lambda[3];            // [kg m] of the last substep, what will go on of it
    double rest[3];              // [m] a gap that is being closed
    double force[3];             // [N] on the first side, mean over the last step
    uint64_t moves[2]; // of its bodies, as the next step will find them; others: they jumped
    bool broken;
    struct link_slot* link; // owned: of a joint with a rigid side, or with the world; else NULL
} joint_slot;

// What a joint with a rigid side has beyond that.
typedef struct link_slot {
    link_rules rules;
    double local[2][3]; // [m] places in the axes of rigid bodies; of the world, where it is
    double frame[2][4]; // the joint's axes in those
    double target[3];   // [m] where the side that is the world goes in the next step
    double lambda[LINK_ROWS];
    double angle;            // [rad] by the last step
    double torque[3], motor; // [N m] on the first side; of the motor, on the second
    bool closing;            // a gap of the start
} link_slot;

// What a collider does, beside where it is: what was told at run time, and how it goes.
typedef struct {
    quaternion rotation;                   // as its axes are
    double velocity[3], angular[3];        // [m/s, rad/s] until they are changed
    double surface[3], surface_angular[3]; // [m/s, rad/s] of its surface, in its own axes
    double target[3];                      // [m] where it goes in the next step
    quaternion target_rotation;            //
    bool told;                             // to go there
    bool changed;                          // at run time: so it is part of the state
} collider_motion;

typedef struct {
    distance_field field; // owned: of a mesh,
    hull hull;            // what is convex,
    net net;              // triangles
    double* corner;       // [m] of its surface, in its own axes (swept.h); NULL: nobody meets that
    contact_surface* outside; // of those
    bool only_rigid;          // rigid bodies alone meet it
    collider_motion motion;
    double after[3];                 // [m] where the step at hand leads,
    quaternion after_rotation;       // and how it is turned then
    double seen[3], seen_angular[3]; // [m/s, rad/s] as it goes now: in the last step, or as set
    bool measured;                   // its force is asked for
    bool warned;                     // of being too fast
} collider_slot;

// How many bodies there are.
typedef struct {
    uint64_t changes; // the world's `body_changes` when they were counted; 0: never
    int here, there;  // on the CPU, on a GPU
    int pieces;       // of those on the CPU
} body_census;

// Who takes part in contacts.
typedef struct {
    uint64_t changes; // likewise
    int swept;        // colliders that had a surface then
    int count;        // bodies
    int here, there; // one that meets others and is stepped on the CPU, on a GPU; -1: there is none
    bool remote;     // those that take part are on a GPU
    bool any_self;   // some body meets itself
    bool only_liquids; // all of those that meet others are
    bool by_pairs;     // some loose particles bounce off each other
    bool described;    // the system has been told of them, and neither has changed since
} contact_roll;

// A tree over the colliders' boxes (nearby.h), where they are many.
typedef struct {
    void* tree;      // a box_tree; NULL: none yet
    nearby_box* own; // [m] of each collider
    int* wide;       // those that have no box
    int own_capacity, wide_capacity, wide_count;
    uint64_t changes, key; // the world's `collider_changes` and `collider_key` then
    bool moving;           // some collider went somewhere in that step
    bool unused;           // all are looked at, however many there are: for tests
    nearby_tree view;      // of the step at hand
} nearby_colliders;

// Memory that a step needs.
typedef struct {
    body_run* run;            // one for each body,
    piece_run* pieces;        // slice or patch,
    patch_task* tasks;        // patch,
    device_copy** copies;     // body on the device,
    meeting_place* meetings;  // world
    device_joints** joints;   // world on the device
    const device_airs** airs; // likewise
    int run_capacity, piece_capacity, task_capacity, copy_capacity, meeting_capacity,
        joints_capacity, airs_capacity;
    int piece_count; // in use
} step_scratch;
void step_scratch_destroy(step_scratch* s);

// Rows that are copied to a device or from it.
typedef struct {
    device_rows* rows;
    int count, capacity;
} row_list;

// Snapshots of the last steps, newest at `next - 1`.
typedef struct {
    void* data;
    size_t bytes;
    int units; // of memory that it has
} history_entry;
typedef struct {
    history_entry* entry;
    int capacity, count, next;
    uint64_t changes; // after which nothing led back
} history;
void history_destroy(history* past);

// Nothing leads back across a change of bodies or attachments.
static inline void history_clear(history* past)
{
    past->count = 0;
    past->changes++;
}

struct pliant_world {
    pliant_world_def def;
    executor exec;
    pool bodies;           // body*
    uint64_t body_changes; // of which there are, and of what contacts are told of them
    body_census census;
    pool attachments;         // attachment_slot
    pool colliders;           // collider_slot, parallel to:
    collider* collider_list;  // the live ones, packed for the solver
    uint32_t* collider_owner; // index1 of each
    int collider_count, collider_capacity, collider_owner_capacity;
    int net_count, hull_count; // of them, triangles and convex ones
    uint64_t collider_changes; // grows when there are others
    nearby_colliders nearby;
    uint64_t collider_key; // hash of all their shapes and the places where they were put
    collider_pose* poses;  // of those that move, of each substep of the step at hand
    int pose_capacity;
    int load_count;          // colliders whose forces the last step has measured
    contact_system contacts; // of bodies with each other and themselves
    contact_roll roll;
    int rigid_count;   // of the bodies
    int liquid_count;  // likewise,
    int carried_count; // and those that a gas carries
    struct {
        int* number;         // of particles that go,
        unsigned char* held; // and of each of their body: 1 where something holds it
        int number_capacity, held_capacity;
    } leaving;       // scratch
    int swept_count; // colliders that have a surface
    struct {
        device_contacts* system; // where they meet on a GPU, or NULL
        bool ready, sleeps;      // in the step at hand: the GPU knows them; nobody is near another
        bool all_meet;           // as the system's bodies say: all, or none
        bool described;          // it has these bodies
        bool newer_there;        // what pairs did and remember: after a step,
        bool newer_here;         // and after something was written
        bool reads_events;       // somebody asks for begin and end of touching
        int crossed;             // bodies that crossed when that was last told
        select_rules rules;      // of the step at hand
        device_copy** copy;      // scratch
        int copy_capacity;
    } remote_contacts;
    pool joints;          // joint_slot
    joint_system joining; // of the step at hand, on the CPU
    bond_system bonds;    // likewise, of tears that open
    linkage linking;      // likewise, of joints with rigid sides
    struct {
        device_joints* system; // where they are on a GPU, or NULL
        joint_system told;     // as it knows them
        uint64_t known;        // hash of the joints and bodies that it was told of; 0: of none
        bool newer_there;      // what they did, and who broke: after a step
        device_copy** copy;    // of each body of `told`
        int copy_capacity;
    } remote_joints;
    joined_points joined; // which points are no contacts
    struct {
        bool there;
        wind_field field;
        pliant_wind_def* winds; // of the field, owned
        int wind_capacity;
        pliant_wind_fn* function; // adds to it; NULL: none
        void* context;
        double* place; // [m] of the points of a body, for the function
        int place_capacity;
        double fastest;    // [m/s] of the wind at bodies, in the step at hand; 0 without air
        air_system system; // of the step at hand, on the CPU,
        air_system remote; // and on a GPU, with where its bodies are there
        device_airs there_told;
        device_copy** copy; // of each of its members
        int copy_capacity;
    } air;
    struct {
        fluid_system system;   // of the step at hand, and lists
        gas_system gas;        // what it asks
        carrier carrier;       // of what a gas carries
        uint64_t who;          // hash of the particles that these are of
        bool anew;             // others than in the step before
        device_liquids* there; // on a GPU, or NULL
        bool remote;           // in the step at hand
        device_copy** copy;    // of each member
        int copy_capacity;
    } flowing;
    uint64_t joint_changes; // of who is joined to whom
    uint64_t births;
    struct {
        pliant_tear_event* event; // since the last step began
        int count, capacity;
        uint64_t versions; // of the elements of all bodies that ever came apart
    } tears;
    step_scratch scratch;
    history past;
    pliant_batch* batch; // that it belongs to, with its threads, its store and its device; or NULL
    store* rows;         // of all bodies; the world's own or the batch's
    store own_rows;
    device** gpu; // the world's own or the batch's: open once it is needed
    device* own_gpu;
    row_list copied; // scratch
    bool stays_here; // what was made for a device, since there is none
    bool phased;     // all its bodies run in phases, whether they meet others or not: for tests
    platform_mutex* reading; // held by who changes what readers share: copies of what is on a
                             // device, and:
    double* pull;            // scratch for the largest body (unresolved.h, inside.h)
    int pull_capacity;
    double time;
    double substep; // [s] of the last step, 0 before
    uint64_t step_count;
    pliant_profile profile;
};

// A collider by its place in the list.
static inline collider_slot* world_collider_at(const pliant_world* world, int number)
{
    return (collider_slot*)pool_at(&world->colliders, (int)world->collider_owner[number] - 1);
}
static inline pliant_collider_id world_collider_id(const pliant_world* world, int number)
{
    uint32_t index1 = world->collider_owner[number];
    return (pliant_collider_id){index1, world->colliders.slot[index1 - 1].generation};
}
// Its place in the list; -1, with a sentence, when there is none.
int world_find_collider(const pliant_world* world, pliant_collider_id id);

// The body of an id, or NULL after the assert handler was told.
body* world_body(const pliant_world* world, pliant_body_id id);
body* world_body_with(const pliant_world* world, pliant_body_id id, int particle);
// In place of the one that the particle had [N].
pliant_result body_set_force(pliant_world* world, body* b, int particle, pliant_vec3 force);

// The body of a slot, or NULL while it is free: for loops from 0 to bodies.count - 1.
static inline body* world_body_at(const pliant_world* world, int index)
{
    return pool_has(&world->bodies, index) ? ((body**)world->bodies.item)[index] : NULL;
}

// Whether a particle is there.
static inline bool body_has(const body* b, int particle) { return b->mass[particle] > 0; }
// [kg] of those that are.
double body_mass(const body* b);

// Whether the length of the substep before counts: of second order, and for attachments.
static inline bool body_remembers(const body* b) { return b->s.past || b->holder_count > 0; }

// Its particles were changed: what they remember of the substep before does not count.
static inline void body_start_anew(body* b)
{
    b->s.past_h = 0;
    b->pins_known = false;
    b->moves++;
}

// Bodies came or went, or contacts have to be told of them anew.
static inline void world_change_bodies(pliant_world* world) { world->body_changes++; }
// Loose particles have other sizes than lists were made for.
static inline void world_change_radius(pliant_world* world)
{
    world->body_changes++;
    world->contacts.jumped = true;
}

// What both snapshots and the history use.
size_t snapshot_bytes(const pliant_world* world);
bool snapshot_write(const pliant_world* world, void* out); // false: a device failed
// Of one that was written here and is whole: whether it is of what the world is made of, and back.
bool snapshot_fits(const pliant_world* world, const void* data);
pliant_result snapshot_put_back(pliant_world* world, const void* data);

// What a body has beside its attachments, as snapshots have it; the state is here.
size_t body_state_bytes(body* b);
void body_state_save(body* b, void* out);
void body_state_restore(body* b, const void* data);

// At its place, in no pool yet.
pliant_result body_create(pliant_world* world, const pliant_asset* asset,
                          const pliant_body_def* def, body** out);
void body_destroy(pliant_world* world, body* b);
// What belongs to the asset changes hands; pins, attachments and all that was told stay.
void body_trade(body* b, body* made);
void body_surface_destroy(struct body_surface* s);

// Without threads, or NULL when memory runs out; and the end of any world.
pliant_world* world_create_empty(const pliant_world_def* def);
void world_destroy(pliant_world* world);

pliant_result world_report_failures(const pliant_world* world);
