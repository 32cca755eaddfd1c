#include "joint/system.h"
#include "base/memory.h"
#include "base/sort.h"
#include <string.h>

// ---- points -------------------------------------------------------------------------------------

bool joint_system_reserve(joint_system* s, int joints, int particles)
{
    joint_set* set = &s->set;
    return mem_reserve((void**)&set->joint, &s->joint_capacity, joints, sizeof *set->joint) &&
           mem_reserve((void**)&s->slot, &s->slot_capacity, joints, sizeof *s->slot) &&
           mem_reserve((void**)&s->key, &s->key_capacity, particles, sizeof *s->key) &&
           mem_reserve((void**)&set->point, &s->point_capacity, particles, sizeof *set->point) &&
           mem_reserve((void**)&set->row, &s->row_capacity, particles, sizeof *set->row) &&
           mem_reserve((void**)&set->body, &s->body_capacity, particles, sizeof *set->body) &&
           mem_reserve((void**)&s->body, &s->run_capacity, particles, sizeof *s->body) &&
           mem_reserve((void**)&set->start, &s->start_capacity, (int64_t)particles + 2,
                       sizeof *set->start) &&
           mem_reserve((void**)&set->incidence, &s->incidence_capacity, particles,
                       sizeof *set->incidence);
}

void joint_system_destroy(joint_system* s)
{
    void* const owned[] = {s->set.joint, s->slot,      s->key,  s->set.point,    s->set.row,
                           s->set.body,  s->set.start, s->body, s->set.incidence};
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; ++i) mem_free(owned[i]);
    memset(s, 0, sizeof *s);
}

void joint_system_number(joint_system* s, int particles)
{
    int count = 0;
    sort_keys(s->key, particles);
    for (int i = 0; i < particles; ++i)
        if (i == 0 || s->key[i] != s->key[i - 1]) s->key[count++] = s->key[i];
    s->set.point_count = count;
}

int joint_system_point(const joint_system* s, uint64_t key)
{
    int low = 0, high = s->set.point_count;
    while (low + 1 < high) {
        int middle = low + (high - low) / 2;
        if (s->key[middle] <= key)
            low = middle;
        else
            high = middle;
    }
    return low;
}

// Of each point, its joints in their order.
void joint_system_link(joint_system* s)
{
    joint_set* set = &s->set;
    int* start = set->start;
    for (int i = 0; i < set->point_count + 2; ++i) start[i] = 0;
    for (int j = 0; j < set->count; ++j)
        for (int i = 0; i < set->joint[j].count; ++i) start[set->joint[j].point[i] + 2]++;
    for (int i = 0; i < set->point_count; ++i) start[i + 2] += start[i + 1];
    for (int j = 0; j < set->count; ++j)
        for (int i = 0; i < set->joint[j].count; ++i)
            set->incidence[start[set->joint[j].point[i] + 1]++] = JOINT_PARTICLES * j + i;
    for (int i = 0; i < set->point_count; ++i) count_joints(set, i);
}

void joint_set_tell(joint_system* s)
{
    joint_set* set = &s->set;
    for (int i = 0; i < set->body_count; ++i) {
        const particle_work* w = &s->body[i]->work;
        const state* of = s->body[i]->s;
        joint_body* b = &set->body[i];
        *b = (joint_body){.row = of->row,
                          .velocity = of->velocity,
                          .residue = of->residue,
                          .past = of->past,
                          .lift = of->lift};
        for (int k = 0; k < 2; ++k) b->past_h[k] = work_past_h(w, k);
        memcpy(b->acceleration, w->acceleration, sizeof b->acceleration);
    }
    for (int i = 0; i < set->point_count; ++i)
        set->row[i].axes = s->body[set->row[i].body]->s->axes[s->key[i] & UINT32_MAX];
}

// ---- threads ------------------------------------------------------------------------------------

enum { OF_TASK = 128 }; // joints or points

typedef void part_fn(joint_system* s, int first, int last);
typedef struct {
    joint_system* s;
    part_fn* part;
    int count;
} part_work;

static void run_part(int index, void* argument)
{
    const part_work* w = (const part_work*)argument;
    int first = index * OF_TASK, last = first + OF_TASK < w->count ? first + OF_TASK : w->count;
    w->part(w->s, first, last);
}

static void on_all(joint_system* s, part_fn* part, int count)
{
    part_work w = {s, part, count};
    if (count <= OF_TASK)
        part(s, 0, count);
    else
        executor_run(s->exec, run_part, &w, (count + OF_TASK - 1) / OF_TASK);
}

// ---- passes -------------------------------------------------------------------------------------

#define OVER(one)                                                                                  \
    static void all_##one(joint_system* s, int first, int last)                                    \
    {                                                                                              \
        for (int i = first; i < last; ++i) one(&s->set, i);                                        \
    }
JOINT_PASSES(OVER, OVER)

static void pull(joint_system* s, int first, int last)
{
    for (int i = first; i < last; ++i)
        if (pull_joint(&s->set, i)) s->off = true;
}

// ---- the substep --------------------------------------------------------------------------------

#define ORDER static
typedef joint_system joining;

static bool joining_pull(joining* s)
{
    s->off = false;
    on_all(s, pull, s->set.count);
    return s->off;
}

static void joining_run(joining* s, joint_pass pass)
{
#define ENTRY(one) [JOINT_##one] = all_##one,
    static part_fn* const parts[] = {JOINT_PASSES(ENTRY, ENTRY)};
#undef ENTRY
    on_all(s, parts[pass], joint_pass_size(&s->set, pass));
}

#include "joint/order.h"

void joint_mark_pieces(const joint_system* s)
{
    for (int i = 0; i < s->set.body_count; ++i) {
        const body_run* b = s->body[i];
        for (int k = 0; k < b->piece_count; ++k)
            b->pieces[k].contacts.touching = b->pieces[k].shared_contacts.touching = true;
    }
}

static void start(joint_system* s, const step_work* step, const sweep_pass* pass)
{
    s->set.h = step->dt / step->substeps;
    s->set.last_h = s->last_h;
    s->set.substep = pass->substep;
    if (pass->first && pass->substep == 0) joint_set_tell(s);
    for (int i = 0; i < s->set.body_count; ++i) s->set.body[i].frozen = *s->body[i]->failed;
}

pliant_result joint_meet(void* system, step_work* step, const sweep_pass* pass)
{
    joint_system* s = (joint_system*)system;
    start(s, step, pass);
    order_join(s, pass->first, pass->last);
    if (!pass->last) return PLIANT_OK;
    joint_mark_pieces(s);
    s->last_h = s->set.h;
    return PLIANT_OK;
}

void joint_bounce(void* system, step_work* step)
{
    (void)system;
    (void)step;
}
