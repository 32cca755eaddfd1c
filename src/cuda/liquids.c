#include "cuda/liquids.h"
#include <string.h>

struct device_liquids {
    const fluid_system* told; // and the copies of its members, until the step that takes them
    device_copy* const* copy;
    bool anew;
    fluid_set set;         // where its arrays are; and the rest:
    liquid_memory here;    // as it is there but for what launches change
    liquid_memory* there;  //
    liquid_memory* report; // pinned
    void *memory, *other;  // of all arrays; of who is near
    size_t bytes, other_bytes;
    int total, scalar_bytes; // that there is room for
};

static const liquid_kernels* kernels_of(int scalar_bytes)
{
    return scalar_bytes == 8 ? &liquid_kernels_double : &liquid_kernels_single;
}

pliant_result device_add_liquids(device* d, device_liquids** out)
{
    device_liquids* l = (device_liquids*)mem_alloc_zero(sizeof *l);
    *out = NULL;
    if (!l) return PLIANT_ERROR_MEMORY;
    ON_DEVICE(d);
    cudaError_t error = cudaMalloc((void**)&l->there, sizeof *l->there);
    if (!error) error = cudaMallocHost((void**)&l->report, sizeof *l->report);
    if (error) {
        device_remove_liquids(d, l);
        return cuda_check(error, "liquids");
    }
    memset(l->report, 0, sizeof *l->report);
    *out = l;
    return PLIANT_OK;
}

static void discard(device* d, device_liquids* l)
{
    cudaFree(l->memory);
    cudaFree(l->other);
    d->bytes -= l->bytes + l->other_bytes;
    l->memory = l->other = NULL;
    l->bytes = l->other_bytes = 0;
    l->total = 0;
}

void device_remove_liquids(device* d, device_liquids* l)
{
    if (!l) return;
    ON_DEVICE(d);
    device_wait(d);
    forget_liquids(d, l);
    discard(d, l);
    cudaFree(l->there);
    cudaFreeHost(l->report);
    mem_free(l);
}

// ---- memory -------------------------------------------------------------------------------------

static int block_count(int particles) { return (particles + FLUID_BLOCK - 1) / FLUID_BLOCK; }

static void list_arrays(device_liquids* l, int total, int scalar_bytes, layout* out)
{
    liquid_memory* m = &l->here;
    device_cells* c = &m->cells;
    size_t count = (size_t)total, blocks = (size_t)block_count(total);
    size_t launched = (size_t)kernels_of(scalar_bytes)->blocks() + 1;
    void** const scalars[] = {&l->set.place, &l->set.motion, &l->set.press, &l->set.move,
                              &l->set.wall};
    int** const numbers[] = {&m->owner,     &m->particle, &m->place_of,
                             &m->neighbors, &c->order[0], &c->order[1]};
    grid_ball** const balls[] = {&c->ball, &c->way, &c->sorted_ball, &c->sorted_way};
    c->count = total;
    c->cell_bits = cell_bits_for(total);
    for (int i = 0; i < 5; ++i)
        layout_add(out, scalars[i], NULL, 4 * (count + 1), (size_t)scalar_bytes);
    for (int i = 0; i < 6; ++i) layout_add(out, (void**)numbers[i], NULL, count, sizeof(int));
    for (int i = 0; i < 4; ++i) layout_add(out, (void**)balls[i], NULL, count, sizeof(grid_ball));
    for (int i = 0; i < 2; ++i) layout_add(out, (void**)&c->key[i], NULL, count, sizeof(unsigned));
    layout_add(out, (void**)&m->from, NULL, 4 * count, sizeof(float));
    layout_add(out, (void**)&m->course, NULL, 4 * count, sizeof(float));
    layout_add(out, (void**)&m->found, NULL, blocks * LIQUID_FOUND * FLUID_BLOCK, sizeof(int));
    layout_add(out, (void**)&m->start, NULL, blocks + 1, sizeof(int));
    layout_add(out, (void**)&c->histogram, NULL, launched * CELL_BINS, sizeof(int));
    layout_add(out, (void**)&c->cell, NULL, (size_t)1 << c->cell_bits, sizeof *c->cell);
    layout_add(out, (void**)&m->box, NULL, launched, sizeof *m->box);
    layout_add(out, (void**)&m->sums, NULL, launched, sizeof *m->sums);
}

static cudaError_t reserve_rows(device* d, device_liquids* l, int rows)
{
    size_t bytes = (size_t)rows * FLUID_BLOCK * sizeof(int);
    cudaFree(l->other);
    d->bytes -= l->other_bytes;
    l->other = NULL;
    l->other_bytes = 0;
    cudaError_t error = cudaMalloc(&l->other, bytes);
    if (error) return error;
    d->bytes += l->other_bytes = bytes;
    l->here.other = (int*)l->other;
    l->here.rows = rows;
    return cudaSuccess;
}

// What launches left there is forgotten.
static cudaError_t write(device* d, device_liquids* l)
{
    cudaError_t error =
        cudaMemcpyAsync(l->there, &l->here, sizeof l->here, cudaMemcpyHostToDevice, d->stream);
    return error ? error : cudaStreamSynchronize(d->stream);
}

// Rows that a block takes as a rule: as many as neighbors of who is in the middle of a liquid, and
// some room.
static int usual_rows(const fluid_system* s)
{
    enum { NEIGHBORS = 80 };
    int64_t rows = (int64_t)(block_count(s->total) + 1) * NEIGHBORS;
    int64_t most = INT32_MAX / FLUID_BLOCK;
    return s->room ? s->room : (int)(rows < most ? rows : most);
}

static pliant_result reserve(device* d, device_liquids* l, const fluid_system* s)
{
    layout all = {0};
    if (l->total == s->total && l->scalar_bytes == s->scalar_bytes) return PLIANT_OK;
    pliant_result result = device_wait(d);
    if (result) return result;
    discard(d, l);
    memset(&l->here, 0, sizeof l->here);
    list_arrays(l, s->total, s->scalar_bytes, &all);
    result = upload_layout(&all, &l->memory, "liquids");
    if (l->memory) d->bytes += l->bytes = all.bytes;
    if (!result) result = cuda_check(reserve_rows(d, l, usual_rows(s)), "liquids");
    if (!result) result = cuda_check(write(d, l), "liquids");
    if (result) return result;
    l->set.neighbors = l->here.neighbors;
    l->set.start = l->here.start;
    l->total = s->total;
    l->scalar_bytes = s->scalar_bytes;
    return PLIANT_OK;
}

pliant_result device_describe_liquids(device* d, device_liquids* l, const fluid_system* s,
                                      device_copy* const* copy, bool anew)
{
    ON_DEVICE(d);
    l->told = s;
    l->copy = copy;
    l->anew = anew;
    pliant_result result = reserve(d, l, s);
    for (int i = 0; i < s->member_count && !result; ++i) {
        device_arrays rows; // where their plan has others than particles, they are there now
        result = device_find_arrays(d, copy[i], &rows);
    }
    return result;
}

pliant_result device_read_liquids(device* d, const device_liquids* l, fluid_figures* out)
{
    pliant_result result = device_wait(d);
    if (result) return result;
    const long long* spent = l->report->spent; // [ns]
    long long thin = 0;
    for (int i = LIQUID_DRAW; i <= LIQUID_THIN; ++i) thin += spent[i];
    *out = (fluid_figures){
        .list = 1e-9 * (double)spent[LIQUID_GATHER],
        .thin = 1e-9 * (double)thin,
        .walls = 1e-9 * (double)spent[LIQUID_WALLS],
        .press = 1e-9 * (double)spent[LIQUID_PRESS],
        .push = 1e-9 * (double)spent[LIQUID_PUSH],
        .rest = 1e-9 * (double)(spent[LIQUID_LEAVE] + spent[LIQUID_GAUGE]),
        .lists = l->report->lists,
        .neighbors = l->report->neighbors_listed,
    };
    return PLIANT_OK;
}

// ---- steps --------------------------------------------------------------------------------------

static const unsigned char* pack_axes(packer* p, const body_run* b)
{
    int pinned = b->work.roller_count;
    return pinned ? (const unsigned char*)pack_list(p, b->s->axes, b->s->particle_count, 1) : NULL;
}

static const liquid_body* pack_bodies(packer* p, const device* d, const device_liquids* l)
{
    void* there;
    const fluid_system* s = l->told;
    liquid_body* here = (liquid_body*)pack_claim(p, (size_t)s->member_count * sizeof *here, &there);
    for (int i = 0; i < s->member_count; ++i) {
        const fluid_member* m = &s->member[i];
        const device_copy* c = l->copy[i];
        const liquid_body b = {.row = c->s.row,
                               .contact = c->s.contact,
                               .load = c->load,
                               .pressure = (double*)c->s.pressure,
                               .drawn = (double*)c->s.drawn,
                               .first_row = c->plan->first_row,
                               .axes = pack_axes(p, m->run),
                               .diverged = d->diverged + c->slot,
                               .viscosity = m->viscosity,
                               .tension = m->tension,
                               .adhesion = m->adhesion,
                               .vorticity = m->vorticity,
                               .slips = m->slips,
                               .first = m->first,
                               .row_count = m->run->s->row_count};
        if (here) here[i] = b;
    }
    return (const liquid_body*)there;
}

static const void* pack_walls(packer* p, const device* d, const particle_work* of)
{
    void* there;
    const collider_pose* first = pack_poses(p, of);
    char* here = (char*)pack_claim(p, (size_t)of->collider_count * liquid_wall_bytes(), &there);
    for (int i = 0; i < of->collider_count && here; ++i) {
        const collider* c = &of->colliders[i];
        liquid_wall_fill(c, data_there(d, c), pose_there(p, first, c->way),
                         here + (size_t)i * liquid_wall_bytes());
    }
    return there;
}

packed_liquids pack_liquids(packer* p, const device* d, const step_work* step)
{
    const device_liquids* l = step->liquids;
    packed_liquids out = {.world = NULL};
    if (!l) return out;
    const fluid_system* s = l->told;
    const particle_work* work = &s->member[0].run->work; // all bodies meet the same colliders
    liquid_world w = {.of = l->there,
                      .set = l->set,
                      .body_count = s->member_count,
                      .total = s->total,
                      .wall_count = work->collider_count,
                      .first_meeting = d->next_meeting,
                      .spacing = s->spacing,
                      .substeps = step->substeps,
                      .sweeps = s->sweeps,
                      .thick = s->thick,
                      .tense = s->tense,
                      .whirls = s->whirls,
                      .anew = l->anew};
    w.set.classic = s->set.classic;
    w.set.h = step->dt / step->substeps;
    w.set.part = w.set.h / (s->sweeps ? s->sweeps : 1);
    w.set.kernel = fluid_kernel_of(s->spacing);
    w.body = pack_bodies(p, d, l);
    w.wall = pack_walls(p, d, work);
    w.nearby = (const nearby_tree*)pack_nearby(p, work);
    out.world = (const liquid_world*)pack_list(p, &w, 1, sizeof w);
    out.total = s->total;
    out.scalar_bytes = s->scalar_bytes;
    out.sweeps = s->sweeps;
    out.thick = s->thick;
    out.tense = s->tense;
    out.whirls = s->whirls;
    out.special = meets_special(work);
    return out;
}

cudaError_t liquids_report(const device* d, device_liquids* l)
{
    return cudaMemcpyAsync(l->report, l->there, sizeof *l->report, cudaMemcpyDeviceToHost,
                           d->report);
}

bool liquids_need_more(const device_liquids* l) { return l->report->stopped; }

pliant_result liquids_start_again(device* d, device_liquids* l)
{
    const int64_t most = INT32_MAX / FLUID_BLOCK;
    int needed = l->report->stopped ? l->report->needed : 0;
    int64_t rows = needed + (int64_t)needed / 4;
    cudaError_t error = cudaSuccess;
    if (needed >= most)
        return fail(PLIANT_ERROR_MEMORY,
                    "more than %d pairs of particles of liquids are near each other: use a larger "
                    "spacing, or do not put many at one place",
                    INT32_MAX);
    if (needed) error = reserve_rows(d, l, (int)(rows < most ? rows : most));
    if (!error) {
        l->here.lists = l->report->lists;
        memcpy(l->here.spent, l->report->spent, sizeof l->here.spent);
        error = write(d, l);
    }
    return cuda_check(error, "liquids");
}
