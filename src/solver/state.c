#include "solver/state.h"
#include "base/memory.h"
#include "solver/flow.h"
#include <stdint.h>
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

// ---- memory -------------------------------------------------------------------------------------

// Arrays side by side in one block: measured first, then placed.
typedef struct {
    char* memory; // NULL while measuring
    size_t bytes;
} block;

static void* claim(block* b, size_t count, size_t each)
{
    enum { ALIGNMENT = 64 };
    size_t at = b->bytes;
    if (count > (SIZE_MAX / 2 - at) / each) return b->memory = NULL;
    b->bytes += (count * each + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return b->memory && count ? b->memory + at : NULL;
}

static void place_own(state* s, int iterations, block* b)
{
    const plan* p = s->plan;
    size_t rows = (size_t)p->row_count, bytes = (size_t)p->scalar_bytes;
    size_t slots = p->copies.phantom ? 0 : (size_t)p->copies.slot_count;
    size_t particles = (size_t)p->particle_count;
    s->lambda = claim(b, iterations > 1 ? p->lambda_count : 0, bytes);
    s->flow = claim(b, p->flow.count * FLOW_STATE * BLOCK, bytes);
    s->field = p->flow.count ? claim(b, p->field_count, bytes) : p->field;
    s->kept = claim(b, plan_keeps_increments(p, iterations) ? rows * ROW4 : 0, bytes);
    s->mass = claim(b, rows + BLOCK, bytes); // vectors look beyond the end
    s->share = claim(b, (size_t)plan_share_count(p), bytes);
    for (int i = 0; i < 2; ++i) s->exchange[i] = claim(b, slots * ROW4, bytes);
    s->axes = (unsigned char*)claim(b, particles, 1);
    s->phase = (uint32_t*)claim(b, particles, sizeof(uint32_t));
}

static bool create_own(state* s, int iterations)
{
    block b = {0};
    place_own(s, iterations, &b);
    s->own = b.memory = (char*)mem_alloc_zero(b.bytes);
    b.bytes = 0;
    if (s->own) place_own(s, iterations, &b);
    return s->own != NULL;
}

static void place_rows(state* s)
{
    const store_slice* rows = &s->rows;
    void* last = slice_array(rows, STORE_LAST);
    s->row = slice_array(rows, STORE_ROW);
    s->velocity = slice_array(rows, STORE_VELOCITY);
    s->residue = slice_array(rows, STORE_RESIDUE);
    s->force = slice_array(rows, STORE_FORCE);
    s->contact = slice_array(rows, STORE_CONTACT);
    s->lift = s->plan->second_order ? NULL : last;
    s->past = s->plan->second_order ? last : NULL;
}

bool state_create(store* from, const plan* p, int iterations, bool on_device, state* out)
{
    store_kind kind = {p->scalar_bytes, p->second_order, on_device};
    state s = {.plan = p,
               .particle_count = p->particle_count,
               .row_count = p->row_count,
               .scalar_bytes = p->scalar_bytes,
               .mass_unit = 1};
    *out = s;
    if (!store_take(from, kind, p->row_count, &out->rows) || !create_own(out, iterations)) {
        state_destroy(from, out);
        return false;
    }
    place_rows(out);
    set_shares(out);
    flow_begin(out);
    return true;
}

void state_clear_patch(state* s, int number)
{
    const plan* p = s->plan;
    const store_kind kind = s->rows.chunk->kind;
    bool last = number + 1 == p->patch_count; // with what the slice has beyond
    int first = p->patch[number].first_row;
    int end = last ? s->rows.rows.count : p->patch[number + 1].first_row;
    for (int i = 0; i < STORE_ARRAYS; ++i) {
        size_t bytes = store_row_bytes(kind, (store_array)i);
        memset((char*)slice_array(&s->rows, (store_array)i) + (size_t)first * bytes, 0,
               (size_t)(end - first) * bytes);
    }
}

void state_destroy(store* from, state* s)
{
    store_give_back(from, &s->rows);
    mem_free(s->own);
    state none = {0};
    *s = none;
}
