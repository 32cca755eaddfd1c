// Every way in which a surface can cut and warp a lattice tet, at the ends of what the warp allows:
// the tets that come of it keep their orientation and their angles.
#include "tetra/stencil.h"

#include "check.h"

enum { LONG_STEPS = 6, STEPS = 14 };
static const int steps[STEPS][3] = {
    {2, 0, 0},  {-2, 0, 0}, {0, 2, 0},  {0, -2, 0},  {0, 0, 2},   {0, 0, -2},  {1, 1, 1},
    {1, 1, -1}, {1, -1, 1}, {-1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}, {-1, -1, -1},
};
static const double warp_long = 0.24999, warp_short = 0.41189; // as in tetra/warp.c

typedef struct {
    stencil_corner corner[4];
    double place[4][3];
    double cut[4][4]; // part of the way from one corner to the other
} cell;

// Two centers and an edge of the square between them; the second is the mirror image.
static cell make_cell(bool mirrored)
{
    static const int at[2][4][3] = {{{0, 0, 0}, {2, 0, 0}, {1, 1, 1}, {1, -1, 1}},
                                    {{0, 0, 0}, {2, 0, 0}, {1, -1, 1}, {1, -1, -1}}};
    cell c = {0};
    for (int i = 0; i < 4; ++i) {
        c.corner[i].vertex = i;
        memcpy(c.corner[i].at, at[mirrored][i], sizeof c.corner[i].at);
    }
    return c;
}

static void set_signs(cell* c, int code)
{
    for (int i = 0; i < 4; ++i, code /= 3) c->corner[i].sign = code % 3 - 1;
}

static int power(int base, int exponent) { return exponent ? base * power(base, exponent - 1) : 1; }

static int count_zeros(const cell* c)
{
    int zeros = 0;
    for (int i = 0; i < 4; ++i) zeros += c->corner[i].sign == 0;
    return zeros;
}

// Corners on the surface have come there along one of their edges, or were there before.
static void set_places(cell* c, int code)
{
    for (int i = 0; i < 4; ++i) {
        for (int k = 0; k < 3; ++k) c->place[i][k] = c->corner[i].at[k];
        if (c->corner[i].sign != 0) continue;
        int step = code % (STEPS + 1);
        code /= STEPS + 1;
        double part = step < LONG_STEPS ? warp_long : warp_short;
        for (int k = 0; step < STEPS && k < 3; ++k) c->place[i][k] += part * steps[step][k];
    }
}

static void set_cuts(cell* c, int code)
{
    for (int i = 0; i < 4; ++i)
        for (int j = i + 1; j < 4; ++j, code /= 2) {
            bool is_long = (c->corner[i].at[0] - c->corner[j].at[0]) % 2 == 0;
            double least = is_long ? warp_long : warp_short;
            c->cut[i][j] = code % 2 ? 1 - least : least;
            c->cut[j][i] = 1 - c->cut[i][j];
        }
}

static void place_point(const cell* c, stencil_point p, double out[3])
{
    double part = p.first == p.second ? 0 : c->cut[p.first][p.second];
    for (int k = 0; k < 3; ++k)
        out[k] = c->place[p.first][k] + part * (c->place[p.second][k] - c->place[p.first][k]);
}

static void cell_tet(const cell* c, stencil_point p[4], double x[4][3])
{
    for (int i = 0; i < 4; ++i) place_point(c, p[i], x[i]);
}

static pliant_mesh_quality measure_tet(double x[4][3])
{
    static const int corners[4] = {0, 1, 2, 3};
    pliant_mesh* mesh = NULL;
    pliant_mesh_quality q;
    CHECK_OK(pliant_mesh_create(
        &(pliant_mesh_arrays){.vertices = x[0], .vertex_count = 4, .tets = corners, .tet_count = 1},
        &mesh));
    CHECK_OK(pliant_mesh_measure(mesh, &q));
    pliant_mesh_destroy(mesh);
    return q;
}

// Returns the smallest angle of one kind of cell, or -1 when a tet is turned inside out.
static double smallest_angle(cell* c)
{
    stencil_tet tet[3];
    double least = 180, x[4][3];
    int count = stencil_fill(c->corner, tet), warps = power(STEPS + 1, count_zeros(c));
    for (int warp = 0; count > 0 && warp < warps; ++warp)
        for (int cut = 0; cut < 64; ++cut) {
            set_places(c, warp);
            set_cuts(c, cut);
            // With two corners on the surface one edge is cut at most: not all 64 ways differ.
            if (count_zeros(c) > 1 && cut != 0 && cut != 63) continue;
            for (int t = 0; t < count; ++t) {
                cell_tet(c, tet[t], x);
                pliant_mesh_quality q = measure_tet(x);
                least = fmin(least, q.inverted_tets ? -1 : q.min_dihedral);
            }
        }
    return least;
}

static void angles_hold_for_every_cut_and_warp(void** state)
{
    (void)state;
    double least = 180;
    for (int mirrored = 0; mirrored < 2; ++mirrored)
        for (int signs = 0; signs < 81; ++signs) {
            cell c = make_cell(mirrored);
            set_signs(&c, signs);
            least = fmin(least, smallest_angle(&c));
        }
    print_message("smallest dihedral angle of all stencils: %.3f degrees\n", least);
    CHECK_BETWEEN(least, 9, 10);
}

static double volume_of(double x[4][3])
{
    double e[3][3];
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) e[i][k] = x[i + 1][k] - x[0][k];
    return (e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) +
            e[0][1] * (e[1][2] * e[2][0] - e[1][0] * e[2][2]) +
            e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0])) /
           6;
}

// Inside and outside together are the whole tet, unless all of it is on the surface.
static void inside_and_outside_fill_the_tet(void** state)
{
    (void)state;
    for (int signs = 0; signs < 81; ++signs) {
        cell c = make_cell(false);
        stencil_tet tet[3];
        double volume = 0, x[4][3];
        set_signs(&c, signs);
        if (count_zeros(&c) == 4) continue;
        set_cuts(&c, 21);
        for (int side = 0; side < 2; ++side) {
            for (int i = 0; i < 4; ++i) {
                c.corner[i].sign *= side ? -1 : 1;
                for (int k = 0; k < 3; ++k) c.place[i][k] = c.corner[i].at[k];
            }
            int count = stencil_fill(c.corner, tet);
            for (int t = 0; t < count; ++t) {
                cell_tet(&c, tet[t], x);
                volume += volume_of(x);
            }
        }
        // The part of the surface in the tet may be bent, and each side divides it its own way.
        CHECK_CLOSE(volume, 2.0 / 3, 1e-2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        numbers_test(angles_hold_for_every_cut_and_warp),
        cmocka_unit_test(inside_and_outside_fill_the_tet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
