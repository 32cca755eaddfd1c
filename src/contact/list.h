// Lists of pairs that are near, made anew when an element has left its margin, and the pairs of a
// substep.
#pragma once
#include "contact/pass_list.h"
#include "contact/system.h"
#include "contact/watch.h"

// A pass over all that it is for, on threads.
void pass_run(contact_system* s, contact_pass pass);

// How far the substep moves points and elements, as rows have them; and again, after some point has
// left its course.
void reach_look(contact_system* s);
void reach_look_again(contact_system* s);
// At the end of the substep.
void reach_go_on(contact_system* s);

enum { CHUNK_ELEMENTS = 128 };
static inline int chunk_parts(const contact_surface* s)
{
    return (s->element_count + CHUNK_ELEMENTS - 1) / CHUNK_ELEMENTS;
}

// For a list that is about to be made: it is to last somewhat longer than the one before did, as
// far as that did not have to be given up.
static inline void list_age_start(list_age* l, int of)
{
    int life = l->age + 2 + l->age / 4, most = of == OF_ONE ? WATCH_MOST : WATCH_MOST / 2;
    memset(l, 0, sizeof *l);
    l->life = life < WATCH_LEAST ? WATCH_LEAST : life < most ? life : most;
}

// Elements that stray farther than lists thought: whether those are made anew, and what others get.
// False when memory runs out.
void strays_judge(contact_system* s);
bool strays_add(contact_system* s, int of);
// Whether two bodies may touch, wherever they are. The first has the lower number.
static inline bool bodies_may_touch(const contact_set* s, int one, int two)
{
    const contact_body *a = &s->body[one], *b = &s->body[two];
    if (is_loose(s, a) && is_loose(s, b)) return false;
    return a->collider || b->collider ? is_swept(s, one, two) : groups_meet(a, b);
}

// Which chunks there are, once elements have numbers. False when memory runs out.
bool lists_cut(contact_system* s);
// Lists that do not have all that may meet in this substep are made anew, around where bodies are
// at its start. False when memory runs out.
bool lists_make(contact_system* s);
void lists_forget(contact_system* s);
// Which bodies are near each other, without margins. False when memory runs out.
bool partners_find(contact_system* s);

// Pairs of the substep. They take over what pairs before them remember, of a substep with `carry`
// times as much to push. False when memory runs out; then there are none, and nothing is forgotten.
bool pairs_make(contact_system* s, double carry);
// Pairs that the guard holds back, and those of each point. False when memory runs out.
bool pairs_hold(contact_system* s);
// What pairs remember, into s->kept. False when memory runs out.
bool pairs_keep(contact_system* s);

// Calls part(argument, first, last) for parts of what is counted, on the executor's threads where
// that is worth it.
typedef void split_fn(void* argument, int first, int last);
void split_run(executor* exec, split_fn* part, void* argument, int count, int grain);
