#define PRECISION_DOUBLE
#include "skin/lever.h"

// Halves of the directions to the neighbors in a grid: the farthest vertices along them and against
// them are candidates.
enum { DIRECTIONS = 13, CANDIDATES = 2 * DIRECTIONS };

typedef struct {
    const tet_tree* tree;
    const int* owner;
    int chosen; // owner
    vec3 center;
    double radius;
    int vertex[CANDIDATES]; // -1: none
    double along[CANDIDATES];
} search;

static vec3 vertex_at(const tet_tree* t, int vertex)
{
    const double* x = t->vertex + 3 * (size_t)vertex;
    return v3(x[0], x[1], x[2]);
}

static vec3 direction(int i)
{
    int n = i + 14; // behind the middle of 27
    double x = n % 3 - 1, y = n / 3 % 3 - 1, z = n / 9 - 1;
    return v3_scale(1 / sqrt(x * x + y * y + z * z), v3(x, y, z));
}

static void look_at_tet(int tet, void* context)
{
    search* s = (search*)context;
    if (s->owner[tet] != s->chosen) return;
    int vertex = s->tree->tets[4 * (size_t)tet];
    vec3 arm = v3_sub(vertex_at(s->tree, vertex), s->center);
    if (v3_dot(arm, arm) > s->radius * s->radius) return;
    for (int i = 0; i < CANDIDATES; ++i) {
        double along = v3_dot(arm, direction(i / 2)) * (i % 2 ? -1 : 1);
        if (s->vertex[i] >= 0 && along <= s->along[i]) continue;
        s->vertex[i] = vertex;
        s->along[i] = along;
    }
}

// How far a candidate is from the point, line or plane of those chosen so far, times the size of
// what these span.
static double spread(const tet_tree* t, const int corner[4], int count, int candidate)
{
    vec3 p = v3_sub(vertex_at(t, candidate), vertex_at(t, corner[0]));
    if (count == 1) return v3_dot(p, p);
    vec3 a = v3_sub(vertex_at(t, corner[1]), vertex_at(t, corner[0]));
    vec3 across = v3_cross(a, p);
    if (count == 2) return v3_dot(across, across);
    vec3 b = v3_sub(vertex_at(t, corner[2]), vertex_at(t, corner[0]));
    return fabs(v3_dot(b, across));
}

static int farthest(const search* s, const int corner[4], int count, double* out_spread)
{
    int best = -1;
    *out_spread = 0;
    for (int i = 0; i < CANDIDATES; ++i) {
        if (s->vertex[i] < 0) continue;
        double far = spread(s->tree, corner, count, s->vertex[i]);
        if (!(far > *out_spread)) continue;
        *out_spread = far;
        best = s->vertex[i];
    }
    return best;
}

bool lever_find(const tet_tree* t, const int* owner, int chosen, vec3 center, double radius,
                int out_corner[4])
{
    search s = {.tree = t, .owner = owner, .chosen = chosen, .center = center, .radius = radius};
    double far = 0;
    for (int i = 0; i < CANDIDATES; ++i) s.vertex[i] = -1;
    tet_tree_look_around(t, center, radius, look_at_tet, &s);
    out_corner[0] = s.vertex[0];
    for (int count = 1; count < 4 && out_corner[count - 1] >= 0; ++count)
        out_corner[count] = farthest(&s, out_corner, count, &far);
    // Six times the volume; flatter than this is no better than a tet.
    return s.vertex[0] >= 0 && out_corner[1] >= 0 && out_corner[2] >= 0 && out_corner[3] >= 0 &&
           far > 1e-3 * radius * radius * radius;
}
