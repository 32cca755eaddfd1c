// The scenes, by what they are the first to have.
#pragma once
#include "cuda_scenes.h"

// Short words for the table.
#define TEN       .formulation = PLIANT_FORMULATION_TEN_ROWS
#define TWO       .formulation = PLIANT_FORMULATION_TWO_ROWS
#define PAIR      .formulation = PLIANT_FORMULATION_DECOUPLED
#define NODES     .formulation = PLIANT_FORMULATION_DECOUPLED_NODES
#define WHOLE     .patch_rows = 4000
#define PIECES    .patch_rows = 48
#define ORDERED   .patch_rows = 48, .meet = PLIANT_INTERFACE_ORDERED
#define COLORED   .schedule = PLIANT_SCHEDULE_COLORED
#define CLUSTERED .schedule = PLIANT_SCHEDULE_CLUSTERED
#define PHANTOM   .schedule = PLIANT_SCHEDULE_PHANTOM
#define HYBRID    .schedule = PLIANT_SCHEDULE_HYBRID
#define JACOBI    .schedule = PLIANT_SCHEDULE_JACOBI
#define DUPLICATE .merge = PLIANT_MERGE_DUPLICATE
#define EACH      .launch_mode = PLIANT_LAUNCH_MODE_EACH
#define EULER     .integrator = PLIANT_INTEGRATOR_IMPLICIT_EULER
#define SECOND    .integrator = PLIANT_INTEGRATOR_BDF2
#define EXACT     .precision = PLIANT_PRECISION_DOUBLE
#define HANGING   .props = PINNED
#define CLOTH     .mesh = "cloth:14x14:0.6x0.6"
#define ANGLE     .bending_by = PLIANT_BENDING_ANGLE
#define EDGES     .formulation = PLIANT_FORMULATION_EDGES_AND_VOLUME
#define CLASSIC   .stiffness_mode = PLIANT_STIFFNESS_MODE_CLASSIC
#define AIR       .mesh = "sphere:0.3:8", .air = 2e4

static const scene cuda_scenes[] = {
    // formulations and schedules
    {"ten rows, one patch", TEN, WHOLE, HANGING},
    {"ten rows, patches", TEN, PIECES, HANGING},
    {"ten rows, ordered patches", TEN, ORDERED, HANGING},
    {"ten rows, colored, graph", TEN, COLORED, HANGING},
    {"ten rows, colored, launches", TEN, COLORED, EACH, HANGING},
    {"ten rows, clustered, graph", TEN, CLUSTERED, HANGING},
    {"ten rows, clustered, launches", TEN, CLUSTERED, EACH, HANGING},
    {"two rows, one patch", TWO, WHOLE, HANGING},
    {"two rows, patches", TWO, PIECES, HANGING},
    {"two rows, ordered patches", TWO, ORDERED, HANGING},
    {"two rows, colored", TWO, COLORED, HANGING},
    {"two rows, clustered", TWO, CLUSTERED, HANGING},
    {"decoupled pair, one patch", PAIR, WHOLE, HANGING},
    {"decoupled pair, patches", PAIR, PIECES, HANGING},
    {"decoupled pair, ordered patches", PAIR, ORDERED, HANGING},
    {"decoupled pair, colored", PAIR, COLORED, HANGING},
    {"decoupled pair, clustered", PAIR, CLUSTERED, HANGING},
    {"decoupled nodes, patches", NODES, PIECES, HANGING},
    {"decoupled nodes, colored", NODES, COLORED, HANGING},
    {"implicit Euler, patches", TEN, PIECES, EULER, HANGING},
    {"implicit Euler, two rows, colored", TWO, COLORED, EULER, HANGING},

    {"ten rows, patches as for a GPU", TEN, .mesh = "beam:12x4x4", HANGING},
    {"two rows, patches as for a GPU", TWO, .mesh = "beam:12x4x4", .props = PINNED | FLOOR},
    {"large, patches as for a GPU", TEN, .mesh = "beam:40x10x10", .steps = 4, HANGING,
     .large = true},

    // copies without patches
    {"phantom, graph", TEN, PHANTOM, HANGING},
    {"phantom, launches", TEN, PHANTOM, EACH, HANGING},
    {"phantom, single, damped", TWO, PHANTOM, .phantoms = PLIANT_PHANTOMS_SINGLE, .most_colors = 6,
     .damping = 1e-3, HANGING},
    {"hybrid", TEN, HYBRID, HANGING},
    {"hybrid, three iterations, relaxed", TEN, HYBRID, .most_colors = 9, .iterations = 3,
     .relaxation = 1.3, HANGING},
    {"hybrid, duplicate", PAIR, HYBRID, DUPLICATE, HANGING},
    {"jacobi", TEN, JACOBI, HANGING},
    {"jacobi, launches, obstacles", TWO, JACOBI, EACH, .props = OBSTACLES | SPINNING},
    {"jacobi, nodes, damped, relaxed", NODES, JACOBI, .iterations = 3, .relaxation = 1.5,
     .damping = 1e-3, HANGING},
    {"jacobi, moving pin", TEN, JACOBI, .props = PINNED | PULLED},
    {"jacobi, attachments that move", TEN, JACOBI, .props = HELD | TOWED | PUSHED},
    {"jacobi, rope", .mesh = "rope:1:40", JACOBI, .iterations = 3, .relaxation = 1.2,
     .props = PINNED | PULLED},
    {"jacobi, double", TEN, JACOBI, EXACT, .iterations = 3, .relaxation = 0.8,
     .props = FLOOR | SPINNING},
    {"duplicate patches", TEN, PIECES, DUPLICATE, HANGING},

    // iterations, colors, damping
    {"three iterations, patches", TEN, PIECES, HANGING, .iterations = 3},
    {"three iterations, ordered patches", TWO, ORDERED, HANGING, .iterations = 3},
    {"three iterations, colored", TEN, COLORED, HANGING, .iterations = 3},
    {"three iterations, pair, clustered", PAIR, CLUSTERED, HANGING, .iterations = 3},
    {"twelve colors, one patch", TEN, WHOLE, .patch_colors = 12, HANGING},
    {"twelve colors, patches", TEN, PIECES, .patch_colors = 12, HANGING},
    {"twelve colors, three iterations", TWO, PIECES, .patch_colors = 12, .iterations = 3, HANGING},
    {"damped, one patch", TEN, WHOLE, .damping = 1e-3, HANGING},
    {"damped, patches", TEN, PIECES, .damping = 1e-3, HANGING},
    {"damped, ordered patches", TWO, ORDERED, .damping = 1e-3, HANGING},
    {"damped, colored", TEN, COLORED, .damping = 1e-3, HANGING},
    {"damped, clustered, launches", TWO, CLUSTERED, EACH, .damping = 1e-3, HANGING},
    {"damped, three iterations", TEN, PIECES, .damping = 1e-3, .iterations = 3, HANGING},
    {"damped pair", PAIR, PIECES, .damping = 1e-3, HANGING},

    // contacts
    {"plane", TEN, PIECES, .props = FLOOR},
    {"plane, one patch", TEN, WHOLE, .props = FLOOR | SPINNING},
    {"plane, colored", TEN, COLORED, .props = FLOOR},
    {"plane, ordered patches", TEN, ORDERED, .props = FLOOR},
    {"sphere", TEN, PIECES, .props = BALL},
    {"capsule", TEN, PIECES, .props = CAPSULE},
    {"box", TEN, PIECES, .props = CRATE},
    {"distance field", TEN, PIECES, .props = FIELD},
    {"distance field, colored", TWO, COLORED, .props = FIELD | SPINNING},
    {"rotated plane", TEN, PIECES, .props = FLOOR | ROTATED},
    {"rotated capsule", TWO, PIECES, .props = CAPSULE | ROTATED},
    {"rotated box", TEN, PIECES, .props = CRATE | ROTATED},
    {"rotated distance field", TEN, PIECES, .props = FIELD | ROTATED},
    {"all obstacles", TEN, PIECES, .props = OBSTACLES | SPINNING},
    {"all obstacles, three iterations", TWO, PIECES, .iterations = 3, .props = OBSTACLES},
    {"all obstacles, damped, colored", TEN, COLORED, .damping = 1e-3, .props = OBSTACLES},
    {"moving obstacles", TEN, PIECES, .props = OBSTACLES | MOVING | SPINNING},
    {"moving obstacles, one patch", TEN, WHOLE, .props = OBSTACLES | MOVING},
    {"moving obstacles, three iterations", TWO, PIECES, .iterations = 3,
     .props = OBSTACLES | MOVING},
    {"moving obstacles, damped, colored", TEN, COLORED, .damping = 1e-3,
     .props = OBSTACLES | MOVING},
    {"moving obstacles, BDF2", TEN, PIECES, SECOND, .props = OBSTACLES | MOVING | SPINNING},
    {"moving obstacles, BDF2, colored", TEN, COLORED, SECOND, .props = OBSTACLES | MOVING},
    {"moving obstacles, double", TEN, PIECES, .precision = PLIANT_PRECISION_DOUBLE,
     .props = OBSTACLES | MOVING},
    {"moving obstacles, bodies of many kinds", TEN, PIECES, .props = OBSTACLES | MOVING | COMPANY},
    {"moving obstacles, a bad start", TEN, PIECES, .props = FLOOR | CRATE | BURIED | MOVING},
    {"a moving field a kilometer away", TEN, PIECES, .far = 1000, .props = FIELD | MOVING},
    {"a moving floor, held", TEN, PIECES, .props = FLOOR | MOVING | HELD},
    {"hull", TEN, PIECES, .props = HULL | SPINNING},
    {"hull and triangles, colored, iterations", TWO, COLORED, .iterations = 3,
     .props = HULL | NET | ROTATED},
    {"triangles", TEN, PIECES, .props = NET},
    {"moving triangles", TEN, PIECES, .props = NET | MOVING | SPINNING},
    {"moving triangles, one patch, double", TEN, WHOLE, EXACT, .props = NET | MOVING},
    {"moving hull and triangles, BDF2", TEN, PIECES, SECOND,
     .props = HULL | NET | MOVING | SPINNING},
    {"many colliders", TEN, PIECES, .props = CROWD | FLOOR},
    {"many colliders that move", TEN, PIECES, .props = CROWD | NET | MOVING | SPINNING},
    {"many colliders, colored, iterations", TWO, COLORED, .iterations = 2,
     .props = CROWD | FLOOR | HELD},
    {"many colliders and a bad start", TEN, PIECES, SECOND, .props = CROWD | BURIED},
    {"obstacles, implicit Euler", TEN, PIECES, EULER, .props = OBSTACLES | ROTATED | SPINNING},

    // what pulls
    {"moving pin, patches", TEN, PIECES, .props = PINNED | PULLED},
    {"moving pin, colored", TEN, COLORED, .props = PINNED | PULLED},
    {"attachment, patches", TEN, PIECES, .props = HELD},
    {"attachments that move, patches", TEN, PIECES, .props = HELD | TOWED},
    {"attachments that move, ordered", TEN, ORDERED, .props = HELD | TOWED},
    {"attachments that move, clustered", TEN, CLUSTERED, .props = HELD | TOWED},
    {"forces, patches", TEN, PIECES, .props = PINNED | PUSHED},
    {"forces, colored", TWO, COLORED, .props = PINNED | PUSHED},
    {"everything that pulls, damped", TEN, PIECES, .damping = 1e-3,
     .props = PULLED | HELD | TOWED | PUSHED | FLOOR | SPINNING},

    // bodies and meshes
    {"bodies of many kinds", TEN, PIECES, .props = COMPANY | FLOOR | BALL | SPINNING},
    {"bodies of many kinds, damped", TWO, COLORED, .damping = 1e-3, .props = COMPANY | FLOOR},
    {"torus", TEN, .mesh = "torus:0.4:0.15:6", .patch_rows = 100, .props = FLOOR | SPINNING},
    {"blob, twelve colors", TEN, .mesh = "blob:0.3:8:3", .patch_rows = 80, .patch_colors = 12,
     .props = CRATE},
    {"rope", .mesh = "rope:1:40", .props = HELD | TOWED | FLOOR},
    {"rope in patches", .mesh = "rope:2:200", PIECES, HANGING},
    {"rope, colored", .mesh = "rope:1:40", COLORED, .props = PINNED | PULLED},
    {"two materials, patches", TEN, PIECES, .stiffer = true, HANGING},
    {"two materials, damped, colored", TWO, COLORED, .stiffer = true, .damping = 1e-3, HANGING},
    {"automatic substeps", TEN, PIECES, .automatic = true, .steps = 5, HANGING},
    {"a kilometer away", TEN, PIECES, .far = 1000, .props = FLOOR | HELD},
    {"a kilometer away, colored", TEN, COLORED, .far = -1000, .props = FLOOR | PUSHED},
    {"a patch beyond shared memory", TEN, .mesh = "beam:40x10x10", .patch_rows = 65535, .steps = 4,
     .props = PINNED | FLOOR, .large = true},
    {"more patches than fit at once", TEN, .mesh = "beam:40x12x12", .patch_rows = 16, .steps = 4,
     .props = PINNED | FLOOR, .large = true},
    {"ordered, more than fit at once", TEN, .mesh = "beam:40x12x12", .patch_rows = 16, .steps = 4,
     .meet = PLIANT_INTERFACE_ORDERED, HANGING, .large = true},
    {"large patches, damped", TWO, .mesh = "beam:30x10x10", .patch_rows = 1536, .steps = 4,
     .damping = 1e-3, .props = PINNED | PUSHED, .large = true},

    // cloth, ropes and edges: types that are mixed in a body
    {"cloth, one patch", CLOTH, WHOLE, HANGING},
    {"cloth, patches", CLOTH, PIECES, .props = BALL | SPINNING},
    {"cloth, patches as for a GPU", CLOTH, .props = PINNED | FLOOR},
    {"cloth, ordered patches", CLOTH, ANGLE, ORDERED, .stiff_area = true, HANGING},
    {"cloth by angle, damped", CLOTH, ANGLE, PIECES, .damping = 1e-3, .props = FLOOR | SPINNING},
    {"cloth, colored, graph", CLOTH, COLORED, .stiff_area = true, HANGING},
    {"cloth by angle, colored, launches", CLOTH, ANGLE, COLORED, EACH, HANGING},
    {"cloth, clustered, damped", CLOTH, CLUSTERED, .damping = 1e-3, .stiff_area = true, HANGING},
    {"cloth, three iterations", CLOTH, PIECES, .iterations = 3, .props = PINNED | BALL},
    {"cloth, tethered", CLOTH, PIECES, .tethered = true, HANGING},
    {"cloth, tethered, three iterations", CLOTH, WHOLE, .tethered = true, .iterations = 3, HANGING},
    {"classic cloth, four iterations", CLOTH, ANGLE, CLASSIC, PIECES, .iterations = 4,
     .stiff_area = true, .tethered = true, .props = PINNED | FLOOR},
    {"classic cloth, colored", CLOTH, CLASSIC, COLORED, .iterations = 4, HANGING},
    {"ball of air, graph", AIR, .props = FLOOR | SPINNING},
    {"ball of air, launches, three iterations", AIR, EACH, .iterations = 3,
     .props = PINNED | FLOOR},
    {"ball of air, phantom", AIR, PHANTOM, .damping = 1e-3, .props = FLOOR},
    {"double, ball of air", AIR, EXACT, .iterations = 2, .props = BALL | SPINNING},
    {"slack rope", .mesh = "rope:1:40", .slack = true, .props = FLOOR | SPINNING},
    {"slack rope, damped, colored", .mesh = "rope:1:40", COLORED, .slack = true, .damping = 1e-3,
     .iterations = 2, .props = PINNED | PULLED},
    {"edges and volume, patches", EDGES, PIECES, HANGING},
    {"hinged edges, patches", EDGES, PIECES, .hinged = true, HANGING},
    {"hinged edges by angle, one patch, by type", EDGES, CLASSIC, ANGLE, WHOLE, .hinged = true,
     .by_type = true, .iterations = 4, .props = FLOOR},
    {"edges by type, few colors", EDGES, PIECES, .patch_colors = 12, .by_type = true, HANGING},
    {"edges by type, phantoms", EDGES, PHANTOM, .by_type = true, .props = FLOOR},
    {"cloth by type, patches", CLOTH, PIECES, .by_type = true, .stiff_area = true, HANGING},
    {"edges and volume, damped, colored", EDGES, COLORED, .damping = 1e-3, .props = FLOOR},
    {"classic edges, five iterations", EDGES, CLASSIC, PIECES, .iterations = 5, .props = FLOOR},
    {"double, cloth by angle", CLOTH, ANGLE, PIECES, EXACT, .damping = 1e-3, .stiff_area = true,
     .props = BALL | SPINNING},
    {"double, classic edges, colored", EDGES, CLASSIC, COLORED, EXACT, .iterations = 3, HANGING},

    // rest shapes that flow
    {"plastic, one patch", TEN, WHOLE, .yield = 300, HANGING},
    {"plastic, patches", TEN, PIECES, .yield = 300, .props = OBSTACLES | SPINNING},
    {"plastic, ordered patches", TWO, ORDERED, .yield = 300, HANGING},
    {"plastic, damped, three iterations", TEN, PIECES, .yield = 300, .damping = 1e-3,
     .iterations = 3, HANGING},
    {"plastic pair, damped", PAIR, PIECES, .yield = 300, .damping = 1e-3, HANGING},
    {"plastic nodes", NODES, WHOLE, .yield = 300, .props = FLOOR | SPINNING},
    {"plastic, colored, graph", TEN, COLORED, .yield = 300, HANGING},
    {"plastic, clustered, damped, launches", TWO, CLUSTERED, EACH, .yield = 300, .damping = 1e-3,
     HANGING},
    {"plastic, phantom", TEN, PHANTOM, .yield = 300, HANGING},
    {"plastic, jacobi, damped", PAIR, JACOBI, .yield = 300, .damping = 1e-3, HANGING},
    {"plastic in part", TEN, PIECES, .yield = 300, .stiffer = true, HANGING},
    {"plastic in part, colored", TWO, COLORED, .yield = 300, .stiffer = true, HANGING},
    {"plastic, BDF2", TEN, PIECES, SECOND, .yield = 300, .props = PINNED | FLOOR},
    {"plastic, a kilometer away", TEN, PIECES, .far = 1000, .yield = 300, .props = FLOOR | HELD},
    {"plastic, bodies of many kinds", TEN, PIECES, .yield = 300,
     .props = COMPANY | FLOOR | SPINNING},
    {"plastic, double", TEN, PIECES, EXACT, .yield = 300, .props = OBSTACLES | SPINNING},
    {"plastic, double, colored", NODES, COLORED, EXACT, .yield = 300, HANGING},

    // integrators
    {"symplectic Euler, patches", TEN, PIECES, .integrator = PLIANT_INTEGRATOR_SYMPLECTIC_EULER,
     HANGING},
    {"Verlet with drag, colored", TEN, COLORED, .integrator = PLIANT_INTEGRATOR_VERLET,
     .drag = 0.01, HANGING},
    {"BDF2, one patch", TEN, WHOLE, SECOND, HANGING},
    {"BDF2, patches", TEN, PIECES, SECOND, .props = PINNED | FLOOR},
    {"BDF2, ordered patches, moving pin", TWO, ORDERED, SECOND, .props = PINNED | PULLED},
    {"BDF2, all obstacles, damped", TEN, PIECES, SECOND, .damping = 1e-3,
     .props = OBSTACLES | SPINNING},
    {"BDF2, all obstacles, iterations", TWO, PIECES, SECOND, .iterations = 3, .props = OBSTACLES},
    {"BDF2, colored, graph", TEN, COLORED, SECOND, .props = FLOOR | SPINNING},
    {"BDF2, pair, clustered, launches", PAIR, CLUSTERED, EACH, SECOND, HANGING},
    {"BDF2, phantom, damped", TEN, PHANTOM, SECOND, .damping = 1e-3, HANGING},
    {"BDF2, attachments that move", TEN, PIECES, SECOND, .props = HELD | TOWED | PUSHED},
    {"BDF2, cloth", CLOTH, PIECES, SECOND, .props = BALL | SPINNING},
    {"BDF2, classic edges", EDGES, CLASSIC, PIECES, SECOND, .iterations = 5, .props = FLOOR},
    {"BDF2, bodies of many kinds", TEN, PIECES, SECOND, .props = COMPANY | FLOOR | SPINNING},
    {"BDF2, large patches", TWO, .mesh = "beam:30x10x10", .patch_rows = 1536, .steps = 4, SECOND,
     .props = PINNED | FLOOR, .large = true},
    {"BDF2, double", TEN, PIECES, SECOND, EXACT, .props = OBSTACLES | SPINNING},

    // double precision
    {"double, patches", TEN, PIECES, EXACT, .props = OBSTACLES | SPINNING},
    {"double, one patch, damped", TWO, WHOLE, EXACT, .damping = 1e-3, .props = PINNED | FLOOR},
    {"double, ordered patches", TEN, ORDERED, EXACT, .iterations = 3, .props = PINNED | PULLED},
    {"double, colored", PAIR, COLORED, EXACT, .props = HELD | TOWED | FLOOR | PUSHED},
    {"double, clustered, launches", TEN, CLUSTERED, EACH, EXACT, HANGING},
    {"double, rope", .mesh = "rope:1:40", EXACT, .props = HELD | FLOOR},

    // what is free to turn
    {"hung, one patch", TEN, WHOLE, .props = HUNG | SPINNING},
    {"hung, patches", TWO, PIECES, .props = HUNG | SPINNING},
    {"hung, patches, second order", TEN, PIECES, SECOND, .props = HUNG},
    {"hung, ordered patches, iterations", TEN, ORDERED, .iterations = 3, .props = HUNG},
    {"hung, colored, iterations", TEN, COLORED, .iterations = 2, .props = HUNG | SPINNING},
    {"hung cloth", CLOTH, PIECES, .props = HUNG},
    {"hung rope", .mesh = "rope:1:40", .props = HUNG},
    {"hinged, one patch", TEN, WHOLE, .props = HINGED},
    {"hinged, patches, damped", TEN, PIECES, .damping = 1e-3, .props = HINGED},
    {"hinged, colored, second order", TEN, COLORED, SECOND, .props = HINGED},
    {"hinged, phantom", TEN, PHANTOM, .props = HINGED},
    {"spinning, patches, iterations", TEN, PIECES, .iterations = 3, .props = SPINNING},
    {"spinning, double, jacobi", TEN, JACOBI, EXACT, .props = SPINNING},
    {"rolling, one patch", TEN, WHOLE, .props = ROLLING | FLOOR},
    {"rolling, patches, second order", TEN, PIECES, SECOND, .props = ROLLING | SPINNING},
    {"rolling, colored, iterations", TEN, COLORED, .iterations = 2, .props = ROLLING | HELD},

    // starting inside of colliders
    {"buried, one patch", TEN, WHOLE, .props = FLOOR | BURIED},
    {"buried, patches, second order", TEN, PIECES, SECOND, .props = OBSTACLES | BURIED},
    {"buried, colored, graph", TEN, COLORED, .props = FLOOR | BALL | BURIED},
    {"buried company", TEN, PIECES, .props = FLOOR | COMPANY | BURIED},
    {"squeezed, one patch", TEN, WHOLE, .props = FLOOR | LID},
    {"squeezed, patches, damped", TEN, PIECES, .damping = 1e-3, .props = FLOOR | LID},
    {"squeezed, colored, launches", TEN, COLORED, EACH, .props = FLOOR | LID},
    {"squeezed, double, second order", TEN, PIECES, EXACT, SECOND, .props = FLOOR | LID | PINNED},
};
enum { CUDA_SCENES = sizeof cuda_scenes / sizeof cuda_scenes[0] };

#undef TEN
#undef TWO
#undef PAIR
#undef NODES
#undef WHOLE
#undef PIECES
#undef ORDERED
#undef COLORED
#undef CLUSTERED
#undef EACH
#undef EULER
#undef SECOND
#undef EXACT
#undef HANGING
#undef CLOTH
#undef ANGLE
#undef EDGES
#undef CLASSIC

static inline const scene* scene_named(const char* name)
{
    for (int i = 0; i < CUDA_SCENES; ++i)
        if (strcmp(cuda_scenes[i].name, name) == 0) return &cuda_scenes[i];
    fail_msg("no scene %s", name);
    return NULL;
}

// Of its state, and of what colliders and attachments did in the last step.
static inline uint64_t digest_of_stage(const stage* s)
{
    unsigned props = s->cast->scene->props;
    uint64_t digest = get_digest(s->world);
    if (props & MOVING) digest = hash_mix(digest, digest_of_loads(s->world));
    if (!(props & HELD)) return digest;
    pliant_attachment_info held = get_attachment(s->world, s->held);
    return hash_bytes(digest, held.force, sizeof held.force);
}

static inline uint64_t digest_of_scene(const cast* c, pliant_backend backend)
{
    stage s = open_stage(c, backend);
    play(&s, 0, scene_steps(c->scene));
    uint64_t digest = digest_of_stage(&s);
    pliant_world_destroy(s.world);
    return digest;
}
