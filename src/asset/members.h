// The list of what a soft body's definition says, once: every member of pliant_soft_def and of its
// parts but for pointers. The defaults, the checks, the bytes of a compiled asset, scene files and
// their reference all come from it.
#pragma once
#include "base/key.h"

extern const key_table soft_members, material_members, cloth_members;

// What decides whether a member changes anything (key.effect).
typedef struct {
    const pliant_soft_def* def;
    pliant_mesh_arrays mesh;
    bool tethered;
} member_subject;
