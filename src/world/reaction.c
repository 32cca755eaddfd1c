#include "world/reaction.h"
#include "constraint/types.h"
#include "mesh/shape.h"
#include "world/flow.h"
#include <math.h>
#include <string.h>

static void deformation(double b[4][3], double x[4][3], double f[3][3])
{
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) {
            f[r][c] = 0;
            for (int i = 1; i < 4; ++i) f[r][c] += (x[i][r] - x[0][r]) * b[i][c];
        }
}

static void cofactors(double f[3][3], double out[3][3])
{
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) {
            int r1 = (r + 1) % 3, r2 = (r + 2) % 3, c1 = (c + 1) % 3, c2 = (c + 2) % 3;
            out[r][c] = f[r1][c1] * f[r2][c2] - f[r1][c2] * f[r2][c1];
        }
}

// Gradients of the shape functions [1/m].
static void shape_gradients(const element* e, double out[4][3])
{
    double field[MAX_FIELDS];
    type_infos[TYPE_deviatoric].rest(e, field); // b1 to b3 come first
    for (int k = 0; k < 3; ++k) {
        out[0][k] = 0;
        for (int i = 1; i < 4; ++i) {
            out[i][k] = field[3 * (i - 1) + k];
            out[0][k] -= out[i][k];
        }
    }
}

// Psi above rest, without the offset mu^2 / (2 lambda) that the raw energy has there:
// lambda/2 (J - 1)^2 - lambda (gamma - 1) (J - 1) + mu/2 (|F|^2 - 3), and its stress
// mu F + (lambda (J - 1) - mu) cof F.
static void find_tet(const element* e, double x[4][3], reaction* out)
{
    double b[4][3], f[3][3], cofactor[3][3], stress[3][3], square = 0;
    shape_gradients(e, b);
    deformation(b, x, f);
    cofactors(f, cofactor);
    double j = f[0][0] * cofactor[0][0] + f[0][1] * cofactor[0][1] + f[0][2] * cofactor[0][2];
    // An incompressible material does no work on its volume, whose pressure is a multiplier.
    double lambda = e->volume_compliance > 0 ? 1 / e->volume_compliance : 0;
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) {
            square += f[r][c] * f[r][c];
            stress[r][c] = e->mu * f[r][c] + (lambda * (j - 1) - e->mu) * cofactor[r][c];
        }
    double volume = lambda / 2 * (j - 1) * (j - 1) - e->mu * (j - 1);
    out->energy = e->volume * (volume + e->mu / 2 * (square - 3));
    double trace = e->volume_compliance > 0 ? e->volume * (3 * e->mu + lambda) : INFINITY;
    for (int i = 0; i < 4; ++i) {
        for (int r = 0; r < 3; ++r)
            out->force[i][r] = -e->volume * (stress[r][0] * b[i][0] + stress[r][1] * b[i][1] +
                                             stress[r][2] * b[i][2]);
        double b2 = b[i][0] * b[i][0] + b[i][1] * b[i][1] + b[i][2] * b[i][2];
        out->stiffness[i] = trace * b2 / 3;
    }
}

// A row of value C and compliance c: energy C^2 / (2 c), and along the gradient a force of C / c.
// One without compliance does no work.
static void add_row(const pliant_asset* a, const row_state* row, int particles, reaction* out)
{
    bool works =
        row->compliance > 0 && a->def.research.stiffness_mode == PLIANT_STIFFNESS_MODE_COMPLIANT;
    double stiffness = works ? 1 / row->compliance : 0;
    double force = row->pulls && row->value < 0 ? 0 : stiffness * row->value;
    out->energy += force * row->value / 2;
    for (int i = 0; i < particles; ++i) {
        double square = 0;
        for (int k = 0; k < 3; ++k) {
            out->force[i][k] -= force * row->grad[i][k];
            square += row->grad[i][k] * row->grad[i][k];
        }
        out->stiffness[i] += works ? stiffness * square / 3 : INFINITY;
    }
}

// `bent`: what the rows have flowed by, or NULL.
static void find_rows(const pliant_asset* a, part_kind kind, const element* e,
                      double x[ELEMENT_PARTICLES][3], const double* bent, reaction* out)
{
    const type_info* type = &type_infos[asset_row_type(a, kind)];
    double field[MAX_FIELDS];
    row_state row[MAX_BLOCK_ROWS];
    type->rest(e, field);
    type->eval(field, x, row);
    out->energy = 0;
    memset(out->force, 0, sizeof out->force);
    memset(out->stiffness, 0, sizeof out->stiffness);
    for (int r = 0; r < type->rows; ++r) {
        if (bent) row[r].value -= bent[r];
        add_row(a, &row[r], type->particles, out);
    }
}

void reaction_find(const body* b, int number, reaction* out)
{
    const pliant_asset* a = b->asset;
    body_part p = asset_part(a, number);
    element e;
    double x[ELEMENT_PARTICLES][3], bent[PLATE_ROWS];
    bool bends = is_plate(asset_row_type(a, p.kind));
    out->corner = p.corner;
    out->corners = part_corners[p.kind];
    asset_describe(a, number, &e);
    if (p.kind == PART_TET) body_flow_element(b, p.number, &e);
    if (bends) body_read_bend(b, number, bent);
    for (int i = 0; i < out->corners; ++i) state_read_position(&b->s, out->corner[i], x[i]);
    if (asset_has_rows(a, p.kind))
        find_rows(a, p.kind, &e, x, bends ? bent : NULL, out);
    else
        find_tet(&e, x, out);
}

int reaction_first_part(const pliant_asset* a, part_kind kind)
{
    int first = 0;
    for (int k = 0; k < (int)kind; ++k) first += a->parts[k].count;
    return first;
}

void reaction_find_side(const body* b, int triangle, int side, reaction* out)
{
    const pliant_asset* a = b->asset;
    const int* corner = a->mesh->triangles + 3 * (size_t)triangle;
    const int end[2] = {corner[side], corner[(side + 1) % 3]};
    element e = {.yield = 0};
    double x[ELEMENT_PARTICLES][3], square = squared_distance(a->mesh->vertices, end[0], end[1]);
    for (int i = 0; i < 2; ++i) {
        memcpy(e.rest[i], a->mesh->vertices + 3 * (size_t)end[i], sizeof e.rest[i]);
        state_read_position(&b->s, end[i], x[i]);
    }
    e.compliance = square / asset_side_stiffness(a, triangle);
    out->corners = 2;
    find_rows(a, PART_EDGE, &e, x, NULL, out);
}
