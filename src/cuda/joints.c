#include "cuda/joints.h"
#include <string.h>

struct device_joints {
    const joint_system* told; // as the world has them, also for what each step brings
    joint_world there;
    void* memory; // of all arrays
    size_t bytes;
    int* slot; // of each body on the device; and where its arrays are:
    device_state* state;
    int slot_capacity, state_capacity;
};

pliant_result device_add_joints(device* d, device_joints** out)
{
    (void)d;
    *out = (device_joints*)mem_alloc_zero(sizeof **out);
    return *out ? PLIANT_OK : PLIANT_ERROR_MEMORY;
}

static void discard(device* d, device_joints* j)
{
    cudaFree(j->memory);
    d->bytes -= j->bytes;
    j->memory = NULL;
    j->bytes = 0;
}

void device_remove_joints(device* d, device_joints* j)
{
    if (!j) return;
    ON_DEVICE(d);
    device_wait(d);
    forget_joints(d, j);
    discard(d, j);
    mem_free(j->slot);
    mem_free(j->state);
    mem_free(j);
}

// ---- descriptions -------------------------------------------------------------------------------

// Rows of all copies of particles, point after point.
static int count_copies(const joint_set* s)
{
    int count = 0;
    for (int i = 0; i < s->point_count; ++i) count += s->row[i].copy ? s->row[i].copies : 0;
    return count;
}

static void list_copies(const joint_set* s, int* out)
{
    for (int i = 0; i < s->point_count; ++i) {
        const joint_row* r = &s->row[i];
        if (!r->copy) continue;
        memcpy(out, r->copy, (size_t)r->copies * sizeof *out);
        out += r->copies;
    }
}

// The rows of points with those lists, which are on the device.
static cudaError_t upload_rows(const joint_set* s, const joint_set* there, const int* listed,
                               joint_row* scratch)
{
    for (int i = 0; i < s->point_count; ++i) {
        scratch[i] = s->row[i];
        if (!scratch[i].copy) continue;
        scratch[i].copy = listed;
        listed += scratch[i].copies;
    }
    cudaError_t error = cudaMemcpy(there->row, scratch, (size_t)s->point_count * sizeof *scratch,
                                   cudaMemcpyHostToDevice);
    return error ? error : cudaStreamSynchronize(NULL);
}

static pliant_result upload(device* d, device_joints* j, const joint_set* s, int* listed,
                            joint_row* scratch)
{
    layout l = {0};
    joint_set* to = &j->there.set;
    size_t joints = (size_t)s->count, points = (size_t)s->point_count;
    void* copies_there;
    list_copies(s, listed);
    layout_add(&l, (void**)&to->joint, s->joint, joints, sizeof *s->joint);
    layout_add(&l, (void**)&to->point, s->point, points, sizeof *s->point);
    layout_add(&l, (void**)&to->row, NULL, points, sizeof *s->row);
    layout_add(&l, (void**)&to->start, s->start, points + 1, sizeof(int));
    layout_add(&l, (void**)&to->incidence, s->incidence, (size_t)s->start[points], sizeof(int));
    layout_add(&l, (void**)&j->there.before, NULL, joints, sizeof *s->joint);
    layout_add(&l, (void**)&j->there.broken, NULL, joints, 1);
    layout_add(&l, &copies_there, listed, (size_t)count_copies(s), sizeof(int));
    pliant_result result = upload_layout(&l, &j->memory, "joints");
    if (j->memory) {
        j->bytes = l.bytes;
        d->bytes += j->bytes;
    }
    if (!result)
        result = cuda_check(upload_rows(s, to, (const int*)copies_there, scratch), "joints");
    return result;
}

pliant_result device_describe_joints(device* d, device_joints* j, const joint_system* s,
                                     device_copy* const* copy)
{
    const joint_set* set = &s->set;
    ON_DEVICE(d);
    pliant_result result = device_wait(d);
    if (result) return result;
    if (!mem_reserve((void**)&j->slot, &j->slot_capacity, set->body_count, sizeof *j->slot) ||
        !mem_reserve((void**)&j->state, &j->state_capacity, set->body_count, sizeof *j->state))
        return PLIANT_ERROR_MEMORY;
    for (int i = 0; i < set->body_count; ++i) {
        j->slot[i] = copy[i]->slot;
        j->state[i] = copy[i]->s;
    }
    discard(d, j);
    int* listed = (int*)mem_array((size_t)count_copies(set) + 1, sizeof *listed);
    joint_row* scratch = (joint_row*)mem_array((size_t)set->point_count, sizeof *scratch);
    result = listed && scratch ? upload(d, j, set, listed, scratch) : PLIANT_ERROR_MEMORY;
    mem_free(listed);
    mem_free(scratch);
    j->told = s;
    return result;
}

const unsigned char* device_broken_joints(const device_joints* j) { return j->there.broken; }

pliant_result device_read_joints(device* d, device_joints* j, joint_state* out)
{
    pliant_result result = device_wait(d);
    if (result) return result;
    ON_DEVICE(d);
    cudaError_t error =
        cudaMemcpyAsync(out, j->there.set.joint, (size_t)j->told->set.count * sizeof *out,
                        cudaMemcpyDeviceToHost, d->stream);
    if (!error) error = cudaStreamSynchronize(d->stream);
    return cuda_check(error, "copying joints from the GPU");
}

// ---- steps --------------------------------------------------------------------------------------

static joint_body* pack_bodies(packer* p, const device_joints* j)
{
    void* there;
    const joint_set* s = &j->told->set;
    joint_body* here = (joint_body*)pack_claim(p, (size_t)s->body_count * sizeof *here, &there);
    for (int i = 0; i < s->body_count && here; ++i) {
        const device_state* at = &j->state[i];
        here[i] = s->body[i];
        here[i].row = at->row;
        here[i].velocity = at->velocity;
        here[i].residue = at->residue;
        here[i].past = at->past;
        here[i].lift = at->lift;
    }
    return (joint_body*)there;
}

static const unsigned char* pack_axes(packer* p, const joint_set* s)
{
    void* there;
    unsigned char* here = (unsigned char*)pack_claim(p, (size_t)s->point_count, &there);
    for (int i = 0; i < s->point_count && here; ++i) here[i] = s->row[i].axes;
    return (const unsigned char*)there;
}

static const unsigned char* pack_jumped(packer* p, const joint_set* s)
{
    void* there;
    unsigned char* here = (unsigned char*)pack_claim(p, (size_t)s->count, &there);
    for (int i = 0; i < s->count && here; ++i) here[i] = s->joint[i].jumped;
    return (const unsigned char*)there;
}

static joint_world pack_world(packer* p, const device* d, const device_joints* j)
{
    const joint_set* s = &j->told->set;
    void* slots;
    joint_world w = j->there;
    int* here = (int*)pack_claim(p, (size_t)s->body_count * sizeof *here, &slots);
    if (here) memcpy(here, j->slot, (size_t)s->body_count * sizeof *here);
    w.slot = (const int*)slots;
    w.diverged = d->diverged;
    w.axes = pack_axes(p, s);
    w.jumped = pack_jumped(p, s);
    w.set.body = pack_bodies(p, j);
    w.set.count = s->count;
    w.set.point_count = s->point_count;
    w.set.body_count = s->body_count;
    w.set.scalar_bytes = s->scalar_bytes;
    w.set.close_speed = s->close_speed;
    w.set.last_h = s->last_h;
    return w;
}

const joint_world* pack_joints(packer* p, const device* d, const step_work* step)
{
    void* there;
    if (step->joint_count == 0) return NULL;
    joint_world* here =
        (joint_world*)pack_claim(p, (size_t)step->joint_count * sizeof *here, &there);
    for (int i = 0; i < step->joint_count; ++i) {
        joint_world w = pack_world(p, d, step->joints[i]);
        if (here) here[i] = w;
    }
    return (const joint_world*)there;
}

cudaError_t joints_start_again(device* d, const device_joints* j)
{
    return cudaMemcpyAsync(j->there.set.joint, j->there.before,
                           (size_t)j->told->set.count * sizeof(joint_state),
                           cudaMemcpyDeviceToDevice, d->stream);
}
