#include "bench/explicit_plan.h"
#include "constraint/types.h"
#include "partition/partition.h"

// Patches that a core's second cache keeps, and enough of them for many threads. By the mesh alone:
// the number of threads must not change a bit.
enum { LEAST_TETS = 512, MOST_TETS = 4096, MOST_ROWS = 1536, PATCHES_WANTED = 16 };

typedef struct {
    const pliant_asset* asset;
    const pliant_mesh* mesh;
    graph tets;
    int* patch;     // [tet]
    int* tet;       // patch after patch
    int* tet_start; // [patch_count + 1]
    int* home;      // [vertex] its patch; -1 for a shared one
    int* row;       // [vertex] in the last patch that has it
    int row_capacity;
    explicit_plan* out;
} layout;

static bool make_graph(const pliant_mesh* mesh, graph* out)
{
    int* offset = (int*)mem_array((size_t)mesh->tet_count + 1, sizeof *offset);
    for (int i = 0; offset && i <= mesh->tet_count; ++i) offset[i] = 4 * i;
    bool done =
        offset && graph_create(mesh->tet_count, mesh->vertex_count, offset, mesh->tets, out);
    mem_free(offset);
    return done;
}

static bool make_patches(layout* l)
{
    int most = l->mesh->tet_count / PATCHES_WANTED;
    if (most < LEAST_TETS) most = LEAST_TETS;
    if (most > MOST_TETS) most = MOST_TETS;
    const partition_settings settings = {.most_nodes = most, .most_particles = MOST_ROWS};
    l->patch = (int*)mem_array((size_t)l->mesh->tet_count, sizeof *l->patch);
    int count = l->patch ? graph_partition(&l->tets, &settings, l->patch) : -1;
    l->out->patch_count = count;
    if (count < 0) return false;
    l->out->patch = (explicit_patch*)mem_array_zero((size_t)count, sizeof *l->out->patch);
    l->tet = (int*)mem_array((size_t)l->mesh->tet_count, sizeof *l->tet);
    l->tet_start = (int*)mem_array_zero((size_t)count + 2, sizeof *l->tet_start);
    if (!l->out->patch || !l->tet || !l->tet_start) return false;
    // Counting sort; shifted by one, the starts are where they belong at the end.
    for (int t = 0; t < l->mesh->tet_count; ++t) l->tet_start[l->patch[t] + 2]++;
    for (int p = 0; p < count; ++p) l->tet_start[p + 1] += l->tet_start[p];
    for (int t = 0; t < l->mesh->tet_count; ++t) l->tet[l->tet_start[l->patch[t] + 1]++] = t;
    return true;
}

static bool find_homes(layout* l)
{
    size_t vertices = (size_t)l->mesh->vertex_count;
    l->home = (int*)mem_array(vertices, sizeof *l->home);
    l->row = (int*)mem_array(vertices, sizeof *l->row);
    l->out->row = (int*)mem_array(vertices, sizeof *l->out->row);
    if (!l->home || !l->row || !l->out->row) return false;
    for (int v = 0; v < l->mesh->vertex_count; ++v) {
        const int* start = l->tets.node_offset + v;
        l->home[v] = l->patch[l->tets.node[start[0]]];
        for (int i = start[0]; i < start[1]; ++i)
            if (l->patch[l->tets.node[i]] != l->home[v]) l->home[v] = -1;
        l->row[v] = l->out->row[v] = -1;
    }
    return true;
}

static bool add_row(layout* l, int vertex)
{
    explicit_plan* o = l->out;
    if (!mem_reserve((void**)&o->particle, &l->row_capacity, o->row_count + 1, sizeof(int)))
        return false;
    o->particle[o->row_count++] = vertex;
    return true;
}

// Rows of the patch's own particles, or of those that it shares.
static bool add_rows(layout* l, int number, bool shared)
{
    int first = l->out->patch[number].first_row;
    for (int i = l->tet_start[number]; i < l->tet_start[number + 1]; ++i)
        for (int c = 0; c < 4; ++c) {
            int v = l->mesh->tets[4 * (size_t)l->tet[i] + (size_t)c];
            if ((l->home[v] < 0) != shared || l->row[v] >= first) continue;
            l->row[v] = l->out->row_count;
            if (l->out->row[v] < 0) l->out->row[v] = l->row[v];
            if (!add_row(l, v)) return false;
        }
    return true;
}

static bool lay_rows(layout* l, int number)
{
    explicit_plan* o = l->out;
    explicit_patch* p = &o->patch[number];
    p->first_row = o->row_count;
    if (!add_rows(l, number, false)) return false;
    p->own_end = o->row_count;
    if (!add_rows(l, number, true) || !add_row(l, -1)) return false;
    p->row_end = o->row_count;
    return true;
}

// In pairs of floats.
static unsigned row_start(int row) { return EXPLICIT_ROW / 2 * (unsigned)row; }

static void pack_tet(const layout* l, int tet, unsigned* index, float* field)
{
    element e;
    double shape[MAX_FIELDS];
    asset_describe(l->asset, tet, &e);
    type_infos[TYPE_deviatoric].rest(&e, shape); // b1 to b3 come first
    for (int f = 0; f < FIELD_SHEAR; ++f) field[f * EXPLICIT_BLOCK] = (float)shape[f];
    field[FIELD_SHEAR * EXPLICIT_BLOCK] = (float)(e.mu * e.volume);
    field[FIELD_VOLUME * EXPLICIT_BLOCK] = (float)(e.volume / e.volume_compliance);
    for (int c = 0; c < 4; ++c)
        index[c * EXPLICIT_BLOCK] = row_start(l->row[l->mesh->tets[4 * (size_t)tet + (size_t)c]]);
}

// Lanes of a block are far apart in the patch: neighbors in one block would add to the same row
// again and again, each waiting for the last. Constants of padding are zero: it has no force.
static void pack_patch(const layout* l, int number)
{
    const explicit_patch* p = &l->out->patch[number];
    int blocks = p->block_end - p->first_block, first = l->tet_start[number];
    for (int b = 0; b < blocks; ++b) {
        size_t at = (size_t)(p->first_block + b) * EXPLICIT_BLOCK;
        for (int lane = 0; lane < EXPLICIT_BLOCK; ++lane) {
            int i = first + lane * blocks + b;
            unsigned* index = l->out->index + 4 * at + lane;
            if (i < l->tet_start[number + 1])
                pack_tet(l, l->tet[i], index, l->out->field + EXPLICIT_FIELDS * at + lane);
            else
                for (int c = 0; c < 4; ++c) index[c * EXPLICIT_BLOCK] = row_start(p->row_end - 1);
        }
    }
}

static bool make_blocks(explicit_plan* o, const int* tet_start)
{
    for (int p = 0; p < o->patch_count; ++p) {
        int tets = tet_start[p + 1] - tet_start[p];
        o->patch[p].first_block = o->block_count;
        o->block_count += (tets + EXPLICIT_BLOCK - 1) / EXPLICIT_BLOCK;
        o->patch[p].block_end = o->block_count;
    }
    size_t lanes = (size_t)o->block_count * EXPLICIT_BLOCK;
    o->index = (unsigned*)mem_array(lanes, 4 * sizeof *o->index);
    o->field = (float*)mem_array_zero(lanes, EXPLICIT_FIELDS * sizeof *o->field);
    return o->index && o->field;
}

// The rows of shared particles, in the order of their numbers.
static bool list_copies(layout* l)
{
    explicit_plan* o = l->out;
    int rows = 0, *number = l->row; // not needed any more
    for (int v = 0; v < l->mesh->vertex_count; ++v)
        number[v] = l->home[v] < 0 ? o->shared_count++ : -1;
    o->copy_start = (int*)mem_array_zero((size_t)o->shared_count + 2, sizeof *o->copy_start);
    if (!o->copy_start) return false;
    for (int r = 0; r < o->row_count; ++r)
        if (o->particle[r] >= 0 && number[o->particle[r]] >= 0)
            o->copy_start[number[o->particle[r]] + 2]++, ++rows;
    o->copy = (int*)mem_array((size_t)rows + 1, sizeof *o->copy);
    if (!o->copy) return false;
    for (int i = 0; i < o->shared_count; ++i) o->copy_start[i + 1] += o->copy_start[i];
    for (int r = 0; r < o->row_count; ++r)
        if (o->particle[r] >= 0 && number[o->particle[r]] >= 0)
            o->copy[o->copy_start[number[o->particle[r]] + 1]++] = r;
    return true;
}

static bool lay_out(layout* l)
{
    bool good = make_graph(l->mesh, &l->tets) && make_patches(l) && find_homes(l) &&
                make_blocks(l->out, l->tet_start);
    for (int p = 0; good && p < l->out->patch_count; ++p) {
        good = lay_rows(l, p);
        if (good) pack_patch(l, p);
    }
    return good && list_copies(l);
}

static pliant_result check_materials(const pliant_asset* asset)
{
    for (int t = 0; t < asset->mesh->tet_count; ++t) {
        element e;
        asset_describe(asset, t, &e);
        if (!(e.volume_compliance > 0))
            return fail(PLIANT_ERROR_ARGUMENT,
                        "tet %d is incompressible: explicit steps need a Poisson's ratio below 0.5",
                        t);
    }
    return PLIANT_OK;
}

pliant_result explicit_plan_create(const pliant_asset* asset, explicit_plan* out)
{
    layout l = {.asset = asset, .mesh = asset->mesh, .out = out};
    *out = (explicit_plan){0};
    pliant_result result = check_materials(asset);
    if (!result && !lay_out(&l)) result = PLIANT_ERROR_MEMORY;
    graph_destroy(&l.tets);
    mem_free(l.patch);
    mem_free(l.tet);
    mem_free(l.tet_start);
    mem_free(l.home);
    mem_free(l.row);
    if (result) explicit_plan_destroy(out);
    return result;
}

void explicit_plan_destroy(explicit_plan* p)
{
    mem_free(p->patch);
    mem_free(p->index);
    mem_free(p->field);
    mem_free(p->particle);
    mem_free(p->row);
    mem_free(p->copy_start);
    mem_free(p->copy);
    *p = (explicit_plan){0};
}
