#include "export/palette.h"
#include <math.h>
#include <string.h>

static const double palette[][3] = {
    {0.93, 0.42, 0.34}, {0.20, 0.63, 0.66}, {0.97, 0.73, 0.27}, {0.42, 0.47, 0.80},
    {0.52, 0.74, 0.40}, {0.90, 0.55, 0.70}, {0.35, 0.66, 0.88}, {0.78, 0.60, 0.44},
};
enum { PALETTE = sizeof palette / sizeof palette[0] };

void palette_color(const stage* s, int body, double out[3])
{
    const double* own = s->entries[s->bodies[body].entry].source->color;
    memcpy(out, isnan(own[0]) ? palette[body % PALETTE] : own, sizeof(double[3]));
}
