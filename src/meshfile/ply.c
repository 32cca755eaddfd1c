// PLY, text and binary of both byte orders: a header that describes elements and their properties,
// then the elements.
#include "meshfile/format.h"

// What a property is to us.
typedef enum {
    ROLE_X,
    ROLE_Y,
    ROLE_Z,
    ROLE_RED,
    ROLE_GREEN,
    ROLE_BLUE,
    ROLE_RADIUS,
    ROLE_CORNERS,
    ROLE_NONE
} role;

typedef struct {
    role role;
    scalar type, count_type; // count_type: of a list; otherwise SCALAR_NONE
} property;

typedef struct {
    span name;
    int64_t count;
    int first, after; // range of its properties
} element;

typedef struct {
    element* elements;
    property* properties;
    int element_count, element_capacity, property_count, property_capacity;
    encoding encoding;
} header;

bool detect_ply(const cursor* file) { return begins_with_word(file, "ply"); }

static encoding read_encoding(cursor* c)
{
    span word = next_word(c);
    if (span_is(word, "binary_little_endian")) return ENCODING_LITTLE;
    if (span_is(word, "binary_big_endian")) return ENCODING_BIG;
    if (!span_is(word, "ascii")) expected(c, "ascii or binary_little_endian or binary_big_endian");
    return ENCODING_TEXT;
}

static void add_element(cursor* c, header* h)
{
    if (!mem_reserve((void**)&h->elements, &h->element_capacity, (int64_t)h->element_count + 1,
                     sizeof *h->elements)) {
        c->result = PLIANT_ERROR_MEMORY;
        return;
    }
    element* e = &h->elements[h->element_count++];
    *e = (element){.name = next_word(c), .first = h->property_count, .after = h->property_count};
    e->count = read_integer(c, SCALAR_NONE);
    if (e->count < 0) expected(c, "a number of elements");
}

static scalar read_type(cursor* c)
{
    scalar type = scalar_named(next_word(c));
    if (type == SCALAR_NONE) expected(c, "a type (float, int, uchar ...)");
    return type;
}

static role find_role(span element_name, span name, bool list)
{
    bool vertex = span_is(element_name, "vertex"), face = span_is(element_name, "face");
    if (face && list && (span_is(name, "vertex_indices") || span_is(name, "vertex_index")))
        return ROLE_CORNERS;
    static const char* const names[] = {"x", "y", "z", "red", "green", "blue", "radius"};
    for (int i = ROLE_X; vertex && !list && i <= ROLE_RADIUS; ++i)
        if (span_is(name, names[i])) return (role)i;
    return ROLE_NONE;
}

static void add_property(cursor* c, header* h)
{
    if (h->element_count == 0) {
        expected(c, "an element before its properties");
        return;
    }
    property p = {.type = SCALAR_NONE};
    span word = next_word(c);
    bool list = span_is(word, "list");
    if (list)
        p.count_type = read_type(c);
    else
        c->at = word.at;
    p.type = read_type(c);
    element* e = &h->elements[h->element_count - 1];
    p.role = find_role(e->name, next_word(c), list);
    if (!cursor_ok(c)) return;
    if (mem_reserve((void**)&h->properties, &h->property_capacity, (int64_t)h->property_count + 1,
                    sizeof p)) {
        h->properties[h->property_count++] = p;
        e->after = h->property_count;
    } else {
        c->result = PLIANT_ERROR_MEMORY;
    }
}

static void read_header(cursor* c, header* h)
{
    require_word(c, "ply");
    require_word(c, "format");
    h->encoding = read_encoding(c);
    next_line(c);
    while (cursor_ok(c)) {
        span word = next_word(c);
        bool end = span_is(word, "end_header");
        if (span_is(word, "element"))
            add_element(c, h);
        else if (span_is(word, "property"))
            add_property(c, h);
        else if (!end && !span_is(word, "comment") && !span_is(word, "obj_info"))
            expected(c, "'element', 'property' or 'end_header'");
        next_line(c);
        if (end) return;
    }
}

static void read_list(cursor* c, draft* d, const property* p)
{
    int64_t found = read_integer(c, p->count_type);
    int count = check_count(c, found, least_bytes(c, p->type, 1), "items of a list");
    for (int i = 0; i < count && cursor_ok(c); ++i) {
        if (p->role == ROLE_CORNERS)
            draft_corner(c, d, read_integer(c, p->type), 0);
        else
            skip_scalar(c, p->type);
    }
    if (p->role == ROLE_CORNERS) draft_close(c, d, CELL_POLYGON, 0);
}

// Whole numbers are of 0 to 255, or of as many as 16 bits hold.
static double color_scale(scalar type)
{
    if (type == SCALAR_F32 || type == SCALAR_F64) return 1;
    return type == SCALAR_I16 || type == SCALAR_U16 ? 65535 : 255;
}

static void read_element(cursor* c, draft* d, const header* h, const element* e, bool vertex)
{
    double place[7] = {0, 0, 0, 0, 0, 0, 0}; // and color, and radius
    int colors = 0;                          // bits of those that are there
    for (int i = e->first; i < e->after && cursor_ok(c); ++i) {
        const property* p = &h->properties[i];
        if (p->count_type != SCALAR_NONE)
            read_list(c, d, p);
        else if (p->role == ROLE_NONE)
            skip_scalar(c, p->type);
        else
            place[p->role] = read_real(c, p->type);
        if (p->role == ROLE_RADIUS) draft_radius(c, d, place[ROLE_RADIUS]);
        if (p->role < ROLE_RED || p->role > ROLE_BLUE) continue;
        place[p->role] /= color_scale(p->type);
        colors |= 1 << (p->role - ROLE_RED);
    }
    if (vertex) draft_vertex(c, d, place);
    if (colors == 7) draft_color(c, d, place + 3);
}

static void check_coordinates(cursor* c, const header* h, const element* e)
{
    int seen = 0;
    for (int i = e->first; i < e->after; ++i)
        if (h->properties[i].role <= ROLE_Z) seen |= 1 << h->properties[i].role;
    if (seen != 7) refuse(c, PLIANT_ERROR_FORMAT, "expected vertices with properties x, y and z");
}

static void read_elements(cursor* c, draft* d, const header* h, const element* e)
{
    bool vertex = span_is(e->name, "vertex");
    if (vertex) check_coordinates(c, h, e);
    if (e->first == e->after) return; // nothing in the file
    check_count(c, e->count, least_bytes(c, SCALAR_U8, 1), "elements");
    if (vertex) {
        int count = check_count(c, e->count, least_bytes(c, SCALAR_U8, 3), "vertices");
        draft_reserve_vertices(c, d, count);
    }
    for (int64_t i = 0; i < e->count && cursor_ok(c); ++i) read_element(c, d, h, e, vertex);
}

void read_ply(cursor* c, draft* d)
{
    header h = {0};
    read_header(c, &h);
    c->encoding = h.encoding;
    c->mark = c->at;
    for (int i = 0; i < h.element_count && cursor_ok(c); ++i)
        read_elements(c, d, &h, &h.elements[i]);
    mem_free(h.elements);
    mem_free(h.properties);
}

void write_ply(const pliant_mesh_arrays* mesh, sink* out)
{
    sink_print(out,
               "ply\nformat binary_little_endian 1.0\nelement vertex %d\nproperty double x\n"
               "property double y\nproperty double z\n%s%s",
               mesh->vertex_count,
               mesh->vertex_color
                   ? "property double red\nproperty double green\nproperty double blue\n"
                   : "",
               mesh->vertex_radius ? "property double radius\n" : "");
    if (mesh->triangle_count)
        sink_print(out, "element face %d\nproperty list uchar int vertex_indices\n",
                   mesh->triangle_count);
    sink_text(out, "end_header\n");
    for (int64_t i = 0; i < mesh->vertex_count; ++i) {
        for (int k = 0; k < 3; ++k) sink_f64(out, mesh->vertices[3 * i + k]);
        for (int k = 0; k < 3 && mesh->vertex_color; ++k)
            sink_f64(out, mesh->vertex_color[3 * i + k]);
        if (mesh->vertex_radius) sink_f64(out, mesh->vertex_radius[i]);
    }
    for (int64_t i = 0; i < mesh->triangle_count; ++i) {
        sink_u8(out, 3);
        for (int k = 0; k < 3; ++k) sink_i32(out, mesh->triangles[3 * i + k]);
    }
}
