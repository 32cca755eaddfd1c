#include "render/colormap.h"
#include <math.h>

typedef struct {
    double r, g, b;
} rgb;

static double clamp(double x) { return x < 0 ? 0 : x > 1 ? 1 : x; }

// A screen's value of linear light.
static double to_screen(double light)
{
    light = clamp(light);
    return light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055;
}

// Oklab (Ottosson 2020) to linear light: lightness, and two axes of color.
static rgb from_oklab(double lightness, double a, double b)
{
    double l = lightness + 0.3963377774 * a + 0.2158037573 * b;
    double m = lightness - 0.1055613458 * a - 0.0638541728 * b;
    double s = lightness - 0.0894841775 * a - 1.2914855480 * b;
    l = l * l * l, m = m * m * m, s = s * s * s;
    rgb c = {4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
             -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
             -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s};
    return c;
}

static bool is_shown(rgb c)
{
    const double least = -1e-9, most = 1 + 1e-9;
    return c.r >= least && c.g >= least && c.b >= least && c.r <= most && c.g <= most &&
           c.b <= most;
}

// By lightness, chroma and hue [turns], equal steps to the eye; with less chroma where no screen
// can show it.
static rgb tone(double lightness, double chroma, double hue)
{
    double turn = 6.283185307179586 * hue;
    rgb c = from_oklab(lightness, chroma * cos(turn), chroma * sin(turn));
    for (int i = 0; i < 64 && !is_shown(c); ++i) {
        chroma *= 0.96;
        c = from_oklab(lightness, chroma * cos(turn), chroma * sin(turn));
    }
    rgb out = {to_screen(c.r), to_screen(c.g), to_screen(c.b)};
    return out;
}

// Lightness rises evenly from dark blue by green to yellow.
static rgb even(double t)
{
    double chroma = 0.10 + 0.035 * sin(3.141592653589793 * t) + 0.04 * t;
    return tone(0.28 + 0.65 * t, chroma, 0.82 - 0.53 * t);
}

static rgb jet(double t)
{
    rgb c = {clamp(1.5 - fabs(4 * t - 3)), clamp(1.5 - fabs(4 * t - 2)),
             clamp(1.5 - fabs(4 * t - 1))};
    return c;
}

// Hues by the golden section, in three lightnesses.
static rgb apart(int number)
{
    double hue = 0.08 + 0.6180339887498949 * number;
    return tone(0.62 + 0.11 * (number % 3), 0.13, hue - floor(hue));
}

void colormap_fill(map_kind kind, int count, uint8_t* rgba)
{
    for (int i = 0; i < count; ++i, rgba += 4) {
        double t = count > 1 ? (double)i / (count - 1) : 0.5;
        rgb c = kind == MAP_JET ? jet(t) : kind == MAP_APART ? apart(i) : even(t);
        rgba[0] = (uint8_t)(255 * c.r + 0.5);
        rgba[1] = (uint8_t)(255 * c.g + 0.5);
        rgba[2] = (uint8_t)(255 * c.b + 0.5);
        rgba[3] = 255;
    }
}
