// The parameter of docs/add-a-constraint.md: its default, check, scene key, help and formula.
#include "asset/asset.h"
#include "asset/material.h"
#include "scene/scene.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static int check(const char* what, double found, double expected)
{
    if (fabs(found - expected) < 1e-12) return 0;
    printf("swelling, %s: %g, it should be %g\n", what, found, expected);
    return 1;
}

static int check_text(const char* text, const char* words)
{
    if (strstr(text, words)) return 0;
    printf("\"%s\" does not say \"%s\"\n", text, words);
    return 1;
}

// What a scene says of it; NaN where it is refused.
static double read(const char* material)
{
    char text[256];
    scene* s = NULL;
    snprintf(text, sizeof text, "{\"bodies\": [{\"mesh\": \"torus\",\n\"material\": %s}]}",
             material);
    if (scene_parse(text, strlen(text), "a.json", &s)) return NAN;
    double found = scene_body_at(s, 0)->soft.material.swelling;
    scene_destroy(s);
    return found;
}

static int check_scene(void)
{
    int wrong = check("of a scene", read("{\"swelling\": 1.5}"), 1.5);
    wrong += check("of a preset", read("\"jelly\""), 1);
    wrong += !isnan(read("{\"swelling\": 0}"));
    wrong += check_text(pliant_error_text(), "a.json:2: bodies[0].material.swelling: 0 is out of "
                                             "range: above 0, to 10");
    return wrong;
}

static int check_definition(void)
{
    pliant_soft_def def = pliant_soft_defaults();
    int wrong = check("by default", def.material.swelling, 1);
    wrong += asset_check_def(&def) != PLIANT_OK;
    def.material.swelling = -2;
    wrong += asset_check_def(&def) != PLIANT_ERROR_ARGUMENT;
    wrong += check_text(pliant_error_text(), "material: swelling is -2, it must be above 0, to 10");
    return wrong;
}

static int check_formula(void)
{
    pliant_material_def m = pliant_soft_defaults().material;
    element plain = {.mu = 0}, swollen = {.mu = 0};
    material_constants(&m, PLIANT_LAME_ENGINEERING, &plain);
    m.swelling = 2;
    material_constants(&m, PLIANT_LAME_ENGINEERING, &swollen);
    return check("in gamma", swollen.gamma, 2 * plain.gamma);
}

static int check_help(void)
{
    static char text[1 << 16];
    if (!freopen("help.txt", "w+", stdout)) return 1;
    scene_print_help();
    rewind(stdout);
    text[fread(text, 1, sizeof text - 1, stdout)] = 0;
    if (strstr(text, "swelling") && strstr(text, "volume over that of the mesh; above 0, to 10"))
        return 0;
    fprintf(stderr, "the help on scenes does not have swelling\n");
    return 1;
}

int main(void)
{
    int wrong = check_definition() + check_scene() + check_formula();
    return wrong + check_help() != 0;
}
