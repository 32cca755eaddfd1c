#include "world/members.h"
#include "asset/words.h"
#include "base/cookie.h"
#include "base/member_list.h"
#include "world/checks.h"

// ---- what members of colliders are for ----------------------------------------------------------

static const pliant_collider_def* collider_of(const void* subject)
{
    return (const pliant_collider_def*)subject;
}
static bool is_box(const void* c) { return collider_of(c)->shape == PLIANT_SHAPE_BOX; }
static bool is_capsule(const void* c) { return collider_of(c)->shape == PLIANT_SHAPE_CAPSULE; }
static bool is_mesh(const void* c) { return collider_of(c)->shape == PLIANT_SHAPE_MESH; }
static bool is_made_of_mesh(const void* c)
{
    return is_mesh(c) || collider_of(c)->shape == PLIANT_SHAPE_CONVEX ||
           collider_of(c)->shape == PLIANT_SHAPE_TRIANGLES;
}
static bool is_triangles(const void* c) { return collider_of(c)->shape == PLIANT_SHAPE_TRIANGLES; }
static bool is_round(const void* c)
{
    return is_capsule(c) || collider_of(c)->shape == PLIANT_SHAPE_SPHERE;
}
static bool is_rough(const void* c)
{
    return collider_of(c)->static_friction > 0 || collider_of(c)->dynamic_friction > 0;
}

static bool has_surface(const void* c) { return collider_of(c)->shape != PLIANT_SHAPE_PLANE; }

static const key_effect of_box = {is_box, "a box"}, of_capsule = {is_capsule, "a capsule"},
                        of_round = {is_round, "a sphere or a capsule"},
                        of_rough = {is_rough, "colliders with friction"},
                        of_surface = {has_surface, "other shapes than a plane"},
                        of_field = {is_mesh, "a mesh"}, of_triangles = {is_triangles, "triangles"};
const key_effect of_mesh = {is_made_of_mesh, "a mesh, what is convex, or triangles"};

// ---- the lists ----------------------------------------------------------------------------------

// Far enough for any units, and near enough for squares and for the floats that are told.
#define NOT_FAR           WITHIN(-1e30, 1e30)
#define NOT_FAST          WITHIN(-1e12, 1e12)
#define NOT_SPINNING_FAST WITHIN(-1e9, 1e9)

// clang-format off
#define OF pliant_world_def
static const key world_keys[] = {
    MEMBER(VEC3, gravity, .standard = {0, -9.81, 0}, NOT_FAST, .unit = "m/s^2",
           .help = "acceleration of everything"),
    MEMBER(AUTO, substeps, WITHIN(0, 1000000),
           .help = "per frame; \"auto\": what the stiffest body needs"),
    INTEGER(iterations, 1, WITHIN(1, 1000000), NULL, "sweeps per substep"),
    MEMBER(INT, threads, WITHIN(0, 1024), NO_SCENE, .help = "0: one per core"),
    MEMBER(INT, lanes, WITHIN(0, 16), NO_SCENE,
           .help = "1, 4, 8 or 16 at once; 0: as many as the processor has"),
    MEMBER(INT, history, ZERO_OR_MORE, NO_SCENE, .help = "steps that can be taken back"),
    FLAG(contacts, true, NULL, "bodies meet each other; false: they pass through"),
    INTEGER(contact_passes, 1, WITHIN(1, 1000), NULL,
            "over contacts between bodies, after each sweep"),
    FLAG(contact_guard, true, NULL,
         "surfaces do not cross, whatever their speed; false: contacts alone keep them apart"),
    REAL(exit_speed, 0.4, POSITIVE, "m/s", NULL, "at which bodies leave colliders that they start in"),
    CHOICE(backend, backend_words, NULL,
           "what steps the bodies; auto: a GPU, if there is one, from 20000 tets on"),
    CHOICE(arithmetic, arithmetic_words, NULL,
           "of a GPU; exact: the processor's bits, fast: shorter steps"),
    MEMBER(WORD, launch_mode, .words = launch_mode_words, NO_SCENE,
           .help = "on a GPU, of bodies without patches"),
    MEMBER(INT, run_tasks_width, ZERO_OR_MORE, NO_SCENE,
           .help = "tasks that are worth starting at once; 0: as many as threads"),
};
#undef OF

#define OF pliant_contact_def
static const key contact_keys[] = {
    FLAG(self, false, NULL, "the body meets itself"),
    MEMBER_NAMED("groups", BITS, group, .standard = {1}, WITHIN(0, 31), 
           .help = "numbers of the groups that it belongs to; absent: 0"),
    MEMBER_NAMED("meets", BITS, mask, .standard = {UINT32_MAX}, WITHIN(0, 31), 
           .help = "groups that it meets, where these meet its own, too; absent: all"),
    MEMBER_NAMED("none", NONE, mask, .help = "it meets no other body"),
    REAL(thickness, 0, ZERO_OR_MORE, "m", NULL,
         "of its surface: bodies keep the mean of both as a distance; 0: by its radius, or a tenth "
         "of the mean edge of cloth, a twentieth of that of tets, of ropes their diameter"),
    MEMBER_NAMED("friction", PAIR, static_friction, .standard = {0.5}, ZERO_OR_MORE,
           .help = "both coefficients; with another body, the geometric mean of both"),
    REAL(static_friction, 0.5, ZERO_OR_MORE, NULL, NULL, "instead of friction, at rest"),
    REAL(dynamic_friction, 0.5, ZERO_OR_MORE, NULL, NULL, "instead of friction, in motion"),
    REAL(restitution, 0, WITHIN(0, 1), NULL, NULL,
         "of impacts: its square of their energy comes back when the bodies part; the larger one of both"),
    REAL(compliance, 0, ZERO_OR_MORE, "m/N", NULL, "of a contact, the sum of both; 0: hard"),
    REAL(rolling_resistance, 1, WITHIN(0, 1), NULL, NULL,
         "of loose particles against each other: below friction they roll off; 1: they do not roll"),
};
#undef OF

const key_table contact_members = {TABLE(contact_keys, pliant_contact_def), .name = "contact",
    .help = "How a body meets other bodies, and itself."};

#define OF pliant_airfoil_def
static const key airfoil_keys[] = {
    REAL(drag, 0, WITHIN(0, 1e6), NULL, NULL,
         "broadside; 0: by shape, 1.2 of triangles, 1.1 of ropes, 0.47 of balls"),
    REAL(lift, 1.6, WITHIN(0, 1e6), NULL, NULL, "slope of the lift of triangles at small angles"),
    REAL(friction, 0.02, WITHIN(0, 1e6), NULL, NULL, "edge on, of both sides of a sheet together"),
    REAL(exposure, 1, WITHIN(0, 1e6), NULL, NULL, "a factor on all of it; 0: the body feels no air"),
};
#undef OF

const key_table airfoil_members = {TABLE(airfoil_keys, pliant_airfoil_def), .name = "airfoil",
    .help = "How air acts on a body: triangles are thin airfoils, ropes cylinders, grains balls."};

#define OF pliant_air_def
static const key air_keys[] = {
    REAL(density, 1.2, POSITIVE, "kg/m^3", NULL, "of the air"),
    MEMBER(VEC3, wind, WITHIN(-1e6, 1e6), .unit = "m/s", .help = "that is the same everywhere"),
    REAL(gust, 0, WITHIN(0, 1), NULL, NULL, "by how much of itself the wind swells and drops at most"),
    REAL(gust_time, 2, POSITIVE, "s", NULL, "from one gust to the next"),
    REAL(turbulence, 0, WITHIN(0, 1e6), "m/s", NULL,
         "of eddies that the wind carries along: root of the mean square of each component"),
    REAL(turbulence_size, 1, POSITIVE, "m", NULL, "from one eddy to the next"),
    INTEGER(seed, 0, ZERO_OR_MORE, NULL, "of gusts and turbulence"),
};
#undef OF

const key_table air_members = {TABLE(air_keys, pliant_air_def), .name = "air",
    .help = "What fills the world, and how it moves."};

static const char* const wind_words[] = {"fan", "vortex", NULL};
#define OF pliant_wind_def
static const key wind_keys[] = {
    CHOICE(kind, wind_words, NULL,
           "fan: a jet that becomes wider by a tenth of its way; vortex: turns about its axis"),
    MEMBER(VECTOR, position, NOT_FAR, .unit = "m", .help = "of the fan, or a point of the axis"),
    MEMBER(VEC3, direction, .standard = {1, 0, 0}, NOT_FAST, .help = "of the axis, of any length"),
    REAL(speed, 5, WITHIN(-1e6, 1e6), "m/s", NULL,
         "in the middle of the fan, or at the vortex's radius"),
    REAL(radius, 0.3, POSITIVE, "m", NULL, "of the fan, or where the vortex is the fastest"),
};
#undef OF

const key_table wind_members = {TABLE(wind_keys, pliant_wind_def), .name = "wind",
    .help = "A wind from somewhere, in addition to the one that is everywhere."};

static const char* const immersion_words[] = {"density", "contacts", NULL};
#define OF pliant_immersion_def
static const key immersion_keys[] = {
    CHOICE(by, immersion_words, NULL,
           "density: it counts in the liquid by its volume, and contacts carry the rest; contacts: "
           "nothing but those"),
};
#undef OF

const key_table immersion_members = {TABLE(immersion_keys, pliant_immersion_def),
    .name = "immersion", .help = "How a body meets the liquids of its world."};

#define OF pliant_body_def
static const key body_keys[] = {
    MEMBER(VECTOR, position, NOT_FAR, .unit = "m", .help = "of the mesh's origin"),
    MEMBER(ROTATION, rotation, .standard = {0, 0, 0, 1},
           .help = "{\"axis\": [x, y, z], \"degrees\": n} or a quaternion [x, y, z, w]"),
    MEMBER(VEC3, velocity, NOT_FAST, .unit = "m/s", .help = "at the start"),
    MEMBER(VEC3, angular_velocity, NOT_SPINNING_FAST, .unit = "rad/s",
           .help = "at the start, about the center of mass"),
    FLAG(held, false, NULL, "of a rigid body: nothing pushes it, it goes on as it starts"),
    REAL(gravity_scale, 1, FINITE, NULL, NULL, "factor on gravity"),
    REAL(friction, 1, ZERO_OR_MORE, NULL, NULL, "factor on the colliders' friction"),
    REAL(restitution, 1, WITHIN(0, 1), NULL, NULL, "factor on the colliders' restitution"),
    STRUCT(contact, contact_members, NULL, "with other bodies and itself"),
    STRUCT(air, airfoil_members, NULL, "how air acts on it, where the world has some"),
    STRUCT(immersion, immersion_members, NULL, "how liquids do, where there are some"),
};
#undef OF

#define OF pliant_collider_def
static const key collider_keys[] = {
    CHOICE(shape, shape_words, NULL,
           "plane: everything below the local y = 0; capsule: along the local y; mesh: a closed "
           "surface, solid; convex: the hull of a mesh's vertices; triangles: a mesh as it is, open "
           "or closed, with nothing inside"),
    MEMBER(VECTOR, position, NOT_FAR, .unit = "m", .help = "of the shape's center"),
    MEMBER(ROTATION, rotation, .standard = {0, 0, 0, 1}, .help = "as of a body"),
    MEMBER(VEC3, half_extents, .standard = {0.5, 0.5, 0.5}, POSITIVE, .unit = "m",
           .effect = &of_box, .help = "half of its sides"),
    REAL(radius, 0.5, POSITIVE, "m", &of_round, "of the shape"),
    REAL(half_height, 0.5, ZERO_OR_MORE, "m", &of_capsule, "without its caps"),
    REAL(cell, 0, ZERO_OR_MORE, "m", &of_field,
         "of the distance field; 0: 1/64 of the longest side"),
    REAL(thickness, 0, ZERO_OR_MORE, "m", &of_triangles,
         "of the triangles: bodies stay half of it away; 0: a hundredth of the mean edge"),
    FLAG(two_sided, true, &of_triangles,
         "both sides of a triangle hold bodies back; false: the one from which its corners are "
         "counter-clockwise, and what comes from behind passes. Particles alone meet one side"),
    MEMBER_NAMED("friction", PAIR, static_friction, .standard = {0.5}, ZERO_OR_MORE,
           .help = "both coefficients of friction"),
    REAL(static_friction, 0.5, ZERO_OR_MORE, NULL, NULL, "instead of friction, at rest"),
    REAL(dynamic_friction, 0.5, ZERO_OR_MORE, NULL, NULL, "instead of friction, in motion"),
    REAL(restitution, 0, WITHIN(0, 1), NULL, NULL,
         "part of the normal velocity that single particles at the contact have after an impact; a "
         "soft body comes back by its own elasticity, whatever it is"),
    MEMBER(VEC3, velocity, NOT_FAST, .unit = "m/s", NO_SCENE, .help = "steady velocity"),
    MEMBER(VEC3, angular_velocity, NOT_SPINNING_FAST, .unit = "rad/s", NO_SCENE, .help = "steady rotation"),
    MEMBER(VEC3, surface_velocity, NOT_FAST, .unit = "m/s", .effect = &of_rough,
           .help = "of its surface alone, as of a belt, in the collider's own axes"),
    MEMBER(VEC3, surface_angular_velocity, NOT_SPINNING_FAST, .unit = "rad/s", .effect = &of_rough,
           .help = "the same about its position"),
    CHOICE(surface_contacts, surface_contacts_words, &of_surface,
           "whether it meets triangles and edges, at any speed, and not particles alone; auto: where "
           "it is small against a body's elements, or one of them is fast"),
    MEMBER(FLAG, measure_force, NO_SCENE, .help = "for pliant_collider_force"),
};
#undef OF

const key_table
    world_members = {TABLE(world_keys, pliant_world_def), .name = "world",
        .help = "What all bodies have in common."},
    body_members = {TABLE(body_keys, pliant_body_def), .name = "body",
        .help = "Where a body starts and how it behaves."},
    collider_members = {TABLE(collider_keys, pliant_collider_def), .name = "collider",
        .help = "A solid that nothing moves but its own motion."};
// clang-format on

// ---- defaults -----------------------------------------------------------------------------------

pliant_world_def pliant_world_defaults(void)
{
    pliant_world_def def;
    table_defaults(&world_members, &def);
    def.cookie = COOKIE_WORLD;
    return def;
}

pliant_body_def pliant_body_defaults(void)
{
    pliant_body_def def;
    table_defaults(&body_members, &def);
    def.cookie = COOKIE_BODY;
    return def;
}

pliant_collider_def pliant_collider_defaults(void)
{
    pliant_collider_def def;
    table_defaults(&collider_members, &def);
    def.cookie = COOKIE_COLLIDER;
    return def;
}

pliant_air_def pliant_air_defaults(void)
{
    pliant_air_def def;
    table_defaults(&air_members, &def);
    def.cookie = COOKIE_AIR;
    return def;
}

pliant_wind_def pliant_wind_defaults(void)
{
    pliant_wind_def def;
    table_defaults(&wind_members, &def);
    def.cookie = COOKIE_WIND;
    return def;
}

// ---- checks -------------------------------------------------------------------------------------

pliant_result check_world_def(const pliant_world_def* def)
{
    pliant_result result = table_check(&world_members, def, "world");
    int n = def->lanes;
    if (result || n == 0 || n == 1 || n == 4 || n == 8 || n == 16) return result;
    return fail(PLIANT_ERROR_ARGUMENT, "world: lanes is %d, it must be 0, 1, 4, 8 or 16", n);
}

pliant_result check_body_def(const pliant_body_def* def)
{
    return table_check(&body_members, def, "body");
}

pliant_result check_airfoil_def(const pliant_airfoil_def* def)
{
    return table_check(&airfoil_members, def, "air");
}

pliant_result check_air_def(const pliant_air_def* def)
{
    return table_check(&air_members, def, "air");
}

pliant_result check_wind_def(const pliant_wind_def* def)
{
    const pliant_vec3 d = def->direction;
    pliant_result result = table_check(&wind_members, def, "wind");
    if (result || d.x != 0 || d.y != 0 || d.z != 0) return result;
    return fail(PLIANT_ERROR_ARGUMENT, "wind: direction is (0, 0, 0), and points nowhere");
}

pliant_result check_contact_def(const pliant_contact_def* def)
{
    return table_check(&contact_members, def, "contact");
}

pliant_result check_collider_def(const pliant_collider_def* def)
{
    pliant_result result = table_check(&collider_members, def, "collider");
    if (result || !is_made_of_mesh(def) || def->mesh) return result;
    return fail(PLIANT_ERROR_ARGUMENT, "collider: the shape %s needs a mesh",
                shape_words[def->shape]);
}

pliant_result check_collider_member(const char* name, const void* value)
{
    return table_check_value(&collider_members, name, value, "collider");
}
