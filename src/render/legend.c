#include "render/legend.h"
#include "render/colormap.h"
#include <math.h>
#include <stdio.h>

map_range legend_range(double most)
{
    static const double steps[] = {1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10};
    map_range range = {0, 1};
    if (!(most > 0) || !isfinite(most)) return range;
    double power = pow(10, floor(log10(most)));
    int i = 0;
    while (i < 10 && steps[i] * power < most * (1 - 1e-9)) ++i;
    range.high = steps[i] * power;
    return range;
}

typedef struct {
    const char *name, *unit;
} quantity;
static const quantity quantities[BY_COUNT] = {
    [BY_COLOR] = {"color", NULL},
    [BY_CLUSTER] = {"cluster", NULL},
    [BY_PATCH] = {"patch", NULL},
    [BY_STRAIN] = {"strain", ""},
    [BY_STRESS] = {"von Mises", "Pa"},
    [BY_SPEED] = {"speed", "m/s"},
    [BY_FORCE] = {"contact force", "N"},
    [BY_PLASTIC_STRAIN] = {"plastic strain", ""},
    [BY_TEMPERATURE] = {"temperature", "K"},
};

// 1e6 Pa is 1 MPa; what has no unit, or begins with m, has no prefix.
static double scale_of(const char* unit, double high, const char** out_prefix)
{
    static const struct {
        double factor;
        const char* prefix;
    } scales[] = {{1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}, {1e-3, "m"}};
    int i = 0;
    *out_prefix = "";
    if (unit[0] == 0 || unit[0] == 'm') return 1;
    while (i < 4 && high < 1.2 * scales[i].factor) ++i;
    *out_prefix = scales[i].prefix;
    return scales[i].factor;
}

static const ink dark = {0.16, 0.18, 0.21, 1}, pale = {1, 1, 1, 0.72};

// The map as a column of rows from the bottom up.
static void draw_bar(const sketch* k, image* out, place2 low, place2 high)
{
    enum { MOST = 256 };
    uint8_t rgba[4 * MOST];
    int count = k->number && k->number_count < MOST ? k->number_count : MOST;
    colormap_fill(k->style.map, count, rgba);
    for (double y = low.y; y < high.y; y += 1) {
        int i = (int)(count * (high.y - y - 0.5) / (high.y - low.y));
        const uint8_t* c = rgba + 4 * (size_t)(i < 0 ? 0 : i < count ? i : count - 1);
        const ink color = {c[0] / 255.0, c[1] / 255.0, c[2] / 255.0, 1};
        ink_box(out, (place2){low.x, y}, (place2){high.x, y + 1}, color);
    }
}

static void draw_ticks(const sketch* k, map_range range, image* out, place2 low, place2 high,
                       double size)
{
    enum { TICKS = 4 };
    const char* prefix = "";
    const quantity* q = &quantities[k->style.by];
    double scale = k->number ? 1 : scale_of(q->unit, range.high, &prefix);
    int ticks = k->number ? 1 : TICKS;
    for (int i = 0; i <= ticks; ++i) {
        char text[32];
        double t = (double)i / ticks, y = high.y + t * (low.y - high.y);
        double value = k->number ? (i ? k->number_count : 1)
                                 : (range.low + t * (range.high - range.low)) / scale;
        snprintf(text, sizeof text, "%.4g", value);
        if (!k->number)
            ink_line(out, (place2){high.x, y}, (place2){high.x + 0.4 * size, y}, 1, dark);
        ink_text(out, (place2){high.x + 0.8 * size, y + 0.5 * size}, size, dark, text);
    }
}

static void write_title(const sketch* k, map_range range, char out[64])
{
    const char* prefix = "";
    const quantity* q = &quantities[k->style.by];
    if (k->number || !q->unit[0]) {
        snprintf(out, 64, "%s", q->name);
        return;
    }
    scale_of(q->unit, range.high, &prefix);
    snprintf(out, 64, "%s [%s%s]", q->name, prefix, q->unit);
}

static double width_with(double size, const char* title)
{
    return fmax(ink_text_width(size, title), 7 * size) + 3 * size;
}

// Smaller in small pictures: a third of them is enough, as long as it can be read.
static double letter_size(const image* out, const char* title)
{
    double size = floor(fmax(7, out->height / 64.0));
    while (size > 5 && 3 * width_with(size, title) > out->width) --size;
    return size;
}

int legend_width(const sketch* k, map_range range, const image* out)
{
    char title[64];
    if (k->style.by == BY_BODY) return 0;
    write_title(k, range, title);
    return (int)width_with(letter_size(out, title), title);
}

void legend_draw(const sketch* k, map_range range, image* out)
{
    char title[64];
    if (k->style.by == BY_BODY) return;
    write_title(k, range, title);
    double size = letter_size(out, title), left = out->width - legend_width(k, range, out) + size;
    double height = floor(fmin(22 * size, out->height - 6 * size)), top = floor(4.5 * size);
    place2 low = {left, top}, high = {left + 1.5 * size, top + height};
    ink_box(out, (place2){left - size, size}, (place2){out->width - size, high.y + 1.5 * size},
            pale);
    ink_text(out, (place2){left, low.y - 1.5 * size}, size, dark, title);
    draw_bar(k, out, low, high);
    draw_ticks(k, range, out, low, high, size);
}
