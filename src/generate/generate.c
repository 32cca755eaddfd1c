// Meshes from words such as "torus:1:0.3:8": a name, then groups of numbers after colons; the
// numbers of a group are joined by x. Groups that are missing or empty have defaults.
#include "generate/airborne.h"
#include "generate/car.h"
#include "mesh/limit.h"
#include <limits.h>
#include <string.h>

// Each line starts with a word that spells out its defaults.
static const char help[] =
    "beam:21x6x6:0.1:0:1   box of 5 tets a cell: cells, cell size [m], jitter, seed\n"
    "box6:4x4x4:0.1:0:1    box of 6 tets a cell: cells, cell size [m], jitter, seed\n"
    "sphere:0.5:12         radius [m], cells across\n"
    "balloon:0.5:12        its outside, closed: radius [m], cells across\n"
    "torus:1:0.4:6         ring radius [m], tube radius [m], cells across the tube\n"
    "cylinder:0.5:2:8      radius [m], height [m], cells across\n"
    "blob:0.5:12:1         sphere with bumps: radius [m], cells across, seed\n"
    "car:4x1.4x1.7:24      length, height and width [m], cells along it\n"
    "cloth:20x20:2x2       sheet of triangles: cells, size [m]\n"
    "rope:3:50             chain of edges: length [m], segments\n"
    "knot:2:160            the same with a loose overhand knot in it\n"
    "helix:0.05:0.02:10:16  spring or cord: radius [m], pitch [m], turns, sides\n"
    "grains:1x1x1:0.1:1    box of particles: size [m], spacing [m], seed (0: closest packing)\n"
    "none                  no particles: for a body that they are added to\n"
    "terrain:40x40:4x4:0.6:1  hills of triangles: cells, size [m], height [m], seed\n"
    "cup:0.5:0.6:32        open at the top: radius [m], height [m], sides\n"
    "brick:1x1x1           box of 5 tets around the origin: size [m]\n"
    "link:0.12:0.06:0.014:8  of a chain, along x: length [m], width [m], wire [m], sides\n"
    "banana:0.2:0.03:8     bent and thinner at its ends: length [m], radius [m], sides\n"
    "disc:0.5:16           round sheet of triangles: radius [m], rings\n"
    "parachute:0.8:18:1.6  the same with lines: radius [m], lines, their length [m]\n"
    "dart:0.3x0.2          paper plane of tets: length and span [m]\n";

enum { MOST_GROUPS = 4, MOST_NUMBERS = 3 };

typedef enum { REAL, WHOLE, SEED } number_kind;

// A group of numbers of one word.
typedef struct {
    const char* name;
    int count;
    number_kind kind;
    double value[MOST_NUMBERS]; // the defaults, then what was read
} number_group;

typedef pliant_result make_fn(const number_group* group, pliant_mesh** out);

typedef struct {
    const char* name;
    make_fn* make;
    number_group group[MOST_GROUPS];
} generator;

static int whole(const number_group* group, int index) { return (int)group->value[index]; }

static pliant_result make_box(const number_group* group, int tets_per_cell, pliant_mesh** out)
{
    pliant_box_def def = pliant_box_defaults();
    for (int axis = 0; axis < 3; ++axis) {
        def.cells[axis] = whole(&group[0], axis);
        def.cell_size[axis] = group[1].value[0];
    }
    def.tets_per_cell = tets_per_cell;
    def.jitter = group[2].value[0];
    def.seed = (uint64_t)group[3].value[0];
    return pliant_mesh_box(&def, out);
}

static pliant_result make_beam(const number_group* group, pliant_mesh** out)
{
    return make_box(group, 5, out);
}

static pliant_result make_box6(const number_group* group, pliant_mesh** out)
{
    return make_box(group, 6, out);
}

static pliant_result make_sphere(const number_group* group, pliant_mesh** out)
{
    return pliant_mesh_sphere(group[0].value[0], whole(&group[1], 0), out);
}

static pliant_result make_balloon(const number_group* group, pliant_mesh** out)
{
    pliant_mesh* ball = NULL;
    pliant_result result = make_sphere(group, &ball);
    if (!result) result = pliant_mesh_boundary(ball, out, NULL);
    pliant_mesh_destroy(ball);
    return result;
}

static pliant_result make_torus(const number_group* group, pliant_mesh** out)
{
    return pliant_mesh_torus(group[0].value[0], group[1].value[0], whole(&group[2], 0), out);
}

static pliant_result make_cylinder(const number_group* group, pliant_mesh** out)
{
    return pliant_mesh_cylinder(group[0].value[0], group[1].value[0], whole(&group[2], 0), out);
}

static pliant_result make_blob(const number_group* group, pliant_mesh** out)
{
    return pliant_mesh_blob(group[0].value[0], whole(&group[1], 0), (uint64_t)group[2].value[0],
                            out);
}

static pliant_result make_car(const number_group* group, pliant_mesh** out)
{
    return car_create(group[0].value, whole(&group[1], 0), out);
}

static pliant_result make_cloth(const number_group* group, pliant_mesh** out)
{
    const int cells[2] = {whole(&group[0], 0), whole(&group[0], 1)};
    return pliant_mesh_cloth(cells, group[1].value, out);
}

static pliant_result make_rope(const number_group* group, pliant_mesh** out)
{
    return pliant_mesh_rope(group[0].value[0], whole(&group[1], 0), out);
}

static pliant_result make_knot(const number_group* group, pliant_mesh** out)
{
    return pliant_mesh_knot(group[0].value[0], whole(&group[1], 0), out);
}

static pliant_result make_helix(const number_group* group, pliant_mesh** out)
{
    return pliant_mesh_helix(group[0].value[0], group[1].value[0], whole(&group[2], 0),
                             whole(&group[3], 0), out);
}

static pliant_result make_grains(const number_group* group, pliant_mesh** out)
{
    pliant_box_def box = pliant_box_defaults();
    pliant_fill_def fill = pliant_fill_defaults();
    for (int axis = 0; axis < 3; ++axis) {
        box.cells[axis] = 1;
        box.cell_size[axis] = group[0].value[axis];
    }
    fill.spacing = group[1].value[0];
    fill.seed = whole(&group[2], 0);
    if (fill.seed) fill.pattern = PLIANT_PATTERN_NOISE;
    pliant_mesh* shape = NULL;
    pliant_result result = pliant_mesh_box(&box, &shape);
    if (!result) result = pliant_mesh_fill(shape, &fill, out);
    pliant_mesh_destroy(shape);
    return result;
}

static pliant_result make_none(const number_group* group, pliant_mesh** out)
{
    (void)group;
    const pliant_mesh_arrays nothing = {0};
    return pliant_mesh_create(&nothing, out);
}

static pliant_result make_terrain(const number_group* group, pliant_mesh** out)
{
    const int cells[2] = {whole(&group[0], 0), whole(&group[0], 1)};
    return pliant_mesh_terrain(cells, group[1].value, group[2].value[0],
                               (uint64_t)group[3].value[0], out);
}

static pliant_result make_cup(const number_group* group, pliant_mesh** out)
{
    return pliant_mesh_cup(group[0].value[0], group[1].value[0], whole(&group[2], 0), out);
}

static pliant_result make_brick(const number_group* group, pliant_mesh** out)
{
    return pliant_mesh_brick(group[0].value, out);
}

static pliant_result make_link(const number_group* group, pliant_mesh** out)
{
    return pliant_mesh_link(group[0].value[0], group[1].value[0], group[2].value[0],
                            whole(&group[3], 0), out);
}

static pliant_result make_banana(const number_group* group, pliant_mesh** out)
{
    return pliant_mesh_banana(group[0].value[0], group[1].value[0], whole(&group[2], 0), out);
}

static pliant_result make_disc(const number_group* group, pliant_mesh** out)
{
    return disc_create(group[0].value[0], whole(&group[1], 0), out);
}

static pliant_result make_parachute(const number_group* group, pliant_mesh** out)
{
    return parachute_create(group[0].value[0], whole(&group[1], 0), group[2].value[0], out);
}

static pliant_result make_dart(const number_group* group, pliant_mesh** out)
{
    return dart_create(group[0].value[0], group[0].value[1], out);
}

static const generator generators[] = {
    {"beam",
     make_beam,
     {{"cells", 3, WHOLE, {21, 6, 6}},
      {"cell size", 1, REAL, {0.1}},
      {"jitter", 1, REAL, {0}},
      {"seed", 1, SEED, {1}}}},
    {"box6",
     make_box6,
     {{"cells", 3, WHOLE, {4, 4, 4}},
      {"cell size", 1, REAL, {0.1}},
      {"jitter", 1, REAL, {0}},
      {"seed", 1, SEED, {1}}}},
    {"sphere", make_sphere, {{"radius", 1, REAL, {0.5}}, {"cells across", 1, WHOLE, {12}}}},
    {"balloon", make_balloon, {{"radius", 1, REAL, {0.5}}, {"cells across", 1, WHOLE, {12}}}},
    {"torus",
     make_torus,
     {{"ring radius", 1, REAL, {1}},
      {"tube radius", 1, REAL, {0.4}},
      {"cells across", 1, WHOLE, {6}}}},
    {"cylinder",
     make_cylinder,
     {{"radius", 1, REAL, {0.5}}, {"height", 1, REAL, {2}}, {"cells across", 1, WHOLE, {8}}}},
    {"blob",
     make_blob,
     {{"radius", 1, REAL, {0.5}}, {"cells across", 1, WHOLE, {12}}, {"seed", 1, SEED, {1}}}},
    {"car", make_car, {{"size", 3, REAL, {4, 1.4, 1.7}}, {"cells", 1, WHOLE, {24}}}},
    {"cloth", make_cloth, {{"cells", 2, WHOLE, {20, 20}}, {"size", 2, REAL, {2, 2}}}},
    {"rope", make_rope, {{"length", 1, REAL, {3}}, {"segments", 1, WHOLE, {50}}}},
    {"knot", make_knot, {{"length", 1, REAL, {2}}, {"segments", 1, WHOLE, {160}}}},
    {"helix",
     make_helix,
     {{"radius", 1, REAL, {0.05}},
      {"pitch", 1, REAL, {0.02}},
      {"turns", 1, WHOLE, {10}},
      {"sides", 1, WHOLE, {16}}}},
    {"grains",
     make_grains,
     {{"size", 3, REAL, {1, 1, 1}}, {"spacing", 1, REAL, {0.1}}, {"seed", 1, WHOLE, {1}}}},
    {"none", make_none, {{0}}},
    {"terrain",
     make_terrain,
     {{"cells", 2, WHOLE, {40, 40}},
      {"size", 2, REAL, {4, 4}},
      {"height", 1, REAL, {0.6}},
      {"seed", 1, SEED, {1}}}},
    {"cup",
     make_cup,
     {{"radius", 1, REAL, {0.5}}, {"height", 1, REAL, {0.6}}, {"sides", 1, WHOLE, {32}}}},
    {"brick", make_brick, {{"size", 3, REAL, {1, 1, 1}}}},
    {"link",
     make_link,
     {{"length", 1, REAL, {0.12}},
      {"width", 1, REAL, {0.06}},
      {"wire", 1, REAL, {0.014}},
      {"sides", 1, WHOLE, {8}}}},
    {"banana",
     make_banana,
     {{"length", 1, REAL, {0.2}}, {"radius", 1, REAL, {0.03}}, {"sides", 1, WHOLE, {8}}}},
    {"disc", make_disc, {{"radius", 1, REAL, {0.5}}, {"rings", 1, WHOLE, {16}}}},
    {"parachute",
     make_parachute,
     {{"radius", 1, REAL, {0.8}}, {"lines", 1, WHOLE, {18}}, {"length", 1, REAL, {1.6}}}},
    {"dart", make_dart, {{"size", 2, REAL, {0.3, 0.2}}}},
};

const char* pliant_mesh_generate_help(void) { return help; }

// A number without sign and exponent, such as 12 or 0.25, the same for every locale. Up to 15
// digits: then one division of whole numbers rounds right. Returns its end, or NULL.
static const char* scan_number(const char* text, double* out)
{
    double digits = 0, scale = 1;
    int count = 0;
    bool fraction = false;
    for (;; ++text) {
        if (*text == '.' && !fraction) {
            fraction = true;
            continue;
        }
        if (*text < '0' || *text > '9') break;
        digits = 10 * digits + (*text - '0');
        if (fraction) scale *= 10;
        ++count;
    }
    *out = digits / scale;
    return count >= 1 && count <= 15 ? text : NULL;
}

// Reads one group at `text` and returns where it ends.
static pliant_result scan_group(const char* words, const char* text, number_group* group,
                                const char** out_end)
{
    for (int i = 0; i < group->count; ++i) {
        if (i > 0 && *text++ != 'x')
            return fail(PLIANT_ERROR_ARGUMENT, "'%.80s': %s needs %d numbers joined by x", words,
                        group->name, group->count);
        const char* end = scan_number(text, &group->value[i]);
        if (!end)
            return fail(PLIANT_ERROR_ARGUMENT,
                        "'%.80s': %s is not a plain number at '%.20s' (up to 15 digits)", words,
                        group->name, text);
        if (group->kind != REAL && memchr(text, '.', (size_t)(end - text)))
            return fail(PLIANT_ERROR_ARGUMENT, "'%.80s': %s has to be a whole number", words,
                        group->name);
        if (group->kind == WHOLE && group->value[i] > INT_MAX)
            return fail(PLIANT_ERROR_ARGUMENT, "'%.80s': %s is too large: at most %d", words,
                        group->name, INT_MAX);
        text = end;
    }
    *out_end = text;
    return PLIANT_OK;
}

static pliant_result scan_groups(const char* words, const char* text, generator* g)
{
    for (int i = 0; *text; ++i) {
        ++text; // the colon
        if (i == MOST_GROUPS || !g->group[i].name)
            return fail(PLIANT_ERROR_ARGUMENT,
                        "'%.80s': %s takes no more than %d groups of numbers", words, g->name, i);
        if (*text == ':' || !*text) continue;
        pliant_result result = scan_group(words, text, &g->group[i], &text);
        if (result) return result;
        if (*text && *text != ':')
            return fail(PLIANT_ERROR_ARGUMENT, "'%.80s': '%.20s' does not belong behind %s", words,
                        text, g->group[i].name);
    }
    return PLIANT_OK;
}

pliant_result pliant_mesh_generate(const char* words, pliant_mesh** out)
{
    if (!REQUIRE(words && out)) return PLIANT_ERROR_ARGUMENT;
    *out = NULL;
    const size_t length = strcspn(words, ":");
    for (size_t i = 0; i < sizeof generators / sizeof *generators; ++i) {
        generator g = generators[i];
        if (strlen(g.name) != length || memcmp(g.name, words, length) != 0) continue;
        pliant_result result = scan_groups(words, words + length, &g);
        return result ? result : g.make(g.group, out);
    }
    return fail(PLIANT_ERROR_ARGUMENT, "there is no mesh '%.80s'; these exist:\n%s", words, help);
}
