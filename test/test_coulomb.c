// Friction of an impact: mu times the whole impulse along the normal, (1 + e) times the speed of
// approach, whatever is hit, and wherever between two substeps the impact is.
#include "scene.h"

typedef struct {
    double friction, restitution;
    double height;    // [m] at which the particle starts: the phase of the impact
    double stick;     // [-] static friction, where it is more
    pliant_vec3 belt; // [m/s] velocity of the surface
    int substeps;     // 0: chosen
    pliant_integrator integrator;
} throw_def;

typedef enum {
    ON_PLANE,
    ON_BOX,
    ON_CONVEX,
    ON_FIELD,
    ON_TRIANGLES,
    ON_SURFACE, // of a box that is always met by its triangles
    ON_BODY,    // that is pinned
    ON_KINDS
} kind_of_ground;
static const char* const NAME[] = {"plane",     "box",     "convex", "field",
                                   "triangles", "surface", "body"};
static const double RADIUS = 0.05, ACROSS = 4, DOWN = 2; // [m, m/s, m/s]

static void put_body(pliant_world* world, const throw_def* from)
{
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_body_def def = pliant_body_defaults();
    def.position[0] = def.position[2] = -5;
    def.position[1] = -0.5;
    def.contact.static_friction = def.contact.dynamic_friction = (float)from->friction;
    def.contact.restitution = (float)from->restitution;
    pliant_mesh* mesh = generate("box6:20x1x20:0.5");
    pliant_body_id id = new_soft(world, mesh, &soft, &def);
    pliant_mesh_destroy(mesh);
    for (int i = 0; i < pliant_body_particle_count(world, id); ++i)
        CHECK_OK(pliant_body_pin(world, id, i));
}

// Its top is at the height 0.
static void put_ground(pliant_world* world, kind_of_ground kind, const throw_def* from)
{
    pliant_collider_def def = pliant_collider_defaults();
    pliant_mesh* mesh = NULL;
    if (kind == ON_BODY) {
        put_body(world, from);
        return;
    }
    def.dynamic_friction = (float)from->friction;
    def.static_friction = (float)fmax(from->friction, from->stick);
    def.restitution = (float)from->restitution;
    def.surface_velocity = from->belt;
    if (kind == ON_PLANE) {
        new_collider(world, &def);
        return;
    }
    if (kind == ON_BOX || kind == ON_SURFACE) {
        def.shape = PLIANT_SHAPE_BOX;
        def.half_extents = vec(5, 0.5, 5);
        def.position[1] = -0.5;
    } else {
        mesh = generate(kind == ON_TRIANGLES ? "cloth:20x20:10x10" : "box6:10x1x10:1");
        def.shape = kind == ON_CONVEX  ? PLIANT_SHAPE_CONVEX
                    : kind == ON_FIELD ? PLIANT_SHAPE_MESH
                                       : PLIANT_SHAPE_TRIANGLES;
        if (kind != ON_TRIANGLES) def.position[0] = def.position[2] = -5;
        if (kind != ON_TRIANGLES) def.position[1] = -1;
        def.mesh = mesh;
    }
    if (kind == ON_SURFACE) def.surface_contacts = PLIANT_SURFACE_CONTACTS_ALWAYS;
    if (!new_collider(world, &def).index1) fail_msg("%s", pliant_error_text());
    if (mesh) pliant_mesh_destroy(mesh);
}

static pliant_body_id throw_particle(pliant_world* world, const throw_def* from)
{
    const double at[3] = {-3, from->height, 0.01};
    pliant_mesh_arrays arrays = {0};
    arrays.vertices = at;
    arrays.vertex_radius = &RADIUS;
    arrays.vertex_count = 1;
    pliant_mesh* mesh = NULL;
    CHECK_OK(pliant_mesh_create(&arrays, &mesh));
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_body_def def = pliant_body_defaults();
    soft.solver.integrator = from->integrator;
    def.velocity = vec(ACROSS, -DOWN, 0);
    def.contact.static_friction = def.contact.dynamic_friction = (float)from->friction;
    def.contact.restitution = (float)from->restitution;
    pliant_body_id id = new_soft(world, mesh, &soft, &def);
    if (!id.index1) fail_msg("%s", pliant_error_text());
    pliant_mesh_destroy(mesh);
    return id;
}

// Its velocity when all is over [m/s].
static place throw_at(kind_of_ground kind, const throw_def* from)
{
    pliant_world* world = make_still_world(from->substeps, 1);
    put_ground(world, kind, from);
    pliant_body_id id = throw_particle(world, from);
    run(world, 24, 1 / 60.0);
    motion m = measure_motion(world, id);
    place out = {{m.velocity[0], m.velocity[1], m.velocity[2]}};
    pliant_world_destroy(world);
    return out;
}

static void check_velocity(const char* name, const throw_def* from, place found, double x, double y)
{
    const double wanted[3] = {x, y, 0};
    for (int k = 0; k < 3; ++k)
        if (!(fabs(found.x[k] - wanted[k]) < 2e-3))
            fail_msg("%s, friction %g, restitution %g, height %g, %d substeps, integrator %d: %.4f "
                     "%.4f %.4f m/s, not %.4f %.4f 0",
                     name, from->friction, from->restitution, from->height, from->substeps,
                     (int)from->integrator, found.x[0], found.x[1], found.x[2], x, y);
}

static void check_coulomb(kind_of_ground kind, const throw_def* from)
{
    double lost = from->friction * (1 + from->restitution) * DOWN;
    check_velocity(NAME[kind], from, throw_at(kind, from), ACROSS - lost, from->restitution * DOWN);
}

static void friction_is_of_the_whole_impulse(void** unused)
{
    (void)unused;
    for (int kind = 0; kind < ON_KINDS; ++kind)
        for (int i = 0; i < by_scope(2, 5, 9); ++i) {
            throw_def def = {.friction = 0.2, .height = 0.3 + 0.0037 * i};
            check_coulomb((kind_of_ground)kind, &def);
        }
}

static void friction_is_of_what_is_given_back_too(void** unused)
{
    (void)unused;
    for (int kind = 0; kind < ON_KINDS; ++kind)
        for (int i = 0; i < by_scope(1, 3, 6); ++i) {
            throw_def def = {.friction = 0.2, .height = 0.3 + 0.0037 * i, .restitution = 1};
            check_coulomb((kind_of_ground)kind, &def);
            def.restitution = 0.5;
            def.substeps = 50;
            check_coulomb((kind_of_ground)kind, &def);
            def.friction = 0;
            check_coulomb((kind_of_ground)kind, &def);
        }
}

static void every_integrator_has_the_friction_of_impacts(void** unused)
{
    (void)unused;
    static const pliant_integrator all[] = {
        PLIANT_INTEGRATOR_FORESIGHT, PLIANT_INTEGRATOR_IMPLICIT_EULER,
        PLIANT_INTEGRATOR_SYMPLECTIC_EULER, PLIANT_INTEGRATOR_VERLET, PLIANT_INTEGRATOR_BDF2};
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
        for (int k = 0; k < by_scope(1, 3, 5); ++k) {
            throw_def def = {
                .friction = 0.2, .height = 0.3 + 0.0037 * k, .integrator = all[i], .substeps = 5};
            check_coulomb(ON_PLANE, &def);
            check_coulomb(ON_SURFACE, &def);
            def.restitution = 1;
            check_coulomb(ON_PLANE, &def);
        }
}

// No more than stops the slip against the surface, which a belt moves.
static void friction_stops_and_carries_along(void** unused)
{
    (void)unused;
    for (int kind = 0; kind < ON_BODY; ++kind) {
        throw_def rough = {.friction = 3, .height = 0.3, .restitution = 0.5};
        check_velocity(NAME[kind], &rough, throw_at((kind_of_ground)kind, &rough), 0, 1);
        rough.belt = vec(1.5f, 0, 0);
        check_velocity(NAME[kind], &rough, throw_at((kind_of_ground)kind, &rough), 1.5, 1);
        if (kind >= ON_TRIANGLES)
            continue; // an impact there is of two substeps, each with its limit
        throw_def smooth = {.friction = 0.1, .stick = 10, .height = 0.3, .belt = vec(20, 0, 0)};
        place found = throw_at((kind_of_ground)kind, &smooth);
        check_velocity(NAME[kind], &smooth, found, 20, 0); // by what sticks
        smooth.stick = 0;
        found = throw_at((kind_of_ground)kind, &smooth);
        check_velocity(NAME[kind], &smooth, found, ACROSS + 0.1 * DOWN, 0);
    }
}

int main(void)
{
    pliant_set_log(NULL, NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(friction_is_of_the_whole_impulse),
        cmocka_unit_test(friction_is_of_what_is_given_back_too),
        cmocka_unit_test(every_integrator_has_the_friction_of_impacts),
        cmocka_unit_test(friction_stops_and_carries_along),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
