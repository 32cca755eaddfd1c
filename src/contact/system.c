#include "contact/system.h"
#include "base/platform.h"
#include "base/sort.h"
#include "contact/colliders.h"
#include "contact/finding.h"
#include "contact/leaves.h"
#include "contact/list.h"
#include "contact/measure.h"
#include "contact/pressing.h"
#include <string.h>

extern const loose_kernels loose_double, loose_1, loose_4;
#ifdef PLIANT_X86
extern const loose_kernels loose_8_avx2, loose_16_avx512;
#endif

// No wider than the processor, which the bits do not tell.
const loose_kernels* loose_kernels_for(int lanes, int scalar_bytes)
{
    if (scalar_bytes == 8) return &loose_double;
#ifdef PLIANT_X86
    if (lanes == 16 && platform_lanes() >= 16) return &loose_16_avx512;
    if (lanes >= 8 && platform_lanes() >= 8) return &loose_8_avx2;
#endif
    return lanes >= 4 ? &loose_4 : &loose_1;
}

extern measure_fn measure_double, measure_1, measure_4;
#ifdef PLIANT_X86
extern measure_fn measure_8_avx2, measure_16_avx512;
#endif

extern const leaf_kernels leaves_double, leaves_1, leaves_4;
#ifdef PLIANT_X86
extern const leaf_kernels leaves_8_avx2, leaves_16_avx512;
#endif

const leaf_kernels* leaf_kernels_for(int lanes, int scalar_bytes)
{
    if (scalar_bytes == 8) return &leaves_double;
#ifdef PLIANT_X86
    if (lanes == 16 && platform_lanes() >= 16) return &leaves_16_avx512;
    if (lanes >= 8 && platform_lanes() >= 8) return &leaves_8_avx2;
#endif
    return lanes >= 4 ? &leaves_4 : &leaves_1;
}

measure_fn* measure_for(int lanes, int scalar_bytes)
{
    if (scalar_bytes == 8) return measure_double;
#ifdef PLIANT_X86
    if (lanes == 16 && platform_lanes() >= 16) return measure_16_avx512;
    if (lanes >= 8 && platform_lanes() >= 8) return measure_8_avx2;
#endif
    return lanes >= 4 ? measure_4 : measure_1;
}

extern const finding_kernels finding_single, finding_double;
extern const pressing_kernels pressing_single, pressing_double;
#ifdef PLIANT_X86
extern const finding_kernels finding_single_avx2;
#endif

const finding_kernels* finding_kernels_for(int scalar_bytes)
{
#ifdef PLIANT_X86
    if (scalar_bytes != 8 && platform_lanes() >= 8) return &finding_single_avx2;
#endif
    return scalar_bytes == 8 ? &finding_double : &finding_single;
}

const pressing_kernels* pressing_kernels_for(int scalar_bytes)
{
    return scalar_bytes == 8 ? &pressing_double : &pressing_single;
}

// ---- memory -------------------------------------------------------------------------------------

void contact_body_free(contact_body* b)
{
    mem_free(b->row);
    mem_free(b->box);
    mem_free(b->own);
    for (int of = 0; of < 2; ++of) leaf_tree_destroy(b->tree[of]);
    b->tree[OF_TWO] = b->tree[OF_ONE] = NULL;
    b->row = NULL;
    b->box = b->own = NULL;
}

void contact_system_destroy(contact_system* s)
{
    for (int i = 0; i < s->body_capacity; ++i) contact_body_free(&s->set.body[i]);
    for (int i = 0; i < s->chunk_capacity; ++i) {
        mem_free(s->chunk[i].listed);
        mem_free(s->chunk[i].pair);
        mem_free(s->chunk[i].state);
        mem_free(s->chunk[i].order);
    }
    void* const all[] = {s->set.body,
                         s->points,
                         s->set.owner,
                         s->along,
                         s->partners.start,
                         s->partners.other,
                         s->partners.key,
                         s->chunk,
                         s->due,
                         s->busy,
                         s->set.pair,
                         s->set.contact,
                         s->set.touching.start,
                         s->set.touching.end,
                         s->set.touching.entry,
                         s->set.holding.start,
                         s->set.holding.end,
                         s->set.holding.entry,
                         s->set.touch,
                         s->set.hold,
                         s->set.live,
                         s->set.element_owner,
                         s->set.swerve,
                         s->set.corner,
                         s->set.radius,
                         s->set.stray[OF_TWO],
                         s->set.stray[OF_ONE],
                         s->set.off[OF_TWO],
                         s->set.off[OF_ONE],
                         s->set.margin[OF_TWO],
                         s->set.margin[OF_ONE],
                         s->set.reach[OF_TWO],
                         s->set.reach[OF_ONE],
                         s->kept,
                         s->lost,
                         s->spare,
                         s->more,
                         s->around,
                         s->set.crossed,
                         s->set.swept,
                         s->swept_before,
                         s->swept_place,
                         s->touch,
                         s->touch_before,
                         s->set.zone_of,
                         s->set.zone,
                         s->set.loaded,
                         s->set.press,
                         s->set.manifold,
                         s->set.color_start,
                         s->set.island,
                         s->set.rounds,
                         s->pressing,
                         s->pressing_key,
                         s->manifolds,
                         s->color_of,
                         s->place_of,
                         s->taken};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i) mem_free(all[i]);
    loose_destroy(s);
    overlaps_destroy(&s->near);
    mem_free(s->radius);
    memset(s, 0, sizeof *s);
}

bool contact_system_reserve(contact_system* s, int bodies)
{
    int before = s->body_capacity;
    if (!mem_reserve((void**)&s->radius, &s->radius_capacity, bodies, sizeof *s->radius) ||
        !mem_reserve((void**)&s->set.body, &s->body_capacity, bodies, sizeof *s->set.body))
        return false;
    if (s->body_capacity > before)
        memset(s->set.body + before, 0, (size_t)(s->body_capacity - before) * sizeof *s->set.body);
    return true;
}

// ---- trees --------------------------------------------------------------------------------------

leaf_tree* leaf_tree_create(int elements, const leaf_kernels* kernels)
{
    leaf_tree* t = (leaf_tree*)mem_array_zero(1, sizeof *t);
    if (!t) return NULL;
    t->element_count = elements;
    t->leaf_count = (elements + SURFACE_LEAF - 1) / SURFACE_LEAF;
    int blocks = t->leaf_count > 0 ? t->leaf_count : 1;
    do {
        blocks = (blocks + 15) / 16;
        t->start[t->levels + 1] = t->start[t->levels] + blocks;
        t->levels++;
    } while (blocks > 1);
    t->element = mem_array((size_t)elements / 16 + 1, kernels->element_bytes);
    t->node = mem_array((size_t)t->start[t->levels], kernels->node_bytes);
    if (t->element && t->node) return t;
    leaf_tree_destroy(t);
    return NULL;
}

void leaf_tree_destroy(leaf_tree* t)
{
    if (!t) return;
    mem_free(t->element);
    mem_free(t->node);
    mem_free(t);
}

// ---- numbers ------------------------------------------------------------------------------------

static bool settle_body(contact_system* s, contact_body* b)
{
    const contact_surface* of = b->surface;
    contact_body_free(b);
    b->row = (int*)mem_array((size_t)of->point_count, sizeof(int));
    b->box = mem_array(2 * (size_t)of->leaf_count + (size_t)of->element_count,
                       finding_kernels_for(s->scalar_bytes)->box_bytes);
    for (int i = 0; b->row && i < of->point_count; ++i)
        b->row[i] = b->collider ? i : plan_row(b->plan, of->particle[i], 0);
    if (b->row && b->box && (!b->collider || collider_rows_create(b, s->scalar_bytes))) return true;
    contact_body_free(b); // that it has rows means that it has all
    return false;
}

static bool reserve_points(contact_system* s)
{
    enum { ARRAYS = 9 };
    size_t bytes = 4 * (size_t)s->scalar_bytes;
    if (!mem_reserve(&s->points, &s->points_capacity, (int64_t)s->set.point_count * ARRAYS,
                     bytes) ||
        !mem_reserve((void**)&s->set.owner, &s->owner_capacity, s->set.point_count, sizeof(int)) ||
        !mem_reserve((void**)&s->set.zone_of, &s->zone_of_capacity, s->set.point_count,
                     sizeof(int)) ||
        !mem_reserve((void**)&s->set.loaded, &s->loaded_capacity, s->set.point_count,
                     sizeof(unsigned)) ||
        !mem_reserve((void**)&s->set.zone, &s->zone_capacity, s->set.point_count,
                     sizeof *s->set.zone) ||
        !mem_reserve((void**)&s->set.swerve, &s->swerve_capacity, s->set.point_count,
                     sizeof *s->set.swerve) ||
        !mem_reserve((void**)&s->set.stray[OF_TWO], &s->stray_capacity[OF_TWO], s->set.point_count,
                     sizeof(point_stray)) ||
        !mem_reserve((void**)&s->set.stray[OF_ONE], &s->stray_capacity[OF_ONE], s->set.point_count,
                     sizeof(point_stray)))
        return false;
    for (int i = 0; i < s->set.point_count; ++i) {
        s->set.loaded[i] = 0;
        s->set.swerve[i] = 0;
    }
    void** const array[ARRAYS] = {
        &s->set.place,        &s->set.increment,     &s->set.residue,
        &s->set.velocity,     &s->set.course,        &s->set.from[OF_TWO],
        &s->set.from[OF_ONE], &s->set.along[OF_TWO], &s->set.along[OF_ONE]};
    for (size_t k = 0; k < ARRAYS; ++k)
        *array[k] = (char*)s->points + k * (size_t)s->set.point_count * bytes;
    if (s->points) memset(s->points, 0, ARRAYS * (size_t)s->set.point_count * bytes);
    return true;
}

static bool reserve_elements(contact_system* s)
{
    int64_t count = s->set.element_count;
    if (!mem_reserve((void**)&s->set.element_owner, &s->element_owner_capacity, count,
                     sizeof(int)) ||
        !mem_reserve((void**)&s->set.corner, &s->corner_capacity, count, sizeof *s->set.corner) ||
        !mem_reserve((void**)&s->set.radius, &s->element_radius_capacity, count,
                     sizeof *s->set.radius))
        return false;
    for (int of = 0; of < 2; ++of) {
        if (!mem_reserve((void**)&s->set.reach[of], &s->reach_capacity[of], count, sizeof(float)) ||
            !mem_reserve((void**)&s->set.off[of], &s->off_capacity[of], count, sizeof(float)) ||
            !mem_reserve((void**)&s->set.margin[of], &s->margin_capacity[of], count, sizeof(float)))
            return false;
        if (count) memset(s->set.reach[of], 0, (size_t)count * sizeof(float));
        if (count) memset(s->set.margin[of], 0, (size_t)count * sizeof(float));
        if (s->set.point_count)
            memset(s->set.stray[of], 0, (size_t)s->set.point_count * sizeof(point_stray));
    }
    return lists_cut(s);
}

static void note_corners(const contact_body* b, int number, int out[4])
{
    const surface_element* e = &b->surface->element[number];
    out[3] = surface_corners(e);
    for (int k = 0; k < 3; ++k) out[k] = b->first_point + e->point[k < out[3] ? k : out[3] - 1];
}

// Who has which points and elements.
static void note_owners(contact_set* s, const leaf_kernels* leaves)
{
    for (int i = 0; i < s->body_count; ++i) {
        const contact_body* b = &s->body[i];
        for (int k = 0; b->present && k < b->surface->point_count; ++k)
            s->owner[b->first_point + k] = i;
        for (int of = 0; of < 2; ++of)
            if (b->tree[of]) leaves->number(b->tree[of], b);
        for (int k = 0; k < b->surface->element_count; ++k) {
            s->element_owner[b->first_element + k] = i;
            note_corners(b, k, s->corner[b->first_element + k]);
        }
    }
}

static void forget_pairs(contact_system* s)
{
    s->set.pair_count = s->set.live_count = s->set.touch_count = s->set.hold_count = 0;
    s->paired = false;
    loose_forget(s);
    lists_forget(s);
}

bool contact_system_number(contact_system* s)
{
    int64_t points = 0, elements = 0, loose = 0;
    for (int i = 0; i < s->set.body_count; ++i) {
        contact_body* b = &s->set.body[i];
        b->first_point = (int)points;
        b->first_element = (int)elements;
        if (b->present) points += b->surface->point_count;
        if (b->surface->grains) loose = points; // they come first
        elements += b->surface->element_count;
        if (elements >= 1 << KEY_ELEMENT_BITS) {
            fail(PLIANT_ERROR_UNSUPPORTED,
                 "more than %d triangles may touch each other, which is more than one world can "
                 "have: give bodies masks of 0 that meet nobody",
                 (1 << KEY_ELEMENT_BITS) - 1);
            return false;
        }
        if (b->present && !b->row && !settle_body(s, b)) return false;
    }
    s->set.point_count = (int)points;
    s->loose.count = s->set.loose_by_pairs ? 0 : (int)loose;
    s->set.element_count = (int)elements;
    if (!reserve_points(s) || !reserve_elements(s)) return false;
    note_owners(&s->set, leaf_kernels_for(s->lanes, s->scalar_bytes));
    forget_pairs(s);
    return true;
}

void contact_system_clear(contact_system* s)
{
    s->kept_count = 0;
    forget_pairs(s);
    s->last_h = 0;
}

// ---- steps --------------------------------------------------------------------------------------

// Who does not push any more is forgotten.
void contact_system_start(contact_system* s)
{
    int left = 0;
    memset(&s->figures, 0, sizeof s->figures);
    s->set.guarded_rounds = s->set.squeezed = s->flags.stopped = 0;
    s->flags.guarded = s->flags.guarded_angular = 0;
    for (int i = 0; i < s->kept_count; ++i) {
        if (!kept_goes_on(&s->kept[i])) continue;
        s->kept[left] = s->kept[i];
        memset(s->kept[left++].sum, 0, sizeof s->kept->sum);
    }
    s->kept_count = left;
}

bool contact_system_keep(contact_system* s) { return pairs_keep(s) && loose_keep(s); }
