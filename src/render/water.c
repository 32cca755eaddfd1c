#include "render/water.h"
#include <math.h>

static const double INDEX = 1.33; // of refraction
enum { BENDS = 8 };               // after which a ray has come from anywhere

static const vec3 WHITE = {1, 1, 1};

static vec3 exp_of(vec3 a) { return v3(exp(-a.x), exp(-a.y), exp(-a.z)); }

// ---- where it comes from ------------------------------------------------------------------------

// The sky, and the haze below the horizon.
static vec3 sky_color(vec3 way)
{
    const vec3 zenith = {0.36, 0.55, 0.80}, horizon = {0.93, 0.94, 0.95},
               below = {0.80, 0.81, 0.82};
    double up = way.y;
    if (up <= 0) return v3_mix(horizon, below, fmin(-4 * up, 1));
    return v3_mix(horizon, zenith, sqrt(fmin(up, 1)));
}

// A solid, a plane or the sky: what is seen along a ray, but for liquids. The distance is infinite
// for the sky.
static vec3 beyond(const lighting* l, vec3 from, vec3 way, double* out_distance)
{
    surface_point s = shade_trace(l, from, way);
    *out_distance = s.depth;
    if (!isfinite(s.depth)) return sky_color(way);
    return v3_mix(shade_lit(l, &s, v3_neg(way)), sky_color(v3(way.x, fmax(way.y, 0), way.z)),
                  s.fade);
}

// The sun itself in a mirror.
static vec3 glint(const lighting* l, vec3 from, vec3 way)
{
    double near = v3_dot(way, l->sun);
    if (near < 0.98) return v3(0, 0, 0);
    const surface_point at = {.point = from, .normal = l->sun};
    double part = (near - 0.98) / 0.02;
    return v3_scale(18 * part * part * part * part * shade_sun(l, &at), v3(1, 0.96, 0.90));
}

// ---- at a surface -------------------------------------------------------------------------------

// The normal of a liquid's face at a place of it, smooth, on the side that the ray comes from.
typedef struct {
    vec3 point, normal;
    bool enters;
    const liquid_look* look;
} crossing;

static crossing crossing_at(const lighting* l, vec3 from, vec3 way, double distance, int number)
{
    const model* m = l->model;
    const face* f = &m->face[number];
    vec3 point = v3_add_scaled(from, distance, way), n = shade_normal(l, number, from, way);
    vec3 a = m->vertex[f->corner[0]];
    vec3 flat = v3_cross(v3_sub(m->vertex[f->corner[1]], a), v3_sub(m->vertex[f->corner[2]], a));
    bool enters = v3_dot(flat, way) < 0;
    if (!enters) n = v3_neg(n), flat = v3_neg(flat);
    // A smooth normal that faces away would turn the light around.
    if (v3_dot(n, way) > -0.02) n = v3_unit(v3_add_scaled(n, -0.02 - v3_dot(n, way), way));
    return (crossing){point, n, enters, &m->liquid[m->paint[f->paint].liquid]};
}

// The part that is thrown back, and where the rest goes; 1 where nothing gets through.
static double bend(const crossing* c, vec3 way, vec3* out)
{
    double eta = c->enters ? 1 / INDEX : INDEX, in = -v3_dot(c->normal, way);
    double rest = 1 - eta * eta * (1 - in * in);
    if (rest <= 0) return 1;
    double through = sqrt(rest), n1 = c->enters ? 1 : INDEX, n2 = c->enters ? INDEX : 1;
    double across = (n1 * in - n2 * through) / (n1 * in + n2 * through);
    double along = (n1 * through - n2 * in) / (n1 * through + n2 * in);
    *out = v3_unit(v3_add_scaled(v3_scale(eta, way), eta * in - through, c->normal));
    return 0.5 * (across * across + along * along);
}

static vec3 mirrored(const crossing* c, vec3 way)
{
    return v3_unit(v3_add_scaled(way, -2 * v3_dot(way, c->normal), c->normal));
}

// What a ray in the liquid gets from light that the liquid scatters: its own color where it is
// deep.
static vec3 haze(const liquid_look* look, double length)
{
    double part = 1 - exp(-0.5 * look->haze * length);
    return v3_scale(0.4 * part, look->color);
}

// ---- a ray --------------------------------------------------------------------------------------

typedef struct {
    vec3 from, way, left, sum; // how much of it is left, and what it has gathered
    bool inside;
    const liquid_look* look;
} beam;

// To the next surface of a liquid, or to what is before it. False where it ends.
static bool go_on(const lighting* l, beam* b, trace_hit* out)
{
    double solid;
    const double lift = 1e-5 * l->size;
    vec3 color = beyond(l, b->from, b->way, &solid);
    *out = trace_liquid(&l->tracer, b->from, b->way, lift, solid);
    double length = out->number >= 0 ? out->distance : solid;
    if (b->inside && isfinite(length)) {
        b->sum = v3_add(b->sum, v3_times(b->left, haze(b->look, length)));
        b->left = v3_times(b->left, exp_of(v3_scale(length, b->look->absorb)));
    }
    if (out->number >= 0) return true;
    b->sum = v3_add(b->sum, v3_times(b->left, color));
    return false;
}

// Between a liquid and what it lies on is no air: the gap is that of the particles.
static bool is_wet(const lighting* l, const crossing* c, vec3 way)
{
    double far = c->look->gap / fmax(-v3_dot(c->normal, way), 0.1);
    return !c->enters && shade_trace(l, c->point, way).depth < far;
}

static void cross(const lighting* l, beam* b, trace_hit hit, bool first)
{
    crossing c = crossing_at(l, b->from, b->way, hit.distance, hit.number);
    vec3 through = b->way, back = mirrored(&c, b->way);
    double part = bend(&c, b->way, &through), far;
    b->from = c.point;
    b->look = c.look;
    if (is_wet(l, &c, b->way)) {
        b->inside = false;
        return;
    }
    if (part >= 1) { // it stays inside
        b->way = back;
        return;
    }
    vec3 seen = first      ? v3_add(beyond(l, c.point, back, &far), glint(l, c.point, back))
                : c.enters ? sky_color(back)
                           : v3_scale(0.5, c.look->color);
    b->sum = v3_add(b->sum, v3_times(b->left, v3_scale(part, seen)));
    b->left = v3_scale(1 - part, b->left);
    b->way = through;
    b->inside = c.enters;
}

vec3 water_color(const lighting* l, vec3 origin, vec3 direction, double distance, int number)
{
    beam b = {.from = origin, .way = direction, .left = WHITE};
    trace_hit hit = {number, distance};
    const crossing first = crossing_at(l, origin, direction, distance, number);
    if (!first.enters) { // the viewer is in it
        b.sum = haze(first.look, distance);
        b.left = exp_of(v3_scale(distance, first.look->absorb));
        b.inside = true;
        b.look = first.look;
    }
    for (int i = 0; i < BENDS; ++i) {
        cross(l, &b, hit, i == 0);
        if (b.left.x + b.left.y + b.left.z < 0.01 || !go_on(l, &b, &hit)) return b.sum;
    }
    return v3_add(b.sum, v3_times(b.left, sky_color(b.way)));
}

vec3 water_shadow(const lighting* l, vec3 point)
{
    const double DARKEST = 0.62; // where much is thrown back and bent away
    vec3 way = trace_absorption(&l->tracer, point, l->sun);
    double most = fmax(way.x, fmax(way.y, way.z));
    if (!(most > 0)) return WHITE;
    double bent = DARKEST + (1 - DARKEST) * exp(-3 * most);
    return v3_scale(bent, exp_of(way));
}
