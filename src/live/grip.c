#include "live/grip.h"
#include "base/memory.h"
#include <math.h>
#include <string.h>

// A body on the spring swings about so often in a second, and as a mode of this damping.
static const double omega = 18, damping = 0.7;

static double distance(const double a[3], const double b[3])
{
    double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return sqrt(x * x + y * y + z * z);
}

static int find_body(const stage* s, pliant_body_id id)
{
    for (int i = 0; i < s->body_count; ++i)
        if (s->bodies[i].id.index1 == id.index1) return i;
    return -1;
}

static double size_of(const stage* s, pliant_body_id id)
{
    double low[3], high[3];
    return pliant_body_bounds(s->world, id, low, high) ? 0 : distance(low, high);
}

// ---- soft bodies --------------------------------------------------------------------------------

static bool is_free(const stage* s, pliant_body_id id, int particle)
{
    pliant_particle p;
    return !pliant_body_particle(s->world, id, particle, &p) && !p.pinned && p.present;
}

// The corners of what was met, then particles around the place; not those that are pinned.
static int choose(const stage* s, const pliant_hit* hit, const double* x, int count, int* out)
{
    int found = 0;
    double reach = 0.08 * size_of(s, hit->body);
    for (int k = 0; k < hit->corners; ++k)
        if (is_free(s, hit->body, hit->particle[k])) out[found++] = hit->particle[k];
    for (int i = 0; i < count && found < GRIP_MOST; ++i) {
        bool corner = false;
        for (int k = 0; k < hit->corners; ++k) corner = corner || hit->particle[k] == i;
        if (corner || distance(x + 3 * (size_t)i, hit->point) > reach) continue;
        if (is_free(s, hit->body, i)) out[found++] = i;
    }
    return found;
}

static pliant_result attach_all(grip* g, const stage* s, const pliant_hit* hit, const double* x)
{
    pliant_result result = PLIANT_OK;
    double each = g->count / g->stiffness;
    int wanted = g->count;
    g->count = 0;
    for (int i = 0; i < wanted && !result; ++i) {
        const double* at = x + 3 * (size_t)g->particle[i];
        result = pliant_body_attach(s->world, hit->body, g->particle[i], at, each, &g->attached[i]);
        if (result) break;
        for (int k = 0; k < 3; ++k) g->offset[i][k] = at[k] - hit->point[k];
        g->count = i + 1;
    }
    return result;
}

static pliant_result take_soft(grip* g, const stage* s, const pliant_hit* hit)
{
    int count = pliant_body_particle_count(s->world, hit->body);
    double* x = (double*)mem_array(3 * (size_t)count, sizeof(double));
    if (!x) return PLIANT_ERROR_MEMORY;
    pliant_result result = pliant_body_read_positions_exact(s->world, hit->body, x, count);
    if (!result) g->count = choose(s, hit, x, count, g->particle);
    if (!result && g->count == 0)
        result = fail(PLIANT_ERROR_ARGUMENT, "what is pinned there cannot be dragged");
    if (!result) result = attach_all(g, s, hit, x);
    mem_free(x);
    return result;
}

// ---- rigid bodies -------------------------------------------------------------------------------

static pliant_result take_rigid(grip* g, const stage* s, const pliant_hit* hit)
{
    pliant_motion motion;
    pliant_result result = pliant_body_motion(s->world, hit->body, &motion);
    if (!result && motion.held)
        result = fail(PLIANT_ERROR_ARGUMENT, "a body that is held cannot be dragged");
    pliant_joint_def def = pliant_joint_defaults();
    def.compliance = 1 / g->stiffness;
    if (!result)
        result = pliant_body_place_joint_point(s->world, hit->body, hit->point, &def.point[0]);
    const pliant_body_id world = {0, 0};
    if (!result) result = pliant_body_place_joint_point(s->world, world, hit->point, &def.point[1]);
    return result ? result : pliant_world_add_joint(s->world, &def, &g->joint);
}

static bool is_rigid(const grip* g) { return g->joint.index1 != 0; }

// ---- the hand -----------------------------------------------------------------------------------

static pliant_result take(grip* g, const stage* s, const pliant_hit* hit)
{
    g->body = find_body(s, hit->body);
    if (g->body < 0) return PLIANT_OK;
    g->stiffness = pliant_body_mass(s->world, hit->body) * omega * omega;
    memcpy(g->target, hit->point, sizeof g->target);
    memcpy(g->from, hit->point, sizeof g->from);
    bool rigid = pliant_asset_definition(pliant_body_asset(s->world, hit->body)).rigid;
    pliant_result result = rigid ? take_rigid(g, s, hit) : take_soft(g, s, hit);
    g->holds = true;
    if (result) grip_let_go(g, s);
    return result;
}

pliant_result grip_take(grip* g, const stage* s, const double origin[3], const double direction[3])
{
    grip_let_go(g, s);
    pliant_ray ray = pliant_ray_defaults();
    memcpy(ray.origin, origin, sizeof ray.origin);
    memcpy(ray.direction, direction, sizeof ray.direction);
    ray.colliders = false; // seen through: the page may have them out of the way
    pliant_hit hit;
    pliant_result result = pliant_world_cast_ray(s->world, &ray, &hit);
    return result || !hit.body.index1 ? result : take(g, s, &hit);
}

static void add_velocity(const pliant_view* view, int particle, double sum[3])
{
    size_t row = (size_t)(view->row ? view->row[particle] : particle);
    const char* at = (const char*)view->data + row * view->stride;
    for (int k = 0; k < 3; ++k) {
        float single;
        double exact;
        memcpy(&single, at + 4 * k, sizeof single);
        memcpy(&exact, at + (view->scalar_bytes == 8 ? 8 * k : 0), sizeof exact);
        sum[k] += view->scalar_bytes == 8 ? exact : (double)single;
    }
}

// Of a soft body the mean of some of its particles: a damper needs no more.
static void find_velocity(grip* g, const stage* s)
{
    pliant_body_id id = s->bodies[g->body].id;
    pliant_motion motion;
    pliant_view view;
    if (is_rigid(g)) {
        if (!pliant_body_motion(s->world, id, &motion))
            memcpy(g->velocity, motion.velocity, sizeof g->velocity);
        return;
    }
    if (pliant_body_view_velocities(s->world, id, &view)) return;
    int taken = 0, step = 1 + view.count / 64;
    double sum[3] = {0};
    for (int i = 0; i < view.count; i += step, ++taken) add_velocity(&view, i, sum);
    for (int k = 0; k < 3; ++k) g->velocity[k] = taken ? sum[k] / taken : 0;
}

// A damper is a spring whose end lies behind by its time.
void grip_pull(grip* g, const stage* s, double dt)
{
    if (!g->holds) return;
    double behind[3], lag = fmin(2 * damping / omega, 0.5 / (omega * omega * dt));
    find_velocity(g, s);
    for (int k = 0; k < 3; ++k) behind[k] = g->target[k] - lag * g->velocity[k];
    if (is_rigid(g)) pliant_joint_move(s->world, g->joint, behind);
    for (int i = 0; i < g->count; ++i) {
        double to[3];
        for (int k = 0; k < 3; ++k) to[k] = behind[k] + g->offset[i][k];
        pliant_attachment_move(s->world, g->attached[i], to);
    }
}

static void measure_rigid(grip* g, const stage* s)
{
    pliant_joint_info info;
    if (pliant_joint_describe(s->world, g->joint, &info)) return;
    memcpy(g->from, info.place[0], sizeof g->from);
    const double zero[3] = {0};
    g->force = distance(info.force, zero);
}

static void measure_soft(grip* g, const stage* s)
{
    double force[3] = {0}, from[3] = {0};
    const double zero[3] = {0};
    for (int i = 0; i < g->count; ++i) {
        pliant_attachment_info info;
        if (pliant_attachment_describe(s->world, g->attached[i], &info)) continue;
        for (int k = 0; k < 3; ++k) {
            force[k] += info.force[k];
            // By Hooke's law: where the particle is follows from the force.
            from[k] +=
                (info.point[k] - info.force[k] * info.compliance - g->offset[i][k]) / g->count;
        }
    }
    memcpy(g->from, from, sizeof g->from);
    g->force = distance(force, zero);
}

void grip_measure(grip* g, const stage* s)
{
    if (!g->holds) return;
    if (is_rigid(g))
        measure_rigid(g, s);
    else
        measure_soft(g, s);
}

void grip_let_go(grip* g, const stage* s)
{
    for (int i = 0; i < g->count; ++i)
        if (pliant_attachment_is_valid(s->world, g->attached[i]))
            pliant_attachment_remove(s->world, g->attached[i]);
    if (is_rigid(g) && pliant_joint_is_valid(s->world, g->joint))
        pliant_joint_remove(s->world, g->joint);
    memset(g, 0, sizeof *g);
}
