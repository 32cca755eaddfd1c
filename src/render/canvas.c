#include "render/canvas.h"
#include "base/memory.h"

bool canvas_create(canvas* out, int width, int height)
{
    out->width = width;
    out->height = height;
    out->samples = (sample*)mem_array_zero((size_t)width * (size_t)height, sizeof(sample));
    return out->samples;
}

void canvas_destroy(canvas* c)
{
    mem_free(c->samples);
    c->samples = NULL;
}

// The whole numbers i with low <= i + 0.5 <= high, cut to 0 ... count - 1.
static void cover(double low, double high, int count, int* out_first, int* out_last)
{
    *out_first = low > 0 ? (low < count ? (int)ceil(low - 0.5) : count) : 0;
    *out_last = high < count ? (high > 0 ? (int)floor(high - 0.5) : -1) : count - 1;
}

void canvas_draw(canvas* k, const spot s[3], int face)
{
    double area = (s[1].x - s[0].x) * (s[2].y - s[0].y) - (s[2].x - s[0].x) * (s[1].y - s[0].y);
    if (!(fabs(area) > 0) || !isfinite(area)) return;
    int left, right, top, bottom;
    cover(fmin(s[0].x, fmin(s[1].x, s[2].x)), fmax(s[0].x, fmax(s[1].x, s[2].x)), k->width, &left,
          &right);
    cover(fmin(s[0].y, fmin(s[1].y, s[2].y)), fmax(s[0].y, fmax(s[1].y, s[2].y)), k->height, &top,
          &bottom);
    for (int y = top; y <= bottom; ++y)
        for (int x = left; x <= right; ++x) {
            double px = x + 0.5 - s[0].x, py = y + 0.5 - s[0].y;
            double b = (px * (s[2].y - s[0].y) - (s[2].x - s[0].x) * py) / area;
            double c = ((s[1].x - s[0].x) * py - px * (s[1].y - s[0].y)) / area;
            if (b < 0 || c < 0 || b + c > 1) continue;
            float near =
                (float)(s[0].near + b * (s[1].near - s[0].near) + c * (s[2].near - s[0].near));
            sample* out = &k->samples[(size_t)y * (size_t)k->width + (size_t)x];
            if (near > out->near) *out = (sample){near, face, (float)b, (float)c};
        }
}
