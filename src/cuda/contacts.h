// Bodies of worlds that meet on a device: memory, descriptions, and steps that are repeated where
// lists had no room.
#pragma once
#include "contact/finding.h"
#include "cuda/device_internal.h"
#include "cuda/meeting.h"

// What kernels see of the surface of a plan's bodies, uploaded when it is first asked for; or of a
// collider.
typedef struct plan_surface {
    void* memory;
    size_t bytes;
    void* surface; // contact_surface, with pointers to the device's memory
    void *row, *copy_start, *copy;
    void* rows[3]; // of a collider: row, velocity, residue of its points
} plan_surface;

void discard_surface(device* d, plan_surface* s); // NULL is fine

static inline const meeting_kernels* meeting_kernels_for(int scalar_bytes)
{
    return scalar_bytes == 8 ? &meeting_kernels_double : &meeting_kernels_single;
}

device_meeting* contacts_there(const device_contacts* c);
int contacts_scalar_bytes(const device_contacts* c);
int contacts_body_count(const device_contacts* c);
bool contacts_bounce(const device_contacts* c);
// Loose particles, and nobody else, not even colliders that have a surface.
bool contacts_are_loose(const device_contacts* c);
bool contacts_are_rigid(const device_contacts* c); // in part
const contact_told* contacts_told(const device_contacts* c);

// After a step, on its stream: what it has to say, for contacts_need_more once it has come.
cudaError_t contacts_report(const device* d, device_contacts* c);
cudaError_t contacts_report_bounds(const device* d, device_contacts* c, int turn);
// There was no room for all that the step found.
bool contacts_need_more(const device_contacts* c);
// As before the step, with more room.
pliant_result contacts_start_again(device* d, device_contacts* c);
