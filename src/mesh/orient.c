#include "mesh/orient.h"
#include "mesh/shape.h"
#include "mesh/tuple.h"

static void swap_last(int* element, int arity)
{
    int last = element[arity - 1];
    element[arity - 1] = element[arity - 2];
    element[arity - 2] = last;
}

int orient_tets(pliant_mesh* mesh)
{
    int turned = 0;
    for (int t = 0; t < mesh->tet_count; ++t) {
        int* tet = mesh->tets + 4 * (ptrdiff_t)t;
        if (!(tet_volume(mesh->vertices, tet) < 0)) continue;
        swap_last(tet, 4);
        ++turned;
    }
    return turned;
}

// Side s of triangle t is number 3 t + s and runs from vertex s to the next one.
typedef struct {
    const pliant_mesh* mesh;
    int* partner;        // side of the other triangle at the edge, or -1 unless there are two
    int* queue;          // triangles, piece by piece
    unsigned char* turn; // per triangle
    unsigned char* seen;
    int* piece; // number per triangle, or NULL; then closed pieces are to face outward
    int pieces; // so far
} orientation;

static int side_vertex(const orientation* o, int side, int end)
{
    int triangle = side / 3, corner = (side % 3 + end) % 3;
    return o->mesh->triangles[3 * triangle + corner];
}

static bool pair_sides(orientation* o)
{
    tuple_list sides;
    int count = 3 * o->mesh->triangle_count;
    bool ok = tuples_allocate(&sides, 2, count);
    for (int side = 0; ok && side < count; ++side) {
        const int ends[2] = {side_vertex(o, side, 0), side_vertex(o, side, 1)};
        tuples_set(&sides, side, ends);
        o->partner[side] = -1;
    }
    ok = ok && tuples_sort(&sides, o->mesh->vertex_count);
    for (int first = 0, end; ok && first < count; first = end) {
        end = tuples_run_end(&sides, first);
        int a = sides.order[first], b = sides.order[end - 1];
        if (end - first == 2) o->partner[a] = b, o->partner[b] = a;
    }
    tuples_free(&sides);
    return ok;
}

// Queues what is connected to the first triangle of the queue and turns it to agree with it.
// Returns the size of the piece.
static int collect_piece(orientation* o, int* queue, bool* out_closed)
{
    int count = 1;
    *out_closed = true;
    o->seen[queue[0]] = 1;
    for (int next = 0; next < count; ++next)
        for (int s = 0; s < 3; ++s) {
            int side = 3 * queue[next] + s, partner = o->partner[side];
            if (partner < 0) {
                *out_closed = false;
                continue;
            }
            int other = partner / 3;
            if (o->seen[other]) continue;
            bool same_sense = side_vertex(o, side, 0) == side_vertex(o, partner, 0);
            o->seen[other] = 1;
            o->turn[other] = o->turn[queue[next]] ^ same_sense;
            queue[count++] = other;
        }
    return count;
}

// Six times the volume that a piece encloses after its turns, about one of its vertices.
static double enclosed(const orientation* o, const int* piece, int count)
{
    const double* vertices = o->mesh->vertices;
    point origin = vertex_at(vertices, o->mesh->triangles[3 * piece[0]]);
    double sum = 0;
    for (int i = 0; i < count; ++i) {
        const int* triangle = o->mesh->triangles + 3 * piece[i];
        point out = triangle_area_vector(vertices, triangle);
        double part = point_dot(point_between(origin, vertex_at(vertices, triangle[0])), out);
        sum += o->turn[piece[i]] ? -part : part;
    }
    return sum;
}

static bool should_reverse(const orientation* o, const int* piece, int count, bool closed)
{
    if (closed && !o->piece) return enclosed(o, piece, count) < 0;
    int turned = 0;
    for (int i = 0; i < count; ++i) turned += o->turn[piece[i]];
    return turned > count - turned;
}

static void decide_turns(orientation* o)
{
    int* piece = o->queue;
    for (int seed = 0; seed < o->mesh->triangle_count; ++seed) {
        if (o->seen[seed]) continue;
        bool closed;
        piece[0] = seed;
        int count = collect_piece(o, piece, &closed);
        if (should_reverse(o, piece, count, closed))
            for (int i = 0; i < count; ++i) o->turn[piece[i]] ^= 1;
        for (int i = 0; o->piece && i < count; ++i) o->piece[piece[i]] = o->pieces;
        o->pieces += 1;
        piece += count;
    }
}

static void turn_marked(pliant_mesh* mesh, const unsigned char* turn, int* out_turned)
{
    for (int t = 0; t < mesh->triangle_count; ++t) {
        if (!turn[t]) continue;
        swap_last(mesh->triangles + 3 * t, 3);
        ++*out_turned;
    }
}

static pliant_result orient(pliant_mesh* mesh, int* out_piece, int* out_pieces, int* out_turned)
{
    const size_t count = (size_t)mesh->triangle_count;
    orientation o = {
        .mesh = mesh,
        .partner = (int*)mem_array(3 * count, sizeof(int)),
        .queue = (int*)mem_array(count, sizeof(int)),
        .turn = (unsigned char*)mem_array_zero(count, 1),
        .seen = (unsigned char*)mem_array_zero(count, 1),
        .piece = out_piece,
    };
    const bool ok = o.partner && o.queue && o.turn && o.seen && pair_sides(&o);
    *out_turned = 0;
    if (ok) decide_turns(&o);
    if (ok) turn_marked(mesh, o.turn, out_turned);
    *out_pieces = o.pieces;
    mem_free(o.partner);
    mem_free(o.queue);
    mem_free(o.turn);
    mem_free(o.seen);
    return ok ? PLIANT_OK : PLIANT_ERROR_MEMORY;
}

pliant_result orient_triangles(pliant_mesh* mesh, int* out_turned)
{
    int pieces;
    return orient(mesh, NULL, &pieces, out_turned);
}

pliant_result orient_pieces(pliant_mesh* mesh, int* out_piece, int* out_pieces)
{
    int turned;
    return orient(mesh, out_piece, out_pieces, &turned);
}
