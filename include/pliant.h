// Pliant: position-based dynamics of soft bodies.
//
// The whole public interface. A program makes a mesh, compiles it with a material into an asset,
// puts bodies (instances of assets) and colliders into a world, and steps the world:
//
//     pliant_mesh* mesh = NULL;
//     pliant_world* world = NULL;
//     pliant_world_def world_def = pliant_world_defaults();
//     if (pliant_mesh_generate("torus", &mesh) != PLIANT_OK ||
//         pliant_world_create(&world_def, &world) != PLIANT_OK) puts(pliant_error_text());
//
//     pliant_soft_def soft = pliant_soft_defaults();     // rubber: E = 1 MPa, nu = 0.45
//     pliant_body_def place = pliant_body_defaults();
//     place.position[1] = 2;                             // two meters up
//     pliant_body_id body;
//     if (pliant_world_add_soft(world, mesh, &soft, &place, &body)) puts(pliant_error_text());
//
//     pliant_collider_def floor = pliant_collider_defaults();
//     pliant_world_add_collider(world, &floor, NULL);    // the plane y = 0
//     for (int frame = 0; frame < 120; ++frame) pliant_world_step(world, 1.0f / 60);
//
// Conventions
// - SI units everywhere: meters, kilograms, seconds, newtons, pascals, joules. The solver has no
//   built-in scale: any consistent set of units works as well. In single precision, elements from
//   1e-8 m to 1e9 m fit the range of floats (from 1e-6 m where the formulation is not ten rows); an
//   asset whose constants do not fit is rejected with the number of the element; double precision
//   accepts it.
// - Definition structs come from a ..._defaults() function, which also sets a cookie; a struct that
//   did not come from there is rejected. Those that are part of another one (material, solver) come
//   with it.
// - Ids are an index and a generation. Zero is null, and a stale id is detected.
// - What can fail because of the outside world (files, sizes, parameters, memory, a GPU) returns a
//   pliant_result; pliant_error_text() then tells what went wrong and where. What it makes or finds
//   comes through pointers: zero, a null id or NULL on failure. Arrays that are read into stay as
//   they were. Misuse by the programmer (a stale id, a null pointer, an index out of range, a
//   definition that did not come from its defaults, or an argument that is NaN or infinite: the
//   time of a step, places, velocities and forces that are written) calls the assert handler.
//   Members of definitions that are NaN are errors.
// - Places [m] are double[3]: they keep their digits far from the origin. Velocities, directions,
//   sizes and what is read of many particles are pliant_vec3 or float; sums over a step or a body
//   are double.
// - Nothing is global but the allocator, the log and the assert handler. Two threads may use two
//   worlds at once, and share assets. Several threads may read one world (functions that take it as
//   const) while nobody changes or steps it.
// - The same input gives the same bits for any number of threads and any vector width.
#ifndef PLIANT_H
#define PLIANT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PLIANT_VERSION_MAJOR 0
#define PLIANT_VERSION_MINOR 1
#define PLIANT_VERSION_PATCH 0
#define PLIANT_VERSION                                                                             \
    (10000 * PLIANT_VERSION_MAJOR + 100 * PLIANT_VERSION_MINOR + PLIANT_VERSION_PATCH)

#if defined(_WIN32)
#define PLIANT_API
#elif defined(__GNUC__)
#define PLIANT_API __attribute__((visibility("default")))
#else
#define PLIANT_API
#endif

typedef struct pliant_vec3 {
    float x, y, z;
} pliant_vec3;

// A rotation. The identity is {0, 0, 0, 1}; other values are normalized on use.
typedef struct pliant_quat {
    float x, y, z, w;
} pliant_quat;

// ---- results and errors -------------------------------------------------------------------------

typedef enum pliant_result {
    PLIANT_OK = 0,
    PLIANT_ERROR_ARGUMENT,    // a definition or an array that cannot be used
    PLIANT_ERROR_FILE,        // a file cannot be opened, read or written
    PLIANT_ERROR_FORMAT,      // a file is not what it claims to be
    PLIANT_ERROR_MEMORY,      // the allocator returned NULL
    PLIANT_ERROR_DIVERGED,    // a body became NaN or infinite during a step
    PLIANT_ERROR_UNSUPPORTED, // valid, but not something this build or machine can do
    PLIANT_ERROR_DEVICE,      // the GPU or its driver failed
    PLIANT_ERROR_CANCELED,    // the caller's progress callback returned false
} pliant_result;

// "ok", "bad argument", "file error" ...
PLIANT_API const char* pliant_result_name(pliant_result result);

// The message of the last failure in the calling thread; "" before the first one. It names the file
// and line, or the element, and what to do. Valid until the next failure in this thread.
PLIANT_API const char* pliant_error_text(void);

// "0.1.0"
PLIANT_API const char* pliant_version(void);

// Whether the library is the one that a header of this PLIANT_VERSION belongs to: of the same major
// version, and before 1.0 of the same minor one. Else PLIANT_ERROR_UNSUPPORTED, and the text names
// both. pliant_world_create calls it.
PLIANT_API pliant_result pliant_check_version(int header_version);

// ---- hooks --------------------------------------------------------------------------------------

// Memory hooks. `allocate` returns memory aligned to `alignment` bytes (a power of two, at most 64)
// or NULL. Set them before anything else is called, or never. NULL restores the defaults.
typedef struct pliant_allocator {
    void* (*allocate)(size_t bytes, size_t alignment, void* context);
    void (*release)(void* memory, void* context);
    void* context;
} pliant_allocator;
PLIANT_API void pliant_set_allocator(const pliant_allocator* allocator);

// Bytes now held through the allocator, and the number of allocations made so far.
PLIANT_API size_t pliant_allocated_bytes(void);
PLIANT_API uint64_t pliant_allocation_count(void);

typedef void pliant_log_fn(const char* text, void* context);

// Receives warnings (a step too coarse for its mesh, a body that starts inside a collider, elements
// of a file that were left out). The default prints them to stderr. NULL silences it.
PLIANT_API void pliant_set_log(pliant_log_fn* log, void* context);

// Called on misuse, with the condition that did not hold and where it stands in the project. The
// default prints and aborts. When the handler returns, the offending call does nothing and returns
// PLIANT_ERROR_ARGUMENT, zero or NULL.
typedef void pliant_assert_fn(const char* condition, const char* file, int line, void* context);
PLIANT_API void pliant_set_assert(pliant_assert_fn* handler, void* context);

// ---- meshes -------------------------------------------------------------------------------------

// Vertices with tetrahedra (solids), triangles (surfaces) or edges (ropes), or vertices alone
// (particles). Immutable except for pliant_mesh_clean, pliant_mesh_repair, pliant_mesh_paint and
// pliant_mesh_transform.
typedef struct pliant_mesh pliant_mesh;

// Plain arrays, from which a mesh is created and through which it is read. Indices are zero-based.
typedef struct pliant_mesh_arrays {
    const double* vertices; // [m] 3 * vertex_count
    const int* tets;        // 4 * tet_count; det(x1 - x0, x2 - x0, x3 - x0) > 0
    const int* triangles;   // 3 * triangle_count; counter-clockwise seen from outside
    const int* edges;       // 2 * edge_count
    const int* tet_region;  // tet_count, or NULL: a number per tet that selects a material
    const int* tet_cell;    // tet_count, or NULL: the hexahedral cell that a tet was cut from
    int vertex_count, tet_count, triangle_count, edge_count;
    const double* vertex_color;  // 3 * vertex_count, or NULL: red, green, blue, mostly of 0 to 1
    const double* vertex_radius; // [m] vertex_count, or NULL: of loose particles
} pliant_mesh_arrays;

// Copies the arrays. Indices out of range and coordinates that are not finite are errors that give
// the element's number.
PLIANT_API pliant_result pliant_mesh_create(const pliant_mesh_arrays* arrays, pliant_mesh** out);
PLIANT_API void pliant_mesh_destroy(pliant_mesh* mesh);

// The mesh's own arrays, valid while the mesh is neither cleaned, transformed nor destroyed.
PLIANT_API pliant_mesh_arrays pliant_mesh_view(const pliant_mesh* mesh);

// Reads Gmsh .msh (2.2 and 4.1, ASCII and binary), MEDIT .mesh, TetGen .node + .ele (either name
// finds the other), unstructured grids in legacy .vtk and .vtu (not compressed), Gaia's .t, .obj,
// .ply, .stl, .off. The format is taken from the content, or from the extension where the content
// is ambiguous. Polygons are cut into fans of triangles. A file's tets come without its triangles
// and edges, and its triangles without its edges; hexahedra, prisms and pyramids are left out with
// a warning; elements of second order are errors. tet_region is set when the file gives its tets
// different numbers, and vertex_color when an .obj ("v x y z red green blue") or a .ply (red,
// green, blue; whole numbers become shares of 255 or 65535) has colors. A file of vertices without
// any element but points is a mesh of particles, with vertex_radius from the property `radius` of a
// .ply or the point data `radius` of a .vtu. A mesh is read whole or not at all; nothing is
// repaired silently (see pliant_mesh_clean): the triangles of an STL file have corners of their
// own.
PLIANT_API pliant_result pliant_mesh_load(const char* path, pliant_mesh** out);

// The same from memory, except TetGen's pairs of files. `name` is used in error messages and for
// the extension.
PLIANT_API pliant_result pliant_mesh_parse(const void* data, size_t bytes, const char* name,
                                           pliant_mesh** out);

// The same, with the caller's way to open files (archives, compressed files). `read` returns
// PLIANT_OK and memory from pliant_allocate, or sets nothing and returns an error. A last ".gz" of
// the path does not count as its extension, and stays on the name of a sibling.
typedef pliant_result pliant_read_fn(const char* path, void** out_data, size_t* out_bytes,
                                     void* context);
PLIANT_API pliant_result pliant_mesh_load_with(const char* path, pliant_read_fn* read,
                                               void* context, pliant_mesh** out);

// Writes .msh (Gmsh 4.1 ASCII), .mesh, .vtu, .obj, .ply, .off or .stl by the extension; the last
// four hold triangles: the boundary of a tet mesh, and .obj and .ply colors of vertices. All but
// .stl hold particles, .vtu and .ply with their radii. Numbers read back as the same bits, except
// for .stl, which stores floats. The file appears whole or not
// at all.
PLIANT_API pliant_result pliant_mesh_save(const pliant_mesh* mesh, const char* path);

// Memory through the allocator hooks, for a pliant_read_fn.
PLIANT_API void* pliant_allocate(size_t bytes);
PLIANT_API void pliant_release(void* memory);

// Boxes of cells, cut into tets. The box spans 0 to cells * cell_size on each axis. Vertex (i, j,
// k) has the number k + (cells[2] + 1) * (j + (cells[1] + 1) * i), slice after slice along a beam
// in x; tets come cell by cell in the same order, and tet_cell has the cell's number. No generator
// makes more than 2^28 elements.
typedef struct pliant_box_def {
    int cells[3];        // along x, y, z
    double cell_size[3]; // [m]
    int tets_per_cell;   // 5 (mirrored in every other cell) or 6 (the same cut in every cell)
    double jitter;       // inner vertices move by up to this fraction of a cell, 0 to 0.3; the
                         // surface stays flat, every tet keeps 1/60 of the cell's volume
    uint64_t seed;       // of the jitter
    uint32_t cookie;
} pliant_box_def;
PLIANT_API pliant_box_def pliant_box_defaults(void);
PLIANT_API pliant_result pliant_mesh_box(const pliant_box_def* def, pliant_mesh** out);

// Round solids of tets, centered at the origin. `resolution` is the number of cells across the
// smallest diameter, at least 2. Surface vertices lie on the surface; the bits are the same on
// every machine. Below, n is resolution / 2, rounded up.
//
// 20 n^3 tets in n layers around the center.
PLIANT_API pliant_result pliant_mesh_sphere(double radius, int resolution, pliant_mesh** out);
// The ring of radius `ring` lies in the plane y = 0; the tube around it has radius `tube` < `ring`.
// 18 n^2 tets in each of resolution * pi * ring / tube sections (rounded up). Tubes nearly as thick
// as the ring have thin tets at the hole.
PLIANT_API pliant_result pliant_mesh_torus(double ring, double tube, int resolution,
                                           pliant_mesh** out);
// Axis y, from -height / 2 to height / 2. With the cell c = min(2 radius, height) / resolution:
// 18 (radius / c)^2 tets in each of height / c layers (quotients rounded up).
PLIANT_API pliant_result pliant_mesh_cylinder(double radius, double height, int resolution,
                                              pliant_mesh** out);
// A sphere with smooth random bumps of up to 0.6 radius, different for each seed; 20 n^3 tets.
PLIANT_API pliant_result pliant_mesh_blob(double radius, int resolution, uint64_t seed,
                                          pliant_mesh** out);
// A sheet of triangles in the plane y = 0, centered: cells[0] (along x) times cells[1] (along z)
// squares, alternating cut, counter-clockwise from above.
PLIANT_API pliant_result pliant_mesh_cloth(const int cells[2], const double size[2],
                                           pliant_mesh** out);
// A chain of edges along x from 0 to `length`.
PLIANT_API pliant_result pliant_mesh_rope(double length, int segments, pliant_mesh** out);
// The same tied into a loose overhand knot around the origin, with its ends along x: pulled apart
// they draw it tight. `length` is that of the curve; 20 segments or more.
PLIANT_API pliant_result pliant_mesh_knot(double length, int segments, pliant_mesh** out);
// A chain of edges around the axis y, from y = 0 down by `pitch` [m] with every turn, clockwise as
// seen from above: a spring, a cord. `sides` segments a turn, 3 or more; the first vertex is at
// (radius, 0, 0).
PLIANT_API pliant_result pliant_mesh_helix(double radius, double pitch, int turns, int sides,
                                           pliant_mesh** out);
// The cloth's sheet with hills of up to `height` [m] above and below, different for each seed.
PLIANT_API pliant_result pliant_mesh_terrain(const int cells[2], const double size[2],
                                             double height, uint64_t seed, pliant_mesh** out);
// A round bottom around the origin in the plane y = 0, and a wall up to `height`, open at the top.
// Triangles are counter-clockwise seen from inside.
PLIANT_API pliant_result pliant_mesh_cup(double radius, double height, int sides,
                                         pliant_mesh** out);

// A box of one cell, cut in 5 tets, around the origin.
PLIANT_API pliant_result pliant_mesh_brick(const double size[3], pliant_mesh** out);

// Closed surfaces of triangles, for rigid bodies. A link of a chain lies in the plane z = 0, its
// length along x: wire of that diameter, bent to two halves of a circle and straight between them.
// A banana is bent in the same plane, and thinner toward its ends.
PLIANT_API pliant_result pliant_mesh_link(double length, double width, double wire, int sides,
                                          pliant_mesh** out);
PLIANT_API pliant_result pliant_mesh_banana(double length, double radius, int sides,
                                            pliant_mesh** out);

// A generated mesh from a word: "beam:21x6x6", "box6:4x4x4:0.1", "sphere:0.5:12", "torus:1:0.3:8",
// "cylinder:0.5:2:8", "blob:0.5:12:7", "cloth:20x20:2x2", "rope:3:50", "knot:2:160",
// "helix:0.05:0.02:10:16",
// "grains:1x1x1:0.1:1", "terrain:40x40:4x4:0.6:1", "cup:0.5:0.6:32",
// "brick:0.4x0.2x0.2", "link:0.12:0.06:0.014:8", "banana:0.2:0.03:8". Missing numbers have
// defaults: "torus", "torus::0.2". pliant_mesh_generate_help() lists the words, one a line.
PLIANT_API pliant_result pliant_mesh_generate(const char* words, pliant_mesh** out);
PLIANT_API const char* pliant_mesh_generate_help(void);

// The surface of a tet mesh: the triangles that belong to one tet, counter-clockwise from outside.
// `out_vertex` (may be NULL, capacity of the volume's vertex_count) receives the volume's vertex of
// each surface vertex; they ascend. A face shared by three or more tets is an error.
PLIANT_API pliant_result pliant_mesh_boundary(const pliant_mesh* volume, pliant_mesh** out,
                                              int* out_vertex);

// The convex hull of its vertices, as a closed surface, counter-clockwise from outside. Vertices
// that are in one plane, in one line, or at one place are an error.
PLIANT_API pliant_result pliant_mesh_convex_hull(const pliant_mesh* mesh, pliant_mesh** out);

// Fills a surface with tets, however bad the surface is: it may have holes, parts that intersect,
// triangles that are repeated, flat or face the wrong way, and any number of parts. A hole whose
// rim is in a plane (within 2 % of its size) is closed; behind any other hole the solid ends where
// a soap film across it would, unless close_holes is set. Surfaces without an inside (an open
// sheet, loose triangles) are rejected. Of a tet mesh, the boundary is used.
//
// Isosurface stuffing on a body-centered cubic lattice: tets are nearly equal, 24 meet at an inner
// vertex (up to 34 beside the surface, and rarely more in thin plates), no dihedral angle is below
// 9 degrees or above 165, and the boundary is a manifold with vertices on the surface, or up to
// half an edge outside where that holds a thin part together. Parts thinner than half an edge that
// stick out like a horn or a tentacle become stalks: prisms of three tets each, with the part's
// length and surface, and a last tet where it ends in a point. A triangle encloses less area than a
// circle of the same perimeter: the stalk of a round part has 0.6 of its volume. Plates that are
// thinner than that, like blades, wings and fins, become one layer of such prisms with the plate's
// area, and its thickness where that is a fifth of an edge or more: thinner ones are made that
// thick, since angles would be too small. A plate shares the vertices of a strip of the boundary
// that it stands on. Parts that are lost nevertheless, such as thin handles, are in the report.
// Sharp edges are cut off by up to half an edge. Where parts of the surface overlap, or are nearer
// than an edge, their tets are one part.
typedef struct pliant_tet_def {
    int tets;    // how many, mostly within 2 %; 0: by `edge`. Small numbers may be missed
    double edge; // [m] mean length of the edges inside; used when tets is 0
    // 0: all tets have about the same size. 1 to 8: deep inside they are up to 2, 4 ... 256 times
    // as long, and for a number of tets those at the surface are finer; `edge` is that at the
    // surface.
    int coarsening;
    // Every part of the surface (triangles connected by vertices, with the cavities in it) is
    // filled by itself: parts that overlap or are near to each other are not joined, and their tets
    // overlap as they do. Parts without an inside are left out.
    bool separate_parts;
    // All holes are closed, with triangles between the vertices of their rims. Without that only
    // those in a plane are. A sheet, whose cover would be as large as itself, stays open.
    bool close_holes;
    int threads; // 0: one per core. The result does not depend on it
    // Called now and then by the calling thread with the part of the work that is done, up to 1;
    // may be NULL.
    void (*progress)(double part, void* context);
    void* context;
    uint32_t cookie;
} pliant_tet_def;
PLIANT_API pliant_tet_def pliant_tet_defaults(void); // 20 000 tets

typedef struct pliant_tet_report {
    double edge;        // [m] mean length of the edges inside
    int surface_parts;  // of the surface: triangles connected by vertices at the same place
    int parts;          // of the mesh
    int dropped_parts;  // fragments of less than a tenth of the largest piece of the same part
    int dropped_tets;   // theirs, and those removed to make the boundary a manifold
    int split_vertices; // added where parts touched in a vertex or an edge alone
    double enclosing;   // 0.5 to 1: how much of the surface's area encloses something for sure
    int closed_holes;   // of the surface
    int open_holes;     // of the surface, that were not: the tets end where a soap film would be
    int stalks;         // of prisms, for parts that are thinner than the edges
    int stalk_tets;     // theirs
    int plates;         // one layer of prisms each, for plates that are thinner than the edges
    int plate_tets;     // theirs
    // Parts that stick out of the mesh by more than an edge because they are too thin for tets.
    int missing_parts;
    double missing_share;     // of the surface's area
    double missing_place[3];  // [m] where the farthest of them ends
    double missing_distance;  // [m] and how far from the mesh that is
    double missing_thickness; // [m] how thick it is, about: half of its area has as much
} pliant_tet_report;
// `out_report` may be NULL. About 3 s for a million tets on two cores.
PLIANT_API pliant_result pliant_mesh_tetrahedralize(const pliant_mesh* surface,
                                                    const pliant_tet_def* def, pliant_mesh** out,
                                                    pliant_tet_report* out_report);

// How the particles that fill a shape are placed.
typedef enum pliant_pattern {
    PLIANT_PATTERN_HEXAGONAL = 0, // layers of closest packing, one on the other in y
    PLIANT_PATTERN_GRID,          // along x, y and z
    PLIANT_PATTERN_JITTERED,      // a grid whose points are moved at random
    PLIANT_PATTERN_NOISE,         // random places that keep apart (blue noise), until none is left
    PLIANT_PATTERN_SURFACE,       // such places on the triangles alone, which may be open
} pliant_pattern;

// Fills a shape with loose particles. Balls are inside of the surface as a whole, and no two of
// them overlap; with the pattern SURFACE their centers are on it. What is inside of a bad surface
// is as for pliant_mesh_tetrahedralize; balls keep away from its triangles, not from where a hole
// was closed. The same numbers give the same bits everywhere.
typedef struct pliant_fill_def {
    double spacing; // [m] from the center of a particle to the next; required
    pliant_pattern pattern;
    // [m] Of the balls, half of the spacing at most: with less there are gaps between them. 0: half
    // of the spacing; for JITTERED (1 - jitter) of that, the most with which none overlap.
    double radius;
    double largest_radius; // [m] NOISE: radii are drawn from radius to this, each octave with about
                           // the same share of the volume, and a ball that has no room gets
                           // smaller; gaps are those of the smallest. 0: all the same
    double jitter; // JITTERED: points move by up to this share of half of the spacing, 0 to 1
    int seed;      // of what is random; 0 or more
    int threads;   // 0: one per core. The result does not depend on it
    // Called now and then by the calling thread with the part of the work that is done, up to 1;
    // returns whether to go on, or else PLIANT_ERROR_CANCELED comes out. May be NULL.
    bool (*progress)(double part, void* context);
    void* context;
    uint32_t cookie;
} pliant_fill_def;
PLIANT_API pliant_fill_def pliant_fill_defaults(void);

// A mesh of vertices with vertex_radius, near ones near in their order. A shape without an inside,
// one in which no particle has room, and more than 2^28 places in its box are errors. About 1 s for
// 100 000 particles of noise, a tenth of that for others.
PLIANT_API pliant_result pliant_mesh_fill(const pliant_mesh* shape, const pliant_fill_def* def,
                                          pliant_mesh** out);

// Loose particles as plain arrays.
typedef struct pliant_points {
    const double* positions;       // [m] 3 * count
    const double* radii;           // [m] count, or NULL
    const pliant_vec3* velocities; // [m/s] count, or NULL
    int count;
} pliant_points;

// The surface of a liquid around its particles: the level of a smooth field that they make, on a
// grid of cells that is anchored at the origin, so that nothing flickers from frame to frame. It is
// always closed and a manifold (each edge has two triangles, each vertex one fan of them), with
// triangles counter-clockwise from outside. It passes half a layer outside of the outermost
// particles of a dense packing, and around a particle alone at its radius. Parts may overlap a
// little where they nearly touch. Memory grows with the particles and the surface, not with the box
// around them.
typedef struct pliant_surface_def {
    double radius; // [m] half of the way from a particle to the next; 0: each has its own (`radii`)
    double cell;   // [m] of the grid: 0.02 to 2 radii; 0: the smallest radius. With 0.5 of it one
                   // sees finer waves, and there are four times as many triangles
    int smoothing; // how often vertices go to the mean of their neighbors, without losing volume
    int threads;   // 0: one per core. The result does not depend on it
    // Called now and then by the calling thread with the part of the work that is done, up to 1;
    // returns whether to go on, or else PLIANT_ERROR_CANCELED comes out. May be NULL.
    bool (*progress)(double part, void* context);
    void* context;
    uint32_t cookie;
} pliant_surface_def;
PLIANT_API pliant_surface_def pliant_surface_defaults(void);

typedef struct pliant_surface_report {
    // Of each vertex; from pliant_allocate, for the caller to pliant_release.
    pliant_vec3* normals;    // outward, of length 1
    pliant_vec3* velocities; // [m/s] of the particles around; NULL where they have none
    double radius, cell;     // [m] that were used; the largest radius
    int blocks;              // of 15 x 15 x 15 cells in which there is surface
    // What took how long [s]: particles into bins, their neighbors, the field and its level, and
    // smoothing.
    double sort_seconds, share_seconds, sample_seconds, smooth_seconds;
} pliant_surface_report;
// No particles, all at one place, cells or radii that do not fit each other, places that are not
// finite: an error says which. `out_report` may be NULL.
PLIANT_API pliant_result pliant_mesh_surface(const pliant_points* points,
                                             const pliant_surface_def* def, pliant_mesh** out,
                                             pliant_surface_report* out_report);

// x -> scale * x, then the rotation, then the translation [m]. The scale is positive.
PLIANT_API void pliant_mesh_transform(pliant_mesh* mesh, double scale, pliant_quat rotation,
                                      const double translation[3]);

typedef struct pliant_mesh_quality {
    double min[3], max[3];          // [m] bounding box
    double volume;                  // [m^3] of the tets, or enclosed by triangles without boundary
    double area;                    // [m^2] of the boundary of the tets, or of the triangles; of
                                    // loose particles with radii volume and area are their balls'
    double shortest_edge;           // [m] of the tets, or else triangles or edges
    double longest_edge, mean_edge; // [m]
    double min_dihedral;            // [degrees] of all tets
    double max_dihedral;            // [degrees]
    double min_tet_volume;          // [m^3] signed: negative for an inverted tet
    int inverted_tets;              // volume < 0
    int degenerate_tets;            // volume below 1e-12 of the cube of the longest edge
    int degenerate_triangles;       // area below 1e-12 of the square of the longest edge
    int duplicate_vertices;         // at exactly the same place as an earlier one
    int unreferenced_vertices;
    int components;        // of the tets by vertices, or else triangles, edges or vertices
    int boundary_edges;    // of the surface (for tets: their boundary) with a single triangle
    int nonmanifold_edges; // of the surface with more than two triangles
    int max_valence;       // most elements at one vertex
    double mean_valence;
} pliant_mesh_quality;
PLIANT_API pliant_result pliant_mesh_measure(const pliant_mesh* mesh, pliant_mesh_quality* out);

// What to repair. Nothing is on by default.
typedef struct pliant_clean_def {
    bool weld;              // join vertices no farther than weld_distance; the first one stays
    double weld_distance;   // [m] 0: only the same place exactly
    bool orient;            // turn inverted tets, triangles against their neighbors, and closed
                            // surfaces that face inward
    bool drop_degenerate;   // remove elements with repeated vertices or no volume or area
    bool drop_duplicates;   // remove elements with the same vertices as an earlier one
    bool drop_unreferenced; // remove vertices that no element uses
    uint32_t cookie;
} pliant_clean_def;
PLIANT_API pliant_clean_def pliant_clean_defaults(void);

typedef struct pliant_clean_report {
    int welded, oriented, degenerate, duplicates, unreferenced; // how many were changed or removed
} pliant_clean_report;
// Welds, drops elements, orients, drops vertices, in this order. The mesh stays as it was on
// failure. `out_report` may be NULL.
PLIANT_API pliant_result pliant_mesh_clean(pliant_mesh* mesh, const pliant_clean_def* def,
                                           pliant_clean_report* out_report);

// Better tets for a mesh that came from elsewhere: edges are split, collapsed and swapped, and
// vertices moved, one at a time, until no tet is flatter and no vertex has more tets than is asked
// for. No tet is ever turned over; the surface keeps its parts, stays as manifold as it was and
// within a tolerance, and gets its volume back. Vertices where regions meet stay. A mesh that is
// good enough stays as it is, unless `edge` is given.
typedef struct pliant_repair_def {
    double min_dihedral; // [degrees] of all tets, 0 to 20; the widest is to be below 180 minus this
    int max_valence;     // most tets at one vertex, 30 or more
    double edge;         // [m] of the edges; 0: so that there are about as many tets as before
    double tolerance;    // [m] how far the surface may move; 0: 1/150 of the longest side
    uint32_t cookie;
} pliant_repair_def;
PLIANT_API pliant_repair_def pliant_repair_defaults(void); // 8 degrees, 60 tets

typedef struct pliant_repair_report {
    int splits, collapses, swaps, shifts; // operations that were done; shifts: of vertices
    double out_distance;                  // [m] farthest point of the new surface from the old one
    double back_distance;                 // [m] farthest point of the old surface from the new one
    double volume_change;                 // [-] relative
    bool reached;                         // everything asked for was reached; otherwise a warning
                                          // lists what was not
} pliant_repair_report;
// Tets with triangles or edges keep only the tets. Inverted and flat tets are errors (clean first).
// `out_report` may be NULL. The mesh stays as it was on failure. 0.1 to 1 s for 1000 tets, by how
// bad they are.
PLIANT_API pliant_result pliant_mesh_repair(pliant_mesh* mesh, const pliant_repair_def* def,
                                            pliant_repair_report* out_report);

// Selects by position instead of index: the intersection of a box, a ball, a half space, the inside
// or neighborhood of a surface, and the part below a painted color. The defaults select everything;
// set the shapes that count.
typedef struct pliant_region {
    double min[3], max[3];      // [m] of a box
    double center[3], radius;   // [m] of a ball
    double point[3], normal[3]; // what lies behind a plane; a normal of 0: no plane
    const pliant_mesh* surface; // what it encloses (triangles, or tets: their boundary); NULL: none
    double distance;            // [m] and what is nearer to it than this
    bool hollow;                // only what is near, not all inside: for open surfaces
    // Where the nearest point of this surface, by the colors of its vertices, has `color`: points
    // deep inside have the color of the surface nearest to them. A point of a triangle has the
    // color of its nearest corner. NULL: any color.
    const pliant_mesh* painted;
    double color[3];  // red, green, blue, as they are in the file
    double tolerance; // of each of them; default 0.1
    uint32_t cookie;
} pliant_region;
PLIANT_API pliant_region pliant_region_defaults(void);

// Which of `count` points (3 doubles each) [m] are in the region: numbers from 0, ascending, in
// `out_index` (capacity of count). PLIANT_ERROR_ARGUMENT where there are none, with the points'
// box in the error text.
PLIANT_API pliant_result pliant_region_select(const pliant_region* region, const double* points,
                                              int count, int* out_index, int* out_count);

// Sets tet_region of the tets whose middle is in the region; where the mesh has none, that of all
// others becomes 0. An error where there are none.
PLIANT_API pliant_result pliant_mesh_paint(pliant_mesh* mesh, const pliant_region* region,
                                           int number);

// ---- materials and assets -----------------------------------------------------------------------

// What tets and ropes are made of.
typedef struct pliant_material_def {
    double density; // [kg/m^3]
    double young;   // [Pa] Young's modulus
    double poisson; // [-] Poisson's ratio, 0 to 0.5 (0.125 to 0.4999 with PLIANT_LAME_PLAIN)
    double damping; // [s] Kelvin-Voigt time constant tau: a mode of angular frequency omega loses
                    // energy as exp(-tau omega^2 t), within 5 %, a rigid motion nothing. 0: none
                    // but the integrator's own. Where damping is so strong that substeps are too
                    // few for it, a world warns with the number to use
    // Plastic flow, of tets in every formulation but edges_and_volume. Where von Mises' stress
    // (Kirchhoff's: that of Cauchy times the volume over that at rest) is above the yield stress,
    // the shape at rest follows, and keeps its volume.
    double yield_stress; // [Pa] 0: it never yields
    double hardening;    // [Pa] by which the yield stress grows per plastic strain; 0: it does not
    double plastic_time; // [s] in which the stress beyond the yield stress falls to 1/e of it while
                         // the body is held as it is; 0: at once
    double plastic_limit; // [-] plastic strain beyond which nothing flows any more; 0: none
    // Tearing (see "tearing and cutting"): what pulls tets or the edges of a rope apart harder than
    // the strength parts them, which takes that energy per area.
    double tear_strength; // [Pa] 0: it never tears
    double tear_energy;   // [J/m^2] 0: none. On the CPU alone
    // Shapes at rest that a program changes (pliant_body_swell), of tets in every formulation but
    // edges_and_volume, that do not yield.
    double expansion;   // [1/K] by which each length grows with warmth; 0: none
    double contraction; // [-] by which a muscle is shorter along its fibers at a signal of 1, and
                        // thicker, with its volume kept; 0 to 0.9; 0: none
    double fiber[3];    // their direction in the mesh, of any length; default x
} pliant_material_def;

// How the stable neo-Hookean energy of a tet becomes constraints.
typedef enum pliant_formulation {
    PLIANT_FORMULATION_TEN_ROWS = 0, // shear and volume implicit: stable with the fewest substeps
    PLIANT_FORMULATION_TWO_ROWS,     // deviatoric and hydrostatic row as one block (2022)
    PLIANT_FORMULATION_DECOUPLED,    // the two rows one after the other (the 2022 paper's baseline)
    PLIANT_FORMULATION_DECOUPLED_NODES, // the same, as two nodes of the constraint graph
    // Another energy: distances along the edges of tets, and their signed volumes (2013). Of small
    // strains in a mesh without preferred directions it is that of young and poisson, the latter
    // from 0.25 on (below, it counts as about 0.25).
    PLIANT_FORMULATION_EDGES_AND_VOLUME,
} pliant_formulation;

// What the angle between two triangles is measured by.
typedef enum pliant_bending {
    PLIANT_BENDING_ISOMETRIC = 0, // a quadratic form of the corners: cheap, and exact for cloth
                                  // that hardly stretches. Has no sign: cloth that is bent at rest
                                  // is also at rest when bent the other way
    PLIANT_BENDING_ANGLE,         // the angle itself, with its sign, up to 180 degrees either way
    PLIANT_BENDING_PLATE,         // of cloth: the curvature of a triangle, from its angles with the
                                  // triangles beside it. A plate's stiffness in any mesh, along the
                                  // warp and across. Costs about three times as much
} pliant_bending;

// What the triangles of a mesh without tets are made of. Stiffness is that of the sheet, whatever
// the size of its triangles.
typedef struct pliant_cloth_def {
    double density; // [kg/m^2]
    double stretch; // [N/m] tension per width and strain, Young's modulus times thickness: exactly
                    // so in a mesh without preferred directions, by a fifth more along the lines of
                    // a square grid. Poisson's ratio is about 1/3 (along the lines of a grid 1/5).
                    // Of the edges of the mesh, which hold a sheet without warp
    double bending; // [N m] moment per width and curvature, Young's modulus times thickness^3 / 12;
                    // 0: none
    double area;    // [N/m] against changes of the triangles' areas, on top of stretch; 0: none
    double damping; // [s] as of a pliant_material_def
    pliant_bending bending_by;
    // What a closed surface holds: a pressure of air * (inflation - volume / volume at rest). Such
    // bodies use the colored schedule instead of patches.
    double air;       // [Pa] 0: nothing
    double inflation; // [-] 0: 1
    // Tearing, as of a pliant_material_def, per length of the tear.
    double tear_strength; // [N/m] 0: it never tears
    double tear_energy;   // [J/m] 0: none
    // Woven cloth: a membrane with two directions of threads, and as stiff in any mesh. Where there
    // is a warp, triangles hold the sheet instead of edges.
    double warp;         // [N/m] tension per width and strain of a strip along the warp, free
                         // across; 0: edges hold it, by `stretch`
    double weft;         // [N/m] likewise across; 0: as the warp
    double shear;        // [N/m] force per length and change of the angle between warp and
                         // weft; 0: that of a sheet without directions, sqrt(warp weft) / 2 /
                         // (1 + poisson)
    double poisson;      // [-] by how much what is pulled along the warp becomes narrower, and
                         // along the weft: the root of the product of both ratios
    double bending_weft; // [N m] of PLIANT_BENDING_PLATE, `bending` across; 0: as along the warp
    double warp_direction[3]; // of the warp at rest, of any length: its part in each triangle;
                              // default x. 0, and where it has no such part: from a triangle's
                              // first corner to its second
    double thickness;         // [m] of the particles' balls, where the body has no radius: surfaces
                              // keep it as a distance; 0: none
    // Plastic bending, of PLIANT_BENDING_PLATE: what is bent beyond the yield curvature stays bent,
    // as a sheet of metal does. On the CPU alone, and nothing that yields tears.
    double yield_curvature; // [1/m] 0: it never yields
    double hardening;       // [N m] moment per width that is won per plastic curvature; 0: none
    double plastic_time;    // [s] in which what is beyond it falls to 1/e of it; 0: at once
} pliant_cloth_def;

// A fabric by its name: "cotton", "silk", "wool", "denim" or "leather", with numbers that are
// typical of it and a drape within its band (docs/theory.md). Other names are errors.
PLIANT_API pliant_result pliant_cloth_preset(const char* name, pliant_cloth_def* out);

// What the edges of a mesh are besides their material.
typedef struct pliant_rope_def {
    double radius; // [m] of the cross section; 0: 1/100 of the length of all edges
    // [N m^2] moment per curvature, whatever the length of the edges: that of a rod is Young's
    // modulus times pi / 4 radius^4. 0: none. Where two edges meet; where more do, they turn
    // freely. An edge whose two ends are pinned clamps the rope in its middle.
    double bending;
    bool slack; // they pull when they are stretched and never push
    // Rods: each segment has an orientation, which stretches, shears, bends and twists against its
    // neighbors (Cosserat). At rest a rod is as its mesh is, with all its curves: a helix is a
    // spring. 0 stands for that of a round rod of the radius and the material, of Young's modulus
    // E and the shear modulus G = E / (2 + 2 Poisson's ratio). `bending` is E pi / 4 radius^4 then.
    // Bodies of rods use the colored schedule, on the CPU alone, and do not tear. Where more than
    // two segments meet (up to 16), they are clamped to each other.
    bool rod;
    double stretch;  // [N] E A: tension per strain
    double shear;    // [N] k G A: force across per angle; k is about 0.9
    double twisting; // [N m^2] G J: torque per twist per length; J = pi / 2 radius^4
    double gyration; // [m] by which an orientation resists to be turned: its moment of inertia is
                     // the mass of the segment times the square; 0: half of the segment's length,
                     // or radius / sqrt 2 if that is more. The shorter, the more substeps
} pliant_rope_def;

// Clusters of loose particles that keep their shape: shape matching. All particles as one cluster
// are a rigid body, or a soft one; clusters that overlap each other are a soft body of particles. A
// particle that is in several goes the mean of the ways that they want. Particles of such a body
// touch each other only where its contact.self asks for it, and never those of a common cluster, or
// neighbors at rest.
typedef struct pliant_clusters_def {
    double stiffness; // [-] 0: there are no clusters; 1: rigid. In between a spring pulls each
                      // particle to its place in the shape, of omega^2 = s / (1 - s) / (1/60 s)^2
                      // for a stiffness s, whatever substeps and iterations: 0.5 is 9.5 Hz, 0.99 is
                      // 95 Hz
    double spacing;   // [m] between the centers of clusters; 0: one cluster of all particles
    double size;      // [m] from the center of a cluster to its farthest particles, at least the
                      // spacing; 0: 1.5 times the spacing
    // Plastic flow. The strain of a particle in a cluster is how far it is from its place in the
    // shape, over the radius of the cluster. Where it is above the yield strain, the shape at rest
    // follows. (Of a rigid cluster a particle is out of its place only by what contacts push it in
    // a substep: metal is 0.99 or so.)
    double yield_strain;  // [-] 0: it never yields
    double plastic_time;  // [s] in which the strain beyond it falls to 1/e of it while the body is
                          // held as it is; 0: at once
    double plastic_limit; // [-] how far a particle's place in the shape may move at most, over the
                          // radius of the cluster; 0: any
} pliant_clusters_def;

// A liquid of loose particles: those of a mesh of vertices alone, or those that come (capacity).
// Each stands for a cube of the spacing with the density of the material; its radius is half of the
// spacing, whatever the mesh says. Where particles are nearer to each other than a liquid's are,
// they push each other apart. Without surface tension nothing pulls, and it has a free surface. All
// liquids of a world need one spacing; they may differ in all else.
//
// A liquid is as stiff as its substeps are short: under a depth H it is denser by about 1.2 g H h^2
// / spacing^2 for substeps of h, which is 2 % with those that are chosen for the extent of its
// mesh. More iterations divide that. Colliders count as walls of any thickness; other bodies are in
// it by their volume (pliant_immersion_def).
typedef struct pliant_liquid_def {
    double spacing;   // [m] between particles at rest; 0: it is no liquid
    double viscosity; // [Pa s] of shear; walls hold the liquid by it, too
    bool slips;       // along walls, which do not hold it by its viscosity

    // [N/m] What a surface costs for each m^2 in J. Particles within 2.4 spacings of each other
    // pull and push so that drops get round and stay together. Between two liquids a and b it is
    // (sqrt(a) - sqrt(b))^2: those with the same do not know of each other's surface. Substeps have
    // to be shorter than sqrt(density spacing^3 / surface_tension) / 8.
    double surface_tension;
    double adhesion;  // [N/m] what it costs to take two layers off a wall, for each m^2 in J: a
                      // quarter of the tension makes domes of drops, more than all of it a film
    double vorticity; // [-] drives what turns: each particle by this times spacing times vorticity
                      // squared [m/s^2], towards where it turns more (Fedkiw 2001). What that adds
                      // to the momentum is in pliant_liquid_stats
    bool classic;     // pressures of one iteration do not know those of the one before: position
                      // based fluids (2013). For comparison: iterations boil, pressures mean less
} pliant_liquid_def;

// A gas of loose particles in an open world: where there are none is air that is not computed. Each
// stands for a cube of the spacing; like those of a liquid, they push each other apart where they
// are nearer than that, and have its walls and substeps. The air around carries a gas: its weight
// is that by which it is lighter or heavier than that air (Boussinesq), and where its particles lie
// open the air resists them (pliant_world_set_air says how it moves; without that it rests and has
// the density of the gas).
//
// Swirls that are too small for the particles fade too early. Each particle therefore remembers its
// vorticity, which turns and stretches with the flow, grows where a warm side and a cold one lie
// beside each other, and drives those around wherever the flow has lost it (swirl).
typedef struct pliant_gas_def {
    double spacing;   // [m] between particles at rest; 0: it is no gas
    double viscosity; // [Pa s] of shear
    double expansion; // [1/K] by which share of its volume it is larger per kelvin above the heat's
                      // `ambient`; 1/293 is that of air
    double drag;      // [-] of the air around, on the face of a cube that lies open
    double swirl;     // [1/s] how fast lost vorticity comes back; 0: it does not
    double swirl_time; // [s] in which that is forgotten to 1/e
} pliant_gas_def;

// How warm the particles of a liquid or a gas are, one by one. Heat goes from each to those around,
// of all bodies that flow and know of heat, and into what is around where they lie open.
typedef struct pliant_heat_def {
    double temperature;  // [K] of the particles at first, and of those that come; 0: the body knows
                         // no heat
    double ambient;      // [K] of what is around
    double conductivity; // [W/(m K)] between two bodies: the harmonic mean
    double capacity;     // [J/(kg K)]
    double exchange;     // [W/(m^2 K)] with what is around
} pliant_heat_def;

// What holds the surface of tets of PLIANT_FORMULATION_EDGES_AND_VOLUME besides their edges (2013):
// hinges between their outer triangles.
typedef struct pliant_boundary_def {
    double bending; // [N m] as of a pliant_cloth_def; 0: none
    pliant_bending bending_by;
} pliant_boundary_def;

typedef enum pliant_lame_convention {
    // A tensile test of the body gives back young and poisson: lambda = mu / (1 - 2 nu).
    PLIANT_LAME_ENGINEERING = 0,
    // Lame's lambda and mu are used in the energy directly, as in the papers. Too soft by 10 % at
    // nu = 0.3; an error below nu = 1/8, where rest is not stable.
    PLIANT_LAME_PLAIN,
} pliant_lame_convention;

// How firmly distances, angles, areas and volumes are held: those of ropes, cloth and
// PLIANT_FORMULATION_EDGES_AND_VOLUME.
typedef enum pliant_stiffness_mode {
    PLIANT_STIFFNESS_MODE_COMPLIANT =
        0,                         // by the material (XPBD): independent of substeps and iterations
    PLIANT_STIFFNESS_MODE_CLASSIC, // by pliant_stiffness_def, each substep, without damping (PBD as
                                   // in 2007 and 2013): stiffer with more substeps, but not with
                                   // more iterations
} pliant_stiffness_mode;

// For PLIANT_STIFFNESS_MODE_CLASSIC: the part of its error [-] that a constraint alone would
// correct in the iterations of one substep, more than 0 and up to 1.
typedef struct pliant_stiffness_def {
    double stretch, bending, area, volume, tether;
} pliant_stiffness_def;

// Where bodies are simulated. Nothing else changes: reading state copies it back on demand.
typedef enum pliant_backend {
    PLIANT_BACKEND_AUTO = 0, // the asset's target_backend; the CPU where there is no GPU
    PLIANT_BACKEND_CPU,
    PLIANT_BACKEND_CUDA, // an NVIDIA GPU of compute capability 7.5 or more
} pliant_backend;

// The order in which constraints are solved.
typedef enum pliant_schedule {
    PLIANT_SCHEDULE_PATCHED = 0, // pieces that a core's cache holds, each a whole substep by itself
    PLIANT_SCHEDULE_CLUSTERED,   // clusters of neighbors, clusters of one color in parallel (2022)
    PLIANT_SCHEDULE_COLORED,     // constraints of one color in parallel (2013)
    PLIANT_SCHEDULE_SERIAL,      // mesh order, one at a time: the reference
    // For comparison with the papers:
    PLIANT_SCHEDULE_PHANTOM, // colored, with copies of crowded particles, so that few colors do
                             // (2015)
    PLIANT_SCHEDULE_HYBRID,  // some colors, then all other constraints at once and averaged (2015)
    PLIANT_SCHEDULE_JACOBI,  // all constraints at once, each particle takes the mean (2014)
} pliant_schedule;

// Whose copies phantoms are.
typedef enum pliant_phantoms {
    PLIANT_PHANTOMS_GROUPED = 0, // of as many constraints as there are colors: the fewest
    PLIANT_PHANTOMS_SINGLE,      // of one constraint each (2015, Algorithm 2)
} pliant_phantoms;

// What copies of a particle weigh, in every schedule that has some.
typedef enum pliant_merge {
    PLIANT_MERGE_SPLIT = 0, // each has a share of the particle's mass, and counts as much in the
                            // mean: momentum is conserved
    PLIANT_MERGE_DUPLICATE, // each has all of it, and all count alike, as in the papers: momentum
                            // is not conserved, and compliant constraints become too soft
} pliant_merge;

// Whether the spurious torque of a sweep over the constraints is removed. It is of the order h^2: a
// hung body turns, and one that spins slows down. (docs/theory.md)
typedef enum pliant_rotation {
    PLIANT_ROTATION_KEPT = 0,     // it is removed: angular momentum is conserved, unless copies are
                                  // PLIANT_MERGE_DUPLICATE
    PLIANT_ROTATION_AS_PUBLISHED, // it stays, as in the papers
} pliant_rotation;

// Which constraints of a body with several types get their colors together, under the schedules
// patched, colored and phantom.
typedef enum pliant_color_scope {
    PLIANT_COLOR_SCOPE_ALL = 0, // all: fewest colors
    PLIANT_COLOR_SCOPE_TYPE,    // each type has colors of its own, type after type (2013, 2015). A
                             // limit of colors is for all types together, but each has one or more
} pliant_color_scope;

// How patches meet at the particles that they share. Each patch has a copy of such a particle.
typedef enum pliant_interface {
    PLIANT_INTERFACE_MERGED = 0, // all patches at once, each copy with its share of the mass; the
                                 // copies meet in their mean once per iteration
    PLIANT_INTERFACE_ORDERED,    // neighbors one after the other, each going on from the last one's
                                 // result: exact Gauss-Seidel, with a few barriers per iteration
} pliant_interface;

// How clusters are found.
typedef enum pliant_clustering {
    PLIANT_CLUSTERING_COMPACT = 0, // nodes that share most with the whole cluster: fewest colors
    PLIANT_CLUSTERING_NEIGHBORS,   // greedy K-neighbor clustering (2022, Algorithm 4)
    PLIANT_CLUSTERING_CELLS,       // the mesh's tet_cell: 8 colors for boxes; needs a generated box
} pliant_clustering;

// How a substep is made of its sweeps over the constraints.
typedef enum pliant_integrator {
    PLIANT_INTEGRATOR_FORESIGHT =
        0, // constraints see a part of the substep: the same error with about a third fewer
           // substeps, and a fifth of the damping. Approaches implicit Euler where a substep is too
           // coarse, a material nearly incompressible, or there are several iterations
    PLIANT_INTEGRATOR_IMPLICIT_EULER,   // they see all of it: XPBD as published, and BDF1
    PLIANT_INTEGRATOR_SYMPLECTIC_EULER, // forces at the start of the substep, a quarter implicit:
                                        // no damping at all, not even of solver noise. Like
                                        // foresight, approaches implicit Euler. Stable from the
                                        // number of substeps on that pliant_asset_substeps returns;
                                        // with fewer a body may explode, rather at a middle number
                                        // than at the fewest
    PLIANT_INTEGRATOR_VERLET, // positions alone, as in 2013: a particle goes on by its last motion,
                              // less the drag. Without drag, and with all substeps alike, the same
                              // as implicit Euler
    // Implicit Euler of second order: smooth motion loses less energy by orders of magnitude.
    // Particles remember the substep before, so they take 16 bytes more each. Where motion is not
    // smooth a substep is of first order: the first one, those after positions, velocities, pins or
    // attachments were changed, or more than doubled steps; of a particle, while it is in contact.
    // It keeps the angular momentum of a steady spin (to 6e-4 in 10 s), but not that of a body that
    // vibrates strongly at automatic substeps: use more of them there, or another integrator.
    PLIANT_INTEGRATOR_BDF2,
} pliant_integrator;

typedef enum pliant_precision {
    PLIANT_PRECISION_SINGLE = 0,
    PLIANT_PRECISION_DOUBLE
} pliant_precision;

// How a body is solved. The defaults are good for all bodies.
typedef struct pliant_solver_def {
    pliant_formulation formulation;
    double shear_relaxation; // [-] of the ten rows, 1 to 100: more stable, lags more
    pliant_integrator integrator;
    pliant_schedule schedule;
    pliant_interface patch_interface;
    int patch_rows;   // most particles of a patch, 16 to 65535; 0: 1536, or what makes 132
                      // patches for a GPU (of about 256 nodes or more, and up to 3328 rows)
    int patch_colors; // merged patches need no more colors than this: particles with more
                      // elements get more copies. 4 to 256; 0: a 32nd of the patch's
                      // elements, at least 64, which only extreme meshes exceed; for a GPU
                      // a 124th, at least 20
    pliant_backend target_backend; // sizes the patches: few large ones for the CPU (auto), one for
                                   // each multiprocessor of a large GPU; any backend runs both
    pliant_precision precision;    // PLIANT_PRECISION_DOUBLE: the reference, scalar
} pliant_solver_def;

// What only serves to compare with publications and to repeat their results.
typedef struct pliant_research_def {
    pliant_lame_convention lame_convention;
    pliant_stiffness_mode stiffness_mode;
    pliant_stiffness_def stiffness; // for PLIANT_STIFFNESS_MODE_CLASSIC
    pliant_boundary_def boundary;   // of tets that are held by their edges
    double drag; // [-] of PLIANT_INTEGRATOR_VERLET: part of its velocity that a particle loses in
                 // each substep, 0 to 1
    pliant_rotation rotation;
    pliant_merge merge;
    pliant_color_scope color_scope;
    int most_colors; // of phantom, and of hybrid before the rest: 1 to 256; 0: half of the largest
                     // clique, 2 or more
    pliant_phantoms phantoms;
    double relaxation; // [-] omega of jacobi, and of the rest of hybrid: factor on corrections,
                       // above 0 and below 2
    pliant_clustering clustering;
    int cluster_size; // most nodes in a cluster (K_s), 1 to 64
} pliant_research_def;

#define PLIANT_MOST_PARTICLES 100000000 // that a body may have room for

// What a soft body is made of. Everything here is compiled once into an asset.
typedef struct pliant_soft_def {
    pliant_material_def material;         // of tets and ropes
    const pliant_material_def* materials; // a table instead, chosen by the mesh's tet_region: NULL
    int material_count;                   // for one material
    pliant_cloth_def cloth;               // of triangles, where the mesh has no tets
    pliant_rope_def rope;                 // of edges
    pliant_clusters_def clusters;         // of particles without elements
    pliant_liquid_def liquid;             // likewise
    pliant_gas_def gas;                   // likewise: either
    pliant_heat_def heat;                 // of what flows
    bool carried; // loose particles go where the gas and the air around them go, and nothing else
                  // acts on them: smoke. They weigh nothing and touch nothing. Once a step each
                  // follows the velocity of the gas near it (by a kernel) and beside the gas that
                  // of the air; a million are possible. With a heat they have the gas's temperature
    double radius; // [m] of the particles: contacts keep this distance. Of particles without
                   // elements where the mesh has no vertex_radius: they are balls of that size
    // How many loose particles a body has room for, those of the mesh among them, which may then
    // have none: particles come and go while the world runs (pliant_body_add_particles). 0: as many
    // as the mesh has, and they stay. At most PLIANT_MOST_PARTICLES.
    int capacity;
    // The body does not deform: it moves and turns as one, with the mass, center and inertia of its
    // tets, of what a closed surface of triangles encloses (with the density of the material), or
    // of its sheets, edges and balls. Of all else that bodies are made of nothing counts then. See
    // "rigid bodies".
    bool rigid;
    // Tethers (long-range attachments): no particle of cloth or rope gets farther from the nearest
    // of these particles, which are to be pinned, than 1 + tether_slack times the shortest way
    // along edges. Cloth stretches no more than that however few the iterations. Use patches with
    // them: other schedules need a color for each tether of one anchor.
    const int* anchors; // anchor_count particles; NULL: no tethers
    int anchor_count;
    double tether_slack; // [-] 0 or more
    pliant_solver_def solver;
    pliant_research_def research;
    // Called now and then by the thread that compiles, with the part of the work that is done [-],
    // ascending from 0 to 1; false ends it soon, with PLIANT_ERROR_CANCELED and nothing left. NULL:
    // no progress.
    bool (*progress)(double part, void* context);
    void* context;
    uint32_t cookie;
} pliant_soft_def;
PLIANT_API pliant_soft_def pliant_soft_defaults(void);

// A compiled mesh and material: constraint graph, colors, packed constants. Immutable, shared by
// its bodies, and kept alive by them: it may be destroyed while bodies use it. Mesh and materials
// are copied. Tets are solids and edges are ropes; triangles are cloth where there are no tets; a
// mesh of vertices alone is loose particles: balls with the mass of their volume, which touch each
// other and everything else. Errors: inverted or flat tets, triangles without area, vertices
// without an element, and everything that the comments above exclude.
typedef struct pliant_asset pliant_asset;
PLIANT_API pliant_result pliant_asset_create(const pliant_mesh* mesh, const pliant_soft_def* def,
                                             pliant_asset** out);
PLIANT_API void pliant_asset_destroy(pliant_asset* asset);

// A compiled asset as a file: what took seconds to compile is there again in milliseconds, and
// steps to the same bits. It is for the version of the library that wrote it, and little-endian;
// any extension may be used (.asset). The file appears whole or not at all. A file that is
// truncated, damaged, of another version, or whose numbers do not fit each other is rejected with
// PLIANT_ERROR_FORMAT and a message that names it; everything read is checked.
PLIANT_API pliant_result pliant_asset_save(const pliant_asset* asset, const char* path);
PLIANT_API pliant_result pliant_asset_load(const char* path, pliant_asset** out);

// The same in memory: pliant_asset_write_size(asset) bytes. `name` is used in error messages.
PLIANT_API size_t pliant_asset_write_size(const pliant_asset* asset);
PLIANT_API pliant_result pliant_asset_write(const pliant_asset* asset, void* out, size_t bytes);
PLIANT_API pliant_result pliant_asset_parse(const void* data, size_t bytes, const char* name,
                                            pliant_asset** out);

typedef struct pliant_asset_info {
    int particles, constraints, nodes, clusters;
    int colors;    // parallel rounds of barriers per sweep; of a patch, the most
    int patches;   // 1 for the other schedules
    double copies; // rows per particle; 1: nothing is shared
    double shared; // share of the particles that have more than one row
    int clique;    // no schedule without clusters or copies has fewer colors
    int largest_color, smallest_color; // [nodes]
    int capacity;                      // particles that a body has room for
    double mass;                       // [kg]
    double volume;                     // [m^3] of tets and ropes; cloth has none
    double shear_frequency;            // [rad/s] highest of the mesh
    double volume_frequency;           // [rad/s] highest of the mesh
    double typical_frequency;          // [rad/s] of shear: 19 of 20 particles lie below
    size_t bytes;                      // of the plan
    double compile_seconds;
} pliant_asset_info;
PLIANT_API pliant_asset_info pliant_asset_describe(const pliant_asset* asset);

// Of loose particles as many that gravity of the earth, in the last substep of a step, brings the
// smallest of them a tenth of its radius farther: gravity dt^2 / (0.1 radius), 4 or more (a world
// counts with its own gravity). Of all others:
// Substeps for a step of dt [s] at about 1 % error of the elastic energy of a body that swings,
// hangs or lies (one that is hit or pressed hard has more, 4 to 15 %: pliant_body_advise_substeps),
// by the formulation, the typical frequency, Poisson's ratio and the copies, 1 to 100000: what
// pliant_world_def.substeps = 0 uses. The highest frequency, that of a few slivers which hold
// hardly any energy, counts only for the formulations whose shear is explicit: they would shake.
PLIANT_API int pliant_asset_substeps(const pliant_asset* asset, float dt);

// Color of each tet (capacity tets), within its patch, for pictures and checks. Returns how many
// were written.
PLIANT_API int pliant_asset_read_colors(const pliant_asset* asset, int* out_color, int capacity);
// Patch of each tet, likewise.
PLIANT_API int pliant_asset_read_patches(const pliant_asset* asset, int* out_patch, int capacity);
// [Pa] shear modulus of each tet, likewise.
PLIANT_API int pliant_asset_read_shear_moduli(const pliant_asset* asset, float* out_modulus,
                                              int capacity);
// Whether the shapes at rest of some of its tets can flow (yield_stress of the material).
PLIANT_API bool pliant_asset_flows(const pliant_asset* asset);

// The mesh that it was compiled from: the asset's own, as long as that is there.
PLIANT_API const pliant_mesh* pliant_asset_mesh(const pliant_asset* asset);
// The definition that it was compiled with; pointers of it (materials, anchors, progress) are NULL.
PLIANT_API pliant_soft_def pliant_asset_definition(const pliant_asset* asset);

// ---- worlds -------------------------------------------------------------------------------------

typedef struct pliant_world pliant_world;

// A way to run tasks on the caller's threads, during a step and when a body is added: calls
// task(index, argument) once for each index below count, in any order and on any threads, and
// returns when all are done.
typedef void pliant_task_fn(int index, void* argument);
typedef void pliant_run_tasks_fn(pliant_task_fn* task, void* argument, int count, void* context);

// Arithmetic of a GPU. The CPU, and bodies of double precision, are always exact.
typedef enum pliant_arithmetic {
    PLIANT_ARITHMETIC_EXACT =
        0,                  // every operation rounded by itself: the bits of the CPU on every GPU
    PLIANT_ARITHMETIC_FAST, // fused and approximate operations: shorter steps, and bits of the
                            // GPU's own
} pliant_arithmetic;

// How the kernels of unpatched bodies are launched.
typedef enum pliant_launch_mode {
    PLIANT_LAUNCH_MODE_GRAPH = 0, // a step at once
    PLIANT_LAUNCH_MODE_EACH,      // one by one, the way of the papers
} pliant_launch_mode;

typedef struct pliant_world_def {
    pliant_vec3 gravity; // [m/s^2]
    int substeps;        // per step; 0: the most that a body needs by pliant_asset_substeps
    int iterations;      // sweeps per substep, 1 or more
    int threads;         // 0: one per core
    int lanes;           // 1, 4, 8 or 16 at once, no more than the CPU has; 0: as many
    int history;         // steps kept for pliant_world_rewind
    bool contacts;       // bodies meet each other, as their pliant_contact_def says
    int contact_passes;  // over the contacts after each sweep, 1 or more: tall stacks are stiffer
    bool contact_guard;  // surfaces do not cross, whatever their speed; false: contacts alone hold
    float exit_speed;    // [m/s] at which bodies leave colliders that they start in
    pliant_backend backend;
    pliant_arithmetic arithmetic;   // on a GPU, of bodies of single precision
    pliant_launch_mode launch_mode; // on a GPU, of bodies without patches
    pliant_run_tasks_fn* run_tasks; // NULL: the world's own threads
    void* run_tasks_context;
    int run_tasks_width; // how many tasks are worth starting at once; 0: as many as threads
    uint32_t cookie;
} pliant_world_def;
PLIANT_API pliant_world_def pliant_world_defaults(void);

// `header_version` is PLIANT_VERSION.
PLIANT_API pliant_result pliant_world_create_for(int header_version, const pliant_world_def* def,
                                                 pliant_world** out);
static inline pliant_result pliant_world_create(const pliant_world_def* def, pliant_world** out)
{
    return pliant_world_create_for(PLIANT_VERSION, def, out);
}
PLIANT_API void pliant_world_destroy(pliant_world* world);

// Advances time by dt [s], 0 or more. On PLIANT_ERROR_DIVERGED the error text names the body; that
// body is frozen at its last finite state, the others have advanced. Every step reports it until
// its positions or velocities are written, or a snapshot from before is restored. A step takes
// memory only when there are more bodies, attachments, moving pins or colliders, or substeps of
// those, than before, or more that is near each other. One that runs out of it ends in its midst:
// the world can go on from there, or back to a snapshot.
PLIANT_API pliant_result pliant_world_step(pliant_world* world, float dt);

// On a GPU pliant_world_step returns before the step is done; reading waits for it. A body that
// becomes NaN or infinite there is reported by the step after the next, or by pliant_world_wait,
// which waits for all.
PLIANT_API pliant_result pliant_world_wait(pliant_world* world);
// The name of the GPU that steps bodies of this world; NULL: none does.
PLIANT_API const char* pliant_world_device(const pliant_world* world);

PLIANT_API double pliant_world_time(const pliant_world* world); // [s]
PLIANT_API uint64_t pliant_world_step_count(const pliant_world* world);
PLIANT_API void pliant_world_set_gravity(pliant_world* world, pliant_vec3 gravity); // [m/s^2]
// Of steps from now on, as pliant_world_def.substeps; no part of the state. Worlds of a batch take
// the largest number of theirs. An error, and no change, for what a definition may not have.
PLIANT_API pliant_result pliant_world_set_substeps(pliant_world* world, int substeps);

// What the last step did. Seconds are wall-clock; of bodies on a GPU only what it took to send the
// work there.
typedef struct pliant_profile {
    double predict, sweep, contacts, update, total; // [s] viscosity counts as sweep
    int substeps, iterations, threads, lanes;
    int launches; // of kernels and graphs on a GPU in the last step, of all worlds of a batch
    size_t device_bytes; // of plans and states that the world, or its batch, now holds on a GPU
} pliant_profile;
PLIANT_API pliant_profile pliant_world_profile(const pliant_world* world);

// Particles that are in contact with colliders at the end of the last step. Waits for bodies on a
// GPU.
PLIANT_API pliant_result pliant_world_count_contacts(const pliant_world* world, int* out_count);

typedef struct pliant_energies {
    double kinetic; // [J]
    double elastic; // [J] of the elements, above rest
    double gravity; // [J] relative to the origin
    // [J] how much of `elastic` is an error of the setting (too few substeps) and not motion: noise
    // of the size of single elements, and the lag of a single sweep. An estimate from positions,
    // forces and the last step's substeps: of the true error's order (mostly within a factor of 2,
    // 3 at worst) from 2 % on, and never above `elastic`. 0 at rest and for a rigid motion. Where
    // its share is too much, pliant_body_advise_substeps has the number to use. It does not know
    // the energy that large steps take from a motion, nor the pressure of an incompressible
    // material (poisson = 0.5).
    double unresolved;
} pliant_energies;
PLIANT_API pliant_result pliant_world_energies(const pliant_world* world, pliant_energies* out);

// ---- batches ------------------------------------------------------------------------------------

// Many worlds, equal or different, that are stepped by one call: thousands of small ones keep a GPU
// or all cores busy where each alone would not. Each of them is used like any other world (bodies,
// colliders, reading, writing, snapshots to reset it), except that the batch steps and destroys it.
// Worlds of a batch share its threads or its GPU, so a batch is used by one thread at a time.
typedef struct pliant_batch pliant_batch;

// `def` is for all its worlds; with substeps = 0 they take the largest number that one of them
// needs.
PLIANT_API pliant_result pliant_batch_create(const pliant_world_def* def, pliant_batch** out);
// Destroys its worlds too.
PLIANT_API void pliant_batch_destroy(pliant_batch* batch);

// A new world, empty. It is number pliant_batch_count - 1.
PLIANT_API pliant_result pliant_batch_add(pliant_batch* batch, pliant_world** out);
PLIANT_API int pliant_batch_count(const pliant_batch* batch);
PLIANT_API pliant_world* pliant_batch_world(const pliant_batch* batch, int number);

// Advances all worlds by dt [s]. PLIANT_ERROR_DIVERGED: the text names the first world and body
// that became NaN or infinite; the others have advanced.
PLIANT_API pliant_result pliant_batch_step(pliant_batch* batch, float dt);
// Waits for unfinished steps on a GPU, and reports the same.
PLIANT_API pliant_result pliant_batch_wait(pliant_batch* batch);

// All particles at once, worlds in their order, bodies of a world in that of pliant_world_bodies:
// a GPU is asked once, and not body by body. `count` is pliant_batch_particle_count, else nothing
// is done. Positions [m] and velocities [m/s] can be written, as pliant_body_write_positions does.
typedef enum pliant_quantity {
    PLIANT_QUANTITY_POSITION = 0,  // [m]
    PLIANT_QUANTITY_VELOCITY,      // [m/s]
    PLIANT_QUANTITY_CONTACT_FORCE, // [N] mean over the last step
} pliant_quantity;
PLIANT_API size_t pliant_batch_particle_count(const pliant_batch* batch);
PLIANT_API pliant_result pliant_batch_read(const pliant_batch* batch, pliant_quantity what,
                                           pliant_vec3* out, size_t count);
PLIANT_API pliant_result pliant_batch_write(pliant_batch* batch, pliant_quantity what,
                                            const pliant_vec3* in, size_t count);

// ---- bodies -------------------------------------------------------------------------------------

typedef struct pliant_body_id {
    uint32_t index1, generation;
} pliant_body_id;

// How a body meets other bodies, and itself. Surfaces meet: the boundary of tets and cloth from
// both sides, ropes as tubes. Pairs that are nearer at rest than they are thick, and neighbors, do
// not touch each other.
typedef struct pliant_contact_def {
    uint32_t group;        // bits: the groups that it belongs to. Default: the first
    uint32_t mask;         // bits: the groups that it meets. Two bodies meet when each belongs to a
                           // group that the other one meets. Default: all. 0: it meets no body
    bool self;             // it meets itself
    float thickness;       // [m] of its surface, half of it on each side: bodies keep the mean of
                           // both thicknesses as a distance. 0: twice the particles' radius, or
                           // where that is 0 a tenth of the mean edge of cloth, a twentieth of
                           // that of the surface of tets, of ropes their diameter
    float static_friction; // [-] with another body: the geometric mean of both
    float dynamic_friction; // [-] likewise
    float restitution;      // [-] 0 to 1; the larger of both counts. The contact gives back its
                            // square of the energy that an impact takes from particles, when they
                            // part. A soft body comes back by its own elasticity, whatever it is
    float compliance;       // [m/N] of a contact, the sum of both; 0: hard
    // [-] of loose particles, 0 to 1: how far beside its middle the push of the ground acts on a
    // ball that rolls, in radii. Loose particles do not turn. Where one would roll over another,
    // friction holds it up to this share of their push and no more: heaps of balls that roll
    // easily are flat. 1: they do not roll, and friction alone decides. Of two bodies the mean
    // (geometric).
    float rolling_resistance;
} pliant_contact_def;

// How air acts on a body, where the world has some (pliant_world_set_air). With the velocity u of
// the air as a triangle sees it, the angle of attack a between them and the density rho, a triangle
// of area A has
//
//     drag  rho/2 A u^2 (friction + drag sin^2 a)   along u,
//     lift  rho/2 A u^2 lift sin a cos a            across u.
//
// With lift = drag all but friction is a pressure: the force is along the normal. Cloth has the air
// on both sides. Of a closed surface, the boundary of tets too, each triangle has half of it: a
// cube has the drag of one of its faces, a ball 2/3 of that of its section. Ropes are cylinders:
// drag by their cross flow, their length times their diameter, and friction along them. Grains are
// balls, which have drag alone. Clusters of particles feel no air.
typedef struct pliant_airfoil_def {
    float drag;     // [-] broadside; 0: by shape, 1.2 of triangles, 1.1 of ropes, 0.47 of balls
    float lift;     // [-] of triangles: its slope at small angles. A thin plate that is as long as
                    // wide has 1.6, a slender wing has 2 pi until it stalls
    float friction; // [-] edge on, of both sides of a sheet together
    float exposure; // [-] a factor on all of it; 0: the body feels no air
} pliant_airfoil_def;

// How a body that is none meets the liquids of its world. Particles of liquids touch all bodies as
// grains of half a spacing do. That alone keeps them out, and holds them in a sack of cloth.
typedef enum pliant_immersion {
    // The body counts in the density of the liquid by its volume, as the liquid that it displaces
    // would, and gets what that pushes, equal and opposite: liquids are as dense beside it as
    // elsewhere, and it floats as deep as its density says. Contacts carry what is left.
    PLIANT_IMMERSION_DENSITY = 0,
    PLIANT_IMMERSION_CONTACTS, // nothing but contacts
} pliant_immersion;
typedef struct pliant_immersion_def {
    pliant_immersion by;
} pliant_immersion_def;

// Where a body starts and how it behaves as an instance.
typedef struct pliant_body_def {
    double position[3]; // [m] of the mesh's origin
    pliant_quat rotation;
    pliant_vec3 velocity;           // [m/s]
    pliant_vec3 angular_velocity;   // [rad/s] about the center of mass
    bool held;                      // of a rigid body: nothing pushes it, it goes on as it starts
    float gravity_scale;            // [-]
    float friction;                 // [-] multiplies the colliders' coefficients
    float restitution;              // [-] 0 to 1; multiplies the colliders' restitution
    pliant_contact_def contact;     // with other bodies and itself
    pliant_airfoil_def air;         // where the world has some
    pliant_immersion_def immersion; // where liquids are
    void* user_data;                // the caller's own; Pliant does not look at it
    uint32_t cookie;
} pliant_body_def;
PLIANT_API pliant_body_def pliant_body_defaults(void);

// `out` may be NULL, here and for colliders, attachments and joints.
PLIANT_API pliant_result pliant_world_add_body(pliant_world* world, const pliant_asset* asset,
                                               const pliant_body_def* def, pliant_body_id* out);
// Compiles an asset for this body alone.
PLIANT_API pliant_result pliant_world_add_soft(pliant_world* world, const pliant_mesh* mesh,
                                               const pliant_soft_def* soft,
                                               const pliant_body_def* def, pliant_body_id* out);
// Its attachments and joints go with it.
PLIANT_API void pliant_body_remove(pliant_world* world, pliant_body_id body);
PLIANT_API bool pliant_body_is_valid(const pliant_world* world, pliant_body_id body);
PLIANT_API int pliant_world_body_count(const pliant_world* world);
// Bodies in the order of their slots; capacity in ids. Returns how many were written.
PLIANT_API int pliant_world_bodies(const pliant_world* world, pliant_body_id* out, int capacity);

PLIANT_API int pliant_body_particle_count(const pliant_world* world, pliant_body_id body);
PLIANT_API double pliant_body_mass(const pliant_world* world, pliant_body_id body); // [kg]
PLIANT_API pliant_result pliant_body_energies(const pliant_world* world, pliant_body_id body,
                                              pliant_energies* out);
// Substeps that would leave about 0.5 % of the body's elastic energy unresolved, in steps as long
// as the last one and as the body is now: those of the last step where they did. At most 1e6.
PLIANT_API pliant_result pliant_body_advise_substeps(const pliant_world* world, pliant_body_id body,
                                                     int* out);
PLIANT_API void pliant_body_set_gravity_scale(pliant_world* world, pliant_body_id body,
                                              float scale);
PLIANT_API void pliant_body_set_friction(pliant_world* world, pliant_body_id body, float friction);
PLIANT_API void pliant_body_set_restitution(pliant_world* world, pliant_body_id body,
                                            float restitution);
// What the body is made of; valid as long as the body has it.
PLIANT_API const pliant_asset* pliant_body_asset(const pliant_world* world, pliant_body_id body);
// Makes it of something else from the next step on: another stiffness, Poisson's ratio, damping,
// density, or another shape at rest. Particles stay where they are with their velocities, forces,
// pins and attachments, and the body goes on as one that was made of this asset, to the bit; with
// substeps = 0 their number follows. The asset has the same elements, precision and places of
// particles in memory: compile it from a mesh with the same elements, and a definition with the
// same schedule, patches and order of the integrator; others are refused. What has flowed of its
// tets goes on, so the same ones have a yield_stress. Assets may be compiled in another thread
// meanwhile. Rewinding does not lead back across it, and forces on colliders and of
// attachments are 0 until the next step.
PLIANT_API pliant_result pliant_body_set_asset(pliant_world* world, pliant_body_id body,
                                               const pliant_asset* asset);
PLIANT_API void* pliant_body_user_data(const pliant_world* world, pliant_body_id body);
PLIANT_API void pliant_body_set_user_data(pliant_world* world, pliant_body_id body, void* data);
// [m] the box around its particles, with their radii. Where none is there it is empty: from
// INFINITY to -INFINITY.
PLIANT_API pliant_result pliant_body_bounds(const pliant_world* world, pliant_body_id body,
                                            double out_min[3], double out_max[3]);
// Moves the body as a whole, without passing what is between: it is turned about `pivot` [m], then
// moved by `translation` [m]. Velocities turn with it, pinned particles go along, points of
// attachments stay. Like written positions, it may end inside of colliders, and is then moved out.
PLIANT_API pliant_result pliant_body_teleport(pliant_world* world, pliant_body_id body,
                                              const double pivot[3], pliant_quat rotation,
                                              const double translation[3]);

// ---- rigid bodies -------------------------------------------------------------------------------
//
// A body of an asset that is `rigid` moves and turns as one. It has the mass, center and inertia of
// what it is made of, in double, and its particles follow; free, it keeps its angular momentum to
// rounding. It meets other bodies of all kinds, and colliders, by its surface: colliders of all
// shapes, planes too, and those that others meet by particles alone. What starts inside another
// surface is let out at the world's `exit_speed`. Particles of it are neither pinned nor written
// one by one; forces on them push and turn the body.

// What its asset says of it.
typedef struct pliant_rigid_info {
    double mass;       // [kg]
    double center[3];  // [m] of mass, in the mesh
    double inertia[3]; // [kg m^2] about its axes
    double axes[3][3]; // in the mesh, one a row
} pliant_rigid_info;
PLIANT_API pliant_result pliant_asset_rigid(const pliant_asset* asset, pliant_rigid_info* out);

// Where a rigid body is, and how it goes.
typedef struct pliant_motion {
    double position[3];         // [m] of the mesh's origin
    double rotation[4];         // of the mesh, as a quaternion x y z w; of any length but zero
    double velocity[3];         // [m/s] of the center of mass
    double angular_velocity[3]; // [rad/s]
    // Not for pliant_body_set_motion, which leaves it as it is:
    double center[3];           // [m] of mass
    double angular_momentum[3]; // [kg m^2/s] about it
    bool held;
} pliant_motion;
PLIANT_API pliant_result pliant_body_motion(const pliant_world* world, pliant_body_id body,
                                            pliant_motion* out);
// Places it, without passing what is between.
PLIANT_API pliant_result pliant_body_set_motion(pliant_world* world, pliant_body_id body,
                                                const pliant_motion* to);
// An impulse [N s] at a place [m]: velocities change at once. What is held does not mind.
PLIANT_API pliant_result pliant_body_push(pliant_world* world, pliant_body_id body,
                                          const double place[3], const double impulse[3]);
// Held, nothing pushes it: it goes on at its velocity and angular velocity, and others give way.
PLIANT_API pliant_result pliant_body_set_held(pliant_world* world, pliant_body_id body, bool held);

// What the tets of a region of the mesh (tet_region; -1: all) want to be from now on, by their
// materials: each length grows by expansion times `warmth` [K above that of the mesh], and fibers
// are shorter by contraction times `signal`, -1 to 1 (below 0: longer), while the volume stays. All
// 0 is the mesh's shape. It is a shape at rest: what holds the body against it feels its stress.
// Call it as often as you like, between steps; snapshots have it. Forgetting plastic strains
// forgets it, too. Bodies of which no tet of the region has an expansion or contraction are errors.
PLIANT_API pliant_result pliant_body_swell(pliant_world* world, pliant_body_id body, int region,
                                           double warmth, double signal);

// Copies of the first particles, in the mesh's vertex order: `capacity` of them, or all.
PLIANT_API pliant_result pliant_body_read_positions(const pliant_world* world, pliant_body_id body,
                                                    pliant_vec3* out, int capacity); // [m]
PLIANT_API pliant_result pliant_body_read_velocities(const pliant_world* world, pliant_body_id body,
                                                     pliant_vec3* out, int capacity); // [m/s]
// Force of the colliders and of other bodies on each particle, mean over the last step [N]: what
// they do to its momentum, friction and bounce included. Moving out what was inside already takes
// none.
PLIANT_API pliant_result pliant_body_read_contact_forces(const pliant_world* world,
                                                         pliant_body_id body, pliant_vec3* out,
                                                         int capacity);
// The solver keeps more digits than a float holds: 3 doubles a particle.
PLIANT_API pliant_result pliant_body_read_positions_exact(const pliant_world* world,
                                                          pliant_body_id body, double* out,
                                                          int capacity); // [m]
PLIANT_API pliant_result pliant_body_read_masses(const pliant_world* world, pliant_body_id body,
                                                 double* out, int capacity); // [kg]
// [N] of the pins on each particle, mean over the last step of dt [s], 3 numbers each; zero where
// nothing is pinned. `before`: the velocities of all particles before that step, from whose change
// of momentum the sum is known exactly, whatever the substeps. NULL: the elements at the pins alone
// tell, which is right for fine substeps. `capacity` is the number of particles, or more.
PLIANT_API pliant_result pliant_body_read_pin_forces(const pliant_world* world, pliant_body_id body,
                                                     const pliant_vec3* before, double dt,
                                                     double* out, int capacity);
// What has flowed of each tet (yield_stress of the material): of the first tets of the mesh,
// `capacity` of them, or all. Nothing of those that cannot flow. The plastic strain [-] is what all
// flowing has added up to, there and back: of a bar that is drawn, its logarithmic strain.
PLIANT_API pliant_result pliant_body_read_plastic_strains(const pliant_world* world,
                                                          pliant_body_id body, float* out,
                                                          int capacity);
// [-] 9 numbers a tet: by columns, the inverse of the matrix that makes the edges of the mesh those
// of the tet at rest. Its determinant is 1.
PLIANT_API pliant_result pliant_body_read_plastic_shapes(const pliant_world* world,
                                                         pliant_body_id body, double* out,
                                                         int capacity);
// The shape at rest is that of the mesh again, as if nothing had flowed, of clusters too. (Writing
// positions alone leaves it as it is.)
PLIANT_API pliant_result pliant_body_forget_plastic_strains(pliant_world* world,
                                                            pliant_body_id body);

// A cluster of particles as a whole (pliant_clusters_def): where the center of its shape at rest
// (the mean of the particles in the mesh, by mass) is now, and how the shape is turned from there.
typedef struct pliant_cluster_pose {
    double position[3]; // [m]
    pliant_quat rotation;
    int particles; // in it
} pliant_cluster_pose;
// 0: the body has none.
PLIANT_API int pliant_body_cluster_count(const pliant_world* world, pliant_body_id body);
// Of the first `capacity` clusters, or all.
PLIANT_API pliant_result pliant_body_read_clusters(const pliant_world* world, pliant_body_id body,
                                                   pliant_cluster_pose* out, int capacity);
// Puts each particle to its place in the shapes of its clusters, or to the mean of these places,
// with its velocity as it was. `count` is that of the clusters; `particles` is not looked at.
PLIANT_API pliant_result pliant_body_write_clusters(pliant_world* world, pliant_body_id body,
                                                    const pliant_cluster_pose* poses, int count);

PLIANT_API pliant_result pliant_body_write_positions(pliant_world* world, pliant_body_id body,
                                                     const pliant_vec3* positions,
                                                     int count); // [m]
PLIANT_API pliant_result pliant_body_write_positions_exact(pliant_world* world, pliant_body_id body,
                                                           const double* positions,
                                                           int count); // [m]
PLIANT_API pliant_result pliant_body_write_velocities(pliant_world* world, pliant_body_id body,
                                                      const pliant_vec3* velocities,
                                                      int count); // [m/s]

// The solver's own memory, without a copy: particle i is at (const char*)data + row[i] * stride, or
// + i * stride where row is NULL. Floats, or doubles for a body of double precision (scalar_bytes
// tells). Valid until the next call that changes the world.
typedef struct pliant_view {
    const void* data;
    const int* row; // of each particle: patches have their particles together
    size_t stride;
    int count, scalar_bytes;
} pliant_view;
PLIANT_API pliant_result pliant_body_view_positions(const pliant_world* world, pliant_body_id body,
                                                    pliant_view* out);
PLIANT_API pliant_result pliant_body_view_velocities(const pliant_world* world, pliant_body_id body,
                                                     pliant_view* out);

// The solver's memory on the backend that steps the body: device memory where that is a GPU, for
// kernels of the caller's own. Rows are of floats (doubles by scalar_bytes), in the order of the
// patches; particle i is row[i], or i where row is NULL (then in device memory too):
//   rows         x y z [m], inverse mass [1/kg], 4 numbers of the step, 8 scalars in all
//   velocities   vx vy vz [m/s], inverse mass, 4 scalars
// A particle that patches share has several rows, which hold the same position and velocity:
// `copies` is 1 where there are none, and then rows may be written, too, between steps: positions
// and velocities. Ask for the view again after the work that writes was given to the stream: what
// is read then is new. Asking for the view counts as a change of positions and velocities for
// PLIANT_INTEGRATOR_BDF2. Work on `stream` (a cudaStream_t; NULL on the CPU) comes after the steps
// before it and before those after it. Valid as long as the body.
typedef struct pliant_state_view {
    void *rows, *velocities;
    const int* row;
    size_t row_stride, velocity_stride; // [bytes]
    int count, row_count, scalar_bytes;
    double copies; // rows per particle
    void* stream;
    bool on_device;
} pliant_state_view;
// On the CPU rows are the host's.
PLIANT_API pliant_result pliant_body_view_state(pliant_world* world, pliant_body_id body,
                                                pliant_state_view* out);

typedef struct pliant_particle {
    bool present;   // it is there; false: its number is free, and all else here is 0
    float radius;   // [m]
    uint32_t phase; // its own groups, in place of those of its body's pliant_contact_def; 0: those.
                    // A pair touches when each particle of one side may meet each of the other
    bool pinned;
    unsigned axes; // along which it is pinned, of one that is not: pliant_axis
} pliant_particle;
PLIANT_API pliant_result pliant_body_particle(const pliant_world* world, pliant_body_id body,
                                              int particle, pliant_particle* out);
// Of the first `capacity` particles, or all.
PLIANT_API pliant_result pliant_body_read_particles(const pliant_world* world, pliant_body_id body,
                                                    pliant_particle* out, int capacity);
PLIANT_API pliant_result pliant_body_set_radius(pliant_world* world, pliant_body_id body,
                                                int particle,
                                                float radius); // [m]
PLIANT_API void pliant_body_set_phase(pliant_world* world, pliant_body_id body, int particle,
                                      uint32_t phase);

// ---- particles that come and go -----------------------------------------------------------------
//
// A body of loose particles with a `capacity` (pliant_soft_def) has that many numbers, and
// pliant_body_particle_count tells how many these are. Numbers never change: a particle keeps its
// own as long as it is there. The mesh's particles have the first numbers; one that is added gets
// the lowest number that is free. The number of one that was removed is free again after the next
// step, so that nobody takes over what it did. An absent particle meets nobody, has no mass, and is
// where it was last; what is written to it changes nothing, and it can be neither pinned nor
// joined. Positions and all else of it can be read, pliant_body_read_particles tells who is there,
// and its mass is 0.

typedef struct pliant_particles_def {
    int count;
    const double* positions;       // [m] 3 each
    const pliant_vec3* velocities; // [m/s] of each; NULL: at rest
    const double* radius;          // [m] of each, above 0; NULL: that of the body's definition, or
                                   // of the smallest particle of its mesh
    const double* mass;            // [kg] of each, above 0; NULL: that of balls of its material
    const float* temperatures;     // [K] of each, above 0; NULL: that of the body's definition
    uint32_t phase;                // of all (pliant_particle)
    double lifetime;               // [s] after which they are removed; 0: they stay
    uint32_t cookie;
} pliant_particles_def;
PLIANT_API pliant_particles_def pliant_particles_defaults(void);

// Adds all of them, or none where the body has not enough room: that is PLIANT_ERROR_ARGUMENT, and
// the text tells how many there is room for. out_numbers (count, or NULL): the number of each.
// Where they are put into others or into colliders they are pushed out.
PLIANT_API pliant_result pliant_body_add_particles(pliant_world* world, pliant_body_id body,
                                                   const pliant_particles_def* def,
                                                   int* out_numbers);
// Removes all of them, or none where one is absent, named twice, or held by an attachment or a
// joint. Pins of them are gone, too.
PLIANT_API pliant_result pliant_body_remove_particles(pliant_world* world, pliant_body_id body,
                                                      const int* numbers, int count);
// Removes those in a region of the world, but for those that attachments or joints hold.
// `out_count` (may be NULL) is how many these were; none is no error.
PLIANT_API pliant_result pliant_body_drain(pliant_world* world, pliant_body_id body,
                                           const pliant_region* region, int* out_count);
// How many there are, and how many could be added now.
PLIANT_API int pliant_body_present_count(const pliant_world* world, pliant_body_id body);
PLIANT_API int pliant_body_room(const pliant_world* world, pliant_body_id body);

// ---- skins --------------------------------------------------------------------------------------

// A surface that bodies carry along: coarse tets are simulated, a fine surface is seen. Every
// vertex hangs on a tet by its barycentric coordinates, or on the nearest one where it lies outside
// of all. Rigid and affine motions are carried exactly, and at rest the surface is where it was.
// On cloth a vertex is at a place of a triangle, and a height along the cloth's smooth normal:
// rigid motions are carried exactly. The processor places it, also where the cloth is on a GPU.
// Clusters of particles carry a surface by linear skinning: a vertex goes with the mean of the
// particles around it, and turns with their clusters. Dents of the particles are dents of it.
typedef struct pliant_skin pliant_skin;

typedef struct pliant_skin_def {
    const pliant_mesh* surface; // its triangles; needed during the call only
    const pliant_body_id* bodies;
    int body_count; // one, or several that carry the surface together: all have tets, all are
                    // cloth, or all have clusters of particles
    // false: the surface is in the coordinates of the bodies' meshes (which several bodies then
    // share). true: it is in the world, where the bodies are now.
    bool in_world;
    // Which normal each corner of the triangles has, 3 each, from 0 to normal_count - 1: corners of
    // one vertex with different normals make an edge that stays sharp. NULL: one for each vertex.
    const int* normals;
    int normal_count;
    double reach; // [m] a vertex farther than this from all tets, or the cloth, is an error with
                  // its number; 0: half of the surface's diagonal. Beyond half an edge of the tets
                  // a vertex hangs on four particles around, and beyond 3 edges there is a warning
    uint32_t cookie;
} pliant_skin_def;
PLIANT_API pliant_skin_def pliant_skin_defaults(void);

typedef struct pliant_skin_info {
    int vertices, triangles, normals;
    int outside;         // vertices outside of all tets, or off the cloth
    double farthest;     // [m] from the tets or the cloth: the farthest of them,
    int farthest_vertex; // and its number; -1: none is outside
    double seconds;      // that it took to find what they hang on
    bool on_device;      // a GPU placed the vertices of the last update
} pliant_skin_info;

// The skin is destroyed before its world. Its bodies may not be removed while it is updated.
PLIANT_API pliant_result pliant_skin_create(pliant_world* world, const pliant_skin_def* def,
                                            pliant_skin** out);
PLIANT_API void pliant_skin_destroy(pliant_skin* skin);
PLIANT_API pliant_skin_info pliant_skin_describe(const pliant_skin* skin);

// Moves the surface to where the bodies are now, on the world's threads (or on the GPU that steps
// the bodies: then only the surface travels), and finds its normals. Takes no memory.
PLIANT_API pliant_result pliant_skin_update(pliant_skin* skin);

// As the last update (or the creation) left them. Valid until the next.
PLIANT_API const pliant_vec3* pliant_skin_positions(const pliant_skin* skin); // [m] one per vertex
PLIANT_API const pliant_vec3* pliant_skin_normals(const pliant_skin* skin);   // of length 1

// ---- contacts between bodies --------------------------------------------------------------------

// Bodies of a world meet each other, and themselves where their pliant_contact_def says so. A pair
// is a point and a triangle or a segment of a rope, or two edges, of which up to four particles
// take part. Pushes are equal and opposite: momentum is conserved, and without friction angular
// momentum, too. Surfaces do not cross during a step, whatever their speed: what would cross is
// held back, and where that is not enough it goes on at its common velocity. Bodies that cross when
// a step begins are reported, and pulled apart where one of them has an inside. Bodies that may
// touch are of one precision and of one backend.

typedef struct pliant_collider_id {
    uint32_t index1, generation;
} pliant_collider_id;

// What touched in the last step: bodies each other, and surfaces of colliders (below).
typedef struct pliant_contact {
    pliant_body_id body[2]; // of the first and the second side; twice the same for one with itself
    pliant_collider_id collider; // of the second side, which has then neither body nor particles,
                                 // and its point is that of the first; else null
    int count[2];                // particles of each side
    int particle[4];             // those of the first side, then those of the second
    double share[4];             // [-] of each in the nearest point of its side
    double point[3];             // [m] in the middle between the nearest points
    double normal[3];            // of length 1, from the second side to the first
    double depth;        // [m] by which the distance is less than the thickness; below 0: apart
    double force[3];     // [N] on the first side, mean over the step, with friction
    double normal_force; // [N] of it along the normal
} pliant_contact;
// `out_count` is how many there are, and no more of them are written than `capacity`. In the order
// of the bodies' slots and elements.
PLIANT_API pliant_result pliant_world_read_contacts(const pliant_world* world, pliant_contact* out,
                                                    int capacity, int* out_count);

// Force [N] of another body on this one, and its torque [N m] about the origin, mean over the last
// step. Either may be NULL.
PLIANT_API pliant_result pliant_body_force_of(const pliant_world* world, pliant_body_id body,
                                              pliant_body_id other, double out_force[3],
                                              double out_torque[3]);

// What two bodies did to each other in the last step: sums over all contacts between them, also
// those that ended during it.
typedef struct pliant_pair_force {
    pliant_body_id body[2]; // in the order of their slots; twice the same for one with itself
    int contacts;           // between them that pliant_world_read_contacts has
    double force[3];        // [N] of the second body on the first, mean over the step. Within one
                            // body all pushes are equal and opposite: 0
    double torque[3];       // [N m] of that about the origin
} pliant_pair_force;
// All pairs of bodies that touched in the last step, in the order of their slots. As above.
PLIANT_API pliant_result pliant_world_read_pair_forces(const pliant_world* world,
                                                       pliant_pair_force* out, int capacity,
                                                       int* out_count);

typedef enum pliant_touch {
    PLIANT_TOUCH_BEGAN = 0, // in the last step, and not in the one before
    PLIANT_TOUCH_ENDED,     // in the step before, and not in the last
} pliant_touch;
typedef struct pliant_touch_event {
    pliant_touch kind;
    pliant_body_id body[2]; // in the order of their slots
} pliant_touch_event;
// Which bodies began to touch each other, or ended to, in the last step. As above. Bodies that were
// removed are left out.
PLIANT_API pliant_result pliant_world_read_touch_events(const pliant_world* world,
                                                        pliant_touch_event* out, int capacity,
                                                        int* out_count);

// What the last step did about contacts between bodies.
typedef struct pliant_contact_stats {
    int near_pairs;         // that the last substep looked at
    int contacts;           // that pushed during it
    int lists;              // of near elements that the step made
    int guard_rounds;       // in which something would have crossed, over all substeps
    int stopped;            // particles that went on as parts of a rigid piece, over all substeps
    int squeezed;           // times that what is pinned on both sides could not be kept apart
    double guarded;         // [N s] momentum that the guard took from what went on with something
                            // pinned,
    double guarded_angular; // [N m s] and angular momentum about that. It takes none elsewhere
    double deepest;         // [m] overlap at the end of the step
    double find, solve, guard; // [s]
} pliant_contact_stats;
PLIANT_API pliant_contact_stats pliant_world_contact_stats(const pliant_world* world);

// Changes how a body meets others, from the next step on. An error, and no change, for what a
// definition may not have.
PLIANT_API pliant_result pliant_body_set_contact(pliant_world* world, pliant_body_id body,
                                                 const pliant_contact_def* contact);
PLIANT_API pliant_result pliant_body_contact(const pliant_world* world, pliant_body_id body,
                                             pliant_contact_def* out);

// ---- tearing and cutting ------------------------------------------------------------------------

// Bodies of tets, cloth and ropes come apart along faces, edges and particles of their mesh, where
// what pulls is more than the tear_strength of their material, or where they are cut. A particle
// parts: some of the elements that have it get another one at the same place, with the same
// velocity and its part of the mass. Elements keep their numbers, and so do particles: those that
// come get the next numbers. Pins, attachments and joints stay with the particle that keeps the
// number; a particle that is pinned does not part. Plan, contacts, queries and frames follow. The
// body has an asset of its own then (pliant_body_asset), compiled anew.
//
// Steps look before they begin, and part no two neighbors at once: a tear grows by one edge a step
// at each of its tips. Shorter steps let it run faster.
//
// Rigid bodies, loose particles, surfaces that hold air, what has tethers, and the formulation
// edges_and_volume do not come apart: definitions with a tear_strength are refused, and so is a
// cut. Skins are for bodies that do not.
typedef struct pliant_tear_event {
    pliant_body_id body;
    int particle;    // that parted,
    int twin;        // and the new one
    double time;     // [s] of the world
    double place[3]; // [m]
    double force;    // [N] with which it was pulled apart; 0: by a cut, or it hung by a tip alone
    double size;     // [m] of the tear along edges of cloth, [m^2] of faces of tets or of a rope
    double energy;   // [J] that it takes: size times tear_energy
} pliant_tear_event;
// What has come apart when the last step began, and since then by cuts, in the order in which it
// did. `out_count` is how many there are, and no more of them are written than `capacity`.
PLIANT_API pliant_result pliant_world_read_tear_events(const pliant_world* world,
                                                       pliant_tear_event* out, int capacity,
                                                       int* out_count);

// Cuts a body by triangles [m], 9 coordinates each: the blade, or what an edge of it sweeps. A
// particle parts whose elements lie on both sides of a triangle's plane, if the triangle is where
// the plane is nearest to it. The cut follows the faces of elements, edges of cloth. `out_count` is
// how many particles came of it; it may be NULL.
PLIANT_API pliant_result pliant_body_cut(pliant_world* world, pliant_body_id body,
                                         const double* triangles, int triangle_count,
                                         int* out_count);

// [J] that the tears of a body have taken so far: what has opened is held until it has taken the
// tear_energy, by forces that begin with the one that parted it and get less with the gap. A cut
// takes none.
PLIANT_API double pliant_body_tear_energy(const pliant_world* world, pliant_body_id body);
// Whether bodies of an asset tear by themselves.
PLIANT_API bool pliant_asset_tears(const pliant_asset* asset);
// Another number whenever elements of the body have other particles: after a tear, a cut, or the
// snapshot of another state. 0: they are those of the asset that it was made of.
PLIANT_API uint64_t pliant_body_topology(const pliant_world* world, pliant_body_id body);
// Of each particle the number of the one of the mesh that it was when the body was made.
PLIANT_API pliant_result pliant_body_read_origins(const pliant_world* world, pliant_body_id body,
                                                  int* out, int capacity);

// ---- air ----------------------------------------------------------------------------------------

// A world without air pays nothing for it. With air, each substep begins with what it does to the
// triangles of cloth and of the surfaces of soft and rigid bodies, to ropes and to grains, by their
// velocities against the wind (pliant_airfoil_def). Bodies do not slow the wind down, and are not
// in each other's lee. What would do more than stop a motion against the air is made smaller, so
// that light cloth stays calm in a strong wind, whatever the substep; elsewhere forces are exact.
// The wind is looked up once in a step, in its middle, at each particle of a surface. The same bits
// for any number of threads and lanes, and on a GPU, where wind functions are refused.
typedef struct pliant_air_def {
    float density;    // [kg/m^3] 1.2 is that of air at 20 degrees
    pliant_vec3 wind; // [m/s] everywhere
    float gust;       // [-] 0 to 1: by how much of itself the wind swells and drops at most
    float gust_time;  // [s] from one gust to the next
    float turbulence; // [m/s] of eddies, which the wind carries along: the root of the mean square
                      // of each component
    float turbulence_size; // [m] from one eddy to the next
    int seed;              // of gusts and turbulence: others have other numbers
    uint32_t cookie;
} pliant_air_def;
PLIANT_API pliant_air_def pliant_air_defaults(void); // still air of 1.2 kg/m^3
// From the next step on; NULL: none. What a world has of air is no part of snapshots, but the wind
// follows from the time, which is.
PLIANT_API pliant_result pliant_world_set_air(pliant_world* world, const pliant_air_def* def);

typedef enum pliant_wind_kind {
    PLIANT_WIND_FAN = 0, // a jet from a disc, which becomes wider and slower
    PLIANT_WIND_VORTEX,  // turns about an axis without end
} pliant_wind_kind;

// A wind from somewhere, in addition to the one that is everywhere.
typedef struct pliant_wind_def {
    pliant_wind_kind kind;
    double position[3];    // [m] of the fan's middle, or a point of the vortex's axis
    pliant_vec3 direction; // of the axis, of any length
    float speed;           // [m/s] the most: in the middle of the fan, at the vortex's radius
    float radius;          // [m]
    uint32_t cookie;
} pliant_wind_def;
PLIANT_API pliant_wind_def pliant_wind_defaults(void);
// All of them, in place of those before. They are kept when the air changes.
PLIANT_API pliant_result pliant_world_set_winds(pliant_world* world, const pliant_wind_def* winds,
                                                int count);

// A wind of the caller's, in addition: adds its velocities [m/s] to those of `count` points [m], at
// a time [s]; three numbers each. Called once in a step for each body, on the thread that steps.
typedef void pliant_wind_fn(double time, int count, const double* points, double* velocities,
                            void* context);
PLIANT_API void pliant_world_set_wind_function(pliant_world* world, pliant_wind_fn* function,
                                               void* context); // NULL: none
// The pressure of each particle of a liquid [Pa] at the end of the last step, for the first
// `capacity` particles; 0 where one is absent, and of other bodies.
PLIANT_API pliant_result pliant_body_read_pressures(const pliant_world* world, pliant_body_id body,
                                                    float* out, int capacity);

// The temperature of each particle [K], for the first `capacity` of them; 0 where one is absent or
// its body knows no heat. Writing sets those of the first `count`, above 0 each; what it says of
// absent ones is ignored.
PLIANT_API pliant_result pliant_body_read_temperatures(const pliant_world* world,
                                                       pliant_body_id body, float* out,
                                                       int capacity);
PLIANT_API pliant_result pliant_body_write_temperatures(pliant_world* world, pliant_body_id body,
                                                        const float* temperatures, int count);
// The vorticity that each particle of a gas remembers [1/s], likewise; 0 without a swirl. One whose
// velocity was written, or that is new, takes that of the flow in the next step.
PLIANT_API pliant_result pliant_body_read_swirls(const pliant_world* world, pliant_body_id body,
                                                 pliant_vec3* out, int capacity);

// What the last step did about liquids and gases; 0 of those on a GPU.
typedef struct pliant_liquid_stats {
    int particles;    // that flow
    double denser;    // [-] by which those that press are denser than at rest, in the mean,
    double densest;   // [-] and at most, at the end of the step
    double driven[3]; // [N s] momentum that vorticity added (pliant_liquid_def)
} pliant_liquid_stats;
PLIANT_API pliant_liquid_stats pliant_world_liquid_stats(const pliant_world* world);

// The wind [m/s] at a point [m] now; 0 where there is no air.
PLIANT_API pliant_result pliant_world_wind_at(const pliant_world* world, const double point[3],
                                              double out[3]);

// What air did to a body, mean over the last step. Its momentum and its angular momentum change by
// that, and its energy by the power: what is below 0 is lost to the air.
typedef struct pliant_air_load {
    double force[3];  // [N]
    double torque[3]; // [N m] about the origin; about a point p it is torque - p x force
    double power;     // [W]
} pliant_air_load;
// All 0 after a step without air.
PLIANT_API pliant_result pliant_body_air(const pliant_world* world, pliant_body_id body,
                                         pliant_air_load* out);
// How air acts on the body from the next step on.
PLIANT_API pliant_result pliant_body_set_air(pliant_world* world, pliant_body_id body,
                                             const pliant_airfoil_def* air);

// What the liquids of the world did to a body, mean over the last step: by its part of their
// densities and by contacts together.
typedef struct pliant_liquid_load {
    double force[3];  // [N]
    double torque[3]; // [N m] about the origin; about a point p it is torque - p x force
} pliant_liquid_load;
PLIANT_API pliant_result pliant_body_liquid_load(const pliant_world* world, pliant_body_id body,
                                                 pliant_liquid_load* out);

// ---- forces, pins, attachments ------------------------------------------------------------------

// Forces on particles [N] that stay until they are changed. NULL clears them.
PLIANT_API pliant_result pliant_body_set_forces(pliant_world* world, pliant_body_id body,
                                                const pliant_vec3* forces, int count);
PLIANT_API pliant_result pliant_body_add_force(pliant_world* world, pliant_body_id body,
                                               int particle, pliant_vec3 force);

// A segment of a rod (pliant_rope_def.rod): an edge of the mesh, by its number there.
typedef struct pliant_rod_segment {
    pliant_quat rotation; // of its axes. z leads along it, x and y across, as little turned against
                          // those of its neighbors as its curve at rest allows
    pliant_vec3 spin;     // [rad/s]
    pliant_vec3 force;    // [N] that it pulls its first particle with, the second the other way
    pliant_vec3 moment;   // [N m] at its begin: of a rod whose far end is turned about its axis,
                          // along that. 0 where nothing goes before
    double inertia;       // [kg m^2] of its orientation, alike about all axes: what it spins with
                          // is that times the spin, beside what its particles have
    int particles[2];     // from where to where z leads, along the rod; the mesh may have them the
                          // other way round
    bool clamped;
} pliant_rod_segment;
// 0: the body is no rod.
PLIANT_API int pliant_body_segment_count(const pliant_world* world, pliant_body_id body);
// The first `capacity` segments, or all.
PLIANT_API pliant_result pliant_body_read_segments(const pliant_world* world, pliant_body_id body,
                                                   pliant_rod_segment* out, int capacity);
// Rotations and spins [rad/s] of the first `count` segments; NULL: those stay as they are. What
// turns the body as a whole (pliant_body_teleport) turns them, too; writing positions does not.
PLIANT_API pliant_result pliant_body_write_segments(pliant_world* world, pliant_body_id body,
                                                    const pliant_quat* rotations,
                                                    const pliant_vec3* spins, int count);
// A clamped segment keeps its rotation, whatever twists it: its particles may be pinned beside.
PLIANT_API pliant_result pliant_body_clamp(pliant_world* world, pliant_body_id body, int segment);
PLIANT_API pliant_result pliant_body_unclamp(pliant_world* world, pliant_body_id body, int segment);
// Clamps, and turns the shorter way to a rotation at constant speed during the next step.
PLIANT_API pliant_result pliant_body_turn_clamp(pliant_world* world, pliant_body_id body,
                                                int segment, pliant_quat rotation);
// Torques on segments [N m] that stay until they are changed. NULL clears them.
PLIANT_API pliant_result pliant_body_set_torques(pliant_world* world, pliant_body_id body,
                                                 const pliant_vec3* torques, int count);
PLIANT_API pliant_result pliant_body_add_torque(pliant_world* world, pliant_body_id body,
                                                int segment, pliant_vec3 torque);

// A pinned particle has no freedom: it stays, or goes where it is moved, whatever pulls.
PLIANT_API pliant_result pliant_body_pin(pliant_world* world, pliant_body_id body, int particle);
// Pins along some axes of the world only, a roller or a plane of symmetry: PLIANT_AXIS_X or others,
// or several by |. All three are the same as pliant_body_pin, none as pliant_body_unpin.
typedef enum pliant_axis { PLIANT_AXIS_X = 1, PLIANT_AXIS_Y = 2, PLIANT_AXIS_Z = 4 } pliant_axis;
PLIANT_API pliant_result pliant_body_pin_axes(pliant_world* world, pliant_body_id body,
                                              int particle, unsigned axes);
// Pins every particle that now is in the region, in world coordinates. An error where there are
// none. `out_count` may be NULL.
PLIANT_API pliant_result pliant_body_pin_region(pliant_world* world, pliant_body_id body,
                                                const pliant_region* region, int* out_count);
// Pins, and moves to `target` [m] at constant velocity during the next step. When memory runs out
// it only pins, and returns PLIANT_ERROR_MEMORY.
PLIANT_API pliant_result pliant_body_move_pin(pliant_world* world, pliant_body_id body,
                                              int particle, const double target[3]);
// Frees it of any pin, also along axes.
PLIANT_API pliant_result pliant_body_unpin(pliant_world* world, pliant_body_id body, int particle);

typedef struct pliant_attachment_id {
    uint32_t index1, generation;
} pliant_attachment_id;

// A spring of rest length zero from a particle to a point. compliance [m/N]; 0 is as stiff as the
// solver can.
PLIANT_API pliant_result pliant_body_attach(pliant_world* world, pliant_body_id body, int particle,
                                            const double point[3], double compliance,
                                            pliant_attachment_id* out);
// The point goes to `target` [m] at constant velocity during the next step.
PLIANT_API pliant_result pliant_attachment_move(pliant_world* world,
                                                pliant_attachment_id attachment,
                                                const double target[3]);
PLIANT_API pliant_result pliant_attachment_remove(pliant_world* world,
                                                  pliant_attachment_id attachment);

PLIANT_API bool pliant_attachment_is_valid(const pliant_world* world,
                                           pliant_attachment_id attachment);
PLIANT_API int pliant_world_attachment_count(const pliant_world* world);
// Attachments in the order of their slots; capacity in ids. Returns how many were written.
PLIANT_API int pliant_world_attachments(const pliant_world* world, pliant_attachment_id* out,
                                        int capacity);
typedef struct pliant_attachment_info {
    pliant_body_id body;
    int particle;
    double point[3];   // [m] where it is now
    double compliance; // [m/N]
    double force[3];   // [N] on the particle, mean over the last step; 0 before one, and after a
                       // snapshot was restored
} pliant_attachment_info;
PLIANT_API pliant_result pliant_attachment_describe(const pliant_world* world,
                                                    pliant_attachment_id attachment,
                                                    pliant_attachment_info* out);

// ---- joints -------------------------------------------------------------------------------------

// A joint holds a point of one body to a point of another, or of the same one; what it does to one
// side it does to the other, with the opposite sign. Momentum is conserved, and so is angular
// momentum but for what the gap times the force makes of it. A stiff joint of one particle on each
// side is a merge: both are at the same place up to rounding. A stiff joint whose points are apart
// when it is made, or after its bodies were moved there, closes the gap at
// pliant_world_def.exit_speed; a compliant one pulls with gap / compliance from the start. Points
// turn freely about each other: two joints make a hinge, three hold two bodies as one. Where bodies
// are joined, the surfaces around the joint may still touch each other as contacts: put the joint
// where they do, or use groups that do not meet.
//
// A side may also be a place of a rigid body, or of the world, which holds it still or moves it
// (pliant_joint_move). Between rigid bodies and the world a joint can be a hinge, or hold the
// bodies as one; it has an angle, limits, a spring, a motor and friction, and its torques can be
// read. Such joints are solved all at once: a chain of any length is as stiff as one link, and
// momentum and angular momentum are kept to rounding.
//
// Joined bodies are of one precision, and both on the CPU or both on a GPU; those of a joint with
// a rigid side, or with the world, on the CPU.

// A point of a body: a particle, or a place in an edge, a triangle or a tet by barycentric shares;
// or a place of a rigid body, which may be anywhere, or of the world.
typedef struct pliant_joint_point {
    pliant_body_id body; // {0, 0}: the world
    int count;           // 1 to 4; 0: `place`, of a rigid body or of the world
    int particle[4];     //
    double share[4];     // [-] of each particle in the point, of the sum 1
    double place[3];     // [m] in the mesh's coordinates; of the world, in its own
} pliant_joint_point;

typedef enum pliant_joint_kind {
    PLIANT_JOINT_POINT, // points are held together, and turn freely: a ball joint
    PLIANT_JOINT_HINGE, // and both sides turn about one axis alone
    PLIANT_JOINT_FIXED, // and do not turn against each other
} pliant_joint_kind;

typedef enum pliant_motor {
    PLIANT_MOTOR_NONE,
    PLIANT_MOTOR_VELOCITY, // turns at a speed
    PLIANT_MOTOR_POSITION, // turns to an angle, at a speed at most, and stays there
} pliant_motor;

// A joint's angle is by how much its second side is turned about the axis against the first, from
// how they are when the joint is made; it counts whole turns. All that follows `kind` is for joints
// between rigid bodies, or of one with the world.
typedef struct pliant_joint_def {
    pliant_joint_point point[2]; // of the first and the second side
    double compliance;           // [m/N] 0: as stiff as the bodies allow
    double breaking_force;       // [N] it breaks for good after a step whose mean force is larger;
                                 // INFINITY: never. While it closes a gap of the start it does not
    pliant_joint_kind kind;
    double axis[3];         // [-] in the world, when it is made, of any length
    double breaking_torque; // [N m] likewise, of what it takes to hold or turn the axis
    double angle_limits[2]; // [rad] least and greatest angle; infinite: none
    double swing_limit;     // [rad] between the axes of both sides, of points; INFINITY: none
    double stiffness;       // [N m/rad] of a spring; of points, against all of the turn between
                            // the sides
    double rest_angle;      // [rad] at which the spring of a hinge is slack
    double damping;         // [N m s/rad]
    double friction;        // [N m] that turning takes, at most
    pliant_motor motor;
    double motor_angle;  // [rad] where a motor of position turns to
    double motor_speed;  // [rad/s] of the angle
    double motor_torque; // [N m] the most that it does; INFINITY: as much as it takes
    uint32_t cookie;
} pliant_joint_def;
// Stiff, of particle 0 on each side, and does not break; about x, and turns freely.
PLIANT_API pliant_joint_def pliant_joint_defaults(void);

typedef struct pliant_joint_id {
    uint32_t index1, generation;
} pliant_joint_id;

// Errors, and no joint: a body that is not (or no longer) in the world, of another precision than
// the other one, or not where that is stepped (CPU or GPU); particles out of range or twice; shares
// whose sum is not 1; a particle that is on both sides; both sides pinned; numbers that are not
// finite; a place of a body that is not rigid; axes where a side is not rigid; both sides the same
// rigid body.
PLIANT_API pliant_result pliant_world_add_joint(pliant_world* world, const pliant_joint_def* def,
                                                pliant_joint_id* out);
// A joint whose body is removed goes with it.
PLIANT_API pliant_result pliant_joint_remove(pliant_world* world, pliant_joint_id joint);
PLIANT_API bool pliant_joint_is_valid(const pliant_world* world, pliant_joint_id joint);
PLIANT_API int pliant_world_joint_count(const pliant_world* world);
// Joints in the order of their slots, broken ones too; capacity in ids. Returns how many were
// written.
PLIANT_API int pliant_world_joints(const pliant_world* world, pliant_joint_id* out, int capacity);

typedef struct pliant_joint_info {
    pliant_joint_point point[2];
    double compliance;     // [m/N]
    double breaking_force; // [N]
    double place[2][3];    // [m] where the points are now
    double gap;            // [m] how far apart
    double force[3]; // [N] on the first side, mean over the last step; 0 before one, and after a
                     // snapshot was restored
    bool broken;     // it holds nothing any more
    // Of joints with a rigid side, or with the world:
    pliant_joint_kind kind;
    double axis[3];   // [-] of the first side, now
    double angle;     // [rad]
    double speed;     // [rad/s] of the angle
    double swing;     // [rad] between the axes of both sides
    double torque[3]; // [N m] on the first side, about its point, mean over the last step: of all
                      // that holds and turns the axis
    double motor_torque; // [N m] of the motor, on the second side about the axis
} pliant_joint_info;
PLIANT_API pliant_result pliant_joint_describe(const pliant_world* world, pliant_joint_id joint,
                                               pliant_joint_info* out);

// What the motor of a joint does from now on. A joint that had none, too. Part of the state.
PLIANT_API pliant_result pliant_joint_set_motor(pliant_world* world, pliant_joint_id joint,
                                                pliant_motor motor, double angle, double speed,
                                                double torque);
// The side that is the world goes to a place [m] in the next step, straight, and stays there.
PLIANT_API pliant_result pliant_joint_move(pliant_world* world, pliant_joint_id joint,
                                           const double place[3]);

// The point of a rigid body that is at a place [m] now, wherever that is; of the world (body
// {0, 0}), the place.
PLIANT_API pliant_result pliant_body_place_joint_point(const pliant_world* world,
                                                       pliant_body_id body, const double place[3],
                                                       pliant_joint_point* out);
// The point of a body's surface (of a rope: of its middle line) that is nearest to a place [m].
PLIANT_API pliant_result pliant_body_find_joint_point(const pliant_world* world,
                                                      pliant_body_id body, const double place[3],
                                                      pliant_joint_point* out);
// Joins every particle of the first body that now is in the region, in world coordinates, to the
// nearest point of the second body: a cloth is sewn to a soft body. Bodies, compliance and breaking
// force are those of `like`. An error, and no joint, where there are no particles, or where some
// joint could not be added. `out_count` may be NULL.
PLIANT_API pliant_result pliant_world_sew(pliant_world* world, const pliant_joint_def* like,
                                          const pliant_region* region, int* out_count);

// ---- colliders ----------------------------------------------------------------------------------

// Colliders are obstacles for bodies. A collider stands still or follows its prescribed motion,
// whatever presses against it. It may move as a whole (below), or only its surface does, as of a
// conveyor belt.

typedef enum pliant_shape {
    PLIANT_SHAPE_PLANE = 0, // the half space below the local plane y = 0 is solid
    PLIANT_SHAPE_BOX,       // half_extents
    PLIANT_SHAPE_SPHERE,    // radius
    PLIANT_SHAPE_CAPSULE,   // radius around the local segment from -half_height to half_height on y
    PLIANT_SHAPE_MESH,      // a closed surface, through a sampled signed distance field
    PLIANT_SHAPE_CONVEX,    // the hull of a mesh's vertices, exact; the mesh needs no elements
    PLIANT_SHAPE_TRIANGLES, // a mesh's triangles as they are, open or closed: terrain, cups, rooms.
                            // Nothing is inside; no particle passes one, whatever the speed
} pliant_shape;

// How a collider meets bodies. By their particles alone, it may pass between them where it is
// smaller than their elements, and they pass through it where they are faster than half of its
// thickness in a substep. By its surface it meets triangles and edges, too, and nothing crosses it,
// whatever the speed. That costs more, and bodies keep half of their contact thickness as a
// distance. Planes need no surface. In a world with bodies on the CPU and on a GPU, those do so
// that are where the bodies are which may touch each other; where none may, those on the CPU.
typedef enum pliant_surface_contacts {
    PLIANT_SURFACE_CONTACTS_AUTO = 0, // by its surface, for bodies and in steps that need it: the
                                      // collider is small against their elements, or one of them
                                      // passes half of its thickness in a substep
    PLIANT_SURFACE_CONTACTS_ALWAYS,   // where bodies are near
    PLIANT_SURFACE_CONTACTS_NEVER,
} pliant_surface_contacts;

typedef struct pliant_collider_def {
    pliant_shape shape;
    double position[3]; // [m]
    pliant_quat rotation;
    pliant_vec3 half_extents; // [m]
    float radius;             // [m]
    float half_height;        // [m]
    const pliant_mesh* mesh;  // triangles, or tets (their boundary); of what is convex, vertices
    float cell;               // [m] of the distance field; 0: 1/64 of the longest side
    float thickness;          // [m] of triangles: what touches them is half of it away; 0: a
                              // hundredth of their mean edge
    bool two_sided;           // of triangles; false: they hold back what is at the side from which
                              // their corners are counter-clockwise, and what comes from behind
                              // passes. Bodies meet one side by their particles alone
    float static_friction;    // [-]
    float dynamic_friction;   // [-]
    float restitution;        // [-] 0 to 1; of impacts faster than what gravity brings in two
                              // substeps. It acts on the single particles at the contact: a soft
                              // body comes back by its own elasticity, whatever it is
    pliant_vec3 velocity;     // [m/s] as pliant_collider_set_velocity has it
    pliant_vec3 angular_velocity; // [rad/s]
    // Of the surface alone, while the shape stays where it is: a conveyor belt, a turntable that is
    // a plane. In the collider's own axes, about its position. Friction carries bodies along. The
    // velocity should be tangential: a component into the surface pushes.
    pliant_vec3 surface_velocity;         // [m/s]
    pliant_vec3 surface_angular_velocity; // [rad/s]
    pliant_surface_contacts surface_contacts;
    bool measure_force; // for pliant_collider_force: costs 48 bytes for each particle
    uint32_t cookie;
} pliant_collider_def;
PLIANT_API pliant_collider_def pliant_collider_defaults(void);

// A mesh is needed during the call only.
PLIANT_API pliant_result pliant_world_add_collider(pliant_world* world,
                                                   const pliant_collider_def* def,
                                                   pliant_collider_id* out);
PLIANT_API void pliant_collider_remove(pliant_world* world, pliant_collider_id collider);
PLIANT_API bool pliant_collider_is_valid(const pliant_world* world, pliant_collider_id collider);
PLIANT_API int pliant_world_collider_count(const pliant_world* world);
// Colliders in the order in which they were added; capacity in ids. Returns how many were written.
PLIANT_API int pliant_world_colliders(const pliant_world* world, pliant_collider_id* out,
                                      int capacity);

// Moving colliders. During a step the position goes along a line at constant velocity, and the
// shape turns about its position at constant angular velocity; contacts are found where it is at
// the end of each substep, with the motion of its surface at each particle: it pushes, carries
// along by friction, and throws back by restitution what it hits. A surface that goes farther than
// half of the collider's thickness in a substep may leave particles behind: bodies then meet its
// surface (pliant_surface_contacts). Where they do not, a step warns of it once, with the number of
// substeps to use. Bodies that a moving collider runs into are pushed, not
// moved out like a body that starts inside.
//
// All of these return PLIANT_ERROR_ARGUMENT with a message, and change nothing, for numbers that
// are not finite, places beyond 1e30 m, velocities beyond 1e12 m/s or 1e9 rad/s, a rotation of
// zero, and an id that is not (or no longer) one of the world's.

// Goes to this place [m] and rotation during the next step, the shorter way around, and then
// stands. Of several calls before a step the last one counts.
PLIANT_API pliant_result pliant_collider_move(pliant_world* world, pliant_collider_id collider,
                                              const double position[3], pliant_quat rotation);
// Goes on like that until it is changed: linear [m/s] and angular [rad/s], in the world's axes.
PLIANT_API pliant_result pliant_collider_set_velocity(pliant_world* world,
                                                      pliant_collider_id collider,
                                                      pliant_vec3 linear, pliant_vec3 angular);
// Puts it there at once [m], as if it had been removed and added: its velocity stays, what it
// touches feels no motion, and bodies that it now overlaps are moved out.
PLIANT_API pliant_result pliant_collider_set_pose(pliant_world* world, pliant_collider_id collider,
                                                  const double position[3], pliant_quat rotation);
// Of its surface, in its own axes: linear [m/s] and angular [rad/s].
PLIANT_API pliant_result pliant_collider_set_surface_velocity(pliant_world* world,
                                                              pliant_collider_id collider,
                                                              pliant_vec3 linear,
                                                              pliant_vec3 angular);
PLIANT_API pliant_result pliant_collider_set_friction(pliant_world* world,
                                                      pliant_collider_id collider,
                                                      float static_friction,
                                                      float dynamic_friction); // [-]
PLIANT_API pliant_result pliant_collider_set_restitution(pliant_world* world,
                                                         pliant_collider_id collider,
                                                         float restitution); // [-] 0 to 1

typedef struct pliant_collider_info {
    pliant_shape shape;
    double position[3];                     // [m]
    pliant_quat rotation;                   // of length 1
    pliant_vec3 velocity, angular_velocity; // [m/s, rad/s] as set, or of the last step's move
    pliant_vec3 surface_velocity, surface_angular_velocity; // [m/s, rad/s]
    float static_friction, dynamic_friction, restitution;   // [-]
} pliant_collider_info;
PLIANT_API pliant_result pliant_collider_describe(const pliant_world* world,
                                                  pliant_collider_id collider,
                                                  pliant_collider_info* out);

// Force [N] of all bodies on the collider, and its torque [N m] about the collider's position, mean
// over the last step: the opposite of what it does to their momentum and angular momentum. Either
// may be NULL. The same bits for any number of threads and lanes, and on a GPU. An error for a
// collider that the last step did not measure; 0 after a snapshot was restored.
PLIANT_API pliant_result pliant_collider_force(const pliant_world* world,
                                               pliant_collider_id collider, double out_force[3],
                                               double out_torque[3]);
// Whether steps from now on measure it, as measure_force of its definition.
PLIANT_API pliant_result pliant_collider_measure_force(pliant_world* world,
                                                       pliant_collider_id collider, bool measured);

// A body that overlaps colliders when a step begins, because it was placed there or a collider was,
// is not shot away by its squeezed elements. The next step warns, naming both, and moves the whole
// body out by the least translation that is found, at pliant_world_def.exit_speed: that changes
// neither its shape nor its velocities, and while it lasts the body has no weight and meets the
// colliders as if it were out already. Where there is no room, or pins and attachments hold the
// body, the colliders press it slowly. Particles count, pinned ones do not; overlaps below 1e-4 of
// the body's size are contacts. Positions written by the caller's own kernels
// (pliant_body_view_state) are not checked.

// ---- a look before the start --------------------------------------------------------------------

typedef enum pliant_finding_kind {
    PLIANT_FINDING_INSIDE,  // a body starts in colliders, and will be moved out by `way`
    PLIANT_FINDING_NO_ROOM, // it starts in them, and will be pressed: no room, or it is held
    PLIANT_FINDING_SMALL,   // a collider that meets particles alone fits between those of a body
    PLIANT_FINDING_FAST,    // a body may go through such a one from substep to substep
    PLIANT_FINDING_OVERLAP, // two bodies overlap, or loose particles of one: both are that body
    PLIANT_FINDING_FAST_COLLIDER, // such a one moves farther in a substep than it is thick, now
} pliant_finding_kind;

typedef struct pliant_finding {
    pliant_finding_kind kind;
    pliant_body_id body, other;  // null where there is none
    pliant_collider_id collider; // of several, the deepest
    double size;                 // [m] depth, or size of the collider; of fast bodies speed [m/s],
                                 // of fast colliders halves of the thickness in a substep
    pliant_vec3 way;             // [m]
    char text[400];              // a sentence, with a way out
} pliant_finding;

// Finds what may not work as intended if the world is stepped by dt [s] from now on. Bodies are
// assumed to fly freely, up to planes and for 10 s. `capacity` in findings, and no more than that
// are told: `out_count`. Changes nothing.
PLIANT_API pliant_result pliant_world_look(pliant_world* world, float dt, pliant_finding* out,
                                           int capacity, int* out_count);

// ---- queries ------------------------------------------------------------------------------------

// What is where, as bodies and colliders are now: the surface of tets, cloth from both sides, ropes
// as capsules of their radius, loose particles as balls, colliders by their shapes (a mesh through
// its distance field, about a tenth of a cell off). The first query builds a tree over the surface
// of a body, and one after a step fits it: work for all its particles. After that it is about
// log(triangles). What is on a GPU is waited for. Several threads may ask at once.

// What a ray or a point has found; both ids are null where there is nothing. Of two at the same
// distance, bodies come before colliders, and lower slots, places in the list and elements first.
typedef struct pliant_hit {
    pliant_body_id body;
    pliant_collider_id collider;
    double distance;  // [m] infinite where there is nothing
    double point[3];  // [m] on the surface
    double normal[3]; // of length 1, outward; of cloth as its triangles go around
    bool behind;      // the ray comes from the side that the normal points away from; the point is
                      // inside of tets, a rope, a particle or a collider, or on that side of cloth
    int corners;      // 3: a triangle of a body, 2: a segment of its rope, 1: a loose particle, 0:
                      // a collider
    int element;      // triangle of pliant_mesh_boundary of the tets, triangle of cloth, edge or
                      // particle
    int particle[3];  // its corners,
    double share[3];  // [-] and their shares of the point (of a rope: of its middle line)
} pliant_hit;

typedef struct pliant_ray {
    double origin[3];       // [m]
    double direction[3];    // of any length but 0
    double longest;         // [m] distance; INFINITY: any
    bool bodies, colliders; // what is looked at
    uint32_t cookie;
} pliant_ray;
// From the origin, with no direction yet, to any distance, at bodies and colliders.
PLIANT_API pliant_ray pliant_ray_defaults(void);

// The first surface along the ray. What it starts inside of is met from behind, where the ray
// leaves it. Errors: a direction of zero, what is not finite, and places beyond
// 1e100 m.
PLIANT_API pliant_result pliant_world_cast_ray(const pliant_world* world, const pliant_ray* ray,
                                               pliant_hit* out);

// The nearest surface to a point [m], no farther than `farthest` [m], which may be INFINITY.
PLIANT_API pliant_result pliant_world_find_nearest(const pliant_world* world, const double point[3],
                                                   double farthest, pliant_hit* out);
// That of one body.
PLIANT_API pliant_result pliant_body_find_nearest(const pliant_world* world, pliant_body_id body,
                                                  const double point[3], pliant_hit* out);

// A body or a collider; the other id is null.
typedef struct pliant_overlap {
    pliant_body_id body;
    pliant_collider_id collider;
} pliant_overlap;

// What a ball or a box along the axes [m] touches, or is inside of: bodies in the order of their
// slots, then colliders in the order in which they were added. `out_count` is how many there are,
// and no more of them are written than `capacity`. A radius of 0, or equal corners, is a point.
PLIANT_API pliant_result pliant_world_overlap_ball(const pliant_world* world,
                                                   const double center[3], double radius,
                                                   pliant_overlap* out, int capacity,
                                                   int* out_count);
PLIANT_API pliant_result pliant_world_overlap_box(const pliant_world* world, const double min[3],
                                                  const double max[3], pliant_overlap* out,
                                                  int capacity, int* out_count);

// ---- snapshots and digests ----------------------------------------------------------------------

// The whole state of the world in one block of bytes: positions, velocities, what has flowed, pins,
// attachments, joints, forces, gravity, time, ways out of colliders. A snapshot fits a world with
// the same bodies, attachments and joints in the same order (which may have broken since); anything
// else, and a damaged snapshot, is rejected. Of colliders it has what can change at run time: where
// they are, velocities, friction, restitution. This is restored for those that still exist, if they
// or it had changed since they were added; others stay as they are. Moves of pins and colliders
// that no step has made yet are not in it: restoring drops them.
PLIANT_API size_t pliant_world_snapshot_size(const pliant_world* world);
PLIANT_API pliant_result pliant_world_snapshot_save(const pliant_world* world, void* out,
                                                    size_t bytes);
PLIANT_API pliant_result pliant_world_snapshot_restore(pliant_world* world, const void* data,
                                                       size_t bytes);
// Back by `steps` steps, at most pliant_world_def.history. An error across a change of bodies,
// joints or attachments, or of the number of colliders.
PLIANT_API pliant_result pliant_world_rewind(pliant_world* world, int steps);

// A hash of every bit of the state. Equal states have equal digests on every machine.
PLIANT_API pliant_result pliant_world_digest(const pliant_world* world, uint64_t* out);

// ---- many worlds at once, for learning ----------------------------------------------------------

// Keeps the state of all worlds of the batch, in its memory: what pliant_batch_reset goes back to.
// What was kept before stays where that fails.
PLIANT_API pliant_result pliant_batch_keep(pliant_batch* batch);
// Takes the worlds back whose byte of `which` is not 0; NULL: all. `count` is pliant_batch_count.
// They have the bits that pliant_world_snapshot_restore gives them. Refused, before any of them
// changes, where one was added since, or has other bodies, joints or attachments.
PLIANT_API pliant_result pliant_batch_reset(pliant_batch* batch, const uint8_t* which, int count);

// A particle of one of the worlds, and a collider. Lists of them are what is seen, and what acts.
typedef struct pliant_batch_particle {
    int world;
    pliant_body_id body;
    int particle;
} pliant_batch_particle;
typedef struct pliant_batch_collider {
    int world;
    pliant_collider_id collider;
} pliant_batch_collider;

// Those particles' positions, velocities or contact forces, in their order; a GPU is asked once.
PLIANT_API pliant_result pliant_batch_gather(const pliant_batch* batch, pliant_quantity what,
                                             const pliant_batch_particle* particles, int count,
                                             pliant_vec3* out);
// Of each world, as pliant_world_energies has them. `count` is pliant_batch_count.
PLIANT_API pliant_result pliant_batch_read_energies(const pliant_batch* batch, pliant_energies* out,
                                                    int count);

// What is done to many: each item is a call of the function that is named, in their order, and the
// first one that fails ends it with its error; those before it are done.
// pliant_body_move_pin: `targets` has 3 numbers each [m].
PLIANT_API pliant_result pliant_batch_move_pins(pliant_batch* batch,
                                                const pliant_batch_particle* particles, int count,
                                                const double* targets);
// The force [N] of each of these particles from now on, in place of the one that it had; those of
// others stay (pliant_body_set_forces).
PLIANT_API pliant_result pliant_batch_set_forces(pliant_batch* batch,
                                                 const pliant_batch_particle* particles, int count,
                                                 const pliant_vec3* forces);
// pliant_collider_move: `positions` has 3 numbers each [m]. `rotations` may be NULL: none turns.
PLIANT_API pliant_result pliant_batch_move_colliders(pliant_batch* batch,
                                                     const pliant_batch_collider* colliders,
                                                     int count, const double* positions,
                                                     const pliant_quat* rotations);

#ifdef __cplusplus
}
#endif

#endif
