// Vertices moved to better places: by trying, since the worst of several tets has no derivative.
#define PRECISION_DOUBLE
#include "repair/angle.h"
#include "repair/moves.h"

// Worst tet around v, or something below `enough`.
static double star_quality(const complex* c, int v, double enough)
{
    const int_list* around = &c->knots[v].around;
    double worst = 1;
    for (int i = 0; i < around->count && worst >= enough; ++i) {
        const int* t = c->cells[around->item[i]].corner;
        worst = fmin(worst, tet_quality(place_of(c, t[0]), place_of(c, t[1]), place_of(c, t[2]),
                                        place_of(c, t[3])));
    }
    return worst;
}

static bool star_is_in_one_region(const complex* c, int v)
{
    const int_list* around = &c->knots[v].around;
    for (int i = 1; i < around->count; ++i)
        if (c->cells[around->item[i]].region != c->cells[around->item[0]].region) return false;
    return around->count > 0;
}

static bool faces_stay_near(const repair* r, int v)
{
    const int_list* around = &r->c.knots[v].around;
    for (int i = 0; i < around->count; ++i) {
        const cell* t = &r->c.cells[around->item[i]];
        for (int f = 0; f < 4; ++f) {
            if (!(t->outer >> f & 1) || t->corner[f] == v) continue;
            if (!envelope_holds(&r->surface, place_of(&r->c, t->corner[(f + 1) % 4]),
                                place_of(&r->c, t->corner[(f + 2) % 4]),
                                place_of(&r->c, t->corner[(f + 3) % 4])))
                return false;
        }
    }
    return true;
}

static bool collect_star(repair* r, int v)
{
    r->change.faces.count = 0;
    if (!hosts_add_star(&r->change.faces, &r->c, v)) r->c.failed = true;
    return !r->c.failed;
}

bool star_stays_near(repair* r, int v)
{
    const int_list* around = &r->c.knots[v].around;
    if (!collect_star(r, v)) return false;
    for (int i = 0; i < around->count; ++i)
        if (!hosts_hold(&r->c, &r->change.faces, around->item[i], r->surface.tolerance))
            return false;
    return faces_stay_near(r, v);
}

void star_hosts_again(repair* r, int v)
{
    const int_list* around = &r->c.knots[v].around;
    int chain = -1;
    if (!collect_star(r, v)) return;
    for (int i = 0; i < around->count; ++i) chain = hosts_take(&r->c, around->item[i], chain);
    hosts_give(&r->c, &r->change.faces, chain);
}

// Moves v if that makes its worst tet at least `enough`, which becomes what it is.
static bool try_place(repair* r, int v, vec3 place, double* enough)
{
    knot* k = &r->c.knots[v];
    vec3 before = k->place;
    k->place = k->outer ? envelope_nearest(&r->surface, place) : place;
    double quality = star_quality(&r->c, v, *enough);
    bool good = quality >= *enough && quality > 0 && (!k->outer || star_stays_near(r, v));
    if (!good) {
        k->place = before;
        return false;
    }
    *enough = quality;
    if (k->outer) star_hosts_again(r, v);
    k->source = -1;
    r->shifts++;
    return true;
}

// Mean of the neighbors (of a vertex on the surface: those on the surface too), and the mean
// squared distance to them. Corners count once for each tet.
static vec3 middle_of_neighbors(const complex* c, int v, double* out_reach2)
{
    const int_list* around = &c->knots[v].around;
    vec3 sum = v3_zero();
    double reach2 = 0;
    int count = 0;
    for (int i = 0; i < around->count; ++i)
        for (int k = 0; k < 4; ++k) {
            int w = c->cells[around->item[i]].corner[k];
            if (w == v || (c->knots[v].outer && !c->knots[w].outer)) continue;
            sum = v3_add(sum, place_of(c, w));
            reach2 += distance2_between(c, v, w);
            count++;
        }
    *out_reach2 = count ? reach2 / count : 0;
    return count ? v3_scale(1.0 / count, sum) : place_of(c, v);
}

bool relax_knot(repair* r, int v)
{
    double reach2;
    if (!star_is_in_one_region(&r->c, v)) return false;
    vec3 middle = middle_of_neighbors(&r->c, v, &reach2);
    double enough = fmin(star_quality(&r->c, v, -1), r->good);
    return try_place(r, v, middle, &enough);
}

bool shift_knot(repair* r, int v)
{
    static const double direction[14][3] = {
        {1, 0, 0},    {-1, 0, 0}, {0, 1, 0},   {0, -1, 0}, {0, 0, 1},   {0, 0, -1}, {1, 1, 1},
        {-1, -1, -1}, {1, 1, -1}, {-1, -1, 1}, {1, -1, 1}, {-1, 1, -1}, {-1, 1, 1}, {1, -1, -1}};
    enum { MOST_TRIES = 60 };
    double reach2, quality = star_quality(&r->c, v, -1);
    if (!star_is_in_one_region(&r->c, v)) return false;
    vec3 middle = middle_of_neighbors(&r->c, v, &reach2);
    double step = 0.25 * sqrt(reach2), enough = quality > 0 ? quality * 1.001 : 1e-12;
    bool moved = try_place(r, v, middle, &enough);
    if (moved) enough *= 1.001;
    for (int tries = 0, size = 0; size < 5 && tries < MOST_TRIES;) {
        bool better = false;
        for (int d = 0; d < 14; ++d, ++tries) {
            vec3 way = v3(direction[d][0], direction[d][1], direction[d][2]);
            if (!try_place(r, v, v3_add_scaled(place_of(&r->c, v), step, way), &enough)) continue;
            enough *= 1.001;
            better = true;
        }
        moved = moved || better;
        if (!better) step /= 2.5, size++;
    }
    return moved;
}
