#include "render/picture.h"
#include "base/platform.h"
#include "render/png.h"
#include "render/shade.h"
#include "world/rotation.h"
#include <string.h>

// Samples along each side of a pixel, and of the shadow map.
enum { FINE = 2, SHADOW = 2048 };

// ---- moments ------------------------------------------------------------------------------------

void picture_begin(picture* out, const scene_camera* camera)
{
    memset(out, 0, sizeof *out);
    out->camera = camera;
    for (int k = 0; k < 3; ++k) {
        out->min[k] = INFINITY;
        out->max[k] = -INFINITY;
    }
}

void picture_release(picture* p)
{
    for (int i = 0; i < p->moment_count; ++i) mem_free(p->moments[i]);
    p->moment_count = 0;
}

static void widen(picture* p, const frame* f)
{
    for (int i = 0; i < f->surface_count; ++i)
        for (int k = 0; k < 3; ++k) {
            double x = f->surface_vertices[3 * (size_t)i + (size_t)k];
            p->min[k] = fmin(p->min[k], x);
            p->max[k] = fmax(p->max[k], x);
        }
}

static pliant_result keep(picture* p, const frame* f)
{
    size_t bytes = 3 * (size_t)f->surface_count * sizeof(double);
    double* vertices = (double*)mem_alloc(bytes);
    if (!vertices) return PLIANT_ERROR_MEMORY;
    memcpy(vertices, f->surface_vertices, bytes);
    p->moments[p->moment_count++] = vertices;
    widen(p, f);
    return PLIANT_OK;
}

pliant_result picture_note(picture* p, const frame* f, double time)
{
    const scene_numbers* wanted = &p->camera->times;
    if (wanted->count == 0) widen(p, f);
    // Times are frames' times: a part in a million of rounding is not the next frame.
    while (p->moment_count < wanted->count && time * (1 + 1e-6) >= wanted->value[p->moment_count]) {
        pliant_result result = keep(p, f);
        if (result) return result;
    }
    return PLIANT_OK;
}

// ---- one panel ----------------------------------------------------------------------------------

static vec3 least(vec3 a, vec3 b) { return v3(fmin(a.x, b.x), fmin(a.y, b.y), fmin(a.z, b.z)); }
static vec3 most(vec3 a, vec3 b) { return v3(fmax(a.x, b.x), fmax(a.y, b.y), fmax(a.z, b.z)); }

// 1, 2 or 5 times a power of ten: about a twelfth of the size.
static double grid_cell(double size)
{
    double wanted = size / 12, power = pow(10, floor(log10(wanted))), part = wanted / power;
    return power * (part < 2 ? 1 : part < 5 ? 2 : 5);
}

static void add_planes(lighting* l, const stage* s)
{
    for (int i = 0; i < s->scene->colliders.count; ++i) {
        const scene_collider* c = scene_collider_at(s->scene, i);
        double axis[3][3];
        if (c->shape != PLIANT_PLANE) continue;
        rotation_axes(c->rotation, axis);
        vec3 color = paint_color(c->color, v3(0.74, 0.74, 0.73));
        l->planes[l->plane_count++] =
            (floor_plane){v3_of(c->position), v3_of(axis[1]), v3_of(axis[0]), color};
    }
}

static void draw_model(canvas* c, const view* v, const model* m)
{
    for (int i = 0; i < m->face_count; ++i) {
        spot corner[3];
        bool visible = true;
        for (int k = 0; k < 3; ++k)
            visible = view_project(v, m->vertex[m->face[i].corner[k]], &corner[k]) && visible;
        if (visible) canvas_draw(c, corner, i);
    }
}

static uint8_t to_byte(double light)
{
    double level = sqrt(fmin(fmax(light, 0), 1));
    return (uint8_t)(255 * level + 0.5);
}

// Means of FINE x FINE samples into a part of the picture that begins at column `left`.
static void resolve(const lighting* l, image* out, int left)
{
    for (int y = 0; y < l->canvas.height / FINE; ++y)
        for (int x = 0; x < l->canvas.width / FINE; ++x) {
            vec3 sum = v3(0, 0, 0);
            for (int i = 0; i < FINE * FINE; ++i)
                sum = v3_add(sum, shade(l, FINE * x + i % FINE, FINE * y + i / FINE));
            sum = v3_scale(1.0 / (FINE * FINE), sum);
            uint8_t* pixel = out->rgb + 3 * ((size_t)y * (size_t)out->width + (size_t)(left + x));
            pixel[0] = to_byte(sum.x);
            pixel[1] = to_byte(sum.y);
            pixel[2] = to_byte(sum.z);
        }
}

typedef struct {
    const picture* picture;
    const stage* stage;
    const frame* frame;
} panel_source;

static bool make_model(const panel_source* from, const double* vertices, model* m, vec3* min,
                       vec3* max)
{
    model_add_colliders(m, from->stage);
    *min = v3_of(from->picture->min);
    *max = v3_of(from->picture->max);
    for (int i = 0; i < m->vertex_count; ++i) {
        *min = least(*min, m->vertex[i]);
        *max = most(*max, m->vertex[i]);
    }
    double size = v3_length(v3_sub(*max, *min));
    model_add_bodies(m, from->stage, from->frame, vertices, size / 250);
    return model_make_normals(m);
}

// High, and from the left behind the viewer.
static vec3 sun_of(const scene_camera* camera)
{
    double a = 0.017453292519943295 * camera->azimuth;
    if (!isnan(camera->eye[0]))
        a = atan2(camera->eye[0] - camera->target[0], camera->eye[2] - camera->target[2]);
    double left = -0.5, back = 0.65;
    return v3_unit(v3(left * cos(a) + back * sin(a), 1, back * cos(a) - left * sin(a)));
}

static pliant_result draw_panel(const panel_source* from, const double* vertices, image* out,
                                int left, int width)
{
    model m = {0};
    vec3 min, max;
    lighting l = {.model = &m, .sun = sun_of(from->picture->camera)};
    bool good = make_model(from, vertices, &m, &min, &max);
    double size = good ? v3_length(v3_sub(max, min)) : 1;
    l.cell = grid_cell(size > 0 ? size : 1);
    l.view = view_of_camera(from->picture->camera, min, max, FINE * width, FINE * out->height);
    l.haze = 3 * size + v3_length(v3_sub(l.view.eye, v3_mix(min, max, 0.5)));
    l.sun_view = view_of_sun(l.sun, min, max, SHADOW);
    l.planes =
        (floor_plane*)mem_array((size_t)from->stage->scene->colliders.count + 1, sizeof *l.planes);
    good = good && l.planes && canvas_create(&l.canvas, FINE * width, FINE * out->height) &&
           canvas_create(&l.shadow, SHADOW, SHADOW);
    if (good) {
        add_planes(&l, from->stage);
        draw_model(&l.canvas, &l.view, &m);
        draw_model(&l.shadow, &l.sun_view, &m);
        resolve(&l, out, left);
    }
    canvas_destroy(&l.canvas);
    canvas_destroy(&l.shadow);
    mem_free(l.planes);
    model_release(&m);
    return good ? PLIANT_OK : PLIANT_ERROR_MEMORY;
}

// ---- the picture --------------------------------------------------------------------------------

bool picture_is_available(void) { return png_is_available(); }

pliant_result picture_write(picture* p, const stage* s, const frame* f, const char* path)
{
    enum { GAP = 2 }; // pixels between the panels
    const panel_source from = {p, s, f};
    image out = {p->camera->width, p->camera->height, NULL};
    int wanted = p->camera->times.count;
    pliant_result result = PLIANT_OK;
    if (p->moment_count < wanted || wanted == 0) result = keep(p, f); // the end is all there is
    if (result) return result;
    int count = p->moment_count, width = (out.width - GAP * (count - 1)) / count;
    size_t bytes = 3 * (size_t)out.width * (size_t)out.height;
    out.rgb = (uint8_t*)mem_alloc(bytes);
    if (!out.rgb) return PLIANT_ERROR_MEMORY;
    memset(out.rgb, 255, bytes);
    for (int i = 0; i < count && !result; ++i)
        result = draw_panel(&from, p->moments[i], &out, i * (width + GAP), width);
    if (!result) result = png_write(&out, path);
    mem_free(out.rgb);
    return result;
}
