// The pictures of figures 6, 7 and 8 of the 2022 paper: bodies with the same number of substeps
// side by side, and a beam that unfolds.
#include "base/platform.h"
#include "bench/paper_scene.h"
#include "facts.h"
#include "options.h"
#include "system/folder.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIDE_BY_SIDE = 3 };

// Bodies in a row across the view.
typedef struct {
    double apart;              // [m]
    double held;               // [m] along x, up to where they are pinned
    double azimuth, elevation; // [degrees]
} row_view;

static void place(json_t* body, int number, const row_view* v)
{
    double turn = 0.017453292519943295 * v->azimuth, right = number * v->apart;
    json_object_set_new(body, "position",
                        json_pack("[f, f, f]", right * cos(turn), 0.0, -right * sin(turn)));
    json_object_set_new(body, "pins",
                        json_pack("[{s:{s:[f, f, f]}}]", "box", "max", v->held, 1e9, 1e9));
}

// From so far away that each body is seen from the same side.
static json_t* camera_of(const row_view* v, int width, int height)
{
    return json_pack("{s:i, s:i, s:f, s:f, s:f}", "width", width, "height", height, "azimuth",
                     v->azimuth, "elevation", v->elevation, "field_of_view", 3.0);
}

// The decoupled pair, two rows and ten rows, from left to right.
static json_t* three_bodies(const char* text, double young, double poisson, const row_view* v)
{
    const paper_way way[SIDE_BY_SIDE] = {
        {"decoupled",
         "implicit_euler",
         "serial",
         NULL,
         young,
         poisson,
         {paper_pink[0], paper_pink[1], paper_pink[2]}},
        {"two_rows",
         "implicit_euler",
         "serial",
         NULL,
         young,
         poisson,
         {paper_blue[0], paper_blue[1], paper_blue[2]}},
        {"ten_rows",
         NULL,
         "serial",
         NULL,
         young,
         poisson,
         {paper_green[0], paper_green[1], paper_green[2]}},
    };
    json_t* list = json_array();
    for (int i = 0; i < SIDE_BY_SIDE; ++i) {
        json_t* body = paper_body(json_loads(text, JSON_DECODE_ANY, NULL), &way[i]);
        if (!body) continue;
        place(body, i, v);
        json_object_set_new(body, "visual", json_string("none"));
        json_array_append_new(list, body);
    }
    return list;
}

static json_t* row_scene(json_t* bodies, int substeps, json_t* camera)
{
    return json_pack("{s:f, s:i, s:i, s:o, s:o}", "dt", 0.01, "substeps", substeps, "frames", 20,
                     "bodies", bodies, "camera", camera);
}

pliant_result paper_draw_fig6(const bench_settings* settings)
{
    const row_view view = {2.45, 0.001, 20, 16};
    style look = style_defaults();
    style_by_word(&look, "strain"); // wrinkles are too small to be seen
    look.low = 0, look.high = 0.03;
    json_t* bodies = three_bodies("\"beam:21x6x6\"", 1e7, 0.45, &view);
    return paper_shoot(settings, "fig6", "beams",
                       row_scene(bodies, 30, camera_of(&view, 1500, 320)), &look);
}

// The surface of spot, beside the tets or with them. False: it is nowhere.
static bool find_spot(const bench_settings* settings, char out[4096])
{
    static const char* const places[] = {"spot.obj.gz", "../surfaces/spot.obj.gz", "spot.obj",
                                         "../surfaces/spot.obj"};
    for (int i = 0; i < 4 && settings->meshes; ++i) {
        snprintf(out, 4096, "%.3000s/%s", settings->meshes, places[i]);
        if (file_exists(out)) return true;
    }
    return false;
}

pliant_result paper_draw_fig7(const bench_settings* settings)
{
    const row_view view = {1.35, -0.35, 215, 10}; // held at one side of its body
    style look = style_defaults();
    char path[4096];
    style_by_word(&look, "strain");
    look.low = 0, look.high = 0.01; // that of the coupled ones
    if (!settings->out) return PLIANT_OK;
    if (!find_spot(settings, path)) {
        fprintf(stderr, "pliant bench fig7: spot.obj is not there: no picture\n");
        return PLIANT_OK;
    }
    json_t* mesh = json_pack("{s:s, s:i}", "surface", path, "tets", 2900);
    char* text = mesh ? json_dumps(mesh, JSON_COMPACT) : NULL;
    json_decref(mesh);
    // With 10 MPa the pair has 126 times the energy of the converged run after 0.2 s, two rows 0.90
    // and ten rows 0.95 times.
    json_t* bodies = three_bodies(text ? text : "", 1e7, 0.3, &view);
    free(text);
    return paper_shoot(settings, "fig7", "spots",
                       row_scene(bodies, 20, camera_of(&view, 1500, 560)), &look);
}

static pliant_result draw_fig8(const bench_settings* settings, const char* word,
                               const char* formulation, const double color[3])
{
    const style look = style_defaults();
    const paper_way way = {
        formulation, NULL, NULL, NULL, 1e7, 0.45, {color[0], color[1], color[2]}};
    json_t* body = paper_body(json_string("beam:21x6x6"), &way);
    if (body)
        json_object_set_new(body, "scramble", json_pack("{s:s, s:i}", "kind", "random", "seed", 1));
    return paper_shoot(settings, "fig8", word,
                       json_pack("{s:f, s:i, s:i, s:[f,f,f], s:[o], s:{s:i, s:i, s:f, s:f, "
                                 "s:[f,f,f,f,f,f]}}",
                                 "dt", 1.0 / 60, "substeps", 30, "frames", 300, "gravity", 0.0, 0.0,
                                 0.0, "bodies", body, "camera", "width", 1600, "height", 240,
                                 "azimuth", 25.0, "elevation", 18.0, "times", 0.0, 1.0 / 60,
                                 2.0 / 60, 0.1, 0.5, 4.0),
                       &look);
}

int paper_fig8(const bench_settings* settings)
{
    int status = bench_scramble(settings);
    pliant_result result = draw_fig8(settings, "two-rows", "two_rows", paper_blue);
    if (!result) result = draw_fig8(settings, "ten-rows", "ten_rows", paper_green);
    return result ? tell_failure("bench fig8") : status;
}
