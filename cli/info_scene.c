#include "info_scene.h"
#include "base/memory.h"
#include "findings.h"
#include "load.h"
#include "options.h"
#include "scene/stage.h"
#include "scene/words.h"

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
    row[4].text = formulation_word(e->source->soft.solver.formulation);
    row[5].number = info.clusters;
    row[6].number = info.colors;
    row[7].number = (double)info.bytes;
    row[8].number = info.mass;
    row[9].number = info.typical_frequency;
    row[10].number = pliant_asset_substeps(e->asset, (float)dt);
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
    findings_list(s, &r);
    facts_end(&r);
    mem_free(cells);
    return PLIANT_OK;
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
