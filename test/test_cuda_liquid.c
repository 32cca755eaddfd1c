// Liquids on a GPU: the same bits as on the processor. Without a GPU all of it is skipped.
#define body world_content // its name is in the tests' own headers, too
#include "flowing.h"
#include "world/liquid.h"
#undef body
#include "cuda_scenes.h"
#include "failing.h"
#include "rigid_bodies.h"

#define SPACING 0.02 // [m]

// What is in the tank beside the liquids.
enum {
    MOVES = 1,
    SHAPES = 2,
    MANY = 4,
    SOLIDS = 8,
    PINS = 16,
    AXES = 32,
    COMES = 64,
    TENSE = 128,
    CLASSIC = 256,
    WHIRLS = 512
};

typedef struct {
    const char* name;
    int props;
    int steps, substeps, iterations;
    double viscosity; // [Pa s] of the upper liquid
    pliant_precision precision;
    pliant_launch_mode mode;
    int room;   // of lists at first; 0: as usual
    bool fresh; // lists are made anew in every step
} manner;

#define EACH  .mode = PLIANT_LAUNCH_MODE_EACH
#define EXACT .precision = PLIANT_PRECISION_DOUBLE

static const manner manners[] = {
    {"two liquids", .steps = 6, .substeps = 6, .iterations = 1, .viscosity = 0.5},
    {"long substeps, many neighbors", .steps = 2, .substeps = 1, .iterations = 1, .viscosity = 0.5},
    {"no room for lists", .steps = 3, .substeps = 4, .iterations = 1, .viscosity = 0.5, .room = 3},
    {"walls of all shapes", .props = SHAPES | MOVES, .steps = 4, .substeps = 4, .iterations = 2,
     .viscosity = 0.5},
    {"other bodies", .props = SOLIDS | MOVES, .steps = 5, .substeps = 4, .iterations = 2,
     .viscosity = 0.5},
    {"surface tension", .props = TENSE, .steps = 3, .substeps = 5, .iterations = 2,
     .viscosity = 0.5},
    {"honey, double", .steps = 3, .substeps = 4, .iterations = 2, .viscosity = 20, EXACT},
    {"particles that are held", .props = PINS | AXES, .steps = 3, .substeps = 4, .iterations = 2,
     .viscosity = 0.5},
    {"particles that come", .props = COMES, .steps = 4, .substeps = 4, .iterations = 1,
     .viscosity = 0.5},
    {"three iterations", .steps = 3, .substeps = 4, .iterations = 3, .viscosity = 0.001, EACH},
    {"lists anew", .steps = 3, .substeps = 4, .iterations = 2, .viscosity = 2, .fresh = true},
    {"no room, other bodies", .props = SOLIDS, .steps = 3, .substeps = 4, .iterations = 1,
     .viscosity = 0.5, .room = 3},
    {"surface tension, thin, classic", .props = TENSE | CLASSIC | WHIRLS, .steps = 3, .substeps = 5,
     .iterations = 1, .viscosity = 0.0001, EACH},
    {"surface tension, double", .props = TENSE | MOVES | WHIRLS, .steps = 3, .substeps = 4,
     .iterations = 1, .viscosity = 2, EXACT},
    {"vorticity", .props = WHIRLS, .steps = 3, .substeps = 4, .iterations = 2, .viscosity = 0.0001},
    {"many walls", .props = MANY | SHAPES, .steps = 3, .substeps = 4, .iterations = 1,
     .viscosity = 0.5},
    {"walls of all shapes, double", .props = SHAPES, .steps = 3, .substeps = 3, .iterations = 1,
     .viscosity = 2, EXACT},
};
enum { MANNERS = sizeof manners / sizeof *manners };

// ---- scenes -------------------------------------------------------------------------------------

static pliant_body_id add_liquid(pliant_world* world, const manner* m, bool upper)
{
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_body_def at = pliant_body_defaults();
    pliant_mesh* mesh = flowing_grid((int[3]){7, upper ? 3 : 5, 4}, SPACING, 0.2);
    soft.liquid.spacing = SPACING;
    soft.liquid.viscosity = upper ? m->viscosity : 0.001;
    soft.material.density = upper ? 700 : 1000;
    if (m->props & TENSE && !upper) soft.liquid.surface_tension = 0.5;
    if (m->props & TENSE) soft.liquid.adhesion = 0.2;
    soft.liquid.slips = m->props & TENSE && upper;
    soft.liquid.classic = m->props & CLASSIC;
    if (m->props & WHIRLS) soft.liquid.vorticity = 0.05;
    soft.solver.precision = m->precision;
    if (m->props & COMES) soft.capacity = 200;
    at.position[1] = upper ? 0.11 : 0;
    at.velocity = vec(upper ? 0.5 : 0, upper ? -2 : 0, 0);
    pliant_body_id id = new_soft(world, mesh, &soft, &at);
    pliant_mesh_destroy(mesh);
    return id;
}

static pliant_collider_id add_shape(pliant_world* world, pliant_collider_def* def)
{
    pliant_collider_id id = {0, 0};
    CHECK_OK(pliant_world_add_collider(world, def, &id));
    return id;
}

// A box without a lid; one of its sides leans and comes in. Returns its floor.
static pliant_collider_id add_tank(pliant_world* world, const manner* m)
{
    static const int sides[5][2] = {{0, 0}, {0, 1}, {2, 0}, {2, 1}, {1, 0}}, count[] = {10, 8, 4};
    pliant_collider_id made = {0, 0};
    for (int i = 0; i < 5; ++i) {
        pliant_collider_def def = pliant_collider_defaults();
        int axis = sides[i][0];
        def.shape = PLIANT_SHAPE_BOX;
        def.half_extents = vec(1, 1, 1);
        def.measure_force = true;
        for (int k = 0; k < 3; ++k) def.position[k] = SPACING * count[k] / 2;
        def.position[axis] = sides[i][1] ? SPACING * count[axis] + 1 : -1;
        made = add_shape(world, &def);
        if (i == 1 && m->props & MOVES) {
            CHECK_OK(pliant_collider_set_velocity(world, made, vec(-0.4, 0, 0), vec(0, 0.3, 0.5)));
        }
    }
    return made;
}

static void add_shapes(pliant_world* world, const manner* m)
{
    for (int i = 0; i < 5; ++i) {
        static const pliant_shape shapes[] = {PLIANT_SHAPE_SPHERE, PLIANT_SHAPE_CAPSULE,
                                              PLIANT_SHAPE_MESH, PLIANT_SHAPE_CONVEX,
                                              PLIANT_SHAPE_TRIANGLES};
        pliant_collider_def def = pliant_collider_defaults();
        pliant_mesh* mesh = NULL;
        def.shape = shapes[i];
        def.radius = 0.03f;
        def.half_height = 0.02f;
        def.measure_force = i % 2 == 0;
        def.position[0] = 0.03 + 0.045 * i;
        def.position[1] = 0.05 + 0.02 * i;
        def.position[2] = 0.05;
        if (i == 4) def.thickness = 0.01f;
        if (i >= 2) mesh = generate(i == 4 ? "cloth:3x3:0.06x0.06" : "sphere:0.03:4");
        def.mesh = mesh;
        pliant_collider_id id = add_shape(world, &def);
        if (m->props & MOVES && i % 2)
            CHECK_OK(pliant_collider_set_velocity(world, id, vec(0, 0.2, 0.1), vec(1, 0, 2)));
        pliant_mesh_destroy(mesh);
    }
    for (int i = 0; i < 40 && m->props & MANY; ++i) {
        pliant_collider_def def = pliant_collider_defaults();
        def.shape = PLIANT_SHAPE_SPHERE;
        def.radius = 0.008f;
        for (int k = 0; k < 3; ++k)
            def.position[k] = 0.02 + 0.05 * (k == 0 ? i % 5 : k == 1 ? i / 5 % 4 : i / 20);
        add_shape(world, &def);
    }
}

static void add_solids(pliant_world* world)
{
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_body_def at = body_at(0.06, 0.3, 0.05);
    pliant_mesh* mesh = generate("brick:0.06x0.06x0.04");
    soft.rigid = true;
    soft.material.density = 500;
    at.velocity = vec(0, -1, 0);
    at.immersion.by = PLIANT_IMMERSION_CONTACTS; // a GPU knows nothing else
    new_soft(world, mesh, &soft, &at);
    pliant_mesh_destroy(mesh);
    soft = pliant_soft_defaults();
    mesh = generate("cloth:8x6:0.16x0.09");
    at = body_at(0.14, 0.18, 0.05);
    at.immersion.by = PLIANT_IMMERSION_CONTACTS;
    new_soft(world, mesh, &soft, &at);
    pliant_mesh_destroy(mesh);
}

typedef struct {
    pliant_world* world;
    pliant_body_id liquid[2];
    pliant_collider_id floor;
} tank;

static tank open_tank(const manner* m, pliant_backend backend)
{
    tank t = {.world = NULL};
    pliant_world_def def = pliant_world_defaults();
    def.backend = backend;
    def.threads = 2;
    def.launch_mode = m->mode;
    def.substeps = m->substeps;
    def.iterations = m->iterations;
    CHECK_OK(pliant_world_create(&def, &t.world));
    t.world->flowing.system.room = m->room;
    for (int i = 0; i < 2; ++i) t.liquid[i] = add_liquid(t.world, m, i);
    t.floor = add_tank(t.world, m);
    if (m->props & (SHAPES | MANY)) add_shapes(t.world, m);
    if (m->props & SOLIDS) add_solids(t.world);
    for (int i = 0; i < 30 && m->props & PINS; i += 7)
        CHECK_OK(pliant_body_pin(t.world, t.liquid[0], i));
    for (int i = 40; i < 80 && m->props & AXES; i += 3)
        CHECK_OK(pliant_body_pin_axes(t.world, t.liquid[0], i, 1 << i % 3));
    return t;
}

static void step_tank(tank* t, const manner* m, int step)
{
    if (m->props & COMES && step % 2 == 1) {
        const double at[] = {0.05, 0.25, 0.05, 0.09, 0.25, 0.05};
        pliant_particles_def more = pliant_particles_defaults();
        more.count = 2;
        more.positions = at;
        CHECK_OK(pliant_body_add_particles(t->world, t->liquid[1], &more, NULL));
    }
    if (m->fresh) t->world->flowing.system.listed = !(t->world->flowing.anew = true);
    run(t->world, 1, 1.0 / 60);
}

// ---- the same bits ------------------------------------------------------------------------------

static void check_pressures(const manner* m, const tank* here, const tank* there, int step)
{
    enum { MOST = 200 };
    static float a[MOST], b[MOST];
    for (int i = 0; i < 2; ++i) {
        memset(a, 0, sizeof a);
        memset(b, 0, sizeof b);
        CHECK_OK(pliant_body_read_pressures(here->world, here->liquid[i], a, MOST));
        CHECK_OK(pliant_body_read_pressures(there->world, there->liquid[i], b, MOST));
        for (int k = 0; k < MOST; ++k)
            if (a[k] != b[k])
                fail_msg("%s: pressure %d of liquid %d is %g Pa instead of %g by step %d", m->name,
                         k, i, (double)b[k], (double)a[k], step);
    }
}

static void check_forces(const manner* m, const tank* here, const tank* there, int step)
{
    double a[6], b[6];
    CHECK_OK(pliant_collider_force(here->world, here->floor, a, a + 3));
    CHECK_OK(pliant_collider_force(there->world, there->floor, b, b + 3));
    for (int k = 0; k < 6; ++k)
        if (a[k] != b[k])
            fail_msg("%s: number %d of what presses the floor is %g instead of %g by step %d",
                     m->name, k, b[k], a[k], step);
}

static void check_manner(const manner* m)
{

    tank here = open_tank(m, PLIANT_BACKEND_CPU), there = open_tank(m, PLIANT_BACKEND_CUDA);
    for (int step = 1; step <= m->steps; ++step) {
        step_tank(&here, m, step);
        step_tank(&there, m, step);
        if (step % 2 && step < m->steps) continue; // several steps on their way
        check_pressures(m, &here, &there, step);
        check_forces(m, &here, &there, step);
        if (get_digest(here.world) != get_digest(there.world))
            fail_msg("%s: other bits by step %d", m->name, step);
    }
    pliant_world_destroy(here.world);
    pliant_world_destroy(there.world);
}

static void liquids_have_the_bits_of_the_processor(void** unused)
{
    (void)unused;
    need_gpu();
    for (int i = 0; i < MANNERS; ++i)
        if (i < by_scope(7, MANNERS, MANNERS)) check_manner(&manners[i]);
}

static void lists_last_for_some_substeps(void** unused)
{
    (void)unused;
    need_gpu();
    const manner m = {"lists", .substeps = 10, .iterations = 2, .viscosity = 0.5};
    tank t = open_tank(&m, PLIANT_BACKEND_CUDA);
    fluid_figures did;
    run(t.world, 8, 1.0 / 240);
    CHECK_OK(world_liquid_figures(t.world, &did));
    CHECK_BETWEEN(did.lists, 1, 40);                                // of 80 substeps
    CHECK_BETWEEN((double)did.neighbors / (7 * 8 * 4), 15.0, 80.0); // of each particle
    assert_true(did.list > 0 && did.press > 0 && did.push > 0 && did.walls > 0 && did.rest > 0);
    pliant_world_destroy(t.world);
}

// ---- between here and there ---------------------------------------------------------------------

static void a_snapshot_goes_on_on_the_other_side(void** unused)
{
    (void)unused;
    need_gpu();
    const manner m = {"snapshot", .substeps = 4, .iterations = 1, .viscosity = 0.5};
    tank there = open_tank(&m, PLIANT_BACKEND_CUDA);
    run(there.world, 3, 1.0 / 60);
    size_t bytes = pliant_world_snapshot_size(there.world);
    void* data = malloc(bytes);
    CHECK_OK(pliant_world_snapshot_save(there.world, data, bytes));
    run(there.world, 3, 1.0 / 60);
    for (int i = 0; i < 2; ++i) {
        tank other = open_tank(&m, i ? PLIANT_BACKEND_CUDA : PLIANT_BACKEND_CPU);
        run(other.world, 1, 1.0 / 60);
        CHECK_OK(pliant_world_snapshot_restore(other.world, data, bytes));
        run(other.world, 3, 1.0 / 60);
        if (get_digest(other.world) != get_digest(there.world))
            fail_msg("backend %d: other bits after a snapshot", i);
        pliant_world_destroy(other.world);
    }
    free(data);
    pliant_world_destroy(there.world);
}

static void liquids_of_two_backends_are_refused(void** unused)
{
    (void)unused;
    need_gpu();
    pliant_world* world = NULL;
    pliant_world_def def = pliant_world_defaults();
    pliant_soft_def soft = pliant_soft_defaults();
    const pliant_body_def at = pliant_body_defaults();
    pliant_mesh* mesh = flowing_grid((int[3]){2, 2, 2}, SPACING, 0.2);
    soft.liquid.spacing = SPACING;
    def.contacts = false;
    CHECK_OK(pliant_world_create(&def, &world));
    for (int i = 0; i < 2; ++i) {
        soft.solver.target_backend = i ? PLIANT_BACKEND_CUDA : PLIANT_BACKEND_CPU;
        new_soft(world, mesh, &soft, &at);
    }
    assert_int_equal(pliant_world_step(world, 0.01f), PLIANT_ERROR_UNSUPPORTED);
    assert_non_null(
        strstr(pliant_error_text(), "all liquids and gases of a world need the same backend"));
    pliant_mesh_destroy(mesh);
    pliant_world_destroy(world);
}

// From the asset to the second step.
static pliant_result step_drops(const void* context)
{
    pliant_asset* asset = NULL;
    pliant_world* world = NULL;
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_world_def def = pliant_world_defaults();
    const pliant_body_def at = pliant_body_defaults();
    soft.liquid.spacing = SPACING;
    def.substeps = 2;
    def.threads = 1;
    def.backend = PLIANT_BACKEND_CUDA;
    pliant_result result = pliant_asset_create((const pliant_mesh*)context, &soft, &asset);
    if (!result) result = pliant_world_create(&def, &world);
    if (!result) result = pliant_world_add_body(world, asset, &at, NULL);
    for (int i = 0; i < 2 && !result; ++i) result = pliant_world_step(world, 0.01f);
    pliant_world_destroy(world);
    pliant_asset_destroy(asset);
    return result;
}

static void every_allocation_may_fail(void** unused)
{
    (void)unused;
    need_gpu();
    pliant_mesh* mesh = flowing_grid((int[3]){3, 3, 3}, SPACING, 0.2);
    CHECK_BETWEEN(check_some_failures(step_drops, mesh, by_scope(7, 3, 1)), 20, 10000);
    pliant_mesh_destroy(mesh);
}

int main(void)
{
    pliant_set_log(NULL, NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(liquids_have_the_bits_of_the_processor),
        cmocka_unit_test(lists_last_for_some_substeps),
        cmocka_unit_test(a_snapshot_goes_on_on_the_other_side),
        cmocka_unit_test(liquids_of_two_backends_are_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
