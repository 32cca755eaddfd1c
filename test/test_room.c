// The least translation out of colliders, against many directions.
#include "base/random.h"
#include "check.h"
#include "collide/room.h"
#include <string.h>

enum { POINTS = 64, DIRECTIONS = 2000 };

typedef struct {
    double point[3 * POINTS], radius[POINTS];
} cluster;

static void random_direction(random_source* r, double out[3])
{
    random_in_ball(r, out);
    double length = sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2]);
    for (int k = 0; k < 3; ++k) out[k] /= length;
}

// A cube of points of 0.6 m, turned and moved by chance.
static point_set scatter(random_source* r, cluster* c)
{
    double x[3], y[3], z[3], middle[3];
    random_direction(r, x);
    random_direction(r, y);
    double along = x[0] * y[0] + x[1] * y[1] + x[2] * y[2], square = 0;
    for (int k = 0; k < 3; ++k) {
        y[k] -= along * x[k];
        square += y[k] * y[k];
        middle[k] = random_range(r, -0.3, 0.3);
    }
    for (int k = 0; k < 3; ++k) y[k] /= sqrt(square);
    for (int k = 0; k < 3; ++k)
        z[k] = x[(k + 1) % 3] * y[(k + 2) % 3] - x[(k + 2) % 3] * y[(k + 1) % 3];
    for (int i = 0; i < POINTS; ++i) {
        const double at[3] = {i % 4 * 0.2 - 0.3, i / 4 % 4 * 0.2 - 0.3, i / 16 * 0.2 - 0.3};
        for (int k = 0; k < 3; ++k)
            c->point[3 * i + k] = middle[k] + at[0] * x[k] + at[1] * y[k] + at[2] * z[k];
        c->radius[i] = 0.01;
    }
    return (point_set){c->point, c->radius, POINTS};
}

static collider shape_of(pliant_shape shape)
{
    collider c = {.shape = shape,
                  .axis = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                  .half_extents = {0.7, 0.4, 0.5},
                  .radius = 0.45,
                  .half_height = 0.5};
    c.reach = collider_reach(&c);
    return c;
}

static double depth_after(const cluster* c, const collider* list, int count, const double way[3])
{
    cluster moved = *c;
    point_set set = {moved.point, moved.radius, POINTS};
    double deepest = -INFINITY;
    for (int i = 0; i < 3 * POINTS; ++i) moved.point[i] += way[i % 3];
    for (int i = 0; i < count; ++i) deepest = fmax(deepest, points_depth(&set, &list[i]));
    return deepest;
}

// Convex shapes: what is outside by a part of the way would be outside by a shorter one.
static void check_least(const collider* list, int count, uint64_t seed)
{
    random_source r = {seed};
    cluster c;
    double worst = 0;
    for (int trial = 0; trial < 10; ++trial) {
        double way[3], length = 0, shorter[3];
        point_set set = scatter(&r, &c);
        assert_true(points_find_room(&set, list, count, INFINITY, way));
        for (int k = 0; k < 3; ++k) length += way[k] * way[k];
        length = sqrt(length);
        worst = fmax(worst, depth_after(&c, list, count, way));
        for (int i = 0; i < DIRECTIONS; ++i) {
            random_direction(&r, shorter);
            for (int k = 0; k < 3; ++k) shorter[k] *= 0.95 * length;
            if (depth_after(&c, list, count, shorter) <= 0)
                fail_msg("shape %d, trial %d: %g m are not the least", (int)list->shape, trial,
                         length);
        }
    }
    CHECK_BETWEEN(worst, -1, 1e-8);
}

static void no_direction_leads_out_sooner(void** unused)
{
    (void)unused;
    const pliant_shape shapes[] = {PLIANT_SHAPE_BOX, PLIANT_SHAPE_SPHERE, PLIANT_SHAPE_CAPSULE,
                                   PLIANT_SHAPE_PLANE};
    for (int i = 0; i < 4; ++i) {
        collider c = shape_of(shapes[i]);
        check_least(&c, 1, 7 + (uint64_t)i);
    }
}

static void no_direction_leads_out_of_a_corner_sooner(void** unused)
{
    (void)unused;
    collider walls[3] = {shape_of(PLIANT_SHAPE_PLANE), shape_of(PLIANT_SHAPE_PLANE),
                         shape_of(PLIANT_SHAPE_PLANE)};
    const double normal[2][3] = {{0.8, 0.6, 0}, {-0.36, 0.48, 0.8}};
    for (int i = 0; i < 2; ++i) memcpy(walls[i + 1].axis[1], normal[i], sizeof normal[i]);
    check_least(walls, 3, 3);
}

static void between_plates_there_is_no_room(void** unused)
{
    (void)unused;
    random_source r = {5};
    cluster c;
    double way[3];
    collider plates[2] = {shape_of(PLIANT_SHAPE_PLANE), shape_of(PLIANT_SHAPE_PLANE)};
    plates[1].position[1] = 0.3;
    plates[1].axis[1][1] = -1;
    point_set set = scatter(&r, &c);
    assert_false(points_find_room(&set, plates, 2, INFINITY, way));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_direction_leads_out_sooner),
        cmocka_unit_test(no_direction_leads_out_of_a_corner_sooner),
        cmocka_unit_test(between_plates_there_is_no_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
