#include "render/canvas.h"
#include "base/memory.h"
#include <string.h>

bool canvas_create(canvas* out, int width, int height, bool with_faces)
{
    size_t count = (size_t)width * (size_t)height;
    *out = (canvas){width, height, NULL, NULL};
    out->near = (float*)mem_array_zero(count, sizeof(float));
    if (with_faces) out->face = (int*)mem_array(count, sizeof(int));
    if (out->near && (out->face || !with_faces)) return true;
    canvas_destroy(out);
    return false;
}

void canvas_destroy(canvas* c)
{
    mem_free(c->near);
    mem_free(c->face);
    memset(c, 0, sizeof *c);
}

// The whole numbers i with low <= i + 0.5 <= high, cut to first ... end - 1.
static void cover(double low, double high, band within, int* out_first, int* out_last)
{
    *out_first =
        low > within.first ? (low < within.end ? (int)ceil(low - 0.5) : within.end) : within.first;
    *out_last =
        high < within.end ? (high > within.first ? (int)floor(high - 0.5) : -1) : within.end - 1;
}

// Along a row: a share of a corner, which changes by `slope` from sample to sample.
typedef struct {
    double at, slope;
} ramp;

// Cuts first ... last to where the ramp is not negative. A sample more at either end does no harm:
// each is looked at again.
static void narrow(ramp r, int* first, int* last)
{
    if (r.slope == 0) {
        if (r.at < 0) *last = *first - 1;
        return;
    }
    double zero = -r.at / r.slope;
    if (r.slope > 0 && zero - 1 > *first) *first = zero < *last + 2.0 ? (int)zero - 1 : *last + 1;
    if (r.slope < 0 && zero + 1 < *last) *last = zero > *first - 2.0 ? (int)zero + 1 : *first - 1;
}

typedef struct {
    double x, y;           // of the first corner
    double bx, by, cx, cy; // share of the second and third corner, per sample
    double near, near_b, near_c;
    int left, right;
} triangle;

static void draw_row(canvas* k, const triangle* t, int y, int face)
{
    double py = y + 0.5 - t->y;
    double b0 = (0.5 - t->x) * t->bx + py * t->by, c0 = (0.5 - t->x) * t->cx + py * t->cy;
    int first = t->left, last = t->right;
    narrow((ramp){b0, t->bx}, &first, &last);
    narrow((ramp){c0, t->cx}, &first, &last);
    narrow((ramp){1 - b0 - c0, -t->bx - t->cx}, &first, &last);
    if (first < t->left) first = t->left;
    if (last > t->right) last = t->right;
    for (int x = first; x <= last; ++x) {
        double b = b0 + x * t->bx, c = c0 + x * t->cx;
        if (b < 0 || c < 0 || b + c > 1) continue;
        float near = (float)(t->near + b * t->near_b + c * t->near_c);
        size_t at = canvas_at(k, x, y);
        if (!(near > k->near[at])) continue;
        k->near[at] = near;
        if (k->face) k->face[at] = face;
    }
}

void canvas_draw(canvas* k, band rows, const spot s[3], int face)
{
    double ux = s[1].x - s[0].x, uy = s[1].y - s[0].y, vx = s[2].x - s[0].x, vy = s[2].y - s[0].y;
    double area = ux * vy - vx * uy;
    int top, bottom;
    if (!(fabs(area) > 0) || !isfinite(area)) return;
    cover(fmin(s[0].y, fmin(s[1].y, s[2].y)), fmax(s[0].y, fmax(s[1].y, s[2].y)), rows, &top,
          &bottom);
    if (top > bottom) return;
    triangle t = {s[0].x,
                  s[0].y,
                  vy / area,
                  -vx / area,
                  -uy / area,
                  ux / area,
                  s[0].near,
                  s[1].near - s[0].near,
                  s[2].near - s[0].near,
                  0,
                  0};
    cover(fmin(s[0].x, fmin(s[1].x, s[2].x)), fmax(s[0].x, fmax(s[1].x, s[2].x)),
          (band){0, k->width}, &t.left, &t.right);
    for (int y = top; y <= bottom; ++y) draw_row(k, &t, y, face);
}

// As on a sphere, which is exact without perspective, and nearly so for what is small with it.
static void draw_sample(canvas* k, const disk* d, int x, int y, int face)
{
    size_t at = canvas_at(k, x, y);
    if (!((float)(d->near + d->bulge) > k->near[at])) return;
    double u = (x + 0.5 - d->x) / d->reach, v = (y + 0.5 - d->y) / d->reach, w = 1 - u * u - v * v;
    float near = (float)(d->near + d->bulge * (w > 0 ? sqrt(w) : 0));
    if (!(near > k->near[at])) return;
    k->near[at] = near;
    if (k->face) k->face[at] = face;
}

void canvas_disk(canvas* k, band rows, const disk* d, int face)
{
    int top, bottom, left, right;
    const band across = {0, k->width};
    if (!(d->reach > 0) || !isfinite(d->reach)) return;
    double least = 0.5, reach = fmax(d->reach, least);
    cover(d->y - reach, d->y + reach, rows, &top, &bottom);
    for (int y = top; y <= bottom; ++y) {
        double v = y + 0.5 - d->y, square = d->reach * d->reach - v * v;
        double half = d->reach > least ? (square > 0 ? sqrt(square) : 0) : least;
        cover(d->x - half, d->x + half, across, &left, &right);
        for (int x = left; x <= right; ++x) draw_sample(k, d, x, y, face);
    }
}
