// A surface with colors at its vertices: which color is nearest to a point.
#pragma once
#include "geometry/locator.h"

typedef struct {
    locator where;
    const pliant_mesh* surface;
    pliant_mesh* boundary; // of tets, owned
    double color[3], tolerance;
} palette;

// Of the region's painted surface, which must have its color somewhere. Close it in every case.
pliant_result palette_open(const pliant_region* region, palette* out);
void palette_close(palette* p);

// Whether the nearest point of the surface has the color.
bool palette_is_at(const palette* p, const double point[3]);
