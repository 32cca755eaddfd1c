#include "render/texture.h"
#include "base/memory.h"
#include "render/png.h"

texture texture_decode(const visual_image* file)
{
    texture t = {0};
    t.rgba = png_read(file->data, file->bytes, &t.width, &t.height);
    return t;
}

void texture_release(texture* t)
{
    mem_free(t->rgba);
    *t = (texture){0};
}

static vec3 pixel(const texture* t, int x, int y)
{
    x = x % t->width + (x < 0 ? t->width : 0);
    y = y % t->height + (y < 0 ? t->height : 0);
    x %= t->width, y %= t->height;
    const uint8_t* c = t->rgba + 4 * ((size_t)y * (size_t)t->width + (size_t)x);
    double r = c[0] / 255.0, g = c[1] / 255.0, b = c[2] / 255.0;
    return v3(r * r, g * g, b * b);
}

vec3 texture_color(const texture* t, double u, double v)
{
    u -= floor(u), v -= floor(v);
    double x = u * t->width - 0.5, y = v * t->height - 0.5;
    int left = (int)floor(x), top = (int)floor(y);
    vec3 above = v3_mix(pixel(t, left, top), pixel(t, left + 1, top), x - left);
    vec3 below = v3_mix(pixel(t, left, top + 1), pixel(t, left + 1, top + 1), x - left);
    return v3_mix(above, below, y - top);
}
