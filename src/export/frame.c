#include "export/frame.h"
#include "base/memory.h"
#include "mesh/mesh.h"
#include <limits.h>
#include <string.h>

// ---- layout -------------------------------------------------------------------------------------

// A solid's triangles are not part of the body.
static int cloth_of(const pliant_mesh_arrays* m) { return m->tet_count ? 0 : m->triangle_count; }

static pliant_result count_all(const stage* s, frame* f)
{
    int64_t vertices = 0, tets = 0, cloth = 0, edges = 0, loose = 0;
    for (int i = 0; i < s->body_count; ++i) {
        const pliant_mesh* mesh = stage_mesh(s, i);
        pliant_mesh_arrays m = pliant_mesh_view(mesh);
        loose += mesh_is_loose(mesh) ? m.vertex_count : 0;
        vertices += m.vertex_count;
        tets += m.tet_count;
        cloth += cloth_of(&m);
        edges += m.edge_count;
    }
    if (vertices > INT_MAX / 4 || tets + cloth + edges > INT_MAX / 4)
        return fail(PLIANT_ERROR_UNSUPPORTED,
                    "%lld vertices are too many for one file: run without --out and --picture",
                    (long long)vertices);
    f->vertex_count = (int)vertices;
    f->tet_count = (int)tets;
    f->cloth_count = (int)cloth;
    f->edge_count = (int)edges;
    f->loose_count = (int)loose;
    return PLIANT_OK;
}

static bool any_flows(const stage* s)
{
    for (int i = 0; i < s->body_count; ++i)
        if (pliant_asset_flows(stage_asset(s, i))) return true;
    return false;
}

static bool any_warm(const stage* s)
{
    for (int i = 0; i < s->body_count; ++i)
        if (pliant_asset_definition(stage_asset(s, i)).heat.temperature > 0) return true;
    return false;
}

static bool allocate_heat(frame* f)
{
    f->temperature = (float*)mem_array_zero((size_t)f->vertex_count, sizeof(float));
    return f->temperature != NULL;
}

static bool allocate_flow(frame* f)
{
    f->plastic_strain = (float*)mem_array_zero((size_t)f->tet_count, sizeof(float));
    f->plastic_shape = (double*)mem_array_zero((size_t)f->tet_count, 9 * sizeof(double));
    return f->plastic_strain && f->plastic_shape;
}

static bool allocate(frame* f)
{
    size_t vertices = (size_t)f->vertex_count, tets = (size_t)f->tet_count,
           cloth = (size_t)f->cloth_count, edges = (size_t)f->edge_count,
           loose = (size_t)f->loose_count, cells = tets + cloth + edges + loose;
    f->vertices = (double*)mem_array(3 * vertices, sizeof(double));
    f->tets = (int*)mem_array(4 * tets, sizeof(int));
    f->cloth = (int*)mem_array(3 * cloth, sizeof(int));
    f->edges = (int*)mem_array(2 * edges, sizeof(int));
    f->body = (int*)mem_array(vertices, sizeof(int));
    f->rest = (double*)mem_array(3 * vertices, sizeof(double));
    f->loose = (int*)mem_array(loose, sizeof(int));
    f->radius = (float*)mem_array_zero(vertices, sizeof(float));
    f->color = (int*)mem_array_zero(cells, sizeof(int));
    f->patch = (int*)mem_array_zero(cells, sizeof(int));
    f->shear_modulus = (float*)mem_array(tets, sizeof(float));
    f->velocity = (float*)mem_array(3 * vertices, sizeof(float));
    f->contact_force = (float*)mem_array(3 * vertices, sizeof(float));
    return f->vertices && f->tets && f->cloth && f->edges && f->body && f->rest && f->color &&
           f->patch && f->shear_modulus && f->velocity && f->contact_force && f->loose && f->radius;
}

static void copy_shifted(int* out, const int* in, size_t count, int shift)
{
    for (size_t i = 0; i < count; ++i) out[i] = in[i] + shift;
}

static void copy_tets(const pliant_asset* asset, frame* f, int first, int count)
{
    if (!count) return;
    pliant_asset_read_colors(asset, f->color + first, count);
    pliant_asset_read_patches(asset, f->patch + first, count);
    pliant_asset_read_shear_moduli(asset, f->shear_modulus + first, count);
}

static void copy_topology(const stage* s, frame* f)
{
    int vertex = 0, tet = 0, triangle = 0, edge = 0;
    for (int i = 0; i < s->body_count; ++i) {
        pliant_mesh_arrays m = pliant_mesh_view(stage_mesh(s, i));
        copy_shifted(f->tets + 4 * (size_t)tet, m.tets, 4 * (size_t)m.tet_count, vertex);
        copy_shifted(f->cloth + 3 * (size_t)triangle, m.triangles, 3 * (size_t)cloth_of(&m),
                     vertex);
        copy_shifted(f->edges + 2 * (size_t)edge, m.edges, 2 * (size_t)m.edge_count, vertex);
        for (int k = 0; k < m.vertex_count; ++k) f->body[vertex + k] = i;
        copy_tets(stage_asset(s, i), f, tet, m.tet_count);
        stage_rest_positions(s, i, f->rest + 3 * (size_t)vertex);
        vertex += m.vertex_count;
        tet += m.tet_count;
        triangle += cloth_of(&m);
        edge += m.edge_count;
    }
}

// Behind the faces, which know the radii.
static void copy_radii(frame* f)
{
    for (int i = 0; i < f->shown_count; ++i) {
        const shown_body* b = &f->shown[i];
        for (int k = 0; b->face->ball_radius && k < b->face->ball_count; ++k)
            f->radius[b->first_particle + k] = (float)b->face->ball_radius[k];
        for (int k = 0; b->face->point_radius && k < b->face->point_count; ++k)
            f->surface_radius[b->first_point + k] = b->face->point_radius[k];
    }
}

// Those that are there.
static void list_loose(frame* f)
{
    f->loose_count = f->absent_count = 0;
    for (int i = 0; i < f->vertex_count; ++i) {
        if (f->radius[i] > 0) f->loose[f->loose_count++] = i;
        f->absent_count += f->radius[i] < 0;
    }
}

static bool changes(const stage* s, int body)
{
    return pliant_asset_definition(s->entries[s->bodies[body].entry].asset).capacity > 0;
}

// Radii of particles that come and go, as they are now.
static pliant_result read_radii(const stage* s, int body, frame* f)
{
    const shown_body* b = &f->shown[body];
    int count = b->face->ball_count;
    pliant_particle* particle = (pliant_particle*)mem_array((size_t)count, sizeof *particle);
    pliant_result result =
        particle ? pliant_body_read_particles(s->world, s->bodies[body].id, particle, count)
                 : PLIANT_ERROR_MEMORY;
    for (int i = 0; i < count && !result; ++i)
        f->radius[b->first_particle + i] = particle[i].present ? particle[i].radius : -1;
    for (int i = 0; i < b->face->point_count && !result; ++i)
        f->surface_radius[b->first_point + i] =
            (double)f->radius[b->first_particle + b->face->particle[i]];
    mem_free(particle);
    return result;
}

static pliant_result update_loose(const stage* s, frame* f)
{
    pliant_result result = PLIANT_OK;
    bool any = false;
    for (int i = 0; i < s->body_count && !result; ++i) {
        if (!changes(s, i)) continue;
        any = true;
        result = read_radii(s, i, f);
    }
    f->changes = any;
    if (any && !result) list_loose(f);
    return result;
}

// ---- what is seen -------------------------------------------------------------------------------

static pliant_result make_faces(const stage* s, frame* f)
{
    int count = s->scene->bodies.count;
    f->faces = (body_face*)mem_array_zero((size_t)count + 1, sizeof *f->faces);
    if (!f->faces) return PLIANT_ERROR_MEMORY;
    f->face_count = count;
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < count && !result; ++i) result = face_create(&s->entries[i], &f->faces[i]);
    return result;
}

static pliant_result make_own_face(const stage* s, int body, shown_body* b)
{
    b->own = (body_face*)mem_alloc_zero(sizeof *b->own);
    b->face = b->own;
    return b->own ? face_create_torn(s, body, b->own) : PLIANT_ERROR_MEMORY;
}

static pliant_result make_skin(const stage* s, int body, shown_body* b)
{
    pliant_skin_def def = pliant_skin_defaults();
    def.surface = b->face->skin_mesh;
    def.bodies = &s->bodies[body].id;
    def.normals = b->face->skin_normals;
    def.normal_count = b->face->look->normal_count;
    return pliant_skin_create(s->world, &def, &b->skin);
}

static bool make_plan(shown_body* b)
{
    const visual* look = b->face->look;
    if (!look) return true;
    size_t corners = 3 * (size_t)look->triangle_count;
    int* points = (int*)mem_array(corners, sizeof(int));
    int* normals = visual_corner_normals(look);
    for (size_t i = 0; points && i < corners; ++i)
        points[i] = look->vertex_point[look->triangle[i]];
    bool good =
        points && normals &&
        normal_plan_create(points, normals, look->triangle_count, look->normal_count, &b->plan);
    mem_free(points);
    mem_free(normals);
    return good;
}

// Where each body's part begins in the arrays.
static pliant_result show_bodies(const stage* s, frame* f)
{
    int64_t points = 0, triangles = 0, edges = 0, normals = 0, particles = 0;
    f->shown = (shown_body*)mem_array_zero((size_t)s->body_count + 1, sizeof *f->shown);
    if (!f->shown) return PLIANT_ERROR_MEMORY;
    f->shown_count = s->body_count;
    for (int i = 0; i < s->body_count; ++i) {
        f->shown[i].face = &f->faces[s->bodies[i].entry];
        bool torn = pliant_body_topology(s->world, s->bodies[i].id) > 0;
        pliant_result result = torn ? make_own_face(s, i, &f->shown[i]) : PLIANT_OK;
        if (result) return result;
        const body_face* face = f->shown[i].face;
        f->shown[i].first_point = (int)points;
        f->shown[i].first_particle = (int)particles;
        f->shown[i].first_normal = (int)normals;
        f->carries = f->carries || face_is_carried(face);
        points += face->point_count;
        triangles += face->look ? face->look->triangle_count : 0;
        normals += face->look ? face->look->normal_count : 0;
        edges += face->edge_count;
        particles += pliant_body_particle_count(s->world, s->bodies[i].id);
        if (points > INT_MAX / 4 || triangles > INT_MAX / 4)
            return fail(PLIANT_ERROR_UNSUPPORTED,
                        "the surfaces of all bodies are too large for one file: run without --out "
                        "and --picture");
    }
    f->surface_count = (int)points;
    f->triangle_count = (int)triangles;
    f->surface_edge_count = (int)edges;
    f->normal_count = (int)normals;
    return PLIANT_OK;
}

static void copy_surfaces(frame* f)
{
    int triangle = 0, edge = 0;
    for (int i = 0; i < f->shown_count; ++i) {
        const body_face* face = f->shown[i].face;
        const visual* look = face->look;
        int first = f->shown[i].first_point, count = look ? look->triangle_count : 0;
        for (int k = 0; k < 3 * count; ++k)
            f->triangles[3 * (size_t)triangle + (size_t)k] =
                look->vertex_point[look->triangle[k]] + first;
        copy_shifted(f->surface_edges + 2 * (size_t)edge, face->edges, 2 * (size_t)face->edge_count,
                     first);
        triangle += count;
        edge += face->edge_count;
    }
}

static pliant_result make_surface(const stage* s, frame* f)
{
    pliant_result result = make_faces(s, f);
    if (!result) result = show_bodies(s, f);
    if (result) return result;
    f->surface_vertices = (double*)mem_array(3 * (size_t)f->surface_count, sizeof(double));
    f->triangles = (int*)mem_array(3 * (size_t)f->triangle_count, sizeof(int));
    f->surface_edges = (int*)mem_array(2 * (size_t)f->surface_edge_count, sizeof(int));
    f->normals = (pliant_vec3*)mem_array_zero((size_t)f->normal_count, sizeof(pliant_vec3));
    if (f->loose_count)
        f->surface_radius = (double*)mem_array_zero((size_t)f->surface_count, sizeof(double));
    if (!f->surface_vertices || !f->triangles || !f->surface_edges || !f->normals ||
        (f->loose_count && !f->surface_radius))
        return PLIANT_ERROR_MEMORY;
    copy_surfaces(f);
    copy_radii(f);
    list_loose(f);
    for (int i = 0; i < f->shown_count && !result; ++i) {
        shown_body* b = &f->shown[i];
        if (face_is_carried(b->face))
            result = make_skin(s, i, b);
        else if (!make_plan(b))
            result = PLIANT_ERROR_MEMORY;
    }
    return result;
}

// ---- moments ------------------------------------------------------------------------------------

static pliant_result update_carried(frame* f, const shown_body* b)
{
    double* out = f->surface_vertices + 3 * (size_t)b->first_point;
    pliant_result result = pliant_skin_update(b->skin);
    if (result) return result;
    const pliant_vec3* x = pliant_skin_positions(b->skin);
    for (int i = 0; i < b->face->point_count; ++i, out += 3)
        out[0] = (double)x[i].x, out[1] = (double)x[i].y, out[2] = (double)x[i].z;
    memcpy(f->normals + b->first_normal, pliant_skin_normals(b->skin),
           (size_t)b->face->look->normal_count * sizeof(pliant_vec3));
    return PLIANT_OK;
}

static pliant_result update_own(frame* f, shown_body* b)
{
    int points = b->face->point_count, normals = b->plan.normal_count;
    pliant_vec3* x = (pliant_vec3*)mem_array((size_t)points, sizeof *x);
    if (!x) return PLIANT_ERROR_MEMORY;
    for (int i = 0; i < points; ++i) {
        const double* from =
            f->vertices + 3 * ((size_t)b->first_particle + (size_t)b->face->particle[i]);
        memcpy(f->surface_vertices + 3 * (size_t)(b->first_point + i), from, sizeof(double[3]));
        x[i] = (pliant_vec3){(float)from[0], (float)from[1], (float)from[2]};
    }
    normal_plan_areas(&b->plan, x, 0, b->plan.triangle_count);
    normal_plan_means(&b->plan, f->normals + b->first_normal, 0, normals);
    mem_free(x);
    return PLIANT_OK;
}

static pliant_result read_particles(const pliant_world* world, pliant_body_id id, int count,
                                    size_t first, frame* f)
{
    pliant_vec3 *velocity = (pliant_vec3*)(void*)(f->velocity + first),
                *force = (pliant_vec3*)(void*)(f->contact_force + first);
    pliant_result result = pliant_body_read_positions_exact(world, id, f->vertices + first, count);
    if (!result) result = pliant_body_read_velocities(world, id, velocity, count);
    if (!result && f->temperature)
        result = pliant_body_read_temperatures(world, id, f->temperature + first / 3, count);
    return result ? result : pliant_body_read_contact_forces(world, id, force, count);
}

static pliant_result read_flow(const pliant_world* world, pliant_body_id id, int tet, int count,
                               frame* f)
{
    if (!f->plastic_strain) return PLIANT_OK;
    pliant_result result =
        pliant_body_read_plastic_strains(world, id, f->plastic_strain + tet, count);
    return result ? result
                  : pliant_body_read_plastic_shapes(world, id, f->plastic_shape + 9 * (size_t)tet,
                                                    count);
}

static pliant_result update_particles(frame* f, const stage* s)
{
    pliant_result result = PLIANT_OK;
    int at = 0, tet = 0;
    for (int i = 0; i < s->body_count && !result; ++i) {
        pliant_body_id id = s->bodies[i].id;
        int count = pliant_body_particle_count(s->world, id);
        int tets = pliant_mesh_view(stage_mesh(s, i)).tet_count, first_tet = tet;
        size_t first = 3 * (size_t)at;
        at += count;
        tet += tets;
        if (f->lean && f->shown[i].skin) continue;
        result = read_particles(s->world, id, count, first, f);
        if (!result) result = read_flow(s->world, id, first_tet, tets, f);
    }
    return result;
}

// There is room for a quarter more than there were.
static pliant_result update_contacts(frame* f, const stage* s)
{
    int count = 0;
    pliant_result result =
        pliant_world_read_contacts(s->world, f->contacts, f->contact_capacity, &count);
    if (!result && count > f->contact_capacity) {
        if (!mem_reserve((void**)&f->contacts, &f->contact_capacity, count + (int64_t)count / 4,
                         sizeof *f->contacts))
            return PLIANT_ERROR_MEMORY;
        result = pliant_world_read_contacts(s->world, f->contacts, f->contact_capacity, &count);
    }
    f->contact_count = result ? 0 : count;
    return result;
}

pliant_result frame_give_contacts(frame* f, const void* contacts, int count)
{
    if (!mem_reserve((void**)&f->contacts, &f->contact_capacity, count, sizeof *f->contacts))
        return PLIANT_ERROR_MEMORY;
    if (count) memcpy(f->contacts, contacts, (size_t)count * sizeof *f->contacts);
    f->contact_count = count;
    f->has_contacts = true;
    return PLIANT_OK;
}

// A body has come apart: all is made anew, but for what the frame was told.
static pliant_result renew(frame* f, const stage* s)
{
    frame made, before = *f;
    pliant_result result = frame_create(s, &made);
    if (result) return result;
    made.contacts = before.contacts;
    made.contact_count = before.contact_count;
    made.contact_capacity = before.contact_capacity;
    made.lists_contacts = before.lists_contacts;
    made.has_contacts = before.has_contacts;
    made.lean = before.lean;
    before.contacts = NULL;
    frame_destroy(&before);
    *f = made;
    return PLIANT_OK;
}

pliant_result frame_update(frame* f, const stage* s)
{
    pliant_result result = f->version == stage_version(s) ? PLIANT_OK : renew(f, s);
    if (!result) result = update_particles(f, s);
    if (!result) result = update_loose(s, f);
    if (!result && f->lists_contacts && !f->has_contacts) result = update_contacts(f, s);
    f->has_contacts = false;
    for (int i = 0; i < f->shown_count && !result; ++i) {
        shown_body* b = &f->shown[i];
        result = b->skin ? update_carried(f, b) : update_own(f, b);
    }
    return result;
}

pliant_result frame_create(const stage* s, frame* out)
{
    memset(out, 0, sizeof *out);
    out->threads = s->scene->world.threads;
    out->version = stage_version(s);
    out->tears = stage_tears(s);
    pliant_result result = count_all(s, out);
    if (!result && !allocate(out)) result = PLIANT_ERROR_MEMORY;
    if (!result && any_flows(s) && !allocate_flow(out)) result = PLIANT_ERROR_MEMORY;
    if (!result && any_warm(s) && !allocate_heat(out)) result = PLIANT_ERROR_MEMORY;
    if (!result) copy_topology(s, out);
    if (!result) result = make_surface(s, out);
    if (!result) result = frame_update(out, s);
    if (result) frame_destroy(out);
    return result;
}

void frame_destroy(frame* f)
{
    for (int i = 0; i < f->shown_count; ++i) {
        pliant_skin_destroy(f->shown[i].skin);
        normal_plan_destroy(&f->shown[i].plan);
        if (f->shown[i].own) face_destroy(f->shown[i].own);
        mem_free(f->shown[i].own);
    }
    for (int i = 0; i < f->face_count; ++i) face_destroy(&f->faces[i]);
    void* const owned[] = {
        f->vertices,       f->tets,           f->edges,         f->cloth,
        f->body,           f->color,          f->velocity,      f->contact_force,
        f->faces,          f->shown,          f->triangles,     f->surface_vertices,
        f->normals,        f->surface_edges,  f->rest,          f->patch,
        f->shear_modulus,  f->contacts,       f->loose,         f->radius,
        f->surface_radius, f->plastic_strain, f->plastic_shape, f->temperature};
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; ++i) mem_free(owned[i]);
    memset(f, 0, sizeof *f);
}

// ---- without those that are absent --------------------------------------------------------------

// Of each place its new number, of those whose radius is not below 0; returns how many.
static int number_present(const float* radius, const double* exact, int count, int* out)
{
    int there = 0;
    for (int i = 0; i < count; ++i) out[i] = (exact ? exact[i] < 0 : radius[i] < 0) ? -1 : there++;
    return there;
}

// What `each` bytes of each place are, of those that are there; NULL for NULL, or without memory.
static void* keep_present(const void* from, size_t each, const int* number, int count)
{
    char* out = from ? (char*)mem_array((size_t)count, each) : NULL;
    for (int i = 0; out && i < count; ++i)
        if (number[i] >= 0)
            memcpy(out + (size_t)number[i] * each, (const char*)from + (size_t)i * each, each);
    return out;
}

static int* renumber(const int* from, const int* number, int count)
{
    int* out = (int*)mem_array((size_t)count, sizeof(int));
    for (int i = 0; out && i < count; ++i) out[i] = number[from[i]];
    return out;
}

static void keep_vertices(const frame* f, const int* number, frame* out)
{
    int count = f->vertex_count;
    out->vertices = (double*)keep_present(f->vertices, sizeof(double[3]), number, count);
    out->rest = (double*)keep_present(f->rest, sizeof(double[3]), number, count);
    out->radius = (float*)keep_present(f->radius, sizeof(float), number, count);
    out->body = (int*)keep_present(f->body, sizeof(int), number, count);
    out->velocity = (float*)keep_present(f->velocity, sizeof(float[3]), number, count);
    out->contact_force = (float*)keep_present(f->contact_force, sizeof(float[3]), number, count);
    if (f->temperature)
        out->temperature = (float*)keep_present(f->temperature, sizeof(float), number, count);
    out->tets = renumber(f->tets, number, 4 * f->tet_count);
    out->cloth = renumber(f->cloth, number, 3 * f->cloth_count);
    out->edges = renumber(f->edges, number, 2 * f->edge_count);
    out->loose = renumber(f->loose, number, f->loose_count);
}

static void keep_points(const frame* f, const int* number, frame* out)
{
    int count = f->surface_count;
    out->surface_vertices =
        (double*)keep_present(f->surface_vertices, sizeof(double[3]), number, count);
    out->surface_radius = (double*)keep_present(f->surface_radius, sizeof(double), number, count);
    out->triangles = renumber(f->triangles, number, 3 * f->triangle_count);
    out->surface_edges = renumber(f->surface_edges, number, 2 * f->surface_edge_count);
}

static void* copy_of(const void* from, size_t count, size_t each)
{
    void* out = from ? mem_array(count, each) : NULL;
    if (out && count) memcpy(out, from, count * each);
    return out;
}

// Of cells, which all stay.
static void copy_cells(const frame* f, frame* out)
{
    size_t tets = (size_t)f->tet_count,
           cells = tets + (size_t)f->cloth_count + (size_t)f->edge_count + (size_t)f->loose_count;
    out->color = (int*)copy_of(f->color, cells, sizeof(int));
    out->patch = (int*)copy_of(f->patch, cells, sizeof(int));
    out->shear_modulus = (float*)copy_of(f->shear_modulus, tets, sizeof(float));
    out->plastic_strain = (float*)copy_of(f->plastic_strain, tets, sizeof(float));
    out->plastic_shape = (double*)copy_of(f->plastic_shape, tets, 9 * sizeof(double));
}

bool frame_without_absent(const frame* f, frame* out)
{
    int most = f->vertex_count > f->surface_count ? f->vertex_count : f->surface_count;
    int* number = (int*)mem_array((size_t)most, sizeof(int));
    *out = (frame){.tet_count = f->tet_count,
                   .cloth_count = f->cloth_count,
                   .edge_count = f->edge_count,
                   .loose_count = f->loose_count,
                   .triangle_count = f->triangle_count,
                   .surface_edge_count = f->surface_edge_count,
                   .carries = f->carries};
    if (number) {
        out->vertex_count = number_present(f->radius, NULL, f->vertex_count, number);
        keep_vertices(f, number, out);
        copy_cells(f, out);
        out->surface_count = number_present(NULL, f->surface_radius, f->surface_count, number);
        keep_points(f, number, out);
    }
    mem_free(number);
    bool good =
        out->vertices && out->rest && out->radius && out->body && out->velocity &&
        out->contact_force && out->tets && out->cloth && out->edges && out->loose &&
        out->surface_vertices && out->surface_radius && out->triangles && out->surface_edges &&
        out->color && out->patch && out->shear_modulus && !f->temperature == !out->temperature &&
        !f->plastic_strain == !out->plastic_strain && !f->plastic_shape == !out->plastic_shape;
    if (!good) frame_destroy(out);
    return good;
}

pliant_mesh_arrays frame_volume(const frame* f)
{
    pliant_mesh_arrays out = {.vertices = f->vertices,
                              .vertex_count = f->vertex_count,
                              .tets = f->tets,
                              .tet_count = f->tet_count,
                              .triangles = f->cloth,
                              .triangle_count = f->cloth_count,
                              .edges = f->edges,
                              .edge_count = f->edge_count};
    return out;
}

pliant_mesh_arrays frame_surface(const frame* f)
{
    pliant_mesh_arrays out = {.vertices = f->surface_vertices,
                              .vertex_count = f->surface_count,
                              .triangles = f->triangles,
                              .triangle_count = f->triangle_count,
                              .edges = f->surface_edges,
                              .edge_count = f->surface_edge_count,
                              .vertex_radius = f->surface_radius};
    return out;
}
