// A folder of files for one test, written and read in one call each.
#pragma once
#define _POSIX_C_SOURCE 200809L
#include "base/platform.h"
#include "folder.h"
#include "load.h"
#include "render/png.h"
#include "visual/visual.h"

#include "failing.h"

static inline const char* in_folder(const char* name)
{
    static char path[4][256];
    static int turn;
    turn = (turn + 1) % 4;
    snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
    return path[turn];
}

static inline void write_bytes(const char* name, const void* data, size_t bytes)
{
    CHECK_OK(platform_write_file(in_folder(name), data, bytes));
}

static inline void write_text(const char* name, const char* text)
{
    write_bytes(name, text, strlen(text));
}

// A small picture: red, green / blue, white.
static inline void write_picture(const char* name)
{
    uint8_t rgb[] = {255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255};
    const image picture = {2, 2, rgb};
    if (!png_is_available()) { // what only looks like one
        write_bytes(name, "\x89PNG\r\n\x1a\n no pixels", 18);
        return;
    }
    CHECK_OK(png_write(&picture, in_folder(name)));
}

static inline int open_folder(void** state)
{
    assert_int_equal(make_folder(state), 0);
    setenv("PLIANT_CACHE", "off", 1);
    return 0;
}

static inline int close_folder(void** state)
{
    assert_int_equal(remove_folder(state), 0);
    assert_int_equal(pliant_allocated_bytes(), 0);
    return 0;
}

static inline visual* load(const char* name)
{
    visual* look = NULL;
    CHECK_OK(visual_load(in_folder(name), load_bytes, NULL, &look));
    return look;
}

static const char* const cube =
    "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
    "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 3 4 8 7\nf 1 5 8 4\nf 2 3 7 6\n";

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_folder, close_folder)
// Not for sanitizers: long, and what it does others do too.
#define USUAL_TEST(name) usual_test_with(name, open_folder, close_folder)
