// A sketch at a moment, as triangles.
#include "export/palette.h"
#include "render/colormap.h"
#include "render/model.h"
#include "render/rod.h"
#include "render/sketch.h"

enum { MAP_STEPS = 256 };

// ---- small shapes -------------------------------------------------------------------------------

// A ball of twenty faces; its normals are smooth.
static void add_ball(model* m, vec3 at, double radius, int number)
{
    static const double g = 0.8506508083520400, h = 0.5257311121191336;
    static const int side[20][3] = {{0, 1, 4},  {0, 4, 9},  {9, 4, 5},  {4, 8, 5},  {4, 1, 8},
                                    {8, 1, 10}, {8, 10, 3}, {5, 8, 3},  {5, 3, 2},  {2, 3, 7},
                                    {7, 3, 10}, {7, 10, 6}, {7, 6, 11}, {11, 6, 0}, {0, 6, 1},
                                    {6, 10, 1}, {9, 11, 0}, {9, 2, 11}, {9, 5, 2},  {7, 11, 2}};
    const double corner[12][3] = {{-h, 0, g}, {h, 0, g},  {-h, 0, -g}, {h, 0, -g},
                                  {0, g, h},  {0, g, -h}, {0, -g, h},  {0, -g, -h},
                                  {g, h, 0},  {-g, h, 0}, {g, -h, 0},  {-g, -h, 0}};
    int v[12];
    for (int i = 0; i < 12; ++i)
        v[i] = model_vertex(m, v3_add_scaled(at, radius, v3_of(corner[i])));
    for (int i = 0; i < 20; ++i) model_face(m, v[side[i][0]], v[side[i][1]], v[side[i][2]], number);
}

static void add_tube(model* m, vec3 a, vec3 b, double radius, int number)
{
    enum { SIDES = 10 };
    const double turn = 6.283185307179586 / SIDES;
    vec3 along = v3_unit(v3_sub(b, a));
    vec3 other = fabs(along.y) < 0.9 ? v3(0, 1, 0) : v3(1, 0, 0);
    vec3 u = v3_unit(v3_cross(along, other)), w = v3_cross(along, u);
    int ring[2][SIDES];
    for (int i = 0; i < SIDES; ++i) {
        vec3 out = v3_add(v3_scale(radius * cos(turn * i), u), v3_scale(radius * sin(turn * i), w));
        ring[0][i] = model_vertex(m, v3_add(a, out));
        ring[1][i] = model_vertex(m, v3_add(b, out));
    }
    for (int i = 0; i < SIDES; ++i) {
        int j = (i + 1) % SIDES;
        model_face(m, ring[0][i], ring[0][j], ring[1][i], number);
        model_face(m, ring[0][j], ring[1][j], ring[1][i], number);
    }
}

// Faces from `first` on get the map's color at t, from 0 to 1.
static void set_values(model* m, int first, double t)
{
    for (int i = first; i < m->face_count && !m->failed; ++i)
        for (int k = 0; k < 3; ++k) m->face[i].uv[k][0] = (float)t, m->face[i].uv[k][1] = 0.5f;
}

// ---- values -------------------------------------------------------------------------------------

// Everything of one drawing.
typedef struct {
    const sketch* sketch;
    const moment* at;
    map_range range;
    double line_radius;
    model* model;
    int first;    // vertex of the model that is the sketch's first
    int map;      // paint of the values; -1: none
    int map_size; // colors
    int* own;     // paint of each body
} drawing;

// The middle of the map's color number i.
static double map_place(const drawing* d, double number) { return (number + 0.5) / d->map_size; }

static double place_of_value(const drawing* d, double value)
{
    double t = (value - d->range.low) / (d->range.high - d->range.low);
    return map_place(d, (d->map_size - 1) * (t > 0 ? (t < 1 ? t : 1) : 0));
}

static void make_paints(drawing* d)
{
    const sketch* k = d->sketch;
    bool valued = k->style.by != BY_BODY;
    for (int i = 0; i < k->stage->body_count; ++i) {
        double color[3];
        palette_color(k->stage, i, color);
        bool carried = face_is_carried(k->frame->shown[i].face) && !style_looks_inside(&k->style);
        d->own[i] =
            model_paint(d->model, paint_color(color, v3(0, 0, 0)), !carried && k->style.wires);
    }
    d->map = -1;
    if (!valued) return;
    d->map_size = k->number ? k->number_count : MAP_STEPS;
    d->map = model_paint(d->model, v3(1, 1, 1), k->style.wires);
    int colors = model_map(d->model, k->style.map, d->map_size);
    if (!d->model->failed) d->model->paint[d->map].texture = colors;
}

// ---- particles ----------------------------------------------------------------------------------

static vec3 particle_at(const drawing* d, int i) { return v3_of(d->at->vertices + 3 * (size_t)i); }

// The paint of a particle; faces from `first` on get its value.
static int paint_of(const drawing* d, int particle)
{
    return d->at->values ? d->map : d->own[d->sketch->frame->body[particle]];
}
static void value_of(const drawing* d, int particle, int first)
{
    if (d->at->values)
        set_values(d->model, first, place_of_value(d, (double)d->at->values[particle]));
}

static void draw_triangles(const drawing* d)
{
    const sketch* k = d->sketch;
    for (int i = 0; i < k->triangle_count; ++i) {
        const int* t = k->triangle + 3 * (size_t)i;
        bool numbered = k->number && k->tet[i] >= 0;
        int first = d->model->face_count;
        model_face(d->model, d->first + t[0], d->first + t[1], d->first + t[2],
                   numbered ? d->map : paint_of(d, t[0]));
        if (numbered) set_values(d->model, first, map_place(d, k->number[k->tet[i]]));
        for (int c = 0; c < 3 && d->at->values && !d->model->failed; ++c) {
            float* uv = d->model->face[first].uv[c];
            uv[0] = (float)place_of_value(d, (double)d->at->values[t[c]]);
            uv[1] = 0.5f;
        }
    }
}

static double rope_radius(const drawing* d, int particle)
{
    const stage* s = d->sketch->stage;
    double own =
        s->entries[s->bodies[d->sketch->frame->body[particle]].entry].source->soft.rope.radius;
    return fmax(own, d->line_radius);
}

static void draw_edges(const drawing* d)
{
    const frame* f = d->sketch->frame;
    for (int i = 0; i < f->edge_count; ++i) {
        int a = f->edges[2 * (size_t)i], b = f->edges[2 * (size_t)i + 1];
        int first = d->model->face_count;
        double radius = rope_radius(d, a);
        add_tube(d->model, particle_at(d, a), particle_at(d, b), radius, paint_of(d, a));
        add_ball(d->model, particle_at(d, a), radius, paint_of(d, a));
        add_ball(d->model, particle_at(d, b), radius, paint_of(d, a));
        value_of(d, a, first);
    }
}

static void draw_points(const drawing* d)
{
    const frame* f = d->sketch->frame;
    for (int i = 0; i < f->vertex_count; ++i) {
        if (!d->sketch->kept[i] || f->radius[i] != 0) continue; // loose ones are drawn as they are
        int first = d->model->face_count;
        add_ball(d->model, particle_at(d, i), 1.5 * d->line_radius, paint_of(d, i));
        value_of(d, i, first);
    }
}

// ---- loose particles ----------------------------------------------------------------------------

static vec3 tint_of(const body_face* f, int point)
{
    return f->point_color ? paint_color(f->point_color + 3 * (size_t)point, v3(1, 1, 1))
                          : v3(1, 1, 1);
}

// Balls, each in the color of its body or its own, or in that of its value.
static void draw_loose(const drawing* d, int body)
{
    const shown_body* b = &d->sketch->frame->shown[body];
    bool inside = style_looks_inside(&d->sketch->style), valued = d->at->values != NULL;
    int first = inside ? b->first_particle : b->first_point;
    int white = b->face->point_color && !valued ? model_paint(d->model, v3(1, 1, 1), false) : -1;
    const double* radius = inside ? b->face->ball_radius : b->face->point_radius;
    for (int i = 0; radius && i < b->face->ball_count; ++i) {
        int number = first + i;
        double size = d->at->radius ? (double)d->at->radius[number] : radius[i];
        if (size < 0) continue; // it is absent
        ball round = {.center = particle_at(d, number), .radius = size, .tint = v3(1, 1, 1)};
        round.paint = valued ? d->map : white >= 0 ? white : d->own[body];
        if (white >= 0) round.tint = tint_of(b->face, i);
        if (valued) round.u = (float)place_of_value(d, (double)d->at->values[number]);
        model_ball(d->model, &round);
    }
}

// ---- liquids ------------------------------------------------------------------------------------

static double least_radius(const body_face* f)
{
    double least = INFINITY;
    for (int i = 0; i < f->ball_count; ++i) least = fmin(least, f->ball_radius[i]);
    return least;
}

static void draw_liquid(const drawing* d, const liquid* seen)
{
    const body_face* own = d->sketch->frame->shown[seen->body].face;
    const scene_liquid* how = own->liquid;
    double radius = least_radius(own), depth = isnan(how->depth) ? 20 * radius : how->depth;
    vec3 color = d->model->failed ? v3(0, 0, 0) : d->model->paint[d->own[seen->body]].color;
    pliant_mesh_arrays m = pliant_mesh_view(seen->mesh);
    int number = model_liquid(d->model, color, depth, 2 * radius), first = d->model->vertex_count;
    for (ptrdiff_t i = 0; i < m.vertex_count; ++i)
        model_vertex(d->model, v3_of(m.vertices + 3 * i));
    for (ptrdiff_t i = 0; i < m.triangle_count; ++i) {
        const int* t = m.triangles + 3 * i;
        model_face(d->model, first + t[0], first + t[1], first + t[2], number);
    }
}

// ---- surfaces -----------------------------------------------------------------------------------

// The paint of each material of a surface that is carried, one after the other; those whose texture
// cannot be shown have the body's.
static int paint_materials(model* m, const visual* look, vec3 own)
{
    int first = m->paint_count;
    for (int i = 0; i < look->material_count; ++i) {
        const visual_material* material = &look->material[i];
        const float* c = material->color;
        bool textured = material->image >= 0 && look->vertex_uv;
        int number = textured ? model_texture(m, &look->image[material->image]) : -1;
        bool plain = textured && number < 0;
        int p = model_paint(m, plain ? own : v3((double)c[0], (double)c[1], (double)c[2]), false);
        if (!m->failed) m->paint[p].texture = number;
    }
    return first;
}

static void set_uvs(model* m, const visual* look, int triangle)
{
    if (m->failed || !look->vertex_uv) return;
    face* f = &m->face[m->face_count - 1];
    for (int k = 0; k < 3; ++k) {
        const double* uv = look->vertex_uv + 2 * (size_t)look->triangle[3 * triangle + k];
        f->uv[k][0] = (float)uv[0];
        f->uv[k][1] = (float)uv[1];
    }
}

static void draw_look(const drawing* d, int body)
{
    const shown_body* b = &d->sketch->frame->shown[body];
    const visual* look = b->face->look;
    int own = d->own[body], materials = -1;
    if (face_is_carried(b->face) && !d->model->failed)
        materials = paint_materials(d->model, look, d->model->paint[own].color);
    for (int i = 0; i < look->triangle_count; ++i) {
        int corner[3], material = materials < 0 ? -1 : look->triangle_material[i];
        for (int k = 0; k < 3; ++k)
            corner[k] = d->first + b->first_point +
                        look->vertex_point[look->triangle[3 * (size_t)i + (size_t)k]];
        model_face(d->model, corner[0], corner[1], corner[2],
                   material < 0 ? own : materials + material);
        set_uvs(d->model, look, i);
    }
}

// Edges of a body in the points of its surface.
static void draw_look_edges(const drawing* d, int body)
{
    const shown_body* b = &d->sketch->frame->shown[body];
    const stage* s = d->sketch->stage;
    double radius =
        fmax(s->entries[s->bodies[body].entry].source->soft.rope.radius, d->line_radius);
    for (int k = 0; k < b->face->edge_count; ++k) {
        const int* e = b->face->edges + 2 * (size_t)k;
        vec3 from = particle_at(d, b->first_point + e[0]),
             to = particle_at(d, b->first_point + e[1]);
        add_tube(d->model, from, to, radius, d->own[body]);
        add_ball(d->model, from, radius, d->own[body]);
        add_ball(d->model, to, radius, d->own[body]);
    }
}

// Segments of a rod begin at `segment`.
static void draw_rod(const drawing* d, int body, const pliant_rod_segment* segment)
{
    const shown_body* b = &d->sketch->frame->shown[body];
    const stage* s = d->sketch->stage;
    double color[3];
    palette_color(s, body, color);
    vec3 own = paint_color(color, v3(0, 0, 0));
    const rod_look look = {
        .segment = segment,
        .edge = b->face->edges,
        .corner = pliant_mesh_view(stage_mesh(s, body)).edges,
        .point = d->at->vertices + 3 * (size_t)b->first_point,
        .count = b->face->edge_count,
        .point_count = b->face->point_count,
        .radius = fmax(s->entries[s->bodies[body].entry].source->soft.rope.radius, d->line_radius),
        .paint = d->own[body],
        .stripe = model_paint(d->model, v3_mix(own, v3(1, 1, 1), 0.6), false)};
    rod_draw(&look, d->model);
}

void sketch_draw(const sketch* k, const moment* at, map_range range, double line_radius, model* m)
{
    drawing d = {k, at, range, line_radius, m, m->vertex_count, -1, 0, NULL};
    d.own = (int*)mem_array((size_t)k->stage->body_count, sizeof(int));
    if (!d.own) {
        m->failed = true;
        return;
    }
    for (int i = 0; i < at->count; ++i) model_vertex(m, particle_at(&d, i));
    make_paints(&d);
    const pliant_rod_segment* segment = at->segments;
    for (int i = 0; i < k->stage->body_count && !style_looks_inside(&k->style); ++i) {
        int segments = pliant_body_segment_count(k->stage->world, k->stage->bodies[i].id);
        if (k->frame->shown[i].face->look) draw_look(&d, i);
        if (segments && at->segments)
            draw_rod(&d, i, segment);
        else
            draw_look_edges(&d, i);
        segment += segments;
    }
    for (int i = 0; i < k->stage->body_count; ++i)
        if (sketch_shows_balls(k, i)) draw_loose(&d, i);
    for (int i = 0; i < at->liquids.count; ++i) draw_liquid(&d, &at->liquids.item[i]);
    if (style_looks_inside(&k->style)) {
        if (!k->style.points) draw_triangles(&d);
        if (k->style.points) draw_points(&d);
        draw_edges(&d);
    }
    mem_free(d.own);
}
