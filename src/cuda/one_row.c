// Bodies of one-row constraints: ropes, cloth, solids of edges and volumes. Their constraints are
// of several types and have few constants. All of a lane are one record, and each warp has lanes of
// one type alone.
#include "cuda/body.h"
#include "cuda/packed.h"
#include <string.h>

enum { UNIT = ONE_ROW_UNIT, GROUPS = UNIT / BLOCK };

int one_row_fields(const plan* p)
{
    int most = 0;
    if (!p->patched || p->damped || p->second_order || p->index_bytes != 2 || p->scalar_bytes != 4)
        return 0;
    for (size_t g = 0; g < p->group_count; ++g)
        if (p->group[g].round_count != 1) return 0;
    for (size_t i = 0; i < p->round_count; ++i) {
        const type_info* t = &type_infos[p->round[i].type];
        if (t->rows != 1 || t->same > 0 || t->particles < 2) return 0;
        if (t->fields > most) most = t->fields;
    }
    return most == 0 || most > ONE_ROW_MOST ? 0 : most <= ONE_ROW_FEW ? ONE_ROW_FEW : ONE_ROW_MOST;
}

static constraint_type type_of(const plan* p, int group)
{
    return p->round[p->group[group].first_round].type;
}

// Units of one color and type. Groups of a type are neighbors in the plan.
static int count_units(const plan* p, int* group, int end)
{
    constraint_type type = type_of(p, *group);
    int lanes = 0;
    for (; *group < end && type_of(p, *group) == type; ++*group) lanes += p->group[*group].lanes;
    return (lanes + UNIT - 1) / UNIT;
}

// Where the colors start; returns how many groups there are.
static int find_starts(const plan* p, int* out_start)
{
    int groups = 0;
    for (int color = 0; color < p->color_count; ++color) {
        out_start[color] = groups;
        for (int g = p->color_group[color]; g < p->color_group[color + 1];)
            groups += GROUPS * count_units(p, &g, p->color_group[color + 1]);
    }
    return out_start[p->color_count] = groups;
}

// Missing corners are the last one. The compliance, of all types their last constant, comes first.
static void write_lane(const plan* p, int from, char* to)
{
    const round_block* r = &p->round[p->group[from / BLOCK].first_round];
    const type_info* t = &type_infos[r->type];
    const uint16_t* index = (const uint16_t*)p->index + r->index_at + from % BLOCK;
    const float* field = (const float*)p->field + r->field_at + from % BLOCK;
    uint16_t at[4];
    float constant[ONE_ROW_MOST];
    for (int i = 0; i < 4; ++i) at[i] = index[(i < t->particles ? i : t->particles - 1) * BLOCK];
    for (int i = 0; i < t->fields; ++i) constant[(i + 1) % t->fields] = field[i * BLOCK];
    memcpy(to, at, sizeof at);
    memcpy(to + sizeof at, constant, (size_t)t->fields * sizeof(float));
}

// Packs the groups of one type from *group on, as units from `unit` on; returns the next unit.
// What is left of the last unit stays zero: all its corners are one row.
static int pack_type(lane_order* o, int* group, int end, int unit, size_t bytes, packed* out)
{
    const plan* p = o->plan;
    constraint_type type = type_of(p, *group);
    int first = o->count;
    for (; *group < end && type_of(p, *group) == type; ++*group)
        for (int k = 0; k < p->group[*group].lanes; ++k) o->lane[o->count++] = *group * BLOCK + k;
    lane_order_arrange(o, first, o->count);
    for (int i = first; i < o->count; ++i)
        write_lane(p, o->lane[i], out->lane + ((size_t)unit * UNIT + (size_t)(i - first)) * bytes);
    int units = (o->count - first + UNIT - 1) / UNIT;
    for (int i = 0; i < units; ++i) out->unit_type[unit + i] = (unsigned char)type;
    return unit + units;
}

bool one_row_create(const plan* p, int fields, packed_plan* out)
{
    packed* s = &out->sweep[0];
    lane_order order = {.plan = p};
    size_t bytes = one_row_bytes(fields);
    int unit = 0;
    out->color_group = (int*)mem_array((size_t)p->color_count + 1, sizeof(int));
    if (!out->color_group) return false;
    s->group_count = (size_t)find_starts(p, out->color_group);
    s->lane = (char*)mem_array_zero(s->group_count * BLOCK, bytes);
    s->unit_type = (unsigned char*)mem_array_zero(s->group_count / GROUPS, 1);
    bool good = s->lane && s->unit_type;
    for (int color = 0; color < p->color_count && good; ++color) {
        good = lane_order_reserve(&order, color);
        for (int g = p->color_group[color]; g < p->color_group[color + 1] && good;)
            unit = pack_type(&order, &g, p->color_group[color + 1], unit, bytes, s);
    }
    lane_order_discard(&order);
    return good;
}
