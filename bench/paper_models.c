#include "bench/paper_models.h"
#include <math.h>

#define NOT_THERE                                                                                  \
    {                                                                                              \
        (double)NAN, (double)NAN, (double)NAN, (double)NAN                                         \
    }

const paper_model paper_models[PAPER_MODELS] = {
    {"Beam", "beam:21x6x6", false, 936, 3727, {40, 17}, {285.03, 170.49, 41.29, 20.46}, 0.78},
    {"Bunny", "bunny", true, 13808, 56371, {52, 21}, {432.28, 315.33, 90.86, 52.81}, 11.97},
    {"Armadillo",
     "armadillo_45k",
     true,
     9751,
     45593,
     {62, 26},
     {528.26, 374.81, 108.89, 61.13},
     9.5},
    {"Spot", "spot", true, 5135, 19835, {104, 25}, {885.07, 324.18, 173.78, 54.25}, 4.19},
    {"Octopus", "octopus", true, 6731, 22213, {78, 22}, {663.96, 299.78, 132.76, 49.10}, 4.79},
    {"Squirrel", "squirrel", true, 15408, 64768, {56, 22}, {457.91, 332.16, 94.78, 55.41}, 13.73},
    {"small Armadillo", "armadillo_3k", true, 987, 2922, {0, 0}, NOT_THERE, 0.63},
    {"large Armadillo", "armadillo_162k", true, 39062, 162385, {0, 0}, NOT_THERE, 34.44},
};

pliant_result paper_mesh(const paper_model* m, const bench_settings* settings, pliant_mesh** out,
                         trial* out_body)
{
    mesh_list one = {0};
    *out = NULL;
    pliant_result result = PLIANT_OK;
    if (!m->is_file)
        result = mesh_list_add(&one, NULL, m->mesh);
    else if (settings->meshes)
        result = mesh_list_add_files(&one, settings->meshes, &m->mesh, 1);
    else
        fprintf(stderr, "pliant bench: %s: no folder of meshes, left out\n", m->mesh);
    if (!result && one.count > 0) result = load_body(one.name[0], out, out_body);
    mesh_list_destroy(&one);
    return result;
}
