// MTL: "newmtl", "Kd", "d", "Tr" and "map_Kd". Everything else does not matter here.
#include "meshfile/cursor.h"
#include "visual/draft.h"

typedef struct {
    cursor c;
    visual_draft* draft;
    int material; // -1 before the first
} mtl_reader;

static span read_name(mtl_reader* r)
{
    span none = {r->c.at, 0};
    return more_on_line(&r->c) ? rest_of_line(&r->c) : none;
}

static bool begins_number(const cursor* c)
{
    char first = c->at < c->end ? *c->at : 0;
    return (first >= '0' && first <= '9') || first == '-' || first == '+' || first == '.';
}

// "-s 1 1 1", "-clamp on" and so on stand in front of the file's name. A name may have blanks.
static span read_texture_name(mtl_reader* r)
{
    static const char* const numbers[] = {"-s", "-o", "-t", "-mm", "-bm", "-boost", "-texres"};
    while (more_on_line(&r->c) && *r->c.at == '-') {
        span option = next_word(&r->c);
        bool takes_numbers = false;
        for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; ++i)
            takes_numbers = takes_numbers || span_is(option, numbers[i]);
        if (!takes_numbers) {
            if (more_on_line(&r->c)) next_word(&r->c);
            continue;
        }
        for (int i = 0; i < 3 && more_on_line(&r->c) && begins_number(&r->c); ++i) next_word(&r->c);
    }
    return read_name(r);
}

static void read_color(mtl_reader* r, visual_material* m)
{
    for (int k = 0; k < 3; ++k) {
        // One number is gray; other systems of colors are passed over.
        if (k > 0 && !more_on_line(&r->c))
            m->color[k] = m->color[0];
        else if (more_on_line(&r->c) && begins_number(&r->c))
            m->color[k] = (float)read_real(&r->c, SCALAR_NONE);
    }
}

static void read_texture(mtl_reader* r)
{
    span name = read_texture_name(r);
    if (name.length == 0 || !cursor_ok(&r->c)) return;
    int image = draft_load_image(r->draft, name.at, (size_t)name.length, &r->c.result);
    r->draft->look.material[r->material].image = image;
}

static void read_line(mtl_reader* r)
{
    span word = next_word(&r->c);
    const char* line = r->c.at;
    visual_material* m = r->material < 0 ? NULL : &r->draft->look.material[r->material];
    bool names = span_is(word, "newmtl") || span_is(word, "map_Kd");
    if (span_is(word, "newmtl")) {
        span name = read_name(r);
        r->material = draft_add_material(r->draft, name.at, (size_t)name.length);
        if (r->material < 0) r->c.result = PLIANT_ERROR_MEMORY;
    } else if (m && span_is(word, "Kd")) {
        read_color(r, m);
    } else if (m && span_is(word, "d") && more_on_line(&r->c) && begins_number(&r->c)) {
        m->color[3] = (float)read_real(&r->c, SCALAR_NONE);
    } else if (m && span_is(word, "Tr")) {
        m->color[3] = 1 - (float)read_real(&r->c, SCALAR_NONE);
    } else if (m && span_is(word, "map_Kd")) {
        read_texture(r);
    }
    if (cursor_ok(&r->c) && (!names || r->c.at == line)) next_line(&r->c);
}

// Colors are shares; a black one would hide the texture, and many programs write it beside one.
static void settle_colors(visual* look, int first)
{
    for (int i = first; i < look->material_count; ++i) {
        visual_material* m = &look->material[i];
        for (int k = 0; k < 4; ++k)
            m->color[k] = m->color[k] < 0 ? 0 : m->color[k] > 1 ? 1 : m->color[k];
        if (m->image < 0 || m->color[0] + m->color[1] + m->color[2] > 0) continue;
        for (int k = 0; k < 3; ++k) m->color[k] = 1;
    }
}

pliant_result visual_read_mtl(visual_draft* d, const void* data, size_t bytes, const char* name)
{
    int first = d->look.material_count;
    mtl_reader r = {.c = cursor_over(data, bytes, name), .draft = d, .material = -1};
    r.c.comment = '#';
    r.c.lines = true;
    for (skip_blank(&r.c); r.c.at < r.c.end && cursor_ok(&r.c); skip_blank(&r.c)) read_line(&r);
    settle_colors(&d->look, first);
    return r.c.result;
}
