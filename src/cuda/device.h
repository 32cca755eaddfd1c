// A GPU that steps bodies: plans and states live in its memory. All of it fails with a sentence
// where there is no GPU, or where the library was built without CUDA (absent.c).
#pragma once
#include "air/system.h"
#include "contact/system.h"
#include "cuda/bounds.h"
#include "fluid/system.h"
#include "joint/system.h"
#include "solver/binding.h"
#include "solver/step.h"

typedef struct device device;
typedef struct device_copy device_copy; // a body's plan and state on the device

pliant_result device_open(device** out);
void device_close(device* d);
const char* device_name(const device* d);

// What the particles of a plan's bodies are part of; each may be NULL.
typedef struct {
    const enclosure* inside; // that holds something,
    const cluster_set* clusters;
    const double* local; // or of what is rigid: [m] places in its axes
    bool liquid, tense;  // that flows, with surface tension
} plan_parts;

// The plan and the parts are uploaded once for all bodies that use them. The rows of the state are
// not.
pliant_result device_add(device* d, const state* s, const plan_parts* parts, int iterations,
                         device_copy** out);
void device_remove(device* d, device_copy* copy);
size_t device_bytes(const device* d); // of plans and states
int device_launches(const device* d); // of kernels and graphs in the last step

// The arrays of a state that may differ between the device and here.
enum {
    STATE_ROWS = 1,
    STATE_VELOCITIES = 2,
    STATE_RESIDUES = 4,
    STATE_FORCES = 8,
    STATE_CONTACTS = 16,
    STATE_PASTS = 32,      // of second order
    STATE_SHAPES = 64,     // of bodies whose rest shapes can flow, or that have clusters
    STATE_RIGID = 128,     // of bodies that are
    STATE_PRESSURES = 256, // of liquids
    STATE_ALL = 511,
    STATE_STEPPED = STATE_ALL - STATE_FORCES, // what a step changes
};
// Rows side by side in a chunk, of one body or of several.
typedef struct {
    store_slice slice;
    unsigned arrays;
} device_rows;
pliant_result device_upload(device* d, const device_rows* rows, int count);
pliant_result device_download(device* d, const device_rows* rows, int count);

// What has flowed of a body, and its constants, which follow: not in its rows.
pliant_result device_send_shapes(device* d, device_copy* copy, const state* s);
pliant_result device_fetch_shapes(device* d, device_copy* copy, const state* s);

// Likewise how clusters of particles are turned, and what has flowed of them.
pliant_result device_send_clusters(device* d, device_copy* copy, const cluster_state* s);
pliant_result device_fetch_clusters(device* d, device_copy* copy, cluster_state* s);

// Where a rigid body is. What is sent is on its way with the next step.
void device_send_rigid(device* d, const device_copy* copy, const rigid_state* r);
pliant_result device_fetch_rigid(device* d, const device_copy* copy, rigid_state* out);

// [Pa] Of the particles of a liquid, after the last step; `out_drawn` is NULL without surface
// tension.
pliant_result device_fetch_pressures(device* d, const device_copy* copy, double* out,
                                     double* out_drawn, int count);

// Where arrays are on the device, for work on its stream. `first` is the row of each particle, or
// NULL where those are the same.
typedef struct {
    void *row, *velocity, *stream;
    const int* first;
} device_arrays;
pliant_result device_find_arrays(device* d, device_copy* copy, device_arrays* out);

// Bodies of a world that meet each other and themselves. Before a step they are described: body i
// of the system has copy[i], and colliders are behind them. `kept`: what pairs remember is newer
// here than there. A step takes them as a meeting place, whose system they are, and takes from the
// system how colliders go in it.
typedef struct {
    const contact_system* s;
    select_rules rules;
    int colliders; // in the world's list
} contact_told;
typedef struct device_contacts device_contacts;
pliant_result device_add_contacts(device* d, device_contacts** out);
void device_remove_contacts(device* d, device_contacts* c); // NULL is fine
pliant_result device_describe_contacts(device* d, device_contacts* c, const contact_told* told,
                                       device_copy* const* copy, bool kept);
// On the device: of a body, which colliders of the world's list it meets by their surface in the
// step at hand. NULL: none.
const unsigned char* device_swept_marks(const device_contacts* c, int body);
// What the last step left: pairs, what they did and what they remember.
pliant_result device_read_contacts(device* d, device_contacts* c, contact_system* s);
// Where bodies are: bounds of all of them after the last step but age - 1; NULL: nobody knows.
const body_bounds* device_read_bounds(const device* d, const device_contacts* c, int* out_age);
void device_forget_bounds(device_contacts* c); // they were put elsewhere
// How many bodies crossed each other in the last step that is known to be done.
int device_count_crossed(const device_contacts* c);

// Air around bodies of a world: member i of the system has copy[i]. Described before each step that
// takes it; the system and the list of copies stay until then. What the last step left of a body:
// its means and sums.
typedef struct device_airs {
    const air_system* s;
    device_copy* const* copy;
} device_airs;
pliant_result device_describe_air(device* d, const device_airs* told);
pliant_result device_fetch_air(device* d, const device_copy* copy, air_skin* out);

// Liquids of a world: member i of the system has copy[i]. They are described before each step that
// takes them; the system and the list of copies stay until then. `anew`: other particles are there
// than in the step before.
typedef struct device_liquids device_liquids;
pliant_result device_add_liquids(device* d, device_liquids** out);
void device_remove_liquids(device* d, device_liquids* l); // NULL is fine
pliant_result device_describe_liquids(device* d, device_liquids* l, const fluid_system* s,
                                      device_copy* const* copy, bool anew);
// What they did so far, as the device's clock has it. Its rest has what comes between iterations.
pliant_result device_read_liquids(device* d, const device_liquids* l, fluid_figures* out);

// Joints of a world, described whenever it has others: body i of the system has copy[i]. The system
// stays where it is: a step takes from it what is new in each one. What the last step left of each
// joint.
typedef struct device_joints device_joints;
pliant_result device_add_joints(device* d, device_joints** out);
void device_remove_joints(device* d, device_joints* j); // NULL is fine
pliant_result device_describe_joints(device* d, device_joints* j, const joint_system* s,
                                     device_copy* const* copy);
pliant_result device_read_joints(device* d, device_joints* j, joint_state* out);
// Of each joint, on the device: whether it is broken.
const unsigned char* device_broken_joints(const device_joints* j);

// Steps bodies: copy[i] belongs to step->body[i]. Returns when the work is on its way; the rest
// of this interface waits for it. `graph`: bodies without patches are launched at once.
pliant_result device_step(device* d, step_work* step, device_copy* const* copy, bool graph);

// Waits for the work on the way. Then, and before that of steps that are done, the device has said
// which bodies left the finite numbers. They stand still there until they are revived.
pliant_result device_wait(device* d);
pliant_result device_revive(device* d, device_copy* copy);
bool device_has_failed(const device* d, const device_copy* copy);

// Room for what colliders do to the body's rows (LOAD scalars each), 0 bytes for none; and what the
// last step left there. What attachments did: `count` paths, as the last step had them.
pliant_result device_reserve_loads(device* d, device_copy* copy, size_t bytes);
pliant_result device_read_loads(device* d, const device_copy* copy, void* out, size_t bytes);
pliant_result device_read_holders(device* d, const device_copy* copy, path* out, int count);

// What colliders are made of, until it is removed: known by where it is in the host's memory.
pliant_result device_add_data(device* d, const void* data, size_t bytes);
void device_remove_data(device* d, const void* data);

// Surfaces that bodies on the device carry. Places of all their vertices, 3 floats each, come back
// after all steps on the way; `bodies` are those that the bindings number.
typedef struct device_skin device_skin;
typedef struct {
    const device_copy* copy;
    int scalar_bytes;
} device_place;
pliant_result device_add_skin(device* d, const binding* bindings, int count, device_skin** out);
void device_remove_skin(device* d, device_skin* skin);
pliant_result device_place_skin(device* d, const device_skin* skin, const device_place* bodies,
                                int body_count, float* out_places);
