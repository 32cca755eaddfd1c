#include "contact/finding.h"
#include "contact/list.h"
#include "contact/loose_entries.h"
#include "contact/loose_reach.h"
#include "contact/system.h"
#include <math.h>
#include <string.h>

// ---- memory -------------------------------------------------------------------------------------

static void destroy_pairs(loose_pairs* p)
{
    mem_free(p->neighbors);
    mem_free(p->start);
    mem_free(p->depth);
    mem_free(p->room);
    mem_free(p->other);
    mem_free(p->number);
    mem_free(p->flags);
    *p = (loose_pairs){0};
}

void loose_destroy(contact_system* s)
{
    loose_system* l = &s->loose;
    cells_destroy(&l->cells);
    for (int i = 0; i < l->chunk_capacity; ++i) {
        mem_free(l->chunk[i].found);
        mem_free(l->chunk[i].ranges.range);
    }
    mem_free(l->chunk);
    mem_free(l->ball);
    mem_free(l->way);
    mem_free(l->sorted_way);
    mem_free(s->set.loose.from);
    mem_free(s->set.loose.course);
    mem_free(l->place);
    mem_free(l->finder);
    mem_free(l->rules);
    mem_free(l->stray);
    mem_free(l->apart);
    mem_free(l->in_cells);
    mem_free(l->strays);
    mem_free(l->around.range);
    mem_free(s->set.loose.ball);
    mem_free(s->set.loose.push);
    mem_free(s->set.loose.total);
    mem_free(s->set.loose.lasting);
    destroy_pairs(&s->set.loose);
    destroy_pairs(&l->before);
    *l = (loose_system){0};
}

static int block_count(const loose_pairs* p) { return (p->count + LOOSE_BLOCK - 1) / LOOSE_BLOCK; }

static bool reserve_particles(contact_system* s, loose_pairs* p, int which)
{
    loose_system* l = &s->loose;
    size_t four = 4 * (size_t)s->scalar_bytes;
    return mem_reserve((void**)&p->neighbors, &l->neighbors_capacity[which], p->count,
                       sizeof(int)) &&
           mem_reserve((void**)&p->start, &l->start_capacity[which], block_count(p) + 1,
                       sizeof(int)) &&
           mem_reserve((void**)&p->depth, &l->depth_capacity[which], block_count(p), sizeof(int)) &&
           mem_reserve((void**)&p->room, &l->room_capacity[which], block_count(p), sizeof(int)) &&
           mem_reserve((void**)&l->strays, &l->strays_capacity, p->count, 1) &&
           mem_reserve((void**)&l->stray, &l->stray_capacity, p->count, sizeof(int)) &&
           mem_reserve((void**)&l->in_cells, &l->in_cells_capacity, p->count, sizeof(int)) &&
           mem_reserve((void**)&l->apart, &l->apart_capacity, p->count, sizeof(int)) &&
           mem_reserve(&p->ball, &l->ball_row_capacity, p->count, four) &&
           mem_reserve(&p->push, &l->push_capacity, p->count, four) &&
           mem_reserve(&p->total, &l->total_capacity, p->count, four) &&
           mem_reserve(&p->lasting, &l->lasting_capacity, p->count, four) &&
           mem_reserve((void**)&l->ball, &l->ball_capacity, p->count, sizeof *l->ball) &&
           mem_reserve((void**)&l->way, &l->way_capacity, p->count, sizeof *l->way) &&
           mem_reserve((void**)&l->sorted_way, &l->sorted_way_capacity, p->count,
                       sizeof *l->sorted_way) &&
           mem_reserve((void**)&p->from, &l->from_capacity, p->count, 4 * sizeof(float)) &&
           mem_reserve((void**)&p->course, &l->course_capacity, p->count, 4 * sizeof(float)) &&
           mem_reserve((void**)&l->place, &l->place_capacity, p->count, sizeof(int)) &&
           mem_reserve((void**)&l->finder, &l->finder_capacity, p->count, sizeof(int));
}

static size_t row_bytes(const contact_system* s)
{
    return (size_t)LOOSE_NUMBERS * LOOSE_BLOCK * (size_t)s->scalar_bytes;
}

static bool reserve_rows(contact_system* s, loose_pairs* p, int which, int64_t rows)
{
    loose_system* l = &s->loose;
    if (rows * LOOSE_BLOCK >= INT32_MAX) {
        fail(PLIANT_ERROR_MEMORY,
             "about %lld loose particles are near each other: more than a list can hold; use "
             "smaller radii or fewer particles at one place",
             (long long)rows * LOOSE_BLOCK);
        return false;
    }
    return mem_reserve((void**)&p->other, &l->other_capacity[which], rows,
                       LOOSE_BLOCK * sizeof(int)) &&
           mem_reserve(&p->number, &l->number_capacity[which], rows, row_bytes(s)) &&
           mem_reserve(&p->flags, &l->flags_capacity[which], rows, LOOSE_ROW_FLAGS);
}

bool loose_reserve(contact_system* s, int count, int rows)
{
    loose_system* l = &s->loose;
    loose_pairs* p = &s->set.loose;
    p->count = count;
    if (!reserve_particles(s, p, l->newest) || !reserve_rows(s, p, l->newest, rows)) {
        loose_forget(s);
        return false;
    }
    if (rows > 0) memset(p->flags, 0, (size_t)rows * LOOSE_ROW_FLAGS);
    p->strays = l->strays;
    l->listed = l->due = l->newer = true;
    return true;
}

void loose_forget(contact_system* s)
{
    s->loose.listed = s->loose.newer = false;
    s->set.loose.count = 0;
}

// ---- who is near --------------------------------------------------------------------------------

void loose_look(contact_system* s, int i, int life)
{
    loose_now now = {.radius = finding_kernels_for(s->scalar_bytes)->radius(&s->set, i)};
    for (size_t k = 0; k < 4; ++k) {
        size_t at = 4 * (size_t)i + k;
        now.course[k] = state_get(s->set.course, at, s->scalar_bytes);
        if (k < 3) now.place[k] = state_get(s->set.place, at, s->scalar_bytes);
    }
    double leeway =
        loose_expect(&s->set, i, &now, life, s->loose.listed, &s->loose.ball[i], &s->loose.way[i]);
    if (!s->set.looks_first) return;
    if (s->scalar_bytes == 4)
        ((float*)s->set.course)[4 * (size_t)i + 3] = (float)leeway;
    else
        ((double*)s->set.course)[4 * (size_t)i + 3] = leeway;
}

static void look_at_particles(void* system, int first, int last)
{
    contact_system* s = (contact_system*)system;
    for (int i = first; i < last; ++i) {
        loose_look(s, i, s->loose.life);
        s->set.loose.neighbors[i] = 0; // of one that is absent,
        s->loose.in_cells[i] = -1;     // likewise
    }
}

// Of two in the order of cells.
static bool comes_near(const cell_grid* of, const grid_ball* way, int a, int b, float most)
{
    const float apart[] = {of->sorted[0][a] - of->sorted[0][b], of->sorted[1][a] - of->sorted[1][b],
                           of->sorted[2][a] - of->sorted[2][b]};
    return loose_comes_near(apart, &way[a], &way[b], most);
}

static void sort_few(int* number, int count)
{
    for (int i = 1; i < count; ++i) {
        int one = number[i], at = i;
        for (; at > 0 && number[at - 1] > one; --at) number[at] = number[at - 1];
        number[at] = one;
    }
}

static bool reserve_found(loose_chunk* c)
{
    int64_t most = c->count;
    for (int r = 0; r < c->ranges.count; ++r) most += c->ranges.range[r][1] - c->ranges.range[r][0];
    return mem_reserve((void**)&c->found, &c->capacity, most, sizeof(int));
}

// Neighbors of one particle, ascending.
static bool find_neighbors(contact_system* s, loose_chunk* c, int at)
{
    const cell_grid* of = &s->loose.cells;
    loose_pick* pick = loose_kernels_for(s->lanes, 4)->pick;
    int number = of->order[at], first = c->count, count = 0, picked = 0;
    float most = (float)(s->set.loose.life - 1);
    if (!reserve_found(c)) return false;
    int* found = c->found + first;
    for (int r = 0; r < c->ranges.count; ++r)
        picked += pick((const float* const*)of->sorted, c->ranges.range[r][0],
                       c->ranges.range[r][1], at, found + picked);
    const int* owner = s->set.owner;
    const contact_body* own = &s->set.body[owner[number]];
    const bool leaves_own =
        (own->surface->cluster_start || own->flows) && !own->self; // most who are near it
    for (int i = 0; i < picked; ++i) {
        if (leaves_own && owner[of->order[found[i]]] == owner[number]) continue;
        if (found[i] == at || !comes_near(of, s->loose.sorted_way, at, found[i], most)) continue;
        int other = of->order[found[i]];
        if (s->loose.alike || loose_may_touch(&s->set, number, other)) found[count++] = other;
    }
    s->loose.place[number] = first;
    s->loose.finder[number] = (int)(c - s->loose.chunk);
    c->count = first + count;
    sort_few(found, count);
    s->set.loose.neighbors[number] = count;
    return true;
}

static void find_in_chunks(void* system, int first, int last)
{
    contact_system* s = (contact_system*)system;
    const cell_grid* of = &s->loose.cells;
    for (int i = first; i < last; ++i) {
        loose_chunk* c = &s->loose.chunk[i];
        c->good = true;
        c->count = 0;
        memset(c->ranges.hint, 0, sizeof c->ranges.hint);
        for (int cell = c->first; cell < c->last && c->good; ++cell) {
            c->good = cells_around(of, cell, &c->ranges);
            for (int k = of->start[cell]; k < of->start[cell + 1] && c->good; ++k)
                c->good = find_neighbors(s, c, k);
        }
    }
}

static bool cut_chunks(loose_system* l)
{
    enum { CHUNK = 512 }; // cells
    int before = l->chunk_capacity, count = (l->cells.cell_count + CHUNK - 1) / CHUNK;
    if (!mem_reserve((void**)&l->chunk, &l->chunk_capacity, count, sizeof *l->chunk)) return false;
    if (l->chunk_capacity > before)
        memset(l->chunk + before, 0, (size_t)(l->chunk_capacity - before) * sizeof *l->chunk);
    for (int i = 0; i < count; ++i) {
        int last = (i + 1) * CHUNK;
        l->chunk[i].first = i * CHUNK;
        l->chunk[i].last = last < l->cells.cell_count ? last : l->cells.cell_count;
    }
    l->chunk_count = count;
    return true;
}

static bool find_near(contact_system* s)
{
    enum { GRAIN = 1024 };
    loose_system* l = &s->loose;
    l->alike = loose_all_may_touch(&s->set);
    if (l->life == 0) l->life = 1;
    if (l->listed && s->set.loose.age > 0) l->life = loose_next_life(l->life, s->set.loose.age);
    split_run(s->exec, look_at_particles, s, l->count, GRAIN);
    s->set.loose.life = l->life;
    s->set.loose.age = 0;
    memset(s->set.loose.drift, 0, sizeof s->set.loose.drift);
    if (!cells_sort(&l->cells, l->ball, l->count) || !cut_chunks(l)) return false;
    for (int i = 0; i < l->cells.count; ++i) {
        l->sorted_way[i] = l->way[l->cells.order[i]];
        l->in_cells[l->cells.order[i]] = i;
    }
    split_run(s->exec, find_in_chunks, s, l->chunk_count, 1);
    for (int i = 0; i < l->chunk_count; ++i)
        if (!l->chunk[i].good) return false;
    return true;
}

// ---- lists --------------------------------------------------------------------------------------

enum { SPARE_ROWS = 2 }; // of each block, for pairs that are found later

static int64_t count_rows(loose_pairs* p)
{
    int64_t rows = 0;
    for (int i = 0; i < p->count; ++i) {
        int block = i / LOOSE_BLOCK;
        if (i % LOOSE_BLOCK == 0) p->depth[block] = 0;
        if (p->neighbors[i] > p->depth[block]) p->depth[block] = p->neighbors[i];
    }
    for (int block = 0; block < block_count(p); ++block) {
        if (rows * LOOSE_BLOCK >= INT32_MAX) return rows;
        p->start[block] = (int)rows;
        p->room[block] = p->depth[block] + SPARE_ROWS;
        rows += p->room[block];
    }
    p->start[block_count(p)] = (int)rows;
    return rows;
}

// What an entry of the old list remembers.
static void hand_over(const contact_system* s, size_t from, size_t to)
{
    const loose_pairs *old = &s->loose.before, *p = &s->set.loose;
    size_t a = loose_at_number(from, 0), b = loose_at_number(to, 0);
    for (size_t k = 0; k < LOOSE_NUMBERS * LOOSE_BLOCK; k += LOOSE_BLOCK)
        if (s->scalar_bytes == 4)
            ((float*)p->number)[b + k] = ((const float*)old->number)[a + k];
        else
            ((double*)p->number)[b + k] = ((const double*)old->number)[a + k];
    for (loose_flag flag = LOOSE_ACTIVE; flag < LOOSE_FLAGS; ++flag)
        if (loose_says(old, from, flag)) loose_say(p, to, flag);
}

// It pushed in this step, and its force is not to be lost.
static void note_lost(contact_system* s, size_t entry)
{
    if (loose_says(&s->loose.before, entry, LOOSE_PUSHED))
        __atomic_store_n(&s->loose.lost, true, __ATOMIC_RELAXED);
}

static void fill_particle(contact_system* s, int particle)
{
    const loose_system* l = &s->loose;
    const loose_pairs *old = &l->before, *p = &s->set.loose;
    bool any = p->neighbors[particle] > 0;
    const int* found = any ? l->chunk[l->finder[particle]].found + l->place[particle] : NULL;
    int old_count = old->count ? old->neighbors[particle] : 0;
    for (int k = 0, at = 0; k < p->neighbors[particle]; ++k) {
        size_t entry = loose_entry(p, particle, k);
        p->other[entry] = found[k];
        for (; at < old_count && loose_other(old, particle, at) < found[k]; ++at)
            note_lost(s, loose_entry(old, particle, at));
        if (at < old_count && loose_other(old, particle, at) == found[k])
            hand_over(s, loose_entry(old, particle, at++), entry);
        if (k + 1 == p->neighbors[particle])
            for (; at < old_count; ++at) note_lost(s, loose_entry(old, particle, at));
    }
    for (int at = 0; p->neighbors[particle] == 0 && at < old_count; ++at)
        note_lost(s, loose_entry(old, particle, at));
}

static void clear_flags(const loose_pairs* p, size_t first, size_t count)
{
    memset((char*)p->flags + first * LOOSE_ROW_FLAGS, 0, count * LOOSE_ROW_FLAGS);
}

static void clear_rows(const loose_pairs* p, size_t first, size_t count, size_t bytes)
{
    memset((char*)p->number + first * bytes, 0, count * bytes);
    clear_flags(p, first, count);
}

static void fill_blocks(void* system, int first, int last)
{
    contact_system* s = (contact_system*)system;
    const loose_pairs* p = &s->set.loose;
    for (int block = first; block < last; ++block) {
        size_t row = (size_t)p->start[block], rows = (size_t)p->depth[block];
        clear_rows(p, row, rows, row_bytes(s));
        clear_flags(p, row + rows, SPARE_ROWS);
        for (int i = block * LOOSE_BLOCK; i < (block + 1) * LOOSE_BLOCK; ++i) {
            int self = i < p->count ? i : p->count - 1;
            for (size_t k = 0; k < rows; ++k)
                p->other[(row + k) * LOOSE_BLOCK + (size_t)(i % LOOSE_BLOCK)] = self;
            if (i < p->count) fill_particle(s, i);
        }
    }
}

// ---- for the order of work ----------------------------------------------------------------------

void loose_go_on(contact_system* s)
{
    loose_pairs* p = &s->set.loose;
    if (p->count == 0) return;
    for (int k = 0; k < 3; ++k) p->drift[k] += s->set.frame_before[k];
    if (++p->age >= p->life) s->loose.due = true;
}

bool loose_list(contact_system* s)
{
    enum { GRAIN = 64 };
    loose_system* l = &s->loose;
    loose_pairs* p = &s->set.loose;
    bool anew = l->due || !l->listed || s->fresh || p->count != l->count;
    if (l->count == 0 || !(anew || l->strayed)) return true;
    if (!anew && loose_mend(s)) return true;
    s->figures.lists++;
    l->lost = false;
    loose_pairs old = *p;
    int newest = 1 - l->newest;
    p->neighbors = l->before.neighbors;
    p->start = l->before.start;
    p->depth = l->before.depth;
    p->room = l->before.room;
    p->other = l->before.other;
    p->number = l->before.number;
    p->flags = l->before.flags;
    p->count = l->count;
    l->before = old;
    l->newest = newest;
    if (!l->listed) l->before.count = 0;
    bool good = reserve_particles(s, p, newest) && find_near(s) &&
                reserve_rows(s, p, newest, loose_rows_wanted(count_rows(p)));
    if (good) split_run(s->exec, fill_blocks, s, block_count(p), GRAIN);
    good = good && (!l->lost || loose_keep_lost(s));
    if (!good) { // as it was
        loose_pairs spare = *p;
        *p = old;
        p->ball = spare.ball;
        p->push = spare.push;
        p->total = spare.total;
        p->lasting = spare.lasting;
        p->from = spare.from;
        p->course = spare.course;
        p->strays = l->strays;
        l->due = true; // what they remember is there, but not how far they reach
        l->before = spare;
        l->newest = 1 - newest;
        return false;
    }
    loose_take_records(s);
    l->listed = true;
    l->due = l->strayed = false;
    l->apart_count = l->strayed_count = 0;
    memset(l->strays, 0, (size_t)l->count);
    p->strays = l->strays;
    return true;
}

static bool find_rules(contact_system* s)
{
    loose_system* l = &s->loose;
    loose_pairs* p = &s->set.loose;
    int bodies = 0;
    while (bodies < s->set.body_count && s->set.body[bodies].surface->grains) ++bodies;
    if (!mem_reserve((void**)&l->rules, &l->rules_capacity, (int64_t)bodies * bodies,
                     sizeof *l->rules))
        return false;
    p->alike = true;
    for (int i = 0; i < bodies * bodies; ++i) {
        const contact_body *a = &s->set.body[i / bodies], *b = &s->set.body[i % bodies];
        l->rules[i] = loose_rules_of(a, b, s->set.h, s->scalar_bytes == 4);
        p->alike = p->alike && memcmp(&l->rules[i], l->rules, sizeof *l->rules) == 0;
    }
    p->rules = l->rules;
    p->bodies = bodies;
    return true;
}

// Sums of forces are of a step.
static void clear_sums(const contact_system* s)
{
    const loose_pairs* p = &s->set.loose;
    size_t bytes = 3 * (size_t)LOOSE_BLOCK * (size_t)s->scalar_bytes;
    for (int row = 0; row < p->start[block_count(p)]; ++row) {
        size_t entry = (size_t)row * LOOSE_BLOCK;
        if (*loose_flags_at(p, entry, LOOSE_PUSHED) == 0) continue;
        memset((char*)p->number + loose_at_number(entry, LOOSE_SUM) * (size_t)s->scalar_bytes, 0,
               bytes);
        *loose_flags_at(p, entry, LOOSE_PUSHED) = 0;
    }
}

bool loose_start(contact_system* s)
{
    loose_pairs* p = &s->set.loose;
    if (s->loose.count == 0) return true;
    if (s->loose.listed) loose_drop_records(s);
    if (s->loose.listed) clear_sums(s);
    if (!find_rules(s)) return false;
    for (int i = 0; i < p->bodies * p->bodies; ++i) p->stores = p->stores || p->rules[i].bounce > 0;
    return true;
}

typedef struct {
    contact_system* s;
    loose_pass* pass;
} loose_work;

static void run_blocks(void* work, int first, int last)
{
    const loose_work* w = (const loose_work*)work;
    contact_set* s = &w->s->set;
    if (w->pass(&s->loose, first, last)) flag_raise(&s->flags->touching, s->pass);
}

bool loose_run(contact_system* s, loose_step which, double carry)
{
    enum { GRAIN = 32 };
    const loose_kernels* kernels = loose_kernels_for(s->lanes, s->scalar_bytes);
    loose_pass* const passes[] = {kernels->warm, kernels->judge, kernels->press, kernels->finish,
                                  kernels->settle};
    loose_pairs* p = &s->set.loose;
    loose_work w = {s, passes[which]};
    if (p->count == 0 || (which == LOOSE_SETTLE && p->settled)) return false;
    p->settled = which == LOOSE_FINISH;
    p->place = s->set.place;
    p->increment = s->set.increment;
    p->residue = s->set.residue;
    p->velocity = s->set.velocity;
    p->body = s->set.owner;
    p->carry = carry;
    p->h = s->set.h;
    p->rest_speed = s->set.rest_speed;
    p->exit_speed = s->set.exit_speed;
    s->loose.newer = true;
    s->set.pass++;
    split_run(s->exec, run_blocks, &w, block_count(p), GRAIN);
    return flag_is_raised(&s->flags.touching, s->set.pass);
}
