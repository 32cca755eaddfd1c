// Generalized winding numbers (Jacobson et al. 2013): the solid angle of the surface as seen from
// the point, over 4 pi.
#define PRECISION_DOUBLE
#include "geometry/tree.h"

static const double PI = 3.14159265358979323846;

// A node is far when it is more than this many times its own size away. The error of two moments
// is then a few hundredths at most of a closed surface's winding number.
static const double FAR = 2.3;

// atan(x) for |x| <= 1 to 1e-8, from the four basic operations: the same bits with every libm.
static double small_atan(double x)
{
    // atan(x) = 2 atan(x / (1 + sqrt(1 + x^2))) brings the argument below 0.4143.
    double y = x / (1 + sqrt(1 + x * x)), y2 = y * y;
    double series = 1.0 / 13 - y2 * (1.0 / 15 - y2 * (1.0 / 17));
    series = 1.0 / 9 - y2 * (1.0 / 11 - y2 * series);
    series = 1.0 / 5 - y2 * (1.0 / 7 - y2 * series);
    return 2 * y * (1 - y2 * (1.0 / 3 - y2 * series));
}

static double angle_of(double y, double x)
{
    double across = fabs(y), along = fabs(x);
    if (!(across + along > 0)) return 0;
    double angle =
        across <= along ? small_atan(across / along) : PI / 2 - small_atan(along / across);
    if (x < 0) angle = PI - angle;
    return y < 0 ? -angle : angle;
}

// A sum of angles as a product of complex numbers, so that one arctangent is enough.
typedef struct {
    double re, im;
    int turns; // that the product does not tell
} angle_sum;

// Of an angle between -pi and pi; none where both are 0. Two angles on the same side may be a turn
// away from the angle of their product, which is on the other side then.
static void add_angle(angle_sum* s, double y, double x)
{
    static const double LEAST = 0x1p-600, SMALL = 0x1p-200, LARGER = 0x1p200;
    if (!(fabs(x) + fabs(y) > LEAST)) return;
    double re = s->re * x - s->im * y, im = s->re * y + s->im * x;
    bool up = s->im >= 0, on = y >= 0, above = im >= 0;
    if (up == on && up != above) s->turns += up ? 1 : -1;
    while (fabs(re) + fabs(im) < SMALL) re *= LARGER, im *= LARGER;
    while (fabs(re) + fabs(im) > LARGER) re *= SMALL, im *= SMALL;
    s->re = re, s->im = im;
}

static double sum_of_angles(const angle_sum* s)
{
    return angle_of(s->im, s->re) + 2 * PI * s->turns;
}

// Half of the solid angle (Van Oosterom and Strackee 1983).
static void add_half_solid_angle(const triangle* t, vec3 point, angle_sum* sum)
{
    vec3 a = v3_sub(t->corner[0], point), b = v3_sub(t->corner[1], point);
    vec3 c = v3_sub(t->corner[2], point);
    double la = sqrt(v3_dot(a, a)), lb = sqrt(v3_dot(b, b)), lc = sqrt(v3_dot(c, c));
    double volume = v3_dot(a, v3_cross(b, c));
    double base = la * lb * lc + v3_dot(a, b) * lc + v3_dot(b, c) * la + v3_dot(c, a) * lb;
    add_angle(sum, volume, base);
}

// The flux of r / |r|^3 through the node's areas, expanded about its center.
static double far_flux(const tree_node* n, vec3 r, double r2)
{
    double inverse2 = 1 / r2, inverse3 = inverse2 * sqrt(inverse2);
    double trace = n->moment[0].x + n->moment[1].y + n->moment[2].z;
    double twist = r.x * v3_dot(n->moment[0], r) + r.y * v3_dot(n->moment[1], r) +
                   r.z * v3_dot(n->moment[2], r);
    return inverse3 * (v3_dot(n->area, r) + trace - 3 * inverse2 * twist);
}

double tree_winding(const tree* t, vec3 point)
{
    double flux = 0;
    angle_sum half_angles = {.re = 1};
    for (int i = 0; i < t->node_count;) {
        const tree_node* n = &t->node[i];
        vec3 r = v3_sub(n->center, point);
        double r2 = v3_dot(r, r);
        if (r2 > FAR * FAR * n->reach2) {
            flux += far_flux(n, r, r2);
            i = n->next;
            continue;
        }
        for (int k = n->first; n->next == i + 1 && k < n->first + n->count; ++k)
            add_half_solid_angle(&t->triangle[k], point, &half_angles);
        ++i;
    }
    return (flux + 2 * sum_of_angles(&half_angles)) / (4 * PI);
}
