#include "world/immersion.h"
#include <string.h>

void body_forget_hull(body* b)
{
    fluid_hull_destroy(b->hull);
    b->hull = NULL;
}

// ---- before a step ------------------------------------------------------------------------------

// What takes part in no contact meets no liquid either.
static bool is_immersed(const pliant_world* world, const body* b)
{
    return !b->pressure && !asset_is_carried(b->asset) && !b->failed && world->def.contacts &&
           b->contact.mask && b->immersion.by == PLIANT_IMMERSION_DENSITY;
}

// [m] Of a sheet: others stay half of it away from its middle.
static double thickness_of(const body* b)
{
    double thickness = (double)b->contact.thickness;
    if (thickness > 0) return thickness;
    if (b->asset->def.radius > 0) return 2 * b->asset->def.radius;
    return asset_surface(b->asset)->mean_edge / 10;
}

static pliant_result make_hull(body* b, double spacing)
{
    const pliant_asset* a = b->asset;
    fluid_beads beads;
    bool sheets = a->mesh->tet_count == 0 && a->mesh->triangle_count > 0 && !a->rigid.encloses;
    if (sheets && !asset_surface(a)) return PLIANT_ERROR_MEMORY;
    const bead_source from = {.mesh = a->mesh,
                              .local = a->rigid.local,
                              .encloses = a->rigid.encloses,
                              .thickness = sheets ? thickness_of(b) : 0,
                              .area = asset_rope_area(a),
                              .radius = b->largest_radius,
                              .spacing = spacing};
    pliant_result result = fluid_beads_create(&from, &beads);
    if (result) return result;
    b->hull = fluid_hull_create(&b->s, b->rigid != NULL, &beads);
    fluid_beads_destroy(&beads);
    if (!b->hull) return PLIANT_ERROR_MEMORY;
    b->hull->spacing = spacing;
    return PLIANT_OK;
}

static pliant_result immerse(pliant_world* world, body* b)
{
    fluid_system* s = &world->flowing.system;
    if (b->hull && b->hull->spacing != s->spacing) body_forget_hull(b);
    if (!b->hull) {
        pliant_result result = make_hull(b, s->spacing);
        if (result) return result;
    }
    memset(&b->hull->load, 0, sizeof b->hull->load);
    b->hull->step = world->step_count + 1;
    b->run->meets = true;
    const wet_body one = {
        .run = b->run, .hull = b->hull, .group = b->contact.group, .mask = b->contact.mask};
    return fluid_bodies_add(&s->bodies, one) ? PLIANT_OK : PLIANT_ERROR_MEMORY;
}

pliant_result world_immerse_bodies(pliant_world* world)
{
    if (!fluid_bodies_start(&world->flowing.system.bodies, world->bodies.count))
        return PLIANT_ERROR_MEMORY;
    for (int i = 0; i < world->bodies.count; ++i) {
        body* b = world_body_at(world, i);
        if (!b || !is_immersed(world, b)) continue;
        if (b->remote || world->flowing.remote)
            return fail(PLIANT_ERROR_UNSUPPORTED,
                        "body %d is in a liquid, and a GPU steps one of them, where no body counts "
                        "in a density yet: use the backend cpu, or let contacts alone do it "
                        "(\"immersion\": {\"by\": \"contacts\"})",
                        i);
        pliant_result result = immerse(world, b);
        if (result) return result;
    }
    return PLIANT_OK;
}

// ---- what it did --------------------------------------------------------------------------------

pliant_result pliant_body_liquid_load(const pliant_world* world, pliant_body_id id,
                                      pliant_liquid_load* out)
{
    const body* b = world_body(world, id);
    if (!b || !REQUIRE(out)) return PLIANT_ERROR_ARGUMENT;
    memset(out, 0, sizeof *out);
    if (b->pressure || world->step_count == 0) return PLIANT_OK;
    if (b->hull && b->hull->step == world->step_count) {
        memcpy(out->force, b->hull->load.force, sizeof out->force);
        memcpy(out->torque, b->hull->load.torque, sizeof out->torque);
    }
    for (int i = 0; i < world->bodies.count; ++i) {
        const body* liquid = world_body_at(world, i);
        double force[3], torque[3];
        if (!liquid || !liquid->pressure) continue;
        const pliant_body_id other = {(uint32_t)i + 1, world->bodies.slot[i].generation};
        pliant_result result = pliant_body_force_of(world, id, other, force, torque);
        if (result) return result;
        for (int k = 0; k < 3; ++k) {
            out->force[k] += force[k];
            out->torque[k] += torque[k];
        }
    }
    return PLIANT_OK;
}
