// How far a substep moves points and elements, and what lists get for elements that stray farther
// than they thought.
#include "contact/finding.h"
#include "contact/list.h"
#include <string.h>

// ---- looking ------------------------------------------------------------------------------------

static void look_at(void* system, int first, int last)
{
    contact_system* s = (contact_system*)system;
    for (int i = first; i < last; ++i)
        if (s->set.body[i].meets) finding_kernels_for(s->scalar_bytes)->look(&s->set, i);
}

// The mean motion of all: what goes along with it needs no margin.
static void find_frame(contact_system* s)
{
    double points = 0;
    memcpy(s->set.frame_before, s->set.frame, sizeof s->set.frame);
    memset(s->set.frame, 0, sizeof s->set.frame);
    for (int i = 0; i < s->set.body_count; ++i) {
        const contact_body* b = &s->set.body[i];
        if (!b->meets || b->frozen) continue;
        points += b->surface->point_count;
        for (int k = 0; k < 3; ++k) s->set.frame[k] += b->surface->point_count * b->motion.step[k];
    }
    for (int k = 0; k < 3; ++k) s->set.frame[k] = points > 0 ? s->set.frame[k] / points : 0;
}

// Who has gone as far as its list reaches.
static void look_at_elements(contact_system* s, bool first)
{
    s->set.looks_first = first;
    pass_run(s, PASS_look_element);
    if (s->set.age.age > s->set.age.life) s->listed = false;
    for (int i = 0; i < s->set.body_count; ++i)
        if (s->set.body[i].own_age.age > s->set.body[i].own_age.life) s->set.body[i].listed = false;
    s->strays = s->strays || flag_is_raised(&s->flags.unlisted, s->set.pass) ||
                flag_is_raised(&s->flags.lapsed, s->set.pass);
}

static void look_who_is_there(contact_set* s)
{
    s->loose_alone = true;
    for (int i = 0; i < s->body_count; ++i)
        if (s->body[i].meets && !is_loose(s, &s->body[i])) s->loose_alone = false;
}

static void run_over_points(contact_system* s, contact_pass pass)
{
    pass_run(s, pass);
    if (flag_is_raised(&s->flags.strayed, s->set.pass)) s->loose.strayed = true;
}

static void go_on(list_age* l, const double frame[3])
{
    l->age++;
    for (int k = 0; k < 3; ++k) l->drift[k] += frame[k];
}

// Lists are a substep older.
static void grow_old(contact_set* s)
{
    go_on(&s->age, s->frame_before);
    for (int i = 0; i < s->body_count; ++i) {
        contact_body* b = &s->body[i];
        if (b->meets) go_on(&b->own_age, b->motion_before.step);
    }
}

void reach_look(contact_system* s)
{
    look_who_is_there(&s->set);
    split_run(s->exec, look_at, s, s->set.body_count, 1);
    find_frame(s);
    grow_old(&s->set);
    loose_go_on(s);
    run_over_points(s, PASS_look_point);
    look_at_elements(s, true);
}

void reach_look_again(contact_system* s)
{
    run_over_points(s, PASS_widen_point);
    look_at_elements(s, false);
}

void reach_go_on(contact_system* s)
{
    for (int i = 0; i < s->set.body_count; ++i) {
        s->set.body[i].stir = s->set.body[i].stir_next;
        s->set.body[i].stir_next = 0;
    }
}

// ---- who strays ---------------------------------------------------------------------------------

// Few that stray farther get the pairs that this adds: what the list expects stays, and with it all
// that is known of its other pairs.

enum { FEW = 12 }; // one in so many elements may stray until the list is made anew

static bool strays(const contact_set* s, const contact_body* b, int of, int which)
{
    int number = b->first_element + which;
    return !(s->reach[of][number] <= s->margin[of][number]);
}

static bool has_list(const contact_system* s, const contact_body* b, int of)
{
    if (!b->meets || (s->set.loose_alone && is_loose(&s->set, b))) return false;
    return of == OF_TWO ? s->listed : lists_itself(&s->set, b) && b->listed;
}

static int count_strays(const contact_system* s, const contact_body* b, int of)
{
    int count = 0;
    for (int i = 0; i < b->surface->element_count; ++i) count += strays(&s->set, b, of, i);
    return count;
}

// Lists that have been made longer for too many are made anew.
void strays_judge(contact_system* s)
{
    int64_t all = 0, strayed = 0;
    for (int i = 0; i < s->set.body_count; ++i) {
        contact_body* b = &s->set.body[i];
        if (has_list(s, b, OF_ONE)) {
            b->own_age.strayed += count_strays(s, b, OF_ONE);
            b->listed = b->own_age.strayed <= b->surface->element_count / FEW;
        }
        if (!has_list(s, b, OF_TWO)) continue;
        all += b->surface->element_count;
        strayed += count_strays(s, b, OF_TWO);
    }
    s->set.age.strayed += (int)strayed;
    if (s->set.age.strayed > all / FEW) s->listed = false;
}

// Whom elements of a body may meet.
static bool look_around(contact_system* s, int body, stray_look* l)
{
    l->count = 0;
    if (!mem_reserve((void**)&s->around, &s->around_capacity, s->set.body_count, sizeof *s->around))
        return false;
    for (int i = 0; i < s->set.body_count; ++i) {
        bool meets = l->of == OF_ONE ? i == body : i != body && s->set.body[i].meets;
        if (meets &&
            (i == body || bodies_may_touch(&s->set, body < i ? body : i, body < i ? i : body)))
            s->around[l->count++] = i;
    }
    l->other = s->around;
    return true;
}

static int swapped_sub(int sub)
{
    if (sub < SUB_SECOND) return sub + SUB_SECOND;
    if (sub < SUB_EDGES) return sub - SUB_SECOND;
    return SUB_EDGES + 3 * ((sub - SUB_EDGES) % 3) + (sub - SUB_EDGES) / 3;
}

// The lower element comes first, and has the pair in its chunk.
static bool append(contact_system* s, int of, watched_pair p)
{
    uint32_t first = p.first, second = (uint32_t)watched_second(&p);
    if (second < first) {
        p.second = first | (uint32_t)swapped_sub(watched_sub(&p)) << KEY_ELEMENT_BITS;
        p.first = second;
    }
    const contact_body* b = &s->set.body[s->set.element_owner[p.first]];
    int part = ((int)p.first - b->first_element) / CHUNK_ELEMENTS;
    find_chunk* c = &s->chunk[b->first_chunk + 2 * part + (of == OF_TWO)];
    if (!mem_reserve(&c->listed, &c->listed_room, (int64_t)c->listed_count + 1, sizeof p))
        return false;
    ((watched_pair*)c->listed)[c->listed_count++] = p;
    return true;
}

static bool add_pairs(contact_system* s, const stray_look* l)
{
    const finding_kernels* find = finding_kernels_for(s->scalar_bytes);
    const leaf_kernels* leaves = leaf_kernels_for(s->lanes, s->scalar_bytes);
    watch_sink out;
    do {
        out = (watch_sink){s->more, 0, s->more_capacity};
        find->widen(&s->set, leaves, l, &out);
        if (!mem_reserve((void**)&s->more, &s->more_capacity, out.count, sizeof *s->more))
            return false;
    } while (out.count > out.capacity);
    for (int i = 0; i < out.count; ++i)
        if (!append(s, l->of, s->more[i])) return false;
    return true;
}

bool strays_add(contact_system* s, int of)
{
    for (int i = 0; i < s->set.body_count; ++i) {
        const contact_body* b = &s->set.body[i];
        stray_look l = {.body = i, .of = of};
        if (!has_list(s, b, of)) continue;
        if (!look_around(s, i, &l)) return false;
        for (; l.element < b->surface->element_count; ++l.element)
            if (strays(&s->set, b, of, l.element) && !add_pairs(s, &l)) return false;
    }
    return true;
}
