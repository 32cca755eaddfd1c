// States between here and the device.
#include "cuda/device_parts.h"
#include <string.h>

typedef struct {
    unsigned name;
    void *here, *there;
    size_t scalars; // per row
} array;

enum { ARRAYS = 7 };

static void list_arrays(const device_copy* c, const state* s, array out[ARRAYS])
{
    const array list[ARRAYS] = {{STATE_ROWS, s->row, c->s.row, ROW},
                                {STATE_VELOCITIES, s->velocity, c->s.velocity, ROW4},
                                {STATE_RESIDUES, s->residue, c->s.residue, ROW4},
                                {STATE_FORCES, s->force, c->s.force, ROW4},
                                {STATE_CONTACTS, s->contact, c->s.contact, CONTACT},
                                {STATE_CONTACTS, s->lift, c->s.lift, ROW4},
                                {STATE_PASTS, s->past, c->s.past, PAST}};
    memcpy(out, list, sizeof list);
}

static pliant_result transfer(device* d, const device_copy* c, const state* s, unsigned arrays,
                              bool up)
{
    array list[ARRAYS];
    cudaError_t error = cudaSuccess;
    size_t row_bytes = (size_t)s->row_count * (size_t)s->scalar_bytes;
    list_arrays(c, s, list);
    for (int i = 0; i < ARRAYS && !error; ++i) {
        const array* a = &list[i];
        size_t bytes = row_bytes * a->scalars;
        if (!(arrays & a->name) || !a->here) continue;
        error = up ? cudaMemcpyAsync(a->there, a->here, bytes, cudaMemcpyHostToDevice, d->stream)
                   : cudaMemcpyAsync(a->here, a->there, bytes, cudaMemcpyDeviceToHost, d->stream);
    }
    if (!error) error = cudaStreamSynchronize(d->stream);
    return cuda_check(error, up ? "copying to the GPU" : "copying from the GPU");
}

pliant_result device_upload(device* d, device_copy* c, const state* s, unsigned arrays)
{
    ON_DEVICE(d);
    size_t shares = (size_t)plan_share_count(s->plan) * (size_t)s->scalar_bytes;
    pliant_result result = transfer(d, c, s, arrays, true);
    if (!result && shares)
        result = cuda_check(
            cudaMemcpyAsync(c->s.share, s->share, shares, cudaMemcpyHostToDevice, d->stream),
            "copying to the GPU");
    return result;
}

pliant_result device_download(device* d, const device_copy* c, state* s, unsigned arrays)
{
    pliant_result result = device_wait(d);
    return result ? result : transfer(d, c, s, arrays, false);
}

// The rows of particles are only uploaded when somebody asks.
pliant_result device_find_arrays(device* d, device_copy* c, device_arrays* out)
{
    plan_entry* e = c->plan;
    const copies* k = &e->plan->copies;
    size_t bytes = (size_t)e->plan->particle_count * sizeof(int);
    cudaError_t error = cudaSuccess;
    ON_DEVICE(d);
    if (k->first && !e->first_row) {
        int* rows = NULL;
        error = cudaMalloc((void**)&rows, bytes);
        if (!error)
            error = cudaMemcpyAsync(rows, k->first, bytes, cudaMemcpyHostToDevice, d->stream);
        if (!error) error = cudaStreamSynchronize(d->stream);
        if (error) cudaFree(rows);
        if (!error) e->first_row = rows;
        if (!error) d->bytes += bytes;
    }
    *out = (device_arrays){c->s.row, c->s.velocity, d->stream, e->first_row};
    return cuda_check(error, "the rows of particles");
}

// ---- what colliders and attachments did ---------------------------------------------------------

pliant_result device_reserve_loads(device* d, device_copy* c, size_t bytes)
{
    if (bytes == c->load_bytes) return PLIANT_OK;
    pliant_result result = c->load ? device_wait(d) : PLIANT_OK;
    cudaSetDevice(d->number);
    cudaFree(c->load);
    d->bytes -= c->load_bytes;
    c->load = NULL;
    c->load_bytes = 0;
    if (bytes == 0 || result) return result;
    result = cuda_check(cudaMalloc(&c->load, bytes), "the forces on colliders");
    if (result) return result;
    c->load_bytes = bytes;
    d->bytes += bytes;
    return cuda_check(cudaMemsetAsync(c->load, 0, bytes, d->stream), "the forces on colliders");
}

static pliant_result read_back(device* d, void* out, const void* there, size_t bytes)
{
    pliant_result result = device_wait(d);
    if (result) return result;
    cudaError_t error = cudaMemcpyAsync(out, there, bytes, cudaMemcpyDeviceToHost, d->stream);
    if (!error) error = cudaStreamSynchronize(d->stream);
    return cuda_check(error, "copying from the GPU");
}

pliant_result device_read_loads(device* d, const device_copy* c, void* out, size_t bytes)
{
    return read_back(d, out, c->load, bytes);
}

// They lie in what the last step brought along, which the next but one will use again.
pliant_result device_read_holders(device* d, const device_copy* c, path* out, int count)
{
    return read_back(d, out, c->holders, (size_t)count * sizeof *out);
}
