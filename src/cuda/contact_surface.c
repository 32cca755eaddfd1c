// Surfaces of plans, as kernels see them.
#include "cuda/contacts_internal.h"

void discard_surface(device* d, plan_surface* s)
{
    if (!s) return;
    cudaFree(s->memory);
    d->bytes -= s->bytes;
    mem_free(s);
}

static cudaError_t upload_parts(const layout* l)
{
    cudaError_t error = cudaSuccess;
    for (int i = 0; i < l->count && !error; ++i)
        error = cudaMemcpy(*l->part[i].pointer, l->part[i].source, l->part[i].bytes,
                           cudaMemcpyHostToDevice);
    return error;
}

static void list_surface(const contact_body* b, contact_surface* there, plan_surface* out,
                         layout* l)
{
    const contact_surface* s = b->surface;
    const copies* k = &b->plan->copies;
    size_t particles = (size_t)b->plan->particle_count, points = (size_t)s->point_count;
    layout_add(l, &out->surface, there, 1, sizeof *there);
    layout_add(l, (void**)&there->particle, s->particle, points, sizeof(int));
    layout_add(l, (void**)&there->element, s->element, (size_t)s->element_count,
               sizeof *s->element);
    layout_add(l, (void**)&there->edge, s->edge, (size_t)s->edge_count, sizeof *s->edge);
    layout_add(l, (void**)&there->neighbor_start, s->neighbor_start, points + 1, sizeof(int));
    layout_add(l, (void**)&there->neighbor, s->neighbor, (size_t)s->neighbor_start[points],
               sizeof(int));
    layout_add(l, (void**)&there->rest, s->rest, 3 * particles, sizeof(double));
    layout_add(l, &out->row, b->row, points, sizeof(int));
    if (!k->start) return;
    layout_add(l, &out->copy_start, k->start, particles + 1, sizeof(int));
    layout_add(l, &out->copy, k->row, (size_t)k->start[particles], sizeof(int));
}

pliant_result contacts_upload_surface(device* d, plan_entry* e, const contact_body* b)
{
    if (e->contact) return PLIANT_OK;
    layout l = {0};
    contact_surface there = *b->surface;
    plan_surface* s = (plan_surface*)mem_alloc_zero(sizeof *s);
    if (!s) return PLIANT_ERROR_MEMORY;
    list_surface(b, &there, s, &l);
    there.source = NULL;
    cudaError_t error = cudaMalloc(&s->memory, l.bytes);
    if (!error) layout_place(&l, s->memory);
    if (!error) error = upload_parts(&l);
    if (!error) error = cudaStreamSynchronize(NULL);
    if (error) {
        cudaFree(s->memory);
        mem_free(s);
        return cuda_check(error, "the surface of a body");
    }
    s->bytes = l.bytes;
    d->bytes += s->bytes;
    e->contact = s;
    return PLIANT_OK;
}
