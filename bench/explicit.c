#include "bench/explicit.h"
#include "base/platform.h"
#include "base/workers.h"
#include "bench/explicit_kernels.h"
#include "bench/explicit_plan.h"
#include <math.h>
#include <string.h>

struct explicit_body {
    explicit_plan plan;
    const explicit_kernels* kernels;
    workers* workers;
    explicit_rows rows;
    double* rest; // [m] 3 a vertex
    int vertex_count;
};

extern const explicit_kernels explicit_4;
#ifdef PLIANT_X86
extern const explicit_kernels explicit_8_avx2, explicit_16_avx512;
#endif

const explicit_kernels* explicit_kernels_for(int lanes)
{
#ifdef PLIANT_X86
    if (lanes >= 16 && platform_lanes() >= 16) return &explicit_16_avx512;
    if (lanes >= 8 && platform_lanes() >= 8) return &explicit_8_avx2;
#else
    (void)lanes;
#endif
    return &explicit_4;
}

// ---- a substep ----------------------------------------------------------------------------------

// Forces of a patch's tets, and its own particles at once, while they are in the cache.
static void run_patch(int number, void* argument)
{
    const explicit_body* b = (const explicit_body*)argument;
    const explicit_patch* p = &b->plan.patch[number];
    const size_t block = (size_t)p->first_block * EXPLICIT_BLOCK;
    memset(b->rows.force + EXPLICIT_ROW * (ptrdiff_t)p->first_row, 0,
           (size_t)(p->row_end - p->first_row) * EXPLICIT_ROW * sizeof(float));
    b->kernels->add_forces(&b->rows, b->plan.index + 4 * block,
                           b->plan.field + EXPLICIT_FIELDS * block, p->block_end - p->first_block);
    b->kernels->advance(&b->rows, p->first_row, p->own_end);
}

enum { SHARED_GRAIN = 256 };

static void merge_particle(const explicit_body* b, const int* copy, int count)
{
    const size_t first = EXPLICIT_ROW * (size_t)copy[0];
    float* sum = b->rows.force + first;
    for (int c = 1; c < count; ++c)
        for (size_t k = 0; k < 3; ++k) sum[k] += b->rows.force[EXPLICIT_ROW * (size_t)copy[c] + k];
    b->kernels->advance(&b->rows, copy[0], copy[0] + 1);
    for (int c = 1; c < count; ++c)
        memcpy(b->rows.moved + EXPLICIT_ROW * (size_t)copy[c], b->rows.moved + first,
               EXPLICIT_ROW * sizeof(float));
}

// Particles of several patches: their copies' forces, always in the same order.
static void run_shared(int grain, void* argument)
{
    const explicit_body* b = (const explicit_body*)argument;
    int last = (grain + 1) * SHARED_GRAIN;
    if (last > b->plan.shared_count) last = b->plan.shared_count;
    for (int i = grain * SHARED_GRAIN; i < last; ++i) {
        const int* start = b->plan.copy_start + i;
        merge_particle(b, b->plan.copy + start[0], start[1] - start[0]);
    }
}

void explicit_step(explicit_body* body, double dt, int substeps)
{
    int grains = (body->plan.shared_count + SHARED_GRAIN - 1) / SHARED_GRAIN;
    platform_float_mode mode = platform_standard_floats();
    body->rows.h = (float)(dt / substeps);
    for (int s = 0; s < substeps; ++s) {
        workers_run(body->workers, run_patch, body, body->plan.patch_count);
        if (grains) workers_run(body->workers, run_shared, body, grains);
    }
    platform_restore_float_mode(mode);
}

// ---- state --------------------------------------------------------------------------------------

bool explicit_read(const explicit_body* body, double* out_positions, pliant_vec3* out_velocities)
{
    bool finite = true;
    for (int v = 0; v < body->vertex_count; ++v) {
        size_t at = EXPLICIT_ROW * (size_t)body->plan.row[v];
        const float* velocity = body->rows.velocity + at;
        for (size_t k = 0; k < 3; ++k) {
            double moved = (double)body->rows.moved[at + k] + (double)body->rows.residue[at + k];
            out_positions[3 * (size_t)v + k] = body->rest[3 * (size_t)v + k] + moved;
            finite = finite && isfinite(moved) && isfinite(velocity[k]);
        }
        out_velocities[v] = (pliant_vec3){velocity[0], velocity[1], velocity[2]};
    }
    return finite;
}

static void write_row(explicit_body* body, int row, const double position[3], pliant_vec3 velocity)
{
    size_t at = EXPLICIT_ROW * (size_t)row;
    const double* rest = body->rest + 3 * (size_t)body->plan.particle[row];
    float* v = body->rows.velocity + at;
    for (size_t k = 0; k < 3; ++k) {
        double moved = position[k] - rest[k];
        body->rows.moved[at + k] = (float)moved;
        body->rows.residue[at + k] = (float)(moved - (double)(float)moved);
    }
    v[0] = velocity.x;
    v[1] = velocity.y;
    v[2] = velocity.z;
}

void explicit_write(explicit_body* body, const double* positions, const pliant_vec3* velocities)
{
    for (int r = 0; r < body->plan.row_count; ++r) {
        int v = body->plan.particle[r];
        if (v >= 0) write_row(body, r, positions + 3 * (size_t)v, velocities[v]);
    }
}

static void set_constants(explicit_body* b, const explicit_def* def)
{
    for (int r = 0; r < b->plan.row_count; ++r) {
        int v = b->plan.particle[r];
        if (v < 0) continue;
        bool pinned = def->pinned && def->pinned[v];
        b->rows.moved[EXPLICIT_ROW * (ptrdiff_t)r + 3] = (float)b->rest[3 * (ptrdiff_t)v + 1];
        b->rows.velocity[EXPLICIT_ROW * (ptrdiff_t)r + 3] =
            pinned ? 0 : (float)(1 / def->asset->mass[v]);
    }
    for (int k = 0; k < 3; ++k) b->rows.gravity[k] = (float)def->gravity[k];
    b->rows.ground = (float)def->ground;
}

static bool make_state(explicit_body* b, const pliant_mesh* mesh)
{
    size_t rows = (size_t)b->plan.row_count, row = EXPLICIT_ROW * sizeof(float);
    b->rows.moved = (float*)mem_array_zero(rows, row);
    b->rows.residue = (float*)mem_array_zero(rows, row);
    b->rows.velocity = (float*)mem_array_zero(rows, row);
    b->rows.force = (float*)mem_array_zero(rows, row);
    b->rest = (double*)mem_array((size_t)mesh->vertex_count, 3 * sizeof(double));
    if (!b->rows.moved || !b->rows.residue || !b->rows.velocity || !b->rows.force || !b->rest)
        return false;
    memcpy(b->rest, mesh->vertices, (size_t)mesh->vertex_count * 3 * sizeof(double));
    return true;
}

pliant_result explicit_create(const explicit_def* def, explicit_body** out)
{
    explicit_body* b = (explicit_body*)mem_alloc_zero(sizeof *b);
    *out = NULL;
    if (!b) return PLIANT_ERROR_MEMORY;
    pliant_result result = explicit_plan_create(def->asset, &b->plan);
    b->vertex_count = def->asset->mesh->vertex_count;
    b->kernels = explicit_kernels_for(def->lanes ? def->lanes : platform_lanes());
    b->workers = workers_create(def->threads ? def->threads : platform_core_count());
    if (!result && (!b->workers || !make_state(b, def->asset->mesh))) result = PLIANT_ERROR_MEMORY;
    if (result) {
        explicit_destroy(b);
        return result;
    }
    set_constants(b, def);
    *out = b;
    return PLIANT_OK;
}

void explicit_destroy(explicit_body* body)
{
    if (!body) return;
    workers_destroy(body->workers);
    explicit_plan_destroy(&body->plan);
    mem_free(body->rows.moved);
    mem_free(body->rows.residue);
    mem_free(body->rows.velocity);
    mem_free(body->rows.force);
    mem_free(body->rest);
    mem_free(body);
}

int explicit_lanes(const explicit_body* body) { return body->kernels->lanes; }

int explicit_patches(const explicit_body* body) { return body->plan.patch_count; }

int explicit_substeps(const pliant_asset* asset, double dt)
{
    pliant_asset_info info = pliant_asset_describe(asset);
    double omega = hypot(info.shear_frequency, info.volume_frequency);
    return (int)ceil(dt * omega / (0.9 * 2));
}
