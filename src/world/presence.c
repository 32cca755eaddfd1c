#include "world/presence.h"
#include "base/cookie.h"
#include "geometry/select.h"
#include "world/heat.h"
#include "world/joints.h"
#include "world/residency.h"
#include <math.h>
#include <string.h>

double body_mass(const body* b)
{
    double sum = 0;
    if (!b->there.mass) return b->asset->total_mass;
    for (int i = 0; i < b->s.particle_count; ++i) sum += b->mass[i];
    return sum;
}

// ---- memory -------------------------------------------------------------------------------------

bool body_create_presence(body* b)
{
    const pliant_asset* a = b->asset;
    size_t count = (size_t)a->plan.particle_count;
    b->mass = a->mass;
    if (!asset_changes(a)) return true;
    b->there.mass = (double*)mem_array_zero(count, sizeof(double));
    b->there.until = (double*)mem_array(count, sizeof(double));
    if (!b->there.mass || !b->there.until) return false;
    memcpy(b->there.mass, a->mass, (size_t)a->first_count * sizeof(double));
    for (int i = 0; i < (int)count; ++i) b->there.until[i] = i < a->first_count ? INFINITY : -1;
    b->there.present = a->first_count;
    bool given = a->def.radius > 0 && !asset_is_liquid(a);
    b->there.radius = given ? a->def.radius : asset_smallest_radius(a);
    b->mass = b->there.mass;
    return true;
}

void body_destroy_presence(body* b)
{
    mem_free(b->there.mass);
    mem_free(b->there.until);
    b->there = (presence){0};
}

void body_count_present(body* b)
{
    presence* p = &b->there;
    if (!p->mass) return;
    p->present = 0;
    p->mortal = false;
    p->changes++;
    for (int i = 0; i < b->s.particle_count; ++i) {
        if (!body_has(b, i)) continue;
        b->largest_radius =
            fmax(b->largest_radius, state_read(&b->s, b->s.row, ROW, i, ROW_RADIUS));
        p->present++;
        p->mortal = p->mortal || isfinite(p->until[i]);
    }
}

// Whether its number can be given away.
static bool is_free(const pliant_world* world, const body* b, int particle)
{
    return !body_has(b, particle) && b->there.until[particle] < (double)world->step_count;
}

static int find_room(const pliant_world* world, const body* b)
{
    int room = 0;
    for (int i = 0; b->there.mass && i < b->s.particle_count; ++i) room += is_free(world, b, i);
    return room;
}

int pliant_body_present_count(const pliant_world* world, pliant_body_id id)
{
    const body* b = world_body(world, id);
    return !b ? 0 : b->there.mass ? b->there.present : b->s.particle_count;
}

int pliant_body_room(const pliant_world* world, pliant_body_id id)
{
    const body* b = world_body(world, id);
    return b ? find_room(world, b) : 0;
}

static pliant_result check_changes(const body* b)
{
    if (b->there.mass) return PLIANT_OK;
    return fail(PLIANT_ERROR_ARGUMENT,
                "particles do not come to this body, or go: its definition needs a capacity");
}

// ---- coming -------------------------------------------------------------------------------------

pliant_particles_def pliant_particles_defaults(void)
{
    return (pliant_particles_def){.cookie = COOKIE_PARTICLES};
}

// One that is to come.
typedef struct {
    double place[3], velocity[3], radius, mass;
} newcomer;

static newcomer newcomer_of(const body* b, const pliant_particles_def* def, int i)
{
    bool sized = def->radius && !b->pressure; // particles of a liquid are all alike
    newcomer n = {.radius = sized ? def->radius[i] : b->there.radius};
    memcpy(n.place, def->positions + 3 * (size_t)i, sizeof n.place);
    if (def->velocities) {
        const pliant_vec3 v = def->velocities[i];
        n.velocity[0] = (double)v.x, n.velocity[1] = (double)v.y, n.velocity[2] = (double)v.z;
    }
    n.mass = def->mass && !b->pressure ? def->mass[i] : asset_ball_mass(b->asset, n.radius);
    return n;
}

static pliant_result check_newcomer(const body* b, const newcomer* n, int number)
{
    int bytes = b->s.scalar_bytes;
    double sum = 0;
    for (int k = 0; k < 3; ++k) {
        sum += 0 * n->velocity[k];
        if (!state_can_hold(n->place[k], bytes))
            return fail(PLIANT_ERROR_ARGUMENT,
                        "new particle %d: its place (%g, %g, %g) m is not finite, or beyond the "
                        "body's precision",
                        number, n->place[0], n->place[1], n->place[2]);
    }
    if (sum != 0)
        return fail(PLIANT_ERROR_ARGUMENT, "new particle %d: its velocity is not finite", number);
    if (!(n->radius > 0 && state_can_hold(n->radius, bytes)))
        return fail(PLIANT_ERROR_ARGUMENT, "new particle %d: its radius is %g m: above 0 is needed",
                    number, n->radius);
    if (n->mass > 0 && state_can_hold(n->mass, bytes) && state_can_hold(1 / n->mass, bytes))
        return PLIANT_OK;
    return fail(
        PLIANT_ERROR_ARGUMENT,
        "new particle %d: its mass is %g kg: above 0 is needed, within the body's precision",
        number, n->mass);
}

static pliant_result check_temperatures(const pliant_particles_def* def)
{
    for (int i = 0; def->temperatures && i < def->count; ++i)
        if (!(def->temperatures[i] > 0 && isfinite(def->temperatures[i])))
            return fail(PLIANT_ERROR_ARGUMENT,
                        "new particle %d: its temperature is %g K: above 0 is needed", i,
                        (double)def->temperatures[i]);
    return PLIANT_OK;
}

static pliant_result check_newcomers(const pliant_world* world, const body* b,
                                     const pliant_particles_def* def)
{
    if (check_changes(b)) return PLIANT_ERROR_ARGUMENT;
    if (!(def->lifetime >= 0))
        return fail(PLIANT_ERROR_ARGUMENT,
                    "the lifetime of new particles is %g s: 0 or more is needed, 0 for ever",
                    def->lifetime);
    if (check_temperatures(def)) return PLIANT_ERROR_ARGUMENT;
    int room = find_room(world, b);
    if (def->count > room)
        return fail(PLIANT_ERROR_ARGUMENT,
                    "%d particles are to be added, and there is room for %d: %d of %d are there; "
                    "make the body with a larger capacity, or remove some before the step",
                    def->count, room, b->there.present, b->s.particle_count);
    for (int i = 0; i < def->count; ++i) {
        newcomer n = newcomer_of(b, def, i);
        pliant_result result = check_newcomer(b, &n, i);
        if (result) return result;
    }
    return PLIANT_OK;
}

static void clear_row(state* s, void* array, int stride, int particle)
{
    for (int k = 0; array && k < stride; ++k) state_write(s, array, stride, particle, k, 0);
}

// Nothing of who had the number before.
static void clear_particle(state* s, int particle)
{
    for (int k = 0; k < 3; ++k) state_write(s, s->row, ROW, particle, ROW_D + k, 0);
    clear_row(s, s->velocity, ROW4, particle);
    clear_row(s, s->force, ROW4, particle);
    clear_row(s, s->contact, CONTACT, particle);
    clear_row(s, s->lift, ROW4, particle);
    clear_row(s, s->past, PAST, particle);
    s->axes[particle] = 0;
    s->phase[particle] = 0;
}

// As if it had flown on freely in the substep before.
static void write_past(const pliant_world* world, body* b, int particle, const double velocity[3])
{
    state* s = &b->s;
    const pliant_vec3 g = world->def.gravity;
    const double gravity[3] = {(double)g.x, (double)g.y, (double)g.z};
    for (int k = 0; s->past && k < 3; ++k) {
        state_write(s, s->past, PAST, particle, k, s->past_h * velocity[k]);
        state_write(s, s->past, PAST, particle, PAST_GAIN + k,
                    s->past_h * b->gravity_scale * gravity[k]);
    }
}

static void enter(const pliant_world* world, body* b, int particle, const newcomer* n)
{
    state* s = &b->s;
    clear_particle(s, particle);
    state_write_position(s, particle, n->place);
    state_write_velocity(s, particle, n->velocity);
    state_write(s, s->row, ROW, particle, ROW_RADIUS, n->radius);
    state_write_inverse_mass(s, particle, 1 / n->mass);
    write_past(world, b, particle, n->velocity);
    b->largest_radius = fmax(b->largest_radius, n->radius);
    b->there.mass[particle] = n->mass;
    b->there.present++;
    b->there.changes++;
}

// Lists of who is near are made anew; what the others remember stays.
static void note_change(pliant_world* world, body* b, double largest_before)
{
    b->moves++;
    b->pins_known = false;
    world->contacts.jumped = true;
    if (b->largest_radius > largest_before) world_change_bodies(world);
}

pliant_result pliant_body_add_particles(pliant_world* world, pliant_body_id id,
                                        const pliant_particles_def* def, int* out_numbers)
{
    body* b = world_body(world, id);
    if (!b || !REQUIRE_DEF(def, COOKIE_PARTICLES) || !REQUIRE(def->count >= 0) ||
        !REQUIRE(def->positions || def->count == 0))
        return PLIANT_ERROR_ARGUMENT;
    pliant_result result = check_newcomers(world, b, def);
    if (result || def->count == 0) return result;
    if (!body_edit(world, b, STATE_ALL)) return PLIANT_ERROR_DEVICE;
    double largest = b->largest_radius;
    for (int i = 0, number = 0; i < def->count; ++i, ++number) {
        while (!is_free(world, b, number)) ++number;
        newcomer n = newcomer_of(b, def, i);
        enter(world, b, number, &n);
        b->there.until[number] = def->lifetime > 0 ? world->time + def->lifetime : INFINITY;
        b->s.phase[number] = def->phase;
        body_enter_heat(b, number, def->temperatures ? (double)def->temperatures[i] : 0);
        if (out_numbers) out_numbers[i] = number;
    }
    b->there.mortal = b->there.mortal || def->lifetime > 0;
    if (def->phase && !b->phased) {
        b->phased = true;
        world_change_bodies(world);
    }
    note_change(world, b, largest);
    return PLIANT_OK;
}

// ---- going --------------------------------------------------------------------------------------

static void leave(const pliant_world* world, body* b, int particle)
{
    clear_particle(&b->s, particle);
    state_write(&b->s, b->s.row, ROW, particle, ROW_RADIUS, (double)ABSENT_RADIUS);
    state_write_inverse_mass(&b->s, particle, 0);
    body_leave_heat(b, particle);
    b->there.mass[particle] = 0;
    b->there.until[particle] = (double)world->step_count;
    b->there.present--;
    b->there.changes++;
}

static void drop_movers(body* b)
{
    int left = 0;
    for (int i = 0; i < b->mover_count; ++i)
        if (body_has(b, b->movers[i].particle)) b->movers[left++] = b->movers[i];
    b->mover_count = left;
}

// Marks who is held by attachments and joints, which are few.
static void mark_held(const pliant_world* world, const body* b, unsigned char* held)
{
    for (int i = 0; i < b->holder_count; ++i) held[b->holders[i].particle] = 1;
    for (int i = 0; b->joint_count && i < world->joints.count; ++i) {
        const joint_slot* j = world_joint_at(world, i);
        for (int side = 0; j && side < 2; ++side) {
            const pliant_joint_point* p = &j->point[side];
            if (world_body_at(world, (int)p->body.index1 - 1) != b) continue;
            for (int k = 0; k < p->count; ++k) held[p->particle[k]] = 1;
        }
    }
}

// Of each particle of a body: 1 where it is held; NULL when memory runs out. The world lends it.
static unsigned char* find_held(pliant_world* world, const body* b)
{
    size_t count = (size_t)b->s.particle_count;
    if (!mem_reserve((void**)&world->leaving.held, &world->leaving.held_capacity, (int64_t)count,
                     1))
        return NULL;
    memset(world->leaving.held, 0, count);
    mark_held(world, b, world->leaving.held);
    return world->leaving.held;
}

static pliant_result check_leaving(const body* b, unsigned char* held, const int* numbers,
                                   int count)
{
    for (int i = 0; i < count; ++i) {
        int n = numbers[i];
        const char* why = n < 0 || n >= b->s.particle_count ? "is no number of this body"
                          : !body_has(b, n)                 ? "is not there"
                          : held[n] == 2                    ? "is named twice"
                          : held[n] ? "is held by an attachment or a joint: remove that first"
                                    : NULL;
        if (why)
            return fail(PLIANT_ERROR_ARGUMENT,
                        "particle %d, to be removed, %s; the body has numbers from 0 to %d", n, why,
                        b->s.particle_count - 1);
        held[n] = 2;
    }
    return PLIANT_OK;
}

static pliant_result remove_all(pliant_world* world, body* b, const int* numbers, int count)
{
    if (count == 0) return PLIANT_OK;
    if (!body_edit(world, b, STATE_ALL)) return PLIANT_ERROR_DEVICE;
    for (int i = 0; i < count; ++i) leave(world, b, numbers[i]);
    drop_movers(b);
    note_change(world, b, b->largest_radius);
    return PLIANT_OK;
}

pliant_result pliant_body_remove_particles(pliant_world* world, pliant_body_id id,
                                           const int* numbers, int count)
{
    body* b = world_body(world, id);
    if (!b || !REQUIRE(count >= 0 && (numbers || count == 0))) return PLIANT_ERROR_ARGUMENT;
    if (check_changes(b)) return PLIANT_ERROR_ARGUMENT;
    unsigned char* held = find_held(world, b);
    if (!held) return PLIANT_ERROR_MEMORY;
    pliant_result result = check_leaving(b, held, numbers, count);
    return result ? result : remove_all(world, b, numbers, count);
}

pliant_result body_remove_free(pliant_world* world, body* b, int* numbers, int* count)
{
    if (*count == 0) return PLIANT_OK;
    const unsigned char* held = find_held(world, b);
    if (!held) return PLIANT_ERROR_MEMORY;
    int found = 0;
    for (int i = 0; i < *count; ++i)
        if (!held[numbers[i]]) numbers[found++] = numbers[i];
    *count = found;
    return remove_all(world, b, numbers, found);
}

// Numbers of those in the region, and where they are.
static pliant_result find_in(const body* b, const pliant_region* region, double* x, int* numbers,
                             int* out_count)
{
    int present = 0;
    for (int i = 0; i < b->s.particle_count; ++i)
        if (body_has(b, i)) state_read_position(&b->s, i, x + 3 * (size_t)present++);
    pliant_result result = region_find(region, x, present, numbers, out_count);
    for (int i = 0, at = 0, next = 0; next < *out_count; ++i)
        if (body_has(b, i) && at++ == numbers[next]) numbers[next++] = i;
    return result;
}

pliant_result pliant_body_drain(pliant_world* world, pliant_body_id id, const pliant_region* region,
                                int* out_count)
{
    if (out_count) *out_count = 0;
    body* b = world_body(world, id);
    if (!b || !REQUIRE_DEF(region, COOKIE_REGION)) return PLIANT_ERROR_ARGUMENT;
    if (check_changes(b)) return PLIANT_ERROR_ARGUMENT;
    if (!body_fetch(world, b, STATE_ROWS)) return PLIANT_ERROR_DEVICE;
    double* x = (double*)mem_array((size_t)b->there.present, sizeof(double[3]));
    int *numbers = (int*)mem_array((size_t)b->there.present, sizeof(int)), found = 0;
    pliant_result result =
        x && numbers ? find_in(b, region, x, numbers, &found) : PLIANT_ERROR_MEMORY;
    if (!result) result = body_remove_free(world, b, numbers, &found);
    mem_free(x);
    mem_free(numbers);
    if (out_count && !result) *out_count = found;
    return result;
}

static pliant_result end_lives(pliant_world* world, body* b)
{
    int count = 0;
    if (!mem_reserve((void**)&world->leaving.number, &world->leaving.number_capacity,
                     b->there.present, sizeof(int)))
        return PLIANT_ERROR_MEMORY;
    for (int i = 0; i < b->s.particle_count; ++i)
        if (body_has(b, i) && b->there.until[i] <= world->time) world->leaving.number[count++] = i;
    pliant_result result = body_remove_free(world, b, world->leaving.number, &count);
    b->there.mortal = false;
    for (int i = 0; i < b->s.particle_count && !b->there.mortal; ++i)
        b->there.mortal = body_has(b, i) && isfinite(b->there.until[i]);
    return result;
}

pliant_result world_end_lives(pliant_world* world)
{
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < world->bodies.count && !result; ++i) {
        body* b = world_body_at(world, i);
        if (b && b->there.mortal && b->there.present) result = end_lives(world, b);
    }
    return result;
}
