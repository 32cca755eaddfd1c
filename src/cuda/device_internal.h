// A device inside: what its files share.
#pragma once
#include "base/memory.h"
#include "cuda/airs.h"
#include "cuda/device.h"
#include "cuda/joining.h"
#include "cuda/launch.h"
#include "cuda/liquid.h"
#include "cuda/meeting.h"
#include "cuda/rigid.h"
#include "cuda/upload.h"

// Compilations of the kernels.
typedef enum { ARITHMETIC_SINGLE, ARITHMETIC_FAST, ARITHMETIC_DOUBLE, ARITHMETICS } arithmetic;
enum { GRAPH_OF_PHASES = ARITHMETICS, GRAPHS };

// One of the kernels of a step.
typedef enum {
    LISTED_COLOR,
    LISTED_PATCHES,
    LISTED_MEETING,
    LISTED_JOINTS,
    LISTED_LIQUIDS,
    LISTED_AIR
} listed_type;
typedef struct {
    arithmetic kind;
    listed_type type;
    union {
        color_work color;     // of a body without patches,
        patched_work patches; // of patches, in a phase,
        meeting_work meeting; // of bodies that meet,
        joint_work joints;    // of those that are joined,
        liquid_work liquids;  // of those that flow,
        air_work air;         // or of air
    } work;
} listed_kernel;

typedef struct {
    const plan* plan;
    device_plan on_device;
    patched_work size;            // of its patches
    int* first_row;               // of each particle, on the device, when it was asked for
    struct plan_surface* contact; // likewise, of bodies that meet (contacts.h)
    int users;
} plan_entry;

// A block of memory from which bodies take what only they have (mirror.h).
typedef struct {
    char* memory;
    size_t capacity, used;
    int users;
} arena_block;

typedef struct device_air device_air;
struct device_copy {
    plan_entry* plan;
    store_chunk* chunk; // of its rows
    arena_block* block; // of the rest
    device_state s;
    void* flow_before;     // what has flowed before a step that may have to be repeated; or NULL
    void* clusters_before; // likewise of its clusters
    int rigid;             // its number among rigid bodies; -1: it is none
    int slot;              // of what the device reports of it
    void* load;            // what colliders do to its rows, where that is asked for
    size_t load_bytes;     // of it
    const path* holders;   // of the last step, with what they did
    device_air* air;       // of one that has felt some (airs.c)
};

// What a collider is made of, by where it is in the host's memory.
typedef struct {
    const void* key;
    void* on_device;
} shape_entry;

// What a step brings along: built in pinned memory, copied at once; and what it reports of the
// bodies when it is done. Two of them, so that the next step is prepared and copied while the last
// one runs, and the report of that comes while the next one runs.
typedef struct {
    char *memory, *there; // here, pinned, and on the device
    size_t capacity;      // of both
    long long* failed_at; // pinned: of each slot, the meeting from which on it stands still
    int slots;            // that it reports of
    long long end;        // the first meeting after the step: a report of later ones is not its
    cudaEvent_t brought, ran, done;
    bool used;
    cudaGraphExec_t graph[GRAPHS]; // of bodies without patches, and of a step in phases
    uint64_t graph_hash[GRAPHS];
    // Of a step in which bodies meet or flow, which may have to be repeated:
    bool may_repeat;
    size_t bytes;                        // of what it brought along
    long long first;                     // its first meeting
    device_contacts** contacts;          // of the worlds
    int contact_count, contact_capacity; // contact_count: 0 where all of them sleep
    int known_count;                     // all of them
    device_liquids* liquids;             // or NULL
    device_joints** joints;              // likewise
    int joint_count, joint_capacity;
    store_chunk** chunk; // whose rows were kept
    int chunk_count, chunk_capacity;
    device_copy** flowing; // likewise, what has flowed of bodies
    int flowing_count, flowing_capacity;
    listed_kernel* list; // its kernels
    int list_count, list_capacity;
} staging;

// The rigid bodies of a device (rigid.c).
enum { RIGID_FREE, RIGID_TAKEN, RIGID_MARKED }; // MARKED: it goes there before the next step
typedef struct {
    rigid_state *there, *before; // on the device; before a step that may have to be repeated
    rigid_state* here;           // as they are there, where that is known
    unsigned char* state;
    int count, capacity, here_capacity, state_capacity;
    int free; // none before it is
    bool known, marked;
} rigid_pool;

struct device {
    char name[256];
    cudaStream_t stream, bring, report; // of steps, of what they bring, of what they say
    staging staging[2];
    int turn;
    plan_entry** plan;
    int plan_count, plan_capacity;
    shape_entry* shape;
    int shape_count, shape_capacity;
    long long *diverged, *known; // of each slot; known: as steps that are done have reported
    device_copy** slot;
    int slot_count, slot_capacity, free_slot; // none before the last one is free
    long long next_meeting;
    size_t bytes;
    arena_block** arena;
    int arena_count, arena_capacity;
    rigid_pool rigid;
    int* family_of; // of each body of the step
    int family_capacity;
    struct family* kind; // of each family of the step (pack.h),
    patched_work* work;  // and what it does
    int kind_capacity, work_capacity;
    listed_kernel* list; // kernels of a step that has many (listed.h)
    int list_count, list_capacity;
    int launches; // of the last step
    int number;   // CUDA's
};

// A number for one more rigid body; and it goes.
pliant_result rigid_take(device* d, int* out_number);
void rigid_leave(device* d, int number); // -1 is fine
void rigid_destroy(device* d);
// What was changed here goes there.
cudaError_t rigid_send(device* d);
// Before a step that may have to be repeated, and then.
cudaError_t rigid_keep(device* d);
cudaError_t rigid_take_back(device* d);

// Steps that are on their way no longer know of these contacts, these joints.
void forget_contacts(device* d, const device_contacts* c);
void forget_joints(device* d, const device_joints* j);
void forget_liquids(device* d, const device_liquids* l);

// The host's current device stays what it was: the device is current until the end of the scope.
static inline int device_enter(const device* d)
{
    int before = d->number;
    if (cudaGetDevice(&before) == cudaSuccess && before != d->number) cudaSetDevice(d->number);
    return before;
}
static inline void device_leave(const int* before)
{
    int now = *before;
    if (cudaGetDevice(&now) == cudaSuccess && now != *before) cudaSetDevice(*before);
}
#define ON_DEVICE(d_)                                                                              \
    __attribute__((cleanup(device_leave), unused)) int device_before = device_enter(d_)

static inline const fill_functions* fill_for(const body_run* b)
{
    return b->plan->scalar_bytes == 4 ? &fill_single : &fill_double;
}

static inline arithmetic arithmetic_of(const body_run* b)
{
    if (b->plan->scalar_bytes == 8) return ARITHMETIC_DOUBLE;
    return b->fast ? ARITHMETIC_FAST : ARITHMETIC_SINGLE;
}
static inline const device_kernels* kernels_for(arithmetic kind)
{
    return kind == ARITHMETIC_DOUBLE ? &device_kernels_double
           : kind == ARITHMETIC_FAST ? &device_kernels_fast
                                     : &device_kernels_single;
}

static inline void keep_most(int* most, int value)
{
    if (value > *most) *most = value;
}
