// The tables of keys of a scene file: everything that can be said, with its range, unit, default
// and a line of help.
#include "asset/members.h"
#include "fill/members.h"
#include "scene/region_keys.h"
#include "scene/words.h"
#include "surfacing/members.h"
#include "world/members.h"
#include <limits.h>
#include <math.h>

// Words in the order of the enumerations that they stand for.
static const char* const scrambles[] = {"random", "flat", NULL};
static const char* const axes[] = {"x", "y", "z", NULL};

pliant_soft_def scene_soft_of(const scene_body* b)
{
    pliant_soft_def def = b->soft;
    def.cookie = pliant_soft_defaults().cookie;
    return def;
}

pliant_body_def scene_placing_of(const scene_body* b)
{
    pliant_body_def def = b->def;
    def.cookie = pliant_body_defaults().cookie;
    return def;
}

pliant_collider_def scene_shape_of(const scene_collider* c)
{
    pliant_collider_def def = c->def;
    def.cookie = pliant_collider_defaults().cookie;
    return def;
}

pliant_world_def scene_world_of(const scene* s)
{
    pliant_world_def def = s->world;
    def.cookie = pliant_world_defaults().cookie;
    return def;
}

static const scene_motion motion_defaults = {.axis = {0, 1, 0}, .end = 1e9};
static const key motion_keys[] = {
    {KEY(VECTOR, scene_motion, velocity), WITHIN(-1e6, 1e6), .unit = "m/s",
     .help = "steady velocity"},
    {KEY(VECTOR, scene_motion, axis), WITHIN(-1e6, 1e6),
     .help = "axis of a steady rotation; of any length"},
    {KEY(VECTOR, scene_motion, center), WITHIN(-1e9, 1e9), .unit = "m",
     .help = "a point of the axis at the start"},
    {KEY(NUMBER, scene_motion, degrees_per_second), WITHIN(-1e6, 1e6), .unit = "degrees/s",
     .help = "speed of the rotation"},
    {KEY(NUMBER, scene_motion, start), WITHIN(0, 1e9), .unit = "s",
     .help = "time when the motion begins"},
    {KEY(NUMBER, scene_motion, end), WITHIN(0, 1e9), .unit = "s",
     .help = "time when it ends; the pins then stay"},
};
static const key_table motion_table = {
    TABLE(motion_keys, scene_motion), .name = "motion",
    .help = "How pins move. Directions and points are in the mesh's own coordinates.",
    .defaults = &motion_defaults};

static const scene_pin pin_defaults = {.release = NAN};
static const key pin_keys[] = {
    {KEY(SAME, scene_pin, region), .inner = &region_table},
    {KEY(WORD, scene_pin, axes),
     .help = "axes of the world along which they are held: rollers, planes of symmetry; other than "
             "all, they stay: no motion and no follow",
     .words = axes_words},
    {KEY(MAYBE, scene_pin, motion), .help = "how they move; absent: they stay",
     .inner = &motion_table},
    {KEY(MAYBE, scene_pin, follow), .help = "those near to another body go with it",
     .inner = &near_table},
    {KEY(NUMBER, scene_pin, release), WITHIN(0, 1e9), .unit = "s",
     .help = "time when they are let go, but for what other pins hold; absent: never"},
};
static const key_table pin_table = {
    TABLE(pin_keys, scene_pin), .name = "pin",
    .help =
        "Particles that are held. Without a region all are; of several regions their common part.",
    .defaults = &pin_defaults};

static const scene_force force_defaults = {.end = 1e9};
static const key force_keys[] = {
    {KEY(SAME, scene_force, region), .inner = &region_table},
    {KEY(VECTOR, scene_force, force), WITHIN(-1e15, 1e15), .unit = "N", .help = "the whole force",
     .required = true},
    {KEY(NUMBER, scene_force, start), WITHIN(0, 1e9), .unit = "s", .help = "time when it begins"},
    {KEY(NUMBER, scene_force, end), WITHIN(0, 1e9), .unit = "s", .help = "time when it ends"},
};
static const key_table force_table = {
    TABLE(force_keys, scene_force), .name = "force",
    .help = "A force on a region, in world directions, in equal shares.",
    .defaults = &force_defaults};

static const scene_swelling swelling_defaults = {.region = -1, .rise = 1};
static const key swelling_keys[] = {
    {KEY(INT, scene_swelling, region), WITHIN(-1, 2147483647),
     .help = "of the mesh's tets; -1: all"},
    {KEY(NUMBER, scene_swelling, warmth), WITHIN(-1e6, 1e6), .unit = "K",
     .help = "above that of the mesh: lengths grow by it times the expansion of the material"},
    {KEY(NUMBER, scene_swelling, signal), WITHIN(-1, 1),
     .help = "of a muscle: fibers are shorter by it times the contraction of the material"},
    {KEY(NUMBER, scene_swelling, start), WITHIN(0, 1e9), .unit = "s",
     .help = "time when it begins"},
    {KEY(NUMBER, scene_swelling, rise), WITHIN(0, 1e9), .unit = "s", .help = "in which it comes"},
    {KEY(NUMBER, scene_swelling, period), WITHIN(0, 1e9), .unit = "s",
     .help = "in which it comes and goes, again and again, instead; 0: it stays"},
};
static const key_table swelling_table = {
    TABLE(swelling_keys, scene_swelling), .name = "swelling",
    .help = "What tets want to be, over time: larger by warmth, or shorter along the fibers of a "
            "muscle. The material has an expansion or a contraction.",
    .defaults = &swelling_defaults};

static const scene_vortex vortex_defaults = {.axis = {0, 1, 0}};
static const key vortex_keys[] = {
    {KEY(VECTOR, scene_vortex, center), WITHIN(-1e9, 1e9), .unit = "m", .help = "of the ring"},
    {KEY(VECTOR, scene_vortex, axis), WITHIN(-1e9, 1e9),
     .help = "of the ring, of any length; it travels that way"},
    {KEY(NUMBER, scene_vortex, radius), ABOVE(0, 1e9), .unit = "m", .help = "of the ring",
     .required = true},
    {KEY(NUMBER, scene_vortex, core), ABOVE(0, 1e9), .unit = "m",
     .help = "in which it turns as one, about", .required = true},
    {KEY(NUMBER, scene_vortex, circulation), WITHIN(-1e9, 1e9), .unit = "m^2/s",
     .help = "once around its core: it travels with circulation / (4 pi radius) * (log(8 radius / "
             "core) - 1)",
     .required = true},
};
static const key_table vortex_table = {
    TABLE(vortex_keys, scene_vortex), .name = "vortex",
    .help = "The flow around a ring that turns: that of a smoke ring. Places are in the mesh's own "
            "coordinates, before it is scaled, velocities in the world.",
    .defaults = &vortex_defaults};

static const scene_start start_defaults = {.temperature = NAN, .velocity = {NAN, NAN, NAN}};
static const key start_keys[] = {
    {KEY(SAME, scene_start, region), .inner = &region_table},
    {KEY(NUMBER, scene_start, temperature), ABOVE(0, 1e9), .unit = "K",
     .help = "of the particles in it; absent: of the body's heat"},
    {KEY(VECTOR, scene_start, velocity), WITHIN(-1e12, 1e12), .unit = "m/s",
     .help = "of the particles in it; absent: of the body"},
    {KEY(MAYBE, scene_start, vortex), .help = "a flow that they start with, in addition",
     .inner = &vortex_table},
};
static const key_table start_table = {
    TABLE(start_keys, scene_start), .name = "start",
    .help = "A region that starts with a temperature or a velocity of its own. Later ones go over "
            "earlier ones.",
    .defaults = &start_defaults};

static const scene_scramble scramble_defaults = {
    .axis = 1, .seed = 1, .min = {NAN, NAN, NAN}, .max = {NAN, NAN, NAN}};
static const key scramble_keys[] = {
    {KEY(WORD, scene_scramble, kind),
     .help = "random: anywhere in a box; flat: into the plane through the center",
     .words = scrambles},
    {KEY(WORD, scene_scramble, axis), .help = "normal of the plane of flat", .words = axes},
    {KEY(INT, scene_scramble, seed), WITHIN(0, 2147483647), .help = "of the random places"},
    {KEY(VECTOR, scene_scramble, min), WITHIN(-1e9, 1e9), .unit = "m",
     .help = "smallest corner of the box in the world; absent: of the body"},
    {KEY(VECTOR, scene_scramble, max), WITHIN(-1e9, 1e9), .unit = "m",
     .help = "largest corner of the box in the world; absent: of the body"},
};
static const key_table scramble_table = {
    TABLE(scramble_keys, scene_scramble), .name = "scramble",
    .help = "A bad start: the particles that are not pinned are moved away from rest.",
    .defaults = &scramble_defaults};

static const scene_part part_defaults = {.material = {0}};
static const key part_keys[] = {
    {KEY(SAME, scene_part, region), .inner = &region_table},
    {KEY(OBJECT, scene_part, material), .help = "of this part", .inner = &material_members,
     .required = true},
};
static const key_table part_table = {
    TABLE(part_keys, scene_part), .name = "part",
    .help =
        "Tets of a body with a material of their own: those with their middle in the region. Later "
        "parts go over earlier ones.",
    .defaults = &part_defaults};

static const key liquid_keys[] = {
    {KEY(SAME, scene_liquid, def), .inner = &surface_members},
    {KEY(NUMBER, scene_liquid, depth), ABOVE(0, 1e9), .unit = "m", .standard = {NAN},
     .help = "after which light has the body's color in pictures; absent: 20 radii"},
};
static const key_table liquid_table = {
    TABLE(liquid_keys, scene_liquid), .name = "surface",
    .help = "How a surface around loose particles is made and drawn: that of a liquid."};

static const key smoke_keys[] = {
    {KEY(NUMBER, scene_smoke, depth), ABOVE(0, 1e9), .unit = "m", .standard = {NAN},
     .help =
         "after which a third of the light is left where particles are dense; absent: 10 radii"},
    {KEY(NUMBER, scene_smoke, cell), ABOVE(0, 1e9), .unit = "m", .standard = {NAN},
     .help = "of the grid in which the smoke is drawn; absent: the largest radius"},
    {KEY(NUMBER, scene_smoke, size), WITHIN(1, 100), .standard = {3},
     .help = "how far the smoke of a particle reaches, in radii"},
};
static const key_table smoke_table = {TABLE(smoke_keys, scene_smoke), .name = "smoke",
                                      .help = "How loose particles are drawn as smoke."};

static const scene_body body_defaults = {
    .scale = 1, .copies = {1, 1, 1}, .spacing = {1, 1, 1}, .color = {NAN, NAN, NAN}};
static const key body_keys[] = {
    {KEY(OBJECT, scene_body, mesh),
     .help = "what it is cut from: tets, triangles (cloth), edges (ropes) or points (particles)",
     .inner = &mesh_table, .required = true},
    {KEY(MAYBE, scene_body, fill),
     .help = "the mesh is a shape that is filled with loose particles", .inner = &fill_members},
    {KEY(MAYBE, scene_body, surface),
     .help = "loose particles are seen as a liquid, and frames have its surface",
     .inner = &liquid_table},
    {KEY(MAYBE, scene_body, smoke), .help = "loose particles are seen as smoke",
     .inner = &smoke_table},
    {KEY(FLAG, scene_body, hidden),
     .help = "pictures leave loose particles out, as a gas that carries smoke"},
    {KEY(TEXT, scene_body, visual),
     .help = "a file beside the scene with the surface that tets, cloth or clusters of particles "
             "carry and that is seen: .obj .glb .gltf ...; \"none\": their own; \"shape\": what "
             "clusters of particles fill; absent: the mesh's \"surface\""},
    {KEY(SAME, scene_body, soft), .inner = &soft_members},
    {KEY(FLAG, scene_body, tethers), .help = "no particle of cloth or rope gets farther from the "
                                             "pins (those that stay) than edges lead"},
    {KEY(NUMBER, scene_body, scale), WITHIN(1e-9, 1e9), .help = "of the mesh"},
    {KEY(SAME, scene_body, def), .inner = &body_members},
    {KEY(COUNTS, scene_body, copies), WITHIN(1, 1000),
     .help = "how many along x, y and z, as an array of bodies"},
    {KEY(VECTOR, scene_body, spacing), WITHIN(-1e9, 1e9), .unit = "m",
     .help = "from one copy to the next"},
    {KEY(LIST, scene_body, pins), .help = "what is held or moved", .inner = &pin_table},
    {KEY(LIST, scene_body, parts), .help = "regions with a material of their own",
     .inner = &part_table},
    {KEY(LIST, scene_body, forces), .help = "what pulls", .inner = &force_table},
    {KEY(LIST, scene_body, swelling), .help = "warmth and muscles, for each region once",
     .inner = &swelling_table},
    {KEY(LIST, scene_body, starts), .help = "regions that start warmer, colder or faster",
     .inner = &start_table},
    {KEY(MAYBE, scene_body, scramble), .help = "a bad start, for tests of robustness",
     .inner = &scramble_table},
    {KEY(VECTOR, scene_body, color), WITHIN(0, 1),
     .help = "red, green, blue in the picture; absent: chosen"},
};
static const key_table body_table = {TABLE(body_keys, scene_body), .name = "body",
                                     .help = "A soft body, or an array of them.",
                                     .defaults = &body_defaults};

static const scene_stop stop_defaults = {0};
static const key stop_keys[] = {
    {KEY(NUMBER, scene_stop, time), WITHIN(0, 1e9), .unit = "s", .help = "when it is there",
     .required = true},
    {KEY(VECTOR, scene_stop, position), WITHIN(-1e9, 1e9), .unit = "m", .help = "where it is",
     .required = true},
    {KEY(ROTATION, scene_stop, rotation), .help = "as of a body; absent: as at the start"},
};
static const key_table stop_table = {
    TABLE(stop_keys, scene_stop), .name = "stop",
    .help = "Where a collider is at a time. Between two of them it moves "
            "and turns evenly, the shorter way around.",
    .defaults = &stop_defaults};

static const scene_drive drive_defaults = {
    .axis = {0, 1, 0}, .center = {NAN, NAN, NAN}, .end = 1e9};
static const key drive_keys[] = {
    {KEY(VECTOR, scene_drive, velocity), WITHIN(-1e6, 1e6), .unit = "m/s",
     .help = "steady velocity"},
    {KEY(VECTOR, scene_drive, axis), WITHIN(-1e6, 1e6),
     .help = "axis of a steady rotation, as of a turntable; of any length"},
    {KEY(NUMBER, scene_drive, degrees_per_second), WITHIN(-1e6, 1e6), .unit = "degrees/s",
     .help = "speed of the rotation"},
    {KEY(VECTOR, scene_drive, center), WITHIN(-1e9, 1e9), .unit = "m",
     .help = "a point of the axis; absent: the collider's position"},
    {KEY(VECTOR, scene_drive, stroke), WITHIN(-1e9, 1e9), .unit = "m",
     .help = "way of a piston or a press"},
    {KEY(NUMBER, scene_drive, frequency), WITHIN(0, 1e6), .unit = "1/s",
     .help = "of the stroke, there and back like a pendulum; 0: see time"},
    {KEY(NUMBER, scene_drive, time), WITHIN(0, 1e9), .unit = "s",
     .help = "that the stroke takes once, with a smooth start and end; 0: see frequency"},
    {KEY(LIST, scene_drive, path),
     .help = "places with their times, instead of all above; before the first it goes there from "
             "where it "
             "starts, after the last it stands",
     .inner = &stop_table},
    {KEY(NUMBER, scene_drive, start), WITHIN(0, 1e9), .unit = "s",
     .help = "time when the motion begins"},
    {KEY(NUMBER, scene_drive, end), WITHIN(0, 1e9), .unit = "s",
     .help = "time when it ends; the collider then stands"},
};
static const key_table drive_table = {
    TABLE(drive_keys, scene_drive), .name = "drive",
    .help = "How a collider moves, in the axes of the world. Velocity, rotation and stroke add up.",
    .defaults = &drive_defaults};

static const scene_collider collider_defaults = {.scale = 1, .color = {NAN, NAN, NAN}};
static const key collider_keys[] = {
    {KEY(SAME, scene_collider, def), .inner = &collider_members},
    {KEY(OBJECT, scene_collider, mesh),
     .help =
         "of a mesh a closed surface or tets, of what is convex any, of triangles any surface or "
         "tets",
     .inner = &mesh_table},
    {KEY(NUMBER, scene_collider, scale), WITHIN(1e-9, 1e9), .help = "of the mesh",
     .effect = &of_mesh},
    {KEY(MAYBE, scene_collider, motion), .help = "how it moves; absent: it stands still",
     .inner = &drive_table},
    {KEY(FLAG, scene_collider, hidden),
     .help = "pictures leave it out, as a wall between the viewer and what it holds"},
    {KEY(VECTOR, scene_collider, color), WITHIN(0, 1),
     .help = "red, green, blue in the picture; absent: gray"},
};
static const key_table collider_table = {TABLE(collider_keys, scene_collider), .name = "collider",
                                         .help = "A solid that nothing moves but its own motion.",
                                         .defaults = &collider_defaults};

static const scene_motor motor_defaults = {.degrees = NAN, .torque = NAN};
static const key motor_keys[] = {
    {KEY(NUMBER, scene_motor, start), WITHIN(0, 1e9), .unit = "s",
     .help = "when it begins to do so, until the next one of the list"},
    {KEY(NUMBER, scene_motor, degrees_per_second), WITHIN(-1e6, 1e6), .unit = "degrees/s",
     .help =
         "speed about the axis of the second body against the first, or of one against the world"},
    {KEY(NUMBER, scene_motor, degrees), WITHIN(-1e6, 1e6), .unit = "degrees",
     .help = "an angle that it turns to at that speed, and stays at; absent: it turns on and on"},
    {KEY(NUMBER, scene_motor, torque), ZERO_OR_MORE, .unit = "N m",
     .help = "the most that it does; absent: as much as it takes"},
};
static const key_table motor_table = {
    TABLE(motor_keys, scene_motor), .name = "motor",
    .help = "What a motor of a joint does from a time on. A torque of 0 lets go.",
    .defaults = &motor_defaults};

static const char* const joint_kinds[] = {"point", "hinge", "fixed", NULL};
static const scene_joint joint_defaults = {.at = {NAN, NAN, NAN},
                                           .breaking_force = NAN,
                                           .axis = {1, 0, 0},
                                           .breaking_torque = NAN,
                                           .swing_limit = NAN};
static const key joint_keys[] = {
    {KEY(TEXT, scene_joint, name),
     .help = "what it is called in reports: letters, digits, _ and -"},
    {KEY(NUMBERS, scene_joint, bodies), WITHIN(0, 1000000),
     .help = "numbers of two bodies in the scene, from 0; each has one copy. One number: with the "
             "world",
     .required = true},
    {KEY(VECTOR, scene_joint, at), WITHIN(-1e9, 1e9), .unit = "m",
     .help =
         "a place in the world: the points of both bodies that are nearest to it are joined, of a "
         "rigid body the place itself; absent: a region"},
    {KEY(SAME, scene_joint, region), .inner = &region_table},
    {KEY(NUMBER, scene_joint, compliance), WITHIN(0, 1e9), .unit = "m/N",
     .help = "0: as stiff as the bodies allow; of each joint of a region"},
    {KEY(NUMBER, scene_joint, breaking_force), ABOVE(0, 1e15), .unit = "N",
     .help =
         "it breaks when the mean force of a step is larger; of each joint of a region; absent: "
         "never"},
    {KEY(WORD, scene_joint, kind), .words = joint_kinds,
     .help =
         "point: both turn freely; hinge: about the axis alone; fixed: not at all. This and what "
         "follows is for rigid bodies, and of them with the world"},
    {KEY(VECTOR, scene_joint, axis), WITHIN(-1e6, 1e6),
     .help = "in the world at the start, of any length: what angles are about"},
    {KEY(NUMBER, scene_joint, breaking_torque), ABOVE(0, 1e15), .unit = "N m",
     .help =
         "it breaks when holding or turning the axis takes more, mean of a step; absent: never"},
    {KEY(NUMBERS, scene_joint, limits), WITHIN(-1e6, 1e6), .unit = "degrees",
     .help = "the least and the greatest angle; it is 0 at the start"},
    {KEY(NUMBER, scene_joint, swing_limit), ABOVE(0, 180), .unit = "degrees",
     .help = "of a point: the greatest angle between the axes of both sides; absent: none"},
    {KEY(NUMBER, scene_joint, stiffness), ZERO_OR_MORE, .unit = "N m/rad",
     .help = "of a spring against the angle; of a point, against all turning"},
    {KEY(NUMBER, scene_joint, rest_angle), WITHIN(-1e6, 1e6), .unit = "degrees",
     .help = "of a hinge: where the spring is slack"},
    {KEY(NUMBER, scene_joint, damping), ZERO_OR_MORE, .unit = "N m s/rad",
     .help = "against turning"},
    {KEY(NUMBER, scene_joint, friction), ZERO_OR_MORE, .unit = "N m",
     .help = "what turning takes at most"},
    {KEY(LIST, scene_joint, motors), .help = "what turns it, in the order of time",
     .inner = &motor_table},
};
static const key_table joint_table = {
    TABLE(joint_keys, scene_joint), .name = "joint",
    .help =
        "A point of one body is held to a point of another, or of the world. With a region instead "
        "of a place, all "
        "particles of the first body in it are sewn to the nearest points of the second. A gap is "
        "closed at 0.4 m/s.",
    .defaults = &joint_defaults};

static const scene_emitter emitter_defaults = {.radius = NAN,
                                               .across = {NAN, NAN, NAN},
                                               .spacing = NAN,
                                               .rate = NAN,
                                               .jitter = 0.1,
                                               .particle_radius = NAN,
                                               .largest_radius = NAN,
                                               .end = 1e9,
                                               .temperature = NAN,
                                               .seed = 1};
static const key emitter_keys[] = {
    {KEY(INT, scene_emitter, body), WITHIN(0, 1000000),
     .help = "number of the body in the scene, from 0, that they are added to: particles with a "
             "capacity, of one copy",
     .required = true},
    {KEY(VECTOR, scene_emitter, position), WITHIN(-1e9, 1e9), .unit = "m",
     .help = "middle of the outlet, in the world", .required = true},
    {KEY(VECTOR, scene_emitter, velocity), WITHIN(-1e6, 1e6), .unit = "m/s",
     .help = "with which they leave it, across it", .required = true},
    {KEY(NUMBER, scene_emitter, radius), ABOVE(0, 1e9), .unit = "m",
     .help = "of a round outlet; centers of particles are in it"},
    {KEY(NUMBERS, scene_emitter, size), ABOVE(0, 1e9), .unit = "m",
     .help = "width and height of another one"},
    {KEY(VECTOR, scene_emitter, across), WITHIN(-1e6, 1e6),
     .help = "direction of the width, of any length; absent: horizontal"},
    {KEY(NUMBER, scene_emitter, spacing), ABOVE(0, 1e9), .unit = "m",
     .help = "from one place to the next, on a grid; absent: a diameter"},
    {KEY(NUMBER, scene_emitter, rate), ABOVE(0, 1e9), .unit = "1/s",
     .help = "how many come, at random places; absent: one from every place"},
    {KEY(NUMBER, scene_emitter, jitter), WITHIN(0, 1),
     .help = "places are moved by up to this share of half of the spacing"},
    {KEY(NUMBER, scene_emitter, particle_radius), ABOVE(0, 1e9), .unit = "m",
     .help = "of what comes; absent: the body's"},
    {KEY(NUMBER, scene_emitter, largest_radius), ABOVE(0, 1e9), .unit = "m",
     .help = "radii are from particle_radius to this; absent: all the same"},
    {KEY(NUMBER, scene_emitter, start), WITHIN(0, 1e9), .unit = "s", .help = "when it begins"},
    {KEY(NUMBER, scene_emitter, end), WITHIN(0, 1e9), .unit = "s", .help = "when it ends"},
    {KEY(NUMBER, scene_emitter, lifetime), WITHIN(0, 1e9), .unit = "s",
     .help = "after which a particle goes; 0: it stays"},
    {KEY(NUMBER, scene_emitter, temperature), ABOVE(0, 1e9), .unit = "K",
     .help = "of what comes; absent: of the body's heat"},
    {KEY(INT, scene_emitter, phase), WITHIN(0, INT_MAX), .help = "of the particles"},
    {KEY(INT, scene_emitter, seed), WITHIN(0, INT_MAX), .help = "of what is random"},
};
static const key_table emitter_table = {
    TABLE(emitter_keys, scene_emitter), .name = "emitter",
    .help = "Particles come into a body: a faucet. Layers of places pass a flat outlet with its "
            "velocity, and fly freely from there. What would be put into something else is left "
            "out, and so is what the body has no room for. Either radius or size is needed.",
    .defaults = &emitter_defaults};

static const scene_drain drain_defaults = {.end = 1e9};
static const key drain_keys[] = {
    {KEY(SAME, scene_drain, region), .inner = &region_table},
    {KEY(NUMBERS, scene_drain, bodies), WITHIN(0, 1000000),
     .help = "numbers of bodies in the scene, from 0, that lose particles there; absent: all with "
             "a capacity"},
    {KEY(NUMBER, scene_drain, start), WITHIN(0, 1e9), .unit = "s", .help = "when it begins"},
    {KEY(NUMBER, scene_drain, end), WITHIN(0, 1e9), .unit = "s", .help = "when it ends"},
};
static const key_table drain_table = {
    TABLE(drain_keys, scene_drain), .name = "drain",
    .help = "Particles of bodies with a capacity go where they are in a region of the world, at "
            "the beginning of each frame; but for those that attachments or joints hold.",
    .defaults = &drain_defaults};

static const scene_camera camera_defaults = {.eye = {NAN, NAN, NAN},
                                             .target = {NAN, NAN, NAN},
                                             .azimuth = 30,
                                             .elevation = 20,
                                             .field_of_view = 30,
                                             .width = 1280,
                                             .height = 720};
static const key camera_keys[] = {
    {KEY(VECTOR, scene_camera, eye), WITHIN(-1e9, 1e9), .unit = "m",
     .help = "where it stands; absent: so that the whole run fits"},
    {KEY(VECTOR, scene_camera, target), WITHIN(-1e9, 1e9), .unit = "m",
     .help = "what it looks at; absent: the middle of the run"},
    {KEY(NUMBER, scene_camera, azimuth), WITHIN(-360, 360), .unit = "degrees",
     .help = "of the fitted view, from the z axis toward x"},
    {KEY(NUMBER, scene_camera, elevation), WITHIN(-89, 89), .unit = "degrees",
     .help = "of the fitted view, upward"},
    {KEY(NUMBER, scene_camera, field_of_view), WITHIN(1, 120), .unit = "degrees",
     .help = "vertical"},
    {KEY(INT, scene_camera, width), WITHIN(16, 8192), .unit = "pixels", .help = "of the picture"},
    {KEY(INT, scene_camera, height), WITHIN(16, 8192), .unit = "pixels", .help = "of the picture"},
    {KEY(NUMBERS, scene_camera, times), WITHIN(0, 1e9), .unit = "s",
     .help = "moments to draw, one beside the other; absent: the end"},
};
static const key_table camera_table = {TABLE(camera_keys, scene_camera), .name = "camera",
                                       .help = "The picture of the run.",
                                       .defaults = &camera_defaults};

static const char* const probed[] = {"all",      "position", "velocity", "contact_force",
                                     "reaction", "strain",   NULL};
static const scene_probe probe_defaults = {.particle = NAN};
static const key probe_keys[] = {
    {KEY(TEXT, scene_probe, name), .help = "what its columns are called: letters, digits, _ and -",
     .required = true},
    {KEY(INT, scene_probe, body), WITHIN(0, 1000000),
     .help = "number of the body in the scene, from 0; each of its copies is measured"},
    {KEY(NUMBER, scene_probe, particle), WITHIN(0, 2147483647),
     .help = "number of one particle, from 0, instead of a region"},
    {KEY(SAME, scene_probe, region), .inner = &region_table},
    {KEY(WORD, scene_probe, what), .help = "what is measured", .words = probed},
};
static const key_table probe_table = {TABLE(probe_keys, scene_probe), .name = "probe",
                                      .help = "What is measured frame by frame (pliant run "
                                              "--probes FILE.csv, --json): position and velocity "
                                              "of the center of mass, contact forces and reactions "
                                              "of pins in sum, mean and largest strain. "
                                              "Without a region of the whole body.",
                                      .defaults = &probe_defaults};

static const key air_keys[] = {
    {KEY(SAME, scene_air, def), .inner = &air_members},
    {KEY(LIST, scene_air, winds), .help = "fans and vortices", .inner = &wind_members},
};
static const key_table air_table = {TABLE(air_keys, scene_air), .name = "air",
                                    .help = "What fills the world, and how it moves."};

static const scene scene_defaults = {.dt = 1.0 / 60, .frames = 120};
static const key scene_keys[] = {
    {KEY(TEXT, scene, description), .help = "one or two sentences"},
    {KEY(NUMBER, scene, dt), WITHIN(1e-9, 10), .unit = "s", .help = "time from frame to frame"},
    {KEY(INT, scene, frames), WITHIN(0, 1000000), .help = "how many"},
    {KEY(SAME, scene, world), .inner = &world_members},
    {KEY(MAYBE, scene, air), .help = "what fills the world; absent: nothing does",
     .inner = &air_table},
    {KEY(LIST, scene, bodies), .help = "what moves", .inner = &body_table},
    {KEY(LIST, scene, colliders), .help = "what bodies meet", .inner = &collider_table},
    {KEY(LIST, scene, joints), .help = "what holds bodies together", .inner = &joint_table},
    {KEY(LIST, scene, emitters), .help = "where particles come from", .inner = &emitter_table},
    {KEY(LIST, scene, drains), .help = "where particles go", .inner = &drain_table},
    {KEY(LIST, scene, probes), .help = "what is measured", .inner = &probe_table},
    {KEY(OBJECT, scene, camera), .help = "of the picture", .inner = &camera_table},
};
const key_table scene_table = {TABLE(scene_keys, scene), .name = "scene",
                               .help = "A scene: the whole file is one object.",
                               .defaults = &scene_defaults};
