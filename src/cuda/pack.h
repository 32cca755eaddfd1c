// What a step brings along to the device: bodies by families, their paths and obstacles.
#pragma once
#include "cuda/airs.h"
#include "cuda/device_internal.h"

// Which launch a body belongs to.
typedef struct family {
    bool patched, alone, past, special;
    bool crowd; // small bodies without constraints
    bool rigid;
    arithmetic kind;
    int type;
} family;

// Where things go in the memory of a step (staging). What finds no room there is measured: then the
// same way through all of them, with as much memory as that, writes it.
typedef struct {
    char *here, *there;
    size_t capacity, bytes;
    const collider_pose* poses; // of a world, packed last, and where: its bodies share them
    const void* poses_there;
    const nearby_box* boxes; // likewise the tree over a world's colliders
    const void* nearby_there;
    const body_run*
        met; // the last body whose obstacles were packed, and where: those that meet the
    const void* met_there; // same in the same way share them
} packer;

// Room for so many bytes: here, or NULL where there is no memory for them yet, and there.
void* pack_claim(packer* p, size_t bytes, void** out_there);

// Where a list goes, which is copied there; NULL: there is no memory yet, or it is empty.
void* pack_list(packer* p, const void* list, int count, size_t each);
// What a collider is made of, on the device; or NULL.
const void* data_there(const device* d, const collider* c);
// The poses of a world's colliders that move are one array; it begins with where the first of them
// is before the step. NULL: none moves. And where those are that lead `here`.
const collider_pose* pack_poses(packer* p, const particle_work* of);
const collider_pose* pose_there(const packer* p, const collider_pose* first,
                                const collider_pose* here);
// The tree over a world's colliders, where it has one.
const void* pack_nearby(packer* p, const particle_work* of);

// Whether a body's kernels need the code for special colliders (rows.cuh).
bool meets_special(const particle_work* w);

// The bodies of one family, by its number, that are to be stepped.
typedef struct {
    device* d;
    const step_work* step;
    device_copy* const* copy;
    int number;
    family kind;
} selection;

static inline bool is_selected(const selection* s, int i)
{
    return s->d->family_of[i] == s->number;
}

// Sorts bodies into families, and makes room for their works. Returns how many, -1 when memory runs
// out.
int find_families(const selection* s);

// Packs, and measures, `count` families. d->work[i] is the work of family i, with pointers to the
// device's memory.
void pack_families(selection* s, packer* p, int count);

// Air around bodies of all worlds.
typedef struct {
    const air_body* body; // on the device
    int count, pieces;
} packed_air;
packed_air pack_air(packer* p, const device* d, const step_work* step);
// Rows of what pushes a body, with what air does; NULL: it never felt any.
void* air_pushed(const device_copy* c);
void air_forget(device* d, device_copy* c);

// Worlds whose bodies meet, of one precision, those that sleep behind the others.
typedef struct {
    const meeting_step* step; // on the device
    int count, awake, bodies;
    bool alone; // all have loose particles and nobody else
    bool rigid; // some has rigid bodies
} packed_meetings;
packed_meetings pack_meetings(packer* p, const device* d, const step_work* step, int scalar_bytes);
