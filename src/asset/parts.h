// What a body consists of: parts of a few kinds, each with a few corners and constraints of its
// own. Parts are numbered through, kind after kind.
#pragma once
#include "constraint/types.h"
#include "mesh/mesh.h"
#include "plan/plan.h"

typedef enum {
    PART_TET,
    PART_ROPE,     // an edge of the mesh
    PART_EDGE,     // of a triangle of cloth, or of a tet that is held by its edges
    PART_AREA,     // a triangle of cloth
    PART_MEMBRANE, // a triangle of woven cloth
    // A triangle of cloth that bends with the triangles at three, two or one of its sides
    // (plate.h).
    PART_PLATE,
    PART_PLATE_SIDE,
    PART_PLATE_END,
    PART_HINGE,  // two triangles at an edge, of cloth or of the outside of tets (hinge.h)
    PART_KINK,   // a particle between two edges of a rope that bends (kink.h)
    PART_TETHER, // from a particle of cloth or rope to the nearest anchor
    PART_KINDS
} part_kind;

typedef struct {
    int count;
    int* corner; // part_corners[kind] each; the mesh's own for tets, ropes and areas
    bool owned;
    double* size; // of an edge: its stiffness times its length squared [N m]; of a tether: its
                  // length along the mesh [m]; else NULL
} part_list;

extern const int part_corners[PART_KINDS];
extern const char* const part_names[PART_KINDS];

// One part of an asset.
typedef struct {
    part_kind kind;
    int number; // within its kind
    const int* corner;
} body_part;

int asset_part_count(const pliant_asset* asset);
body_part asset_part(const pliant_asset* asset, int number);

// Whether parts of a kind are single rows (type_info.eval), and of which type.
bool asset_has_rows(const pliant_asset* asset, part_kind kind);
constraint_type asset_row_type(const pliant_asset* asset, part_kind kind);

// The recipes of the nodes: one for each kind, and one more for the second node of a tet.
enum { RECIPE_SECOND = PART_KINDS, RECIPE_COUNT };
void asset_choose_recipes(const pliant_asset* asset, recipe out[RECIPE_COUNT]);

// Triangles are cloth where there are no tets.
static inline int cloth_triangles(const pliant_mesh* m)
{
    return m->tet_count ? 0 : m->triangle_count;
}

// [s] The most of all materials.
double asset_material_damping(const pliant_asset* a);

// Needs the copied mesh, materials and definition. False when memory runs out; `anchor` is of the
// caller's definition.
// Memory for so many, with sizes or without.
bool parts_allocate(part_list* p, part_kind kind, int count, bool sized);
bool asset_make_parts(pliant_asset* asset, const int* anchor, int anchor_count);
// Those that are the mesh's own elements.
void asset_take_elements(pliant_asset* asset);
void asset_discard_parts(pliant_asset* asset);

// Nodes of the constraint graph, and their corners.
size_t asset_count_nodes(const pliant_asset* asset, size_t* out_corners);
