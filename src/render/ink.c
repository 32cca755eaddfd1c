#include "render/ink.h"
#include "render/strokes.h"
#include <math.h>
#include <stdbool.h>

static void blend(image* out, int x, int y, ink color, double part)
{
    const double light[3] = {color.r, color.g, color.b};
    uint8_t* pixel = out->rgb + 3 * ((size_t)y * (size_t)out->width + (size_t)x);
    double share = color.cover * part;
    for (int k = 0; k < 3; ++k)
        pixel[k] = (uint8_t)(pixel[k] + share * (255 * light[k] - pixel[k]) + 0.5);
}

typedef struct {
    int left, right, top, bottom; // pixels, the last ones not included
} area;

static int within(double x, int most) { return x > 0 ? (x < most ? (int)x : most) : 0; }

static area cover(const image* out, place2 low, place2 high)
{
    area a = {within(floor(low.x), out->width), within(ceil(high.x), out->width),
              within(floor(low.y), out->height), within(ceil(high.y), out->height)};
    return a;
}

static double distance(place2 p, place2 a, place2 b)
{
    double ux = b.x - a.x, uy = b.y - a.y, px = p.x - a.x, py = p.y - a.y;
    double length2 = ux * ux + uy * uy;
    double t = length2 > 0 ? fmin(fmax((px * ux + py * uy) / length2, 0), 1) : 0;
    return hypot(px - t * ux, py - t * uy);
}

void ink_line(image* out, place2 a, place2 b, double width, ink color)
{
    double reach = width / 2 + 1;
    const area box = cover(out, (place2){fmin(a.x, b.x) - reach, fmin(a.y, b.y) - reach},
                           (place2){fmax(a.x, b.x) + reach, fmax(a.y, b.y) + reach});
    for (int y = box.top; y < box.bottom; ++y)
        for (int x = box.left; x < box.right; ++x) {
            double part = width / 2 + 0.5 - distance((place2){x + 0.5, y + 0.5}, a, b);
            if (part > 0) blend(out, x, y, color, fmin(part, 1));
        }
}

// How much of pixel i lies between low and high.
static double overlap(int i, double low, double high)
{
    return fmax(0, fmin(high, i + 1.0) - fmax(low, i));
}

void ink_box(image* out, place2 low, place2 high, ink color)
{
    const area box = cover(out, low, high);
    for (int y = box.top; y < box.bottom; ++y)
        for (int x = box.left; x < box.right; ++x)
            blend(out, x, y, color, overlap(x, low.x, high.x) * overlap(y, low.y, high.y));
}

double ink_text_width(double size, const char* text)
{
    double width = 0;
    for (; *text; ++text) width += strokes_width(*text).step;
    return size / STROKE_HEIGHT * width;
}

// One letter whose left and top end is at `corner`.
static void draw_letter(image* out, place2 corner, double unit, double width, ink color,
                        const char* stroke)
{
    place2 last = {0, 0};
    for (bool begins = true; *stroke; stroke += 2, begins = false) {
        if (*stroke == ' ') ++stroke, begins = true;
        place2 next = {corner.x + unit * (stroke[0] - '0'), corner.y + unit * (stroke[1] - '0')};
        bool alone = begins && (stroke[2] == 0 || stroke[2] == ' '); // a dot
        if (!begins || alone) ink_line(out, begins ? next : last, next, width, color);
        last = next;
    }
}

void ink_text(image* out, place2 at, double size, ink color, const char* text)
{
    double unit = size / STROKE_HEIGHT, width = fmax(0.14 * size, 1.1);
    for (; *text; ++text) {
        const stroke_width w = strokes_width(*text);
        const place2 corner = {at.x - unit * w.left, at.y - size};
        draw_letter(out, corner, unit, width, color, strokes_of(*text));
        at.x += unit * w.step;
    }
}
