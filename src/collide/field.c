#include "collide/field.h"
#include "collide/nearest.h"
#include "collide/winding.h"
#include <float.h>
#include <math.h>

enum { MARGIN = 3, CELLS_ACROSS = 64 };

typedef struct {
    double min[3], size[3]; // [m]
    double longest;         // [m] of size
} box;

static box box_around(const surface* s)
{
    box b;
    double max[3];
    surface_bounds(s, b.min, max);
    b.longest = 0;
    for (int k = 0; k < 3; ++k) {
        b.size[k] = max[k] - b.min[k];
        if (b.size[k] > b.longest) b.longest = b.size[k];
    }
    return b;
}

static double samples_across(double size, double cell)
{
    double cells = ceil(size / cell);
    if (cells * cell < size) cells += 1; // the division rounded down
    return cells + 2 * MARGIN + 1;
}

static double samples_in(const box* b, double cell)
{
    double samples = 1;
    for (int k = 0; k < 3; ++k) samples *= samples_across(b->size[k], cell);
    return samples;
}

// The smallest cell within the limit of samples, a little above so that it can be printed.
static double smallest_cell(const box* b)
{
    double low = 0, high = b->longest;
    for (int i = 0; i < 64; ++i) {
        double middle = low + (high - low) / 2;
        if (samples_in(b, middle) > DISTANCE_FIELD_LIMIT)
            low = middle;
        else
            high = middle;
    }
    return high * 1.001;
}

static pliant_result check_box(const box* b)
{
    // Squares of squares of lengths stay finite in double as long as lengths are those of a float.
    if (!(b->longest < FLT_MAX / 4))
        return fail(PLIANT_ERROR_ARGUMENT,
                    "the surface is %g m long: too long for the float values of a distance field",
                    b->longest);
    if (b->size[0] > 0 && b->size[1] > 0 && b->size[2] > 0) return PLIANT_OK;
    return fail(PLIANT_ERROR_ARGUMENT,
                "the surface is flat and encloses nothing: its bounding box is %g x %g x %g m",
                b->size[0], b->size[1], b->size[2]);
}

static pliant_result check_cell(const box* b, double cell)
{
    if (!(cell >= (double)FLT_MIN && cell <= (double)FLT_MAX / 64))
        return fail(PLIANT_ERROR_ARGUMENT,
                    "a cell of %g m cannot be used: give a positive length within the range of a "
                    "float, or 0 for 1/%d of the surface's longest side",
                    cell, CELLS_ACROSS);
    double samples = samples_in(b, cell);
    if (samples <= DISTANCE_FIELD_LIMIT) return PLIANT_OK;
    return fail(
        PLIANT_ERROR_ARGUMENT,
        "a cell of %g m needs %.3g samples, and a distance field has at most %d: use a cell "
        "of at least %.4g m",
        cell, samples, DISTANCE_FIELD_LIMIT, smallest_cell(b));
}

static pliant_result lay_out(const surface* s, double cell, distance_field* out)
{
    box b = box_around(s);
    if (cell == 0) cell = b.longest / CELLS_ACROSS;
    pliant_result result = check_box(&b);
    if (!result) result = check_cell(&b, cell);
    if (result) return result;
    out->cell = cell;
    for (int k = 0; k < 3; ++k) {
        out->origin[k] = b.min[k] - MARGIN * cell;
        out->count[k] = (int)samples_across(b.size[k], cell);
    }
    return PLIANT_OK;
}

static pliant_result sample(surface* s, distance_field* out)
{
    size_t samples = (size_t)out->count[0] * (size_t)out->count[1] * (size_t)out->count[2];
    int* scratch = (int*)mem_array(samples, sizeof(int));
    out->value = (float*)mem_array(samples, sizeof(float));
    pliant_result result = scratch && out->value ? PLIANT_OK : PLIANT_ERROR_MEMORY;
    if (!result) {
        surface_set_origin(s, out->origin);
        nearest_fill(s, out, scratch);
        winding_sign(s, out, scratch);
    }
    mem_free(scratch);
    return result;
}

pliant_result distance_field_create(const pliant_mesh* mesh, double cell, distance_field* out)
{
    if (!REQUIRE(mesh && out)) return PLIANT_ERROR_ARGUMENT;
    *out = (distance_field){0};
    surface s;
    pliant_result result = surface_create(mesh, &s);
    if (result) return result;
    result = lay_out(&s, cell, out);
    if (!result) result = sample(&s, out);
    if (result) distance_field_destroy(out);
    surface_destroy(&s);
    return result;
}

void distance_field_destroy(distance_field* field)
{
    if (!field) return;
    mem_free(field->value);
    *field = (distance_field){0};
}
