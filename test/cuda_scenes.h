// Scenes that a GPU must step to the same bits as the processor, and how they are put up.
#pragma once
#include "base/hash.h"
#include "scene.h"

// What stands in a scene beside its body.
enum {
    FLOOR = 1,
    BALL = 2,
    CAPSULE = 4,
    CRATE = 8,
    FIELD = 16, // a torus, through its distance field
    ROTATED = 32,
    PINNED = 64,  // the particles with the smallest x
    PULLED = 128, // one of them moves
    HELD = 256,
    TOWED = 512, // held by a point that moves
    PUSHED = 1024,
    SPINNING = 2048,
    COMPANY = 4096,   // bodies of other kinds in the same world
    BURIED = 8192,    // 0.1 m lower: inside of what is there
    LID = 16384,      // a ceiling that is too low
    HUNG = 32768,     // by one particle
    HINGED = 65536,   // by two
    ROLLING = 131072, // a face is pinned along one axis
    MOVING = 262144,  // all obstacles do, and are asked for their forces
    HULL = 524288,    // of a torus
    NET = 1048576,    // a sheet of triangles
    CROWD = 2097152,  // of many small boxes and balls
    OBSTACLES = FLOOR | BALL | CAPSULE | CRATE | FIELD,
};

// Zeros are what is usual.
typedef struct {
    const char* name;
    const char* mesh; // beam:8x3x3
    pliant_formulation formulation;
    pliant_schedule schedule;
    pliant_interface meet;
    pliant_integrator integrator;
    pliant_precision precision;
    pliant_launch_mode launch_mode;
    pliant_arithmetic arithmetic;
    pliant_stiffness_mode stiffness_mode;
    pliant_bending bending_by;
    int patch_rows, patch_colors;
    int most_colors;
    pliant_phantoms phantoms;
    pliant_merge merge;
    double relaxation;               // 1
    int steps, substeps, iterations; // 25, 6, 1
    double damping;                  // [s]
    double yield;                    // [Pa] of all tets, or of the mesh's last ones
    double drag;
    double far; // [m]
    double air; // [Pa] in the mesh's surface
    unsigned props;
    bool slack, tethered, stiff_area;
    bool hinged;    // the boundary of its tets
    bool by_type;   // colors
    bool automatic; // substeps
    bool stiffer;   // the mesh's first tets
    bool large;     // too slow for the processor under a sanitizer
} scene;

// Assets are shared by the worlds of a scene.
enum { MOST_ASSETS = 6 };
typedef struct {
    const scene* scene;
    pliant_asset* asset[MOST_ASSETS]; // the scene's own first
    int count;
    double offset[3]; // [m] of the body, so that it stands on the origin
    int particles, first_x, tip;
    int lanes, threads; // of its worlds; 0: as usual
} cast;

typedef struct {
    const cast* cast;
    pliant_world* world;
    pliant_body_id body;
    pliant_attachment_id held, towed;
} stage;

static const float scene_dt = 0.01f; // [s]

// In the brief scope a table has one of so many of its scenes, and no large ones.
static inline test_function* in_scope(test_function* f, int number, int share, bool large)
{
    return large || number % share ? from_scope(USUAL, f) : f;
}

static inline int or_usual(int value, int usual) { return value ? value : usual; }
static inline int scene_steps(const scene* s) { return or_usual(s->steps, 25); }

// ---- assets -------------------------------------------------------------------------------------

static inline pliant_soft_def scene_soft(const scene* s)
{
    pliant_soft_def def = pliant_soft_defaults();
    def.solver.formulation = s->formulation;
    def.solver.schedule = s->schedule;
    def.solver.patch_interface = s->meet;
    def.solver.integrator = s->integrator;
    def.research.drag = s->drag;
    def.solver.precision = s->precision;
    def.solver.patch_rows = s->patch_rows;
    def.solver.patch_colors = s->patch_colors;
    def.research.most_colors = s->most_colors;
    def.research.phantoms = s->phantoms;
    def.research.merge = s->merge;
    if (s->relaxation > 0) def.research.relaxation = s->relaxation;
    def.material.damping = s->damping;
    def.material.yield_stress = s->yield;
    def.radius = 0.005;
    def.research.stiffness_mode = s->stiffness_mode;
    def.rope.slack = s->slack;
    def.cloth.stretch = 200;
    def.cloth.damping = s->damping;
    def.cloth.bending_by = s->bending_by;
    def.cloth.area = s->stiff_area ? 50 : 0;
    def.cloth.air = s->air;
    def.research.boundary = (pliant_boundary_def){s->hinged ? 0.05 : 0, s->bending_by};
    def.research.color_scope = s->by_type ? PLIANT_COLOR_SCOPE_TYPE : PLIANT_COLOR_SCOPE_ALL;
    def.cloth.inflation = 1.1;
    def.research.stiffness = (pliant_stiffness_def){0.9, 0.3, 0.4, 0.8, 0.5};
    def.solver.target_backend = PLIANT_BACKEND_CUDA;
    return def;
}

// The first half of the tets belongs to another region.
static inline pliant_mesh* with_regions(pliant_mesh* mesh)
{
    pliant_mesh_arrays a = pliant_mesh_view(mesh);
    int* region = (int*)calloc((size_t)a.tet_count, sizeof(int));
    for (int i = a.tet_count / 2; i < a.tet_count; ++i) region[i] = 1;
    a.tet_region = region;
    a.tet_cell = NULL;
    pliant_mesh* out = create(a);
    free(region);
    pliant_mesh_destroy(mesh);
    return out;
}

static inline void add_asset(cast* c, pliant_mesh* mesh, const pliant_soft_def* def)
{
    CHECK_OK(pliant_asset_create(mesh, def, &c->asset[c->count++]));
    pliant_mesh_destroy(mesh);
}

static inline void add_company(cast* c)
{
    pliant_soft_def def = scene_soft(c->scene), other = def;
    other.solver.formulation = PLIANT_FORMULATION_TWO_ROWS;
    other.solver.patch_rows = 40;
    add_asset(c, generate("sphere:0.2:6"), &other);
    other.solver.schedule = PLIANT_SCHEDULE_COLORED;
    add_asset(c, generate("beam:4x2x2"), &other);
    other = def;
    other.solver.patch_rows = 4000;
    other.material.yield_stress = 0;
    add_asset(c, generate("rope:1:20"), &other);
    other.material.damping = 1e-3;
    add_asset(c, generate("cylinder:0.15:0.3:4"), &other);
    other = def;
    other.solver.precision = PLIANT_PRECISION_DOUBLE;
    other.solver.patch_rows = 50;
    add_asset(c, generate("beam:5x2x2"), &other);
}

static inline void measure_cast(cast* c, const pliant_mesh* mesh)
{
    pliant_mesh_arrays a = pliant_mesh_view(mesh);
    pliant_mesh_quality q = measure(mesh);
    c->particles = a.vertex_count;
    for (int k = 0; k < 3; ++k)
        c->offset[k] = c->scene->far - (k == 1 ? q.min[k] - 0.02 : (q.min[k] + q.max[k]) / 2);
    for (int v = 0; v < a.vertex_count; ++v) {
        if (a.vertices[3 * v] < a.vertices[3 * c->first_x]) c->first_x = v;
        if (a.vertices[3 * v] > a.vertices[3 * c->tip]) c->tip = v;
    }
}

static inline cast make_cast(const scene* s)
{
    cast c = {.scene = s};
    pliant_soft_def def = scene_soft(s);
    pliant_material_def two[2] = {def.material, def.material};
    pliant_mesh* mesh =
        s->air > 0 ? surface_of(s->mesh) : generate(s->mesh ? s->mesh : "beam:8x3x3");
    measure_cast(&c, mesh);
    if (s->stiffer) {
        two[0].young *= 3;
        two[0].density *= 2;
        two[0].yield_stress = 0;
        def.materials = two;
        def.material_count = 2;
        mesh = with_regions(mesh);
    }
    if (s->tethered) def.anchors = &c.first_x, def.anchor_count = 1;
    add_asset(&c, mesh, &def);
    if (s->props & COMPANY) add_company(&c);
    return c;
}

static inline void release_cast(cast* c)
{
    for (int i = 0; i < c->count; ++i) pliant_asset_destroy(c->asset[i]);
}

// ---- worlds -------------------------------------------------------------------------------------

static inline pliant_world* world_on(pliant_backend backend, pliant_world_def def)
{
    pliant_world* world = NULL;
    def.backend = backend;
    CHECK_OK(pliant_world_create(&def, &world));
    return world;
}

static inline bool has_gpu(void)
{
    pliant_world_def def = pliant_world_defaults();
    pliant_world* world = NULL;
    def.backend = PLIANT_BACKEND_CUDA;
    def.threads = 1;
    pliant_result result = pliant_world_create(&def, &world);
    if (result != PLIANT_ERROR_UNSUPPORTED) CHECK_OK(result);
    pliant_world_destroy(world);
    return result == PLIANT_OK;
}

// The first line of a test that makes no sense without one, before anything is allocated.
static inline void need_gpu(void)
{
    if (has_gpu()) return;
    print_message("    skipped: %s\n", pliant_error_text());
    skip();
}

static inline pliant_world_def scene_world(const scene* s)
{
    pliant_world_def def = pliant_world_defaults();
    def.substeps = s->automatic ? 0 : or_usual(s->substeps, 6);
    def.iterations = or_usual(s->iterations, 1);
    def.threads = 1;
    def.launch_mode = s->launch_mode;
    def.arithmetic = s->arithmetic;
    def.contacts = false; // a GPU has none yet
    return def;
}

static inline pliant_world_def cast_world(const cast* c)
{
    pliant_world_def def = scene_world(c->scene);
    def.lanes = or_usual(c->lanes, def.lanes);
    def.threads = or_usual(c->threads, def.threads);
    return def;
}

static inline pliant_collider_def obstacle_def(const scene* s, pliant_shape shape, double y)
{
    pliant_collider_def def = pliant_collider_defaults();
    def.shape = shape;
    for (int k = 0; k < 3; ++k) def.position[k] = s->far + (k == 1 ? y : 0.01 * k);
    if (s->props & ROTATED) def.rotation = (pliant_quat){0.1f, 0.2f, 0.3f, 0.9f};
    def.static_friction = 0.6f;
    def.dynamic_friction = 0.3f;
    def.restitution = 0.4f;
    return def;
}

static inline void add_obstacle(pliant_world* world, const pliant_collider_def* def)
{
    if (!new_collider(world, def).index1) fail_msg("%s", pliant_error_text());
}

static inline void add_obstacles(pliant_world* world, const scene* s)
{
    pliant_collider_def plane = obstacle_def(s, PLIANT_SHAPE_PLANE, 0),
                        ball = obstacle_def(s, PLIANT_SHAPE_SPHERE, -0.3),
                        capsule = obstacle_def(s, PLIANT_SHAPE_CAPSULE, -0.15),
                        crate = obstacle_def(s, PLIANT_SHAPE_BOX, -0.1),
                        field = obstacle_def(s, PLIANT_SHAPE_MESH, -0.12);
    ball.radius = 0.3f;
    capsule.radius = 0.15f;
    crate.half_extents = (pliant_vec3){0.2f, 0.1f, 0.2f};
    pliant_mesh* torus = generate("torus:0.3:0.12:6");
    field.mesh = torus;
    field.cell = 0.03f;
    pliant_collider_def convex = obstacle_def(s, PLIANT_SHAPE_CONVEX, -0.12),
                        triangles = obstacle_def(s, PLIANT_SHAPE_TRIANGLES, 0);
    pliant_mesh* sheet = generate("cloth:6x6:1x1");
    convex.mesh = torus;
    triangles.mesh = sheet;
    triangles.surface_contacts = PLIANT_SURFACE_CONTACTS_NEVER;
    if (s->props & HULL) add_obstacle(world, &convex);
    if (s->props & NET) add_obstacle(world, &triangles);
    for (int i = 0; s->props & CROWD && i < 100; ++i) {
        pliant_collider_def small =
            obstacle_def(s, i % 3 ? PLIANT_SHAPE_BOX : PLIANT_SHAPE_SPHERE, -0.06 - 0.03 * (i % 4));
        small.surface_contacts = PLIANT_SURFACE_CONTACTS_NEVER; // a GPU has none yet
        small.position[0] += 0.13 * (i % 10 - 4.5);
        small.position[2] += 0.13 * (i / 10 - 4.5);
        small.radius = 0.07f;
        small.half_extents = (pliant_vec3){0.05f, 0.06f, 0.04f};
        add_obstacle(world, &small);
    }
    if (s->props & FLOOR) add_obstacle(world, &plane);
    if (s->props & BALL) add_obstacle(world, &ball);
    if (s->props & CAPSULE) add_obstacle(world, &capsule);
    if (s->props & CRATE) add_obstacle(world, &crate);
    if (s->props & FIELD) add_obstacle(world, &field);
    plane.position[1] += 0.25;
    plane.rotation = (pliant_quat){1, 0, 0, 0}; // upside down
    if (s->props & LID) add_obstacle(world, &plane);
    pliant_mesh_destroy(torus);
    pliant_mesh_destroy(sheet);
}

static inline pliant_body_id add_member(const stage* s, int number)
{
    const cast* c = s->cast;
    pliant_body_def def = pliant_body_defaults();
    for (int k = 0; k < 3; ++k) def.position[k] = c->offset[k] + (k == 2 ? 1.5 * number : 0);
    if (c->scene->props & (OBSTACLES | HULL | NET | CROWD)) def.velocity.y = -1;
    if (c->scene->props & BURIED) def.position[1] -= 0.1;
    if (c->scene->props & SPINNING) def.angular_velocity = (pliant_vec3){1, 2, 0.5f};
    pliant_body_id id = new_body(s->world, c->asset[number], &def);
    if (!id.index1) fail_msg("%s", pliant_error_text());
    return id;
}

static inline void set_forces(const stage* s, double scale)
{
    pliant_vec3* force = (pliant_vec3*)malloc((size_t)s->cast->particles * sizeof *force);
    for (int i = 0; i < s->cast->particles; ++i)
        force[i] = vec(scale * (i % 5), scale, scale * (i % 3 - 1));
    pliant_body_set_forces(s->world, s->body, force, s->cast->particles);
    free(force);
}

static inline void roll_plane(pliant_world* world, pliant_body_id body, double at)
{
    int count = pliant_body_particle_count(world, body);
    place* x = read_places(world, body);
    for (int i = 0; i < count; ++i)
        if (fabs(x[i].x[0] - at) < 1e-6) pliant_body_pin_axes(world, body, i, PLIANT_AXIS_X);
    free(x);
}

static inline stage open_stage_in(const cast* c, pliant_world* world)
{
    const scene* sc = c->scene;
    stage s = {.cast = c, .world = world};
    add_obstacles(s.world, sc);
    s.body = add_member(&s, 0);
    for (int i = 1; i < c->count; ++i) add_member(&s, i);
    place tip = read_place(s.world, s.body, c->tip),
          first = read_place(s.world, s.body, c->first_x);
    if (sc->props & (PINNED | PULLED)) pin_plane(s.world, s.body, 0, first.x[0]);
    if (sc->props & (HUNG | HINGED)) pliant_body_pin(s.world, s.body, c->first_x);
    if (sc->props & HINGED) pliant_body_pin(s.world, s.body, c->tip);
    if (sc->props & ROLLING) roll_plane(s.world, s.body, first.x[0]);
    tip.x[1] += 0.1;
    if (sc->props & HELD) s.held = new_attachment(s.world, s.body, c->tip, tip.x, 1e-4);
    if (sc->props & TOWED) s.towed = new_attachment(s.world, s.body, c->tip / 2, tip.x, 0);
    if (sc->props & PUSHED) set_forces(&s, 0.5);
    return s;
}

static inline stage open_stage(const cast* c, pliant_backend backend)
{
    return open_stage_in(c, world_on(backend, cast_world(c)));
}

// They go and turn; the first one is a belt too, and is told where to go later on.
static inline void move_obstacles(const stage* s, int step)
{
    enum { MOST = 8 };
    pliant_collider_id id[MOST];
    int count = pliant_world_colliders(s->world, id, MOST);
    for (int i = 0; i < count && step == 0; ++i) {
        CHECK_OK(pliant_collider_set_velocity(s->world, id[i], vec(0.1 * i, 0.15, -0.05),
                                              vec(0.3, 0.5 * i, -0.4)));
        CHECK_OK(pliant_collider_measure_force(s->world, id[i], true));
    }
    if (step == 0)
        CHECK_OK(pliant_collider_set_surface_velocity(s->world, id[0], vec(0.5, 0, 0.2),
                                                      vec(0, 0.7, 0)));
    if (step < 10) return;
    pliant_collider_info at = get_collider(s->world, id[0]);
    at.position[1] += 0.002;
    at.rotation.x += 0.003f;
    CHECK_OK(pliant_collider_move(s->world, id[0], at.position, at.rotation));
}

// Of all colliders that are asked for it.
static inline uint64_t digest_of_loads(const pliant_world* world)
{
    enum { MOST = 8 };
    pliant_collider_id id[MOST];
    uint64_t hash = HASH_SEED;
    int count = pliant_world_colliders(world, id, MOST);
    for (int i = 0; i < count; ++i) {
        double sums[6] = {0};
        CHECK_OK(pliant_collider_force(world, id[i], sums, sums + 3));
        hash = hash_bytes(hash, sums, sizeof sums);
    }
    return hash;
}

// What happens before a step.
static inline void act(const stage* s, int step)
{
    if (s->cast->scene->props & MOVING) move_obstacles(s, step);
    const cast* c = s->cast;
    unsigned props = c->scene->props;
    double way = 0.002 * step;
    const double pin[3] = {c->scene->far - 0.4 - way, c->scene->far + way, c->scene->far + way};
    const double point[3] = {c->scene->far + 0.3, c->scene->far + 0.2 + way, c->scene->far};
    if (props & PULLED) pliant_body_move_pin(s->world, s->body, c->first_x, pin);
    if (props & TOWED) pliant_attachment_move(s->world, s->towed, point);
    if (props & PUSHED && step == 8) set_forces(s, -1);
    if (props & PUSHED && step == 16) pliant_body_set_forces(s->world, s->body, NULL, 0);
}

static inline void play(const stage* s, int first, int steps)
{
    for (int i = first; i < first + steps; ++i) {
        act(s, i);
        CHECK_OK(pliant_world_step(s->world, scene_dt));
    }
    CHECK_OK(pliant_world_wait(s->world));
}
