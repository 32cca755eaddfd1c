#include "bench/paper_scene.h"
#include "base/error.h"
#include "shoot.h"
#include <stdlib.h>
#include <string.h>

const double paper_pink[3] = {0.93, 0.50, 0.62}, paper_blue[3] = {0.36, 0.56, 0.86},
             paper_green[3] = {0.45, 0.70, 0.42};

static void set_word(json_t* body, const char* object, const char* name, const char* word)
{
    if (word) json_object_set_new(json_object_get(body, object), name, json_string(word));
}

json_t* paper_body(json_t* mesh, const paper_way* how)
{
    json_t* body = json_pack("{s:o, s:{s:f, s:f, s:f}, s:{}, s:{s:s}, s:[f, f, f]}", "mesh", mesh,
                             "material", "young", how->young, "poisson", how->poisson, "density",
                             1000.0, "solver", "research", "lame_convention", "plain", "color",
                             how->color[0], how->color[1], how->color[2]);
    if (!body) return NULL;
    set_word(body, "solver", "formulation", how->formulation);
    set_word(body, "solver", "integrator", how->integrator);
    set_word(body, "solver", "schedule", how->schedule);
    set_word(body, "research", "clustering", how->clustering);
    return body;
}

static pliant_result shoot_text(const char* text, const char* path, const style* how)
{
    scene* made = NULL;
    pliant_result result = scene_parse(text, strlen(text), "a scene of the papers", &made);
    if (result) return result;
    shot s = shot_of(made, path);
    s.style = *how;
    result = shoot(&s, NULL);
    scene_destroy(made);
    return result;
}

pliant_result paper_shoot(const bench_settings* settings, const char* name, const char* word,
                          json_t* root, const style* how)
{
    char path[4096], *text = root ? json_dumps(root, JSON_COMPACT) : NULL;
    json_decref(root);
    if (!text) return fail(PLIANT_ERROR_MEMORY, "out of memory");
    pliant_result result = PLIANT_OK;
    if (settings->out) {
        paper_path(settings, name, word, path);
        result = shoot_text(text, path, how);
    }
    free(text);
    return result;
}
