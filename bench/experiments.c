// The table of experiments: what each shows, and what is different here.
#include "bench/papers.h"

const experiment experiments[] = {
    {
        .name = "table2",
        .where = "2022, Table 2",
        .summary = "clusters and blocks against the baseline",
        .run = paper_table2,
        .plots =
            {
                {.title = "ms per step",
                 .x = "tets",
                 .y = "ms_per_step",
                 .group = {"method", "formulation"},
                 .log_y = true},
                {.title = "error of the elastic energy [%]",
                 .x = "tets",
                 .y = "error",
                 .group = {"method", "formulation"},
                 .log_y = true},
            },
        .text =
            "The paper: clusters (C) leave a quarter to two fifths of the colors, blocks (B) "
            "need a fifth of the substeps; together 8 to 16 times the speed of the baseline, on "
            "an RTX 2060 Super. Here: the paper's numbers of substeps, meshes of about its "
            "sizes, on both cores of a processor. There a color costs no launch, so that "
            "clusters alone bring a tenth to a third; blocks bring what fewer substeps bring; "
            "patches are faster than both. `error` is what the paper does not show, the percent "
            "by which the elastic energy after 0.2 s is off: with its 50 substeps blocked runs "
            "of everything but the beam are far from converged, and part of the speed is paid "
            "with it. What equal quality costs is in `quality`.",
    },
    {
        .name = "table3",
        .where = "2022, Table 3",
        .summary = "memory",
        .run = paper_table3,
        .text = "The paper counts the GPU memory of clustered blocks. Here it is all that the "
                "library holds for body, asset and world (a GPU's own in the part on the GPU); its "
                "copy of the mesh, in double precision, is in it. Two thirds of the paper's, since "
                "constants are packed and derivatives of F are not stored.",
    },
    {
        .name = "fig4",
        .where = "2022, figure 4",
        .summary = "what is solved at the same time, with clusters and without",
        .run = paper_fig4,
        .pictures = {"spot-clusters", "spot-colors", "beam-clusters", "beam-colors"},
        .text = "Tets of one color are solved at the same time; jet map, as in the paper. Clusters "
                "hold up to five tets, which have one color. Spot's mesh is not the authors': its "
                "most crowded vertex has 104 tets, as theirs must have, and clusters leave 29 "
                "colors for their 25.",
    },
    {
        .name = "fig5",
        .where = "2022, figure 5",
        .summary = "convergence from the frame of the highest energy",
        .run = paper_fig5,
        .plots =
            {
                {.title = "elastic energy [J]",
                 .x = "substep",
                 .y = "energy",
                 .group = {"variant"}},
            },
        .text =
            "The paper takes the frame of the highest elastic energy and follows it for 100 "
            "substeps: coupled constraints converge in about ten, decoupled ones not in 100, "
            "with clusters or without. It does not tell which solver the frame is from or how "
            "long a substep is. Here it is the baseline's with 30 substeps a step, half of "
            "whose energy is wrinkles, and substeps of the same length follow. The same picture "
            "comes out: coupled constraints, two rows or ten, are within a fifth of a calm beam "
            "(`substeps_to_1.2`) in 3 or 4 substeps, and the pair never; neither clusters nor "
            "patches change that. The paper's order of magnitude in the first substep is a "
            "factor of 1.4 here, and cannot be more: the calm beam itself has half of the "
            "energy. With foresight, which damps a fifth as much, it takes 12.",
    },
    {
        .name = "fig6",
        .where = "2022, figure 6",
        .summary = "the same budget: the beam with 30 substeps",
        .run = paper_fig6,
        .pictures = {"beams"},
        .text =
            "From left to right: the decoupled pair, two rows (the paper's blocks), ten rows, "
            "after 0.2 s, painted by strain: the pair's wrinkles are a hundredth of an edge and "
            "hard to see otherwise (the paper paints normals). The table has the elastic energy "
            "over the converged one.",
    },
    {
        .name = "fig7",
        .where = "2022, figure 7",
        .summary = "the same budget: a small body with 20 substeps",
        .run = paper_fig7,
        .pictures = {"spots"},
        .text =
            "The paper has an armadillo of 2 922 tets and names no material; with E = 3 MPa and "
            "nu = 0.3 its claim holds here. The numbers are of an armadillo of this size; the "
            "picture, in the order of figure 6, is of spot with 2 900 tets, whose surface is in "
            "the public domain: with 10 MPa the pair has 126 times the energy of a converged "
            "run, two rows 0.90 and ten rows 0.95 times. The pair's strain is beyond the map "
            "everywhere.",
    },
    {
        .name = "fig8",
        .where = "2022, figure 8",
        .summary = "a scrambled beam finds its shape",
        .run = paper_fig8,
        .pictures = {"two-rows", "ten-rows"},
        .text =
            "At 0, 1/60, 2/60, 0.1, 0.5 and 4 s, two rows as in the paper and ten rows. Eleven "
            "starts, with slight damping and without; `rms` is the distance from the shape at "
            "rest in percent of the length. All come back upright; the decoupled pair keeps its "
            "wrinkles, and without damping its beam stays out of shape.",
    },
    {
        .name = "slides",
        .where = "2022, slides",
        .summary = "three stiff scenes with 50 substeps",
        .run = paper_slides,
        .text = "162k tets with 400 MPa and nu 0.499, 19.8k with 30 MPa, 56.4k with 20 MPa. The "
                "slides show them stable with 50 substeps, and tell no sizes, which decide what "
                "substeps are needed: 2 m here, held at one end, after 0.1 s. 50 substeps are "
                "stable here, too, but `energy_ratio`, to a converged run, tells how much of the "
                "elastic energy is noise; `fewest_substeps` are needed for 5 % of error, "
                "`auto_substeps` the library chooses. No converged run of the largest is made: 11 "
                "352 substeps a step are too many for a processor; `unresolved` is the library's "
                "own estimate of the error, in percent of the energy.",
    },
    {
        .name = "quality",
        .where = "2022, section 6.2",
        .summary = "equal quality: substeps and time to 1 % of error",
        .run = paper_quality,
        .text =
            "The paper compares numbers of substeps that look alike: 200 for the pair, 30 for "
            "blocks. Here: the fewest whose elastic energy after 0.2 s is within 5 % and 1 % of "
            "the converged one (`substeps_5`, `substeps_1`), on the beam, with the paper's "
            "integrator and the default one, and the error of the paper's numbers: blocks save "
            "a factor of 3 at equal error, not 7. Then times to 1 %, with the default "
            "integrator, of every schedule and of explicit finite elements.",
    },
    {
        .name = "pbd-scenes",
        .where = "2013, Table 1; 2015, Table 2",
        .summary = "counts and colors of the scenes",
        .run = bench_pbd,
        .section = "scenes",
        .text = "Particles, constraints and colors of the papers' scenes; theirs are printed in "
                "thousands. Scans that were not published have stand-ins of about their size. Left "
                "out of this page: the squishy ball (`pliant bench pbd` has all).",
    },
    {
        .name = "pbd-frames",
        .where = "2013, Table 1; 2015, Table 2",
        .summary = "frames per second",
        .run = bench_pbd,
        .section = "frames",
        .text =
            "`ratio` is to the paper's rate: on a processor to those of the papers' processors. "
            "As there, bodies do not collide with each other. Left out of this page: 400 tori and "
            "the squishy ball.",
    },
    {
        .name = "pbd-solvers",
        .where = "2013, figure 5; 2015, Table 2, figures 6, 9, 10",
        .summary = "Gauss-Seidel, phantoms, hybrid and Jacobi to the same residual",
        .run = bench_pbd,
        .section = "solvers",
        .plots =
            {
                {.title = "residual of a stretched cloth",
                 .x = "iterations",
                 .y = "residual",
                 .group = {"schedule", "phantoms", "merge", "relaxation", "color_scope"},
                 .only = {{"part", "residual"}, {"mesh", "cloth:19x19"}},
                 .log_x = true,
                 .log_y = true},
                {.title = "residual of a rough cube",
                 .x = "iterations",
                 .y = "residual",
                 .group = {"schedule", "phantoms", "merge", "relaxation", "color_scope"},
                 .only = {{"part", "residual"}, {"mesh", "cube"}},
                 .log_x = true,
                 .log_y = true},
                {.title = "residual of a rough cube against time",
                 .x = "ms",
                 .y = "residual",
                 .group = {"schedule", "phantoms", "merge", "relaxation", "color_scope"},
                 .only = {{"part", "residual"}, {"mesh", "cube"}},
                 .log_x = true,
                 .log_y = true},
            },
        .text =
            "The papers: Gauss-Seidel needs far fewer iterations than averaged Jacobi, phantoms "
            "cost little. So it is here. Figure 10 of 2015 lets a stretched cloth end up turned "
            "and shifted with Jacobi; copies that share the mass keep the center in its place. "
            "Left out of this page: bodies that take minutes.",
    },
    {
        .name = "pbd-fall",
        .where = "2013, figure 4",
        .summary = "a cube falls: Gauss-Seidel and averaged Jacobi in the same time",
        .run = bench_pbd,
        .section = "fall",
        .pictures = {"jacobi", "gauss-seidel"},
        .plots =
            {
                {.title = "height of the cube [% of that at rest]",
                 .x = "frame",
                 .y = "height",
                 .group = {"solver", "same"}},
                {.title = "residual of the falling cube",
                 .x = "frame",
                 .y = "residual",
                 .group = {"solver", "same"}},
            },
        .text =
            "The paper: a falling cube of 25K constraints with 5 ms for each frame, in which its "
            "GPU does 8 iterations of Gauss-Seidel or 24 of averaged Jacobi; Jacobi's cube is "
            "softer "
            "(it has pictures, no numbers). Here, on one core of a processor, with the paper's "
            "iterations (`same`: iterations) and with as many as 5 ms hold here (time): `lowest` "
            "is the least height, in percent of that at rest, `residual` the largest of all "
            "frames. "
            "With 24 iterations Jacobi's cube (upper pictures) is pressed to a third of its "
            "height, with 8 Gauss-Seidel's (lower ones) to seven eighths. On a processor an "
            "iteration of "
            "Jacobi takes longer than one of Gauss-Seidel, since each constraint has rows of its "
            "own, so that in the same time the difference is larger still.",
    },
    {
        .name = "pbd-phantoms",
        .where = "2015, figures 7 and 8",
        .summary = "colors against phantoms",
        .run = bench_pbd,
        .section = "phantoms",
        .text = "Phantoms bound the number of colors. As printed, one for each constraint, they "
                "multiply the particles; grouped ones are few.",
    },
    {
        .name = "pbd-kernels",
        .where = "2015, Table 1",
        .summary = "kernels or constraints",
        .run = bench_pbd,
        .section = "kernels",
        .text = "Twice the bodies or twice the iterations: on a GPU of 2015 the number of kernels "
                "decided, on a processor the number of constraints does.",
    },
    {
        .name = "pbd-error",
        .where = "2015, figure 5",
        .summary = "error against the number of colors",
        .run = bench_pbd,
        .section = "error",
        .plots =
            {
                {.title = "error against colors [%]",
                 .x = "colors",
                 .y = "error",
                 .group = {"schedule", "phantoms", "merge"}},
            },
        .text =
            "The paper: fewer colors by more phantoms cost accuracy slowly. So it is here, with "
            "split masses; with full masses in each copy (duplicate), as printed, it costs "
            "more.",
    },
    {
        .name = "pbd-momentum",
        .where = "2015, section 5",
        .summary = "momentum with copies",
        .run = bench_pbd,
        .section = "momentum",
        .text = "Phantoms and averages as printed keep the full mass in each copy and do not "
                "conserve momentum; with split masses they do.",
    },
};

const int experiment_count = sizeof experiments / sizeof experiments[0];
