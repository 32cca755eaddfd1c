// Which particles the elements of torn bodies have, as bytes of a snapshot: numbers of 4 bytes. For
// each body its slot, how many particles, corners and bonds it says something of, then of each new
// particle the one that it parted from, of each corner that is not as it was first its number and
// its particle; then what was spent and its bonds, whose reals are two numbers each.
#include "world/residency.h"
#include "world/tearing.h"
#include <math.h>
#include <string.h>

enum { WORDS = 4, SPENT = 2, BOND_REALS = 4, BOND = 2 + 2 * BOND_REALS }; // before the lists, ...

static const int* first_corners(const body_tear* t, int corner)
{
    const pliant_mesh* m = t->whole->mesh;
    int faces = 4 * t->stars.tet_count, edges = faces + 3 * t->stars.triangle_count;
    return corner < faces   ? m->tets + corner
           : corner < edges ? m->triangles + (corner - faces)
                            : m->edges + (corner - edges);
}

static bool has_moved(const body_tear* t, int corner)
{
    return t->stars.corner[corner] != *first_corners(t, corner);
}

static bool is_torn(const body* b)
{
    return b && b->tear && b->tear->stars.vertex_count > b->tear->stars.first_count;
}

static int count_moved(const body_tear* t)
{
    int count = 0;
    for (int i = 0; i < t->stars.corner_count; ++i) count += has_moved(t, i);
    return count;
}

static size_t bytes_of(const body_tear* t)
{
    size_t more = (size_t)(t->stars.vertex_count - t->stars.first_count);
    size_t bonds = SPENT + BOND * (size_t)t->bond_count;
    return (WORDS + more + 2 * (size_t)count_moved(t) + bonds) * sizeof(int32_t);
}

size_t tear_bytes(const pliant_world* world)
{
    size_t bytes = 0;
    for (int i = 0; i < world->bodies.count; ++i) {
        const body* b = world_body_at(world, i);
        if (is_torn(b)) bytes += bytes_of(b->tear);
    }
    return bytes;
}

static char* put(char* out, int word)
{
    int32_t number = word;
    memcpy(out, &number, sizeof number);
    return out + sizeof number;
}

static char* put_real(char* out, double number)
{
    memcpy(out, &number, sizeof number);
    return out + sizeof number;
}

static char* put_bonds(char* out, const body_tear* t)
{
    out = put_real(out, t->spent);
    for (int i = 0; i < t->bond_count; ++i) {
        const tear_bond* b = &t->bond[i];
        out = put(put(out, b->particle[0]), b->particle[1]);
        out = put_real(put_real(out, b->force), b->reach);
        out = put_real(put_real(out, b->opening), b->spent);
    }
    return out;
}

void tear_save(const pliant_world* world, char* out)
{
    for (int i = 0; i < world->bodies.count; ++i) {
        const body* b = world_body_at(world, i);
        if (!is_torn(b)) continue;
        const body_tear* t = b->tear;
        out = put(put(out, i), t->stars.vertex_count);
        out = put(put(out, count_moved(t)), t->bond_count);
        for (int k = t->stars.first_count; k < t->stars.vertex_count; ++k)
            out = put(out, t->stars.parent[k]);
        for (int k = 0; k < t->stars.corner_count; ++k)
            if (has_moved(t, k)) out = put(put(out, k), t->stars.corner[k]);
        out = put_bonds(out, t);
    }
}

// ---- and back -----------------------------------------------------------------------------------

typedef struct {
    const char* at;
    size_t left; // [words]
} reader;

static int next_word(reader* r)
{
    int32_t number;
    memcpy(&number, r->at, sizeof number);
    r->at += sizeof number;
    r->left--;
    return number;
}

static double next_real(reader* r)
{
    double number;
    memcpy(&number, r->at, sizeof number);
    r->at += sizeof number;
    r->left -= 2;
    return number;
}

// What the stars of a body are to be.
typedef struct {
    int *corner, *parent;
    int vertex_count;
} wanted_stars;

static int root_of(const wanted_stars* w, int vertex)
{
    while (w->parent[vertex] >= 0) vertex = w->parent[vertex];
    return vertex;
}

static bool read_parents(reader* r, const mesh_stars* s, int count, wanted_stars* w)
{
    for (int i = 0; i < s->first_count; ++i) w->parent[i] = -1;
    for (int i = s->first_count; i < count; ++i) {
        w->parent[i] = next_word(r);
        if (w->parent[i] < 0 || w->parent[i] >= i) return false;
    }
    return true;
}

static bool read_corners(reader* r, const body_tear* t, int moved, wanted_stars* w)
{
    for (int i = 0; i < t->stars.corner_count; ++i) w->corner[i] = *first_corners(t, i);
    for (int i = 0; i < moved; ++i) {
        int corner = next_word(r), vertex = next_word(r);
        if (corner < 0 || corner >= t->stars.corner_count || vertex < 0 ||
            vertex >= w->vertex_count || root_of(w, vertex) != *first_corners(t, corner))
            return false;
        w->corner[corner] = vertex;
    }
    return true;
}

// All vertices have an element.
static bool all_are_used(const body_tear* t, const wanted_stars* w)
{
    bool all = true;
    unsigned char* used = (unsigned char*)mem_alloc_zero((size_t)w->vertex_count);
    if (!used) return false;
    for (int i = 0; i < t->stars.corner_count; ++i) used[w->corner[i]] = 1;
    for (int i = 0; i < w->vertex_count; ++i) all = all && used[i];
    mem_free(used);
    return all;
}

static bool same_stars(const mesh_stars* s, const wanted_stars* w)
{
    return s->vertex_count == w->vertex_count &&
           memcmp(s->corner, w->corner, (size_t)s->corner_count * sizeof(int)) == 0 &&
           memcmp(s->parent, w->parent, (size_t)w->vertex_count * sizeof(int)) == 0;
}

static pliant_result set_stars(pliant_world* world, body* b, const wanted_stars* w)
{
    mesh_stars* s = &b->tear->stars;
    if (same_stars(s, w)) return PLIANT_OK;
    if (!body_fetch(world, b, STATE_ALL)) return PLIANT_ERROR_DEVICE;
    if (!stars_set(s, w->corner, w->parent, w->vertex_count)) return PLIANT_ERROR_MEMORY;
    return body_go_on_torn(world, b, s->first_count);
}

static bool allocate(const body_tear* t, int vertices, wanted_stars* w)
{
    w->vertex_count = vertices;
    w->corner = (int*)mem_array((size_t)t->stars.corner_count, sizeof(int));
    w->parent = (int*)mem_array((size_t)vertices, sizeof(int));
    return w->corner && w->parent;
}

static pliant_result refuse(void)
{
    return fail(PLIANT_ERROR_FORMAT, "the snapshot is damaged: its torn bodies do not hang "
                                     "together");
}

static bool bond_is_sound(const tear_bond* b, int particles)
{
    for (int i = 0; i < 2; ++i)
        if (b->particle[i] < 0 || b->particle[i] >= particles) return false;
    return b->particle[0] != b->particle[1] && b->force > 0 && b->reach > 0 && b->opening >= 0 &&
           isfinite(b->force + b->reach + b->opening + b->spent);
}

static pliant_result read_bonds(reader* r, body_tear* t, int count)
{
    t->bond_count = 0;
    t->spent = r->left ? next_real(r) : 0;
    if (!mem_reserve((void**)&t->bond, &t->bond_capacity, count, sizeof *t->bond))
        return PLIANT_ERROR_MEMORY;
    for (int i = 0; i < count; ++i) {
        tear_bond b;
        for (int k = 0; k < 2; ++k) b.particle[k] = next_word(r);
        double* const numbers[BOND_REALS] = {&b.force, &b.reach, &b.opening, &b.spent};
        for (int k = 0; k < BOND_REALS; ++k) *numbers[k] = next_real(r);
        if (!bond_is_sound(&b, t->stars.vertex_count)) return refuse();
        t->bond[t->bond_count++] = b;
    }
    return PLIANT_OK;
}

// `moved` and the particles from the first on come from the reader: as it was made, without them.
static pliant_result read_body(pliant_world* world, body* b, reader* r, int vertices, int moved,
                               int bonds)
{
    wanted_stars w = {0};
    if (!body_open_tear(b)) return PLIANT_ERROR_MEMORY;
    pliant_result result = allocate(b->tear, vertices, &w) ? PLIANT_OK : PLIANT_ERROR_MEMORY;
    if (!result && (!read_parents(r, &b->tear->stars, vertices, &w) ||
                    !read_corners(r, b->tear, moved, &w) || !all_are_used(b->tear, &w)))
        result = refuse();
    if (!result) result = set_stars(world, b, &w);
    if (!result) result = read_bonds(r, b->tear, bonds);
    mem_free(w.corner);
    mem_free(w.parent);
    return result;
}

static pliant_result read_next(pliant_world* world, reader* r, int* out_slot)
{
    if (r->left < WORDS) return refuse();
    int slot = next_word(r), vertices = next_word(r), moved = next_word(r), bonds = next_word(r);
    body* b = slot > *out_slot && slot < world->bodies.count ? world_body_at(world, slot) : NULL;
    int first = b ? body_whole(b)->mesh->vertex_count : 0;
    *out_slot = slot;
    if (!b || vertices <= first || moved < 0 || bonds < 0 || asset_is_rigid(b->asset) ||
        (size_t)(vertices - first) + 2 * (size_t)moved + SPENT + BOND * (size_t)bonds > r->left)
        return refuse();
    return read_body(world, b, r, vertices, moved, bonds);
}

// Slots from `first` to before `end` are not torn in the snapshot.
static pliant_result make_whole(pliant_world* world, int first, int end)
{
    pliant_result result = PLIANT_OK;
    reader nothing = {0};
    for (int i = first; i < end && !result; ++i) {
        body* b = world_body_at(world, i);
        if (is_torn(b)) result = read_body(world, b, &nothing, b->tear->stars.first_count, 0, 0);
    }
    return result;
}

pliant_result tear_restore(pliant_world* world, const char* in, size_t bytes)
{
    reader r = {in, bytes / sizeof(int32_t)};
    pliant_result result = bytes % sizeof(int32_t) ? refuse() : PLIANT_OK;
    int slot = -1;
    while (r.left && !result) {
        int before = slot;
        result = read_next(world, &r, &slot);
        if (!result) result = make_whole(world, before + 1, slot);
    }
    return result ? result : make_whole(world, slot + 1, world->bodies.count);
}
