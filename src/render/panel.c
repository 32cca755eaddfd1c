#include "render/panel.h"
#include "export/palette.h"
#include "math/rotation.h"
#include "render/shade.h"
#include <string.h>

enum { SHADOW = 2048, BAND = 64 }; // [samples]
static const double arrow_share =
    0.12; // of the size of what is shown: an arrow of the usual length

static vec3 least(vec3 a, vec3 b) { return v3(fmin(a.x, b.x), fmin(a.y, b.y), fmin(a.z, b.z)); }
static vec3 most(vec3 a, vec3 b) { return v3(fmax(a.x, b.x), fmax(a.y, b.y), fmax(a.z, b.z)); }

// 1, 2 or 5 times a power of ten: about a twelfth of the size.
static double grid_cell(double size)
{
    double wanted = size / 12, power = pow(10, floor(log10(wanted))), part = wanted / power;
    return power * (part < 2 ? 1 : part < 5 ? 2 : 5);
}

static void add_planes(lighting* l, const stage* s, const moment* at, double down)
{
    for (int i = 0; i < s->scene->colliders.count; ++i) {
        const scene_collider* c = scene_collider_at(s->scene, i);
        double axis[3][3];
        if (c->def.shape != PLIANT_SHAPE_PLANE || c->hidden) continue;
        rotation_axes(at->colliders[i].rotation, axis);
        vec3 color = paint_color(c->color, v3(0.74, 0.74, 0.73));
        vec3 normal = v3_of(axis[1]),
             point = v3_add_scaled(v3_of(at->colliders[i].position), -down, normal);
        l->planes[l->plane_count++] = (floor_plane){point, normal, v3_of(axis[0]), color};
    }
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

// ---- extent -------------------------------------------------------------------------------------

typedef struct {
    vec3 min, max;
} box;

static const box empty = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

static box box_of(const vec3* point, int count)
{
    box b = empty;
    for (int i = 0; i < count; ++i) b = (box){least(b.min, point[i]), most(b.max, point[i])};
    return b;
}

static double box_size(const box* b)
{
    double size = v3_length(v3_sub(b->max, b->min));
    return size > 0 && isfinite(size) ? size : 0;
}

// A collider counts where all of it is near the bodies: within their box, wider by its longest side
// all around. What is larger is a floor or a wall, as planes are, and only stands there.
static bool is_near(const box* bodies, const box* collider)
{
    vec3 side = v3_sub(bodies->max, bodies->min);
    double more = fmax(side.x, fmax(side.y, side.z));
    vec3 low = v3_sub(collider->min, bodies->min), high = v3_sub(collider->max, bodies->max);
    return fmin(low.x, fmin(low.y, low.z)) >= -more && fmax(high.x, fmax(high.y, high.z)) <= more;
}

// What the camera shows: the bodies' reach, and colliders.
typedef struct {
    vec3* point;
    int count, capacity;
    bool failed; // memory ran out
} extent;

static void add_points(extent* e, const vec3* point, int count)
{
    if (e->failed || !mem_reserve((void**)&e->point, &e->capacity, (int64_t)e->count + count,
                                  sizeof *e->point)) {
        e->failed = true;
        return;
    }
    if (count) memcpy(e->point + e->count, point, (size_t)count * sizeof *point);
    e->count += count;
}

// Around the vertical line through the middle: the same from every side.
static void revolve(extent* e)
{
    enum { TURNS = 24 };
    const box all = box_of(e->point, e->count);
    const vec3 middle = v3_mix(all.min, all.max, 0.5);
    for (int i = 0, count = e->count; i < count; ++i)
        for (int k = 1; k < TURNS && !e->failed; ++k) {
            double c = cos(6.283185307179586 * k / TURNS), s = sin(6.283185307179586 * k / TURNS);
            vec3 p = v3_sub(e->point[i], middle);
            p = v3_add(middle, v3(c * p.x + s * p.z, p.y, c * p.z - s * p.x));
            add_points(e, &p, 1);
        }
}

// Colliders give way by a hair, planes by less than a pixel: what lies on them is not in them, and
// neither its color nor its light is left to rounding. Triangles of cloth on a ball are in it by
// more, the square of their edge over its curvature.
static double hair(const box* bodies) { return box_size(bodies) / 300; }
static double plane_hair(const box* bodies) { return box_size(bodies) / 2000; }

// The same in all moments: colliders count where they start.
static void add_start(extent* e, const studio* from, const box* bodies, int number)
{
    const stage* s = from->sketch->stage;
    const scene_collider* c = scene_collider_at(s->scene, number);
    pliant_collider_info start = {.rotation = c->def.rotation};
    model m = {0};
    memcpy(start.position, c->def.position, sizeof start.position);
    model_add_collider(&m, s, number, &start, hair(bodies));
    const box own = box_of(m.vertex, m.vertex_count);
    if (from->reach_count == 0 || is_near(bodies, &own)) add_points(e, m.vertex, m.vertex_count);
    e->failed = e->failed || m.failed;
    model_release(&m);
}

static extent find_extent(const studio* from, const moment* at, box* out_bodies, model* m)
{
    const stage* s = from->sketch->stage;
    extent e = {0};
    for (int i = 0; i < from->reach_count; ++i) {
        vec3 p = v3_of(from->reach[i]);
        add_points(&e, &p, 1);
    }
    *out_bodies = box_of(e.point, e.count);
    for (int i = 0; i < s->scene->colliders.count; ++i) {
        if (scene_collider_at(s->scene, i)->hidden) continue;
        model_add_collider(m, s, i, &at->colliders[i], hair(out_bodies));
        add_start(&e, from, out_bodies, i);
    }
    if (from->revolve) revolve(&e);
    return e;
}

// Of bodies that are seen as smoke, in their colors.
static bool make_smoke(lighting* l, const studio* from, const moment* at)
{
    const frame* f = from->sketch->frame;
    smoke_source* source = (smoke_source*)mem_array_zero((size_t)at->smoke_count, sizeof *source);
    int count = 0;
    if (!source) return false;
    for (int i = 0; i < at->smoke_count; ++i) {
        const scene_smoke* how = f->shown[i].face->smoke;
        double color[3];
        if (!how) continue;
        palette_color(from->sketch->stage, i, color);
        source[count++] = (smoke_source){.positions = at->smoke[i].positions,
                                         .radii = at->smoke[i].radii,
                                         .count = at->smoke[i].count,
                                         .color = paint_color(color, v3(1, 1, 1)),
                                         .depth = how->depth,
                                         .cell = how->cell,
                                         .size = how->size};
    }
    bool good = smoke_create(&l->smoke, source, count, from->workers);
    mem_free(source);
    return good;
}

static bool prepare(lighting* l, const studio* from, const moment* at, model* m)
{
    box bodies;
    extent e = find_extent(from, at, &bodies, m);
    if (e.failed) {
        mem_free(e.point);
        return false;
    }
    const box all = e.count ? box_of(e.point, e.count) : (box){v3(0, 0, 0), v3(0, 0, 0)};
    l->size = box_size(&all) > 0 ? box_size(&all) : 1;
    l->cell = grid_cell(l->size);
    int room = isnan(from->camera->eye[0]) ? FINE * from->room : 0;
    l->view =
        view_of_camera(from->camera, e.point, e.count, l->canvas.width - room, l->canvas.height);
    l->haze = 3 * l->size + v3_length(v3_sub(l->view.eye, v3_mix(all.min, all.max, 0.5)));
    l->sun_view = view_of_sun(l->sun, all.min, all.max, SHADOW);
    mem_free(e.point);
    add_planes(l, from->sketch->stage, at, plane_hair(&bodies));
    sketch_draw(from->sketch, at, from->range, l->size / 250, m);
    if (at->smoke && !make_smoke(l, from, at)) return false;
    if (m->liquid_count && !m->failed && !tracer_create(&l->tracer, m)) return false;
    return model_make_normals(m) && sky_create(l->sky, all.min, all.max);
}

// ---- tasks --------------------------------------------------------------------------------------

typedef struct {
    lighting* light;
    spot* spots; // of the model's vertices on the screen; near 0: behind the viewer
    image* out;
    int left;
} job;

static void place_spots(job* j)
{
    const model* m = j->light->model;
    for (int i = 0; i < m->vertex_count; ++i)
        if (!view_project(&j->light->view, m->vertex[i], &j->spots[i]))
            j->spots[i] = (spot){0, 0, 0};
}

// The part of a face that is before the viewer: a triangle, or one with a corner cut off.
static void draw_part(const job* j, band rows, int number)
{
    const lighting* l = j->light;
    const int* c = l->model->face[number].corner;
    const double near = 1e-3 * l->size;
    spot part[4];
    int count = 0;
    for (int k = 0; k < 3; ++k) {
        vec3 a = l->model->vertex[c[k]], b = l->model->vertex[c[(k + 1) % 3]];
        double from = view_depth(&l->view, a) - near, to = view_depth(&l->view, b) - near;
        if (from > 0) count += view_project(&l->view, a, &part[count]);
        if ((from > 0) != (to > 0))
            count += view_project(&l->view, v3_mix(a, b, from / (from - to)), &part[count]);
    }
    for (int k = 2; k < count; ++k)
        canvas_draw(&j->light->canvas, rows, (const spot[3]){part[0], part[k - 1], part[k]},
                    number);
}

static void draw_band(const job* j, band rows)
{
    const model* m = j->light->model;
    for (int i = 0; i < m->face_count; ++i) {
        const int* c = m->face[i].corner;
        const spot corner[3] = {j->spots[c[0]], j->spots[c[1]], j->spots[c[2]]};
        double top = fmin(corner[0].y, fmin(corner[1].y, corner[2].y));
        double bottom = fmax(corner[0].y, fmax(corner[1].y, corner[2].y));
        if (corner[0].near == 0 || corner[1].near == 0 || corner[2].near == 0)
            draw_part(j, rows, i);
        else if (bottom >= rows.first && top <= rows.end)
            canvas_draw(&j->light->canvas, rows, corner, i);
    }
    for (int i = 0; i < m->ball_count; ++i) {
        disk d;
        if (view_project_ball(&j->light->view, m->ball[i].center, m->ball[i].radius, &d))
            canvas_disk(&j->light->canvas, rows, &d, m->face_count + i);
    }
}

static void draw_shadow(const job* j)
{
    const model* m = j->light->model;
    const band all = {0, SHADOW};
    for (int i = 0; i < m->face_count; ++i) {
        spot corner[3];
        if (model_lets_light_through(m, i)) continue;
        for (int k = 0; k < 3; ++k)
            corner[k] = view_drop(&j->light->sun_view, m->vertex[m->face[i].corner[k]]);
        canvas_draw(&j->light->shadow, all, corner, i);
    }
    for (int i = 0; i < m->ball_count; ++i) {
        disk d = view_drop_ball(&j->light->sun_view, m->ball[i].center, m->ball[i].radius);
        canvas_disk(&j->light->shadow, all, &d, m->face_count + i);
    }
}

// The shadow first, since it takes the longest; then the sky; then bands of the screen.
static void draw_task(int number, void* argument)
{
    const job* j = (const job*)argument;
    int height = j->light->canvas.height;
    if (number == 0) {
        draw_shadow(j);
    } else if (number <= SKY_VIEWS) {
        sky_draw(j->light->sky, number - 1, j->light->model);
    } else {
        int first = BAND * (number - 1 - SKY_VIEWS);
        draw_band(j, (band){first, first + BAND < height ? first + BAND : height});
    }
}

static void cell_task(int row, void* argument) { shade_cells(((const job*)argument)->light, row); }

static void along_task(int row, void* argument)
{
    shade_smooth(((const job*)argument)->light, row, false);
}

static void across_task(int row, void* argument)
{
    shade_smooth(((const job*)argument)->light, row, true);
}

static uint8_t to_byte(double light)
{
    double level = sqrt(fmin(fmax(light, 0), 1));
    return (uint8_t)(255 * level + 0.5);
}

static void pixel_task(int y, void* argument)
{
    const job* j = (const job*)argument;
    uint8_t* pixel = j->out->rgb + 3 * ((size_t)y * (size_t)j->out->width + (size_t)j->left);
    for (int x = 0; x < j->light->canvas.width / FINE; ++x, pixel += 3) {
        vec3 light = shade_pixel(j->light, x, y);
        pixel[0] = to_byte(light.x);
        pixel[1] = to_byte(light.y);
        pixel[2] = to_byte(light.z);
    }
}

static bool work(const studio* from, job* j)
{
    lighting* l = j->light;
    j->spots = (spot*)mem_array((size_t)l->model->vertex_count, sizeof *j->spots);
    if (!j->spots) return false;
    place_spots(j);
    workers_run(from->workers, draw_task, j, 1 + SKY_VIEWS + (l->canvas.height + BAND - 1) / BAND);
    if (smoke_is_there(&l->smoke)) smoke_light(&l->smoke, l->sun, shade_is_sunny, l, from->workers);
    workers_run(from->workers, cell_task, j, l->cell_height);
    workers_run(from->workers, along_task, j, l->cell_height);
    workers_run(from->workers, across_task, j, l->cell_height);
    workers_run(from->workers, pixel_task, j, j->out->height);
    mem_free(j->spots);
    return true;
}

static bool allocate(lighting* l, const studio* from, int width, int height)
{
    size_t planes = (size_t)from->sketch->stage->scene->colliders.count + 1;
    l->cell_width = (width + SKY_CELL - 1) / SKY_CELL;
    l->cell_height = (height + SKY_CELL - 1) / SKY_CELL;
    l->planes = (floor_plane*)mem_array(planes, sizeof *l->planes);
    l->sky = (sky*)mem_alloc_zero(sizeof *l->sky);
    size_t cells = (size_t)l->cell_width * (size_t)l->cell_height;
    l->cells = (sky_cell*)mem_array(2 * cells, sizeof *l->cells);
    l->others = l->cells ? l->cells + cells : NULL;
    return l->planes && l->sky && l->cells &&
           canvas_create(&l->canvas, FINE * width, FINE * height, true) &&
           canvas_create(&l->shadow, SHADOW, SHADOW, false);
}

pliant_result panel_draw(const studio* from, const moment* at, image* out, int left, int width)
{
    model m = {0};
    lighting l = {.model = &m, .sun = sun_of(from->camera)};
    job j = {&l, NULL, out, left};
    bool good =
        allocate(&l, from, width, out->height) && prepare(&l, from, at, &m) && work(from, &j);
    const arrow_scale scale = {from->arrows.force, arrow_share * l.size};
    if (good) arrows_draw(&at->arrows, scale, &l.view, out, left, width);
    canvas_destroy(&l.canvas);
    canvas_destroy(&l.shadow);
    if (l.sky) sky_destroy(l.sky);
    mem_free(l.sky);
    tracer_release(&l.tracer);
    smoke_release(&l.smoke);
    mem_free(l.cells);
    mem_free(l.planes);
    model_release(&m);
    return good ? PLIANT_OK : PLIANT_ERROR_MEMORY;
}
