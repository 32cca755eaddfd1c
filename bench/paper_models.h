// The models of the 2022 paper with its numbers, and the meshes that stand for them here.
#pragma once
#include "bench/files.h"

// The columns of Table 2: plain colors, clusters (C), blocks (B), both.
enum { BASELINE, CLUSTERS, BLOCKS, BOTH, PUBLISHED };

typedef struct {
    const char *name, *mesh; // a word, or a file without its ending
    bool is_file;
    int vertices, tets, colors[2]; // as published: plain, clustered
    double ms[PUBLISHED];          // Table 2; NAN: the model is not in it
    double megabytes;              // Table 3
} paper_model;

enum { PAPER_MODELS = 8 };
extern const paper_model paper_models[PAPER_MODELS]; // the beam first

// The mesh as a body of a trial. A file that is missing leaves *out NULL, with a word on stderr.
pliant_result paper_mesh(const paper_model* m, const bench_settings* settings, pliant_mesh** out,
                         trial* out_body);
