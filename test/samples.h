// Small files of every format and variation, for the tests of the readers. Solids are the two tets
// below; surfaces are the boundary of the first.
#pragma once
#include "meshfile/sink.h" // before cmocka, which makes fail a macro

#include "check.h"

static const double sample_vertices[15] = {0, 0, 0, 1, 0, 0, 0, 0.5, 0, 0, 0, 1, 1, 1, 1.25};
static const int sample_tets[8] = {0, 1, 2, 3, 1, 2, 3, 4};
static const int sample_regions[2] = {7, 3};
static const int sample_triangles[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2};

typedef struct {
    const char *format, *variation;
    const char* file; // name for the reader
    bool surface, regions;
    char data[2600], sibling[600]; // sibling: the .ele of a .node
    size_t bytes, sibling_bytes;
} sample;

// ---- writing numbers in either byte order

typedef struct {
    sample* to;
    bool big;
} pen;

static inline void put_raw(pen p, const void* data, size_t bytes)
{
    assert_true(p.to->bytes + bytes <= sizeof p.to->data);
    memcpy(p.to->data + p.to->bytes, data, bytes);
    p.to->bytes += bytes;
}

static inline void put(pen p, const char* text) { put_raw(p, text, strlen(text)); }

static inline void put_bits(pen p, uint64_t bits, int bytes)
{
    for (int i = 0; i < bytes; ++i) {
        unsigned char byte = (unsigned char)(bits >> (8 * (p.big ? bytes - 1 - i : i)));
        put_raw(p, &byte, 1);
    }
}

static inline void put_i32(pen p, int value) { put_bits(p, (uint32_t)value, 4); }
static inline void put_i64(pen p, int64_t value) { put_bits(p, (uint64_t)value, 8); }

static inline void put_f64(pen p, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, 8);
    put_bits(p, bits, 8);
}

static inline void put_f32(pen p, double value)
{
    float narrow = (float)value;
    uint32_t bits;
    memcpy(&bits, &narrow, 4);
    put_bits(p, bits, 4);
}

static inline void put_vertices(pen p, int count)
{
    for (int i = 0; i < 3 * count; ++i) put_f64(p, sample_vertices[i]);
}

// ---- binary files

static inline void put_gmsh22(pen p)
{
    put(p, "$MeshFormat\n2.2 1 8\n");
    put_i32(p, 1);
    put(p, "\n$EndMeshFormat\n$Nodes\n5\n");
    for (int i = 0; i < 5; ++i) {
        put_i32(p, i + 1);
        for (int k = 0; k < 3; ++k) put_f64(p, sample_vertices[3 * i + k]);
    }
    put(p, "\n$EndNodes\n$Elements\n3\n");
    const int head[] = {2, 1, 2, 1, 0, 9, 1, 2, 3, 4, 2, 2}; // a triangle, then two tets
    for (int i = 0; i < 12; ++i) put_i32(p, head[i]);
    for (int t = 0; t < 2; ++t) {
        put_i32(p, t + 2);
        put_i32(p, sample_regions[t]);
        put_i32(p, 1);
        for (int k = 0; k < 4; ++k) put_i32(p, sample_tets[4 * t + k] + 1);
    }
    put(p, "\n$EndElements\n");
}

static inline void put_gmsh41(pen p)
{
    put(p, "$MeshFormat\n4.1 1 8\n");
    put_i32(p, 1);
    put(p, "\n$EndMeshFormat\n$Entities\n");
    const int64_t entities[] = {0, 0, 0, 2};
    for (int i = 0; i < 4; ++i) put_i64(p, entities[i]);
    for (int t = 0; t < 2; ++t) {
        put_i32(p, t + 1);
        for (int k = 0; k < 6; ++k) put_f64(p, k > 2);
        put_i64(p, 1);
        put_i32(p, sample_regions[t]);
        put_i64(p, 0);
    }
    put(p, "\n$EndEntities\n$Nodes\n");
    const int64_t nodes[] = {1, 5, 1, 5};
    for (int i = 0; i < 4; ++i) put_i64(p, nodes[i]);
    const int block[] = {3, 1, 0};
    for (int i = 0; i < 3; ++i) put_i32(p, block[i]);
    put_i64(p, 5);
    for (int i = 0; i < 5; ++i) put_i64(p, i + 1);
    put_vertices(p, 5);
    put(p, "\n$EndNodes\n$Elements\n");
    const int64_t elements[] = {2, 2, 1, 2};
    for (int i = 0; i < 4; ++i) put_i64(p, elements[i]);
    for (int t = 0; t < 2; ++t) {
        put_i32(p, 3);
        put_i32(p, t + 1);
        put_i32(p, 4);
        put_i64(p, 1);
        put_i64(p, t + 1);
        for (int k = 0; k < 4; ++k) put_i64(p, sample_tets[4 * t + k] + 1);
    }
    put(p, "\n$EndElements\n");
}

static inline void put_vtk(pen p)
{
    put(p, "# vtk DataFile Version 3.0\ntitle\nBINARY\nDATASET UNSTRUCTURED_GRID\n"
           "FIELD FieldData 1\nTIME 1 1 double\n");
    put_f64(p, 0.5);
    put(p, "\nPOINTS 5 double\n");
    put_vertices(p, 5);
    put(p, "\nCELLS 2 10\n");
    for (int t = 0; t < 2; ++t) {
        put_i32(p, 4);
        for (int k = 0; k < 4; ++k) put_i32(p, sample_tets[4 * t + k]);
    }
    put(p, "\nCELL_TYPES 2\n");
    for (int t = 0; t < 2; ++t) put_i32(p, 10);
    put(p, "\n");
}

static inline void put_vtk5(pen p)
{
    put(p, "# vtk DataFile Version 5.1\ntitle\nBINARY\nDATASET UNSTRUCTURED_GRID\n"
           "POINTS 5 double\n");
    put_vertices(p, 5);
    put(p, "\nMETADATA\nINFORMATION 0\n\nCELLS 3 8\nOFFSETS vtktypeint64\n");
    for (int t = 0; t < 3; ++t) put_i64(p, 4 * t);
    put(p, "\nCONNECTIVITY vtktypeint64\n");
    for (int k = 0; k < 8; ++k) put_i64(p, sample_tets[k]);
    put(p, "\nCELL_TYPES 2\n");
    for (int t = 0; t < 2; ++t) put_i32(p, 10);
    put(p, "\n");
}

static inline void put_ply(pen p)
{
    put(p,
        p.big ? "ply\nformat binary_big_endian 1.0\n" : "ply\nformat binary_little_endian 1.0\n");
    put(p, "comment made by hand\nelement vertex 4\nproperty float x\nproperty double y\n"
           "property uchar red\nproperty float z\nelement face 4\n"
           "property list uchar uint vertex_indices\nproperty short flags\nend_header\n");
    for (int i = 0; i < 4; ++i) {
        put_f32(p, sample_vertices[3 * i]);
        put_f64(p, sample_vertices[3 * i + 1]);
        put_bits(p, 255, 1);
        put_f32(p, sample_vertices[3 * i + 2]);
    }
    for (int i = 0; i < 4; ++i) {
        put_bits(p, 3, 1);
        for (int k = 0; k < 3; ++k) put_i32(p, sample_triangles[3 * i + k]);
        put_bits(p, 0xffff, 2);
    }
}

static inline void put_stl(pen p)
{
    char header[80] = "solid in name only";
    put_raw(p, header, 80);
    put_i32(p, 4);
    for (int i = 0; i < 12; ++i) {
        for (int k = 0; i % 3 == 0 && k < 3; ++k) put_f32(p, NAN); // normals are not looked at
        for (int k = 0; k < 3; ++k) put_f32(p, sample_vertices[3 * sample_triangles[i] + k]);
        if (i % 3 == 2) put_bits(p, 0, 2);
    }
}

// The arrays of a .vtu as binary blocks, each behind its size of 4 bytes.
static inline void put_vtu_block(pen p, int array)
{
    pen little = {p.to, false};
    if (array == 0) put_i32(little, 120);
    for (int i = 0; array == 0 && i < 15; ++i) put_f64(little, sample_vertices[i]);
    if (array == 1) put_i32(little, 32);
    for (int i = 0; array == 1 && i < 8; ++i) put_i32(little, sample_tets[i]);
    if (array == 2) put_i32(little, 16);
    for (int i = 0; array == 2 && i < 2; ++i) put_i64(little, 4 * i + 4);
    if (array == 3) put_i32(little, 2);
    for (int i = 0; array == 3 && i < 2; ++i) put_bits(little, 10, 1);
    if (array == 4) put_i32(little, 8);
    for (int i = 0; array == 4 && i < 2; ++i) put_i32(little, sample_regions[i]);
}

static inline void put_vtu_block64(pen p, int array)
{
    sample block = {.bytes = 0};
    sink text = {0};
    put_vtu_block((pen){&block, false}, array);
    sink_base64(&text, block.data, block.bytes);
    put_raw(p, text.data, text.bytes);
    sink_release(&text);
}

typedef enum { VTU_INLINE, VTU_RAW, VTU_BASE64 } vtu_place;

static inline void put_vtu_array(pen p, int array, vtu_place place, int* offset)
{
    static const char* tag[] = {
        "<Points><DataArray type=\"Float64\" NumberOfComponents=\"3\"",
        "</Points><Cells><DataArray type=\"Int32\" Name=\"connectivity\"",
        "<DataArray type=\"Int64\" Name=\"offsets\"",
        "<DataArray type=\"UInt8\" Name=\"types\"",
        "</Cells><CellData><DataArray type=\"Int32\" Name=\"region\"",
    };
    static const int bytes[] = {124, 36, 20, 6, 12};
    char text[80];
    put(p, tag[array]);
    if (place == VTU_INLINE) {
        put(p, " format=\"binary\">\n");
        put_vtu_block64(p, array);
        put(p, "\n</DataArray>\n");
        return;
    }
    snprintf(text, sizeof text, " format=\"appended\" offset=\"%d\"/>\n", *offset);
    put(p, text);
    *offset += place == VTU_RAW ? bytes[array] : (bytes[array] + 2) / 3 * 4;
}

static inline void put_vtu(pen p, vtu_place place)
{
    int offset = 0;
    put(p, "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" "
           "byte_order=\"LittleEndian\">\n<UnstructuredGrid><Piece NumberOfPoints=\"5\" "
           "NumberOfCells=\"2\">\n");
    for (int array = 0; array < 5; ++array) put_vtu_array(p, array, place, &offset);
    put(p, "</CellData></Piece></UnstructuredGrid>\n");
    if (place == VTU_RAW) put(p, "<AppendedData encoding=\"raw\">\n_");
    if (place == VTU_BASE64) put(p, "<AppendedData encoding=\"base64\">\n_");
    for (int array = 0; place != VTU_INLINE && array < 5; ++array) {
        if (place == VTU_RAW)
            put_vtu_block(p, array);
        else
            put_vtu_block64(p, array);
    }
    put(p, place == VTU_INLINE ? "</VTKFile>\n" : "\n</AppendedData></VTKFile>\n");
}

#include "samples_text.h"

// ---- all of them

enum { SAMPLE_CAPACITY = 40 };

static inline sample* add_sample(sample* list, int* count, const char* format,
                                 const char* variation, const char* file)
{
    assert_true(*count < SAMPLE_CAPACITY);
    sample* s = &list[(*count)++];
    *s = (sample){.format = format, .variation = variation, .file = file};
    s->surface = strstr("sample.obj sample.ply sample.off sample.stl", file) != NULL;
    s->regions = !s->surface && strcmp(format, "VTK") != 0 && strcmp(format, "Gaia") != 0;
    return s;
}

static inline void add_binary_samples(sample* list, int* count)
{
    for (int big = 0; big < 2; ++big) {
        const char* order = big ? "binary, big-endian" : "binary, little-endian";
        put_gmsh22((pen){add_sample(list, count, "Gmsh", order, "sample.msh"), big});
        put_gmsh41((pen){add_sample(list, count, "Gmsh", order, "sample.msh"), big});
        put_ply((pen){add_sample(list, count, "PLY", order, "sample.ply"), big});
    }
    put_vtk((pen){add_sample(list, count, "VTK", "binary", "sample.vtk"), true});
    put_vtk5((pen){add_sample(list, count, "VTK", "binary 5.1", "sample.vtk"), true});
    put_stl((pen){add_sample(list, count, "STL", "binary", "sample.stl"), false});
    put_vtu((pen){add_sample(list, count, "VTU", "base64", "sample.vtu"), false}, VTU_INLINE);
    put_vtu((pen){add_sample(list, count, "VTU", "raw", "sample.vtu"), false}, VTU_RAW);
    put_vtu((pen){add_sample(list, count, "VTU", "base64 appended", "sample.vtu"), false},
            VTU_BASE64);
}

static inline int make_samples(sample* list)
{
    int count = 0;
    for (size_t i = 0; i < sizeof text_samples / sizeof text_samples[0]; ++i) {
        const text_sample* t = &text_samples[i];
        sample* s = add_sample(list, &count, t->format, t->variation, t->file);
        put((pen){s, false}, t->text);
        if (!t->sibling) continue;
        s->sibling_bytes = strlen(t->sibling);
        memcpy(s->sibling, t->sibling, s->sibling_bytes);
    }
    add_binary_samples(list, &count);
    return count;
}

// ---- reading them

static inline void* copy_for_reader(const void* data, size_t bytes)
{
    void* copy = pliant_allocate(bytes);
    if (copy) memcpy(copy, data, bytes);
    return copy;
}

static inline pliant_result read_sample_file(const char* path, void** out_data, size_t* out_bytes,
                                             void* context)
{
    const sample* s = (const sample*)context;
    bool sibling = strstr(path, ".ele") != NULL;
    *out_bytes = sibling ? s->sibling_bytes : s->bytes;
    *out_data = copy_for_reader(sibling ? s->sibling : s->data, *out_bytes);
    return *out_data ? PLIANT_OK : PLIANT_ERROR_MEMORY;
}

// Through the loader, so that a sibling is found; the bytes are in a block of their exact size, so
// that a sanitizer sees every read beyond them.
static inline pliant_result read_sample(const sample* s, pliant_mesh** out)
{
    return pliant_mesh_load_with(s->file, read_sample_file, (void*)s, out);
}
