#include "cuda/packed.h"
#include <string.h>

// ---- of one type --------------------------------------------------------------------------------

// The types that kernels have a packed sweep for.
static bool can_be_packed(const plan* p, constraint_type type)
{
    bool two = type == TYPE_two_rows && !p->second_order;
    return type == TYPE_ten_rows || two || type == TYPE_viscous;
}

static void look_at_sweep(const plan* p, bool motion, device_stream* out)
{
    const round_block* first = NULL;
    out->uniform = p->patched && p->index_bytes == 2 && p->scalar_bytes == 4 && p->flow.count == 0;
    for (size_t g = 0; g < p->group_count; ++g) {
        int count;
        const round_block* r = round_of(p, g, motion, &count);
        if (!first) first = r;
        if (count != 1 || r->mixed || r->type != first->type || r->same_at != first->same_at)
            out->uniform = false;
    }
    out->any = first != NULL;
    out->type = first ? first->type : TYPE_COUNT;
    out->uniform = out->uniform && out->any && can_be_packed(p, out->type);
}

// Those of a color in the order in which they are packed, padding last.
static bool order_lanes(lane_order* o, int color)
{
    const plan* p = o->plan;
    int filled = 0;
    if (!lane_order_reserve(o, color)) return false;
    for (int padding = 0; padding < 2; ++padding) {
        for (int g = p->color_group[color]; g < p->color_group[color + 1]; ++g)
            for (int k = 0; k < BLOCK; ++k)
                if ((k >= p->group[g].lanes) == padding) o->lane[o->count++] = g * BLOCK + k;
        if (!padding) filled = o->count;
    }
    lane_order_arrange(o, 0, filled);
    return true;
}

// Lane `from` of the plan becomes lane `to`.
static void pack_lane(const plan* p, bool motion, size_t from, size_t to, const packed* out)
{
    int count;
    const round_block* r = round_of(p, from / BLOCK, motion, &count);
    const type_info* t = &type_infos[r->type];
    size_t lane = to % BLOCK, own = (size_t)(t->fields - t->same), quads = own / 4 * 4;
    const uint16_t* index = (const uint16_t*)p->index + r->index_at + from % BLOCK;
    const float* field = (const float*)p->field + r->field_at + from % BLOCK;
    float* to_field = out->field + to / BLOCK * own * BLOCK;
    for (size_t i = 0; i < (size_t)t->particles; ++i)
        out->index[to * (size_t)t->particles + i] = index[i * BLOCK];
    for (size_t f = 0; f < own; ++f)
        to_field[f < quads ? (f / 4 * BLOCK + lane) * 4 + f % 4 : f * BLOCK + lane] =
            field[f * BLOCK];
}

static bool pack_lanes(const plan* p, bool motion, const packed* out)
{
    lane_order order = {.plan = p, .motion = motion};
    bool good = true;
    for (int color = 0; color < p->color_count && good; ++color) {
        good = order_lanes(&order, color);
        size_t first = (size_t)p->color_group[color] * BLOCK;
        for (int i = 0; i < order.count && good; ++i)
            pack_lane(p, motion, (size_t)order.lane[i], first + (size_t)i, out);
    }
    lane_order_discard(&order);
    return good;
}

static bool pack_sweep(const plan* p, bool motion, const device_stream* s, packed* out)
{
    const type_info* t = &type_infos[s->type];
    int count;
    out->group_count = p->group_count;
    out->index = (uint16_t*)mem_array(p->group_count * BLOCK, (size_t)t->particles * 2);
    out->field = (float*)mem_array(p->group_count * BLOCK, (size_t)(t->fields - t->same) * 4);
    out->same = (float*)mem_array_zero(MAX_FIELDS, sizeof(float));
    if (!out->index || !out->field || !out->same) return false;
    const round_block* r = round_of(p, 0, motion, &count);
    memcpy(out->same, (const float*)p->field + r->same_at, (size_t)t->same * sizeof(float));
    return pack_lanes(p, motion, out);
}

// ---- together -----------------------------------------------------------------------------------

// All that there is, or nothing.
static bool pack_uniform(const plan* p, device_plan* out, packed_plan* into)
{
    bool good = true;
    for (int i = 0; i < 2; ++i) {
        device_stream* s = &out->sweep[i];
        out->lambda_at[i] = out->lambda_count;
        if (!s->uniform) continue;
        out->lambda_count += p->group_count * (size_t)(type_infos[s->type].rows * BLOCK);
        good = good && pack_sweep(p, i, s, &into->sweep[i]);
    }
    return good;
}

bool packed_create(const plan* p, device_plan* out, packed_plan* into)
{
    memset(into, 0, sizeof *into);
    for (int i = 0; i < 2; ++i) look_at_sweep(p, i, &out->sweep[i]);
    bool uniform = out->sweep[0].uniform && (out->sweep[1].uniform || !out->sweep[1].any);
    if (uniform) return pack_uniform(p, out, into);
    out->sweep[0].uniform = out->sweep[1].uniform = false;
    out->lambda_count = p->lambda_count;
    int fields = one_row_fields(p);
    if (!fields) return true;
    out->sweep[0].one_row_fields = fields;
    bool good = one_row_create(p, fields, into);
    out->lambda_count = into->sweep[0].group_count * BLOCK;
    return good;
}

void packed_destroy(packed_plan* into)
{
    for (int i = 0; i < 2; ++i) {
        mem_free(into->sweep[i].index);
        mem_free(into->sweep[i].field);
        mem_free(into->sweep[i].same);
        mem_free(into->sweep[i].lane);
        mem_free(into->sweep[i].unit_type);
    }
    mem_free(into->color_group);
}
