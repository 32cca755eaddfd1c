// Liquids on a GPU: places and lists (fluid/system.h), and the passes of fluid/passes.h, a particle
// for each thread. Compiled once per precision: -DKERNELS=the table's name [-DPRECISION_DOUBLE].
//
// A gathering is one launch, whose blocks wait for each other, since only there is known whether
// lists have to be made; each pass is a launch of its own, with as many threads at once as its few
// registers allow.
#include "cuda/liquid_list.cuh"
#include "fluid/passes.h"

// ---- the origin ---------------------------------------------------------------------------------

LIQUID void widen(liquid_box* to, const liquid_box& by)
{
    for (int k = 0; k < 3; ++k) {
        to->low[k] = fmin(to->low[k], by.low[k]);
        to->high[k] = fmax(to->high[k], by.high[k]);
    }
}

LIQUID liquid_box no_box(void)
{
    liquid_box b;
    for (int k = 0; k < 3; ++k) {
        b.low[k] = INFINITY;
        b.high[k] = -INFINITY;
    }
    return b;
}

// Of all threads of a block.
LIQUID liquid_box box_of_block(liquid_box mine)
{
    typedef liquid_box of_warps[CREW_THREADS / CREW_WARP];
    SHARED(of_warps, part);
    for (int apart = CREW_WARP / 2; apart > 0; apart /= 2) {
        liquid_box other;
        for (int k = 0; k < 3; ++k) {
            other.low[k] = __shfl_xor_sync(~0u, mine.low[k], apart);
            other.high[k] = __shfl_xor_sync(~0u, mine.high[k], apart);
        }
        widen(&mine, other);
    }
    if (threadIdx.x % CREW_WARP == 0) part[threadIdx.x / CREW_WARP] = mine;
    __syncthreads();
    for (int i = 0; i < CREW_THREADS / CREW_WARP; ++i) widen(&mine, part[i]);
    __syncthreads(); // before the next one
    return mine;
}

LIQUID liquid_box box_of_places(const gathering* m)
{
    liquid_box mine = no_box();
    for (int i = m->thread; i < m->world->total; i += m->threads) {
        const liquid_body* b = &m->world->body[body_of_number(m->world, i)];
        const scalar* row = row_at(b, i - b->first);
        if (!(row[ROW_RADIUS] > 0) || stands_still(m->world, b, 0)) continue;
        liquid_box at;
        for (int k = 0; k < 3; ++k) at.low[k] = at.high[k] = (double)row[k];
        widen(&mine, at);
    }
    return mine;
}

// As fluid/system.c chooses it. Returns whether it is where it was.
static __device__ __noinline__ bool choose_origin(gathering* m)
{
    liquid_box box = box_of_block(box_of_places(m));
    bool same = true;
    if (threadIdx.x == 0) m->of->box[m->block] = box;
    crew_barrier(m);
    box = no_box();
    for (int b = (int)threadIdx.x; b < m->blocks; b += CREW_THREADS) widen(&box, m->of->box[b]);
    box = box_of_block(box);
    for (int k = 0; k < 3; ++k) {
        m->origin[k] = fluid_origin(box.low[k], box.high[k], m->world->spacing);
        same = same && m->origin[k] == m->of->origin[k];
    }
    crew_barrier(m);
    if (m->thread < 3) m->of->origin[m->thread] = m->origin[m->thread];
    return same;
}

// ---- places -------------------------------------------------------------------------------------

LIQUID quad quad_at(const void* array, int place)
{
    return quad_load((const scalar*)array + 4 * (size_t)place);
}
LIQUID void put_quad(void* array, int place, quad q)
{
    quad_store((scalar*)array + 4 * (size_t)place, q);
}

// Returns the place [m].
LIQUID void load_place(const gathering* m, int i, double place[3])
{
    const liquid_memory* l = m->of;
    const liquid_body* b = &m->world->body[l->owner[i]];
    const scalar* row = row_at(b, l->particle[i]);
    const quad x = quad_load(row), d = quad_load(row + ROW_D);
    for (int k = 0; k < 3; ++k) place[k] = (double)x[k] - m->origin[k] + (double)d[k];
    const quad at = quad_of((scalar)place[0], (scalar)place[1], (scalar)place[2], x[ROW_W]);
    scalar pressure = m->first ? 0 : quad_at(m->set.move, i)[3];
    put_quad(m->set.place, i, at);
    put_quad(m->set.motion, i, quad_with_last(d, (scalar)b->viscosity));
    put_quad(m->set.move, i, quad_of(0, 0, 0, pressure));
    // What the first pass wants: the root of the tension; or nothing, since no pairs can take too
    // much.
    if (m->first && m->world->tense)
        put_quad(m->set.press, i, quad_with_last(at, (scalar)sqrt(b->tension)));
    else if (m->first && m->world->sweeps > 0 && !m->world->thick && !m->world->whirls)
        put_quad(m->set.press, i, quad_with_last(at, 0));
}

// Whether somebody is not where lists expect him.
LIQUID bool load_places(const gathering* m)
{
    liquid_memory* l = m->of;
    bool strayed = false;
    for (int i = m->thread; i < l->count; i += m->threads) {
        double place[3];
        load_place(m, i, place);
        float4 from = ((const float4*)l->from)[i], course = ((const float4*)l->course)[i];
        const float at[3] = {from.x, from.y, from.z}, go[3] = {course.x, course.y, course.z};
        strayed = strayed || !span_holds(&m->span, at, go, place);
    }
    if (strayed) *(volatile unsigned*)&l->strayed = m->pass;
    crew_barrier(m);
    return *(volatile unsigned*)&l->strayed == m->pass;
}

// From here on they are expected to go on as they do now. Pressures so far, of those whose place is
// another one now.
LIQUID void load_listed_places(const gathering* m)
{
    liquid_memory* l = m->of;
    for (int i = m->thread; i < l->count; i += m->threads) {
        double place[3];
        load_place(m, i, place);
        const quad at = quad_at(m->set.place, i), go = quad_at(m->set.motion, i);
        const float4 from = {(float)at[0], (float)at[1], (float)at[2], 0},
                     course = {(float)go[0], (float)go[1], (float)go[2], 0};
        ((float4*)l->from)[i] = from;
        ((float4*)l->course)[i] = course;
        if (m->first) continue;
        const liquid_body* b = &m->world->body[l->owner[i]];
        put_quad(m->set.move, i, quad_of(0, 0, 0, (scalar)b->pressure[l->particle[i]]));
    }
}

// ---- kernels ------------------------------------------------------------------------------------

LIQUID void open_gathering(gathering* m, const liquid_work& work)
{
    const liquid_world* w = work.world;
    const liquid_memory* l = w->of;
    join_crew(m, true);
    m->world = w;
    m->of = w->of;
    m->set = w->set;
    m->span = l->span;
    m->span.age += work.first;
    m->pass = l->pass + 1;
    m->substep = work.substep;
    m->first = work.first;
    for (int k = 0; k < 3; ++k) m->origin[k] = l->origin[k];
}

static __global__ void __launch_bounds__(CREW_THREADS)
    gather_kernel(const __grid_constant__ liquid_work work)
{
    gathering m;
    note_start(work);
    if (work.world->of->stopped) return;
    open_gathering(&m, work);
    bool listed = m.of->listed && m.span.age <= m.span.life;
    if (work.first && work.substep == 0) {
        bool same = choose_origin(&m);
        listed = listed && same && !work.world->anew;
    }
    listed = listed && !load_places(&m);
    if (!listed) {
        if (!list_liquid(&m)) return;
        load_listed_places(&m);
    }
    // Everybody has read them: there was a barrier in each way.
    if (m.thread != 0) return;
    m.of->span = m.span;
    m.of->pass = m.pass;
    m.of->listed = true;
}

enum { PASS_THREADS = 128 };

// Of the liquids of a world: a particle at a place.
template <void pass(const liquid_world*, const fluid_set*, int)>
static __global__ void __launch_bounds__(PASS_THREADS)
    pass_kernel(const __grid_constant__ liquid_work work)
{
    const fluid_set s = set_of(work);
    note_start(work);
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < s.count && !work.world->of->stopped) pass(work.world, &s, i);
}

#define PASS_KERNEL(one)                                                                           \
    static __device__ void one(const liquid_world*, const fluid_set* s, int i)                     \
    {                                                                                              \
        one##_liquid(s, i / FLUID_BLOCK, i % FLUID_BLOCK);                                         \
    }
PASS_KERNEL(stick)
PASS_KERNEL(thin)
PASS_KERNEL(press)
PASS_KERNEL(push)
PASS_KERNEL(curl)

// [Pa] Where what surface tension adds to the pressure of a place is kept; NULL: it has none.
LIQUID double* drawn_at(const liquid_world* w, int i)
{
    double* drawn = w->body[w->of->owner[i]].drawn;
    return drawn ? drawn + w->of->particle[i] : NULL;
}

static __device__ void draw(const liquid_world* w, const fluid_set* s, int i)
{
    draw_liquid(s, i / FLUID_BLOCK, i % FLUID_BLOCK);
    double* drawn = drawn_at(w, i);
    if (drawn) *drawn = (double)quad_at(s->wall, i)[3];
}

static __device__ void gauge(const liquid_world* w, const fluid_set* s, int i)
{
    gauge_liquid(s, i / FLUID_BLOCK, i % FLUID_BLOCK);
    double* drawn = drawn_at(w, i);
    if (drawn)
        *drawn += (double)quad_at(s->wall, i)[3] - FLUID_PRESSURE * (double)quad_at(s->move, i)[3];
}

static __device__ void whirl(const liquid_world* w, const fluid_set* s, int i)
{
    whirl_liquid(s, i / FLUID_BLOCK, i % FLUID_BLOCK);
    const liquid_body* b = &w->body[w->of->owner[i]];
    const quad turn = quad_at(s->press, i), move = quad_at(s->move, i);
    double unit = quad_at(s->place, i)[3] > 0 ? w->spacing * b->vorticity : 0;
    scalar to[3];
    for (int k = 0; k < 3; ++k) to[k] = (scalar)((double)move[k] + unit * (double)turn[k]);
    put_quad(s->move, i, quad_of(to[0], to[1], to[2], move[3]));
}

static __device__ void loosen(const liquid_world*, const fluid_set* s, int i)
{
    put_quad(s->press, i, quad_with_last(quad_at(s->place, i), 0));
}

// ---- launches -----------------------------------------------------------------------------------

static int most_blocks(void)
{
    enum { EACH = 2 };
    int device = 0, processors = 0, each = 0;
    if (cudaGetDevice(&device) ||
        cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device) ||
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, gather_kernel, CREW_THREADS, 0)) {
        cudaGetLastError();
        return 0;
    }
    return processors * (each < EACH ? each : EACH);
}

// A barrier takes the longer, the more blocks there are.
static cudaError_t launch_gathering(const liquid_work* w, cudaStream_t stream)
{
    int most = most_blocks(), wanted = (w->total + CREW_THREADS - 1) / CREW_THREADS;
    void* arguments[] = {(void*)w};
    if (most == 0) return cudaErrorLaunchOutOfResources;
    dim3 grid((unsigned)(wanted < most ? wanted : most)), block(CREW_THREADS);
    return cudaLaunchCooperativeKernel(gather_kernel, grid, block, arguments, 0, stream);
}

static cudaError_t launch(const liquid_work* w, cudaStream_t stream)
{
    unsigned blocks = (unsigned)(w->total + PASS_THREADS - 1) / PASS_THREADS;
    switch (w->kind) {
    case LIQUID_GATHER:
        return launch_gathering(w, stream);
    case LIQUID_DRAW:
        return start_kernel(pass_kernel<draw>, blocks, PASS_THREADS, stream, *w);
    case LIQUID_CURL:
        return start_kernel(pass_kernel<curl>, blocks, PASS_THREADS, stream, *w);
    case LIQUID_WHIRL:
        return start_kernel(pass_kernel<whirl>, blocks, PASS_THREADS, stream, *w);
    case LIQUID_GAUGE:
        return start_kernel(pass_kernel<gauge>, blocks, PASS_THREADS, stream, *w);
    case LIQUID_LOOSEN:
        return start_kernel(pass_kernel<loosen>, blocks, PASS_THREADS, stream, *w);
    case LIQUID_STICK:
        return start_kernel(pass_kernel<stick>, blocks, PASS_THREADS, stream, *w);
    case LIQUID_THIN:
        return start_kernel(pass_kernel<thin>, blocks, PASS_THREADS, stream, *w);
    case LIQUID_PRESS:
        return start_kernel(pass_kernel<press>, blocks, PASS_THREADS, stream, *w);
    case LIQUID_PUSH:
        return start_kernel(pass_kernel<push>, blocks, PASS_THREADS, stream, *w);
    case LIQUID_WALLS:
    case LIQUID_LEAVE:
    case LIQUID_KINDS:
        break;
    }
    return cudaErrorInvalidValue;
}

extern "C" const liquid_kernels KERNELS = {launch, most_blocks};
