// Surfaces of plans, as kernels see them.
#include "cuda/contacts_internal.h"

void discard_surface(device* d, plan_surface* s)
{
    if (!s) return;
    cudaFree(s->memory);
    d->bytes -= s->bytes;
    mem_free(s);
}

// `particles`: that it has places at rest of.
static void list_surface(const contact_body* b, size_t particles, contact_surface* there,
                         plan_surface* out, layout* l)
{
    const contact_surface* s = b->surface;
    size_t points = (size_t)s->point_count;
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
    if (s->cluster_start) {
        layout_add(l, (void**)&there->cluster_start, s->cluster_start, particles + 1, sizeof(int));
        layout_add(l, (void**)&there->cluster, s->cluster, (size_t)s->cluster_start[particles],
                   sizeof(int));
    }
    there->source = NULL;
}

static void list_copies(const plan* p, plan_surface* out, layout* l)
{
    size_t particles = (size_t)p->particle_count;
    if (!p->copies.start) return;
    layout_add(l, &out->copy_start, p->copies.start, particles + 1, sizeof(int));
    layout_add(l, &out->copy, p->copies.row, (size_t)p->copies.start[particles], sizeof(int));
}

// Its rows are written there.
static void list_rows(const contact_surface* s, size_t scalar_bytes, plan_surface* out, layout* l)
{
    static const size_t wide[3] = {ROW, ROW4, ROW4};
    for (int k = 0; k < 3; ++k)
        layout_add(l, &out->rows[k], NULL, (size_t)s->point_count * wide[k], scalar_bytes);
}

static pliant_result upload_surface(device* d, const layout* l, plan_surface* s, const char* doing)
{
    pliant_result result = upload_layout(l, &s->memory, doing);
    if (!s->memory) return result;
    s->bytes = l->bytes;
    d->bytes += s->bytes;
    return result;
}

pliant_result contacts_upload_surface(device* d, plan_entry* e, const contact_body* b)
{
    if (e->contact) return PLIANT_OK;
    layout l = {0};
    contact_surface there = *b->surface;
    plan_surface* s = (plan_surface*)mem_alloc_zero(sizeof *s);
    if (!s) return PLIANT_ERROR_MEMORY;
    list_surface(b, (size_t)b->plan->particle_count, &there, s, &l);
    list_copies(b->plan, s, &l);
    pliant_result result = upload_surface(d, &l, s, "the surface of a body");
    if (result)
        discard_surface(d, s);
    else
        e->contact = s;
    return result;
}

// ---- colliders ----------------------------------------------------------------------------------

static size_t count_corners(const contact_surface* s)
{
    int most = -1;
    for (int i = 0; i < s->point_count; ++i)
        if (s->particle[i] > most) most = s->particle[i];
    return (size_t)(most + 1);
}

static bool has_collider(const device_contacts* c, int number, const contact_body* b)
{
    return c->collider[number].of == b->surface && c->collider[number].slot == b->slot &&
           c->collider[number].born == b->born;
}

static bool has_colliders(const device_contacts* c, const contact_system* s)
{
    int count = s->set.body_count - s->set.first_collider;
    if (count != c->collider_count || (count && c->collider_bytes != s->scalar_bytes)) return false;
    for (int i = 0; i < count; ++i)
        if (!has_collider(c, i, &s->set.body[s->set.first_collider + i])) return false;
    return true;
}

void contacts_discard_colliders(device* d, device_contacts* c)
{
    for (int i = 0; i < c->collider_count; ++i) discard_surface(d, c->collider[i].there);
    c->collider_count = 0;
}

static pliant_result upload_collider(device* d, device_contacts* c, const contact_system* s,
                                     const contact_body* b)
{
    layout l = {0};
    contact_surface there = *b->surface;
    plan_surface* to = (plan_surface*)mem_alloc_zero(sizeof *to);
    if (!to) return PLIANT_ERROR_MEMORY;
    list_surface(b, count_corners(b->surface), &there, to, &l);
    list_rows(b->surface, (size_t)s->scalar_bytes, to, &l);
    c->collider[c->collider_count].of = b->surface;
    c->collider[c->collider_count].slot = b->slot;
    c->collider[c->collider_count].born = b->born;
    c->collider[c->collider_count++].there = to;
    return upload_surface(d, &l, to, "the surface of a collider");
}

pliant_result contacts_upload_colliders(device* d, device_contacts* c, const contact_system* s)
{
    if (has_colliders(c, s)) return PLIANT_OK;
    pliant_result result = device_wait(d);
    contacts_discard_colliders(d, c);
    c->collider_bytes = s->scalar_bytes;
    if (!result && !mem_reserve((void**)&c->collider, &c->collider_capacity,
                                s->set.body_count - s->set.first_collider, sizeof *c->collider))
        result = PLIANT_ERROR_MEMORY;
    for (int i = s->set.first_collider; i < s->set.body_count && !result; ++i)
        result = upload_collider(d, c, s, &s->set.body[i]);
    if (result) contacts_discard_colliders(d, c);
    return result;
}
