// A surface that bodies carry, and what it takes.
#pragma once
#include "scene.h"

typedef struct {
    pliant_world* world;
    pliant_body_id body[2]; // one or both
    pliant_mesh* surface;
    pliant_skin* skin;
} carried;

static inline void drop(carried* c)
{
    pliant_skin_destroy(c->skin);
    pliant_world_destroy(c->world);
    pliant_mesh_destroy(c->surface);
}
