#include "world/links.h"
#include "base/sort.h"
#include "world/residency.h"
#include "world/rigid.h"
#include <math.h>
#include <string.h>

static body* body_at(const pliant_world* world, const pliant_joint_point* p)
{
    return p->body.index1 ? world_body_at(world, (int)p->body.index1 - 1) : NULL;
}

static rigid_state* rigid_of(const pliant_world* world, const pliant_joint_point* p)
{
    const body* b = body_at(world, p);
    return b ? b->rigid : NULL;
}

static bool is_soft(const pliant_world* world, const pliant_joint_point* p)
{
    return p->body.index1 && !rigid_of(world, p);
}

// ---- checks -------------------------------------------------------------------------------------

static bool has_axes(const pliant_joint_def* d)
{
    bool limited = d->angle_limits[0] > -INFINITY || d->angle_limits[1] < INFINITY;
    return d->kind != PLIANT_JOINT_POINT || limited || d->swing_limit < INFINITY ||
           d->stiffness > 0 || d->damping > 0 || d->friction > 0 || d->motor != PLIANT_MOTOR_NONE;
}

bool def_is_link(const pliant_world* world, const pliant_joint_def* def)
{
    bool soft = is_soft(world, &def->point[0]) && is_soft(world, &def->point[1]);
    return !soft || has_axes(def);
}

// Those that are 0 or more, and those that are finite.
static pliant_result check_numbers(const pliant_joint_def* d)
{
    const struct {
        const char *name, *unit;
        double value;
        bool infinite; // is allowed
    } all[] = {{"stiffness", "N m/rad", d->stiffness, false},
               {"damping", "N m s/rad", d->damping, false},
               {"friction", "N m", d->friction, false},
               {"motor_torque", "N m", d->motor_torque, true}};
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
        if (!(all[i].value >= 0) || (!all[i].infinite && !isfinite(all[i].value)))
            return fail(PLIANT_ERROR_ARGUMENT, "a joint's %s is %g, it must be 0 or more%s [%s]",
                        all[i].name, all[i].value, all[i].infinite ? "" : ", and finite",
                        all[i].unit);
    if (!isfinite(d->rest_angle) || !isfinite(d->motor_angle) || !isfinite(d->motor_speed))
        return fail(PLIANT_ERROR_ARGUMENT,
                    "a joint's rest_angle, motor_angle or motor_speed is not finite");
    if (!(d->breaking_torque > 0))
        return fail(PLIANT_ERROR_ARGUMENT,
                    "a joint's breaking_torque is %g, it must be above 0 [N m]; INFINITY: it does "
                    "not break",
                    d->breaking_torque);
    return PLIANT_OK;
}

static pliant_result check_axes(const pliant_joint_def* d)
{
    double square = d3_dot(d->axis, d->axis);
    if ((int)d->kind < PLIANT_JOINT_POINT || d->kind > PLIANT_JOINT_FIXED)
        return fail(PLIANT_ERROR_ARGUMENT, "a joint's kind is %d, which is none", (int)d->kind);
    if ((int)d->motor < PLIANT_MOTOR_NONE || d->motor > PLIANT_MOTOR_POSITION)
        return fail(PLIANT_ERROR_ARGUMENT, "a joint's motor is %d, which is none", (int)d->motor);
    if (!(square > 0) || !isfinite(square))
        return fail(PLIANT_ERROR_ARGUMENT,
                    "a joint's axis is (%g, %g, %g): give it a direction, of any length",
                    d->axis[0], d->axis[1], d->axis[2]);
    if (!(d->angle_limits[0] <= 0 && d->angle_limits[1] >= 0))
        return fail(PLIANT_ERROR_ARGUMENT,
                    "a joint's angle_limits are %g and %g: the angle it is made at, 0, is to be "
                    "between them",
                    d->angle_limits[0], d->angle_limits[1]);
    if (!(d->swing_limit > 0))
        return fail(PLIANT_ERROR_ARGUMENT,
                    "a joint's swing_limit is %g, it must be above 0 [rad]; a hinge does not swing",
                    d->swing_limit);
    return PLIANT_OK;
}

static pliant_result check_sides(const pliant_world* world, const pliant_joint_def* d)
{
    const pliant_joint_point *a = &d->point[0], *b = &d->point[1];
    if (!a->body.index1 && !b->body.index1)
        return fail(PLIANT_ERROR_ARGUMENT,
                    "both sides of a joint are the world: give one of them a body");
    if (a->body.index1 == b->body.index1)
        return fail(PLIANT_ERROR_ARGUMENT,
                    "both sides of a joint are one rigid body: it cannot hold anything");
    for (int i = 0; i < 2; ++i)
        if (is_soft(world, &d->point[i]) && has_axes(d))
            return fail(PLIANT_ERROR_UNSUPPORTED,
                        "a joint's %s side is not rigid, and has no axes: hinges, limits, springs, "
                        "motors and friction are for rigid bodies and the world; hold a body that "
                        "deforms by two or three points instead",
                        i ? "second" : "first");
    for (int i = 0; i < 2; ++i)
        if (body_at(world, &d->point[i]) && body_at(world, &d->point[i])->remote)
            return fail(PLIANT_ERROR_UNSUPPORTED,
                        "a joint with a rigid side, or with the world, is for bodies on the CPU: "
                        "give the world the CPU as its backend");
    return PLIANT_OK;
}

pliant_result check_link(const pliant_world* world, const pliant_joint_def* def)
{
    pliant_result result = check_numbers(def);
    if (!result) result = check_axes(def);
    return result ? result : check_sides(world, def);
}

// ---- making -------------------------------------------------------------------------------------

// A turn whose image of x is that direction.
static void turn_to(const double axis[3], double out[4])
{
    double length = sqrt(d3_dot(axis, axis)), x = axis[0] / length;
    const double half[4] = {0, -axis[2] / length, axis[1] / length, 1 + x};
    const double opposite[4] = {0, 0, 1, 0}, none[4] = {0, 0, 0, 1};
    quaternion_product(x > -1 + 1e-12 ? half : opposite, none, out);
}

// [m] In the body's axes: of particles, or of the mesh's coordinates.
static void find_local(const body* b, const pliant_joint_point* p, double out[3])
{
    const rigid_shape* shape = &b->asset->rigid;
    double from[3];
    for (int k = 0; k < 3; ++k) {
        out[k] = 0;
        from[k] = p->place[k] - shape->center[k];
        for (int i = 0; i < p->count; ++i)
            out[k] += p->share[i] * shape->local[3 * (size_t)p->particle[i] + (size_t)k];
    }
    for (int k = 0; k < 3 && p->count == 0; ++k) out[k] = d3_dot(shape->axis[k], from);
}

static void place_side(const pliant_world* world, const pliant_joint_def* def, int i,
                       link_slot* out)
{
    const body* b = body_at(world, &def->point[i]);
    double turn[4];
    turn_to(def->axis, turn);
    memcpy(out->local[i], def->point[i].place, sizeof out->local[i]);
    memcpy(out->frame[i], turn, sizeof turn);
    if (!b) memcpy(out->target, def->point[i].place, sizeof out->target);
    if (!b || !b->rigid) return;
    const double* q = b->rigid->turn;
    const double back[4] = {-q[0], -q[1], -q[2], q[3]};
    find_local(b, &def->point[i], out->local[i]);
    quaternion_product(back, turn, out->frame[i]);
}

static link_rules rules_of(const pliant_joint_def* d)
{
    return (link_rules){.kind = (link_kind)d->kind,
                        .compliance = d->compliance,
                        .breaking_force = d->breaking_force,
                        .breaking_torque = d->breaking_torque,
                        .stiffness = d->stiffness,
                        .damping = d->damping,
                        .rest_angle = d->rest_angle,
                        .lower = d->angle_limits[0],
                        .upper = d->angle_limits[1],
                        .swing = d->swing_limit,
                        .friction = d->friction,
                        .motor = (int)d->motor,
                        .motor_angle = d->motor_angle,
                        .motor_speed = d->motor_speed,
                        .motor_torque = d->motor_torque};
}

pliant_result link_slot_create(const pliant_world* world, const pliant_joint_def* def,
                               link_slot** out)
{
    link_slot* l = *out = (link_slot*)mem_alloc_zero(sizeof *l);
    if (!l) return PLIANT_ERROR_MEMORY;
    l->rules = rules_of(def);
    for (int i = 0; i < 2; ++i) place_side(world, def, i, l);
    return PLIANT_OK;
}

void world_free_links(pliant_world* world)
{
    for (int i = 0; i < world->joints.count; ++i) {
        joint_slot* j = world_joint_at(world, i);
        if (j) mem_free(j->link);
    }
}

// ---- before a step ------------------------------------------------------------------------------

static joint_slot* whole_link(const pliant_world* world, int i)
{
    joint_slot* j = world_joint_at(world, i);
    return j && j->link && !j->broken ? j : NULL;
}

static uint64_t key_of(const pliant_joint_point* p, int i)
{
    return (uint64_t)(p->body.index1 - 1) << 32 | (uint32_t)p->particle[i];
}

// Keys of all particles that are not rigid; how many.
static int list_keys(const pliant_world* world, linkage* s)
{
    int keys = 0;
    s->count = 0;
    for (int i = 0; i < world->joints.count; ++i) {
        const joint_slot* j = whole_link(world, i);
        if (!j) continue;
        s->slot[s->count++] = i;
        for (int side = 0; side < 2; ++side)
            for (int k = 0; is_soft(world, &j->point[side]) && k < j->point[side].count; ++k)
                s->soft.key[keys++] = key_of(&j->point[side], k);
    }
    return keys;
}

// Rigid bodies of links, each once, in the order of their slots.
static void list_bodies(const pliant_world* world, linkage* s)
{
    int count = 0;
    for (int i = 0; i < s->count; ++i)
        for (int k = 0; k < 2; ++k) {
            const pliant_joint_point* p = &world_joint_at(world, s->slot[i])->point[k];
            if (rigid_of(world, p)) s->body_key[count++] = p->body.index1 - 1;
        }
    sort_keys(s->body_key, count);
    s->body_count = 0;
    for (int i = 0; i < count; ++i) {
        if (i > 0 && s->body_key[i] == s->body_key[i - 1]) continue;
        const body* b = world_body_at(world, (int)s->body_key[i]);
        s->body_slot[s->body_count] = (int)s->body_key[i];
        b->run->meets = true;
        s->body[s->body_count++] =
            (link_body){.run = b->run, .rigid = b->rigid, .free = !b->rigid->held && !b->failed};
    }
}

static int number_of_body(const linkage* s, int slot)
{
    int low = 0, high = s->body_count - 1;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (s->body_slot[middle] < slot)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void enter_side(const pliant_world* world, const linkage* s, const joint_slot* j, int i,
                       link_side* out)
{
    const pliant_joint_point* p = &j->point[i];
    const link_slot* l = j->link;
    *out = (link_side){.body = -1};
    memcpy(out->local, l->local[i], sizeof out->local);
    memcpy(out->frame, l->frame[i], sizeof out->frame);
    if (rigid_of(world, p)) out->body = number_of_body(s, (int)p->body.index1 - 1);
    for (int k = 0; k < 3 && !p->body.index1; ++k) out->way[k] = l->target[k] - l->local[i][k];
    for (int k = 0; is_soft(world, p) && k < p->count; ++k) {
        out->share[k] = p->share[k];
        out->point[out->count++] = joint_system_point(&s->soft, key_of(p, k));
    }
}

static bool has_jumped(const pliant_world* world, const joint_slot* j)
{
    bool jumped = false;
    for (int side = 0; side < 2; ++side) {
        const body* b = body_at(world, &j->point[side]);
        jumped = jumped || (b && j->moves[side] != b->moves);
    }
    return jumped;
}

static void enter_link(const pliant_world* world, const linkage* s, const joint_slot* j,
                       link_state* out)
{
    *out = (link_state){.rules = j->link->rules,
                        .angle = j->link->angle,
                        .closing = j->link->closing,
                        .jumped = has_jumped(world, j)};
    memcpy(out->lambda, j->link->lambda, sizeof out->lambda);
    for (int i = 0; i < 2; ++i) enter_side(world, s, j, i, &out->side[i]);
    link_list_rows(out);
}

pliant_result world_prepare_links(pliant_world* world, bool* out_any)
{
    linkage* s = &world->linking;
    int count = 0;
    for (int i = 0; i < world->joints.count; ++i) count += whole_link(world, i) != NULL;
    s->count = 0;
    *out_any = count > 0;
    if (count == 0) return PLIANT_OK;
    if (!linkage_reserve(s, count, 2 * LINK_PARTICLES * count)) return PLIANT_ERROR_MEMORY;
    joint_system_number(&s->soft, list_keys(world, s));
    s->soft.set.body_count = 0;
    for (int i = 0; i < s->soft.set.point_count; ++i) world_enter_joint_point(world, &s->soft, i);
    list_bodies(world, s);
    for (int i = 0; i < s->count; ++i)
        enter_link(world, s, world_joint_at(world, s->slot[i]), &s->link[i]);
    world_tell_joint_points(world, &s->soft);
    s->close_speed = (double)world->def.exit_speed;
    return linkage_plan(s) ? PLIANT_OK : PLIANT_ERROR_MEMORY;
}

// ---- after it -----------------------------------------------------------------------------------

static void take_link(pliant_world* world, joint_slot* j, const link_state* from)
{
    memcpy(j->link->lambda, from->lambda, sizeof j->link->lambda);
    memcpy(j->force, from->force, sizeof j->force);
    memcpy(j->link->torque, from->torque, sizeof j->link->torque);
    j->link->motor = from->motor;
    j->link->angle = from->angle;
    j->link->closing = from->closing;
    if (from->broken) world->joint_changes++;
    j->broken = from->broken;
}

void world_finish_links(pliant_world* world, double dt)
{
    linkage* s = &world->linking;
    int substeps = world->profile.substeps;
    for (int i = 0; i < s->count; ++i) {
        link_finish(&s->link[i], dt / substeps, substeps);
        take_link(world, world_joint_at(world, s->slot[i]), &s->link[i]);
    }
    for (int i = 0; i < world->joints.count; ++i) {
        joint_slot* j = world_joint_at(world, i);
        if (!j || !j->link) continue;
        for (int k = 0; k < 2; ++k) { // which the start of the next step adds
            const body* b = body_at(world, &j->point[k]);
            if (b) j->moves[k] = b->moves + 1;
            if (!b) memcpy(j->link->local[k], j->link->target, sizeof j->link->target);
        }
    }
    s->count = 0;
}

// ---- reading ------------------------------------------------------------------------------------

void link_find_place(const pliant_world* world, const joint_slot* j, int side, double out[3])
{
    const rigid_state* r = rigid_of(world, &j->point[side]);
    rigid_frame_axes axis;
    memcpy(out, j->link->local[side], 3 * sizeof *out);
    if (!r) return;
    rigid_axes(r->turn, &axis);
    rigid_outward(&axis, j->link->local[side], out);
    for (int k = 0; k < 3; ++k) out[k] += r->center[k];
}

void link_describe(const pliant_world* world, const joint_slot* j, pliant_joint_info* out)
{
    static const double x[3] = {1, 0, 0};
    double turn[2][4], between[4], omega[2][3] = {{0, 0, 0}, {0, 0, 0}};
    for (int i = 0; i < 2; ++i) {
        const rigid_state* r = rigid_of(world, &j->point[i]);
        memcpy(turn[i], j->link->frame[i], sizeof turn[i]);
        if (r) quaternion_product(r->turn, j->link->frame[i], turn[i]);
        if (r) rigid_angular_velocity(r, omega[i]);
    }
    link_between(turn[0], turn[1], between);
    link_turn_vector(turn[0], x, out->axis);
    out->kind = (pliant_joint_kind)j->link->rules.kind;
    out->angle = link_twist(between, j->link->angle);
    out->swing = link_swing(between);
    for (int k = 0; k < 3; ++k) out->speed += out->axis[k] * (omega[1][k] - omega[0][k]);
    memcpy(out->torque, j->link->torque, sizeof out->torque);
    out->motor_torque = j->link->motor;
}

// ---- telling ------------------------------------------------------------------------------------

static joint_slot* link_of(const pliant_world* world, pliant_joint_id id, const char* what)
{
    joint_slot* j = world_find_joint(world, id);
    if (!j || j->link) return j;
    fail(PLIANT_ERROR_ARGUMENT, "the joint holds particles of two bodies that deform: it has no %s",
         what);
    return NULL;
}

pliant_result pliant_joint_set_motor(pliant_world* world, pliant_joint_id id, pliant_motor motor,
                                     double angle, double speed, double torque)
{
    joint_slot* j = REQUIRE(world) ? link_of(world, id, "motor") : NULL;
    if (!j || !REQUIRE(torque >= 0 && isfinite(angle) && isfinite(speed)) ||
        !REQUIRE(motor >= PLIANT_MOTOR_NONE && motor <= PLIANT_MOTOR_POSITION))
        return PLIANT_ERROR_ARGUMENT;
    for (int i = 0; i < 2 && motor; ++i)
        if (is_soft(world, &j->point[i]) || j->link->rules.kind == LINK_FIXED)
            return fail(PLIANT_ERROR_UNSUPPORTED,
                        "a motor turns rigid bodies about a hinge or a point: the joint is fixed, "
                        "or has a side that deforms");
    // Rows of other numbers: what was pushed does not go on.
    if ((j->link->rules.motor != 0) != (motor != PLIANT_MOTOR_NONE))
        memset(j->link->lambda, 0, sizeof j->link->lambda);
    j->link->rules.motor = (int)motor;
    j->link->rules.motor_angle = angle;
    j->link->rules.motor_speed = speed;
    j->link->rules.motor_torque = torque;
    return PLIANT_OK;
}

pliant_result pliant_joint_move(pliant_world* world, pliant_joint_id id, const double place[3])
{
    joint_slot* j = REQUIRE(world && place) ? link_of(world, id, "side that is the world") : NULL;
    if (!j || !REQUIRE(isfinite(place[0] + place[1] + place[2]))) return PLIANT_ERROR_ARGUMENT;
    if (j->point[0].body.index1 && j->point[1].body.index1)
        return fail(PLIANT_ERROR_ARGUMENT,
                    "the joint has a body on both sides: only the world's side can be moved");
    memcpy(j->link->target, place, sizeof j->link->target);
    return PLIANT_OK;
}

pliant_result pliant_body_place_joint_point(const pliant_world* world, pliant_body_id id,
                                            const double place[3], pliant_joint_point* out)
{
    if (!REQUIRE(world && place && out)) return PLIANT_ERROR_ARGUMENT;
    *out = (pliant_joint_point){.body = id};
    if (!REQUIRE(isfinite(place[0] + place[1] + place[2]))) return PLIANT_ERROR_ARGUMENT;
    memcpy(out->place, place, sizeof out->place);
    if (!id.index1) return PLIANT_OK;
    body* b = world_body(world, id);
    if (!b) return PLIANT_ERROR_ARGUMENT;
    if (!body_fetch(world, b, STATE_RIGID)) return PLIANT_ERROR_DEVICE;
    if (!b->rigid)
        return fail(PLIANT_ERROR_ARGUMENT,
                    "the body is not rigid: a place of it moves with particles, see "
                    "pliant_body_find_joint_point");
    const rigid_shape* shape = &b->asset->rigid;
    rigid_frame_axes axis;
    double from[3], local[3];
    rigid_axes(b->rigid->turn, &axis);
    for (int k = 0; k < 3; ++k) from[k] = place[k] - b->rigid->center[k];
    rigid_inward(&axis, from, local);
    for (int k = 0; k < 3; ++k) {
        out->place[k] = shape->center[k];
        for (int i = 0; i < 3; ++i) out->place[k] += shape->axis[i][k] * local[i];
    }
    return PLIANT_OK;
}

// ---- snapshots ----------------------------------------------------------------------------------

static int world_side(const joint_slot* j) { return j->point[0].body.index1 ? 1 : 0; }

link_record world_link_record(const pliant_world* world, const joint_slot* j)
{
    const link_slot* l = j->link;
    link_record r = {.angle = l->angle,
                     .motor_angle = l->rules.motor_angle,
                     .motor_speed = l->rules.motor_speed,
                     .motor_torque = l->rules.motor_torque,
                     .motor = (uint64_t)l->rules.motor,
                     .closing = l->closing,
                     .broken = j->broken};
    for (int k = 0; k < 2; ++k) {
        const body* b = body_at(world, &j->point[k]);
        if (b && j->moves[k] != b->moves + 1) r.jumped = 1;
    }
    memcpy(r.lambda, l->lambda, sizeof r.lambda);
    if (body_at(world, &j->point[world_side(j)])) return r;
    memcpy(r.place, l->local[world_side(j)], sizeof r.place);
    memcpy(r.target, l->target, sizeof r.target);
    return r;
}

void world_restore_link(pliant_world* world, joint_slot* j, const link_record* from)
{
    link_slot* l = j->link;
    memcpy(l->lambda, from->lambda, sizeof l->lambda);
    l->angle = from->angle;
    l->closing = from->closing != 0;
    l->rules.motor = (int)from->motor;
    l->rules.motor_angle = from->motor_angle;
    l->rules.motor_speed = from->motor_speed;
    l->rules.motor_torque = from->motor_torque;
    memset(j->force, 0, sizeof j->force);
    memset(l->torque, 0, sizeof l->torque);
    l->motor = 0;
    if (j->broken != (from->broken != 0)) world->joint_changes++;
    j->broken = from->broken != 0;
    for (int k = 0; k < 2; ++k) {
        const body* b = body_at(world, &j->point[k]);
        if (b) j->moves[k] = from->jumped ? 0 : b->moves + 1;
    }
    if (body_at(world, &j->point[world_side(j)])) return;
    memcpy(l->local[world_side(j)], from->place, sizeof from->place);
    memcpy(l->target, from->target, sizeof l->target);
}
