#include "render/picture.h"
#include <string.h>

bool picture_is_available(void) { return png_is_available(); }

void picture_begin(picture* out, const scene_camera* camera)
{
    memset(out, 0, sizeof *out);
    out->camera = *camera;
}

void picture_release(picture* p) { album_release(&p->album); }

// Surfaces in their own colors.
static pliant_result open(picture* p, const stage* s, const frame* f)
{
    const style plain = style_defaults();
    return p->album.sketch.frame ? PLIANT_OK : album_open(&p->album, s, f, &plain, &p->camera);
}

pliant_result picture_note(picture* p, const stage* s, const frame* f, double time)
{
    const scene_numbers* wanted = &p->camera.times;
    pliant_result result = open(p, s, f);
    // Times are frames' times: a part in a million of rounding is not the next frame.
    while (!result && p->album.moment_count < wanted->count &&
           time * (1 + 1e-6) >= wanted->value[p->album.moment_count])
        result = album_keep(&p->album);
    return result;
}

pliant_result picture_write(picture* p, const stage* s, const frame* f, const char* path)
{
    image out = {p->camera.width, p->camera.height, NULL};
    int wanted = p->camera.times.count;
    pliant_result result = open(p, s, f);
    album* a = &p->album;
    a->sketch.stage = s;
    // The end is all there is.
    if (!result && (a->moment_count < wanted || wanted == 0)) result = album_keep(a);
    if (!result) result = album_draw(a, 0, a->moment_count, 0, &out);
    if (!result) result = png_write(&out, path);
    mem_free(out.rgb);
    return result;
}
