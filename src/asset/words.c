#include "asset/words.h"
#include "pliant.h"
#include <stddef.h>

const char* const formulation_words[] = {
    [PLIANT_FORMULATION_TEN_ROWS] = "ten_rows",
    [PLIANT_FORMULATION_TWO_ROWS] = "two_rows",
    [PLIANT_FORMULATION_DECOUPLED] = "decoupled",
    [PLIANT_FORMULATION_DECOUPLED_NODES] = "decoupled_nodes",
    [PLIANT_FORMULATION_EDGES_AND_VOLUME] = "edges_and_volume",
    NULL,
};

const char* const schedule_words[] = {
    [PLIANT_SCHEDULE_PATCHED] = "patched", [PLIANT_SCHEDULE_CLUSTERED] = "clustered",
    [PLIANT_SCHEDULE_COLORED] = "colored", [PLIANT_SCHEDULE_SERIAL] = "serial",
    [PLIANT_SCHEDULE_PHANTOM] = "phantom", [PLIANT_SCHEDULE_HYBRID] = "hybrid",
    [PLIANT_SCHEDULE_JACOBI] = "jacobi",   NULL,
};

const char* const color_scope_words[] = {
    [PLIANT_COLOR_SCOPE_ALL] = "all",
    [PLIANT_COLOR_SCOPE_TYPE] = "type",
    NULL,
};

const char* const interface_words[] = {
    [PLIANT_INTERFACE_MERGED] = "merged",
    [PLIANT_INTERFACE_ORDERED] = "ordered",
    NULL,
};

const char* const phantoms_words[] = {
    [PLIANT_PHANTOMS_GROUPED] = "grouped",
    [PLIANT_PHANTOMS_SINGLE] = "single",
    NULL,
};

const char* const merge_words[] = {
    [PLIANT_MERGE_SPLIT] = "split",
    [PLIANT_MERGE_DUPLICATE] = "duplicate",
    NULL,
};

const char* const rotation_words[] = {
    [PLIANT_ROTATION_KEPT] = "kept",
    [PLIANT_ROTATION_AS_PUBLISHED] = "as_published",
    NULL,
};

const char* const integrator_words[] = {
    [PLIANT_INTEGRATOR_FORESIGHT] = "foresight",
    [PLIANT_INTEGRATOR_IMPLICIT_EULER] = "implicit_euler",
    [PLIANT_INTEGRATOR_SYMPLECTIC_EULER] = "symplectic_euler",
    [PLIANT_INTEGRATOR_VERLET] = "verlet",
    [PLIANT_INTEGRATOR_BDF2] = "bdf2",
    NULL,
};

const char* const clustering_words[] = {
    [PLIANT_CLUSTERING_COMPACT] = "compact",
    [PLIANT_CLUSTERING_NEIGHBORS] = "neighbors",
    [PLIANT_CLUSTERING_CELLS] = "cells",
    NULL,
};

const char* const backend_words[] = {
    [PLIANT_BACKEND_AUTO] = "auto",
    [PLIANT_BACKEND_CPU] = "cpu",
    [PLIANT_BACKEND_CUDA] = "cuda",
    NULL,
};

const char* const arithmetic_words[] = {
    [PLIANT_ARITHMETIC_EXACT] = "exact",
    [PLIANT_ARITHMETIC_FAST] = "fast",
    NULL,
};

const char* const launch_mode_words[] = {
    [PLIANT_LAUNCH_MODE_GRAPH] = "graph",
    [PLIANT_LAUNCH_MODE_EACH] = "each",
    NULL,
};

const char* const shape_words[] = {
    [PLIANT_SHAPE_PLANE] = "plane",         [PLIANT_SHAPE_BOX] = "box",
    [PLIANT_SHAPE_SPHERE] = "sphere",       [PLIANT_SHAPE_CAPSULE] = "capsule",
    [PLIANT_SHAPE_MESH] = "mesh",           [PLIANT_SHAPE_CONVEX] = "convex",
    [PLIANT_SHAPE_TRIANGLES] = "triangles", NULL,
};

const char* const surface_contacts_words[] = {
    [PLIANT_SURFACE_CONTACTS_AUTO] = "auto",
    [PLIANT_SURFACE_CONTACTS_ALWAYS] = "always",
    [PLIANT_SURFACE_CONTACTS_NEVER] = "never",
    NULL,
};

const char* const precision_words[] = {
    [PLIANT_PRECISION_SINGLE] = "single",
    [PLIANT_PRECISION_DOUBLE] = "double",
    NULL,
};

const char* const lame_words[] = {
    [PLIANT_LAME_ENGINEERING] = "engineering",
    [PLIANT_LAME_PLAIN] = "plain",
    NULL,
};

const char* const stiffness_mode_words[] = {
    [PLIANT_STIFFNESS_MODE_COMPLIANT] = "compliant",
    [PLIANT_STIFFNESS_MODE_CLASSIC] = "classic",
    NULL,
};

const char* const bending_words[] = {
    [PLIANT_BENDING_ISOMETRIC] = "isometric",
    [PLIANT_BENDING_ANGLE] = "angle",
    [PLIANT_BENDING_PLATE] = "plate",
    NULL,
};
