// Energies in double precision, from positions with all their digits.
#include "constraint/types.h"
#include "world/world.h"
#include <math.h>

static void deformation(const double b[9], double x[4][3], double f[3][3])
{
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) {
            f[r][c] = 0;
            for (int i = 0; i < 3; ++i) f[r][c] += (x[i + 1][r] - x[0][r]) * b[3 * i + c];
        }
}

// Above rest, without the offset mu^2 / (2 lambda) that the raw energy has there:
// lambda/2 (J - 1)^2 - lambda (gamma - 1) (J - 1) + mu/2 (|F|^2 - 3).
static double tet_energy(const element* e, double f[3][3])
{
    double square = 0;
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) square += f[r][c] * f[r][c];
    double j = f[0][0] * (f[1][1] * f[2][2] - f[1][2] * f[2][1]) +
               f[0][1] * (f[1][2] * f[2][0] - f[1][0] * f[2][2]) +
               f[0][2] * (f[1][0] * f[2][1] - f[1][1] * f[2][0]);
    // An incompressible material does no work on its volume, whose pressure is a multiplier.
    double lambda = e->volume_compliance > 0 ? 1 / e->volume_compliance : 0;
    double volume = lambda / 2 * (j - 1) * (j - 1) - e->mu * (j - 1);
    return e->volume * (volume + e->mu / 2 * (square - 3));
}

static double element_energy(const body* b, int number)
{
    const pliant_mesh* m = b->asset->mesh;
    bool is_tet = number < m->tet_count;
    const int* corner =
        is_tet ? m->tets + 4 * (size_t)number : m->edges + 2 * (size_t)(number - m->tet_count);
    element e;
    double field[MAX_FIELDS], x[4][3], f[3][3];
    asset_describe(b->asset, number, &e);
    for (int i = 0; i < (is_tet ? 4 : 2); ++i) state_read_position(&b->s, corner[i], x[i]);
    if (is_tet) {
        type_infos[TYPE_deviatoric].rest(&e, field);
        deformation(field, x, f);
        return tet_energy(&e, f);
    }
    type_infos[TYPE_distance].rest(&e, field);
    double square = 0;
    for (int k = 0; k < 3; ++k) square += (x[1][k] - x[0][k]) * (x[1][k] - x[0][k]);
    double stretch = sqrt(square) - field[0];
    return stretch * stretch / (2 * field[1]);
}

static pliant_energies energies_of(const pliant_world* world, const body* b)
{
    const double gravity[3] = {(double)world->def.gravity.x, (double)world->def.gravity.y,
                               (double)world->def.gravity.z};
    pliant_energies out = {0};
    for (int i = 0; i < b->s.particle_count; ++i) {
        double x[3], v[3], mass = b->asset->mass[i];
        state_read_position(&b->s, i, x);
        state_read_velocity(&b->s, i, v);
        out.kinetic += mass / 2 * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        for (int k = 0; k < 3; ++k) out.gravity -= mass * b->gravity_scale * gravity[k] * x[k];
    }
    int elements = b->asset->mesh->tet_count + b->asset->mesh->edge_count;
    for (int i = 0; i < elements; ++i) out.elastic += element_energy(b, i);
    return out;
}

pliant_energies pliant_body_energies(const pliant_world* world, pliant_body_id id)
{
    pliant_energies none = {0};
    const body* b = world_body(world, id);
    return b ? energies_of(world, b) : none;
}

pliant_energies pliant_world_energies(const pliant_world* world)
{
    pliant_energies sum = {0};
    if (!REQUIRE(world)) return sum;
    for (int i = 0; i < world->bodies.count; ++i) {
        body* b = world_body_at(world, i);
        if (!b) continue;
        pliant_energies e = energies_of(world, b);
        sum.kinetic += e.kinetic;
        sum.elastic += e.elastic;
        sum.gravity += e.gravity;
    }
    return sum;
}
