// States between here and the device.
#include "constraint/flow.h"
#include "cuda/mirror.h"
#include "solver/enclosed.h"
#include <string.h>

// ---- memory -------------------------------------------------------------------------------------

// What a copy publishes comes with the number of its meeting, 16 bytes at a time (exchange.cuh).
static size_t exchange_bytes(const plan* p) { return p->scalar_bytes == 4 ? 16 : 48; }

// In front of the body's own constants, so that both are copied at once.
static size_t flow_scalars(const plan* p) { return p->flow.count * FLOW_STATE * BLOCK; }

static size_t flow_bytes(const device_copy* c)
{
    const plan* p = c->plan->plan;
    return (flow_scalars(p) + p->field_count) * (size_t)p->scalar_bytes;
}

static void list_own(const plan* p, const plan_parts* parts, const device_plan* d, int iterations,
                     device_state* out, layout* l)
{
    const enclosure* inside = parts->inside;
    size_t rows = (size_t)p->row_count, shares = (size_t)plan_share_count(p);
    size_t slots = p->copies.phantom ? 0 : shares; // phantoms meet nobody
    size_t bytes = (size_t)p->scalar_bytes;
    layout_add(l, &out->share, NULL, shares, bytes);
    for (int i = 0; i < 2; ++i) layout_add(l, &out->exchange[i], NULL, slots, exchange_bytes(p));
    if (inside) {
        size_t pieces = (size_t)enclosure_piece_count(inside);
        layout_add(l, &out->inside_grad, NULL, 3 * (size_t)inside->particle_count, sizeof(double));
        layout_add(l, &out->inside_sum, NULL, pieces, sizeof(enclosed_sum));
        layout_add(l, &out->inside_lambda, NULL, 2, sizeof(double));
    }
    if (parts->liquid)
        layout_add(l, &out->pressure, NULL, (size_t)p->particle_count, sizeof(double));
    if (parts->tense) layout_add(l, &out->drawn, NULL, (size_t)p->particle_count, sizeof(double));
    if (parts->clusters) clusters_list(parts->clusters, iterations, &out->matched, l);
    if (iterations > 1) layout_add(l, &out->lambda, NULL, d->lambda_count, bytes);
    if (plan_keeps_increments(p, iterations)) layout_add(l, &out->kept, NULL, rows * ROW4, bytes);
    layout_add(l, &out->flow, NULL, flow_scalars(p) + (p->flow.count ? p->field_count : 0), bytes);
    layout_add(l, &out->torque_sums, NULL, (size_t)p->strip_count * TORQUE_SCALARS, bytes);
    layout_add(l, &out->twists, NULL, (size_t)p->component_count * TWIST_SCALARS, bytes);
}

static void find_rows(const state* s, device_state* out)
{
    void* last = mirror_array(&s->rows, STORE_LAST);
    out->row = mirror_array(&s->rows, STORE_ROW);
    out->velocity = mirror_array(&s->rows, STORE_VELOCITY);
    out->residue = mirror_array(&s->rows, STORE_RESIDUE);
    out->force = mirror_array(&s->rows, STORE_FORCE);
    out->contact = mirror_array(&s->rows, STORE_CONTACT);
    out->past = s->plan->second_order ? last : NULL;
    out->lift = s->plan->second_order ? NULL : last;
}

pliant_result create_state(device* d, const state* s, const plan_parts* parts, int iterations,
                           device_copy* c)
{
    layout own = {0};
    void* memory = NULL;
    pliant_result result = mirror_open(d, s->rows.chunk);
    if (result) return result;
    c->chunk = s->rows.chunk;
    find_rows(s, &c->s);
    list_own(s->plan, parts, &c->plan->on_device, iterations, &c->s, &own);
    result = arena_take(d, own.bytes, &memory, &c->block);
    if (result) return result;
    layout_place(&own, memory);
    if (c->s.flow) c->s.field = (char*)c->s.flow + flow_scalars(s->plan) * (size_t)s->scalar_bytes;
    size_t shares = (size_t)plan_share_count(s->plan) * (size_t)s->scalar_bytes;
    if (shares == 0) return PLIANT_OK;
    return cuda_check(
        cudaMemcpyAsync(c->s.share, s->share, shares, cudaMemcpyHostToDevice, d->stream),
        "copying to the GPU");
}

void discard_state(device* d, device_copy* c)
{
    if (c->flow_before) d->bytes -= flow_bytes(c);
    cudaFree(c->flow_before);
    clusters_forget(d, c);
    mirror_close(d, c->chunk);
    arena_give_back(d, c->block);
}

// ---- rows ---------------------------------------------------------------------------------------

// What the arrays of a store belong to.
static unsigned name_of(store_kind k, store_array a)
{
    static const unsigned name[STORE_ARRAYS] = {STATE_ROWS,   STATE_VELOCITIES, STATE_RESIDUES,
                                                STATE_FORCES, STATE_CONTACTS,   STATE_CONTACTS};
    return a == STORE_LAST && k.second_order ? STATE_PASTS : name[a];
}

static cudaError_t transfer(device* d, const store_slice* s, unsigned arrays, bool up)
{
    cudaError_t error = cudaSuccess;
    for (int i = 0; i < STORE_ARRAYS && !error; ++i) {
        const store_kind kind = s->chunk->kind;
        const store_array a = (store_array)i;
        size_t bytes = (size_t)s->rows.count * store_row_bytes(kind, a);
        void *here = slice_array(s, a), *there = mirror_array(s, a);
        if (!(arrays & name_of(kind, a))) continue;
        error = up ? cudaMemcpyAsync(there, here, bytes, cudaMemcpyHostToDevice, d->stream)
                   : cudaMemcpyAsync(here, there, bytes, cudaMemcpyDeviceToHost, d->stream);
    }
    return error;
}

pliant_result device_upload(device* d, const device_rows* rows, int count)
{
    cudaError_t error = cudaSuccess;
    ON_DEVICE(d);
    for (int i = 0; i < count && !error; ++i)
        error = transfer(d, &rows[i].slice, rows[i].arrays, true);
    if (!error) error = cudaStreamSynchronize(d->stream);
    return cuda_check(error, "copying to the GPU");
}

pliant_result device_download(device* d, const device_rows* rows, int count)
{
    pliant_result result = device_wait(d);
    cudaError_t error = cudaSuccess;
    if (result) return result;
    ON_DEVICE(d);
    for (int i = 0; i < count && !error; ++i)
        error = transfer(d, &rows[i].slice, rows[i].arrays, false);
    if (!error) error = cudaStreamSynchronize(d->stream);
    return cuda_check(error, "copying from the GPU");
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

// ---- pressures ----------------------------------------------------------------------------------

pliant_result device_fetch_pressures(device* d, const device_copy* c, double* out,
                                     double* out_drawn, int count)
{
    pliant_result result = device_wait(d);
    if (result) return result;
    ON_DEVICE(d);
    cudaError_t error = cudaMemcpyAsync(out, c->s.pressure, (size_t)count * sizeof *out,
                                        cudaMemcpyDeviceToHost, d->stream);
    if (!error && out_drawn)
        error = cudaMemcpyAsync(out_drawn, c->s.drawn, (size_t)count * sizeof *out_drawn,
                                cudaMemcpyDeviceToHost, d->stream);
    if (!error) error = cudaStreamSynchronize(d->stream);
    return cuda_check(error, "copying from the GPU");
}

// ---- rest shapes that flow ----------------------------------------------------------------------

// They are side by side there, and apart here.
static cudaError_t transfer_flow(device* d, device_copy* c, const state* s, bool up)
{
    void* const here[] = {s->flow, s->field};
    void* const there[] = {c->s.flow, c->s.field};
    size_t first = flow_scalars(s->plan) * (size_t)s->scalar_bytes;
    const size_t bytes[] = {first, flow_bytes(c) - first};
    cudaError_t error = cudaSuccess;
    for (int i = 0; i < 2 && !error; ++i)
        error =
            up ? cudaMemcpyAsync(there[i], here[i], bytes[i], cudaMemcpyHostToDevice, d->stream)
               : cudaMemcpyAsync(here[i], there[i], bytes[i], cudaMemcpyDeviceToHost, d->stream);
    return error ? error : cudaStreamSynchronize(d->stream);
}

pliant_result device_send_shapes(device* d, device_copy* c, const state* s)
{
    ON_DEVICE(d);
    return cuda_check(transfer_flow(d, c, s, true), "copying to the GPU");
}

pliant_result device_fetch_shapes(device* d, device_copy* c, const state* s)
{
    pliant_result result = device_wait(d);
    if (result) return result;
    ON_DEVICE(d);
    return cuda_check(transfer_flow(d, c, s, false), "copying from the GPU");
}

cudaError_t flow_keep(device* d, device_copy* c)
{
    if (!c->s.flow) return cudaSuccess;
    if (!c->flow_before) {
        cudaError_t error = cudaMalloc(&c->flow_before, flow_bytes(c));
        if (error) return error;
        d->bytes += flow_bytes(c);
    }
    return cudaMemcpyAsync(c->flow_before, c->s.flow, flow_bytes(c), cudaMemcpyDeviceToDevice,
                           d->stream);
}

cudaError_t flow_take_back(device* d, const device_copy* c)
{
    if (!c->s.flow) return cudaSuccess;
    return cudaMemcpyAsync(c->s.flow, c->flow_before, flow_bytes(c), cudaMemcpyDeviceToDevice,
                           d->stream);
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
