#define PRECISION_DOUBLE
#include "repair/complex.h"
#include "mesh/shape.h"
#include "mesh/tuple.h"
#include <string.h>

bool list_push(int_list* list, int value)
{
    if (!mem_reserve((void**)&list->item, &list->capacity, list->count + 1, sizeof(int)))
        return false;
    list->item[list->count++] = value;
    return true;
}

// The order stays: results do not depend on it, but pictures of a run do.
void list_remove(int_list* list, int value)
{
    int kept = 0;
    for (int i = 0; i < list->count; ++i)
        if (list->item[i] != value) list->item[kept++] = list->item[i];
    list->count = kept;
}

// ---- from a mesh --------------------------------------------------------------------------------

int first_inverted(const pliant_mesh* mesh)
{
    for (int t = 0; t < mesh->tet_count; ++t)
        if (!(tet_volume(mesh->vertices, mesh->tets + 4 * (size_t)t) > 0)) return t;
    return -1;
}

static void find_box(const pliant_mesh* mesh, complex* c)
{
    double low[3], high[3];
    for (int k = 0; k < 3; ++k) {
        low[k] = high[k] = mesh->vertices[k];
        for (int v = 1; v < mesh->vertex_count; ++v) {
            low[k] = fmin(low[k], mesh->vertices[3 * (size_t)v + (size_t)k]);
            high[k] = fmax(high[k], mesh->vertices[3 * (size_t)v + (size_t)k]);
        }
        c->extent = fmax(c->extent, high[k] / 2 - low[k] / 2);
    }
    c->middle = v3(low[0] / 2 + high[0] / 2, low[1] / 2 + high[1] / 2, low[2] / 2 + high[2] / 2);
}

static vec3 scaled(const complex* c, const double* x)
{
    return v3((x[0] - c->middle.x) / c->extent, (x[1] - c->middle.y) / c->extent,
              (x[2] - c->middle.z) / c->extent);
}

static bool fill_around(complex* c)
{
    for (int t = 0; t < c->cell_count; ++t)
        for (int k = 0; k < 4; ++k)
            if (!list_push(&c->knots[c->cells[t].corner[k]].around, t)) return false;
    return true;
}

// A face that one tet alone has is outside.
static bool mark_outer(complex* c)
{
    tuple_list faces;
    bool ok = tuples_allocate(&faces, 3, 4 * c->cell_count);
    for (int f = 0; ok && f < 4 * c->cell_count; ++f) {
        int corner[3];
        read_tet_face(c->cells[f / 4].corner, f % 4, corner);
        tuples_set(&faces, f, corner);
    }
    ok = ok && tuples_sort(&faces, c->knot_count);
    for (int first = 0, end; ok && first < faces.count; first = end) {
        end = tuples_run_end(&faces, first);
        if (end - first > 1) continue;
        int face = faces.order[first];
        c->cells[face / 4].outer |= (unsigned char)(1 << face % 4);
        for (int k = 0; k < 3; ++k) c->knots[faces.item[3 * (size_t)face + (size_t)k]].outer = true;
    }
    tuples_free(&faces);
    return ok;
}

bool complex_create(const pliant_mesh* mesh, complex* out)
{
    *out = (complex){.extent = 0};
    find_box(mesh, out);
    if (!complex_reserve(out, mesh->vertex_count, mesh->tet_count)) return false;
    out->knot_count = mesh->vertex_count;
    out->cell_count = mesh->tet_count;
    for (int v = 0; v < mesh->vertex_count; ++v)
        out->knots[v] = (knot){.place = scaled(out, mesh->vertices + 3 * (size_t)v), .source = v};
    for (int t = 0; t < mesh->tet_count; ++t) {
        cell* made = &out->cells[t];
        *made = (cell){.region = mesh->tet_region ? mesh->tet_region[t] : 0, .first_point = -1};
        memcpy(made->corner, mesh->tets + 4 * (size_t)t, sizeof made->corner);
    }
    return fill_around(out) && mark_outer(out);
}

void complex_destroy(complex* c)
{
    for (int v = 0; v < c->knot_count; ++v) mem_free(c->knots[v].around.item);
    mem_free(c->knots);
    mem_free(c->cells);
    mem_free(c->vacant.item);
    mem_free(c->point);
    mem_free(c->next_point);
}

// ---- to a mesh ----------------------------------------------------------------------------------

static void write_place(const complex* c, const pliant_mesh* source, int v, double* out)
{
    const knot* k = &c->knots[v];
    if (k->source >= 0) {
        memcpy(out, source->vertices + 3 * (size_t)k->source, 3 * sizeof(double));
        return;
    }
    out[0] = c->middle.x + c->extent * k->place.x;
    out[1] = c->middle.y + c->extent * k->place.y;
    out[2] = c->middle.z + c->extent * k->place.z;
}

static int write_vertices(const complex* c, const pliant_mesh* source, int* number, double* out)
{
    int count = 0;
    for (int v = 0; v < c->knot_count; ++v) {
        if (!c->knots[v].around.count) continue;
        write_place(c, source, v, out + 3 * (size_t)count);
        number[v] = count++;
    }
    return count;
}

static int write_tets(const complex* c, const int* number, pliant_mesh* out)
{
    int count = 0;
    for (int t = 0; t < c->cell_count; ++t) {
        if (c->cells[t].corner[0] < 0) continue;
        for (int k = 0; k < 4; ++k) out->tets[4 * count + k] = number[c->cells[t].corner[k]];
        if (out->tet_region) out->tet_region[count] = c->cells[t].region;
        count++;
    }
    return count;
}

pliant_mesh* complex_to_mesh(const complex* c, const pliant_mesh* source, bool regions)
{
    int* number = (int*)mem_array((size_t)c->knot_count, sizeof(int));
    pliant_mesh* mesh = mesh_allocate(c->knot_count, c->cell_count, 0, 0);
    bool ok = number && mesh;
    if (ok && regions) {
        mesh->tet_region = (int*)mem_array((size_t)c->cell_count, sizeof(int));
        ok = mesh->tet_region != NULL;
    }
    if (ok) {
        mesh->vertex_count = write_vertices(c, source, number, mesh->vertices);
        mesh->tet_count = write_tets(c, number, mesh);
    }
    mem_free(number);
    if (ok) return mesh;
    pliant_mesh_destroy(mesh);
    return NULL;
}

// ---- changes ------------------------------------------------------------------------------------

bool complex_reserve(complex* c, int more_knots, int more_cells)
{
    if (mem_reserve((void**)&c->knots, &c->knot_capacity, (int64_t)c->knot_count + more_knots,
                    sizeof(knot)) &&
        mem_reserve((void**)&c->cells, &c->cell_capacity, (int64_t)c->cell_count + more_cells,
                    sizeof(cell)))
        return true;
    c->failed = true;
    return false;
}

int complex_add_knot(complex* c, vec3 place, bool outer)
{
    c->knots[c->knot_count] = (knot){.place = place, .outer = outer, .source = -1};
    return c->knot_count++;
}

int complex_add_cell(complex* c, const int corner[4], int region)
{
    int number = c->vacant.count ? c->vacant.item[--c->vacant.count] : c->cell_count++;
    c->cells[number] = (cell){.region = region, .first_point = -1};
    memcpy(c->cells[number].corner, corner, sizeof c->cells[number].corner);
    for (int k = 0; k < 4; ++k)
        if (!list_push(&c->knots[corner[k]].around, number)) c->failed = true;
    return number;
}

void complex_remove_cell(complex* c, int number)
{
    cell* t = &c->cells[number];
    for (int k = 0; k < 4; ++k) list_remove(&c->knots[t->corner[k]].around, number);
    t->corner[0] = -1;
    if (!list_push(&c->vacant, number)) c->failed = true;
}

// ---- questions ----------------------------------------------------------------------------------

void face_corners(const int tet[4], int face, int out[3]) { read_tet_face(tet, face, out); }

int ring_of(const complex* c, int a, int b, int* out, int capacity)
{
    const int_list* around = &c->knots[a].around;
    int count = 0;
    for (int i = 0; i < around->count; ++i) {
        if (!cell_has(&c->cells[around->item[i]], b)) continue;
        if (count < capacity) out[count] = around->item[i];
        count++;
    }
    return count;
}

bool is_outer_edge(const complex* c, int a, int b)
{
    const int_list* around = &c->knots[a].around;
    if (!c->knots[a].outer || !c->knots[b].outer) return false;
    for (int i = 0; i < around->count; ++i) {
        const cell* t = &c->cells[around->item[i]];
        if (!t->outer || !cell_has(t, b)) continue;
        int ends = 1 << cell_corner_of(t, a) | 1 << cell_corner_of(t, b);
        if (t->outer & ~ends) return true;
    }
    return false;
}

bool are_joined(const complex* c, int a, int b) { return ring_of(c, a, b, NULL, 0) > 0; }

double distance2_between(const complex* c, int a, int b)
{
    vec3 d = v3_sub(place_of(c, a), place_of(c, b));
    return v3_dot(d, d);
}
