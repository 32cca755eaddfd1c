// The same bits from every compiler, at every width, with any number of threads and on every
// machine: digests that are written down. A change of the arithmetic changes them: then take the
// new ones from the message, when all other tests pass.
//
//     test_golden LANES [SHARE SHARES]
//
// prints NAME=DIGEST for all of them at that width, or for one of so many shares: 0, 1 ...
#include "carried.h"
#include "cuda_table.h"
#include "rigid_scenes.h"
#include "skin_hash.h"
#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#endif

typedef struct {
    int lanes, threads;
} manner;

typedef uint64_t find_fn(manner m);

typedef struct {
    const char*
        name; // of a scene of cuda_table.h or rigid_scenes.h, unless `find` finds the digest
    uint64_t digest;
    find_fn* find;
} golden;

// ---- scenes -------------------------------------------------------------------------------------

static pliant_world_def world_def_of(manner m, int substeps)
{
    pliant_world_def def = pliant_world_defaults();
    def.backend = PLIANT_BACKEND_CPU;
    def.lanes = m.lanes;
    def.threads = m.threads;
    def.substeps = substeps;
    return def;
}

static uint64_t digest_of_rigid(const rigid_scene* s, manner m)
{
    pliant_world* world = open_rigid_scene(s, world_def_of(m, 0), NULL);
    run(world, 15, 1.0 / 60);
    uint64_t digest = get_digest(world);
    pliant_world_destroy(world);
    return digest;
}

static uint64_t digest_of_named(const char* name, manner m)
{
    const rigid_scene* rigid = rigid_scene_named(name);
    if (rigid) return digest_of_rigid(rigid, m);
    cast c = make_cast(scene_named(name));
    c.lanes = m.lanes;
    c.threads = m.threads;
    uint64_t digest = digest_of_scene(&c, PLIANT_BACKEND_CPU);
    release_cast(&c);
    return digest;
}

// ---- skins and batches --------------------------------------------------------------------------

static void add_floor(pliant_world* world)
{
    pliant_collider_def floor = pliant_collider_defaults();
    floor.restitution = 0.3f;
    floor.rotation = (pliant_quat){0.1f, 0, 0.05f, 1};
    add_obstacle(world, &floor);
}

// A surface that is a little larger than the tets which carry it.
static carried make_carried(manner m)
{
    carried c = {.surface = surface_of("torus:0.4:0.16:10")};
    pliant_world_def def = world_def_of(m, 8);
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_skin_def skin = pliant_skin_defaults();
    soft.material.young = 1e5;
    CHECK_OK(pliant_world_create(&def, &c.world));
    add_floor(c.world);
    c.body[0] = add_soft(c.world, generate("torus:0.4:0.15:4"), &soft, 0.2);
    skin.surface = c.surface;
    skin.bodies = c.body;
    skin.body_count = 1;
    CHECK_OK(pliant_skin_create(c.world, &skin, &c.skin));
    return c;
}

static uint64_t digest_of_skin(manner m)
{
    carried c = make_carried(m);
    run(c.world, 10, 0.01);
    CHECK_OK(pliant_skin_update(c.skin));
    uint64_t hash = skin_hash(c.skin);
    drop(&c);
    return hash;
}

static uint64_t digest_of_batch(manner m)
{
    enum { WORLDS = 4 };
    pliant_world_def def = world_def_of(m, 6);
    pliant_batch* batch = NULL;
    uint64_t hash = HASH_SEED;
    CHECK_OK(pliant_batch_create(&def, &batch));
    for (int i = 0; i < WORLDS; ++i) {
        pliant_world* world = new_world_of(batch);
        pliant_soft_def soft = pliant_soft_defaults();
        soft.solver.schedule = i == 2 ? PLIANT_SCHEDULE_CLUSTERED : PLIANT_SCHEDULE_PATCHED;
        soft.solver.patch_rows = i == 1 ? 24 : 0;
        add_floor(world);
        add_soft(world, box_mesh((int[3]){3 + i, 2, 2}, 0.1, 0.1), &soft, 0.02 + 0.01 * i);
    }
    for (int i = 0; i < 15; ++i) CHECK_OK(pliant_batch_step(batch, 0.01f));
    for (int i = 0; i < WORLDS; ++i)
        hash = hash_mix(hash, get_digest(pliant_batch_world(batch, i)));
    pliant_batch_destroy(batch);
    return hash;
}

// Bodies of all kinds that touch each other, and themselves.
static void add_touching(pliant_world* world, const char* words, double x, double y, bool self)
{
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_body_def def = pliant_body_defaults();
    pliant_mesh* mesh = generate(words);
    soft.material.young = 1e5;
    soft.cloth.stretch = 200;
    def.position[0] = x;
    def.position[1] = y;
    def.velocity.y = -1;
    def.contact.self = self;
    def.contact.restitution = 0.3f;
    new_soft(world, mesh, &soft, &def);
    pliant_mesh_destroy(mesh);
}

static uint64_t digest_of_heap(manner m)
{
    pliant_world_def def = world_def_of(m, 20);
    pliant_world* world = NULL;
    CHECK_OK(pliant_world_create(&def, &world));
    add_floor(world);
    add_touching(world, "torus:0.2:0.08:3", 0, 0.12, false);
    add_touching(world, "sphere:0.1:4", 0.06, 0.32, false);
    add_touching(world, "cloth:6x6:0.4x0.4", 0, 0.44, true);
    add_touching(world, "rope:0.6:10", -0.3, 0.5, true);
    run(world, 15, 0.01);
    uint64_t digest = get_digest(world);
    pliant_world_destroy(world);
    return digest;
}

// A box on two ropes, of which one tears, and a cloth that is sewn to it.
static void join_at(pliant_world* world, pliant_body_id a, pliant_body_id b, double x, double y,
                    double breaking_force)
{
    pliant_joint_def def = pliant_joint_defaults();
    const double at[3] = {x, y, 0.1};
    CHECK_OK(pliant_body_find_joint_point(world, a, at, &def.point[0]));
    CHECK_OK(pliant_body_find_joint_point(world, b, at, &def.point[1]));
    def.breaking_force = breaking_force;
    def.compliance = x > 0 ? 1e-4 : 0;
    CHECK_OK(pliant_world_add_joint(world, &def, NULL));
}

static pliant_body_id add_apart(pliant_world* world, const char* words, double x, double y,
                                double z)
{
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_body_def def = pliant_body_defaults();
    pliant_mesh* mesh = generate(words);
    soft.material.young = 1e5;
    soft.cloth.stretch = 200;
    def.position[0] = x;
    def.position[1] = y;
    def.position[2] = z;
    def.contact.mask = 0;
    pliant_body_id id = new_soft(world, mesh, &soft, &def);
    pliant_mesh_destroy(mesh);
    return id;
}

static uint64_t digest_of_joints(manner m)
{
    pliant_world_def def = world_def_of(m, 15);
    pliant_world* world = NULL;
    CHECK_OK(pliant_world_create(&def, &world));
    pliant_body_id box = add_apart(world, "box6:4x2x2:0.1", 0, 0, 0),
                   left = add_apart(world, "rope:0.4:6", -0.4, 0.2, 0.1),
                   right = add_apart(world, "rope:0.4:6", 0.4, 0.2, 0.1),
                   cloth = add_apart(world, "cloth:6x6:0.3x0.3", 0.2, -0.002, 0.1);
    CHECK_OK(pliant_body_pin(world, left, 0));
    CHECK_OK(pliant_body_pin(world, right, 6));
    join_at(world, left, box, 0, 0.2, INFINITY);
    join_at(world, right, box, 0.4, 0.2, 40);
    pliant_joint_def sewn = pliant_joint_defaults();
    pliant_region half = pliant_region_defaults();
    half.max[0] = 0.21;
    sewn.point[0].body = cloth;
    sewn.point[1].body = box;
    CHECK_OK(pliant_world_sew(world, &sewn, &half, NULL));
    run(world, 15, 0.01);
    uint64_t digest = get_digest(world);
    pliant_world_destroy(world);
    return digest;
}

// Clusters of particles that fall, dent each other and carry a surface.
static uint64_t digest_of_clusters(manner m)
{
    pliant_world_def def = world_def_of(m, 8);
    pliant_skin_def skin_def = pliant_skin_defaults();
    pliant_body_id id[2];
    carried c = {.surface = surface_of("box6:4x4x4:0.1")};
    CHECK_OK(pliant_world_create(&def, &c.world));
    add_floor(c.world);
    for (int i = 0; i < 2; ++i) {
        pliant_soft_def soft = pliant_soft_defaults();
        pliant_body_def at = pliant_body_defaults();
        pliant_fill_def fill = pliant_fill_defaults();
        pliant_mesh *solid = generate("box6:4x4x4:0.1"), *particles = NULL;
        fill.spacing = 0.1;
        soft.clusters.stiffness = i ? 1 : 0.8;
        soft.clusters.spacing = i ? 0 : 0.2;
        soft.clusters.yield_strain = i ? 0 : 0.05;
        at.position[1] = 0.1 + 0.45 * i;
        at.velocity = vec(0.1, -2, 0);
        at.angular_velocity = vec(1, 0, 2);
        CHECK_OK(pliant_mesh_fill(solid, &fill, &particles));
        id[i] = new_soft(c.world, particles, &soft, &at);
        pliant_mesh_destroy(particles);
        pliant_mesh_destroy(solid);
    }
    skin_def.surface = c.surface;
    skin_def.bodies = id;
    CHECK_OK(pliant_skin_create(c.world, &skin_def, &c.skin));
    run(c.world, 20, 0.01);
    CHECK_OK(pliant_skin_update(c.skin));
    uint64_t hash = hash_mix(skin_hash(c.skin), get_digest(c.world));
    drop(&c);
    return hash;
}

// ---- numbers that become denormal ---------------------------------------------------------------

typedef struct {
    const char* mesh;
    double speed; // [m/s] of the particles, at random
    double force; // [N] on each of them
    double damping, drag;
    pliant_integrator integrator;
    pliant_schedule schedule;
    pliant_precision precision;
} slow_body;

static void push_at_random(pliant_world* world, pliant_body_id body, const slow_body* b)
{
    int count = pliant_body_particle_count(world, body);
    pliant_vec3* v = (pliant_vec3*)malloc((size_t)count * sizeof *v);
    random_source r = {7};
    for (int i = 0; i < count; ++i) {
        double in_ball[3];
        random_in_ball(&r, in_ball);
        v[i] = vec(b->speed * in_ball[0], b->speed * in_ball[1], b->speed * in_ball[2]);
        pliant_body_add_force(world, body, i, vec(b->force * in_ball[2], 0, b->force));
    }
    pliant_body_write_velocities(world, body, v, count);
    free(v);
}

static uint64_t hash_slow(uint64_t hash, const slow_body* b, manner m)
{
    pliant_world_def def = world_def_of(m, 5);
    pliant_world* world = NULL;
    pliant_soft_def soft = pliant_soft_defaults();
    def.gravity.y = 0;
    soft.material.damping = soft.cloth.damping = b->damping;
    soft.research.drag = b->drag;
    soft.solver.integrator = b->integrator;
    soft.solver.schedule = b->schedule;
    soft.solver.precision = b->precision;
    CHECK_OK(pliant_world_create(&def, &world));
    push_at_random(world, add_soft(world, generate(b->mesh), &soft, 0), b);
    for (int i = 0; i < 12; ++i) {
        CHECK_OK(pliant_world_step(world, 0.01f));
        hash = hash_mix(hash, get_digest(world));
    }
    pliant_world_destroy(world);
    return hash;
}

// Bodies whose velocities, forces, or squares of them, are below the normal numbers, or come there
// by drag and damping.
static uint64_t digest_of_slow(manner m)
{
    static const slow_body bodies[] = {
        {.mesh = "rope:1:60", .speed = 1e-22},
        {.mesh = "rope:1:60", .speed = 1e-36},
        {.mesh = "rope:1:60", .speed = 1e-39, .force = 1e-41},
        {.mesh = "rope:1:60", .speed = 1e-33, .drag = 0.2, .integrator = PLIANT_INTEGRATOR_VERLET},
        {.mesh = "rope:1:60",
         .speed = 1e-35,
         .damping = 1e-2,
         .integrator = PLIANT_INTEGRATOR_BDF2},
        {.mesh = "cloth:8x8:1x1", .speed = 1e-34, .damping = 1e-2},
        {.mesh = "cloth:8x8:1x1", .speed = 1e-20, .schedule = PLIANT_SCHEDULE_COLORED},
        {.mesh = "beam:5x2x2", .speed = 1e-37, .schedule = PLIANT_SCHEDULE_COLORED},
        {.mesh = "beam:5x2x2", .force = 1e-36, .damping = 1e-2},
        {.mesh = "rope:1:60", .speed = 1e-30, .precision = PLIANT_PRECISION_DOUBLE}};
    uint64_t hash = HASH_SEED;
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; ++i)
        hash = hash_slow(hash, &bodies[i], m);
    return hash;
}

// ---- choices ------------------------------------------------------------------------------------

// Of one mesh, for steps of many lengths.
static uint64_t hash_substeps(uint64_t hash, const char* words, const pliant_soft_def* soft)
{
    pliant_mesh* mesh = generate(words);
    pliant_asset* asset = NULL;
    CHECK_OK(pliant_asset_create(mesh, soft, &asset));
    for (float dt = 1e-4f; dt < 0.1f; dt *= 1.25f)
        hash = hash_mix(hash, (uint64_t)pliant_asset_substeps(asset, dt));
    pliant_asset_destroy(asset);
    pliant_mesh_destroy(mesh);
    return hash;
}

static uint64_t digest_of_substeps(manner m)
{
    (void)m;
    uint64_t hash = HASH_SEED;
    static const char* const words[] = {"beam:8x3x3", "torus:0.4:0.15:6", "cloth:14x14:0.6x0.6",
                                        "rope:1:40", "beam:22x16x16"}; // the last above 20 000 tets
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
        for (int f = PLIANT_FORMULATION_TEN_ROWS;
             f <= PLIANT_FORMULATION_EDGES_AND_VOLUME && (f == 0 || i < 1); ++f) {
            pliant_soft_def soft = pliant_soft_defaults();
            soft.solver.formulation = (pliant_formulation)f;
            soft.solver.schedule = PLIANT_SCHEDULE_COLORED;
            hash = hash_substeps(hash, words[i], &soft);
        }
    return hash;
}

// ---- tears --------------------------------------------------------------------------------------

// A sheet and a bar that fly apart.
static uint64_t digest_of_tears(manner m)
{
    static const char* const words[] = {"cloth:12x9:0.6x0.45", "beam:6x2x2"};
    pliant_world_def def = world_def_of(m, 10);
    pliant_world* world = NULL;
    pliant_soft_def soft = pliant_soft_defaults();
    soft.material.tear_strength = 1.2e5;
    soft.cloth.tear_strength = 90;
    soft.solver.patch_rows = 64;
    CHECK_OK(pliant_world_create(&def, &world));
    for (int i = 0; i < 2; ++i) {
        pliant_body_id id = add_soft(world, generate(words[i]), &soft, i);
        int count = pliant_body_particle_count(world, id);
        pliant_vec3* v = (pliant_vec3*)calloc((size_t)count, sizeof *v);
        place* x = read_places(world, id);
        for (int k = 0; k < count; ++k) v[k].x = (float)(8 * x[k].x[0] + x[k].x[1]);
        CHECK_OK(pliant_body_write_velocities(world, id, v, count));
        free(v);
        free(x);
    }
    run(world, 15, 1.0 / 120);
    uint64_t digest = get_digest(world);
    pliant_world_destroy(world);
    return digest;
}

// ---- meshes -------------------------------------------------------------------------------------

static uint64_t digest_of_generated(manner m)
{
    (void)m;
    static const char* const words[] = {"beam:5x3x2",          "box6:3x3x3:0.1", "sphere:0.5:8",
                                        "torus:0.4:0.15:6",    "blob:0.5:8:7",   "cylinder:0.5:2:6",
                                        "cloth:14x11:0.6x0.5", "rope:3:50"};
    uint64_t hash = HASH_SEED;
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i) {
        pliant_mesh* mesh = generate(words[i]);
        pliant_mesh_quality q = measure(mesh);
        const double measured[] = {q.volume, q.min_dihedral, q.max_dihedral};
        hash = hash_bytes(hash_mix(hash, hash_mesh(mesh)), measured, sizeof measured);
        pliant_mesh_destroy(mesh);
    }
    return hash;
}

static pliant_mesh* fill_surface(const char* words, int tets, int coarsening, int threads)
{
    pliant_mesh *surface = surface_of(words), *mesh = NULL;
    pliant_tet_def def = pliant_tet_defaults();
    def.tets = tets;
    def.coarsening = coarsening;
    def.threads = threads;
    CHECK_OK(pliant_mesh_tetrahedralize(surface, &def, &mesh, NULL));
    pliant_mesh_destroy(surface);
    return mesh;
}

static uint64_t digest_of_filled(manner m)
{
    static const char* const words[] = {"torus:0.4:0.15:8", "blob:0.5:12:7", "sphere:0.5:6"};
    uint64_t hash = HASH_SEED;
    for (int i = 0; i < 3; ++i) {
        pliant_mesh* mesh = fill_surface(words[i], 800, i == 1 ? 2 : 0, m.threads);
        hash = hash_mix(hash, hash_mesh(mesh));
        pliant_mesh_destroy(mesh);
    }
    return hash;
}

static uint64_t digest_of_repaired(manner m)
{
    (void)m;
    pliant_mesh* mesh = box_mesh((int[3]){4, 3, 3}, 0.1, 0.3);
    pliant_repair_def def = pliant_repair_defaults();
    def.min_dihedral = 20; // so that there is something to do
    CHECK_OK(pliant_mesh_repair(mesh, &def, NULL));
    uint64_t hash = hash_mesh(mesh);
    pliant_mesh_destroy(mesh);
    return hash;
}

// ---- liquids ------------------------------------------------------------------------------------

// A thick one and a thin, light one fall into a corner.
static uint64_t digest_of_liquids(manner m)
{
    pliant_world_def def = world_def_of(m, 12);
    pliant_world* world = NULL;
    CHECK_OK(pliant_world_create(&def, &world));
    add_floor(world);
    for (int b = 0; b < 2; ++b) {
        pliant_soft_def soft = pliant_soft_defaults();
        pliant_fill_def fill = pliant_fill_defaults();
        pliant_mesh *shape = generate("brick:0.2x0.16x0.12"), *points = NULL;
        fill.spacing = soft.liquid.spacing = 0.02;
        fill.pattern = PLIANT_PATTERN_GRID;
        soft.material.density = b ? 700 : 1000;
        soft.liquid.viscosity = b ? 0.001 : 5;
        CHECK_OK(pliant_mesh_fill(shape, &fill, &points));
        add_soft(world, points, &soft, 0.15 + 0.17 * b);
        pliant_mesh_destroy(shape);
    }
    run(world, 15, 1.0 / 60);
    uint64_t digest = get_digest(world);
    pliant_world_destroy(world);
    return digest;
}

// ---- gases --------------------------------------------------------------------------------------

// A warm one in the wind below a cold one, and what they carry.
static uint64_t digest_of_gases(manner m)
{
    pliant_world_def def = world_def_of(m, 6);
    pliant_air_def air = pliant_air_defaults();
    pliant_world* world = NULL;
    CHECK_OK(pliant_world_create(&def, &world));
    add_floor(world);
    air.wind = (pliant_vec3){0.5f, 0, 0.2f};
    air.turbulence = 0.3f;
    CHECK_OK(pliant_world_set_air(world, &air));
    for (int b = 0; b < 3; ++b) {
        pliant_soft_def soft = pliant_soft_defaults();
        pliant_fill_def fill = pliant_fill_defaults();
        pliant_mesh *shape = generate("brick:0.2x0.16x0.12"), *points = NULL;
        fill.spacing = b == 2 ? 0.015 : 0.02;
        fill.pattern = PLIANT_PATTERN_GRID;
        soft.carried = b == 2;
        soft.gas.spacing = b == 2 ? 0 : 0.02;
        soft.gas.swirl = b == 0 ? 30 : 0;
        soft.material.density = 1.2;
        soft.heat = (pliant_heat_def){b ? 290 : 420, 293, b ? 0.026 : 2, 1005, 5};
        CHECK_OK(pliant_mesh_fill(shape, &fill, &points));
        add_soft(world, points, &soft, b == 1 ? 0.3 : 0.15);
        pliant_mesh_destroy(shape);
    }
    run(world, 15, 1.0 / 60);
    uint64_t digest = get_digest(world);
    pliant_world_destroy(world);
    return digest;
}

// ---- the digests --------------------------------------------------------------------------------

static const golden all[] = {
    {"ten rows, patches", 0x7321977bb24fb064, NULL},
    {"two rows, ordered patches", 0x7351a0d4fa3e5c4e, NULL},
    {"decoupled pair, clustered", 0x1d29e7aadb31a4e7, NULL},
    {"decoupled nodes, colored", 0x4c417f26d97dbe47, NULL},
    {"implicit Euler, patches", 0x5643c84c6540f28b, NULL},
    {"symplectic Euler, patches", 0x44c6d96666611124, NULL},
    {"Verlet with drag, colored", 0x5de18cc32ac09932, NULL},
    {"BDF2, all obstacles, damped", 0xc9518aa17a657ffb, NULL},
    {"BDF2, cloth", 0xc4cb5601ef871de0, NULL},
    {"BDF2, double", 0xa4ee29ecd14b8c11, NULL},
    {"phantom, graph", 0xf76b28a8136892aa, NULL},
    {"phantom, single, damped", 0xdcc20f1a1e864a94, NULL},
    {"hybrid, three iterations, relaxed", 0x9e179a02b90bae5e, NULL},
    {"jacobi, nodes, damped, relaxed", 0x447110327671d9df, NULL},
    {"duplicate patches", 0x6b09fc1c4e0d4568, NULL},
    {"twelve colors, three iterations", 0xc967d19e8382ad25, NULL},
    {"damped, patches", 0xcda630c2447c9e42, NULL},
    {"damped pair", 0x6a2cd37a38bc9efb, NULL},
    {"distance field", 0xe356f641d9af0016, NULL},
    {"rotated distance field", 0xa995b26167d566c4, NULL},
    {"all obstacles", 0x4178c930bf9f03be, NULL},
    {"attachments that move, patches", 0x030bbcd47aeae344, NULL},
    {"everything that pulls, damped", 0x9ba0a55bd6cd91ae, NULL},
    {"bodies of many kinds", 0x2d3fe9c0da756c9e, NULL},
    {"two materials, damped, colored", 0x701165d0bfd75313, NULL},
    {"automatic substeps", 0x641b352f26d92fb9, NULL},
    {"a kilometer away", 0x80e1db1a09965e92, NULL},
    {"rope", 0xadc0f82ab98118df, NULL},
    {"slack rope, damped, colored", 0x106935b540eab711, NULL},
    {"cloth, patches", 0x7529e3974ba6c709, NULL},
    {"cloth by angle, damped", 0x8721eb2881154933, NULL},
    {"cloth, tethered, three iterations", 0xcd9a4762e36b82a3, NULL},
    {"classic cloth, four iterations", 0x0d59cf1c556a1ca7, NULL},
    {"ball of air, graph", 0x06da9286530a23a5, NULL},
    {"ball of air, phantom", 0x15eb5e175b010fc8, NULL},
    {"double, ball of air", 0x771b854fd93fe973, NULL},
    {"hinged edges, patches", 0xcab3cf4eaa250483, NULL},
    {"classic edges, five iterations", 0x1f57248894c578d9, NULL},
    {"double, patches", 0xd23f7a170783d2e5, NULL},
    {"double, cloth by angle", 0x0da8ba891c2f8c7d, NULL},
    {"hung, patches, second order", 0x77893aab9da1b164, NULL},
    {"hinged, colored, second order", 0x10cf2c3642413c0d, NULL},
    {"buried, patches, second order", 0x0f22ec3cea02faf7, NULL},
    {"squeezed, patches, damped", 0x693735a08f4ca4da, NULL},
    {"a skin", 0x8c2d858c957532ce, digest_of_skin},
    {"slow bodies", 0x60e03125f47a2b0b, digest_of_slow},
    {"a heap", 0x081c273b900d7422, digest_of_heap},
    {"joints", 0x5ebacfe3972571d9, digest_of_joints},
    {"clusters of particles", 0x10b36b035f527e3c, digest_of_clusters},
    {"tears", 0xcaf31092ffb703ad, digest_of_tears},
    {"liquids", 0x7541789343581dc3, digest_of_liquids},
    {"gases", 0xb9a799270140cb62, digest_of_gases},
    {"a batch", 0xc9d80bc06d695656, digest_of_batch},
    {"substeps that are chosen", 0x597a3dca64f13cd0, digest_of_substeps},
    {"generated meshes", 0x123184b2d71995dd, digest_of_generated},
    {"surfaces that are filled", 0x200d3b02e1854399, digest_of_filled},
    {"a mesh that is repaired", 0xebde277e1aeec372, digest_of_repaired},
    {"boxes", 0xef4b291fd6124712, NULL},
    {"card house", 0xe4039bc8dd1e9511, NULL},
    {"dominoes", 0x8ef2363d87cb06ff, NULL},
    {"chain", 0xb7ae96c44c552f59, NULL},
    {"bananas", 0x0f755fc3b9890cab, NULL},
    {"mixed", 0x4c80024af590c9ec, NULL},
    {"mixed, iterations", 0xeb6b0459119a2135, NULL},
    {"crane", 0xa2b4169fb2a921bc, NULL},
};
enum { GOLDEN = sizeof all / sizeof all[0] };

static uint64_t find_digest(const golden* g, manner m)
{
    return g->find ? g->find(m) : digest_of_named(g->name, m);
}

static void check_every(int first, int step, manner m)
{
    int wrong = 0;
    for (int i = first; i < GOLDEN; i += step) {
        uint64_t digest = find_digest(&all[i], m);
        if (digest == all[i].digest) continue;
        print_error("    %s: 0x%016llx\n", all[i].name, (unsigned long long)digest);
        wrong++;
    }
    if (wrong)
        fail_msg("%d lanes, %d threads: %d digests are not those of other machines", m.lanes,
                 m.threads, wrong);
}

// Every width has a share of them; one lane has all.
static void check_share(int number, manner m)
{
    check_every(by_scope(0, number, 0), by_scope(9, 3, 1), m);
}

static void one_lane_gives_them(void** unused)
{
    (void)unused;
    check_every(0, by_scope(9, 1, 1), (manner){1, 1});
}

static void four_lanes_give_them(void** unused)
{
    (void)unused;
    check_share(0, (manner){4, 2});
}

static void eight_lanes_give_them(void** unused)
{
    (void)unused;
    check_share(1, (manner){8, 1});
}

static void sixteen_lanes_give_them(void** unused)
{
    (void)unused;
    check_share(2, (manner){16, 3});
}

// As some programs have it for all their threads: denormal numbers are zero.
static void flush_denormals(bool flushed)
{
#if defined(__x86_64__) || defined(__i386__)
    _mm_setcsr(flushed ? _mm_getcsr() | 0x8040u : _mm_getcsr() & ~0x8040u);
#elif defined(__aarch64__)
    __asm__ volatile("msr fpcr, %0" : : "r"(flushed ? (uint64_t)1 << 24 : (uint64_t)0));
#else
    (void)flushed;
#endif
}

static void callers_that_flush_denormals_get_them(void** unused)
{
    (void)unused;
    flush_denormals(true);
    check_every(0, by_scope(9, 3, 1), (manner){0, 2});
    flush_denormals(false);
}

#ifdef PLAIN_GOLDEN // a program of its own, for other processors: LANES [SHARE SHARES]
static int print_all(manner m, int share, int shares)
{
    int wrong = 0;
    for (int i = share; i < GOLDEN; i += shares) {
        uint64_t digest = find_digest(&all[i], m);
        printf("%s=0x%016llx%s\n", all[i].name, (unsigned long long)digest,
               digest == all[i].digest ? "" : " DIFFERS");
        fflush(stdout);
        wrong += digest != all[i].digest;
    }
    return wrong > 0;
}

int main(int count, char** word)
{
    pliant_set_log(NULL, NULL);
    int lanes = count > 1 ? atoi(word[1]) : 1;
    return count > 3 ? print_all((manner){lanes, 1}, atoi(word[2]), atoi(word[3]))
                     : print_all((manner){lanes, 1}, 0, 1);
}
#else
int main(void)
{
    pliant_set_log(NULL, NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_lane_gives_them),
        cmocka_unit_test(four_lanes_give_them),
        usual_test(eight_lanes_give_them),
        usual_test(sixteen_lanes_give_them),
        cmocka_unit_test(callers_that_flush_denormals_get_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
#endif
