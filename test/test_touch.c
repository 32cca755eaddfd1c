// Bodies that meet each other and themselves.
#include "failing_world.h"
#include "scene.h"
#include "world/world.h"

static const double G = 9.81;

// ---- scenes -------------------------------------------------------------------------------------

typedef struct {
    double friction, restitution, thickness;
    bool self;
} touch_def;
static const touch_def PLAIN = {0.5, 0, 0, false};

static pliant_body_id add_at(pliant_world* world, pliant_mesh* mesh, const pliant_soft_def* soft,
                             const double at[3], pliant_vec3 velocity, touch_def touch)
{
    pliant_body_def def = pliant_body_defaults();
    memcpy(def.position, at, sizeof def.position);
    def.velocity = velocity;
    def.contact.static_friction = def.contact.dynamic_friction = (float)touch.friction;
    def.contact.restitution = (float)touch.restitution;
    def.contact.thickness = (float)touch.thickness;
    def.contact.self = touch.self;
    pliant_body_id id = new_soft(world, mesh, soft, &def);
    if (!id.index1) fail_msg("%s", pliant_error_text());
    pliant_mesh_destroy(mesh);
    return id;
}

static pliant_mesh* generated(const char* words)
{
    pliant_mesh* mesh = NULL;
    CHECK_OK(pliant_mesh_generate(words, &mesh));
    return mesh;
}

static void add_floor(pliant_world* world)
{
    pliant_collider_def floor = pliant_collider_defaults();
    new_collider(world, &floor);
}

// Boxes of 0.2 m on each other, from 1 mm above the floor on.
static void stack_boxes(pliant_world* world, int count, pliant_body_id* out)
{
    pliant_soft_def soft = pliant_soft_defaults();
    soft.material.damping = 0.002;
    add_floor(world);
    for (int i = 0; i < count; ++i)
        out[i] = add_at(world, box_mesh((int[3]){2, 2, 2}, 0.1, 0), &soft,
                        (const double[3]){0.01 * i, 0.001 + 0.212 * i, 0}, vec(0, 0, 0), PLAIN);
}

// ---- forces -------------------------------------------------------------------------------------

// All pairs at once have the sums that single pairs have.
static void check_pair_forces(const pliant_world* world, const pliant_body_id* box, int boxes)
{
    pliant_pair_force pair[8];
    int count;
    CHECK_OK(pliant_world_read_pair_forces(world, pair, 1, &count));
    assert_int_equal(count, boxes - 1);
    CHECK_OK(pliant_world_read_pair_forces(world, pair, 8, &count));
    for (int i = 0; i < count; ++i) {
        double force[3], torque[3];
        assert_int_equal(pair[i].body[0].index1, box[i].index1);
        assert_int_equal(pair[i].body[1].index1, box[i + 1].index1);
        assert_true(pair[i].contacts > 0);
        CHECK_OK(pliant_body_force_of(world, box[i], box[i + 1], force, torque));
        for (int k = 0; k < 3; ++k) {
            CHECK_CLOSE(pair[i].force[k], force[k], 1e-9);
            CHECK_CLOSE(pair[i].torque[k], torque[k], 1e-9);
        }
    }
}

// Each interface carries the weight above it, up and down alike, and the floor all of it.
static void a_stack_carries_its_weight(void** unused)
{
    (void)unused;
    enum { BOXES = 3 };
    pliant_body_id box[BOXES];
    pliant_world* world = make_world(0, 1);
    stack_boxes(world, BOXES, box);
    run(world, 150, 1.0 / 60);
    double weight = pliant_body_mass(world, box[0]) * G;
    for (int i = 1; i < BOXES; ++i) {
        double up[3], down[3];
        CHECK_OK(pliant_body_force_of(world, box[i], box[i - 1], up, NULL));
        CHECK_OK(pliant_body_force_of(world, box[i - 1], box[i], down, NULL));
        CHECK_CLOSE(up[1], (BOXES - i) * weight, 0.01);
        for (int k = 0; k < 3; ++k) CHECK_BETWEEN(up[k] + down[k], -1e-6 * weight, 1e-6 * weight);
    }
    check_pair_forces(world, box, BOXES);
    // What particles of the lowest box feel: the floor, and the boxes above.
    CHECK_CLOSE(contact_force(world, box[0]).x[1], weight, 0.01);
    CHECK_BETWEEN(measure_motion(world, box[2]).speed, 0, 0.03);
    pliant_world_destroy(world);
}

// The list says what the sums say.
static void contacts_can_be_read(void** unused)
{
    (void)unused;
    pliant_body_id box[2];
    pliant_contact contact[256];
    int count = 0;
    pliant_world* world = make_world(0, 1);
    stack_boxes(world, 2, box);
    run(world, 60, 1.0 / 60);
    CHECK_OK(pliant_world_read_contacts(world, contact, 256, &count));
    CHECK_BETWEEN(count, 4, 256);
    double sum = 0, force[3];
    for (int i = 0; i < count; ++i) {
        const pliant_contact* c = &contact[i];
        double share[2] = {0, 0}, square = 0;
        for (int k = 0; k < c->count[0] + c->count[1]; ++k) share[k >= c->count[0]] += c->share[k];
        for (int k = 0; k < 3; ++k) square += c->normal[k] * c->normal[k];
        CHECK_CLOSE(share[0], 1, 1e-6);
        CHECK_CLOSE(share[1], 1, 1e-6);
        CHECK_CLOSE(square, 1, 1e-5);
        CHECK_BETWEEN(c->normal_force, -1e-3, 1e3); // a contact does not pull
        CHECK_BETWEEN(c->point[1], 0.19, 0.23);
        sum += c->force[1] * (c->body[0].index1 == box[1].index1 ? 1 : -1);
    }
    CHECK_OK(pliant_body_force_of(world, box[1], box[0], force, NULL));
    CHECK_CLOSE(sum, force[1], 1e-6);
    pliant_contact_stats stats = pliant_world_contact_stats(world);
    CHECK_BETWEEN(stats.contacts, 4, stats.near_pairs);
    CHECK_BETWEEN(stats.deepest, 0, 0.002);
    pliant_world_destroy(world);
}

static void begin_and_end_of_touching_are_told(void** unused)
{
    (void)unused;
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_world* world = make_still_world(20, 1);
    pliant_body_id a = add_at(world, generated("sphere:0.2:6"), &soft, (const double[3]){0, 0, 0},
                              vec(2, 0, 0), PLAIN);
    pliant_body_id b = add_at(world, generated("sphere:0.2:6"), &soft, (const double[3]){0.5, 0, 0},
                              vec(-2, 0, 0), PLAIN);
    int began = 0, ended = 0;
    for (int i = 0; i < 40; ++i) {
        pliant_touch_event e[4];
        int count = 0;
        CHECK_OK(pliant_world_step(world, 1 / 120.0f));
        CHECK_OK(pliant_world_read_touch_events(world, e, 4, &count));
        for (int k = 0; k < count; ++k) {
            assert_int_equal(e[k].body[0].index1, a.index1);
            assert_int_equal(e[k].body[1].index1, b.index1);
            began += e[k].kind == PLIANT_TOUCH_BEGAN;
            ended += e[k].kind == PLIANT_TOUCH_ENDED;
            assert_true(began > ended || e[k].kind == PLIANT_TOUCH_ENDED);
        }
    }
    assert_int_equal(began, 1);
    assert_int_equal(ended, 1);
    pliant_world_destroy(world);
}

// ---- conservation -------------------------------------------------------------------------------

typedef struct {
    double momentum[3], angular[3], size, angular_size, energy;
} totals;

// About the origin.
static totals measure_all(const pliant_world* world, const pliant_body_id* bodies, int count)
{
    totals t = {0};
    for (int i = 0; i < count; ++i) {
        motion m = measure_motion(world, bodies[i]);
        for (int k = 0; k < 3; ++k) {
            int a = (k + 1) % 3, b = (k + 2) % 3;
            double orbit = m.center[a] * m.momentum[b] - m.center[b] * m.momentum[a];
            t.momentum[k] += m.momentum[k];
            t.angular[k] += m.angular[k] + orbit;
            t.size += fabs(m.momentum[k]);
            t.angular_size += fabs(m.angular[k]) + fabs(orbit);
        }
    }
    pliant_energies e;
    CHECK_OK(pliant_world_energies(world, &e));
    t.energy = e.kinetic + e.elastic;
    return t;
}

// Two balls that meet off center.
static void collide(double friction, double restitution, totals* before, totals* after)
{
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_world* world = make_still_world(40, 1);
    touch_def touch = {friction, restitution, 0, false};
    pliant_body_id ball[2] = {add_at(world, generated("sphere:0.2:6"), &soft,
                                     (const double[3]){0, 0, 0}, vec(0.3, 0.05, 0), touch),
                              add_at(world, generated("sphere:0.2:6"), &soft,
                                     (const double[3]){0.45, 0.15, 0.05}, vec(-0.3, 0, 0.03),
                                     touch)};
    *before = measure_all(world, ball, 2);
    bool touched = false;
    for (int i = 0; i < 60; ++i) {
        CHECK_OK(pliant_world_step(world, 1 / 120.0f));
        pliant_contact_stats stats = pliant_world_contact_stats(world);
        touched = touched || stats.contacts > 0;
        assert_int_equal(stats.guard_rounds, 0);
    }
    assert_true(touched);
    *after = measure_all(world, ball, 2);
    pliant_world_destroy(world);
}

static void momentum_is_kept(void** unused)
{
    (void)unused;
    for (int rough = 0; rough < 2; ++rough) {
        totals before, after;
        collide(rough ? 0.5 : 0, 0, &before, &after);
        for (int k = 0; k < 3; ++k) {
            double lost = after.momentum[k] - before.momentum[k];
            double turned = after.angular[k] - before.angular[k];
            CHECK_BETWEEN(lost, -1e-6 * before.size, 1e-6 * before.size);
            if (!rough)
                CHECK_BETWEEN(turned, -1e-5 * before.angular_size, 1e-5 * before.angular_size);
        }
        CHECK_BETWEEN(after.energy / before.energy, 0.3, 1.0001);
    }
}

// ---- friction -----------------------------------------------------------------------------------

// A block on a slab, as on a slope of so many degrees: how fast it is after a second [m/s].
static double speed_on_slope(double degrees, double friction, double seconds)
{
    pliant_soft_def soft = pliant_soft_defaults();
    soft.material.damping = 0.005;
    touch_def touch = {friction, 0, 0, false};
    pliant_world* world = make_world(40, 1);
    double a = degrees * 3.14159265358979323846 / 180;
    pliant_world_set_gravity(world, vec(G * sin(a), -G * cos(a), 0));
    pliant_body_id slab = add_at(world, box_mesh((int[3]){16, 1, 4}, 0.1, 0), &soft,
                                 (const double[3]){0, 0, 0}, vec(0, 0, 0), touch);
    pin_plane(world, slab, 1, 0);
    pliant_body_id block = add_at(world, box_mesh((int[3]){2, 2, 2}, 0.08, 0), &soft,
                                  (const double[3]){0.13, 0.1062, 0.12}, vec(0, 0, 0), touch);
    run(world, 12, 1.0 / 60);
    double before = measure_motion(world, block).velocity[0];
    run(world, (int)(seconds * 60), 1.0 / 60);
    double after = measure_motion(world, block).velocity[0];
    pliant_world_destroy(world);
    return (after - before) / seconds;
}

static void a_block_slides_as_coulomb_says(void** unused)
{
    (void)unused;
    CHECK_CLOSE(speed_on_slope(30, 0.3, 0.5), 2.3563, 0.02);
    CHECK_BETWEEN(speed_on_slope(30, 0.7, 0.5), -0.02, 0.02); // it may still rock
    CHECK_BETWEEN(speed_on_slope(10, 0.3, 0.5), -0.02, 0.02);
}

// ---- the same bits ------------------------------------------------------------------------------

static void fill_heap(pliant_world* world)
{
    pliant_soft_def soft = pliant_soft_defaults(), cloth = soft;
    soft.material.young = 1e5;
    cloth.cloth.stretch = 200;
    touch_def self = {0.4, 0.2, 0, true};
    add_floor(world);
    add_at(world, generated("torus:0.2:0.08:3"), &soft, (const double[3]){0, 0.1, 0}, vec(0, 0, 0),
           PLAIN);
    add_at(world, generated("sphere:0.1:4"), &soft, (const double[3]){0.05, 0.35, 0}, vec(0, -1, 0),
           PLAIN);
    add_at(world, generated("cloth:8x8:0.5x0.5"), &cloth, (const double[3]){0, 0.5, 0},
           vec(0, -2, 0), self);
    add_at(world, generated("rope:0.6:12"), &soft, (const double[3]){-0.3, 0.56, 0.03},
           vec(0, -1, 0), self);
}

static uint64_t heap_digest(int threads, int lanes, bool fresh)
{
    pliant_world_def def = pliant_world_defaults();
    pliant_world* world = NULL;
    uint64_t digest = 0;
    def.threads = threads;
    def.lanes = lanes;
    def.substeps = 30;
    CHECK_OK(pliant_world_create(&def, &world));
    world->contacts.fresh = fresh;
    fill_heap(world);
    run(world, by_scope(6, 24, 60), 1.0 / 60);
    assert_true(pliant_world_contact_stats(world).contacts > 0);
    CHECK_OK(pliant_world_digest(world, &digest));
    pliant_world_destroy(world);
    return digest;
}

static void threads_lanes_and_lists_change_no_bit(void** unused)
{
    (void)unused;
    static const int threads[] = {3, 2, 1, 8}, lanes[] = {16, 8, 4, 1};
    uint64_t first = heap_digest(1, 1, false);
    for (int i = 0; i < by_scope(1, 4, 4); ++i)
        assert_int_equal(heap_digest(threads[i], lanes[i], false), first);
    assert_int_equal(heap_digest(1, 16, true), first);
}

// A ball comes to a cloth that meets itself all the time. With `wide`, margins would do for
// all of its way, as they may after an earlier meeting.
static uint64_t late_digest(bool wide)
{
    const pliant_soft_def soft = pliant_soft_defaults();
    const touch_def self = {0.5, 0, 0, true};
    pliant_world* world = make_world(10, 1);
    uint64_t digest = 0;
    add_at(world, generated("cloth:6x6:0.5x0.5"), &soft, (const double[3]){0, 0, 0}, vec(0, 0, 0),
           self);
    add_at(world, generated("sphere:0.1:3"), &soft, (const double[3]){0, 1, 0}, vec(0, -4, 0),
           PLAIN);
    for (int i = 0; i < 18; ++i) {
        run(world, 1, 1.0 / 60);
        const contact_set* s = &world->contacts.set;
        for (int k = 0; wide && !s->body[1].meets && k < s->element_count; ++k)
            s->margin[OF_TWO][k] = 10;
        if (wide && !s->body[1].meets) world->contacts.set.age.life = 1000;
    }
    assert_true(pliant_world_contact_stats(world).contacts > 0);
    CHECK_OK(pliant_world_digest(world, &digest));
    pliant_world_destroy(world);
    return digest;
}

static void a_list_has_who_comes_later(void** unused)
{
    (void)unused;
    assert_int_equal(late_digest(true), late_digest(false));
}

// Thickness, masks and contacts with itself may change while a world runs.
static uint64_t changed_digest(bool fresh)
{
    pliant_world* world = make_world(20, 1);
    pliant_body_id all[4];
    uint64_t digest = 0;
    world->contacts.fresh = fresh;
    fill_heap(world);
    assert_int_equal(pliant_world_bodies(world, all, 4), 4);
    for (int i = 0; i < 12; ++i) {
        for (int k = 0; k < 4 && i % 3 == 2; ++k) {
            pliant_contact_def contact;
            CHECK_OK(pliant_body_contact(world, all[k], &contact));
            contact.thickness = 0.01f * (float)(1 + (i / 3 + k) % 3);
            contact.self = (i / 3 + k) % 2;
            contact.mask = i == 5 && k == 1 ? 0 : ~0u;
            CHECK_OK(pliant_body_set_contact(world, all[k], &contact));
        }
        run(world, 1, 1.0 / 60);
    }
    CHECK_OK(pliant_world_digest(world, &digest));
    pliant_world_destroy(world);
    return digest;
}

static void lists_follow_what_changes(void** unused)
{
    (void)unused;
    assert_int_equal(changed_digest(false), changed_digest(true));
}

// Balls that fall beside each other through a heap, and often leave their courses.
static void add_balls(pliant_world* world)
{
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_body_def def = pliant_body_defaults();
    pliant_mesh* mesh = generate("grains:0.3x0.3x0.3:0.1");
    pliant_body_id id;
    def.position[1] = 0.7;
    def.velocity.y = -2;
    CHECK_OK(pliant_world_add_soft(world, mesh, &soft, &def, &id));
    pliant_mesh_destroy(mesh);
}

static void a_step_does_not_depend_on_what_was_before(void** unused)
{
    (void)unused;
    enum { MOST = 2000 };
    pliant_world* world[2] = {make_world(20, 1), make_world(20, 1)};
    pliant_contact* found[2] = {calloc(MOST, sizeof **found), calloc(MOST, sizeof **found)};
    int count[2], all = 0;
    for (int i = 0; i < 2; ++i) {
        fill_heap(world[i]);
        add_balls(world[i]);
    }
    size_t bytes = pliant_world_snapshot_size(world[0]), size;
    void* data = malloc(4 * bytes);
    for (int step = 0; step < by_scope(20, 60, 60); ++step) {
        size = pliant_world_snapshot_size(world[0]);
        assert_true(size <= 4 * bytes);
        CHECK_OK(pliant_world_snapshot_save(world[0], data, size));
        CHECK_OK(pliant_world_snapshot_restore(world[1], data, size));
        for (int i = 0; i < 2; ++i) {
            run(world[i], 1, 1.0 / 60);
            CHECK_OK(pliant_world_read_contacts(world[i], found[i], MOST, &count[i]));
        }
        uint64_t digest[2];
        for (int i = 0; i < 2; ++i) CHECK_OK(pliant_world_digest(world[i], &digest[i]));
        if (digest[0] != digest[1]) fail_msg("step %d: other bits", step);
        if (count[0] != count[1]) fail_msg("step %d: %d and %d", step, count[0], count[1]);
        assert_memory_equal(found[0], found[1], (size_t)count[0] * sizeof **found);
        all += count[0];
    }
    assert_true(all > 100);
    free(data);
    for (int i = 0; i < 2; ++i) {
        free(found[i]);
        pliant_world_destroy(world[i]);
    }
}

static void a_snapshot_goes_on_with_the_same_bits(void** unused)
{
    (void)unused;
    pliant_world* world[2] = {make_world(30, 1), make_world(30, 1)};
    for (int i = 0; i < 2; ++i) fill_heap(world[i]);
    run(world[0], by_scope(6, 15, 15), 1.0 / 60);
    size_t bytes = pliant_world_snapshot_size(world[0]);
    void* data = malloc(bytes);
    CHECK_OK(pliant_world_snapshot_save(world[0], data, bytes));
    CHECK_OK(pliant_world_snapshot_restore(world[1], data, bytes));
    uint64_t digest[2];
    for (int i = 0; i < 2; ++i) {
        run(world[i], by_scope(3, 10, 10), 1.0 / 60);
        CHECK_OK(pliant_world_digest(world[i], &digest[i]));
    }
    assert_int_equal(digest[0], digest[1]);
    // A number of contacts that is not there.
    ((uint64_t*)data)[4] += 1000000;
    assert_int_not_equal(pliant_world_snapshot_restore(world[1], data, bytes), PLIANT_OK);
    free(data);
    for (int i = 0; i < 2; ++i) pliant_world_destroy(world[i]);
}

static void rewinding_leads_back_across_contacts(void** unused)
{
    (void)unused;
    pliant_world_def def = pliant_world_defaults();
    pliant_world* world = NULL;
    uint64_t digest[2];
    def.history = 6;
    def.substeps = 30;
    CHECK_OK(pliant_world_create(&def, &world));
    fill_heap(world);
    run(world, 12, 1.0 / 60);
    CHECK_OK(pliant_world_digest(world, &digest[0]));
    CHECK_OK(pliant_world_rewind(world, 6));
    run(world, 6, 1.0 / 60);
    CHECK_OK(pliant_world_digest(world, &digest[1]));
    assert_int_equal(digest[0], digest[1]);
    pliant_world_destroy(world);
}

// ---- the guard ----------------------------------------------------------------------------------

// Where the segment p q goes through the triangle: the sign of a volume for each of its sides.
static double volume6(const double* a, const double* b, const double* c, const double* d)
{
    double u[3], v[3], w[3];
    for (int k = 0; k < 3; ++k) u[k] = b[k] - a[k], v[k] = c[k] - a[k], w[k] = d[k] - a[k];
    return u[0] * (v[1] * w[2] - v[2] * w[1]) - u[1] * (v[0] * w[2] - v[2] * w[0]) +
           u[2] * (v[0] * w[1] - v[1] * w[0]);
}
static bool pierces(const double* p, const double* q, const double* a, const double* b,
                    const double* c)
{
    if (volume6(p, a, b, c) * volume6(q, a, b, c) > 0) return false;
    double x = volume6(p, q, a, b), y = volume6(p, q, b, c), z = volume6(p, q, c, a);
    return (x > 0 && y > 0 && z > 0) || (x < 0 && y < 0 && z < 0);
}

static int crossings(const place* x, const int* one, const place* y, const int* other)
{
    int count = 0;
    for (int k = 0; k < 3; ++k) {
        count += pierces(x[one[k]].x, x[one[(k + 1) % 3]].x, y[other[0]].x, y[other[1]].x,
                         y[other[2]].x);
        count +=
            pierces(y[other[k]].x, y[other[(k + 1) % 3]].x, x[one[0]].x, x[one[1]].x, x[one[2]].x);
    }
    return count;
}

static int count_crossings(const pliant_world* world, const pliant_body_id* sheets, int bodies,
                           const pliant_mesh* mesh)
{
    pliant_mesh_arrays m = pliant_mesh_view(mesh);
    int count = 0;
    for (int a = 0; a < bodies; ++a)
        for (int b = a + 1; b < bodies; ++b) {
            place *x = read_places(world, sheets[a]), *y = read_places(world, sheets[b]);
            for (int i = 0; i < m.triangle_count; ++i)
                for (int k = 0; k < m.triangle_count; ++k)
                    count += crossings(x, m.triangles + 3 * i, y, m.triangles + 3 * k);
            free(x);
            free(y);
        }
    return count;
}

// Three thin sheets: two that lie, and one that flies into them at 30 m/s.
static int fly_into_sheets(bool contacts, bool guard)
{
    enum { SHEETS = 3 };
    pliant_soft_def soft = pliant_soft_defaults();
    soft.cloth.stretch = 100;
    soft.cloth.density = 0.3;
    pliant_world_def def = pliant_world_defaults();
    pliant_world* world = NULL;
    def.substeps = 4;
    def.contacts = contacts;
    def.contact_guard = guard;
    CHECK_OK(pliant_world_create(&def, &world));
    pliant_mesh* mesh = generated("cloth:6x6:0.3x0.3");
    pliant_body_id sheet[SHEETS];
    int found = 0;
    for (int i = 0; i < SHEETS; ++i) {
        touch_def thin = {0.3, 0, 0.001, true};
        sheet[i] = add_at(world, generated("cloth:6x6:0.3x0.3"), &soft,
                          (const double[3]){0.013 * i, 0.004 * i + (i == 2 ? 0.1 : 0), 0.007 * i},
                          vec(0, i == 2 ? -30 : 0, 0), thin);
        if (i < 2) pin_plane(world, sheet[i], 0, -0.15 + 0.013 * i);
    }
    CHECK_OK(pliant_body_teleport(world, sheet[2], (const double[3]){0, 0.108, 0},
                                  (pliant_quat){0.1f, 0, 0.2f, 1}, (const double[3]){0, 0, 0}));
    for (int i = 0; i < by_scope(12, 24, 60); ++i) {
        CHECK_OK(pliant_world_step(world, 1 / 600.0f));
        found += count_crossings(world, sheet, SHEETS, mesh);
        assert_true(guard || pliant_world_contact_stats(world).guard_rounds == 0);
    }
    pliant_mesh_destroy(mesh);
    pliant_world_destroy(world);
    return found;
}

static void fast_sheets_do_not_cross(void** unused)
{
    (void)unused;
    assert_true(fly_into_sheets(false, true) > 0); // the count sees what crosses
    assert_true(fly_into_sheets(true, false) > 0); // contacts alone do not hold it
    assert_int_equal(fly_into_sheets(true, true), 0);
}

// A rope that falls across a rope that is held hangs on it.
static void ropes_meet_between_their_particles(void** unused)
{
    (void)unused;
    pliant_soft_def soft = pliant_soft_defaults();
    soft.rope.radius = 0.01;
    soft.material.young = 1e6;
    pliant_world* world = make_world(60, 1);
    touch_def touch = {0.8, 0, 0, false};
    pliant_body_id held = add_at(world, generated("rope:0.5:5"), &soft,
                                 (const double[3]){-0.25, 0, 0}, vec(0, 0, 0), touch);
    pliant_body_pin(world, held, 0);
    pliant_body_pin(world, held, 5);
    pliant_body_def def = pliant_body_defaults();
    def.position[1] = 0.05;
    def.position[2] = 0.25;
    def.position[0] = 0.012;
    def.rotation = (pliant_quat){0, 0.70710678f, 0, 0.70710678f}; // along z
    pliant_mesh* mesh = generated("rope:0.5:5");
    pliant_body_id falls = new_soft(world, mesh, &soft, &def);
    pliant_mesh_destroy(mesh);
    run(world, 40, 1.0 / 60);
    double low[3], high[3];
    CHECK_OK(pliant_body_bounds(world, falls, low, high));
    CHECK_BETWEEN(high[1], -0.15, 0.1); // 2.2 m lower in free fall
    pliant_world_destroy(world);
}

// ---- who meets whom -----------------------------------------------------------------------------

// A ball above a slab: how low it is after falling for half a second [m].
static double fall_on_slab(const pliant_contact_def* ball, const pliant_contact_def* slab,
                           uint32_t phase)
{
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_world* world = make_world(20, 1);
    pliant_body_id lower = add_at(world, box_mesh((int[3]){4, 1, 4}, 0.1, 0), &soft,
                                  (const double[3]){-0.2, 0, -0.2}, vec(0, 0, 0), PLAIN);
    pin_plane(world, lower, 1, 0);
    pliant_body_id upper = add_at(world, generated("sphere:0.1:4"), &soft,
                                  (const double[3]){0, 0.25, 0}, vec(0, 0, 0), PLAIN);
    CHECK_OK(pliant_body_set_contact(world, upper, ball));
    CHECK_OK(pliant_body_set_contact(world, lower, slab));
    for (int i = 0; phase && i < pliant_body_particle_count(world, upper); ++i)
        pliant_body_set_phase(world, upper, i, phase);
    run(world, 30, 1.0 / 60);
    double y = measure_motion(world, upper).center[1];
    pliant_world_destroy(world);
    return y;
}

static void groups_and_masks_decide_who_meets(void** unused)
{
    (void)unused;
    pliant_contact_def all = pliant_body_defaults().contact, none = all, second = all, first = all;
    none.mask = 0;
    second.group = 2;
    first.mask = 1;
    CHECK_BETWEEN(fall_on_slab(&all, &all, 0), 0.1, 0.3);
    CHECK_BETWEEN(fall_on_slab(&none, &all, 0), -2, -0.5);
    CHECK_BETWEEN(fall_on_slab(&all, &none, 0), -2, -0.5);
    CHECK_BETWEEN(fall_on_slab(&second, &first, 0), -2, -0.5);
    CHECK_BETWEEN(fall_on_slab(&second, &all, 0), 0.1, 0.3);
    CHECK_BETWEEN(fall_on_slab(&all, &first, 2), -2, -0.5); // particles have groups of their own
    CHECK_BETWEEN(fall_on_slab(&all, &first, 3), 0.1, 0.3);
}

// ---- what is odd --------------------------------------------------------------------------------

static void keep_text(const char* text, void* context)
{
    char* to = (char*)context;
    strncat(to, text, 900 - strlen(to));
}

// Two balls that start in each other leave slowly, and somebody is told.
static void bodies_that_start_crossed_are_pulled_apart(void** unused)
{
    (void)unused;
    char told[1000] = "";
    pliant_soft_def soft = pliant_soft_defaults();
    soft.material.damping = 0.002;
    pliant_world* world = make_still_world(20, 1);
    pliant_set_log(keep_text, told);
    pliant_body_id ball[2];
    for (int i = 0; i < 2; ++i)
        ball[i] = add_at(world, generated("sphere:0.2:6"), &soft,
                         (const double[3]){0.37 * i, 0.01 * i, 0}, vec(0, 0, 0), PLAIN);
    double speed = 0, apart = 0;
    for (int i = 0; i < 120; ++i) {
        CHECK_OK(pliant_world_step(world, 1 / 60.0f));
        motion a = measure_motion(world, ball[0]), b = measure_motion(world, ball[1]);
        speed = fmax(speed, fmax(a.speed, b.speed));
        apart = b.center[0] - a.center[0];
    }
    pliant_set_log(NULL, NULL);
    CHECK_BETWEEN(apart, 0.4, 2);
    CHECK_BETWEEN(speed, 0, 1);
    assert_non_null(strstr(told, "bodies 0 and 1 cross each other"));
    pliant_world_destroy(world);
}

static void what_is_held_on_both_sides_stays(void** unused)
{
    (void)unused;
    pliant_body_id box[2];
    pliant_world* world = make_world(10, 1);
    stack_boxes(world, 2, box);
    for (int i = 0; i < 2; ++i)
        for (int k = 0; k < pliant_body_particle_count(world, box[i]); ++k)
            CHECK_OK(pliant_body_pin(world, box[i], k));
    place before = read_place(world, box[1], 3);
    run(world, 3, 1.0 / 60);
    place after = read_place(world, box[1], 3);
    assert_memory_equal(&before, &after, sizeof before);
    pliant_world_destroy(world);
}

static void bodies_come_and_go(void** unused)
{
    (void)unused;
    pliant_body_id box[4];
    pliant_world* world = make_world(0, 1);
    stack_boxes(world, 4, box);
    run(world, 30, 1.0 / 60);
    pliant_body_remove(world, box[3]);
    pliant_contact contact[4];
    int count = 0;
    CHECK_OK(pliant_world_read_contacts(world, contact, 4, &count)); // of the others
    for (int i = 0; i < count && i < 4; ++i) assert_true(contact[i].body[1].index1 < 4);
    run(world, 60, 1.0 / 60);
    double weight = pliant_body_mass(world, box[0]) * G, up[3];
    CHECK_OK(pliant_body_force_of(world, box[1], box[0], up, NULL));
    CHECK_CLOSE(up[1], 2 * weight, 0.02);
    pliant_world_destroy(world);
}

static void bad_definitions_are_refused(void** unused)
{
    (void)unused;
    pliant_world* world = make_world(10, 1);
    pliant_body_id box = add_box(world, 0);
    pliant_contact_def good, bad;
    CHECK_OK(pliant_body_contact(world, box, &good));
    bad = good, bad.thickness = NAN;
    assert_int_equal(pliant_body_set_contact(world, box, &bad), PLIANT_ERROR_ARGUMENT);
    assert_non_null(strstr(pliant_error_text(), "thickness"));
    bad = good, bad.dynamic_friction = -1;
    assert_int_equal(pliant_body_set_contact(world, box, &bad), PLIANT_ERROR_ARGUMENT);
    bad = good, bad.restitution = 1.5f;
    assert_int_equal(pliant_body_set_contact(world, box, &bad), PLIANT_ERROR_ARGUMENT);
    pliant_world_destroy(world);
}

static void different_precisions_are_refused_where_they_may_touch(void** unused)
{
    (void)unused;
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_world* world = make_world(10, 1);
    add_box(world, 0);
    soft.solver.precision = PLIANT_PRECISION_DOUBLE;
    pliant_body_id other = add_soft(world, box_mesh((int[3]){2, 2, 2}, 0.1, 0), &soft, 0.25);
    assert_int_equal(pliant_world_step(world, 1 / 60.0f), PLIANT_ERROR_UNSUPPORTED);
    assert_non_null(strstr(pliant_error_text(), "bodies 0 and 1"));
    CHECK_OK(pliant_body_set_contact(world, other, &(pliant_contact_def){.mask = 0}));
    CHECK_OK(pliant_world_step(world, 1 / 60.0f));
    pliant_world_destroy(world);
}

static void every_allocation_may_fail(void** unused)
{
    (void)unused;
    const failing_world stacked = {"beam:1x1x1", 2, {0, 1.02}, 0.01f, NULL, false};
    check_failing_world(&stacked);
}

int main(void)
{
    pliant_set_log(NULL, NULL);
    const struct CMUnitTest tests[] = {
        usual_test(a_stack_carries_its_weight),
        spare_threads_test(contacts_can_be_read),
        spare_threads_test(begin_and_end_of_touching_are_told),
        usual_test(momentum_is_kept),
        usual_test(a_block_slides_as_coulomb_says),
        cmocka_unit_test(threads_lanes_and_lists_change_no_bit),
        cmocka_unit_test(a_list_has_who_comes_later),
        spare_threads_test(lists_follow_what_changes),
        spare_threads_test(a_step_does_not_depend_on_what_was_before),
        spare_threads_test(a_snapshot_goes_on_with_the_same_bits),
        usual_test(rewinding_leads_back_across_contacts),
        spare_threads_test(fast_sheets_do_not_cross),
        usual_test(ropes_meet_between_their_particles),
        usual_test(groups_and_masks_decide_who_meets),
        usual_test(bodies_that_start_crossed_are_pulled_apart),
        spare_threads_test(what_is_held_on_both_sides_stays),
        usual_test(bodies_come_and_go),
        cmocka_unit_test(bad_definitions_are_refused),
        cmocka_unit_test(different_precisions_are_refused_where_they_may_touch),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
