#include "joint/system.h"
#include "base/memory.h"
#include "base/sort.h"

// ---- points -------------------------------------------------------------------------------------

bool joint_system_reserve(joint_system* s, int joints, int particles)
{
    return mem_reserve((void**)&s->joint, &s->joint_capacity, joints, sizeof *s->joint) &&
           mem_reserve((void**)&s->slot, &s->slot_capacity, joints, sizeof *s->slot) &&
           mem_reserve((void**)&s->key, &s->key_capacity, particles, sizeof *s->key) &&
           mem_reserve((void**)&s->point, &s->point_capacity, particles, sizeof *s->point) &&
           mem_reserve((void**)&s->row, &s->row_capacity, particles, sizeof *s->row) &&
           mem_reserve((void**)&s->start, &s->start_capacity, (int64_t)particles + 2,
                       sizeof *s->start) &&
           mem_reserve((void**)&s->incidence, &s->incidence_capacity, particles,
                       sizeof *s->incidence);
}

void joint_system_destroy(joint_system* s)
{
    void* const owned[] = {s->joint, s->slot, s->key, s->point, s->row, s->start, s->incidence};
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; ++i) mem_free(owned[i]);
    *s = (joint_system){0};
}

void joint_system_number(joint_system* s, int particles)
{
    sort_keys(s->key, particles);
    s->point_count = 0;
    for (int i = 0; i < particles; ++i)
        if (i == 0 || s->key[i] != s->key[i - 1]) s->key[s->point_count++] = s->key[i];
}

int joint_system_point(const joint_system* s, uint64_t key)
{
    int low = 0, high = s->point_count;
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
    for (int i = 0; i < s->point_count + 2; ++i) s->start[i] = 0;
    for (int j = 0; j < s->count; ++j)
        for (int i = 0; i < s->joint[j].count; ++i) s->start[s->joint[j].point[i] + 2]++;
    for (int i = 0; i < s->point_count; ++i) {
        s->point[i].joints = s->start[i + 2];
        s->start[i + 2] += s->start[i + 1];
    }
    for (int j = 0; j < s->count; ++j)
        for (int i = 0; i < s->joint[j].count; ++i)
            s->incidence[s->start[s->joint[j].point[i] + 1]++] = JOINT_PARTICLES * j + i;
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
static void on_joints(joint_system* s, part_fn* part) { on_all(s, part, s->count); }
static void on_points(joint_system* s, part_fn* part) { on_all(s, part, s->point_count); }

// ---- rows ---------------------------------------------------------------------------------------

static double get(const joint_row* r, const void* array, int stride, int k)
{
    return state_read(r->run->s, array, stride, r->particle, k);
}

// A body that left the finite numbers stands still, and nothing moves it.
static bool is_frozen(const joint_row* r) { return *r->run->failed; }

static void load_motion(joint_system* s, int first, int last)
{
    for (int i = first; i < last; ++i) {
        joint_row* r = &s->row[i];
        for (int k = 0; k < 3; ++k) {
            double d = get(r, r->run->s->row, ROW, ROW_D + k);
            r->loaded[k] = is_frozen(r) ? 0 : d - r->residue[k];
            s->point[i].motion[k] = r->loaded[k];
        }
    }
}

// The velocity is that before gravity, which all particles feel alike, but not those that are
// pinned.
static void load(joint_system* s, int first, int last)
{
    for (int i = first; i < last; ++i) {
        joint_row* r = &s->row[i];
        joint_point* p = &s->point[i];
        const state* of = r->run->s;
        double w = is_frozen(r) ? 0 : get(r, of->velocity, ROW4, ROW4_W);
        for (int k = 0; k < 3; ++k) {
            bool held = of->axes[r->particle] >> k & 1;
            double fall = w > 0 && !held ? s->h * r->run->work.acceleration[k] : 0;
            r->residue[k] = get(r, of->residue, ROW4, k);
            p->place[k] = get(r, of->row, ROW, k) + r->residue[k];
            p->velocity[k] = is_frozen(r) ? 0 : get(r, of->velocity, ROW4, k) - fall;
            p->inv_mass[k] = held ? 0 : w;
        }
    }
    load_motion(s, first, last);
}

// All copies of a particle.
static void put(const joint_row* r, void* array, int stride, int k, double value)
{
    state* s = r->run->s;
    for (int copy = 0; copy < plan_copy_count(s->plan, r->particle); ++copy) {
        size_t row = (size_t)plan_row(s->plan, r->particle, copy);
        state_set(array, row * (size_t)stride + (size_t)k, value, s->scalar_bytes);
    }
}
static void add(const joint_row* r, void* array, int stride, int k, double more)
{
    put(r, array, stride, k, get(r, array, stride, k) + more);
}

// Of second order: what changes a velocity at once is not to go on changing it (particle.h).
static void note_jump(const joint_row* r, int k, double push)
{
    const particle_work* w = &r->run->work;
    double ratio = work_ratio(w, w->substep), before = ratio > 0 ? w->h / ratio : w->h;
    add(r, r->run->s->past, PAST, k, before / w->h * push);
    add(r, r->run->s->past, PAST, PAST_GAIN + k, -push / w->h);
}

static void store_motion(joint_system* s, int first, int last)
{
    for (int i = first; i < last; ++i) {
        joint_row* r = &s->row[i];
        const joint_point* p = &s->point[i];
        for (int k = 0; k < 3 && !is_frozen(r); ++k) {
            if (!(p->inv_mass[k] > 0)) continue;
            put(r, r->run->s->row, ROW, ROW_D + k, p->motion[k] + r->residue[k]);
            if (r->run->s->past) note_jump(r, k, p->motion[k] - r->loaded[k]);
        }
    }
}

// ---- passes -------------------------------------------------------------------------------------

static void begin(joint_system* s, int first, int last)
{
    double ratio = s->last_h > 0 ? s->h / s->last_h : 0;
    for (int i = first; i < last; ++i) {
        joint_close(&s->joint[i], s->close_speed * s->h);
        joint_begin(&s->joint[i], s->point, s->h, ratio * ratio);
    }
}

static void pull(joint_system* s, int first, int last)
{
    // Of what increments have: less is not seen in them.
    double epsilon = s->scalar_bytes == 4 ? (double)FLT_EPSILON / 16 : DBL_EPSILON;
    for (int i = first; i < last; ++i)
        if (joint_pull(&s->joint[i], s->point, epsilon) > 0) s->off = true;
}

static void sum_pushes(const joint_system* s, int point, double out[3])
{
    out[0] = out[1] = out[2] = 0;
    for (int i = s->start[point]; i < s->start[point + 1]; ++i)
        joint_add_push(&s->joint[s->incidence[i] / JOINT_PARTICLES],
                       s->incidence[i] % JOINT_PARTICLES, out);
}

static void move(joint_system* s, int first, int last)
{
    for (int i = first; i < last; ++i) {
        double push[3];
        sum_pushes(s, i, push);
        joint_move(&s->point[i], push);
    }
}

static void end(joint_system* s, int first, int last)
{
    for (int i = first; i < last; ++i) joint_end(&s->joint[i], s->point, s->h);
}

// The next prediction expects what lasts (solver/step.h).
static void lift(joint_system* s, int first, int last)
{
    for (int i = first; i < last; ++i) {
        const joint_row* r = &s->row[i];
        double push[3];
        if (!r->run->s->lift || is_frozen(r)) continue;
        sum_pushes(s, i, push);
        for (int k = 0; k < 3; ++k)
            if (s->point[i].inv_mass[k] > 0)
                add(r, r->run->s->lift, ROW4, k, s->point[i].inv_mass[k] * push[k] / (s->h * s->h));
    }
}

// ---- the substep --------------------------------------------------------------------------------

// A joint whose points have no other is done by one pass, and by the second it is known. Those that
// share points come nearer with every pass, and start from where the substep before has ended.
static void solve(joint_system* s)
{
    enum { PASSES = 16 };
    s->off = true;
    for (int pass = 0; pass < PASSES && s->off; ++pass) {
        s->off = false;
        on_joints(s, pull);
        on_points(s, move);
    }
}

// The pieces of their bodies have a lift to look at.
static void mark_pieces(const joint_system* s)
{
    for (int i = 0; i < s->point_count; ++i) {
        const body_run* b = s->row[i].run;
        if (i > 0 && s->row[i - 1].run == b) continue;
        for (int k = 0; k < b->piece_count; ++k)
            b->pieces[k].contacts.touching = b->pieces[k].shared_contacts.touching = true;
    }
}

static void finish(joint_system* s)
{
    on_joints(s, end);
    on_points(s, lift);
    mark_pieces(s);
    s->last_h = s->h;
}

pliant_result joint_meet(void* system, step_work* step, const sweep_pass* pass)
{
    joint_system* s = (joint_system*)system;
    s->h = step->dt / step->substeps;
    if (pass->first) {
        on_points(s, load);
        on_joints(s, begin);
        on_points(s, move);
    } else {
        on_points(s, load_motion);
    }
    solve(s);
    on_points(s, store_motion);
    if (pass->last) finish(s);
    return PLIANT_OK;
}

void joint_bounce(void* system, step_work* step)
{
    (void)system;
    (void)step;
}
