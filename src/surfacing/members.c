#include "surfacing/members.h"
#include "base/cookie.h"
#include "base/member_list.h"

// clang-format off
#define OF pliant_surface_def
static const key surface_keys[] = {
    NUMBER(radius, 0, ZERO_OR_MORE, "m", NULL,
           "of the particles: half of the way from one to the next; 0: what they have"),
    NUMBER(cell, 0, ZERO_OR_MORE, "m", NULL,
           "edge of the grid's cells, which triangles are as large as; 0: the smallest radius"),
    INTEGER(smoothing, 10, WITHIN(0, 1000), NULL,
            "how often the surface is made smoother"),
    MEMBER(INT, threads, WITHIN(0, 1024), NO_SCENE, .help = "0: one per core"),
};
#undef OF
// clang-format on
const key_table surface_members = {TABLE(surface_keys, pliant_surface_def), .name = "surface",
                                   .help = "How a surface around loose particles is made."};

pliant_surface_def pliant_surface_defaults(void)
{
    pliant_surface_def def;
    table_defaults(&surface_members, &def);
    def.cookie = COOKIE_SURFACE;
    return def;
}
