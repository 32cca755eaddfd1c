// Colliders that meet triangles and edges, and are met at any speed.
#include "failing.h"
#include "scene.h"
#include "world/world.h"

static const double G = 9.81;

// ---- scenes -------------------------------------------------------------------------------------

static pliant_collider_def ball_def(double radius, double x, double y, double z)
{
    pliant_collider_def def = pliant_collider_defaults();
    def.shape = PLIANT_SHAPE_SPHERE;
    def.radius = (float)radius;
    def.position[0] = x;
    def.position[1] = y;
    def.position[2] = z;
    def.measure_force = true;
    return def;
}

static pliant_collider_def plate_def(double x, double y, double z)
{
    pliant_collider_def def = pliant_collider_defaults();
    def.shape = PLIANT_SHAPE_BOX;
    def.half_extents = vec(x, y, z);
    def.measure_force = true;
    return def;
}

// Cells of 0.1 m around the origin, in the plane y = 0.
static pliant_body_id add_sheet(pliant_world* world, double y, pliant_vec3 velocity)
{
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_mesh* mesh = generate("cloth:10x10:1x1");
    pliant_body_def def = pliant_body_defaults();
    def.position[1] = y;
    def.velocity = velocity;
    pliant_body_id id = new_soft(world, mesh, &soft, &def);
    if (!id.index1) fail_msg("%s", pliant_error_text());
    pliant_mesh_destroy(mesh);
    return id;
}

static pliant_body_id add_block(pliant_world* world, double y, pliant_vec3 velocity)
{
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_mesh* mesh = box_mesh((int[3]){2, 2, 2}, 0.1, 0);
    pliant_body_def def = pliant_body_defaults();
    def.position[1] = y;
    def.velocity = velocity;
    pliant_body_id id = new_soft(world, mesh, &soft, &def);
    if (!id.index1) fail_msg("%s", pliant_error_text());
    pliant_mesh_destroy(mesh);
    return id;
}

static double lowest(const pliant_world* world, pliant_body_id id, double* out_highest)
{
    int count = pliant_body_particle_count(world, id);
    place* x = read_places(world, id);
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < count; ++i) {
        low = fmin(low, x[i].x[1]);
        high = fmax(high, x[i].x[1]);
    }
    free(x);
    if (out_highest) *out_highest = high;
    return low;
}

// ---- nothing passes -----------------------------------------------------------------------------

// A ball goes up through the middle of a cell of a pinned sheet.
static void check_ball(double speed, int substeps)
{
    pliant_world* world = make_still_world(substeps, 1);
    pliant_body_id sheet = add_sheet(world, 0, vec(0, 0, 0));
    pliant_collider_def ball = ball_def(0.033, 0.033, -0.2, 0.055);
    ball.velocity = vec(0, speed, 0);
    pliant_collider_id id = new_collider(world, &ball);
    for (int i = 0; i < 30; ++i) {
        double high, low;
        pliant_collider_info info;
        CHECK_OK(pliant_world_step(world, 1 / 240.0f));
        CHECK_OK(pliant_collider_describe(world, id, &info));
        low = lowest(world, sheet, &high);
        if (getenv("SHOW")) {
            pliant_contact_stats st = pliant_world_contact_stats(world);
            double f[3];
            CHECK_OK(pliant_collider_force(world, id, f, NULL));
            motion m = measure_motion(world, sheet);
            printf("%2d ball %.4f sheet %.4f %.4f pairs %d contacts %d rounds %d stopped %d deep %.4f f %g  p %g\n", i, info.position[1], low, high, st.near_pairs, st.contacts, st.guard_rounds, st.stopped, st.deepest, f[1], m.momentum[1]);
        }
        if (!(high > info.position[1])) fail_msg("at %g m/s the ball is at %g, the sheet at %g", speed, info.position[1], high);
    }
    pliant_world_destroy(world);
}

static void small_ball_does_not_pass_cloth(void** unused)
{
    (void)unused;
    const double speeds[] = {5, 20, 50};
    for (int i = 0; i < 3; ++i) {
        check_ball(speeds[i], 0);
        check_ball(speeds[i], 2);
    }
}

static void fast_bodies_do_not_pass_a_plate(void** unused)
{
    (void)unused;
    for (int kind = 0; kind < 2; ++kind)
        for (int few = 0; few < 2; ++few) {
            pliant_world* world = make_world(few ? 2 : 0, 1);
            pliant_collider_def plate = plate_def(2, 0.01, 2);
            pliant_collider_id id = new_collider(world, &plate);
            pliant_body_id thing = kind ? add_sheet(world, 0.5, vec(0, -50, 0)) : add_block(world, 0.5, vec(0, -50, 0));
            double impulse = 0, before = measure_motion(world, thing).momentum[1], mass = measure_motion(world, thing).mass;
            for (int i = 0; i < 60; ++i) {
                double high, low, f[3];
                CHECK_OK(pliant_world_step(world, 1 / 240.0f));
                low = lowest(world, thing, &high);
                CHECK_OK(pliant_collider_force(world, id, f, NULL));
                impulse -= f[1] / 240;
                if (getenv("SHOW")) {
                    pliant_contact_stats st = pliant_world_contact_stats(world);
                    double now = measure_motion(world, thing).momentum[1];
                    printf("%2d body %.4f %.4f pairs %d contacts %d rounds %d stopped %d deep %.4f f %g gain %g impulse %g\n", i, low, high, st.near_pairs, st.contacts, st.guard_rounds, st.stopped, st.deepest, f[1],
                    now - before + mass * G * (i + 1) / 240, impulse);
                }
                if (!(low > 0)) fail_msg("%s went to %g", kind ? "sheet" : "block", low);
            }
            pliant_world_destroy(world);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_ball_does_not_pass_cloth),
        cmocka_unit_test(fast_bodies_do_not_pass_a_plate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
