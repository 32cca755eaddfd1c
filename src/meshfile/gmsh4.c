// Sections of Gmsh version 4.1: blocks of nodes and elements, each of one entity (point, curve,
// surface, volume).
#include "meshfile/gmsh.h"

static void begin_numbers(cursor* c, const gmsh* g)
{
    if (g->encoding == ENCODING_TEXT || !cursor_ok(c)) return;
    next_line(c);
    c->encoding = g->encoding;
}

static int64_t read_size(cursor* c, const gmsh* g) { return read_integer(c, g->size); }

static void add_volume(cursor* c, gmsh* g, int64_t tag, int64_t physical)
{
    tags_add(c, &g->volumes, tag);
    if (!cursor_ok(c)) return;
    if (mem_reserve((void**)&g->physical, &g->physical_capacity, g->volumes.count,
                    sizeof *g->physical))
        g->physical[g->volumes.count - 1] = physical;
    else
        c->result = PLIANT_ERROR_MEMORY;
}

// Returns the first of a counted list of numbers, or 0.
static int64_t read_tags(cursor* c, const gmsh* g)
{
    int64_t found = read_size(c, g), first = 0;
    int count = check_count(c, found, least_bytes(c, SCALAR_I32, 1), "tags");
    for (int i = 0; i < count && cursor_ok(c); ++i) {
        int64_t tag = read_integer(c, SCALAR_I32);
        if (i == 0) first = tag;
    }
    return first;
}

// Points have a place, the others a box and the entities that bound them.
static void read_entity(cursor* c, gmsh* g, int dimension)
{
    int64_t tag = read_integer(c, SCALAR_I32);
    for (int i = 0; i < (dimension == 0 ? 3 : 6); ++i) skip_scalar(c, SCALAR_F64);
    int64_t physical = read_tags(c, g);
    if (dimension > 0) read_tags(c, g);
    if (dimension == 3) add_volume(c, g, tag, physical);
}

void read_entities4(cursor* c, gmsh* g)
{
    int count[4];
    begin_numbers(c, g);
    for (int k = 0; k < 4; ++k)
        count[k] = check_count(c, read_size(c, g), least_bytes(c, SCALAR_I32, 1), "entities");
    for (int k = 0; k < 4; ++k)
        for (int i = 0; i < count[k] && cursor_ok(c); ++i) read_entity(c, g, k);
}

// Numbers of blocks and of all items, lowest and highest tag.
static int64_t read_totals(cursor* c, const gmsh* g, int64_t* out_items)
{
    int64_t blocks = read_size(c, g);
    *out_items = read_size(c, g);
    read_size(c, g);
    read_size(c, g);
    return blocks;
}

typedef struct {
    int64_t dimension, entity, kind; // kind: parametric, or the type of the elements
    int count;
} block;

static block read_block(cursor* c, const gmsh* g, const char* what)
{
    block b;
    b.dimension = read_integer(c, SCALAR_I32);
    if (b.dimension < 0 || b.dimension > 3)
        refuse(c, PLIANT_ERROR_FORMAT, "expected an entity of dimension 0 to 3, found %lld",
               (long long)b.dimension);
    b.entity = read_integer(c, SCALAR_I32);
    b.kind = read_integer(c, SCALAR_I32);
    int64_t found = read_size(c, g);
    b.count = check_count(c, found, least_bytes(c, g->size, 2), what);
    return b;
}

static void check_total(cursor* c, int64_t total, int64_t read, const char* what)
{
    if (total != read)
        refuse(c, PLIANT_ERROR_FORMAT, "expected %lld %s in all blocks, found %lld",
               (long long)total, what, (long long)read);
}

void read_nodes4(cursor* c, draft* d, gmsh* g)
{
    int64_t total;
    begin_numbers(c, g);
    int64_t blocks = read_totals(c, g, &total);
    int64_t each = least_bytes(c, g->size, 1) + least_bytes(c, SCALAR_F64, 3);
    draft_reserve_vertices(c, d, check_count(c, total, each, "nodes"));
    for (int64_t i = 0; i < blocks && cursor_ok(c); ++i) {
        block b = read_block(c, g, "nodes");
        int64_t parameters = b.kind ? b.dimension : 0;
        for (int k = 0; k < b.count && cursor_ok(c); ++k) tags_add(c, &g->nodes, read_size(c, g));
        for (int k = 0; k < b.count && cursor_ok(c); ++k) {
            draft_read_vertex(c, d, SCALAR_F64);
            for (int64_t p = 0; p < parameters; ++p) skip_scalar(c, SCALAR_F64);
        }
    }
    check_total(c, total, d->vertex_count, "nodes");
}

// The volume's physical group, or else its own number.
static int64_t region_of(const gmsh* g, const block* b)
{
    int volume = b->dimension == 3 ? tags_find(&g->volumes, b->entity) : -1;
    return volume >= 0 && g->physical[volume] ? g->physical[volume] : b->entity;
}

void read_elements4(cursor* c, draft* d, gmsh* g)
{
    int64_t total, read = 0;
    begin_numbers(c, g);
    int64_t blocks = read_totals(c, g, &total);
    for (int64_t i = 0; i < blocks && cursor_ok(c); ++i) {
        block b = read_block(c, g, "elements");
        gmsh_element type = gmsh_element_type(c, b.kind);
        int64_t region = region_of(g, &b);
        if (type.kind == CELL_TET) draft_reserve_elements(c, d, TET, b.count);
        for (int k = 0; k < b.count && cursor_ok(c); ++k) {
            read_size(c, g);
            for (int n = 0; n < type.corners; ++n) gmsh_corner(c, d, g, read_size(c, g));
            draft_close(c, d, type.kind, region);
        }
        read += b.count;
    }
    check_total(c, total, read, "elements");
}
