// OBJ with texture coordinates, normals and materials: "v", "vt", "vn", "f", "usemtl", "mtllib".
#include "meshfile/cursor.h"
#include "meshfile/number.h"
#include "visual/draft.h"

typedef struct {
    cursor c;
    visual_draft* draft;
    int material; // of the faces to come
    visual_corner* face;
    int face_count, face_capacity;
} obj_reader;

static void read_values(obj_reader* r, value_list* list)
{
    double value[3] = {0, 0, 0};
    for (int k = 0; k < list->width; ++k)
        // A texture coordinate may be a single number.
        if (k == 0 || list->width == 3 || more_on_line(&r->c))
            value[k] = read_real(&r->c, SCALAR_NONE);
    if (list == &r->draft->uvs) value[1] = 1 - value[1]; // from above, as in glTF
    if (cursor_ok(&r->c) && !list_add(list, value)) r->c.result = PLIANT_ERROR_MEMORY;
}

// One of the numbers of "7/1/2"; -1 where there is none. Negative ones count back from the last.
static int read_index(obj_reader* r, const char** at, const char* end, const value_list* list,
                      const char* what)
{
    int64_t index = 0;
    const char* after = scan_integer(*at, end, &index);
    if (after == *at) return -1;
    *at = after;
    int64_t number = index < 0 ? list->count + index : index - 1;
    if (index != 0 && number >= 0 && number < list->count) return (int)number;
    refuse(&r->c, PLIANT_ERROR_FORMAT, "%s %lld does not exist: there are %d so far", what,
           (long long)index, list->count);
    return -1;
}

static void read_corner(obj_reader* r)
{
    span word = next_word(&r->c);
    const char *at = word.at, *end = word.at + word.length;
    visual_corner corner = {-1, -1, -1};
    corner.position = read_index(r, &at, end, &r->draft->positions, "vertex");
    if (at < end && *at == '/') {
        ++at;
        corner.uv = read_index(r, &at, end, &r->draft->uvs, "texture coordinate");
        if (at < end && *at == '/') {
            ++at;
            corner.normal = read_index(r, &at, end, &r->draft->normals, "normal");
        }
    }
    if (cursor_ok(&r->c) && (corner.position < 0 || at != end))
        expected(&r->c, "a corner, like 7, 7/1, 7//2 or 7/1/2");
    if (!cursor_ok(&r->c)) return;
    if (mem_reserve((void**)&r->face, &r->face_capacity, (int64_t)r->face_count + 1,
                    sizeof *r->face))
        r->face[r->face_count++] = corner;
    else
        r->c.result = PLIANT_ERROR_MEMORY;
}

static void read_face(obj_reader* r)
{
    r->face_count = 0;
    while (more_on_line(&r->c)) {
        if (*r->c.at == '\\')
            next_line(&r->c); // goes on there
        else
            read_corner(r);
    }
    if (cursor_ok(&r->c) && r->face_count < 3)
        refuse(&r->c, PLIANT_ERROR_FORMAT, "a face needs 3 corners or more, found %d",
               r->face_count);
    for (int i = 2; i < r->face_count && cursor_ok(&r->c); ++i) {
        const visual_corner corner[3] = {r->face[0], r->face[i - 1], r->face[i]};
        if (!draft_add_triangle(r->draft, corner, r->material)) r->c.result = PLIANT_ERROR_MEMORY;
    }
}

// The rest of the line without blanks in front.
static span read_name(obj_reader* r)
{
    span none = {r->c.at, 0};
    return more_on_line(&r->c) ? rest_of_line(&r->c) : none;
}

static bool same_name(span name, const char* text)
{
    int64_t i = 0;
    while (i < name.length && text[i] && name.at[i] == text[i]) ++i;
    return i == name.length && text[i] == 0;
}

static void read_library(obj_reader* r)
{
    void* data = NULL;
    size_t bytes = 0;
    span name = read_name(r);
    char text[200];
    if (name.length == 0) return;
    pliant_result result = draft_read_beside(r->draft, name.at, (size_t)name.length, &data, &bytes);
    int length = (int)(name.length < 190 ? name.length : 190), i = 0;
    for (; i < length; ++i) text[i] = name.at[i];
    text[i] = 0;
    if (result == PLIANT_ERROR_FILE) {
        warn("%.300s: the materials '%s' cannot be read and are left out", r->draft->path, text);
        return;
    }
    if (!result) result = visual_read_mtl(r->draft, data, bytes, text);
    mem_free(data);
    r->c.result = result;
}

static void use_material(obj_reader* r)
{
    span name = read_name(r);
    const visual* look = &r->draft->look;
    for (int i = look->material_count - 1; i >= 0; --i)
        if (same_name(name, look->material[i].name)) {
            r->material = i;
            return;
        }
    r->material = draft_add_material(r->draft, name.at, (size_t)name.length);
    if (r->material < 0) r->c.result = PLIANT_ERROR_MEMORY;
}

static void read_line(obj_reader* r)
{
    span word = next_word(&r->c);
    const char* line = r->c.at;
    if (span_is(word, "v")) read_values(r, &r->draft->positions);
    if (span_is(word, "vt")) read_values(r, &r->draft->uvs);
    if (span_is(word, "vn")) read_values(r, &r->draft->normals);
    if (span_is(word, "f")) read_face(r);
    bool names = span_is(word, "usemtl") || span_is(word, "mtllib");
    if (span_is(word, "usemtl")) use_material(r);
    if (span_is(word, "mtllib")) read_library(r);
    // Names take their whole line.
    if (cursor_ok(&r->c) && (!names || r->c.at == line)) next_line(&r->c);
}

pliant_result visual_read_obj(visual_draft* d, const void* data, size_t bytes)
{
    obj_reader r = {.c = cursor_over(data, bytes, d->path), .draft = d, .material = -1};
    r.c.comment = '#';
    r.c.lines = true;
    for (skip_blank(&r.c); r.c.at < r.c.end && cursor_ok(&r.c); skip_blank(&r.c)) read_line(&r);
    mem_free(r.face);
    return r.c.result;
}
