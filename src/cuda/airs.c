// Air on a device: what of a body's outside is constant, and what a step is told.
#include "cuda/airs.h"
#include "cuda/pack.h"
#include <string.h>

struct device_air {
    void* memory;
    size_t bytes;
    air_view view; // but for the body's rows
    int *copy_start, *copy;
    void* pushed;
    air_sum *sum, *total;
    double* wind;
};

// ---- memory -------------------------------------------------------------------------------------

void air_forget(device* d, device_copy* c)
{
    if (!c->air) return;
    d->bytes -= c->air->bytes;
    cudaFree(c->air->memory);
    mem_free(c->air);
    c->air = NULL;
}

// Rows of all particles of the points. NULL: no memory.
static int* list_copies(const air_skin* a, const plan* p, int* out_start)
{
    const contact_surface* of = a->surface;
    int count = 0, at = 0;
    for (int i = 0; i < of->point_count; ++i) {
        out_start[i] = count;
        count += plan_copy_count(p, of->particle[i]);
    }
    out_start[of->point_count] = count;
    int* rows = (int*)mem_array((size_t)count + 1, sizeof *rows);
    for (int i = 0; i < of->point_count && rows; ++i)
        for (int k = 0; k < plan_copy_count(p, of->particle[i]); ++k)
            rows[at++] = plan_row(p, of->particle[i], k);
    return rows;
}

static pliant_result upload(device_air* to, const air_skin* a, const state* s, const int* start,
                            const int* rows)
{
    layout l = {0};
    const contact_surface* of = a->surface;
    size_t elements = (size_t)of->element_count, points = (size_t)of->point_count;
    air_view* v = &to->view;
    layout_add(&l, (void**)&v->corner, a->corner, 3 * elements, sizeof(int));
    layout_add(&l, (void**)&v->row, a->row, points, sizeof(int));
    layout_add(&l, (void**)&v->lightness, a->lightness, 3 * elements, sizeof(double));
    layout_add(&l, (void**)&v->use_start, a->use_start, points + 1, sizeof(int));
    layout_add(&l, (void**)&v->use, a->use, (size_t)a->use_start[points], sizeof(int));
    layout_add(&l, (void**)&to->wind, NULL, 3 * points, sizeof(double));
    layout_add(&l, (void**)&v->force, NULL, 3 * elements, sizeof(double));
    layout_add(&l, (void**)&v->mean, NULL, 3 * points, sizeof(double));
    layout_add(&l, (void**)&to->copy_start, start, points + 1, sizeof(int));
    layout_add(&l, (void**)&to->copy, rows, (size_t)start[points], sizeof(int));
    layout_add(&l, (void**)&to->sum, NULL, (size_t)air_pieces((int)elements), sizeof(air_sum));
    layout_add(&l, (void**)&to->total, NULL, 1, sizeof(air_sum));
    layout_add(&l, &to->pushed, NULL, (size_t)s->row_count * ROW4, (size_t)s->scalar_bytes);
    to->bytes = l.bytes;
    pliant_result result = upload_layout(&l, &to->memory, "air");
    v->wind = to->wind;
    v->scalar_bytes = s->scalar_bytes;
    v->sides = a->sides;
    v->diameter = a->diameter;
    return result;
}

static pliant_result describe(device* d, const air_member* m, device_copy* c)
{
    const air_skin* a = m->skin;
    if (c->air) return PLIANT_OK;
    int* start = (int*)mem_array((size_t)a->surface->point_count + 1, sizeof *start);
    int* rows = start ? list_copies(a, m->run->plan, start) : NULL;
    c->air = (device_air*)mem_alloc_zero(sizeof *c->air);
    pliant_result result =
        rows && c->air ? upload(c->air, a, m->run->s, start, rows) : PLIANT_ERROR_MEMORY;
    if (c->air) d->bytes += c->air->bytes;
    if (result) air_forget(d, c);
    mem_free(start);
    mem_free(rows);
    return result;
}

pliant_result device_describe_air(device* d, const device_airs* told)
{
    pliant_result result = PLIANT_OK;
    ON_DEVICE(d);
    for (int i = 0; i < told->s->member_count && !result; ++i)
        result = describe(d, &told->s->member[i], told->copy[i]);
    return result;
}

pliant_result device_fetch_air(device* d, const device_copy* c, air_skin* out)
{
    pliant_result result = device_wait(d);
    if (result || !c->air) return result;
    ON_DEVICE(d);
    cudaError_t error = cudaMemcpyAsync(out->mean, c->air->view.mean,
                                        3 * (size_t)out->surface->point_count * sizeof(double),
                                        cudaMemcpyDeviceToHost, d->stream);
    if (!error)
        error = cudaMemcpyAsync(&out->total, c->air->total, sizeof out->total,
                                cudaMemcpyDeviceToHost, d->stream);
    if (!error) error = cudaStreamSynchronize(d->stream);
    return cuda_check(error, "copying air from the GPU");
}

void* air_pushed(const device_copy* c) { return c->air ? c->air->pushed : NULL; }

// ---- steps --------------------------------------------------------------------------------------

static const wind_field* pack_field(packer* p, const wind_field* f)
{
    wind_field there = *f;
    there.winds = (const pliant_wind_def*)pack_list(p, f->winds, f->wind_count, sizeof *f->winds);
    return (const wind_field*)pack_list(p, &there, 1, sizeof there);
}

static air_body body_of(const device* d, const air_member* m, const device_copy* c)
{
    const device_air* a = c->air;
    const contact_surface* of = m->skin->surface;
    air_body b = {.view = a->view,
                  .rules = m->rules,
                  .elements = of->element_count,
                  .points = of->point_count,
                  .row_count = m->run->s->row_count,
                  .copy_start = a->copy_start,
                  .copy = a->copy,
                  .force = c->s.force,
                  .residue = c->s.residue,
                  .pushed = a->pushed,
                  .sum = a->sum,
                  .total = a->total,
                  .wind = a->wind,
                  .diverged = d->diverged + c->slot,
                  .first_meeting = d->next_meeting};
    b.view.rows = c->s.row;
    b.view.velocity = c->s.velocity;
    b.view.rigid = c->rigid < 0 ? NULL : d->rigid.there + c->rigid;
    return b;
}

static int pieces_of(const air_body* b)
{
    int most = b->row_count > b->points ? b->row_count : b->points;
    if (b->elements > most) most = b->elements;
    return (most + AIR_THREADS - 1) / AIR_THREADS;
}

packed_air pack_air(packer* p, const device* d, const step_work* step)
{
    packed_air out = {.count = 0};
    void* there;
    int number = 0;
    for (int w = 0; w < step->air_count; ++w) out.count += step->airs[w]->s->member_count;
    if (out.count == 0) return out;
    air_body* here = (air_body*)pack_claim(p, (size_t)out.count * sizeof *here, &there);
    out.body = (const air_body*)there;
    for (int w = 0; w < step->air_count; ++w) {
        const air_system* s = step->airs[w]->s;
        const wind_field* field = pack_field(p, s->field);
        for (int i = 0; i < s->member_count; ++i) {
            air_body b = body_of(d, &s->member[i], step->airs[w]->copy[i]);
            b.field = field;
            b.time = s->time;
            keep_most(&out.pieces, pieces_of(&b));
            if (here) here[number++] = b;
        }
    }
    return out;
}
