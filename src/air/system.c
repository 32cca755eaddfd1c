#include "air/system.h"
#include "base/memory.h"
#include <string.h>

// ---- before a step ------------------------------------------------------------------------------

bool air_system_start(air_system* s, int members)
{
    s->member_count = s->look_count = s->push_count = 0;
    return mem_reserve((void**)&s->member, &s->member_capacity, members, sizeof *s->member);
}

static bool add_tasks(air_task** list, int* count, int* capacity, int member, int pieces)
{
    if (!mem_reserve((void**)list, capacity, (int64_t)*count + pieces, sizeof **list)) return false;
    for (int i = 0; i < pieces; ++i) (*list)[(*count)++] = (air_task){member, i};
    return true;
}

bool air_system_add(air_system* s, air_member m)
{
    const contact_surface* of = m.skin->surface;
    int number = s->member_count++;
    s->member[number] = m;
    return add_tasks(&s->look, &s->look_count, &s->look_capacity, number,
                     air_pieces(of->element_count)) &&
           add_tasks(&s->push, &s->push_count, &s->push_capacity, number,
                     air_pieces(of->point_count));
}

void air_system_destroy(air_system* s)
{
    mem_free(s->member);
    mem_free(s->look);
    mem_free(s->push);
    memset(s, 0, sizeof *s);
}

// ---- tasks --------------------------------------------------------------------------------------

static void find_wind(int index, void* argument)
{
    const air_system* s = (const air_system*)argument;
    const air_task* t = &s->push[index];
    const air_member* m = &s->member[t->member];
    const contact_surface* of = m->skin->surface;
    int first = t->piece * AIR_PIECE, last = first + AIR_PIECE;
    for (int p = first; p < last && p < of->point_count; ++p) {
        double place[3];
        state_read_position(m->run->s, of->particle[p], place);
        wind_at(s->field, s->time, place, m->skin->wind + 3 * (size_t)p);
    }
}

static void look(int index, void* argument)
{
    const air_system* s = (const air_system*)argument;
    const air_member* m = &s->member[s->look[index].member];
    if (!*m->run->failed) air_look(m->skin, m->run, &m->rules, s->look[index].piece);
}

static void push(int index, void* argument)
{
    const air_system* s = (const air_system*)argument;
    const air_member* m = &s->member[s->push[index].member];
    if (!*m->run->failed) air_push(m->skin, m->run, &m->rules, s->push[index].piece);
}

// Handing a few pieces to other threads takes longer than doing them.
static void run_all(executor* exec, pliant_task_fn* task, air_system* s, int count)
{
    enum { WORTH_SHARING = 4 };
    if (count >= WORTH_SHARING)
        executor_run(exec, task, s, count);
    else
        for (int i = 0; i < count; ++i) task(i, s);
}

void air_system_find_wind(air_system* s, executor* exec, const wind_field* field, double time)
{
    s->field = field;
    s->time = time;
    run_all(exec, find_wind, s, s->push_count);
}

void air_blow(void* system, step_work* step)
{
    air_system* s = (air_system*)system;
    run_all(step->exec, look, s, s->look_count);
    run_all(step->exec, push, s, s->push_count);
    for (int i = 0; i < s->member_count; ++i) {
        const air_member* m = &s->member[i];
        if (!*m->run->failed) air_add_up(m->skin, &m->rules);
    }
}
