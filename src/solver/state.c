#include "solver/state.h"
#include "base/memory.h"

void state_read_position(const state* s, int particle, double out[3])
{
    for (size_t k = 0; k < 3; ++k)
        out[k] = state_get(s->row, (size_t)particle * ROW + k, s->scalar_bytes) +
                 state_get(s->residue, (size_t)particle * ROW4 + k, s->scalar_bytes);
}

void state_write_position(state* s, int particle, const double position[3])
{
    for (size_t k = 0; k < 3; ++k) {
        size_t at = (size_t)particle * ROW + k;
        state_set(s->row, at, position[k], s->scalar_bytes);
        double left = position[k] - state_get(s->row, at, s->scalar_bytes);
        state_set(s->residue, (size_t)particle * ROW4 + k, left, s->scalar_bytes);
    }
}

void state_read_velocity(const state* s, int particle, double out[3])
{
    for (size_t k = 0; k < 3; ++k)
        out[k] = state_get(s->velocity, (size_t)particle * ROW4 + k, s->scalar_bytes);
}

void state_write_velocity(state* s, int particle, const double velocity[3])
{
    for (size_t k = 0; k < 3; ++k)
        state_set(s->velocity, (size_t)particle * ROW4 + k, velocity[k], s->scalar_bytes);
}

bool state_create(int particle_count, int row_count, int scalar_bytes, size_t lambda_count,
                  state* out)
{
    size_t rows = (size_t)row_count, particles = (size_t)particle_count;
    size_t bytes = (size_t)scalar_bytes;
    state s = {.particle_count = particle_count,
               .row_count = row_count,
               .scalar_bytes = scalar_bytes,
               .row = mem_array_zero(rows * ROW, bytes),
               .velocity = mem_array_zero(rows * ROW4, bytes),
               .residue = mem_array_zero(rows * ROW4, bytes),
               .force = mem_array_zero(particles * ROW4, bytes),
               .contact = mem_array_zero(particles * CONTACT, bytes),
               .lambda = lambda_count ? mem_array_zero(lambda_count, bytes) : NULL,
               .phase = (uint32_t*)mem_array_zero(particles, sizeof(uint32_t))};
    *out = s;
    if (s.row && s.velocity && s.residue && s.force && s.contact && s.phase &&
        (s.lambda || !lambda_count))
        return true;
    state_destroy(out);
    return false;
}

void state_destroy(state* s)
{
    mem_free(s->row);
    mem_free(s->velocity);
    mem_free(s->residue);
    mem_free(s->force);
    mem_free(s->contact);
    mem_free(s->lambda);
    mem_free(s->phase);
    state none = {0};
    *s = none;
}
