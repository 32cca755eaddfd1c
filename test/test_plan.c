// Plans: complete, without conflicts, patches as they were asked for.
#include "plans.h"

#include "orders.h"

static int find_tet(const pliant_mesh* mesh, const int corner[4])
{
    for (int t = 0; t < mesh->tet_count; ++t)
        if (memcmp(mesh->tets + 4 * (size_t)t, corner, sizeof(int[4])) == 0) return t;
    return -1;
}

typedef struct {
    const pliant_mesh* mesh;
    const int* particle; // of each row
    int* times;          // of each tet and type
} tally;

// How often each type works on each tet.
static void count_round(const plan* p, const patch* t, int color, int group, const round_block* b,
                        void* context)
{
    (void)color;
    const tally* count = (const tally*)context;
    for (int lane = 0; lane < BLOCK; ++lane) {
        int corner[4];
        for (int i = 0; i < 4; ++i)
            corner[i] = count->particle[t->first_row +
                                        plan_index(p, b->index_at + (size_t)(i * BLOCK + lane))];
        if (corner[0] < 0) continue;
        if (lane >= p->group[group].lanes) fail_msg("lane %d is in use", lane);
        int tet = find_tet(count->mesh, corner);
        if (tet < 0) fail_msg("a constraint on corners that are no tet");
        count->times[tet * TYPE_COUNT + (int)b->type]++;
    }
}

static int expected_times(pliant_formulation formulation, constraint_type type)
{
    switch (type) {
    case TYPE_ten_rows:
        return formulation == PLIANT_FORMULATION_TEN_ROWS;
    case TYPE_two_rows:
        return formulation == PLIANT_FORMULATION_TWO_ROWS;
    case TYPE_deviatoric:
    case TYPE_hydrostatic:
        return formulation == PLIANT_FORMULATION_DECOUPLED ||
               formulation == PLIANT_FORMULATION_DECOUPLED_NODES;
    case TYPE_viscous:
        return 1;
    default:
        return 0;
    }
}

static void every_constraint_appears_once(void** unused)
{
    (void)unused;
    for (int f = 0; f < FORMULATIONS; ++f)
        for (int o = 0; o < ORDERS; ++o) {
            pliant_soft_def def = material(formulations[f], &orders[o], 0.01);
            pliant_asset* a = box_asset(&def);
            int* times = (int*)calloc((size_t)(a->mesh->tet_count * TYPE_COUNT), sizeof(int));
            tally t = {a->mesh, particles_of_rows(&a->plan), times};
            for_each_round(&a->plan, count_round, &t);
            free((void*)t.particle);
            for (int i = 0; i < a->mesh->tet_count * TYPE_COUNT; ++i)
                if (times[i] != expected_times(formulations[f], (constraint_type)(i % TYPE_COUNT)))
                    fail_msg("%s: type %d of tet %d appears %d times", orders[o].name,
                             i % TYPE_COUNT, i / TYPE_COUNT, times[i]);
            free(times);
            pliant_asset_destroy(a);
        }
}

static void lanes_of_a_color_share_no_row(void** unused)
{
    (void)unused;
    for (int f = 0; f < FORMULATIONS; ++f)
        for (int o = 0; o < ORDERS; ++o) {
            if (orders[o].schedule == PLIANT_SCHEDULE_SERIAL) continue;
            pliant_soft_def def = material(formulations[f], &orders[o], 0.01);
            pliant_asset* a = box_asset(&def);
            check_lanes(a, orders[o].name);
            pliant_asset_destroy(a);
        }
}

static void note_type(const plan* p, const patch* t, int color, int group, const round_block* b,
                      void* context)
{
    (void)p, (void)t, (void)group;
    ((unsigned*)context)[color] |= 1u << b->type;
}

// Colors of the plan with more than one type.
static int count_mixed(const plan* p)
{
    int mixed = 0;
    unsigned* types = (unsigned*)calloc((size_t)p->color_count, sizeof(unsigned));
    for_each_round(p, note_type, types);
    for (int c = 0; c < p->color_count; ++c) mixed += (types[c] & (types[c] - 1)) != 0;
    free(types);
    return mixed;
}

static void types_have_colors_together_or_of_their_own(void** unused)
{
    (void)unused;
    static const order ways[] = {
        {.name = "patched", .patch_rows = 64},
        {.name = "ordered", .interface = PLIANT_INTERFACE_ORDERED, .patch_rows = 64},
        {.name = "few colors", .patch_rows = 64, .patch_colors = 12},
        {.name = "colored", .schedule = PLIANT_SCHEDULE_COLORED},
        {.name = "phantom", .schedule = PLIANT_SCHEDULE_PHANTOM, .most_colors = 9}};
    for (int i = 0; i < 10; ++i) {
        const order* o = &ways[i / 2];
        pliant_soft_def def = material(PLIANT_FORMULATION_EDGES_AND_VOLUME, o, 0);
        def.research.color_scope = i % 2 ? PLIANT_COLOR_SCOPE_TYPE : PLIANT_COLOR_SCOPE_ALL;
        pliant_asset* a = box_asset(&def);
        int most = pliant_asset_describe(a).colors, mixed = count_mixed(&a->plan);
        int limit = o->patch_colors ? o->patch_colors : o->most_colors;
        if ((mixed > 0) != (i % 2 == 0))
            fail_msg("%s: %d of %d colors are mixed", o->name, mixed, a->plan.color_count);
        if (limit && most > limit) fail_msg("%s: %d colors of %d", o->name, most, limit);
        check_lanes(a, o->name);
        pliant_asset_destroy(a);
    }
}

// ---- patches ------------------------------------------------------------------------------------

static void rows_of_a_patch_are_few_and_its_own(void** unused)
{
    (void)unused;
    for (int o = 0; o < 2; ++o) {
        pliant_soft_def def = material(PLIANT_FORMULATION_TEN_ROWS, &orders[o], 0);
        pliant_asset* a = box_asset(&def);
        const plan* p = &a->plan;
        assert_int_equal(p->index_bytes, 2);
        if (p->patch_count < 3) fail_msg("only %d patches", p->patch_count);
        for (int i = 0; i < p->patch_count; ++i) {
            const patch* t = &p->patch[i];
            int end = i + 1 < p->patch_count ? p->patch[i + 1].first_row : p->row_count;
            if (t->row_count > 64 || t->first_row + t->row_count >= end)
                fail_msg("%s: patch %d has %d rows from %d, the next one starts at %d",
                         orders[o].name, i, t->row_count, t->first_row, end);
        }
        pliant_asset_destroy(a);
    }
}

// All mass is somewhere, once, and where the elements are.
static void copies_share_the_mass_of_their_particle(void** unused)
{
    (void)unused;
    for (int o = 0; o < 3; ++o) {
        pliant_soft_def def = material(PLIANT_FORMULATION_DECOUPLED_NODES, &orders[o], 0);
        pliant_asset* a = box_asset(&def);
        const copies* c = &a->plan.copies;
        if (c->shared_count == 0) fail_msg("nothing is shared");
        for (int slot = 0; slot < c->slot_count; ++slot) {
            double sum = 0;
            CHECK_BETWEEN(c->share[slot], 1e-3, 1 - 1e-3);
            for (int k = c->source_start[slot]; k < c->source_start[slot + 1]; ++k)
                sum += c->share[c->source[k]];
            CHECK_CLOSE(sum, 1, 1e-14);
        }
        pliant_asset_destroy(a);
    }
}

static void patches_of_one_turn_share_no_particle(void** unused)
{
    (void)unused;
    pliant_soft_def def = material(PLIANT_FORMULATION_TEN_ROWS, &orders[1], 0);
    pliant_asset* a = box_asset(&def);
    const plan* p = &a->plan;
    CHECK_BETWEEN(p->turn_count, 2, p->patch_count);
    for (int i = 0; i < p->particle_count; ++i)
        for (int k = 0; k < plan_copy_count(p, i); ++k)
            for (int j = 0; j < k; ++j) {
                int one = plan_patch_of_row(p, plan_row(p, i, k));
                int other = plan_patch_of_row(p, plan_row(p, i, j));
                if (p->patch[one].turn == p->patch[other].turn)
                    fail_msg("patches %d and %d of turn %d share particle %d", one, other,
                             p->patch[one].turn, i);
            }
    pliant_asset_destroy(a);
}

static void copies_bound_the_colors_of_a_patch(void** unused)
{
    (void)unused;
    for (int most = 4; most <= 16; most += 6) {
        pliant_soft_def def = pliant_soft_defaults();
        def.solver.patch_colors = most;
        pliant_asset* a = box_asset(&def);
        pliant_asset_info info = pliant_asset_describe(a);
        if (info.colors > most || info.patches != 1 || !(info.copies > 1))
            fail_msg("%d colors of %d, %d patches, %g copies", info.colors, most, info.patches,
                     info.copies);
        pliant_asset_destroy(a);
    }
}

static void small_body_is_one_patch_without_copies(void** unused)
{
    (void)unused;
    pliant_soft_def def = pliant_soft_defaults();
    pliant_asset* a = box_asset(&def);
    pliant_asset_info info = pliant_asset_describe(a);
    assert_int_equal(info.patches, 1);
    assert_true(info.copies == 1 && info.shared == 0);
    pliant_asset_destroy(a);
}

static void cells_of_a_box_need_eight_colors(void** unused)
{
    (void)unused;
    pliant_soft_def def = material(PLIANT_FORMULATION_TEN_ROWS, &orders[ORDER_CELLS], 0);
    pliant_asset* a = box_asset(&def);
    assert_int_equal(pliant_asset_describe(a).colors, 8);
    pliant_asset_destroy(a);
}

// The numbers of an asset add up.
static void asset_describes_itself(void** unused)
{
    (void)unused;
    pliant_soft_def def = material(PLIANT_FORMULATION_DECOUPLED_NODES, &orders[ORDER_COLORED], 0);
    pliant_asset* a = box_asset(&def);
    pliant_asset_info info = pliant_asset_describe(a);
    int color[5 * 4 * 3 * 5], tets = 5 * 4 * 3 * 5;
    assert_int_equal(info.particles, 6 * 5 * 4);
    assert_int_equal(info.constraints, 2 * tets);
    assert_int_equal(info.nodes, 2 * tets);
    assert_int_equal(pliant_asset_read_colors(a, color, tets), tets);
    for (int i = 0; i < tets; ++i) CHECK_BETWEEN(color[i], 0, info.colors - 1);
    CHECK_CLOSE(info.volume, 0.06, 1e-12);
    CHECK_CLOSE(info.mass, 60, 1e-12);
    CHECK_BETWEEN(info.smallest_color, 1, info.largest_color);
    CHECK_BETWEEN(info.largest_color, (double)info.nodes / info.colors, info.nodes);
    assert_true(info.colors >= info.clique);
    pliant_asset_destroy(a);
}

// Chains that all start at one particle: hard to cut evenly.
static pliant_mesh* make_star(int arms, int length)
{
    int vertices = 1 + arms * length;
    double* x = (double*)calloc(3 * (size_t)vertices, sizeof *x);
    int* edge = (int*)malloc(2 * (size_t)(vertices - 1) * sizeof *edge);
    for (int v = 1; v < vertices; ++v) {
        int arm = (v - 1) / length, at = (v - 1) % length;
        x[3 * v] = 1 + arm % 40, x[3 * v + 1] = 1 + arm / 40, x[3 * v + 2] = 1 + at;
        edge[2 * (v - 1)] = at ? v - 1 : 0;
        edge[2 * (v - 1) + 1] = v;
    }
    const pliant_mesh_arrays arrays = {
        .vertices = x, .vertex_count = vertices, .edges = edge, .edge_count = vertices - 1};
    pliant_mesh* mesh = NULL;
    CHECK_OK(pliant_mesh_create(&arrays, &mesh));
    free(x);
    free(edge);
    return mesh;
}

// A patch more, and everybody waits until it has run by itself.
static void a_gpu_has_no_patch_too_many(void** unused)
{
    (void)unused;
    pliant_mesh* star = make_star(921, 40);
    pliant_soft_def def = pliant_soft_defaults();
    pliant_asset* asset = NULL;
    def.solver.target_backend = PLIANT_BACKEND_CUDA;
    CHECK_OK(pliant_asset_create(star, &def, &asset));
    CHECK_BETWEEN(pliant_asset_describe(asset).patches, 100, 132);
    pliant_asset_destroy(asset);
    pliant_mesh_destroy(star);
}

int main(void)
{
    pliant_set_log(NULL, NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_constraint_appears_once),
        cmocka_unit_test(lanes_of_a_color_share_no_row),
        cmocka_unit_test(types_have_colors_together_or_of_their_own),
        cmocka_unit_test(rows_of_a_patch_are_few_and_its_own),
        cmocka_unit_test(copies_share_the_mass_of_their_particle),
        cmocka_unit_test(patches_of_one_turn_share_no_particle),
        cmocka_unit_test(copies_bound_the_colors_of_a_patch),
        cmocka_unit_test(small_body_is_one_patch_without_copies),
        cmocka_unit_test(a_gpu_has_no_patch_too_many),
        cmocka_unit_test(cells_of_a_box_need_eight_colors),
        cmocka_unit_test(asset_describes_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
