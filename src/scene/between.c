#include "scene/between.h"
#include "base/memory.h"
#include "mesh/mesh.h"
#include <stdio.h>
#include <string.h>

// ---- circles of followers -----------------------------------------------------------------------

// A walk along the pins that follow: from body to body until one follows none, or one of the way.
typedef struct {
    const scene* scene;
    int* way;      // bodies, each a follower of the next
    int* next_pin; // of each body, to be looked at
    bool* done;    // of each body: no circle can be reached from it
    int length;
} walk;

static pliant_result open_walk(const scene* s, walk* out)
{
    size_t count = (size_t)s->bodies.count + 1;
    *out = (walk){.scene = s};
    out->way = (int*)mem_array(count, sizeof(int));
    out->next_pin = (int*)mem_array_zero(count, sizeof(int));
    out->done = (bool*)mem_array_zero(count, sizeof(bool));
    return out->way && out->next_pin && out->done ? PLIANT_OK : PLIANT_ERROR_MEMORY;
}

static void close_walk(walk* w)
{
    mem_free(w->way);
    mem_free(w->next_pin);
    mem_free(w->done);
}

// Where on the way the body is; -1: nowhere. One that is on it has had its first pin looked at.
static int find_on_way(const walk* w, int body)
{
    if (w->next_pin[body] == 0) return -1;
    for (int i = 0; i < w->length; ++i)
        if (w->way[i] == body) return i;
    return -1;
}

// Whom the last of the way follows by its next pin; -1: no more. Itself and whoever is not there
// are refused elsewhere.
static int next_leader(walk* w)
{
    int body = w->way[w->length - 1];
    const scene_list* pins = &scene_body_at(w->scene, body)->pins;
    while (w->next_pin[body] < pins->count) {
        const scene_pin* pin = (const scene_pin*)pins->item + w->next_pin[body]++;
        const scene_near* near = (const scene_near*)pin->follow.item;
        if (near && near->body != body && near->body < w->scene->bodies.count) return near->body;
    }
    return -1;
}

// "body 0 follows body 1, which follows body 0"
static pliant_result refuse_circle(const walk* w, int first, const place* bodies)
{
    char names[200];
    int last = w->way[w->length - 1], length = 0, most = 5; // names of bodies
    place body = place_item(bodies, last), pins = place_key(&body, "pins"),
          pin = place_item(&pins, w->next_pin[last] - 1), follow = place_key(&pin, "follow");
    for (int i = first; i < w->length; ++i) {
        if (w->length - first > most && i == first + most - 1)
            length += snprintf(names + length, sizeof names - (size_t)length, " ...");
        if (w->length - first > most && i >= first + most - 1 && i < w->length - 1) continue;
        length += snprintf(names + length, sizeof names - (size_t)length, "%s %d follows body %d",
                           i == first ? "body" : ", body", w->way[i],
                           w->way[i + 1 < w->length ? i + 1 : first]);
    }
    return fail_at(PLIANT_ERROR_ARGUMENT, &follow,
                   "a circle: %s: leave out one of these pins, or join the bodies (\"joints\")",
                   names);
}

static pliant_result walk_from(walk* w, int body, const place* bodies)
{
    w->length = 0;
    if (!w->done[body]) w->way[w->length++] = body;
    while (w->length > 0) {
        int leader = next_leader(w);
        if (leader < 0) {
            w->done[w->way[--w->length]] = true;
            continue;
        }
        if (w->done[leader]) continue;
        int first = find_on_way(w, leader);
        if (first >= 0) return refuse_circle(w, first, bodies);
        w->way[w->length++] = leader;
    }
    return PLIANT_OK;
}

static pliant_result check_circles(const scene* s, const place* bodies)
{
    walk w;
    pliant_result result = open_walk(s, &w);
    for (int i = 0; i < s->bodies.count && !result; ++i) result = walk_from(&w, i, bodies);
    close_walk(&w);
    return result;
}

// ---- precisions ---------------------------------------------------------------------------------

static bool may_touch(const scene_body* a, const scene_body* b)
{
    const pliant_contact_def *one = &a->def.contact, *two = &b->def.contact;
    return (one->group & two->mask) && (two->group & one->mask);
}

// Another body, one of its own copies, or itself.
static bool meets_any(const stage* s, int number)
{
    const scene_body* b = scene_body_at(s->scene, number);
    bool twice = b->copies[0] > 1 || b->copies[1] > 1 || b->copies[2] > 1 ||
                 mesh_is_loose(s->entries[number].mesh);
    bool meets = b->def.contact.self;
    for (int i = 0; i < s->scene->bodies.count && !meets; ++i)
        meets = (i != number || twice) && may_touch(b, scene_body_at(s->scene, i));
    return meets;
}

static bool have_one_precision(const scene* s)
{
    for (int i = 1; i < s->bodies.count; ++i)
        if (scene_body_at(s, i)->soft.solver.precision !=
            scene_body_at(s, 0)->soft.solver.precision)
            return false;
    return true;
}

// All that meet, whomever, are of one precision.
static pliant_result check_precisions(const stage* s, const place* bodies)
{
    int first = -1;
    if (!s->scene->world.contacts || have_one_precision(s->scene)) return PLIANT_OK;
    for (int i = 0; i < s->scene->bodies.count; ++i) {
        if (!meets_any(s, i)) continue;
        if (first < 0) first = i;
        if (scene_body_at(s->scene, i)->soft.solver.precision ==
            scene_body_at(s->scene, first)->soft.solver.precision)
            continue;
        place body = place_item(bodies, i), solver = place_key(&body, "solver"),
              precision = place_key(&solver, "precision");
        return fail_at(PLIANT_ERROR_UNSUPPORTED, &precision,
                       "body %d has another one, and bodies that may meet others have one "
                       "precision: make it the same, or keep one from meeting others (\"contact\": "
                       "{\"none\": true})",
                       first);
    }
    return PLIANT_OK;
}

pliant_result stage_check_between(const stage* s, const place* top)
{
    place bodies = place_key(top, "bodies");
    pliant_result result = check_circles(s->scene, &bodies);
    return result ? result : check_precisions(s, &bodies);
}
