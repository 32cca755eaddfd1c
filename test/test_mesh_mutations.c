// Random damage to good files: a reader gives a valid mesh or an error with a sentence, leaks
// nothing, and never holds more memory than a fixed multiple of the file. PLIANT_MUTATIONS sets the
// number for each format (10 000 unless told).
#include "base/random.h"
#include "meshfile/format.h"

#include "samples.h"

static sample samples[SAMPLE_CAPACITY];
static int sample_count;

static int mutation_count(void)
{
    const char* text = getenv("PLIANT_MUTATIONS");
    int count = text ? atoi(text) : 0;
    return count > 0 ? count : 10000;
}

// ---- damage

typedef struct {
    char* data;
    size_t *bytes, capacity;
    random_source* random;
} victim;

static size_t any_place(victim* v) { return (size_t)random_index(v->random, (int)*v->bytes); }

static void replace(victim* v, size_t at, size_t removed, const char* added, size_t length)
{
    if (*v->bytes - removed + length > v->capacity) return;
    memmove(v->data + at + length, v->data + at + removed, *v->bytes - at - removed);
    memcpy(v->data + at, added, length);
    *v->bytes = *v->bytes - removed + length;
}

static void change_bit(victim* v)
{
    v->data[any_place(v)] ^= (char)(1 << random_index(v->random, 8));
}

static void change_byte(victim* v)
{
    static const char bytes[] = "\0\xff\x7f\x80 \n\"<>/#$-.e0123456789";
    v->data[any_place(v)] = bytes[random_index(v->random, (int)sizeof bytes - 1)];
}

static void cut_end(victim* v) { *v->bytes = any_place(v); }

static size_t short_length(victim* v, size_t at)
{
    size_t length = (size_t)random_index(v->random, 40);
    return length < *v->bytes - at ? length : *v->bytes - at;
}

static void remove_piece(victim* v)
{
    size_t at = any_place(v);
    replace(v, at, short_length(v, at), "", 0);
}

static void repeat_piece(victim* v)
{
    char piece[40];
    size_t from = any_place(v), length = short_length(v, from);
    memcpy(piece, v->data + from, length);
    replace(v, any_place(v), 0, piece, length);
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static void change_number(victim* v)
{
    static const char* numbers[] = {"0",
                                    "-1",
                                    "1",
                                    "2",
                                    "4",
                                    "5",
                                    "99999",
                                    "2147483647",
                                    "2147483648",
                                    "4294967296",
                                    "9223372036854775807",
                                    "18446744073709551616",
                                    "nan",
                                    "inf",
                                    "1e999",
                                    "1e-999",
                                    "1.5"};
    size_t at = any_place(v), end;
    while (at < *v->bytes && !is_digit(v->data[at])) ++at;
    for (end = at; end < *v->bytes && is_digit(v->data[end]);) ++end;
    const char* number = numbers[random_index(v->random, 17)];
    replace(v, at, end - at, number, strlen(number));
}

// A binary count or index.
static void change_word(victim* v)
{
    static const uint32_t words[] = {0, 1, 4, 5, 0x7fffffff, 0xffffffff, 0x80000000, 0x01000000};
    uint32_t word = words[random_index(v->random, 8)];
    size_t at = any_place(v) & ~(size_t)3;
    if (at + 4 <= *v->bytes) memcpy(v->data + at, &word, 4);
}

static void damage(victim* v)
{
    static void (*const ways[])(victim*) = {change_bit,   change_byte,   cut_end,    remove_piece,
                                            repeat_piece, change_number, change_word};
    int times = 1 + random_index(v->random, 4);
    for (int i = 0; i<times&& * v->bytes> 0; ++i) {
        // Cutting is rare: it hides everything behind it.
        int way = random_index(v->random, 7);
        if (way == 2 && random_index(v->random, 4) > 0) way = 5;
        ways[way](v);
    }
}

// ---- memory with a record of the most that was held

static size_t most_held;

static void* recording_allocate(size_t bytes, size_t alignment, void* context)
{
    (void)context;
    size_t held = pliant_allocated_bytes() + bytes;
    if (held > most_held) most_held = held;
    return aligned_alloc(alignment, bytes);
}

static void recording_release(void* memory, void* context)
{
    (void)context;
    free(memory);
}

// ---- the test

static void check_mesh(const pliant_mesh* mesh)
{
    pliant_mesh* copy = NULL;
    pliant_mesh_arrays view = pliant_mesh_view(mesh);
    assert_true(view.vertex_count > 0);
    CHECK_OK(pliant_mesh_create(&view, &copy)); // refuses bad indices, coordinates and radii
    pliant_mesh_destroy(copy);
}

static void read_damaged(const sample* s)
{
    pliant_mesh* mesh = NULL;
    most_held = 0;
    pliant_result result = read_sample(s, &mesh);
    size_t limit = 40 * (s->bytes + s->sibling_bytes) + 16384;
    if (most_held > limit) fail_msg("%s held %zu bytes, not %zu", s->format, most_held, limit);
    if (result == PLIANT_OK)
        check_mesh(mesh);
    else
        assert_null(mesh);
    if (result != PLIANT_OK && !strstr(pliant_error_text(), "sample."))
        fail_msg("'%s' does not name the file", pliant_error_text());
    assert_int_not_equal(result, PLIANT_ERROR_MEMORY);
    pliant_mesh_destroy(mesh);
    assert_int_equal(pliant_allocated_bytes(), 0);
}

static int samples_of(const char* format, int out[SAMPLE_CAPACITY])
{
    int count = 0;
    for (int i = 0; i < sample_count; ++i)
        if (strcmp(samples[i].format, format) == 0) out[count++] = i;
    return count;
}

static void mutate_format(const char* format, int mutations)
{
    int which[SAMPLE_CAPACITY], count = samples_of(format, which);
    assert_true(count > 0);
    random_source random = {.state = 2026};
    for (int i = 0; i < mutations; ++i) {
        sample s = samples[which[i % count]];
        bool sibling = s.sibling_bytes > 0 && random_index(&random, 2) == 0;
        victim whole = {s.data, &s.bytes, sizeof s.data, &random};
        victim other = {s.sibling, &s.sibling_bytes, sizeof s.sibling, &random};
        damage(sibling ? &other : &whole);
        read_damaged(&s);
    }
}

static void damaged_files_are_read_or_refused(void** state)
{
    (void)state;
    int mutations = mutation_count();
    pliant_allocator hooks = {recording_allocate, recording_release, NULL};
    pliant_set_allocator(&hooks);
    for (int i = 0; i < MESH_FORMAT_COUNT; ++i) {
        if (!mesh_formats[i].read) continue;
        print_message("%s: %d mutations\n", mesh_formats[i].name, mutations);
        mutate_format(mesh_formats[i].name, mutations);
    }
    pliant_set_allocator(NULL);
}

// Particles with radii in every format that is written.
static void add_particles(void)
{
    static const double at[9] = {0, 0, 0, 1, 0.5, 0.25, 2, 1, 3}, radius[3] = {0.5, 0.25, 1};
    const pliant_mesh_arrays mesh = {.vertices = at, .vertex_count = 3, .vertex_radius = radius};
    for (int i = 0; i < MESH_FORMAT_COUNT; ++i) {
        const mesh_format* f = &mesh_formats[i];
        static char name[MESH_FORMAT_COUNT][16];
        sink file = {0};
        if (!f->points || !f->write) continue;
        snprintf(name[i], sizeof name[i], "sample.%s", f->extensions[0]);
        sample* s = add_sample(samples, &sample_count, f->name, "particles", name[i]);
        f->write(&mesh, &file);
        memcpy(s->data, file.data, file.bytes);
        s->bytes = file.bytes;
        sink_release(&file);
    }
}

int main(void)
{
    pliant_set_log(NULL, NULL);
    sample_count = make_samples(samples);
    add_particles();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damaged_files_are_read_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
