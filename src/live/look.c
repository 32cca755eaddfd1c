#include "live/look.h"
#include "base/memory.h"
#include "export/palette.h"
#include "render/field.h"
#include <limits.h>
#include <math.h>
#include <string.h>

const live_color_row live_colors[LIVE_COLORS] = {
    {"body", ""},           {"stress", "Pa"}, {"strain", ""},
    {"contact force", "N"}, {"speed", "m/s"}, {"patch", ""},
};

// ---- creation -----------------------------------------------------------------------------------

static pliant_result make_skin(const stage* s, int body, live_body* b)
{
    pliant_skin_def def = pliant_skin_defaults();
    def.surface = b->face->skin_mesh;
    def.bodies = &s->bodies[body].id;
    def.normals = b->face->skin_normals;
    def.normal_count = b->face->look->normal_count;
    return pliant_skin_create(s->world, &def, &b->skin);
}

// Values belong to particles: points of a carried surface have those of the nearest one.
static pliant_result find_particles(const stage* s, int body, live_body* b)
{
    b->particle = (int*)mem_array((size_t)b->face->point_count, sizeof(int));
    b->owns_particle = true;
    if (!b->particle) return PLIANT_ERROR_MEMORY;
    const pliant_vec3* x = pliant_skin_positions(b->skin);
    for (int i = 0; i < b->face->point_count; ++i) {
        const double at[3] = {(double)x[i].x, (double)x[i].y, (double)x[i].z};
        pliant_hit hit;
        pliant_result result = pliant_body_find_nearest(s->world, s->bodies[body].id, at, &hit);
        if (result) return result;
        int best = 0;
        for (int k = 1; k < hit.corners; ++k)
            if (hit.share[k] > hit.share[best]) best = k;
        b->particle[i] = hit.corners ? hit.particle[best] : 0;
    }
    return PLIANT_OK;
}

static pliant_result make_own_face(const stage* s, int body, live_body* b)
{
    if (!pliant_body_topology(s->world, s->bodies[body].id)) return PLIANT_OK;
    b->own = (body_face*)mem_alloc_zero(sizeof *b->own);
    b->face = b->own;
    return b->own ? face_create_torn(s, body, b->own) : PLIANT_ERROR_MEMORY;
}

static pliant_result make_body(const stage* s, int body, live_body* b)
{
    b->particle = b->face->particle;
    if (!face_is_carried(b->face)) return PLIANT_OK;
    pliant_result result = make_skin(s, body, b);
    if (!result) result = pliant_skin_update(b->skin);
    return result ? result : find_particles(s, body, b);
}

static int ball_count(const body_face* f) { return f->point_radius ? f->point_count : 0; }

static pliant_result make_bodies(look* l)
{
    const stage* s = l->stage;
    int64_t points = 0, triangles = 0, normals = 0, edges = 0, balls = 0;
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < s->body_count && !result; ++i) {
        live_body* b = &l->bodies[i];
        b->face = &l->faces[s->bodies[i].entry];
        l->body_count = i + 1;
        result = make_own_face(s, i, b);
        if (result) return result;
        b->first_point = (int)points;
        points += b->face->point_count;
        triangles += b->face->look ? b->face->look->triangle_count : 0;
        normals += b->face->look ? b->face->look->normal_count : 0;
        edges += b->face->edge_count;
        balls += ball_count(b->face);
        if (points > INT_MAX / 64 || triangles > INT_MAX / 64)
            return fail(PLIANT_ERROR_UNSUPPORTED, "the surfaces of all bodies are too large for a "
                                                  "page");
        result = make_body(s, i, b);
    }
    l->point_count = (int)points;
    l->triangle_count = (int)triangles;
    l->normal_count = (int)normals;
    l->edge_count = (int)edges;
    l->ball_count = (int)balls;
    return result;
}

pliant_result look_create(const stage* s, look* out)
{
    memset(out, 0, sizeof *out);
    out->stage = s;
    out->version = stage_version(s);
    size_t entries = (size_t)s->scene->bodies.count, bodies = (size_t)s->body_count;
    out->faces = (body_face*)mem_array_zero(entries + 1, sizeof *out->faces);
    out->bodies = (live_body*)mem_array_zero(bodies + 1, sizeof *out->bodies);
    pliant_result result = out->faces && out->bodies ? PLIANT_OK : PLIANT_ERROR_MEMORY;
    for (size_t i = 0; i < entries && !result; ++i) {
        result = face_create(&s->entries[i], &out->faces[i]);
        out->face_count = (int)i + 1;
    }
    if (!result) result = make_bodies(out);
    if (result) look_destroy(out);
    return result;
}

void look_destroy(look* l)
{
    for (int i = 0; i < l->body_count; ++i) {
        pliant_skin_destroy(l->bodies[i].skin);
        if (l->bodies[i].owns_particle) mem_free(l->bodies[i].particle);
        if (l->bodies[i].own) face_destroy(l->bodies[i].own);
        mem_free(l->bodies[i].own);
    }
    for (int i = 0; i < l->face_count; ++i) face_destroy(&l->faces[i]);
    frame_destroy(&l->frame);
    mem_free(l->values);
    mem_free(l->faces);
    mem_free(l->bodies);
    memset(l, 0, sizeof *l);
}

// ---- what does not change -----------------------------------------------------------------------

static void sink_u32(sink* out, uint32_t value) { sink_bytes(out, &value, sizeof value); }

static pliant_result write_triangles(const look* l, sink* out)
{
    uint32_t first_normal = 0;
    for (int i = 0; i < l->body_count; ++i) {
        const live_body* b = &l->bodies[i];
        const visual* v = b->face->look;
        int* named = v ? visual_corner_normals(v) : NULL;
        if (!v) continue;
        if (!named) return PLIANT_ERROR_MEMORY;
        for (int t = 0; t < v->triangle_count; ++t) {
            for (int k = 0; k < 3; ++k)
                sink_u32(out, (uint32_t)(v->vertex_point[v->triangle[3 * t + k]] + b->first_point));
            for (int k = 0; k < 3; ++k) sink_u32(out, (uint32_t)named[3 * t + k] + first_normal);
        }
        mem_free(named);
        first_normal += (uint32_t)v->normal_count;
    }
    return PLIANT_OK;
}

static pliant_result write_normals(const look* l, sink* out)
{
    for (int i = 0; i < l->body_count; ++i) {
        const live_body* b = &l->bodies[i];
        const visual* v = b->face->look;
        if (!v) continue;
        uint32_t* point = (uint32_t*)mem_array_zero((size_t)v->normal_count + 1, sizeof *point);
        if (!point) return PLIANT_ERROR_MEMORY;
        for (int k = 0; k < v->vertex_count; ++k)
            point[v->vertex_normal[k]] = (uint32_t)(v->vertex_point[k] + b->first_point);
        sink_bytes(out, point, (size_t)v->normal_count * sizeof *point);
        mem_free(point);
    }
    return PLIANT_OK;
}

static void write_edges_and_balls(const look* l, sink* out)
{
    for (int i = 0; i < l->body_count; ++i) {
        const live_body* b = &l->bodies[i];
        for (int k = 0; k < b->face->edge_count; ++k) {
            sink_u32(out, (uint32_t)(b->face->edges[2 * k] + b->first_point));
            sink_u32(out, (uint32_t)(b->face->edges[2 * k + 1] + b->first_point));
            sink_f32(out, (float)b->face->rope_radius);
        }
    }
    for (int i = 0; i < l->body_count; ++i)
        for (int k = 0; k < ball_count(l->bodies[i].face); ++k)
            sink_u32(out, (uint32_t)(k + l->bodies[i].first_point));
}

static uint32_t channel(double value) { return (uint32_t)(255 * fmin(fmax(value, 0), 1) + 0.5); }

static uint32_t packed(const double color[3])
{
    return channel(color[0]) << 16 | channel(color[1]) << 8 | channel(color[2]);
}

static void write_points(const look* l, sink* out)
{
    for (int i = 0; i < l->body_count; ++i)
        for (int k = 0; k < l->bodies[i].face->point_count; ++k) sink_u32(out, (uint32_t)i);
    for (int i = 0; i < l->body_count; ++i) {
        const body_face* f = l->bodies[i].face;
        const double* own = f->point_color ? f->point_color : f->look ? f->look->point_color : NULL;
        double color[3];
        palette_color(l->stage, i, color);
        for (int k = 0; k < f->point_count; ++k)
            sink_u32(out, packed(own ? own + 3 * (size_t)k : color));
    }
}

pliant_result look_write_topology(const look* l, sink* out)
{
    const topology_head head = {1,
                                (uint32_t)l->point_count,
                                (uint32_t)l->triangle_count,
                                (uint32_t)l->normal_count,
                                (uint32_t)l->edge_count,
                                (uint32_t)l->ball_count,
                                (uint32_t)l->stage->scene->colliders.count};
    sink_bytes(out, &head, sizeof head);
    pliant_result result = write_triangles(l, out);
    if (!result) result = write_normals(l, out);
    if (result) return result;
    write_edges_and_balls(l, out);
    write_points(l, out);
    return out->failed ? PLIANT_ERROR_MEMORY : PLIANT_OK;
}

static void write_numbers(sink* out, const char* name, const double* value, int count)
{
    sink_print(out, ",\"%s\":[", name);
    for (int i = 0; i < count; ++i) {
        if (i) sink_text(out, ",");
        sink_real(out, value[i]);
    }
    sink_text(out, "]");
}

static void write_shape(const pliant_mesh* mesh, sink* out)
{
    pliant_mesh* boundary = NULL;
    pliant_mesh_arrays m = pliant_mesh_view(mesh);
    if (m.tet_count && !pliant_mesh_boundary(mesh, &boundary, NULL)) m = pliant_mesh_view(boundary);
    write_numbers(out, "vertices", m.vertices, 3 * m.vertex_count);
    sink_text(out, ",\"triangles\":[");
    for (int i = 0; i < 3 * m.triangle_count; ++i)
        sink_print(out, "%s%d", i ? "," : "", m.triangles[i]);
    sink_text(out, "]");
    pliant_mesh_destroy(boundary);
}

void look_write_colliders(const look* l, sink* out)
{
    static const char* const words[] = {"plane", "box",    "sphere",   "capsule",
                                        "mesh",  "convex", "triangles"};
    const scene* s = l->stage->scene;
    sink_text(out, "[");
    for (int i = 0; i < s->colliders.count; ++i) {
        const scene_collider* c = scene_collider_at(s, i);
        pliant_collider_def def = scene_shape_of(c);
        const double sizes[5] = {(double)def.half_extents.x, (double)def.half_extents.y,
                                 (double)def.half_extents.z, (double)def.radius,
                                 (double)def.half_height};
        sink_print(out, "%s{\"shape\":\"%s\"", i ? "," : "", words[def.shape]);
        write_numbers(out, "sizes", sizes, 5);
        if (!isnan(c->color[0])) write_numbers(out, "color", c->color, 3);
        if (l->stage->shapes[i]) write_shape(l->stage->shapes[i], out);
        sink_text(out, "}");
    }
    sink_text(out, "]");
}

// ---- values -------------------------------------------------------------------------------------

static paint_by measure_of(live_color by)
{
    switch (by) {
    case LIVE_BY_STRESS:
        return BY_STRESS;
    case LIVE_BY_STRAIN:
        return BY_STRAIN;
    case LIVE_BY_FORCE:
        return BY_FORCE;
    case LIVE_BY_SPEED:
        return BY_SPEED;
    default:
        return BY_BODY;
    }
}

pliant_result look_paint(look* l, live_color by)
{
    pliant_result result = PLIANT_OK;
    if (by != LIVE_BY_BODY && !l->framed) {
        result = frame_create(l->stage, &l->frame);
        if (!result) {
            l->values = (float*)mem_array_zero((size_t)l->frame.vertex_count + 1, sizeof(float));
            l->framed = l->values != NULL;
            if (!l->framed) frame_destroy(&l->frame);
            if (!l->framed) result = PLIANT_ERROR_MEMORY;
        }
    }
    if (!result) l->by = by;
    l->highest = 0;
    return result;
}

// Neighbors in number are apart in color.
static void count_patches(look* l)
{
    const frame* f = &l->frame;
    for (int i = 0; i < f->vertex_count; ++i) l->values[i] = 0;
    for (int t = 0; t < f->tet_count; ++t)
        for (int k = 0; k < 4; ++k)
            l->values[f->tets[4 * (size_t)t + (size_t)k]] = (float)((37 * f->patch[t] + 11) % 255);
    l->highest = 254;
}

// What is bright follows the values up at once and down slowly, so that it does not flicker.
static pliant_result measure(look* l)
{
    if (l->by == LIVE_BY_PATCH) {
        count_patches(l);
        return PLIANT_OK;
    }
    pliant_result result = frame_update(&l->frame, l->stage);
    if (!result) result = field_measure(l->stage, &l->frame, measure_of(l->by), l->values);
    double most = 0;
    for (int i = 0; i < l->frame.vertex_count && !result; ++i)
        most = fmax(most, (double)l->values[i]);
    l->highest = fmax(most, 0.97 * l->highest);
    return result;
}

static void write_values(const look* l, double high, sink* out)
{
    static const char zeros[4] = {0};
    for (int i = 0; i < l->body_count; ++i) {
        const live_body* b = &l->bodies[i];
        const float* value = l->values + l->frame.shown[i].first_particle;
        for (int k = 0; k < b->face->point_count; ++k) {
            double share = (double)value[b->particle[k]] / high;
            sink_u8(out, (uint8_t)(255 * fmin(fmax(share, 0), 1)));
        }
    }
    sink_bytes(out, zeros, (4 - (size_t)l->point_count % 4) % 4);
}

pliant_result look_follow(look* l, bool* out_changed)
{
    look made;
    *out_changed = false;
    if (l->version == stage_version(l->stage)) return PLIANT_OK;
    pliant_result result = look_create(l->stage, &made);
    if (!result) result = look_paint(&made, l->by);
    if (result) return result;
    made.highest = l->highest;
    look_destroy(l);
    *l = made;
    *out_changed = true;
    return PLIANT_OK;
}

// ---- frames -------------------------------------------------------------------------------------

static void copy_rows(const pliant_view* v, const int* particle, int count, float* out)
{
    for (int i = 0; i < count; ++i, out += 3) {
        size_t row = (size_t)(v->row ? v->row[particle[i]] : particle[i]);
        const char* at = (const char*)v->data + row * v->stride;
        if (v->scalar_bytes == 4) {
            memcpy(out, at, 3 * sizeof *out);
        } else {
            double exact[3];
            memcpy(exact, at, sizeof exact);
            for (int k = 0; k < 3; ++k) out[k] = (float)exact[k];
        }
    }
}

static pliant_result write_positions(const look* l, sink* out)
{
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < l->body_count && !result; ++i) {
        const live_body* b = &l->bodies[i];
        size_t bytes = 3 * sizeof(float) * (size_t)b->face->point_count;
        if (b->skin) {
            result = pliant_skin_update(b->skin);
            if (!result) sink_bytes(out, pliant_skin_positions(b->skin), bytes);
            continue;
        }
        pliant_view view;
        result = pliant_body_view_positions(l->stage->world, l->stage->bodies[i].id, &view);
        float* at = (float*)(void*)sink_room(out, bytes);
        if (!result && at) copy_rows(&view, b->particle, b->face->point_count, at);
    }
    return result;
}

static pliant_result write_colliders(const look* l, sink* out)
{
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < l->stage->scene->colliders.count && !result; ++i) {
        pliant_collider_info c;
        result = pliant_collider_describe(l->stage->world, l->stage->colliders[i], &c);
        if (result) break;
        for (int k = 0; k < 3; ++k) sink_f32(out, (float)c.position[k]);
        sink_bytes(out, &c.rotation, sizeof c.rotation);
    }
    return result;
}

// Of those that come and go.
static pliant_result write_present(const look* l, int body, int count, sink* out)
{
    pliant_particle* p = (pliant_particle*)mem_array((size_t)count + 1, sizeof *p);
    if (!p) return PLIANT_ERROR_MEMORY;
    const stage* s = l->stage;
    pliant_result result = pliant_body_read_particles(s->world, s->bodies[body].id, p, count);
    for (int i = 0; i < count && !result; ++i) sink_f32(out, p[i].present ? p[i].radius : -1);
    mem_free(p);
    return result;
}

static pliant_result write_radii(const look* l, sink* out)
{
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < l->body_count && !result; ++i) {
        const body_face* f = l->bodies[i].face;
        const stage_entry* entry = &l->stage->entries[l->stage->bodies[i].entry];
        int count = ball_count(f);
        if (count && pliant_asset_definition(entry->asset).capacity > 0)
            result = write_present(l, i, count, out);
        else
            for (int k = 0; k < count; ++k) sink_f32(out, (float)f->point_radius[k]);
    }
    return result;
}

pliant_result look_write_frame(look* l, const frame_head* given, sink* out)
{
    frame_head head = *given;
    bool valued = l->by != LIVE_BY_BODY;
    pliant_result result = valued ? measure(l) : PLIANT_OK;
    head.kind = 2;
    head.colors = (uint32_t)l->by;
    head.low = 0;
    double high = l->highest > 0 ? l->highest : 1;
    head.high = (float)high;
    if (result) return result;
    sink_bytes(out, &head, sizeof head);
    result = write_positions(l, out);
    if (!result) result = write_colliders(l, out);
    if (!result) result = write_radii(l, out);
    if (!result && valued) write_values(l, high, out);
    return result ? result : out->failed ? PLIANT_ERROR_MEMORY : PLIANT_OK;
}
