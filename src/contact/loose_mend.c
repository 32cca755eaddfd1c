// Lists of loose particles are mended on the processor: where few stray from what was expected of
// them, the pairs that they may have now are added, instead of all lists being made anew. Pairs
// that they have no more stay: what lists have beyond those that touch changes no bit.
#include "contact/list.h"
#include "contact/loose_entries.h"
#include "contact/loose_reach.h"
#include "contact/system.h"
#include <math.h>
#include <string.h>

enum { STRAYS = 1, APART = 2 }; // what loose_system.strays says

// To mend lists for one takes as long as to list some: of so many one may stray until lists are
// made anew. Those that cells do not have are few, since whoever strays is compared with all of
// them.
enum { FEW = 8, MOST_APART = 64 };

// ---- who strays ---------------------------------------------------------------------------------

// False: they are too many.
static bool gather_strays(loose_system* l)
{
    const uint64_t none = 0x0101010101010101u * STRAYS;
    int most = l->count / FEW - l->strayed_count;
    l->stray_count = 0;
    for (int i = 0; i < l->count; ++i) {
        uint64_t eight = none;
        if (i % 8 == 0 && i + 8 <= l->count) memcpy(&eight, l->strays + i, sizeof eight);
        if ((eight & none) == 0) { // mostly nobody does
            i += 7;
            continue;
        }
        if (!(l->strays[i] & STRAYS)) continue;
        if (l->stray_count >= most) return false;
        l->stray[l->stray_count++] = i;
        l->strays[i] &= APART;
    }
    l->strayed_count += l->stray_count;
    return true;
}

// Where a list expects it now, against the mean of all [m].
static void expected_at(const loose_pairs* p, int particle, float out[3])
{
    const float *from = p->from + 4 * (size_t)particle, *course = p->course + 4 * (size_t)particle;
    for (int k = 0; k < 3; ++k) out[k] = from[k] + (float)p->age * course[k];
}

static bool set_apart(loose_system* l, int particle)
{
    l->strays[particle] |= APART;
    l->apart[l->apart_count++] = particle;
    return l->apart_count < MOST_APART;
}

// The ball around its way that cells have grows to have the new one, too; where it would become
// much larger than others it is set apart. False: those are too many.
static bool grow_ball(contact_system* s, int particle)
{
    loose_system* l = &s->loose;
    cell_grid* of = &l->cells;
    int i = l->in_cells[particle], level = 0;
    float at[3];
    if (l->strays[particle] & APART) return true;
    expected_at(&s->set.loose, particle, at);
    if (i < 0) return set_apart(l, particle);
    float x = of->sorted[0][i] - at[0], y = of->sorted[1][i] - at[1], z = of->sorted[2][i] - at[2];
    float reach = (l->ball[particle].reach + sqrtf(x * x + y * y + z * z)) * 1.0001f;
    while (level + 1 < of->levels && i >= of->start[of->level_cell[level + 1]]) ++level;
    if (!((double)reach <= 1.5 * of->first_reach[level])) return set_apart(l, particle);
    if (reach > of->sorted[3][i]) of->sorted[3][i] = reach;
    if ((double)reach > of->reach[level]) of->reach[level] = (double)reach;
    return true;
}

// From now on it is expected to go on as it does now. Where it would have been when the list was
// made takes the place of where it was.
static bool expect_anew(contact_system* s, int particle)
{
    const loose_pairs* p = &s->set.loose;
    float *from = p->from + 4 * (size_t)particle, *course = p->course + 4 * (size_t)particle;
    loose_look(s, particle, p->life - p->age);
    for (int k = 0; k < 3; ++k) {
        double place = state_get(s->set.place, 4 * (size_t)particle + (size_t)k, s->scalar_bytes);
        from[k] = (float)(place - p->drift[k] - p->age * (double)course[k]);
    }
    return !(s->loose.ball[particle].reach > 0) || grow_ball(s, particle);
}

// ---- new pairs ----------------------------------------------------------------------------------

static void move_entry(const contact_system* s, size_t from, size_t to)
{
    const loose_pairs* p = &s->set.loose;
    p->other[to] = p->other[from];
    for (int which = 0; which < LOOSE_NUMBERS; ++which)
        loose_set(s, p, to, which, loose_get(s, p, from, which));
    for (loose_flag flag = LOOSE_ACTIVE; flag < LOOSE_FLAGS; ++flag)
        if (loose_says(p, from, flag))
            loose_say(p, to, flag);
        else
            loose_unsay(p, to, flag);
}

static void clear_entry(const contact_system* s, size_t entry, int other)
{
    const loose_pairs* p = &s->set.loose;
    p->other[entry] = other;
    for (int which = 0; which < LOOSE_NUMBERS; ++which) loose_set(s, p, entry, which, 0);
    for (loose_flag flag = LOOSE_ACTIVE; flag < LOOSE_FLAGS; ++flag) loose_unsay(p, entry, flag);
}

int64_t loose_rows_wanted(int64_t rows) { return rows + rows / 8 + 64; }

static void copy_rows(const void* array, size_t bytes, int from, int to, int count)
{
    memcpy((char*)array + (size_t)to * bytes, (const char*)array + (size_t)from * bytes,
           (size_t)count * bytes);
}

// To behind all others, with more room. False: there is none.
static bool move_block(const contact_system* s, int block)
{
    const loose_system* l = &s->loose;
    const loose_pairs* p = &s->set.loose;
    int *rows = &p->start[(p->count + LOOSE_BLOCK - 1) / LOOSE_BLOCK], from = p->start[block];
    int depth = p->depth[block], room = depth + depth / 2 + 4;
    if (l->other_capacity[l->newest] - *rows < room ||
        l->number_capacity[l->newest] - *rows < room || l->flags_capacity[l->newest] - *rows < room)
        return false;
    copy_rows(p->other, LOOSE_BLOCK * sizeof(int), from, *rows, depth);
    copy_rows(p->number, (size_t)LOOSE_NUMBERS * LOOSE_BLOCK * (size_t)s->scalar_bytes, from, *rows,
              depth);
    copy_rows(p->flags, LOOSE_ROW_FLAGS, from, *rows, depth);
    memset((char*)p->flags + (size_t)(*rows + depth) * LOOSE_ROW_FLAGS, 0,
           (size_t)(room - depth) * LOOSE_ROW_FLAGS);
    memset((char*)p->flags + (size_t)from * LOOSE_ROW_FLAGS, 0, (size_t)depth * LOOSE_ROW_FLAGS);
    p->start[block] = *rows;
    p->room[block] = room;
    *rows += room;
    return true;
}

// One row more of a block, in which nobody is near. False: there is no room.
static bool open_row(const contact_system* s, int block)
{
    const loose_pairs* p = &s->set.loose;
    if (p->depth[block] == p->room[block] && !move_block(s, block)) return false;
    int row = p->start[block] + p->depth[block];
    for (int lane = 0; lane < LOOSE_BLOCK; ++lane) {
        int self = block * LOOSE_BLOCK + lane;
        clear_entry(s, (size_t)row * LOOSE_BLOCK + (size_t)lane,
                    self < p->count ? self : p->count - 1);
    }
    p->depth[block]++;
    return true;
}

// One side of a pair, in its place, where it is not there yet.
static bool insert(const contact_system* s, int particle, int other)
{
    const loose_pairs* p = &s->set.loose;
    int at = p->neighbors[particle], block = particle / LOOSE_BLOCK;
    size_t found;
    if (loose_find_entry(p, particle, other, &found)) return true;
    if (at == p->depth[block] && !open_row(s, block)) return false;
    for (; at > 0 && loose_other(p, particle, at - 1) > other; --at)
        move_entry(s, loose_entry(p, particle, at - 1), loose_entry(p, particle, at));
    clear_entry(s, loose_entry(p, particle, at), other);
    p->neighbors[particle]++;
    return true;
}

// ---- who is near now ----------------------------------------------------------------------------

static bool meet(const contact_system* s, int one, int two)
{
    const loose_pairs* p = &s->set.loose;
    const grid_ball* way = s->loose.way;
    float here[3], there[3];
    expected_at(p, one, here);
    expected_at(p, two, there);
    const float apart[3] = {here[0] - there[0], here[1] - there[1], here[2] - there[2]};
    return loose_comes_near(apart, &way[one], &way[two], (float)(p->life - 1 - p->age)) &&
           (s->loose.alike || loose_may_touch(&s->set, one, two));
}

static bool pair_with(const contact_system* s, int one, int two)
{
    return !meet(s, one, two) || (insert(s, one, two) && insert(s, two, one));
}

// The ball around its way, as cells have those of others.
static grid_ball ball_of(const contact_system* s, int particle)
{
    float at[3];
    expected_at(&s->set.loose, particle, at);
    return (grid_ball){at[0], at[1], at[2], s->loose.ball[particle].reach};
}

static bool pair_in_cells(contact_system* s, int particle)
{
    loose_system* l = &s->loose;
    const cell_grid* of = &l->cells;
    const grid_ball b = ball_of(s, particle);
    if (!(b.reach > 0)) return true; // it is absent
    if (!cells_near(of, &b, &l->around)) return false;
    for (int r = 0; r < l->around.count; ++r)
        for (int i = l->around.range[r][0]; i < l->around.range[r][1]; ++i) {
            float x = of->sorted[0][i] - b.x, y = of->sorted[1][i] - b.y;
            float z = of->sorted[2][i] - b.z, reach = of->sorted[3][i] + b.reach;
            int other = of->order[i];
            if (!(x * x + y * y + z * z <= reach * reach * 1.0001f)) continue;
            if (other == particle || (l->strays[other] & APART)) continue;
            if (!pair_with(s, particle, other)) return false;
        }
    return true;
}

static bool pair_with_apart(const contact_system* s, int particle)
{
    const loose_system* l = &s->loose;
    bool good = l->ball[particle].reach > 0; // else it is absent
    for (int i = 0; good && i < l->apart_count; ++i) {
        int other = l->apart[i];
        if (other != particle && l->ball[other].reach > 0) good = pair_with(s, particle, other);
    }
    return good || !(l->ball[particle].reach > 0);
}

bool loose_mend(contact_system* s)
{
    loose_system* l = &s->loose;
    bool good = gather_strays(l);
    for (int i = 0; i < l->stray_count && good; ++i) good = expect_anew(s, l->stray[i]);
    for (int i = 0; i < l->stray_count && good; ++i)
        good = pair_in_cells(s, l->stray[i]) && pair_with_apart(s, l->stray[i]);
    if (!good) return false;
    s->figures.mends++;
    if (s->kept_count > 0) loose_take_records(s);
    l->strayed = false;
    return true;
}
