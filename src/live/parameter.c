#include "live/parameter.h"
#include <math.h>

const parameter_row parameter_table[PARAMETER_COUNT] = {
    {"stiffness", "x", "of all materials, against the scene's", 0.05, 20, 0, 1, true},
    {"damping", "s", "more than the scene's", 0, 0.05, 0.0005, 0, false},
    {"gravity", "m/s^2", "where the scene has it, or down", 0, 30, 0.01, (double)NAN, false},
    {"wind", "m/s", "along x, more than the scene's", -20, 20, 0.1, 0, false},
    {"substeps", "", "of a step; 0: what the bodies need", 0, 100, 1, (double)NAN, false},
    {"friction", "x", "of all bodies and obstacles, against the scene's", 0, 4, 0.01, 1, false},
    {"speed", "x", "of the clock: below 1 is slow motion", 0.02, 4, 0, 1, true},
};

static double length_of(pliant_vec3 v)
{
    double x = (double)v.x, y = (double)v.y, z = (double)v.z;
    return sqrt(x * x + y * y + z * z);
}

static double fit(double value, const parameter_row* row)
{
    return fmin(fmax(value, row->low), row->high);
}

// A scene beyond the slider's range starts at its end only when somebody moves it.
parameters parameters_of(const stage* s)
{
    parameters p = {.stale = false};
    pliant_world_def def = scene_world_of(s->scene);
    for (int i = 0; i < PARAMETER_COUNT; ++i) p.start[i] = parameter_table[i].start;
    p.start[PARAMETER_GRAVITY] = fit(length_of(def.gravity), &parameter_table[PARAMETER_GRAVITY]);
    p.start[PARAMETER_SUBSTEPS] = fit(def.substeps, &parameter_table[PARAMETER_SUBSTEPS]);
    for (int i = 0; i < PARAMETER_COUNT; ++i) p.value[i] = p.start[i];
    return p;
}

static bool is_changed(const parameters* p, parameter which)
{
    return p->value[which] != p->start[which];
}

// ---- ways into the world ------------------------------------------------------------------------

static pliant_result apply_gravity(const parameters* p, stage* s)
{
    pliant_vec3 g = scene_world_of(s->scene).gravity;
    double length = length_of(g), value = p->value[PARAMETER_GRAVITY];
    if (is_changed(p, PARAMETER_GRAVITY)) {
        if (!(length > 0)) g = (pliant_vec3){0, -1, 0}, length = 1;
        float factor = (float)(value / length);
        g = (pliant_vec3){g.x * factor, g.y * factor, g.z * factor};
    }
    pliant_world_set_gravity(s->world, g);
    return PLIANT_OK;
}

static pliant_result apply_wind(const parameters* p, stage* s)
{
    pliant_air_def def = pliant_air_defaults();
    if (s->scene->air.count) {
        uint32_t cookie = def.cookie;
        def = ((const scene_air*)s->scene->air.item)->def;
        def.cookie = cookie;
    } else if (!is_changed(p, PARAMETER_WIND)) {
        return pliant_world_set_air(s->world, NULL);
    }
    def.wind.x += (float)p->value[PARAMETER_WIND];
    return pliant_world_set_air(s->world, &def);
}

static pliant_result apply_substeps(const parameters* p, stage* s)
{
    int own = scene_world_of(s->scene).substeps;
    bool changed = is_changed(p, PARAMETER_SUBSTEPS);
    return pliant_world_set_substeps(s->world, changed ? (int)p->value[PARAMETER_SUBSTEPS] : own);
}

static pliant_result apply_friction(const parameters* p, stage* s)
{
    float factor = (float)p->value[PARAMETER_FRICTION];
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < s->scene->colliders.count && !result; ++i) {
        pliant_collider_def def = scene_shape_of(scene_collider_at(s->scene, i));
        result = pliant_collider_set_friction(
            s->world, s->colliders[i], def.static_friction * factor, def.dynamic_friction * factor);
    }
    for (int i = 0; i < s->body_count && !result; ++i) {
        pliant_contact_def contact =
            scene_placing_of(s->entries[s->bodies[i].entry].source).contact;
        contact.static_friction *= factor;
        contact.dynamic_friction *= factor;
        result = pliant_body_set_contact(s->world, s->bodies[i].id, &contact);
    }
    return result;
}

static pliant_result apply_nothing(const parameters* p, stage* s)
{
    (void)p, (void)s;
    return PLIANT_OK;
}

typedef pliant_result apply_fn(const parameters* p, stage* s);
static apply_fn* const ways[PARAMETER_COUNT] = {apply_nothing, apply_nothing,  apply_gravity,
                                                apply_wind,    apply_substeps, apply_friction,
                                                apply_nothing};

// ----
// ---------------------------------------------------------------------------------------------

pliant_result parameters_set(parameters* p, stage* s, parameter which, double value)
{
    const parameter_row* row = &parameter_table[which];
    if (!(value >= row->low && value <= row->high))
        return fail(PLIANT_ERROR_ARGUMENT, "%s: use %g to %g", row->name, row->low, row->high);
    double before = p->value[which];
    p->value[which] = value;
    if (which == PARAMETER_STIFFNESS || which == PARAMETER_DAMPING) p->stale = true;
    pliant_result result = ways[which](p, s);
    if (result) p->value[which] = before;
    return result;
}

pliant_result parameters_apply(const parameters* p, stage* s)
{
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < PARAMETER_COUNT && !result; ++i)
        if (is_changed(p, (parameter)i)) result = ways[i](p, s);
    return result;
}

// The bodies of an entry share what they are made of.
static pliant_result recompile(const parameters* p, stage* s, int entry)
{
    const stage_tuning tuning = {p->value[PARAMETER_STIFFNESS], p->value[PARAMETER_DAMPING]};
    pliant_asset* asset = NULL;
    if (pliant_asset_definition(s->entries[entry].asset).rigid) return PLIANT_OK;
    pliant_result result = stage_compile(s, entry, &tuning, &asset);
    for (int i = 0; i < s->body_count && !result; ++i)
        if (s->bodies[i].entry == entry)
            result = pliant_body_set_asset(s->world, s->bodies[i].id, asset);
    if (result) {
        pliant_asset_destroy(asset);
        return result;
    }
    pliant_asset_destroy(s->entries[entry].asset);
    s->entries[entry].asset = asset;
    return PLIANT_OK;
}

pliant_result parameters_apply_late(parameters* p, stage* s)
{
    pliant_result result = PLIANT_OK;
    if (!p->stale) return PLIANT_OK;
    p->stale = false;
    for (int i = 0; i < s->scene->bodies.count && !result; ++i) result = recompile(p, s, i);
    return result;
}

void parameters_write(const parameters* p, sink* out)
{
    sink_text(out, "[");
    for (int i = 0; i < PARAMETER_COUNT; ++i) {
        const parameter_row* row = &parameter_table[i];
        const double numbers[] = {row->low, row->high, row->step, p->start[i], p->value[i]};
        static const char* const names[] = {"low", "high", "step", "start", "value"};
        sink_print(out, "%s{\"name\":\"%s\",\"unit\":\"%s\",\"help\":\"%s\",\"by_factors\":%s",
                   i ? "," : "", row->name, row->unit, row->help,
                   row->by_factors ? "true" : "false");
        for (int k = 0; k < 5; ++k) {
            sink_print(out, ",\"%s\":", names[k]);
            sink_real(out, numbers[k]);
        }
        sink_text(out, "}");
    }
    sink_text(out, "]");
}
