// Patterns of places in a box, and which of them are inside of a surface.
//
// Places are looked at in blocks: where the surface is farther than a block is large, one winding
// number tells for all of it; else its halves are looked at.
#define PRECISION_DOUBLE
#include "base/random.h"
#include "fill/fill.h"
#include <string.h>

enum { SIDE = 8, PLACES = SIDE * SIDE * SIDE, WORDS = PLACES / 64 }; // of a block

typedef struct {
    const filling* f;
    pliant_pattern pattern;
    vec3 start, pitch;
    vec3 offset; // that some rows and layers are moved by
    int64_t count[3], blocks[3];
    uint64_t* inside; // WORDS of each block
    bool closed;      // what is inside ends at triangles alone
} lattice;

static bool is_hexagonal(pliant_pattern pattern) { return pattern == PLIANT_PATTERN_HEXAGONAL; }

// How many fit, and where the first is so that they are in the middle.
static int64_t fit(double low, double high, double pitch, double offset, double* out_start)
{
    double room = high - low;
    if (!(room >= -TOUCH)) return 0;
    double count = floor(room / pitch + 1e-6) + 1, width = (count - 1) * pitch;
    if (width + offset <= room + 1e-6 * pitch) width += offset;
    *out_start = (low + high) / 2 - width / 2;
    return (int64_t)fmin(count, 0x1p40);
}

static lattice lattice_of(const filling* f, pliant_pattern pattern)
{
    static const double ROW = 0.86602540378443864676, LAYER = 0.81649658092772603273;
    double s = f->spacing, edge = f->least + f->shift;
    lattice l = {.f = f, .pattern = pattern, .pitch = v3(s, s, s), .offset = v3_zero()};
    if (is_hexagonal(pattern)) {
        l.pitch = v3(s, LAYER * s, ROW * s);
        l.offset = v3(s / 2, 0, ROW / 3 * s);
    }
    l.count[0] = fit(f->low.x + edge, f->high.x - edge, l.pitch.x, l.offset.x, &l.start.x);
    l.count[1] = fit(f->low.y + edge, f->high.y - edge, l.pitch.y, l.offset.y, &l.start.y);
    l.count[2] = fit(f->low.z + edge, f->high.z - edge, l.pitch.z, l.offset.z, &l.start.z);
    for (int k = 0; k < 3; ++k) l.blocks[k] = (l.count[k] + SIDE - 1) / SIDE;
    l.closed = f->solid.holes.open == 0;
    return l;
}

double lattice_places(const filling* f, pliant_pattern pattern)
{
    lattice l = lattice_of(f, pattern);
    return (double)l.count[0] * (double)l.count[1] * (double)l.count[2];
}

// Every place has random numbers of its own, whoever looks at it.
static vec3 shift_of(const lattice* l, const int64_t at[3])
{
    uint64_t number =
        (uint64_t)at[0] +
        (uint64_t)l->count[0] * ((uint64_t)at[1] + (uint64_t)l->count[1] * (uint64_t)at[2]);
    random_source r = {(uint64_t)l->f->def->seed * 0xd1342543de82ef95u ^ number << 20};
    double ball[3];
    random_in_ball(&r, ball);
    return v3_scale(l->f->shift, v3(ball[0], ball[1], ball[2]));
}

static vec3 place_of(const lattice* l, const int64_t at[3])
{
    vec3 p = v3(l->start.x + l->pitch.x * (double)at[0], l->start.y + l->pitch.y * (double)at[1],
                l->start.z + l->pitch.z * (double)at[2]);
    if (is_hexagonal(l->pattern)) {
        if ((at[1] + at[2]) & 1) p.x += l->offset.x;
        if (at[1] & 1) p.z += l->offset.z;
    }
    return l->f->shift > 0 ? v3_add(p, shift_of(l, at)) : p;
}

// ---- what is inside -----------------------------------------------------------------------------

static void mark(uint64_t* inside, const int64_t at[3])
{
    int bit = (int)(at[0] % SIDE + SIDE * (at[1] % SIDE + SIDE * (at[2] % SIDE)));
    inside[bit / 64] |= (uint64_t)1 << bit % 64;
}

static void look_at_place(const lattice* l, const int64_t at[3], uint64_t* inside)
{
    const tree* t = &l->f->solid.tree;
    vec3 p = place_of(l, at);
    double reach = l->f->least - TOUCH;
    if (reach > 0 && tree_distance(t, p, reach, NULL) < reach) return;
    if (tree_winding(t, p) > 0.5) mark(inside, at);
}

static void mark_all(const int64_t low[3], const int64_t high[3], uint64_t* inside)
{
    for (int64_t z = low[2]; z < high[2]; ++z)
        for (int64_t y = low[1]; y < high[1]; ++y)
            for (int64_t x = low[0]; x < high[0]; ++x) mark(inside, (int64_t[3]){x, y, z});
}

// Whether all places from `low` to before `high` are clear of the surface, and on one side of it.
static bool is_clear(const lattice* l, const int64_t low[3], const int64_t high[3], bool* out_in)
{
    if (!l->closed) return false;
    vec3 first =
        v3(l->start.x + l->pitch.x * (double)low[0], l->start.y + l->pitch.y * (double)low[1],
           l->start.z + l->pitch.z * (double)low[2]);
    vec3 last = v3(l->start.x + l->pitch.x * (double)(high[0] - 1) + l->offset.x,
                   l->start.y + l->pitch.y * (double)(high[1] - 1) + l->offset.y,
                   l->start.z + l->pitch.z * (double)(high[2] - 1) + l->offset.z);
    vec3 middle = v3_scale(0.5, v3_add(first, last)), half = v3_sub(last, middle);
    double reach = sqrt(v3_dot(half, half)) + l->f->shift + l->f->least;
    const tree* t = &l->f->solid.tree;
    if (tree_distance(t, middle, reach, NULL) < reach) return false;
    *out_in = tree_winding(t, middle) > 0.5;
    return true;
}

static void look(const lattice* l, const int64_t low[3], const int64_t high[3], uint64_t* inside)
{
    bool in = false;
    int longest = 0;
    for (int k = 1; k < 3; ++k)
        if (high[k] - low[k] > high[longest] - low[longest]) longest = k;
    if (high[longest] - low[longest] == 1) {
        look_at_place(l, low, inside);
    } else if (is_clear(l, low, high, &in)) {
        if (in) mark_all(low, high, inside);
    } else {
        int64_t middle = (low[longest] + high[longest]) / 2;
        int64_t end[3] = {high[0], high[1], high[2]}, begin[3] = {low[0], low[1], low[2]};
        end[longest] = begin[longest] = middle;
        look(l, low, end, inside);
        look(l, begin, high, inside);
    }
}

static void block_range(const lattice* l, int64_t block, int64_t low[3], int64_t high[3])
{
    for (int k = 0; k < 3; ++k) {
        low[k] = SIDE * (block % l->blocks[k]);
        high[k] = low[k] + SIDE < l->count[k] ? low[k] + SIDE : l->count[k];
        block /= l->blocks[k];
    }
}

typedef struct {
    const lattice* l;
    int first;
} look_task;

static void look_at_block(int task, void* argument)
{
    const look_task* t = (const look_task*)argument;
    int64_t block = (int64_t)t->first + task, low[3], high[3];
    block_range(t->l, block, low, high);
    look(t->l, low, high, t->l->inside + WORDS * block);
}

static bool look_at_all(const lattice* l, int blocks)
{
    enum { BLOCKS_A_SHARE = 256 };
    for (int first = 0; first < blocks; first += BLOCKS_A_SHARE) {
        look_task t = {l, first};
        int count = blocks - first < BLOCKS_A_SHARE ? blocks - first : BLOCKS_A_SHARE;
        workers_run(l->f->threads, look_at_block, &t, count);
        if (!watcher_share(l->f->watch, (double)(first + count) / blocks)) return false;
    }
    return true;
}

// ---- places -------------------------------------------------------------------------------------

static int count_bits(uint64_t word)
{
    int count = 0;
    for (; word; word &= word - 1) ++count;
    return count;
}

static void list_block(const lattice* l, int64_t block, vec3* place, int* count)
{
    const uint64_t* inside = l->inside + WORDS * block;
    int64_t low[3], high[3];
    block_range(l, block, low, high);
    for (int bit = 0; bit < PLACES; ++bit) {
        if (!(inside[bit / 64] >> bit % 64 & 1)) continue;
        int64_t at[3] = {low[0] + bit % SIDE, low[1] + bit / SIDE % SIDE,
                         low[2] + bit / (SIDE * SIDE)};
        place[(*count)++] = place_of(l, at);
    }
}

bool lattice_find(const filling* f, pliant_pattern pattern, vec3** out_place, int* out_count)
{
    lattice l = lattice_of(f, pattern);
    int64_t blocks = l.blocks[0] * l.blocks[1] * l.blocks[2], found = 0;
    *out_count = 0;
    *out_place = NULL;
    l.inside = (uint64_t*)mem_array_zero(WORDS * (size_t)blocks, sizeof *l.inside);
    bool good = l.inside && look_at_all(&l, (int)blocks);
    for (int64_t i = 0; good && i < WORDS * blocks; ++i) found += count_bits(l.inside[i]);
    if (good) *out_place = (vec3*)mem_array((size_t)found, sizeof **out_place);
    good = good && *out_place;
    for (int64_t i = 0; good && i < blocks; ++i) list_block(&l, i, *out_place, out_count);
    mem_free(l.inside);
    return good;
}
