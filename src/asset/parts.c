#include "asset/parts.h"
#include "asset/asset.h"
#include "asset/material.h"
#include "asset/seams.h"
#include "mesh/face.h"
#include "mesh/shape.h"
#include <math.h>
#include <string.h>

const int part_corners[PART_KINDS] = {4, 2, 2, 3, 3, 6, 5, 4, 4, 3, 2};
const char* const part_names[PART_KINDS] = {"tet",      "edge",  "edge",  "triangle",
                                            "triangle", "plate", "plate", "plate",
                                            "hinge",    "kink",  "tether"};

bool parts_allocate(part_list* p, part_kind kind, int count, bool sized)
{
    p->corner = (int*)mem_array((size_t)count * (size_t)part_corners[kind], sizeof(int));
    p->size = sized ? (double*)mem_array_zero((size_t)count, sizeof(double)) : NULL;
    p->owned = true;
    return p->corner && (p->size || !sized);
}

int asset_part_count(const pliant_asset* a)
{
    int count = 0;
    for (int kind = 0; kind < PART_KINDS; ++kind) count += a->parts[kind].count;
    return count;
}

body_part asset_part(const pliant_asset* a, int number)
{
    int kind = 0;
    for (; kind < PART_KINDS - 1 && number >= a->parts[kind].count; ++kind)
        number -= a->parts[kind].count;
    return (body_part){(part_kind)kind, number,
                       a->parts[kind].corner + (size_t)part_corners[kind] * (size_t)number};
}

size_t asset_count_nodes(const pliant_asset* a, size_t* out_corners)
{
    size_t nodes = 0;
    *out_corners = 0;
    for (int kind = 0; kind < PART_KINDS; ++kind) {
        size_t per_part = kind == PART_TET ? (size_t)a->nodes_per_tet : 1;
        nodes += per_part * (size_t)a->parts[kind].count;
        *out_corners += per_part * (size_t)a->parts[kind].count * (size_t)part_corners[kind];
    }
    return nodes;
}

// ---- types --------------------------------------------------------------------------------------

bool asset_has_rows(const pliant_asset* a, part_kind kind)
{
    return kind != PART_TET || a->def.solver.formulation == PLIANT_FORMULATION_EDGES_AND_VOLUME;
}

// How hinges bend: those of cloth, or of the boundary of tets.
static pliant_boundary_def bending_of(const pliant_asset* a)
{
    const pliant_boundary_def cloth = {a->def.cloth.bending, a->def.cloth.bending_by};
    return a->mesh->tet_count ? a->def.research.boundary : cloth;
}

constraint_type asset_row_type(const pliant_asset* a, part_kind kind)
{
    static const constraint_type type[PART_KINDS] = {
        TYPE_solid_volume, TYPE_distance, TYPE_distance,   TYPE_surface_area,
        TYPE_membrane,     TYPE_plate,    TYPE_plate_side, TYPE_plate_end,
        TYPE_bending,      TYPE_kink,     TYPE_tether};
    if (kind == PART_ROPE && a->def.rope.slack) return TYPE_tether;
    if (kind == PART_HINGE && bending_of(a).bending_by == PLIANT_BENDING_ANGLE)
        return TYPE_dihedral;
    return type[kind];
}

static constraint_type rate_of(constraint_type type)
{
    static const constraint_type rate[TYPE_COUNT] = {[TYPE_distance] = TYPE_distance_rate,
                                                     [TYPE_tether] = TYPE_tether_rate,
                                                     [TYPE_surface_area] = TYPE_surface_area_rate,
                                                     [TYPE_solid_volume] = TYPE_solid_volume_rate,
                                                     [TYPE_bending] = TYPE_bending_rate,
                                                     [TYPE_dihedral] = TYPE_dihedral_rate,
                                                     [TYPE_kink] = TYPE_kink_rate,
                                                     [TYPE_membrane] = TYPE_membrane_rate,
                                                     [TYPE_plate] = TYPE_plate_rate,
                                                     [TYPE_plate_side] = TYPE_plate_side_rate,
                                                     [TYPE_plate_end] = TYPE_plate_end_rate};
    return rate[type];
}

double asset_material_damping(const pliant_asset* a)
{
    double most = 0;
    for (int i = 0; i < a->material_count; ++i) most = fmax(most, a->material[i].damping);
    return most;
}

static bool materials_damp(const pliant_asset* a) { return asset_material_damping(a) > 0; }

// Tethers have no compliance, and rows of the classic manner none either: nothing to damp.
static bool rows_damp(const pliant_asset* a, part_kind kind)
{
    if (kind == PART_TETHER || a->def.research.stiffness_mode == PLIANT_STIFFNESS_MODE_CLASSIC)
        return false;
    bool rope = kind == PART_ROPE || kind == PART_KINK;
    bool solid = kind == PART_TET || rope || a->mesh->tet_count > 0;
    return solid ? materials_damp(a) : a->def.cloth.damping > 0;
}

void asset_choose_recipes(const pliant_asset* a, recipe out[RECIPE_COUNT])
{
    static const recipe form[] = {
        [PLIANT_FORMULATION_TEN_ROWS] = {1, {TYPE_ten_rows}},
        [PLIANT_FORMULATION_TWO_ROWS] = {1, {TYPE_two_rows}},
        [PLIANT_FORMULATION_DECOUPLED] = {2, {TYPE_deviatoric, TYPE_hydrostatic}},
        [PLIANT_FORMULATION_DECOUPLED_NODES] = {1, {TYPE_deviatoric}}};
    static const recipe second = {1, {TYPE_hydrostatic}};
    for (int kind = 0; kind < PART_KINDS; ++kind) {
        bool rows = asset_has_rows(a, (part_kind)kind);
        constraint_type type = asset_row_type(a, (part_kind)kind);
        recipe* r = &out[kind];
        *r = rows ? (recipe){1, {type}} : form[a->def.solver.formulation];
        bool damped = rows ? rows_damp(a, (part_kind)kind) : materials_damp(a);
        if (damped) r->type[r->type_count++] = rows ? rate_of(type) : TYPE_viscous;
    }
    out[RECIPE_SECOND] = second;
}

// ---- rest states --------------------------------------------------------------------------------

// What holds a tet beside its edges. An edge of stiffness k and length l adds k l^2 / 2 times the
// square of the strain along it. Over all directions alike, the sum s of the k l^2 per volume makes
// Lame parameters mu = lambda = s / 15: edges are given s = 15 mu, and the volume the rest of
// lambda. Where that is nothing (Poisson's ratio of 1/4 and below) the volume is held all the
// same, so that no element stays inverted.
static double volume_compliance(const element* e)
{
    const double least = 0.01;
    if (e->volume_compliance == 0) return 0;
    double rest = 1 / e->volume_compliance - 2 * e->mu;
    return e->volume / fmax(rest, least * e->mu);
}

static void describe_tet(const pliant_asset* a, const body_part* p, element* out)
{
    asset_constants(a, p->number, out);
    out->volume = tet_volume(a->mesh->vertices, p->corner);
    out->compliance = volume_compliance(out);
}

static double length_of(const pliant_asset* a, const body_part* p)
{
    return sqrt(squared_distance(a->mesh->vertices, p->corner[0], p->corner[1]));
}

// As stiff as an elastic rod.
static void describe_rope(const pliant_asset* a, const body_part* p, element* out)
{
    material_constants(&a->material[0], a->def.research.lame_convention, out);
    out->compliance = length_of(a, p) / (a->material[0].young * asset_rope_area(a));
}

static void describe_edge(const pliant_asset* a, const body_part* p, element* out)
{
    double length = length_of(a, p);
    if (a->mesh->tet_count)
        material_constants(&a->material[0], a->def.research.lame_convention, out);
    out->compliance = length * length / a->parts[PART_EDGE].size[p->number];
}

// area / 2 times the square of the change of area, over the area.
static void describe_area(const pliant_asset* a, const body_part* p, element* out)
{
    out->compliance = triangle_area(a->mesh->vertices, p->corner) / a->def.cloth.area;
}

// What is not given is as in a sheet without directions.
static void describe_membrane(const pliant_asset* a, const body_part* p, element* out)
{
    const pliant_cloth_def* c = &a->def.cloth;
    (void)p;
    out->warp = c->warp;
    out->weft = c->weft > 0 ? c->weft : c->warp;
    out->poisson = c->poisson;
    out->shear = c->shear > 0 ? c->shear : sqrt(out->warp * out->weft) / (2 * (1 + c->poisson));
    memcpy(out->along, c->warp_direction, sizeof out->along);
}

// Across it is as stiff as along where nothing else is said.
static void describe_plate(const pliant_asset* a, const body_part* p, element* out)
{
    const pliant_cloth_def* c = &a->def.cloth;
    (void)p;
    out->bend[0] = c->bending;
    out->bend[1] = c->bending_weft > 0 ? c->bending_weft : c->bending;
    out->poisson = c->poisson;
    memcpy(out->along, c->warp_direction, sizeof out->along);
    out->yield = c->yield_curvature;
    out->hardening = c->hardening;
    out->flow_time = c->plastic_time;
}

// A hinge of edge e and triangles A and B holds its angle with bending e^2 / (A + B). A cylinder of
// curvature c then has the plate's energy, bending / 2 c^2 per area: exactly on a grid that it is
// rolled along, where a cell of e times d bends by c d at one edge; and on a grid of equilateral
// triangles in every direction.
static void describe_hinge(const pliant_asset* a, const body_part* p, element* out)
{
    const int *c = p->corner, second[3] = {c[1], c[0], c[3]};
    double area = triangle_area(a->mesh->vertices, c) + triangle_area(a->mesh->vertices, second);
    double length = length_of(a, p), moment = bending_of(a).bending;
    if (a->mesh->tet_count)
        material_constants(&a->material[0], a->def.research.lame_convention, out);
    bool by_angle = asset_row_type(a, PART_HINGE) == TYPE_dihedral;
    out->compliance = area / (by_angle ? moment * length * length : moment);
}

// The energy of a rod, bending / 2 times the square of its curvature, over half of either edge.
static void describe_kink(const pliant_asset* a, const body_part* p, element* out)
{
    const double* v = a->mesh->vertices;
    double length = sqrt(squared_distance(v, p->corner[0], p->corner[1])) +
                    sqrt(squared_distance(v, p->corner[1], p->corner[2]));
    material_constants(&a->material[0], a->def.research.lame_convention, out);
    out->compliance = length / 2 / a->def.rope.bending;
}

static void describe_tether(const pliant_asset* a, const body_part* p, element* out)
{
    out->slack =
        a->parts[PART_TETHER].size[p->number] * (1 + a->def.tether_slack) / length_of(a, p) - 1;
}

static double classic_stiffness(const pliant_asset* a, part_kind kind)
{
    const pliant_stiffness_def* s = &a->def.research.stiffness;
    const double of_kind[PART_KINDS] = {s->volume,  s->stretch, s->stretch, s->area,
                                        s->stretch, s->bending, s->bending, s->bending,
                                        s->bending, s->bending, s->tether};
    return of_kind[kind];
}

void asset_describe(const pliant_asset* a, int number, element* out)
{
    typedef void describe_fn(const pliant_asset* a, const body_part* p, element* out);
    static describe_fn* const describe[PART_KINDS] = {
        describe_tet,      describe_rope,  describe_edge,  describe_area,
        describe_membrane, describe_plate, describe_plate, describe_plate,
        describe_hinge,    describe_kink,  describe_tether};
    body_part p = asset_part(a, number);
    memset(out, 0, sizeof *out);
    for (int i = 0; i < part_corners[p.kind]; ++i)
        memcpy(out->rest[i], a->mesh->vertices + 3 * (size_t)p.corner[i], sizeof out->rest[i]);
    out->relaxation = a->def.solver.shear_relaxation;
    out->damping = a->def.cloth.damping;
    describe[p.kind](a, &p, out);
    if (a->def.research.stiffness_mode == PLIANT_STIFFNESS_MODE_CLASSIC)
        out->compliance = decay_of(classic_stiffness(a, p.kind));
}

// ---- making them --------------------------------------------------------------------------------

static bool is_anchored(const pliant_asset* a, int anchor_count)
{
    return anchor_count > 0 && (cloth_triangles(a->mesh) || a->mesh->edge_count);
}

static bool make_boundary_hinges(pliant_asset* a)
{
    outer_faces faces;
    seams s = {0};
    bool good = find_outer_faces(a->mesh, &faces) == PLIANT_OK &&
                seams_find(a->mesh, faces.triangle, 3, faces.count, &s) && seams_make_hinges(a, &s);
    seams_destroy(&s);
    outer_faces_free(&faces);
    return good;
}

// Edges of triangles or tets, and the hinges between triangles.
static bool make_seams(pliant_asset* a)
{
    const pliant_mesh* m = a->mesh;
    bool bends = bending_of(a).bending > 0, good;
    bool plates = bending_of(a).bending_by == PLIANT_BENDING_PLATE;
    seams s = {0};
    if (m->tet_count) {
        good = seams_find(m, m->tets, 4, m->tet_count, &s) && seams_make_edges(a, &s) &&
               (!bends || make_boundary_hinges(a));
    } else {
        good = seams_find(m, m->triangles, 3, m->triangle_count, &s) &&
               (asset_is_woven(a) || seams_make_edges(a, &s)) &&
               (!bends || (plates ? seams_make_plates(a, &s) : seams_make_hinges(a, &s)));
    }
    seams_destroy(&s);
    return good;
}

void asset_take_elements(pliant_asset* a)
{
    pliant_mesh* m = a->mesh;
    if (a->def.rigid) return; // nothing of it moves against the rest
    a->parts[PART_TET] = (part_list){.count = m->tet_count, .corner = m->tets};
    if (!a->def.rope.rod) // else they are in `rods`
        a->parts[PART_ROPE] = (part_list){.count = m->edge_count, .corner = m->edges};
    if (a->def.cloth.area > 0)
        a->parts[PART_AREA] = (part_list){.count = cloth_triangles(m), .corner = m->triangles};
    if (asset_is_woven(a))
        a->parts[PART_MEMBRANE] = (part_list){.count = cloth_triangles(m), .corner = m->triangles};
}

bool asset_make_parts(pliant_asset* a, const int* anchor, int anchor_count)
{
    if (a->def.rigid) return true;
    bool by_edges =
        a->mesh->tet_count && a->def.solver.formulation == PLIANT_FORMULATION_EDGES_AND_VOLUME;
    asset_take_elements(a);
    bool good = (!by_edges && !cloth_triangles(a->mesh)) || make_seams(a);
    if (a->def.rope.bending > 0 && !a->def.rope.rod) good = good && asset_make_kinks(a);
    return good && (!is_anchored(a, anchor_count) || asset_make_tethers(a, anchor, anchor_count));
}

void asset_discard_parts(pliant_asset* a)
{
    for (int kind = 0; kind < PART_KINDS; ++kind) {
        if (a->parts[kind].owned) mem_free(a->parts[kind].corner);
        mem_free(a->parts[kind].size);
    }
}
