#include "plan/file.h"
#include "constraint/crease.h"
#include "plan/flow.h"
#include "plan/layout.h"
#include <limits.h>
#include <math.h>

// A member that is added must be visited below, or found again.
_Static_assert(sizeof(void*) != 8 || (sizeof(plan) == 328 && sizeof(copies) == 72), "plan_visit");
_Static_assert(sizeof(patch) == 36 && sizeof(lane_group) == 12 && sizeof(component) == 8 &&
                   sizeof(strip) == 12,
               "plan_visit");

static bool has_phantoms(const plan_settings* s)
{
    return s->schedule == PLIANT_SCHEDULE_PHANTOM || s->schedule == PLIANT_SCHEDULE_HYBRID ||
           s->schedule == PLIANT_SCHEDULE_JACOBI;
}

// Adds to a sum that is to stay an int.
static bool add_within(archive* a, int* sum, int64_t more)
{
    if (*sum + more > INT_MAX) return archive_refuse(a, "the counts of its plan are too large");
    *sum = (int)(*sum + more);
    return true;
}

// ---- patches ------------------------------------------------------------------------------------

static bool visit_patch(archive* a, const plan* p, patch* t)
{
    return archive_int_within(a, &t->row_count, 0, INT_MAX - BLOCK, "rows of a patch") &&
           archive_int_within(a, &t->inner_count, 0, t->row_count, "inner rows of a patch") &&
           archive_int_within(a, &t->color_count, 0, INT_MAX, "colors of a patch") &&
           archive_int_within(a, &t->turn, 0, p->turn_count - 1, "the turn of a patch") &&
           archive_int_within(a, &t->component_count, 0, INT_MAX, "components of a patch");
}

// Where its rows, slots, colors and components start: behind those of the patch before.
static bool place_patch(archive* a, plan* p, patch* t)
{
    t->first_row = p->row_count;
    t->first_slot = p->copies.slot_count;
    t->first_color = p->color_count;
    t->first_component = p->component_count;
    if (t->color_count > p->most_colors) p->most_colors = t->color_count;
    int64_t rows = p->patched ? patch_room(t->row_count) : t->row_count;
    return add_within(a, &p->row_count, rows) &&
           add_within(a, &p->copies.slot_count, t->row_count - t->inner_count) &&
           add_within(a, &p->color_count, t->color_count) &&
           add_within(a, &p->component_count, t->component_count);
}

static bool visit_patches(archive* a, const plan_settings* s, plan* p)
{
    enum { PATCH_BYTES = 20 };
    bool in_turns = p->patched && s->interface == PLIANT_INTERFACE_ORDERED;
    bool good = archive_int_within(a, &p->patch_count, 1, p->patched ? INT_MAX - 1 : 1,
                                   "the number of patches") &&
                archive_int_within(a, &p->turn_count, 1, in_turns ? p->patch_count : 1,
                                   "the number of turns") &&
                archive_room(a, &p->patch, (size_t)p->patch_count, sizeof(patch), PATCH_BYTES);
    for (int i = 0; i < p->patch_count && good; ++i)
        good = visit_patch(a, p, &p->patch[i]) &&
               (!archive_reads(a) || place_patch(a, p, &p->patch[i]));
    return good;
}

// ---- copies -------------------------------------------------------------------------------------

// Starts of `count` lists, one behind the other, of `least` or more each.
static bool check_starts(archive* a, const int* start, int count, int least)
{
    bool good = start[0] == 0;
    for (int i = 0; i < count && good; ++i) good = (int64_t)start[i + 1] - start[i] >= least;
    return good || archive_refuse(a, "its lists of copies do not fit each other");
}

// A row of a particle: that of one patch alone where it has no other, else a shared one.
static bool row_fits(const plan* p, int row, bool shared)
{
    if (row < 0 || row >= p->row_count) return false;
    const patch* t = &p->patch[plan_patch_of_row(p, row)];
    int at = row - t->first_row;
    return at < t->row_count && (at >= t->inner_count) == shared;
}

// Every row of a patch is that of one particle. Where all are different and as many, none lacks.
static bool rows_fit(const plan* p, unsigned char* taken)
{
    const copies* c = &p->copies;
    for (int i = 0; i < p->particle_count; ++i)
        for (int k = c->start[i]; k < c->start[i + 1]; ++k) {
            if (!row_fits(p, c->row[k], plan_copy_count(p, i) > 1) || taken[c->row[k]])
                return false;
            taken[c->row[k]] = 1;
        }
    return true;
}

// The lists of sources have the square of a particle's copies.
static bool check_rows(archive* a, const plan* p)
{
    int64_t rows = 0;
    int sources = 0;
    bool good = true;
    for (int i = 0; i < p->patch_count; ++i) rows += p->patch[i].row_count;
    for (int i = 0; i < p->particle_count && good; ++i) {
        int64_t count = plan_copy_count(p, i);
        good = add_within(a, &sources, count > 1 ? count * count : 0);
    }
    if (!good) return false;
    unsigned char* taken = (unsigned char*)mem_array_zero((size_t)p->row_count, 1);
    if (!taken) return archive_refuse_found(a, PLIANT_ERROR_MEMORY);
    good = rows == p->copies.start[p->particle_count] && rows_fit(p, taken);
    mem_free(taken);
    return good || archive_refuse(a, "its rows are not those of its particles");
}

static bool find_sources(archive* a, plan* p)
{
    return layout_find_sources(p) || archive_refuse_found(a, PLIANT_ERROR_MEMORY);
}

static bool visit_shared(archive* a, plan* p)
{
    copies* c = &p->copies;
    size_t particles = (size_t)p->particle_count;
    return archive_array(a, &c->start, particles + 1, sizeof(int)) &&
           (!archive_reads(a) || check_starts(a, c->start, p->particle_count, 1)) &&
           archive_array(a, &c->row, (size_t)c->start[particles], sizeof(int)) &&
           (!archive_reads(a) || (check_rows(a, p) && find_sources(a, p))) &&
           archive_array(a, &c->share, (size_t)c->slot_count, sizeof(double));
}

static bool place_phantoms(archive* a, plan* p)
{
    copies* c = &p->copies;
    if (!check_starts(a, c->phantom, p->particle_count, 0)) return false;
    for (int i = 0; i < p->particle_count; ++i)
        c->shared_count += c->phantom[i + 1] > c->phantom[i];
    c->slot_count = c->shared_count;
    return add_within(a, &c->slot_count, plan_phantom_count(p));
}

static bool visit_phantoms(archive* a, plan* p)
{
    copies* c = &p->copies;
    return archive_array(a, &c->phantom, (size_t)p->particle_count + 1, sizeof(int)) &&
           (!archive_reads(a) || place_phantoms(a, p)) &&
           archive_array(a, &c->share, (size_t)plan_share_count(p), sizeof(double));
}

// The one patch of a plan without patches has the particles, and their phantoms.
static bool check_one_patch(archive* a, const plan* p)
{
    const patch* t = p->patch;
    bool good = t->inner_count == t->row_count &&
                t->row_count == (int64_t)p->particle_count + plan_phantom_count(p);
    return good || archive_refuse(a, "its rows are not those of its particles");
}

static bool visit_copies(archive* a, const plan_settings* s, plan* p)
{
    if (p->patched) return visit_shared(a, p);
    if (has_phantoms(s) && !visit_phantoms(a, p)) return false;
    return !archive_reads(a) || check_one_patch(a, p);
}

static bool check_shares(archive* a, const plan* p)
{
    for (int i = 0; i < plan_share_count(p); ++i)
        if (!isfinite(p->copies.share[i])) return archive_refuse(a, "a share is not finite");
    return true;
}

// ---- components ---------------------------------------------------------------------------------

static bool visit_strip(archive* a, const patch* t, int rows, strip* s)
{
    return archive_int_within(a, &s->first_row, t->first_row, t->first_row + rows - 1,
                              "the first row of a strip") &&
           archive_int_within(a, &s->count, 1, STRIP, "rows of a strip") &&
           (s->count <= t->first_row + rows - s->first_row ||
            archive_refuse(a, "a strip ends beyond its patch"));
}

// Strips of a component ascend.
static bool visit_component(archive* a, plan* p, const patch* t, component* c)
{
    int rows = p->patched ? t->row_count : p->particle_count;
    bool good = true;
    for (int i = c->first_strip; i < c->first_strip + c->strip_count && good; ++i) {
        strip *s = &p->strip[i], *before = i > c->first_strip ? s - 1 : NULL;
        s->component = (int)(c - p->component);
        good = visit_strip(a, t, rows, s) &&
               (!before || before->first_row + before->count <= s->first_row ||
                archive_refuse(a, "strips are not in their order"));
    }
    return good;
}

static bool visit_strip_counts(archive* a, plan* p)
{
    bool good = archive_room(a, &p->component, (size_t)p->component_count, sizeof(component), 4);
    int strips = 0;
    for (int i = 0; i < p->component_count && good; ++i) {
        component* c = &p->component[i];
        good = archive_int_within(a, &c->strip_count, 1, INT_MAX, "strips of a component");
        c->first_strip = strips;
        good = good && add_within(a, &strips, c->strip_count);
    }
    p->strip_count = strips;
    return good;
}

static bool visit_components(archive* a, plan* p)
{
    enum { STRIP_BYTES = 8 };
    bool good = visit_strip_counts(a, p) &&
                archive_room(a, &p->strip, (size_t)p->strip_count, sizeof(strip), STRIP_BYTES);
    for (int i = 0; i < p->patch_count && good; ++i) {
        const patch* t = &p->patch[i];
        for (int k = 0; k < t->component_count && good; ++k)
            good = visit_component(a, p, t, &p->component[t->first_component + k]);
    }
    return good;
}

// ---- groups and rounds --------------------------------------------------------------------------

static bool visit_colors(archive* a, plan* p)
{
    bool good = archive_array(a, &p->color_group, (size_t)p->color_count + 1, sizeof(int));
    if (!good || !archive_reads(a)) return good;
    for (int i = 0; i < p->color_count && good; ++i)
        good = p->color_group[i] <= p->color_group[i + 1];
    good = good && p->color_group[0] == 0;
    p->group_count = (size_t)p->color_group[p->color_count];
    return good || archive_refuse(a, "its colors do not follow each other");
}

static bool visit_groups(archive* a, plan* p)
{
    enum { GROUP_BYTES = 8 };
    int rounds = 0;
    bool good = archive_room(a, &p->group, p->group_count, sizeof(lane_group), GROUP_BYTES);
    for (size_t i = 0; i < p->group_count && good; ++i) {
        lane_group* g = &p->group[i];
        good = archive_int_within(a, &g->round_count, 1, INT_MAX, "rounds of a group") &&
               archive_int_within(a, &g->lanes, 1, BLOCK, "lanes of a group");
        g->first_round = rounds;
        good = good && add_within(a, &rounds, g->round_count);
    }
    p->round_count = (size_t)rounds;
    return good;
}

// Where the constants of a round's material are: in its block, in front of it, or where those of
// the round of its type before are.
enum { CONSTANTS_MIXED, CONSTANTS_IN_FRONT, CONSTANTS_AS_BEFORE };

// Blocks are one behind the other.
typedef struct {
    size_t next_field;
    bool known[TYPE_COUNT];
    size_t same_at[TYPE_COUNT];
} round_walk;

static unsigned char constants_of(const round_walk* w, const round_block* r)
{
    bool in_front = r->field_at != w->next_field;
    return r->mixed ? CONSTANTS_MIXED : in_front ? CONSTANTS_IN_FRONT : CONSTANTS_AS_BEFORE;
}

static bool place_round(archive* a, const round_walk* w, plan* p, unsigned char constants,
                        round_block* r)
{
    const type_info* t = &type_infos[r->type];
    if (constants == CONSTANTS_AS_BEFORE && !w->known[r->type])
        return archive_refuse(a, "a round has no constants of a material");
    r->mixed = constants == CONSTANTS_MIXED;
    r->index_at = p->index_count;
    r->lambda_at = p->lambda_count;
    r->field_at = w->next_field + (constants == CONSTANTS_IN_FRONT ? BLOCK : 0);
    if (constants == CONSTANTS_IN_FRONT) r->same_at = w->next_field;
    if (constants == CONSTANTS_AS_BEFORE) r->same_at = w->same_at[r->type];
    p->index_count += (size_t)(t->particles * BLOCK);
    p->lambda_count += (size_t)(t->rows * BLOCK);
    p->damped = p->damped || t->on_motion;
    return true;
}

static void go_on(round_walk* w, const round_block* r)
{
    const type_info* t = &type_infos[r->type];
    w->next_field = r->field_at + (size_t)((r->mixed ? t->fields : t->fields - t->same) * BLOCK);
    if (r->mixed) return;
    w->known[r->type] = true;
    w->same_at[r->type] = r->same_at;
}

static bool visit_round(archive* a, const plan_facts* facts, round_walk* w, plan* p, round_block* r)
{
    unsigned char type = (unsigned char)r->type, constants = constants_of(w, r);
    bool good = archive_byte(a, &type) && archive_byte(a, &constants);
    if (good && archive_reads(a)) {
        if (type >= TYPE_COUNT || !facts->has[type])
            return archive_refuse(a, "a round is of type %d, which its body does not have", type);
        if (constants > CONSTANTS_AS_BEFORE)
            return archive_refuse(a, "constants of a round are nowhere");
        r->type = (constraint_type)type;
        good = place_round(a, w, p, constants, r);
    }
    if (good) go_on(w, r);
    return good;
}

static bool visit_rounds(archive* a, const plan_facts* facts, plan* p)
{
    enum { ROUND_BYTES = 2 };
    round_walk w = {0};
    bool good = archive_room(a, &p->round, p->round_count, sizeof(round_block), ROUND_BYTES);
    for (size_t i = 0; i < p->round_count && good; ++i)
        good = visit_round(a, facts, &w, p, &p->round[i]);
    p->field_count = w.next_field;
    return good;
}

// ---- blocks -------------------------------------------------------------------------------------

// Whether `count` indices from `at` on are below `rows`.
static bool are_below(const plan* p, size_t at, size_t count, int rows)
{
    unsigned most = 0;
    for (size_t i = at; i < at + count && p->index_bytes == 2; ++i)
        if (((const uint16_t*)p->index)[i] > most) most = ((const uint16_t*)p->index)[i];
    for (size_t i = at; i < at + count && p->index_bytes == 4; ++i)
        if (((const unsigned*)p->index)[i] > most) most = ((const unsigned*)p->index)[i];
    return count == 0 || most < (unsigned)rows;
}

static size_t index_of_color(const plan* p, int color)
{
    size_t group = (size_t)p->color_group[color];
    return group < p->group_count ? p->round[p->group[group].first_round].index_at : p->index_count;
}

// Rows of its patch, and those that padding has.
static bool check_indices(archive* a, const plan* p)
{
    for (int i = 0; i < p->patch_count; ++i) {
        const patch* t = &p->patch[i];
        size_t first = index_of_color(p, t->first_color),
               end = index_of_color(p, t->first_color + t->color_count);
        if (!are_below(p, first, end - first, p->patched ? t->row_count + 1 : p->row_count))
            return archive_refuse(a, "a constraint works on a row that patch %d does not have", i);
    }
    return true;
}

static bool check_fields(archive* a, const plan* p)
{
    bool finite = true;
    for (size_t i = 0; i < p->field_count && p->scalar_bytes == 4; ++i)
        finite = finite && isfinite(((const float*)p->field)[i]);
    for (size_t i = 0; i < p->field_count && p->scalar_bytes == 8; ++i)
        finite = finite && isfinite(((const double*)p->field)[i]);
    return finite || archive_refuse(a, "a constant is not finite");
}

// Behind the particles, padding has rows of its own, at most 16 for each group.
static bool visit_padding(archive* a, plan* p)
{
    if (p->patched) return true;
    int rows = p->patch->row_count;
    int64_t most = rows + (int64_t)p->group_count * BLOCK;
    return archive_int_within(a, &p->row_count, rows, most < INT_MAX ? (int)most : INT_MAX,
                              "the number of rows");
}

static bool visit_blocks(archive* a, plan* p)
{
    if (archive_reads(a)) p->index_bytes = plan_index_bytes(p);
    return archive_array(a, &p->index, p->index_count, (size_t)p->index_bytes) &&
           archive_array(a, &p->field, p->field_count, (size_t)p->scalar_bytes) &&
           (!archive_reads(a) || (check_indices(a, p) && check_fields(a, p)));
}

// ---- nodes --------------------------------------------------------------------------------------

static bool check_nodes(archive* a, const plan* p)
{
    for (int i = 0; i < p->node_count; ++i) {
        int number = p->node_patch[i];
        if (number < 0 || number >= p->patch_count || p->node_color[i] < 0 ||
            p->node_color[i] >= p->patch[number].color_count)
            return archive_refuse(a, "node %d has a color or a patch that is none", i);
    }
    return true;
}

static bool visit_nodes(archive* a, plan* p)
{
    size_t nodes = (size_t)p->node_count;
    return archive_array(a, &p->node_color, nodes, sizeof(int)) &&
           archive_array(a, &p->node_patch, nodes, sizeof(int)) &&
           (!archive_reads(a) || check_nodes(a, p));
}

// ---- what flows ---------------------------------------------------------------------------------

static bool has_shape(constraint_type type)
{
    return type == TYPE_ten_rows || type == TYPE_two_rows || type == TYPE_deviatoric ||
           type == TYPE_hydrostatic || type == TYPE_viscous || is_plate(type);
}

// Blocks of a group have rounds of it one behind the other, all with shapes.
static bool visit_flow_block(archive* a, const plan* p, const lane_group* g, int* next,
                             flow_block* b)
{
    int first = b->first_round - g->first_round, left = g->round_count - *next;
    bool good = archive_int_within(a, &first, *next, g->round_count - 1, "rounds that flow") &&
                archive_int_within(a, &b->round_count, 1, left, "rounds that flow");
    if (!good) return false;
    if (first + b->round_count > g->round_count)
        return archive_refuse(a, "rounds that flow are none of their group");
    b->first_round = g->first_round + first;
    *next = first + b->round_count;
    for (int i = 0; i < b->round_count; ++i)
        if (!has_shape(p->round[b->first_round + i].type))
            return archive_refuse(a, "a round that flows has no shape");
    return true;
}

static bool check_flow_nodes(archive* a, const plan_facts* facts, const plan* p)
{
    for (size_t i = 0; i < p->flow.count * BLOCK; ++i)
        if (p->flow.node[i] < -1 || p->flow.node[i] >= facts->flowing)
            return archive_refuse(a, "node %d flows, which is none", p->flow.node[i]);
    return true;
}

static bool visit_flow(archive* a, const plan_facts* facts, plan* p)
{
    if (!facts->flowing) return true;
    plan_flow* f = &p->flow;
    bool good = archive_array(a, &f->start, p->group_count + 1, sizeof(int));
    if (good && archive_reads(a)) {
        good = f->start[0] == 0;
        for (size_t g = 0; g < p->group_count && good; ++g)
            good = f->start[g] <= f->start[g + 1] &&
                   f->start[g + 1] - f->start[g] <= p->group[g].round_count;
        if (!good) return archive_refuse(a, "its blocks that flow do not follow each other");
        f->count = (size_t)f->start[p->group_count];
    }
    enum { FLOW_BYTES = 8 + BLOCK * 4 };
    good = good && archive_room(a, &f->block, f->count, sizeof(flow_block), FLOW_BYTES);
    for (size_t g = 0; g < p->group_count && good; ++g) {
        int next = 0;
        for (int i = f->start[g]; i < f->start[g + 1] && good; ++i)
            good = visit_flow_block(a, p, &p->group[g], &next, &f->block[i]);
    }
    return good && archive_array(a, &f->node, f->count * BLOCK, sizeof(int)) &&
           (!archive_reads(a) || check_flow_nodes(a, facts, p));
}

// What it tells of itself.
static bool visit_figures(archive* a, plan* p)
{
    int nodes = p->node_count;
    return archive_int_within(a, &p->cluster_count, 0, nodes, "the number of clusters") &&
           archive_int_within(a, &p->clique, 0, nodes, "the largest clique") &&
           archive_int_within(a, &p->largest_color, 0, nodes, "the largest color") &&
           archive_int_within(a, &p->smallest_color, 0, nodes, "the smallest color") &&
           archive_int_within(a, &p->spread_color, 0, p->color_count, "the color of phantoms");
}

bool plan_visit(archive* a, const plan_settings* s, const plan_facts* facts, plan* p)
{
    if (archive_reads(a)) {
        *p = plan_start(s);
        p->particle_count = facts->particle_count;
        p->node_count = facts->node_count;
        p->constraint_count = facts->constraint_count;
    }
    bool good = visit_patches(a, s, p) && visit_copies(a, s, p) && visit_components(a, p) &&
                visit_colors(a, p) && visit_groups(a, p) && visit_padding(a, p) &&
                visit_rounds(a, facts, p) && visit_blocks(a, p) && visit_nodes(a, p) &&
                visit_flow(a, facts, p) && visit_figures(a, p);
    if (!good || !archive_reads(a)) return good;
    p->split =
        s->merge == PLIANT_MERGE_SPLIT && p->turn_count == 1 && (p->patched || p->copies.phantom);
    plan_finish(p);
    return check_shares(a, p);
}
