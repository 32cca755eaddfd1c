// Compiled assets as files: the same bits come back, and nothing in a file is taken on trust. And
// compiling them: how far it is, and how it is ended.
// PLIANT_MUTATIONS sets how many times each sample is damaged (200 in make test-all unless told).
#define _POSIX_C_SOURCE 200809L
#include "asset/file.h"
#include "asset_samples.h"
#include "failing.h"
#include "folder.h"

typedef struct {
    char* data;
    size_t bytes;
} block;

static block write_asset(const pliant_asset* asset)
{
    block b = {NULL, pliant_asset_write_size(asset)};
    b.data = (char*)malloc(b.bytes);
    CHECK_OK(pliant_asset_write(asset, b.data, b.bytes));
    return b;
}

static block write_sample(const asset_sample* s)
{
    pliant_asset* asset = compile_sample(s);
    block b = write_asset(asset);
    pliant_asset_destroy(asset);
    return b;
}

static pliant_body_id add_asset(pliant_world* world, const pliant_asset* asset)
{
    pliant_body_def def = pliant_body_defaults();
    def.position[1] = 0.3;
    return new_body(world, asset, &def);
}

// Falls, held at a particle, onto a floor, from a shaken start.
static pliant_world* stage(const pliant_asset* asset, int iterations, int threads)
{
    pliant_world_def def = pliant_world_defaults();
    pliant_world* world = NULL;
    def.substeps = 3;
    def.iterations = iterations;
    def.threads = threads;
    CHECK_OK(pliant_world_create(&def, &world));
    pliant_collider_def floor = pliant_collider_defaults();
    new_collider(world, &floor);
    pliant_body_id body = add_asset(world, asset);
    assert_true(body.index1);
    shake(world, body);
    pliant_body_pin(world, body, 1);
    return world;
}

static uint64_t digest_after(const pliant_asset* asset, int iterations, int threads)
{
    pliant_world* world = stage(asset, iterations, threads);
    run(world, 5, 0.005);
    uint64_t digest = get_digest(world);
    pliant_world_destroy(world);
    return digest;
}

// ---- the same -----------------------------------------------------------------------------------

static void check_same(const char* name, const pliant_asset* a, const pliant_asset* b)
{
    pliant_asset_info left = pliant_asset_describe(a), right = pliant_asset_describe(b);
    size_t gap = offsetof(pliant_asset_info, smallest_color) + sizeof left.smallest_color;
    size_t reals = offsetof(pliant_asset_info, mass);
    assert_memory_equal(&left, &right, gap);
    assert_memory_equal((char*)&left + reals, (char*)&right + reals, sizeof left - reals);
    assert_int_equal(pliant_asset_substeps(a, 0.01f), pliant_asset_substeps(b, 0.01f));
    for (int iterations = 1; iterations <= 2; ++iterations)
        if (digest_after(a, iterations, 1) != digest_after(b, iterations, 2))
            fail_msg("%s: another digest with %d iterations", name, iterations);
}

// What is loaded is written as the same bytes.
static void loaded_asset_is_the_compiled_one(void** unused)
{
    (void)unused;
    for (int i = 0; i < ASSET_SAMPLES; ++i) {
        pliant_asset *asset = compile_sample(&asset_samples[i]), *loaded = NULL;
        block first = write_asset(asset);
        if (pliant_asset_parse(first.data, first.bytes, "memory", &loaded))
            fail_msg("%s: %s", asset_samples[i].name, pliant_error_text());
        block second = write_asset(loaded);
        assert_int_equal(first.bytes, second.bytes);
        assert_memory_equal(first.data, second.data, first.bytes);
        check_same(asset_samples[i].name, asset, loaded);
        pliant_asset_destroy(asset);
        pliant_asset_destroy(loaded);
        free(first.data);
        free(second.data);
    }
}

static void energies_and_colors_are_the_same(void** unused)
{
    (void)unused;
    for (int i = 0; i < ASSET_SAMPLES; ++i) {
        enum { MOST = 2000 };
        int color[2][MOST], patch[2][MOST], count = 0;
        double elastic[2];
        pliant_asset* asset = compile_sample(&asset_samples[i]);
        for (int k = 0; k < 2; ++k) {
            pliant_world* world = stage(asset, 1, 1);
            run(world, 3, 0.005);
            elastic[k] = get_energies(world).elastic;
            count = pliant_asset_read_colors(asset, color[k], MOST);
            assert_int_equal(pliant_asset_read_patches(asset, patch[k], MOST), count);
            pliant_world_destroy(world);
            if (k == 1) break;
            block b = write_asset(asset);
            pliant_asset_destroy(asset);
            CHECK_OK(pliant_asset_parse(b.data, b.bytes, "memory", &asset));
            free(b.data);
        }
        assert_true(elastic[0] == elastic[1]);
        assert_memory_equal(color[0], color[1], (size_t)count * sizeof(int));
        assert_memory_equal(patch[0], patch[1], (size_t)count * sizeof(int));
        pliant_asset_destroy(asset);
    }
}

// Where the vertices of a surface on the body are after a few steps.
static uint64_t carry(const pliant_asset* asset)
{
    pliant_world* world = make_world(3, 1);
    pliant_body_id body = add_asset(world, asset);
    pliant_mesh* surface = surface_of("beam:6x5x5:0.1");
    pliant_skin_def def = pliant_skin_defaults();
    def.surface = surface;
    def.bodies = &body;
    def.body_count = 1;
    pliant_skin* skin = NULL;
    CHECK_OK(pliant_skin_create(world, &def, &skin));
    shake(world, body);
    run(world, 3, 0.005);
    CHECK_OK(pliant_skin_update(skin));
    size_t bytes = (size_t)pliant_skin_describe(skin).vertices * sizeof(pliant_vec3);
    uint64_t hash = hash_bytes(HASH_SEED, pliant_skin_positions(skin), bytes);
    pliant_skin_destroy(skin);
    pliant_mesh_destroy(surface);
    pliant_world_destroy(world);
    return hash;
}

static void skins_hang_on_loaded_assets(void** unused)
{
    (void)unused;
    pliant_asset *asset = compile_sample(&asset_samples[0]), *loaded = NULL;
    block b = write_asset(asset);
    CHECK_OK(pliant_asset_parse(b.data, b.bytes, "memory", &loaded));
    assert_true(carry(asset) == carry(loaded));
    free(b.data);
    pliant_asset_destroy(asset);
    pliant_asset_destroy(loaded);
}

// ---- files --------------------------------------------------------------------------------------

static const char* path_of(const char* name)
{
    static char text[128];
    snprintf(text, sizeof text, "%s/%s", folder, name);
    return text;
}

static void write_whole(const char* name, const char* data, size_t bytes)
{
    FILE* file = fopen(path_of(name), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, bytes, file), bytes);
    fclose(file);
}

// Refused, with a sentence that has these words and names the file.
static void check_refused(const char* name, const char* words)
{
    size_t held = pliant_allocated_bytes();
    pliant_asset* asset = (pliant_asset*)&held;
    pliant_result result = pliant_asset_load(path_of(name), &asset);
    if (result != PLIANT_ERROR_FORMAT || !strstr(pliant_error_text(), words) ||
        !strstr(pliant_error_text(), name))
        fail_msg("%s: result %d: %s", name, (int)result, pliant_error_text());
    assert_null(asset);
    assert_int_equal(pliant_allocated_bytes(), held);
}

static void saved_file_is_loaded(void** unused)
{
    (void)unused;
    size_t held = pliant_allocated_bytes();
    pliant_asset *asset = compile_sample(&asset_samples[0]), *loaded = NULL;
    CHECK_OK(pliant_asset_save(asset, path_of("box.asset")));
    CHECK_OK(pliant_asset_load(path_of("box.asset"), &loaded));
    check_same("file", asset, loaded);
    pliant_asset_destroy(asset);
    pliant_asset_destroy(loaded);
    assert_int_equal(pliant_allocated_bytes(), held);
}

static void files_that_cannot_be_had_are_told(void** unused)
{
    (void)unused;
    pliant_asset *asset = compile_sample(&asset_samples[1]), *loaded = NULL;
    assert_int_equal(pliant_asset_load(path_of("nowhere.asset"), &loaded), PLIANT_ERROR_FILE);
    assert_non_null(strstr(pliant_error_text(), "nowhere.asset"));
    assert_null(loaded);
    assert_int_equal(pliant_asset_save(asset, path_of("no/folder.asset")), PLIANT_ERROR_FILE);
    assert_non_null(strstr(pliant_error_text(), "no/folder.asset"));
    char small[8];
    assert_int_equal(pliant_asset_write(asset, small, sizeof small), PLIANT_ERROR_ARGUMENT);
    pliant_asset_destroy(asset);
}

// At every length of the header and its neighborhood, and at many beyond. Sealed again, what is cut
// off is found without the hash.
static void files_that_are_cut_off_are_refused(void** unused)
{
    (void)unused;
    block b = write_sample(&asset_samples[2]);
    for (size_t bytes = 0; bytes < b.bytes; bytes += bytes < 600 ? 1 : bytes / 20) {
        pliant_asset* asset = NULL;
        char* exact = (char*)malloc(bytes + 1); // so that a sanitizer sees what is read
        memcpy(exact, b.data, bytes);
        assert_int_equal(pliant_asset_parse(exact, bytes, "cut", &asset), PLIANT_ERROR_FORMAT);
        if (bytes >= ASSET_FILE_HEADER) {
            uint64_t all = bytes;
            memcpy(exact + ASSET_FILE_BYTES_AT, &all, sizeof all);
            asset_file_seal(exact, bytes);
            assert_int_equal(pliant_asset_parse(exact, bytes, "cut", &asset), PLIANT_ERROR_FORMAT);
            assert_non_null(strstr(pliant_error_text(), "cut: "));
        }
        assert_null(asset);
        free(exact);
    }
    write_whole("half.asset", b.data, b.bytes / 2);
    check_refused("half.asset", "cut off");
    free(b.data);
}

static void change_and_refuse(const block* b, size_t at, const char* bytes, size_t count,
                              const char* words)
{
    char* changed = (char*)malloc(b->bytes);
    memcpy(changed, b->data, b->bytes);
    memcpy(changed + at, bytes, count);
    asset_file_seal(changed, b->bytes);
    write_whole("changed.asset", changed, b->bytes);
    check_refused("changed.asset", words);
    free(changed);
}

// Where files have the formulation: the first place behind the header that changes with it.
static size_t formulation_at(void)
{
    asset_sample other = asset_samples[1];
    other.formulation = PLIANT_FORMULATION_TWO_ROWS;
    block a = write_sample(&asset_samples[1]), b = write_sample(&other);
    size_t at = ASSET_FILE_HEADER;
    while (at < a.bytes && at < b.bytes && a.data[at] == b.data[at]) ++at;
    free(a.data);
    free(b.data);
    return at;
}

static void files_of_others_are_refused(void** unused)
{
    (void)unused;
    block b = write_sample(&asset_samples[1]);
    change_and_refuse(&b, 0, "PLIANT04", 8, "no compiled asset");
    change_and_refuse(&b, 8, "\1\2\3\4", 4, "order of bytes");
    change_and_refuse(&b, 12, "\1\0\0\0", 4, "another version (format 1, this is 11");
    change_and_refuse(&b, 16, "\1\4\x30\0", 4, "library 3.1.1");
    change_and_refuse(&b, 24, "abcdefgh", 8, "another version");
    change_and_refuse(&b, formulation_at(), "\x77\0\0\0", 4, "formulation is 119");
    b.data[b.bytes / 2] ^= 1;
    write_whole("damaged.asset", b.data, b.bytes);
    check_refused("damaged.asset", "damaged");
    b.data = (char*)realloc(b.data, b.bytes + 8);
    memset(b.data + b.bytes, 0, 8);
    uint64_t longer = b.bytes + 8;
    memcpy(b.data + ASSET_FILE_BYTES_AT, &longer, sizeof longer);
    asset_file_seal(b.data, b.bytes + 8);
    write_whole("longer.asset", b.data, b.bytes + 8);
    check_refused("longer.asset", "more in it");
    free(b.data);
}

// ---- memory -------------------------------------------------------------------------------------

static pliant_result try_to_parse(const void* context)
{
    const block* b = (const block*)context;
    pliant_asset* asset = NULL;
    pliant_result result = pliant_asset_parse(b->data, b->bytes, "memory", &asset);
    pliant_asset_destroy(asset);
    return result;
}

static void every_allocation_may_fail(void** unused)
{
    (void)unused;
    for (int i = 0; i < ASSET_SAMPLES; i += by_scope(5, 2, 1)) {
        block b = write_sample(&asset_samples[i]);
        assert_true(check_every_failure(try_to_parse, &b) > 15);
        free(b.data);
    }
}

static pliant_result try_files(const void* context)
{
    const char* path = path_of("tried.asset");
    pliant_asset* loaded = NULL;
    pliant_result result = pliant_asset_save((const pliant_asset*)context, path);
    if (!result) result = pliant_asset_load(path, &loaded);
    pliant_asset_destroy(loaded);
    return result;
}

static void every_allocation_of_files_may_fail(void** unused)
{
    (void)unused;
    pliant_asset* asset = compile_sample(&asset_samples[1]);
    check_every_failure(try_files, asset);
    pliant_asset_destroy(asset);
}

// ---- damage -------------------------------------------------------------------------------------

static int mutation_count(void)
{
    const char* text = getenv("PLIANT_MUTATIONS");
    int count = text ? atoi(text) : 0;
    return count > 0 ? count : by_scope(20, 60, 200);
}

// A byte, or a number that is a count or an index somewhere.
static void damage(block* b, random_source* r)
{
    static const int numbers[] = {0, 1, -1, 2, 3, 15, 16, 17, 255, 65535, 1 << 20, INT32_MAX};
    size_t at = ASSET_FILE_HEADER + (size_t)random_index(r, (int)b->bytes - ASSET_FILE_HEADER - 8);
    int way = random_index(r, 4), number, more = random_index(r, 3) - 1;
    if (way == 0) b->data[at] ^= (char)(1 << random_index(r, 8));
    if (way == 1) b->data[at] = (char)random_index(r, 256);
    if (way == 2) memcpy(b->data + at / 4 * 4, &numbers[random_index(r, 12)], 4);
    if (way != 3) return;
    memcpy(&number, b->data + at / 4 * 4, 4);
    number = (int)((unsigned)number + (unsigned)more);
    memcpy(b->data + at / 4 * 4, &number, 4);
}

// What still loads steps within its own memory: a sanitizer looks.
static void use(const pliant_asset* asset)
{
    pliant_world_def def = pliant_world_defaults();
    pliant_world* world = NULL;
    def.substeps = def.iterations = 2;
    def.threads = 1;
    CHECK_OK(pliant_world_create(&def, &world));
    pliant_collider_def floor = pliant_collider_defaults();
    new_collider(world, &floor);
    pliant_body_id body = add_asset(world, asset);
    if (body.index1) {
        pliant_body_pin(world, body, 1);
        for (int i = 0; i < 2; ++i) pliant_world_step(world, 0.005f); // may diverge
        get_energies(world);
        get_digest(world);
    }
    int number[64];
    pliant_asset_read_colors(asset, number, 64);
    pliant_asset_read_patches(asset, number, 64);
    pliant_asset_describe(asset);
    pliant_world_destroy(world);
}

static void damage_and_use(const char* name, const block* good, random_source* r, int* loaded)
{
    size_t held = pliant_allocated_bytes();
    block b = {(char*)malloc(good->bytes), good->bytes};
    pliant_asset* asset = NULL;
    memcpy(b.data, good->data, b.bytes);
    for (int i = random_index(r, 3); i >= 0; --i) damage(&b, r);
    asset_file_seal(b.data, b.bytes);
    pliant_result result = pliant_asset_parse(b.data, b.bytes, name, &asset);
    if (result == PLIANT_OK) {
        use(asset);
        ++*loaded;
    } else if (result != PLIANT_ERROR_FORMAT || !strstr(pliant_error_text(), name)) {
        fail_msg("%s: result %d, %s", name, (int)result, pliant_error_text());
    }
    pliant_asset_destroy(asset);
    assert_int_equal(pliant_allocated_bytes(), held);
    free(b.data);
}

static void forged_files_do_no_harm(void** unused)
{
    (void)unused;
    random_source random = {17};
    int loaded = 0, count = mutation_count();
    for (int i = 0; i < ASSET_SAMPLES; ++i) {
        block b = write_sample(&asset_samples[i]);
        for (int n = 0; n < count; ++n) damage_and_use(asset_samples[i].name, &b, &random, &loaded);
        free(b.data);
    }
    // Reals that are others are as good as those before.
    assert_in_range(loaded, ASSET_SAMPLES * count / 20, ASSET_SAMPLES * count * 19 / 20);
}

// ---- progress and cancel ------------------------------------------------------------------------

typedef struct {
    int calls, most; // how many are said yes to; below 0: all
    double last;
    bool ascends;
} listener;

static bool listen(double part, void* context)
{
    listener* l = (listener*)context;
    if (l->calls == 0 ? part != 0 : !(part >= l->last)) l->ascends = false;
    l->last = part;
    return ++l->calls != l->most;
}

static pliant_result compile_with(const asset_sample* s, listener* l, pliant_asset** out)
{
    pliant_mesh* mesh = sample_mesh(s);
    pliant_soft_def def = sample_definition(s);
    def.progress = listen;
    def.context = l;
    pliant_result result = pliant_asset_create(mesh, &def, out);
    pliant_mesh_destroy(mesh);
    return result;
}

static void progress_ascends_to_one(void** unused)
{
    (void)unused;
    for (int i = 0; i < ASSET_SAMPLES; ++i) {
        listener l = {.most = -1, .ascends = true};
        pliant_asset* asset = NULL;
        CHECK_OK(compile_with(&asset_samples[i], &l, &asset));
        assert_true(l.ascends && l.calls >= 6);
        assert_true(l.last == 1);
        pliant_asset_destroy(asset);
    }
}

// At whichever call it is ended, the next one does not come, and nothing is left.
static void cancel_at_every_call_leaves_nothing(void** unused)
{
    (void)unused;
    for (int i = 0; i < ASSET_SAMPLES; i += by_scope(9, 3, 1)) {
        listener all = {.most = -1};
        pliant_asset* asset = NULL;
        size_t held = pliant_allocated_bytes();
        CHECK_OK(compile_with(&asset_samples[i], &all, &asset));
        pliant_asset_destroy(asset);
        for (int n = 1; n <= all.calls; n += by_scope(5, 2, 1)) {
            listener l = {.most = n};
            asset = (pliant_asset*)&l;
            if (compile_with(&asset_samples[i], &l, &asset) != PLIANT_ERROR_CANCELED)
                fail_msg("%s goes on after call %d", asset_samples[i].name, n);
            assert_null(asset);
            assert_int_equal(l.calls, n);
            assert_int_equal(pliant_allocated_bytes(), held);
        }
    }
    assert_string_equal(pliant_result_name(PLIANT_ERROR_CANCELED), "canceled");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loaded_asset_is_the_compiled_one),
        cmocka_unit_test(energies_and_colors_are_the_same),
        cmocka_unit_test(skins_hang_on_loaded_assets),
        cmocka_unit_test(saved_file_is_loaded),
        cmocka_unit_test(files_that_cannot_be_had_are_told),
        cmocka_unit_test(files_that_are_cut_off_are_refused),
        cmocka_unit_test(files_of_others_are_refused),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(every_allocation_of_files_may_fail),
        cmocka_unit_test(forged_files_do_no_harm),
        cmocka_unit_test(progress_ascends_to_one),
        cmocka_unit_test(cancel_at_every_call_leaves_nothing),
    };
    pliant_set_log(NULL, NULL); // of substeps that are few on purpose
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
