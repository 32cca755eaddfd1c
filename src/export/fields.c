#include "export/fields.h"
#include "base/memory.h"
#include "export/strain.h"
#include <string.h>

static void find_displacements(const frame* f, float* out)
{
    for (size_t i = 0; i < 3 * (size_t)f->vertex_count; ++i)
        out[i] = (float)(f->vertices[i] - f->rest[i]);
}

// Cells of one kind; `cell` is the number of the first.
static void find_strains(const frame* f, const int* corner, int count, int corners, size_t cell,
                         fields* out)
{
    for (int i = 0; i < count; ++i, ++cell, corner += corners) {
        simplex s = simplex_of(f->rest, f->vertices, corner, corners);
        double strain[6];
        if (corners == 4 && f->plastic_shape) simplex_flow(&s, f->plastic_shape + 9 * (size_t)i);
        simplex_strain(&s, strain);
        for (int k = 0; k < 6; ++k) out->strain[6 * cell + (size_t)k] = (float)strain[k];
        if (corners == 4)
            out->von_mises[cell] = (float)simplex_von_mises(&s, (double)f->shear_modulus[i]);
    }
}

bool fields_find(const frame* f, fields* out)
{
    size_t tets = (size_t)f->tet_count, cloth = (size_t)f->cloth_count;
    size_t cells = tets + cloth + (size_t)f->edge_count + (size_t)f->loose_count;
    out->displacement = (float*)mem_array(3 * (size_t)f->vertex_count, sizeof(float));
    out->strain = (float*)mem_array_zero(6 * cells, sizeof(float));
    out->von_mises = (float*)mem_array_zero(cells, sizeof(float));
    out->plastic_strain = NULL;
    bool good = out->displacement && out->strain && out->von_mises;
    if (good && f->plastic_strain) {
        out->plastic_strain = (float*)mem_array_zero(cells, sizeof(float));
        good = out->plastic_strain != NULL;
    }
    if (!good) {
        fields_release(out);
        return false;
    }
    if (out->plastic_strain) memcpy(out->plastic_strain, f->plastic_strain, tets * sizeof(float));
    find_displacements(f, out->displacement);
    find_strains(f, f->tets, f->tet_count, 4, 0, out);
    find_strains(f, f->cloth, f->cloth_count, 3, tets, out);
    find_strains(f, f->edges, f->edge_count, 2, tets + cloth, out);
    return true;
}

void fields_release(fields* d)
{
    mem_free(d->displacement);
    mem_free(d->strain);
    mem_free(d->von_mises);
    mem_free(d->plastic_strain);
    *d = (fields){0};
}
