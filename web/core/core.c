// The live view without a server: what src/serve does by sockets, a page does by calls. Bytes come
// in and go out as they do there (src/live/message.h, look.h); one session at a time, as a page has
// one.
#include "base/memory.h"
#include "base/platform.h"
#include "live/session.h"
#include "system/folder.h"
#include <string.h>

#define WEB_API __attribute__((visibility("default"), used))

static session now_running;
static sink in, out;

// ---- bytes in and out ---------------------------------------------------------------------------

// Room for what the page writes before its next call. NULL: memory ran out.
WEB_API void* web_room(size_t bytes)
{
    sink_release(&in);
    return sink_room(&in, bytes + 1);
}

// What the last call wrote, and how much.
WEB_API const void* web_data(void) { return out.data; }
WEB_API size_t web_bytes(void) { return out.bytes; }

static void begin(void)
{
    out.bytes = 0;
    out.failed = false;
}

static int end(pliant_result result)
{
    if (!result && out.failed) result = PLIANT_ERROR_MEMORY;
    if (!result) return 0;
    sink_release(&out);
    sink_text(&out, result == PLIANT_ERROR_MEMORY ? "not enough memory" : pliant_error_text());
    return (int)result;
}

// ---- files: there are none ----------------------------------------------------------------------

bool file_exists(const char* path)
{
    (void)path;
    return false;
}

pliant_result folder_make(const char* path)
{
    return fail(PLIANT_ERROR_FILE, "%.200s: a page has no folders", path);
}

// ---- a session ----------------------------------------------------------------------------------

static pliant_result no_files(const char* path, pliant_mesh** mesh)
{
    *mesh = NULL;
    return fail(PLIANT_ERROR_FILE,
                "%.200s: a page has no files beside a scene: use a mesh that is generated", path);
}

static pliant_result no_bytes(const char* path, void** data, size_t* bytes, void* context)
{
    (void)context;
    *data = NULL;
    *bytes = 0;
    return fail(PLIANT_ERROR_FILE, "%.200s: a page has no files beside a scene", path);
}

static bool is_open(void) { return now_running.scene != NULL; }

static int no_scene(void)
{
    begin();
    return end(fail(PLIANT_ERROR_ARGUMENT, "there is no scene yet"));
}

// The scene is what the page wrote, its name the first bytes of that. Not 0: the data is a sentence
// that says why.
WEB_API int web_open(size_t name_bytes, int threads)
{
    char name[200] = {0};
    scene* from = NULL;
    const stage_options how = {.threads = threads,
                               .lanes = -1,
                               .substeps = -1,
                               .iterations = -1,
                               .backend = PLIANT_BACKEND_CPU,
                               .load = no_files,
                               .read = no_bytes};
    session_destroy(&now_running);
    if (name_bytes >= sizeof name || in.bytes < name_bytes + 1) return PLIANT_ERROR_ARGUMENT;
    memcpy(name, in.data, name_bytes);
    in.data[in.bytes - 1] = 0;
    pliant_result result =
        scene_parse(in.data + name_bytes, in.bytes - 1 - name_bytes, name, &from);
    if (!result) result = session_create(from, &how, &now_running);
    begin();
    return end(result);
}

// A message as src/live/message.h has it, of what the page wrote. Not 0: refused, and the data says
// why.
WEB_API int web_tell(size_t bytes)
{
    message m;
    begin();
    if (!is_open() || !in.bytes) return no_scene();
    pliant_result result = message_read(in.data, bytes + 1 < in.bytes ? bytes : in.bytes - 1, &m);
    if (!result && m.kind == MESSAGE_RECORD)
        result = fail(PLIANT_ERROR_UNSUPPORTED, "a page records nothing: pliant view does");
    return end(result ? result : session_obey(&now_running, &m));
}

// Whether a step was due and made; seconds until the next one is.
WEB_API int web_advance(void)
{
    return is_open() && session_advance(&now_running, platform_seconds());
}
WEB_API double web_rest(void)
{
    return is_open() ? session_rest(&now_running, platform_seconds()) : 1;
}

// 1: the topology is another one than before; below 0: the data says what went wrong.
WEB_API int web_follow(void)
{
    bool changed = false;
    begin();
    if (!is_open()) return no_scene() ? -1 : 0;
    return end(look_follow(&now_running.look, &changed)) ? -1 : changed;
}

// What it is about, what it looks like, where it is, how it is: into the data, 0 if that is right.
WEB_API int web_scene(void)
{
    if (!is_open()) return no_scene();
    begin();
    session_write_scene(&now_running, &out);
    return end(PLIANT_OK);
}

WEB_API int web_topology(void)
{
    if (!is_open()) return no_scene();
    begin();
    return end(look_write_topology(&now_running.look, &out));
}

WEB_API int web_frame(void)
{
    if (!is_open()) return no_scene();
    begin();
    return end(session_write_frame(&now_running, &out));
}

WEB_API int web_status(void)
{
    if (!is_open()) return no_scene();
    begin();
    session_write_status(&now_running, platform_seconds(), &out);
    return end(PLIANT_OK);
}
