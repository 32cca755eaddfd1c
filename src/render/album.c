#include "render/album.h"
#include "base/platform.h"
#include "render/legend.h"
#include <math.h>
#include <string.h>

pliant_result album_open(album* out, const stage* s, const frame* f, const style* how,
                         const scene_camera* camera)
{
    *out = (album){.camera = *camera};
    sketch_warn(s, how);
    return sketch_create(s, f, how, &out->sketch);
}

static void release_torn(torn_sketch* t)
{
    while (t) {
        torn_sketch* older = t->older;
        sketch_destroy(&t->sketch);
        frame_destroy(&t->frame);
        mem_free(t);
        t = older;
    }
}

void album_release(album* a)
{
    for (int i = 0; i < a->moment_count; ++i) moment_release(&a->moments[i]);
    mem_free(a->moments);
    sketch_destroy(&a->sketch);
    release_torn(a->torn);
    memset(a, 0, sizeof *a);
}

// Even over the sphere.
static void direction(int i, double out[3])
{
    double y = (2 * i + 1.0) / REACH - 1, turn = 2.399963229728653 * i, r = sqrt(1 - y * y);
    out[0] = r * cos(turn), out[1] = y, out[2] = r * sin(turn);
}

static double along(const double d[3], const double* x)
{
    return d[0] * x[0] + d[1] * x[1] + d[2] * x[2];
}

static const sketch* sketch_of(const album* a, const moment* m)
{
    return m->of ? m->of : &a->sketch;
}

// Where bodies tear, moments keep the elements as they are now, once for all that have the same.
static pliant_result keep_elements(album* a, moment* m)
{
    const frame* now = a->sketch.frame;
    if (!now->tears && !now->version) return PLIANT_OK;
    if (!a->torn || a->torn->frame.version != now->version) {
        torn_sketch* t = (torn_sketch*)mem_alloc_zero(sizeof *t);
        if (!t) return PLIANT_ERROR_MEMORY;
        t->older = a->torn;
        a->torn = t;
        pliant_result result = frame_create(a->sketch.stage, &t->frame);
        if (!result)
            result = sketch_create(a->sketch.stage, &t->frame, &a->sketch.style, &t->sketch);
        if (result) return result;
    }
    m->of = &a->torn->sketch;
    return PLIANT_OK;
}

// What a moment shows: not the particles that a cut has taken away.
static bool is_shown(const album* a, const moment* m, int i)
{
    const sketch* k = sketch_of(a, m);
    return (!k->kept || k->kept[i]) && !(m->radius && m->radius[i] < 0);
}

static void widen(album* a, const moment* m)
{
    for (int k = 0; k < REACH; ++k) {
        double d[3], *best = a->reach[k];
        direction(k, d);
        double most = a->any ? along(d, best) : -INFINITY;
        for (int i = 0; i < m->count; ++i) {
            const double* x = m->vertices + 3 * (size_t)i;
            if (!(along(d, x) > most) || !is_shown(a, m, i)) continue;
            most = along(d, x);
            memcpy(best, x, sizeof(double[3]));
        }
    }
    for (int i = 0; i < m->count && !a->any; ++i) a->any = is_shown(a, m, i);
}

pliant_result album_keep(album* a)
{
    if (!mem_reserve((void**)&a->moments, &a->moment_capacity, (int64_t)a->moment_count + 1,
                     sizeof *a->moments))
        return PLIANT_ERROR_MEMORY;
    moment* m = &a->moments[a->moment_count];
    pliant_result result = sketch_note(&a->sketch, m);
    if (result) return result;
    result = keep_elements(a, m);
    if (result) {
        moment_release(m);
        return result;
    }
    ++a->moment_count;
    a->most = fmax(a->most, m->most);
    a->strongest = fmax(a->strongest, m->arrows.strongest);
    widen(a, m);
    return PLIANT_OK;
}

void album_warn_of_end(const scene_camera* camera, double end)
{
    const scene_numbers* t = &camera->times;
    double last = t->count ? t->value[t->count - 1] : 0;
    if (last > end * (1 + 1e-6))
        warn("camera.times: %g s is beyond the end of the run at %g s: the end is drawn instead",
             last, end);
}

void album_turn(album* a, double degrees)
{
    scene_camera* c = &a->camera;
    double turn = 0.017453292519943295 * degrees, x = c->eye[0] - c->target[0],
           z = c->eye[2] - c->target[2];
    c->azimuth += degrees;
    c->eye[0] = c->target[0] + cos(turn) * x + sin(turn) * z;
    c->eye[2] = c->target[2] + cos(turn) * z - sin(turn) * x;
}

static map_range range_of(const album* a)
{
    const style* s = &a->sketch.style;
    map_range range = legend_range(a->most);
    if (!isnan(s->low)) range.low = s->low;
    if (!isnan(s->high)) range.high = s->high;
    return range;
}

pliant_result album_draw(const album* a, int first, int count, int threads, image* out)
{
    enum { GAP = 2 }; // pixels between the panels
    studio from = {&a->sketch,  &a->camera,     a->reach, a->any ? REACH : 0,
                   range_of(a), a->goes_around, 0,        {a->strongest, 0},
                   NULL};
    size_t bytes = 3 * (size_t)out->width * (size_t)out->height;
    int room = legend_width(&a->sketch, from.range, out);
    if (2 * room > out->width) room = 0;
    // One moment goes on behind the legend; several end before it.
    int width = count == 1 ? out->width : (out->width - room - GAP * (count - 1)) / count;
    if (count == 1) from.room = room;
    out->rgb = (uint8_t*)mem_alloc(bytes);
    from.workers = workers_create(threads > 0 ? threads : platform_core_count());
    pliant_result result = out->rgb && from.workers ? PLIANT_OK : PLIANT_ERROR_MEMORY;
    if (out->rgb) memset(out->rgb, 255, bytes);
    for (int i = 0; i < count && !result; ++i) {
        from.sketch = sketch_of(a, &a->moments[first + i]);
        result = panel_draw(&from, &a->moments[first + i], out, i * (width + GAP), width);
    }
    if (!result) legend_draw(&a->sketch, from.range, out);
    if (!result) arrows_tell(from.arrows, out);
    if (from.workers) workers_destroy(from.workers);
    if (!result) return PLIANT_OK;
    mem_free(out->rgb);
    out->rgb = NULL;
    return result;
}
