// Emitters and drains: particles that come and go while a scene runs. What comes depends on the
// time and on what is there, and on nothing that is remembered: a resumed run goes on to the same
// bits.
#include "asset/asset.h"
#include "base/memory.h"
#include "base/random.h"
#include "geometry/select.h"
#include "scene/stage.h"
#include <math.h>
#include <string.h>

enum { MOST_PLACES = 1 << 22 }; // of an outlet, and of the layers of a frame

static const scene_emitter* emitter_at(const stage* s, int i)
{
    return (const scene_emitter*)s->scene->emitters.item + i;
}
static const scene_drain* drain_at(const stage* s, int i)
{
    return (const scene_drain*)s->scene->drains.item + i;
}

static double length_of(const double v[3]) { return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

static bool can_change(const stage* s, int body)
{
    return pliant_asset_definition(s->entries[s->bodies[body].entry].asset).capacity > 0;
}

// ---- the outlet ---------------------------------------------------------------------------------

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; ++k)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

// Directions of its width and height: the width is horizontal where nothing else is said. False
// where the width is along the velocity.
static bool find_axes(const scene_emitter* e, double width[3], double height[3])
{
    const double up[3] = {0, 1, 0}, ahead[3] = {1, 0, 0};
    double speed = length_of(e->velocity), side[3];
    if (isnan(e->across[0])) {
        cross(up, e->velocity, side);
        if (!(length_of(side) > 1e-6 * speed)) memcpy(side, ahead, sizeof side);
    } else {
        memcpy(side, e->across, sizeof side);
    }
    cross(e->velocity, side, height);
    double size = length_of(height);
    if (!(size > 1e-6 * speed * length_of(side))) return false;
    for (int k = 0; k < 3; ++k) height[k] /= size;
    cross(height, e->velocity, width);
    for (int k = 0; k < 3; ++k) width[k] /= speed;
    return true;
}

// How many places are to each side of its middle, along one direction. Places that reach its edge
// by rounding belong to it.
static double reach_of(const stage_emitter* out, double half)
{
    return floor(half / out->spacing + 1e-6);
}

static bool is_in(const scene_emitter* e, double x, double y)
{
    double radius = e->radius * (1 + 1e-6);
    return isnan(e->radius) || x * x + y * y <= radius * radius;
}

// Neighbors leave one after the other, so that a stream has no gaps between its layers: how much
// earlier than the layer, of its period.
static double lead_of(int column, int row)
{
    static const double lead[2][2] = {{0, 0.5}, {0.75, 0.25}};
    return lead[row & 1][column & 1];
}

static pliant_result lay_outlet(const scene_emitter* e, stage_emitter* out, const place* at)
{
    bool round = !isnan(e->radius);
    double width[3], height[3];
    double columns = reach_of(out, round ? e->radius : e->size.value[0] / 2),
           rows = reach_of(out, round ? e->radius : e->size.value[1] / 2);
    double most = (2 * columns + 1) * (2 * rows + 1);
    if (!find_axes(e, width, height))
        return fail_at(PLIANT_ERROR_ARGUMENT, at,
                       "across is along the velocity: give a direction "
                       "across it");
    if (most > MOST_PLACES)
        return fail_at(PLIANT_ERROR_ARGUMENT, at,
                       "%g places at a spacing of %g m: at most %d are possible", most,
                       out->spacing, MOST_PLACES);
    out->outlet = (outlet_place*)mem_array((size_t)most, sizeof *out->outlet);
    if (!out->outlet) return PLIANT_ERROR_MEMORY;
    for (int j = -(int)rows; j <= (int)rows; ++j)
        for (int i = -(int)columns; i <= (int)columns; ++i) {
            double x = i * out->spacing, y = j * out->spacing;
            if (!is_in(e, x, y)) continue;
            outlet_place* to = &out->outlet[out->places++];
            for (int k = 0; k < 3; ++k) to->offset[k] = x * width[k] + y * height[k];
            to->lead = lead_of(i, j) * out->period;
        }
    return PLIANT_OK;
}

// ---- what an emitter says -----------------------------------------------------------------------

static pliant_result find_body(const stage* s, int entry, const place* at, int* out)
{
    int found = 0;
    place body = place_key(at, "body");
    for (int i = 0; i < s->body_count; ++i)
        if (s->bodies[i].entry == entry) *out = i, found++;
    if (entry >= s->scene->bodies.count)
        return fail_at(PLIANT_ERROR_ARGUMENT, &body,
                       "there is no body %d: the scene has %d, with numbers from 0", entry,
                       s->scene->bodies.count);
    if (found != 1)
        return fail_at(PLIANT_ERROR_ARGUMENT, &body,
                       "body %d has %d copies: particles are added to one", entry, found);
    if (can_change(s, *out)) return PLIANT_OK;
    return fail_at(PLIANT_ERROR_ARGUMENT, &body,
                   "body %d has no room for particles to come: it has to be of loose particles, "
                   "with a capacity",
                   entry);
}

static pliant_result check_shape(const scene_emitter* e, const place* at)
{
    if (isnan(e->radius) == (e->size.count == 0))
        return fail_at(PLIANT_ERROR_ARGUMENT, at,
                       "an outlet is round or not: give either a radius or a size");
    if (e->size.count != 0 && e->size.count != 2)
        return fail_at(PLIANT_ERROR_ARGUMENT, at, "size has %d numbers: give a width and a height",
                       e->size.count);
    if (!(length_of(e->velocity) > 0))
        return fail_at(PLIANT_ERROR_ARGUMENT, at,
                       "with a velocity of 0 nothing comes out: give a direction and a speed");
    if (isnan(e->largest_radius) || e->largest_radius >= e->particle_radius) return PLIANT_OK;
    return fail_at(PLIANT_ERROR_ARGUMENT, at,
                   "radii are from particle_radius to largest_radius: give both, the larger one "
                   "last");
}

static void find_sizes(const stage* s, const scene_emitter* e, stage_emitter* out)
{
    const stage_entry* entry = &s->entries[s->bodies[out->body].entry];
    double own = entry->source->soft.radius;
    if (!(own > 0)) own = asset_smallest_radius(entry->asset);
    out->least_radius = isnan(e->particle_radius) ? own : e->particle_radius;
    out->most_radius = isnan(e->largest_radius) ? out->least_radius : e->largest_radius;
    out->spacing = isnan(e->spacing) ? 2 * out->most_radius : e->spacing;
    out->period = out->spacing / length_of(e->velocity);
}

// What comes through the whole outlet, and what of it.
static pliant_result find_rate(const stage* s, const scene_emitter* e, stage_emitter* out,
                               const place* at)
{
    double most = out->places / out->period;
    out->each = isnan(e->rate) ? out->places : e->rate * out->period;
    if (most * s->scene->dt > MOST_PLACES)
        return fail_at(PLIANT_ERROR_ARGUMENT, at,
                       "%g places pass the outlet in a frame: at most %d are possible",
                       most * s->scene->dt, MOST_PLACES);
    if (out->each <= out->places * (1 + 1e-9)) return PLIANT_OK;
    return fail_at(PLIANT_ERROR_ARGUMENT, at,
                   "a rate of %g 1/s does not fit through: at that speed and spacing the outlet "
                   "has %d places, and %g 1/s pass",
                   e->rate, out->places, most);
}

static pliant_result make_emitter(stage* s, int number, const place* at)
{
    const scene_emitter* e = emitter_at(s, number);
    stage_emitter* out = &s->emitters[number];
    pliant_result result = find_body(s, e->body, at, &out->body);
    if (!result) result = check_shape(e, at);
    if (result) return result;
    find_sizes(s, e, out);
    result = lay_outlet(e, out, at);
    return result ? result : find_rate(s, e, out, at);
}

// ---- what a drain says --------------------------------------------------------------------------

static bool drains_body(const scene_drain* d, const stage* s, int body)
{
    bool named = d->bodies.count == 0;
    for (int i = 0; i < d->bodies.count; ++i)
        named = named || (int)d->bodies.value[i] == s->bodies[body].entry;
    return named;
}

static pliant_result check_drained(const stage* s, const scene_drain* d, const place* at)
{
    int found = 0;
    place bodies = place_key(at, "bodies");
    for (int i = 0; i < d->bodies.count; ++i)
        if ((int)d->bodies.value[i] >= s->scene->bodies.count)
            return fail_at(PLIANT_ERROR_ARGUMENT, &bodies,
                           "there is no body %d: the scene has %d, with numbers from 0",
                           (int)d->bodies.value[i], s->scene->bodies.count);
    for (int i = 0; i < s->body_count; ++i) {
        if (!drains_body(d, s, i)) continue;
        if (can_change(s, i))
            found++;
        else if (d->bodies.count)
            return fail_at(PLIANT_ERROR_ARGUMENT, &bodies,
                           "body %d cannot lose particles: it has to be of loose particles, with a "
                           "capacity",
                           s->bodies[i].entry);
    }
    if (found) return PLIANT_OK;
    return fail_at(PLIANT_ERROR_ARGUMENT, at,
                   "no body can lose particles: give bodies of loose particles a capacity");
}

static pliant_result make_drain(stage* s, int number, const place* at)
{
    const scene_drain* d = drain_at(s, number);
    int none = 0;
    pliant_result result = check_drained(s, d, at);
    if (!result) result = region_open(s, &d->region, NULL, at, &s->drains[number]);
    if (!result)
        result = stage_at_place(region_find(&s->drains[number].region, NULL, 0, NULL, &none), at);
    return result;
}

pliant_result stage_make_emitters(stage* s, const place* top)
{
    place emitters = place_key(top, "emitters"), drains = place_key(top, "drains");
    size_t count = (size_t)s->scene->emitters.count, drain_count = (size_t)s->scene->drains.count;
    pliant_result result = PLIANT_OK;
    s->emitters = (stage_emitter*)mem_array_zero(count + 1, sizeof *s->emitters);
    s->drains = (open_region*)mem_array_zero(drain_count + 1, sizeof *s->drains);
    if (!s->emitters || !s->drains) return PLIANT_ERROR_MEMORY;
    for (int i = 0; i < (int)count && !result; ++i) {
        place item = place_item(&emitters, i);
        result = make_emitter(s, i, &item);
    }
    for (int i = 0; i < (int)drain_count && !result; ++i) {
        place item = place_item(&drains, i);
        result = make_drain(s, i, &item);
    }
    return result;
}

void stage_release_emitters(stage* s)
{
    for (int i = 0; s->emitters && i < s->scene->emitters.count; ++i)
        mem_free(s->emitters[i].outlet);
    for (int i = 0; s->drains && i < s->scene->drains.count; ++i) region_close(&s->drains[i]);
    mem_free(s->emitters);
    mem_free(s->drains);
}

// ---- particles that come ------------------------------------------------------------------------

// Those that leave in a step, and how they fly.
typedef struct {
    double gravity[3]; // [m/s^2]
    double *place, *radius;
    pliant_vec3* velocity;
    float* temperature; // [K] NULL: the body's
    int count, room;
    int blocked; // places that are not free
} crowd;

static pliant_result open_crowd(const stage* s, const stage_emitter* out, double layers,
                                double temperature, crowd* c)
{
    const stage_body* body = &s->bodies[out->body];
    const pliant_vec3 g = s->scene->world.gravity;
    const scene_body* source = s->entries[body->entry].source;
    bool floats = source->soft.gas.spacing > 0 || source->soft.carried;
    double scale = floats ? 0 : (double)source->def.gravity_scale;
    size_t most = (size_t)(ceil(out->each) * layers) + 1;
    *c = (crowd){.gravity = {scale * (double)g.x, scale * (double)g.y, scale * (double)g.z}};
    c->room = pliant_body_room(s->world, body->id);
    if (most > (size_t)c->room) most = (size_t)c->room;
    c->place = (double*)mem_array(most, sizeof(double[3]));
    c->radius = (double*)mem_array(most, sizeof(double));
    c->velocity = (pliant_vec3*)mem_array(most, sizeof(pliant_vec3));
    if (temperature > 0) c->temperature = (float*)mem_array(most, sizeof(float));
    for (size_t i = 0; c->temperature && i < most; ++i) c->temperature[i] = (float)temperature;
    bool good = c->place && c->radius && c->velocity && (c->temperature || !(temperature > 0));
    return good ? PLIANT_OK : PLIANT_ERROR_MEMORY;
}

static void close_crowd(crowd* c)
{
    mem_free(c->place);
    mem_free(c->radius);
    mem_free(c->velocity);
    mem_free(c->temperature);
}

// Whether something is there already. New ones may come a little too near to others: a stream that
// slows down is denser than where it comes from.
static pliant_result is_taken(const stage* s, const double center[3], double radius, bool* out)
{
    int count = 0;
    pliant_result result = pliant_world_overlap_ball(s->world, center, radius / 2, NULL, 0, &count);
    *out = count > 0;
    return result;
}

// From the outlet it has flown freely for `age` [s].
static pliant_result come(const stage* s, int number, const outlet_place* from, double age,
                          random_source* random, crowd* c)
{
    const scene_emitter* e = emitter_at(s, number);
    const stage_emitter* out = &s->emitters[number];
    double shift[3], velocity[3], *center = c->place + 3 * (size_t)c->count;
    bool taken = false;
    random_in_ball(random, shift);
    double radius = random_range(random, out->least_radius, out->most_radius);
    if (c->count == c->room) return PLIANT_OK;
    age += from->lead;
    for (int k = 0; k < 3; ++k) {
        velocity[k] = e->velocity[k] + age * c->gravity[k];
        center[k] = e->position[k] + from->offset[k] + e->jitter * out->spacing / 2 * shift[k] +
                    age * (e->velocity[k] + age / 2 * c->gravity[k]);
    }
    pliant_result result = PLIANT_OK;
    if (!s->entries[s->bodies[out->body].entry].source->soft.carried)
        result = is_taken(s, center, radius, &taken);
    c->blocked += taken;
    if (result || taken) return result;
    c->radius[c->count] = radius;
    c->velocity[c->count++] =
        (pliant_vec3){(float)velocity[0], (float)velocity[1], (float)velocity[2]};
    return PLIANT_OK;
}

// So many of its places, each of them as likely as the others.
static pliant_result pass_layer(const stage* s, int number, double layer, double age, crowd* c)
{
    const stage_emitter* out = &s->emitters[number];
    random_source random = {(uint64_t)emitter_at(s, number)->seed << 40 ^ (uint64_t)layer};
    random.state = random_bits(&random); // neighbors in time have nothing in common
    const double least = 1e-6;           // of a particle, which rounding may take
    int wanted = (int)(floor((layer + 1) * out->each + least) - floor(layer * out->each + least));
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < out->places && wanted > 0 && !result; ++i) {
        if (random_index(&random, out->places - i) >= wanted) continue;
        --wanted;
        result = come(s, number, &out->outlet[i], age, &random, c);
    }
    return result;
}

// How many have passed by a time. Times of steps are sums: what is due within rounding has passed.
static double layers_until(const scene_emitter* e, const stage_emitter* out, double time)
{
    double last = fmax(ceil((e->end - e->start) / out->period - 1e-6), 0);
    double passed = floor((time - e->start) / out->period + 1e-6) + 1;
    return fmin(fmax(passed, 0), last);
}

static void tell_once(bool* told, int number, double time, const char* what)
{
    if (*told) return;
    *told = true;
    warn("emitter %d: from %g s on %s", number, time, what);
}

static pliant_result add_crowd(const stage* s, int number, double time, const crowd* c)
{
    stage_emitter* out = &s->emitters[number];
    const scene_emitter* e = emitter_at(s, number);
    pliant_particles_def def = pliant_particles_defaults();
    def.count = c->count;
    def.positions = c->place;
    def.velocities = c->velocity;
    def.radius = c->radius;
    def.temperatures = c->temperature;
    def.phase = (uint32_t)e->phase;
    def.lifetime = e->lifetime;
    if (c->count == c->room)
        tell_once(&out->told_full, number, time,
                  "the body has no room for all that comes, which is left out: give it a larger "
                  "capacity, or let particles go (lifetime, drains)");
    if (c->blocked && !c->count)
        tell_once(&out->told_blocked, number, time,
                  "nothing comes where something else is at the outlet");
    return pliant_body_add_particles(s->world, s->bodies[out->body].id, &def, NULL);
}

static pliant_result emit(const stage* s, int number, double time, double dt)
{
    const scene_emitter* e = emitter_at(s, number);
    const stage_emitter* out = &s->emitters[number];
    double first = layers_until(e, out, time - dt), last = layers_until(e, out, time);
    crowd c;
    if (!(first < last)) return PLIANT_OK;
    pliant_result result = open_crowd(s, out, last - first, e->temperature, &c);
    for (double layer = first; layer < last && !result; ++layer)
        result = pass_layer(s, number, layer, fmax(time - (e->start + layer * out->period), 0), &c);
    if (!result) result = add_crowd(s, number, time, &c);
    close_crowd(&c);
    return result;
}

pliant_result stage_drive_emitters(const stage* s, double time, double dt)
{
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < s->scene->drains.count; ++i) {
        const scene_drain* d = drain_at(s, i);
        if (time < d->start || time >= d->end) continue;
        for (int k = 0; k < s->body_count && !result; ++k)
            if (drains_body(d, s, k) && can_change(s, k))
                result = pliant_body_drain(s->world, s->bodies[k].id, &s->drains[i].region, NULL);
    }
    for (int i = 0; i < s->scene->emitters.count && !result; ++i) result = emit(s, i, time, dt);
    return result;
}
