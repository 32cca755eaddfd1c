// Contacts of a world on a device inside: what its files share.
#pragma once
#include "cuda/contacts.h"

enum { CONTACT_ARRAYS = 144 };

struct device_contacts {
    int scalar_bytes;
    device_meeting here; // as it was last written or read
    device_meeting* there;
    device_meeting* report;      // pinned
    size_t have[CONTACT_ARRAYS]; // [bytes] of each array
    void* boxes;
    void* extras; // axes and phases of particles
    size_t extra_bytes;
    uint64_t extra_hash;
    void* joined; // pairs of points that joints hold together
    size_t joined_bytes;
    uint64_t joined_known;
    contact_told told; // in the step at hand
    struct {
        const contact_surface* of; // of that collider, by its slot and which of those it is
        int slot;
        uint64_t born;
        plan_surface* there;
    } * collider;
    int collider_count, collider_capacity, collider_bytes; // bytes: of their scalars
    contact_body* body;                                    // as they were last described
    int body_capacity;
    int chunk_count, box_count;
    bool bounces;
    body_bounds* bounds[2]; // pinned, of the step of each staging
    bool bounds_known[2];   // they came, or are on their way
    int bounds_capacity;
};

static inline const meeting_kernels* kernels_of(const device_contacts* c)
{
    return meeting_kernels_for(c->scalar_bytes);
}

static inline int most_of(int a, int b) { return a > b ? a : b; }

// All arrays get the room that the sizes and `here.room` ask for.
pliant_result contacts_reserve(device* d, device_contacts* c);

// The meeting as the device has it, to c->here or from there.
cudaError_t contacts_write(device* d, device_contacts* c);
cudaError_t contacts_read(device* d, device_contacts* c);

// Loose particles (loose.c): what a description says of them; that their list is where `turn` says;
// as the step before the one at hand had left them; and what readers see.
void loose_describe_there(device_contacts* c, const contact_system* s, bool forget);
void loose_point_there(device_meeting* m);
cudaError_t loose_start_again(device* d, device_contacts* c);
pliant_result loose_read(device* d, const device_meeting* m, contact_system* s);

// Joints hold no points together.
void contacts_discard_joined(device* d, device_contacts* c);

// The surface of a plan's bodies, unless it is there.
pliant_result contacts_upload_surface(device* d, plan_entry* e, const contact_body* b);
// Those of the colliders of a system, with memory for rows.
pliant_result contacts_upload_colliders(device* d, device_contacts* c, const contact_system* s);
void contacts_discard_colliders(device* d, device_contacts* c);

// Room for the bounds of so many bodies, of which nothing is known yet.
cudaError_t contacts_reserve_bounds(device_contacts* c, int bodies);
