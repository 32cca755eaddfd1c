#define PRECISION_DOUBLE
#include "repair/moves.h"

static void propose(repair* r, int a, int b, int middle)
{
    const int_list* around = &r->c.knots[a].around;
    change_begin(&r->change);
    for (int i = 0; i < around->count; ++i) {
        const cell* t = &r->c.cells[around->item[i]];
        if (!cell_has(t, b)) continue;
        change_remove(&r->change, around->item[i]);
        change_add_replaced(&r->change, t, a, middle);
        change_add_replaced(&r->change, t, b, middle);
    }
}

bool split_edge(repair* r, int a, int b)
{
    complex* c = &r->c;
    if (!complex_reserve(c, 1, 0)) return false;
    vec3 place = v3_scale(0.5, v3_add(place_of(c, a), place_of(c, b)));
    int middle = complex_add_knot(c, place, is_outer_edge(c, a, b));
    propose(r, a, b, middle);
    bool good = r->change.old.count > 0 && change_is_in_one_region(c, &r->change) &&
                quality_after(c, &r->change, 0) > 0;
    if (!good) {
        c->knot_count--;
        return false;
    }
    change_find_surface(c, &r->change);
    change_apply(c, &r->change);
    r->splits++;
    return true;
}
