// A tet with corners inside and outside is cut through its edges. What stays is a tet, a pyramid or
// a prism. Pyramids and prisms have quadrilateral faces on the faces of the lattice, which both
// tets at the face have to divide alike (Labelle and Shewchuk 2007):
// - Where one of the cut edges is long and one short, by the diagonal that ends at the cut of the
//   long one.
// - Where both are short, by the diagonal from the corner that the outer corner exceeds in an even
//   number of coordinates. It is one of the two, and goes around a long edge alternately.
#include "tetra/stencil.h"

typedef struct {
    const stencil_corner* corner;
    stencil_tet* out;
    int count;
} filling;

static stencil_point point_at(int c)
{
    stencil_point p = {c, c};
    return p;
}

static stencil_point cut_between(int a, int b)
{
    stencil_point p = {a, b};
    return p;
}

// ---- tets ---------------------------------------------------------------------------------------

// Where a point is before the warp, in quarter cells; cuts are taken to be in the middle, which
// does not change how a tet turns.
static void nominal_place(const filling* f, stencil_point p, int out[3])
{
    for (int k = 0; k < 3; ++k) out[k] = f->corner[p.first].at[k] + f->corner[p.second].at[k];
}

static int volume_sign(const filling* f, const stencil_point p[4])
{
    int x[4][3], e[3][3];
    for (int i = 0; i < 4; ++i) nominal_place(f, p[i], x[i]);
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) e[i][k] = x[i + 1][k] - x[0][k];
    return e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) +
           e[0][1] * (e[1][2] * e[2][0] - e[1][0] * e[2][2]) +
           e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]);
}

static void add_tet(filling* f, stencil_point a, stencil_point b, stencil_point c, stencil_point d)
{
    stencil_point p[4] = {a, b, c, d};
    if (volume_sign(f, p) < 0) p[0] = b, p[1] = a;
    for (int i = 0; i < 4; ++i) f->out[f->count][i] = p[i];
    f->count += 1;
}

// ---- diagonals ----------------------------------------------------------------------------------

static bool is_long(const filling* f, int a, int b)
{
    // Long edges run between corners of one kind: their coordinates differ by an even number.
    return (f->corner[a].at[0] - f->corner[b].at[0]) % 2 == 0;
}

static bool exceeds_evenly(const int a[3], const int b[3])
{
    return (((a[0] > b[0]) + (a[1] > b[1]) + (a[2] > b[2])) % 2) == 0;
}

// Whether the quadrilateral over the inner edge (a, b) and the cuts of (a, outer) and (b, outer) is
// divided by the diagonal from a.
static bool starts_at_first(const filling* f, int a, int b, int outer)
{
    if (is_long(f, a, outer)) return false; // it ends at the cut of (a, outer), at b
    if (is_long(f, b, outer)) return true;
    return exceeds_evenly(f->corner[outer].at, f->corner[a].at);
}

// ---- pyramids and prisms ------------------------------------------------------------------------

// The quadrilateral a b d c (c beside a, d beside b) and an apex.
static void add_pyramid(filling* f, const stencil_point quad[4], bool diagonal_ad,
                        stencil_point apex)
{
    stencil_point a = quad[0], b = quad[1], c = quad[2], d = quad[3];
    add_tet(f, a, diagonal_ad ? d : b, c, apex);
    add_tet(f, diagonal_ad ? a : c, b, d, apex);
}

// A prism from triangle `low` to triangle `high`. rising[i]: the side from i to i + 1 is divided by
// the diagonal from low[i] to high[i + 1]. They are not all the same: that prism has no tets.
static void add_prism(filling* f, const stencil_point low[3], const stencil_point high[3],
                      const bool rising[3])
{
    // Two diagonals leave one corner of the lower triangle: the one that is before a rising side
    // and behind a falling one.
    int i = 0;
    while (!(rising[i] && !rising[(i + 2) % 3])) ++i;
    int j = (i + 1) % 3, k = (i + 2) % 3;
    add_tet(f, low[i], high[i], high[j], high[k]);
    const stencil_point side[4] = {low[j], low[k], high[j], high[k]};
    add_pyramid(f, side, rising[j], low[i]);
}

// Inner corners a and b, outer ones c and d.
static void cut_two_from_two(filling* f, const int in[2], const int out[2])
{
    int a = in[0], b = in[1], c = out[0], d = out[1];
    const stencil_point low[3] = {point_at(a), cut_between(a, c), cut_between(a, d)};
    const stencil_point high[3] = {point_at(b), cut_between(b, c), cut_between(b, d)};
    // One of the diagonals toward c and d starts at a and one at b, by both rules. So the side on
    // the surface, which is free, has to go the other way.
    bool from_a = starts_at_first(f, a, b, c);
    const bool rising[3] = {from_a, !from_a, !starts_at_first(f, a, b, d)};
    add_prism(f, low, high, rising);
}

static void cut_one_from_three(filling* f, const int in[3], int out)
{
    stencil_point low[3], high[3];
    bool rising[3];
    for (int i = 0; i < 3; ++i) {
        low[i] = point_at(in[i]);
        high[i] = cut_between(in[i], out);
        rising[i] = starts_at_first(f, in[i], in[(i + 1) % 3], out);
    }
    add_prism(f, low, high, rising);
}

static void cut_one_from_two(filling* f, const int in[2], int zero, int out)
{
    const stencil_point quad[4] = {point_at(in[0]), point_at(in[1]), cut_between(in[0], out),
                                   cut_between(in[1], out)};
    add_pyramid(f, quad, starts_at_first(f, in[0], in[1], out), point_at(zero));
}

// One inner corner: what is outside moves to the cuts.
static void keep_one(filling* f, int in)
{
    stencil_point p[4];
    for (int c = 0; c < 4; ++c) p[c] = f->corner[c].sign > 0 ? cut_between(in, c) : point_at(c);
    add_tet(f, p[0], p[1], p[2], p[3]);
}

int stencil_fill(const stencil_corner corner[4], stencil_tet out[3])
{
    filling f = {corner, out, 0};
    int in[4], outer[4], zero[4], ins = 0, outers = 0, zeros = 0;
    for (int c = 0; c < 4; ++c) {
        if (corner[c].sign < 0)
            in[ins++] = c;
        else if (corner[c].sign > 0)
            outer[outers++] = c;
        else
            zero[zeros++] = c;
    }
    if (ins == 0) return 0;
    if (outers == 0)
        add_tet(&f, point_at(0), point_at(1), point_at(2), point_at(3));
    else if (ins == 1)
        keep_one(&f, in[0]);
    else if (ins == 3)
        cut_one_from_three(&f, in, outer[0]);
    else if (outers == 2)
        cut_two_from_two(&f, in, outer);
    else
        cut_one_from_two(&f, in, zero[0], outer[0]);
    return f.count;
}
