// Liquids on a GPU: colliders beside them (fluid/walls.h), and the end of an iteration, when rows
// take what particles were moved by. For both precisions of the particles.
#define PRECISION_DOUBLE
#include "cuda/liquid.cuh"
#include "cuda/liquid_wall.h"
#include "cuda/machine.cuh"

// ---- which colliders ----------------------------------------------------------------------------

// Whether it is too far to count, as floats say that are on the safe side: most are, and double
// precision is slow on most GPUs.
LIQUID bool is_far(const liquid_wall* w, const collider_pose* pose, const double place[3],
                   double reach)
{
    const probe_shape* shape = &w->at.shape;
    const double* position = pose ? pose->position : shape->position;
    float x[3], size = (float)reach, most = 0, square = 0;
    for (int k = 0; k < 3; ++k) {
        x[k] = (float)(place[k] - position[k]);
        size += fabsf(x[k]);
        square += x[k] * x[k];
    }
    const float slack = 1e-5f * size;
    if (shape->shape != PLIANT_SHAPE_PLANE) {
        float far = (float)(w->reach + reach);
        far = far + slack + 1e-5f * far;
        if (square > far * far) return true;
        if (shape->shape != PLIANT_SHAPE_BOX) return false;
    }
    for (int k = 0; k < 3; ++k) {
        const vec3 axis = shape->axis[k];
        const float a[3] = {(float)(pose ? pose->axis[k][0] : axis.x),
                            (float)(pose ? pose->axis[k][1] : axis.y),
                            (float)(pose ? pose->axis[k][2] : axis.z)};
        float along = a[0] * x[0] + a[1] * x[1] + a[2] * x[2];
        if (shape->shape == PLIANT_SHAPE_PLANE) {
            if (k == 1) most = along;
            continue;
        }
        most = fmaxf(most, fabsf(along) - (float)shape->half[k] * 1.00001f);
    }
    return most > (float)reach + slack;
}

// As it is in the substep.
LIQUID const wall* wall_here(const liquid_wall* w, const collider_pose* pose, wall* scratch)
{
    if (!pose) return &w->at;
    *scratch = w->at;
    scratch->way = pose;
    for (int k = 0; k < 3; ++k) {
        scratch->shape.position[k] = pose->position[k];
        scratch->shape.axis[k] = v3(pose->axis[k][0], pose->axis[k][1], pose->axis[k][2]);
    }
    return scratch;
}

template <bool NOTES, bool SPECIAL>
LIQUID void visit_one(const liquid_world* world, int number, int substep, wall_visit* v)
{
    const liquid_wall* w = (const liquid_wall*)world->wall + number;
    const collider_pose* pose = w->at.way ? w->at.way + substep : NULL;
    wall scratch;
    if (is_far(w, pose, v->at, world->set.kernel.reach)) return;
    const wall* here = wall_here(w, pose, &scratch);
    if (NOTES)
        note_wall(v, here, !SPECIAL);
    else
        visit_wall(v, here, !SPECIAL);
}

// All that may count, ascending.
template <bool NOTES, bool SPECIAL>
LIQUID void visit_walls(const liquid_world* w, int substep, wall_visit* v)
{
    if (!SPECIAL || !w->nearby) {
        ROLLED
        for (int i = 0; i < w->wall_count; ++i) visit_one<NOTES, SPECIAL>(w, i, substep, v);
        return;
    }
    nearby_list near;
    double low[3], high[3];
    for (int k = 0; k < 3; ++k) {
        low[k] = v->at[k] - w->set.kernel.reach;
        high[k] = v->at[k] + w->set.kernel.reach;
    }
    near.more = true;
    for (int after = -1; near.more; after = near.count ? near.number[near.count - 1] : after) {
        nearby_find(w->nearby, low, high, after, &near);
        for (int i = 0; i < near.count; ++i)
            visit_one<NOTES, SPECIAL>(w, near.number[i], substep, v);
    }
}

// ---- passes -------------------------------------------------------------------------------------

LIQUID wall_scene scene_of(const liquid_world* w, const fluid_set* set, int scalar_bytes,
                           bool first)
{
    wall_scene s;
    s.set = set;
    s.scalar_bytes = scalar_bytes;
    for (int k = 0; k < 3; ++k) s.origin[k] = w->of->origin[k];
    s.least = w->spacing / 4;
    s.substeps = w->substeps;
    s.first = first;
    return s;
}

LIQUID void start_visit(wall_visit* v, const wall_scene* s, const liquid_world* w,
                        const void* array, int place)
{
    const liquid_body* b = &w->body[w->of->owner[place]];
    wall_body of = {b->slips ? 0 : b->viscosity, b->adhesion, b->contact, b->load, b->row_count};
    wall_start(v, s, array, (size_t)place, of, (size_t)row_of(b, w->of->particle[place]));
}

// After surface tension, vorticity and sweeps of viscosity.
LIQUID void take_move(const wall_scene* s, int place)
{
    for (size_t k = 0; k < 3; ++k)
        wall_add(s, s->set->place, 4 * (size_t)place + k,
                 wall_get(s, s->set->move, 4 * (size_t)place + k));
}

LIQUID void store_row(const wall_scene* s, const liquid_world* w, int place, int substep)
{
    int particle = w->of->particle[place];
    const liquid_body* b = &w->body[w->of->owner[place]];
    if (stands_still(w, b, substep)) return;
    int axes = b->axes ? b->axes[particle] : 0;
    size_t row = (size_t)row_of(b, particle) * ROW + ROW_D;
    for (size_t k = 0; k < 3; ++k) {
        double move = axes >> k & 1 ? 0 : wall_get(s, s->set->move, 4 * (size_t)place + k);
        wall_add(s, b->row, row + k, move);
    }
    b->pressure[particle] = wall_get(s, s->set->move, 4 * (size_t)place + 3);
}

enum { WALL_THREADS = 128 };

template <int BYTES, bool SPECIAL>
static __global__ void __launch_bounds__(WALL_THREADS)
    walls_kernel(const __grid_constant__ liquid_work work)
{
    const liquid_world* w = work.world;
    const fluid_set set = set_of(work);
    const wall_scene s = scene_of(w, &set, BYTES, work.first);
    note_start(work);
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= set.count || w->of->stopped) return;
    wall_visit v;
    if (work.first && (w->sweeps > 0 || w->tense || w->whirls)) take_move(&s, i);
    start_visit(&v, &s, w, set.place, i);
    visit_walls<false, SPECIAL>(w, work.substep, &v);
    leave_walls(&v);
}

template <int BYTES, bool SPECIAL>
static __global__ void __launch_bounds__(WALL_THREADS)
    leave_kernel(const __grid_constant__ liquid_work work)
{
    const liquid_world* w = work.world;
    const fluid_set set = set_of(work);
    const wall_scene s = scene_of(w, &set, BYTES, work.first);
    note_start(work);
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= set.count || w->of->stopped) return;
    if (is_pressed_by_walls(&s, (size_t)i)) {
        wall_visit v;
        start_visit(&v, &s, w, set.press, i);
        visit_walls<true, SPECIAL>(w, work.substep, &v);
    }
    store_row(&s, w, i, work.substep);
}

template <int BYTES, bool SPECIAL>
static cudaError_t launch(const liquid_work* w, cudaStream_t stream)
{
    unsigned blocks = (unsigned)(w->total + WALL_THREADS - 1) / WALL_THREADS;
    return start_kernel(w->kind == LIQUID_WALLS ? walls_kernel<BYTES, SPECIAL>
                                                : leave_kernel<BYTES, SPECIAL>,
                        blocks, WALL_THREADS, stream, *w);
}

extern "C" cudaError_t liquid_walls_launch(const liquid_work* w, int scalar_bytes,
                                           cudaStream_t stream)
{
    if (scalar_bytes == 4)
        return w->special ? launch<4, true>(w, stream) : launch<4, false>(w, stream);
    return w->special ? launch<8, true>(w, stream) : launch<8, false>(w, stream);
}
