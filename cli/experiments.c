// The table of experiments: what each shows, and what is different here.
#include "papers.h"

const experiment experiments[] = {
    {"table2",
     "2022, Table 2",
     "clusters and blocks against the baseline",
     paper_table2,
     NULL,
     {{"ms per step", "tets", "ms_per_step", {"method", "formulation"}, NULL, NULL, false, true},
      {"error of the elastic energy [%]",
       "tets",
       "error",
       {"method", "formulation"},
       NULL,
       NULL,
       false,
       true}},
     {NULL},
     "The paper: clusters (C) reduce colors to a quarter to two fifths, blocks (B) need a fifth of "
     "the "
     "substeps; together 8 to 16 times the speed of the baseline, on an RTX 2060 Super. Here, with "
     "the "
     "paper's numbers of substeps and meshes of about its sizes. On a processor colors cost next "
     "to "
     "nothing, so clusters alone bring nothing; blocks bring what fewer substeps bring; patches "
     "are "
     "beyond both. `error` is what the paper does not show: with its substeps most blocked runs "
     "are "
     "far from converged. What equal quality costs is in `quality`."},
    {"table3",
     "2022, Table 3",
     "memory",
     paper_table3,
     NULL,
     {{NULL}},
     {NULL},
     "The paper counts the GPU memory of clustered blocks. Here it is all that the library holds "
     "for "
     "body, asset and world (a GPU's own in the part on the GPU): its copy of the mesh in double "
     "precision is in it."},
    {"fig4",
     "2022, figure 4",
     "what is solved at the same time, with clusters and without",
     paper_fig4,
     NULL,
     {{NULL}},
     {"spot-clusters", "spot-colors", "beam-clusters", "beam-colors"},
     "Tets of one color are solved at the same time; jet map, as in the paper. Clusters hold up to "
     "five "
     "tets, which have one color. Spot's mesh is not the authors': its most crowded vertex has 104 "
     "tets, as theirs must have, and clusters leave 29 colors for their 25."},
    {"fig5",
     "2022, figure 5",
     "convergence from the frame of the highest energy",
     paper_fig5,
     NULL,
     {{"elastic energy [J]", "substep", "energy", {"variant"}, NULL, NULL, false, false}},
     {NULL},
     "The paper takes the frame of the highest elastic energy and follows it for 100 substeps: "
     "coupled "
     "constraints converge in about ten, decoupled ones not in 100, with clusters or without. It "
     "does "
     "not tell which solver the frame is from or how long a substep is. Here it is the baseline's "
     "with 30 "
     "substeps a step, and substeps of the same length follow. Its energy is mostly wrinkles, "
     "which "
     "implicit Euler damps where the constraints see them: two rows do for volume alone, ten rows "
     "for "
     "shear as well. `substeps_to_1.2`: within a fifth of what a calm beam has at that time."},
    {"fig6",
     "2022, figure 6",
     "the same budget: the beam with 30 substeps",
     paper_fig6,
     NULL,
     {{NULL}},
     {"beams"},
     "From left to right: the decoupled pair (pink, as in the paper), two rows (blue), ten rows "
     "(green), "
     "after 0.2 s. The table has the elastic energy over the converged one."},
    {"fig7",
     "2022, figure 7",
     "the same budget: a small body with 20 substeps",
     paper_fig7,
     NULL,
     {{NULL}},
     {"spots"},
     "The paper has an armadillo of 2 922 tets and names no material; with E = 3 MPa and nu = 0.3 "
     "its "
     "claim holds here. The numbers are of an armadillo of this size; the picture, in the colors "
     "of figure "
     "6, is of spot with 2 900 tets, whose mesh is in the public domain."},
    {"fig8",
     "2022, figure 8",
     "a scrambled beam finds its shape",
     paper_fig8,
     NULL,
     {{NULL}},
     {"two-rows", "ten-rows"},
     "At 0, 1/60, 2/60, 0.1, 0.5 and 4 s. A beam that starts folded through itself may stay so "
     "(seed 8): "
     "nothing keeps a body from crossing itself yet."},
    {"slides",
     "2022, slides",
     "three stiff scenes with 50 substeps",
     paper_slides,
     NULL,
     {{NULL}},
     {NULL},
     "162k tets with 400 MPa and nu 0.499, 19.8k with 30 MPa, 56.4k with 20 MPa. The slides show "
     "them "
     "stable with 50 substeps, and tell no sizes; at 2 m 50 substeps are stable here, too, but "
     "their "
     "elastic energy is noise. `fewest_substeps` is for 5 % of error, not searched for beyond 100 "
     "000 "
     "tets; `auto` is what the library chooses. After 0.1 s."},
    {"quality",
     "2022, section 6.2",
     "equal quality: substeps and time to 1 % of error",
     paper_quality,
     NULL,
     {{NULL}},
     {NULL},
     "The paper compares numbers of substeps that look alike: 200 for the pair, 30 for blocks. "
     "Here: the "
     "fewest whose elastic energy after 0.2 s is within 5 % and 1 % of the converged one "
     "(`substeps_5`, "
     "`substeps_1`), on the beam, with the paper's integrator and the default one, and the error "
     "of the paper's "
     "numbers. Then times to 1 %, with the default integrator, of every schedule and of explicit "
     "finite "
     "elements."},
    {"pbd-scenes",
     "2013, Table 1; 2015, Table 2",
     "counts and colors of the scenes",
     bench_pbd,
     "scenes",
     {{NULL}},
     {NULL},
     "Particles, constraints and colors of the papers' scenes; theirs are printed in thousands. "
     "Scans that "
     "were not published have stand-ins of about their size."},
    {"pbd-frames",
     "2013, Table 1; 2015, Table 2",
     "frames per second",
     bench_pbd,
     "frames",
     {{NULL}},
     {NULL},
     "`ratio` is to the paper's rate: on a processor to those of the papers' processors. Bodies do "
     "not collide "
     "with each other yet, so that tori fall side by side."},
    {"pbd-solvers",
     "2013, figure 5; 2015, Table 2, figures 6, 9, 10",
     "Gauss-Seidel, phantoms, hybrid and Jacobi to the same residual",
     bench_pbd,
     "solvers",
     {{"residual",
       "iterations",
       "residual",
       {"mesh", "schedule", "phantoms", "merge"},
       "part",
       "residual",
       true,
       true},
      {"residual against time [ms]",
       "ms",
       "residual",
       {"mesh", "schedule", "phantoms", "merge"},
       "part",
       "residual",
       true,
       true}},
     {NULL},
     "The papers: Gauss-Seidel needs far fewer iterations than averaged Jacobi, phantoms cost "
     "little. So it "
     "is here. Figure 10 of 2015 lets a stretched cloth end up turned and shifted with Jacobi; "
     "copies that "
     "share the mass keep the center in its place."},
    {"pbd-phantoms",
     "2015, figures 7 and 8",
     "colors against phantoms",
     bench_pbd,
     "phantoms",
     {{NULL}},
     {NULL},
     "Phantoms bound the number of colors. As printed, one for each constraint, they multiply the "
     "particles; "
     "grouped ones are few."},
    {"pbd-kernels",
     "2015, Table 1",
     "kernels or constraints",
     bench_pbd,
     "kernels",
     {{NULL}},
     {NULL},
     "Twice the bodies or twice the iterations: on a GPU of 2015 the number of kernels decided, on "
     "a "
     "processor the number of constraints does."},
    {"pbd-error",
     "2015, figure 5",
     "error against the number of colors",
     bench_pbd,
     "error",
     {{"error against colors", "colors", "error", {"phantoms", "merge"}, NULL, NULL, false, true}},
     {NULL},
     "The paper: fewer colors by more phantoms cost accuracy slowly."},
    {"pbd-momentum",
     "2015, section 5",
     "momentum with copies",
     bench_pbd,
     "momentum",
     {{NULL}},
     {NULL},
     "Phantoms and averages as printed keep the full mass in each copy and do not conserve "
     "momentum; with "
     "split masses they do."},
};
const int experiment_count = sizeof experiments / sizeof experiments[0];
