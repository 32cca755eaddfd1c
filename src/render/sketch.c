#include "render/sketch.h"
#include "mesh/face.h"
#include "render/field.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- what a cut leaves --------------------------------------------------------------------------

static double middle_of(const double* x, const int tet[4], int axis)
{
    double sum = 0;
    for (int k = 0; k < 4; ++k) sum += x[3 * (size_t)tet[k] + (size_t)axis];
    return sum / 4;
}

// Marks the tets of a body that stay.
static void cut_body(const pliant_mesh_arrays* m, const style* how, unsigned char* out)
{
    double low = INFINITY, high = -INFINITY;
    memset(out, 1, (size_t)m->tet_count);
    if (how->clip_axis < 0) return;
    for (int i = 0; i < m->vertex_count; ++i) {
        double x = m->vertices[3 * (size_t)i + (size_t)how->clip_axis];
        low = fmin(low, x);
        high = fmax(high, x);
    }
    double at = low + how->clip_at * (high - low);
    for (int i = 0; i < m->tet_count; ++i) {
        bool below = middle_of(m->vertices, m->tets + 4 * (size_t)i, how->clip_axis) <= at;
        out[i] = below != how->clip_below;
    }
}

// The tets that stay, in the order they have, and their numbers.
static int gather_kept(sketch* k, const unsigned char* stays, int* out_tets, int* out_number)
{
    const frame* f = k->frame;
    int count = 0;
    memset(k->kept, 1, (size_t)f->vertex_count);
    for (int i = 0; i < 4 * f->tet_count; ++i) k->kept[f->tets[i]] = 0;
    for (int i = 0; i < f->tet_count; ++i) {
        if (!stays[i]) continue;
        memcpy(out_tets + 4 * (size_t)count, f->tets + 4 * (size_t)i, sizeof(int[4]));
        out_number[count++] = i;
        for (int c = 0; c < 4; ++c) k->kept[f->tets[4 * (size_t)i + (size_t)c]] = 1;
    }
    return count;
}

static pliant_result join_faces(sketch* k, const outer_faces* faces, const int* number)
{
    const frame* f = k->frame;
    size_t outer = (size_t)faces->count, all = outer + (size_t)f->cloth_count;
    k->triangle = (int*)mem_array(3 * all, sizeof(int));
    k->tet = (int*)mem_array(all, sizeof(int));
    if (!k->triangle || !k->tet) return PLIANT_ERROR_MEMORY;
    memcpy(k->triangle, faces->triangle, 3 * outer * sizeof(int));
    memcpy(k->triangle + 3 * outer, f->cloth, 3 * (size_t)f->cloth_count * sizeof(int));
    for (size_t i = 0; i < all; ++i) k->tet[i] = i < outer ? number[faces->tet[i]] : -1;
    k->triangle_count = (int)all;
    return PLIANT_OK;
}

static pliant_result find_triangles(sketch* k)
{
    const frame* f = k->frame;
    size_t count = (size_t)f->tet_count;
    unsigned char* stays = (unsigned char*)mem_array(count, 1);
    int* tets = (int*)mem_array(5 * count, sizeof(int));
    k->kept = (unsigned char*)mem_array((size_t)f->vertex_count, 1);
    pliant_result result = stays && tets && k->kept ? PLIANT_OK : PLIANT_ERROR_MEMORY;
    outer_faces faces = {.triangle = NULL};
    if (!result) {
        int at = 0;
        for (int i = 0; i < k->stage->body_count; ++i) {
            pliant_mesh_arrays m = pliant_mesh_view(stage_mesh(k->stage, i));
            cut_body(&m, &k->style, stays + at);
            at += m.tet_count;
        }
        int* number = tets + 4 * count;
        pliant_mesh left = {.vertices = f->vertices, .tets = tets, .vertex_count = f->vertex_count};
        left.tet_count = gather_kept(k, stays, tets, number);
        if (f->tet_count && left.tet_count == 0)
            warn("the cut takes all tets away: use a share between 0 and 1, or the other side");
        result = find_outer_faces(&left, &faces);
        if (!result) result = join_faces(k, &faces, number);
    }
    outer_faces_free(&faces);
    mem_free(stays);
    mem_free(tets);
    return result;
}

static void warn_of_no_flow(const stage* s)
{
    for (int i = 0; i < s->body_count; ++i)
        if (pliant_asset_flows(s->entries[s->bodies[i].entry].asset)) return;
    warn("nothing can flow here: plastic strain is that of tets whose material has a yield_stress");
}

static void warn_of_no_stress(const stage* s)
{
    for (int i = 0; i < s->body_count; ++i) {
        if (pliant_mesh_view(s->entries[s->bodies[i].entry].mesh).tet_count) continue;
        warn("stress is known of tets alone: body %d, which has none, is painted as if it had no "
             "stress; strain is known of all",
             i);
        return;
    }
}

void sketch_warn(const stage* s, const style* how)
{
    if (how->by == BY_STRESS) warn_of_no_stress(s);
    if (how->by == BY_PLASTIC_STRAIN) warn_of_no_flow(s);
}

pliant_result sketch_create(const stage* s, const frame* f, const style* how, sketch* out)
{
    *out = (sketch){.stage = s, .frame = f, .style = *how};
    pliant_result result = PLIANT_OK;
    if (style_looks_inside(how)) result = find_triangles(out);
    if (!result && style_counts(how)) {
        out->number = (int*)mem_array((size_t)f->tet_count, sizeof(int));
        result = out->number ? field_numbers(s, how->by, out->number, &out->number_count)
                             : PLIANT_ERROR_MEMORY;
    }
    if (result) sketch_destroy(out);
    return result;
}

void sketch_destroy(sketch* k)
{
    mem_free(k->triangle);
    mem_free(k->tet);
    mem_free(k->number);
    mem_free(k->kept);
    memset(k, 0, sizeof *k);
}

// ---- moments ------------------------------------------------------------------------------------

static int compare_floats(const void* a, const void* b)
{
    float x = *(const float*)a, y = *(const float*)b;
    return (x > y) - (x < y);
}

static pliant_result find_most(moment* m)
{
    float* some = (float*)mem_array((size_t)m->count, sizeof(float));
    size_t count = 0;
    if (!some) return PLIANT_ERROR_MEMORY;
    for (int i = 0; i < m->count; ++i)
        if (m->values[i] > 0 && isfinite(m->values[i])) some[count++] = m->values[i];
    if (count) qsort(some, count, sizeof *some, compare_floats); // equal ones are alike
    m->most = count ? (double)some[(count - 1) - (count - 1) / 100] : 0;
    mem_free(some);
    return PLIANT_OK;
}

// Of particles that come and go.
static pliant_result note_radii(const frame* f, bool inside, moment* out)
{
    if (!f->changes) return PLIANT_OK;
    out->radius = (float*)mem_array((size_t)out->count, sizeof(float));
    for (int i = 0; out->radius && i < out->count; ++i)
        out->radius[i] = inside ? f->radius[i] : (float)f->surface_radius[i];
    return out->radius ? PLIANT_OK : PLIANT_ERROR_MEMORY;
}

static pliant_result note_smoke(const frame* f, moment* out)
{
    pliant_result result = PLIANT_OK;
    bool any = false;
    for (int i = 0; i < f->shown_count; ++i) any = any || f->shown[i].face->smoke;
    if (!any) return PLIANT_OK;
    out->smoke_count = f->shown_count;
    out->smoke = (present_particles*)mem_array_zero((size_t)f->shown_count, sizeof *out->smoke);
    if (!out->smoke) return PLIANT_ERROR_MEMORY;
    for (int i = 0; i < f->shown_count && !result; ++i)
        if (f->shown[i].face->smoke) result = present_gather(f, i, &out->smoke[i]);
    return result;
}

static pliant_result note_rods(const stage* s, moment* out)
{
    int64_t count = 0;
    for (int i = 0; i < s->body_count; ++i)
        count += pliant_body_segment_count(s->world, s->bodies[i].id);
    if (count == 0) return PLIANT_OK;
    out->segments = (pliant_rod_segment*)mem_array((size_t)count, sizeof *out->segments);
    pliant_result result = out->segments ? PLIANT_OK : PLIANT_ERROR_MEMORY;
    pliant_rod_segment* to = out->segments;
    for (int i = 0; i < s->body_count && !result; ++i) {
        int own = pliant_body_segment_count(s->world, s->bodies[i].id);
        result = pliant_body_read_segments(s->world, s->bodies[i].id, to, own);
        to += own;
    }
    return result;
}

pliant_result sketch_note(const sketch* k, moment* out)
{
    const frame* f = k->frame;
    bool inside = style_looks_inside(&k->style);
    const double* from = inside ? f->vertices : f->surface_vertices;
    *out = (moment){.count = inside ? f->vertex_count : f->surface_count};
    size_t bytes = 3 * (size_t)out->count * sizeof(double);
    bool measures = style_measures(&k->style);
    out->vertices = (double*)mem_alloc(bytes);
    if (measures) out->values = (float*)mem_array_zero((size_t)out->count, sizeof(float));
    const stage* s = k->stage;
    size_t colliders = (size_t)s->scene->colliders.count;
    out->colliders = (pliant_collider_info*)mem_array(colliders + 1, sizeof *out->colliders);
    bool good = out->vertices && out->colliders && (out->values || !measures);
    pliant_result result = good ? PLIANT_OK : PLIANT_ERROR_MEMORY;
    for (size_t i = 0; i < colliders && !result; ++i)
        result = pliant_collider_describe(s->world, s->colliders[i], &out->colliders[i]);
    if (!result) memcpy(out->vertices, from, bytes);
    if (!result) result = note_radii(f, inside, out);
    if (!result && measures) result = field_measure(k->stage, f, k->style.by, out->values);
    if (!result && measures) result = find_most(out);
    if (!result && !inside && liquids_any(f)) result = liquids_make(f, &out->liquids);
    if (!result && !inside) result = note_smoke(f, out);
    if (!result && !inside) result = note_rods(s, out);
    if (!result) result = arrows_find(f, k->style.arrows, &out->arrows);
    if (result) moment_release(out);
    return result;
}

void moment_release(moment* m)
{
    mem_free(m->vertices);
    mem_free(m->values);
    mem_free(m->radius);
    mem_free(m->colliders);
    liquids_release(&m->liquids);
    for (int i = 0; m->smoke && i < m->smoke_count; ++i) present_release(&m->smoke[i]);
    mem_free(m->smoke);
    mem_free(m->segments);
    arrows_release(&m->arrows);
    memset(m, 0, sizeof *m);
}
