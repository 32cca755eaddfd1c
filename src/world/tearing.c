#include "world/tearing.h"
#include "mesh/shape.h"
#include "world/parting.h"
#include "world/residency.h"
#include <math.h>
#include <string.h>

// ---- what a body knows of it --------------------------------------------------------------------

static double least_strength(const pliant_asset* a)
{
    double least = INFINITY;
    for (int i = 0; i < a->material_count; ++i)
        if (a->material[i].tear_strength > 0) least = fmin(least, a->material[i].tear_strength);
    return least;
}

// The smallest and the largest.
static void measure_faces(const pliant_mesh* m, double* smallest, double* largest)
{
    *smallest = INFINITY, *largest = 0;
    for (int i = 0; i < 4 * m->tet_count; ++i) {
        const int* tet = m->tets + 4 * (size_t)(i / 4);
        const int face[3] = {tet[(i + 1) % 4], tet[(i + 2) % 4], tet[(i + 3) % 4]};
        double area = triangle_area(m->vertices, face);
        *smallest = fmin(*smallest, area);
        *largest = fmax(*largest, area);
    }
}

// The shortest and the longest.
static void measure_sides(const pliant_mesh* m, double* shortest, double* longest)
{
    *shortest = INFINITY, *longest = 0;
    for (int i = 0; i < 3 * cloth_triangles(m); ++i) {
        const int* corner = m->triangles + 3 * (size_t)(i / 3);
        double side = sqrt(squared_distance(m->vertices, corner[i % 3], corner[(i + 1) % 3]));
        *shortest = fmin(*shortest, side);
        *longest = fmax(*longest, side);
    }
}

// The tip of a tear may hold less than its strength (parting.h).
static double least_of_tips(const pliant_asset* a, double largest)
{
    double least = INFINITY;
    for (int i = 0; i < a->material_count; ++i)
        if (a->material[i].tear_energy > 0)
            least = fmin(least, TIP_SHARE * a->material[i].tear_energy / largest);
    return least;
}

// A vertex has a third of a face, or half of an edge.
static double least_hold(const pliant_asset* a)
{
    double least = INFINITY, strength = least_strength(a), small, large;
    const pliant_cloth_def* cloth = &a->def.cloth;
    if (a->mesh->edge_count) least = fmin(least, strength * asset_rope_area(a));
    measure_faces(a->mesh, &small, &large);
    if (a->mesh->tet_count)
        least = fmin(least, fmin(strength, least_of_tips(a, sqrt(large))) * small / 3);
    measure_sides(a->mesh, &small, &large);
    double tip = cloth->tear_energy > 0 ? TIP_SHARE * cloth->tear_energy / large : INFINITY;
    if (cloth->tear_strength > 0) least = fmin(least, fmin(cloth->tear_strength, tip) * small / 2);
    return least;
}

bool body_open_tear(body* b)
{
    if (b->tear) return true;
    body_tear* t = (body_tear*)mem_alloc_zero(sizeof *t);
    if (!t) return false;
    if (!stars_create(b->asset->mesh, &t->stars)) {
        stars_destroy(&t->stars);
        mem_free(t);
        return false;
    }
    asset_retain(b->asset);
    t->whole = b->asset;
    t->least = least_hold(b->asset);
    b->tear = t;
    return true;
}

void body_close_tear(body* b)
{
    body_tear* t = b->tear;
    if (!t) return;
    b->tear = NULL;
    stars_destroy(&t->stars);
    asset_release(t->whole);
    void* const owned[] = {t->bond, t->force, t->place, t->load, t->ring, t->sum, t->pick, t->side};
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; ++i) mem_free(owned[i]);
    mem_free(t);
}

// ---- events -------------------------------------------------------------------------------------

static pliant_tear_event event_of(const pliant_world* world, const body* b, int particle)
{
    pliant_tear_event e = {
        .particle = b->tear->stars.parent[particle], .twin = particle, .time = world->time};
    for (int i = 0; i < world->bodies.count; ++i)
        if (world_body_at(world, i) == b)
            e.body = (pliant_body_id){(uint32_t)i + 1, world->bodies.slot[i].generation};
    state_read_position(&b->s, particle, e.place);
    return e;
}

void world_note_parted(pliant_world* world, const body* b, int before, const parted* list,
                       int count)
{
    int at = 0;
    for (int i = before; i < b->s.particle_count; ++i) {
        pliant_tear_event e = event_of(world, b, i);
        if (at < count && list[at].particle == i) {
            e.force = list[at].force;
            e.size = list[at].size;
            e.energy = list[at++].energy;
        }
        world->tears.event[world->tears.count++] = e;
    }
}

pliant_result pliant_world_read_tear_events(const pliant_world* world, pliant_tear_event* out,
                                            int capacity, int* out_count)
{
    if (!REQUIRE(world && out_count && capacity >= 0 && (out || capacity == 0)))
        return PLIANT_ERROR_ARGUMENT;
    int count = world->tears.count < capacity ? world->tears.count : capacity;
    if (count) memcpy(out, world->tears.event, (size_t)count * sizeof *out);
    *out_count = world->tears.count;
    return PLIANT_OK;
}

uint64_t pliant_body_topology(const pliant_world* world, pliant_body_id id)
{
    const body* b = world_body(world, id);
    return b && b->tear ? b->tear->version : 0;
}

pliant_result pliant_body_read_origins(const pliant_world* world, pliant_body_id id, int* out,
                                       int capacity)
{
    const body* b = world_body(world, id);
    if (!b || !REQUIRE(out && capacity >= 0)) return PLIANT_ERROR_ARGUMENT;
    for (int i = 0; i < b->s.particle_count && i < capacity; ++i)
        out[i] = b->tear ? stars_root(&b->tear->stars, i) : i;
    return PLIANT_OK;
}

// ---- which vertices part ------------------------------------------------------------------------

// A vertex that parts, and where the sides of its star are.
typedef struct pick {
    int vertex, side;
    parting way;
} pick;

static bool is_held(const body* b, int particle)
{
    return !(state_read_inverse_mass(&b->s, particle) > 0) || b->s.axes[particle] != 0;
}

// How much each vertex is loaded. False when memory runs out.
static bool find_loads(body* b, bool* out_any)
{
    body_tear* t = b->tear;
    int count = t->stars.vertex_count;
    *out_any = false;
    if (!parting_measure(b) ||
        !mem_reserve((void**)&t->load, &t->load_capacity, count, sizeof(double)))
        return false;
    for (int i = 0; i < count; ++i) {
        parting way = {0};
        int star = stars_take(&t->stars, i);
        t->stars.held[i] = is_held(b, i);
        if (star < 0 || !mem_reserve((void**)&t->side, &t->side_capacity, star, 1)) return false;
        if (!t->stars.held[i] && !parting_find(b, i, &way, t->side)) return false;
        t->load[i] = way.load;
        *out_any = *out_any || way.load > 1;
    }
    return true;
}

// Whether none around it is loaded more; of two that are alike the lower number is.
static bool is_loaded_most(const body_tear* t, int vertex)
{
    const mesh_stars* s = &t->stars;
    bool most = t->load[vertex] > 1;
    for (int c = s->head[vertex]; c >= 0 && most; c = s->next[c]) {
        star_element e = stars_element(s, c);
        for (int i = 0; i < e.count; ++i) {
            int other = s->corner[e.first + i];
            double more = t->load[other] - t->load[vertex];
            most = most && !(more > 0 || (more == 0 && other < vertex));
        }
    }
    return most;
}

// Fills `pick`; returns how many, or -1 when memory runs out.
static int pick_all(body* b)
{
    body_tear* t = b->tear;
    int count = 0, side = 0;
    for (int i = 0; i < t->stars.vertex_count; ++i) {
        if (!is_loaded_most(t, i)) continue;
        int star = stars_take(&t->stars, i);
        if (star < 0 ||
            !mem_reserve((void**)&t->side, &t->side_capacity, (int64_t)side + star, 1) ||
            !mem_reserve((void**)&t->pick, &t->pick_capacity, (int64_t)count + 1, sizeof(pick)))
            return -1;
        pick* p = &t->pick[count++];
        *p = (pick){.vertex = i, .side = side};
        if (!parting_find(b, i, &p->way, t->side + side)) return -1;
        side += star;
    }
    return count;
}

// The star's other corners may get other vertices on the way, but stay in their order.
static bool part_all(body_tear* t, int count, parted* out)
{
    for (int i = 0; i < count; ++i) {
        const pick* p = &t->pick[i];
        out[i] = (parted){t->stars.vertex_count, p->way.force, p->way.size, p->way.energy};
        if (!stars_part(&t->stars, p->vertex, t->side + p->side)) return false;
    }
    return true;
}

static pliant_result part_picked(pliant_world* world, body* b, int count)
{
    int before = b->s.particle_count;
    parted* list = (parted*)mem_array((size_t)count, sizeof *list);
    pliant_result result = PLIANT_ERROR_MEMORY;
    bool room = mem_reserve((void**)&b->tear->bond, &b->tear->bond_capacity,
                            (int64_t)b->tear->bond_count + count, sizeof *b->tear->bond);
    if (list && room && part_all(b->tear, count, list))
        result = body_go_on_torn(world, b, before);
    else
        stars_forget(&b->tear->stars, before);
    if (!result) world_note_parted(world, b, before, list, count);
    for (int i = 0; i < count && !result; ++i)
        body_add_bond(b, b->tear->pick[i].vertex, list[i].particle, list[i].force, list[i].energy);
    mem_free(list);
    return result;
}

static pliant_result tear_body(pliant_world* world, body* b)
{
    bool any = false;
    if (!body_open_tear(b)) return PLIANT_ERROR_MEMORY;
    if (!body_fetch(world, b, STATE_ALL)) return PLIANT_ERROR_DEVICE;
    if (!find_loads(b, &any)) return PLIANT_ERROR_MEMORY;
    int count = any ? pick_all(b) : 0;
    if (count < 0) return PLIANT_ERROR_MEMORY;
    return count > 0 ? part_picked(world, b, count) : PLIANT_OK;
}

pliant_result world_tear(pliant_world* world)
{
    pliant_result result = PLIANT_OK;
    world->tears.count = 0;
    for (int i = 0; i < world->bodies.count && !result; ++i) {
        body* b = world_body_at(world, i);
        if (b && !b->failed && asset_tears(body_whole(b))) result = tear_body(world, b);
    }
    return result;
}
