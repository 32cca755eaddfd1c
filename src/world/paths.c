#include "world/paths.h"
#include "base/sort.h"
#include "world/residency.h"
#include <string.h>

// Of a particle's mass, what this copy has. Copies that work in turns have all of it, one after the
// other, and so have those of bodies without patches: then the first one counts.
static double share_of_row(const body* b, int particle, int row)
{
    const plan* p = &b->asset->plan;
    if (!p->patched || !p->split) return row == plan_row(p, particle, 0) ? 1 : 0;
    double of_row = state_get(b->s.row, (size_t)row * ROW + ROW_W, p->scalar_bytes);
    return of_row > 0 ? state_read_inverse_mass(&b->s, particle) / of_row : 0;
}

// The paths of particles as paths of their rows, in the order of the rows and, of one row, in the
// order that they have. Returns how many, -1 when memory runs out.
static int list_rows(body* b, const path* list, int count, path** rows, int* capacity)
{
    const plan* p = &b->asset->plan;
    int64_t needed = 0;
    if (count == 0) return 0;
    for (int i = 0; i < count; ++i) needed += plan_copy_count(p, list[i].particle);
    if (!mem_reserve((void**)rows, capacity, needed, sizeof(path)) ||
        !mem_reserve((void**)&b->path_keys, &b->path_key_capacity, needed, sizeof(uint64_t)))
        return -1;
    int found = 0;
    for (int i = 0; i < count; ++i)
        for (int k = 0; k < plan_copy_count(p, list[i].particle); ++k)
            b->path_keys[found++] = (uint64_t)plan_row(p, list[i].particle, k) << 32 | (uint32_t)i;
    sort_keys(b->path_keys, found);
    for (int i = 0; i < found; ++i) {
        path* one = &(*rows)[i];
        *one = list[b->path_keys[i] & UINT32_MAX];
        one->row = (int)(b->path_keys[i] >> 32);
        one->share = share_of_row(b, one->particle, one->row);
        memset(one->force, 0, sizeof one->force);
    }
    return found;
}

bool body_list_paths(body* b, particle_work* out)
{
    out->mover_count =
        list_rows(b, b->movers, b->mover_count, &b->row_movers, &b->row_mover_capacity);
    out->holder_count =
        list_rows(b, b->holders, b->holder_count, &b->row_holders, &b->row_holder_capacity);
    out->movers = b->row_movers;
    out->holders = b->row_holders;
    b->row_holder_count = out->holder_count > 0 ? out->holder_count : 0;
    b->holders_there = b->remote && out->holder_count > 0;
    return out->mover_count >= 0 && out->holder_count >= 0;
}

// The keys of the list are still those of the holders, which are listed last.
void body_note_holders(body* b)
{
    for (int i = 0; i < b->row_holder_count; ++i) {
        const path* one = &b->row_holders[i];
        path* holder = &b->holders[b->path_keys[i] & UINT32_MAX];
        memcpy(holder->force, one->force, sizeof holder->force); // copies have the same
    }
    b->row_holder_count = 0;
}

bool body_fetch_holders(const pliant_world* world, body* b)
{
    if (!b->holders_there) return true;
    if (device_read_holders(*world->gpu, b->remote, b->row_holders, b->row_holder_count) !=
        PLIANT_OK)
        return false;
    b->holders_there = false;
    body_note_holders(b);
    return true;
}
