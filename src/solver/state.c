#include "solver/state.h"
#include <string.h>

static size_t at_row(const state* s, int particle, int copy, int stride)
{
    return (size_t)plan_row(s->plan, particle, copy) * (size_t)stride;
}

double state_read(const state* s, const void* array, int stride, int particle, int k)
{
    return state_get(array, at_row(s, particle, 0, stride) + (size_t)k, s->scalar_bytes);
}

void state_write(state* s, void* array, int stride, int particle, int k, double value)
{
    for (int copy = 0; copy < plan_copy_count(s->plan, particle); ++copy)
        state_set(array, at_row(s, particle, copy, stride) + (size_t)k, value, s->scalar_bytes);
}

void state_read_position(const state* s, int particle, double out[3])
{
    for (int k = 0; k < 3; ++k)
        out[k] =
            state_read(s, s->row, ROW, particle, k) + state_read(s, s->residue, ROW4, particle, k);
}

void state_write_position(state* s, int particle, const double position[3])
{
    for (int k = 0; k < 3; ++k) {
        state_write(s, s->row, ROW, particle, k, position[k]);
        double left = position[k] - state_read(s, s->row, ROW, particle, k);
        state_write(s, s->residue, ROW4, particle, k, left);
    }
}

void state_read_velocity(const state* s, int particle, double out[3])
{
    for (int k = 0; k < 3; ++k) out[k] = state_read(s, s->velocity, ROW4, particle, k);
}

void state_write_velocity(state* s, int particle, const double velocity[3])
{
    for (int k = 0; k < 3; ++k) state_write(s, s->velocity, ROW4, particle, k, velocity[k]);
}

double state_read_inverse_mass(const state* s, int particle)
{
    return state_read(s, s->velocity, ROW4, particle, ROW4_W);
}

// Of a copy with this share of the mass; one without a share has all of it.
static bool write_copy_mass(state* s, int row, double inverse_mass, double share)
{
    double w = s->plan->split && share > 0 ? inverse_mass / share : inverse_mass;
    state_set(s->row, (size_t)row * ROW + ROW_W, w, s->scalar_bytes);
    return state_can_hold(w, s->scalar_bytes);
}

static bool write_phantom_masses(state* s, int particle, double inverse_mass)
{
    const copies* c = &s->plan->copies;
    bool fits = true;
    for (int k = c->phantom[particle]; k < c->phantom[particle + 1]; ++k) {
        int row = s->particle_count + k;
        fits = write_copy_mass(s, row, inverse_mass, c->share[row]) && fits;
    }
    if (c->phantom[particle] < c->phantom[particle + 1])
        fits = write_copy_mass(s, particle, inverse_mass, c->share[particle]) && fits;
    return fits;
}

// As the solver's arithmetic has it: by a division in its precision.
static void write_mass(state* s, int row)
{
    double w = s->plan->patched
                   ? state_get(s->row, (size_t)row * ROW + ROW_W, s->scalar_bytes)
                   : state_get(s->velocity, (size_t)row * ROW4 + ROW4_W, s->scalar_bytes);
    state_set(s->mass, (size_t)row, w > 0 ? 1 / w * s->mass_unit : 0, s->scalar_bytes);
}

bool state_write_inverse_mass(state* s, int particle, double inverse_mass)
{
    const plan* p = s->plan;
    int count = plan_copy_count(p, particle);
    bool fits = true;
    state_write(s, s->velocity, ROW4, particle, ROW4_W, inverse_mass);
    for (int copy = 0; copy < count; ++copy) {
        int row = plan_row(p, particle, copy);
        double share = count > 1 ? p->copies.share[plan_slot_of_row(p, row)] : 1;
        fits = write_copy_mass(s, row, inverse_mass, share) && fits;
    }
    for (int copy = 0; copy < count; ++copy) write_mass(s, plan_row(p, particle, copy));
    return p->copies.phantom ? write_phantom_masses(s, particle, inverse_mass) && fits : fits;
}

// Copies of patches that take turns pass their result on: the last one counts.
static void set_shares(state* s)
{
    const copies* c = &s->plan->copies;
    for (int row = 0; c->phantom && row < plan_share_count(s->plan); ++row)
        state_set(s->share, (size_t)row, c->share[row], s->scalar_bytes);
    for (int slot = 0; !c->phantom && slot < c->slot_count; ++slot) {
        bool last = c->source[c->source_start[slot + 1] - 1] == slot;
        state_set(s->share, (size_t)slot, s->plan->turn_count > 1 ? last : c->share[slot],
                  s->scalar_bytes);
    }
}

bool state_create(const plan* p, int iterations, state* out)
{
    size_t rows = (size_t)p->row_count, bytes = (size_t)p->scalar_bytes;
    size_t shares = (size_t)plan_share_count(p);
    size_t slots = p->copies.phantom ? 0 : (size_t)p->copies.slot_count;
    size_t lambdas = iterations > 1 ? p->lambda_count : 0;
    size_t kept = plan_keeps_increments(p, iterations) ? rows : 0;
    state s = {
        .plan = p,
        .particle_count = p->particle_count,
        .row_count = p->row_count,
        .scalar_bytes = p->scalar_bytes,
        .row = mem_array(rows * ROW, bytes),
        .velocity = mem_array(rows * ROW4, bytes),
        .residue = mem_array(rows * ROW4, bytes),
        .force = mem_array(rows * ROW4, bytes),
        .contact = mem_array(rows * CONTACT, bytes),
        .lift = p->second_order ? NULL : mem_array(rows * ROW4, bytes),
        .past = p->second_order ? mem_array(rows * PAST, bytes) : NULL,
        .lambda = lambdas ? mem_array_zero(lambdas, bytes) : NULL,
        .kept = kept ? mem_array_zero(kept * ROW4, bytes) : NULL,
        .mass_unit = 1,
        .mass = mem_array_zero(rows + BLOCK, bytes), // vectors look beyond the end
        .share = mem_array_zero(shares, bytes),
        .exchange = {mem_array_zero(slots * ROW4, bytes), mem_array_zero(slots * ROW4, bytes)},
        .axes = (unsigned char*)mem_array_zero((size_t)p->particle_count, 1),
        .phase = (uint32_t*)mem_array_zero((size_t)p->particle_count, sizeof(uint32_t))};
    *out = s;
    if (s.row && s.velocity && s.residue && s.force && s.contact && s.mass && s.share &&
        s.exchange[0] && s.exchange[1] && s.axes && s.phase && (s.lambda || !lambdas) &&
        (s.kept || !kept) && (p->second_order ? s.past : s.lift)) {
        set_shares(out);
        return true;
    }
    state_destroy(out);
    return false;
}

static void clear_rows(void* array, int stride, int scalar_bytes, int first, int last)
{
    size_t row_bytes = (size_t)stride * (size_t)scalar_bytes;
    memset((char*)array + (size_t)first * row_bytes, 0, (size_t)(last - first) * row_bytes);
}

void state_clear_patch(state* s, int number)
{
    const plan* p = s->plan;
    int first = p->patch[number].first_row, bytes = s->scalar_bytes;
    int last = number + 1 < p->patch_count ? p->patch[number + 1].first_row : p->row_count;
    clear_rows(s->row, ROW, bytes, first, last);
    clear_rows(s->velocity, ROW4, bytes, first, last);
    clear_rows(s->residue, ROW4, bytes, first, last);
    clear_rows(s->force, ROW4, bytes, first, last);
    clear_rows(s->contact, CONTACT, bytes, first, last);
    if (s->lift) clear_rows(s->lift, ROW4, bytes, first, last);
    if (s->past) clear_rows(s->past, PAST, bytes, first, last);
}

void state_destroy(state* s)
{
    mem_free(s->row);
    mem_free(s->velocity);
    mem_free(s->residue);
    mem_free(s->force);
    mem_free(s->contact);
    mem_free(s->lift);
    mem_free(s->past);
    mem_free(s->lambda);
    mem_free(s->kept);
    mem_free(s->mass);
    mem_free(s->share);
    mem_free(s->exchange[0]);
    mem_free(s->exchange[1]);
    mem_free(s->axes);
    mem_free(s->phase);
    state none = {0};
    *s = none;
}
