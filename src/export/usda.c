#include "export/usda.h"
#include "base/memory.h"
#include "base/platform.h"
#include "export/palette.h"
#include "meshfile/sink.h"
#include <math.h>
#include <string.h>

// One prim while it is written: text goes on to the file piece by piece.
typedef struct {
    const film* film;
    platform_draft* file;
    sink text;
    float* numbers; // of one body in one frame
    const shown_body* body;
    float margin; // [m] what there is around the points
    pliant_result result;
} usda_writer;

static void flush(usda_writer* w)
{
    if (w->text.failed) w->result = PLIANT_ERROR_MEMORY;
    if (!w->result) platform_draft_write(w->file, w->text.data, w->text.bytes);
    w->text.bytes = 0;
}

// ---- values -------------------------------------------------------------------------------------

static void put_tuple(sink* out, const float* value, int width)
{
    for (int k = 0; k < width; ++k) {
        sink_text(out, k ? ", " : "(");
        sink_single(out, value[k]);
    }
    sink_text(out, ")");
}

// Values of `width` numbers each, those with the numbers `which` or all in order.
static void put_tuples(sink* out, const float* value, const int* which, int count, int width)
{
    sink_text(out, "[");
    for (int i = 0; i < count; ++i) {
        sink_text(out, i ? ", " : "");
        put_tuple(out, value + (size_t)width * (size_t)(which ? which[i] : i), width);
    }
    sink_text(out, "]");
}

static void put_integers(usda_writer* w, const char* name, const int* value, const int* which,
                         int64_t count)
{
    sink_print(&w->text, "        int[] %s = [", name);
    for (int64_t i = 0; i < count; ++i) {
        sink_text(&w->text, i ? ", " : "");
        sink_integer(&w->text, which ? value[which[i]] : value[i]);
    }
    sink_text(&w->text, "]\n");
}

// `count` times the same.
static void put_counts(usda_writer* w, const char* name, int value, int count)
{
    sink_print(&w->text, "        int[] %s = [", name);
    for (int i = 0; i < count; ++i) {
        sink_text(&w->text, i ? ", " : "");
        sink_integer(&w->text, value);
    }
    sink_text(&w->text, "]\n");
}

// ---- time samples -------------------------------------------------------------------------------

typedef void put_sample(usda_writer* w);

// One sample for each frame, from `count` numbers of the reel.
static void put_samples(usda_writer* w, const char* name, size_t first, size_t count,
                        put_sample* put)
{
    sink_print(&w->text, "        %s.timeSamples = {\n", name);
    for (int i = 0; i < w->film->reel.frame_count && !w->result; ++i) {
        w->result = reel_read(&w->film->reel, i, first, count, w->numbers);
        sink_print(&w->text, "            %d: ", i);
        if (!w->result) put(w);
        sink_text(&w->text, ",\n");
        flush(w);
    }
    sink_text(&w->text, "        }");
}

static void put_points(usda_writer* w)
{
    put_tuples(&w->text, w->numbers, NULL, w->body->face->point_count, 3);
}

static void put_normals(usda_writer* w)
{
    put_tuples(&w->text, w->numbers, NULL, w->body->face->look->normal_count, 3);
}

// The ends of the edges, which have no numbers in USD.
static void put_ends(usda_writer* w)
{
    put_tuples(&w->text, w->numbers, w->body->face->edges, 2 * w->body->face->edge_count, 3);
}

static void put_extent(usda_writer* w)
{
    float bounds[6] = {INFINITY, INFINITY, INFINITY, -INFINITY, -INFINITY, -INFINITY};
    for (int i = 0; i < w->body->face->point_count; ++i)
        for (int k = 0; k < 3; ++k) {
            float x = w->numbers[3 * (size_t)i + (size_t)k];
            bounds[k] = fminf(bounds[k], x - w->margin);
            bounds[3 + k] = fmaxf(bounds[3 + k], x + w->margin);
        }
    put_tuples(&w->text, bounds, NULL, 2, 3);
}

// ---- bodies -------------------------------------------------------------------------------------

static void put_color(usda_writer* w, int body)
{
    double screen[3];
    float color[3];
    palette_color(w->film->stage, body, screen);
    for (int k = 0; k < 3; ++k) color[k] = (float)(screen[k] * screen[k]); // linear
    sink_text(&w->text, "        color3f[] primvars:displayColor = ");
    put_tuples(&w->text, color, NULL, 1, 3);
    sink_text(&w->text, "\n");
}

static void put_texture_places(usda_writer* w, const visual* look)
{
    int corners = 3 * look->triangle_count;
    sink_text(&w->text, "        texCoord2f[] primvars:st = [");
    for (int i = 0; i < look->vertex_count; ++i) {
        const double* uv = look->vertex_uv + 2 * (size_t)i;
        const float st[2] = {(float)uv[0], (float)(1 - uv[1])};
        sink_text(&w->text, i ? ", " : "");
        put_tuple(&w->text, st, 2);
    }
    sink_text(&w->text, "] (\n            interpolation = \"faceVarying\"\n        )\n");
    put_integers(w, "primvars:st:indices", look->triangle, NULL, corners);
}

static void put_mesh(usda_writer* w, int number)
{
    const visual* look = w->body->face->look;
    const reel* r = &w->film->reel;
    int corners = 3 * look->triangle_count;
    size_t points = reel_points(w->body), count = 3 * (size_t)w->body->face->point_count;
    sink_print(&w->text, "    def Mesh \"body_%d\"\n    {\n        uniform bool doubleSided = 1\n",
               number);
    put_samples(w, "float3[] extent", points, count, put_extent);
    sink_text(&w->text, "\n");
    put_counts(w, "faceVertexCounts", 3, look->triangle_count);
    put_integers(w, "faceVertexIndices", look->vertex_point, look->triangle, corners);
    put_samples(w, "point3f[] points", points, count, put_points);
    sink_text(&w->text, "\n");
    put_color(w, number);
    sink_text(&w->text, "        normal3f[] primvars:normals (\n            interpolation = "
                        "\"faceVarying\"\n        )\n");
    put_samples(w, "normal3f[] primvars:normals", reel_normals(r, w->body),
                3 * (size_t)look->normal_count, put_normals);
    sink_text(&w->text, "\n");
    put_integers(w, "primvars:normals:indices", look->vertex_normal, look->triangle, corners);
    if (look->vertex_uv) put_texture_places(w, look);
    sink_text(&w->text, "        uniform token subdivisionScheme = \"none\"\n    }\n\n");
    flush(w);
}

// Every edge is a curve of two points.
static void put_curves(usda_writer* w, int number)
{
    const body_face* face = w->body->face;
    size_t points = reel_points(w->body), count = 3 * (size_t)face->point_count;
    w->margin = (float)face->rope_radius;
    sink_print(&w->text, "    def BasisCurves \"body_%d\"\n    {\n", number);
    put_counts(w, "curveVertexCounts", 2, face->edge_count);
    put_samples(w, "float3[] extent", points, count, put_extent);
    sink_text(&w->text, "\n");
    put_samples(w, "point3f[] points", points, count, put_ends);
    sink_text(&w->text, "\n");
    put_color(w, number);
    sink_text(&w->text, "        uniform token type = \"linear\"\n        float[] widths = [");
    sink_single(&w->text, 2 * w->margin);
    sink_text(&w->text, "] (\n            interpolation = \"constant\"\n        )\n    }\n\n");
    flush(w);
}

static void put_widths(usda_writer* w)
{
    const body_face* face = w->body->face;
    sink_text(&w->text, "        float[] widths = [");
    for (int i = 0; i < face->point_count; ++i) {
        sink_text(&w->text, i ? ", " : "");
        sink_single(&w->text, (float)(2 * face->point_radius[i]));
    }
    sink_text(&w->text, "] (\n            interpolation = \"vertex\"\n        )\n");
}

static void put_particle_colors(usda_writer* w)
{
    const body_face* face = w->body->face;
    sink_text(&w->text, "        color3f[] primvars:displayColor = [");
    for (int i = 0; i < face->point_count; ++i) {
        float color[3];
        for (int k = 0; k < 3; ++k) {
            double screen = face->point_color[3 * (size_t)i + (size_t)k];
            color[k] = (float)(screen * screen);
        }
        sink_text(&w->text, i ? ", " : "");
        put_tuple(&w->text, color, 3);
    }
    sink_text(&w->text, "] (\n            interpolation = \"vertex\"\n        )\n");
}

// A ball at each point.
static void put_particles(usda_writer* w, int number)
{
    const body_face* face = w->body->face;
    size_t points = reel_points(w->body), count = 3 * (size_t)face->point_count;
    for (int i = 0; i < face->point_count; ++i)
        w->margin = fmaxf(w->margin, (float)face->point_radius[i]);
    sink_print(&w->text, "    def Points \"body_%d\"\n    {\n", number);
    put_samples(w, "float3[] extent", points, count, put_extent);
    sink_text(&w->text, "\n");
    put_samples(w, "point3f[] points", points, count, put_points);
    sink_text(&w->text, "\n");
    if (face->point_color)
        put_particle_colors(w);
    else
        put_color(w, number);
    put_widths(w);
    sink_text(&w->text, "    }\n\n");
    flush(w);
}

// ---- the file -----------------------------------------------------------------------------------

static void put_head(usda_writer* w)
{
    double rate = 1 / (w->film->every * w->film->stage->scene->dt);
    sink_text(&w->text, "#usda 1.0\n(\n    defaultPrim = \"run\"\n    endTimeCode = ");
    sink_integer(&w->text, w->film->reel.frame_count - 1);
    sink_text(&w->text, "\n    framesPerSecond = ");
    sink_real(&w->text, rate);
    sink_text(&w->text,
              "\n    metersPerUnit = 1\n    startTimeCode = 0\n    timeCodesPerSecond = ");
    sink_real(&w->text, rate);
    sink_text(&w->text, "\n    upAxis = \"Y\"\n)\n\ndef Xform \"run\"\n{\n");
}

static void put_bodies(usda_writer* w)
{
    const frame* f = w->film->frame;
    for (int i = 0; i < f->shown_count && !w->result; ++i) {
        w->body = &f->shown[i];
        w->margin = 0;
        if (w->body->face->look)
            put_mesh(w, i);
        else if (w->body->face->edge_count)
            put_curves(w, i);
        else if (w->body->face->point_radius)
            put_particles(w, i);
    }
}

pliant_result usda_write(const film* f, const char* path)
{
    usda_writer w = {.film = f};
    w.numbers = (float*)mem_array(f->reel.floats, sizeof(float));
    w.result = w.numbers ? platform_draft_open(path, &w.file) : PLIANT_ERROR_MEMORY;
    if (!w.result) {
        put_head(&w);
        put_bodies(&w);
        sink_text(&w.text, "}\n");
        flush(&w);
        pliant_result closed =
            platform_draft_close(w.file, w.result ? DRAFT_DROPPED : DRAFT_ON_DISK);
        if (!w.result) w.result = closed;
    }
    sink_release(&w.text);
    mem_free(w.numbers);
    return w.result;
}
