#include "visual/draft.h"
#include <limits.h>
#include <stdio.h>
#include <string.h>

visual_draft visual_draft_begin(const char* path, pliant_read_fn* read, void* context)
{
    visual_draft d = {.positions = {.width = 3},
                      .uvs = {.width = 2},
                      .normals = {.width = 3},
                      .colors = {.width = 3},
                      .read = read,
                      .context = context,
                      .path = path};
    return d;
}

static void release_look(visual* v)
{
    for (int i = 0; i < v->material_count; ++i) mem_free(v->material[i].name);
    for (int i = 0; i < v->image_count; ++i) {
        mem_free(v->image[i].name);
        mem_free(v->image[i].data);
    }
    void* const owned[] = {v->point,     v->point_color, v->vertex_point,      v->vertex_normal,
                           v->vertex_uv, v->triangle,    v->triangle_material, v->material,
                           v->image};
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; ++i) mem_free(owned[i]);
    memset(v, 0, sizeof *v);
}

void visual_destroy(visual* v)
{
    if (!v) return;
    release_look(v);
    mem_free(v);
}

void visual_draft_release(visual_draft* d)
{
    mem_free(d->positions.value);
    mem_free(d->uvs.value);
    mem_free(d->normals.value);
    mem_free(d->colors.value);
    mem_free(d->corner);
    mem_free(d->material);
    release_look(&d->look);
    memset(d, 0, sizeof *d);
}

bool list_add(value_list* list, const double* value)
{
    size_t width = (size_t)list->width, bytes = width * sizeof(double);
    if (!mem_reserve((void**)&list->value, &list->capacity, (int64_t)list->count + 1, bytes))
        return false;
    for (size_t k = 0; k < width; ++k)
        list->value[width * (size_t)list->count + k] = value[k] + 0.0; // no -0
    list->count++;
    return true;
}

bool draft_add_color(visual_draft* d, const double color[3])
{
    static const double white[3] = {1, 1, 1};
    while (d->colors.count < d->positions.count - 1)
        if (!list_add(&d->colors, white)) return false;
    return list_add(&d->colors, color);
}

bool draft_add_triangle(visual_draft* d, const visual_corner corner[3], int material)
{
    int64_t count = d->corner_count;
    if (count > INT_MAX / 4) {
        fail(PLIANT_ERROR_UNSUPPORTED, "%.400s: the surface has too many triangles", d->path);
        return false;
    }
    if (!mem_reserve((void**)&d->corner, &d->corner_capacity, count + 3, sizeof *d->corner) ||
        !mem_reserve((void**)&d->material, &d->material_capacity, count / 3 + 1, sizeof(int)))
        return false;
    memcpy(d->corner + count, corner, 3 * sizeof *corner);
    d->material[count / 3] = material;
    d->corner_count += 3;
    return true;
}

static char* copy_name(const char* name, size_t length)
{
    char* copy = (char*)mem_alloc(length + 1);
    if (!copy) return NULL;
    if (length) memcpy(copy, name, length);
    copy[length] = 0;
    return copy;
}

int draft_add_material(visual_draft* d, const char* name, size_t length)
{
    visual* v = &d->look;
    if (!mem_reserve((void**)&v->material, &v->material_capacity, (int64_t)v->material_count + 1,
                     sizeof *v->material))
        return -1;
    char* own = copy_name(name, length);
    if (!own) return -1;
    v->material[v->material_count] =
        (visual_material){.name = own, .color = {1, 1, 1, 1}, .image = -1};
    return v->material_count++;
}

int draft_add_image(visual_draft* d, const char* name, void* data, size_t bytes)
{
    visual* v = &d->look;
    const char* slash = strrchr(name, '/');
    if (slash) name = slash + 1;
    char* own = copy_name(name, strlen(name));
    if (!own || !mem_reserve((void**)&v->image, &v->image_capacity, (int64_t)v->image_count + 1,
                             sizeof *v->image)) {
        mem_free(own);
        mem_free(data);
        return -1;
    }
    v->image[v->image_count] = (visual_image){own, data, bytes};
    return v->image_count++;
}

// ---- files beside -------------------------------------------------------------------------------

// Files made elsewhere have backslashes, and folders that are not here.
static bool path_beside(const visual_draft* d, const char* name, size_t length, char out[4096])
{
    const char* slash = strrchr(d->path, '/');
    int folder = slash && name[0] != '/' ? (int)(slash + 1 - d->path) : 0;
    int written = snprintf(out, 4096, "%.*s%.*s", folder, d->path, (int)length, name);
    if (written < 0 || written >= 4096) return false;
    for (char* c = out + folder; *c; ++c)
        if (*c == '\\') *c = '/';
    return true;
}

pliant_result draft_read_beside(const visual_draft* d, const char* name, size_t length,
                                void** out_data, size_t* out_bytes)
{
    char path[4096];
    if (length == 0 || length > 4000 || !path_beside(d, name, length, path))
        return fail(PLIANT_ERROR_FILE, "%.300s: the name of a file beside it cannot be used",
                    d->path);
    pliant_result result = d->read(path, out_data, out_bytes, d->context);
    if (result != PLIANT_ERROR_FILE) return result;
    const char* last = path + strlen(path);
    while (last > path && last[-1] != '/') --last;
    char bare[4096];
    if (!path_beside(d, last, strlen(last), bare) || strcmp(bare, path) == 0) return result;
    return d->read(bare, out_data, out_bytes, d->context);
}

const char* image_type(const void* data, size_t bytes)
{
    const unsigned char* b = (const unsigned char*)data;
    if (bytes > 8 && memcmp(b, "\x89PNG\r\n\x1a\n", 8) == 0) return "image/png";
    if (bytes > 3 && b[0] == 0xff && b[1] == 0xd8 && b[2] == 0xff) return "image/jpeg";
    return NULL;
}

int draft_load_image(visual_draft* d, const char* name, size_t length, pliant_result* result)
{
    void* data = NULL;
    size_t bytes = 0;
    char text[256];
    snprintf(text, sizeof text, "%.*s", (int)(length < 250 ? length : 250), name);
    for (char* c = text; *c; ++c)
        if (*c == '\\') *c = '/';
    const char* slash = strrchr(text, '/');
    for (int i = 0; i < d->look.image_count; ++i)
        if (strcmp(d->look.image[i].name, slash ? slash + 1 : text) == 0) return i;
    pliant_result got = draft_read_beside(d, name, length, &data, &bytes);
    if (got == PLIANT_ERROR_MEMORY) *result = got;
    if (got) {
        if (got != PLIANT_ERROR_MEMORY)
            warn("%.300s: the texture '%.200s' cannot be read and is left out", d->path, text);
        return -1;
    }
    if (!image_type(data, bytes)) {
        warn("%.300s: the texture '%.200s' is neither PNG nor JPEG and is left out", d->path, text);
        mem_free(data);
        return -1;
    }
    int image = draft_add_image(d, text, data, bytes);
    if (image < 0) *result = PLIANT_ERROR_MEMORY;
    return image;
}
