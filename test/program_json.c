// The small reader of JSON, which the page without a server has, takes and refuses what jansson
// does.
#include "check.h"
#include "scene/builtin.h"
#include <jansson.h>

// Of the reader above.
#include "json/describe.h"

static bool describe_jansson(const char* text, size_t bytes, size_t flags, sink* out)
{
    json_error_t error;
    json_t* json = json_loadb(text, bytes, flags & 1 ? JSON_REJECT_DUPLICATES : 0, &error);
    if (!json) return false;
    describe_value(json, out);
    json_decref(json);
    return true;
}

// Whether both took it.
static bool compare(const char* text, size_t bytes, size_t flags)
{
    sink a = {0}, b = {0};
    bool one = describe_jansson(text, bytes, flags, &a),
         other = describe_small(text, bytes, flags, &b);
    if (one != other)
        fail_msg("jansson %s, the small reader %s: %.*s", one ? "takes" : "refuses",
                 other ? "takes" : "refuses", (int)(bytes < 400 ? bytes : 400), text);
    if (a.bytes != b.bytes || (a.bytes && memcmp(a.data, b.data, a.bytes) != 0))
        fail_msg("read in two ways: %.*s", (int)(bytes < 400 ? bytes : 400), text);
    sink_release(&a);
    sink_release(&b);
    return one;
}

static void scenes_are_read_alike(void** state)
{
    (void)state;
    for (int i = 0; i < builtin_scene_count; ++i) {
        const builtin_scene* s = &builtin_scenes[i];
        char* text = (char*)malloc(s->bytes + 1);
        memcpy(text, s->text, s->bytes);
        text[s->bytes] = 0;
        if (!compare(text, s->bytes, 1)) fail_msg("%s is refused", s->name);
        free(text);
    }
}

static void corners_of_the_language_are_read_alike(void** state)
{
    (void)state;
    static const char* const texts[] = {
        "",
        " ",
        "1",
        "\"a\"",
        "[]",
        "{}",
        "[1,]",
        "[,1]",
        "{,}",
        "{\"a\":1,}",
        "[1 2]",
        "{\"a\" 1}",
        "[",
        "{",
        "]",
        "[1]x",
        "[1] ",
        "[-]",
        "[-0]",
        "[-0.0]",
        "[01]",
        "[1.]",
        "[.5]",
        "[1e5]",
        "[1E+5]",
        "[1e]",
        "[1e-400]",
        "[1e400]",
        "[9223372036854775807]",
        "[9223372036854775808]",
        "[-9223372036854775808]",
        "[-9223372036854775809]",
        "[0.1,1e22,1e23,2.2250738585072011e-308,5e-324,1.7976931348623157e308]",
        "[+1]",
        "[0x10]",
        "[1_0]",
        "[NaN]",
        "[Infinity]",
        "[true,false,null]",
        "[True]",
        "[nul]",
        "[truefalse]",
        "[\"\\u0041\\u00e9\\u20ac\\ud83d\\ude00\"]",
        "[\"\\ud83d\"]",
        "[\"\\ude00\"]",
        "[\"\\ud83d\\u0041\"]",
        "[\"\\u0000\"]",
        "[\"\\u12g4\"]",
        "[\"\\u12\"]",
        "[\"\\x41\"]",
        "[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"]",
        "[\"a\nb\"]",
        "[\"a\tb\"]",
        "[\"\x7f\"]",
        "[\"\xc3\xa9\"]",
        "[\"\xc3\"]",
        "[\"\xc0\x80\"]",
        "[\"\xe0\x80\x80\"]",
        "[\"\xed\xa0\x80\"]",
        "[\"\xf4\x90\x80\x80\"]",
        "[\"\xf0\x9f\x98\x80\"]",
        "[\"\xff\"]",
        "[\"\\",
        "[\"abc",
        "{\"a\":1,\"a\":2}",
        "{\"a\":{\"a\":1},\"b\":[{\"a\":1}]}",
        "{\"\":0}",
        "{1:2}",
        "{\"a\":}",
        "[[[[]]]]",
        "[\v1]",
        "\xef\xbb\xbf[]",
        "[1]//x",
        "[/**/1]",
        "['a']"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i)
        for (size_t flags = 0; flags < 2; ++flags) compare(texts[i], strlen(texts[i]), flags);
    char deep[2 * 2100 + 1];
    for (int depth = 2046; depth < 2051; ++depth) {
        memset(deep, '[', (size_t)depth);
        memset(deep + depth, ']', (size_t)depth);
        deep[2 * depth] = 0;
        compare(deep, 2 * (size_t)depth, 1);
    }
}

// Bytes of a scene are changed, cut out and put in twice.
static void damaged_scenes_are_read_alike(void** state)
{
    (void)state;
    static const char letters[] = "{}[]\",:\\u0e-+.19tfn \n\x01\x80\xc3\xff";
    uint64_t random = 1;
    int taken = 0, runs = by_scope(500, 4000, 100000);
    for (int run = 0; run < runs; ++run) {
        const builtin_scene* s = &builtin_scenes[run % builtin_scene_count];
        size_t bytes = s->bytes < 1500 ? s->bytes : 1500;
        char* text = (char*)malloc(2 * bytes + 1);
        memcpy(text, s->text, bytes);
        for (int k = 0; k <= run % 3; ++k) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            size_t at = (size_t)(random >> 33) % bytes, how = (size_t)(random >> 20) % 4;
            if (how == 0) bytes = at + 1;
            if (how == 1) memmove(text + at, text + at + 1, --bytes - at);
            if (how >= 2) text[at] = letters[(size_t)(random >> 24) % (sizeof letters - 1)];
        }
        text[bytes] = 0;
        taken += compare(text, bytes, 1);
        free(text);
    }
    if (taken == 0 || taken == runs) fail_msg("%d of %d were taken: nothing is tried", taken, runs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scenes_are_read_alike),
        cmocka_unit_test(corners_of_the_language_are_read_alike),
        cmocka_unit_test(damaged_scenes_are_read_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
