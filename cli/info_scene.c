#include "info_scene.h"
#include "base/memory.h"
#include "findings.h"
#include "load.h"
#include "options.h"
#include "scene/stage.h"
#include "scene/words.h"
#include <stdio.h>

enum { COLUMNS = 11 };
static const column columns[COLUMNS] = {
    {"mesh", COLUMN_TEXT, 24, 0},        {"copies", COLUMN_INT, 6, 0},
    {"particles", COLUMN_INT, 9, 0},     {"constraints", COLUMN_INT, 11, 0},
    {"formulation", COLUMN_TEXT, 15, 0}, {"clusters", COLUMN_INT, 8, 0},
    {"colors", COLUMN_INT, 6, 0},        {"bytes", COLUMN_INT, 10, 0},
    {"mass", COLUMN_NUMBER, 10, 3},      {"typical_frequency", COLUMN_NUMBER, 17, 1},
    {"substeps", COLUMN_INT, 8, 0},
};

static const char* mesh_name(const scene_mesh* m)
{
    return m->name ? m->name : m->file ? m->file : m->generate ? m->generate : m->surface;
}

static void describe_entry(const stage_entry* e, double dt, cell* row)
{
    pliant_asset_info info = pliant_asset_describe(e->asset);
    const int* copies = e->source->copies;
    row[0].text = mesh_name(&e->source->mesh);
    row[1].number = (double)copies[0] * copies[1] * copies[2];
    row[2].number = info.particles;
    row[3].number = info.constraints;
    row[4].text = formulation_of(e->mesh, e->source->soft.solver.formulation);
    row[5].number = info.clusters;
    row[6].number = info.colors;
    row[7].number = (double)info.bytes;
    row[8].number = info.mass;
    row[9].number = info.typical_frequency;
    row[10].number = pliant_asset_substeps(e->asset, (float)dt);
}

// ---- colliders that move ------------------------------------------------------------------------

static bool is_zero(const double v[3]) { return v[0] == 0 && v[1] == 0 && v[2] == 0; }

static bool is_still(pliant_vec3 v) { return v.x == 0 && v.y == 0 && v.z == 0; }
static bool has_belt(const pliant_collider_def* c)
{
    return !is_still(c->surface_velocity) || !is_still(c->surface_angular_velocity);
}

// "velocity, rotation"; "" where it stands still.
static void describe_motion(const scene_collider* c, char* out, size_t bytes)
{
    const scene_drive none = {0};
    const scene_drive* d = c->motion.count ? (const scene_drive*)c->motion.item : &none;
    const struct {
        bool is;
        const char* word;
    } ways[] = {{!is_zero(d->velocity), "velocity"},
                {d->degrees_per_second != 0, "rotation"},
                {!is_zero(d->stroke), "stroke"},
                {d->path.count > 0, "path"},
                {has_belt(&c->def), "surface"}};
    size_t used = 0;
    *out = 0;
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; ++i)
        if (ways[i].is)
            used +=
                (size_t)snprintf(out + used, bytes - used, "%s%s", used ? ", " : "", ways[i].word);
}

static pliant_result report_moving(const scene* s, facts* r)
{
    static const column of_moving[] = {{"collider", COLUMN_INT, 8, 0},
                                       {"motion", COLUMN_TEXT, 0, 0}};
    enum { WORDS = 64 };
    int count = s->colliders.count, moving = 0;
    cell* cells = (cell*)mem_array(2 * (size_t)count, sizeof(cell));
    char* words = (char*)mem_array((size_t)count, WORDS);
    bool good = cells && words;
    for (int i = 0; i < count && good; ++i) {
        char* text = words + (size_t)i * WORDS;
        describe_motion(scene_collider_at(s, i), text, WORDS);
        if (!*text) continue;
        cells[2 * moving].number = i;
        cells[2 * moving++ + 1].text = text;
    }
    if (good && moving) facts_rows(r, "moving", of_moving, 2, cells, moving);
    mem_free(cells);
    mem_free(words);
    return good ? PLIANT_OK : PLIANT_ERROR_MEMORY;
}

// ---- joints -------------------------------------------------------------------------------------

static pliant_result report_joints(const stage* s, facts* r)
{
    static const column of_joints[] = {{"joint", COLUMN_TEXT, 16, 0},
                                       {"body", COLUMN_INT, 5, 0},
                                       {"other", COLUMN_INT, 5, 0},
                                       {"points", COLUMN_INT, 6, 0},
                                       {"gap", COLUMN_NUMBER, 10, 6},
                                       {"compliance", COLUMN_NUMBER, 10, 6},
                                       {"breaking_force", COLUMN_NUMBER, 14, 3}};
    enum { OF_JOINTS = sizeof of_joints / sizeof of_joints[0] };
    int count = s->scene->joints.count;
    if (count == 0) return PLIANT_OK;
    cell* cells = (cell*)mem_array((size_t)count * OF_JOINTS, sizeof(cell));
    if (!cells) return PLIANT_ERROR_MEMORY;
    for (int i = 0; i < count; ++i) {
        const scene_joint* j = (const scene_joint*)s->scene->joints.item + i;
        stage_joint_state now = stage_read_joint(s, i);
        cell* row = cells + (ptrdiff_t)i * OF_JOINTS;
        row[0].text = j->name;
        row[1].number = j->bodies.value[0];
        row[2].number = j->bodies.count > 1 ? j->bodies.value[1] : -1; // the world
        row[3].number = now.count;
        row[4].number = now.gap;
        row[5].number = j->compliance;
        row[6].number = j->breaking_force;
    }
    facts_rows(r, "joints", of_joints, OF_JOINTS, cells, count);
    mem_free(cells);
    return PLIANT_OK;
}

static pliant_result report_stage(const char* path, const stage* s, bool json)
{
    int count = s->scene->bodies.count;
    cell* cells = (cell*)mem_array((size_t)count * COLUMNS, sizeof(cell));
    if (!cells) return PLIANT_ERROR_MEMORY;
    for (int i = 0; i < count; ++i)
        describe_entry(&s->entries[i], s->scene->dt, cells + (ptrdiff_t)i * COLUMNS);
    facts r = facts_start(json);
    facts_text(&r, "scene", path);
    if (s->scene->description) facts_text(&r, "description", s->scene->description);
    facts_int(&r, "frames", s->scene->frames);
    facts_number(&r, "dt", s->scene->dt, "s");
    facts_int(&r, "colliders", s->scene->colliders.count);
    facts_int(&r, "bodies", s->body_count);
    facts_rows(&r, "entries", columns, COLUMNS, cells, count);
    pliant_result result = report_moving(s->scene, &r);
    if (!result) result = report_joints(s, &r);
    if (!result) result = stage_drive(s, 0, s->scene->dt); // as they go at the start
    findings_list(s, &r);
    facts_end(&r);
    mem_free(cells);
    return result;
}

int info_scene(const char* name, const scene* s, bool json)
{
    const stage_options options = {-1, -1, -1, -1, PLIANT_BACKEND_CPU, load_mesh, load_bytes};
    stage live = {0};
    pliant_result result = stage_create(s, &options, &live);
    if (!result) {
        result = report_stage(name, &live, json);
        stage_destroy(&live);
    }
    return result ? tell_failure("info") : EXIT_DONE;
}
