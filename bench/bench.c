// pliant bench: a table of benchmarks.
#include "bench/bench.h"
#include "base/platform.h"
#include "bench/papers.h"
#include "commands.h"
#include "facts.h"
#include "system/folder.h"
#include <stdio.h>
#include <string.h>

static const char tet_files[] = "../shared/meshes/tets";
static const char surface_files[] = "../shared/meshes/surfaces";
static const char mesh_files[] = "../shared/meshes"; // both

static const struct {
    const char *name, *summary;
    bench_fn* run;
    const char* folder; // of its files where --meshes names none; NULL: it reads none
} benches[] = {
    {"accuracy", "a falling beam against known numbers, in single and double precision",
     bench_accuracy, NULL},
    {"bodies", "many small bodies in one world against one large body of as many tets",
     bench_bodies, NULL},
    {"colors", "colors of every schedule, for beams and for the files of --meshes", bench_colors,
     tet_files},
    {"contact",
     "bodies that fall on each other: time with contacts and without, crossings (--only SCENE, "
     "all; --unguarded)",
     bench_contact, tet_files},
    {"converge",
     "time to 1 % of error: the fewest substeps that reach it, and the automatic choice",
     bench_converge, tet_files},
    {"cpu", "speed and error of every schedule and of explicit elements, one thread and all",
     bench_cpu, tet_files},
    {"figures", "figures 6 and 7 of the 2022 paper in numbers: coupled forms hold, the pair fails",
     bench_figures, tet_files},
    {"fluid",
     "liquids: lists, viscosity, walls, pressures, particles a second (--only SCENE, --backend)",
     bench_fluid, NULL},
    {"gpu", "an NVIDIA GPU: speed, batch, table2 of the 2022 paper, converge (--section)",
     bench_gpu, tet_files},
    {"many",
     "10 000 bodies and 1000 worlds: time to make and step them, to read and write all (--backend)",
     bench_many, NULL},
    {"mesher", "surfaces filled with tets: time, angles, valence, volume, distance to the surface",
     bench_mesher, surface_files},
    {"particles",
     "heaps of loose particles: grid, contacts, particles a second (--only SCENE, --backend)",
     bench_particles, NULL},
    {"patches", "error and speed against the size of patches and the kind of their interfaces",
     bench_patches, NULL},
    {"pbd", "the scenes, tables and figures of the 2013 and 2015 papers (--section, --backend)",
     bench_pbd, mesh_files},
    {"physics",
     "bodies that touch against the physics of solids: friction, stacks, forces, momentum, energy",
     bench_physics, NULL},
    {"poses",
     "whether automatic substeps keep their word: bodies that hang, lie, are twisted, spin",
     bench_poses, NULL},
    {"rigid",
     "bodies of particles that keep their shape: shape matching and a step of all (--backend)",
     bench_rigid, NULL},
    {"scramble", "a beam from random places and from a plane: does it find its shape again",
     bench_scramble, NULL},
    {"skin", "a fine surface carried by 20 000 tets: time to bind it and to move it", bench_skin,
     NULL},
    {"solver", "time per 1000 tets and substep for lanes, threads, formulations, schedules",
     bench_solver, NULL},
    {"substeps", "error of the energy against the number of substeps, for each formulation",
     bench_substeps, tet_files},
    {"surface",
     "surfaces of liquids around particles: parts of the time, particles a second (--only SCENE)",
     bench_surface, NULL},
};
enum { BENCHES = sizeof benches / sizeof benches[0] };

static int find_bench(const char* name)
{
    for (int i = 0; i < BENCHES; ++i)
        if (strcmp(name, benches[i].name) == 0) return i;
    return -1;
}

static int list_benches(void)
{
    for (int i = 0; i < BENCHES; ++i) printf("%-12s %s\n", benches[i].name, benches[i].summary);
    printf(
        "\nExperiments of the papers, by --out DIR with data, plots and pictures; all: one page\n");
    for (int i = 0; i < experiment_count; ++i)
        printf("%-12s %s: %s\n", experiments[i].name, experiments[i].where, experiments[i].summary);
    return EXIT_DONE;
}

static pliant_result pass_by(const char* name, void* context)
{
    (void)name, (void)context;
    return PLIANT_OK;
}

// The folder that was asked for must be there; the usual one may be missing.
static int choose_meshes(const char* usual, bench_settings* settings)
{
    bool asked = settings->meshes != NULL;
    if (!asked && (settings->quick || !usual)) return EXIT_DONE;
    const char* folder = asked ? settings->meshes : usual;
    bool there = folder_list(folder, pass_by, NULL) == PLIANT_OK;
    if (!there && asked) return tell_failure("bench");
    if (!there)
        fprintf(stderr,
                "pliant bench: no mesh files: %s is not there (--meshes DIR names a folder)\n",
                folder);
    settings->meshes = there ? folder : NULL;
    return EXIT_DONE;
}

static bool is_all(const char* name) { return strcmp(name, "all") == 0; }

static int run_one(const char* name, const bench_settings* settings)
{
    bench_settings own = *settings;
    int bench = find_bench(name);
    int status = choose_meshes(bench < 0 ? mesh_files : benches[bench].folder, &own);
    if (status) return status;
    if (bench >= 0) return benches[bench].run(&own);
    return is_all(name) ? experiments_run_all(&own) : experiment_run(experiment_named(name), &own);
}

// Runs all of them and keeps the worst exit status.
static int run_benches(const parsed* names, const bench_settings* settings)
{
    int status = EXIT_DONE;
    for (int i = 0; i < names->count; ++i) {
        const char* name = names->word[i];
        if (find_bench(name) < 0 && !experiment_named(name) && !is_all(name))
            return tell_usage("bench", name, "no such benchmark; pliant bench lists them");
        if (settings->out && find_bench(name) >= 0)
            return tell_usage("bench", "--out", "only experiments of the papers leave files");
    }
    for (int i = 0; i < names->count; ++i) {
        int one = run_one(names->word[i], settings);
        if (one > status) status = one;
    }
    return status;
}

int command_bench(int argc, char** argv)
{
    bool json = false, csv = false;
    bench_settings settings = {.form = FORM_ALIGNED};
    const char* backend = backend_words[PLIANT_BACKEND_CPU];
    pliant_backend chosen = PLIANT_BACKEND_CPU;
    const option options[] = {
        {"--json", OPTION_SWITCH, &json, NULL, "one JSON object per row"},
        {"--csv", OPTION_SWITCH, &csv, NULL, "comma-separated values"},
        {"--meshes", OPTION_TEXT, &settings.meshes, "DIR",
         "mesh files (../shared/meshes/tets, of mesher: surfaces, of pbd: both)"},
        {"--out", OPTION_TEXT, &settings.out, "DIR",
         "of the papers' experiments, and needed by all: data, plots, pictures, a page (-o too)"},
        {"--quick", OPTION_SWITCH, &settings.quick, NULL, "a short version of the same"},
        {"--section", OPTION_TEXT, &settings.section, "S",
         "of gpu: speed, batch, table2, converge, all; converge: beam, beams, files; mesher: "
         "large; "
         "pbd, contact, physics: a wrong one lists them"},
        {"--only", OPTION_TEXT, &settings.only, "W",
         "of converge, rows of one schedule or formulation; of gpu, of one formulation; of pbd's "
         "frames, of one scene or method; of contact, of one scene"},
        {"--unguarded", OPTION_SWITCH, &settings.unguarded, NULL,
         "of contact: run scenes without the guard, too, and count what crosses"},
        {"--backend", OPTION_TEXT, &backend, "B",
         "of many, contact, rigid, table2, table3 and pbd (frames, kernels): cpu, or cuda (cpu)"},
    };
    const command_help help = {.name = "bench",
                               .words = "[NAME...]",
                               .summary = "Runs benchmarks; without a name, lists them.",
                               .option = options,
                               .option_count = sizeof options / sizeof options[0],
                               .most_words = MOST_WORDS};
    const char* words[MOST_WORDS];
    parsed names = options_parse(&help, argc, argv, words);
    if (names.leave) return names.exit_status;
    if (json && csv) return tell_usage("bench", "--json and --csv", "use one of them");
    if (json || csv) settings.form = json ? FORM_JSON : FORM_CSV;
    if (!backend_of_word(backend, &chosen))
        return tell_usage("bench", "--backend", "use cpu or cuda");
    settings.on_gpu = chosen == PLIANT_BACKEND_CUDA;
    if (names.count == 0) return list_benches();
    pliant_set_log(NULL, NULL); // coarse steps are what is measured here
    return run_benches(&names, &settings);
}
