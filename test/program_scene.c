// Scene files: defaults, every class of error with its sentence and place, the tables themselves.
#include "scene/builtin.h"
#include "scene/table.h"
#include "scene_text.h"

#include "failing.h"

// ---- defaults -----------------------------------------------------------------------------------

static void an_empty_scene_has_the_defaults(void** state)
{
    (void)state;
    scene* s = parse("{}");
    CHECK_CLOSE(s->dt, 1.0 / 60, 0);
    CHECK_CLOSE(s->world.gravity.y, -9.81f, 0);
    assert_int_equal(s->frames, 120);
    assert_int_equal(s->world.substeps, 0);
    assert_int_equal(s->world.iterations, 1);
    assert_int_equal(s->bodies.count, 0);
    assert_int_equal(s->colliders.count, 0);
    assert_int_equal(s->camera.width, 1280);
    assert_null(s->description);
    scene_destroy(s);
}

static void a_body_has_the_defaults_of_the_library(void** state)
{
    (void)state;
    scene* s = parse("{\"bodies\": [{\"mesh\": \"torus\"}], \"colliders\": [{}]}");
    const scene_body* b = scene_body_at(s, 0);
    const pliant_soft_def soft = pliant_soft_defaults();
    const pliant_body_def body = pliant_body_defaults();
    const pliant_collider_def collider = pliant_collider_defaults();
    const scene_collider* c = scene_collider_at(s, 0);
    const pliant_material_def m = b->soft.material;
    CHECK_CLOSE(m.young, soft.material.young, 0);
    CHECK_CLOSE(m.poisson, soft.material.poisson, 0);
    CHECK_CLOSE(m.density, soft.material.density, 0);
    CHECK_CLOSE(b->soft.solver.shear_relaxation, soft.solver.shear_relaxation, 0);
    assert_int_equal(b->soft.research.cluster_size, soft.research.cluster_size);
    assert_int_equal(b->soft.solver.formulation, soft.solver.formulation);
    assert_int_equal(b->soft.solver.schedule, soft.solver.schedule);
    assert_int_equal(b->soft.solver.precision, soft.solver.precision);
    CHECK_CLOSE(b->def.friction, body.friction, 0);
    CHECK_CLOSE(b->def.rotation.w, body.rotation.w, 0);
    CHECK_CLOSE(c->def.static_friction, collider.static_friction, 0);
    CHECK_CLOSE(c->def.radius, collider.radius, 0);
    assert_int_equal(c->def.shape, collider.shape);
    scene_destroy(s);
}

// One number for both coefficients, and each of them instead; groups as bits.
static void contacts_have_other_ways_to_say_their_members(void** state)
{
    (void)state;
    scene* s = parse("{\"bodies\": [{\"mesh\": \"torus\", \"contact\": {\"static_friction\": 0.75, "
                     "\"friction\": 0.25, \"groups\": [0, 31], \"meets\": [1], \"self\": true}}, "
                     "{\"mesh\": \"torus\", \"contact\": {\"none\": true}}, "
                     "{\"mesh\": \"torus\", \"contact\": {\"none\": false, \"meets\": []}}]}");
    const pliant_contact_def* c = &scene_body_at(s, 0)->def.contact;
    CHECK_CLOSE(c->static_friction, 0.75, 0);
    CHECK_CLOSE(c->dynamic_friction, 0.25, 0);
    assert_int_equal(c->group, 0x80000001u);
    assert_int_equal(c->mask, 2);
    assert_true(c->self);
    assert_int_equal(scene_body_at(s, 1)->def.contact.mask, 0);
    assert_int_equal(scene_body_at(s, 1)->def.contact.group, 1);
    assert_int_equal(scene_body_at(s, 2)->def.contact.mask, 0);
    scene_destroy(s);
}

static void numbers_override_the_preset(void** state)
{
    (void)state;
    scene* s = parse("{\"bodies\": [{\"mesh\": \"torus\", \"material\": {\"preset\": \"jelly\", "
                     "\"young\": 5e4}}, {\"mesh\": \"torus\", \"material\": \"jelly\"}]}");
    pliant_material_def changed = scene_body_at(s, 0)->soft.material,
                        jelly = scene_body_at(s, 1)->soft.material;
    CHECK_CLOSE(changed.young, 5e4, 0);
    CHECK_CLOSE(changed.poisson, jelly.poisson, 0);
    CHECK_BETWEEN(jelly.young, 1, 4.9e4);
    scene_destroy(s);
}

static void rotations_are_axis_and_degrees_or_quaternions(void** state)
{
    (void)state;
    scene* s = parse("{\"colliders\": [{\"rotation\": {\"axis\": [0, 0, 2], \"degrees\": 90}}, "
                     "{\"rotation\": [0, 0, 3, 3]}]}");
    for (int i = 0; i < 2; ++i) {
        pliant_quat q = scene_collider_at(s, i)->def.rotation;
        CHECK_CLOSE(q.z, sqrt(0.5), 1e-7);
        CHECK_CLOSE(q.w, sqrt(0.5), 1e-7);
    }
    scene_destroy(s);
}

static void underscores_begin_comments(void** state)
{
    (void)state;
    scene* s = parse("{\"_note\": {\"anything\": [1]}, \"frames\": 7}");
    assert_int_equal(s->frames, 7);
    scene_destroy(s);
}

// ---- refusals -----------------------------------------------------------------------------------

static void syntax_errors_have_line_and_column(void** state)
{
    (void)state;
    check_refused("{\n  \"frames\": 7,\n  ]\n}", "test.json:3:3: string or '}' expected near ']'");
    check_refused("{\"frames\": 1, \"frames\": 2}",
                  "test.json:1:22: duplicate object key near '\"frames\"'");
    check_refused("{\"dt\": 1e999}", "test.json:1:12: real number overflow near '1e999'");
}

static void unknown_keys_suggest_the_nearest(void** state)
{
    (void)state;
    check_refused("{\n\"frames\": 7,\n\"substep\": 3}",
                  "test.json:3: substep: a scene has no such key; did you mean 'substeps'? (pliant "
                  "run --scene-help lists them all)");
    check_refused("{\"bodies\": [{\"mesh\": \"torus\"},\n{\"mesh\": \"torus\",\n\"material\":\n"
                  "{\"yuong\": 1}}]}",
                  "test.json:4: bodies[1].material.yuong: a material has no such key; did you mean "
                  "'young'? (pliant run --scene-help lists them all)");
    check_refused("{\"colliders\": [{\"velocity\": 1}]}",
                  "test.json:1: colliders[0].velocity: a collider has no such key (pliant run "
                  "--scene-help lists them all)");
}

static void keys_that_moved_are_told_by_their_new_name(void** state)
{
    (void)state;
    check_refused("{\"bodies\": [{\"mesh\": \"torus\", \"manner\": \"classic\"}]}",
                  "test.json:1: bodies[0].manner: a body has no such key; it is called "
                  "'research.stiffness_mode' now (pliant run --scene-help lists them all)");
    check_refused("{\"bodies\": [{\"mesh\": \"torus\", \"schedule\": \"serial\"}]}",
                  "test.json:1: bodies[0].schedule: a body has no such key; it belongs into its "
                  "'solver' (pliant run --scene-help lists them all)");
}

static void unknown_words_suggest_the_nearest(void** state)
{
    (void)state;
    check_refused(
        "{\"bodies\": [{\"mesh\": \"torus\", \"solver\": {\"schedule\": \"coloured\"}}]}",
        "test.json:1: bodies[0].solver.schedule: 'coloured' is none of patched, clustered, "
        "colored, serial, phantom, hybrid, jacobi; did you mean 'colored'?");
    check_refused("{\"backend\": \"gpu\"}",
                  "test.json:1: backend: 'gpu' is none of auto, cpu, cuda; did you mean 'cpu'?");
}

static void wrong_types_are_named(void** state)
{
    (void)state;
    check_refused("{\n\"frames\": \"many\"}",
                  "test.json:2: frames: a number is needed, not a text");
    check_refused("{\"gravity\": 9.81}",
                  "test.json:1: gravity: an array of 3 numbers is needed, not a number");
    check_refused("{\"gravity\": [0, 9.81]}", "test.json:1: gravity: 3 numbers are needed, not 2");
    check_refused("{\"gravity\": [0,\nnull, 0]}",
                  "test.json:2: gravity[1]: a number is needed, not null");
    check_refused("{\"bodies\": {}}",
                  "test.json:1: bodies: an array of objects is needed, not an object");
    check_refused("{\"bodies\": [true]}",
                  "test.json:1: bodies[0]: an object is needed, not true or false");
    check_refused("{\"bodies\": [{\"mesh\": 5}]}",
                  "test.json:1: bodies[0].mesh: an object or a text is needed, not a number");
    check_refused("{\"bodies\": [{\"mesh\": \"torus\", \"material\": 5}]}",
                  "test.json:1: bodies[0].material: an object or a word is needed, not a number");
    check_refused(
        "{\"colliders\": [{\"shape\": \"convex\"}]}",
        "test.json:1: colliders[0]: the key 'mesh' is missing: the shape is that of a mesh");
    check_refused("{\"description\": 1}",
                  "test.json:1: description: a text is needed, not a number");
    check_refused("[]", "test.json:1: an object is needed, not an array");
    check_refused("{\"frames\": 1.5}", "test.json:1: frames: 1.5 is not a whole number");
    check_refused("{\"substeps\": \"some\"}",
                  "test.json:1: substeps: 'some' is neither a number nor \"auto\"");
}

static void ranges_are_named_with_their_units(void** state)
{
    (void)state;
    check_refused("{\"dt\": 0}", "test.json:1: dt: 0 is out of range: 1e-09 to 10 [s]");
    check_refused("{\"exit_speed\": 0}",
                  "test.json:1: exit_speed: 0 is out of range: above 0 [m/s]");
    check_refused("{\"gravity\": [0, -1e39, 0]}",
                  "test.json:1: gravity[1]: -1e+39 is out of range: -1e+12 to 1e+12 [m/s^2]");
    check_refused(
        "{\"bodies\": [{\"mesh\": \"torus\", \"gravity_scale\": 1e39}]}",
        "test.json:1: bodies[0].gravity_scale: 1e+39 is too large for the single precision "
        "of gravity_scale");
    check_refused("{\"bodies\": [{\"mesh\": \"torus\", \"velocity\": [1e30, 0, 0]}]}",
                  "test.json:1: bodies[0].velocity[0]: 1e+30 is out of range: -1e+12 to 1e+12 "
                  "[m/s]");
    check_refused("{\"bodies\": [{\"mesh\": \"torus\", \"contact\": {\"meets\": [32]}}]}",
                  "test.json:1: bodies[0].contact.meets[0]: 32 is out of range: 0 to 31");
    check_refused("{\"threads\": 2}", "test.json:1: threads: a scene has no such key (pliant run "
                                      "--scene-help lists them all)");
    check_refused("{\"frames\": -1}", "test.json:1: frames: -1 is out of range: 0 to 1e+06");
    check_refused("{\"bodies\": [{\"mesh\": \"torus\", \"material\":\n{\"young\": 0}}]}",
                  "test.json:2: bodies[0].material.young: 0 is out of range: above 0 [Pa]");
    check_refused("{\"bodies\": [{\"mesh\": \"torus\", \"material\": {\"poisson\": 0.6}}]}",
                  "test.json:1: bodies[0].material.poisson: 0.6 is out of range: 0 to 0.5");
    check_refused("{\"camera\": {\"times\": [1, -1]}}",
                  "test.json:1: camera.times[1]: -1 is out of range: 0 to 1e+09 [s]");
    check_refused("{\"camera\": {\"times\": [1, 2, 3, 4, 5, 6, 7, 8, 9]}}",
                  "test.json:1: camera.times: 9 numbers are too many: at most 8");
}

static void rules_between_keys_are_checked(void** state)
{
    (void)state;
    check_refused("{\"camera\": {\"eye\": [1, 2, 3],\n\"target\": [1, 2, 3]}}",
                  "test.json:1: camera: eye and target are the same place: there is nowhere to "
                  "look");
    check_refused("{\"bodies\": [{\"scale\": 2}]}",
                  "test.json:1: bodies[0]: the key 'mesh' is missing");
    check_refused("{\"bodies\": [{\"mesh\": {\"file\": \"a.msh\", \"generate\": \"torus\"}}]}",
                  "test.json:1: bodies[0].mesh: a text, or one of the keys 'name', 'file', "
                  "'generate' and 'surface' is needed, not 2");
    check_refused("{\"bodies\": [{\"mesh\": {\"generate\": \"torus\", \"tets\": 100}}]}",
                  "test.json:1: bodies[0].mesh: 'tets', 'edge', 'coarsening', 'close_holes' and "
                  "'separate_parts' go with the key 'surface'");
    check_refused("{\"bodies\": [{\"mesh\": {\"file\": \"a.msh\", \"close_holes\": true}}]}",
                  "test.json:1: bodies[0].mesh: 'tets', 'edge', 'coarsening', 'close_holes' and "
                  "'separate_parts' go with the key 'surface'");
    check_refused("{\"bodies\": [{\"mesh\": {\"surface\": \"a.obj\", \"tets\": 9, \"edge\": 1}}]}",
                  "test.json:1: bodies[0].mesh: give one of 'tets' and 'edge', not both");
    check_refused("{\"bodies\": [{\"mesh\": \"torus\", \"pins\": [{\"box\": {\"min\": [1, 0, 0], "
                  "\"max\": [0, 1, 1]}}]}]}",
                  "test.json:1: bodies[0].pins[0]: the box is empty: min[0] is above max[0]");
    check_refused("{\"bodies\": [{\"mesh\": \"torus\", \"forces\": [{\"force\": [1, 0, 0], "
                  "\"start\": 2, \"end\": 1}]}]}",
                  "test.json:1: bodies[0].forces[0]: it ends at 1 s, before its start at 2 s");
    check_refused("{\"bodies\": [{\"mesh\": \"torus\", \"material\": {\"poisson\": 0.1}, "
                  "\"research\": {\"lame_convention\": \"plain\"}}]}",
                  "test.json:1: bodies[0].material.poisson: 0.1: 0.125 to 0.4999 with the "
                  "lame_convention plain (rest is not stable below)");
    check_refused("{\"colliders\": [{\"mesh\": \"torus\"}]}",
                  "test.json:1: colliders[0].mesh: only the shapes \"mesh\", \"convex\" and "
                  "\"triangles\" have a mesh");
    check_refused("{\"colliders\": [{\"rotation\": {\"axis\": [0, 0, 0], \"degrees\": 9}}]}",
                  "test.json:1: colliders[0].rotation.axis: the axis has no direction");
    check_refused("{\"colliders\": [{\"rotation\": [0, 0, 0, 0]}]}",
                  "test.json:1: colliders[0].rotation: the quaternion is zero; [0, 0, 0, 1] turns "
                  "nothing");
    check_refused("{\"bodies\": [{\"mesh\": \"torus\", \"copies\": [1000, 1000, 2]}]}",
                  "test.json:1: bodies[0].copies: more than 1000000 bodies in the scene");
}

// ---- memory -------------------------------------------------------------------------------------

static pliant_result parse_builtin(const void* context)
{
    const builtin_scene* b = context;
    scene* s = NULL;
    pliant_result result = scene_parse(b->text, b->bytes, b->name, &s);
    scene_destroy(s);
    return result;
}

static void scenes_survive_every_failed_allocation(void** state)
{
    (void)state;
    for (int i = 0; i < builtin_scene_count; ++i)
        assert_true(check_every_failure(parse_builtin, &builtin_scenes[i]) > 5);
}

// ---- tables -------------------------------------------------------------------------------------

static void check_table(const key_table* table)
{
    static double defaults[512];
    assert_true(table->bytes <= sizeof defaults);
    for (int i = 0; i < table->key_count; ++i) {
        const key* k = &table->keys[i];
        table_defaults(table, defaults);
        const void* value = key_value(k, defaults);
        double number = 0;
        if (k->kind != KEY_SAME) assert_true(k->help && k->help[0]);
        if (k->kind == KEY_NUMBER) memcpy(&number, value, sizeof number);
        if (k->kind == KEY_INT || k->kind == KEY_AUTO) number = *(const int*)value;
        bool has_range = k->kind == KEY_NUMBER || k->kind == KEY_INT || k->kind == KEY_AUTO;
        if (has_range && !isnan(number) && !k->required && !key_takes(k, number))
            fail_msg("%s.%s: the default is %g: %s", table->name, k->name, number,
                     key_range_of(k).text);
        if (k->kind == KEY_WORD) assert_non_null(k->words);
        if (k->inner) check_table(k->inner);
    }
}

static void every_default_is_in_its_range_and_every_key_has_help(void** state)
{
    (void)state;
    check_table(&scene_table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_scene_has_the_defaults),
        cmocka_unit_test(a_body_has_the_defaults_of_the_library),
        cmocka_unit_test(contacts_have_other_ways_to_say_their_members),
        cmocka_unit_test(numbers_override_the_preset),
        cmocka_unit_test(rotations_are_axis_and_degrees_or_quaternions),
        cmocka_unit_test(underscores_begin_comments),
        cmocka_unit_test(syntax_errors_have_line_and_column),
        cmocka_unit_test(unknown_keys_suggest_the_nearest),
        cmocka_unit_test(keys_that_moved_are_told_by_their_new_name),
        cmocka_unit_test(unknown_words_suggest_the_nearest),
        cmocka_unit_test(wrong_types_are_named),
        cmocka_unit_test(ranges_are_named_with_their_units),
        cmocka_unit_test(rules_between_keys_are_checked),
        cmocka_unit_test(scenes_survive_every_failed_allocation),
        cmocka_unit_test(every_default_is_in_its_range_and_every_key_has_help),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
