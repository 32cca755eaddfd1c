#include "scene/drop.h"
#include "meshfile/number.h"
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void find_box(const pliant_mesh* surface, double middle[3], double side[3])
{
    pliant_mesh_arrays m = pliant_mesh_view(surface);
    for (int k = 0; k < 3; ++k) {
        double low = INFINITY, high = -INFINITY;
        for (int64_t i = 0; i < m.vertex_count; ++i) {
            low = fmin(low, m.vertices[3 * i + k]);
            high = fmax(high, m.vertices[3 * i + k]);
        }
        middle[k] = m.vertex_count ? 0.5 * (low + high) : 0;
        side[k] = m.vertex_count ? high - low : 0;
    }
}

// A few digits, so that people like to change them.
static double rounded(double value, double size) { return round_to_size(value, size, 4); }

static void print_vector(sink* out, const double v[3])
{
    sink_text(out, "[");
    for (int k = 0; k < 3; ++k) {
        sink_text(out, k ? ", " : "");
        sink_real(out, v[k]);
    }
    sink_text(out, "]");
}

static void print_text(sink* out, const char* text)
{
    json_t* value = json_string_nocheck(text);
    char* quoted = value ? json_dumps(value, JSON_ENCODE_ANY) : NULL;
    if (quoted)
        sink_text(out, quoted);
    else
        out->failed = true;
    free(quoted);
    json_decref(value);
}

static void print_mesh(sink* out, const pliant_mesh* mesh, const char* file, int tets)
{
    pliant_mesh_arrays m = pliant_mesh_view(mesh);
    bool as_it_is = tets == 0 && (m.tet_count > 0 || m.triangle_count == 0);
    sink_text(out, as_it_is ? "{\"file\": " : "{\"surface\": ");
    print_text(out, file);
    if (!as_it_is) sink_print(out, ", \"tets\": %d", tets ? tets : pliant_tet_defaults().tets);
    sink_text(out, "}");
}

void drop_scene(const pliant_mesh* mesh, const char* file, int tets, sink* out)
{
    // 7 degrees about z, as the floats of a rotation have them: far from the origin that counts.
    const double z = (float)0.06104853953485687, w = (float)0.9981347984218669,
                 norm = z * z + w * w;
    const double cosine = (w * w - z * z) / norm, sine = 2 * w * z / norm, height = 0.4;
    double middle[3], side[3];
    find_box(mesh, middle, side);
    double longest = fmax(side[0], fmax(side[1], side[2]));
    double scale = longest > 0 ? rounded(1 / longest, 1 / longest) : 1;
    double half = 0.5 * scale * (sine * side[0] + cosine * side[1]);
    double position[3] = {-scale * (cosine * middle[0] - sine * middle[1]),
                          height + half - scale * (sine * middle[0] + cosine * middle[1]),
                          -scale * middle[2]};
    for (int k = 0; k < 3; ++k) position[k] = rounded(position[k], height);
    sink_text(out, "{\n  \"description\": \"A body falls and wobbles.\",\n"
                   "  \"frames\": 120,\n  \"bodies\": [\n    {\n      \"mesh\": ");
    print_mesh(out, mesh, file, tets);
    sink_text(out, ",\n      \"material\": {\"density\": 1000, \"young\": 2e5, \"poisson\": "
                   "0.45},\n      \"scale\": ");
    sink_real(out, scale);
    sink_text(out, ",\n      \"position\": ");
    print_vector(out, position);
    sink_text(out, ",\n      \"rotation\": {\"axis\": [0, 0, 1], \"degrees\": 7}\n    }\n  ],\n"
                   "  \"colliders\": [{\"shape\": \"plane\", \"friction\": 0.6}]\n}\n");
}

bool drop_name(const char* scene, const char* path, char out[4096])
{
    const char* slash = strrchr(scene, '/');
    size_t folder = slash ? (size_t)(slash + 1 - scene) : 0;
    const char* name = path;
    if (path[0] != '/' && folder) {
        if (strncmp(scene, path, folder) != 0) return false;
        name = path + folder;
    }
    int length = snprintf(out, 4096, "%s", name);
    return length > 0 && length < 4000;
}
