// Scenes from texts, and the sentences with which they are refused.
#pragma once
#include "check.h"
#include "scene/scene.h"

static inline scene* parse(const char* text)
{
    scene* s = NULL;
    CHECK_OK(scene_parse(text, strlen(text), "test.json", &s));
    return s;
}

// The sentence of a refusal, as a whole.
static inline void check_refused(const char* text, const char* sentence)
{
    scene* s = NULL;
    size_t held = pliant_allocated_bytes();
    pliant_result result = scene_parse(text, strlen(text), "test.json", &s);
    assert_int_equal(result, PLIANT_ERROR_FORMAT);
    assert_null(s);
    assert_string_equal(pliant_error_text(), sentence);
    assert_int_equal(pliant_allocated_bytes(), held);
}
