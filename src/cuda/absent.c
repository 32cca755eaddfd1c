// Without CUDA: there is no device.
#include "base/error.h"
#include "cuda/device.h"

pliant_result device_open(device** out)
{
    *out = NULL;
    return fail(PLIANT_ERROR_UNSUPPORTED,
                "this build of Pliant has no CUDA: build it where nvcc is found, or use the "
                "backend cpu");
}

void device_close(device* d) { (void)d; }
const char* device_name(const device* d) { return d ? "" : "none"; }

pliant_result device_add(device* d, const state* s, const plan_parts* parts, int iterations,
                         device_copy** out)
{
    (void)d, (void)s, (void)parts, (void)iterations, (void)out;
    return PLIANT_ERROR_UNSUPPORTED;
}

void device_remove(device* d, device_copy* copy) { (void)d, (void)copy; }
size_t device_bytes(const device* d) { return d ? 0 : 0; }
int device_launches(const device* d) { return d ? 0 : 0; }

pliant_result device_upload(device* d, const device_rows* rows, int count)
{
    (void)d, (void)rows, (void)count;
    return PLIANT_ERROR_UNSUPPORTED;
}

pliant_result device_download(device* d, const device_rows* rows, int count)
{
    (void)d, (void)rows, (void)count;
    return PLIANT_ERROR_UNSUPPORTED;
}

pliant_result device_find_arrays(device* d, device_copy* copy, device_arrays* out)
{
    (void)d, (void)copy, (void)out;
    return PLIANT_ERROR_UNSUPPORTED;
}

pliant_result device_step(device* d, step_work* step, device_copy* const* copy, bool graph)
{
    (void)d, (void)step, (void)copy, (void)graph;
    return PLIANT_ERROR_UNSUPPORTED;
}

pliant_result device_add_contacts(device* d, device_contacts** out)
{
    (void)d, (void)out;
    return PLIANT_ERROR_UNSUPPORTED;
}

void device_remove_contacts(device* d, device_contacts* c) { (void)d, (void)c; }

pliant_result device_describe_contacts(device* d, device_contacts* c, const contact_told* told,
                                       device_copy* const* copy, bool kept)
{
    (void)d, (void)c, (void)told, (void)copy, (void)kept;
    return PLIANT_ERROR_UNSUPPORTED;
}

const unsigned char* device_swept_marks(const device_contacts* c, int body)
{
    (void)c, (void)body;
    return NULL;
}

pliant_result device_read_contacts(device* d, device_contacts* c, contact_system* s)
{
    (void)d, (void)c, (void)s;
    return PLIANT_ERROR_UNSUPPORTED;
}

pliant_result device_describe_air(device* d, const device_airs* told)
{
    (void)d, (void)told;
    return PLIANT_ERROR_UNSUPPORTED;
}

pliant_result device_fetch_air(device* d, const device_copy* copy, air_skin* out)
{
    (void)d, (void)copy, (void)out;
    return PLIANT_ERROR_UNSUPPORTED;
}

pliant_result device_add_liquids(device* d, device_liquids** out)
{
    (void)d, (void)out;
    return PLIANT_ERROR_UNSUPPORTED;
}

void device_remove_liquids(device* d, device_liquids* l) { (void)d, (void)l; }

pliant_result device_describe_liquids(device* d, device_liquids* l, const fluid_system* s,
                                      device_copy* const* copy, bool anew)
{
    (void)d, (void)l, (void)s, (void)copy, (void)anew;
    return PLIANT_ERROR_UNSUPPORTED;
}

pliant_result device_read_liquids(device* d, const device_liquids* l, fluid_figures* out)
{
    (void)d, (void)l, (void)out;
    return PLIANT_ERROR_UNSUPPORTED;
}

pliant_result device_fetch_pressures(device* d, const device_copy* copy, double* out,
                                     double* out_drawn, int count)
{
    (void)d, (void)copy, (void)out, (void)out_drawn, (void)count;
    return PLIANT_ERROR_UNSUPPORTED;
}

pliant_result device_add_joints(device* d, device_joints** out)
{
    (void)d, (void)out;
    return PLIANT_ERROR_UNSUPPORTED;
}

void device_remove_joints(device* d, device_joints* j) { (void)d, (void)j; }

pliant_result device_describe_joints(device* d, device_joints* j, const joint_system* s,
                                     device_copy* const* copy)
{
    (void)d, (void)j, (void)s, (void)copy;
    return PLIANT_ERROR_UNSUPPORTED;
}

const unsigned char* device_broken_joints(const device_joints* j)
{
    (void)j;
    return NULL;
}

pliant_result device_read_joints(device* d, device_joints* j, joint_state* out)
{
    (void)d, (void)j, (void)out;
    return PLIANT_ERROR_UNSUPPORTED;
}

const body_bounds* device_read_bounds(const device* d, const device_contacts* c, int* out_age)
{
    (void)d, (void)c, (void)out_age;
    return NULL;
}

void device_forget_bounds(device_contacts* c) { (void)c; }

int device_count_crossed(const device_contacts* c)
{
    (void)c;
    return 0;
}

pliant_result device_wait(device* d)
{
    (void)d;
    return PLIANT_ERROR_UNSUPPORTED;
}

pliant_result device_revive(device* d, device_copy* copy)
{
    (void)d, (void)copy;
    return PLIANT_ERROR_UNSUPPORTED;
}

bool device_has_failed(const device* d, const device_copy* copy)
{
    (void)d, (void)copy;
    return false;
}

pliant_result device_reserve_loads(device* d, device_copy* copy, size_t bytes)
{
    (void)d, (void)copy, (void)bytes;
    return PLIANT_ERROR_UNSUPPORTED;
}

pliant_result device_read_loads(device* d, const device_copy* copy, void* out, size_t bytes)
{
    (void)d, (void)copy, (void)out, (void)bytes;
    return PLIANT_ERROR_UNSUPPORTED;
}

pliant_result device_send_shapes(device* d, device_copy* copy, const state* s)
{
    (void)d, (void)copy, (void)s;
    return PLIANT_ERROR_UNSUPPORTED;
}

pliant_result device_fetch_shapes(device* d, device_copy* copy, const state* s)
{
    (void)d, (void)copy, (void)s;
    return PLIANT_ERROR_UNSUPPORTED;
}

pliant_result device_send_clusters(device* d, device_copy* copy, const cluster_state* s)
{
    (void)d, (void)copy, (void)s;
    return PLIANT_ERROR_UNSUPPORTED;
}

pliant_result device_fetch_clusters(device* d, device_copy* copy, cluster_state* s)
{
    (void)d, (void)copy, (void)s;
    return PLIANT_ERROR_UNSUPPORTED;
}

void device_send_rigid(device* d, const device_copy* copy, const rigid_state* r)
{
    (void)d, (void)copy, (void)r;
}

pliant_result device_fetch_rigid(device* d, const device_copy* copy, rigid_state* out)
{
    (void)d, (void)copy, (void)out;
    return PLIANT_ERROR_UNSUPPORTED;
}

pliant_result device_read_holders(device* d, const device_copy* copy, path* out, int count)
{
    (void)d, (void)copy, (void)out, (void)count;
    return PLIANT_ERROR_UNSUPPORTED;
}

pliant_result device_add_data(device* d, const void* data, size_t bytes)
{
    (void)d, (void)data, (void)bytes;
    return PLIANT_ERROR_UNSUPPORTED;
}

void device_remove_data(device* d, const void* data) { (void)d, (void)data; }

pliant_result device_add_skin(device* d, const binding* bindings, int count, device_skin** out)
{
    (void)d, (void)bindings, (void)count, (void)out;
    return PLIANT_ERROR_UNSUPPORTED;
}

void device_remove_skin(device* d, device_skin* skin) { (void)d, (void)skin; }

pliant_result device_place_skin(device* d, const device_skin* skin, const device_place* bodies,
                                int body_count, float* out_places)
{
    (void)d, (void)skin, (void)bodies, (void)body_count, (void)out_places;
    return PLIANT_ERROR_UNSUPPORTED;
}
