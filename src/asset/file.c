#include "asset/file.h"
#include "asset/asset.h"
#include "asset/members.h"
#include "base/hash.h"
#include "base/platform.h"
#include "plan/file.h"
#include <limits.h>
#include <math.h>

// A member that is added must be visited below, or found again.
_Static_assert(sizeof(void*) != 8 || sizeof(pliant_asset) - sizeof(pliant_soft_def) == 1360,
               "visit_asset");
_Static_assert(sizeof(void*) != 8 || sizeof(pliant_mesh) == 80, "visit_mesh");

// ---- definition and materials -------------------------------------------------------------------

// Choices are numbers from 0 on.
_Static_assert(sizeof(pliant_schedule) == sizeof(int), "KEY_WORD");

static bool visit_vector(archive* a, double* vector)
{
    return archive_real(a, &vector[0]) && archive_real(a, &vector[1]) &&
           archive_real(a, &vector[2]);
}

static bool visit_members(archive* a, const key_table* table, void* item)
{
    bool good = true;
    for (int i = 0; i < table->key_count && good; ++i) {
        const key* k = &table->keys[i];
        void* member = key_member(k, item);
        if (k->kind == KEY_NUMBER)
            good = archive_real(a, (double*)member);
        else if (k->kind == KEY_VECTOR)
            good = visit_vector(a, (double*)member);
        else if (k->kind == KEY_FLAG)
            good = archive_flag(a, (bool*)member);
        else if (k->kind == KEY_OBJECT)
            good = visit_members(a, k->inner, member);
        else
            good = archive_int(a, (int*)member);
    }
    return good;
}

static size_t material_bytes(void)
{
    archive a = {.mode = ARCHIVE_MEASURE};
    pliant_material_def material = {0};
    visit_members(&a, &material_members, &material);
    return a.at;
}

static bool visit_materials(archive* a, pliant_asset* asset)
{
    int* count = &asset->material_count;
    bool good = archive_int_within(a, count, 1, INT_MAX, "the number of materials") &&
                archive_room(a, &asset->material, (size_t)*count, sizeof(pliant_material_def),
                             material_bytes());
    for (int i = 0; i < *count && good; ++i)
        good = visit_members(a, &material_members, &asset->material[i]);
    if (good && archive_reads(a)) asset->def.material = asset->material[0];
    return good;
}

// As the caller gave it: regions choose a material where there are several.
static pliant_soft_def definition_of(const pliant_asset* asset)
{
    pliant_soft_def def = asset->def;
    def.materials = asset->material_count > 1 ? asset->material : NULL;
    def.material_count = asset->material_count > 1 ? asset->material_count : 0;
    return def;
}

static bool check_definition(archive* a, const pliant_asset* asset)
{
    pliant_soft_def def = definition_of(asset);
    pliant_result found = asset_check_def(&def);
    return !found || archive_refuse_found(a, found);
}

static bool visit_definition(archive* a, pliant_asset* asset)
{
    return visit_members(a, &soft_members, &asset->def) && visit_materials(a, asset) &&
           (!archive_reads(a) || check_definition(a, asset));
}

// ---- mesh ---------------------------------------------------------------------------------------

// An array that may be missing.
static bool visit_choice(archive* a, void* data, bool there, int count, size_t each)
{
    return archive_flag(a, &there) && (!there || archive_array(a, data, (size_t)count, each));
}

static bool visit_elements(archive* a, pliant_mesh* m)
{
    return archive_int_within(a, &m->vertex_count, 0, INT_MAX / 3, "the number of vertices") &&
           archive_int_within(a, &m->tet_count, 0, INT_MAX / 4, "the number of tets") &&
           archive_int_within(a, &m->triangle_count, 0, INT_MAX / 3, "the number of triangles") &&
           archive_int_within(a, &m->edge_count, 0, INT_MAX / 2, "the number of edges") &&
           archive_array(a, &m->vertices, 3 * (size_t)m->vertex_count, sizeof(double)) &&
           archive_array(a, &m->tets, 4 * (size_t)m->tet_count, sizeof(int)) &&
           archive_array(a, &m->triangles, 3 * (size_t)m->triangle_count, sizeof(int)) &&
           archive_array(a, &m->edges, 2 * (size_t)m->edge_count, sizeof(int));
}

static bool visit_mesh(archive* a, pliant_asset* asset)
{
    if (!archive_room(a, &asset->mesh, 1, sizeof(pliant_mesh), 0)) return false;
    pliant_mesh* m = asset->mesh;
    return visit_elements(a, m) &&
           visit_choice(a, &m->tet_region, m->tet_region, m->tet_count, sizeof(int)) &&
           visit_choice(a, &m->tet_cell, m->tet_cell, m->tet_count, sizeof(int)) &&
           visit_choice(a, &m->vertex_color, m->vertex_color, m->vertex_count,
                        3 * sizeof(double)) &&
           visit_choice(a, &m->vertex_radius, m->vertex_radius, m->vertex_count, sizeof(double));
}

// The others are to come.
static bool visit_first(archive* a, pliant_asset* asset)
{
    int all = asset->mesh->vertex_count, least = asset_changes(asset) ? 0 : all;
    return archive_int_within(a, &asset->first_count, least, all, "the number of particles");
}

// As strictly as a mesh that is compiled, but for whether a surface is closed, which takes long and
// is nothing that memory depends on.
static bool check_mesh(archive* a, const pliant_asset* asset)
{
    pliant_mesh_arrays arrays = pliant_mesh_view(asset->mesh);
    pliant_soft_def def = definition_of(asset);
    pliant_result found = mesh_check_arrays(&arrays);
    if (!found) found = asset_check_elements(asset->mesh, &def);
    return !found || archive_refuse_found(a, found);
}

// What was not saved, since it follows.
static bool find_rest(archive* a, pliant_asset* asset)
{
    pliant_result found = asset_measure(asset);
    if (!found && !(asset_enclose(asset) && asset_find_clusters(asset) && asset_find_rods(asset)))
        found = PLIANT_ERROR_MEMORY;
    if (!found)
        found = rods_check_range(&asset->rods,
                                 asset->def.solver.precision == PLIANT_PRECISION_DOUBLE ? 8 : 4);
    if (!found) asset_take_elements(asset);
    return !found || archive_refuse_found(a, found);
}

// ---- parts --------------------------------------------------------------------------------------

static bool is_sized(int kind) { return kind == PART_EDGE || kind == PART_TETHER; }

static bool check_parts(archive* a, const pliant_asset* asset, int kind)
{
    const part_list* p = &asset->parts[kind];
    for (size_t i = 0; i < (size_t)p->count * (size_t)part_corners[kind]; ++i)
        if (p->corner[i] < 0 || p->corner[i] >= asset->mesh->vertex_count)
            return archive_refuse(a, "a %s has corner %d of %d", part_names[kind], p->corner[i],
                                  asset->mesh->vertex_count);
    for (int i = 0; i < p->count && p->size; ++i)
        if (!isfinite(p->size[i]))
            return archive_refuse(a, "a %s has a size that is not finite", part_names[kind]);
    return true;
}

static bool visit_part_list(archive* a, pliant_asset* asset, int kind)
{
    part_list* p = &asset->parts[kind];
    if (!archive_int_within(a, &p->count, 0, INT_MAX / 4, "the number of parts")) return false;
    if (p->count == 0) return true;
    p->owned = true;
    size_t count = (size_t)p->count;
    return archive_array(a, &p->corner, count * (size_t)part_corners[kind], sizeof(int)) &&
           (!is_sized(kind) || archive_array(a, &p->size, count, sizeof(double))) &&
           (!archive_reads(a) || check_parts(a, asset, kind));
}

// Those that are not the mesh's own elements.
static bool visit_parts(archive* a, pliant_asset* asset)
{
    size_t corners;
    static const part_kind own[] = {PART_EDGE,  PART_PLATE, PART_PLATE_SIDE, PART_PLATE_END,
                                    PART_HINGE, PART_KINK,  PART_TETHER};
    for (size_t i = 0; i < sizeof own / sizeof *own; ++i)
        if (!visit_part_list(a, asset, (int)own[i])) return false;
    asset_count_nodes(asset, &corners);
    return corners <= INT_MAX || archive_refuse(a, "it has too many parts");
}

// ---- all ----------------------------------------------------------------------------------------

static bool visit_frequency(archive* a, double* frequency)
{
    if (!archive_real(a, frequency)) return false;
    return !archive_reads(a) || *frequency >= 0 || archive_refuse(a, "a frequency is no frequency");
}

static int parts_of_recipe(const pliant_asset* asset, int number)
{
    if (number == RECIPE_SECOND) return asset->nodes_per_tet > 1 ? asset->parts[PART_TET].count : 0;
    return asset->parts[number].count;
}

static plan_facts facts_of(const pliant_asset* asset)
{
    size_t corners;
    recipe recipes[RECIPE_COUNT];
    asset_choose_recipes(asset, recipes);
    plan_facts facts = {.particle_count = asset->mesh->vertex_count,
                        .node_count = (int)asset_count_nodes(asset, &corners)};
    if (asset_flows(asset))
        facts.flowing =
            asset_creases(asset) ? facts.node_count : asset->nodes_per_tet * asset->mesh->tet_count;
    for (int r = 0; r < RECIPE_COUNT; ++r) {
        int count = parts_of_recipe(asset, r);
        facts.constraint_count += count * recipes[r].type_count;
        for (int k = 0; k < recipes[r].type_count && count; ++k)
            facts.has[recipes[r].type[k]] = true;
    }
    return facts;
}

static bool visit_plan(archive* a, pliant_asset* asset)
{
    plan_settings settings = asset_plan_settings(asset);
    plan_facts facts = facts_of(asset);
    if (!plan_visit(a, &settings, &facts, &asset->plan)) return false;
    return !archive_reads(a) || asset_find_flow(asset) ||
           archive_refuse_found(a, PLIANT_ERROR_MEMORY);
}

static bool visit_asset(archive* a, pliant_asset* asset)
{
    return visit_definition(a, asset) && visit_mesh(a, asset) && visit_first(a, asset) &&
           (!archive_reads(a) || (check_mesh(a, asset) && find_rest(a, asset))) &&
           visit_parts(a, asset) && visit_frequency(a, &asset->shear_frequency) &&
           visit_frequency(a, &asset->volume_frequency) &&
           visit_frequency(a, &asset->typical_frequency) &&
           archive_real(a, &asset->compile_seconds) && visit_plan(a, asset);
}

// ---- the header ---------------------------------------------------------------------------------

typedef struct {
    char magic[8];
    uint32_t order, format, library, lanes;
    uint64_t types, bytes, hash;
} header;
_Static_assert(sizeof(header) == ASSET_FILE_HEADER, "no gaps");
_Static_assert(offsetof(header, bytes) == ASSET_FILE_BYTES_AT, "as told");

enum { LITTLE_ENDIAN_ORDER = 0x01020304, OTHER_ORDER = 0x04030201 };

static uint64_t hash_types(void)
{
    uint64_t hash = HASH_SEED;
    for (int i = 0; i < TYPE_COUNT; ++i) {
        const type_info* t = &type_infos[i];
        const int numbers[] = {t->particles, t->rows, t->fields, t->same, t->on_motion};
        hash = hash_bytes(hash, t->name, strlen(t->name));
        hash = hash_bytes(hash, numbers, sizeof numbers);
    }
    return hash;
}

static header make_header(size_t bytes)
{
    return (header){.magic = {'P', 'L', 'I', 'A', 'S', 'S', 'E', 'T'},
                    .order = LITTLE_ENDIAN_ORDER,
                    .format = ASSET_FILE_FORMAT,
                    .library = PLIANT_VERSION_MAJOR << 20 | PLIANT_VERSION_MINOR << 10 |
                               PLIANT_VERSION_PATCH,
                    .lanes = BLOCK,
                    .types = hash_types(),
                    .bytes = bytes};
}

static uint64_t hash_all(const header* h, const char* rest, size_t bytes)
{
    header unsealed = *h;
    unsealed.hash = 0;
    return hash_bytes(hash_bytes(HASH_SEED, &unsealed, sizeof unsealed), rest, bytes);
}

void asset_file_seal(void* data, size_t bytes)
{
    header h;
    memcpy(&h, data, sizeof h);
    h.hash = hash_all(&h, (const char*)data + sizeof h, bytes - sizeof h);
    memcpy(data, &h, sizeof h);
}

static bool is_little_endian(void)
{
    const uint32_t word = LITTLE_ENDIAN_ORDER;
    unsigned char first;
    memcpy(&first, &word, 1);
    return first == 4;
}

static pliant_result check_machine(void)
{
    if (is_little_endian()) return PLIANT_OK;
    return fail(PLIANT_ERROR_UNSUPPORTED,
                "files of assets are little-endian, and this machine is not");
}

static bool check_header(archive* a, const header* found)
{
    const header expected = make_header(a->bytes + sizeof expected);
    if (memcmp(found->magic, expected.magic, sizeof found->magic) != 0)
        return archive_refuse(a, "this is no compiled asset");
    if (found->order == OTHER_ORDER)
        return archive_refuse(a, "it was written by a machine with another order of bytes");
    if (found->order != expected.order) return archive_refuse(a, "it is damaged");
    if (found->format != expected.format || found->library != expected.library ||
        found->lanes != expected.lanes || found->types != expected.types)
        return archive_refuse(a,
                              "it was written by another version (format %u, this is %u, and "
                              "library %u.%u.%u, this is %s): compile it again",
                              found->format, expected.format, found->library >> 20,
                              found->library >> 10 & 1023, found->library & 1023, pliant_version());
    if (found->bytes > expected.bytes)
        return archive_refuse(a, "it is cut off: %zu of %llu bytes are there",
                              (size_t)expected.bytes, (unsigned long long)found->bytes);
    if (found->bytes < expected.bytes || found->hash != hash_all(found, a->in, a->bytes))
        return archive_refuse(a, "it is damaged: its bytes were changed");
    return true;
}

// ---- in memory ----------------------------------------------------------------------------------

size_t pliant_asset_write_size(const pliant_asset* asset)
{
    if (!REQUIRE(asset)) return 0;
    archive a = {.mode = ARCHIVE_MEASURE};
    visit_asset(&a, (pliant_asset*)asset);
    return sizeof(header) + a.at;
}

pliant_result pliant_asset_write(const pliant_asset* asset, void* out, size_t bytes)
{
    if (!REQUIRE(asset && out)) return PLIANT_ERROR_ARGUMENT;
    size_t needed = pliant_asset_write_size(asset);
    if (check_machine()) return PLIANT_ERROR_UNSUPPORTED;
    if (bytes < needed)
        return fail(PLIANT_ERROR_ARGUMENT, "the asset needs %zu bytes, %zu were given", needed,
                    bytes);
    header h = make_header(needed);
    archive a = {.mode = ARCHIVE_WRITE, .out = (char*)out + sizeof h};
    memcpy(out, &h, sizeof h);
    visit_asset(&a, (pliant_asset*)asset);
    asset_file_seal(out, needed);
    return PLIANT_OK;
}

static bool read_asset(archive* a, pliant_asset* asset)
{
    return visit_asset(a, asset) &&
           (a->at == a->bytes || archive_refuse(a, "there is more in it than an asset"));
}

pliant_result pliant_asset_parse(const void* data, size_t bytes, const char* name,
                                 pliant_asset** out)
{
    if (!REQUIRE((data || bytes == 0) && name && out)) return PLIANT_ERROR_ARGUMENT;
    *out = NULL;
    archive a = {.mode = ARCHIVE_READ, .name = name};
    header h;
    if (check_machine()) return PLIANT_ERROR_UNSUPPORTED;
    if (bytes < sizeof h) {
        archive_refuse(&a, "%zu bytes are no compiled asset", bytes);
        return a.result;
    }
    memcpy(&h, data, sizeof h);
    a.in = (const char*)data + sizeof h;
    a.bytes = bytes - sizeof h;
    if (!check_header(&a, &h)) return a.result;
    pliant_asset* asset = asset_allocate();
    if (!asset) return PLIANT_ERROR_MEMORY;
    if (!read_asset(&a, asset)) {
        asset_release(asset);
        return a.result;
    }
    *out = asset;
    return PLIANT_OK;
}

// ---- files --------------------------------------------------------------------------------------

pliant_result pliant_asset_save(const pliant_asset* asset, const char* file)
{
    if (!REQUIRE(asset && file)) return PLIANT_ERROR_ARGUMENT;
    size_t bytes = pliant_asset_write_size(asset);
    void* data = mem_alloc(bytes);
    if (!data) return PLIANT_ERROR_MEMORY;
    pliant_result result = pliant_asset_write(asset, data, bytes);
    if (!result) result = platform_write_file(file, data, bytes);
    mem_free(data);
    return result;
}

pliant_result pliant_asset_load(const char* file, pliant_asset** out)
{
    if (!REQUIRE(file && out)) return PLIANT_ERROR_ARGUMENT;
    void* data = NULL;
    size_t bytes;
    *out = NULL;
    pliant_result result = platform_read_file(file, &data, &bytes);
    if (result) return result;
    result = pliant_asset_parse(data, bytes, file, out);
    mem_free(data);
    return result;
}
