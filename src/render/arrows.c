#include "render/arrows.h"
#include "base/memory.h"
#include "render/ink.h"
#include "render/shade.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// ---- forces -------------------------------------------------------------------------------------

static void add_arrow(arrow_list* list, vec3 at, vec3 force)
{
    double strength = v3_length(force);
    if (strength > 0 && isfinite(strength)) list->item[list->count++] = (arrow){at, force};
}

static void add_particles(const frame* f, arrow_list* list)
{
    for (int i = 0; i < f->vertex_count; ++i) {
        const float* force = f->contact_force + 3 * (size_t)i;
        add_arrow(list, v3_of(f->vertices + 3 * (size_t)i),
                  v3((double)force[0], (double)force[1], (double)force[2]));
    }
}

static void add_contacts(const frame* f, arrow_list* list)
{
    for (int i = 0; i < f->contact_count; ++i) {
        vec3 at = v3_of(f->contacts[i].point), force = v3_of(f->contacts[i].force);
        add_arrow(list, at, force);
        add_arrow(list, at, v3_scale(-1, force));
    }
}

static int compare_doubles(const void* a, const void* b)
{
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static bool find_strongest(arrow_list* list)
{
    double* strength = (double*)mem_array((size_t)list->count + 1, sizeof *strength);
    if (!strength) return false;
    for (int i = 0; i < list->count; ++i) strength[i] = v3_length(list->item[i].force);
    if (list->count) qsort(strength, (size_t)list->count, sizeof *strength, compare_doubles);
    list->strongest = list->count ? strength[(list->count - 1) - (list->count - 1) / 100] : 0;
    mem_free(strength);
    return true;
}

pliant_result arrows_find(const frame* f, arrows_of what, arrow_list* out)
{
    *out = (arrow_list){.item = NULL};
    if (what == ARROWS_NONE) return PLIANT_OK;
    size_t most = what == ARROWS_FORCE ? (size_t)f->vertex_count : 2 * (size_t)f->contact_count;
    out->item = (arrow*)mem_array(most + 1, sizeof *out->item);
    if (!out->item) return PLIANT_ERROR_MEMORY;
    if (what == ARROWS_FORCE)
        add_particles(f, out);
    else
        add_contacts(f, out);
    if (find_strongest(out)) return PLIANT_OK;
    arrows_release(out);
    return PLIANT_ERROR_MEMORY;
}

void arrows_release(arrow_list* list)
{
    mem_free(list->item);
    *list = (arrow_list){.item = NULL};
}

// ---- drawing ------------------------------------------------------------------------------------

static const ink red = {0.80, 0.05, 0.10, 0.85}, dark = {0.16, 0.18, 0.21, 1};

// False where it is behind the viewer or beside the columns.
static bool place_of(const view* v, vec3 point, int left, int width, place2* out)
{
    spot s;
    if (!view_project(v, point, &s)) return false;
    *out = (place2){left + s.x / FINE, s.y / FINE};
    return out->x >= left && out->x < left + width;
}

static void draw_one(image* out, place2 from, place2 to, double thick)
{
    double dx = to.x - from.x, dy = to.y - from.y, length = sqrt(dx * dx + dy * dy);
    double head = fmin(0.4 * length, 5 * thick);
    if (!(length > 0.5)) return;
    dx *= head / length, dy *= head / length;
    ink_line(out, from, to, thick, red);
    ink_line(out, to, (place2){to.x - dx - 0.5 * dy, to.y - dy + 0.5 * dx}, thick, red);
    ink_line(out, to, (place2){to.x - dx + 0.5 * dy, to.y - dy - 0.5 * dx}, thick, red);
}

void arrows_draw(const arrow_list* list, arrow_scale scale, const view* v, image* out, int left,
                 int width)
{
    double thick = fmax(1, out->height / 400.0);
    for (int i = 0; i < list->count && scale.force > 0; ++i) {
        const arrow* a = &list->item[i];
        double strength = v3_length(a->force), length = fmin(strength / scale.force, 1);
        place2 from, to;
        vec3 end = v3_add_scaled(a->at, scale.length * length / strength, a->force);
        if (place_of(v, a->at, left, width, &from) && place_of(v, end, left, width, &to))
            draw_one(out, from, to, thick);
    }
}

void arrows_tell(arrow_scale scale, image* out)
{
    char text[64];
    double size = floor(fmax(7, out->height / 64.0));
    if (!(scale.force > 0)) return;
    snprintf(text, sizeof text, "longest arrows: %.3g N or more", scale.force);
    ink_text(out, (place2){size, out->height - size}, size, dark, text);
}
