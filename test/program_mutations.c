// Damaged scene files: whatever the bytes, the parser takes or refuses them and keeps nothing.
// PLIANT_MUTATIONS is the number of damaged inputs.
#include "base/random.h"
#include "check.h"
#include "scene/builtin.h"
#include "scene/scene.h"

enum { MOST = 1 << 16 };

static const char* const pieces[] = {"{",
                                     "}",
                                     "[",
                                     "]",
                                     "\"",
                                     ",",
                                     ":",
                                     "null",
                                     "-1",
                                     "0",
                                     "1e308",
                                     "1e-320",
                                     "true",
                                     "\\u0000",
                                     "-0",
                                     "[]",
                                     "{\"box\": {}}",
                                     "999999999999999999999",
                                     "\xff",
                                     "\"auto\""};
enum { PIECES = sizeof pieces / sizeof pieces[0] };

static size_t replace(char* text, size_t bytes, size_t at, size_t cut, const char* piece)
{
    size_t length = strlen(piece);
    if (cut > bytes - at) cut = bytes - at;
    if (bytes - cut + length > MOST) return bytes;
    memmove(text + at + length, text + at + cut, bytes - at - cut);
    memcpy(text + at, piece, length);
    return bytes - cut + length;
}

static size_t mutate(random_source* r, char* text, size_t bytes)
{
    size_t at = (size_t)random_index(r, (int)bytes);
    switch (random_index(r, 5)) {
    case 0:
        text[at] = (char)(text[at] ^ (1 << random_index(r, 8)));
        return bytes;
    case 1:
        text[at] = (char)random_index(r, 256);
        return bytes;
    case 2:
        return replace(text, bytes, at, (size_t)random_index(r, 20), "");
    case 3:
        return at + 1; // cut off
    default:
        return replace(text, bytes, at, (size_t)random_index(r, 8),
                       pieces[random_index(r, PIECES)]);
    }
}

static void damaged_scenes_are_taken_or_refused_whole(void** state)
{
    (void)state;
    const char* wanted = getenv("PLIANT_MUTATIONS");
    long count = wanted ? strtol(wanted, NULL, 10) : 10000, taken = 0;
    static char text[MOST + 64];
    size_t held = pliant_allocated_bytes();
    random_source r = {20};
    for (long i = 0; i < count; ++i) {
        const builtin_scene* b = &builtin_scenes[i % builtin_scene_count];
        size_t bytes = b->bytes;
        memcpy(text, b->text, bytes);
        for (int n = 1 + random_index(&r, 3); n > 0 && bytes > 0; --n)
            bytes = mutate(&r, text, bytes);
        scene* s = NULL;
        pliant_result result = scene_parse(text, bytes, "damaged.json", &s);
        assert_true((result == PLIANT_OK) == (s != NULL));
        taken += result == PLIANT_OK;
        if (result) assert_non_null(strstr(pliant_error_text(), "damaged.json:"));
        scene_destroy(s);
        assert_int_equal(pliant_allocated_bytes(), held);
    }
    print_message("%ld damaged scenes, %ld of them still valid\n", count, taken);
    assert_true(count < 1000 || taken > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damaged_scenes_are_taken_or_refused_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
