#include "plan/layout.h"
#include <stdlib.h>
#include <string.h>

// ---- nodes by patch -----------------------------------------------------------------------------

bool patch_nodes_create(const plan* p, patch_nodes* out)
{
    out->start = (int*)mem_array_zero((size_t)p->patch_count + 2, sizeof(int));
    out->node = (int*)mem_array((size_t)p->node_count, sizeof(int));
    if (!out->start || !out->node) {
        patch_nodes_destroy(out);
        return false;
    }
    // Shifted by two, so that filling in leaves the starts.
    for (int i = 0; i < p->node_count; ++i) out->start[p->node_patch[i] + 2]++;
    for (int i = 0; i < p->patch_count; ++i) out->start[i + 2] += out->start[i + 1];
    for (int i = 0; i < p->node_count; ++i) out->node[out->start[p->node_patch[i] + 1]++] = i;
    return true;
}

void patch_nodes_destroy(patch_nodes* n)
{
    mem_free(n->start);
    mem_free(n->node);
    n->start = n->node = NULL;
}

// ---- copies of particles ------------------------------------------------------------------------

typedef struct {
    const plan_source* s;
    const int* corner_copy;
    plan* p;
    patch_nodes nodes;
    int* seen;     // of each particle: 1 + the patch at hand, or an earlier one
    int* in_patch; // of each particle: its copies in that patch
    int* first;    // of each particle: its first row there, counted from the patch's
    int* list;     // particles of the patch at hand
    int list_count;
} layout;

static int compare_ints(const void* a, const void* b)
{
    int x = *(const int*)a, y = *(const int*)b;
    return x < y ? -1 : x > y;
}

// Lists the particles of a patch, ascending, with the number of their copies in it.
static void list_particles(layout* l, int patch_number)
{
    const plan_source* s = l->s;
    l->list_count = 0;
    for (int n = l->nodes.start[patch_number]; n < l->nodes.start[patch_number + 1]; ++n) {
        int node = l->nodes.node[n];
        for (int c = s->offset[node]; c < s->offset[node + 1]; ++c) {
            int particle = s->particle[c], copies_here = l->corner_copy[c] + 1;
            if (l->seen[particle] != patch_number + 1) {
                l->seen[particle] = patch_number + 1;
                l->in_patch[particle] = 0;
                l->list[l->list_count++] = particle;
            }
            if (copies_here > l->in_patch[particle]) l->in_patch[particle] = copies_here;
        }
    }
    qsort(l->list, (size_t)l->list_count, sizeof(int), compare_ints);
}

// copies.start counts; then it points.
static bool count_copies(layout* l)
{
    plan* p = l->p;
    int* start = (int*)mem_array_zero((size_t)p->particle_count + 1, sizeof(int));
    if (!start) return false;
    p->copies.start = start;
    for (int i = 0; i < p->patch_count; ++i) {
        list_particles(l, i);
        for (int k = 0; k < l->list_count; ++k) start[l->list[k] + 1] += l->in_patch[l->list[k]];
    }
    for (int i = 0; i < p->particle_count; ++i) start[i + 1] += start[i];
    memset(l->seen, 0, (size_t)p->particle_count * sizeof(int));
    p->copies.row = (int*)mem_array((size_t)start[p->particle_count], sizeof(int));
    return p->copies.row != NULL;
}

// ---- rows of a patch ----------------------------------------------------------------------------

// Rows start on a cache line, in every array of rows. One more, for padding: lanes of one thread
// may share it, since it does not move.
int64_t patch_room(int rows)
{
    enum { ROW_ALIGNMENT = 4 };
    return ((int64_t)rows + 1 + ROW_ALIGNMENT - 1) / ROW_ALIGNMENT * ROW_ALIGNMENT;
}

static void take_row(layout* l, patch* t, int particle, int* next_copy)
{
    int* row = l->p->copies.row + l->p->copies.start[particle];
    row[next_copy[particle]++] = t->first_row + t->row_count++;
}

static void take_rows(layout* l, patch* t, int* next_copy)
{
    const plan* p = l->p;
    t->first_row = p->row_count;
    t->row_count = 0;
    for (int shared = 0; shared < 2; ++shared) {
        for (int k = 0; k < l->list_count; ++k) {
            int particle = l->list[k];
            if ((plan_copy_count(p, particle) > 1) != shared) continue;
            l->first[particle] = t->row_count;
            for (int c = 0; c < l->in_patch[particle]; ++c) take_row(l, t, particle, next_copy);
        }
        if (!shared) t->inner_count = t->row_count;
    }
    t->first_slot = p->copies.slot_count;
}

static void place_corners(const layout* l, int patch_number, int* out_corner_row)
{
    for (int n = l->nodes.start[patch_number]; n < l->nodes.start[patch_number + 1]; ++n) {
        int node = l->nodes.node[n];
        for (int c = l->s->offset[node]; c < l->s->offset[node + 1]; ++c)
            out_corner_row[c] = l->first[l->s->particle[c]] + l->corner_copy[c];
    }
}

static bool fill_rows(layout* l, int* out_corner_row)
{
    plan* p = l->p;
    int* next_copy = (int*)mem_array_zero((size_t)p->particle_count, sizeof(int));
    if (!next_copy) return false;
    p->row_count = 0;
    for (int i = 0; i < p->patch_count; ++i) {
        patch* t = &p->patch[i];
        list_particles(l, i);
        take_rows(l, t, next_copy);
        place_corners(l, i, out_corner_row);
        p->copies.slot_count += t->row_count - t->inner_count;
        p->row_count += (int)patch_room(t->row_count);
    }
    mem_free(next_copy);
    return true;
}

// ---- sources ------------------------------------------------------------------------------------

static int turn_of_row(const plan* p, int row) { return p->patch[plan_patch_of_row(p, row)].turn; }

// The slots of a particle, by the turns of their patches; those of one turn, which are of one
// patch, as they are.
static void order_slots(const plan* p, int particle, int* out)
{
    int count = 0;
    for (int turn = 0; turn < p->turn_count; ++turn)
        for (int k = 0; k < plan_copy_count(p, particle); ++k) {
            int row = plan_row(p, particle, k);
            if (turn_of_row(p, row) == turn) out[count++] = plan_slot_of_row(p, row);
        }
}

static void list_sources(plan* p, int particle)
{
    copies* c = &p->copies;
    int count = plan_copy_count(p, particle);
    int* first = c->source + c->source_start[plan_slot_of_row(p, plan_row(p, particle, 0))];
    order_slots(p, particle, first);
    for (int k = 0; k < count; ++k) {
        int* sources = c->source + c->source_start[first[k]];
        if (sources != first) memcpy(sources, first, (size_t)count * sizeof(int));
        c->before[first[k]] = k > 0 ? first[k - 1] : -1;
    }
}

bool layout_find_sources(plan* p)
{
    copies* c = &p->copies;
    size_t slots = (size_t)c->slot_count;
    c->source_start = (int*)mem_array_zero(slots + 1, sizeof(int));
    c->before = (int*)mem_array(slots, sizeof(int));
    c->first = (int*)mem_array((size_t)p->particle_count, sizeof(int));
    if (!c->source_start || !c->before || !c->first) return false;
    for (int i = 0; i < p->particle_count; ++i) {
        int count = plan_copy_count(p, i);
        c->first[i] = plan_row(p, i, 0);
        c->shared_count += count > 1;
        for (int k = 0; k < count && count > 1; ++k)
            c->source_start[plan_slot_of_row(p, plan_row(p, i, k)) + 1] = count;
    }
    for (int i = 0; i < c->slot_count; ++i) c->source_start[i + 1] += c->source_start[i];
    c->source = (int*)mem_array((size_t)c->source_start[c->slot_count], sizeof(int));
    for (int i = 0; i < p->particle_count && c->source; ++i)
        if (plan_copy_count(p, i) > 1) list_sources(p, i);
    return c->source != NULL;
}

// The same weight for all copies of a particle.
static void share_alike(copies* c)
{
    for (int slot = 0; slot < c->slot_count; ++slot)
        c->share[slot] = 1.0 / (c->source_start[slot + 1] - c->source_start[slot]);
}

// A copy has the mass that its own nodes give it.
static bool share_masses(const plan_source* s, plan* p, const int* corner_row)
{
    copies* c = &p->copies;
    c->share = (double*)mem_array_zero((size_t)c->slot_count, sizeof(double));
    if (!c->share) return false;
    for (int n = 0; n < s->node_count; ++n) {
        const patch* t = &p->patch[p->node_patch[n]];
        for (int k = s->offset[n]; k < s->offset[n + 1]; ++k)
            if (corner_row[k] >= t->inner_count)
                c->share[t->first_slot + corner_row[k] - t->inner_count] += s->corner_mass[n];
    }
    if (!p->split) {
        share_alike(c);
        return true;
    }
    // All of a particle at once, at the first of them.
    for (int slot = 0; slot < c->slot_count; ++slot) {
        const int *first = c->source + c->source_start[slot],
                  *end = c->source + c->source_start[slot + 1];
        double sum = 0;
        if (*first != slot) continue;
        for (const int* k = first; k < end; ++k) sum += c->share[*k];
        for (const int* k = first; k < end; ++k) c->share[*k] /= sum;
    }
    return true;
}

// ---- together -----------------------------------------------------------------------------------

bool layout_create(const plan_source* s, const int* corner_copy, plan* p, int* out_corner_row)
{
    size_t particles = (size_t)s->particle_count;
    layout l = {.s = s,
                .corner_copy = corner_copy,
                .p = p,
                .seen = (int*)mem_array_zero(particles, sizeof(int)),
                .in_patch = (int*)mem_array(particles, sizeof(int)),
                .first = (int*)mem_array(particles, sizeof(int)),
                .list = (int*)mem_array(particles, sizeof(int))};
    bool good = l.seen && l.in_patch && l.first && l.list && patch_nodes_create(p, &l.nodes) &&
                count_copies(&l) && fill_rows(&l, out_corner_row) && layout_find_sources(p) &&
                share_masses(s, p, out_corner_row);
    patch_nodes_destroy(&l.nodes);
    mem_free(l.seen);
    mem_free(l.in_patch);
    mem_free(l.first);
    mem_free(l.list);
    return good;
}

void layout_trivial(const plan_source* s, plan* p, int* out_corner_row)
{
    p->patch[0] = (patch){.inner_count = s->particle_count, .row_count = s->particle_count};
    p->row_count = s->particle_count;
    memcpy(out_corner_row, s->particle, (size_t)s->offset[s->node_count] * sizeof(int));
}

// ---- phantoms -----------------------------------------------------------------------------------

static bool count_phantoms(const plan_source* s, const int* corner_copy, plan* p)
{
    int* start = (int*)mem_array_zero((size_t)s->particle_count + 1, sizeof(int));
    if (!start) return false;
    p->copies.phantom = start;
    for (int c = 0; c < s->offset[s->node_count]; ++c) {
        int* count = &start[s->particle[c] + 1];
        if (corner_copy[c] > *count) *count = corner_copy[c];
    }
    for (int i = 0; i < s->particle_count; ++i) {
        p->copies.shared_count += start[i + 1] > 0;
        start[i + 1] += start[i];
    }
    p->copies.slot_count = p->copies.shared_count + start[s->particle_count];
    return true;
}

// Of the mass that the nodes give which work on copies; or alike for all that have such a node.
static void share_rows(const plan_source* s, const int* node_color, const int* corner_row, plan* p)
{
    double* share = p->copies.share;
    for (int n = 0; n < s->node_count; ++n)
        for (int c = s->offset[n]; c < s->offset[n + 1] && node_color[n] >= p->spread_color; ++c)
            share[corner_row[c]] = p->split ? share[corner_row[c]] + s->corner_mass[n] : 1;
    for (int i = 0; i < s->particle_count; ++i) {
        double sum = share[i], *first = share + s->particle_count + p->copies.phantom[i],
               *end = share + s->particle_count + p->copies.phantom[i + 1];
        for (double* k = first; k < end; ++k) sum += *k;
        for (double* k = first; k < end; ++k) *k /= sum;
        if (first < end) share[i] /= sum;
    }
}

bool layout_copied(const plan_source* s, const int* corner_copy, const int* node_color, plan* p,
                   int* out_corner_row)
{
    if (!count_phantoms(s, corner_copy, p)) return false;
    int rows = s->particle_count + plan_phantom_count(p);
    p->patch[0] = (patch){.inner_count = rows,
                          .row_count = rows,
                          .first_color = p->patch[0].first_color,
                          .color_count = p->patch[0].color_count};
    p->row_count = rows;
    for (int c = 0; c < s->offset[s->node_count]; ++c) {
        int i = s->particle[c], copy = corner_copy[c];
        out_corner_row[c] = copy > 0 ? s->particle_count + p->copies.phantom[i] + copy - 1 : i;
    }
    p->copies.share = (double*)mem_array_zero((size_t)rows, sizeof(double));
    if (p->copies.share) share_rows(s, node_color, out_corner_row, p);
    return p->copies.share != NULL;
}

void copies_destroy(copies* c)
{
    mem_free(c->phantom);
    mem_free(c->start);
    mem_free(c->row);
    mem_free(c->first);
    mem_free(c->source_start);
    mem_free(c->source);
    mem_free(c->before);
    mem_free(c->share);
}
