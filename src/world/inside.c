#include "world/inside.h"
#include "base/error.h"
#include "collide/room.h"
#include "world/residency.h"
#include <stdio.h>
#include <string.h>

static const double nowhere[3] = {0, 0, 0};

static double length_of(const double v[3]) { return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

// ---- looking ------------------------------------------------------------------------------------

// Particles that are free to move, with room for them that the world lends.
typedef struct {
    point_set set;
    bool held;              // the body has others, or attachments
    double low[3], high[3]; // [m] of the free ones, with their radii
    double size;            // [m] the box's diagonal
    double tolerance;       // [m] an overlap that is none: contacts leave as much
} free_points;

static free_points find_points(const pliant_world* world, const body* b, const double aside[3])
{
    const state* s = &b->s;
    double *point = world->pull, *radius = point + 3 * (size_t)s->particle_count, far = 0;
    free_points p = {{point, radius, 0}, b->holder_count + b->joint_count > 0, {0}, {0}, 0, 0};
    for (int k = 0; k < 3; ++k) p.low[k] = INFINITY, p.high[k] = -INFINITY;
    for (int i = 0; i < s->particle_count; ++i) {
        if (!body_has(b, i)) continue;
        if (!(state_read_inverse_mass(s, i) > 0)) {
            p.held = true;
            continue;
        }
        double r = state_read(s, s->row, ROW, i, ROW_RADIUS), *x = point + 3 * p.set.count;
        state_read_position(s, i, x);
        for (int k = 0; k < 3; ++k) {
            x[k] += aside[k];
            p.low[k] = fmin(p.low[k], x[k] - r);
            p.high[k] = fmax(p.high[k], x[k] + r);
            far = fmax(far, fabs(x[k]));
        }
        radius[p.set.count++] = r;
    }
    if (p.set.count == 0) return p;
    p.size =
        length_of((double[3]){p.high[0] - p.low[0], p.high[1] - p.low[1], p.high[2] - p.low[2]});
    p.tolerance = 1e-4 * p.size + 1e-6 * far;
    return p;
}

// Whether there is room, and where. A way much longer than those out of each collider alone leads
// out of a vise by its open side: that is no room.
static bool find_room(const pliant_world* world, const free_points* p, double out[3])
{
    const double most = 3;
    double apart = 0;
    for (int i = 0; i < world->collider_count; ++i) {
        const collider* c = &world->collider_list[i];
        if (collider_is_far(c, p->low, p->high, DBL_EPSILON)) continue;
        double depth = points_depth(&p->set, c), way[3];
        if (depth > p->tolerance)
            apart += points_find_room(&p->set, c, 1, INFINITY, way) ? length_of(way) : depth;
    }
    return points_find_room(&p->set, world->collider_list, world->collider_count, most * apart,
                            out);
}

// The deepest ones stay, in order.
static void add_overlap(inside* in, int number, sunk_collider one)
{
    in->overlaps++;
    if (one.depth > in->depth) in->depth = one.depth, in->collider = number;
    for (int i = 0; i < MOST_SUNK; ++i) {
        if (!(one.depth > in->sunk[i].depth)) continue;
        sunk_collider next = in->sunk[i];
        in->sunk[i] = one;
        one = next;
    }
}

inside body_look_inside(const pliant_world* world, const body* b, const double aside[3])
{
    inside in = {.kind = OUTSIDE};
    if (world->collider_count == 0) return in;
    free_points p = find_points(world, b, aside);
    for (int i = 0; i < world->collider_count && p.set.count > 0; ++i) {
        const collider* c = &world->collider_list[i];
        if (collider_is_far(c, p.low, p.high, DBL_EPSILON)) continue;
        double depth = points_depth(&p.set, c);
        if (depth > p.tolerance) add_overlap(&in, i, (sunk_collider){c->key, depth});
    }
    if (in.overlaps == 0) return in;
    in.size = p.size;
    in.kind = p.held ? IS_HELD : find_room(world, &p, in.way) ? HAS_ROOM : NO_ROOM;
    return in;
}

// ---- telling ------------------------------------------------------------------------------------

// [s] in which the colliders' surfaces come up: slowly for a large body too.
static double rise_time(const pliant_world* world, const inside* in)
{
    return 1.5 * fmax(in->depth, in->size / 4) / (double)world->def.exit_speed;
}

static const char* shape_name(pliant_shape shape)
{
    static const char* const name[] = {"plane", "box",    "sphere",   "capsule",
                                       "mesh",  "convex", "triangles"};
    return name[shape];
}

void collider_describe(const pliant_world* world, int number, char* out, size_t bytes)
{
    snprintf(out, bytes, "collider %d (%s)", (int)world->collider_owner[number] - 1,
             shape_name(world->collider_list[number].shape));
}

void inside_describe(const pliant_world* world, const inside* in, int number, char* out,
                     size_t bytes)
{
    char name[48], more[32] = "", what[240] = "";
    collider_describe(world, in->collider, name, sizeof name);
    if (in->overlaps > 1) snprintf(more, sizeof more, " and %d more", in->overlaps - 1);
    if (in->kind == HAS_ROOM)
        snprintf(what, sizeof what,
                 "it is moved out by (%.3g, %.3g, %.3g) m at %g m/s; place it there to begin with",
                 in->way[0], in->way[1], in->way[2], (double)world->def.exit_speed);
    if (in->kind == IS_HELD)
        snprintf(what, sizeof what,
                 "pins, joints or attachments hold it, so the collider bends it in the course of "
                 "%.2g s; "
                 "move one of them, or pin all that is inside",
                 rise_time(world, in));
    if (in->kind == NO_ROOM)
        snprintf(what, sizeof what,
                 "there is no room for it, so it is squeezed in the course of %.2g s; move the "
                 "colliders apart, or take a smaller body",
                 rise_time(world, in));
    snprintf(out, bytes, "body %d starts %.3g m inside %s%s: %s", number, in->depth, name, more,
             what);
}

// ---- moving out ---------------------------------------------------------------------------------

bool body_is_on_its_way(const body* b) { return length_of(b->out.way) > 0; }

// [m] By which a collider's surface was sunk for this body.
static double depth_known(const body* b, uint64_t key)
{
    for (int i = 0; i < MOST_SUNK; ++i)
        if (b->out.sunk[i].key == key) return b->out.sunk[i].depth;
    return 0;
}

// What is under way already goes on, whatever else has changed.
static bool is_known(const pliant_world* world, const body* b, const inside* in)
{
    if (in->kind == HAS_ROOM)
        return body_is_on_its_way(b) && body_look_inside(world, b, b->out.way).kind == OUTSIDE;
    for (int i = 0; i < MOST_SUNK && in->sunk[i].depth > 0; ++i)
        if (!(depth_known(b, in->sunk[i].key) >= in->sunk[i].depth)) return false;
    return true;
}

// Returns whether it is new that the body is inside.
static bool decide(const pliant_world* world, body* b, inside* in)
{
    uint64_t met = world->collider_key;
    *in = body_look_inside(world, b, nowhere);
    b->out.met = met;
    if (in->kind != OUTSIDE && is_known(world, b, in)) return false;
    memset(&b->out, 0, sizeof b->out);
    b->out.met = met;
    if (in->kind == OUTSIDE) return false;
    if (in->kind == HAS_ROOM) {
        memcpy(b->out.way, in->way, sizeof b->out.way);
    } else {
        memcpy(b->out.sunk, in->sunk, sizeof b->out.sunk);
        b->out.time = rise_time(world, in);
    }
    return true;
}

// A part of its way, all particles alike.
static bool move_on(pliant_world* world, body* b, double dt)
{
    double length = length_of(b->out.way), most = (double)world->def.exit_speed * dt, part[3];
    if (!body_edit(world, b, STATE_ROWS | STATE_RESIDUES)) return false;
    for (int k = 0; k < 3; ++k) {
        part[k] = length > most ? most / length * b->out.way[k] : b->out.way[k];
        b->out.way[k] -= part[k];
    }
    for (int i = 0; i < b->s.particle_count; ++i) {
        double x[3];
        state_read_position(&b->s, i, x);
        for (int k = 0; k < 3; ++k) x[k] += part[k];
        state_write_position(&b->s, i, x);
    }
    return true;
}

bool world_move_out(pliant_world* world, double dt)
{
    enum { MOST_TOLD = 8 };
    const unsigned needed = STATE_ROWS | STATE_RESIDUES | STATE_VELOCITIES;
    int told = 0;
    for (int i = 0; i < world->bodies.count; ++i) {
        body* b = world_body_at(world, i);
        // Contacts let that out; and each particle of a liquid is pushed by itself.
        if (!b || b->failed || b->rigid || b->pressure || asset_is_carried(b->asset)) continue;
        inside in;
        if (b->out.met != world->collider_key) {
            if (world->collider_count && !body_fetch(world, b, needed)) return false;
            if (decide(world, b, &in) && ++told <= MOST_TOLD) {
                char text[400];
                inside_describe(world, &in, i, text, sizeof text);
                warn("%s", text);
            }
        }
        if (body_is_on_its_way(b) && dt > 0 && !move_on(world, b, dt)) return false;
    }
    if (told > MOST_TOLD) warn("%d more bodies start inside colliders", told - MOST_TOLD);
    return true;
}

void body_list_sunk(const body* b, double dt, int substeps, particle_work* out)
{
    if (!(b->out.time > 0)) return;
    out->sunk = b->out.sunk;
    out->rising = (rise){b->out.done / b->out.time, dt / substeps / b->out.time};
}

void body_note_rise(body* b, double dt)
{
    if (!(b->out.time > 0)) return;
    b->out.done += dt;
    if (b->out.done < b->out.time) return;
    b->out.done = b->out.time = 0;
    memset(b->out.sunk, 0, sizeof b->out.sunk);
}
